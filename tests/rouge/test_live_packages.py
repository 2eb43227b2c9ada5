"""rouge_full against rouge_score, and against the definition where rouge_score has no such type."""

import math
from itertools import product

import pytest

from helpers import tokenizers
from helpers.rouge.corpora import ROUGE_SCORE_TYPES, random_corpus
from helpers.rouge.expected import items_of
from helpers.rouge.peers import rouge_score_items, with_names


def rouge_score_result(predictions, references, **options):
    """Return what rouge_score gives, as rouge_full names it with output="all" and
    use_aggregator=False.
    """
    return with_names(rouge_score_items(predictions, references, ROUGE_SCORE_TYPES, **options))


@pytest.mark.parametrize("use_stemmer", [False, True])
@pytest.mark.parametrize(
    ("n_items", "max_words", "max_references"), [(300, 6, 1), (10, 200, 1), (60, 50, 5)]
)
def test_parity_with_rouge_score(rouge_full, n_items, max_words, max_references, use_stemmer):
    predictions, references = random_corpus(max_words, n_items, max_words, max_references)
    options = {"rouge_types": ROUGE_SCORE_TYPES, "use_stemmer": use_stemmer, "output": "all"}
    per_item = rouge_full.compute(
        predictions=predictions, references=references, use_aggregator=False, **options
    )
    expected = rouge_score_result(predictions, references, use_stemmer=use_stemmer)
    assert per_item == expected  # to the last digit: the order of the operations is the same
    assert any(0 < value < 1 for value in expected["rouge9_fmeasure"]) == (max_words > 8)

    aggregated = rouge_full.compute(predictions=predictions, references=references, **options)
    assert aggregated == pytest.approx(
        {key: math.fsum(values) / n_items for key, values in expected.items()}, abs=1e-12
    )


# The tokenizer of rouge_full, and the same as a function for rouge_score.
TOKENIZERS = {
    # Characters with the newline among them: it is a token of a text, and none of its sentences,
    # each tokenized by itself.
    "characters": (list, list),
    "words": (str.split, str.split),
    "13a": ("13a", lambda text: tokenizers.tokens_13a(text.lower())),
    "char": ("char", lambda text: list("".join(text.lower().split()))),
    "whitespace": ("whitespace", lambda text: text.lower().split()),
    "rouge_score": ("rouge_score", tokenizers.rouge_score_tokens),
}
# Only "\n" ends a sentence in rouge_score, not what else str.splitlines knows.
LINES = [
    "a b\r\nc a",
    "a b\rc\x0bd",
    "\n\n",
    "\n a\n\nb \n",
    "c a\x85b\u2028a",
    "b a\x1cc a",
    "",
    " ",
    "a\tb\nb\ta",
]


@pytest.mark.parametrize(("tokenizer", "tokenize"), TOKENIZERS.values(), ids=TOKENIZERS)
def test_parity_with_rouge_score_with_any_tokenizer(rouge_full, tokenizer, tokenize):
    predictions, references = random_corpus(20, 60, 15, 3)
    pairs = list(product(LINES, LINES))
    predictions += [prediction for prediction, _ in pairs]
    references += [[reference] for _, reference in pairs]
    corpus = (predictions, references)
    result = items_of(rouge_full, corpus, ROUGE_SCORE_TYPES, tokenizer=tokenizer)
    assert result == rouge_score_result(predictions, references, tokenizer=tokenize)
