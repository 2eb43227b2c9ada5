"""Tokenizers against the programs that they follow, on hostile text.

Ids are all that a tokenizer returns, so tests compare which tokens are equal and which distinct
tokens there are (the stemmer sees each).
"""

import re
import sys

import numpy as np
import pytest
from full_metrics.sentence_lines import tokenized_sentences
from full_metrics.stemming import porter_stemmer
from full_metrics.tokenization import TokenizerOptions, tokenized
from nltk.stem.porter import PorterStemmer
from rouge_score.tokenizers import DefaultTokenizer
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from oracles import rouge155_tokens, rouge_score_tokens, tokens_13a

sacrebleu_13a = Tokenizer13a()

ASCII_SYMBOLS = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
BLANKS = (
    "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2003\u200a\u2028\u2029\u202f\u205f\u3000"
)
NOT_BLANKS = "\x00\x01\x08\x1b\x7f\x80\x84\x86\xad\u180e\u200b\u200c\u200d\u2060\ufeff\ufffd"  # near them, or easily taken for one
LETTERS = "aBzZéßÆΩσςЖяאعकกあ漢\u0301\u0308\u20dd\u0e31\u1100\uff21\uff5a"
SPECIAL = "\u0130\u212a\u0131\u017f\u03a3\u00b2\u0663\u09e9\uff15\U0001d7d8\U0001f600\U0001f468\u200d\U0001f469\U0010ffff"
PIECES = (
    *ASCII_SYMBOLS * 2,
    *BLANKS,
    *NOT_BLANKS,
    *LETTERS,
    *SPECIAL,
    *"0123456789" * 2,
    *"abcxyzABC" * 2,
    *("a", "b", "1", " ", "\n", ".", ",", "-") * 4,
    *(
        "&quot;",
        "&amp;",
        "&lt;",
        "&gt;",
        "&apos;",
        "&",
        "amp;",
        "&am",
        "p;",
        "quot;",
        "&q",
        "uot;",
        "&l",
        "t;",
        "lt;",
        "&amp;lt;",
        "&#38;",
        "&QUOT;",
    ),
    *(
        "-\n",
        "-\n",
        "-\r\n",
        "--\n",
        "- \n",
        "<skipped>",
        "<skipped>",
        "<skip",
        "ped>",
        "skipped",
        "<SKIPPED>",
        "<s\u212aipped>",
        "<<skipped>skipped>",
    ),
    *(
        "1.5",
        "1,000",
        ".5",
        "5.",
        "U.S.",
        "3-4",
        "x-1",
        "1-x",
        "...",
        "'s",
        "it's",
        "\r\n",
        "\n\n",
        "\u2019",
        "\u2013",
        "\u3002",
        "\uff0c",
    ),
    *(
        "\u039f\u0394\u039f\u03a3",
        "\u03a3\u03a3",
        "\u03a3'\u0391",
        "\u03a3.\u0391",
        "I\u0307",
        "word",
        "Word",
        "WORD",
        "longerword" * 3,
    ),
)


def random_strings(seed, n, max_pieces=24):
    rng = np.random.default_rng(seed)
    lengths = rng.integers(0, max_pieces, n)
    return ["".join(PIECES[k] for k in rng.integers(0, len(PIECES), length)) for length in lengths]


def code_points(step_beyond_bmp=1):
    """Return texts that hold every code point between two letters, or beyond U+FFFF some; no column
    of text can hold surrogates.
    """
    codes = (
        *range(0xD800),
        *range(0xE000, 0x10000),
        *range(0x10000, sys.maxunicode + 1, step_beyond_bmp),
    )
    characters = list(map(chr, codes))
    return [
        " ".join(f"a{c}b" for c in characters[start : start + 256])
        for start in range(0, len(characters), 256)
    ]


def numbered(rows):
    """Return the rows with each token replaced by a number in the order of appearance: equal for
    rows that differ in the names of tokens only.
    """
    number_of: dict = {}
    return [[number_of.setdefault(token, len(number_of)) for token in row] for row in rows]


def rows_of(ragged):
    return [
        ragged.values[start:end].tolist()
        for start, end in zip(ragged.offsets[:-1], ragged.offsets[1:], strict=True)
    ]


def assert_tokens(texts, expected, **options):
    """Assert that the column `texts` has the `expected` tokens, a list for each text."""
    seen = []
    tokens = tokenized(
        texts, TokenizerOptions(**options, stem=lambda token: seen.append(token) or token)
    )
    found = numbered(rows_of(tokens.ids))
    for text, found_row, expected_row, names in zip(
        texts, found, numbered(expected), expected, strict=True
    ):
        assert found_row == expected_row, (text, names)
    distinct = {token for row in expected for token in row}
    assert sorted(seen) == sorted(distinct), "the stemmer sees each distinct token once"
    assert tokens.n_types == len(distinct)
    assert tokens.ids.values.max(initial=-1) < tokens.n_types


def assert_sentences(tokens, expected):
    """Assert that the tokens are those `expected`, a list of sentences for each text; sentences
    without tokens cannot be seen.
    """
    sentence_rows = rows_of(tokens.ids.with_values(tokens.sentence))
    assert numbered(rows_of(tokens.ids)) == numbered(
        [[token for sentence in text for token in sentence] for text in expected]
    )
    for labels, text in zip(sentence_rows, expected, strict=True):
        assert numbered([labels]) == numbered(
            [[k for k, sentence in enumerate(text) for _ in sentence]]
        )
    assert (np.diff(tokens.sentence) >= 0).all()
    labels_of_texts = [set(labels) for labels in sentence_rows]
    assert sum(map(len, labels_of_texts)) == len(set().union(*labels_of_texts)), (
        "a sentence is in one text only"
    )


RULES = {
    "rouge_score": rouge_score_tokens,
    "13a": lambda text: tokens_13a(text.lower()),
    "char": lambda text: [c for c in text.lower() if not c.isspace()],
    "whitespace": lambda text: text.lower().split(),
    "rouge-1.5.5": rouge155_tokens,
}
RULES_WITH_CASE = {
    "rouge_score": re.compile("[A-Za-z0-9]+").findall,
    "rouge-1.5.5": re.compile("[A-Za-z0-9]+").findall,
    "13a": tokens_13a,
    "char": lambda text: [c for c in text if not c.isspace()],
    "whitespace": str.split,
}

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


# --- stemming -------------------------------------------------------------------------------------


def test_stemmed_tokens_are_those_of_rouge_score():
    rng = np.random.default_rng(7)
    stems = [
        "run",
        "fly",
        "hop",
        "relat",
        "nation",
        "gener",
        "sky",
        "dy",
        "a",
        "troubl",
        "formal",
        "electric",
        "y",
        "ies",
        "commun",
        "12",
        "x9",
    ]
    endings = [
        "",
        "s",
        "es",
        "ing",
        "ed",
        "ly",
        "ational",
        "ization",
        "fulness",
        "ies",
        "ement",
        "ion",
        "e",
        "ee",
        "y",
        "bly",
        "ical",
        "iviti",
    ]
    words = [
        f"{stem}{ending}".upper() if rng.random() < 0.2 else f"{stem}{ending}"
        for stem in stems
        for ending in endings
    ]
    texts = [" ".join(rng.permutation(words)) for _ in range(5)] + random_strings(8, 500)
    tokenizer = DefaultTokenizer(use_stemmer=True)
    tokens = tokenized(texts, TokenizerOptions(stem=porter_stemmer()))
    assert numbered(rows_of(tokens.ids)) == numbered(map(tokenizer.tokenize, texts))
    stemmed = [list(map(porter_stemmer(), rouge_score_tokens(text))) for text in texts]
    assert stemmed == list(map(tokenizer.tokenize, texts))


def test_porter_stemmer_leaves_short_tokens():
    stem = porter_stemmer()
    assert [stem(token) for token in ("", "was", "dies", "flies")] == [
        "",
        "was",
        PorterStemmer().stem("dies"),
        PorterStemmer().stem("flies"),
    ]
    assert PorterStemmer().stem("was") == "wa"


@pytest.mark.parametrize("name", [*RULES, str.split])
def test_equal_stems_are_one_token(name):
    """And the stemmer runs once for each distinct token of the column."""
    texts = ["aa ab ba", "ab ab", "", "bb aa"]
    seen = []
    tokens = tokenized(
        texts, TokenizerOptions(name, stem=lambda token: seen.append(token) or token[0])
    )
    rule = RULES.get(name, str.split)
    assert numbered(rows_of(tokens.ids)) == numbered(
        [[token[0] for token in rule(text)] for text in texts]
    )
    assert sorted(seen) == sorted({token for text in texts for token in rule(text)})
    assert tokens.n_types == 2


# --- sentences ------------------------------------------------------------------------------------

SENTENCE_TEXTS = [
    "",
    "\n",
    "one",
    "a b\nb c",
    "a\n\n\nb\n",
    "\n\na b\n \nc",
    "...\na.\n!\n",
    "Dr. No\n1-\n2\n<skipped>\n<skip\nped>",
    "a\r\nb\rc",
    "a\x0bb\x1cc\x85d\u2028e\nf",
    "漢字\nかな\n\u0130\u212a\n\u03a3\n",
    "same\nsame\nsame",
]


@pytest.mark.parametrize("name", [*RULES, "callable"])
@pytest.mark.parametrize(
    "texts",
    [SENTENCE_TEXTS, random_strings(9, 2_000), [], ["", "\n"]],
    ids=["chosen", "random", "none", "empty"],
)
def test_tokenized_sentences_are_those_of_each_line(name, texts):
    """A line ends with "\\n" and with nothing else, as in rouge_score."""
    options = TokenizerOptions(tokens_13a if name == "callable" else name)
    rule = RULES["13a" if name == "callable" else name]
    assert_sentences(
        tokenized_sentences(texts, options),
        [[rule(line) for line in text.split("\n")] for text in texts],
    )


@pytest.mark.parametrize("name", ["rouge_score", "rouge-1.5.5", "char", "whitespace"])
def test_lines_are_sentences_where_the_tokenizer_separates_them(name):
    assert_sentences(
        tokenized(SENTENCE_TEXTS, TokenizerOptions(name)),
        [list(map(RULES[name], text.split("\n"))) for text in SENTENCE_TEXTS],
    )


@pytest.mark.parametrize("name", ["13a", tokens_13a])
def test_else_a_text_is_tokenized_as_one(name):
    """13a joins lines: "1-\\n2" is one token. Its lines by themselves are three."""
    tokens = tokenized(["1-\n2"], TokenizerOptions(name))
    assert len(tokens.ids.values) == 1
    assert_sentences(tokenized_sentences(["1-\n2"], TokenizerOptions(name)), [[["1", "-"], ["2"]]])


def test_stemming_in_sentences():
    tokens = tokenized_sentences(
        ["aa ab\nab b", "b"], TokenizerOptions("13a", stem=lambda token: token[0])
    )
    assert_sentences(tokens, [[["a", "a"], ["a", "b"]], [["b"]]])
