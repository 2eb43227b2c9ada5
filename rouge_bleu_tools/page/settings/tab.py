"""The tab "Which settings?": reported numbers, and the settings that give them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import gradio as gr

from rouge_bleu_tools.page.settings.finding import checked_numbers, sample_numbers
from rouge_bleu_tools.page.settings.views import settings_view
from rouge_bleu_tools.page.shared.events import (
    QUIET,
    WORK,
    components,
    refusals_as_errors,
    work_on_click,
)
from rouge_bleu_tools.page.shared.limits import MAX_SEARCHED_ROWS, Refusal, checked_file
from rouge_bleu_tools.page.shared.looks.html_parts import message, progress_bar
from rouge_bleu_tools.page.shared.metrics import Metrics
from rouge_bleu_tools.page.shared.tables import check_columns, checked_columns, column_names
from rouge_bleu_tools.page.shared.uploads import (
    SAMPLE,
    column_boxes,
    file_box,
    fill_on_upload,
    path_of,
    sample_button,
    sample_on_click,
)
from rouge_bleu_tools.page.shared.worker_client import Progress, answers_of_worker

_ABOUT = (
    "A paper gives scores and not the settings? Give the texts that were scored and the "
    "numbers: this finds settings that give these numbers."
)


@dataclass(frozen=True)
class _Inputs:
    """The components that say what is searched for, in the order of `_found`."""

    reported: gr.Textbox
    upload: gr.File
    prediction_column: gr.Dropdown
    reference_columns: gr.Dropdown
    prediction: gr.Textbox
    reference: gr.Textbox


def settings_tab(metrics: Metrics) -> None:
    """Build the tab."""
    gr.Markdown(_ABOUT, elem_classes="page-note")
    sample = sample_button("settings")
    inputs = _build_inputs(metrics)
    with gr.Row():
        button = gr.Button("Find settings", variant="primary", elem_id="settings-button")
        stop = gr.Button("Stop", elem_id="settings-stop")
    problem = gr.HTML(elem_id="settings-message")
    progress = gr.HTML(elem_id="settings-progress")
    result = gr.HTML(elem_id="settings-result")

    def find(
        numbers: Any, uploaded: Any, column: Any, columns: Any, text: Any, reference: Any
    ) -> Iterator[list[str]]:
        try:
            path, references = path_of(uploaded), [reference]
            answers = _found(metrics, numbers, path, column, columns, text, references)
            for answer in answers:
                if isinstance(answer, Progress):
                    yield ["", progress_bar(answer.words, answer.share), ""]
                else:
                    yield ["", "", settings_view(answer)]
        except Refusal as refusal:
            yield [message([str(refusal)]), "", ""]

    column_inputs = (inputs.prediction_column, inputs.reference_columns)
    to_fill = (inputs.upload, problem, column_inputs)
    fill_on_upload(*to_fill)
    sample_on_click(sample, *to_fill)
    sample.click(lambda: sample_numbers(metrics, SAMPLE), None, inputs.reported, **QUIET)
    work_on_click(
        button,
        stop,
        find,
        components(inputs),
        [problem, progress, result],
        ["settings-message", "settings-result"],
    )
    _build_api(metrics)


def _build_inputs(metrics: Metrics) -> _Inputs:
    first = "rouge1=41.16 rougeL=38.2"
    if metrics.names == ["bleu_full"]:
        first = "bleu=27.3"
    reported = gr.Textbox(
        label="Reported numbers",
        info="The name of each score and its number, with all its digits.",
        placeholder=first,
        max_lines=1,
        elem_id="settings-reported",
    )
    upload = file_box("settings", "File with the texts")
    with gr.Row():
        columns = column_boxes("settings")
    gr.Markdown(
        f"Up to {MAX_SEARCHED_ROWS:,} rows. Without a file: one prediction and its reference.",
        elem_classes="page-note",
    )
    with gr.Row(elem_id="settings-texts"):
        prediction = gr.Textbox(
            label="Prediction", lines=2, max_lines=10, elem_id="settings-prediction"
        )
        reference = gr.Textbox(
            label="Reference", lines=2, max_lines=10, elem_id="settings-reference"
        )
    return _Inputs(reported, upload, *columns, prediction, reference)


def _build_api(metrics: Metrics) -> None:
    """Build `/find_settings`, which takes texts and no file."""

    def find_settings(reported: str, prediction: str, references: list[str]) -> dict[str, Any]:
        """Find the settings that give reported numbers, such as "rouge1=41.16", of one
        prediction and its references.
        """
        with refusals_as_errors():
            *_, last = _found(metrics, reported, None, None, None, prediction, references)
        return last if isinstance(last, dict) else {}

    gr.api(find_settings, api_name="find_settings", **WORK)


def _found(
    metrics: Metrics,
    reported: Any,
    path: Any,
    prediction_column: Any,
    reference_columns: Any,
    prediction: Any,
    references: Any,
) -> Iterator[Progress | dict[str, Any]]:
    """Yield how far the search is, and last what it found."""
    checked_numbers(reported, metrics.names)  # before a worker is asked
    columns: tuple[str | None, list[str]] = (None, [])
    if path is not None:
        path = str(checked_file(path))
        columns = checked_columns(prediction_column, reference_columns, None)[:2]
        check_columns(column_names(path), [columns[0], *columns[1]])
    elif not (isinstance(prediction, str) and prediction.strip()):
        raise Refusal("Choose a file, or enter a prediction and its reference.")
    yield from answers_of_worker(
        "search_settings",
        {
            "folder": str(metrics.folder),
            "reported": reported,
            "prediction": prediction,
            "references": references,
            "path": path,
            "prediction_column": columns[0],
            "reference_columns": columns[1],
            "allow_empty": False,
        },
    )
