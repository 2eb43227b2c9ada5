"""Pairs -> matches and totals by the conventions of the Perl script ROUGE-1.5.5.

Facts about what the script computes, found by running it; none of its code is here.
Where it leaves Lin 2004 (https://aclanthology.org/W04-1013), beside how it reads texts:

* L clips the union LCS by unigram counts. W counts runs of marked positions of the
  reference, not the value of the table, and weights the length of the reference twice.
* SU does not count the last token of a text as a unigram.
* Several references are pooled, or the one of highest recall is taken.

Python loops run over documents, for rounding.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ...ground.ragged import first_of_highest, sums_of_groups
from ...ground.tokens import ABSENT, Sentences, SharedTokens
from ...kernels.ngrams import ngram_totals
from ...kernels.skip_bigrams import skip_bigram_totals
from ...kernels.wlcs.way_back import weighted_lcs_mask
from ..measures.types import Measure
from .pairs import DocumentPairs, clipped_counts_of_ids


@dataclass(frozen=True, kw_only=True)
class DocumentCounts:
    """Matches and totals of pairs, or of documents; ndarrays of float64, shape (n,).

    Parameters
    ----------
    matches, prediction_total, reference_total : ndarray of float64
        The recall is (matches / reference_total) ** exponent.
    selection : ndarray of float64
        The recall by which the best reference is chosen.
    exponent : float
        Of the quotients: 1 / weight for W, else 1.
    """

    matches: np.ndarray
    prediction_total: np.ndarray
    reference_total: np.ndarray
    selection: np.ndarray
    exponent: float = 1.0

    @classmethod
    def concatenated(cls, parts: Sequence[DocumentCounts]) -> DocumentCounts:
        """Return the documents of all parts."""
        return cls(
            matches=np.concatenate([part.matches for part in parts]),
            prediction_total=np.concatenate([part.prediction_total for part in parts]),
            reference_total=np.concatenate([part.reference_total for part in parts]),
            selection=np.concatenate([part.selection for part in parts]),
            exponent=parts[0].exponent,
        )

    def _changed(self, change: Callable[[np.ndarray], np.ndarray]) -> DocumentCounts:
        return DocumentCounts(
            matches=change(self.matches),
            prediction_total=change(self.prediction_total),
            reference_total=change(self.reference_total),
            selection=change(self.selection),
            exponent=self.exponent,
        )

    def pooled(self, reference_offsets: np.ndarray) -> DocumentCounts:
        """-f A: sums over the references of each document."""
        starts = reference_offsets[:-1]
        return self._changed(lambda column: np.add.reduceat(column, starts))

    def best(self, reference_offsets: np.ndarray) -> DocumentCounts:
        """-f B: the first reference of highest recall."""
        chosen = first_of_highest(self.selection, reference_offsets)
        return self._changed(lambda column: column[chosen])


# --- counting -------------------------------------------------------------------------


def document_counts(pairs: DocumentPairs, measure: Measure) -> DocumentCounts:
    """Return the counts of each pair for a measure."""
    return _COUNTS_OF_FAMILY[measure.family](pairs, measure)


def _unit_counts(
    matches: np.ndarray,
    prediction_total: np.ndarray,
    reference_total: np.ndarray,
    *,
    rounds_selection: bool,
) -> DocumentCounts:
    """Return counts of units; recalls may be rounded where the best one is chosen."""
    selection = quotient(matches, reference_total)
    return DocumentCounts(
        matches=matches.astype(np.float64),
        prediction_total=prediction_total.astype(np.float64),
        reference_total=reference_total.astype(np.float64),
        selection=rounded(selection) if rounds_selection else selection,
    )


def _ngram_counts(pairs: DocumentPairs, measure: Measure) -> DocumentCounts:
    order = measure.order
    totals = [ngram_totals(side.ids.lengths, order)[-1] for side in pairs.tokens.sides]
    return _unit_counts(pairs.ngram_matches[order - 1], *totals, rounds_selection=True)


def _skip_bigram_counts_of_pairs(
    pairs: DocumentPairs, measure: Measure
) -> DocumentCounts:
    matches = pairs.skip_bigram_matches[measure.max_skip]
    totals = [
        skip_bigram_totals(side.ids.lengths, measure.max_skip)
        for side in pairs.tokens.sides
    ]
    return _unit_counts(matches, *totals, rounds_selection=True)


def _skip_bigram_and_unigram_counts(
    pairs: DocumentPairs, measure: Measure
) -> DocumentCounts:
    """The last token of a text is no unigram."""
    tokens, max_skip = pairs.tokens, measure.max_skip
    matches = pairs.skip_bigram_matches[max_skip] + _unigram_matches(tokens)
    totals = [
        skip_bigram_totals(lengths, max_skip) + np.maximum(lengths - 1, 0)
        for lengths in (side.ids.lengths for side in tokens.sides)
    ]
    return _unit_counts(matches, *totals, rounds_selection=True)


def _lcs_counts(pairs: DocumentPairs, measure: Measure) -> DocumentCounts:
    prediction_total = pairs.tokens.prediction.ids.lengths
    reference_total = pairs.lines.reference.ids.lengths
    return _unit_counts(
        pairs.lcs_matches, prediction_total, reference_total, rounds_selection=False
    )


def _wlcs_counts(pairs: DocumentPairs, measure: Measure) -> DocumentCounts:
    weight, reference = measure.weight, pairs.lines.reference
    all_sides = (*pairs.tokens.sides, *pairs.lines.sides)
    longest = int(max(side.ids.lengths.max(initial=0) for side in all_sides))
    # Python's power, the C library's, decides near-ties as Perl's does.
    f = np.array([float(k) ** weight for k in range(longest + 1)])
    sentences = Sentences.of_tokens(reference)
    base = _sums_of_runs(sentences.text, sentences.place.lengths, f, pairs.n_pairs)
    hit_runs = _hit_runs(pairs, weighted_lcs_mask(pairs.lines, f))
    matches = _sums_of_runs(*hit_runs, f, pairs.n_pairs)
    with np.errstate(over="ignore"):  # as in Perl, what is too large is infinite
        reference_total = base**weight
    return DocumentCounts(
        matches=matches,
        prediction_total=f[pairs.tokens.prediction.ids.lengths],
        reference_total=reference_total,
        selection=quotient(matches, base) ** (1.0 / weight),
        exponent=1.0 / weight,
    )


_COUNTS_OF_FAMILY: dict[str, Callable[[DocumentPairs, Measure], DocumentCounts]] = {
    "N": _ngram_counts,
    "L": _lcs_counts,
    "Lsum": _lcs_counts,
    "W": _wlcs_counts,
    "S": _skip_bigram_counts_of_pairs,
    "SU": _skip_bigram_and_unigram_counts,
}


def _unigram_matches(tokens: SharedTokens) -> np.ndarray:
    """Return the clipped matches of unigrams without the last token of each text."""
    prediction_id, reference_id = (side.ids.values.copy() for side in tokens.sides)
    for side, ids in zip(tokens.sides, (prediction_id, reference_id), strict=True):
        ids[side.ids.offsets[1:][side.ids.lengths > 0] - 1] = ABSENT
    n_common = clipped_counts_of_ids(prediction_id, reference_id, tokens.n_ids)
    return sums_of_groups(n_common, tokens.item_of_id, tokens.n_items)


# --- runs of W ------------------------------------------------------------------------


def _sums_of_runs(
    pair: np.ndarray, length: np.ndarray, f: np.ndarray, n_pairs: int
) -> np.ndarray:
    """Return the sum of f over the runs of each pair, added up in their order.

    Result: ndarray of float64, shape (n_pairs,).
    """
    return np.bincount(pair, weights=f[length], minlength=n_pairs)


def _hit_runs(
    pairs: DocumentPairs, is_marked: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return pair and length of the runs of hits, in order.

    A marked position is a hit while its token may still be one. A run grows with every
    hit and ends with one that no marked position follows directly; a marked position
    that is no hit neither adds to a run nor ends it, and what is left of a run at the
    end of its sentence is lost.
    """
    reference = pairs.lines.reference
    marked = np.flatnonzero(is_marked)
    token_id = pairs.id_of_reference_token[marked]
    n_marked = np.bincount(token_id, minlength=len(pairs.n_allowed))
    # Only of ids with too many marked positions, the last ones are no hits.
    crowded = np.flatnonzero((n_marked > pairs.n_allowed)[token_id])
    crowded_id = token_id[crowded]
    order = np.argsort(crowded_id, kind="stable")
    first_of_token = np.searchsorted(crowded_id[order], crowded_id[order])
    occurrence = np.zeros(len(marked), dtype=np.int64)
    occurrence[crowded[order]] = np.arange(len(crowded)) - first_of_token
    hit = marked[occurrence < pairs.n_allowed[token_id]]

    sentence = reference.sentence
    is_followed = np.zeros(len(is_marked), dtype=bool)
    is_followed[:-1] = is_marked[1:] & (sentence[1:] == sentence[:-1])
    end = np.flatnonzero(~is_followed[hit])
    # A run holds the hits of its sentence since the last end, or since its beginning.
    first_of_sentence = np.searchsorted(sentence[hit], sentence[hit[end]])
    after_last_end = np.concatenate([[0], end[:-1] + 1])[: len(end)]
    start = np.maximum(after_last_end, first_of_sentence)
    return reference.ids.row_of_value[hit[end]], end + 1 - start


# --- numbers as the script prints them ------------------------------------------------

UNITS_PRINTED = 1e5  # in one: five decimals


def quotient(numerator: np.ndarray, denominator: np.ndarray) -> np.ndarray:
    """Return the quotients, 0 where nothing is divided by; ndarray of float64."""
    result = np.zeros(len(numerator))
    return np.divide(numerator, denominator, out=result, where=denominator > 0)


def rounded(values: np.ndarray) -> np.ndarray:
    """Return the values as they are printed, ndarray of float64.

    The nearest multiple of 0.00001 is known from a product, but for values near the
    middle of two of them: those are printed.
    """
    scaled = values * UNITS_PRINTED
    nearest = np.rint(scaled)
    is_clear = (np.abs(scaled - nearest) < 0.499) & (np.abs(scaled) < 2.0**40)
    result = nearest / UNITS_PRINTED
    unclear = np.flatnonzero(~is_clear)
    result[unclear] = [printed(value) for value in values[unclear].tolist()]
    return result


def printed(value: float) -> float:
    """Return a value with the five decimals that are printed."""
    return float(f"{value:.5f}")
