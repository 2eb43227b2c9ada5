"""The result of a metric -> the lines that `rouge-bleu score` prints."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

_OUTPUTS = ("precision", "recall", "fmeasure")
_BOUNDS = ("low", "high")  # of an interval
# What no scale changes: parts of BLEU that are no scores.
_NO_SCORES = ("brevity_penalty", "length_ratio", "reference_length")


@dataclass(frozen=True)
class Digits:
    """How numbers are written: scores times 1 or 100, with so many digits behind the point.

    What no scale changes has digits of its own.
    """

    factor: float = 1.0
    n: int = 4
    n_of_no_score: int = 4

    def of(self, value: Any, key: str = "") -> str:
        """Return a number; whole numbers are counts."""
        if isinstance(value, int):
            return f"{value:,}"
        if key in _NO_SCORES:
            return f"{value:.{self.n_of_no_score}f}"
        return f"{self.factor * value:.{self.n}f}"


_FOUR = Digits()


def table_of_result(metric_name: str, result: dict[str, Any], digits: Digits = _FOUR) -> list[str]:
    """Return the lines of the scores, and the signature, which says how to get them."""
    scores = {key: value for key, value in result.items() if key != "signature"}
    return [*_LAYOUTS[metric_name](scores, digits), "", result["signature"]]


def table_of_rows(result: dict[str, Any], digits: Digits = _FOUR) -> list[str]:
    """Return a line for each row, its scores between tabs, the signature behind them."""
    scores = {key: value for key, value in result.items() if key != "signature"}
    lines = ["\t".join(["row", *scores])]
    rows = zip(*scores.values(), strict=True)
    for number, row in enumerate(rows, start=1):
        cells = (_cell(value, key, digits) for key, value in zip(scores, row, strict=True))
        lines.append("\t".join([str(number), *cells]))
    return [*lines, "", result["signature"]]


def _cell(value: Any, key: str, digits: Digits) -> str:
    values = value if isinstance(value, list) else [value]
    return ",".join(digits.of(one, key) for one in values)


def numbers_of_result(result: Mapping[str, Any], digits: Digits, *, only_f: bool) -> list[str]:
    """Return the scores alone, one in each line; of rows a line for each of them.

    Parameters
    ----------
    result : mapping
        Without parts of BLEU.
    digits : Digits
    only_f : bool
        Whether of precision, recall and F only the last one is wanted.
    """
    keys = [
        key
        for key in result
        if key != "signature" and not key.endswith(tuple(f"_{b}" for b in _BOUNDS))
    ]
    if only_f and any(key.endswith("_fmeasure") for key in keys):
        keys = [key for key in keys if key.endswith("_fmeasure")]
    if keys and isinstance(result[keys[0]], list):
        rows = zip(*(result[key] for key in keys), strict=True)
        return [" ".join(map(digits.of, row)).replace(",", "") for row in rows]
    return [digits.of(result[key]).replace(",", "") for key in keys]


def _rouge_table(result: dict[str, Any], digits: Digits) -> list[str]:
    """Return a row for each type; one for each number where they are counts."""
    scores = [key for key in result if not key.endswith(_BOUNDS)]
    if not all(key.endswith(_OUTPUTS) for key in scores):
        rows = [(key.replace("_", " "), digits.of(result[key])) for key in result]
        return _rows(rows)
    names = list(dict.fromkeys(key.rpartition("_")[0] for key in scores))
    width = max(map(len, names))
    lines = [f"{'':{width}}  precision   recall        F"]
    for name in names:
        keys = [f"{name}_{output}" for output in _OUTPUTS]
        lines.append(_rouge_row(name, width, [result[key] for key in keys], digits))
        for bound in _BOUNDS:
            bounds = [result.get(f"{key}_{bound}") for key in keys]
            if None not in bounds:
                lines.append(_rouge_row(f"  {bound}", width, bounds, digits))
    return lines


def _rouge_row(label: str, width: int, values: list[Any], digits: Digits) -> str:
    cells = "".join(f"{digits.of(value):>9}" for value in values)
    return f"{label:{width}}  {cells}"


def _bleu_table(result: dict[str, Any], digits: Digits) -> list[str]:
    return _rows(list(_bleu_cells(result, digits)))


def _bleu_cells(result: dict[str, Any], digits: Digits) -> Iterator[tuple[str, str]]:
    for name, value in result.items():
        label = name.replace("_", " ")
        if not isinstance(value, list):
            yield label, digits.of(value, name)
            continue
        # Precisions, and with preset "sacrebleu" counts and totals.
        for order, part in enumerate(value, start=1):
            yield f"{label.removesuffix('s')} of {order}-grams", digits.of(part)


def _rows(rows: list[tuple[str, str]]) -> list[str]:
    width = max(20, *(len(label) for label, _ in rows))
    return [f"{label:{width}}{value:>9}" for label, value in rows]


_LAYOUTS: dict[str, Callable[[dict[str, Any], Digits], list[str]]] = {
    "rouge_full": _rouge_table,
    "bleu_full": _bleu_table,
}
