"""What holds for every measure, on nasty text: one table of all measures, and Hypothesis."""

import math
from unittest import mock

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from helpers import tokenizers
from helpers.measures import (
    BLEU,
    ROUGE_TYPES,
    WORDS,
    item,
    piece,
    pieces,
    plain_text,
    rouge_options,
    scores,
    separator,
    some_items,
    text,
    tokenizer,
    with_references,
)
from helpers.rouge.expected import pair_counts, scores_of_counts
from rouge_bleu import corpus as corpus_module
from rouge_bleu import plain
from rouge_bleu._bleu.options import BleuOptions
from rouge_bleu._bleu.results import bleu_plan
from rouge_bleu._rouge.options import RougeOptions
from rouge_bleu._rouge.results import RougePlan
from rouge_bleu.corpus import checked_corpus
from rouge_bleu.rouge_types import FAMILIES, type_of_name


def test_no_measure_is_missing():
    assert {type_of_name(name).family for name in ROUGE_TYPES} == {*FAMILIES}
    assert {*RougeOptions().types_by_name} <= {*ROUGE_TYPES}


# --- against the textbook -------------------------------------------------------------------------

RULES = {
    "rouge_score": tokenizers.rouge_score_tokens,
    "rouge-1.5.5": tokenizers.rouge155_tokens,
    "13a": lambda text: tokenizers.tokens_13a(text.lower()),
    "char": lambda text: [c for c in text.lower() if not c.isspace()],
    "whitespace": lambda text: text.lower().split(),
    str.split: str.split,
}
short_text = pieces(piece.filter(lambda piece: len(piece) < 200), separator, 20)


def textbook_scores(name, pair, rule):
    """Return precision, recall and F of a pair of texts."""
    lines = [text.split("\n") if name == "rougeLsum" else [text] for text in pair]
    sides = [[rule(line) for line in side if line or len(side) == 1] for side in lines]
    return scores_of_counts(pair_counts(name.removesuffix("*"), *sides))


@given(
    st.sampled_from(list(RULES)),
    st.lists(st.tuples(short_text, short_text), min_size=1, max_size=3),
)
def test_rouge_is_that_of_the_textbook(tokenizer, pairs):
    table = scores([(prediction, [reference]) for prediction, reference in pairs], tokenizer)
    for name in ROUGE_TYPES:
        expected = [textbook_scores(name, pair, RULES[tokenizer]) for pair in pairs]
        for row, scores_of_pair in zip(table[name], expected, strict=True):
            assert row == pytest.approx(scores_of_pair, rel=1e-12, abs=1e-12), name


@given(
    st.lists(with_references(short_text), min_size=1, max_size=4),
    st.sampled_from(("13a", "whitespace")),
)
def test_bleu_is_that_of_the_textbook(items, tokenizer):
    rule = {"13a": tokenizers.tokens_13a, "whitespace": str.split}[tokenizer]
    tokens = [(rule(prediction), list(map(rule, texts))) for prediction, texts in items]
    assume(any(map(any, (texts for _, texts in tokens))))
    corpus = checked_corpus([prediction for prediction, _ in items], [texts for _, texts in items])
    options = [BleuOptions(tokenizer, weights=[1, 4, 5], use_aggregator=x) for x in (True, False)]
    whole, of_items = (bleu_plan(one).result(corpus)["bleu"] for one in options)
    expected = [
        plain.bleu(*zip(*part, strict=True), [0.1, 0.4, 0.5])
        for part in (tokens, *([item] for item in tokens))
    ]
    assert [whole, *of_items] == pytest.approx(expected, rel=1e-12, abs=1e-12)


# --- known properties of scores -------------------------------------------------------------------


@given(st.lists(text, min_size=1, max_size=5))
def test_identical_texts_score_1_where_they_are_long_enough(texts):
    """And 0 if they are not. Another reference, as long as this one, takes nothing away."""
    enough = {**ROUGE_TYPES, **{name: n_tokens for name, (n_tokens, _) in BLEU.items()}}
    for references_of in (lambda own: [own], lambda own: [own[::-1], own]):
        pairs = [(prediction, references_of(prediction)) for prediction in texts]
        for name, rows in scores(pairs, "whitespace").items():
            for row, own in zip(rows, texts, strict=True):
                assert set(row) == {float(len(own.split()) >= enough[name])}, name


@given(some_items, tokenizer)
def test_swapped_sides_swap_precision_and_recall(items, tokenizer):
    """N, L, S and SU count units that both texts have, clipped or aligned on both sides alike. So does
    W: its table for the swapped sides is the transposed one, since a match goes diagonally and all
    else takes the larger of two. Lsum takes the union over sentences of the prediction alone. A
    reference that is repeated changes nothing.
    """
    pairs = [(prediction, references[:1]) for prediction, references in items]
    before = scores(pairs, tokenizer)
    assert scores([(p, references * 3) for p, references in pairs], tokenizer) == before
    after = scores([(reference, [prediction]) for prediction, (reference,) in pairs], tokenizer)
    for name in ROUGE_TYPES.keys() - {"rougeLsum"}:
        assert [(recall, precision, f) for precision, recall, f in before[name]] == after[name]


def test_measures_that_are_not_symmetric():
    """By hand, and rouge_score gives the same: both lines of the reference take their a from "a a".
    The other way round both lines of the prediction take the last a of the reference. BLEU punishes
    a short prediction, here all of whose words match, and no short reference.
    """
    assert scores([("a a", ["a\na"])])["rougeLsum"] == [(1.0, 1.0, 1.0)]
    assert scores([("a\na", ["a a"])])["rougeLsum"] == [(0.5, 0.5, 0.5)]
    end = " ".join(map(str, range(20)))
    short, long = f"a b c d e {end}", f"a b c d e f g h {end}"
    before, after = scores([(short, [long])]), scores([(long, [short])])
    assert all(before[name] != after[name] for name in BLEU)


# --- what changes no bit --------------------------------------------------------------------------


@given(st.lists(item, min_size=2, max_size=5), tokenizer, rouge_options, st.data())
def test_order_and_batches_change_nothing(items, tokenizer, options, data):
    end = data.draw(st.integers(1, len(items) - 1))
    turned, first, second = (
        scores(part, tokenizer, **options)
        for part in (items[end:] + items[:end], items[:end], items[end:])
    )
    assert turned == {name: second[name] + first[name] for name in turned}
    for name, rows in turned.items():
        assert all(0.0 <= score <= 1.0 for row in rows for score in row), name


def test_many_items_score_like_each_alone_and_in_chunks():
    """More items than fit into one vector register: numpy adds few numbers in a different order from
    many, and takes other instructions for the rest of a vector. References are copies with errors, so
    that long n-grams match.
    """
    rng = np.random.default_rng(1)
    items = []
    for k in range(30):
        tokens = rng.integers(0, 4, rng.integers(0, 140))
        copies = [
            np.where(rng.random(len(tokens)) < 0.05, rng.integers(0, 4, len(tokens)), tokens)
            for _ in range(k % 3 + 1)
        ]
        prediction, *references = (" ".join(map(str, side)) for side in (tokens, *copies))
        items.append((prediction, references))
    table = scores(items)
    assert all(len(set(rows)) > 15 for rows in table.values()), "most scores differ"
    one_by_one = [scores([item]) for item in items]
    assert table == {name: [of_item[name][0] for of_item in one_by_one] for name in table}
    with mock.patch.object(corpus_module, "_CHUNK_CHARACTERS", 300):
        assert scores(items) == table


@given(some_items, tokenizer, rouge_options, st.sampled_from([1, 100]))
def test_size_of_chunks_changes_no_aggregate(items, tokenizer, choices, n_characters):
    """BLEU of a corpus is a function of integers, so no bit of it changes; a mean is one of all
    items in their order. Nor do other types that are counted too.
    """
    corpus = checked_corpus(
        [prediction for prediction, _ in items], [references for _, references in items]
    )
    types, choices = list(ROUGE_TYPES), {"tokenizer": tokenizer, **choices}
    options = RougeOptions(rouge_types=types, **choices), BleuOptions(tokenizer)
    whole = RougePlan(options[0]).result(corpus), bleu_plan(options[1]).result(corpus)
    with mock.patch.object(corpus_module, "_CHUNK_CHARACTERS", n_characters):
        assert (RougePlan(options[0]).result(corpus), bleu_plan(options[1]).result(corpus)) == whole
    per_item = scores(items, **choices)
    for name in types:
        mean = math.fsum(f for *_, f in per_item[name]) / len(items)
        assert whole[0][name] == pytest.approx(mean, abs=1e-12)
        alone = RougePlan(RougeOptions(rouge_types=[name], **choices)).result(corpus)
        assert alone == {name: whole[0][name]}


@given(
    st.lists(with_references(plain_text), min_size=1, max_size=4),
    st.permutations(range(len(WORDS))),
)
def test_names_of_tokens_change_nothing(items, order):
    """Nor does it matter whether tokens are given, which are one sentence."""
    names = ["zebra9", "0", "b", "a", "é", "longer" * 20, "\x01"]
    name_of = {word: names[k] for word, k in zip(WORDS, order, strict=True)}

    def renamed(text):
        return "\n".join(" ".join(map(name_of.get, line.split())) for line in text.split("\n"))

    def each(change):
        return [(change(p), list(map(change, references))) for p, references in items]

    def score(items):
        return scores(items, "whitespace", lowercase=False)

    assert score(each(lambda text: text)) == score(each(renamed))
    tokens, texts = each(str.split), each(lambda text: text.replace("\n", " "))
    assert score(tokens) == score(texts)
