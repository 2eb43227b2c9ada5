"""A process for the long work of one visitor, which can be ended at any time.

    python -m rouge_bleu_tools.page.worker

reads what to do as a line of JSON, and prints lines of JSON: {"progress": [words, share
from 0 to 1]} any number of times, and last {"result": ...} or {"refusal": sentence}. It
ends when its input does, so no work outlives the page.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable
from typing import Any

from rouge_bleu_tools.page.file.scoring import score_file
from rouge_bleu_tools.page.settings.finding import search_settings
from rouge_bleu_tools.page.shared.limits import MAX_BYTES_OF_MEMORY, Refusal, refusals

TASKS: dict[str, Callable[..., Any]] = {
    "score_file": score_file,
    "search_settings": search_settings,
}


def main() -> None:
    # What a library prints goes where nobody takes it for an answer.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())

    def say(**answer: Any) -> None:
        print(json.dumps(answer), file=answers, flush=True)

    def progress(words: str, share: float) -> None:
        say(progress=[words, share])

    line = sys.stdin.readline()
    if not line:  # a worker that was never needed
        return
    request = json.loads(line)
    threading.Thread(target=_end_with_input, daemon=True).start()
    _limit_memory()
    try:
        with refusals():
            result = TASKS[request["task"]](**request["arguments"], progress=progress)
    except Refusal as refusal:
        say(refusal=str(refusal))
    else:
        say(result=result)


def _end_with_input() -> None:
    sys.stdin.read()
    os._exit(1)


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:  # not on Windows
        return
    resource.setrlimit(resource.RLIMIT_AS, (MAX_BYTES_OF_MEMORY, MAX_BYTES_OF_MEMORY))


if __name__ == "__main__":
    main()
