"""bleu_full as users call it: printed examples, and parity with sacreBLEU, NLTK and the `bleu` metric
of evaluate.
"""

from fractions import Fraction

import numpy as np
import pytest
from sacrebleu.metrics import BLEU

from helpers.bleu.corpora import assert_close, random_corpus
from helpers.bleu.peers import as_streams

# --- printed examples -----------------------------------------------------------------------------


KENOBI = ["hello there general kenobi", "foo bar foobar"]

KENOBI_REFERENCES = [["hello there general kenobi", "hello there !"], ["foo bar foobar"]]

# predictions, references, options, and values of the result: strings have as many digits as their
# source prints, Fractions are counted by hand.
EXAMPLES = {
    # https://huggingface.co/spaces/evaluate-metric/bleu, "How to Use": 7 words, and 3 + 3 in the
    # shortest references
    "evaluate card": (
        KENOBI,
        KENOBI_REFERENCES,
        {"reference_length": "shortest"},
        {
            "bleu": "1.0",
            "precisions": ["1.0"] * 4,
            "brevity_penalty": "1.0",
            "length_ratio": "1.1666666666666667",
            "translation_length": 7,
            "reference_length": 6,
        },
    ),
    # sacrebleu 2.6.0 and NLTK 3.10: 1 whichever reference comes first; 8 and 4 words are equally
    # close to 6, the shorter counts
    "tie of lengths": (
        ["a b c d e f"],
        [["a b c d e f g h", "a b c d"]],
        {},
        {"bleu": "1.00", "reference_length": 4},
    ),
    # sacrebleu 2.6.0 and NLTK 3.10: 0; evaluate divides by zero
    "no prediction": (
        [""],
        ["a b"],
        {},
        {"bleu": "0", "brevity_penalty": "0", "translation_length": 0, "reference_length": 2},
    ),
    "no reference": (
        ["a b"],
        [""],
        {},
        {"bleu": "0", "translation_length": 2, "reference_length": 0},
    ),
    "nothing": ([""], [""], {}, {"bleu": "0", "translation_length": 0, "reference_length": 0}),
    "dash at the end of a line": (
        ["well-\nknown"],
        ["wellknown"],
        {"max_order": 1},
        {"bleu": "1.00"},
    ),
}


@pytest.mark.parametrize(
    ("predictions", "references", "options", "expected"), EXAMPLES.values(), ids=EXAMPLES
)
def test_printed_examples(bleu_full, predictions, references, options, expected):
    result = bleu_full.compute(predictions=predictions, references=references, **options)
    for key, printed in expected.items():
        if isinstance(printed, list):
            assert [
                as_printed(value, digits)
                for value, digits in zip(result[key], printed, strict=True)
            ] == printed, key
        else:
            assert as_printed(result[key], printed) == printed, key


def as_printed(value, printed):
    """Return the value with the digits that `printed` has, or `printed` itself where it is a
    Fraction and equal up to the last bits.
    """
    if isinstance(printed, Fraction):
        return printed if value == pytest.approx(float(printed), rel=4e-16, abs=0) else value
    return f"{value:.{len(printed.partition('.')[2])}f}" if isinstance(printed, str) else value


def as_result(score):
    """Return a BLEUScore of sacreBLEU as bleu_full names its parts; without tokens in the
    references it says nothing of the ratio.
    """
    return {
        "bleu": score.score / 100,
        "precisions": [precision / 100 for precision in score.precisions],
        "brevity_penalty": score.bp,
        "length_ratio": score.sys_len / score.ref_len if score.ref_len else 0.0,
        "translation_length": score.sys_len,
        "reference_length": score.ref_len,
    }


@pytest.mark.parametrize(
    ("n_items", "max_words", "max_references", "max_order", "lowercase"),
    [(400, 12, 1, 4, False), (300, 40, 1, 6, True), (400, 9, 4, 2, False), (150, 40, 3, 4, True)],
)
def test_parity_with_sacrebleu(bleu_full, n_items, max_words, max_references, max_order, lowercase):
    predictions, references = random_corpus(
        np.random.default_rng(max_words), n_items, max_words, max_references
    )
    assert "" in predictions
    assert max_references > 1 or [""] in references
    peer = BLEU(smooth_method="none", lowercase=lowercase, max_ngram_order=max_order)
    expected = as_result(peer.corpus_score(predictions, as_streams(references)))
    assert expected["bleu"] > 0
    assert_close(
        bleu_full.compute(
            predictions=predictions, references=references, lowercase=lowercase, max_order=max_order
        ),
        expected,
    )


@pytest.mark.parametrize("references", [["", "a b c d e f g h i"], ["a b c d e f g h i", ""]])
def test_parity_with_sacrebleu_where_the_closest_reference_is_empty(bleu_full, references):
    expected = BLEU(smooth_method="none").sentence_score("a b c d", references)
    assert (round(expected.score), expected.bp, expected.ref_len) == (100, 1.0, 0)
    assert bleu_full.compute(predictions=["a b c d"], references=[references])[
        "bleu"
    ] == pytest.approx(1.0)


def test_parity_with_sacrebleu_without_tokenization(bleu_full):
    predictions, references = random_corpus(np.random.default_rng(4), 200, 20, 3)
    expected = as_result(
        BLEU(smooth_method="none", tokenize="none").corpus_score(
            predictions, as_streams(references)
        )
    )
    assert_close(
        bleu_full.compute(predictions=predictions, references=references, tokenizer="whitespace"),
        expected,
    )
    assert_close(
        bleu_full.compute(predictions=predictions, references=references, tokenizer=str.split),
        expected,
    )
    tokens = {
        "predictions": [text.split() for text in predictions],
        "references": [[text.split() for text in texts] for texts in references],
    }
    assert_close(bleu_full.compute(**tokens), expected)
