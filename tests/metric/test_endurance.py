"""Long runs: nothing adds up in the process, and what ends it leaves nothing behind.

`make test-endurance` takes 20,000 steps instead of these few.
"""

import json
import os
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from helpers.items import NAMES, PREDICTIONS, REFERENCES
from helpers.metrics import loaded
from helpers.programs import environment, run
from helpers.repository import ROOT
from helpers.systems import needs_proc

DATA = {"predictions": PREDICTIONS, "references": REFERENCES}


@pytest.mark.deep
@needs_proc
def test_nothing_grows():
    """Objects and handles are counted: one that stayed behind in each step would be 216."""
    program = ROOT / "tests" / "programs" / "endurance.py"
    paths = os.pathsep.join([str(ROOT), str(ROOT / "tests")])
    grown = json.loads(run(program, 240, env={**os.environ, "PYTHONPATH": paths}).stdout)
    assert grown["steps"] == 240
    assert (grown["handles"], grown["threads"], grown["files"]) == (0, 0, 0)
    assert grown["objects"] < 50
    assert grown["resident"] < 2**24


def test_eight_threads_that_load(tmp_path, rouge_full):
    """Each has a separate object from the start."""
    barrier = threading.Barrier(8)

    def score(number):
        barrier.wait(30)
        metric = loaded("rouge_full", cache_dir=str(tmp_path))
        metric.add_batch(**DATA)
        return metric.compute()

    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(score, range(8)))
    assert results == [rouge_full.compute(**DATA)] * 8


# --- folders --------------------------------------------------------------------------------------


DELETED = """
import json, pickle, shutil, sys
import evaluate

home, data = sys.argv[1], json.loads(sys.argv[2])
results = []
for path in sys.argv[3:]:
    metric = evaluate.load(path)
    metric.add_batch(**data)
    shutil.rmtree(home)
    results.append(metric.compute())
    metric.explain(prediction="a b", reference="a c")
    results.append(metric.compute(**data, confidence_level=0.9, n_resamples=9, n_jobs=2))
    metric.add_batch(**data)
    results.append(pickle.loads(pickle.dumps(metric)).compute())
print(json.dumps(results))
"""


def test_all_caches_are_deleted_while_a_metric_is_in_use(tmp_path, run_code):
    """Also its own code, which is in memory; the next `load` makes it again."""
    home, paths = tmp_path / "home", [str(ROOT / f"{name}.py") for name in NAMES]
    done = run_code(DELETED, home, json.dumps(DATA), *paths, env=environment(home))
    assert done.returncode == 0, done.stderr
    results = json.loads(done.stdout)
    for name, start in zip(NAMES, (0, 3), strict=True):
        right = loaded(name).compute(**DATA)
        for result in results[start : start + 3]:
            assert {key: result[key] for key in right} == right
