"""A few pairs as lists of words -> what ROUGE-N, L and Lsum count, pair by pair.

What `PaperPairs` of `rouge/scorer.py` has by columns, in the same arrays and with the same
numbers (`text/plain_words.py`, `kernels/plain_counts.py`). Numpy's calls on columns have a fixed
price, which is nearly all of the time of one pair. All other types are left to columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, starmap
from typing import Any

import numpy as np

from ...ground.lazy import lazy_property
from ...ground.ragged import sums_of_groups
from ...ground.tokens import item_of_reference
from ...kernels.plain_counts import (
    MAX_PLAIN_ORDER,
    Units,
    plain_lcs_length,
    plain_ngram_matches,
    plain_union_lcs_length,
)
from ...text.plain_words import are_few, plain_words_of_texts
from ...text.sentence_lines import with_sentence_lines
from ...text.tokenizers import TokenizerOptions
from ..options.checked import RougeOptions

# Pairs of sentences, of which each has a table: more cost less by columns.
_MAX_PLAIN_TABLES = 60


@dataclass(frozen=True)
class FewPairs:
    """Pairs of texts as lists of words.

    Arrays that are returned are of int64, shape (n_pairs,), but where it says otherwise.

    Parameters
    ----------
    words : list
        The words of the prediction and of the reference of each pair.
    sentences : list
        The same as lists of sentences; as one sentence where none are asked for.
    cross_sentences : bool
        Whether n-grams may lie in several sentences.
    """

    words: list[tuple[list[str], list[str]]]
    sentences: list[tuple[Units, Units]]
    cross_sentences: bool

    @property
    def has_tokens(self) -> bool:
        """Whether any text has a token."""
        return any(map(any, self.words))

    @lazy_property
    def lengths(self) -> list[np.ndarray]:
        """Tokens of both sides."""
        return [_lengths(side) for side in zip(*self.words, strict=True)]

    @property
    def sentence_lengths(self) -> list[np.ndarray]:
        """The same where each sentence is tokenized by itself."""
        return self._totals_of_sentences(lambda lengths: lengths)

    def totals(self, total: Callable[[np.ndarray], np.ndarray]) -> list[np.ndarray]:
        """Return a function of lengths, summed over the units of each text."""
        if self.cross_sentences:
            return list(map(total, self.lengths))
        return self._totals_of_sentences(total)

    def ngram_matches(self, max_order: int) -> np.ndarray:
        """Return clipped matches, ndarray of int64, shape (max_order, n_pairs)."""
        pairs = self.sentences
        if self.cross_sentences:
            pairs = [([left], [right]) for left, right in self.words]
        rows = [plain_ngram_matches(left, [right], max_order) for left, right in pairs]
        return np.array(rows, dtype=np.int64).T

    @lazy_property
    def lcs_lengths(self) -> np.ndarray:
        """LCS lengths of the whole texts."""
        return _integers(starmap(plain_lcs_length, self.words))

    @property
    def union_lcs_lengths(self) -> np.ndarray:
        """The union LCS of the sentences."""
        if self._are_sentences:
            return self.lcs_lengths
        return _integers(starmap(plain_union_lcs_length, self.sentences))

    @lazy_property
    def _are_sentences(self) -> bool:
        """Whether each text is one sentence, made of all its words."""
        return all(map(_is_whole, chain(*self.sentences), chain(*self.words)))

    def _totals_of_sentences(
        self, total: Callable[[np.ndarray], np.ndarray]
    ) -> list[np.ndarray]:
        if self._are_sentences:
            return list(map(total, self.lengths))
        return [
            _sums_over_sentences(total, side)
            for side in zip(*self.sentences, strict=True)
        ]


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


def few_pairs(
    texts: list[Any],
    reference_offsets: np.ndarray,
    is_tokenized: bool,
    options: RougeOptions,
) -> FewPairs | None:
    """Return the pairs of some texts, or None where columns are the better way.

    Parameters
    ----------
    texts : list
        Predictions, then the references of all items.
    reference_offsets : ndarray of int64, shape (n_items + 1,)
    is_tokenized : bool
    options : RougeOptions
    """
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
    return FewPairs(in_pairs(words), pairs, bool(options.cross_sentences))


def _are_counted(options: RougeOptions) -> bool:
    """Whether pairs have here all that these options ask for.

    A function of the user is left to columns, which call it once for each text.
    """
    return (
        options.families <= {"N", "L", "Lsum"}
        and options.summary_lcs == "union"
        and options.max_order <= MAX_PLAIN_ORDER
        and not callable(options.sentence_splitter)
    )


def _words_and_sentences(
    texts: list[Any], is_tokenized: bool, options: RougeOptions
) -> tuple[list[list[str]], list[list[list[str]]]] | None:
    """Return the words of each text and of its sentences.

    None where a text is left to columns. Each text is one sentence where no sentences
    are asked for.
    """
    tokenizer_options = options.tokenizer_options(is_tokenized)
    has_sentences = "Lsum" in options.families or not options.cross_sentences
    if is_tokenized or not has_sentences:
        words = plain_words_of_texts(texts, tokenizer_options, is_tokenized)
        return None if words is None else (words, [[row] for row in words])
    splitter = options.sentence_splitter
    lines = with_sentence_lines(texts, splitter)
    sentences = _sentences_of_texts(lines, tokenizer_options)
    if sentences is None:
        return None
    if splitter == "newline" and tokenizer_options.separates_sentences:
        return list(map(_all_words, sentences)), sentences
    words = plain_words_of_texts(texts, tokenizer_options, is_tokenized)
    return None if words is None else (words, sentences)


def _sentences_of_texts(
    texts: Sequence[str], options: TokenizerOptions
) -> list[list[list[str]]] | None:
    """Return the words of each line of each text, or None as above."""
    rows = []
    for text in texts:
        sentences = plain_words_of_texts(text.split("\n"), options, is_tokenized=False)
        if sentences is None:
            return None
        rows.append(list(filter(None, sentences)))
    return rows


def _all_words(sentences: list[list[str]]) -> list[str]:
    if len(sentences) == 1:
        return sentences[0]
    return list(chain.from_iterable(sentences))
