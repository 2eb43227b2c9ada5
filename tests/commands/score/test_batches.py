"""rouge-bleu score: rows in batches give what `compute` gives for all of them."""

import warnings

import pytest

from helpers.fold_cases import corpus
from rouge_bleu_tools.commands.inputs.items import Texts
from rouge_bleu_tools.commands.score.batches import Scoring

DATA = corpus(40)
N_ROWS = len(DATA["predictions"])
TYPES = {"rouge_types": ["rouge1", "rougeL"]}
OPTIONS = {
    "rouge_full": {**TYPES, "output": "all", "signature": True},
    "bleu_full": {"max_order": 2, "signature": True},
}


def batches(size, data=DATA):
    for first in range(0, len(data["predictions"]), size):
        rows = slice(first, first + size)
        yield Texts(data["predictions"][rows], data["references"][rows])


def result_of_batches(metric, batches, options, write=None):
    scoring = Scoring(metric, options, write)
    for texts in batches:
        scoring.add(texts)
    return scoring.result()


def column(written, name):
    return [value for table in written for value in table.column(name).to_pylist()]


@pytest.mark.parametrize("size", [1, 7, 40])
def test_result_and_scores_are_those_of_compute(metric, size):
    """The means to 1e-12, all else to the last bit."""
    options, written = OPTIONS[metric.name], []
    result = result_of_batches(metric, batches(size), options, written.append)
    expected = metric.compute(**DATA, **options)
    assert list(result) == list(expected)
    for key, value in expected.items():
        assert result[key] == (value if key == "signature" else pytest.approx(value, rel=1e-12))
    items = metric.compute(**DATA, **{**options, "use_aggregator": False})
    del items["signature"]
    assert column(written, "row") == [*range(1, N_ROWS + 1)]
    keys = [key for key in items if key in written[0].schema.names]
    assert keys == written[0].schema.names[1:]
    assert {key: column(written, key) for key in keys} == {key: items[key] for key in keys}
    assert [table.num_rows for table in written[:-1]] == [size] * (len(written) - 1)


@pytest.mark.parametrize(
    "options",
    [
        {"preset": "evaluate", "seed": 4} | TYPES,
        {"preset": "rouge-1.5.5", "confidence_level": 0.9, "n_resamples": 20} | TYPES,
        {"preset": "ROUGE-1.5.5.pl -n 2 -t 2"},
    ],
)
def test_what_does_not_fold_is_computed_as_a_whole(rouge_full, options):
    written = []
    result = result_of_batches(rouge_full, batches(7), options, written.append)
    assert result == rouge_full.compute(**DATA, **options)
    of_items = {"preset": options["preset"], "use_aggregator": False}
    of_items |= TYPES if "rouge_types" in options else {}
    assert written[0].to_pydict() == {
        "row": [*range(1, N_ROWS + 1)],
        **rouge_full.compute(**DATA, **of_items),
    }


def test_batches_are_scored_as_they_come(bleu_full, monkeypatch):
    """No batch is read before the one in front of it was scored and written."""
    events = []

    def read():
        for number, texts in enumerate(batches(20)):
            events.append(f"read {number}")
            yield texts

    result_of_batches(bleu_full, read(), {}, lambda scores: events.append(scores.num_rows))
    assert events == ["read 0", 20, "read 1", 20]


def warnings_of(metric, data, size, options):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result_of_batches(metric, batches(size, data), options)
    return [str(warning.message).partition(":")[0] for warning in caught]


@pytest.mark.parametrize(
    ("texts", "size", "expected"),
    [
        (["你好"] * 6, 2, ["No text holds a single token, so all scores are 0"]),
        (["a b"] * 5 + ["你好"], 5, []),  # the last batch, one of six rows
        (["a b"] * 2 + ["你好"] * 4, 2, ["No text holds a single token, so all scores are 0"]),
    ],
)
def test_a_warning_is_shown_once_and_where_most_rows_gave_it(rouge_full, texts, size, expected):
    data = {"predictions": texts, "references": [[text] for text in texts]}
    options = {"rouge_types": ["rouge1"]}
    assert warnings_of(rouge_full, data, size, options) == expected
