"""Weighted LCS against the table of Lin 2004."""

from functools import lru_cache

import numpy as np
import pytest

from helpers.kernels import (
    as_shared,
    edited_documents,
    joined,
    random_documents,
    random_pairs,
    recording,
    weighted_lcs_positions,
    wlcs_score,
)
from rouge_bleu.kernels import weighted_lcs
from rouge_bleu.kernels.lcs import lcs_lengths
from rouge_bleu.kernels.union_lcs import union_lcs_lengths
from rouge_bleu.kernels.weighted_lcs import weighted_lcs_mask, wlcs_scores

WEIGHTS = (1.2, 2.0)


# Each corpus and its expected values are made once, and compared under every limit.


@lru_cache
def pairs_and_expected(n_types, weight):
    """Texts of all edge lengths, and edited ones with the same tail of 0 to 30 tokens behind both."""
    rng = np.random.default_rng(n_types)
    predictions, references = random_pairs(rng, n_types, n_short=40)
    tails = [rng.integers(0, n_types, length).tolist() for length in rng.integers(0, 30, 30)]
    for prediction, reference, tail in zip(*edited_documents(rng, n_types, 30), tails, strict=True):
        predictions.append([[*joined(prediction), *tail]])
        references.append([[*joined(reference), *tail]])
    pairs = zip(predictions, references, strict=True)
    return (predictions, references), [wlcs_score(joined(p), joined(r), weight) for p, r in pairs]


@lru_cache
def documents_of_vocabulary(n_types):
    rng = np.random.default_rng(n_types)
    predictions, references = random_documents(rng, n_types, 15)
    edges = random_pairs(rng, n_types, max_sentences=2, n_short=0)
    return predictions + edges[0][:5], references + edges[1][:5]


def powers(weight):
    return np.array([float(k) ** weight for k in range(1000)])


@pytest.mark.parametrize(
    "limits",
    [
        {},
        {"_MAX_ROWS": 200},
        {"_MAX_ROWS": 1},
        {"_MAX_ROWS": 1, "_MAX_MATCHES_OF_TABLE": 0},  # each table on its own, dense
    ],
    ids=str,
)
@pytest.mark.parametrize("weight", WEIGHTS)
@pytest.mark.parametrize("n_types", [1, 3, 40])
def test_wlcs_scores(monkeypatch, n_types, weight, limits):
    """The oracle adds f(k + 1) - f(k) for each token, the kernel f(k) for each run: sums of at most
    129 terms, so equal to some 1e-14. Batches and dense tables change no bit.
    """
    sides, expected = pairs_and_expected(n_types, weight)
    by_default = wlcs_scores(as_shared(*sides), weight)
    for name, limit in limits.items():
        monkeypatch.setattr(weighted_lcs, name, limit)
    taken, name = set(), "_filled_long_table"
    monkeypatch.setattr(weighted_lcs, name, recording(getattr(weighted_lcs, name), name, taken))
    scores = wlcs_scores(as_shared(*sides), weight)
    assert bool(taken) == ("_MAX_MATCHES_OF_TABLE" in limits)
    np.testing.assert_allclose(scores, expected, rtol=1e-12, atol=0)
    assert scores.tolist() == by_default.tolist()


@pytest.fixture
def tables_of_batches(monkeypatch):
    """Rows and columns of the tables that are filled together, batch by batch."""
    sizes, kernel = [], weighted_lcs._scores_of_tables

    def recorded(rows, columns, f):
        sizes.append(list(zip(rows.lengths, columns.lengths, strict=True)))
        return kernel(rows, columns, f)

    monkeypatch.setattr(weighted_lcs, "_scores_of_tables", recorded)
    return sizes


def test_common_tails_have_no_table(tables_of_batches):
    """Equal texts of 50 tokens; a tail of 20, its first token behind one that the other side lacks."""
    up = list(range(50))
    predictions, references = [up, [1, 2, 90, *up[30:]]], [up, [2, 1, 91, *up[30:]]]
    shared = as_shared([[p] for p in predictions], [[r] for r in references])
    assert wlcs_scores(shared, 2.0).tolist() == [50**2, 1 + 20**2]
    assert tables_of_batches == [[(3, 3)]]


@lru_cache
def expected_tracebacks(n_types, weight):
    """Which tokens sentence with sentence takes, and those that whole texts take."""
    f, mask, mask_of_texts = powers(weight), [], []
    for prediction, reference in zip(*documents_of_vocabulary(n_types), strict=True):
        for sentence in reference:
            ways = (weighted_lcs_positions(partner, sentence, f) for partner in prediction)
            taken = set().union(*ways)
            mask += [place in taken for place in range(len(sentence))]
        whole = joined(prediction), joined(reference)
        taken = weighted_lcs_positions(*whole, f)
        mask_of_texts += [place in taken for place in range(len(whole[1]))]
    return mask, mask_of_texts


@pytest.mark.parametrize(
    "limits",
    [
        {},
        {"_MAX_MATCHES": 20, "_MAX_CELLS": 300},
        {"_MAX_MATCHES": 20, "_MAX_CELLS": 9, "_MAX_CELLS_OF_TABLE": 9},
        {"_MAX_MATCHES": 3, "_MAX_MATCHES_OF_TABLE": 3, "_MAX_CELLS": 9},
    ],
    ids=str,
)
@pytest.mark.parametrize(("n_types", "weight"), [(1, 1.2), (3, 0.5), (3, 30.0), (40, 1.2)])
def test_tracebacks(monkeypatch, n_types, weight, limits):
    """With small limits in parts, and on dense tables. With weights of 0.5 and 30 the value of
    a match may be lost to rounding.
    """
    for name, limit in limits.items():
        monkeypatch.setattr(weighted_lcs, name, limit)
    mask, mask_of_texts = expected_tracebacks(n_types, weight)
    documents = documents_of_vocabulary(n_types)
    assert weighted_lcs_mask(as_shared(*documents), powers(weight)).tolist() == mask
    whole = ([[joined(text)] for text in side] for side in documents)
    assert weighted_lcs_mask(as_shared(*whole), powers(weight)).tolist() == mask_of_texts


def test_a_match_that_rounding_takes_away_is_not_on_the_traceback():
    """By hand: after a run of 10 the value is 10 ** 30, and 1 more is no more, so the traceback goes
    up past the last match; with weight 1.2 it is taken.
    """
    reference, prediction = [*range(10), 20, 10, 22], [*range(10), 21, 10, 23]
    taken = {}
    for weight in (1.2, 30.0):
        f = np.array([float(k) ** weight for k in range(20)])
        mask = weighted_lcs_mask(as_shared([[prediction]], [[reference]]), f)
        taken[weight] = np.flatnonzero(mask).tolist()
        assert set(taken[weight]) == weighted_lcs_positions(prediction, reference, f)
    assert taken == {1.2: [*range(10), 11], 30.0: list(range(10))}


def test_near_ties_are_decided_by_the_order_of_the_perl_script():
    """By hand: 2 + f(2) - f(1) against f(2) + f(1), equal except the last digit. Added up from
    the left, as the script does, the first is 3.82842712474619, the second 3.8284271247461903.
    """
    f = np.array([k**1.5 for k in range(6)])
    assert (2 + f[2]) - f[1] < f[2] + f[1] == 2 + (f[2] - f[1])
    shared = as_shared([[[1, 1, 3, 1, 0]]], [[[1, 1, 0, 1, 2]]])
    assert weighted_lcs_mask(shared, f).nonzero()[0].tolist() == [0, 1, 3]


def one_type_with_ends(length):
    """A prediction and a reference of one type; each ends in a token that the other one lacks."""
    return [*[1] * length, 2], [*[1] * length, 3]


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
    prediction, reference = ([[text]] * 10 for text in one_type_with_ends(12))
    assert wlcs_scores(as_shared(prediction, reference), 2.0).tolist() == [144] * 10
    assert list(map(len, tables_of_batches)) == n_of_batches


def test_a_long_table_has_the_traceback_of_others(monkeypatch):
    """By hand: all but the last token of the reference, which the prediction lacks."""
    tables, fill = [], weighted_lcs._filled_long_table
    monkeypatch.setattr(weighted_lcs, "_MAX_CELLS", 1)
    monkeypatch.setattr(weighted_lcs, "_MAX_CELLS_OF_TABLE", 1)
    monkeypatch.setattr(
        weighted_lcs,
        "_filled_long_table",
        lambda rows, columns, *rest: (
            tables.append((len(rows), len(columns))) or fill(rows, columns, *rest)
        ),
    )
    reference = [*range(398), 398, 0, 999]
    prediction = [*range(398), 398, 0, 998]
    mask = weighted_lcs_mask(as_shared([[prediction]], [[reference]]), powers(1.2))
    assert mask.tolist() == [True] * 400 + [False]
    assert tables == [(401, 401)]


def test_what_some_sentences_marked_does_not_hide_what_others_mark(monkeypatch):
    """Those of one text come a few at a time."""
    monkeypatch.setattr(weighted_lcs, "_MAX_MATCHES", 16)
    prediction, reference = [*[[1, 2]] * 20, [3, 9], [4]], [[1, 2, 3, 4]]
    assert weighted_lcs_mask(as_shared([prediction], [reference]), powers(1.2)).all()


def test_wlcs_score_of_a_long_pair():
    """20,000 distinct tokens of which the prediction has every tenth wrong: 2,000 runs of 9."""
    up = np.arange(20_000)
    prediction = np.where(up % 10 == 9, up + 20_000, up)
    scores = wlcs_scores(as_shared([[prediction.tolist()]], [[up.tolist()]]), 1.2)
    np.testing.assert_allclose(scores, 2_000 * 9.0**1.2, rtol=1e-12)


def test_no_items_and_no_tokens():
    for kernel in (lcs_lengths, union_lcs_lengths, lambda tokens: wlcs_scores(tokens, 1.2)):
        assert kernel(as_shared([], [])).tolist() == []
        empty = [[], [[]], [[1, 2]], [[3], []], [[1]]]
        other = [[], [[5]], [[]], [[4, 5]], [[2]]]
        assert kernel(as_shared(empty, other)).tolist() == [0, 0, 0, 0, 0]
