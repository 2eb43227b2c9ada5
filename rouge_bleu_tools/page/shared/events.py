"""How the events of the page run."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields
from typing import Any

import gradio as gr

from rouge_bleu_tools.page.shared.limits import Refusal
from rouge_bleu_tools.page.shared.looks.html_parts import message, note, progress_bar

# Without a spinner, and unseen by programs, which have functions of their own. What
# arrives is checked by the page alone: Gradio refuses values in messages that it shows as
# HTML, and makes an empty file for each file that it checks.
QUIET: dict[str, Any] = {
    "show_progress": "hidden",
    "api_visibility": "private",
    "preprocess": False,
}
# Work on files: so many visitors at a time, the others wait.
WORK: dict[str, Any] = {"concurrency_limit": 2, "concurrency_id": "files"}
_BROKE_OFF = "This broke off. Try it again, or load the page anew."
# Only the browser knows whether an event failed because a visitor stopped it.
_STARTED_BY_VISITOR = """(...values) => {
  window.stoppedByVisitor = false;
  window.startedWith = {...window.startedWith, [%s]: JSON.stringify(values)};
  return values;
}"""
_STOPPED_BY_VISITOR = "() => { window.stoppedByVisitor = true; }"
_IS_STOPPED = "() => [window.stoppedByVisitor === true]"
# Progress, and then a result or what is said instead, may stand below what the window
# shows. They are laid out a moment later.
_BEGIN = """() => {
  setTimeout(() => document.querySelector(%s)?.scrollIntoView({block: "center"}), 150);
  return %s;
}"""
_INTO_VIEW = """() => setTimeout(() => {
  const ids = %s;
  const shown = ids.map((id) => document.getElementById(id)).find((one) => one?.offsetHeight);
  shown?.scrollIntoView({block: "start"});
}, 100)"""


def work_on_click(
    button: gr.Button,
    stop: gr.Button,
    work: Callable[..., Iterator[list[Any]]],
    inputs: list[Any],
    outputs: list[Any],
    shown_ids: list[str],
) -> Any:
    """Let a button start long work, and another end it; return the event.

    Parameters
    ----------
    button, stop : gr.Button
        Gradio cannot show a button at once while others wait: `style.py` shows "Stop" as
        long as there is a bar of progress.
    work : function
        Yields values for the outputs.
    inputs, outputs : list
        The outputs begin with the place for messages and that for the progress.
    shown_ids : list of str
        What comes into view in the end: the first of these that is there.
    """
    problem, progress, *_ = outputs
    begin = _BEGIN % (
        json.dumps(f"#{progress.elem_id} progress"),
        json.dumps(progress_bar("Starting", 0.0)),
    )
    button.click(None, None, progress, js=begin, queue=False, **QUIET)
    started = _STARTED_BY_VISITOR % json.dumps(button.elem_id)
    running = button.click(work, inputs, outputs, js=started, **QUIET, **WORK)
    into_view = _INTO_VIEW % json.dumps(shown_ids)
    running.success(None, js=into_view, queue=False, **QUIET)
    _end_on_click(stop, running, problem, progress)
    return running


def say_if_old(
    button: gr.Button, inputs: list[Any], old: gr.HTML, sentence: str, result_id: str
) -> None:
    """Show a sentence while the inputs are others than those of the result on the page.

    The browser knows both: `work_on_click` has it remember the inputs.
    """
    is_old = f"""(...values) => {{
      const hasResult = document.querySelector({json.dumps(f"#{result_id} table")});
      const before = window.startedWith?.[{json.dumps(button.elem_id)}];
      return hasResult && before !== JSON.stringify(values) ? {json.dumps(sentence)} : "";
    }}"""
    changes = [one.change for one in inputs]
    gr.on(changes, None, inputs, old, js=is_old, queue=False, **QUIET)


def _end_on_click(stop: gr.Button, running: Any, problem: gr.HTML, progress: gr.HTML) -> None:
    """Let a button end an event, and say so as soon as the event can run again.

    Until then Gradio ignores what would start the event, and still shows what it yields.
    """
    is_stopped = gr.Checkbox(visible=False)
    stop.click(None, js=_STOPPED_BY_VISITOR, queue=False, **QUIET)
    stop.click(None, cancels=[running], queue=False, **QUIET)
    # An event that was ended has failed, which Gradio tells once it is free.
    running.failure(
        lambda stopped: ["", note("Stopped.")] if stopped else [message([_BROKE_OFF]), ""],
        is_stopped,
        [problem, progress],
        js=_IS_STOPPED,
        queue=False,
        **QUIET,
    )


@contextmanager
def refusals_as_errors() -> Iterator[None]:
    """What the page refuses is an error with a text for a program."""
    try:
        yield
    except Refusal as refusal:
        raise gr.Error(str(refusal), print_exception=False) from refusal
    except RecursionError as error:
        text = "What was sent is nested too deeply for the page."
        raise gr.Error(text, print_exception=False) from error


def components(group: Any) -> list[Any]:
    """Return the components that a dataclass holds, as an event takes or fills them."""
    return [getattr(group, field.name) for field in fields(group)]
