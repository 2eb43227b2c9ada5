"""examples/metric_arguments.py: options that take several values, and names of metrics."""

import argparse
import dataclasses

import pytest
import score_on_spark

from rouge_bleu_tools.commands.inputs.arguments import (
    METRICS,
    add_interval_options,
    add_metric_options,
    errors_of_metric,
    load_metric,
    with_file_first,
)
from rouge_bleu_tools.commands.inputs.errors import FileError


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("--rouge-types rouge1 a.csv", "a.csv --rouge-types rouge1"),
        (
            "--rouge-types rouge1 rougeW-1.5 rouge2 A.JSONL",
            "A.JSONL --rouge-types rouge1 rougeW-1.5 rouge2",
        ),
        ("--json --weights 1 0.5 a.parquet", "a.parquet --json --weights 1 0.5"),
        ("--weights 1 a.csv --json", "a.csv --weights 1 --json"),
        ("a.csv --rouge-types rouge1", "a.csv --rouge-types rouge1"),
        ("--preset a.csv", "--preset a.csv"),
        ("--rouge-t rouge1 a.csv", "a.csv --rouge-t rouge1"),
        ("--systems a.csv b.csv", "--systems a.csv b.csv"),
        ("--rouge-types rouge1 --tokenizer a.csv", "--rouge-types rouge1 --tokenizer a.csv"),
    ],
)
def test_the_file_behind_an_option_of_several_values(arguments, expected):
    assert with_file_first(arguments.split()) == expected.split()


def test_a_file_of_another_kind_is_a_file_too(tmp_path, monkeypatch):
    """It is refused as a file, and not as a type."""
    monkeypatch.chdir(tmp_path)
    for name in ("texts.txt", "rouge1", "rougeW-1.5"):
        (tmp_path / name).write_text("a")
    assert with_file_first(["--rouge-types", "rouge1", "texts.txt"])[0] == "texts.txt"
    types = ["--rouge-types", "rouge1", "rougeW-1.5", "b" * 5000 + ".x"]
    assert with_file_first(types) == types


def test_every_option_is_one_of_a_metric(rouge_full, bleu_full):
    parser = argparse.ArgumentParser()
    names = add_interval_options(parser) | add_metric_options(parser)
    fields = {
        field.name
        for metric in (rouge_full, bleu_full)
        for field in dataclasses.fields(metric.options_class)
    }
    assert names
    assert names <= fields


def test_no_option_is_given_by_itself():
    parser = argparse.ArgumentParser()
    add_interval_options(parser)
    add_metric_options(parser)
    assert vars(parser.parse_args([])) == {}


def test_the_data_of_spark_behind_options():
    arguments = "--id-column id --confidence-level 0.9 --rouge-types rouge1 rougeL data.parquet"
    namespace, options = score_on_spark.parsed(arguments.split())
    assert (namespace.data, namespace.id_column) == ("data.parquet", "id")
    types = ["rouge1", "rougeL"]
    assert options == {"confidence_level": 0.9, "rouge_types": types, "signature": True}


def error_of_loading(name):
    with pytest.raises(FileError) as error:
        load_metric(name)
    return str(error.value)


def test_names_that_are_none(tmp_path):
    expected = f"--metric must be {' or '.join(METRICS)}, or the path of the script of one of them"
    assert error_of_loading("") == f"{expected}, got ''"
    assert error_of_loading("a" * 5000) == f"{expected}, got {'a' * 5000!r}"
    assert error_of_loading("a" * 5000 + ".py").endswith("a.py: there is no such file")


def test_a_script_that_does_not_run(tmp_path):
    script = tmp_path / "rouge_full.py"
    script.write_text("1 / 0\n")
    expected = f"cannot load {str(script)!r}: ZeroDivisionError: division by zero"
    assert error_of_loading(str(script)) == expected


def test_a_metric_that_refuses(rouge_full):
    with (
        pytest.raises(FileError, match=r"^rouge_full: tokenizer must be "),
        errors_of_metric(rouge_full),
    ):
        rouge_full.compute(predictions=["a"], references=["a"], tokenizer="words")
