"""Sentences as PyPI's rouge-chinese finds them, by hand; those of PyPI's rouge are compared with the
package itself in `test_pltrdy.py`.
"""

import pytest

from rouge_bleu._rouge.other_packages import words_between_wide_stops

WIDE_STOPS = {
    "": [],
    " \n": [],
    "a. b": [["a.", "b"]],
    "a\nb": [["a"], ["b"]],
    "a\n\nb": [["a"], ["b"]],
    "a\n \nb": [["a"], [""], ["b"]],
    "你好。我": [["你好。"], ["我"]],
    "你好。X": [["你好。"], ["X"]],
    "你好。。我": [["你好。"], ["。我"]],  # after a cut no other one begins
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


@pytest.mark.parametrize("text", WIDE_STOPS)
def test_sentences(text):
    assert words_between_wide_stops(text) == WIDE_STOPS[text]
