"""Matches and totals of pairs, as Lin 2004 (https://aclanthology.org/W04-1013) and rouge_score count.

    texts -> tokens -> for each rouge type matches and totals of each pair

`Counting` counts columns of many pairs (`kernels/`), `count_few` short texts pair by pair
(`plain.py`); both give the same numbers. `rouge155.py` and `other_packages.py` have subclasses, whose
methods say what other implementations do differently, and `Package` records.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import plain
from ..arrays import Ragged, flattened
from ..kernels.lcs import lcs_lengths
from ..kernels.ngrams import ngram_matches, ngram_totals_of_order
from ..kernels.skip_bigrams import skip_bigram_matches, skip_bigram_totals
from ..kernels.union_lcs import best_sentence_lcs_lengths, union_lcs_lengths
from ..kernels.weighted_lcs import wlcs_scores
from ..lazy import lazy_property
from ..text.character_offsets import (
    Span,
    cut_token_spans,
    given_token_spans,
    sentence_token_spans,
    sourced_lines,
    token_spans,
)
from ..text.sentences import tokenized_sentences, with_sentence_lines
from ..text.tokenizers import TokenizerOptions, are_few, tokenized, words_of_few
from ..tokens import UNSHARED, SharedTokens, Tokens, item_of_reference, paired, shared_tokens
from .scores import Formula, PairStatistics, f_measure
from .types import LCS, NGRAMS, SKIP_BIGRAMS, SKIP_BIGRAMS_AND_UNIGRAMS, SUMMARY_LCS, WLCS, Measure

if TYPE_CHECKING:
    from .options import RougeOptions

Statistics = dict[str, PairStatistics]  # by rouge type
Sides = tuple[np.ndarray, np.ndarray]  # of predictions and of references
Positions = tuple[list[int], list[int]]  # in the prediction and in the reference
SentenceList = list[list[Any]]  # the tokens of each sentence of a text


def first_words(texts: list[Any], limit: int, is_tokenized: bool) -> list[Any]:
    """Return the texts as far as `limit` words."""
    if is_tokenized:
        return [tokens[:limit] for tokens in texts]
    ends = [text.split(None, limit)[limit:] for text in texts]
    return [
        text[: len(text) - len(end[0])] if end else text
        for text, end in zip(texts, ends, strict=True)
    ]


def first_bytes(text: str, limit: int) -> str:
    """Return the characters that lie whole in the first `limit` bytes."""
    return text.encode()[:limit].decode(errors="ignore")


class Counting:
    """The pairs of some examples. What several rouge types need is counted once.

    Subclasses override what another implementation does differently.
    """

    def __init__(
        self,
        texts: list[Any],
        reference_offsets: np.ndarray,
        is_tokenized: bool,
        options: RougeOptions,
        package: Package,
    ) -> None:
        self.given_texts = texts  # predictions, then the references of all examples
        self.reference_offsets = reference_offsets
        self.is_tokenized = is_tokenized
        self.options = options
        self.package = package
        self.tokenizer = options.tokenizer_options(is_tokenized)
        self.measures = list(options.measures.values())
        self.texts = self.limited_texts()

    def limited_texts(self) -> list[Any]:
        """Return the texts as far as `max_words` and `max_bytes` let them count."""
        texts, options = self.given_texts, self.options
        if options.max_words is not None:
            texts = first_words(texts, options.max_words, self.is_tokenized)
        if options.max_bytes is not None:
            texts = [self.package.first_bytes(text, options.max_bytes) for text in texts]
        return texts

    def check(self, first_example: int, n_references_before: int) -> None:
        """Raise where a type cannot be counted; here all can.

        The examples are numbered from `first_example` on; where a part of the references of one is
        counted, `n_references_before` come before.
        """

    # --- tokens ---

    @lazy_property
    def words(self) -> list[SentenceList] | None:
        """The words of each sentence of each text by the package's own rules; None: it has none."""
        if self.package.sentences is None:
            return None
        if self.is_tokenized:
            return [[tokens or list(self.package.no_words)] for tokens in self.texts]
        return self.package.sentences(self.texts, self.options)

    @lazy_property
    def text_tokens(self) -> Tokens:
        """The tokens of each text."""
        if self.words is None:
            return tokenized(self.texts, self.tokenizer, is_tokenized=self.is_tokenized)
        tokens, offsets = self._tokens_of_words
        return in_texts(tokens.between(0, int(offsets[-1])), offsets)

    @lazy_property
    def _tokens_of_words(self) -> tuple[Tokens, np.ndarray]:
        """The tokens of each sentence of `words` and of an empty word, and where texts start."""
        sentences, offsets = flattened(self.words or [])
        return tokenized([*sentences, [""]], self.tokenizer, is_tokenized=True), offsets

    @property
    def empty_word(self) -> int:
        """The id of an empty word among `words`; UNSHARED where it is a stop word."""
        ids = self._tokens_of_words[0].ids
        return int(ids.values[-1]) if ids.lengths[-1] else UNSHARED

    @lazy_property
    def sentence_tokens(self) -> Tokens:
        """The tokens of each text, whose sentences are tokenized one by one."""
        splitter, options = self.options.sentence_splitter, self.tokenizer_of_sentences
        has_lines = splitter == "newline" and options.rules.separates_sentences
        if self.is_tokenized or self.words is not None or (has_lines and options == self.tokenizer):
            return self.text_tokens
        return tokenized_sentences(with_sentence_lines(self.texts, splitter), options)

    @property
    def tokenizer_of_sentences(self) -> TokenizerOptions:
        """How the sentences of a text are tokenized."""
        return self.package.tokenizer_of_sentences(self.tokenizer)

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
        """The tokens of which n-grams and skip-bigrams are made."""
        return self.shared if self.options.cross_sentences else self.shared_sentences

    @property
    def has_tokens(self) -> bool:
        """Whether any text has a token."""
        return len(self.text_tokens.ids.values) > 0

    # --- counts ---

    def all_statistics(self) -> tuple[Statistics, bool]:
        """Return the statistics of all rouge types, and whether any text has a token."""
        measures = self.options.measures.items()
        return {name: self.statistics(measure) for name, measure in measures}, self.has_tokens

    def statistics(self, measure: Measure) -> PairStatistics:
        """Return the matches and totals of each pair."""
        family, max_skip = measure.family, measure.max_skip
        if family == NGRAMS:
            total = partial(self.package.ngram_totals, order=measure.order)
            return PairStatistics(self.ngram_matches[measure.order - 1], *self.totals(total))
        if family == SKIP_BIGRAMS:
            total = partial(skip_bigram_totals, max_skip=max_skip)
            return PairStatistics(self.skip_bigram_matches[max_skip], *self.totals(total))
        if family == SKIP_BIGRAMS_AND_UNIGRAMS:
            return PairStatistics(
                self.skip_bigram_matches[max_skip] + self.ngram_matches[0],
                *self.totals(lambda lengths: skip_bigram_totals(lengths, max_skip) + lengths),
            )
        if family == LCS:
            lengths = lengths_of_pairs(self.shared)
            return PairStatistics(self.lcs_lengths, *lengths, formula=self.package.lcs_formula)
        if family == SUMMARY_LCS:
            return self.summary_lcs()
        weight, (ours, theirs) = measure.weight, lengths_of_pairs(self.shared)
        return PairStatistics(
            wlcs_scores(self.shared, weight),
            ours.astype(np.float64) ** weight,
            theirs.astype(np.float64) ** weight,
            exponent=1.0 / weight,
        )

    def summary_lcs(self) -> PairStatistics:
        """Return the statistics of rougeLsum: the union LCS, or the best sentences."""
        tokens = self.shared_sentences
        if self.options.summary_lcs == "best":
            in_prediction, in_reference = best_sentence_lcs_lengths(tokens)
            return PairStatistics(
                in_reference, *lengths_of_pairs(tokens), prediction_matches=in_prediction
            )
        has_lcs = tokens is self.shared and LCS in self.options.families
        lengths = union_lcs_lengths(tokens, self.lcs_lengths if has_lcs else None)
        return PairStatistics(lengths, *lengths_of_pairs(tokens))

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
        families = (SKIP_BIGRAMS, SKIP_BIGRAMS_AND_UNIGRAMS)
        across = self.options.cross_sentences
        return {
            max_skip: skip_bigram_matches(self.shared_units, max_skip, cross_sentences=across)
            for max_skip in {one.max_skip for one in self.measures if one.family in families}
        }

    @lazy_property
    def lcs_lengths(self) -> np.ndarray:
        """Lengths of the LCS of whole texts, ndarray of int64, shape (n_pairs,)."""
        return lcs_lengths(self.shared)

    def totals(self, total: Callable[[np.ndarray], np.ndarray]) -> Sides:
        """Return a function of lengths, of each text or summed over its sentences."""
        across = self.options.cross_sentences
        prediction, reference = self.shared_units.sides
        return (
            prediction.totals(total, cross_sentences=across),
            reference.totals(total, cross_sentences=across),
        )

    # --- explanations: these are for one example ---

    def counts_sentences(self, measure: Measure) -> bool:
        """Whether a type counts the tokens of sentences that are tokenized one by one."""
        return self.words is not None or self.options.counts_in_sentences(measure)

    def token_ids(self, in_sentences: bool) -> list[SentenceList]:
        """Return the sentences of each text, as token ids; one where sentences do not count."""
        if in_sentences:
            return sentences_of_texts(self.sentence_tokens)
        return [[as_one_sentence(text)] for text in sentences_of_texts(self.text_tokens)]

    def spans(self, in_sentences: bool) -> list[list[Span | None]]:
        """Return for each text where its tokens are: characters of the given text."""
        if self.words is not None:
            words = [list(chain.from_iterable(sentences)) for sentences in self.words]
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
        prediction, *references = self.token_ids(self.counts_sentences(measure))
        return [self.positions_of_pair(measure, prediction, text) for text in references]

    def positions_of_pair(
        self, measure: Measure, prediction: SentenceList, reference: SentenceList
    ) -> Positions:
        """Return the positions of the tokens of a pair that match."""
        family = measure.family
        if family == LCS:
            return plain.rouge_l(as_one_sentence(prediction), as_one_sentence(reference))[1:]
        if family == WLCS:
            texts = as_one_sentence(prediction), as_one_sentence(reference)
            f = np.arange(max(map(len, texts)) + 1, dtype=np.float64) ** measure.weight
            pairs = plain.weighted_lcs_pairs(*texts, f.tolist())
            return [i for i, _ in pairs], [j for _, j in pairs]
        if family == SUMMARY_LCS:
            if self.options.summary_lcs == "best":
                return plain.best_sentences(prediction, reference)
            return plain.rouge_lsum(prediction, reference)[1:]
        return self.unit_positions(measure, prediction, reference)

    def unit_positions(
        self,
        measure: Measure,
        prediction: SentenceList,
        reference: SentenceList,
        most: int | None = None,
    ) -> Positions:
        """Return the positions of n-grams and skip-bigrams, of which at most `most` equal ones count."""
        texts = prediction, reference
        order = 1 if measure.family == SKIP_BIGRAMS_AND_UNIGRAMS else measure.order
        marked: list[list[int]] = [[], []]
        if order:
            find = partial(plain.located_ngrams, order=order)
            located = (in_sentences(find, text) for text in texts)
            _, marked = plain.located_matches(*located, most=most)
        if measure.family != NGRAMS:
            find = partial(plain.located_skip_bigrams, max_skip=measure.max_skip)
            _, pairs = plain.located_matches(*(in_sentences(find, text) for text in texts))
            marked = [sorted({*one, *other}) for one, other in zip(marked, pairs, strict=True)]
        return marked[0], marked[1]


@dataclass(frozen=True)
class Package:
    """What a package does differently. The defaults are those of rouge_score."""

    counting: type[Counting] = Counting
    # From texts and options to the words of each sentence, where the package has its own rules.
    sentences: Callable[[list[str], RougeOptions], list[SentenceList]] | None = None
    no_words: Sequence[str] = ()  # the words of an empty list of given tokens
    counts_ngrams_once: bool = False  # however often a text has them
    counts_few: bool = False  # whether `count_few` counts short texts
    first_bytes: Callable[[str, int], str] = first_bytes  # what max_bytes leaves of a text
    # From the tokenizer of texts to that of sentences.
    tokenizer_of_sentences: Callable[[TokenizerOptions], TokenizerOptions] = lambda options: options
    ngram_totals: Callable[..., np.ndarray] = ngram_totals_of_order  # of texts of some lengths
    lcs_formula: Formula = f_measure  # F of rougeL
    averages_documents: bool = False  # averages are those of `rouge155_averages.py`


def in_texts(sentences: Tokens, offsets: np.ndarray) -> Tokens:
    """Return the tokens of texts, given those of their sentences and where each text starts."""
    ids = Ragged(sentences.ids.values, sentences.ids.offsets[offsets])
    return Tokens(ids, sentences.ids.row_of_value, sentences.n_types)


def lengths_of_pairs(tokens: SharedTokens) -> Sides:
    """Return the numbers of tokens of predictions and references."""
    return tokens.prediction.ids.lengths, tokens.reference.ids.lengths


# --- explanations ---------------------------------------------------------------------------------


def sentences_of_texts(tokens: Tokens) -> list[SentenceList]:
    """Return the token ids of each text as lists, one for each sentence that has tokens."""
    texts = []
    for start, end in pairwise(tokens.ids.offsets.tolist()):
        cuts = np.flatnonzero(np.diff(tokens.sentence[start:end])) + 1
        parts = np.split(tokens.ids.values[start:end], cuts)
        texts.append([part.tolist() for part in parts if len(part)])
    return texts


def as_one_sentence(sentences: SentenceList) -> list[Any]:
    """Return the tokens of a text without its sentences."""
    return list(chain.from_iterable(sentences))


def in_sentences(find: Callable[..., Any], sentences: SentenceList) -> plain.Located:
    """Return what finds the units of each sentence, with positions in the whole text."""

    def located() -> Iterator[Any]:
        first = 0
        for sentence in sentences:
            yield from find(sentence, first=first)
            first += len(sentence)

    return located


# --- few pairs ------------------------------------------------------------------------------------

_MAX_FEW_CHARACTERS = 10_000  # of all pairs
_CHARACTERS_OF_WORD = 6
_MAX_FEW_TABLES = 250  # pairs of sentences, of which each has a table
_MAX_FEW_STEPS = 10_000  # skip-bigrams, and cells of tables of weighted LCS


def count_few(counting: Counting) -> tuple[Statistics, bool] | None:
    """Return `all_statistics` of a few pairs, or None where columns cost less."""
    options, texts, is_tokenized = counting.options, counting.texts, counting.is_tokenized
    if not counting.package.counts_few or options.summary_lcs == "best":
        return None
    if callable(options.sentence_splitter):  # which is called once for each text of a column
        return None
    n_examples = len(counting.reference_offsets) - 1
    of_pair = item_of_reference(counting.reference_offsets).tolist()

    def in_pairs(rows: Sequence[Any]) -> list[tuple[Any, Any]]:
        """Return the rows of predictions and references; a prediction comes with each reference."""
        return list(zip(map(rows.__getitem__, of_pair), rows[n_examples:], strict=True))

    pairs_of_texts = in_pairs(texts)
    if not are_few(list(chain(*pairs_of_texts)), is_tokenized, _MAX_FEW_CHARACTERS):
        return None
    if (
        sum(_n_steps(one, pairs_of_texts, is_tokenized) for one in counting.measures)
        > _MAX_FEW_STEPS
    ):
        return None
    found = _words_of_few(counting)
    if found is None:
        return None
    words, sentences = in_pairs(found[0]), in_pairs(found[1])
    if sum(len(p) * len(r) for p, r in sentences) > _MAX_FEW_TABLES:
        return None
    statistics = {
        name: _count_pairs(measure, words, sentences, options)
        for name, measure in options.measures.items()
    }
    return statistics, any(found[0])


def _words_of_few(counting: Counting) -> tuple[list[list[str]], list[SentenceList]] | None:
    """Return the words of each text and of its sentences; None: columns find others.

    Each text is one sentence where no sentences are asked for.
    """
    texts, tokenizer, options = counting.texts, counting.tokenizer, counting.options
    has_sentences = any(map(options.counts_in_sentences, counting.measures))
    if counting.is_tokenized or not has_sentences:
        words = words_of_few(texts, tokenizer, counting.is_tokenized)
        return None if words is None else (words, [[row] for row in words])
    sentences = []
    for text in with_sentence_lines(texts, options.sentence_splitter):
        lines = words_of_few(text.split("\n"), tokenizer, is_tokenized=False)
        if lines is None:
            return None
        sentences.append(list(filter(None, lines)))
    if options.sentence_splitter == "newline" and tokenizer.rules.separates_sentences:
        return [
            text[0] if len(text) == 1 else as_one_sentence(text) for text in sentences
        ], sentences
    words = words_of_few(texts, tokenizer, is_tokenized=False)
    return None if words is None else (words, sentences)


def _n_steps(measure: Measure, pairs: list[tuple[Any, Any]], is_tokenized: bool) -> int:
    """Return about how many steps of Python a type takes that columns spare."""
    if measure.family not in (WLCS, SKIP_BIGRAMS, SKIP_BIGRAMS_AND_UNIGRAMS):
        return 0
    unit = 1 if is_tokenized else _CHARACTERS_OF_WORD
    n_tokens = [(len(p) // unit + 1, len(r) // unit + 1) for p, r in pairs]
    if measure.family == WLCS:
        return sum(p * r for p, r in n_tokens)
    most = sys.maxsize if measure.max_skip is None else measure.max_skip + 1
    return sum(n * min(n // 2, most) for n in chain(*n_tokens))


def _count_pairs(
    measure: Measure,
    pairs: list[tuple[list[str], list[str]]],
    sentences: list[tuple[SentenceList, SentenceList]],
    options: RougeOptions,
) -> PairStatistics:
    """Return the statistics of a type, given the words of both texts of each pair."""
    family = measure.family
    if family == WLCS:
        return _count_weighted_lcs(measure.weight, pairs)
    if family == LCS:
        rows = [(plain.lcs_length(p, r), len(p), len(r)) for p, r in pairs]
    elif family == SUMMARY_LCS:
        rows = [
            (plain.union_lcs_length(p, r), sum(map(len, p)), sum(map(len, r))) for p, r in sentences
        ]
    else:
        if options.cross_sentences:
            sentences = [([p], [r]) for p, r in pairs]
        units = [(_units(measure, p), _units(measure, r)) for p, r in sentences]
        rows = [(plain.clipped_matches(p, r), len(p), len(r)) for p, r in units]
    return PairStatistics(*np.array(rows, dtype=np.int64).T)


def _units(measure: Measure, sentences: SentenceList) -> list[Any]:
    """Return the n-grams or skip-bigrams of a text that lie in one of its sentences."""
    units: list[Any] = []
    for words in sentences:
        if measure.order:
            units += plain.ngrams(words, measure.order)
            continue
        units += plain.skip_bigrams(words, measure.max_skip)
        if measure.family == SKIP_BIGRAMS_AND_UNIGRAMS:
            units += words
    return units


def _count_weighted_lcs(weight: float, pairs: list[tuple[list[str], list[str]]]) -> PairStatistics:
    lengths = np.array([(len(p), len(r)) for p, r in pairs])
    f = (np.arange(lengths.max() + 1, dtype=np.float64) ** weight).tolist()
    matches = [plain.weighted_lcs_table(p, r, f)[-1][-1] for p, r in pairs]
    ours, theirs = lengths.T.astype(np.float64) ** weight
    return PairStatistics(np.array(matches), ours, theirs, exponent=1.0 / weight)
