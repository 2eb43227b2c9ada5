"""Warnings that a tokenizer loses text: all of it, or most of its letters."""

from __future__ import annotations

import math
import re
import string
from collections.abc import Collection
from itertools import chain
from typing import Any

from ..ground.messages import warn_caller
from ..text.tokenizers import ASCII_TOKENIZERS
from .corpus import Corpus

# On each side. These tell the script; all letters of a large corpus would take long.
_N_TEXTS_LOOKED_AT = 200
_N_CHARACTERS_LOOKED_AT = 500

_ASCII = re.compile("[\0-\x7f]+")
_ASCII_LETTERS = string.ascii_letters.encode()


def warn_of_lost_text(
    corpus: Corpus,
    tokenizer: Any,
    *,
    has_tokens: bool,
    stopwords: Collection[str] = (),
    zero_division: float = 0.0,
) -> None:
    """Warn where no text of a corpus has a token, or most letters are in none.

    Parameters
    ----------
    corpus : Corpus
    tokenizer : str or callable
    has_tokens : bool
        Whether the tokenizer found any token.
    stopwords : collection of str
    zero_division : float
        The score of texts without tokens.
    """
    if has_tokens:
        _warn_of_lost_letters(corpus, tokenizer)
    else:
        _warn_of_no_tokens(corpus, tokenizer, stopwords, zero_division)


def _warn_of_no_tokens(
    corpus: Corpus, tokenizer: Any, stopwords: Collection[str], zero_division: float
) -> None:
    """Warn that no text of the corpus holds a token, unless all texts are blank."""
    texts = chain(corpus.predictions, corpus.references)
    if not any(text.strip() for text in texts if isinstance(text, str)):
        return
    remedy = ""
    if stopwords:
        remedy = " Look at stopwords, which takes tokens out."
    elif not callable(tokenizer) and tokenizer != "unicode":
        remedy = " For texts in other scripts than Latin pass tokenizer='unicode'."
    score = "NaN" if math.isnan(zero_division) else "0"
    warn_caller(
        f"No text holds a single token, so all scores are {score}: tokenizer "
        f"{tokenizer!r} found none.{remedy}"
    )


def _warn_of_lost_letters(corpus: Corpus, tokenizer: Any) -> None:
    """Warn where most letters of the corpus are in no token.

    Nothing is said of lists of tokens, and of tokenizers that know other letters than
    those of ASCII. Letters with accents are few in languages that are written in Latin
    letters, so these give no warning.
    """
    is_name = isinstance(tokenizer, str)
    if corpus.is_tokenized or not is_name or tokenizer not in ASCII_TOKENIZERS:
        return
    columns = (corpus.predictions, corpus.references)
    if all(map(str.isascii, chain(*columns))):
        return
    text = "".join(map(_some_of, columns))
    ascii_text = text.encode("ascii", errors="ignore")
    n_kept = len(ascii_text) - len(ascii_text.translate(None, _ASCII_LETTERS))
    n_lost = sum(map(str.isalpha, _ASCII.sub("", text)))
    if n_lost > n_kept:
        warn_caller(
            f"Most letters of these texts are in no token: tokenizer {tokenizer!r} knows "
            "ASCII letters and digits only. For texts in other scripts than Latin pass "
            "tokenizer='unicode'."
        )


def _some_of(texts: list[str]) -> str:
    """Return the starts of some texts, spread over all of them."""
    step = -(-len(texts) // _N_TEXTS_LOOKED_AT)
    return "".join(text[:_N_CHARACTERS_LOOKED_AT] for text in texts[::step])
