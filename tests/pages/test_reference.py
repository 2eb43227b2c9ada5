"""The reference pages agree with the code.

Their examples are run by `test_examples.py`.
"""

import math
import re
import runpy

import pytest

from helpers.reference import REFERENCE, code_of, options_of, rows_below
from helpers.repository import ROOT
from rouge_bleu import bleu
from rouge_bleu._bleu.options import BleuOptions
from rouge_bleu._bleu.smoothing import SMOOTHINGS
from rouge_bleu._rouge.options import RougeOptions
from rouge_bleu._rouge.rules import MULTI_REFERENCES
from rouge_bleu.text.tokenizers import TOKENIZER_NAMES


def test_tables_of_options_and_presets_are_those_of_the_code():
    """If not, run `python tests/programs/option_lists.py`."""
    program = runpy.run_path(str(ROOT / "tests" / "programs" / "option_lists.py"))
    assert program["written"](REFERENCE["options"]) == REFERENCE["options"]
    assert program["with_presets"](REFERENCE["presets"]) == REFERENCE["presets"]


NAMES_OF_PAGES = {
    "presets": [*RougeOptions.presets, *BleuOptions.presets],
    "rouge-types": MULTI_REFERENCES,
    "smoothing": SMOOTHINGS,
    "tokenizers": TOKENIZER_NAMES,
}


@pytest.mark.parametrize("page", NAMES_OF_PAGES)
def test_pages_have_every_name(page):
    written = REFERENCE[page].replace('"`', "`").replace('`"', "`")
    assert [name for name in NAMES_OF_PAGES[page] if f"`{name}`" not in written] == []


@pytest.mark.parametrize("row", rows_below("Lines of other programs", REFERENCE["signatures"]))
def test_lines_of_other_programs(row):
    line = code_of(row[0])[0].replace("\\|", "|")
    pairs = ["A &quot;Cat&quot; sat\u2014on the mat"], ["a cat sat\u2014on a mat"]
    assert bleu(*pairs, preset=line) == bleu(*pairs, **options_of(row[1]))


PERL_OPTIONS = rows_below("Options", REFERENCE["rouge-1.5.5"])


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
