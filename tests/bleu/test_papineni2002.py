"""bleu_full against the numbers of the paper, and what comments of mteval-v13a.pl say.

What runs of mteval-v13a.pl printed is in test_perl_lines.py.
"""

import math
from fractions import Fraction

import pytest

from rouge_bleu import bleu

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
DO = ["I always do", "I invariably do", "I perpetually do"]


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


def test_more_words_of_several_references_are_no_better():
    """Section 2.2.1, example 4: the first candidate recalls more words from the references, but is
    a poorer translation.
    """
    predictions = ["I always invariably perpetually do", "I always do"]
    first, second = bleu(predictions, [DO, DO], max_order=2, use_aggregator=False)["bleu"]
    assert first < second == 1


def test_brevity_penalty_is_one_of_the_corpus():
    """Section 2.2.2: a penalty computed sentence by sentence would punish deviations on short
    sentences harshly, so lengths are added up first.
    """
    corpus = ["x x", "x x x x x x"], ["x x x x", "x x x x"]
    assert bleu(*corpus)["brevity_penalty"] == 1.0
    penalties = bleu(*corpus, use_aggregator=False)["brevity_penalty"]
    assert penalties == pytest.approx([math.exp(1 - 4 / 2), 1.0], rel=1e-15)


# --- mteval-v13a.pl, https://github.com/moses-smt/mosesdecoder/blob/master/scripts/generic/mteval-v13a.pl


def test_mteval_smoothing():
    """The example in the comment above its function `bleu_score`: two words and one pair match, so
    the counts are 2, 1, 1/2 and 1/4.
    """
    result = bleu(["a b x y z"], ["a b q"], smoothing="exp")
    assert result["precisions"] == [2 / 5, 1 / 4, 1 / 2 / 3, 1 / 4 / 2]
