"""A corpus in chunks, by one process or several: the result is the same, bit for bit.

What happens to forks is in test_parallel.py.
"""

import multiprocessing
import os
import re
import threading

import evaluate
import numpy as np
import pyarrow as pa
import pytest

from helpers.forks import is_fork
from helpers.jobs import SMALL_PARTS, all_copies, modules_with, random_corpus
from rouge_bleu import corpus as corpus_module
from rouge_bleu import parallel
from rouge_bleu._bleu.options import BleuOptions
from rouge_bleu._bleu.scorer import bleu
from rouge_bleu._rouge.options import MULTI_REFERENCES, RougeOptions
from rouge_bleu._rouge.scorer import rouge
from rouge_bleu.corpus import checked_corpus
from rouge_bleu.parallel import n_workers_of_jobs, results_of_chunks

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
NEEDS_FORKS = pytest.mark.skipif(not parallel._CAN_FORK, reason="forks are for Linux")


@pytest.fixture
def small_parts(monkeypatch, rouge_full, bleu_full):
    """Chunks of some examples, so that a small corpus has many, and is worth several workers."""
    for name, value in SMALL_PARTS.items():
        for module in modules_with(name):
            monkeypatch.setattr(module, name, value)


@pytest.fixture
def started(monkeypatch, rouge_full, bleu_full):
    """How many workers there were in each call."""
    counted = []
    for module in all_copies("parallel"):

        def results(task, n_tasks, n_workers, show, results=module._results):
            counted.append(n_workers)
            return results(task, n_tasks, n_workers, show)

        monkeypatch.setattr(module, "_results", results)
    return counted


@NEEDS_FORKS
@pytest.mark.parametrize(("name", "options"), CASES)
def test_result_is_that_of_one_worker(request, small_parts, started, name, options):
    metric = request.getfixturevalue(name)
    corpus = random_corpus(20)  # some 6 parts
    alone = repr(metric.compute(**corpus, **options))
    assert repr(metric.compute(**corpus, **options, n_jobs=3)) == alone
    assert started == [1, 3]


@NEEDS_FORKS
def test_statistics_of_a_batch_are_those_of_one_worker(metric, small_parts, started):
    batch = pa.table(random_corpus(60))
    alone = metric.batch_statistics(batch)
    assert metric.batch_statistics(batch, n_jobs=3) == alone
    assert started == [1, 3]


@NEEDS_FORKS
def test_forks_deliver(metric, small_parts, monkeypatch, together):
    """What they do not deliver would be scored by this process as well, with the same result."""
    here, all_tasks = [], []
    for module in all_copies("parallel"):

        def results(task, n_tasks, n_workers, show, results=module._results):
            def counted(number):
                if not is_fork():
                    here.append(number)
                return task(number)

            all_tasks.append(n_tasks)
            return results(together(counted, n_workers), n_tasks, n_workers, show)

        monkeypatch.setattr(module, "_results", results)
    metric.compute(**random_corpus(60), n_jobs=3)
    assert len(here) <= -(-all_tasks[0] // 3)


def test_daemonic_processes_have_workers_too(rouge_full, small_parts, started, monkeypatch):
    """As those of a DataLoader are, which may have no children by multiprocessing."""
    alone = rouge_full.compute(**random_corpus(40))
    monkeypatch.setitem(multiprocessing.current_process()._config, "daemon", True)
    assert rouge_full.compute(**random_corpus(40), n_jobs=3) == alone
    assert started == [1, 3]


@pytest.mark.parametrize("argument", ["tokenizer", "stemmer", "sentence_splitter"])
def test_functions_of_the_user_are_called_by_the_caller(rouge_full, small_parts, argument):
    """In its process and its thread."""
    threads = set()
    functions = {"tokenizer": str.split, "stemmer": str.lower, "sentence_splitter": str.splitlines}

    def function(text):
        threads.add((os.getpid(), threading.get_ident()))
        return functions[argument](text)

    rouge_full.compute(**random_corpus(100), n_jobs=4, **{argument: function})
    assert threads == {(os.getpid(), threading.get_ident())}


@pytest.mark.parametrize("bad", [0, 70])
def test_error_is_that_of_one_worker(rouge_full, small_parts, bad):
    """It names the item by its place in the whole corpus; of several, the first one."""
    corpus = random_corpus(90)
    for item in (bad, 89):
        corpus["references"][item][0] = "..."
    options = {"preset": "rouge-1.5.5", "rouge_types": ["rougeW"]}
    for n_jobs in (1, 3):
        with pytest.raises(ValueError, match=rf"^references\[{bad}\]\[0\] has no tokens"):
            rouge_full.compute(**corpus, **options, n_jobs=n_jobs)


@pytest.fixture
def n_workers_of(monkeypatch):
    """Returns how many workers score a corpus of so many examples, of ten characters each."""
    for name, value in {"_CAN_FORK": True, "_n_cores": lambda: 64}.items():
        monkeypatch.setattr(parallel, name, value)
    monkeypatch.setattr(parallel, "_LEAST_WORKER_CHARACTERS", 10)
    monkeypatch.setattr(corpus_module, "_LEAST_CHUNK_CHARACTERS", 10)
    monkeypatch.setattr(parallel, "_results", lambda task, n_tasks, n_workers, show: n_workers)

    def n_workers(n_items, n_jobs):
        corpus = checked_corpus(["four"] * n_items, ["fiver"] * n_items)
        assert corpus.n_characters == 10 * n_items  # 4 + 5 characters, and 1 for the example
        found = results_of_chunks(corpus, lambda *_: None, n_jobs)
        return 1 if found == [None] else found  # a single chunk is scored at once

    return n_workers


def test_a_small_corpus_is_scored_here(monkeypatch, n_workers_of):
    """Two workers are worth the start where each has its characters, and no more than that."""
    monkeypatch.setattr(parallel, "_LEAST_WORKER_CHARACTERS", 1000)
    n_items = (9, 199, 200, 299, 300, 2000)
    assert [n_workers_of(n, 4) for n in n_items] == [1, 1, 2, 2, 3, 4]


def test_no_more_workers_than_cores(monkeypatch, n_workers_of):
    monkeypatch.setattr(parallel, "_n_cores", lambda: 3)
    assert [n_workers_of(1000, n_jobs) for n_jobs in (1, 2, 3, 4, 64)] == [1, 2, 3, 3, 3]


def test_where_forks_are_not_safe_one_process_works(monkeypatch, n_workers_of):
    monkeypatch.setattr(parallel, "_CAN_FORK", False)
    assert n_workers_of(1000, 4) == 1


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
    monkeypatch.setattr(parallel, "_CAN_FORK", False)  # as where there is no sched_getaffinity
    assert parallel.n_workers_of_jobs(-1) == 64


@pytest.mark.parametrize(("n_workers", "limit"), [(2, 10**9), (3, 75_000), (8, 75_000)])
def test_workers_have_as_many_chunks_each(monkeypatch, n_workers, limit):
    """At least three, of the same size, so that both of two workers are at work to the end."""
    monkeypatch.setattr(corpus_module, "_CHUNK_CHARACTERS", limit)
    monkeypatch.setattr(corpus_module, "_LEAST_CHUNK_CHARACTERS", 300)
    corpus = checked_corpus(**random_corpus(2000))
    ranges = corpus.chunks(n_workers)
    assert len(ranges) % n_workers == 0
    assert len(ranges) >= 3 * n_workers
    characters = [sum(map(len, corpus.texts_of_items(*some)[0])) for some in ranges]
    assert max(characters) <= min(limit, 1.02 * corpus.n_characters / len(ranges))


def test_parts_are_more_than_workers_and_not_too_small(monkeypatch):
    monkeypatch.setattr(corpus_module, "_CHUNK_CHARACTERS", 10**9)
    monkeypatch.setattr(corpus_module, "_LEAST_CHUNK_CHARACTERS", 300)
    corpus = checked_corpus(**random_corpus(100))
    assert len(corpus.chunks()) == 1
    assert len(corpus.chunks(8)) >= 8
    monkeypatch.setattr(corpus_module, "_LEAST_CHUNK_CHARACTERS", 10**9)
    assert len(corpus.chunks(8)) == 1


# --- chunks --------------------------------------------------------------------------------------

TEXTS = ["the cat sat on the mat"] * 40


SCORERS = pytest.mark.parametrize(
    "score",
    [lambda corpus: rouge(corpus, RougeOptions()), lambda corpus: bleu(corpus, BleuOptions())],
    ids=["rouge", "bleu"],
)


@pytest.fixture
def small_chunks(monkeypatch):
    """40 texts are a long corpus here, of 10 chunks or more, and a bar is drawn at once."""
    monkeypatch.setattr(corpus_module, "_CHUNK_CHARACTERS", 200)
    monkeypatch.setattr(parallel, "_SECONDS_BEFORE_BAR", 0)


@pytest.fixture
def without_bars():
    evaluate.disable_progress_bar()
    yield
    evaluate.enable_progress_bar()


@SCORERS
def test_a_long_corpus_has_a_bar(score, small_chunks, capfd):
    """It counts items, and then goes away."""
    score(checked_corpus(TEXTS, TEXTS))
    shown = capfd.readouterr().err
    counts = [int(count) for count in re.findall(r"(\d+)/40 \[", shown)]
    assert counts == sorted(counts)
    assert counts[0] == 0
    assert counts[-1] <= 40
    assert "examples/s" in shown
    assert shown.rpartition("\r")[2].strip() == ""


@SCORERS
def test_no_bar_is_drawn_soon_or_where_evaluate_has_switched_it_off(
    score, small_chunks, without_bars, monkeypatch, capfd
):
    score(checked_corpus(TEXTS, TEXTS))
    evaluate.enable_progress_bar()
    monkeypatch.setattr(parallel, "_SECONDS_BEFORE_BAR", 60)
    score(checked_corpus(TEXTS, TEXTS))
    assert capfd.readouterr().err == ""


@SCORERS
@pytest.mark.parametrize(("n_chunks", "has_bar"), [(7, False), (8, True)])
def test_a_bar_from_8_chunks_on(score, n_chunks, has_bar, small_chunks, monkeypatch, capfd):
    """Texts of 22 characters, so that each item is a separate chunk in 30."""
    monkeypatch.setattr(corpus_module, "_CHUNK_CHARACTERS", 30)
    corpus = checked_corpus(TEXTS[:n_chunks], TEXTS[:n_chunks])
    assert len(corpus.chunks()) == n_chunks
    score(corpus)
    assert (f"/{n_chunks} [" in capfd.readouterr().err) == has_bar


def test_more_than_one_chunk_is_two(monkeypatch):
    """Two pairs of 44 characters, in chunks of 60."""
    monkeypatch.setattr(corpus_module, "_CHUNK_CHARACTERS", 60)
    assert checked_corpus(TEXTS[:2], TEXTS[:2]).chunks() == [(0, 1), (1, 2)]


@pytest.mark.parametrize("n_characters", [1, 40, 300])
@pytest.mark.parametrize("is_tokenized", [False, True])
@pytest.mark.parametrize("choice", MULTI_REFERENCES)
def test_items_with_1_5_9_references_in_chunks_of_their_own(
    monkeypatch, choice, is_tokenized, n_characters
):
    """An item is not cut, however many references it has, and takes those of no other item."""
    rng = np.random.default_rng(3)

    def text():
        words = rng.choice(list("abcd"), rng.integers(0, 9)).tolist()
        return words if is_tokenized else " ".join(words)

    n_references = [1, 5, 9, 1, 13, 1, 1, 5, 17, 1]
    predictions = [text() for _ in n_references]
    references = [[text() for _ in range(n)] for n in n_references]
    corpus = checked_corpus(predictions, references)
    rouge_options = RougeOptions(multi_reference=choice, use_aggregator=False, output="all")
    bleu_options = BleuOptions(use_aggregator=False, smoothing="exp")
    whole = rouge(corpus, rouge_options), bleu(corpus, bleu_options)
    monkeypatch.setattr(corpus_module, "_CHUNK_CHARACTERS", n_characters)
    if n_characters == 1:
        assert len(corpus.chunks()) == len(n_references)
    assert (rouge(corpus, rouge_options), bleu(corpus, bleu_options)) == whole
    alone = [
        rouge(checked_corpus([prediction], [texts]), rouge_options)
        for prediction, texts in zip(predictions, references, strict=True)
    ]
    assert whole[0] == {key: [item[key][0] for item in alone] for key in whole[0]}
