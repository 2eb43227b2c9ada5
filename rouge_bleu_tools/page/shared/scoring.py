"""One prediction and its references -> scores, signature, warnings, and what they are
made of.
"""

from __future__ import annotations

import threading
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rouge_bleu_tools.page.shared.choices import checked_choices
from rouge_bleu_tools.page.shared.limits import (
    MAX_EXPLAINED_CHARACTERS,
    Refusal,
    check_size,
    checked_prediction,
    checked_references,
    refusals,
)
from rouge_bleu_tools.page.shared.metrics import Metrics

_OUTPUTS = ("precision", "recall", "fmeasure")
# Where only the text matters and not what is counted.
_CHEAPEST: dict[str, dict[str, Any]] = {
    "rouge_full": {"rouge_types": ["rouge1"]},
    "bleu_full": {"output": "score"},
}
_warnings_lock = threading.Lock()


@dataclass(frozen=True)
class Scored:
    """What the page says of one prediction.

    Parameters
    ----------
    metric : str
    prediction : str
    references : list of str
        Those that are not blank.
    options : dict
        Those of `compute` that were chosen.
    used_options : RougeOptions or BleuOptions
        All that the scores were made with, also those of the preset. Those by which
        the signature tells scores apart; others have their default.
    result : dict
        What `compute` returned, without the signature.
    signature : str
    warnings : list of str
    explanation : dict or None
        What `explain` returned, of the type that is asked for; None: the texts are too
        long.
    """

    metric: str
    prediction: str
    references: list[str]
    options: dict[str, Any]
    used_options: Any
    result: dict[str, Any]
    signature: str
    warnings: list[str] = field(default_factory=list)
    explanation: dict[str, Any] | None = None

    @property
    def scores_of_type(self) -> dict[str, tuple[float, float, float]]:
        """Precision, recall and F of each rouge type."""
        return scores_of_types(self.result)

    @property
    def options_to_explain(self) -> dict[str, Any]:
        """The options with which `explain` is about these scores.

        `explain` is about an item, for which preset "sacrebleu" leaves out orders that
        it does not leave out for a corpus. Some presets take no such option.
        """
        if self.metric != "bleu_full":
            return self.options
        # The preset that was chosen, which the signature leaves out where it acts on nothing.
        preset = type(self.used_options).preset_of_name(self.options.get("preset") or "")
        if preset is not None and "effective_order" in preset.rules.fixed_options:
            return self.options
        effective_order = self.used_options.uses_effective_order
        return {**self.options, "effective_order": effective_order}


def scores_of_types(result: Mapping[str, Any]) -> dict[str, tuple[Any, Any, Any]]:
    """Return precision, recall and F of each rouge type of a result.

    >>> scores_of_types({"rouge1_precision": 1.0, "rouge1_recall": 0.5, "rouge1_fmeasure": 0.67})
    {'rouge1': (1.0, 0.5, 0.67)}
    """
    end = "_fmeasure"
    names = [key.removesuffix(end) for key in result if key.endswith(end)]
    return {
        name: (result[f"{name}_precision"], result[f"{name}_recall"], result[f"{name}_fmeasure"])
        for name in names
    }


def check_has_scores(metric: str, result: Mapping[str, Any]) -> None:
    """Raise where a command line of the Perl script asks for counts alone."""
    if metric == "rouge_full" and not scores_of_types(result):
        raise Refusal("-t 2 of the command line gives counts and no scores: leave it out here.")


def output_of_all(name: str) -> dict[str, str]:
    """Return the options by which a metric returns all that the page shows."""
    return {"output": "all"} if name == "rouge_full" else {}


def scored(
    metrics: Metrics,
    name: Any,
    prediction: Any,
    references: Any,
    options: Any,
    *,
    is_item: bool = False,
) -> Scored:
    """Return the scores of one prediction, without its explanation.

    They are those of a corpus of one item, or of the item as a row of a file.

    Raises
    ------
    Refusal
        A text is missing or too long, or the metric refuses an option.
    """
    metric = metrics.fresh(name)
    prediction = checked_prediction(prediction)
    references = checked_references(references)
    check_size([prediction, *references])
    with refusals():
        chosen = checked_choices(metrics, name, options)
        data = {"predictions": [prediction], "references": [references]}
        form = {**output_of_all(name), "use_aggregator": not is_item}
        result = metric.compute(**data, **chosen, **form, signature=True)
        found = warnings_of(metric, **data, **{**chosen, **_CHEAPEST[name]})
        if not is_item:
            check_has_scores(name, result)
        signature = result.pop("signature")
        used = metric.options_class(**metric.options_of_signature(signature))
    if is_item:
        result = {key: value for key, (value,) in result.items()}
    return Scored(name, prediction, references, chosen, used, result, signature, found)


def warnings_of(metric: Any, **arguments: Any) -> list[str]:
    """Return the warnings that a short call of `compute` gives.

    Python records warnings for the whole process, not for a thread. So one request at a
    time asks for them, by a call that is cheap, and takes those of its own thread only:
    others compute at the same time, and their warnings are not this visitor's.
    """
    thread = threading.get_ident()
    found: list[str] = []

    def keep(message: Warning | str, *_: Any) -> None:
        if threading.get_ident() == thread:
            found.append(str(message))

    with _warnings_lock, warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = keep  # type: ignore[assignment]
        metric.compute(**arguments)
    return list(dict.fromkeys(found))


def explained(
    metrics: Metrics,
    name: Any,
    prediction: Any,
    references: Any,
    options: Any,
    rouge_type: Any = None,
) -> dict[str, Any] | None:
    """Return what `explain` says, for rouge_full of one type; None: too long a text.

    Raises
    ------
    Refusal
        As in `scored`.
    """
    metric = metrics.fresh(name)
    prediction = checked_prediction(prediction)
    references = checked_references(references)
    check_size([prediction, *references])
    if not is_explained([prediction, *references]):
        return None
    with refusals():
        chosen = checked_choices(metrics, name, options)
        if rouge_type is not None and name == "rouge_full":
            chosen = checked_types(metrics, name, chosen, rouge_type)
        explanation: dict[str, Any] = metric.explain(
            prediction=prediction, reference=references, **chosen
        )
    return explanation


def is_explained(texts: Sequence[str]) -> bool:
    """Whether texts are short enough for their words to be marked."""
    return sum(map(len, texts)) <= MAX_EXPLAINED_CHARACTERS


def checked_types(
    metrics: Metrics, name: str, options: Mapping[str, Any], rouge_type: Any
) -> dict[str, Any]:
    """Return options for one rouge type, which may be one of a command line."""
    if not isinstance(rouge_type, str) or len(rouge_type) > 30:
        raise Refusal(f"The type must be a rouge type, got {rouge_type!r:.60}.")
    return {**options, "rouge_types": [rouge_type]}
