"""Words of one text against those of a column."""

import pytest

from helpers.hostile_text import RULES, numbered, random_strings, rows_of
from rouge_bleu.text.mteval import UNSTRIPPED_13A, UNSTRIPPED_13A_OF_CASE
from rouge_bleu.text.tokenizers import are_few, tokenized, tokenizer_rules, words_of_few

TEXTS = [*random_strings(11, 600), "", "\n", "a" * 5000, "1.5 1,000 x.5 .5 5. 3-4 1.-2 - -- 'a'"]
# The last point belongs to the digit in some of these, by their number.
POINTS = ["1..5", "a..5", "a...5", "1...5", "..5", ".,5", "x 1,.5 y"]


def plain_words(text, options):
    rows = words_of_few([text], options, is_tokenized=False)
    return None if rows is None else rows[0]


@pytest.mark.parametrize("lowercase", [True, False])
@pytest.mark.parametrize("tokenizer", [*RULES, "unicode", UNSTRIPPED_13A, UNSTRIPPED_13A_OF_CASE])
def test_words_are_those_of_the_column(tokenizer, lowercase):
    options = tokenizer_rules(
        tokenizer, lowercase=lowercase, stopwords=frozenset("ab1"), stem=lambda word: word[:2]
    )
    texts = [text for text in TEXTS if plain_words(text, options) is not None]
    assert len(texts) > len(TEXTS) / 20
    words = words_of_few(texts, options, is_tokenized=False)
    assert numbered(words) == numbered(rows_of(tokenized(texts, options).ids))


def test_given_tokens_are_those_of_the_column():
    options = tokenizer_rules(lowercase=True, stopwords=frozenset("a"), stem=lambda word: word[:2])
    lists = [["A", "b", "bcd", "BCE"], [], ["New York", "", "\u0130"]]
    words = words_of_few(lists, options, is_tokenized=True)
    assert words == [["b", "bc", "bc"], [], ["ne", "", "i\u0307"]]
    rows = rows_of(tokenized(lists, options, is_tokenized=True).ids)
    assert numbered(words) == numbered(rows)


@pytest.mark.parametrize("text", POINTS)
def test_points_before_a_digit_are_left_to_the_column(text):
    assert plain_words(text, tokenizer_rules("13a")) is None
    assert words_of_few(["a", text], tokenizer_rules("13a"), is_tokenized=False) is None


def test_what_is_left_to_the_column():
    assert plain_words("a", tokenizer_rules(str.split)) is None
    assert plain_words("a b", tokenizer_rules("unicode")) == ["a", "b"]
    assert plain_words("é", tokenizer_rules("unicode")) is None


def test_a_stem_that_is_no_string_is_an_error():
    options = tokenizer_rules(stem=lambda word: None)
    with pytest.raises(TypeError, match="stemmer must return a string for each token, got None"):
        plain_words("a", options)


def test_size_of_a_few_texts():
    """A character each; 5 for each token that is given, 50 for each text by itself."""
    for texts, is_tokenized, size in (
        (["a" * 1150, "b" * 1150], False, 2400),
        ([["a"] * 470], True, 2400),
        ([""] * 48, False, 2400),
    ):
        assert are_few(texts, is_tokenized, most=size)
        assert not are_few(texts, is_tokenized, most=size - 1)
