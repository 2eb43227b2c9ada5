"""What bleu_full keeps of items: the counts that BLEU is made of, by hand."""

import pyarrow as pa
import pytest

from rouge_bleu._bleu.options import BleuOptions
from rouge_bleu._bleu.scorer import bleu_plan

# Papineni et al. 2002, section 2.1: "the" counts twice at most, as in the first reference.
ROWS = pa.table(
    {
        "predictions": ["the the the the the the the"],
        "references": [["the cat is on the mat", "there is a cat on the mat"]],
    }
)


def test_counts_of_an_item(bleu_full):
    some = bleu_full.batch_statistics(ROWS, max_order=2)
    assert some.to_pydict() == {
        "n_references": [2],
        "is_tokenized": [False],
        "matches_1": [2],
        "matches_2": [0],
        "totals_1": [7],
        "totals_2": [6],
        "ngrams_1": [7],
        "ngrams_2": [6],
        "translation_length": [7],
        "reference_length": [7],
        "n_reference_tokens": [13],
    }


@pytest.mark.parametrize("level", ["corpus", "sentence"])
def test_an_average_of_lengths_is_a_float(bleu_full, level):
    options = {"reference_length": "average", "level": level}
    some = bleu_full.batch_statistics(ROWS, **options)
    assert some.column("reference_length").to_pylist() == [6.5]
    sums = bleu_full.sum_statistics([some, some], **options)
    assert sums.column("reference_length_whole").to_pylist() == [12]
    assert sums.column("reference_length_high").to_pylist() == [2**30]


def test_orders_are_counted_as_far_as_the_smoothing_looks():
    """chen-cherry-5 looks at one more; under preset "nltk" that is the fifth, which may be there."""
    statistics = bleu_plan(BleuOptions(smoothing="chen-cherry-5", max_order=2))
    assert [name for name in statistics.kinds if name.startswith("matches")] == [
        "matches_1",
        "matches_2",
        "matches_3",
    ]
    statistics = bleu_plan(BleuOptions(preset="nltk", smoothing="chen-cherry-5", max_order=5))
    assert sum(name.startswith("matches") for name in statistics.kinds) == 6
