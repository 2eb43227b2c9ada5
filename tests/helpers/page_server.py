"""`python app.py` in a separate process, as in a Space."""

import os
import shutil
import socket
import subprocess
import sys
import urllib.request
from contextlib import contextmanager, suppress

from helpers.programs import wait_until


@contextmanager
def served(folder, scratch, python=sys.executable, **environment):
    """Give the address of the page in a folder while its server runs, and its process."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    url, log = f"http://127.0.0.1:{port}", scratch / "server.log"
    hidden = ("PYTHONPATH", "HF_MODULES_CACHE")
    settings = {name: value for name, value in os.environ.items() if name not in hidden}
    settings |= {"GRADIO_SERVER_NAME": "127.0.0.1", "GRADIO_SERVER_PORT": port}
    settings |= {"GRADIO_ANALYTICS_ENABLED": "False", "GRADIO_TEMP_DIR": str(scratch / "gradio")}
    settings |= {"HF_HOME": str(scratch / "hf"), "HF_HUB_OFFLINE": "1", **environment}
    with log.open("wb") as output:
        outputs = {"stdout": output, "stderr": output}
        process = subprocess.Popen([str(python), "app.py"], cwd=folder, env=settings, **outputs)
    try:
        wait_until(lambda: answers(url) or process.poll() is not None, seconds=240)
        assert process.poll() is None, log.read_text()
        yield url, process
    finally:
        process.terminate()
        process.wait(30)
    text = log.read_text()  # Gradio prints a path that it refuses
    assert text.count("Traceback") == text.count("InvalidPathError:"), text


def browser_path():
    """Return the path of Chromium or Chrome, or None."""
    names = [os.environ.get("CHROMIUM") or "chromium", "chromium-browser", "google-chrome"]
    return next(filter(None, map(shutil.which, names)), None)


def answers(url):
    with suppress(OSError), urllib.request.urlopen(url, timeout=10) as response:
        return response.status == 200
