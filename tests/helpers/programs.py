"""Programs that tests start: Python in a separate process, or a command in this process."""

import contextlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path

from helpers.repository import ROOT

NOBODY = "http://127.0.0.1:9"  # the port of the discard service


def python(*arguments, seconds=200, **settings):
    """Run Python in a separate process: return its exit status and the texts that it printed.

    `settings` are those of `subprocess.run`, such as `cwd` and `env`.
    """
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        capture_output=True,
        encoding="utf-8",
        timeout=seconds,
        check=False,
        **settings,
    )


def run(*arguments, **settings):
    """Run Python so, which must not fail."""
    done = python(*arguments, **settings)
    assert done.returncode == 0, done.stderr
    return done


def environment(home, **changes):
    """Return variables with a separate cache for `evaluate`, which reaches no Hub."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("HF_")}
    settings = {
        "HF_HOME": str(home),
        "HF_ENDPOINT": NOBODY,
        "HF_UPDATE_DOWNLOAD_COUNTS": "0",
        "NO_PROXY": "127.0.0.1",
    }
    return kept | settings | changes


def run_here(main, capsys):
    """Return a function that runs a command in this process: its exit status, output and errors."""

    return lambda *arguments: (main([*map(str, arguments)]), *capsys.readouterr())


def wait_until(is_true, seconds=20):
    """Wait until a function gives something true, and return that."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = is_true()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError(f"not true within {seconds} seconds")


def printed(result):
    """Return the output of a command that succeeds without messages."""
    code, out, err = result
    assert (code, err) == (0, "")
    return out


def refusal(result):
    """Return the one line behind "error: " of a command that refuses something."""
    code, out, err = result
    assert (code, out, err[:7], err.count("\n")) == (2, "", "error: ", 1)
    return err[7:-1]


@contextlib.contextmanager
def prepared_python():
    """Give a function that runs code in a fork of one process, which has imported `evaluate`: that
    takes a separate process a second or two. What the function returns is like that of `python`.
    """

    def run_code(code, *arguments, cwd=".", env=os.environ):
        task = {"code": code, "arguments": [*map(str, arguments)]}
        task |= {"cwd": str(Path(cwd).resolve()), "env": dict(env)}
        server.stdin.write(json.dumps(task) + "\n")
        server.stdin.flush()
        return subprocess.CompletedProcess(code, *json.loads(server.stdout.readline()))

    if not hasattr(os, "fork"):
        yield lambda code, *arguments, **settings: python("-c", code, *arguments, **settings)
        return
    command = [sys.executable, str(ROOT / "tests" / "programs" / "run_in_forks.py")]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, **pipes, encoding="utf-8", cwd=ROOT) as server:
        yield run_code
