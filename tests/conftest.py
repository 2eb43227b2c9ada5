"""Gives every run a separate cache, and the metrics as `evaluate` loads them."""

import gc
import importlib.util
import os
import signal
import sys
from functools import lru_cache

import pytest
from hypothesis import HealthCheck, settings

# Their asserts say what differs, as those of test files do.
pytest.register_assert_rewrite("helpers")

from helpers import cache  # noqa: E402, F401, I001  (before evaluate is imported)
import evaluate  # noqa: E402

from helpers.metrics import loaded  # noqa: E402
from helpers.programs import prepared_python, wait_until  # noqa: E402
from rouge_bleu_tools.hub.spaces import build  # noqa: E402

# Properties are tried on the same few examples each time, and on many by `make test-deep`.
always = {"derandomize": True, "deadline": None, "database": None}
always["suppress_health_check"] = [HealthCheck.too_slow, HealthCheck.filter_too_much]
settings.register_profile("quick", max_examples=20, **always)
settings.register_profile("deep", max_examples=200, **always)
settings.load_profile("quick")


# What a shell starts in the background ignores Ctrl-C, and so would all that tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_finish():
    """Tests and imports stay to the end: the collector need not look at them, nor forks copy them."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def no_scipy_in_programs(tmp_path_factory):
    """`evaluate` would import scipy for its evaluators, which is half of the time in which a program
    starts; no metric needs it. Transformers do.
    """
    with pytest.MonkeyPatch.context() as patch:
        if not importlib.util.find_spec("transformers"):
            folder = tmp_path_factory.mktemp("no_scipy")
            (folder / "scipy.py").write_text(
                "raise ModuleNotFoundError('left out', name='scipy')\n"
            )
            patch.setenv("PYTHONPATH", str(folder), prepend=os.pathsep)
        yield


@pytest.fixture(scope="session", autouse=True)
def lines_are_hashed_once():
    """Most of the time of `evaluate.load` is that of hashing scripts, always the same in these tests."""
    hash_of_lines = evaluate.loading._hash_python_lines
    known = lru_cache(maxsize=16)(lambda lines: hash_of_lines(list(lines)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(evaluate.loading, "_hash_python_lines", lambda lines: known(tuple(lines)))
        yield


@pytest.fixture(autouse=True)
def first_calls():
    """Every check looks at the first calls of a process: each test begins one, also in copies."""
    for name, module in list(sys.modules.items()):
        if name.endswith("rouge_bleu.checks"):
            module._calls[:] = [0, 0]


@pytest.fixture(scope="session")
def rouge_full():
    return loaded("rouge_full")


@pytest.fixture(scope="session")
def bleu_full():
    return loaded("bleu_full")


@pytest.fixture(scope="session")
def run_code(no_scipy_in_programs):
    """Runs code in a process with `evaluate`, which is there at once: see `prepared_python`."""
    with prepared_python() as run:
        yield run


@pytest.fixture(scope="session")
def spaces(tmp_path_factory):
    """Both metrics as Space folders, in one folder, which a test leaves as it is."""
    folder = tmp_path_factory.mktemp("spaces")
    build(folder)
    return folder


@pytest.fixture
def load(tmp_path):
    """Loads a metric that keeps its data in a folder of the test, for tests that add items."""

    def load(name, *configuration, **options):
        return loaded(name, *configuration, **{"cache_dir": str(tmp_path), **options})

    return load


@pytest.fixture
def by_bare_name(monkeypatch):
    """`evaluate.load` finds the metrics by their names, as when they are installed."""
    monkeypatch.setattr(evaluate, "load", loaded)


@pytest.fixture(params=["rouge_full", "bleu_full"])
def name(request):
    return request.param


@pytest.fixture
def metric(load, name):
    return load(name)


@pytest.fixture
def together(tmp_path):
    """Wraps a task so that each of `n_workers` processes runs it at least once: its first run waits
    until all have begun.
    """

    def made(task, n_workers=3):
        begun, processes = tmp_path / "begun", set()
        begun.touch()

        def task_of_all(number):
            if os.getpid() not in processes:
                processes.add(os.getpid())
                with begun.open("ab", buffering=0) as file:
                    file.write(b".")
                wait_until(lambda: begun.stat().st_size >= n_workers, seconds=60, step=0.001)
            return task(number)

        return task_of_all

    return made
