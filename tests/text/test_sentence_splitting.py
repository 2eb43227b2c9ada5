"""sentence_splitting: a table of hard cases, and properties that hold for any text.

In the tables a sentence ends at each `|` and at the end; the text is what remains when the `|` are
taken out. The splitter is not told the language. `LIMITS` are known failures, kept so that a change is
noticed.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rouge_bleu.text import sentences as rules
from rouge_bleu.text.sentences import split_sentences

CASES = {
    "en": [
        *("He left.| She stayed.", "What?!| No!!| Why???| So."),
        "He left.  |   She stayed.\t|They met.",
        # titles and other words that are always followed by something
        *("Dr. Smith met Mr. Jones and Mrs. Brown.| They talked.", "MR. SMITH LEFT.| HE WAS LATE."),
        "Is it true?| No.| It is not.",
        # abbreviations and acronyms that may also end a sentence
        "We met at 5 p.m.| She was late.",
        # numbers
        "It is 3.5 m or .5 km long.| That is short.",
        # quotes and brackets
        "He left (at last).| [She stayed.]| “They met.”",
        "He died in 1990.[1][23]| She was born then.",
        # ellipses
        "Wait . . . what?| I see . . .| He left.",
        # addresses, versions and names with stops
        *("See https://example.com/a.b?c=d.| It is free.", "He goes to amazon.de.| Bob does not."),
        "Open main.py or a.b.txt.| Run it with node.js now.",
        "I use C#.| .NET runs it.| .5 seconds pass.",
        # lists
        *("a. First come.\n|b. Then go.", "2.1. The method\n|2.2. The data"),
        "- 1. First come.\n|- 2. Then go.",
        # words that start small
        "He bought one.| iPhone sales rose.| eBay sold it.",
        # newlines
        "One.\n\n\n|Two.\r\n|Three.\u2028|Four.",
        # texts without uppercase letters, and tokenized ones
        'is it? |yes! |he said "go." |then he left… but not at once.',
        "he left. |she met dr. jones at 5 p.m. on monday. |it rained... a lot.",
        '"really?" she asked. |"yes!" he said.',
        "He left . |She met Dr. Jones . |It cost 3.5 dollars ? |Yes !",
        "He said `` Go . '' |Then he left .",
        "`` Why ? '' , Bob asked . |He said no . |5 said yes .",
        # text without letters or digits is no separate sentence
        "He left. |Good! 😀",
    ],
    "de": [
        "Im 19. und 20. Jahrhundert war das so.| Die 3. Auflage ist da.",
        *("Er sagte: „Ja.“| Dann ging er.", "»Wohin?«, fragte er.| »Nach Haus.«| Er ging."),
        "Siehe Abb. 3 und Nr. 5 bzw. Kap. 2.| Ende.",
        "Es kostet 5 Mio. Euro bzw. 1,2 Mrd. Dollar.| Es waren 3 Mio.| Sie sind weg.",
    ],
    "fr": [
        *("« Allons-y ! », Paul dit.| Il partit.", "Il a dit : « Non ! »| Elle est partie."),
        "M. Dupont et Mme. Durand sont là.| Bien.",
    ],
    "es": ["—¿Vienes? —preguntó ella.| —No."],
    "ru": ["«Иди!» — сказал он.| Она ушла."],
    "el": ["Ήρθε.| Έφυγε!"],
    "it": ["Il sig. Rossi è qui.| Bene.", "Il libro è mio.| Paolo lo sa."],
    "cs": ["Přijel 3. května.| Odjel."],
    "da": ["Han kom den 3. maj.| Hun gik."],
    "zh": [
        *("我看了《走吧！爸爸》。|好！", "他来了。|她走了！|真的吗？|是。"),
        *("“你好。”他说。|她笑了。", "他问：“走？”，我说好。|好！...|走。"),
    ],
    "ja": [
        *("彼は「行く。」と言った。|彼女は泣いた。", "彼は「行く。」って言った。|彼女は泣いた。"),
        *("これは終わり．|次に進む．", "ﾊｲ｡|ｿｳﾃﾞｽ｡"),
    ],
    "ko": ["그는 갔다.| 그녀는 왔다.| 네.| 그래요?"],
    "hi": ["वह आया।| वह गया।|क्या?| हाँ!"],
    "mr": ["ते होत.| तो घर.| ती आली."],
    "ar": ["من أنت؟| أنا علي.| جاء د. أحمد!| نعم."],
    "ur": ["وہ آیا۔| وہ گیا۔| کیا؟ |ہاں۔"],
    "hy": ["Նա եկավ։| Նա գնաց։", "Նա եկավ։|Նա գնաց։"],
    "my": ["သူလာသည်။| သူသွားသည်။", "သူလာသည်။|သူသွားသည်။"],
    "am": ["መጣ።| ሄደ።| መጣ፧| አዎ።", "መጣ፡፡| ሄደ፡፡"],
    "km": ["គាត់មក។| គាត់ទៅ។"],
    "mn": ["ᠢᠷᠡᠪᠡ᠃ |ᠶᠠᠪᠤᠪᠠ᠃"],
    "th": ["เขามาแล้วเขาก็ไป แล้วเธอก็มา", "ดร. สมชาย มาเมื่อ พ.ศ. 2560"],
}
LIMITS = {
    "en": [
        *("He left. eventually she left too.", 'She said " Go .| " Then she left .'),
        # a sign joins the sentence after it, and its mark ends nothing
        *("He came.| \N{GRINNING FACE}! She left.", "He came. \N{GRINNING FACE}!"),
    ],
    "de": ["Ludwig XIV.| König wurde er.", "Es kostet 5 Mio. Das ist viel."],
    "zh": ['他来了。"|你好。"', "你好!我很好.你呢?"],
    "el": ["Πού είσαι; Εδώ."],
    "hi": ["“मैं जाऊँगा।”| उसने कहा।"],
}

# Each is long enough for a rule that takes quadratic time to need longer than any test may.
LENGTH = 300_000
LONG = {
    "one word": ("a", 1),
    "spaces": (" ", 0),
    "stops": (".", 1),
    "quotes": ('."', 1),
    "closing brackets apart": (". ) ) ) )", 1),
    "opening brackets": (". ((((((((", 1),
    "dashes": (". - ", 1),
    "notes": (".[1", 1),
    "initials": ("J. ", 1),
    "numbers": ("1. ", (LENGTH // 3 + 1) // 2),
    "ideographic quotes": ("。」", 1),
    "titles": ("《", 1),
    "sentences": ("He left. ", LENGTH // 9),
    "ideographic sentences": ("他来了。", LENGTH // 4),
    "lines": ("a\n", LENGTH // 2),
}

PIECES = [
    *rules._SPACED_MARKS,
    *rules._FULL_MARKS,
    *rules._CLOSING,
    *rules._OPENING,
    *". . . ? ! 。 「 」 “ ” ． ፡፡ , ; 、 - — ... '' [1]".split(),
    *"a b i Mr No 5 12 3.5 Inc U.S e.g am im Mai He Xyz iPhone é É 走 と ก है 네 😀 _".split(),
    *" \u00a0\n\u2028\u3000",
    *"      ",
]
texts = st.one_of(st.text(), st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
ALL_CASES = [case for table in (CASES, LIMITS) for cases in table.values() for case in cases]


@pytest.mark.parametrize("case", ALL_CASES, ids=range(len(ALL_CASES)))
def test_case(case):
    assert split_sentences(case.replace("|", "")) == [part.strip() for part in case.split("|")]


@pytest.mark.parametrize(("piece", "n_sentences"), LONG.values(), ids=LONG)
def test_long_text(piece, n_sentences):
    assert len(split_sentences(piece * (LENGTH // len(piece)))) == n_sentences


# --- each entry of each table of the module -------------------------------------------------------

SELDOM_LAST = [*rules._SELDOM_LAST, "U.S", "a.m", "J", "J.-P", "non-U.S", "z. B"]
NEVER_LAST = [f(word) for word in rules._NEVER_LAST for f in (str, str.capitalize, str.upper)]
TEMPLATES = [  # inserted texts, and cases as above
    (rules._FULL_MARKS, "B{0}|D{0}| F{0}{0}"),
    (rules._SPACED_MARKS, "Bbb{0}Ddd{0}| Fff{0}{0}"),
    (rules._CLOSING, "Bb.{0}| Dd"),
    (rules._CLOSING, "Bb。{0}|Dd"),
    (rules._OPENING, "Bb!| {0}Dd"),
    (rules._OPENING, "Bb! {0}dd"),
    (rules._OPENING, "Bb {0}J. Dd"),
    (NEVER_LAST, "Bb {0}. The end.| Ff"),
    *((rules._BEFORE_NUMBER, f"Bb {{0}}. {number} Dd.") for number in ("5", "12th", "IV")),
    (rules._BEFORE_NUMBER, "Bb {0}.| I do."),
    (rules._AFTER_NUMBER, "Bb 5,3 {0}. Dd left."),
    (rules._AFTER_NUMBER, "Bb 5 {0}.| The end."),
    (rules._AFTER_NUMBER, "Bb dd {0}.| Ff left."),
    (SELDOM_LAST, "Bb {0}. Dd left."),
    (SELDOM_LAST, "Bb {0}.| The end."),
    ([*map(str.lower, SELDOM_LAST)], "bb {0}. the end."),
    ([*map(str.capitalize, rules._STARTERS)], "Bb U.S.| {0} dd"),
    ([*map(str.capitalize, rules._STARTERS)], "Bb U.S. {0}. dd"),
    (rules._BEFORE_ORDINAL, "Bb {0} 19. Dd"),
    (rules._BEFORE_ORDINAL, "Bb {0} 1990.| Dd"),
    ([*map(str.capitalize, rules._AFTER_ORDINAL)], "Bb 19. {0} dd"),
]


@pytest.mark.parametrize(("words", "template"), TEMPLATES, ids=range(len(TEMPLATES)))
def test_each_word(words, template):
    assert words
    for word in words:
        test_case(template.format(word))


# --- any text -------------------------------------------------------------------------------------


@given(texts)
def test_sentences_are_the_text_cut(text):
    """Each without spaces around, on one line; only a whole line has neither letter nor digit."""
    sentences = split_sentences(text)
    assert "".join("".join(sentences).split()) == "".join(text.split())
    lines = [line.strip() for line in text.splitlines()]
    position = 0
    for sentence in sentences:
        assert sentence.splitlines() == [sentence.strip()] != [""]
        assert rules._LETTER_OR_DIGIT.search(sentence) or sentence in lines
        position = text.index(sentence, position) + len(sentence)
    assert not text[position:].strip()


@given(texts)
def test_splitting_a_sentence_gives_the_sentence(text):
    for sentence in split_sentences(text):
        if sentence.islower() == text.islower():  # uppercase in the whole text
            assert split_sentences(sentence) == [sentence]


@given(texts, texts)
def test_lines_are_split_one_by_one(text, other):
    both = f"{text}\n{other}"
    if text.islower() == other.islower() == both.islower():
        assert split_sentences(both) == split_sentences(text) + split_sentences(other)
