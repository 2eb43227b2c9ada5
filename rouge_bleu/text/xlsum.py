"""Tokenizers of XL-Sum's multilingual ROUGE, by language.

Facts about what the fork of rouge_score computes; none of its code is here. A text is

    1  lowercased
    2  without U+FFFD and characters of category C, such as joiners and soft hyphens; tab, line
       feed, carriage return and category Zs are spaces
    3  split at spaces, and at punctuation and symbols of ASCII and at category P, which vanish;
       other symbols stay
    4  split by a segmenter of the language, which gets the words with spaces between them; in
       other languages into runs of letters with their marks, runs of numbers and single
       characters; each CJK ideograph is a token

    xlsum            4 without a segmenter
    xlsum-chinese    jieba in its precise mode
    xlsum-thai       newmm of pythainlp
    xlsum-japanese   MeCab through fugashi, with unidic
    xlsum-burmese    syllables: a dependent sign joins the character before it, a short unit with
                     U+103A too, but not behind another one, and U+1039 without a sign joins both
                     sides

jieba and newmm return spaces as tokens, and those count. rougeLsum has steps 1 to 3 only. The
tokenizers "jieba", "newmm" and "unidic" are the segmenters on unchanged texts, without spaces.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import cache, lru_cache, partial
from importlib import import_module
from typing import Any

from .rules import Text, TokenizerRules, lowered_if_asked, rules_of_texts

XLSUM_WORDS = "xlsum before it is split into tokens"

_IDEOGRAPH = (
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002a6df"
    "\U0002a700-\U0002ceaf\U0002f800-\U0002fa1f"
)
_SPACE_BEFORE_MARK = "\uff050020"  # how pyonmttok writes a space before a mark
_PARTS = re.compile(f"[{_IDEOGRAPH}]|[^{_IDEOGRAPH}]+")
_ASCII_PUNCTUATION = frozenset(
    chr(code) for code in [*range(33, 48), *range(58, 65), *range(91, 97), *range(123, 127)]
)


@cache
def _written(character: str) -> str:
    """Return what replaces a character: a space, nothing, or itself."""
    kind = unicodedata.category(character)
    if character in "\t\n\r" or kind == "Zs" or kind[0] == "P" or character in _ASCII_PUNCTUATION:
        return " "
    return "" if character == "\ufffd" or kind[0] == "C" else character


def xlsum_words(text: str) -> list[str]:
    """Return what steps 2 and 3 leave of a text."""
    return "".join(map(_written, text)).split()


# --- step 4 ---------------------------------------------------------------------------


@lru_cache(maxsize=1 << 16)
def _parts_of_word(word: str) -> list[str]:
    """Return runs of letters, runs of numbers, and single characters, with their marks.

    >>> _parts_of_word("b2b€50日本")
    ['b', '2', 'b', '€', '50', '日', '本']
    """
    runs: list[str] = []
    last = ""
    for character in word:
        kind = unicodedata.category(character)[0]
        is_mark = kind == "M" and bool(runs)
        if is_mark or (kind == last and kind in "LN"):
            runs[-1] += character
        else:
            runs.append(character)
            last = kind
    return [part for run in runs for part in _PARTS.findall(run)]


# Symbols that pyonmttok reserves, and what it writes for them.
_RESERVED_SYMBOLS = str.maketrans("\uffed\uffe8", "\u25a0\u2502")


def _plain_tokens(text: str) -> list[str]:
    tokens: list[str] = []
    for word in xlsum_words(text.translate(_RESERVED_SYMBOLS)):
        first, *others = _parts_of_word(word)
        is_mark = unicodedata.category(first[0])[0] == "M"
        tokens.append(_SPACE_BEFORE_MARK + first if is_mark and tokens else first)
        tokens += others
    return tokens


def _imported(name: str, module: str, package: str) -> Any:
    try:
        return import_module(module)
    except ImportError as error:
        raise ImportError(f"tokenizer {name!r} needs {package}: pip install {package}") from error


def _jieba(text: str) -> list[str]:
    jieba = _imported("jieba", "jieba", "jieba")
    jieba.setLogLevel("WARNING")
    return list(jieba.cut(text))


def _newmm(text: str) -> list[str]:
    pythainlp = _imported("newmm", "pythainlp.tokenize", "pythainlp")
    return list(pythainlp.word_tokenize(text, engine="newmm"))


@lru_cache(maxsize=1)
def _mecab() -> Any:
    fugashi = _imported("unidic", "fugashi", "fugashi")
    try:
        return fugashi.Tagger("-Owakati")
    except RuntimeError as error:
        raise ImportError(
            "tokenizer 'unidic' needs a dictionary: pip install unidic-lite"
        ) from error


def _unidic(text: str) -> list[str]:
    return _mecab().parse(text).split()


def _of_words(segmenter: Callable[[str], list[str]], text: str) -> list[str]:
    """Return what a segmenter makes of the words of steps 1 to 3."""
    return segmenter(" ".join(xlsum_words(text)))


def _without_spaces(segmenter: Callable[[str], list[str]], text: str) -> list[str]:
    return [token for token in segmenter(text) if not token.isspace()]


_DEPENDENT = re.compile("[\u102b-\u1032\u1036-\u1038\u103a-\u103e]")


def _burmese(text: str) -> list[str]:
    """Return the syllables of a text without its spaces."""
    written = " ".join(xlsum_words(text)).replace("\u1037\u103a", "\u103a\u1037")
    syllables: list[str] = []
    was_short = False
    for unit in _units("".join(written.split())):
        is_short = bool(syllables) and len(unit) < 4 and "\u103a" in unit
        if is_short and not was_short:
            syllables[-1] += unit
        else:
            syllables.append(unit)
        was_short = is_short
    return " ".join(syllables).replace(" \u1039 ", "\u1039").split()


def _units(text: str) -> list[str]:
    """Return each character with the dependent signs behind it."""
    units: list[str] = []
    for character in text:
        if units and _DEPENDENT.match(character):
            units[-1] += character
        else:
            units.append(character)
    return units


# --- the records ----------------------------------------------------------------------


def _as_written(text: Text, lowercase: bool) -> Text:
    """Return the text without the characters that vanish."""
    return lowered_if_asked(text, lowercase).replaced("(?s).", _written)


def _rules(
    tokens: Callable[[str], list[str]],
    *,
    package: str | None = None,
    rewritten: Callable[[Any, bool], Any] = _as_written,
    **others: bool,
) -> TokenizerRules:
    return rules_of_texts(
        lambda text, lowercase: tokens(text.lower() if lowercase else text),
        rewritten=rewritten,
        is_thread_safe=package is None,
        check_installed=partial(tokens, "a"),
        package=package,
        **others,
    )


def _segmenter(segmenter: Callable[[str], list[str]], package: str) -> TokenizerRules:
    """Return the record of a segmenter on unchanged texts."""
    tokens = partial(_without_spaces, segmenter)
    return _rules(tokens, package=package, rewritten=lowered_if_asked)


XLSUM_TOKENIZERS = {
    "xlsum": _rules(_plain_tokens, warns_of_unspaced=True),
    "xlsum-chinese": _rules(partial(_of_words, _jieba), package="jieba"),
    "xlsum-thai": _rules(partial(_of_words, _newmm), package="pythainlp"),
    "xlsum-japanese": _rules(partial(_of_words, _unidic), package="fugashi"),
    "xlsum-burmese": _rules(_burmese),
    "jieba": _segmenter(_jieba, "jieba"),
    "newmm": _segmenter(_newmm, "pythainlp"),
    "unidic": _segmenter(_unidic, "fugashi"),
    XLSUM_WORDS: _rules(xlsum_words, is_option=False),
}
