"""Preset "py-rouge": its limits and its stemmer. Figures are in tests/test_recorded.py."""

import importlib.metadata

import pytest

from rouge_bleu import rouge


# It limits characters over lines; what is between words costs nothing.
@pytest.mark.parametrize(
    ("prediction", "reference", "options", "precision"),
    [
        ("  abcd \nef gh", "abcd\nef", {"max_bytes": 6}, 1),
        ("  abcd \nef gh", "abcd\nef", {"max_bytes": 8}, 2 / 3),
        ("a " * 400, "a " * 333, {}, 1),
    ],
)
def test_limits_by_hand(prediction, reference, options, precision):
    options = {**options, "preset": "py-rouge", "rouge_types": ["rouge1"]}
    found = rouge([prediction], [reference], **options)
    assert (found["rouge1_precision"], found["rouge1_recall"]) == (precision, 1)


def test_the_stemmer_of_py_rouge_needs_the_package():
    """Another package has its modules in a folder of that name too."""
    pytest.importorskip("nltk")
    if any(found.name == "py-rouge" for found in importlib.metadata.distributions()):
        pytest.skip("py-rouge is here")
    with pytest.raises(ImportError, match="pip install py-rouge"):
        rouge(["a"], ["a"], preset="py-rouge", stemmer="py-rouge")
