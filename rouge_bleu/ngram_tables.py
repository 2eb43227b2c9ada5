"""Which n-grams match in which examples of one or two systems, as `analysis.py` adds them up.

Everything is counted as the score counts it: in the reference that counts, or clipped by several. Both
systems are one corpus here, the examples of the baseline after those of the system.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np

from ._bleu.counts import statistics_of_corpus
from ._bleu.options import BleuOptions
from ._bleu.results import sentence_rows
from ._rouge.options import RougeOptions
from ._rouge.pairs import count_columns, pairs_of_texts
from ._rouge.rules import OUTPUTS
from ._rouge.scores import best_references, example_scores, pair_scores
from .arrays import Ragged, dense_ids
from .corpus import Corpus
from .text.tokenizers import tokenized
from .tokens import Tokens, example_of_reference

ORDERS = (1, 2, 3, 4)


@dataclass(frozen=True)
class NgramTable:
    """The n-grams of an order: a row for each n-gram of each example, or of each pair that counts."""

    example: np.ndarray  # of the joined corpus, int64, shape (n_rows,), as the next four
    ngram: np.ndarray  # a number, below n_ngrams
    predicted: np.ndarray  # how often the prediction has it
    referenced: np.ndarray  # how often the reference has it
    matches: np.ndarray
    start: np.ndarray  # a token at which each n-gram starts, shape (n_ngrams,)

    def sums(self, values: np.ndarray, n_examples: int, n_systems: int) -> np.ndarray:
        """Return the sums of `values` over each n-gram, shape (n_systems, n_ngrams)."""
        n = len(self.start)
        cell = self.example // n_examples * n + self.ngram
        return np.bincount(cell, values, n_systems * n).reshape(n_systems, n)


@dataclass(frozen=True)
class NgramTables:
    """The n-grams of a joined corpus, by order."""

    tokens: Tokens  # of predictions, then of references
    tables: dict[int, NgramTable]
    scores: dict[int, np.ndarray]  # ROUGE-N of the examples; empty for BLEU

    def spelled(self, start: int, order: int) -> list[str]:
        """Return the tokens of the n-gram that starts at a token."""
        assert self.tokens.spell is not None
        words, ids = self.tokens.spell(), self.tokens.ids.values[start : start + order]
        return [words[number].as_py() for number in ids.tolist()]


def rouge_tables(both: Corpus, options: RougeOptions) -> NgramTables:
    """Count n-grams in the reference that counts for ROUGE-N; in all references if several count."""
    family = options.families.get("N")
    if family is not None:
        options = replace(options, rouge_types=[f"rouge{order}" for order in ORDERS])
    texts, offsets = both.texts_of_examples(0, len(both))
    pairs = pairs_of_texts(texts, offsets, both.is_tokenized, options)
    # N-grams are inside texts, or inside sentences.
    if pairs.crosses_sentences:
        tokens = pairs.text_tokens
        unit = tokens.ids.row_of_value
    else:
        tokens = pairs.sentence_tokens
        unit = tokens.sentence_of_token
    if family is None:
        return NgramTables(tokens, {}, {})
    counts, _ = count_columns(pairs)
    output = OUTPUTS.index("fmeasure" if options.output == "all" else options.output)
    scores = example_scores(counts, offsets, options)[output]
    choice, counted = options.multi_reference, [np.arange(offsets[-1])] * len(ORDERS)
    if choice in ("best", "recall"):
        counted = [*best_references(counts, pair_scores(counts, options), offsets, choice)]
    ngrams = _ngrams(tokens, unit, ORDERS).items()
    tables = {
        order: _table(*one, offsets, of_order, family.most)
        for (order, one), of_order in zip(ngrams, counted, strict=True)
    }
    return NgramTables(tokens, tables, dict(zip(ORDERS, scores, strict=True)))


def bleu_tables(both: Corpus, options: BleuOptions) -> NgramTables:
    """Count n-grams clipped by all references, or in the reference that counts."""
    texts, offsets = both.texts_of_examples(0, len(both))
    tokens = tokenized(texts, options.word_rules(), is_tokenized=both.is_tokenized)
    chosen = None
    if options.multi_reference != "clip":
        chosen = sentence_rows(options, statistics_of_corpus(options, both), offsets)[1]
    orders = range(1, min(options.highest_order, ORDERS[-1]) + 1)
    ngrams = _ngrams(tokens, tokens.ids.row_of_value, orders)
    tables = {order: _table(*one, offsets, chosen) for order, one in ngrams.items()}
    return NgramTables(tokens, tables, {})


def _ngrams(
    tokens: Tokens, sentence: np.ndarray, orders: Collection[int]
) -> dict[int, tuple[Ragged, np.ndarray]]:
    """Return by order the numbers of the n-grams of each text, and a start of each n-gram."""
    ids, found = tokens.ids, {}
    number, start = ids.values, np.arange(len(ids.values))
    for order in orders:
        if order > 1:  # the (n-1)-gram at the same start and one more token
            fits = start + order <= len(sentence)
            fits[fits] = sentence[start[fits]] == sentence[start[fits] + order - 1]
            number, start = number[fits], start[fits]
            key = number * tokens.n_ids + ids.values[start + order - 1]
            (number,), _ = dense_ids([key])
        first = np.zeros(int(number.max(initial=-1)) + 1, dtype=np.int64)
        first[number[::-1]] = start[::-1]
        found[order] = Ragged(number, start.searchsorted(ids.offsets)), first
    return found


def _table(
    ngrams: Ragged,
    start: np.ndarray,
    offsets: np.ndarray,
    counted: np.ndarray | None,
    most: int | None = None,
) -> NgramTable:
    """Return the table of an order; only the `counted` pairs, None: clipped by all references."""
    example_of_pair, n = example_of_reference(offsets), max(len(start), 1)
    # A group is an example, or one of its pairs that count.
    if counted is None:
        examples = np.arange(len(offsets) - 1)
        references, group = np.arange(len(example_of_pair)), example_of_pair
    else:
        examples, references, group = example_of_pair[counted], counted, np.arange(len(counted))
    keys, found = [], []
    for texts, of_text in (
        (examples, np.arange(len(examples))),
        (len(offsets) - 1 + references, group),
    ):
        rows = ngrams.take(texts)
        cell, count = np.unique(rows.row_of_value * n + rows.values, return_counts=True)
        keys.append(of_text[cell // n] * n + cell % n)
        found.append(count)
    numbers, cells = dense_ids(keys)
    counts = np.zeros((2, len(cells)), dtype=np.int64)
    for side, number, count in zip(counts, numbers, found, strict=True):
        np.maximum.at(side, number, count)  # the highest count of all references
    if most is not None:
        np.minimum(counts, most, out=counts)
    row, ngram = np.divmod(cells, n)
    return NgramTable(examples[row], ngram, counts[0], counts[1], counts.min(axis=0), start)
