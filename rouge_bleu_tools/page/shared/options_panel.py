"""The options of the metrics, which all tabs but "Which settings?" go by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import gradio as gr

from rouge_bleu_tools.page.shared.choices import (
    BLEU_FORM,
    DEFAULT,
    FORMS,
    ROUGE_FORM,
    default_of,
    labelled_choices,
)
from rouge_bleu_tools.page.shared.events import QUIET
from rouge_bleu_tools.page.shared.metrics import Metrics

TITLES = {"rouge_full": "ROUGE", "bleu_full": "BLEU"}
# In the order of `style.py`, which shows one of the two.
OF_ONE = "one"
SCALES = [("0 to 100", "hundred"), ("0 to 1", OF_ONE)]
_NUMBERS = ("beta", "max_order")  # whose default is shown while they are empty


@dataclass(frozen=True)
class OptionsPanel:
    """The components: the metric, the scale, and the fields of each metric in the order of `FORMS`."""

    metric: gr.Radio
    scale: gr.Radio
    fields: dict[str, dict[str, Any]]
    groups: dict[str, gr.Column]

    @property
    def inputs(self) -> list[Any]:
        """The components whose values `chosen` takes."""
        fields = [field for of_metric in self.fields.values() for field in of_metric.values()]
        return [self.metric, *fields]

    def chosen(self, values: Sequence[Any]) -> tuple[str, dict[str, Any]]:
        """Return the metric and its form, of the values of `inputs`."""
        name, *rest = values
        for of_name, fields in self.fields.items():
            own, rest = rest[: len(fields)], rest[len(fields) :]
            if of_name == name:
                return name, dict(zip(fields, own, strict=True))
        return str(name), {}

    def updates(self, name: str, form: dict[str, Any]) -> list[Any]:
        """Return the values of `inputs` for a metric and its form."""
        values: list[Any] = [name]
        for of_name, fields in self.fields.items():
            own = form if of_name == name else FORMS[of_name]
            values += [own[field] for field in fields]
        return values


def options_panel(metrics: Metrics) -> OptionsPanel:
    """Build the panel."""
    with gr.Row(elem_id="choices"):
        metric = gr.Radio(
            [(TITLES[name], name) for name in metrics.names],
            value=metrics.names[0],
            label="Metric",
            elem_id="options-metric",
            visible=len(metrics.names) > 1,
        )
        scale = gr.Radio(
            SCALES, value="hundred", label="Scale", interactive=True, elem_id="options-scale"
        )
    build = {"rouge_full": _rouge_fields, "bleu_full": _bleu_fields}
    fields, groups = {}, {}
    with gr.Accordion("Options", open=False, elem_id="options"):
        for name in metrics.names:
            visible = name == metrics.names[0]
            with gr.Column(visible=visible, elem_id=f"options-{name}") as groups[name]:
                fields[name] = build[name](labelled_choices(metrics, name))
                _show_defaults(metrics, name, fields[name])
    metric.change(
        lambda chosen: [gr.Column(visible=name == chosen) for name in groups],
        metric,
        list(groups.values()),
        queue=False,
        **QUIET,
    )
    if "rouge_full" in fields:
        _clear_types_for_presets(fields["rouge_full"])
    return OptionsPanel(metric, scale, fields, groups)


def _show_defaults(metrics: Metrics, name: str, fields: dict[str, Any]) -> None:
    """Let the fields say what counts where they are left as they are, with each preset."""
    numbers = [field for field in _NUMBERS if field in fields]
    lists = [
        field for field in labelled_choices(metrics, name) if field not in ("rouge_types", "preset")
    ]
    for field in numbers:
        fields[field].placeholder = _placeholder(metrics, name, field, DEFAULT)

    def defaults(preset: Any) -> list[Any]:
        preset = preset if preset in metrics.presets(name) else DEFAULT
        choices = labelled_choices(metrics, name, preset)
        placeholder = partial(_placeholder, metrics, name, preset=preset)
        return [
            *(gr.Dropdown(choices=choices[field]) for field in lists),
            *(gr.Number(placeholder=placeholder(field)) for field in numbers),
        ]

    fields["preset"].change(
        defaults,
        fields["preset"],
        [fields[field] for field in (*lists, *numbers)],
        queue=False,
        **QUIET,
    )


def _placeholder(metrics: Metrics, name: str, field: str, preset: str) -> str:
    return f"{default_of(metrics, name, field, preset):g} (default)"


def _clear_types_for_presets(fields: dict[str, Any]) -> None:
    """A preset has types of its own, which count where none is ticked."""
    gr.on(
        [fields["preset"].input, fields["command"].submit, fields["command"].blur],
        lambda preset, command, types: (
            [] if preset != DEFAULT or (command or "").strip() else types
        ),
        [fields["preset"], fields["command"], fields["rouge_types"]],
        fields["rouge_types"],
        queue=False,
        **QUIET,
    )


def _preset(choices: list[tuple[str, str]], elem_id: str) -> gr.Dropdown:
    return gr.Dropdown(
        choices,
        value=DEFAULT,
        label="Preset",
        info="Counts as another program does.",
        elem_id=elem_id,
    )


def _rouge_fields(choices: dict[str, list[tuple[str, str]]]) -> dict[str, Any]:
    first = ROUGE_FORM
    types = gr.CheckboxGroup(
        choices["rouge_types"],
        value=first["rouge_types"],
        label="Types",
        info="If you tick none: ROUGE-1, 2, L, Lsum, W, S4 and SU4, or the types of the preset.",
        elem_id="options-rouge-types",
        elem_classes="page-types",
    )
    with gr.Row():
        tokenizer = gr.Dropdown(
            choices["tokenizer"],
            value=DEFAULT,
            label="Tokenizer",
            info="What a word is. Take unicode for languages other than English.",
            elem_id="options-rouge-tokenizer",
        )
        multi_reference = gr.Dropdown(
            choices["multi_reference"],
            value=DEFAULT,
            label="Several references",
            info="What the scores are if there are several references.",
            elem_id="options-rouge-multi-reference",
        )
    with gr.Row():
        stemmer = gr.Checkbox(
            label="Stemmer",
            info="“cats” matches “cat”: words are cut to their stems.",
            elem_id="options-rouge-stemmer",
        )
        sentences = gr.Checkbox(
            label="Find sentences",
            info="For ROUGE-Lsum. Without it each line is a sentence.",
            elem_id="options-rouge-sentences",
        )
    with gr.Row():
        weight = gr.Number(
            first["weight"],
            label="Weight of ROUGE-W",
            info="A run of k words counts k to this power. From 1 to 20.",
            elem_id="options-rouge-weight",
        )
        beta = gr.Number(
            None,
            label="Beta",
            info="How much more recall counts in F than precision.",
            elem_id="options-rouge-beta",
        )
    with gr.Row():
        preset = _preset(choices["preset"], "options-rouge-preset")
        command = gr.Textbox(
            label="Or a command line",
            info="Of the Perl script ROUGE-1.5.5, as papers print it.",
            placeholder="ROUGE-1.5.5.pl -n 2 -m -a",
            max_lines=1,
            elem_id="options-rouge-command",
        )
    components = (types, weight, tokenizer, stemmer, sentences, multi_reference, beta)
    return dict(zip(first, (*components, preset, command), strict=True))


def _bleu_fields(choices: dict[str, list[tuple[str, str]]]) -> dict[str, Any]:
    with gr.Row():
        tokenizer = gr.Dropdown(
            choices["tokenizer"],
            value=DEFAULT,
            label="Tokenizer",
            info="What a word is. Take unicode for Chinese and Japanese.",
            elem_id="options-bleu-tokenizer",
        )
        smoothing = gr.Dropdown(
            choices["smoothing"],
            value=DEFAULT,
            label="Smoothing",
            info="What counts if no n-gram of a length matches.",
            elem_id="options-bleu-smoothing",
        )
    with gr.Row():
        max_order = gr.Number(
            None,
            label="Longest n-grams",
            info="How many words in a row are compared at most.",
            precision=0,
            elem_id="options-bleu-max-order",
        )
        weights = gr.Textbox(
            label="Weights",
            info="One for each length. If empty, all are the same.",
            placeholder="0.4 0.3 0.2 0.1",
            max_lines=1,
            elem_id="options-bleu-weights",
        )
    with gr.Row():
        preset = _preset(choices["preset"], "options-bleu-preset")
        lowercase = gr.Checkbox(
            label="Lowercase", info="“The” matches “the”.", elem_id="options-bleu-lowercase"
        )
    components = (tokenizer, max_order, weights, smoothing, lowercase, preset)
    return dict(zip(BLEU_FORM, components, strict=True))
