"""Explanations of one example: its counts, the chosen reference and the tokens that match."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..checks import warn_without_tokens
from ..corpus import Corpus
from ..rouge_types.family import COUNTS, Positions
from ..text.character_offsets import Span
from .options import RougeOptions
from .pairs import count_columns, pairs_of_texts
from .rules import OUTPUTS
from .scores import best_references, example_scores, pair_scores


def rouge_explanation(corpus: Corpus, options: RougeOptions) -> dict[str, Any]:
    """Return the explanation of a corpus of one example, as `explain_rouge` says, and warn."""
    options = options.for_one_example()
    texts, offsets = corpus.texts_of_examples(0, 1)
    pairs = pairs_of_texts(texts, offsets, corpus.is_tokenized, options)
    counts, has_tokens = count_columns(pairs)
    if not has_tokens:
        warn_without_tokens(corpus, options)
    of_example, of_pairs, chosen = _scores(counts, offsets, options)
    levels = set(map(pairs.uses_sentence_tokens, pairs.families))
    spans_of_level = {in_sentences: pairs.spans(in_sentences) for in_sentences in levels}
    explanation = {}
    for k, (name, measure) in enumerate(options.measures.items()):
        family = options.families[measure.family]
        columns = dict(zip(COUNTS, counts[:, k], strict=False))
        if not family.matches_sides:
            del columns["prediction_matches"]
        if family.has_integers:
            columns = {key: column.astype(np.int64) for key, column in columns.items()}
        columns |= dict(zip(OUTPUTS, of_pairs[:, k], strict=True))
        spans = spans_of_level[pairs.uses_sentence_tokens(family)]
        explanation[name] = {
            **dict(zip(OUTPUTS, of_example[:, k, 0].tolist(), strict=True)),
            "chosen": None if chosen is None else chosen[k],
            "references": [
                {key: column[pair].item() for key, column in columns.items()}
                | _spans_at(family.positions(measure, pairs, pair), spans[0], spans[1 + pair])
                for pair in range(len(spans) - 1)
            ],
        }
    return explanation


def token_numbers(corpus: Corpus, options: RougeOptions) -> dict[str, Any]:
    """Return for each type the tokens of each text of one example, as (span, number).

    Tokens that the type compares as equal have the same number, in any text.
    """
    options = options.for_one_example()
    pairs = pairs_of_texts(*corpus.texts_of_examples(0, 1), corpus.is_tokenized, options)
    tokens = {}
    for in_sentences in set(map(pairs.uses_sentence_tokens, pairs.families)):
        numbers = (pairs.sentence_tokens if in_sentences else pairs.text_tokens).ids.to_lists()
        rows = zip(pairs.spans(in_sentences), numbers, strict=True)
        tokens[in_sentences] = [list(zip(*row, strict=True)) for row in rows]
    levels = map(pairs.uses_sentence_tokens, pairs.families)
    return {name: tokens[level] for name, level in zip(options.measures, levels, strict=True)}


def _scores(
    counts: np.ndarray, reference_offsets: np.ndarray, options: RougeOptions
) -> tuple[np.ndarray, np.ndarray, list[int] | None]:
    """Return the scores of the example and of its pairs, and which reference counts for each type."""
    averaging = options.rules.averaging
    if averaging is not None and averaging.scores is not None:
        of_example = averaging.scores(
            averaging.columns(counts, reference_offsets, options), options
        )
        of_pairs = averaging.scores(counts, options)
    else:
        of_example = example_scores(counts, reference_offsets, options)
        of_pairs = pair_scores(counts, options)
    choice = options.multi_reference
    chosen = best_references(counts, of_pairs, reference_offsets, choice)[:, 0].tolist()
    if averaging is None or averaging.scores is None:
        of_pairs[:, ~counts[3].any(axis=1)] = options.zero_division
    is_one = counts.shape[2] == 1 or choice in ("best", "recall")
    return of_example, of_pairs, chosen if is_one else None


def _spans_at(
    positions: Positions, of_prediction: list[Span | None], of_reference: list[Span | None]
) -> dict[str, list[Span | None]]:
    """Return the spans of the tokens that match, as new lists."""
    spans = []
    for places, all_spans in zip(positions, (of_prediction, of_reference), strict=True):
        found = [all_spans[place] for place in places]
        spans.append([span and [*span] for span in found])
    return {"prediction_spans": spans[0], "reference_spans": spans[1]}
