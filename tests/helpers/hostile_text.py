"""Hostile text, and the rules of the named tokenizers in the words of others.

Ids are all that a tokenizer returns, so tests compare which tokens are equal and which distinct
tokens there are (the stemmer sees each).
"""

import re
import sys

import numpy as np
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from helpers.tokenizers import rouge155_tokens, rouge_score_tokens, tokens_13a
from rouge_bleu.text.tokenizers import tokenized, tokenizer_rules

sacrebleu_13a = Tokenizer13a()

ASCII_SYMBOLS = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
BLANKS = (
    "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2003\u200a\u2028\u2029\u202f\u205f\u3000"
)
# Near them, or easily taken for one.
NOT_BLANKS = "\x00\x01\x08\x1b\x7f\x80\x84\x86\xad\u180e\u200b\u200c\u200d\u2060\ufeff\ufffd"
LETTERS = "aBzZéßÆΩσςЖяאعकกあ漢\u0301\u0308\u20dd\u0e31\u1100\uff21\uff5a"
SPECIAL = (
    "\u0130\u212a\u0131\u017f\u03a3\u00b2\u0663\u09e9\uff15\U0001d7d8"
    "\U0001f600\U0001f468\u200d\U0001f469\U0010ffff"
)
_WORDS = """
    &quot; &amp; &lt; &gt; &apos; & amp; &am p; quot; &q uot; &l t; lt; &amp;lt; &#38; &QUOT;
    <skipped> <skipped> <skip ped> skipped <SKIPPED> <s\u212aipped> <<skipped>skipped>
    1.5 1,000 .5 5. U.S. 3-4 x-1 1-x ... 's it's \u2019 \u2013 \u3002 \uff0c
    \u039f\u0394\u039f\u03a3 \u03a3\u03a3 \u03a3'\u0391 \u03a3.\u0391 I\u0307 word Word WORD
""".split()
_LINE_ENDS = ("-\n", "-\n", "-\r\n", "--\n", "- \n", "\r\n", "\n\n")
PIECES = (
    *ASCII_SYMBOLS * 2,
    *BLANKS,
    *NOT_BLANKS,
    *LETTERS,
    *SPECIAL,
    *"0123456789" * 2,
    *"abcxyzABC" * 2,
    *("a", "b", "1", " ", "\n", ".", ",", "-") * 4,
    *_WORDS,
    *_LINE_ENDS,
    "longerword" * 3,
)


def random_strings(seed, n, max_pieces=24):
    rng = np.random.default_rng(seed)
    lengths = rng.integers(0, max_pieces, n)
    return ["".join(PIECES[k] for k in rng.integers(0, len(PIECES), length)) for length in lengths]


def hostile_corpus():
    """Predictions, and one to three references of each; some are equal, some are empty."""
    rng = np.random.default_rng(31)
    predictions = [text.replace("\0", "") for text in random_strings(31, 150)]
    others = [text.replace("\0", "") for text in random_strings(32, 450)]
    references = []
    for number, prediction in enumerate(predictions):
        own = others[3 * number : 3 * number + int(rng.integers(1, 4))]
        if number % 3 == 0:  # something in common
            words = prediction.split(" ")
            own[0] = " ".join(rng.permutation(words).tolist())
        references.append(own)
    return {"predictions": [*predictions, ""], "references": [*references, ["", "a b"]]}


def items_of_words(data):
    """Return the items with words in all their texts, since packages differ in what is empty."""
    rows = zip(data["predictions"], data["references"], strict=True)
    whole = [row for row in rows if row[0].split() and all(own.split() for own in row[1])]
    predictions, references = map(list, zip(*whole, strict=True))
    return {"predictions": predictions, "references": references}


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
        texts, tokenizer_rules(**options, stem=lambda token: seen.append(token) or token)
    )
    found = numbered(rows_of(tokens.ids))
    rows = zip(texts, found, numbered(expected), expected, strict=True)
    for text, found_row, expected_row, names in rows:
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


def codexglue_tokens(text):
    """The evaluator's steps: runs of word characters, then underscores apart."""
    pieces = re.findall(r"\w+|[^\w\s]", text)
    return " ".join(pieces).replace("_", " _ ").split()


def conala_tokens(text):
    """The evaluation's steps, one substitution after the other."""
    text = re.sub(r"([^A-Za-z0-9_])", r" \1 ", text)
    text = re.sub(r"([a-z])([A-Z])", r"\1 \2", text)
    return text.replace('"', "`").replace("'", "`").split()


def answer_words(text, sign):
    """ParlAI's steps, with a space for each sign, or SQuAD's, with nothing."""
    for one in ASCII_SYMBOLS:
        text = text.replace(one, sign)
    return re.sub(r"\b(the|an|a)\b", " ", text).split()


RULES = {
    "parlai": lambda text: answer_words(text.lower(), " "),
    "squad": lambda text: answer_words(text.lower(), ""),
    "rouge_score": rouge_score_tokens,
    "13a": lambda text: tokens_13a(text.lower()),
    "char": lambda text: [c for c in text.lower() if not c.isspace()],
    "whitespace": lambda text: text.lower().split(),
    "rouge-1.5.5": rouge155_tokens,
    "codexglue": lambda text: codexglue_tokens(text.lower()),
    "conala": lambda text: [word.lower() for word in conala_tokens(text)],
}

RULES_WITH_CASE = {
    "rouge_score": re.compile("[A-Za-z0-9]+").findall,
    "rouge-1.5.5": re.compile("[A-Za-z0-9]+").findall,
    "13a": tokens_13a,
    "char": lambda text: [c for c in text if not c.isspace()],
    "whitespace": str.split,
    "codexglue": codexglue_tokens,
    "conala": conala_tokens,
    **{name: RULES[name] for name in ("parlai", "squad")},  # there is no case
}
