"""The scores of one prediction as a table and a chart, and the words behind them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rouge_bleu_tools.page.shared.limits import MAX_EXPLAINED_CHARACTERS
from rouge_bleu_tools.page.shared.looks.html_parts import (
    bars,
    folded,
    marked_text,
    note,
    shown_score,
    steps,
    table,
    text_block,
)
from rouge_bleu_tools.page.shared.scoring import Scored
from rouge_bleu_tools.page.try_it.arithmetic import bleu_steps, rouge_steps

_TOO_LONG = (
    f"The matching words are marked in texts of up to {MAX_EXPLAINED_CHARACTERS:,} "
    "characters in all."
)
_MEANING = {
    "rouge_full": "From 0, nothing in common, to 1. Precision: how much of the prediction "
    "is in the reference. Recall: how much of the reference is in the prediction. F: both "
    "in one number. Papers often print them times 100.",
    "bleu_full": "From 0 to 1, where all n-grams of the prediction are in a reference and "
    "it is not too short. Papers often print it times 100.",
}


def score_table(scored: Scored) -> str:
    """Return the table of the scores, and what they mean."""
    return _table_of_metric(scored) + note(_MEANING[scored.metric])


def _table_of_metric(scored: Scored) -> str:
    if scored.metric == "rouge_full":
        rows = [
            [name, *map(shown_score, scores)]
            for name, scores in scored.scores_of_type.items()
        ]
        return table("Scores", ["Type", "Precision", "Recall", "F"], rows)
    result = scored.result
    bleu = shown_score(result["bleu"])
    rows = [["BLEU", bleu]]
    rows += [
        [f"Precision of {order}-grams", shown_score(value)]
        for order, value in enumerate(result["precisions"], start=1)
    ]
    rows += [
        ["Brevity penalty", shown_score(result["brevity_penalty"])],
        ["Words of the prediction", f"{result['translation_length']:g}"],
        ["Words of the reference", f"{result['reference_length']:g}"],
    ]
    return table("Scores", ["Measure", "Value"], rows)


def score_chart(scored: Scored) -> str:
    """Return the bars of the scores."""
    if scored.metric == "rouge_full":
        groups = {
            name: dict(zip(("Precision", "Recall", "F"), scores, strict=True))
            for name, scores in scored.scores_of_type.items()
        }
        return bars("Scores from 0 to 1", groups)
    precisions = {
        f"{order}-grams": value
        for order, value in enumerate(scored.result["precisions"], start=1)
    }
    groups = {"BLEU": {"BLEU": scored.result["bleu"]}, "Precision of": precisions}
    return bars("Scores from 0 to 1", groups)


def explanation_view(scored: Scored, rouge_type: str | None) -> str:
    """Return the matching words of a type, or of an order of BLEU, and the arithmetic."""
    if scored.explanation is None:
        return note(_TOO_LONG)
    if scored.metric == "rouge_full":
        return _rouge_view(scored, rouge_type or next(iter(scored.explanation)))
    return _bleu_view(scored, rouge_type)


def _rouge_view(scored: Scored, rouge_type: str) -> str:
    explained = (scored.explanation or {})[rouge_type]
    chosen, pairs = explained["chosen"], explained["references"]
    shown = 0 if chosen is None else chosen
    parts = [
        _pair(scored, pairs[shown], shown, chosen),
        _rouge_steps(scored, rouge_type, pairs[shown]),
    ]
    if chosen is None:
        scores = ", ".join(
            f"{name} {shown_score(explained[name])}"
            for name in ("precision", "recall", "fmeasure")
        ).replace("fmeasure", "F")
        parts.append(
            note(f"Several references count, and together they give {scores}.")
        )
    elif len(pairs) > 1:
        parts.append(
            note(
                f"Reference {chosen + 1} counts: it gives the best score of {rouge_type}."
            )
        )
    for number, pair in enumerate(pairs):
        if number != shown:
            content = _pair(scored, pair, number, chosen)
            content += _rouge_steps(scored, rouge_type, pair)
            summary = f"Reference {number + 1}: F {shown_score(pair['fmeasure'])}"
            parts.append(folded(summary, content))
    return "".join(parts)


def _rouge_steps(scored: Scored, rouge_type: str, pair: Mapping[str, Any]) -> str:
    options = scored.used_options
    rules = options.rules
    are_distinct = rules.counting == "distinct"
    if rouge_type == "rougeL" and not rules.lcs_of_distinct_words:
        are_distinct = False
    beta = float(options.beta)
    return steps(rouge_steps(rouge_type, pair, beta, are_distinct=are_distinct))


def _pair(
    scored: Scored, pair: Mapping[str, Any], number: int, chosen: int | None
) -> str:
    prediction = marked_text(scored.prediction, pair["prediction_spans"])
    reference = marked_text(scored.references[number], pair["reference_spans"])
    label = reference_label(number, len(scored.references), chosen)
    is_chosen = number == chosen and len(scored.references) > 1
    return (
        '<div class="page-pair">'
        + text_block("Prediction", prediction)
        + text_block(label, reference, is_chosen=is_chosen)
        + "</div>"
    )


def reference_label(number: int, n_references: int, chosen: int | None) -> str:
    """Return what a reference is called, and whether it is the one that counts.

    >>> reference_label(1, 3, chosen=1)
    'Reference 2 of 3, the one that counts'
    """
    if n_references == 1:
        return "Reference"
    counts = ", the one that counts" if number == chosen else ""
    return f"Reference {number + 1} of {n_references}{counts}"


def _bleu_view(scored: Scored, order_name: str | None) -> str:
    explanation = scored.explanation or {}
    orders = explanation["orders"]
    names = order_names(explanation)
    entry = orders[names.index(order_name) if order_name in names else 0]
    chosen = explanation["chosen"]
    blocks = [
        text_block(
            "Prediction", marked_text(scored.prediction, entry["prediction_spans"])
        )
    ]
    for number, spans in enumerate(entry["reference_spans"]):
        label = reference_label(number, len(scored.references), None)
        is_chosen = number == chosen and len(scored.references) > 1
        if is_chosen:
            label += ", the one whose length counts"
        text = marked_text(scored.references[number], spans)
        blocks.append(text_block(label, text, is_chosen=is_chosen))
    arithmetic = steps(bleu_steps(explanation, _powers(explanation, scored)))
    return f'<div class="page-pair">{"".join(blocks)}</div>{arithmetic}'


def order_names(explanation: Mapping[str, Any]) -> list[str]:
    """Return the names of the orders of a BLEU, as one chooses them."""
    return [f"{entry['order']}-grams" for entry in explanation["orders"]]


def _powers(explanation: Mapping[str, Any], scored: Scored) -> list[float]:
    """Return the power to which BLEU raises the precision of each order.

    It is the weight. Where orders without n-grams are left out, theirs is 0, and the
    others grow to the same sum.
    """
    options = scored.used_options
    weights: list[float] = next(iter(options.weights_of_name.values())).tolist()
    # What add-k adds counts as n-grams, so that no order is without any.
    if not options.uses_effective_order or options.smoothing == "add-k":
        return weights
    totals = [entry["total"] for entry in explanation["orders"]]
    kept = [
        weight if total else 0.0 for weight, total in zip(weights, totals, strict=True)
    ]
    scale = sum(weights) / sum(kept) if any(kept) else 0.0
    return [scale * weight for weight in kept]
