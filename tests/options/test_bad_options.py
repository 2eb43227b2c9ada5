"""What is no option or no value of one, and the message for it."""

import dataclasses

import numpy as np
import pytest

from helpers.bad_options import BAD_OPTIONS
from helpers.errors import error_of
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

UNKNOWN = "compute() got an unexpected keyword argument "


# An id must be the same in every process.
@pytest.mark.parametrize(
    ("name", "options", "kind", "message"),
    BAD_OPTIONS,
    ids=[f"{name}-{'-'.join(options)}" for name, options, *_ in BAD_OPTIONS],
)
def test_bad_options(request, name, options, kind, message):
    metric = request.getfixturevalue(name)
    texts = {"predictions": ["a b c"], "references": ["a b c"]}
    assert error_of(metric.compute, **texts, **options) == (kind, message)


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
    ("bleu_full", "language", "rouge_full", "choose a tokenizer for the language"),
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
    own = {field.name for field in dataclasses.fields(metric.options_class)}
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
