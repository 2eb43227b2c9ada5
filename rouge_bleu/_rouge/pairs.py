"""Texts of pairs -> their tokens: lists of words of few pairs, or columns of ids of many.

A preset with rules that no hook of `RougeRules` says has a subclass.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain, pairwise
from typing import Any

import numpy as np

from ..arrays import Ragged, flattened, lazy_property
from ..rouge_types.family import Family, Measure, Pair, Positions, as_one_sentence
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
from .options import RougeOptions

SentenceList = list[list[Any]]  # the tokens of each sentence of a text


class OnceCounted:
    """Counts that several rouge types need, by the function that counts them."""

    def __init__(self) -> None:
        self._counts: dict[Any, Any] = {}

    def once(self, count: Callable[..., Any], *arguments: Any) -> Any:
        """Return `count` of this object and arguments, computed once."""
        key = count, arguments
        if key not in self._counts:
            self._counts[key] = count(self, *arguments)
        return self._counts[key]


# --- few pairs ------------------------------------------------------------------------------------

_MAX_FEW_CHARACTERS = 10_000  # of all pairs
_CHARACTERS_OF_WORD = 6
_MAX_FEW_TABLES = 250  # pairs of sentences, of which each has a table
_MAX_FEW_STEPS = 10_000  # of `Family.n_steps`


class FewPairs(OnceCounted):
    """The words of a few pairs."""

    def __init__(
        self,
        measures: Sequence[Measure],
        words: list[Pair],
        sentences: list[Pair],
        crosses_sentences: bool,
    ) -> None:
        super().__init__()
        self.measures, self.words, self.sentences = measures, words, sentences
        self.units_within = [([p], [r]) for p, r in words] if crosses_sentences else sentences


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


class Pairs(OnceCounted):
    """The pairs of some examples."""

    def __init__(
        self,
        texts: list[Any],
        reference_offsets: np.ndarray,
        is_tokenized: bool,
        options: RougeOptions,
    ) -> None:
        super().__init__()
        self.given_texts = texts  # predictions, then the references of all examples
        self.reference_offsets = reference_offsets
        self.is_tokenized = is_tokenized
        self.options = options
        self.rules = options.rules
        self.tokenizer = options.tokenizer_rules(is_tokenized)
        self.measures = list(options.measures.values())
        self.families: list[Family] = [options.families[one.family] for one in self.measures]
        self.crosses_sentences = options.cross_sentences
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

    # --- words of few texts ---

    def few(self) -> FewPairs | None:
        """Return the words of pairs, or None if columns cost less or are needed."""
        if not all(family.of_few for family in self.families) or not self._are_few(self.texts):
            return None
        pairs = self._in_pairs(self.texts)
        if not self._are_few(list(chain(*pairs))) or self._n_steps(pairs) > _MAX_FEW_STEPS:
            return None
        found = self._words_of_few()
        if found is None:
            return None
        words, sentences = self._in_pairs(found[0]), self._in_pairs(found[1])
        if sum(len(p) * len(r) for p, r in sentences) > _MAX_FEW_TABLES:
            return None
        return FewPairs(self.measures, words, sentences, self.crosses_sentences)

    def _are_few(self, texts: list[Any]) -> bool:
        return are_few(texts, self.is_tokenized, _MAX_FEW_CHARACTERS)

    def _in_pairs(self, rows: Sequence[Any]) -> list[Pair]:
        """Return the rows of predictions and references; a prediction comes with each reference."""
        n_references = np.diff(self.reference_offsets).tolist()
        predictions = [rows[example] for example, n in enumerate(n_references) for _ in range(n)]
        return list(zip(predictions, rows[len(n_references) :], strict=True))

    def _n_steps(self, pairs: list[Pair]) -> int:
        unit = 1 if self.is_tokenized else _CHARACTERS_OF_WORD
        lengths = [(len(p) // unit + 1, len(r) // unit + 1) for p, r in pairs]
        return sum(
            family.n_steps(measure, *of_pair)
            for measure, family in zip(self.measures, self.families, strict=True)
            if family.n_steps is not Family.n_steps
            for of_pair in lengths
        )

    def _words_of_few(self) -> tuple[list[list[str]], list[SentenceList]] | None:
        """Return the words of each text and of its sentences; None if a text needs a column."""
        if self.words is not None:
            rows = [words_of_few(text, self.tokenizer, is_tokenized=True) for text in self.words]
            return [as_one_sentence(row or []) for row in rows], [row or [] for row in rows]
        words = None
        if self.is_tokenized or not any(map(self.uses_sentence_tokens, self.families)):
            words = words_of_few(self.texts, self.tokenizer, self.is_tokenized)
            return None if words is None else (words, [[row] for row in words])
        sentences, rules = [], self.tokenizer_of_sentences
        for text in self.lines:
            lines = words_of_few(text.split("\n"), rules, is_tokenized=False)
            if lines is None:
                return None
            sentences.append(list(filter(None, lines)))
        if self.has_sentences_of_texts:
            return list(map(as_one_sentence, sentences)), sentences
        words = words_of_few(self.texts, self.tokenizer, is_tokenized=False)
        return None if words is None else (words, sentences)

    # --- columns of tokens ---

    @lazy_property
    def lines(self) -> Sequence[str]:
        """The texts with one sentence in each line."""
        return with_sentence_lines(self.texts, self.options.sentence_splitter)

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
        if self.is_tokenized or self.words is not None or self.has_sentences_of_texts:
            return self.text_tokens
        return tokenized_sentences(self.lines, self.tokenizer_of_sentences)

    @property
    def has_sentences_of_texts(self) -> bool:
        """Whether the tokens of sentences are those of whole texts."""
        rules = self.tokenizer_of_sentences
        has_lines = self.options.sentence_splitter == "newline" and rules.separates_sentences
        return has_lines and rules == self.tokenizer

    @lazy_property
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
        return self.shared if self.crosses_sentences else self.shared_sentences

    # --- explanations: these are for one example ---

    def uses_sentence_tokens(self, family: Family) -> bool:
        """Whether a family needs each sentence tokenized separately."""
        if family.of_sentences is None:
            return not self.crosses_sentences
        return family.of_sentences

    def token_ids(self, in_sentences: bool) -> list[SentenceList]:
        """Return the sentences of each text as token ids; one sentence if sentences do not count."""
        if in_sentences or self.words is not None:
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
        return sentence_token_spans(
            list(map(sourced_lines, self.lines, sources)), self.tokenizer_of_sentences
        )

    def positions(self, measure: Measure, family: Family) -> list[Positions]:
        """Return the positions of the tokens of each pair that match."""
        prediction, *references = self.token_ids(self.uses_sentence_tokens(family))
        return [family.positions(measure, (prediction, text)) for text in references]


def sentences_of_texts(tokens: Tokens) -> list[SentenceList]:
    """Return the token ids of each text as lists, one for each sentence that has tokens."""
    texts = []
    for start, end in pairwise(tokens.ids.offsets.tolist()):
        cuts = np.flatnonzero(np.diff(tokens.sentence[start:end])) + 1
        parts = np.split(tokens.ids.values[start:end], cuts)
        texts.append([part.tolist() for part in parts if len(part)])
    return texts
