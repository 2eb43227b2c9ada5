"""Command lines of ROUGE-1.5.5.pl as presets: their meaning, and errors.

The output of the script for its lines is in test_rouge155.py.
"""

import dataclasses
import math
import warnings

import evaluate
import numpy as np
import pytest

from helpers.repository import ROOT
from rouge_bleu import explain_rouge
from rouge_bleu._rouge.options import RougeOptions
from rouge_bleu.options import checked_options
from rouge_bleu.presets.rouge155.command_line import options_of_rouge155_command

NAMES = [one.name for one in dataclasses.fields(RougeOptions) if one.init and one.name != "preset"]


def options_of(line, **beside):
    return checked_options(RougeOptions, {"preset": line, **beside})


def values_of(line, **beside):
    """Return the options that differ from their default, without the preset itself."""
    values = vars(options_of(line, **beside))
    return {name: values[name] for name in NAMES if values[name] != getattr(RougeOptions, name)}


# --- meaning of a line ----------------------------------------------------------------------------

# What every line means unless its options say otherwise.
ALWAYS = {
    **{"rouge_types": ["rougeL"], "tokenizer": "rouge-1.5.5", "multi_reference": "pooled"},
    **{"output": "all", "confidence_level": 0.95},
}
TYPES_OF_LINES = {
    **{"-n 2": "rouge1 rouge2 rougeL", "-n 1 -x": "rouge1", "-w 1.20 -x": "rougeW-1.20"},
    **{"-x -w .5": "rougeW-0.5", "-x -w +2.": "rougeW-2", "-2 4": "rougeL rougeS4"},
    **{"-2 0 -u": "rougeL rougeSU0", "-2 -1 -U": "rougeL rougeS* rougeSU*"},
    "-n 100 -x": " ".join(f"rouge{order}" for order in range(1, 101)),
    # As the script reads them: joined, several flags behind one dash.
    **{"-n2": "rouge1 rouge2 rougeL", "-axn2": "rouge1 rouge2", "-2-1": "rougeL rougeS*"},
    "-n 1 -a -- -n": "rouge1 rougeL",
    # As a shell reads them, and as pages print them.
    **{
        "-n '1' -e \"my data\"": "rouge1 rougeL",
        "\u2013n 1 \u22122 \u22121": "rouge1 rougeL rougeS*",
    },
}
MEANINGS = {
    **{line: {"rouge_types": types.split()} for line, types in TYPES_OF_LINES.items()},
    **{line: {} for line in ("", "-n 0", "-f b", "-l 0", "-z SEE -edata")},
    "-d -v -a -e data -z SPL settings.xml system": {},
    "-f B": {"multi_reference": None},  # "best", which is the default
    **{"-p 0": {"beta": math.inf}, "-p 1": {"beta": 0.0}, "-p .2": {"beta": 2.0}},
    "-t 1": {"corpus_average": "tokens"},
    "-t 2 -c 90 -r 10": {"corpus_average": "counts", "confidence_level": None},
    "-c 99.9": {"confidence_level": 0.999},
    # The largest values: one more is an error of BAD_LINES.
    **{"-b 2147483647": {"max_bytes": 2147483647}, "-l 2147483647": {"max_words": 2147483647}},
    **{"-r 1000000": {"n_resamples": 1_000_000}, "-b 665": {"max_bytes": 665}},
    "-l 9 -l 100": {"max_words": 100},  # the last of several
    "-x -n 1 \\\n  -l 9": {"rouge_types": ["rouge1"], "max_words": 9},
}


@pytest.mark.parametrize("options", MEANINGS)
def test_meaning(options):
    expected = {**ALWAYS, **MEANINGS[options]}
    expected = {name: value for name, value in expected.items() if value is not None}
    assert values_of(f"ROUGE-1.5.5.pl {options}") == expected


@pytest.mark.parametrize(
    "script",
    [
        *("ROUGE-1.5.5.pl", "rouge-1.5.5", "ROUGE-1.5.5", "rouge-1.5.5.PL", "./ROUGE-1.5.5.pl"),
        *("/opt/RELEASE-1.5.5/ROUGE-1.5.5.pl", "C:\\rouge\\ROUGE-1.5.5.pl", "perl ROUGE-1.5.5.pl"),
        *("/usr/bin/perl ~/rouge/ROUGE-1.5.5.pl", "'my files/ROUGE-1.5.5.pl'"),
    ],
)
def test_names_of_the_script(script):
    assert values_of(f"{script} -n 1 -m", stemmer=str.strip)["rouge_types"] == ["rouge1", "rougeL"]


def test_texts_that_are_no_line():
    """The name of the script without .pl is the preset of that name; with it, it is ROUGE-L."""
    for text in ("", "rouge_score", "rouge-1.5.5", "ROUGE-1.5.5", "perl", "it's", "-", "pyrouge"):
        assert options_of_rouge155_command(text) is None
    assert values_of("ROUGE-1.5.5.pl") == values_of("perl ROUGE-1.5.5.pl") == ALWAYS


# --- errors ---------------------------------------------------------------------------------------

# What follows the name of the script, and names in the error.
BAD_LINES = {
    **{"-3 HM": "-3", "-M": "-M", "-aH": "-H", "-n 2 -q": "-q", "--n 2": "--", "-n 1 -a-n 2": "--"},
    **{"-a -n": "-n", "-n 2.5": "-n", "-n 1001": "at most 1000", "-n " + "9" * 5000: "-n"},
    **{"-2 -U": "-2", "-w 0": "-w", "-w 20.1": "-w", "-p 1.1": "-p", "-c 100": "-c", "-c 0": "-c"},
    **{"-r 1000001": "at most 1000000", "-r 0": "-r", "-l -1": "-l"},
    **{"-b 2147483648": "at most 2147483647", "-l 100 -b 665": "-l and -b", "-z ISI": "SPL or SEE"},
    **{"-t 1x": "0, 1 or 2", "-t 3": "0, 1 or 2", "-n 1 -a- -n": "--"},
    **{"-x -u -n 0": "no score", "-n 2 set.xml -m": "'-m'", "-e 'data": "quotation mark"},
    "-e my data set.xml sys": "'data', 'set.xml', 'sys'",
}


@pytest.mark.parametrize("options", BAD_LINES, ids=lambda options: options[:40])
def test_bad_lines(options):
    with pytest.raises(ValueError, match=r"^preset: ") as raised:
        options_of(f"ROUGE-1.5.5.pl {options}")
    assert BAD_LINES[options] in str(raised.value)


# --- options beside a line ------------------------------------------------------------------------

PAIRS = {
    "predictions": ["the cat sat on a mat", "a dog ran home", "the geese went"],
    "references": [["the cat sat on the mat", "a cat"], ["dogs run home"], ["a goose goes"]],
}
LINE = "ROUGE-1.5.5.pl -n 1 -x -c 95 -r 100 -l 3"
IN_OPTIONS = {"preset": "rouge-1.5.5", "rouge_types": ["rouge1"], "max_words": 3}
BOUNDS = {"confidence_level": 0.95, "n_resamples": 100}
PLAIN = {"preset": "rouge-1.5.5", "rouge_types": ["rouge1"], "confidence_level": 0.95}
BESIDE = [
    {"rouge_types": ["rougeL", "rougeSU4"], "output": "recall", "max_words": 2},
    *({"max_words": None, "n_resamples": 7}, {"confidence_level": None}),
    {"multi_reference": "best", "beta": 2.0, "tokenizer": "whitespace"},
    {"document_order": "string", "stopwords": ["the"]},
]


@pytest.mark.parametrize("given", BESIDE)
def test_what_is_given_beside_a_line_wins(rouge_full, given):
    result = rouge_full.compute(**PAIRS, preset=LINE, **given)
    assert result == rouge_full.compute(**PAIRS, **{**IN_OPTIONS, **BOUNDS, **given})


WITHOUT_BOUNDS = [
    ("", {}, {"use_aggregator": False}),
    ("", {}, {"use_aggregator": np.False_}),
    ("", {}, {"corpus_average": "counts"}),
    (" -t 1", {"corpus_average": "tokens"}, {"use_aggregator": False}),
]


@pytest.mark.parametrize(("end", "of_end", "given"), WITHOUT_BOUNDS)
def test_bounds_of_a_line_give_way_where_there_are_none(rouge_full, end, of_end, given):
    result = rouge_full.compute(**PAIRS, preset=LINE + end, **given)
    assert not any(key.endswith(("_low", "_high")) for key in result)
    assert result == rouge_full.compute(**PAIRS, **IN_OPTIONS, **of_end, **given)
    with pytest.raises(ValueError, match=r"^confidence_level has no effect"):  # if they are given
        rouge_full.compute(**PAIRS, preset=LINE + end, confidence_level=0.9, **given)


# --- -c, -m and -s --------------------------------------------------------------------------------

STEMMED = "ROUGE-1.5.5.pl -n 1 -x -m"


@pytest.fixture
def caught():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield caught


def test_m_without_exceptions_is_one_warning(rouge_full, caught):
    """In the name of the line that calls, and not at load; none with a stemmer."""
    evaluate.load(str(ROOT / "rouge_full.py"), STEMMED)
    assert caught == []
    result = rouge_full.compute(**PAIRS, preset=STEMMED)
    for stemmer in ("rouge-1.5.5", rouge_full.rouge155_stemmer()):
        assert result == rouge_full.compute(**PAIRS, preset=STEMMED, stemmer=stemmer)
    (one,) = caught
    assert str(one.message).startswith("-m is stemming without WordNet's exception lists")
    assert one.filename == __file__


def test_use_stemmer_beside_m(rouge_full):
    """What is given wins: False is no stemmer, True that of NLTK, which is a warning."""
    texts = {"predictions": ["he runs the dogs"], "references": ["they run a dog"]}
    result = rouge_full.compute(**texts, preset=STEMMED, use_stemmer=False)
    assert result == rouge_full.compute(**texts, **PLAIN)
    # The last of load, preset and call decides which stemmer is used.
    path = str(ROOT / "rouge_full.py")
    loaded = evaluate.load(path, stemmer="rouge-1.5.5")
    assert loaded.compute(**texts, preset=STEMMED, use_stemmer=False) == result
    for use_stemmer in (False, True):
        loaded = evaluate.load(path, use_stemmer=use_stemmer)
        with pytest.warns(UserWarning, match="^-m is stemming"):
            found = loaded.compute(**texts, preset=STEMMED)
        # "run" and "dog" of 4 words each; without stems no word.
        assert found["rouge1_fmeasure"] == 0.5 > result["rouge1_fmeasure"]
    found = []
    for options in ({"preset": STEMMED}, PLAIN):
        with pytest.warns(UserWarning, match="^use_stemmer=True is NLTK's Porter stemmer"):
            found.append(rouge_full.compute(**texts, **options, use_stemmer=True))
    assert found[0] == found[1] != result


@pytest.mark.parametrize("level", ["0.95", ".5"])
def test_a_level_below_one_percent_is_one_warning(rouge_full, level, caught):
    """The script takes it as it stands: `ROUGE-1.5.5.pl -c 0.95` prints (0.95%-conf.int. ...)."""
    line = f"ROUGE-1.5.5.pl -n 1 -x -c {level}"
    found = rouge_full.compute(**PAIRS, preset=line)
    expected = {**PLAIN, "confidence_level": float(level) / 100}
    assert found == rouge_full.compute(**PAIRS, **expected)
    rouge_full.compute(**PAIRS, preset="ROUGE-1.5.5.pl -n 1 -x -c 1")
    rouge_full.compute(**PAIRS, preset=line, use_aggregator=False)
    (one,) = caught
    assert str(one.message).startswith(f"the confidence level is {float(level):g} %: -c ")
    assert one.filename == __file__


def test_s_needs_stopwords(rouge_full):
    line = "ROUGE-1.5.5.pl -n 1 -x -s"
    with pytest.raises(ValueError, match="stopwords must be given with preset="):
        rouge_full.compute(**PAIRS, preset=line)
    for stopwords in ([], ["the", "a"]):
        result = rouge_full.compute(**PAIRS, preset=line, stopwords=stopwords)
        assert result == rouge_full.compute(**PAIRS, stopwords=stopwords, **PLAIN)


def test_explanations_take_a_line():
    """-t is about a corpus; the stem of "Cats" is "cat", which -l 2 leaves in the last reference."""
    texts = "The Cats sat.", ["a dog", "a cat sat", "the cat"]
    line = "ROUGE-1.5.5.pl -n 2 -m -l 2 -f B -p 0.2 -t 1 -c 90 -r 7 -a"
    options = {"preset": "rouge-1.5.5", "max_words": 2, "beta": 2}
    options["rouge_types"] = ["rouge1", "rouge2", "rougeL"]
    options |= {"multi_reference": "best", "stemmer": "rouge-1.5.5"}
    found = explain_rouge(*texts, preset=line, stemmer="rouge-1.5.5")
    assert found == explain_rouge(*texts, **options)
    assert [of_type["chosen"] for of_type in found.values()] == [2, 2, 2]
