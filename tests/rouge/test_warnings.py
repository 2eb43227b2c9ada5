"""What rouge_full warns of, once and in the name of the caller."""

import sys
import warnings

import pytest

NO_TOKENS = "No text has a token"
NO_LINES = "rougeLsum treats each line as a sentence"
IDLE_STOPWORD = "stopwords has words in uppercase"


def warnings_of(function, *arguments, **options):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        function(*arguments, **options)
    return caught


SENTENCES = (["A cat. A dog."], ["A dog."])
HAN, MARKS, CAT = (["你好"], ["你好"]), (["..."], ["!"]), (["The cat"], ["the cat"])
LONG = (["漢" * 3000] * 800,) * 2  # 4.8 million characters, which are several chunks
N, PERL = {"rouge_types": ["rouge1"]}, {"preset": "rouge-1.5.5", "rouge_types": ["rouge1"]}
# Predictions and references, options, and the start of the warning if there is one.
WARNED = [
    (CAT, {"stopwords": ["a", "Zoo", "The"]}, IDLE_STOPWORD),
    (CAT, {"stopwords": ["The"], **PERL}, IDLE_STOPWORD),
    (CAT, {"stopwords": {"The"}, "tokenizer": str.split, "lowercase": True}, IDLE_STOPWORD),
    (CAT, {"stopwords": ["The", "the"]}, None),
    (CAT, {"stopwords": ["The"], "lowercase": False}, None),
    (CAT, {"stopwords": ["The"], "tokenizer": str.split}, None),
    (([["The", "cat"]], [["cat"]]), {"stopwords": ["The"]}, None),
    (HAN, {}, NO_TOKENS),
    ((["สวัสดี", ""], [["नमस्ते", ""], ["你好"]]), {}, NO_TOKENS),
    (MARKS, {"tokenizer": "rouge-1.5.5"}, NO_TOKENS),
    (HAN, PERL, NO_TOKENS),
    (MARKS, {"tokenizer": "unicode"}, NO_TOKENS),
    (LONG, N, NO_TOKENS),
    (HAN, {"tokenizer": "unicode"}, None),
    # Nothing but spaces; no tokens; tokens that are given; a word somewhere.
    (([" ", "\n", ""], [["\t", ""], ["\u3000"], [""]]), {}, None),
    (([[]], [[]]), {}, None),
    (([["你", "好"]], [["你"]]), {}, None),
    ((["你好"], [["你好", "hello"]]), {"tokenizer": "rouge_score"}, None),
    ((["...", "hello"], ["...", "..."]), {}, None),
    ((["the cat"], [""]), N, None),
    (([""], ["the cat"]), N, None),
    (SENTENCES, {}, NO_LINES),
    ((["A dog."], [["x", "A cat. A dog."]]), {"rouge_types": ["rougeLsum"]}, NO_LINES),
    ((["他来了。她走了。"] * 3, ["他来了。"] * 3), {"tokenizer": "unicode"}, NO_LINES),
    # One sentence each; given tokens; a line in one text; sentences that are split; no rougeLsum.
    ((["A cat on 3.5 mats", "Dr. No"], [["The cat", "a cat!"], ["x"]]), {}, None),
    (([["A", "cat.", "A", "dog."]], [["A", "dog."]]), {}, None),
    ((["A cat sat.\nA dog ran."], ["A cat sat."]), {}, None),
    ((["A cat. A dog.", "a"], ["A cat. A dog.", "a\nb"]), {}, None),
    (SENTENCES, {"sentence_splitter": "sentences"}, None),
    (SENTENCES, {"sentence_splitter": str.splitlines}, None),
    (SENTENCES, {"rouge_types": ["rouge1", "rougeL", "rougeSU4"]}, None),
    (SENTENCES, {"preset": "matlab"}, None),
    (SENTENCES, {"preset": "rouge-1.5.5"}, None),
]


@pytest.mark.parametrize(("corpus", "options", "start"), WARNED)
def test_one_warning_or_none(rouge_full, corpus, options, start):
    data = dict(zip(("predictions", "references"), corpus, strict=True))
    caught = warnings_of(rouge_full.compute, **data, **options)
    assert len(caught) == (start is not None)
    for warning in caught:
        assert str(warning.message).startswith(start)
        assert (warning.category, warning.filename) == (UserWarning, __file__)


def test_one_warning_for_what_was_added(rouge_full):
    for _ in range(3):
        rouge_full.add_batch(predictions=HAN[0], references=HAN[1])
    (warning,) = warnings_of(rouge_full.compute)
    assert str(warning.message).startswith(NO_TOKENS)


def test_stop_words_are_named_where_they_left_no_token(rouge_full):
    (warning,) = warnings_of(
        rouge_full.compute, predictions=["the"], references=["the"], stopwords=["the"]
    )
    assert "stopwords" in str(warning.message)
    assert "unicode" not in str(warning.message)


@pytest.mark.parametrize("is_added", [False, True])
def test_a_warning_has_the_line_of_the_call_of_compute(rouge_full, is_added):
    """However many functions of this package and of evaluate stand between, and not what calls the
    function around it.
    """
    data, lines = {"predictions": SENTENCES[0], "references": SENTENCES[1]}, []

    def call():
        if is_added:
            rouge_full.add_batch(**data)
            data.clear()
        lines.append(sys._getframe().f_lineno + 1)
        rouge_full.compute(**data)

    (warning,) = warnings_of(call)
    assert (warning.filename, warning.lineno) == (__file__, *lines)
