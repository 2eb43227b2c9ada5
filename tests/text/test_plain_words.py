"""Words of one text against those of a column."""

import pytest

from helpers.hostile_text import (
    RULES,
    numbered,
    random_strings,
)
from rouge_bleu.text.named import UNSTRIPPED_13A, UNSTRIPPED_13A_OF_CASE
from rouge_bleu.text.plain_words import plain_words_of_texts
from rouge_bleu.text.tokenizers import TokenizerOptions, tokenized

TEXTS = [*random_strings(11, 600), "", "\n", "a" * 5000, "1.5 1,000 x.5 .5 5. 3-4 1.-2 - -- 'a'"]
# The last point belongs to the digit in some of these, by their number.
POINTS = ["1..5", "a..5", "a...5", "1...5", "..5", ".,5", "x 1,.5 y"]


def plain_words(text, options):
    rows = plain_words_of_texts([text], options, is_tokenized=False)
    return None if rows is None else rows[0]


@pytest.mark.parametrize("lowercase", [True, False])
@pytest.mark.parametrize("tokenizer", [*RULES, "unicode", UNSTRIPPED_13A, UNSTRIPPED_13A_OF_CASE])
def test_words_are_those_of_the_column(tokenizer, lowercase):
    options = TokenizerOptions(
        tokenizer, lowercase=lowercase, stopwords=frozenset("ab1"), stem=lambda word: word[:2]
    )
    texts = [text for text in TEXTS if plain_words(text, options) is not None]
    assert len(texts) > len(TEXTS) / 20
    words = plain_words_of_texts(texts, options, is_tokenized=False)
    assert numbered(words) == numbered(tokenized(texts, options).ids.to_lists())


@pytest.mark.parametrize("text", POINTS)
def test_points_before_a_digit_are_left_to_the_column(text):
    assert plain_words(text, TokenizerOptions("13a")) is None
    assert plain_words_of_texts(["a", text], TokenizerOptions("13a"), is_tokenized=False) is None


def test_what_is_left_to_the_column():
    assert plain_words("a", TokenizerOptions(str.split)) is None
    assert plain_words("a", TokenizerOptions("intl")) is None
    assert plain_words("a b", TokenizerOptions("unicode")) == ["a", "b"]
    assert plain_words("é", TokenizerOptions("unicode")) is None
