"""The tokenizer "13a" of mteval-v13a.pl and sacreBLEU, which several presets use.

Lines are joined at hyphens, entities replaced, symbols split off; points and hyphens are symbols or parts of
words, depending on their neighbours. The rules are facts about the tokenizer; this module contains
none of its code (https://www.nist.gov/itl/iad/mig/open-machine-translation-evaluation).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from ..tokens import Tokens
from .tokenizer_rules import Text, TokenizerRules
from .words import BLANK, NOT_BLANK, OTHER_BLANK, is_start_of_run, tokens_of_bytes

# --- texts before they are split ------------------------------------------------------------------

# Replacements, in this order; the first ones join lines.
_LINE_JOINS = (("<skipped>", ""), ("-\n", ""), ("\n", " "))
_ENTITIES_OF_13A = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))


def _needs_rewriting(text: str, lowercase: bool) -> bool:
    is_lowered_here = lowercase and not text.isascii()
    return is_lowered_here or "&" in text or "<" in text or "-\n" in text


def _normalized(text: Text, lowercase: bool, *, stripped: bool = True) -> Text:
    """Return the text after replacements of more than one byte.

    Lowercasing comes first: it may create <skipped> or &amp;, and the form of a final sigma
    depends on the end of its line.
    """
    if lowercase:
        text = text.lower()
    if "-\n" in text or "<skipped>" in text:  # else a line end is whitespace like any other
        text = text.rstrip() if stripped else text
        for joint, between in _LINE_JOINS:
            text = text.replace(joint, between)
    for entity, character in _ENTITIES_OF_13A:
        text = text.replace(entity, character)
    return text


# --- columns --------------------------------------------------------------------------------------

# Kinds of bytes. A symbol is a token; points and hyphens become symbols or parts of words.
_GAP, _SYMBOL, _PART_OF_WORD, _DIGIT, _POINT, _HYPHEN = range(6)
_KIND_OF_BYTE = {
    BLANK: _GAP,
    **dict.fromkeys(b'!"\x23$%&()*+/:;<=>?@[\\]^_`{|}~', _SYMBOL),
    **dict.fromkeys(b"0123456789", _DIGIT),
    **dict.fromkeys(b".,", _POINT),
    **dict.fromkeys(b"-", _HYPHEN),
}
_KIND_TABLE = bytes(_KIND_OF_BYTE.get(byte, _PART_OF_WORD) for byte in range(256))


def _words_of_column(texts: Sequence[str], lowercase: bool, *, stripped: bool = True) -> Tokens:
    if not all(map(str.isascii, texts)) or _needs_rewriting("\n".join(texts), lowercase):
        texts = [
            _normalized(text, lowercase, stripped=stripped)
            if _needs_rewriting(text, lowercase)
            else text
            for text in texts
        ]
        texts = [text if text.isascii() else OTHER_BLANK.sub(" ", text) for text in texts]
    return tokens_of_bytes(texts, NOT_BLANK[lowercase], _is_token_start)


def _is_token_start(written: bytes) -> np.ndarray:
    """Return which bytes start a token; those of "a-b 3-4, 1.5." are a-b 3 - 4 , 1.5 and the point."""
    kind = np.frombuffer(bytearray(written.translate(_KIND_TABLE)), dtype=np.uint8)
    point = (kind == _POINT).nonzero()[0]
    kind[point] = np.where(_is_in_number(kind, point), _PART_OF_WORD, _SYMBOL)
    hyphen = (kind == _HYPHEN).nonzero()[0]
    kind[hyphen] = np.where(kind[hyphen - 1] == _DIGIT, _SYMBOL, _PART_OF_WORD)
    is_start = is_start_of_run(kind > _SYMBOL)
    is_start |= kind == _SYMBOL
    return is_start


def _is_in_number(kind: np.ndarray, point: np.ndarray) -> np.ndarray:
    """Return which points and commas belong to the next digit, bool, shape (n_points,).

    mteval's two substitutions split off points after, then before, a nondigit, two
    characters at a time: the last point of a run stays in "1.5", "a..5" and "1...5", and not in
    "a.5", "1..5" and "a...5".
    """
    is_first = np.ones(len(point), dtype=bool)
    np.greater(point[1:], point[:-1] + 1, out=is_first[1:])
    first = point[is_first][np.cumsum(is_first) - 1]
    n_behind_digit = (point - first + 1) + (kind[first - 1] == _DIGIT)
    return (kind[point + 1] == _DIGIT) & (n_behind_digit % 2 == 0)


# A symbol, but no point between digits, and no hyphen without a digit before it.
_SPLIT_SYMBOL = re.compile(r"([!-&(-/:-@\[-`{-~](?<![0-9][.,](?=[0-9]))(?<!(?<![0-9])-))")
# Their number decides whether the last of these points belongs to the digit.
_POINTS_BEFORE_DIGIT = re.compile("(?<![.,])[.,]{2,}[0-9]")


def _words_of_text(text: str, lowercase: bool, *, stripped: bool = True) -> list[str] | None:
    if _needs_rewriting(text, lowercase):
        text = _normalized(text, lowercase, stripped=stripped)
    elif lowercase:
        text = text.lower()
    has_points = ".." in text or ".," in text or ",." in text or ",," in text
    if has_points and _POINTS_BEFORE_DIGIT.search(text):
        return None
    return " ".join(_SPLIT_SYMBOL.split(text)).split()


TOKENIZER_13A = TokenizerRules(
    words_of_column=_words_of_column,
    words_of_text=_words_of_text,
    rewritten=_normalized,
    warns_of_unspaced=True,
)
# evaluate's `bleu` and torchmetrics' sacre_bleu_score keep trailing spaces, so a hyphen before them
# is the end of a line like any other.
UNSTRIPPED_13A = replace(
    TOKENIZER_13A,
    words_of_column=partial(_words_of_column, stripped=False),
    words_of_text=partial(_words_of_text, stripped=False),
)
