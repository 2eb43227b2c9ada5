"""Presets of bleu_full: where packages disagree, and options beside presets.

Numbers of packages that are not asked here were read from a run: torchmetrics 1.9.0, bleuscore
0.2.0, fast-bleu 0.0.90, torcheval 0.0.7. Recorded corpora are in tests/test_recorded.py.
"""

import math

import pytest
from nltk.translate.bleu_score import corpus_bleu
from sacrebleu.metrics import BLEU

from helpers.bleu.peers import FOX, FOX_REFERENCES, as_streams, evaluate_bleu, random_tokens
from rouge_bleu import bleu

NAN = math.nan
EVALUATE, TORCH = {"preset": "evaluate"}, {"preset": "torchmetrics"}
NLTK, SACREBLEU = {"preset": "nltk"}, {"preset": "sacrebleu"}

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
