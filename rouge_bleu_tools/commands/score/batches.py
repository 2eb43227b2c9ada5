"""Texts, some rows at a time -> the result of a metric, and the scores of each row.

Rows are scored as they come, and only sums are kept, so that memory does not grow with
the file: `batch_statistics`, `item_scores` and `fold` of the metrics. Where the score is
no function of sums (`can_fold`), all rows are read before they are scored.

Rows are counted from 1; these numbers are the ids by which intervals draw.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

N_ROWS = 20_000  # scored together: enough for several processes, some 15 MB of texts
ROW = "row"
_OF_INTERVALS = ("confidence_level", "n_resamples", "seed")


@dataclass(frozen=True)
class Texts:
    """Some rows: predictions, and a list of references for each."""

    predictions: list[str]
    references: list[list[str]]


# What becomes of the scores of some rows: a table of Arrow with a column of row numbers.
Write = Callable[[Any], None]


def result_of_batches(
    metric: Any,
    batches: Iterable[Texts],
    options: dict[str, Any],
    write: Write | None = None,
) -> dict[str, Any]:
    """Return the result of all rows, and write their scores as they come.

    Intervals are those of `fold`, which draws for each row by itself.
    """
    if not metric.can_fold(**options):
        return _result_of_whole(metric, batches, options, write)
    with _warnings_of_most() as warned:
        statistics = _statistics(metric, batches, options, write, warned)
        result = metric.fold(statistics, **options)
    return {key: result[key] for key in result if key not in ("n_items", "n_skipped")}


def _statistics(
    metric: Any,
    batches: Iterable[Texts],
    options: dict[str, Any],
    write: Write | None,
    warned: _Warned,
) -> Iterator[Any]:
    """Yield the statistics of batches, and write the scores of their rows."""
    first = 1
    for texts in batches:
        rows = arrow_table(texts)
        with warned.by(len(texts.predictions)):
            of_rows = metric.batch_statistics(rows, first_item=first, **options)
        if write is not None:
            scores = metric.item_scores(of_rows, **options)
            write(scores.rename_columns([ROW, *scores.schema.names[1:]]))
        yield of_rows
        first += len(texts.predictions)


def _result_of_whole(
    metric: Any, batches: Iterable[Texts], options: dict[str, Any], write: Write | None
) -> dict[str, Any]:
    import pyarrow as pa

    predictions: list[str] = []
    references: list[list[str]] = []
    for texts in batches:
        predictions += texts.predictions
        references += texts.references
    data = {"predictions": predictions, "references": references}
    result = metric.compute(**data, **options)
    if write is not None:
        of_items = {
            name: options[name] for name in options if name not in _OF_INTERVALS
        }
        of_items |= {"use_aggregator": False, "signature": False}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # they were shown before
            scores = metric.compute(**data, **of_items)
        write(
            pa.RecordBatch.from_pydict({ROW: range(1, len(predictions) + 1), **scores})
        )
    return result


def arrow_table(texts: Texts) -> Any:
    """Return texts as a table of Arrow."""
    import pyarrow as pa

    columns = [
        pa.array(texts.predictions, pa.large_string()),
        pa.array(texts.references, pa.list_(pa.large_string())),
    ]
    return pa.table(columns, names=["predictions", "references"])


# --- warnings -------------------------------------------------------------------------


@dataclass(frozen=True)
class _Warned:
    """How many rows there were, and how many in batches that gave a warning."""

    rows: Counter[str] = field(default_factory=Counter)
    rows_of_message: Counter[str] = field(default_factory=Counter)

    @contextmanager
    def by(self, n_rows: int) -> Iterator[None]:
        """Count the warnings of a batch of so many rows."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            yield
        self.rows["all"] += n_rows
        for message in {str(warning.message) for warning in caught}:
            self.rows_of_message[message] += n_rows


@contextmanager
def _warnings_of_most() -> Iterator[_Warned]:
    """Give what counts warnings; warn at the end as batches with most rows did.

    A metric judges a batch by itself, and the last one may have a single row.
    """
    warned = _Warned()
    yield warned
    for message, n_rows in warned.rows_of_message.items():
        if 2 * n_rows > warned.rows["all"]:
            warnings.warn(message, stacklevel=1)
