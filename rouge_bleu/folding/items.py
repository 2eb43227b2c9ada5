"""Statistics of the items of a batch, as a table of Arrow, and the scores of items."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pyarrow as pa

from ..corpus import Corpus
from .arrow_rows import record_batch
from .plan import FoldPlan, Values

ITEM, N_REFERENCES, IS_TOKENIZED = "item", "n_references", "is_tokenized"


def item_statistics(
    plan: FoldPlan, corpus: Corpus, is_scored: np.ndarray, item: Any
) -> pa.RecordBatch:
    """Return the statistics of rows, null where a row is not scored.

    Parameters
    ----------
    plan : FoldPlan
    corpus : Corpus
        The rows that are scored.
    is_scored : ndarray of bool, shape (n_rows,)
    item : pyarrow array or None
        The ids of the rows.
    """
    n_items = len(corpus)
    columns: dict[str, np.ndarray] = {
        N_REFERENCES: np.diff(corpus.reference_offsets).astype(np.int64),
        IS_TOKENIZED: np.full(n_items, corpus.is_tokenized),
    }
    if n_items:
        columns |= plan.of_items(corpus)
    else:
        columns |= {name: np.zeros(0) for name in plan.kind_of_column}
    kinds = {N_REFERENCES: pa.int64(), IS_TOKENIZED: pa.bool_()}
    kinds |= {
        name: pa.int64() if kind == "count" else pa.float64()
        for name, kind in plan.kind_of_column.items()
    }
    arrays = {} if item is None else {ITEM: item}
    for name, values in columns.items():
        of_rows = np.zeros(len(is_scored), dtype=values.dtype)
        of_rows[is_scored] = values
        arrays[name] = pa.array(of_rows, mask=~is_scored).cast(kinds[name])
    return pa.RecordBatch.from_pydict(arrays)


def item_values(plan: FoldPlan, statistics: pa.RecordBatch) -> tuple[Values, np.ndarray]:
    """Return the columns of the items that are scored, and the mask of their rows."""
    check_columns(statistics, (N_REFERENCES, IS_TOKENIZED, *plan.kind_of_column))
    is_scored = numpy_of(statistics.column(N_REFERENCES).is_valid())
    kept = statistics.filter(pa.array(is_scored))
    values = {
        name: numpy_of(kept.column(name)).astype(
            np.int64 if kind == "count" else np.float64, copy=False
        )
        for name, kind in plan.kind_of_column.items()
    }
    return values, is_scored


def table_of_item_scores(plan: FoldPlan, statistics: Any) -> pa.RecordBatch:
    """Return the ids and scores of items, null where a row is not scored."""
    if ITEM in plan.keys:
        raise ValueError(
            f"weights must have names other than {ITEM!r}, under which the scores of items"
            " have their ids"
        )
    statistics = record_batch("statistics", statistics)
    values, is_scored = item_values(plan, statistics)
    arrays = {}
    if ITEM in statistics.schema.names:
        arrays[ITEM] = statistics.column(ITEM)
    scores = np.zeros((len(plan.keys), len(is_scored)))
    scores[:, is_scored] = plan.item_scores(values)
    for key, of_items in zip(plan.keys, scores, strict=True):
        arrays[key] = pa.array(of_items, mask=~is_scored)
    return pa.RecordBatch.from_pydict(arrays)


def numpy_of(column: Any) -> np.ndarray:
    return column.to_numpy(zero_copy_only=False)


def check_columns(batch: Any, names: Iterable[str]) -> None:
    missing = [name for name in names if name not in batch.schema.names]
    if missing:
        raise ValueError(
            f"batches must have a column {missing[0]!r} under these options, got"
            f" {', '.join(map(repr, batch.schema.names)) or 'none'}: make statistics, add"
            " them up and fold them with the same options"
        )
