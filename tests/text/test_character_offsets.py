"""Where tokens are in the text as it was given."""

import re
import sys

import pytest
from hypothesis import given

from helpers.hostile_text import random_strings
from helpers.measures import text
from rouge_bleu import explain_rouge
from rouge_bleu.registry import BLEU_PRESETS
from rouge_bleu.text.character_offsets import (
    SourcedText,
    given_token_spans,
    locate_lines,
    sentence_token_spans,
    token_spans,
)
from rouge_bleu.text.sentences import one_sentence_per_line
from rouge_bleu.text.tokenizer_13a import UNSTRIPPED_13A
from rouge_bleu.text.tokenizers import TOKENIZERS, tokenizer_rules, unfiltered_tokens

# Packages and fairseq may change a word; pymteval has one in an empty text.
NAMES = [name for name, rules in TOKENIZERS.items() if not rules.package]
NAMES = [name for name in NAMES if name not in ("fairseq", "pymteval")]
JOIN_LINES = [name for name in NAMES if not TOKENIZERS[name].separates_sentences]


def spans_of(written, **options):
    return token_spans([SourcedText.of_source(written)], tokenizer_rules(**options))[0]


def parts_of(written, **options):
    """What is at the span of each token."""
    return [written[start:end] for start, end in spans_of(written, **options)]


def words_of(written, options):
    return unfiltered_tokens([written], options).to_lists()[0]


# --- tokenizers with a name -----------------------------------------------------------------------


@pytest.mark.parametrize("lowercase", [True, False])
@pytest.mark.parametrize("name", NAMES)
def test_spans_on_hostile_text(name, lowercase):
    """Each span holds its token and nothing else, and no token lies outside the spans."""
    options = tokenizer_rules(name, lowercase=lowercase)
    for written in random_strings(5, 40):
        words = words_of(written, options)
        spans = spans_of(written, tokenizer=name, lowercase=lowercase)
        end, gaps = 0, []
        for span, word in zip(spans, words, strict=True):
            word = word.removeprefix("％0020")  # of a mark after a space, under xlsum
            start, behind = end, written[slice(*span)]
            inside = "".join(words_of(behind, options)).casefold()
            # The lowercase form of a capital sigma depends on its neighbours; U+0130 becomes two
            # characters, which may be in two tokens.
            assert word.casefold() in inside, (written, span, word)
            if "\u0130" not in behind:
                assert inside == word.casefold(), (written, span, word)
            gaps.append(written[start : span[0]].replace("-\n", "\n"))
            end = span[1]
        gaps.append(written[end:].replace("-\n", "\n"))
        assert not any(words_of(gap, options) for gap in gaps), written


WHITESPACE = {"tokenizer": "whitespace"}
OF_13A = {"tokenizer": "13a", "lowercase": False}
UNSTRIPPED = {"tokenizer": BLEU_PRESETS["torchmetrics"].own_tokenizers["13a"]}
SKIPPED = "A <SKIPPED>&amp; ΟΔΟΣ.ΟΔΟΣ X-\nY"
OF_SKIPPED = frozenset({"skipped", "οδος", "A"})
SENTENCE = "“It’s 3.5€”, «naïve» 我在北京，U.S. — 10-20."
# A text, options, and the characters at the spans of its tokens, by hand. What 13a puts in place of what
# is in https://github.com/moses-smt/mosesdecoder/blob/master/scripts/generic/mteval-v13a.pl
EXAMPLES = [
    ("Don't--stop, 3.5!", {}, ["Don", "t", "stop", "3", "5"]),
    ("xİstanbul yİ", {}, ["xİ", "stanbul", "yİ"]),
    ("ﬁne Straße", {}, ["ne", "Stra", "e"]),
    # Its lowercase form is two characters.
    ("aİ b", {"tokenizer": "char"}, ["a", "İ", "İ", "b"]),
    ("aİ b", {"tokenizer": "rouge-1.5.5"}, ["a", "b"]),
    ("İİx y", WHITESPACE, ["İİx", "y"]),
    # The lowercase form of the Kelvin sign is "k", but ROUGE-1.5.5 lowercases ASCII only.
    ("\u212a k", {"tokenizer": "rouge-1.5.5"}, ["k"]),
    ("\u212a k", {}, ["\u212a", "k"]),
    ("a&lt;b &quot;x&amp;lt;", OF_13A, ["a", "&lt;", "b", "&quot;", "x", "&amp;lt;"]),
    ("well-\nknown, x-\n", OF_13A, ["well-\nknown", ",", "x-"]),
    ("a <skipped>b c<skipped>d", OF_13A, ["a", "b", "c<skipped>d"]),
    ("1,000.5 5. .5 3-4", OF_13A, ["1,000.5", "5", ".", ".", "5", "3", "-", "4"]),
    # Where spaces at the end are left, the hyphen is the end of a line like any other.
    ("a x-\n", {"tokenizer": UNSTRIPPED_13A}, ["a", "x"]),
    # Words are lowercased, and a sigma is final by its word.
    (SKIPPED, UNSTRIPPED, ["A", *"<", "SKIPPED", ">", "&amp;", "ΟΔΟΣ", ".", "ΟΔΟΣ", "X-\nY"]),
    (SKIPPED, {**UNSTRIPPED, "stopwords": OF_SKIPPED}, ["A", "<", ">", "&amp;", ".", "X-\nY"]),
    ("The dogs", {"stopwords": frozenset({"the"}), "stem": lambda token: token[:1]}, ["dogs"]),
    ("Ab cd, ab", {"tokenizer": str.split, "lowercase": False}, ["Ab", "cd,", "ab"]),
    ("Ab cd", {"tokenizer": lambda text: text.lower().split(), "lowercase": False}, ["Ab", "cd"]),
    # Marks of parts of words.
    *(
        ("Unhappily!", {"tokenizer": lambda _, parts=parts: parts.split()}, ["Un", "happi", "ly"])
        for parts in ("▁un happi ly", "Ġun happi ly", "un ##happi ##ly", "un@@ happi@@ ly</w>")
    ),
]


@pytest.mark.parametrize(("written", "options", "parts"), EXAMPLES)
def test_examples(written, options, parts):
    assert parts_of(written, **options) == parts


@pytest.mark.parametrize("name", ["none", "intl", "zh"])
def test_tokenizers_of_sacrebleu(name, monkeypatch):
    """They put spaces between characters and change none, so that the spans hold all of a text."""
    if name == "none":  # it splits at spaces, without the package
        monkeypatch.setitem(sys.modules, "sacrebleu.metrics", None)
    parts = parts_of(SENTENCE, tokenizer=name, lowercase=False)
    assert parts == words_of(SENTENCE, tokenizer_rules(name, lowercase=False))
    assert "".join(parts) == SENTENCE.replace(" ", "")
    assert parts_of(SENTENCE, tokenizer=name) == parts


def test_given_tokens_have_their_index():
    options = tokenizer_rules(stopwords=frozenset({"b"}))
    assert given_token_spans([["a", "B", "c d", ""], []], options) == [[[0, 1], [2, 3], [3, 4]], []]


# --- functions that change words ------------------------------------------------------------------


def with_be(text):
    return ["be" if word in ("am", "is") else word for word in text.split()]


@pytest.mark.parametrize(
    ("written", "tokenizer", "spans"),
    [
        ("i am he", with_be, [[0, 1], None, [5, 7]]),
        # To take "be" from "being" would lose more.
        ("he is a human being", with_be, [[0, 2], None, [6, 7], [8, 13], [14, 19]]),
        ("a b c", lambda text: text.split()[::-1], [None, None, [0, 1]]),
        ("a b", lambda text: ["", "a", ""], [None, [0, 1], None]),
        # A word is not found in an article, which these drop.
        *(("the he An n", name, [[4, 6], [10, 11]]) for name in ("parlai", "squad")),
    ],
)
def test_words_that_are_not_there(written, tokenizer, spans):
    assert spans_of(written, tokenizer=tokenizer) == spans


# --- texts that are made of others ----------------------------------------------------------------


def line_spans(written, splitter, **options):
    options = tokenizer_rules(**options)
    lines = one_sentence_per_line([written], splitter)[0]
    spans = sentence_token_spans([locate_lines(lines, written)], options)[0]
    return [None if span is None else written[slice(*span)] for span in spans]


def at_stops(text):
    return text.split(". ")


def in_other_words(text):
    return [sentence.strip().replace("  ", " ").capitalize() for sentence in text.split(".")]


@pytest.mark.parametrize(
    ("written", "splitter", "options", "parts"),
    [
        ("  Dr. A sat.\n\n  He  sat! ", "sentences", {}, ["Dr", "A", "sat", "He", "sat"]),
        ("  A sat.\n\n  He  sat! ", "sentences", {"tokenizer": "13a"}, "A sat . He sat !".split()),
        ("a b-\nc. d\ne", at_stops, {}, [*"abcde"]),
        ("a b-\nc. d", at_stops, {"tokenizer": "13a"}, ["a", "b-", *"cd"]),
        ("the  cat. THE dog", in_other_words, WHITESPACE, [None, "cat", None, "dog"]),
    ],
)
def test_sentences(written, splitter, options, parts):
    assert line_spans(written, splitter, **options) == parts


ONE_TWO = ("one\ntwo", "one  two")  # the line break is no character of the source
# A text and its source, a pattern and what replaces it, and the span of each character, by hand.
REPLACED = [
    # Two characters for three: the source of both is the whole match, unknown with the break in it.
    (*ONE_TWO, "e\nt", "&!", [[0, 1], [1, 2], None, None, [6, 7], [7, 8]]),
    (*ONE_TWO, "\n", "&!", [[0, 1], [1, 2], [2, 3], None, None, [5, 6], [6, 7], [7, 8]]),
    (*ONE_TWO, "ne", "&", [[0, 1], [1, 3], None, [5, 6], [6, 7], [7, 8]]),
    # Three for three: each has its own.
    (*ONE_TWO, "e\nt", "&!?", [[0, 1], [1, 2], [2, 3], None, [5, 6], [6, 7], [7, 8]]),
    ("ab", "ab", "(?=b)", " ", [[0, 1], None, [1, 2]]),  # what replaces nothing has no source
    # A space of the text is a line break of the source: the line is found whole, at the second "a".
    ("a b", "a c a\nb", "a b", "&", [[4, 7]]),
]


@pytest.mark.parametrize(("written", "source", "pattern", "new", "spans"), REPLACED)
def test_sources_of_what_is_replaced(written, source, pattern, new, spans):
    assert locate_lines(written, source).sub(pattern, new).spans == spans


@pytest.mark.parametrize("name", JOIN_LINES)
@given(text.filter(lambda written: len(written) < 600))
def test_each_line_by_itself(name, written):
    spans = sentence_token_spans([locate_lines(written, written)], tokenizer_rules(name))[0]
    assert spans == [
        [line.start() + start, line.start() + end]
        for line in re.finditer("[^\n]+", written)
        for start, end in spans_of(line[0], tokenizer=name)
    ]


@pytest.mark.parametrize(
    ("texts", "spans"),
    [(("The the cat", "The cat"), [[0, 3], [8, 11]]), ((["The", "the"], ["The"]), [[0, 1]])],
    ids=["text", "tokens"],
)
def test_stop_words_keep_their_case(texts, spans):
    """By hand: "the" is dropped and "The" is not, since nothing is lowercased."""
    options = {"tokenizer": "whitespace", "lowercase": False, "stopwords": ["the"]}
    parts = explain_rouge(*texts, rouge_types=["rouge1"], **options)
    assert parts["rouge1"]["references"][0]["prediction_spans"] == spans
