"""ROUGE and BLEU as metrics of torchmetrics and Lightning.

>>> from rouge_bleu.integrations.torchmetrics import Bleu, Rouge
"""

from __future__ import annotations

import inspect
import zlib
from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import torch
from torchmetrics import Metric

from .._bleu.api import bleu
from .._rouge.api import rouge
from ..corpus import checked_corpus
from ..loading import load
from . import checked_keys

_NOT_SUMS = ("resample", "seed", "fewest_references", "most_references")


class _Folded(Metric):
    """The state is a row of integers, so that batches and processes change no digit of a score."""

    is_differentiable = False
    higher_is_better = True
    full_state_update = False

    def __init__(self, name: str, function: Any, given: dict[str, Any]) -> None:
        names = inspect.signature(function).parameters
        options = {option: value for option, value in given.items() if option in names}
        super().__init__(**{name: value for name, value in given.items() if name not in names})
        self._keys = checked_keys(function, options)
        self._metric: Any = load(name, **options)
        [self._nothing] = self._metric.sum_statistics([]).to_pylist()
        # MetricCollection lets metrics share a state if its name is the same and the first batch
        # leaves equal values. So the name depends on the options.
        self._state = f"sums_{zlib.crc32(repr((name, sorted(options.items()))).encode())}"
        self._columns = [column for column in self._nothing if column not in _NOT_SUMS]
        self.add_state(self._state, torch.zeros(len(self._columns), dtype=torch.int64), "sum")

    def update(self, preds: str | Sequence[str], target: str | Sequence[Any]) -> None:
        """Add predictions, each with one reference or a list of references."""
        if isinstance(preds, str):
            preds, target = [preds], [target]
        corpus = checked_corpus(preds, target)
        columns = {
            "predictions": corpus.predictions,
            "references": [one for _, one in corpus.items],
        }
        batch = pa.RecordBatch.from_pydict(columns)
        [row] = self._metric.sum_statistics(self._metric.batch_statistics(batch)).to_pylist()
        sums = getattr(self, self._state)
        setattr(self, self._state, sums + sums.new_tensor([row[name] for name in self._columns]))

    def compute(self) -> torch.Tensor | dict[str, torch.Tensor]:
        """Return the score of all texts, or a dict with several scores."""
        sums = getattr(self, self._state)
        row = self._nothing | dict(zip(self._columns, sums.tolist(), strict=True))
        found = self._metric.fold(pa.RecordBatch.from_pylist([row]))
        how = {"dtype": torch.get_default_dtype(), "device": sums.device}
        scores = {name: torch.tensor(found[name], **how) for name in self._keys}
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
