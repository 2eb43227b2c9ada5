"""The conventions of the Perl script ROUGE-1.5.5 that differ from the paper:
`preset="rouge-1.5.5"` of `rouge_full`.

Facts about what the script computes, found by running it; none of its code is here.
Where it leaves Lin 2004 (https://aclanthology.org/W04-1013):

* Texts are bytes and lines are sentences. A limit on words or bytes is applied to the raw lines; under a limit on bytes the reader for L and W keeps
  lines that the reader for the other measures cuts.
* L clips the union LCS by unigram counts. W counts runs of marked positions of the reference, not the value of the table, and weights the length of
  the reference twice.
* SU does not count the last token of a text as a unigram.
* Several references are pooled, or the one of highest recall is taken.
* Recall and precision of a document are rounded to five decimals, F is made of the rounded ones, and the average is the mean of bootstrap means
  whose s-th resample is drawn after seeding the generator with s.

Matches and totals of pairs come from the same kernels as everywhere. Python loops run
over lines for a limit, over anti-diagonals and steps back for W, over documents for
rounding, and over the draws of a resample.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .inputs import Corpus
from .ngrams import (
    SharedTokens,
    ngram_matches,
    ngram_totals,
    shared_tokens,
    skip_bigram_matches,
    skip_bigram_totals,
)
from .ragged import Ragged, Tokens, batches, dense_ids, first_of_highest, sums_of_groups
from .rouge_options import OUTPUTS
from .subsequences import (
    Sentences,
    diagonal_cells,
    merged_gaps,
    other_gaps,
    padded,
    sentence_lanes,
    union_lcs_mask,
)
from .tokenization import TokenizerOptions, tokenized, with_sentence_lines

COUNTS = ("prediction_total", "reference_total", "matches")

_MAX_CELLS = 1 << 20  # of the tables of W that are held at once
_UP, _LEFT, _DIAGONAL = range(3)


def rouge155(corpus: Corpus, options: Any) -> tuple[dict[str, Any], bool]:
    """Return the result of `rouge_full` with `preset="rouge-1.5.5"`, and whether any
    text has a token; `options` are its `RougeOptions`.
    """
    tokenization = options.tokenization(corpus.is_tokenized)
    chunks = [
        _chunk_counts(corpus, first, end, tokenization, options)
        for first, end in corpus.chunks()
    ]
    counts = {
        name: Counts.concatenated([chunk[name] for chunk, _ in chunks])
        for name in options.measures
    }
    return _result(counts, options), any(has_tokens for _, has_tokens in chunks)


def _result(counts: dict[str, Counts], options: Any) -> dict[str, Any]:
    if options.corpus_average == "counts" or (
        options.corpus_average == "tokens" and not options.use_aggregator
    ):
        return _counts_result(counts, options.use_aggregator)
    if not options.use_aggregator:
        columns = {
            name: item.rounded_scores(options.beta) for name, item in counts.items()
        }
        return {
            options.key(name, output): columns[name][OUTPUTS.index(output)].tolist()
            for name in counts
            for output in options.outputs
        }
    return _averages(counts, options)


@dataclass(frozen=True)
class Counts:
    """Matches and totals of pairs, or of documents; ndarrays of float64, shape (n,). A
    recall is inverse(matches / reference_total).

    Parameters
    ----------
    selection : ndarray of float64
        The recall by which the best reference is chosen.
    inverse : float
        Exponent of the quotients: 1 / weight for W, else 1.
    """

    prediction_total: np.ndarray
    reference_total: np.ndarray
    matches: np.ndarray
    selection: np.ndarray
    inverse: float = field(default=1.0, kw_only=True)

    def _with(self, change: Callable[[np.ndarray], np.ndarray]) -> Counts:
        return Counts(
            *map(
                change,
                (
                    self.prediction_total,
                    self.reference_total,
                    self.matches,
                    self.selection,
                ),
            ),
            inverse=self.inverse,
        )

    @classmethod
    def concatenated(cls, parts: Sequence[Counts]) -> Counts:
        columns = (
            np.concatenate([getattr(part, name) for part in parts])
            for name in (*COUNTS, "selection")
        )
        return cls(*columns, inverse=parts[0].inverse)

    def pooled(self, reference_offsets: np.ndarray) -> Counts:
        """-f A: sums over the references of each document."""
        return self._with(
            lambda column: np.add.reduceat(column, reference_offsets[:-1])
        )

    def best(self, reference_offsets: np.ndarray) -> Counts:
        """-f B: the first reference of highest recall."""
        chosen = first_of_highest(self.selection, reference_offsets)
        return self._with(lambda column: column[chosen])

    def rounded_scores(self, beta: float) -> np.ndarray:
        """Return precision, recall and F of each document as printed, ndarray of
        float64, shape (3, n_documents).
        """
        precision = _rounded(
            _quotient(self.matches, self.prediction_total) ** self.inverse
        )
        recall = _rounded(_quotient(self.matches, self.reference_total) ** self.inverse)
        return np.stack(
            [precision, recall, _rounded(_f_measure(precision, recall, beta))]
        )


def _chunk_counts(
    corpus: Corpus, first: int, end: int, tokenization: TokenizerOptions, options: Any
) -> tuple[dict[str, Counts], bool]:
    """Return the counts of the documents of a chunk for each rouge type, and whether it
    has tokens.
    """
    texts, reference_offsets = corpus.texts_of_items(first, end)
    texts = (
        list(with_sentence_lines(texts, options.sentence_splitter))
        if not corpus.is_tokenized
        else texts
    )
    pairs = _DocumentPairs.of_texts(
        texts, reference_offsets, tokenization, options, corpus.is_tokenized
    )
    if any(measure.family == "W" for measure in options.measures.values()):
        _check_no_empty_reference(pairs, reference_offsets, first)
    combine = Counts.pooled if options.multi_reference == "pooled" else Counts.best
    counts = {}
    for name, measure in options.measures.items():
        pair_counts = _COUNTS_OF_FAMILY[measure.family](pairs, measure)
        counts[name] = combine(pair_counts, reference_offsets)
    return counts, any(len(side.ids.values) for side in pairs.tokens.sides)


def _check_no_empty_reference(
    pairs: _DocumentPairs, reference_offsets: np.ndarray, first: int
) -> None:
    is_empty = pairs.lines.reference.ids.lengths == 0
    if is_empty.any():
        reference = int(is_empty.argmax())
        item = int(np.searchsorted(reference_offsets, reference, side="right")) - 1
        place = (
            f"references[{first + item}][{reference - int(reference_offsets[item])}]"
        )
        raise ValueError(
            f"{place} has no tokens, on which ROUGE-1.5.5 divides by zero in ROUGE-W: leave out that reference or rougeW"
        )


# --- reading --------------------------------------------------------------------------


@dataclass(frozen=True)
class _DocumentPairs:
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
    """

    tokens: SharedTokens
    lines: SharedTokens
    id_of_reference_token: np.ndarray
    n_allowed: np.ndarray

    @classmethod
    def of_texts(
        cls,
        texts: list[Any],
        reference_offsets: np.ndarray,
        tokenization: TokenizerOptions,
        options: Any,
        is_tokenized: bool,
    ) -> _DocumentPairs:
        limited = _limited_texts(texts, options, is_tokenized, advances=True)
        lines = (
            _limited_texts(texts, options, is_tokenized, advances=False)
            if options.max_bytes
            else []
        )
        tokens = tokenized([*limited, *lines], tokenization, is_tokenized=is_tokenized)
        n_items = len(reference_offsets) - 1
        item_of_pair = np.repeat(np.arange(n_items), np.diff(reference_offsets))
        reference = np.arange(n_items, len(texts))
        sides = tokens.take(item_of_pair), tokens.take(reference)
        line_sides = (
            (
                tokens.take(len(texts) + item_of_pair),
                tokens.take(len(texts) + reference),
            )
            if lines
            else sides
        )

        keys = [
            side.ids.row_of_value * tokens.n_types + side.ids.values
            for side in (*sides, line_sides[1])
        ]
        (prediction_id, reference_id, line_id), key_of_id = dense_ids(keys)
        n_ids = len(key_of_id)
        n_allowed = np.minimum(
            np.bincount(prediction_id, minlength=n_ids),
            np.bincount(reference_id, minlength=n_ids),
        )
        shared = shared_tokens(*sides)
        return cls(
            shared, shared_tokens(*line_sides) if lines else shared, line_id, n_allowed
        )

    @property
    def n_pairs(self) -> int:
        return self.tokens.n_items


def _limited_texts(
    texts: list[Any], options: Any, is_tokenized: bool, *, advances: bool
) -> list[Any]:
    if options.max_words:
        return [
            text[: options.max_words]
            if is_tokenized
            else _limited(text, options.max_words, _words, advances)
            for text in texts
        ]
    if options.max_bytes:
        return [
            _limited(text, options.max_bytes, str.encode, advances) for text in texts
        ]
    return texts


def _limited(
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
            kept.append(
                rest.decode(errors="ignore")
                if isinstance(rest, bytes)
                else " ".join(rest)
            )
            break
        kept.append(line)
        count += len(units) if advances else 0
    return "\n".join(kept)


def _words(line: str) -> list[str]:
    """Return the words of a line as the limit counts them: blanks at its start make one
    empty word.
    """
    words = re.split(r"[ \t\n\r\f]+", line)
    return words if words[-1] else words[:-1]


# --- counting -------------------------------------------------------------------------


def _plain_counts(
    matches: np.ndarray, prediction_total: np.ndarray, reference_total: np.ndarray
) -> Counts:
    columns = [
        column.astype(np.float64)
        for column in (prediction_total, reference_total, matches)
    ]
    return Counts(columns[0], columns[1], columns[2], _quotient(columns[2], columns[1]))


def _ngram_counts(pairs: _DocumentPairs, measure: Any) -> Counts:
    totals = (
        ngram_totals(side.ids.lengths, measure.order)[-1] for side in pairs.tokens.sides
    )
    counts = _plain_counts(ngram_matches(pairs.tokens, measure.order)[-1], *totals)
    return _chosen_by_rounded_recall(counts)


def _skip_bigram_counts(pairs: _DocumentPairs, measure: Any) -> Counts:
    totals = (
        skip_bigram_totals(side.ids.lengths, measure.max_skip)
        for side in pairs.tokens.sides
    )
    return _chosen_by_rounded_recall(
        _plain_counts(skip_bigram_matches(pairs.tokens, measure.max_skip), *totals)
    )


def _skip_bigram_and_unigram_counts(pairs: _DocumentPairs, measure: Any) -> Counts:
    """The last token of a text is no unigram."""
    prediction, reference = (_without_last_token(side) for side in pairs.tokens.sides)
    matches = skip_bigram_matches(pairs.tokens, measure.max_skip) + _common_unigrams(
        prediction, reference, pairs.tokens
    )
    totals = (
        skip_bigram_totals(side.ids.lengths, measure.max_skip)
        + np.maximum(side.ids.lengths - 1, 0)
        for side in pairs.tokens.sides
    )
    return _chosen_by_rounded_recall(_plain_counts(matches, *totals))


def _lcs_counts(pairs: _DocumentPairs, measure: Any) -> Counts:
    marked = pairs.id_of_reference_token[union_lcs_mask(pairs.lines)]
    hits = np.minimum(
        np.bincount(marked, minlength=len(pairs.n_allowed)), pairs.n_allowed
    )
    pair_of_id = np.zeros(len(hits), dtype=np.int64)
    pair_of_id[pairs.id_of_reference_token] = pairs.lines.reference.ids.row_of_value
    matches = sums_of_groups(hits, pair_of_id, pairs.n_pairs)
    return _plain_counts(
        matches, pairs.tokens.prediction.ids.lengths, pairs.lines.reference.ids.lengths
    )


def _wlcs_counts(pairs: _DocumentPairs, measure: Any) -> Counts:
    weight = measure.weight
    longest = int(
        max(
            side.ids.lengths.max(initial=0)
            for side in (*pairs.tokens.sides, *pairs.lines.sides)
        )
    )
    f = np.array(
        [float(k) ** weight for k in range(longest + 1)]
    )  # Python's power, the C library's, decides near-ties as Perl's does
    base = _sums_of_runs(_sentence_lengths(pairs.lines.reference), f, pairs.n_pairs)
    matches = _sums_of_runs(
        _hit_runs(pairs, weighted_lcs_mask(pairs.lines, f)), f, pairs.n_pairs
    )
    prediction_total = f[pairs.tokens.prediction.ids.lengths]
    return Counts(
        prediction_total,
        base**weight,
        matches,
        _quotient(matches, base) ** (1.0 / weight),
        inverse=1.0 / weight,
    )


_COUNTS_OF_FAMILY: dict[str, Callable[[_DocumentPairs, Any], Counts]] = {
    "N": _ngram_counts,
    "L": _lcs_counts,
    "Lsum": _lcs_counts,
    "W": _wlcs_counts,
    "S": _skip_bigram_counts,
    "SU": _skip_bigram_and_unigram_counts,
}


def _chosen_by_rounded_recall(counts: Counts) -> Counts:
    return Counts(
        counts.prediction_total,
        counts.reference_total,
        counts.matches,
        _rounded(counts.selection),
    )


def _without_last_token(side: Tokens) -> Ragged:
    is_last = np.zeros(len(side.ids.values), dtype=bool)
    is_last[side.ids.offsets[1:][side.ids.lengths > 0] - 1] = True
    return side.ids.keep(~is_last)


def _common_unigrams(
    prediction: Ragged, reference: Ragged, tokens: SharedTokens
) -> np.ndarray:
    counts = (
        np.bincount(side.values[side.values >= 0], minlength=tokens.n_ids)
        for side in (prediction, reference)
    )
    return sums_of_groups(np.minimum(*counts), tokens.item_of_id, tokens.n_items)


# --- W --------------------------------------------------------------------------------


def _sentence_lengths(side: Tokens) -> tuple[np.ndarray, np.ndarray]:
    """Return the pair and the length of each sentence that has tokens."""
    first = np.flatnonzero(np.diff(side.sentence, prepend=-1))
    return side.ids.row_of_value[first], np.diff(np.append(first, len(side.sentence)))


def _sums_of_runs(
    runs: tuple[np.ndarray, np.ndarray], f: np.ndarray, n_pairs: int
) -> np.ndarray:
    """Return the sum of f over the runs (pair, length), in their order, ndarray of
    float64, shape (n_pairs,).
    """
    pair, length = runs
    return np.bincount(pair, weights=f[length], minlength=n_pairs)


def _hit_runs(
    pairs: _DocumentPairs, is_marked: np.ndarray
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
    occurrence = np.empty(len(marked), dtype=np.int64)
    occurrence[order] = np.arange(len(marked)) - np.searchsorted(
        token_id[order], token_id[order]
    )
    hit = marked[occurrence < pairs.n_allowed[token_id]]

    sentence = reference.sentence
    is_followed = np.zeros(len(is_marked), dtype=bool)
    is_followed[:-1] = is_marked[1:] & (sentence[1:] == sentence[:-1])
    end = np.flatnonzero(~is_followed[hit])
    # A run holds the hits of its sentence since the last end, or since the sentence
    # began.
    first_of_sentence = np.searchsorted(sentence[hit], sentence[hit[end]])
    start = np.maximum(
        np.concatenate([[0], end[:-1] + 1])[: len(end)], first_of_sentence
    )
    return reference.ids.row_of_value[hit[end]], end + 1 - start


def weighted_lcs_mask(tokens: SharedTokens, f: np.ndarray) -> np.ndarray:
    """Return which reference tokens lie on the way back through the weighted table of
    their sentence with any of the prediction; ndarray of bool.
    """
    prediction, reference = (
        Sentences.of_tokens(side, np.flatnonzero(merged_gaps(side.ids)))
        for side in tokens.sides
    )
    mask = np.zeros(len(tokens.reference.ids.values), dtype=bool)
    for reference_sentence, prediction_sentence in sentence_lanes(
        prediction, reference
    ):
        size = (reference.place.lengths[reference_sentence] + 1) * (
            prediction.place.lengths[prediction_sentence] + 1
        )
        order = np.argsort(size, kind="stable")
        for first, end in batches(size[order], _MAX_CELLS):
            lanes = order[first:end]
            place = reference.place.take(reference_sentence[lanes])
            ids = place.with_values(tokens.reference.ids.values[place.values])
            partner = prediction.place.take(prediction_sentence[lanes])
            partner_ids = partner.with_values(
                tokens.prediction.ids.values[partner.values]
            )
            mask[place.values[_positions_on_way_back(ids, partner_ids, f)]] = True
    return mask


def _positions_on_way_back(
    reference: Ragged, prediction: Ragged, f: np.ndarray
) -> np.ndarray:
    """Return which values of `reference` are matched on the way back from the last cell
    of each lane's table, as indices.

    On a match the way is diagonal and the value (diagonal + f(k + 1)) - f(k) after k
    matches in a row: in this order, since the last digit decides near-ties. Elsewhere
    it is the larger one of above and left, above on a tie.
    """
    n_lanes = reference.n_rows
    height, width = int(reference.lengths.max()), int(prediction.lengths.max())
    rows, columns = (
        padded(reference, height),
        other_gaps(padded(prediction, width)[::-1]),
    )
    way = np.zeros((height + 1, width + 1, n_lanes), dtype=np.uint8)
    value, above, above_left = (np.zeros((height + 1, n_lanes)) for _ in range(3))
    run, run_above, run_above_left = (
        np.zeros((height + 1, n_lanes), dtype=np.int64) for _ in range(3)
    )
    for diagonal in range(2, height + width + 1):
        cell, cell_above, column = diagonal_cells(diagonal, height, width)
        is_match = rows[cell_above] == columns[column]
        length = run_above_left[cell_above]
        value_of_match = (above_left[cell_above] + f[length + 1]) - f[length]
        is_left = above[cell_above] < above[cell]
        value[cell] = np.where(
            is_match, value_of_match, np.where(is_left, above[cell], above[cell_above])
        )
        run[cell] = np.where(is_match, length + 1, 0)
        i = np.arange(cell.start, cell.stop)
        way[i, diagonal - i] = np.where(
            is_match, _DIAGONAL, np.where(is_left, _LEFT, _UP)
        )
        value, above, above_left = above_left, value, above
        run, run_above, run_above_left = run_above_left, run, run_above

    lane = np.arange(n_lanes)
    i, j = reference.lengths.copy(), prediction.lengths.copy()
    matched = []
    while len(lane):
        step = way[i, j, lane]
        is_match = step == _DIAGONAL
        matched.append(reference.offsets[lane[is_match]] + i[is_match] - 1)
        i, j = i - (step != _LEFT), j - (step != _UP)
        is_inside = (i > 0) & (j > 0)
        i, j, lane = i[is_inside], j[is_inside], lane[is_inside]
    return np.concatenate(matched)


# --- documents -> corpus --------------------------------------------------------------


def _averages(counts: dict[str, Counts], options: Any) -> dict[str, Any]:
    """Return the mean of bootstrap means of each score, and with a confidence level its
    bounds, rounded as printed.
    """
    order = _document_order(
        len(next(iter(counts.values())).matches), options.document_order
    )
    if options.corpus_average == "tokens":
        samples = {
            name: _token_averages(item, order, options) for name, item in counts.items()
        }
    else:
        columns = np.concatenate(
            [item.rounded_scores(options.beta) for item in counts.values()]
        )
        means = resampled_sums(columns[:, order].T, options.n_resamples) / len(order)
        samples = {name: means[:, 3 * k : 3 * k + 3] for k, name in enumerate(counts)}
    result = {}
    for name, sample in samples.items():
        for output in options.outputs:
            key, ascending = (
                options.key(name, output),
                np.sort(sample[:, OUTPUTS.index(output)]),
            )
            result[key] = _printed(_sum_in_order(ascending) / options.n_resamples)
            if options.confidence_level is not None:
                low, high = confidence_bounds(ascending, options.confidence_level)
                result[f"{key}_low"], result[f"{key}_high"] = (
                    _printed(low),
                    _printed(high),
                )
    return result


def _token_averages(counts: Counts, order: np.ndarray, options: Any) -> np.ndarray:
    """-t 1: precision, recall and F of the summed counts of each resample, ndarray of
    float64, shape (n_resamples, 3). W is not turned back.
    """
    columns = np.stack([getattr(counts, name)[order] for name in COUNTS], axis=1)
    prediction_total, reference_total, matches = resampled_sums(
        columns, options.n_resamples
    ).T
    precision, recall = (
        _quotient(matches, prediction_total),
        _quotient(matches, reference_total),
    )
    return np.stack(
        [precision, recall, _f_measure(precision, recall, options.beta)], axis=1
    )


def _counts_result(counts: dict[str, Counts], use_aggregator: bool) -> dict[str, Any]:
    """-t 2, or the documents of -t 1: the counts that scores are made of; sums are cut
    to integers.
    """
    columns = {
        f"{name}_{count}": getattr(item, count)
        for name, item in counts.items()
        for count in COUNTS
    }
    return {
        key: int(_sum_in_order(column)) if use_aggregator else column.tolist()
        for key, column in columns.items()
    }


def _document_order(n_documents: int, document_order: str) -> np.ndarray:
    """Return the documents in the order of the script: of their names, which are
    numbers from 1 and sorted as strings, or as given.
    """
    if document_order == "input":
        return np.arange(n_documents)
    return np.array(sorted(range(n_documents), key=lambda document: f"{document + 1}."))


def resampled_sums(columns: np.ndarray, n_resamples: int) -> np.ndarray:
    """Return the sums over documents drawn with replacement, ndarray of float64, shape
    (n_resamples, n_columns).

    Resample s draws with Perl's generator after seeding it with s: x <- 0x5DEECE66D x +
    11 mod 2^48 from x = 2^16 s + 0x330E (drand48).

    Parameters
    ----------
    columns : ndarray of float64, shape (n_documents, n_columns)
    """
    n_documents = len(columns)
    state = (np.arange(n_resamples, dtype=np.uint64) << np.uint64(16)) + np.uint64(
        0x330E
    )
    sums = np.zeros((n_resamples, columns.shape[1]))
    for _ in range(n_documents):
        state = (state * np.uint64(0x5DEECE66D) + np.uint64(0xB)) & np.uint64(
            (1 << 48) - 1
        )  # what overflows is above 48 bits
        sums += columns[(n_documents * (state / 2.0**48)).astype(np.int64)]
    return sums


def confidence_bounds(ascending: np.ndarray, level: float) -> tuple[float, float]:
    """Return the bounds of sorted resample means; both are moved by the fraction of the
    upper one, and beyond the end is 0.
    """
    n_resamples, percent = len(ascending), round(100 * level, 10)
    tail = n_resamples * (100 - percent) / 200
    upper, lower = int(n_resamples - tail - 1), int(tail)
    fraction = n_resamples - tail - 1 - upper
    low, next_low, high, next_high = (
        float(ascending[k]) if k < n_resamples else 0.0
        for k in (lower, lower + 1, upper, upper + 1)
    )
    return low + fraction * (next_low - low), high + fraction * (next_high - high)


def _quotient(numerator: np.ndarray, denominator: np.ndarray) -> np.ndarray:
    return np.divide(
        numerator, denominator, out=np.zeros(len(numerator)), where=denominator > 0
    )


def _f_measure(precision: np.ndarray, recall: np.ndarray, beta: float) -> np.ndarray:
    """Return the script's F for alpha = 1 / (1 + beta^2)."""
    alpha = 1.0 / (1.0 + float(beta) ** 2) if beta < 1e150 else 0.0
    return _quotient(precision * recall, (1.0 - alpha) * precision + alpha * recall)


def _rounded(values: np.ndarray) -> np.ndarray:
    return np.array(list(map(_printed, values.tolist())))


def _printed(value: float) -> float:
    return float(f"{value:.5f}")


def _sum_in_order(values: np.ndarray) -> float:
    """Return the sum added up one by one, as the script does; numpy would add pairs
    first.
    """
    return float(np.add.accumulate(values)[-1])
