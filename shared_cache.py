"""Files and locks of `evaluate`, for a score that several processes compute together.

With `num_process` above one, each process writes what was added to it into an Arrow
file in one folder, under a lock, and process 0 reads all of them. `evaluate` does that;
here stands what it leaves open: when the files are written, what is left behind after
an error, and what an error of the file system means.

The first `add` opens the file, since the processes wait for each other there. It stays
empty until `compute`, so that a batch is never written in part. One process needs no
file.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

# A prediction and its references.
Item = tuple[Any, list[Any]]

_ITEMS_OF_WRITE = 1000
_MAX_FOLDER_NAME = 60


class SharedCache:
    """Mixin for an `evaluate.Metric`, to stand before it among the bases."""

    # Attributes of `evaluate.Metric`.
    name: str
    config_name: str
    features: Any
    num_process: int
    data_dir: str
    data: Any
    writer: Any
    cache_file_name: str | None
    file_paths: list[str] | None
    filelock: Any
    filelocks: list[Any] | None
    rendez_vous_lock: Any
    selected_feature_format: Any
    _data_dir_root: str
    _init_writer: Callable[[], None]

    def _build_data_dir(self) -> str:
        """Return the folder of the files; it is made only where files are needed."""
        configuration = _folder_name(self.config_name)
        folder = os.path.join(self._data_dir_root, self.name, configuration)
        if self.num_process > 1:
            _make_folder(folder)
        return folder

    def _open_cache(self, features: Any) -> None:
        """Open and lock the file of this process, and wait for the other processes."""
        _make_folder(self.data_dir)
        self.selected_feature_format = features
        try:
            with _explained(self.data_dir):
                self._init_writer()
        except BaseException:
            self._let_go()
            raise

    def _gathered(self, items: list[Item], features: Any, options: Any) -> Any:
        """Write the items; return the result of those of all processes, or None.

        Process 0 returns the result.
        """
        try:
            if self.writer is None:
                self._open_cache(features)
            with _explained(self.data_dir):
                self._write(items)
            return super().compute(options=options)  # type: ignore[misc]
        finally:
            self._let_go()

    def _write(self, items: list[Item]) -> None:
        for start in range(0, len(items), _ITEMS_OF_WRITE):
            predictions, references = zip(
                *items[start : start + _ITEMS_OF_WRITE], strict=True
            )
            super().add_batch(  # type: ignore[misc]
                predictions=list(predictions), references=list(references)
            )
        self.writer.stream.flush()
        path = self.cache_file_name
        if path is not None and not os.path.exists(path):
            raise FileNotFoundError(errno.ENOENT, f"{path} was removed while in use")

    def _let_go(self) -> None:
        """Release and remove all that `evaluate` holds: the next call starts afresh.

        A file is removed only under its lock: without, it may be that of another
        process by now. The file of process 0 is the last one, as in `evaluate`.
        """
        self.data = None
        if self.writer is not None:
            with suppress(Exception):
                self.writer.close()
            self.writer = None
        own = [(self.cache_file_name, self.filelock)]
        own += zip(self.file_paths or (), self.filelocks or (), strict=True)
        for path, lock in reversed(own):
            if lock is not None and lock.is_locked:
                with suppress(OSError):
                    os.remove(path)
                lock.release()
        if self.rendez_vous_lock is not None:
            self.rendez_vous_lock.release()
        self.cache_file_name = self.filelock = self.rendez_vous_lock = None
        self.file_paths = self.filelocks = self.selected_feature_format = None


def _folder_name(configuration: str) -> str:
    """Return a name for the folder of a configuration, the same in every process.

    A command line that is a preset may have characters that a file system has not, and
    be too long.
    """
    readable = re.sub(r"[^A-Za-z0-9._-]+", "_", configuration)[:_MAX_FOLDER_NAME]
    if readable == configuration:
        return configuration
    digest = hashlib.sha256(configuration.encode(errors="surrogatepass")).hexdigest()
    return f"{readable}-{digest[:16]}"


def _make_folder(folder: str) -> None:
    with _explained(folder):
        os.makedirs(folder, exist_ok=True)


@contextmanager
def _explained(folder: str) -> Iterator[None]:
    """Say, where the file system fails, what was written and what to do."""
    try:
        yield
    except TimeoutError:  # of a lock
        raise
    except OSError as error:
        raise OSError(
            error.errno or errno.EIO,
            f"{error.strerror or error}: num_process > 1 needs a folder that all processes"
            f" can write to, and {folder} failed: give load() another cache_dir",
        ) from error
