"""`stemmer` and `stopwords` against their textbook form."""

from itertools import chain

import numpy as np
import pytest

from helpers.repository import module_of
from helpers.rouge.corpora import random_corpus
from helpers.rouge.expected import assert_textbook, items_of, lines_of
from helpers.tokenizers import rouge_score_tokens


def one_score(rouge_full, prediction, reference, **options):
    """Return the precision of ROUGE-1 of one pair."""
    pair = {"predictions": [prediction], "references": [reference], "rouge_types": ["rouge1"]}
    return rouge_full.compute(**pair, output="precision", **options)["rouge1"]


# --- stemmer --------------------------------------------------------------------------------------


@pytest.mark.parametrize("tokenizer", [None, "rouge-1.5.5", "13a", "whitespace", str.split])
def test_the_stemmer_sees_each_distinct_token_once(rouge_full, monkeypatch, tokenizer):
    """For all rouge types together, also where sentences are tokenized by themselves, and over
    chunks.
    """
    monkeypatch.setattr(module_of(rouge_full, "corpus"), "_CHUNK_CHARACTERS", 100)
    corpus = random_corpus(4, 40, max_references=4)
    seen = []
    items_of(rouge_full, corpus, tokenizer=tokenizer, stemmer=lambda x: seen.append(x) or x[:1])
    assert len(seen) == len(set(seen)) > 5
    if tokenizer is None:
        texts = chain(corpus[0], *corpus[1])
        assert set(seen) == {token for text in texts for token in rouge_score_tokens(text)}


def test_stems_are_what_is_counted(rouge_full):
    def stems(line):
        return [token[:1] for token in rouge_score_tokens(line)]

    corpus = random_corpus(4, 40, max_references=4)
    assert_textbook(
        rouge_full, corpus, lambda text: lines_of(text, stems), stemmer=lambda token: token[:1]
    )


def test_the_stemmer_sees_given_tokens(rouge_full):
    seen = []
    stemmer = {"stemmer": lambda token: seen.append(token) or token[0].lower()}
    assert one_score(rouge_full, ["Runs", "a b"], ["runs", "A"], **stemmer) == 1.0
    assert sorted(seen) == ["A", "Runs", "a b", "runs"]


def test_a_stem_may_be_empty(rouge_full):
    """It is a token like any other."""
    assert one_score(rouge_full, "a b", "c", stemmer=lambda token: "") == 0.5


@pytest.mark.parametrize("tokenizer", ["rouge_score", "13a", "whitespace", str.split])
def test_use_stemmer_with_any_tokenizer(rouge_full, tokenizer):
    options = {"use_stemmer": True, "tokenizer": tokenizer}
    assert one_score(rouge_full, "running cats", "runs cat", **options) == 1.0


# --- stopwords ------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [tuple, set, dict.fromkeys, np.array, iter])
def test_stop_words(rouge_full, make):
    """They are taken out before anything is counted, so that n-grams and skips go over the words
    that are left.
    """
    stopwords = ["the", "a", "on", "dog"]

    def without(line):
        return [token for token in rouge_score_tokens(line) if token not in stopwords]

    assert_textbook(
        rouge_full,
        random_corpus(7, 40, max_references=4),
        lambda text: lines_of(text, without),
        stopwords=make(stopwords),
    )


# prediction, reference, options, precision
STOPPED = [
    # Before stemming: "runs" is another word, and is stemmed to "run".
    ("running runs", "run", {"use_stemmer": True}, 0.5),
    ("running runs", "run", {"use_stemmer": True, "stopwords": ["running"]}, 1.0),
    ("running runs", "runs", {"use_stemmer": True, "stopwords": ["run"]}, 0.5),
    # They are compared with tokens as they are.
    ("The cat", "cat", {"stopwords": ["the"]}, 1.0),
    ("The cat", "cat", {"stopwords": ["The"]}, 0.5),
    ("The cat", "cat", {"stopwords": ["The"], "lowercase": False}, 1.0),
    ("The cat", "cat", {"stopwords": ["the"], "tokenizer": str.split}, 0.5),
    (["The", "cat"], ["cat"], {"stopwords": ["The"]}, 1.0),
    (["The", "cat"], ["cat"], {"stopwords": ["the"]}, 0.5),
    (["The", "cat"], ["cat"], {"stopwords": ["the"], "lowercase": True}, 1.0),
]


@pytest.mark.filterwarnings("ignore:stopwords has words in uppercase")
@pytest.mark.parametrize(("prediction", "reference", "options", "precision"), STOPPED)
def test_which_words_are_stopped(rouge_full, prediction, reference, options, precision):
    assert one_score(rouge_full, prediction, reference, **options) == precision
