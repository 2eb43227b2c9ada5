"""A file of predictions and references -> scores, intervals, a comparison, and the
items that are best and worst.

It runs in a worker: `compute` scores the whole file, so that all numbers are those that
the code of "Use it" gives, and once more item by item.
"""

from __future__ import annotations

import csv
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rouge_bleu_tools.page.shared.choices import checked_choices
from rouge_bleu_tools.page.shared.limits import (
    MAX_EXPLAINED_CHARACTERS,
    checked_file,
    without_folder,
)
from rouge_bleu_tools.page.shared.metrics import Metrics
from rouge_bleu_tools.page.shared.scoring import check_has_scores, output_of_all, scores_of_types
from rouge_bleu_tools.page.shared.tables import texts_of_file

Say = Callable[[str, float], None]

LEVEL = 0.95
N_BINS = 20
N_SHOWN = 5  # of the best items, and of the worst
N_DIFFERENCES = 120  # columns of the plot
_CHUNK = 1_000
# Of the time that a whole file takes, as far as the progress bar goes.
_READ, _ITEMS = 0.1, 0.6


def score_file(
    folder: str,
    metric: str,
    path: str,
    prediction_column: str,
    reference_columns: Sequence[str],
    other_column: str | None,
    options: Mapping[str, Any],
    has_intervals: bool,
    allow_empty: bool,
    items_path: str,
    progress: Say,
) -> dict[str, Any]:
    """Score a file and write the scores of its items as CSV.

    Parameters
    ----------
    folder : str
        That of the metric scripts.
    metric, path, prediction_column, reference_columns, options
        What is scored, and how.
    other_column : str or None
        The predictions of another system, to compare with.
    has_intervals : bool
        Whether to add intervals of 95 %.
    allow_empty : bool
        Whether empty predictions count as empty texts.
    items_path : str
        The CSV file to write.
    progress : function
        Is told how far the work is.

    Returns
    -------
    dict
        "file" and "columns", the names of what was scored; "n_rows"; "result" and
        "signature" of `compute`; "warnings"; "measures": of each measure "counts" and
        "edges" of a histogram, "worst" and "best", indices of items with their score,
        and "differences" to the other system, if there is one: the numbers of items that
        are "better", "equal" and "worse", and "sorted", some differences; "items":
        "row", "prediction" and "references" of these.
    """
    file = checked_file(path)
    progress(f"Reading {file.name}", 0.02)
    columns = [prediction_column, *([other_column] if other_column else [])]
    try:
        texts, references, rows = texts_of_file(
            file, columns, reference_columns, allow_empty=allow_empty
        )
    except Exception as error:
        # Its path is of no use to a visitor; the class decides what is said.
        raise type(error)(without_folder(str(error), file)) from error
    progress(f"Scoring {len(rows):,} rows", _READ)
    metrics = Metrics.of_folder(Path(folder))
    chosen = checked_choices(metrics, metric, options) | output_of_all(metric)
    chosen.pop("confidence_level", None)
    predictions = texts[0]
    n_done = 0

    def progress_of_items(n_more: int) -> None:
        nonlocal n_done
        n_done += n_more
        n_all = len(rows) * len(texts)
        progress(
            f"Scored {n_done // len(texts):,} of {len(rows):,} rows",
            _READ + _ITEMS * n_done / n_all,
        )

    item_scores, *of_other = (
        _item_scores(metrics.fresh(metric), of_system, references, chosen, progress_of_items)
        for of_system in texts
    )
    progress("Intervals and tests", _READ + _ITEMS)
    result, found = _result(
        metrics.fresh(metric),
        texts,
        references,
        chosen | {"confidence_level": LEVEL if has_intervals else None},
    )
    check_has_scores(metric, result)
    _write_items(Path(items_path), rows, item_scores)
    measures = {name: _measure(scores) for name, scores in _measured(metric, item_scores).items()}
    for scores_of_other in of_other:
        for name, scores in _measured(metric, scores_of_other).items():
            own = _measured(metric, item_scores)[name]
            measures[name]["differences"] = _differences(own, scores)
    if metric == "rouge_full" and not measures:  # sets of weights may have other names
        found.append(
            "-t 1 of the command line is about all rows together: none has a score of "
            "its own. The CSV file has the counts of each row."
        )
    shown = {
        index for measure in measures.values() for index, _ in (*measure["worst"], *measure["best"])
    }
    return {
        "metric": metric,
        "file": file.name,
        "columns": columns,
        "n_rows": len(rows),
        "options": chosen,
        "signature": result.pop("signature"),
        "result": result,
        "warnings": found,
        "measures": measures,
        "items": {
            str(index): _item(rows[index], predictions[index], references[index])
            for index in sorted(shown)
        },
    }


def _item_scores(
    metric: Any,
    predictions: Sequence[str],
    references: Sequence[Sequence[str]],
    options: Mapping[str, Any],
    progress: Callable[[int], None],
) -> dict[str, list[float]]:
    """Return the scores of the items, by key; chunk by chunk, so that one sees how far.

    `progress` is told how many more are done.
    """
    scores: dict[str, list[float]] = {}
    single = {**options, "use_aggregator": False}
    single["confidence_level"] = None  # for which a command line may ask
    for start in range(0, len(predictions), _CHUNK):
        end = start + _CHUNK
        with warnings.catch_warnings():  # the whole file gives them once
            warnings.simplefilter("ignore")
            result = metric.compute(
                predictions=predictions[start:end], references=references[start:end], **single
            )
        for key, values in result.items():
            if _are_scores(values):
                scores.setdefault(key, []).extend(values)
        progress(min(end, len(predictions)) - start)
    return scores


def _are_scores(values: Any) -> bool:
    return isinstance(values, list) and all(isinstance(one, float) for one in values)


def _result(
    metric: Any,
    texts: Sequence[Sequence[str]],
    references: Sequence[Sequence[str]],
    options: dict[str, Any],
) -> tuple[dict[str, Any], list[str]]:
    """Return the result of the whole file and the warnings, in a process of its own."""
    if len(texts) > 1:
        options["baseline_predictions"] = texts[1]
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        result = metric.compute(
            predictions=texts[0], references=references, **options, signature=True
        )
    return result, list(dict.fromkeys(str(one.message) for one in found))


def _write_items(path: Path, rows: Sequence[str], scores: Mapping[str, Sequence[float]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["row", *scores])
        writer.writerows(zip(rows, *scores.values(), strict=True))


def _measured(metric: str, scores: Mapping[str, list[float]]) -> dict[str, list[float]]:
    """Return the scores by which items are looked at: F of each type, or BLEU."""
    if metric == "rouge_full":
        return {name: f for name, (_, _, f) in scores_of_types(scores).items()}
    return {"BLEU": scores["bleu"]} if "bleu" in scores else {}


def _measure(scores: Sequence[float]) -> dict[str, Any]:
    values = np.asarray(scores, dtype=np.float64)
    defined = np.flatnonzero(~np.isnan(values))
    # 0.6 is in the bin that begins with 0.6: edges of floats may lie a little above it.
    bins = np.floor(np.round(values[defined] * N_BINS, 6)).astype(np.int64)
    counts = np.bincount(np.clip(bins, 0, N_BINS - 1), minlength=N_BINS)
    order = defined[np.argsort(values[defined], kind="stable")].tolist()
    worst = order[:N_SHOWN]
    best = order[N_SHOWN:][: -N_SHOWN - 1 : -1]
    return {
        "counts": counts.tolist(),
        "edges": [round(edge / N_BINS, 4) for edge in range(N_BINS + 1)],
        "worst": [[index, scores[index]] for index in worst],
        "best": [[index, scores[index]] for index in best],
    }


def _differences(scores: Sequence[float], of_other: Sequence[float]) -> dict[str, Any]:
    """Return how many items are better than those of the other system, and by how much."""
    both = np.asarray(scores, dtype=np.float64), np.asarray(of_other, dtype=np.float64)
    difference = both[0] - both[1]
    difference = np.sort(difference[~np.isnan(difference)])
    is_equal = np.isclose(difference, 0, rtol=0, atol=1e-12)
    places = np.linspace(0, len(difference) - 1, min(N_DIFFERENCES, len(difference)))
    return {
        "better": int(((difference > 0) & ~is_equal).sum()),
        "equal": int(is_equal.sum()),
        "worse": int(((difference < 0) & ~is_equal).sum()),
        "sorted": difference[np.round(places).astype(np.int64)].tolist(),
    }


def _item(row: str, prediction: str, references: Sequence[str]) -> dict[str, Any]:
    """Return an item, or only what it is called where it is too long to be shown."""
    n_characters = len(prediction) + sum(map(len, references))
    if n_characters > MAX_EXPLAINED_CHARACTERS:
        return {"row": row, "prediction": None, "references": []}
    return {"row": row, "prediction": prediction, "references": list(references)}
