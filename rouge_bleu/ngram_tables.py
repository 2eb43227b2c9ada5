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
from ._rouge.pairs import Pairs, count_columns, pairs_of_texts
from ._rouge.rules import OUTPUTS
from ._rouge.scores import best_references, example_scores, pair_scores
from .arrays import Ragged, dense_ids, differ_from_last
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
    if family is None:
        return NgramTables(tokens_of_pairs(rouge_pairs(both, options))[0], {}, {})
    options = replace(options, rouge_types=[f"rouge{order}" for order in ORDERS])
    pairs = rouge_pairs(both, options)
    offsets = pairs.reference_offsets
    counts, _ = count_columns(pairs)
    output = OUTPUTS.index("fmeasure" if options.output == "all" else options.output)
    scores = example_scores(counts, offsets, options)[output]
    chosen = chosen_pairs(counts, pairs)
    tokens, sentence = tokens_of_pairs(pairs)
    tables = {}
    for row, (order, ngrams) in enumerate(_ngrams(tokens, sentence, ORDERS).items()):
        counted = np.arange(offsets[-1]) if chosen is None else chosen[row]
        tables[order] = _table(*ngrams, offsets, counted, family.most)
    return NgramTables(tokens, tables, dict(zip(ORDERS, scores, strict=True)))


def bleu_tables(both: Corpus, options: BleuOptions) -> NgramTables:
    """Count n-grams clipped by all references, or in the reference that counts."""
    texts, offsets = both.texts_of_examples(0, len(both))
    tokens = tokenized(texts, options.word_rules(), is_tokenized=both.is_tokenized)
    orders = range(1, min(options.highest_order, ORDERS[-1]) + 1)
    ngrams, chosen = (
        _ngrams(tokens, tokens.ids.row_of_value, orders),
        chosen_for_bleu(both, options),
    )
    return NgramTables(
        tokens, {order: _table(*one, offsets, chosen) for order, one in ngrams.items()}, {}
    )


# --- the reference that counts --------------------------------------------------------


def rouge_pairs(corpus: Corpus, options: RougeOptions) -> Pairs:
    """Return the pairs of a corpus."""
    texts, offsets = corpus.texts_of_examples(0, len(corpus))
    return pairs_of_texts(texts, offsets, corpus.is_tokenized, options)


def tokens_of_pairs(pairs: Pairs) -> tuple[Tokens, np.ndarray]:
    """Return the tokens among which n-grams are, and the sentence of each token."""
    if pairs.crosses_sentences:
        return pairs.text_tokens, pairs.text_tokens.ids.row_of_value
    return pairs.sentence_tokens, pairs.sentence_tokens.sentence_of_token


def chosen_pairs(counts: np.ndarray, pairs: Pairs) -> np.ndarray | None:
    """Return the pair that counts, shape (n_rouge_types, n_examples); None if several count."""
    choice, offsets = pairs.options.multi_reference, pairs.reference_offsets
    if choice not in ("best", "recall"):
        return None
    return best_references(counts, pair_scores(counts, pairs.options), offsets, choice)


def chosen_for_bleu(corpus: Corpus, options: BleuOptions) -> np.ndarray | None:
    """Return the pair that counts, shape (n_examples,); None if all references count."""
    if options.multi_reference == "clip":
        return None
    statistics = statistics_of_corpus(options, corpus)
    return sentence_rows(options, statistics, corpus.reference_offsets)[1]


# --- tables ---------------------------------------------------------------------------


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
    examples = np.arange(len(offsets) - 1) if counted is None else example_of_pair[counted]
    references = np.arange(len(example_of_pair)) if counted is None else counted
    key, predicted = _counted(ngrams.take(examples), n)
    reference_key, referenced = _counted(ngrams.take(len(offsets) - 1 + references), n)
    if counted is None:  # the highest count of all references
        pair, ngram = np.divmod(reference_key, n)
        (group,), reference_key = dense_ids([example_of_pair[pair] * n + ngram])
        of_pairs, referenced = referenced, np.zeros(len(reference_key), dtype=np.int64)
        np.maximum.at(referenced, group, of_pairs)
    (ours, theirs), keys = dense_ids([key, reference_key])
    counts = np.zeros((2, len(keys)), dtype=np.int64)
    counts[0, ours], counts[1, theirs] = predicted, referenced
    if most is not None:
        np.minimum(counts, most, out=counts)
    group, ngram = np.divmod(keys, n)
    return NgramTable(examples[group], ngram, counts[0], counts[1], counts.min(axis=0), start)


def _counted(rows: Ragged, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct (row, number), as row * n + number, and how often each is there."""
    key = rows.row_of_value * n + rows.values
    key.sort()
    first = differ_from_last(key).nonzero()[0]
    return key[first], np.diff(np.append(first, len(key)))
