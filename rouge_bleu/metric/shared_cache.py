"""Items of several processes for one score: what each has added comes together in one.

With `num_process` above one, `evaluate` lets each process write what was added to it
into a file, and process 0 read all of them. Its own locks let a second score mix with
the first, take what a killed process has left for data, and wait long for what will not
come. So the processes meet by the rules of `metric/rounds.py` here, and this module
says what they bring: an Arrow file of items.

The first `add` begins a round, in which the processes wait for each other. What was
added stays in memory until `compute`, so that a batch is never written in part. One
process needs no file.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager

import pyarrow as pa

from ..corpus import Corpus
from .rounds import (
    ProcessGroup,
    ProcessRound,
    begun_round,
    hand_over,
    handed_over,
    left,
    tell_others,
)

_ITEMS_OF_WRITE = 1000
_MAX_FOLDER_NAME = 60


class SharedCache:
    """Mixin for an `evaluate.Metric`, to stand before it among the bases."""

    # Attributes of `evaluate.Metric`.
    name: str
    config_name: str
    experiment_id: str
    num_process: int
    process_id: int
    timeout: float
    data_dir: str
    _data_dir_root: str

    # The round that an `add` has begun, until `compute`.
    _round: ProcessRound | None = None

    def _build_data_dir(self) -> str:
        """Return the folder of the files; it is made only where files are needed."""
        configuration = _folder_name(self.config_name)
        folder = os.path.join(self._data_dir_root, self.name, configuration)
        if self.num_process > 1:
            _make_folder(folder)
        return folder

    def _begin_round(self) -> ProcessRound:
        """Return the round in which this process is, or wait for the next one."""
        if self._round is None:
            experiment = f"{_folder_name(self.experiment_id)}-{self.num_process}"
            folder = os.path.join(self.data_dir, experiment)
            _make_folder(folder)
            group = ProcessGroup(
                folder=folder,
                experiment=self.experiment_id,
                n_processes=self.num_process,
                process=self.process_id,
                timeout=self.timeout,
            )
            with _explained(folder):
                self._round = begun_round(group)
        return self._round

    def _gathered(self, corpus: Corpus) -> Corpus | None:
        """Return the items of all processes in process 0, and None in the others."""
        try:
            this_round = self._begin_round()
            if self.process_id > 0:
                with _explained(this_round.group.folder):
                    hand_over(this_round, lambda path: _write_corpus(path, corpus))
                return None
            with _explained(this_round.group.folder), handed_over(this_round) as paths:
                parts = [corpus, *map(_read_corpus, paths)]
                _check_same_form_of_processes(parts)
            return Corpus.joined(parts)
        finally:
            self._leave_round()

    def _give_up_round(self, error: BaseException) -> None:
        """Tell the other processes that this one has no part in their score."""
        if self._round is not None:
            tell_others(self._round, error)
        self._leave_round()

    def _leave_round(self) -> None:
        this_round, self._round = self._round, None
        if this_round is not None:
            left(this_round)


# --- files ----------------------------------------------------------------------------


def _write_corpus(path: str, corpus: Corpus) -> None:
    """Write a corpus as an Arrow file, some items at a time."""
    text: pa.DataType = pa.large_string()
    side = pa.large_list(text) if corpus.is_tokenized else text
    fields = [("predictions", side), ("references", pa.large_list(side))]
    schema = pa.schema(fields)
    columns = corpus.predictions, corpus.references_of_items
    with pa.OSFile(path, "wb") as file, pa.ipc.new_file(file, schema) as writer:
        for start in range(0, len(corpus), _ITEMS_OF_WRITE):
            arrays = [
                pa.array(column[start : start + _ITEMS_OF_WRITE], of_type)
                for column, (_, of_type) in zip(columns, fields, strict=True)
            ]
            writer.write_batch(pa.record_batch(arrays, schema=schema))


def _read_corpus(path: str) -> Corpus:
    with pa.OSFile(path) as file:
        table = pa.ipc.open_file(file).read_all()
    columns = (table[name].to_pylist() for name in ("predictions", "references"))
    return Corpus.of_items(list(zip(*columns, strict=True)))


def _check_same_form_of_processes(parts: list[Corpus]) -> None:
    """Raise where some processes added tokens and others texts."""
    forms = {part.is_tokenized: process for process, part in enumerate(parts) if len(part)}
    if len(forms) > 1:
        raise TypeError(
            "predictions must be all strings or all lists of tokens, got strings from"
            f" process_id {forms[False]} and lists of tokens from process_id {forms[True]}"
        )


def _folder_name(name: str) -> str:
    """Return a name for the folder of a configuration, the same in every process.

    A command line that is a preset may have characters that a file system has not, and
    be too long.
    """
    readable = re.sub(r"[^A-Za-z0-9._-]+", "_", name)[:_MAX_FOLDER_NAME]
    if readable == name:
        return name
    digest = hashlib.sha256(name.encode(errors="surrogatepass")).hexdigest()
    return f"{readable}-{digest[:16]}"


def _make_folder(folder: str) -> None:
    with _explained(folder):
        os.makedirs(folder, exist_ok=True)


@contextmanager
def _explained(folder: str) -> Iterator[None]:
    """Say, where the file system fails, what was written and what to do."""
    try:
        yield
    except TimeoutError:  # of a process
        raise
    except OSError as error:
        raise OSError(
            error.errno or errno.EIO,
            f"{error.strerror or error}: num_process > 1 needs a folder that all processes"
            f" can write to, and {folder} failed: give load() another cache_dir",
        ) from error
