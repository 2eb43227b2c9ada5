"""The pairs of a chunk as ROUGE-2.0, a program in Java, counts them.

Facts about what ROUGE-2.0 1.2.2 computes without its stop words and stems; none of its
code is here. In the small letters of each line "@" stands for a run of digits, with blanks
around it, and a blank for each of ! . " ' ; : and the comma. The line is cut at blanks; a blank
at its beginning makes an empty word, which counts, and so does an empty line. N-grams and
skip-bigrams are those of lines. L is about sets: of any line of the prediction with any
of the reference one longest common subsequence counts, and

    precision = | words of all of them, without the empty one | / | words of the prediction |
    recall    = | words of all of them, without the empty one | / | words of the reference |

Of several references the mean precision and the mean recall count, and F of the two,
which is `multi_reference="f_of_means"`. Its S4 has at most three words between, as rougeS3.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from ...arrays import Ragged, flattened
from ...corpus import Corpus
from ...lazy import lazy_property
from ...spans.tokens import cut_token_spans, given_token_spans
from ...text.sentences import with_sentence_lines
from ...text.tokenizers import tokenized
from ...tokens import UNSHARED, SharedTokens, Tokens, paired, shared_tokens
from ..distinct.ngrams import distinct_ngram_counts
from ..families.lcs import LCS, distinct_words_in_lcs
from ..measures.family import Counting, Measure
from ..measures.scores import PairStatistics
from ..pairs.shown import ShownPair, shown_pairs
from ..paper.pairs import ColumnPairs

_DIGIT = re.compile("[0-9]+")
_SIGN = re.compile("[!.\"';:,]")
_LINE_END = re.compile(r"\r\n|\r|\n")
_BLANKS = re.compile(r"[ \t\n\x0b\f\r]+")


def _lines_of_text(text: str) -> list[str]:
    """Return the lines; none stands behind the last end of a line."""
    lines = _LINE_END.split(text)
    return lines if lines[-1] else lines[:-1]


def _words_of_line(line: str) -> list[str]:
    """Return the words of a line.

    >>> _words_of_line('"Go" to 12.')
    ['', 'go', 'to', '@']
    """
    line = _SIGN.sub(" ", _DIGIT.sub(" @ ", line).lower())
    if not line:
        return [""]
    words = _BLANKS.split(line)
    while words and not words[-1]:
        words.pop()
    return words


@dataclass(frozen=True)
class LinePairs(ColumnPairs):
    """Pairs of which everything is counted in lines."""

    @lazy_property
    def lines(self) -> list[list[Any]]:
        """The words of each line of each text."""
        if self.is_tokenized:
            return [[tokens] for tokens in self.texts]
        texts = with_sentence_lines(self.texts, self.options.sentence_splitter)
        return [list(map(_words_of_line, _lines_of_text(text))) for text in texts]

    @lazy_property
    def _tokens_of_lines(self) -> Tokens:
        """The tokens of all lines, and of one more that is empty."""
        lines, _ = flattened(self.lines)
        options = self.options.tokenizer_options(is_tokenized=True)
        return tokenized([*lines, [""]], options, is_tokenized=True)

    @property
    def id_of_empty_word(self) -> int:
        """The id that an empty word has on both sides; UNSHARED where it is a stop word."""
        ids = self._tokens_of_lines.ids
        return int(ids.values[-1]) if ids.lengths[-1] else UNSHARED

    @lazy_property
    def sides(self) -> tuple[Tokens, Tokens]:
        _, offsets = flattened(self.lines)
        lines = self._tokens_of_lines.between(0, int(offsets[-1]))
        ids = Ragged(lines.ids.values, lines.ids.offsets[offsets])
        tokens = Tokens(ids, lines.ids.row_of_value, lines.n_types)
        return paired(tokens, self.reference_offsets)

    @lazy_property
    def tokens(self) -> SharedTokens:
        return shared_tokens(*self.sides)

    @property
    def sentence_tokens(self) -> SharedTokens:
        return self.tokens

    @lazy_property
    def ngram_counts(self) -> dict[int, np.ndarray]:
        return distinct_ngram_counts(*self.sides, {1})

    def counting(self, measure: Measure) -> Counting[Any]:
        """Return that of the paper; L is that of PyPI's rouge, over lines, but for empty words."""
        if measure.family == LCS and LCS.distinct is not None:
            return Counting(_lcs_statistics, LCS.distinct.positions)
        return measure.family.paper

    def _shown_of_level(self, corpus: Corpus, in_sentences: bool) -> list[ShownPair]:
        options = self.options.tokenizer_options(is_tokenized=True)
        words = [list(chain(*lines)) for lines in self.lines]
        if self.is_tokenized:
            spans = given_token_spans(words, options)
        else:
            spans = cut_token_spans(self.texts, words, options)
        return shown_pairs(self.tokens.sides, spans, self.options)


def _lcs_statistics(pairs: LinePairs, measure: Measure) -> PairStatistics:
    _, in_prediction, in_reference = pairs.ngram_counts[1]
    matches = distinct_words_in_lcs(pairs, pairs.id_of_empty_word)
    return PairStatistics(matches, in_prediction, in_reference)
