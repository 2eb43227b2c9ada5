"""Scores of random texts against the textbook oracles."""

import itertools

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from helpers import oracles
from helpers.measures import (
    ROUGE_TYPES,
    piece,
    scores,
    separator,
    word,
)
from rouge_bleu.bleu.options import BleuOptions
from rouge_bleu.bleu.scorer import bleu
from rouge_bleu.data.corpus import checked_corpus
from rouge_bleu.rouge.families.table import measure_of_name

RULES = {
    "rouge_score": oracles.rouge_score_tokens,
    "rouge-1.5.5": oracles.rouge155_tokens,
    "13a": lambda text: oracles.tokens_13a(text.lower()),
    "char": lambda text: [c for c in text.lower() if not c.isspace()],
    "whitespace": lambda text: text.lower().split(),
    str.split: str.split,
}


short_text = st.lists(
    st.tuples(piece.filter(lambda piece: len(piece) < 200), separator), max_size=20
).map(lambda parts: "".join(map("".join, parts)))


lines = st.lists(st.lists(word, max_size=6).map(" ".join), max_size=6).map("\n".join)


def expected_scores(name, prediction, reference, rule):
    """Return precision, recall and F of a pair of texts."""
    measure = measure_of_name(name)
    if measure.family.name == "Lsum":
        sides = [
            [rule(line) for line in text.split("\n") if line] for text in (prediction, reference)
        ]
        return oracles.scores(
            oracles.union_lcs_length(*sides), *(len(oracles.joined(side)) for side in sides)
        )
    sides = rule(prediction), rule(reference)
    if measure.family.name == "L":
        return oracles.scores(oracles.lcs_length(*sides), *map(len, sides))
    if measure.family.name == "W":
        totals = (float(len(side)) ** measure.weight for side in sides)
        return oracles.scores(
            oracles.wlcs_score(*sides, measure.weight), *totals, inverse=1 / measure.weight
        )
    if measure.family.name == "N":
        counts = [oracles.ngrams(side, measure.order) for side in sides]
    else:
        counts = [oracles.skip_bigrams(side, measure.max_skip) for side in sides]
        if measure.family.name == "SU":
            counts = [
                count + oracles.ngrams(side, 1) for count, side in zip(counts, sides, strict=True)
            ]
    return oracles.scores(
        oracles.clipped_matches(*counts), *(sum(count.values()) for count in counts)
    )


@pytest.mark.parametrize("tokenizer", RULES)
@given(st.lists(st.tuples(short_text, short_text), min_size=1, max_size=3))
def test_rouge_is_that_of_the_oracles(tokenizer, pairs):
    table = scores([(prediction, [reference]) for prediction, reference in pairs], tokenizer)
    for name in ROUGE_TYPES:
        for row, pair in zip(table[name], pairs, strict=True):
            assert row == pytest.approx(
                expected_scores(name, *pair, RULES[tokenizer]), rel=1e-12, abs=1e-12
            ), (name, pair)


@pytest.mark.parametrize("tokenizer", RULES)
@given(st.lists(st.tuples(lines, lines), min_size=5, max_size=9))
def test_rouge_lsum_is_that_of_the_oracle(tokenizer, pairs):
    rows = scores([(prediction, [reference]) for prediction, reference in pairs], tokenizer)[
        "rougeLsum"
    ]
    for row, pair in zip(rows, pairs, strict=True):
        assert row == expected_scores("rougeLsum", *pair, RULES[tokenizer]), pair


@given(
    st.lists(
        st.tuples(short_text, st.lists(short_text, min_size=1, max_size=3)), min_size=1, max_size=4
    ),
    st.sampled_from(("13a", "whitespace")),
)
def test_bleu_is_that_of_the_oracle(items, tokenizer):
    rule = {"13a": oracles.tokens_13a, "whitespace": str.split}[tokenizer]
    predictions = [rule(prediction) for prediction, _ in items]
    references = [list(map(rule, texts)) for _, texts in items]
    assume(any(map(any, references)))
    corpus = checked_corpus([prediction for prediction, _ in items], [texts for _, texts in items])
    weights = [1, 4, 5]
    for per_item in (False, True):
        result = bleu(corpus, BleuOptions(tokenizer, weights=weights, use_aggregator=not per_item))[
            "bleu"
        ]
        parts = (
            [([p], [r]) for p, r in zip(predictions, references, strict=True)]
            if per_item
            else [(predictions, references)]
        )
        expected = [
            oracles.bleu(*part, [weight / sum(weights) for weight in weights]) for part in parts
        ]
        assert (result if per_item else [result]) == pytest.approx(expected, rel=1e-12, abs=1e-12)


def test_closest_reference_length_is_that_of_the_oracle():
    """Every prediction of up to 5 tokens with every two references of up to 8, so with every tie."""
    lengths = [
        (prediction, pair)
        for prediction in range(6)
        for pair in itertools.product(range(9), repeat=2)
    ]
    corpus = checked_corpus(
        [["a"] * prediction for prediction, _ in lengths],
        [[["a"] * length for length in pair] for _, pair in lengths],
    )
    found = bleu(corpus, BleuOptions(use_aggregator=False))["reference_length"]
    assert found == [oracles.closest_reference_length(*length) for length in lengths]
