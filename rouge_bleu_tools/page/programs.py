"""What programs call through gradio_client: `/score`, `/explain`, `/code`, `/card`.

`/score_file` and `/find_settings` stand with their tabs.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import Any

import gradio as gr

from rouge_bleu_tools.page.shared.events import refusals_as_errors
from rouge_bleu_tools.page.shared.limits import MAX_EXPLAINED_CHARACTERS, Refusal
from rouge_bleu_tools.page.shared.metrics import Metrics
from rouge_bleu_tools.page.shared.scoring import explained, scored
from rouge_bleu_tools.page.use.tab import code_of_options


class PageBlocks(gr.Blocks):
    """A page whose functions for programs keep nothing, and say what they cannot read.

    Gradio keeps a session of 0.3 MB for whoever calls, and most programs have another
    one for each call: they would take the place of visitors.
    """

    async def process_api(self, block_fn: Any, *arguments: Any, **options: Any) -> dict[str, Any]:
        try:
            return await super().process_api(block_fn, *arguments, **options)
        finally:
            if block_fn.api_visibility == "public":
                self._forget_session(str(options.get("session_hash")))

    async def preprocess_data(self, block_fn: Any, *arguments: Any, **options: Any) -> list[Any]:
        try:
            return await super().preprocess_data(block_fn, *arguments, **options)
        except Exception as error:
            if block_fn.api_visibility != "public" or isinstance(error, gr.Error):
                raise
            names = list(signature(block_fn.fn).parameters)[: len(block_fn.inputs)]
            text = f"/{block_fn.api_name} takes {', '.join(names)}, and cannot read this."
            raise gr.Error(text, print_exception=False) from error

    def _forget_session(self, session: str) -> None:
        holder = self.state_holder
        with holder.lock:
            holder.session_data.pop(session, None)
            holder.time_last_used.pop(session, None)


def programs(metrics: Metrics) -> None:
    """Build the functions; they take and return what JSON has."""

    @_with_errors
    def score(
        metric: str, prediction: str, references: list[str], options: dict[str, Any]
    ) -> dict[str, Any]:
        """Score a prediction.

        `options` are those of compute. Returns its result, the signature, and the
        warnings.
        """
        found = scored(metrics, metric, prediction, references, options)
        return {"result": found.result, "signature": found.signature, "warnings": found.warnings}

    @_with_errors
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
                f"The page explains texts of up to {MAX_EXPLAINED_CHARACTERS:,} characters in all."
            )
        return found

    @_with_errors
    def code(metric: str, options: dict[str, Any]) -> dict[str, Any]:
        """Return code for options: "script", and "training" for a Seq2SeqTrainer."""
        found = code_of_options(metrics, metric, options)
        return {"script": found["script"], "training": found["training"]}

    @_with_errors
    def card(metric: str) -> str:
        """Return the metric card, as Markdown."""
        return metrics.card(metric)

    for function in (score, explain, code, card):
        gr.api(function, api_name=function.__name__)


def _with_errors(function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    def called(*arguments: Any) -> Any:
        with refusals_as_errors():
            return function(*arguments)

    return called
