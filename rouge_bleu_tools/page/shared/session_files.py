"""Files of visitors, deleted when the last visitor who has them has left.

They are what was uploaded, and the scores of rows for the download. Gradio stores a file
under a name made of its content, so two visitors may share one. What is left, of visitors
whose leaving nobody noticed, goes with the age of the files.
"""

from __future__ import annotations

import math
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from rouge_bleu_tools.page.shared.limits import MAX_SECONDS

_SECONDS_OF_WORK = 2 * MAX_SECONDS  # after which none goes on of a session that left


class SessionFiles:
    """Which sessions have which files."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._left_at: dict[str, float] = {}  # when sessions left, of late
        self._sessions_of_path: dict[Path, set[str]] = {}

    def add(self, session: str | None, path: Any, began: float = math.inf) -> None:
        """Note that a session has a file, which lies in a folder of its own.

        It is deleted at once if it is of work that `began`, by `time.monotonic`, before
        the session left.
        """
        if session is not None and isinstance(path, (str, Path)):
            with self._lock:
                for old in list(self._sessions_of_path):
                    if not old.exists():  # it went with its age
                        del self._sessions_of_path[old]
                self._sessions_of_path.setdefault(Path(path), set()).add(session)
                if self._left_at.get(session, -math.inf) >= began:
                    self._drop(Path(path), session)

    def forget(self, session: str | None) -> None:
        """Delete the files that no other session has, with their folders."""
        now = time.monotonic()
        with self._lock:
            late = {s: at for s, at in self._left_at.items() if at > now - _SECONDS_OF_WORK}
            self._left_at = {**late, str(session): now}
            for path in list(self._sessions_of_path):
                self._drop(path, str(session))

    def _drop(self, path: Path, session: str) -> None:
        """Delete a file with its folder, unless another session has it."""
        sessions = self._sessions_of_path[path]
        sessions.discard(session)
        if not sessions:
            del self._sessions_of_path[path]
            path.unlink(missing_ok=True)
            with suppress(OSError):  # it is gone, or has more files
                path.parent.rmdir()


SESSION_FILES = SessionFiles()
