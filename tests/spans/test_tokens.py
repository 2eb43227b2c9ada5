"""Where tokens stand in the text as it was given."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers import hostile_text
from helpers.measures import text
from rouge_bleu.spans.tokens import (
    SourcedText,
    given_token_spans,
    sentence_token_spans,
    sourced_lines,
    token_spans,
)
from rouge_bleu.text.named import UNSTRIPPED_13A, UNSTRIPPED_13A_OF_CASE
from rouge_bleu.text.sentence_lines import with_sentence_lines
from rouge_bleu.text.tokenizers import TokenizerOptions, cut_words, tokenized

NAMES = ["rouge_score", "rouge-1.5.5", "unicode", "13a", "char", "whitespace"]


def spans_of(written, **options):
    return token_spans([SourcedText.of_source(written)], TokenizerOptions(**options))[0]


def parts_of(written, **options):
    """What stands at the span of each token."""
    return [written[start:end] for start, end in spans_of(written, **options)]


def words_of(written, options):
    words = cut_words([written], options)
    return [words.vocabulary[word].as_py() for word in words.ids.values.tolist()]


# --- tokenizers with a name -----------------------------------------------------------------------


def rule_of(options):
    """The words of a text by the rule of others, where there is one."""
    if options.tokenizer == "unicode":
        return lambda written: words_of(written, options)
    rules = hostile_text.RULES if options.lowercase else hostile_text.RULES_WITH_CASE
    return rules[options.tokenizer]


def assert_spans_are_tokens(written, options):
    """Each span holds its token and nothing else, and no token is beside the spans."""
    spans = token_spans([SourcedText.of_source(written)], options)[0]
    words, rule = words_of(written, options), rule_of(options)
    assert len(spans) == len(words)
    end = 0
    for span, word in zip(spans, words, strict=True):
        start, behind = end, written[slice(*span)]
        inside = "".join(rule(behind)).casefold()
        # The small form of a capital sigma depends on what stands around it; U+0130 becomes two
        # characters, which may be in two tokens.
        assert word.casefold() in inside, (written, span, word)
        if "\u0130" not in behind:
            assert inside == word.casefold(), (written, span, word)
        assert rule(written[start : span[0]].replace("-\n", "\n")) == [], (written, span)
        end = span[1]
    assert rule(written[end:].replace("-\n", "\n")) == []


@pytest.mark.parametrize("lowercase", [True, False])
@pytest.mark.parametrize("name", NAMES)
def test_spans_on_hostile_text(name, lowercase):
    options = TokenizerOptions(name, lowercase=lowercase)
    for written in hostile_text.random_strings(5, 40 if name == "unicode" else 100):
        assert_spans_are_tokens(written, options)


short_text = text.filter(lambda written: len(written) < 600)


@pytest.mark.parametrize("name", NAMES)
@given(short_text)
def test_spans_on_nasty_text(name, written):
    assert_spans_are_tokens(written, TokenizerOptions(name))


# Tokens of a text, and what stands at their spans.
EXAMPLES = {
    "rouge_score": ("Don't--stop, 3.5!", ["Don", "t", "stop", "3", "5"]),
    "a dotted capital I": ("xİstanbul yİ", ["xİ", "stanbul", "yİ"]),
    "a ligature and a sharp s": ("ﬁne Straße", ["ne", "Stra", "e"]),
}


@pytest.mark.parametrize(("written", "parts"), EXAMPLES.values(), ids=EXAMPLES)
def test_examples_of_rouge_score(written, parts):
    assert parts_of(written) == parts


def test_a_dotted_capital_i_is_two_small_characters():
    assert parts_of("aİ b", tokenizer="char") == ["a", "İ", "İ", "b"]
    assert parts_of("aİ b", tokenizer="rouge-1.5.5") == ["a", "b"]
    assert parts_of("İİx y", tokenizer="whitespace") == ["İİx", "y"]


def test_the_sign_of_kelvin_is_no_letter_of_the_script():
    """Its small form is "k", but ROUGE-1.5.5 lowercases ASCII only; rouge_score finds that letter."""
    assert spans_of("\u212a k", tokenizer="rouge-1.5.5") == [[2, 3]]
    assert spans_of("\u212a k", tokenizer="rouge_score") == [[0, 1], [2, 3]]


# 13a: https://github.com/moses-smt/mosesdecoder/blob/master/scripts/generic/mteval-v13a.pl says what
# is put in place of what; places by hand.
OF_13A = {
    "entities": ("a&lt;b &quot;x&amp;lt;", ["a", "&lt;", "b", "&quot;", "x", "&amp;lt;"]),
    "a hyphen at the end of a line": ("well-\nknown, x-\n", ["well-\nknown", ",", "x-"]),
    "skipped": ("a <skipped>b c<skipped>d", ["a", "b", "c<skipped>d"]),
    "numbers": ("1,000.5 5. .5 3-4", ["1,000.5", "5", ".", ".", "5", "3", "-", "4"]),
}


@pytest.mark.parametrize(("written", "parts"), OF_13A.values(), ids=OF_13A)
def test_examples_of_13a(written, parts):
    assert parts_of(written, tokenizer="13a", lowercase=False) == parts


def test_13a_that_leaves_blanks_at_the_end():
    """There the hyphen is the end of a line like any other."""
    assert parts_of("a x-\n", tokenizer=UNSTRIPPED_13A) == ["a", "x"]
    assert parts_of("a x-\n", tokenizer="13a") == ["a", "x-"]


def test_13a_that_lowercases_words():
    """They are found as they are written; a sigma is final by its word."""
    written = "A <SKIPPED>&amp; ΟΔΟΣ.ΟΔΟΣ X-\nY"
    parts = ["A", "<", "SKIPPED", ">", "&amp;", "ΟΔΟΣ", ".", "ΟΔΟΣ", "X-\nY"]
    assert parts_of(written, tokenizer=UNSTRIPPED_13A_OF_CASE) == parts
    stopwords = frozenset({"skipped", "οδος", "A"})
    options = {"tokenizer": UNSTRIPPED_13A_OF_CASE, "stopwords": stopwords}
    kept = [part for part in parts if part not in ("SKIPPED", "ΟΔΟΣ")]
    assert parts_of(written, **options) == kept


@pytest.mark.parametrize("name", ["none", "intl", "zh"])
def test_tokenizers_of_sacrebleu(name):
    """They put blanks between characters and change none, so that the spans hold all of a text."""
    written = "“It’s 3.5€”, «naïve» 我在北京，U.S. — 10-20."
    parts = parts_of(written, tokenizer=name, lowercase=False)
    assert parts == words_of(written, TokenizerOptions(name, lowercase=False))
    assert "".join(parts) == written.replace(" ", "")
    assert parts_of(written, tokenizer=name) == parts


# --- what is dropped or renamed -------------------------------------------------------------------


def test_stop_words_have_no_span_and_stems_that_of_their_word():
    options = {"stopwords": frozenset({"the"}), "stem": lambda token: token[:1]}
    assert parts_of("The dogs, the cats", **options) == ["dogs", "cats"]


def test_given_tokens_have_their_index():
    options = TokenizerOptions(stopwords=frozenset({"b"}))
    assert given_token_spans([["a", "B", "c d", ""], []], options) == [[[0, 1], [2, 3], [3, 4]], []]


# --- functions ------------------------------------------------------------------------------------


def test_a_function_that_cuts():
    assert parts_of("Ab cd, ab", tokenizer=str.split, lowercase=False) == ["Ab", "cd,", "ab"]
    assert parts_of("Ab cd", tokenizer=lambda text: text.lower().split(), lowercase=False) == [
        "Ab",
        "cd",
    ]


def test_a_function_that_changes_words():
    def tokenizer(text):
        return ["be" if word in ("am", "is") else word for word in text.split()]

    # "be" is not in the first text; in the second one to take it from "being" would lose more
    assert spans_of("i am he", tokenizer=tokenizer) == [[0, 1], None, [5, 7]]
    assert spans_of("he is a human being", tokenizer=tokenizer) == [
        [0, 2],
        None,
        [6, 7],
        [8, 13],
        [14, 19],
    ]


def test_a_function_that_turns_words_around():
    assert spans_of("a b c", tokenizer=lambda text: text.split()[::-1]) == [None, None, [0, 1]]


def test_empty_tokens_have_no_span():
    assert spans_of("a b", tokenizer=lambda text: ["", "a", ""]) == [None, [0, 1], None]


@pytest.mark.parametrize(
    "tokens", [["▁un", "believ", "able"], ["Ġun", "believ", "able"], ["un", "##believ", "##able"]]
)
def test_marks_of_parts_of_words(tokens):
    assert parts_of("Unbelievable!", tokenizer=lambda text: tokens) == ["Un", "believ", "able"]


def test_marks_behind_parts_of_words():
    tokens = ["un@@", "believ@@", "able</w>"]
    assert parts_of("unbelievable!", tokenizer=lambda text: tokens) == ["un", "believ", "able"]


def test_many_words_that_are_not_there():
    """Each tenth word is changed to one that is in the text, but elsewhere."""
    words = [f"w{number}" for number in range(500)]

    def tokenizer(text):
        return ["w499" if number % 10 == 5 else word for number, word in enumerate(words)]

    found = spans_of(" ".join(words), tokenizer=tokenizer)
    assert [span is None for span in found] == [number % 10 == 5 for number in range(500)]


# --- texts that are made of others ----------------------------------------------------------------


def line_spans(written, splitter, **options):
    options = TokenizerOptions(**options)
    lines = with_sentence_lines([written], splitter)[0]
    spans = sentence_token_spans([sourced_lines(lines, written)], options)[0]
    return [None if span is None else written[slice(*span)] for span in spans]


def test_sentences_that_a_rule_finds():
    written = "  Dr. A sat.\n\n  He  sat! "
    expected = ["Dr", "A", "sat", "He", "sat"]
    assert line_spans(written, "sentences") == expected
    assert line_spans(written, "sentences", tokenizer="13a") == [
        *("Dr", ".", "A", "sat", ".", "He", "sat", "!")
    ]


def test_sentences_that_hold_line_breaks():
    assert line_spans("a b-\nc. d\ne", lambda text: text.split(". ")) == [*"abcde"]
    assert line_spans("a b-\nc. d", lambda text: text.split(". "), tokenizer="13a") == [
        *("a", "b-", "c", "d")
    ]


def test_sentences_that_a_function_changes():
    def splitter(text):
        return [sentence.strip().replace("  ", " ").capitalize() for sentence in text.split(".")]

    assert line_spans("the  cat. THE dog", splitter, tokenizer="whitespace") == [
        None,
        "cat",
        None,
        "dog",
    ]


@pytest.mark.parametrize("name", NAMES)
@given(short_text)
def test_each_line_by_itself(name, written):
    """As many spans as tokens, each a token, whether sentences come from lines or a function."""
    options = TokenizerOptions(name)
    lines = sourced_lines(written, written)
    spans = sentence_token_spans([lines], options)[0]
    if options.separates_sentences:
        assert spans == token_spans([lines], options)[0]
        return
    expected = [
        [start + offset, end + offset]
        for line in re.finditer("[^\n]+", written)
        for offset in [line.start()]
        for start, end in spans_of(line[0], tokenizer=name)
    ]
    assert spans == expected


def test_lengths_in_tokens_are_those_of_the_tokens():
    """Of a column: one list for each text, also of those without a token."""
    column = ["a b", "", "&amp;", "c"]
    spans = token_spans(list(map(SourcedText.of_source, column)), TokenizerOptions())
    lengths = tokenized(column, TokenizerOptions()).ids.lengths.tolist()
    assert list(map(len, spans)) == lengths == [2, 0, 1, 1]


@given(st.text("ab\n ", max_size=12), st.integers(0, 12))
def test_lines_of_a_source(source, length):
    """Lines that are cut at their end, and blank ones that are left out."""
    kept = "\n".join(filter(None, source[:length].split("\n")))
    sourced = sourced_lines(kept, source)
    for letter, start, end in zip(kept, sourced.starts, sourced.ends, strict=True):
        if letter in "ab":
            assert (source[start], end) == (letter, start + 1)
    starts = [start for letter, start in zip(kept, sourced.starts, strict=True) if letter in "ab"]
    assert starts == [place for place, letter in enumerate(source[:length]) if letter in "ab"]
