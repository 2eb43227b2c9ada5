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
import stage

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

BASELINE = {**TEXTS, "baseline_predictions": TEXTS["predictions"][::-1]}
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
    {},
    {"predictions": ["a"]},
    {"references": ["a"]},
    {"predictions": [], "references": []},
    {"predictions": "a", "references": "a"},
    {"predictions": ["a"], "references": ["a", "b"]},
    {"predictions": ["a", "b"], "references": [["a", "b"]]},
    {"predictions": ["a", None], "references": ["a", "b"]},
    {"predictions": ["a", 2], "references": ["a", "b"]},
    {"predictions": ["a", math.nan], "references": ["a", "b"]},
    {"predictions": ["a", b"b"], "references": ["a", "b"]},
    {"predictions": [3], "references": ["a"]},
    {"predictions": ["a", ["b"]], "references": ["a", "b"]},
    {"predictions": ["a", "b"], "references": [["a"], []]},
    {"predictions": ["a", "b"], "references": [["a"], "b"]},
    {"predictions": ["a", "b"], "references": [["a"], ["b", 5]]},
    {"predictions": ["a\ud800"], "references": ["a"]},
    {"predictions": ["a"], "references": [["a", "b\udc00"]]},
    {"predictions": [["the cat sat"]], "references": [["the cat sat"]]},
    {"predictions": [["a", 1]], "references": [["a"]]},
    {"predictions": [["a"]], "references": ["a"]},
    {"predictions": [["a\ud800"]], "references": [["a"]]},
    {"predictions": {"a": "b"}, "references": ["a"]},
    {"predictions": (text for text in "ab"), "references": ["a", "b"]},
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
BAD = (None, -1, 0, 1, 2.5, True, "?", [], math.inf, math.nan)
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


def calls_of_option(name, option):
    """Each value of an option with each preset and form, and values to refuse."""
    values = OPTIONS[name][option]
    presets = [None] if option == "preset" else [None, *OPTIONS[name]["preset"]]
    for value in values:
        for preset in presets:
            options = {"preset": preset, option: value}
            yield (
                TEXTS,
                {key: given for key, given in options.items() if given is not None},
            )
        for data in FORMS.values():
            yield data, {option: value}
    for value in BAD:
        yield TEXTS, {option: value}


def calls_of_combination(name, options):
    for values in itertools.product(*(OPTIONS[name][option] for option in options)):
        yield TEXTS, dict(zip(options, values, strict=True))


def table_of_calls():
    """Return (metric, what is called, function that lists data and options)."""
    for name in METRICS:
        for option in OPTIONS[name]:
            yield (
                name,
                option,
                lambda name=name, option=option: calls_of_option(name, option),
            )
        for group in COMBINATIONS[name]:
            yield (
                name,
                " x ".join(group),
                lambda name=name, group=group: calls_of_combination(name, group),
            )
        yield (
            name,
            "baseline",
            lambda: [
                (BASELINE, {"paired_test": test, "n_resamples": 50, **options})
                for test in ("randomization", "bootstrap")
                for options in ({}, {"confidence_level": 0.9}, {"preset": "matlab"})
            ],
        )
        yield name, "nothing", lambda: [(data, {}) for data in FORMS.values()]
        yield name, "bad data", lambda: [(data, {}) for data in BAD_DATA]
        yield name, "misspelled", lambda: [(TEXTS, {"rouge_type": 1, "wieghts": 2})]


# What is built differs in names, not in values: combinations of these are for `make test-deep`.
CALLS = [
    pytest.param(*call, id=" - ".join(call[:2]), marks=[pytest.mark.deep] * (" x " in call[1]))
    for call in table_of_calls()
]


# --- both forms ---------------------------------------------------------------------


@pytest.fixture(scope="module")
def scripts(tmp_path_factory):
    """For each metric the script of the repository and the one that was built."""
    folders = stage.build(tmp_path_factory.mktemp("build"))
    return {
        name: (str(ROOT / f"{name}.py"), str(folder / f"{name}.py"))
        for name, folder in zip(METRICS, folders, strict=True)
    }


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


@pytest.mark.parametrize(("name", "what", "calls"), CALLS)
def test_both_forms_give_the_same(metrics, name, what, calls):
    modules, one_file = metrics[name]
    for (data, options), (_, same_options) in zip(calls(), calls(), strict=True):
        expected = outcome(modules.compute, **data, **options)
        assert outcome(one_file.compute, **data, **same_options) == expected, options


def added(metric, data, **options):
    """Add items one by one and as a batch, then compute on both."""
    for prediction, reference in zip(*data.values(), strict=True):
        metric.add(prediction=prediction, reference=reference)
    metric.add_batch(**data)
    return metric.compute(**options)


@pytest.mark.parametrize("name", METRICS)
@pytest.mark.parametrize("form", FORMS)
def test_both_forms_give_the_same_for_what_is_added(metrics, name, form):
    modules, one_file = metrics[name]
    expected = outcome(added, modules, FORMS[form], use_aggregator=False)
    assert outcome(added, one_file, FORMS[form], use_aggregator=False) == expected


@pytest.mark.parametrize("name", METRICS)
@pytest.mark.parametrize("method", ["add", "add_batch", "compute"])
def test_both_forms_refuse_the_same(scripts, name, method):
    modules, one_file = (evaluate.load(path, keep_in_memory=True) for path in scripts[name])
    calls = [*((data, ()) for data in BAD_DATA), (TEXTS, ("unnamed",)), ({"x": 1}, ())]
    for data, unnamed in calls:
        singular = {key[:-1]: column for key, column in data.items()}
        given = singular if method == "add" else data
        expected = outcome(getattr(modules, method), *unnamed, **given)
        assert outcome(getattr(one_file, method), *unnamed, **given) == expected
        # What was accepted is used up.
        assert outcome(one_file.compute) == outcome(modules.compute)


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


@pytest.mark.parametrize("name", METRICS)
@pytest.mark.parametrize("form", FORMS)
def test_both_forms_explain_the_same(metrics, name, form):
    modules, one_file = metrics[name]
    for options in EXPLAINED[name]:
        for prediction, reference in zip(*FORMS[form].values(), strict=True):
            item = {"prediction": prediction, "reference": reference, **options}
            expected = outcome(modules.explain, **item)
            assert outcome(one_file.explain, **item) == expected, options


# What is given to `evaluate.load`, beside the path.
LOADS = [
    ((), {}),
    (("default",), {}),
    (("matlab",), {}),
    (("nonsense",), {}),
    ((), {"use_aggregator": False}),
    ((), {"nonsense": 3}),
    ((), {"seed": 5}),
    ((), {"keep_in_memory": True}),
    (("evaluate",), {"seed": 5, "use_aggregator": False}),
]


@pytest.mark.parametrize("name", METRICS)
@pytest.mark.parametrize(("arguments", "options"), LOADS)
def test_both_forms_are_loaded_alike(scripts, name, arguments, options):
    def scores(path):
        metric = evaluate.load(path, *arguments, **options)
        return metric.compute(**TEXTS), metric.compute(**TEXTS, preset="evaluate")

    modules, one_file = scripts[name]
    assert outcome(scores, one_file) == outcome(scores, modules)


@pytest.mark.parametrize("name", METRICS)
def test_both_forms_say_the_same_of_themselves(metrics, name):
    for attribute in (
        "name",
        "description",
        "citation",
        "inputs_description",
        "features",
    ):
        modules, one_file = (getattr(metric, attribute) for metric in metrics[name])
        assert one_file == modules
    modules, one_file = (metric.compute.__doc__ for metric in metrics[name])
    assert one_file == modules


@pytest.mark.parametrize("name", METRICS)
@pytest.mark.parametrize("library", [pickle, dill])
def test_the_one_file_can_be_pickled_and_copied(metrics, name, library):
    metric = metrics[name][1]
    expected = metric.compute(**TEXTS)
    loaded = library.loads(library.dumps(metric))
    assert loaded.compute(**TEXTS) == expected
    assert copy.deepcopy(metric).compute(**TEXTS) == expected
    assert dill.loads(dill.dumps(metric.compute))(**TEXTS) == expected


# --- all names are others -----------------------------------------------------------


@pytest.fixture(scope="module")
def renamed(tmp_path_factory):
    """For each metric one file in which no name of a module is what it was: another module takes
    them all. As with the names that two modules have, results stay the same.
    """
    metrics = {}
    for name in METRICS:
        script, *modules = shipped_modules(ROOT / f"{name}.py")
        names = {one for module in modules for one in Scopes.of_module(module).line_of_defined}
        names -= {*Scopes.of_module(script).line_of_unclear}  # which are refused
        first = "".join(f"class {one}: ...\n" for one in sorted(names))
        modules = [Module("rouge_bleu.a", first), *modules]
        path = tmp_path_factory.mktemp("renamed") / f"{name}.py"
        path.write_text(single_file([script, *modules]), encoding="utf-8")
        metrics[name] = evaluate.load(str(path))
        assert "_of_" in type(metrics[name]).__mro__[1].__name__
    return metrics


RENAMED = ("preset", "tokenizer", "baseline", "nothing", "bad data", "misspelled")


@pytest.mark.parametrize(
    ("name", "what", "calls"), [call for call in CALLS if call.values[1] in RENAMED]
)
def test_other_names_give_the_same(metrics, renamed, name, what, calls):
    for (data, options), (_, same_options) in zip(calls(), calls(), strict=True):
        expected = outcome(metrics[name][0].compute, **data, **options)
        assert outcome(renamed[name].compute, **data, **same_options) == expected, options


@pytest.mark.parametrize("name", METRICS)
def test_other_names_explain_the_same(metrics, renamed, name):
    for options in EXPLAINED[name]:
        for prediction, reference in zip(*FORMS["texts"].values(), strict=True):
            item = {"prediction": prediction, "reference": reference, **options}
            expected = outcome(metrics[name][0].explain, **item)
            assert outcome(renamed[name].explain, **item) == expected, options


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


@pytest.mark.parametrize(("name", "option"), [(m, o) for m in METRICS for o in OPTIONS[m]])
def test_each_option_is_accepted_somewhere(metrics, name, option):
    """A table of errors only would compare no score."""
    groups = [group for group in COMBINATIONS[name] if option in group]
    calls = [calls_of_option(name, option)]
    calls += [calls_of_combination(name, group) for group in groups]
    computed = (
        outcome(metrics[name][0].compute, **data, **options)[0]
        for data, options in itertools.chain(*calls)
        if option in options
    )
    assert any(text.startswith("{") for text in computed)
