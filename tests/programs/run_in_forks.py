"""Run programs, each in a fork of a process that has imported `evaluate`, which takes a second.

Each line of the input is a list of words, a script and its arguments, or a dict: code as that of
`python -c`, arguments, folder and environment. Each line of the output has the exit status, what
was printed, and the errors; a script has both in one, as a terminal shows them.
"""

import atexit
import importlib
import json
import os
import runpy
import sys
import tempfile
import traceback
from pathlib import Path

import evaluate


def run_script(script, *arguments):
    """Run a script as `python script arguments` does, or a command of the package that is in
    this folder.
    """
    sys.argv = [script, *arguments]
    is_command = script == "rouge-bleu"
    sys.path[0] = os.getcwd() if is_command else str(Path(script).resolve().parent)
    if is_command:
        runpy.run_module("rouge_bleu", run_name="__main__", alter_sys=True)
    else:
        runpy.run_path(script, run_name="__main__")


def run_code(code, arguments, cwd, env):
    """Run code as a new process would, which finds its settings when it imports `evaluate`."""
    os.environ.clear()
    os.environ.update(env)
    os.chdir(cwd)
    sys.argv = ["-c", *arguments]
    sys.path[:1] = ["", *filter(None, env.get("PYTHONPATH", "").split(os.pathsep))]
    importlib.reload(evaluate.config)
    evaluate.logging.set_verbosity(evaluate.utils.logging._get_default_logging_level())
    exec(code, {"__name__": "__main__"})


def status_of(function, *arguments, **settings):
    """Return the exit status of a program that is a call of a function."""
    try:
        function(*arguments, **settings)
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return end.code or 0
        print(end.code, file=sys.stderr)
        return 1
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


def done_in_fork(task):
    is_code = isinstance(task, dict)
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        pid = os.fork()
        if not pid:
            status = 1
            try:
                os.dup2(output.fileno(), 1)
                os.dup2((errors if is_code else output).fileno(), 2)
                status = status_of(run_code, **task) if is_code else status_of(run_script, *task)
                atexit._run_exitfuncs()
                sys.stdout.flush()
                sys.stderr.flush()
            finally:
                os._exit(status)
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        printed = []
        for file in (output, errors):
            file.seek(0)
            printed.append(file.read().decode())
        return status, *printed


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(done_in_fork(json.loads(line))), flush=True)
