"""Batches that are folded, beside `compute` for the whole corpus, and in any order."""

import math
from functools import lru_cache

import numpy as np
import pyarrow as pa
import pytest

from helpers.exact import poisson_weight
from helpers.fold_cases import CASES, N_ITEMS, corpus, partitions, table
from helpers.repository import module_of
from rouge_bleu.resampling import PIECES_OF_WEIGHT

DATA = corpus()
N_RESAMPLES = 8


@pytest.fixture(params=CASES, ids=[f"{name} {options}" for name, options in CASES])
def case(request):
    name, options = request.param
    return request.getfixturevalue(name), options


def statistics(metric, parts, **options):
    return [metric.batch_statistics(part, item="id", **options) for part in parts]


def without_counts(result):
    return {key: value for key, value in result.items() if key not in ("n_items", "n_skipped")}


def test_the_result_is_that_of_compute(case):
    """To 1e-12, and of a mean to one rounding."""
    metric, options = case
    result = metric.fold(
        statistics(metric, partitions(table(DATA), np.random.default_rng(1)), **options), **options
    )
    expected = metric.compute(**DATA, **options)
    assert without_counts(result).keys() == expected.keys()
    for key, value in expected.items():
        assert result[key] == pytest.approx(value, rel=1e-12, abs=1e-12, nan_ok=True), key
        assert type(result[key]) is type(value), key
    assert (result["n_items"], result["n_skipped"]) == (N_ITEMS, 0)


def test_neither_order_nor_partitions_nor_sums_of_sums_change_a_digit(case):
    """The result, its bounds and its signature are the same, to the last bit."""
    metric, options = case
    options = options | {"confidence_level": 0.9, "n_resamples": N_RESAMPLES, "signature": True}
    rng = np.random.default_rng(2)
    whole = metric.fold(statistics(metric, [table(DATA)], **options), **options)
    parts = statistics(metric, partitions(table(DATA), rng), **options)
    sums = [metric.sum_statistics(parts[:k], **options) for k in range(len(parts))]
    first, second, rest = parts[:2], parts[2:5], parts[5:]
    ways = [
        parts,
        [metric.sum_statistics(parts, **options)],
        [
            metric.sum_statistics([sums[2], *second], **options),
            metric.sum_statistics(rest, **options),
        ],
        [*rest, metric.sum_statistics(second, **options), *first],
        [pa.Table.from_batches([sums[2], metric.sum_statistics(second, **options)]), *rest],
    ]
    for batches in ways:
        assert repr(metric.fold(iter(batches), **options)) == repr(whole)


def test_statistics_of_an_item_do_not_depend_on_its_batch(case):
    metric, options = case
    rows = table(DATA)
    whole = pa.Table.from_batches(statistics(metric, [rows], **options))
    parts = [rows.slice(first, 7) for first in range(0, N_ITEMS, 7)] + [rows.slice(N_ITEMS)]
    cut = pa.Table.from_batches(statistics(metric, parts, **options)).combine_chunks()
    assert str(cut.to_pydict()) == str(whole.to_pydict())
    assert cut.schema == whole.schema
    assert metric.batch_statistics(rows[:0], item="id", **options).schema == whole.schema


IDS = [(number * 37) % 1001 - 500 for number in range(N_ITEMS)]


@lru_cache  # the same for each case
def drawn_rows(resample):
    """Rows of one corpus, each as often as the weight of its id says for seed 3."""
    return [
        row
        for row, number in enumerate(IDS)
        for _ in range(poisson_weight(3, resample, number, PIECES_OF_WEIGHT))
    ]


def test_bounds_are_those_of_corpora_that_are_really_drawn(case):
    """The oracle: each item is in a corpus as often as its weight says; `compute` scores it."""
    metric, options = case
    scores = {}
    for resample in range(N_RESAMPLES):
        chosen = drawn_rows(resample)
        drawn = {name: [column[row] for row in chosen] for name, column in DATA.items()}
        for key, value in metric.compute(**drawn, **options).items():
            scores.setdefault(key, []).append(value)
    resampling = {"confidence_level": 0.8, "n_resamples": N_RESAMPLES, "seed": 3}
    parts = partitions(table(DATA, IDS), np.random.default_rng(4))
    found = metric.fold(statistics(metric, parts, **options), **options, **resampling)
    bounded = [key for key in scores if f"{key}_low" in found]
    assert bounded
    for key in bounded:
        defined = [score for score in scores[key] if not math.isnan(score)]
        assert [found[f"{key}_low"], found[f"{key}_high"]] == pytest.approx(
            np.percentile(defined, [10, 90]), abs=1e-12
        )


def test_tokens_fold_as_in_compute(metric):
    predictions = [text.split() for text in DATA["predictions"]]
    references = [texts[0].split() for texts in DATA["references"]]
    data = {"predictions": predictions, "references": [[some, some[1:]] for some in references]}
    parts = statistics(metric, partitions(table(data), np.random.default_rng(5)))
    result = without_counts(metric.fold(parts, signature=True))
    expected = metric.compute(**data, signature=True)
    assert "tok:given" in expected["signature"]
    assert result.pop("signature") == expected.pop("signature")
    for key, value in expected.items():
        assert result[key] == pytest.approx(value, rel=1e-12)


def test_a_resample_without_items_has_no_score(rouge_full, bleu_full):
    """One item has weight 0 in more than a third of the resamples; they are left out."""
    one = table({"predictions": ["a b c d"], "references": ["a b c d"]}, [5])
    options = {"confidence_level": 0.9, "n_resamples": 50}
    for metric, key in ((rouge_full, "rouge1"), (bleu_full, "bleu")):
        result = metric.fold(metric.batch_statistics(one, item="id"), **options)
        assert [result[key], result[f"{key}_low"], result[f"{key}_high"]] == [1.0, 1.0, 1.0]


def test_sums_can_be_added_up_by_a_database(metric):
    """As Spark does it: grouped by resample, in any order, also if a part has no items."""
    options = {"confidence_level": 0.9, "n_resamples": 10, "signature": True}
    gap = table({"predictions": [None], "references": [["a"]]})
    parts = [
        metric.batch_statistics(rows, item="id", missing="skip")
        for rows in (table(DATA)[:20], gap.cast(table(DATA).schema), table(DATA)[20:])
    ]
    sums = pa.Table.from_batches([metric.sum_statistics(part, **options) for part in parts])
    how = {"fewest_references": "min", "most_references": "max", "seed": "max"}
    names = [name for name in sums.schema.names if name != "resample"]
    grouped = sums.group_by("resample").aggregate([(name, how.get(name, "sum")) for name in names])
    renamed = {f"{name}_{how.get(name, 'sum')}": name for name in names}
    grouped = grouped.rename_columns([renamed.get(name, name) for name in grouped.schema.names])
    shuffled = grouped.take(np.random.default_rng(0).permutation(11))
    expected = metric.fold(parts, **options)
    assert repr(metric.fold(shuffled, **options)) == repr(expected)
    assert expected["n_skipped"] == 1
    assert "|refs:1-3" in expected["signature"]


def test_many_items_are_summed_some_at_a_time(metric, monkeypatch):
    """In blocks of weights, which change nothing."""
    options = {"confidence_level": 0.9, "n_resamples": 10}
    some = metric.batch_statistics(table(DATA), item="id")
    expected = metric.sum_statistics(some, **options)
    module = module_of(metric, "streaming")
    monkeypatch.setattr(module, "_MAX_BLOCK_WEIGHTS", 31)
    assert metric.sum_statistics(some, **options) == expected


def test_a_billion_items(metric):
    """Sums of 2^30 times the same item: those of one item, added to themselves 30 times."""
    pair = {"predictions": ["a b c d e"], "references": ["a b c d"]}
    output = {"output": OUTPUT[metric.name]}
    sums = metric.sum_statistics(metric.batch_statistics(table(pair)))
    for _ in range(30):
        sums = metric.sum_statistics([sums, sums])
    result = metric.fold(sums, **output)
    assert result["n_items"] == 2**30
    assert without_counts(result) == metric.compute(**pair, **output)
    four = metric.sum_statistics([sums] * 4)
    with pytest.raises(ValueError, match="batches must have at most 4294967296 examples"):
        metric.sum_statistics([four, sums])


def test_resamples_have_no_more_items_than_a_corpus_may(metric):
    """Each has its own number of items, so the largest one counts."""
    weights = [poisson_weight(0, resample, 5, PIECES_OF_WEIGHT) for resample in range(9)]
    assert min(weights) == 0 < 2 <= max(weights)
    options = {"confidence_level": 0.9, "n_resamples": len(weights), "seed": 0}
    one = table({"predictions": ["a b c d e"], "references": ["a b c d"]}, [5])
    sums = metric.sum_statistics(metric.batch_statistics(one, item="id", **options), **options)
    n_items = 1
    while 2 * n_items * max(weights) <= 2**32:
        sums, n_items = metric.sum_statistics([sums, sums], **options), 2 * n_items
    with pytest.raises(ValueError, match=f"got {2 * n_items * max(weights)}$"):
        metric.sum_statistics([sums, sums], **options)


OUTPUT = {"rouge_full": "fmeasure", "bleu_full": "score"}


def test_rows_that_are_skipped_are_counted(metric):
    gaps = {"predictions": ["a b", None, "c", "d"], "references": [["a b"], ["x"], [], ["d", None]]}
    rows = table(gaps)
    some = metric.batch_statistics(rows, item="id", missing="skip")
    assert some.num_rows == 4
    assert some.column("n_references").to_pylist() == [1, None, None, None]
    result = metric.fold([some, metric.sum_statistics(some)], output=OUTPUT[metric.name])
    alone = metric.compute(predictions=["a b"], references=[["a b"]], output=OUTPUT[metric.name])
    assert without_counts(result) == alone
    assert (result["n_items"], result["n_skipped"]) == (2, 6)
    message = "^batches have no scored examples, and 3 skipped ones: there is nothing to"
    with pytest.raises(ValueError, match=message):
        metric.fold(some.slice(1))
