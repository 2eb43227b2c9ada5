"""Hostile text, the rules of tokenizers in the words of others, and the tokens that ours find."""

import re
import sys
from itertools import chain, groupby
from operator import itemgetter

import numpy as np

from helpers.tokenizers import rouge155_tokens, rouge_score_tokens, tokens_13a
from rouge_bleu.text.tokenizers import tokenize, tokenizer_rules

ASCII_SYMBOLS = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
BLANKS = "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2003"
BLANKS += "\u200a\u2028\u2029\u202f\u205f\u3000"
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
    *(ASCII_SYMBOLS * 2 + BLANKS + NOT_BLANKS + LETTERS + SPECIAL),
    *("0123456789" * 2 + "abcxyzABC" * 2 + "ab1 \n.,-" * 4),
    *_WORDS,
    *_LINE_ENDS,
    "longerword" * 3,
)


def random_strings(seed, n, max_pieces=24):
    rng = np.random.default_rng(seed)
    lengths = rng.integers(0, max_pieces, n)
    return ["".join(PIECES[k] for k in rng.integers(0, len(PIECES), length)) for length in lengths]


def code_points(step_beyond_bmp):
    """Return texts with every code point of the basic plane between two letters, and some others; no
    column of text can hold surrogates.
    """
    of_basic_plane = (*range(0xD800), *range(0xE000, 0x10000))
    codes = (*of_basic_plane, *range(0x10000, sys.maxunicode + 1, step_beyond_bmp))
    words = [f"a{chr(code)}b" for code in codes]
    return [" ".join(words[start : start + 256]) for start in range(0, len(words), 256)]


# --- the tokens of a column -----------------------------------------------------------------------


def sentences_of(texts, tokenizer="rouge_score", *, lowercase=True, function=tokenize, **named):
    """Return the tokens of each text as strings, in a list for each sentence that has any.

    The stemmer is called with each distinct token, in the order of their ids.
    """
    names = []
    options = tokenizer_rules(
        tokenizer, lowercase=lowercase, stem=lambda token: names.append(token) or token
    )
    tokens = function(texts, options, **named)
    assert len(names) == len(set(names)) == tokens.n_ids
    labels = tokens.ids.with_values(tokens.sentence_of_token).to_lists()
    assert (np.diff(tokens.sentence_of_token) >= 0).all()
    assert sum(len(set(row)) for row in labels) == len(set(tokens.sentence_of_token.tolist()))
    return [
        [
            [names[id_] for id_, _ in sentence]
            for _, sentence in groupby(zip(*pair, strict=True), key=itemgetter(1))
        ]
        for pair in zip(tokens.ids.to_lists(), labels, strict=True)
    ]


def tokens_of(texts, tokenizer="rouge_score", **named):
    """Return the tokens of each text as strings."""
    return [list(chain(*sentences)) for sentences in sentences_of(texts, tokenizer, **named)]


def numbered(rows):
    """Return the rows with each token replaced by a number in the order of appearance: equal for
    rows that differ in the names of tokens only.
    """
    number_of: dict = {}
    return [[number_of.setdefault(token, len(number_of)) for token in row] for row in rows]


# --- the rules of tokenizers ----------------------------------------------------------------------


def codexglue_tokens(text):
    """The evaluator's steps: runs of word characters, then underscores apart."""
    pieces = re.findall(r"\w+|[^\w\s]", text)
    return " ".join(pieces).replace("_", " _ ").split()


def conala_tokens(text):
    """The evaluation's steps, one substitution after the other."""
    text = re.sub(r"([^A-Za-z0-9_])", r" \1 ", text)
    text = re.sub(r"([a-z])([A-Z])", r"\1 \2", text)
    return text.replace('"', "`").replace("'", "`").split()


def answer_words(text, symbol):
    """ParlAI's steps, with a space for each symbol, or SQuAD's, with nothing."""
    for one in ASCII_SYMBOLS:
        text = text.replace(one, symbol)
    return re.sub(r"\b(the|an|a)\b", " ", text).split()


ALPHANUMERIC = re.compile("[A-Za-z0-9]+").findall
RULES = {  # tokenizer: its rule if texts are lowercased, and if they are not
    "parlai": (lambda text: answer_words(text.lower(), " "),) * 2,
    "squad": (lambda text: answer_words(text.lower(), ""),) * 2,
    "rouge_score": (rouge_score_tokens, ALPHANUMERIC),
    "13a": (lambda text: tokens_13a(text.lower()), tokens_13a),
    "char": (lambda text: [*"".join(text.lower().split())], lambda text: [*"".join(text.split())]),
    "whitespace": (lambda text: text.lower().split(), str.split),
    "rouge-1.5.5": (rouge155_tokens, ALPHANUMERIC),
    "codexglue": (lambda text: codexglue_tokens(text.lower()), codexglue_tokens),
    "conala": (lambda text: [word.lower() for word in conala_tokens(text)], conala_tokens),
}
