"""Each way to load the metrics, in a process with its own empty cache, and with true scores.

Importing `evaluate` takes a process one to two seconds, so ways that can share one do. Nothing here
may reach the network: the Hub is a server on the loopback interface, or a port at which nobody
listens.
"""

import contextlib
import hashlib
import json
import re
import shutil
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import metadata
from pathlib import Path

import evaluate
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from helpers.clones import PACKAGE, clone
from helpers.programs import environment, run
from helpers.repository import ROOT
from rouge_bleu_tools.hub import install
from rouge_bleu_tools.hub.spaces import build

TEXTS = {"predictions": ["the cat sat on a mat"], "references": ["the cat sat on the mat"]}
# By hand: 5 of 6 words, 3 of 5 pairs, 2 of 4 triples and 1 of 3 quadruples match.
SCORES = {
    "rouge_full": {"rouge1": 5 / 6, "rouge2": 3 / 5, "rougeL": 5 / 6, "rougeLsum": 5 / 6},
    "bleu_full": {"bleu": (5 / 6 * 3 / 5 * 2 / 4 * 1 / 3) ** (1 / 4), "reference_length": 6},
}
NAMES = list(SCORES)
OFFLINE = {"HF_EVALUATE_OFFLINE": "1"}

# Loads metrics from folders, and pickles functions that hold them, as a cluster does. The cache may be
# deleted while a metric is in use: its code is in memory.
PROGRAM = """
import json, os, pickle, shutil, sys
import evaluate

texts, results, functions = json.loads(sys.argv[2]), [], []
for folder, path in json.loads(sys.argv[1]):
    os.chdir(folder)
    metric = evaluate.load(path)
    for cache in sys.argv[4:]:
        shutil.rmtree(cache)
    metric.explain(prediction="a b", reference="a c")
    results.append(metric.compute(**texts, confidence_level=0.9, n_resamples=9, n_jobs=2))
    if len(sys.argv) > 3:
        import cloudpickle
        functions.append(cloudpickle.dumps(lambda: metric.compute(**texts)))
if functions:
    with open(sys.argv[3], "wb") as file:
        pickle.dump(functions, file)
print(json.dumps(results))
"""
# A worker of a cluster: it knows nothing of metrics, and calls the functions that it received.
WORKER = """
import json, pickle, sys
results = []
with open(sys.argv[1], "rb") as file:
    for function in pickle.load(file):
        try:
            results.append(pickle.loads(function)())
        except Exception as error:
            results.append(f"{type(error).__name__}: {error}")
print(json.dumps(results))
"""


def assert_scores(places, done):
    assert done.returncode == 0, done.stderr
    for (_, path), result in zip(places, json.loads(done.stdout), strict=True):
        expected = SCORES["rouge_full" if "rouge_full" in Path(path).name else "bleu_full"]
        found = {key: result[key] for key in expected}
        assert found == pytest.approx(expected, abs=1e-12), path
    return done.stderr


@pytest.fixture
def check_scores(run_code):
    """Loads each path from a folder in a new process, compares the scores and returns what was
    written to stderr. With a file, pickles the metrics into it; with a cache, deletes that too.
    """

    def check_scores(places, env, *files, start=run_code):
        given = json.dumps([(str(folder), str(path)) for folder, path in places])
        return assert_scores(places, start(PROGRAM, given, json.dumps(TEXTS), *files, env=env))

    return check_scores


@pytest.fixture
def empty(tmp_path):
    """A working directory that holds nothing."""
    folder = tmp_path / "empty"
    folder.mkdir()
    return folder


def test_by_path(tmp_path, empty, spaces, check_scores, run_code):
    """Of the script; of a built folder, or a clone of the Space; in the working directory its name
    is enough. A worker in another folder loads the same paths, and names the one that it lacks.
    """
    spaces, file = shutil.copytree(spaces, tmp_path / "spaces"), tmp_path / "functions"
    places = []
    for name in NAMES:
        scripts = (f"{name}.py", ROOT / f"{name}.py")
        folders = (f"{spaces / name}/", f"{name}/{name}.py", name)
        places += [(ROOT, path) for path in scripts] + [(spaces, path) for path in folders]
    check_scores(places, environment(tmp_path / "home", **OFFLINE), file, tmp_path / "home")
    env = environment(tmp_path / "worker", **OFFLINE)
    assert_scores(places, run_code(WORKER, file, env=env, cwd=empty))
    shutil.rmtree(spaces)
    env = environment(tmp_path / "other worker", **OFFLINE)
    results = json.loads(run_code(WORKER, file, env=env, cwd=empty).stdout)
    assert [type(result) for result in results] == [dict, dict, str, str, str] * 2
    assert all(str(spaces) in one for one in results if isinstance(one, str))


FILE_OF_SPACE = re.compile(r"/spaces/user/([^/]+)/resolve/main/([^/]+)")


@contextlib.contextmanager
def loopback_hub(folder="none"):
    """Serve folders as Spaces: give the address and a list of the requests: method, path, status."""
    requests = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            match = FILE_OF_SPACE.fullmatch(self.path)
            file = Path(folder, *match.groups()) if match else Path("none")
            content = file.read_bytes() if file.is_file() else b""
            requests.append((self.command, self.path, 200 if content else 404))
            self.send_response(requests[-1][-1])
            self.send_header("Content-Length", str(len(content)))
            if content:  # without it evaluate would keep its first download for ever
                self.send_header("ETag", f'"{hashlib.sha256(content).hexdigest()}"')
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(content)

        do_HEAD = do_GET

        def log_message(self, *arguments):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, args=[0.05], daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", requests
        server.shutdown()


def test_from_a_space_on_the_hub(tmp_path, empty, spaces, check_scores, run_code):
    """`evaluate` asks for the tag of its version first, then for main.

    The Hub limits requests, and each process of a job makes them at each load: so there
    are at most five for files at the first load of a metric, and three later. huggingface_hub makes
    one more for a process.
    """
    path = "/spaces/user/{}/resolve/main/{}.py".format
    files = [path(name, file) for name in NAMES for file in (name, "rouge_bleu")]
    places, file = [(empty, f"user/{name}") for name in NAMES], tmp_path / "functions"
    with loopback_hub(spaces) as (url, requests):
        env = environment(tmp_path, HF_ENDPOINT=url)
        check_scores(places, env, file)
        first = requests.copy()
        found = [request for request in first if request[2] == 200]
        assert found == [(method, file, 200) for file in files for method in ("HEAD", "GET")]
        assert len(first) <= 11, first
        check_scores(places, env)
        later = requests[len(first) :]
        found = [request for request in later if request[2] == 200]
        assert found == [("HEAD", file, 200) for file in files]
        assert len(later) <= 7, later
        worker = environment(tmp_path / "worker", HF_ENDPOINT=url)
        assert_scores(places, run_code(WORKER, file, env=worker, cwd=empty))
    warm = check_scores(places, env)
    for name in NAMES:
        assert re.search(f"Using the latest cached version.*{name}", warm), "the server is gone"


def test_by_bare_name_after_install(tmp_path, empty, check_scores, run_code, monkeypatch, capsys):
    """Offline, and with a Hub that has no such metric, which is asked first."""
    places, file = [(empty, name) for name in NAMES], tmp_path / "functions"
    cache = str(tmp_path / "cache")
    with monkeypatch.context() as patch:
        patch.chdir(empty)
        patch.setattr(sys, "path", sys.path[:])
        patch.setattr(evaluate.config, "HF_MODULES_CACHE", cache)
        assert install.main([]) == 0
    assert capsys.readouterr().out.count(f"\n{cache}") == len(NAMES)
    with loopback_hub() as (url, requests):
        env = environment(tmp_path / "home", HF_ENDPOINT=url, HF_MODULES_CACHE=cache)
        offline = check_scores(places, env | OFFLINE, file)
        assert_scores(places, run_code(WORKER, file, env=env | OFFLINE, cwd=empty))
        assert "Using the latest cached version" in offline
        # huggingface_hub may ask for other things
        assert not [path for _, path, _ in requests if path.startswith("/spaces/")]
        silent = check_scores(places, env | {"EVALUATE_VERBOSITY": "error"})
        assert "Using the latest" not in silent, "as install says"
        asked = "/spaces/evaluate-metric/rouge_full/resolve/main/rouge_full.py"
        assert ("HEAD", asked, 404) in requests
    assert list(empty.iterdir()) == []


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


ALONE = """
from importlib.util import find_spec
assert not any(map(find_spec, ["pytest", "gradio", "scipy", "rouge_bleu", "rouge_bleu_tools"]))
"""


def test_by_path_with_nothing_but_the_requirements(tmp_path, empty, check_scores):
    """Without the packages of this environment (`-S`), and without the repository on any path."""
    folder = tmp_path / "packages"
    folder.mkdir()
    names = set()
    for line in (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines():
        required(Requirement(line), names)
    for name in names:
        installed = metadata.distribution(name)
        for top in {file.parts[0] for file in installed.files} - {"..", "__pycache__"}:
            (folder / top).symlink_to(Path(installed.locate_file(top)).resolve())
    check_scores(
        [(empty, ROOT / f"{name}.py") for name in NAMES],
        environment(tmp_path / "home", PYTHONPATH=str(folder), **OFFLINE),
        start=lambda code, *given, env: run("-S", "-c", code + ALONE, *given, cwd=empty, env=env),
    )


# --- clones ---------------------------------------------------------------------------------------

OF_VERSION = Path(PACKAGE, "version.py")


def set_version(root, version):
    (root / OF_VERSION).write_text(f'VERSION = "{version}"\n', encoding="utf-8")


def version_of(metric):
    """The version in the signature of a result."""
    return metric.compute(**TEXTS, signature=True)["signature"].split("|")[1]


@pytest.mark.parametrize("is_built", [False, True])
def test_each_clone_or_space_has_its_own_modules(tmp_path, is_built):
    """The scripts are equal. What was loaded before goes on as it is, and an edit of a module
    counts at the next load.
    """
    roots = [clone(tmp_path / place) for place in ("one", "other")]

    def load(number, version=None):
        if version is not None:
            set_version(roots[number], version)
        folder = build(roots[number] / "build", roots[number])[0] if is_built else roots[number]
        return evaluate.load(str(folder / "rouge_full.py"))

    metrics = [load(0, "1.0"), load(1, "2.0"), load(1, "3.0"), load(0)]
    assert [version_of(metric) for metric in metrics] == ["1.0", "2.0", "3.0", "1.0"]


# What is done to the file with the version in the copy of the package: as by a load that was killed
# while it copied files. `evaluate` never completes a copy.
DAMAGES = {
    "a file": lambda file: file.unlink(),
    "what was in a file": lambda file: file.write_text("import re\n", encoding="utf-8"),
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


def test_a_clone_as_windows_checks_it_out(tmp_path, spaces, name):
    """With its line ends it scores and is built as others are; without links it says so."""
    root = clone(tmp_path / "clone")
    for path in [path for path in root.rglob("*") if path.is_file()]:
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    script = f"{name}.py"
    build(tmp_path / "build", root=root)
    built = (tmp_path / "build" / name / script).read_bytes().replace(b"\r\n", b"\n")
    assert built == (spaces / name / script).read_bytes()
    expected = evaluate.load(str(ROOT / script)).compute(**TEXTS)
    assert evaluate.load(str(root / script)).compute(**TEXTS) == expected
    with pytest.raises(ImportError, match="no symbolic links"):
        evaluate.load(str(clone(tmp_path / "no links", has_links=False) / script))


def test_a_path_with_spaces_and_umlauts(tmp_path, empty, check_scores):
    """By name after an install, by path, and a Space that is built there."""
    root = clone(tmp_path / "Größe & Übung" / "my clone (2)")
    cache = tmp_path / "zwischen ablage" / "Änderungen"
    env = environment(tmp_path / "home", HF_MODULES_CACHE=str(cache), **OFFLINE)
    install.install(cache / "evaluate_modules", root=root)
    paths = build(root / "mein Büro", root=root)
    paths += [root / f"{name}.py" for name in NAMES]
    check_scores([(empty, path) for path in [*NAMES, *paths]], env)
