"""Columns of texts -> words: the distinct strings, and an id for each word of each text.

Arrow holds a column as one buffer of UTF-8, and a table with 256 entries maps each byte to its
normalized form, whitespace to 0. A word starts at the first byte after whitespace, and all words
of the column go through one hash table (`dictionary_encode`). Words of up to eight bytes are
hashed as one integer, which takes half the time of strings. The tokenizer "unicode" maps
characters, not bytes, to numbers of one byte or more.

All later steps process each distinct word once, in Python loops.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from ..arrays import (
    ArrowArray,
    Ragged,
    arrow_numbers,
    arrow_strings_of_utf8,
    numpy_of_arrow,
    offsets_of_lengths,
    utf8_and_offsets,
)
from ..tokens import Tokens

BLANK = 0  # replaces bytes between words
_NEWLINE = ord("\n")

# A NUL in a text may be part of a word. No text in UTF-8 has this byte.
_WRITTEN_NUL = 0xFF
_TEXT_OF_WRITTEN = bytes([*range(_WRITTEN_NUL), 0])

_SHORT = 8  # bytes of a word that one integer holds
_PADDING = " " * _SHORT  # so that eight bytes can be read from every start
_MASKS = np.array([256**n - 1 for n in range(_SHORT + 1)], dtype="<u8")

# Whitespace of Python's `str.split`: ten ASCII characters and these.
_ASCII_BLANKS = b"\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f "
OTHER_BLANK = re.compile("[\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")


def tokens_of_bytes(
    texts: Sequence[str], table: bytes, are_starts: Callable[[bytes], np.ndarray] | None = None
) -> Tokens:
    """Return the words of each text; its lines are sentences.

    `table`, one of `normalization_tables`, maps each byte to its normalized form. `are_starts` tells for each
    byte whether a word starts there: by default at the start of each run without whitespace.
    """
    raw, offsets = utf8_and_offsets([*texts, _PADDING], between="\n")
    written = raw.translate(table)
    letter = np.frombuffer(written, dtype=np.uint8)
    is_start = is_start_of_run(letter != BLANK) if are_starts is None else are_starts(written)
    byte = np.frombuffer(raw, dtype=np.uint8)
    return _tokens_of_letters(letter, is_start.nonzero()[0], offsets[:-1], byte, _arrow_of_bytes)


def _tokens_of_letters(
    letter: np.ndarray,
    start: np.ndarray,
    text_offsets: np.ndarray,
    character: np.ndarray,
    text_of_letters: Callable[[np.ndarray, np.ndarray], ArrowArray],
) -> Tokens:
    """Return the words of a column of letters: bytes, or larger numbers.

    A word goes from `start` to the next start, without the whitespace (`BLANK`) at its end. The last
    eight letters are `BLANK`. `character` has the letters as they are in the texts, with newlines;
    `text_of_letters` spells words, given the start of each one.
    """
    id_of_word, key_of_id, long = _distinct_words(letter, start)

    def sentence_of_word() -> np.ndarray:
        end_of_line = start.searchsorted((character == _NEWLINE).nonzero()[0])
        return np.arange(len(end_of_line)).repeat(np.diff(end_of_line, prepend=0))

    return Tokens(
        Ragged(id_of_word, start.searchsorted(text_offsets)),
        sentence_of_word,
        len(key_of_id),
        partial(_vocabulary_of_words, key_of_id, long, text_of_letters),
    )


def whitespace_tokens(texts: Sequence[str], lowercase: bool) -> Tokens:
    """Return the words of `str.split`."""
    if not all(map(str.isascii, texts)):  # ASCII is lowercased byte by byte
        lowered = map(str.lower, texts) if lowercase else texts
        texts = [text if text.isascii() else OTHER_BLANK.sub(" ", text) for text in lowered]
    return tokens_of_bytes(texts, NOT_BLANK[lowercase])


def normalization_tables(kept: bytes) -> dict[bool, bytes]:
    """Return the normalized form of each byte, 256 bytes, with and without lowercasing of A-Z.

    Bytes that are not in `kept` become `BLANK`.
    """
    tables = {}
    for lowercase in (True, False):
        table = bytearray([BLANK] * 256)
        for byte, letter in zip(kept, kept.lower() if lowercase else kept, strict=True):
            table[byte] = letter or _WRITTEN_NUL
        tables[lowercase] = bytes(table)
    return tables


_DIGITS_AND_LETTERS = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
ALPHANUMERIC = normalization_tables(_DIGITS_AND_LETTERS)
NOT_BLANK = normalization_tables(bytes(set(range(256)) - set(_ASCII_BLANKS)))


def is_start_of_run(is_in_run: np.ndarray) -> np.ndarray:
    """Return the starts of runs of True, ndarray of bool of the same shape."""
    is_start = is_in_run.copy()
    np.greater(is_in_run[1:], is_in_run[:-1], out=is_start[1:])
    return is_start


# --- one number for each distinct word ------------------------------------------------


def _distinct_words(letter: np.ndarray, start: np.ndarray) -> tuple[np.ndarray, np.ndarray, Ragged]:
    """Return the id of each word, the key of each id, and the distinct words of more than eight bytes.

    The key of `ab` is 0x6261; that of a long word has `BLANK` as its first letter, then the number.
    """
    words = Ragged(letter, np.append(start, len(letter)))
    key, is_long = _first_eight_bytes(words)
    place_of_long, long = is_long.nonzero()[0], Ragged(letter[:0], np.zeros(1, dtype=np.int64))
    if len(place_of_long):
        rows = _arrow_of_rows(words).take(arrow_numbers(place_of_long))
        rows = _rows_of_arrow(rows, letter.dtype)
        rows = rows.keep(rows.values != BLANK)
        encoded = _arrow_of_rows(rows).dictionary_encode()
        long = _rows_of_arrow(encoded.dictionary, letter.dtype)
        number = numpy_of_arrow(encoded.indices).astype(np.uint64)
        key[place_of_long] = number << np.uint64(8 * letter.itemsize)
    encoded = arrow_numbers(key).dictionary_encode()
    ids = numpy_of_arrow(encoded.indices).astype(np.int64)
    return ids, numpy_of_arrow(encoded.dictionary), long


def _first_eight_bytes(words: Ragged) -> tuple[np.ndarray, np.ndarray]:
    """Return the first bytes of each word as one integer, uint64, and which words are longer."""
    letter, start, n_letters = words.values, words.offsets[:-1], words.lengths
    n_short = _SHORT // letter.itemsize  # letters that fit into one integer
    eight_bytes = np.ndarray(
        len(letter) - n_short + 1, dtype="<u8", buffer=letter, strides=(letter.itemsize,)
    )
    key = eight_bytes.take(start)
    key &= _MASKS[:: letter.itemsize].take(np.minimum(n_letters, n_short))
    is_long = n_letters > n_short
    in_question = is_long.nonzero()[0]  # the rest may be `BLANK`
    is_long[in_question] = letter.take(start.take(in_question) + n_short) != BLANK
    return key, is_long


def _arrow_of_rows(words: Ragged) -> ArrowArray:
    """Return words in letters as rows of large_string, which holds bytes only."""
    return arrow_strings_of_utf8(words.values, words.offsets * words.values.itemsize)


def _rows_of_arrow(words: ArrowArray, dtype: np.dtype) -> Ragged:
    """Return words in letters from the values of an array of such rows."""
    _, offsets, values = words.buffers()
    start = np.frombuffer(offsets, dtype=np.int64)[: len(words) + 1] // dtype.itemsize
    return Ragged(np.frombuffer(values or b"", dtype=dtype)[: start[-1]], start)


def _vocabulary_of_words(
    key: np.ndarray, long: Ragged, text_of_letters: Callable[[np.ndarray, np.ndarray], ArrowArray]
) -> ArrowArray:
    """Return the words with keys of `_distinct_words` as an array of large_string."""
    n_words, n_letters = len(key), _SHORT // long.values.itemsize
    letters = np.concatenate([key.view(long.values.dtype), long.values])
    start = np.arange(n_words) * n_letters
    rows = Ragged(letters, np.append(start, n_words * n_letters + long.offsets))
    number = (key >> np.uint64(8 * letters.itemsize)).astype(np.int64)  # of a long word
    row = np.where(letters.take(start) == BLANK, n_words + number, np.arange(n_words))
    words = rows.take(row)
    words = words.keep(words.values != BLANK)
    return text_of_letters(words.values, words.offsets)


def _arrow_of_bytes(written: np.ndarray, offsets: np.ndarray) -> ArrowArray:
    """Return words in bytes with the NULs of the texts restored."""
    return arrow_strings_of_utf8(written.tobytes().translate(_TEXT_OF_WRITTEN), offsets)


# --- words in any script --------------------------------------------------------------

# Kinds of characters. A mark belongs to the character before it.
_SEPARATOR, _IN_WORD, _WORD_BY_ITSELF, _MARK, _NOT_YET_KNOWN = range(5)

# Letters of scripts written without spaces, one token per character.
LETTER_OF_UNSPACED = (  # of a regular expression
    "["
    "\u0e00-\u0eff"  # Thai, Lao
    "\u1000-\u109f\ua9e0-\ua9ff\uaa60-\uaa7f\U000116d0-\U000116ff"  # Myanmar
    "\u1780-\u17ff"  # Khmer
    "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
    "\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f\U0001aff0-\U0001b16f"  # Hiragana, Katakana
    "]"
)
_MAX_PLACES_OF_CHARACTER = 32  # in a table of codes; beyond that a sort is faster
_FIRST_OF_MORE_BYTES = np.array([0x80, 0x800, 0x10000])  # in UTF-8
_JOINERS = "\u200c\u200d"  # format characters inside words of Persian and of Indian scripts
_KIND_TABLE = np.full(0x110000, _NOT_YET_KNOWN, dtype=np.uint8)  # filled in when needed


def unicode_tokens(texts: Sequence[str]) -> Tokens:
    """Return the words of the tokenizer "unicode"."""
    # Each text has a newline before and after it.
    written = "\n".join(["", *texts, _PADDING])
    code = np.frombuffer(written.encode("utf-32-le"), dtype="<u4")
    kind, is_start = _kinds_and_starts(code)
    letter, code_of_letter = _renumber_characters(code, kind)
    n_characters = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
    return _tokens_of_letters(
        letter,
        is_start.nonzero()[0],
        offsets_of_lengths(n_characters + 1),
        code,
        partial(_arrow_of_letters, code_of_letter),
    )


def _renumber_characters(code: np.ndarray, kind: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return characters as numbers, mostly of one byte, and the character of each number."""
    n_codes = int(code.max()) + 1
    has_table = n_codes < _MAX_PLACES_OF_CHARACTER * len(code)
    codes = np.bincount(code).nonzero()[0] if has_table else np.unique(code)
    code_of_letter = np.append(BLANK, codes)
    n_letters = len(code_of_letter)
    letter_of_code = np.zeros(n_codes, dtype=np.min_scalar_type(n_letters - 1))
    letter_of_code[code_of_letter[1:]] = np.arange(1, n_letters)
    letter = letter_of_code.take(code)
    letter *= kind != _SEPARATOR
    return letter, code_of_letter


def _arrow_of_letters(
    code_of_letter: np.ndarray, letter: np.ndarray, offsets: np.ndarray
) -> ArrowArray:
    """Return words in such numbers as a pyarrow array of large_string."""
    code = code_of_letter.take(letter)
    n_bytes = 1 + _FIRST_OF_MORE_BYTES.searchsorted(code, side="right")
    text = code.astype("<u4").tobytes().decode("utf-32-le")
    return arrow_strings_of_utf8(text.encode(), offsets_of_lengths(n_bytes)[offsets])


def _kinds_and_starts(code: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the kind of each character, uint8, and whether a word starts there, bool."""
    table = _KIND_TABLE
    kind = table.take(code)
    if (kind == _NOT_YET_KNOWN).any():
        for new in np.unique(code[kind == _NOT_YET_KNOWN]).tolist():
            table[new] = _kind_of_character(chr(new))
        kind = table.take(code)
    is_mark = kind == _MARK
    mark = is_mark.nonzero()[0]  # has the kind of the character before it
    is_first = np.diff(mark, prepend=-1) > 1  # the first of several in a row
    kind[mark] = kind.take(mark[is_first] - 1)[is_first.cumsum() - 1]
    is_start = (kind == _WORD_BY_ITSELF) & ~is_mark
    is_start[1:] |= (kind[1:] == _IN_WORD) & (kind[:-1] != _IN_WORD)
    return kind, is_start


def _kind_of_character(character: str) -> int:
    category = unicodedata.category(character)
    if category.startswith("M") or character in _JOINERS:
        return _MARK
    if not character.isalnum():
        return _SEPARATOR
    is_letter = category.startswith("L") or category == "Nl"  # Nl: the Chinese zero
    is_unspaced = is_letter and re.match(LETTER_OF_UNSPACED, character)
    return _WORD_BY_ITSELF if is_unspaced else _IN_WORD
