"""Texts in any script -> words: runs of letters, digits and marks, or single letters.

A whole column is cut at once, by characters: it is taken as code points, and a table says
what kind each character is. A word starts where the kind changes. In scripts written
without spaces each letter with its marks is a word.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import cache

import numpy as np
import pyarrow as pa

from ..ground.arrow import array_of_bytes, numbers_of_array
from ..ground.ragged import Ragged, offsets_of_lengths
from .words import NEWLINE, Words, lines_of_starts

# Kinds of characters. A mark belongs to what stands before it.
_SEPARATOR, _IN_WORD, _WORD_BY_ITSELF, _MARK, _NOT_YET_KNOWN = range(5)

# Scripts written without spaces, in which every letter is a word: first and last code
# point of their blocks.
UNSPACED_BLOCKS = (
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
_JOINERS = (
    "\u200c\u200d"  # format characters inside words of Persian and of Indian scripts
)


def words_of_characters(texts: Sequence[str]) -> Words:
    """Return the words of each text in any script.

    They are runs of letters, digits and marks, or one letter with its marks in scripts
    without spaces.
    """
    code, kind, start, text_end = _cut(texts)
    spaced = np.where(kind == _SEPARATOR, np.uint32(ord(" ")), code)
    word_offsets = np.append(start, len(code)) * spaced.itemsize
    words = pa.LargeBinaryArray.from_buffers(
        pa.large_binary(),
        len(start),
        [None, pa.py_buffer(word_offsets), pa.py_buffer(spaced)],
    )
    encoded = words.dictionary_encode()
    names = _without_blanks(encoded.dictionary).dictionary_encode()
    ids = numbers_of_array(names.indices).astype(np.int64)[
        numbers_of_array(encoded.indices)
    ]
    offsets = np.concatenate([[0], np.searchsorted(start, text_end)])
    return Words.of_vocabulary(
        names.dictionary,
        Ragged(ids, offsets),
        lines_of_starts(start, np.flatnonzero(code == NEWLINE)[1:]),
    )


def _without_blanks(words: pa.Array) -> pa.Array:
    """Return words of code points, which end in blanks, as an array of large_string."""
    _, offsets, values = words.buffers()
    code = np.frombuffer(values or b"", dtype=np.uint32)
    n_bytes = 1 + sum(code >= first for first in (0x80, 0x800, 0x10000))  # in UTF-8
    n_bytes = np.where(code == ord(" "), 0, n_bytes)
    word_offsets = np.frombuffer(offsets, dtype=np.int64)[: len(words) + 1]
    end_of_code = offsets_of_lengths(n_bytes)
    text = code[code != ord(" ")].tobytes().decode("utf-32-le")
    return array_of_bytes(text.encode(), end_of_code[word_offsets // code.itemsize])


def are_one_word(texts: Sequence[str]) -> np.ndarray:
    """Return which texts are one word by `words_of_characters`, and nothing else.

    Result: ndarray of bool, shape (n_texts,).
    """
    _, kind, start, text_end = _cut(texts)
    n_words = np.diff(np.searchsorted(start, text_end), prepend=0)
    n_separators = np.diff(
        np.searchsorted(np.flatnonzero(kind == _SEPARATOR), text_end), prepend=0
    )
    return (n_words == 1) & (n_separators == 1)  # the newline before the text


def _cut(texts: Sequence[str]) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return characters, their kinds, where words start, and where texts end.

    The characters are the code points of all texts, with a newline before and behind
    each.
    """
    code = np.frombuffer(
        "\n".join(["", *texts, ""]).encode("utf-32-le"), dtype=np.uint32
    )
    kind = _kinds(code)
    is_mark = kind == _MARK
    kind = kind[
        np.maximum.accumulate(np.where(is_mark, 0, np.arange(len(code))))
    ]  # a mark takes the kind of what it follows
    is_start = (kind == _WORD_BY_ITSELF) & ~is_mark
    is_start[1:] |= (kind[1:] == _IN_WORD) & (kind[:-1] != _IN_WORD)
    text_end = np.cumsum(
        np.fromiter(map(len, texts), dtype=np.int64, count=len(texts)) + 1
    )
    return code, kind, np.flatnonzero(is_start), text_end


def _kinds(code: np.ndarray) -> np.ndarray:
    """Return the kind of each character, ndarray of uint8.

    A character is looked up when it is first seen.
    """
    table = _kind_table()
    kind = table[code]
    if (kind == _NOT_YET_KNOWN).any():
        for new in np.unique(code[kind == _NOT_YET_KNOWN]).tolist():
            table[new] = _kind(chr(new))
        kind = table[code]
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
    is_unspaced = any(
        first <= ord(character) <= last for first, last in UNSPACED_BLOCKS
    )
    is_letter = category.startswith("L") or category == "Nl"  # Nl: the Chinese zero
    return _WORD_BY_ITSELF if is_unspaced and is_letter else _IN_WORD
