"""Scores of data that no machine has as a whole: batches of Arrow, in three steps.

    batch_statistics    a batch of texts -> the statistics of its items
    sum_statistics      any number of these -> sums, of a size that does not grow
    fold                statistics or sums -> the result

The first two run where the data is, the last one where the result is wanted. Statistics
have a row for each item. Sums have a row for the corpus, "resample" 0, and one for each
resample of the bootstrap. Their columns are integers, which add up to the same in any order,
and how often an item occurs in a resample depends on its id alone. So batches, partitions and
their order change no digit of the result.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa

from .corpus import Corpus, check_tokens, checked_corpus
from .messages import shown
from .options import check_choice, check_integer, checked_options
from .resampling import Resampling, percentile_bounds, poisson_weights, with_uncertainty
from .scorer import ItemStatistics, Scorer
from .signature import signature_line

MAX_SUMMED_ITEMS = 1 << 32

_COLUMN_ARGUMENTS = (*("batch", "predictions", "references", "item", "first_item", "missing"),)
_TEXT_TYPES = ("string", "large_string", "string_view")
_ITEM, _N_REFERENCES, _IS_TOKENIZED = "item", "n_references", "is_tokenized"
_RESAMPLE, _SEED = "resample", "seed"
_N_ITEMS, _N_SKIPPED, _N_TOKENIZED = _COUNTS = ("n_items", "n_skipped", "n_tokenized")
_FEWEST, _MOST = "fewest_references", "most_references"

_MAX_BLOCK_WEIGHTS = 1 << 16  # they stay in the cache
# Their sums are exact in floats: numbers below 2^33 with weights of at most 8 stay
# below 2^53.
_MAX_BLOCK_ITEMS = 1 << 16


class BatchMetric:
    """Mixin for an `evaluate.Metric`, whose `scorer` says what it keeps of items."""

    scorer: ClassVar[Scorer]
    name: str
    load_seed: int
    _load_options: Mapping[str, Any]

    def can_fold(self, **options: Any) -> bool:
        """Return whether the score of a corpus folds from statistics of its items.

        That is not so with presets "evaluate" and "rouge-1.5.5" of rouge_full.

        Parameters
        ----------
        **options
            Those of `compute`, with those of `load` as defaults.

        Raises
        ------
        TypeError, ValueError
            As in `batch_statistics`; with these presets there is no error.
        """
        checked = self._fold_options("can_fold", options, ())
        return self.scorer.statistics(checked) is not None

    def batch_statistics(
        self,
        batch: Any,
        *,
        predictions: str = "predictions",
        references: str = "references",
        item: str | None = None,
        first_item: int | None = None,
        missing: str = "error",
        **options: Any,
    ) -> pa.RecordBatch:
        """Return the statistics of each item of a batch, from which a score can be folded.

        They depend on the item alone, not on the batch.

        Parameters
        ----------
        batch : pyarrow.RecordBatch or pyarrow.Table
            A row for each item.
        predictions, references : str
            Its columns: strings, or lists of strings which are tokens; for references
            also lists of them, whose number may vary.
        item : str, optional
            The column of ids, integers or strings, each of one item only: intervals need
            them, and they stay in the statistics.
        first_item : int, optional
            The id of the first row, where ids are to be counted on from it.
        missing : str
            What becomes of a row with a null, or with an empty list of references: an
            "error" that names the row, or "skip": its statistics are null, and the
            result counts it.
        **options
            Those of `compute`, with those of `load` as defaults.

        Returns
        -------
        pyarrow.RecordBatch
            As many rows in the same order, with the columns "item" (if there are ids),
            "n_references" and "is_tokenized", and those of the metric. rouge_full: the
            scores of the item, float64, under the keys that `compute` has for them.
            bleu_full: "matches_1", "totals_1", "ngrams_1", ... of each order,
            "translation_length", "reference_length" and "n_reference_tokens": int64, or
            float64 for the second with reference_length="average". A batch without rows
            gives these columns too, so that their types are known.

        Raises
        ------
        TypeError, ValueError, ImportError
            As in `compute`; or a column is not there, has another type or lacks a value,
            or the options leave nothing to fold: presets "evaluate" and "rouge-1.5.5",
            and use_aggregator=False.
        """
        checked, statistics = self._statistics("batch_statistics", options, _COLUMN_ARGUMENTS)
        rows = checked_rows(
            batch,
            predictions=predictions,
            references=references,
            item=item,
            first_item=first_item,
            missing=missing,
        )
        checked.check_form(is_tokenized=rows.corpus.is_tokenized)
        if len(rows.corpus):
            check_tokens(rows.corpus)
            statistics.warn(rows.corpus)
        return _table_of_statistics(statistics, rows)

    def item_scores(self, statistics: Any, **options: Any) -> pa.RecordBatch:
        """Return the scores of items from their statistics.

        Parameters
        ----------
        statistics : pyarrow.RecordBatch or pyarrow.Table
            What `batch_statistics` returned.
        **options
            Those given there.

        Returns
        -------
        pyarrow.RecordBatch
            As many rows in the same order, with "item", if there are ids, and the scores
            that `compute` has with use_aggregator=False, float64; null where a row was
            skipped.
        """
        _, of_items = self._statistics("item_scores", options, ("statistics",))
        if _ITEM in of_items.keys:
            raise ValueError(
                f"weights must have names other than {_ITEM!r}, under which the scores of items"
                " have their ids"
            )
        batch = _record_batch("statistics", statistics)
        _, values, is_scored = _scored_items(of_items, batch)
        arrays = {_ITEM: batch.column(_ITEM)} if _ITEM in batch.schema.names else {}
        for key, scores in zip(of_items.keys, of_items.item_scores(np.array(values)), strict=False):
            arrays[key] = _array_of_rows(scores, is_scored)
        return pa.RecordBatch.from_pydict(arrays)

    def sum_statistics(self, batches: Any, **options: Any) -> pa.RecordBatch:
        """Return the sums of statistics: what they add to the score of a corpus.

        Sums of any batches can be added up further, or folded; the order and the size of
        the batches change nothing. They have as many rows as there are resamples, and
        one, for any number of items up to 2^32.

        Parameters
        ----------
        batches : iterable of pyarrow.RecordBatch or pyarrow.Table, or one of them
            What `batch_statistics` or this method returned, also mixed.
        **options
            Those given there. With `confidence_level` there are sums of `n_resamples`
            resamples too. How often an item stands in a resample is drawn from a Poisson
            distribution of mean 1, by a generator whose counter is made of `seed`, the
            number of the resample and the id of the item.

        Returns
        -------
        pyarrow.RecordBatch
            Rows: "resample" 0 is the corpus itself, 1 to `n_resamples` follow. Columns
            are whole numbers. To add up two tables, as a database can, group by
            "resample", take the minimum of "fewest_references", the maximum of
            "most_references", any "seed", and the sum of each other column.

        Raises
        ------
        TypeError, ValueError
            Batches were made with other options, or have no ids for resamples.
        """
        checked, statistics = self._statistics("sum_statistics", options, ("batches",))
        return _summed_batches(statistics, batches, checked.resampling(self.load_seed)).table()

    def fold(self, batches: Any, **options: Any) -> dict[str, Any]:
        """Return the result of a corpus from the statistics of its items.

        It is that of `compute` for all items, to 1e-12, whatever their order and their
        batches. Bounds with `confidence_level` are those of a Poisson bootstrap
        (`sum_statistics`): they differ from those of `compute` as those of two seeds do.

        Parameters
        ----------
        batches : iterable of pyarrow.RecordBatch or pyarrow.Table, or one of them
            What `batch_statistics` or `sum_statistics` returned, also mixed.
        **options
            Those given there.

        Returns
        -------
        dict
            The keys of `compute`, and "n_items" and "n_skipped": rows that were scored,
            and those that were left out.

        Raises
        ------
        TypeError, ValueError
            As in `sum_statistics`; or no item was scored.
        """
        checked, statistics = self._statistics("fold", options, ("batches",))
        sums = _summed_batches(statistics, batches, checked.resampling(self.load_seed))
        counts = sums.counts
        is_tokenized = counts.pop(_N_TOKENIZED) > 0
        keys, n_keys = statistics.keys, len(statistics.keys)
        if not counts[_N_ITEMS]:
            raise ValueError(
                f"batches hold no item that was scored, and {counts[_N_SKIPPED]} that were"
                " skipped: there is nothing to fold"
            )
        for key in set(keys) & set(counts):
            raise ValueError(
                f"weights must have names other than {key!r}, under which the result"
                " of fold has a number of items"
            )
        checked.check_form(is_tokenized=is_tokenized)
        rows = statistics.scores(sums.values(statistics))
        scores, bounds = rows[:n_keys, 0], {}
        if checked.confidence_level is not None:
            # A resample without items has no score.
            resampled = np.where(sums.sums[0, 1:] > 0, rows[:n_keys, 1:], np.nan)
            bounds["_low"], bounds["_high"] = percentile_bounds(
                resampled, scores, np.abs(scores), checked.confidence_level
            )
        parts = statistics.parts(rows[n_keys:, :1])
        result = with_uncertainty(keys, [scores], bounds)
        result |= {name: of[0] for name, of in parts.items()} | counts
        if not checked.signature:
            return result
        line = signature_line(
            self.name,
            checked,
            n_items=counts[_N_ITEMS],
            n_references=(sums.fewest_references or 0, sums.most_references or 0),
            is_tokenized=is_tokenized,
            seed=self.load_seed,
            draws="poisson",
        )
        return {**result, "signature": line}

    def _statistics(
        self, caller: str, given: Mapping[str, Any], arguments: Sequence[str]
    ) -> tuple[Any, ItemStatistics]:
        """Return the checked options of a call, and what is kept of items under them."""
        options = self._fold_options(caller, given, arguments)
        statistics = self.scorer.statistics(options)
        if statistics is None:
            raise ValueError(
                f"preset must not be {options.preset!r} where statistics are folded: its"
                " averages come from random samples of all items, which no machine has"
            )
        return options, statistics

    def _fold_options(self, caller: str, given: Mapping[str, Any], arguments: Sequence[str]) -> Any:
        """Return the checked options of a call, which must ask for a corpus."""
        options: Any = checked_options(
            self.scorer.options_class,
            given,
            load_options=self._load_options,
            caller=caller,
            other_arguments=arguments,
        )
        if not options.use_aggregator:
            raise ValueError(
                f"{caller}() needs use_aggregator=True, a score of the corpus, got"
                " use_aggregator=False: item_scores() gives the scores of items"
            )
        return options


# --- a batch of Arrow -> a checked corpus ---------------------------------------------


@dataclass(frozen=True)
class ArrowRows:
    """The rows of a batch."""

    corpus: Corpus  # those that can be scored
    is_scored: np.ndarray  # which ones these are, shape (n_rows,)
    item: pa.Array | None  # the ids of all rows


def checked_rows(
    batch: Any,
    *,
    predictions: str,
    references: str,
    item: str | None,
    first_item: int | None,
    missing: str,
) -> ArrowRows:
    """Return the rows of a batch, for the arguments of `batch_statistics`, or raise."""
    batch = _record_batch("batch", batch)
    check_choice("missing", missing, ("error", "skip"))
    ids = _ids(batch, item, first_item)
    columns = {
        "predictions": _text_column(batch, "predictions", predictions),
        "references": _text_column(batch, "references", references),
    }
    depth = {role: _list_depth(column.type) for role, column in columns.items()}
    cells = {role: column.to_pylist() for role, column in columns.items()}
    is_scored = np.ones(batch.num_rows, dtype=bool)
    for role, column in columns.items():
        # A list of tokens that is empty is a reference; a list of references is none.
        is_missing_empty = role == "references" and depth[role] > depth["predictions"]
        has_nulls = _has_nulls(column)
        if not has_nulls and not is_missing_empty:
            continue
        for row, cell in enumerate(cells[role]):
            if (has_nulls and _holds_null(cell)) or (is_missing_empty and cell == []):
                if missing == "error":
                    raise ValueError(_missing_value(role, row, cell, ids))
                is_scored[row] = False
    if not is_scored.all():
        kept = np.flatnonzero(is_scored).tolist()
        cells = {role: [column[row] for row in kept] for role, column in cells.items()}
    corpus = checked_corpus(cells["predictions"], cells["references"])
    return ArrowRows(corpus, is_scored, ids)


def _record_batch(name: str, batch: Any) -> pa.RecordBatch:
    """Return a batch or a table as one batch; `name` is that of the argument."""
    if isinstance(batch, pa.RecordBatch):
        return batch
    if not isinstance(batch, pa.Table):
        raise TypeError(
            f"{name} must be a pyarrow.RecordBatch or a pyarrow.Table, got {shown(batch)}"
        )
    columns = [column.combine_chunks() for column in batch.columns]
    return pa.RecordBatch.from_arrays(columns, schema=batch.schema)


def _column(batch: pa.RecordBatch, role: str, name: Any) -> pa.Array:
    indices = batch.schema.get_all_field_indices(name) if isinstance(name, str) else []
    if len(indices) != 1:
        fault = "occurs more than once" if indices else "is not there"
        raise ValueError(
            f"{role} must name a column of the batch, which has "
            f"{', '.join(map(repr, batch.schema.names)) or 'none'}: {name!r} {fault}"
        )
    return batch.column(indices[0])


def _text_column(batch: pa.RecordBatch, role: str, name: str) -> pa.Array:
    column = _column(batch, role, name)
    kind = column.type
    while _is_list(kind):
        kind = kind.value_type
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    is_text = pa.types.is_null(kind) or str(kind) in _TEXT_TYPES
    if not is_text or _list_depth(column.type) > 2:
        raise TypeError(
            f"{role} must be a column of strings or of lists of strings, got column "
            f"{name!r} of type {column.type}"
        )
    return column


def _list_depth(kind: pa.DataType) -> int:
    return 1 + _list_depth(kind.value_type) if _is_list(kind) else 0


def _is_list(kind: pa.DataType) -> bool:
    types = pa.types
    return types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind)


def _has_nulls(column: pa.Array) -> bool:
    return bool(column.null_count) or (_is_list(column.type) and _has_nulls(column.flatten()))


def _holds_null(cell: Any) -> bool:
    return any(map(_holds_null, cell)) if type(cell) is list else cell is None


def _missing_value(role: str, row: int, cell: Any, ids: pa.Array | None) -> str:
    fault = "is null" if cell is None else "holds a null" if cell else "is empty"
    item = "" if ids is None else f" (item {ids[row].as_py()!r})"
    return (
        f"{role}[{row}]{item} {fault}: give missing='skip' to leave out and count rows"
        " with a null or without a reference"
    )


def _ids(batch: pa.RecordBatch, item: str | None, first_item: int | None) -> pa.Array | None:
    """Return the ids of all rows, int64 or string, or None."""
    if item is None:
        if first_item is None:
            return None
        last = (1 << 63) - 1 - batch.num_rows
        check_integer("first_item", first_item, minimum=0, maximum=last)
        return pa.array(np.arange(first_item, first_item + batch.num_rows))
    if first_item is not None:
        raise ValueError("item and first_item cannot both be given: both give ids")
    column = _column(batch, "item", item)
    kind = column.type
    if pa.types.is_dictionary(kind):
        column, kind = column.dictionary_decode(), kind.value_type
    is_text = str(kind) in _TEXT_TYPES
    if not is_text and not pa.types.is_integer(kind):
        raise TypeError(
            f"item must be a column of integers or strings, got column {item!r} of type {kind}"
        )
    if column.null_count:
        row = column.is_null().to_pylist().index(True)
        raise ValueError(f"item must have no nulls, got one in row {row} of {item!r}")
    n_different = len(column.unique())
    if n_different < len(column):
        raise ValueError(
            f"item must have another id for each row, got {n_different} in the "
            f"{len(column)} rows of {item!r}: items with one id would be in the same resamples"
        )
    try:
        return column.cast(pa.string() if is_text else pa.int64())
    except pa.ArrowInvalid as error:
        raise ValueError(
            f"item must have integers of 64 bits with a sign, got others in {item!r} of "
            f"type {kind}: cast it to string"
        ) from error


# --- statistics of items as tables ----------------------------------------------------


def _table_of_statistics(statistics: ItemStatistics, rows: ArrowRows) -> pa.RecordBatch:
    """Return the statistics of rows, null where a row is not scored."""
    corpus, is_scored = rows.corpus, rows.is_scored
    values = np.zeros((len(statistics.kinds), 0))
    if len(corpus):
        values = statistics.of_corpus(corpus, True)
    columns = {
        _N_REFERENCES: (np.diff(corpus.reference_offsets), pa.int64()),
        _IS_TOKENIZED: (np.full(len(corpus), corpus.is_tokenized), pa.bool_()),
    }
    for (name, kind), of_items in zip(statistics.kinds.items(), values, strict=True):
        columns[name] = (of_items, pa.int64() if kind == "count" else pa.float64())
    arrays = {} if rows.item is None else {_ITEM: rows.item}
    for name, (of_items, arrow_type) in columns.items():
        arrays[name] = _array_of_rows(of_items, is_scored).cast(arrow_type)
    return pa.RecordBatch.from_pydict(arrays)


def _array_of_rows(of_items: np.ndarray, is_scored: np.ndarray) -> pa.Array:
    """Return the values of items in their rows, null where a row is not scored."""
    of_rows = np.zeros(len(is_scored), dtype=of_items.dtype)
    of_rows[is_scored] = of_items
    return pa.array(of_rows, mask=~is_scored)


def _scored_items(
    statistics: ItemStatistics, batch: pa.RecordBatch
) -> tuple[pa.RecordBatch, list[np.ndarray], np.ndarray]:
    """Return the rows that are scored, their statistics, and which rows these are."""
    _check_columns(batch, (_N_REFERENCES, _IS_TOKENIZED, *statistics.kinds))
    is_scored = _numpy(batch.column(_N_REFERENCES).is_valid())
    kept = batch.filter(pa.array(is_scored))
    values = [
        _numpy(kept.column(name)).astype(np.int64 if kind == "count" else np.float64, copy=False)
        for name, kind in statistics.kinds.items()
    ]
    return kept, values, is_scored


def _numpy(column: pa.Array) -> np.ndarray:
    return column.to_numpy(zero_copy_only=False)


def _check_columns(batch: pa.RecordBatch, names: Iterable[str]) -> None:
    missing = [name for name in names if name not in batch.schema.names]
    if missing:
        raise ValueError(
            f"batches must have a column {missing[0]!r} under these options, got"
            f" {', '.join(map(repr, batch.schema.names)) or 'none'}: make statistics, add"
            " them up and fold them with the same options"
        )


# --- statistics as integers -----------------------------------------------------------
#
# Floats that are added in another order give other last digits. So a float is represented by
# integers, which add up exactly:
#
#     value = high 2^-30 + low 2^-60,              for a score, with high <= 2^30
#     value = whole + high 2^-30 + low 2^-60,      for a length
#
# What a value has below 2^-60 is rounded, once and by itself: an error of 2^-61 at most,
# while scores of 2^-8 and more have none. 2^32 items fit into 64 bits. A score has the number
# of items where it is defined (not NaN) before these two.

_ENDS_OF_KIND = {
    "count": ("",),
    "score": ("_defined", "_high", "_low"),
    "length": ("_whole", "_high", "_low"),
}
_FRACTION_BITS = 30
_FRACTION = float(1 << _FRACTION_BITS)


def summed_columns(statistics: ItemStatistics) -> list[str]:
    """Return the names of the integers that stand for each statistic."""
    return [name + end for name, kind in statistics.kinds.items() for end in _ENDS_OF_KIND[kind]]


def integers_of_values(values: np.ndarray, kind: str) -> np.ndarray:
    """Return the integers that represent values of a kind, shape (n_integers, n_values)."""
    if kind == "count":
        return values[np.newaxis]
    first = np.floor(values) if kind == "length" else ~np.isnan(values)
    fraction = values - first if kind == "length" else np.where(first, values, 0.0)
    scaled = fraction * _FRACTION
    high = np.floor(scaled)
    return np.stack([first, high, np.rint((scaled - high) * _FRACTION)]).astype(np.int64)


def values_of_integers(sums: np.ndarray, kind: str) -> np.ndarray:
    """Return what sums of `integers_of_values` represent, rounded once, shape (n_sums,).

    That is the sum of counts or lengths, and the mean of the scores that are defined.
    """
    if kind == "count":
        return sums[0]
    first, high, low = sums.astype(object)  # Python's integers, which do not overflow
    fraction, unit = (high << _FRACTION_BITS) + low, 1 << 2 * _FRACTION_BITS
    if kind == "length":
        return ((first * unit + fraction) / unit).astype(np.float64)
    mean = np.full(len(fraction), np.nan)
    has_mean = sums[0] > 0
    mean[has_mean] = fraction[has_mean] / (first[has_mean] * unit)
    return mean


# --- sums -----------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class StatisticSums:
    """Sums over items: of the corpus, and of each resample if there are any."""

    names: list[str]  # `_COUNTS` and `summed_columns`
    sums: np.ndarray  # of int64, shape (n_names, 1 + n_resamples)
    seed: int | None  # that of the resamples
    fewest_references: int | None = None  # of an item; None without items
    most_references: int | None = None

    @property
    def n_resamples(self) -> int:
        """The number of resamples."""
        return self.sums.shape[1] - 1

    @property
    def counts(self) -> dict[str, int]:
        """The numbers of items of the corpus, of rows left out, and of tokenized items."""
        return dict(zip(_COUNTS, self.sums[:, 0].tolist(), strict=False))

    def plus(self, other: StatisticSums) -> StatisticSums:
        """Return the sums over the items of both, or raise where they do not go together."""
        sums = self.sums + other.sums
        if sums[0].max() > MAX_SUMMED_ITEMS:
            raise ValueError(
                f"batches must have at most {MAX_SUMMED_ITEMS} items together, got {sums[0].max()}"
            )
        n_items, _, n_tokenized = sums[:3, 0]
        if n_tokenized not in (0, n_items):
            raise ValueError(
                "batches must all have strings as predictions or all have lists of tokens, "
                f"got {n_items - n_tokenized} items with strings and {n_tokenized} with tokens"
            )
        fewest = _known([self.fewest_references, other.fewest_references])
        most = _known([self.most_references, other.most_references])
        return self.with_sums(sums, fewest, most)

    def with_sums(self, sums: np.ndarray, fewest: list[int], most: list[int]) -> StatisticSums:
        """Return other sums, with the least and greatest of some numbers of references."""
        return replace(
            self,
            sums=sums,
            fewest_references=min(fewest, default=None),
            most_references=max(most, default=None),
        )

    def table(self) -> pa.RecordBatch:
        """Return a row for the corpus and for each resample."""
        n_rows = 1 + self.n_resamples
        same = {_SEED: self.seed, _FEWEST: self.fewest_references, _MOST: self.most_references}
        arrays = {_RESAMPLE: pa.array(np.arange(n_rows))}
        arrays |= {name: pa.array([one] * n_rows, type=pa.int64()) for name, one in same.items()}
        arrays |= {name: pa.array(row) for name, row in zip(self.names, self.sums, strict=True)}
        return pa.RecordBatch.from_pydict(arrays)

    def values(self, statistics: ItemStatistics) -> np.ndarray:
        """Return the sums and means of statistics, shape (n_statistics, 1 + n_resamples)."""
        rows, first = [], len(_COUNTS)
        for kind in statistics.kinds.values():
            end = first + len(_ENDS_OF_KIND[kind])
            rows.append(values_of_integers(self.sums[first:end], kind))
            first = end
        return np.array(rows)


def _known(values: Iterable[int | None]) -> list[int]:
    return [value for value in values if value is not None]


def _summed_batches(
    statistics: ItemStatistics, batches: Any, resampling: Resampling
) -> StatisticSums:
    """Return the sums over batches, each of statistics of items or of sums."""
    if isinstance(batches, (pa.RecordBatch, pa.Table)):
        batches = [batches]
    if not isinstance(batches, Iterable):
        raise TypeError(
            f"batches must be a list or an iterator of pyarrow.RecordBatch, got {shown(batches)}"
        )
    is_resampled = resampling.confidence_level is not None
    names = [*_COUNTS, *summed_columns(statistics)]
    n_sums = 1 + (int(resampling.n_resamples) if is_resampled else 0)
    total = nothing = StatisticSums(
        names=names,
        sums=np.zeros((len(names), n_sums), dtype=np.int64),
        seed=int(resampling.seed) if is_resampled else None,
    )
    for batch in batches:
        one = _record_batch("batches", batch)
        if _RESAMPLE in one.schema.names:
            total = total.plus(_sums_of_table(one, nothing))
            continue
        for first in range(0, one.num_rows, _MAX_BLOCK_ITEMS):
            part = one.slice(first, _MAX_BLOCK_ITEMS)
            total = total.plus(_sums_of_items(statistics, part, nothing))
    return total


def _sums_of_items(
    statistics: ItemStatistics, batch: pa.RecordBatch, nothing: StatisticSums
) -> StatisticSums:
    kept, values, _ = _scored_items(statistics, batch)
    n_items = kept.num_rows
    kinds = statistics.kinds.values()
    integers = np.concatenate(
        [
            np.ones((1, n_items), dtype=np.int64),
            *map(integers_of_values, values, kinds),
        ]
    )
    resampled = np.zeros((len(integers), nothing.n_resamples), dtype=np.int64)
    if nothing.seed is not None:
        ids = _id_numbers(kept)
        step = max(1, _MAX_BLOCK_WEIGHTS // nothing.n_resamples)
        for first in range(0, n_items, step):
            some = slice(first, first + step)
            weights = poisson_weights(ids[some], nothing.n_resamples, nothing.seed)
            resampled += (integers[:, some].astype(np.float64) @ weights).astype(np.int64)
    summed = np.concatenate([integers.sum(axis=1, keepdims=True), resampled], axis=1)
    sums = nothing.sums.copy()
    sums[0], sums[len(_COUNTS) :] = summed[0], summed[1:]
    sums[1] = batch.num_rows - n_items
    sums[2] = _numpy(kept.column(_IS_TOKENIZED)).sum()
    n_references = _numpy(kept.column(_N_REFERENCES))
    bounds = [int(n_references.min()), int(n_references.max())] if n_items else []
    return nothing.with_sums(sums, bounds, bounds)


def _id_numbers(batch: pa.RecordBatch) -> np.ndarray:
    """Return ids as numbers of 64 bits, ndarray of uint64, shape (n_rows,).

    The number of a string is its BLAKE2b digest of 8 bytes, the lowest first.
    """
    if _ITEM not in batch.schema.names:
        raise ValueError(
            "confidence_level needs ids of the items, which say in which resamples an"
            " item is: give batch_statistics() item='the column of ids' or"
            " first_item=..., so that batches have a column 'item'"
        )
    column = batch.column(_ITEM)
    if pa.types.is_integer(column.type):
        return _numpy(column).astype(np.int64).view(np.uint64)
    digests = (
        hashlib.blake2b(text.encode(), digest_size=8).digest() for text in column.to_pylist()
    )
    return np.frombuffer(b"".join(digests), dtype="<u8").astype(np.uint64)


def _sums_of_table(batch: pa.RecordBatch, nothing: StatisticSums) -> StatisticSums:
    """Return the sums in a table, which may be the rows of several tables in any order.

    Resamples that are not asked for are left out.
    """
    _check_columns(batch, (_RESAMPLE, _SEED, _FEWEST, _MOST, *nothing.names))
    resample = _numpy(batch.column(_RESAMPLE))
    if nothing.seed is not None and batch.num_rows:
        n_rows = np.bincount(resample)
        if len(n_rows) != 1 + nothing.n_resamples or (n_rows != n_rows[0]).any():
            raise ValueError(
                f"batches of sums must have {nothing.n_resamples} resamples, got "
                f"{len(n_rows) - 1}: give the same confidence_level and n_resamples when you "
                "add up"
            )
        if seeds := set(batch.column(_SEED).to_pylist()) - {nothing.seed}:
            raise ValueError(
                f"batches of sums must have seed {nothing.seed}, got "
                f"{', '.join(map(str, seeds))}: give the same seed when you add up"
            )
    is_kept = resample <= nothing.n_resamples
    sums = nothing.sums.copy()
    for row, name in zip(sums, nothing.names, strict=True):
        values = _numpy(batch.column(name)).astype(np.int64)
        np.add.at(row, resample[is_kept], values[is_kept])
    fewest, most = (_known(batch.column(name).to_pylist()) for name in (_FEWEST, _MOST))
    return nothing.with_sums(sums, fewest, most)
