"""`rouge-bleu install`, `rouge_bleu.load`, and the contents and requirements of a wheel."""

import os
import re
import stat
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import evaluate
import pytest
from evaluate.loading import CachedEvaluationModuleFactory

import rouge_bleu
from helpers.clones import clone
from helpers.metrics import loaded
from helpers.programs import environment, run
from helpers.repository import ROOT
from helpers.wheels import built, installed
from rouge_bleu.version import VERSION
from rouge_bleu_tools.hub.install import METRICS, install, main

TEXTS = {"predictions": ["the cat sat on a mat", "a"], "references": ["a cat sat on the mat", "b"]}


def chosen_by_evaluate(modules, name="rouge_full"):
    """The folder of the copy that `evaluate` takes for a bare name."""
    cached = f"evaluate-metric--{name}"
    factory = CachedEvaluationModuleFactory(cached, dynamic_modules_path=str(modules))
    return modules / "metrics" / cached / factory.get_module().hash


def test_a_copy_is_a_package_with_script_and_bundle(tmp_path):
    """One that was edited is written again."""
    copies = install(tmp_path)
    (copies[0] / "rouge_full.py").write_text("broken", encoding="utf-8")
    (copies[0] / "rouge_bleu.py").unlink()
    assert install(tmp_path) == copies
    assert (copies[0] / "rouge_full.py").read_bytes() == (ROOT / "rouge_full.py").read_bytes()
    for name, copied in zip(METRICS, copies, strict=True):
        assert chosen_by_evaluate(tmp_path, name) == copied
        files = {"__init__.py", f"{name}.py", "rouge_bleu.py"}
        assert {file.name for file in copied.iterdir()} == files
        assert all((one / "__init__.py").exists() for one in (tmp_path, *copied.parents[:2]))
        assert [path for path in copied.parent.iterdir() if path.is_dir()] == [copied]


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


INSTALL = """
import sys
from pathlib import Path
from rouge_bleu_tools.hub import install
for _ in range(5):
    copies = install.install(Path(sys.argv[1]))
print(install.__file__, *copies)
"""


def test_installs_at_the_same_time(tmp_path):
    command = [sys.executable, "-c", INSTALL, str(tmp_path)]
    pipe = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True}
    processes = [subprocess.Popen(command, cwd=ROOT, **pipe) for _ in range(4)]
    while any(process.poll() is None for process in processes):
        for script in tmp_path.glob(f"metrics/*/{'?' * 64}"):
            package = (script / "rouge_bleu.py").read_text(encoding="utf-8")
            assert package.endswith("globals())\n"), "never half of a file"
    assert [process.communicate()[1] for process in processes] == [""] * 4
    for folder in tmp_path.glob("metrics/evaluate-metric--*"):
        assert [len(path.name) for path in folder.iterdir() if path.is_dir()] == [64]


def test_errors_of_the_command_are_one_line(tmp_path, monkeypatch, capsys):
    assert main(["now"]) == 2
    capsys.readouterr()
    (tmp_path / "file").touch()
    monkeypatch.setattr("evaluate.config.HF_MODULES_CACHE", str(tmp_path / "file"))
    assert main([]) == 2
    assert re.fullmatch(r"error: .*/file.*\n", capsys.readouterr().err)
    monkeypatch.setitem(sys.modules, "evaluate.loading", None)
    assert main([]) == 2
    assert re.fullmatch(r"error: .*evaluate.*\n", capsys.readouterr().err)


def test_load_gives_the_metric_that_evaluate_loads(name):
    """With options as keywords, and a preset as the second argument."""
    for configuration, options in [
        ((), {}),
        (("evaluate",), {"seed": 7, "experiment_id": "mine", "tokenizer": "13a"}),
    ]:
        metric, other = (
            load(name, *configuration, **options) for load in (rouge_bleu.load, loaded)
        )
        assert isinstance(metric, evaluate.Metric)
        for read in ("name", "description", "experiment_id", "config_name", "load_options", "seed"):
            assert getattr(metric, read) == getattr(other, read), read
        assert metric.compute.__doc__ == other.compute.__doc__
        expected = other.compute(**TEXTS)
        metric.add_batch(**TEXTS)
        assert metric.compute() == expected
    if name == "rouge_full":  # its own functions have the same name in signatures
        lines = [
            one.compute(**TEXTS, tokenizer=None, signature=True, stemmer=one.rouge155_stemmer())
            for one in (metric, other)
        ]
        assert lines[0] == lines[1]


@pytest.mark.parametrize(
    ("name", "configuration", "named"),
    [("rouge", None, "rouge_full"), (3, None, "name"), ("rouge_full", "nist", "preset")],
)
def test_what_load_refuses(name, configuration, named):
    with pytest.raises(ValueError, match=named):
        rouge_bleu.load(name, configuration)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return Path(built("wheel", tmp_path_factory.mktemp("wheel")))


@pytest.fixture(scope="module")
def site(wheel, tmp_path_factory):
    """A folder in which the wheel is installed, and nothing that can be written."""
    folder = installed(wheel, tmp_path_factory.mktemp("installed") / "site")
    for path in folder.rglob("*"):
        if path.is_dir():
            path.chmod(stat.S_IRUSR | stat.S_IXUSR)
    return folder


def environment_of(site, home):
    paths = os.pathsep.join([str(site), os.environ["PYTHONPATH"]])
    return environment(home, PYTHONPATH=paths, PYTHONDONTWRITEBYTECODE="1")


PROGRAM = """
import pickle, sys
import rouge_bleu
assert rouge_bleu.__file__.startswith(sys.argv[1]), rouge_bleu.__file__
texts = {"predictions": ["a b c d e"], "references": ["a b c d f"]}
print(rouge_bleu.__version__)
for name in ("rouge_full", "bleu_full"):
    metric = rouge_bleu.load(name, n_jobs=1)
    print(metric.compute(**texts, signature=True)["signature"])
pickle.dump(metric, open("metric.pickle", "wb"))
"""
READER = "import pickle; print(pickle.load(open('metric.pickle', 'rb')).name)"


def test_a_wheel_loads_offline_in_any_folder(site, tmp_path):
    """From a folder that cannot be written, and another process reads a pickled metric."""
    (tmp_path / "elsewhere").mkdir()
    where = {"cwd": tmp_path / "elsewhere", "env": environment_of(site, tmp_path / "home")}
    before = sorted(site.rglob("*"))
    version, *lines = run("-c", PROGRAM, site, **where).stdout.splitlines()
    assert version == VERSION
    assert [line.split("|")[:2] for line in lines] == [[name, VERSION] for name in METRICS]
    assert run("-c", READER, **where).stdout == "bleu_full\n"
    assert sorted(site.rglob("*")) == before
    assert not (tmp_path / "home").exists()


def test_a_wheel_holds_both_packages_and_the_scripts(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        about = {name.rpartition("/")[2]: name for name in names if ".dist-info/" in name}
        text, commands = (archive.read(about[f]).decode() for f in ("METADATA", "entry_points.txt"))
    files = {
        path.relative_to(ROOT).as_posix()
        for package in ("rouge_bleu", "rouge_bleu_tools")
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    files |= {f"rouge_bleu/scripts/{name}.py" for name in METRICS}
    files |= {name for name in names if name.startswith("rouge_bleu_tools/samples/")}
    assert set(names) == files | set(about.values())
    assert len(names) == len(set(names))
    assert "rouge-bleu = rouge_bleu_tools.cli.main:main" in commands
    assert f"\nVersion: {VERSION}\n" in text
    extras = set(re.findall(r"^Provides-Extra: (.*)$", text, re.MULTILINE))
    assert {"page", "spark", "plot", "tokenizers", "test"} <= extras


def test_an_sdist_gives_the_same_wheel(wheel, tmp_path):
    """It has no link, of which archives make nothing or a second copy."""
    sdist = built("sdist", tmp_path)
    with tarfile.open(sdist) as archive:
        assert not any(member.issym() for member in archive.getmembers())
        archive.extractall(tmp_path / "unpacked", filter="data")
    (root,) = (tmp_path / "unpacked").iterdir()
    again = built("wheel", tmp_path / "again", root)
    names, expected = (zipfile.ZipFile(one).namelist() for one in (again, wheel))
    assert names == expected


def test_install_and_samples_from_a_wheel(site, tmp_path, run_code):
    """They need no clone, and copy the same files."""
    where = {"cwd": tmp_path, "env": environment_of(site, tmp_path)}
    done = run_code(INSTALL, tmp_path / "modules", **where)
    assert done.returncode == 0, done.stderr
    place, *copies = done.stdout.split()
    assert place.startswith(str(site))
    assert copies == [str(path) for path in install(tmp_path / "modules", ROOT)]
    run("-m", "rouge_bleu", "sample", "samples", **where)
    copies = [path for path in (tmp_path / "samples").rglob("*") if path.is_file()]
    assert len(copies) == 6
    for one in copies:
        original = ROOT / "examples" / one.relative_to(tmp_path / "samples")
        assert one.read_bytes() == original.read_bytes()
