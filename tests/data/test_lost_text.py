"""Warnings where a tokenizer loses most letters of a corpus, or parts of words."""

import warnings

import pyarrow as pa
import pytest

from helpers.programs import run
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
VIETNAMESE = "Trường đại học ở Việt Nam được thành lập để đào tạo những người giỏi"
ENGLISH = "the cat sat on the mat in 2021"


def warnings_of(function, *args, **kwargs):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        function(*args, **kwargs)
    return caught


def messages_of(metric, texts, references=None, **options):
    texts = {"predictions": texts, "references": texts if references is None else references}
    options = {"tokenizer": "rouge_score"} | options
    return [str(one.message) for one in warnings_of(metric.compute, **texts, **options)]


LOST = {
    "Russian": [RUSSIAN] * 3,
    "Chinese": [CHINESE],
    "Hindi": [HINDI],
    "Greek, and a few texts in English": ["η γάτα 12 κάθισε στο χαλί"] * 9 + [ENGLISH],
    "a long text behind short ones": ["a", "b", RUSSIAN * 20],
}
KEPT = {
    "French": [FRENCH],
    "Vietnamese": [VIETNAMESE],
    "English": [ENGLISH],
    "a few texts in Russian": [ENGLISH] * 9 + [RUSSIAN],
    "a Russian name": [ENGLISH + " Москва"],
    "signs and digits": ["№ 12 → 13 …", "« 7 »"],
    "half of the letters": ["abc где"],
}


@pytest.mark.parametrize("texts", LOST.values(), ids=LOST)
def test_most_letters_are_lost(metric, texts):
    assert messages_of(metric, texts) == [MOST.format("rouge_score")]
    assert messages_of(metric, texts, tokenizer="rouge-1.5.5") == [MOST.format("rouge-1.5.5")]
    assert messages_of(metric, texts, [[text, "a"] for text in texts]) == [
        MOST.format("rouge_score")
    ]


@pytest.mark.parametrize("texts", KEPT.values(), ids=KEPT)
def test_most_letters_are_kept(metric, texts):
    assert messages_of(metric, texts) == []


def test_one_letter_more_than_half_is_most(metric):
    assert messages_of(metric, ["abc гдеж 1"]) == [MOST.format("rouge_score")]


@pytest.mark.parametrize("tokenizer", ["unicode", "char", "whitespace", "13a", str.split])
def test_other_tokenizers_lose_no_letters(metric, tokenizer):
    assert messages_of(metric, [RUSSIAN], tokenizer=tokenizer) == []


def test_tokens_are_not_lost(metric):
    assert messages_of(metric, [RUSSIAN.split()]) == []


def test_defaults(rouge_full, bleu_full):
    texts = {"predictions": [RUSSIAN], "references": [RUSSIAN]}
    assert [str(one.message) for one in warnings_of(rouge_full.compute, **texts)] == [
        MOST.format("rouge_score")
    ]
    assert warnings_of(bleu_full.compute, **texts) == []


def test_preset_of_the_perl_script(rouge_full):
    assert messages_of(rouge_full, [RUSSIAN], preset="rouge-1.5.5", tokenizer="rouge-1.5.5") == [
        MOST.format("rouge-1.5.5")
    ]


def test_one_warning_where_no_token_is_left(rouge_full, bleu_full):
    """It says that scores are 0."""
    texts = ["кошка", "собака"]
    for metric in (rouge_full, bleu_full):
        (message,) = messages_of(metric, texts)
        assert message.startswith(NONE)
        assert message.endswith("pass tokenizer='unicode'.")
    (message,) = messages_of(rouge_full, [RUSSIAN], stopwords=["2021", "12"])
    assert message.startswith(NONE)
    assert message.endswith("Look at stopwords, which takes tokens out.")


def test_stop_words_are_not_lost_letters(rouge_full):
    assert messages_of(rouge_full, [ENGLISH], stopwords=ENGLISH.split()[:-1]) == []


def test_sides_are_looked_at_together(metric):
    assert messages_of(metric, [ENGLISH], [RUSSIAN * 3]) == [MOST.format("rouge_score")]
    assert messages_of(metric, [RUSSIAN * 3], [ENGLISH]) == [MOST.format("rouge_score")]
    assert messages_of(metric, [ENGLISH * 3], [RUSSIAN]) == []


def test_some_texts_of_many_tell(metric):
    """Texts that stand between others are looked at too, and of long ones the start."""
    n_texts = 1_000
    is_russian = [index >= 300 for index in range(n_texts)]
    texts = [RUSSIAN if is_one else ENGLISH for is_one in is_russian]
    assert messages_of(metric, texts) == [MOST.format("rouge_score")]
    assert messages_of(metric, texts[::-1]) == [MOST.format("rouge_score")]
    texts = [ENGLISH if is_one else RUSSIAN for is_one in is_russian]
    assert messages_of(metric, texts) == []


def test_the_warning_is_at_the_line_of_the_caller(metric):
    texts = {"predictions": [RUSSIAN], "references": [RUSSIAN], "tokenizer": "rouge_score"}
    (warning,) = warnings_of(metric.compute, **texts)
    assert (warning.filename, warning.category) == (__file__, UserWarning)
    metric.add_batch(predictions=[RUSSIAN], references=[RUSSIAN])
    (warning,) = warnings_of(lambda: metric.compute(tokenizer="rouge_score"))  # added before
    assert warning.filename == __file__


# --- default tokenizers -----------------------------------------------------------------

GERMAN = "Die schöne Bäckerin müßte über die Straße gehen"
CUT = (
    "More than one word in a hundred of these texts loses letters: the default tokenizer, "
    "'rouge_score', knows ASCII letters and digits only and makes {!r} of {!r}. For whole words pass "
    "tokenizer='unicode'; tokenizer='rouge_score' gives these scores without this warning."
)
OF_LANGUAGES = {  # a text, its first word that loses letters, and what is left of it
    "German": (GERMAN, "sch ne", "schöne"),
    "Vietnamese": (VIETNAMESE, "tr ng", "Trường"),
    "French": (FRENCH, "l t", "L'été"),
    "accents as marks": ("l'e\u0301te\u0301 dernier", "l e te", "l'e\u0301te\u0301"),
    "Turkish": ("İstanbul'da bir gün", "i stanbul da", "İstanbul'da"),
    "letters beside signs": ("er sagt „Grüße“ (1)", "gr e", "„Grüße“"),
}


def default_messages_of(metric, texts, references=None, **options):
    return messages_of(metric, texts, references, **{"tokenizer": None} | options)


@pytest.mark.parametrize(("text", "left", "word"), OF_LANGUAGES.values(), ids=OF_LANGUAGES)
def test_words_that_lose_letters(rouge_full, text, left, word):
    expected = [CUT.format(left, word)]
    assert default_messages_of(rouge_full, [text]) == expected
    assert messages_of(rouge_full, [text] * 40 + [ENGLISH] * 40, tokenizer=None) == expected
    assert default_messages_of(rouge_full, [text], preset="evaluate") == expected
    for tokenizer in ("rouge_score", "rouge-1.5.5", "unicode", "13a", str.split):
        assert messages_of(rouge_full, [text], tokenizer=tokenizer) == []
    for preset in ("rouge-1.5.5", "pltrdy", "matlab", "pyrouge-metric"):
        texts = {"predictions": [text], "references": [text]}
        assert warnings_of(rouge_full.compute, **texts, preset=preset) == []
    assert default_messages_of(rouge_full, [text.split()]) == []


def test_scores_of_words_that_lose_letters(rouge_full):
    """By hand: of sch, ne, gr, e and sch, ne, f, e three match; of the words one of two."""
    texts = {"predictions": ["schöne Grüße"], "references": ["schöne Füße"]}
    options = {"rouge_types": ["rouge1"], "output": "recall"}
    for tokenizer, score in (("rouge_score", 3 / 4), ("unicode", 1 / 2)):
        assert rouge_full.compute(**texts, **options, tokenizer=tokenizer)["rouge1"] == score


WHOLE = {
    "English": [ENGLISH],
    "one word of 100": ["a " * 99 + "café"],
    "signs, digits of another kind, areas": ["“a” — 5€ m² ١٢٣ a١ 10½ №1 c’est"],
    "a Russian name": [ENGLISH + " Москва-Moscow"],
    "words that are lost as a whole": ["à é où ça".replace("où ça", "") + " a b"],
    "letters of two texts": ["a", "é"] * 9,
    "a letter that is an ASCII one in lowercase": ["5 \u212am"],
}


@pytest.mark.parametrize("texts", WHOLE.values(), ids=WHOLE)
def test_words_that_lose_none(rouge_full, texts):
    assert default_messages_of(rouge_full, texts) == []


def test_one_word_more_than_one_in_a_hundred(rouge_full):
    assert default_messages_of(rouge_full, ["a " * 99 + "café"]) == []
    assert default_messages_of(rouge_full, ["a " * 98 + "café"]) == [CUT.format("caf", "café")]
    assert default_messages_of(rouge_full, ["a " * 98 + "café " * 2]) == [CUT.format("caf", "café")]


def test_long_words_are_shortened(rouge_full):
    (message,) = default_messages_of(rouge_full, ["x" * 300 + "é" + "y" * 300])
    assert f"makes '{'x' * 39} of '{'x' * 39}. For" in message


@pytest.mark.parametrize("text", [RUSSIAN, CHINESE, "мест12 " * 9])
def test_one_warning_where_most_letters_are_lost(rouge_full, text):
    assert default_messages_of(rouge_full, [text]) == [MOST.format("rouge_score")]


TALK = {
    "Chinese": "猫坐在垫子上，狗在外面跑。今天天气很好。",
    "Japanese": "猫はマットの上に座っています。インターネットは便利です。",
    "a short title": "東京タワー",
    "Thai": "แมวนั่งอยู่บนเสื่อและสุนัขวิ่งอยู่ข้างนอก วันนี้อากาศดีมาก",
    "Chinese with digits and a name": "我在 2021 年爱北京天安门，用 Python 写程序。",
    "lines": "猫坐在垫子上\n狗在外面跑\n今天天气很好",
}
UNSPACED = (
    "Most of this text has no blanks between words, and the default tokenizer, '13a', takes what "
    "stands between blanks for one word: BLEU is 0, or nearly so. Pass tokenizer='unicode', which "
    "takes each letter for a word, or one of sacreBLEU's such as 'zh'; tokenizer='13a' gives these "
    "scores without this warning."
)


@pytest.mark.parametrize("text", TALK.values(), ids=TALK)
def test_text_without_blanks(bleu_full, text):
    assert default_messages_of(bleu_full, [text], [text + "了"]) == [UNSPACED]
    texts = {"predictions": [text], "references": [[text, text]]}
    assert [str(one.message) for one in warnings_of(bleu_full.compute, **texts)] == [UNSPACED]
    assert default_messages_of(bleu_full, [text], preset="sacrebleu") == [UNSPACED]
    for tokenizer in ("13a", "unicode", "char", "zh", "none", list):
        assert messages_of(bleu_full, [text], tokenizer=tokenizer) == []
    assert warnings_of(bleu_full.compute, **texts, preset="nltk") == []
    assert default_messages_of(bleu_full, [[*text]]) == []


def test_the_score_of_text_without_blanks(bleu_full):
    """One letter of 14 differs; as one word nothing matches."""
    texts = {
        "predictions": ["猫坐在垫子上狗在外面跑今天"],
        "references": ["猫坐在垫子上狗在外面跑昨天"],
    }
    with pytest.warns(UserWarning, match="BLEU is 0, or nearly so"):
        assert bleu_full.compute(**texts)["bleu"] == 0
    assert bleu_full.compute(**texts, tokenizer="unicode")["bleu"] > 0.8


SPACED = {
    "English": ENGLISH,
    "Russian": RUSSIAN,
    "Korean": "고양이가 매트 위에 앉아 있습니다",
    "Chinese that was cut": "猫 坐 在 垫子 上 ， 狗 在 外面 跑 。",
    "Japanese that was cut": "猫 は マット の 上 に 座っ て い ます 。 インターネット は 便利 です",
    "Thai that was cut": "แมว นั่ง อยู่ บน เสื่อ และ สุนัข วิ่ง อยู่ ข้าง นอก",
    "a name in English": "the cat of 東京タワー sat on the mat",
}


@pytest.mark.parametrize("text", SPACED.values(), ids=SPACED)
def test_text_with_blanks(bleu_full, text):
    assert default_messages_of(bleu_full, [text] * 3) == []


WARNED = {"rouge_full": (GERMAN, CUT.format("sch ne", "schöne")), "bleu_full": (CHINESE, UNSPACED)}


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
        assert [str(one.message) for one in found if "takes each line" not in str(one.message)] == [
            message
        ]
        assert {one.filename for one in found} == {__file__}


def test_texts_of_ascii_are_not_looked_into(metric, monkeypatch):
    """One look at each says that there is nothing to warn of."""
    module = module_of(metric, "data.lost_text")
    monkeypatch.setattr(module, "_some_of", None)
    assert default_messages_of(metric, [ENGLISH] * 20) == []
    with pytest.raises(TypeError):
        default_messages_of(metric, [GERMAN])


SCRIPT = """\
import evaluate
rouge = evaluate.load({path!r})
texts = ["кошка 12"]
rouge.compute(predictions=texts, references=texts)
"""


@pytest.mark.parametrize("name", ["evaluate_my_model.py", "train.py"])
def test_a_script_that_is_named_like_evaluate_is_the_caller(name, tmp_path):
    """A module of the user may start with the name of the library."""
    (tmp_path / name).write_text(SCRIPT.format(path=str(ROOT / "rouge_full.py")), encoding="utf-8")
    code = f"import {name.removesuffix('.py')}"
    done = run("-X", "utf8", "-c", code, cwd=tmp_path)
    assert f"{name}:4: UserWarning: Most letters" in done.stderr
