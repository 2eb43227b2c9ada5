"""The tab "Use it": code for the options that are chosen, and the metric card."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gradio as gr

from rouge_bleu_tools.page.shared.choices import checked_choices, options_of_form
from rouge_bleu_tools.page.shared.events import QUIET
from rouge_bleu_tools.page.shared.limits import Refusal, refusals
from rouge_bleu_tools.page.shared.looks.code import code_block
from rouge_bleu_tools.page.shared.looks.html_parts import message
from rouge_bleu_tools.page.shared.metrics import Metrics
from rouge_bleu_tools.page.shared.options_panel import OptionsPanel
from rouge_bleu_tools.page.shared.scoring import scored
from rouge_bleu_tools.page.try_it.tab import TryTab
from rouge_bleu_tools.page.use.code import command_line, script_code, training_code


def use_tab(metrics: Metrics, panel: OptionsPanel, tried: TryTab, tab: gr.Tab) -> None:
    """Build the tab; its code is written anew where the tab is opened."""
    problem = gr.HTML(elem_id="code-message")
    with gr.Tabs():
        with gr.Tab("Python", elem_id="tab-script"):
            script = gr.HTML(elem_id="code-script")
        with gr.Tab("Command line", elem_id="tab-command"):
            command = gr.HTML(elem_id="code-command")
        with gr.Tab("Trainer", elem_id="tab-training"):
            training = gr.HTML(elem_id="code-training")
    with gr.Accordion("Metric card: everything about it", open=False, elem_id="card"):
        card = gr.Markdown(elem_id="code-card", latex_delimiters=[])

    def write(*values: Any) -> list[Any]:
        of_texts = values[: len(tried.inputs)]
        name, form = panel.chosen(values[len(tried.inputs) :])
        prediction, *references = of_texts
        try:
            options = options_of_form(name, form)
            found = code_of_options(
                metrics, name, options, prediction, [text for text in references if text]
            )
        except Refusal as refusal:
            return [message([str(refusal)]), "", "", "", gr.skip()]
        return [
            "",
            code_block("Scores the texts of “Try it”", found["script"]),
            code_block("Scores a file", command_line(name, options), "shell"),
            code_block("For a Seq2SeqTrainer of transformers", found["training"]),
            metrics.card(name),
        ]

    gr.on(
        [tab.select, *(one.change for one in panel.inputs)],
        write,
        [*tried.inputs, *panel.inputs],
        [problem, script, command, training, card],
        trigger_mode="always_last",
        **QUIET,
    )


def code_of_options(
    metrics: Metrics,
    name: Any,
    options: Mapping[str, Any],
    prediction: Any = None,
    references: Any = (),
) -> dict[str, str]:
    """Return "script", "training" and "signature" for options.

    Without texts, or with texts that the page does not score, the options alone are
    checked, and there is no signature.
    """
    metric = metrics.fresh(name)
    with refusals():
        options = checked_choices(metrics, name, options)
        metric.explain(prediction="a", reference="a", **options)
    try:
        found = scored(metrics, name, prediction, references, options)
    except Refusal:
        script, signature = script_code(name, options), ""
    else:
        signature = found.signature
        script = script_code(name, options, found.prediction, found.references, signature)
    return {"script": script, "training": training_code(name, options), "signature": signature}
