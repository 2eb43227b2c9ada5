"""The tab "Reproduce a score": numbers of a paper and the texts -> settings that give them."""

from __future__ import annotations

import html
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import gradio as gr

from rouge_bleu_tools.app.file import (
    EXTENSIONS,
    SAMPLE,
    Rows,
    column_names,
    guess_columns,
    read_rows,
)
from rouge_bleu_tools.app.scoring import check_texts, message_html, split_references
from rouge_bleu_tools.app.settings import ERRORS, Refusal, settings_of_options
from rouge_bleu_tools.cli.find_settings import Findings, Found, code_of, find_settings

MAX_ROWS = 5_000
MAX_SECONDS = 120
_N_SHOWN = 8
_SAMPLE_SCORES = "ROUGE-1 90.67, ROUGE-2 78.85, ROUGE-L 89.84"


def search(
    reported: str,
    predictions: Sequence[str],
    references: Sequence[Sequence[str]],
    progress: Any = None,
) -> Findings:
    """Return the settings that give reported scores, or come nearest."""
    if not isinstance(reported, str) or len(reported) > 500:
        raise Refusal("Reported scores must be a text of up to 500 characters.")
    if len(predictions) > MAX_ROWS:
        raise Refusal(f"Too many rows: {len(predictions):,} (limit {MAX_ROWS:,})")
    deadline = time.monotonic() + MAX_SECONDS

    def reporting(runs: Sequence[Any]) -> Iterator[Any]:
        for number, run in enumerate(runs, start=1):
            if time.monotonic() > deadline:
                raise Refusal(f"Stopped after {MAX_SECONDS} seconds: use fewer rows.")
            if progress is not None:
                progress((number, len(runs)), "Trying settings")
            yield run

    return find_settings(predictions, references, [reported], progress=reporting)


def result_html(found: Findings, n_rows: int) -> str:
    """Return the groups of settings that give the scores, or come nearest."""
    rows = "1 row" if n_rows == 1 else f"{n_rows:,} rows"
    text = f"<p>{found.n_settings:,} settings tried on {rows}, {found.n_distinct:,} results.</p>"
    for heading, groups in (
        ("These settings give the scores", found.matches),
        ("No setting gives the scores. The nearest:", found.nearest),
        ("Possible with another random seed", found.other_seeds),
    ):
        if groups:
            items = "".join(_item(found, one) for one in groups[:_N_SHOWN])
            text += f"<h3>{heading}</h3><ol>{items}</ol>"
    legend = "Evidence, not proof: untested settings may also match. More decimals help."
    return f'{text}<p class="legend">{legend}</p>'


def _item(found: Findings, group: Found) -> str:
    first, *others = group.settings
    scores = [f"{name} {score * group.scale:.4f}" for name, score in group.scores.items()]
    listed = "".join(f"<li>{html.escape(str(one))}</li>" for one in others[:12])
    summary = f"<summary>{len(others)} more with equal scores</summary>"
    return (
        f"<li><b>{html.escape(str(first))}</b><br>{html.escape(', '.join(scores))}"
        f"<br><code>{html.escape(code_of(found.metric, first, found.reported))}</code>"
        f"{f'<details>{summary}<ul>{listed}</ul></details>' if others else ''}</li>"
    )


# --- the tab ------------------------------------------------------------------------------------


def reproduce_tab(texts: list[Any], fields: Mapping[str, Any], tabs: gr.Tabs) -> None:
    """Build the tab; `texts` and `fields` are the components of "Score texts"."""
    gr.Markdown(
        "A paper reports scores without settings? Give the scores and the texts that were scored: "
        "this finds settings that give these scores.",
        elem_classes="note",
    )
    with gr.Row(equal_height=False):
        reported = gr.Textbox(
            label="Reported scores",
            info="As printed, with all digits.",
            placeholder="ROUGE-1 41.2, ROUGE-2 18.3, ROUGE-L 38.5",
            max_lines=1,
            min_width=300,
            elem_id="reported",
        )
        upload = gr.File(
            label=f"File (up to {MAX_ROWS:,} rows), instead of the texts of “Score texts”",
            file_count="multiple",
            file_types=EXTENSIONS,
            height=120,
            min_width=300,
        )
    with gr.Row(elem_id="found-buttons"):
        find = gr.Button("Find settings", variant="primary", elem_id="find")
        sample = gr.Button("Try a sample", elem_id="reproduce-sample")
    result = gr.HTML(elem_id="found", min_height=24)
    with gr.Row(visible=False) as using:
        choice = gr.Dropdown([], label="Settings", scale=4, min_width=300)
        use = gr.Button("Use these settings", scale=1, elem_id="use-settings")
    groups = gr.State([])

    def search_texts(
        reported: str,
        paths: list[str] | None,
        prediction: str,
        references: str,
        progress: Any = gr.Progress(),  # noqa: B008
    ) -> list[Any]:
        try:
            rows = Rows([prediction], [split_references(references)])
            if paths:
                rows = read_rows(paths, *guess_columns(column_names(paths))[:2])
            else:
                check_texts(prediction, rows.references[0])
            found = search(reported, rows.predictions, rows.references, progress)
        except ERRORS as error:
            return [message_html(error), gr.Row(visible=False), gr.skip(), []]
        listed = [one.settings[0] for one in (found.matches or found.nearest)[:_N_SHOWN]]
        names = [(f"{place + 1}. {one}", place) for place, one in enumerate(listed)]
        return [
            result_html(found, len(rows.predictions)),
            gr.Row(visible=bool(listed)),
            gr.Dropdown(choices=names, value=0 if listed else None),
            [{**one.options, "output": one.output} for one in listed],
        ]

    def use_settings(place: int, options: list[dict[str, Any]]) -> list[Any]:
        settings, missing = settings_of_options(options[place or 0])
        if missing:
            gr.Warning(html.escape(f"Not on this page: {', '.join(missing)}"))
        return [gr.Tabs(selected="texts"), *settings.values()]

    inputs, outputs = [reported, upload, *texts], [result, using, choice, groups]
    private: dict[str, Any] = {"api_visibility": "private"}
    work = {**private, "show_progress_on": [result], "concurrency_id": "work"}
    of_sample = lambda: [_SAMPLE_SCORES, [str(SAMPLE)]]  # noqa: E731
    gr.on([find.click, reported.submit], search_texts, inputs, outputs, **work)
    filled = sample.click(of_sample, None, [reported, upload], **private)
    filled.then(search_texts, inputs, outputs, **work)
    use.click(use_settings, [choice, groups], [tabs, *fields.values()], **private)
