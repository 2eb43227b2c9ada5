"""A file to score, and how: checked, then scored by a worker."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rouge_bleu_tools.page.shared.choices import checked_choices
from rouge_bleu_tools.page.shared.limits import checked_file, refusals
from rouge_bleu_tools.page.shared.metrics import Metrics
from rouge_bleu_tools.page.shared.tables import check_columns, checked_columns, column_names
from rouge_bleu_tools.page.shared.worker_client import Progress, answers_of_worker


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


def scored_file(metrics: Metrics, request: FileRequest) -> Iterator[Progress | dict[str, Any]]:
    """Yield how far the scoring of a file is, and last what `score_file` returns.

    "items_path" is added to it, where the scores of the rows lie until this ends.
    """
    metrics.fresh(request.metric)
    file = checked_file(request.path)
    prediction, references, other = checked_columns(
        request.prediction_column, request.reference_columns, request.other_column
    )
    check_columns(column_names(file), [prediction, *references, other])
    with refusals():
        options = checked_choices(metrics, request.metric, request.options)
    folder = tempfile.mkdtemp()  # no TemporaryDirectory: that may end before the worker
    try:
        items_path = str(Path(folder) / f"{file.stem[:60]}-{request.metric}.csv")
        arguments = {
            "folder": str(metrics.folder),
            "metric": request.metric,
            "path": str(file),
            "prediction_column": prediction,
            "reference_columns": references,
            "other_column": other,
            "options": options,
            "has_intervals": bool(request.has_intervals),
            "allow_empty": bool(request.allow_empty),
            "items_path": items_path,
        }
        # The worker ends before its folder goes, also where nobody waits any more.
        with closing(answers_of_worker("score_file", arguments)) as answers:
            for answer in answers:
                if not isinstance(answer, Progress):
                    answer["items_path"] = items_path
                yield answer
    finally:
        shutil.rmtree(folder, ignore_errors=True)
