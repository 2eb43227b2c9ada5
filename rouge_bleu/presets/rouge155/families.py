"""The families of rouge types as the Perl script ROUGE-1.5.5 and rouge-metric's PyRouge count them.

* L is the summary-level LCS: the union of the LCS of sentences, clipped by unigram counts.
* W counts runs of matched positions of the reference, and applies the weight twice to its length.
* SU does not count the last token of a text as a unigram.
* With several references, the one with the highest recall counts, or all are pooled:
  each family adds that recall to its counts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from ..._rouge.scores import quotient
from ...arrays import powers, sums_of_groups
from ...kernels.skip_bigrams import skip_bigram_totals
from ...kernels.union_lcs import union_lcs_mask
from ...kernels.weighted_lcs import weighted_lcs_mask
from ...rouge_types import (
    LCS,
    NGRAMS,
    SKIP_BIGRAMS,
    SKIP_BIGRAMS_AND_UNIGRAMS,
    SUMMARY_LCS,
    WEIGHTED_LCS,
    table,
)
from ...rouge_types.family import Columns, Family, Measure, Pair, Positions
from ...rouge_types.ngrams import rouge_n
from ...rouge_types.skip_bigrams import matches_of_pairs, rouge_s, united
from ...rouge_types.summary_lcs import rouge_lsum
from ...rouge_types.weighted_lcs import weighted_lcs_pairs, weights_up_to
from ...tokens import UNSHARED, Sentences
from .averages import rounded
from .pairs import Rouge155Pairs, clipped_counts

# --- N, S, SU -------------------------------------------------------------------------------------


def _with_choice(family: Family) -> Family:
    """Return a family that adds the recall that chooses the best reference."""

    def of_columns(measure: Measure, pairs: Rouge155Pairs) -> Columns:
        matches, _, *totals = family.of_columns(measure, pairs)
        choice = quotient(matches, totals[1])
        return matches, matches, *totals, rounded(choice) if pairs.is_script else choice

    return replace(family, of_few=None, of_columns=of_columns)


def _pairs_and_unigrams(measure: Measure, pairs: Rouge155Pairs) -> Columns:
    shared, sides = pairs.shared, []
    for side in shared.sides:  # unigrams, except the last token of each text
        ids = side.ids.values.copy()
        ids[side.ids.offsets[1:][side.ids.lengths > 0] - 1] = UNSHARED
        sides.append(ids)
    n_common = clipped_counts(sides[0], sides[1], shared.n_ids)
    unigrams = sums_of_groups(n_common, shared.item_of_id, shared.n_items)
    matches = pairs.once(matches_of_pairs, measure.max_skip) + unigrams
    lengths = (side.ids.lengths for side in shared.sides)
    totals = (skip_bigram_totals(n, measure.max_skip) + np.maximum(n - 1, 0) for n in lengths)
    return matches, matches, *totals


def _positions_of_su(measure: Measure, pair: Pair) -> Positions:
    (prediction,), (reference,) = (text or [[]] for text in pair)
    of_pairs = rouge_s(prediction, reference, measure.max_skip)
    return united(of_pairs[1:], rouge_n(prediction[:-1], reference[:-1], 1)[1:])


_SU = replace(SKIP_BIGRAMS_AND_UNIGRAMS, of_columns=_pairs_and_unigrams, positions=_positions_of_su)

# --- L --------------------------------------------------------------------------------------------


def _lcs_hits(pairs: Rouge155Pairs) -> np.ndarray:
    """Return the hits of L, ndarray of int64, shape (n_pairs,)."""
    tokens, (token_number, n_allowed) = pairs.shared_sentences, pairs.allowed_hits
    position = np.flatnonzero(union_lcs_mask(tokens))
    marked = token_number[position]
    hits = np.minimum(np.bincount(marked, minlength=len(n_allowed)), n_allowed)
    pair_of_number = np.zeros(len(hits), dtype=np.int64)
    pair_of_number[marked] = tokens.reference.ids.row_of_value[position]
    return sums_of_groups(hits, pair_of_number, tokens.n_items)


def _lcs_of_columns(measure: Measure, pairs: Rouge155Pairs) -> Columns:
    # The script takes the length of the prediction from the other reader.
    ours, theirs = pairs.shared.prediction.ids, pairs.shared_sentences.reference.ids
    hits = pairs.once(_lcs_hits)
    return hits, hits, ours.lengths, theirs.lengths, quotient(hits, theirs.lengths)


def _lcs_positions(measure: Measure, pair: Pair, most: Callable[[Any], int]) -> Positions:
    return rouge_lsum(*pair, most)[1:]


def _lcs(family: Family) -> Family:
    return replace(
        family,
        of_sentences=True,
        of_few=None,
        of_columns=_lcs_of_columns,
        positions=_lcs_positions,
    )


# --- W --------------------------------------------------------------------------------------------


def _weighted_of_columns(measure: Measure, pairs: Rouge155Pairs) -> Columns:
    """Return the counts of W; only rouge-metric has no inverse of the weights in the choice."""
    weight = measure.weight
    tokens, reference = pairs.shared_sentences, pairs.shared_sentences.reference
    all_sides = (*pairs.shared.sides, *tokens.sides)
    longest = max(int(side.ids.lengths.max(initial=0)) for side in all_sides)
    f = powers(np.arange(longest + 1.0), weight)
    sentences = Sentences.of_tokens(reference)

    def sums_of_runs(pair: np.ndarray, length: np.ndarray) -> np.ndarray:
        return np.bincount(pair, weights=f[length], minlength=tokens.n_items)

    base = sums_of_runs(sentences.text, sentences.place.lengths)
    matches = sums_of_runs(*_hit_runs(pairs, weighted_lcs_mask(tokens, f)))
    with np.errstate(over="ignore"):  # as in Perl, overflow gives infinity
        reference_total = powers(base, weight)
        choice = quotient(matches, base if pairs.is_script else reference_total)
    if pairs.is_script:
        choice = powers(choice, 1.0 / weight)
    prediction_total = f[pairs.shared.prediction.ids.lengths]
    return matches, matches, prediction_total, reference_total, choice


def _hit_runs(pairs: Rouge155Pairs, is_marked: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the pair and the length of each run of hits, in order.

    A marked position is a hit until its token has no hits left. A run ends at a hit that no
    marked position follows directly; an unfinished run at the end of its sentence is lost.
    """
    reference = pairs.shared_sentences.reference
    hit = _hits(pairs, is_marked)
    sentence = reference.sentence
    is_followed = np.zeros(len(is_marked), dtype=bool)
    is_followed[:-1] = is_marked[1:] & (sentence[1:] == sentence[:-1])
    end = np.flatnonzero(~is_followed[hit])
    # A run holds the hits of its sentence since the last end, or since its beginning.
    first_of_sentence = np.searchsorted(sentence[hit], sentence[hit[end]])
    after_last_end = np.concatenate([[0], end[:-1] + 1])[: len(end)]
    start = np.maximum(after_last_end, first_of_sentence)
    return reference.ids.row_of_value[hit[end]], end + 1 - start


def _hits(pairs: Rouge155Pairs, is_marked: np.ndarray) -> np.ndarray:
    """Return the marked positions that are hits, ascending: the first ones of each token."""
    token_number, n_allowed = pairs.allowed_hits
    marked = np.flatnonzero(is_marked)
    number = token_number[marked]
    n_marked = np.bincount(number, minlength=len(n_allowed))
    # If a token has too many marked positions, the last ones are not hits.
    crowded = np.flatnonzero((n_marked > n_allowed)[number])
    order = np.argsort(number[crowded], kind="stable")
    ascending = number[crowded][order]
    occurrence = np.zeros(len(marked), dtype=np.int64)
    occurrence[crowded[order]] = np.arange(len(crowded)) - np.searchsorted(ascending, ascending)
    return marked[occurrence < n_allowed[number]]


def _weighted_positions(measure: Measure, pair: Pair, most: Callable[[Any], int]) -> Positions:
    longest = max(sum(map(len, text)) for text in pair)
    pairs = partial(weighted_lcs_pairs, f=weights_up_to(longest, measure.weight))
    return rouge_lsum(*pair, most, pairs)[1:]


_W = replace(
    WEIGHTED_LCS,
    of_sentences=True,
    of_few=None,
    of_columns=_weighted_of_columns,
    positions=_weighted_positions,
    least_weight=0.0,
)

ROUGE_155_FAMILIES = table(
    *map(_with_choice, (NGRAMS, SKIP_BIGRAMS, _SU)), _lcs(LCS), _lcs(SUMMARY_LCS), _W
)
