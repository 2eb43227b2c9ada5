"""Batches of Arrow: which columns and rows are taken, scores of items, options and errors."""

import math

import numpy as np
import pyarrow as pa
import pytest

from helpers.errors import error_of
from helpers.fold_cases import CASES, corpus, table
from helpers.metrics import loaded
from rouge_bleu.streaming import checked_corpus_of_rows

TEXTS = ["a b", "c", "d e f"]
LISTS = [["a"], ["b", "c"], ["d", "e", "f"]]
DATA = corpus(20)
ROWS = table(DATA)
RESAMPLED = {"confidence_level": 0.9, "n_resamples": 5}


def batch(predictions, references, types=(None, None), **others):
    arrays = map(pa.array, (predictions, references), types)
    columns = dict(zip(("predictions", "references"), arrays, strict=True))
    return pa.RecordBatch.from_pydict(columns | {name: pa.array(v) for name, v in others.items()})


def rows_of(rows, **arguments):
    """The corpus of a batch, which rows are scored, and their ids."""
    names = {"predictions": "predictions", "references": "references"}
    others = {"item": None, "first_item": None, "missing": "error"}
    return checked_corpus_of_rows(rows, **(names | others | arguments))


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view()])
@pytest.mark.parametrize("list_of", [pa.list_, pa.large_list])
def test_forms_of_text(kind, list_of):
    """One reference or a ragged list of them, in all types that Arrow has for them."""
    found, is_scored, ids = rows_of(batch(TEXTS, TEXTS, (kind, kind)))
    assert (found.predictions, found.references) == (TEXTS, TEXTS)
    assert (is_scored.tolist(), ids) == ([True] * 3, None)
    found, *_ = rows_of(batch(TEXTS, LISTS, (kind, list_of(kind))))
    assert [references for _, references in found.examples] == LISTS
    texts = pa.array(TEXTS, kind if kind != pa.string_view() else None).dictionary_encode()
    rows = pa.table({"ours": texts, "gold": texts})
    names = {"predictions": "ours", "references": "gold"}
    assert rows_of(pa.concat_tables([rows, rows]), **names)[0].predictions == TEXTS * 2
    assert rows_of(rows[:0], **names)[0].predictions == []


def test_tokens():
    """A reference is a list of tokens, also without any, or a list of such lists."""
    found, *_ = rows_of(batch(LISTS, LISTS))
    assert (found.is_tokenized, found.references) == (True, LISTS)
    nested = [[tokens, tokens[:1]] for tokens in LISTS]
    assert [one[1] for one in rows_of(batch(LISTS, nested))[0].examples] == nested
    assert rows_of(batch([["a"], []], [[], ["a"]]))[0].references == [[], ["a"]]


IDS = ["first", "second", "third", "fourth", "fifth"]
GAPS = batch(["a", None, "c", "d", "e"], [["a"], ["b"], None, ["d", None], []], item=IDS)


def test_rows_with_a_null_or_without_a_reference_are_skipped():
    found, is_scored, ids = rows_of(GAPS, missing="skip", item="item")
    assert is_scored.tolist() == [True, False, False, False, False]
    assert found.examples == [("a", ["a"])]
    assert ids.to_pylist() == IDS
    tokens = batch([["a"], ["b", None], ["c"]], [[["a"]], [["b"]], [["c", None]]])
    assert rows_of(tokens, missing="skip")[1].tolist() == [True, False, False]


@pytest.mark.parametrize(
    ("row", "column"), [(1, "predictions"), *((k, "references") for k in (2, 3, 4))]
)
def test_without_skipping_the_row_and_its_id_are_named(row, column):
    kind, message = error_of(rows_of, GAPS.slice(row, 1), item="item")
    assert kind is ValueError
    assert message.startswith(f"{column}[0] (item {IDS[row]!r}) ")
    assert error_of(rows_of, GAPS)[1].startswith("predictions[1] must have no null")


def test_ids():
    for kind in (pa.int64(), pa.uint16()):
        rows = batch(TEXTS, TEXTS, id=pa.array([5, 2**15, 0], type=kind))
        assert rows_of(rows, item="id")[2].equals(pa.array([5, 2**15, 0]))
    assert rows_of(rows, first_item=7)[2].to_pylist() == [7, 8, 9]
    names = batch(TEXTS, TEXTS, id=pa.array(["x", "y", "z"]).dictionary_encode())
    for start in (0, 1):
        assert rows_of(names.slice(start), item="id")[2].to_pylist() == ["x", "y", "z"][start:]


NUMBERS = {"number": [1, 2, 3], "real": [0.5, 1.5, 2.5], "gap": [1, None, 2], "same": [1, 1, 2]}
COLUMNS = batch(TEXTS, TEXTS, **NUMBERS, great=pa.array([1, 2, 2**63], type=pa.uint64()))
TWICE = pa.RecordBatch.from_arrays([pa.array(TEXTS)] * 3, ["predictions", *["references"] * 2])

# Arguments, the type of the error, and what its message names.
ERRORS = [
    ({"references": 3}, ValueError, ["references", "3"]),
    ({"references": "number"}, TypeError, ["references", "'number'", "int64"]),
    ({"item": "real"}, TypeError, ["item", "'real'", "double"]),
    ({"item": "gap"}, ValueError, ["item", "2 ids in the 3 rows", "'gap'"]),
    ({"item": "same"}, ValueError, ["item", "2 ids in the 3 rows", "'same'"]),
    ({"item": "great"}, ValueError, ["item", "'great'"]),
    ({"item": "number", "first_item": 0}, ValueError, ["item", "first_item"]),
    ({"first_item": -1}, ValueError, ["first_item", "-1"]),
    ({"first_item": 2**63 - 1}, ValueError, ["first_item", str(2**63 - 1)]),  # items are int64
    ({"missing": "drop"}, ValueError, ["missing", "'error'", "'skip'", "'drop'"]),
    ({"rows": TWICE}, ValueError, ["references", "one column"]),
    ({"rows": {"predictions": TEXTS}}, TypeError, ["batch", "RecordBatch"]),
]


@pytest.mark.parametrize(("arguments", "kind", "named"), ERRORS)
def test_what_is_refused_of_a_batch(arguments, kind, named):
    found, message = error_of(rows_of, **{"rows": COLUMNS} | arguments)
    assert found is kind
    assert [name for name in named if name not in message] == []


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
    no_rows = metric.batch_statistics(ROWS[:0], item="id", **options)
    assert metric.item_scores(no_rows, **options) == scores[:0]


def test_options_of_load_hold(rouge_full):
    options = {"rouge_types": ["rouge2"], "seed": 4, "signature": True, **RESAMPLED}
    metric = loaded("rouge_full", **options)
    result = metric.fold(metric.batch_statistics(ROWS, item="id"))
    some = rouge_full.batch_statistics(ROWS, item="id", **options)
    assert result == rouge_full.fold(some, **options)
    assert "seed:4" in result["signature"]


def test_the_signature_says_that_weights_are_of_poisson(metric):
    """It differs in that alone, and restores the options."""
    some = metric.batch_statistics(ROWS, item="id")
    line = metric.fold(some, signature=True, **RESAMPLED)["signature"]
    usual = metric.compute(**DATA, signature=True, **RESAMPLED)["signature"]
    parts = line.split("|")
    after_seed = [part.startswith("seed:") for part in parts].index(True) + 1
    assert parts.pop(after_seed) == "draws:poisson"
    assert parts == usual.split("|")
    options = metric.options_of_signature(line)
    assert metric.fold(some, **options, signature=True)["signature"] == line
    without = metric.fold(some, signature=True)["signature"]
    assert without == metric.compute(**DATA, signature=True)["signature"]


METHODS = ["batch_statistics", "item_scores", "sum_statistics", "fold"]


def test_presets_whose_averages_are_drawn_do_not_fold(rouge_full, bleu_full):
    """They are refused before any batch is looked at."""
    for preset in ("evaluate", "rouge-1.5.5", "ROUGE-1.5.5.pl -n 2 -a"):
        assert not rouge_full.can_fold(preset=preset)
        for method in METHODS:
            with pytest.raises(ValueError, match=f"^preset must not be {preset!r}"):
                getattr(rouge_full, method)(None, preset=preset)
    assert rouge_full.can_fold(preset="rouge_score", confidence_level=0.9)
    assert bleu_full.can_fold(preset="evaluate")


@pytest.mark.parametrize("method", [*METHODS, "can_fold"])
def test_options_that_are_refused_at_once(metric, method):
    bad = {"use_aggregator": (ValueError, False), "zero_division": (ValueError, 7)}
    for name, (kind, value) in {**bad, "baseline": (TypeError, ["a"])}.items():
        with pytest.raises(kind, match=name):
            getattr(metric, method)(*[None] * (method in METHODS), **{name: value})


def test_errors_of_the_data_are_those_of_compute(rouge_full):
    tokens = table({"predictions": [["a b c"], ["d"]], "references": [["a b"], ["d"]]})
    with pytest.raises(ValueError, match=r"^predictions\[0\]"):
        rouge_full.batch_statistics(tokens)
    tokens = table({"predictions": [["a", "b"]], "references": [["a", "b"]]})
    with pytest.raises(ValueError, match="max_bytes"):
        rouge_full.batch_statistics(tokens, max_bytes=10)


def test_intervals_need_ids(metric):
    without = metric.batch_statistics(ROWS)
    for method in (metric.fold, metric.sum_statistics):
        with pytest.raises(ValueError, match="confidence_level needs an id"):
            method(without, **RESAMPLED)
    assert metric.fold(metric.batch_statistics(ROWS, first_item=100), **RESAMPLED)


def test_sums_of_other_resamples(metric):
    some = metric.batch_statistics(ROWS, item="id")
    sums = metric.sum_statistics(some, **RESAMPLED, seed=1)
    assert metric.fold(sums) == metric.fold(some)  # they may have more than is asked for
    for given, options, message in [
        (sums, {"n_resamples": 6}, "6 resamples of seed 1, got 5 of 1"),
        (sums, {"seed": 2}, "5 resamples of seed 2, got 5 of 1"),
        (metric.sum_statistics(some), {}, "5 resamples of seed 1, got 0 of None"),
        (sums.slice(1), {}, "must have 5 resamples"),
    ]:
        with pytest.raises(ValueError, match=message):
            metric.fold(given, **RESAMPLED | {"seed": 1} | options)


def test_batches_that_do_not_belong_together(rouge_full, bleu_full):
    some = rouge_full.batch_statistics(ROWS, rouge_types=["rouge1"])
    sums = rouge_full.sum_statistics(some, rouge_types=["rouge1"])
    for metric, given, name in [(rouge_full, some, "rouge2"), (bleu_full, sums, "matches_1")]:
        with pytest.raises(ValueError, match=f"one column '{name}'"):
            metric.fold(given)
    tokens = table({"predictions": [["a"]], "references": [["a"]]})
    for metric in (rouge_full, bleu_full):
        with pytest.raises(ValueError, match="20 texts and 1 lists of tokens"):
            metric.fold([metric.batch_statistics(ROWS), metric.batch_statistics(tokens)])
        for batches in (None, 3, [None]):
            with pytest.raises(TypeError, match="batches must be"):
                metric.fold(batches)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", ["item", "n_items", "n_skipped"])
def test_names_of_weights_that_are_taken(bleu_full, name, method):
    """By counts and by ids: scores would have taken their place."""
    with pytest.raises(ValueError, match=f"^weights must have names other than '{name}'"):
        getattr(bleu_full, method)(None, weights={name: [1]})


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
