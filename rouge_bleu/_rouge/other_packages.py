"""How packages other than rouge_score and ROUGE-1.5.5 differ, found by running them.

This module contains none of their code.

* PyPI's rouge 1.0.1 (pltrdy) and rouge-chinese 1.0.3: a sentence of spaces has one word, which is
  empty. N-grams are sets. rougeL of rouge is about the distinct words of the LCS of any two
  sentences; that of rouge-chinese is the LCS of the texts.
* rouge.py of tensorflow/nmt: N-grams are sets, L is the LCS of texts, and with b = P / (R + 1e-12)
  F of n-grams = 2 P R / (P + R + 1e-8), F of L = (1 + b^2) R P / (R + b^2 P + 1e-12).
* ROUGE-2.0 1.2.2, in Java: an empty word at the beginning of a line counts, and so does an empty
  line. N-grams and skip-bigrams are those of lines; its S4 is rougeS3. L is as in PyPI's rouge,
  but without the empty word.
* ROUGE_L of coco-caption, pycocoevalcap 1.2: two spaces make an empty word, an empty text is one.
* py-rouge 1.1: L is rougeLsum. A text of l words has l - n + 1 n-grams, also below 0. Its limit of
  665 "bytes" is one of characters, as that of python-rouge of sacrerouge 0ca5202.
* XL-Sum's fork of rouge_score: rougeLsum splits at spaces, punctuation and ASCII symbols.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import plain
from ..arrays import common_keys, dense_ids, lazy_property
from ..kernels.union_lcs import union_lcs_mask
from ..options import check_choice
from ..text.other_packages import ptb_lines
from ..text.rules import TokenizerRules
from ..text.sentences import with_sentence_lines
from ..text.stemming import SNOWBALL_LANGUAGES, named_stemmer
from ..text.tokenizers import cut_words, tokenizer_rules
from ..text.xlsum import XLSUM_WORDS
from ..tokens import UNSHARED, Tokens, paired, shared_tokens
from .counting import LCS, NGRAMS, Counting, Measure, Positions, SentenceList, as_one_sentence

if TYPE_CHECKING:
    from .options import RougeOptions


class SetCounting(Counting):
    """Pairs whose texts are sets: of n-grams, and of the words of their common subsequences."""

    def count(self, measure: Measure) -> tuple[np.ndarray, ...]:
        if measure.family == NGRAMS and self.rules.counts_ngrams_once:
            matches, *totals = self.distinct_ngrams[measure.order]
            return matches, matches, *totals
        if measure.family == LCS and self.rules.lcs_of_distinct_words:
            matches = self.distinct_words_in_lcs()
            return matches, matches, *self.distinct_ngrams[1][1:]
        return super().count(measure)

    @lazy_property
    def distinct_ngrams(self) -> dict[int, np.ndarray]:
        """Numbers of distinct n-grams by order, as `distinct_ngram_counts` returns them."""
        orders = {measure.order for measure in self.measures if self.rules.counts_ngrams_once}
        sides = paired(self.text_tokens, self.reference_offsets)
        return distinct_ngram_counts(*sides, orders - {0} | {1})

    def distinct_words_in_lcs(self) -> np.ndarray:
        """Return how many distinct words the LCS of all sentences of a pair have, for each pair."""
        prediction, reference = paired(self.text_tokens, self.reference_offsets)
        tokens = shared_tokens(reference, prediction)
        is_counted = union_lcs_mask(tokens) & (prediction.ids.values != self.uncounted_word)
        words = np.unique(tokens.reference.ids.values[is_counted])
        return np.bincount(tokens.item_of_id[words], minlength=tokens.n_items)

    @property
    def uncounted_word(self) -> int:
        """The id of a word that rougeL never matches: the empty word of ROUGE-2.0."""
        ids = self.tokens_of_words[0].ids
        is_counted = self.rules.counts_ngrams_once or not ids.lengths[-1]
        return UNSHARED if is_counted else int(ids.values[-1])

    def positions_of_pair(
        self, measure: Measure, prediction: SentenceList, reference: SentenceList
    ) -> Positions:
        if measure.family == NGRAMS and self.rules.counts_ngrams_once:
            whole = [as_one_sentence(prediction)], [as_one_sentence(reference)]
            return self.unit_positions(measure, *whole, most=1)
        if measure.family == LCS and self.rules.lcs_of_distinct_words:
            uncounted = self.uncounted_word
            in_reference, in_prediction = plain.rouge_lsum(
                reference, prediction, lambda word: int(word != uncounted)
            )[1:]
            return in_prediction, in_reference
        return super().positions_of_pair(measure, prediction, reference)


def distinct_ngram_counts(
    prediction: Tokens, reference: Tokens, orders: Collection[int]
) -> dict[int, np.ndarray]:
    """Return how many distinct n-grams both sides, predictions and references have, by order.

    An n-gram is the (n-1)-gram at the same start and one more token, numbered over all texts.
    """
    sides = (prediction.ids, reference.ids)
    n_pairs, n_types = prediction.ids.n_rows, max(prediction.n_types, reference.n_types, 1)
    starts = [np.arange(len(side.values)) for side in sides]
    n_following = [side.lengths[side.row_of_value] - 1 - side.position_in_row for side in sides]
    ngrams = [side.values for side in sides]
    counts = {}
    for order in range(1, max(orders) + 1):
        if order > 1:
            longer = []
            for k, side in enumerate(sides):
                goes_on = n_following[k][starts[k]] >= order - 1
                starts[k] = starts[k][goes_on]
                longer.append(ngrams[k][goes_on] * n_types + side.values[starts[k] + (order - 1)])
            ngrams, _ = dense_ids(longer)
        if order in orders:
            n_ngrams = 1 + max(int(side.max(initial=0)) for side in ngrams)
            distinct = []
            for side, start, ngram in zip(sides, starts, ngrams, strict=True):
                # A sort is faster than `numpy.unique`.
                ascending = np.sort(side.row_of_value[start] * n_ngrams + ngram)
                distinct.append(ascending[np.diff(ascending, prepend=-1) > 0])
            in_both, _ = common_keys(*distinct)
            counts[order] = np.stack(
                [np.bincount(key // n_ngrams, minlength=n_pairs) for key in (in_both, *distinct)]
            )
    return counts


# --- words of texts -------------------------------------------------------------------------------
# Each takes texts and options, and returns the words of each sentence of each text.


def words_of_pltrdy(texts: list[str], options: RougeOptions) -> list[SentenceList]:
    """Sentences end at full stops, also at decimal points."""
    return [[one.split() or [""] for one in text.split(".") if one] for text in texts]


# The end of a sentence in rouge-chinese, and the characters that continue it. Splits are made in
# order; the character after a split starts no other split.
_WIDE_STOPS = (
    ("[。！？?]", "”’"),
    (r"\.{6}", "”’"),
    ("…{2}", "”’"),
    ("[。！？?][”’]", "，。！？?"),
)
_WIDE_CUTS = [re.compile(f"({end})([^{more}])") for end, more in _WIDE_STOPS]


def words_of_rouge_chinese(texts: list[str], options: RougeOptions) -> list[SentenceList]:
    """Sentences are lines, split at the ends of Chinese sentences."""
    rows = []
    for text in texts:
        for cut in _WIDE_CUTS:
            text = cut.sub(r"\1\n\2", text)
        rows.append([line.split() or [""] for line in text.rstrip().split("\n") if line])
    return rows


def words_of_nmt(texts: list[str], options: RougeOptions) -> list[SentenceList]:
    return [[text.strip().split(" ")] for text in texts]


def words_of_coco_caption(texts: list[str], options: RougeOptions) -> list[SentenceList]:
    """Tokens of tokenizers other than "whitespace" are left unchanged."""
    tokenizer = options.tokenizer_rules(is_tokenized=False)
    if options.tokenizer_name == "whitespace":
        return [[text.split(" ")] for text in texts]
    if options.tokenizer_name == "ptb":
        return [[line.split(" ")] for line in ptb_lines(texts)]
    return [[row or [""]] for row in cut_words(texts, tokenizer).to_lists()]


_DIGITS = re.compile("[0-9]+")
_PUNCTUATION = re.compile("[!.\"';:,]")
_LINE_END = re.compile(r"\r\n|\r|\n")
_SPACES = re.compile(r"[ \t\n\x0b\f\r]+")


def words_of_rouge_2_0(texts: list[str], options: RougeOptions) -> list[SentenceList]:
    texts = list(with_sentence_lines(texts, options.sentence_splitter))
    lines_of_text = map(_LINE_END.split, texts)
    # No line follows the last line end.
    return [list(map(words_of_line, lines if lines[-1] else lines[:-1])) for lines in lines_of_text]


def words_of_line(line: str) -> list[str]:
    """Return the words of a line as ROUGE-2.0 splits it."""
    line = _PUNCTUATION.sub(" ", _DIGITS.sub(" @ ", line).lower())
    if not line:
        return [""]
    words = _SPACES.split(line)
    while words and not words[-1]:
        words.pop()
    return words


# --- limits ---------------------------------------------------------------------------------------


def first_characters_of_py_rouge(text: str, limit: int) -> str:
    """Return the lines up to a number of characters."""
    lines = []
    for line in map(str.strip, text.split("\n")):
        lines.append(line[:limit])
        if len(line) >= limit:
            break
        limit -= len(line)
    return "\n".join(lines)


def first_characters_of_sacrerouge(text: str, limit: int) -> str:
    """Return the lines up to a number of characters."""
    lines = []
    for line in text.split("\n"):
        lines.append(line[:limit].strip())
        limit -= len(lines[-1])
    return "\n".join(lines)


# --- counts and F ---------------------------------------------------------------------------------


def signed_ngram_totals(lengths: np.ndarray, order: int) -> np.ndarray:
    """py-rouge: negative if a text is shorter than the n-gram."""
    return lengths - (order - 1)


def lcs_formula_of_nmt(precision: np.ndarray, recall: np.ndarray) -> np.ndarray:
    square = (precision / (recall + 1e-12)) ** 2
    return (1 + square) * recall * precision / (recall + square * precision + 1e-12)


# --- languages of XL-Sum: which tokenizer and stemmer each has --------------------------------------


def xlsum_lines(tokenizer: TokenizerRules) -> TokenizerRules:
    lowercase, stopwords, stem = tokenizer.lowercase, tokenizer.stopwords, tokenizer.stem
    return tokenizer_rules(XLSUM_WORDS, lowercase=lowercase, stopwords=stopwords, stem=stem)


_SEGMENTED = ("chinese", "thai", "japanese", "burmese")
_OTHER_NAMES = {
    "chinese_simplified": "chinese",
    "chinese_traditional": "chinese",
    "mundo": "spanish",
    "bangla": "bengali",
    "turkce": "turkish",
}
_WITHOUT_STEMMER = ("bengali", "hindi", "turkish")  # PyPI has no package with their stemmers
# Languages of XL-Sum's data that its scorer does not know: plain tokens, which are not stemmed.
_PLAIN = (
    *("amharic", "azerbaijani", "gujarati", "hausa", "igbo", "indonesian", "kirundi", "korean"),
    *("kyrgyz", "marathi", "nepali", "oromo", "pashto", "persian", "pidgin", "punjabi"),
    *("scottish_gaelic", "serbian_cyrillic", "serbian_latin", "sinhala", "somali", "swahili"),
    *("tamil", "telugu", "tigrinya", "ukrainian", "urdu", "uzbek", "vietnamese", "welsh", "yoruba"),
)
LANGUAGES = (*_SEGMENTED, *SNOWBALL_LANGUAGES, *_WITHOUT_STEMMER, *_OTHER_NAMES, *_PLAIN)


def tokenizer_of_language(language: str) -> str:
    """Return the segmenter of the language, else "xlsum"."""
    name = _OTHER_NAMES.get(language, language)
    return f"xlsum-{name}" if name in _SEGMENTED else "xlsum"


def stemmer_of_language(language: str) -> str | None:
    """Return the name of the stemmer, or None for a language without one."""
    name = _OTHER_NAMES.get(language, language)
    return f"xlsum-{name}" if name in SNOWBALL_LANGUAGES else None


def check_language(name: str, language: Any) -> Any:
    """Return the language if its tokenizer is installed."""
    check_choice(name, language, LANGUAGES)
    tokenizer_rules(tokenizer_of_language(language)).check_installed()
    return language


def check_stemmer_of_language(language: str) -> None:
    """Raise if XL-Sum has a stemmer for the language and this package does not."""
    if _OTHER_NAMES.get(language, language) in _WITHOUT_STEMMER:
        raise ValueError(
            f"use_stemmer must be False with language={language!r}, whose stemmer is not"
            " on PyPI: pass your copy as stemmer=..."
        )
    if (stemmer := stemmer_of_language(language)) is not None:
        named_stemmer(stemmer)
