"""The tokenizer "13a" against sacreBLEU's, and evaluate's, on all texts of up to five characters of
nine kinds, and on random ones. A column of texts goes through in one call, as in the metric.
"""

from itertools import product

import pytest

from helpers.bleu.peers import evaluate_13a
from helpers.hostile_text import assert_tokens, random_strings, sacrebleu_13a
from rouge_bleu.text.named import UNSTRIPPED_13A


def assert_both(texts):
    of_sacrebleu = [sacrebleu_13a(text.rstrip()).split() for text in texts]
    assert_tokens(texts, of_sacrebleu, tokenizer="13a", lowercase=False)
    of_evaluate = list(map(evaluate_13a, texts))
    assert_tokens(texts, of_evaluate, tokenizer=UNSTRIPPED_13A, lowercase=False)


@pytest.mark.parametrize("length", [*range(5), pytest.param(5, marks=pytest.mark.deep)])
def test_13a_on_all_short_texts(length):
    """Of a letter, a digit, the five characters that its rules name and two blanks. Each of the
    four rules looks at two characters.
    """
    assert_both(list(map("".join, product("a5.,-'& \n", repeat=length))))


def test_13a_on_random_texts():
    assert_both(random_strings(1, 5_000))
    texts = random_strings(2, 2_000)
    # sacreBLEU lowercases first of all, so that "<SKIPPED>" is taken out too.
    expected = [sacrebleu_13a(text.lower().rstrip()).split() for text in texts]
    assert_tokens(texts, expected, tokenizer="13a", lowercase=True)


def test_a_wrong_token_is_found():
    with pytest.raises(AssertionError, match=r"a-b"):
        assert_tokens(["x", "a-b"], [["x"], ["a", "-", "b"]], tokenizer="13a", lowercase=False)
