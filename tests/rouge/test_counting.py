"""How pairs are counted: few one by one, many by columns, references of a large example in parts.

Every way gives the same bits.
"""

import math
import tracemalloc
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.explanations import checked
from helpers.kernels import record
from helpers.measures import item, plain_text, with_references
from rouge_bleu._bleu import counts as bleu_counts
from rouge_bleu._bleu import results as bleu_results
from rouge_bleu._bleu.options import BleuOptions
from rouge_bleu._bleu.results import bleu_plan
from rouge_bleu._rouge import pairs, results
from rouge_bleu._rouge.options import RougeOptions
from rouge_bleu._rouge.pairs import pairs_of_texts
from rouge_bleu._rouge.results import RougePlan
from rouge_bleu.corpus import checked_corpus

# --- few pairs ------------------------------------------------------------------------------------

NAMED_TOKENIZERS = ("rouge_score", "rouge-1.5.5", "unicode", "13a", "char", "whitespace")
TYPES = """rouge1 rouge2 rouge3 rouge7 rougeL rougeLsum rougeW rougeW-2 rougeS rougeS4 rougeSU
    rougeSU2""".split()
ROUGE_CHOICES = {
    "multi_reference": ["best", "average", "pooled", "jackknife"],
    "beta": [0.0, 1.0, 2.5, math.inf],
    "zero_division": [0.0, math.nan],
    "lowercase": [None, True, False],
    "cross_sentences": [False, True],
    "sentence_splitter": ["newline", "sentences"],
    "use_stemmer": [False, True],
    "stopwords": [None, ["a", "b"]],
}
BLEU_CHOICES = {
    "weights": [None, [1.0], {"a": [1], "b": [0.3, 0.0, 0.7]}],
    "smoothing": ["none", "floor", "exp", "chen-cherry-4", "chen-cherry-7"],
    "output": ["all", "score"],
    "reference_length": ["closest", "average"],
    "zero_division": [0.0, math.nan],
    "lowercase": [False, True],
    "preset": [None, "sacrebleu", "evaluate", "nltk", "matlab", "torchmetrics"],
}


def options_of(make, choices, **more):
    """Draw options, of each one of its choices."""
    drawn = {name: st.sampled_from(values) for name, values in choices.items()}
    drawn |= {"tokenizer": st.sampled_from(NAMED_TOKENIZERS), "use_aggregator": st.booleans()}
    return st.builds(make, **drawn, **more)


some_types = st.lists(st.sampled_from(TYPES), min_size=1, unique=True)
METRICS = {
    "rouge": (RougePlan, options_of(RougeOptions, ROUGE_CHOICES, rouge_types=some_types)),
    "bleu": (bleu_plan, options_of(BleuOptions, BLEU_CHOICES)),
}
items = st.lists(st.one_of(item, with_references(plain_text)), min_size=1, max_size=4)


@pytest.mark.parametrize(("plan", "options"), METRICS.values(), ids=METRICS)
@given(items=items, are_tokens=st.booleans(), data=st.data())
def test_few_pairs_one_by_one_and_by_columns(plan, options, items, are_tokens, data):
    if are_tokens:
        items = [(p.split(), [r.split() for r in references]) for p, references in items]
    corpus = checked_corpus([p for p, _ in items], [references for _, references in items])
    options, results = data.draw(options), []
    for limit in (-1, 10**9):
        with (
            mock.patch.object(pairs, "_MAX_FEW_STEPS", limit),
            mock.patch.object(bleu_results, "_MAX_FEW_COLUMNS", limit),
            mock.patch.object(bleu_counts, "_MAX_FEW_STEPS", limit),
        ):
            results.append(repr(plan(options).result(corpus)))  # NaN for NaN
    assert results[0] == results[1]


# Texts, references of each, options, and whether they are counted one by one.
LONG = "a b " * 2_000
WHICH = [
    (["a b", "a c"], 1, {}, True),
    (["a b " * 40] * 24, 1, {"rouge_types": ["rouge1", "rougeLsum"]}, True),
    (["a b " * 40] * 90, 1, {"rouge_types": ["rouge1", "rougeLsum"]}, False),
    # The prediction counts once for each of its references.
    (["a b " * 1000, *["a"] * 4], 4, {"rouge_types": ["rouge1"]}, False),
    (["a b " * 400] * 2, 1, {"rouge_types": ["rougeW"]}, False),
    (["a b " * 400] * 2, 1, {"rouge_types": ["rougeS"]}, False),
    (["a\n" * 20] * 2, 1, {"rouge_types": ["rougeLsum"]}, False),
    (["a b", "a c"], 1, {"summary_lcs": "best"}, False),
    (["a b", "a c"], 1, {"tokenizer": str.split}, False),
    (["a b", "a c"], 1, {"sentence_splitter": str.split}, True),
    (["a b", "a c"], 1, {"preset": "py-rouge"}, False),
]


@pytest.mark.parametrize(("texts", "n_references", "options", "is_few"), WHICH)
def test_which_pairs_are_counted_one_by_one(texts, n_references, options, is_few):
    n_examples = len(texts) // (1 + n_references)
    offsets = np.arange(n_examples + 1) * n_references
    counted = pairs_of_texts(texts, offsets, False, checked(**options)).listed_words
    assert (counted is not None) == is_few


@pytest.mark.parametrize(
    ("text", "order", "is_few"), [("a b", 5, 1), ("a b", 999, 0), (LONG, 4, 0)]
)
def test_which_segments_are_counted_one_by_one(monkeypatch, text, order, is_few):
    one_by_one = record(monkeypatch, bleu_counts, "clipped_matches_of_orders")
    bleu_plan(BleuOptions(max_order=order)).result(checked_corpus([text], [[text]]))
    assert bool(one_by_one) == is_few


# --- large examples -------------------------------------------------------------------------------


def large_example(is_tokenized):
    """Return a prediction and 30 references, the first of them without a word."""
    rng = np.random.default_rng(0)
    words = np.array(["the", "cat", "sat", "on", "a", "mat.\n", "dogs", "ran"])
    texts = [rng.choice(words, length).tolist() for length in (60, *range(30))]
    prediction, *references = texts if is_tokenized else map(" ".join, texts)
    return prediction, references


LARGE = "rouge1 rouge2 rougeL rougeW rougeS4 rougeSU4".split()
PERL = {"preset": "rouge-1.5.5", "corpus_average": "counts", "rouge_types": LARGE}
PAPER = {"zero_division": math.nan, "rouge_types": [*LARGE, "rougeLsum"]}


@pytest.mark.parametrize(
    "options",
    [
        {**PAPER, "multi_reference": "best"},
        {**PAPER, "multi_reference": "pooled", "summary_lcs": "best"},
        *({**PAPER, "multi_reference": "jackknife"}, {**PERL, "multi_reference": "best"}),
        {**PERL, "multi_reference": "pooled"},
    ],
)
@pytest.mark.parametrize("is_tokenized", [False, True])
def test_parts_of_an_example_give_its_scores(monkeypatch, options, is_tokenized):
    prediction, references = large_example(is_tokenized)
    if "preset" in options:  # which takes no reference without a word
        references = references[1:]
    corpus, options = checked_corpus([prediction], [references]), checked(**options, output="all")
    expected = RougePlan(options).result(corpus)
    n_pairs, make = [], results.pairs_of_texts

    def recorded(texts, offsets, *others):
        n_pairs.append(int(offsets[-1]))
        return make(texts, offsets, *others)

    monkeypatch.setattr(results, "pairs_of_texts", recorded)
    # All references; some of them; each by itself, a pair larger than the limit included.
    for limit, n_parts in ((1 << 20, 1), (1000, None), (1, len(references))):
        n_pairs.clear()
        monkeypatch.setattr(results, "_MAX_PAIRED_SIZE", limit)
        assert repr(RougePlan(options).result(corpus)) == repr(expected)
        assert sum(n_pairs) == len(references)
        assert n_parts is None or len(n_pairs) == n_parts


def test_an_empty_reference_of_a_part_is_named(monkeypatch):
    prediction, (empty, *references) = large_example(is_tokenized=False)
    corpus = checked_corpus(["a", prediction], [["a"], [*references, empty]])
    monkeypatch.setattr(results, "_MAX_PAIRED_SIZE", 1)
    monkeypatch.setattr("rouge_bleu.corpus._CHUNK_CHARACTERS", 1)
    with pytest.raises(ValueError, match=r"references\[1\]\[29\]"):
        RougePlan(checked(preset="rouge-1.5.5", rouge_types=["rougeW-1.2"])).result(corpus)


@pytest.mark.parametrize("preset", [None, "rouge-1.5.5"])
def test_parts_are_not_held_together(monkeypatch, preset):
    """40 parts, each with arrays of 2,000 tokens: 16 KB each, some 300 KB for a part in all."""
    monkeypatch.setattr(results, "_MAX_PAIRED_SIZE", 1)
    corpus = checked_corpus([" ".join(map(str, range(2_000)))], [["1 2 3"] * 40])
    options = checked(preset=preset, rouge_types=["rougeL"])
    tracemalloc.start()
    try:
        RougePlan(options).result(corpus)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 1.5e6
