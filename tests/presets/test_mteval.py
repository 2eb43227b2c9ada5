"""Command lines of mteval and multi-bleu as presets, and preset "t2t".

What the programs printed for corpora is in tests/test_recorded.py.
"""

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
        ("mteval-v13a.pl -x", "mteval-v13a.pl: option -x not recognized"),
        ("mteval-v13a.pl -c x", "mteval-v13a.pl: word 'x' not recognized"),
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
