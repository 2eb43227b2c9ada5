"""Options: refused values, user-defined functions, one example, and options of load and compute."""

import math
from functools import reduce
from itertools import chain

import evaluate
import numpy as np
import pytest
from nltk.stem import PorterStemmer
from nltk.tokenize import WordPunctTokenizer
from nltk.translate.bleu_score import SmoothingFunction

from helpers.errors import error_of
from helpers.items import PREDICTIONS, boom
from helpers.items import REFERENCES as FIRST_REFERENCES
from rouge_bleu import bleu, rouge
from rouge_bleu._bleu.options import BleuOptions
from rouge_bleu._rouge.options import RougeOptions
from rouge_bleu.evaluate_metric import LOAD_ARGUMENTS
from rouge_bleu.names_elsewhere import _NAMES_HERE
from rouge_bleu.text.stemming import STEMMERS

INF, NAN = math.inf, math.nan
BOTH, ROUGE, BLEU = (rouge, bleu), (rouge,), (bleu,)

# --- refused values -------------------------------------------------------------------------------

MEANT_TYPES = [("ROUGE-1", "rouge1"), ("rouge_2", "rouge2"), ("rougel", "rougeL")]
MEANT_TYPES += [(name, "rouge1") for name in ("rouge", "rougeN", "rouge-n", "rouge0")]
MEANT_TYPES += [("ROUGE-SU4", "rougeSU4"), ("rougeLSum", "rougeLsum"), ("rougeW1.2", "rougeW-1.2")]
NO_TYPES = ["", "rouge", "rouge0", "rouge01", "rouge1.5", "rouge²", "rouge1\n", "rougeW-1e1"]
NO_TYPES += ["rougeS-1", "rougeS**", None, 1, b"rouge1", ["rouge1"]]


class TransformersTokenizer(WordPunctTokenizer):
    """Like those of transformers, a function that does not return tokens."""

    def __call__(self, text):
        return {"input_ids": [0]}

    def convert_tokens_to_ids(self, tokens):
        return [0]


BAD_WEIGHTS = ["rougeW-0.5", "rougeW-0", "rougeW-20.5", "rougeW-" + "9" * 400]
# Functions, an option, values, the type of the error, and the name that the message contains.
BAD_VALUES = [
    (BOTH, "tokeniser", ["13a"], TypeError, "'tokenizer'"),
    (BOTH, "frobnicate", [1], TypeError, "confidence_level"),  # all are listed
    # Names of other packages, and of the other metric.
    *((BOTH, name, [1], TypeError, "'references'") for name in ("target", "refs")),
    (BOTH, "force", [True], TypeError, "Leave it out"),
    (BOTH, "avg", [True], TypeError, "'use_aggregator'"),
    (BLEU, "smooth_method", ["exp"], TypeError, "Did you mean 'smoothing'"),
    (ROUGE, "smooth_method", ["exp"], TypeError, "'smoothing' is an option of bleu"),
    (ROUGE, "use_effective_order", [True], TypeError, "'effective_order' is an option of bleu"),
    (ROUGE, "max_order", [2], TypeError, "'max_order' is an option of bleu"),
    (BLEU, "n_gram", [2], TypeError, "Did you mean 'max_order'"),
    (ROUGE, "n_gram", [2], TypeError, "Did you mean 'rouge_types'"),
    (ROUGE, "stemming", [True], TypeError, "Did you mean 'use_stemmer'"),
    (ROUGE, "baseline", [["a"]], TypeError, "Did you mean 'baseline_predictions'"),
    *(
        (BLEU, name, [True], TypeError, "'use_stemmer' is an option of rouge")
        for name in ("use_stemmer", "stemming")
    ),
    (ROUGE, "preset", ["sacrebleu"], ValueError, "bleu; those of rouge are rouge_score, "),
    (BLEU, "preset", ["rouge_score"], ValueError, "a preset of rouge"),
    (BOTH, "tokenizer", [WordPunctTokenizer(), TransformersTokenizer()], TypeError, ".tokenize"),
    (BOTH, "use_aggregator", [None, "no"], TypeError, "use_aggregator"),
    (BOTH, "lowercase", ["yes", 1, 0], TypeError, "lowercase"),
    (BOTH, "tokenizer", [13, ["13a"], dict], TypeError, "tokenizer"),
    (BOTH, "tokenizer", ["bert-base-uncased"], ValueError, "AutoTokenizer"),
    (BOTH, "preset", ["huggingface"], ValueError, "'evaluate'?"),
    (BOTH, "tokenizer", ["no such one"], ValueError, ", unicode, "),  # all are listed
    (BOTH, "zero_division", [1, "nan", None, False], ValueError, "zero_division"),
    (BOTH, "n_jobs", ["all"], ValueError, "-1 for all cores"),
    (BOTH, "n_jobs", [0, 1.0, "2", None, True], ValueError, "n_jobs"),
    (BOTH, "seed", [-1, 1.0, "1", True, 2**32], ValueError, "seed"),
    (BOTH, "n_resamples", [0, 1.5, None, 10**6 + 1], ValueError, "n_resamples"),
    (BOTH, "confidence_level", [95, 1.0, 0.0, "0.95", NAN], ValueError, "confidence_level"),
    (BOTH, "paired_test", ["t"], ValueError, "paired_test"),
    (BOTH, "preset", ["rouge_full|0.3.0|refs:1", "", ["matlab"]], ValueError, "preset"),
    (BOTH, "preset", ["Evaluate!"], ValueError, "'evaluate'"),
    (BOTH, "preset", ["-" * 100_001], ValueError, "at most 100000 characters, got 100001"),
    (BOTH, "signature", ["yaml"], TypeError, "json"),
    # --- rouge
    (ROUGE, "rouge_types", [1, b"rouge1", {"rouge1"}], TypeError, "rouge_types"),
    (ROUGE, "rouge_types", ["rouge1,rouge2"], TypeError, "['rouge1', 'rouge2']"),
    (ROUGE, "rouge_types", [[]], ValueError, "rouge_types"),
    (ROUGE, "rouge_types", [["rouge1"] * 101], ValueError, "at most 100 types, got 101"),
    *((ROUGE, "rouge_types", [[x]], ValueError, repr(meant)) for x, meant in MEANT_TYPES),
    *((ROUGE, "rouge_types", [x], TypeError, f"list, [{meant!r}]") for x, meant in MEANT_TYPES),
    *((ROUGE, "rouge_types", [["rouge1", x]], ValueError, f", got {x!r}") for x in NO_TYPES),
    (ROUGE, "rouge_types", [["rouge1", ""]], ValueError, "rouge_types[1] must be rouge1, rouge2, "),
    *((ROUGE, "rouge_types", [[x]], ValueError, "a weight") for x in BAD_WEIGHTS),
    (ROUGE, "rouge_types", [["rouge1001"]], ValueError, "1000"),
    (ROUGE, "use_stemmer", [1, "porter"], TypeError, "use_stemmer"),
    (ROUGE, "stemmer", ["porter", True], ValueError, "use_stemmer=True"),
    (ROUGE, "stemmer", ["klingon", "hindi", ""], ValueError, ", german, "),
    (ROUGE, "stemmer", [1], TypeError, "stemmer"),
    (ROUGE, "stemmer", ["deutsch", "de"], ValueError, "'german'?"),
    (ROUGE, "stemmer", [PorterStemmer()], TypeError, ".stem"),
    (ROUGE, "output", ["f1", "F"], ValueError, "'fmeasure'?"),
    (ROUGE, "stopwords", ["english", 3, ["the", 3], [None]], TypeError, "stopwords"),
    (BOTH, "output", ["f", None, ["precision"]], ValueError, "output"),
    (ROUGE, "beta", [-1, -INF, NAN, "2", None, True], ValueError, "beta"),
    (ROUGE, "max_words", [0, -1, 1.5, "3", True, INF, 2**31], ValueError, "max_words"),
    (ROUGE, "max_bytes", [0, 2**31], ValueError, "max_bytes"),
    (ROUGE, "sentence_splitter", [None, 3, "line"], ValueError, "sentence_splitter"),
    (ROUGE, "multi_reference", ["mean", None, ["best"]], ValueError, "multi_reference"),
    (ROUGE, "summary_lcs", ["worst"], ValueError, "summary_lcs"),
    (ROUGE, "language", ["german"], ValueError, "preset='xlsum'"),
    (ROUGE, "corpus_average", ["tokens"], ValueError, "preset='rouge-1.5.5'"),
    (ROUGE, "document_order", ["string"], ValueError, "preset='rouge-1.5.5'"),
    # --- bleu
    (BLEU, "max_order", [0, -1, 1.5, "4", True, 1001], ValueError, "max_order"),
    (BLEU, "smooth", [1, "add-k"], TypeError, "smooth"),
    (BLEU, "effective_order", [0], TypeError, "effective_order"),
    (BLEU, "weights", ["uniform", [1, "2"], [True], [[1]], 0.5, {1}], TypeError, "weights"),
    (BLEU, "weights", [4], TypeError, "max_order=4"),
    (BLEU, "weights", [{"a": [1], "b": 2}], TypeError, "weights['b']"),
    (BLEU, "weights", [[], [0, 0.0], [-1], [NAN], [INF], {}, [1] * 1001], ValueError, "weights"),
    (BLEU, "weights", [{"b": []}, {"b": [0]}], ValueError, "weights['b']"),
    (BLEU, "weights", [{1: [1]}, {"precisions": [1]}, {"counts": [1]}], ValueError, "names"),
    (BLEU, "smoothing", ["method1"], ValueError, "'floor'?"),
    (BLEU, "smoothing", [SmoothingFunction().method3], ValueError, "'exp'?"),
    (BLEU, "smoothing", [None], ValueError, "'none'"),
    (BLEU, "smoothing", ["method8", "add_k", True], ValueError, "'add-k'"),
    (BLEU, "smoothing_value", [1], ValueError, "smoothing_value"),
    (BLEU, "reference_length", ["median", None], ValueError, "reference_length"),
    (BLEU, "level", ["item", None], ValueError, "level"),
    (BLEU, "multi_reference", ["average", None], ValueError, "multi_reference"),
    (BLEU, "multi_reference", ["best"], ValueError, "level='sentence'"),
    (BLEU, "preset", ["mteval-v13a"], ValueError, "'mteval-v13a.pl'"),
]
PERL, XLSUM = {"preset": "rouge-1.5.5"}, {"preset": "xlsum"}
FLOOR, PORTER = {"smoothing": "floor"}, {"preset": "ROUGE-1.5.5.pl -n 2 -m"}
EACH = {"use_aggregator": False}
FLAT_KEYS = ("precision_1", "precision_12", "count_2", "total_1")
# Functions, options, and the name that the message of the ValueError contains.
BAD_TOGETHER = [
    *(
        (BOTH, {**EACH, x: value}, x)
        for x, value in (("confidence_level", 0.9), ("n_resamples", 9))
    ),
    (ROUGE, {"stemmer": str.lower, "use_stemmer": True}, "stemmer and use_stemmer"),
    (ROUGE, {**XLSUM, "language": "klingon"}, "language 'klingon'. Known are amharic, arabic, "),
    (ROUGE, {**XLSUM, "language": "ha"}, "language"),
    *((ROUGE, {**XLSUM, "language": x, "use_stemmer": True}, x) for x in ("hindi", "bangla")),
    *(
        (ROUGE, {"preset": preset, "rouge_types": ["rouge1", name]}, "rouge_types[1]")
        for preset in ("pltrdy", "rouge-chinese")
        for name in ("rougeLsum", "rougeW", "rougeS4", "rougeSU")
    ),
    (ROUGE, {"preset": "pltrdy", "tokenizer": "unicode"}, "tokenizer"),
    (ROUGE, {"preset": "rouge-chinese", "sentence_splitter": "sentences"}, "sentence_splitter"),
    (ROUGE, {"preset": "pyrouge-metric", "cross_sentences": False}, "cross_sentences"),
    (ROUGE, {"preset": "pyrouge-metric", "multi_reference": "average"}, "multi_reference"),
    (ROUGE, {"preset": "evaluate", "corpus_average": "tokens"}, "corpus_average"),
    (ROUGE, {**PERL, "cross_sentences": False}, "cross_sentences"),
    (ROUGE, {**PERL, "summary_lcs": "best"}, "summary_lcs"),
    (ROUGE, {**PERL, "zero_division": NAN}, "zero_division"),
    (ROUGE, {**PERL, "multi_reference": "average"}, "multi_reference"),
    (ROUGE, {**PERL, "max_words": 3, "max_bytes": 3}, "max_words and max_bytes"),
    (ROUGE, {**PERL, "document_order": "sorted"}, "document_order"),
    (ROUGE, {**PERL, "rouge_types": ["rougeW-0"]}, "a weight"),
    (ROUGE, {**PERL, "corpus_average": "counts", "output": "recall"}, "output"),
    (ROUGE, {**PERL, "corpus_average": "counts", "confidence_level": 0.9}, "confidence_level"),
    (ROUGE, {**PERL, **EACH, "corpus_average": "tokens", "output": "fmeasure"}, "output"),
    *((BLEU, {"weights": {x: [1]}, "output": "flat"}, f"'{x}'") for x in FLAT_KEYS),
    (BLEU, {"weights": {"signature": [1]}, "signature": True}, "signature"),
    (BLEU, {"weights": [1, 1], "max_order": 3}, "max_order must be 2"),
    (BLEU, {"weights": {"a": [1], "b": [1, 1]}, "max_order": 1}, "max_order must be 2"),
    (BLEU, {"preset": "sacrebleu", "smoothing_value": 1}, "smoothing_value"),
    (BLEU, {"smoothing": "chen-cherry-4", "smoothing_value": 1}, "smoothing_value"),
    *((BLEU, {**FLOOR, "smoothing_value": x}, "smoothing_value") for x in (-0.1, INF, NAN, True)),
    (BLEU, {"smooth": True, "smoothing": "floor"}, "smoothing='floor'"),
    (BLEU, {"smooth": True, "preset": "sacrebleu"}, "smoothing='none'"),
]
BAD_OPTIONS = [
    *((f, {name: x}, kind, named) for f, name, xs, kind, named in BAD_VALUES for x in xs),
    *((f, options, ValueError, named) for f, options, named in BAD_TOGETHER),
]


@pytest.mark.parametrize(
    ("functions", "options", "kind", "named"), BAD_OPTIONS, ids=range(len(BAD_OPTIONS))
)
def test_bad_options(functions, options, kind, named):
    """They are checked before any work."""
    for function in functions:
        found, message = error_of(function, ["a b c"], ["a b c"], **{"tokenizer": boom, **options})
        assert found is kind
        assert named in message


def test_names_elsewhere_are_for_names_that_exist():
    known = {"predictions", "references", "prediction", "reference", "baseline_predictions"}
    known |= {"rouge1", *STEMMERS, *RougeOptions.presets, *BleuOptions.presets}
    for declarations in (RougeOptions.declarations(), BleuOptions.declarations()):
        checks = [option.check for option in declarations.values()]
        choices = [getattr(check, "keywords", {}).get("choices", ()) for check in checks]
        known |= {*declarations, *chain(*choices)}
    assert not set(chain(*_NAMES_HERE.values())) - known


# --- functions of the user ------------------------------------------------------------------------


def nested(depth):
    return reduce(lambda inner, _: [inner], range(depth), "a")


NO_STRINGS = ["a b", None, [1], ["a", None], ["a", b"b"], np.array(["a"]), iter("a"), {"a": 1}]
BAD_RETURNS = [  # functions, an option, what its function returns, the type of the error
    *((BOTH, "tokenizer", x, TypeError) for x in (*NO_STRINGS, nested(100_000))),
    *((ROUGE, "sentence_splitter", x, TypeError) for x in ("a b", None, ["a", 1], nested(100_000))),
    *((ROUGE, "stemmer", x, TypeError) for x in (None, b"a", ["a"], nested(100_000))),
    (BOTH, "tokenizer", ["a", "a\udfff b"], ValueError),  # half of a character
    (ROUGE, "sentence_splitter", ["a", "a\udfff b"], ValueError),
    (ROUGE, "stemmer", "a\udfff b", ValueError),
]


@pytest.mark.parametrize(
    ("functions", "option", "returned", "kind"), BAD_RETURNS, ids=range(len(BAD_RETURNS))
)
def test_what_a_function_may_not_return(functions, option, returned, kind):
    """The error names the function, and the half of a character."""
    calls = [(function, {}) for function in functions] + [(rouge, PERL)]
    for function, options in calls:
        for texts in ((["a"], ["b"]), (["a b", "a"], [["b", "a"], ["a"]])):
            found, message = error_of(function, *texts, **options, **{option: lambda _: returned})
            assert found is kind
            assert message.startswith(f"{option} must return")
            assert kind is TypeError or r"\udfff" in message


@pytest.mark.parametrize("option", ["tokenizer", "stemmer", "sentence_splitter"])
def test_its_own_error_passes_through_as_it_is(option):
    """As of a tokenizer of a user that writes to a file or calls a C library."""
    for preset in (None, "rouge-1.5.5"):
        with pytest.raises(UnicodeEncodeError) as error:
            rouge(["a b"], ["a b"], preset=preset, **{option: lambda text: "\ud800".encode()})
        assert error.traceback[-1].name == "<lambda>"
        assert error.value.__cause__ is None


@pytest.mark.parametrize("name", ["tokenizer", "sentence_splitter"])
def test_for_one_example_a_function_is_called_once_for_each_text(name):
    calls = []
    options = RougeOptions(**{name: lambda text: calls.append(text) or [text]})
    remembered = getattr(options.for_one_example(), name)
    assert [remembered(text) for text in "aba"] == [["a"], ["b"], ["a"]]
    assert calls == ["a", "b"]


# --- values that are accepted ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        (RougeOptions, {"output": "all", "seed": 3, "paired_test": "bootstrap"}),
        (BleuOptions, {"output": "score", "seed": 3, "paired_test": "bootstrap"}),
        (BleuOptions, {"level": "sentence", "signature": True}),
        (RougeOptions, {**PERL, "corpus_average": "tokens", "document_order": "string"}),
    ],
)
def test_for_one_example_options_of_a_corpus_have_their_default(kind, options):
    of_both = {"n_jobs": 2, "confidence_level": 0.9, "n_resamples": 10}
    given = kind(lowercase=True, **of_both, **options)
    expected = kind(lowercase=True, use_aggregator=False, preset=options.get("preset"))
    assert given.for_one_example() == expected


@pytest.mark.parametrize("types", ["all", ["all"], np.array(["all"])])
def test_all_rouge_types(types):
    assert rouge(["a b c"], ["a b c"], rouge_types=types) == rouge(["a b c"], ["a b c"])


def test_options_may_be_numpy_scalars():
    texts = ["a b c"], [["a b", "c b a"]]
    plain = {"use_aggregator": False, "use_stemmer": True, "beta": 2.0, "zero_division": 0.0}
    options = {name: np.asarray(value)[()] for name, value in plain.items()}
    assert rouge(*texts, **options) == rouge(*texts, **plain)
    options = {"smooth": np.True_, "max_order": np.int64(2), "zero_division": np.int64(0)}
    assert bleu(*texts, **options) == bleu(*texts, smooth=True, max_order=2, zero_division=0)


@pytest.mark.parametrize(
    ("function", "name", "values"),
    [(rouge, "rouge_types", ["rouge1", "rouge2"]), (bleu, "weights", [1, 2])],
)
def test_a_list_may_change_between_calls(function, name, values):
    given = values[:1]
    first = function(["a b"], ["a c"], **{name: given})
    given.append(values[1])
    assert function(["a b"], ["a c"], **{name: given}) != first


def test_equal_values_of_different_types_are_different_options():
    """A call does not take the options of another call for its own."""
    for function, name, value, other in (
        (bleu, "lowercase", True, 1),
        (bleu, "max_order", 1, True),
        (rouge, "beta", 1, True),
        (rouge, "n_jobs", 1, 1.0),
        (rouge, "rouge_types", ["rouge1"], ["rouge1", b"rouge2"]),
    ):
        function(["a"], ["a"], **{name: value})
        assert error_of(function, ["a"], ["a"], **{name: other})[0] in (TypeError, ValueError)
    assert math.copysign(1, rouge([""], [""], zero_division=0.0)["rouge1"]) == 1
    assert math.copysign(1, rouge([""], [""], zero_division=-0.0)["rouge1"]) == -1


# --- options of load ------------------------------------------------------------------------------

# Two references each, none of them empty, which preset "rouge-1.5.5" refuses.
REFERENCES = [[text, "on the mat the cat"] for text in FIRST_REFERENCES]
DATA = {"predictions": PREDICTIONS, "references": REFERENCES}


def score(metric, **options):
    """Return the result as text, since NaN differs from itself."""
    return repr(metric.compute(**DATA, **options))


ALL, PRECISION = {"output": "all"}, {"output": "precision", "beta": 0.0}
MATLAB = {"preset": "matlab"}
SCORE, TOKENS = {"preset": "rouge_score"}, {"corpus_average": "tokens"}
F, RECALL = {"output": "fmeasure"}, {"output": "recall"}
SEVEN = {"seed": 7}
SACREBLEU = {
    "preset": "nrefs:2|bs:50|seed:12345|case:mixed|eff:no|tok:13a|smooth:exp|version:2.3.1"
}
OF_ROUGE, OF_BLEU = "rouge_full", "bleu_full"
PRECEDENCE = [  # a metric, configuration and options of load, options of compute, the effective ones
    (OF_ROUGE, None, PERL | {"confidence_level": 0.9}, {}, PERL | {"confidence_level": 0.9}),
    (OF_ROUGE, "matlab", {}, {}, MATLAB),
    (OF_ROUGE, "matlab", ALL, {}, MATLAB | ALL),  # an option of load over its preset
    (OF_ROUGE, "matlab", {}, F, MATLAB | F),  # one of compute over the preset of load
    (OF_ROUGE, None, PRECISION, PERL, PERL | {"beta": 0.0}),  # the preset of compute over load
    (OF_ROUGE, None, PRECISION, PERL | RECALL, PERL | RECALL | {"beta": 0.0}),
    (OF_ROUGE, "matlab", ALL, SCORE, SCORE | ALL),  # another preset, or none, in place of load's
    (OF_ROUGE, "matlab", ALL, {"preset": None}, ALL),
    (OF_ROUGE, None, {"rouge_types": ["rouge1"]}, {"rouge_types": None}, {}),  # None is a value
    (OF_ROUGE, "rouge-1.5.5", TOKENS, PERL, PERL | TOKENS),  # the same preset again
    (OF_ROUGE, None, {"rouge_types": ["rougeW-0.5"]}, PERL, PERL),
    (OF_ROUGE, None, {"use_stemmer": True}, PORTER, PORTER),  # this preset sets `stemmer`
    (OF_BLEU, "sacrebleu", {}, {}, {"preset": "sacrebleu"}),
    # A combination is checked when a score is computed: its other half may come in compute.
    (OF_BLEU, None, {"smoothing_value": 0.01}, FLOOR, FLOOR | {"smoothing_value": 0.01}),
    (OF_BLEU, None, {"smooth": True}, {"smoothing": "exp", "smooth": False}, {"smoothing": "exp"}),
    (OF_BLEU, None, SACREBLEU | SEVEN, {}, SACREBLEU | SEVEN),
    (OF_BLEU, None, SEVEN, SACREBLEU, SACREBLEU),
]


@pytest.mark.parametrize(("name", "preset", "of_load", "of_compute", "together"), PRECEDENCE)
def test_precedence(load, name, preset, of_load, of_compute, together):
    metric = load(name, preset, **of_load)
    assert score(metric, **of_compute) == score(load(name), **together)
    metric.add_batch(**DATA)
    assert repr(metric.compute(**of_compute)) == score(metric, **of_compute)


BAD_AT_LOAD = [
    (OF_BLEU, None, {"frobnicate": 1}, TypeError, "max_order"),
    (OF_ROUGE, None, {"rouge_type": ["rouge1"]}, TypeError, "'rouge_types'"),
    (OF_ROUGE, None, {"keep_in_memroy": True}, TypeError, "'keep_in_memory'"),
    (OF_BLEU, None, {"rouge_types": ["rouge1"]}, TypeError, "rouge_types"),
    (OF_ROUGE, "rouge-1.5", {}, ValueError, "'rouge-1.5.5'"),
    (OF_ROUGE, None, {"preset": "default"}, ValueError, "coco-caption, "),
    (OF_ROUGE, "matlab", {"preset": "evaluate"}, ValueError, "two presets"),
    (OF_ROUGE, "matlab", {"preset": None}, ValueError, "two presets"),
    (OF_ROUGE, None, {"stopwords": [1]}, TypeError, "stopwords"),
    (OF_BLEU, None, {"weights": [-1]}, ValueError, "weights"),
    *((OF_BLEU, None, {"seed": seed}, ValueError, "seed") for seed in (-1, 1.0, True, 2**32)),
]


@pytest.mark.parametrize(("name", "config_name", "options", "kind", "named"), BAD_AT_LOAD)
def test_what_load_refuses(load, tmp_path, name, config_name, options, kind, named):
    found, message = error_of(load, name, config_name, **options)
    assert found is kind
    assert named in message
    assert list(tmp_path.iterdir()) == []


def test_what_is_seen_of_load(load):
    for config_name in ((), (None,), ("default",)):
        metric = load("rouge_full", *config_name)
        assert (metric.load_options, metric.config_name) == ({}, "default")
        assert load("rouge_full", *config_name, preset="matlab").load_options == MATLAB
    metric = load("rouge_full", "matlab", preset="matlab", seed=np.int64(3))
    assert (metric.load_options, metric.load_seed) == (MATLAB, 3)
    arguments = {"process_id": 0, "num_process": 1, "experiment_id": "x", "seed": 1}
    arguments |= {"keep_in_memory": True, "max_concurrent_cache_files": 3, "timeout": 2}
    arguments["trust_remote_code"] = True  # which `evaluate`'s own metrics ignore too
    assert load("rouge_full", **arguments).load_options == {}
    # The others are given by evaluate.load itself, and by `load` of this test.
    assert {*LOAD_ARGUMENTS} == {*arguments, "config_name", "cache_dir", "hash"}


def test_load_options_cannot_be_changed_later(load):
    """An iterator is read once."""
    types, weights = ["rouge1"], {"bleu1": [1.0], "bleu2": np.array([1.0, 1.0])}
    rouge = load("rouge_full", rouge_types=types, stopwords=iter(["the", "cat"]))
    bleu = load("bleu_full", weights=weights)
    before = score(rouge), score(bleu)
    assert before[0] == score(load("rouge_full"), stopwords=["the", "cat"], rouge_types=["rouge1"])
    for given in (types, rouge.load_options["rouge_types"]):
        given.append("rouge2")
    for given in (weights, bleu.load_options["weights"]):
        given["bleu1"][0] = given["bleu2"][0] = 7.0
        given["bleu3"] = [1, 1, 1]
    rouge.load_options["output"] = "all"
    with pytest.raises(AttributeError):
        rouge.load_options = {}
    assert (score(rouge), score(bleu)) == before
    assert rouge.load_options["rouge_types"] == ["rouge1"]
    assert "output" not in rouge.load_options


@pytest.mark.parametrize("options", [{"rouge_types": ["rouge2"]}, {"max_order": 3}])
def test_combine(load, options):
    """An option that only one metric knows is refused before any data is used."""
    both = [load("rouge_full", rouge_types=["rouge1"]), load("bleu_full", max_order=2)]
    combined, (option,) = evaluate.combine(both), options
    once = combined.compute(**DATA)
    assert once == both[0].compute(**DATA) | both[1].compute(**DATA)
    of_items = combined.compute(**DATA, use_aggregator=False)  # goes to both
    assert (len(of_items["rouge1"]), len(of_items["bleu"])) == (10, 10)
    combined.add_batch(**DATA)
    with pytest.raises(TypeError, match=option):
        combined.compute(**options)
    assert list(map(len, combined.evaluation_modules)) == [10, 10]
    assert combined.compute() == once
    with pytest.raises(ValueError, match="nothing to score"):
        combined.compute()
