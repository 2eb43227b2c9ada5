"""Warnings where a tokenizer loses most letters of a corpus."""

import subprocess
import sys
import warnings

import pytest

from helpers.repository import ROOT

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
    command = [sys.executable, "-X", "utf8", "-c", code]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8", check=True)
    assert f"{name}:4: UserWarning: Most letters" in run.stderr
