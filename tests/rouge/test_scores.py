"""From counts of pairs to scores of items: beta, several references, nothing to match, long texts."""

import math
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest

from helpers.rouge.corpora import random_corpus
from helpers.rouge.expected import CHOICES, OUTPUTS, assert_textbook, f_measure, items_of
from rouge_bleu import plain
from rouge_bleu._rouge import scores
from rouge_bleu._rouge.rules import MULTI_REFERENCES, RougeRules
from rouge_bleu.rouge_types import FAMILIES, type_of_name

# --- by hand --------------------------------------------------------------------------------------

# Pairs of three items: matches, n-grams of the prediction and of the reference.
PAIRS = [(2, 4, 2), (3, 4, 6), (0, 3, 5), (4, 8, 4), (0, 8, 0), (0, 0, 0)]
OFFSETS = np.array([0, 3, 5, 6])
# Scores of the pairs of the first item, and of the second one that has the best reference or all.
F = [(1 / 2, 1, 2 / 3), (3 / 4, 1 / 2, 3 / 5), (0, 0, 0)]
BEST, HALF = (1 / 2, 1, 2 / 3), (1 / 4, 1 / 2, 1 / 3)
BY_HAND = {
    "best": [F[0], BEST],
    "average": [tuple(sum(column) / 3 for column in zip(*F, strict=True)), HALF],
    "pooled": [(5 / 11, 5 / 13, 10 / 24), (4 / 16, 1, 8 / 20)],
    # The best in two of three sets, the second best in the one without it.
    "jackknife": [tuple((2 * a + b) / 3 for a, b in zip(*F[:2], strict=True)), HALF],
    "separate": [(3 / 4, 1, 6 / 7), BEST],
    "recall": [F[0], BEST],
    "f_of_means": [(5 / 12, 1 / 2, 5 / 11), HALF],
}


def options_with(choice, beta, **rules):
    return SimpleNamespace(
        multi_reference=choice,
        beta=beta,
        zero_division=math.nan,
        rules=RougeRules(families=FAMILIES, **rules),
        types_by_name={"rouge1": type_of_name("rouge1")},
        families_of_types=[FAMILIES["N"]],
        scored_outputs=OUTPUTS,
    )


def example_scores(pairs, offsets, choice="best", beta=1.0, **rules):
    """Return precision, recall and F of each example; NaN if nothing can match."""
    matches, *totals = np.array(pairs, dtype=np.float64).T[:, np.newaxis]
    options = options_with(choice, beta, **rules)
    found = scores.example_scores(np.array([matches, matches, *totals]), offsets, options)
    return list(map(tuple, found[:, 0].T.tolist()))


@pytest.mark.parametrize("choice", MULTI_REFERENCES)
def test_choices_by_hand(choice):
    """The third item has nothing to match; the second has one reference with n-grams."""
    expected = [*BY_HAND[choice], (math.nan,) * 3]
    for item, by_hand in zip(example_scores(PAIRS, OFFSETS, choice), expected, strict=True):
        assert item == pytest.approx(by_hand, rel=1e-14, nan_ok=True)


@pytest.mark.parametrize("choice", ["best", "recall"])
@pytest.mark.parametrize(("beta", "epsilon"), [(1.0, 0.0), (0.3, 0.0), (2.5, 1e-8)])
@pytest.mark.parametrize("most", [1, 3])
def test_floats_of_few_scores_have_the_bits_of_arrays(choice, beta, epsilon, most):
    rng = np.random.default_rng(most)
    offsets = np.cumsum([0, *rng.integers(1, most + 1, 200)])
    totals = rng.integers(0, 40, (2, offsets[-1]))
    pairs = np.stack([rng.integers(0, totals.min(axis=0) + 1), *totals]).T.tolist()
    options = options_with(choice, beta, f_epsilon=epsilon)
    found = scores.scores_of_few([pairs], offsets, options)[:, 0].T.tolist()
    expected = example_scores(pairs, offsets, choice, beta, f_epsilon=epsilon)
    assert repr(list(map(tuple, found))) == repr(expected)  # NaN for NaN


@pytest.mark.parametrize("choice", ["separate", "f_of_means"])
def test_f_of_an_item_has_32_bits_where_that_of_a_pair_has(choice):
    f = [f for *_, f in example_scores(PAIRS[:5], OFFSETS[:3], choice, 2.0, has_32_bits=True)]
    assert f == np.float32(f).tolist()


@pytest.mark.parametrize(("p", "r"), [(1, 4), (4, 1)])
def test_the_first_of_equal_references_is_the_best(p, r):
    """P 1 and R 1/4, or the other way round: F is 2/5."""
    equal = [(0, 9, 9), (1, p, r), (1, r, p)]
    assert example_scores(equal, np.array([0, 3])) == [(1 / p, 1 / r, 2 / 5)]


# --- beta and multi_reference ---------------------------------------------------------------------


@pytest.mark.parametrize("beta", [0.0, 0.5, 1.0, 3.0, 1e160, math.inf])
def test_f_measure(beta):
    p, r = (side.ravel() for side in np.meshgrid(np.arange(5) / 4, np.arange(7) / 6))
    found = scores.f_measure(p, r, beta).tolist()
    if beta in (0.0, 1e160, math.inf):
        assert found == (r if beta else p).tolist()
        return
    expected = [plain.f_measure(*pair, beta) for pair in zip(p.tolist(), r.tolist(), strict=True)]
    assert found == pytest.approx(expected, rel=1e-15, abs=0)


# With a beta of 0 F is precision up to its last digit, which decides a tie: see below.
BETAS = [(1.0, 0.0), (1.0, math.nan), (2.0, 0.0), (math.inf, 0.0), (0.0, 0.0)]
CHOSEN = [c for c in product(CHOICES, BETAS) if c[1][0] or c[0] not in ("best", "jackknife")]


@pytest.mark.parametrize(("choice", "beta_and_zero"), CHOSEN, ids=str)
def test_choices_among_references(rouge_full, choice, beta_and_zero):
    """The texts are short: many are empty or have no unit of a type, and references tie."""
    beta, zero_division = beta_and_zero
    corpus = random_corpus(1, 200, 5, 4)
    options = {"multi_reference": choice, "zero_division": zero_division, "beta": beta}
    items = assert_textbook(rouge_full, corpus, **options)["rougeS4_fmeasure"]
    numbers = [score for score in items if not math.isnan(score)]
    assert (len(numbers) < len(items) - 5) == math.isnan(zero_division)
    aggregated = rouge_full.compute(
        predictions=corpus[0], references=corpus[1], rouge_types=["rougeS4"], **options
    )
    assert aggregated["rougeS4"] == pytest.approx(math.fsum(numbers) / len(numbers), abs=1e-12)


@pytest.mark.parametrize(("beta", "output"), [(0, 0), (1e-200, 0), (math.inf, 1)])
def test_beta_0_is_precision_and_chooses_as_precision_does(rouge_full, beta, output):
    """p r / r is not p in every bit. The first reference with the highest precision (or recall) is
    chosen, and F equals it.
    """
    predictions, references = random_corpus(21, 150, 20, 5)
    names = ["rouge1", "rougeLsum", "rougeW", "rougeS4"]
    result = items_of(rouge_full, (predictions, references), names, beta=beta)
    repeated = [p for p, texts in zip(predictions, references, strict=True) for _ in texts]
    pairs = items_of(rouge_full, (repeated, [[r] for texts in references for r in texts]), names)
    ends = np.cumsum(list(map(len, references))).tolist()
    for name in names:
        columns = [pairs[f"{name}_{part}"] for part in OUTPUTS]
        chosen = [
            max(range(start, end), key=columns[output].__getitem__)  # the first of the highest
            for start, end in zip([0, *ends], ends, strict=False)
        ]
        for part in (0, 1):
            assert result[f"{name}_{OUTPUTS[part]}"] == [columns[part][k] for k in chosen], name
        assert result[f"{name}_fmeasure"] == result[f"{name}_{OUTPUTS[output]}"]


# --- nothing to match -----------------------------------------------------------------------------

PAIRS_OF_WORDS = {"rouge2", "rougeS", "rougeS4"}  # a text of one word has no unit of these
TYPES_OF_UNITS = [*sorted(PAIRS_OF_WORDS), "rouge1", "rougeL", "rougeLsum", "rougeW", "rougeSU4"]
# Prediction, references, and which types are undefined: those of which no reference has a unit.
UNDEFINED = [
    ("", [""], set(TYPES_OF_UNITS)),
    ("...", ["?!", "\n"], set(TYPES_OF_UNITS)),
    ("a b c", [""], set(TYPES_OF_UNITS)),
    ("", ["a b c"], set()),
    ("a b c", ["a"], PAIRS_OF_WORDS),
    ("a b", ["", "a", "b a"], set()),
    ("a b", ["", "a"], PAIRS_OF_WORDS),
]


@pytest.mark.parametrize(("prediction", "references", "undefined"), UNDEFINED)
def test_zero_division(rouge_full, prediction, references, undefined):
    corpus = [prediction], [references]
    zero, nan = (
        items_of(rouge_full, corpus, TYPES_OF_UNITS, **given)
        for given in ({}, {"zero_division": math.nan})
    )
    for key, (score,) in nan.items():
        is_undefined = key.split("_")[0] in undefined
        assert math.isnan(score) == is_undefined, key
        assert zero[key] == [0.0 if is_undefined else score], key


# --- tokens, and long texts -----------------------------------------------------------------------

# prediction, references, options, ROUGE-1
TOKENS = [
    (["The", "cat!"], [["the", "cat!"]], {}, 0.5),
    (["new york", "", "你好"], [["new york", "", "你好"]], {}, 1.0),
    (["running"], [["run"]], {"use_stemmer": True}, 1.0),
    (["ab"], [["ab", "b"]], {"tokenizer": "char"}, 2 / 3),
    (["ab"], [["ab", "b"]], {"tokenizer": pytest.fail}, 2 / 3),
    ([], [["a"]], {}, 0.0),
    (["a"], [[]], {}, 0.0),
    ([], [[]], {}, 0.0),
    (["a"], [[], ["a"]], {}, 1.0),
]


@pytest.mark.parametrize(("prediction", "references", "options", "score"), TOKENS)
def test_tokens_are_scored_as_they_are(rouge_full, prediction, references, options, score):
    data = {"predictions": [prediction], "references": [references], "rouge_types": ["rouge1"]}
    assert rouge_full.compute(**data, **options) == {"rouge1": score}


def test_long_texts(rouge_full):
    """Of 20,000 different words the reference lacks every fifth, so that all is counted by hand."""
    n, m = 20_000, 16_000
    kept = [i for i in range(n) if i % 5 != 4]
    # Pairs at most 4 words apart in the prediction are no farther apart in the reference, which has
    # more: those whose distance there is up to 5.
    s4 = sum(j < n and j % 5 != 4 for i in kept for j in range(i + 1, i + 6))
    totals_s4 = [sum(min(5, length - 1 - i) for i in range(length)) for length in (n, m)]
    expected = {  # matches, units of the prediction, of the reference
        "rouge1": (m, n, m),
        "rouge2": (3 * m // 4, n - 1, m - 1),  # runs of four words
        "rougeL": (m, n, m),
        "rougeLsum": (m, n, m),
        "rougeS4": (s4, *totals_s4),
        "rougeSU4": (s4 + m, totals_s4[0] + n, totals_s4[1] + m),
    }
    texts = ([" ".join(f"w{i}" for i in side)] for side in (range(n), kept))
    result = items_of(rouge_full, tuple(texts), expected)
    for name, (matches, *totals) in expected.items():
        p, r = (matches / total for total in totals)
        found = [result[f"{name}_{output}"] for output in OUTPUTS]
        assert found == [[pytest.approx(score, rel=1e-12)] for score in (p, r, f_measure(p, r))]
