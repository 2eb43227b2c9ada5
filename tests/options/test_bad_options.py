"""What is no option or no value of one, and the message for it."""

import dataclasses
import math

import numpy as np
import pytest

from helpers.errors import KEYS, LIST_OF, NO_ORDER, error_of
from rouge_bleu.bleu.options import BLEU_PRESETS, BleuOptions
from rouge_bleu.bleu.smoothing import SMOOTHINGS
from rouge_bleu.options.names_elsewhere import (
    NAMES_ELSEWHERE,
    PRESETS_OF_ONE,
    REMARKS,
    VALUES_ELSEWHERE,
)
from rouge_bleu.rouge.measures.scores import OUTPUTS
from rouge_bleu.rouge.options.checked import RougeOptions
from rouge_bleu.rouge.options.presets import ROUGE_PRESETS
from rouge_bleu.text.tokenizers import TOKENIZER_NAMES

TYPES = (
    " must be rouge1, rouge2, ..., rougeL, rougeLsum, rougeW, rougeS or rougeSU "
    "(W with an optional weight as in rougeW-1.5, S and SU with an optional number as in rougeS4), got "
)
WEIGHT = "rouge_types[0] must have a weight from 1 to 20, got "
TYPE_LIST = "rouge_types must be a list of rouge types such as ['rouge1', 'rougeL'], got "
OUTPUT = "output must be 'precision', 'recall', 'fmeasure' or 'all', got "
BETA = "beta must be a number >= 0, or math.inf, got "
ZERO = "zero_division must be 0.0 or math.nan, got "
TOKENIZER = "tokenizer must be a name or a function from a string to a list of strings, got "
NAMES = f"tokenizer must be {', '.join(map(repr, TOKENIZER_NAMES[:-1]))} or {TOKENIZER_NAMES[-1]!r}, got "
TOKENS = "tokenizer must return a list of strings for each text, got "
UNKNOWN = "compute() got an unexpected keyword argument "
NUMBERS = "weights must be a list of numbers, one for each order, got "
FINITE = "weights must be one or more finite numbers >= 0, not all of them 0, got "
PARTS = (
    "'precisions', 'brevity_penalty', 'length_ratio', 'translation_length', 'reference_length', "
    "'counts', 'totals'"
)
WEIGHT_NAMES = f"weights must have strings other than {PARTS} as names, got "
ORDER = "max_order must be an integer >= 1, got "
ROUGE_PRESET = (
    "preset must be 'rouge_score', 'evaluate', 'rouge-1.5.5', 'matlab', 'torchmetrics', 'pltrdy', "
    "'rouge-chinese' or 'pyrouge-metric', got "
)
BLEU_PRESET = "preset must be 'sacrebleu', 'evaluate', 'nltk', 'matlab' or 'torchmetrics', got "
JOBS = "n_jobs must be an integer from 1, or -1 for all cores, -2 for all but one, got "
SMOOTHING = (
    "smoothing must be 'none', 'floor', 'add-k', 'exp', 'chen-cherry-4', 'chen-cherry-5', "
    "'chen-cherry-6' or 'chen-cherry-7', got "
)
BOTH_SMOOTHINGS = (
    "smooth=True, which adds one to matches and totals, and smoothing='exp' cannot both be given"
)
LENGTH = "reference_length must be 'closest', 'shortest' or 'average', got "


def names_of(options_class):
    return ", it takes " + ", ".join(
        (
            *("predictions", "references", "baseline_predictions"),
            *(field.name for field in dataclasses.fields(options_class)),
        )
    )


BAD_OPTIONS_OF_BOTH = [  # options, type of the error, its message
    ({"tokeniser": "13a"}, TypeError, UNKNOWN + "'tokeniser'. Did you mean 'tokenizer'?"),
    ({"preds": ["a"]}, TypeError, UNKNOWN + "'preds'. Did you mean 'predictions'?"),
    ({"reference": ["a"]}, TypeError, UNKNOWN + "'reference'. Did you mean 'references'?"),
    (
        {"use_agregator": False},
        TypeError,
        UNKNOWN + "'use_agregator'. Did you mean 'use_aggregator'?",
    ),
    ({"Zero_division": 0}, TypeError, UNKNOWN + "'Zero_division'. Did you mean 'zero_division'?"),
    ({"use_aggregator": None}, TypeError, "use_aggregator must be True or False, got None"),
    ({"use_aggregator": "no"}, TypeError, "use_aggregator must be True or False, got str 'no'"),
    ({"zero_division": 1}, ValueError, ZERO + "1"),
    ({"zero_division": "nan"}, ValueError, ZERO + "'nan'"),
    ({"zero_division": None}, ValueError, ZERO + "None"),
    ({"zero_division": False}, ValueError, ZERO + "False"),
    ({"tokenizer": 13}, TypeError, TOKENIZER + "int 13"),
    ({"tokenizer": ["13a"]}, TypeError, TOKENIZER + "list ['13a']"),
    ({"tokenizer": "no such tokenizer"}, ValueError, NAMES + "'no such tokenizer'"),
    ({"tokenizer": "white-space"}, ValueError, NAMES + "'white-space'. Did you mean 'whitespace'?"),
    ({"tokenizer": str.encode}, TypeError, TOKENS + "b'a b c'"),
    ({"tokenizer": str.lower}, TypeError, TOKENS + "'a b c'"),
    ({"tokenizer": lambda text: None}, TypeError, TOKENS + "None"),
    ({"tokenizer": lambda text: ["a", 1]}, TypeError, TOKENS + "['a', 1]"),
]
BAD_ROUGE_OPTIONS = [
    ({"frobnicate": 1}, TypeError, UNKNOWN + "'frobnicate'" + names_of(RougeOptions)),
    ({"rouge_type": ["rouge1"]}, TypeError, UNKNOWN + "'rouge_type'. Did you mean 'rouge_types'?"),
    ({"rouge_types": "rouge1"}, TypeError, TYPE_LIST + "str 'rouge1': put it into a list"),
    ({"rouge_types": {"rouge1"}}, TypeError, TYPE_LIST + "set {'rouge1'}" + NO_ORDER),
    ({"rouge_types": 1}, TypeError, TYPE_LIST + "int 1"),
    ({"rouge_types": b"rouge1"}, TypeError, TYPE_LIST + "bytes b'rouge1'"),
    (
        {"rouge_types": {"rouge1": 1}},
        TypeError,
        TYPE_LIST + "dict {'rouge1': 1}" + KEYS + "'rouge1'",
    ),
    (
        {"rouge_types": {"rouge1": 1}.keys()},
        TypeError,
        TYPE_LIST + "dict_keys dict_keys(['rouge1'])" + NO_ORDER,
    ),
    (
        {"rouge_types": {1: "rouge1"}.values()},
        TypeError,
        TYPE_LIST + "dict_values dict_values(['rouge1'])" + LIST_OF,
    ),
    (
        {"rouge_types": []},
        ValueError,
        "rouge_types is empty: name at least one rouge type, or leave it out for the default ones",
    ),
    *(
        (
            {"rouge_types": ["rouge1", name]},
            ValueError,
            f"rouge_types[1]{TYPES}{name!r}" + (f". Did you mean {meant!r}?" if meant else ""),
        )
        for name, meant in [
            *(
                ("rouge_1", "rouge1"),
                ("ROUGE-1", "rouge1"),
                ("rouge-2", "rouge2"),
                ("rougel", "rougeL"),
                ("rougeLSum", "rougeLsum"),
            ),
            *(("rouge1 ", "rouge1"), ("ROUGE-SU4", "rougeSU4"), ("rougeW-", "rougeW")),
            *(("ROUGE-S4", "rougeS4"), ("rouge9_", "rouge9"), ("rouge10_", None)),
        ]
    ),
    *(
        ({"rouge_types": ["rouge1", name]}, ValueError, f"rouge_types[1]{TYPES}{name!r}")
        for name in (
            *("1", "", "rouge", "rouge0", "rouge01", "rouge1.5"),
            *(
                "rougeW1.2",
                "rougeW--1",
                "rougeW-1e1",
                "rougeS-1",
                "rougeS4.5",
                "rougeS**",
                "rougeSUM",
                "rouge²",
            ),
            *("rouge1\n", None, 1, b"rouge1", ["rouge1"]),
        )
    ),
    *(
        ({"rouge_types": [name]}, ValueError, f"{WEIGHT}{name!r}")
        for name in ("rougeW-0.5", "rougeW-0", "rougeW-20.5", "rougeW-" + "9" * 400)
    ),
    (
        {"rouge_types": ["rouge1001"]},
        ValueError,
        "rouge_types[0] must have an order of at most 1000, got 'rouge1001'",
    ),
    # pltrdy's rouge calls it "f", other packages "f1"
    ({"output": "f"}, ValueError, OUTPUT + "'f'. Did you mean 'fmeasure'?"),
    ({"output": "F1"}, ValueError, OUTPUT + "'F1'. Did you mean 'fmeasure'?"),
    (
        {"preset": "sacrebleu"},
        ValueError,
        ROUGE_PRESET + "'sacrebleu', which is a preset of bleu_full",
    ),
    ({"preset": "NLTK"}, ValueError, ROUGE_PRESET + "'NLTK', which is a preset of bleu_full"),
    (
        {"preset": "Rouge_Score"},
        ValueError,
        ROUGE_PRESET + "'Rouge_Score'. Did you mean 'rouge_score'?",
    ),
    ({"preset": None, "n_jobs": 0}, ValueError, JOBS + "0"),
    ({"output": "fmeasur"}, ValueError, OUTPUT + "'fmeasur'. Did you mean 'fmeasure'?"),
    ({"output": None}, ValueError, OUTPUT + "None"),
    ({"output": ["precision", "recall"]}, ValueError, OUTPUT + "['precision', 'recall']"),
    ({"beta": -1}, ValueError, BETA + "-1"),
    ({"beta": -math.inf}, ValueError, BETA + "-inf"),
    ({"beta": math.nan}, ValueError, BETA + "nan"),
    ({"beta": "2"}, ValueError, BETA + "'2'"),
    ({"beta": None}, ValueError, BETA + "None"),
    ({"beta": True}, ValueError, BETA + "True"),
    ({"use_stemmer": 1}, TypeError, "use_stemmer must be True or False, got int 1"),
    ({"use_stemmer": "porter"}, TypeError, "use_stemmer must be True or False, got str 'porter'"),
]
BAD_BLEU_OPTIONS = [
    ({"frobnicate": 1}, TypeError, UNKNOWN + "'frobnicate'" + names_of(BleuOptions)),
    ({"weight": [1]}, TypeError, UNKNOWN + "'weight'. Did you mean 'weights'?"),
    ({"tokenize": "13a"}, TypeError, UNKNOWN + "'tokenize'. Did you mean 'tokenizer'?"),
    ({"smooth_method": "exp"}, TypeError, UNKNOWN + "'smooth_method'. Did you mean 'smoothing'?"),
    ({"max_ngram_order": 2}, TypeError, UNKNOWN + "'max_ngram_order'. Did you mean 'max_order'?"),
    ({"max_order": 0}, ValueError, ORDER + "0"),
    ({"max_order": 1001}, ValueError, "max_order must be at most 1000, got 1001"),
    ({"max_order": -1}, ValueError, ORDER + "-1"),
    ({"max_order": 1.5}, ValueError, ORDER + "1.5"),
    ({"max_order": "4"}, ValueError, ORDER + "'4'"),
    ({"max_order": True}, ValueError, ORDER + "True"),
    ({"smooth": 1}, TypeError, "smooth must be True or False, got int 1"),
    # The methods of NLTK's SmoothingFunction; the card has the same pairs.
    *(
        ({"smoothing": name}, ValueError, f"{SMOOTHING}{name!r}. Did you mean {meant!r}?")
        for name, meant in [
            *(("method1", "floor"), ("method2", "add-k"), ("method3", "exp")),
            *(("method4", "chen-cherry-4"), ("method5", "chen-cherry-5")),
            *(("method6", "chen-cherry-6"), ("method7", "chen-cherry-7"), ("EXP", "exp")),
        ]
    ),
    ({"smoothing": "method8"}, ValueError, SMOOTHING + "'method8'"),
    (
        {"smooth": True, "preset": "sacrebleu"},
        ValueError,
        BOTH_SMOOTHINGS + ": smoothing='exp' comes from preset='sacrebleu', and smoothing='none' "
        "turns it off",
    ),
    ({"smooth": True, "smoothing": "exp"}, ValueError, BOTH_SMOOTHINGS),
    (
        {"preset": "rouge_score"},
        ValueError,
        BLEU_PRESET + "'rouge_score', which is a preset of rouge_full",
    ),
    ({"preset": "SacreBLEU"}, ValueError, BLEU_PRESET + "'SacreBLEU'. Did you mean 'sacrebleu'?"),
    ({"n_jobs": 0}, ValueError, JOBS + "0"),
    ({"smooth": "add-k"}, TypeError, "smooth must be True or False, got str 'add-k'"),
    ({"lowercase": "yes"}, TypeError, "lowercase must be True or False, got str 'yes'"),
    ({"effective_order": 0}, TypeError, "effective_order must be True or False, got int 0"),
    ({"reference_length": "median"}, ValueError, LENGTH + "'median'"),
    ({"reference_length": "closst"}, ValueError, LENGTH + "'closst'. Did you mean 'closest'?"),
    ({"reference_length": None}, ValueError, LENGTH + "None"),
    ({"weights": "uniform"}, TypeError, NUMBERS + "str 'uniform'"),
    ({"weights": 1}, TypeError, NUMBERS + "int 1: put it into a list"),
    ({"weights": [1, "2"]}, TypeError, NUMBERS + "list [1, '2']"),
    ({"weights": [1, None]}, TypeError, NUMBERS + "list [1, None]"),
    ({"weights": [True]}, TypeError, NUMBERS + "list [True]"),
    ({"weights": [[1, 1]]}, TypeError, NUMBERS + "list [[1, 1]]"),
    ({"weights": {1}}, TypeError, NUMBERS + "set {1}" + NO_ORDER),
    ({"weights": []}, ValueError, FINITE + "[]"),
    ({"weights": [0, 0.0]}, ValueError, FINITE + "[0, 0.0]"),
    ({"weights": [1, -1]}, ValueError, FINITE + "[1, -1]"),
    ({"weights": [1, math.nan]}, ValueError, FINITE + "[1, nan]"),
    ({"weights": [1, math.inf]}, ValueError, FINITE + "[1, inf]"),
    (
        {"weights": {}},
        ValueError,
        "weights is empty: give at least one name with its weights, or leave it out for uniform ones",
    ),
    ({"weights": {1: [1]}}, ValueError, WEIGHT_NAMES + "1"),
    ({"weights": {"precisions": [1]}}, ValueError, WEIGHT_NAMES + "'precisions'"),
    (
        {"weights": {"a": [1], "b": 2}},
        TypeError,
        NUMBERS.replace("weights", "weights['b']") + "int 2: put it into a list",
    ),
    (
        {"weights": {"a": [1], "b": []}},
        ValueError,
        FINITE.replace("weights", "weights['b']") + "[]",
    ),
    ({"weights": {"a": [0]}}, ValueError, FINITE.replace("weights", "weights['a']") + "[0]"),
    (
        {"weights": [1, 1], "max_order": 3},
        ValueError,
        "max_order must be 2, the number of weights, or be left out, got 3",
    ),
    (
        {"weights": {"a": [1], "b": [1, 1]}, "max_order": 1},
        ValueError,
        "max_order must be 2, the number of weights, or be left out, got 1",
    ),
]
BAD_OPTIONS = {
    f"{name}-{'-'.join(row[0])}-{number}": (name, *row)  # an id must be the same in every process
    for name, rows in (
        ("rouge_full", BAD_OPTIONS_OF_BOTH + BAD_ROUGE_OPTIONS),
        ("bleu_full", BAD_OPTIONS_OF_BOTH + BAD_BLEU_OPTIONS),
    )
    for number, row in enumerate(rows)
}


@pytest.mark.parametrize(
    ("name", "options", "kind", "message"), BAD_OPTIONS.values(), ids=BAD_OPTIONS
)
def test_bad_options(request, name, options, kind, message):
    metric = request.getfixturevalue(name)
    assert error_of(metric.compute, predictions=["a b c"], references=["a b c"], **options) == (
        kind,
        message,
    )


@pytest.mark.parametrize("value", ["mean", None, 1, ["best"]])
def test_bad_multi_reference(rouge_full, value):
    kind, message = error_of(
        rouge_full.compute, predictions=["a"], references=["a"], multi_reference=value
    )
    assert kind is ValueError
    assert message.startswith("multi_reference must be ")
    assert "'best'" in message
    assert message.endswith(f", got {value!r}")


WITHOUT_COUNTERPART = [  # the metric, a name of another package, what the message ends with
    (
        "bleu_full",
        "force",
        "leave it out, texts are tokenized whatever they look like",
    ),  # sacreBLEU
    (
        "rouge_full",
        "sources",
        "leave it out, predictions are compared with references only",
    ),  # comet
    (
        "bleu_full",
        "lang",
        "choose a tokenizer for the language, such as tokenizer='unicode'",
    ),  # BERTScore
    (
        "rouge_full",
        "normalizer",  # torchmetrics
        "do that to the texts first, or in a function that is the tokenizer",
    ),
    ("bleu_full", "keep_in_memory", "it is an argument of evaluate.load"),
]


@pytest.mark.parametrize(("name", "option", "remark"), WITHOUT_COUNTERPART)
def test_names_without_counterpart(request, name, option, remark):
    metric = request.getfixturevalue(name)
    assert error_of(metric.compute, predictions=["a"], references=["a"], **{option: None}) == (
        TypeError,
        f"{UNKNOWN}{option!r}: {remark}",
    )


OF_THE_OTHER_METRIC = [  # the metric, a name, whose option it is, and what to do here
    ("bleu_full", "use_stemmer", "rouge_full", "do that to the texts first, or in a function that"),
    ("bleu_full", "rouge_types", "rouge_full", "choose orders by max_order or weights"),
    ("bleu_full", "beta", "rouge_full", None),
    ("rouge_full", "max_order", "bleu_full", "name each order in rouge_types, as in ['rouge1', "),
    ("rouge_full", "weights", "bleu_full", "the weight of rougeW is part of its name, as in"),
    ("rouge_full", "smoothing", "bleu_full", None),
]


@pytest.mark.parametrize(("name", "option", "owner", "remark"), OF_THE_OTHER_METRIC)
def test_options_of_the_other_metric(request, name, option, owner, remark):
    metric = request.getfixturevalue(name)
    kind, message = error_of(metric.compute, predictions=["a"], references=["a"], **{option: None})
    here = f"; here {remark}" if remark else ". In evaluate.combine give each metric"
    assert (
        kind,
        message.startswith(f"{UNKNOWN}{option!r}, which is an option of {owner}{here}"),
    ) == (
        TypeError,
        True,
    )
    assert message.endswith(f" as in evaluate.load({owner!r}, {option}=...)")


OF_OTHER_PACKAGES = {  # arguments that stand for something that both or one of the metrics have
    "sacreBLEU corpus_bleu": (
        "bleu_full",
        "hypotheses tokenize lowercase smooth_method smooth_value",
    ),
    "sacreBLEU BLEU": ("bleu_full", "max_ngram_order effective_order"),
    "evaluate sacrebleu": ("bleu_full", "use_effective_order smooth_method tokenize"),
    "NLTK corpus_bleu": ("bleu_full", "list_of_references smoothing_function auto_reweigh"),
    "torchmetrics bleu_score": ("bleu_full", "preds target n_gram smooth weights"),
    "torchmetrics rouge_score": ("rouge_full", "preds target rouge_keys accumulate tokenizer"),
    "rouge_score": ("rouge_full", "rouge_types use_stemmer split_summaries"),
    "pltrdy rouge": ("rouge_full", "hyps refs avg metrics"),
    "py-rouge": ("rouge_full", "apply_avg apply_best length_limit stemming"),
}


@pytest.mark.parametrize(("name", "options"), OF_OTHER_PACKAGES.values(), ids=OF_OTHER_PACKAGES)
def test_names_in_other_packages(request, name, options):
    """Each is an option here too, or the message names the one that is."""
    metric = request.getfixturevalue(name)
    own = {field.name for field in dataclasses.fields(type(metric).options_class)}
    for option in options.split():
        if option in own:
            continue
        _, message = error_of(metric.compute, **{option: None})
        start = f"{UNKNOWN}{option!r}. Did you mean '"
        assert message.startswith(start)
        assert message.removeprefix(start).removesuffix("'?") in {*own, "predictions", "references"}


def test_tables_of_names_agree():
    """A name that is meant is an option of a metric, an argument of both, or has a remark."""
    options = {
        field.name for kind in (RougeOptions, BleuOptions) for field in dataclasses.fields(kind)
    }
    assert {*NAMES_ELSEWHERE} <= {*options, "predictions", "references", *REMARKS}
    others = " ".join(NAMES_ELSEWHERE.values()).split()
    assert len(others) == len(set(others))
    assert not {*others} & options


def test_tables_of_values_agree():
    """A preset of one metric only is one of its own; a value that is meant is a choice."""
    assert {name: {*presets} for name, presets in PRESETS_OF_ONE.items()} == {
        "rouge_full": {*ROUGE_PRESETS} - {*BLEU_PRESETS},
        "bleu_full": {*BLEU_PRESETS} - {*ROUGE_PRESETS},
    }
    meant = {name: {*values.values()} for name, values in VALUES_ELSEWHERE.items()}
    assert meant == {
        "preset": {"rouge-1.5.5"},
        "output": {"fmeasure"},
        "smoothing": {*SMOOTHINGS} - {"none"},
    }
    assert meant["output"] <= {*OUTPUTS}


def test_the_smoothing_of_a_preset_is_turned_off(bleu_full):
    """As the error about smooth=True and preset "sacrebleu" says."""
    corpus = {"predictions": ["the cat sat on a rug"], "references": ["the cat lay on the mat"]}
    options = {"preset": "sacrebleu", "smoothing": "none", "smooth": True, "output": "score"}
    assert bleu_full.compute(**corpus, **options) == bleu_full.compute(
        **corpus, smooth=True, output="score"
    )


def test_options_are_checked_before_any_work(metric):
    def tokenizer(text):
        raise AssertionError("called")

    kind, _ = error_of(
        metric.compute, predictions=["a"], references=["a"], tokenizer=tokenizer, zero_division=2
    )
    assert kind is ValueError


def test_options_may_be_numpy_scalars(rouge_full, bleu_full):
    corpus = {"predictions": ["a b c"], "references": [["a b", "c b a"]]}
    plain = rouge_full.compute(
        **corpus, use_aggregator=False, use_stemmer=True, beta=2.0, zero_division=0.0
    )
    options = {
        "use_aggregator": np.False_,
        "use_stemmer": np.True_,
        "beta": np.float64(2),
        "zero_division": np.int64(0),
    }
    assert rouge_full.compute(**corpus, **options) == plain
    assert bleu_full.compute(**corpus, smooth=np.True_, max_order=np.int64(2)) == bleu_full.compute(
        **corpus, smooth=True, max_order=2
    )
