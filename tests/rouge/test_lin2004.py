"""Every worked number of the paper that defines ROUGE.

    Chin-Yew Lin. 2004. ROUGE: A Package for Automatic Evaluation of Summaries.
    https://aclanthology.org/W04-1013

The paper's sentences keep their names. What it says in words (one score is higher, two are equal, a
measure is another one under some condition) is checked too. Its tables of correlations with human
judgments need the summaries of DUC, which cannot be shipped.
"""

import math
from fractions import Fraction
from itertools import combinations

import pytest

from helpers.rouge.expected import items_of, random_corpus
from rouge_bleu import plain

S1 = "police killed the gunman"  # section 3.1; S1 is the reference
S2 = "police kill the gunman"
S3 = "the gunman kill police"
S4 = "the gunman police killed"
S5 = "gunman the killed police"  # section 5.2
R = "w1 w2 w3 w4 w5"  # section 3.2: a sentence of the reference, and two of the prediction
C1, C2 = "w1 w2 w6 w7 w8", "w1 w3 w8 w9 w5"
X, Y1, Y2 = "A B C D E F G", "A B C D H I K", "A H B K C I D"  # section 4; X is the reference


def scores(rouge_full, predictions, reference, name, **options):
    """Return the score of each prediction against one reference."""
    return rouge_full.compute(
        predictions=predictions,
        references=[reference] * len(predictions),
        rouge_types=[name],
        use_aggregator=False,
        **options,
    )[name]


def exactly(*fractions):
    return pytest.approx([float(Fraction(fraction)) for fraction in fractions], rel=1e-15, abs=0)


RECALL = {"output": "recall"}
# Section, predictions, reference, type, options, scores.
NUMBERS = [
    # ROUGE-N is a recall: the matches divided by the n-grams of the reference.
    ("2", [S2, S3, S4], S1, "rouge1", RECALL, ["3/4", "3/4", "1"]),
    # S2 and S3 have the same ROUGE-2, with one bigram, "the gunman"; ROUGE-2 prefers S4 to S3.
    ("3.1", [S2, S3, S4], S1, "rouge2", RECALL, ["1/3", "1/3", "2/3"]),
    # An n-gram matches as often as it occurs in both texts.
    ("2", ["the the the cat"], "the cat the", "rouge1", RECALL, ["1"]),
    ("2", ["the the the cat"], "the cat the", "rouge1", {"output": "precision"}, ["3/4"]),
    # With beta = 1, S2 has 3/4 = 0.75 and S3 2/4 = 0.5; S4 has the same as S3, since only one of its
    # two common sequences counts.
    ("3.1", [S2, S3, S4], S1, "rougeL", {"beta": 1.0}, ["3/4", "2/4", "2/4"]),
    # The LCS with C1 is "w1 w2" and with C2 "w1 w3 w5": their union is w1 w2 w3 w5.
    ("3.2", [C1, C2], R, "rougeL", RECALL, ["2/5", "3/5"]),
    ("3.2", [f"{C1}\n{C2}"], R, "rougeLsum", RECALL, ["4/5"]),
    # With f(k) = k^2, Y1 has 0.571 and Y2 0.286: the roots of 16/49 and of 4/49.
    ("4", [Y1, Y2], X, "rougeW-2", {}, ["4/7", "2/7"]),
    # Although their ROUGE-L is the same, to which a weight of 1 comes down.
    ("4", [Y1, Y2], X, "rougeL", {}, ["4/7", "4/7"]),
    ("4", [Y1, Y2], X, "rougeW-1", {}, ["4/7", "4/7"]),
    # S2, S3 and S4 have three, one and two of six skip-bigrams in common with S1: 0.5, 0.167, 0.333.
    ("5", [S2, S3, S4], S1, "rougeS", {"beta": 1.0}, ["3/6", "1/6", "2/6"]),
    # S5 is S1 backwards and has no skip-bigram in common with it: the ROUGE-S of a sentence without
    # a common word. ROUGE-SU tells them apart: four words, of six pairs and four words.
    ("5.2", [S5, "no word of it"], S1, "rougeS", {}, ["0", "0"]),
    ("5.2", [S5, "no word of it"], S1, "rougeSU", {}, ["4/10", "0"]),
    ("5.2", [S2, S3, S4], S1, "rougeSU", {}, ["6/10", "4/10", "6/10"]),
]


@pytest.mark.parametrize(
    ("section", "predictions", "reference", "name", "options", "expected"), NUMBERS
)
def test_numbers(rouge_full, section, predictions, reference, name, options, expected):
    assert scores(rouge_full, predictions, reference, name, **options) == exactly(*expected)


def test_section_2_1_jackknifing(rouge_full):
    """With M references, the average of the M maxima over M - 1 of them; as recall of S1 against
    three of the sentences.
    """
    recall = {
        "rouge1": ["3/4", "3/4", "1"],
        "rouge2": ["1/3", "1/3", "0"],
        "rougeL": ["3/4", "2/4", "1/4"],
        "rougeS": ["3/6", "1/6", "0"],
    }
    for name, each in recall.items():
        maxima = [max(map(Fraction, chosen)) for chosen in combinations(each, 2)]
        jackknifed = rouge_full.compute(
            predictions=[S1],
            references=[[S2, S3, S5]],
            multi_reference="jackknife",
            rouge_types=[name],
            beta=math.inf,
        )
        assert jackknifed[name] == pytest.approx(float(sum(maxima) / 3), rel=1e-15), name


def test_section_3_3_the_normalized_pairwise_lcs(rouge_full):
    """The measure that section 3.3 compares ROUGE-L with: the sums of the best LCS from both sides,
    by the words of both.

    `summary_lcs="best"` has the two halves of it as recall and precision.
    """
    prediction, reference = [C1, C2], [R, "w9 w7 w0 w3"]
    lcs = [[plain.lcs_length(c.split(), r.split()) for c in prediction] for r in reference]
    from_reference, from_prediction = sum(map(max, lcs)), sum(map(max, zip(*lcs, strict=True)))
    texts = {"predictions": ["\n".join(prediction)], "references": ["\n".join(reference)]}
    result = rouge_full.compute(
        **texts, rouge_types=["rougeLsum"], summary_lcs="best", output="all"
    )
    assert [result["rougeLsum_recall"], result["rougeLsum_precision"]] == exactly(
        Fraction(from_reference, 9), Fraction(from_prediction, 10)
    )


@pytest.mark.parametrize("name", ["rougeW", "rougeW-1.1", "rougeW-3"])
def test_section_4_consecutive_matches_count_more(rouge_full, name):
    """f(x + y) > f(x) + f(y) for every weight above 1."""
    y1, y2 = scores(rouge_full, [Y1, Y2], X, name)
    assert y1 > y2


@pytest.mark.parametrize("max_skip", [1, 4, 9])
def test_section_5_1_only_pairs_at_most_that_many_words_apart(rouge_full, max_skip):
    """ROUGE-S4: at most four words between the two. And the denominators count such pairs only: of
    n words n - 1 at distance 1, n - 2 at distance 2, and so on.
    """
    predictions = [" ".join(["a", *"x" * between, "b"]) for between in range(12)]
    recall = scores(rouge_full, predictions, "a b", f"rougeS{max_skip}", output="recall")
    assert recall == [1.0] * (max_skip + 1) + [0.0] * (12 - max_skip - 1)
    assert scores(rouge_full, predictions, "a b", "rougeS", output="recall") == [1.0] * 12
    long = " ".join(f"w{k}" for k in range(30))
    n_pairs = sum(30 - distance for distance in range(1, max_skip + 2))
    assert scores(rouge_full, [long], "w0 w1", f"rougeS{max_skip}", output="precision") == exactly(
        Fraction(1, n_pairs)
    )


def test_section_5_2_a_marker_at_the_beginning(rouge_full):
    """ROUGE-SU is ROUGE-S of sentences with a marker for their beginning: each word makes a pair
    with it.
    """
    predictions, references = random_corpus(1, 50, max_lines=1)
    marked = (
        [f"begin {text}" for text in predictions],
        [[f"begin {text}" for text in texts] for texts in references],
    )
    su = items_of(rouge_full, (predictions, references), ["rougeSU"])
    s = items_of(rouge_full, marked, ["rougeS"])
    assert list(su.values()) == list(s.values())
