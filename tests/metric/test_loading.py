"""Each way to load the metrics, in a process with an empty cache of its own, and with true scores.

Importing `evaluate` takes a process one to two seconds, so ways that can share one do. Nothing here
may reach the network: the Hub is a server on the loopback interface, or a port at which nobody
listens.
"""

import json
import re
import shutil
import sys
from importlib import metadata
from pathlib import Path

import evaluate
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from helpers.clones import PACKAGE, clone
from helpers.hub import LoopbackHub
from helpers.programs import environment, run
from helpers.repository import ROOT
from rouge_bleu.version import VERSION
from rouge_bleu_tools.hub import install
from rouge_bleu_tools.hub.spaces import build

TEXTS = {"predictions": ["the cat sat on a mat"], "references": ["the cat sat on the mat"]}
# By hand: 5 of 6 words, 3 of 5 pairs, 2 of 4 triples and 1 of 3 quadruples match.
SCORES = {
    "rouge_full": {"rouge1": 5 / 6, "rouge2": 3 / 5, "rougeL": 5 / 6, "rougeLsum": 5 / 6},
    "bleu_full": {"bleu": (5 / 6 * 3 / 5 * 2 / 4 * 1 / 3) ** (1 / 4), "reference_length": 6},
}
PROGRAM = """
import json, os, sys
import evaluate

results = []
for folder, path in json.loads(sys.argv[1]):
    os.chdir(folder)
    results.append(evaluate.load(path).compute(**json.loads(sys.argv[2])))
print(json.dumps(results))
"""
NAMES = list(SCORES)


@pytest.fixture
def empty(tmp_path):
    """A working directory that holds nothing."""
    folder = tmp_path / "empty"
    folder.mkdir()
    return folder


@pytest.fixture
def check_scores(run_code):
    """Loads each path from a folder in a new process, compares the scores and returns what was
    written to stderr.
    """

    def check_scores(places, env, start=run_code):
        given = json.dumps([(str(folder), str(path)) for folder, path in places])
        done = start(PROGRAM, given, json.dumps(TEXTS), env=env)
        assert done.returncode == 0, done.stderr
        for (_, path), result in zip(places, json.loads(done.stdout), strict=True):
            (name,) = (name for name in NAMES if Path(path).name.startswith(name))
            found = {key: result[key] for key in SCORES[name]}
            assert found == pytest.approx(SCORES[name], abs=1e-12), path
        return done.stderr

    return check_scores


def test_by_path(tmp_path, spaces, check_scores):
    """Of the script; of a built folder, or a clone of the Space; in the working directory its name
    is enough.
    """
    places = []
    for name in NAMES:
        scripts = (f"{name}.py", ROOT / f"{name}.py")
        folders = (f"{spaces / name}/", f"{name}/{name}.py", name)
        places += [(ROOT, path) for path in scripts] + [(spaces, path) for path in folders]
    check_scores(places, environment(tmp_path, HF_EVALUATE_OFFLINE="1"))


def test_from_a_space_on_the_hub(tmp_path, empty, spaces, check_scores):
    """`evaluate` asks for the tag of its own version first, then for main.

    The Hub limits requests, and each process of a job makes them at each load: so there
    are at most five for files at the first load of a metric, and three later. huggingface_hub makes
    one more for a process.
    """
    files = [
        f"/spaces/user/{name}/resolve/main/{file}.py"
        for name in NAMES
        for file in (name, "rouge_bleu")
    ]
    names = [f"user/{name}" for name in NAMES]
    places = [(empty, name) for name in names]
    with LoopbackHub({name: spaces / name.partition("/")[2] for name in names}) as hub:
        env = environment(tmp_path, HF_ENDPOINT=hub.url)
        check_scores(places, env)
        first = hub.requests.copy()
        assert [request for request in first if request[2] == 200] == [
            (method, file, 200) for file in files for method in ("HEAD", "GET")
        ]
        assert len(first) <= 11, first
        check_scores(places, env)
        later = hub.requests[len(first) :]
        assert [request for request in later if request[2] == 200] == [
            ("HEAD", file, 200) for file in files
        ]
        assert len(later) <= 7, later
    warm = check_scores(places, env)
    for name in NAMES:
        assert re.search(f"Using the latest cached version.*{name}", warm), "the server is gone"


OLD_COPY = (
    f"UserWarning: evaluate.load uses a copy of version {VERSION}, but rouge-bleu-full 99.0 is "
    "installed: run `rouge-bleu install` again"
)


def test_by_bare_name_after_install(tmp_path, empty, check_scores, monkeypatch, capsys):
    """Offline, and with a Hub that has no such metric, which is asked first."""
    places = [(empty, name) for name in NAMES]
    cache = str(tmp_path / "cache")
    with monkeypatch.context() as patch:
        patch.chdir(empty)
        patch.setattr(sys, "path", sys.path[:])
        patch.setattr(evaluate.config, "HF_MODULES_CACHE", cache)
        assert install.main([]) == 0
    said = capsys.readouterr().out
    assert sum(line.startswith(cache) for line in said.splitlines()) == len(NAMES)
    with LoopbackHub({}) as hub:
        env = environment(tmp_path / "home", HF_ENDPOINT=hub.url, HF_MODULES_CACHE=cache)
        offline = check_scores(places, env | {"HF_EVALUATE_OFFLINE": "1"})
        assert "Using the latest cached version" in offline
        assert not [path for _, path, _ in hub.requests if path.startswith("/spaces/")], (
            "huggingface_hub may ask for other things"
        )
        silent = check_scores(places, env | {"EVALUATE_VERBOSITY": "error"})
        assert "Using the latest" not in silent, "as install says"
        assert "is installed" not in offline + silent
        installed = tmp_path / "later" / "rouge_bleu_full-99.0.dist-info"
        installed.mkdir(parents=True)
        (installed / "METADATA").write_text("Name: rouge-bleu-full\nVersion: 99.0\n")
        later = {"HF_EVALUATE_OFFLINE": "1", "PYTHONPATH": str(installed.parent)}
        assert OLD_COPY in check_scores(places, env | later)
        asked = "/spaces/evaluate-metric/rouge_full/resolve/main/rouge_full.py"
        assert ("HEAD", asked, 404) in hub.requests
    assert list(empty.iterdir()) == []


# --- by path, with only the requirements -----------------------------------------------------


def required(requirement, found):
    """Add the packages to a set that a requirement brings along, itself included."""
    found.add(canonicalize_name(requirement.name))
    for text in metadata.requires(requirement.name) or ():
        inner = Requirement(text)
        environments = ({"extra": extra} for extra in ("", *requirement.extras))
        is_wanted = not inner.marker or any(map(inner.marker.evaluate, environments))
        if is_wanted and (inner.extras or canonicalize_name(inner.name) not in found):
            required(inner, found)
    return found


@pytest.fixture
def only_requirements(tmp_path):
    """A folder with links to what requirements.txt brings along."""
    folder = tmp_path / "packages"
    folder.mkdir()
    names = set()
    for line in (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines():
        required(Requirement(line), names)
    for name in names:
        installed = metadata.distribution(name)
        for top in {file.parts[0] for file in installed.files} - {"..", "__pycache__"}:
            (folder / top).symlink_to(Path(installed.locate_file(top)).resolve())
    return folder


def test_by_path_with_nothing_but_the_requirements(
    tmp_path, empty, only_requirements, check_scores
):
    """Without the packages of this environment (`-S`), and without the repository on any path."""
    env = environment(tmp_path / "home", PYTHONPATH=str(only_requirements), HF_EVALUATE_OFFLINE="1")
    check_scores(
        [(empty, ROOT / f"{name}.py") for name in NAMES],
        env,
        start=lambda code, *given, env: run("-S", "-c", code + ALONE, *given, cwd=empty, env=env),
    )


ALONE = """
from importlib.util import find_spec
assert not any(map(find_spec, ["pytest", "gradio", "scipy", "rouge_bleu", "rouge_bleu_tools"]))
"""


# --- clones -----------------------------------------------------------------------------------------

# One that both scripts import: it has the version, which results can name.
(OF_VERSION,) = (
    file.relative_to(ROOT)
    for file in (ROOT / PACKAGE).rglob("*.py")
    if "\nVERSION = " in file.read_text(encoding="utf-8")
)


def set_version(root, version):
    file = root / OF_VERSION
    text = file.read_text(encoding="utf-8")
    file.write_text(re.sub(r'(?m)^VERSION = ".*?"', f'VERSION = "{version}"', text), "utf-8")


def version_of(metric):
    """The version in the signature of a result."""
    return metric.compute(**TEXTS, signature=True)["signature"].split("|")[1]


def test_each_clone_has_its_own_modules(tmp_path):
    """The scripts are equal. What was loaded before goes on as it is, and an edit of a module
    counts at the next load.
    """
    clones = [clone(tmp_path / place) for place in ("one", "other")]
    for number, root in enumerate(clones, start=1):
        set_version(root, f"{number}.0")
    scripts = [root / "rouge_full.py" for root in clones]
    assert scripts[0].read_bytes() == scripts[1].read_bytes()
    loaded = [evaluate.load(str(script)) for script in scripts]
    set_version(clones[1], "3.0")
    loaded += [evaluate.load(str(scripts[1])), evaluate.load(str(scripts[0]))]
    assert [version_of(metric) for metric in loaded] == ["1.0", "2.0", "3.0", "1.0"]


# What is done to the file with the version in the copy of the package: as by a load that was killed
# while it copied files. `evaluate` never completes a copy.
DAMAGES = {
    "a file": lambda file: file.unlink(),
    "what stood in a file": lambda file: file.write_text("import re\n", encoding="utf-8"),
    "the end of a file": lambda file: file.write_text("def f(", encoding="utf-8"),
}


@pytest.mark.parametrize("lacks", DAMAGES)
def test_a_copy_that_lacks_something_says_which_folder_to_delete(tmp_path, lacks):
    """After that the next process, or this one if the file was missing, loads it again."""
    root = clone(tmp_path / "clone")
    set_version(root, f"8.0 without {lacks}")  # else the copy would be whole, from another load
    # The scripts share the place of their package, which this copies without loading anything.
    for script in (str(root / f"{name}.py") for name in NAMES):
        module = evaluate.loading.evaluation_module_factory(script)
        folder = Path(evaluate.config.HF_MODULES_CACHE, *module.module_path.split(".")[:-1])
        DAMAGES[lacks](folder / OF_VERSION)
        for _ in range(2):
            with pytest.raises(ImportError, match=re.escape(str(folder))):
                evaluate.load(script)
        if lacks == "a file":
            shutil.rmtree(folder)
            assert version_of(evaluate.load(script)) == "8.0 without a file"


def test_a_clone_without_links_says_so_in_one_line(tmp_path, name):
    root = clone(tmp_path / "clone", has_links=False)
    with pytest.raises(ImportError, match="no symbolic links"):
        evaluate.load(str(root / f"{name}.py"))


def test_a_clone_with_line_ends_of_windows(tmp_path, spaces):
    """As git checks text out there: it scores and is built as others are."""
    root = clone(tmp_path / "clone")
    for path in [path for path in root.rglob("*") if path.is_file()]:
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    for folder in build(tmp_path / "build", root=root):
        name = folder.name
        script = (folder / f"{name}.py").read_bytes().replace(b"\r\n", b"\n")
        assert script == (spaces / name / f"{name}.py").read_bytes()
        expected = evaluate.load(str(ROOT / f"{name}.py")).compute(**TEXTS)
        assert evaluate.load(str(root / f"{name}.py")).compute(**TEXTS) == expected


def test_a_path_with_blanks_and_umlauts(tmp_path, empty, check_scores):
    """By name after an install, by path, and a Space that is built there."""
    root = clone(tmp_path / "Größe & Übung" / "my clone (2)")
    cache = tmp_path / "zwischen ablage" / "Änderungen"
    env = environment(tmp_path / "home", HF_MODULES_CACHE=str(cache), HF_EVALUATE_OFFLINE="1")
    install.install(cache / "evaluate_modules", root=root)
    paths = build(root / "mein Büro", root=root)
    paths += [root / f"{name}.py" for name in NAMES]
    check_scores([(empty, path) for path in [*NAMES, *paths]], env)
