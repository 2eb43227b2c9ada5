"""Scores of data that do not fit on one machine: Arrow batches, in three steps.

    batch_statistics    a batch of texts -> the statistics of its examples
    sum_statistics      any number of these -> sums, of a size that does not grow
    fold                statistics or sums -> the result

Statistics have a row for each example; sums have a row for the corpus, "resample" 0, and one for
each resample of the bootstrap. Both add up exactly in any order (integers), and how often an example
occurs in a resample depends on its id alone, so batches and their order change no digit.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Iterable, Mapping
from itertools import chain, compress
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa

from .checks import warn_of_texts
from .corpus import Corpus, check_token_lists, checked_corpus
from .messages import shown
from .metric import Metric, ScoringPlan, result_of_statistics
from .options import check_choice, must_be_integer
from .resampling import Resampling, percentile_bounds, poisson_weights, scores_by_key

_TEXT_TYPES = ("string", "large_string", "string_view")
_COUNTS = ("n_items", "n_skipped", "n_tokenized")
_RESERVED_NAMES = ("item", "n_items", "n_skipped")  # names beside those of scores
_FEWEST, _MOST = "fewest_references", "most_references"

# This many weights fit into the cache, and sums are exact in floats: at most 2^16 numbers below 2^33,
# with weights of at most 8, sum to less than 2^53.
_MAX_BLOCK_WEIGHTS = 1 << 16


class BatchMetric:
    """Mixin for an `evaluate.Metric`, whose `scorer` defines the statistics of examples."""

    scorer: ClassVar[Metric]
    load_seed: int
    _load_options: Mapping[str, Any]

    def can_fold(self, **options: Any) -> bool:
        """Return whether `fold` works with these options.

        It does not work with presets "evaluate" and "rouge-1.5.5" of rouge_full.
        """
        return not self._plan("can_fold", options)[1].needs_all_examples

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
        """Return the statistics of each example of a batch, from which a score can be folded.

            statistics = [metric.batch_statistics(batch, item="id") for batch in batches]
            result = metric.fold(statistics)

        Args:
            batch: a pyarrow.RecordBatch or pyarrow.Table with a row for each example.
            predictions, references: the names of columns with strings or lists of tokens. A row
                may also have a list of references.
            item: the column of ids, distinct integers or strings. Intervals need ids.
            first_item: the id of the first row; the ids of later rows count up from it.
            missing: what happens to a row with a null or an empty list of references: "error"
                raises an error, "skip" makes its statistics null, and `fold` counts it.
            **options: those of `compute`, with those of `load` as defaults.

        Returns:
            pyarrow.RecordBatch: as many rows in the same order, with the columns "item" (if there
            are ids), "n_references" and "is_tokenized", and those of the metric. rouge_full: the
            scores of the example, float64, under the keys of `compute`. bleu_full: matches,
            totals, n-grams of each order ("matches_1", ...) and lengths, int64 or float64.

        Raises:
            TypeError, ValueError, ImportError: as in `compute`; or if a column is missing, has a
                wrong type or lacks a value, or if `fold` does not have the options: presets
                "evaluate" and "rouge-1.5.5", and use_aggregator=False.
        """
        checked, plan = self._plan("batch_statistics", options)
        corpus, is_scored, ids = checked_corpus_of_rows(
            batch, predictions, references, item, first_item, missing
        )
        checked.check_for(corpus)
        values = np.zeros((len(plan.kinds), 0))
        if len(corpus):
            check_token_lists(corpus)
            warn_of_texts(corpus, checked)
            values = plan.count_examples(corpus, True)
        arrays = {} if ids is None else {"item": ids}
        arrays["n_references"] = _arrow_with_nulls(np.diff(corpus.reference_offsets), is_scored)
        is_tokenized = np.full(len(corpus), corpus.is_tokenized)
        arrays["is_tokenized"] = _arrow_with_nulls(is_tokenized, is_scored)
        for (name, kind), of_examples in zip(plan.kinds.items(), values, strict=True):
            arrow_type = pa.int64() if kind == "count" else pa.float64()
            arrays[name] = _arrow_with_nulls(of_examples, is_scored).cast(arrow_type)
        return pa.RecordBatch.from_pydict(arrays)

    def item_scores(self, statistics: Any, **options: Any) -> pa.RecordBatch:
        """Return the scores of examples from their statistics.

        `statistics` is the result of `batch_statistics` with the same options. The result has as
        many rows in the same order: "item", if there are ids, and the scores of `compute` with
        use_aggregator=False, float64; null if a row was skipped.
        """
        _, plan = self._plan("item_scores", options)
        table = _as_table("statistics", statistics)
        _, values, is_scored = _scored_examples(plan, table)
        has_ids = "item" in table.column_names
        arrays = {"item": table.column("item").combine_chunks()} if has_ids else {}
        for key, scores in zip(plan.keys, plan.score_examples(values), strict=False):
            arrays[key] = _arrow_with_nulls(scores, is_scored)
        return pa.RecordBatch.from_pydict(arrays)

    def sum_statistics(self, batches: Any, **options: Any) -> pa.RecordBatch:
        """Return the sums of statistics, of the same size for any number of examples up to 2^32.

        Args:
            batches: an iterable of pyarrow.RecordBatch or pyarrow.Table, or one of them: results
                of `batch_statistics` or of this method, also mixed, in any order.
            **options: those of these calls. With `confidence_level` there are sums of
                `n_resamples` resamples too, with weights from a Poisson distribution of mean 1 for
                each id.

        Returns:
            pyarrow.RecordBatch: row "resample" 0 is the corpus, 1 to `n_resamples` follow. To add
            up two tables, group by "resample", take the minimum of "fewest_references", the
            maximum of "most_references", any "seed", and the sum of each other column.

        Raises:
            TypeError, ValueError: if batches were made with other options, or have no ids for
                resamples.
        """
        checked, plan = self._plan("sum_statistics", options)
        resampling = checked.resampling(self.load_seed)
        sums, n_references = _summed_batches(plan, batches, resampling)
        n_rows = sums.shape[1]
        constants = {
            "seed": None if resampling.confidence_level is None else int(resampling.seed),
            _FEWEST: min(n_references, default=None),
            _MOST: max(n_references, default=None),
        }
        columns = {"resample": pa.array(np.arange(n_rows))}
        columns |= {name: pa.array([one] * n_rows, pa.int64()) for name, one in constants.items()}
        columns |= dict(zip(_sum_names(plan), map(pa.array, sums), strict=True))
        return pa.RecordBatch.from_pydict(columns)

    def fold(self, batches: Any, **options: Any) -> dict[str, Any]:
        """Return the result of a corpus from the statistics of its examples.

        It equals that of `compute` for all examples to 1e-12, and has the numbers of scored and of
        skipped rows as "n_items" and "n_skipped". Bounds with `confidence_level` come from a
        Poisson bootstrap: they differ from those of `compute` as much as two seeds do.

        Arguments and errors are those of `sum_statistics`. If no example was scored, it raises a
        ValueError.
        """
        checked, plan = self._plan("fold", options)
        sums, n_references = _summed_batches(plan, batches, checked.resampling(self.load_seed))
        n_examples, n_skipped, n_tokenized = sums[: len(_COUNTS), 0].tolist()
        if not n_examples:
            raise ValueError(
                f"batches have no scored examples, and {n_skipped} skipped ones: there"
                " is nothing to fold"
            )
        kinds = plan.kinds.values()
        ends = np.cumsum([len(_COUNTS), *(len(_ENDS_OF_KIND[kind]) for kind in kinds)])
        integers = np.split(sums, ends)[1:-1]
        values = np.array(list(map(from_exact_integers, integers, kinds)))
        rows = plan.score(values)
        plan.warn_of_scores(values[:, :1], rows[:, :1])
        n_keys = len(plan.keys)
        scores, bounds = rows[:n_keys, 0], {}
        if checked.confidence_level is not None:
            # A resample without examples has no score.
            resampled = np.where(sums[0, 1:] > 0, rows[:n_keys, 1:], np.nan)
            bounds["_low"], bounds["_high"] = percentile_bounds(
                resampled, scores, np.abs(scores), checked.confidence_level
            )
        result = scores_by_key(plan.keys, [scores], bounds)
        result |= {name: of[0] for name, of in plan.result_parts(rows[n_keys:, :1]).items()}
        result |= {"n_items": n_examples, "n_skipped": n_skipped}
        parts = {"n_examples": n_examples, "is_tokenized": n_tokenized > 0, "draws": "poisson"}
        return self.scorer.sign_result(result, checked, n_references, seed=self.load_seed, **parts)

    def result_of_statistics(self, statistics: Any, **options: Any) -> dict[str, Any]:
        """Return the result of a corpus from the statistics of all its examples.

        Unlike that of `fold`, it has the intervals of `compute`, which draw all examples at once.
        """
        checked, plan = self._plan("fold", options)
        rows, values, _ = _scored_examples(plan, _as_table("statistics", statistics))
        result = result_of_statistics(plan, [values], checked, self.load_seed)
        n_references = rows.column("n_references").to_pylist()
        is_tokenized = any(rows.column("is_tokenized").to_pylist())
        parts = {"n_examples": rows.num_rows, "is_tokenized": is_tokenized}
        return self.scorer.sign_result(result, checked, n_references, seed=self.load_seed, **parts)

    def _plan(self, caller: str, given: Mapping[str, Any]) -> tuple[Any, ScoringPlan]:
        """Return the checked options of a call, and its `ScoringPlan`, which `can_fold` checks."""
        arguments = list(inspect.signature(getattr(self, caller)).parameters)[:-1]
        options = self.scorer.options(given, self._load_options, caller, arguments)
        if not options.use_aggregator:
            raise ValueError(
                f"{caller}() needs use_aggregator=True, got"
                " use_aggregator=False. item_scores() returns the scores of examples."
            )
        plan = self.scorer.plan(options)
        if plan.needs_all_examples and caller != "can_fold":
            raise ValueError(
                f"preset must not be {options.preset!r} if statistics are folded: it"
                " averages random samples of all examples, and no machine has them all"
            )
        if taken := [name for name in _RESERVED_NAMES if name in plan.keys]:
            raise ValueError(f"weights must have names other than {taken[0]!r} in batches")
        return options, plan


# --- a batch of Arrow -> a checked corpus ---------------------------------------------


def checked_corpus_of_rows(
    batch: Any,
    predictions: str,
    references: str,
    item: str | None,
    first_item: int | None,
    missing: str,
) -> tuple[Corpus, np.ndarray, pa.Array | None]:
    """Return the rows that can be scored, which ones these are, bool, and the ids of all rows."""
    table = _as_table("batch", batch)
    check_choice("missing", missing, ("error", "skip"))
    ids = _ids_of_rows(table, item, first_item)
    of_predictions, depth = _text_column(table, "predictions", predictions)
    of_references, depth_of_references = _text_column(table, "references", references)
    is_scored = np.ones(table.num_rows, dtype=bool)
    for role, cells in (("predictions", of_predictions), ("references", of_references)):
        # An empty list of tokens is a reference; an empty list of references is none.
        must_be_filled = role == "references" and depth_of_references > depth
        for row, cell in enumerate(cells):
            if not _holds_null(cell) and (cell or not must_be_filled):
                continue
            if missing == "error":
                which = "" if ids is None else f" (item {ids[row].as_py()!r})"
                raise ValueError(
                    f"{role}[{row}]{which} must have no null and not be an empty list, got"
                    f" {shown(cell)}. missing='skip' leaves out and counts such rows."
                )
            is_scored[row] = False
    scored = [list(compress(cells, is_scored)) for cells in (of_predictions, of_references)]
    return checked_corpus(*scored), is_scored, ids


def _as_table(name: str, batch: Any) -> pa.Table:
    """Return a batch or a table as a table; `name` is that of the argument."""
    if isinstance(batch, pa.RecordBatch):
        return pa.Table.from_batches([batch])
    if not isinstance(batch, pa.Table):
        raise TypeError(f"{name} must be a pyarrow RecordBatch or Table, got {shown(batch)}")
    return batch


def _checked_table_column(table: pa.Table, needed: str, name: Any) -> pa.ChunkedArray:
    names = table.column_names
    if names.count(name) != 1:
        raise ValueError(f"{needed} one column {name!r}, got {', '.join(map(repr, names))}")
    return table.column(names.index(name))


def _text_column(table: pa.Table, role: str, name: str) -> tuple[list[Any], int]:
    """Return the cells of a column, and how many lists are around each string."""
    column = _checked_table_column(table, f"{role} must name", name)
    kind, depth = column.type, 0
    while isinstance(kind, (pa.ListType, pa.LargeListType, pa.FixedSizeListType)):
        kind, depth = kind.value_type, depth + 1
    if depth > 2 or str(_value_type(kind)) not in (*_TEXT_TYPES, "null"):
        raise TypeError(
            f"{role} must be a column of strings or of lists of strings, got column "
            f"{name!r} of type {column.type}"
        )
    return column.to_pylist(), depth


def _value_type(kind: pa.DataType) -> pa.DataType:
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _holds_null(cell: Any) -> bool:
    return any(map(_holds_null, cell)) if type(cell) is list else cell is None


def _ids_of_rows(table: pa.Table, item: str | None, first_item: int | None) -> pa.Array | None:
    """Return the ids of all rows, int64 or string, or None."""
    if item is None:
        if first_item is None:
            return None
        must_be_integer(0, (1 << 63) - 1 - table.num_rows)("first_item", first_item)
        return pa.array(np.arange(first_item, first_item + table.num_rows))
    if first_item is not None:
        raise ValueError("item and first_item cannot both be given: both set ids")
    column = _checked_table_column(table, "item must name", item).combine_chunks()
    kind = _value_type(column.type)
    is_text = str(kind) in _TEXT_TYPES
    if not is_text and not pa.types.is_integer(kind):
        raise TypeError(f"item must be a column of integers or strings, got {item!r} of {kind}")
    try:
        ids = column.cast(pa.string() if is_text else pa.int64())
    except pa.ArrowInvalid as error:
        raise ValueError(
            f"item must have signed 64-bit integers, got larger ones in {item!r}: cast it to string"
        ) from error
    n_different = len(ids.drop_null().unique())
    if n_different < len(ids):
        raise ValueError(
            f"item must have a different id in each row, and no null, got {n_different} ids in the "
            f"{len(ids)} rows of {item!r}: equal ids would get the same resamples"
        )
    return ids


def _arrow_with_nulls(of_examples: np.ndarray, is_scored: np.ndarray) -> pa.Array:
    """Return the values of examples in their rows, null if a row is not scored."""
    of_rows = np.zeros(len(is_scored), dtype=of_examples.dtype)
    of_rows[is_scored] = of_examples
    return pa.array(of_rows, mask=~is_scored)


def _scored_examples(plan: ScoringPlan, table: pa.Table) -> tuple[pa.Table, np.ndarray, np.ndarray]:
    """Return the rows that are scored, their statistics, and which rows these are."""
    _check_columns(table, ("n_references", "is_tokenized", *plan.kinds))
    is_scored = table.column("n_references").is_valid().to_numpy()
    kept = table.filter(pa.array(is_scored))
    dtype = np.int64 if {*plan.kinds.values()} == {"count"} else np.float64
    values = np.array([kept.column(name).to_numpy() for name in plan.kinds], dtype)
    return kept, values, is_scored


def _check_columns(table: pa.Table, names: Iterable[str]) -> None:
    for name in names:
        _checked_table_column(table, "batches need the same options in each step: these need", name)


#
# Floats that are added in another order give other last digits. So a score or a length is
# represented by integers, which add up exactly:
#
#     score = high 2^-30 + low 2^-60,     length = whole + high 2^-30 + low 2^-60
#
# Rounding to a multiple of 2^-60 is an error of 2^-61 at most. 2^32 examples fit into 64 bits.
# The first integer of a score is the number of examples for which it is not NaN.

_ENDS_OF_KIND = {
    "count": ("",),
    "score": ("_defined", "_high", "_low"),
    "length": ("_whole", "_high", "_low"),
}
_FRACTION_BITS = 30
_FRACTION = float(1 << _FRACTION_BITS)


def as_exact_integers(values: np.ndarray, kind: str) -> np.ndarray:
    """Return the integers that represent values of a kind, shape (n_integers, n_values)."""
    if kind == "count":
        return values[np.newaxis].astype(np.int64)
    first = np.floor(values) if kind == "length" else ~np.isnan(values)
    fraction = values - first if kind == "length" else np.where(first, values, 0.0)
    scaled = fraction * _FRACTION
    high = np.floor(scaled)
    return np.stack([first, high, np.rint((scaled - high) * _FRACTION)]).astype(np.int64)


def from_exact_integers(sums: np.ndarray, kind: str) -> np.ndarray:
    """Return the sums of counts or lengths, or the means of defined scores, rounded once."""
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
#
# Sums are int64, shape (n_names, 1 + n_resamples): over the corpus, and over each resample. With
# them go the fewest and the most references of an example, a list which is empty without any.


def _sum_names(plan: ScoringPlan) -> list[str]:
    kinds = plan.kinds.items()
    return [*_COUNTS, *(name + end for name, kind in kinds for end in _ENDS_OF_KIND[kind])]


def _summed_batches(
    plan: ScoringPlan, batches: Any, resampling: Resampling
) -> tuple[np.ndarray, list[int]]:
    """Return the sums over batches, each of statistics of examples or of sums."""
    if isinstance(batches, pa.Table) or not isinstance(batches, Iterable):
        batches = [batches]
    n_resamples = 0 if resampling.confidence_level is None else int(resampling.n_resamples)
    sums = np.zeros((len(_sum_names(plan)), 1 + n_resamples), dtype=np.int64)
    n_references: list[int] = []
    for batch in batches:
        one = _as_table("batches", batch)
        sums_of = _sums_of_sum_rows if "resample" in one.column_names else _sums_of_statistics
        more, numbers = sums_of(plan, one, n_resamples, int(resampling.seed))
        sums += more
        n_examples, _, n_tokenized = sums[: len(_COUNTS), 0]
        if n_tokenized not in (0, n_examples):
            raise ValueError(
                "batches must have only texts as predictions, or only lists of tokens, "
                f"got {n_examples - n_tokenized} texts and {n_tokenized} lists of tokens"
            )
        n_references += numbers
        n_references = [min(n_references), max(n_references)] if n_references else []
    return sums, n_references


def _sums_of_statistics(
    plan: ScoringPlan, table: pa.Table, n_resamples: int, seed: int
) -> tuple[np.ndarray, list[int]]:
    kept, values, _ = _scored_examples(plan, table)
    n_examples = kept.num_rows
    is_tokenized = kept.column("is_tokenized").to_numpy()
    counts = np.stack([np.ones(n_examples), np.zeros(n_examples), is_tokenized]).astype(np.int64)
    integers = np.concatenate([counts, *map(as_exact_integers, values, plan.kinds.values())])
    sums = np.zeros((len(integers), 1 + n_resamples), dtype=np.int64)
    sums[:, 0] = integers.sum(axis=1)
    sums[1, 0] = table.num_rows - n_examples
    if n_resamples:
        ids = _id_numbers(kept)
        step = max(1, _MAX_BLOCK_WEIGHTS // n_resamples)
        for first in range(0, n_examples, step):
            some = slice(first, first + step)
            weights = poisson_weights(ids[some], n_resamples, seed)
            sums[:, 1:] += (integers[:, some].astype(np.float64) @ weights).astype(np.int64)
        sums[1:3, 1:] = sums[1:3, :1]  # those of the corpus
    n_references = kept.column("n_references").to_pylist()
    return sums, [min(n_references), max(n_references)] if n_references else []


def _id_numbers(table: pa.Table) -> np.ndarray:
    """Return ids as uint64; that of a string is its BLAKE2b digest of 8 bytes, lowest first."""
    if "item" not in table.column_names:
        raise ValueError(
            "confidence_level needs an id for each example, which decides its"
            " resamples: pass item='the column of ids' or first_item=... to"
            " batch_statistics(), so that batches have a column 'item'"
        )
    column = table.column("item")
    if pa.types.is_integer(column.type):
        return column.to_numpy().astype(np.int64).view(np.uint64)
    digests = (hashlib.blake2b(one.encode(), digest_size=8).digest() for one in column.to_pylist())
    return np.frombuffer(b"".join(digests), dtype="<u8").astype(np.uint64)


def _sums_of_sum_rows(
    plan: ScoringPlan, table: pa.Table, n_resamples: int, seed: int
) -> tuple[np.ndarray, list[int]]:
    """Return the sums in rows of one or more tables, without resamples not asked for."""
    names = _sum_names(plan)
    _check_columns(table, ("resample", "seed", _FEWEST, _MOST, *names))
    resample = table.column("resample").to_numpy()
    if n_resamples and table.num_rows:
        n_rows = np.bincount(resample)
        seeds = set(table.column("seed").to_pylist())
        if len(n_rows) != 1 + n_resamples or (n_rows != n_rows[0]).any() or seeds != {seed}:
            raise ValueError(
                f"batches of sums must have {n_resamples} resamples of seed {seed}, got"
                f" {len(n_rows) - 1} of {', '.join(map(str, seeds))}: pass the same"
                " confidence_level, n_resamples and seed to sum_statistics()"
            )
    rows = np.stack([table.column(name).to_numpy().astype(np.int64) for name in names])
    sums = np.zeros((len(names), 1 + resample.max(initial=n_resamples)), dtype=np.int64)
    np.add.at(sums.T, resample, rows.T)
    n_references = chain(table.column(_FEWEST).to_pylist(), table.column(_MOST).to_pylist())
    return sums[:, : 1 + n_resamples], [n for n in n_references if n is not None]
