"""The tables of the cards for people who come from other packages, row by row.

The metrics `rouge`, `bleu` and `sacrebleu` of evaluate are fetched from the Hub, so they
are rebuilt here from what they call. Figures of torchmetrics 1.9.0, bleuscore 0.2.0 and
fast-bleu 0.0.90 were read from a run of the call in the row, on the texts given here;
those of rouge-chinese are in test_golden_packages.py, and the calls of rouge and rouge-metric are run.
"""

import inspect
import re

import pytest
import sacrebleu
from rouge_metric import PyRouge

from helpers.bleu.peers import as_streams, evaluate_bleu
from helpers.cards import CARDS, cells_of, options_of
from helpers.rouge.peers import evaluate_averages, rouge_score_items
from rouge import Rouge

CODE = re.compile("`([^`]*)`")


def tables_below(metric, heading):
    """Return the tables of a section, each as its rows of cells without backticks."""
    section = CARDS[metric].split(f"\n#### {heading}\n")[1].split("\n#### ")[0]
    found = re.findall(r"^\|.*\n\| ---.*\n((?:^\|.*\n)+)", section, re.MULTILINE)
    return [
        [[cell.strip("`") for cell in cells_of(line)] for line in table.splitlines()]
        for table in found
    ]


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


OPTIONS_OF_SACREBLEU = {"smooth_method", "smooth_value", "force", "lowercase", "tokenize"}
OPTIONS_OF_SACREBLEU |= {"use_effective_order"}


def evaluate_sacrebleu(predictions=PREDICTIONS, references=REFERENCES, **options):
    """Return what the `sacrebleu` metric of evaluate 0.4.6 does."""
    score = sacrebleu.corpus_bleu(predictions, as_streams(references), **options)
    keys = ("score", "counts", "totals", "precisions", "bp", "sys_len", "ref_len")
    return {key: getattr(score, key) for key in keys}


SACREBLEU_OPTIONS, SACREBLEU_KEYS = tables_below("bleu_full", "Coming from sacrebleu")
# Predictions without 4-grams and without 3-gram matches, for the options that need them.
SHORT = (["a b c"], [["a b c d"]])
MISSED = (["The cat sat on a rug"], [["the cat lay on the mat"]])


@pytest.mark.parametrize("there", ["", *(row[0] for row in SACREBLEU_OPTIONS)])
def test_sacrebleu(bleu_full, there):
    here = {row[0]: row[1] for row in SACREBLEU_OPTIONS}.get(there, "")
    given = options_of(there)
    texts = SHORT if "use_effective_order" in given else MISSED
    has_effect = False
    for predictions, references in (texts, (PREDICTIONS, REFERENCES)):
        pairs = {"predictions": predictions, "references": references}
        peer = evaluate_sacrebleu(predictions, references, **given)
        has_effect |= peer != evaluate_sacrebleu(predictions, references)
        result = bleu_full.compute(**pairs, preset="sacrebleu", **options_of(here))
        for key, our_key, scale in SACREBLEU_KEYS:
            if "add-k" in there and "add-k" in scale:
                assert peer[key] == add_one_above_unigrams(result[our_key])
                continue
            assert scale in ("times 100", "the same") or scale.startswith("the same, but")
            expected = result[our_key]
            if scale == "times 100":
                expected = [100 * value for value in listed(expected)]
            assert listed(peer[key]) == pytest.approx(listed(expected), rel=1e-12)
    assert has_effect == (there != "" and "force" not in there)


def names_of(rows):
    return {name for row in rows for name in options_of(row[0])}


def test_tables_are_whole():
    assert [row[0] for row in SACREBLEU_KEYS] == list(evaluate_sacrebleu())
    assert names_of(SACREBLEU_OPTIONS) == OPTIONS_OF_SACREBLEU
    assert names_of(BLEU_OPTIONS) == {"max_order", "smooth", "tokenizer"}
    assert names_of(ROUGE_OPTIONS) == set(inspect.signature(evaluate_rouge).parameters)
    assert {call for call, *_ in BLEU_FIGURES} == set(BLEU_CALLS)
    assert len(BLEU_CALLS) == len(BLEU_PACKAGES)
    assert [call for call, _ in calls_of("torchmetrics")] == list(TORCHMETRICS_FIGURES)
    packages = dict.fromkeys(package for package, *_ in ROUGE_CALLS)
    assert list(packages) == ["torchmetrics", "rouge", "rouge-chinese", "rouge-metric"]
    assert len(ROUGE_CALLS) == 12


def add_one_above_unigrams(counts):
    return [counts[0], *(count + 1 for count in counts[1:])]


def listed(value):
    return value if isinstance(value, list) else [value]


# --- bleu ---------------------------------------------------------------------------


(BLEU_OPTIONS,) = tables_below("bleu_full", "Coming from evaluate's bleu")


@pytest.mark.parametrize(("there", "here", "remark"), [("", "", ""), *BLEU_OPTIONS])
def test_bleu(bleu_full, there, here, remark):
    peer = evaluate_bleu(PREDICTIONS, REFERENCES, **options_of(there))
    if there:
        assert peer != evaluate_bleu(PREDICTIONS, REFERENCES)
    pairs = {"predictions": PREDICTIONS, "references": REFERENCES}
    result = bleu_full.compute(**pairs, preset="evaluate", **options_of(here))
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
    """Return what the `rouge` metric of evaluate 0.4.6 does, under the seed 0."""
    items = rouge_score_items(PREDICTIONS, REFERENCES, rouge_types, use_stemmer, tokenizer)
    if use_aggregator:
        averages = evaluate_averages(items, 0)
        return {name: averages[f"{name}_fmeasure"] for name in rouge_types}
    return {name: [float(item[name].fmeasure) for item in items] for name in rouge_types}


(ROUGE_OPTIONS,) = tables_below("rouge_full", "Coming from evaluate's rouge")


@pytest.mark.parametrize(("there", "here", "remark"), ROUGE_OPTIONS)
def test_rouge(rouge_full, there, here, remark):
    """Item by item, since the mean over items is ours; with the preset its average."""
    items = {"use_aggregator": False} if "preset" not in here else {}
    peer = evaluate_rouge(**{**options_of(there), **items})
    pairs = {"predictions": PREDICTIONS, "references": REFERENCES}
    result = rouge_full.compute(**pairs, **{**options_of(here), **items})
    assert {name: result[name] for name in peer} == peer
    if there not in ("use_aggregator=False", "use_aggregator=True"):
        assert peer != evaluate_rouge(use_aggregator=False)


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
BLEUSCORE = "compute(references, predictions{})"
FAST_BLEU = "BLEU(references, weights{}).get_score(predictions)"

# The row of the card; texts; what the package gave for them.
BLEU_FIGURES = [
    ("bleu_score(preds, target)", FOX_AND_CAT, {"bleu": 0.5885387063026428}),
    ("bleu_score(preds, target, smooth=True)", FOX_AND_CAT, {"bleu": 0.6212207078933716}),
    (
        *("bleu_score(preds, target, n_gram=2, weights=[0.25, 0.75])", RUG_AND_MAT),
        {"bleu": 0.2514866888523102},
    ),
    ("sacre_bleu_score(preds, target)", ([FOX], [FOXES]), {"bleu": 0.750623881816864}),
    (BLEUSCORE.format(""), LENGTHS, {"bleu": 1.0, "length_ratio": 1.5, "reference_length": 4}),
    (BLEUSCORE.format(", smooth=True"), RUG_AND_MAT, OF_RUG),
    (
        *(BLEUSCORE.format(', ref_len_method="closest"'), LENGTHS),
        {"bleu": 0.846481724890614, "reference_length": 7},
    ),
    (FAST_BLEU.format(""), TOKENS_OF_FOX, OF_FOX),
    (*(FAST_BLEU.format(", smoothing_func=0"), TOKENS_OF_FOX), {"b2": [B2, 0.0], "b4": [B4, 0.0]}),
]

(BLEU_PACKAGES,) = tables_below("bleu_full", "Coming from torchmetrics, bleuscore and fast-bleu")
BLEU_CALLS = {CODE.search(there + "`")[1]: here for there, here in BLEU_PACKAGES}


@pytest.mark.parametrize(("call", "texts", "figures"), BLEU_FIGURES)
def test_bleu_of_other_packages(bleu_full, call, texts, figures):
    options = options_of(BLEU_CALLS[call], weights=WEIGHTS)
    predictions, references = texts
    result = bleu_full.compute(predictions=predictions, references=references, **options)
    accuracy = 1e-6 if "preds" in call else 1e-12  # torchmetrics has 32 bits
    for key, figure in figures.items():
        assert listed(result[key]) == pytest.approx(listed(figure), rel=accuracy)


# --- ROUGE of torchmetrics, rouge, rouge-chinese, rouge-metric ----------------------

# torchmetrics on FOX_AND_CAT: precision, recall and F of each type. Each text is one
# sentence, so rougeLsum needs nothing of NLTK's.
TORCHMETRICS_FIGURES = {
    "rouge_score(preds, target)": [
        *(0.861111, 0.801587, 0.829060),
        *(0.675000, 0.541667, 0.589286),
        *(0.861111, 0.694444, 0.756944),
        *(0.861111, 0.694444, 0.756944),
    ],
    'rouge_score(preds, target, accumulate="avg")': [
        *(0.833333, 0.720238, 0.765224),
        *(0.562500, 0.479167, 0.510552),
        *(0.750000, 0.648810, 0.688301),
        *(0.750000, 0.648810, 0.688301),
    ],
    'rouge_score(preds, target, rouge_keys=("rouge3", "rougeL"), use_stemmer=True)': [
        *(0.482143, 0.457143, 0.468254),
        *(0.861111, 0.694444, 0.756944),
    ],
}
(ROUGE_PACKAGES,) = tables_below(
    "rouge_full", "Coming from torchmetrics, rouge, rouge-chinese and rouge-metric"
)
ROUGE_CALLS = [
    (there.split(":")[0], CODE.search(there + "`")[1], here) for there, here, *_ in ROUGE_PACKAGES
]
LETTERS = {"recall": "r", "precision": "p", "fmeasure": "f"}


def calls_of(package):
    return [(call, here) for name, call, here in ROUGE_CALLS if name == package]


@pytest.mark.parametrize(("call", "here"), calls_of("torchmetrics"))
def test_rouge_of_torchmetrics(rouge_full, call, here):
    predictions, references = FOX_AND_CAT
    options = options_of(here)
    result = rouge_full.compute(predictions=predictions, references=references, **options)
    assert list(result.values()) == pytest.approx(TORCHMETRICS_FIGURES[call], abs=1e-6)


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


@pytest.mark.parametrize(("call", "here"), [*calls_of("rouge"), *calls_of("rouge-metric")])
def test_rouge_of_packages_that_are_run(rouge_full, call, here):
    predictions = ["The cat sat. A dog ran on 3.5 mats\nand sat", FOX, "one two one"]
    references = ["the cat sat. the Dog ran on 3.5 mats\nand it sat", FOXES[0], "one two two"]
    names = {"Rouge": Rouge, "PyRouge": PyRouge, "hyps": predictions, "refs": references}
    if "PyRouge" in call:
        names["refs"] = references = [[text, *CATS] for text in references]
    peer = eval(call, names)
    result = rouge_full.compute(predictions=predictions, references=references, **options_of(here))
    if isinstance(peer, list):
        items = [under_our_names(scores, result) for scores in peer]
        peer = {key: [item[key] for item in items] for key in items[0]}
    else:
        peer = under_our_names(peer, result)
    assert set(result) == set(peer)
    accuracy = 2e-8 if "exclusive=False" in call else 1e-14  # its constant in F
    for key, value in peer.items():
        assert result[key] == pytest.approx(value, rel=accuracy)


def test_calls_in_the_table_of_packages(metric):
    """Each names a preset that has a row of its own."""
    (rows,) = tables_below(metric.name, "Which package computes what")
    calls = [row[-1].strip("` |") for row in rows]
    given = [options_of(call) for call in calls if "preset=" in call]
    for options in given:
        metric.compute(predictions=["a b"], references=["a b"], **options)
    named = {options["preset"] for options in given} | {"rouge-1.5.5"}
    # Those of single fields stand in the table of presets alone.
    assert named <= {*metric.options_class.presets, "rouge-1.5.5"}
    assert all(f"| `{options['preset']}` | " in CARDS[metric.name] for options in given)
