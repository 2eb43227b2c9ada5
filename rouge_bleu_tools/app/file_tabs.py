"""The tabs "Score a file" and "Reproduce a score", whose work is done in processes."""

from __future__ import annotations

import shutil
import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import gradio as gr

from rouge_bleu_tools.app import file
from rouge_bleu_tools.app.scoring import message_html
from rouge_bleu_tools.app.settings import (
    FIELDS,
    MEASURES,
    name_fields,
    reason_of,
    settings_of_fields,
)
from rouge_bleu_tools.app.words import words_of_row
from rouge_bleu_tools.app.worker import result, results

# Of events: nothing is dimmed while they run, and programs do not see them.
QUIET: dict[str, Any] = {"show_progress": "hidden", "api_visibility": "private"}
_FILES: dict[str, Any] = {"file_count": "multiple", "file_types": file.EXTENSIONS}
_FILES |= {"height": 150, "min_width": 300}
# Every answer has new elements, so these are dimmed until the file is scored again.
_DIM = "() => document.querySelectorAll('#file-totals .prose > *').forEach(one => one.classList.add('stale'))"


def scored_folder() -> Path:
    """Return the folder of the tables for download; it has no uploads."""
    return Path(gr.utils.get_upload_folder(), "scored").absolute()


def _step_html(done: int, of: int, what: str) -> str:
    """Return how far long work is."""
    text = message_html(f"{what}: {done:,} of {of:,}", "status")
    return f'{text}<progress value="{done}" max="{of}" aria-label="{what}"></progress>'


def file_tab(fields: Sequence[Any]) -> None:
    """Build the tab; `fields` are the components of the settings."""
    gr.Markdown(
        f"A table ({', '.join(file.EXTENSIONS[:-1])}), or two or more .txt files with one text in each "
        f"line. Up to {file.MAX_ROWS:,} rows and {file.MAX_BYTES // 2**20} MB, scored with the settings of "
        "“Score texts”. Only you can use your files; they are deleted after an hour.",
        elem_classes="note",
    )
    with gr.Row(equal_height=False):
        upload = gr.File(label="File", scale=4, **_FILES)
        with gr.Column(scale=7, min_width=320), gr.Group():
            with gr.Row():
                free: dict[str, Any] = {"allow_custom_value": True, "min_width": 140}
                prediction = gr.Dropdown([], label="Predictions", **free)
                references = gr.Dropdown([], label="References", multiselect=True, **free)
            with gr.Row():
                none = [("none", "")]
                second = gr.Dropdown(none, value="", label="Compare with second system", **free)
                measure = gr.Dropdown(MEASURES, value="rouge1", label="Order rows by")
    with gr.Row():
        start = gr.Button("Score the file", variant="primary", scale=0, elem_id="file-start")
        sample = gr.Button("Try a sample", scale=0, elem_id="file-sample")
        stop = gr.Button("Stop", scale=0, elem_id="file-stop")
    note = gr.HTML(elem_id="file-note", min_height=24)
    totals = gr.HTML(elem_id="file-totals", padding=False)
    with gr.Column(elem_id="file-rows"):  # shown with the totals
        looks: dict[str, Any] = {"show_search": "search", "max_height": 420, "max_chars": 80}
        label = f"Worst rows, up to {file.N_SHOWN}; the CSV has all"
        table = gr.Dataframe(label=label, interactive=False, elem_id="file-table", **looks)
        hint = '<p class="hint">Choose a row to see its words.</p>'
        words = gr.HTML(hint, elem_id="file-words", padding=False)
        download = gr.DownloadButton("Download all rows as CSV", size="sm")

    def fill_columns(paths: list[str] | None, request: gr.Request) -> Iterator[dict[Any, Any]]:
        reading = message_html("Reading columns …", "status")
        yield {note: reading, start: gr.Button(interactive=False)}
        ready: dict[Any, Any] = {start: gr.Button(interactive=True)}
        try:
            ready[upload] = own = file.own_files(paths, request.session_hash)
            names, guess, number = result(file.known_columns, own, is_long=True)
        except Exception as error:
            yield {**ready, note: message_html(reason_of(error))}
            return
        yield {
            **ready,
            prediction: gr.Dropdown(choices=names, value=guess[0]),
            references: gr.Dropdown(choices=names, value=guess[1]),
            second: gr.Dropdown(choices=[*none, *names], value=guess[2]),
            note: message_html(f"{number:,} rows" if number else file.CHOOSE, "status"),
        }

    def score_file(
        request: gr.Request, paths: list[str] | None, *given: Any
    ) -> Iterator[dict[Any, Any]]:
        """Score a file; the last answer has the scores."""
        chosen, measure, settings = given[:3], given[3], given[4:]
        path = scored_folder() / uuid.uuid4().hex / "scores.csv"
        is_shown = False
        try:
            own = file.own_files(paths, request.session_hash)
            of_file = own, chosen, settings_of_fields(settings), measure, path
            for kind, found in results(file.score_file, *of_file):
                if kind == "step":
                    yield {note: _step_html(*found)}
            shown, worst = found
            yield {
                note: "",
                totals: f"{shown}<!-- {path.parent.name} -->",
                download: gr.DownloadButton(value=str(path)),
                table: worst,
                scored_rows: (str(path), chosen[-1] or ""),
            }
            is_shown = True
        except Exception as error:
            yield {totals: "", note: message_html(reason_of(error))}
        finally:
            if not is_shown:  # stopped: it has the texts
                shutil.rmtree(path.parent, ignore_errors=True)

    def order_rows(scored: tuple[str, str], measure: str) -> Any:
        """Put the worst rows of a measure first, without scoring them again."""
        path = Path(scored[0])
        return result(file.worst_rows, path, measure, is_long=True) if path.is_file() else gr.skip()

    def words_of(event: gr.SelectData, scored: tuple[str, str], measure: str, *values: Any) -> str:
        try:
            given = event.row_value, measure, scored[1], settings_of_fields(values)
            return result(words_of_row, *given)
        except Exception as error:
            return message_html(reason_of(error))

    own = {"request": gr.Request, "files": list[str], "prediction": str}
    own |= {"references": list[str], "second": str, "measure": str}
    name_fields(score_file, own, FIELDS)
    columns = [prediction, references, second]
    scored_rows = gr.State(("", ""))  # the table for download, and the name of the second system
    inputs = [upload, *columns, measure, *fields]
    outputs = [note, totals, download, table, scored_rows]
    work: dict[str, Any] = {"show_progress": "hidden", "concurrency_id": "work"}
    guess: dict[str, Any] = {"fn": fill_columns, "inputs": upload, **QUIET}
    guess["outputs"] = [upload, *columns, note, start]
    upload.upload(**guess)
    changes = [start.click, *(one.change for one in (*columns, *fields))]
    gr.on(changes, None, None, None, js=_DIM, api_visibility="private")
    scoring = start.click(
        score_file, inputs, outputs, api_name="score_file", concurrency_limit=2, **work
    )
    sampling = (
        sample.click(lambda: [str(file.SAMPLE)], None, upload, **QUIET)
        .then(**guess)
        .then(score_file, inputs, outputs, **work | QUIET)
    )
    stop.click(None, cancels=[scoring, sampling])
    stop.click(lambda: message_html("Stopped.", "status"), None, note, queue=False, **QUIET)
    table.select(words_of, [scored_rows, measure, *fields], words, **QUIET)
    measure.change(order_rows, [scored_rows, measure], table, **QUIET)
    table.change(lambda: hint, None, words, **QUIET)  # the row that it shows may be another


def reproduce_tab(texts: list[Any]) -> None:
    """Build the tab; `texts` are the boxes of "Score texts"."""
    gr.Markdown(
        "A paper reports scores without settings? Give the scores and the texts that were scored: "
        "this finds settings that give these scores.",
        elem_classes="note",
    )
    with gr.Row(equal_height=False):
        looks: dict[str, Any] = {"placeholder": file.SAMPLE_SCORES, "max_lines": 1}
        looks |= {"info": "As printed, with all digits.", "min_width": 300}
        reported = gr.Textbox(label="Reported scores", elem_id="reported", **looks)
        label = f"File (up to {file.SEARCH_ROWS:,} rows), instead of the texts of “Score texts”"
        upload = gr.File(label=label, **_FILES)
    with gr.Row():
        find = gr.Button("Find settings", variant="primary", scale=0, elem_id="find")
        sample = gr.Button("Try a sample", scale=0, elem_id="reproduce-sample")
    content = gr.HTML(elem_id="found", min_height=24)

    def search_texts(
        request: gr.Request, reported: str, paths: list[str] | None, *texts: str
    ) -> Iterator[str]:
        try:
            own = file.own_files(paths, request.session_hash)
            for kind, found in results(file.search_html, reported, own, *texts):
                yield _step_html(*found) if kind == "step" else found
        except Exception as error:
            yield message_html(reason_of(error))

    inputs = [reported, upload, *texts]
    searching: dict[str, Any] = {"fn": search_texts, "inputs": inputs, "outputs": content}
    searching |= {**QUIET, "concurrency_id": "work"}
    gr.on([find.click, reported.submit], **searching)
    filled = sample.click(
        lambda: [file.SAMPLE_SCORES, [str(file.SAMPLE)]], None, inputs[:2], **QUIET
    )
    filled.then(**searching)
