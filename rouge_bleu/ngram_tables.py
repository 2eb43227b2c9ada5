"""Which n-grams match in which examples of one or two systems, as `analysis.py` adds them up.

Everything is counted as the score counts it: in the reference that counts, or clipped by several. Systems
are joined to one corpus, so that their tokens and n-grams have the same numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ._bleu.counts import statistics_of_corpus
from ._bleu.options import BleuOptions
from ._bleu.results import sentence_rows
from ._rouge.options import RougeOptions
from ._rouge.pairs import count_columns, pairs_of_texts
from ._rouge.rules import OUTPUTS
from ._rouge.scores import best_references, example_scores, pair_scores
from .arrays import Ragged, dense_ids, offsets_of_lengths, sums_of_groups
from .corpus import Corpus
from .text.tokenizers import tokenized
from .tokens import Tokens, example_of_reference

_MAX_ORDER = 4


@dataclass(frozen=True)
class NgramTable:
    """The n-grams of an order: a row for each n-gram of each example, or of each pair that counts."""

    order: int
    n_systems: int
    system: np.ndarray  # 0, or 1 for the baseline, int64, shape (n_rows,), as the next two
    example: np.ndarray
    ngram: np.ndarray  # its number
    counts: np.ndarray  # matches, only in the reference, only in the prediction, (3, n_rows)
    start: np.ndarray  # a token at which each n-gram starts, int64, shape (n_ngrams,)
    scores: np.ndarray | None  # ROUGE-N, shape (n_systems, n_examples); None for BLEU

    def sums(self) -> np.ndarray:
        """Return the counts of each n-gram, int64, shape (3, n_systems, n_ngrams)."""
        shape = self.n_systems, len(self.start)
        cell = self.system * shape[1] + self.ngram
        rows = [sums_of_groups(row, cell, shape[0] * shape[1]) for row in self.counts]
        return np.reshape(rows, (3, *shape))


def ngram_tables(systems: Sequence[Corpus], options: Any) -> tuple[Tokens, list[NgramTable]]:
    """Return the tokens of all predictions, then of all references, and the tables of orders 1 to 4."""
    n_systems, first = len(systems), systems[0]
    predictions = [text for system in systems for text in system.predictions]
    offsets = offsets_of_lengths(np.tile(np.diff(first.reference_offsets), n_systems))
    both = Corpus(predictions, first.references * n_systems, offsets, first.is_tokenized)
    count = _counting_of_bleu if isinstance(options, BleuOptions) else _counting_of_rouge
    tokens, unit, most, pairs_of_order, scores = count(both, options)
    ids, number, start = tokens.ids, np.zeros(len(unit), dtype=np.int64), np.arange(len(unit))
    tables = []
    for order, pairs in enumerate(pairs_of_order, start=1):
        # The (n-1)-gram at the same start and one more token.
        fits = start + order <= len(unit)
        fits[fits] = unit[start[fits]] == unit[start[fits] + order - 1]
        number, start = number[fits], start[fits]
        (number,), _ = dense_ids([number * tokens.n_ids + ids.values[start + order - 1]])
        start_of_ngram = np.zeros(int(number.max(initial=-1)) + 1, dtype=np.int64)
        start_of_ngram[number] = start
        ngrams = Ragged(number, start.searchsorted(ids.offsets))
        row, ngram, counts = _counts(ngrams, offsets, pairs, most)
        system, example = np.divmod(row, len(first))
        of_order = None if scores is None else scores[order - 1].reshape(n_systems, -1)
        tables.append(
            NgramTable(order, n_systems, system, example, ngram, counts, start_of_ngram, of_order)
        )
    return tokens, tables


def _counting_of_rouge(both: Corpus, options: RougeOptions) -> tuple[Any, ...]:
    """Return tokens, the text or sentence of each, the highest count, and by order pairs and scores.

    The pairs are those that count for ROUGE-N of the order.
    """
    family = options.families.get("N")
    if family is not None:
        types = [f"rouge{order}" for order in range(1, _MAX_ORDER + 1)]
        options = replace(options, rouge_types=types)
    texts, offsets = both.texts_of_examples(0, len(both))
    pairs = pairs_of_texts(texts, offsets, both.is_tokenized, options)
    tokens = pairs.text_tokens if pairs.crosses_sentences else pairs.sentence_tokens
    if family is None:
        return tokens, tokens.ids.row_of_value, None, [], None
    unit = tokens.ids.row_of_value if pairs.crosses_sentences else tokens.sentence_of_token
    counts, _ = count_columns(pairs)
    output = OUTPUTS.index("fmeasure" if options.output == "all" else options.output)
    scores = example_scores(counts, offsets, options)[output]
    choice, chosen = options.multi_reference, [np.arange(offsets[-1])] * _MAX_ORDER
    if choice in ("best", "recall"):
        chosen = [*best_references(counts, pair_scores(counts, options), offsets, choice)]
    return tokens, unit, family.most, chosen, scores


def _counting_of_bleu(both: Corpus, options: BleuOptions) -> tuple[Any, ...]:
    """Return the same for BLEU; no pairs if all references of an example clip together."""
    texts, offsets = both.texts_of_examples(0, len(both))
    tokens = tokenized(texts, options.word_rules(), is_tokenized=both.is_tokenized)
    chosen = None
    if options.multi_reference != "clip":
        chosen = sentence_rows(options, statistics_of_corpus(options, both), offsets)[1]
    n_orders = min(options.highest_order, _MAX_ORDER)
    return tokens, tokens.ids.row_of_value, None, [chosen] * n_orders, None


def _counts(
    ngrams: Ragged, offsets: np.ndarray, pairs: np.ndarray | None, most: int | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the example, the n-gram and the counts of each row of a table."""
    n_examples, example_of_pair = len(offsets) - 1, example_of_reference(offsets)
    # A group is an example, or one of its pairs that count.
    if pairs is None:
        example, pairs, group = np.arange(n_examples), np.arange(offsets[-1]), example_of_pair
    else:
        example, group = example_of_pair[pairs], np.arange(len(pairs))
    n = int(ngrams.values.max(initial=0)) + 1
    ours, theirs = ngrams.take(example), ngrams.take(n_examples + pairs)
    keys = [ours.row_of_value * n + ours.values, group[theirs.row_of_value] * n + theirs.values]
    (ours_of, theirs_of), key_of_row = dense_ids(keys)
    n_rows = len(key_of_row)
    n_ours, n_theirs = np.bincount(ours_of, minlength=n_rows), np.zeros(n_rows, dtype=np.int64)
    # The highest count in one reference.
    row_of_text, count = np.unique(theirs.row_of_value * n_rows + theirs_of, return_counts=True)
    np.maximum.at(n_theirs, row_of_text % max(n_rows, 1), count)
    if most is not None:
        n_ours, n_theirs = np.minimum(n_ours, most), np.minimum(n_theirs, most)
    matches = np.minimum(n_ours, n_theirs)
    number, ngram = np.divmod(key_of_row, n)
    return example[number], ngram, np.array([matches, n_theirs - matches, n_ours - matches])
