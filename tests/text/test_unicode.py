"""The tokenizer "unicode" by its definition.

A token is a run of letters, digits and combining marks; in Han, kana, Thai, Lao, Khmer and Burmese,
which are written without spaces, it is one letter with its marks. Marks behind anything else, such
as those in emoji, are in no token. On ASCII text that is the tokenizer "rouge_score".
"""

import re
import unicodedata
from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.hostile_text import tokens_of
from helpers.tokenizers import rouge_score_tokens

TOKENS = {  # text, tokens
    "Hindi, marks": ("हिन्दी की किताब", ["हिन्दी", "की", "किताब"]),
    "Hindi, joiner": ("क्\u200dष क्ष", ["क्\u200dष", "क्ष"]),
    "Persian, non-joiner": ("می\u200cخواهم کتاب\u200cها", ["می\u200cخواهم", "کتاب\u200cها"]),
    "Arabic, vowels and comma": ("كِتَابٌ، قَلَمٌ", ["كِتَابٌ", "قَلَمٌ"]),
    "Thai": ("ที่นี่", ["ที่", "นี่"]),
    "Thai, vowels before and behind": ("เมา ทำ", ["เ", "ม", "า", "ท", "ำ"]),
    "Chinese": ("我爱北京，真的。", list("我爱北京真的")),
    "Chinese, beyond the first plane": ("𠮷野家𪚥", ["𠮷", "野", "家", "𪚥"]),
    "Japanese": ("サーバーは人々の", ["サ", "ー", "バ", "ー", "は", "人", "々", "の"]),
    "Japanese, combining marks": ("か\u3099は\u309a", ["か\u3099", "は\u309a"]),
    "Korean, letters that combine": ("\u1112\u1161\u11ab", ["\u1112\u1161\u11ab"]),
    "Vietnamese, decomposed": ("Vie\u0323\u0302t Nam", ["vie\u0323\u0302t", "nam"]),
    "Greek, final sigma": ("ΟΔΟΣ Σ.", ["οδο\u03c2", "σ"]),
    "Turkish": ("İstanbul ısı", ["i\u0307stanbul", "ısı"]),
    "English": ("Don't: U.S. 3.5 x_y e-mail", "don t u s 3 5 x y e mail".split()),
    "beyond the first plane": ("𝐀b 𐐀", ["𝐀b", "𐐨"]),
    "what separates": ("a\u200bb\xadc\u2060d\ufeffe\u200ff\x00g", list("abcdefg")),
    "emoji": ("🙂 ❤\ufe0f👩\u200d👧a\ufe0f 1\ufe0f\u20e3", ["a\ufe0f", "1\ufe0f\u20e3"]),
    "Chinese, zero": ("二〇〇八", ["二", "〇", "〇", "八"]),
}


def test_tokens_of_a_text_and_of_a_column():
    texts, tokens = zip(*TOKENS.values(), strict=True)
    assert tokens_of(texts, "unicode") == list(tokens)
    assert [tokens_of([text], "unicode")[0] for text in texts] == list(tokens)
    cased = tokens_of(["Straße ÄB", "x"], "unicode", lowercase=False)
    assert cased == [["Straße", "ÄB"], ["x"]]


# --- the definition, one character at a time ------------------------------------------------------

# Scripts by the names of characters, which the tokenizer does not look at.
UNSPACED = re.compile(
    "CJK (UNIFIED|COMPATIBILITY) IDEOGRAPH|IDEOGRAPHIC|HIRAGANA|HENTAIGANA|(HALFWIDTH "
    ")?KATAKANA|THAI|LAO|KHMER|MYANMAR"
)
JOINERS = "\u200c\u200d"
# Rare Han numerals and iteration marks that are taken for letters or digits of other scripts.
RARE_HAN = {*range(0x3021, 0x302A), *range(0x3038, 0x303C), *range(0x16FE2, 0x16FF7)}


def reference_tokens(text):
    """Return the tokens of a text; a mark or joiner belongs to the letter or digit before it, and
    to nothing behind anything else. The text is lowercased as a whole, before it is split.
    """
    tokens, last = [], "separator"
    for character in text.lower():
        category = unicodedata.category(character)
        if category[0] == "M" or character in JOINERS:
            if last != "separator":
                tokens[-1] += character
        elif character == "〇" or (
            category[0] == "L" and UNSPACED.match(unicodedata.name(character, ""))
        ):
            tokens.append(character)
            last = "letter by itself"
        elif category[0] in "LN":
            if last != "letter of a word":
                tokens.append("")
            tokens[-1] += character
            last = "letter of a word"
        else:
            last = "separator"
    return tokens


def assert_tokens_of_definition(texts):
    found = zip(texts, tokens_of(texts, "unicode"), strict=True)
    assert [(text, row) for text, row in found if row != reference_tokens(text)] == []


def test_every_character_is_what_its_category_and_its_name_say():
    """Between letters, and twice; control characters, surrogates and private use are left out."""
    codes = {*range(0x20, 0x7F), *range(0xA0, 0xD800), *range(0xF900, 0x20000)} - RARE_HAN
    codes |= {*range(0x20000, 0x323B0, 97), *range(0xE0000, 0xE01F0)}
    characters = [one for one in map(chr, sorted(codes)) if unicodedata.category(one) != "Cn"]
    assert len(characters) > 50_000
    assert_tokens_of_definition([f"x{character}{character}x" for character in characters])


# Letters, combining marks and joiners, which may be after anything, and separators.
MIXED = "abZßΣςЯאعকঘஅअ한ᄒആⅧ²½0123٣३๓၃៣กขเๆລະកဥကខឥ漢字一々〇𠮷かナｶーＡÉéİ\u212a"
MIXED += (
    "\u0301\u0308\u0323\u093f\u094d\u0e31\u0e48\u0eb1\u0ec8\u102d\u103b\u17d2\u17b7\u3099\u05b7"
)
MIXED += "\u064e\u20dd\ufe0f\u200c\u200d \n\t.,;!?-_'’·。、，！？・।॥๛။៕،؟«»()\u3000\u200b\xad\ufeff🙂❤€+\x00"


@given(st.lists(st.text(MIXED, max_size=25), min_size=1, max_size=9))
def test_random_texts_of_mixed_scripts(texts):
    assert_tokens_of_definition(texts)


@pytest.mark.parametrize("n_characters", [200, 253, 254, 65_533, 65_534])
def test_columns_of_many_characters(n_characters):
    """A column numbers its characters, in as few bytes as it can, and eight bytes of a word are one
    integer. With a space, a newline and the characters in no word one byte has 253 others.
    """
    small = (one for one in map(chr, range(0x30, 0x32000)) if one.lower() == one)
    characters = "".join(islice(filter(str.isalnum, small), n_characters))
    rng = np.random.default_rng(n_characters)
    pool = list(characters[:500] + characters[-500:])
    words = ["".join(rng.choice(pool, n)) for n in rng.integers(1, 14, 1000)]
    words += [word + word[-1:] for word in words[::3]] + words[::2]
    assert_tokens_of_definition([characters, "  ".join(words), *words])


ascii_text = st.text(st.characters(max_codepoint=127), max_size=60)


@given(st.lists(ascii_text, min_size=1, max_size=5), st.sampled_from([[], ["漢字"]]))
def test_ascii_text_is_tokenized_as_by_rouge_score(texts, others):
    """Also if a text in another script is in the same column, and all go another way."""
    found = tokens_of([*others, *texts], "unicode")[len(others) :]
    assert found == list(map(rouge_score_tokens, texts))
    cased = tokens_of([*others, *texts], "unicode", lowercase=False)[len(others) :]
    assert cased == [re.findall("[A-Za-z0-9]+", text) for text in texts]


# The lowercase form of a sigma depends on the next character.
SIGMAS = ["ΟΔΟΣ.ΑΒ", "ΟΔΟΣ ΟΔΟΣ, ΣΑΣ-ΑΣ", "Σ", "ΑΣ\u0301.Β", "ΑΣ\u00b7Σ", "İΑΣ.", "ΑΣ漢ΑΣ.Α"]


@pytest.mark.parametrize("tokenizer", ["unicode", "13a", "whitespace", "char"])
def test_a_text_equals_its_own_lowercase_form(tokenizer):
    """ "ΟΔΟΣ.ΑΒ" scored 0.5 if texts were tokenized before they were lowercased."""
    assert tokens_of(SIGMAS, tokenizer) == tokens_of(list(map(str.lower, SIGMAS)), tokenizer)
