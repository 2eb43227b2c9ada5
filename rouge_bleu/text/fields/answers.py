"""Words of answers and of dialogue, as benchmarks normalize texts before they compare them.

Facts about what ParlAI, and SQuAD and those after it, do; none of their code is here. In
small letters the 32 signs of ASCII go: in ParlAI a blank stands for each, in SQuAD
nothing, so that "well-known" is one word. Then the words a, an and the go.
"""

from __future__ import annotations

import re
import string
from dataclasses import replace

from ..rules import Text, TokenizerRules
from ..words import words_of_each

_ARTICLE = re.compile(r"\b(?:a|an|the)\b")
_BLANK_OF_SIGN = dict.fromkeys(map(ord, string.punctuation), ord(" "))
_NOTHING_OF_SIGN = dict.fromkeys(map(ord, string.punctuation))


def _parlai_text(text: str, lowercase: bool) -> list[str]:
    return _ARTICLE.sub(" ", text.lower().translate(_BLANK_OF_SIGN)).split()


def _squad_text(text: str, lowercase: bool) -> list[str]:
    return _ARTICLE.sub(" ", text.lower().translate(_NOTHING_OF_SIGN)).split()


def _with_blanks(text: Text, lowercase: bool) -> Text:
    return text.lowered().translated(_BLANK_OF_SIGN).blanked(_ARTICLE)


def _without_signs(text: Text, lowercase: bool) -> Text:
    text = text.lowered()
    for sign in string.punctuation:
        text = text.replaced(sign, "")
    return text.blanked(_ARTICLE)


_PARLAI = TokenizerRules(
    words_of_column=words_of_each(_parlai_text), words_of_text=_parlai_text, rewritten=_with_blanks
)
_SQUAD = replace(
    _PARLAI,
    words_of_column=words_of_each(_squad_text),
    words_of_text=_squad_text,
    rewritten=_without_signs,
)
ANSWER_TOKENIZERS = {"parlai": _PARLAI, "squad": _SQUAD}
