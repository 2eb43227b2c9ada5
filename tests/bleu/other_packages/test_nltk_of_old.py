"""Presets "nltk-3.2.5", "nltk-3.4.5" and "nltk-3.5" against figures of these releases."""

import numpy as np
import pytest

from helpers.published import texts, values
from rouge_bleu import bleu
from rouge_bleu._bleu.smoothing import SMOOTHINGS

PRESET_OF_RELEASE = {
    "3.2.2": "nltk-3.2.5",
    "3.2.5": "nltk-3.2.5",
    "3.3": "nltk-3.4.5",
    "3.4.5": "nltk-3.4.5",
    "3.5": "nltk-3.5",
    "3.6": "nltk",
    "3.6.5": "nltk",
    "3.6.6": "nltk",
    "3.8.1": "nltk",
    "develop (2026)": "nltk",
}
SMOOTHING_OF_METHOD = {"none": "none"} | {
    f"method{number}": smoothing for number, smoothing in enumerate(SMOOTHINGS)
}


@pytest.mark.parametrize("method", SMOOTHING_OF_METHOD)
@pytest.mark.parametrize("release", PRESET_OF_RELEASE)
def test_sentences(release, method):
    """An order without match has 2.2e-308 in some releases and 0 here; some calls fail there."""
    expected = values(f"NLTK {release} sentence_bleu, first reference")[method]
    found = bleu(
        **texts(first=True),
        preset=PRESET_OF_RELEASE[release],
        smoothing=SMOOTHING_OF_METHOD[method],
        use_aggregator=False,
    )["bleu"]
    are_scores = [not isinstance(score, str) for score in expected]
    assert sum(are_scores) >= 10
    np.testing.assert_allclose(
        np.array(found)[are_scores],
        [score for score in expected if not isinstance(score, str)],
        rtol=1e-12,
        atol=1e-70,
    )


@pytest.mark.parametrize("release", PRESET_OF_RELEASE)
def test_corpus(release):
    expected = values(f"NLTK {release} sentence_bleu, first reference")["corpus_bleu"]
    found = bleu(**texts(first=True), preset=PRESET_OF_RELEASE[release])["bleu"]
    assert found == pytest.approx(expected, rel=1e-12)


def test_a_single_token_has_no_error():
    """Of one token method4 divides by ln 1 in these releases; here such orders are left out."""
    word = {"predictions": ["Yes"], "references": ["Yes"]}
    for preset in ("nltk-3.4.5", "nltk-3.5"):
        found = bleu(**word, preset=preset, smoothing="chen-cherry-4")
        assert found["bleu"] == 1
