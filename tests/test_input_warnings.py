"""Warnings about texts that are scored, but hardly as the user wants: one for a call, at its line."""

import math
import warnings

import pyarrow as pa
import pytest

from helpers.programs import environment
from helpers.repository import ROOT, module_of

NONE, MOST, CUT = (
    "No text has a token",
    "The tokenizer drops most letters",
    "More than 1 % of the words",
)
UNSPACED, NO_LINES = "Most of this text has no spaces", "rougeLsum treats each line"
TOKENIZED, SHORT = "Most predictions look tokenized", "BLEU is 0 because all predictions"
PHRASES, TOKENS = "Most of the tokens", "Most references are lists of single words"
PRINTED = "All references look like printed lists"
ALL = [NONE, MOST, CUT, UNSPACED, NO_LINES, TOKENIZED, SHORT, PHRASES, TOKENS, PRINTED]

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


def starts_of(warned, known=ALL):
    """How the known warnings among those that were caught start."""
    messages = [str(one.message) for one in warned]
    assert all(message.startswith(tuple(ALL)) for message in messages)
    starts = [start for message in messages for start in ALL if message.startswith(start)]
    return [start for start in starts if start in known]


def messages_of(metric, texts, references=None, known=(NONE, MOST, CUT, UNSPACED), **options):
    """What is said of texts that are scored against themselves, or against references."""
    texts = {"predictions": texts, "references": texts if references is None else references}
    return starts_of(warnings_of(metric.compute, **texts, **options), known)


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
        assert messages_of(metric, texts, tokenizer=tokenizer) == [MOST]
    references = [[text, "a"] for text in texts]
    assert messages_of(metric, texts, references, **ASCII_WORDS) == [MOST]


@pytest.mark.parametrize("texts", KEPT.values(), ids=KEPT)
def test_most_letters_are_kept(metric, texts):
    assert messages_of(metric, texts, **ASCII_WORDS) == []


@pytest.mark.parametrize("tokenizer", ["unicode", "char", "whitespace", "13a", str.split])
def test_other_tokenizers_lose_no_letters(metric, tokenizer):
    assert messages_of(metric, [RUSSIAN], tokenizer=tokenizer) == []
    assert messages_of(metric, [RUSSIAN.split()], **ASCII_WORDS) == []


def test_defaults(rouge_full, bleu_full):
    for text in (RUSSIAN, CHINESE, "мест12 " * 9):
        assert messages_of(rouge_full, [text]) == [MOST]
    assert messages_of(rouge_full, [RUSSIAN], preset="rouge-1.5.5") == [MOST]
    assert messages_of(bleu_full, [RUSSIAN]) == []


def test_one_warning_where_no_token_is_left(rouge_full, bleu_full):
    """It names what may be wrong."""
    for metric in (rouge_full, bleu_full):
        assert messages_of(metric, ["кошка", "собака"], **ASCII_WORDS) == [NONE]
    for texts, options, remedy in (
        (["кошка"], ASCII_WORDS, "tokenizer='unicode'"),
        ([RUSSIAN], {"stopwords": ["2021", "12"], **ASCII_WORDS}, "stopwords"),
    ):
        texts = {"predictions": texts, "references": texts}
        (warning,) = warnings_of(rouge_full.compute, **texts, **options)
        assert remedy in str(warning.message)
    stopwords = ENGLISH.split()[:-1]  # are not lost letters
    assert messages_of(rouge_full, [ENGLISH], stopwords=stopwords, **ASCII_WORDS) == []


def test_sides_are_looked_at_together(metric):
    lost = [MOST]
    assert messages_of(metric, [ENGLISH], [RUSSIAN * 3], **ASCII_WORDS) == lost
    assert messages_of(metric, [RUSSIAN * 3], [ENGLISH], **ASCII_WORDS) == lost
    assert messages_of(metric, [ENGLISH * 3], [RUSSIAN], **ASCII_WORDS) == []


def test_some_texts_of_many_tell(metric):
    """Texts that stand between others are looked at too, and of long ones the start."""
    texts = [ENGLISH] * 300 + [RUSSIAN] * 700
    assert messages_of(metric, texts, **ASCII_WORDS) == [MOST]
    assert messages_of(metric, texts[::-1], **ASCII_WORDS) == [MOST]
    texts = [RUSSIAN] * 300 + [ENGLISH] * 700
    assert messages_of(metric, texts, **ASCII_WORDS) == []


def test_the_warning_is_at_the_line_of_the_caller(metric):
    texts = {"predictions": [RUSSIAN * 2], "references": [RUSSIAN * 2]}
    (warning,) = warnings_of(metric.compute, **texts, **ASCII_WORDS)
    assert (warning.filename, warning.category) == (__file__, UserWarning)
    metric.add_batch(**texts)
    (warning,) = warnings_of(lambda: metric.compute(**ASCII_WORDS))  # added before
    assert warning.filename == __file__


# --- default tokenizers -----------------------------------------------------------------

GERMAN = "Die schöne Bäckerin müßte über die Straße gehen"
OF_LANGUAGES = {
    "German": GERMAN,
    "French": FRENCH,
    "accents as marks": "l'e\u0301te\u0301 dernier",
    "Turkish": "İstanbul'da bir gün",
    "letters beside signs": "er sagt „Grüße“ (1)",
    "a Russian name": "the streets of Москва-Moscow",
    "words that are lost as a whole": "the model кошка works",
    "sentences without blanks": "the talk 他很好 was good",
}


@pytest.mark.parametrize("text", OF_LANGUAGES.values(), ids=OF_LANGUAGES)
def test_words_that_lose_letters(rouge_full, text):
    """By default, and not if a tokenizer or another convention was chosen."""
    expected = [CUT]
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
    assert messages_of(rouge_full, ["a " * 98 + "café"]) == [CUT]
    assert messages_of(rouge_full, ["a " * 98 + "café " * 2]) == [CUT]


TALK = {
    "Chinese": "猫坐在垫子上，狗在外面跑。今天天气很好。",
    "a short title": "東京タワー",
    "Thai": "แมวนั่งอยู่บนเสื่อและสุนัขวิ่งอยู่ข้างนอก วันนี้อากาศดีมาก",
    "Chinese with digits and a name": "我在 2021 年爱北京天安门，用 Python 写程序。",
}


@pytest.mark.parametrize("text", TALK.values(), ids=TALK)
def test_text_without_blanks(bleu_full, text):
    assert messages_of(bleu_full, [text], [text + "了"]) == [UNSPACED]
    assert messages_of(bleu_full, [text], [[text, text]]) == [UNSPACED]
    assert messages_of(bleu_full, [text], preset="sacrebleu") == [UNSPACED]
    for tokenizer in ("13a", "unicode", "char", "zh", "none", list):
        assert messages_of(bleu_full, [text], tokenizer=tokenizer) == []
    assert messages_of(bleu_full, [text], preset="nltk", tokenizer="unicode") == []
    assert messages_of(bleu_full, [[*text]]) == []


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
        assert messages_of(metric, [text], preset=preset) == [UNSPACED]
        assert messages_of(metric, [[*text]], preset=preset) == []
        assert messages_of(metric, [" ".join(text)], preset=preset) == []


XLSUM = {"preset": "xlsum", "rouge_types": ["rouge1"]}


@pytest.mark.parametrize("text", TALK.values(), ids=TALK)
def test_text_without_blanks_under_xlsum(rouge_full, text):
    """XL-Sum's fork of rouge_score has segmenters of four languages, and splits by `lang` alone."""
    for options in ({}, {"language": "german"}):
        assert messages_of(rouge_full, [text] * 3, **XLSUM, **options) == [UNSPACED]
    assert messages_of(rouge_full, [text], **XLSUM, language="burmese") == []
    assert messages_of(rouge_full, [text], tokenizer="xlsum", rouge_types=["rouge1"]) == []
    assert messages_of(rouge_full, [[*text]], **XLSUM) == []
    assert messages_of(rouge_full, [" ".join(text)], **XLSUM) == []


@pytest.mark.parametrize("text", [RUSSIAN, HINDI, FRENCH])
def test_text_with_blanks_under_xlsum(rouge_full, text):
    assert messages_of(rouge_full, [text], **XLSUM) == []


def test_explanations_under_presets(metric):
    preset, text = AT_BLANKS[metric.name][0], TALK["Chinese"]
    found = warnings_of(metric.explain, prediction=text, reference=text, preset=preset)
    assert UNSPACED in starts_of(found)


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
    "rouge_full": (GERMAN, CUT),
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
        assert starts_of(found, [CUT, UNSPACED]) == [message]
        assert {one.filename for one in found} == {__file__}


def test_texts_of_ascii_are_not_looked_into(metric, monkeypatch):
    """One look at each says that there is nothing to warn of."""
    module = module_of(metric, "input_warnings")
    monkeypatch.setattr(module, "_N_CHARACTERS_SAMPLED", "none")
    assert messages_of(metric, [ENGLISH] * 20) == []
    with pytest.raises(TypeError):
        messages_of(metric, [GERMAN])


# --- tokenized text -------------------------------------------------------------------------------

WRITTEN = ["the cat sat on the mat.", "a dog, a cat."]
SPLIT = ["the cat sat on the mat .", "a dog , a cat ."]


@pytest.mark.parametrize("tokenizer", [None, "13a", "intl"])
def test_predictions_that_look_tokenized(bleu_full, tokenizer):
    """More than half of them; those that end in " .", or have " , "."""
    known, options = [TOKENIZED], {"tokenizer": tokenizer}
    for texts in (SPLIT, SPLIT[:1], ["a dog , a cat"], [*SPLIT, WRITTEN[0]], SPLIT * 500):
        assert messages_of(bleu_full, texts, WRITTEN[:1] * len(texts), known, **options) == known
    for texts in (WRITTEN, [SPLIT[0], WRITTEN[1]], ["...", "a ,b"]):
        assert messages_of(bleu_full, texts, SPLIT[:1] * len(texts), known, **options) == []
    assert messages_of(bleu_full, [text.split() for text in SPLIT], known=known, **options) == []


@pytest.mark.parametrize("tokenizer", ["whitespace", "char", "rouge_score", "unicode", str.split])
def test_tokenizers_that_do_not_split_punctuation_off(bleu_full, tokenizer):
    assert messages_of(bleu_full, SPLIT, WRITTEN, [TOKENIZED], tokenizer=tokenizer) == []


def test_rouge_drops_punctuation(rouge_full):
    assert messages_of(rouge_full, SPLIT, WRITTEN, [TOKENIZED]) == []


# --- short predictions ----------------------------------------------------------------------------

ANSWERS = {"predictions": ["the red cat", "yes"], "references": ["the red cat", "yes"]}


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"level": "sentence"},
        {"use_aggregator": False},
        {"weights": {"one": [1.0], "four": [0.25] * 4}},
        {"preset": "evaluate"},
    ],
)
def test_bleu_of_short_predictions(bleu_full, options):
    """It is 0, whatever matches: the warning names what changes that."""
    (warning,) = warnings_of(bleu_full.compute, **ANSWERS, **options)
    for option in ("effective_order", "max_order", "smoothing"):
        assert option in str(warning.message)
    assert warning.filename == __file__


@pytest.mark.parametrize(
    ("prediction", "options"),
    [
        ("the red cat", {"effective_order": True}),
        ("the red cat", {"max_order": 3}),
        ("the red cat", {"smoothing": "add-k"}),
        ("the red cat", {"preset": "matlab"}),  # where that is the definition
        ("cat red the", {}),  # no pair of words matches
        ("a blue dog", {}),
        ("the red cat here today", {}),
        ("", {}),
    ],
)
def test_bleu_that_is_not_0_or_0_for_another_reason(bleu_full, prediction, options):
    texts = {"predictions": [prediction], "references": ["the red cat"]}
    assert warnings_of(bleu_full.compute, **texts, **options) == []


# --- forms ----------------------------------------------------------------------------------------


def test_phrases_as_tokens_are_scored_with_a_warning(metric):
    """Key phrases may be tokens; a corpus with a list around it looks the same."""
    predictions = [["machine learning", "neural networks", "text"]]
    references = [["machine learning", "deep learning"]]
    assert messages_of(metric, predictions, references, [PHRASES]) == [PHRASES]


@pytest.mark.filterwarnings("ignore:Most of the tokens")
def test_phrases_count_as_tokens(rouge_full, bleu_full):
    """One of 2 and of 3 matches: F is 2 / 5, and BLEU-1 is BP / 2."""
    given = {"predictions": [["deep learning", "text"]], "references": [["text", "a b", "c d"]]}
    assert rouge_full.compute(**given, rouge_types=["rouge1"])["rouge1"] == pytest.approx(0.4)
    bleu = bleu_full.compute(**given, max_order=1)["bleu"]
    assert bleu == pytest.approx(math.exp(1 - 3 / 2) / 2)


TOKENS_OF_REFERENCES = [["the", "cat", "sat"], "a dog ran away from me .".split()]


@pytest.mark.parametrize(
    ("predictions", "references", "is_warned_of"),
    [
        (["the cat sat", "dogs run"], TOKENS_OF_REFERENCES, True),  # 3 and 7 words: 5 each
        (["我喜欢书"], [list("我喜欢读书")], True),
        (["the cat", "a dog ran"], [["the", "cat"], "a dog ran away .".split()], False),  # 3.5 each
        (
            ["the cat", "a dog"],
            [TOKENS_OF_REFERENCES[0], [*TOKENS_OF_REFERENCES[1], "a b"]],
            False,
        ),
        (["the cat", "dogs"], TOKENS_OF_REFERENCES, False),  # one prediction in two has one word
        (
            ["Paris"],
            [["Paris", "paris", "PARIS", "Parigi", "Paname"]],
            False,
        ),  # names of one answer
        (["a b", "c"], [["a b"], ["c d", "e f"]], False),
    ],
)
def test_tokens_beside_texts(metric, predictions, references, is_warned_of):
    """They are scored as references. A baseline adds no warning."""
    options = {"tokenizer": "char", "baseline_predictions": predictions}
    found = messages_of(metric, predictions, references, [TOKENS], **options)
    assert found == [TOKENS] * is_warned_of


def test_printed_lists(metric):
    """All references, as pandas reads them from CSV; not where predictions are lists as well."""
    predictions, references = ["the cat"] * 2, ["['the cat sat', 'a']", "['a', 'b']"]
    assert messages_of(metric, predictions, references, [PRINTED]) == [PRINTED]
    assert messages_of(metric, references, references, [PRINTED]) == []
    assert messages_of(metric, predictions, ["['a']", "a"], [PRINTED]) == []


# --- how they are given ---------------------------------------------------------------------------


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


def test_the_search_for_sentences_looks_at_three_texts(rouge_full, monkeypatch):
    """Until the warning has been shown."""
    module, searched = module_of(rouge_full, "input_warnings"), []
    search = module.has_several_sentences
    monkeypatch.setattr(
        module, "has_several_sentences", lambda text: searched.append(text) or search(text)
    )
    one, two = "A cat sat.", "A cat sat. A dog ran."
    assert messages_of(rouge_full, [one] * 4 + [two], [two] * 5, [NO_LINES]) == []
    assert searched == [one] * 3
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        for _ in range(3):
            rouge_full.compute(predictions=[one, two], references=[one, two])
    assert starts_of(caught) == [NO_LINES]
    assert searched == [one] * 3 + [one, two]


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
    assert f"{script.name}:4: UserWarning: The tokenizer drops most letters" in done.stderr
