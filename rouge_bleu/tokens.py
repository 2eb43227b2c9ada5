"""Tokens of a column of texts, as ids: of one side, of both sides, and by sentence.

    Tokens        the ids of a column, their strings, and the sentence of each token
    SharedTokens  both sides with tokens numbered per example; -1 if the other side lacks it
    Sentences     the positions of the tokens of each sentence of a side

An *example* is a prediction with its references; a *pair* is one with a single reference. ROUGE counts
pairs (`pair_sides`), BLEU examples (`split_sides`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, starmap
from typing import Any

import numpy as np

from .arrays import (
    ArrowArray,
    Ragged,
    arrow_strings,
    flatten_with_offsets,
    is_run_start,
    lazy_property,
    number_shared_keys,
    numpy_of_arrow,
    offsets_of_lengths,
)

UNSHARED = -1  # the id of a token that the other side lacks

_MAX_KEYS = 1 << 19  # of the table that numbers tokens


@dataclass(frozen=True)
class Tokens:
    """Tokens of a column of texts."""

    ids: Ragged  # equal ids are equal tokens, int64, one row per text
    compute_sentences: Callable[[], np.ndarray]  # called if needed: most scores need only ids
    n_ids: int  # all ids are lower
    compute_vocabulary: Any = None  # for `vocabulary`; None if tokens are numbered per example

    @lazy_property
    def vocabulary(self) -> ArrowArray:
        """The string of each id, pyarrow array of large_string, shape (n_ids,)."""
        return self.compute_vocabulary()

    @lazy_property
    def sentence_of_token(self) -> np.ndarray:
        """The sentence of each token, ascending over all texts, int64, shape (n_tokens,)."""
        return self.compute_sentences()

    def slice_texts(self, first: int, end: int) -> Tokens:
        """Return the tokens of the texts first..end-1."""
        offsets = self.ids.offsets[first : end + 1]
        place = slice(offsets[0], offsets[-1])
        ids = Ragged(self.ids.values[place], offsets - offsets[0])
        return Tokens(ids, lambda: self.sentence_of_token[place], self.n_ids)

    def take(self, texts: np.ndarray) -> Tokens:
        """Return the tokens of the given texts, in that order, with sentences numbered anew."""
        index, offsets = self.ids.value_indices(texts)

        def sentence_of_token() -> np.ndarray:
            is_first = is_run_start(self.sentence_of_token[index])
            is_first[offsets[:-1][offsets[:-1] < offsets[1:]]] = True
            return is_first.cumsum() - 1

        return Tokens(Ragged(self.ids.values[index], offsets), sentence_of_token, self.n_ids)

    def to_lists(self) -> list[list[str]]:
        vocabulary = self.vocabulary.to_pylist()
        return [[vocabulary[token] for token in row] for row in self.ids.to_lists()]

    def map_vocabulary(self, rename: Callable[[str], str]) -> Tokens:
        """Return the tokens with each type renamed; types with equal names are merged."""
        names = arrow_strings(map(rename, self.vocabulary.to_pylist())).dictionary_encode()
        new_id = numpy_of_arrow(names.indices).astype(np.int64)
        ids = self.ids.with_values(new_id[self.ids.values])
        types = names.dictionary
        return replace(self, ids=ids, n_ids=len(types), compute_vocabulary=lambda: types)

    def expand(self, parts_of_token: Callable[[str], Sequence[str]]) -> Tokens:
        """Return the tokens with each type replaced by any number of parts."""
        parts = tokens_of_lists(list(map(parts_of_token, self.vocabulary.to_pylist())))
        index, offsets_of_token = parts.ids.value_indices(self.ids.values)
        ids = Ragged(parts.ids.values[index], offsets_of_token[self.ids.offsets])
        n_parts = parts.ids.lengths[self.ids.values]
        return replace(
            parts, ids=ids, compute_sentences=lambda: self.sentence_of_token.repeat(n_parts)
        )

    def without(self, dropped: Collection[str]) -> Tokens:
        is_in_use = [word not in dropped for word in self.vocabulary.to_pylist()]
        is_kept = np.array(is_in_use, dtype=bool)[self.ids.values]
        ids = self.ids.keep(is_kept)
        return replace(self, ids=ids, compute_sentences=lambda: self.sentence_of_token[is_kept])


def tokens_of_lists(lists: Sequence[Sequence[str]]) -> Tokens:
    """Return lists of tokens as they are; each list is a sentence."""
    flat, offsets = flatten_with_offsets(lists)
    encoded = arrow_strings(flat).dictionary_encode()
    ids = Ragged(numpy_of_arrow(encoded.indices).astype(np.int64), offsets)
    return Tokens(
        ids, lambda: ids.row_of_value, len(encoded.dictionary), lambda: encoded.dictionary
    )


# --- two sides ------------------------------------------------------------------------


def example_of_reference(reference_offsets: np.ndarray) -> np.ndarray:
    """Return the example of each reference, int64, shape (n_references,)."""
    lengths = reference_offsets[1:] - reference_offsets[:-1]
    return np.arange(len(lengths)).repeat(lengths)


def split_sides(tokens: Tokens, reference_offsets: np.ndarray) -> tuple[Tokens, Tokens]:
    """Split a column of predictions followed by all references, one row per example, into the sides."""
    n_examples = len(reference_offsets) - 1
    end = n_examples + int(reference_offsets[-1])
    return tokens.slice_texts(0, n_examples), tokens.slice_texts(n_examples, end)


def pair_sides(tokens: Tokens, reference_offsets: np.ndarray) -> tuple[Tokens, Tokens]:
    """Return the two sides with each prediction once for each of its references."""
    prediction, reference = split_sides(tokens, reference_offsets)
    if reference.ids.n_rows == prediction.ids.n_rows:  # one reference each
        return prediction, reference
    return prediction.take(example_of_reference(reference_offsets)), reference


@dataclass(frozen=True)
class SharedTokens:
    """Both sides with tokens numbered per example (ROUGE: per pair); -1 if the other side lacks it."""

    prediction: Tokens  # one row per example
    reference: Tokens  # one row per reference
    example_of_reference: np.ndarray  # ascending, int64; `arange(n_examples)` if examples are pairs
    example_of_id: np.ndarray  # example of each number, ascending, int64, shape (n_ids,)

    @property
    def n_examples(self) -> int:
        return self.prediction.ids.n_rows

    @property
    def n_ids(self) -> int:
        """Number of (example, token) that both sides have."""
        return len(self.example_of_id)

    @property
    def sides(self) -> tuple[Tokens, Tokens]:
        return self.prediction, self.reference

    @property
    def lengths(self) -> tuple[np.ndarray, np.ndarray]:
        """The numbers of tokens of predictions and of references."""
        return self.prediction.ids.lengths, self.reference.ids.lengths

    @lazy_property
    def first_id_of_example(self) -> np.ndarray:
        """Where the numbers of each example start, int64, shape (n_examples + 1,)."""
        return self.example_of_id.searchsorted(np.arange(self.n_examples + 1))

    @lazy_property
    def sentences_of_shared(self) -> tuple[Sentences, Sentences]:
        """The sentences of both sides, of those tokens that the other side has too."""
        prediction, reference = (
            Sentences.from_side(side, (side.ids.values != UNSHARED).nonzero()[0])
            for side in self.sides
        )
        return prediction, reference


def number_tokens(
    prediction: Tokens, reference: Tokens, example_of_reference: np.ndarray | None = None
) -> SharedTokens:
    """Number the tokens of each example of two sides that were tokenized together.

    Of the examples `a b a` with `b a c`, and `a c` with `c`, each side lacks some tokens:

        prediction    a b a   a c          reference    b a c   c
        number        1 0 1  -1 2          number       0 1 -1  2
    """
    if example_of_reference is None:
        example_of_reference = np.arange(reference.ids.n_rows)
    n_ids = max(prediction.n_ids, reference.n_ids, 1)
    prediction_key = prediction.ids.row_of_value * n_ids + prediction.ids.values
    example_of_token = example_of_reference.repeat(reference.ids.lengths)
    reference_key = example_of_token * n_ids + reference.ids.values

    # A table has an entry for each id in each of some examples.
    n_examples = prediction.ids.n_rows
    n_examples_of_range = max(_MAX_KEYS // n_ids, 1)
    first_example = np.append(np.arange(0, n_examples, n_examples_of_range), n_examples)
    first_reference = example_of_reference.searchsorted(first_example)
    of_prediction, of_reference = (
        starmap(slice, pairwise(offsets.tolist()))
        for offsets in (
            prediction.ids.offsets[first_example],
            reference.ids.offsets[first_reference],
        )
    )
    first_key = (first_example[:-1] * n_ids).tolist()
    prediction_id, reference_id, place = number_shared_keys(
        prediction_key,
        reference_key,
        min(n_examples_of_range, n_examples) * n_ids,
        zip(first_key, of_prediction, of_reference, strict=True),
    )
    n_ids = len(place)
    return SharedTokens(
        Tokens(
            prediction.ids.with_values(prediction_id), lambda: prediction.sentence_of_token, n_ids
        ),
        Tokens(reference.ids.with_values(reference_id), lambda: reference.sentence_of_token, n_ids),
        example_of_reference,
        prediction.ids.row_of_value[place],
    )


@dataclass(frozen=True)
class Sentences:
    """The sentences of one side, of all its tokens or of some; one without any has no number."""

    side: Tokens
    token_index: Ragged  # index of each token among all tokens of this side, one row per sentence

    @classmethod
    def from_side(cls, side: Tokens, place: np.ndarray | None = None) -> Sentences:
        """Return the sentences of the tokens at `place`, ascending, or of all tokens."""
        if place is None:
            place = np.arange(len(side.sentence_of_token))
        first = is_run_start(side.sentence_of_token[place]).nonzero()[0]
        return cls(side, Ragged(place, np.append(first, len(place))))

    @lazy_property
    def text_of_sentence(self) -> np.ndarray:
        """The text of each sentence, ascending, int64, shape (n_sentences,)."""
        return self.side.ids.row_of_value[self.token_index.values[self.token_index.offsets[:-1]]]

    @lazy_property
    def by_text(self) -> Ragged:
        """The sentences of each text, int64, one row per text."""
        n_sentences = np.bincount(self.text_of_sentence, minlength=self.side.ids.n_rows)
        return Ragged(np.arange(len(self.text_of_sentence)), offsets_of_lengths(n_sentences))

    @lazy_property
    def ids(self) -> Ragged:
        """The token ids of each sentence, int64, one row per sentence."""
        return self.token_index.with_values(self.side.ids.values[self.token_index.values])
