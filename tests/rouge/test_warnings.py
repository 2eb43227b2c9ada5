"""What rouge_full warns of, once and in the name of the caller."""

import sys
import warnings

import pytest

from helpers.rouge.expected import random_corpus

NO_TOKENS = "No text holds a single token, so all scores are 0: tokenizer {} found none."
REMEDY = " For texts in other scripts than Latin pass tokenizer='unicode'."
NO_LINES = (
    "rougeLsum takes each line for a sentence. No text here has more than one line, though some "
    "have several sentences, so rougeLsum is "
    "the same as rougeL. Put a newline between sentences, or pass sentence_splitter='sentences'."
)


def warnings_of(function, **arguments):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        function(**arguments)
    return [(str(warning.message), warning.category, warning.filename) for warning in caught]


WARNED_OF = [
    ({"predictions": ["你好"], "references": ["你好"]}, NO_TOKENS.format("'rouge_score'") + REMEDY),
    (
        {"predictions": ["สวัสดี", ""], "references": [["नमस्ते", ""], ["你好"]]},
        NO_TOKENS.format("'rouge_score'") + REMEDY,
    ),
    (
        {"predictions": ["..."], "references": ["!"], "tokenizer": "rouge-1.5.5"},
        NO_TOKENS.format("'rouge-1.5.5'") + REMEDY,
    ),
    (
        {"predictions": ["..."], "references": ["!"], "tokenizer": "unicode"},
        NO_TOKENS.format("'unicode'"),
    ),
    (
        {"predictions": ["你好"] * 50, "references": ["你好"] * 50, "rouge_types": ["rougeLsum"]},
        NO_TOKENS.format("'rouge_score'") + REMEDY,
    ),
    ({"predictions": ["A cat. A dog."], "references": ["A dog."]}, NO_LINES),
    (
        {
            "predictions": ["A dog."],
            "references": [["x", "A cat. A dog."]],
            "rouge_types": ["rougeLsum"],
        },
        NO_LINES,
    ),
    (
        {
            "predictions": ["他来了。她走了。"] * 3,
            "references": ["他来了。"] * 3,
            "tokenizer": "unicode",
        },
        NO_LINES,
    ),
    (
        {
            "predictions": ["A cat. A dog."] * 300,
            "references": ["A dog."] * 300,
            "use_aggregator": False,
        },
        NO_LINES,
    ),
]


@pytest.mark.parametrize(("arguments", "message"), WARNED_OF)
def test_one_warning_to_the_caller(rouge_full, arguments, message):
    assert warnings_of(rouge_full.compute, **arguments) == [(message, UserWarning, __file__)]


def test_one_warning_for_several_chunks(rouge_full):
    texts = ["漢" * 3000] * 800  # 4.8 million characters
    assert (
        len(
            warnings_of(
                rouge_full.compute, predictions=texts, references=texts, rouge_types=["rouge1"]
            )
        )
        == 1
    )


def test_one_warning_for_what_was_added(rouge_full):
    for _ in range(3):
        rouge_full.add_batch(predictions=["你好"], references=["你好"])
    assert [message for message, *_ in warnings_of(rouge_full.compute)] == [
        NO_TOKENS.format("'rouge_score'") + REMEDY
    ]


def test_the_function_that_found_no_token_is_named(rouge_full):
    def no_tokens(text):
        return []

    ((message, *_),) = warnings_of(
        rouge_full.compute, predictions=["a"], references=["a"], tokenizer=no_tokens
    )
    assert message == NO_TOKENS.format(repr(no_tokens))


def test_stop_words_are_named_where_they_left_no_token(rouge_full):
    ((message, *_),) = warnings_of(
        rouge_full.compute, predictions=["the"], references=["the"], stopwords=["the"]
    )
    assert "stopwords" in message
    assert "unicode" not in message


NOT_WARNED_OF = {
    "ordinary text": {"predictions": ["A cat sat.\nA dog ran."], "references": ["A cat sat."]},
    "one sentence each": {
        "predictions": ["A cat sat on 3.5 mats", "Dr. No"],
        "references": [["The cat", "a cat!"], ["x"]],
    },
    "empty texts": {"predictions": ["", ""], "references": ["", ""]},
    "blank texts": {"predictions": [" ", "\n"], "references": [["\t", ""], ["\u3000"]]},
    "empty lists": {"predictions": [[]], "references": [[]]},
    "tokens in another script": {"predictions": [["你", "好"]], "references": [["你"]]},
    "a word of a reference": {"predictions": ["你好"], "references": [["你好", "hello"]]},
    "an empty reference": {
        "predictions": ["the cat"],
        "references": [""],
        "rouge_types": ["rouge1"],
    },
    "an empty prediction": {
        "predictions": [""],
        "references": ["the cat"],
        "rouge_types": ["rouge1"],
    },
    "a word of one item": {"predictions": ["你好", "hello"], "references": ["你好", "..."]},
    "another script with its tokenizer": {
        "predictions": ["你好"],
        "references": ["你好"],
        "tokenizer": "unicode",
    },
    "a line in one text": {
        "predictions": ["A cat. A dog.", "a"],
        "references": ["A cat. A dog.", "a\nb"],
    },
    "sentences are split": {
        "predictions": ["A cat. A dog."],
        "references": ["A dog."],
        "sentence_splitter": "sentences",
    },
    "sentences are split by a function": {
        "predictions": ["A cat. A dog."],
        "references": ["A dog."],
        "sentence_splitter": str.splitlines,
    },
    "no rougeLsum": {
        "predictions": ["A cat. A dog."],
        "references": ["A dog."],
        "rouge_types": ["rouge1", "rougeL", "rougeSU4"],
    },
    "tokens with stops": {
        "predictions": [["A", "cat.", "A", "dog."]],
        "references": [["A", "dog."]],
    },
    "matlab": {"predictions": ["A cat. A dog."], "references": ["A dog."], "preset": "matlab"},
    "the Perl script": {
        "predictions": ["A cat sat. A dog."],
        "references": ["A dog."],
        "preset": "rouge-1.5.5",
    },
}


@pytest.mark.parametrize("arguments", NOT_WARNED_OF.values(), ids=NOT_WARNED_OF)
def test_no_warning(rouge_full, arguments):
    assert warnings_of(rouge_full.compute, **arguments) == []


def test_no_warning_on_random_text(rouge_full):
    predictions, references = random_corpus(17)
    assert warnings_of(rouge_full.compute, predictions=predictions, references=references) == []


@pytest.mark.parametrize("is_added", [False, True])
def test_a_warning_has_the_line_of_the_caller(rouge_full, is_added):
    """However many functions of this package and of evaluate stand between."""
    texts = {"predictions": ["A cat. A dog."], "references": ["A dog."]}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        if is_added:
            rouge_full.add_batch(**texts)
            line, _ = sys._getframe().f_lineno, rouge_full.compute()
        else:
            line, _ = sys._getframe().f_lineno, rouge_full.compute(**texts)
    assert [(warning.filename, warning.lineno) for warning in caught] == [(__file__, line)]


def test_a_warning_through_a_function_has_its_line(rouge_full):
    """It is the call of `compute` that is named, not what calls the function around it."""

    def compute():
        return sys._getframe().f_lineno, rouge_full.compute(
            predictions=["A cat. A dog."], references=["A dog."]
        )

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        line, _ = compute()
    assert [warning.lineno for warning in caught] == [line]
