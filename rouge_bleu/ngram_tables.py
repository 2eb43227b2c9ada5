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
from ._rouge.scores import (
    best_references,
    example_scores,
    pair_scores,
    quotient,
)
from .arrays import Ragged, dense_ids, run_starts, sums_of_groups
from .corpus import Corpus
from .text.tokenizers import tokenized
from .tokens import example_of_reference

_MAX_ORDER = 4


@dataclass(frozen=True)
class NgramTable:
    """The n-grams of an order: a row for each n-gram of each example, or of each pair that counts."""

    order: int
    start: np.ndarray  # a token at which each n-gram starts, int64, shape (n_ngrams,)
    sums: np.ndarray  # the counts of each n-gram, int64, shape (3, n_systems, n_ngrams)
    effects: np.ndarray | None  # by how much each moves ROUGE-N; None for BLEU
    sign: np.ndarray  # 1, or -1 for the baseline, int64, shape (n_rows,), as the next two
    example: np.ndarray
    ngram: np.ndarray  # its number
    counts: np.ndarray  # matches, only in the reference, only in the prediction, (3, n_rows)


def ngram_tables(systems: Sequence[Corpus], options: Any) -> tuple[Ragged, list[NgramTable]]:
    """Return the words of all predictions, then of references, and the tables of orders 1 to 4."""
    n_systems, n = len(systems), len(systems[0])
    both = Corpus.of_examples([example for system in systems for example in system.examples])
    count = _counting_of_bleu if isinstance(options, BleuOptions) else _counting_of_rouge
    tokens, unit, most, orders = count(both, options)
    assert tokens.spell is not None
    # References are counted for each system, but are the same texts.
    ends = tokens.ids.offsets[: len(both) + len(systems[0].references) + 1]
    ids, unit = tokens.ids.values[: ends[-1]], unit[: ends[-1]]
    number, start, tables = np.zeros(len(ids), dtype=np.int64), np.arange(len(ids)), []
    for order, (pairs, scores) in enumerate(orders, start=1):
        # The (n-1)-gram at the same start and one more token.
        fits = start + order <= len(ids)
        fits[fits] = unit[start[fits]] == unit[start[fits] + order - 1]
        number, start = number[fits], start[fits]
        (number,), keys = dense_ids([number * tokens.n_ids + ids[start + order - 1]])
        start_of_ngram = np.zeros(len(keys), dtype=np.int64)
        start_of_ngram[number] = start
        ngrams = Ragged(number, start.searchsorted(ends))
        clips = options.multi_reference == "clip"
        row, ngram, counts = _counts(ngrams, both.reference_offsets, pairs, clips, most)
        system, example = np.divmod(row, n)
        cell, shape = system * len(keys) + ngram, (n_systems, len(keys))
        sums = [sums_of_groups(one, cell, n_systems * len(keys)).reshape(shape) for one in counts]
        sign, effects = 1 - 2 * system, None
        if scores is not None:
            # Each match of an example has the same share of its score.
            share = quotient(scores, sums_of_groups(counts[0], row, len(both)))
            n_defined = np.count_nonzero(~np.isnan(scores).reshape(n_systems, n), axis=1)
            part = sign * counts[0] * share[row] / np.maximum(n_defined, 1)[system]
            effects = np.bincount(ngram, part, len(keys))
        of_ngrams = start_of_ngram, np.array(sums), effects
        tables.append(NgramTable(order, *of_ngrams, sign, example, ngram, counts))
    words = np.array(tokens.spell().to_pylist(), dtype=object)
    return Ragged(words[ids], ends), tables


def _counting_of_rouge(both: Corpus, options: RougeOptions) -> tuple[Any, ...]:
    """Return tokens, the text or sentence of each, the highest count of an n-gram, and by order the
    pairs that count for ROUGE-N, and its scores.
    """
    family, choice = options.families.get("N"), options.multi_reference
    types = [f"rouge{order}" for order in range(1, _MAX_ORDER + 1)]
    options = replace(options, rouge_types=types) if family else options
    texts, offsets = both.texts_of_examples(0, len(both))
    pairs = pairs_of_texts(texts, offsets, both.is_tokenized, options)
    tokens = pairs.text_tokens if pairs.crosses_sentences else pairs.sentence_tokens
    unit = tokens.ids.row_of_value if pairs.crosses_sentences else tokens.sentence_of_token
    if family is None:
        return tokens, unit, None, []
    counts, _ = count_columns(pairs)
    output = OUTPUTS.index("fmeasure" if options.output == "all" else options.output)
    scores, chosen = example_scores(counts, offsets, options)[output], [np.arange(offsets[-1])] * 4
    if choice in ("best", "recall"):
        chosen = [*best_references(counts, pair_scores(counts, options), offsets, choice)]
    return tokens, unit, family.most, zip(chosen, scores, strict=True)


def _counting_of_bleu(both: Corpus, options: BleuOptions) -> tuple[Any, ...]:
    """Return the same for BLEU, without scores; all pairs if the references of an example clip."""
    texts, offsets = both.texts_of_examples(0, len(both))
    tokens = tokenized(texts, options.word_rules(), is_tokenized=both.is_tokenized)
    pairs = np.arange(offsets[-1])
    if options.multi_reference != "clip":
        _, pairs = sentence_rows(options, statistics_of_corpus(options, both), offsets)
    n_orders = min(options.highest_order, _MAX_ORDER)
    return tokens, tokens.ids.row_of_value, None, [(pairs, None)] * n_orders


def _counts(
    ngrams: Ragged, offsets: np.ndarray, pairs: np.ndarray, clips: bool, most: int | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the example, the n-gram and the counts of each row of a table."""
    n_examples, example = len(offsets) - 1, example_of_reference(offsets)[pairs]
    # A group is an example whose references clip together, or a pair.
    group, example_of_group = np.arange(len(pairs)), example
    if clips:
        group, example_of_group = example, np.arange(n_examples)
    ours = ngrams.take(example_of_group)
    theirs = ngrams.take(n_examples + pairs % (ngrams.n_rows - n_examples))
    # Keys have the group, the n-gram, and the text, which is 0 for a prediction.
    text = 1 + pairs - offsets[example]
    bits = int(text.max()).bit_length()
    group_bits = bits + int(ngrams.values.max(initial=0)).bit_length()
    of_texts = (group << group_bits | text)[theirs.row_of_value]
    key = np.concatenate([ours.row_of_value << group_bits, of_texts])
    key |= np.concatenate([ours.values, theirs.values]) << bits
    key.sort(kind="stable")  # each half is in order of groups
    start = run_starts(key).nonzero()[0]
    n_times, key = np.diff(start, append=len(key)), key[start]
    is_theirs, key = key & ((1 << bits) - 1) > 0, key >> bits
    first = run_starts(key).nonzero()[0]
    n_ours = np.add.reduceat(np.where(is_theirs, 0, n_times), first)
    # The highest count in one reference.
    n_theirs = np.maximum.reduceat(np.where(is_theirs, n_times, 0), first)
    if most is not None:
        n_ours, n_theirs = np.minimum(n_ours, most), np.minimum(n_theirs, most)
    matches, key = np.minimum(n_ours, n_theirs), key[first]
    number, ngram = key >> (group_bits - bits), key & ((1 << (group_bits - bits)) - 1)
    counts = np.array([matches, n_theirs - matches, n_ours - matches])
    return example_of_group[number], ngram, counts
