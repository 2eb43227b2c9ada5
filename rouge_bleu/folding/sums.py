"""Statistics of items, in any number of batches -> sums of bounded size -> scores.

    batch of texts -> statistics of its items -> sums -> sums of sums -> result

All three are tables of Arrow, so that they travel between the machines of a cluster.
Statistics have a row for each item. Sums have a row for the corpus, "resample" 0, and
one for each resample of the bootstrap; they are as large for one item as for all. Sums
of the same resample add up, column by column: integers, in any order, with the same
outcome (`folding/exact_sums.py`). How often an item stands in a resample depends on its id and
not on its place (`resampling/poisson_weights.py`). So neither batches nor partitions, nor which of
them comes first, change a digit of the result.

Metrics say in a `FoldPlan` which columns items have, and how scores follow from sums.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from ..data.corpus import Corpus
from ..resampling.poisson_weights import poisson_weights
from ..resampling.uncertainty import Resampling
from .arrow_rows import record_batch
from .exact_sums import MAX_SUMMED_ITEMS, PARTS_OF_KIND, summands, values_of_sums

ITEM, N_REFERENCES, IS_TOKENIZED = "item", "n_references", "is_tokenized"
_RESAMPLE, _SEED = "resample", "seed"
_N_ITEMS, _N_SKIPPED, _N_TOKENIZED = "n_items", "n_skipped", "n_tokenized"
_FEWEST, _MOST = "fewest_references", "most_references"
_DESCRIPTIONS = (_RESAMPLE, _SEED, _N_SKIPPED, _N_TOKENIZED, _FEWEST, _MOST)

_MAX_BLOCK_WEIGHTS = 1 << 20
# Their sums are exact in floats: numbers below 2^33 with weights of at most 8 stay
# below 2^53.
_MAX_BLOCK_ITEMS = 1 << 16

Values = Mapping[str, np.ndarray]


class CannotFold(ValueError):
    """The score of a corpus is no function of sums under these options."""


@dataclass(frozen=True, kw_only=True)
class FoldPlan:
    """What a metric makes of items and of sums, under some options.

    Parameters
    ----------
    kind_of_column : mapping of str to str
        The columns of items, and the kinds of `folding/exact_sums.py` that they are.
    of_items : function
        From a corpus to the columns of its items, ndarrays of shape (n_items,).
    keys : list of str
        The scores.
    scores : function
        From columns, summed up or averaged, to scores, ndarray of float64, shape
        (n_keys, n_sums).
    item_scores : function
        The same from columns of items to the scores of items.
    parts : function
        From the columns of the corpus, shape (1,), to what stands beside the scores.
    """

    kind_of_column: Mapping[str, str]
    of_items: Callable[[Corpus], Mapping[str, np.ndarray]]
    keys: list[str]
    scores: Callable[[Values], np.ndarray]
    item_scores: Callable[[Values], np.ndarray]
    parts: Callable[[Values], dict[str, Any]]

    @property
    def summed_columns(self) -> list[str]:
        """The names under which sums of all columns are held."""
        return [
            column + part
            for column, kind in self.kind_of_column.items()
            for part in PARTS_OF_KIND[kind]
        ]


# --- items ----------------------------------------------------------------------------


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


def item_values(
    plan: FoldPlan, statistics: pa.RecordBatch
) -> tuple[Values, np.ndarray]:
    """Return the columns of the items of a batch that are scored, and which these are."""
    _check_columns(statistics, (N_REFERENCES, IS_TOKENIZED, *plan.kind_of_column))
    is_scored = _numpy(statistics.column(N_REFERENCES).is_valid())
    kept = statistics.filter(pa.array(is_scored))
    values = {
        name: _numpy(kept.column(name)).astype(
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


def _numpy(column: Any) -> np.ndarray:
    return column.to_numpy(zero_copy_only=False)


def _check_columns(batch: Any, names: Iterable[str]) -> None:
    missing = [name for name in names if name not in batch.schema.names]
    if missing:
        raise ValueError(
            f"batches must have a column {missing[0]!r} under these options, got"
            f" {', '.join(map(repr, batch.schema.names)) or 'none'}: make statistics, add"
            " them up and fold them with the same options"
        )


# --- sums -----------------------------------------------------------------------------


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


def summed_batches(
    plan: FoldPlan, batches: Iterable[Any], resampling: Resampling
) -> FoldSums:
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
    is_resampled = resampling.confidence_level is not None
    n_resamples = int(resampling.n_resamples) if is_resampled else 0
    seed = int(resampling.seed) if is_resampled else None
    sums = _no_sums(plan, n_resamples, seed)
    for batch in batches:
        one = record_batch("batches", batch)
        if _RESAMPLE in one.schema.names:
            sums = _added(sums, _read_sums(plan, one, n_resamples, seed))
            continue
        for first in range(0, one.num_rows, _MAX_BLOCK_ITEMS):
            part = one.slice(first, _MAX_BLOCK_ITEMS)
            sums = _added(sums, _sums_of_items(plan, part, n_resamples, seed))
    return sums


def _no_sums(plan: FoldPlan, n_resamples: int, seed: int | None) -> FoldSums:
    names = (_N_ITEMS, *plan.summed_columns)
    return FoldSums(
        columns={name: np.zeros(1 + n_resamples, dtype=np.int64) for name in names},
        n_skipped=0,
        n_tokenized=0,
        fewest_references=None,
        most_references=None,
        seed=seed,
    )


def _added(left: FoldSums, right: FoldSums) -> FoldSums:
    columns = {name: left.columns[name] + right.columns[name] for name in left.columns}
    if columns[_N_ITEMS].max() > MAX_SUMMED_ITEMS:
        raise ValueError(
            f"batches must have at most {MAX_SUMMED_ITEMS} items together, got "
            f"{columns[_N_ITEMS].max()}"
        )
    sums = FoldSums(
        columns=columns,
        n_skipped=left.n_skipped + right.n_skipped,
        n_tokenized=left.n_tokenized + right.n_tokenized,
        fewest_references=_extreme(
            min, [left.fewest_references, right.fewest_references]
        ),
        most_references=_extreme(max, [left.most_references, right.most_references]),
        seed=left.seed,
    )
    if sums.n_tokenized not in (0, sums.n_items):
        raise ValueError(
            "batches must all have strings as predictions or all have lists of tokens, "
            f"got {sums.n_items - sums.n_tokenized} items with strings and "
            f"{sums.n_tokenized} with tokens"
        )
    return sums


def _extreme(choose: Callable[..., int], values: list[int | None]) -> int | None:
    """Return the least or the greatest of what is known, or None."""
    known = [value for value in values if value is not None]
    return choose(known) if known else None


def _sums_of_items(
    plan: FoldPlan, batch: Any, n_resamples: int, seed: int | None
) -> FoldSums:
    values, is_scored = item_values(plan, batch)
    kept = batch.filter(pa.array(is_scored))
    n_items = kept.num_rows
    parts = [np.ones((1, n_items), dtype=np.int64)]
    parts += [
        summands(values[name], kind) for name, kind in plan.kind_of_column.items()
    ]
    rows = np.concatenate(parts)
    sums = rows.sum(axis=1, keepdims=True)
    if seed is not None:
        ids = _id_numbers(kept)
        resampled = np.zeros((len(rows), n_resamples), dtype=np.int64)
        for first, end in _blocks(n_items, n_resamples):
            weights = poisson_weights(ids[first:end], n_resamples, seed)
            drawn = rows[:, first:end].astype(np.float64) @ weights
            resampled += drawn.astype(np.int64)
        sums = np.concatenate([sums, resampled], axis=1)
    n_references = _numpy(kept.column(N_REFERENCES))
    return FoldSums(
        columns=dict(zip((_N_ITEMS, *plan.summed_columns), sums, strict=True)),
        n_skipped=batch.num_rows - n_items,
        n_tokenized=int(_numpy(kept.column(IS_TOKENIZED)).sum()),
        fewest_references=int(n_references.min()) if n_items else None,
        most_references=int(n_references.max()) if n_items else None,
        seed=seed,
    )


def _blocks(n_items: int, n_resamples: int) -> Iterator[tuple[int, int]]:
    step = max(1, _MAX_BLOCK_WEIGHTS // n_resamples)
    for first in range(0, n_items, step):
        yield first, min(first + step, n_items)


def _id_numbers(batch: Any) -> np.ndarray:
    """Return ids as numbers of 64 bits, ndarray of uint64, shape (n_rows,).

    A string is the first 8 bytes, from the lowest on, of its BLAKE2b digest.
    """
    if ITEM not in batch.schema.names:
        raise ValueError(
            "confidence_level needs ids of the items, which tell in which resamples an"
            " item stands: give batch_statistics() item='the column of ids' or"
            " first_item=..., so that batches have a column 'item'"
        )
    column = batch.column(ITEM)
    if pa.types.is_integer(column.type):
        return _numpy(column).astype(np.int64).view(np.uint64)
    digests = (
        hashlib.blake2b(text.encode(), digest_size=8).digest()
        for text in column.to_pylist()
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


def _read_sums(
    plan: FoldPlan, batch: Any, n_resamples: int, seed: int | None
) -> FoldSums:
    """Return the sums of a batch, which may be that of several batches in any order.

    Resamples that are not asked for are left out.
    """
    names = (_N_ITEMS, *plan.summed_columns)
    _check_columns(batch, (*_DESCRIPTIONS, *names))
    resample = _numpy(batch.column(_RESAMPLE))
    if seed is not None and batch.num_rows:
        _check_resamples(batch, resample, n_resamples, seed)
    columns = {}
    for name in names:
        values = _numpy(batch.column(name)).astype(np.int64)
        columns[name] = np.zeros(1 + n_resamples, dtype=np.int64)
        is_kept = resample <= n_resamples
        np.add.at(columns[name], resample[is_kept], values[is_kept])
    of_corpus = batch.filter(pa.array(resample == 0)).to_pydict()
    return FoldSums(
        columns=columns,
        n_skipped=sum(of_corpus[_N_SKIPPED]),
        n_tokenized=sum(of_corpus[_N_TOKENIZED]),
        fewest_references=_extreme(min, of_corpus[_FEWEST]),
        most_references=_extreme(max, of_corpus[_MOST]),
        seed=seed,
    )


def _check_resamples(
    batch: Any, resample: np.ndarray, n_resamples: int, seed: int
) -> None:
    """Raise where a batch of sums has other resamples than are asked for."""
    n_rows = np.bincount(resample)
    if len(n_rows) != 1 + n_resamples or (n_rows != n_rows[0]).any():
        raise ValueError(
            f"batches of sums must have {n_resamples} resamples, got {len(n_rows) - 1}: "
            "give the same confidence_level and n_resamples when you add up"
        )
    seeds = set(batch.column(_SEED).to_pylist())
    if seeds != {seed}:
        others = ", ".join(map(str, seeds - {seed}))
        raise ValueError(
            f"batches of sums must have seed {seed}, got {others}: give the same seed "
            "when you add up"
        )


# --- sums -> scores -------------------------------------------------------------------


def scores_of_corpus(
    plan: FoldPlan, sums: FoldSums
) -> tuple[np.ndarray, dict[str, Any]]:
    """Return the scores, ndarray of float64, shape (n_keys,), and what stands beside."""
    values = _values(plan, sums, slice(0, 1))
    return plan.scores(values)[:, 0], plan.parts(values)


def scores_of_resampled(plan: FoldPlan, sums: FoldSums) -> np.ndarray:
    """Return the scores of resamples, ndarray of float64, shape (n_keys, n_resamples).

    One that holds no item has none: NaN.
    """
    scores = plan.scores(_values(plan, sums, slice(1, None)))
    return np.where(sums.columns[_N_ITEMS][1:] > 0, scores, np.nan)


def _values(plan: FoldPlan, sums: FoldSums, rows: slice) -> Values:
    values = {}
    for name, kind in plan.kind_of_column.items():
        parts = [sums.columns[name + part][rows] for part in PARTS_OF_KIND[kind]]
        values[name] = values_of_sums(np.stack(parts), kind)
    return values
