"""Presets "nltk-3.2.5", "nltk-3.4.5" and "nltk-3.5" beside `bleu_score.py` of these releases.

Each release is in a separate folder, since its other modules need an older Python.
"""

import importlib.util
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

from rouge_bleu._bleu.smoothing import SMOOTHINGS

RELEASES = ("3.2.5", "3.4.5", "3.5")
SMOOTHING_OF_METHOD = {f"method{number}": name for number, name in enumerate(SMOOTHINGS)}


def module_of(release):
    path = Path(sys.prefix) / f"nltk-{release}" / "nltk" / "translate" / "bleu_score.py"
    if not path.exists():
        pytest.skip(f"NLTK {release} is missing")
    spec = importlib.util.spec_from_file_location(f"bleu_score_{release}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def words(hostile):
    """Without texts of no word, for which some releases have an error."""
    items = [
        (prediction, [reference for reference in references if reference.split()])
        for prediction, references in zip(
            hostile["predictions"], hostile["references"], strict=True
        )
        if prediction.split()
    ]
    predictions, references = zip(*(item for item in items if item[1]), strict=True)
    return {"predictions": list(predictions), "references": list(references)}


@pytest.mark.parametrize("method", SMOOTHING_OF_METHOD)
@pytest.mark.parametrize("release", RELEASES)
def test_sentences(bleu_full, words, release, method):
    """Where a release has an error, such as ln 0, there is nothing to compare."""
    module = module_of(release)
    smooth = getattr(module.SmoothingFunction(), method)
    options = {"preset": f"nltk-{release}", "smoothing": SMOOTHING_OF_METHOD[method]}
    found = bleu_full.compute(**words, **options, use_aggregator=False)["bleu"]
    n_same = 0
    for ours, prediction, references in zip(found, *words.values(), strict=True):
        cut = [reference.split() for reference in references]
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                expected = module.sentence_bleu(cut, prediction.split(), smoothing_function=smooth)
        except (ZeroDivisionError, ValueError, IndexError, AttributeError, AssertionError):
            continue
        assert ours == pytest.approx(float(expected), rel=1e-12, abs=1e-70)
        n_same += 1
    assert n_same > 50


@pytest.mark.parametrize("release", RELEASES)
def test_corpus(bleu_full, words, release):
    module = module_of(release)
    references = [[text.split() for text in own] for own in words["references"]]
    predictions = [text.split() for text in words["predictions"]]
    expected = module.corpus_bleu(references, predictions)
    found = bleu_full.compute(**words, preset=f"nltk-{release}")["bleu"]
    np.testing.assert_allclose(found, expected, rtol=1e-12)
