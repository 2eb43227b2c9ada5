"""What programs call to score a file: `/score_file`."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import gradio as gr

from rouge_bleu_tools.page.file.requests import FileRequest, scored_file
from rouge_bleu_tools.page.shared.events import WORK, refusals_as_errors
from rouge_bleu_tools.page.shared.limits import FILE_EXTENSIONS, Refusal
from rouge_bleu_tools.page.shared.metrics import Metrics
from rouge_bleu_tools.page.shared.session_files import SESSION_FILES
from rouge_bleu_tools.page.shared.uploads import kept_for, path_of
from rouge_bleu_tools.page.shared.worker_client import Progress


def file_program(metrics: Metrics) -> None:
    """Build `/score_file`, which takes the choices of the tab as one mapping."""
    with gr.Row(visible=False):
        file = gr.File(file_types=list(FILE_EXTENSIONS), label="file")
        request = gr.JSON(label="request")
        result, items = gr.JSON(label="result"), gr.File(label="items")
        button = gr.Button("score_file")

    def score_file(file: Any, request: Any, caller: gr.Request) -> Iterator[tuple[Any, Any]]:
        """Score a file.

        `request` has "metric", "prediction_column", "reference_columns" (a list), and
        may have "other_column", "options" (those of compute), "has_intervals" and
        "allow_empty". Returns the result with its signature, and the scores of the rows
        as CSV.
        """
        SESSION_FILES.add(caller.session_hash, path_of(file))
        with refusals_as_errors():
            keep = partial(kept_for, caller, items, began=time.monotonic())
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
    for answer in scored_file(metrics, asked):
        if isinstance(answer, Progress):
            yield {"progress": [answer.words, answer.share]}, None
        else:
            wanted = ("n_rows", "result", "signature", "warnings")
            yield {key: answer[key] for key in wanted}, keep(answer["items_path"])
