"""Texts and settings -> scores, the scores of the same texts in other packages, and code."""

from __future__ import annotations

import html
import json
import math
import os
import re
import shlex
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import rouge_bleu
from rouge_bleu.findings import findings_of
from rouge_bleu_tools.app.settings import (
    FIELDS,
    MAX_CHARACTERS,
    MAX_REFERENCES,
    PACKAGES,
    Refusal,
    Settings,
    bleu_options,
    options_with_types,
    percent,
    resolved,
    rouge_types,
    shown_name,
)

_FOLDER = Path(__file__).parent
_MAX_LINES = 1_000


@dataclass(frozen=True)
class Scored:
    prediction: str
    references: list[str]
    settings: Settings
    rouge: dict[str, Any]  # type -> as `explain_rouge` returns it
    bleu: dict[str, Any]  # as `explain_bleu` returns it
    output: str  # the score that the preset returns
    word: str  # how it is called

    def best(self, measure: str) -> tuple[int, str]:
        """Return the place and the name of the reference that a measure compares with."""
        one = self.bleu if measure == "bleu" else self.rouge[measure]
        place = one["chosen"] or 0
        return place, f"reference {place + 1}" if len(self.references) > 1 else "the reference"

    @property
    def scores(self) -> dict[str, float]:
        """What the preset returns of each type, and BLEU, from 0 to 1."""
        rouge = {name: one[self.output] for name, one in self.rouge.items()}
        return {**rouge, "bleu": self.bleu["bleu"]}


def split_references(text: str | None) -> list[str]:
    r"""Return the references of the box, which blank lines separate."""
    return [part.strip("\n") for part in re.split(r"\n[ \t]*\n", text or "") if part.strip()]


def check_texts(prediction: Any, references: Any) -> None:
    """Raise if a text is missing, is not a string or is longer than the page allows."""
    if not isinstance(prediction, str) or not prediction.strip():
        raise Refusal("Enter a prediction.")
    are_texts = [isinstance(one, str) and one.strip() for one in references or ()]
    if not isinstance(references, list) or not are_texts or not all(are_texts):
        raise Refusal("Enter a reference, or several; none may be empty.")
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
    bleu = bleu_options(settings)
    if bleu.get("preset") == "sacrebleu":  # BLEU of a corpus of one, as papers print it
        bleu["effective_order"] = False
    texts, found = (prediction, references), resolved(settings)
    rouge = rouge_bleu.explain_rouge(*texts, **options_with_types(settings))
    explained = rouge, rouge_bleu.explain_bleu(*texts, **bleu)
    return Scored(*texts, settings, *explained, found.output, found.word)


def signatures(scored: Scored) -> list[str]:
    """Return the signatures of both metrics."""
    given = {"predictions": [scored.prediction], "references": [scored.references]}
    rouge = rouge_bleu.rouge(**given, **options_with_types(scored.settings), signature=True)
    bleu = rouge_bleu.bleu(**given, **bleu_options(scored.settings), signature=True)
    return [rouge["signature"], bleu["signature"]]


def summary(prediction: Any, references: Any, settings: Settings) -> dict[str, Any]:
    """Score a prediction: ROUGE types and BLEU, from 0 to 1, warnings, and the signatures."""
    scored = score_texts(prediction, references, settings)
    return {"scores": scored.scores, "notes": notes(scored), "signatures": signatures(scored)}


def explanations(prediction: Any, references: Any, settings: Settings) -> dict[str, Any]:
    """Return what `explain_rouge` and `explain_bleu` return."""
    scored = score_texts(prediction, references, settings)
    return {"rouge": scored.rouge, "bleu": scored.bleu}


def findings_by_name(
    predictions: list[str], references: list[list[str]], settings: Settings, *marks: tuple[str, str]
) -> dict[str, dict[str, Any]]:
    """Return what the checks of both metrics find in texts."""
    found: dict[str, dict[str, Any]] = {}
    options = {"rouge_full": options_with_types(settings), "bleu_full": bleu_options(settings)}
    for metric, of_metric in options.items():
        for one in findings_of(predictions, references, metric, of_metric, *marks):
            one["message"] = re.sub(r" \[\w+\]$", "", one["message"])  # the name of the check
            found.setdefault(one["check"], one)
    return found


def notes(scored: Scored) -> list[str]:
    """Return warnings of options and texts, types that the preset does not have, why BLEU is 0."""
    settings = scored.settings
    found = resolved(settings)
    notes = list(found.warnings)
    missing = [shown_name(name) for name in rouge_types(settings) if name not in found.types]
    if missing:
        notes.append(f"The preset does not have {', '.join(missing)}.")
    findings = findings_by_name([scored.prediction], [scored.references], settings)
    notes += [one["message"] for one in findings.values()]
    orders = scored.bleu["orders"]
    short = [one["order"] for one in orders if one["total"] <= 0]
    if scored.bleu["bleu"] == 0 and short:
        notes.append(f"BLEU is 0, because the prediction has no {short[0]}-grams.")
    elif scored.bleu["bleu"] == 0 and orders[0]["matches"]:  # only because of longer n-grams
        notes.append("BLEU is 0, because some n-gram length has no match. Try smoothing='exp'.")
    return list(dict.fromkeys(notes))


# --- tiles --------------------------------------------------------------------------------------


def tile(name: str, score: float, small: str, kind: str = "") -> str:
    """Return one score in large print; the exact value shows on hover."""
    return (
        f'<div class="tile{kind}" data-measure="{html.escape(name)}">'
        f'<span class="name">{html.escape(shown_name(name))}</span> '
        f'<b title="{score!r}">{percent(score)}</b> <small>{small}</small></div>'
    )


def tiles_html(scored: Scored, measure: str, second: Scored | None = None) -> str:
    """Return the scores, and below them those of a second prediction; a click chooses the words."""

    def beside(name: str) -> str:
        if second is None:
            return ""
        other, score = second.scores[name], scored.scores[name]
        difference = "–" if math.isnan(score - other) else f"{100 * (score - other):+.1f}"
        return f"<br>Second&nbsp;{percent(other)} First&nbsp;−&nbsp;second {difference}"

    tiles = ""
    for name, one in scored.rouge.items():
        small = f"P&nbsp;{percent(one['precision'])} R&nbsp;{percent(one['recall'])}"
        small = small if scored.word == "F" else f"{scored.word}, {small}"
        small += beside(name)
        tiles += tile(name, one[scored.output], small, " chosen" * (name == measure))
    penalty = f'<abbr title="brevity penalty">BP</abbr>&nbsp;{scored.bleu["brevity_penalty"]:.3f}'
    penalty += beside("bleu")
    of_bleu = tile("bleu", scored.bleu["bleu"], penalty, " chosen" * (measure == "bleu"))
    own_dots = f'<style>.dots[data-measure="{measure}"] {{ display: block !important; }}</style>'
    return f'<div class="tiles">{tiles}{of_bleu}</div>{own_dots}'


def signatures_html(signatures: Sequence[str]) -> str:
    """Return signatures, which may break only between their parts."""
    lines = (html.escape(one).replace("|", "|<wbr>") for one in signatures)
    return f'<p class="signature">{"<br>".join(f"<code>{one}</code>" for one in lines)}</p>'


# What the library calls an argument is a field of the page, which has a label.
_ARGUMENT = re.compile(
    rf"^({'|'.join(FIELDS)})(?= )|\b({'|'.join(FIELDS)})=(?:True|'?((?<=')[^']*|[\w.-]*\w)'?)"
)


def in_words(message: str) -> str:
    """Return a message of the library with the labels of the page in place of arguments, as HTML."""

    def labelled(argument: re.Match[str]) -> str:
        label = f"“{FIELDS[argument[1] or argument[2]].label}”"
        return f"{label}: {argument[3]}" if argument[3] else label

    text = message.replace("sentence_splitter='sentences'", "sentences=True")
    text = text.replace("sentence_splitter must be 'newline'", "sentences must be off")
    text = text.replace("baseline_predictions", "“Compare with second system”")
    text = _ARGUMENT.sub(labelled, text).replace("Pass “", "Choose “").replace("pass “", "choose “")
    return html.escape(text, quote=False)


def message_html(message: Any, kind: str = "error") -> str:
    """Return the message about an error, a warning, a hint or the progress of work."""
    role = "alert" if kind == "error" else "status"
    return f'<p class="{kind}" role="{role}">{in_words(str(message))}</p>' if message else ""


# --- other packages -----------------------------------------------------------------------------


# Groups of trials: a score, two texts, the lowest and highest score, and what such a score says of a
# package. Of each group, the first that is true is said.
_FACTS = json.loads((_FOLDER / "facts.json").read_text(encoding="utf-8"))


def _scores(package: Mapping[str, Any], prediction: str, references: list[str]) -> dict[str, float]:
    """Return the scores of a package by its own names: the ROUGE-L of some is our ROUGE-Lsum."""
    given: dict[str, Any] = {"predictions": [prediction], "references": [references]}
    scores = {}
    if package["rouge"]:
        types = list(package["types"].values())
        options = {"rouge_types": types, **package["rouge"], "output": "fmeasure"}
        found = rouge_bleu.rouge(**given, **options)
        scores = {name: found[ours] for name, ours in package["types"].items()}
    if package["bleu"]:
        scores["bleu"] = rouge_bleu.bleu(**given, **package["bleu"], output="score")["bleu"]
    return scores


@lru_cache(maxsize=1)
def facts_of_packages() -> list[str]:
    """Return what distinguishes each package, by its scores of tiny texts."""

    def said_of(package: Mapping[str, Any], group: Sequence[Sequence[Any]]) -> str:
        for name, *texts, low, high, fact in group:
            is_of_metric = bool(package["bleu"]) == (name == "bleu")
            if is_of_metric and low <= _scores(package, *texts).get(name, math.nan) <= high:
                return str(fact)
        return ""

    lines = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of texts so short
        for package in PACKAGES:
            of_metrics = {"ROUGE": {**package, "bleu": {}}, "BLEU": {**package, "rouge": {}}}
            parts = [
                f"{metric}: {', '.join(filter(None, (said_of(one, group) for group in _FACTS)))}"
                for metric, one in of_metrics.items()
                if one[metric.lower()]
            ]
            lines.append("; ".join(parts))
    return lines


def compare_packages(prediction: str, references: list[str]) -> list[dict[str, Any]]:
    """Return a row for each package: its name, its call, our calls, and its scores from 0 to 1."""
    check_texts(prediction, references)
    rows = []
    for one in PACKAGES:
        types = {"rouge_types": list(one["types"].values())}
        calls = {"rouge": {**types, **one["rouge"]} if one["rouge"] else {}, "bleu": one["bleu"]}
        ours = [
            f"rouge_bleu.{metric}([prediction], [references], {', '.join(_arguments(options))})"
            for metric, options in calls.items()
            if options
        ]
        scores = _scores(one, prediction, references)
        rows.append({"name": one["package"], "call": one["call"], "here": ours, "scores": scores})
    return rows


# --- code ---------------------------------------------------------------------------------------

REPOSITORY = "https://github.com/your-name/rouge-bleu"  # the only place in the code
_MAX_PASTED = 3_000  # characters of texts in code
_INSTALL, _PYTHON, _TRAINER = (
    (_FOLDER / f"{name}.txt").read_text("utf-8") for name in ("install", "python", "trainer")
)
INSTALL = _INSTALL.format(repository=REPOSITORY)


def loaded_name(metric: str) -> str:
    """Return what `evaluate.load` takes: in the Space of a metric, the name of the Space."""
    space = os.environ.get("SPACE_ID", "")
    return space if space.endswith(f"/{metric}") else metric


def code(
    second: str, prediction: str, references: Sequence[str], settings: Settings
) -> tuple[str, str, str]:
    """Return a script that prints the scores, the function for a Trainer, and commands."""
    predictions = [prediction, second] if second.strip() else [prediction]
    if not prediction or sum(map(len, [*predictions, *references])) > _MAX_PASTED:
        predictions = ["your text", "another text"][: len(predictions)]
        references = ["a reference", "another reference"]
    rouge = options_with_types(settings)
    bleu = bleu_options(settings)
    names = {f"{name}_name": loaded_name(f"{name}_full") for name in ("rouge", "bleu")}
    of_each: dict[str, Any] = {"use_aggregator": False} if len(predictions) > 1 else {}
    of_corpora = {"effective_order": False} if of_each and bleu.get("preset") == "sacrebleu" else {}
    python = _PYTHON.format(
        **names,
        predictions=_literal(predictions),
        references=_literal([list(references)] * len(predictions)),
        rouge=_lines_of_arguments(rouge | of_each, 4),
        bleu=_lines_of_arguments(bleu | of_each | of_corpora, 4),
    )
    command = _command("rouge", rouge) + _command("bleu", bleu)
    is_split = "sentence_splitter" in rouge or "preset" in rouge
    rouge |= {} if is_split else {"sentence_splitter": "sentences"}
    note = "" if is_split else "\n    # Decoded texts have no line breaks."
    trainer = _TRAINER.format(**names, note=note, rouge=_lines_of_arguments(rouge, 8))
    return python, trainer, command


def _literal(value: Any) -> str:
    """Return Python's literal, with double quotes as people write them."""
    if isinstance(value, float) and not math.isfinite(value):
        return f'float("{value}")'
    is_text = isinstance(value, str | list)
    return json.dumps(value, ensure_ascii=False) if is_text else repr(value)


def _arguments(options: Mapping[str, Any]) -> list[str]:
    return [f"{name}={_literal(value)}" for name, value in options.items()]


def _lines_of_arguments(options: Mapping[str, Any], indent: int) -> str:
    given = ["predictions=predictions", "references=references", *_arguments(options)]
    space = "\n" + " " * indent
    return f"{space}{f',{space}'.join(given)},{space[:-4]}"


def _command(metric: str, options: Mapping[str, Any]) -> str:
    """Return the command that scores text files with one text in each line."""
    words = [f"rouge-bleu score predictions.txt -r references.txt -m {metric}"]
    for name, value in options.items():
        flag = f"--{name.replace('_', '-')}"
        if value is True:
            words.append(flag)
        elif value is not None:
            values = value if isinstance(value, list) else [value]
            words += [flag, *(shlex.quote(str(one)) for one in values)]
    return " ".join(words) + "\n"
