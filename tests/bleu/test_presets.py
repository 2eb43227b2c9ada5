"""Presets of evaluate, MATLAB, torchmetrics, COCO and fairseq, and where packages disagree.

Numbers of packages that are not asked here were read from a run: torchmetrics 1.9.0, bleuscore
0.2.0, fast-bleu 0.0.90, torcheval 0.0.7. Recorded corpora are in test_recorded.py.
"""

import math

import numpy as np
import pytest
from nltk.translate.bleu_score import corpus_bleu
from sacrebleu.metrics import BLEU

from helpers.bleu.peers import (
    FOX,
    FOX_REFERENCES,
    SEGMENTS,
    as_streams,
    assert_equal,
    evaluate_13a,
    evaluate_bleu,
    random_tokens,
)
from helpers.published import ITEMS, values
from rouge_bleu import bleu, explain_bleu, plain

NAN = math.nan
EVALUATE, MATLAB, TORCH = {"preset": "evaluate"}, {"preset": "matlab"}, {"preset": "torchmetrics"}
NLTK, SACREBLEU, COCO = {"preset": "nltk"}, {"preset": "sacrebleu"}, {"preset": "coco-caption"}

# --- where packages disagree ----------------------------------------------------------------------

KENOBI = (
    ["hello there general kenobi", "foo bar foobar"],
    [["hello there general kenobi", "hello there !"], ["foo bar foobar"]],
)
RUG = (["the cat sat on a rug"], [["the cat lay on the mat"]])
FOO_BAR = (["foo bar"], [["foo bar"]])
TIE = (["a b c d e f"], [["a b c d e f g h", "a b c d"]])
LENGTHS = (["a b c d e f"], [["a b c d e f g h i", "a b c d", "a b c d e f g"]])
FOXES = ([FOX[:-1].lower()], [[text[:-1].lower() for text in FOX_REFERENCES]])


def of_sacrebleu(corpus, **options):
    return BLEU(**options).corpus_score(corpus[0], as_streams(corpus[1])).score / 100


def of_nltk(corpus, **options):
    references = [[text.split() for text in texts] for texts in corpus[1]]
    predictions = [text.split() for text in corpus[0]]
    return corpus_bleu(references, predictions, **options)


def of_evaluate(corpus, **options):
    return evaluate_bleu(*corpus, **options)["bleu"]


ADD_K, FLOOR, SMOOTH = {"smoothing": "add-k"}, {"smoothing": "floor"}, {"smooth": True}
EFFECTIVE, CLOSEST = {"effective_order": True}, {"reference_length": "closest"}
# Texts; the package and its options; its result; the options that give the same here.
REPRODUCED = [
    (KENOBI, of_evaluate, {}, 1.0, EVALUATE),
    (KENOBI, of_sacrebleu, {}, 1.0, SACREBLEU),
    (KENOBI, of_nltk, {}, 0.8409, NLTK),
    (TIE, of_sacrebleu, {}, 1.0, SACREBLEU),
    (TIE, of_nltk, {}, 1.0, NLTK),
    (RUG, of_evaluate, {}, 0.0, EVALUATE),
    (RUG, of_evaluate, SMOOTH, 0.3124, EVALUATE | SMOOTH),
    (RUG, of_sacrebleu, {}, 0.1797, SACREBLEU),
    (RUG, of_nltk, {}, 0.0, NLTK),  # NLTK: 8.4e-155, since it takes 2.2e-308 for a precision of 0
    (FOO_BAR, of_evaluate, {}, 0.0, EVALUATE),
    (FOO_BAR, of_evaluate, SMOOTH, 1.0, EVALUATE | SMOOTH),
    (FOO_BAR, of_sacrebleu, {}, 0.0, SACREBLEU),
    (FOO_BAR, of_sacrebleu, EFFECTIVE, 1.0, SACREBLEU | EFFECTIVE),
    (FOO_BAR, of_nltk, {"auto_reweigh": True}, 1.0, EFFECTIVE),
]


@pytest.mark.filterwarnings(r"ignore:\s*The hypothesis contains 0 counts")  # of NLTK
@pytest.mark.parametrize(("corpus", "package", "call", "printed", "options"), REPRODUCED)
def test_packages_that_are_asked(corpus, package, call, printed, options):
    of_package = package(corpus, **call)
    assert round(of_package, 4) == printed
    assert bleu(*corpus, **options)["bleu"] == pytest.approx(of_package, rel=1e-12, abs=1e-150)


WEIGHTS = {"b2": [0.5, 0.5], "b4": [0.25] * 4}
FAST = NLTK | {"weights": WEIGHTS, "use_aggregator": False}
WITH_CAT = [*FOXES[0], "the cat"], FOXES[1] * 2
B2, B4 = 0.816496580927726, 0.7506238537503395
# Texts, options here, results there: 32-bit numbers of torchmetrics and torcheval.
READ = [
    # torchmetrics: bleu_score(preds, target); the first of two equally close references counts,
    # exp(1 - 8 / 6), and with smooth=True an order without a match is 0.
    (TIE, TORCH, {"bleu": 0.7165312767028809}),
    ((TIE[0], [TIE[1][0][::-1]]), TORCH, {"bleu": 1.0}),
    (RUG, TORCH | ADD_K, {"bleu": 0.0}),
    # torcheval takes the shortest reference, of 4 words.
    (LENGTHS, {"tokenizer": "whitespace", "reference_length": "shortest"}, {"bleu": 1.0}),
    # bleuscore: compute(references, predictions), with smooth=True, ref_len_method="closest"
    (LENGTHS, EVALUATE, {"bleu": 1.0, "length_ratio": 1.5, "reference_length": 4}),
    (RUG, EVALUATE | SMOOTH, {"bleu": 0.31239399369202553}),
    (LENGTHS, EVALUATE | CLOSEST, {"bleu": 0.846481724890614, "reference_length": 7}),
    # fast-bleu: BLEU(references, weights).get_score(predictions), with smoothing_func=0
    (WITH_CAT, FAST | FLOOR, {"b2": [B2, 0.006752340207492941], "b4": [B4, 0.004515562049663386]}),
    (WITH_CAT, FAST, {"b2": [B2, 0.0], "b4": [B4, 0.0]}),
]


@pytest.mark.parametrize(("corpus", "options", "figures"), READ)
def test_packages_that_were_run(corpus, options, figures):
    result = bleu(*corpus, **options)
    accuracy = 1e-6 if options.get("preset") == "torchmetrics" else 1e-12
    for key, figure in figures.items():
        assert result[key] == pytest.approx(figure, rel=accuracy, abs=0)


@pytest.mark.parametrize(
    ("prediction", "references", "of_matlab"),
    [("", ["a b"], 0.0), ("a b", [""], 0.0), ("", [""], NAN), ("", ["", "a b"], 0.0)],
)
def test_empty_texts(prediction, references, of_matlab):
    """evaluate divides by zero, sacreBLEU and NLTK have 0."""
    corpus = [prediction], [references]
    with pytest.raises(ZeroDivisionError):
        of_evaluate(corpus)
    assert of_sacrebleu(corpus) == of_nltk(corpus) == 0
    for preset in (None, "sacrebleu", "evaluate", "nltk", "torchmetrics"):
        for smoothing in ({}, SMOOTH | {"smoothing": "none"}):
            assert bleu(*corpus, preset=preset, **smoothing)["bleu"] == 0
    assert repr(bleu(*corpus, preset="matlab")["bleu"]) == repr(of_matlab)


# --- options beside a preset ----------------------------------------------------------------------


@pytest.mark.parametrize("preset", ["sacrebleu", "evaluate", "nltk", "matlab", "torchmetrics"])
def test_options_beside_a_preset_win(preset):
    # No option turns off what NLTK does with shorter texts.
    predictions, references = random_tokens(8, 100, min_words=4)
    corpus = list(map("-".join, predictions)), [list(map("-".join, own)) for own in references]
    options = {"tokenizer": lambda text: text.split("-"), "reference_length": "average"}
    options |= {"smoothing": "floor", "smoothing_value": 0.3}
    options |= {"zero_division": 0.0, "weights": [1 / 8, 3 / 8, 1 / 4, 1 / 4]}
    result = bleu(*corpus, **options, preset=preset)
    without = bleu(*corpus, **options)
    assert {key: result[key] for key in without} == without


@pytest.mark.parametrize("preset", ["nltk", "nltk-3.5", "torchmetrics"])
def test_weights_that_make_a_power_give_a_warning(preset):
    """4/5 and 3/4: with weights of 1 it is their product, not their mean."""
    texts = {"predictions": ["a b c d e"], "references": ["a b c d f"], "preset": preset}
    weights = {"mean": [1 / 2, 1 / 2], "both": [1, 1], "three": [3]}
    with pytest.warns(UserWarning, match="'both' sum to 2") as warned:
        found = bleu(**texts, weights=weights)
    assert len(warned) == 1
    assert found["both"] == pytest.approx(4 / 5 * 3 / 4)
    assert found["mean"] ** 2 == pytest.approx(found["both"])
    # As many write thirds for NLTK: it is meant as 1, and gives no warning.
    found = bleu(**texts, weights=[0.33, 0.33, 0.33])
    assert found["bleu"] == pytest.approx((4 / 5 * 3 / 4 * 2 / 3) ** 0.33)
    with pytest.warns(UserWarning, match="A single weight") as warned:
        bleu(**texts, weights=[4])
    assert len(warned) == 1


# --- evaluate -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        *({}, SMOOTH, {"max_order": 6}, {"max_order": 6, "smooth": True}),
        {"max_order": 2, "tokenizer": str.split},
    ],
)
def test_evaluate(options):
    """If it raises ZeroDivisionError, which it does if the prediction or the shortest reference has
    no tokens, there is a score.
    """
    result = bleu(*SEGMENTS, **options, **EVALUATE)
    expected = evaluate_bleu(*SEGMENTS, **options)
    assert list(result) == list(expected)
    assert_equal(result, expected)
    columns = bleu(*SEGMENTS, **options, **EVALUATE, use_aggregator=False)
    n_raised = 0
    for i, (prediction, texts) in enumerate(zip(*SEGMENTS, strict=True)):
        found = {key: column[i] for key, column in columns.items()}
        try:
            assert_equal(found, evaluate_bleu([prediction], [texts], **options))
        except ZeroDivisionError:
            n_raised += 1
            assert all(map(math.isfinite, (found["bleu"], found["length_ratio"])))
    assert n_raised > 10


@pytest.mark.parametrize("smooth", [False, True])
@pytest.mark.parametrize(
    ("prediction", "references", "bleu_brevity_ratio"),
    [
        ("", ["a b"], (0.0, 0.0, 0.0)),
        ("\n", ["\f"], (0.0, 1.0, 0.0)),
        # The shortest reference has no tokens: there is no penalty.
        ("a b c d", ["", "a b c d"], (1.0, 1.0, 0.0)),
    ],
)
def test_where_evaluate_divides_by_zero(prediction, references, bleu_brevity_ratio, smooth):
    with pytest.raises(ZeroDivisionError):
        evaluate_bleu([prediction], [references], smooth=smooth)
    result = bleu([prediction], [references], **EVALUATE, smooth=smooth)
    found = (result["bleu"], result["brevity_penalty"], result["length_ratio"])
    assert found == bleu_brevity_ratio


@pytest.mark.parametrize(
    ("text", "tokens", "of_sacrebleu"),
    [
        ("word-\n", "word", "word-"),
        ("a-\n\n", "a", "a-"),
        ("5-\n", "5", "5 -"),
        ("word-\nb", "wordb", "wordb"),
    ],
)
def test_a_hyphen_at_the_end_of_a_text_is_taken_off(text, tokens, of_sacrebleu):
    """The 13a of evaluate is that of sacreBLEU without `rstrip`."""
    assert evaluate_13a(text) == tokens.split()
    assert BLEU().tokenizer(text.rstrip()).split() == of_sacrebleu.split()
    for preset, words in (("evaluate", tokens), ("sacrebleu", of_sacrebleu)):
        result = bleu([text], [words], max_order=1, preset=preset)
        assert (result["bleu"], result["translation_length"]) == (1.0, len(words.split()))


# --- MATLAB ---------------------------------------------------------------------------------------

# https://www.mathworks.com/help/textanalytics/ref/bleuevaluationscore.html: "Evaluate Summary" and
# "Specify N-Gram Weights", rounded; NaN where candidate and references are all empty; 0 if the
# candidate has fewer words than there are weights, even if it equals a reference.
OF_MATLAB = [
    (FOX, FOX_REFERENCES, None, 0.7825),
    (FOX, FOX_REFERENCES, [0.5, 0.5], 0.8367),
    ("", ["", ""], [1, 1, 1, 1], NAN),
    ("a b c", ["a b c"], [1, 1, 1, 1], 0.0),
    ("a b c", ["a b c"], [1, 1, 1], 1.0),
    ("a b c", ["a b c"], [1, 0, 0, 0], 0.0),
    ("a b c d", ["a b c d"], [1, 0, 0, 0], 1.0),
    ("", ["", "a"], [1], 0.0),
    ("a", ["", ""], [1], 0.0),
    ("a", ["", "a"], [1], 1.0),
]


@pytest.mark.parametrize(("prediction", "references", "weights", "expected"), OF_MATLAB)
def test_matlab(prediction, references, weights, expected):
    score = bleu([prediction], [references], weights=weights, **MATLAB)["bleu"]
    assert round(score, 4) == pytest.approx(expected, nan_ok=True, abs=0)
    both = [prediction, "x " * 9], [references, ["x " * 9]]
    items = bleu(*both, weights=weights, **MATLAB, use_aggregator=False)["bleu"]
    assert items == pytest.approx([score, 1.0], nan_ok=True)


ANY_WEIGHTS = [
    *([3], [0.2], [1, 1], [10, 20, 70], [0.1] * 4, [0, 1], [1, 0], [0, 0, 1, 0], [1, 0, 0, 2]),
    *([1, 2, 3, 4, 5, 6, 7, 8], [0] * 7 + [1], [0, 0, 0, 1e-300], [1e-300, 1e-300], [1e300, 1e300]),
]


@pytest.mark.parametrize("weights", ANY_WEIGHTS)
def test_any_weights(weights):
    """They are scaled to a sum of one."""
    predictions, references = random_tokens(6, 100, max_words=14)
    scaled = [weight / math.fsum(weights) for weight in weights]
    items = bleu(predictions, references, weights=weights, **MATLAB, use_aggregator=False)
    for prediction, texts, score in zip(predictions, references, items["bleu"], strict=True):
        if not prediction and not any(texts):
            assert math.isnan(score)
        elif len(prediction) < len(weights):
            assert score == 0
        else:
            expected = plain.bleu([prediction], [texts], scaled)
            assert score == pytest.approx(expected, rel=1e-12, abs=0)
    corpus = bleu(predictions, references, weights=weights)
    assert corpus["bleu"] == pytest.approx(plain.bleu(predictions, references, scaled), rel=1e-12)
    assert len(corpus["precisions"]) == len(weights)
    assert bleu(predictions, references, weights=weights, **MATLAB) == corpus


# --- torchmetrics ---------------------------------------------------------------------------------

# What torchmetrics makes of a text, printed by
#     _SacreBLEUTokenizer.tokenize(text, "13a", lowercase=True)
# of torchmetrics.functional.text.sacre_bleu: it cuts the text as it is, and lowercases the words.
OF_TORCHMETRICS = {
    "A <SKIPPED> B <skipped> C": ["a", "<", "skipped", ">", "b", "c"],
    "&AMP; &amp; &Lt;": ["&", "amp", ";", "&", "&", "lt", ";"],
    "ΟΔΟΣ.ΟΔΟΣ": ["οδος", ".", "οδος"],
    "ΑΣ'Β": ["ασ'β"],
    "WORD-\nX": ["wordx"],
    "WORD- ": ["word-"],
    "A-B 1-2 x-": ["a-b", "1", "-", "2", "x-"],
    "\u0130 \u212a ẞ ǅ": ["i\u0307", "k", "ß", "ǆ"],
}


@pytest.mark.parametrize("n_items", [1, 1000])  # by itself, and in a column
@pytest.mark.parametrize("text", OF_TORCHMETRICS, ids=range(len(OF_TORCHMETRICS)))
def test_words_of_torchmetrics_are_lowercased_when_they_are_cut(text, n_items):
    words = OF_TORCHMETRICS[text]
    data = [text] * n_items, [" ".join(words)] * n_items
    options = {**TORCH, "tokenizer": "13a", "max_order": 1}
    # Words that 13a would cut again, such as <skipped>, are no words of the second text.
    assert bleu(*data, **options, lowercase=True)["bleu"] == 1.0
    assert bleu(*data, **options)["bleu"] < 1.0 or text == text.lower()
    explanation = explain_bleu(text, " ".join(words), **options, lowercase=True)
    assert explanation["translation_length"] == len(words)


# --- COCO captions and fairseq --------------------------------------------------------------------


def test_an_explanation_of_coco_gives_the_factors():
    item = ITEMS[0]
    explanation = explain_bleu(item["prediction"], item["references"], **COCO)
    expected = values("pycocoevalcap scorers, one segment (a1)")["Bleu_1..4"]
    found = [explanation[name] for name in ("bleu_1", "bleu_2", "bleu_3", "bleu")]
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    precisions = [entry["precision"] for entry in explanation["orders"]]
    product = np.prod(precisions) ** 0.25 * explanation["brevity_penalty"]
    assert explanation["bleu"] == pytest.approx(product, rel=1e-12)


@pytest.mark.parametrize(
    ("option", "value"), [("smoothing", "exp"), ("zero_division", NAN), ("smooth", True)]
)
def test_what_the_formula_of_coco_says_is_no_option(option, value):
    with pytest.raises(ValueError, match=f"{option} must be .* with preset='coco-caption'"):
        bleu(["a"], ["a"], **COCO, **{option: value})


@pytest.mark.parametrize("edge", values("edges: fairseq counts"))
def test_counts_of_fairseq(edge):
    """An empty line has a token, <unk> matches nothing, </s> and <pad> go at the ends."""
    found = explain_bleu(edge["prediction"], edge["reference"], preset="fairseq")
    lengths = [found["translation_length"], found["reference_length"]]
    assert lengths == [edge["predlen"], edge["reflen"]]
    assert [one["matches"] for one in found["orders"]] == edge["matches"]
    assert [one["total"] for one in found["orders"]] == edge["counts"]


# What libbleu of fairseq 3d262bb2 gives for the two lines, each with </s> after it.
@pytest.mark.parametrize(
    ("prediction", "reference", "expected"),
    [("<pad>", "", 1.0), ("<pad>", "d <pad> d b e", 0.0), ("<pad> a", "a <pad>", 1.0)],
)
def test_fairseq_drops_padding_on_the_left_first(prediction, reference, expected):
    """Nothing but padding is the token </s> then, as an empty line is."""
    found = bleu([prediction], [reference], preset="fairseq", max_order=1)["bleu"]
    assert found == expected
