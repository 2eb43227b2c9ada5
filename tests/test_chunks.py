"""Work in chunks of items: a progress bar on long corpora, as evaluate is set, and never on short
ones.
"""

import evaluate
import pytest
from full_metrics import chunks
from full_metrics import corpus as corpus_module
from full_metrics.bleu_options import BleuOptions
from full_metrics.bleu_scorer import bleu
from full_metrics.corpus import checked_corpus
from full_metrics.rouge_options import RougeOptions
from full_metrics.rouge_scorer import rouge

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
    monkeypatch.setattr(chunks, "_SECONDS_BEFORE_BAR", 0)


@pytest.fixture
def without_bars():
    evaluate.disable_progress_bar()
    yield
    evaluate.enable_progress_bar()


@SCORERS
def test_a_long_corpus_has_a_bar(score, small_chunks, capfd):
    score(checked_corpus(TEXTS, TEXTS))
    assert "/40 [" in capfd.readouterr().err


@SCORERS
def test_evaluate_can_switch_it_off(score, small_chunks, without_bars, capfd):
    score(checked_corpus(TEXTS, TEXTS))
    assert capfd.readouterr().err == ""


@SCORERS
def test_a_short_corpus_has_none(score, small_chunks, capfd):
    score(checked_corpus(TEXTS[:4], TEXTS[:4]))
    assert capfd.readouterr().err == ""


@SCORERS
def test_a_corpus_that_is_done_soon_has_none(score, small_chunks, monkeypatch, capfd):
    monkeypatch.setattr(chunks, "_SECONDS_BEFORE_BAR", 60)
    score(checked_corpus(TEXTS, TEXTS))
    assert capfd.readouterr().err == ""
