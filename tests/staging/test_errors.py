"""What goes wrong while a metric is staged is one line, and spoils no other install."""

import ast
import contextlib
import io
import os
import re
import runpy
import subprocess
import sys
import time
from pathlib import Path
from unittest.mock import Mock

import pytest
import stage

from helpers.ranks import in_processes
from helpers.repository import ROOT
from helpers.systems import needs_fork
from rouge_bleu_tools.staging import module_cache

# --- one line on stderr, and exit status 1 ------------------------------------------


@pytest.mark.parametrize(("file", "output"), [("file", "file/"), ("rouge_full", "")])
def test_a_file_is_in_the_way(tmp_path, monkeypatch, capsys, file, output):
    (tmp_path / file).touch()
    monkeypatch.chdir(tmp_path)
    assert stage.main(["build", "--output", output or "."]) == 1
    assert capsys.readouterr().err == f"stage.py: Not a directory: {output}rouge_full\n"


def test_a_file_is_in_the_way_of_the_cache(tmp_path, monkeypatch, capsys):
    (tmp_path / "file").touch()
    monkeypatch.setattr("evaluate.config.HF_MODULES_CACHE", str(tmp_path / "file"))
    assert stage.main(["install"]) == 1
    error = capsys.readouterr().err
    assert re.fullmatch(rf"stage\.py: (Not a directory|File exists): {tmp_path}/file.*\n", error)


@needs_fork
def test_a_full_disk(tmp_path):
    """A limit on the size of files stands for it: the error is of the same kind."""
    resource = pytest.importorskip("resource", reason="only POSIX has such limits")

    def built():
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
        with contextlib.redirect_stderr(io.StringIO()) as said:
            status = stage.main(["build", "--output", str(tmp_path)])
        return status, said.getvalue()

    (found,) = in_processes(built)
    assert found == (1, "stage.py: File too large\n")


@pytest.mark.parametrize("command", ["build", "install"])
def test_no_permission(tmp_path, monkeypatch, capsys, command):
    """Root may write everywhere, so the error is put there."""

    def refused(path, content):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "write_bytes", refused)
    monkeypatch.setenv("HF_MODULES_CACHE", str(tmp_path))
    output = ["--output", str(tmp_path)] if command == "build" else []
    assert stage.main([command, *output]) == 1
    error = capsys.readouterr().err
    assert re.fullmatch(r"stage\.py: Permission denied: .*rouge_full\.py\n", error)


def test_an_error_without_a_file(monkeypatch, capsys):
    failed = Mock(side_effect=OSError("cannot say where"))
    monkeypatch.setattr(stage.main.__globals__["spaces"], "build", failed)
    assert stage.main(["build"]) == 1
    assert capsys.readouterr().err == "stage.py: cannot say where\n"


def test_an_old_python_is_told_so(monkeypatch):
    """Python 3.6 reads the whole file before it runs the first line."""
    ast.parse((ROOT / "stage.py").read_text(encoding="utf-8"), feature_version=(3, 6))
    monkeypatch.setattr(sys, "version_info", (3, 9, 18, "final", 0))
    with pytest.raises(SystemExit) as end:
        runpy.run_path(str(ROOT / "stage.py"))
    assert end.value.code == (
        f"stage.py: Python 3.10 or later is needed, but {sys.executable} is Python 3.9"
    )


# --- installs that were killed, and installs at the same time -----------------------


def finished_process():
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def test_what_a_killed_install_left_is_removed(tmp_path):
    folder = tmp_path / "metrics" / "evaluate-metric--rouge_full"
    two_hours_ago = time.time() - 2 * 3600
    names = {
        "of a process that is dead": (f"unfinished-{finished_process()}", None),
        "of one that runs": (f"unfinished-{os.getppid()}", None),
        "of a number that runs anew": (f"unfinished-{os.getpid()}", two_hours_ago),
        "of nobody knows whom": ("unfinished-work", None),
        "of nobody knows whom, and old": ("unfinished-business", two_hours_ago),
    }
    for name, changed in names.values():
        (folder / name).mkdir(parents=True)
        (folder / name / "rouge_full.py").touch()
        if changed is not None:
            os.utime(folder / name, (changed, changed))
    stage.install(tmp_path)
    left = [place for place, (name, _) in names.items() if (folder / name).exists()]
    assert left == ["of one that runs", "of nobody knows whom"]


def test_a_copy_that_another_install_has_removed_meanwhile(tmp_path, monkeypatch):
    glob = Path.glob

    def listed_before(path, pattern, **options):
        gone = [path / ("0" * 64) / "rouge_full.py"]
        return gone if str(pattern).startswith("*/") else glob(path, pattern, **options)

    monkeypatch.setattr(Path, "glob", listed_before)
    copies = stage.install(tmp_path)
    assert all((copy / "__init__.py").is_file() for copy in copies)


def test_an_install_that_fails_leaves_nothing_unfinished(tmp_path, monkeypatch):
    refused = Mock(side_effect=PermissionError(13, "Permission denied"))
    monkeypatch.setattr(Path, "rename", refused)
    monkeypatch.setattr(Path, "replace", refused)
    with pytest.raises(PermissionError):
        stage.install(tmp_path)
    folder = tmp_path / "metrics" / "evaluate-metric--rouge_full"
    assert [path.name for path in folder.iterdir()] == ["__init__.py"]


# Installs the same scripts as its brothers, and is one of them done first or last.
INSTALLS = """
import sys
from pathlib import Path
from rouge_bleu_tools.staging import module_cache

for n in range(int(sys.argv[2])):
    folder, script = Path(sys.argv[1]) / str(n // 10), f"N = {n % 3}\\n" * 1000
    module_cache._install_script(folder, "small", script.encode())
"""


def test_installs_at_the_same_time(tmp_path):
    """Four processes write three copies into each of many folders, over and over."""
    n_installs = 100
    command = [sys.executable, "-c", INSTALLS, str(tmp_path), str(n_installs)]
    processes = [
        subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True) for _ in range(4)
    ]
    n_read = 0
    while any(process.poll() is None for process in processes):
        for script in tmp_path.glob("*/*/" + "?" * 64 + "/small.py"):
            assert len(script.read_text()) == 6000, "never half of a script"
            n_read += 1
    assert [process.communicate()[1] for process in processes] == [""] * 4
    assert n_read > 0
    folders = list(tmp_path.glob("*/evaluate-metric--small"))
    assert len(folders) == n_installs / 10
    for folder in folders:
        copies = [path for path in folder.iterdir() if path.is_dir()]
        assert {len(copy.name) for copy in copies} == {64}, "nothing unfinished"
        assert len(copies) == 3
        for copy in copies:
            names = {"small.py", "__init__.py", module_cache.MARK_FILE}
            assert {path.name for path in copy.iterdir()} == names
