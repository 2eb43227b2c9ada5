"""Preset "xlsum" against figures of XL-Sum's fork of rouge_score."""

import re
from importlib.util import find_spec

import numpy as np
import pytest

import rouge_bleu
from helpers.published import PUBLISHED, SUMMARIES, texts, values, values_of_group
from rouge_bleu._rouge import other_packages
from rouge_bleu.text.character_offsets import SourcedText, token_spans
from rouge_bleu.text.tokenizers import TOKENIZERS, TokenizerOptions

PRESET = {"preset": "xlsum", "output": "all", "use_aggregator": False}
OUTPUTS = ("precision", "recall", "fmeasure")
PACKAGE_OF_LANGUAGE = {"chinese": "jieba", "thai": "pythainlp", "japanese": "fugashi"}
PAIRS = {
    name: figures
    for name, figures in values_of_group("xlsum").items()
    if "multilingual" in name and "error" not in figures
}


def of_name(name):
    """The options, and the pair."""
    language, stems, number = re.search(
        r"lang=(\w+), use_stemmer=(\w+), multilingual\[(\d)\]", name
    ).groups()
    options = {} if language == "None" else {"language": language}
    pair = PUBLISHED["corpus"]["multilingual"][int(number)]
    return options | {"use_stemmer": stems == "True"}, pair


def skip_without_package(language):
    package = PACKAGE_OF_LANGUAGE.get(language)
    if package is not None and find_spec(package) is None:
        pytest.skip(f"{package} is missing")


def assert_scores(found, expected, row=0):
    for rouge_type, scores in expected.items():
        ours = [found[f"{rouge_type}_{output}"][row] for output in OUTPUTS]
        np.testing.assert_allclose(ours, scores, rtol=1e-12)


# What pyonmttok 1.38.1 in its mode "aggressive", as the fork uses it, makes of these texts, and the
# fork's spaces round ideographs of that.
TOKENS_WITH_MARKS = {
    "1\ufe0f2 2\ufe0fa": ["1\ufe0f2", "2\ufe0f", "a"],
    "\u2764\ufe0f\u2764": ["\u2764\ufe0f", "\u2764"],
    "\u093e\u094d \u0301a": ["\u093e\u094d", "％0020\u0301", "a"],
    "\u0301a\u0301": ["\u0301", "a\u0301"],
    "日\ufe0f本": ["日", "\ufe0f", "本"],
    "\uffed \uffe8": ["\u25a0", "\u2502"],
}


@pytest.mark.parametrize(("text", "tokens"), TOKENS_WITH_MARKS.items())
def test_marks(text, tokens):
    assert TOKENIZERS["xlsum"].words_of_text(text, False) == tokens


@pytest.mark.parametrize("name", PAIRS)
def test_languages(rouge_full, name):
    options, pair = of_name(name)
    skip_without_package(options.get("language"))
    if options == {"language": "hindi", "use_stemmer": True}:  # the fork's stemmer, as a function
        stems = dict(
            zip(
                *(
                    [*PAIRS[one]["tokens_prediction"], *PAIRS[one]["tokens_reference"]]
                    for one in (name.replace("True", "False"), name)
                ),
                strict=True,
            )
        )
        options = {"language": "hindi", "stemmer": stems.__getitem__}
    data = {"predictions": [pair["prediction"]], "references": [pair["reference"]]}
    assert_scores(rouge_full.compute(**data, **PRESET, **options), PAIRS[name]["P,R,F"])


@pytest.mark.parametrize("name", [name for name in PAIRS if "False" in name])
def test_tokens(name):
    options, pair = of_name(name)
    language = options.get("language", "")
    skip_without_package(language)
    rules = TOKENIZERS.get(f"xlsum-{language}") or TOKENIZERS["xlsum"]
    for side in ("prediction", "reference"):
        assert rules.words_of_text(pair[side], True) == PAIRS[name][f"tokens_{side}"]


@pytest.mark.parametrize("use_stemmer", [True, False])
def test_items_and_summaries(rouge_full, use_stemmer):
    name = (
        f"XL-Sum rouge, lang=None, use_stemmer={use_stemmer}, items and summaries, first reference"
    )
    for which, data in (("items", texts(first=True)), ("summaries", texts(SUMMARIES, first=True))):
        found = rouge_full.compute(**data, **PRESET, use_stemmer=use_stemmer)
        for row, expected in enumerate(values(name)[which].values()):
            assert_scores(found, expected, row)


def test_lines_are_not_segmented(rouge_full):
    """Chinese clauses differ as wholes."""
    pytest.importorskip("jieba")
    data = {"predictions": ["我爱北京。很好"], "references": ["我爱上海。很好"]}
    found = rouge_full.compute(**data, preset="xlsum", language="chinese")
    assert found["rougeLsum"] == 1 / 2
    assert found["rouge1"] > 1 / 2


def test_signature_and_explanation(rouge_full):
    data = {"predictions": ["Größere Häuser\nsah er"], "references": ["größere Häuser sah er"]}
    options = {"preset": "xlsum", "language": "burmese", "signature": True}
    signed = rouge_full.compute(**data, **options)
    assert "|preset:xlsum|" in signed["signature"]
    assert "|tok:xlsum-burmese|" in signed["signature"]
    back = rouge_full.options_of_signature(signed["signature"])
    assert rouge_full.compute(**data, **back, signature=True) == signed
    shown = rouge_full.explain(
        prediction=data["predictions"][0], reference=data["references"][0], preset="xlsum"
    )
    for rouge_type in ("rouge1", "rougeLsum"):
        (pair,) = shown[rouge_type]["references"]
        assert pair["prediction_spans"] == [[0, 7], [8, 14], [15, 18], [19, 21]]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"language": "klingon"}, "language must be 'chinese', 'thai',"),
        ({"language": "hindi", "use_stemmer": True}, "not on PyPI"),
        ({"language": "burmese", "preset": None}, "language needs preset='xlsum', got preset=None"),
        ({"stemmer": "klingon"}, "stemmer must be 'arabic',"),
    ],
)
def test_what_is_not_there_is_said(rouge_full, options, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        rouge_full.compute(**texts(), **{"preset": "xlsum", **options})


def test_other_names_of_languages(rouge_full):
    """Those of XL-Sum's data: mundo is Spanish, and so are its stop words and stems."""
    names = set(other_packages._OTHER_NAMES.values())
    assert names <= {*other_packages.LANGUAGES} - other_packages._OTHER_NAMES.keys()
    assert other_packages.stemmer_of_language("mundo") == "xlsum-spanish"


def test_words_of_burmese():
    """A syllable of up to three characters with U+103A joins the one before it."""
    words_of_text = TOKENIZERS["xlsum-burmese"].words_of_text
    for syllable, is_joined in (("\u1000\u103d\u103a", True), ("\u1000\u103b\u103d\u103a", False)):
        words = ["\u1010\u102c" + syllable] if is_joined else ["\u1010\u102c", syllable]
        assert words_of_text("\u1010\u102c" + syllable, True) == words


# What the fork's tokenizer of Burmese, at afcd803, makes of these texts; with pyonmttok 1.38.1.
TOKENS_OF_BURMESE = {
    # Of several short units with U+103A in a row the first joins the unit before it: "I", "we".
    "ကျွန်ုပ်တို့": [*("ကျွန်ု", "ပ်", "တို့")],
    "က်" * 4 + "ခ": ["က်" * 2, "က်", "က်", "ခ"],
    # U+1039 joins its neighbours by itself.
    "သတ္တဝါ": ["သ", "တ္တ", "ဝါ"],
    "က္": ["က", "္"],
    "္က": ["္", "က"],
    "က္္ခ": ["က္္", "ခ"],
    "က္ာခ": ["က", "္ာ", "ခ"],
    "က္ခ်": ["က", "္ခ်"],
    # A tone before U+103A is written after it, but not if a space stands between.
    "က့်": ["က့်"],
    "က့ ်ခ": ["က့်", "ခ"],
}


@pytest.mark.parametrize(("text", "tokens"), TOKENS_OF_BURMESE.items())
def test_tokens_of_burmese(text, tokens):
    assert TOKENIZERS["xlsum-burmese"].words_of_text(text, True) == tokens


def test_lines_of_an_explanation_have_words_of_their_own():
    """Those of rougeLsum are not segmented: "ab cd" has two words under any tokenizer."""
    options = {"preset": "xlsum", "tokenizer": "char", "rouge_types": ["rouge1", "rougeLsum"]}
    explained = rouge_bleu.explain_rouge("ab cd. e", ["ab cd"], **options)
    spans = {name: parts["references"][0]["prediction_spans"] for name, parts in explained.items()}
    assert spans == {"rouge1": [[0, 1], [1, 2], [3, 4], [4, 5]], "rougeLsum": [[0, 2], [3, 5]]}


def test_a_stemmer_by_name(rouge_full):
    """NLTK's Snowball stemmer of German: Häuser and Häusern are haus."""
    pytest.importorskip("nltk")
    data = {"predictions": ["in den Häusern"], "references": ["in den Häuser"]}
    options = {"stemmer": "german", "tokenizer": "unicode", "rouge_types": ["rouge1"]}
    signed = rouge_full.compute(**data, **options, signature=True)
    assert signed["rouge1"] == 1
    french = {**options, "stemmer": "french"}  # of short words too: les is le
    assert rouge_full.compute(predictions=["les"], references=["le"], **french) == {"rouge1": 1}
    assert "|stem:german|" in signed["signature"]
    back = rouge_full.options_of_signature(signed["signature"])
    assert rouge_full.compute(**data, **back, signature=True) == signed


@pytest.mark.parametrize(
    ("name", "package", "text", "tokens"),
    [
        ("jieba", "jieba", "我来到 3.5，清华大学", ["我", "来到", "3.5", "，", "清华大学"]),
        ("newmm", "pythainlp", "ผมรัก 3.5 (ไทย", ["ผม", "รัก", "3.5", "(", "ไทย"]),
        ("unidic", "fugashi", "私は 学生。", ["私", "は", "学生", "。"]),
    ],
)
def test_segmenters_by_name(bleu_full, name, package, text, tokens):
    """On texts as they are, without spaces. All tokens are found in the text, signs too."""
    pytest.importorskip(package)
    (spans,) = token_spans([SourcedText.of_source(text)], TokenizerOptions(name))
    assert [text[start:end] for start, end in spans] == tokens
    assert TOKENIZERS[name].words_of_text(text, False) == tokens
    data = {"predictions": [text], "references": [text]}
    signed = bleu_full.compute(**data, tokenizer=name, max_order=1, signature=True)
    assert signed["bleu"] == 1
    assert f"|by:{package}(" in signed["signature"]


def test_a_segmenter_that_is_missing(bleu_full, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "jieba", None)
    with pytest.raises(ImportError, match="pip install jieba"):
        bleu_full.compute(**texts(), tokenizer="jieba")
