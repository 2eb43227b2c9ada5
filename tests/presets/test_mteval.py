"""Command lines of mteval and multi-bleu as presets, and what descends from mteval: presets "t2t"
and "pymteval". What the programs printed for corpora is in test_recorded.py.
"""

import math
import re

import pytest

from helpers.published import texts, values
from rouge_bleu import bleu, explain_bleu
from rouge_bleu.text.tokenizers import TOKENIZERS


@pytest.mark.parametrize(
    ("line", "preset"),
    [
        ("mteval-v13a.pl -c -d 2", "mteval-v13a.pl"),
        ("perl /x/mteval-v14.pl -c -r ref.sgm -s src.sgm -t tst.sgm", "mteval-v13a.pl"),
        ("mteval-v13a.pl --no-smoothing -c", "mteval-v13a.pl"),
        ("mteval-v13a.pl --brevity-penalty shortest", "mteval-v13a.pl"),
        ("multi-bleu.perl -lc ref < hyp", "multi-bleu.perl"),
        ("multi-bleu-detok.perl", "none"),
    ],
)
def test_signatures_have_the_preset_and_its_options(bleu_full, line, preset):
    """And not the line."""
    signed = bleu(**texts(), preset=line, signature=True)
    assert f"|preset:{preset}|" in signed["signature"]
    options = bleu_full.options_of_signature(signed["signature"])
    assert bleu(**texts(), **options, signature=True) == signed


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("mteval-v13a.pl -x", "unknown flag '-x' of mteval-v13a.pl"),
        ("multi-bleu.perl -lc -n 4", "unknown flag '-n' of multi-bleu.perl"),
        ("mteval-v14.pl -e", "--international-tokenization"),
        ("mteval-v13a.pl --brevity-penalty average", "--brevity-penalty"),
        *(("multi-bleu", "preset"), ('"x \'y"', "preset"), ("'", "preset")),
    ],
)
def test_other_lines_are_refused(line, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        bleu(**texts(), preset=line)


# What the scripts print for one segment, with 15 digits. Perl's lc of bytes leaves É, and a no-break
# space is no space to it. In international tokens entities are written out before letters become
# small, one by one.
INTERNATIONAL = "mteval-v13a.pl --international-tokenization"


@pytest.mark.parametrize(
    ("line", "max_order", "prediction", "reference", "expected"),
    [
        ("mteval-v13a.pl", 4, "", "", 0.0),
        ("mteval-v13a.pl -c", 4, "", "a", 0.0),
        (
            INTERNATIONAL,
            4,
            "a b c d &AMP; e",
            "a b c d & e",
            (6 / 8 * 4 / 7 * 3 / 6 * 2 / 5) ** 0.25,
        ),
        (f"{INTERNATIONAL} -c", 4, "<skipped> the cat sat down", "the cat sat down", 1.0),
        (INTERNATIONAL, 4, "ΟΔΟΣ b c d e", "οδοσ b c d e", 1.0),
        (INTERNATIONAL, 4, "ΟΔΟΣ b c d e", "οδος b c d e", (4 / 5 * 3 / 4 * 2 / 3 * 1 / 2) ** 0.25),
        ("multi-bleu.perl -lc", 1, "ÉTÉ X\u00a0y", "été x\u00a0y", 1 / 2),
        ("mteval-v13a.pl", 1, "ÉTÉ X\u00a0y", "été x\u00a0y", 2 / 3),
    ],
)
def test_segments(line, max_order, prediction, reference, expected):
    options = {"preset": line, "max_order": max_order}
    found = bleu([prediction], [reference], **options, use_aggregator=False)["bleu"]
    assert found == [pytest.approx(expected, abs=5e-6)]
    explained = explain_bleu(prediction, reference, **options)["bleu"]
    assert explained == pytest.approx(expected, abs=5e-6)


# --- t2t ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("edge", values("edges: international tokens"))
def test_tokens_of_t2t(edge):
    assert TOKENIZERS["t2t"].words_of_text(edge["text"], False) == edge["t2t"]
    if "&" not in edge["text"]:
        words = TOKENIZERS["intl-entities"].words_of_text(edge["text"], False)
        assert words == edge["sacrebleu"]


def test_entities_of_international_tokens():
    cut = TOKENIZERS["intl-entities"].words_of_text
    assert cut("Q&amp;A &quot;x&apos;", False) == ["Q", "&", "A", '"', "x", "'"]


def test_nothing_against_nothing_is_0_in_t2t():
    """Its geometric mean is 0 if the highest precision is."""
    assert bleu([""], [""], preset="t2t")["bleu"] == 0.0


# --- pymteval, the stand-in of e2e-metrics --------------------------------------------------------

PYMTEVAL = {"preset": "pymteval"}


def test_a_short_text_takes_ngrams_off():
    """Three words and one have 2 + 0 pairs, and 1 - 1 trigrams, of which 1 matches."""
    short = ["a b c", "a"]
    found = bleu(short, short, **PYMTEVAL, weights={"two": [0, 1], "three": [0, 0, 1]})
    assert (found["two"], found["three"]) == (1, pytest.approx(1 / 1e-9))
    orders = explain_bleu("a", "a", **PYMTEVAL, max_order=6)["orders"]
    assert [one["total"] for one in orders] == [1, 0, -1, -2, -3, -4]


def test_an_empty_text_has_an_empty_word():
    found = bleu(["", "x"], ["", ""], **PYMTEVAL)
    assert (found["translation_length"], found["reference_length"]) == (2, 2)
    assert found["precisions"][0] == 1 / 2
    assert explain_bleu("", "", **PYMTEVAL)["orders"][0]["prediction_spans"] == [None]


def test_no_tokens_on_either_side():
    """`append([], [[]])` takes 1e-5 for a length of 0, in a quotient alone: 1 - 0 / 1e-5.

    4 precisions of 1e-15 / 1e-9, and the penalty exp(1), by hand.
    """
    found = bleu([[]], [[[]]], **PYMTEVAL)
    assert found["brevity_penalty"] == pytest.approx(math.e, rel=1e-15)
    assert found["bleu"] == pytest.approx(math.e * 1e-6, rel=1e-12)
    lengths = [([], ["a"], 0), (["a"], [], 1), (["a"], ["a"], 1), (["a", "b"], ["a"], 1)]
    for prediction, reference, penalty in lengths:
        found = bleu([prediction, ["a"]], [[reference], [["a"]]], **PYMTEVAL, use_aggregator=False)
        assert found["brevity_penalty"] == [penalty, 1]


def test_a_hyphen_at_the_end_joins_nothing():
    r"""Trailing line ends are not stripped first, so "word-\n" is "word"."""
    found = bleu(["a b c word-\n"], ["a b c word"], **PYMTEVAL)
    assert found["bleu"] == pytest.approx(1, abs=1e-8)
