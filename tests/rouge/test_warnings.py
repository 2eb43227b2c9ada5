"""What rouge_full warns of, once and in the name of the caller."""

import pytest

from helpers.errors import warnings_of
from rouge_bleu import TextWarning

NO_TOKENS = "No text has a token"
NO_LINES = "rougeLsum treats each line as a sentence"
IDLE_STOPWORD = "stopwords has words in uppercase"


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
    ((["สวัสดี", ""], [["नमस्ते", "ไทย"], ["你好"]]), {}, NO_TOKENS),
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
        category = UserWarning if start == IDLE_STOPWORD else TextWarning
        of_caller = (warnings_of.__code__.co_filename, category)
        assert (warning.filename, warning.category) == of_caller
