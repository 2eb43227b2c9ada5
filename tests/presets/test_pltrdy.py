"""Preset "pltrdy" against PyPI's rouge 1.0.1, and sentences of "rouge-chinese"."""

import numpy as np
import pytest

from helpers.rouge.peers import SUMMARIES, named, row_of
from rouge import Rouge
from rouge_bleu import rouge
from rouge_bleu.presets.pltrdy import tokenized_chinese_sentences

PLTRDY, PLTRDY_TYPES = {"preset": "pltrdy"}, ["rouge1", "rouge2", "rouge3", "rouge5", "rougeL"]
WORDS = "a b c the The dog dog's 3.5 U.S. (x) naïve 好 我们 , -".split()
SPACES = [" "] * 6 + [". ", ".", "\n", ". . ", "..", "\u3000", "\t", ".\n"]


def stop_corpus(seed, n_items, max_words):
    """Return texts with sentences that are empty, a space or a word."""
    rng = np.random.default_rng(seed)

    def text():
        n_words = rng.integers(1, max_words + 1)
        parts = zip(rng.choice(WORDS, n_words), rng.choice(SPACES, n_words), strict=True)
        return "".join(word + space for word, space in parts)

    return tuple([text() for _ in range(n_items)] for _ in range(2))


PLTRDY_CORPORA = {
    "short sentences": stop_corpus(1, 300, 12),
    "long texts": stop_corpus(2, 10, 90),
    "summaries": (SUMMARIES["predictions"], [texts[0] for texts in SUMMARIES["references"]]),
}


@pytest.mark.parametrize("corpus", PLTRDY_CORPORA.values(), ids=PLTRDY_CORPORA)
def test_all_numbers_of_rouge(corpus):
    """Bit for bit."""
    peer = Rouge(metrics=["rouge-1", "rouge-2", "rouge-3", "rouge-5", "rouge-l"])
    options = {**PLTRDY, "rouge_types": PLTRDY_TYPES}
    result = rouge(*corpus, **options, use_aggregator=False)
    for place, item in enumerate(peer.get_scores(*corpus)):
        assert row_of(result, place) == named(item, PLTRDY_TYPES)
    means = peer.get_scores(*corpus, avg=True)
    expected = pytest.approx(named(means, PLTRDY_TYPES), abs=1e-12)
    assert rouge(*corpus, **options) == expected
    assert 0.1 < means["rouge-l"]["f"] <= means["rouge-1"]["f"] < 0.9


@pytest.mark.parametrize("texts", [("", "a"), ("a", "..."), ("", "")])
def test_texts_without_words_score_0(texts):
    """The package raises an error for them."""
    assert {*rouge(*([text] for text in texts), **PLTRDY, rouge_types=["rougeL"]).values()} == {0}


# Sentences as PyPI's rouge-chinese finds them.
WIDE_STOPS = {
    **{"": [], " \n": [], "a. b": [["a.", "b"]], "a\nb": [["a"], ["b"]], "a\n\nb": [["a"], ["b"]]},
    **{"a\n \nb": [["a"], [""], ["b"]], "你好。 \n我": [["你好。"], [""], ["我"]]},
    **{"你好。我": [["你好。"], ["我"]], "你好。X": [["你好。"], ["X"]]},
    "你好。。我": [["你好。"], ["。我"]],  # after a cut no other one begins
    **{"你 好 ？ 我": [["你", "好", "？"], ["我"]], "什么?好!是": [["什么?"], ["好!是"]]},
    **{"他说：“好。”我走": [["他说：“好。”"], ["我走"]], "“好。”，我": [["“好。”，我"]]},
    **{"等……我": [["等……"], ["我"]], "等…我": [["等…我"]]},
    **{"等......我": [["等......"], ["我"]], "等.....我": [["等.....我"]]},
}


@pytest.mark.parametrize("text", WIDE_STOPS, ids=range(len(WIDE_STOPS)))
def test_sentences_of_rouge_chinese(text):
    assert tokenized_chinese_sentences([text], None) == [WIDE_STOPS[text]]
