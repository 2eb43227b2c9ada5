"""Numbers that benchmarks publish, by the presets that `docs/reproducing.md` names for them."""

import re

import numpy as np
import pytest

from helpers.published import texts, values

PARLAI = "ParlAI metrics bleu-1..4, rouge-1/2/L, f1"


def normalized(text):
    """A text as ParlAI scores it: no case, no signs, no articles."""
    text = re.sub(r"[!\"#$%&()*+,\-./:;<=>?@\[\]\\^`{|}~_']", " ", text.lower())
    return " ".join(re.sub(r"\b(?:a|an|the)\b", " ", text).split())


@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_parlai(bleu_full, order):
    expected = values(PARLAI)[f"bleu-{order}"]
    options = {"preset": "nltk", "smoothing": "floor", "smoothing_value": 1e-12}
    options["weights"] = [1 / order] * order
    as_given = bleu_full.compute(**texts(), **options, tokenizer="parlai", level="sentence")
    data = texts(change=normalized)
    assert data["predictions"] == values(PARLAI)["normalized_predictions"]
    found = bleu_full.compute(**data, **options, use_aggregator=False)["bleu"]
    np.testing.assert_allclose(found, expected["per_item"], rtol=1e-12)
    found = bleu_full.compute(**data, **options, level="sentence")["bleu"]
    assert found == as_given["bleu"] == pytest.approx(expected["mean"], rel=1e-12)


def test_f1_of_parlai_is_a_rouge(rouge_full):
    options = {"tokenizer": "parlai", "rouge_types": ["rouge1"]}
    found = rouge_full.compute(**texts(), **options)["rouge1"]
    assert found == pytest.approx(values(PARLAI)["f1"]["mean"], rel=1e-12)
