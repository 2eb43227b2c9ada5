"""Options of other packages, and those that give the same scores here.

The metrics `rouge`, `bleu` and `sacrebleu` of evaluate are fetched from the Hub, so they
are rebuilt here from their parts. Figures of torchmetrics 1.9.0, bleuscore 0.2.0 and
fast-bleu 0.0.90 were read from a run of the call, on the texts given here;
those of rouge-chinese are in test_golden_packages.py, and the calls of rouge and rouge-metric are run.
"""

import pytest
import sacrebleu
from rouge_metric import PyRouge

from helpers.bleu.peers import as_streams, evaluate_bleu
from helpers.rouge.peers import evaluate_averages, rouge_score_items
from rouge import Rouge

# Texts on which each of the options below changes the score.
PREDICTIONS = [
    "The cats were sitting on 3 mats today.",
    "A dog runs home quickly, and barks at them all.",
    "Nothing “new”",
]
REFERENCES = [
    ["The cat was sitting on the mats today.", "the cats sat on 3 mats"],
    ["a dog ran home quickly, and barked at them all, twice", "A dog runs"],
    ["Nothing “new” here"],
]

# --- sacrebleu ----------------------------------------------------------------------


def evaluate_sacrebleu(predictions=PREDICTIONS, references=REFERENCES, **options):
    """Return the results of the `sacrebleu` metric of evaluate 0.4.6."""
    score = sacrebleu.corpus_bleu(predictions, as_streams(references), **options)
    keys = ("score", "counts", "totals", "precisions", "bp", "sys_len", "ref_len")
    return {key: getattr(score, key) for key in keys}


# Options there, and here beside preset "sacrebleu".
SACREBLEU_OPTIONS = [
    ({}, {}),
    ({"tokenize": "intl"}, {"tokenizer": "intl"}),
    ({"lowercase": True}, {"lowercase": True}),
    ({"smooth_method": "add-k"}, {"smoothing": "add-k"}),
    (
        {"smooth_method": "floor", "smooth_value": 0.5},
        {"smoothing": "floor", "smoothing_value": 0.5},
    ),
    ({"use_effective_order": True}, {"effective_order": True}),
    ({"force": True}, {}),
]
# The key there, the key here, and how many times as much it is there.
SACREBLEU_KEYS = [
    ("score", "bleu", 100),
    ("counts", "counts", 1),
    ("totals", "totals", 1),
    ("precisions", "precisions", 100),
    ("bp", "brevity_penalty", 1),
    ("sys_len", "translation_length", 1),
    ("ref_len", "reference_length", 1),
]
# Predictions without 4-grams and without 3-gram matches, for the options that need them.
SHORT = (["a b c"], [["a b c d"]])
MISSED = (["The cat sat on a rug"], [["the cat lay on the mat"]])


@pytest.mark.parametrize(("there", "here"), SACREBLEU_OPTIONS)
def test_sacrebleu(bleu_full, there, here):
    texts = SHORT if "use_effective_order" in there else MISSED
    has_effect = False
    for predictions, references in (texts, (PREDICTIONS, REFERENCES)):
        pairs = {"predictions": predictions, "references": references}
        peer = evaluate_sacrebleu(predictions, references, **there)
        has_effect |= peer != evaluate_sacrebleu(predictions, references)
        result = bleu_full.compute(**pairs, preset="sacrebleu", **here)
        for key, our_key, scale in SACREBLEU_KEYS:
            if here.get("smoothing") == "add-k" and our_key in ("counts", "totals"):
                assert peer[key] == add_one_above_unigrams(result[our_key])
                continue
            expected = [scale * value for value in listed(result[our_key])]
            assert listed(peer[key]) == pytest.approx(expected, rel=1e-12)
    assert has_effect == (there != {} and "force" not in there)


def add_one_above_unigrams(counts):
    return [counts[0], *(count + 1 for count in counts[1:])]


def listed(value):
    return value if isinstance(value, list) else [value]


# --- bleu ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options", [{}, {"max_order": 2}, {"smooth": True}, {"tokenizer": str.split}]
)
def test_bleu(bleu_full, options):
    """They have the same names."""
    peer = evaluate_bleu(PREDICTIONS, REFERENCES, **options)
    if options:
        assert peer != evaluate_bleu(PREDICTIONS, REFERENCES)
    pairs = {"predictions": PREDICTIONS, "references": REFERENCES}
    result = bleu_full.compute(**pairs, preset="evaluate", **options)
    assert list(result) == list(peer)
    for key, value in peer.items():
        assert listed(result[key]) == pytest.approx(listed(value), rel=1e-12)


# --- rouge --------------------------------------------------------------------------


def evaluate_rouge(
    rouge_types=("rouge1", "rouge2", "rougeL", "rougeLsum"),
    use_aggregator=True,
    use_stemmer=False,
    tokenizer=None,
):
    """Return the results of the `rouge` metric of evaluate 0.4.6, under the seed 0."""
    items = rouge_score_items(PREDICTIONS, REFERENCES, rouge_types, use_stemmer, tokenizer)
    if use_aggregator:
        averages = evaluate_averages(items, 0)
        return {name: averages[f"{name}_fmeasure"] for name in rouge_types}
    return {name: [float(item[name].fmeasure) for item in items] for name in rouge_types}


@pytest.mark.parametrize(
    "options",
    [
        {"rouge_types": ["rouge1", "rougeL"]},
        {"use_stemmer": True},
        {"use_aggregator": False},
        {"tokenizer": str.split},
    ],
)
def test_rouge(rouge_full, options):
    """Item by item, since the mean over items is ours."""
    given = {**options, "use_aggregator": False}
    peer = evaluate_rouge(**given)
    pairs = {"predictions": PREDICTIONS, "references": REFERENCES}
    result = rouge_full.compute(**pairs, **given)
    assert {name: result[name] for name in peer} == peer
    if "use_aggregator" not in options:
        assert peer != evaluate_rouge(use_aggregator=False)


def test_rouge_of_a_corpus(rouge_full):
    pairs = {"predictions": PREDICTIONS, "references": REFERENCES}
    assert rouge_full.compute(**pairs, preset="evaluate") == evaluate_rouge()


# --- BLEU of torchmetrics, bleuscore, fast-bleu -------------------------------------

FOX = "the fast brown fox jumped over the lazy dog"
FOXES = [
    "the quick brown animal jumped over the lazy dog",
    "the quick brown fox jumped over the lazy dog",
]
CAT = "the cat was on the mat"
CATS = ["the cat sat on the mat today in the sun", "on the mat there was a cat"]
RUG, MAT = "the cat sat on a rug", "the cat lay on the mat"
LENGTHS = (["a b c d e f"], [["a b c d e f g h i", "a b c d", "a b c d e f g"]])
FOX_AND_CAT = ([FOX, CAT], [FOXES, CATS])
WEIGHTS = {"b2": [0.5, 0.5], "b4": [0.25] * 4}
TOKENS_OF_FOX = ([FOX.split(), ["the", "cat"]], [[text.split() for text in FOXES]] * 2)

RUG_AND_MAT = ([RUG], [[MAT]])
OF_RUG = {"bleu": 0.31239399369202553, "precisions": [4 / 7, 1 / 3, 0.2, 0.25]}
B2, B4 = 0.816496580927726, 0.7506238537503395
OF_FOX = {"b2": [B2, 0.006752340207492941], "b4": [B4, 0.004515562049663386]}
OF_LENGTHS = {"bleu": 1.0, "length_ratio": 1.5, "reference_length": 4}
OF_CLOSEST = {"bleu": 0.846481724890614, "reference_length": 7}
TORCH, EVALUATE = {"preset": "torchmetrics"}, {"preset": "evaluate"}
FAST = {"preset": "nltk", "use_aggregator": False, "weights": WEIGHTS}

# The call; the options here; texts; the result of the package.
BLEU_FIGURES = {
    "bleu_score(preds, target)": (TORCH, FOX_AND_CAT, {"bleu": 0.5885387063026428}),
    "bleu_score(preds, target, smooth=True)": (
        TORCH | {"smoothing": "add-k"},
        FOX_AND_CAT,
        {"bleu": 0.6212207078933716},
    ),
    "bleu_score(preds, target, n_gram=2, weights=[0.25, 0.75])": (
        TORCH | {"weights": [0.25, 0.75]},
        RUG_AND_MAT,
        {"bleu": 0.2514866888523102},
    ),
    "sacre_bleu_score(preds, target)": (
        TORCH | {"tokenizer": "13a"},
        ([FOX], [FOXES]),
        {"bleu": 0.750623881816864},
    ),
    "bleuscore: compute(references, predictions)": (EVALUATE, LENGTHS, OF_LENGTHS),
    "bleuscore: smooth=True": (EVALUATE | {"smooth": True}, RUG_AND_MAT, OF_RUG),
    'bleuscore: ref_len_method="closest"': (
        EVALUATE | {"reference_length": "closest"},
        LENGTHS,
        OF_CLOSEST,
    ),
    "fast-bleu: BLEU(references, weights).get_score(predictions)": (
        FAST | {"smoothing": "floor"},
        TOKENS_OF_FOX,
        OF_FOX,
    ),
    "fast-bleu: smoothing_func=0": (FAST, TOKENS_OF_FOX, {"b2": [B2, 0.0], "b4": [B4, 0.0]}),
}


@pytest.mark.parametrize("call", BLEU_FIGURES)
def test_bleu_of_other_packages(bleu_full, call):
    options, (predictions, references), figures = BLEU_FIGURES[call]
    result = bleu_full.compute(predictions=predictions, references=references, **options)
    accuracy = 1e-6 if "preds" in call else 1e-12  # torchmetrics has 32 bits
    for key, figure in figures.items():
        assert listed(result[key]) == pytest.approx(listed(figure), rel=accuracy)


# --- ROUGE of torchmetrics, rouge, rouge-chinese, rouge-metric ----------------------

# torchmetrics on FOX_AND_CAT: precision, recall and F of each type. Each text is one
# sentence, so rougeLsum needs nothing of NLTK's.
TORCHMETRICS_FIGURES = {
    "rouge_score(preds, target)": (
        {},
        [
            *(0.861111, 0.801587, 0.829060),
            *(0.675000, 0.541667, 0.589286),
            *(0.861111, 0.694444, 0.756944),
            *(0.861111, 0.694444, 0.756944),
        ],
    ),
    'rouge_score(preds, target, accumulate="avg")': (
        {"multi_reference": "average"},
        [
            *(0.833333, 0.720238, 0.765224),
            *(0.562500, 0.479167, 0.510552),
            *(0.750000, 0.648810, 0.688301),
            *(0.750000, 0.648810, 0.688301),
        ],
    ),
    'rouge_score(preds, target, rouge_keys=("rouge3", "rougeL"), use_stemmer=True)': (
        {"rouge_types": ["rouge3", "rougeL"], "use_stemmer": True},
        [
            *(0.482143, 0.457143, 0.468254),
            *(0.861111, 0.694444, 0.756944),
        ],
    ),
}
ROUGE, PYROUGE = {"preset": "pltrdy"}, {"preset": "pyrouge-metric"}
ROUGE_CALLS = {
    "Rouge().get_scores(hyps, refs, avg=True)": ROUGE,
    "Rouge().get_scores(hyps, refs)": ROUGE | {"use_aggregator": False},
    'Rouge(metrics=["rouge-3", "rouge-l"], stats=["f"]).get_scores(hyps, refs, avg=True)': ROUGE
    | {"rouge_types": ["rouge3", "rougeL"], "output": "fmeasure"},
    'Rouge(metrics=["rouge-1", "rouge-2"], exclusive=False).get_scores(hyps, refs, avg=True)': {
        "rouge_types": ["rouge1", "rouge2"],
        "tokenizer": lambda text: text.replace(".", " ").split(),
        "output": "all",
    },
    "PyRouge().evaluate(hyps, refs)": PYROUGE,
    "PyRouge(rouge_w=True, rouge_s=True, rouge_su=True, skip_gap=4).evaluate(hyps, refs)": PYROUGE
    | {"rouge_types": ["rouge1", "rouge2", "rougeL", "rougeW-1.2", "rougeS4", "rougeSU4"]},
    'PyRouge(multi_ref_mode="best", mode="individual").evaluate(hyps, refs)': PYROUGE
    | {"multi_reference": "best", "use_aggregator": False},
    "PyRouge(alpha=0.2).evaluate(hyps, refs)": PYROUGE | {"beta": 2.0},
}
LETTERS = {"recall": "r", "precision": "p", "fmeasure": "f"}


@pytest.mark.parametrize("call", TORCHMETRICS_FIGURES)
def test_rouge_of_torchmetrics(rouge_full, call):
    predictions, references = FOX_AND_CAT
    options, figures = TORCHMETRICS_FIGURES[call]
    pairs = {"predictions": predictions, "references": references}
    result = rouge_full.compute(**pairs, preset="torchmetrics", **options)
    assert list(result.values()) == pytest.approx(figures, abs=1e-6)


def under_our_names(scores, keys):
    """Return scores such as {"rouge-1": {"f": ...}} under keys such as rouge1_fmeasure."""
    names = {f"rouge-{name[5:].lower()}": name for name in ("rougeL", "rougeW-1.2")}
    names |= {"rouge-s4": "rougeS4", "rouge-su4": "rougeSU4"}
    return {
        name if name in keys else f"{name}_{output}": values[letter]
        for key, values in scores.items()
        for name in [names.get(key, key.replace("-", ""))]
        for output, letter in LETTERS.items()
        if letter in values
    }


@pytest.mark.parametrize("call", ROUGE_CALLS)
def test_rouge_of_packages_that_are_run(rouge_full, call):
    predictions = ["The cat sat. A dog ran on 3.5 mats\nand sat", FOX, "one two one"]
    references = ["the cat sat. the Dog ran on 3.5 mats\nand it sat", FOXES[0], "one two two"]
    names = {"Rouge": Rouge, "PyRouge": PyRouge, "hyps": predictions, "refs": references}
    if "PyRouge" in call:
        names["refs"] = references = [[text, *CATS] for text in references]
    peer = eval(call, names)
    result = rouge_full.compute(predictions=predictions, references=references, **ROUGE_CALLS[call])
    if isinstance(peer, list):
        items = [under_our_names(scores, result) for scores in peer]
        peer = {key: [item[key] for item in items] for key in items[0]}
    else:
        peer = under_our_names(peer, result)
    assert set(result) == set(peer)
    accuracy = 2e-8 if "exclusive=False" in call else 1e-14  # its constant in F
    for key, value in peer.items():
        assert result[key] == pytest.approx(value, rel=accuracy)
