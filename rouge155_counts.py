"""Texts -> matches and totals by the conventions of the Perl script ROUGE-1.5.5.

Facts about what the script computes, found by running it; none of its code is here.
Where it leaves Lin 2004 (https://aclanthology.org/W04-1013):

* Lines are sentences. A limit on words or bytes is applied to the raw lines; under a
  limit on bytes the reader for L and W keeps lines that the reader for the other
  measures cuts.
* L clips the union LCS by unigram counts. W counts runs of marked positions of the
  reference, not the value of the table, and weights the length of the reference twice.
* SU does not count the last token of a text as a unigram.
* Several references are pooled, or the one of highest recall is taken.

Matches and totals of pairs come from the same kernels as everywhere. Python loops run
over lines for a limit, and over documents for rounding.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .lazy import lazy_property
from .ngrams import ngram_matches, ngram_totals
from .ragged import Ragged, dense_ids, first_of_highest, sums_of_groups
from .rouge_options import RougeOptions
from .rouge_types import Measure
from .skip_bigrams import skip_bigram_matches, skip_bigram_totals
from .tokenization import tokenized
from .tokens import Sentences, SharedTokens, Tokens, paired, shared_tokens
from .union_lcs import union_lcs_mask
from .wlcs_way_back import weighted_lcs_mask


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


# --- reading --------------------------------------------------------------------------


@dataclass(frozen=True)
class DocumentPairs:
    """The pairs of a chunk as the two readers of the script see them.

    Parameters
    ----------
    tokens : SharedTokens
        For N, S and SU, and for the clipping of L and W.
    lines : SharedTokens
        For the tables of L and W; differs from `tokens` under a limit on bytes only.
    id_of_reference_token : ndarray of int64
        Number of (pair, token) of each reference token of `lines`.
    n_allowed : ndarray of int64
        How many positions with that number may be hits.
    max_order : int
        Longest n-grams that are asked for.
    """

    tokens: SharedTokens
    lines: SharedTokens
    id_of_reference_token: np.ndarray
    n_allowed: np.ndarray
    max_order: int

    @classmethod
    def of_texts(
        cls,
        texts: list[Any],
        reference_offsets: np.ndarray,
        options: RougeOptions,
        *,
        is_tokenized: bool,
    ) -> DocumentPairs:
        """Read predictions followed by the references of all documents."""
        limited = limited_texts(texts, options, is_tokenized, advances=True)
        columns = [limited]
        if options.max_bytes:
            columns.append(limited_texts(texts, options, is_tokenized, advances=False))
        tokens = tokenized(
            [text for column in columns for text in column],
            options.tokenizer_options(is_tokenized),
            is_tokenized=is_tokenized,
        )
        n_texts = len(texts)
        sides = paired(tokens.between(0, n_texts), reference_offsets)
        line_sides = sides
        if options.max_bytes:
            lines = tokens.between(n_texts, 2 * n_texts)
            line_sides = paired(lines, reference_offsets)

        keys = [
            side.ids.row_of_value * tokens.n_types + side.ids.values
            for side in (*sides, line_sides[1])
        ]
        (prediction_id, reference_id, line_id), key_of_id = dense_ids(keys)
        n_allowed = np.minimum(
            np.bincount(prediction_id, minlength=len(key_of_id)),
            np.bincount(reference_id, minlength=len(key_of_id)),
        )
        shared = shared_tokens(*sides)
        shared_lines = shared_tokens(*line_sides) if options.max_bytes else shared
        return cls(shared, shared_lines, line_id, n_allowed, options.max_order)

    @property
    def n_pairs(self) -> int:
        """Number of pairs."""
        return self.tokens.n_items

    @property
    def has_tokens(self) -> bool:
        """Whether any text has a token."""
        return any(len(side.ids.values) for side in self.tokens.sides)

    @lazy_property
    def ngram_matches(self) -> np.ndarray:
        """Matches of all orders, ndarray of int64, shape (max_order, n_pairs)."""
        return ngram_matches(self.tokens, self.max_order)


def limited_texts(
    texts: list[Any], options: RougeOptions, is_tokenized: bool, *, advances: bool
) -> list[Any]:
    """Return the texts as one of the two readers cuts them.

    Without `advances` as the one for L and W does.
    """
    if options.max_words:
        limit = options.max_words
        if is_tokenized:
            return [text[:limit] for text in texts]
        return [_limited_lines(text, limit, _limited_words, advances) for text in texts]
    if options.max_bytes:
        limit = options.max_bytes
        return [_limited_lines(text, limit, str.encode, advances) for text in texts]
    return texts


def _limited_lines(
    text: str, limit: int, units_of_line: Callable[[str], Any], advances: bool
) -> str:
    """Return the lines of a text up to `limit` units.

    Without `advances` the count stays at 0, as in the reader for L and W under a limit
    on bytes.
    """
    kept: list[str] = []
    count = 0
    for line in filter(None, text.split("\n")):
        units = units_of_line(line)
        if count + len(units) >= limit:
            rest = units[: limit - count]
            is_bytes = isinstance(rest, bytes)
            kept.append(rest.decode(errors="ignore") if is_bytes else " ".join(rest))
            break
        kept.append(line)
        count += len(units) if advances else 0
    return "\n".join(kept)


def _limited_words(line: str) -> list[str]:
    """Return the words of a line as the limit counts them.

    Blanks at its start make one empty word; a line of blanks has no word.
    """
    words = re.split(r"[ \t\n\r\f]+", line)
    if not any(words):
        return []
    return words if words[-1] else words[:-1]


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
    matches = skip_bigram_matches(pairs.tokens, measure.max_skip)
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
    unigrams = [_without_last_token(side) for side in tokens.sides]
    matches = skip_bigram_matches(tokens, max_skip) + _common_unigrams(
        tokens, *unigrams
    )
    totals = [
        skip_bigram_totals(lengths, max_skip) + np.maximum(lengths - 1, 0)
        for lengths in (side.ids.lengths for side in tokens.sides)
    ]
    return _unit_counts(matches, *totals, rounds_selection=True)


def _lcs_counts(pairs: DocumentPairs, measure: Measure) -> DocumentCounts:
    reference = pairs.lines.reference.ids
    marked = pairs.id_of_reference_token[union_lcs_mask(pairs.lines)]
    n_marked = np.bincount(marked, minlength=len(pairs.n_allowed))
    hits = np.minimum(n_marked, pairs.n_allowed)
    pair_of_id = np.zeros(len(hits), dtype=np.int64)
    pair_of_id[pairs.id_of_reference_token] = reference.row_of_value
    matches = sums_of_groups(hits, pair_of_id, pairs.n_pairs)
    prediction_total = pairs.tokens.prediction.ids.lengths
    return _unit_counts(
        matches, prediction_total, reference.lengths, rounds_selection=False
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


def _without_last_token(side: Tokens) -> Ragged:
    is_last = np.zeros(len(side.ids.values), dtype=bool)
    is_last[side.ids.offsets[1:][side.ids.lengths > 0] - 1] = True
    return side.ids.keep(~is_last)


def _common_unigrams(
    tokens: SharedTokens, prediction: Ragged, reference: Ragged
) -> np.ndarray:
    counts = (
        np.bincount(side.values[side.values >= 0], minlength=tokens.n_ids)
        for side in (prediction, reference)
    )
    return sums_of_groups(np.minimum(*counts), tokens.item_of_id, tokens.n_items)


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
    order = np.argsort(token_id, kind="stable")
    first_of_token = np.searchsorted(token_id[order], token_id[order])
    occurrence = np.empty(len(marked), dtype=np.int64)
    occurrence[order] = np.arange(len(marked)) - first_of_token
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

_UNITS_PRINTED = 1e5  # five decimals


def quotient(numerator: np.ndarray, denominator: np.ndarray) -> np.ndarray:
    """Return the quotients, 0 where nothing is divided by; ndarray of float64."""
    result = np.zeros(len(numerator))
    return np.divide(numerator, denominator, out=result, where=denominator > 0)


def rounded(values: np.ndarray) -> np.ndarray:
    """Return the values as they are printed, ndarray of float64.

    The nearest multiple of 0.00001 is known from a product, but for values near the
    middle of two of them: those are printed.
    """
    scaled = values * _UNITS_PRINTED
    nearest = np.rint(scaled)
    is_clear = (np.abs(scaled - nearest) < 0.499) & (np.abs(scaled) < 2.0**40)
    result = nearest / _UNITS_PRINTED
    unclear = np.flatnonzero(~is_clear)
    result[unclear] = [printed(value) for value in values[unclear].tolist()]
    return result


def printed(value: float) -> float:
    """Return a value with the five decimals that are printed."""
    return float(f"{value:.5f}")
