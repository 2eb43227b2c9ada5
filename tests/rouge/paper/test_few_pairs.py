"""Few pairs one by one: the same bits as by columns, and which texts go which way."""

import math
from unittest import mock

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from helpers.measures import item, plain_text
from rouge_bleu._bleu.options import BleuOptions
from rouge_bleu._bleu.scorer import bleu
from rouge_bleu._rouge.options import RougeOptions
from rouge_bleu._rouge.paper import few_pairs
from rouge_bleu._rouge.scorer import rouge
from rouge_bleu.corpus import checked_corpus
from rouge_bleu.kernels import lcs, union_lcs
from rouge_bleu.text import tokenizers

NAMED_TOKENIZERS = ("rouge_score", "rouge-1.5.5", "unicode", "13a", "char", "whitespace")
TYPES = ["rouge1", "rouge2", "rouge3", "rouge4", "rougeL", "rougeLsum"]

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
            mock.patch.object(tokenizers.are_few, "__defaults__", (limit,)),
            mock.patch.object(few_pairs, "_MAX_PLAIN_TABLES", 10**9),
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


def test_which_pairs_are_counted_one_by_one():
    """A few of the four usual types; none of other types."""
    corpus, offsets = ["a b", "a c"], np.array([0, 1])
    usual, other = (
        few_pairs.paper_pairs(corpus, offsets, False, RougeOptions(rouge_types=types))
        for types in (["rouge1", "rouge2", "rougeL", "rougeLsum"], ["rouge1", "rougeS4"])
    )
    assert isinstance(usual, few_pairs.FewPairs)
    assert not isinstance(other, few_pairs.FewPairs)
