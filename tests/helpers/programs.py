"""Programs that tests start: Python in a separate process."""

import atexit
import contextlib
import importlib
import json
import os
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path

from helpers.repository import ROOT


def python(*arguments, seconds=200, **settings):
    """Run Python in a separate process: return its exit status and the texts that it printed.

    `settings` are those of `subprocess.run`, such as `cwd` and `env`.
    """
    settings = {"capture_output": True, "encoding": "utf-8", "timeout": seconds, **settings}
    return subprocess.run([sys.executable, *map(str, arguments)], check=False, **settings)


def run(*arguments, **settings):
    """Run Python so, which must not fail."""
    done = python(*arguments, **settings)
    assert done.returncode == 0, done.stderr
    return done


def environment(home, **changes):
    """Return variables with a separate cache for `evaluate`, which reaches no Hub."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("HF_")}
    nobody = "http://127.0.0.1:9"  # the port of the discard service
    settings = {"HF_HOME": str(home), "HF_ENDPOINT": nobody, "HF_UPDATE_DOWNLOAD_COUNTS": "0"}
    return kept | settings | {"NO_PROXY": "127.0.0.1"} | changes


def wait_until(is_true, seconds=20, step=0.05):
    """Wait until a function gives something true, and return that."""
    end = time.monotonic() + seconds
    while not (found := is_true()):
        assert time.monotonic() < end, f"not true within {seconds} seconds"
        time.sleep(step)
    return found


# --- forks of a process that has imported evaluate, which takes a second ----------------------


@contextlib.contextmanager
def prepared_python():
    """Give a function that runs code in a fork of one process, which has imported `evaluate`.
    What the function returns is like that of `python`.
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
    command = [sys.executable, "-c", "from helpers import programs; programs.serve()"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "encoding": "utf-8"}
    with subprocess.Popen(command, **pipes, cwd=ROOT / "tests") as server:
        yield run_code


def serve():
    """Run the task in each line of the input; print its exit status, output and errors."""
    import evaluate  # noqa: F401

    for line in sys.stdin:
        print(json.dumps(_done_in_fork(json.loads(line))), flush=True)


def _done_in_fork(task):
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        pid = os.fork()
        if not pid:
            status = 1
            try:
                os.dup2(output.fileno(), 1)
                os.dup2(errors.fileno(), 2)
                status = _status_of_code(**task)
                atexit._run_exitfuncs()
                sys.stdout.flush()
                sys.stderr.flush()
            finally:
                os._exit(status)
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        for file in (output, errors):
            file.seek(0)
        return status, output.read().decode(), errors.read().decode()


def _status_of_code(code, arguments, cwd, env):
    """Run code as a new process would, which finds its settings when it imports `evaluate`."""
    import evaluate

    os.environ.clear()
    os.environ.update(env)
    os.chdir(cwd)
    sys.argv = ["-c", *arguments]
    sys.path[:1] = ["", *filter(None, env.get("PYTHONPATH", "").split(os.pathsep))]
    importlib.reload(evaluate.config)
    evaluate.logging.set_verbosity(evaluate.utils.logging._get_default_logging_level())
    try:
        exec(code, {"__name__": "__main__"})
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
        return 1 if isinstance(end.code, str) else end.code or 0
    except BaseException:
        traceback.print_exc()
        return 1
    return 0
