"""Tokenizers against the programs that they follow, on hostile text."""

from itertools import product

import numpy as np
import pytest
from rouge_score.tokenizers import DefaultTokenizer

from helpers.bleu.peers import evaluate_13a
from helpers.hostile_text import (
    RULES,
    RULES_WITH_CASE,
    assert_sentences,
    assert_tokens,
    code_points,
    random_strings,
    sacrebleu_13a,
)
from helpers.tokenizers import tokens_13a
from rouge_bleu.text.mteval import UNSTRIPPED_13A
from rouge_bleu.text.sentences import tokenized_sentences
from rouge_bleu.text.tokenizers import tokenized, tokenizer_rules

# --- the named tokenizers -------------------------------------------------------------------------


def assert_13a(texts):
    """Of sacreBLEU, which takes trailing spaces off before it tokenizes, and of evaluate, which does
    not.
    """
    of_sacrebleu = [sacrebleu_13a(text.rstrip()).split() for text in texts]
    assert_tokens(texts, of_sacrebleu, tokenizer="13a", lowercase=False)
    of_evaluate = list(map(evaluate_13a, texts))
    assert_tokens(texts, of_evaluate, tokenizer=UNSTRIPPED_13A, lowercase=False)


def test_13a_on_code_points():
    assert_13a(code_points(step_beyond_bmp=997))


@pytest.mark.parametrize("length", [*range(5), pytest.param(5, marks=pytest.mark.deep)])
def test_13a_on_all_short_texts(length):
    """Of a letter, a digit, the five characters that its rules name and two spaces. Each of the
    four rules looks at two characters.
    """
    assert_13a(list(map("".join, product("a5.,-'& \n", repeat=length))))


def test_13a_on_random_texts():
    assert_13a(random_strings(1, 1_000))


def test_rouge_score_is_that_of_rouge_score():
    """U+0130 and the KELVIN SIGN alone have lowercase letters of ASCII, and are not of it."""
    texts = [*code_points(step_beyond_bmp=97), *random_strings(3, 5_000)]
    assert_tokens(texts, list(map(DefaultTokenizer().tokenize, texts)))


@pytest.mark.parametrize("name", RULES)
def test_named_tokenizers_follow_their_rule(name):
    texts = random_strings(4, 1_000)
    assert_tokens(texts, list(map(RULES[name], texts)), tokenizer=name, lowercase=True)
    rule = RULES_WITH_CASE[name]
    assert_tokens(texts, list(map(rule, texts)), tokenizer=name, lowercase=False)


@pytest.mark.parametrize("name", ["char", "whitespace"])
def test_every_blank_is_a_blank_and_nothing_else(name):
    texts = code_points(step_beyond_bmp=997)
    assert_tokens(texts, list(map(RULES_WITH_CASE[name], texts)), tokenizer=name, lowercase=False)


COLUMNS = [
    *([], [""], ["", "", ""], ["a"], ["ab", "cd"], ["ab", "", "cd", ""], ["", "ab", "ab"]),
    *([" ab", "cd ", " ef "], ["\n", "ab\n", "\ncd", "\n\nef\n\n"]),
    *(["a", "b", "c", "ab", "bc", "abc"], ["é", "a", "é", "", "\u0301", "e"]),
    *(["1", ".5", "1.5", ",", "5"], ["\x00", "a\x00", "\x00a", "a"]),
    *(["<skipped>", "a", "-\n", "b-\n", "c"], [" ", "\x1c", "\x85", "\u3000", "."]),
    ["a" * 100_000, "a", "a" * 100_000],
    ["Dr. No\n1-\n2\n<skipped>\n<skip\nped>", "a\r\nb\rc", "a\x0bb\x1cc\x85d\u2028e\nf"],
    ["漢字\nかな\n\u0130\u212a\n\u03a3\n", "same\nsame\nsame", "a\n\n\nb\n", "...\na.\n!\n"],
    random_strings(9, 300),
]


@pytest.mark.parametrize("name", RULES)
def test_words_end_with_their_text_and_sentences_with_their_line(name):
    """A line ends with "\\n" and with nothing else, as in rouge_score."""
    rule = RULES[name]
    for texts in COLUMNS:
        assert_tokens(texts, list(map(rule, texts)), tokenizer=name, lowercase=True)
        lines = [list(map(rule, text.split("\n"))) for text in texts]
        assert_sentences(tokenized_sentences(texts, tokenizer_rules(name)), lines)


@pytest.mark.parametrize("name", ["13a", "whitespace", "rouge_score"])
def test_words_around_eight_bytes(name):
    """Words of up to eight bytes are hashed as one integer, longer ones as strings."""
    words = [letter * length for length in range(1, 20) for letter in ("a", "b", "\x00", "é")]
    words += [word + end for word in words for end in ("c", "\x00", "\x00c")]
    texts = [" ".join(words), "   ".join(words), *words, *(f"{word}  \t" for word in words)]
    assert_tokens(texts, list(map(RULES_WITH_CASE[name], texts)), tokenizer=name, lowercase=False)


@pytest.mark.parametrize("name", ["13a", tokens_13a])
def test_sentences_are_cut_each_by_itself(name):
    """13a joins lines: "1-\\n2" is one token. Its lines by themselves are three."""
    options = tokenizer_rules(name)
    assert len(tokenized(["1-\n2"], options).ids.values) == 1
    assert_sentences(tokenized_sentences(["1-\n2"], options), [[["1", "-"], ["2"]]])


# --- callables and lists of tokens ----------------------------------------------------------------


def test_a_function_is_called_once_for_each_text():
    """And sees lowercase letters where asked."""
    calls = []
    texts, tokens = ["A b", "", "A b", "C"], [["A", "b"], [], ["A", "b"], ["C"]]
    cut = lambda text: calls.append(text) or text.split()  # noqa: E731
    assert_tokens(texts, tokens, tokenizer=cut, lowercase=False)
    assert calls == texts
    assert_tokens(["A b", "B"], [["a", "b"], ["b"]], tokenizer=str.split, lowercase=True)


def test_a_function_may_return_any_strings():
    tokens = ["", " ", "a b", "\n", "\x00", "é", "e\u0301", "😀"]
    returned = {"x": tokens, "y": tuple(tokens[::-1])}
    assert_tokens([*"xy"], list(returned.values()), tokenizer=returned.get, lowercase=False)


NO_LISTS = ["a b", None, 3, [1, 2], ["a", None], ["a", b"b"], np.array(["a"]), iter("a"), {"a": 1}]


@pytest.mark.parametrize("returned", NO_LISTS, ids=lambda returned: type(returned).__name__)
def test_a_function_that_does_not_return_a_list_of_strings(returned):
    message = r"^tokenizer must return a list of strings for each text, got "
    with pytest.raises(TypeError, match=message):
        tokenized(["a"], tokenizer_rules(lambda text: returned))


def test_the_error_of_a_function_is_passed_on():
    with pytest.raises(ZeroDivisionError):
        tokenized(["a"], tokenizer_rules(lambda text: 1 / 0))


@pytest.mark.parametrize("lowercase", [True, False])
def test_lists_of_tokens(lowercase):
    lists = [["A", "b c", ""], [], ["a", "b c"], ["\u03a3", "\n"]]
    expected = [list(map(str.lower if lowercase else str, row)) for row in lists]
    tokens = tokenized(lists, tokenizer_rules(lowercase=lowercase), is_tokenized=True)
    assert_sentences(tokens, [[row] for row in expected])


@pytest.mark.parametrize("letter", ["a", "é", "漢", "&amp;"])
def test_lines_are_sentences_for_13a_whatever_their_letters(letter):
    """By hand; a line that ends with a hyphen goes on in the next one, and makes the text one line."""
    texts = [f"{letter} b.\nc", f"x\n\n{letter}", f"{letter} b-\nc\nd"]
    tokens = tokenized(texts, tokenizer_rules("13a", lowercase=False))
    sentences = np.split(tokens.sentence, tokens.ids.offsets[1:-1])
    assert [np.flatnonzero(np.diff(row)).tolist() for row in sentences] == [[2], [0], []]
