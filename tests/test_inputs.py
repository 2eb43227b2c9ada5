"""What may be passed to the metrics, and the message for everything else."""

import dataclasses
import math
from collections import deque

import datasets
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from full_metrics.bleu_options import BleuOptions
from full_metrics.corpus import checked_corpus
from full_metrics.messages import shown
from full_metrics.rouge_options import RougeOptions
from full_metrics.tokenization import TOKENIZER_NAMES


@pytest.fixture(params=["rouge_full", "bleu_full"])
def metric(request):
    return request.getfixturevalue(request.param)


def error_of(function, *args, **kwargs):
    """Return the type and the whole message of the error that a call raises."""
    with pytest.raises(Exception) as raised:  # noqa: PT011
        function(*args, **kwargs)
    return type(raised.value), str(raised.value)


# --- what is refused ------------------------------------------------------------------------------

CORPUS = "predictions must be a list of strings or of lists of tokens, got "
REFERENCES = "references must be a list with one reference, or one list of references, for each prediction, got "
FIRST = "predictions[0] must be a string or a list of tokens, got "
TEXT_REFERENCE = (
    "references[{}] must be a string or a list of strings, the same for all items, got "
)
TOKEN_REFERENCE = "references[{}] must be a list of tokens, or a list of such lists, since predictions are lists of tokens, got "
INTO_A_LIST = ": put a single text into a list"
DECODE_IDS = ": decode token ids to text first"
DECODE = ": decode it first"
BY_RANK = ": give one list of references for each prediction, not one for each set of references"
MISSING_OF_PANDAS = pd.Series(["a", None])[1]
MISSING = ": if a value is missing, put an empty string there"
LENGTHS = "predictions and references must have the same length, got {} and {}"
NO_REFERENCE = "references[{}] is empty: each prediction needs at least one reference"
SURROGATE = " must be valid Unicode text, got a lone surrogate '{}' at position {}"


class Shown:
    """Something whose text does not change from run to run."""

    def __init__(self, text):
        self.text = text

    def __repr__(self):
        return self.text


BAD_CORPORA = {  # predictions, references, type of the error, its message
    # a text, or something else, in the place of the corpus
    "text for predictions": ("hello", ["hello"], TypeError, CORPUS + "str 'hello'" + INTO_A_LIST),
    "text for references": (
        ["hello"],
        "hello",
        TypeError,
        REFERENCES + "str 'hello'" + INTO_A_LIST,
    ),
    "texts for both": ("hello", "hallo", TypeError, CORPUS + "str 'hello'" + INTO_A_LIST),
    "bytes for predictions": (b"hello", ["hello"], TypeError, CORPUS + "bytes b'hello'" + DECODE),
    "number for predictions": (42, ["a"], TypeError, CORPUS + "int 42" + DECODE_IDS),
    "array without dimensions": (
        np.array("a"),
        ["a"],
        TypeError,
        CORPUS + f"ndarray {np.array('a')!r}",
    ),
    "dict for predictions": ({"a": 1}, ["a"], TypeError, CORPUS + "dict {'a': 1}"),
    "dict for references": (["a"], {"a": 1}, TypeError, REFERENCES + "dict {'a': 1}"),
    "set for predictions": ({"a"}, ["a"], TypeError, CORPUS + "set {'a'}"),
    "set for references": (["a"], {"a"}, TypeError, REFERENCES + "set {'a'}"),
    "object for predictions": (Shown("texts"), ["a"], TypeError, CORPUS + "Shown texts"),
    "long object for predictions": (
        Shown("x" * 61),
        ["a"],
        TypeError,
        CORPUS + "Shown " + "x" * 57 + "...",
    ),
    "predictions missing": (
        None,
        ["a"],
        ValueError,
        "predictions is missing: give predictions and references together",
    ),
    "references missing": (
        ["a"],
        None,
        ValueError,
        "references is missing: give predictions and references together",
    ),
    # lengths
    "fewer references": (["a", "b"], ["a"], ValueError, LENGTHS.format(2, 1)),
    "fewer predictions": (["a"], ["a", "b"], ValueError, LENGTHS.format(1, 2)),
    "no references": (["a"], [], ValueError, LENGTHS.format(1, 0)),
    "no predictions": ([], ["a"], ValueError, LENGTHS.format(0, 1)),
    "references by rank as in sacrebleu": (
        ["a", "b", "c"],
        [["a", "b", "c"]],
        ValueError,
        LENGTHS.format(3, 1) + BY_RANK,
    ),
    # predictions
    "first prediction None": ([None], ["a"], TypeError, FIRST + "None"),
    "first prediction int": ([1], ["a"], TypeError, FIRST + "int 1" + DECODE_IDS),
    "first prediction numpy int": (
        np.array([7, 8]),
        ["a", "b"],
        TypeError,
        FIRST + "int 7" + DECODE_IDS,
    ),
    "first prediction float": ([1.5], ["a"], TypeError, FIRST + "float 1.5"),
    "first prediction bool": ([True], ["a"], TypeError, FIRST + "bool True"),
    "first prediction bytes": ([b"a"], ["a"], TypeError, FIRST + "bytes b'a'" + DECODE),
    "first prediction bytearray": (
        [bytearray(b"a")],
        ["a"],
        TypeError,
        FIRST + "bytearray bytearray(b'a')" + DECODE,
    ),
    "first prediction dict": ([{"text": "a"}], ["a"], TypeError, FIRST + "dict {'text': 'a'}"),
    "first prediction set": ([{"a"}], ["a"], TypeError, FIRST + "set {'a'}"),
    "prediction None": (
        ["a", None],
        ["a", "b"],
        TypeError,
        "predictions[1] must be a string like predictions[0], got None",
    ),
    "prediction nan": (
        ["a", math.nan],
        ["a", "b"],
        TypeError,
        "predictions[1] must be a string like predictions[0], got float nan" + MISSING,
    ),
    "prediction int": (
        ["a", 1],
        ["a", "b"],
        TypeError,
        "predictions[1] must be a string like predictions[0], got int 1" + DECODE_IDS,
    ),
    "prediction bytes": (
        ["a", b"b"],
        ["a", "b"],
        TypeError,
        "predictions[1] must be a string like predictions[0], got bytes b'b'" + DECODE,
    ),
    "text, then tokens": (
        ["a", ["b"]],
        ["a", "b"],
        TypeError,
        "predictions[1] must be a string like predictions[0], got list ['b']",
    ),
    "missing value in a series": (
        pd.Series(["a", None]),
        ["a", "b"],
        TypeError,
        # what a missing value is depends on the version of pandas: None or NaN
        f"predictions[1] must be a string like predictions[0], got {shown(MISSING_OF_PANDAS)}{'' if MISSING_OF_PANDAS is None else MISSING}",
    ),
    "null in an arrow array": (
        pa.array(["a", None]),
        ["a", "b"],
        TypeError,
        "predictions[1] must be a string like predictions[0], got None",
    ),
    # references of texts
    "first reference None": (["a"], [None], TypeError, TEXT_REFERENCE.format(0) + "None"),
    "first reference int": (["a"], [2], TypeError, TEXT_REFERENCE.format(0) + "int 2" + DECODE_IDS),
    "first reference float": (["a"], [1.5], TypeError, TEXT_REFERENCE.format(0) + "float 1.5"),
    "first reference bytes": (
        ["a"],
        [b"a"],
        TypeError,
        TEXT_REFERENCE.format(0) + "bytes b'a'" + DECODE,
    ),
    "first reference set": (["a"], [{"a"}], TypeError, TEXT_REFERENCE.format(0) + "set {'a'}"),
    "first reference dict": (
        ["a"],
        [{"text": "a"}],
        TypeError,
        TEXT_REFERENCE.format(0) + "dict {'text': 'a'}",
    ),
    "reference None": (
        ["a", "b"],
        ["a", None],
        TypeError,
        "references[1] must be a string like references[0], got None",
    ),
    "reference int": (
        ["a", "b"],
        ["a", 5],
        TypeError,
        "references[1] must be a string like references[0], got int 5" + DECODE_IDS,
    ),
    "text, then list": (
        ["a", "b"],
        ["c", ["d"]],
        TypeError,
        "references[1] must be a string like references[0], got list ['d']",
    ),
    "list, then text": (
        ["a", "b"],
        [["c"], "def"],
        TypeError,
        TEXT_REFERENCE.format(1) + "str 'def'" + INTO_A_LIST,
    ),
    "list, then None": (["a", "b"], [["c"], None], TypeError, TEXT_REFERENCE.format(1) + "None"),
    "nested reference None": (
        ["a"],
        [["b", None]],
        TypeError,
        "references[0][1] must be a string, got None",
    ),
    "nested reference int": (
        ["a", "b"],
        [["c"], ["d", 5]],
        TypeError,
        "references[1][1] must be a string, got int 5" + DECODE_IDS,
    ),
    "nested reference bytes": (
        ["a"],
        [[b"b"]],
        TypeError,
        "references[0][0] must be a string, got bytes b'b'" + DECODE,
    ),
    "nested too deep": (
        ["a"],
        [[["b"]]],
        TypeError,
        "references[0][0] must be a string, got list ['b']",
    ),
    "tokens for a text": (
        ["a b"],
        [[["a", "b"], ["c"]]],
        TypeError,
        "references[0][0] must be a string, got list ['a', 'b']",
    ),
    "no reference": (["a"], [[]], ValueError, NO_REFERENCE.format(0)),
    "no reference later": (
        ["a", "b", "c"],
        [["a"], ["b", "c"], []],
        ValueError,
        NO_REFERENCE.format(2),
    ),
    # tokens
    "texts in lists": (
        [["a cat sat"], ["a dog"]],
        [["a cat"], ["a dog"]],
        ValueError,
        "predictions[0] is a list with one text, which would count as one token, got list ['a cat sat']: give the text itself",
    ),
    "token ids": (
        [[1, 2]],
        [[1, 2]],
        TypeError,
        "predictions[0][0] must be a string, got int 1" + DECODE_IDS,
    ),
    "token None": (
        [["a"], ["b", None]],
        [["a"], ["b"]],
        TypeError,
        "predictions[1][1] must be a string, got None",
    ),
    "token list": (
        [["a", ["b"]]],
        [["a"]],
        TypeError,
        "predictions[0][1] must be a string, got list ['b']",
    ),
    "tokens, then None": (
        [["a"], None],
        [["a"], ["b"]],
        TypeError,
        "predictions[1] must be a list of tokens like predictions[0], got None",
    ),
    "reference None, tokens": ([["a"]], [None], TypeError, TOKEN_REFERENCE.format(0) + "None"),
    "reference token None": (
        [["a"]],
        [["b", None]],
        TypeError,
        "references[0][1] must be a string, got None",
    ),
    "reference token id": (
        [["a"]],
        [[["a"], ["b", 1]]],
        TypeError,
        "references[0][1][1] must be a string, got int 1" + DECODE_IDS,
    ),
    "flat, then nested": (
        [["a"], ["b"]],
        [["a"], [["b"]]],
        TypeError,
        "references[1][0] must be a string, got list ['b']",
    ),
    "nested reference None, tokens": (
        [["a"]],
        [[["a"], None]],
        TypeError,
        "references[0][1] must be a list of tokens, got None",
    ),
    "nested too deep, tokens": (
        [["a"]],
        [[[["a"]]]],
        TypeError,
        "references[0][0][0] must be a string, got list ['a']",
    ),
    "no reference, tokens": ([["a"], ["b"]], [[["a"]], []], ValueError, NO_REFERENCE.format(1)),
    # half of a character
    "surrogate in a prediction": (
        ["a", "b\ud800"],
        ["a", "b"],
        ValueError,
        "predictions[1]" + SURROGATE.format("\\ud800", 1),
    ),
    "surrogate in a reference": (
        ["a"],
        ["\udfff"],
        ValueError,
        "references[0]" + SURROGATE.format("\\udfff", 0),
    ),
    "surrogate in one of the references": (
        ["a"],
        [["b", "xy\udfff"]],
        ValueError,
        "references[0][1]" + SURROGATE.format("\\udfff", 2),
    ),
}
NOTHING_TO_SCORE = (
    "nothing to score: give predictions and references, or call add or add_batch first"
)
MISSING = "{} is missing: give prediction and reference together"


@pytest.mark.parametrize("method", ["compute", "add_batch"])
@pytest.mark.parametrize(
    ("predictions", "references", "kind", "message"), BAD_CORPORA.values(), ids=BAD_CORPORA
)
def test_bad_corpora(metric, method, predictions, references, kind, message):
    assert error_of(getattr(metric, method), predictions=predictions, references=references) == (
        kind,
        message,
    )
    assert len(metric) == 0


BAD_ITEMS = {
    name: (predictions[0], references[0], kind, message)
    for name, (predictions, references, kind, message) in BAD_CORPORA.items()
    if type(predictions) is list
    and type(references) is list
    and len(predictions) == len(references) == 1
}


@pytest.mark.parametrize(
    "names",
    [("prediction", "reference"), ("predictions", "references")],
    ids=["singular", "plural"],
)
@pytest.mark.parametrize(
    ("prediction", "reference", "kind", "message"), BAD_ITEMS.values(), ids=BAD_ITEMS
)
def test_bad_items(metric, names, prediction, reference, kind, message):
    """`add` says of the item what the others say of item 0."""
    if prediction is None or reference is None:
        kind, message = (
            ValueError,
            MISSING.format("prediction" if prediction is None else "reference"),
        )
    message = message.replace("predictions[0]", "prediction").replace("references[0]", "reference")
    assert error_of(metric.add, **dict(zip(names, (prediction, reference), strict=True))) == (
        kind,
        message,
    )
    assert len(metric) == 0


def test_bad_items_are_many():
    assert len(BAD_ITEMS) > 20


def test_messages_of_add(metric):
    assert error_of(metric.add) == (ValueError, MISSING.format("prediction"))
    assert error_of(metric.add, prediction="a") == (ValueError, MISSING.format("reference"))
    assert error_of(metric.add, prediction="a", reference=["b", 1]) == (
        TypeError,
        "reference[1] must be a string, got int 1" + DECODE_IDS,
    )
    assert error_of(metric.add, prediction=["a", 1], reference=["b"]) == (
        TypeError,
        "prediction[1] must be a string, got int 1" + DECODE_IDS,
    )
    assert error_of(metric.add, prediction="a", reference=[]) == (
        ValueError,
        "reference is empty: each prediction needs at least one reference",
    )
    assert error_of(metric.add, prediction="\ud800", reference="a") == (
        ValueError,
        "prediction" + SURROGATE.format("\\ud800", 0),
    )


def test_nothing_to_score(metric):
    assert error_of(metric.compute) == (ValueError, NOTHING_TO_SCORE)
    assert error_of(metric.compute, predictions=None, references=None) == (
        ValueError,
        NOTHING_TO_SCORE,
    )
    assert error_of(metric.add_batch) == (
        ValueError,
        "predictions is missing: give predictions and references together",
    )
    for empty in ([], (), np.array([]), pd.Series([], dtype=object)):
        assert error_of(metric.compute, predictions=empty, references=empty) == (
            ValueError,
            "predictions is empty: there is nothing to score",
        )


@pytest.mark.parametrize("side", ["predictions", "references"])
def test_iterators_are_refused_unread(metric, side):
    texts = iter(["a", "b"])
    kind, message = error_of(
        metric.compute, **({"predictions": ["a", "b"], "references": ["a", "b"]} | {side: texts})
    )
    assert kind is TypeError
    assert message == f"{CORPUS if side == 'predictions' else REFERENCES}list_iterator {texts!r}"
    assert list(texts) == ["a", "b"]
    kind, message = error_of(
        metric.add_batch, predictions=(text for text in "ab"), references=["a", "b"]
    )
    assert kind is TypeError
    assert message.startswith(CORPUS + "generator <generator object")


def test_mixed_texts_and_tokens_name_what_is_expected(metric):
    """The hint behind the value is not part of what is tested here."""
    for predictions, references, expected in (
        (
            [["a"], "b"],
            [["a"], ["b"]],
            "predictions[1] must be a list of tokens like predictions[0], got str 'b'",
        ),
        ([["a"]], ["a b"], TOKEN_REFERENCE.format(0) + "str 'a b'"),
        ([["a"]], [[["a"], "b"]], "references[0][1] must be a list of tokens, got str 'b'"),
    ):
        for method in (metric.compute, metric.add_batch):
            kind, message = error_of(method, predictions=predictions, references=references)
            assert kind is TypeError
            assert message.startswith(expected)


@pytest.mark.parametrize("where", ["predictions", "references", "nested references"])
def test_surrogates_in_tokens_name_the_item(metric, where):
    bad = ["a", "b\udc80"]
    predictions, references = {
        "predictions": ([bad], [["a"]]),
        "references": ([["a"]], [bad]),
        "nested references": ([["a"]], [[["a"], bad]]),
    }[where]
    kind, message = error_of(metric.compute, predictions=predictions, references=references)
    assert kind is ValueError
    place = {
        "predictions": "predictions[0]",
        "references": "references[0]",
        "nested references": "references[0][1]",
    }[where]
    assert message.startswith(place)
    assert message.endswith(
        "must be valid Unicode text, got a lone surrogate '\\udc80' at position 1"
    )


def test_input_is_checked_before_any_work(metric):
    def tokenizer(text):
        raise AssertionError("called")

    for predictions, references, kind, message in BAD_CORPORA.values():
        assert error_of(
            metric.compute, predictions=predictions, references=references, tokenizer=tokenizer
        ) == (kind, message)


def test_arguments_have_names(metric):
    for method in (metric.compute, metric.add_batch, metric.add):
        with pytest.raises(TypeError, match="takes its arguments by name: prediction"):
            method(["a"], ["a"])
    for method in (metric.add_batch, metric.add):
        with pytest.raises(TypeError, match="unexpected keyword argument 'sources'"):
            method(predictions=["a"], references=["a"], sources=["a"])


# --- options --------------------------------------------------------------------------------------

TYPES = (
    " must be rouge1, rouge2, ..., rougeL, rougeLsum, rougeW, rougeS or rougeSU "
    "(W with an optional weight as in rougeW-1.5, S and SU with an optional number as in rougeS4), got "
)
WEIGHT = "rouge_types[0] must have a weight from 1 to 20, got "
TYPE_LIST = "rouge_types must be a list of rouge types such as ['rouge1', 'rougeL'], got "
OUTPUT = "output must be 'precision', 'recall', 'fmeasure' or 'all', got "
BETA = "beta must be a number >= 0, or math.inf, got "
ZERO = "zero_division must be 0.0 or math.nan, got "
TOKENIZER = "tokenizer must be a name or a function from a string to a list of strings, got "
NAMES = f"tokenizer must be {', '.join(map(repr, TOKENIZER_NAMES[:-1]))} or {TOKENIZER_NAMES[-1]!r}, got "
TOKENS = "tokenizer must return a list of strings for each text, got "
UNKNOWN = "compute() got an unexpected keyword argument "
NUMBERS = "weights must be a list of numbers, one for each order, got "
FINITE = "weights must be one or more finite numbers >= 0, not all of them 0, got "
PARTS = "'precisions', 'brevity_penalty', 'length_ratio', 'translation_length', 'reference_length', 'counts', 'totals'"
WEIGHT_NAMES = f"weights must have strings other than {PARTS} as names, got "
ORDER = "max_order must be an integer >= 1, got "
LENGTH = "reference_length must be 'closest', 'shortest' or 'average', got "


def names_of(options_class):
    return ", it takes " + ", ".join(
        ["predictions", "references", *(field.name for field in dataclasses.fields(options_class))]
    )


BAD_OPTIONS_OF_BOTH = [  # options, type of the error, its message
    ({"tokeniser": "13a"}, TypeError, UNKNOWN + "'tokeniser'. Did you mean 'tokenizer'?"),
    ({"preds": ["a"]}, TypeError, UNKNOWN + "'preds'. Did you mean 'predictions'?"),
    ({"reference": ["a"]}, TypeError, UNKNOWN + "'reference'. Did you mean 'references'?"),
    (
        {"use_agregator": False},
        TypeError,
        UNKNOWN + "'use_agregator'. Did you mean 'use_aggregator'?",
    ),
    ({"Zero_division": 0}, TypeError, UNKNOWN + "'Zero_division'. Did you mean 'zero_division'?"),
    ({"use_aggregator": None}, TypeError, "use_aggregator must be True or False, got None"),
    ({"use_aggregator": "no"}, TypeError, "use_aggregator must be True or False, got str 'no'"),
    ({"zero_division": 1}, ValueError, ZERO + "1"),
    ({"zero_division": "nan"}, ValueError, ZERO + "'nan'"),
    ({"zero_division": None}, ValueError, ZERO + "None"),
    ({"zero_division": False}, ValueError, ZERO + "False"),
    ({"tokenizer": 13}, TypeError, TOKENIZER + "int 13"),
    ({"tokenizer": ["13a"]}, TypeError, TOKENIZER + "list ['13a']"),
    ({"tokenizer": "no such tokenizer"}, ValueError, NAMES + "'no such tokenizer'"),
    ({"tokenizer": "white-space"}, ValueError, NAMES + "'white-space'. Did you mean 'whitespace'?"),
    ({"tokenizer": str.encode}, TypeError, TOKENS + "b'a b c'"),
    ({"tokenizer": str.lower}, TypeError, TOKENS + "'a b c'"),
    ({"tokenizer": lambda text: None}, TypeError, TOKENS + "None"),
    ({"tokenizer": lambda text: ["a", 1]}, TypeError, TOKENS + "['a', 1]"),
]
BAD_ROUGE_OPTIONS = [
    ({"frobnicate": 1}, TypeError, UNKNOWN + "'frobnicate'" + names_of(RougeOptions)),
    ({"rouge_type": ["rouge1"]}, TypeError, UNKNOWN + "'rouge_type'. Did you mean 'rouge_types'?"),
    ({"rouge_types": "rouge1"}, TypeError, TYPE_LIST + "str 'rouge1'"),
    ({"rouge_types": {"rouge1"}}, TypeError, TYPE_LIST + "set {'rouge1'}"),
    ({"rouge_types": 1}, TypeError, TYPE_LIST + "int 1"),
    (
        {"rouge_types": []},
        ValueError,
        "rouge_types is empty: name at least one rouge type, or leave it out for the default ones",
    ),
    *(
        (
            {"rouge_types": ["rouge1", name]},
            ValueError,
            f"rouge_types[1]{TYPES}{name!r}" + (f". Did you mean {meant!r}?" if meant else ""),
        )
        for name, meant in [
            *(
                ("rouge_1", "rouge1"),
                ("ROUGE-1", "rouge1"),
                ("rouge-2", "rouge2"),
                ("rougel", "rougeL"),
                ("rougeLSum", "rougeLsum"),
            ),
            *(("rouge1 ", "rouge1"), ("ROUGE-SU4", "rougeSU4"), ("rougeW-", "rougeW")),
        ]
    ),
    *(
        ({"rouge_types": ["rouge1", name]}, ValueError, f"rouge_types[1]{TYPES}{name!r}")
        for name in (
            *("1", "", "rouge", "rouge0", "rouge01", "rouge1.5"),
            *(
                "rougeW1.2",
                "rougeW--1",
                "rougeW-1e1",
                "rougeS-1",
                "rougeS4.5",
                "rougeS**",
                "rougeSUM",
                "rouge²",
            ),
            *("rouge1\n", None, 1, b"rouge1", ["rouge1"]),
        )
    ),
    *(
        ({"rouge_types": [name]}, ValueError, f"{WEIGHT}{name!r}")
        for name in ("rougeW-0.5", "rougeW-0", "rougeW-20.5", "rougeW-" + "9" * 400)
    ),
    (
        {"rouge_types": ["rouge1001"]},
        ValueError,
        "rouge_types[0] must have an order of at most 1000, got 'rouge1001'",
    ),
    ({"output": "f1"}, ValueError, OUTPUT + "'f1'"),
    ({"output": "fmeasur"}, ValueError, OUTPUT + "'fmeasur'. Did you mean 'fmeasure'?"),
    ({"output": None}, ValueError, OUTPUT + "None"),
    ({"output": ["precision", "recall"]}, ValueError, OUTPUT + "['precision', 'recall']"),
    ({"beta": -1}, ValueError, BETA + "-1"),
    ({"beta": -math.inf}, ValueError, BETA + "-inf"),
    ({"beta": math.nan}, ValueError, BETA + "nan"),
    ({"beta": "2"}, ValueError, BETA + "'2'"),
    ({"beta": None}, ValueError, BETA + "None"),
    ({"beta": True}, ValueError, BETA + "True"),
    ({"use_stemmer": 1}, TypeError, "use_stemmer must be True or False, got int 1"),
    ({"use_stemmer": "porter"}, TypeError, "use_stemmer must be True or False, got str 'porter'"),
]
BAD_BLEU_OPTIONS = [
    ({"frobnicate": 1}, TypeError, UNKNOWN + "'frobnicate'" + names_of(BleuOptions)),
    ({"weight": [1]}, TypeError, UNKNOWN + "'weight'. Did you mean 'weights'?"),
    ({"tokenize": "13a"}, TypeError, UNKNOWN + "'tokenize'. Did you mean 'tokenizer'?"),
    ({"smooth_method": "exp"}, TypeError, UNKNOWN + "'smooth_method'. Did you mean 'smoothing'?"),
    ({"max_ngram_order": 2}, TypeError, UNKNOWN + "'max_ngram_order'. Did you mean 'max_order'?"),
    ({"max_order": 0}, ValueError, ORDER + "0"),
    ({"max_order": 1001}, ValueError, "max_order must be at most 1000, got 1001"),
    ({"max_order": -1}, ValueError, ORDER + "-1"),
    ({"max_order": 1.5}, ValueError, ORDER + "1.5"),
    ({"max_order": "4"}, ValueError, ORDER + "'4'"),
    ({"max_order": True}, ValueError, ORDER + "True"),
    ({"smooth": 1}, TypeError, "smooth must be True or False, got int 1"),
    ({"smooth": "add-k"}, TypeError, "smooth must be True or False, got str 'add-k'"),
    ({"lowercase": "yes"}, TypeError, "lowercase must be True or False, got str 'yes'"),
    ({"effective_order": 0}, TypeError, "effective_order must be True or False, got int 0"),
    ({"reference_length": "median"}, ValueError, LENGTH + "'median'"),
    ({"reference_length": "closst"}, ValueError, LENGTH + "'closst'. Did you mean 'closest'?"),
    ({"reference_length": None}, ValueError, LENGTH + "None"),
    ({"weights": "uniform"}, TypeError, NUMBERS + "str 'uniform'"),
    ({"weights": 1}, TypeError, NUMBERS + "int 1"),
    ({"weights": [1, "2"]}, TypeError, NUMBERS + "list [1, '2']"),
    ({"weights": [1, None]}, TypeError, NUMBERS + "list [1, None]"),
    ({"weights": [True]}, TypeError, NUMBERS + "list [True]"),
    ({"weights": [[1, 1]]}, TypeError, NUMBERS + "list [[1, 1]]"),
    ({"weights": {1}}, TypeError, NUMBERS + "set {1}"),
    ({"weights": []}, ValueError, FINITE + "[]"),
    ({"weights": [0, 0.0]}, ValueError, FINITE + "[0, 0.0]"),
    ({"weights": [1, -1]}, ValueError, FINITE + "[1, -1]"),
    ({"weights": [1, math.nan]}, ValueError, FINITE + "[1, nan]"),
    ({"weights": [1, math.inf]}, ValueError, FINITE + "[1, inf]"),
    (
        {"weights": {}},
        ValueError,
        "weights is empty: give at least one name with its weights, or leave it out for uniform ones",
    ),
    ({"weights": {1: [1]}}, ValueError, WEIGHT_NAMES + "1"),
    ({"weights": {"precisions": [1]}}, ValueError, WEIGHT_NAMES + "'precisions'"),
    (
        {"weights": {"a": [1], "b": 2}},
        TypeError,
        NUMBERS.replace("weights", "weights['b']") + "int 2",
    ),
    (
        {"weights": {"a": [1], "b": []}},
        ValueError,
        FINITE.replace("weights", "weights['b']") + "[]",
    ),
    ({"weights": {"a": [0]}}, ValueError, FINITE.replace("weights", "weights['a']") + "[0]"),
    (
        {"weights": [1, 1], "max_order": 3},
        ValueError,
        "max_order must be 2, the number of weights, or be left out, got 3",
    ),
    (
        {"weights": {"a": [1], "b": [1, 1]}, "max_order": 1},
        ValueError,
        "max_order must be 2, the number of weights, or be left out, got 1",
    ),
]
BAD_OPTIONS = {
    f"{name}-{'-'.join(row[0])}-{number}": (name, *row)  # an id must be the same in every process
    for name, rows in (
        ("rouge_full", BAD_OPTIONS_OF_BOTH + BAD_ROUGE_OPTIONS),
        ("bleu_full", BAD_OPTIONS_OF_BOTH + BAD_BLEU_OPTIONS),
    )
    for number, row in enumerate(rows)
}


@pytest.mark.parametrize(
    ("name", "options", "kind", "message"), BAD_OPTIONS.values(), ids=BAD_OPTIONS
)
def test_bad_options(request, name, options, kind, message):
    metric = request.getfixturevalue(name)
    assert error_of(metric.compute, predictions=["a b c"], references=["a b c"], **options) == (
        kind,
        message,
    )


@pytest.mark.parametrize("value", ["mean", None, 1, ["best"]])
def test_bad_multi_reference(rouge_full, value):
    kind, message = error_of(
        rouge_full.compute, predictions=["a"], references=["a"], multi_reference=value
    )
    assert kind is ValueError
    assert message.startswith("multi_reference must be ")
    assert "'best'" in message
    assert message.endswith(f", got {value!r}")


@pytest.mark.parametrize(
    "weights",
    [np.ones((2, 2)), (weight for weight in [1, 1]), pd.Series([1.0, 1.0])],
    ids=["matrix", "generator", "series"],
)
def test_weights_are_one_list(bleu_full, weights):
    kind, message = error_of(
        bleu_full.compute, predictions=["a"], references=["a"], weights=weights
    )
    assert kind is TypeError
    assert message == f"{NUMBERS}{shown(weights)}"


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


# --- what is accepted -----------------------------------------------------------------------------

TEXTS = ["the cat sat on the mat", "a dog ran", "the mat"]
OTHERS = ["the cat sat on a mat", "the dog ran far", "a mat ran"]
PAIRS = [list(pair) for pair in zip(OTHERS, reversed(TEXTS), strict=True)]
RAGGED = [OTHERS[:1], OTHERS, TEXTS[:2]]
INDEX = [7, 7, -1]


def object_array(values):
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def columns(**values):
    return [datasets.Dataset.from_dict(values)[name] for name in values]


def as_strings(kind):
    return [kind(text) for text in TEXTS], [kind(text) for text in OTHERS]


ACCEPTED_TEXTS = {  # predictions, references, the references as plain lists
    "tuples": (tuple(TEXTS), tuple(OTHERS), OTHERS),
    "tuple of tuples": (tuple(TEXTS), tuple(map(tuple, RAGGED)), RAGGED),
    "deques": (deque(TEXTS), deque(map(deque, RAGGED)), RAGGED),
    "numpy strings": (*as_strings(np.str_), OTHERS),
    "numpy strings in lists": (
        list(map(np.str_, TEXTS)),
        [list(map(np.str_, texts)) for texts in RAGGED],
        RAGGED,
    ),
    "arrays": (np.array(TEXTS), np.array(OTHERS), OTHERS),
    "arrays in lists": (np.array(TEXTS), list(map(np.array, RAGGED)), RAGGED),
    "matrix of references": (np.array(TEXTS), np.array(PAIRS), PAIRS),
    "object arrays": (object_array(TEXTS), object_array(OTHERS), OTHERS),
    "object array of lists": (object_array(TEXTS), object_array(RAGGED), RAGGED),
    "object array of arrays": (
        object_array(TEXTS),
        object_array(list(map(np.array, RAGGED))),
        RAGGED,
    ),
    "series": (pd.Series(TEXTS), pd.Series(OTHERS), OTHERS),
    "series with an index": (
        pd.Series(TEXTS, index=INDEX),
        pd.Series(OTHERS, index=list("xyz")),
        OTHERS,
    ),
    "series of lists with an index": (
        pd.Series(TEXTS, index=INDEX),
        pd.Series(RAGGED, index=INDEX),
        RAGGED,
    ),
    "categories": (pd.Series(TEXTS, dtype="category"), pd.Series(OTHERS, dtype="category"), OTHERS),
    "columns of a frame": (
        *(pd.DataFrame({"p": TEXTS, "r": OTHERS}, index=INDEX)[name] for name in "pr"),
        OTHERS,
    ),
    "columns of a dataset": (*columns(predictions=TEXTS, references=OTHERS), OTHERS),
    "columns of a dataset, lists": (*columns(predictions=TEXTS, references=RAGGED), RAGGED),
    "arrow arrays": (pa.array(TEXTS), pa.array(OTHERS), OTHERS),
    "arrow array of lists": (pa.array(TEXTS, pa.large_string()), pa.array(RAGGED), RAGGED),
    "chunked arrow arrays": (
        pa.chunked_array([TEXTS[:1], TEXTS[1:]]),
        pa.chunked_array([RAGGED[:2], RAGGED[2:]]),
        RAGGED,
    ),
    "one sort each": (
        np.array(TEXTS),
        pd.Series([tuple(RAGGED[0]), np.array(RAGGED[1]), RAGGED[2]], index=INDEX),
        RAGGED,
    ),
}
if hasattr(np.dtypes, "StringDType"):  # since numpy 2
    ACCEPTED_TEXTS["arrays of variable strings"] = (
        *(np.array(side, dtype=np.dtypes.StringDType()) for side in (TEXTS, PAIRS)),
        PAIRS,
    )

TOKENS_OF_TEXTS = [text.split() for text in TEXTS]
TOKENS_OF_OTHERS = [text.split() for text in OTHERS]
TOKENS_OF_RAGGED = [[text.split() for text in texts] for texts in RAGGED]
SQUARE = [["the", "cat"], ["a", "mat"], ["dog", "ran"]]

ACCEPTED_TOKENS = {  # predictions, references, both as plain lists
    "tuples": (
        tuple(map(tuple, TOKENS_OF_TEXTS)),
        tuple(map(tuple, TOKENS_OF_OTHERS)),
        TOKENS_OF_TEXTS,
        TOKENS_OF_OTHERS,
    ),
    "nested tuples": (
        tuple(map(tuple, TOKENS_OF_TEXTS)),
        tuple(tuple(map(tuple, texts)) for texts in TOKENS_OF_RAGGED),
        TOKENS_OF_TEXTS,
        TOKENS_OF_RAGGED,
    ),
    "matrix": (np.array(SQUARE), np.array(SQUARE[::-1]), SQUARE, SQUARE[::-1]),
    "three dimensions": (np.array(SQUARE), np.array([SQUARE] * 3), SQUARE, [SQUARE] * 3),
    "lists of arrays": (
        list(map(np.array, TOKENS_OF_TEXTS)),
        list(map(np.array, TOKENS_OF_OTHERS)),
        TOKENS_OF_TEXTS,
        TOKENS_OF_OTHERS,
    ),
    "object arrays": (
        object_array(TOKENS_OF_TEXTS),
        object_array(TOKENS_OF_RAGGED),
        TOKENS_OF_TEXTS,
        TOKENS_OF_RAGGED,
    ),
    "series": (
        pd.Series(TOKENS_OF_TEXTS, index=INDEX),
        pd.Series(TOKENS_OF_RAGGED, index=INDEX),
        TOKENS_OF_TEXTS,
        TOKENS_OF_RAGGED,
    ),
    "columns of a dataset": (
        *columns(predictions=TOKENS_OF_TEXTS, references=TOKENS_OF_RAGGED),
        TOKENS_OF_TEXTS,
        TOKENS_OF_RAGGED,
    ),
    "arrow arrays": (
        pa.array(TOKENS_OF_TEXTS),
        pa.array(TOKENS_OF_RAGGED),
        TOKENS_OF_TEXTS,
        TOKENS_OF_RAGGED,
    ),
}
ACCEPTED = {
    name: (predictions, references, TEXTS, plain)
    for name, (predictions, references, plain) in ACCEPTED_TEXTS.items()
}
ACCEPTED |= {f"tokens, {name}": row for name, row in ACCEPTED_TOKENS.items()}


@pytest.mark.parametrize(
    ("predictions", "references", "plain_predictions", "plain_references"),
    ACCEPTED.values(),
    ids=ACCEPTED,
)
def test_accepted_forms(metric, predictions, references, plain_predictions, plain_references):
    expected = metric.compute(
        predictions=plain_predictions, references=plain_references, use_aggregator=False
    )
    assert (
        metric.compute(predictions=predictions, references=references, use_aggregator=False)
        == expected
    )
    metric.add_batch(predictions=predictions, references=references)
    assert metric.compute(use_aggregator=False) == expected


@pytest.mark.parametrize(
    ("prediction", "reference", "plain"),
    [
        (np.str_("a b"), np.str_("a c"), ("a b", "a c")),
        ("a b", ("a c", "b"), ("a b", ["a c", "b"])),
        ("a b", np.array(["a c", "b"]), ("a b", ["a c", "b"])),
        ("a b", pd.Series(["a c", "b"], index=[5, 6]), ("a b", ["a c", "b"])),
        (np.array(["a", "b"]), (["a"], ("b",)), (["a", "b"], [["a"], ["b"]])),
    ],
)
def test_accepted_items(metric, prediction, reference, plain):
    expected = metric.compute(predictions=[plain[0]], references=[plain[1]])
    metric.add(prediction=prediction, reference=reference)
    assert metric.compute() == expected
    metric.add(predictions=prediction, references=reference)
    assert metric.compute() == expected


def test_a_corpus_is_flat():
    corpus = checked_corpus(tuple(TEXTS), np.array(PAIRS))
    assert (corpus.predictions, corpus.references) == (
        TEXTS,
        [text for texts in PAIRS for text in texts],
    )
    assert corpus.reference_offsets.tolist() == [0, 2, 4, 6]
    assert corpus.references_of_items == PAIRS
    assert not corpus.is_tokenized
    assert all(type(text) is str for text in corpus.references)
    corpus = checked_corpus(TOKENS_OF_TEXTS, TOKENS_OF_RAGGED)
    assert corpus.is_tokenized
    assert corpus.references_of_items == TOKENS_OF_RAGGED
    assert corpus.reference_offsets.tolist() == [0, 1, 4, 6]


def test_arguments_stay_as_they_are(metric):
    predictions, references = list(TEXTS), [list(texts) for texts in RAGGED]
    metric.compute(predictions=predictions, references=references)
    metric.add_batch(predictions=predictions, references=references)
    metric.compute(predictions=predictions, references=references)
    assert (predictions, references) == (TEXTS, RAGGED)


def test_strange_text_is_text(metric):
    texts = [
        "",
        " ",
        "\0",
        "\x85",
        "\ufeff",
        "\U0010ffff",
        "e\u0301",
        "a" * 10_000,
        "\n" * 5,
        "٣",
        "🤷🏽‍♀️",
    ]
    for result in (
        metric.compute(predictions=texts, references=texts, use_aggregator=False),
        metric.compute(predictions=texts, references=[texts] * 11),
    ):
        assert all(0 <= value <= 1 for value in np.ravel(result.get("bleu", result.get("rouge1"))))
