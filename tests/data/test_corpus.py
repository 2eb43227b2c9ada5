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
    MISSING_TEXT,
    NO_ORDER,
    error_of,
    missing,
)
from rouge_bleu.data.corpus import Corpus
from rouge_bleu.ground.messages import shown

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
MISSING_OF_PANDAS = pd.Series(["a", None])[1]
LENGTHS = "predictions and references must have the same length, got {} and {}"
NO_REFERENCE = "references[{}] is empty: each prediction needs at least one reference"
TOO_DEEP = reduce(lambda inner, _: [inner], range(100_000), "a")  # a nested list
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
    "dict for predictions": ({"a": 1}, ["a"], TypeError, CORPUS + "dict {'a': 1}" + KEYS + "'a'"),
    "dict for references": (
        ["a"],
        {"a": 1},
        TypeError,
        REFERENCES + "dict {'a': 1}" + KEYS + "'a'",
    ),
    "set for predictions": ({"a"}, ["a"], TypeError, CORPUS + "set {'a'}" + NO_ORDER),
    "set for references": (["a"], {"a"}, TypeError, REFERENCES + "set {'a'}" + NO_ORDER),
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
    "first prediction None": ([None], ["a"], TypeError, FIRST + "None" + MISSING_TEXT),
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
    "first prediction dict": (
        [{"text": "a"}],
        ["a"],
        TypeError,
        FIRST + "dict {'text': 'a'}" + KEYS + "'text'",
    ),
    "first prediction set": ([{"a"}], ["a"], TypeError, FIRST + "set {'a'}" + NO_ORDER),
    "prediction None": (
        ["a", None],
        ["a", "b"],
        TypeError,
        "predictions[1] must be a string like predictions[0], got None" + MISSING_TEXT,
    ),
    "prediction nan": (
        ["a", math.nan],
        ["a", "b"],
        TypeError,
        "predictions[1] must be a string like predictions[0], got float nan" + MISSING_TEXT,
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
        f"predictions[1] must be a string like predictions[0], got {shown(MISSING_OF_PANDAS)}{MISSING_TEXT}",
    ),
    # references of texts
    "first reference None": (
        ["a"],
        [None],
        TypeError,
        TEXT_REFERENCE.format(0) + "None" + MISSING_TEXT,
    ),
    "first reference int": (["a"], [2], TypeError, TEXT_REFERENCE.format(0) + "int 2" + DECODE_IDS),
    "first reference float": (["a"], [1.5], TypeError, TEXT_REFERENCE.format(0) + "float 1.5"),
    "first reference bytes": (
        ["a"],
        [b"a"],
        TypeError,
        TEXT_REFERENCE.format(0) + "bytes b'a'" + DECODE,
    ),
    "first reference set": (
        ["a"],
        [{"a"}],
        TypeError,
        TEXT_REFERENCE.format(0) + "set {'a'}" + NO_ORDER,
    ),
    "first reference dict": (
        ["a"],
        [{"text": "a"}],
        TypeError,
        TEXT_REFERENCE.format(0) + "dict {'text': 'a'}" + KEYS + "'text'",
    ),
    "reference None": (
        ["a", "b"],
        ["a", None],
        TypeError,
        "references[1] must be a string like references[0], got None" + MISSING_TEXT,
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
    "list, then None": (
        ["a", "b"],
        [["c"], None],
        TypeError,
        TEXT_REFERENCE.format(1) + "None" + missing("a list with an empty string"),
    ),
    "nested reference None": (
        ["a"],
        [["b", None]],
        TypeError,
        "references[0][1] must be a string, got None" + MISSING_TEXT,
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
    "token ids": (
        [[1, 2]],
        [[1, 2]],
        TypeError,
        "predictions[0][0] must be a string, got int 1" + DECODE_IDS,
    ),
    "array of token ids": (
        np.array([[1, 2], [3, 4]]),
        ["a", "b"],
        TypeError,
        CORPUS + "ndarray of int64, shape (2, 2)" + DECODE_IDS,
    ),
    "array of token ids for references": (
        ["a", "b"],
        np.array([[1, 2], [3, 4]]),
        TypeError,
        REFERENCES + "ndarray of int64, shape (2, 2)" + DECODE_IDS,
    ),
    "array of logits": (
        np.zeros((2, 3, 4), dtype=np.float32),
        ["a", "b"],
        TypeError,
        CORPUS + "ndarray of float32, shape (2, 3, 4)"
        ": if these are logits, decode the token ids of the highest to text",
    ),
    "column of nan": (
        pd.Series([math.nan, math.nan]),
        ["a", "b"],
        TypeError,
        FIRST + "float nan" + MISSING_TEXT,
    ),
    "output of a pipeline": (
        ["a", {"summary_text": "b", "score": 1}],
        ["a", "b"],
        TypeError,
        "predictions[1] must be a string like predictions[0], "
        f"got dict {{'summary_text': 'b', 'score': 1}}{KEYS}'summary_text', 'score'",
    ),
    "token None": (
        [["a"], ["b", None]],
        [["a"], ["b"]],
        TypeError,
        "predictions[1][1] must be a string, got None" + MISSING_TEXT,
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
        "predictions[1] must be a list of tokens like predictions[0], got None"
        + missing("an empty list"),
    ),
    "reference None, tokens": (
        [["a"]],
        [None],
        TypeError,
        TOKEN_REFERENCE.format(0) + "None" + missing("an empty list"),
    ),
    "reference token None": (
        [["a"]],
        [["b", None]],
        TypeError,
        "references[0][1] must be a string, got None" + MISSING_TEXT,
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
        "references[0][1] must be a list of tokens, got None" + missing("an empty list"),
    ),
    "nested too deep, tokens": (
        [["a"]],
        [[[["a"]]]],
        TypeError,
        "references[0][0][0] must be a string, got list ['a']",
    ),
    "no reference, tokens": ([["a"], ["b"]], [[["a"]], []], ValueError, NO_REFERENCE.format(1)),
    "too deep to be written": (
        [TOO_DEEP],
        ["a"],
        TypeError,
        "predictions[0][0] must be a string, got list <nested too deeply to show>",
    ),
    "too deep to be written, reference": (
        ["a"],
        [TOO_DEEP],
        TypeError,
        "references[0][0] must be a string, got list <nested too deeply to show>",
    ),
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
NOT_GIVEN = "{} is missing: give prediction and reference together"


@pytest.mark.parametrize(
    ("predictions", "references", "kind", "message"), BAD_CORPORA.values(), ids=BAD_CORPORA
)
def test_bad_corpora(rouge_full, bleu_full, predictions, references, kind, message):
    for method in (rouge_full.compute, rouge_full.add_batch, bleu_full.add_batch):
        found = error_of(method, predictions=predictions, references=references)
        assert found == (kind, message)
    assert len(rouge_full) == len(bleu_full) == 0


BAD_ITEMS = {
    name: (predictions[0], references[0], kind, message)
    for name, (predictions, references, kind, message) in BAD_CORPORA.items()
    if type(predictions) is list
    and type(references) is list
    and len(predictions) == len(references) == 1
}


@pytest.mark.parametrize(
    ("prediction", "reference", "kind", "message"), BAD_ITEMS.values(), ids=BAD_ITEMS
)
def test_bad_items(rouge_full, bleu_full, prediction, reference, kind, message):
    """`add` says of the item what the others say of item 0."""
    if prediction is None or reference is None:
        kind, message = (
            ValueError,
            NOT_GIVEN.format("prediction" if prediction is None else "reference"),
        )
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


def test_messages_of_add(metric):
    assert error_of(metric.add) == (ValueError, NOT_GIVEN.format("prediction"))
    assert error_of(metric.add, prediction="a") == (ValueError, NOT_GIVEN.format("reference"))
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
    assert (
        message
        == f"{CORPUS if side == 'predictions' else REFERENCES}list_iterator {texts!r}{LIST_OF}"
    )
    assert list(texts) == ["a", "b"]
    kind, message = error_of(
        metric.add_batch, predictions=(text for text in "ab"), references=["a", "b"]
    )
    assert kind is TypeError
    assert message.startswith(CORPUS + "generator <generator object")


def test_mixed_texts_and_tokens(metric):
    split = ": split it into tokens as the predictions are"
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
            assert message == expected + split


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


@pytest.mark.parametrize(("first", "end"), [(0, 3), (1, 2), (1, 3)])
def test_a_part_has_the_texts_of_its_items(first, end):
    items = [("a", ["b", "c"]), ("d", ["e"]), ("f", ["g", "h", "i"])]
    part = Corpus.of_items(items).part(first, end)
    assert part.items == items[first:end]
    assert not part.is_tokenized
