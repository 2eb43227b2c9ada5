"""Weighted LCS: the definition against the table of Lin 2004, columns on every path against it."""

from functools import lru_cache, partial
from itertools import pairwise
from unittest import mock

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from helpers.kernels import (
    as_pairs,
    as_shared,
    edited_documents,
    joined,
    random_documents,
    random_pairs,
    record,
    together,
    weighted_lcs_positions,
)
from helpers.plainer import tokens
from rouge_bleu import plain, rouge
from rouge_bleu.kernels import weighted_lcs
from rouge_bleu.kernels.weighted_lcs import weighted_lcs_mask, weighted_lcs_matches
from rouge_bleu.rouge_types import weighted_lcs as definition

# Its table is one of bits.
LONG = np.random.default_rng(7).choice([*"abcd"], size=(2, 1100)).tolist()


@given(tokens, tokens, st.sampled_from([1.0, 1.2, 2.0, 13.7]))
@example(*LONG, 1.2)
@example(*LONG, 20)
def test_weighted_subsequence(prediction, reference, weight):
    """The program of Lin 2004, section 4, with the same c and w; and runs on the way back add up."""
    n, m = len(prediction), len(reference)
    c = [[0.0] * (m + 1) for _ in range(n + 1)]
    w = [[0] * (m + 1) for _ in range(n + 1)]
    for i in range(n):
        for j in range(m):
            if prediction[i] == reference[j]:
                k = w[i][j]
                c[i + 1][j + 1] = c[i][j] + (k + 1) ** weight - k**weight
                w[i + 1][j + 1] = k + 1
            else:
                c[i + 1][j + 1] = max(c[i][j + 1], c[i + 1][j])
    found = plain.rouge_w(prediction, reference, weight)
    assert found.matches == pytest.approx(c[n][m], rel=1e-12)
    pairs = list(zip(found.prediction, found.reference, strict=True))
    assert all(prediction[i] == reference[j] for i, j in pairs)
    # A run goes on where both positions grow by one.
    starts = [k for k, (i, j) in enumerate(pairs) if k == 0 or pairs[k - 1] != (i - 1, j - 1)]
    runs = [end - start for start, end in pairwise([*starts, len(pairs)])]
    assert sum(k**weight for k in runs) == pytest.approx(c[n][m], rel=1e-12)


@given(tokens, tokens, st.sampled_from([0.5, 1.2, 30.0]))
def test_large_weighted_tables(prediction, reference, weight):
    """Large tables have one bit for each cell, small ones are lists."""
    f = [float(k) ** weight for k in range(16)]
    pairs = plain.weighted_lcs_pairs(prediction, reference, f)
    with mock.patch.object(definition, "_MAX_CELLS", -1):
        assert plain.weighted_lcs_pairs(prediction, reference, f) == pairs


# Each corpus and its expected values are made once, and compared under every limit.


@lru_cache
def pairs_and_expected(n_types, weight):
    """Texts of all edge lengths, and edited ones with the same tail of 0 to 30 tokens behind both."""
    rng = np.random.default_rng(n_types)
    tails = [rng.integers(0, n_types, length).tolist() for length in rng.integers(0, 30, 30)]
    with_tails = (
        [[[*joined(text), *tail]] for text, tail in zip(side, tails, strict=True)]
        for side in edited_documents(rng, n_types, 30)
    )
    sides = together(random_pairs(rng, n_types, n_short=40), tuple(with_tails))
    pairs = zip(*sides, strict=True)
    return sides, [plain.rouge_w(joined(p), joined(r), weight).matches for p, r in pairs]


@lru_cache
def documents_of_vocabulary(n_types):
    rng = np.random.default_rng(n_types)
    edges = random_pairs(rng, n_types, max_sentences=2, n_short=0)
    return together(random_documents(rng, n_types, 15), tuple(side[:5] for side in edges))


def powers(weight):
    return np.array([float(k) ** weight for k in range(1000)])


DENSE = {"_MAX_MATCHES": 1}  # each table on its own


@pytest.mark.parametrize(
    "limits", [{}, {"_MAX_ROWS": 200}, {"_MAX_ROWS": 1}, DENSE], ids=["", "rows", "row", "dense"]
)
@pytest.mark.parametrize("weight", [1.2, 2.0])
@pytest.mark.parametrize("n_types", [1, 3, 40])
def test_wlcs_scores(monkeypatch, n_types, weight, limits):
    """The oracle adds f(k + 1) - f(k) for each token, the kernel f(k) for each run: sums of at most
    129 terms, so they agree to about 1e-14. Batches and dense tables change no bit.
    """
    sides, expected = pairs_and_expected(n_types, weight)
    by_default = weighted_lcs_matches(as_shared(*sides), weight)
    for name, limit in limits.items():
        monkeypatch.setattr(weighted_lcs, name, limit)
    taken = record(monkeypatch, weighted_lcs, "_fill_long_table")
    scores = weighted_lcs_matches(as_shared(*sides), weight)
    assert bool(taken) == ("_MAX_MATCHES" in limits)
    np.testing.assert_allclose(scores, expected, rtol=1e-12, atol=0)
    assert scores.tolist() == by_default.tolist()


@pytest.fixture
def tables_of_batches(monkeypatch):
    """The number of tables that are filled together, batch by batch."""
    sizes, kernel = [], weighted_lcs._last_cells_of_tables

    def recorded(rows, columns, f):
        sizes.append(rows.n_rows)
        return kernel(rows, columns, f)

    monkeypatch.setattr(weighted_lcs, "_last_cells_of_tables", recorded)
    return sizes


@lru_cache
def expected_tracebacks(n_types, weight):
    """The tokens taken sentence by sentence, and those taken from whole texts."""
    f, mask, mask_of_texts = powers(weight), [], []
    for prediction, reference in zip(*documents_of_vocabulary(n_types), strict=True):
        for sentence in reference:
            taken = set().union(*(weighted_lcs_positions(p, sentence, f) for p in prediction))
            mask += [place in taken for place in range(len(sentence))]
        whole = joined(reference)
        taken = weighted_lcs_positions(joined(prediction), whole, f)
        mask_of_texts += [place in taken for place in range(len(whole))]
    return mask, mask_of_texts


@pytest.mark.parametrize(
    "limits",
    [
        {},
        {"_MAX_MATCHES": 20, "_MAX_CELLS": 300},
        {"_MAX_MATCHES": 20, "_MAX_CELLS": 9, "_MAX_CELLS_OF_TABLE": 9},
        {"_MAX_MATCHES": 1, "_MAX_CELLS": 9},
    ],
    ids=["default", "matches", "cells", "tables"],
)
@pytest.mark.parametrize(("n_types", "weight"), [(1, 1.2), (3, 0.5), (3, 30.0), (40, 1.2)])
def test_tracebacks(monkeypatch, n_types, weight, limits):
    """With small limits in parts, and on dense tables. With weights of 0.5 and 30 the value of
    a match may be lost to rounding.
    """
    for name, limit in limits.items():
        monkeypatch.setattr(weighted_lcs, name, limit)
    taken = record(monkeypatch, weighted_lcs, "_fill_long_table")
    mask, mask_of_texts = expected_tracebacks(n_types, weight)
    documents = documents_of_vocabulary(n_types)
    assert weighted_lcs_mask(as_shared(*documents), powers(weight)).tolist() == mask
    whole = as_pairs(*(map(joined, side) for side in documents))
    assert weighted_lcs_mask(whole, powers(weight)).tolist() == mask_of_texts
    assert bool(taken) == bool(limits)


# Prediction, reference, weight and the positions that are taken, by hand.
RUN = ([*range(10), 21, 10, 23], [*range(10), 20, 10, 22])
TRACEBACKS = [
    # After a run of 10 the value is 10 ** 30, and 1 more is no more, so the traceback goes up past
    # the last match; with weight 1.2 it is taken.
    (*RUN, 1.2, [*range(10), 11]),
    (*RUN, 30.0, [*range(10)]),
    # 2 + f(2) - f(1) against f(2) + f(1), equal except the last digit. Added up from the left, as
    # ROUGE-1.5.5.pl does, the first is 3.82842712474619, the second 3.8284271247461903.
    ([1, 1, 3, 1, 0], [1, 1, 0, 1, 2], 1.5, [0, 1, 3]),
]


@pytest.mark.parametrize(("prediction", "reference", "weight", "taken"), TRACEBACKS)
def test_rounding_decides_as_in_the_perl_script(prediction, reference, weight, taken):
    f = powers(weight)
    mask = weighted_lcs_mask(as_pairs([prediction], [reference]), f)
    assert np.flatnonzero(mask).tolist() == taken
    assert weighted_lcs_positions(prediction, reference, f) == {*taken}


# Prediction, reference, and the pairs on the traceback, by hand. It leaves the table at the first row or
# column; the tokens left there equal the last ones of the other text.
LEFT_OVER = [
    ([1, 2], [2, 1, 2], [(0, 1), (1, 2)]),
    ([2, 1, 2], [1, 2], [(1, 0), (2, 1)]),
    ([1, 2, 3], [3, 2, 1], [(2, 0)]),  # each is worth 1: those of the reference are left out first
    ([3, 1, 2], [2, 1, 3, 1], [(0, 2), (1, 3)]),
    ([1], [1, 1], [(0, 1)]),
    ([1, 1], [1], [(1, 0)]),
]


@pytest.mark.parametrize("limits", [{}, DENSE], ids=["together", "dense"])
def test_tracebacks_that_leave_tokens_of_one_text(monkeypatch, limits):
    for name, limit in limits.items():
        monkeypatch.setattr(weighted_lcs, name, limit)
    predictions, references, pairs = map(list, zip(*LEFT_OVER, strict=True))
    f = powers(1.2)
    assert list(map(partial(plain.weighted_lcs_pairs, f=f), predictions, references)) == pairs
    mask = weighted_lcs_mask(as_pairs(predictions, references), f)
    of_references = np.split(mask, np.cumsum(list(map(len, references)))[:-1])
    taken = [np.flatnonzero(part).tolist() for part in of_references]
    assert taken == [[j for _, j in own] for own in pairs]


@pytest.mark.parametrize(
    ("limit", "value", "n_of_batches"),
    [("_MAX_MATCHES", 300, [2] * 5), ("_MAX_ROWS", 30, [2] * 5), ("_MAX_ROWS", 50, [3, 3, 3, 1])],
)
def test_batches_have_few_matches_and_rows(
    monkeypatch, tables_of_batches, limit, value, n_of_batches
):
    """By hand: 10 tables have 144 matches each and 14 rows, row 0 and that of the last token among
    them.
    """
    monkeypatch.setattr(weighted_lcs, limit, value)
    shared = as_pairs([[*[1] * 12, 2]] * 10, [[*[1] * 12, 3]] * 10)
    assert weighted_lcs_matches(shared, 2.0).tolist() == [144] * 10
    assert tables_of_batches == n_of_batches


def test_marks_of_one_batch_do_not_hide_those_of_another(monkeypatch):
    """Those of one text come a few at a time."""
    monkeypatch.setattr(weighted_lcs, "_MAX_MATCHES", 16)
    prediction, reference = [*[[1, 2]] * 20, [3, 9], [4]], [[1, 2, 3, 4]]
    assert weighted_lcs_mask(as_shared([prediction], [reference]), powers(1.2)).all()


TAIL = " ".join(f"t{k}" for k in range(300))
# Options, prediction, reference and F of tables with too many matches to list them. Ids of the common
# end, which the rows lack, do not fit into the integers of the ids of the rows.
LONG_TABLES = [
    # A loop over the cells of Lin 2004, section 4: 2388.740393359569 of 1750 and 3200 tokens.
    ({}, "a " * 1450 + TAIL, "a t255 " * 1450 + TAIL, 0.2639766975126081),
    # rouge-metric 1.0.1.
    (
        {"preset": "pyrouge-metric", "output": "fmeasure"},
        *("a t255 " * 3000 + TAIL, "a " * 4000 + "\n" + TAIL, 0.22349182556125805),
    ),
]


@pytest.mark.parametrize(("options", "prediction", "reference", "expected"), LONG_TABLES)
def test_ids_of_long_weighted_tables(options, prediction, reference, expected):
    (score,) = rouge([prediction], [reference], rouge_types=["rougeW"], **options).values()
    assert score == pytest.approx(expected, rel=1e-12)
