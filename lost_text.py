"""Warnings that a tokenizer loses text: all of it, or most of its letters."""

from __future__ import annotations

import math
from collections.abc import Collection
from itertools import chain
from typing import Any

from .corpus import Corpus
from .messages import warn_caller
from .tokenization import ASCII_TOKENIZERS

# A look at some texts tells a script; all letters of a large corpus would take long.
_N_TEXTS_LOOKED_AT = 400
_N_CHARACTERS_LOOKED_AT = 1000


def warn_of_no_tokens(
    corpus: Corpus, tokenizer: Any, *, stopwords: Collection[str], zero_division: float
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


def warn_of_lost_letters(corpus: Corpus, tokenizer: Any) -> None:
    """Warn where most letters of the corpus are in no token."""
    if corpus.is_tokenized or tokenizer not in ASCII_TOKENIZERS:
        return
    columns = (corpus.predictions, corpus.references)
    if all(text.isascii() for text in chain(*columns)):
        return
    n_letters = n_lost = 0
    for texts in columns:
        step = -(-len(texts) // _N_TEXTS_LOOKED_AT)
        for text in texts[::step]:
            letters = [c for c in text[:_N_CHARACTERS_LOOKED_AT] if c.isalpha()]
            n_letters += len(letters)
            n_lost += sum(not letter.isascii() for letter in letters)
    if 2 * n_lost > n_letters:
        warn_caller(
            f"Most letters of these texts are in no token: tokenizer {tokenizer!r} knows "
            "ASCII letters and digits only. For texts in other scripts than Latin pass "
            "tokenizer='unicode'."
        )
