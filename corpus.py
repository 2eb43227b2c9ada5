"""What the user passed as predictions and references -> a checked corpus, or an error.

Every error about the data is raised here, before any work: it names the argument, where
in the data, what it must be and what it was. Nothing is converted but the kind of list.
`evaluate` itself looks at the first example only and turns the others into strings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from .list_likes import as_list, is_listlike
from .messages import hint, shown
from .ragged import batches, flattened, offsets_of_lengths

# Texts of both sides that are scored together: some 2,000 pairs of short summaries.
_CHUNK_CHARACTERS = 1 << 20
_MIN_PART_CHARACTERS = 1 << 17  # smaller ones would cost more than they spare
_CHARACTERS_OF_TOKEN = 5


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

    def __len__(self) -> int:
        return len(self.predictions)

    def chunks(self, n_parts: int = 1) -> list[tuple[int, int]]:
        """Return ranges (first, end) of items to be scored together.

        They are of bounded size; a corpus that is worth it has `n_parts` of them or more.
        """
        n_prediction, n_reference = (
            np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
            for texts in (self.predictions, self.references)
        )
        # A prediction is held against each of its references.
        size = n_prediction * np.diff(self.reference_offsets) + 1
        size += np.add.reduceat(n_reference, self.reference_offsets[:-1])
        unit = _CHARACTERS_OF_TOKEN if self.is_tokenized else 1
        part = max(int(size.sum()) * unit // n_parts, _MIN_PART_CHARACTERS)
        return list(batches(size, min(part, _CHUNK_CHARACTERS) // unit))

    def texts_of_items(self, first: int, end: int) -> tuple[list[Any], np.ndarray]:
        """Return the predictions of a range of items followed by their references, and
        the offsets of the items' references among those.
        """
        offsets = self.reference_offsets[first : end + 1]
        return self.predictions[first:end] + self.references[
            offsets[0] : offsets[-1]
        ], offsets - offsets[0]

    @property
    def references_of_items(self) -> list[list[Any]]:
        bounds = self.reference_offsets.tolist()
        return [self.references[start:end] for start, end in pairwise(bounds)]


def checked_corpus(predictions: Any, references: Any) -> Corpus:
    """Return predictions and references in one form.

    Parameters
    ----------
    predictions : list of str, or list of lists of str
        Texts or lists of tokens. Tuples, numpy arrays, pandas Series and columns of
        datasets are lists too.
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
    if predictions is None or references is None:
        missing = "predictions" if predictions is None else "references"
        raise ValueError(
            f"{missing} is missing: give predictions and references together"
        )
    predictions = as_list(
        predictions, "predictions", "a list of strings or of lists of tokens"
    )
    references = as_list(
        references,
        "references",
        "a list with one reference, or one list of references, for each prediction",
    )
    if len(predictions) != len(references):
        remedy = ""
        if references and all(
            is_listlike(item) and len(item) == len(predictions) for item in references
        ):
            remedy = ": give one list of references for each prediction, not one for each set of references"
        raise ValueError(
            f"predictions and references must have the same length, got {len(predictions)} and {len(references)}{remedy}"
        )
    if not predictions:
        return Corpus([], [], np.zeros(1, dtype=np.int64), False)
    if isinstance(predictions[0], str):
        return _text_corpus(predictions, references)
    if is_listlike(predictions[0]):
        return _token_corpus(predictions, references)
    raise TypeError(
        f"predictions[0] must be a string or a list of tokens, got {shown(predictions[0])}{hint(predictions[0])}"
    )


def checked_item(prediction: Any, reference: Any) -> Corpus:
    """Return one prediction and its reference or references as a corpus of one item;
    errors as from `checked_corpus`.
    """
    if prediction is None or reference is None:
        missing = "prediction" if prediction is None else "reference"
        raise ValueError(
            f"{missing} is missing: give prediction and reference together"
        )
    try:
        return checked_corpus([prediction], [reference])
    except (TypeError, ValueError) as error:
        message = (
            str(error)
            .replace("predictions[0]", "prediction")
            .replace("references[0]", "reference")
        )
        raise type(error)(message) from None


def _text_corpus(predictions: list[Any], references: list[Any]) -> Corpus:
    _check_strings(predictions, "predictions[{}]", "a string like predictions[0]")
    if isinstance(references[0], str):
        _check_strings(references, "references[{}]", "a string like references[0]")
        return Corpus(predictions, references, np.arange(len(references) + 1), False)
    lists = [
        as_list(item, f"references[{i}]", _TEXT_REFERENCES)
        for i, item in enumerate(references)
    ]
    flat, offsets = flattened(lists)
    if not _are_strings(flat):
        for i, item in enumerate(lists):
            _check_strings(item, f"references[{i}][{{}}]", "a string")
    _check_not_empty(offsets)
    _check_encodable(flat, partial(_place_in_lists, "references[{}][{}]", offsets))
    return Corpus(predictions, flat, offsets, False)


_TEXT_REFERENCES = "a string or a list of strings, the same for all items"
_TOKEN_REFERENCES = (
    "a list of tokens, or a list of such lists, since predictions are lists of tokens"
)


def _token_corpus(predictions: list[Any], references: list[Any]) -> Corpus:
    predictions = _checked_token_lists(
        predictions, "predictions[{}]", "a list of tokens like predictions[0]"
    )
    if (
        all(len(tokens) == 1 for tokens in predictions)
        and len(predictions[0][0].split()) > 1
    ):
        raise ValueError(
            f"predictions[0] is a list with one text, which would count as one token, got {shown(predictions[0])}: give the text itself"
        )
    lists = [
        as_list(item, f"references[{i}]", _TOKEN_REFERENCES)
        for i, item in enumerate(references)
    ]
    first = next((item[0] for item in lists if item), "")
    if isinstance(first, str):  # one reference each; [] is a reference without tokens
        return Corpus(
            predictions,
            _checked_token_lists(lists, "references[{}]", _TOKEN_REFERENCES),
            np.arange(len(lists) + 1),
            True,
        )
    _check_not_empty(offsets_of_lengths(np.array([len(item) for item in lists])))
    checked = [
        _checked_token_lists(item, f"references[{i}][{{}}]", "a list of tokens")
        for i, item in enumerate(lists)
    ]
    flat, offsets = flattened(checked)
    return Corpus(predictions, flat, offsets, True)


def _checked_token_lists(
    lists: list[Any], place: str, expected: str
) -> list[list[str]]:
    lists = [as_list(item, place.format(i), expected) for i, item in enumerate(lists)]
    flat, offsets = flattened(lists)
    if not _are_strings(flat):
        for i, item in enumerate(lists):
            _check_strings(item, place.format(i) + "[{}]", "a string")
    _check_encodable(flat, partial(_place_in_lists, place + "[{}]", offsets))
    return lists


def _check_not_empty(offsets: np.ndarray) -> None:
    is_empty = np.diff(offsets) == 0
    if is_empty.any():
        raise ValueError(
            f"references[{int(is_empty.argmax())}] is empty: each prediction needs at least one reference"
        )


def _check_strings(column: list[Any], place: str, expected: str) -> None:
    """Raise where an element is not a string; `place` says where it stands, with {} for
    its index.
    """
    if not _are_strings(column):
        index, value = next(
            (i, value) for i, value in enumerate(column) if not isinstance(value, str)
        )
        raise TypeError(
            f"{place.format(index)} must be {expected}, got {shown(value)}{hint(value)}"
        )
    _check_encodable(column, place.format)


def _are_strings(column: Iterable[Any]) -> bool:
    return all(issubclass(kind, str) for kind in set(map(type, column)))


def _check_encodable(texts: list[str], place: Callable[[int], str]) -> None:
    """Raise where a text has a lone surrogate, half of a character, which no file or
    column of text can hold.
    """
    for index, text in enumerate(texts):
        if text.isascii():
            continue
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise ValueError(
                f"{place(index)} must be valid Unicode text, got a lone surrogate {text[error.start]!a} at position {error.start}"
            ) from None


def _place_in_lists(place: str, offsets: np.ndarray, index: int) -> str:
    row = int(np.searchsorted(offsets, index, side="right")) - 1
    return place.format(row, index - int(offsets[row]))
