"""Warnings about texts that are scored, but hardly as the user wants: one for a call, at its line."""

import argparse
import inspect
import json
import re
import statistics
import textwrap
import warnings

import pyarrow as pa
import pytest

from helpers.errors import warnings_of
from helpers.published import ITEMS, SUMMARIES
from helpers.repository import ROOT
from rouge_bleu import TextWarning, bleu, check, checks, explain_bleu, explain_rouge, rouge
from rouge_bleu.checks import CHECKS
from rouge_bleu.integrations import rouge_score, sacrebleu

NONE, LOST, UNSPACED = OF_TOKENIZERS = ("no_tokens", "lost_letters", "unspaced")


def names(predictions, references, **options):
    """The names of all checks that find something."""
    return [one["check"] for one in check(predictions, references, **options)]


def names_of_warnings(function, *texts, known=(*CHECKS, "no_long_match"), **options):
    """The known names in which the messages of warnings end."""
    messages = [str(one.message) for one in warnings_of(function, *texts, **options)]
    found = [re.search(r"\[(\w+)\]$", message) for message in messages]
    return [one[1] for one in found if one and one[1] in known]


# --- what each check finds ------------------------------------------------------------------------

CLOSED = "The bridge was closed on Monday.{}It opens again in two weeks, officials said."
TEN = [
    f"In the {n}th week the bridge is closed for the trains, and on Monday it opens."
    for n in range(10)
]
LOWER = [one.lower() for one in TEN]
FIVE_CHINESE = ["我在爱北京天安门"] * 5
# 80 different words on each side.
OTHERS = [" ".join(f"{x}wort{y}" for x in "abcdefgh") for y in "abcdefghij"]
YES, MANY = ["yes"] * 8, [one.replace("wort", f"{n}wort") for n in range(8) for one in OTHERS]
TEN_RUSSIAN = [" ".join(f"{x}мост{y}" for x in "абвгдежз") for y in "абвгдежзик"]
MAT = "the cat sat on the mat .".split()
SPOKEN = "<sam> hi [all], 3 < 5 and a <b, is </s not there?"
TOKEN_ENDS = ["</s>", " [SEP] [PAD]", *"<pad> <|im_end|> <|endoftext|> <extra_id_0> <eos>".split()]
# The check; predictions and references in which it finds something, and others which it nearly finds.
# A text means a list of it.
FOUND = [
    *(("special_tokens", f"the cat{x}", "the cat", "the <cat> [sat]", SPOKEN) for x in TOKEN_ENDS),
    ("special_tokens", "<s>the cat", "the cat", "the <s>cat", "a"),
    ("special_tokens", "</s>the cat", "the cat", "the </s>cat", "a"),  # as BART begins
    ("chat_markup", "<think>So, a cat?</think>A cat", "a cat", "I think> 2 [INST", "a"),
    ("chat_markup", "<|im_start|>assistant\nA cat", "a cat", "<|jo|> hi", "a"),
    ("line_breaks", CLOSED.format("<q>"), "a", CLOSED.format(" <q>a</q> <n "), "a"),
    ("line_breaks", CLOSED.format(" <n> "), "a", "use -j <n> for it", "a"),
    ("line_breaks", "<t> A cat . </t> <t> A dog . </t>", "a", "vector <t> v", "a"),
    ("line_breaks", CLOSED.format("\\n"), "a", r"a \neq b. \nabla c, C:\new", "a"),
    ("line_breaks", "a cat .\\na dog", "a", ['print("A:\\nB")', "a.\\nB\n"], ["a", "b"]),
    ("line_breaks", "a \\nB", "a", r"page \f Form feed. \n Newline. \r Return", "a"),
    ("html", "<p>AT&amp;T is here.<br>", "a", "AT&T <bob> hi, q&a; x", "a"),
    ("html", "the cat &apos;s", "a", "AT&T; a &apos", "a"),
    ("html", "a &quot;b&quot;", "a", "x = '</p>' + f(y);", "a"),
    *(
        ("encoding", text, "a", "«IRMÃ» “Â”, „Spaß“ – it’s Ä–Ü, Å… «Å», 20 °C, привет", "a")
        for text in "ZÃ¼rich itâ€™s it\xe2\x80\x99s 20Â°C Ð¿Ñ€Ð¸Ð²ÐµÑ‚ zÅ‚oty na\ufffdve".split()
    ),
    ("printed_values", "b'the cat'", "the cat", "b'the cat'", "b'a'"),
    ("printed_values", "the cat", "['the cat', 'a']", "the cat", "[the] cat"),
    *(
        ("subwords", text, "das", ["@@ -1,3 +1,4 @@ a## b", "fl-1 Ġunju ▁"], ["das"] * 2)
        for text in ("d@@ as Haus", "▁das ▁Haus", "d ##as Haus", "the Ġcat Ġsat")
    ),
    ("subwords", "a well @-@ known cat", "a", "me@b.de @- x", "a"),
    ("tokenized", ["The cat , a dog ."] * 10, ["The cat , a dog ."] * 10, TEN, TEN),
    ("tokenized", [one.replace(",", " ,") for one in TEN], TEN, TEN, TEN),
    *(
        ("characters", between.join("the cat sat on it"), "a", "a b c d e, then we go", "a")
        for between in (" ", ", ", "\n")
    ),
    ("characters", [" ".join("the cats sit")] * 2, ["a"] * 2, "我 在 爱 北 京 天 安 门 啊", "a"),
    ("tokens_as_texts", *[MAT] * 2, *["Paris Rome yes no cat dog".split()] * 2),
    ("tokens_as_texts", "the cat", [list("abcd")], "the cat", [["a", "b", "c d", "e"]]),
    ("phrases", [["big data", "neural nets"]], [["big data"]], [["New York", "is"]], [["a"]]),
    *(
        ("blank_references", "a cat", [["a cat", blank]], "a cat", [["a cat", "."]])
        for blank in ("", " ", "\u3000", "\xa0", "\u200b")
    ),
    ("blank_references", [["a"]], [[["a"], []]], [["a"]], [[["a"], ["b"]]]),
    ("missing_values", ["nan", "None", *TEN], ["a", "b", *TEN], ["nan", *TEN * 2], ["a", *TEN * 2]),
    ("repeated", ["I do not know."] * 6 + TEN[:4], TEN, ["I do not know."] * 5 + TEN[:5], TEN),
    ("equal", TEN, TEN, TEN, [*TEN[:9], "a"]),
    ("cut_off", [x[:-9] for x in TEN], TEN, [x[:-9] for x in TEN], [x[:-1] for x in TEN]),
    ("length", ["the"] * 10, TEN, ["the bridge opens"] * 10, TEN),
    ("language", TEN_RUSSIAN, OTHERS, TEN_RUSSIAN, TEN_RUSSIAN[::-1]),
    ("language", FIVE_CHINESE + OTHERS, ["b"] * 5 + TEN_RUSSIAN, OTHERS[:5], OTHERS[5:]),
    ("shifted", MANY, [*MANY[:35], *MANY[36:], "a"], MANY, [*MANY[1:20], "a", *MANY[20:]]),
    ("shifted", MANY, MANY[1:] + MANY[:1], MANY[:5] * 16, MANY),  # few answers, to all rows
    ("shifted", OTHERS, [*OTHERS[1:], "a"], [*YES, "x y z", "   "], [*YES[1:], "x y z", "", ""]),
    ("case", LOWER, TEN, LOWER, [*TEN[:2], *OTHERS[:8]]),
    ("case", *([x.split() for x in some] for some in (LOWER, TEN)), TEN, [x[:-1] for x in TEN]),
    ("normal_form", "cafe\u0301 noir", "café", "cafe\u0301 noir", "cafe\u0301"),
]
OF_BLEU = ("tokenized", "blank_references", "case")


@pytest.mark.parametrize(("name", "sides"), [(name, sides) for name, *sides in FOUND])
def test_what_is_found_and_what_nearly(name, sides):
    sides = [[side] if isinstance(side, str) else side for side in sides]
    texts, near = sides[:2], sides[2:]
    function, metric = (bleu, "bleu_full") if name in OF_BLEU else (rouge, "rouge_full")
    assert name in names(*texts, metric=metric)
    assert name not in names(*near, metric=metric)
    assert name in names_of_warnings(function, *texts)
    assert name not in names_of_warnings(function, *near)


def test_the_only_reference_may_be_blank_in_calls():
    """As of questions without an answer; `check` lists it."""
    texts = ["a cat", "a dog"], ["a cat", ""]
    assert names(*texts, metric="bleu_full") == ["blank_references"]
    assert names_of_warnings(bleu, *texts, effective_order=True) == []


def test_entities_that_the_tokenizer_reads_are_no_html():
    texts = ["Tom &amp; Ann met at the inn today"], ["Tom & Ann met at the inn today"]
    assert names_of_warnings(bleu, *texts) == []
    assert names_of_warnings(bleu, *texts, tokenizer="intl") == ["html"]
    assert names_of_warnings(bleu, [f"{texts[0][0]}<br>in town"], texts[1]) == ["html"]


def test_case_where_it_makes_no_difference():
    preset = "multi-bleu.perl -lc"
    for options in ({"lowercase": True}, {"tokenizer": str.split}, {"preset": preset}):
        assert "case" not in names(LOWER, TEN, metric="bleu_full", **options)
    assert "case" not in names(LOWER, TEN)


def test_a_quotation_does_not_hide_another_language():
    quotation = f"{TEN_RUSSIAN[0]} {OTHERS[0]}"
    texts = [*TEN_RUSSIAN * 20, quotation], [*OTHERS * 20, OTHERS[0]]
    assert "language" in names(*texts, tokenizer="unicode")


def test_single_words_as_texts_of_bleu():
    words = "the cat sat on the mat and the dog lay on the rug near the door".split()
    assert "tokens_as_texts" in names_of_warnings(bleu, words, words)
    assert "tokens_as_texts" not in names_of_warnings(bleu, words, words, max_order=1)


def test_every_check_has_an_example_and_a_row_of_the_page():
    page = (ROOT / "docs" / "checks.md").read_text("utf-8")
    tested = {*OF_TOKENIZERS, "one_line", *(name for name, *_ in FOUND)}
    assert sorted(re.findall(r"^\| `(\w+)` \|", page, re.M)) == sorted(CHECKS) == sorted(tested)


def test_a_finding():
    texts = ["A dog.", "The cat sat on the mat.</s>"], ["A dog</s>", "The cat</s>"]
    (found,) = check(*texts, rouge_types=["rouge1"])
    message = found.pop("message")
    values = {"side": "both", "n_examples": 2, "first_example": 0, "text": "A dog</s>"}
    values["examples"] = [0, 1]
    assert found == {"check": "special_tokens", **values}
    (warned,) = warnings_of(rouge, *texts, rouge_types=["rouge1"])
    assert str(warned.message) == message
    assert check([], []) == []


@pytest.mark.parametrize("metric", ["rouge", "bleu_full"])
def test_real_texts_have_no_findings(metric):
    """Summaries and translations, chats, mathematics, and code of Python's library."""
    tables = [(ROOT / "examples" / f"{name}.jsonl") for name in ("summaries", "translations")]
    rows = [json.loads(line) for path in tables for line in path.read_text("utf-8").splitlines()]
    corpora = [([row["prediction"] for row in rows], [row["references"] for row in rows])]
    for some in ([one for one in ITEMS if "&amp;" not in one["prediction"]], SUMMARIES):
        corpora.append(([one["prediction"] for one in some], [one["references"] for one in some]))
    for module in (argparse, json.decoder, statistics, textwrap):
        parts = [part for part in inspect.getsource(module).split("\n\n") if "e" in part]
        corpora.append((parts, [part.replace("self", "x", 1) for part in parts]))
    formula = r"If $a \neq 0$ and $\nabla f < 2$ then $[a, b] \subset \nu$."
    mathematics = [formula, "x < y > z, a_{ij} [1] & b"]
    corpora += [(mathematics, mathematics), ([SPOKEN, "[12:01] <n> hello <3"], ["[a] b"] * 2)]
    for predictions, references in corpora:
        options = {"tokenizer": "unicode"}
        assert names(predictions, references, metric=metric, **options) == []
        for text, of_text in zip(predictions, references, strict=True):
            assert names([text], [of_text], metric=metric, **options) == []


# --- when calls are looked at ---------------------------------------------------------------------


def test_calls_are_looked_at_less_often_after_the_first():
    """The first eight, then one in 256, or in 16,384 examples; a large call counts as four."""
    pad, clean = (["the cat<pad>"], ["the cat"]), (["the cat"], ["a cat"])
    found = [bool(names_of_warnings(rouge, *pad)) for _ in range(8 + 2 * 256)]
    assert found == [True] * 8 + ([False] * 255 + [True]) * 2
    rouge(*clean)
    many = [*TEN, *pad[0] * 16_400], [*TEN, *pad[1] * 16_400]
    assert names_of_warnings(bleu, *many) == ["special_tokens", "repeated"]


def test_a_sample_has_the_first_and_the_last_text():
    texts = [f"text {n}" for n in range(2000)]
    for place in (0, -1):
        some = [*texts]
        some[place] += "<pad>"
        assert names_of_warnings(rouge, some, texts[::-1]) == ["special_tokens"]


def test_a_check_is_silenced_by_category_and_name():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", r".*\[special_tokens\]", TextWarning)
        rouge(["a<pad>"], ["a"])
        with pytest.raises(TextWarning, match=r"\[html\]$"):
            rouge(["a<pad> &amp;"], ["a"])


def test_replacements_warn_as_the_functions():
    scorer = rouge_score.rouge_scorer.RougeScorer(["rouge1"])
    for pair, name in ((("你好", "你"), "no_tokens"), (("a<pad>", "b"), "special_tokens")):
        assert names_of_warnings(scorer.score, *pair) == [name]
    text = "我在爱北京天安门"
    for n in (1, 800):
        assert "unspaced" in names_of_warnings(sacrebleu.corpus_bleu, [text] * n, [[text] * n])
        checks._calls[:] = [0, 0]
        caught = warnings_of(sacrebleu.corpus_bleu, [text] * n, [[text] * n])
        assert {one.filename for one in caught} == {warnings_of.__code__.co_filename}


# --- characters that a tokenizer loses ------------------------------------------------------------

RUSSIAN = "В 2021 году кошка сидела на коврике 12 часов"
CHINESE = "我在 2021 年爱北京天安门"
HINDI = "बिल्ली 2021 में चटाई पर बैठी थी"
FRENCH = "L'été dernier, les élèves étaient très fatigués à Orléans où ça gèle"
GERMAN = "Die schöne Bäckerin müßte über die Straße gehen"
ENGLISH = "the cat sat on the mat in 2021"
OTHER_SCRIPTS = [
    *([RUSSIAN] * 3, [CHINESE], [HINDI], ["η γάτα 12 κάθισε στο χαλί"] * 9 + [ENGLISH]),
    ["abc гдеж 1"],  # one letter more than half
    # Texts between others are looked at too, and of long ones the start.
    *([ENGLISH] * 300 + [RUSSIAN] * 700, [RUSSIAN] * 700 + [ENGLISH] * 300),
]
KEPT = [
    *([FRENCH], [ENGLISH] * 9 + [RUSSIAN], [ENGLISH + " Москва"], ["№ 12 → 13 …", "« 7 »"]),
    ["abc где"],  # half of the letters
    [RUSSIAN] * 300 + [ENGLISH] * 700,
]
CUT_TEXTS = [
    *(GERMAN, FRENCH, "İstanbul'da bir gün", "er sagt „Grüße“ (1)", "the streets of Москва-Moscow"),
    "l'e\u0301te\u0301 dernier",  # accents as marks
    "the model кошка works",  # a word that is lost as a whole
]
WHOLE = [
    *([ENGLISH], ["“a” — 5€ m² ١٢٣ a١ 10½ №1 c’est"], ["good \u2764\ufe0f"] * 9),
    ["5 \u212am"],  # its lowercase form is ASCII
]
TALK = [
    "猫坐在垫子上，狗在外面跑。今天天气很好。",
    "東京タワー",
    "แมวนั่งอยู่บนเสื่อและสุนัขวิ่งอยู่ข้างนอก วันนี้อากาศดีมาก",
    "我在 2021 年爱北京天安门，用 Python 写程序。",
]
SPACED = [
    *(ENGLISH, "고양이가 매트 위에 앉아 있습니다", "the cat of 東京タワー sat on the mat"),
    "猫 は マット の 上 に 座っ て い ます 。 インターネット は 便利 です",
    "แมว นั่ง อยู่ บน เสื่อ และ สุนัข วิ่ง อยู่ ข้าง นอก",
]
AT_SPACES = {  # presets whose tokenizer was not chosen for the language
    rouge: "pltrdy rouge-chinese pyrouge-metric nmt ignite coco-caption rouge-2.0 matlab".split(),
    bleu: [
        *"nltk nltk-3.5 torchmetrics ignite coco-caption fairseq t2t sacrebleu".split(),
        *(None, "multi-bleu.perl -lc"),
    ],
}
ASCII, PERL = {"tokenizer": "rouge_score"}, {"tokenizer": "rouge-1.5.5"}
# XL-Sum's fork of rouge_score has segmenters of four languages, and splits by `lang` alone.
XLSUM = {"preset": "xlsum", "rouge_types": ["rouge1"]}
BOTH, ROUGE, BLEU = (rouge, bleu), (rouge,), (bleu,)
OF_TEXTS = [  # functions, texts that are scored against themselves, options, the warning
    *((BOTH, texts, options, LOST) for texts in OTHER_SCRIPTS for options in (ASCII, PERL)),
    *((BOTH, texts, ASCII, None) for texts in KEPT),
    *((BOTH, [RUSSIAN], {"tokenizer": x}, None) for x in ("unicode", "char", "13a", str.split)),
    (BOTH, [RUSSIAN.split()], ASCII, None),
    *((ROUGE, [text], {}, LOST) for text in (RUSSIAN, CHINESE, "мест12 " * 9)),
    (ROUGE, [RUSSIAN], {"preset": "rouge-1.5.5"}, LOST),
    (BLEU, [RUSSIAN], {}, None),
    (BOTH, ["кошка", "собака"], ASCII, NONE),
    (ROUGE, [ENGLISH], {"stopwords": ENGLISH.split()[:-1], **ASCII}, None),  # no lost letters
    # words that lose letters, by default only
    *((ROUGE, [text], {}, LOST) for text in CUT_TEXTS),
    *((ROUGE, [text] * 40 + [ENGLISH] * 40, {"preset": "evaluate"}, LOST) for text in CUT_TEXTS),
    *((ROUGE, [GERMAN], {"tokenizer": x}, None) for x in ("rouge_score", "13a", str.split)),
    *((ROUGE, [GERMAN], {"preset": x}, None) for x in ("rouge-1.5.5", "pltrdy", "matlab")),
    (ROUGE, [GERMAN.split()], {}, None),
    *((ROUGE, texts, {}, None) for texts in WHOLE),
    (ROUGE, ["a" * 499 + "é"], {}, None),  # one letter in 500, and more
    (ROUGE, ["a" * 498 + "é"], {}, LOST),
    # text without spaces
    *((ROUGE, [text], {"preset": x}, UNSPACED) for text in TALK for x in AT_SPACES[rouge]),
    *((BLEU, [text], {"preset": x}, UNSPACED) for text in TALK for x in AT_SPACES[bleu]),
    *((BOTH, [[*text]], {"preset": "coco-caption"}, None) for text in TALK),
    *((BOTH, [" ".join(text)], {"preset": "coco-caption"}, None) for text in TALK),
    *((BOTH, [text] * 3, {"preset": "coco-caption"}, None) for text in SPACED),
    *((BLEU, [text] * 3, {}, None) for text in SPACED),
    *((BLEU, [TALK[0]], {"tokenizer": x}, None) for x in ("13a", "unicode", "char", "zh", list)),
    (BLEU, [TALK[0]], {"preset": "nltk", "tokenizer": "unicode"}, None),
    *((ROUGE, [text] * 3, XLSUM, UNSPACED) for text in TALK),
    (ROUGE, TALK, {**XLSUM, "language": "german"}, UNSPACED),
    (ROUGE, TALK, {**XLSUM, "language": "burmese"}, None),
    (ROUGE, TALK, {"tokenizer": "xlsum", "rouge_types": ["rouge1"]}, None),
    *((ROUGE, [text] * 3, XLSUM, None) for text in (*SPACED, RUSSIAN, HINDI, FRENCH, [*TALK[0]])),
]


@pytest.mark.parametrize("given", OF_TEXTS, ids=range(len(OF_TEXTS)))
def test_what_a_tokenizer_loses(given):
    """Also of several references, which add no second warning."""
    functions, texts, options, warning = given
    for function in functions:
        for references in (texts, [[text, text] for text in texts]):
            checks._calls[:] = [0, 0]
            found = names_of_warnings(function, texts, references, known=OF_TOKENIZERS, **options)
            assert found == ([] if warning is None else [warning])


def test_sides_are_looked_at_together():
    for pair in ((ENGLISH, RUSSIAN * 3), (RUSSIAN * 3, ENGLISH)):
        assert LOST in names_of_warnings(bleu, pair[:1], pair[1:], **ASCII)
    assert LOST not in names_of_warnings(bleu, [ENGLISH * 3], [RUSSIAN], **ASCII)


# --- tokenized text -------------------------------------------------------------------------------

WRITTEN = ["the cat sat on the mat.", "a dog, a cat."]
SPLIT = ["the cat sat on the mat .", "a dog , a cat ."]
# More than half of the predictions; those that end in " .", or have " , ".
LOOK_TOKENIZED = [SPLIT, SPLIT[:1], ["a dog , a cat"], [*SPLIT, WRITTEN[0]], SPLIT * 50]
LOOK_WRITTEN = [WRITTEN, [SPLIT[0], WRITTEN[1]], ["...", "a ,b"], [text.split() for text in SPLIT]]
NOT_SPLITTING = ("whitespace", "char", "rouge_score", "unicode", str.split)
OF_PREDICTIONS = [  # the function, predictions, options, whether there is a warning
    *((bleu, texts, {}, True) for texts in LOOK_TOKENIZED),
    *((bleu, texts, {}, False) for texts in LOOK_WRITTEN),
    *((bleu, SPLIT, {"tokenizer": x}, True) for x in ("13a", "intl")),
    *((bleu, SPLIT, {"tokenizer": x}, False) for x in NOT_SPLITTING),
    (rouge, SPLIT, {}, False),  # it drops punctuation
]


@pytest.mark.parametrize(("function", "predictions", "options", "is_warned"), OF_PREDICTIONS)
def test_predictions_that_look_tokenized(function, predictions, options, is_warned):
    """Both sides do, and are the tokens of BLEU with a tokenizer of its own."""
    predictions = predictions * 10
    found = names_of_warnings(function, predictions, predictions, **options)
    assert ("tokenized" in found) == is_warned


# --- BLEU without a match of four tokens ----------------------------------------------------------

OF_ONE, OF_TWO = {"use_aggregator": False}, {"weights": {"one": [1.0], "four": [0.25] * 4}}
ZERO = [{}, {"level": "sentence"}, {"preset": "evaluate"}, OF_ONE, OF_TWO]
# Under matlab, that is the definition.
OTHER = [{"effective_order": True}, {"max_order": 3}, {"smoothing": "add-k"}, {"preset": "matlab"}]
OF_ZERO = [  # a prediction for "the red cat", options, whether there is a warning
    *(("the red cat", options, True) for options in ZERO),
    *(("the red cat", options, False) for options in OTHER),
    *((prediction, {}, True) for prediction in ("cat red the", "the red cat here today")),
    *((prediction, {}, False) for prediction in ("a blue dog", "")),
]


@pytest.mark.parametrize(("prediction", "options", "is_warned"), OF_ZERO)
def test_bleu_of_0(prediction, options, is_warned):
    """It is 0, whatever matches: the warning names what changes that."""
    caught = warnings_of(bleu, [prediction], ["the red cat"], **options)
    found = names_of_warnings(bleu, [prediction], ["the red cat"], **options)
    assert found == ["no_long_match"] * is_warned
    for option in ("effective_order", "max_order", "smoothing"):
        assert not is_warned or option in str(caught[0].message)


@pytest.mark.parametrize("options", [{"use_aggregator": False}, {"level": "sentence"}])
@pytest.mark.parametrize("choice", ["clip", "best"])
def test_number_of_predictions_of_0(choice, options):
    """Two of three have fewer than four tokens; the second one has two references."""
    predictions = ["the red cat", "the cat", "the red cat sat"]
    references = [["the red cat"], ["the cat", "the cat sat"], ["the red cat sat"]]
    (warned,) = warnings_of(bleu, predictions, references, multi_reference=choice, **options)
    assert str(warned.message).startswith("BLEU is 0 for 2 of 3 predictions")


LONG_CAT = " ".join(["cat", *map(str, range(1_000))])
TWO = ["the red cat", "one two six ten"], ["the red cat", "a b c d"]
RAN_FAR = "a dog ran far"
THREE_SHORT = ["the red cat"] * 3 + ["a b c d"]
NOT_SHORT = [  # predictions, references, options: something else makes BLEU 0
    (["cat"], ["the red dog"], {"weights": [0, 1]}),  # no pair of words, and nothing matches
    # The penalty exp(1 - 1001) is 0, though all matches; orders of weight 0 do not count.
    (["cat"], [LONG_CAT], {"max_order": 1}),
    (["cat"], [LONG_CAT], {"weights": {"one": [1, 0, 0]}}),
    # The first prediction is short and has a BLEU; that of the second is 0, and it is not short.
    (*TWO, {"smoothing": "add-k", "use_aggregator": False}),
    ([RAN_FAR, "the red cat ran"], [RAN_FAR, "the red cat"], {"level": "sentence"}),  # one of two
    # The corpus has 4-grams, which its resample lacks.
    (THREE_SHORT, THREE_SHORT, {"confidence_level": 0.9, "n_resamples": 1, "seed": 6}),
]


@pytest.mark.parametrize(("predictions", "references", "options"), NOT_SHORT)
def test_bleu_of_0_for_another_reason(predictions, references, options):
    assert names_of_warnings(bleu, predictions, references, **options) == []


# --- forms ----------------------------------------------------------------------------------------

SAT, RAN = ["the", "cat", "sat"], "a dog ran away from me .".split()
LISTS = ["['the cat sat', 'a']", "['a', 'b']"]
FORMS = [  # predictions, references, the warning
    # Key phrases may be tokens; a corpus with a list around it looks the same.
    ([["big data", "neural nets", "text"]], [["big data", "deep nets"]], "phrases"),
    # Tokens beside texts, which are scored as references.
    (["the cat sat", "dogs run"], [SAT, RAN], "tokens_as_texts"),  # 3 and 7 words: 5 each
    (["我喜欢书"], [list("我喜欢读书")], "tokens_as_texts"),
    (["the cat", "a dog ran"], [["the", "cat"], "a dog ran away .".split()], None),  # 3.5 each
    (["the cat", "a dog"], [SAT, [*RAN, "a b"]], None),
    (["the cat", "dogs"], [SAT, RAN], None),  # one prediction in two has one word
    (["Paris"], [["Paris", "paris", "PARIS", "Parigi", "Paname"]], None),  # names of one answer
    (["a b", "c"], [["a b"], ["c d", "e f"]], None),
    # Tokens of one text as texts; not labels, nor given tokens.
    (MAT, "the cat is on the mat .".split(), "tokens_as_texts"),
    ([*MAT, "a b", "c d"], [*MAT, "a b", "c d"], "tokens_as_texts"),
    (MAT[:3], MAT[:3], None),
    (["yes", "no", "no"] * 2, ["yes", "no", "yes"] * 2, None),
    (MAT, [f"{word} ?" for word in MAT], None),
    ([[word] for word in MAT], [[word] for word in MAT], None),
    # All references, as pandas reads them from CSV; not where predictions are lists as well.
    (["the cat"] * 2, LISTS, "printed_values"),
    (LISTS, LISTS, None),
    (["the cat"] * 2, ["['a']", "a"], None),
]


@pytest.mark.parametrize(("predictions", "references", "warning"), FORMS)
@pytest.mark.parametrize("function", BOTH)
def test_forms(function, predictions, references, warning):
    """A baseline of texts adds no warning."""
    baseline = predictions if isinstance(predictions[0], str) else None
    found = names_of_warnings(function, predictions, references, baseline_predictions=baseline)
    assert {*found} & {"phrases", "tokens_as_texts", "printed_values"} == {warning} - {None}


# --- how they are given ---------------------------------------------------------------------------


def test_one_warning_at_the_line_of_the_caller(metric):
    """For several references, another system, the explanation, a batch, and texts that were added."""
    text, message = {"rouge_full": (GERMAN, LOST), "bleu_full": (CHINESE, UNSPACED)}[metric.name]
    texts = {"predictions": [text] * 3, "references": [[text, text]] * 3}
    explain = {"rouge_full": explain_rouge, "bleu_full": explain_bleu}[metric.name]
    metric.add_batch(**texts)
    calls = [
        (metric.compute, {}),
        (metric.compute, {**texts, "baseline_predictions": [text] * 3}),
        (metric.explain, {"prediction": text, "reference": [text, text]}),
        (explain, {"prediction": text, "reference": [text, text]}),
        (metric.batch_statistics, {"batch": pa.table(texts)}),
    ]
    for function, given in calls:
        found = [one for one in warnings_of(function, **given) if message in str(one.message)]
        assert len(found) == 1
        of_caller = (warnings_of.__code__.co_filename, TextWarning)
        assert {(one.filename, one.category) for one in found} == {of_caller}


def test_a_loop_is_warned_once(rouge_full):
    """As in a reward function that is called for each batch: Python shows a text once for a line."""
    texts = ["größer {}", "кошка {}", "schön {}. Ja.", "... {}"]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        for number in range(20):
            for text in texts:
                data = [text.format(number)] * 2
                rouge_full.compute(predictions=data, references=data, stopwords=["Ja", str(number)])
    messages = [str(one.message) for one in caught]
    assert len(messages) == len(set(messages)) <= 5


def test_a_module_that_is_named_like_evaluate_is_the_caller(rouge_full):
    names = {"__name__": "evaluate_my_model", "compute": rouge_full.compute, "texts": [RUSSIAN]}
    code = compile("compute(predictions=texts, references=texts)", "own.py", "exec")
    (found,) = warnings_of(exec, code, names)
    assert found.filename == "own.py"
