"""ROUGE and BLEU as metrics of torchmetrics and Lightning.

>>> from rouge_bleu.integrations.torchmetrics import Bleu, Rouge
"""

from __future__ import annotations

import hashlib
import inspect
import json
from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import torch
from torchmetrics import Metric

from .._bleu.api import bleu
from .._rouge.api import rouge
from ..corpus import checked_corpus
from ..loading import load
from ..signature import json_value
from . import checked_keys

_NOT_SUMS = ("resample", "seed", "fewest_references", "most_references")


class _Folded(Metric):
    """The state is a row of integers, so that batches and processes change no digit of a score."""

    is_differentiable = False
    higher_is_better = True
    full_state_update = False
    _result_dtype: str | torch.dtype | None = None  # None: torch's default

    def __init__(self, name: str, function: Any, given: dict[str, Any]) -> None:
        names = inspect.signature(function).parameters
        options = {option: value for option, value in given.items() if option in names}
        super().__init__(**{name: value for name, value in given.items() if name not in names})
        self._keys = checked_keys(function, options)
        if functions := [option for option, value in options.items() if callable(value)]:
            raise ValueError(
                f"{functions[0]} must not be a function, as states are named after options. "
                "Pass lists of tokens instead."
            )
        self._metric: Any = load(name, **options)
        [self._nothing] = self._metric.sum_statistics([]).to_pylist()
        # MetricCollection lets metrics share a state if its name is the same and the first batch
        # leaves equal values. So the name depends on the options, and is the same in each process.
        written = json.dumps([name, json_value(options)], sort_keys=True, default=list)
        self._state = f"sums_{hashlib.sha256(written.encode()).hexdigest()[:16]}"
        self._columns = [column for column in self._nothing if column not in _NOT_SUMS]
        self.add_state(self._state, torch.zeros(len(self._columns), dtype=torch.int64), "sum")

    def set_dtype(self, dst_type: str | torch.dtype) -> Metric:
        """Set the dtype of results; the state stays exact."""
        self._result_dtype = dst_type
        return self

    def update(self, preds: str | Sequence[str], target: str | Sequence[Any]) -> None:
        """Add predictions, each with one reference or a list of references."""
        if isinstance(preds, str):
            preds, target = [preds], [target]
        corpus = checked_corpus(preds, target)
        columns = {
            "predictions": corpus.predictions,
            "references": [one for _, one in corpus.examples],
        }
        batch = pa.RecordBatch.from_pydict(columns)
        [row] = self._metric.sum_statistics(self._metric.batch_statistics(batch)).to_pylist()
        sums = getattr(self, self._state)
        setattr(self, self._state, sums + sums.new_tensor([row[name] for name in self._columns]))

    def compute(self) -> torch.Tensor | dict[str, torch.Tensor]:
        """Return the score of all texts, or a dict with several scores."""
        sums = getattr(self, self._state)
        row = self._nothing | dict(zip(self._columns, sums.tolist(), strict=True))
        found = dict.fromkeys(self._keys, 0.0)
        if row["n_items"]:
            found = self._metric.fold(pa.RecordBatch.from_pylist([row]))
        dtype = self._result_dtype or torch.get_default_dtype()
        numbers = torch.tensor([found[name] for name in self._keys], dtype=torch.float64)
        scores = dict(zip(self._keys, numbers.type(dtype).to(sums.device), strict=True))
        return scores if len(scores) > 1 else next(iter(scores.values()))


class Rouge(_Folded):
    """The mean ROUGE of texts, with the options of `rouge_bleu.rouge` and the arguments of `Metric`.

    >>> rouge = Rouge(rouge_types=["rouge1", "rougeL"])
    >>> rouge.update(["the cat sat"], [["the cat", "a cat sat down"]])
    >>> rouge.compute()
    {'rouge1': tensor(0.8000), 'rougeL': tensor(0.8000)}

    With one type the score is a tensor instead of a dict. Invalid options, and scores that cannot be
    added up from batches, raise an error at once.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__("rouge_full", rouge, options)


class Bleu(_Folded):
    """BLEU of all texts, with the options of `rouge_bleu.bleu` and the arguments of `Metric`.

    >>> bleu = Bleu(smoothing="exp")
    >>> bleu(["the cat sat on a mat"], ["the cat sat on the mat"])
    tensor(0.5373)

    The score is a tensor, and with output="flat" a dict. Errors are those of `Rouge`.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__("bleu_full", bleu, {"output": "score"} | options)
