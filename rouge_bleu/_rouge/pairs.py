"""Texts of pairs -> their tokens: lists of words of few pairs, or columns of ids of many.

A preset whose rules do not fit the hooks of `RougeRules` has a subclass of `Pairs`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from ..arrays import lazy_property
from ..rouge_types.family import Count, Family, PairLists
from ..rouge_types.matches import joined_sentences
from ..text.character_offsets import (
    Span,
    given_token_spans,
    locate_lines,
    sentence_token_spans,
    token_spans,
)
from ..text.sentences import one_sentence_per_line, tokenize_lines, tokens_of_sentences
from ..text.tokenizers import token_lists, tokenization_cost, tokenize
from ..tokens import SharedTokens, Tokens, example_of_reference, number_tokens, pair_sides
from .options import RougeOptions

SentenceList = list[list[Any]]  # the tokens of each sentence of a text

_MAX_FEW_STEPS = 16_000  # of Python; a character counts as one


def truncate_to_words(texts: list[Any], limit: int, is_tokenized: bool) -> list[Any]:
    """Return the texts truncated to `limit` words."""
    if is_tokenized:
        return [tokens[:limit] for tokens in texts]
    ends = [text.split(None, limit)[limit:] for text in texts]
    return [
        text[: len(text) - len(end[0])] if end else text
        for text, end in zip(texts, ends, strict=True)
    ]


class Pairs:
    """The pairs of some examples. What is computed when it is used, and from what:

    preset_sentences        texts                    sentences by rules of the preset, or None
    lines                   texts                    texts with one sentence in each line
    text_tokens             preset_sentences, texts  columns: the tokens of each text
    sentence_tokens         lines                    columns: each sentence tokenized separately
    shared_tokens           text_tokens              by pair: n-grams and LCS of whole texts
    shared_sentence_tokens  sentence_tokens          by pair: n-grams and LCS in sentences
    listed_ids              *_tokens                 lists of token ids, for explanations
    listed_words            preset_sentences, texts, lines   lists, in place of all columns
    """

    def __init__(
        self,
        texts: list[Any],
        reference_offsets: np.ndarray,
        is_tokenized: bool,
        options: RougeOptions,
        first_example: int = 0,
        n_references_before: int = 0,
    ) -> None:
        """Take the texts of some examples, and their places in the corpus, for errors."""
        self.given_texts = texts  # predictions, then the references of all examples
        self.reference_offsets = reference_offsets
        self.is_tokenized = is_tokenized
        self.options = options
        self.rules = options.rules
        self.tokenizer = options.token_rules(is_tokenized)
        change = options.rules.tokenizer_of_sentences
        self.tokenizer_of_sentences = change(self.tokenizer) if change else self.tokenizer
        self.rouge_types = list(options.types_by_name.values())
        self.families = options.families_of_types
        self.crosses_sentences = options.cross_sentences
        self.first_example, self.n_references_before = first_example, n_references_before
        self.texts = self.truncated_texts()
        self._counts: dict[Any, Any] = {}

    def count_once(self, count: Callable[..., Any], *arguments: Any) -> Any:
        """Return `count` of these pairs and arguments, computed once for all types."""
        key = count, arguments
        if key not in self._counts:
            self._counts[key] = count(self, *arguments)
        return self._counts[key]

    def truncated_texts(self) -> list[Any]:
        """Return the texts truncated to `max_words` and `max_bytes`."""
        texts, options = self.given_texts, self.options
        if options.max_words is not None:
            texts = truncate_to_words(texts, options.max_words, self.is_tokenized)
        if options.max_bytes is not None:
            texts = [self.rules.truncate_to_bytes(text, options.max_bytes) for text in texts]
        return texts

    # --- lists of tokens ---

    @lazy_property
    def listed_words(self) -> PairLists | None:
        """The words of the pairs if they cost less than columns, else None."""
        n_left = _MAX_FEW_STEPS - self._tokenization_cost()
        if n_left < 0 or not all(family.count_few for family in self.families):
            return None
        words = self._lists_of_words()
        if words is None:  # the tokenizer needs a column
            return None
        listed = self._list_pairs(*words)
        for rouge_type, family in zip(self.rouge_types, self.families, strict=True):
            n_left -= family.n_steps(rouge_type, listed)
        return listed if n_left >= 0 else None

    def _tokenization_cost(self) -> int:
        """Return the size of the texts of all pairs; a prediction counts with each reference."""
        texts, n_examples = self.texts, len(self.reference_offsets) - 1
        if len(texts) > 2 * n_examples:
            predictions = [texts[number] for number in self._example_of_pair]
            texts = predictions + texts[n_examples:]
        return tokenization_cost(texts, self.is_tokenized)

    def _list_pairs(self, texts: Sequence[Any], sentences: Sequence[Any]) -> PairLists:
        """Return the pairs of predictions and references; a prediction comes with each reference."""
        example, first = self._example_of_pair, len(self.reference_offsets) - 1
        text_pairs, sentence_pairs = (
            list(zip([column[number] for number in example], column[first:], strict=True))
            for column in (texts, sentences)
        )
        return PairLists(text_pairs, sentence_pairs, self.crosses_sentences)

    @lazy_property
    def _example_of_pair(self) -> list[int]:
        return example_of_reference(self.reference_offsets).tolist()

    @lazy_property
    def listed_ids(self) -> PairLists:
        sentences = token_ids_by_sentence(self.sentence_tokens)
        if self.preset_sentences is not None:
            return self._list_pairs(list(map(joined_sentences, sentences)), sentences)
        texts = map(joined_sentences, token_ids_by_sentence(self.text_tokens))
        return self._list_pairs(list(texts), sentences)

    def _lists_of_words(self) -> tuple[list[list[str]], list[SentenceList]] | None:
        """Return the words of each text and of its sentences; None if a text needs a column."""
        if self.preset_sentences is not None:
            rows = [
                token_lists(text, self.tokenizer, is_tokenized=True)
                for text in self.preset_sentences
            ]
            return [joined_sentences(row or []) for row in rows], [row or [] for row in rows]
        words = None
        if self.is_tokenized or not any(map(self.uses_sentence_tokens, self.families)):
            words = token_lists(self.texts, self.tokenizer, self.is_tokenized)
            return None if words is None else (words, [[row] for row in words])
        sentences, rules = [], self.tokenizer_of_sentences
        for text in self.lines:
            # As in rouge_score, an empty line is no sentence, even if its tokenizer makes a token.
            lines = token_lists(list(filter(None, text.split("\n"))), rules, is_tokenized=False)
            if lines is None:
                return None
            sentences.append(list(filter(None, lines)))
        if self.keeps_text_tokens:
            return list(map(joined_sentences, sentences)), sentences
        words = token_lists(self.texts, self.tokenizer, is_tokenized=False)
        return None if words is None else (words, sentences)

    # --- texts by sentence, and columns of tokens ---

    @lazy_property
    def lines(self) -> Sequence[str]:
        return one_sentence_per_line(self.texts, self.options.sentence_splitter)

    @lazy_property
    def preset_sentences(self) -> list[SentenceList] | None:
        if self.rules.sentences is None:
            return None
        if self.is_tokenized:
            return [[tokens or list(self.rules.no_words)] for tokens in self.texts]
        return self.rules.sentences(self.texts, self.options)

    @lazy_property
    def text_tokens(self) -> Tokens:
        if self.preset_sentences is None:
            return tokenize(self.texts, self.tokenizer, is_tokenized=self.is_tokenized)
        return tokens_of_sentences(self.preset_sentences, self.tokenizer, is_tokenized=True)

    @lazy_property
    def sentence_tokens(self) -> Tokens:
        if self.is_tokenized or self.preset_sentences is not None or self.keeps_text_tokens:
            return self.text_tokens
        return tokenize_lines(self.lines, self.tokenizer_of_sentences)

    @property
    def keeps_text_tokens(self) -> bool:
        """Whether the tokens of sentences are those of whole texts."""
        rules = self.tokenizer_of_sentences
        has_lines = self.options.sentence_splitter == "newline" and rules.separates_sentences
        return has_lines and rules == self.tokenizer

    @lazy_property
    def shared_tokens(self) -> SharedTokens:
        return number_tokens(*pair_sides(self.text_tokens, self.reference_offsets))

    @lazy_property
    def shared_sentence_tokens(self) -> SharedTokens:
        if self.sentence_tokens is self.text_tokens:
            return self.shared_tokens
        return number_tokens(*pair_sides(self.sentence_tokens, self.reference_offsets))

    @property
    def tokens_for_ngrams(self) -> SharedTokens:
        """The tokens that form n-grams and skip-bigrams."""
        return self.shared_tokens if self.crosses_sentences else self.shared_sentence_tokens

    def uses_sentence_tokens(self, family: Family) -> bool:
        """Whether a family needs each sentence tokenized separately."""
        if family.by_sentence is None:
            return not self.crosses_sentences
        return family.by_sentence

    # --- explanations: these are for one example ---

    def spans(self, in_sentences: bool) -> list[list[Span | None]]:
        """Return the spans of the tokens of each text, in characters of the given text."""
        if self.preset_sentences is not None:
            words = list(map(joined_sentences, self.preset_sentences))
            texts = None if self.is_tokenized else self.texts
            return given_token_spans(words, self.tokenizer, texts)
        if self.is_tokenized:
            return given_token_spans(self.texts, self.tokenizer)
        sources = [
            text if given.startswith(text) else given
            for text, given in zip(self.texts, self.given_texts, strict=True)
        ]
        if not in_sentences:
            return token_spans(list(map(locate_lines, self.texts, sources)), self.tokenizer)
        return sentence_token_spans(
            list(map(locate_lines, self.lines, sources)), self.tokenizer_of_sentences
        )


def token_ids_by_sentence(tokens: Tokens) -> list[SentenceList]:
    """Return the token ids of each text as lists, one for each sentence that has tokens."""
    texts = []
    for start, end in pairwise(tokens.ids.offsets.tolist()):
        cuts = np.flatnonzero(np.diff(tokens.sentence_of_token[start:end])) + 1
        parts = np.split(tokens.ids.values[start:end], cuts)
        texts.append([part.tolist() for part in parts if len(part)])
    return texts


def pairs_of_texts(
    texts: list[Any],
    reference_offsets: np.ndarray,
    is_tokenized: bool,
    options: RougeOptions,
    *place: int,
) -> Pairs:
    """Return the pairs of some examples, as the preset has them; for `place` see `Pairs`."""
    kind: type[Pairs] = options.rules.pairs or Pairs
    return kind(texts, reference_offsets, is_tokenized, options, *place)


def counts_of_lists(pairs: Pairs) -> list[list[Count]]:
    """Return the counts of each type of `pairs.listed_words`, pair by pair."""
    families = zip(pairs.rouge_types, pairs.families, strict=True)
    return [family.count_few(rouge_type, pairs.listed_words) for rouge_type, family in families]  # type: ignore[misc]


def columns_of_counts(counts: list[list[Count]]) -> np.ndarray:
    """Return the counts of few pairs as those of `counts_by_columns`."""
    columns = np.array(counts, dtype=np.float64).transpose(2, 0, 1)
    return np.ascontiguousarray(columns[[0, 0, 1, 2]])


def counts_by_columns(pairs: Pairs) -> tuple[np.ndarray, bool]:
    """Return the counts of pairs, and whether any text has a token.

    Counts are float64, shape (n_counts, n_rouge_types, n_pairs), with the rows `COUNT_NAMES`.
    """
    rows = [
        family.count_columns(rouge_type, pairs)
        for rouge_type, family in zip(pairs.rouge_types, pairs.families, strict=True)
    ]
    counts = np.array(rows, dtype=np.float64).transpose(1, 0, 2)
    return counts, len(pairs.text_tokens.ids.values) > 0
