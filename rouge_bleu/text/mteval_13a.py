"""Texts -> words as in mteval-v13a and sacreBLEU's 13a, and variants of these.

    https://www.nist.gov/itl/iad/mig/open-machine-translation-evaluation

Lines are joined and entities replaced first, in the few texts that have any. Then what
stands between blanks is cut at signs; points and hyphens are signs, or parts of words,
by what stands beside them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from .rules import Text, TokenizerRules, lowered_if_asked
from .words import (
    BLANK,
    NOT_BLANK,
    Words,
    replaced_where,
    starts_where,
    with_ascii_blanks,
    words_of_bytes,
    words_of_lists,
)

# What is put in place of what, in this order; the first ones where lines are joined.
_JOINTS = (("<skipped>", ""), ("-\n", ""), ("\n", " "))
_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))

# Kinds of written bytes. A sign is a token by itself; points and hyphens become signs or
# parts of words by what stands beside them.
_GAP, _SIGN, _PART_OF_WORD, _DIGIT, _POINT, _HYPHEN = range(6)
_BYTES_OF_KIND = (
    (_SIGN, b'!"\x23$%&()*+/:;<=>?@[\\]^_`{|}~'),
    (_DIGIT, b"0123456789"),
    (_POINT, b".,"),
    (_HYPHEN, b"-"),
    (_GAP, bytes([BLANK])),
)


def _kind_table() -> bytes:
    """Return the kind of each written byte, 256 bytes."""
    table = bytearray([_PART_OF_WORD] * 256)
    for kind, written in _BYTES_OF_KIND:
        for byte in written:
            table[byte] = kind
    return bytes(table)


_KINDS = _kind_table()


# --- texts before they are cut --------------------------------------------------------


def _needs_rewriting(text: str) -> bool:
    return "&" in text or "<" in text or "-\n" in text or not text.isascii()


def _as_cut(text: str, *, lowercase: bool, stripped: bool) -> str:
    """Return the text after what is done to more than one byte.

    Lowercasing comes first: it may write <skipped> or &amp;, and the form of a final
    sigma depends on the end of its line.
    """
    if lowercase:
        text = text.lower()
    if "-\n" in text or "<skipped>" in text:  # else lines stay, as sentences
        text = text.rstrip() if stripped else text
        for joint, between in _JOINTS:
            text = text.replace(joint, between)
    for entity, character in _ENTITIES:
        text = text.replace(entity, character)
    return with_ascii_blanks(text)


def _rewritten(text: Text, lowercase: bool, *, stripped: bool = True) -> Text:
    text = lowered_if_asked(text, lowercase)
    if stripped:
        text = text.part(0, len(text.text.rstrip()))
    for old, new in (*_JOINTS, *_ENTITIES):
        text = text.replaced(old, new)
    return text


# --- columns --------------------------------------------------------------------------


def _words_of_column(texts: Sequence[str], lowercase: bool, *, stripped: bool = True) -> Words:
    rewrite = partial(_as_cut, lowercase=lowercase, stripped=stripped)
    texts = replaced_where(_needs_rewriting, rewrite, texts)
    return words_of_bytes(texts, NOT_BLANK[lowercase], _starts)


def _starts(written: bytes) -> np.ndarray:
    """Return where tokens start, ndarray of bool, shape (n_bytes,)."""
    kind = np.frombuffer(bytearray(written.translate(_KINDS)), dtype=np.uint8)
    point = (kind == _POINT).nonzero()[0]
    kind[point] = np.where(_is_in_number(kind, point), _PART_OF_WORD, _SIGN)
    hyphen = (kind == _HYPHEN).nonzero()[0]
    kind[hyphen] = np.where(kind[hyphen - 1] == _DIGIT, _SIGN, _PART_OF_WORD)
    is_start = starts_where(kind > _SIGN)
    is_start |= kind == _SIGN
    return is_start


def _is_in_number(kind: np.ndarray, point: np.ndarray) -> np.ndarray:
    """Return which points and commas belong to the digit behind them.

    Two passes cut off points. The first one cuts off those behind another character than
    a digit, two characters at a time: of "a..5" it takes "a." and has no character left
    for the second point. The other one cuts off points before another character than a
    digit. So what stays is the last point of a run, by the length of the run: in "1.5",
    "a..5" and "1...5", and not in "a.5", "1..5" and "a...5".

    Parameters
    ----------
    kind : ndarray of uint8, shape (n_bytes,)
    point : ndarray of int64, shape (n_points,)
        Ascending.

    Returns
    -------
    ndarray of bool, shape (n_points,)
    """
    is_first = np.ones(len(point), dtype=bool)
    np.greater(point[1:], point[:-1] + 1, out=is_first[1:])
    first = point[is_first][np.cumsum(is_first) - 1]
    n_behind_digit = (point - first + 1) + (kind[first - 1] == _DIGIT)
    return (kind[point + 1] == _DIGIT) & (n_behind_digit % 2 == 0)


# --- one text -------------------------------------------------------------------------

_IN_WORD = r"[^\t-\r\x1c-\x20!-&(-/:-@\[-`{-~]"  # no blank, no sign, none of .,-
_WORD = re.compile(rf"(?:{_IN_WORD}+|(?<=[0-9])[.,](?=[0-9])|(?<![0-9])-)+|[!-&(-/:-@\[-`{{-~]")
# Whether the last of these points belongs to the digit depends on their number.
_POINTS_BEFORE_DIGIT = re.compile("[.,][.,]+[0-9]")


def _words_of_text(text: str, lowercase: bool, *, stripped: bool = True) -> list[str] | None:
    if _needs_rewriting(text):
        text = _as_cut(text, lowercase=lowercase, stripped=stripped)
    elif lowercase:
        text = text.lower()
    return None if _POINTS_BEFORE_DIGIT.search(text) else _WORD.findall(text)


# --- the records ----------------------------------------------------------------------

OF_13A = TokenizerRules(
    words_of_column=_words_of_column,
    words_of_text=_words_of_text,
    rewritten=_rewritten,
    warns_of_unspaced=True,
)
# That of evaluate's `bleu` leaves blanks at the end of a text: a hyphen before them is
# then the end of a line like any other.
OF_UNSTRIPPED_13A = replace(
    OF_13A,
    words_of_column=partial(_words_of_column, stripped=False),
    words_of_text=partial(_words_of_text, stripped=False),
    rewritten=partial(_rewritten, stripped=False),
    is_option=False,
    check_installed=None,
    package=None,
)
# That of torchmetrics lowercases words, and not texts: <SKIPPED> and &AMP; are written in
# other letters than 13a looks for.
OF_UNSTRIPPED_13A_OF_CASE = replace(OF_UNSTRIPPED_13A, lowercases_words=True)


# That of pymteval leaves those blanks and lowercases words, and an empty text has a word,
# which is empty.
def _words_or_an_empty_one(texts: Sequence[str], lowercase: bool) -> Words:
    words = _words_of_column(texts, lowercase, stripped=False)
    vocabulary = words.vocabulary.to_pylist()
    rows = words.ids.to_lists()
    return words_of_lists([[vocabulary[word] for word in row] or [""] for row in rows])


def _words_of_text_or_an_empty_one(text: str, lowercase: bool) -> list[str] | None:
    words = _words_of_text(text, lowercase, stripped=False)
    return [""] if words == [] else words


OF_13A_OR_EMPTY = replace(
    OF_UNSTRIPPED_13A,
    is_option=True,
    words_of_column=_words_or_an_empty_one,
    words_of_text=_words_of_text_or_an_empty_one,
    lowercases_words=True,
)
