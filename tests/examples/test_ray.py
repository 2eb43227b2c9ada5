"""The snippet for Ray Data in docs/clusters.md, on two workers.

`make test-spark` runs this; it is skipped where Ray is not installed.
"""

import evaluate
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from helpers.fold_cases import corpus
from helpers.metrics import loaded
from helpers.pages import block

ray = pytest.importorskip("ray", reason="make test-spark installs ray")

pytestmark = pytest.mark.timeout(600)


@pytest.fixture(scope="module", autouse=True)
def cluster():
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()


def test_the_snippet_gives_the_result_of_compute(tmp_path, monkeypatch):
    data = corpus(300)
    rows = pa.table(data).append_column("id", pa.array(range(300)))
    folder = tmp_path / "outputs"
    folder.mkdir()
    for first in range(0, 300, 60):
        pq.write_table(rows.slice(first, 60), folder / f"{first}.parquet")
    monkeypatch.setattr(evaluate, "load", loaded)
    names = {"__name__": "__main__"}
    snippet = block("docs/clusters.md", "Ray", "py")
    exec(snippet.replace('"outputs"', repr(str(folder))), names)
    metric = names["metric"]
    expected = metric.compute(**data, confidence_level=None)
    result = names["result"]
    for key, value in expected.items():
        assert result[key] == pytest.approx(value, rel=1e-12)
        assert result[f"{key}_low"] < value < result[f"{key}_high"]
    assert result["n_items"] == 300
    here = metric.batch_statistics(rows, item="id")
    assert metric.fold(here) == result
