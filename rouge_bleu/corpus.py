"""Predictions and references as the user passed them -> a checked corpus, or an error.

Errors about the data are raised here, before texts are tokenized; only ROUGE-W of ROUGE-1.5.5 refuses
a reference without tokens later. An error names the argument, the position, the expected and
the given value. `checked_corpus` and `checked_example` check each text separately, so they
reject the same texts in any batches; `check_token_lists` makes the checks that need the whole corpus.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, MappingView, Sequence, Set
from dataclasses import dataclass, replace
from itertools import chain, filterfalse, pairwise
from typing import Any

import numpy as np

from .arrays import batches, flatten_with_offsets, lazy_property
from .messages import shown
from .text.words import LETTER_OF_UNSPACED

_CHUNK_CHARACTERS = 1 << 20  # of both sides: some 2,000 pairs of short summaries
_LARGE_CHUNK_CHARACTERS = 1 << 24
_MIN_CHUNK_CHARACTERS = 1 << 17  # smaller chunks cost more than they save
_MIN_CHUNKS_PER_WORKER = 3  # as workers may not be equally fast
_CHUNK_SIZE_SLACK = 1.01  # chunks of the same size are not filled exactly
_CHARACTERS_OF_TOKEN = 5

# Patterns of so many letters take milliseconds to compile, so `re` does when they are needed.
_LONG_UNSPACED = LETTER_OF_UNSPACED + "{9}"  # words have fewer letters

_KEYS_OF_TEXT = ("generated_text", "summary_text", "translation_text", "content", "text")

_EXPECTED_CORPUS = "a list of strings or of lists of tokens"
_EXPECTED_REFERENCES = "a list with a reference, or a list of references, for each prediction"

Example = tuple[Any, list[Any]]  # a prediction and its references: texts, or lists of tokens
Namer = Callable[[int], str]  # from an index to its name in errors, as "references[3]"
Hint = Callable[[Any], str]  # from the given value to the end of the error


@dataclass(frozen=True)
class Corpus:
    """Predictions and their references."""

    predictions: list[Any]  # texts, or lists of tokens
    references: list[Any]  # of all examples, in sequence
    # int64, shape (n_examples + 1,): the references of example i are
    # references[reference_offsets[i]:reference_offsets[i + 1]].
    reference_offsets: np.ndarray
    is_tokenized: bool  # whether predictions and references are lists of tokens

    @classmethod
    def of_examples(cls, examples: Sequence[Example]) -> Corpus:
        """Return the corpus of already checked examples."""
        references, offsets = flatten_with_offsets([of_example for _, of_example in examples])
        return cls([text for text, _ in examples], references, offsets, are_tokenized(examples))

    def __len__(self) -> int:
        return len(self.predictions)

    @lazy_property
    def fits_one_chunk(self) -> bool:
        """Whether all of it is one chunk, and far from the limit."""
        n_characters = sum(map(len, self.predictions)) + sum(map(len, self.references))
        n_most = 1 + len(self.references) - len(self.predictions)  # references of an example
        return n_characters * n_most * _CHARACTERS_OF_TOKEN < _CHUNK_CHARACTERS

    @property
    def n_pair_characters(self) -> int:
        """About how many characters are compared."""
        return int(self._n_characters_of_example.sum())

    def chunk_ranges(self, n_workers: int = 1, *, are_large: bool = False) -> list[tuple[int, int]]:
        """Return ranges (first, end) of about the same size, as many for each worker."""
        limit = _LARGE_CHUNK_CHARACTERS if are_large else _CHUNK_CHARACTERS
        total = _CHUNK_SIZE_SLACK * self.n_pair_characters
        least = 1 if n_workers == 1 else _MIN_CHUNKS_PER_WORKER
        n_chunks = n_workers * max(math.ceil(total / limit / n_workers), least)
        size = min(max(total / n_chunks, _MIN_CHUNK_CHARACTERS), limit)
        return list(batches(self._n_characters_of_example, int(size)))

    @lazy_property
    def _n_characters_of_example(self) -> np.ndarray:
        """Characters of all pairs of each example, int64; a token counts as five."""
        prediction, reference = (
            np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
            for texts in (self.predictions, self.references)
        )
        offsets = self.reference_offsets
        size = prediction * np.diff(offsets) + 1 + np.add.reduceat(reference, offsets[:-1])
        return size * _CHARACTERS_OF_TOKEN if self.is_tokenized else size

    def texts_and_offsets(self, first: int, end: int) -> tuple[list[Any], np.ndarray]:
        """Return predictions of a range followed by their references, and the offsets of these."""
        offsets = self.reference_offsets[first : end + 1]
        references = self.references[offsets[0] : offsets[-1]]
        return self.predictions[first:end] + references, offsets - offsets[0]

    @property
    def examples(self) -> list[Example]:
        bounds = pairwise(self.reference_offsets.tolist())
        references = [self.references[start:end] for start, end in bounds]
        return list(zip(self.predictions, references, strict=True))


def are_tokenized(examples: Sequence[Example]) -> bool:
    """Whether these examples, which were checked before, are lists of tokens."""
    return bool(examples) and not isinstance(examples[0][0], str)


def checked_corpus(predictions: Any, references: Any) -> Corpus:
    """Return predictions and references in one form, or raise a TypeError or ValueError."""
    _check_both_given(predictions=predictions, references=references)
    check_same_labels(predictions=predictions, references=references)
    predictions = as_list(predictions, "predictions", _EXPECTED_CORPUS, _remedy)
    references = as_list(references, "references", _EXPECTED_REFERENCES, _remedy)
    if len(predictions) != len(references):
        n = len(predictions)
        message = f"predictions has {_counted(n)} and references has {len(references)}."
        if references and all(is_listlike(example) and len(example) == n for example in references):
            message += " Give one list of references for each prediction, not one for each set."
        raise ValueError(message)
    if not predictions:
        return Corpus.of_examples([])
    return _make_corpus(predictions, references, "predictions[{}]".format, "references[{}]".format)


def checked_example(prediction: Any, reference: Any) -> Corpus:
    """Return a corpus of one prediction and its reference or references; errors as above."""
    _check_both_given(prediction=prediction, reference=reference)
    return _make_corpus([prediction], [reference], "prediction".format, "reference".format)


def checked_baseline(baseline_predictions: Any, corpus: Corpus) -> Corpus:
    """Return the predictions of another system, with the references of a corpus."""
    name = "baseline_predictions"
    baseline = as_list(baseline_predictions, name, _EXPECTED_CORPUS, _remedy)
    if len(baseline) != len(corpus):
        raise ValueError(f"predictions has {_counted(len(corpus))} and {name} has {len(baseline)}.")
    baseline = _checked_column(baseline, f"{name}[{{}}]".format, corpus.is_tokenized)
    return replace(corpus, predictions=baseline)


def check_token_lists(corpus: Corpus, name: str = "predictions") -> None:
    """Raise ValueError if lists of tokens are texts in lists.

    A token may have spaces ("New York"), so there are two errors:

    * Each prediction has at most one string, and one string has several words or is long without
      spaces.
    * No string of a prediction has several words. Most strings of references have several words, or
      one has and no reference has two strings.
    """
    predictions, references = corpus.predictions, corpus.references
    if not corpus.is_tokenized:
        return
    if all(len(tokens) <= 1 for tokens in predictions):
        for index, tokens in enumerate(predictions):
            token = "".join(tokens)
            if has_several_words(token) or re.search(_LONG_UNSPACED, token):
                raise ValueError(
                    f"{name}[{index}] must be a text or a list of tokens, got a list with one "
                    f"text: {shown(tokens)}. Pass the text itself."
                )
    if not are_phrases(references) and any(len(tokens) > 1 for tokens in references):
        return
    if any(map(has_several_words, chain.from_iterable(predictions))):
        return
    for row, tokens in enumerate(references):
        if any(map(has_several_words, tokens)):
            index = np.searchsorted(corpus.reference_offsets, row, side="right") - 1
            raise ValueError(
                f"references[{index}] must be a list of tokens, like {name}, got a text: "
                f"{shown(tokens)}. Split it into tokens, or pass texts on both sides."
            )


def are_phrases(lists: list[list[str]]) -> bool:
    """Whether most strings have several words."""
    strings = list(chain.from_iterable(lists))
    # Spaces are counted in all of them at once, since most often there are few.
    n_spaces = " ".join(strings).count(" ") - (len(strings) - 1)
    if 2 * n_spaces <= len(strings):
        return False
    return 2 * sum(map(has_several_words, strings)) > len(strings)


def has_several_words(token: str) -> bool:
    """Whether there are spaces between words."""
    return len(token.split(None, 1)) > 1


# --- texts and tokens -----------------------------------------------------------------


def _make_corpus(predictions: list[Any], references: list[Any], place: Namer, of: Namer) -> Corpus:
    """Return a corpus of at least one example; `place` and `of` name predictions and references."""
    first = predictions[0]
    is_tokenized = is_listlike(first)
    if not is_tokenized and not isinstance(first, str):
        raise _type_error(place(0), "a string or a list of tokens", first)
    predictions = _checked_column(predictions, place, is_tokenized)
    if is_tokenized:
        if {*map(len, predictions)} == {1} and {*map(type, references)} <= {str, np.str_}:
            raise _type_error(place(0), f"the text itself, as {of(0)} is", predictions[0])

        def remedy(value: Any) -> str:
            is_swapped = isinstance(value, str) and any(" " in one for one in predictions[0])
            return ". Are predictions and references swapped?" if is_swapped else _remedy(value)

        lists = _as_lists(references, of, "a list of tokens, or a list of lists of tokens", remedy)
        # [] is a reference without tokens.
        is_one_each = isinstance(next((example[0] for example in lists if example), ""), str)
    else:
        lists = references
        is_one_each = all(issubclass(kind, str) for kind in set(map(type, references)))
        if not is_one_each:
            lists = [[example] if isinstance(example, str) else example for example in references]
            lists = _as_lists(lists, of, "a string or a list of strings")
    if is_one_each:
        column = _checked_column(lists, of, is_tokenized)
        return Corpus(predictions, column, np.arange(len(column) + 1), is_tokenized)
    flat, offsets = flatten_with_offsets(lists)
    is_empty = np.diff(offsets) == 0
    if is_empty.any():
        raise ValueError(f"{of(int(is_empty.argmax()))} is empty. Pass at least one reference.")
    place_of_reference = _namer_in_lists(of, offsets, references)

    def remedy_of_reference(value: Any) -> str:
        return ". Leave that reference out." if _is_missing(value) else _remedy(value)

    flat = _checked_column(flat, place_of_reference, is_tokenized, remedy_of_reference)
    return Corpus(predictions, flat, offsets, is_tokenized)


def _remedy(value: Any) -> str:
    """Return the end of an error, with what to do about the given value."""
    if _is_missing(value):
        return '. Use "" for an empty text, or leave the example out.'
    if type(value) is int or _is_numeric_array(value):
        return ". Decode token ids to text first."
    if hasattr(value, "npartitions"):  # of dask
        return ". Pass its .compute()."
    if _is_table(value):
        return ". Pass one of its columns."
    if isinstance(value, Mapping):
        key = next((key for key in _KEYS_OF_TEXT if key in value), None)
        return ". Pass list(...) of its values." if key is None else f". Pass its {key!r}."
    if isinstance(value, Set) and not isinstance(value, MappingView):
        return ". A set has no order: pass the list that it was made from."
    is_text = isinstance(value, (str, bytes, bytearray, memoryview))
    is_scalar = is_text or getattr(value, "ndim", 1) == 0
    if hasattr(type(value), "__iter__") and not is_scalar and not is_listlike(value):
        return ". Pass list(...) of it."
    return "."


def _is_missing(value: Any) -> bool:
    is_nan = isinstance(value, (float, np.floating)) and math.isnan(value)
    return is_nan or value is None or type(value).__name__ in ("NAType", "NaTType")


def _checked_column(
    column: list[Any], place: Namer, is_tokenized: bool, hint: Hint = _remedy
) -> list[Any]:
    """Return texts, or lists of tokens, in which every element is a string."""
    if not is_tokenized:
        _check_strings(column, place, hint)
        return column
    lists = _as_lists(column, place, "a list of tokens", hint)
    flat, offsets = flatten_with_offsets(lists)
    _check_strings(flat, _namer_in_lists(place, offsets, lists), _remedy)
    return lists


def _as_lists(
    column: list[Any], place: Namer, expected: str, hint: Hint = _remedy
) -> list[list[Any]]:
    if set(map(type, column)) == {list}:
        return column
    return [as_list(example, place(index), expected, hint) for index, example in enumerate(column)]


def _namer_in_lists(place: Namer, offsets: np.ndarray, lists: list[Any]) -> Namer:
    """Return the names of the elements of lists; a value that is not a list must be a string."""

    def place_of_element(index: int) -> str:
        row = int(np.searchsorted(offsets, index, side="right")) - 1
        if isinstance(lists[row], str):
            return place(row)
        return f"{place(row)}[{index - int(offsets[row])}]"

    return place_of_element


# --- lists ----------------------------------------------------------------------------


def is_listlike(value: Any) -> bool:
    """Whether this is an ordered collection: tuples, arrays, Series, columns of datasets."""
    not_lists = (str, bytes, bytearray, memoryview, Mapping)
    if isinstance(value, not_lists) or _is_table(value):
        return False
    return isinstance(value, Sequence) or (
        _to_list_method(value) is not None and getattr(value, "ndim", 1) > 0
    )


def _is_table(value: Any) -> bool:
    return hasattr(type(value), "column_names") or hasattr(type(value), "columns")


def as_list(value: Any, place: str, expected: str, hint: Hint = lambda value: ".") -> list[Any]:
    """Return a list-like as a list; else raise a TypeError that ends in the hint."""
    if type(value) is list:
        return value
    is_matrix = getattr(value, "ndim", 1) > 1  # lists of logits would fill the memory
    if not is_listlike(value) or (is_matrix and _is_numeric_array(value)):
        raise _type_error(place, expected, value, hint)
    if to_list := _to_list_method(value):
        return to_list()
    try:
        return list(value[:])  # of a column of a dataset a slice is a list at once
    except TypeError:
        return list(value)


def _is_numeric_array(value: Any) -> bool:
    """Whether this is an array of numbers, or one of them."""
    return getattr(getattr(value, "dtype", None), "kind", "") in ("i", "u", "f")


def _type_error(place: str, expected: str, value: Any, hint: Hint = _remedy) -> TypeError:
    is_one_text = isinstance(value, str) and expected in (_EXPECTED_CORPUS, _EXPECTED_REFERENCES)
    end = ". Put it into a list." if is_one_text else hint(value)
    return TypeError(f"{place} must be {expected}, got {shown(value)}{end}")


def _to_list_method(value: Any) -> Callable[[], list[Any]] | None:
    """Return the method that turns a numpy array, a Series or an Arrow array into a list."""
    names = ("tolist", "to_pylist", "to_list")
    return next((getattr(value, name) for name in names if hasattr(value, name)), None)


# --- checks ---------------------------------------------------------------------------


def _check_both_given(**sides: Any) -> None:
    for name, side in sides.items():
        if side is None:
            raise ValueError(f"{name} is missing. Pass {' and '.join(sides)} together.")


def check_same_labels(**sides: Any) -> None:
    """Raise if two Series of pandas have the same labels in another order."""
    if not all(hasattr(side, "iloc") for side in sides.values()):
        return
    (first, other), (labels, found) = sides, (side.index for side in sides.values())
    if not labels.equals(found) and Counter(labels) == Counter(found):
        raise ValueError(
            f"{other} must have its labels in the order of {first}. Pass "
            f"{other}.loc[{first}.index], or lists to pair them by position."
        )


def _check_strings(column: list[Any], place: Namer, hint: Hint) -> None:
    """Raise if an element is not a string, or has a lone surrogate, which UTF-8 cannot encode."""
    if not all(issubclass(kind, str) for kind in set(map(type, column))):
        index, value = next((i, one) for i, one in enumerate(column) if not isinstance(one, str))
        raise _type_error(place(index), "a string", value, hint)
    for text in filterfalse(str.isascii, column):
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise ValueError(
                f"{place(column.index(text))} must be valid Unicode, got a lone surrogate "
                f"{text[error.start]!a} at position {error.start}."
            ) from None


def _counted(n: int) -> str:
    return "1 entry" if n == 1 else f"{n} entries"
