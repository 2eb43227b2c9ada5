"""How far a long run is: a bar on a terminal, else a line a minute on standard error."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rouge_bleu_tools.commands.inputs.errors import say

_SECONDS = 60.0  # between two lines in a log

Show = Callable[[int, float], None]


@contextmanager
def progress(unit: str) -> Iterator[Show]:
    """Give the function that shows some units more, and how much is done.

    The share is from 0 to 1, and 0 where nobody knows.
    """
    with _without_bars_of_parts():
        bar_class = _bar_class()
        if bar_class is None:
            yield _log(unit)
            return
        with bar_class(unit=f" {unit}", leave=False, disable=False) as bar:

            def show(n: int, share: float) -> None:
                bar.total = round((bar.n + n) / share) if share else None  # as it seems
                bar.update(n)

            yield show


def with_progress(runs: Sequence[Any], unit: str) -> Iterable[Any]:
    """Yield runs, and show how many are done."""
    with progress(unit) as show:
        for number, one in enumerate(runs, start=1):
            yield one
            show(1, number / len(runs))


@contextmanager
def _without_bars_of_parts() -> Iterator[None]:
    """Leave out the bars of the package, which would be one for each batch of rows."""
    os.environ.setdefault("TQDM_DISABLE", "1")  # read when tqdm is imported
    if "evaluate" not in sys.modules:
        yield
        return
    from evaluate.utils import logging

    was_enabled = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if was_enabled:
            logging.enable_progress_bar()


def _bar_class() -> Any:
    """Return the bars of tqdm, or None where there are no terminal and no tqdm."""
    if sys.stderr is None or not sys.stderr.isatty():
        return None
    try:
        from tqdm import tqdm
    except ImportError:
        return None
    return tqdm


def _log(unit: str) -> Show:
    start = last = time.monotonic()
    n_done = 0

    def show(n: int, share: float) -> None:
        nonlocal n_done, last
        n_done += n
        now = time.monotonic()
        if now - last >= _SECONDS:
            last = now
            of_all = f" ({share:.0%})" if share else ""
            minutes = (now - start) / 60
            say(f"{n_done:,} {unit}{of_all} in {minutes:.0f} min")

    return show
