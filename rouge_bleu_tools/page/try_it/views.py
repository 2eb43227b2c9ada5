"""The scores of one prediction as a table, and the words behind them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from rouge_bleu_tools.page.shared.limits import MAX_EXPLAINED_CHARACTERS
from rouge_bleu_tools.page.shared.looks.html_parts import (
    Mark,
    folded,
    marked_text,
    note,
    steps,
    text_block,
)
from rouge_bleu_tools.page.shared.looks.scores import (
    HUNDRED,
    ONE,
    ScoreRow,
    on_both_scales,
    score_table,
    score_with_bar,
)
from rouge_bleu_tools.page.shared.meanings import (
    MEANING_OF_BLEU,
    meaning_of_order,
    meaning_of_type,
    paper_name,
)
from rouge_bleu_tools.page.shared.scoring import Scored
from rouge_bleu_tools.page.try_it.arithmetic import bleu_steps, rouge_steps
from rouge_bleu_tools.page.try_it.partners import marks_of_pair

_TOO_LONG = (
    f"The matching words are marked in texts of up to {MAX_EXPLAINED_CHARACTERS:,} "
    "characters in all."
)
_MEANING = {
    "rouge_full": "Precision is the share of the prediction that the reference has, recall "
    "the share of the reference that the prediction has. F is high if both are.",
    "bleu_full": "BLEU is the geometric mean of the precisions times the brevity penalty, "
    "which lowers the scores of short predictions.",
}
_PARTNERS = "Point at a marked word to see its match. With the keyboard: Tab, then the arrows."
_WORDS = {"precision": "precision", "recall": "recall", "fmeasure": "F"}
_IN_RUNS = re.compile("rouge(L|Lsum|W.*)")


def scores_view(scored: Scored) -> str:
    """Return the scores, each with its bar, and what they mean."""
    rows = _rows_of_metric(scored)
    if scored.metric == "rouge_full":
        of_metric = score_table("Scores", ["", "F", "Precision", "Recall"], rows)
    else:
        of_metric = score_table("Scores", ["", "Score"], rows, "page-scores-bleu")
        result = scored.result
        lengths = f"{result['translation_length']:g}", f"{result['reference_length']:g}"
        words = "word" if lengths[0] == "1" else "words"
        of_metric += note(f"The prediction has {lengths[0]} {words}, the reference {lengths[1]}.")
    return of_metric + note(_MEANING[scored.metric])


def _rows_of_metric(scored: Scored) -> list[ScoreRow]:
    if scored.metric == "rouge_full":
        return [
            ScoreRow(
                paper_name(name),
                meaning_of_type(name),
                [
                    score_with_bar(f, is_first=True),
                    score_with_bar(precision),
                    score_with_bar(recall),
                ],
            )
            for name, (precision, recall, f) in scored.scores_of_type.items()
        ]
    result = scored.result
    bleu = score_with_bar(result["bleu"], is_first=True)
    rows = [ScoreRow("BLEU", MEANING_OF_BLEU, [bleu])]
    for order, value in enumerate(result["precisions"], start=1):
        name = f"Precision of {order}-grams"
        rows.append(ScoreRow(name, meaning_of_order(order), [score_with_bar(value)]))
    penalty = score_with_bar(result["brevity_penalty"], is_factor=True)
    return [*rows, ScoreRow("Brevity penalty", "1 if it is long enough", [penalty])]


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
    has_runs = _IN_RUNS.fullmatch(rouge_type) is not None
    of_pair = partial(_pair, scored, chosen=chosen, has_runs=has_runs)
    parts = [
        of_pair(pairs[shown], shown),
        _partner_note(has_runs),
        _rouge_steps(scored, rouge_type, pairs[shown]),
    ]
    if chosen is None:
        scores = ", ".join(
            f"{word} {on_both_scales(explained[name])}" for name, word in _WORDS.items()
        )
        parts.append(
            f'<p class="page-note">Several references count, and together they give {scores}.</p>'
        )
    elif len(pairs) > 1:
        parts.append(
            note(f"Reference {chosen + 1} counts: it gives the best {paper_name(rouge_type)}.")
        )
    for number, pair in enumerate(pairs):
        if number != shown:
            content = of_pair(pair, number)
            content += _rouge_steps(scored, rouge_type, pair)
            f_measure = on_both_scales(pair["fmeasure"])
            parts.append(folded(f"Reference {number + 1}: F ", content, f_measure))
    return "".join(parts)


def _rouge_steps(scored: Scored, rouge_type: str, pair: Mapping[str, Any]) -> str:
    options = scored.used_options
    rules = options.rules
    are_distinct = rules.counting in ("distinct", "nmt")
    if rouge_type == "rougeL":
        are_distinct = rules.lcs_of_distinct_words
    beta = float(options.beta)
    lines = partial(rouge_steps, rouge_type, pair, beta, are_distinct=are_distinct)
    return _on_both_scales(lines)


def _on_both_scales(lines: Callable[..., list[str]]) -> str:
    """Return the lines of arithmetic as HTML, in percent where scores go up to 100."""
    in_percent = steps(lines(is_percent=True), HUNDRED)
    return in_percent + steps(lines(is_percent=False), ONE)


def _partner_note(has_runs: bool) -> str:
    """Return the line that names the match of the word one points at (`script.py`)."""
    runs = " Words of one colour are a run in both texts." if has_runs else ""
    return f'<p class="page-note page-partners" role="status">{_PARTNERS}{runs}</p>'


def _pair(
    scored: Scored, pair: Mapping[str, Any], number: int, chosen: int | None, has_runs: bool
) -> str:
    texts = scored.prediction, scored.references[number]
    spans = pair["prediction_spans"], pair["reference_spans"]
    marks = marks_of_pair(*texts, *spans, _word_of(scored), has_runs=has_runs)
    prediction, reference = map(marked_text, texts, marks)
    label = reference_label(number, len(scored.references), chosen)
    is_chosen = number == chosen and len(scored.references) > 1
    return (
        '<div class="page-pair">'
        + text_block("Prediction", prediction)
        + text_block(label, reference, is_chosen=is_chosen)
        + "</div>"
    )


def _word_of(scored: Scored) -> Callable[[str], str]:
    """Return the function from a word to what it is to the metric."""
    options = scored.used_options.tokenizer_options
    if scored.metric == "rouge_full":
        options = options(is_tokenized=False)

    def word_of(word: str) -> str:
        word = word.lower() if options.lowercase else word
        return word if options.stem is None else str(options.stem(word))

    return word_of


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
    of_prediction, of_references = _marks_of_bleu(scored, entry)
    blocks = [text_block("Prediction", marked_text(scored.prediction, of_prediction))]
    for number, marks in enumerate(of_references):
        label = reference_label(number, len(scored.references), None)
        is_chosen = number == chosen and len(scored.references) > 1
        if is_chosen:
            label += ", the one whose length counts"
        text = marked_text(scored.references[number], marks)
        blocks.append(text_block(label, text, is_chosen=is_chosen))
    powers = _powers(explanation, scored)
    arithmetic = _on_both_scales(partial(bleu_steps, explanation, powers))
    pair = f'<div class="page-pair">{"".join(blocks)}</div>'
    return pair + _partner_note(has_runs=False) + arithmetic


def _marks_of_bleu(scored: Scored, entry: Mapping[str, Any]) -> tuple[list[Mark], list[list[Mark]]]:
    """Return the marks of the prediction and of each reference.

    A word of the prediction has a partner in each reference that has its n-gram.
    """
    of_spans: dict[tuple[int, int], Mark] = {}
    of_references = []
    for text, spans in zip(scored.references, entry["reference_spans"], strict=True):
        of_prediction, of_reference = marks_of_pair(
            scored.prediction,
            text,
            entry["prediction_spans"],
            spans,
            _word_of(scored),
            has_runs=False,
        )
        for mark in of_prediction:
            if mark.match is not None or (mark.start, mark.stop) not in of_spans:
                of_spans[mark.start, mark.stop] = mark
        of_references.append(of_reference)
    return list(of_spans.values()), of_references


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
    kept = [weight if total else 0.0 for weight, total in zip(weights, totals, strict=True)]
    scale = sum(weights) / sum(kept) if any(kept) else 0.0
    return [scale * weight for weight in kept]
