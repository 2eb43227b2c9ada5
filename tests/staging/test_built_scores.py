"""The one file gives what the modules give: results bit for bit, errors and warnings.

Each call of the table goes to both forms of a metric. Results are compared by `repr`,
errors by type and message, warnings by text and by the line that they name.
"""

import copy
import dataclasses
import itertools
import math
import pickle
import re
import warnings

import dill
import evaluate
import numpy as np
import pytest

from helpers.repository import ROOT
from rouge_bleu_tools.staging.loader_rules import shipped_modules
from rouge_bleu_tools.staging.scopes import Scopes
from rouge_bleu_tools.staging.single_file import single_file
from rouge_bleu_tools.staging.sources import Module

# --- data ---------------------------------------------------------------------------

TEXTS = {
    "predictions": [
        "The fast brown fox jumped over the lazy dog. It was 9 o'clock!",
        "the cat sat on a mat\nand it purred\nthe cat sat",
        "",
        "Straße ΟΔΟΣ.ΑΒ naïve façade, 3.14",
        "a",
        "running runners ran easily; the happiest generalizations",
    ],
    "references": [
        [
            "The quick brown animal jumped over the lazy dog. It was 10 o'clock.",
            "The quick brown fox jumped over the lazy dog.",
        ],
        ["the cat sat on the mat\nit purred and purred", "a mat", "cat cat cat"],
        ["nothing is here", "at all"],
        ["strasse Οδος.αβ naive façade, 3,14"],
        ["a b"],
        ["runner running the easy generalization of happiness", "Runs.", ""],
    ],
}
ONE_REFERENCE = {
    "predictions": TEXTS["predictions"],
    "references": [references[0] for references in TEXTS["references"]],
}
TOKENS = {
    "predictions": [text.split() for text in TEXTS["predictions"]],
    "references": [[text.split() for text in texts] for texts in TEXTS["references"]],
}
LONG = {
    "predictions": [f"{text} {n} of many" for n in range(9) for text in TEXTS["predictions"]],
    "references": [[f"{n} many {text}"] for n in range(9) for text in TEXTS["predictions"]],
}
NO_LATIN = {
    "predictions": ["кошка сидит", "!!"],
    "references": [["кошка"], ["на ковре"]],
}
NO_TEXT = {"predictions": ["", " "], "references": [["", "\n"], [""]]}

FORMS = {
    "texts": TEXTS,
    "one reference": ONE_REFERENCE,
    "tokens": TOKENS,
    "long": LONG,
    "no Latin letter": NO_LATIN,
    "no text": NO_TEXT,
}
# What is wrong with predictions or references.
BAD_DATA = [
    {"predictions": ["a"]},
    {"predictions": "a", "references": "a"},
    {"predictions": ["a"], "references": ["a", "b"]},
    {"predictions": ["a", "b"], "references": [["a", "b"]]},
    {"predictions": ["a", None], "references": ["a", "b"]},
    {"predictions": ["a", b"b"], "references": ["a", "b"]},
    {"predictions": ["a", "b"], "references": [["a"], []]},
    {"predictions": ["a"], "references": [["a", "b\udc00"]]},
    {"predictions": [["the cat sat"]], "references": [["the cat sat"]]},
    {"predictions": [["a"]], "references": ["a"]},
    {"predictions": {"a": "b"}, "references": ["a"]},
]


# --- options ------------------------------------------------------------------------


def no_token(text):
    return []


def halves(text):
    return [text[: len(text) // 2], text[len(text) // 2 :]]


def first_letter(token):
    return token[:1]


def refuses(text):
    raise RuntimeError(f"a function of the user's own fails on {text!r:.20}")


# Values of each option: first those that say something, last those that are refused.
# What an option takes only with a preset, or beside others, is in COMBINATIONS.
BAD = (None, -1, 2.5, True, "?")
NAMES_OF_TYPES = ["rouge1", "rouge3", "rougeL", "rougeLsum", "rougeW-1.5", "rougeS2"]
OPTIONS = {
    "rouge_full": {
        "rouge_types": (
            ["rouge1"],
            NAMES_OF_TYPES,
            ["rougeSU", "rougeS*"],
            ["rouge_1"],
        ),
        "use_aggregator": (True, False),
        "use_stemmer": (True, False),
        "tokenizer": (
            *("rouge_score", "rouge-1.5.5", "unicode", "13a", "char", "whitespace"),
            *("intl", "zh", halves, no_token, refuses, "unicod"),
        ),
        "output": ("fmeasure", "precision", "recall", "all"),
        "beta": (0, 0.5, 1, 2.0, math.inf),
        "multi_reference": ("best", "average", "pooled", "jackknife", "separate", "recall"),
        "lowercase": (True, False),
        "stemmer": (first_letter, str.upper, len, refuses),
        "stopwords": (["the", "a"], {"cat"}, np.array(["the"]), "the", [1]),
        "max_words": (1, 3, np.int64(5)),
        "max_bytes": (1, 11, 1000),
        "sentence_splitter": ("newline", "sentences", halves, refuses, no_token),
        "cross_sentences": (True, False),
        "summary_lcs": ("union", "best"),
        "zero_division": (0.0, math.nan),
        "n_jobs": (1, 2, -1, 0),
        "preset": (
            *("rouge_score", "evaluate", "rouge-1.5.5", "matlab", "torchmetrics"),
            *("pltrdy", "rouge-chinese", "pyrouge-metric", "rouge155"),
            *("ROUGE-1.5.5.pl -n 2 -2 4 -U -m -l 9", "rouge-1.5.5 -l 9 -b 9"),
            *("coco-caption", "xlsum", "py-rouge", "nmt", "sumeval", "sacrerouge", "ignite"),
        ),
        "language": ("german", "hindi", "klingon"),
        "signature": (True, False),
        "seed": (0, 7),
        "corpus_average": ("documents", "tokens", "counts"),
        "document_order": ("input", "string"),
        "confidence_level": (0.95, 0.5),
        "n_resamples": (10, 1000),
        "paired_test": ("randomization", "bootstrap", "t"),
    },
    "bleu_full": {
        "tokenizer": (
            *("13a", "rouge_score", "unicode", "char", "whitespace"),
            *("intl", "zh", halves, no_token, refuses, "13b"),
        ),
        "max_order": (1, 2, 5, np.int64(3), 10**4),
        "smooth": (True, False),
        "weights": (
            *([1, 1], [0.5, 0.3, 0.2], (1, 0), np.ones(5), [0, 0], [-1], ["a"]),
            {"bleu2": [1, 1], "bleu4": [1] * 4},
            {"precisions": [1]},
            {},
        ),
        "smoothing": (
            *("none", "floor", "add-k", "exp", "chen-cherry-4"),
            *("chen-cherry-5", "chen-cherry-6", "chen-cherry-7"),
        ),
        "smoothing_value": (0.5, 3),
        "effective_order": (True, False),
        "reference_length": ("closest", "shortest", "average"),
        "multi_reference": ("clip", "best", "pooled"),
        "level": ("corpus", "sentence", "item"),
        "lowercase": (True, False),
        "zero_division": (0.0, math.nan),
        "use_aggregator": (True, False),
        "output": ("all", "score", "flat", "bleu"),
        "n_jobs": (1, 2, -1, 0),
        "preset": (
            *("sacrebleu", "evaluate", "nltk", "matlab", "torchmetrics", "sacre"),
            *("mteval-v13a.pl", "multi-bleu.perl", "t2t", "fairseq", "ignite", "coco-caption"),
            *("codexglue", "nltk-3.2.5", "nltk-3.4.5", "nltk-3.5", "multi-bleu.perl -lc"),
        ),
        "signature": (True, False),
        "confidence_level": (0.95, 0.5),
        "n_resamples": (10, 1000),
        "paired_test": ("randomization", "bootstrap", "t"),
        "seed": (0, 7),
    },
}
# Options whose values are all tried with all values of the others in the same group.
COMBINATIONS = {
    "rouge_full": [
        ("preset", "output", "use_aggregator"),
        ("multi_reference", "output", "zero_division"),
        ("multi_reference", "beta", "use_aggregator"),
        ("tokenizer", "lowercase", "use_stemmer"),
        ("preset", "corpus_average", "document_order", "use_aggregator"),
        ("preset", "confidence_level", "n_resamples"),
        ("preset", "seed", "confidence_level"),
        ("preset", "max_words", "max_bytes"),
        ("sentence_splitter", "cross_sentences", "summary_lcs"),
        ("stemmer", "stopwords"),
        ("signature", "preset", "tokenizer"),
    ],
    "bleu_full": [
        ("preset", "smoothing", "use_aggregator"),
        ("preset", "output", "use_aggregator"),
        ("preset", "reference_length", "use_aggregator"),
        ("preset", "zero_division", "effective_order"),
        ("weights", "smoothing"),
        ("weights", "max_order"),
        ("smoothing", "smoothing_value", "smooth"),
        ("tokenizer", "lowercase"),
        ("preset", "tokenizer"),
        ("preset", "confidence_level", "n_resamples", "seed"),
        ("signature", "preset", "weights"),
    ],
}
METRICS = list(OPTIONS)


EXPLAINED = {
    "rouge_full": [
        {},
        {"rouge_types": NAMES_OF_TYPES, "sentence_splitter": "sentences", "lowercase": False},
        {"tokenizer": "13a", "cross_sentences": False, "multi_reference": "pooled"},
        {"preset": "rouge-1.5.5", "max_bytes": 20},
        {"tokenizer": halves, "summary_lcs": "best"},
        {"max_order": 2},
    ],
    "bleu_full": [
        {},
        {"preset": "nltk", "smoothing": "chen-cherry-7"},
        {"weights": {"orders": [1]}},
        {"stemmer": first_letter},
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
        for data in (TEXTS, TOKENS):
            yield computed, {**data, option: value}


def calls_of_option_with_presets(name, option):
    for value, preset in itertools.product(OPTIONS[name][option], OPTIONS[name]["preset"]):
        yield computed, {**TEXTS, "preset": preset, option: value}
    for value, data in itertools.product(OPTIONS[name][option], FORMS.values()):
        yield computed, {**data, option: value}


def calls_of_combination(name, options):
    for values in itertools.product(*(OPTIONS[name][option] for option in options)):
        yield computed, {**TEXTS, **dict(zip(options, values, strict=True))}


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
        for form in ("texts", "one reference", "tokens", "no Latin letter")
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
        # What is built differs in names, not in values: combinations are for `make test-deep`.
        for option in OPTIONS[name]:
            calls = [*calls_of_option_with_presets(name, option)]
            yield pytest.param(name, calls, id=f"{name} - {option} x", marks=pytest.mark.deep)
        for group in COMBINATIONS[name]:
            calls = [*calls_of_combination(name, group)]
            known = f"{name} - {' x '.join(group)}"
            yield pytest.param(name, calls, id=known, marks=pytest.mark.deep)


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


# What is given to `evaluate.load`, beside the path.
LOADS = [
    (("nonsense",), {}),
    ((), {"nonsense": 3}),
    (("matlab",), {"keep_in_memory": True}),
    (("evaluate",), {"seed": 5, "use_aggregator": False}),
]


@pytest.mark.parametrize("name", METRICS)
def test_both_forms_are_loaded_alike(scripts, name):
    def scores(path, arguments, options):
        metric = evaluate.load(path, *arguments, **options)
        return metric.compute(**TEXTS), metric.compute(**TEXTS, preset="evaluate")

    modules, one_file = scripts[name]
    for given in LOADS:
        assert outcome(scores, one_file, *given) == outcome(scores, modules, *given)


@pytest.mark.parametrize("name", METRICS)
def test_both_forms_say_the_same_of_themselves(metrics, name):
    modules, one_file = metrics[name]
    for attribute in ("name", "description", "citation", "inputs_description", "features"):
        assert getattr(one_file, attribute) == getattr(modules, attribute)
    assert one_file.compute.__doc__ == modules.compute.__doc__


@pytest.mark.parametrize("name", METRICS)
def test_the_one_file_can_be_pickled_and_copied(metrics, name):
    metric = metrics[name][1]
    data = {"predictions": ["a b"], "references": ["a c"]}
    expected = metric.compute(**data)
    for copied in (pickle.loads(pickle.dumps(metric)), copy.deepcopy(metric)):
        assert copied.compute(**data) == expected
    assert dill.loads(dill.dumps(metric.compute))(**data) == expected


# --- all names are others -----------------------------------------------------------


@pytest.mark.deep
@pytest.mark.parametrize("name", METRICS)
def test_other_names_give_the_same(metrics, name, tmp_path):
    """One file in which no name of a module is what it was: another module takes them all. As with
    the names that two modules have, results stay the same.
    """
    script, *modules = shipped_modules(ROOT / f"{name}.py")
    names = {one for module in modules for one in Scopes.of_module(module).line_of_defined}
    names -= {*Scopes.of_module(script).line_of_unclear}  # which are refused
    first = "".join(f"class {one}: ...\n" for one in sorted(names))
    path = tmp_path / f"{name}.py"
    text = single_file([script, Module("rouge_bleu.a", first), *modules])
    path.write_text(text, encoding="utf-8")
    renamed = evaluate.load(str(path))
    assert "_of_" in type(renamed).__mro__[1].__name__
    for _, calls in other_calls(name):
        check_same(metrics[name][0], renamed, calls)
    for option in ("preset", "tokenizer"):
        assert check_same(metrics[name][0], renamed, calls_of_option(name, option))


# --- the table is complete ----------------------------------------------------------


@pytest.mark.parametrize("name", METRICS)
def test_each_option_stands_in_the_table(metrics, name):
    fields = dataclasses.fields(metrics[name][0].options_class)
    assert set(OPTIONS[name]) == {field.name for field in fields}


@pytest.mark.parametrize("name", METRICS)
def test_each_choice_stands_in_the_table(metrics, name):
    """The message of what is refused lists the choices of an option."""
    for option, values in OPTIONS[name].items():
        # Among the names of sacreBLEU some fetch a model, and names of languages are many.
        if option in ("tokenizer", "stemmer", "language"):
            continue
        text, _ = outcome(metrics[name][0].compute, **TEXTS, **{option: "?"})
        listed = re.search(rf"{option} must be ('.*) or ('\S+), got '\?'", text)
        choices = re.findall(r"'([^']+)'", " ".join(listed.groups())) if listed else []
        assert [choice for choice in choices if choice not in values] == []
        if option in ("preset", "output", "smoothing"):
            assert len(choices) > 2, "the message is understood"
