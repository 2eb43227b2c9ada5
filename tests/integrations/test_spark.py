"""Both metrics on Apache Spark, whose executors are processes of their own as in a cluster.

Skipped where pyspark or Java is missing; the nightly workflow installs them.
"""

import doctest
import json
import os
import re
import shutil
import signal
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from helpers.fold_cases import corpus
from helpers.metrics import loaded
from helpers.pages import block, text_of
from helpers.programs import python
from helpers.repository import ROOT

if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
    pytest.skip("Spark needs Java, such as openjdk-17-jre-headless", allow_module_level=True)
pytest.importorskip("pyspark", reason="pip install -e .[test-spark]")

import score_on_spark

MASTER = "local-cluster[2,1,1024]"  # two executors with a core and 1 GB each
COLUMNS = {"predictions": "prediction", "references": "references", "item": "id"}
OPTIONS = {
    "rouge_full": {"rouge_types": ["rouge1", "rougeLsum", "rougeSU4"], "output": "all"},
    "bleu_full": {"smoothing": "exp", "output": "flat"},
}
RESAMPLED = {"confidence_level": 0.9, "n_resamples": 100, "seed": 3, "signature": True}
# Rows of each file, each of which is a partition.
SIZES = [1, 10_000, 0, 1, 137, 0, 1, 2_500]

# A timeout prints the stack and ends the run. If only the test failed, the answer to its call would
# be read as that to the next call, and each later test of the session would fail.
limit = pytest.mark.timeout(900, method="thread")
pytestmark = [limit, pytest.mark.usefixtures("by_bare_name")]


@pytest.fixture(scope="module")
def spark():
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    spark = score_on_spark.session(MASTER)
    # Each file is a partition, however small it is.
    spark.conf.set("spark.sql.files.openCostInBytes", str(2**40))
    yield spark
    spark.stop()


@pytest.fixture(scope="module", params=OPTIONS)
def metric(request):
    return loaded(request.param, **OPTIONS[request.param])


@pytest.fixture(scope="module")
def data():
    """Ragged references: one to three for each item."""
    few = corpus(600, seed=13)
    row = np.random.default_rng(5).integers(600, size=sum(SIZES)).tolist()
    return {name: [column[number] for number in row] for name, column in few.items()}


@pytest.fixture(scope="module")
def folder(data, tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    rows = as_table(data)
    for number, size in enumerate(SIZES):
        pq.write_table(rows.slice(sum(SIZES[:number]), size), folder / f"{number}.parquet")
    return folder


def as_table(data):
    columns = {"prediction": data["predictions"], "references": data["references"]}
    return pa.table({"id": [f"item {n}" for n in range(len(data["predictions"]))], **columns})


def sizes_of_partitions(frame):
    def count(batches):
        yield pa.RecordBatch.from_pydict({"n": [sum(batch.num_rows for batch in batches)]})

    return sorted(row.n for row in frame.mapInArrow(count, "n long").collect())


def check(result, metric, data):
    expected = metric.compute(**data, signature=True)
    assert "draws:poisson" in result["signature"]
    for key, value in expected.items():
        if key != "signature":
            assert result[key] == pytest.approx(value, rel=1e-12), key
    assert result["n_items"] == len(data["predictions"])


def test_any_partitions_give_the_result_of_one_machine(spark, metric, data, folder, tmp_path):
    """Of 1 to 10,000 rows, skewed and empty; the same to the last bit, bounds too."""
    frame = spark.read.parquet(str(folder))
    assert sizes_of_partitions(frame) == sorted(SIZES)
    result = score_on_spark.score(frame, metric, COLUMNS, RESAMPLED)
    check(result, metric, data)
    rows = as_table(data).rename_columns(["id", "predictions", "references"])
    here = metric.fold(metric.batch_statistics(rows, item="id"), **RESAMPLED)
    assert repr(result) == repr(here)
    scores = str(tmp_path / "scores")
    again = score_on_spark.score(frame.repartition(23), metric, COLUMNS, RESAMPLED, scores)
    assert repr(again) == repr(here)
    rows = pq.read_table(scores)
    order = pa.array(np.argsort([int(item.split()[1]) for item in rows["item"].to_pylist()]))
    expected = metric.compute(**data, use_aggregator=False)
    keys = [key for key in expected if key in rows.schema.names and "_length" not in key]
    assert "rouge1_recall" in keys or "bleu" in keys
    assert all(rows[key].take(order).to_pylist() == expected[key] for key in keys)


def test_a_task_that_is_killed_is_done_again(spark, metric, data, folder, tmp_path, monkeypatch):
    """After it has given a part of its statistics, which count once."""
    marks = str(tmp_path)
    of_batches = score_on_spark.statistics_of_batches

    def killing(*arguments, **named):
        statistics = of_batches(*arguments, **named)

        def killed(batches):
            for number, batch in enumerate(statistics(batches)):
                mark = os.path.join(marks, "killed")
                if number == 1 and not os.path.exists(mark):
                    open(mark, "w", encoding="utf-8").close()
                    os.kill(os.getpid(), signal.SIGKILL)
                yield batch

        return killed

    monkeypatch.setattr(score_on_spark, "statistics_of_batches", killing)
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "1000")
    try:
        frame = spark.read.parquet(str(folder))
        check(score_on_spark.score(frame, metric, COLUMNS, RESAMPLED), metric, data)
    finally:
        spark.conf.unset("spark.sql.execution.arrow.maxRecordsPerBatch")
    assert (tmp_path / "killed").exists()


def test_rows_with_nulls_are_an_error_or_skipped(spark, metric, data, tmp_path):
    rows = as_table({name: column[:50] for name, column in data.items()})
    gaps = rows.to_pydict()
    gaps["prediction"][7] = gaps["references"][30] = None
    gaps["references"][35], gaps["references"][41] = ["a text", None], []
    path = str(tmp_path / "gaps.parquet")
    pq.write_table(pa.table(gaps, schema=rows.schema), path)
    frame = spark.read.parquet(path)
    with pytest.raises(Exception, match=r"ValueError.*item 7"):
        score_on_spark.score(frame, metric, COLUMNS, RESAMPLED)
    columns = COLUMNS | {"missing": "skip"}
    result = score_on_spark.score(frame, metric, columns, RESAMPLED)
    kept = [row for row in range(50) if row not in (7, 30, 35, 41)]
    check(result, metric, {name: [column[row] for row in kept] for name, column in data.items()})
    assert result["n_skipped"] == 4
    (first,) = frame.filter("id = 'item 0'").collect()  # no executor sees both of these ids
    twice = frame.union(spark.createDataFrame([first], frame.schema))
    with pytest.raises(ValueError, match="'item 0'"):
        score_on_spark.score(twice, metric, columns, RESAMPLED)


def test_the_snippet_of_the_page(spark, tmp_path):
    snippet = block("docs/large-data.md", "Apache Spark", "py")
    few = corpus(50)
    pq.write_table(as_table(few), tmp_path / "data.parquet")
    metric = loaded("rouge_full", rouge_types=["rouge1", "rougeL"])
    names = {"__name__": "__main__", "spark": spark, "metric": metric}
    exec(snippet.replace('"data.parquet"', repr(str(tmp_path / "data.parquet"))), names)
    expected = metric.compute(**few) | {"n_items": 50, "n_skipped": 0}
    assert names["result"] == pytest.approx(expected, rel=1e-12)


def script(*arguments, folder):
    """Run the script in a folder, with a Spark that works in one process."""
    program = ROOT / "examples" / "score_on_spark.py"
    places = ("--metric", ROOT / "rouge_full.py", "--master", "local[2]")
    environment = os.environ | {"PYSPARK_PYTHON": sys.executable}
    return python(program, *arguments, *places, cwd=folder, env=environment, seconds=300)


def test_the_script(tmp_path, rouge_full):
    """Paths are relative to the working directory; it prints only JSON."""
    few = corpus(40)
    pq.write_table(as_table(few), tmp_path / "data.parquet")
    page = text_of("docs/large-data.md")
    command = re.search(r"\npython examples/score_on_spark.py (.*)\n", page)[1]
    done = script(*command.split(), "--options", '{"rouge_types": ["rouge1"]}', folder=tmp_path)
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    expected = rouge_full.compute(**few, rouge_types=["rouge1"])
    assert result["rouge1"] == pytest.approx(expected["rouge1"], rel=1e-12)
    assert result["rouge1_low"] < result["rouge1"] < result["rouge1_high"]
    assert "rouge1" in pq.read_table(tmp_path / "scores").schema.names
    assert doctest.testmod(score_on_spark) == (0, 1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("data --scores scores", "scores"),  # which exist
        ("data --confidence-level 0.9", "--id-column"),
        ("both", "b.parquet"),  # Java would print the trace of each attempt
    ],
)
def test_an_error_of_the_script_is_one_line(tmp_path, arguments, message):
    for name in ("data", "both", "scores"):
        (tmp_path / name).mkdir()
        pq.write_table(as_table(corpus(5)), tmp_path / name / "a.parquet")
    (tmp_path / "both" / "b.parquet").write_bytes(b"no Parquet at all, and no footer")
    done = script(*arguments.split(), folder=tmp_path)
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]  # Spark prints some lines when it starts
    assert last.startswith("error: ")
    assert message in last
