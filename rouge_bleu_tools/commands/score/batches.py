"""Texts, some rows at a time -> the result of a metric, and the scores of each row.

Rows are scored as they come, and only sums are kept, so that memory does not grow with
the file: `batch_statistics`, `item_scores`, `sum_statistics` and `fold` of the metrics.
Several metrics score the same rows as they come. Where the score is no function of sums
(`can_fold`), all rows are read before they are scored.

Rows are counted from 1; these numbers are the ids by which intervals draw.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from rouge_bleu_tools.commands.inputs.items import Texts

N_ROWS = 20_000  # scored together: enough for several processes, some 15 MB of texts
ROW = "row"
_OF_INTERVALS = ("confidence_level", "n_resamples", "seed")


# What becomes of the scores of some rows: a table of Arrow with a column of row numbers.
Write = Callable[[Any], None]


class Scoring:
    """The score of one metric, of rows that come some at a time.

    Intervals are those of `fold`, which draws for each row by itself. `write` gets the
    scores of the rows.
    """

    def __init__(
        self,
        metric: Any,
        options: Mapping[str, Any],
        write: Write | None = None,
        *,
        folds: bool = True,
    ) -> None:
        self._metric, self._options, self._write = metric, options, write
        of_corpus = options.get("use_aggregator", True)
        self._folds = folds and of_corpus and metric.can_fold(**options)
        self._n_rows = 0
        self._sums: Any = None
        self._texts = Texts([], [])  # of all rows, where they do not fold
        self._warned = _Warned()

    def add(self, texts: Texts) -> None:
        """Take some rows more."""
        first = self._n_rows + 1
        self._n_rows += len(texts.predictions)
        if not self._folds:
            self._texts.predictions.extend(texts.predictions)
            self._texts.references.extend(texts.references)
            return
        metric, options = self._metric, self._options
        rows = arrow_table(texts)
        with self._warned.by(len(texts.predictions)):
            of_rows = metric.batch_statistics(rows, first_item=first, **options)
        if self._write is not None:
            scores = metric.item_scores(of_rows, **options)
            self._write(scores.rename_columns([ROW, *scores.schema.names[1:]]))
        batches = [of_rows] if self._sums is None else [self._sums, of_rows]
        self._sums = metric.sum_statistics(batches, **options)

    def result(self) -> dict[str, Any]:
        """Return the result of all rows."""
        if not self._folds:
            return self._result_of_whole()
        self._warned.warn_of_most()
        result = self._metric.fold(self._sums, **self._options)
        return {key: result[key] for key in result if key not in ("n_items", "n_skipped")}

    def _result_of_whole(self) -> dict[str, Any]:
        import pyarrow as pa

        data = {"predictions": self._texts.predictions, "references": self._texts.references}
        result: dict[str, Any] = self._metric.compute(**data, **self._options)
        if self._write is not None:
            of_items = {
                name: value for name, value in self._options.items() if name not in _OF_INTERVALS
            }
            of_items |= {"use_aggregator": False, "signature": False}
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # they were shown before
                scores = self._metric.compute(**data, **of_items)
            columns = {ROW: range(1, self._n_rows + 1), **scores}
            self._write(pa.RecordBatch.from_pydict(columns))
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

    def warn_of_most(self) -> None:
        """Warn as batches with most rows did.

        A metric judges a batch by itself, and the last one may have a single row.
        """
        for message, n_rows in self.rows_of_message.items():
            if 2 * n_rows > self.rows["all"]:
                warnings.warn(message, stacklevel=1)
