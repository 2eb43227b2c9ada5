"""Presets "sacrerouge", "py-rouge" and "rouge-2.0" by hand; figures are in tests/test_recorded.py."""

import importlib.metadata

import pytest

from helpers.rouge.corpora import OUTPUTS
from rouge_bleu import rouge


# Stems are of NLTK's ORIGINAL_ALGORITHM. In its default mode all of these are alike.
@pytest.mark.parametrize(
    ("prediction", "reference", "score"),
    [
        ("runs", "running", 1),
        ("possibly dying", "possible dies", 0),
        ("technology skies", "technological sky", 0),
    ],
)
def test_stems_of_sacrerouge(prediction, reference, score):
    options = {"preset": "sacrerouge", "rouge_types": ["rouge1"], "use_stemmer": True}
    assert {*rouge([prediction], [reference], **options).values()} == {score}


# py-rouge limits characters over lines; characters between words do not count.
@pytest.mark.parametrize(
    ("prediction", "reference", "options", "precision"),
    [
        ("  abcd \nef gh", "abcd\nef", {"max_bytes": 6}, 1),
        ("  abcd \nef gh", "abcd\nef", {"max_bytes": 8}, 2 / 3),
        ("a " * 400, "a " * 333, {}, 1),
    ],
)
def test_limits_of_py_rouge(prediction, reference, options, precision):
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


STOPWORDS = ["the", ""]  # `read().split("\n")` has an empty one after the last line of a file
# rouge-2.0: prediction, reference, type, stop words, precision and recall. All numbers are alike; a symbol at
# the beginning of a line leaves an empty word, and so does an empty line, but a final line end starts no
# further line. Bigrams are those of lines.
BY_HAND = [
    ("in 1999", "in 2024", "rouge1", None, 1, 1),
    ('"Go" on', "go on", "rouge1", None, 2 / 3, 1),
    ("go.\n\non", "go\n\non.", "rouge1", None, 1, 1),
    ("go\non\n", "go\non", "rouge1", None, 1, 1),
    ("GO, on", "go on", "rouge1", None, 1, 1),
    ("", "", "rouge1", None, 0, 0),
    ("a b\nc d", "a b c d", "rouge2", None, 1, 2 / 3),
    # An empty word in a subsequence does not count: the jar prints 0.50000, 0.33333, 0.66667, 0.00000.
    ('"a', '"a', "rougeL", None, 1 / 2, 1 / 2),
    ('"a b', '"a c', "rougeL", None, 1 / 3, 1 / 3),
    ("a\n\nb", "a\n\nb", "rougeL", None, 2 / 3, 2 / 3),
    ('"a', "\nb", "rougeL", None, 0, 0),
    ("a", "a", "rougeL", STOPWORDS, 1, 1),
    ('"a b', '"a b', "rougeL", STOPWORDS, 1, 1),
    ("", "", "rougeL", STOPWORDS, 0, 0),
]


@pytest.mark.parametrize(
    ("prediction", "reference", "name", "stopwords", "precision", "recall"), BY_HAND
)
def test_rouge2_by_hand(prediction, reference, name, stopwords, precision, recall):
    options = {"preset": "rouge-2.0", "rouge_types": [name], "stopwords": stopwords}
    found = rouge([prediction], [reference], **options)
    scores = [found[f"{name}_{output}"] for output in OUTPUTS[:2]]
    assert scores == pytest.approx([precision, recall], rel=1e-15)
