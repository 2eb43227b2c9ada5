"""ROUGE-2.0 1.2.2, in Java, found by running it.

An empty word at the beginning of a line counts, and so does an empty line. N-grams and skip-bigrams are those
of lines; its S4 is rougeS3. L is as in PyPI's rouge, but without the empty word.
tests/golden/published.json and tests/presets/test_small_rouge.py have its scores.
"""

from __future__ import annotations

import re
from dataclasses import replace

from .._rouge.options import RougeOptions
from .._rouge.pairs import Pairs
from .._rouge.rules import RougeRules, defaults
from ..rouge_types import NGRAMS, SKIP_BIGRAMS, SKIP_BIGRAMS_AND_UNIGRAMS, by_name
from ..text.sentences import one_sentence_per_line
from .pltrdy import DISTINCT_WORD_LCS, count_distinct_words, positions_of_distinct_words

_DIGITS = re.compile("[0-9]+")
_PUNCTUATION = re.compile("[!.\"';:,]")
_LINE_END = re.compile(r"\r\n|\r|\n")
_SPACES = re.compile(r"[ \t\n\x0b\f\r]+")


def _tokenized_sentences(texts: list[str], options: RougeOptions) -> list[list[list[str]]]:
    texts = list(one_sentence_per_line(texts, options.sentence_splitter))
    lines_of_text = map(_LINE_END.split, texts)
    # No line follows the last line end.
    return [list(map(_words_of_line, one if one[-1] else one[:-1])) for one in lines_of_text]


def _words_of_line(line: str) -> list[str]:
    line = _PUNCTUATION.sub(" ", _DIGITS.sub(" @ ", line).lower())
    if not line:
        return [""]
    words = _SPACES.split(line)
    while words and not words[-1]:
        words.pop()
    return words


def _empty_id(pairs: Pairs) -> int:
    """Return the id of the empty word, which rougeL never matches."""
    import pyarrow.compute as pc

    tokens = pairs.text_tokens
    return int(pc.index(tokens.vocabulary, "").as_py())  # -1, which is `UNSHARED`, if there is none


_LCS = replace(
    DISTINCT_WORD_LCS,
    count_few=None,
    count_columns=lambda rouge_type, pairs: count_distinct_words(
        rouge_type, pairs, _empty_id(pairs)
    ),
    positions=lambda rouge_type, pairs, pair: positions_of_distinct_words(
        rouge_type, pairs, pair, _empty_id(pairs)
    ),
)
ROUGE = {
    "rouge-2.0": RougeRules(
        about=(
            "ROUGE-2.0 1.2.2 (Java), without stop words and stemming",
            "summaries, opinions",
            "five decimals, examples",
        ),
        options=defaults(
            "rouge1 rouge2 rougeL",
            tokenizer="whitespace",
            lowercase=True,
            multi_reference="f_of_means",
            cross_sentences=False,
            output="all",
        ),
        sentences=_tokenized_sentences,
        families=by_name(NGRAMS, _LCS, SKIP_BIGRAMS, SKIP_BIGRAMS_AND_UNIGRAMS),
        fixed_options=frozenset({"tokenizer", "lowercase", "cross_sentences", "summary_lcs"}),
    )
}
