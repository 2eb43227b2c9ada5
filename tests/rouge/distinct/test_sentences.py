"""Sentences as PyPI's rouge and rouge-chinese find them; the packages themselves confirm the words
in `test_distinct_counts.py` and `test_golden_packages.py`.
"""

import pytest

from rouge_bleu.rouge.distinct.sentences import sentences_of_words, tokenized_by_stops
from rouge_bleu.text.tokenizers import TokenizerOptions

FULL_STOPS = {
    "": [],
    ".": [],
    " ": [[""]],
    "a b": [["a", "b"]],
    "A b. C\nd": [["A", "b"], ["C", "d"]],
    "3.5 m": [["3"], ["5", "m"]],
    "a. ": [["a"], [""]],  # a blank behind the last stop is an empty word
    "a.. . b": [["a"], [""], ["b"]],
    "你好。 我": [["你好。", "我"]],
}

WIDE_STOPS = {
    "": [],
    " \n": [],
    "a. b": [["a.", "b"]],
    "a\nb": [["a"], ["b"]],
    "a\n\nb": [["a"], ["b"]],
    "a\n \nb": [["a"], [""], ["b"]],
    "你好。我": [["你好。"], ["我"]],
    "你好。X": [["你好。"], ["X"]],
    "你好。。我": [["你好。"], ["。我"]],  # behind a cut no other one begins
    "你 好 ？ 我": [["你", "好", "？"], ["我"]],
    "什么?好!是": [["什么?"], ["好!是"]],
    "他说：“好。”我走": [["他说：“好。”"], ["我走"]],
    "“好。”，我": [["“好。”，我"]],
    "等……我": [["等……"], ["我"]],
    "等…我": [["等…我"]],
    "等......我": [["等......"], ["我"]],
    "等.....我": [["等.....我"]],
    "你好。 \n我": [["你好。"], [""], ["我"]],
}


@pytest.mark.parametrize(
    ("rule", "text", "expected"),
    [("full stops", *row) for row in FULL_STOPS.items()]
    + [("wide stops", *row) for row in WIDE_STOPS.items()],
)
def test_sentences(rule, text, expected):
    assert sentences_of_words(text, rule) == expected


def test_tokens_of_sentences():
    texts = ["A b. a.", "", " ", "b A"]
    tokens = tokenized_by_stops(texts, "full stops", TokenizerOptions(lowercase=False))
    a, b, small, empty, *rest = tokens.ids.values.tolist()
    assert len({a, b, small, empty}) == 4
    assert rest == [b, a]
    assert tokens.ids.offsets.tolist() == [0, 3, 3, 4, 6]
    assert tokens.sentence.tolist() == [0, 0, 1, 2, 3, 3]
