"""`n_jobs`: several workers score parts of a corpus, and the result is that of one, bit for bit.

They are forks (`workers/test_forks.py`) or programs (`workers/test_programs.py`).
"""

import itertools
import multiprocessing
import os
import pickle
import sys
import threading
from unittest.mock import MagicMock

import evaluate
import pyarrow as pa
import pytest

from helpers.jobs import SMALL_PARTS, all_copies, modules_with, random_corpus
from rouge_bleu import corpus as corpus_module
from rouge_bleu._bleu.options import BLEU_PRESETS, BleuOptions
from rouge_bleu._rouge.options import RougeOptions
from rouge_bleu._rouge.presets import ROUGE_PRESETS
from rouge_bleu.corpus import checked_corpus
from rouge_bleu.data import chunks
from rouge_bleu.data.chunks import n_workers_of_jobs, results_of_chunks
from rouge_bleu.data.workers import forks
from rouge_bleu.data.workers.forks import can_fork

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
PRESETS = {"rouge_full": ROUGE_PRESETS, "bleu_full": BLEU_PRESETS}
CASES = [(name, options) for name, cases in OPTIONS.items() for options in cases]
# Forks deliver whatever there is; what programs are sent and deliver is pickled.
CASES_OF_WAYS = [
    *(("forks", name, options) for name, options in CASES),
    *(("programs", name, options) for name, options in CASES),
    *(("programs", name, {"preset": one}) for name, presets in PRESETS.items() for one in presets),
]


@pytest.fixture
def small_parts(monkeypatch, rouge_full, bleu_full):
    """Chunks of some items, so that a small corpus has many, and is worth several workers."""
    for name, value in SMALL_PARTS.items():
        for module in modules_with(name):
            monkeypatch.setattr(module, name, value)


def results_by_pickle(n_tasks, function, arguments, task, n_workers):
    """What programs would send and deliver, in this process; it takes a second to start one."""

    def sent(what):
        return pickle.loads(pickle.dumps(what))

    failed = []
    for number in reversed(range(n_tasks)):
        try:
            yield number, sent(sent(function)(*sent(arguments(number))))
        except ValueError:
            failed.append(number)
    for number in reversed(failed):
        yield number, task(number)


@pytest.fixture(params=["forks", "programs"])
def way(request, monkeypatch, rouge_full, bleu_full):
    """How workers work."""
    if request.param == "programs":
        for module in all_copies("chunks"):
            monkeypatch.setattr(module, "can_fork", lambda: False)
            monkeypatch.setattr(module, "results_of_programs", results_by_pickle)
    elif not can_fork():
        pytest.skip("forks are for Linux")
    return request.param


@pytest.fixture
def started(monkeypatch, way):
    """How many workers there were in each call."""
    counted = []
    for module in all_copies("chunks"):
        start = getattr(module, f"results_of_{way}")

        def results(*given, start=start):
            counted.append(given[-1])
            return start(*given)

        monkeypatch.setattr(module, f"results_of_{way}", results)
    return counted


@pytest.mark.parametrize(("way", "name", "options"), CASES_OF_WAYS, indirect=["way"])
def test_result_is_that_of_one_worker(request, small_parts, started, name, options):
    metric = request.getfixturevalue(name)
    corpus = random_corpus(20)  # some 6 parts
    alone = repr(metric.compute(**corpus, **options))
    assert repr(metric.compute(**corpus, **options, n_jobs=3)) == alone
    assert started == [3]


def test_statistics_of_a_batch_are_those_of_one_worker(metric, small_parts, started):
    """Several workers are at work, as the chunks of a batch are shared out."""
    batch = pa.table(random_corpus(60))
    alone = metric.batch_statistics(batch)
    assert metric.batch_statistics(batch, n_jobs=3) == alone
    assert started == [3]


@pytest.mark.skipif(not can_fork(), reason="forks are for Linux")
def test_forks_deliver(metric, small_parts, monkeypatch, together):
    """What they do not deliver would be scored by this process as well, with the same result."""
    here, delivered = [], []

    def results_of_forks(n_tasks, task, n_workers):
        def counted(number):
            here.append(number)
            return task(number)

        for result in forks.results_of_forks(n_tasks, together(counted, n_workers), n_workers):
            delivered.append(result)
            yield result

    for module in all_copies("chunks"):
        monkeypatch.setattr(module, "results_of_forks", results_of_forks)
    metric.compute(**random_corpus(60), n_jobs=3)
    assert len(delivered) >= 6
    assert 1 <= len(here) <= len(delivered) - 2


def test_daemonic_processes_have_workers_too(rouge_full, small_parts, started, monkeypatch):
    """As those of a DataLoader are, which may have no children by multiprocessing."""
    alone = rouge_full.compute(**random_corpus(40))
    monkeypatch.setitem(multiprocessing.current_process()._config, "daemon", True)
    assert rouge_full.compute(**random_corpus(40), n_jobs=3) == alone
    assert started == [3]


@pytest.mark.parametrize("argument", ["tokenizer", "stemmer", "sentence_splitter"])
def test_functions_of_the_user_are_called_by_the_caller(rouge_full, small_parts, way, argument):
    """In its process and its thread."""
    threads = set()
    functions = {"tokenizer": str.split, "stemmer": str.lower, "sentence_splitter": str.splitlines}

    def function(text):
        threads.add((os.getpid(), threading.get_ident()))
        return functions[argument](text)

    rouge_full.compute(**random_corpus(100), n_jobs=4, **{argument: function})
    assert threads == {(os.getpid(), threading.get_ident())}


@pytest.mark.parametrize("bad", [0, 70])
def test_error_is_that_of_one_worker(rouge_full, small_parts, way, bad):
    """It names the item by its place in the whole corpus; of several, the first one."""
    corpus = random_corpus(90)
    for item in (bad, 89):
        corpus["references"][item][0] = "..."
    options = {"preset": "rouge-1.5.5", "rouge_types": ["rougeW"]}
    for n_jobs in (1, 3):
        with pytest.raises(ValueError, match=rf"^references\[{bad}\]\[0\] has no tokens"):
            rouge_full.compute(**corpus, **options, n_jobs=n_jobs)


def test_programs_deliver(small_parts, monkeypatch, bleu_full):
    """This process waits until one has."""
    metric, corpus = bleu_full, random_corpus(150)
    alone = metric.compute(**corpus, use_aggregator=False)
    is_third_sent, here = threading.Event(), []
    for module in all_copies("chunks"):
        start = module.results_of_programs

        def results(n_tasks, function, arguments, task, n_workers, start=start):
            sent = itertools.count(1)

            def counted_arguments(number):
                if next(sent) == 3:  # two are sent ahead
                    is_third_sent.set()
                return arguments(number)

            def counted_task(number):
                assert is_third_sent.wait(100)
                here.append(number)
                return task(number)

            return start(n_tasks, function, counted_arguments, counted_task, n_workers)

        monkeypatch.setattr(module, "can_fork", lambda: False)
        monkeypatch.setattr(module, "results_of_programs", results)
    assert repr(metric.compute(**corpus, use_aggregator=False, n_jobs=2)) == repr(alone)
    assert is_third_sent.is_set()
    assert len(here) <= len(set(here))


@pytest.fixture
def n_workers_of(monkeypatch):
    """Returns how many workers score a corpus of so many items, of ten characters each, or 1."""
    started = []

    def results(*given):
        started.append(given[-1])
        yield from enumerate([None] * given[0])

    for name, value in {
        "results_of_forks": results,
        "results_of_programs": results,
        "_n_cores": lambda: 64,
        "_MIN_CHARACTERS_OF_FORK": 10,
        "_MIN_CHARACTERS_OF_PROGRAM": 10,
    }.items():
        monkeypatch.setattr(chunks, name, value)
    monkeypatch.setattr(corpus_module, "_MIN_PART_CHARACTERS", 10)

    def n_workers(n_items, n_jobs):
        started.clear()
        corpus = checked_corpus(["four"] * n_items, ["fiver"] * n_items)
        assert corpus.n_characters == 10 * n_items  # 4 + 5 characters, and 1 for the item
        results_of_chunks(corpus, lambda *_: None, n_jobs)
        return sum(started) or 1

    return n_workers


@pytest.mark.parametrize(("is_fork", "kind"), [(True, "FORK"), (False, "PROGRAM")])
def test_a_small_corpus_is_scored_here(monkeypatch, n_workers_of, is_fork, kind):
    """Two workers are worth the start where each has its characters, and no more than that."""
    monkeypatch.setattr(chunks, "can_fork", lambda: is_fork)
    monkeypatch.setattr(chunks, f"_MIN_CHARACTERS_OF_{kind}", 1000)
    n_items = (9, 199, 200, 299, 300, 2000)
    assert [n_workers_of(n, 4) for n in n_items] == [1, 1, 2, 2, 3, 4]


def test_no_more_workers_than_cores(monkeypatch, n_workers_of):
    monkeypatch.setattr(chunks, "_n_cores", lambda: 3)
    assert [n_workers_of(1000, n_jobs) for n_jobs in (1, 2, 3, 4, 64)] == [1, 2, 3, 3, 3]


def test_where_nothing_can_be_started_one_process_works(monkeypatch, n_workers_of):
    monkeypatch.setattr(chunks, "can_fork", lambda: False)
    monkeypatch.setattr(chunks, "can_start_programs", lambda: False)
    assert n_workers_of(1000, 4) == 1


def test_the_bar_moves_with_each_part(monkeypatch):
    """Parts are done in any order."""
    tqdm = MagicMock()
    monkeypatch.setattr(evaluate.utils.logging, "tqdm", tqdm)
    results = [(2, "c"), (0, "a"), (1, "b")]
    assert list(chunks._with_bar(iter(results), [(0, 10), (10, 11), (11, 31)])) == results
    assert tqdm.call_args.kwargs["total"] == 31
    moves = tqdm.return_value.__enter__.return_value.update.call_args_list
    assert [move.args for move in moves] == [(20,), (10,), (1,)]


@pytest.mark.parametrize("kind", [RougeOptions, BleuOptions])
def test_tokenizers_of_sacrebleu_have_one_worker(kind):
    """What they keep may not be made for several."""
    names = ("rouge_score", "unicode", "13a", "whitespace", "char", "intl", "zh", str.split)
    n_workers = [kind(tokenizer=name, n_jobs=4).n_workers for name in names]
    assert n_workers == [4, 4, 4, 4, 4, 1, 1, 1]


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="needs sched_getaffinity")
def test_cores_are_those_that_the_process_may_use(monkeypatch):
    """Not those of the machine, which a container with a limit sees too."""
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {0, 1, 2})
    assert [n_workers_of_jobs(n) for n in (1, 7, -1, -2, -3, -9)] == [1, 7, 3, 2, 1, 1]
    monkeypatch.delattr(os, "sched_getaffinity")
    assert chunks.n_workers_of_jobs(-1) == 64


@pytest.mark.parametrize(("n_workers", "limit"), [(2, 10**9), (3, 75_000), (8, 75_000)])
def test_workers_have_as_many_chunks_each(monkeypatch, n_workers, limit):
    """At least three, of the same size, so that both of two workers are at work to the end."""
    monkeypatch.setattr(corpus_module, "_CHUNK_CHARACTERS", limit)
    monkeypatch.setattr(corpus_module, "_MIN_PART_CHARACTERS", 300)
    corpus = checked_corpus(**random_corpus(2000))
    ranges = corpus.chunks(n_workers)
    assert len(ranges) % n_workers == 0
    assert len(ranges) >= 3 * n_workers
    characters = [sum(map(len, corpus.texts_of_items(*some)[0])) for some in ranges]
    assert max(characters) <= min(limit, 1.02 * corpus.n_characters / len(ranges))


def test_parts_are_more_than_workers_and_not_too_small(monkeypatch):
    monkeypatch.setattr(corpus_module, "_CHUNK_CHARACTERS", 10**9)
    monkeypatch.setattr(corpus_module, "_MIN_PART_CHARACTERS", 300)
    corpus = checked_corpus(**random_corpus(100))
    assert len(corpus.chunks()) == 1
    assert len(corpus.chunks(8)) >= 8
    monkeypatch.setattr(corpus_module, "_MIN_PART_CHARACTERS", 10**9)
    assert len(corpus.chunks(8)) == 1


def test_linux_forks():
    """Elsewhere what this says leaves out the tests of forks."""
    assert can_fork() == sys.platform.startswith("linux")
