"""What the metric cards say is so.

Their tables are those of the docstrings and of the options that there are; their
sections are those of evaluate's template. Their examples are run by `test_readme.py`.
"""

import dataclasses
import math
import re

from helpers.cards import CARDS, ROUGE_CARD, code_of, rows_below
from helpers.pages import BLOCK, without_blocks
from helpers.repository import ROOT
from helpers.rouge.rouge155_script import GOLDEN
from rouge_bleu._bleu.options import BleuOptions
from rouge_bleu._rouge.options import RougeOptions
from rouge_bleu._rouge.scores import MULTI_REFERENCES
from rouge_bleu._rouge.types import DEFAULT_ROUGE_TYPES, FAMILIES, measure_of_name
from rouge_bleu.signature import _INFORMATION, _all_parts
from rouge_bleu.text.tokenizers import TOKENIZER_NAMES

OPTIONS = {"rouge_full": RougeOptions, "bleu_full": BleuOptions}

# The template of evaluate 0.4.6, templates/{{ cookiecutter.module_slug }}/README.md; of
# the sections below the first two levels, those that it has.
SECTIONS = """## Metric Description
## How to Use
### Inputs
### Output Values
#### Values from Popular Papers
### Examples
## Limitations and Bias
## Citation
## Further References""".splitlines()


# --- the card and the docstring say the same ----------------------------------------

OPTION = re.compile(r"(\w+) \((.+), default (.+)\)")

# A section of the docstring, and the heading of the card below which its table stands.
HEADING_OF_SECTION = {
    "Types": "Metric Description",
    "Smoothings": "Smoothing",
    "Tokenizers": "Tokenizers",
    "Presets": "Presets",
}


def without_markup(cell):
    """Return the plain text of a cell: no bold, no backticks, links by their text."""
    return re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", cell).replace("**", "").replace("`", "")


def sections_of(docstring):
    """Return the entries of each section of a docstring: name -> text on one line."""
    sections = {}
    for line in docstring.splitlines():
        if match := re.match(r"([A-Z]\w+)(?::$|, for )", line):
            sections[match[1]] = entries = {}
        elif re.match(r" {4}[^ >]", line):
            name, _, text = line.strip().partition(": ")
            entries[name] = text
        elif re.match(r" {8}", line) and entries:
            entries[name] += " " + line.strip()
    return sections


def options_of_docstring(metric):
    """Return the default and the meaning of each option, in their order."""
    entries = sections_of(metric.inputs_description)["Args"].items()
    options = [(OPTION.fullmatch(name), text) for name, text in entries]
    return {match[1]: (match[3], text) for match, text in options if match}


def test_sections_of_both(metric):
    """Those of the docstring are all compared below, or run by doctest; both begin alike."""
    sections = {"Tokenizers", "Presets", "Args", "Returns", "Raises", "Examples"}
    sections.add("Types" if metric.name == "rouge_full" else "Smoothings")
    assert set(sections_of(metric.inputs_description)) == sections
    card = CARDS[metric.name]
    words = card.split("## Metric Description")[1].split()[:13]
    assert metric.description.split()[:13] == words
    assert [text for kind, text in BLOCK.findall(card) if kind == "bibtex"] == [metric.citation]


def test_options_are_those_of_the_docstring(metric):
    """Names, defaults and meanings, in the order of the options themselves."""
    described = options_of_docstring(metric)
    fields = dataclasses.fields(metric.options_class)
    defaults = {field.name: repr(field.default) for field in fields}
    assert {option: default for option, (default, _) in described.items()} == defaults
    table = rows_below("Inputs", CARDS[metric.name])
    rows = [[without_markup(cell) for cell in row] for row in table]
    assert rows == [[option, *entry] for option, entry in described.items()]
    assert [row[0] for row in rows] == list(defaults)


def test_tables_are_those_of_the_docstring(metric):
    sections = sections_of(metric.inputs_description)
    for section in HEADING_OF_SECTION.keys() & sections.keys():
        rows = rows_below(HEADING_OF_SECTION[section], CARDS[metric.name])
        entries = [*map(list, sections[section].items())]
        assert [[*map(without_markup, row[:2])] for row in rows] == entries


def test_parts_of_the_signature_are_those_of_its_table(metric):
    """Each with its options."""
    rows = rows_below("Signature", CARDS[metric.name])
    parts = {part.name: part.options for part in _all_parts(metric.options_class)}
    for name, (option, _) in metric.options_class.declarations().items():
        if option.sign is not None:
            parts[option.sign] = (name,)
    named = [name for row in rows for name in code_of(row[0])]
    assert set(named) == {*parts, *_INFORMATION}
    options = [option for name in named for option in parts.get(name, ())]
    assert [option for row in rows for option in code_of(row[1])] == options


def test_sections_are_those_of_the_template(name):
    text = without_blocks(CARDS[name])
    title, *headings = re.findall(r"^#{1,4} .*$", text, re.MULTILINE)
    assert title == f"# Metric Card for {name}"
    found = [one for one in headings if one in SECTIONS or one.startswith("## ")]
    assert found == SECTIONS
    assert all((ROOT / file).is_file() for file in re.findall(r"`(tests/[^`]*)`", text))


# --- tables -------------------------------------------------------------------------


def test_values_of_options_in_the_table_are_accepted(rouge_full):
    """Every choice in quotes is one of its option, and none is missing."""
    choices = {
        "output": ["fmeasure", "precision", "recall", "all"],
        "multi_reference": list(MULTI_REFERENCES),
        "sentence_splitter": ["newline", "sentences"],
        "summary_lcs": ["union", "best"],
        "corpus_average": ["documents", "tokens", "counts"],
        "document_order": ["input", "string"],
    }
    meaning_of = {option.strip("*"): meaning for option, _, meaning in rows_below("Inputs")}
    pairs = {"predictions": ["a b"], "references": ["a b"]}
    for option, expected in choices.items():
        quoted = [code.strip('"') for code in code_of(meaning_of[option]) if code[0] == '"']
        assert quoted == expected
        of_perl = option in ("corpus_average", "document_order")
        pairs["preset"] = "rouge-1.5.5" if of_perl else None
        pairs["rouge_types"] = ["rougeLsum" if option == "summary_lcs" else "rouge1"]
        for choice in expected:
            assert rouge_full.compute(**pairs, **{option: choice})


def test_the_table_of_types_has_every_family():
    (default,) = (row[2] for row in rows_below("Inputs") if row[0] == "**rouge_types**")
    assert tuple(code_of(default)[1:]) == DEFAULT_ROUGE_TYPES
    cells = [cell for cell, _ in rows_below("Metric Description")]
    names = [name for cell in cells for name in code_of(cell)]
    families = [measure_of_name(name).family for name in names]
    assert tuple(dict.fromkeys(families)) == FAMILIES


def test_tables_have_all_tokenizers_and_presets(name):
    rows = rows_below("Tokenizers", CARDS[name])
    tokenizers = [code for row in rows for code in code_of(row[0])]
    assert sorted(tokenizers) == sorted(TOKENIZER_NAMES)
    presets = [code_of(row[0])[0] for row in rows_below("Presets", CARDS[name])]
    assert presets == list(OPTIONS[name].presets)
    assert len(TOKENIZER_NAMES) > 20
    assert "| more than twenty tokenizers, functions, " in CARDS[name]


def test_the_table_of_the_perl_script_has_every_option():
    """Those that its usage text names, but for -h."""
    cells = [cell for cell, _ in rows_below("The Perl script")]
    codes = [code for cell in cells for code in code_of(cell)]
    flags = {flag for code in codes for flag in re.findall(r"-[a-zA-Z0-9]\b", code)}
    assert flags - {"-1"} == {f"-{letter}" for letter in "abcdeflmMnprstuUvwxz23"}


def test_what_the_table_of_the_perl_script_says_is_accepted(rouge_full):
    """Each expression for an option goes with the preset, and each type is one."""
    pairs = {"predictions": ["a b c d"], "references": [["a b c", "a d"]]}
    names = {"rouge": rouge_full, "exceptions": {"went": "go"}, "math": math}
    for _, here in rows_below("The Perl script"):
        for code in code_of(here):
            if re.fullmatch(r"[a-z_]+=.*", code) and "..." not in code:
                given = eval(f"dict({code})", names)
            elif re.fullmatch('"rouge.*"', code):
                given = {"rouge_types": [code.strip('"')], "output": "recall"}
            else:
                continue
            assert rouge_full.compute(**pairs, **{"preset": "rouge-1.5.5", **given})


def test_counts_of_golden_runs():
    n_compared = len([case for case in GOLDEN["cases"] if "expected" in case])
    assert f"compares\n{n_compared} of its runs" in ROUGE_CARD
