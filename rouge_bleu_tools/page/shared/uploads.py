"""The box for a file and those for its columns, which two tabs have."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import gradio as gr

from rouge_bleu_tools.page.shared.events import QUIET
from rouge_bleu_tools.page.shared.limits import FILE_EXTENSIONS, Refusal
from rouge_bleu_tools.page.shared.looks.html_parts import message
from rouge_bleu_tools.page.shared.session_files import SESSION_FILES
from rouge_bleu_tools.page.shared.tables import column_names, likely_columns

NO_OTHER = ("None", "")
# The references and two systems of examples/systems.
SAMPLE = Path(__file__).with_name("sample.csv")


def file_box(prefix: str, label: str = "File") -> gr.File:
    """Return the box for a file."""
    return gr.File(
        label=label, file_types=list(FILE_EXTENSIONS), height=130, elem_id=f"{prefix}-upload"
    )


def sample_button(prefix: str) -> gr.Button:
    """Return the button for the sample file."""
    return gr.Button("Try a sample file", size="sm", elem_id=f"{prefix}-sample")


def path_of(uploaded: Any) -> Any:
    """Return the path of an uploaded file, of which Gradio gives a mapping."""
    return uploaded.get("path") if isinstance(uploaded, dict) else uploaded


def kept_for(request: gr.Request, component: Any, path: str, began: float = math.inf) -> str:
    """Return where the copy of a file lies that a component offers until one leaves.

    `began` is as in `SessionFiles.add`.
    """
    kept = component.move_resource_to_block_cache(path)
    SESSION_FILES.add(request.session_hash, kept, began)
    return str(kept)


def column_boxes(prefix: str) -> tuple[gr.Dropdown, gr.Dropdown]:
    """Return the boxes for the columns of predictions and references."""
    prediction = gr.Dropdown(
        [],
        label="Predictions",
        info="The column with the texts to score.",
        min_width=220,
        elem_id=f"{prefix}-prediction-column",
    )
    references = gr.Dropdown(
        [],
        multiselect=True,
        label="References",
        info="One or several columns.",
        min_width=220,
        elem_id=f"{prefix}-reference-columns",
    )
    return prediction, references


def _columns_of_upload(path: Any) -> tuple[str, list[Any], list[str]]:
    """Return a message, values for the two boxes of `column_boxes`, and all names."""
    if path is None:
        return "", [gr.Dropdown(choices=[], value=None)] * 2, []
    try:
        names = column_names(path)
    except Refusal as refusal:
        return message([str(refusal)]), [gr.Dropdown(choices=[], value=None)] * 2, []
    prediction, references = likely_columns(names)
    boxes = [
        gr.Dropdown(choices=names, value=prediction),
        gr.Dropdown(choices=names, value=references),
    ]
    return "", boxes, names


def fill_on_upload(
    upload: gr.File,
    problem: gr.HTML,
    boxes: tuple[gr.Dropdown, gr.Dropdown],
    other: gr.Dropdown | None = None,
) -> None:
    """Let the boxes offer the columns of a file as soon as it is there.

    `other` is one more box, with all columns or `NO_OTHER`.
    """

    def columns(uploaded: Any, request: gr.Request) -> list[Any]:
        path = path_of(uploaded)
        SESSION_FILES.add(request.session_hash, path)
        said, of_boxes, names = _columns_of_upload(path)
        if other is None:
            return [said, *of_boxes]
        return [said, *of_boxes, _box_of_other(names)]

    outputs = [problem, *boxes, *([] if other is None else [other])]
    gr.on(
        [upload.upload, upload.clear],
        columns,
        upload,
        outputs,
        trigger_mode="always_last",  # a file may come while another one is read
        **QUIET,
    )


def _box_of_other(names: list[str], value: str = "") -> gr.Dropdown:
    choices = [NO_OTHER, *((name, name) for name in names)]
    return gr.Dropdown(choices=choices, value=value)


def sample_on_click(
    button: gr.Button,
    upload: gr.File,
    problem: gr.HTML,
    boxes: tuple[gr.Dropdown, gr.Dropdown],
    other: gr.Dropdown | None = None,
) -> Any:
    """Let a button choose the sample file and its columns; return the event."""

    def sample(request: gr.Request) -> list[Any]:
        path = kept_for(request, upload, str(SAMPLE))
        said, of_boxes, names = _columns_of_upload(path)
        chosen = [path, said, *of_boxes]
        return chosen if other is None else [*chosen, _box_of_other(names, "baseline")]

    outputs = [upload, problem, *boxes, *([] if other is None else [other])]
    return button.click(sample, None, outputs, **QUIET)
