"""Lists of tokens that are texts in lists, which would count as one token each, and lists
of references that are the tokens of one.

`data/corpus.py` judges a text by itself; this is what only the whole corpus tells.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import chain, starmap

import numpy as np

from ..corpus import Corpus
from ..messages import shown, warn_caller
from ..text.words import LETTER_OF_UNSPACED

_LONG_UNSPACED = re.compile(LETTER_OF_UNSPACED + "{9}")  # words have fewer letters
_LEAST_REFERENCES_OF_ITEM = 4  # on average, for tokens of a text


def check_tokens(corpus: Corpus, name: str = "predictions") -> None:
    """Raise where lists of tokens are texts in lists.

    A token may hold blanks, since some tokenizers keep names such as "New York"
    together. So only the whole corpus tells:

    * Predictions are texts where no prediction has two strings, and one of the strings
      holds several words, or more letters than a word in a script without blanks.
    * References are texts where no string of a prediction holds several words, but most
      strings of references do; or one does, and no reference has two strings.
    * Where most strings of both sides hold several words, they may be phrases, so there
      is a warning only.

    Lists of one word each are the same as texts or as tokens. Of texts there is a warning
    where all references are single words, and as many as tokens are.

    Raises
    ------
    ValueError
        Predictions or references are texts.
    """
    if not corpus.is_tokenized:
        if name == "predictions":  # a baseline has the same references
            _warn_of_tokens_as_references(corpus)
        return
    predictions, references = corpus.predictions, corpus.references
    is_one_text = _have_one_string(predictions)
    are_texts = _have_one_string(references) or _are_phrases(references)
    if not is_one_text and not are_texts:
        return
    item = _first_with(_is_text if is_one_text else _has_several_words, predictions)
    if is_one_text and item is not None:
        raise ValueError(
            f"{name}[{item}] is a list with one text, which would count as one "
            f"token, got {shown(predictions[item])}: give the text itself"
        )
    row = _first_with(_has_several_words, references) if are_texts else None
    if row is None:
        return
    if item is None:
        place = np.searchsorted(corpus.reference_offsets, row, side="right") - 1
        text = next(filter(_has_several_words, references[row]))
        raise ValueError(
            f"references[{place}] holds a text, which would count as one token, while "
            f"predictions are lists of words, got {shown(text)}: split it into tokens "
            "as the predictions are, or give texts on both sides"
        )
    if _are_phrases(references) and _are_phrases(predictions):
        phrase = next(filter(_has_several_words, predictions[item]))
        warn_caller(
            "Most tokens hold several words, such as "
            f"{shown(phrase)} in {name}[{item}]. If these are texts, give a list "
            "of texts, and not a list of such lists."
        )


def _warn_of_tokens_as_references(corpus: Corpus) -> None:
    """Warn where references are lists of tokens beside predictions that are texts."""
    n_references = len(corpus.references)
    if n_references < _LEAST_REFERENCES_OF_ITEM * len(corpus):
        return
    if any(map(_has_several_words, corpus.references)):
        return
    if 2 * sum(starmap(_is_longer, corpus.items)) <= len(corpus):
        return
    item = int(np.diff(corpus.reference_offsets).argmax())
    n_words = corpus.reference_offsets[item + 1] - corpus.reference_offsets[item]
    warn_caller(
        f"references[{item}] is a list of {n_words} single words, each of which is taken "
        "for a reference. If they are the tokens of one, join them, or give predictions "
        "as lists of tokens too."
    )


def _is_longer(prediction: str, references: list[str]) -> bool:
    """Whether a text is several words, or as long as two, for what has no blanks."""
    longest = max(map(len, references))
    return _has_several_words(prediction) or len(prediction) >= 2 * longest > 0


def _has_several_words(token: str) -> bool:
    return len(token.split(None, 1)) > 1


def _is_text(token: str) -> bool:
    return _has_several_words(token) or bool(_LONG_UNSPACED.search(token))


def _have_one_string(lists: list[list[str]]) -> bool:
    """Whether no list has two strings."""
    return all(length <= 1 for length in set(map(len, lists)))


def _first_with(is_text: Callable[[str], bool], lists: list[list[str]]) -> int | None:
    """Return the index of the first list with a string that is a text."""
    for index, tokens in enumerate(lists):
        if any(map(is_text, tokens)):
            return index
    return None


def _are_phrases(lists: list[list[str]]) -> bool:
    """Whether most strings hold several words."""
    strings = list(chain.from_iterable(lists))
    # Blanks are counted in all of them at once, since most often there is none.
    n_blanks = " ".join(strings).count(" ") - (len(strings) - 1)
    if 2 * n_blanks <= len(strings):
        return False
    return 2 * sum(map(_has_several_words, strings)) > len(strings)
