"""How the events of the page run."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import gradio as gr

from rouge_bleu_tools.page.shared.html_parts import note

# Without a spinner, and unseen by programs, which have functions of their own.
QUIET: dict[str, Any] = {"show_progress": "hidden", "api_visibility": "private"}
# Work on files: so many visitors at a time, the others wait.
WORK: dict[str, Any] = {"concurrency_limit": 2, "concurrency_id": "files"}


def end_on_click(stop: gr.Button, running: Any, progress: gr.HTML) -> None:
    """Let a button end an event, and say so as soon as the event can run again.

    Until then Gradio ignores what would start the event, and still shows what it yields.
    """
    stop.click(None, cancels=[running], queue=False, **QUIET)
    # An event that was ended has failed, which Gradio tells once it is free.
    running.failure(lambda: note("Stopped."), None, progress, queue=False, **QUIET)


def components(group: Any) -> list[Any]:
    """Return the components that a dataclass holds, as an event takes or fills them."""
    return [getattr(group, field.name) for field in fields(group)]
