"""bleu_full as users call it: printed examples, and parity with sacreBLEU for all forms of data."""

import pytest
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


@pytest.mark.parametrize(
    ("prediction", "references", "bleu", "lengths"),
    [
        # sacrebleu 2.6.0 and NLTK 3.10: 1 whichever reference comes first; 8 and 4 words are equally
        # close to 6, the shorter counts
        ("a b c d e f", ["a b c d e f g h", "a b c d"], 1.0, (6, 4)),
        # the same: 0; evaluate divides by zero
        ("", ["a b"], 0.0, (0, 2)),
        ("a b", [""], 0.0, (2, 0)),
        ("", [""], 0.0, (0, 0)),
        # sacrebleu 2.6.0: 100, since the closest reference is the empty one
        ("a b c d", ["", "a b c d e f g h i"], 1.0, (4, 0)),
        ("well-\nknown old a b", ["wellknown old a b"], 1.0, (4, 4)),
    ],
)
def test_single_items(bleu_full, prediction, references, bleu, lengths):
    result = bleu_full.compute(predictions=[prediction], references=[references])
    assert result["bleu"] == pytest.approx(bleu, rel=1e-15)
    assert (result["translation_length"], result["reference_length"]) == lengths


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
