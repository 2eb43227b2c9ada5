"""`rouge_bleu.rouge` and the other functions: they do the same as a loaded metric, without `evaluate`."""

import dataclasses
import inspect

import pyarrow
import pytest

import rouge_bleu
from helpers.errors import error_of
from helpers.programs import run
from helpers.repository import ROOT
from rouge_bleu._bleu.options import BleuOptions
from rouge_bleu._rouge.options import RougeOptions

PREDICTIONS = ["The cat sat on a mat.", "A dog  barked\nall night", ""]
REFERENCES = [["The cat sat on the mat."], ["The dog barked all night.", "Dogs bark"], ["x"]]
SCORES = {"rouge_full": rouge_bleu.rouge, "bleu_full": rouge_bleu.bleu}
EXPLANATIONS = {"rouge_full": rouge_bleu.explain_rouge, "bleu_full": rouge_bleu.explain_bleu}
OPTIONS = {"rouge_full": RougeOptions, "bleu_full": BleuOptions}
SAMPLES = {"confidence_level": 0.9, "n_resamples": 20, "baseline_predictions": ["a", "b", "c"]}
CALLS = [
    *((name, options) for name in SCORES for options in ({}, SAMPLES)),
    ("rouge_full", {"rouge_types": ["rouge2"], "use_aggregator": False, "signature": True}),
    ("rouge_full", {"preset": "evaluate", "output": "all"}),
    # "pltrdy" has a separate tokenizer, over which the default of the metric wins if it is given
    ("rouge_full", {"preset": "pltrdy", "use_stemmer": False}),
    ("rouge_full", {"preset": "rouge-1.5.5", "beta": 1.0}),
    ("bleu_full", {"weights": {"a": [1], "b": [0.5, 0.5]}, "signature": True}),
    ("bleu_full", {"preset": "sacrebleu", "smoothing": "none"}),
    ("bleu_full", {"preset": "sacrebleu", "use_aggregator": False}),
]


@pytest.mark.parametrize(("name", "options"), CALLS)
def test_results_are_those_of_the_metric(request, name, options):
    metric = request.getfixturevalue(name)
    expected = metric.compute(predictions=PREDICTIONS, references=REFERENCES, **options)
    assert repr(SCORES[name](PREDICTIONS, REFERENCES, **options)) == repr(expected)
    item = {"prediction": PREDICTIONS[0], "reference": REFERENCES[1]}
    item |= {"preset": options.get("preset")}
    assert EXPLANATIONS[name](**item) == metric.explain(**item)


@pytest.mark.parametrize("functions", [SCORES, EXPLANATIONS])
def test_all_options_are_in_the_signature(functions, name):
    """Their names, defaults and types are those of the options themselves."""
    parameters = inspect.signature(functions[name]).parameters.values()
    fields = [one for one in dataclasses.fields(OPTIONS[name]) if one.init]
    fields = {one.name: (one.default, one.type) for one in fields}
    shown = {one.name: (one.default, one.annotation) for one in parameters if one.name in fields}
    assert shown == fields


A = ["a"]
BAD_CALLS = [  # functions, arguments, options, a name in the TypeError
    (EXPLANATIONS, (A, A), {"tokeniser": "13a"}, "'tokenizer'"),
    *((functions, (A, A, A), {}, "options by name") for functions in (SCORES, EXPLANATIONS)),
    (SCORES, (), {"predictions": A, "reference": A}, "'references'"),
    (SCORES, (), {"prediction": A, "references": A}, "'predictions'"),
    (EXPLANATIONS, (), {"reference": "a", "predictions": "a"}, "'prediction'"),
    (EXPLANATIONS, (), {"reference": "a", "references": "a"}, "'reference'"),
]


@pytest.mark.parametrize(("functions", "arguments", "options", "named"), BAD_CALLS)
def test_an_error_names_the_function(name, functions, arguments, options, named):
    kind, message = error_of(functions[name], *arguments, **options)
    assert kind is TypeError
    assert message.startswith(f"{functions[name].__name__}() ")
    assert named in message


# Nothing of `evaluate` is imported, also if an interval and a long corpus are asked for; who scores a
# few texts has no pyarrow, and who imports the package alone has not even numpy. `rouge` and `bleu`
# are folders of modules too.
PROGRAM = """
import sys
def imported(*names): return [name for name in names if name in sys.modules]
import rouge_bleu
assert "rouge" in dir(rouge_bleu)
print(imported("numpy", "pyarrow"))
rouge_bleu.rouge(["a b"], ["a b"]), rouge_bleu.bleu(["a"], ["a"], max_order=1)
print(imported("pyarrow"))
texts = [f"{number} words of a text" for number in range(30_000)]
rouge_bleu.rouge(texts, texts, rouge_types=["rouge1"], confidence_level=0.9, n_resamples=2)
rouge_bleu.bleu(texts[:9], texts[:9], signature=True)
rouge_bleu.rouge(["a b"], ["a b"], tokenizer="unicode")
rouge_bleu.explain_rouge("a b", "b c"), rouge_bleu.explain_bleu("a b", "b c")
print(imported("evaluate", "datasets", "pandas", "scipy", "requests", "huggingface_hub"))
print(imported("nltk", "sacrebleu", "rouge_bleu.integrations", "rouge_bleu.presets"))
import rouge_bleu._bleu.results, rouge_bleu._rouge.api
import rouge_bleu._rouge.results as scorer
from rouge_bleu import rouge, bleu
print(rouge_bleu.rouge is rouge is rouge_bleu.rouge and callable(rouge))
print(rouge_bleu.bleu is bleu, bleu.__module__, scorer.__name__)
"""


def test_modules_that_are_imported():
    found = run("-c", PROGRAM, cwd=ROOT).stdout.splitlines()
    names = "True rouge_bleu._bleu.api rouge_bleu._rouge.results"
    # pyarrow 17 looks for pandas when it converts texts.
    of_pyarrow = "['pandas']" if pyarrow.__version__ < "18" else "[]"
    assert found == ["[]", "[]", of_pyarrow, "[]", "True", names]
