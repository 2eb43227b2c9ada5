"""Warnings about texts that are scored, but hardly as the user wants: one for a call, at its line."""

import math
import warnings

import pyarrow as pa
import pytest

from helpers.errors import warnings_of
from rouge_bleu import bleu, explain_bleu, explain_rouge, rouge

NONE, MOST, CUT, UNSPACED, NO_LINES, TOKENIZED, SHORT, PHRASES, TOKENS, PRINTED = ALL = (
    "No text has a token",
    "The tokenizer drops most letters",
    "More than 1 % of the words",
    "Most of this text has no spaces",
    "rougeLsum treats each line",
    "Most predictions look tokenized",
    "BLEU is 0 ",
    "Most of the tokens",
    "Most references are lists of single words",
    "All references look like printed lists",
)
OF_TOKENIZERS = (NONE, MOST, CUT, UNSPACED)


def starts_of(warned, known=ALL):
    """How the known warnings among those that were caught start; there are no others."""
    messages = [str(one.message) for one in warned]
    assert all(message.startswith(ALL) for message in messages)
    return [start for message in messages for start in known if message.startswith(start)]


# --- what a tokenizer loses -----------------------------------------------------------------------

RUSSIAN = "В 2021 году кошка сидела на коврике 12 часов"
CHINESE = "我在 2021 年爱北京天安门"
HINDI = "बिल्ली 2021 में चटाई पर बैठी थी"
FRENCH = "L'été dernier, les élèves étaient très fatigués à Orléans où ça gèle"
GERMAN = "Die schöne Bäckerin müßte über die Straße gehen"
ENGLISH = "the cat sat on the mat in 2021"
LOST = [
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
    *((BOTH, texts, options, MOST) for texts in LOST for options in (ASCII, PERL)),
    *((BOTH, texts, ASCII, None) for texts in KEPT),
    *((BOTH, [RUSSIAN], {"tokenizer": x}, None) for x in ("unicode", "char", "13a", str.split)),
    (BOTH, [RUSSIAN.split()], ASCII, None),
    *((ROUGE, [text], {}, MOST) for text in (RUSSIAN, CHINESE, "мест12 " * 9)),
    (ROUGE, [RUSSIAN], {"preset": "rouge-1.5.5"}, MOST),
    (BLEU, [RUSSIAN], {}, None),
    (BOTH, ["кошка", "собака"], ASCII, NONE),
    (ROUGE, [ENGLISH], {"stopwords": ENGLISH.split()[:-1], **ASCII}, None),  # no lost letters
    # words that lose letters, by default only
    *((ROUGE, [text], {}, CUT) for text in CUT_TEXTS),
    *((ROUGE, [text] * 40 + [ENGLISH] * 40, {"preset": "evaluate"}, CUT) for text in CUT_TEXTS),
    *((ROUGE, [GERMAN], {"tokenizer": x}, None) for x in ("rouge_score", "13a", str.split)),
    *((ROUGE, [GERMAN], {"preset": x}, None) for x in ("rouge-1.5.5", "pltrdy", "matlab")),
    (ROUGE, [GERMAN.split()], {}, None),
    *((ROUGE, texts, {}, None) for texts in WHOLE),
    (ROUGE, ["a " * 99 + "café "], {}, None),  # one word in a hundred, and more
    (ROUGE, ["a " * 98 + "café "], {}, CUT),
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


@pytest.mark.parametrize(
    ("functions", "texts", "options", "warning"), OF_TEXTS, ids=range(len(OF_TEXTS))
)
def test_what_a_tokenizer_loses(functions, texts, options, warning):
    """Also of several references, which add no second warning."""
    for function in functions:
        for references in (texts, [[text, text] for text in texts]):
            caught = warnings_of(function, texts, references, **options)
            assert starts_of(caught, OF_TOKENIZERS) == ([] if warning is None else [warning])


@pytest.mark.parametrize(
    ("prediction", "reference", "is_lost"),
    [(ENGLISH, RUSSIAN * 3, True), (RUSSIAN * 3, ENGLISH, True), (ENGLISH * 3, RUSSIAN, False)],
)
def test_sides_are_looked_at_together(prediction, reference, is_lost):
    caught = warnings_of(bleu, [prediction], [reference], **ASCII)
    assert starts_of(caught, OF_TOKENIZERS) == [MOST] * is_lost


# --- tokenized text -------------------------------------------------------------------------------

WRITTEN = ["the cat sat on the mat.", "a dog, a cat."]
SPLIT = ["the cat sat on the mat .", "a dog , a cat ."]
# More than half of the predictions; those that end in " .", or have " , ".
LOOK_TOKENIZED = [SPLIT, SPLIT[:1], ["a dog , a cat"], [*SPLIT, WRITTEN[0]], SPLIT * 500]
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
    references = [SPLIT[0] if isinstance(text, str) else text for text in predictions]
    caught = warnings_of(function, predictions, references, **options)
    assert starts_of(caught, [TOKENIZED]) == [TOKENIZED] * is_warned


# --- short predictions ----------------------------------------------------------------------------

OF_SHORT = [  # a prediction for "the red cat", options, whether there is a warning
    ("the red cat", {}, True),
    ("the red cat", {"level": "sentence"}, True),
    ("the red cat", {"preset": "evaluate"}, True),
    ("the red cat", {"use_aggregator": False}, True),
    ("the red cat", {"weights": {"one": [1.0], "four": [0.25] * 4}}, True),
    ("the red cat", {"effective_order": True}, False),
    ("the red cat", {"max_order": 3}, False),
    ("the red cat", {"smoothing": "add-k"}, False),
    ("the red cat", {"preset": "matlab"}, False),  # where that is the definition
    ("cat red the", {}, False),  # no pair of words matches
    *((prediction, {}, False) for prediction in ("a blue dog", "the red cat here today", "")),
]


@pytest.mark.parametrize(("prediction", "options", "is_warned"), OF_SHORT)
def test_bleu_of_short_predictions(prediction, options, is_warned):
    """It is 0, whatever matches: the warning names what changes that."""
    caught = warnings_of(bleu, [prediction], ["the red cat"], **options)
    assert starts_of(caught) == [SHORT] * is_warned
    for option in ("effective_order", "max_order", "smoothing"):
        assert not is_warned or option in str(caught[0].message)


@pytest.mark.parametrize("options", [{"use_aggregator": False}, {"level": "sentence"}])
@pytest.mark.parametrize("choice", ["clip", "best"])
def test_number_of_short_predictions(choice, options):
    """Two of three have fewer than four tokens; the second one has two references."""
    predictions = ["the red cat", "the cat", "the red cat sat"]
    references = [["the red cat"], ["the cat", "the cat sat"], ["the red cat sat"]]
    (warned,) = warnings_of(bleu, predictions, references, multi_reference=choice, **options)
    assert str(warned.message).startswith("BLEU is 0 for 2 of 3 predictions")


OF_ONE_TEXT = "Most predictions and references are single words"
SPLIT = "the cat sat on the mat .".split()
SINGLE_WORDS = [  # predictions, references, options, whether they look like the tokens of one text
    (SPLIT, "the cat is on the mat .".split(), {}, True),
    (SPLIT, SPLIT, {"effective_order": True}, True),
    ([*SPLIT, "a b", "c d"], [*SPLIT, "a b", "c d"], {"smoothing": "exp"}, True),
    (SPLIT, SPLIT, {"max_order": 1}, False),
    (SPLIT[:3], SPLIT[:3], {}, False),
    (["yes", "no", "no"] * 2, ["yes", "no", "yes"] * 2, {}, False),  # labels
    (SPLIT, [f"{word} ?" for word in SPLIT], {}, False),
    ([[word] for word in SPLIT], [[word] for word in SPLIT], {}, False),  # given tokens
    ([f"{n}今天天气很好我们去公园散步吧你说好不好" for n in SPLIT],) * 2 + ({}, False),
]


@pytest.mark.parametrize(("predictions", "references", "options", "is_warned"), SINGLE_WORDS)
def test_tokens_of_one_text_as_texts(predictions, references, options, is_warned):
    messages = [str(one.message) for one in warnings_of(bleu, predictions, references, **options)]
    assert sum(message.startswith(OF_ONE_TEXT) for message in messages) == is_warned


LONG_CAT = " ".join(["cat", *map(str, range(1_000))])
TWO = ["the red cat", "one two six ten"], ["the red cat", "a b c d"]
THREE_SHORT = ["the red cat"] * 3 + ["a b c d"]
NOT_SHORT = [  # predictions, references, options: something else makes BLEU 0
    (["cat"], ["the red dog"], {"weights": [0, 1]}),  # no pair of words, and nothing matches
    # The penalty exp(1 - 1001) is 0, though all matches; orders of weight 0 do not count.
    (["cat"], [LONG_CAT], {"max_order": 1}),
    (["cat"], [LONG_CAT], {"weights": {"one": [1, 0, 0]}}),
    # The first prediction is short and has a BLEU; that of the second is 0, and it is not short.
    (*TWO, {"smoothing": "add-k", "use_aggregator": False}),
    # The corpus has 4-grams, which some of its resamples lack.
    (THREE_SHORT, THREE_SHORT, {"confidence_level": 0.9, "n_resamples": 20}),
]


@pytest.mark.parametrize(("predictions", "references", "options"), NOT_SHORT)
def test_bleu_of_0_for_another_reason(predictions, references, options):
    assert starts_of(warnings_of(bleu, predictions, references, **options)) == []


# --- forms ----------------------------------------------------------------------------------------

SAT, RAN = ["the", "cat", "sat"], "a dog ran away from me .".split()
LISTS = ["['the cat sat', 'a']", "['a', 'b']"]
FORMS = [  # predictions, references, the warning
    # Key phrases may be tokens; a corpus with a list around it looks the same.
    ([["big data", "neural nets", "text"]], [["big data", "deep nets"]], PHRASES),
    # Tokens beside texts, which are scored as references.
    (["the cat sat", "dogs run"], [SAT, RAN], TOKENS),  # 3 and 7 words: 5 each
    (["我喜欢书"], [list("我喜欢读书")], TOKENS),
    (["the cat", "a dog ran"], [["the", "cat"], "a dog ran away .".split()], None),  # 3.5 each
    (["the cat", "a dog"], [SAT, [*RAN, "a b"]], None),
    (["the cat", "dogs"], [SAT, RAN], None),  # one prediction in two has one word
    (["Paris"], [["Paris", "paris", "PARIS", "Parigi", "Paname"]], None),  # names of one answer
    (["a b", "c"], [["a b"], ["c d", "e f"]], None),
    # All references, as pandas reads them from CSV; not where predictions are lists as well.
    (["the cat"] * 2, LISTS, PRINTED),
    (LISTS, LISTS, None),
    (["the cat"] * 2, ["['a']", "a"], None),
]


@pytest.mark.parametrize(("predictions", "references", "warning"), FORMS)
@pytest.mark.parametrize("function", BOTH)
def test_forms(function, predictions, references, warning):
    """A baseline of texts adds no warning."""
    baseline = predictions if isinstance(predictions[0], str) else None
    caught = warnings_of(function, predictions, references, baseline_predictions=baseline)
    found = starts_of(caught, (PHRASES, TOKENS, PRINTED))
    assert found == ([] if warning is None else [warning])


@pytest.mark.filterwarnings("ignore:Most of the tokens")
def test_phrases_count_as_tokens():
    """One of 2 and of 3 matches: F is 2 / 5, and BLEU-1 is BP / 2."""
    texts = [["deep learning", "text"]], [["text", "a b", "c d"]]
    assert rouge(*texts, rouge_types=["rouge1"])["rouge1"] == pytest.approx(0.4)
    assert bleu(*texts, max_order=1)["bleu"] == pytest.approx(math.exp(1 - 3 / 2) / 2)


# --- how they are given ---------------------------------------------------------------------------


def test_one_warning_at_the_line_of_the_caller(metric):
    """For several references, another system, the explanation, a batch, and texts that were added."""
    text, message = {"rouge_full": (GERMAN, CUT), "bleu_full": (CHINESE, UNSPACED)}[metric.name]
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
        found = warnings_of(function, **given)
        assert starts_of(found, OF_TOKENIZERS) == [message]
        of_caller = (warnings_of.__code__.co_filename, UserWarning)
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
