"""Which settings give the numbers that a paper reports? `find_settings` tries them all.

    settings -> runs of the metric that they share -> scores -> groups of equal numbers
             -> groups that agree with the paper, else those that are nearest to it

The average of preset "evaluate" depends on a seed that papers do not give. It is the
median of the means of 1,000 random samples, whose standard deviation is about

    sqrt(pi / 2) * s / sqrt(1000),   s = the standard error of the mean,

so a number that is within three of them of the mean may be one of another seed.
"""

from __future__ import annotations

import importlib.util
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from rouge_bleu_tools.commands.find_settings.bleu_candidates import bleu_measure, bleu_settings
from rouge_bleu_tools.commands.find_settings.candidates import Setting, rouge_settings
from rouge_bleu_tools.commands.find_settings.reported import Reported, parsed_numbers, scales
from rouge_bleu_tools.commands.find_settings.scores import (
    Progress,
    Scores,
    Texts,
    computed,
    scores_of_settings,
)
from rouge_bleu_tools.commands.inputs.errors import FileError, errors_of_metric

ROUNDED, CUT = "rounded", "cut off"
N_NEAREST = 3
# Of the median of the means of 1,000 samples, in standard errors of the mean.
_N_DEVIATIONS = 3 * math.sqrt(math.pi / 2 / 1000)
_N_DECIMALS = 6  # to which numbers are the same; torchmetrics has no more


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
        How many settings were tried, and how many different results they give.
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
    progress: Progress = iter,
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
    texts = Texts.of(predictions, references)
    settings = _settings(metric, numbers, texts, exceptions)
    with errors_of_metric(metric):
        scores = scores_of_settings(
            metric, settings, numbers, texts, n_jobs=n_jobs, progress=progress
        )
        groups = _groups(settings, [scores.of(setting) for setting in settings])
        matches, nearest = _agreeing(groups, numbers)
        noisy = _of_other_seeds(settings, scores)
        return Findings(
            metric=metric.name,
            reported=numbers,
            n_settings=len(settings),
            n_distinct=len(groups),
            n_runs=len(scores.results),
            matches=[_signed(metric, texts, found, numbers) for found in matches],
            of_other_seeds=[_signed(metric, texts, found, numbers) for found in noisy],
            nearest=[_signed(metric, texts, found, numbers) for found in nearest],
        )


def measured(setting: Setting, reported: Sequence[Reported]) -> dict[str, Any]:
    """Return all options of `compute` for a setting: also the types, weights, output."""
    if not setting.type_of_name:
        return {**setting.options, **bleu_measure(setting, reported)}
    types = setting.all_types or tuple(dict.fromkeys(setting.type_of_name.values()))
    outputs = {one.output or setting.output for one in reported}
    output = outputs.pop() if len(outputs) == 1 else "all"
    is_default = output == "fmeasure"
    if setting.options.get("preset") not in (None, "rouge_score", "evaluate"):
        is_default = False  # others return all three
    options = {**setting.options, "rouge_types": list(types)}
    return options if is_default else {**options, "output": output}


def _settings(
    metric: Any, numbers: Sequence[Reported], texts: Texts, exceptions: str | None
) -> list[Setting]:
    if metric.name == "bleu_full":
        has_sacrebleu = importlib.util.find_spec("sacrebleu") is not None
        found = bleu_settings(numbers, has_several=texts.has_several, has_sacrebleu=has_sacrebleu)
        return list(found)
    stemmer = None if exceptions is None else _stemmer_of_script(metric, exceptions)
    settings = rouge_settings(
        numbers,
        has_several=texts.has_several,
        n_words=texts.length_of_limit["max_words"],
        stemmer_of_script=stemmer,
        code_of_stemmer=f"rouge.rouge155_stemmer({exceptions!r})",
    )
    if importlib.util.find_spec("nltk") is None:
        return [one for one in settings if "use_stemmer" not in one.options]
    return list(settings)


def _stemmer_of_script(metric: Any, exceptions: str) -> Any:
    try:
        return metric.rouge155_stemmer(exceptions)
    except (OSError, TypeError, ValueError) as error:
        raise FileError(f"--exceptions: {error}") from error


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
    groups: Sequence[tuple[list[Setting], dict[str, float]]], numbers: Sequence[Reported]
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


def _agreement(scores: Mapping[str, float], scale: int, numbers: Sequence[Reported]) -> str | None:
    if all(one.is_rounded_from(scores[one.name], scale) for one in numbers):
        return ROUNDED
    if all(one.is_cut_from(scores[one.name], scale) for one in numbers):
        return CUT
    return None


def _distance(scores: Mapping[str, float], scale: int, numbers: Sequence[Reported]) -> float:
    """Return the largest difference; infinity where a score is not a number."""
    differences = [abs(one.difference(scores[one.name], scale)) for one in numbers]
    return math.inf if any(map(math.isnan, differences)) else max(differences)


def _of_other_seeds(settings: Sequence[Setting], scores: Scores) -> list[Found]:
    """Return the settings with a seed that may give all numbers with another one."""
    found = []
    numbers = scores.numbers
    for setting in settings:
        if setting.options.get("seed") != 0:
            continue
        options = {name: value for name, value in setting.options.items() if name != "seed"}
        of_items = replace(setting, options={**options, "preset": "rouge_score"})
        means, errors = scores.of(of_items), scores.standard_errors(of_items)
        for scale in scales(numbers):
            is_near = all(
                abs(one.difference(means[one.name], scale))
                <= one.last_digit / 2 + scale * _N_DEVIATIONS * errors[one.name]
                for one in numbers
            )
            if is_near:
                distance = _distance(means, scale, numbers)
                found.append(Found([setting], means, scale, distance, None))
    return found


def _signed(metric: Any, texts: Texts, found: Found, numbers: Sequence[Reported]) -> Found:
    """Return the same with the signatures of its settings."""
    lines = [
        computed(metric, **texts.sample(), **measured(setting, numbers), signature=True)
        for setting in found.settings
    ]
    n_all = f"|n:{len(texts.predictions)}|"
    signatures = [re.sub(r"\|n:[0-9]+\|", n_all, line["signature"]) for line in lines]
    return replace(found, signatures=signatures)
