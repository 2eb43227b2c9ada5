"""What packages other than rouge_score and ROUGE-1.5.5 do differently.

Facts about what they compute, found by running them; none of their code is here. The presets of
`presets.py` name these functions.

**PyPI's rouge 1.0.1 (pltrdy) and rouge-chinese 1.0.3.** Words are separated by spaces. A sentence that
is all spaces has one word, which is empty; a text without sentences has no word. A text has each n-gram
once, however often it occurs there:

    matches = | n-grams of the prediction  ∩  n-grams of the reference |

rougeL of rouge is about distinct words: those of the longest common subsequence of any sentence of the
prediction with any of the reference, of all distinct words. That of rouge-chinese is the LCS of the
whole texts.

**rouge.py of tensorflow/nmt.** A text is stripped and split at every single space, has each n-gram
once, and L is the LCS of the whole texts. With precision P and recall R,

    F of n-grams = 2 P R / (P + R + 1e-8)
    F of L       = (1 + b^2) R P / (R + b^2 P + 1e-12),   b = P / (R + 1e-12)

**ROUGE-2.0 1.2.2, in Java, without its stop words and stems.** In the lowercased line "@" stands for a
run of digits, with spaces around it, and a space for each of ! . " ' ; : and the comma. The line is split
at spaces; a space at its beginning makes an empty word, which counts, and so does an empty line. N-grams
and skip-bigrams are those of lines. L is about sets, as in PyPI's rouge, but without the empty word in
the matches. Its S4 has at most three words between, as rougeS3.

**ROUGE_L of coco-caption, pycocoevalcap 1.2.** A text is split at every single space, so two spaces in a
row make an empty word, and an empty text is one empty word: nothing against nothing is 1.

**py-rouge 1.1.** L is the union over lines, here rougeLsum. A text of l words has l - n + 1 n-grams, also
below 0, so that a short reference takes n-grams off the others, and a recall may exceed 1. Its limit of
665 "bytes" is one of characters: lines are stripped, and a line is taken whole while the sum of lengths
is below the limit, else cut to what is left.

**python-rouge of sacrerouge 0ca5202.** `max_bytes` is a number of characters: each line is cut to what is
left of it and stripped, and as many characters as it has then are taken off.

**XL-Sum's fork of rouge_score.** The lines of rougeLsum are tokenized at spaces, marks and ASCII
punctuation only, so that those of Chinese, Thai, Japanese and Burmese are compared clause by clause.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import plain
from ..arrays import common_keys, dense_ids
from ..kernels.union_lcs import union_lcs_mask
from ..lazy import lazy_property
from ..options import check_choice
from ..text.other_packages import ptb_lines
from ..text.sentences import with_sentence_lines
from ..text.stemming import SNOWBALL_LANGUAGES, named_stemmer
from ..text.tokenizers import TokenizerOptions, cut_words, tokenizer_rules
from ..text.xlsum import XLSUM_WORDS
from ..tokens import UNSHARED, Tokens, paired, shared_tokens
from .counting import Counting, Positions, SentenceList, as_one_sentence
from .types import LCS, NGRAMS, Measure

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
        """Return how many distinct words the LCS of all pairs of sentences have, of each pair.

        Of several LCS of two sentences it is the one that the union LCS takes with the sides changed.
        """
        prediction, reference = paired(self.text_tokens, self.reference_offsets)
        tokens = shared_tokens(reference, prediction)
        is_counted = union_lcs_mask(tokens) & (prediction.ids.values != self.uncounted_word)
        words = np.unique(tokens.reference.ids.values[is_counted])
        return np.bincount(tokens.item_of_id[words], minlength=tokens.n_items)

    @property
    def uncounted_word(self) -> int:
        """The id of a word that is in no match of rougeL: the empty one of ROUGE-2.0."""
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
    """Return the numbers of distinct n-grams of each pair by order, from tokens with common ids.

    Those that both texts have, those of the prediction, those of the reference: ndarrays of int64,
    shape (3, n_pairs). An n-gram is the (n-1)-gram at the same start and one more token, numbered over
    all texts.
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
            pairs = [side.row_of_value[start] for side, start in zip(sides, starts, strict=True)]
            counts[order] = _counts_of_distinct(pairs, ngrams, n_pairs)
    return counts


def _counts_of_distinct(pairs: list[np.ndarray], ids: list[np.ndarray], n_pairs: int) -> np.ndarray:
    """Return how many distinct ids both sides, the first and the second side of each pair have.

    >>> pairs = [np.array([0, 0, 0, 1]), np.array([0, 0, 1])]
    >>> _counts_of_distinct(pairs, [np.array([5, 5, 6, 7]), np.array([5, 8, 5])], 2).tolist()
    [[1, 0], [2, 1], [2, 1]]
    """
    n_ids = 1 + max(int(side.max(initial=0)) for side in ids)
    sides = []
    for pair, id_ in zip(pairs, ids, strict=True):
        ascending = np.sort(pair * n_ids + id_)  # a sort outruns `numpy.unique`
        sides.append(ascending[np.diff(ascending, prepend=-1) > 0])
    in_both, _ = common_keys(*sides)
    return np.stack([np.bincount(key // n_ids, minlength=n_pairs) for key in (in_both, *sides)])


# --- words of sentences ---------------------------------------------------------------------------

# What a sentence ends with in rouge-chinese, and which characters go on with it. The cuts are made one
# after the other; a character behind a cut begins no other one.
_WIDE_STOPS = (
    ("[。！？?]", "”’"),
    (r"\.{6}", "”’"),
    ("…{2}", "”’"),
    ("[。！？?][”’]", "，。！？?"),
)
_WIDE_CUTS = [re.compile(f"({end})([^{more}])") for end, more in _WIDE_STOPS]


def words_between_full_stops(text: str) -> list[list[str]]:
    """Return the words of sentences as PyPI's rouge has them: those of numbers are cut too.

    >>> words_between_full_stops("It was 3.5 m. ")
    [['It', 'was', '3'], ['5', 'm'], ['']]
    """
    return [sentence.split() or [""] for sentence in text.split(".") if sentence]


def words_between_wide_stops(text: str) -> list[list[str]]:
    """Return the words of lines that are cut where a Chinese sentence ends, as in rouge-chinese.

    >>> words_between_wide_stops("你 好 ？ 我 很 好 。")
    [['你', '好', '？'], ['我', '很', '好', '。']]
    """
    for cut in _WIDE_CUTS:
        text = cut.sub(r"\1\n\2", text)
    return [line.split() or [""] for line in text.rstrip().split("\n") if line]


# --- words of texts -------------------------------------------------------------------------------
# Each takes texts and options, and returns the words of each sentence of each text.


def words_of_pltrdy(texts: list[str], options: RougeOptions) -> list[SentenceList]:
    return list(map(words_between_full_stops, texts))


def words_of_rouge_chinese(texts: list[str], options: RougeOptions) -> list[SentenceList]:
    return list(map(words_between_wide_stops, texts))


def words_of_nmt(texts: list[str], options: RougeOptions) -> list[SentenceList]:
    return [[text.strip().split(" ")] for text in texts]


def words_of_coco_caption(texts: list[str], options: RougeOptions) -> list[SentenceList]:
    """Tokens of another tokenizer than "whitespace" are left as they are."""
    tokenizer = options.tokenizer_options(is_tokenized=False)
    if tokenizer.tokenizer == "whitespace":
        return [[text.split(" ")] for text in texts]
    if tokenizer.tokenizer == "ptb":
        return [[line.split(" ")] for line in ptb_lines(texts)]
    return [[row or [""]] for row in cut_words(texts, tokenizer).to_lists()]


_DIGITS = re.compile("[0-9]+")
_PUNCTUATION = re.compile("[!.\"';:,]")
_LINE_END = re.compile(r"\r\n|\r|\n")
_SPACES = re.compile(r"[ \t\n\x0b\f\r]+")


def words_of_rouge_2_0(texts: list[str], options: RougeOptions) -> list[SentenceList]:
    texts = list(with_sentence_lines(texts, options.sentence_splitter))
    lines_of_text = map(_LINE_END.split, texts)
    # Behind the last end of a line there is no line.
    return [list(map(words_of_line, lines if lines[-1] else lines[:-1])) for lines in lines_of_text]


def words_of_line(line: str) -> list[str]:
    """Return the words of a line as ROUGE-2.0 has them.

    >>> words_of_line('"Go" to 12.')
    ['', 'go', 'to', '@']
    """
    line = _PUNCTUATION.sub(" ", _DIGITS.sub(" @ ", line).lower())
    if not line:
        return [""]
    words = _SPACES.split(line)
    while words and not words[-1]:
        words.pop()
    return words


# --- limits ---------------------------------------------------------------------------------------


def first_characters_of_py_rouge(text: str, limit: int) -> str:
    """Return the lines up to a number of characters.

    >>> first_characters_of_py_rouge(" abc \\ndef\\nghi", 6)
    'abc\\ndef'
    """
    lines = []
    for line in map(str.strip, text.split("\n")):
        lines.append(line[:limit])
        if len(line) >= limit:
            break
        limit -= len(line)
    return "\n".join(lines)


def first_characters_of_sacrerouge(text: str, limit: int) -> str:
    """Return the lines up to a number of characters.

    >>> first_characters_of_sacrerouge("abc d\\nefg", 4)
    'abc\\ne'
    """
    lines = []
    for line in text.split("\n"):
        lines.append(line[:limit].strip())
        limit -= len(lines[-1])
    return "\n".join(lines)


# --- counts and F ---------------------------------------------------------------------------------


def signed_ngram_totals(lengths: np.ndarray, order: int) -> np.ndarray:
    """py-rouge: below 0 where a text is shorter than the n-gram."""
    return lengths - (order - 1)


def lcs_formula_of_nmt(precision: np.ndarray, recall: np.ndarray) -> np.ndarray:
    square = (precision / (recall + 1e-12)) ** 2
    return (1 + square) * recall * precision / (recall + square * precision + 1e-12)


# --- languages of XL-Sum: which tokenizer and stemmer each has --------------------------------------


def xlsum_lines(tokenizer: TokenizerOptions) -> TokenizerOptions:
    return replace(tokenizer, tokenizer=XLSUM_WORDS)


_SEGMENTED = ("chinese", "thai", "japanese", "burmese")
_OTHER_NAMES = {
    "chinese_simplified": "chinese",
    "chinese_traditional": "chinese",
    "mundo": "spanish",
    "bangla": "bengali",
    "turkce": "turkish",
}
_WITHOUT_STEMMER = ("bengali", "hindi", "turkish")  # theirs are in no package of PyPI
LANGUAGES = (*_SEGMENTED, *SNOWBALL_LANGUAGES, *_WITHOUT_STEMMER, *_OTHER_NAMES)


def tokenizer_of_language(language: str) -> str:
    """Return the tokenizer: that of a segmenter, else "xlsum"."""
    name = _OTHER_NAMES.get(language, language)
    return f"xlsum-{name}" if name in _SEGMENTED else "xlsum"


def stemmer_of_language(language: str) -> str | None:
    """Return the name of the stemmer, or None where there is none."""
    name = _OTHER_NAMES.get(language, language)
    return f"xlsum-{name}" if name in SNOWBALL_LANGUAGES else None


def check_language(name: str, language: Any) -> Any:
    """Return a language whose tokenizer is installed."""
    check_choice(name, language, LANGUAGES)
    tokenizer_rules(tokenizer_of_language(language)).check_installed()
    return language


def check_stemmer_of_language(language: str) -> None:
    """Raise where a language that has a stemmer lacks it here."""
    if _OTHER_NAMES.get(language, language) in _WITHOUT_STEMMER:
        raise ValueError(
            f"use_stemmer must be False with language={language!r}, whose stemmer is not"
            " on PyPI: pass your copy as stemmer=..."
        )
    if (stemmer := stemmer_of_language(language)) is not None:
        named_stemmer(stemmer)
