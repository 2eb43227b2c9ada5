"""Scores of data that no machine has as a whole: batches of Arrow, in three steps.

    batch_statistics    a batch of texts -> the statistics of its items
    sum_statistics      any number of these -> sums, of a size that does not grow
    fold                statistics or sums -> the result

The first two run where the data is, the last one where the result is wanted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa

from ..data.texts_in_lists import check_tokens
from ..messages import shown
from ..options import checked_options
from ..resampling.uncertainty import percentile_bounds, with_uncertainty
from ..scorer import Scorer
from ..signature import signature_line
from .arrow_rows import checked_rows
from .items import item_statistics, table_of_item_scores
from .plan import CannotFold, FoldPlan
from .sums import FoldSums, scores_of_corpus, scores_of_resampled, summed_batches, table_of_sums

_COLUMN_ARGUMENTS = (*("batch", "predictions", "references", "item", "first_item", "missing"),)
_COUNTS = ("n_items", "n_skipped")


class BatchMetric:
    """Mixin for an `evaluate.Metric`, to stand before it among the bases.

    A metric defines `fold_plan(options)`, which says what items and sums are made of.
    """

    scorer: ClassVar[Scorer]
    name: str
    load_seed: int
    _load_options: Mapping[str, Any]

    def fold_plan(self, options: Any) -> FoldPlan:
        """Return what the metric makes of items and of sums under checked options."""
        raise NotImplementedError

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
        try:
            self.fold_plan(self._fold_options("can_fold", options, ()))
        except CannotFold:
            return False
        return True

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
        checked = self._fold_options("batch_statistics", options, _COLUMN_ARGUMENTS)
        plan = self.fold_plan(checked)
        rows = checked_rows(
            batch,
            predictions=predictions,
            references=references,
            item=item,
            first_item=first_item,
            missing=missing,
        )
        checked.check_form(is_tokenized=rows.corpus.is_tokenized)
        check_tokens(rows.corpus)
        return item_statistics(plan, rows.corpus, rows.is_scored, rows.item)

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
        checked = self._fold_options("item_scores", options, ("statistics",))
        return table_of_item_scores(self.fold_plan(checked), statistics)

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
        return table_of_sums(self._sums("sum_statistics", batches, options)[2])

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
        checked, plan, sums = self._sums("fold", batches, options)
        if not sums.n_items:
            raise ValueError(
                f"batches hold no item that was scored, and {sums.n_skipped} that were"
                " skipped: there is nothing to fold"
            )
        for key in plan.keys:
            if key in _COUNTS:
                raise ValueError(
                    f"weights must have names other than {key!r}, under which the result"
                    " of fold has a number of items"
                )
        checked.check_form(is_tokenized=sums.n_tokenized > 0)
        scores, parts = scores_of_corpus(plan, sums)
        bounds = {}
        if checked.confidence_level is not None:
            bounds["_low"], bounds["_high"] = percentile_bounds(
                scores_of_resampled(plan, sums), scores, np.abs(scores), checked.confidence_level
            )
        counts = {"n_items": sums.n_items, "n_skipped": sums.n_skipped}
        result = with_uncertainty(plan.keys, [scores], bounds) | parts | counts
        if not checked.signature:
            return result
        return {**result, "signature": self._signature_of_sums(checked, sums)}

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

    def _sums(
        self, caller: str, batches: Any, given: Mapping[str, Any]
    ) -> tuple[Any, FoldPlan, FoldSums]:
        options = self._fold_options(caller, given, ("batches",))
        plan = self.fold_plan(options)
        if isinstance(batches, (pa.RecordBatch, pa.Table)):
            batches = [batches]
        if not isinstance(batches, Iterable):
            raise TypeError(
                "batches must be a list or an iterator of pyarrow.RecordBatch, got "
                f"{shown(batches)}"
            )
        resampling = options.resampling(self.load_seed)
        return options, plan, summed_batches(plan, batches, resampling)

    def _signature_of_sums(self, options: Any, sums: FoldSums) -> str:
        return signature_line(
            self.name,
            options,
            n_items=sums.n_items,
            n_references=(sums.fewest_references or 0, sums.most_references or 0),
            is_tokenized=sums.n_tokenized > 0,
            seed=self.load_seed,
            draws="poisson",
        )
