"""What was added to a metric: kept in memory, as checked columns, until `compute`.

It is needed in memory there anyway: no file, no lock, and a batch is added as a whole or
not at all. Several processes that compute one score together do share files
(`metric/shared_cache.py`). One thread adds and computes; another one gets an error.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from ..corpus import Corpus
from .shared_cache import SharedCache

_KINDS = {False: "strings", True: "lists of tokens"}


class AddedItems(SharedCache):
    """Mixin for an `evaluate.Metric`, to stand before it among the bases."""

    # The parts that were added, none of them empty.
    _added: list[Corpus]
    # The one that added what is there.
    _adding_thread: threading.Thread | None
    # Under "thread" the number of the one that adds or computes what was added, if any.
    _turn: dict[str, int]
    _process: int

    def __len__(self) -> int:
        """Return the number of items that were added and not yet scored."""
        return sum(map(len, self._added))

    def _add(self, corpus: Corpus) -> None:
        corpus = corpus.copied()
        with self._in_turn():
            self._check_same_thread(corpus)
            self._check_same_form(corpus)
            if len(corpus) and self.num_process > 1:
                self._begin_round()
            self._adding_thread = threading.current_thread()
            if len(corpus):
                # One step for the interpreter: an interrupt adds all of them or none.
                self._added.append(corpus)

    def _corpus_added(self) -> Corpus:
        return Corpus.joined(self._added)

    def _check_same_form(self, corpus: Corpus) -> None:
        """Raise where these are tokens and texts were added before, or the reverse."""
        if not len(corpus) or not len(self):
            return
        kind, kind_before = (_KINDS[part.is_tokenized] for part in (corpus, self._added[0]))
        if kind != kind_before:
            raise TypeError(
                f"predictions must be {kind_before} like those added before, got {kind}"
            )

    def _check_same_thread(self, corpus: Corpus) -> None:
        """Raise where these would come to those of another thread, which is at work.

        A thread may score what another one has added, but not add to it.
        """
        thread, other = threading.current_thread(), self._adding_thread
        if not len(corpus) or not len(self) or other is None or other is thread:
            return
        if other.is_alive():
            raise RuntimeError(
                f"{self.name} holds what thread {other.name!r} added, and this is thread"
                f" {thread.name!r}: give each thread a metric of its own"
            )

    def _start_in_this_process(self) -> None:
        self._process = os.getpid()
        self._turn = {}
        self._adding_thread = None

    @contextmanager
    def _in_turn(self) -> Iterator[None]:
        """Raise where another thread is at work here, or another process added data."""
        process = os.getpid()
        if process != self._process:  # a fork
            if len(self) or self._round is not None:
                raise RuntimeError(
                    f"{self.name} holds what process {self._process} added, and this is"
                    f" process {process}, forked from it: load a metric of its own here,"
                    " or add and compute there"
                )
            self._start_in_this_process()
        turn, this_thread = self._turn, threading.get_ident()
        # A function of the user, which is called here, may call this metric.
        is_within = turn.get("thread") == this_thread
        try:
            # One step for the interpreter, and nobody has to know whether it was done.
            if turn.setdefault("thread", this_thread) != this_thread:
                raise RuntimeError(
                    f"{self.name} is at work for another thread, which adds to it or"
                    " computes what was added: give each thread a metric of its own"
                )
            yield
        finally:
            if not is_within and turn.get("thread") == this_thread:
                del turn["thread"]
