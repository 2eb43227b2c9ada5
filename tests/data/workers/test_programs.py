"""Tasks shared out among this process and programs that it starts: every result once, whatever
happens to a program, and nothing left over.
"""

import os
import signal
import subprocess
import sys
import threading
import time
from unittest.mock import Mock

import pytest

from helpers import tasks
from helpers.forks import HERE, children, n_descriptors
from helpers.programs import python, wait_until
from helpers.repository import ROOT
from rouge_bleu.data.workers import programs
from rouge_bleu.data.workers.programs import can_start_programs, results_of_programs


@pytest.fixture(autouse=True)
def nothing_is_left():
    """No process, dead or alive, no open pipe, no thread."""
    before = n_descriptors(), children(), threading.active_count()
    yield
    assert (n_descriptors(), children(), threading.active_count()) == before


def one_argument(number):
    return (number,)


def sorted_results(n_tasks, function, here, n_workers=2, arguments=one_argument):
    """The results by number; each number has to come once.

    This process does nothing until a program is sent something, or cannot be.
    """
    is_sent = threading.Event()

    def sent(number):
        is_sent.set()
        return arguments(number)

    def task(number):
        is_sent.wait(100)
        time.sleep(0.01)
        return here(number)

    results = list(results_of_programs(n_tasks, function, sent, task, n_workers))
    assert sorted(number for number, _ in results) == list(range(n_tasks))
    return [result for _, result in sorted(results, key=lambda pair: pair[0])]


def test_each_task_is_done_once():
    assert sorted_results(30, tasks.square, tasks.square, 3) == [n**2 for n in range(30)]


def test_this_process_and_programs_work():
    found = set(sorted_results(60, tasks.process, tasks.process))
    assert len(found) == 2
    assert HERE in found


def test_results_larger_than_a_pipe():
    """Of arguments too; they are sent while a result is on its way."""
    results = sorted_results(9, tasks.large, tasks.large)
    assert [(len(result), result[0]) for result in results] == [(300_000, n) for n in range(9)]
    texts = sorted_results(9, len, lambda number: 500_000, arguments=lambda n: ("x" * 500_000,))
    assert texts == [500_000] * 9


def test_what_is_printed_is_no_result(capfd):
    assert sorted_results(6, tasks.printed, lambda number: number) == list(range(6))
    assert capfd.readouterr() == ("", "")


def test_the_main_module_is_not_run_again():
    """It is no file in a program."""
    of_programs = set(sorted_results(20, tasks.main_module, lambda number: "here")) - {"here"}
    assert of_programs <= {None}


HARMS = "killed gone ended error no_memory not_pickled warned".split()


@pytest.mark.parametrize("harm", HARMS)
def test_what_a_program_does_not_deliver_is_done_here(harm):
    found = sorted_results(10, getattr(tasks, harm), tasks.square)
    assert found == [n**2 for n in range(10)]


def test_what_cannot_be_sent_is_done_here():
    arguments = {"function": (lambda n: n, one_argument), "argument": (abs, lambda n: (lambda: n,))}
    for function, of_number in arguments.values():
        results = list(results_of_programs(5, function, of_number, tasks.square, 2))
        assert dict(results) == {n: n**2 for n in range(5)}


def test_a_program_that_hangs_is_given_up(monkeypatch):
    monkeypatch.setattr(programs, "_PATIENCE", 0.3)
    assert sorted_results(6, tasks.asleep, tasks.square) == [n**2 for n in range(6)]


def test_where_nothing_can_be_started_all_is_done_here(monkeypatch):
    """No program, then no thread."""
    no_thread = Mock(**{"return_value.start.side_effect": RuntimeError("can't start new thread")})
    everything = list(enumerate(range(5)))
    with monkeypatch.context() as patch:
        patch.setattr(subprocess, "Popen", Mock(side_effect=OSError(11, "EAGAIN")))
        assert list(results_of_programs(5, abs, one_argument, abs, 3)) == everything
    monkeypatch.setattr(programs, "Thread", no_thread)
    assert list(results_of_programs(5, abs, one_argument, abs, 3)) == everything
    assert no_thread.called


def test_an_interrupt_ends_all():
    start = time.monotonic()

    def here(number):
        signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        sorted_results(10, tasks.asleep, here, 3)
    assert time.monotonic() - start < 100


def test_results_that_nobody_takes_end_all():
    results = results_of_programs(10, tasks.asleep, one_argument, abs, 3)
    next(results)
    results.close()


def test_no_program_is_waited_for_that_has_no_task():
    """Its start takes longer than the work."""
    start = time.monotonic()
    assert dict(results_of_programs(2, abs, one_argument, abs, 2)) == {0: 0, 1: 1}
    assert time.monotonic() - start < 5


@pytest.mark.parametrize(
    ("executable", "is_python"),
    [
        *(("/usr/bin/python3.12", True), ("C:/Python/pythonw.exe", True), ("/pypy3", True)),
        *(("/usr/bin/uwsgi", False), ("", False), (None, False)),
    ],
)
def test_python_is_started_and_no_other_program(monkeypatch, executable, is_python):
    """Which would run from its beginning."""
    monkeypatch.setattr(sys, "executable", executable)
    assert can_start_programs() == is_python
    monkeypatch.setattr(sys, "frozen", True, raising=False)  # an application, as of PyInstaller
    assert not can_start_programs()


SCRIPT = """
import sys
sys.path[:0] = {paths}
print("start")
from helpers import tasks
from rouge_bleu.data.workers.programs import results_of_programs
import time
found = dict(results_of_programs(40, tasks.process, lambda n: (n,), lambda n: time.sleep(0.05), 2))
print(len(found), len(set(found.values())))
"""


def test_a_script_without_a_guard_runs_once(tmp_path):
    """`multiprocessing` would start it again in each program. A module of the folder that has the
    name of one that programs need is none of theirs.
    """
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.format(paths=[str(ROOT), str(ROOT / "tests")]))
    other = tmp_path / "folder"
    other.mkdir()
    (other / "pickle.py").write_text("print('mine')")
    done = python(script, cwd=other)
    assert (done.returncode, done.stdout, done.stderr) == (0, "start\n40 2\n", "")


def test_programs_end_when_this_one_is_killed(tmp_path):
    script = tmp_path / "script.py"
    names = SCRIPT.format(paths=[str(ROOT), str(ROOT / "tests")]).partition("found")[0]
    script.write_text(
        names + "import os\n"
        "def sent(number):\n"
        "    os.write(1, b'sent\\n')\n"
        "    return (number,)\n"
        "list(results_of_programs(9, tasks.asleep, sent, tasks.asleep, 2))\n"
    )
    run = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True)
    while run.stdout.readline() != "sent\n":
        pass
    (of_run,) = {
        int(name) for name in os.listdir("/proc") if name.isdigit() and parent(name) == run.pid
    }
    run.kill()
    run.communicate(timeout=100)
    wait_until(lambda: not parent(of_run), seconds=60)


def parent(process):
    """The parent of a process that is there, or 0."""
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8") as file:
            state, parent_of_it = file.read().rpartition(")")[2].split()[:2]
    except OSError:
        return 0
    return 0 if state == "Z" else int(parent_of_it)
