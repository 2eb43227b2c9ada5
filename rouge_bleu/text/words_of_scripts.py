"""Texts in any script -> words: runs of letters, digits and marks, or single letters.

A whole column is cut at once, by characters: it is taken as code points, and a table says
what kind each character is. A word starts where the kind changes. In scripts written
without spaces each letter with its marks is a word. Characters are numbered, so that few
bytes are hashed (`text/words.py`).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import cache, partial

import numpy as np
import pyarrow as pa

from ..arrays import array_of_bytes, offsets_of_lengths
from .words import BLANK, NEWLINE, PADDING, Words, words_of_letters

# Kinds of characters. A mark belongs to what stands before it.
_SEPARATOR, _IN_WORD, _WORD_BY_ITSELF, _MARK, _NOT_YET_KNOWN = range(5)

# Scripts written without spaces, in which every letter is a word: first and last code
# point of their blocks.
_UNSPACED_BLOCKS = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Myanmar
    (0x1780, 0x17FF),  # Khmer
    (0x3005, 0x3007),  # Han: iteration mark, closing mark, zero
    (0x3040, 0x30FF),  # Hiragana, Katakana
    (0x31F0, 0x31FF),  # Katakana phonetic extensions
    (0x3400, 0x4DBF),  # Han extension A
    (0x4E00, 0x9FFF),  # Han
    (0xA9E0, 0xA9FF),  # Myanmar extended B
    (0xAA60, 0xAA7F),  # Myanmar extended A
    (0xF900, 0xFAFF),  # Han compatibility
    (0xFF66, 0xFF9F),  # halfwidth Katakana
    (0x116D0, 0x116FF),  # Myanmar extended C
    (0x1AFF0, 0x1B16F),  # Kana extensions
    (0x20000, 0x3FFFF),  # Han extensions B and later
)
LETTER_OF_UNSPACED = "[{}]".format(  # of a regular expression
    "".join(f"{chr(first)}-{chr(last)}" for first, last in _UNSPACED_BLOCKS)
)
_MAX_PLACES_OF_CHARACTER = 32  # in a table of codes; else a sort takes less
_FIRST_OF_MORE_BYTES = np.array([0x80, 0x800, 0x10000])  # in UTF-8
_LETTERS = (np.dtype("<u1"), np.dtype("<u2"), np.dtype("<u4"))
_JOINERS = "\u200c\u200d"  # format characters inside words of Persian and of Indian scripts


def words_of_characters(texts: Sequence[str]) -> Words:
    """Return the words of each text in any script.

    They are runs of letters, digits and marks, or one letter with its marks in scripts
    without spaces.
    """
    # A newline stands before and behind each text.
    written = "\n".join(["", *texts, PADDING])
    code = np.frombuffer(written.encode("utf-32-le"), dtype="<u4")
    kind, is_start = _kinds_and_starts(code)
    letter, code_of_letter = _letters(code, kind)
    n_characters = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
    return words_of_letters(
        letter,
        is_start.nonzero()[0],
        offsets_of_lengths(n_characters + 1),
        (code == NEWLINE).nonzero()[0][1:],
        partial(_text_of_letters, code_of_letter),
    )


def _letters(code: np.ndarray, kind: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return characters as small numbers, and the character of each number.

    Hardly any column has more than 255 different ones, but for Chinese: so a letter is a
    byte, and eight are one integer. What is in no word is `BLANK`.
    """
    n_codes = int(code.max()) + 1
    has_table = n_codes < _MAX_PLACES_OF_CHARACTER * len(code)
    codes = np.bincount(code).nonzero()[0] if has_table else np.unique(code)
    code_of_letter = np.append(BLANK, codes)
    n_letters = len(code_of_letter)
    dtype = next(one for one in _LETTERS if n_letters <= np.iinfo(one).max + 1)
    letter_of_code = np.zeros(n_codes, dtype=dtype)
    letter_of_code[code_of_letter[1:]] = np.arange(1, n_letters)
    letter = letter_of_code.take(code)
    letter *= kind != _SEPARATOR
    return letter, code_of_letter


def _text_of_letters(
    code_of_letter: np.ndarray, letter: np.ndarray, offsets: np.ndarray
) -> pa.Array:
    """Return words in such numbers as pyarrow array of large_string."""
    code = code_of_letter.take(letter)
    n_bytes = 1 + _FIRST_OF_MORE_BYTES.searchsorted(code, side="right")
    text = code.astype("<u4").tobytes().decode("utf-32-le")
    return array_of_bytes(text.encode(), offsets_of_lengths(n_bytes)[offsets])


def _kinds_and_starts(code: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the kind of each character, and whether a word starts there.

    ndarrays of uint8 and of bool. A mark has the kind of what it follows.
    """
    kind = _kinds(code)
    is_mark = kind == _MARK
    mark = is_mark.nonzero()[0]
    is_first = np.diff(mark, prepend=-1) > 1  # of several in a row
    kind[mark] = kind.take(mark[is_first] - 1)[is_first.cumsum() - 1]
    is_start = (kind == _WORD_BY_ITSELF) & ~is_mark
    is_start[1:] |= (kind[1:] == _IN_WORD) & (kind[:-1] != _IN_WORD)
    return kind, is_start


def _kinds(code: np.ndarray) -> np.ndarray:
    """Return the kind of each character, ndarray of uint8.

    A character is looked up when it is first seen.
    """
    table = _kind_table()
    kind = table.take(code)
    if (kind == _NOT_YET_KNOWN).any():
        for new in np.unique(code[kind == _NOT_YET_KNOWN]).tolist():
            table[new] = _kind(chr(new))
        kind = table.take(code)
    return kind


@cache
def _kind_table() -> np.ndarray:
    return np.full(0x110000, _NOT_YET_KNOWN, dtype=np.uint8)


def _kind(character: str) -> int:
    category = unicodedata.category(character)
    if category.startswith("M") or character in _JOINERS:
        return _MARK
    if not character.isalnum():
        return _SEPARATOR
    is_unspaced = any(first <= ord(character) <= last for first, last in _UNSPACED_BLOCKS)
    is_letter = category.startswith("L") or category == "Nl"  # Nl: the Chinese zero
    return _WORD_BY_ITSELF if is_unspaced and is_letter else _IN_WORD
