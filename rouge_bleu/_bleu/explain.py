"""What the BLEU of one item is made of: counts of each order, lengths, and the tokens that
match.

Every number is that of `_bleu/scorer.py`; `plain.py` says which tokens match, and
`text/character_offsets.py` where they are in the text.
"""

from __future__ import annotations

from typing import Any

from ..corpus import Corpus
from ..input_warnings import warn_of_unfit_tokenizer
from ..plain import bleu_matches
from ..text.character_offsets import SourcedText, Span, given_token_spans, token_spans
from ..text.tokenizers import tokenized
from ..tokens import Tokens
from .counts import statistics_of_corpus
from .options import BleuOptions
from .scorer import parts_of_rows, sentence_rows
from .statistics import BleuStatistics

_EXPLAINED = ("chosen", "orders", "next_order")


def bleu_explanation(corpus: Corpus, options: BleuOptions) -> dict[str, Any]:
    """Return the explanation of a corpus of one item: its result, "chosen" and "orders".

    Options that concern a corpus only have no effect.
    """
    for name in options.weights_of_name:
        if name in _EXPLAINED:
            raise ValueError(
                f"weights must have names other than {', '.join(map(repr, _EXPLAINED))}, "
                f"which are keys of an explanation, got {name!r}"
            )
    options = options.for_one_example()
    warn_of_unfit_tokenizer(corpus, options)
    values = statistics_of_corpus(options, corpus)
    rows, chosen = sentence_rows(options, values, corpus.reference_offsets)
    best = None if chosen is None else int(chosen[0])
    statistics = BleuStatistics.of_values(values[:, [best or 0]])
    names = list(options.weights_of_name)
    result = dict(zip(names, rows[: len(names), 0].tolist(), strict=True))
    result |= {name: of[0] for name, of in parts_of_rows(options, rows[len(names) :]).items()}
    texts, _ = corpus.texts_of_items(0, 1)
    tokens = tokenized(texts, options.tokenizer_options, is_tokenized=corpus.is_tokenized)
    if corpus.is_tokenized:
        spans = given_token_spans(texts, options.tokenizer_options)
    else:
        spans = token_spans(list(map(SourcedText.of_source, texts)), options.tokenizer_options)
    entries = []
    for row, order in enumerate(options.counted_orders):
        matches, total = statistics.matches[row, 0], statistics.totals[row, 0]
        entry = {"order": order, "matches": int(matches), "total": int(total)}
        if row < options.highest_order:
            entry["precision"] = result["precisions"][row]
        shown = _shown_ngrams(tokens, spans, order if matches else None, best)
        entries.append(entry | shown)
    # The first reference of the length that counts, unless all of them count.
    if best is None and (len(texts) == 2 or options.reference_length != "average"):
        best = int((tokens.ids.lengths[1:] == result["reference_length"]).argmax())
    explanation = {**result, "chosen": best, "orders": entries[: options.highest_order]}
    if len(entries) > options.highest_order:
        explanation["next_order"] = entries[-1]
    return explanation


def _shown_ngrams(
    tokens: Tokens, spans: list[list[Span | None]], order: int | None, best: int | None
) -> dict[str, Any]:
    """Return the spans of the n-grams that count; `order` None: there are none.

    `best` is the only reference that counts, if there is one such.
    """
    of_references: list[list[Span | None]] = [[] for _ in spans[1:]]
    if order is None:
        return {"prediction_spans": [], "reference_spans": of_references}
    rows = range(len(of_references)) if best is None else [best]
    ids = tokens.ids.to_lists()
    _, in_prediction, in_references = bleu_matches(ids[0], [ids[1 + row] for row in rows], order)
    for reference, positions in zip(rows, in_references, strict=True):
        of_references[reference] = [spans[1 + reference][place] for place in positions]
    return {
        "prediction_spans": [spans[0][place] for place in in_prediction],
        "reference_spans": of_references,
    }
