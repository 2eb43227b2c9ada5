"""Presets "fairseq" and "ignite", and the numbers of toolkits and benchmarks, against their figures."""

import math

import numpy as np
import pytest

from helpers.published import texts, values
from rouge_bleu import bleu, explain_bleu

FIRST = texts(first=True)


@pytest.mark.parametrize(("name", "lowercase"), [("", False), (" --ignore-case", True)])
def test_fairseq_score(name, lowercase):
    expected = values(f"fairseq-score{name}")
    weights = {f"bleu{n}": [1] * n for n in (1, 2, 3, 4)}
    found = bleu(**FIRST, preset="fairseq", lowercase=lowercase, weights=weights)
    ours = [100 * found[one] for one in weights]
    np.testing.assert_allclose(ours, expected["BLEU_order_1..4"], rtol=1e-12)
    lengths = [found["translation_length"], found["reference_length"]]
    assert lengths == [expected["syslen"], expected["reflen"]]


@pytest.mark.parametrize("edge", values("edges: fairseq counts"))
def test_fairseq_counts(edge):
    """An empty line has a token, <unk> matches nothing, </s> and <pad> go at the ends."""
    found = explain_bleu(edge["prediction"], edge["reference"], preset="fairseq")
    lengths = [found["translation_length"], found["reference_length"]]
    assert lengths == [edge["predlen"], edge["reflen"]]
    assert [one["matches"] for one in found["orders"]] == edge["matches"]
    assert [one["total"] for one in found["orders"]] == edge["counts"]


# What libbleu of fairseq 3d262bb2 gives for the two lines, each with </s> after it.
@pytest.mark.parametrize(
    ("prediction", "reference", "expected"),
    [("<pad>", "", 1.0), ("<pad>", "d <pad> d b e", 0.0), ("<pad> a", "a <pad>", 1.0)],
)
def test_fairseq_drops_padding_on_the_left_first(prediction, reference, expected):
    """Nothing but padding is the token </s> then, as an empty line is."""
    found = bleu([prediction], [reference], preset="fairseq", max_order=1)["bleu"]
    assert found == expected


FLOOR, ADD_K = {"smoothing": "floor"}, {"smoothing": "add-k"}
IGNITE = {"preset": "ignite"}
BLANKS = {"tokenizer": "whitespace"}  # ignite's totals of a corpus are plain sums


@pytest.mark.parametrize(
    ("smooth", "average", "options", "tolerance"),
    [
        ("no_smooth", "macro", IGNITE, 3e-7),  # it has 32 bits there
        ("smooth1", "macro", IGNITE | FLOOR, 1e-12),
        ("nltk_smooth2", "macro", IGNITE | ADD_K, 1e-12),
        # It counts no n-grams of short texts.
        ("smooth2", "macro", BLANKS | ADD_K | {"level": "sentence"}, 1e-12),
        ("no_smooth", "micro", BLANKS, 1e-12),
        ("smooth1", "micro", BLANKS | FLOOR, 1e-12),
        ("nltk_smooth2", "micro", BLANKS | ADD_K, 1e-12),
        ("smooth2", "micro", BLANKS | ADD_K, 1e-12),
    ],
)
def test_ignite(smooth, average, options, tolerance):
    expected = values(f"ignite Bleu(ngram=4, smooth='{smooth}', average='{average}')")["bleu"]
    assert bleu(**texts(), **options)["bleu"] == pytest.approx(expected, rel=tolerance)


INTL = {"preset": "sacrebleu", "tokenizer": "intl"}
TORCH = {"preset": "torchmetrics"}
SHORTEST = BLANKS | {"reference_length": "shortest"}


@pytest.mark.parametrize(
    ("name", "key", "data", "options", "tolerance"),
    [  # Those of torch have 32 bits; allennlp adds 1e-13 to counts.
        ("torchtext bleu_score, all references", "bleu_float32", texts(), TORCH, 3e-7),
        ("torchtext bleu_score, first reference", "bleu_float32", FIRST, TORCH, 3e-7),
        ("torcheval 0.0.7 bleu_score, all references", "bleu_float32", texts(), SHORTEST, 3e-7),
        # Of its repository, which takes the closest reference.
        ("torcheval bleu_score, all references", "bleu_float32", texts(), BLANKS, 3e-7),
        ("torcheval bleu_score, first reference", "bleu_float32", FIRST, BLANKS, 3e-7),
        ("allennlp BLEU, first reference", "BLEU", FIRST, BLANKS, 1e-11),
        ("T5 bleu, first reference", "bleu", FIRST, INTL, 1e-12),
        ("lm-eval bleu, first reference", "bleu", FIRST, {"preset": "sacrebleu"}, 1e-12),
    ],
)
def test_corpora(name, key, data, options, tolerance):
    expected = values(name)[key]
    scale = 100 if expected > 1 else 1
    assert scale * bleu(**data, **options)["bleu"] == pytest.approx(expected, rel=tolerance)


def test_torcheval_takes_the_shortest_reference():
    """bleu_score(["a b c d e f"], [["a b c d", "a b c d e f g"]]) of torcheval 0.0.7 is 1.0."""
    item = ["a b c d e f"], [["a b c d", "a b c d e f g"]]
    assert bleu(*item, **SHORTEST)["bleu"] == 1.0
    assert bleu(*item, **BLANKS)["bleu"] == pytest.approx(math.exp(-1 / 6), rel=1e-12)


@pytest.mark.parametrize(
    ("name", "data", "options"),
    [
        ("fairseq-score --sentence-bleu", FIRST, {"preset": "fairseq"} | ADD_K),
        (
            "lm-eval truthfulqa_gen bleu of each item, highest over references",
            texts(),
            INTL | {"effective_order": False, "multi_reference": "best"},
        ),
    ],
)
def test_sentences(name, data, options):
    found = 100 * np.array(bleu(**data, **options, use_aggregator=False)["bleu"])
    np.testing.assert_allclose(found, values(name)["per_item"], rtol=1e-12, atol=1e-10)


@pytest.mark.parametrize(("name", "flag"), [("{}", ""), ("{'case_sensitive': True}", "-c")])
def test_e2e_metrics_by_its_perl_script(name, flag):
    """Its stand-in in Python, preset "pymteval", has totals below 0."""
    entry = f"mteval-v13a-sig (e2e-metrics) {flag}, missing references are empty segments"
    found = bleu(**texts(), preset=f"mteval-v13a.pl {flag}".strip())["bleu"]
    assert found == pytest.approx(values(entry)["BLEU"], abs=1e-12)
    stand_in = values(f"e2e-metrics pymteval BLEUScore {name}")["BLEU"]
    assert found != pytest.approx(stand_in, abs=1e-3)
