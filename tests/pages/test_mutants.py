"""`mutants.py` on a small repository: what it tries, what it finds, and what it keeps."""

import json
import os
from textwrap import dedent

import pytest

from helpers.programs import python
from helpers.repository import ROOT
from programs import mutants

FILES = {
    "pyproject.toml": "[tool.pytest.ini_options]\npythonpath = ['.']\n",
    "limits.py": """
        def is_small(number):
            return number <= 3

        def half(number):
            return number / 2

        def after(number):
            return number + 1
    """,
    "helpers/repository.py": "IS_COPY = True",  # a name that the program has imported too
    "tests/test_limits.py": """
        from helpers.repository import IS_COPY
        from limits import is_small

        def test_is_small():
            assert is_small(3) and not is_small(4)
    """,
    "tests/test_started.py": """
        import subprocess, sys

        def test_a_program():
            subprocess.run([sys.executable, "-c", "import limits; assert limits.after(1) == 2"], check=True)
    """,
    "tests/programs/equivalent_mutants.json": "[]",
}
# Each fault that there is.
VERDICTS = {
    ("return number <= 3", "return number < 3"): "killed",
    ("return number <= 3", "return number <= 4"): "killed",
    ("return number / 2", "return number * 2"): "survived",
    ("return number / 2", "return number / 3"): "survived",
    ("return number + 1", "return number - 1"): "killed",
    ("return number + 1", "return number + 2"): "killed",
}
THIRD = {"module": "limits", "function": "half", "before": "return number / 2"}
THIRD |= {"after": "return number / 3", "reason": "a third will do"}


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
    assert printed.splitlines()[-3:] == [
        f"{'module':<40} tried equivalent killed score",
        f"{'limits':<40}     6          0      4  66.7",
        f"{'all':<40}     6          0      4  66.7",
    ]
    assert (repository / "limits.py").read_text() == dedent(FILES["limits.py"])
    # Who starts again goes on: with the survivors, and with the modules that have changed.
    half_is_tested = "from limits import half\ndef test_half(): assert half(5) < 5"
    (repository / "tests" / "test_half.py").write_text(half_is_tested)
    (repository / mutants.EQUIVALENTS).write_text(json.dumps([THIRD]))
    printed, second = run(repository, "--again")
    assert [row["file"] for row in second.values()] == ["tests/test_half.py"]
    assert printed.splitlines()[-1] == f"{'all':<40}     6          1      5 100.0"
    with (repository / "limits.py").open("a") as file:
        file.write("# a change")
    assert len(run(repository)[1]) == 5


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
    (fault, *_) = mutants.mutants_of(repository, repository / "limits.py").values()
    tests = {"a": {"seconds": 1.0}, "b": {"seconds": 1.0}}
    result = mutants.tried(fault, tests, tests, repository)
    assert (result["verdict"], result["file"]) == verdict
    assert list(runs) == []
    assert (repository / "limits.py").read_text() == dedent(FILES["limits.py"])
