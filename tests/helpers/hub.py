"""A Hub on the loopback interface, as far as `evaluate` asks one: it serves Space folders file by file.

with LoopbackHub({"user/rouge_full": folder}) as hub:
    ...  # in a process with HF_ENDPOINT=hub.url
"""

from __future__ import annotations

import hashlib
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

_FILE = re.compile(r"/spaces/(?P<space>[^/]+/[^/]+)/resolve/(?P<revision>[^/]+)/(?P<file>[^/]+)")


class LoopbackHub:
    """Context manager that serves folders as the `main` revision of Spaces; all else is a 404, as on the Hub.

    `requests` lists the requests, as (method, path, status).
    """

    def __init__(self, folder_of_space: dict[str, Path]):
        self.folder_of_space = folder_of_space
        self.requests: list[tuple[str, str, int]] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> LoopbackHub:
        threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True
        ).start()
        return self

    def __exit__(self, *error: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def content(self, path: str) -> bytes | None:
        """Return the file at a path of the Hub, or None."""
        match = _FILE.fullmatch(path)
        if (
            match is None
            or match["revision"] != "main"
            or match["space"] not in self.folder_of_space
        ):
            return None
        file = self.folder_of_space[match["space"]] / match["file"]
        return file.read_bytes() if file.is_file() else None


def _handler(hub: LoopbackHub) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            self._answer()

        def do_GET(self) -> None:
            content = self._answer()
            if content is not None:
                self.wfile.write(content)

        def _answer(self) -> bytes | None:
            content = hub.content(self.path)
            status = 404 if content is None else 200
            hub.requests.append((self.command, self.path, status))
            self.send_response(status)
            self.send_header("Content-Length", str(len(content or b"")))
            if content is not None:  # without it evaluate would keep its first download for ever
                self.send_header("ETag", f'"{hashlib.sha256(content).hexdigest()}"')
            self.end_headers()
            return content

        def log_message(self, *arguments: Any) -> None:
            pass

    return Handler
