"""Columns of texts -> words: distinct strings, and which of them stands where.

A whole column is cut at once, by bytes: Arrow holds it as one buffer of UTF-8, and a
table with 256 entries says for each byte how it is written, blanks as 0. A word starts
where bytes begin that are not blank, and all words of the column go through one hash
table (`dictionary_encode`). Eight bytes are one integer: words of up to eight are hashed
as such, which takes half the time of strings. `text/words_of_scripts.py` cuts by
characters, which it writes as numbers of one byte or more.

What is done to words afterwards is done once per distinct word; Python loops run over
those.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import pyarrow as pa

from ..arrays import (
    Ragged,
    array_of_bytes,
    array_of_numbers,
    array_of_texts,
    flattened,
    joined_bytes,
    numbers_of_array,
    offsets_of_lengths,
)
from ..lazy import lazy_property

BLANK = 0  # how bytes between words are written
NEWLINE = ord("\n")

# A NUL in a text may be part of a word. No text in UTF-8 has this byte.
_WRITTEN_NUL = 0xFF
_TEXT_OF_WRITTEN = bytes([*range(_WRITTEN_NUL), 0])

_SHORT = 8  # bytes of a word that one integer holds
PADDING = " " * _SHORT  # so that eight bytes can be read from every start on
_MASKS = np.array([256**n - 1 for n in range(_SHORT + 1)], dtype="<u8")

# What separates words, as Python's `str.split` sees it: ten ASCII characters and these.
_ASCII_BLANKS = b"\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f "
_OTHER_BLANK = re.compile("[\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")


@dataclass(frozen=True)
class Words:
    """A column of texts as words.

    Parameters
    ----------
    n_types : int
        Number of distinct words.
    ids : Ragged of int64, one row per text
        `vocabulary[ids]` are the words of each text.
    sentence : ndarray of int64, shape (n_words,)
        As in `Tokens`.
    spell : callable
        Returns the vocabulary. Most scores need no more than ids.
    """

    n_types: int
    ids: Ragged
    sentence: np.ndarray
    spell: Callable[[], pa.Array]

    @classmethod
    def of_vocabulary(cls, vocabulary: pa.Array, ids: Ragged, sentence: np.ndarray) -> Words:
        """Return words of which each is in `vocabulary` once."""
        return cls(len(vocabulary), ids, sentence, lambda: vocabulary)

    @lazy_property
    def vocabulary(self) -> pa.Array:
        """Each word once, pyarrow array of large_string, shape (n_types,)."""
        return self.spell()

    def renamed(self, rename: Callable[[str], str]) -> Words:
        """Return the words with each of the vocabulary renamed.

        Equal names become one word.
        """
        names = array_of_texts(map(rename, self.vocabulary.to_pylist()))
        return Words.of_vocabulary(names, self.ids, self.sentence).merged()

    def merged(self) -> Words:
        """Return the words with each name once in the vocabulary."""
        encoded = self.vocabulary.dictionary_encode()
        new_id = numbers_of_array(encoded.indices).astype(np.int64)
        return Words.of_vocabulary(
            encoded.dictionary, self.ids.with_values(new_id[self.ids.values]), self.sentence
        )

    def split(self, parts: Words) -> Words:
        """Return the words with each of the vocabulary replaced by its parts.

        `parts` has one text for each word: none, one or several parts. The vocabulary is
        that of the parts.
        """
        index, offsets_of_word = parts.ids.index_of_rows(self.ids.values)
        ids = Ragged(parts.ids.values[index], offsets_of_word[self.ids.offsets])
        return Words.of_vocabulary(
            parts.vocabulary, ids, self.sentence.repeat(parts.ids.lengths[self.ids.values])
        )

    def without(self, dropped: Collection[str]) -> Words:
        """Return the words but for those dropped."""
        is_kept = np.array(
            [word not in dropped for word in self.vocabulary.to_pylist()], dtype=bool
        )[self.ids.values]
        return Words.of_vocabulary(self.vocabulary, self.ids.keep(is_kept), self.sentence[is_kept])


def words_of_lists(lists: Sequence[Sequence[str]]) -> Words:
    """Return lists of words as they are; each list is a sentence."""
    flat, offsets = flattened(lists)
    encoded = array_of_texts(flat).dictionary_encode()
    ids = Ragged(numbers_of_array(encoded.indices).astype(np.int64), offsets)
    return Words.of_vocabulary(encoded.dictionary, ids, ids.row_of_value)


def words_of_each(
    words_of_text: Callable[[str, bool], list[str]],
) -> Callable[[Sequence[str], bool], Words]:
    """Return a function that cuts a column of texts, one after the other."""

    def words_of_column(texts: Sequence[str], lowercase: bool) -> Words:
        return words_of_lists([words_of_text(text, lowercase) for text in texts])

    return words_of_column


def words_of_bytes(
    texts: Sequence[str], table: bytes, are_starts: Callable[[bytes], np.ndarray] | None = None
) -> Words:
    """Return the words of each text.

    Parameters
    ----------
    texts : sequence of str
        Lines are sentences.
    table : bytes
        What each byte is written as: one of `byte_tables`.
    are_starts : callable, optional
        Written bytes -> where words start, ndarray of bool, shape (n_bytes,). By default
        at the first byte of each run that is not blank. A blank stands before each text
        and behind it.

    Notes
    -----
    A word goes from its start to the next one. The blanks at its end are zeros, so it is
    the same integer with or without them.
    """
    raw, text_offsets = _bytes_of_column(texts)
    written = raw.translate(table)
    return words_of_letters(
        np.frombuffer(written, dtype=np.uint8),
        (are_starts or starts_of_runs)(written).nonzero()[0],
        text_offsets,
        (np.frombuffer(raw, dtype=np.uint8) == NEWLINE).nonzero()[0],
        _text_of_bytes,
    )


def words_of_letters(
    letter: np.ndarray,
    start: np.ndarray,
    text_offsets: np.ndarray,
    line_end: np.ndarray,
    text_of_letters: Callable[[np.ndarray, np.ndarray], pa.Array],
) -> Words:
    """Return the words of a column that is written in letters: bytes, or numbers.

    Parameters
    ----------
    letter : ndarray of unsigned integers, shape (n_letters,)
        `BLANK` for what is in no word, as at the end, where eight are.
    start : ndarray of int64, shape (n_words,)
        Where words start. A word goes up to the next one, without the blanks at its end.
    text_offsets : ndarray of int64, shape (n_texts + 1,)
        Where texts start, and the end.
    line_end : ndarray of int64
        Where lines end.
    text_of_letters : callable
        The letters of words, and where each word starts -> the words as pyarrow array of
        large_string.
    """
    id_of_word, short, long = _distinct_words(letter, start)
    return Words(
        len(short) + long.n_rows,
        Ragged(id_of_word, start.searchsorted(text_offsets)),
        lines_of_starts(start, line_end),
        partial(_spelled, short, long, text_of_letters),
    )


def blank_separated_words(texts: Sequence[str], lowercase: bool) -> Words:
    """Return what stands between blanks, the words of `str.split`."""
    texts = lowered_beyond_ascii(texts, lowercase)
    texts = replaced_where(is_not_ascii, with_ascii_blanks, texts)
    return words_of_bytes(texts, NOT_BLANK[lowercase])


# --- how bytes and texts are written --------------------------------------------------


def byte_tables(kept: bytes) -> dict[bool, bytes]:
    """Return what each byte is written as, 256 bytes, with and without lowercasing.

    Bytes that are not in `kept` are blanks. The table of True lowercases A-Z.
    """
    tables = {}
    for lowercase in (True, False):
        table = bytearray([BLANK] * 256)
        for byte, letter in zip(kept, kept.lower() if lowercase else kept, strict=True):
            table[byte] = letter or _WRITTEN_NUL
        tables[lowercase] = bytes(table)
    return tables


_DIGITS_AND_LETTERS = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
ALPHANUMERIC = byte_tables(_DIGITS_AND_LETTERS)
NOT_BLANK = byte_tables(bytes(set(range(256)) - set(_ASCII_BLANKS)))


def with_ascii_blanks(text: str) -> str:
    """Return the text with a space for each blank beyond ASCII."""
    return _OTHER_BLANK.sub(" ", text)


def is_not_ascii(text: str) -> bool:
    """Whether a table of bytes does not know all characters of a text."""
    return not text.isascii()


def replaced_where(
    is_concerned: Callable[[str], bool], replace: Callable[[str], str], texts: Sequence[str]
) -> Sequence[str]:
    """Return the texts with `replace` applied to those that are concerned."""
    return [replace(text) if is_concerned(text) else text for text in texts]


# --- where words start ----------------------------------------------------------------


def lowered_beyond_ascii(texts: Sequence[str], lowercase: bool) -> Sequence[str]:
    """Return the texts with those that are not ASCII in lowercase, if asked for.

    A-Z of the others are lowercased with their bytes.
    """
    return replaced_where(is_not_ascii, str.lower, texts) if lowercase else texts


def starts_of_runs(written: bytes) -> np.ndarray:
    """Return where runs of bytes start that are not blank.

    Result: ndarray of bool, shape (n_bytes,).

    >>> np.flatnonzero(starts_of_runs(b"\\0ab\\0\\0c")).tolist()
    [1, 5]
    """
    return starts_where(np.frombuffer(written, dtype=np.uint8) != BLANK)


def starts_where(is_in_run: np.ndarray) -> np.ndarray:
    """Return where runs of True start, ndarray of bool of the same shape."""
    is_start = is_in_run.copy()
    np.greater(is_in_run[1:], is_in_run[:-1], out=is_start[1:])
    return is_start


# --- one number for each distinct word ------------------------------------------------


def _bytes_of_column(texts: Sequence[str]) -> tuple[bytes, np.ndarray]:
    """Return all texts in UTF-8, a newline behind each, and where each text starts.

    Result: bytes, padded, and an ndarray of int64, shape (n_texts + 1,).
    """
    written, offsets = joined_bytes([*texts, PADDING], between="\n")
    return written, offsets[:-1]


def _distinct_words(letter: np.ndarray, start: np.ndarray) -> tuple[np.ndarray, np.ndarray, Ragged]:
    """Return the id of each word, and the distinct words.

    Those that one integer holds come first.

    Returns
    -------
    ids : ndarray of int64, shape (n_words,)
    short : ndarray of uint64
    long : Ragged of letters, one row per word
    """
    words = Ragged(letter, np.append(start, len(letter)))
    key, is_long = _first_eight_bytes(words)
    place_of_long = is_long.nonzero()[0]
    if not len(place_of_long):
        encoded = array_of_numbers(key).dictionary_encode()
        return (
            numbers_of_array(encoded.indices).astype(np.int64),
            numbers_of_array(encoded.dictionary),
            Ragged(letter[:0], np.zeros(1, dtype=np.int64)),
        )
    place_of_short = (~is_long).nonzero()[0]
    short = array_of_numbers(key.take(place_of_short)).dictionary_encode()
    padded = _array_of_rows(words).take(array_of_numbers(place_of_long))
    padded = padded.dictionary_encode()
    rows = _without_blanks(_rows_of_array(padded.dictionary, letter.dtype))
    long = _array_of_rows(rows).dictionary_encode()
    long_id = numbers_of_array(long.indices).take(numbers_of_array(padded.indices))
    ids = np.empty(len(start), dtype=np.int64)
    ids[place_of_short] = numbers_of_array(short.indices)
    ids[place_of_long] = long_id + len(short.dictionary)
    return (ids, numbers_of_array(short.dictionary), _rows_of_array(long.dictionary, letter.dtype))


def _first_eight_bytes(words: Ragged) -> tuple[np.ndarray, np.ndarray]:
    """Return the first bytes of each word as one integer, and which words are longer.

    ndarrays of uint64 and of bool, shape (n_words,).
    """
    letter, start, n_letters = words.values, words.offsets[:-1], words.lengths
    n_short = _SHORT // letter.itemsize  # letters that one integer holds
    eight_bytes = np.ndarray(
        len(letter) - n_short + 1, dtype="<u8", buffer=letter, strides=(letter.itemsize,)
    )
    key = eight_bytes.take(start)
    key &= _MASKS[:: letter.itemsize].take(np.minimum(n_letters, n_short))
    is_long = n_letters > n_short
    in_question = is_long.nonzero()[0]  # the rest may be blanks
    is_long[in_question] = letter.take(start.take(in_question) + n_short) != BLANK
    return key, is_long


def _without_blanks(words: Ragged) -> Ragged:
    """Return words in letters without the blanks at their ends."""
    is_in_word = words.values != BLANK
    n_letters = np.add.reduceat(is_in_word, words.offsets[:-1], dtype=np.int64)
    return Ragged(words.values[is_in_word], offsets_of_lengths(n_letters))


def _array_of_rows(words: Ragged) -> pa.Array:
    """Return words in letters as an array of large_string, which knows bytes only."""
    return array_of_bytes(words.values, words.offsets * words.values.itemsize)


def _rows_of_array(words: pa.Array, dtype: np.dtype) -> Ragged:
    """Return words in letters from what was an array of such rows."""
    _, offsets, values = words.buffers()
    start = np.frombuffer(offsets, dtype=np.int64)[: len(words) + 1] // dtype.itemsize
    return Ragged(np.frombuffer(values or b"", dtype=dtype)[: start[-1]], start)


# --- the vocabulary -------------------------------------------------------------------


def _spelled(
    short: np.ndarray, long: Ragged, text_of_letters: Callable[[np.ndarray, np.ndarray], pa.Array]
) -> pa.Array:
    """Return words that are integers, and others, as one array of large_string."""
    letter = short.view(long.values.dtype)
    is_in_word = letter != BLANK
    n_letters = is_in_word.reshape(-1, _SHORT // letter.itemsize).sum(axis=1)
    return pa.concat_arrays(
        [
            text_of_letters(letter[is_in_word], offsets_of_lengths(n_letters)),
            text_of_letters(long.values, long.offsets),
        ]
    )


def _text_of_bytes(written: np.ndarray, offsets: np.ndarray) -> pa.Array:
    """Return words in bytes with each NUL as it stands in the texts."""
    return array_of_bytes(written.tobytes().translate(_TEXT_OF_WRITTEN), offsets)


# --- sentences ------------------------------------------------------------------------


def lines_of_starts(start: np.ndarray, line_end: np.ndarray) -> np.ndarray:
    """Return the number of the line in which each word starts.

    Both arguments are ascending. Result: ndarray of int64, shape (n_words,).
    """
    n_before_end = start.searchsorted(line_end)
    n_words = n_before_end.copy()
    n_words[1:] -= n_before_end[:-1]
    return np.arange(len(line_end)).repeat(n_words)
