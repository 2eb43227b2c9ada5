"""Texts and settings -> scores, and what the page shows of them: tiles, words, calculation, hints."""

from __future__ import annotations

import html
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import rouge_bleu
from rouge_bleu_tools.app.marks import Mark, known_spans, marked_html, order_marks, pair_marks
from rouge_bleu_tools.app.settings import (
    Refusal,
    Settings,
    bleu_options,
    percent,
    rouge_of_types,
    rouge_options,
    rouge_types,
    shown_name,
)

MAX_CHARACTERS = 40_000
MAX_REFERENCES = 20
_MAX_LINES = 1_000
_ASCII_TOKENIZERS = ("default", "rouge_score", "rouge-1.5.5", "py-rouge")
# Thai to Khmer, Japanese, Chinese: scripts without spaces between words.
_NO_SPACES = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]{4}")


@dataclass(frozen=True)
class Scored:
    prediction: str
    references: list[str]
    settings: Settings
    rouge: dict[str, Any]  # type -> as `explain_rouge` returns it
    bleu: dict[str, Any]  # as `explain_bleu` returns it

    @property
    def scores(self) -> dict[str, float]:
        """F of each type, and BLEU, from 0 to 1."""
        rouge = {name: one["fmeasure"] for name, one in self.rouge.items()}
        return {**rouge, "bleu": self.bleu["bleu"]}


def split_references(text: str | None) -> list[str]:
    r"""Return the references of the box, which blank lines separate."""
    return [part.strip("\n") for part in re.split(r"\n[ \t]*\n", text or "") if part.strip()]


def check_texts(prediction: Any, references: Any) -> None:
    """Raise where texts are missing, no texts, or more than the page takes."""
    if not isinstance(prediction, str) or not prediction.strip():
        raise Refusal("Enter a prediction.")
    if not isinstance(references, list) or not references:
        raise Refusal("Enter a reference.")
    if not all(isinstance(one, str) and one.strip() for one in references):
        raise Refusal("The references must be texts.")
    texts = [prediction, *references]
    n_lines = sum(text.count("\n") + 1 for text in texts)
    for number, limit, what in (
        (len(references), MAX_REFERENCES, "references"),
        (sum(map(len, texts)), MAX_CHARACTERS, "characters"),
        (n_lines, _MAX_LINES, "lines"),
    ):
        if number > limit:
            raise Refusal(f"Too long: {number:,} {what} (limit {limit:,})")
    if any("\ud800" <= letter <= "\udfff" for text in texts for letter in text):
        raise Refusal("The texts contain half a character (a lone surrogate).")


def score_texts(prediction: Any, references: Any, settings: Settings) -> Scored:
    """Score one prediction with both metrics."""
    check_texts(prediction, references)
    options = rouge_options(settings)
    rouge = rouge_of_types(
        rouge_types(settings),
        lambda types: rouge_bleu.explain_rouge(
            prediction, references, rouge_types=types, **options
        ),
    )
    bleu = rouge_bleu.explain_bleu(prediction, references, **_bleu_of_corpus(settings))
    return Scored(prediction, references, settings, rouge, bleu)


def _bleu_of_corpus(settings: Settings) -> dict[str, Any]:
    """Return options under which BLEU of one text is that of a corpus of one, as in papers."""
    options = bleu_options(settings)
    is_sacrebleu = options.get("preset") == "sacrebleu"
    return options | ({"effective_order": False} if is_sacrebleu else {})


def signatures(scored: Scored) -> list[str]:
    """Return the signatures of both metrics."""
    given = {"predictions": [scored.prediction], "references": [scored.references]}
    options = {"rouge_types": list(scored.rouge), **rouge_options(scored.settings)}
    rouge = rouge_bleu.rouge(**given, **options, signature=True)
    bleu = rouge_bleu.bleu(**given, **_bleu_of_corpus(scored.settings), signature=True)
    return [rouge["signature"], bleu["signature"]]


def needs_unicode(scored: Scored) -> bool:
    """Whether the tokenizer loses letters, or takes whole sentences for words."""
    tokenizer, preset = scored.settings["tokenizer"], scored.settings["preset"]
    if tokenizer == "default" and preset not in ("none", "rouge_score"):
        return False
    text = "\n".join([scored.prediction, *scored.references])
    if tokenizer in _ASCII_TOKENIZERS:
        return any(letter.isalpha() and not letter.isascii() for letter in text)
    return tokenizer in ("13a", "whitespace") and bool(_NO_SPACES.search(text))


def needs_smoothing(scored: Scored) -> bool:
    """Whether BLEU is 0 only because some length of n-grams has no match."""
    orders = scored.bleu["orders"]
    has_ngrams = all(one["total"] for one in orders)
    return scored.bleu["bleu"] == 0 and has_ngrams and orders[0]["matches"] > 0


# --- tiles and calculation ----------------------------------------------------------------------


def tile(name: str, score: float, small: str) -> str:
    """Return one score in large print; the exact value shows on hover."""
    return (
        f'<div class="tile"><span class="name">{html.escape(shown_name(name))}</span>'
        f'<b title="{score!r}">{percent(score)}</b><small>{small}</small></div>'
    )


def tiles_html(scored: Scored) -> str:
    tiles = [
        tile(
            name,
            one["fmeasure"],
            f"P&nbsp;{percent(one['precision'])} R&nbsp;{percent(one['recall'])}",
        )
        for name, one in scored.rouge.items()
    ]
    penalty = f'<abbr title="brevity penalty">BP</abbr>&nbsp;{scored.bleu["brevity_penalty"]:.3f}'
    tiles.append(tile("bleu", scored.bleu["bleu"], penalty))
    return f'<div class="tiles">{"".join(tiles)}</div>'


def _unit(name: str) -> str:
    kind = name.removeprefix("rouge")
    if kind.isdigit():
        return {"1": "words", "2": "bigrams", "3": "trigrams"}.get(kind, f"{kind}-grams")
    if kind.startswith("S"):
        return "word pairs and words" if kind.startswith("SU") else "word pairs"
    return "weighted words" if kind.startswith("W") else "words"


def rouge_calculation(name: str, one: Mapping[str, Any], is_several: bool = False) -> str:
    """Return in one line how the score comes of the counts."""
    best = one["chosen"] or 0
    pair = one["references"][best]
    counts = (pair.get("prediction_matches", pair["matches"]), pair["prediction_total"])
    matches, total, matches_there, total_there = (
        f"{value:,.2f}".removesuffix(".00")
        for value in (*counts, pair["matches"], pair["reference_total"])
    )
    text = (
        f"{matches} of {total} {_unit(name)} in the prediction match (P "
        f"{percent(pair['precision'])}), {matches_there} of {total_there} in "
        f"{f'reference {best + 1}' if is_several else 'the reference'} (R "
        f"{percent(pair['recall'])}): F = {percent(pair['fmeasure'])}"
    )
    if one["chosen"] is None and is_several:
        text += f"; all references together: F = {percent(one['fmeasure'])}"
    return text


def bleu_calculation(bleu: Mapping[str, Any]) -> str:
    """Return in one line how BLEU comes of its precisions."""
    orders, penalty, score = bleu["orders"], bleu["brevity_penalty"], bleu["bleu"]
    factors = [f"{one['matches']}/{one['total']}" for one in orders]
    if score == 0:
        missing = next((one["order"] for one in orders if not one["matches"]), None)
        reason = f": no {missing}-gram matches" if missing else ""
        return f"Matching n-grams {', '.join(factors)}; BLEU = 0{reason}"
    precisions = [one["precision"] for one in orders]
    plain = [one["matches"] / one["total"] if one["total"] else 0.0 for one in orders]
    smoothed = "" if all(map(math.isclose, plain, precisions)) else ", smoothed"
    if smoothed:
        factors = list(map(percent, precisions))
    mean = math.prod(precisions) ** (1 / len(precisions)) * penalty
    if not math.isclose(mean, score, rel_tol=1e-6):  # weights, or the formula of a preset
        listed = f"n-gram precisions {', '.join(factors)}{smoothed}"
        return f"Brevity penalty {penalty:.3f}, {listed}: BLEU = {percent(score)}"
    product = f"({' × '.join(factors)}{smoothed})^(1/{len(factors)})"
    return f"Brevity penalty {penalty:.3f} × {product}: BLEU = {percent(score)}"


# --- words --------------------------------------------------------------------------------------


def words_html(scored: Scored, measure: str) -> str:
    """Return the texts with the words that match, and the calculation in one line."""
    if measure != "bleu" and measure not in scored.rouge:
        measure = next(iter(scored.rouge))
    is_several = len(scored.references) > 1
    if measure == "bleu":
        orders, best, why = scored.bleu["orders"], scored.bleu["chosen"], "closest length"
        calculation = bleu_calculation(scored.bleu)
        sides = [[one["prediction_spans"], *one["reference_spans"]] for one in orders]
        marks = [
            order_marks({one["order"]: spans for one, spans in zip(orders, of_text, strict=True)})
            for of_text in zip(*sides, strict=True)
        ]
        matching = known_spans(orders[0]["prediction_spans"])
        used = {scored.prediction[start:end].casefold() for start, end in matching}
        legend = "Number: longest matching n-gram that the words belong to."
        reason = "already used as often as a reference has it"
    else:
        one = scored.rouge[measure]
        best, why = one["chosen"], "best match"
        calculation = rouge_calculation(measure, one, is_several)
        marks, used = _marks_of_pairs(scored, measure)
        legend = "Same number: consecutive in both texts."
        reason = "already used as often as the other text has it"
        if measure.startswith("rougeS"):
            legend = "Marked: words of matching pairs."
        elif measure != "rouge1":
            reason = "in another order, or already used"
    blocks = []
    for number, (text, of_text) in enumerate(
        zip([scored.prediction, *scored.references], marks, strict=True)
    ):
        is_used = number == 0 or (measure != "bleu" and number == (best or 0) + 1)
        body = marked_html(text, of_text, used if is_used else (), reason)
        label = f"Reference {number}" if is_several else "Reference"
        badge = f' <span class="best">{why}</span>' if is_several and number - 1 == best else ""
        blocks.append(
            f"<h3>{label if number else 'Prediction'}{badge if number else ''}</h3>"
            f'<p class="words" dir="auto">{body}</p>'
        )
    if not any(marks):
        legend = "No matches."
    if any('class="used"' in block for block in blocks):
        legend += f" Dotted line: {reason}."
    return (
        f'<p class="calculation">{html.escape(calculation)}</p>{"".join(blocks)}'
        f'<p class="legend">{html.escape(legend)}</p>'
    )


def _marks_of_pairs(scored: Scored, measure: str) -> tuple[list[list[Mark]], set[str]]:
    """Return the marks of all texts, and the words of the matches, which may be there more often."""
    one = scored.rouge[measure]
    best = one["chosen"] or 0
    pair, reference = one["references"][best], scored.references[best]
    left, right = pair_marks(
        scored.prediction,
        reference,
        pair["prediction_spans"],
        pair["reference_spans"],
        _stem if scored.settings["use_stemmer"] else str.casefold,
        is_subsequence=measure.startswith(("rougeL", "rougeW")) and measure != "rougeLsum",
    )
    if measure.startswith("rougeS"):  # its pairs are no runs
        left, right = ([Mark(one.start, one.end) for one in side] for side in (left, right))
    marks = [
        [Mark(*span) for span in known_spans(other["reference_spans"])]
        for other in one["references"]
    ]
    marks[best] = right
    if measure not in ("rouge1", "rougeL", "rougeLsum"):
        return [left, *marks], set()
    words = [
        {text[mark.start : mark.end].casefold() for mark in side}
        for text, side in ((scored.prediction, left), (reference, right))
    ]
    return [left, *marks], words[0] & words[1]


def _stem(word: str) -> str:
    """Return the stem that `use_stemmer` compares, as in rouge_score."""
    from nltk.stem.porter import PorterStemmer

    return PorterStemmer().stem(word) if len(word) > 3 else word.casefold()
