"""Options given to `evaluate.load` are the defaults of that object, everywhere in `evaluate`."""

import evaluate
import numpy as np
import pytest

from helpers.errors import error_of
from helpers.items import PREDICTIONS
from helpers.items import REFERENCES as FIRST_REFERENCES
from rouge_bleu.evaluate_metric import LOAD_ARGUMENTS

# Two references each, none of them empty, which preset "rouge-1.5.5" refuses.
REFERENCES = [[text, "on the mat the cat"] for text in FIRST_REFERENCES]


def score(metric, **options):
    """Return the result as text, since NaN differs from itself."""
    return repr(metric.compute(predictions=PREDICTIONS, references=REFERENCES, **options))


# Options that change the result, alone.
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
PRECEDENCE = [  # configuration and options of load, options of compute, and the effective ones
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
    with pytest.raises(ValueError, match=r"^smooth=True, .* smoothing='exp'"):
        score(metric, smoothing="exp")
    right = score(load("bleu_full"), smoothing="exp")
    assert score(metric, smoothing="exp", smooth=False) == right


@pytest.mark.parametrize("seed", [-1, 1.0, True, 2**32])
def test_a_seed_is_checked_at_load(load, name, seed):
    with pytest.raises(ValueError, match=r"^seed must be"):
        load(name, seed=seed)


def test_a_combination_is_checked_where_it_is_scored(load):
    """The other half of it may come in `compute`."""
    metric = load("bleu_full", smoothing_value=0.01)
    right = score(load("bleu_full"), smoothing="floor", smoothing_value=0.01)
    assert score(metric, smoothing="floor") == right
    with pytest.raises(ValueError, match=r"^smoothing_value needs"):
        score(metric)
    types = load("rouge_full", rouge_types=["rougeW-0.5"])
    assert score(types, preset="rouge-1.5.5")
    with pytest.raises(ValueError, match="weight"):
        score(types)


SACREBLEU = "nrefs:2|bs:50|seed:12345|case:mixed|eff:no|tok:13a|smooth:exp|version:2.3.1"


def test_the_seed_of_load_wins_over_that_of_its_preset(load):
    """As all options of `load` do; a preset of `compute` wins over both."""
    plain = load("bleu_full")
    of_seven = score(plain, preset=SACREBLEU, seed=7)
    assert score(load("bleu_full", preset=SACREBLEU, seed=7)) == of_seven
    of_preset = score(plain, preset=SACREBLEU)
    assert score(load("bleu_full", seed=7), preset=SACREBLEU) == of_preset != of_seven


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

BAD_AT_LOAD = [
    ("bleu_full", None, {"frobnicate": 1}, TypeError, "max_order"),
    ("rouge_full", None, {"rouge_type": ["rouge1"]}, TypeError, "'rouge_types'"),
    ("rouge_full", None, {"keep_in_memroy": True}, TypeError, "'keep_in_memory'"),
    ("bleu_full", None, {"rouge_types": ["rouge1"]}, TypeError, "rouge_types"),
    ("rouge_full", "rouge-1.5", {}, ValueError, "'rouge-1.5.5'"),
    ("rouge_full", None, {"preset": "default"}, ValueError, "'coco-caption'"),
    ("rouge_full", "matlab", {"preset": "evaluate"}, ValueError, "two presets"),
    ("rouge_full", "matlab", {"preset": None}, ValueError, "two presets"),
    ("rouge_full", None, {"stopwords": [1]}, TypeError, "stopwords"),
    ("bleu_full", None, {"weights": [-1]}, ValueError, "weights"),
]


@pytest.mark.parametrize(("name", "config_name", "options", "kind", "named"), BAD_AT_LOAD)
def test_what_load_refuses(load, tmp_path, name, config_name, options, kind, named):
    found, message = error_of(load, name, config_name, **options)
    assert found is kind
    assert named in message
    assert list(tmp_path.iterdir()) == []


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


@pytest.mark.parametrize("options", [{"rouge_types": ["rouge2"]}, {"max_order": 3}])
def test_combine_refuses_an_option_of_one_before_any_data_is_used(load, options):
    """Else the first metric has used up its data, and the second one scores it again later."""
    metrics, (option,) = combined(load), options
    once = metrics.compute(predictions=PREDICTIONS, references=REFERENCES)
    metrics.add_batch(predictions=PREDICTIONS, references=REFERENCES)
    with pytest.raises(TypeError, match=option):
        metrics.compute(**options)
    assert list(map(len, metrics.evaluation_modules)) == [10, 10]
    assert metrics.compute() == once
    with pytest.raises(ValueError, match="nothing to score"):
        metrics.compute()
