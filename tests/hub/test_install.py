"""`rouge-bleu install`: copies in the module cache of `evaluate`, of which the last one counts."""

import re
import subprocess
import sys

from evaluate.loading import CachedEvaluationModuleFactory

from helpers.clones import clone
from helpers.repository import ROOT
from rouge_bleu_tools.hub.install import METRICS, install, main


def chosen_by_evaluate(modules, name="rouge_full"):
    """The folder of the copy that `evaluate` takes for a bare name."""
    cached = f"evaluate-metric--{name}"
    factory = CachedEvaluationModuleFactory(cached, dynamic_modules_path=str(modules))
    return modules / "metrics" / cached / factory.get_module().hash


def test_a_copy_is_a_package_with_script_and_bundle(tmp_path):
    for name, copy in zip(METRICS, install(tmp_path), strict=True):
        assert chosen_by_evaluate(tmp_path, name) == copy
        assert {file.name for file in copy.iterdir()} == {
            *("__init__.py", f"{name}.py", "rouge_bleu.py")
        }
        assert all((package / "__init__.py").exists() for package in (tmp_path, *copy.parents[:2]))
        assert [path for path in copy.parent.iterdir() if path.is_dir()] == [copy]


def test_the_copy_installed_last_wins(tmp_path):
    root, modules = clone(tmp_path / "clone"), tmp_path / "modules"
    first, _ = install(modules, root)
    module = root / "rouge_bleu" / "__init__.py"
    original = module.read_bytes()
    module.write_bytes(original + b"EDITED = True\n")
    second, _ = install(modules, root)
    assert chosen_by_evaluate(modules) == second != first
    assert first.exists(), "a process that runs may still need it"
    module.write_bytes(original)
    assert install(modules, root)[0] == first == chosen_by_evaluate(modules)


def test_a_copy_that_was_edited_is_written_again(tmp_path):
    copy, _ = install(tmp_path)
    (copy / "rouge_full.py").write_text("broken", encoding="utf-8")
    (copy / "rouge_bleu.py").unlink()
    assert install(tmp_path)[0] == copy
    assert (copy / "rouge_full.py").read_bytes() == (ROOT / "rouge_full.py").read_bytes()
    assert (copy / "rouge_bleu.py").is_file()


INSTALLS = """
import sys
from pathlib import Path
from rouge_bleu_tools.hub.install import install
for _ in range(5):
    install(Path(sys.argv[1]))
"""


def test_installs_at_the_same_time(tmp_path):
    command = [sys.executable, "-c", INSTALLS, str(tmp_path)]
    processes = [
        subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True) for _ in range(4)
    ]
    while any(process.poll() is None for process in processes):
        for script in tmp_path.glob(f"metrics/*/{'?' * 64}"):
            package = (script / "rouge_bleu.py").read_text(encoding="utf-8")
            assert package.endswith("globals())\n"), "never half of a file"
    assert [process.communicate()[1] for process in processes] == [""] * 4
    for folder in tmp_path.glob("metrics/evaluate-metric--*"):
        assert [len(path.name) for path in folder.iterdir() if path.is_dir()] == [64]


def test_the_command_says_what_it_does_before_it_begins(tmp_path, monkeypatch, capsys):
    def begun(modules):
        assert "Copying" in capsys.readouterr().out
        return [tmp_path / "copy"]

    monkeypatch.setattr("rouge_bleu_tools.hub.install.install", begun)
    assert main([]) == 0
    assert capsys.readouterr().out.startswith(f"{tmp_path / 'copy'}\n")


def test_errors_are_one_line(tmp_path, monkeypatch, capsys):
    (tmp_path / "file").touch()
    monkeypatch.setattr("evaluate.config.HF_MODULES_CACHE", str(tmp_path / "file"))
    assert main([]) == 2
    assert re.fullmatch(r"error: .*/file.*\n", capsys.readouterr().err)
    monkeypatch.setitem(sys.modules, "evaluate.loading", None)
    assert main([]) == 2
    assert re.fullmatch(r"error: .*evaluate.*\n", capsys.readouterr().err)
    assert main(["now"]) == 2
