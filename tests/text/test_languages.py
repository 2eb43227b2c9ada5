"""Text in any language: the tokenizer "unicode" by its definition, sacreBLEU's tokenizers by their
names, and packages that are missing.

The definition: a token is a run of letters, digits and combining marks; in Han, kana, Thai, Lao,
Khmer and Burmese, which are written without spaces, it is one letter with its marks. Marks behind
anything else, such as those in emoji, are in no token. On ASCII text that is the tokenizer
"rouge_score".
"""

import importlib.util
import re
import subprocess
import sys
import unicodedata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU

from helpers.oracles import rouge_score_tokens
from helpers.repository import ROOT
from rouge_bleu.data.corpus import checked_corpus
from rouge_bleu.options.checked import checked_options
from rouge_bleu.rouge.options.checked import RougeOptions
from rouge_bleu.rouge.scorer import rouge
from rouge_bleu.text.of_sacrebleu import sacrebleu_tokenizer
from rouge_bleu.text.sentence_lines import tokenized_sentences
from rouge_bleu.text.stemming import porter_stemmer
from rouge_bleu.text.tokenizers import TokenizerOptions, tokenized

ALL_TYPES = [
    "rouge1",
    "rouge2",
    "rouge3",
    "rougeL",
    "rougeLsum",
    "rougeW",
    "rougeS",
    "rougeS4",
    "rougeSU",
    "rougeSU4",
]


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


# --- languages ------------------------------------------------------------------------------------

# Two sentences that have nothing to do with each other: one about a capital, one about children who
# play football after the rain.
LANGUAGES = {
    "Hindi": (
        "भारत की राजधानी नई दिल्ली है और यहाँ बहुत लोग रहते हैं।",
        "बच्चे बारिश के बाद मैदान में फ़ुटबॉल खेल रहे थे।",
    ),
    "Thai": ("กรุงเทพมหานครเป็นเมืองหลวงของประเทศไทย", "เด็กๆ ชอบเล่นฟุตบอลหลังฝนตก"),
    "Chinese": ("北京是中华人民共和国的首都。", "孩子们喜欢在雨后踢足球。"),
    "Japanese": ("東京は日本の首都です。", "子どもたちは雨がやんだあとサッカーをした。"),
    "Korean": ("서울은 대한민국의 수도이다.", "아이들은 비가 그친 뒤 축구를 했다."),
    "Arabic": ("القاهرة هي عاصمة جمهورية مصر العربية.", "لعب الأطفال كرة القدم بعد توقف المطر."),
    "Hebrew": ("ירושלים היא בירת ישראל.", "הילדים שיחקו כדורגל אחרי הגשם."),
    "Russian": ("Москва является столицей России.", "После дождя дети играли в футбол."),
    "Greek": (
        "Η Αθήνα είναι η πρωτεύουσα της Ελλάδας.",
        "Τα παιδιά έπαιξαν ποδόσφαιρο μετά τη βροχή.",
    ),
    "Vietnamese": ("Hà Nội là thủ đô của nước Việt Nam.", "Bọn trẻ chơi bóng đá sau cơn mưa."),
    "Burmese": ("နေပြည်တော်သည် မြန်မာနိုင်ငံ၏ မြို့တော် ဖြစ်သည်။", "ကလေးများ မိုးရွာပြီးနောက် ဘောလုံးကစားကြသည်။"),
    "Lao": ("ວຽງຈັນແມ່ນນະຄອນຫຼວງຂອງປະເທດລາວ", "ເດັກນ້ອຍມັກຫຼິ້ນບານເຕະຫຼັງຝົນຕົກ"),
    "Khmer": ("ភ្នំពេញគឺជារាជធានីនៃព្រះរាជាណាចក្រកម្ពុជា។", "ក្មេងៗចូលចិត្តលេងបាល់ទាត់បន្ទាប់ពីភ្លៀង។"),
    "Persian": (
        "تهران پایتخت ایران است و مردم زیادی در آن زندگی می\u200cکنند.",
        "بچه\u200cها پس از باران فوتبال بازی کردند.",
    ),
    "Bengali": ("ঢাকা বাংলাদেশের রাজধানী।", "বৃষ্টির পরে শিশুরা ফুটবল খেলছিল।"),
    "Tamil": ("சென்னை தமிழ்நாட்டின் தலைநகரம் ஆகும்.", "மழைக்குப் பிறகு குழந்தைகள் கால்பந்து விளையாடினர்."),
    "Amharic": ("አዲስ አበባ የኢትዮጵያ ዋና ከተማ ናት።", "ልጆቹ ከዝናቡ በኋላ እግር ኳስ ተጫወቱ።"),
    "German": (
        "Berlin ist die Hauptstadt Deutschlands.",
        "Nach dem Regen spielten Kinder Fußball.",
    ),
}


# Of these a letter is a token, and an alphabet has few of them: unrelated sentences share letters,
# though hardly a pair of them.
LETTERS_ARE_TOKENS = {"Thai", "Lao", "Burmese", "Khmer"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_identical_texts_score_1(rouge_full, language):
    texts = list(LANGUAGES[language])
    result = rouge_full.compute(
        predictions=texts,
        references=texts,
        rouge_types=ALL_TYPES,
        tokenizer="unicode",
        output="all",
    )
    assert set(result.values()) == {1.0}


@pytest.mark.parametrize("language", LANGUAGES)
def test_unrelated_texts_score_near_0(rouge_full, language):
    one, other = LANGUAGES[language]
    options = {"predictions": [one, other], "references": [other, one], "tokenizer": "unicode"}
    result = rouge_full.compute(**options, rouge_types=ALL_TYPES)
    if language in LETTERS_ARE_TOKENS:
        assert result["rouge1"] < 0.4
        assert result["rougeL"] < 0.25
        assert result["rouge2"] < 0.1
        assert result["rouge3"] == 0.0
    else:
        assert max(result.values()) < 0.1


@pytest.mark.parametrize(
    "language",
    [
        "Hindi",
        "Thai",
        "Chinese",
        "Japanese",
        "Korean",
        "Arabic",
        "Hebrew",
        "Russian",
        "Greek",
        "Burmese",
    ],
)
def test_the_default_tokenizer_knows_ascii_only(rouge_full, language):
    texts = list(LANGUAGES[language])
    with pytest.warns(UserWarning, match="tokenizer='unicode'"):
        result = rouge_full.compute(predictions=texts, references=texts, rouge_types=ALL_TYPES)
    assert set(result.values()) == {0.0}


def test_words_changed_in_a_sentence(rouge_full):
    """Words of Hindi and Korean, characters of Chinese, letters of Thai with their marks."""
    options = {"rouge_types": ["rouge1"], "tokenizer": "unicode"}
    pairs = {
        ("बिल्ली चटाई पर बैठी", "बिल्ली चटाई पर सोई"): 3 / 4,
        ("고양이가 매트에 앉았다", "고양이가 매트에 누웠다"): 2 / 3,
        ("北京大学", "北京大学生"): 8 / 9,
        ("ที่นี่", "ที่นั่น"): 2 / 5,  # ที่ and นี่ against ที่, นั่ and น
    }
    for (prediction, reference), f_measure in pairs.items():
        result = rouge_full.compute(predictions=[prediction], references=[reference], **options)
        assert result["rouge1"] == pytest.approx(f_measure), prediction


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
    "Japanese, marks that combine": ("か\u3099は\u309a", ["か\u3099", "は\u309a"]),
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
}


@pytest.mark.parametrize(("text", "tokens"), TOKENS.values(), ids=TOKENS)
def test_tokens_of_a_text(text, tokens):
    assert tokens_of([text]) == [tokens]


def test_tokens_of_a_column():
    texts = [text for text, _ in TOKENS.values()]
    assert tokens_of(texts) == [tokens for _, tokens in TOKENS.values()]


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


# Rare numerals and iteration marks of Han that are taken for letters or digits of other scripts.
RARE_HAN = {*range(0x3021, 0x302A), *range(0x3038, 0x303C), *range(0x16FE2, 0x16FF7)}


def reference_tokens(text):
    """Return the tokens of a text; a mark or joiner belongs to the letter or digit before it, and
    to nothing behind anything else. The text is lowercased as a whole, before it is cut.
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


def test_every_character_is_what_its_category_and_its_name_say():
    """Between letters, and twice; control characters, surrogates and private use are left out."""
    codes = (
        *range(0x20, 0x7F),
        *range(0xA0, 0xD800),
        *range(0xF900, 0x20000),
        *range(0x20000, 0x323B0, 97),
        *range(0xE0000, 0xE01F0),
    )
    characters = [
        chr(code)
        for code in codes
        if unicodedata.category(chr(code)) != "Cn" and code not in RARE_HAN
    ]
    texts = [f"x{character}{character}x" for character in characters]
    found = tokens_of(texts)
    assert [
        (text, row) for text, row in zip(texts, found, strict=True) if row != reference_tokens(text)
    ] == []
    assert len(texts) > 50_000


def random_texts(seed, n_texts):
    """Return texts of mixed scripts with marks and joiners behind anything."""
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
    texts = random_texts(1, 5000)
    found = tokens_of(texts)
    assert [
        (text, row) for text, row in zip(texts, found, strict=True) if row != reference_tokens(text)
    ] == []
    assert sum(map(len, found)) > 30_000


def test_lines_are_sentences():
    texts = random_texts(4, 500)
    tokens = tokenized_sentences(texts, TokenizerOptions("unicode"))
    lines = [[len(reference_tokens(line)) for line in text.split("\n")] for text in texts]
    rows = np.split(tokens.sentence, tokens.ids.offsets[1:-1])
    for row, lengths in zip(rows, lines, strict=True):
        assert np.unique(row, return_counts=True)[1].tolist() == [
            length for length in lengths if length
        ]


ascii_text = st.text(st.characters(max_codepoint=127), max_size=60)


@given(st.lists(ascii_text, min_size=1, max_size=5), st.booleans())
def test_ascii_text_is_tokenized_as_by_rouge_score(texts, is_among_others):
    """Also where a text in another script stands in the same column, and all go another way."""
    others = ["漢字"] if is_among_others else []
    found = tokens_of([*others, *texts])[len(others) :]
    assert found == list(map(rouge_score_tokens, texts))
    cased = tokens_of([*others, *texts], lowercase=False)[len(others) :]
    assert cased == [re.findall("[A-Za-z0-9]+", text) for text in texts]


def test_texts_are_not_normalized(rouge_full):
    """The same word in composed and decomposed characters is two words; normalize texts before."""
    composed, decomposed = (unicodedata.normalize(form, "Việt Nam") for form in ("NFC", "NFD"))
    options = {"rouge_types": ["rouge1"], "tokenizer": "unicode"}
    assert rouge_full.compute(predictions=[composed], references=[decomposed], **options) == {
        "rouge1": 0.5
    }
    assert rouge_full.compute(predictions=["ＡＢＣ"], references=["ABC"], **options) == {
        "rouge1": 0.0
    }


def test_every_han_character_is_a_token():
    assert tokens_of(["二〇〇八"]) == [["二", "〇", "〇", "八"]]


@pytest.mark.parametrize("text", ["👩\u200d👧", "❤\ufe0f", "🙂 ☀\ufe0f"])
def test_signs_have_no_tokens(text):
    assert tokens_of([text]) == [[]]


# --- tokenizers of sacreBLEU ----------------------------------------------------------------------

HOSTILE = [
    "",
    " ",
    "Hello, world! It's 3.5% — «non»…",
    "北京大学 ABC，3.5元。",
    "  trailing-\n",
    "a\tb\u3000c\xa0d",
    "日本語のテキスト ｶﾅ",
    "हिन्दी की किताब।",
    "<skipped> &quot;x&quot; &amp; -\ny",
    "\u2001x\u2a6d \U00020000",
    *(text for texts in LANGUAGES.values() for text in texts),
]


@pytest.mark.parametrize("lowercase", [True, False])
@pytest.mark.parametrize("name", ["intl", "zh", "none", "char", "13a"])
def test_names_of_sacrebleu_are_its_tokenizers(name, lowercase):
    """sacreBLEU lowercases, takes off blanks at the end, tokenizes and splits."""
    tokenizer = BLEU(tokenize=name).tokenizer
    expected = [
        tokenizer((text.lower() if lowercase else text).rstrip()).split() for text in HOSTILE
    ]
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


@pytest.mark.parametrize("name", ["intl", "zh", "none", "ja-mecab", "flores200"])
def test_sacrebleu_is_missing(without, name):
    without("sacrebleu", "sacrebleu.metrics")
    with pytest.raises(
        ImportError, match=f"^tokenizer '{name}' is one of sacreBLEU's: pip install sacrebleu$"
    ):
        checked_options(RougeOptions, {"tokenizer": name})  # before any work


@pytest.mark.parametrize(
    "name", ["rouge_score", "rouge-1.5.5", "unicode", "13a", "char", "whitespace", str.split]
)
def test_other_tokenizers_need_no_sacrebleu(without, name):
    without("sacrebleu", "sacrebleu.metrics", "nltk")
    assert compute(tokenizer=name) == {"rouge1": 1.0}


@pytest.mark.skipif(importlib.util.find_spec("MeCab") is not None, reason="MeCab is installed")
@pytest.mark.parametrize(("name", "extra"), [("ja-mecab", "ja"), ("ko-mecab", "ko")])
def test_a_package_of_a_tokenizer_of_sacrebleu_is_missing(name, extra):
    with pytest.raises(
        ImportError,
        match=rf"^tokenizer '{name}' of sacreBLEU cannot be used: (?s:.*)sacrebleu\[{extra}\]",
    ):
        compute(tokenizer=name)


def test_nltk_is_missing(without):
    without("nltk", "nltk.stem", "nltk.stem.porter")
    with pytest.raises(
        ImportError, match=r"^use_stemmer=True needs NLTK's Porter stemmer: pip install nltk$"
    ):
        checked_options(RougeOptions, {"use_stemmer": True})  # before any work
    assert compute() == {"rouge1": 1.0}
    assert compute(stemmer=str.upper) == {"rouge1": 1.0}


def test_neither_is_imported_where_it_is_not_asked_for():
    code = f"""if True:
        import sys
        sys.path.insert(0, {str(ROOT / "tests")!r})
        from helpers import cache
        import evaluate
        metric = evaluate.load({str(ROOT / "rouge_full.py")!r})
        metric.compute(predictions=["a b"], references=["a b"], tokenizer="unicode")
        print(sorted({{"nltk", "sacrebleu"}} & set(sys.modules)))
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


# The form of a sigma in small letters depends on what stands behind it.
@pytest.mark.parametrize(
    "text", ["ΟΔΟΣ.ΑΒ", "ΟΔΟΣ ΟΔΟΣ, ΣΑΣ-ΑΣ", "Σ", "ΑΣ\u0301.Β", "ΑΣ\u00b7Σ", "İΑΣ.", "ΑΣ漢ΑΣ.Α"]
)
@pytest.mark.parametrize("tokenizer", ["unicode", "13a", "whitespace", "char"])
def test_a_text_equals_its_own_small_letters(rouge_full, bleu_full, tokenizer, text):
    """ "ΟΔΟΣ.ΑΒ" scored 0.5 where words were cut before they were put into small letters."""
    options = {"tokenizer": tokenizer, "lowercase": True}
    predictions, references = [text], [text.lower()]
    assert rouge_full.compute(
        predictions=predictions, references=references, rouge_types=["rouge1", "rougeL"], **options
    ) == {"rouge1": 1.0, "rougeL": 1.0}
    assert tokens_of(predictions, tokenizer) == tokens_of(references, tokenizer)
    assert (
        bleu_full.compute(predictions=predictions, references=references, max_order=1, **options)[
            "bleu"
        ]
        == 1.0
    )
