"""Run commands as the shell does, each in a fork of a process that has imported what all need.

Each line of the input is a list of words, a script and its arguments; each line of the output has
the exit status and what was printed.
"""

import atexit
import json
import os
import runpy
import sys
import tempfile
import traceback
from pathlib import Path

import evaluate  # noqa: F401


def run_script(script, *arguments):
    """Run a script as `python script arguments` does, or a command of the package that stands in
    this folder, and return its exit status.
    """
    sys.argv = [script, *arguments]
    is_command = script == "rouge-bleu"
    sys.path[0] = os.getcwd() if is_command else str(Path(script).resolve().parent)
    try:
        if is_command:
            runpy.run_module("rouge_bleu", run_name="__main__", alter_sys=True)
        else:
            runpy.run_path(script, run_name="__main__")
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return end.code or 0
        print(end.code, file=sys.stderr)
        return 1
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


def done_in_fork(words):
    with tempfile.TemporaryFile() as file:
        pid = os.fork()
        if not pid:
            status = 1
            try:
                os.dup2(file.fileno(), 1)
                os.dup2(file.fileno(), 2)
                status = run_script(*words)
                atexit._run_exitfuncs()
                sys.stdout.flush()
            finally:
                os._exit(status)
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        file.seek(0)
        return status, file.read().decode()


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(done_in_fork(json.loads(line))), flush=True)
