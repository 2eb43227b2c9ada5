"""Tokenizers of machine translation: those of mteval, sacreBLEU's 13a, and tensor2tensor.

The rules are facts about these tokenizers; this module contains none of their code
(https://www.nist.gov/itl/iad/mig/open-machine-translation-evaluation).

    13a              lines are joined, entities replaced, symbols split off; points and hyphens
                     are symbols or parts of words, depending on their neighbours
    pymteval         13a that keeps spaces at the end; an empty text has one empty word
    intl-entities    mteval's --international-tokenization: punctuation is split off unless it is
                     between two numbers, each symbol is a token; sacreBLEU's "intl" leaves entities
    intl-entities-e  the same with -e of mteval: each character beyond ASCII is a token
    t2t              tensor2tensor's t2t-bleu: decimal digits only, the backslash is not punctuation

Punctuation, symbols and numbers are Unicode categories, as in the running Python.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import groupby

import numpy as np

from .rules import Text, TokenizerRules, lowered, lowered_source, rules_of_texts
from .words import (
    BLANK,
    NOT_BLANK,
    OTHER_BLANK,
    Words,
    starts_where,
    words_of_bytes,
    words_of_lists,
)

UNSTRIPPED_13A = "13a without rstrip"
UNSTRIPPED_13A_OF_CASE = "13a without rstrip, then lowercased"
INTL_OF_CHARACTERS = "intl-entities-e"
WHITESPACE_OF_BYTES = "whitespace of ASCII"
INTL_BEFORE_2 = "intl-1.5.1"  # the last release that has it


# --- 13a: texts before they are split -------------------------------------------------

# Replacements, in this order; the first ones join lines.
_JOINTS = (("<skipped>", ""), ("-\n", ""), ("\n", " "))
_ENTITIES_OF_13A = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))


def _needs_rewriting(text: str) -> bool:
    return "&" in text or "<" in text or "-\n" in text or not text.isascii()


def _normalized(text: str, *, lowercase: bool, stripped: bool) -> str:
    """Return the text after replacements of more than one byte.

    Lowercasing comes first: it may create <skipped> or &amp;, and the form of a final sigma
    depends on the end of its line.
    """
    if lowercase:
        text = text.lower()
    if "-\n" in text or "<skipped>" in text:  # else lines stay, as sentences
        text = text.rstrip() if stripped else text
        for joint, between in _JOINTS:
            text = text.replace(joint, between)
    for entity, character in _ENTITIES_OF_13A:
        text = text.replace(entity, character)
    return text


def _rewritten(text: Text, lowercase: bool, *, stripped: bool = True) -> Text:
    text = lowered_source(text, lowercase)
    if stripped:
        text = text.replaced(r"(?<!\s)\s+\Z", "")  # tried once for each run of spaces
    for old, new in (*_JOINTS, *_ENTITIES_OF_13A):
        text = text.replaced(old, new)
    return text


# --- 13a: columns ---------------------------------------------------------------------

# Kinds of bytes. A symbol is a token; points and hyphens become symbols or parts of words.
_GAP, _SYMBOL, _PART_OF_WORD, _DIGIT, _POINT, _HYPHEN = range(6)


_KIND_OF_BYTE = {
    BLANK: _GAP,
    **dict.fromkeys(b'!"\x23$%&()*+/:;<=>?@[\\]^_`{|}~', _SYMBOL),
    **dict.fromkeys(b"0123456789", _DIGIT),
    **dict.fromkeys(b".,", _POINT),
    **dict.fromkeys(b"-", _HYPHEN),
}
_KINDS = bytes(_KIND_OF_BYTE.get(byte, _PART_OF_WORD) for byte in range(256))


def _words_of_column(texts: Sequence[str], lowercase: bool, *, stripped: bool = True) -> Words:
    normalized = partial(_normalized, lowercase=lowercase, stripped=stripped)
    texts = [normalized(text) if _needs_rewriting(text) else text for text in texts]
    spaced = [text if text.isascii() else OTHER_BLANK.sub(" ", text) for text in texts]
    return words_of_bytes(spaced, NOT_BLANK[lowercase], _are_starts)


def _are_starts(written: bytes) -> np.ndarray:
    """Return for each byte whether a token starts there."""
    kind = np.frombuffer(bytearray(written.translate(_KINDS)), dtype=np.uint8)
    point = (kind == _POINT).nonzero()[0]
    kind[point] = np.where(_is_in_number(kind, point), _PART_OF_WORD, _SYMBOL)
    hyphen = (kind == _HYPHEN).nonzero()[0]
    kind[hyphen] = np.where(kind[hyphen - 1] == _DIGIT, _SYMBOL, _PART_OF_WORD)
    is_start = starts_where(kind > _SYMBOL)
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


# --- 13a: one text --------------------------------------------------------------------

_IN_WORD = r"[^\t-\r\x1c-\x20!-&(-/:-@\[-`{-~]"  # no space, no symbol, none of .,-
_WORD = re.compile(rf"(?:{_IN_WORD}+|(?<=[0-9])[.,](?=[0-9])|(?<![0-9])-)+|[!-&(-/:-@\[-`{{-~]")
# Their number decides whether the last of these points belongs to the digit.
_POINTS_BEFORE_DIGIT = re.compile("[.,][.,]+[0-9]")


def _words_of_text(text: str, lowercase: bool, *, stripped: bool = True) -> list[str] | None:
    if _needs_rewriting(text):
        text = _normalized(text, lowercase=lowercase, stripped=stripped)
    elif lowercase:
        text = text.lower()
    words: list[str] = []
    for word in text.split():
        if word.isalnum():
            words.append(word)
        elif word[-1] in ".," and word[:-1].isalnum():
            words += word[:-1], word[-1]
        elif _POINTS_BEFORE_DIGIT.search(word):
            return None
        else:
            words += _WORD.findall(word)
    return words


def _words_or_an_empty_one(texts: Sequence[str], lowercase: bool) -> Words:
    rows = _words_of_column(texts, lowercase, stripped=False).to_lists()
    return words_of_lists([row or [""] for row in rows])


# --- international --------------------------------------------------------------------

# Tags of omitted parts are deleted before entities are replaced.
_ENTITIES = {"<skipped>": "", "&quot;": '"', "&amp;": "&", "&lt;": "<", "&gt;": ">", "&apos;": "'"}
_SIGMA, _SMALL_SIGMA = "\u03a3\u03c3"
_BEYOND_ASCII = re.compile("[^\0-\x7f]+")


@cache
def _substitutions(of_t2t: bool, n_codes: int) -> list[tuple[re.Pattern[str], str]]:
    """Return the replacements in order, for characters below `n_codes`."""

    def kind(code: int) -> str:
        return "" if of_t2t and code == ord("\\") else unicodedata.category(chr(code))[0]

    ranges = {"P": "", "S": "", "N": ""}  # in the brackets of a pattern
    for of_kind, run in groupby(range(n_codes), kind):
        codes = list(run)
        if of_kind in ranges:
            ranges[of_kind] += f"\\U{codes[0]:08x}-\\U{codes[-1]:08x}"
    punctuation, symbols, numbers = ranges.values()
    if of_t2t:
        numbers = r"\d"
    return [
        (re.compile(f"([^{numbers}])([{punctuation}])"), r"\1 \2 "),
        (re.compile(f"([{punctuation}])([^{numbers}])"), r" \1 \2"),
        (re.compile(f"([{symbols}])"), r" \1 "),
    ]


def _split(text: str, of_t2t: bool = False) -> list[str]:
    # Patterns of characters up to U+FFFF are much faster.
    n_codes = 1 << 16 if max(text, default="") <= "\uffff" else sys.maxunicode + 1
    for pattern, replacement in _substitutions(of_t2t, n_codes):
        text = pattern.sub(replacement, text)
    return text.split()


def _without_entities(text: str, lowercase: bool) -> str:
    """Return the text before mteval splits it; replaced entities are lowercased too.

    Perl's `lc` does not use the final form of sigma at the end of a word.
    """
    for entity, character in _ENTITIES.items():
        text = text.replace(entity, character)
    return text.replace(_SIGMA, _SMALL_SIGMA).lower() if lowercase else text


def _with_entities_replaced(text: Text, lowercase: bool) -> Text:
    for entity, character in _ENTITIES.items():
        text = text.replaced(entity, character)
    if lowercase:
        text = text.replaced(_SIGMA, _SMALL_SIGMA)
    return lowered_source(text, lowercase)


# --- the records ----------------------------------------------------------------------

_13A = TokenizerRules(
    words_of_column=_words_of_column,
    words_of_text=_words_of_text,
    rewritten=_rewritten,
    warns_of_unspaced=True,
)
# evaluate's `bleu` and torchmetrics' sacre_bleu_score keep trailing spaces, so a hyphen before them
# is the end of a line like any other.
_UNSTRIPPED_13A = replace(
    _13A,
    words_of_column=partial(_words_of_column, stripped=False),
    words_of_text=partial(_words_of_text, stripped=False),
    rewritten=partial(_rewritten, stripped=False),
    is_option=False,
)
MTEVAL_TOKENIZERS = {
    "13a": _13A,
    UNSTRIPPED_13A: _UNSTRIPPED_13A,
    # torchmetrics lowercases words, not texts: <SKIPPED> and &AMP; stay, and words decide the form
    # of a final sigma.
    UNSTRIPPED_13A_OF_CASE: replace(_UNSTRIPPED_13A, lowercases_words=True),
    "pymteval": replace(
        _UNSTRIPPED_13A,
        words_of_column=_words_or_an_empty_one,
        words_of_text=lambda text, lowercase: (
            [""] if (words := _words_of_text(text, lowercase, stripped=False)) == [] else words
        ),
        lowercases_words=True,
        is_option=True,
    ),
    "t2t": rules_of_texts(partial(_split, of_t2t=True), warns_of_unspaced=True),
    "intl-entities": rules_of_texts(_split, _without_entities, rewritten=_with_entities_replaced),
    INTL_OF_CHARACTERS: rules_of_texts(
        lambda text: _split(_BEYOND_ASCII.sub(lambda run: f" {' '.join(run[0])} ", text)),
        _without_entities,
        rewritten=_with_entities_replaced,
    ),
    # multi-bleu.perl splits at ASCII whitespace only.
    WHITESPACE_OF_BYTES: rules_of_texts(re.compile("[^ \t\n\r\f\v]+").findall, is_option=False),
    INTL_BEFORE_2: rules_of_texts(
        partial(_split, of_t2t=True),
        lambda text, lowercase: lowered(text.rstrip(), lowercase),
        is_option=False,
    ),
}
