"""bleu_full against the numbers of the paper, and lengths and the brevity penalty by definition."""

import math
from fractions import Fraction
from functools import reduce
from operator import add

import numpy as np
import pytest

from rouge_bleu import bleu, plain
from rouge_bleu import corpus as corpus_module

# --- Papineni et al. 2002, https://aclanthology.org/P02-1040 --------------------------------------

CATS = ["The cat is on the mat", "There is a cat on the mat"]
GUIDE = (
    "It is a guide to action which ensures that the military always obeys the commands of the party"
)
TROOPS = "It is to insure the troops forever hearing the activity guidebook that party direct"
PARTY = [
    "It is a guide to action that ensures that the military will forever heed Party commands",
    "It is the guiding principle which guarantees the military forces always being under the "
    "command of the Party",
    "It is the practical guide for the army always to heed the directions of the party",
]


@pytest.mark.parametrize(
    ("prediction", "references", "order", "precision"),
    [  # sections 2.1 and 2.2, examples 2, 1 and 3; uppercase letters are ignored, as the paper does
        ("the the the the the the the", CATS, 1, Fraction(2, 7)),
        ("the the the the the the the", CATS, 2, Fraction(0, 6)),
        (GUIDE, PARTY, 1, Fraction(17, 18)),
        (TROOPS, PARTY, 1, Fraction(8, 14)),
        (GUIDE, PARTY, 2, Fraction(10, 17)),
        (TROOPS, PARTY, 2, Fraction(1, 13)),
        ("of the", PARTY, 2, Fraction(1, 1)),
    ],
)
def test_modified_precision(prediction, references, order, precision):
    options = {"preset": "sacrebleu", "smoothing": "none", "lowercase": True, "max_order": order}
    result = bleu([prediction], [references], **options)
    assert result["precisions"][-1] == float(precision)
    assert Fraction(result["counts"][-1], result["totals"][-1]) == precision
    assert result["totals"][-1] == len(prediction.split()) + 1 - order


def test_a_translation_of_two_words_is_punished():
    """Section 2.2, example 3: "of the" has only right words and pairs, so all depends on the
    brevity penalty: the shortest reference has 16 words.
    """
    result = bleu(["of the"], [PARTY], max_order=2)
    assert result["precisions"] == [1.0, 1.0]
    assert result["bleu"] == result["brevity_penalty"] == pytest.approx(math.exp(1 - 16 / 2))


def test_brevity_penalty_is_one_of_the_corpus():
    """Section 2.2.2: a penalty computed sentence by sentence would punish deviations on short
    sentences harshly, so lengths are added up first.
    """
    corpus = ["x x", "x x x x x x"], ["x x x x", "x x x x"]
    assert bleu(*corpus)["brevity_penalty"] == 1.0
    penalties = bleu(*corpus, use_aggregator=False)["brevity_penalty"]
    assert penalties == pytest.approx([math.exp(1 - 4 / 2), 1.0], rel=1e-15)


# --- lengths --------------------------------------------------------------------------------------


def corpus_of_lengths(prediction, references):
    """Return texts of one word each time, with so many words."""
    return [" ".join("a" * n) for n in prediction], [
        [" ".join("a" * n) for n in row] for row in references
    ]


LENGTH_OF = {
    "closest": plain.closest_reference_length,
    "shortest": lambda _, lengths: min(lengths),
    "average": lambda _, lengths: float(Fraction(sum(lengths), len(lengths))),
}


@pytest.mark.parametrize("name", LENGTH_OF)
def test_lengths_and_brevity_penalty(name):
    """Of each item, and the sum of all. Section 2.2.2: 1 where c > r, else exp(1 - r / c)."""
    rng = np.random.default_rng(2)
    rows = [rng.integers(0, 12, rng.integers(1, 6)).tolist() for _ in range(300)]
    prediction = rng.integers(0, 12, 300).tolist()
    expected = list(map(LENGTH_OF[name], prediction, rows))
    options = {"reference_length": name, "max_order": 1}
    items = bleu(*corpus_of_lengths(prediction, rows), **options, use_aggregator=False)
    assert items["reference_length"] == expected
    penalties = [
        0.0 if c == 0 < r else 1.0 if c >= r else math.exp(1 - r / c)
        for c, r in zip(prediction, expected, strict=True)
    ]
    assert items["brevity_penalty"] == pytest.approx(penalties, rel=1e-15)
    ratios = [c / r if r else 0.0 for c, r in zip(prediction, expected, strict=True)]
    assert items["length_ratio"] == pytest.approx(ratios, rel=1e-15)
    corpus = bleu(*corpus_of_lengths(prediction, rows), **options)
    assert corpus["reference_length"] == pytest.approx(sum(expected), rel=1e-15)
    if name == "closest":
        assert bleu(*corpus_of_lengths(prediction, rows), max_order=1) == corpus  # the default


def test_average_reference_length_is_exact(monkeypatch):
    """The mean over references is a fraction. In floats 1/3 + 1/3 + ... depends on the order and on
    the chunks in which it is summed; here no bit does.
    """
    rng = np.random.default_rng(5)
    rows = [rng.integers(0, 30, rng.integers(1, 12)).tolist() for _ in range(300)]
    predictions, references = corpus_of_lengths(rng.integers(1, 20, 300), rows)
    exact = float(sum(Fraction(sum(row), len(row)) for row in rows))
    # Or the test would show nothing; `sum` itself rounds less since Python 3.12.
    assert exact != reduce(add, (sum(row) / len(row) for row in rows))
    options = {"reference_length": "average", "max_order": 1}
    result = bleu(predictions, references, **options)
    assert result["reference_length"] == exact
    assert bleu(predictions[::-1], references[::-1], **options) == result
    for n_characters in (1, 1000):
        monkeypatch.setattr(corpus_module, "_CHUNK_CHARACTERS", n_characters)
        assert bleu(predictions, references, **options) == result


@pytest.mark.parametrize(
    ("prediction", "references", "closest"),
    [
        # Of equally close lengths the shorter one: the paper leaves it open.
        *((6, [7, 5], 5), (6, [0, 12], 0)),
        # The example in the comment above `brevity_penalty_closest` of mteval-v13a.pl.
        *((7, [11, 8, 6, 7], 7), (7, [11, 8, 6], 6)),
    ],
)
def test_closest_length(prediction, references, closest):
    assert plain.closest_reference_length(prediction, references) == closest
