"""Texts of files -> what the tabs "Score a file" and "Reproduce a score" show; for processes.

A table of texts -> scores with intervals, and the worst rows.
Numbers of a paper and the texts -> settings that give them.
"""

from __future__ import annotations

import csv
import html
import json
import math
import re
import time
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import rouge_bleu
from rouge_bleu_tools.app import scoring
from rouge_bleu_tools.app.drawing import table_html
from rouge_bleu_tools.app.settings import (
    PRESETS,
    Refusal,
    Settings,
    bleu_options,
    link_query,
    options_with_types,
    percent,
    resolved,
    rouge_options,
    settings_of_options,
    shown_name,
)
from rouge_bleu_tools.app.worker import tell
from rouge_bleu_tools.cli import tables
from rouge_bleu_tools.cli.files import read_lines, texts_of_rows, usual_columns
from rouge_bleu_tools.cli.find_settings import Findings, find_settings, findings_json
from rouge_bleu_tools.cli.inputs import CommandError

MAX_ROWS = 20_000
MAX_SECONDS = 300
MAX_BYTES = 50 * 2**20
_CHUNK = 200_000  # characters that are scored between two looks at the clock
N_SHOWN = 300  # rows of the table in the browser, which Gradio copies in each event
_SHOWN_BYTES = 2_000_000
SEARCH_ROWS = 5_000
_SEARCH_SECONDS = 120
_N_FOUND = 8  # settings that are shown
Scores = dict[str, list[float]]
CHOOSE = "Choose the columns, or name them “prediction” and “reference” in the file."

SAMPLE = Path(__file__).with_name("sample.csv")
_owners: dict[Path, str] = {}  # of uploads: their sessions
SAMPLE_SCORES = "ROUGE-1 90.67, ROUGE-2 78.85, ROUGE-L 89.84"
# Files of Arrow and logs have no size that is known before they are unpacked.
_UNBOUNDED = (".arrow", ".feather", ".eval")
EXTENSIONS = [*(one for one in tables.EXTENSIONS if one not in _UNBOUNDED), ".txt"]


# --- reading ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rows:
    predictions: list[str] = field(default_factory=list)
    references: list[list[str]] = field(default_factory=list)
    seconds: list[str] = field(default_factory=list)  # of the second system, if there is one


def _tables(names: Sequence[str] | None, wanted: Sequence[str] = ()) -> Iterator[tables.Rows]:
    """Yield the wanted columns of a table, or all text files, whose columns are their names.

    What the command says of a file is a refusal, without the folders of the server.
    """
    paths = list(map(Path, names or ()))
    if not paths:
        raise Refusal("Choose a file first, or try the sample.")
    if not {path.suffix.lower() for path in paths} <= set(EXTENSIONS):
        raise Refusal(f"The file must be one of {', '.join(EXTENSIONS)}.")
    if sum(path.stat().st_size for path in paths) > MAX_BYTES:
        raise Refusal(f"Too large (limit {MAX_BYTES // 2**20} MB)")
    are_texts = [path.suffix.lower() == ".txt" for path in paths]
    if all(are_texts) != (len(paths) > 1):
        raise Refusal("Choose one table, or two or more .txt files with one text in each line.")
    reading = tables.Reading(limit=MAX_BYTES)
    try:
        if len(paths) == 1:
            for rows in tables.read_rows(paths[0], lambda names: wanted, 1000, reading):
                yield replace(rows, file=paths[0].name)
            return
        for rows in read_lines(paths, 1000, reading):
            stems = [path.stem for path in paths]
            columns = dict(zip(stems, rows.columns.values(), strict=True))
            yield replace(rows, names=stems, columns=columns)
    except CommandError as error:
        folders = "|".join(re.escape(f"{path.parent}/") for path in paths)
        text = re.sub(folders, "", str(error))
        plain = re.sub(r"\. Use -[^.]*$", "", text)  # flags of the command
        more = "" if plain == text else ". Use the command rouge-bleu, which has options for it"
        if "--encoding" in text:
            more = ". Save it as UTF-8 (in Excel: CSV UTF-8)"
        raise Refusal(plain + more) from error


def column_names(names: Sequence[str] | None) -> list[str]:
    """Return the columns of a table, or the names of text files."""
    return list(next(_tables(names)).names)


def own_files(names: Sequence[str] | None, session: str | None) -> list[str]:
    """Return the uploaded files; a new table takes the place of one that was there.

    Only who sent a file knows its path at first, so the session that first uses it owns it.
    """
    paths = list(map(Path, names or ()))
    for path in {*paths} - {SAMPLE}:
        if not path.exists():
            raise Refusal("The file was deleted, as all are after an hour. Choose it again.")
        if _owners.setdefault(path, str(session)) != str(session):
            more = "Choose it again, or send the same session_hash with each call of the API."
            raise Refusal(f"Only the visitor who sent a file can use it. {more}")
    for older in [*_owners][:-10_000]:  # their files are deleted
        del _owners[older]
    others = [path for path in paths if path.suffix.lower() != ".txt"]
    return list(map(str, others[-1:] or paths))


def read_rows(
    names: Sequence[str] | None, prediction: Any, references: Any, second: Any = None
) -> Rows:
    """Return the texts of the chosen columns."""
    references = [references] if isinstance(references, str) else references
    if names and not (prediction and references):
        known_columns(names)  # of a file that cannot be read, the reason comes first
        raise Refusal(CHOOSE)
    rows = Rows()
    columns = [prediction, second] if second else [prediction]
    for table in _tables(names, [*columns, *(references or ())]):
        texts = texts_of_rows(table, columns, references or [], True)
        for system, read in zip((rows.predictions, rows.seconds), columns, strict=False):
            system.extend(texts.systems[read])
        rows.references.extend(texts.references)
        if len(rows.predictions) > MAX_ROWS:
            raise Refusal(f"Too many rows (limit {MAX_ROWS:,})")
    return rows


def guess_columns(names: Sequence[str]) -> tuple[str | None, list[str], str]:
    """Return the likely columns of predictions, references and a second system."""
    prediction, references, second = usual_columns(names)
    rest = [one for one in names if one not in (*references, second)]
    if not prediction and len(rest) + bool(references) <= 2:  # of more, only a name decides
        prediction = next(iter(rest), None)
    if prediction and not references:
        references = [one for one in rest if one != prediction][-1:]
    return prediction, references, second


def known_columns(paths: Sequence[str]) -> tuple[list[str], tuple[str | None, list[str], str], int]:
    """Return the columns of a file, those that it probably means, and how many rows it has."""
    names = column_names(paths)
    guess = guess_columns(names)
    return names, guess, len(read_rows(paths, *guess[:2]).predictions) if all(guess[:2]) else 0


# --- scoring ------------------------------------------------------------------------------------


def score_rows(rows: Rows, settings: Settings, end_time: float = math.inf) -> Scores:
    """Return the scores of each row."""
    options = {**options_with_types(settings), "output": resolved(settings).output}
    scores: Scores = {}
    end = 0
    while end < len(rows.predictions):
        start, n_characters = end, 0
        while end < len(rows.predictions) and end - start < 1_000 and n_characters < _CHUNK:
            n_characters += len(rows.predictions[end]) + sum(map(len, rows.references[end]))
            end += 1
        given: dict[str, Any] = {
            "predictions": rows.predictions[start:end],
            "references": rows.references[start:end],
            "use_aggregator": False,
        }
        found = rouge_bleu.rouge(**given, **options)
        found |= rouge_bleu.bleu(**given, output="score", **bleu_options(settings))
        for name, values in found.items():
            scores.setdefault(name, []).extend(values)
        if time.monotonic() > end_time:
            raise Refusal(f"Stopped after {end:,} rows: the file takes too long here.")
        tell(end, len(rows.predictions), "Rows scored")
    return scores


def total_scores(rows: Rows, settings: Settings) -> dict[str, Any]:
    """Return the scores of the whole file with intervals, and the signatures.

    Resampling takes nearly all of the time: each type is a step.
    """
    given: dict[str, Any] = {
        "predictions": rows.predictions,
        "references": rows.references,
        "baseline_predictions": rows.seconds or None,
        "confidence_level": 0.95,
        "signature": True,
    }
    found = resolved(settings)
    total: dict[str, Any] = {}
    signatures = []
    for step, name in enumerate([*found.types, "bleu"]):
        tell(step, len(found.types) + 1, f"1,000 resamples of {shown_name(name)}")
        if name == "bleu":
            total |= rouge_bleu.bleu(**{**given, "output": "score", **bleu_options(settings)})
        else:
            options = {"rouge_types": [name], **rouge_options(settings), "output": found.output}
            total |= rouge_bleu.rouge(**{**options, **given})
        signatures.append(total.pop("signature"))
    of_rouge = re.sub(r"types:[^|]*", f"types:{','.join(found.types)}", signatures[0])
    return {**total, "signatures": [of_rouge, signatures[-1]]}


def score_file(
    paths: list[str], columns: Sequence[Any], settings: Settings, measure: str, csv_path: Path
) -> tuple[str, dict[str, Any]]:
    """Return the scores of a file as HTML, and the table of the worst rows.

    All rows are written to a CSV, which Gradio deletes after an hour.
    """
    end_time = time.monotonic() + MAX_SECONDS / 2  # the totals take as long again
    rows = read_rows(paths, *columns)
    scores = score_rows(rows, settings, end_time)
    of_second: Scores = {}
    if rows.seconds:
        of_second = score_rows(replace(rows, predictions=rows.seconds), settings, end_time)
    second = columns[-1] or ""
    total = total_scores(rows, settings)
    shown = totals_html(total, list(scores), len(rows.predictions), second)
    shown += checks_html(rows, settings)
    csv_path.parent.mkdir(parents=True)
    with csv_path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(table_of_rows(rows, scores, of_second, second))
    return shown, worst_rows(csv_path, measure)


# --- display ------------------------------------------------------------------------------------


def totals_html(total: Mapping[str, Any], names: Sequence[str], n_rows: int, second: str) -> str:
    """Return tiles with intervals and differences of the second system, and the signatures."""
    tiles, below, second = "", "", html.escape(second)
    for name in names:
        small = f"[{percent(total.get(f'{name}_low'))}, {percent(total.get(f'{name}_high'))}]"
        if f"{name}_delta" in total:
            delta, low, high = (  # as in Python, the second system is the baseline
                f"{100 * total[f'{name}_delta{part}']:+.1f}" for part in ("", "_low", "_high")
            )
            value = total[f"{name}_p_value"]  # 1,000 resamples give no smaller one than 1/1,001
            shown = "≤&nbsp;0.001" if value <= 0.001 else f"=&nbsp;{value:.3f}"
            other = percent(total[name] - total[f"{name}_delta"])
            small += f"<br>{second} {other}<br>{delta} [{low}, {high}]<br>p&nbsp;{shown}"
            below = f" Below: {second}, and the first system minus {second}."
        tiles += scoring.tile(name, total[name], small)
    return (
        f'<div class="tiles">{tiles}</div><p class="legend">{n_rows:,} '
        f"{'row' if n_rows == 1 else 'rows'}. Small print: 95% confidence interval.{below} BLEU "
        f"is that of the corpus.</p>{scoring.signatures_html(total['signatures'])}"
    )


def checks_html(rows: Rows, settings: Settings) -> str:
    """Return a table of what `rouge-bleu check` finds in the texts; nothing if it finds nothing."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # they are in the table
        found = scoring.findings_by_name(rows.predictions, rows.references, settings, ("⟦", "⟧"))
    cells = []
    for name, one in found.items():
        place, meaning = html.escape(one["text"]), scoring.in_words(one["message"])
        cells.append((name, one["n_examples"], one["first_example"] + 1, place, meaning))
    table = table_html("Checks", ("Check", "Rows", "First row", "Place", "Meaning"), cells)
    return f"<h3>Check these texts</h3>{table}" if found else ""


_BLANK_LINES = re.compile(r"\n\s*\n")  # separate references
# What spreadsheets would calculate gets an apostrophe, also if it has some, so that one is taken away.
_FORMULA = re.compile(r"^(?='*[=+@\t\r-])")


def table_of_rows(
    rows: Rows, scores: Scores, of_second: Scores, second: str
) -> Iterator[Sequence[Any]]:
    """Yield the names of the columns, and all rows with scores and texts of both systems."""
    columns: dict[str, Iterable[Any]] = {"row": range(1, len(rows.predictions) + 1)}
    if second in ("row", "prediction", "references", *map(shown_name, scores)):
        second = "System 2"
    for system, of_system in (("", scores), (f"{second} ", of_second)):
        for name, values in of_system.items():
            columns[system + shown_name(name)] = [round(100 * one, 1) for one in values]
    references = (
        "\n\n".join(_BLANK_LINES.sub("\n", one) for one in row) for row in rows.references
    )
    texts = ("prediction", rows.predictions), (second, rows.seconds), ("references", references)
    for name, of_rows in texts:
        if of_rows:
            columns[name] = (_FORMULA.sub("'", text) for text in of_rows)
    yield [_FORMULA.sub("'", name) for name in columns]
    yield from zip(*columns.values(), strict=True)


def worst_rows(csv_path: Path, measure: str) -> dict[str, Any]:
    """Return the worst rows of a scored file; rows without a score come last."""
    csv.field_size_limit(MAX_BYTES)
    with csv_path.open(encoding="utf-8", newline="") as file:
        names, *lines = csv.reader(file)
    is_formula = re.compile(f"^'{_FORMULA.pattern[1:]}")
    names = [is_formula.sub("", name) for name in names]
    shown, n = shown_name(measure), names.index("prediction")
    place = names.index(shown) if shown in names else 1
    lines.sort(key=lambda line: (line[place] == "nan", float(line[place])))
    data: list[list[Any]] = []
    n_shown = max(1, _SHOWN_BYTES * len(lines) // csv_path.stat().st_size)
    for line in lines[: min(n_shown, N_SHOWN)]:
        texts = (is_formula.sub("", text) for text in line[n:])
        data.append([int(line[0]), *map(float, line[1:n]), *texts])
    decimals = [[f"{row[0]}", *(f"{score:.1f}" for score in row[1:n])] for row in data]
    return {"headers": names, "data": data, "metadata": {"display_value": decimals}}


# --- settings that give a score ------------------------------------------------------------------


def search(
    reported: str, predictions: Sequence[str], references: Sequence[Sequence[str]]
) -> Findings:
    """Return the settings that give reported scores, or come nearest."""
    if not isinstance(reported, str) or len(reported) > 500:
        raise Refusal("Reported scores must be a text of up to 500 characters.")
    if len(predictions) > SEARCH_ROWS:
        raise Refusal(f"Too many rows: {len(predictions):,} (limit {SEARCH_ROWS:,})")
    deadline = time.monotonic() + _SEARCH_SECONDS

    def reporting(runs: Sequence[Any]) -> Iterator[Any]:
        for number, run in enumerate(runs, start=1):
            if time.monotonic() > deadline:
                raise Refusal(f"Stopped after {_SEARCH_SECONDS} seconds: use fewer rows.")
            tell(number, len(runs), "Settings tried")
            yield run

    return find_settings(predictions, references, [reported], progress=reporting)


def search_settings(reported: str, prediction: str, references: list[str]) -> dict[str, Any]:
    """Find the settings that give reported scores, such as "ROUGE-1 41.2"."""
    scoring.check_texts(prediction, references)
    found: dict[str, Any] = json.loads(findings_json(search(reported, [prediction], [references])))
    return found


def search_html(reported: str, paths: list[str], prediction: str, references: str) -> str:
    """Return the settings that give the scores of a file, or else of the given texts."""
    rows = Rows([prediction], [scoring.split_references(references)])
    if paths:
        rows = read_rows(paths, *guess_columns(column_names(paths))[:2])
    else:
        scoring.check_texts(prediction, rows.references[0])
    found = search(reported, rows.predictions, rows.references)
    return result_html(found, len(rows.predictions), (prediction, references))


def named(setting: Any) -> str:
    """Return settings in words, with the name that the page gives the preset."""
    preset = setting.options.get("preset", "")
    return str(setting).replace(f'preset="{preset}"', PRESETS.get(preset, f'preset="{preset}"'))


def link_of(setting: Any, prediction: str, references: str) -> str:
    """Return a link that opens the page with the texts and the settings that it has."""
    settings, missing = settings_of_options({**setting.options, "output": setting.output})
    try:
        query = link_query("", prediction, scoring.split_references(references), settings)
    except Refusal:  # too long
        query = link_query("", "", [], settings)
    lacks = f"<small>not on this page: {html.escape(', '.join(missing))}</small>" if missing else ""
    return f'<a href="{html.escape(query)}" target="_blank">Use these settings</a>{lacks}'


def result_html(found: Findings, n_rows: int, texts: tuple[str, str]) -> str:
    """Return the groups of settings that give the scores, or come nearest."""
    rows = "1 row" if n_rows == 1 else f"{n_rows:,} rows"
    text = f"<p>{found.n_settings:,} settings tried on {rows}; {found.n_distinct:,} results.</p>"
    for heading, groups in (
        ("These settings give the scores", found.matches),
        ("No setting gives the scores. The nearest:", found.nearest),
        ("Possible with another random seed", found.other_seeds),
    ):
        cells = []
        for group in groups[:_N_FOUND]:
            first, *others = group.settings
            scores = [f"{name} {score * group.scale:.4f}" for name, score in group.scores.items()]
            shown = [html.escape(one) for one in (named(first), ", ".join(scores), first.code)]
            if others:
                listed = html.escape("\n".join(map(named, others[:12])))
                summary = f"<summary>{len(others)} more with equal scores</summary>"
                shown[0] += f"<details>{summary}<small>{listed}</small></details>"
            cells.append([*shown[:2], f"<code>{shown[2]}</code><br>{link_of(first, *texts)}"])
        table = table_html(heading, ("Settings", "Scores", "Code"), cells)
        text += f"<h3>{heading}</h3>{table}" if cells else ""
    legend = "Evidence, not proof: untested settings may also match. More decimals help."
    return f'{text}<p class="legend">{legend}</p>'
