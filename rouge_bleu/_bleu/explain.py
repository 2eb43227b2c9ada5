"""Explanations of one example: its result, and the tokens that match in each order."""

from __future__ import annotations

from typing import Any

from ..corpus import Corpus
from ..text.character_offsets import SourcedText, Span, given_token_spans, token_spans
from ..text.tokenizers import tokenized
from ..tokens import Tokens
from .counts import statistics_of_corpus
from .definition import bleu_matches
from .options import BleuOptions
from .results import parts_of_rows, sentence_rows
from .smoothing import BleuStatistics


def bleu_explanation(
    corpus: Corpus, options: BleuOptions, n_orders: int | None = None
) -> dict[str, Any]:
    """Return the explanation of a corpus of one example: its result, "chosen" and "orders"."""
    for name in {"chosen", "orders", "next_order"} & options.weights_of_name.keys():
        raise ValueError(f"weights must have names other than {name!r}, a key of an explanation")
    options = options.for_one_example()
    values = statistics_of_corpus(options, corpus)
    rows, chosen = sentence_rows(options, values, corpus.reference_offsets)
    best = None if chosen is None else int(chosen[0])
    statistics = BleuStatistics.of_values(values[:, [best or 0]])
    names = list(options.weights_of_name)
    result = dict(zip(names, rows[: len(names), 0].tolist(), strict=True))
    result |= {name: of[0] for name, of in parts_of_rows(options, rows[len(names) :]).items()}
    texts, _ = corpus.texts_of_examples(0, 1)
    rules = options.word_rules()
    tokens = tokenized(texts, rules, is_tokenized=corpus.is_tokenized)
    if corpus.is_tokenized:
        spans = given_token_spans(texts, rules)
    else:
        spans = token_spans(list(map(SourcedText.of_source, texts)), rules)
    entries = []
    for row, order in enumerate(options.counted_orders[:n_orders]):
        matches, total = statistics.matches[row, 0], statistics.totals[row, 0]
        entry = {"order": order, "matches": int(matches), "total": int(total)}
        if row < options.highest_order:
            entry["precision"] = result["precisions"][row]
        entries.append(entry | _shown_ngrams(tokens, spans, order, best))
    # The first reference with the reference length, unless all references count.
    if best is None and (len(texts) == 2 or options.reference_length != "average"):
        best = int((tokens.ids.lengths[1:] == result["reference_length"]).argmax())
    explanation = {**result, "chosen": best, "orders": entries[: options.highest_order]}
    if len(entries) > options.highest_order:
        explanation["next_order"] = entries[-1]
    return explanation


def _shown_ngrams(
    tokens: Tokens, spans: list[list[Span | None]], order: int, best: int | None
) -> dict[str, Any]:
    """Return the spans of n-grams that match, in all references or only in `best`."""
    of_references: list[list[Span | None]] = [[] for _ in spans[1:]]
    rows = range(len(of_references)) if best is None else [best]
    ids = tokens.ids.to_lists()
    _, in_prediction, in_references = bleu_matches(ids[0], [ids[1 + row] for row in rows], order)
    for reference, positions in zip(rows, in_references, strict=True):
        of_references[reference] = [spans[1 + reference][place] for place in positions]
    return {
        "prediction_spans": [spans[0][place] for place in in_prediction],
        "reference_spans": of_references,
    }
