"""`sentence_splitter`, `cross_sentences` and `summary_lcs` against their textbook form."""

import re
from types import SimpleNamespace

import numpy as np
import pytest
from rouge_score.rouge_scorer import RougeScorer
from sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International

from helpers.rouge.corpora import random_corpus
from helpers.rouge.expected import (
    CHOICES,
    OUTPUTS,
    TYPES,
    UNITS_WITHIN_SENTENCES,
    assert_textbook,
    items_of,
    lines_of,
)
from helpers.tokenizers import rouge_score_tokens, tokens_13a
from rouge_bleu.text.sentences import split_sentences

# --- sentence_splitter ----------------------------------------------------------------------------

# A splitter, and rougeLsum of two sentences the other way round; in one piece the LCS is "the cat sat
# on the mat", 6 of 10 words.
SPLITTERS = [
    ("newline", 0.6),
    ("sentences", 1.0),
    (lambda text: text.split(". "), 1.0),
    (lambda text: tuple(text.split()), 1.0),
    (lambda text: [text], 0.6),
    (lambda text: [], 0.0),
]


@pytest.mark.parametrize(("splitter", "score"), SPLITTERS)
def test_sentences_of_rouge_lsum(rouge_full, splitter, score):
    result = rouge_full.compute(
        predictions=["The cat sat on the mat. A dog ran home."],
        references=["A dog ran home. The cat sat on the mat."],
        rouge_types=["rougeL", "rougeLsum"],
        sentence_splitter=splitter,
    )
    assert result == {"rougeL": 0.6, "rougeLsum": score}


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


@pytest.mark.parametrize("tokenizer", [None, "13a", str.split])
def test_splitting_is_the_same_as_newlines_between_the_sentences(rouge_full, tokenizer):
    corpus = sentence_corpus(10)
    options = {"names": ["rougeLsum"], "tokenizer": tokenizer}
    split = ["\n".join(split_sentences(text)) for text in corpus[0]]
    split_references = [["\n".join(split_sentences(text))] for (text,) in corpus[1]]
    expected = items_of(rouge_full, (split, split_references), **options)
    for splitter in ("sentences", split_sentences):
        assert items_of(rouge_full, corpus, **options, sentence_splitter=splitter) == expected
    assert items_of(rouge_full, corpus, **options) != expected


def test_a_sentence_of_a_function_may_have_lines(rouge_full):
    """It stays one sentence."""
    pair = {"predictions": ["a b c\nd e f"], "references": ["d e f a b c"]}
    options = {"rouge_types": ["rougeLsum"], "output": "recall"}
    assert rouge_full.compute(**pair, **options) == {"rougeLsum": 1.0}
    split = rouge_full.compute(**pair, **options, sentence_splitter=lambda text: [text])
    assert split == {"rougeLsum": 0.5}


def test_a_list_of_tokens_is_one_sentence(rouge_full):
    predictions, references = random_corpus(11, 30, max_references=4)
    tokens = (
        [text.split() for text in predictions],
        [[text.split() for text in texts] for texts in references],
    )
    for splitter in ("newline", "sentences", pytest.fail):
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


@pytest.mark.parametrize("returned", ["a", None, [1], ["a", None], iter(["a"]), [["a"]], b"a"])
def test_a_splitter_that_does_not_return_a_list_of_strings(rouge_full, returned):
    message = r"^sentence_splitter must return a list of strings for each text, got "
    with pytest.raises(TypeError, match=message):
        rouge_full.compute(
            predictions=["a"], references=["a"], sentence_splitter=lambda text: returned
        )


# --- cross_sentences ------------------------------------------------------------------------------


@pytest.mark.parametrize("choice", CHOICES)
def test_units_within_sentences(rouge_full, choice):
    """Matches and totals; the types of the families L and W do not change with the option."""
    corpus = random_corpus(12, 60, max_words=20, max_references=4)
    options = {"multi_reference": choice}
    within = assert_textbook(rouge_full, corpus, cross_sentences=False, **options)
    across = items_of(rouge_full, corpus, **options)
    for name in TYPES:
        same = within[f"{name}_fmeasure"] == across[f"{name}_fmeasure"]
        assert same == (name not in UNITS_WITHIN_SENTENCES or name == "rouge1"), name


sacrebleu_intl = TokenizerV14International()


@pytest.mark.parametrize(
    ("tokenizer", "split"),
    [
        ("13a", tokens_13a),
        ("rouge_score", re.compile("[A-Za-z0-9]+").findall),
        ("intl", lambda text: sacrebleu_intl(text).split()),
        (str.split, str.split),
    ],
)
def test_units_within_sentences_of_any_tokenizer(rouge_full, tokenizer, split):
    assert_textbook(
        rouge_full,
        random_corpus(13, 40, max_references=4),
        lambda text: lines_of(text, split),
        UNITS_WITHIN_SENTENCES,
        cross_sentences=False,
        tokenizer=tokenizer,
        lowercase=False,
    )


@pytest.mark.parametrize(
    ("splitter", "split"), [("sentences", split_sentences), (lambda x: x.split("."),) * 2]
)
def test_units_within_sentences_of_a_splitter(rouge_full, splitter, split):
    assert_textbook(
        rouge_full,
        sentence_corpus(14),
        lambda text: [rouge_score_tokens(sentence) for sentence in split(text)],
        UNITS_WITHIN_SENTENCES,
        cross_sentences=False,
        sentence_splitter=splitter,
    )


# --- summary_lcs ----------------------------------------------------------------------------------


@pytest.mark.parametrize("choice", CHOICES)
def test_best_sentences(rouge_full, choice):
    """The sum over the reference's sentences of the longest LCS with a sentence of the prediction,
    by its length; and the other way round.
    """
    corpus = random_corpus(15, 60, max_words=24, max_references=4)
    options = {"multi_reference": choice, "beta": 2.0}
    result = assert_textbook(rouge_full, corpus, summary_lcs="best", **options)
    union = assert_textbook(rouge_full, corpus, **options)
    for name in TYPES:
        key = f"{name}_fmeasure"
        assert (union[key] == result[key]) == (name != "rougeLsum"), name


@pytest.mark.parametrize("tokenizer", [str.split, lambda text: ["<s>", *text.split(), "</s>"]])
def test_a_function_gets_no_blank_lines(rouge_full, tokenizer):
    """rouge_score leaves out empty lines before it tokenizes (`[x for x in sents if len(x)]`), and
    keeps lines of spaces. A tokenizer that adds marks shows which lines it was given.
    """
    predictions = ["a b\n\n\nc d\n", "a b\n \nc", "\n\n", "", "a\n\nb"]
    references = ["\nc d\n\na b", "a b\nc", "a", "a\n\n", "a\n\n\nb\n\nc"]
    names = ["rougeLsum", "rouge2"]
    scorer = RougeScorer(names, tokenizer=SimpleNamespace(tokenize=tokenizer))
    scores = [scorer.score(r, p) for p, r in zip(predictions, references, strict=True)]
    corpus = predictions, [[text] for text in references]
    result = items_of(rouge_full, corpus, names, tokenizer=tokenizer)
    for name in names:
        for output in OUTPUTS:
            expected = [getattr(of_item[name], output) for of_item in scores]
            assert result[f"{name}_{output}"] == pytest.approx(expected, rel=1e-15, abs=0)
