"""Presets "fairseq" and "ignite", and the numbers of benchmarks, against their figures."""

import numpy as np
import pytest

from helpers.published import texts, values

FIRST = texts(first=True)


@pytest.mark.parametrize(("name", "lowercase"), [("", False), (" --ignore-case", True)])
def test_fairseq_score(bleu_full, name, lowercase):
    expected = values(f"fairseq-score{name}")
    weights = {f"bleu{n}": [1] * n for n in (1, 2, 3, 4)}
    options = {"preset": "fairseq", "lowercase": lowercase, "weights": weights}
    found = bleu_full.compute(**FIRST, **options)
    ours = [100 * found[one] for one in weights]
    np.testing.assert_allclose(ours, expected["BLEU_order_1..4"], rtol=1e-12)
    lengths = [found["translation_length"], found["reference_length"]]
    assert lengths == [expected["syslen"], expected["reflen"]]


def test_fairseq_sentences(bleu_full):
    expected = values("fairseq-score --sentence-bleu")["per_item"]
    options = {"preset": "fairseq", "smoothing": "add-k", "use_aggregator": False}
    ours = 100 * np.array(bleu_full.compute(**FIRST, **options)["bleu"])
    np.testing.assert_allclose(ours, expected, rtol=1e-12)


@pytest.mark.parametrize("edge", values("edges: fairseq counts"))
def test_fairseq_counts(bleu_full, edge):
    """An empty line has a token, <unk> matches nothing, </s> and <pad> go at the ends."""
    found = bleu_full.explain(
        prediction=edge["prediction"], reference=edge["reference"], preset="fairseq"
    )
    lengths = [found["translation_length"], found["reference_length"]]
    assert lengths == [edge["predlen"], edge["reflen"]]
    assert [one["matches"] for one in found["orders"]] == edge["matches"]
    assert [one["total"] for one in found["orders"]] == edge["counts"]


@pytest.mark.parametrize("average", ["macro", "micro"])
@pytest.mark.parametrize(
    ("smooth", "options"),
    [
        ("no_smooth", {}),
        ("smooth1", {"smoothing": "floor"}),
        ("nltk_smooth2", {"smoothing": "add-k"}),
        ("smooth2", {"smoothing": "add-k"}),
    ],
)
def test_ignite(bleu_full, smooth, options, average):
    """no_smooth of sentences has 32 bits there; smooth2 counts no n-grams of short texts."""
    expected = values(f"ignite Bleu(ngram=4, smooth='{smooth}', average='{average}')")["bleu"]
    options = {**options, "preset": "ignite"}
    if average == "micro":
        del options["preset"]  # totals are plain sums there
        options["tokenizer"] = "whitespace"
    elif smooth == "smooth2":
        options = {"tokenizer": "whitespace", "smoothing": "add-k", "level": "sentence"}
    has_32_bits = average == "macro" and smooth == "no_smooth"
    found = bleu_full.compute(**texts(), **options)["bleu"]
    assert found == pytest.approx(expected, rel=3e-7 if has_32_bits else 1e-12)


@pytest.mark.parametrize(
    ("name", "data", "options", "tolerance"),
    [
        ("torchtext bleu_score, all references", texts(), {"preset": "torchmetrics"}, 3e-7),
        ("torchtext bleu_score, first reference", FIRST, {"preset": "torchmetrics"}, 3e-7),
        ("torcheval bleu_score, all references", texts(), {"tokenizer": "whitespace"}, 3e-7),
        ("torcheval bleu_score, first reference", FIRST, {"tokenizer": "whitespace"}, 3e-7),
    ],
)
def test_toolkits_of_32_bits(bleu_full, name, data, options, tolerance):
    found = bleu_full.compute(**data, **options)["bleu"]
    assert found == pytest.approx(values(name)["bleu_float32"], rel=tolerance)


def test_allennlp(bleu_full):
    found = bleu_full.compute(**FIRST, tokenizer="whitespace")["bleu"]
    expected = values("allennlp BLEU, first reference")["BLEU"]
    assert found == pytest.approx(expected, rel=1e-11)  # 1e-13 is added to counts there


def test_t5_and_lm_eval(bleu_full):
    options = {"preset": "sacrebleu", "tokenizer": "intl"}
    found = 100 * bleu_full.compute(**FIRST, **options)["bleu"]
    assert found == pytest.approx(values("T5 bleu, first reference")["bleu"], rel=1e-12)
    found = 100 * bleu_full.compute(**FIRST, preset="sacrebleu")["bleu"]
    assert found == pytest.approx(values("lm-eval bleu, first reference")["bleu"], rel=1e-12)
    name = "lm-eval truthfulqa_gen bleu of each item, highest over references"
    options |= {"effective_order": False, "use_aggregator": False, "multi_reference": "best"}
    found = 100 * np.array(bleu_full.compute(**texts(), **options)["bleu"])
    np.testing.assert_allclose(found, values(name)["per_item"], rtol=1e-12, atol=1e-10)


@pytest.mark.parametrize(("name", "case"), [("{}", True), ("{'case_sensitive': True}", False)])
def test_e2e_metrics_by_its_perl_script(bleu_full, name, case):
    """Its stand-in in Python, pymteval, has totals below 0 and is not here."""
    stand_in = values(f"e2e-metrics pymteval BLEUScore {name}")["BLEU"]
    line = "mteval-v13a.pl" if case else "mteval-v13a.pl -c"
    entry = f"mteval-v13a-sig (e2e-metrics) {'' if case else '-c'}"
    expected = values(f"{entry}, missing references are empty segments")["BLEU"]
    found = bleu_full.compute(**texts(), preset=line)["bleu"]
    assert found == pytest.approx(expected, abs=1e-12)
    assert found != pytest.approx(stand_in, abs=1e-3)
