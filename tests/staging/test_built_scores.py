"""The one file gives what the modules give: results bit for bit, errors and warnings.

Each call of the table goes to both forms of a metric. Results are compared by `repr`,
errors by type and message, warnings by text and by the line that they name.
"""

import dataclasses
import re
import warnings

import evaluate
import pytest

from helpers.option_sets import CORPORA, VALUES, first_letters, halves
from helpers.repository import ROOT

# --- data and options ---------------------------------------------------------------

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
FORMS = {
    "texts": TEXTS,
    **CORPORA,
    "no Latin letter": {"predictions": ["кошка сидит", "!!"], "references": [["кошка"], ["кот"]]},
    "no text": {"predictions": ["", " "], "references": [["", "\n"], [""]]},
}
# What is wrong with predictions or references.
BAD_DATA = [
    {"predictions": ["a"]},
    {"predictions": "a", "references": "a"},
    {"predictions": ["a"], "references": ["a", "b"]},
    {"predictions": ["a", None], "references": ["a", "b"]},
    {"predictions": ["a", b"b"], "references": ["a", "b"]},
    {"predictions": ["a"], "references": [["a", "b\udc00"]]},
    {"predictions": [["the cat sat"]], "references": [["the cat sat"]]},
    {"predictions": [["a"]], "references": ["a"]},
    {"predictions": {"a": "b"}, "references": ["a"]},
]


def refuses(text):
    raise RuntimeError(f"a function of the user's own fails on {text!r:.20}")


# Values of each option that say something, and then some that most refuse.
OPTIONS = {name: {**VALUES[name], "signature": (True, False)} for name in METRICS}
BAD = (None, -1, 2.5, True, "?", refuses)
EXPLAINED = {
    "rouge_full": [
        {},
        {"rouge_types": ["rouge2", "rougeLsum", "rougeW-1.5", "rougeS2"], "lowercase": False},
        {"tokenizer": "13a", "cross_sentences": False, "multi_reference": "pooled"},
        {"preset": "rouge-1.5.5", "max_bytes": 20},
        {"tokenizer": halves, "summary_lcs": "best"},
        {"max_order": 2},
    ],
    "bleu_full": [
        {},
        {"preset": "nltk", "smoothing": "chen-cherry-7"},
        {"weights": {"orders": [1]}},
        {"stemmer": first_letters},
    ],
}


# --- calls --------------------------------------------------------------------------


def computed(metric, **given):
    return metric.compute(**given)


def explained(metric, **given):
    return metric.explain(**given)


def added(metric, predictions=None, references=None, **options):
    """Add items one by one and as a batch, then compute on both; refused ones are left out."""
    said = []
    for method, given in [
        *(
            (metric.add, {"prediction": prediction, "reference": reference})
            for prediction, reference in zip(predictions or (), references or (), strict=False)
        ),
        (metric.add_batch, {"predictions": predictions, "references": references}),
    ]:
        try:
            method(**given)
        except (TypeError, ValueError) as error:
            said.append(str(error))
    return said, metric.compute(**options)


def calls_of_option(name, option):
    """Each value of an option, and values to refuse."""
    for value in (*OPTIONS[name][option], *BAD):
        for data in (TEXTS, CORPORA["tokens"]):
            yield computed, {**data, option: value}


def other_calls(name):
    """What is called, and the calls."""
    baseline = {**TEXTS, "baseline_predictions": TEXTS["predictions"][::-1], "n_resamples": 50}
    yield (
        "baseline",
        [
            (computed, {**baseline, "paired_test": test, **options})
            for test in ("randomization", "bootstrap")
            for options in ({}, {"confidence_level": 0.9}, {"preset": "matlab"})
        ],
    )
    for how in (computed, added):
        yield how.__name__, [(how, data) for data in (*FORMS.values(), *BAD_DATA)]
    pairs = [
        {"prediction": prediction, "reference": reference}
        for form in ("texts", "tokens", "no Latin letter")
        for prediction, reference in zip(*FORMS[form].values(), strict=True)
    ]
    yield (
        "explained",
        [(explained, {**pair, **options}) for options in EXPLAINED[name] for pair in pairs],
    )
    yield "misspelled", [(computed, {**TEXTS, "rouge_type": 1, "wieghts": 2})]


def table_of_calls():
    """Tests of (metric, calls)."""
    for name in METRICS:
        for what, calls in other_calls(name):
            yield pytest.param(name, calls, id=f"{name} - {what}")
        for option in OPTIONS[name]:
            yield pytest.param(name, [*calls_of_option(name, option)], id=f"{name} - {option}")
        # What is built differs in names, not in values: combinations would tell no more.


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


def check_same(modules, one_file, calls):
    """Both forms give the same; a table of errors only would compare no score."""
    are_results = set()
    for function, given in calls:
        expected = outcome(function, modules, **given)
        assert outcome(function, one_file, **given) == expected, given
        are_results.add(expected[0].startswith(("{", "(")))
    return True in are_results


@pytest.mark.parametrize(("name", "calls"), table_of_calls())
def test_both_forms_give_the_same(request, metrics, name, calls):
    has_results = check_same(*metrics[name], calls)
    assert has_results or "misspelled" in request.node.name


@pytest.mark.parametrize("name", METRICS)
def test_both_forms_are_loaded_alike(scripts, name):
    def scores(path, arguments, options):
        metric = evaluate.load(path, *arguments, **options)
        return metric.compute(**TEXTS), metric.compute(**TEXTS, preset="evaluate")

    modules, one_file = scripts[name]
    for given in ((("nonsense",), {}), (("evaluate",), {"seed": 5, "use_aggregator": False})):
        assert outcome(scores, one_file, *given) == outcome(scores, modules, *given)


@pytest.mark.parametrize("name", METRICS)
def test_both_forms_say_the_same_of_themselves(metrics, name):
    modules, one_file = metrics[name]
    for attribute in ("name", "description", "citation", "inputs_description", "features"):
        assert getattr(one_file, attribute) == getattr(modules, attribute)
    assert one_file.compute.__doc__ == modules.compute.__doc__


# --- all names are others -----------------------------------------------------------


@pytest.mark.parametrize("name", METRICS)
def test_each_option_stands_in_the_table(metrics, name):
    fields = dataclasses.fields(metrics[name][0].options_class)
    assert set(OPTIONS[name]) == {field.name for field in fields}
