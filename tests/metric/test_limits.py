"""What could raise or grow: numpy told to raise, counts of many orders, caches, long runs.

`np.seterr(all="raise")` is common where models are debugged. Scores go down to 1e-300 and NaN, so
that a step which is not guarded would raise.
"""

import copy
import gc
import math
import os
import pickle
import re
import threading
import tracemalloc
from contextlib import suppress

import numpy as np
import pyarrow as pa
import pytest

from helpers.items import boom
from helpers.option_sets import VALUES
from helpers.systems import needs_proc
from rouge_bleu._bleu.smoothing import SMOOTHINGS
from rouge_bleu._rouge.rules import MULTI_REFERENCES
from rouge_bleu.registry import BLEU_PRESETS as BLEU_PRESETS
from rouge_bleu.registry import ROUGE_PRESETS as ROUGE_PRESETS

MEGABYTE = 1 << 20

# --- numpy ----------------------------------------------------------------------------------------

CORPORA = {
    "all kinds": (
        ["the cat sat on a mat", "", "a", "x y z", "a b c d e f", "a b"],
        [["the cat sat on the mat"], ["a", ""], [""], ["a b", "x"], ["a b c d e f"], ["a b", ""]],
    ),
    "nothing at all": ([""], [["", ""]]),
    "nothing in the prediction": (["", ""], ["a b c", "a"]),
    "nothing in the reference": (["a b c", "a"], ["", ""]),
    "a penalty of exp(-1999)": (["0"], [" ".join(map(str, range(2000)))]),
    "nothing in common": (["a b c d e"], ["f g h i j"]),
}
# Options that scores are computed with, each of whose values is tried, and extreme values.
COMPUTED_WITH = ("beta", "reference_length", "smooth", "summary_lcs", "weights", "zero_division")
CASES = {
    "bleu_full": [
        *({"preset": preset} for preset in BLEU_PRESETS),
        *({"smoothing": name} for name in SMOOTHINGS),
        *({"smoothing": name, "preset": "nltk"} for name in SMOOTHINGS),
        *({"smooth": True, "effective_order": True}, {"weights": [1, 1e-300, 5e-324]}),
        *({"weights": [1e308, 1e308]}, {"weights": [300.0, 300.0], "preset": "nltk"}),
        *({"weights": {"a": [1], "b": [0, 0, 1]}, "effective_order": True}, {"max_order": 1000}),
        {"smoothing": "floor", "smoothing_value": 5e-324, "max_order": 40},
        {"smoothing": "exp", "max_order": 1000},  # 0.5 ** 1000 over the n-grams
        *({"smoothing": "add-k", "smoothing_value": value} for value in (1e308, 5e-324, 0)),
    ],
    "rouge_full": [
        *({"preset": preset} for preset in ROUGE_PRESETS),
        *({"multi_reference": one, "zero_division": math.nan} for one in MULTI_REFERENCES),
        *({"beta": beta} for beta in (5e-324, 1e-160, 1e140, 1e160, 1e308)),
        {"rouge_types": ["rougeW-20", "rougeW-1", "rouge1000", "rougeS", "rougeSU*"]},
        {"preset": "rouge-1.5.5", "rouge_types": ["rougeW-0.001", "rougeW-20", "rougeS"]},
        {"preset": "rouge-1.5.5", "confidence_level": 0.95, "n_resamples": 3},
        {"preset": "rouge-1.5.5", "corpus_average": "tokens", "n_resamples": 3},
        {"preset": "rouge-1.5.5", "corpus_average": "counts"},
    ],
}
for name, table in VALUES.items():
    CASES[name] += [{option: v} for option in COMPUTED_WITH for v in table.get(option, ())]


def outcome(metric, corpus, options, errors):
    """Return the result, or the error: for an empty reference the Perl script divides by zero, and
    resamples need an average.
    """
    predictions, references = corpus
    with np.errstate(all=errors):
        try:
            return repr(metric.compute(predictions=predictions, references=references, **options))
        except ValueError as error:
            if not re.search("has no tokens|has no effect with use_aggregator", str(error)):
                raise
            return str(error)


@pytest.mark.filterwarnings("ignore:The weights of")
@pytest.mark.parametrize(
    ("name", "options"),
    [(name, case) for name, cases in CASES.items() for case in cases],
    ids=lambda value: repr(value) if isinstance(value, dict) else value,
)
def test_numpy_may_be_set_to_raise(request, name, options):
    metric = request.getfixturevalue(name)
    for place, corpus in CORPORA.items():
        for use_aggregator in (True, False):
            call = metric, corpus, {**options, "use_aggregator": use_aggregator}
            assert outcome(*call, "raise") == outcome(*call, "ignore"), place


# --- memory ---------------------------------------------------------------------------------------


def traced(function):
    """The result of a function, the most memory that it took, and the memory that it left."""
    tracemalloc.start()
    try:
        result = function()
        return result, tracemalloc.get_traced_memory()[1], tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()


def test_orders_that_no_text_has_cost_nothing(bleu_full):
    """1,000 orders of 50,000 items of two words are 400 MB for each count alone; it used to take 1.4 GB. The
    numbers are those of three orders, followed by zeros.
    """
    texts = {"predictions": ["a b", "a c"] * 25_000, "references": ["a c", "a c"] * 25_000}

    def results(max_order):
        weights = {"two": [1, 1] + [0] * (max_order - 2), "all": [1] * max_order}
        by_length = {"smoothing": "exp", "effective_order": True}
        return [
            bleu_full.compute(**texts, max_order=max_order, **options)
            for options in ({"weights": weights}, by_length)
        ]

    few, few_by_length = results(3)
    (many, many_by_length), most, _ = traced(lambda: results(1000))
    assert 1 < most / MEGABYTE < 150
    assert many["two"] == few["two"] > 0
    assert many["all"] == few["all"] == 0
    assert many["precisions"] == [*few["precisions"], *[0.0] * 997]
    assert few["precisions"] == [3 / 4, 1 / 2, 0.0]  # "a" of "a b", all of "a c"
    assert many_by_length["bleu"] == pytest.approx(few_by_length["bleu"], rel=1e-14)


@pytest.mark.parametrize("options", [{}, {"output": "all"}, {"baseline_predictions": ["b a"] * 4}])
def test_resamples_of_many_orders_take_bounded_memory(bleu_full, options):
    """Sums of 1,000 orders and 20,000 resamples are 480 MB, and scores were kept with all precisions."""
    texts = {"predictions": ["a b"] * 4, "references": ["a b", "a c"] * 2}
    resamples = {"confidence_level": 0.9, "n_resamples": 20_000, "max_order": 1000}
    _, most, _ = traced(lambda: bleu_full.compute(**texts, **resamples, **options))
    assert 1 < most / MEGABYTE < 100


# --- what stays behind ----------------------------------------------------------------------------


def held(folder):
    """Return the numbers of objects, handles, threads, and files in the caches."""
    gc.collect()
    n_files = sum(len(files) for _, _, files in os.walk(folder))
    return np.array(
        [len(gc.get_objects()), len(os.listdir("/proc/self/fd")), threading.active_count(), n_files]
    )


@needs_proc
def test_nothing_grows(rouge_full, bleu_full):
    """One object that stayed behind in each round would be 30."""

    def rounds(numbers):
        for number in numbers:
            texts = [f"the cat {number} sat on a mat {place}" for place in range(4)]
            data = {"predictions": texts, "references": [[text, text[:12]] for text in texts]}
            for metric in (rouge_full, bleu_full):
                metric.compute(**data, signature=True)
                metric.compute(**data, baseline_predictions=texts, n_resamples=10)
                for options in ({}, {"tokenizer": boom}):
                    metric.add_batch(**data)
                    with suppress(ArithmeticError):
                        metric.compute(**options)
                metric.explain(prediction=texts[0], reference=texts[1])
                metric.fold([metric.batch_statistics(pa.table(data))])
                thread = threading.Thread(target=metric.compute, kwargs=data)
                thread.start()
                thread.join()
                pickle.loads(pickle.dumps(copy.deepcopy(metric))).compute(**data)

    rounds(range(10))
    before = held(os.environ["HF_HOME"])
    rounds(range(10, 40))
    grown = held(os.environ["HF_HOME"]) - before
    assert grown[0] < 30
    assert grown[1:].tolist() == [0, 0, 0]
