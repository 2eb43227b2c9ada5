"""Rouge types, and their matches and totals of pairs, as Lin 2004 and rouge_score count.

    texts -> tokens -> for each rouge type matches and totals of each pair

`counts_of_few` counts short texts pair by pair (`plain.py`), `Counting` columns of many pairs
(`kernels/`); both return the same numbers. What other implementations do differently is in
`RougeRules`, and in the subclasses of `rouge155.py` and `other_packages.py`. Lin 2004 is
https://aclanthology.org/W04-1013.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import plain
from ..arrays import Ragged, flattened, lazy_property, powers
from ..kernels.lcs import lcs_lengths
from ..kernels.ngrams import ngram_matches, ngram_totals
from ..kernels.skip_bigrams import skip_bigram_matches, skip_bigram_totals
from ..kernels.union_lcs import best_sentence_lcs_lengths, union_lcs_lengths
from ..kernels.weighted_lcs import wlcs_scores
from ..text.character_offsets import (
    Span,
    cut_token_spans,
    given_token_spans,
    sentence_token_spans,
    sourced_lines,
    token_spans,
)
from ..text.rules import TokenizerRules
from ..text.sentences import tokenized_sentences, with_sentence_lines
from ..text.tokenizers import are_few, tokenized, words_of_few
from ..tokens import SharedTokens, Tokens, paired, shared_tokens

if TYPE_CHECKING:
    from .options import RougeOptions

Positions = tuple[list[int], list[int]]  # in the prediction and in the reference
SentenceList = list[list[Any]]  # the tokens of each sentence of a text

# --- rouge types ----------------------------------------------------------------------------------

DEFAULT_WLCS_WEIGHT = 1.2
MAX_WLCS_WEIGHT = 20  # k ** 20 is finite for texts of any length

DEFAULT_ROUGE_TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum", "rougeW", "rougeS4", "rougeSU4")

# The families as papers write them after "ROUGE-", in the order in which a signature has their types.
FAMILIES = ("N", "L", "Lsum", "W", "S", "SU")
NGRAMS, LCS, SUMMARY_LCS, WLCS, SKIP_BIGRAMS, SKIP_BIGRAMS_AND_UNIGRAMS = FAMILIES

_NAMES = {
    NGRAMS: "rouge([1-9][0-9]{0,8})",
    LCS: "rougeL()",
    SUMMARY_LCS: "rougeLsum()",
    WLCS: r"rougeW(-[0-9]+(?:\.[0-9]+)?|)",
    SKIP_BIGRAMS: r"rougeS(\*|[0-9]+|)",
    SKIP_BIGRAMS_AND_UNIGRAMS: r"rougeSU(\*|[0-9]+|)",
}


@dataclass(frozen=True)
class Measure:
    """A rouge type: its family with the parameters of its name."""

    family: str  # one of `FAMILIES`
    order: int = 0  # the length of its n-grams
    weight: float = DEFAULT_WLCS_WEIGHT  # runs of k tokens count k ** weight
    max_skip: int | None = None  # the most tokens inside a skip-bigram; None: any number

    @property
    def name(self) -> str:
        """The rouge type that names it in full, as rougeW-1.2."""
        if self.family == NGRAMS:
            return f"rouge{self.order}"
        if self.family == WLCS:
            return f"rougeW-{np.format_float_positional(self.weight, trim='-')}"
        return f"rouge{self.family}{'' if self.max_skip is None else self.max_skip}"

    @property
    def has_skip_bigrams(self) -> bool:
        """Whether it counts pairs of tokens."""
        return self.family in (SKIP_BIGRAMS, SKIP_BIGRAMS_AND_UNIGRAMS)

    @property
    def has_units(self) -> bool:
        """Whether its units can cross sentences: n-grams or skip-bigrams."""
        return self.order > 0 or self.has_skip_bigrams


@lru_cache(maxsize=256)
def measure_of_name(name: str) -> Measure | None:
    """Return the measure that a rouge type names, or None."""
    for family, pattern in _NAMES.items():
        match = re.fullmatch(pattern, name)
        if match is None:
            continue
        argument = match[1].strip("-*")
        if family == NGRAMS:
            return Measure(family, order=int(argument))
        if family == WLCS:
            return Measure(family, weight=float(argument or DEFAULT_WLCS_WEIGHT))
        return Measure(family, max_skip=int(argument) if argument else None)
    return None


# --- few pairs ------------------------------------------------------------------------------------

_MAX_FEW_CHARACTERS = 10_000  # of all pairs
_CHARACTERS_OF_WORD = 6
_MAX_FEW_TABLES = 250  # pairs of sentences, of which each has a table
_MAX_FEW_STEPS = 10_000  # skip-bigrams, and cells of tables of weighted LCS


def counts_of_few(
    texts: list[Any], reference_offsets: np.ndarray, is_tokenized: bool, options: RougeOptions
) -> tuple[np.ndarray, bool] | None:
    """Return what `Counting.counts` returns for a few pairs, or None where columns cost less."""
    rules = options.rules
    if (
        # The package has rules of its own.
        rules.counting is not Counting
        or rules.sentences is not None
        or rules.tokenizer_of_sentences is not None
        or rules.ngram_totals is not ngram_totals
        or options.summary_lcs == "best"
        or callable(options.sentence_splitter)  # it is called once for each text of a column
        or options.max_words is not None
        or options.max_bytes is not None
        or not are_few(texts, is_tokenized, _MAX_FEW_CHARACTERS)
    ):
        return None
    n_examples = len(reference_offsets) - 1
    n_references = np.diff(reference_offsets).tolist()
    examples = [example for example, n in enumerate(n_references) for _ in range(n)]

    def in_pairs(rows: Sequence[Any]) -> list[tuple[Any, Any]]:
        """Return the rows of predictions and references; a prediction comes with each reference."""
        return list(zip(map(rows.__getitem__, examples), rows[n_examples:], strict=True))

    pairs_of_texts = in_pairs(texts)
    if not are_few(list(chain(*pairs_of_texts)), is_tokenized, _MAX_FEW_CHARACTERS):
        return None
    measures = list(options.measures.values())
    n_steps = sum(_n_steps(measure, pairs_of_texts, is_tokenized) for measure in measures)
    found = _words_of_few(texts, is_tokenized, options) if n_steps <= _MAX_FEW_STEPS else None
    if found is None:
        return None
    words, sentences = in_pairs(found[0]), in_pairs(found[1])
    if sum(len(p) * len(r) for p, r in sentences) > _MAX_FEW_TABLES:
        return None
    units_within = [([p], [r]) for p, r in words] if options.cross_sentences else sentences
    lcs = cache(lambda pair: plain.lcs_length(*words[pair]))  # of rougeL, and of single lines
    rows = [_count_pairs(measure, words, sentences, units_within, lcs) for measure in measures]
    counts = np.ascontiguousarray(np.array(rows, dtype=np.float64).transpose(2, 0, 1))
    return counts, any(found[0])


def _n_steps(measure: Measure, pairs: list[tuple[Any, Any]], is_tokenized: bool) -> int:
    """Estimate how many Python steps of a type the column code would save."""
    if measure.family != WLCS and not measure.has_skip_bigrams:
        return 0
    unit = 1 if is_tokenized else _CHARACTERS_OF_WORD
    n_tokens = [(len(p) // unit + 1, len(r) // unit + 1) for p, r in pairs]
    if measure.family == WLCS:
        return sum(p * r for p, r in n_tokens)
    most = sys.maxsize if measure.max_skip is None else measure.max_skip + 1
    return sum(n * min(n // 2, most) for n in chain(*n_tokens))


def _words_of_few(
    texts: list[Any], is_tokenized: bool, options: RougeOptions
) -> tuple[list[list[str]], list[SentenceList]] | None:
    """Return the words of each text and of its sentences; None if a text needs a column."""
    tokenizer = options.tokenizer_rules(is_tokenized)
    if is_tokenized or not any(map(options.tokenizes_sentences, options.measures.values())):
        words = words_of_few(texts, tokenizer, is_tokenized)
        return None if words is None else (words, [[row] for row in words])
    sentences, splitter = [], options.sentence_splitter
    for text in texts if splitter == "newline" else with_sentence_lines(texts, splitter):
        # As in rouge_score, an empty line is no sentence, even if its tokenizer makes a token of it.
        nonempty = list(filter(None, text.split("\n")))
        lines = words_of_few(nonempty, tokenizer, is_tokenized=False)
        if lines is None:
            return None
        sentences.append(list(filter(None, lines)))
    if splitter == "newline" and tokenizer.separates_sentences:
        return list(map(as_one_sentence, sentences)), sentences
    words = words_of_few(texts, tokenizer, is_tokenized=False)
    return None if words is None else (words, sentences)


def _count_pairs(
    measure: Measure,
    words: list[tuple[list[str], list[str]]],
    sentences: list[tuple[SentenceList, SentenceList]],
    units_within: list[tuple[SentenceList, SentenceList]],
    lcs: Callable[[int], int],
) -> list[tuple[float, float, float, float]]:
    """Return the `COUNTS` of a type for each pair, given the words of both texts."""
    family = measure.family
    if family == WLCS:
        longest = max(len(text) for pair in words for text in pair)
        f = powers(np.arange(longest + 1.0), measure.weight).tolist()
        found = [
            (plain.weighted_lcs_table(p, r, f)[-1][-1], f[len(p)], f[len(r)]) for p, r in words
        ]
    elif family == LCS:
        found = [(lcs(pair), len(p), len(r)) for pair, (p, r) in enumerate(words)]
    elif family == SUMMARY_LCS:
        found = []
        for pair, (p, r) in enumerate(sentences):
            are_lines = (p, r) == ([words[pair][0]], [words[pair][1]])
            matches = lcs(pair) if are_lines else plain.union_lcs_length(p, r)
            found.append((matches, sum(map(len, p)), sum(map(len, r))))
    else:
        units = [(_units(measure, p), _units(measure, r)) for p, r in units_within]
        found = [(plain.clipped_matches(p, r), len(p), len(r)) for p, r in units]
    return [(matches, matches, *totals) for matches, *totals in found]


def _units(measure: Measure, sentences: SentenceList) -> list[Any]:
    """Return the n-grams or skip-bigrams inside each of some lists of words."""
    units: list[Any] = []
    for words in sentences:
        if measure.order > 1:
            units += plain.ngrams(words, measure.order)
        if measure.has_skip_bigrams:
            units += plain.skip_bigrams(words, measure.max_skip)
        if measure.order == 1 or measure.family == SKIP_BIGRAMS_AND_UNIGRAMS:
            units += words  # which are hashed faster than tuples of one
    return units


# --- columns --------------------------------------------------------------------------------------


def first_words(texts: list[Any], limit: int, is_tokenized: bool) -> list[Any]:
    """Return the texts truncated to `limit` words."""
    if is_tokenized:
        return [tokens[:limit] for tokens in texts]
    ends = [text.split(None, limit)[limit:] for text in texts]
    return [
        text[: len(text) - len(end[0])] if end else text
        for text, end in zip(texts, ends, strict=True)
    ]


class Counting:
    """The pairs of some examples. Counts that several rouge types need are computed once.

    Subclasses override the steps in which another implementation differs.
    """

    def __init__(
        self,
        texts: list[Any],
        reference_offsets: np.ndarray,
        is_tokenized: bool,
        options: RougeOptions,
    ) -> None:
        self.given_texts = texts  # predictions, then the references of all examples
        self.reference_offsets = reference_offsets
        self.is_tokenized = is_tokenized
        self.options = options
        self.rules = options.rules
        self.tokenizer = options.tokenizer_rules(is_tokenized)
        self.measures = list(options.measures.values())
        self.texts = self.limited_texts()

    def limited_texts(self) -> list[Any]:
        """Return the texts truncated to `max_words` and `max_bytes`."""
        texts, options = self.given_texts, self.options
        if options.max_words is not None:
            texts = first_words(texts, options.max_words, self.is_tokenized)
        if options.max_bytes is not None:
            texts = [self.rules.first_bytes(text, options.max_bytes) for text in texts]
        return texts

    def check(self, first_example: int, n_references_before: int) -> None:
        """Raise if a type cannot be counted; errors number examples and texts from these two on."""

    # --- tokens ---

    @lazy_property
    def words(self) -> list[SentenceList] | None:
        """The words of sentences by rules of the preset's package; None: no such rules."""
        if self.rules.sentences is None:
            return None
        if self.is_tokenized:
            return [[tokens or list(self.rules.no_words)] for tokens in self.texts]
        return self.rules.sentences(self.texts, self.options)

    @lazy_property
    def text_tokens(self) -> Tokens:
        """The tokens of each text."""
        if self.words is None:
            return tokenized(self.texts, self.tokenizer, is_tokenized=self.is_tokenized)
        tokens, offsets = self.tokens_of_words
        ids = Ragged(tokens.ids.values[: tokens.ids.offsets[-2]], tokens.ids.offsets[offsets])
        return Tokens(ids, lambda: tokens.ids.row_of_value[: len(ids.values)], tokens.n_types)

    @lazy_property
    def tokens_of_words(self) -> tuple[Tokens, np.ndarray]:
        """The tokens of each sentence of `words` and of an empty word, and the offsets of texts."""
        sentences, offsets = flattened(self.words or [])
        return tokenized([*sentences, [""]], self.tokenizer, is_tokenized=True), offsets

    @lazy_property
    def sentence_tokens(self) -> Tokens:
        """The tokens of each text, whose sentences are tokenized one by one."""
        splitter, options = self.options.sentence_splitter, self.tokenizer_of_sentences
        has_lines = splitter == "newline" and options.separates_sentences
        if self.is_tokenized or self.words is not None or (has_lines and options == self.tokenizer):
            return self.text_tokens
        return tokenized_sentences(with_sentence_lines(self.texts, splitter), options)

    @property
    def tokenizer_of_sentences(self) -> TokenizerRules:
        """How the sentences of a text are tokenized."""
        change = self.rules.tokenizer_of_sentences
        return self.tokenizer if change is None else change(self.tokenizer)

    @lazy_property
    def shared(self) -> SharedTokens:
        """The tokens of pairs, as whole texts."""
        return shared_tokens(*paired(self.text_tokens, self.reference_offsets))

    @lazy_property
    def shared_sentences(self) -> SharedTokens:
        """The tokens of pairs, sentence by sentence."""
        if self.sentence_tokens is self.text_tokens:
            return self.shared
        return shared_tokens(*paired(self.sentence_tokens, self.reference_offsets))

    @property
    def shared_units(self) -> SharedTokens:
        """The tokens that form n-grams and skip-bigrams."""
        return self.shared if self.options.cross_sentences else self.shared_sentences

    # --- counts ---

    def counts(self) -> tuple[np.ndarray, bool]:
        """Return the counts of pairs (see `scores.py`), and whether any text has a token."""
        rows = [self.count(measure) for measure in self.measures]
        counts = np.array(rows, dtype=np.float64).transpose(1, 0, 2)
        return counts, len(self.text_tokens.ids.values) > 0

    def count(self, measure: Measure) -> tuple[np.ndarray, ...]:
        """Return the `COUNTS` of a type, ndarrays of shape (n_pairs,)."""
        family = measure.family
        if measure.has_units:
            matches = self.unit_matches(measure)
            total = partial(self.n_units, measure)
            across = self.options.cross_sentences
            sides = self.shared_units.sides
            return matches, matches, *(side.totals(total, cross_sentences=across) for side in sides)
        if family == SUMMARY_LCS:
            tokens = self.shared_sentences
            if self.options.summary_lcs == "best":
                return *best_sentence_lcs_lengths(tokens), *lengths_of_pairs(tokens)
            has_lcs = tokens is self.shared and LCS in self.options.families
            matches = union_lcs_lengths(tokens, self.lcs_lengths if has_lcs else None)
            return matches, matches, *lengths_of_pairs(tokens)
        lengths = lengths_of_pairs(self.shared)
        if family == LCS:
            return self.lcs_lengths, self.lcs_lengths, *lengths
        matches = wlcs_scores(self.shared, measure.weight)
        totals = (powers(side.astype(np.float64), measure.weight) for side in lengths)
        return matches, matches, *totals

    def unit_matches(self, measure: Measure) -> np.ndarray:
        """Return the clipped matches of n-grams or skip-bigrams."""
        if measure.family == NGRAMS:
            return self.ngram_matches[measure.order - 1]
        matches = self.skip_bigram_matches[measure.max_skip]
        if measure.family == SKIP_BIGRAMS_AND_UNIGRAMS:
            return matches + self.ngram_matches[0]
        return matches

    def n_units(self, measure: Measure, lengths: np.ndarray) -> np.ndarray:
        """Return the numbers of n-grams or skip-bigrams of some numbers of tokens."""
        if measure.family == NGRAMS:
            return self.rules.ngram_totals(lengths, measure.order)
        totals = skip_bigram_totals(lengths, measure.max_skip)
        return totals + lengths if measure.family == SKIP_BIGRAMS_AND_UNIGRAMS else totals

    @lazy_property
    def ngram_matches(self) -> np.ndarray:
        """Clipped matches of all orders, ndarray of int64, shape (max_order, n_pairs)."""
        max_order = max(1, *(measure.order for measure in self.measures))
        return ngram_matches(
            self.shared_units, max_order, cross_sentences=self.options.cross_sentences
        )

    @lazy_property
    def skip_bigram_matches(self) -> dict[int | None, np.ndarray]:
        """Clipped matches of each `max_skip`, ndarrays of int64, shape (n_pairs,)."""
        across = self.options.cross_sentences
        return {
            max_skip: skip_bigram_matches(self.shared_units, max_skip, cross_sentences=across)
            for max_skip in {one.max_skip for one in self.measures if one.has_skip_bigrams}
        }

    @lazy_property
    def lcs_lengths(self) -> np.ndarray:
        """Lengths of the LCS of whole texts, ndarray of int64, shape (n_pairs,)."""
        return lcs_lengths(self.shared)

    # --- explanations: these are for one example ---

    def uses_sentence_tokens(self, measure: Measure) -> bool:
        """Whether a type needs each sentence tokenized separately."""
        return self.words is not None or self.options.tokenizes_sentences(measure)

    def token_ids(self, in_sentences: bool) -> list[SentenceList]:
        """Return the sentences of each text as token ids; one sentence if sentences do not count."""
        if in_sentences:
            return sentences_of_texts(self.sentence_tokens)
        return [[as_one_sentence(text)] for text in sentences_of_texts(self.text_tokens)]

    def spans(self, in_sentences: bool) -> list[list[Span | None]]:
        """Return the spans of the tokens of each text, in characters of the given text."""
        if self.words is not None:
            words = list(map(as_one_sentence, self.words))
            if self.is_tokenized:
                return given_token_spans(words, self.tokenizer)
            return cut_token_spans(self.texts, words, self.tokenizer)
        if self.is_tokenized:
            return given_token_spans(self.texts, self.tokenizer)
        sources = [
            text if given.startswith(text) else given
            for text, given in zip(self.texts, self.given_texts, strict=True)
        ]
        if not in_sentences:
            return token_spans(list(map(sourced_lines, self.texts, sources)), self.tokenizer)
        lines = with_sentence_lines(self.texts, self.options.sentence_splitter)
        return sentence_token_spans(
            list(map(sourced_lines, lines, sources)), self.tokenizer_of_sentences
        )

    def positions(self, measure: Measure) -> list[Positions]:
        """Return the positions of the tokens of each pair that match."""
        prediction, *references = self.token_ids(self.uses_sentence_tokens(measure))
        return [self.positions_of_pair(measure, prediction, text) for text in references]

    def positions_of_pair(
        self, measure: Measure, prediction: SentenceList, reference: SentenceList
    ) -> Positions:
        """Return the positions of the tokens of a pair that match."""
        if measure.has_units:
            return self.unit_positions(measure, prediction, reference)
        if measure.family == SUMMARY_LCS:
            is_best = self.options.summary_lcs == "best"
            found = plain.best_sentences if is_best else plain.rouge_lsum
            return found(prediction, reference)[-2:]
        texts = as_one_sentence(prediction), as_one_sentence(reference)
        if measure.family == LCS:
            return plain.rouge_l(*texts)[1:]
        f = powers(np.arange(max(map(len, texts)) + 1.0), measure.weight).tolist()
        pairs = plain.weighted_lcs_pairs(*texts, f)
        return [i for i, _ in pairs], [j for _, j in pairs]

    def unit_positions(
        self,
        measure: Measure,
        prediction: SentenceList,
        reference: SentenceList,
        most: int | None = None,
    ) -> Positions:
        """Return the positions of n-grams, each at most `most` times, and of skip-bigrams."""
        order = 1 if measure.family == SKIP_BIGRAMS_AND_UNIGRAMS else measure.order
        found: list[Sequence[list[int]]] = []
        if order:
            units: Any = partial(plain.ngrams, order=order)
            found.append(plain.matching_positions(units, prediction, reference, most=most)[1])
        if measure.has_skip_bigrams:
            max_skip = measure.max_skip
            if max_skip is None and len(prediction) == len(reference) == 1:
                found.append(plain.rouge_s(prediction[0], reference[0])[1:])
            else:
                units = partial(plain.skip_bigrams, max_skip=max_skip)
                found.append(plain.matching_positions(units, prediction, reference)[1])
        ours, theirs = (sorted(set(chain(*positions))) for positions in zip(*found, strict=True))
        return ours, theirs


def lengths_of_pairs(tokens: SharedTokens) -> tuple[np.ndarray, np.ndarray]:
    """Return the numbers of tokens of predictions and references."""
    return tokens.prediction.ids.lengths, tokens.reference.ids.lengths


def sentences_of_texts(tokens: Tokens) -> list[SentenceList]:
    """Return the token ids of each text as lists, one for each sentence that has tokens."""
    texts = []
    for start, end in pairwise(tokens.ids.offsets.tolist()):
        cuts = np.flatnonzero(np.diff(tokens.sentence[start:end])) + 1
        parts = np.split(tokens.ids.values[start:end], cuts)
        texts.append([part.tolist() for part in parts if len(part)])
    return texts


def as_one_sentence(sentences: SentenceList) -> list[Any]:
    """Return the tokens of all sentences of a text as one list."""
    return sentences[0] if len(sentences) == 1 else list(chain.from_iterable(sentences))
