"""Command lines of mteval and multi-bleu as presets, against the output of the scripts."""

import re
import shlex

import numpy as np
import pytest

from helpers.published import texts, values_of_group
from rouge_bleu import bleu

RANKS = "references by rank, a missing one repeats the first"
N_RANKS = 4


def by_rank():
    """Each item with as many references: the first one again if one is missing."""
    data = texts()
    data["references"] = [(own + own[:1] * N_RANKS)[:N_RANKS] for own in data["references"]]
    return data


def data_of(name):
    if name.endswith("first reference"):
        return texts(first=True)
    return by_rank() if RANKS in name else texts()  # empty segments count for nothing


MT = values_of_group("mt")
OF_MTEVAL = [name for name in MT if name.startswith("mteval")]
OF_MULTI_BLEU = [name for name in MT if name.startswith("multi-bleu")]


def line_of_mteval(name):
    script, rest = name.split(" ", 1)
    flags = rest.removeprefix("(e2e-metrics) ").partition(",")[0]
    return f"{'mteval-v14.pl' if 'v14' in script else 'mteval-v13a.pl'} {flags}"


@pytest.mark.parametrize("name", OF_MTEVAL)
def test_mteval(name):
    """Corpora and segments, to the twelve decimals that were printed."""
    line = line_of_mteval(name)
    corpus = bleu(**data_of(name), preset=line)
    assert corpus["bleu"] == pytest.approx(MT[name]["BLEU"], abs=1e-12)
    items = bleu(**data_of(name), preset=line, use_aggregator=False)["bleu"]
    np.testing.assert_allclose(items, list(MT[name]["segment_BLEU"].values()), atol=1e-12)


@pytest.mark.parametrize("name", OF_MULTI_BLEU)
def test_multi_bleu(name):
    line = re.match(r"multi-bleu\S* ?(-lc)?", name)[0]
    found = bleu(**data_of(name), preset=line)
    numbers = re.findall(r"\d+\.?\d*", MT[name]["digits"])
    ours = [100 * found["bleu"], *(100 * p for p in found["precisions"])]
    ours += [found["brevity_penalty"], found["length_ratio"]]
    ours += [found["translation_length"], found["reference_length"]]
    np.testing.assert_allclose(ours, list(map(float, numbers)), atol=1e-10)


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
        ("mteval-v14.pl -e", "-e of mteval-v14.pl needs --international-tokenization"),
        (
            "mteval-v13a.pl --brevity-penalty average",
            "--brevity-penalty of mteval-v13a.pl must be closest or shortest, got 'average'",
        ),
    ],
)
def test_an_unknown_flag_is_named(line, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        bleu(**texts(), preset=line)


def test_only_ascii_is_lowercased_and_blank():
    """Perl's lc of bytes leaves É, and a no-break space is no space to it."""
    data = {"predictions": ["ÉTÉ X\u00a0y"], "references": ["été x\u00a0y"]}
    found = bleu(**data, preset="multi-bleu.perl -lc", max_order=1)
    assert found["precisions"] == [1 / 2]
    found = bleu(**data, preset="mteval-v13a.pl", max_order=1)
    assert found["precisions"] == [2 / 3]


def test_no_script_is_no_line():
    for line in ("multi-bleu", shlex.quote("x 'y"), "'"):
        with pytest.raises(ValueError, match="preset"):
            bleu(**texts(), preset=line)
