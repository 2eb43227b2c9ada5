"""Few pairs one by one: the same bits as by columns, and which texts go which way."""

import math
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.measures import item, plain_text
from rouge_bleu._bleu import counts as bleu_counts
from rouge_bleu._bleu.options import BleuOptions
from rouge_bleu._bleu.scorer import bleu
from rouge_bleu._rouge import counting
from rouge_bleu._rouge.options import RougeOptions
from rouge_bleu._rouge.scorer import rouge
from rouge_bleu.corpus import checked_corpus
from rouge_bleu.kernels import lcs, union_lcs
from rouge_bleu.options import checked_options

NAMED_TOKENIZERS = ("rouge_score", "rouge-1.5.5", "unicode", "13a", "char", "whitespace")
TYPES = [
    "rouge1",
    "rouge2",
    "rouge3",
    "rouge7",
    "rougeL",
    "rougeLsum",
    "rougeW",
    "rougeW-2",
    "rougeS",
]
TYPES += ["rougeS4", "rougeSU", "rougeSU2"]

same_words = st.tuples(plain_text, st.lists(plain_text, min_size=1, max_size=3))
items = st.lists(st.one_of(item, same_words), min_size=1, max_size=4)
flag = st.booleans()
rouge_choices = st.fixed_dictionaries(
    {
        "rouge_types": st.lists(st.sampled_from(TYPES), min_size=1, unique=True),
        "multi_reference": st.sampled_from(["best", "average", "pooled", "jackknife"]),
        "beta": st.sampled_from([0.0, 1.0, 2.5, math.inf]),
        "zero_division": st.sampled_from([0.0, math.nan]),
        "lowercase": st.sampled_from([None, True, False]),
        "cross_sentences": flag,
        "sentence_splitter": st.sampled_from(["newline", "sentences"]),
        "use_stemmer": flag,
        "stopwords": st.sampled_from([None, ["a", "b"]]),
        "max_words": st.sampled_from([None, 5]),
        "use_aggregator": flag,
    }
)
bleu_choices = st.fixed_dictionaries(
    {
        "max_order": st.sampled_from([None, 1, 3]),
        "smoothing": st.sampled_from(["none", "exp", "chen-cherry-7"]),
        "reference_length": st.sampled_from(["closest", "average"]),
        "zero_division": st.sampled_from([0.0, math.nan]),
        "lowercase": flag,
        "use_aggregator": flag,
        "preset": st.sampled_from([None, "sacrebleu", "evaluate", "nltk"]),
    }
)


def corpus_of(items, are_tokens=False):
    if are_tokens:
        items = [(p.split(), [r.split() for r in references]) for p, references in items]
    return checked_corpus([p for p, _ in items], [references for _, references in items])


def both_ways(score, corpus, options):
    """Return the results of columns and of the plain way, written out: NaN is equal to itself."""
    results = []
    for limit in (-1, 10**9):
        with (
            mock.patch.object(counting, "_MAX_FEW_CHARACTERS", limit),
            mock.patch.object(counting, "_MAX_FEW_TABLES", 10**9),
            mock.patch.object(counting, "_MAX_FEW_STEPS", 10**9),
            mock.patch.object(bleu_counts, "_MAX_FEW_CHARACTERS", limit),
            mock.patch.object(lcs, "_MAX_PLAIN_TOKENS", limit),
            mock.patch.object(union_lcs, "_MAX_PLAIN_STEPS", limit),
        ):
            results.append(repr(score(corpus, options)))
    return results


@given(st.sampled_from(NAMED_TOKENIZERS), items, rouge_choices, flag)
def test_rouge_is_the_same_both_ways(tokenizer, items, choices, are_tokens):
    corpus = corpus_of(items, are_tokens)
    columns, plain = both_ways(rouge, corpus, RougeOptions(tokenizer=tokenizer, **choices))
    assert columns == plain


@given(st.sampled_from(NAMED_TOKENIZERS), items, bleu_choices, flag)
def test_bleu_is_the_same_both_ways(tokenizer, items, choices, are_tokens):
    corpus = corpus_of(items, are_tokens)
    columns, plain = both_ways(bleu, corpus, BleuOptions(tokenizer=tokenizer, **choices))
    assert columns == plain


# Texts, references of each, options, and whether they are counted one by one.
WHICH = [
    (["a b", "a c"], 1, {}, True),
    (["a b " * 40] * 24, 1, {"rouge_types": ["rouge1", "rougeLsum"]}, True),
    (["a b " * 40] * 60, 1, {"rouge_types": ["rouge1", "rougeLsum"]}, False),
    # The prediction counts once for each of its references.
    (["a b " * 800, *["a"] * 4], 4, {"rouge_types": ["rouge1"]}, False),
    (["a b " * 400] * 2, 1, {"rouge_types": ["rougeW"]}, False),
    (["a b " * 400] * 2, 1, {"rouge_types": ["rougeS"]}, False),
    (["a\n" * 20] * 2, 1, {"rouge_types": ["rougeLsum"]}, False),
    (["a b", "a c"], 1, {"summary_lcs": "best"}, False),
    (["a b", "a c"], 1, {"tokenizer": str.split}, False),
    (["a b", "a c"], 1, {"sentence_splitter": str.split}, False),
    (["a b", "a c"], 1, {"preset": "py-rouge"}, False),
]


@pytest.mark.parametrize(("texts", "n_references", "options", "is_few"), WHICH)
def test_which_pairs_are_counted_one_by_one(texts, n_references, options, is_few):
    n_examples = len(texts) // (1 + n_references)
    offsets = np.arange(n_examples + 1) * n_references
    counted = counting.counts_of_few(texts, offsets, False, checked_options(RougeOptions, options))
    assert (counted is not None) == is_few
