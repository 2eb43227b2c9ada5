"""Scores of random texts against the textbook oracles."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from helpers import tokenizers
from helpers.measures import ROUGE_TYPES, piece, scores, separator
from helpers.rouge.expected import pair_counts, scores_of_counts
from rouge_bleu import plain
from rouge_bleu._bleu.options import BleuOptions
from rouge_bleu._bleu.scorer import bleu
from rouge_bleu.corpus import checked_corpus

RULES = {
    "rouge_score": tokenizers.rouge_score_tokens,
    "rouge-1.5.5": tokenizers.rouge155_tokens,
    "13a": lambda text: tokenizers.tokens_13a(text.lower()),
    "char": lambda text: [c for c in text.lower() if not c.isspace()],
    "whitespace": lambda text: text.lower().split(),
    str.split: str.split,
}

short_text = st.lists(
    st.tuples(piece.filter(lambda piece: len(piece) < 200), separator), max_size=20
).map(lambda parts: "".join(map("".join, parts)))


def expected_scores(name, pair, rule):
    """Return precision, recall and F of a pair of texts."""
    if name == "rougeLsum":
        sides = [[rule(line) for line in text.split("\n") if line] for text in pair]
    else:
        sides = [[rule(text)] for text in pair]
    return scores_of_counts(pair_counts(name.removesuffix("*"), *sides))


@given(
    st.sampled_from(list(RULES)),
    st.lists(st.tuples(short_text, short_text), min_size=1, max_size=3),
)
def test_rouge_is_that_of_the_oracles(tokenizer, pairs):
    table = scores([(prediction, [reference]) for prediction, reference in pairs], tokenizer)
    for name in ROUGE_TYPES:
        expected = [expected_scores(name, pair, RULES[tokenizer]) for pair in pairs]
        for row, scores_of_pair in zip(table[name], expected, strict=True):
            assert row == pytest.approx(scores_of_pair, rel=1e-12, abs=1e-12), name


@given(
    st.lists(
        st.tuples(short_text, st.lists(short_text, min_size=1, max_size=3)), min_size=1, max_size=4
    ),
    st.sampled_from(("13a", "whitespace")),
)
def test_bleu_is_that_of_the_oracle(items, tokenizer):
    rule = {"13a": tokenizers.tokens_13a, "whitespace": str.split}[tokenizer]
    predictions = [rule(prediction) for prediction, _ in items]
    references = [list(map(rule, texts)) for _, texts in items]
    assume(any(map(any, references)))
    corpus = checked_corpus([prediction for prediction, _ in items], [texts for _, texts in items])
    whole, of_items = (
        bleu(corpus, BleuOptions(tokenizer, weights=[1, 4, 5], use_aggregator=is_whole))["bleu"]
        for is_whole in (True, False)
    )
    parts = [([p], [r]) for p, r in zip(predictions, references, strict=True)]
    expected = [plain.bleu(*part, [0.1, 0.4, 0.5]) for part in [(predictions, references), *parts]]
    assert [whole, *of_items] == pytest.approx(expected, rel=1e-12, abs=1e-12)
