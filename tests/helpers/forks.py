"""For tests of forks: which process they are in, and what remains."""

import contextlib
import os
from pathlib import Path

import pytest

from helpers.programs import wait_until
from rouge_bleu import parallel

HERE = os.getpid()


def is_fork():
    return os.getpid() != HERE


def results(task, n_tasks=6, n_workers=3):
    """What `task(number)` returns for each number, of this process and forks of it."""
    return parallel._results(task, n_tasks, n_workers, lambda number: None)


def n_descriptors():
    return len(os.listdir("/proc/self/fd"))


def children():
    """The processes that this one started, dead or alive; other tests may have left some."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it has ended by now
            name, parent = path.read_text().rpartition(")")[::2]
            if int(parent.split()[1]) == HERE:
                found.add(name)
    return found


def left():
    return n_descriptors(), children()


@pytest.fixture
def nothing_is_left():
    """No process, dead or alive, and no open pipe; after two interrupts it ends soon."""
    results(abs, 2, 2)  # later imports may open files
    before = left()
    yield
    wait_until(lambda: left() == before)
