"""bleu_full as users call it: printed examples, and parity with sacreBLEU for all forms of data."""

from sacrebleu.metrics import BLEU

from helpers.bleu.peers import as_result, as_streams, assert_equal, random_segments


def test_the_example_of_the_card_of_evaluate(bleu_full):
    """https://huggingface.co/spaces/evaluate-metric/bleu, "How to Use": 7 words, and 3 + 3 in the
    shortest references.
    """
    predictions = ["hello there general kenobi", "foo bar foobar"]
    references = [["hello there general kenobi", "hello there !"], ["foo bar foobar"]]
    data = {"predictions": predictions, "references": references}
    assert bleu_full.compute(**data, reference_length="shortest") == {
        "bleu": 1.0,
        "precisions": [1.0] * 4,
        "brevity_penalty": 1.0,
        "length_ratio": 1.1666666666666667,
        "translation_length": 7,
        "reference_length": 6,
    }


def test_parity_with_sacrebleu(bleu_full):
    """Texts, texts that a function cuts, and tokens."""
    predictions, references = random_segments(4, 200, 20, 3)
    peer = BLEU(smooth_method="none", tokenize="none")
    expected = as_result(peer.corpus_score(predictions, as_streams(references)))
    assert expected["bleu"] > 0
    texts = {"predictions": predictions, "references": references}
    tokens = {
        "predictions": [text.split() for text in predictions],
        "references": [[text.split() for text in texts] for texts in references],
    }
    for data, options in (
        (texts, {"tokenizer": "whitespace"}),
        (texts, {"tokenizer": str.split}),
        (tokens, {}),
    ):
        result = bleu_full.compute(**data, **options)
        assert list(result) == list(expected)
        assert_equal(result, expected)
