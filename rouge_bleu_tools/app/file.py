"""The tabs "Score a file" and "Reproduce a score", which read texts from files.

A table of texts -> scores with intervals, and the worst rows.
Numbers of a paper and the texts -> settings that give them.
"""

from __future__ import annotations

import html
import inspect
import re
import time
import uuid
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import gradio as gr
import pandas as pd

import rouge_bleu
from rouge_bleu.findings import findings_of
from rouge_bleu_tools.app.drawing import table_html
from rouge_bleu_tools.app.scoring import (
    check_texts,
    message_html,
    score_texts,
    signatures_html,
    split_references,
    tile,
)
from rouge_bleu_tools.app.settings import (
    MEASURES,
    PRESETS,
    Refusal,
    Settings,
    bleu_options,
    link_query,
    name_fields,
    options_with_types,
    percent,
    reason_of,
    resolved,
    rouge_options,
    settings_of_fields,
    settings_of_options,
    shown_name,
)
from rouge_bleu_tools.app.words import explained
from rouge_bleu_tools.cli import tables
from rouge_bleu_tools.cli.files import read_lines, texts_of_rows, usual_columns
from rouge_bleu_tools.cli.find_settings import Findings, find_settings
from rouge_bleu_tools.cli.inputs import CommandError

MAX_ROWS = 20_000
MAX_SECONDS = 300
MAX_BYTES = 50 * 2**20
_CHUNK = 200_000  # characters that are scored between two looks at the clock
_N_SHOWN = 1_000  # rows of the table in the browser
_SEARCH_ROWS = 5_000
_SEARCH_SECONDS = 120
_N_FOUND = 8  # settings that are shown

SAMPLE = Path(__file__).with_name("sample.csv")
_SAMPLE_SCORES = "ROUGE-1 90.67, ROUGE-2 78.85, ROUGE-L 89.84"
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
            yield from tables.read_rows(paths[0], lambda names: wanted, 1000, reading)
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
        raise Refusal(plain + more) from error


def column_names(names: Sequence[str] | None) -> list[str]:
    """Return the columns of a table, or the names of text files."""
    return list(next(_tables(names)).names)


def own_files(names: Sequence[str] | None) -> list[str]:
    """Return the uploaded files; a new table takes the place of one that was there."""
    paths = list(names or [])
    are_texts = all(path.lower().endswith(".txt") for path in paths)
    return paths if are_texts else [one for one in paths if one.lower()[-4:] != ".txt"][-1:]


def read_rows(
    names: Sequence[str] | None, prediction: Any, references: Any, second: Any = None
) -> Rows:
    """Return the texts of the chosen columns."""
    references = [references] if isinstance(references, str) else references
    if names and not (prediction and references):
        raise Refusal("Choose the column of predictions and one or more of references.")
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
    prediction = prediction or next(iter(rest), None)
    return prediction, references or [one for one in rest if one != prediction][-1:], second


# --- scoring ------------------------------------------------------------------------------------


def score_rows(rows: Rows, settings: Settings, scores: dict[str, list[float]]) -> Iterator[int]:
    """Append to the scores of rows, some at a time, and yield how many are scored."""
    options = {**options_with_types(settings), "output": resolved(settings).output}
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
        yield end


def total_scores(rows: Rows, settings: Settings, progress: Any = None) -> dict[str, Any]:
    """Return the scores of the whole file with intervals, and the signatures.

    Resampling takes nearly all of the time: each type is a step of the progress.
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
        if progress:
            progress((step, len(found.types) + 1), f"1,000 resamples of {shown_name(name)}")
        if name == "bleu":
            total |= rouge_bleu.bleu(**{**given, "output": "score", **bleu_options(settings)})
        else:
            options = {"rouge_types": [name], **rouge_options(settings), "output": found.output}
            total |= rouge_bleu.rouge(**{**options, **given})
        signatures.append(total.pop("signature"))
    of_rouge = re.sub(r"types:[^|]*", f"types:{','.join(found.types)}", signatures[0])
    return {**total, "signatures": [of_rouge, signatures[-1]]}


# --- display ------------------------------------------------------------------------------------


def totals_html(total: Mapping[str, Any], names: Sequence[str], n_rows: int) -> str:
    """Return tiles with intervals and differences, and the signatures."""
    tiles = ""
    for name in names:
        small = f"[{percent(total.get(f'{name}_low'))}, {percent(total.get(f'{name}_high'))}]"
        if f"{name}_delta" in total:
            delta, low, high = (
                f"{100 * total[f'{name}_delta{part}']:+.1f}" for part in ("", "_low", "_high")
            )
            value = total[f"{name}_p_value"]  # 1,000 resamples give no smaller one than 1/1,001
            shown = "≤&nbsp;0.001" if value <= 0.001 else f"=&nbsp;{value:.3f}"
            other = percent(total[name] - total[f"{name}_delta"])
            small += f"<br>Second {other}<br>{delta} [{low}, {high}]<br>p&nbsp;{shown}"
        tiles += tile(name, total[name], small)
    second = " Below: second system, difference from it." if f"{names[0]}_delta" in total else ""
    return (
        f'<div class="tiles wide">{tiles}</div><p class="legend">{n_rows:,} '
        f"{'row' if n_rows == 1 else 'rows'}. Small print: 95% confidence interval.{second} BLEU "
        f"is that of the corpus.</p>{signatures_html(total['signatures'])}"
    )


def checks_html(rows: Rows, settings: Settings) -> str:
    """Return a table of what `rouge-bleu check` finds in the texts; nothing if it finds nothing."""
    options = {"rouge_full": options_with_types(settings), "bleu_full": bleu_options(settings)}
    found: dict[str, dict[str, Any]] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # they are in the table
        for metric, of_metric in options.items():
            texts = rows.predictions, rows.references
            for one in findings_of(*texts, metric, of_metric, ("⟦", "⟧")):
                found.setdefault(one["check"], one)
    cells = (
        [html.escape(str(cell)) for cell in (name, one["n_examples"], one["first_example"] + 1)]
        + [html.escape(one["text"]), html.escape(one["message"])]
        for name, one in found.items()
    )
    table = table_html("Checks", ("Check", "Rows", "First row", "Place", "Meaning"), cells)
    return f"<h3>Check these texts</h3>{table}" if found else ""


def table_of_rows(
    rows: Rows,
    scores: Mapping[str, Sequence[float]],
    measure: str,
    of_second: Mapping[str, Sequence[float]],
) -> pd.DataFrame:
    """Return all rows with the scores and texts of both systems, the worst first."""
    table = pd.DataFrame({"row": range(1, len(rows.predictions) + 1)})
    for names, values_of in (("{}", scores), ("second {}", of_second)):
        for name, values in values_of.items():
            table[names.format(shown_name(name))] = [round(100 * one, 1) for one in values]
    table["prediction"] = rows.predictions
    if rows.seconds:
        table["second"] = rows.seconds
    blank_lines = re.compile(r"\n\s*\n")  # separate references
    table["references"] = [
        "\n\n".join(blank_lines.sub("\n", one) for one in of_row) for of_row in rows.references
    ]
    return table.sort_values(shown_name(measure), kind="stable")


def safe_for_spreadsheets(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table whose texts are no formulas: an apostrophe is put before them."""
    texts = table.columns.intersection(["prediction", "second", "references"])
    return table.assign(
        **{one: table[one].str.replace("^(?=[=+@\t\r-])", "'", regex=True) for one in texts}
    )


# Of events: nothing is dimmed while they run, and programs do not see them.
QUIET: dict[str, Any] = {"show_progress": "hidden", "api_visibility": "private"}
# Every answer has new elements, so these are dimmed until the file is scored again.
_DIM = "() => document.querySelectorAll('#file-totals .prose > *').forEach(one => one.classList.add('stale'))"


# --- the tab "Score a file" ---------------------------------------------------------------------


def file_tab(fields: Sequence[Any]) -> None:
    """Build the tab; `fields` are the components of the settings."""
    gr.Markdown(
        f"A table ({', '.join(EXTENSIONS[:-1])}), or two or more .txt files with one text in each "
        f"line. Up to {MAX_ROWS:,} rows and {MAX_BYTES // 2**20} MB, scored with the settings of "
        "“Score texts”. Files are deleted when you leave.",
        elem_classes="note",
    )
    with gr.Row(equal_height=False):
        with gr.Column(scale=4, min_width=300):
            upload = gr.File(label="File", file_count="multiple", file_types=EXTENSIONS, height=150)
        with gr.Column(scale=7, min_width=320), gr.Group():
            with gr.Row():
                free: dict[str, Any] = {"allow_custom_value": True, "min_width": 140}
                prediction = gr.Dropdown([], label="Predictions", **free)
                references = gr.Dropdown([], label="References", multiselect=True, **free)
            with gr.Row():
                none = [("none", "")]
                second = gr.Dropdown(none, value="", label="Compare with second system", **free)
                measure = gr.Dropdown(MEASURES, value="rouge1", label="Order rows by")
    with gr.Row(elem_id="file-buttons"):
        start = gr.Button("Score the file", variant="primary", elem_id="file-start")
        sample = gr.Button("Try a sample", elem_id="file-sample")
        stop = gr.Button("Stop", elem_id="file-stop")
    note = gr.HTML(elem_id="file-note", min_height=24)
    totals = gr.HTML(elem_id="file-totals", padding=False)
    with gr.Column(visible=False, elem_id="file-rows") as results:
        table = gr.Dataframe(
            label="Rows, worst first",
            show_search="search",
            max_height=420,
            max_chars=80,
            interactive=False,
            elem_id="file-table",
        )
        hint = '<p class="hint">Choose a row to see its words.</p>'
        words = gr.HTML(hint, elem_id="file-words", padding=False)
        download = gr.DownloadButton("Download all rows as CSV", size="sm")

    def fill_columns(paths: list[str] | None) -> list[Any]:
        paths = own_files(paths)
        try:
            names = column_names(paths)
            found = guess_columns(names)
            number = len(read_rows(paths, *found[:2]).predictions) if found[1] else 0
        except Exception as error:
            return [paths, *([gr.skip()] * 3), message_html(reason_of(error))]
        return [
            paths,
            gr.Dropdown(choices=names, value=found[0]),
            gr.Dropdown(choices=names, value=found[1]),
            gr.Dropdown(choices=[*none, *((name, name) for name in names)], value=found[2]),
            message_html(f"{number:,} rows" if number else "", "status"),
        ]

    def score_file(
        paths: list[str] | None,
        prediction: str | None,
        references: list[str] | None,
        second: str | None,
        measure: str,
        *values_and_progress: Any,
    ) -> Iterator[list[Any]]:
        """Score a file; the last answer has the scores."""
        *values, progress = values_and_progress
        old = [gr.HTML(elem_classes="stale"), *([gr.skip()] * 4)]
        none = [gr.HTML(""), gr.Column(visible=False), *([gr.skip()] * 3)]
        began = time.monotonic()
        try:
            settings = settings_of_fields(values)
            rows = read_rows(paths, prediction, references, second)
            n_rows = len(rows.predictions)
            scores: dict[str, list[float]] = {}
            for done in score_rows(rows, settings, scores):
                if time.monotonic() - began > MAX_SECONDS / 2:  # the totals take as long again
                    raise Refusal(f"Stopped after {done:,} rows: the file takes too long here.")
                progress((done, n_rows), "Scoring rows")
                yield [message_html(f"Scored {done:,} of {n_rows:,} rows", "status"), *old]
            total = total_scores(rows, settings, progress)
            of_second: dict[str, list[float]] = {}
            if rows.seconds:
                list(score_rows(replace(rows, predictions=rows.seconds), settings, of_second))
        except Exception as error:
            yield [message_html(reason_of(error)), *none]
            return
        measure = measure if measure in scores else next(iter(scores))
        all_rows = table_of_rows(rows, scores, measure, of_second)
        path = Path(download.GRADIO_CACHE) / uuid.uuid4().hex / "scores.csv"
        path.parent.mkdir(parents=True)
        safe_for_spreadsheets(all_rows.sort_values("row")).to_csv(path, index=False)
        all_rows.to_pickle(path.with_name("rows"))
        worst = f"The table has the {_N_SHOWN:,} worst rows, the CSV all."
        shown = totals_html(total, list(scores), n_rows) + checks_html(rows, settings)
        shown += f"<!-- {path.parent.name} -->"
        yield [
            message_html(worst if n_rows > _N_SHOWN else "", "status"),
            gr.HTML(shown, elem_classes=""),
            gr.Column(visible=True),
            gr.DownloadButton(value=str(path)),
            all_rows.head(_N_SHOWN),
            str(path.with_name("rows")),
        ]

    def order_rows(path: str, measure: str) -> Any:
        """Put the worst rows of a measure first, without scoring them again."""
        if not path or not Path(path).exists():
            return gr.skip()
        all_rows = pd.read_pickle(path)  # the server wrote it, and no visitor names it
        name = shown_name(measure)
        return all_rows.nsmallest(_N_SHOWN, name) if name in all_rows else gr.skip()

    def words_of_row(event: gr.SelectData, measure: str, *values: Any) -> str:
        number, *cells, others = event.row_value
        texts = [one for one in cells if isinstance(one, str)]
        shown = ""
        try:
            settings = settings_of_fields(values)
            for label, text in zip(("", ", second system"), texts, strict=False):
                scored = score_texts(text, split_references(str(others)), settings)
                score = f"{shown_name(measure)} {percent(scored.scores.get(measure))}"
                shown += f"<h3>Row {int(number)}{label}: {score}</h3>"
                shown += "".join(explained(scored, measure)[:2])
        except Exception as error:
            shown += message_html(reason_of(error))
        return shown

    own = {"files": list[str], "prediction": str, "references": list[str], "second": str}
    given = inspect.Parameter(
        "progress", inspect.Parameter.POSITIONAL_OR_KEYWORD, default=gr.Progress()
    )
    name_fields(score_file, {**own, "measure": str}, given)
    columns = [prediction, references, second]
    scored_rows = gr.State("")
    inputs = [upload, *columns, measure, *fields]
    outputs = [note, totals, results, download, table, scored_rows]
    work: dict[str, Any] = {"show_progress_on": [note], "concurrency_id": "work"}
    guess = {"fn": fill_columns, "inputs": upload, "outputs": [upload, *columns, note], **QUIET}
    upload.upload(**guess)
    scoring = start.click(
        score_file, inputs, outputs, api_name="score_file", concurrency_limit=2, **work
    )
    sampling = (
        sample.click(lambda: [str(SAMPLE)], None, upload, **QUIET)
        .then(**guess)
        .then(score_file, inputs, outputs, api_visibility="private", **work)
    )
    stop.click(None, cancels=[scoring, sampling])
    stop.click(lambda: message_html("Stopped.", "status"), None, note, queue=False, **QUIET)
    table.select(words_of_row, [measure, *fields], words, **QUIET)
    measure.change(order_rows, [scored_rows, measure], table, **QUIET)
    changes = [one.change for one in (*columns, *fields)]
    gr.on(changes, None, None, None, js=_DIM, api_visibility="private")


# --- the tab "Reproduce a score" ----------------------------------------------------------------


def search(
    reported: str,
    predictions: Sequence[str],
    references: Sequence[Sequence[str]],
    progress: Any = None,
) -> Findings:
    """Return the settings that give reported scores, or come nearest."""
    if not isinstance(reported, str) or len(reported) > 500:
        raise Refusal("Reported scores must be a text of up to 500 characters.")
    if len(predictions) > _SEARCH_ROWS:
        raise Refusal(f"Too many rows: {len(predictions):,} (limit {_SEARCH_ROWS:,})")
    deadline = time.monotonic() + _SEARCH_SECONDS

    def reporting(runs: Sequence[Any]) -> Iterator[Any]:
        for number, run in enumerate(runs, start=1):
            if time.monotonic() > deadline:
                raise Refusal(f"Stopped after {_SEARCH_SECONDS} seconds: use fewer rows.")
            if progress is not None:
                progress((number, len(runs)), "Trying settings")
            yield run

    return find_settings(predictions, references, [reported], progress=reporting)


def named(setting: Any) -> str:
    """Return settings in words, with the name that the page gives the preset."""
    preset = setting.options.get("preset", "")
    return str(setting).replace(f'preset="{preset}"', PRESETS.get(preset, f'preset="{preset}"'))


def link_of(setting: Any, prediction: str, references: str) -> str:
    """Return a link that opens the page with the texts and the settings that it has."""
    settings, missing = settings_of_options({**setting.options, "output": setting.output})
    try:
        query = link_query(prediction, split_references(references), settings)
    except Refusal:  # too long
        query = link_query("", [], settings)
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


def reproduce_tab(texts: list[Any]) -> None:
    """Build the tab; `texts` are the boxes of "Score texts"."""
    gr.Markdown(
        "A paper reports scores without settings? Give the scores and the texts that were scored: "
        "this finds settings that give these scores.",
        elem_classes="note",
    )
    with gr.Row(equal_height=False):
        reported = gr.Textbox(
            label="Reported scores",
            info="As printed, with all digits.",
            placeholder="ROUGE-1 41.2, ROUGE-2 18.3, ROUGE-L 38.5",
            max_lines=1,
            min_width=300,
            elem_id="reported",
        )
        upload = gr.File(
            label=f"File (up to {_SEARCH_ROWS:,} rows), instead of the texts of “Score texts”",
            file_count="multiple",
            file_types=EXTENSIONS,
            height=120,
            min_width=300,
        )
    with gr.Row(elem_id="found-buttons"):
        find = gr.Button("Find settings", variant="primary", elem_id="find")
        sample = gr.Button("Try a sample", elem_id="reproduce-sample")
    result = gr.HTML(elem_id="found", min_height=24)

    def search_texts(
        reported: str,
        paths: list[str] | None,
        prediction: str,
        references: str,
        progress: Any = gr.Progress(),  # noqa: B008
    ) -> str:
        try:
            rows = Rows([prediction], [split_references(references)])
            if paths := own_files(paths):
                rows = read_rows(paths, *guess_columns(column_names(paths))[:2])
            else:
                check_texts(prediction, rows.references[0])
            found = search(reported, rows.predictions, rows.references, progress)
        except Exception as error:
            return message_html(reason_of(error))
        return result_html(found, len(rows.predictions), (prediction, references))

    inputs = [reported, upload, *texts]
    searching: dict[str, Any] = {"fn": search_texts, "inputs": inputs, "outputs": result}
    searching |= {"show_progress_on": [result], "concurrency_id": "work"}
    gr.on([find.click, reported.submit], api_visibility="private", **searching)
    filled = sample.click(lambda: [_SAMPLE_SCORES, [str(SAMPLE)]], None, inputs[:2], **QUIET)
    filled.then(api_visibility="private", **searching)
