"""Settings -> runs of the metric that they share -> scores.

All scores are those of the metric. Settings share a run where they differ in what is
read off its result only: precision, recall or F, another beta, another name of ROUGE-L,
an option that has no effect on the type or cuts no text of this file. A run returns all
types that any setting wants of it.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rouge_bleu_tools.commands.find_settings.bleu_candidates import bleu_measure
from rouge_bleu_tools.commands.find_settings.candidates import Setting
from rouge_bleu_tools.commands.find_settings.reported import OUTPUTS, Reported

Progress = Callable[[Sequence[Any]], Iterable[Any]]

_AVERAGED_HERE = (None, "rouge_score")  # presets whose average is the mean of items


# --- texts ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Texts:
    """Predictions and their references, and how long the longest text is."""

    predictions: Sequence[str]
    references: Sequence[Sequence[str]]
    has_several: bool
    length_of_limit: Mapping[str, int]

    @classmethod
    def of(cls, predictions: Sequence[str], references: Sequence[Sequence[str]]) -> Texts:
        texts = [*predictions, *(text for texts in references for text in texts)]
        lengths = {
            "max_words": max((len(text.split()) for text in texts), default=0),
            "max_bytes": max((len(text.encode()) for text in texts), default=0),
        }
        has_several = any(len(texts) > 1 for texts in references)
        return cls(predictions, references, has_several, lengths)

    def sample(self) -> dict[str, Any]:
        """Return a few items whose signature is that of all, except for their number."""
        n_references = [len(texts) for texts in self.references]
        rows = {n_references.index(min(n_references))}
        rows.add(n_references.index(max(n_references)))
        return {
            "predictions": [self.predictions[row] for row in rows],
            "references": [list(self.references[row]) for row in rows],
        }


# --- settings -> runs -----------------------------------------------------------------


@dataclass(frozen=True)
class _Need:
    """The score that a setting needs: what is read off a run.

    `run` are the options of a run, and `key` and `beta` say what of its result.
    """

    run: frozenset[tuple[str, Any]]
    rouge_type: str = ""
    output: str = ""
    beta: float = 1.0
    key: str = ""


def _need(setting: Setting, one: Reported, texts: Texts) -> _Need:
    """Return what gives a reported number under a setting."""
    options = dict(setting.options)
    if not setting.type_of_name:
        return _Need(frozenset(options.items()), key=one.name)
    rouge_type = setting.type_of_name[one.name]
    output = one.output or setting.output or "fmeasure"
    for limit, length in texts.length_of_limit.items():
        if (options.get(limit) or 0) >= length > 0:  # no text is cut
            del options[limit]
    if not rouge_type.startswith(setting.has_lines):
        options.pop("sentence_splitter", None)
    beta = 1.0
    if options.get("preset") in _AVERAGED_HERE:
        options.pop("preset", None)
        options["use_aggregator"] = False
        # F of another beta is made of precision and recall, unless it chooses among
        # references or is averaged over them.
        if not texts.has_several or options.get("multi_reference") == "pooled":
            beta = options.pop("beta", 1.0)
    return _Need(frozenset(options.items()), rouge_type, output, beta)


@dataclass(frozen=True)
class _Result:
    """The result of a run: numbers of the corpus, or lists with one for each item."""

    values: Mapping[str, Any]

    def mean(self, need: _Need) -> float:
        return float(np.mean(self._column(need)))

    def standard_error(self, need: _Need) -> float:
        column = self._column(need)
        return float(np.std(column)) / math.sqrt(column.size)

    def _column(self, need: _Need) -> np.ndarray:
        if need.key:
            return np.asarray(self.values[need.key])
        precision, recall, f = (
            np.asarray(self.values[f"{need.rouge_type}_{output}"]) for output in OUTPUTS
        )
        if need.beta != 1 and need.output == "fmeasure":
            return _f_measure(precision, recall, need.beta)
        return {"precision": precision, "recall": recall, "fmeasure": f}[need.output]


def _f_measure(precision: np.ndarray, recall: np.ndarray, beta: float) -> np.ndarray:
    below = beta**2 * precision + recall
    above = (1 + beta**2) * precision * recall
    return np.divide(above, below, out=np.zeros_like(above), where=below > 0)


@dataclass(frozen=True)
class Scores:
    """The scores of settings, read off the runs that they share."""

    numbers: Sequence[Reported]
    texts: Texts
    results: Mapping[Any, _Result]

    def of(self, setting: Setting) -> dict[str, float]:
        """Return the scores of a setting under the reported names."""
        return {one.name: self.results[need.run].mean(need) for one, need in self._needs(setting)}

    def standard_errors(self, setting: Setting) -> dict[str, float]:
        """Return the standard errors of means over items, under the reported names."""
        return {
            one.name: self.results[need.run].standard_error(need)
            for one, need in self._needs(setting)
        }

    def _needs(self, setting: Setting) -> list[tuple[Reported, _Need]]:
        return [(one, _need(setting, one, self.texts)) for one in self.numbers]


def scores_of_settings(
    metric: Any,
    settings: Sequence[Setting],
    numbers: Sequence[Reported],
    texts: Texts,
    *,
    n_jobs: int = 1,
    progress: Progress = iter,
) -> Scores:
    """Compute the runs that settings need, and return the scores.

    Parameters
    ----------
    metric : evaluate.Metric
        rouge_full or bleu_full.
    settings : sequence of Setting
    numbers : sequence of Reported
        Their names say which scores are wanted.
    texts : Texts
    n_jobs : int
        Of the metric.
    progress : function
        What shows how far a sequence is read, such as `tqdm`.
    """
    types_of_run: dict[Any, dict[str, None]] = {}
    for setting in settings:
        for one in numbers:
            need = _need(setting, one, texts)
            types = types_of_run.setdefault(need.run, dict.fromkeys(setting.all_types))
            types[need.rouge_type] = None
    results = {}
    for run in progress(list(types_of_run)):
        if metric.name == "bleu_full":
            what = {**bleu_measure(Setting(dict(run)), numbers), "output": "score"}
        else:
            what = {"rouge_types": list(types_of_run[run]), "output": "all"}
        data = {"predictions": texts.predictions, "references": texts.references}
        result = computed(metric, **data, **dict(run), **what, n_jobs=n_jobs)
        if len(numbers) == 1 and metric.name == "bleu_full":
            result = {numbers[0].name: result["bleu"]}
        results[run] = _Result(result)
    return Scores(numbers, texts, results)


def computed(metric: Any, **arguments: Any) -> dict[str, Any]:
    """Return a result without the warnings, which are about settings nobody chose."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return metric.compute(**arguments)
