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
    weighted_lcs_positions,
    weighted_lcs_way,
    wlcs_score,
)
from rouge_bleu.kernels.lcs.lengths import lcs_lengths
from rouge_bleu.kernels.lcs.union import union_lcs_lengths
from rouge_bleu.kernels.wlcs import lanes, steps_back, tables, way_back
from rouge_bleu.kernels.wlcs import scores as weighted_lcs
from rouge_bleu.kernels.wlcs.scores import wlcs_scores
from rouge_bleu.kernels.wlcs.way_back import weighted_lcs_mask, weighted_lcs_partners

WEIGHTS = (1.2, 2.0)


# Each corpus and what is expected in it are made once, and compared under every limit.


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
    ("limit", "value"),
    [
        ("_MAX_WLCS_CELLS", weighted_lcs._MAX_WLCS_CELLS),
        ("_MAX_WLCS_CELLS", 200),
        ("_MAX_WLCS_CELLS", 1),
        # With few matches listed at once, a table is walked through in bands of anti-diagonals.
        ("MAX_MATCHES", 30),
    ],
)
@pytest.mark.parametrize("weight", WEIGHTS)
@pytest.mark.parametrize("n_types", [1, 3, 40])
def test_wlcs_scores(monkeypatch, n_types, weight, limit, value):
    """The oracle adds f(k + 1) - f(k) for each token, the kernel f(k) for each run: sums of at most
    129 terms, so equal to some 1e-14.
    """
    monkeypatch.setattr(weighted_lcs, limit, value)
    sides, expected = pairs_and_expected(n_types, weight)
    scores = wlcs_scores(as_shared(*sides), weight)
    np.testing.assert_allclose(scores, expected, rtol=1e-12, atol=0)


def test_common_tails_have_no_table(monkeypatch):
    """Equal texts of 50 tokens; a tail of 20, its first token behind one that the other side lacks."""
    sizes = []
    walk = weighted_lcs.walk
    monkeypatch.setattr(
        weighted_lcs,
        "walk",
        lambda tables, *rest: (
            sizes.append((tables.n_rows, tables.n_columns)) or walk(tables, *rest)
        ),
    )
    up = list(range(50))
    predictions, references = [up, [1, 2, 90, *up[30:]]], [up, [2, 1, 91, *up[30:]]]
    shared = as_shared([[p] for p in predictions], [[r] for r in references])
    assert wlcs_scores(shared, 2.0).tolist() == [50**2, 1 + 20**2]
    assert sizes == [(3, 3)]


@lru_cache
def expected_ways(n_types, weight):
    """Which tokens sentence with sentence takes, and the partners of each token of whole texts."""
    f, mask, partners, first = powers(weight), [], [], 0
    for prediction, reference in zip(*documents_of_vocabulary(n_types), strict=True):
        for sentence in reference:
            ways = (weighted_lcs_positions(partner, sentence, f) for partner in prediction)
            taken = set().union(*ways)
            mask += [place in taken for place in range(len(sentence))]
        way = dict(weighted_lcs_way(joined(prediction), joined(reference), f))
        partners += [
            first + way[row] if row in way else -1 for row in range(len(joined(reference)))
        ]
        first += len(joined(prediction))
    return mask, partners


@pytest.mark.parametrize(
    "limits", [{}, {"MAX_MATCHES": 20}, {"MAX_MATCHES": 3, "MAX_TABLE_CELLS": 9}], ids=str
)
@pytest.mark.parametrize(("n_types", "weight"), [(1, 1.2), (3, 0.5), (3, 30.0), (40, 1.2)])
def test_ways_back(monkeypatch, n_types, weight, limits):
    """With small limits in bands and parts. With weights of 0.5 and 30 the value of a match may be
    lost to rounding.
    """
    for name, limit in limits.items():
        for module in (lanes, steps_back, tables, way_back):
            monkeypatch.setattr(module, name, limit, raising=False)
    mask, partners = expected_ways(n_types, weight)
    documents = documents_of_vocabulary(n_types)
    assert weighted_lcs_mask(as_shared(*documents), powers(weight)).tolist() == mask
    whole = ([[joined(text)] for text in side] for side in documents)
    assert weighted_lcs_partners(as_shared(*whole), powers(weight)).tolist() == partners


def test_a_match_that_rounding_takes_away_is_not_on_the_way_back():
    """By hand: after a run of 10 the value is 10 ** 30, and 1 more is no more, so the way back goes
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
    """By hand: 2 + f(2) - f(1) against f(2) + f(1), equal but for the last digit. Added up from
    the left, as the script does, the first is 3.82842712474619, the second 3.8284271247461903.
    """
    f = np.array([k**1.5 for k in range(6)])
    assert (2 + f[2]) - f[1] < f[2] + f[1] == 2 + (f[2] - f[1])
    shared = as_shared([[[1, 1, 3, 1, 0]]], [[[1, 1, 0, 1, 2]]])
    assert weighted_lcs_mask(shared, f).nonzero()[0].tolist() == [0, 1, 3]


def sizes_of_lists(monkeypatch, module):
    """Return a list that gets how many matches the module lists each time."""
    sizes, listed = [], module.matches_of_lanes

    def noted(*arguments):
        matches = listed(*arguments)
        sizes.append(len(matches.row))
        return matches

    monkeypatch.setattr(module, "matches_of_lanes", noted)
    return sizes


def one_type_with_ends(length):
    """A prediction and a reference of one type; each ends in a token that the other one lacks."""
    return [*[1] * length, 2], [*[1] * length, 3]


def test_few_matches_are_listed_at_once(monkeypatch):
    """By hand: 1,600 matches of one pair come in 6 bands of 14 of 83 anti-diagonals, those of
    numbers 28 to 41 have 27 + ... + 40 = 469; of pairs with 144 each two fit.
    """
    for module in (weighted_lcs, steps_back, way_back):
        monkeypatch.setattr(module, "MAX_MATCHES", 300)
    prediction, reference = one_type_with_ends(40)
    sizes = sizes_of_lists(monkeypatch, weighted_lcs)
    assert wlcs_scores(as_shared([[prediction]], [[reference]]), 2.0).tolist() == [1600]
    assert (len(sizes), sum(sizes), max(sizes)) == (6, 1600, 469)
    sizes.clear()
    prediction, reference = ([[text]] * 10 for text in one_type_with_ends(12))
    assert wlcs_scores(as_shared(prediction, reference), 2.0).tolist() == [144] * 10
    assert sizes == [288] * 5


def test_few_matches_are_listed_at_once_for_the_way_back(monkeypatch):
    """By hand: the 6 bands above, the first 5 of them twice."""
    monkeypatch.setattr(way_back, "MAX_MATCHES", 300)
    monkeypatch.setattr(steps_back, "MAX_MATCHES", 300)
    prediction, reference = one_type_with_ends(40)
    sizes = sizes_of_lists(monkeypatch, steps_back)
    mask = weighted_lcs_mask(as_shared([[prediction]], [[reference]]), powers(2.0))
    assert mask.tolist() == [True] * 40 + [False]
    assert (len(sizes), max(sizes)) == (11, 469)


def test_ways_of_a_long_table_come_in_bands(monkeypatch):
    """By hand: 402 rows with row 0, so bands of at most isqrt(128 * 402) = 226 of the 803
    anti-diagonals: 4, the first 3 of them twice.
    """
    for module in (lanes, tables):
        monkeypatch.setattr(module, "MAX_TABLE_CELLS", 1)
    sizes = sizes_of_lists(monkeypatch, steps_back)
    reference = [*range(398), 398, 0, 999]
    prediction = [*range(398), 398, 0, 998]
    mask = weighted_lcs_mask(as_shared([[prediction]], [[reference]]), powers(1.2))
    assert mask.tolist() == [True] * 400 + [False]
    assert len(sizes) == 7


def test_tables_of_a_batch_have_few_rows(monkeypatch):
    """Of tables with 14 rows, row 0 and that of the last token among them, two fit into 30."""
    monkeypatch.setattr(weighted_lcs, "_MAX_WLCS_CELLS", 30)
    sizes, walk = [], weighted_lcs.walk
    monkeypatch.setattr(
        weighted_lcs,
        "walk",
        lambda tables, *rest: sizes.append(int(tables.offsets[-1])) or walk(tables, *rest),
    )
    prediction, reference = ([[text]] * 5 for text in one_type_with_ends(12))
    assert wlcs_scores(as_shared(prediction, reference), 2.0).tolist() == [144] * 5
    assert sizes == [28, 28, 14]


def test_what_some_sentences_marked_does_not_hide_what_others_mark(monkeypatch):
    """Those of one text come a few at a time; where all words are known they are left out."""
    monkeypatch.setattr(way_back, "MAX_MATCHES", 16)
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
