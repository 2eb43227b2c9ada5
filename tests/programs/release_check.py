"""All of a release but the upload, for `make release-check` and the release workflow.

    build wheel and sdist -> twine check -> a new environment with the wheel scores a text
                          -> the Spaces are built, started, and asked for their page

It runs in an environment with the extra `release`. What it builds for PyPI is left in
`dist` below the folder that is given, and the Spaces in `spaces`.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
METRICS = ("rouge_full", "bleu_full")
SECONDS_TO_START = 180

SCORE = """
import rouge_bleu
texts = {"predictions": ["the cat sat on a mat"], "references": ["the cat sat on the mat"]}
assert round(rouge_bleu.rouge(**texts)["rouge1"], 4) == 0.8333
assert rouge_bleu.bleu(**texts) == rouge_bleu.load("bleu_full").compute(**texts)
print(rouge_bleu.__version__)
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, help="what it builds goes there")
    parser.add_argument("--tag", help="of the release: v and the version")
    arguments = parser.parse_args()
    folder = arguments.folder.resolve()
    shutil.rmtree(folder, ignore_errors=True)
    version = checked_version(arguments.tag)
    wheel = built(folder / "dist", version)
    python = environment_with(wheel, folder / "environment")
    check_scores(python, version, folder)
    check_spaces(python, folder)
    print(f"{version} can be released: {folder / 'dist'} and {folder / 'spaces'}")
    return 0


def checked_version(tag: str | None) -> str:
    """Return the version, which the tag and the changelog must have too."""
    source = (ROOT / "rouge_bleu" / "version.py").read_text("utf-8")
    (version,) = re.findall(r'^VERSION = "(.*?)"', source, re.MULTILINE)
    if tag is not None and tag != f"v{version}":
        raise SystemExit(f"the tag is {tag}, and the version is {version}")
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    if not re.search(rf"^## \[{re.escape(version)}\] - \d{{4}}-", changelog, re.MULTILINE):
        raise SystemExit(f"CHANGELOG.md has no heading for {version} with its date")
    return str(version)


def built(dist: Path, version: str) -> Path:
    run(sys.executable, "-m", "build", "--outdir", dist, ROOT)
    files = sorted(dist.iterdir())
    run(sys.executable, "-m", "twine", "check", "--strict", *files)
    (wheel,) = (file for file in files if file.suffix == ".whl")
    assert f"-{version}-" in wheel.name, wheel
    return wheel


def environment_with(wheel: Path, folder: Path) -> Path:
    """Make a new environment with the wheel and what the page needs; return its Python."""
    venv.create(folder, with_pip=True, clear=True)
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    run(python, "-m", "pip", "install", "--quiet", f"{wheel}[page]")
    return python


def check_scores(python: Path, version: str, folder: Path) -> None:
    """Score with the functions, a loaded metric and the command, beside no clone."""
    printed = run(python, "-c", SCORE, cwd=folder)
    assert printed == f"{version}\n", printed
    printed = run(python.with_name("rouge-bleu"), "--version", cwd=folder)
    assert version in printed, printed


def check_spaces(python: Path, folder: Path) -> None:
    """Start each Space once, and ask for its page and for what the page is made of."""
    run(python, "-m", "rouge_bleu_tools.hub", "build", "--output", folder / "spaces")
    for name in METRICS:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        settings = {
            "GRADIO_SERVER_NAME": "127.0.0.1",
            "GRADIO_SERVER_PORT": str(port),
            "GRADIO_ANALYTICS_ENABLED": "False",
            "HF_HOME": str(folder / "home"),
        }
        space = folder / "spaces" / name
        page = subprocess.Popen([python, "app.py"], cwd=space, env={**os.environ, **settings})
        try:
            address = f"http://127.0.0.1:{port}"
            assert name in answer(f"{address}/config", page)
            assert "<html" in answer(address, page)
        finally:
            page.terminate()
            page.wait(30)
        print(f"the Space of {name} answers")


def answer(address: str, server: subprocess.Popen[bytes]) -> str:
    """Return what a server answers, as soon as it does."""
    end = time.monotonic() + SECONDS_TO_START
    while True:
        try:
            with urllib.request.urlopen(address, timeout=30) as reply:
                return str(reply.read().decode())
        except OSError:
            if server.poll() is not None:
                raise SystemExit(f"the Space ended with {server.returncode}") from None
            if time.monotonic() > end:
                raise
            time.sleep(1)


def run(*command: object, cwd: Path = ROOT) -> str:
    """Run a program, which must not fail, and return what it printed."""
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, stdout=subprocess.PIPE, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"{command[0]} {command[1]} failed:\n{done.stdout}")
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
