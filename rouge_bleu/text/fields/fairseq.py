"""The tokens of fairseq-score.

Facts about what fairseq computes; none of its code is here. Words stand between blanks.
A line ends in </s>. <pad> at the beginning goes, then </s> and <pad> at the end, but one
token stays, so that an empty line has one. <unk> never matches, not even itself.
"""

from __future__ import annotations

from itertools import count

from ..rules import TokenizerRules, lowered_if_asked
from ..words import words_of_each

_END, _PADDING, _UNKNOWN = "</s>", "<pad>", "<unk>"
_NUMBERS = count()


def _words_of_text(text: str, lowercase: bool) -> list[str]:
    words = [*(text.lower() if lowercase else text).split(), _END]
    while words[0] == _PADDING:
        del words[0]
    while len(words) > 1 and words[-1] in (_END, _PADDING):
        words.pop()
    # No two of them are the same word.
    return [f"{_UNKNOWN} {next(_NUMBERS)}" if word == _UNKNOWN else word for word in words]


FAIRSEQ_TOKENIZERS = {
    "fairseq": TokenizerRules(
        words_of_column=words_of_each(_words_of_text),
        words_of_text=_words_of_text,
        rewritten=lowered_if_asked,
        warns_of_unspaced=True,
    )
}
