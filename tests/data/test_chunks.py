"""Work in chunks of items: a progress bar on long corpora, as evaluate is set, and never on short
ones.
"""

import re

import evaluate
import numpy as np
import pytest

from rouge_bleu import corpus as corpus_module
from rouge_bleu._bleu.options import BleuOptions
from rouge_bleu._bleu.scorer import bleu
from rouge_bleu._rouge.options.checked import RougeOptions
from rouge_bleu._rouge.scorer import rouge
from rouge_bleu._rouge.scores import MULTI_REFERENCES
from rouge_bleu.corpus import checked_corpus
from rouge_bleu.data import chunks

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
    """It counts items, and then goes away."""
    score(checked_corpus(TEXTS, TEXTS))
    shown = capfd.readouterr().err
    counts = [int(count) for count in re.findall(r"(\d+)/40 \[", shown)]
    assert counts == sorted(counts)
    assert counts[0] == 0
    assert counts[-1] <= 40
    assert "items/s" in shown
    assert shown.rpartition("\r")[2].strip() == ""


@SCORERS
def test_no_bar_is_drawn_soon_or_where_evaluate_has_switched_it_off(
    score, small_chunks, without_bars, monkeypatch, capfd
):
    score(checked_corpus(TEXTS, TEXTS))
    evaluate.enable_progress_bar()
    monkeypatch.setattr(chunks, "_SECONDS_BEFORE_BAR", 60)
    score(checked_corpus(TEXTS, TEXTS))
    assert capfd.readouterr().err == ""


@SCORERS
@pytest.mark.parametrize(("n_chunks", "has_bar"), [(7, False), (8, True)])
def test_a_bar_from_8_chunks_on(score, n_chunks, has_bar, small_chunks, monkeypatch, capfd):
    """Texts of 22 characters, so that each item is a chunk of its own in 30."""
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
