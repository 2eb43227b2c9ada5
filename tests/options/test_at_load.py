"""Options given to `evaluate.load` are the defaults of that object, everywhere in `evaluate`."""

import dataclasses

import evaluate
import numpy as np
import pytest

from helpers.errors import error_of
from helpers.items import PREDICTIONS
from helpers.items import REFERENCES as FIRST_REFERENCES
from rouge_bleu._bleu.options import BleuOptions
from rouge_bleu._rouge.options.checked import RougeOptions
from rouge_bleu.options.at_load import LOAD_ARGUMENTS
from rouge_bleu.options.names_elsewhere import OPTIONS_OF_ONE

# Two references each, none of them empty, which preset "rouge-1.5.5" refuses.
REFERENCES = [[text, "on the mat the cat"] for text in FIRST_REFERENCES]

OPTIONS_CLASSES = {"rouge_full": RougeOptions, "bleu_full": BleuOptions}


def score(metric, **options):
    """Return the result as text, since NaN differs from itself."""
    return repr(metric.compute(predictions=PREDICTIONS, references=REFERENCES, **options))


# Options that give another result than the defaults, alone.
OPTIONS = [
    ("rouge_full", {"rouge_types": ["rougeL"], "tokenizer": "char"}),
    ("rouge_full", {"preset": "rouge-1.5.5", "confidence_level": 0.95}),
    ("bleu_full", {"weights": {"bleu1": [1], "bleu2": [1, 1]}, "smoothing": "exp"}),
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


@pytest.mark.parametrize(
    ("name", "preset"), [("rouge_full", "evaluate"), ("bleu_full", "sacrebleu")]
)
def test_a_configuration_is_a_preset(load, name, preset):
    metric = load(name, preset)
    assert metric.load_options == load(name, preset, preset=preset).load_options
    assert metric.load_options == load(name, preset=preset).load_options == {"preset": preset}
    assert score(metric) == score(load(name), preset=preset)


@pytest.mark.parametrize("config_name", [(), (None,), ("default",)])
def test_no_configuration(load, config_name):
    metric = load("rouge_full", *config_name)
    assert (metric.load_options, metric.config_name) == ({}, "default")
    with_preset = load("rouge_full", *config_name, preset="matlab")
    assert with_preset.load_options == {"preset": "matlab"}


ALL, PRECISION = {"output": "all"}, {"output": "precision", "beta": 0.0}
MATLAB, PERL = {"preset": "matlab"}, {"preset": "rouge-1.5.5"}
SCORE, TOKENS = {"preset": "rouge_score"}, {"corpus_average": "tokens"}
F, RECALL = {"output": "fmeasure"}, {"output": "recall"}
PRECEDENCE = [  # configuration and options of load, options of compute, and what is then given
    ("matlab", {}, {}, MATLAB),
    ("matlab", ALL, {}, MATLAB | ALL),  # an option of load over its preset
    ("matlab", {}, F, MATLAB | F),  # one of compute over the preset of load
    (None, PRECISION, PERL, PERL | {"beta": 0.0}),  # the preset of compute over options of load
    (None, PRECISION, PERL | RECALL, PERL | RECALL | {"beta": 0.0}),
    ("matlab", ALL, SCORE, SCORE | ALL),  # another preset, or none, in place of that of load
    ("matlab", ALL, {"preset": None}, ALL),
    (None, {"rouge_types": ["rouge1"]}, {"rouge_types": None}, {}),  # None is a value
    ("rouge-1.5.5", TOKENS, PERL, PERL | TOKENS),  # the same preset again
]


@pytest.mark.parametrize(("preset", "of_load", "of_compute", "together"), PRECEDENCE)
def test_precedence(load, preset, of_load, of_compute, together):
    metric = load("rouge_full", preset, **of_load)
    assert score(metric, **of_compute) == score(load("rouge_full"), **together)


def test_options_that_do_not_go_together(load):
    """An option of `load` and one of `compute` are checked like two of `compute`."""
    metric = load("bleu_full", smooth=True)
    with pytest.raises(ValueError, match=r"^smooth=True, .* cannot both be given$"):
        score(metric, smoothing="exp")
    right = score(load("bleu_full"), smoothing="exp")
    assert score(metric, smoothing="exp", smooth=False) == right


@pytest.mark.parametrize(
    ("seed", "message"),
    [
        (-1, "seed must be an integer >= 0, got -1"),
        (1.0, "seed must be an integer >= 0, got 1.0"),
        (True, "seed must be an integer >= 0, got True"),
        (2**32, "seed must be at most 4294967295, got 4294967296"),
    ],
)
def test_a_seed_is_checked_at_load(load, name, seed, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        load(name, seed=seed)


def test_the_seed_is_an_argument_of_evaluate(load):
    assert load("rouge_full", seed=np.int64(3)).load_seed == 3
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


# --- errors at load -----------------------------------------------------------------------

NAMES = [*LOAD_ARGUMENTS, *(field.name for field in dataclasses.fields(BleuOptions))]
OF_ROUGE = "which is an option of rouge_full; here choose orders by max_order or weights"
UNKNOWN_NAMES = [  # and what is said behind the name
    ("bleu_full", "frobnicate", f", it takes {', '.join(NAMES)}"),
    ("rouge_full", "rouge_type", ". Did you mean 'rouge_types'?"),
    ("rouge_full", "keep_in_memroy", ". Did you mean 'keep_in_memory'?"),
    ("bleu_full", "rouge_types", f", {OF_ROUGE}"),
]


@pytest.mark.parametrize(("name", "option", "message"), UNKNOWN_NAMES)
def test_names_that_are_no_option(load, tmp_path, name, option, message):
    message = f"load() got an unexpected keyword argument {option!r}{message}"
    assert error_of(load, name, **{option: ["rouge1"]}) == (TypeError, message)
    assert list(tmp_path.iterdir()) == []


PRESETS = ", ".join(map(repr, [*RougeOptions.presets][:-1]))
NO_PRESET = f"preset (or the second argument of load) must be {PRESETS} or 'coco-caption', got "
TWO_PRESETS = (
    "load() got two presets, the configuration name 'matlab' and preset={}: give one of them"
)


@pytest.mark.parametrize(
    ("config_name", "options", "message"),
    [
        ("rouge-1.5", {}, f"{NO_PRESET}'rouge-1.5'. Did you mean 'rouge-1.5.5'?"),
        (None, {"preset": "default"}, f"{NO_PRESET}'default'"),
        ("matlab", {"preset": "evaluate"}, TWO_PRESETS.format("'evaluate'")),
        ("matlab", {"preset": None}, TWO_PRESETS.format("None")),
    ],
)
def test_presets_that_are_none(load, config_name, options, message):
    assert error_of(load, "rouge_full", config_name, **options) == (ValueError, message)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("rouge_full", {"stopwords": [1]}),
        ("rouge_full", {"corpus_average": "tokens"}),
        ("bleu_full", {"weights": [1, 1], "max_order": 3}),
    ],
)
def test_bad_values_have_the_errors_of_compute(load, name, options):
    assert error_of(load, name, **options) == error_of(score, load(name), **options)


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
    of_items = combined(load).compute(**data, use_aggregator=False)  # goes to both
    assert (len(of_items["rouge1"]), len(of_items["bleu"])) == (10, 10)


@pytest.mark.parametrize(
    ("options", "owner", "remark"),
    [
        ({"rouge_types": ["rouge2"]}, "rouge_full", "choose orders by max_order or weights"),
        (
            {"max_order": 3},
            "bleu_full",
            "name each order in rouge_types, as in ['rouge1', 'rouge2']",
        ),
    ],
)
def test_combine_refuses_an_option_of_one_before_any_data_is_used(load, options, owner, remark):
    """Else the first metric has used up its data, and the second one scores it again later."""
    metrics, (option,) = combined(load), options
    once = metrics.compute(predictions=PREDICTIONS, references=REFERENCES)
    metrics.add_batch(predictions=PREDICTIONS, references=REFERENCES)
    assert error_of(metrics.compute, **options) == (
        TypeError,
        f"compute() got an unexpected keyword argument {option!r}, which is an option of {owner}; here"
        f" {remark}. In evaluate.combine give each metric its options at load, as in"
        f" evaluate.load({owner!r}, {option}=...)",
    )
    assert list(map(len, metrics.evaluation_modules)) == [10, 10]
    assert metrics.compute() == once
    with pytest.raises(ValueError, match="nothing to score"):
        metrics.compute()


def test_options_of_one_are_those_of_the_classes():
    rouge, bleu = (
        {field.name for field in dataclasses.fields(OPTIONS_CLASSES[name])}
        for name in ("rouge_full", "bleu_full")
    )
    own = {name: set(options) for name, options in OPTIONS_OF_ONE.items()}
    assert own == {"rouge_full": rouge - bleu, "bleu_full": bleu - rouge}
