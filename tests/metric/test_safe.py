"""`add`, `add_batch` and `compute` in any order, and what is left behind after errors."""

import copy
import itertools
import json
import math
import pickle
import time
from concurrent.futures import ThreadPoolExecutor

import dill
import evaluate
import pytest

from helpers.items import OPTIONS, PREDICTIONS, RAGGED, REFERENCES, boom, expected, files_of
from helpers.repository import ROOT


@pytest.fixture
def metric(load, name):
    return load(name)


# --- add, add_batch, compute ----------------------------------------------------------------------

# How the ten items are handed over: numbers of items, "a" for add (one), "b" for add_batch; the
# rest goes to compute, if there is a rest.
WAYS = [
    "10a",
    "10b",
    "1b 9b",
    "3b 0b 3b 4b",
    "1a 9b",
    "9b 1a",
    "2a 3b 2a 3b",
    "1b 1a 1b 1a 6b",
    "0b 10b",
    "1a",
    "9a",
    "1b",
    "9b",
    "1a 8b",
    "5b 1a 0b",
]


def hand_over(metric, way, predictions, references):
    """Hand the items over and return the result of `compute`."""
    start = 0
    for part in way.split():
        count, how = int(part[:-1]), part[-1]
        end = start + count
        if how == "b":
            metric.add_batch(predictions=predictions[start:end], references=references[start:end])
        else:
            for i in range(start, end):
                metric.add(prediction=predictions[i], reference=references[i])
        start = end
    assert len(metric) == start
    rest = (
        {"predictions": predictions[start:], "references": references[start:]}
        if start < len(predictions)
        else {}
    )
    return metric.compute(**rest, **OPTIONS[metric.name])


def forms():
    """Return predictions and references in each form."""
    tokens = [text.split() for text in PREDICTIONS]
    return {
        "texts": (PREDICTIONS, REFERENCES),
        "texts, several references": (PREDICTIONS, RAGGED),
        "texts, both forms of references": (
            PREDICTIONS,
            REFERENCES[:5] + [[text] for text in REFERENCES[5:]],
        ),
        "tokens": (tokens, [text.split() for text in REFERENCES]),
        "tokens, several references": (
            tokens,
            [[text.split() for text in texts] for texts in RAGGED],
        ),
    }


@pytest.mark.parametrize("keep_in_memory", [False, True])
@pytest.mark.parametrize("form", forms())
def test_every_way_gives_the_result_of_one_call(load, name, form, keep_in_memory):
    predictions, references = forms()[form]
    metric = load(name, keep_in_memory=keep_in_memory)
    is_mixed = form == "texts, both forms of references"
    once = metric.compute(
        predictions=predictions, references=REFERENCES if is_mixed else references, **OPTIONS[name]
    )
    for way in ["5b 5b", "5b", "4b 1a", "5a 5b"] if is_mixed else WAYS:
        assert hand_over(metric, way, predictions, references) == once, way
        assert len(metric) == 0
    assert files_of(metric) == []


def test_compute_forgets_what_was_added(metric):
    for _ in range(3):
        metric.add_batch(predictions=["a b c d"], references=["a b c d"])
        metric.add(prediction=PREDICTIONS[0], reference=REFERENCES[0])
        assert len(metric) == 2
        assert metric.compute() == expected(
            metric, ["a b c d", PREDICTIONS[0]], ["a b c d", REFERENCES[0]]
        )
    with pytest.raises(ValueError, match="nothing to score"):
        metric.compute()
    assert metric.compute(predictions=PREDICTIONS, references=REFERENCES) == expected(metric)


def test_items_keep_their_order(load):
    metric = load("rouge_full")
    for prediction, references in zip(PREDICTIONS, RAGGED, strict=True):
        metric.add(prediction=prediction, reference=references)
    once = load("rouge_full").compute(
        predictions=PREDICTIONS, references=RAGGED, use_aggregator=False
    )
    assert metric.compute(use_aggregator=False) == once


def test_forms_of_references_may_follow_each_other(metric):
    """One string and lists of strings may alternate, also where the first one is a list with
    several.
    """
    for order in itertools.permutations(range(3)):
        batches = [
            (PREDICTIONS[:3], REFERENCES[:3]),
            (PREDICTIONS[3:6], RAGGED[3:6]),
            (PREDICTIONS[6:], [[text] for text in REFERENCES[6:]]),
        ]
        predictions, references = [], []
        for number in order:
            texts, others = batches[number]
            metric.add_batch(predictions=texts, references=others)
            predictions += texts
            references += [[other] if isinstance(other, str) else other for other in others]
        metric.add(prediction="the cat", reference="the dog")
        metric.add(prediction="the cat", reference=["the dog", "a cat"])
        every = expected(
            metric,
            [*predictions, "the cat", "the cat"],
            [*references, ["the dog"], ["the dog", "a cat"]],
        )
        assert metric.compute() == every


def test_empty_batches_are_nothing(metric):
    metric.add_batch(predictions=[], references=[])
    assert len(metric) == 0
    assert metric.writer is None
    with pytest.raises(ValueError, match="nothing to score"):
        metric.compute()
    with pytest.raises(ValueError, match="predictions is empty"):
        metric.compute(predictions=[], references=[])
    metric.add_batch(predictions=PREDICTIONS, references=REFERENCES)
    metric.add_batch(predictions=[], references=[])
    assert metric.compute(predictions=(), references=()) == expected(metric)


def test_many_small_batches(load):
    metric = load("bleu_full")
    for start in range(1500):  # more than evaluate holds back before it writes
        metric.add(prediction=PREDICTIONS[start % 10], reference=REFERENCES[start % 10])
    assert metric.compute() == expected(metric, PREDICTIONS * 150, REFERENCES * 150)


def test_batches_of_a_trainer(load, name):
    """Decoded batches of uneven size, one reference each in a list, several epochs with one object,
    empty texts at first.
    """
    metric = load(name)
    for epoch in range(3):
        decoded = [text if epoch else "" for text in PREDICTIONS]
        labels = [[text.strip()] for text in REFERENCES]
        for start in range(0, 10, 4):
            metric.add_batch(
                predictions=decoded[start : start + 4], references=labels[start : start + 4]
            )
        result = metric.compute(**OPTIONS[name])
        assert result == metric.compute(predictions=decoded, references=REFERENCES, **OPTIONS[name])
        json.dumps(result)
    assert files_of(metric) == []


# --- after errors ---------------------------------------------------------------------------------

BAD_BATCHES = [
    (["a", None], ["b", "c"]),
    (["a", "b"], ["c"]),
    (["a"], [[]]),
    ("a", ["a"]),
    (["a"], [2]),
    (["a", "b"], [["c"], "d"]),
    (["\ud800"], ["a"]),
    ([["a"]], [["a"]]),  # tokens, where texts were added before
    (None, ["a"]),
    (iter(["a"]), ["a"]),
]


@pytest.mark.parametrize("keep_in_memory", [False, True])
def test_a_refused_batch_leaves_the_metric_as_it_was(load, name, keep_in_memory):
    metric = load(name, keep_in_memory=keep_in_memory)
    metric.add_batch(predictions=PREDICTIONS[:6], references=RAGGED[:6])
    for predictions, references in BAD_BATCHES:
        for method in (metric.add_batch, metric.compute):
            with pytest.raises((TypeError, ValueError)):
                method(predictions=predictions, references=references)
        if type(predictions) is list and len(predictions) == len(references) == 1:
            with pytest.raises((TypeError, ValueError)):
                metric.add(prediction=predictions[0], reference=references[0])
        assert len(metric) == 6
    metric.add_batch(predictions=PREDICTIONS[6:9], references=REFERENCES[6:9])
    references = [*RAGGED[:6], *([text] for text in REFERENCES[6:])]
    assert metric.compute(predictions=PREDICTIONS[9:], references=REFERENCES[9:]) == expected(
        metric, PREDICTIONS, references
    )


def test_a_refused_first_batch(metric):
    for predictions, references in BAD_BATCHES[:7]:
        with pytest.raises((TypeError, ValueError)):
            metric.add_batch(predictions=predictions, references=references)
        assert len(metric) == 0
        assert files_of(metric) == []
    metric.add_batch(predictions=[["a"]], references=[["a"]])  # any form may come first
    assert metric.compute() == expected(metric, [["a"]], [["a"]])


def test_texts_after_tokens_and_the_reverse(metric):
    batches = {"strings": (["a b"], ["a c"]), "lists of tokens": ([["a", "b"]], [["a", "c"]])}
    for (kind, batch), (other_kind, other) in itertools.permutations(batches.items()):
        metric.add_batch(predictions=batch[0], references=batch[1])
        message = f"predictions must be {kind} like those added before, got {other_kind}"
        for call in (
            lambda other=other: metric.add_batch(predictions=other[0], references=other[1]),
            lambda other=other: metric.compute(predictions=other[0], references=other[1]),
            lambda other=other: metric.add(prediction=other[0][0], reference=other[1][0]),
        ):
            with pytest.raises(TypeError) as raised:
                call()
            assert str(raised.value) == message
        assert metric.compute() == expected(metric, *batch)


def test_a_refused_option_loses_nothing(metric):
    metric.add_batch(predictions=PREDICTIONS[:5], references=REFERENCES[:5])
    for options in (
        {"frobnicate": 1},
        {"zero_division": 7},
        {"tokenizer": "no such tokenizer"},
        {"use_aggregator": None},
    ):
        with pytest.raises((TypeError, ValueError)):
            metric.compute(**options)
        with pytest.raises((TypeError, ValueError)):
            metric.compute(predictions=PREDICTIONS[5:], references=REFERENCES[5:], **options)
        assert len(metric) == 5
    assert metric.compute(predictions=PREDICTIONS[5:], references=REFERENCES[5:]) == expected(
        metric
    )


@pytest.mark.parametrize("keep_in_memory", [False, True])
@pytest.mark.parametrize("way", ["10b", "10a", "4b", "1a", ""])
def test_an_exception_while_scoring(load, name, way, keep_in_memory):
    """A tokenizer that fails: the error comes through, nothing is left over, and no later call
    waits for a lock.
    """
    metric = load(name, keep_in_memory=keep_in_memory)
    right = metric.compute(predictions=PREDICTIONS, references=REFERENCES)
    for _ in range(2):
        start = 0
        for part in way.split():
            start = int(part[:-1])
            if part[-1] == "b":
                metric.add_batch(predictions=PREDICTIONS[:start], references=REFERENCES[:start])
            else:
                for i in range(start):
                    metric.add(prediction=PREDICTIONS[i], reference=REFERENCES[i])
        rest = (
            {"predictions": PREDICTIONS[start:], "references": REFERENCES[start:]}
            if start < 10
            else {}
        )
        with pytest.raises(ArithmeticError, match="the cat a sat"):
            metric.compute(**rest, tokenizer=boom)
        assert len(metric) == 0
        assert files_of(metric) == []

        began = time.perf_counter()
        assert metric.compute(predictions=PREDICTIONS, references=REFERENCES) == right
        metric.add_batch(predictions=PREDICTIONS, references=REFERENCES)
        assert metric.compute() == right
        assert (
            time.perf_counter() - began < 0.5
        )  # evaluate waits a second for a lock that was not released
    assert files_of(metric) == []
    pickle.dumps(metric)


def test_another_object_does_not_wait(load, name):
    """Neither while the first one holds data nor after an error."""
    first, second = load(name), load(name)
    first.add_batch(predictions=PREDICTIONS, references=REFERENCES)
    began = time.perf_counter()
    second.add_batch(predictions=PREDICTIONS, references=REFERENCES)
    with pytest.raises(ArithmeticError):
        first.compute(tokenizer=boom)
    assert second.compute() == expected(second)
    assert time.perf_counter() - began < 0.5


def test_nothing_is_written(metric, tmp_path):
    """Not even a folder: what was added stays in memory."""
    metric.compute(predictions=PREDICTIONS, references=REFERENCES)
    metric.add_batch(predictions=PREDICTIONS, references=REFERENCES)
    metric.compute()
    metric.add(prediction=PREDICTIONS[0], reference=REFERENCES[0])
    with pytest.raises(ArithmeticError):
        metric.compute(tokenizer=boom)
    assert list(tmp_path.rglob("*")) == []


def test_compute_alone_while_another_object_holds_data(load, name):
    holder, metric = load(name), load(name)
    holder.add_batch(predictions=PREDICTIONS, references=REFERENCES)
    began = time.perf_counter()
    assert metric.compute(predictions=PREDICTIONS[:3], references=REFERENCES[:3]) == expected(
        metric, PREDICTIONS[:3], REFERENCES[:3]
    )
    assert time.perf_counter() - began < 0.5
    assert holder.compute() == expected(holder)


# --- copies, several objects, several processes and threads ---------------------------------------


@pytest.mark.parametrize(
    "copied",
    [
        lambda metric: pickle.loads(pickle.dumps(metric)),
        lambda metric: dill.loads(dill.dumps(metric)),
        copy.deepcopy,
    ],
)
@pytest.mark.parametrize("keep_in_memory", [False, True])
@pytest.mark.parametrize("after", ["load", "compute", "add and compute", "error"])
def test_copies(load, name, copied, keep_in_memory, after):
    metric = load(name, keep_in_memory=keep_in_memory)
    if after == "compute":
        metric.compute(predictions=PREDICTIONS, references=REFERENCES)
    elif after != "load":
        metric.add_batch(predictions=PREDICTIONS, references=REFERENCES)
        if after == "error":
            with pytest.raises(ArithmeticError):
                metric.compute(tokenizer=boom)
        else:
            metric.compute()
    other = copied(metric)
    other.add_batch(predictions=PREDICTIONS[:4], references=REFERENCES[:4])
    assert (len(metric), len(other)) == (0, 4)  # they share nothing
    assert metric.compute(predictions=PREDICTIONS, references=REFERENCES) == expected(metric)
    assert other.compute(predictions=PREDICTIONS[4:], references=REFERENCES[4:]) == expected(metric)
    assert files_of(metric) == []


def test_two_objects_with_data(load, name):
    first, second = load(name), load(name)
    first.add_batch(predictions=PREDICTIONS[:5], references=REFERENCES[:5])
    second.add_batch(predictions=PREDICTIONS[5:], references=RAGGED[5:])
    first.add(prediction=PREDICTIONS[5], reference=REFERENCES[5])
    second.add(prediction="", reference="a")
    assert first.compute() == expected(first, PREDICTIONS[:6], REFERENCES[:6])
    assert second.compute() == expected(second, [*PREDICTIONS[5:], ""], [*RAGGED[5:], ["a"]])
    assert files_of(first) == []


def test_threads(load, name):
    """`compute` with predictions and references keeps nothing in the object, so that one may serve
    several threads.
    """
    metric = load(name)
    corpora = [
        (PREDICTIONS[i:] + PREDICTIONS[: i // 2], RAGGED[: 10 - i + i // 2]) for i in range(10)
    ]
    right = [
        metric.compute(predictions=predictions, references=references, **OPTIONS[name])
        for predictions, references in corpora
    ]
    assert len({str(result) for result in right}) == 10

    def compute(number):
        predictions, references = corpora[number % 10]
        if number % 7 == 3:  # an error in one thread is nothing to the others
            with pytest.raises(ArithmeticError):
                metric.compute(predictions=predictions, references=references, tokenizer=boom)
        return metric.compute(predictions=predictions, references=references, **OPTIONS[name])

    with ThreadPoolExecutor(4) as pool:
        for number, result in enumerate(pool.map(compute, range(120))):
            assert result == right[number % 10]


# --- with the rest of evaluate --------------------------------------------------------------------


def test_combine(load):
    rouge, bleu = load("rouge_full"), load("bleu_full")
    both = {
        **load("rouge_full").compute(predictions=PREDICTIONS, references=RAGGED),
        **load("bleu_full").compute(predictions=PREDICTIONS, references=RAGGED),
    }
    combined = evaluate.combine([rouge, bleu])
    assert combined.compute(predictions=PREDICTIONS, references=RAGGED) == both
    combined.add_batch(predictions=PREDICTIONS[:5], references=RAGGED[:5])
    for prediction, references in zip(PREDICTIONS[5:], RAGGED[5:], strict=True):
        combined.add(prediction, references)
    assert combined.compute() == both
    with pytest.raises(TypeError, match=r"predictions\[1\] must be a string"):
        combined.compute(predictions=["a", None], references=["a", "b"])
    assert combined.compute(predictions=PREDICTIONS, references=RAGGED) == both


def test_combine_by_path_and_name():
    combined = evaluate.combine(
        {
            "rouge": evaluate.load(str(ROOT / "rouge_full.py")),
            "bleu": evaluate.load(str(ROOT / "bleu_full.py")),
        }
    )
    result = combined.compute(
        predictions=["a b c d"], references=["a b c d"], use_aggregator=True, tokenizer="whitespace"
    )
    assert (result["rouge1"], result["bleu"]) == (1.0, 1.0)
    assert (
        evaluate.combine([str(ROOT / "rouge_full.py")]).compute(
            predictions=["a"], references=["a"]
        )["rouge1"]
        == 1.0
    )


def test_save(tmp_path, metric, name):
    for options in ({}, {"use_aggregator": False}, {"zero_division": math.nan}):
        result = metric.compute(predictions=["", "a b"], references=["", "a c"], **options)
        path = evaluate.save(tmp_path / "result.json", experiment=name, **result)
        saved = json.loads(path.read_text())
        assert repr({key: saved[key] for key in result}) == repr(
            result
        )  # as text, since NaN differs from itself


def test_module_info(metric, name):
    assert metric.name == name
    assert metric.module_type == "metric"
    assert "Args:" in metric.inputs_description
    for method in (metric.compute, metric.add, metric.add_batch):
        assert metric.inputs_description in method.__doc__
    assert len(metric.features) == 4
    assert name in repr(metric)


def test_a_seed_does_not_matter(load, name):
    results = [
        load(name, seed=seed).compute(predictions=PREDICTIONS, references=RAGGED, **OPTIONS[name])
        for seed in (None, 0, 1, 2**31)
    ]
    assert all(result == results[0] for result in results)


# --- options that do not go with the data ---------------------------------------------------------


def test_an_option_that_does_not_go_with_what_was_added_loses_nothing(load):
    metric = load("rouge_full")
    metric.add_batch(predictions=[["a", "b"]], references=[["a", "c"]])
    with pytest.raises(ValueError, match=r"^max_bytes needs texts, got lists of tokens$"):
        metric.compute(max_bytes=4)
    assert metric.compute(rouge_types=["rouge1"]) == {"rouge1": 0.5}
