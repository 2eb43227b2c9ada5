"""What is taken for a list, of texts and of option values, and what is not."""

from collections import deque

import datasets
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from helpers.errors import (
    COLUMNS,
    KEYS,
    LIST_OF,
    MISSING_IN_LIST,
    MISSING_ITEM,
    MISSING_TEXT,
    NO_ORDER,
    error_of,
)
from rouge_bleu.corpus import checked_corpus
from rouge_bleu.data.list_likes import is_listlike
from rouge_bleu.messages import shown

TEXTS = ["the cat sat on the mat", "a dog ran", "the mat"]
OTHERS = ["the cat sat on a mat", "the dog ran far", "a mat ran"]
PAIRS = [list(pair) for pair in zip(OTHERS, reversed(TEXTS), strict=True)]
RAGGED = [OTHERS[:1], OTHERS, TEXTS[:2]]
INDEX = [7, 7, -1]


def object_array(values):
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def column(values):
    return datasets.Dataset.from_dict({"values": values})["values"]


def tokens_of(texts):
    return [text.split() for text in texts]


# Predictions and references in each form that a corpus has.
FORMS = [
    (TEXTS, OTHERS),
    (TEXTS, RAGGED),
    (tokens_of(TEXTS), tokens_of(OTHERS)),
    (tokens_of(TEXTS), [tokens_of(texts) for texts in RAGGED]),
]
LIST_KINDS = {  # what makes a list-like of a list
    "tuple": tuple,
    "deque": deque,
    "object array": object_array,
    "series": lambda values: pd.Series(values, index=INDEX[: len(values)]),
    "series of polars": pl.Series,
    "arrow array": pa.array,
    "chunked arrow array": lambda values: pa.chunked_array([values[:1], values[1:]]),
    "column of a dataset": column,
}
SQUARE = [["the", "cat"], ["a", "mat"], ["dog", "ran"]]
ACCEPTED = {  # predictions, references, both as plain lists
    "numpy strings": (list(map(np.str_, TEXTS)), list(map(np.str_, OTHERS)), TEXTS, OTHERS),
    "arrays": (np.array(TEXTS), np.array(OTHERS), TEXTS, OTHERS),
    "matrix of references": (np.array(TEXTS), np.array(PAIRS), TEXTS, PAIRS),
    "tokens in a matrix": (np.array(SQUARE), np.array([SQUARE] * 3), SQUARE, [SQUARE] * 3),
    "large strings": (pa.array(TEXTS, pa.large_string()), pa.array(RAGGED), TEXTS, RAGGED),
    "categories": (pd.Series(TEXTS, dtype="category"), OTHERS, TEXTS, OTHERS),
    "one sort each": (
        np.array(TEXTS),
        pd.Series([tuple(RAGGED[0]), np.array(RAGGED[1]), RAGGED[2]], index=INDEX),
        TEXTS,
        RAGGED,
    ),
}
if hasattr(np.dtypes, "StringDType"):  # since numpy 2
    variable = (np.array(side, dtype=np.dtypes.StringDType()) for side in (TEXTS, PAIRS))
    ACCEPTED["arrays of variable strings"] = (*variable, TEXTS, PAIRS)
for name, kind in LIST_KINDS.items():
    for number, form in enumerate(FORMS):
        ACCEPTED[f"{name}, form {number}"] = (*map(kind, form), *form)
for inner in (tuple, np.array):
    texts, tokens = FORMS[1:3]
    ACCEPTED[f"texts in {inner.__name__}"] = (texts[0], list(map(inner, texts[1])), *texts)
    ACCEPTED[f"tokens in {inner.__name__}"] = *(list(map(inner, side)) for side in tokens), *tokens


@pytest.mark.parametrize(
    ("predictions", "references", "plain", "plain_references"), ACCEPTED.values(), ids=ACCEPTED
)
def test_accepted_forms(metric, predictions, references, plain, plain_references):
    expected = metric.compute(predictions=plain, references=plain_references, use_aggregator=False)
    given = {"predictions": predictions, "references": references}
    assert metric.compute(**given, use_aggregator=False) == expected
    metric.add_batch(**given)
    assert metric.compute(use_aggregator=False) == expected


@pytest.mark.parametrize(
    ("prediction", "reference", "plain"),
    [
        (np.str_("a b"), np.str_("a c"), ("a b", "a c")),
        ("a b", ("a c", "b"), ("a b", ["a c", "b"])),
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
    assert corpus.predictions == TEXTS
    assert corpus.references == [text for texts in PAIRS for text in texts]
    assert corpus.reference_offsets.tolist() == [0, 2, 4, 6]
    assert corpus.references_of_items == PAIRS
    assert not corpus.is_tokenized
    assert all(type(text) is str for text in corpus.references)
    corpus = checked_corpus(*FORMS[3])
    assert corpus.is_tokenized
    assert corpus.references_of_items == FORMS[3][1]
    assert corpus.reference_offsets.tolist() == [0, 1, 4, 6]


def test_arguments_stay_as_they_are(metric):
    predictions, references = list(TEXTS), [list(texts) for texts in RAGGED]
    metric.compute(predictions=predictions, references=references)
    metric.add_batch(predictions=predictions, references=references)
    metric.compute(predictions=predictions, references=references)
    assert (predictions, references) == (TEXTS, RAGGED)


# --- options --------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [*LIST_KINDS.values(), np.array], ids=[*LIST_KINDS, "array"])
def test_options_that_are_lists(rouge_full, bleu_full, kind):
    """They stay as they are."""
    corpus = {"predictions": TEXTS, "references": OTHERS}
    for name, values in {"rouge_types": ["rouge1", "rougeL"], "stopwords": ["the", "a"]}.items():
        expected = rouge_full.compute(**corpus, **{name: values})
        given = kind(values)
        assert rouge_full.compute(**corpus, **{name: given}) == expected
        assert list(given) == list(kind(values))
    weights, other = kind([0.25, 0.75]), kind([1, 1])
    expected = bleu_full.compute(**corpus, weights=[0.25, 0.75])
    assert bleu_full.compute(**corpus, weights=weights) == expected
    result = bleu_full.compute(**corpus, weights={"one": weights, "two": other})
    assert result["one"] == expected["bleu"]
    assert result["two"] == bleu_full.compute(**corpus, weights=[1, 1])["bleu"]
    assert list(weights) == list(kind([0.25, 0.75]))


# --- what is no list ------------------------------------------------------------------------------

DATASET = datasets.Dataset.from_dict({"text": TEXTS, "label": [0, 1, 2]})
STREAMED = DATASET.to_iterable_dataset()
FRAME = {"text": TEXTS, "label": [0, 1, 2]}
NAMES = "'text', 'label'"
SIX = {name: [0] for name in "abcdef"}
NO_LISTS = {  # a value, and the hint
    "generator": ((text for text in TEXTS), LIST_OF),
    "map": (map(str, TEXTS), LIST_OF),
    "zip": (zip(TEXTS, strict=True), LIST_OF),
    "iterator": (iter(TEXTS), LIST_OF),
    "values of a dict": (FRAME.values(), LIST_OF),
    "keys of a dict": (FRAME.keys(), NO_ORDER),
    "set": (set(TEXTS), NO_ORDER),
    "frozenset": (frozenset(TEXTS), NO_ORDER),
    "dict": (FRAME, KEYS + NAMES),
    "empty dict": ({}, KEYS.removesuffix(": ")),
    "frame of pandas": (pd.DataFrame(FRAME), COLUMNS + NAMES),
    "frame with one column": (pd.DataFrame(FRAME)[["text"]], COLUMNS + "'text'"),
    "frame with many columns": (pd.DataFrame(SIX), COLUMNS + "'a', 'b', 'c', 'd', 'e', ..."),
    "frame without columns": (pd.DataFrame(), COLUMNS.removesuffix(": ")),
    "frame of polars": (pl.DataFrame(FRAME), COLUMNS + NAMES),
    "lazy frame": (pl.LazyFrame(FRAME), ": collect it and take one of its columns"),
    "arrow table": (pa.table(FRAME), COLUMNS + NAMES),
    "arrow batch": (pa.record_batch(FRAME), COLUMNS + NAMES),
    "dataset": (DATASET, COLUMNS + NAMES),
    "dict of datasets": (datasets.DatasetDict(test=DATASET), KEYS + "'test'"),
    "streamed dataset": (STREAMED, f": make a list of one of its columns with list(...): {NAMES}"),
    "array without dimensions": (np.array(1), ""),
    "scalar of arrow": (pa.scalar("a"), ": turn the Arrow array into a list with to_pylist()"),
    "class": (list, ""),
}
if hasattr(datasets.IterableDataset, "__getitem__"):  # since datasets 4
    NO_LISTS["column of a streamed dataset"] = (STREAMED["text"], LIST_OF)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("value", "hint"), NO_LISTS.values(), ids=NO_LISTS)
def test_what_is_no_list(metric, value, hint):
    assert not is_listlike(value)
    texts = {"predictions": TEXTS, "references": TEXTS}
    for side in texts:
        for method in (metric.compute, metric.add_batch):
            kind, message = error_of(method, **(texts | {side: value}))
            assert kind is TypeError
            assert message.startswith(f"{side} must be a list ")
            assert message.endswith(f", got {shown(value)}{hint}")


def test_hints_of_options(rouge_full, bleu_full):
    """One about texts is not among them."""
    corpus = {"predictions": TEXTS, "references": OTHERS}
    for value, hint in (NO_LISTS["frame of pandas"], (pa.scalar("a"), "")):
        _, message = error_of(bleu_full.compute, **corpus, weights={"a": value})
        assert message == (
            f"weights['a'] must be a list of numbers, one for each order, got {shown(value)}{hint}"
        )
        _, message = error_of(rouge_full.compute, **corpus, stopwords=value)
        assert message == f"stopwords must be a list or set of words, got {shown(value)}{hint}"


# --- missing values -------------------------------------------------------------------------------

WITH_NONE = ["a", None]
MISSING = {
    "list": WITH_NONE,
    "series": pd.Series(WITH_NONE),
    "series of strings": pd.Series(WITH_NONE, dtype="string"),
    "series of polars": pl.Series(WITH_NONE),
    "arrow array": pa.array(WITH_NONE),
    "chunked arrow array": pa.chunked_array([["a"], pa.nulls(1, pa.string())]),
    "NaN of numpy": ["a", np.float32("nan")],
    "NaT": ["a", pd.NaT],
}


@pytest.mark.parametrize("texts", MISSING.values(), ids=MISSING)
def test_missing_values(metric, texts):
    whole = ["a", "b"]
    for predictions, references, place, remedy in (
        (texts, whole, "predictions[1] must be a string like predictions[0]", MISSING_TEXT),
        (whole, texts, "references[1] must be a string like references[0]", MISSING_ITEM),
        (whole, [["a"], texts], "references[1][1] must be a string", MISSING_IN_LIST),
    ):
        kind, message = error_of(metric.compute, predictions=predictions, references=references)
        assert kind is TypeError
        assert message.startswith(f"{place}, got ")
        assert message.endswith(remedy)


def test_scalars_of_arrow(metric):
    for values in (["a", "b"], [["a"], ["b"]]):
        scalars = list(pa.array(values))
        kind, message = error_of(metric.compute, predictions=scalars, references=["a", "b"])
        assert kind is TypeError
        assert message.endswith(": turn the Arrow array into a list with to_pylist()")
