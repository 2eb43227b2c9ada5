"""The one file gives what the modules give: results bit for bit, errors and warnings.

Each call of the table goes to both forms of a metric. Results are compared by `repr`,
errors by type and message, warnings by text and by the line that they name. What is built
differs in names, not in values, so each value of an option is tried, and no combinations.
"""

import dataclasses
import re
import warnings

import evaluate
import pytest

from helpers.option_sets import CORPORA, VALUES
from helpers.repository import ROOT

METRICS = list(VALUES)
TEXTS = {
    "predictions": [
        "The fast brown fox jumped over the lazy dog. It was 9 o'clock!",
        "the cat sat on a mat\nand it purred\nthe cat sat",
        "",
        "Straße ΟΔΟΣ.ΑΒ naïve façade, 3.14",
        "running runners ran easily; the happiest generalizations",
    ],
    "references": [
        ["The quick brown animal jumped over the lazy dog. It was 10 o'clock.", "A fox."],
        ["the cat sat on the mat\nit purred and purred", "a mat", "cat cat cat"],
        ["nothing is here", "at all"],
        ["strasse Οδος.αβ naive façade, 3,14"],
        ["runner running the easy generalization of happiness", "Runs.", ""],
    ],
}
DATA = [
    TEXTS,
    *CORPORA.values(),
    {"predictions": ["кошка сидит", "!!"], "references": [["кошка"], ["кот"]]},
    {"predictions": ["", " "], "references": [["", "\n"], [""]]},
    # what is refused
    {"predictions": "a", "references": "a"},
    {"predictions": ["a", None], "references": ["a", "b"]},
    {"predictions": ["a"], "references": [["a", "b\udc00"]]},
    {"predictions": [["the cat sat"]], "references": [["the cat sat"]]},
]
BASELINE = {**TEXTS, "baseline_predictions": TEXTS["predictions"][::-1], "n_resamples": 50}


def refuses(text):
    raise RuntimeError(f"a function of the user's own fails on {text!r:.20}")


# Values of each option that say something, and then some that most refuse.
OPTIONS = {name: {**VALUES[name], "signature": (True, False)} for name in METRICS}
BAD = (None, -1, 2.5, True, "?", refuses)


# --- calls --------------------------------------------------------------------------


def computed(metric, **given):
    return metric.compute(**given)


def added(metric, predictions, references):
    metric.add_batch(predictions=predictions, references=references)
    return metric.compute()


def explained(metric, predictions, references, **options):
    pairs = zip(predictions, references, strict=True)
    return [metric.explain(prediction=one, reference=other, **options) for one, other in pairs]


def calls_of(name):
    """What is called, and the calls."""
    yield "data", [(how, data) for data in DATA for how in (computed, added, explained)]
    presets = ({"preset": preset} for preset in OPTIONS[name]["preset"])
    yield "explained", [(explained, TEXTS | preset) for preset in presets]
    tests = ({"paired_test": test} for test in ("randomization", "bootstrap"))
    yield "baseline", [(computed, BASELINE | test | {"confidence_level": 0.9}) for test in tests]
    for option, values in OPTIONS[name].items():
        given = ((data, {option: value}) for value in (*values, *BAD) for data in DATA[:2])
        yield option, [(computed, data | options) for data, options in given]


# --- both forms ---------------------------------------------------------------------


@pytest.fixture(scope="module")
def scripts(spaces):
    """For each metric the script of the repository and the one that was built."""
    return {name: (str(ROOT / f"{name}.py"), str(spaces / name)) for name in METRICS}


@pytest.fixture(scope="module")
def metrics(scripts):
    return {name: [evaluate.load(path) for path in scripts[name]] for name in METRICS}


def outcome(function, *arguments, **options):
    """Return all that a caller sees: the result or the error, and the warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = repr(function(*arguments, **options))
        except Exception as error:
            # Python 3.10 names a function by the code, where the built file has the section.
            result = re.sub(r"\b[\w.]+\.(\w+\(\))", r"\1", f"{type(error).__name__}: {error}")
    shown = [(w.category.__name__, str(w.message), w.filename, w.lineno) for w in caught]
    return result, shown


@pytest.mark.parametrize(
    ("name", "calls"),
    [
        pytest.param(name, calls, id=f"{name} - {what}")
        for name in METRICS
        for what, calls in calls_of(name)
    ],
)
def test_both_forms_give_the_same(metrics, name, calls):
    """A table of errors only would compare no score."""
    modules, one_file = metrics[name]
    results = []
    for function, given in calls:
        results.append(outcome(function, modules, **given))
        assert outcome(function, one_file, **given) == results[-1], given
    assert any(result.startswith(("{", "[")) for result, _ in results)


def test_both_forms_are_loaded_alike(scripts, name):
    def scores(path, arguments, options):
        metric = evaluate.load(path, *arguments, **options)
        return metric.compute(**TEXTS), metric.compute(**TEXTS, preset="evaluate")

    modules, one_file = scripts[name]
    for given in ((("nonsense",), {}), (("evaluate",), {"seed": 5, "use_aggregator": False})):
        assert outcome(scores, one_file, *given) == outcome(scores, modules, *given)


def test_both_forms_say_the_same_of_themselves(metrics, name):
    modules, one_file = metrics[name]
    for attribute in ("name", "description", "citation", "inputs_description", "features"):
        assert getattr(one_file, attribute) == getattr(modules, attribute)
    assert one_file.compute.__doc__ == modules.compute.__doc__


def test_each_option_stands_in_the_table(metrics, name):
    fields = dataclasses.fields(metrics[name][0].options_class)
    assert set(OPTIONS[name]) == {field.name for field in fields}
