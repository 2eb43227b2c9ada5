"""`stemmer` and `stopwords` against their textbook form."""

from itertools import chain

import numpy as np
import pytest
from rouge_score.rouge_scorer import RougeScorer

from helpers.oracles import rouge_score_tokens
from helpers.repository import module_of
from helpers.rouge.expected import (
    TYPES,
    assert_items,
    expected_items,
    lines_of,
    random_corpus,
    split_corpus,
)
from rouge_bleu.data import corpus as corpus_module

# --- stemmer --------------------------------------------------------------------------------------


def first_letter(token):
    return token[:1]


@pytest.mark.parametrize(
    "tokenizer", [None, "rouge-1.5.5", "unicode", "13a", "char", "whitespace", "intl", str.split]
)
def test_the_stemmer_sees_each_distinct_token_once(rouge_full, tokenizer):
    """For all rouge types together, also where sentences are tokenized by themselves, and over
    chunks.
    """
    predictions, references = random_corpus(4, 60)
    seen = []
    options = {
        "rouge_types": TYPES,
        "tokenizer": tokenizer,
        "output": "all",
        "use_aggregator": False,
    }
    result = rouge_full.compute(
        predictions=predictions,
        references=references,
        stemmer=lambda token: seen.append(token) or first_letter(token),
        **options,
    )
    assert len(seen) == len(set(seen)) > 5
    if tokenizer is None:
        split = split_corpus(
            predictions,
            references,
            lambda text: lines_of(
                text, lambda line: list(map(first_letter, rouge_score_tokens(line)))
            ),
        )
        assert set(seen) == {
            token for text in chain(predictions, *references) for token in rouge_score_tokens(text)
        }
        assert_items(result, expected_items(TYPES, *split))


def test_the_stemmer_sees_each_distinct_token_once_over_chunks(rouge_full, monkeypatch):
    predictions, references = random_corpus(5, 40)
    module = module_of(rouge_full, "data.corpus")
    assert module is not corpus_module
    monkeypatch.setattr(module, "_CHUNK_CHARACTERS", 100)
    seen = []
    rouge_full.compute(
        predictions=predictions,
        references=references,
        stemmer=lambda token: seen.append(token) or token,
    )
    assert len(seen) == len(set(seen)) > 5


def test_the_stemmer_sees_examplestokens(rouge_full):
    seen = []
    result = rouge_full.compute(
        predictions=[["Runs", "a b"]],
        references=[["runs", "A"]],
        rouge_types=["rouge1"],
        stemmer=lambda token: seen.append(token) or token[0].lower(),
    )
    assert result == {"rouge1": 1.0}
    assert sorted(seen) == ["A", "Runs", "a b", "runs"]


def test_a_stem_may_be_empty(rouge_full):
    """It is a token like any other."""
    result = rouge_full.compute(
        predictions=["a b"],
        references=["c"],
        rouge_types=["rouge1"],
        stemmer=lambda token: "",
        output="recall",
    )
    assert result == {"rouge1": 1.0}


def test_use_stemmer_is_that_of_nltk_on_longer_tokens(rouge_full):
    # rouge_score 0.1.2, use_stemmer=True
    predictions, references = random_corpus(6, 60, max_references=1)
    references = [texts[0] for texts in references]
    scorer = RougeScorer(["rouge1"], use_stemmer=True)
    expected = [
        scorer.score(reference, prediction)["rouge1"].fmeasure
        for prediction, reference in zip(predictions, references, strict=True)
    ]
    options = {"rouge_types": ["rouge1"], "use_aggregator": False}
    assert (
        rouge_full.compute(
            predictions=predictions, references=references, use_stemmer=True, **options
        )["rouge1"]
        == expected
    )
    assert (
        rouge_full.compute(predictions=predictions, references=references, **options)["rouge1"]
        != expected
    )


# --- stopwords ------------------------------------------------------------------------------------


ITERABLES = [list, tuple, set, frozenset, dict.fromkeys, np.array, iter]


@pytest.mark.parametrize("make", [*ITERABLES, lambda words: (word for word in words)])
def test_stop_words(rouge_full, make):
    """They are taken out before anything is counted, so that n-grams and skips go over the words
    that are left.
    """
    stopwords = ["the", "a", "on", "dog"]

    def without(line):
        return [token for token in rouge_score_tokens(line) if token not in stopwords]

    predictions, references = random_corpus(7, 60)
    result = rouge_full.compute(
        predictions=predictions,
        references=references,
        rouge_types=TYPES,
        stopwords=make(stopwords),
        output="all",
        use_aggregator=False,
    )
    assert_items(
        result,
        expected_items(
            TYPES, *split_corpus(predictions, references, lambda text: lines_of(text, without))
        ),
    )


def test_a_stop_word_leaves_no_hole(rouge_full):
    options = {
        "predictions": ["red the the the the the fox"],
        "references": ["red fox"],
        "rouge_types": ["rouge2", "rougeS4"],
        "output": "recall",
    }
    assert rouge_full.compute(**options) == {"rouge2": 0.0, "rougeS4": 0.0}
    assert rouge_full.compute(**options, stopwords={"the"}) == {"rouge2": 1.0, "rougeS4": 1.0}


def test_stop_words_are_taken_out_before_stemming(rouge_full):
    options = {
        "predictions": ["running runs"],
        "references": ["run"],
        "rouge_types": ["rouge1"],
        "output": "precision",
        "use_stemmer": True,
    }
    assert rouge_full.compute(**options) == {"rouge1": 0.5}
    assert rouge_full.compute(**options, stopwords=["running"]) == {
        "rouge1": 1.0
    }  # "runs" is another word and is stemmed to "run"
    assert rouge_full.compute(**options, stopwords=["runs"]) == {"rouge1": 1.0}
    assert rouge_full.compute(**(options | {"references": ["runs"]}), stopwords=["run"]) == {
        "rouge1": 0.5
    }  # no word is "run" before stemming


def test_stop_words_are_compared_with_tokens_as_they_are(rouge_full):
    options = {
        "predictions": ["The cat"],
        "references": ["cat"],
        "rouge_types": ["rouge1"],
        "output": "precision",
    }
    assert rouge_full.compute(**options, stopwords=["the"]) == {"rouge1": 1.0}
    assert rouge_full.compute(**options, stopwords=["The"]) == {
        "rouge1": 0.5
    }  # there is only "the"
    assert rouge_full.compute(**options, stopwords=["The"], lowercase=False) == {"rouge1": 1.0}
    assert rouge_full.compute(**options, stopwords=["the"], tokenizer=str.split) == {"rouge1": 0.5}
    tokens = {
        "predictions": [["The", "cat"]],
        "references": [["cat"]],
        "rouge_types": ["rouge1"],
        "output": "precision",
    }
    assert rouge_full.compute(**tokens, stopwords=["The"]) == {"rouge1": 1.0}
    assert rouge_full.compute(**tokens, stopwords=["the"]) == {"rouge1": 0.5}
    assert rouge_full.compute(**tokens, stopwords=["the"], lowercase=True) == {"rouge1": 1.0}
