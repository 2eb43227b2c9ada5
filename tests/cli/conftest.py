"""A folder of texts in all formats, and the command in this process."""

import argparse
import gzip
import io
import json
import re
import sys
import warnings
from contextlib import ExitStack

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from helpers.repository import ROOT
from rouge_bleu_tools.cli import compare, files, inputs, score
from rouge_bleu_tools.cli.main import main

PREDICTIONS = ["The cat sat on a mat.", "Nothing new, he said.", "It rains"]
REFERENCES = [
    ["The cat sat on the mat.", "A cat is on the mat."],
    ["There is nothing new."],
    ["Rain"],
]
FIRST = [texts[0] for texts in REFERENCES]
SECOND = [texts[1] if texts[1:] else "" for texts in REFERENCES]
SYSTEMS = ROOT / "examples" / "systems"
NAMES = ["baseline", "similar", "better"]
FILES = [*(SYSTEMS / f"{name}.txt" for name in NAMES), "-r", SYSTEMS / "references.txt"]
FEW = ["-m", "rouge", "--rouge-types", "rouge1"]
ALL = [*FILES, *FEW, "--n-resamples", "100"]


def read(*arguments, n_rows=2):
    """The predictions and references that arguments name."""
    parser = argparse.ArgumentParser()
    files.add_file_flags(parser)
    namespace = parser.parse_args(arguments)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", inputs.Note)
        batches = list(files.read_texts(namespace, n_rows))
    predictions = [text for batch in batches for text in batch.predictions]
    return predictions, [texts for batch in batches for texts in batch.references]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The current folder, with texts in all formats."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")
    table = pd.DataFrame({"output": PREDICTIONS, "human_1": FIRST, "human_2": SECOND})
    table.to_csv("mine.csv", index=False)
    table.to_csv("mine.tsv", index=False, sep="\t")
    both = pd.DataFrame({"prediction": PREDICTIONS, "references": REFERENCES})
    both.to_parquet("mine.parquet")
    both.to_json("mine.jsonl", orient="records", lines=True)
    both.to_json("mine.json", orient="records")
    both.to_json("pandas.json")
    keyed = {name: dict(enumerate(both[name])) for name in both}
    keyed["references"] = dict(reversed(keyed["references"].items()))
    objects = (json.dumps(one, indent=2) for one in both.to_dict("records"))
    texts = {
        "objects.jsonl": "\n".join(objects),
        "stated.csv": "sep=;\r\n" + table.to_csv(sep=";", index=False),
        "hyp.txt": "\n".join([*PREDICTIONS, ""]),
        "ref.txt": "\n".join([*FIRST, ""]),
        "ref2.txt": "\n".join([*SECOND, ""]),
        "swapped.txt": "He slept\nRain on the roof\nNobody came today\n",
        "short.txt": "a\nb\n",
        "gap.txt": "a\n\nb\n",
        "gap.csv": "\nprediction,references\na,c\n\nb,d\n\n",
        "gap.tsv": "prediction\treferences\na\tc\n\nb\td\n\n",
        "gap.jsonl": '{"prediction": "a", "gold": "c"}\n\n{"prediction": "b", "gold": "d"}\n\n',
        "empty.txt": "",
        "keyed.json": json.dumps(keyed),
        "columns.json": json.dumps({"prediction": PREDICTIONS, "references": REFERENCES}),
        "key.jsonl": '{"prediction": "a", "references": "b"}\n{"text": "a", "references": "b"}\n',
        "broken.jsonl": '{"prediction": "a", "references": "b"}\n{"prediction"\n',
        "null.jsonl": '{"prediction": null, "references": "b"}\n',
        "list.jsonl": '{"prediction": {"text": "a", "id": "7"}, "references": ["b", 3]}\n',
        "dict.jsonl": '{"prediction": {"text": "a"}, "references": {"text": "b"}}\n',
        "dict.json": '{"prediction": {"text": "a", "id": "7"}, "references": {"text": "b", "id": "8"}}',
        "none.jsonl": '{"prediction": "a", "references": []}\n',
        "surrogate.jsonl": '{"prediction": "\\ud800", "references": "b"}\n',
        "mixed.json": '{"prediction": {"0": "a"}, "references": ["b"]}',
        "unequal.json": '{"prediction": ["a", "b"], "references": ["b"]}',
        "greeting.tsv": 'prediction\treferences\n"Hello"\t"Hi"\n',
        "tabs.csv": 'prediction\treferences\n"Yes he said\tno\nx y"\tx y\nc\td\n',
        "taken.csv": "prediction,ref (1),ref,ref\na,b,c,d\n",
        "wide.csv": "prediction,references\na,b,c\n",
        "again.csv": "prediction,references\na,b\nprediction,references\n",
        "open.csv": 'prediction,references\n"a,b\nc,d\ne,f\n',
        "wrapped.json": '{"data": [{"prediction": "a", "references": "b"}], "n": 1}',
        "old.xls": "\ufffd",
        "mine.csv.bz2": "BZh91AY&SY",
        "ended.txt": "a\nb\n\n",
        "early.txt": "a\n\n",
        "headed.csv": "prediction;references\n",
        "several.jsonl": '{"filtered_resps": ["a", "b"], "target": "b"}\n',
        "filters.jsonl": "".join(
            f'{{"filtered_resps": ["a"], "target": "a", "filter": "{one}"}}\n' for one in "xy"
        ),
        "odd.csv": "a,b\nx,y\n",
        "printed.csv": "prediction,references\na,\"['b', 'c']\"\n",
        "words.txt": "the a\nof",
        "log.eval": "PK",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8", newline="")
    (tmp_path / "bad.parquet").write_bytes(b"PAR1")
    invalid = pa.array([b"a", b"\xff"]).view(pa.string())
    table = pa.table({"prediction": ["a", "b"], "references": invalid})
    pq.write_table(table, tmp_path / "utf8.parquet")
    table = pa.table([["a"]] * 4, names=["prediction", "references", "id", "id"])
    pq.write_table(table, tmp_path / "twice.parquet")
    (tmp_path / "cut.jsonl.gz").write_bytes(gzip.compress(b"x" * 1000)[:-10])
    for name in ("hyp.txt", "mine.jsonl"):
        (tmp_path / f"{name}.gz").write_bytes(gzip.compress((tmp_path / name).read_bytes()))
    return tmp_path


@pytest.fixture
def standard_input(folder, monkeypatch):
    """Make a file the standard input."""

    with ExitStack() as stack:

        def open_file(name):
            file = stack.enter_context(open(name, "rb"))
            stream = stack.enter_context(io.TextIOWrapper(file, encoding="utf-8"))
            monkeypatch.setattr(sys, "stdin", stream)

        yield open_file


@pytest.fixture
def run(folder, capsys):
    """Run a command as in a new process: its exit status, output and errors."""

    def run(*arguments):
        for module in (compare, score):
            vars(module).pop("__warningregistry__", None)  # texts that were shown
        return main(list(map(str, arguments))), *capsys.readouterr()

    return run


@pytest.fixture
def output(run):
    """Run a command that must succeed, with no message but "wrote", and return its output."""

    def output(*arguments):
        status, out, err = run(*arguments)
        assert (status, re.sub("note: wrote .*\n", "", err)) == (0, "")
        return out

    return output


@pytest.fixture
def error(run):
    """Run a command that must fail, and return its error."""

    def error(*arguments):
        status, out, err = run(*arguments)
        assert (status, out, err[:7], err.count("\n")) == (2, "", "error: ", 1)
        return err[7:-1]

    return error
