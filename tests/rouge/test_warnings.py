"""What rouge_full warns of, once and in the name of the caller."""

import sys
import warnings

import pytest

NO_TOKENS = "No text has a token"
NO_LINES = "rougeLsum treats each line as a sentence"
IDLE_STOPWORD = "stopwords has words in uppercase"


def warnings_of(function, **arguments):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        function(**arguments)
    return [(str(warning.message), warning.category, warning.filename) for warning in caught]


def starts_of(function, **arguments):
    known = (NO_TOKENS, NO_LINES, IDLE_STOPWORD)
    return [
        (next(start for start in known if message.startswith(start)), *others)
        for message, *others in warnings_of(function, **arguments)
    ]


SENTENCES = {"predictions": ["A cat. A dog."], "references": ["A dog."]}
HAN = {"predictions": ["你好"], "references": ["你好"]}
MARKS = {"predictions": ["..."], "references": ["!"]}
PERL = {"preset": "rouge-1.5.5", "rouge_types": ["rouge1"]}
CAT = {"predictions": ["The cat"], "references": ["the cat"], "rouge_types": ["rouge1"]}

WARNED_OF = [
    ({**CAT, "stopwords": ["a", "Zoo", "The"]}, IDLE_STOPWORD),
    ({**CAT, "stopwords": ["The"], "preset": "rouge-1.5.5"}, IDLE_STOPWORD),
    ({**CAT, "stopwords": {"The"}, "tokenizer": str.split, "lowercase": True}, IDLE_STOPWORD),
    (HAN, NO_TOKENS),
    ({"predictions": ["สวัสดี", ""], "references": [["नमस्ते", ""], ["你好"]]}, NO_TOKENS),
    ({**MARKS, "tokenizer": "rouge-1.5.5"}, NO_TOKENS),
    ({**HAN, **PERL}, NO_TOKENS),
    ({**MARKS, "tokenizer": "unicode"}, NO_TOKENS),
    # 4.8 million characters, which are several chunks
    (
        {
            "predictions": ["漢" * 3000] * 800,
            "references": ["漢" * 3000] * 800,
            "rouge_types": ["rouge1"],
        },
        NO_TOKENS,
    ),
    (SENTENCES, NO_LINES),
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
            "use_aggregator": False,
        },
        NO_LINES,
    ),
]


@pytest.mark.parametrize(("arguments", "message"), WARNED_OF)
def test_one_warning_to_the_caller(rouge_full, arguments, message):
    assert starts_of(rouge_full.compute, **arguments) == [(message, UserWarning, __file__)]


def test_one_warning_for_what_was_added(rouge_full):
    for _ in range(3):
        rouge_full.add_batch(**HAN)
    assert [message for message, *_ in starts_of(rouge_full.compute)] == [NO_TOKENS]


def test_stop_words_are_named_where_they_left_no_token(rouge_full):
    ((message, *_),) = warnings_of(
        rouge_full.compute, predictions=["the"], references=["the"], stopwords=["the"]
    )
    assert "stopwords" in message
    assert "unicode" not in message


NOT_WARNED_OF = [
    {**CAT, "stopwords": ["The", "the"]},
    {**CAT, "stopwords": ["The"], "lowercase": False},
    {**CAT, "stopwords": ["The"], "tokenizer": str.split},
    {"predictions": [["The", "cat"]], "references": [["cat"]], "stopwords": ["The"]},
    {"predictions": ["A cat sat.\nA dog ran."], "references": ["A cat sat."]},
    # One sentence each.
    {"predictions": ["A cat on 3.5 mats", "Dr. No"], "references": [["The cat", "a cat!"], ["x"]]},
    # Nothing but spaces.
    {"predictions": [" ", "\n", ""], "references": [["\t", ""], ["\u3000"], [""]]},
    {"predictions": [[]], "references": [[]]},
    # Tokens that are given.
    {"predictions": [["你", "好"]], "references": [["你"]]},
    {"predictions": [["A", "cat.", "A", "dog."]], "references": [["A", "dog."]]},
    # A word somewhere.
    {"predictions": ["你好"], "references": [["你好", "hello"]], "tokenizer": "rouge_score"},
    {"predictions": ["...", "hello"], "references": ["...", "..."]},
    {"predictions": ["the cat"], "references": [""], "rouge_types": ["rouge1"]},
    {"predictions": [""], "references": ["the cat"], "rouge_types": ["rouge1"]},
    {**HAN, "tokenizer": "unicode"},
    # A line in one text; sentences that are split; no rougeLsum.
    {"predictions": ["A cat. A dog.", "a"], "references": ["A cat. A dog.", "a\nb"]},
    {**SENTENCES, "sentence_splitter": "sentences"},
    {**SENTENCES, "sentence_splitter": str.splitlines},
    {**SENTENCES, "rouge_types": ["rouge1", "rougeL", "rougeSU4"]},
    {**SENTENCES, "preset": "matlab"},
    {**SENTENCES, "preset": "rouge-1.5.5"},
]


@pytest.mark.parametrize("arguments", NOT_WARNED_OF)
def test_no_warning(rouge_full, arguments):
    assert warnings_of(rouge_full.compute, **arguments) == []


@pytest.mark.parametrize("is_added", [False, True])
def test_a_warning_has_the_line_of_the_call_of_compute(rouge_full, is_added):
    """However many functions of this package and of evaluate stand between, and not what calls the
    function around it.
    """

    def line_of_call():
        if is_added:
            rouge_full.add_batch(**SENTENCES)
            return sys._getframe().f_lineno, rouge_full.compute()
        return sys._getframe().f_lineno, rouge_full.compute(**SENTENCES)

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        line, _ = line_of_call()
    assert [(warning.filename, warning.lineno) for warning in caught] == [(__file__, line)]
