"""The page: its tabs, their events, and the functions for programs."""

from __future__ import annotations

import html
import json
import math
import os
import re
from collections.abc import AsyncIterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import gradio as gr
from fastapi import Depends, HTTPException, Request
from jinja2 import ChoiceLoader, DictLoader

from rouge_bleu_tools.app import drawing, scoring
from rouge_bleu_tools.app.file import MAX_BYTES, SAMPLE, search_settings
from rouge_bleu_tools.app.file_tabs import QUIET, file_tab, reproduce_tab, scored_folder
from rouge_bleu_tools.app.scoring import message_html
from rouge_bleu_tools.app.settings import (
    FIELDS,
    MEASURES,
    MORE,
    TABS,
    checked,
    chosen,
    default_settings,
    link_query,
    name_fields,
    read_query,
    reason_of,
    resolved,
    settings_of_fields,
    shown_name,
)
from rouge_bleu_tools.app.words import answer, compared
from rouge_bleu_tools.app.worker import result

TITLE = "ROUGE and BLEU scores, explained word by word"
ABOUT = (
    "Paste a generated text and its references to see scores, matching words and the calculation."
)
_FOLDER = Path(__file__).parent
PREVIEW = _FOLDER / "preview.png"
# It counts events and their times after each of them, unless this is set: a tenth of an answer.
os.environ.setdefault("GRADIO_ANALYTICS_CACHE_FREQUENCY", "1000")
# Label, prediction, references, tokenizer.
EXAMPLES = json.loads((_FOLDER / "examples.json").read_text(encoding="utf-8"))

# Without the queue an answer takes one request; a later change replaces one that waits.
_LIVE: dict[str, Any] = {**QUIET, "queue": False, "trigger_mode": "always_last"}


def blocks() -> gr.Blocks:
    """Return the page."""
    with gr.Blocks(title=TITLE, analytics_enabled=False, delete_cache=(600, 3600)) as page:
        space = os.environ.get("SPACE_ID")  # a Space has all files
        files = f"https://huggingface.co/spaces/{space}" if space else scoring.REPOSITORY
        links = f"[Documentation]({files}/blob/main/README.md) · [Source]({files}/tree/main)"
        links += " · [Apache-2.0](https://www.apache.org/licenses/LICENSE-2.0)"
        gr.Markdown(f"# {TITLE}\n{ABOUT} {links}", elem_id="intro")
        with gr.Tabs(elem_id="tabs"):
            with gr.Tab(TABS["texts"], id="texts"):
                texts, fields = _texts_tab(page)
            with gr.Tab(TABS["file"], id="file"):
                file_tab(list(fields.values()))
            with gr.Tab(TABS["reproduce"], id="reproduce"):
                reproduce_tab(texts[1:])
            with gr.Tab(TABS["use"], id="use") as use:
                _use_tab(use, texts, fields)
        _add_functions(page)
    page.queue(default_concurrency_limit=40)
    return page


def _adapt_gradio() -> None:
    """Change what Gradio has no option for."""
    # Tags of previews are in the HTML itself, since crawlers run no scripts.
    environment, name = gr.routes.templates.env, "frontend/index.html"
    loader: Any = environment.loader
    source = loader.get_source(environment, name)[0]
    tags = (_FOLDER / "preview.txt").read_text(encoding="utf-8")
    tags = tags.format(title=TITLE, about=ABOUT, picture=PREVIEW.as_posix())
    source = re.sub(r'<meta\s+(property|name)="(og|twitter):[^>]*>', "", source)
    changed = DictLoader({name: source.replace("<head>", f"<head>{tags}", 1)})
    environment.loader = ChoiceLoader([changed, loader])
    # A third of each answer's time: Gradio describes all components for each visitor, for links of
    # its own, which are not here. For the page itself it passes the components that are shown.
    config: Any = gr.blocks.BlocksConfig
    described = config.config_for_block

    def described_if_shown(number: int, shown: list[int], *block: Any) -> dict[str, Any]:
        return described(number, shown, *block) if shown else {}

    config.config_for_block = staticmethod(described_if_shown)
    # Measures depend on the preset: what a browser sends may be a choice of the preset before.
    gr.Radio.preprocess = lambda self, payload: payload  # type: ignore[method-assign]


async def _guard(request: Request) -> AsyncIterator[None]:
    """Give each upload a path that nobody can guess, and send none back to anybody."""
    gr.processing_utils.hash_seed = os.urandom(32)  # the path is a hash of it and the content
    if asked := re.search("/gradio_api/file[=/](.*)", request.scope["path"], re.DOTALL):
        path = Path(os.path.abspath(asked[1]))
        if path != PREVIEW and scored_folder() not in path.parents:
            raise HTTPException(403)
    try:
        yield
    except (KeyError, TypeError) as error:  # no such function; an argument is missing or unknown
        raise HTTPException(400, f"Missing or unknown: {error}".partition(" Please")[0]) from error


def launch(page: gr.Blocks, **options: Any) -> Any:
    """Start the server; options are those of Gradio's `launch`."""
    gr.set_static_paths([PREVIEW, SAMPLE])
    _adapt_gradio()
    return page.launch(
        theme=gr.themes.Default(
            primary_hue="blue",
            neutral_hue="slate",
            font=("system-ui", "-apple-system", "Segoe UI", "Roboto", "Noto Sans", "sans-serif"),
            font_mono=("ui-monospace", "SFMono-Regular", "Menlo", "Consolas", "monospace"),
        ),
        css_paths=_FOLDER / "page.css",
        head=f"<script>{(_FOLDER / 'page.js').read_text(encoding='utf-8')}</script>",
        max_file_size=MAX_BYTES,
        app_kwargs={"dependencies": [Depends(_guard)]},
        state_session_capacity=1_000,  # visitors whose choices are kept
        footer_links=["api"],
        run_history=False,
        show_error=True,
        ssr_mode=False,
        i18n=gr.I18n(en={"common.complete": "Done"}),  # Gradio lacks it, and shows its key
        **options,
    )


# --- Score texts --------------------------------------------------------------------------------


def first_measure() -> str:
    """Return the measure that is chosen at first: in the Space of a metric, its own."""
    return "bleu" if os.environ.get("SPACE_ID", "").endswith("/bleu_full") else "rouge2"


def _texts_tab(page: gr.Blocks) -> tuple[list[Any], dict[str, Any]]:
    """Build the tab; return the boxes of texts, the second prediction first, and those of fields."""
    texts = EXAMPLES[0][1:3]
    settings, own = list(default_settings().values()), first_measure()
    shown = ("tiles", "words", "drawing", "spoken", "note")
    first: dict[str, Any] = dict(zip(shown, _score(own, "", *texts, *settings), strict=False))
    first |= zip(
        ("packages", "packages-table", "signature"), _compare(*texts, *settings), strict=True
    )
    first["whole"] = f'<a href="/" target="_blank">{TITLE}</a>'

    def content(name: str) -> gr.HTML:
        return gr.HTML(first.get(name), elem_id=name, padding=False)

    chips = gr.Row(elem_id="chips")
    with gr.Row(elem_id="views", equal_height=False):
        with gr.Column(elem_id="inputs"):
            prediction = gr.Textbox(
                texts[0], label="Prediction", lines=3, max_lines=12, elem_id="prediction"
            )
            label = "References, with a blank line between them"
            references = gr.Textbox(
                texts[1], label=label, lines=5, max_lines=20, elem_id="references"
            )
            label = "Second prediction (optional): its scores appear beside the first"
            second = gr.Textbox(label=label, lines=1, max_lines=12, elem_id="second")
        with gr.Column(elem_id="results"):
            tiles = content("tiles")
            with gr.Row(elem_id="bar"):
                measure = gr.Radio(
                    MEASURES, value=own, label="Words of", show_label=False, elem_id="measure"
                )
                copy = gr.Button("Copy link", size="sm")
            with gr.Column(elem_id="notes"):
                of_link, note = content("of-link"), content("note")
            words = content("words")
            picture = gr.Button("Save as picture", size="sm", elem_id="picture")
            drawn, spoken = content("drawing"), content("spoken")
            content("whole")
        with gr.Column(elem_id="options"):
            fields = {name: _component(name) for name in FIELDS if name not in MORE}
            with gr.Accordion("More options", open=False, elem_id="more"):
                fields |= {name: _component(name) for name in MORE}
    with chips:
        gr.Examples(
            [one[1:] for one in EXAMPLES],
            [prediction, references, fields["tokenizer"]],
            example_labels=[one[0] for one in EXAMPLES],
            api_visibility="private",
        )
    gr.Markdown("## Same texts, other packages", elem_id="packages-title")
    packages = content("packages")
    with gr.Accordion("Scores and calls of all packages", open=False, elem_id="packages-all"):
        table = content("packages-table")
    signature = content("signature")
    below = [packages, table, signature]
    clipboard = gr.Textbox(visible="hidden", elem_id="clipboard")

    boxes = [second, prediction, references]
    inputs = [*boxes[1:], *fields.values()]
    events = [one.change for one in inputs]
    results = [tiles, words, drawn, spoken, note, measure]
    scoring_inputs = [measure, second, *inputs]
    rescored = [*events, measure.change, second.change]
    gr.on(rescored, _score, scoring_inputs, results, **_LIVE)
    gr.on(events, _compare, inputs, below, **_LIVE)
    # In the queue, without which Gradio shows no messages.
    copied = copy.click(_copy_link, scoring_inputs, clipboard, **QUIET)
    copied.then(None, clipboard, None, js="query => copyLink(query)")
    picture.click(None, None, None, js="() => savePicture()", api_visibility="private")
    # What changes before a component is there has no event: so the scores follow by themselves.
    (
        page.load(_read_link, None, [second, *inputs, measure, of_link], **_LIVE)
        .then(_score, scoring_inputs, results, **QUIET, queue=False)
        .then(_compare, inputs, below, **QUIET, queue=False)
        .then(None, None, None, js="() => showLinked()", api_visibility="private")
    )
    return boxes, fields


def _component(name: str) -> Any:
    """Build the component of a field."""
    one = FIELDS[name]
    given: dict[str, Any] = {"value": one.default, "label": one.label, "info": one.info or None}
    given |= {"elem_id": f"field-{name}", "min_width": 130}
    if one.choices:
        kind = gr.CheckboxGroup if isinstance(one.default, list) else gr.Dropdown
        return kind([(label, value) for value, label in one.choices.items()], **given)
    if isinstance(one.default, bool):
        return gr.Checkbox(**given)
    return gr.Textbox(max_lines=1, placeholder=one.placeholder, **given)


def _score(measure: str, second: str, prediction: str, references: str, *values: Any) -> list[Any]:
    """Return scores, words and drawings, or an error, with which the page dims those it has."""
    try:
        settings, listed = settings_of_fields(values), scoring.split_references(references)
        if not (prediction or "").strip() or not listed:
            hint = "Type or paste a prediction and a reference: scores appear here."
            names = [*resolved(settings).types, "bleu"]
            tiles = "".join(scoring.tile(name, math.nan, "&nbsp;") for name in names)
            tiles = f'<div class="tiles">{tiles}</div>'
            return [tiles, "", "", "", message_html(hint, "hint"), gr.skip()]
        shown, names, new = result(answer, prediction, listed, second or "", settings, measure)
    except Exception as error:
        return [*[gr.skip()] * 4, message_html(reason_of(error)), gr.skip()]
    # Without a value the choice stays, also one that the visitor made since.
    value = {} if measure == new else {"value": new}
    choices = [(shown_name(name), name) for name in names]
    return [*shown, gr.update(choices=choices, **value)]


def _compare(prediction: str, references: str, *values: Any) -> list[Any]:
    """Return the packages as dots and as a table, and the signatures."""
    try:
        texts = prediction or "", scoring.split_references(references)
        rows, scores, signatures = result(compared, *texts, settings_of_fields(values))
    except Exception as error:
        return [message_html(reason_of(error)), "", ""]
    return [
        drawing.dots(rows, scores),
        drawing.packages_html(rows, scores, scoring.facts_of_packages()),
        scoring.signatures_html(signatures),
    ]


def _copy_link(measure: str, second: str, prediction: str, references: str, *values: Any) -> str:
    """Return the query of a link with the texts and settings."""
    try:
        texts = second, prediction, scoring.split_references(references)
        query = link_query(*texts, settings_of_fields(values), measure)
    except Exception as error:
        gr.Warning(html.escape(reason_of(error)))
        return ""
    gr.Info("Copied link. For a frame in another page, add &embed to it.", duration=4)
    return query


def _read_link(request: gr.Request) -> list[Any]:
    """Fill in the fields that the query of a link sets; the others keep their values."""
    texts, settings, (measure, _), ignored = read_query(str(request.query_params))
    message = message_html(f"Ignored in the link: {', '.join(ignored)}", "warning")
    return [
        *((*texts[:2], "\n\n".join(texts[2])) if texts else [gr.skip()] * 3),
        *(chosen(settings).get(name, gr.skip()) for name in FIELDS),
        measure or gr.skip(),
        message if ignored else gr.skip(),
    ]


def _use_tab(tab: gr.Tab, texts: list[Any], fields: Mapping[str, Any]) -> None:
    gr.Markdown("The texts and settings of “Score texts” as code.", elem_classes="note")
    looks: dict[str, Any] = {"interactive": False, "buttons": ["copy"], "wrap_lines": True}
    looks |= {"lines": 2, "show_line_numbers": False}
    gr.Code(scoring.INSTALL, language="shell", label="Install", **looks)
    python = gr.Code(language="python", label="Python", **looks)
    trainer = gr.Code(language="python", label="While training, with transformers", **looks)
    command = gr.Code(language="shell", label="Command", **looks)

    def write(second: str, prediction: str, references: str, *values: Any) -> tuple[str, str, str]:
        settings = checked(dict(zip(FIELDS, values, strict=True)))[0]  # without wrong values
        listed = scoring.split_references(references)
        return scoring.code(second or "", prediction or "", listed, settings)

    tab.select(write, [*texts, *fields.values()], [python, trainer, command], **_LIVE)


# --- what `gradio_client` can call, beside `/score_file` ----------------------------------------


def _for_programs(function: Any, own: Mapping[str, Any], fields: Mapping[str, Any]) -> Any:
    """Return a function for programs: it has named arguments, and shows why something is refused."""

    def call(*given: Any) -> Any:
        values = given[len(own) :]
        try:
            settings = [settings_of_fields(values)] if values else []
            is_long = function is search_settings
            return result(function, *given[: len(own)], *settings, is_long=is_long)
        except Exception as error:
            raise gr.Error(reason_of(error), print_exception=False) from error

    call.__doc__ = function.__doc__
    return name_fields(call, own, fields)


def _add_functions(page: gr.Blocks) -> None:
    """Add the functions, with examples for "Use via API"."""
    texts = {"prediction": str, "references": list[str]}
    examples = {
        "prediction": "the cat sat",
        "references": ["a cat sat"],
        "reported": "ROUGE-1 66.7",
    }
    for name, function, own, given in (
        ("score", scoring.summary, texts, FIELDS),
        ("explain", scoring.explanations, texts, FIELDS),
        ("compare", scoring.compare_packages, texts, {}),
        ("find_settings", search_settings, {"reported": str, **texts}, {}),
    ):
        work = {"concurrency_id": "work"} if name == "find_settings" else {}
        added = gr.api(_for_programs(function, own, given), api_name=name, **work)
        inputs: Any = page.fns[added["id"]].inputs
        for one, parameter in zip(inputs, [*own, *given], strict=True):
            if parameter in examples:
                one.example_payload = partial(examples.get, parameter)
