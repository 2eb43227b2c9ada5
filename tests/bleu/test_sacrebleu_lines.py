"""Signatures of sacreBLEU as presets, and in `options_of_signature`."""

import re
import warnings

import pytest
import sacrebleu

from helpers.published import ITEMS, texts
from rouge_bleu import bleu, rouge

FIRST = texts(first=True)


def score_of(peer):
    streams = [[own[0] for own in FIRST["references"]]]
    return peer.corpus_score(FIRST["predictions"], streams).score


@pytest.mark.parametrize(
    ("line", "options"),
    [
        ("nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.0.0", {}),
        (
            "BLEU|nrefs:var|case:lc|eff:yes|tok:intl|smooth:floor[0.10]|version:2.6.0",
            {
                **{"lowercase": True, "tokenize": "intl"},
                **{"smooth_method": "floor", "effective_order": True},
            },
        ),
        (
            "#:1|c:lc|e:no|tok:char|s:add-k[2.00]|v:2.3.1 = 27.3 60.0/30.0 (BP = 1.000)",
            {
                **{"lowercase": True, "tokenize": "char"},
                **{"smooth_method": "add-k", "smooth_value": 2},
            },
        ),
        (
            "nrefs:var|case:mixed|eff:no|tok:none|smooth:none|test:wmt17|lang:en-de|version:2.4.0",
            {"tokenize": "none", "smooth_method": "none", "force": True},
        ),
        ("BLEU+case.mixed+numrefs.1+smooth.exp+tok.13a+version.1.4.2", {}),
        # As it is copied from a page.
        ("nrefs:1 | case:mixed |eff:no\n| tok:13a | smooth:exp | version:2.0.0", {}),
        (
            "BLEU+case.lc+lang.en-de+numrefs.1+smooth.none+test.wmt14/full+tok.intl+version.1.2.12",
            {"lowercase": True, "tokenize": "intl", "smooth_method": "none"},
        ),
    ],
)
def test_scores_are_those_of_sacrebleu(bleu_full, line, options):
    expected = pytest.approx(score_of(sacrebleu.BLEU(**options)) / 100, rel=1e-9)
    assert bleu(**FIRST, preset=line)["bleu"] == expected
    restored = bleu_full.options_of_signature(line)
    assert restored["preset"] == "sacrebleu"
    assert bleu(**FIRST, **restored)["bleu"] == expected


OLD_INTL = "BLEU+case.mixed+numrefs.1+smooth.exp+tok.intl+version.1.5.1"
NEW_INTL = "nrefs:1|case:mixed|eff:no|tok:intl|smooth:exp|version:2.0.0"


# What corpus_bleu([prediction], [[reference]], force=True, tokenize="intl").score is in the
# releases 1.2.10, 1.4.2 and 1.5.1, which agree, and in 2.0.0.
@pytest.mark.parametrize(
    ("prediction", "reference", "before_2", "since_2"),
    [
        ("it is 10 m².", "it is 10 m² .", 100.00000000000004, 46.30777161991026),
        ("a b c \\d", "a b c \\ d", 46.30777161991026, 100.00000000000004),
        ("It was in 1990.\n", "It was in 1990.", 100.00000000000004, 100.00000000000004),
    ],
)
def test_intl_before_2(bleu_full, prediction, reference, before_2, since_2):
    """Numbers were decimal digits, the backslash no mark; also from the line that is printed."""
    item = {"predictions": [prediction], "references": [reference]}
    for line, expected in ((OLD_INTL, before_2), (NEW_INTL, since_2)):
        result = bleu(**item, preset=line, signature=True)
        assert result["bleu"] == pytest.approx(expected / 100, rel=1e-12)
        for signature in (line, result["signature"]):
            restored = bleu_full.options_of_signature(signature)
            assert bleu(**item, **restored)["bleu"] == result["bleu"]


@pytest.mark.parametrize("lowercase", [True, False])
@pytest.mark.parametrize("smoothing", ["exp", "none", "floor", "add-k"])
def test_each_signature_of_the_package_is_read(smoothing, lowercase):
    """All that its metric prints, in short and in full, comes back as it was."""
    metric = sacrebleu.BLEU(smooth_method=smoothing, lowercase=lowercase)
    expected = pytest.approx(score_of(metric) / 100, rel=1e-9)
    for short in (True, False):
        line = metric.get_signature().format(short=short)
        assert bleu(**FIRST, preset=line)["bleu"] == expected


def test_resamples_make_an_interval(bleu_full):
    """sacreBLEU's --confidence writes bs and seed: its bounds are of 95 %."""
    line = "nrefs:var|bs:300|seed:12345|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"
    options = bleu_full.options_of_signature(line)
    found = [options[name] for name in ("confidence_level", "n_resamples", "seed")]
    assert found == [0.95, 300, 12345]
    assert {"bleu_low", "bleu_high"} < set(bleu(**texts(ITEMS[:5]), preset=line))
    of_items = bleu(**texts(ITEMS[:5]), preset=line, use_aggregator=False)
    assert "bleu_low" not in of_items  # bs has no effect there


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("nrefs:1|case:upper|tok:13a|version:2.0.0", "part 'case' with value 'upper'"),
        ("nrefs:1|nc:6|nw:0|space:no|version:2.0.0", "part 'nc'"),
        (
            "nrefs:1|smoth:exp|version:2.0.0",
            "Did you mean 'smooth'",
        ),
        ("BLEU+case.mixed+smooth.floor+tok.13a+version.1.4.2", "the value of smooth.floor"),
        ("nrefs:1|case:mixed|eff:no|tok:14b|smooth:exp|version:2.0.0", "tokenizer must be"),
        ("nrefs:1|case:lc|eff:no|tok:intl", "sacreBLEU has no smooth:"),
        ("BLEU|\x23:1|c:lc|e:no", "sacreBLEU has no tok and no smooth:"),
    ],
)
def test_what_is_not_known_is_named(bleu_full, line, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        bleu(**FIRST, preset=line)
    with pytest.raises(ValueError, match=re.escape(message)):
        bleu_full.options_of_signature(line)


@pytest.mark.parametrize(("said", "has_warning"), [("1", False), ("2", True), ("var", False)])
def test_a_signature_of_another_number_of_references(said, has_warning):
    """Of the most that an item has; the score is as it was."""
    line = f"nrefs:{said}|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"
    with warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("always")
        assert bleu(**FIRST, preset=line) == bleu(**FIRST, preset="sacrebleu")
    assert [f"nrefs:{said}" in str(one.message) for one in shown] == [True] * has_warning


def test_a_line_of_bleu_full_is_no_signature_of_sacrebleu(bleu_full):
    line = bleu(**FIRST, signature=True)["signature"]
    assert bleu_full.options_of_signature(line)["preset"] is None
    with pytest.raises(ValueError, match="preset must be"):
        bleu(**FIRST, preset=line)
    for function in (bleu, rouge):
        with pytest.raises(ValueError, match="preset must be"):
            function(**FIRST, preset="tok:13a|smooth:exp")
