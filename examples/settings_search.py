"""Which settings give the numbers that a paper reports? `find_settings` tries them all.

    settings -> runs of the metric that they share -> scores -> groups of equal numbers
             -> groups that agree with the paper, else those that are nearest to it

All scores are those of the metric. Settings share a run where they differ in what is
read off its result only: precision, recall or F, another beta, another name of ROUGE-L,
an option that has no effect on the type or cuts no text of this file.

The average of preset "evaluate" depends on a seed that papers do not give. It is the
median of the means of 1,000 random samples, whose standard deviation is about

    sqrt(pi / 2) * s / sqrt(1000),   s = the standard error of the mean,

so a number that is within three of them of the mean may be one of another seed.
"""

from __future__ import annotations

import importlib.util
import math
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from metric_arguments import errors_of_metric
from reported_numbers import OUTPUTS, Reported, parsed_numbers, scales
from settings_tables import Setting, bleu_measure, bleu_settings, rouge_settings

ROUNDED, CUT = "rounded", "cut off"
N_NEAREST = 3
_N_SAMPLES_OF_EVALUATE = 1000
_N_DECIMALS = 6  # to which numbers are the same; torchmetrics has no more
_SHOWN_BY_ITEM = (None, "rouge_score")  # presets whose mean is taken here


# --- what is found --------------------------------------------------------------------


@dataclass(frozen=True)
class Found:
    """Settings that give the same numbers on this file, the simplest first.

    Parameters
    ----------
    settings : list of Setting
    score_of_name : dict
        The score of each reported name.
    scale : int
        What it is multiplied by: 1 or 100.
    distance : float
        The largest difference to a reported number, in units of that number.
    agreement : str or None
        How all of the reported numbers come of the scores: `ROUNDED` or, some of them,
        `CUT`.
    signatures : list of str
        Those of the settings.
    """

    settings: list[Setting]
    score_of_name: dict[str, float]
    scale: int
    distance: float
    agreement: str | None
    signatures: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Findings:
    """What a search found.

    Parameters
    ----------
    reported : list of Reported
    n_settings, n_distinct : int
        How many settings were tried, and how many of them this file tells apart.
    n_runs : int
        How often the metric was computed for that.
    matches : list of Found
        What gives all reported numbers.
    of_other_seeds : list of Found
        What may give them with another seed, which is weaker evidence.
    nearest : list of Found
        Where nothing gives all numbers: what comes nearest.
    """

    metric: str
    reported: list[Reported]
    n_settings: int
    n_distinct: int
    n_runs: int
    matches: list[Found]
    of_other_seeds: list[Found]
    nearest: list[Found]


def find_settings(
    metric: Any,
    predictions: Sequence[str],
    references: Sequence[Sequence[str]],
    reported: Sequence[str] | Mapping[str, str],
    *,
    exceptions: str | None = None,
    n_jobs: int = 1,
    progress: Callable[[Sequence[Any]], Iterable[Any]] = iter,
) -> Findings:
    """Return the settings that give reported scores.

    Parameters
    ----------
    metric : evaluate.Metric
        rouge_full or bleu_full.
    predictions : sequence of str
    references : sequence of sequences of str
        The references of each prediction.
    reported : sequence of str or Mapping
        Numbers such as "rouge1=41.16", or their texts by name.
    exceptions : str, optional
        The folder of WordNet's exception lists, for -m of ROUGE-1.5.5.
    n_jobs : int
        Of the metric.
    progress : function, optional
        What shows how far a sequence is read, such as `tqdm`.

    Raises
    ------
    FileError
        In one line what is wrong with the numbers, the folder or the texts.
    """
    numbers = parsed_numbers(reported)
    texts = _Texts.of(predictions, references)
    settings = _settings(metric, numbers, texts, exceptions)
    with errors_of_metric(metric):
        results = _results(metric, numbers, texts, settings, n_jobs, progress)
        scores = [_scores(setting, numbers, texts, results) for setting in settings]
        groups = _groups(settings, scores)
        matches, nearest = _agreeing(groups, numbers)
        noisy = _of_other_seeds(settings, texts, results, numbers)
        return Findings(
            metric=metric.name,
            reported=numbers,
            n_settings=len(settings),
            n_distinct=len(groups),
            n_runs=len(results),
            matches=[_signed(metric, texts, found, numbers) for found in matches],
            of_other_seeds=[_signed(metric, texts, found, numbers) for found in noisy],
            nearest=[_signed(metric, texts, found, numbers) for found in nearest],
        )


def measured(setting: Setting, reported: Sequence[Reported]) -> dict[str, Any]:
    """Return all options of `compute` for a setting: also the types, weights, output."""
    if not setting.type_of_name:
        return {**setting.options, **bleu_measure(reported)}
    types = dict.fromkeys(setting.type_of_name.values())
    outputs = {one.output or setting.output for one in reported}
    output = outputs.pop() if len(outputs) == 1 else "all"
    is_default = output == "fmeasure"
    if setting.options.get("preset") not in (None, "rouge_score", "evaluate"):
        is_default = False  # others return all three
    options = {**setting.options, "rouge_types": list(types)}
    return options if is_default else {**options, "output": output}


def _settings(
    metric: Any, numbers: Sequence[Reported], texts: _Texts, exceptions: str | None
) -> list[Setting]:
    if metric.name == "bleu_full":
        has_sacrebleu = importlib.util.find_spec("sacrebleu") is not None
        found = bleu_settings(
            has_several=texts.has_several, has_sacrebleu=has_sacrebleu
        )
        return list(found)
    with errors_of_metric(metric):
        stemmer = None if exceptions is None else metric.rouge155_stemmer(exceptions)
    settings = rouge_settings(
        numbers,
        has_several=texts.has_several,
        stemmer_of_script=stemmer,
        code_of_stemmer=f"rouge.rouge155_stemmer({exceptions!r})",
    )
    if importlib.util.find_spec("nltk") is None:
        return [one for one in settings if "use_stemmer" not in one.options]
    return list(settings)


# --- texts ----------------------------------------------------------------------------


@dataclass(frozen=True)
class _Texts:
    """Predictions and their references, and how long the longest text is."""

    predictions: Sequence[str]
    references: Sequence[Sequence[str]]
    has_several: bool
    length_of_limit: Mapping[str, int]

    @classmethod
    def of(
        cls, predictions: Sequence[str], references: Sequence[Sequence[str]]
    ) -> _Texts:
        texts = [*predictions, *(text for texts in references for text in texts)]
        lengths = {
            "max_words": max((len(text.split()) for text in texts), default=0),
            "max_bytes": max((len(text.encode()) for text in texts), default=0),
        }
        has_several = any(len(texts) > 1 for texts in references)
        return cls(predictions, references, has_several, lengths)

    def sample(self) -> dict[str, Any]:
        """Return a few items whose signature is that of all."""
        n_references = [len(texts) for texts in self.references]
        rows = {n_references.index(min(n_references))}
        rows.add(n_references.index(max(n_references)))
        return {
            "predictions": [self.predictions[row] for row in rows],
            "references": [list(self.references[row]) for row in rows],
        }


# --- settings -> runs -> scores -------------------------------------------------------


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

    def value(self, results: Mapping[Any, _Result]) -> float:
        return results[self.run].mean(self)


def _need(setting: Setting, one: Reported, texts: _Texts) -> _Need:
    """Return what gives a reported number under a setting."""
    options = dict(setting.options)
    if not setting.type_of_name:
        return _Need(frozenset(options.items()), key=one.name)
    rouge_type = setting.type_of_name[one.name]
    output = one.output or setting.output or "fmeasure"
    for limit, length in texts.length_of_limit.items():
        if options.get(limit, 0) >= length:  # no text is cut
            del options[limit]
    if not rouge_type.startswith(setting.has_lines):
        options.pop("sentence_splitter", None)
    beta = 1.0
    if options.get("preset") in _SHOWN_BY_ITEM:
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


def _results(
    metric: Any,
    numbers: Sequence[Reported],
    texts: _Texts,
    settings: Sequence[Setting],
    n_jobs: int,
    progress: Callable[[Sequence[Any]], Iterable[Any]],
) -> dict[Any, _Result]:
    """Return the result of each run that is needed, of all its types at once."""
    types_of_run: dict[Any, dict[str, None]] = {}
    for setting in settings:
        for one in numbers:
            need = _need(setting, one, texts)
            types_of_run.setdefault(need.run, {})[need.rouge_type] = None
    results = {}
    for run in progress(list(types_of_run)):
        if metric.name == "bleu_full":
            what = {**bleu_measure(numbers), "output": "score"}
        else:
            what = {"rouge_types": list(types_of_run[run]), "output": "all"}
        result = _computed(
            metric,
            n_jobs=n_jobs,
            predictions=texts.predictions,
            references=texts.references,
            **dict(run),
            **what,
        )
        if list(result) == ["bleu"]:
            result = {numbers[0].name: result["bleu"]}
        results[run] = _Result(result)
    return results


def _computed(metric: Any, **arguments: Any) -> dict[str, Any]:
    """Return a result without the warnings, which are about settings nobody chose."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return metric.compute(**arguments)


def _scores(
    setting: Setting,
    numbers: Sequence[Reported],
    texts: _Texts,
    results: Mapping[Any, _Result],
) -> dict[str, float]:
    """Return the scores of a setting under the reported names."""
    return {one.name: _need(setting, one, texts).value(results) for one in numbers}


# --- scores -> groups -> what agrees --------------------------------------------------


def _groups(
    settings: Sequence[Setting], scores: Sequence[dict[str, float]]
) -> list[tuple[list[Setting], dict[str, float]]]:
    """Return settings with the same scores together, the simplest of each first."""
    groups: dict[tuple[float, ...], tuple[list[Setting], dict[str, float]]] = {}
    order = sorted(range(len(settings)), key=lambda row: settings[row].n_oddities)
    for row in order:
        values = tuple(round(score, _N_DECIMALS) for score in scores[row].values())
        group, _ = groups.setdefault(values, ([], scores[row]))
        group.append(settings[row])
    return list(groups.values())


def _agreeing(
    groups: Sequence[tuple[list[Setting], dict[str, float]]],
    numbers: Sequence[Reported],
) -> tuple[list[Found], list[Found]]:
    """Return the groups that give all numbers, or if there is none the nearest ones."""
    found = [
        Found(
            settings=group,
            score_of_name=scores,
            scale=scale,
            distance=_distance(scores, scale, numbers),
            agreement=_agreement(scores, scale, numbers),
        )
        for group, scores in groups
        for scale in scales(numbers)
    ]
    for agreement in (ROUNDED, CUT):
        matches = [one for one in found if one.agreement == agreement]
        if matches:
            return matches, []
    return [], sorted(found, key=lambda one: one.distance)[:N_NEAREST]


def _agreement(
    scores: Mapping[str, float], scale: int, numbers: Sequence[Reported]
) -> str | None:
    if all(one.is_rounded_from(scores[one.name], scale) for one in numbers):
        return ROUNDED
    if all(one.is_cut_from(scores[one.name], scale) for one in numbers):
        return CUT
    return None


def _distance(
    scores: Mapping[str, float], scale: int, numbers: Sequence[Reported]
) -> float:
    """Return the largest difference; infinity where a score is not a number."""
    differences = [abs(one.difference(scores[one.name], scale)) for one in numbers]
    return math.inf if any(map(math.isnan, differences)) else max(differences)


def _of_other_seeds(
    settings: Sequence[Setting],
    texts: _Texts,
    results: Mapping[Any, _Result],
    numbers: Sequence[Reported],
) -> list[Found]:
    """Return the settings with a seed that may give all numbers with another one."""
    found = []
    for setting in settings:
        if setting.options.get("seed") != 0:
            continue
        options = {
            name: value for name, value in setting.options.items() if name != "seed"
        }
        of_items = replace(setting, options={**options, "preset": "rouge_score"})
        needs = {one.name: _need(of_items, one, texts) for one in numbers}
        means = {name: need.value(results) for name, need in needs.items()}
        for scale in scales(numbers):
            is_near = all(
                abs(one.difference(means[one.name], scale))
                <= one.last_digit / 2
                + 3 * scale * _deviation_of_median(results, needs[one.name])
                for one in numbers
            )
            if is_near:
                distance = _distance(means, scale, numbers)
                found.append(Found([setting], means, scale, distance, None))
    return found


def _deviation_of_median(results: Mapping[Any, _Result], need: _Need) -> float:
    """Return the standard deviation, over seeds, of the average of evaluate's rouge."""
    error = results[need.run].standard_error(need)
    return math.sqrt(math.pi / 2 / _N_SAMPLES_OF_EVALUATE) * error


def _signed(
    metric: Any, texts: _Texts, found: Found, numbers: Sequence[Reported]
) -> Found:
    """Return the same with the signatures of its settings."""
    lines = [
        _computed(
            metric, **texts.sample(), **measured(setting, numbers), signature=True
        )
        for setting in found.settings
    ]
    return replace(found, signatures=[line["signature"] for line in lines])
