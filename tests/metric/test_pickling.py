"""A metric that was pickled here, in processes that share some places with this one, or none.

They are forks of one that has imported `evaluate`.
"""

import copy
import inspect
import json
import os
import pickle
import shutil
from pathlib import Path

import cloudpickle
import dill
import evaluate
import pytest
import stage

from helpers.clones import clone
from helpers.hub import LoopbackHub
from helpers.programs import environment
from helpers.repository import ROOT
from rouge_bleu.metric.pickling import content_of_script, load_call, metric_in_reach

TEXTS = {"predictions": ["the cat sat on a mat"], "references": ["the cat sat on the mat"]}
# Lin 2004, as in DESIGN: 5 of 6 words and 3 of 5 bigrams.
OPTIONS = {"rouge_types": ["rouge1", "rouge2"], "output": "recall"}
SCORES = {"rouge1": 5 / 6, "rouge2": 3 / 5}

# A worker of a cluster: it knows nothing of metrics, and calls what it was sent. What it says of a
# pickle that it cannot read is its result.
WORKER = """
import json, pickle, sys
results = []
for path in sys.argv[1:]:
    with open(path, "rb") as file:
        try:
            results.append(pickle.load(file)())
        except Exception as error:
            results.append(f"{type(error).__name__}: {error}")
print(json.dumps(results))
"""
# Another script of the same name and version, which says that it ran, and a library that does.
OTHER_SCRIPT = """
import library_of_test
import evaluate

class RougeFull(evaluate.Metric):
    version = {version!r}

library_of_test.ran("script")
"""
LIBRARY = """
def ran(what):
    with open({ran!r}, "a") as file:
        print(what, file=file)

ran("library")
"""
ANOTHER_CONTENT = (
    "ImportError: rouge_full was pickled in another process, and this one finds another content in"
    " {found}, of which nothing was run: all machines need the same script. Run `rouge-bleu"
    " install` on this machine, load the metric by a path that all machines share, or load it from"
    " the Hub, with a revision"
)


def pickled(metric):
    """A function that holds a metric, as one that a cluster is given, by value."""
    return cloudpickle.dumps(lambda: metric.compute(**TEXTS))


@pytest.fixture
def results_of(tmp_path, run_code):
    """What a worker makes of pickles."""

    def results_of(*contents, home=tmp_path / "home", **variables):
        paths = [tmp_path / f"{number}.pickle" for number in range(len(contents))]
        for path, content in zip(paths, contents, strict=True):
            path.write_bytes(content)
        done = run_code(WORKER, *paths, env=environment(home, **variables), cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return results_of


@pytest.fixture
def result_of(tmp_path, results_of):
    return lambda content, home=tmp_path / "home", **variables: results_of(
        content, home=home, **variables
    )[0]


def add_line(file, line):
    with file.open("a", encoding="utf-8") as opened:
        opened.write(f"\n{line}\n")


@pytest.fixture
def space(spaces, tmp_path):
    """A folder that a test may remove, with a script of its own."""
    folder = tmp_path / "shared" / "rouge_full"
    shutil.copytree(spaces / "rouge_full", folder)
    add_line(folder / "rouge_full.py", f"_OF_TEST = {str(tmp_path)!r}")
    return folder


@pytest.fixture
def own_clone(tmp_path):
    """A clone with a script of its own."""
    folder = clone(tmp_path / "clone")
    add_line(folder / "rouge_full.py", f"_OF_TEST = {str(tmp_path)!r}")
    return folder


def copy_of_evaluate(metric):
    """The folder into which `evaluate` copied the script."""
    return Path(inspect.getfile(type(metric))).parent


def test_a_function_that_holds_a_metric_works_in_a_process_with_the_same_cache(results_of):
    """Its options go with it; those of Python's own pickle, of cloudpickle and of dill."""
    metric = evaluate.load(str(ROOT / "rouge_full.py"), **OPTIONS)
    bleu = evaluate.load(str(ROOT / "bleu_full.py"), tokenizer=str.split, output="score")
    pickles = [pickled(metric), pickled(bleu)]
    pickles.append(dill.dumps(lambda: metric.compute(**TEXTS), recurse=True))
    found = results_of(*pickles, home=os.environ["HF_HOME"])
    assert found == [SCORES, bleu.compute(**TEXTS), SCORES]


# --- what a process with another cache needs ------------------------------------------------------


def test_the_copy_of_the_script_is_enough(space, own_clone, result_of):
    """After the script itself has gone; that of a clone has the package, and no link to it."""
    for script in (space, own_clone / "rouge_full.py"):
        metric = evaluate.load(str(script), **OPTIONS)
        shutil.rmtree(space if script == space else own_clone)
        assert result_of(pickled(metric)) == SCORES


def test_the_path_of_the_script_is_enough(space, monkeypatch, result_of):
    """Given from here, in another folder, where the copy of the script is not."""
    monkeypatch.chdir(space.parent)
    metric = evaluate.load("rouge_full", **OPTIONS)
    content = pickled(metric)
    shutil.rmtree(copy_of_evaluate(metric))
    assert result_of(content) == SCORES


def test_an_installed_copy_is_enough(tmp_path, space, result_of):
    """Where another script is in the place of this one, and on a machine that has neither the path
    nor the copy; the Hub is not asked. Without it the error says what to do.
    """
    metric = evaluate.load(str(space), **OPTIONS)
    content, copied = pickled(metric), copy_of_evaluate(metric)
    stage.install(tmp_path / "installed" / "modules" / "evaluate_modules")
    for folder in (copied, space):
        (folder / "rouge_full.py").write_text("raise SystemExit")
    assert result_of(content, tmp_path / "installed") == SCORES
    shutil.rmtree(space)
    shutil.rmtree(copied)
    with LoopbackHub({}) as hub:
        assert result_of(content, tmp_path / "installed", HF_ENDPOINT=hub.url) == SCORES
        assert not [path for _, path, _ in hub.requests if path.startswith("/spaces/")]
    assert result_of(content) == (
        "ImportError: rouge_full was pickled in another process, and this one cannot reach it:"
        f" neither {copied / 'rouge_full.py'} nor {space} is there, and no copy is installed."
        " Run `rouge-bleu install` on this machine, load the metric by a path that all"
        " machines share, or load it from the Hub"
    )


OF_THE_HUB = """
import sys, cloudpickle, evaluate
metric = evaluate.load("user/rouge_full", rouge_types=["rouge1", "rouge2"], output="recall")
texts = {"predictions": ["the cat sat on a mat"], "references": ["the cat sat on the mat"]}
with open(sys.argv[1], "wb") as file:
    file.write(cloudpickle.dumps(lambda: metric.compute(**texts)))
"""


def test_the_hub_is_enough(tmp_path, space, run_code, result_of, other_script):
    """Another script that it has by now is downloaded into the cache, and does not run."""
    script, paths, ran = other_script
    path = tmp_path / "of the hub"
    with LoopbackHub({"user/rouge_full": space}) as hub:
        env = environment(tmp_path / "here", HF_ENDPOINT=hub.url)
        done = run_code(OF_THE_HUB, path, env=env, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        shutil.rmtree(tmp_path / "here")
        content = path.read_bytes()
        assert result_of(content, tmp_path / "there", HF_ENDPOINT=hub.url) == SCORES
        (space / "rouge_full.py").write_text(script)
        result = result_of(content, tmp_path / "later", HF_ENDPOINT=hub.url, **paths)
    assert f"finds another content in {tmp_path / 'later'}" in result
    assert "script" not in ran.read_text()  # `evaluate` imports libraries that it names


# --- other scripts in the same place --------------------------------------------------------------


@pytest.fixture
def other_script(tmp_path, rouge_full):
    """Another script, the environment in which it would run, and the file that would say so."""
    ran, library = tmp_path / "ran", tmp_path / "library"
    library.mkdir()
    (library / "library_of_test.py").write_text(LIBRARY.format(ran=str(ran)))
    paths = os.pathsep.join([str(library), *filter(None, [os.environ.get("PYTHONPATH")])])
    return OTHER_SCRIPT.format(version=rouge_full.version), {"PYTHONPATH": paths}, ran


def test_another_script_in_the_same_place_does_not_run(tmp_path, space, other_script, result_of):
    """In the place of the copy of `evaluate`, and in that of the script that it copied."""
    script, paths, ran = other_script
    metric = evaluate.load(str(space), **OPTIONS)
    content, copied = pickled(metric), copy_of_evaluate(metric)
    for folder in (copied, space):
        (folder / "rouge_full.py").write_text(script)
    found = f"{copied / 'rouge_full.py'} and {space / 'rouge_full.py'}"
    for home in (os.environ["HF_HOME"], tmp_path / "home"):
        assert result_of(content, home, **paths) == ANOTHER_CONTENT.format(found=found)
    assert not ran.exists()


def test_another_sibling_does_not_run(own_clone, other_script, result_of):
    """The script is the same, and a module that it names is another one."""
    _, paths, ran = other_script
    metric = evaluate.load(str(own_clone / "rouge_full.py"), **OPTIONS)
    content = pickled(metric)
    for place in (own_clone, copy_of_evaluate(metric)):
        add_line(place / "rouge_bleu" / "kernels" / "ngrams.py", "import library_of_test")
    result = result_of(content, os.environ["HF_HOME"], **paths)
    assert "finds another content in" in result
    assert not ran.exists()


# What a script ends with, where a variable of the environment says so.
FAILS = """
if os.environ.get("FAILS") == "import":
    raise ImportError("no libm.so")
elif os.environ.get("FAILS") == "versions":  # as versions.py does with those that are too old
    def check_versions():
        raise ImportError("numpy 1.0 is too old")
"""


def test_a_script_that_fails_says_why(tmp_path, space, result_of):
    """It is there, in the shared cache and by its path, and not missing."""
    add_line(space / "rouge_full.py", FAILS)
    content = pickled(evaluate.load(str(space), **OPTIONS))
    for home, fails, message in [
        (tmp_path / "home", "import", "no libm.so"),
        (os.environ["HF_HOME"], "versions", "numpy 1.0 is too old"),
    ]:
        assert result_of(content, home, FAILS=fails) == f"ImportError: {message}"


def test_the_state_of_0_2_0_is_read(metric):
    """It had a list of items, each a prediction and a list of its references."""
    metric = copy.deepcopy(metric)
    state = metric.__getstate__()
    assert state["_items"] == []
    metric.__setstate__({**state, "_items": [("a b", ["a b", "c"]), ("a", ["b"])]})
    assert len(metric) == 2
    assert metric.__getstate__()["_items"] == [("a b", ["a b", "c"]), ("a", ["b"])]
    metric.add(prediction="c", reference="c")
    order = {"rouge_full": {"rouge_types": ["rouge1"]}, "bleu_full": {"max_order": 1}}
    items = metric.compute(use_aggregator=False, **order[metric.name])
    assert items["rouge1" if metric.name == "rouge_full" else "bleu"] == [1.0, 0.0, 1.0]


def test_content_of_a_script(tmp_path, metric):
    """The clone and the copy of `evaluate` have the same, whatever order their files are listed in."""
    copied = Path(inspect.getfile(type(metric)))
    content = content_of_script(str(copied))
    assert content == content_of_script(str(ROOT / copied.name))
    assert metric.__reduce_ex__(4)[1][1]["arguments"]["content"] == content
    (installed,) = [
        path / copied.name for path in stage.install(tmp_path) if metric.name in str(path)
    ]
    assert content_of_script(str(installed)) not in (content, None)
    assert content_of_script(str(tmp_path / "nothing.py")) is None
    alone = tmp_path / copied.name  # without its package
    shutil.copyfile(copied, alone)
    assert content_of_script(str(alone)) is None
    alone.write_bytes(b"\xff")
    assert content_of_script(str(alone)) is None


def test_each_file_of_the_package_counts(tmp_path):
    folder = clone(tmp_path / "clone")
    script = folder / "rouge_full.py"
    contents = {content_of_script(str(script))}
    assert contents == {content_of_script(str(ROOT / script.name))}
    inside = folder / "rouge_bleu" / "_rouge"
    (inside / "scores.py").rename(inside / "other.py")
    contents.add(content_of_script(str(script)))
    (inside / "other.py").unlink()
    contents.add(content_of_script(str(script)))
    add_line(folder / "rouge_bleu" / "arrays.py", "")
    contents.add(content_of_script(str(script)))
    assert len(contents) == 4


def test_a_metric_that_load_did_not_make_has_no_path(tmp_path):
    place = {"module": "evaluate_modules.metrics.no_metric.1.no_metric", "name": "NoMetric"}
    file = tmp_path / "no_metric.py"
    with pytest.raises(ImportError, match=f"neither {file} nor its module is there, and no copy"):
        metric_in_reach(**place, file=str(file), version="0.2.0")


def test_another_version_is_refused(rouge_full):
    """Machines that score by different rules would give a mixture."""
    kind = type(rouge_full)
    place = {"module": kind.__module__, "name": kind.__name__, "file": inspect.getfile(kind)}
    assert type(metric_in_reach(**place, version=kind.version)) is kind
    message = "rouge_full 0.0.1 was pickled, and this process finds rouge_full "
    with pytest.raises(ImportError, match=message + kind.version):
        metric_in_reach(**place, version="0.0.1")


def test_copies_in_this_process_are_of_the_same_class(metric):
    """What was pickled can be pickled again, as workers do that start workers."""
    of_pickle = pickle.loads(pickle.dumps(metric))
    for copied in (
        of_pickle,
        pickle.loads(pickle.dumps(of_pickle)),
        pickle.loads(pickle.dumps(metric, protocol=2)),
        cloudpickle.loads(cloudpickle.dumps(metric)),
        copy.copy(metric),
        copy.deepcopy(metric),
    ):
        assert type(copied) is type(metric)
        assert copied is not metric
        assert copied.load_options == metric.load_options
        assert copied.__reduce_ex__(4)[:2] == metric.__reduce_ex__(4)[:2]
    arguments = metric.__reduce_ex__(4)[1][1]["arguments"]
    assert arguments["path"] == str(ROOT / f"{metric.name}.py")


def test_one_object_stays_one(metric):
    """In a list that holds it twice, also one that holds what was added."""
    metric = copy.deepcopy(metric)
    metric.add(prediction="a b", reference="a c")
    for copied in (pickle.loads(pickle.dumps([metric] * 2)), copy.deepcopy([metric] * 2)):
        assert copied[0] is copied[1]
        assert len(copied[0]) == 1


def test_a_class_that_evaluate_has_not_loaded_is_found_by_its_name(rouge_full, monkeypatch):
    """As for a metric of one's own, made from ours."""
    own = type("Own", (type(rouge_full),), {"__module__": __name__})
    monkeypatch.setitem(globals(), "Own", own)
    metric = own()
    copied = pickle.loads(pickle.dumps(metric))
    assert type(copied) is own
    assert metric._origin == {}


def test_load_call_of_another_caller():
    assert load_call(None) == {}
    assert load_call(inspect.currentframe()) == {}
