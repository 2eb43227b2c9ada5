"""Files of visitors, deleted when the last visitor who has them has left.

They are what was uploaded, and the scores of rows for the download. Gradio stores a file
under a name made of its content, so two visitors may share one. What is left, of visitors
whose leaving nobody noticed, goes with the age of the files.
"""

from __future__ import annotations

import threading
from contextlib import suppress
from pathlib import Path
from typing import Any


class SessionFiles:
    """Which sessions have which files."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sessions_of_path: dict[Path, set[str]] = {}

    def add(self, session: str | None, path: Any) -> None:
        """Note that a session has a file, which lies in a folder of its own."""
        if session is not None and isinstance(path, (str, Path)):
            with self._lock:
                for old in list(self._sessions_of_path):
                    if not old.exists():  # it went with its age
                        del self._sessions_of_path[old]
                self._sessions_of_path.setdefault(Path(path), set()).add(session)

    def forget(self, session: str | None) -> None:
        """Delete the files that no other session has, with their folders."""
        with self._lock:
            for path, sessions in list(self._sessions_of_path.items()):
                sessions.discard(str(session))
                if not sessions:
                    del self._sessions_of_path[path]
                    path.unlink(missing_ok=True)
                    with suppress(OSError):  # it is gone, or has more files
                        path.parent.rmdir()


SESSION_FILES = SessionFiles()
