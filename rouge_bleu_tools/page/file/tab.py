"""The tab "Score a file": columns, scores with intervals, a comparison, items."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import gradio as gr

from rouge_bleu_tools.page.file.program import file_program
from rouge_bleu_tools.page.file.requests import FileRequest, scored_file
from rouge_bleu_tools.page.file.views import file_summary, item_choices, item_of_choice, rows_view
from rouge_bleu_tools.page.shared.choices import options_of_form
from rouge_bleu_tools.page.shared.events import QUIET, components, say_if_old, work_on_click
from rouge_bleu_tools.page.shared.limits import LIMITS_OF_FILES, Refusal
from rouge_bleu_tools.page.shared.looks.html_parts import message, note, progress_bar
from rouge_bleu_tools.page.shared.meanings import paper_name
from rouge_bleu_tools.page.shared.metrics import Metrics
from rouge_bleu_tools.page.shared.options_panel import OF_ONE, OptionsPanel
from rouge_bleu_tools.page.shared.scoring import explained, scored
from rouge_bleu_tools.page.shared.uploads import (
    NO_OTHER,
    column_boxes,
    file_box,
    fill_on_upload,
    kept_for,
    path_of,
    sample_button,
    sample_on_click,
)
from rouge_bleu_tools.page.shared.worker_client import Progress
from rouge_bleu_tools.page.try_it.views import explanation_view

_NO_LONGER_KEPT = "The scores are no longer kept here: score the file again."
_OLD = "These scores are old: metric, options, file or columns have changed."


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
    old: gr.HTML
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
    sample = sample_button("file")
    inputs = _build_inputs()
    with gr.Row():
        button = gr.Button("Score the file", variant="primary", elem_id="file-button")
        stop = gr.Button("Stop", elem_id="file-stop")
    results = _build_results()

    def score(visitor: gr.Request, *values: Any) -> Iterator[list[Any]]:
        n_inputs = len(components(inputs))
        uploaded, *others = values[:n_inputs]
        name, form = panel.chosen(values[n_inputs:])
        keep = partial(kept_for, visitor, results.download, began=time.monotonic())
        try:
            options = options_of_form(name, form)
            request = FileRequest(name, options, path_of(uploaded), *others)
            yield from _shown_while_scored(metrics, request, keep)
        except Refusal as refusal:
            yield [message([str(refusal)]), "", *_nothing()]

    columns = (inputs.prediction_column, inputs.reference_columns)
    to_fill = (inputs.upload, results.problem, columns, inputs.other_column)
    fill_on_upload(*to_fill)
    sample_on_click(sample, *to_fill)
    chosen = [*components(inputs), *panel.inputs]
    outputs = components(results)
    work = work_on_click(button, stop, score, chosen, outputs, ["file-message", "file-results"])
    say_if_old(button, chosen, results.old, _OLD, "file-summary")
    look = _connect_results(metrics, results)
    # The scale is no input of the work: on another scale a result is not old.
    for shown in (work.success, look.success, panel.scale.change):
        of_items = [results.measure, results.found, panel.scale]
        shown(_items_on_scale, of_items, results.items, **QUIET)
    file_program(metrics)


def _build_inputs() -> _Inputs:
    upload = file_box("file")
    with gr.Row():
        prediction, references = column_boxes("file")
        other = gr.Dropdown(
            [NO_OTHER],
            value="",
            label="Compare with",
            info="The column of a second system, if there is one.",
            min_width=220,
            elem_id="file-other-column",
        )
    with gr.Row():
        intervals = gr.Checkbox(
            True,
            label="95 % intervals",
            info="How far the scores would vary with other rows.",
            elem_id="file-intervals",
        )
        allow_empty = gr.Checkbox(
            label="Allow empty predictions",
            info="An empty cell scores 0. Without this it is an error.",
            elem_id="file-allow-empty",
        )
    return _Inputs(upload, prediction, references, other, intervals, allow_empty)


def _build_results() -> _Results:
    problem = gr.HTML(elem_id="file-message")
    progress = gr.HTML(elem_id="file-progress")
    with gr.Column(elem_id="file-results"):
        return _Results(
            problem,
            progress,
            old=gr.HTML(elem_id="file-old"),
            summary=gr.HTML(elem_id="file-summary"),
            signature=gr.Textbox(
                label="Signature",
                info="One line that says how these scores were made, for papers and logs.",
                interactive=False,
                buttons=["copy"],
                visible=False,
                elem_id="file-signature",
            ),
            download=gr.DownloadButton(
                "Download the scores of all rows (CSV)", visible=False, elem_id="file-download"
            ),
            measure=gr.Radio([], label="Show rows by", visible=False, elem_id="file-measure"),
            histogram=gr.HTML(elem_id="file-histogram"),
            items=gr.Radio([], label="Rows", visible=False, elem_id="file-items"),
            explanation=gr.HTML(elem_id="file-explanation"),
            found=gr.State(None, time_to_live=3600),
        )


def _connect_results(metrics: Metrics, results: _Results) -> Any:
    """Let a visitor choose what is shown of a file that was scored.

    Return the event by which another measure is chosen.
    """

    def look_at(chosen: str, of_file: Any) -> list[Any]:
        if not of_file:
            return ["", gr.Radio(visible=False), note(_NO_LONGER_KEPT)]
        if not isinstance(chosen, str) or chosen not in of_file["measures"]:
            return [gr.skip()] * 3
        return _of_measure(of_file, chosen)

    look = results.measure.input(
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
    return look


# --- what a click shows ---------------------------------------------------------------


def _shown_while_scored(
    metrics: Metrics, request: FileRequest, keep: Callable[[str], str]
) -> Iterator[list[Any]]:
    """Yield what the tab shows; `keep` says where a file lies for the download."""
    for answer in scored_file(metrics, request):
        if isinstance(answer, Progress):
            bar = progress_bar(answer.words, answer.share)
            yield ["", bar, *_nothing()]
        else:
            yield _outputs_of_file(answer, keep(answer.pop("items_path")))


def _outputs_of_file(found: dict[str, Any], items_path: str) -> list[Any]:
    measures = list(found["measures"])
    rest = ["", gr.Radio(visible=False), ""]
    if measures:
        rest = _of_measure(found, measures[0])
    return [
        message(found["warnings"], "warning"),
        "",
        "",
        file_summary(found),
        gr.Textbox(found["signature"], visible=True),
        gr.DownloadButton(value=items_path, visible=True),
        gr.Radio(
            choices=[(_label(found, measure), measure) for measure in measures],
            value=next(iter(measures), None),
            visible=len(measures) > 1,
        ),
        *rest,
        found,
    ]


def _label(found: dict[str, Any], measure: str) -> str:
    return paper_name(measure) if found["metric"] == "rouge_full" else measure


def _of_measure(found: dict[str, Any], measure: str) -> list[Any]:
    """Return histogram, items, and no explanation yet."""
    choices = item_choices(found, measure)
    return [
        rows_view(found, measure),
        gr.Radio(choices=choices, value=None, visible=bool(choices)),
        note("Choose a row to see its words."),
    ]


def _items_on_scale(measure: Any, found: Any, scale: Any) -> Any:
    """Return the items with their scores on a scale; what is chosen stays chosen."""
    if not found or not isinstance(measure, str) or measure not in found["measures"]:
        return gr.skip()
    return gr.Radio(choices=item_choices(found, measure, is_of_one=scale == OF_ONE))


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
        explanation = explained(metrics, name, *texts, of_item.options_to_explain, measure)
    except Refusal as refusal:
        return message([str(refusal)])
    except (KeyError, IndexError):
        return ""
    return explanation_view(replace(of_item, explanation=explanation), measure)


def _nothing() -> list[Any]:
    hidden = [gr.Textbox(visible=False), gr.DownloadButton(visible=False)]
    radio = gr.Radio(choices=[], value=None, visible=False)
    return ["", "", *hidden, radio, "", radio, "", None]
