"""Explanations of examples: their counts, the chosen reference and the tokens that match."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from ..checks import warn_without_tokens
from ..corpus import Corpus
from ..rouge_types.family import COUNT_NAMES, Positions
from ..text.character_offsets import Span
from .options import RougeOptions
from .pairs import counts_by_columns, pairs_of_texts
from .rules import OUTPUTS
from .scores import chosen_pairs, example_scores, pair_scores


def rouge_explanations(corpus: Corpus, options: RougeOptions) -> list[dict[str, Any]]:
    """Return the explanation of each example, as `explain_rouge` says, and warn."""
    options = options.for_one_example()
    texts, offsets = corpus.texts_and_offsets(0, len(corpus))
    pairs = pairs_of_texts(texts, offsets, corpus.is_tokenized, options)
    counts, has_tokens = counts_by_columns(pairs)
    if not has_tokens:
        warn_without_tokens(corpus)
    of_examples, of_pairs, chosen = _scores_and_chosen(counts, offsets, options)
    levels = set(map(pairs.uses_sentence_tokens, pairs.families))
    spans_of_level = {in_sentences: pairs.spans(in_sentences) for in_sentences in levels}
    explanations: list[dict[str, Any]] = [{} for _ in range(len(corpus))]
    for k, (name, rouge_type) in enumerate(options.types_by_name.items()):
        family = options.families[rouge_type.family]
        columns = dict(zip(COUNT_NAMES, counts[:, k], strict=False))
        if not family.matches_sides:
            del columns["prediction_matches"]
        if family.has_integers:
            columns = {key: column.astype(np.int64) for key, column in columns.items()}
        columns |= dict(zip(OUTPUTS, of_pairs[:, k], strict=True))
        spans = spans_of_level[pairs.uses_sentence_tokens(family)]
        theirs = spans[len(corpus) :]
        for example, (first, end) in enumerate(pairwise(offsets.tolist())):
            explanations[example][name] = {
                **dict(zip(OUTPUTS, of_examples[:, k, example].tolist(), strict=True)),
                "chosen": chosen[k][example],
                "references": [
                    {key: column[pair].item() for key, column in columns.items()}
                    | _spans_at(
                        family.positions(rouge_type, pairs, pair), spans[example], theirs[pair]
                    )
                    for pair in range(first, end)
                ],
            }
    return explanations


def token_numbers(corpus: Corpus, options: RougeOptions) -> dict[str, Any]:
    """Return by type the tokens of each text as (span, number); tokens that it finds equal share a number."""
    options = options.for_one_example()
    pairs = pairs_of_texts(*corpus.texts_and_offsets(0, 1), corpus.is_tokenized, options)
    tokens = {}
    for in_sentences in set(map(pairs.uses_sentence_tokens, pairs.families)):
        numbers = (pairs.sentence_tokens if in_sentences else pairs.text_tokens).ids.to_lists()
        rows = zip(pairs.spans(in_sentences), numbers, strict=True)
        tokens[in_sentences] = [list(zip(*row, strict=True)) for row in rows]
    levels = map(pairs.uses_sentence_tokens, pairs.families)
    return {name: tokens[level] for name, level in zip(options.types_by_name, levels, strict=True)}


def _scores_and_chosen(
    counts: np.ndarray, reference_offsets: np.ndarray, options: RougeOptions
) -> tuple[np.ndarray, np.ndarray, list[list[int | None]]]:
    """Return the scores of examples and of pairs, and by type which reference of each counts."""
    averaging = options.rules.averaging
    has_own_scores = averaging is not None and averaging.scores is not None
    if has_own_scores:
        columns = averaging.columns(counts, reference_offsets, options)
        of_examples, of_pairs = (averaging.scores(one, options) for one in (columns, counts))
    else:
        of_examples = example_scores(counts, reference_offsets, options)
        of_pairs = pair_scores(counts, options)
    choice, starts = options.multi_reference, reference_offsets[:-1]
    n_references = np.diff(reference_offsets)
    chosen = chosen_pairs(counts, of_pairs, reference_offsets, choice) - starts
    if not has_own_scores:
        has_units = np.logical_or.reduceat(counts[3], starts, axis=-1)
        of_pairs[:, ~has_units.repeat(n_references, axis=-1)] = options.zero_division
    is_one = (n_references == 1) | (choice in ("best", "recall"))
    counting = np.where(is_one, chosen, np.array(None))
    return of_examples, of_pairs, counting.tolist()


def _spans_at(
    positions: Positions, of_prediction: list[Span | None], of_reference: list[Span | None]
) -> dict[str, list[Span | None]]:
    """Return the spans of the tokens that match, as new lists."""
    spans = []
    for places, all_spans in zip(positions, (of_prediction, of_reference), strict=True):
        found = [all_spans[place] for place in places]
        spans.append([span and [*span] for span in found])
    return {"prediction_spans": spans[0], "reference_spans": spans[1]}
