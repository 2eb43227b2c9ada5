"""The tab "Score a file": columns, scores with intervals, a comparison, items."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import gradio as gr

from rouge_bleu_tools.page.file.views import (
    file_histogram,
    file_summary,
    item_choices,
    item_of_choice,
)
from rouge_bleu_tools.page.shared.choices import checked_choices, options_of_form
from rouge_bleu_tools.page.shared.events import (
    QUIET,
    STARTED_BY_VISITOR,
    WORK,
    components,
    end_on_click,
    refusals_as_errors,
)
from rouge_bleu_tools.page.shared.limits import (
    FILE_EXTENSIONS,
    LIMITS_OF_FILES,
    Refusal,
    checked_file,
    refusals,
)
from rouge_bleu_tools.page.shared.looks.html_parts import message, note, progress_bar
from rouge_bleu_tools.page.shared.metrics import Metrics
from rouge_bleu_tools.page.shared.options_panel import OptionsPanel
from rouge_bleu_tools.page.shared.scoring import explained, scored
from rouge_bleu_tools.page.shared.session_files import SESSION_FILES
from rouge_bleu_tools.page.shared.tables import (
    check_columns,
    checked_columns,
    column_names,
)
from rouge_bleu_tools.page.shared.uploads import (
    NO_OTHER,
    column_boxes,
    file_box,
    fill_on_upload,
    kept_for,
    path_of,
)
from rouge_bleu_tools.page.shared.worker_client import Progress, answers_of_worker
from rouge_bleu_tools.page.try_it.views import explanation_view

_NO_LONGER_KEPT = "The scores are no longer kept here: score the file again."


@dataclass(frozen=True)
class _Inputs:
    """The components that say what is scored, in the order of `FileRequest`."""

    upload: gr.File
    prediction_column: gr.Dropdown
    reference_columns: gr.Dropdown
    other_column: gr.Dropdown
    intervals: gr.Checkbox
    allow_empty: gr.Checkbox


@dataclass(frozen=True)
class _Results:
    """The components that a click fills, in the order of `_outputs_of_file`."""

    problem: gr.HTML
    progress: gr.HTML
    summary: gr.HTML
    signature: gr.Textbox
    download: gr.DownloadButton
    measure: gr.Radio
    histogram: gr.HTML
    items: gr.Radio
    explanation: gr.HTML
    found: gr.State


def file_tab(metrics: Metrics, panel: OptionsPanel) -> None:
    """Build the tab."""
    gr.Markdown(LIMITS_OF_FILES, elem_classes="page-note")
    inputs = _build_inputs()
    with gr.Row():
        button = gr.Button("Score the file", variant="primary", elem_id="file-button")
        stop = gr.Button("Stop", elem_id="file-stop")
    results = _build_results()

    def score(visitor: gr.Request, *values: Any) -> Iterator[list[Any]]:
        n_inputs = len(components(inputs))
        uploaded, *others = values[:n_inputs]
        name, form = panel.chosen(values[n_inputs:])
        keep = partial(kept_for, visitor, results.download)
        try:
            options = options_of_form(name, form)
            request = FileRequest(name, options, path_of(uploaded), *others)
            yield from _shown_while_scored(metrics, request, keep)
        except Refusal as refusal:
            yield [message([str(refusal)]), "", *_nothing()]

    columns = (inputs.prediction_column, inputs.reference_columns)
    fill_on_upload(inputs.upload, results.problem, columns, inputs.other_column)
    running = button.click(
        score,
        [*components(inputs), *panel.inputs],
        components(results),
        js=STARTED_BY_VISITOR,
        **QUIET,
        **WORK,
    )
    end_on_click(stop, running, results.problem, results.progress)
    _connect_results(metrics, results)
    _build_api(metrics)


def _build_inputs() -> _Inputs:
    upload = file_box("file")
    with gr.Row():
        prediction, references = column_boxes("file")
        other = gr.Dropdown(
            [NO_OTHER],
            value="",
            label="Another system",
            info="A column of predictions to compare with.",
            elem_id="file-other-column",
        )
    with gr.Row():
        intervals = gr.Checkbox(True, label="95 % intervals", elem_id="file-intervals")
        allow_empty = gr.Checkbox(
            label="Empty cells are empty texts", elem_id="file-allow-empty"
        )
    return _Inputs(upload, prediction, references, other, intervals, allow_empty)


def _build_results() -> _Results:
    return _Results(
        problem=gr.HTML(elem_id="file-message"),
        progress=gr.HTML(elem_id="file-progress"),
        summary=gr.HTML(elem_id="file-summary"),
        signature=gr.Textbox(
            label="Signature",
            interactive=False,
            buttons=["copy"],
            visible=False,
            elem_id="file-signature",
        ),
        download=gr.DownloadButton(
            "Download the scores of all rows (CSV)",
            visible=False,
            elem_id="file-download",
        ),
        measure=gr.Radio([], label="Look at", visible=False, elem_id="file-measure"),
        histogram=gr.HTML(elem_id="file-histogram"),
        items=gr.Radio([], label="Rows", visible=False, elem_id="file-items"),
        explanation=gr.HTML(elem_id="file-explanation"),
        found=gr.State(None, time_to_live=3600),
    )


def _connect_results(metrics: Metrics, results: _Results) -> None:
    """Let a visitor choose what is shown of a file that was scored."""

    def look_at(chosen: str, of_file: Any) -> list[Any]:
        if not of_file:
            return ["", gr.Radio(visible=False), note(_NO_LONGER_KEPT)]
        if not isinstance(chosen, str) or chosen not in of_file["measures"]:
            return [gr.skip()] * 3
        return _of_measure(of_file, chosen)

    results.measure.input(
        look_at,
        [results.measure, results.found],
        [results.histogram, results.items, results.explanation],
        **QUIET,
    )
    results.items.input(
        lambda choice, chosen, of_file: _item_view(metrics, choice, chosen, of_file),
        [results.items, results.measure, results.found],
        results.explanation,
        **QUIET,
    )


# --- what a click shows ---------------------------------------------------------------


@dataclass(frozen=True)
class FileRequest:
    """A file to score, and how; all of it as it was given, and checked by nobody.

    Parameters
    ----------
    metric : str
    options : dict
        Those of `compute`.
    path : str or None
        That of the file.
    prediction_column, reference_columns, other_column
        As `checked_columns` takes them.
    has_intervals, allow_empty : bool
        As in `score_file`.
    """

    metric: Any
    options: Any
    path: Any
    prediction_column: Any
    reference_columns: Any
    other_column: Any = None
    has_intervals: Any = True
    allow_empty: Any = False


def scored_file(
    metrics: Metrics, request: FileRequest, folder: str
) -> Iterator[Progress | dict[str, Any]]:
    """Yield how far the scoring of a file is, and last what `score_file` returns.

    The scores of its rows are written to the folder.
    """
    metrics.fresh(request.metric)
    file = checked_file(request.path)
    prediction, references, other = checked_columns(
        request.prediction_column, request.reference_columns, request.other_column
    )
    check_columns(column_names(file), [prediction, *references, other])
    with refusals():
        options = checked_choices(metrics, request.metric, request.options)
    yield from answers_of_worker(
        "score_file",
        {
            "folder": str(metrics.folder),
            "metric": request.metric,
            "path": str(file),
            "prediction_column": prediction,
            "reference_columns": references,
            "other_column": other,
            "options": options,
            "has_intervals": bool(request.has_intervals),
            "allow_empty": bool(request.allow_empty),
            "items_path": str(Path(folder) / f"{file.stem[:60]}-{request.metric}.csv"),
        },
    )


def _shown_while_scored(
    metrics: Metrics, request: FileRequest, keep: Callable[[str], str]
) -> Iterator[list[Any]]:
    """Yield what the tab shows; `keep` says where a file lies for the download."""
    with tempfile.TemporaryDirectory() as folder:
        for answer in scored_file(metrics, request, folder):
            if isinstance(answer, Progress):
                bar = progress_bar(answer.words, answer.share)
                yield ["", bar, *_nothing()]
            else:
                yield _outputs_of_file(answer, keep(str(next(Path(folder).iterdir()))))


def _outputs_of_file(found: dict[str, Any], items_path: str) -> list[Any]:
    measures = list(found["measures"])
    rest = ["", gr.Radio(visible=False), ""]
    if measures:
        rest = _of_measure(found, measures[0])
    return [
        message(found["warnings"], "warning"),
        "",
        file_summary(found),
        gr.Textbox(found["signature"], visible=True),
        gr.DownloadButton(value=items_path, visible=True),
        gr.Radio(
            choices=measures,
            value=next(iter(measures), None),
            visible=len(measures) > 1,
        ),
        *rest,
        found,
    ]


def _of_measure(found: dict[str, Any], measure: str) -> list[Any]:
    """Return histogram, items, and no explanation yet."""
    choices = item_choices(found, measure)
    return [
        file_histogram(found, measure),
        gr.Radio(choices=choices, value=None, visible=bool(choices)),
        note("Choose a row to see its words."),
    ]


def _item_view(metrics: Metrics, choice: Any, measure: Any, found: Any) -> str:
    if not found:
        return note(_NO_LONGER_KEPT)
    if not isinstance(choice, str):
        return ""
    try:
        item = item_of_choice(found, choice)
        if item["prediction"] is None:
            return note("This row is too long to be shown.")
        name, options = found["metric"], dict(found["options"])
        options.pop("output", None)
        texts = (item["prediction"], item["references"])
        if not item["prediction"].strip():
            return note("The prediction of this row is empty.")
        of_item = scored(metrics, name, *texts, options, is_item=True)
        explanation = explained(
            metrics, name, *texts, of_item.options_to_explain, measure
        )
    except Refusal as refusal:
        return message([str(refusal)])
    except (KeyError, IndexError):
        return ""
    return explanation_view(replace(of_item, explanation=explanation), measure)


def _nothing() -> list[Any]:
    hidden = [gr.Textbox(visible=False), gr.DownloadButton(visible=False)]
    radio = gr.Radio(choices=[], value=None, visible=False)
    return ["", *hidden, radio, "", radio, "", None]


# --- for programs ---------------------------------------------------------------------


def _build_api(metrics: Metrics) -> None:
    """Build `/score_file`, which takes the choices of the tab as one mapping."""
    with gr.Row(visible=False):
        file = gr.File(file_types=list(FILE_EXTENSIONS), label="file")
        request = gr.JSON(label="request")
        result, items = gr.JSON(label="result"), gr.File(label="items")
        button = gr.Button("score_file")

    def score_file(
        file: Any, request: Any, caller: gr.Request
    ) -> Iterator[tuple[Any, Any]]:
        """Score a file.

        `request` has "metric", "prediction_column", "reference_columns" (a list), and
        may have "other_column", "options" (those of compute), "has_intervals" and
        "allow_empty". Returns the result with its signature, and the scores of the rows
        as CSV.
        """
        SESSION_FILES.add(caller.session_hash, path_of(file))
        with refusals_as_errors():
            keep = partial(kept_for, caller, items)
            yield from _answers_for_program(metrics, path_of(file), request, keep)

    button.click(
        score_file,
        [file, request],
        [result, items],
        api_name="score_file",
        preprocess=False,
        **WORK,
    )


def _answers_for_program(
    metrics: Metrics, file: Any, request: Any, keep: Callable[[str], str]
) -> Iterator[tuple[Any, Any]]:
    """Yield how far the scoring is, and last the result and the path of the rows' scores."""
    if isinstance(request, str):
        try:
            request = json.loads(request)
        except ValueError:
            raise Refusal("The request must be a mapping in JSON.") from None
    if not isinstance(request, dict):
        raise Refusal("The request must be a mapping, with metric and columns.")
    asked = FileRequest(
        metric=request.get("metric", metrics.names[0]),
        options=request.get("options") or {},
        path=file,
        prediction_column=request.get("prediction_column"),
        reference_columns=request.get("reference_columns"),
        other_column=request.get("other_column"),
        has_intervals=request.get("has_intervals", True),
        allow_empty=request.get("allow_empty", False),
    )
    with tempfile.TemporaryDirectory() as folder:
        for answer in scored_file(metrics, asked, folder):
            if isinstance(answer, Progress):
                yield {"progress": [answer.words, answer.share]}, None
            else:
                wanted = ("n_rows", "result", "signature", "warnings")
                yield (
                    {key: answer[key] for key in wanted},
                    keep(str(next(Path(folder).iterdir()))),
                )
