"""Options that take several values, options of the metrics, and names of metrics."""

import argparse
import dataclasses
import errno
import math
import os

import pytest
import score_on_spark

from helpers.errors import error_of
from rouge_bleu._bleu.options import BleuOptions
from rouge_bleu._rouge.options import RougeOptions
from rouge_bleu_tools.commands.inputs.arguments import (
    METRICS,
    add_interval_options,
    add_metric_options,
    errors_of_metric,
    given_options,
    load_metric,
    options_of_metric,
    with_file_first,
)
from rouge_bleu_tools.commands.inputs.errors import FileError
from rouge_bleu_tools.commands.inputs.metrics import metrics_of_names
from rouge_bleu_tools.commands.inputs.options import METRIC_OPTIONS, OPTIONS_SAID_OTHERWISE
from rouge_bleu_tools.commands.inputs.parser import OneLineParser

SWALLOWED = """
--rouge-types rouge1 a.csv                             > a.csv --rouge-types rouge1
--rouge-types rouge1 rougeW-1.5 A.JSONL                > A.JSONL --rouge-types rouge1 rougeW-1.5
--weights 1 a.csv --json                               > a.csv --weights 1 --json
--rouge-t rouge1 a.csv                                 > a.csv --rouge-t rouge1
-m rouge bleu a.csv -r b                               > a.csv -m rouge bleu -r b
-r human_1 human_2 a.csv                               > a.csv -r human_1 human_2
--rouge-types rouge1 texts.txt                         > texts.txt --rouge-types rouge1
"""  # what another kind of file has is refused as a file, and not as a type
NOT_SWALLOWED = """
a.csv --rouge-types rouge1
--preset a.csv
-r ref.txt -m bleu
-m bleu -
--systems a.csv b.csv
--rouge-types rouge1 --tokenizer a.csv
--rouge-types rouge1 rougeW-1.5
"""


def test_the_file_behind_an_option_of_several_values(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("texts.txt", "rouge1", "rougeW-1.5"):
        (tmp_path / name).write_text("a")
    for line in SWALLOWED.strip().splitlines():
        given, _, expected = line.partition(">")
        assert with_file_first(given.split()) == expected.split()
    types = ["--rouge-types", "rouge1", "b" * 5000 + ".x"]
    for given in [types, *map(str.split, NOT_SWALLOWED.splitlines())]:
        assert with_file_first(given) == given


OPTIONS = {"rouge_full": RougeOptions, "bleu_full": BleuOptions}


@pytest.mark.parametrize("metric", OPTIONS)
def test_each_option_of_a_metric_is_one_of_the_command(metric):
    """Those that are true or false are flags."""
    fields = {field.name: str(field.type) for field in dataclasses.fields(OPTIONS[metric])}
    of_command = {name for name, option in METRIC_OPTIONS.items() if metric in option.metrics}
    assert of_command | OPTIONS_SAID_OTHERWISE == fields.keys()
    assert not of_command & OPTIONS_SAID_OTHERWISE
    flags = {name for name in of_command if METRIC_OPTIONS[name].metavar is None}
    assert flags == {name for name in of_command if fields[name].startswith("bool")}


def options_of(*arguments):
    parser = argparse.ArgumentParser()
    names = add_interval_options(parser) | add_metric_options(parser)
    assert names == METRIC_OPTIONS.keys()
    return given_options(parser.parse_args(arguments), names)


def test_values_of_options(tmp_path):
    assert options_of() == {}
    (tmp_path / "words.txt").write_text("the a\nof")
    stopwords = ["--stopwords", str(tmp_path / "words.txt")]
    assert options_of("--no-lowercase", "--use-stemmer", "--beta", "inf", *stopwords) == {
        "lowercase": False,
        "use_stemmer": True,
        "beta": math.inf,
        "stopwords": ["the", "a", "of"],
    }
    assert options_of("--weights", "1", "0.5") == {"weights": [1.0, 0.5]}
    repeated = options_of("--rouge-types", "rouge1", "rougeL", "--rouge-types", "rouge2")
    assert repeated == {"rouge_types": ["rouge1", "rougeL", "rouge2"]}
    named = options_of("--weights", "bleu1=1", "bleu2=1,1")
    assert named == {"weights": {"bleu1": [1.0], "bleu2": [1.0, 1.0]}}
    with pytest.raises(FileError, match=r"^--weights must be numbers, or all of them names"):
        options_of("--weights", "bleu1=1", "2")


def test_words_in_place_of_a_file_of_stop_words(tmp_path):
    parser = OneLineParser()
    add_metric_options(parser)
    for words, why in {"der die das": os.strerror(errno.ENOENT), str(tmp_path): ""}.items():
        kind, said = error_of(parser.parse_args, ["--stopwords", *words.split()])
        assert kind is FileError
        assert said.startswith(
            "argument --stopwords: takes one file, with the words between blanks or in lines, got "
            f"{words.split()[0]!r:.60}: {why}"
        )


def test_stemmers(tmp_path):
    """WordNet's lists have lines of a word and its lemma."""
    assert options_of("--stemmer", "german")["stemmer"] == "german"  # as the metric takes it
    for name in ("adj", "adv", "noun", "verb"):
        (tmp_path / f"{name}.exc").write_text("geese goose\n")
    assert options_of("--exceptions", str(tmp_path))["stemmer"]("geese") == "goose"


def test_the_data_of_spark_behind_options():
    arguments = "--id-column id --confidence-level 0.9 --rouge-types rouge1 rougeL data.parquet"
    namespace, options = score_on_spark.parsed(arguments.split())
    assert (namespace.data, namespace.id_column) == ("data.parquet", "id")
    types = ["rouge1", "rougeL"]
    assert options == {"confidence_level": 0.9, "rouge_types": types, "signature": True}


def test_metrics_that_cannot_be_loaded(tmp_path):
    names = f"{' or '.join(METRICS)}, or the path of the script of one of them, got "
    script, long = tmp_path / "rouge_full.py", "a" * 5000
    script.write_text("1 / 0\n")
    for name, message in {
        "": f"--metric must be {names}''",
        long: f"--metric must be {names}{long!r}",
        f"{long}.py": f"{long}.py: there is no such file",
        str(script): f"cannot load {str(script)!r}: ZeroDivisionError: division by zero",
    }.items():
        kind, said = error_of(load_metric, name)
        assert kind is FileError
        assert said.endswith(message)


def test_a_metric_that_refuses(rouge_full):
    with (
        pytest.raises(FileError, match=r"^rouge_full: --tokenizer must be "),
        errors_of_metric(rouge_full),
    ):
        rouge_full.compute(predictions=["a"], references=["a"], tokenizer="words")


def test_options_of_several_metrics():
    rouge, bleu = metrics = metrics_of_names(["rouge", "bleu_full"])
    given = {"preset": "sacrebleu", "rouge_types": ["rouge1"], "tokenizer": "char"}
    of_rouge = {"rouge_types": ["rouge1"], "tokenizer": "char"}
    assert options_of_metric(rouge, metrics, given) == of_rouge
    assert options_of_metric(bleu, metrics, given) == {"preset": "sacrebleu", "tokenizer": "char"}
    assert options_of_metric(rouge, metrics, {"preset": "none"}) == {"preset": "none"}
    wrong = {"preset": "ROUGE-1.5.5.pl -n x"}  # rouge_full says what is wrong with it
    assert [options_of_metric(one, metrics, wrong) for one in metrics] == [wrong, {}]
    reasons = r"^rouge_full: .* must start with ROUGE-1\.5\.5\.pl.*; bleu_full: .* no flag '-uc'"
    with pytest.raises(FileError, match=reasons):
        options_of_metric(rouge, metrics, {"preset": "multi-bleu.perl -uc"})
    with pytest.raises(
        FileError, match=r"^--rouge-types is no option of bleu_full: add --metric r"
    ):
        options_of_metric(bleu, [bleu], {"rouge_types": ["rouge1"]})
    with pytest.raises(FileError, match=r"^--metric has 'rouge_full' 2 times$"):
        metrics_of_names(["rouge", "rouge_full"])
