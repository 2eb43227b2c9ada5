"""Tokens of preset "xlsum", which are those of XL-Sum's fork of rouge_score, and languages by name."""

import re

import pytest

from helpers.published import PUBLISHED, values_of_group
from rouge_bleu import rouge
from rouge_bleu.presets import xlsum
from rouge_bleu.text.character_offsets import SourcedText, token_spans
from rouge_bleu.text.tokenizers import TOKENIZERS, tokenizer_rules

# What the fork's tokenizers printed; its scores are compared in tests/test_recorded.py.
PRINTED = [
    (re.search(r"lang=(\w+)", name)[1], PUBLISHED["corpus"]["multilingual"][int(name[-2])], figures)
    for name, figures in values_of_group("xlsum").items()
    if "stemmer=False, multilingual" in name and "error" not in figures
]
PACKAGES = {"chinese": "jieba", "thai": "pythainlp", "japanese": "fugashi"}


@pytest.mark.parametrize(("language", "pair", "figures"), PRINTED, ids=range(len(PRINTED)))
def test_tokens_of_languages(language, pair, figures):
    if language in PACKAGES:
        pytest.importorskip(PACKAGES[language])
    rules = TOKENIZERS.get(f"xlsum-{language}") or TOKENIZERS["xlsum"]
    for side in ("prediction", "reference"):
        assert rules.words_of_text(pair[side], True) == figures[f"tokens_{side}"]


# What pyonmttok 1.38.1 in its mode "aggressive", as the fork uses it, makes of these texts, and the
# fork's spaces round ideographs of that.
TOKENS_WITH_MARKS = {
    "1\ufe0f2 2\ufe0fa": ["1\ufe0f2", "2\ufe0f", "a"],
    "\u2764\ufe0f\u2764": ["\u2764\ufe0f", "\u2764"],
    "\u093e\u094d \u0301a": ["\u093e\u094d", "％0020\u0301", "a"],
    "\u0301a\u0301": ["\u0301", "a\u0301"],
    "日\ufe0f本": ["日", "\ufe0f", "本"],
    "\uffed \uffe8": ["\u25a0", "\u2502"],
    # By the rule in the module's docstring: symbols of ASCII are dropped, others are tokens.
    "a+b $1 €2": ["a", "b", "1", "€", "2"],
}
# What the fork's tokenizer of Burmese, at afcd803, makes of these texts; with pyonmttok 1.38.1.
TOKENS_OF_BURMESE = {
    # Of several short units with U+103A in a row the first joins the unit before it: "I", "we".
    "ကျွန်ုပ်တို့": [*("ကျွန်ု", "ပ်", "တို့")],
    "က်" * 4 + "ခ": ["က်" * 2, "က်", "က်", "ခ"],
    # A unit is short up to three characters.
    "\u1010\u102c\u1000\u103d\u103a": ["\u1010\u102c\u1000\u103d\u103a"],
    "\u1010\u102c\u1000\u103b\u103d\u103a": ["\u1010\u102c", "\u1000\u103b\u103d\u103a"],
    # U+1039 joins its neighbours by itself.
    "သတ္တဝါ": ["သ", "တ္တ", "ဝါ"],
    "က္": ["က", "္"],
    "္က": ["္", "က"],
    "က္္ခ": ["က္္", "ခ"],
    "က္ာခ": ["က", "္ာ", "ခ"],
    "က္ခ်": ["က", "္ခ်"],
    # A tone before U+103A is written after it, but not if a space is between.
    "က့်": ["က့်"],
    "က့ ်ခ": ["က့်", "ခ"],
}
TOKENS = [
    *(("xlsum", False, text, tokens) for text, tokens in TOKENS_WITH_MARKS.items()),
    *(("xlsum-burmese", True, text, tokens) for text, tokens in TOKENS_OF_BURMESE.items()),
]


@pytest.mark.parametrize(("name", "lowercase", "text", "tokens"), TOKENS, ids=range(len(TOKENS)))
def test_tokens(name, lowercase, text, tokens):
    assert TOKENIZERS[name].words_of_text(text, lowercase) == tokens


@pytest.mark.parametrize(
    ("name", "package", "text", "tokens"),
    [
        ("jieba", "jieba", "我来到 3.5，清华大学", ["我", "来到", "3.5", "，", "清华大学"]),
        ("newmm", "pythainlp", "ผมรัก 3.5 (ไทย", ["ผม", "รัก", "3.5", "(", "ไทย"]),
        ("unidic", "fugashi", "私は 学生。", ["私", "は", "学生", "。"]),
    ],
    ids=["jieba", "newmm", "unidic"],
)
def test_segmenters_by_name(bleu_full, name, package, text, tokens):
    """On texts as they are, without spaces. All tokens are found in the text, symbols too."""
    pytest.importorskip(package)
    (spans,) = token_spans([SourcedText.of_source(text)], tokenizer_rules(name))
    assert [text[start:end] for start, end in spans] == tokens
    assert TOKENIZERS[name].words_of_text(text, False) == tokens
    data = {"predictions": [text], "references": [text]}
    signed = bleu_full.compute(**data, tokenizer=name, max_order=1, signature=True)
    assert signed["bleu"] == 1
    assert f"|by:{package}(" in signed["signature"]


def test_other_names_of_languages():
    """Those of XL-Sum's data: mundo is Spanish, and so are its stop words and stems."""
    for name in ("chinese_simplified", "chinese_traditional"):
        assert xlsum.LANGUAGES[name].tokenizer == "xlsum-chinese"
    stemmers = [xlsum.LANGUAGES[name].stemmer for name in ("mundo", "bangla", "turkce")]
    assert stemmers == ["xlsum-spanish", None, None]


# rouge1 and rouge2 of the fork at afcd803 with use_stemmer=True and this `lang`, of which it has
# neither segmenter nor stemmer.
PLAIN = {
    "igbo": (
        *("Ndị uwe ojii jidere mmadụ atọ n'Enugu.", "Ndị uwe ojii ejidela mmadụ atọ na Enugu."),
        *(0.75, 0.42857142857142855),
    ),
    "amharic": (
        *("የኢትዮጵያ መንግሥት፣ አዲስ ዕቅድ አወጣ።", "የኢትዮጵያ መንግሥት አዲስ ዕቅድ ይፋ አደረገ።"),
        *(0.7272727272727272, 0.6666666666666665),
    ),
    "scottish_gaelic": (
        *("Tha an t-uisge trom an-diugh.", "Bidh an t-uisge trom a-màireach."),
        *(0.5714285714285714, 0.5),
    ),
}


@pytest.mark.parametrize("language", PLAIN)
def test_languages_without_segmenter_and_stemmer(language):
    prediction, reference, *expected = PLAIN[language]
    options = {"preset": "xlsum", "language": language, "use_stemmer": True}
    found = rouge([prediction], [reference], rouge_types=["rouge1", "rouge2"], **options)
    assert list(found.values()) == pytest.approx(expected, rel=1e-12)


# The configurations of the data set csebuetnlp/xlsum.
DATA = """amharic arabic azerbaijani bengali burmese chinese_simplified chinese_traditional english
french gujarati hausa hindi igbo indonesian japanese kirundi korean kyrgyz marathi nepali oromo
pashto persian pidgin portuguese punjabi russian scottish_gaelic serbian_cyrillic serbian_latin
sinhala somali spanish swahili tamil telugu thai tigrinya turkish ukrainian urdu uzbek vietnamese
welsh yoruba""".split()


def test_all_languages_of_the_data_are_accepted():
    assert len(DATA) == 45
    assert set(DATA) <= set(xlsum.LANGUAGES)


def test_stems_without_language_are_english():
    """As in the fork, where "dogs running" and "dog runs" have rouge1 1.0; here with a warning."""
    options = {"preset": "xlsum", "rouge_types": ["rouge1"], "use_stemmer": True}
    with pytest.warns(UserWarning, match="^use_stemmer=True without language"):
        assert rouge(["dogs running"], ["dog runs"], **options) == {"rouge1": 1}


def test_a_stemmer_by_name():
    """NLTK's Snowball stemmers: Häuser and Häusern are haus; of short words too, les is le."""
    pytest.importorskip("nltk")
    options = {"tokenizer": "unicode", "rouge_types": ["rouge1"]}
    for texts, name in ((("les", "le"), "french"), (("in den Häusern", "in den Häuser"), "german")):
        assert rouge(*([text] for text in texts), **options, stemmer=name) == {"rouge1": 1}
