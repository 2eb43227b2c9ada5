"""The metric cards and the reference pages are complete, and agree with the code.

Their examples are run by `test_examples.py`.
"""

import math
import re
import runpy

import pytest

from helpers.reference import CARDS, REFERENCE, code_of, items_below, options_of, rows_below
from helpers.repository import ROOT
from rouge_bleu import bleu, rouge
from rouge_bleu._bleu.options import BleuOptions
from rouge_bleu._bleu.smoothing import SMOOTHINGS
from rouge_bleu._rouge.counting import DEFAULT_ROUGE_TYPES, FAMILIES, measure_of_name
from rouge_bleu._rouge.options import RougeOptions
from rouge_bleu._rouge.scores import MULTI_REFERENCES
from rouge_bleu.text.stemming import STEMMER_NAMES
from rouge_bleu.text.tokenizers import TOKENIZER_NAMES

OPTIONS = {"rouge_full": RougeOptions, "bleu_full": BleuOptions}


def test_cards_have_inputs_and_links_that_there_are(metric):
    """And the docstring has every option and preset."""
    name, options, text = metric.name, OPTIONS[metric.name], metric.inputs_description
    inputs = {item.split("**")[1] for item in items_below("Inputs", CARDS[name])}
    assert {"predictions", "references"} < inputs
    assert inputs <= {"predictions", "references", *options.declarations()}
    links = re.findall(r"https://github\.com/your-name/rouge-bleu/blob/main/([^)#]*)", CARDS[name])
    assert links
    assert all((ROOT / link).is_file() for link in links)
    assert [one for one in options.declarations() if not re.search(rf"\b{one}\b.*: ", text)] == []
    assert [one for one in options.presets if one not in text] == []


def test_tables_of_options_are_those_of_the_declarations():
    """If not, run `python tests/programs/option_lists.py`."""
    written = runpy.run_path(str(ROOT / "tests" / "programs" / "option_lists.py"))["written"]
    assert written(REFERENCE["options"]) == REFERENCE["options"]


def test_pages_have_every_type_tokenizer_stemmer_and_smoothing():
    rows = rows_below("ROUGE types", REFERENCE["rouge-types"])
    names = [name for row in rows for name in code_of(row[0])]
    assert tuple(dict.fromkeys(measure_of_name(name).family for name in names)) == FAMILIES
    default = re.search(r"Without `rouge_types`, .*", REFERENCE["rouge-types"])[0]
    assert tuple(code_of(default)[1 : 1 + len(DEFAULT_ROUGE_TYPES)]) == DEFAULT_ROUGE_TYPES
    items = items_below("Several references", REFERENCE["rouge-types"])
    assert {code_of(item)[0].strip('"') for item in items} == set(MULTI_REFERENCES)
    page = REFERENCE["tokenizers"]
    items = items_below("Tokenizers and stemmers", page)
    assert sorted(code for item in items for code in code_of(item)) == sorted(TOKENIZER_NAMES)
    stemmers = page.partition("\n## Stemmers\n")[2].partition("\n## ")[0]
    assert [name for name in STEMMER_NAMES if name.removeprefix("xlsum-") not in stemmers] == []
    rows = rows_below("Methods", REFERENCE["smoothing"])
    assert [code_of(row[0])[0] for row in rows] == list(SMOOTHINGS)


@pytest.mark.parametrize(("heading", "name"), [("ROUGE", "rouge_full"), ("BLEU", "bleu_full")])
def test_every_preset(heading, name):
    rows = rows_below(heading, REFERENCE["presets"])
    assert [code_of(row[0])[0] for row in rows] == list(OPTIONS[name].presets)
    notes = [code for item in items_below(heading, REFERENCE["presets"]) for code in code_of(item)]
    assert set(notes) <= set(OPTIONS[name].presets)


@pytest.mark.parametrize("row", rows_below("Lines of other programs", REFERENCE["signatures"]))
def test_lines_of_other_programs(row):
    line = code_of(row[0])[0].replace("\\|", "|")
    pairs = ["A &quot;Cat&quot; sat\u2014on the mat"], ["a cat sat\u2014on a mat"]
    assert bleu(*pairs, preset=line) == bleu(*pairs, **options_of(row[1]))


def test_the_parts_of_signatures():
    """Those of lines with every option are on the page, and no others."""
    pair = {"predictions": ["a b"], "references": ["a b"], "signature": True}
    drawn = {"confidence_level": 0.9, "baseline_predictions": ["a"]}
    changed = {"stopwords": ["x"], "output": "all", "beta": 2, "max_words": 9, "max_bytes": 9}
    changed |= {"sentence_splitter": "sentences", "cross_sentences": False, "summary_lcs": "best"}
    changed |= {"zero_division": math.nan, "use_stemmer": True}
    script = {"corpus_average": "tokens", "document_order": "string"}
    lines = [
        rouge(**pair, **drawn, **changed),
        rouge(**pair, preset="rouge-1.5.5", **script),
        rouge(**pair, preset="xlsum", language="german"),
        bleu(**pair, **drawn, weights=[1], effective_order=True),
    ]
    parts = {part.partition(":")[0] for one in lines for part in one["signature"].split("|")[2:]}
    items = items_below("Signatures", REFERENCE["signatures"])
    assert {code for item in items for code in code_of(item)} == parts | {"draws"}


PERL_OPTIONS = rows_below("Options", REFERENCE["rouge-1.5.5"])


def test_the_table_of_the_perl_script_has_every_option():
    """Those that its usage text names, except -h."""
    codes = [code for cell, _ in PERL_OPTIONS for code in code_of(cell)]
    flags = {flag for code in codes for flag in re.findall(r"-[a-zA-Z0-9]\b", code)}
    assert flags - {"-1"} == {f"-{letter}" for letter in "abcdeflmMnprstuUvwxz23"}


def test_options_beside_the_preset_are_accepted(rouge_full):
    """Each expression for an option goes with the preset, and each type is one."""
    pairs = {"predictions": ["a b c d"], "references": [["a b c", "a d"]]}
    names = {"rouge": rouge_full, "exceptions": {"went": "go"}, "math": math}
    for _, here in PERL_OPTIONS:
        for code in code_of(here):
            if re.fullmatch(r"[a-z_]+=.*", code) and "..." not in code:
                given = eval(f"dict({code})", names)
            elif re.fullmatch('"rouge.*"', code):
                given = {"rouge_types": [code.strip('"')], "output": "recall"}
            else:
                continue
            assert rouge_full.compute(**pairs, **{"preset": "rouge-1.5.5", **given})
