"""What is no corpus, and the message for it."""

import math
from functools import reduce

import numpy as np
import pandas as pd
import pytest

from helpers.errors import (
    DECODE,
    DECODE_IDS,
    INTO_A_LIST,
    KEYS,
    LIST_OF,
    MISSING_IN_LIST,
    MISSING_ITEM,
    MISSING_TEXT,
    NO_ORDER,
    error_of,
    missing,
)
from helpers.items import boom
from rouge_bleu.corpus import Corpus
from rouge_bleu.messages import shown

CORPUS = "predictions must be a list of strings or of lists of tokens, got "
REFERENCES = (
    "references must be a list with one reference, or one list of references, for each "
    "prediction, got "
)
FIRST = "predictions[0] must be a string or a list of tokens, got "
TEXT_REFERENCE = (
    "references[{}] must be a string or a list of strings, the same for all items, got "
)
TOKEN_REFERENCE = (
    "references[{}] must be a list of tokens, or a list of such lists, since predictions are lists "
    "of tokens, got "
)
BY_RANK = ": give one list of references for each prediction, not one for each set of references"
TOKENS_LIKE_FIRST = "predictions[1] must be a list of tokens like predictions[0], got "
NO_TOKENS = "{} must be a list of tokens, got "
SPLIT = ": split it into tokens as the predictions are"
SWAPPED = (
    ", and predictions[0] is a list of texts: an item has one prediction, and may have several "
    "references. Are the two sides swapped?"
)
OF_LOGITS = ": if these are logits, decode the token ids of the highest to text"
LENGTHS = "predictions and references must have the same length, got {} and {}"
NO_REFERENCE = "references[{}] is empty: each prediction needs at least one reference"
TOO_DEEP = reduce(lambda inner, _: [inner], range(100_000), "a")  # a nested list
SURROGATE = " must be valid Unicode text, got a lone surrogate '{}' at position {}"


class Shown:
    """Something whose text does not change from run to run."""

    def __repr__(self):
        return "x" * 61


OTHER_PREDICTION = "predictions[1] must be a string like predictions[0], got "
OTHER_REFERENCE = "references[1] must be a string like references[0], got "
NO_STRING = "{} must be a string, got "
PANDAS = pd.Series(["a", None])
LOGITS = np.zeros((2, 3, 4), dtype=np.float32)
IDS = np.array([[1, 2], [3, 4]])

# Predictions and references, and what the TypeError says behind the start of its sentence.
TYPE_ERRORS = {
    # a text, or something else, in the place of the corpus
    CORPUS: [
        ("hello", ["hello"], "str 'hello'" + INTO_A_LIST),
        (b"hello", ["hello"], "bytes b'hello'" + DECODE),
        (42, ["a"], "int 42" + DECODE_IDS),
        (np.array("a"), ["a"], f"ndarray {np.array('a')!r}"),
        ({"a": 1}, ["a"], "dict {'a': 1}" + KEYS + "'a'"),
        (Shown(), ["a"], "Shown " + "x" * 57 + "..."),
        (IDS, ["a", "b"], "ndarray of int64, shape (2, 2)" + DECODE_IDS),
        (LOGITS, ["a", "b"], "ndarray of float32, shape (2, 3, 4)" + OF_LOGITS),
    ],
    REFERENCES: [
        (["hello"], "hello", "str 'hello'" + INTO_A_LIST),
        (["a", "b"], IDS, "ndarray of int64, shape (2, 2)" + DECODE_IDS),
    ],
    # predictions
    FIRST: [
        ([None], ["a"], "None" + MISSING_TEXT),
        ([1], ["a"], "int 1" + DECODE_IDS),
        ([1.5], ["a"], "float 1.5"),
        ([True], ["a"], "bool True"),
        ([b"a"], ["a"], "bytes b'a'" + DECODE),
        ([{"a"}], ["a"], "set {'a'}" + NO_ORDER),
    ],
    OTHER_PREDICTION: [
        (["a", None], ["a", "b"], "None" + MISSING_TEXT),
        (["a", math.nan], ["a", "b"], "float nan" + MISSING_TEXT),
        (["a", ["b"]], ["a", "b"], "list ['b']"),
        (["a", {"text": 1}], ["a", "b"], "dict {'text': 1}" + KEYS + "'text'"),  # of a pipeline
        # what a missing value is depends on the version of pandas: None or NaN
        (PANDAS, ["a", "b"], shown(PANDAS[1]) + MISSING_TEXT),
    ],
    # references of texts
    TEXT_REFERENCE.format(0): [
        (["a"], [None], "None" + MISSING_ITEM),
        (["a"], [b"a"], "bytes b'a'" + DECODE),
    ],
    TEXT_REFERENCE.format(1): [
        (["a", "b"], [["c"], "def"], "str 'def'" + INTO_A_LIST),
        (["a", "b"], [["c"], None], "None" + MISSING_ITEM),
    ],
    OTHER_REFERENCE: [
        (["a", "b"], ["a", None], "None" + MISSING_ITEM),
        (["a", "b"], ["c", ["d"]], "list ['d']"),
    ],
    NO_STRING.format("references[0][0]"): [
        (["a"], [[b"b"]], "bytes b'b'" + DECODE),
        (["a"], [[["b"]]], "list ['b']"),
        (["a"], [TOO_DEEP], "list <nested too deeply to show>"),
    ],
    NO_STRING.format("references[0][1]"): [
        (["a"], [["b", None]], "None" + MISSING_IN_LIST),
        ([["a"]], [["b", None]], "None" + MISSING_IN_LIST),
    ],
    NO_STRING.format("references[1][1]"): [(["a", "b"], [["c"], ["d", 5]], "int 5" + DECODE_IDS)],
    # tokens
    NO_STRING.format("predictions[0][0]"): [
        ([[1, 2]], [[1, 2]], "int 1" + DECODE_IDS),
        ([TOO_DEEP], ["a"], "list <nested too deeply to show>"),
    ],
    NO_STRING.format("predictions[0][1]"): [([["a", ["b"]]], [["a"]], "list ['b']")],
    NO_STRING.format("predictions[1][1]"): [
        ([["a"], ["b", None]], [["a"], ["b"]], "None" + MISSING_IN_LIST)
    ],
    TOKENS_LIKE_FIRST: [
        ([["a"], None], [["a"], ["b"]], "None" + missing("put an empty list there")),
        ([["a"], "b"], [["a"], ["b"]], "str 'b'" + SPLIT),
    ],
    TOKEN_REFERENCE.format(0): [
        ([["a"]], [None], "None" + MISSING_ITEM),
        ([["a"]], ["a b"], "str 'a b'" + SPLIT),
        ([["a b", "c"]], ["a b"], "str 'a b'" + SWAPPED),
    ],
    NO_TOKENS.format("references[0][1]"): [
        ([["a"]], [[["a"], None]], "None" + MISSING_IN_LIST),
        ([["a"]], [[["a"], "b"]], "str 'b'" + SPLIT),
    ],
    NO_STRING.format("references[0][1][1]"): [([["a"]], [[["a"], ["b", 1]]], "int 1" + DECODE_IDS)],
    NO_STRING.format("references[1][0]"): [([["a"], ["b"]], [["a"], [["b"]]], "list ['b']")],
    NO_STRING.format("references[0][0][0]"): [([["a"]], [[[["a"]]]], "list ['a']")],
}
IS_MISSING = " is missing: give predictions and references together"
# Predictions and references, and what the ValueError says.
VALUE_ERRORS = [
    (None, ["a"], "predictions" + IS_MISSING),
    (["a"], None, "references" + IS_MISSING),
    (["a", "b"], ["a"], LENGTHS.format(2, 1)),
    (["a"], ["a", "b"], LENGTHS.format(1, 2)),
    ([], ["a"], LENGTHS.format(0, 1)),
    (["a", "b", "c"], [["a", "b", "c"]], LENGTHS.format(3, 1) + BY_RANK),  # as in sacreBLEU
    (["a"], [[]], NO_REFERENCE.format(0)),
    (["a", "b", "c"], [["a"], ["b", "c"], []], NO_REFERENCE.format(2)),
    ([["a"], ["b"]], [[["a"]], []], NO_REFERENCE.format(1)),
    # half of a character, in texts and in tokens
    (["a", "b\ud800"], ["a", "b"], "predictions[1]" + SURROGATE.format("\\ud800", 1)),
    (["a"], ["\udfff"], "references[0]" + SURROGATE.format("\\udfff", 0)),
    (["a"], [["b", "xy\udfff"]], "references[0][1]" + SURROGATE.format("\\udfff", 2)),
    ([["a", "b\udc80"]], [["a"]], "predictions[0][1]" + SURROGATE.format("\\udc80", 1)),
    ([["a"]], [["a", "b\udc80"]], "references[0][1]" + SURROGATE.format("\\udc80", 1)),
    ([["a"]], [[["a"], ["\udc80"]]], "references[0][1][0]" + SURROGATE.format("\\udc80", 0)),
]
BAD_CORPORA = [
    *((*row, TypeError, start + end) for start, rows in TYPE_ERRORS.items() for *row, end in rows),
    *((*row, ValueError, message) for *row, message in VALUE_ERRORS),
]
NOTHING_TO_SCORE = (
    "nothing to score: give predictions and references, or call add or add_batch first"
)
NOT_GIVEN = "{} is missing: give prediction and reference together"


@pytest.mark.parametrize(("predictions", "references", "kind", "message"), BAD_CORPORA)
def test_bad_corpora(rouge_full, bleu_full, predictions, references, kind, message):
    """The input is checked before any work."""
    corpus = {"predictions": predictions, "references": references}
    assert error_of(rouge_full.compute, **corpus, tokenizer=boom) == (kind, message)
    for metric in (rouge_full, bleu_full):
        assert error_of(metric.add_batch, **corpus) == (kind, message)
        assert len(metric) == 0


BAD_ITEMS = [
    (predictions[0], references[0], kind, message)
    for predictions, references, kind, message in BAD_CORPORA
    if type(predictions) is type(references) is list and len(predictions) == len(references) == 1
]


@pytest.mark.parametrize(("prediction", "reference", "kind", "message"), BAD_ITEMS)
def test_bad_items(rouge_full, bleu_full, prediction, reference, kind, message):
    """`add` says of the item what the others say of item 0."""
    if prediction is None or reference is None:
        kind = ValueError
        message = NOT_GIVEN.format("prediction" if prediction is None else "reference")
    message = message.replace("predictions[0]", "prediction").replace("references[0]", "reference")
    assert error_of(rouge_full.add, prediction=prediction, reference=reference) == (kind, message)
    assert error_of(bleu_full.add, predictions=prediction, references=reference) == (kind, message)
    assert len(rouge_full) == len(bleu_full) == 0


@pytest.mark.parametrize("name", ["prediction", "reference"])
def test_an_argument_of_add_under_both_names(metric, name):
    given = {"prediction": "a", "reference": "b", f"{name}s": "c"}
    message = f"^add\\(\\) got both {name} and {name}s: give one of them$"
    with pytest.raises(TypeError, match=message):
        metric.add(**given)
    assert len(metric) == 0


def test_nothing_to_score(metric):
    nothing = {"predictions": None, "references": None}
    for given in ({}, nothing):
        assert error_of(metric.compute, **given) == (ValueError, NOTHING_TO_SCORE)
    assert error_of(metric.add_batch) == (ValueError, "predictions" + IS_MISSING)
    error = ValueError, "predictions is empty: there is nothing to score"
    for empty in ([], (), np.array([]), pd.Series([], dtype=object)):
        assert error_of(metric.compute, predictions=empty, references=empty) == error


@pytest.mark.parametrize(("side", "start"), [("predictions", CORPUS), ("references", REFERENCES)])
def test_iterators_are_refused_unread(metric, side, start):
    texts = iter(["a", "b"])
    corpus = {"predictions": ["a", "b"], "references": ["a", "b"], side: texts}
    message = f"{start}list_iterator {texts!r}{LIST_OF}"
    assert error_of(metric.compute, **corpus) == (TypeError, message)
    assert list(texts) == ["a", "b"]


def test_arguments_have_names(metric):
    for method in (metric.compute, metric.add_batch, metric.add):
        with pytest.raises(TypeError, match="takes its arguments by name: prediction"):
            method(["a"], ["a"])
    for method in (metric.add_batch, metric.add):
        with pytest.raises(TypeError, match="unexpected keyword argument 'sources'"):
            method(predictions=["a"], references=["a"], sources=["a"])


@pytest.mark.parametrize(("first", "end"), [(0, 3), (1, 2), (1, 3)])
def test_a_part_has_the_texts_of_its_items(first, end):
    items = [("a", ["b", "c"]), ("d", ["e"]), ("f", ["g", "h", "i"])]
    part = Corpus.of_items(items).part(first, end)
    assert part.items == items[first:end]
    assert not part.is_tokenized


def test_lists_that_became_text_are_warned_of(metric):
    """All references, as pandas reads them from CSV; not where predictions are lists as well."""
    texts = {"predictions": ["the cat"] * 2, "references": ["['the cat sat', 'a']", "['a', 'b']"]}
    with pytest.warns(UserWarning, match=r"^references\[0\] and all others are the text of a list"):
        metric.compute(**texts)
    metric.compute(**texts | {"predictions": texts["references"]})
    metric.compute(**texts | {"references": ["['a']", "a"]})
