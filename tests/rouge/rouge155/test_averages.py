"""Averages and bounds of ROUGE-1.5.5: counted in units of the last decimal, and added up in the
order of the script where that decides the output.

The output of the script is in `test_script.py`.
"""

import numpy as np
import pytest

from helpers.rouge.rouge155_script import perl_average, perl_samples
from rouge_bleu._rouge import rouge155_averages
from rouge_bleu._rouge.options import RougeOptions
from rouge_bleu._rouge.rouge155_averages import (
    perl_confidence_bounds,
    printed_result,
    sums,
    unit_sums,
)
from rouge_bleu.options import checked_options


def options(**given):
    return checked_options(
        RougeOptions, {"preset": "rouge-1.5.5", "rouge_types": ["rouge1"], **given}
    )


def counts(matches, total):
    """Return the counts of documents of one type whose precision is their recall."""
    return np.array([[matches], [matches], [total], [total]], dtype=np.float64)


def random_counts(seed, n_documents, largest=9):
    rng = np.random.default_rng(seed)
    total = rng.integers(1, largest + 1, n_documents)
    return counts(rng.integers(0, total + 1), total)


def bounds_and_averages(n_documents, seed):
    """With 40 resamples bounds lie on means, with 41 between two of them."""
    result = printed_result(
        random_counts(seed, n_documents), options(n_resamples=40 + seed % 2, confidence_level=0.9)
    )
    assert len(result) == 9
    return result


@pytest.mark.parametrize("n_documents", [1, 4, 16])
def test_counted_averages_and_bounds_are_those_added_up(monkeypatch, n_documents):
    fast = [bounds_and_averages(n_documents, seed) for seed in range(40)]
    # None is clear enough to be counted alone.
    monkeypatch.setattr(
        rouge155_averages, "_are_clear", lambda figures, _: np.zeros_like(figures, bool)
    )
    assert fast == [bounds_and_averages(n_documents, seed) for seed in range(40)]


@pytest.mark.parametrize("limit", [1, 7, 1 << 15])
def test_sums_of_units_are_those_of_documents_one_by_one(monkeypatch, limit):
    """Whatever is counted at once."""
    monkeypatch.setattr(rouge155_averages, "_MAX_DRAWN", limit)
    units = np.random.default_rng(0).integers(0, 100_001, (2, 7)).astype(np.float64)
    expected = [units[:, drawn].sum(axis=1).tolist() for drawn in perl_samples(7, 30)]
    assert unit_sums(units, 30).T.tolist() == expected
    assert sums(units, 30).T.tolist() == expected


def test_scores_above_what_can_be_counted_are_added_up():
    """Under a weight below 1 a score may be any number: 3 ** 20 units are beyond 2**53 / 20."""
    matches = np.random.default_rng(0).integers(0, 7, 20).astype(np.float64)
    types = ["rougeW-0.05", "rougeW-0.5"]
    rows = matches, matches, np.full(20, 2.0), np.full(20, 8.0)
    of_documents = np.stack([[row, row] for row in rows])
    for n_resamples in range(1, 20):
        given = options(rouge_types=types, n_resamples=n_resamples)
        result = printed_result(of_documents, given)
        documents = printed_result(of_documents, options(rouge_types=types, use_aggregator=False))
        for key, scores in documents.items():
            assert result[key] == perl_average(scores, n_resamples), key


def test_resamples_are_those_of_drand48():
    # perl 5.36: for $s (0..2) { srand($s); print join(" ", map { int(rand(5)) } 1..5), "\n" }
    drawn = [[0, 3, 0, 4, 2], [0, 2, 4, 1, 2], [4, 0, 2, 4, 2]]
    one_hot = np.eye(5)
    expected = [np.bincount(row, minlength=5).tolist() for row in drawn]
    assert sums(one_hot, 3).T.tolist() == expected


def test_bounds_move_by_the_fraction_of_the_upper_one():
    # r = 10, c = 95: d = 10 * 5 / 200 = 0.25, upper index 8, lower index 0, fraction 0.75 for both.
    ascending = np.arange(10.0)
    assert perl_confidence_bounds(ascending, 0.95) == (0.75, 8.75)
    # r = 1: d = 0.025, both indices 0, fraction -0.025; the value past the end is 0.
    assert perl_confidence_bounds(np.array([3.0]), 0.95) == pytest.approx((3.075, 3.075))
