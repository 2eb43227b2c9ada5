"""Statistics of items, in any number of batches -> sums of bounded size -> scores.

    batch of texts -> statistics of its items -> sums -> sums of sums -> result

Statistics and sums are tables of Arrow, which travel between the machines of a cluster.
Statistics have a row for each item (`folding/items.py`). Sums have a row for the corpus,
"resample" 0, and one for each resample of the bootstrap: they are as large for one item
as for all. Their columns are integers, which add up to the same in any order
(`folding/exact_sums.py`). How often an item stands in a resample depends on its id, not
on its place (`resampling/poisson_weights.py`). So batches, partitions and their order
change no digit of the result.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa

from ..resampling import Resampling, poisson_weights
from .arrow_rows import record_batch
from .exact_sums import MAX_SUMMED_ITEMS, PARTS_OF_KIND, summands, values_of_sums
from .items import IS_TOKENIZED, ITEM, N_REFERENCES, check_columns, item_values, numpy_of
from .plan import FoldPlan, Values

_RESAMPLE, _SEED = "resample", "seed"
_N_ITEMS, _N_SKIPPED, _N_TOKENIZED = "n_items", "n_skipped", "n_tokenized"
_FEWEST, _MOST = "fewest_references", "most_references"
_DESCRIPTIONS = (_RESAMPLE, _SEED, _N_SKIPPED, _N_TOKENIZED, _FEWEST, _MOST)

_MAX_BLOCK_WEIGHTS = 1 << 16  # they stay in the cache
# Their sums are exact in floats: numbers below 2^33 with weights of at most 8 stay
# below 2^53.
_MAX_BLOCK_ITEMS = 1 << 16


@dataclass(frozen=True, kw_only=True)
class FoldSums:
    """Sums over items.

    Parameters
    ----------
    columns : dict of str to ndarray of int64, shape (1 + n_resamples,)
        The number of items, "n_items", and the columns of a plan, for the corpus and
        for each resample.
    n_skipped, n_tokenized : int
        Rows that were left out, and items that are lists of tokens.
    fewest_references, most_references : int or None
        Of an item; None without items.
    seed : int or None
        That of the resamples, if there are any.
    """

    columns: dict[str, np.ndarray]
    n_skipped: int
    n_tokenized: int
    fewest_references: int | None
    most_references: int | None
    seed: int | None

    @property
    def n_items(self) -> int:
        """The number of items of the corpus."""
        return int(self.columns[_N_ITEMS][0])

    @property
    def n_resamples(self) -> int:
        """The number of resamples."""
        return len(self.columns[_N_ITEMS]) - 1


def summed_batches(plan: FoldPlan, batches: Iterable[Any], resampling: Resampling) -> FoldSums:
    """Return the sums over batches, each of statistics of items or of sums.

    Without batches all of it is 0.

    Parameters
    ----------
    plan : FoldPlan
    batches : iterable of pyarrow.RecordBatch or pyarrow.Table
    resampling : Resampling
        With a confidence level there are resamples.

    Raises
    ------
    TypeError
        Something is no batch.
    ValueError
        Batches do not go together, or lack what the options ask for.
    """
    sums = nothing = _no_sums(plan, resampling)
    for batch in batches:
        one = record_batch("batches", batch)
        if _RESAMPLE in one.schema.names:
            sums = _added(sums, _read_sums(one, nothing))
            continue
        for first in range(0, one.num_rows, _MAX_BLOCK_ITEMS):
            part = one.slice(first, _MAX_BLOCK_ITEMS)
            sums = _added(sums, _sums_of_items(plan, part, nothing))
    return sums


def _no_sums(plan: FoldPlan, resampling: Resampling) -> FoldSums:
    """Return the sums over no items, with the columns and resamples of all others."""
    is_resampled = resampling.confidence_level is not None
    n_resamples = int(resampling.n_resamples) if is_resampled else 0
    names = (_N_ITEMS, *plan.summed_columns)
    return FoldSums(
        columns={name: np.zeros(1 + n_resamples, dtype=np.int64) for name in names},
        n_skipped=0,
        n_tokenized=0,
        fewest_references=None,
        most_references=None,
        seed=int(resampling.seed) if is_resampled else None,
    )


def _added(left: FoldSums, right: FoldSums) -> FoldSums:
    columns = {name: left.columns[name] + right.columns[name] for name in left.columns}
    if columns[_N_ITEMS].max() > MAX_SUMMED_ITEMS:
        raise ValueError(
            f"batches must have at most {MAX_SUMMED_ITEMS} items together, got "
            f"{columns[_N_ITEMS].max()}"
        )
    sums = replace(
        left,
        columns=columns,
        n_skipped=left.n_skipped + right.n_skipped,
        n_tokenized=left.n_tokenized + right.n_tokenized,
        fewest_references=_extreme(min, [left.fewest_references, right.fewest_references]),
        most_references=_extreme(max, [left.most_references, right.most_references]),
    )
    if sums.n_tokenized not in (0, sums.n_items):
        raise ValueError(
            "batches must all have strings as predictions or all have lists of tokens, "
            f"got {sums.n_items - sums.n_tokenized} items with strings and "
            f"{sums.n_tokenized} with tokens"
        )
    return sums


def _extreme(choose: Callable[..., int], values: list[int | None]) -> int | None:
    """Return the least or the greatest of the values that are known; None without any."""
    known = [value for value in values if value is not None]
    return choose(known) if known else None


def _sums_of_items(plan: FoldPlan, batch: Any, nothing: FoldSums) -> FoldSums:
    values, is_scored = item_values(plan, batch)
    kept = batch.filter(pa.array(is_scored))
    n_items = kept.num_rows
    parts = [np.ones((1, n_items), dtype=np.int64)]
    parts += [summands(values[name], kind) for name, kind in plan.kind_of_column.items()]
    rows = np.concatenate(parts)
    sums = rows.sum(axis=1, keepdims=True)
    if nothing.seed is not None:
        ids = _id_numbers(kept)
        resampled = np.zeros((len(rows), nothing.n_resamples), dtype=np.int64)
        for first, end in _blocks(n_items, nothing.n_resamples):
            weights = poisson_weights(ids[first:end], nothing.n_resamples, nothing.seed)
            drawn = rows[:, first:end].astype(np.float64) @ weights
            resampled += drawn.astype(np.int64)
        sums = np.concatenate([sums, resampled], axis=1)
    n_references = numpy_of(kept.column(N_REFERENCES))
    return replace(
        nothing,
        columns=dict(zip(nothing.columns, sums, strict=True)),
        n_skipped=batch.num_rows - n_items,
        n_tokenized=int(numpy_of(kept.column(IS_TOKENIZED)).sum()),
        fewest_references=int(n_references.min()) if n_items else None,
        most_references=int(n_references.max()) if n_items else None,
    )


def _blocks(n_items: int, n_resamples: int) -> Iterator[tuple[int, int]]:
    step = max(1, _MAX_BLOCK_WEIGHTS // n_resamples)
    for first in range(0, n_items, step):
        yield first, min(first + step, n_items)


def _id_numbers(batch: Any) -> np.ndarray:
    """Return ids as numbers of 64 bits, ndarray of uint64, shape (n_rows,).

    The number of a string is its BLAKE2b digest of 8 bytes, the lowest first.
    """
    if ITEM not in batch.schema.names:
        raise ValueError(
            "confidence_level needs ids of the items, which tell in which resamples an"
            " item stands: give batch_statistics() item='the column of ids' or"
            " first_item=..., so that batches have a column 'item'"
        )
    column = batch.column(ITEM)
    if pa.types.is_integer(column.type):
        return numpy_of(column).astype(np.int64).view(np.uint64)
    digests = (
        hashlib.blake2b(text.encode(), digest_size=8).digest() for text in column.to_pylist()
    )
    return np.frombuffer(b"".join(digests), dtype="<u8").astype(np.uint64)


# --- sums as tables -------------------------------------------------------------------


def table_of_sums(sums: FoldSums) -> pa.RecordBatch:
    """Return sums as a batch with a row for the corpus and for each resample.

    What is not a sum over items, such as the seed, stands in each row.
    """
    n_rows = 1 + sums.n_resamples
    descriptions = {
        _SEED: sums.seed,
        _N_SKIPPED: sums.n_skipped,
        _N_TOKENIZED: sums.n_tokenized,
        _FEWEST: sums.fewest_references,
        _MOST: sums.most_references,
    }
    arrays = {_RESAMPLE: pa.array(np.arange(n_rows))}
    for name, value in descriptions.items():
        arrays[name] = pa.array([value] * n_rows, type=pa.int64())
    for name, values in sums.columns.items():
        arrays[name] = pa.array(values)
    return pa.RecordBatch.from_pydict(arrays)


def _read_sums(batch: Any, nothing: FoldSums) -> FoldSums:
    """Return the sums in a table, which may be the rows of several tables in any order.

    Resamples that are not asked for are left out.
    """
    check_columns(batch, (*_DESCRIPTIONS, *nothing.columns))
    resample = numpy_of(batch.column(_RESAMPLE))
    if nothing.seed is not None and batch.num_rows:
        _check_resamples(batch, resample, nothing)
    is_kept = resample <= nothing.n_resamples
    columns = {name: zeros.copy() for name, zeros in nothing.columns.items()}
    for name, sums in columns.items():
        values = numpy_of(batch.column(name)).astype(np.int64)
        np.add.at(sums, resample[is_kept], values[is_kept])
    of_corpus = batch.filter(pa.array(resample == 0)).to_pydict()
    return replace(
        nothing,
        columns=columns,
        n_skipped=sum(of_corpus[_N_SKIPPED]),
        n_tokenized=sum(of_corpus[_N_TOKENIZED]),
        fewest_references=_extreme(min, of_corpus[_FEWEST]),
        most_references=_extreme(max, of_corpus[_MOST]),
    )


def _check_resamples(batch: Any, resample: np.ndarray, asked: FoldSums) -> None:
    """Raise where a batch of sums has other resamples than are asked for."""
    n_rows = np.bincount(resample)
    if len(n_rows) != 1 + asked.n_resamples or (n_rows != n_rows[0]).any():
        raise ValueError(
            f"batches of sums must have {asked.n_resamples} resamples, got "
            f"{len(n_rows) - 1}: give the same confidence_level and n_resamples when you "
            "add up"
        )
    seeds = set(batch.column(_SEED).to_pylist())
    if seeds != {asked.seed}:
        others = ", ".join(map(str, seeds - {asked.seed}))
        raise ValueError(
            f"batches of sums must have seed {asked.seed}, got {others}: give the same "
            "seed when you add up"
        )


# --- sums -> scores -------------------------------------------------------------------


def scores_of_corpus(plan: FoldPlan, sums: FoldSums) -> tuple[np.ndarray, dict[str, Any]]:
    """Return the scores, shape (n_keys,), and what the result has beside them."""
    values = _values(plan, sums, slice(0, 1))
    return plan.scores(values)[:, 0], plan.parts(values)


def scores_of_resampled(plan: FoldPlan, sums: FoldSums) -> np.ndarray:
    """Return the scores of resamples, ndarray of float64, shape (n_keys, n_resamples).

    They are NaN for a resample without items.
    """
    scores = plan.scores(_values(plan, sums, slice(1, None)))
    return np.where(sums.columns[_N_ITEMS][1:] > 0, scores, np.nan)


def _values(plan: FoldPlan, sums: FoldSums, rows: slice) -> Values:
    values = {}
    for name, kind in plan.kind_of_column.items():
        parts = [sums.columns[name + part][rows] for part in PARTS_OF_KIND[kind]]
        values[name] = values_of_sums(np.stack(parts), kind)
    return values
