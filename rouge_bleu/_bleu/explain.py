"""Explanations of examples: their results, and the tokens that match in each order."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from ..corpus import Corpus
from ..text.character_offsets import SourcedText, given_token_spans, token_spans
from ..text.tokenizers import tokenize
from .counts import statistics_of_corpus
from .definition import bleu_matches
from .options import BleuOptions
from .results import SentenceBleuPlan, sentence_scores
from .smoothing import BleuStatistics


def bleu_explanations(
    corpus: Corpus, options: BleuOptions, n_orders: int | None = None
) -> list[dict[str, Any]]:
    """Return the explanation of each example, as `explain_bleu` says, and warn."""
    for name in {"chosen", "orders", "next_order"} & options.named_weights.keys():
        raise ValueError(f"weights must have names other than {name!r}, a key of an explanation")
    options = options.for_one_example()
    plan, values = SentenceBleuPlan(options), statistics_of_corpus(options, corpus)
    rows, chosen = sentence_scores(options, values, corpus.reference_offsets)
    names, statistics = plan.keys, BleuStatistics.from_rows(values)
    results = dict(zip(names, rows.tolist(), strict=False)) | plan.result_parts(rows[len(names) :])
    texts, offsets = corpus.texts_and_offsets(0, len(corpus))
    rules = options.token_rules()
    tokens = tokenize(texts, rules, is_tokenized=corpus.is_tokenized)
    if corpus.is_tokenized:
        spans = given_token_spans(texts, rules)
    else:
        spans = token_spans(list(map(SourcedText.of_source, texts)), rules)
    ids, lengths, explanations = tokens.ids.to_lists(), tokens.ids.lengths, []
    for example, (first, end) in enumerate(pairwise((len(corpus) + offsets).tolist())):
        result = {name: of[example] for name, of in results.items()}
        column = example if chosen is None else int(chosen[example])
        best = None if chosen is None else column - int(offsets[example])
        # Matches are shown in all references, or only in `best`.
        shown = range(first, end) if best is None else [first + best]
        entries = []
        for row, order in enumerate(options.counted_orders[:n_orders]):
            matches, total = statistics.matches[row, column], statistics.totals[row, column]
            entry: dict[str, Any] = {"order": order, "matches": int(matches), "total": int(total)}
            if row < options.highest_order:
                entry["precision"] = result["precisions"][row]
            references = [ids[text] for text in shown]
            _, in_prediction, in_references = bleu_matches(ids[example], references, order)
            places = dict(zip(shown, in_references, strict=True))
            entry["prediction_spans"] = [spans[example][place] for place in in_prediction]
            entry["reference_spans"] = [
                [spans[text][place] for place in places.get(text, [])] for text in range(first, end)
            ]
            entries.append(entry)
        # The first reference with the reference length, unless all references count.
        if best is None and (end - first == 1 or options.reference_length != "average"):
            best = int((lengths[first:end] == result["reference_length"]).argmax())
        explanation = {**result, "chosen": best, "orders": entries[: options.highest_order]}
        if len(entries) > options.highest_order:
            explanation["next_order"] = entries[-1]
        explanations.append(explanation)
    return explanations
