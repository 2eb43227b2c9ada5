"""Preset "t2t" against figures of tensor2tensor's t2t-bleu, and single segments of mteval.

Golden figures of mteval are read in tests/bleu/test_perl_lines.py.
"""

import numpy as np
import pytest

from helpers.published import texts, values
from rouge_bleu import bleu
from rouge_bleu.text.tokenizers import TOKENIZERS


@pytest.mark.parametrize(("name", "lowercase"), [("cased", False), ("uncased", True)])
def test_t2t(name, lowercase):
    """32-bit numbers."""
    expected = values(f"t2t-bleu, {name}, first reference")
    options = {"preset": "t2t", "lowercase": lowercase}
    found = bleu(**texts(first=True), **options)["bleu"]
    assert found == pytest.approx(expected["bleu_float32"], rel=3e-7)
    items = bleu(**texts(first=True), **options, use_aggregator=False)["bleu"]
    np.testing.assert_allclose(items, expected["per_item"], rtol=3e-7)


@pytest.mark.parametrize("edge", values("edges: international tokens"))
def test_tokens(edge):
    assert TOKENIZERS["t2t"].words_of_text(edge["text"], False) == edge["t2t"]
    if "&" not in edge["text"]:
        words = TOKENIZERS["intl-entities"].words_of_text(edge["text"], False)
        assert words == edge["sacrebleu"]


def test_entities():
    cut = TOKENIZERS["intl-entities"].words_of_text
    assert cut("Q&amp;A &quot;x&apos;", False) == ["Q", "&", "A", '"', "x", "'"]


# What mteval-v13a.pl and mteval-v14.pl print for one segment, with 15 digits.
@pytest.mark.parametrize(
    ("flags", "prediction", "reference", "expected"),
    [
        ("", "", "", 0.0),
        ("-c", "", "a", 0.0),
        ("-c --international-tokenization", "<skipped> the cat sat down", "the cat sat down", 1.0),
        ("--international-tokenization", "a b c d &AMP; e", "a b c d & e", 0.54108),
        (
            "--international-tokenization",
            "\u039f\u0394\u039f\u03a3 b c d e",
            "\u03bf\u03b4\u03bf\u03c3 b c d e",
            1.0,
        ),
        (
            "--international-tokenization",
            "\u039f\u0394\u039f\u03a3 b c d e",
            "\u03bf\u03b4\u03bf\u03c2 b c d e",
            0.66874,
        ),
    ],
)
def test_segments_of_mteval(bleu_full, flags, prediction, reference, expected):
    """Entities are written out before letters become small, one by one."""
    options = {"preset": f"mteval-v13a.pl {flags}", "use_aggregator": False}
    found = bleu([prediction], [reference], **options)["bleu"]
    assert found == [pytest.approx(expected, abs=5e-6)]
    explained = bleu_full.explain(
        prediction=prediction, reference=reference, preset=options["preset"]
    )
    assert explained["bleu"] == pytest.approx(expected, abs=5e-6)


def test_nothing_against_nothing_is_0_in_t2t():
    """Its geometric mean is 0 if the highest precision is."""
    assert bleu([""], [""], preset="t2t")["bleu"] == 0.0
