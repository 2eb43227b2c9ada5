"""The tab "Score a file": a table of texts -> scores with intervals, and the worst rows."""

from __future__ import annotations

import re
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import gradio as gr
import numpy as np
import pandas as pd

import rouge_bleu
from rouge_bleu_tools.app.scoring import (
    message_html,
    score_texts,
    signatures_html,
    split_references,
    tile,
)
from rouge_bleu_tools.app.settings import (
    ERRORS,
    MEASURES,
    Refusal,
    Settings,
    bleu_options,
    percent,
    rouge_of_types,
    rouge_options,
    rouge_types,
    settings_of_fields,
    shown_name,
)
from rouge_bleu_tools.app.words import words_html
from rouge_bleu_tools.cli import files as cli_files  # reads files as the command does
from rouge_bleu_tools.cli.inputs import CommandError

MAX_ROWS = 20_000
MAX_SECONDS = 300
MAX_BYTES = 50 * 2**20
_MAX_CHARACTERS = 100_000_000  # a small Parquet file can hold very long texts
_CHUNK = 200_000  # characters that are scored between two looks at the clock
_N_SHOWN = 1_000  # rows of the table in the browser

SAMPLE = Path(__file__).with_name("sample.csv")
EXTENSIONS = [".jsonl", ".json", ".csv", ".tsv", ".parquet", ".txt"]
# Usual names of columns begin so, the more usual ones first.
_SECONDS = "baseline second other system2 prediction2 hyp2 output2".split()
_REFERENCES = "reference ref target gold highlights label answer tgt".split()
_PREDICTIONS = "prediction pred hyp output generated candidate system summary".split()


# --- reading ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rows:
    predictions: list[str] = field(default_factory=list)
    references: list[list[str]] = field(default_factory=list)
    seconds: list[str] = field(default_factory=list)  # of the second system, if there is one


def _tables(names: Sequence[str] | None, wanted: Sequence[str] = ()) -> Iterator[cli_files.Rows]:
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
    try:
        if len(paths) == 1:
            yield from cli_files.read_rows(paths[0], wanted)
            return
        n_lines = 0
        for lines, share in cli_files.read_lines(paths):
            texts = map(list, zip(*lines, strict=True))
            columns = dict(zip([path.stem for path in paths], texts, strict=True))
            labels = [f"line {n_lines + row}" for row in range(1, len(lines) + 1)]
            n_lines += len(lines)
            yield cli_files.Rows(list(columns), columns, labels, share)
    except CommandError as error:
        folders = "|".join(re.escape(f"{path.parent}/") for path in paths)
        raise Refusal(re.sub(folders, "", str(error))) from error


def column_names(names: Sequence[str] | None) -> list[str]:
    """Return the columns of a table, or the names of text files."""
    return list(next(_tables(names)).names)


def read_rows(
    names: Sequence[str] | None, prediction: Any, references: Any, second: Any = None
) -> Rows:
    """Return the texts of the chosen columns."""
    references = [references] if isinstance(references, str) else references
    if names and not (prediction and references):
        raise Refusal("Choose the column of predictions and one or more of references.")
    rows, n_characters = Rows(), 0
    columns = [prediction, second] if second else [prediction]
    for table in _tables(names, [*columns, *(references or ())]):
        name = Path((names or [""])[0]).name
        for column, system in zip(columns, (rows.predictions, rows.seconds), strict=False):
            texts = cli_files.texts_of_rows(table, column, references or [], name, True)
            system.extend(texts.predictions)
            n_characters += sum(map(len, texts.predictions))
        rows.references.extend(texts.references)
        if len(rows.predictions) > MAX_ROWS or n_characters > _MAX_CHARACTERS:
            raise Refusal(f"Too many rows (limit {MAX_ROWS:,}), or too long texts")
    return rows


def guess_columns(names: Sequence[str]) -> tuple[str | None, list[str], str]:
    """Return the likely columns of predictions, references and a second system."""
    rest = list(names)

    def beginning(starts: Sequence[str]) -> list[str]:
        found = [one for start in starts for one in rest if one.lower().startswith(start)]
        rest[:] = [one for one in rest if one not in found]
        return list(dict.fromkeys(found))

    seconds, references, predictions = map(beginning, (_SECONDS, _REFERENCES, _PREDICTIONS))
    prediction = next(iter([*predictions, *rest]), None)
    references = references or [one for one in rest if one != prediction][-1:]
    return prediction, references, next(iter(seconds), "")


# --- scoring ------------------------------------------------------------------------------------


def score_rows(rows: Rows, settings: Settings, scores: dict[str, list[float]]) -> Iterator[int]:
    """Append to the scores of rows, some at a time, and yield how many are scored."""
    types, bleu = rouge_types(settings), bleu_options(settings)
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
        found = rouge_of_types(
            rouge_bleu.rouge, types, **given, output="fmeasure", **rouge_options(settings)
        )
        types = list(found)
        found["bleu"] = rouge_bleu.bleu(**given, output="score", **bleu)["bleu"]
        for name, values in found.items():
            scores.setdefault(name, []).extend(values)
        yield end


def total_scores(rows: Rows, types: Sequence[str], settings: Settings) -> dict[str, Any]:
    """Return the scores of the whole file with intervals, and the signatures."""
    given: dict[str, Any] = {
        "predictions": rows.predictions,
        "references": rows.references,
        "baseline_predictions": rows.seconds or None,
        "signature": True,
    }
    level = {"confidence_level": 0.95}
    options = {"output": "fmeasure", **rouge_options(settings), **level}
    rouge = rouge_bleu.rouge(**given, rouge_types=list(types), **options)
    bleu = rouge_bleu.bleu(**given, **{"output": "score", **bleu_options(settings), **level})
    signatures = [rouge.pop("signature"), bleu.pop("signature")]
    return {**rouge, **bleu, "signatures": signatures}


# --- what is shown ------------------------------------------------------------------------------


def totals_html(total: Mapping[str, Any], names: Sequence[str], n_rows: int) -> str:
    """Return tiles with intervals and differences, and the signatures."""

    tiles = ""
    for name in names:
        small = f"[{percent(total.get(f'{name}_low'))}, {percent(total.get(f'{name}_high'))}]"
        if f"{name}_delta" in total:
            delta, low, high = (
                f"{100 * total[f'{name}_delta{part}']:+.1f}" for part in ("", "_low", "_high")
            )
            small += f"<br>{delta} [{low}, {high}]<br>p&nbsp;=&nbsp;{total[f'{name}_p_value']:.3f}"
        tiles += tile(name, total[name], small)
    second = " Below: difference to the second system." if f"{names[0]}_delta" in total else ""
    return (
        f'<div class="tiles wide">{tiles}</div><p class="legend">{n_rows:,} '
        f"{'row' if n_rows == 1 else 'rows'}. Small print: 95% confidence interval.{second} BLEU "
        f"is that of the corpus.</p>{signatures_html(total['signatures'])}"
    )


def table_of_rows(rows: Rows, scores: Mapping[str, Sequence[float]], measure: str) -> pd.DataFrame:
    """Return all rows with their scores, the worst first."""
    table = pd.DataFrame({"row": range(1, len(rows.predictions) + 1)})
    for name, values in scores.items():
        table[shown_name(name)] = [round(100 * one, 1) for one in values]
    table["prediction"] = rows.predictions
    blank_lines = re.compile(r"\n\s*\n")  # separate references
    table["references"] = [
        "\n\n".join(blank_lines.sub("\n", one) for one in of_row) for of_row in rows.references
    ]
    return table.sort_values(shown_name(measure), kind="stable")


def histogram(scores: pd.Series) -> pd.DataFrame:
    """Return how many rows have a score from 0 to 10, 10 to 20, ..., 90 to 100."""
    counts, edges = np.histogram(scores.dropna().clip(0, 100), range(0, 101, 10))
    return pd.DataFrame({"score": [f"{edge:02d}" for edge in edges[:-1]], "rows": counts})


# Every answer has new elements, so these are dimmed until the file is scored again.
_DIM = "() => document.querySelectorAll('#file-totals .prose > *').forEach(one => one.classList.add('stale'))"


# --- the tab ------------------------------------------------------------------------------------


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
        with gr.Row(equal_height=False):
            with gr.Column(scale=5, min_width=300):
                plot = gr.BarPlot(x="score", y="rows", height=200, sort="x")
                download = gr.DownloadButton("Download all rows as CSV", size="sm")
            with gr.Column(scale=7, min_width=320):
                hint = '<p class="hint">Choose a row below to see its words.</p>'
                words = gr.HTML(hint, elem_id="file-words", padding=False)
        table = gr.Dataframe(
            label="Rows, worst first",
            show_search="search",
            max_height=420,
            max_chars=80,
            interactive=False,
            elem_id="file-table",
        )

    def fill_columns(paths: list[str] | None) -> list[Any]:
        try:
            names = column_names(paths)
        except Refusal as refusal:
            return [gr.skip()] * 3 + [message_html(refusal)]
        found = guess_columns(names)
        return [
            gr.Dropdown(choices=names, value=found[0]),
            gr.Dropdown(choices=names, value=found[1]),
            gr.Dropdown(choices=[*none, *((name, name) for name in names)], value=found[2]),
            "",
        ]

    def score_file(
        paths: list[str] | None,
        prediction: str | None,
        references: list[str] | None,
        second: str | None,
        measure: str,
        *values: Any,
        progress: Any = gr.Progress(),  # noqa: B008
    ) -> Iterator[list[Any]]:
        """Score a file; the last answer has the scores."""
        old = [gr.HTML(elem_classes="stale"), *([gr.skip()] * 4)]
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
            progress(0.95, "Intervals")
            total = total_scores(rows, [name for name in scores if name != "bleu"], settings)
        except ERRORS as error:
            yield [message_html(error), *old]
            return
        measure = measure if measure in scores else next(iter(scores))
        all_rows = table_of_rows(rows, scores, measure)
        path = Path(download.GRADIO_CACHE) / uuid.uuid4().hex / "scores.csv"
        path.parent.mkdir(parents=True)
        all_rows.sort_values("row").to_csv(path, index=False)
        worst = f"The table has the {_N_SHOWN:,} worst rows, the CSV all."
        shown = f"{totals_html(total, list(scores), n_rows)}<!-- {path.parent.name} -->"
        yield [
            message_html(worst if n_rows > _N_SHOWN else "", "status"),
            gr.HTML(shown, elem_classes=""),
            gr.Column(visible=True),
            histogram(all_rows[shown_name(measure)]),
            gr.DownloadButton(value=str(path)),
            all_rows.head(_N_SHOWN),
        ]

    def words_of_row(event: gr.SelectData, measure: str, *values: Any) -> str:
        number, *_, text, others = event.row_value
        try:
            settings = settings_of_fields(values)
            scored = score_texts(str(text), split_references(str(others)), settings)
        except ERRORS as error:
            return message_html(error)
        heading = f"Row {int(number)}: {shown_name(measure)} {percent(scored.scores.get(measure))}"
        return f"<h3>{heading}</h3>{words_html(scored, measure)}"

    columns = [prediction, references, second]
    inputs = [upload, *columns, measure, *fields]
    outputs = [note, totals, results, plot, download, table]
    quiet: dict[str, Any] = {"show_progress": "hidden", "api_visibility": "private"}
    work: dict[str, Any] = {"show_progress_on": [note], "concurrency_id": "work"}
    guess = {"fn": fill_columns, "inputs": upload, "outputs": [*columns, note], **quiet}
    upload.upload(**guess)
    scoring = start.click(
        score_file, inputs, outputs, api_name="score_file", concurrency_limit=2, **work
    )
    sampling = (
        sample.click(lambda: [str(SAMPLE)], None, upload, **quiet)
        .then(**guess)
        .then(score_file, inputs, outputs, api_visibility="private", **work)
    )
    stop.click(None, cancels=[scoring, sampling])
    stopped = message_html("Stopped.", "status")
    stop.click(lambda: stopped, None, note, queue=False, **quiet)
    table.select(words_of_row, [measure, *fields], words, **quiet)
    changes = [one.change for one in (*columns, measure, *fields)]
    gr.on(changes, None, None, None, js=_DIM, api_visibility="private")
