"""Tokenizers against the programs that they follow, on hostile text."""

import numpy as np
import pytest
from rouge_score.tokenizers import DefaultTokenizer

from helpers.hostile_text import (
    RULES,
    RULES_WITH_CASE,
    assert_sentences,
    assert_tokens,
    code_points,
    numbered,
    random_strings,
    rows_of,
    sacrebleu_13a,
)
from rouge_bleu.text.sentence_lines import tokenized_sentences
from rouge_bleu.text.tokenizers import TokenizerOptions, tokenized

# --- the named tokenizers -------------------------------------------------------------------------


def test_13a_is_that_of_sacrebleu_on_random_text():
    """sacreBLEU takes trailing blanks off before it tokenizes."""
    texts = random_strings(1, 20_000)
    assert_tokens(
        texts,
        [sacrebleu_13a(text.rstrip()).split() for text in texts],
        tokenizer="13a",
        lowercase=False,
    )


def test_13a_in_lowercase_is_that_of_sacrebleu_on_random_text():
    """sacreBLEU lowercases first of all, so that "<SKIPPED>" is taken out too."""
    texts = random_strings(2, 5_000)
    assert_tokens(
        texts,
        [sacrebleu_13a(text.lower().rstrip()).split() for text in texts],
        tokenizer="13a",
        lowercase=True,
    )


def test_13a_is_that_of_sacrebleu_on_code_points():
    texts = code_points(step_beyond_bmp=37)
    assert_tokens(
        texts,
        [sacrebleu_13a(text.rstrip()).split() for text in texts],
        tokenizer="13a",
        lowercase=False,
    )


@pytest.mark.parametrize("separator", ["{}{}", "a{}{}b", "1{}{}2", " {}{} ", "{} {}"])
def test_13a_is_that_of_sacrebleu_on_every_two_ascii_characters(separator):
    texts = [
        " ".join(separator.format(chr(a), chr(b)) for b in range(128) if b != 10)
        for a in range(128)
    ]
    assert_tokens(
        texts,
        [sacrebleu_13a(text.rstrip()).split() for text in texts],
        tokenizer="13a",
        lowercase=False,
    )


def test_rouge_score_is_that_of_rouge_score_on_every_code_point():
    texts = code_points()
    assert_tokens(texts, list(map(DefaultTokenizer().tokenize, texts)))


def test_rouge_score_is_that_of_rouge_score_on_random_text():
    texts = random_strings(3, 20_000)
    assert_tokens(texts, list(map(DefaultTokenizer().tokenize, texts)))


def test_rouge_score_lowercases_as_unicode_does():
    """U+0130 and the KELVIN SIGN are the only characters outside ASCII with an ASCII letter in
    their lowercase form.
    """
    assert_tokens(["\u0130x \u212aelvin \u03a3"], [["i", "x", "kelvin"]])


@pytest.mark.parametrize("name", RULES)
def test_named_tokenizers_follow_their_rule(name):
    texts = random_strings(4, 5_000)
    assert_tokens(texts, list(map(RULES[name], texts)), tokenizer=name, lowercase=True)


@pytest.mark.parametrize("name", RULES_WITH_CASE)
def test_named_tokenizers_follow_their_rule_with_case(name):
    texts = random_strings(5, 5_000)
    assert_tokens(texts, list(map(RULES_WITH_CASE[name], texts)), tokenizer=name, lowercase=False)


@pytest.mark.parametrize("name", ["char", "whitespace"])
def test_every_blank_is_a_blank_and_nothing_else(name):
    texts = code_points(step_beyond_bmp=37)
    assert_tokens(texts, list(map(RULES_WITH_CASE[name], texts)), tokenizer=name, lowercase=False)


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize(
    "texts",
    [
        [],
        [""],
        ["", "", ""],
        ["a"],
        ["ab", "cd"],
        ["ab", "", "cd", ""],
        ["", "ab", "ab"],
        [" ab", "cd ", " ef "],
        ["\n", "ab\n", "\ncd", "\n\nef\n\n"],
        ["a", "b", "c", "ab", "bc", "abc"],
        ["é", "a", "é", "", "\u0301", "e"],
        ["1", ".5", "1.5", ",", "5"],
        ["\x00", "a\x00", "\x00a", "a"],
        ["<skipped>", "a", "-\n", "b-\n", "c"],
        [" ", "\x1c", "\x85", "\u3000", "."],
        ["a" * 100_000, "a", "a" * 100_000],
    ],
    ids=lambda texts: ascii(texts)[:50],
)
def test_words_end_with_their_text(name, texts):
    assert_tokens(texts, list(map(RULES[name], texts)), tokenizer=name, lowercase=True)
    assert_sentences(
        tokenized_sentences(texts, TokenizerOptions(name)),
        [list(map(RULES[name], text.split("\n"))) for text in texts],
    )


@pytest.mark.parametrize("name", ["13a", "whitespace", "rouge_score"])
def test_words_around_eight_bytes(name):
    """Words of up to eight bytes are hashed as one integer, longer ones as strings."""
    words = [letter * length for length in range(1, 20) for letter in ("a", "b", "\x00", "é")]
    words += [word + end for word in words for end in ("c", "\x00", "\x00c")]
    texts = [" ".join(words), "   ".join(words), *words, *(f"{word}  \t" for word in words)]
    assert_tokens(texts, list(map(RULES_WITH_CASE[name], texts)), tokenizer=name, lowercase=False)


def test_a_column_is_tokenized_like_each_of_its_texts():
    texts = random_strings(6, 500)
    for name in (*RULES, "unicode"):
        column = rows_of(tokenized(texts, TokenizerOptions(name)).ids)
        for text, row in zip(texts, column, strict=True):
            assert numbered([row]) == numbered(
                rows_of(tokenized([text], TokenizerOptions(name)).ids)
            ), (name, text)


# --- callables and lists of tokens ----------------------------------------------------------------


def test_callable_is_called_once_for_each_text():
    texts, calls = ["A b", "", "A b", "C"], []
    assert_tokens(
        texts,
        [["A", "b"], [], ["A", "b"], ["C"]],
        tokenizer=lambda text: calls.append(text) or text.split(),
        lowercase=False,
    )
    assert calls == texts


def test_callable_sees_lowercase_text_where_asked():
    assert_tokens(["A b", "B"], [["a", "b"], ["b"]], tokenizer=str.split, lowercase=True)


def test_callable_may_return_any_strings():
    tokens = ["", " ", "a b", "\n", "\x00", "é", "e\u0301", "😀"]
    assert_tokens(
        ["x", "y"],
        [tokens, tokens[::-1]],
        tokenizer=lambda text: tokens if text == "x" else tuple(tokens[::-1]),
        lowercase=False,
    )


@pytest.mark.parametrize(
    "returned",
    [
        "a b",
        None,
        3,
        [1, 2],
        ["a", None],
        ["a", b"b"],
        np.array(["a"]),
        iter(["a"]),
        {"a": 1},
        [["a"]],
    ],
    ids=lambda returned: type(returned).__name__,
)
def test_callable_that_does_not_return_a_list_of_strings(returned):
    with pytest.raises(
        TypeError, match=r"^tokenizer must return a list of strings for each text, got "
    ):
        tokenized(["a"], TokenizerOptions(lambda text: returned))


def test_error_of_a_callable_is_passed_on():
    with pytest.raises(ZeroDivisionError):
        tokenized(["a"], TokenizerOptions(lambda text: 1 / 0))


@pytest.mark.parametrize("lowercase", [True, False])
def test_lists_of_tokens(lowercase):
    lists = [["A", "b c", ""], [], ["a", "b c"], ["\u03a3", "\n"]]
    tokens = tokenized(lists, TokenizerOptions(lowercase=lowercase), is_tokenized=True)
    assert numbered(rows_of(tokens.ids)) == numbered(
        [[token.lower() if lowercase else token for token in row] for row in lists]
    )
    assert_sentences(
        tokens, [[[token.lower() if lowercase else token for token in row]] for row in lists]
    )


@pytest.mark.parametrize("letter", ["a", "é", "漢", "&amp;"])
def test_lines_are_sentences_for_13a_whatever_their_letters(letter):
    """By hand; a line that ends with a hyphen goes on in the next one, and makes the text one line."""
    texts = [f"{letter} b.\nc", f"x\n\n{letter}", f"{letter} b-\nc\nd"]
    tokens = tokenized(texts, TokenizerOptions("13a", lowercase=False))
    changes = [np.flatnonzero(np.diff(row)).tolist() for row in sentences_of_texts(tokens)]
    assert changes == [[2], [0], []]


def sentences_of_texts(tokens):
    """The sentence of each token of each text."""
    return np.split(tokens.sentence, tokens.ids.offsets[1:-1])
