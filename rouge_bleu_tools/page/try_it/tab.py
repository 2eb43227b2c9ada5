"""The tab "Try it": one prediction, its references, and what the scores are made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import gradio as gr

from rouge_bleu_tools.page.shared.choices import options_of_form
from rouge_bleu_tools.page.shared.events import QUIET, components
from rouge_bleu_tools.page.shared.limits import LIMITS_OF_TEXTS, MAX_REFERENCES, Refusal
from rouge_bleu_tools.page.shared.looks.html_parts import message
from rouge_bleu_tools.page.shared.meanings import paper_name
from rouge_bleu_tools.page.shared.metrics import Metrics
from rouge_bleu_tools.page.shared.options_panel import OptionsPanel
from rouge_bleu_tools.page.shared.scoring import Scored, explained, scored
from rouge_bleu_tools.page.try_it.examples import EXAMPLES, FIRST, Example
from rouge_bleu_tools.page.try_it.links import link_query
from rouge_bleu_tools.page.try_it.views import explanation_view, order_names, scores_view

_REMEDY = "tokenizer='unicode'"


@dataclass(frozen=True)
class TryTab:
    """The components that a link fills in, and what scores them."""

    prediction: gr.Textbox
    references: list[gr.Textbox]
    n_references: gr.State
    filled_at: gr.State  # a change scores the texts, also where none of them changed

    @property
    def inputs(self) -> list[Any]:
        """The boxes for the texts."""
        return [self.prediction, *self.references]

    def updates(self, prediction: str, references: list[str]) -> list[Any]:
        """Return the values of the texts and the number of references."""
        return [prediction, *_reference_boxes(references), len(references) or 1]


def _reference_boxes(texts: list[str]) -> list[Any]:
    n_shown = len(texts) or 1
    return [
        gr.Textbox(value=texts[n] if n < len(texts) else "", visible=n < n_shown)
        for n in range(MAX_REFERENCES)
    ]


@dataclass(frozen=True)
class _Results:
    """The components that show scores, in the order of what `_shown` returns."""

    problem: gr.HTML
    remedy: gr.Button
    scores: gr.HTML
    measure: gr.Radio
    explanation: gr.HTML
    signature: gr.Textbox
    link: gr.Textbox


def try_tab(metrics: Metrics, panel: OptionsPanel) -> TryTab:
    """Build the tab."""
    with gr.Row():
        with gr.Column():
            prediction = gr.Textbox(
                FIRST.prediction,
                label="Prediction",
                info="The text to score.",
                lines=4,
                max_lines=14,
                elem_id="try-prediction",
            )
            examples = _build_examples()
        with gr.Column():
            references = _build_references()
            with gr.Row():
                add = _small_button("Add a reference", "try-add")
                remove = _small_button("Remove", "try-remove")
    tab = TryTab(
        prediction, references, n_references=gr.State(len(FIRST.references)), filled_at=gr.State(0)
    )
    results = _build_results()
    gr.Markdown(LIMITS_OF_TEXTS, elem_classes="page-note")

    _connect_scores(metrics, panel, tab, results)
    boxes = [*references, tab.n_references]
    add.click(lambda n: _with_number(n + 1), tab.n_references, boxes, **QUIET)
    remove.click(lambda n: _with_number(n - 1), tab.n_references, boxes, **QUIET)
    tab.n_references.change(
        lambda n: [gr.Button(visible=n < MAX_REFERENCES), gr.Button(visible=n > 1)],
        tab.n_references,
        [add, remove],
        queue=False,
        **QUIET,
    )
    _connect_examples(examples, tab, panel)
    tokenizers = [fields["tokenizer"] for fields in panel.fields.values()]
    results.remedy.click(lambda: ["unicode"] * len(tokenizers), None, tokenizers, **QUIET)
    return tab


def _build_results() -> _Results:
    problem = gr.HTML(elem_id="try-message")
    remedy = gr.Button(
        f"Use {_REMEDY.replace(chr(39), chr(34))}", visible=False, elem_id="try-remedy"
    )
    return _Results(
        problem,
        remedy,
        scores=gr.HTML(elem_id="try-scores"),
        measure=gr.Radio([], label="Highlight matches for", elem_id="try-measure"),
        explanation=gr.HTML(elem_id="try-explanation"),
        signature=gr.Textbox(
            label="Signature",
            info="One line that says how these scores were made, for papers and logs.",
            interactive=False,
            buttons=["copy"],
            elem_id="try-signature",
        ),
        link=gr.Textbox(
            label="Link",
            info="Opens the page with these texts and options.",
            max_lines=1,
            interactive=True,  # else no key reaches what does not fit
            buttons=["copy"],
            elem_id="try-link",
        ),
    )


def _connect_scores(metrics: Metrics, panel: OptionsPanel, tab: TryTab, results: _Results) -> None:
    """Let each change score the texts."""
    address = gr.Textbox(visible=False)
    # The choices of the radio are an output, so a value of it may be none of them when it
    # arrives: Gradio refuses that, and the page does not.
    chosen_measure = gr.State(None)
    n_texts = len(tab.inputs)

    def score(*values: Any) -> list[Any]:
        *chosen, measure, of_browser = values[n_texts:]
        name, form = panel.chosen(chosen)
        return _shown(metrics, values[:n_texts], name, form, measure, of_browser or "")

    inputs = [*tab.inputs, *panel.inputs, chosen_measure, address]
    # "change" and not "input", which does not fire where a text is pasted. One event has
    # all triggers, so that what was triggered last is what is shown in the end.
    changing = [*tab.inputs, *panel.inputs, chosen_measure, tab.filled_at]
    gr.on(
        [one.change for one in changing],
        score,
        inputs,
        components(results),
        trigger_mode="always_last",
        js=_with_address(len(inputs)),
        **QUIET,
    )
    results.measure.input(lambda one: one, results.measure, chosen_measure, **QUIET)


def _with_address(n_inputs: int) -> str:
    """Return the script that adds the address of the page, which only the browser knows."""
    return (
        "(...values) => { values[" + str(n_inputs - 1) + "] = "
        "window.location.origin + window.location.pathname; return values; }"
    )


def _small_button(label: str, elem_id: str) -> gr.Button:
    """Return a button of which two stand side by side on a phone."""
    return gr.Button(label, size="sm", min_width=120, elem_id=elem_id)


def _build_references() -> list[gr.Textbox]:
    return [
        gr.Textbox(
            FIRST.references[number] if number < len(FIRST.references) else "",
            label=f"Reference {number + 1}",
            info="A text that the prediction should be like." if number == 0 else None,
            lines=2,
            max_lines=10,
            visible=number < len(FIRST.references),
            elem_id=f"try-reference-{number + 1}",
        )
        for number in range(MAX_REFERENCES)
    ]


def _with_number(n: int) -> list[Any]:
    """Return boxes of which so many are shown; what is not shown is empty."""
    n = min(max(n, 1), MAX_REFERENCES)
    boxes = [
        gr.Textbox(visible=True) if number < n else gr.Textbox(visible=False, value="")
        for number in range(MAX_REFERENCES)
    ]
    return [*boxes, n]


def _build_examples() -> list[gr.Button]:
    with gr.Column(elem_classes="page-close"):
        gr.Markdown("Examples", elem_classes="page-note")
        with gr.Row(elem_id="try-examples"):
            return [
                gr.Button(
                    example.language,
                    size="sm",
                    min_width=70,
                    elem_id=f"try-example-{example.language.lower()}",
                )
                for example in EXAMPLES
            ]


def _connect_examples(buttons: list[gr.Button], tab: TryTab, panel: OptionsPanel) -> None:
    tokenizers = [fields["tokenizer"] for fields in panel.fields.values()]

    def filled(example: Example) -> list[Any]:
        texts = tab.updates(example.prediction, list(example.references))
        return [*texts, *([example.tokenizer] * len(tokenizers))]

    for button, example in zip(buttons, EXAMPLES, strict=True):
        outputs = [tab.prediction, *tab.references, tab.n_references, *tokenizers]
        button.click(partial(filled, example), None, outputs, **QUIET)


# --- what a click shows ---------------------------------------------------------------


def _shown(
    metrics: Metrics,
    texts: tuple[Any, ...],
    name: str,
    form: Mapping[str, Any],
    measure: str | None,
    address: str,
) -> list[Any]:
    """Return the values of the outputs of the tab."""
    prediction, *references = texts
    filled = [text for text in references if isinstance(text, str) and text.strip()]
    try:
        options = options_of_form(name, form)
        found = scored(metrics, name, prediction, filled, options)
        measures, measure = _measures(found, measure)
        chosen = found.options_to_explain
        explanation = explained(metrics, name, prediction, filled, chosen, measure)
    except Refusal as refusal:
        return [message([str(refusal)]), gr.Button(visible=False), *_nothing()]
    found = replace(found, explanation=explanation)
    has_remedy = any(_REMEDY in text for text in found.warnings)
    query = link_query(name, found.prediction, found.references, form)
    link = f"{address}?{query}" if query else "The texts are too long for a link."
    return [
        message(found.warnings, "warning"),
        gr.Button(visible=has_remedy),
        scores_view(found),
        gr.Radio(choices=measures, value=measure, visible=explanation is not None),
        explanation_view(found, measure),
        gr.Textbox(found.signature, visible=True),
        gr.Textbox(link, visible=True),
    ]


def _measures(found: Scored, measure: str | None) -> tuple[list[tuple[str, str]], str]:
    """Return what matches can be shown of, each with its label, and what is shown."""
    if found.metric == "rouge_full":
        labels = {name: paper_name(name) for name in found.scores_of_type}
    else:
        n_orders = len(found.result["precisions"])
        names = order_names({"orders": [{"order": n + 1} for n in range(n_orders)]})
        labels = {name: name for name in names}
    chosen = measure if measure in labels else next(iter(labels))
    return [(label, name) for name, label in labels.items()], chosen


def _nothing() -> list[Any]:
    """Return what stands below a message: nothing."""
    hidden = gr.Textbox("", visible=False)
    return ["", gr.Radio(choices=[], visible=False), "", hidden, hidden]
