"""Stemmers against NLTK and the Perl script."""

import numpy as np
import pytest
from full_metrics.stemming import porter_stemmer, rouge155_stemmer
from full_metrics.tokenization import TokenizerOptions, tokenized
from nltk.stem.porter import PorterStemmer
from rouge_score.tokenizers import DefaultTokenizer

from hostile_text import RULES, numbered, random_strings, rows_of
from oracles import rouge_score_tokens


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        # ROUGE-1.5.5 -m, run on single words; what differs from every usual Porter stemmer is its
        # fourth step.
        ("governmental", "govern"),
        ("geese", "gees"),
        ("goose", "goos"),
        ("mouse", "mous"),
        ("ran", "ran"),
        ("men", "men"),
        # Porter 1980, examples of the steps that are not changed.
        ("caresses", "caress"),
        ("ponies", "poni"),
        ("plastered", "plaster"),
        ("motoring", "motor"),
        ("conflated", "conflat"),
        ("hopping", "hop"),
        ("falling", "fall"),
        ("filing", "file"),
        ("happy", "happi"),
        ("relational", "relat"),
        ("conditional", "condit"),
        ("electrical", "electr"),
        ("hopefulness", "hope"),
        ("adoption", "adopt"),
        ("probate", "probat"),
        ("cease", "ceas"),
        ("controll", "control"),
    ],
)
def test_stems(word, stem):
    assert rouge155_stemmer()(word) == stem


def test_a_listed_word_is_not_stemmed_and_a_short_one_not_looked_up():
    stem = rouge155_stemmer({"libraries": "library", "ran": "run"})
    assert [stem(word) for word in ("libraries", "library", "ran")] == ["library", "librari", "ran"]


def test_stemmed_tokens_are_those_of_rouge_score():
    rng = np.random.default_rng(7)
    stems = [
        "run",
        "fly",
        "hop",
        "relat",
        "nation",
        "gener",
        "sky",
        "dy",
        "a",
        "troubl",
        "formal",
        "electric",
        "y",
        "ies",
        "commun",
        "12",
        "x9",
    ]
    endings = [
        "",
        "s",
        "es",
        "ing",
        "ed",
        "ly",
        "ational",
        "ization",
        "fulness",
        "ies",
        "ement",
        "ion",
        "e",
        "ee",
        "y",
        "bly",
        "ical",
        "iviti",
    ]
    words = [
        f"{stem}{ending}".upper() if rng.random() < 0.2 else f"{stem}{ending}"
        for stem in stems
        for ending in endings
    ]
    texts = [" ".join(rng.permutation(words)) for _ in range(5)] + random_strings(8, 500)
    tokenizer = DefaultTokenizer(use_stemmer=True)
    tokens = tokenized(texts, TokenizerOptions(stem=porter_stemmer()))
    assert numbered(rows_of(tokens.ids)) == numbered(map(tokenizer.tokenize, texts))
    stemmed = [list(map(porter_stemmer(), rouge_score_tokens(text))) for text in texts]
    assert stemmed == list(map(tokenizer.tokenize, texts))


def test_porter_stemmer_leaves_short_tokens():
    stem = porter_stemmer()
    assert [stem(token) for token in ("", "was", "dies", "flies")] == [
        "",
        "was",
        PorterStemmer().stem("dies"),
        PorterStemmer().stem("flies"),
    ]
    assert PorterStemmer().stem("was") == "wa"


@pytest.mark.parametrize("name", [*RULES, str.split])
def test_equal_stems_are_one_token(name):
    """And the stemmer runs once for each distinct token of the column."""
    texts = ["aa ab ba", "ab ab", "", "bb aa"]
    seen = []
    tokens = tokenized(
        texts, TokenizerOptions(name, stem=lambda token: seen.append(token) or token[0])
    )
    rule = RULES.get(name, str.split)
    assert numbered(rows_of(tokens.ids)) == numbered(
        [[token[0] for token in rule(text)] for text in texts]
    )
    assert sorted(seen) == sorted({token for text in texts for token in rule(text)})
    assert tokens.n_types == 2
