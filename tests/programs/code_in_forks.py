"""Run code as `python -c` does, each in a fork of a process that has imported `evaluate`.

Each line of the input is a dict with code, arguments, folder and environment; each line of the
output has the exit status and what was printed.
"""

import importlib
import json
import os
import sys
import tempfile
import traceback

import evaluate


def run_code(code, arguments, cwd, env):
    """Run code as a new process would, which finds its settings when it imports `evaluate`."""
    os.environ.clear()
    os.environ.update(env)
    os.chdir(cwd)
    sys.argv = ["-c", *arguments]
    sys.path[:1] = ["", *filter(None, env.get("PYTHONPATH", "").split(os.pathsep))]
    importlib.reload(evaluate.config)
    evaluate.logging.set_verbosity(evaluate.utils.logging._get_default_logging_level())
    try:
        exec(code, {"__name__": "__main__"})
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


def done_in_fork(task):
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        pid = os.fork()
        if not pid:
            status = 1
            try:
                os.dup2(output.fileno(), 1)
                os.dup2(errors.fileno(), 2)
                status = run_code(**task)
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
