"""`mutants.py` on a small repository: what it tries, what it finds, and what it keeps."""

import json
import os
import time
from textwrap import dedent

import pytest

from helpers.programs import python
from helpers.repository import ROOT
from programs import mutants

FILES = {
    "pyproject.toml": "[tool.pytest.ini_options]\npythonpath = ['.']\n",
    "empty.py": '"""Nothing to break."""',
    "constants.py": "SIZE = 1 - 2",
    "limits.py": """
        def is_small(number):
            return number <= 3

        def half(number):
            return number / 2
    """,
    "sums.py": """
        from limits import is_small

        def total(numbers):
            return sum(numbers, 0)
    """,
    "helpers/repository.py": "IS_COPY = True",  # a name that the program has imported too
    "tests/test_constants.py": """
        from constants import SIZE
        from helpers.repository import IS_COPY

        def test_size():
            assert SIZE < 0
    """,
    "tests/test_limits.py": """
        from limits import is_small

        def test_is_small():
            assert is_small(3) and not is_small(4)
    """,
    "tests/test_sums.py": "from sums import total\ndef test_total(): assert total([1]) == 1",
    "tests/programs/equivalent_mutants.json": "[]",
}
KILLED, SURVIVED = "killed", "survived"
# Each fault that there is.
VERDICTS = {
    ("SIZE = 1 - 2", "SIZE = 1 + 2"): KILLED,
    ("SIZE = 1 - 2", "SIZE = 2 - 2"): KILLED,
    ("SIZE = 1 - 2", "SIZE = 1 - 3"): SURVIVED,
    ("return number <= 3", "return number < 3"): KILLED,
    ("return number <= 3", "return number <= 4"): KILLED,
    ("return number / 2", "return number * 2"): SURVIVED,
    ("return number / 2", "return number / 3"): SURVIVED,
    ("return sum(numbers, 0)", "return sum(numbers, 1)"): KILLED,
}
HALF_IS_TESTED = "from limits import half\ndef test_half(): assert half(5) == 2.5"
SMALLER = {"module": "constants", "function": "", "before": "SIZE = 1 - 2"}
SMALLER |= {"after": "SIZE = 1 - 3"}


@pytest.fixture
def repository(tmp_path):
    """A folder with modules and their tests."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(dedent(text))
    return tmp_path


def run(repository, *arguments):
    """Return what `mutants.py` prints, and the results that it has added."""
    results = repository / "build" / "mutants" / "results.jsonl"
    n_before = len(results.read_text().splitlines()) if results.exists() else 0
    code = (
        "import sys, pathlib; from programs import mutants; mutants.LEAST_SECONDS = 1;"
        "mutants.PACKAGE = ('*.py',);"
        f"mutants.main(sys.argv[1:], pathlib.Path({str(repository)!r}), ['pytest'])"
    )
    paths = os.pathsep.join([str(ROOT), str(ROOT / "tests")])
    done = python("-c", code, *arguments, env={**os.environ, "PYTHONPATH": paths}, seconds=240)
    rows = map(json.loads, results.read_text().splitlines()[n_before:] if results.exists() else [])
    return done.stdout + done.stderr, {(row["before"], row["after"]): row for row in rows}


@pytest.mark.deep
def test_verdicts_are_found_kept_and_found_again(repository):
    printed, first = run(repository)
    assert {key: row["verdict"] for key, row in first.items()} == VERDICTS
    assert printed.splitlines()[-5:] == [
        f"{'module':<40} tried equivalent killed score",
        f"{'constants':<40}     3          0      2  66.7",
        f"{'limits':<40}     4          0      2  50.0",
        f"{'sums':<40}     1          0      1 100.0",
        f"{'all':<40}     8          0      5  62.5",
    ]
    assert (repository / "constants.py").read_text() == FILES["constants.py"]
    # Who starts again goes on: with the survivors, and with the modules that have changed.
    (repository / "tests" / "test_half.py").write_text(HALF_IS_TESTED)
    (repository / mutants.EQUIVALENTS).write_text(
        json.dumps([{**SMALLER, "reason": "only the sign counts"}])
    )
    printed, second = run(repository, "--again")
    assert {key: row["file"] for key, row in second.items()} == {
        key: "tests/test_half.py" for key, verdict in VERDICTS.items() if "/" in key[0]
    }
    assert printed.splitlines()[-1] == f"{'all':<40}     8          1      7 100.0"
    with (repository / "sums.py").open("a") as file:
        file.write("# a change")
    _, third = run(repository, "--sample", "3", "limits", "sums")
    assert {row["module"] for row in third.values()} == {"sums"}


@pytest.mark.deep
def test_no_mutant_is_judged_by_tests_that_fail_without_it(repository):
    (repository / "tests" / "test_wrong.py").write_text("def test_wrong(): assert False")
    printed, rows = run(repository)
    assert printed.endswith("without any fault these fail: tests/test_wrong.py\n")
    assert rows == {}


# --- parts ----------------------------------------------------------------------------------------


def test_equivalents_are_mutants():
    """Where a source has changed, its rows have to go or to change."""
    path, faults = ROOT / mutants.EQUIVALENTS, {}
    rows = json.loads(path.read_text())
    for module in {row["module"] for row in rows}:
        faults |= mutants.mutants_of(ROOT, ROOT / f"{module}.py")
    assert len(mutants.equivalents_of(path, faults)) == len(rows)


@pytest.mark.parametrize(
    ("passes", "verdict"),
    [
        ([True, True], ("survived", "")),
        ([True, False, False], ("killed", "b")),
        ([False, True, True], ("doubtful", "a")),
        ([False, True, False, False], ("killed", "b")),
    ],
)
def test_a_file_has_to_fail_twice(monkeypatch, repository, passes, verdict):
    runs = iter(passes)
    monkeypatch.setattr(mutants, "run_tests", lambda *_: (next(runs), 1.0))
    (fault, *_) = mutants.mutants_of(repository, repository / "constants.py").values()
    tests = {"a": {"seconds": 1.0}, "b": {"seconds": 1.0}}
    result = mutants.tried(fault, tests, tests, repository)
    assert (result["verdict"], result["file"]) == verdict
    assert list(runs) == []
    assert (repository / "constants.py").read_text() == FILES["constants.py"]


@pytest.mark.deep
@pytest.mark.parametrize(
    ("test", "passes"), [("pass", True), ("while True: pass", False), ("time.sleep(60)", False)]
)
def test_what_never_ends_is_stopped(monkeypatch, tmp_path, test, passes):
    (tmp_path / "repository").mkdir()
    (tmp_path / "repository" / "test_it.py").write_text(f"import time\ndef test_it():\n  {test}")
    monkeypatch.setattr(mutants, "LEAST_SECONDS", 0.3)
    start = time.monotonic()
    assert mutants.run_tests(tmp_path, "test_it.py", seconds=1.0 if passes else 0.0)[0] == passes
    assert time.monotonic() - start < 50
