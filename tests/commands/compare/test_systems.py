"""The room `compare` on a comparison made by hand: Holm's correction, page, files, plot."""

import csv
import dataclasses
import json
import math
import re
from xml.etree import ElementTree

import pytest

from rouge_bleu_tools.commands.compare.files import csv_table, json_table, latex, latex_table
from rouge_bleu_tools.commands.compare.page import WIDTH, page
from rouge_bleu_tools.commands.compare.systems import (
    Comparison,
    Design,
    Difference,
    SystemScore,
    holm_p_values,
)
from rouge_bleu_tools.commands.compare.words import UNITS, words_for_paper

PLACES = ["a.txt", "b.txt"]  # of the references
DESIGN = Design(
    confidence_level=0.95,
    n_resamples=1000,
    seed=0,
    paired_test="randomization",
    significance_level=0.05,
    correction="none",
)
SCORE, PERCENT = UNITS["score"], UNITS["percent"]


def score(key, system, value, delta=None, p=None):
    difference = None
    if delta is not None:
        bounds = {"delta_low": delta - 0.1, "delta_high": delta + 0.1}
        tested = {"p_value": p, "corrected_p_value": p, "is_significant": p < 0.05}
        difference = Difference(delta=delta, **bounds, **tested)
    names = {"metric": "bleu_full" if key == "bleu" else "rouge_full", "key": key}
    bounds = {"low": value - 0.05, "high": value + 0.05}
    return SystemScore(**names, system=system, score=value, **bounds, difference=difference)


def comparison_of(systems=("base_line", "a&b", "c"), **changes):
    scores = [
        score("rouge1", systems[0], 0.5),
        score("rouge1", systems[1], 0.6, 0.1, 0.000999),
        score("rouge1", systems[2], 0.25, -0.25, 0.000009),
        score("bleu", systems[0], 0.5),
        score("bleu", systems[1], 0.5, 0.0, 1.0),
        score("bleu", systems[2], math.nan, math.nan, math.nan),
    ]
    fields = {"design": DESIGN, "baseline": systems[0], "others": list(systems[1:])}
    fields |= {"n_items": 1200, "numbers_of_references": (1, 3), "signatures": {}}
    return Comparison(**fields | {"scores": scores} | changes)


# --- Holm's correction ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("p_values", "expected"),
    [
        ([], []),
        ([0.04], [0.04]),
        # 4 * 0.01, 3 * 0.02, 2 * 0.03; 0.04 would fall below the one before it
        ([0.01, 0.02, 0.03, 0.04], [0.04, 0.06, 0.06, 0.06]),
        ([0.9, 0.5, 0.0], [1.0, 1.0, 0.0]),
        ([0.02, math.nan, 0.01], [0.02, math.nan, 0.02]),
    ],
)
def test_holm_by_hand(p_values, expected):
    assert holm_p_values(p_values) == pytest.approx(expected, abs=1e-15, nan_ok=True)


# --- page -------------------------------------------------------------------------------


def test_page():
    """Scores line up, marks stand behind p-values, and what is not defined is said."""
    assert page(comparison_of(), SCORE, PLACES).split("\n\n")[:3] == [
        "1,200 items with 1 to 3 references each (a.txt, b.txt); all compared with base_line",
        """\
            system      score     95 % interval  difference       95 % interval        p
rouge_full
  rouge1    base_line  0.5000  [0.4500, 0.5500]
            a&b        0.6000  [0.5500, 0.6500]     +0.1000  [+0.0000, +0.2000]   0.0010 *
            c          0.2500  [0.2000, 0.3000]     -0.2500  [-0.3500, -0.1500]  <0.0001 *""",
        """\
bleu_full
  bleu      base_line  0.5000  [0.4500, 0.5500]
            a&b        0.5000  [0.4500, 0.5500]     +0.0000  [-0.1000, +0.1000]   1.0000
            c             nan        [nan, nan]         nan          [nan, nan]      nan""",
    ]


def notes_of(n_items=1200, **design):
    found = comparison_of(n_items=n_items, design=dataclasses.replace(DESIGN, **design))
    return page(found, SCORE, PLACES).split("\n\n")[3].replace("\n", " ")


def test_notes_say_how_many_comparisons_there_were():
    assert notes_of() == (
        "* The difference to base_line is significant: p < 0.05 by two-sided paired approximate "
        "randomization (1,000 trials, seed 0). No mark does not mean that the systems are equal. "
        # Of the four differences one is not defined; 3 * 0.05 = 0.15
        "3 comparisons were made: without any difference between the systems 0.15 of them would "
        "be marked on average. --correction holm keeps the chance of even one false mark at 0.05."
    )
    assert notes_of(correction="holm").endswith(
        "3 comparisons were made, and p-values are corrected for their number by Holm's method: "
        "the chance of even one false mark is at most 0.05."
    )
    assert "bootstrap resampling (1,000" in notes_of(paired_test="bootstrap")


def test_notes_say_where_there_are_too_few_resamples():
    """The least p-value is 1 / (n + 1), so three comparisons give at least 3 / 41 = 0.073."""
    assert notes_of(correction="holm", n_resamples=40).endswith(
        "With 3 comparisons and 40 trials no difference can be marked: the smallest corrected p is "
        "0.073 or more. Give --n-resamples 120 or more."
    )
    least = "With 10 trials no difference can be marked: the smallest p is 0.091 or more."
    assert least in notes_of(n_resamples=10)  # 1 / 11
    assert "--n-resamples" not in notes_of(correction="holm", n_resamples=60)  # 3 / 61 < 0.05
    assert "--n-resamples" not in notes_of(n_resamples=40)


def test_notes_say_where_there_are_too_few_items():
    """Of n items that are exchanged or not, 2 of 2 ** n ways differ as much as the two systems."""
    least = "With 5 items hardly any difference can be marked: the smallest p is about 0.062."
    assert least in notes_of(n_items=5)
    assert least in notes_of(n_items=5, n_resamples=10)  # more trials would not help
    assert "can be marked" not in notes_of(n_items=6)  # 1 / 32
    assert "can be marked" not in notes_of(n_items=5, paired_test="bootstrap")


def test_words_for_a_paper():
    assert words_for_paper(comparison_of(), SCORE) == (
        "a&b scores significantly higher than base_line in rouge1 (+0.1000, p = 0.0010), and does "
        "not differ significantly in bleu (p = 1.0000). c scores significantly lower than "
        "base_line in rouge1 (-0.2500, p < 0.0001), and is not compared in bleu, which is not "
        "defined. Scores are those of rouge_full and bleu_full on 1,200 items with 1 to 3 "
        "references each, with 95 % bootstrap intervals (1,000 resamples). Differences were "
        "tested by two-sided paired approximate randomization (1,000 trials, seed 0), without a "
        "correction for 3 comparisons."
    )


def test_signatures_are_printed_once():
    signatures = {"rouge_full": "rouge_full|0.3.0|x", "bleu_full": "bleu_full|0.3.0|y"}
    found = comparison_of(signatures=signatures)
    assert page(found, SCORE, PLACES).endswith(
        "\n\nSignatures:\n  rouge_full|0.3.0|x\n  bleu_full|0.3.0|y"
    )
    words = "Scores are those of rouge_full and bleu_full (signatures below) on 1,200 items"
    assert words in words_for_paper(found, SCORE)
    assert "% rouge_full|0.3.0|x\n% bleu_full|0.3.0|y\n" in latex_table(found, SCORE)


def test_one_system_is_not_compared():
    scores = [score("rouge1", "only", 0.5), score("bleu", "only", 0.25)]
    found = comparison_of(baseline="only", others=[], scores=scores, n_items=1)
    found = dataclasses.replace(found, numbers_of_references=(1, 1))
    title, table, _, words = page(found, SCORE, PLACES).split("\n\n")
    assert title == "1 item with 1 reference each (a.txt, b.txt)"
    assert table.splitlines()[0].split() == ["system", "score", "95", "%", "interval"]
    assert words.replace("\n", " ") == (
        "For a paper: only has rouge1 0.5000 [0.4500, 0.5500] and bleu 0.2500 [0.2000, 0.3000]. "
        "Scores are those of rouge_full and bleu_full on 1 item with 1 reference each, with 95 % "
        "bootstrap intervals (1,000 resamples)."
    )
    table = latex_table(found, SCORE)
    assert "*" not in table
    assert table.count(r"\midrule") == 1


def test_lines_are_no_longer_than_the_page():
    found = comparison_of(systems=("a" * 60 + "1", "a" * 60 + "2", "b" * 70))
    lines = page(found, SCORE, PLACES).splitlines()
    table = lines[: lines.index("") + 11]
    assert max(map(len, table)) <= max(WIDTH, len(table[0]))
    assert any("a…a" in line and "a2 " in line for line in table)
    assert not any("b" * 40 in line for line in table[1:])


def test_names_that_would_be_the_same_when_shortened_stay():
    systems = ("a" * 30 + "1" + "a" * 30, "a" * 30 + "2" + "a" * 30, "c")
    text = page(comparison_of(systems=systems), SCORE, PLACES)
    assert "…" not in text
    assert all(f" {name} " in text for name in systems)


def test_control_characters_do_not_reach_the_page_or_the_table():
    found = comparison_of(systems=("\x1b[31mred", "a\nb", "c"))
    for text in (page(found, SCORE, PLACES), latex_table(found, SCORE)):
        assert not re.search("\x1b|a\nb", text)


# --- files ------------------------------------------------------------------------------


COLUMNS = """metric key system score low high delta delta_low delta_high p_value
    corrected_p_value is_significant""".split()  # which scripts read
ENDS_OF_CSV = ["", " low", " high"]  # behind the name of a score
ENDS_OF_CSV += [" difference", " difference low", " difference high"]
ENDS_OF_CSV += [" p", " corrected p", " significant"]


def test_csv_parses_back():
    found = comparison_of(design=dataclasses.replace(DESIGN, correction="holm"))
    rows = {row["System"]: row for row in csv.DictReader(csv_table(found, PERCENT).splitlines())}
    heads = [f"{name}{end}" for name in ("ROUGE-1", "BLEU") for end in ENDS_OF_CSV]
    assert list(rows) == ["base_line", "a&b", "c"]
    assert all(list(row) == ["System", *heads] for row in rows.values())
    for one in found.scores:
        name = {"rouge1": "ROUGE-1", "bleu": "BLEU"}[one.key]
        cells = [rows[one.system][f"{name}{end}"] for end in ENDS_OF_CSV]
        values = [one.columns()[column] for column in COLUMNS[3:]]
        assert cells == ["" if value is None else str(value) for value in values]
    assert "corrected" not in csv_table(comparison_of(), PERCENT)


def test_json_parses_back():
    found = comparison_of()
    content = json.loads(json_table(found, PERCENT), parse_constant=pytest.fail)
    for row, one in zip(content.pop("scores"), found.scores, strict=True):
        assert list(row) == COLUMNS
        assert row == {name: None if x != x else x for name, x in one.columns().items()}  # no NaN
    expected = dataclasses.asdict(DESIGN) | {"baseline": "base_line", "systems": ["a&b", "c"]}
    expected |= {"n_comparisons": 3, "numbers_of_references": [1, 3]}
    assert {name: content[name] for name in expected} == expected


def test_latex_escapes_what_it_would_read():
    assert latex(r"a_b&c%d$e#f{g}h~i^j\k<l|m") == (
        r"a\_b\&c\%d\$e\#f\{g\}h\textasciitilde{}i\^{}j\textbackslash{}k\textless{}l\textbar{}m"
    )


def test_latex_table():
    lines = latex_table(comparison_of(), PERCENT).splitlines()
    assert r"System & ROUGE-1 & BLEU \\" in lines
    assert lines[lines.index(r"\midrule") + 1] == r"base\_line & 50.00 & 50.00 \\"
    start = lines.index(r"a\&b & 60.00$^{*}$ & 50.00 \\")
    assert lines[start + 1] == (r"& {\scriptsize [55.00, 65.00]} & {\scriptsize [45.00, 55.00]} \\")
    assert r"p \textless{} 0.05 by two-sided paired approximate randomization" in lines[-2]


def test_plot(tmp_path):
    pytest.importorskip("matplotlib", reason="only plots need it")
    from rouge_bleu_tools.commands.compare.plot import write_plot

    paths = [tmp_path / "a.svg", tmp_path / "b.svg"]
    for path in paths:
        write_plot(comparison_of(systems=("base_line", "$x$", "c\x1b")), PERCENT, path)
    assert paths[0].read_bytes() == paths[1].read_bytes()
    nodes = ElementTree.parse(paths[0]).iter()
    texts = [node.text for node in nodes if node.tag.endswith("}text")]
    assert {"rouge1", "bleu", "base_line", "$x$ *", "c\\x1b *", "$x$", "c\\x1b"} <= set(texts)
    assert texts.count("difference to base_line") == 2
