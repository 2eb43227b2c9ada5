"""rouge-bleu explain: marks in a terminal and elsewhere, and JSON."""

import json
import sys

import pytest

import rouge_bleu
from helpers.programs import printed, refusal, run_here
from rouge_bleu_tools.commands.explain.main import main
from rouge_bleu_tools.commands.explain.marked import in_brackets, marked

TEXTS = ["the cat sat on a mat", "the cat sat on the mat"]


@pytest.fixture
def explain(capsys):
    return run_here(main, capsys)


def test_words_of_rouge(explain):
    """5 of 6 words, 3 of 5 bigrams: DESIGN's example of ROUGE-N."""
    out = printed(explain(*TEXTS, "--rouge-types", "rouge1", "rouge2"))
    assert out.splitlines() == [
        "rouge1  precision 0.8333  recall 0.8333  F 0.8333",
        "  prediction   [the] [cat] [sat] [on] a [mat]",
        "  reference    [the] [cat] [sat] [on] the [mat]",
        "",
        "rouge2  precision 0.6000  recall 0.6000  F 0.6000",
        "  prediction   [the] [cat] [sat] [on] a mat",
        "  reference    [the] [cat] [sat] [on] the mat",
    ]


def test_several_references(explain):
    """With another choice none of them counts alone."""
    given = ["a b", "a c", "a b", "--rouge-types", "rouge1"]
    assert "*" not in explain(*given, "--multi-reference", "average")[1]
    assert explain(*given)[1].splitlines() == [
        "rouge1  precision 1.0000  recall 1.0000  F 1.0000",
        "  prediction   [a] b",
        "  reference 1  [a] c  precision 0.5000  recall 0.5000  F 0.5000",
        "  prediction   [a] [b]",
        "  reference 2  [a] [b]  * precision 1.0000  recall 1.0000  F 1.0000",
        "",
        "* the reference whose scores count",
    ]


def test_words_of_bleu(explain):
    out = explain("a b c", "a b d", "-m", "bleu", "--max-order", "2")[1]
    assert out.splitlines() == [
        "bleu 0.5774  brevity penalty 1.0000",
        "3 words of the prediction, 3 of the reference",
        "",
        "1-grams  2 of 3 match  precision 0.6667",
        "  prediction   [a] [b] c",
        "  reference    [a] [b] d",
        "",
        "2-grams  1 of 2 match  precision 0.5000",
        "  prediction   [a] [b] c",
        "  reference    [a] [b] d",
    ]


def test_json(explain):
    types = ["--rouge-types", "rouge1", "rougeSU4"]
    out = explain(*TEXTS, *types, "--json")[1]
    assert json.loads(out) == rouge_bleu.explain_rouge(*TEXTS, rouge_types=types[1:])
    both = json.loads(explain(*TEXTS, "-m", "rouge", "bleu", "--json")[1])
    assert both["bleu_full"] == rouge_bleu.explain_bleu(*TEXTS)


def test_colour_in_a_terminal_that_may_have_it(explain, monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr(type(sys.stdout), "isatty", lambda stream: True)
    given = ["a \x1b[2J", "a b", "--rouge-types", "rouge1"]
    out = explain(*given)[1]
    assert "\x1b[1;32ma\x1b[0m b" in out
    assert "\x1b[2J" not in out  # of the text, which may not steer the terminal
    monkeypatch.setenv("NO_COLOR", "1")
    assert "[a] b" in explain(*given)[1]


def test_marks():
    spans = [[4, 7], [0, 1], None, [4, 7], [6, 8]]
    assert marked("a\n  cats ", spans, in_brackets) == "[a]\\n  [cat][s] "


def test_what_cannot_be_explained(explain):
    said = refusal(explain("a", "b", "--rouge-types", "x"))
    assert said.startswith("rouge_full: --rouge-types[0] must be ")


def test_a_file_in_place_of_a_text(explain, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hyp.txt").write_text("the cat")
    code, out, err = explain("hyp.txt", "", "--rouge-types", "rouge1")
    note = "note: 'hyp.txt' is a file; what is explained is its name, as a text\n"
    assert (code, err) == (0, note)
    assert "hyp.txt" in out


def test_texts_without_quotes(explain):
    """A word that is not ASCII may be a text in a script without blanks."""
    note = "note: these are 4 texts of one word each; a text of several words stands in quotes\n"
    for line in ("a|cat|a|cat", "a cat|a|cat|a", "a|cat", "weiß|a|b|c"):
        said = explain(*line.split("|"), "--rouge-types", "rouge1")[2]
        assert said.startswith(note) == (line == "a|cat|a|cat")
