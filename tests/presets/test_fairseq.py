"""Preset "fairseq": the counts of libbleu."""

import pytest

from helpers.published import values
from rouge_bleu import bleu, explain_bleu


@pytest.mark.parametrize("edge", values("edges: fairseq counts"))
def test_counts_of_fairseq(edge):
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
