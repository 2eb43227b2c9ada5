"""What the metric cards say is so: their examples, and their tables against the options, tokenizers, presets and types that there are.

`evaluate.load` of a bare name means the metric of this folder here.
"""

import dataclasses
import doctest
import math
import re
from types import SimpleNamespace

import evaluate
import pytest
from full_metrics.rouge_options import DEFAULT_ROUGE_TYPES, Measure, RougeOptions
from full_metrics.tokenization import TOKENIZER_NAMES

from conftest import ROOT
from test_rouge155 import STEMMED, UNSTEMMED

CARDS = {path.stem: path.read_text(encoding="utf-8") for path in sorted((ROOT / "metric_cards").glob("*.md"))}
ROUGE_CARD = CARDS["rouge_full"]
PYTHON_BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)

# Sections of the template of `evaluate`, in their order.
SECTIONS = ["Metric Description", "Intended Uses", "How to Use", "Inputs", "Output Values", "Values from Popular Papers", "Examples"]
SECTIONS += ["Limitations and Bias", "Citation", "Further References"]


def rows_below(heading, card=ROUGE_CARD):
    """Return the cells of the rows of the first table below a heading."""
    section = re.split(rf"^#+ {re.escape(heading)}$", card, maxsplit=1, flags=re.MULTILINE)[1]
    table = re.search(r"^\|.*\n\| ---.*\n((?:^\|.*\n)+)", section, re.MULTILINE)[1]
    return [[cell.strip() for cell in line.strip("| \n").split(" | ")] for line in table.splitlines()]


def code_of(cell):
    """Return what stands in backticks in a cell."""
    return re.findall("`([^`]*)`", cell)


# --- examples --------------------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", CARDS)
def test_examples(name):
    """Each block goes on where the one before it ended."""
    local = SimpleNamespace(load=lambda metric: evaluate.load(str(ROOT / f"{metric}.py")))
    blocks = "".join(PYTHON_BLOCK.findall(CARDS[name])).replace(">>> import evaluate\n", "")
    test = doctest.DocTestParser().get_doctest(blocks, {"evaluate": local}, name, None, None)
    report = []
    results = doctest.DocTestRunner().run(test, out=report.append)
    assert results.failed == 0, "".join(report)
    assert results.attempted > 5


@pytest.mark.parametrize("name", CARDS)
def test_examples_are_in_python_blocks(name):
    """An example anywhere else would not be run."""
    assert ">>>" not in PYTHON_BLOCK.sub("", CARDS[name])


# --- sections and links ----------------------------------------------------------------------------------------------


def test_sections():
    headings = re.findall(r"^#+ (.*)$", ROUGE_CARD, re.MULTILINE)
    assert headings[0] == "Metric Card for rouge_full"
    assert [heading for heading in headings if heading in SECTIONS] == SECTIONS


@pytest.mark.parametrize("name", CARDS)
def test_links_within_a_card_lead_somewhere(name):
    headings = re.findall(r"^#+ (.*)$", CARDS[name], re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-") for heading in headings}
    assert set(re.findall(r"\]\(#([^)]*)\)", CARDS[name])) <= anchors


def test_files_that_the_card_names_are_there():
    for file in re.findall(r"`(tests/[^`]*)`", ROUGE_CARD):
        assert (ROOT / file).is_file()


def test_the_citation_is_that_of_the_metric(rouge_full):
    assert re.search(r"^```bibtex\n(.*?)^```$", ROUGE_CARD, re.MULTILINE | re.DOTALL)[1] == rouge_full.citation


# --- tables ----------------------------------------------------------------------------------------------------------


def test_the_table_of_options_has_all_of_them_with_their_defaults():
    options = [(option.strip("*"), code_of(default)[0]) for option, default, *_ in rows_below("Inputs")]
    assert options == [(field.name, repr(field.default)) for field in dataclasses.fields(RougeOptions)]


def test_values_of_options_in_the_table_are_accepted(rouge_full):
    """Every choice in quotes is one of its option, and none is missing."""
    choices = {
        "output": ["fmeasure", "precision", "recall", "all"],
        "multi_reference": ["best", "average", "pooled", "jackknife"],
        "sentence_splitter": ["newline", "sentences"],
        "corpus_average": ["documents", "tokens", "counts"],
        "document_order": ["input", "string"],
    }
    meaning_of = {option.strip("*"): meaning for option, _, meaning in rows_below("Inputs")}
    for option, expected in choices.items():
        assert [text.strip('"') for text in code_of(meaning_of[option]) if text.startswith('"')] == expected
        preset = {"preset": "rouge-1.5.5"} if option in ("corpus_average", "document_order") else {}
        for choice in expected:
            assert rouge_full.compute(predictions=["a b"], references=["a b"], rouge_types=["rouge1"], **{option: choice}, **preset)


def test_the_default_types():
    meaning = next(meaning for option, _, meaning in rows_below("Inputs") if option == "**rouge_types**")
    assert tuple(code_of(meaning)[1:]) == DEFAULT_ROUGE_TYPES


def test_the_table_of_types_has_every_family():
    names = [name for cell, _ in rows_below("Metric Description") for name in code_of(cell)]
    families = [Measure.of_name(name).family for name in names]
    assert list(dict.fromkeys(families)) == ["N", "L", "Lsum", "W", "S", "SU"]


def test_the_table_of_tokenizers_has_all_of_them():
    assert sorted(name for cell, _ in rows_below("Tokenizers") for name in code_of(cell)) == sorted(TOKENIZER_NAMES)


def test_the_table_of_presets_has_all_of_them():
    assert [code_of(cell)[0] for cell, *_ in rows_below("Presets")] == list(RougeOptions.presets)


def test_the_table_of_the_perl_script_has_every_option():
    """Those that its usage text names, but for -h."""
    flags = {flag for cell, _ in rows_below("The Perl script") for text in code_of(cell) for flag in re.findall(r"-[a-zA-Z0-9]\b", text)}
    assert flags - {"-1"} == {f"-{letter}" for letter in "abcdeflmMnprstuUvwxz23"}


def test_what_the_table_of_the_perl_script_says_is_accepted(rouge_full):
    """Each Python expression for an option can be given beside the preset, and each type is one."""
    options = {"predictions": ["a b c d"], "references": [["a b c", "a d"]], "preset": "rouge-1.5.5"}
    names = {"rouge": rouge_full, "exceptions": {"went": "go"}, "math": math}
    for _, here in rows_below("The Perl script"):
        for code in code_of(here):
            if re.fullmatch(r"[a-z_]+=.*", code) and "..." not in code:
                given = eval(f"dict({code})", names)
                assert rouge_full.compute(**options, **given)
            elif re.fullmatch('"rouge.*"', code):
                assert rouge_full.compute(**options, rouge_types=[code.strip('"')], output="recall")


def test_counts_of_golden_runs():
    n_compared = len([case for case in UNSTEMMED if "expected" in case]) + len(STEMMED)
    assert f"compares\n{n_compared} of its runs" in ROUGE_CARD
