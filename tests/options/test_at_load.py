"""Options given to `evaluate.load` are the defaults of that object, everywhere in `evaluate`."""

import dataclasses
import types

import datasets
import evaluate
import numpy as np
import pytest

from helpers.items import COPIES, PREDICTIONS, boom
from helpers.items import REFERENCES as FIRST_REFERENCES
from rouge_bleu.bleu.options import BleuOptions
from rouge_bleu.options.at_load import LOAD_ARGUMENTS
from rouge_bleu.options.names_elsewhere import OPTIONS_OF_ONE
from rouge_bleu.rouge.options.checked import RougeOptions

# Two references each, none of them empty, which preset "rouge-1.5.5" refuses.
REFERENCES = [[text, "on the mat the cat"] for text in FIRST_REFERENCES]

OPTIONS_CLASSES = {"rouge_full": RougeOptions, "bleu_full": BleuOptions}


def score(metric, **options):
    """Return the result as text, since NaN differs from itself."""
    return repr(metric.compute(predictions=PREDICTIONS, references=REFERENCES, **options))


# Options that give another result than the defaults, alone.
OPTIONS = [
    ("rouge_full", {"rouge_types": ["rougeL"], "tokenizer": "char"}),
    ("rouge_full", {"output": "all", "beta": 2.0, "multi_reference": "average"}),
    ("rouge_full", {"stopwords": ["the"], "use_aggregator": False}),
    ("rouge_full", {"preset": "rouge-1.5.5", "confidence_level": 0.95}),
    ("bleu_full", {"weights": {"bleu1": [1], "bleu2": [1, 1]}, "smoothing": "exp"}),
    ("bleu_full", {"max_order": 2, "use_aggregator": False}),
    ("bleu_full", {"preset": "sacrebleu", "tokenizer": "char"}),
]


# --- defaults of an object ---------------------------------------------------------------


@pytest.mark.parametrize(("name", "options"), OPTIONS)
def test_options_of_load_are_defaults(load, name, options):
    metric, plain = load(name, **options), load(name)
    assert score(metric) == score(plain, **options) != score(plain)
    metric.add_batch(predictions=PREDICTIONS[:5], references=REFERENCES[:5])
    for prediction, references in zip(PREDICTIONS[5:], REFERENCES[5:], strict=True):
        metric.add(prediction=prediction, reference=references)
    assert repr(metric.compute()) == score(metric)


def test_what_compute_is_given_wins_for_that_call(load):
    metric, plain = load("rouge_full", rouge_types=["rouge1"], output="all"), load("rouge_full")
    once = score(metric)
    types = ["rouge2", "rougeL"]
    assert score(metric, rouge_types=types) == score(plain, rouge_types=types, output="all")
    assert score(metric) == once


@pytest.mark.parametrize(
    ("name", "preset"),
    [(name, preset) for name in OPTIONS_CLASSES for preset in OPTIONS_CLASSES[name].presets],
)
def test_a_configuration_is_a_preset(load, name, preset):
    metric = load(name, preset)
    assert metric.load_options == load(name, preset, preset=preset).load_options
    assert metric.load_options == load(name, preset=preset).load_options == {"preset": preset}
    assert score(metric) == score(load(name), preset=preset)


@pytest.mark.parametrize("config_name", [(), (None,), ("default",)])
@pytest.mark.parametrize("name", OPTIONS_CLASSES)
def test_no_configuration(load, name, config_name):
    metric = load(name, *config_name)
    assert metric.load_options == {}
    assert metric.config_name == "default"
    assert load(name, *config_name, preset="matlab").load_options == {"preset": "matlab"}


# Preset of load, options of load, options of compute, and what a plain metric gets for them.
PRECEDENCE = {
    "preset of load over defaults": ("matlab", {}, {}, {"preset": "matlab"}),
    "option of load over preset of load": (
        "matlab",
        {"output": "all"},
        {},
        {"preset": "matlab", "output": "all"},
    ),
    "option of compute over preset of load": (
        "matlab",
        {},
        {"output": "fmeasure"},
        {"preset": "matlab", "output": "fmeasure"},
    ),
    "preset of compute over option of load": (
        None,
        {"output": "precision", "beta": 0.0},
        {"preset": "rouge-1.5.5"},
        {"preset": "rouge-1.5.5", "beta": 0.0},
    ),
    "option of compute over preset of compute": (
        None,
        {"output": "precision"},
        {"preset": "rouge-1.5.5", "output": "recall"},
        {"preset": "rouge-1.5.5", "output": "recall"},
    ),
    "preset of compute in place of that of load": (
        "matlab",
        {"output": "all"},
        {"preset": "rouge_score"},
        {"preset": "rouge_score", "output": "all"},
    ),
    "no preset in place of that of load": (
        "matlab",
        {"output": "all"},
        {"preset": None},
        {"output": "all"},
    ),
    "None is a value": (None, {"rouge_types": ["rouge1"]}, {"rouge_types": None}, {}),
    "the same preset again": (
        "rouge-1.5.5",
        {"corpus_average": "tokens"},
        {"preset": "rouge-1.5.5"},
        {"preset": "rouge-1.5.5", "corpus_average": "tokens"},
    ),
}


@pytest.mark.parametrize("case", PRECEDENCE)
def test_precedence(load, case):
    preset, of_load, of_compute, together = PRECEDENCE[case]
    metric, plain = load("rouge_full", preset, **of_load), load("rouge_full")
    assert score(metric, **of_compute) == score(plain, **together)


def test_options_that_do_not_go_together(load):
    """An option of `load` and one of `compute` are checked like two of `compute`."""
    metric = load("bleu_full", smooth=True)
    with pytest.raises(ValueError, match=r"^smooth=True, .* cannot both be given$"):
        score(metric, smoothing="exp")
    right = score(load("bleu_full"), smoothing="exp")
    assert score(metric, smoothing="exp", smooth=False) == right


@pytest.mark.parametrize("name", ["rouge_full", "bleu_full"])
@pytest.mark.parametrize(
    ("seed", "message"),
    [
        (-1, "seed must be an integer >= 0, got -1"),
        (1.0, "seed must be an integer >= 0, got 1.0"),
        (True, "seed must be an integer >= 0, got True"),
        ("1", "seed must be an integer >= 0, got '1'"),
        (2**32, "seed must be at most 4294967295, got 4294967296"),
    ],
)
def test_a_seed_is_checked_at_load(load, name, seed, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        load(name, seed=seed)


def test_a_seed_of_numpy(load):
    assert load("rouge_full", seed=np.int64(3)).load_seed == 3


def test_the_seed_is_an_argument_of_evaluate(load):
    metric = load("rouge_full", "evaluate", seed=3)
    assert (metric.load_options, metric.load_seed) == ({"preset": "evaluate"}, 3)
    seeded = load("rouge_full", seed=3)
    assert score(metric) == score(seeded, preset="evaluate") != score(metric, seed=4)


# --- what can be seen, and cannot be changed ----------------------------------------------


def test_load_options_cannot_be_changed_later(load):
    types, weights = ["rouge1"], {"bleu1": [1.0], "bleu2": np.array([1.0, 1.0])}
    rouge, bleu = load("rouge_full", rouge_types=types), load("bleu_full", weights=weights)
    before = score(rouge), score(bleu)
    for given in (types, rouge.load_options["rouge_types"]):
        given.append("rouge2")
    for given in (weights, bleu.load_options["weights"]):
        given["bleu1"][0] = 7.0
        given["bleu2"][0] = 7.0
        given["bleu3"] = [1, 1, 1]
    rouge.load_options["output"] = "all"
    with pytest.raises(AttributeError):
        rouge.load_options = {}
    assert (score(rouge), score(bleu)) == before
    assert rouge.load_options == {"rouge_types": ["rouge1"]}
    assert list(bleu.load_options["weights"]) == ["bleu1", "bleu2"]


def test_an_iterator_is_read_once(load):
    metric = load("rouge_full", stopwords=iter(["the", "cat"]), rouge_types=["rouge1"])
    right = score(load("rouge_full"), stopwords={"the", "cat"}, rouge_types=["rouge1"])
    assert score(metric) == score(metric) == right


def same_words(text):
    """A tokenizer that pickle finds by its name."""
    return text.upper().split("A")


@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
@pytest.mark.parametrize("name", OPTIONS_CLASSES)
def test_copies_keep_them(load, name, copied):
    metric = load(name, tokenizer=same_words, use_aggregator=False)
    other = copied(metric)
    assert other.load_options == metric.load_options
    assert score(other) == score(metric) != score(load(name), use_aggregator=False)
    assert score(other, tokenizer="char") == score(metric, tokenizer="char")


# --- errors at load -----------------------------------------------------------------------

UNKNOWN = "load() got an unexpected keyword argument "
PRESETS = "preset (or the second argument of load) must be "
ROUGE_PRESETS = (
    PRESETS
    + "'rouge_score', 'evaluate', 'rouge-1.5.5', 'matlab', 'torchmetrics', 'pltrdy', "
    + "'rouge-chinese', 'pyrouge-metric', 'nmt', 'sumeval', 'sacrerouge', 'ignite', 'py-rouge', "
    + "'xlsum' or 'coco-caption', got "
)


def takes(options_class):
    names = [field.name for field in dataclasses.fields(options_class)]
    return ", it takes " + ", ".join([*LOAD_ARGUMENTS, *names])


BAD = [  # name, configuration name, options, type of the error, whole message
    (
        "rouge_full",
        None,
        {"rouge_types": ["rouge1"], "frobnicate": 3},
        TypeError,
        UNKNOWN + "'frobnicate'" + takes(RougeOptions),
    ),
    (
        "bleu_full",
        None,
        {"frobnicate": 3},
        TypeError,
        UNKNOWN + "'frobnicate'" + takes(BleuOptions),
    ),
    (
        "rouge_full",
        None,
        {"rouge_type": ["rouge1"]},
        TypeError,
        UNKNOWN + "'rouge_type'. Did you mean 'rouge_types'?",
    ),
    (
        "rouge_full",
        None,
        {"keep_in_memroy": True},
        TypeError,
        UNKNOWN + "'keep_in_memroy'. Did you mean 'keep_in_memory'?",
    ),
    (
        "bleu_full",
        None,
        {"rouge_types": ["rouge1"]},
        TypeError,
        UNKNOWN
        + "'rouge_types', which is an option of rouge_full; here choose orders by max_order or"
        " weights",
    ),
    ("rouge_full", "stemmed", {}, ValueError, ROUGE_PRESETS + "'stemmed'"),
    (
        "rouge_full",
        "rouge-1.5",
        {},
        ValueError,
        ROUGE_PRESETS + "'rouge-1.5'. Did you mean 'rouge-1.5.5'?",
    ),
    ("rouge_full", None, {"preset": "default"}, ValueError, ROUGE_PRESETS + "'default'"),
    (
        "rouge_full",
        "matlab",
        {"preset": "evaluate"},
        ValueError,
        "load() got two presets, the configuration name 'matlab' and preset='evaluate':"
        " give one of them",
    ),
    (
        "rouge_full",
        "matlab",
        {"preset": None},
        ValueError,
        "load() got two presets, the configuration name 'matlab' and preset=None: give one of them",
    ),
]


@pytest.mark.parametrize(("name", "config_name", "options", "kind", "message"), BAD)
def test_errors_at_load(load, tmp_path, name, config_name, options, kind, message):
    with pytest.raises(kind) as raised:
        load(name, config_name, **options)
    assert (type(raised.value), str(raised.value)) == (kind, message)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("rouge_full", {"rouge_types": "rouge1"}),
        ("rouge_full", {"beta": -1}),
        ("rouge_full", {"tokenizer": "no such tokenizer"}),
        ("rouge_full", {"corpus_average": "tokens"}),
        ("rouge_full", {"stopwords": [1]}),
        ("bleu_full", {"max_order": 0}),
        ("bleu_full", {"use_aggregator": None}),
        ("bleu_full", {"smooth": True, "smoothing": "exp"}),
        ("bleu_full", {"weights": [1, 1], "max_order": 3}),
    ],
)
def test_bad_values_have_the_errors_of_compute(load, name, options):
    with pytest.raises((TypeError, ValueError)) as of_load:
        load(name, **options)
    with pytest.raises((TypeError, ValueError)) as of_compute:
        score(load(name), **options)
    assert type(of_load.value) is type(of_compute.value)
    assert str(of_load.value) == str(of_compute.value)


def test_all_arguments_of_evaluate_are_accepted(load):
    arguments = {"process_id": 0, "num_process": 1, "experiment_id": "x", "seed": 1}
    arguments |= {"keep_in_memory": True, "max_concurrent_cache_files": 3, "timeout": 2}
    assert load("rouge_full", **arguments).load_options == {}
    # The others are given by evaluate.load itself, and by `load` of this test.
    assert {*LOAD_ARGUMENTS} == {*arguments, "config_name", "cache_dir", "hash"}


# --- the rest of evaluate -----------------------------------------------------------------


def combined(load):
    return evaluate.combine(
        [load("rouge_full", rouge_types=["rouge1"]), load("bleu_full", max_order=2)]
    )


def test_combine(load):
    data = {"predictions": PREDICTIONS, "references": REFERENCES}
    rouge = load("rouge_full").compute(**data, rouge_types=["rouge1"])
    bleu = load("bleu_full").compute(**data, max_order=2)
    assert combined(load).compute(**data) == {**rouge, **bleu}


REMARKS = {
    "rouge_types": "choose orders by max_order or weights",
    "max_order": "name each order in rouge_types, as in ['rouge1', 'rouge2']",
}


@pytest.mark.parametrize(
    ("options", "owner"),
    [({"rouge_types": ["rouge2"]}, "rouge_full"), ({"max_order": 3}, "bleu_full")],
)
def test_combine_refuses_an_option_of_one_before_any_data_is_used(load, options, owner):
    """Else the first metric has used up its data, and the second one scores it again later."""
    metrics, (option,) = combined(load), options
    once = metrics.compute(predictions=PREDICTIONS, references=REFERENCES)
    metrics.add_batch(predictions=PREDICTIONS, references=REFERENCES)
    with pytest.raises(TypeError) as raised:
        metrics.compute(**options)
    assert str(raised.value) == (
        f"compute() got an unexpected keyword argument {option!r}, which is an option of"
        f" {owner}; here {REMARKS[option]}. In evaluate.combine give each metric its options"
        f" at load, as in evaluate.load({owner!r}, {option}=...)"
    )
    assert list(map(len, metrics.evaluation_modules)) == [10, 10]
    assert metrics.compute() == once
    with pytest.raises(ValueError, match="nothing to score"):
        metrics.compute()


def test_options_of_both_go_to_both(load):
    result = combined(load).compute(
        predictions=PREDICTIONS, references=REFERENCES, use_aggregator=False
    )
    assert (len(result["rouge1"]), len(result["bleu"])) == (10, 10)


def test_options_of_one_are_those_of_the_classes():
    rouge, bleu = (
        {field.name for field in dataclasses.fields(OPTIONS_CLASSES[name])}
        for name in ("rouge_full", "bleu_full")
    )
    own = {name: set(options) for name, options in OPTIONS_OF_ONE.items()}
    assert own == {"rouge_full": rouge - bleu, "bleu_full": bleu - rouge}


class FirstWords:
    """A pipeline for summarization: the first two words."""

    task = "summarization"

    def __call__(self, texts, **options):
        return [{"summary_text": " ".join(text.split()[:2])} for text in texts]


TEXTS = datasets.Dataset.from_dict(
    {"text": ["the cat sat on a mat", "a dog ran"], "summary": ["the cat", "dogs ran"]}
)
COLUMNS = {"data": TEXTS, "input_column": "text", "label_column": "summary"}


@pytest.fixture
def evaluator(monkeypatch):
    """`evaluate.evaluator` without transformers and scipy.

    It asks for both when it is made, and needs neither for a pipeline of one's own: the
    names that it takes from transformers are put in place.
    """
    base = evaluate.evaluator.__globals__["Evaluator"].compute.__globals__
    no_models = types.SimpleNamespace(PreTrainedModel=(), TFPreTrainedModel=())
    stubs = {"TRANSFORMERS_AVAILABLE": True, "SCIPY_AVAILABLE": True, "transformers": no_models}
    for name, value in stubs.items():
        monkeypatch.setitem(base, name, value)
    stubs = {
        "TRANSFORMERS_AVAILABLE": True,
        "TASK_ALIASES": {},
        "SUPPORTED_PIPELINE_TASKS": {"summarization": {}},
        "check_pipeline_task": lambda task: True,
    }
    for name, value in stubs.items():
        monkeypatch.setitem(evaluate.evaluator.__globals__, name, value)
    return evaluate.evaluator("summarization")


def scores_of(result):
    return {key for key in result if key.startswith(("rouge", "bleu"))}


def test_evaluator(load, evaluator):
    metric = load("rouge_full", rouge_types=["rouge1"])
    result = evaluator.compute(FirstWords(), metric=metric, **COLUMNS)
    assert scores_of(result) == {"rouge1"}
    assert result["rouge1"] == 0.5  # the first text as its summary, the second without a match
    assert scores_of(evaluator.compute(FirstWords(), metric=load("rouge_full"), **COLUMNS)) == {
        *load("rouge_full").compute(predictions=["a"], references=["a"])
    }


def test_evaluation_suite(load, evaluator):
    suite = evaluate.EvaluationSuite("a suite")
    subtask = evaluate.evaluation_suite.SubTask
    columns = {name: column for name, column in COLUMNS.items() if name != "data"}
    suite.suite = [
        subtask("summarization", data=TEXTS, args_for_task={**columns, "metric": metric})
        for metric in (load("rouge_full", rouge_types=["rouge1"]), load("bleu_full", weights=[1]))
    ]
    rouge, bleu = suite.run(FirstWords())
    assert scores_of(rouge) == {"rouge1"}
    assert (rouge["rouge1"], bleu["bleu"]) == (0.5, 0.5)
    assert len(bleu["precisions"]) == 1


def test_an_error_while_scoring_keeps_the_options(load):
    metric = load("rouge_full", rouge_types=["rouge1"], tokenizer=boom)
    with pytest.raises(ArithmeticError):
        score(metric)
    assert score(metric, tokenizer=None) == score(load("rouge_full"), rouge_types=["rouge1"])
