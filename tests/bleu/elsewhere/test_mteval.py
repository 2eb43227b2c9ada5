"""Preset "t2t" against figures of tensor2tensor's t2t-bleu; mteval is in tests/bleu/lines."""

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
