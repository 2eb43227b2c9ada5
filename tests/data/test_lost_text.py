"""Warnings where a tokenizer loses most letters of a corpus, or parts of words."""

import warnings

import pyarrow as pa
import pytest

from helpers.programs import environment
from helpers.repository import ROOT, module_of

MOST = (
    "Most letters of these texts are in no token: tokenizer {!r} knows ASCII letters and digits "
    "only. For texts in other scripts than Latin pass tokenizer='unicode'."
)
NONE = "No text holds a single token"

RUSSIAN = "В 2021 году кошка сидела на коврике 12 часов"
CHINESE = "我在 2021 年爱北京天安门"
HINDI = "बिल्ली 2021 में चटाई पर बैठी थी"
FRENCH = "L'été dernier, les élèves étaient très fatigués à Orléans où ça gèle"
ENGLISH = "the cat sat on the mat in 2021"


def warnings_of(function, *args, **kwargs):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        function(*args, **kwargs)
    return caught


def messages_of(metric, texts, references=None, **options):
    """What is said of texts that are scored against themselves, or against references."""
    texts = {"predictions": texts, "references": texts if references is None else references}
    return [str(one.message) for one in warnings_of(metric.compute, **texts, **options)]


ASCII_WORDS = {"tokenizer": "rouge_score"}
LOST = {
    "Russian": [RUSSIAN] * 3,
    "Chinese": [CHINESE],
    "Hindi": [HINDI],
    "Greek, and a few texts in English": ["η γάτα 12 κάθισε στο χαλί"] * 9 + [ENGLISH],
    "one letter more than half": ["abc гдеж 1"],
}
KEPT = {
    "French": [FRENCH],
    "a few texts in Russian": [ENGLISH] * 9 + [RUSSIAN],
    "a Russian name": [ENGLISH + " Москва"],
    "signs and digits": ["№ 12 → 13 …", "« 7 »"],
    "half of the letters": ["abc где"],
}


@pytest.mark.parametrize("texts", LOST.values(), ids=LOST)
def test_most_letters_are_lost(metric, texts):
    for tokenizer in ("rouge_score", "rouge-1.5.5"):
        assert messages_of(metric, texts, tokenizer=tokenizer) == [MOST.format(tokenizer)]
    references = [[text, "a"] for text in texts]
    assert messages_of(metric, texts, references, **ASCII_WORDS) == [MOST.format("rouge_score")]


@pytest.mark.parametrize("texts", KEPT.values(), ids=KEPT)
def test_most_letters_are_kept(metric, texts):
    assert messages_of(metric, texts, **ASCII_WORDS) == []


@pytest.mark.parametrize("tokenizer", ["unicode", "char", "whitespace", "13a", str.split])
def test_other_tokenizers_lose_no_letters(metric, tokenizer):
    assert messages_of(metric, [RUSSIAN], tokenizer=tokenizer) == []
    assert messages_of(metric, [RUSSIAN.split()], **ASCII_WORDS) == []


def test_defaults(rouge_full, bleu_full):
    for text in (RUSSIAN, CHINESE, "мест12 " * 9):
        assert messages_of(rouge_full, [text]) == [MOST.format("rouge_score")]
    assert messages_of(rouge_full, [RUSSIAN], preset="rouge-1.5.5") == [MOST.format("rouge-1.5.5")]
    assert messages_of(bleu_full, [RUSSIAN]) == []


def test_one_warning_where_no_token_is_left(rouge_full, bleu_full):
    """It says that scores are 0."""
    for metric in (rouge_full, bleu_full):
        (message,) = messages_of(metric, ["кошка", "собака"], **ASCII_WORDS)
        assert message.startswith(NONE)
        assert message.endswith("pass tokenizer='unicode'.")
    (message,) = messages_of(rouge_full, [RUSSIAN], stopwords=["2021", "12"], **ASCII_WORDS)
    assert message.startswith(NONE)
    assert message.endswith("Look at stopwords, which takes tokens out.")
    stopwords = ENGLISH.split()[:-1]  # are not lost letters
    assert messages_of(rouge_full, [ENGLISH], stopwords=stopwords, **ASCII_WORDS) == []


def test_sides_are_looked_at_together(metric):
    lost = [MOST.format("rouge_score")]
    assert messages_of(metric, [ENGLISH], [RUSSIAN * 3], **ASCII_WORDS) == lost
    assert messages_of(metric, [RUSSIAN * 3], [ENGLISH], **ASCII_WORDS) == lost
    assert messages_of(metric, [ENGLISH * 3], [RUSSIAN], **ASCII_WORDS) == []


def test_some_texts_of_many_tell(metric):
    """Texts that stand between others are looked at too, and of long ones the start."""
    texts = [ENGLISH] * 300 + [RUSSIAN] * 700
    assert messages_of(metric, texts, **ASCII_WORDS) == [MOST.format("rouge_score")]
    assert messages_of(metric, texts[::-1], **ASCII_WORDS) == [MOST.format("rouge_score")]
    texts = [RUSSIAN] * 300 + [ENGLISH] * 700
    assert messages_of(metric, texts, **ASCII_WORDS) == []


def test_the_warning_is_at_the_line_of_the_caller(metric):
    texts = {"predictions": [RUSSIAN], "references": [RUSSIAN]}
    (warning,) = warnings_of(metric.compute, **texts, **ASCII_WORDS)
    assert (warning.filename, warning.category) == (__file__, UserWarning)
    metric.add_batch(**texts)
    (warning,) = warnings_of(lambda: metric.compute(**ASCII_WORDS))  # added before
    assert warning.filename == __file__


# --- default tokenizers -----------------------------------------------------------------

GERMAN = "Die schöne Bäckerin müßte über die Straße gehen"
CUT = (
    "More than one word in a hundred of these texts loses letters: the default tokenizer, "
    "'rouge_score', knows ASCII letters and digits only and makes {} of {!r}. For whole words pass "
    "tokenizer='unicode'; tokenizer='rouge_score' gives these scores without this warning."
)
OF_LANGUAGES = {  # a text, its first word that loses letters, and what is left of it
    "German": (GERMAN, "sch ne", "schöne"),
    "French": (FRENCH, "l t", "L'été"),
    "accents as marks": ("l'e\u0301te\u0301 dernier", "l e te", "l'e\u0301te\u0301"),
    "Turkish": ("İstanbul'da bir gün", "i stanbul da", "İstanbul'da"),
    "letters beside signs": ("er sagt „Grüße“ (1)", "gr e", "„Grüße“"),
    "a Russian name": ("the streets of Москва-Moscow", "moscow", "Москва-Moscow"),
    "words that are lost as a whole": ("the model кошка works", "", "кошка"),
    "sentences without blanks": ("the talk 他很好 was good", "", "他很好"),
}


@pytest.mark.parametrize(("text", "left", "word"), OF_LANGUAGES.values(), ids=OF_LANGUAGES)
def test_words_that_lose_letters(rouge_full, text, left, word):
    """By default, and not where a tokenizer or another convention was chosen."""
    expected = [CUT.format(repr(left) if left else "nothing", word)]
    assert messages_of(rouge_full, [text]) == expected
    assert messages_of(rouge_full, [text] * 40 + [ENGLISH] * 40) == expected
    assert messages_of(rouge_full, [text], preset="evaluate") == expected
    for tokenizer in ("rouge_score", "13a", str.split):
        assert messages_of(rouge_full, [text], tokenizer=tokenizer) == []
    for preset in ("rouge-1.5.5", "pltrdy", "matlab", "pyrouge-metric"):
        assert messages_of(rouge_full, [text], preset=preset) == []
    assert messages_of(rouge_full, [text.split()]) == []


WHOLE = {
    "English": [ENGLISH],
    "signs, digits of another kind, areas": ["“a” — 5€ m² ١٢٣ a١ 10½ №1 c’est"],
    "emoji": ["good \u2764\ufe0f"] * 9,
    "a letter that is an ASCII one in lowercase": ["5 \u212am"],
}


@pytest.mark.parametrize("texts", WHOLE.values(), ids=WHOLE)
def test_words_that_lose_none(rouge_full, texts):
    assert messages_of(rouge_full, texts) == []


def test_one_word_more_than_one_in_a_hundred(rouge_full):
    assert messages_of(rouge_full, ["a " * 99 + "café"]) == []
    assert messages_of(rouge_full, ["a " * 98 + "café"]) == [CUT.format("'caf'", "café")]
    assert messages_of(rouge_full, ["a " * 98 + "café " * 2]) == [CUT.format("'caf'", "café")]


def test_long_words_are_shortened(rouge_full):
    (message,) = messages_of(rouge_full, ["x" * 300 + "é" + "y" * 300])
    assert f"makes '{'x' * 39} of '{'x' * 39}. For" in message


TALK = {
    "Chinese": "猫坐在垫子上，狗在外面跑。今天天气很好。",
    "a short title": "東京タワー",
    "Thai": "แมวนั่งอยู่บนเสื่อและสุนัขวิ่งอยู่ข้างนอก วันนี้อากาศดีมาก",
    "Chinese with digits and a name": "我在 2021 年爱北京天安门，用 Python 写程序。",
}
UNSPACED = (
    "Most of this text has no blanks between words, and tokenizer '13a' takes what stands between "
    "blanks or marks for one word: BLEU compares whole phrases, and is 0 where none is equal. Pass "
    "tokenizer='unicode', which takes each letter for a word, or 'zh' for Chinese; "
    "tokenizer='13a' gives these scores without this warning."
)


@pytest.mark.parametrize("text", TALK.values(), ids=TALK)
def test_text_without_blanks(bleu_full, text):
    assert messages_of(bleu_full, [text], [text + "了"]) == [UNSPACED]
    assert messages_of(bleu_full, [text], [[text, text]]) == [UNSPACED]
    assert messages_of(bleu_full, [text], preset="sacrebleu") == [UNSPACED]
    for tokenizer in ("13a", "unicode", "char", "zh", "none", list):
        assert messages_of(bleu_full, [text], tokenizer=tokenizer) == []
    assert messages_of(bleu_full, [text], preset="nltk", tokenizer="unicode") == []
    assert messages_of(bleu_full, [[*text]]) == []


UNSPACED_OF_PRESET = (
    "Most of this text has no blanks between words, and preset={!r} takes what stands between blanks, "
    "or marks, for one word: scores are 0 where no phrase or sentence is equal. Put blanks between "
    "words, or between letters, or give lists of tokens."
)
AT_BLANKS = {
    "rouge_full": [
        "pltrdy",
        "rouge-chinese",
        "pyrouge-metric",
        "nmt",
        "ignite",
        "coco-caption",
        "rouge-2.0",
        "matlab",
    ],
    "bleu_full": [
        "nltk",
        "nltk-3.5",
        "torchmetrics",
        "ignite",
        "coco-caption",
        "multi-bleu.perl -lc",
        "fairseq",
        "t2t",
    ],
}


@pytest.mark.parametrize("text", TALK.values(), ids=TALK)
def test_text_without_blanks_under_presets(metric, text):
    """A tokenizer that only a preset names was not chosen for the language."""
    for preset in AT_BLANKS[metric.name]:
        messages = [UNSPACED_OF_PRESET.format(preset)]
        assert messages_of(metric, [text], preset=preset) == messages
        assert messages_of(metric, [[*text]], preset=preset) == []
        assert messages_of(metric, [" ".join(text)], preset=preset) == []


UNSPACED_OF_XLSUM = (
    "Most of this text has no blanks between words, and preset='xlsum' has no language for it: for "
    "Chinese, Thai, Japanese and Burmese pass language='chinese' and so on, as XL-Sum does; for "
    "others it has no segmenter."
)


XLSUM = {"preset": "xlsum", "rouge_types": ["rouge1"]}


@pytest.mark.parametrize("text", TALK.values(), ids=TALK)
def test_text_without_blanks_under_xlsum(rouge_full, text):
    """XL-Sum's fork of rouge_score has segmenters of four languages, and cuts by `lang` alone."""
    for options in ({}, {"language": "german"}):
        messages = messages_of(rouge_full, [text] * 3, **XLSUM, **options)
        assert messages == [UNSPACED_OF_XLSUM]
    assert messages_of(rouge_full, [text], **XLSUM, language="burmese") == []
    assert messages_of(rouge_full, [text], tokenizer="xlsum", rouge_types=["rouge1"]) == []
    assert messages_of(rouge_full, [[*text]], **XLSUM) == []
    assert messages_of(rouge_full, [" ".join(text)], **XLSUM) == []


@pytest.mark.parametrize("text", [RUSSIAN, HINDI, FRENCH])
def test_text_with_blanks_under_xlsum(rouge_full, text):
    assert messages_of(rouge_full, [text], **XLSUM) == []


def test_explanations_under_presets(metric):
    preset, text = AT_BLANKS[metric.name][0], TALK["Chinese"]
    (found,) = warnings_of(metric.explain, prediction=text, reference=text, preset=preset)
    assert str(found.message) == UNSPACED_OF_PRESET.format(preset)


SPACED = {
    "English": ENGLISH,
    "Korean": "고양이가 매트 위에 앉아 있습니다",
    "Japanese that was cut": "猫 は マット の 上 に 座っ て い ます 。 インターネット は 便利 です",
    "Thai that was cut": "แมว นั่ง อยู่ บน เสื่อ และ สุนัข วิ่ง อยู่ ข้าง นอก",
    "a name in English": "the cat of 東京タワー sat on the mat",
}


@pytest.mark.parametrize("text", SPACED.values(), ids=SPACED)
def test_text_with_blanks(metric, text):
    for preset in AT_BLANKS[metric.name]:
        assert messages_of(metric, [text] * 3, preset=preset) == []
    if metric.name == "rouge_full":
        assert messages_of(metric, [text] * 3, **XLSUM) == []
    if metric.name == "bleu_full":
        assert messages_of(metric, [text] * 3) == []


WARNED = {
    "rouge_full": (GERMAN, CUT.format("'sch ne'", "schöne")),
    "bleu_full": (CHINESE, UNSPACED),
}


def test_one_warning_for_all_that_is_scored(metric):
    """Several references, another system, the explanation, and a batch of many."""
    text, message = WARNED[metric.name]
    texts = {"predictions": [text] * 3, "references": [[text, text]] * 3}
    calls = [
        (metric.compute, {**texts, "baseline_predictions": [text] * 3}),
        (metric.explain, {"prediction": text, "reference": [text, text]}),
        (metric.batch_statistics, {"batch": pa.table(texts)}),
    ]
    for function, given in calls:
        found = warnings_of(function, **given)
        said = [str(one.message) for one in found]
        assert [one for one in said if "takes each line" not in one] == [message]
        assert {one.filename for one in found} == {__file__}


def test_texts_of_ascii_are_not_looked_into(metric, monkeypatch):
    """One look at each says that there is nothing to warn of."""
    module = module_of(metric, "input_warnings")
    monkeypatch.setattr(module, "_some_of", None)
    assert messages_of(metric, [ENGLISH] * 20) == []
    with pytest.raises(TypeError):
        messages_of(metric, [GERMAN])


SCRIPT = """\
import evaluate
rouge = evaluate.load({path!r})
texts = ["кошка 12"]
rouge.compute(predictions=texts, references=texts)
"""


def test_a_script_that_is_named_like_evaluate_is_the_caller(tmp_path, run_code):
    """A module of the user may start with the name of the library."""
    script = tmp_path / "evaluate_my_model.py"
    script.write_text(SCRIPT.format(path=str(ROOT / "rouge_full.py")), encoding="utf-8")
    done = run_code("import evaluate_my_model", cwd=tmp_path, env=environment(tmp_path / "home"))
    assert f"{script.name}:4: UserWarning: Most letters" in done.stderr
