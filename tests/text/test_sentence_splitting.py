"""sentence_splitting: a table of hard cases, and properties that hold for any text.

In the tables a sentence ends at each `|` and at the end; the text is what remains when the `|` are
taken out. The splitter is not told the language. `LIMITS` are cut as the rules cut them, which is
not as a reader would, so that a change is seen.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rouge_bleu.text import sentence_splitting as rules
from rouge_bleu.text.sentence_splitting import split_sentences

CASES = {
    "en": [
        # stops, marks and none
        "He left.| She stayed.",
        "He left",
        "What?!| No!!| Why???| So.",
        "He left.  |   She stayed.\t|They met.",
        "He asked: Why?| She did not know; nobody knew.",
        # titles and other words that are always followed by something
        "Dr. Smith met Mr. Jones and Mrs. Brown.| They talked.",
        "MR. SMITH LEFT.| HE WAS LATE.",
        # words that are abbreviations before a number only
        "Is it true?| No.| It is not.",
        # abbreviations and acronyms that may also end a sentence
        "The U.S. Army left.| It was the U.S. Senate.",
        "We met at 5 p.m. Monday.| It was late.",
        "Martin Luther King Jr. Day is a holiday.| It is in January.",
        "We sell apples, pears, etc. and more.| Then we sell nuts, etc.| We close at 5.",
        "He is a Dr!| Smith is not.",
        # initials and single letters
        "J. R. R. Tolkien wrote it.| C.S. Lewis read it.",
        "She is taller than I.| Then she left.",
        "He went to the U.S. in May, and J. Doe, M.A., to the E.U.",
        # numbers
        "It is 3.5 m or .5 km long.| That is short.",
        # quotes and brackets
        'He said "Go."| Then he left.',
        '"Really?" she asked.| "Yes!" he said.',
        '"Go."| "No."',
        "He left (at last.)| She stayed.",
        "He died in 1990.[1][23]| She was born then.",
        "**He left.**| *She stayed.*",
        'He asked "Why?", then left.| Good.',
        # ellipses
        "Wait... what?| No.",
        "... and then he left.",
        "Wait . . . what?| I see . . .| He left.",
        # addresses, versions and names with stops
        "See https://example.com/a.b?c=d.| It is free.",
        "The end.Next is not a start, nor is Yahoo!Answers.",
        "I use C#.| .NET runs it.| .5 seconds pass.",
        # lists
        "1. First come.| 2. Then go.",
        "2.1. The method\n|2.2. The data",
        "- 1. First come.\n|- 2. Then go.",
        # words that start small
        "He bought one.| iPhone sales rose.| eBay sold it.",
        # newlines
        "A title\n|A text goes\n|on. here",
        "One.\n\n\n|Two.\r\n|Three.\u2028|Four.",
        # texts without capitals, and tokenized ones
        'is it? |yes! |he said "go." |then he left… but not at once.',
        "he left. |she met dr. jones at 5 p.m. on monday. |it rained... a lot.",
        '"really?" she asked. |"yes!" he said.',
        "He left . |She met Dr. Jones . |It cost 3.5 dollars ? |Yes !",
        "He said `` Go . '' |Then he left .",
        "`` Why ? '' , Bob asked . |He said no . |5 said yes .",
        # what has no letters or digits is no sentence of its own
        "He left. |Good! 😀",
        "?!",
        "!!! He left.",
    ],
    "de": [
        "Er kommt am 3. Mai.| Sie kommt am 4. Juni.",
        "Im 19. und 20. Jahrhundert war das so.| Die 3. Auflage ist da.",
        "Das ist z.B. Obst.| Das ist z. B. Obst, d.h. Essen.| Gut.",
        "Hr. Schmidt und Fr. Meier kamen.| Sie gingen ca. 5 km.",
        "Er sagte: „Ja.“| Dann ging er.",
        "»Wohin?«, fragte er.| »Nach Haus.«| Er ging.",
        "Er ging.| »Wohin?« fragte sie.",
    ],
    "fr": [
        "« Allons-y ! » dit-il.| Il partit.",
        "Il a dit : « Non ! »| Elle est partie.",
        "M. Dupont et Mme. Durand sont là.| Bien.",
        "Quoi\u00a0?| Oui\u202f!| Bon.",
    ],
    "es": [
        "¿Qué?| ¡No!| Bien.",
        "Vino el Sr. López.| ¿Y la Sra. Díaz?| No vino.",
        "—¿Vienes? —preguntó ella.| —No.",
    ],
    "ru": [
        "А. С. Пушкин родился в 1799 г. в Москве.| Он писал.",
        "«Иди!» — сказал он.| Она ушла.",
    ],
    "el": ["Ήρθε.| Έφυγε!"],
    "it": ["Il sig. Rossi è qui.| Bene."],
    "cs": ["Přijel 3. května.| Odjel."],
    "da": ["Han kom den 3. maj.| Hun gik."],
    "zh": [
        "我看了《走吧！爸爸》。|好！",
        "他来了。|她走了！|真的吗？|是。",
        "他说：“我走了。”|她哭了。",
        "“你好。”他说。|她笑了。",
        "“你好！”，他说。|“再见？”、“好。”",
        "他来了。|Dr. Smith 走了。",
        "“你好。”|“再见。”",
        "他来了。 |她走了。",
        "真的吗？！|不会吧……",
        "他来了。|“你好！”",
        "价格是３．５元。|很贵。",
    ],
    "ja": [
        "彼は来た。|彼女は去った。|本当ですか？|はい！",
        "「本当？」と彼女は聞いた。|「うん。」|「そう。」",
        "彼は「行く。」と言った。|彼女は泣いた。",
        "彼は来た。|（昨日のことだ。）|彼女は去った。",
        "これは終わり．|次に進む．",
        "すごい‼|本当⁉",
    ],
    "ko": ["그는 갔다.| 그녀는 왔다.| 네.| 그래요?"],
    "hi": [
        "वह आया।| वह गया।|क्या?| हाँ!",
        "राम आया ।| सीता गई ॥ |वे मिले ।",
        "डॉ. शर्मा आए।| वे गए।",
        "उसने कहा, “मैं जाऊँगा।”| वह गया।",
    ],
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
        "He works in the U.S. Congress is near.",
        "The train left at 5 p.m. Nobody came.",
        "How many?| 3. Good.",
        "1. First come 2.| Then go",
        "He left. eventually she left too.",
        'She said " Go .| " Then she left .',
        # a sign joins the sentence behind it, and its mark ends nothing
        "He came.| \N{GRINNING FACE}! She left.",
        "He came. \N{GRINNING FACE}!",
    ],
    "de": ["Ludwig XIV.| König wurde er."],
    "zh": ['他来了。"|你好。"', "你好!我很好.你呢?"],
    "el": ["Πού είσαι; Εδώ."],
    "hi": ["“मैं जाऊँगा।”| उसने कहा।"],
}
BLANK = ["", " ", "\n", "\t\n \r\n\u2028\u3000\x0b\x85"]

# Each is long enough for a rule that takes quadratic time to need longer than any test may.
LENGTH = 300_000
LONG = {
    "one word": ("a", 1),
    "blanks": (" ", 0),
    "stops": (".", 1),
    "stops apart": (". ", 1),
    "quotes": ('."', 1),
    "quotes apart": ('. "', 1),
    "closing brackets apart": (". ) ) ) )", 1),
    "opening brackets": (". ((((((((", 1),
    "dashes": (". - ", 1),
    "notes": (".[1", 1),
    "initials": ("J. ", 1),
    "numbers": ("1. ", (LENGTH // 3 + 1) // 2),
    "ideographic stops": ("。", 1),
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


def flat(table):
    return [
        pytest.param(case, id=f"{language}-{case[:30]}")
        for language, cases in table.items()
        for case in cases
    ]


def without_blanks(text):
    return "".join(text.split())


@pytest.mark.parametrize("case", flat(CASES) + flat(LIMITS))
def test_case(case):
    assert split_sentences(case.replace("|", "")) == [
        sentence.strip() for sentence in case.split("|")
    ]


@pytest.mark.parametrize("text", BLANK)
def test_blank_text(text):
    assert split_sentences(text) == []


@pytest.mark.parametrize(("piece", "n_sentences"), LONG.values(), ids=LONG)
def test_long_text(piece, n_sentences):
    assert len(split_sentences(piece * (LENGTH // len(piece)))) == n_sentences


# --- each entry of each table of the module -------------------------------------------------------


SELDOM_LAST = [*rules._SELDOM_LAST, "U.S", "a.m", "J", "J.-P", "non-U.S", "z. B"]
NEVER_LAST = [f(word) for word in rules._NEVER_LAST for f in (str, str.capitalize, str.upper)]
TEMPLATES = [  # what is put in, and cases as above
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
    (SELDOM_LAST, "Bb {0}. Dd left."),
    (SELDOM_LAST, "Bb {0}.| The end."),
    ([*map(str.lower, SELDOM_LAST)], "bb {0}. the end."),
    ([*map(str.capitalize, rules._STARTERS)], "Bb U.S.| {0} dd"),
    ([*map(str.capitalize, rules._STARTERS)], "Bb U.S. {0}. dd"),
    (rules._BEFORE_ORDINAL, "Bb {0} 19. Dd"),
    (rules._BEFORE_ORDINAL, "Bb {0} 1990.| Dd"),
    ([*map(str.capitalize, rules._AFTER_ORDINAL)], "Bb 19. {0} dd"),
]


@pytest.mark.parametrize(("words", "template"), TEMPLATES, ids=[row[1] for row in TEMPLATES])
def test_each_word(words, template):
    assert words
    for word in words:
        test_case(template.format(word))


# --- any text -------------------------------------------------------------------------------------


@given(texts)
def test_sentences_are_the_text_cut(text):
    """Each without blanks around, on one line; only a whole line has neither letter nor digit."""
    sentences = split_sentences(text)
    assert without_blanks("".join(sentences)) == without_blanks(text)
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
        if sentence.islower() == text.islower():  # capitals are asked for in a text as a whole
            assert split_sentences(sentence) == [sentence]
