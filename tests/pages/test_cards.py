"""What the metric cards say is so.

Their tables are those of the docstrings and of the options that there are; their
sections are those of evaluate's template. Their examples are run by `test_readme.py`.
"""

import dataclasses
import math
import re

import pytest

from helpers.cards import CARDS, ROUGE_CARD, code_of, rows_below
from helpers.repository import ROOT
from helpers.rouge.perl import GOLDEN
from rouge_bleu.bleu.options import BleuOptions
from rouge_bleu.rouge.families.table import DEFAULT_ROUGE_TYPES, FAMILIES, measure_of_name
from rouge_bleu.rouge.options.checked import RougeOptions
from rouge_bleu.text.tokenizers import TOKENIZER_NAMES

OPTIONS = {"rouge_full": RougeOptions, "bleu_full": BleuOptions}

# The template of evaluate 0.4.6, templates/{{ cookiecutter.module_slug }}/README.md; of
# the sections below the first two levels, those that it has.
SECTIONS = {
    "Metric Description": [],
    "How to Use": ["Inputs", "Output Values", "Values from Popular Papers", "Examples"],
    "Limitations and Bias": [],
    "Citation": [],
    "Further References": [],
}


def headings_of(card, level):
    text = re.sub(r"^```(?s:.*?)^```$", "", card, flags=re.MULTILINE)
    return re.findall(rf"^{'#' * level} (.*)$", text, re.MULTILINE)


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


@pytest.mark.parametrize("name", CARDS)
def test_both_begin_with_the_same_words(name, request):
    words = CARDS[name].split("## Metric Description")[1].split()[:13]
    assert words[1] == "compares"
    assert request.getfixturevalue(name).description.split()[:13] == words


@pytest.mark.parametrize("name", CARDS)
def test_options_are_those_of_the_docstring(name, request):
    """Names, defaults and meanings, in the order of the options themselves."""
    described = options_of_docstring(request.getfixturevalue(name))
    fields = dataclasses.fields(OPTIONS[name])
    defaults = {field.name: repr(field.default) for field in fields}
    assert {option: default for option, (default, _) in described.items()} == defaults
    rows = [[without_markup(cell) for cell in row] for row in rows_below("Inputs", CARDS[name])]
    assert rows == [[option, *entry] for option, entry in described.items()]
    assert [row[0] for row in rows] == list(defaults)


@pytest.mark.parametrize(
    ("name", "section"),
    [
        ("rouge_full", "Types"),
        ("bleu_full", "Smoothings"),
        *((name, section) for name in CARDS for section in ("Tokenizers", "Presets")),
    ],
)
def test_tables_are_those_of_the_docstring(name, section, request):
    entries = sections_of(request.getfixturevalue(name).inputs_description)[section]
    rows = rows_below(HEADING_OF_SECTION[section], CARDS[name])
    assert [[*map(without_markup, row[:2])] for row in rows] == [*map(list, entries.items())]


@pytest.mark.parametrize("name", CARDS)
def test_parts_of_the_signature_are_those_of_its_table(name, request):
    """Each with its options, in the order of the line."""
    described = [(code_of(row[0]), code_of(row[1])) for row in rows_below("Signature", CARDS[name])]
    parts = request.getfixturevalue(name).scorer.signature_parts
    assert [part for names, _ in described for part in names] == [part.name for part in parts]
    assert [option for _, options in described for option in options] == [
        option for part in parts for option in part.options
    ]


@pytest.mark.parametrize("name", CARDS)
def test_no_section_of_the_docstring_is_left_out(name, request):
    sections = sections_of(request.getfixturevalue(name).inputs_description)
    compared = {"Types"} if name == "rouge_full" else {"Smoothings"}
    compared |= {"Tokenizers", "Presets", "Args"}
    assert set(sections) == compared | {"Returns", "Raises", "Examples"}


def test_a_difference_in_words_is_found():
    """What `without_markup` takes away is markup only."""
    assert without_markup('**a** | `"b"`: [c d](#e), *f*') == 'a | "b": c d, *f*'


# --- sections and links -------------------------------------------------------------


@pytest.mark.parametrize("name", CARDS)
def test_sections(name):
    card = CARDS[name]
    assert headings_of(card, 1) == [f"Metric Card for {name}"]
    assert headings_of(card, 2) == list(SECTIONS)
    for section, expected in SECTIONS.items():
        text = card.split(f"\n## {section}\n")[1].split("\n## ")[0]
        headings = headings_of(text, 3) + headings_of(text, 4)
        in_order = re.findall(r"^#{3,4} (.*)$", text, re.MULTILINE)
        assert set(expected) <= set(headings)
        assert [heading for heading in in_order if heading in expected] == expected


@pytest.mark.parametrize("name", CARDS)
def test_files_that_the_card_names_are_there(name):
    for file in re.findall(r"`(tests/[^`]*)`", CARDS[name]):
        assert (ROOT / file).is_file()


@pytest.mark.parametrize("name", ["rouge_full", "bleu_full"])
def test_limitations_know_of_intervals_and_tests(name):
    """They once said that there are none, of scores that have both."""
    text = (ROOT / "metric_cards" / f"{name}.md").read_text(encoding="utf-8")
    limitations = text.partition("## Limitations and Bias")[2].partition("\n## ")[0]
    (line,) = (line for line in limitations.splitlines() if re.search("interval", line, re.I))
    assert "`confidence_level`" in line
    assert "`baseline_predictions`" in line
    assert "test of significance" not in limitations


@pytest.mark.parametrize("name", CARDS)
def test_the_citation_is_that_of_the_metric(name, request):
    citation = re.search(r"^```bibtex\n(?s:(.*?))^```$", CARDS[name], re.MULTILINE)[1]
    assert citation == request.getfixturevalue(name).citation


# --- tables -------------------------------------------------------------------------


def test_values_of_options_in_the_table_are_accepted(rouge_full):
    """Every choice in quotes is one of its option, and none is missing."""
    choices = {
        "output": ["fmeasure", "precision", "recall", "all"],
        "multi_reference": ["best", "average", "pooled", "jackknife", "separate", "recall"],
        "sentence_splitter": ["newline", "sentences"],
        "summary_lcs": ["union", "best"],
        "corpus_average": ["documents", "tokens", "counts"],
        "document_order": ["input", "string"],
    }
    rows = rows_below("Inputs")
    meaning_of = {option.strip("*"): meaning for option, _, meaning in rows}
    pairs = {"predictions": ["a b"], "references": ["a b"], "rouge_types": ["rouge1"]}
    for option, expected in choices.items():
        quoted = [code for code in code_of(meaning_of[option]) if code.startswith('"')]
        assert [code.strip('"') for code in quoted] == expected
        of_perl = option in ("corpus_average", "document_order")
        preset = {"preset": "rouge-1.5.5"} if of_perl else {}
        for choice in expected:
            given = {**pairs, **preset, option: choice}
            # summary_lcs needs its type, all else is fine with any
            given["rouge_types"] = ["rougeLsum" if option == "summary_lcs" else "rouge1"]
            assert rouge_full.compute(**given)


def test_the_default_types():
    rows = rows_below("Inputs")
    meaning = next(row[2] for row in rows if row[0] == "**rouge_types**")
    assert tuple(code_of(meaning)[1:]) == DEFAULT_ROUGE_TYPES


def test_the_table_of_types_has_every_family():
    cells = [cell for cell, _ in rows_below("Metric Description")]
    names = [name for cell in cells for name in code_of(cell)]
    families = [measure_of_name(name).family for name in names]
    assert tuple(dict.fromkeys(families)) == FAMILIES


@pytest.mark.parametrize("name", CARDS)
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


# --- statements ---------------------------------------------------------------------


def test_the_highest_order_is_1000(rouge_full, bleu_full):
    pair = {"predictions": ["a"], "references": ["a"]}
    assert rouge_full.compute(**pair, rouge_types=["rouge1000"]) == {"rouge1000": 0.0}
    with pytest.raises(ValueError, match="at most 1000"):
        rouge_full.compute(**pair, rouge_types=["rouge1001"])
    assert bleu_full.compute(**pair, max_order=1000)["bleu"] == 0.0
    with pytest.raises(ValueError, match="at most 1000"):
        bleu_full.compute(**pair, max_order=1001)


def test_one_error_of_the_perl_script_comes_while_working(rouge_full):
    """A reference without tokens matters to rougeW only."""
    pairs = {"predictions": ["a", "a"], "references": ["a", "..."]}
    options = {"preset": "rouge-1.5.5", "output": "fmeasure"}
    types = ["rouge1", "rougeL", "rougeS4", "rougeSU4"]
    assert rouge_full.compute(**pairs, **options, rouge_types=types)
    with pytest.raises(ValueError, match=r"references\[1\]\[0\] has no tokens"):
        rouge_full.compute(**pairs, **options, rouge_types=["rougeW-1.2"])


def test_a_function_gets_the_text_as_it_is_but_for_lowercase(rouge_full, bleu_full):
    for metric in (rouge_full, bleu_full):
        for lowercase, expected in (({}, "The Cat"), ({"lowercase": True}, "the cat")):
            seen = []

            def tokenize(text, seen=seen):
                seen.append(text)
                return text.split()

            pair = {"predictions": ["The Cat"], "references": ["The Cat"]}
            metric.compute(**pair, tokenizer=tokenize, **lowercase)
            assert set(seen) == {expected}


def test_a_zero_width_joiner_stays_in_its_word(rouge_full):
    pair = {"predictions": ["a\u200d b"], "references": ["a b"]}
    options = {"tokenizer": "unicode", "rouge_types": ["rouge1"]}
    assert rouge_full.compute(**pair, **options) == {"rouge1": 0.5}


@pytest.mark.parametrize("text", ["ꦗꦮꦗꦮ", "ᬩᬮᬶᬩᬮᬶ", "ᨲᩫ᩠ᩅᨾᩮᩬᩥᨦ"])
def test_scripts_that_unicode_cuts_at_punctuation_only(rouge_full, text):
    """Javanese, Balinese and Tai Tham: a text is one word, two with a comma between."""
    pair = {"predictions": [text], "references": [f"{text}, {text}"]}
    options = {"tokenizer": "unicode", "rouge_types": ["rouge1"], "output": "recall"}
    assert rouge_full.compute(**pair, **options) == {"rouge1": 0.5}


@pytest.mark.parametrize("preset", ["rouge_score", "evaluate"])
def test_only_a_function_takes_the_place_of_the_stemmer(rouge_full, preset):
    pair = {"predictions": ["running dogs"], "references": ["run dog"]}
    options = {"preset": preset, "use_stemmer": True, "rouge_types": ["rouge1"]}
    assert rouge_full.compute(**pair, **options, tokenizer="unicode") == {"rouge1": 1.0}
    assert rouge_full.compute(**pair, **options, tokenizer=str.split) == {"rouge1": 0.0}


def test_counts_are_no_scores(rouge_full):
    pair = {"predictions": ["a b c"], "references": ["a b"], "rouge_types": ["rouge1"]}
    result = rouge_full.compute(**pair, preset="rouge-1.5.5", corpus_average="counts")
    totals = {"rouge1_prediction_total": 3, "rouge1_reference_total": 2}
    assert result == {**totals, "rouge1_matches": 2}


N_WORDS = 60_000  # e ** 10 is 22,026: from there ln(c) / (5 * 2) is above 1
# Texts that score above 1; by hand, from the formulas on the card.
ABOVE_1 = {
    "chen-cherry-4": (["a"] * N_WORDS + ["a b c d"], ["a"] * N_WORDS + ["a b c x b c d"]),
    "chen-cherry-5": (["a b c d e"], ["a b c d e"]),
    "chen-cherry-6": (["x"] * 20 + ["a b c d e"], ["z"] * 20 + ["a b c d e"]),
    "chen-cherry-7": (["a b c d e"], ["a b c d e"]),
    "floor": (["a b c x y"], ["a b c z w"]),
}


@pytest.mark.parametrize(("smoothing", "texts"), ABOVE_1.items())
def test_smoothings_that_exceed_1(bleu_full, smoothing, texts):
    predictions, references = texts
    pairs = {"predictions": predictions, "references": references}
    value = {"smoothing_value": 50} if smoothing == "floor" else {}
    assert bleu_full.compute(**pairs, smoothing=smoothing, **value)["bleu"] > 1
    assert bleu_full.compute(**pairs, smoothing="none")["bleu"] <= 1


@pytest.mark.parametrize("name", ["none", "floor", "add-k", "exp"])
def test_smoothings_that_do_not(bleu_full, name):
    for predictions, references in ABOVE_1.values():
        pairs = {"predictions": predictions, "references": references}
        value = {"smoothing_value": 1} if name in ("floor", "add-k") else {}
        assert bleu_full.compute(**pairs, smoothing=name, **value)["bleu"] <= 1


def test_an_order_of_weight_0_is_seen_by_smoothings(bleu_full):
    """Under exp the third order, of weight 0, is the first miss and the fourth the second."""
    pair = {"predictions": ["a b x c d"], "references": ["a b y c d"]}
    with_third = bleu_full.compute(**pair, smoothing="exp", weights=[1, 1, 0, 1])
    # 4 of 5 words, 2 of 4 pairs, no triple among 3, no quadruple among 2
    expected = [4 / 5, 2 / 4, 1 / (2 * 3), 1 / (4 * 2)]
    assert with_third["precisions"] == pytest.approx(expected, rel=1e-15)
    score = (4 / 5 * 2 / 4 * 1 / (4 * 2)) ** (1 / 3)
    assert with_third["bleu"] == pytest.approx(score, rel=1e-12)


def test_effective_order_leaves_nothing_out_under_add_k(bleu_full):
    """A prediction of two words against one of three: orders 3 and 4 count as 1 of 1."""
    pair = {"predictions": ["the cat"], "references": ["the dog sat"]}
    for effective_order in (False, True):
        options = {"smoothing": "add-k", "effective_order": effective_order}
        result = bleu_full.compute(**pair, **options)
        assert result["precisions"] == [0.5, 0.5, 1.0, 1.0]
        penalty = math.exp(1 - 3 / 2)
        assert result["bleu"] == pytest.approx(penalty * 0.25**0.25, rel=1e-12)


def test_where_not_even_a_word_matches(bleu_full):
    pair = {"predictions": ["the cat"], "references": ["a dog"]}
    for row in rows_below("Smoothing", CARDS["bleu_full"]):
        assert bleu_full.compute(**pair, smoothing=code_of(row[0])[0])["bleu"] == 0
    assert bleu_full.compute(**pair, smooth=True)["bleu"] > 0


def test_chen_cherry_4_of_orders_without_ngrams(bleu_full):
    """Two words: no triple and no quadruple, for which ln 2 / (5 * 2 ** j * 1) stands."""
    pair = {"predictions": ["a b"], "references": ["a b"]}
    result = bleu_full.compute(**pair, smoothing="chen-cherry-4")
    expected = [1, 1, math.log(2) / 10, math.log(2) / 20]
    assert result["precisions"] == pytest.approx(expected, rel=1e-15)
