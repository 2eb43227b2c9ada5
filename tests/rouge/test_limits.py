"""`max_words`, `max_bytes` and `lowercase` against their textbook form."""

import re

import pytest

from helpers.rouge.corpora import random_corpus
from helpers.rouge.expected import assert_textbook, lines_of

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


@pytest.mark.parametrize("limit", [1, 5, 1000])
@pytest.mark.parametrize(
    ("option", "cut"), [("max_words", first_words), ("max_bytes", first_bytes)]
)
def test_limits_apply_to_every_text(rouge_full, option, cut, limit):
    corpus = random_corpus(9, 40, max_references=4)
    names = ["rouge1", "rouge2", "rougeLsum", "rougeW", "rougeSU4"]
    assert_textbook(
        rouge_full, corpus, lambda text: lines_of(cut(text, limit)), names, **{option: limit}
    )


def limited(rouge_full, text, **options):
    """Return the part of a text that the tokenizer gets."""
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
    for n_words in range(1, 6):
        cut = first_words(text, n_words).strip()
        assert limited(rouge_full, text, max_words=n_words).strip() == cut
    assert limited(rouge_full, text, max_words=5) == text


def test_bytes_are_those_of_utf_8(rouge_full):
    """é has 2 bytes, 漢 3, 🙂 4, the combining accent 2, a newline 1; the rest is dropped."""
    text = "é漢🙂e\u0301\né"
    for n_bytes in range(1, 17):
        cut = first_bytes(text, n_bytes)
        assert limited(rouge_full, text, max_bytes=n_bytes) == cut
    assert limited(rouge_full, text, max_bytes=9) == "é漢🙂"


def test_words_are_cut_before_bytes(rouge_full):
    assert limited(rouge_full, "one two three", max_words=2, max_bytes=5).rstrip() == "one t"
    assert limited(rouge_full, "one two three", max_words=1, max_bytes=5).rstrip() == "one"


@pytest.mark.parametrize("preset", [None, "rouge-1.5.5"])
def test_limits_of_tokens(rouge_full, preset):
    tokens = {"predictions": [["a", "b c", "d", "e"]], "references": [[["b c", "x", "d"], ["f"]]]}
    options = {"rouge_types": ["rouge1"], "output": "precision", "multi_reference": "best"}
    assert rouge_full.compute(**tokens, **options, max_words=2, preset=preset) == {"rouge1": 0.5}
    with pytest.raises(ValueError, match=r"^max_bytes needs texts, got lists of tokens$"):
        rouge_full.compute(**tokens, **options, max_bytes=2, preset=preset)


# --- lowercase ------------------------------------------------------------------------------------

NAMED = [None, "rouge_score", "rouge-1.5.5", "unicode", "13a", "whitespace", "intl", "zh", "none"]


@pytest.mark.parametrize(
    ("tokenizer", "is_default"), [*((name, True) for name in NAMED), (str.split, False)]
)
def test_named_tokenizers_lowercase_unless_told_not_to(rouge_full, tokenizer, is_default):
    """And functions unless told to."""
    texts = {"predictions": ["The Cat"], "references": ["the cat"], "rouge_types": ["rouge1"]}
    for lowercase, score in ((None, float(is_default)), (True, 1.0), (False, 0.0)):
        result = rouge_full.compute(**texts, tokenizer=tokenizer, lowercase=lowercase)
        assert result == {"rouge1": score}


def test_given_tokens_keep_their_case_unless_told_not_to(rouge_full):
    tokens = {"predictions": [["The", "Cat"]], "references": [["the", "cat"]]}
    for lowercase, score in ((None, 0.0), (False, 0.0), (True, 1.0)):
        result = rouge_full.compute(**tokens, rouge_types=["rouge1"], lowercase=lowercase)
        assert result == {"rouge1": score}


def test_a_function_gets_lowercase_text_where_asked(rouge_full):
    assert limited(rouge_full, "The CAT ÄÖ", lowercase=True) == "the cat äö"
    assert limited(rouge_full, "The CAT ÄÖ") == "The CAT ÄÖ"
