"""An item with a long prediction and many references is scored some references at a time."""

import math
import tracemalloc

import numpy as np
import pytest

from rouge_bleu._rouge import scorer
from rouge_bleu._rouge.options import RougeOptions
from rouge_bleu._rouge.scorer import rouge
from rouge_bleu.corpus import checked_corpus
from rouge_bleu.options import checked_options

ROUGE_TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum", "rougeW", "rougeS4", "rougeSU4")


def texts_of_one_item(is_tokenized):
    """Return a prediction and 30 references, one of them without a word."""
    rng = np.random.default_rng(0)
    words = np.array(["the", "cat", "sat", "on", "a", "mat.\n", "dogs", "ran"])
    texts = [rng.choice(words, length).tolist() for length in (60, *range(30))]
    if not is_tokenized:
        texts = [" ".join(text) for text in texts]
    return texts[0], texts[1:]


EACH = [
    *(
        {"multi_reference": choice, "summary_lcs": best, "zero_division": math.nan}
        for choice, best in (("best", "union"), ("pooled", "best"), ("jackknife", "union"))
    ),
    *(
        {"preset": "rouge-1.5.5", "multi_reference": choice, "corpus_average": "counts"}
        for choice in ("best", "pooled")
    ),
]


@pytest.mark.parametrize("options", EACH)
@pytest.mark.parametrize("is_tokenized", [False, True])
def test_parts_of_an_item_give_its_scores(monkeypatch, options, is_tokenized):
    prediction, references = texts_of_one_item(is_tokenized)
    types = ROUGE_TYPES
    if "preset" in options:  # which takes no reference without a word
        references, types = references[1:], [name for name in types if name != "rougeLsum"]
    corpus = checked_corpus([prediction], [references])
    options = checked_options(RougeOptions, {"rouge_types": types, "output": "all", **options})
    expected = rouge(corpus, options)
    n_pairs = []
    count = scorer.counts_of_few

    def recorded(texts, offsets, *others):
        n_pairs.append(int(offsets[-1]))
        return count(texts, offsets, *others)

    monkeypatch.setattr(scorer, "counts_of_few", recorded)
    # All references; some of them; each by itself, a pair larger than the limit included.
    for limit, n_parts in ((1 << 20, 1), (1000, None), (1, len(references))):
        n_pairs.clear()
        monkeypatch.setattr(scorer, "_MAX_PAIRED_SIZE", limit)
        assert repr(rouge(corpus, options)) == repr(expected)
        assert sum(n_pairs) == len(references)
        assert n_parts is None or len(n_pairs) == n_parts


def test_an_empty_reference_of_a_part_is_named(monkeypatch):
    prediction, references = texts_of_one_item(is_tokenized=False)
    corpus = checked_corpus(["a", prediction], [["a"], [*references[1:], references[0]]])
    options = checked_options(
        RougeOptions, {"preset": "rouge-1.5.5", "rouge_types": ["rougeW-1.2"]}
    )
    monkeypatch.setattr(scorer, "_MAX_PAIRED_SIZE", 1)
    monkeypatch.setattr("rouge_bleu.corpus._CHUNK_CHARACTERS", 1)
    with pytest.raises(ValueError, match=r"^references\[1\]\[29\] has no tokens"):
        rouge(corpus, options)


@pytest.mark.parametrize("preset", [None, "rouge-1.5.5"])
def test_parts_are_not_held_together(monkeypatch, preset):
    """40 parts, each with arrays of 2,000 tokens: 16 KB each, some 300 KB for a part in all."""
    monkeypatch.setattr(scorer, "_MAX_PAIRED_SIZE", 1)
    prediction = " ".join(map(str, range(2_000)))
    corpus = checked_corpus([prediction], [["1 2 3"] * 40])
    options = checked_options(RougeOptions, {"preset": preset, "rouge_types": ["rougeL"]})
    tracemalloc.start()
    try:
        rouge(corpus, options)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 1.5e6
