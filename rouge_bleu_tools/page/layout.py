"""The whole page: title, options, tabs, and the functions that programs call."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import gradio as gr

from rouge_bleu_tools.page.file.tab import file_tab
from rouge_bleu_tools.page.programs import PageBlocks, programs
from rouge_bleu_tools.page.settings.tab import settings_tab
from rouge_bleu_tools.page.shared.events import QUIET
from rouge_bleu_tools.page.shared.looks.html_parts import message
from rouge_bleu_tools.page.shared.metrics import FOLDER, Metrics
from rouge_bleu_tools.page.shared.options_panel import TITLES, options_panel
from rouge_bleu_tools.page.shared.session_files import SESSION_FILES
from rouge_bleu_tools.page.try_it.links import filled_in
from rouge_bleu_tools.page.try_it.tab import try_tab
from rouge_bleu_tools.page.use.tab import use_tab

_SCORED_BY = {"rouge_full": "summaries", "bleu_full": "translations"}
_ABOUT = "Compare a text with references: the scores, the words that match, the arithmetic."


def forget(request: gr.Request) -> None:
    """Delete the files of a visitor who has left."""
    SESSION_FILES.forget(request.session_hash)


def blocks(folder: Path = FOLDER) -> gr.Blocks:
    """Return the page of the metrics in a folder."""
    metrics = Metrics.of_folder(folder)
    scored = " and ".join(_SCORED_BY[name] for name in metrics.names)
    names = " and ".join(TITLES[name] for name in metrics.names)
    title = f"Score {scored}, and see why"
    with PageBlocks(
        title=f"{names}: {title[0].lower()}{title[1:]}",
        analytics_enabled=False,
        delete_cache=(600, 3600),
    ) as page:
        programs(metrics)  # first, since events take the names of their functions
        gr.Markdown(f"# {title}\n{_ABOUT}", elem_classes="page-intro")
        of_link = gr.HTML(visible=False, elem_id="link-message")
        panel = options_panel(metrics)
        with gr.Tabs(elem_id="tabs"):
            with gr.Tab("Try it", elem_id="tab-try"):
                tried = try_tab(metrics, panel)
            with gr.Tab("Score a file", elem_id="tab-file"):
                file_tab(metrics, panel)
            with gr.Tab("Which settings?", elem_id="tab-settings"):
                settings_tab(metrics)
            with gr.Tab("Use it", elem_id="tab-use") as use:
                use_tab(metrics, panel, tried, use)

        def fill_in(request: gr.Request) -> list[Any]:
            pairs = parse_qsl(str(request.query_params), keep_blank_values=True)
            link = filled_in(pairs, metrics)
            texts = [gr.skip()] * (len(tried.inputs) + 1)
            if link.prediction is not None:
                texts = tried.updates(link.prediction, link.references)
            said = message(link.left_out, "warning")
            return [
                gr.HTML(said, visible=bool(said)),
                *texts,
                *panel.updates(link.metric, link.form),
                time.time(),
            ]

        page.load(
            fill_in,
            None,
            [of_link, *tried.inputs, tried.n_references, *panel.inputs, tried.filled_at],
            **QUIET,
        )
        page.unload(forget)
    page.queue(default_concurrency_limit=4)
    return page
