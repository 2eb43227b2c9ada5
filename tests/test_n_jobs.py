"""`n_jobs`: threads score parts of a corpus, and the result is that of one thread, bit for bit."""

import itertools
import os
import sys
import threading

import numpy as np
import pytest
from full_metrics import chunks
from full_metrics import corpus as corpus_module
from full_metrics.bleu_options import BleuOptions
from full_metrics.chunks import n_threads_of_jobs, results_of_chunks
from full_metrics.corpus import checked_corpus
from full_metrics.rouge_options import RougeOptions

WORDS = "the a cat sat on mat dog ran İ Straße well-known 3.14 end. , Why?".split()

OPTIONS = {
    "rouge_full": [
        {},
        {"output": "all", "use_aggregator": False, "multi_reference": "jackknife"},
        {"preset": "evaluate", "seed": 3},
        {"preset": "rouge-1.5.5", "confidence_level": 0.95, "n_resamples": 20},
        {"use_stemmer": True, "tokenizer": "unicode", "sentence_splitter": "sentences"},
    ],
    "bleu_full": [
        {},
        {"use_aggregator": False, "preset": "sacrebleu"},
        {"reference_length": "average", "smoothing": "chen-cherry-7"},
    ],
}
CASES = [(name, options) for name, cases in OPTIONS.items() for options in cases]


@pytest.fixture
def small_parts(monkeypatch):
    """Chunks of some items, so that a small corpus has many."""
    for module in all_copies("corpus"):
        monkeypatch.setattr(module, "_CHUNK_CHARACTERS", 2000)
        monkeypatch.setattr(module, "_MIN_PART_CHARACTERS", 500)


def all_copies(name):
    """The module as the tests import it, and the copies that `evaluate` made of it."""
    ends = (f"full_metrics.{name}",)
    return [
        module
        for path, module in list(sys.modules.items())
        if path in ends or (path.startswith("evaluate_modules") and path.endswith(f".{name}"))
    ]


def random_corpus(n_items, seed=0):
    rng = np.random.default_rng(seed)

    def text():
        return "".join(
            str(word) + ("\n" if rng.random() < 0.1 else " ")
            for word in rng.choice(WORDS, rng.integers(0, 40))
        )

    predictions = [text() for _ in range(n_items)]
    references = [[text() + "a" for _ in range(rng.integers(1, 4))] for _ in range(n_items)]
    return {"predictions": predictions, "references": references}


@pytest.mark.parametrize(("name", "options"), CASES)
@pytest.mark.filterwarnings("ignore:Most letters")
def test_result_is_that_of_one_thread(request, small_parts, name, options):
    metric = request.getfixturevalue(name)
    corpus = random_corpus(150)
    alone = metric.compute(**corpus, **options)
    assert repr(metric.compute(**corpus, **options, n_jobs=1)) == repr(alone)
    for n_jobs in (2, 5, -1):
        assert repr(metric.compute(**corpus, **options, n_jobs=n_jobs)) == repr(alone)


def test_threads_are_used(small_parts):
    """The first part waits until a second one has begun as well."""
    barrier = threading.Barrier(2, timeout=30)
    corpus = checked_corpus(**random_corpus(40))
    names, number = [], itertools.count()

    def score(first, end):
        if next(number) < 2:
            barrier.wait()
        names.append(threading.current_thread().name)
        return list(range(first, end))

    results = results_of_chunks(corpus, score, 2)
    assert [item for result in results for item in result] == list(range(40))
    assert len(set(names)) == 2
    assert threading.current_thread().name not in names


@pytest.mark.parametrize("argument", ["tokenizer", "stemmer", "sentence_splitter"])
def test_functions_of_the_user_are_called_in_the_callers_thread(rouge_full, small_parts, argument):
    threads = set()
    functions = {"tokenizer": str.split, "stemmer": str.lower, "sentence_splitter": str.splitlines}

    def function(text):
        threads.add(threading.get_ident())
        return functions[argument](text)

    rouge_full.compute(**random_corpus(60), n_jobs=4, **{argument: function})
    assert threads == {threading.get_ident()}


def test_error_of_a_part_ends_the_work(small_parts):
    """The second thread goes on only when the error is known; no other part begins then."""
    corpus = checked_corpus(**random_corpus(200))
    begun, is_raised = [], threading.Event()

    def score(first, end):
        begun.append(first)
        if first == 0:
            threading.Timer(0.5, is_raised.set).start()
            raise ArithmeticError("first part")
        is_raised.wait(30)

    assert len(corpus.chunks(8)) > 20
    with pytest.raises(ArithmeticError, match="first part"):
        results_of_chunks(corpus, score, 2)
    assert len(begun) <= 3


@pytest.mark.parametrize(("name", "options"), CASES)
@pytest.mark.filterwarnings("ignore:Most letters")
def test_option_makes_threads(request, small_parts, monkeypatch, name, options):
    metric, started = request.getfixturevalue(name), []
    pools = [module for module in all_copies("chunks") if module is not chunks]

    def pool(n_threads, start=chunks.ThreadPoolExecutor):
        started.append(n_threads)
        return start(n_threads)

    for module in pools:
        monkeypatch.setattr(module, "ThreadPoolExecutor", pool)
    metric.compute(**random_corpus(100), **options, n_jobs=3)
    assert started == [3]
    metric.compute(**random_corpus(100), **options)
    assert started == [3]


@pytest.mark.parametrize("kind", [RougeOptions, BleuOptions])
def test_tokenizers_of_sacrebleu_stay_in_one_thread(kind):
    """What they keep may not be made for several."""
    names = ("rouge_score", "unicode", "13a", "whitespace", "char", "intl", "zh", str.split)
    n_threads = [kind(tokenizer=name, n_jobs=4).n_threads for name in names]
    assert n_threads == [4, 4, 4, 4, 4, 1, 1, 1]


@pytest.mark.parametrize("value", [0, 1.0, "2", None, True])
@pytest.mark.parametrize("name", ["rouge_full", "bleu_full"])
def test_bad_values(request, name, value):
    with pytest.raises(ValueError, match="n_jobs must be an integer") as raised:
        request.getfixturevalue(name).compute(predictions=["a"], references=["a"], n_jobs=value)
    assert str(raised.value) == (
        f"n_jobs must be an integer from 1, or -1 for all cores, -2 for all but one, got {value!r}"
    )


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="needs sched_getaffinity")
def test_cores_are_those_that_the_process_may_use(monkeypatch):
    """Not those of the machine, which a container with a limit sees too."""
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {0, 1, 2})
    assert [n_threads_of_jobs(n) for n in (1, 7, -1, -2, -3, -9)] == [1, 7, 3, 2, 1, 1]
    monkeypatch.delattr(os, "sched_getaffinity")
    assert chunks.n_threads_of_jobs(-1) == 64


def test_parts_are_more_than_threads_and_not_too_small(monkeypatch):
    monkeypatch.setattr(corpus_module, "_CHUNK_CHARACTERS", 10**9)
    monkeypatch.setattr(corpus_module, "_MIN_PART_CHARACTERS", 300)
    corpus = checked_corpus(**random_corpus(100))
    assert len(corpus.chunks()) == 1
    assert len(corpus.chunks(8)) >= 8
    monkeypatch.setattr(corpus_module, "_MIN_PART_CHARACTERS", 10**9)
    assert len(corpus.chunks(8)) == 1
