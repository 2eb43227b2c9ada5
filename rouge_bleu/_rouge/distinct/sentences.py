"""Texts -> sentences of words, by the rules of PyPI's rouge and rouge-chinese.

Facts about what these packages do; none of their code is here. Words stand between
blanks. A sentence that is all blanks has one word, which is empty: so has a text with a
blank behind its last full stop. A text without sentences has no word.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ...arrays import Ragged, flattened
from ...text.tokenizers import TokenizerOptions, tokenized
from ...tokens import Tokens

# What a sentence ends with in rouge-chinese, and which characters go on with it. The
# cuts are made one after the other; a character behind a cut begins no other one.
_WIDE_STOPS = (
    ("[。！？?]", "”’"),
    (r"\.{6}", "”’"),
    ("…{2}", "”’"),
    ("[。！？?][”’]", "，。！？?"),
)
_WIDE_CUTS = [re.compile(f"({end})([^{more}])") for end, more in _WIDE_STOPS]


def _full_stop_sentences(text: str) -> list[str]:
    """PyPI's rouge: what stands between full stops, those of numbers too."""
    return text.split(".")


def _wide_stop_sentences(text: str) -> list[str]:
    """rouge-chinese: lines, cut after the marks that end a Chinese sentence."""
    for cut in _WIDE_CUTS:
        text = cut.sub(r"\1\n\2", text)
    return text.rstrip().split("\n")


_SENTENCE_RULES: dict[str, Callable[[str], list[str]]] = {
    "full stops": _full_stop_sentences,
    "wide stops": _wide_stop_sentences,
}


def sentences_of_words(text: str, rule: str) -> list[list[str]]:
    """Return the words of each sentence of a text.

    Parameters
    ----------
    text : str
    rule : str
        "full stops" or "wide stops".

    Examples
    --------
    >>> sentences_of_words("It was 3.5 m. ", "full stops")
    [['It', 'was', '3'], ['5', 'm'], ['']]
    >>> sentences_of_words("你 好 ？ 我 很 好 。", "wide stops")
    [['你', '好', '？'], ['我', '很', '好', '。']]
    """
    sentences = _SENTENCE_RULES[rule](text)
    return [sentence.split() or [""] for sentence in sentences if sentence]


def tokenized_by_stops(texts: Sequence[str], rule: str, options: TokenizerOptions) -> Tokens:
    """Tokenize texts by a rule of `sentences_of_words`.

    Of the options, only what they say about given tokens has an effect.
    """
    sentences, offsets = flattened([sentences_of_words(text, rule) for text in texts])
    tokens = tokenized(sentences, options, is_tokenized=True)
    ids = Ragged(tokens.ids.values, tokens.ids.offsets[offsets])
    return Tokens(ids, tokens.ids.row_of_value, tokens.n_types)
