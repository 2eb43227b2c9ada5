"""What a test of forks looks at: which process it is in, and what was left."""

import contextlib
import os
from pathlib import Path

import pytest

from rouge_bleu.data.workers.forks import results_of_forks

HERE = os.getpid()


def is_fork():
    return os.getpid() != HERE


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


@pytest.fixture(autouse=True)
def nothing_is_left():
    """No process, dead or alive, and no open pipe."""
    list(results_of_forks(2, abs, 2))  # what is imported then may open files
    before = n_descriptors(), children()
    yield
    assert (n_descriptors(), children()) == before
