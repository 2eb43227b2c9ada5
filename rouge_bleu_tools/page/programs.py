"""What programs call through gradio_client: `/score`, `/explain`, `/code`, `/card`.

`/score_file` and `/find_settings` stand with their tabs.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import gradio as gr

from rouge_bleu_tools.page.shared.limits import MAX_EXPLAINED_CHARACTERS, Refusal
from rouge_bleu_tools.page.shared.metrics import Metrics
from rouge_bleu_tools.page.shared.scoring import explained, scored
from rouge_bleu_tools.page.use.tab import code_of_options


def programs(metrics: Metrics) -> None:
    """Build the functions; they take and return what JSON has."""

    @_refusals_as_errors
    def score(
        metric: str, prediction: str, references: list[str], options: dict[str, Any]
    ) -> dict[str, Any]:
        """Score a prediction.

        `options` are those of compute. Returns its result, the signature, and the
        warnings.
        """
        found = scored(metrics, metric, prediction, references, options)
        return {
            "result": found.result,
            "signature": found.signature,
            "warnings": found.warnings,
        }

    @_refusals_as_errors
    def explain(
        metric: str,
        prediction: str,
        references: list[str],
        options: dict[str, Any],
        rouge_type: str | None = None,
    ) -> dict[str, Any]:
        """Explain the scores of a prediction: what `explain` of the metric returns."""
        found = explained(metrics, metric, prediction, references, options, rouge_type)
        if found is None:
            raise Refusal(
                f"The page explains texts of up to {MAX_EXPLAINED_CHARACTERS:,} characters "
                "in all."
            )
        return found

    @_refusals_as_errors
    def code(metric: str, options: dict[str, Any]) -> dict[str, Any]:
        """Return code for options: "script", and "training" for a Seq2SeqTrainer."""
        found = code_of_options(metrics, metric, options)
        return {"script": found["script"], "training": found["training"]}

    @_refusals_as_errors
    def card(metric: str) -> str:
        """Return the metric card, as Markdown."""
        return metrics.card(metric)

    for function in (score, explain, code, card):
        gr.api(function, api_name=function.__name__)


def _refusals_as_errors(function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    def called(*arguments: Any) -> Any:
        try:
            return function(*arguments)
        except Refusal as refusal:
            raise gr.Error(str(refusal), print_exception=False) from refusal

    return called
