"""Batches that are folded: the result of `compute` for all examples, and no order changes a digit.

The oracles of the exact parts: sums of fractions, and corpora in which an example occurs as often
as its Poisson weight says.
"""

import math
from fractions import Fraction
from functools import lru_cache

import numpy as np
import pyarrow as pa
import pytest

from helpers.fold_cases import CASES, N_ITEMS, corpus, partitions, table
from helpers.repository import module_of
from rouge_bleu.metric import mean_rounded_once
from rouge_bleu.resampling import PIECES_OF_WEIGHT, poisson_weights
from rouge_bleu.streaming import as_exact_integers, from_exact_integers

DATA = corpus()
N_RESAMPLES = 8
RESAMPLED = {"confidence_level": 0.9, "n_resamples": N_RESAMPLES}
PAIR = {"predictions": ["a b c d e"], "references": ["a b c d"]}


@pytest.fixture(params=CASES, ids=str)
def case(request):
    name, options = request.param
    return request.getfixturevalue(name), options


def statistics(metric, parts, **options):
    return [metric.batch_statistics(part, item="id", **options) for part in parts]


def parts_of(data, seed, ids=None):
    return partitions(table(data, ids), np.random.default_rng(seed))


def test_the_result_is_that_of_compute(case):
    """To 1e-12, and of a mean to one rounding."""
    metric, options = case
    result = metric.fold(statistics(metric, parts_of(DATA, 1), **options), **options)
    expected = metric.compute(**DATA, **options)
    assert (result.pop("n_items"), result.pop("n_skipped")) == (N_ITEMS, 0)
    assert result.keys() == expected.keys()
    for key, value in expected.items():
        assert result[key] == pytest.approx(value, rel=1e-12, abs=1e-12, nan_ok=True), key
        assert type(result[key]) is type(value), key


def test_neither_order_nor_partitions_nor_sums_of_sums_change_a_digit(case):
    """The result, its bounds and its signature are the same, to the last bit."""
    metric, options = case
    options = options | RESAMPLED | {"signature": True}
    whole = metric.fold(statistics(metric, [table(DATA)], **options), **options)
    parts = statistics(metric, parts_of(DATA, 2), **options)

    def summed(*batches):
        return metric.sum_statistics(batches, **options)

    first, second, rest = parts[:2], parts[2:5], parts[5:]
    for batches in (
        parts,
        [summed(*parts)],
        [summed(summed(*first), *second), summed(*rest)],
        [*rest, summed(*second), summed(), *first],
        [pa.Table.from_batches([summed(*first), summed(*second)]), *rest],
    ):
        assert repr(metric.fold(iter(batches), **options)) == repr(whole)


def test_tokens_fold_as_in_compute(metric):
    data = {"predictions": [["a", "b"], ["c"]], "references": [[["a"], ["b"]], [["c"]]]}
    result = metric.fold(statistics(metric, parts_of(data, 5)), signature=True)
    expected = metric.compute(**data, signature=True)
    assert {key: result[key] for key in expected} == expected
    assert "tok:given" in result["signature"]


def poisson_weight(seed, resample, number):
    """The weight of one item: 16 bits of Philox, looked up in a list of 65,536 weights."""
    weights = [weight for weight, pieces in enumerate(PIECES_OF_WEIGHT) for _ in range(pieces)]
    key = np.array([seed, number % 2**64], dtype=np.uint64)
    numbers = np.random.Philox(key=key).random_raw(resample // 4 + 1)
    return weights[int(numbers[-1]) >> 16 * (resample % 4) & 0xFFFF]


@pytest.mark.parametrize("n_items", [0, 6])
@pytest.mark.parametrize(("seed", "n_resamples"), [(0, 1), (0, 4), (1, 5), (2**32 - 1, 13)])
def test_each_weight_depends_on_seed_resample_and_id_alone(seed, n_resamples, n_items):
    ids = np.array([0, 1, 2, 7, 2**63, 2**64 - 1], dtype=np.uint64)[:n_items]
    weights = poisson_weights(ids, n_resamples, seed)
    assert weights.shape == (n_items, n_resamples)
    assert weights.tolist() == [
        [poisson_weight(seed, resample, int(number)) for resample in range(n_resamples)]
        for number in ids
    ]


def test_the_table_is_the_poisson_distribution_of_mean_1():
    """Rounded up or down, and one of them by 1.22, mean and variance are exactly 1."""
    total, pieces = sum(PIECES_OF_WEIGHT), np.array(PIECES_OF_WEIGHT)
    weight = np.arange(len(pieces))
    assert total == 2**16
    expected = [total * math.exp(-1) / math.factorial(one) for one in weight]
    assert np.abs(pieces - expected).max() < 1.25
    assert [(weight * pieces).sum(), (weight**2 * pieces).sum()] == [total, 2 * total]


IDS = [(number * 37) % 1001 - 500 for number in range(N_ITEMS)]


@lru_cache  # the same for each case
def drawn_corpus(resample):
    """The corpus with each example as often as the weight of its id says for seed 3."""
    weights = [poisson_weight(3, resample, number) for number in IDS]
    return {name: list(np.repeat(np.array(c, object), weights)) for name, c in DATA.items()}


def test_bounds_are_those_of_corpora_that_are_really_drawn(case):
    metric, options = case
    resampled = [metric.compute(**drawn_corpus(one), **options) for one in range(N_RESAMPLES)]
    resampling = {"confidence_level": 0.8, "n_resamples": N_RESAMPLES, "seed": 3}
    parts = statistics(metric, parts_of(DATA, 4, IDS), **options)
    found = metric.fold(parts, **options, **resampling)
    bounded = [key for key in resampled[0] if f"{key}_low" in found]
    assert bounded
    for key in bounded:
        expected = np.nanpercentile([scores[key] for scores in resampled], [10, 90])
        assert [found[f"{key}_low"], found[f"{key}_high"]] == pytest.approx(expected, abs=1e-12)


def test_a_resample_without_items_has_no_score(metric):
    """One item has weight 0 in more than a third of the resamples; they are left out."""
    options = {"confidence_level": 0.9, "n_resamples": 50}
    one = table({"predictions": ["a b c d"], "references": ["a b c d"]}, [5])
    result = metric.fold(metric.batch_statistics(one, item="id"), **options)
    key = next(iter(result))
    assert [result[key], result[f"{key}_low"], result[f"{key}_high"]] == [1.0, 1.0, 1.0]


def test_many_items_are_summed_some_at_a_time(metric, monkeypatch):
    """In blocks of weights, which change nothing."""
    some = metric.batch_statistics(table(DATA), item="id")
    expected = metric.sum_statistics(some, **RESAMPLED)
    monkeypatch.setattr(module_of(metric, "streaming"), "_MAX_BLOCK_WEIGHTS", 31)
    assert metric.sum_statistics(some, **RESAMPLED) == expected


def test_sums_can_be_added_up_by_a_database(metric):
    """As Spark does it: grouped by resample, in any order, also if a part has no items."""
    options = RESAMPLED | {"signature": True}
    gap = table({"predictions": [None], "references": [["a"]]}).cast(table(DATA).schema)
    parts = [
        metric.batch_statistics(rows, item="id", missing="skip")
        for rows in (table(DATA)[:20], gap, table(DATA)[20:])
    ]
    sums = pa.Table.from_batches([metric.sum_statistics(part, **options) for part in parts])
    how = {"fewest_references": "min", "most_references": "max", "seed": "max"}
    columns = [(name, how.get(name, "sum")) for name in sums.schema.names if name != "resample"]
    grouped = sums.group_by("resample").aggregate(columns)
    name_of = {"_".join(column): column[0] for column in columns}
    grouped = grouped.rename_columns([name_of.get(name, name) for name in grouped.schema.names])
    shuffled = grouped.take(np.random.default_rng(0).permutation(1 + N_RESAMPLES))
    expected = metric.fold(parts, **options)
    assert repr(metric.fold(shuffled, **options)) == repr(expected)
    assert expected["n_skipped"] == 1
    assert "|refs:1-3" in expected["signature"]


def test_rows_that_are_skipped_are_counted(metric):
    gaps = {"predictions": ["a b", None, "c", "d"], "references": [["a b"], ["x"], [], ["d", None]]}
    some = metric.batch_statistics(table(gaps), item="id", missing="skip")
    assert some.column("n_references").to_pylist() == [1, None, None, None]
    result = metric.fold([some, metric.sum_statistics(some)])
    assert (result["n_items"], result["n_skipped"]) == (2, 6)
    with pytest.raises(ValueError, match="no scored examples, and 3 skipped"):
        metric.fold(some.slice(1))


def test_a_billion_items(metric):
    """Sums of 2^30 times the same item: those of one item, added to themselves 30 times."""
    options = {"confidence_level": 0.9, "n_resamples": 9, "seed": 0}
    one = metric.batch_statistics(table(PAIR, [5]), item="id")
    output = {"output": "score"} if metric.name == "bleu_full" else {}
    alone = metric.compute(**PAIR, **output)
    for own in ({}, options):
        sums = metric.sum_statistics(one, **own)
        for _ in range(30):
            sums = metric.sum_statistics([sums, sums], **own)
        assert metric.fold(sums, **output) == alone | {"n_items": 2**30, "n_skipped": 0}


RNG = np.random.default_rng(3)
SCORES = {
    "quotients": RNG.integers(0, 40, 500) / RNG.integers(40, 90, 500),
    "any bits": RNG.random(500),
    "small": RNG.random(500) * 2.0**-20,
    "0 and 1": RNG.integers(0, 2, 500).astype(float),
    "some are not defined": np.where(RNG.random(500) < 0.3, np.nan, RNG.random(500)),
    "none is defined": np.full(5, np.nan),
    "all the same": np.full(333, 1 / 3),
    "least": np.full(3, 5e-324),
}


def exact_mean(scores):
    """The mean of all but NaN, rounded once."""
    defined = [Fraction(score) for score in scores if not math.isnan(score)]
    return float(sum(defined) / len(defined)) if defined else math.nan


def total(values, kind):
    return from_exact_integers(as_exact_integers(values, kind).sum(axis=1, keepdims=True), kind)[0]


@pytest.mark.parametrize("name", SCORES)
def test_means_are_those_of_fractions(name):
    """Of integers to 2^-61, half of the precision of a score, and exact from 2^-8 on; of floats
    rounded once, in any order.
    """
    scores = SCORES[name]
    assert total(scores, "score") == pytest.approx(exact_mean(scores), abs=2**-60, nan_ok=True)
    large = np.where(scores < 2**-8, 0.5, scores)
    assert total(large, "score") == pytest.approx(exact_mean(large), abs=0, rel=0, nan_ok=True)
    if "defined" not in name:
        rng = np.random.default_rng(4)
        for _ in range(3):
            assert mean_rounded_once(rng.permutation(scores)) == exact_mean(scores)


def test_lengths_and_counts_are_exact():
    """Lengths are fractions such as the average length of three references."""
    lengths = np.divide(*np.random.default_rng(5).integers(1, 400, (2, 300)))
    assert total(lengths, "length") == float(sum(map(Fraction, lengths.tolist())))
    assert total(np.array([2.0**40, 0.5]), "length") == 2.0**40 + 0.5
    assert total(np.array([3, 2**53, 1]), "count") == 2**53 + 4


def test_the_largest_sum_fits_into_64_bits_and_the_least_part_is_rounded():
    """Three quarters of the least unit, 2^-60, become one, and a quarter none."""
    parts = [int(part) << 32 for part in as_exact_integers(np.ones(1), "score")[:, 0]]
    assert max(parts) < 2**63
    assert from_exact_integers(np.array([[part] for part in parts]), "score") == [1.0]
    low = as_exact_integers(np.array([3 * 2.0**-62, 2.0**-62]), "score")[2]
    assert low.tolist() == [1, 0]
