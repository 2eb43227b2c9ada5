"""Texts -> tokens and matches of pairs, as the Perl script ROUGE-1.5.5 reads them.

Facts about what the script does, found by running it; none of its code is here. Lines
are sentences. A limit on words or bytes is applied to the raw lines; under a limit on
bytes the reader for L and W keeps lines that the reader for the other measures cuts.

Matches come from the same kernels as everywhere, each when a measure first asks for it.
Python loops run over lines for a limit.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...ground.lazy import lazy_property
from ...ground.ragged import dense_ids, sums_of_groups
from ...ground.tokens import ABSENT, SharedTokens, Tokens, paired, shared_tokens
from ...kernels.lcs.union import union_lcs_mask
from ...kernels.ngrams import ngram_matches
from ...kernels.skip_bigrams import skip_bigram_matches
from ...text.tokenizers import tokenized
from ..options.checked import RougeOptions


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
        Number of (pair, token) of each reference token of `lines`; of tokens that no
        table matches it may be ABSENT.
    n_allowed : ndarray of int64
        How many positions with that number may be hits.
    options : RougeOptions
    """

    tokens: SharedTokens
    lines: SharedTokens
    id_of_reference_token: np.ndarray
    n_allowed: np.ndarray
    options: RougeOptions

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
        if not options.max_bytes:
            return cls.of_sides(sides, options)
        shared = shared_tokens(*sides)
        line_sides = paired(tokens.between(n_texts, 2 * n_texts), reference_offsets)
        keys = [
            side.ids.row_of_value * tokens.n_types + side.ids.values
            for side in (*sides, line_sides[1])
        ]
        (prediction_id, reference_id, line_id), key_of_id = dense_ids(keys)
        n_allowed = clipped_counts_of_ids(prediction_id, reference_id, len(key_of_id))
        return cls(shared, shared_tokens(*line_sides), line_id, n_allowed, options)

    @classmethod
    def of_sides(
        cls, sides: tuple[Tokens, Tokens], options: RougeOptions
    ) -> DocumentPairs:
        """Pair predictions and references that both readers see alike."""
        shared = shared_tokens(*sides)
        prediction_id, reference_id = (side.ids.values for side in shared.sides)
        n_allowed = clipped_counts_of_ids(prediction_id, reference_id, shared.n_ids)
        return cls(shared, shared, reference_id, n_allowed, options)

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
        return ngram_matches(self.tokens, self.options.max_order)

    @lazy_property
    def skip_bigram_matches(self) -> dict[int | None, np.ndarray]:
        """Matches of each `max_skip`, ndarrays of int64, shape (n_pairs,)."""
        return {
            max_skip: skip_bigram_matches(self.tokens, max_skip)
            for max_skip in self.options.max_skips
        }

    @lazy_property
    def lcs_matches(self) -> np.ndarray:
        """Hits of L, ndarray of int64, shape (n_pairs,)."""
        position = np.flatnonzero(union_lcs_mask(self.lines))
        marked = self.id_of_reference_token[position]
        hits = np.minimum(
            np.bincount(marked, minlength=len(self.n_allowed)), self.n_allowed
        )
        pair_of_id = np.zeros(len(hits), dtype=np.int64)
        pair_of_id[marked] = self.lines.reference.ids.row_of_value[position]
        return sums_of_groups(hits, pair_of_id, self.n_pairs)


def clipped_counts_of_ids(
    prediction_id: np.ndarray, reference_id: np.ndarray, n_ids: int
) -> np.ndarray:
    """Return how often, at most, both sides have each id; ABSENT does not count.

    Result: ndarray of int64, shape (n_ids,).
    """
    counts = (
        np.bincount(ids - ABSENT, minlength=n_ids + 1)[1:]
        for ids in (prediction_id, reference_id)
    )
    return np.minimum(*counts)


# --- limits ---------------------------------------------------------------------------

_PERL_BLANKS = re.compile(r"[ \t\n\r\f\v]+")  # a vertical tab is one since Perl 5.18


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
    words = _PERL_BLANKS.split(line)
    if not any(words):
        return []
    return words if words[-1] else words[:-1]
