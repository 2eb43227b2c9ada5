"""A few pairs as lists of words, counted pair by pair for ROUGE-N, L and Lsum.

The arrays are those of `ColumnPairs`, with the same numbers (`text/tokenizers.py`,
`kernels/plain_counts.py`). Numpy's calls on columns have a fixed price, which is nearly
all of the time of one pair. All other types are left to columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, starmap
from typing import Any

import numpy as np

from ...arrays import sums_of_groups
from ...kernels.plain_counts import (
    MAX_PLAIN_ORDER,
    Units,
    plain_lcs_length,
    plain_ngram_matches,
    plain_union_lcs_length,
)
from ...lazy import lazy_property
from ...text.sentences import with_sentence_lines
from ...text.tokenizers import TokenizerOptions, are_few, words_of_few
from ...tokens import item_of_reference
from ..measures.views import Sides
from ..options import RougeOptions
from .pairs import ColumnPairs

# Pairs of sentences, of which each has a table: more cost less by columns.
_MAX_PLAIN_TABLES = 60


@dataclass(frozen=True)
class FewPairs(ColumnPairs):
    """Pairs that are counted one by one, as far as the types in question need.

    Parameters
    ----------
    words : list
        The words of the prediction and of the reference of each pair.
    sentences : list
        These words in lists, one for each sentence; all in one list where no sentences
        are asked for.
    """

    words: list[tuple[list[str], list[str]]]
    sentences: list[tuple[Units, Units]]

    @property
    def has_tokens(self) -> bool:
        return any(map(any, self.words))

    @lazy_property
    def lengths(self) -> Sides:
        prediction, reference = zip(*self.words, strict=True)
        return _lengths(prediction), _lengths(reference)

    @property
    def sentence_lengths(self) -> Sides:
        return self._totals_of_sentences(lambda lengths: lengths)

    def totals(self, total: Callable[[np.ndarray], np.ndarray]) -> Sides:
        if self.options.cross_sentences:
            return self._totals_of_texts(total)
        return self._totals_of_sentences(total)

    @lazy_property
    def matches_of_order(self) -> np.ndarray:
        pairs = self.sentences
        if self.options.cross_sentences:
            pairs = [([left], [right]) for left, right in self.words]
        max_order = self.options.max_order
        rows = [plain_ngram_matches(left, [right], max_order) for left, right in pairs]
        return np.array(rows, dtype=np.int64).T

    @lazy_property
    def lcs_lengths(self) -> np.ndarray:
        return _integers(starmap(plain_lcs_length, self.words))

    @property
    def union_lcs_lengths(self) -> np.ndarray:
        if self._are_sentences:
            return self.lcs_lengths
        return _integers(starmap(plain_union_lcs_length, self.sentences))

    @lazy_property
    def _are_sentences(self) -> bool:
        """Whether each text is one sentence, made of all its words."""
        return all(map(_is_whole, chain(*self.sentences), chain(*self.words)))

    def _totals_of_texts(self, total: Callable[[np.ndarray], np.ndarray]) -> Sides:
        prediction, reference = self.lengths
        return total(prediction), total(reference)

    def _totals_of_sentences(self, total: Callable[[np.ndarray], np.ndarray]) -> Sides:
        if self._are_sentences:
            return self._totals_of_texts(total)
        prediction, reference = (
            _sums_over_sentences(total, side) for side in zip(*self.sentences, strict=True)
        )
        return prediction, reference


def _is_whole(sentences: Units, words: list[str]) -> bool:
    return len(sentences) == 1 and sentences[0] is words


def _integers(values: Iterable[int]) -> np.ndarray:
    return np.array(list(values), dtype=np.int64)


def _lengths(lists: Iterable[Sequence[Any]]) -> np.ndarray:
    return _integers(map(len, lists))


def _sums_over_sentences(
    total: Callable[[np.ndarray], np.ndarray], texts: Sequence[Units]
) -> np.ndarray:
    text = np.repeat(np.arange(len(texts)), _lengths(texts))
    return sums_of_groups(total(_lengths(chain(*texts))), text, len(texts))


# --- texts -> words -------------------------------------------------------------------


def paper_pairs(
    texts: list[Any], reference_offsets: np.ndarray, is_tokenized: bool, options: RougeOptions
) -> ColumnPairs:
    """Return the pairs of some texts, counted one by one where that costs less."""
    few = _few_pairs(texts, reference_offsets, is_tokenized, options)
    if few is None:
        return ColumnPairs(texts, reference_offsets, is_tokenized, options)
    return few


def _few_pairs(
    texts: list[Any], reference_offsets: np.ndarray, is_tokenized: bool, options: RougeOptions
) -> FewPairs | None:
    """Return the pairs one by one, or None where they are left to columns."""
    if not are_few(texts, is_tokenized) or not _are_counted(options):
        return None
    items = item_of_reference(reference_offsets).tolist()
    n_items = len(reference_offsets) - 1

    def in_pairs(rows: list[Any]) -> list[tuple[Any, Any]]:
        return list(zip(map(rows.__getitem__, items), rows[n_items:], strict=True))

    # A prediction is counted once for each of its references.
    if not are_few(list(chain.from_iterable(in_pairs(texts))), is_tokenized):
        return None
    words_and_sentences = _words_and_sentences(texts, is_tokenized, options)
    if words_and_sentences is None:
        return None
    words, sentences = words_and_sentences
    pairs = in_pairs(sentences)
    if sum(len(left) * len(right) for left, right in pairs) > _MAX_PLAIN_TABLES:
        return None
    return FewPairs(texts, reference_offsets, is_tokenized, options, in_pairs(words), pairs)


def _are_counted(options: RougeOptions) -> bool:
    """Whether pairs have all that these options ask for without columns.

    A function of the user is left to columns, which call it once for each text.
    """
    return (
        all(family.has_plain_counts for family in options.families)
        and options.summary_lcs == "union"
        and options.max_order <= MAX_PLAIN_ORDER
        and not callable(options.sentence_splitter)
    )


def _words_and_sentences(
    texts: list[Any], is_tokenized: bool, options: RougeOptions
) -> tuple[list[list[str]], list[list[list[str]]]] | None:
    """Return the words of each text and of its sentences; None: columns find others.

    Each text is one sentence where no sentences are asked for.
    """
    tokenizer_options = options.tokenizer_options(is_tokenized)
    has_sentences = any(map(options.counts_in_sentences, options.measures.values()))
    if is_tokenized or not has_sentences:
        words = words_of_few(texts, tokenizer_options, is_tokenized)
        return None if words is None else (words, [[row] for row in words])
    splitter = options.sentence_splitter
    lines = with_sentence_lines(texts, splitter)
    sentences = _sentences_of_texts(lines, tokenizer_options)
    if sentences is None:
        return None
    if splitter == "newline" and tokenizer_options.separates_sentences:
        return list(map(_all_words, sentences)), sentences
    words = words_of_few(texts, tokenizer_options, is_tokenized)
    return None if words is None else (words, sentences)


def _sentences_of_texts(
    texts: Sequence[str], options: TokenizerOptions
) -> list[list[list[str]]] | None:
    """Return the words of each line of each text; None: columns find others."""
    rows = []
    for text in texts:
        sentences = words_of_few(text.split("\n"), options, is_tokenized=False)
        if sentences is None:
            return None
        rows.append(list(filter(None, sentences)))
    return rows


def _all_words(sentences: list[list[str]]) -> list[str]:
    if len(sentences) == 1:
        return sentences[0]
    return list(chain.from_iterable(sentences))
