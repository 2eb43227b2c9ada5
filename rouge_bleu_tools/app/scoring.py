"""Texts and settings -> scores, tables, the scores of the same texts in other packages, and code."""

from __future__ import annotations

import html
import json
import math
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import rouge_bleu
from rouge_bleu.findings import findings_of
from rouge_bleu_tools.app.settings import (
    MAX_CHARACTERS,
    MAX_REFERENCES,
    PACKAGES,
    TILES,
    Refusal,
    Settings,
    bleu_options,
    percent,
    resolved,
    rouge_options,
    rouge_types,
    shown_name,
)

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

    output: str  # the score that the preset returns
    word: str  # how it is called
    notes: list[str]  # what the metrics say of the options, the preset and the texts

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
    found = resolved(settings)
    rouge = {"rouge_types": found.types, **rouge_options(settings)}
    return Scored(
        prediction,
        references,
        settings,
        rouge_bleu.explain_rouge(prediction, references, **rouge),
        rouge_bleu.explain_bleu(prediction, references, **bleu),
        found.output,
        found.word,
        _notes(prediction, references, settings, rouge, bleu),
    )


def _notes(
    prediction: str,
    references: list[str],
    settings: Settings,
    rouge: Mapping[str, Any],
    bleu: Mapping[str, Any],
) -> list[str]:
    """Return warnings of options and texts, and the types that a preset does not have."""
    found = resolved(settings)
    notes = list(found.warnings)
    missing = [shown_name(name) for name in rouge_types(settings) if name not in found.types]
    if missing:
        notes.append(f"The preset does not have {', '.join(missing)}.")
    for metric, options in (("rouge_full", rouge), ("bleu_full", bleu)):
        findings = findings_of([prediction], [references], metric, options)
        notes += [re.sub(r" \[\w+\]$", "", one["message"]) for one in findings]
    return list(dict.fromkeys(notes))


def signatures(scored: Scored) -> list[str]:
    """Return the signatures of both metrics."""
    given = {"predictions": [scored.prediction], "references": [scored.references]}
    options = {"rouge_types": list(scored.rouge), **rouge_options(scored.settings)}
    rouge = rouge_bleu.rouge(**given, **options, signature=True)
    bleu = rouge_bleu.bleu(**given, **bleu_options(scored.settings), signature=True)
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


def notes(scored: Scored) -> list[str]:
    """Return the notes, with the reason why BLEU is 0."""
    short = [one["order"] for one in scored.bleu["orders"] if one["total"] <= 0]
    if scored.bleu["bleu"] == 0 and short:
        return [*scored.notes, f"BLEU is 0, because the prediction has no {short[0]}-grams."]
    zero = "BLEU is 0, because some n-gram length has no match."
    return [*scored.notes, zero] if needs_smoothing(scored) else scored.notes


# --- tiles and tables ---------------------------------------------------------------------------


def tile(name: str, score: float, small: str, kind: str = "") -> str:
    """Return one score in large print; the exact value shows on hover."""
    return (
        f'<div class="tile{kind}" data-measure="{html.escape(name)}">'
        f'<span class="name">{html.escape(shown_name(name))}</span> '
        f'<b title="{score!r}">{percent(score)}</b> <small>{small}</small></div>'
    )


def empty_tiles_html() -> str:
    """Return the tiles of texts that are missing."""
    tiles = "".join(tile(name, math.nan, "&nbsp;") for name in (*TILES, "bleu"))
    return f'<div class="tiles">{tiles}</div>'


def tiles_html(scored: Scored, measure: str) -> str:
    """Return the scores; a click on one chooses its words, as in the list of measures."""
    tiles = ""
    for name, one in scored.rouge.items():
        small = f"P&nbsp;{percent(one['precision'])} R&nbsp;{percent(one['recall'])}"
        small = small if scored.word == "F" else f"{scored.word}, {small}"
        tiles += tile(name, one[scored.output], small, " chosen" * (name == measure))
    penalty = f'<abbr title="brevity penalty">BP</abbr>&nbsp;{scored.bleu["brevity_penalty"]:.3f}'
    of_bleu = tile("bleu", scored.bleu["bleu"], penalty, " chosen" * (measure == "bleu"))
    return f'<div class="tiles">{tiles}{of_bleu}</div>'


def signatures_html(signatures: Sequence[str]) -> str:
    """Return signatures, which may break only between their parts."""
    lines = (html.escape(one).replace("|", "|<wbr>") for one in signatures)
    return f'<p class="signature">{"<br>".join(f"<code>{one}</code>" for one in lines)}</p>'


def message_html(message: Any, kind: str = "error") -> str:
    """Return the message about an error, a warning, a hint or the progress of work."""
    role = "alert" if kind == "error" else "status"
    text = html.escape(str(message))
    return f'<p class="{kind}" role="{role}">{text}</p>' if text else ""


def table(scored: Scored, language: str) -> str:
    """Return the scores as a table in Markdown or LaTeX, with their signatures."""
    names = list(map(shown_name, scored.scores))
    values = [percent(score, 2) for score in scored.scores.values()]
    if language == "Markdown":
        rows = [f"| {' | '.join(row)} |" for row in (names, ["---:"] * len(names), values)]
        return "\n".join([*rows, "", *(f"`{one}`" for one in signatures(scored))])
    begin, end = rf"\begin{{tabular}}{{{'r' * len(names)}}}", r"\end{tabular}"
    rows = [rf"{' & '.join(names)} \\ \hline", rf"{' & '.join(values)} \\"]
    return "\n".join([*(f"% {one}" for one in signatures(scored)), begin, *rows, end])


# --- other packages -----------------------------------------------------------------------------


# What options of a package mean; what most packages do is left out.
_SAID_OF_OPTIONS: dict[str, dict[Any, str]] = {
    "multi_reference": {
        "pooled": "pools references",
        "separate": "highest precision and recall of any reference",
        "f_of_means": "F of mean precision and mean recall",
    },
    "sentence_splitter": {"sentences": "Lsum finds sentences"},
    "max_bytes": {665: "first 665 characters"},
    "beta": {math.inf: "F is recall", 1.2: "F with beta 1.2"},
    "smoothing": {"exp": "exponential smoothing", "floor": "0.1 for a length without matches"},
    "reference_length": {"shortest": "length of the shortest reference"},
}
# A score, two texts, the lowest and highest score, and what such a score says of a package. The
# first that is true in each group is said.
_TRIALS: list[list[tuple[str, str, str, float, float, str]]] = [
    [
        ("rougeL", "b,", "b", 0, 0, "splits at whitespace"),
        ("rouge1", "ä", "ä", 0, 0, "a-z and 0-9 only"),
        ("rougeL", "a ,", "b ,", 0.1, 1, "punctuation counts"),
        ("rouge1", "ä", "ä", 1, 1, "words of any language"),
        ("bleu", "a b c d e.", "a b c d e .", 0, 0.9, "splits at whitespace"),
        ("bleu", "a", "a", 0, 2, "punctuation counts"),
    ],
    [
        ("rougeL", "A", "a", 0, 0, "keeps case"),
        ("rougeL", "cats", "cat", 1, 1, "Porter stems"),
        ("bleu", "A b c d e", "a b c d e", 0, 0.9, "keeps case"),
        ("bleu", "a", "a", 0, 2, "ignores case"),
    ],
    [
        ("rouge1", "x", "x x x", 0.99, 1, "each n-gram once"),
        ("rougeL", "x", "x x x", 0.99, 1, "its L counts each word once"),
    ],
    [("rougeL", "x y .\nv w .", "v w .\nx y .", 0.99, 1, "its L goes by sentences")],
    [("bleu", "a b", "a b", 0.99, 2, "texts of two words can score 100")],
]


def _score_of_package(package: Mapping[str, Any], name: str, *texts: str) -> float:
    """Return a score of two texts in a package, which has it."""
    if name == "bleu":
        found = rouge_bleu.bleu([texts[0]], [texts[1]], **package["bleu"], output="score")
        return float(found["bleu"])
    ours = package["types"][name]
    options = {**package["rouge"], "rouge_types": [ours], "output": "fmeasure"}
    return float(rouge_bleu.rouge([texts[0]], [texts[1]], **options)[ours])


@lru_cache(maxsize=1)
def facts_of_packages() -> list[str]:
    """Return what distinguishes each package, by its options and by its scores of tiny texts."""
    lines = []
    for package in PACKAGES:
        said = {}
        for metric, names in (("rouge", set(package["types"])), ("bleu", {"bleu"})):
            if not package[metric]:
                continue
            score = getattr(rouge_bleu, metric)
            options = score(["a"], ["a"], **package[metric], signature="json")["signature"]
            facts = [
                next(
                    (
                        said
                        for *trial, low, high, said in group
                        if trial[0] in names and low <= _score_of_package(package, *trial) <= high
                    ),
                    "",
                )
                for group in _TRIALS
            ]
            facts += [
                texts.get(options["options"].get(name), "")
                for name, texts in _SAID_OF_OPTIONS.items()
            ]
            said[metric.upper()] = ", ".join(filter(None, facts))
        lines.append("; ".join(f"{metric}: {text}" for metric, text in said.items()))
    return lines


def compare_packages(prediction: str, references: list[str]) -> list[dict[str, Any]]:
    """Return a row for each package: its name, its call, our calls, and its scores from 0 to 1.

    The names of the scores are those of the package: the ROUGE-L of some is ROUGE-Lsum of others.
    """
    check_texts(prediction, references)
    given: dict[str, Any] = {"predictions": [prediction], "references": [references]}
    rows = []
    for one, why in zip(PACKAGES, facts_of_packages(), strict=True):
        scores: dict[str, float] = {}
        calls = {}
        if one["rouge"]:
            calls["rouge"] = {"rouge_types": list(one["types"].values()), **one["rouge"]}
            found = rouge_bleu.rouge(**given, **calls["rouge"], output="fmeasure")
            scores |= {column: found[name] for column, name in one["types"].items()}
        if one["bleu"]:
            calls["bleu"] = one["bleu"]
            scores["bleu"] = rouge_bleu.bleu(**given, **one["bleu"], output="score")["bleu"]
        ours = [
            f"rouge_bleu.{metric}([prediction], [references], {', '.join(_arguments(options))})"
            for metric, options in calls.items()
        ]
        shown = {"name": one["package"], "why": why, "call": one["call"], "here": ours}
        rows.append({**shown, "scores": scores})
    return rows


def packages_html(rows: Sequence[Mapping[str, Any]], here: Mapping[str, float]) -> str:
    """Return the table; scores that differ from those of the page are marked."""
    columns = (*TILES, "bleu")
    head = "".join(f'<th scope="col">{shown_name(name)}</th>' for name in columns)
    own = "".join(f"<td><b>{percent(here.get(name))}</b></td>" for name in columns)
    body, ranges = "", []
    for row in rows:
        cells = ""
        for name in columns:
            shown = percent(row["scores"].get(name))
            kind = ' class="differs"' if shown not in ("–", percent(here.get(name))) else ""
            cells += f"<td{kind}>{shown}</td>"
        ours = "<br>".join(f"<code>{html.escape(one)}</code>" for one in row["here"])
        body += (
            f'<tr><th scope="row">{html.escape(row["name"])}'
            f"<small>{html.escape(row['why'])}</small></th>{cells}"
            f"<td><code>{html.escape(row['call'])}</code>"
            f"<details><summary>in rouge_bleu</summary>{ours}</details></td></tr>"
        )
    for name in columns:
        scores = [row["scores"].get(name, math.nan) for row in rows]
        values = [score for score in scores if not math.isnan(score)]
        low, high = percent(min(values, default=None)), percent(max(values, default=None))
        if low != high:
            ranges.append(f"{shown_name(name)} {low} to {high}")
    summary = f"The same texts score {', '.join(ranges)}, depending on the package."
    return (
        f'<p class="ranges">{summary if ranges else "All packages agree on these texts."}</p>'
        '<div class="scroll" tabindex="0" role="region" aria-label="Same texts, other packages">'
        f'<table class="packages"><thead><tr><th scope="col">Package</th>{head}'
        '<th scope="col">Call</th></tr></thead><tbody><tr class="own"><th scope="row">This page'
        f"</th>{own}<td>the settings above</td></tr>{body}</tbody></table></div>"
    )


# --- code ---------------------------------------------------------------------------------------

REPOSITORY = "https://github.com/your-name/rouge-bleu"  # the only place in the code
_MAX_PASTED = 3_000  # characters of texts in code
INSTALL = f"""\
pip install "rouge-bleu-full[tokenizers] @ git+{REPOSITORY}"
rouge-bleu install  # lets evaluate.load find the metrics
"""
_PYTHON = """\
import evaluate

predictions = [{prediction}]
references = [{references}]

rouge = evaluate.load("rouge_full")
print(rouge.compute({rouge}))

bleu = evaluate.load("bleu_full")
print(bleu.compute({bleu}))
"""
_TRAINER = """\
import evaluate

rouge = evaluate.load("rouge_full")


def decoded(ids, tokenizer):
    rows = []
    for batch in ids if isinstance(ids, list) else [ids]:  # eval_do_concat_batches=False
        batch = batch[0] if isinstance(batch, tuple) else batch
        if batch.ndim != 2:
            raise ValueError(
                "predictions are logits: set predict_with_generate=True or preprocess_logits_for_metrics"
            )
        rows += [row[row >= 0] for row in batch]  # -100 is not a token
    return tokenizer.batch_decode(rows, skip_special_tokens=True)


def preprocess_logits_for_metrics(logits, labels):  # for decoder-only models
    logits = logits[0] if isinstance(logits, tuple) else logits
    # Position i predicts token i + 1; labels of the prompt are -100.
    return logits[:, :-1].argmax(-1).masked_fill(labels[:, 1:] < 0, -100)


# Seq2SeqTrainer(compute_metrics=compute_metrics, ...) with predict_with_generate=True.
# For a decoder-only model, use Trainer and pass preprocess_logits_for_metrics too.
# tokenizer is your model's tokenizer.
def compute_metrics(eval_prediction):
    predictions = decoded(eval_prediction.predictions, tokenizer)
    references = decoded(eval_prediction.label_ids, tokenizer){note}
    return rouge.compute({rouge})
"""
_TRAINER_NOTE = "\n    # Decoded texts have no line breaks."


def code(prediction: str, references: Sequence[str], settings: Settings) -> tuple[str, str, str]:
    """Return a script that prints the scores, the function for a Trainer, and commands."""
    if not prediction or sum(map(len, [prediction, *references])) > _MAX_PASTED:
        prediction, references = "your text", ["a reference", "another reference"]
    rouge = {"rouge_types": resolved(settings).types, **rouge_options(settings)}
    bleu = bleu_options(settings)
    python = _PYTHON.format(
        prediction=_literal(prediction),
        references=_literal(list(references)),
        rouge=_lines_of_arguments(rouge, 4),
        bleu=_lines_of_arguments(bleu, 4),
    )
    command = _command("rouge", rouge) + _command("bleu", bleu)
    is_split = "sentence_splitter" in rouge or "preset" in rouge
    rouge |= {} if is_split else {"sentence_splitter": "sentences"}
    note = "" if is_split else _TRAINER_NOTE
    return python, _TRAINER.format(note=note, rouge=_lines_of_arguments(rouge, 8)), command


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
