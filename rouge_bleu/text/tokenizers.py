"""Texts -> token ids, by a named tokenizer or a user-defined function.

    rouge_score    runs of ASCII letters and digits of the lowercased text, as in Google's package
    rouge-1.5.5    like rouge_score, but only A-Z are lowercased, as in the Perl script
    unicode        runs of letters, digits and combining marks; one token per unspaced character
    char           every character that is not whitespace
    whitespace     what `str.split` returns
    conala         runs of A-Z, a-z, 0-9 and _, split between a lowercase and an uppercase
                   letter; quotes become backticks (Ling et al. 2016, https://aclanthology.org/P16-1057)
    parlai         lowercased, ASCII punctuation replaced by spaces, the words a, an and the removed
    squad          like parlai, but punctuation is deleted, so "well-known" becomes one word

The last three are written from their output. "13a" is in `tokenizer_13a.py`, others in modules of
presets. A whole column is split into words at once (`words.py`); a few texts are split one by one,
which costs less. Two tokens of one call have the same id if and only if they are the same string.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from ..messages import check_encodable, safe_repr
from ..registry import PRESET_TOKENIZERS, UNLISTED_TOKENIZERS, LazyRecords
from ..tokens import Tokens, tokens_of_lists
from .stemming import checked_stem
from .tokenizer_13a import TOKENIZER_13A
from .tokenizer_rules import Text, TokenizerRules, lowered, rules_by_text, rules_by_word
from .words import ALPHANUMERIC, tokens_of_bytes, unicode_tokens, whitespace_tokens

Tokenizer = Callable[[str], Sequence[str]]

# The fixed cost of a text, and of a given token, in characters.
_CHARACTERS_OF_TEXT = 50
_CHARACTERS_OF_TOKEN = 5


# --- the tokenizers -------------------------------------------------------------------

# ALPHANUMERIC, and a space for every other byte.
_SPACE_TABLES = {lowercase: table.replace(b"\0", b" ") for lowercase, table in ALPHANUMERIC.items()}
_CONALA = re.compile(r"[A-Za-z0-9_](?:[a-z0-9_]|(?<![a-z])[A-Z])*|\S")
_ARTICLE = r"\b(?:a|an|the)\b"
_PUNCTUATION = f"[{re.escape(string.punctuation)}]"


def _rouge155_words(text: str, lowercase: bool) -> list[str]:
    encoded = text.encode("utf-8", "replace")  # rouge_score takes lone surrogates
    return encoded.translate(_SPACE_TABLES[lowercase]).decode("ascii").split()


def _lowered_if_needed(text: str) -> str:
    """Return the text lowercased if it has a letter beyond ASCII whose lowercase form has one in it."""
    return text.lower() if "\u0130" in text or "\u212a" in text else text


def _rouge_score_words(text: str, lowercase: bool) -> list[str]:
    return _rouge155_words(_lowered_if_needed(text) if lowercase else text, lowercase)


def _rouge_score_tokens(texts: Sequence[str], lowercase: bool) -> Tokens:
    if lowercase and not all(map(str.isascii, texts)):
        texts = list(map(_lowered_if_needed, texts))
    return tokens_of_bytes(texts, ALPHANUMERIC[lowercase])


def _unicode_tokens(texts: Sequence[str], lowercase: bool) -> Tokens:
    if all(map(str.isascii, texts)):
        return tokens_of_bytes(texts, ALPHANUMERIC[lowercase])
    # Lowercasing comes first: the form of a final sigma depends on characters outside words.
    return unicode_tokens(list(map(str.lower, texts)) if lowercase else texts)


def _with_backticks(text: Text) -> Text:
    return text.replace('"', "`").replace("'", "`")


def _rules_replacing_punctuation(instead: str) -> TokenizerRules:
    table = dict.fromkeys(map(ord, string.punctuation), instead)
    return replace(
        rules_by_text(lambda text: re.sub(_ARTICLE, " ", text.lower().translate(table)).split()),
        rewritten=lambda text, lowercase: (
            text.lower().sub(_PUNCTUATION, instead).sub(_ARTICLE, " ")
        ),
    )


_TOKENIZERS: dict[str, TokenizerRules] = {
    "rouge_score": TokenizerRules(
        words_of_column=_rouge_score_tokens,
        words_of_text=_rouge_score_words,
        keeps_ascii_only=True,
        separates_sentences=True,
    ),
    "rouge-1.5.5": TokenizerRules(
        words_of_column=lambda texts, lowercase: tokens_of_bytes(texts, ALPHANUMERIC[lowercase]),
        words_of_text=_rouge155_words,
        rewritten=lambda text, lowercase: text.sub("[A-Z]+", str.lower) if lowercase else text,
        keeps_ascii_only=True,
        separates_sentences=True,
    ),
    "unicode": TokenizerRules(
        words_of_column=_unicode_tokens,
        words_of_text=lambda text, lowercase: (
            _rouge_score_words(text, lowercase) if text.isascii() else None
        ),
        separates_sentences=True,
    ),
    "char": rules_by_word(lambda text: list("".join(text.split()))),
    "whitespace": TokenizerRules(
        words_of_column=whitespace_tokens,
        words_of_text=lambda text, lowercase: lowered(text, lowercase).split(),
        warns_of_unspaced=True,
        separates_sentences=True,
    ),
    "13a": TOKENIZER_13A,
    "conala": rules_by_word(
        lambda text: _CONALA.findall(_with_backticks(text)),
        rewritten=lambda text, lowercase: _with_backticks(lowered(text, lowercase)),
        lowercases_words=True,
    ),
    "parlai": _rules_replacing_punctuation(" "),
    "squad": _rules_replacing_punctuation(""),
}
TOKENIZERS = LazyRecords("TOKENIZERS", PRESET_TOKENIZERS, _TOKENIZERS)
TOKENIZER_NAMES = tuple(name for name in TOKENIZERS if name not in UNLISTED_TOKENIZERS)


# --- from texts to tokens -------------------------------------------------------------


def tokenizer_rules(
    tokenizer: str | Tokenizer | TokenizerRules = "rouge_score", **of_words: Any
) -> TokenizerRules:
    """Return the rules of a tokenizer, a name or a function, with `lowercase`, `stopwords`, `stem`."""
    if isinstance(tokenizer, (str, TokenizerRules)):
        rules = TOKENIZERS[tokenizer] if isinstance(tokenizer, str) else tokenizer
        return replace(rules, **of_words) if of_words else rules

    def words_of_column(texts: Sequence[str], lowercase: bool) -> Tokens:
        lists = (tokenizer(lowered(text, lowercase)) for text in texts)
        return tokens_of_lists([checked_strings("tokenizer", words) for words in lists])

    return TokenizerRules(words_of_column=words_of_column, is_thread_safe=False, **of_words)


def tokenize(texts: Sequence[Any], rules: TokenizerRules, *, is_tokenized: bool = False) -> Tokens:
    """Tokenize a column of texts, or lists of tokens; lines are sentences if the tokenizer separates them."""
    words = unfiltered_tokens(texts, rules, is_tokenized=is_tokenized)
    if rules.stopwords:
        words = words.without(rules.stopwords)
    if rules.stem is not None:
        words = words.map_vocabulary(partial(checked_stem, rules.stem))
    return words


def tokenization_cost(texts: Sequence[Any], is_tokenized: bool) -> int:
    """Return the characters of texts, or about those of lists of tokens, and more for each text."""
    unit = _CHARACTERS_OF_TOKEN if is_tokenized else 1
    return unit * sum(map(len, texts)) + _CHARACTERS_OF_TEXT * len(texts)


def token_lists(
    texts: Sequence[Any], rules: TokenizerRules, is_tokenized: bool
) -> list[list[str]] | None:
    """Return the tokens of `tokenize` text by text; None if one of the texts needs a column."""
    lowers_words = rules.lowercase and (is_tokenized or rules.lowercases_words)
    lowers_texts = rules.lowercase and not lowers_words
    rows = []
    for text in texts:
        words = text if is_tokenized else rules.words_of_text(text, lowers_texts)
        if words is None:
            return None
        if lowers_words:
            words = list(map(str.lower, words))
        if rules.stopwords:
            words = [word for word in words if word not in rules.stopwords]
        if rules.stem is not None:
            words = [checked_stem(rules.stem, word) for word in words]
        rows.append(words if isinstance(words, list) else list(words))
    return rows


def unfiltered_tokens(
    texts: Sequence[Any], rules: TokenizerRules, *, is_tokenized: bool = False
) -> Tokens:
    """Return the words of `tokenize` before any is dropped or stemmed."""
    lowers_words = rules.lowercase and (is_tokenized or rules.lowercases_words)
    if is_tokenized:
        words = tokens_of_lists(texts)
    else:
        words = rules.words_of_column(texts, rules.lowercase and not lowers_words)
    return words.map_vocabulary(str.lower) if lowers_words else words


def checked_strings(name: str, strings: Sequence[str]) -> Sequence[str]:
    """Return the result of the user-defined function `name` for a text, if it is strings."""
    is_list = isinstance(strings, (list, tuple))
    if not is_list or not all(isinstance(string, str) for string in strings):
        raise TypeError(f"{name} must return lists of strings, got {safe_repr(strings):.80}")
    check_encodable(name, "".join(strings))
    return strings
