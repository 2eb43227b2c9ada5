"""The blocks of docs/large-data.md for engines other than Spark give the result of `compute`."""

import re

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from helpers.fold_cases import corpus
from helpers.metrics import loaded
from helpers.pages import BLOCK, text_of

HEADINGS = "One machine|Ray|Dask, DuckDB, Polars"
SECTIONS = re.findall(
    rf"^## (?:{HEADINGS})$(?s:.*?)(?=^## )", text_of("docs/large-data.md"), re.MULTILINE
)
ARROW, *ENGINES = [
    code for text in SECTIONS for language, code in BLOCK.findall(text) if language == "py"
]
PACKAGES = [re.search(r"import (ray|dask|duckdb|polars)", code)[1] for code in ENGINES]

pytestmark = pytest.mark.usefixtures("by_bare_name")


@pytest.mark.parametrize("package", [None, *PACKAGES])
def test_engines(package, tmp_path, monkeypatch):
    data = corpus(300)
    rows = pa.table(data)
    (tmp_path / "outputs").mkdir()
    for first in range(0, 300, 60):
        pq.write_table(rows.slice(first, 60), tmp_path / "outputs" / f"{first}.parquet")
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "__main__"}
    exec(ARROW, names)
    if package is not None:
        engine = pytest.importorskip(package, reason="pip install -e .[test-spark]")
        names["result"] = None
        if package == "ray":
            engine.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
        exec(ENGINES[PACKAGES.index(package)], names)
        if package == "ray":
            engine.shutdown()
    expected = loaded("rouge_full", rouge_types=["rouge1", "rougeL"]).compute(**data)
    assert names["result"] == pytest.approx(expected | {"n_items": 300, "n_skipped": 0}, rel=1e-12)
