"""XL-Sum's fork of rouge_score, afcd803. Each language has a tokenizer and a stemmer.

Written from the output of the fork, without its code. A text is

    1  lowercased
    2  without U+FFFD and characters of category C; tab, line ends and category Zs are spaces
    3  split at spaces, at punctuation and symbols of ASCII and at category P, which are dropped
    4  split by a segmenter: jieba (xlsum-chinese), newmm of pythainlp (xlsum-thai), MeCab with
       unidic (xlsum-japanese), syllables (xlsum-burmese); otherwise (xlsum) into runs of letters
       with their marks, runs of numbers and single characters; each CJK ideograph is a token

jieba and newmm return spaces as tokens, which count. rougeLsum uses steps 1 to 3 only. The
tokenizers "jieba", "newmm" and "unidic" are the segmenters on unchanged texts, without spaces.
tests/presets/test_xlsum.py and tests/golden/published.json have tokens and scores of the fork.
"""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from functools import cache, lru_cache, partial
from typing import Any

from .._rouge.rules import ROUGE_SCORE, Language, RougeRules
from ..corpus import Corpus
from ..messages import warn_caller
from ..registry import SNOWBALL_LANGUAGES
from ..rouge_types import LIN_2004
from ..text.stemming import Stemmer, import_optional, snowball_stemmer, unless_short
from ..text.tokenizer_rules import TokenizerRules, lowered, rules_by_text

# --- tokens: steps 2 and 3 ------------------------------------------------------------------------

_IDEOGRAPH = (
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002a6df"
    "\U0002a700-\U0002ceaf\U0002f800-\U0002fa1f"
)
_SPACE_BEFORE_MARK = "\uff050020"  # how pyonmttok writes a space before a mark
_IDEOGRAPH_OR_RUN = re.compile(f"[{_IDEOGRAPH}]|[^{_IDEOGRAPH}]+")
# In kinds of characters: runs of letters, runs of numbers and single characters, with their marks.
_CHARACTER_RUN = re.compile("L[LM]*|N[NM]*|.M*")
# Symbols that pyonmttok reserves, and their replacements.
_RESERVED_SYMBOLS = str.maketrans("\uffed\uffe8", "\u25a0\u2502")
# A character with the dependent signs after it.
_BURMESE_UNIT = re.compile("(?s).[\u102b-\u1032\u1036-\u1038\u103a-\u103e]*")


@cache
def _normalized(character: str) -> str:
    """Return the replacement of a character: a space, nothing, or itself."""
    kind = unicodedata.category(character)
    if character in "\t\n\r" + string.punctuation or kind == "Zs" or kind[0] == "P":
        return " "
    return "" if character == "\ufffd" or kind[0] == "C" else character


def xlsum_words(text: str) -> list[str]:
    """Return a text after steps 2 and 3."""
    return "".join(map(_normalized, text)).split()


# --- tokens: step 4 -------------------------------------------------------------------------------


@lru_cache(maxsize=1 << 16)
def _character_runs(word: str) -> list[str]:
    kinds = "".join(unicodedata.category(character)[0] for character in word)
    runs = (word[slice(*run.span())] for run in _CHARACTER_RUN.finditer(kinds))
    return [part for run in runs for part in _IDEOGRAPH_OR_RUN.findall(run)]


def _tokens_without_segmenter(text: str) -> list[str]:
    tokens: list[str] = []
    for word in xlsum_words(text.translate(_RESERVED_SYMBOLS)):
        first, *others = _character_runs(word)
        is_mark = unicodedata.category(first[0])[0] == "M"
        tokens.append(_SPACE_BEFORE_MARK + first if is_mark and tokens else first)
        tokens += others
    return tokens


def _jieba_tokens(text: str) -> list[str]:
    jieba = import_optional("tokenizer 'jieba'", "jieba")
    jieba.setLogLevel("WARNING")
    return list(jieba.cut(text))


def _newmm_tokens(text: str) -> list[str]:
    pythainlp = import_optional("tokenizer 'newmm'", "pythainlp.tokenize")
    return list(pythainlp.word_tokenize(text, engine="newmm"))


@lru_cache(maxsize=1)
def _mecab_tagger() -> Any:
    fugashi = import_optional("tokenizer 'unidic'", "fugashi")
    try:
        return fugashi.Tagger("-Owakati")
    except RuntimeError as error:
        raise ImportError(
            "tokenizer 'unidic' needs a dictionary: pip install unidic-lite"
        ) from error


def _burmese_syllables(text: str) -> list[str]:
    """Return the syllables of a text without its spaces."""
    # Short units with U+103A join the unit before them, unless it is one too.
    written = [word.replace("\u1037\u103a", "\u103a\u1037") for word in xlsum_words(text)]
    syllables: list[str] = []
    was_short = False
    for unit in _BURMESE_UNIT.findall("".join(written)):
        is_short = bool(syllables) and len(unit) < 4 and "\u103a" in unit
        if is_short and not was_short:
            syllables[-1] += unit
        else:
            syllables.append(unit)
        was_short = is_short
    return " ".join(syllables).replace(" \u1039 ", "\u1039").split()


# --- tokens: the records --------------------------------------------------------------------------


def _drops_punctuation(split: Callable[[str], list[str]], **others: Any) -> TokenizerRules:
    return replace(
        rules_by_text(split, **others),
        rewritten=lambda text, lowercase: lowered(text, lowercase).sub("(?s).", _normalized),
    )


def _rules_of_segmenter(
    language: str, name: str, segment: Callable[[str], list[str]], package: str
) -> dict[str, TokenizerRules]:
    rules = {
        f"xlsum-{language}": _drops_punctuation(lambda text: segment(" ".join(xlsum_words(text)))),
        name: rules_by_text(lambda text: [one for one in segment(text) if not one.isspace()]),
    }
    check = partial(segment, "a")
    return {
        key: replace(one, is_thread_safe=False, check_installed=check, package=package)
        for key, one in rules.items()
    }


TOKENIZERS = {
    "xlsum": _drops_punctuation(_tokens_without_segmenter, warns_of_unspaced=True),
    **_rules_of_segmenter("chinese", "jieba", _jieba_tokens, "jieba"),
    **_rules_of_segmenter("thai", "newmm", _newmm_tokens, "pythainlp"),
    **_rules_of_segmenter(
        "japanese", "unidic", lambda text: _mecab_tagger().parse(text).split(), "fugashi"
    ),
    "xlsum-burmese": _drops_punctuation(_burmese_syllables),
}


def _rules_of_lines(tokenizer: TokenizerRules) -> TokenizerRules:
    """Return the rules of rougeLsum, whose lines are split without the segmenter of the language."""
    names = ("lowercase", "stopwords", "stem")
    return _drops_punctuation(xlsum_words, **{name: getattr(tokenizer, name) for name in names})


# --- languages ------------------------------------------------------------------------------------


def _stemmer(language: str) -> Stemmer:
    """Return the stemmer, which leaves short words and NLTK's stop words unchanged."""
    return unless_short(snowball_stemmer(f"xlsum-{language}", language, keeps_stopwords=True))


STEMMERS = {f"xlsum-{language}": partial(_stemmer, language) for language in SNOWBALL_LANGUAGES}
# Languages of XL-Sum's data that its scorer does not know: plain tokens, which are not stemmed.
_PLAIN_LANGUAGES = (
    "amharic azerbaijani gujarati hausa igbo indonesian kirundi korean kyrgyz marathi nepali oromo "
    "pashto persian pidgin punjabi scottish_gaelic serbian_cyrillic serbian_latin sinhala somali "
    "swahili tamil telugu tigrinya ukrainian urdu uzbek vietnamese welsh yoruba"
).split()
_CHINESE_LANGUAGES = ("chinese", "chinese_simplified", "chinese_traditional")
_STEMMED_ELSEWHERE = ("bengali", "bangla", "hindi", "turkish", "turkce")  # no package on PyPI
LANGUAGES = {
    **dict.fromkeys(_CHINESE_LANGUAGES, Language("xlsum-chinese")),
    **{name: Language(f"xlsum-{name}") for name in ("thai", "japanese", "burmese")},
    **{name: Language("xlsum", f"xlsum-{name}") for name in SNOWBALL_LANGUAGES},
    "mundo": Language("xlsum", "xlsum-spanish"),
    **dict.fromkeys(_STEMMED_ELSEWHERE, Language("xlsum", has_other_stemmer=True)),
    **dict.fromkeys(_PLAIN_LANGUAGES, Language("xlsum")),
}


def _warn_of_missing_language(options: Any, corpus: Corpus) -> None:
    if options.use_stemmer and options.language is None:
        warn_caller(
            "use_stemmer=True without language stems all texts as English, as XL-Sum's scorer does. "
            "Pass the language of the texts, such as language='swahili'."
        )


ROUGE = {
    "xlsum": RougeRules(
        about=(
            "XL-Sum's rouge_score, afcd803",
            "multilingual summaries",
            "1e-12; not Japanese and Snowball stemmers",
        ),
        families=LIN_2004,
        options={**ROUGE_SCORE, "tokenizer": "xlsum"},
        tokenizer_of_sentences=_rules_of_lines,
        languages=LANGUAGES,
        warn=_warn_of_missing_language,
        fixed_options=frozenset({"cross_sentences"}),
    )
}
