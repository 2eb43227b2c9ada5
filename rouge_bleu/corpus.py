"""What the user passed as predictions and references -> a checked corpus, or an error.

Every error about the data is raised here, before any work: it names the argument, where
in the data, what it must be and what it was. Nothing is converted but the kind of list.
`evaluate` itself looks at the first example only and turns the others into strings.

`checked_corpus` and `checked_item` judge a text by itself, so that they refuse the same
whether a corpus comes at once, in batches or by item. What only the whole corpus tells
is left to `data/texts_in_lists.py`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, pairwise
from typing import Any

import numpy as np

from .arrays import batches, flattened, offsets_of_lengths
from .data.list_likes import as_list, check_not_numbers, hint_of_container, is_listlike
from .lazy import lazy_property
from .messages import hint, shown, warn_caller

# Texts of both sides that are scored together: some 2,000 pairs of short summaries.
_CHUNK_CHARACTERS = 1 << 20
_MIN_PART_CHARACTERS = 1 << 17  # smaller ones would cost more than they spare
_CHUNKS_OF_WORKER = 3  # at least, as workers may not be equally fast
_ROOM = 1.01  # in chunks of the same size, for items that do not fill them up
_CHARACTERS_OF_TOKEN = 5


# A prediction and its references: texts, or lists of tokens.
Item = tuple[Any, list[Any]]


@dataclass(frozen=True)
class Corpus:
    """Predictions and their references.

    Parameters
    ----------
    predictions : list
        Texts, or lists of tokens.
    references : list
        The references of all items, one after the other, in the same form as the
        predictions.
    reference_offsets : ndarray of int64, shape (n_items + 1,)
        The references of item i are
        `references[reference_offsets[i]:reference_offsets[i + 1]]`.
    is_tokenized : bool
        Whether the texts are lists of tokens.
    """

    predictions: list[Any]
    references: list[Any]
    reference_offsets: np.ndarray
    is_tokenized: bool

    @classmethod
    def of_items(cls, items: Sequence[Item]) -> Corpus:
        """Return the corpus of items that were checked before."""
        references, offsets = flattened([of_item for _, of_item in items])
        is_tokenized = bool(items) and not isinstance(items[0][0], str)
        return cls([text for text, _ in items], references, offsets, is_tokenized)

    @classmethod
    def joined(cls, parts: Iterable[Corpus]) -> Corpus:
        """Return the items of all parts, which have one form, in their order."""
        parts = [part for part in parts if len(part)]
        if len(parts) < 2:
            return parts[0] if parts else cls.of_items([])
        n_references = [np.diff(part.reference_offsets) for part in parts]
        return cls(
            list(chain.from_iterable(part.predictions for part in parts)),
            list(chain.from_iterable(part.references for part in parts)),
            offsets_of_lengths(np.concatenate(n_references)),
            parts[0].is_tokenized,
        )

    def copied(self) -> Corpus:
        """Return the corpus in lists that nobody else can change."""
        predictions, references = list(self.predictions), list(self.references)
        if self.is_tokenized:
            predictions, references = (list(map(list, predictions)), list(map(list, references)))
        return replace(self, predictions=predictions, references=references)

    def __len__(self) -> int:
        return len(self.predictions)

    @property
    def n_characters(self) -> int:
        """About how many characters are scored; tokens count as some."""
        return int(self._size_of_item.sum()) * self._characters_of_unit

    def chunks(self, n_workers: int = 1, most: int | None = None) -> list[tuple[int, int]]:
        """Return ranges (first, end) of items to be scored together.

        They have about the same size, up to a limit, `most` characters. Each worker gets
        the same number of them: a few, so that none waits long for the last one, as each
        has a price.
        """
        most = most or _CHUNK_CHARACTERS
        if len(self) == 1:
            return [(0, 1)]
        n_chunks = _ROOM * self.n_characters / most
        if n_workers == 1 and n_chunks <= 1:
            return [(0, len(self))]
        if n_workers > 1:
            n_chunks = max(math.ceil(n_chunks / n_workers), _CHUNKS_OF_WORKER)
            n_chunks *= n_workers
        size = _ROOM * self.n_characters / math.ceil(n_chunks)
        limit = min(max(size, _MIN_PART_CHARACTERS), most)
        return list(batches(self._size_of_item, int(limit) // self._characters_of_unit))

    @lazy_property
    def _size_of_item(self) -> np.ndarray:
        """Characters or tokens of all pairs of an item, ndarray of int64."""
        n_prediction, n_reference = (
            np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
            for texts in (self.predictions, self.references)
        )
        # A prediction is held against each of its references.
        size = n_prediction * np.diff(self.reference_offsets) + 1
        return size + np.add.reduceat(n_reference, self.reference_offsets[:-1])

    @property
    def _characters_of_unit(self) -> int:
        return _CHARACTERS_OF_TOKEN if self.is_tokenized else 1

    def part(self, first: int, end: int) -> Corpus:
        """Return a range of items as a corpus."""
        texts, offsets = self.texts_of_items(first, end)
        size = end - first
        return Corpus(texts[:size], texts[size:], offsets, self.is_tokenized)

    def texts_of_items(self, first: int, end: int) -> tuple[list[Any], np.ndarray]:
        """Return the predictions of a range of items followed by their references, and
        the offsets of the items' references among those.
        """
        offsets = self.reference_offsets[first : end + 1]
        references = self.references[offsets[0] : offsets[-1]]
        return self.predictions[first:end] + references, offsets - offsets[0]

    @property
    def items(self) -> list[Item]:
        """Each prediction with its references."""
        return list(zip(self.predictions, self.references_of_items, strict=True))

    @property
    def references_of_items(self) -> list[list[Any]]:
        bounds = self.reference_offsets.tolist()
        return [self.references[start:end] for start, end in pairwise(bounds)]


# What stands at an index is called so in errors, as in "references[3]".
Place = Callable[[int], str]
# From what stands there to what may help, or "".
Hint = Callable[[Any], str]

_CORPUS = "a list of strings or of lists of tokens"
_REFERENCES = "a list with one reference, or one list of references, for each prediction"
_TOKENS = "a list of tokens like predictions[0]"
_TEXT_REFERENCES = "a string or a list of strings, the same for all items"
_TOKEN_REFERENCES = (
    "a list of tokens, or a list of such lists, since predictions are lists of tokens"
)


def checked_corpus(predictions: Any, references: Any) -> Corpus:
    """Return predictions and references in one form.

    Lists of tokens may still be texts in lists (`data/texts_in_lists.py`).

    Parameters
    ----------
    predictions : list of str, or list of lists of str
        Texts or lists of tokens. Tuples, numpy arrays, Series of pandas and polars,
        Arrow arrays and columns of datasets are lists too.
    references : list
        For each prediction one reference or a list of references, each of the form of a
        prediction.

    Raises
    ------
    TypeError
        Something is not a string or not a list.
    ValueError
        The lengths differ, an item has no reference, or a string holds a lone
        surrogate.
    """
    _check_given(predictions=predictions, references=references)
    check_not_numbers(predictions, "predictions", _CORPUS)
    check_not_numbers(references, "references", _REFERENCES)
    predictions = as_list(predictions, "predictions", _CORPUS)
    references = as_list(references, "references", _REFERENCES)
    if len(predictions) != len(references):
        raise ValueError(
            "predictions and references must have the same length, got "
            f"{len(predictions)} and {len(references)}" + _hint_of_lengths(predictions, references)
        )
    if not predictions:
        return Corpus.of_items([])
    return _corpus(predictions, references, "predictions[{}]".format, "references[{}]".format)


def checked_baseline(baseline_predictions: Any, corpus: Corpus) -> Corpus:
    """Return the predictions of another system, with the references of a corpus.

    They have the form of the corpus' own predictions, one for each of them; errors as
    from `checked_corpus`.
    """
    name = "baseline_predictions"
    check_not_numbers(baseline_predictions, name, _CORPUS)
    baseline = as_list(baseline_predictions, name, _CORPUS)
    if len(baseline) != len(corpus):
        raise ValueError(
            f"{name} must have one text for each of the {len(corpus)} predictions, got "
            f"{len(baseline)}"
        )
    place = f"{name}[{{}}]".format
    if corpus.is_tokenized:
        baseline = _token_lists(baseline, place, _TOKENS)
    else:
        _check_strings(baseline, place, "a string like predictions[0]")
    return replace(corpus, predictions=baseline)


def checked_item(prediction: Any, reference: Any) -> Corpus:
    """Return one prediction and its reference or references as a corpus of one item;
    errors as from `checked_corpus`.
    """
    _check_given(prediction=prediction, reference=reference)
    return _corpus([prediction], [reference], "prediction".format, "reference".format)


# --- hints ----------------------------------------------------------------------------

# An empty reference is one, so it is no remedy where there is none.
_NO_ITEM = "leave the item out of both sides"
_NOT_IN_LIST = "leave it out of the list"
_hint_of_reference = partial(hint, missing=_NO_ITEM)
_hint_in_list = partial(hint, missing=_NOT_IN_LIST)


def _hint_of_tokens(value: Any, missing: str = "put an empty list there") -> str:
    if isinstance(value, str):
        return ": split it into tokens as the predictions are"
    return hint(value, missing=missing)


def _hint_of_token_reference(place: str, prediction: list[str], value: Any) -> str:
    if isinstance(value, str) and any(" " in token for token in prediction):
        return (
            f", and {place} is a list of texts: an item has one prediction, and may have "
            "several references. Are the two sides swapped?"
        )
    return _hint_of_tokens(value, _NO_ITEM)


# --- forms ----------------------------------------------------------------------------


def _corpus(
    predictions: list[Any], references: list[Any], prediction: Place, reference: Place
) -> Corpus:
    """Return a corpus of at least one item; `prediction` and `reference` are the places
    of items.
    """
    first = predictions[0]
    if isinstance(first, str):
        return _text_corpus(predictions, references, prediction, reference)
    if is_listlike(first):
        return _token_corpus(predictions, references, prediction, reference)
    remedy = hint_of_container(first) or hint(first)
    raise TypeError(
        f"{prediction(0)} must be a string or a list of tokens, got {shown(first)}" + remedy
    )


def _text_corpus(
    predictions: list[Any], references: list[Any], prediction: Place, reference: Place
) -> Corpus:
    _check_strings(predictions, prediction, "a string like predictions[0]")
    if isinstance(references[0], str):
        _check_strings(references, reference, "a string like references[0]", _hint_of_reference)
        if _is_written_list(references[0]) and not _is_written_list(predictions[0]):
            _warn_of_written_lists(references, reference(0))
        return Corpus(predictions, references, np.arange(len(references) + 1), False)
    lists = _as_lists(references, reference, _TEXT_REFERENCES, _hint_of_reference)
    flat, offsets = flattened(lists)
    place = _place_in_rows(reference, offsets)
    _check_strings(flat, place, "a string", _hint_in_list)
    _check_not_empty(offsets, reference)
    return Corpus(predictions, flat, offsets, False)


def _is_written_list(text: str) -> bool:
    return text.startswith(("['", '["')) and text.endswith(("']", '"]'))


def _warn_of_written_lists(references: list[str], place: str) -> None:
    """Warn where all references are lists that became text, as in a file of CSV."""
    if all(map(_is_written_list, references)):
        warn_caller(
            f"{place} and all others are the text of a list, as pandas reads a column of "
            "lists from CSV. They are scored as they are written: give lists of texts, as "
            "JSON lines and Parquet keep them."
        )


def _token_corpus(
    predictions: list[Any], references: list[Any], prediction: Place, reference: Place
) -> Corpus:
    predictions = _token_lists(predictions, prediction, _TOKENS)
    hint_of = partial(_hint_of_token_reference, prediction(0), predictions[0])
    lists = _as_lists(references, reference, _TOKEN_REFERENCES, hint_of)
    first = next((item[0] for item in lists if item), "")
    if isinstance(first, str):  # one reference each; [] is a reference without tokens
        _check_tokens_are_strings(lists, reference)
        return Corpus(predictions, lists, np.arange(len(lists) + 1), True)
    flat, offsets = flattened(lists)
    _check_not_empty(offsets, reference)
    place = _place_in_rows(reference, offsets)
    hint_of = partial(_hint_of_tokens, missing=_NOT_IN_LIST)
    flat = _token_lists(flat, place, "a list of tokens", hint_of)
    return Corpus(predictions, flat, offsets, True)


def _token_lists(
    column: list[Any], place: Place, expected: str, hint_of: Hint = _hint_of_tokens
) -> list[list[str]]:
    lists = _as_lists(column, place, expected, hint_of)
    _check_tokens_are_strings(lists, place)
    return lists


def _as_lists(column: list[Any], place: Place, expected: str, hint_of: Hint) -> list[list[Any]]:
    """Return a column of list-likes as lists."""
    if set(map(type, column)) == {list}:
        return column
    return [as_list(item, place(index), expected, hint_of) for index, item in enumerate(column)]


# --- checks ---------------------------------------------------------------------------


def _check_given(**sides: Any) -> None:
    for name, side in sides.items():
        if side is None:
            raise ValueError(f"{name} is missing: give {' and '.join(sides)} together")


def _check_not_empty(offsets: np.ndarray, place: Place) -> None:
    is_empty = np.diff(offsets) == 0
    if is_empty.any():
        raise ValueError(
            f"{place(int(is_empty.argmax()))} is empty: each prediction needs at least "
            "one reference"
        )


def _check_tokens_are_strings(lists: list[list[Any]], place: Place) -> None:
    flat, offsets = flattened(lists)
    _check_strings(flat, _place_in_rows(place, offsets), "a string", _hint_in_list)


def _check_strings(column: list[Any], place: Place, expected: str, hint_of: Hint = hint) -> None:
    """Raise where an element is not a string, or has a lone surrogate."""
    if not all(issubclass(kind, str) for kind in set(map(type, column))):
        index, value = next(
            (i, value) for i, value in enumerate(column) if not isinstance(value, str)
        )
        remedy = (hint_of_container if isinstance(value, Mapping) else hint_of)(value)
        raise TypeError(f"{place(index)} must be {expected}, got {shown(value)}{remedy}")
    _check_encodable(column, place)


def _check_encodable(texts: list[str], place: Place) -> None:
    """Raise where a text has a lone surrogate, half of a character, which no file or
    column of text can hold.
    """
    if all(map(str.isascii, texts)):
        return
    for index, text in enumerate(texts):
        if text.isascii():
            continue
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise ValueError(
                f"{place(index)} must be valid Unicode text, got a lone surrogate "
                f"{text[error.start]!a} at position {error.start}"
            ) from None


# --- places and lengths ---------------------------------------------------------------


def _place_in_rows(place_of_row: Place, offsets: np.ndarray) -> Place:
    """Return the place of what stands at an index among all rows together."""

    def place(index: int) -> str:
        row = int(np.searchsorted(offsets, index, side="right")) - 1
        return f"{place_of_row(row)}[{index - int(offsets[row])}]"

    return place


def _hint_of_lengths(predictions: list[Any], references: list[Any]) -> str:
    is_by_rank = bool(references) and all(
        is_listlike(item) and len(item) == len(predictions) for item in references
    )
    if is_by_rank:
        return (
            ": give one list of references for each prediction, not one for each set of references"
        )
    return ""
