"""Each way to load the metrics, in a process with an empty cache of its own, and with true scores.

Importing `evaluate` takes a process one to two seconds, so ways that can share one do. Nothing here
may reach the network: the Hub is a server on the loopback interface, or a port at which nobody
listens.
"""

import json
import os
import re
import shutil
import subprocess
import sys

import pytest

from helpers.hub import LoopbackHub
from helpers.repository import ROOT

NOBODY = "http://127.0.0.1:9"  # the port of the discard service

# The example of evaluate's own `rouge`, and of MATLAB's bleuEvaluationScore.
PROGRAM = """
import json, sys
import evaluate

texts_of_metric = {
    "rouge": (
        "A bold, full-flavored coffee with a slightly bitter aftertaste.",
        [
            "A bold, flavorful coffee with a slightly bitter aftertaste.",
            "A rich, full-bodied coffee with a smooth finish.",
        ],
    ),
    "bleu": (
        "The fast brown fox jumped over the lazy dog.",
        ["The quick brown animal jumped over the lazy dog.", "The quick brown fox jumped over the lazy dog."],
    ),
}
results = []
for path in sys.argv[1:]:
    metric = evaluate.load(path)
    prediction, references = texts_of_metric[metric.name.partition("_")[0]]
    results.append(metric.compute(predictions=[prediction], references=[references]))
print(json.dumps(results))
"""
SCORES = {
    "rouge_full": {
        "rouge1": 0.8421052631578948,
        "rouge2": 0.7058823529411765,
        "rougeL": 0.8421052631578948,
        "rougeLsum": 0.8421052631578948,
    },
    "bleu_full": {"bleu": 0.7825422900366437, "translation_length": 10, "reference_length": 10},
}
NAMES = list(SCORES)


@pytest.fixture
def empty(tmp_path):
    """A working directory that holds nothing."""
    folder = tmp_path / "empty"
    folder.mkdir()
    return folder


def environment(home, **changes):
    kept = {name: value for name, value in os.environ.items() if not name.startswith("HF_")}
    settings = {
        "HF_HOME": str(home),
        "HF_ENDPOINT": NOBODY,
        "HF_UPDATE_DOWNLOAD_COUNTS": "0",
        "NO_PROXY": "127.0.0.1",
    }
    return kept | settings | changes


def run(*command, cwd, env):
    done = subprocess.run(
        [sys.executable, *command],
        cwd=cwd,
        env=env,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done


def check_scores(paths, *, cwd, env):
    """Load each path in one new process, compare the scores and return what was written to stderr."""
    done = run("-c", PROGRAM, *paths, cwd=cwd, env=env)
    for path, result in zip(paths, json.loads(done.stdout), strict=True):
        (name,) = (name for name in NAMES if name in path.rstrip("/").rsplit("/", maxsplit=1)[-1])
        assert {key: result[key] for key in SCORES[name]} == pytest.approx(
            SCORES[name], abs=1e-12
        ), path
    return done.stderr


def test_by_the_path_of_the_script(tmp_path):
    paths = [
        path for name in NAMES for path in (f"{name}.py", f"./{name}.py", str(ROOT / f"{name}.py"))
    ]
    check_scores(paths, cwd=ROOT, env=environment(tmp_path, HF_EVALUATE_OFFLINE="1"))


def test_by_a_folder_named_like_the_metric(tmp_path, spaces):
    """A staged folder, or a clone of the Space; in the working directory its name is enough."""
    paths = [
        path
        for name in NAMES
        for path in (
            str(spaces / name),
            f"{spaces / name}/",
            f"{name}/{name}.py",
            f"./{name}",
            name,
        )
    ]
    check_scores(paths, cwd=spaces, env=environment(tmp_path, HF_EVALUATE_OFFLINE="1"))


def test_from_a_space_on_the_hub(tmp_path, empty, spaces):
    """`evaluate` asks for the tag of its own version first, then for main.

    The Hub limits requests, and each process of a job makes them at each load: so there
    are at most three at the first load of a metric, and two later. huggingface_hub makes one more
    for a process.
    """
    files = [f"/spaces/user/{name}/resolve/main/{name}.py" for name in NAMES]
    names = [f"user/{name}" for name in NAMES]
    with LoopbackHub({name: spaces / name.partition("/")[2] for name in names}) as hub:
        env = environment(tmp_path, HF_ENDPOINT=hub.url)
        check_scores(names, cwd=empty, env=env)
        first = hub.requests.copy()
        assert [request for request in first if request[2] == 200] == [
            (method, file, 200) for file in files for method in ("HEAD", "GET")
        ]
        assert len(first) <= 7, first
        check_scores(names, cwd=empty, env=env)
        later = hub.requests[len(first) :]
        assert [request for request in later if request[2] == 200] == [
            ("HEAD", file, 200) for file in files
        ]
        assert len(later) <= 5, later
    warm = check_scores(names, cwd=empty, env=env)
    for name in NAMES:
        assert re.search(f"Using the latest cached version.*{name}", warm), "the server is gone"


def test_a_changed_space_is_fetched_again(tmp_path, empty, spaces):
    """A script that the Space serves with another ETag is not taken from the cache."""
    space = tmp_path / "space"
    shutil.copytree(spaces / "bleu_full", space)
    with LoopbackHub({"user/bleu_full": space}) as hub:
        env = environment(tmp_path / "home", HF_ENDPOINT=hub.url)
        check_scores(["user/bleu_full"], cwd=empty, env=env)
        with (space / "bleu_full.py").open("a", encoding="utf-8") as file:
            file.write('\nraise RuntimeError("the new version")\n')
        with pytest.raises(AssertionError, match="the new version"):
            check_scores(["user/bleu_full"], cwd=empty, env=env)


def test_by_bare_name_after_install(tmp_path, empty):
    """Offline, and with a Hub that has no such metric, which is asked first."""
    with LoopbackHub({}) as hub:
        env = environment(
            tmp_path / "home", HF_ENDPOINT=hub.url, HF_MODULES_CACHE=str(tmp_path / "cache")
        )
        done = run(str(ROOT / "stage.py"), "install", cwd=empty, env=env)
        lines = done.stdout.splitlines()
        assert all(line.startswith(str(tmp_path / "cache")) for line in lines[: len(NAMES)])
        assert "HF_EVALUATE_OFFLINE=1" in done.stdout
        assert "HF_HUB_OFFLINE=1 changes nothing" in done.stdout
        assert "Using the latest cached version" in check_scores(
            NAMES, cwd=empty, env=env | {"HF_EVALUATE_OFFLINE": "1"}
        )
        assert not [path for _, path, _ in hub.requests if path.startswith("/spaces/")], (
            "huggingface_hub may ask for other things"
        )
        assert "Using the latest" not in check_scores(
            NAMES, cwd=empty, env=env | {"EVALUATE_VERBOSITY": "error"}
        ), "as install says"
        assert (
            "HEAD",
            "/spaces/evaluate-metric/rouge_full/resolve/main/rouge_full.py",
            404,
        ) in hub.requests
    assert list(empty.iterdir()) == []
