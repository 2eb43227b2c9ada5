"""Options that change words, sentences or length of texts, against their textbook form."""

import re
from itertools import chain

import numpy as np
import pytest

from helpers.repository import module_of
from helpers.rouge.corpora import random_corpus
from helpers.rouge.expected import (
    CHOICES,
    TYPES,
    UNITS_WITHIN_SENTENCES,
    assert_textbook,
    items_of,
    lines_of,
)
from helpers.tokenizers import rouge_score_tokens, tokens_13a
from rouge_bleu.text.sentences import split_sentences


def one_score(rouge_full, prediction, reference, name="rouge1", output="precision", **options):
    """Return a score of one pair."""
    pair = {"predictions": [prediction], "references": [reference], "rouge_types": [name]}
    return rouge_full.compute(**pair, output=output, **options)[name]


def text_of_tokenizer(rouge_full, text, **options):
    """Return the text that the tokenizer gets of a text."""
    seen = []
    one_score(rouge_full, text, "x", tokenizer=lambda text: seen.append(text) or ["x"], **options)
    return seen[0]


# --- examples -------------------------------------------------------------------------------------

RUNS, CAT = ("running runs", "run"), ("The cat", "cat")
THE_CAT, TOKENS = ("The Cat", "the cat"), (["The", "Cat"], ["the", "cat"])
SOME_TOKENS = (["a", "b c", "d", "e"], ["b c", "x", "d"])
NAMED = "rouge_score rouge-1.5.5 unicode 13a whitespace intl zh none".split()
# Prediction and reference, options, precision of ROUGE-1.
EXAMPLES = [
    # Given tokens are stemmed too. A stem may be empty, and is a token like any other.
    ((["Runs", "a b"], ["runs", "A"]), {"stemmer": lambda token: token[0].lower()}, 1.0),
    (("a b", "c"), {"stemmer": lambda token: ""}, 0.5),
    *(
        (("running cats", "runs cat"), {"use_stemmer": True, "tokenizer": tokenizer}, 1.0)
        for tokenizer in ("rouge_score", "13a", "whitespace", str.split)
    ),
    # Words are stopped before stemming: "runs" is another word, and is stemmed to "run".
    (RUNS, {"use_stemmer": True}, 0.5),
    (RUNS, {"use_stemmer": True, "stopwords": ["running"]}, 1.0),
    (("running runs", "runs"), {"use_stemmer": True, "stopwords": ["run"]}, 0.5),
    # They are compared with tokens as they are.
    (CAT, {"stopwords": ["the"]}, 1.0),
    (CAT, {"stopwords": ["The"]}, 0.5),
    (CAT, {"stopwords": ["The"], "lowercase": False}, 1.0),
    (CAT, {"stopwords": ["the"], "tokenizer": str.split}, 0.5),
    ((["The", "cat"], ["cat"]), {"stopwords": ["The"]}, 1.0),
    ((["The", "cat"], ["cat"]), {"stopwords": ["the"]}, 0.5),
    ((["The", "cat"], ["cat"]), {"stopwords": ["the"], "lowercase": True}, 1.0),
    # Named tokenizers lowercase unless told not to, functions if they are told to; given tokens too.
    *(
        (THE_CAT, {"tokenizer": tokenizer, "lowercase": lowercase}, score)
        for tokenizer in (None, *NAMED)
        for lowercase, score in ((None, 1.0), (True, 1.0), (False, 0.0))
    ),
    *((TOKENS, {"lowercase": lowercase}, score) for lowercase, score in ((None, 0), (True, 1))),
    (THE_CAT, {"tokenizer": str.split}, 0.0),
    (THE_CAT, {"tokenizer": str.split, "lowercase": True}, 1.0),
    (SOME_TOKENS, {"max_words": 2}, 0.5),
    (SOME_TOKENS, {"max_words": 2, "preset": "rouge-1.5.5"}, 0.5),
]


@pytest.mark.filterwarnings("ignore:stopwords has words in uppercase")
@pytest.mark.parametrize(("pair", "options", "precision"), EXAMPLES)
def test_examples(rouge_full, pair, options, precision):
    assert one_score(rouge_full, *pair, **options) == precision


# --- stemmer and stopwords ------------------------------------------------------------------------

STOPWORDS = ["the", "a", "on", "dog"]
# How words are changed: stems are counted, and n-grams and skips go over the words that are left.
CHANGES = {
    "stemmer": lambda tokens: [token[:1] for token in tokens],
    "stopwords": lambda tokens: [token for token in tokens if token not in STOPWORDS],
}
MAKERS = [tuple, set, dict.fromkeys, np.array, iter]


@pytest.mark.parametrize(
    ("option", "make"),
    [("stemmer", lambda: lambda token: token[:1])]
    + [("stopwords", lambda make=make: make(STOPWORDS)) for make in MAKERS],
)
def test_words_that_are_counted(rouge_full, option, make):
    def words(line):
        return CHANGES[option](rouge_score_tokens(line))

    corpus = random_corpus(7, 40, max_references=4)
    assert_textbook(rouge_full, corpus, lambda text: lines_of(text, words), **{option: make()})


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


# --- max_words, max_bytes and lowercase -----------------------------------------------------------


def first_words(text, n_words):
    """Return a text up to the end of its n-th word, lines kept."""
    ends = [match.end() for match in re.finditer(r"\S+", text)]
    return text[: ends[n_words - 1]] if len(ends) > n_words else text


def first_bytes(text, n_bytes):
    """Return the characters of a text whose bytes in UTF-8 all are among the first so many."""
    ends = np.cumsum([len(character.encode()) for character in text])
    return text[: np.count_nonzero(ends <= n_bytes)]


@pytest.mark.parametrize("limit", [1, 5, 1000])
@pytest.mark.parametrize(
    ("option", "shorten"), [("max_words", first_words), ("max_bytes", first_bytes)]
)
def test_limits_apply_to_every_text(rouge_full, option, shorten, limit):
    corpus = random_corpus(9, 40, max_references=4)
    names = ["rouge1", "rouge2", "rougeLsum", "rougeW", "rougeSU4"]
    assert_textbook(
        rouge_full, corpus, lambda text: lines_of(shorten(text, limit)), names, **{option: limit}
    )


def test_what_limits_leave_of_a_text(rouge_full):
    """Words are between spaces of any kind. é has 2 bytes, 漢 3, 🙂 4, the combining accent 2."""
    words, characters = "  well-known , \n U.S.\tfact\u3000漢字  ", "é漢🙂e\u0301\né"
    for n in range(1, 17):
        left = text_of_tokenizer(rouge_full, words, max_words=n)
        assert left.strip() == first_words(words, n).strip()
        assert text_of_tokenizer(rouge_full, characters, max_bytes=n) == first_bytes(characters, n)
    both = text_of_tokenizer(rouge_full, "one two three", max_words=2, max_bytes=5)
    assert both.rstrip() == "one t"


# --- sentence_splitter ----------------------------------------------------------------------------

# In one piece the LCS is "the cat sat on the mat", 6 of 10 words, and 3 of 6.
CAT_AND_DOG = "The cat sat on the mat. A dog ran home.", "A dog ran home. The cat sat on the mat."
TWO_LINES = "a b c\nd e f", "d e f a b c"
# Prediction and reference, splitter, precision of rougeLsum.
SPLITTERS = [
    (CAT_AND_DOG, "newline", 0.6),
    (CAT_AND_DOG, "sentences", 1.0),
    (CAT_AND_DOG, lambda text: text.split(". "), 1.0),
    (CAT_AND_DOG, lambda text: tuple(text.split()), 1.0),
    (CAT_AND_DOG, lambda text: [text], 0.6),
    (CAT_AND_DOG, lambda text: [], 0.0),
    (TWO_LINES, "newline", 1.0),
    (TWO_LINES, lambda text: [text], 0.5),  # a sentence of a function may have lines
]


@pytest.mark.parametrize(("pair", "splitter", "score"), SPLITTERS)
def test_sentences_of_rouge_lsum(rouge_full, pair, splitter, score):
    options = {"sentence_splitter": splitter}
    assert one_score(rouge_full, *pair, "rougeLsum", **options) == score
    assert one_score(rouge_full, *pair, "rougeL", **options) in (0.5, 0.6)


def sentence_corpus(seed, n_items=40):
    """Return texts with several sentences in a line, and several lines."""
    rng = np.random.default_rng(seed)
    words = "The Cat cats sat on a mat dog runs 3.14 Dr. Mr. e.g.".split()

    def text():
        sentences = (
            " ".join(rng.choice(words, rng.integers(1, 8)))
            + rng.choice([".", "!", "?", "...", "。", ""])
            for _ in range(rng.integers(0, 5))
        )
        return "".join(sentence + rng.choice([" ", " ", "\n"]) for sentence in sentences)

    return [text() for _ in range(n_items)], [[text()] for _ in range(n_items)]


@pytest.mark.parametrize("splitter", ["newline", "sentences", pytest.fail])
def test_a_list_of_tokens_is_one_sentence(rouge_full, splitter):
    predictions, references = random_corpus(11, 30, max_references=4)
    references = [[text.split() for text in texts] for texts in references]
    tokens = [text.split() for text in predictions], references
    result = items_of(rouge_full, tokens, sentence_splitter=splitter, cross_sentences=False)
    assert result["rougeL_fmeasure"] == result["rougeLsum_fmeasure"]
    assert result == items_of(rouge_full, tokens)


def test_the_splitter_is_called_where_it_is_needed(rouge_full):
    calls = []
    options = {
        "predictions": ["a. b", "c"],
        "references": [["a. c"], ["c", "d"]],
        "sentence_splitter": lambda text: calls.append(text) or [text],
    }
    rouge_full.compute(**options, rouge_types=["rouge1", "rougeL", "rougeW", "rougeS4", "rougeSU"])
    assert calls == []
    rouge_full.compute(**options)
    assert sorted(calls) == ["a. b", "a. c", "c", "c", "d"]  # each text once, for all types


# --- cross_sentences and summary_lcs --------------------------------------------------------------


@pytest.mark.parametrize("choice", CHOICES)
def test_units_within_sentences_and_best_sentences(rouge_full, choice):
    """Matches and totals; each option changes the types that it is about, and no other. With "best"
    rougeLsum is the sum over sentences of the longest LCS with a sentence of the other side.
    """
    corpus = random_corpus(12, 60, max_words=20, max_references=4)
    options = {"multi_reference": choice, "beta": 2.0}
    default = items_of(rouge_full, corpus, TYPES, **options)
    for changed_types, changed in (
        ({*UNITS_WITHIN_SENTENCES} - {"rouge1"}, {"cross_sentences": False}),
        ({"rougeLsum"}, {"summary_lcs": "best"}),
    ):
        result = assert_textbook(rouge_full, corpus, **options, **changed)
        differ = {name for name in TYPES if result[f"{name}_recall"] != default[f"{name}_recall"]}
        assert differ == changed_types


@pytest.mark.parametrize(
    ("options", "split"),
    [
        ({"tokenizer": "13a", "lowercase": False}, lambda text: lines_of(text, tokens_13a)),
        ({"tokenizer": str.split}, lambda text: lines_of(text, str.split)),
        (
            {"sentence_splitter": "sentences"},
            lambda text: list(map(rouge_score_tokens, split_sentences(text))),
        ),
        (
            {"sentence_splitter": lambda x: x.split(".")},
            lambda text: list(map(rouge_score_tokens, text.split("."))),
        ),
    ],
)
def test_units_within_sentences_of_any_tokenizer_and_splitter(rouge_full, options, split):
    has_lines = "tokenizer" in options
    corpus = random_corpus(13, 40, max_references=4) if has_lines else sentence_corpus(14)
    assert_textbook(
        rouge_full, corpus, split, UNITS_WITHIN_SENTENCES, cross_sentences=False, **options
    )
