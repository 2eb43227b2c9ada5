"""What rouge_full keeps of items: scores under the keys of the result."""

import pyarrow as pa
import pytest

from rouge_bleu._rouge.options import RougeOptions
from rouge_bleu._rouge.scorer import rouge_plan
from rouge_bleu.streaming import summed_columns

# Lin 2004: 3 of the 4 words, and 1 of the 3 bigrams, of "police killed the gunman" are in
# "police kill the gunman".
ROWS = pa.table(
    {"predictions": ["police kill the gunman"], "references": ["police killed the gunman"]}
)


def test_columns_are_the_keys(rouge_full):
    some = rouge_full.batch_statistics(ROWS, rouge_types=["rouge1", "rouge2"])
    assert some.to_pydict() == {
        "n_references": [1],
        "is_tokenized": [False],
        "rouge1": [0.75],
        "rouge2": [pytest.approx(1 / 3)],
    }
    some = rouge_full.batch_statistics(ROWS, rouge_types=["rouge1"], output="all")
    assert some.schema.names[2:] == ["rouge1_precision", "rouge1_recall", "rouge1_fmeasure"]


def test_f_of_means_needs_all_three():
    """Whatever is asked for: rouge-metric's F is that of mean precision and mean recall."""
    options = {"rouge_types": ["rouge1", "rouge2"], "multi_reference": "pooled"}
    statistics = rouge_plan(
        RougeOptions(preset="pyrouge-metric", tokenizer="whitespace", output="recall", **options)
    )
    assert list(statistics.kinds)[:3] == ["rouge1_precision", "rouge1_recall", "rouge1_fmeasure"]
    assert statistics.keys == ["rouge1", "rouge2"]


def test_sums_have_a_number_and_two_parts_of_each_score():
    statistics = rouge_plan(RougeOptions(rouge_types=["rougeL"]))
    assert summed_columns(statistics) == ["rougeL_defined", "rougeL_high", "rougeL_low"]
