"""Plots with matplotlib: the distribution of the scores of rows, and compared systems."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .files import complete_file
from .inputs import CommandError, filled, printable

FILES = (".png", ".svg", ".pdf")
_BLUE, _GREY = "#0b5394", "#8a8a8a"


def import_matplotlib() -> Any:
    """Return matplotlib, or raise an error that says how to install it."""
    try:
        import matplotlib
    except ImportError as error:
        raise CommandError("--plot needs matplotlib: pip install matplotlib") from error
    return matplotlib


def _figure(size: tuple[float, float], n_rows: int, n_columns: int) -> tuple[Any, Any]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, layout="constrained")
    return figure, figure.subplots(n_rows, n_columns, squeeze=False)


def _save(figure: Any, path: Path) -> None:
    """Write a plot: the same numbers give the same file, and text stays text."""
    kind = path.suffix.lower()[1:]
    metadata = {"Date": None} if kind == "svg" else None
    settings = {"svg.fonttype": "none", "svg.hashsalt": "comparison"}
    with import_matplotlib().rc_context(settings), complete_file(path, "--plot") as file:
        figure.savefig(file, format=kind, dpi=150, metadata=metadata)


def draw_distributions(
    results: Sequence[Mapping[str, Any]], scores: Mapping[str, list[Any]], path: Path
) -> None:
    """Draw how many rows have which score, with the score of all rows and its interval."""
    merged = {key: value for result in results for key, value in result.items()}
    figure, panels = _figure((5.5, 1.9 * len(scores) + 0.3), len(scores), 1)
    for (key, parts), (panel,) in zip(scores.items(), panels, strict=True):
        values = np.concatenate(parts)
        panel.hist(100 * values[~np.isnan(values)], bins=np.arange(0, 105, 5), color=_GREY)
        score = merged.get(key)
        title = key
        if isinstance(score, float):  # a single one for all rows
            panel.axvline(100 * score, color=_BLUE)
            title += f" {100 * score:.2f}"
            if f"{key}_low" in merged:
                low, high = (100 * merged[f"{key}_{end}"] for end in ("low", "high"))
                panel.axvspan(low, high, color=_BLUE, alpha=0.25, linewidth=0)
                title += f" [{low:.2f}, {high:.2f}]"
        panel.set_title(_plain(title), loc="left", fontsize="medium")
        panel.set_ylabel("rows")
    panels[-1][0].set_xlabel(
        "score of a row; line: score of all rows; band: its interval, if there is one"
    )
    _save(figure, path)


def draw_comparison(
    scores: Sequence[Any], baseline: str, caption: str, scale: int, path: Path
) -> None:
    """Draw the scores and differences of systems, with the intervals of both."""
    grouped = itertools.groupby(scores, lambda one: (one.metric, one.key))
    panels_of_key = {key: list(of_key) for (_, key), of_key in grouped}
    n_columns = 2 if any(one.delta is not None for one in scores) else 1
    n_rows, first = len(panels_of_key), next(iter(panels_of_key.values()))
    size = (4.5 * n_columns, n_rows * (0.7 + 0.28 * len(first)) + 0.5)
    figure, panels = _figure(size, n_rows, n_columns)
    for (key, of_key), row in zip(panels_of_key.items(), panels, strict=True):
        _draw(row[0], of_key, [(one.low, one.score, one.high) for one in of_key], scale)
        row[0].set_title(_plain(key), loc="left", fontsize="medium")
        if n_columns == 2:
            deltas = [(one.delta_low, one.delta, one.delta_high) for one in of_key]
            row[1].axvline(0.0, color="black", linewidth=0.8)
            _draw(row[1], of_key, deltas, scale)
            row[1].tick_params(labelleft=False)
            title = f"difference from {_plain(baseline)}"
            row[1].set_title(title, loc="left", fontsize="medium")
    note = filled(_plain(caption), width=62 * n_columns)
    if n_columns == 2:
        note += "\nSquare: baseline. Filled: significant. Open: not significant."
    figure.supxlabel(note, fontsize="small", x=0.02, horizontalalignment="left")
    _save(figure, path)


def _draw(panel: Any, scores: Sequence[Any], values: Sequence[Any], scale: int) -> None:
    for row, (one, (low, middle, high)) in enumerate(zip(scores, values, strict=True)):
        if middle is None:
            continue
        color = _BLUE if one.is_significant else _GREY
        panel.plot([scale * low, scale * high], [row, row], color=color, linewidth=1.6)
        marker, fill = ("s", color) if one.delta is None else ("o", "white")
        fill = color if one.is_significant else fill
        panel.plot([scale * middle], [row], marker, color=color, markerfacecolor=fill)
    names = [_plain(one.system) + (" *" if one.is_significant else "") for one in scores]
    panel.set_yticks(range(len(scores)), names)
    panel.set_ylim(len(scores) - 0.5, -0.5)  # the baseline at the top
    panel.grid(axis="x", alpha=0.3)


def _plain(name: str) -> str:
    return printable(name).replace("$", r"\$")  # no mathematics in matplotlib
