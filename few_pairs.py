"""A few pairs -> lengths, and matches of each kind, one pair after the other.

What `_Pairs` of `rouge_scorer.py` gives by columns, in the same arrays and with the same
numbers (`plain_counts.py`, `plain_words.py`). Numpy's calls on columns have a fixed
price: for one pair it is nearly all of the time, and from some 20 pairs on columns cost
less. What grows faster than the text is left to them in any case.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, starmap
from typing import Any

import numpy as np

from .plain_counts import (
    Units,
    plain_lcs_length,
    plain_ngram_matches,
    plain_skip_bigram_matches,
    plain_union_lcs_length,
)
from .plain_words import plain_words_of_texts
from .ragged import sums_of_groups
from .rouge_options import RougeOptions
from .sentence_lines import with_sentence_lines
from .tokenization import TokenizerOptions
from .tokens import item_of_reference

# Where both ways cost the same, in characters of texts.
_MAX_CHARACTERS_OF_FEW = 8000
_CHARACTERS_OF_TOKEN_OF_FEW = 5
_MAX_ORDER_OF_FEW = 9
_MAX_SKIP_OF_FEW = 9
_MAX_TABLES_OF_FEW = 200


@dataclass(frozen=True)
class FewPairs:
    """Pairs of texts as lists of words.

    Arrays that are returned are of int64, shape (n_pairs,), but where it says otherwise.

    Parameters
    ----------
    words : list
        The words of the prediction and of the reference of each pair.
    sentences : list
        The same as lists of sentences; empty where no type asks for them.
    units : list
        The same as lists of the parts in which n-grams and skip-bigrams lie.
    """

    words: list[tuple[list[str], list[str]]]
    sentences: list[tuple[Units, Units]]
    units: list[tuple[Units, Units]]

    @property
    def has_tokens(self) -> bool:
        """Whether any text has a token."""
        return any(map(any, self.words))

    @property
    def lengths(self) -> list[np.ndarray]:
        """Tokens of both sides."""
        return _of_both_sides(len, self.words)

    @property
    def sentence_lengths(self) -> list[np.ndarray]:
        """The same where each sentence is tokenized by itself."""
        return _of_both_sides(lambda text: sum(map(len, text)), self.sentences)

    def totals(self, total: Callable[[np.ndarray], np.ndarray]) -> list[np.ndarray]:
        """Return a function of lengths, summed over the units of each text."""
        return [
            _sums_over_units(total, side) for side in zip(*self.units, strict=True)
        ]

    def ngram_matches(self, max_order: int) -> np.ndarray:
        """Return clipped matches, ndarray of int64, shape (max_order, n_pairs)."""
        rows = [
            plain_ngram_matches(prediction, [reference], max_order)
            for prediction, reference in self.units
        ]
        return np.array(rows, dtype=np.int64).T

    def skip_bigram_matches(self, max_skip: int) -> np.ndarray:
        """Return clipped matches of skip-bigrams."""
        return _integers(
            plain_skip_bigram_matches(prediction, reference, max_skip)
            for prediction, reference in self.units
        )

    def lcs_lengths(self) -> np.ndarray:
        """Return LCS lengths of the whole texts."""
        return _integers(starmap(plain_lcs_length, self.words))

    def union_lcs_lengths(self) -> np.ndarray:
        """Return the union LCS of the sentences."""
        return _integers(starmap(plain_union_lcs_length, self.sentences))


def _integers(values: Iterable[int]) -> np.ndarray:
    return np.array(list(values), dtype=np.int64)


def _of_both_sides(
    function: Callable[[Any], int], pairs: Sequence[tuple[Any, Any]]
) -> list[np.ndarray]:
    return [_integers(map(function, side)) for side in zip(*pairs, strict=True)]


def _sums_over_units(
    total: Callable[[np.ndarray], np.ndarray], texts: Sequence[Units]
) -> np.ndarray:
    n_units = list(map(len, texts))
    in_units = total(_integers(map(len, chain.from_iterable(texts))))
    if set(n_units) == {1}:
        return in_units
    text = np.repeat(np.arange(len(texts)), n_units)
    return sums_of_groups(in_units, text, len(texts))


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
    tokenizer_options = options.tokenizer_options(is_tokenized)
    if _are_long(texts, is_tokenized) or _grows_fast(options):
        return None
    words = plain_words_of_texts(texts, tokenizer_options, is_tokenized)
    if words is None:
        return None
    sentences: list[Units] | None = [[row] for row in words]
    families = {measure.family for measure in options.measures.values()}
    has_sentences = "Lsum" in families or not options.cross_sentences
    if has_sentences and not is_tokenized:
        lines = with_sentence_lines(texts, options.sentence_splitter)
        sentences = _sentences_of_texts(lines, tokenizer_options)
    if sentences is None:
        return None
    n_items = len(reference_offsets) - 1
    item = item_of_reference(reference_offsets).tolist()

    def in_pairs(rows: list[Any]) -> list[tuple[Any, Any]]:
        return list(zip(map(rows.__getitem__, item), rows[n_items:], strict=True))

    pairs_of_sentences = in_pairs(sentences)
    n_tables = sum(len(a) * len(b) for a, b in pairs_of_sentences)
    if n_tables > _MAX_TABLES_OF_FEW:
        return None
    units = sentences
    if options.cross_sentences:
        units = [[row] for row in words]
    return FewPairs(in_pairs(words), pairs_of_sentences, in_pairs(units))


def _are_long(texts: list[Any], is_tokenized: bool) -> bool:
    unit = _CHARACTERS_OF_TOKEN_OF_FEW if is_tokenized else 1
    return unit * sum(map(len, texts)) > _MAX_CHARACTERS_OF_FEW


def _grows_fast(options: RougeOptions) -> bool:
    """Whether work may grow with the square of a text."""
    skips = options.max_skips
    return options.max_order > _MAX_ORDER_OF_FEW or any(
        skip is None or skip > _MAX_SKIP_OF_FEW for skip in skips
    )


def _sentences_of_texts(
    texts: Sequence[str], options: TokenizerOptions
) -> list[Units] | None:
    """Return the words of each line of each text, or None as above."""
    rows = []
    for text in texts:
        sentences = plain_words_of_texts(text.split("\n"), options, False)
        if sentences is None:
            return None
        rows.append(list(filter(None, sentences)))
    return rows
