"""The methods by which batches are scored: options, errors, signatures, scores of items."""

import math

import evaluate
import numpy as np
import pyarrow as pa
import pytest

from helpers.fold_cases import CASES, corpus, table
from helpers.repository import ROOT

DATA = corpus(20)
ROWS = table(DATA)
RESAMPLED = {"confidence_level": 0.9, "n_resamples": 5}


@pytest.fixture
def some(metric):
    return metric.batch_statistics(ROWS, item="id")


# --- scores of items --------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "options"), CASES)
def test_scores_of_items_are_those_of_compute(request, name, options):
    """Bit for bit, and null if a row was skipped."""
    metric = request.getfixturevalue(name)
    gap = pa.Table.from_pydict({"predictions": [None], "references": [["a"]], "id": ["gap"]})
    rows = pa.concat_tables([ROWS[:5], gap.cast(ROWS.schema), ROWS[5:]])
    statistics = metric.batch_statistics(rows, item="id", missing="skip", **options)
    scores = metric.item_scores(statistics, **options)
    expected = metric.compute(**DATA, **options, use_aggregator=False)
    assert scores.column("item").to_pylist() == rows.column("id").to_pylist()
    keys = scores.schema.names[1:]
    assert keys == list(expected)[: len(keys)]
    assert len(keys) == len(expected) or name == "bleu_full"
    for key in keys:
        values = scores.column(key).to_pylist()
        assert values.pop(5) is None
        assert str(values) == str(expected[key])


# --- options ----------------------------------------------------------------------------------


def test_options_of_load_hold():
    options = {"rouge_types": ["rouge2"], "output": "recall", "seed": 4, "signature": True}
    metric = evaluate.load(str(ROOT / "rouge_full.py"), **options, **RESAMPLED)
    other = evaluate.load(str(ROOT / "rouge_full.py"))
    result = metric.fold(metric.batch_statistics(ROWS, item="id"))
    given = options | RESAMPLED
    assert result == other.fold(other.batch_statistics(ROWS, item="id", **given), **given)
    assert "seed:4" in result["signature"]


def test_the_signature_says_that_weights_are_of_poisson(metric, some):
    """It differs in that alone, and restores the options."""
    line = metric.fold(some, signature=True, **RESAMPLED)["signature"]
    usual = metric.compute(**DATA, signature=True, **RESAMPLED)["signature"]
    assert line.split("|") == [
        part
        for text in usual.split("|")
        for part in ([text, "draws:poisson"] if text.startswith("seed:") else [text])
    ]
    with pytest.warns(UserWarning, match="draws:poisson") as caught:
        options = metric.options_of_signature(line)
    assert [one.filename for one in caught] == [__file__]
    assert metric.fold(some, **options, signature=True)["signature"] == line
    without = metric.fold(some, signature=True)["signature"]
    assert without == metric.compute(**DATA, signature=True)["signature"]


# --- errors -----------------------------------------------------------------------------------


def test_what_folds(rouge_full, bleu_full):
    for preset in ("evaluate", "rouge-1.5.5", "ROUGE-1.5.5.pl -n 2 -a"):
        assert not rouge_full.can_fold(preset=preset)
    assert rouge_full.can_fold(preset="rouge_score", confidence_level=0.9)
    assert bleu_full.can_fold(preset="evaluate")
    with pytest.raises(ValueError, match=r"^max_order must be an integer >= 1, got 0$"):
        bleu_full.can_fold(max_order=0)
    with pytest.raises(TypeError, match=r"^can_fold\(\) got an unexpected keyword argument 'x'"):
        bleu_full.can_fold(x=1)


METHODS = ["batch_statistics", "item_scores", "sum_statistics", "fold"]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("preset", ["evaluate", "rouge-1.5.5", "ROUGE-1.5.5.pl -n 2 -a"])
def test_presets_whose_averages_are_drawn_are_refused_at_once(rouge_full, method, preset):
    """Before any batch is looked at."""
    with pytest.raises(ValueError, match=f"^preset must not be {preset!r}"):
        getattr(rouge_full, method)(None, preset=preset)


@pytest.mark.parametrize("method", METHODS)
def test_options_that_are_refused_at_once(metric, method):
    with pytest.raises(ValueError, match=rf"^{method}\(\) needs use_aggregator=True"):
        getattr(metric, method)(None, use_aggregator=False)
    with pytest.raises(TypeError, match=rf"^{method}\(\) .* 'baseline'"):
        getattr(metric, method)(None, baseline=["a"])


def test_errors_of_the_data_are_those_of_compute(rouge_full):
    tokens = table({"predictions": [["a b c"], ["d"]], "references": [["a b"], ["d"]]})
    with pytest.raises(ValueError, match=r"^predictions\[0\]"):
        rouge_full.batch_statistics(tokens)
    tokens = table({"predictions": [["a", "b"]], "references": [["a", "b"]]})
    with pytest.raises(ValueError, match=r"^max_bytes needs texts, got lists of tokens"):
        rouge_full.batch_statistics(tokens, max_bytes=10)


def test_intervals_need_ids(metric):
    without = metric.batch_statistics(ROWS)
    for method in (metric.fold, metric.sum_statistics):
        with pytest.raises(ValueError, match=r"^confidence_level needs an id .* first_item"):
            method(without, **RESAMPLED)
    counted = metric.batch_statistics(ROWS, first_item=100)
    assert counted.column("item").to_pylist() == list(range(100, 120))
    metric.fold(counted, **RESAMPLED)


def test_sums_of_other_resamples(metric, some):
    sums = metric.sum_statistics(some, **RESAMPLED, seed=1)
    assert metric.fold(sums) == metric.fold(some)  # they may have more than is asked for
    for options, message in (
        ({"n_resamples": 6, "seed": 1}, "6 resamples, got 5"),
        ({"seed": 2}, "seed 2, got 1"),
    ):
        with pytest.raises(ValueError, match=message):
            metric.fold(sums, **RESAMPLED | options)
    for given in (metric.sum_statistics(some), sums.slice(1)):
        with pytest.raises(ValueError, match="must have 5 resamples"):
            metric.fold(given, **RESAMPLED, seed=1)


def test_batches_of_other_options(rouge_full, bleu_full):
    some = rouge_full.batch_statistics(ROWS, rouge_types=["rouge1"])
    with pytest.raises(ValueError, match="must have a column 'rouge2'"):
        rouge_full.fold(some, rouge_types=["rouge1", "rouge2"])
    with pytest.raises(ValueError, match="must have a column 'matches_1'"):
        bleu_full.fold(rouge_full.sum_statistics(some, rouge_types=["rouge1"]))


def test_texts_and_tokens_do_not_mix(metric):
    texts = metric.batch_statistics(ROWS)
    tokens = metric.batch_statistics(table({"predictions": [["a"]], "references": [["a"]]}))
    with pytest.raises(ValueError, match="20 texts and 1 lists of tokens"):
        metric.fold([texts, tokens])


@pytest.mark.parametrize("batches", [None, 3])
def test_what_is_no_list(metric, batches):
    with pytest.raises(TypeError, match=r"^batches must be"):
        metric.fold(batches)
    with pytest.raises(
        TypeError, match=r"^batches must be a pyarrow.RecordBatch or a pyarrow.Table"
    ):
        metric.fold([batches])


@pytest.mark.parametrize(("name", "method"), [("n_items", "fold"), ("item", "item_scores")])
def test_names_of_weights_that_are_taken(bleu_full, name, method):
    """By counts and by ids: scores would have taken their place."""
    some = bleu_full.batch_statistics(ROWS, first_item=0, weights={name: [1]})
    with pytest.raises(ValueError, match=f"^weights must have names other than '{name}'"):
        getattr(bleu_full, method)(some, weights={name: [1]})


def test_a_column_that_has_lost_its_nan(rouge_full):
    """Other programs turn NaN into null, as pandas does; the item has been scored."""
    data = {"predictions": ["a b", "c"], "references": ["a b", "d"]}
    options = {"rouge_types": ["rouge2"], "zero_division": math.nan}
    some = rouge_full.batch_statistics(table(data), **options)
    assert np.isnan(some.column("rouge2").to_numpy()[1])
    lost = pa.array([1.0, None])
    some = some.set_column(some.schema.names.index("rouge2"), "rouge2", lost)
    result = rouge_full.fold(some, **options)
    assert result == {"rouge2": 1.0, "n_items": 2, "n_skipped": 0}
