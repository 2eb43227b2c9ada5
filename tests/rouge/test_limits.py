"""`max_words`, `max_bytes` and `lowercase` against their textbook form."""

import re

import numpy as np
import pytest

from helpers.rouge.expected import (
    TYPES,
    assert_items,
    expected_items,
    lines_of,
    random_corpus,
    split_corpus,
)

# --- max_words and max_bytes ----------------------------------------------------------------------


def first_words(text, n_words):
    """Return a text up to the end of its n-th word, lines kept."""
    ends = [match.end() for match in re.finditer(r"\S+", text)]
    return text[: ends[n_words - 1]] if len(ends) > n_words else text


def first_bytes(text, n_bytes):
    """Return the characters of a text whose bytes in UTF-8 all are among the first so many."""
    kept, n_used = [], 0
    for character in text:
        n_used += len(character.encode())
        if n_used > n_bytes:
            break
        kept.append(character)
    return "".join(kept)


@pytest.mark.parametrize("limit", [1, 2, 5, 13, 1000])
@pytest.mark.parametrize(
    ("option", "cut"), [("max_words", first_words), ("max_bytes", first_bytes)]
)
def test_limits_apply_to_every_text(rouge_full, option, cut, limit):
    predictions, references = random_corpus(9, 80)
    options = {"rouge_types": TYPES, "output": "all", "use_aggregator": False, option: limit}
    result = rouge_full.compute(predictions=predictions, references=references, **options)
    assert_items(
        result,
        expected_items(
            TYPES, *split_corpus(predictions, references, lambda text: lines_of(cut(text, limit)))
        ),
    )


def limited(rouge_full, text, **options):
    """Return what the tokenizer gets to see of a text."""
    seen = []
    rouge_full.compute(
        predictions=[text],
        references=["x"],
        rouge_types=["rouge1"],
        tokenizer=lambda text: seen.append(text) or ["x"],
        **options,
    )
    return seen[0]


def test_words_are_what_stands_between_blanks(rouge_full):
    text = "  well-known , \n U.S.\tfact\u3000漢字  "
    expected = [
        "well-known",
        "well-known ,",
        "well-known , \n U.S.",
        "well-known , \n U.S.\tfact",
        text.strip(),
        text.strip(),
    ]
    assert [limited(rouge_full, text, max_words=n).strip() for n in range(1, 7)] == expected
    assert limited(rouge_full, text, max_words=5) == text


def test_bytes_are_those_of_utf_8(rouge_full):
    # é has 2 bytes, 漢 3, 🙂 4, the combining accent 2; a character that is cut is dropped.
    text = "é漢🙂e\u0301é"
    expected = [
        "",
        "é",
        "é",
        "é",
        "é漢",
        "é漢",
        "é漢",
        "é漢",
        "é漢🙂",
        "é漢🙂e",
        "é漢🙂e",
        "é漢🙂e\u0301",
        "é漢🙂e\u0301",
        text,
        text,
    ]
    assert [limited(rouge_full, text, max_bytes=n) for n in range(1, 16)] == expected
    assert limited(rouge_full, "ab\ncd", max_bytes=4) == "ab\nc"  # a newline has one too


def test_words_are_cut_before_bytes(rouge_full):
    assert limited(rouge_full, "one two three", max_words=2, max_bytes=5).rstrip() == "one t"
    assert limited(rouge_full, "one two three", max_words=1, max_bytes=5).rstrip() == "one"


def test_limits_of_tokens(rouge_full):
    options = {"rouge_types": ["rouge1"], "output": "all"}
    result = rouge_full.compute(
        predictions=[["a", "b c", "d", "e"]], references=[["b c", "x", "d"]], max_words=2, **options
    )
    assert result == {"rouge1_precision": 0.5, "rouge1_recall": 0.5, "rouge1_fmeasure": 0.5}
    several = rouge_full.compute(
        predictions=[["a", "b"]], references=[[["x", "a"], ["b"]]], max_words=1, **options
    )
    assert several["rouge1_recall"] == 0.0  # "a" against "x" and "b"
    with pytest.raises(ValueError, match=r"^max_bytes needs texts, got lists of tokens$"):
        rouge_full.compute(predictions=[["a"]], references=[["a"]], max_bytes=2, **options)


# --- lowercase ------------------------------------------------------------------------------------

CASED = ("The Cat", "the cat")


NAMED = [
    None,
    "rouge_score",
    "rouge-1.5.5",
    "unicode",
    "13a",
    "char",
    "whitespace",
    "intl",
    "zh",
    "none",
]


@pytest.mark.parametrize("tokenizer", NAMED)
def test_named_tokenizers_lowercase_unless_told_not_to(rouge_full, tokenizer):
    options = {
        "predictions": [CASED[0]],
        "references": [CASED[1]],
        "rouge_types": ["rouge1"],
        "tokenizer": tokenizer,
    }
    assert rouge_full.compute(**options) == {"rouge1": 1.0}
    assert rouge_full.compute(**options, lowercase=None) == {"rouge1": 1.0}
    assert rouge_full.compute(**options, lowercase=True) == {"rouge1": 1.0}
    # Letter by letter only T and C differ.
    assert rouge_full.compute(**options, lowercase=False)["rouge1"] == (
        pytest.approx(4 / 6) if tokenizer == "char" else 0.0
    )


def test_what_is_not_named_keeps_its_case_unless_told_not_to(rouge_full):
    options = {"rouge_types": ["rouge1"]}
    texts = {"predictions": [CASED[0]], "references": [CASED[1]], "tokenizer": str.split}
    tokens = {"predictions": [CASED[0].split()], "references": [CASED[1].split()]}
    for examples in (texts, tokens):
        assert rouge_full.compute(**examples, **options) == {"rouge1": 0.0}
        assert rouge_full.compute(**examples, **options, lowercase=None) == {"rouge1": 0.0}
        assert rouge_full.compute(**examples, **options, lowercase=False) == {"rouge1": 0.0}
        assert rouge_full.compute(**examples, **options, lowercase=True) == {"rouge1": 1.0}
        assert rouge_full.compute(**examples, **options, lowercase=np.True_) == {"rouge1": 1.0}


def test_a_function_gets_lowercase_text_where_asked(rouge_full):
    assert limited(rouge_full, "The CAT ÄÖ", lowercase=True) == "the cat äö"
    assert limited(rouge_full, "The CAT ÄÖ") == "The CAT ÄÖ"


def test_capitals_are_letters_of_rouge_score_too(rouge_full):
    # With case kept its tokens are runs of A-Z, a-z and 0-9; "É" is none of them in either case.
    result = rouge_full.compute(
        predictions=["McDonald CAFÉ9"],
        references=["McDonald CAF 9"],
        rouge_types=["rouge1"],
        lowercase=False,
    )
    assert result == {"rouge1": 1.0}
