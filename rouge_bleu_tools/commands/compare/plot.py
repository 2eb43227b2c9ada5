"""A comparison as a plot: scores with their intervals, and differences with theirs.

Two intervals of scores may overlap where the systems differ: the interval of the
difference is narrower, since both systems have the same items. So both are shown.
"""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

from rouge_bleu_tools.commands.compare.systems import Comparison, SystemScore
from rouge_bleu_tools.commands.compare.words import Unit, caption
from rouge_bleu_tools.commands.inputs.errors import FileError, printable

PLOTS = (".png", ".svg")

_MARKED, _OPEN = "#0b5394", "#8a8a8a"  # significant, and not or the baseline


def check_can_plot() -> None:
    """Raise where matplotlib is not installed."""
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise FileError("a plot needs matplotlib: pip install matplotlib") from error


def write_plot(comparison: Comparison, unit: Unit, path: Path) -> None:
    """Write a row of panels for each score: the scores, and the differences."""
    import matplotlib
    from matplotlib.figure import Figure

    n_columns = 2 if comparison.others else 1
    n_systems = 1 + len(comparison.others)
    n_keys = len(comparison.keys)
    figure = Figure(
        figsize=(4.5 * n_columns, n_keys * (0.7 + 0.28 * n_systems) + 0.5), layout="constrained"
    )
    panels = figure.subplots(n_keys, n_columns, squeeze=False)
    for (metric, key), row in zip(comparison.keys, panels, strict=True):
        scores = comparison.of_key(metric, key)
        _draw_scores(row[0], scores, unit)
        row[0].set_title(_label(key), loc="left", fontsize="medium")
        if comparison.others:
            _draw_differences(row[1], scores, unit)
            title = f"difference to {_label(comparison.baseline)}"
            row[1].set_title(title, loc="left", fontsize="medium")
    note = textwrap.fill(_label(caption(comparison)), 62 * n_columns)
    figure.supxlabel(note, fontsize="small", x=0.02, horizontalalignment="left")
    # The same comparison gives the same file, and text stays text.
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "comparison"}):
        is_svg = path.suffix.lower() == ".svg"
        figure.savefig(path, dpi=150, metadata={"Date": None} if is_svg else None)


def _draw_scores(panel: Any, scores: list[SystemScore], unit: Unit) -> None:
    for row, one in enumerate(scores):
        _draw_interval(panel, row, (one.low, one.score, one.high), one, unit)
    _name_rows(panel, scores)


def _draw_differences(panel: Any, scores: list[SystemScore], unit: Unit) -> None:
    panel.axvline(0.0, color="black", linewidth=0.8)
    for row, one in enumerate(scores):
        if test := one.difference:
            values = (test.delta_low, test.delta, test.delta_high)
            _draw_interval(panel, row, values, one, unit)
    _name_rows(panel, scores)
    panel.tick_params(labelleft=False)


def _draw_interval(
    panel: Any, row: int, values: tuple[float, float, float], score: SystemScore, unit: Unit
) -> None:
    low, middle, high = (unit.factor * value for value in values)
    color = _MARKED if score.is_significant else _OPEN
    panel.plot([low, high], [row, row], color=color, linewidth=1.6)
    panel.plot([middle], [row], "o" if score.is_significant else "D", color=color)


def _name_rows(panel: Any, scores: list[SystemScore]) -> None:
    marks = (" *" if one.is_significant else "" for one in scores)
    names = [_label(one.system) + mark for one, mark in zip(scores, marks, strict=True)]
    panel.set_yticks(range(len(scores)), names)
    panel.set_ylim(len(scores) - 0.5, -0.5)  # the baseline above
    panel.grid(axis="x", alpha=0.3)


def _label(name: str) -> str:
    """Return a name that matplotlib prints as it is."""
    return printable(name).replace("$", r"\$")
