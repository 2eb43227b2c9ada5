"""The tokenizer "13a" against sacreBLEU's: on random texts, and on all texts of up to five characters
of nine kinds.

A column of texts goes through in one call, as in the metric.
"""

import random
import string
from itertools import chain, product

import numpy as np
import pytest
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from helpers.bleu.peers import evaluate_13a
from rouge_bleu.text.named import UNSTRIPPED_13A
from rouge_bleu.text.tokenizers import TokenizerOptions, tokenized

PIECES = (
    *string.ascii_letters,
    *string.digits * 3,
    *string.punctuation * 3,
    *".,-" * 20,
    *" " * 60,
    *"\n" * 10,
    # What `str.split` splits at:
    *"\t\x0b\x0c\r\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u2007\u2009\u2028\u2029\u202f\u205f\u3000",
    *"\x00\x01\x1b\x7f\u180e\u200b\u200c\u200d\u2060\ufeff\ufffd",  # what it does not
    *"«»“”‘’„‚–—…·¿¡§¶†•‹›‰′″。，、；：？！（）「」『』《》・〜।॥؟،؛",
    *"éßİıſςΣσДя\u0301中文あア한กหאع٣५５²½€£°×÷😀𝟘𠀋",
    *[
        "&quot;",
        "&amp;",
        "&lt;",
        "&gt;",
        "&apos;",
        "&QUOT;",
        "&#38;",
        "&nbsp;",
        "&amp;lt;",
        "&amp;amp;quot;",
        "&",
        "&am",
        "p;",
        "quot;",
        "&lt",
        "gt;",
    ]
    * 3,
    *[
        "-\n",
        "-\n\n",
        "- \n",
        "-\r\n",
        "--\n",
        "\n-",
        "<skipped>",
        "<skip",
        "ped>",
        "<SKIPPED>",
        "<<skipped>skipped>",
    ]
    * 4,
    *[
        "1.5",
        "1,000",
        ".5",
        "5.",
        "5,",
        "5-",
        "-5",
        "10-20",
        "U.S.",
        "...",
        ",,",
        "it's",
        "well-known",
        "a/b",
        "x@y.z",
        "$5.00",
        "50%",
    ]
    * 2,
)

sacrebleu_13a = Tokenizer13a()


def random_texts(seed, n_texts):
    chooser = random.Random(seed)
    return ["".join(chooser.choices(PIECES, k=chooser.randint(1, 16))) for _ in range(n_texts)]


def assert_tokens(texts, expected, tokenizer, *, lowercase=False):
    """Assert that the column has the `expected` tokens, a list for each text. The stemmer sees each
    distinct token once, in the order of ids.
    """
    names = []
    tokens = tokenized(
        texts,
        TokenizerOptions(
            tokenizer, lowercase=lowercase, stem=lambda token: names.append(token) or token
        ),
    )
    found = np.array([*names, None], dtype=object)[tokens.ids.values].tolist()
    if (tokens.ids.lengths.tolist(), found) == (
        list(map(len, expected)),
        list(chain.from_iterable(expected)),
    ):
        return
    for text, start, end, row in zip(
        texts, tokens.ids.offsets[:-1], tokens.ids.offsets[1:], expected, strict=True
    ):
        assert found[start:end] == row, text


def test_13a_on_random_texts():
    texts = random_texts(1, 5_000)
    assert len(set(texts)) > 4_500
    assert_tokens(texts, [sacrebleu_13a(text.rstrip()).split() for text in texts], "13a")


def test_13a_in_lowercase_on_random_texts():
    texts = random_texts(2, 5_000)
    assert_tokens(
        texts,
        [sacrebleu_13a(text.lower().rstrip()).split() for text in texts],
        "13a",
        lowercase=True,
    )


def test_13a_of_evaluate_on_random_texts():
    texts = random_texts(3, 5_000)
    assert_tokens(texts, list(map(evaluate_13a, texts)), UNSTRIPPED_13A)


@pytest.mark.parametrize("length", [*range(5), pytest.param(5, marks=pytest.mark.deep)])
def test_13a_on_all_short_texts(length):
    """Of a letter, a digit, the five characters that its rules name and two blanks. Each of the
    four rules looks at two characters.
    """
    texts = list(map("".join, product("a5.,-'& \n", repeat=length)))
    assert_tokens(texts, [sacrebleu_13a(text.rstrip()).split() for text in texts], "13a")
    assert_tokens(texts, list(map(evaluate_13a, texts)), UNSTRIPPED_13A)


def test_a_wrong_token_is_found():
    with pytest.raises(AssertionError, match=r"a-b"):
        assert_tokens(["x", "a-b"], [["x"], ["a", "-", "b"]], "13a")
