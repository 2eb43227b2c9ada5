"""`rouge_bleu.load`, and the contents and requirements of a wheel."""

import copy
import os
import pickle
import re
import stat
import tarfile
import zipfile
from pathlib import Path

import evaluate
import pytest

import rouge_bleu
from helpers.metrics import loaded
from helpers.programs import environment, run
from helpers.repository import ROOT
from helpers.wheels import built, installed
from rouge_bleu.version import VERSION
from rouge_bleu_tools.hub.install import install

TEXTS = {
    "predictions": ["the cat sat on a mat", "a"],
    "references": ["the cat sat on the mat", "b"],
}


# --- load -----------------------------------------------------------------------------------------


@pytest.fixture
def metric(name):
    return rouge_bleu.load(name)


def test_it_is_the_metric_that_evaluate_loads(metric, name):
    other = loaded(name)
    assert isinstance(metric, evaluate.Metric)
    options = {"signature": True, "use_aggregator": False}
    assert metric.compute(**TEXTS, **options) == other.compute(**TEXTS, **options)
    assert metric.compute.__doc__ == other.compute.__doc__
    assert (metric.name, metric.description) == (other.name, other.description)
    assert metric.experiment_id == other.experiment_id


def test_options_and_presets(name):
    """As keywords, and a preset as the second argument."""
    metric = rouge_bleu.load(name, "evaluate", seed=7, experiment_id="mine", tokenizer="13a")
    other = loaded(name, "evaluate", seed=7, experiment_id="mine", tokenizer="13a")
    assert metric.load_options == other.load_options
    assert metric.compute(**TEXTS) == other.compute(**TEXTS)
    assert (metric.load_seed, metric.config_name) == (7, "evaluate")
    assert (metric.experiment_id, metric.process_id) == (other.experiment_id, 0)


def test_a_function_of_the_metric_has_the_same_name_in_signatures():
    lines = {
        metric.compute(**TEXTS, stemmer=metric.rouge155_stemmer(), signature=True)["signature"]
        for metric in (rouge_bleu.load("rouge_full"), loaded("rouge_full"))
    }
    assert len(lines) == 1


@pytest.mark.parametrize(
    ("arguments", "options", "kind", "named"),
    [
        (["rouge"], {}, ValueError, "rouge_full"),
        ([3], {}, ValueError, "name"),
        (["rouge_full", "nist"], {}, ValueError, "preset"),
        (["bleu_full"], {"revision": 1}, TypeError, "revision"),
    ],
)
def test_what_is_refused(arguments, options, kind, named):
    with pytest.raises(kind, match=named):
        rouge_bleu.load(*arguments, **options)


def test_added_data_copies_and_pickles(metric):
    expected = metric.compute(**TEXTS)
    for one in (metric, copy.deepcopy(metric), pickle.loads(pickle.dumps(metric))):
        one.add_batch(**TEXTS)
        assert one.compute() == expected


# --- wheel and sdist ------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def wheel(tmp_path_factory):
    return Path(built("wheel", tmp_path_factory.mktemp("wheel")))


@pytest.fixture(scope="session")
def site(wheel, tmp_path_factory):
    """A folder in which the wheel is installed, and nothing that can be written."""
    folder = installed(wheel, tmp_path_factory.mktemp("installed") / "site")
    for path in folder.rglob("*"):
        if path.is_dir():
            path.chmod(stat.S_IRUSR | stat.S_IXUSR)
    return folder


PROGRAM = """
import pickle, sys
import rouge_bleu
assert rouge_bleu.__file__.startswith(sys.argv[1]), rouge_bleu.__file__
print(rouge_bleu.__version__)
for name in ("rouge_full", "bleu_full"):
    metric = rouge_bleu.load(name, n_jobs=1)
    print(metric.compute(predictions=["a b c d e"], references=["a b c d f"], signature=True)["signature"])
    sys.stdout.flush()
pickle.dump(metric, open("metric.pickle", "wb"))
"""
READER = (
    "import pickle, sys; sys.dont_write_bytecode = True\n"
    "metric = pickle.load(open('metric.pickle', 'rb'))\n"
    "print(metric.compute(predictions=['a b'], references=['a b'], max_order=1)['bleu'])"
)


@pytest.mark.parametrize("kind", ["folder", pytest.param("archive", marks=pytest.mark.deep)])
def test_a_wheel_loads_offline_in_any_folder(kind, wheel, site, tmp_path, run_code):
    """From a folder that cannot be written, and from the archive itself. Nothing is written, and another
    process reads a pickled metric.
    """
    place = str(site if kind == "folder" else wheel)
    paths = os.pathsep.join([place, os.environ["PYTHONPATH"]])
    home = tmp_path / "home"
    variables = environment(home, PYTHONPATH=paths, PYTHONDONTWRITEBYTECODE="1")
    cwd = tmp_path / "elsewhere"
    cwd.mkdir()
    before = sorted(site.rglob("*"))
    done = run("-c", PROGRAM, place, cwd=cwd, env=variables)
    version, *lines = done.stdout.splitlines()
    assert version == VERSION
    assert [line.split("|")[:2] for line in lines] == [[name, VERSION] for name in NAMES]
    assert run_code(READER, cwd=cwd, env=variables).stdout == "1.0\n"
    assert sorted(site.rglob("*")) == before
    assert not home.exists()


NAMES = ["rouge_full", "bleu_full"]


def names_in(wheel):
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist()


def test_a_wheel_holds_both_packages_and_the_scripts(wheel):
    names = names_in(wheel)
    files = {
        path.relative_to(ROOT).as_posix()
        for package in ("rouge_bleu", "rouge_bleu_tools")
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    scripts = {f"rouge_bleu/scripts/{name}.py" for name in NAMES}
    samples = {name for name in names if name.startswith("rouge_bleu_tools/samples/")}
    others = {name for name in names if ".dist-info/" not in name}
    assert others == files | scripts | samples
    assert len(names) == len(set(names))


def test_the_metadata_has_the_command_and_the_extras(wheel):
    (entry_points,) = [name for name in names_in(wheel) if name.endswith("entry_points.txt")]
    (metadata,) = [name for name in names_in(wheel) if name.endswith("METADATA")]
    with zipfile.ZipFile(wheel) as archive:
        commands, text = (archive.read(one).decode() for one in (entry_points, metadata))
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
    assert names_in(again) == names_in(wheel)


INSTALL = """
import sys
from pathlib import Path
from rouge_bleu_tools.hub import install
assert install.__file__.startswith(sys.argv[2])
print(*install.install(Path(sys.argv[1])))
"""


def test_install_from_a_wheel(site, tmp_path, run_code):
    """`rouge-bleu install` needs no clone, and copies the same files."""
    paths = os.pathsep.join([str(site), os.environ["PYTHONPATH"]])
    env = environment(tmp_path, PYTHONPATH=paths)
    done = run_code(INSTALL, tmp_path / "modules", site, env=env, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [str(path) for path in install(tmp_path / "modules", ROOT)]


def test_samples_from_a_wheel(site, tmp_path):
    """They are those of the clone, which README.md scores."""
    paths = os.pathsep.join([str(site), os.environ["PYTHONPATH"]])
    env = environment(tmp_path, PYTHONPATH=paths)
    run("-m", "rouge_bleu", "sample", "samples", cwd=tmp_path, env=env)
    copies = [path for path in (tmp_path / "samples").rglob("*") if path.is_file()]
    assert len(copies) == 6
    for one in copies:
        original = ROOT / "examples" / one.relative_to(tmp_path / "samples")
        assert one.read_bytes() == original.read_bytes()
