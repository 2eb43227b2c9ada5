"""Columns of texts -> words: distinct strings, and which of them stands where.

Two ways to cut a whole column at once. By bytes: Arrow holds the column as one buffer
of UTF-8, and a table with 256 entries says for each byte whether it is part of a word
and how it is written. By characters: the column as code points, and a table says what
kind each character is. In both a word starts where the kind changes, and all words of
the column go through one hash table (`dictionary_encode`).

What is done to words afterwards is done once per distinct word; Python loops run over
those.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from .ragged import Ragged, flattened, offsets_of_lengths

BLANK = ord(" ")
NEWLINE = ord("\n")


@dataclass(frozen=True)
class Words:
    """A column of texts as words.

    Parameters
    ----------
    vocabulary : pyarrow array of large_string
        Each word once.
    ids : Ragged of int64, one row per text
        `vocabulary[ids]` are the words of each text.
    sentence : ndarray of int64, shape (n_words,)
        As in `Tokens`.
    """

    vocabulary: pa.Array
    ids: Ragged
    sentence: np.ndarray

    def renamed(self, rename: Callable[[str], str]) -> Words:
        """Return the words with each of the vocabulary renamed.

        Equal names become one word.
        """
        names = pa.array(map(rename, self.vocabulary.to_pylist()), pa.large_string())
        return Words(names, self.ids, self.sentence).merged()

    def merged(self) -> Words:
        """Return the words with each name once in the vocabulary."""
        encoded = self.vocabulary.dictionary_encode()
        new_id = encoded.indices.to_numpy().astype(np.int64)
        return Words(
            encoded.dictionary,
            self.ids.with_values(new_id[self.ids.values]),
            self.sentence,
        )

    def split(self, parts: Words) -> Words:
        """Return the words with each of the vocabulary replaced by its parts.

        `parts` has one text for each word: none, one or several parts. The vocabulary is
        that of the parts.
        """
        index, offsets_of_word = parts.ids.index_of_rows(self.ids.values)
        ids = Ragged(parts.ids.values[index], offsets_of_word[self.ids.offsets])
        return Words(
            parts.vocabulary,
            ids,
            np.repeat(self.sentence, parts.ids.lengths[self.ids.values]),
        )

    def split_where(
        self, is_split: np.ndarray, split: Callable[[Sequence[str]], Words]
    ) -> Words:
        """Return the words with some of the vocabulary split.

        A name may stand in the vocabulary twice then, which `merged` mends.
        """
        whole = self.vocabulary.filter(pa.array(~is_split))
        parts = split(self.vocabulary.filter(pa.array(is_split)).to_pylist())
        n_parts = np.ones(len(is_split), dtype=np.int64)
        n_parts[is_split] = parts.ids.lengths
        part_of_word = np.repeat(np.cumsum(~is_split) - 1, n_parts)
        part_of_word[np.repeat(is_split, n_parts)] = parts.ids.values + len(whole)
        rows = Ragged(part_of_word, offsets_of_lengths(n_parts))
        return self.split(
            Words(pa.concat_arrays([whole, parts.vocabulary]), rows, part_of_word)
        )

    def without(self, dropped: Collection[str]) -> Words:
        """Return the words but for those dropped."""
        is_kept = np.array(
            [word not in dropped for word in self.vocabulary.to_pylist()], dtype=bool
        )[self.ids.values]
        return Words(self.vocabulary, self.ids.keep(is_kept), self.sentence[is_kept])


def words_of_lists(lists: Sequence[Sequence[str]]) -> Words:
    """Return lists of words as they are; each list is a sentence."""
    flat, offsets = flattened(lists)
    encoded = pa.array(flat, pa.large_string()).dictionary_encode()
    ids = Ragged(encoded.indices.to_numpy().astype(np.int64), offsets)
    return Words(encoded.dictionary, ids, ids.row_of_value)


def words_of_bytes(texts: Sequence[str], byte_table: np.ndarray) -> Words:
    """Return the words of each text: runs of bytes that are not mapped to a blank.

    Parameters
    ----------
    texts : sequence of str
        Lines are sentences.
    byte_table : ndarray of uint8, shape (256,)
        What each byte is written as.

    Notes
    -----
    Words are cut from one start to the next, blanks behind a word included, since that
    needs no copy of the words alone. The few blanks that are in the vocabulary then are
    taken off there.
    """
    column = pa.array(texts, pa.large_string())
    text_offsets = np.frombuffer(column.buffers()[1], dtype=np.int64)[: len(texts) + 1]
    raw = np.frombuffer(column.buffers()[2] or b"", dtype=np.uint8)[: text_offsets[-1]]
    mapped = byte_table.take(raw)

    in_word = mapped != BLANK
    is_start = in_word.copy()
    np.greater(in_word[1:], in_word[:-1], out=is_start[1:])
    first_byte = text_offsets[:-1][np.diff(text_offsets) > 0]
    is_start[first_byte] = in_word[
        first_byte
    ]  # a text's last word does not go on in the next text
    start = np.flatnonzero(is_start)
    offsets = np.searchsorted(start, text_offsets)

    word_offsets = np.append(start, len(mapped))
    words = pa.LargeStringArray.from_buffers(
        len(start), pa.py_buffer(word_offsets), pa.py_buffer(mapped)
    )
    encoded = words.dictionary_encode()
    trimmed = pc.ascii_rtrim(encoded.dictionary, characters=" ").dictionary_encode()
    new_id = trimmed.indices.to_numpy().astype(np.int64)
    ids = Ragged(new_id[encoded.indices.to_numpy()], offsets)

    line_end = np.sort(
        np.concatenate([np.flatnonzero(raw == NEWLINE), text_offsets[1:]])
    )
    return Words(trimmed.dictionary, ids, _sentences(start, line_end))


def byte_table(kept: bytes, *, lowercase: bool) -> np.ndarray:
    """Return what each byte is written as: itself, or a blank.

    Bytes that are not in `kept` are blanks; with `lowercase` A-Z become a-z. Result:
    ndarray of uint8, shape (256,).
    """
    table = np.full(256, BLANK, dtype=np.uint8)
    table[list(kept)] = list(kept.lower() if lowercase else kept)
    return table


def _sentences(start: np.ndarray, line_end: np.ndarray) -> np.ndarray:
    """Return the number of the line in which each word starts.

    Both arguments are ascending. Result: ndarray of int64, shape (n_words,).
    """
    n_before_end = np.searchsorted(start, line_end)
    return np.repeat(np.arange(len(line_end)), np.diff(n_before_end, prepend=0))


# --- by characters --------------------------------------------------------------------

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
_JOINERS = (
    "\u200c\u200d"  # format characters inside words of Persian and of Indian scripts
)


def words_of_characters(texts: Sequence[str]) -> Words:
    """Return the words of each text in any script.

    They are runs of letters, digits and marks, or one letter with its marks in scripts
    without spaces.
    """
    code, kind, start, text_end = _cut(texts)
    spaced = np.where(kind == _SEPARATOR, np.uint32(BLANK), code)
    word_offsets = np.append(start, len(code)) * spaced.itemsize
    words = pa.LargeBinaryArray.from_buffers(
        pa.large_binary(),
        len(start),
        [None, pa.py_buffer(word_offsets), pa.py_buffer(spaced)],
    )
    encoded = words.dictionary_encode()
    names = pa.array(
        [
            word.decode("utf-32-le").rstrip(" ")
            for word in encoded.dictionary.to_pylist()
        ],
        pa.large_string(),
    ).dictionary_encode()
    ids = names.indices.to_numpy().astype(np.int64)[encoded.indices.to_numpy()]
    offsets = np.concatenate([[0], np.searchsorted(start, text_end)])
    return Words(
        names.dictionary,
        Ragged(ids, offsets),
        _sentences(start, np.flatnonzero(code == NEWLINE)[1:]),
    )


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
        first <= ord(character) <= last for first, last in _UNSPACED_BLOCKS
    )
    is_letter = category.startswith("L") or category == "Nl"  # Nl: the Chinese zero
    return _WORD_BY_ITSELF if is_unspaced and is_letter else _IN_WORD
