"""What is taken for a list, of texts and of option values, and what is not."""

from collections import deque

import datasets
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from helpers.errors import COLUMNS, KEYS, LIST_OF, MISSING_TEXT, NO_ORDER, error_of
from rouge_bleu.data.corpus import checked_corpus
from rouge_bleu.data.list_likes import is_listlike
from rouge_bleu.ground.messages import shown

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
    "series of polars": (pl.Series(TEXTS), pl.Series(RAGGED), RAGGED),
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
    "series of polars": (
        pl.Series(TOKENS_OF_TEXTS),
        pl.Series(TOKENS_OF_RAGGED),
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


# --- options --------------------------------------------------------------------------------------

LIST_KINDS = {  # what makes a list-like of a list
    "tuple": tuple,
    "deque": deque,
    "array": np.array,
    "series": lambda values: pd.Series(values, index=INDEX[: len(values)]),
    "series of polars": pl.Series,
    "arrow array": pa.array,
    "chunked arrow array": lambda values: pa.chunked_array([values[:1], values[1:]]),
    "column of a dataset": lambda values: columns(values=values)[0],
}


@pytest.mark.parametrize("kind", LIST_KINDS.values(), ids=LIST_KINDS)
def test_options_that_are_lists(rouge_full, bleu_full, kind):
    corpus = {"predictions": TEXTS, "references": OTHERS}
    types = ["rouge1", "rougeL"]
    assert rouge_full.compute(**corpus, rouge_types=kind(types)) == rouge_full.compute(
        **corpus, rouge_types=types
    )
    stopwords = ["the", "a"]
    assert rouge_full.compute(**corpus, stopwords=kind(stopwords)) == rouge_full.compute(
        **corpus, stopwords=stopwords
    )
    weights = [0.25, 0.75]
    expected = bleu_full.compute(**corpus, weights=weights)
    assert bleu_full.compute(**corpus, weights=kind(weights)) == expected
    result = bleu_full.compute(**corpus, weights={"one": kind(weights), "two": kind([1, 1])})
    assert result["one"] == expected["bleu"]
    assert result["two"] == bleu_full.compute(**corpus, weights=[1, 1])["bleu"]


def test_options_stay_as_they_are(rouge_full, bleu_full):
    corpus = {"predictions": TEXTS, "references": OTHERS}
    types, stopwords, weights = ["rouge1", "rouge2"], ["the"], {"one": [1, 2], "two": [3, 0]}
    rouge_full.compute(**corpus, rouge_types=types, stopwords=stopwords)
    bleu_full.compute(**corpus, weights=weights)
    assert (types, stopwords) == (["rouge1", "rouge2"], ["the"])
    assert weights == {"one": [1, 2], "two": [3, 0]}


@pytest.mark.parametrize(
    "weights", [np.ones((2, 2)), pl.Series([[1, 1]])], ids=["matrix", "series of lists"]
)
def test_weights_are_one_list(bleu_full, weights):
    message = "weights must be a list of numbers, one for each order, got list [["
    kind, found = error_of(bleu_full.compute, predictions=["a"], references=["a"], weights=weights)
    assert kind is TypeError
    assert found.startswith(message)


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
    "streamed dataset": (
        STREAMED,
        f": make a list of one of its columns with list(...): {NAMES}",
    ),
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


@pytest.mark.parametrize(("value", "hint"), NO_LISTS.values(), ids=NO_LISTS)
def test_what_is_no_list_of_options(rouge_full, bleu_full, value, hint):
    """A hint about texts is not among them."""
    corpus = {"predictions": TEXTS, "references": OTHERS}
    hint = "" if "to_pylist" in hint else hint
    _, message = error_of(rouge_full.compute, **corpus, rouge_types=value)
    assert message == (
        f"rouge_types must be a list of rouge types such as ['rouge1', 'rougeL'], "
        f"got {shown(value)}{hint}"
    )
    _, message = error_of(bleu_full.compute, **corpus, weights={"a": value})
    expected = (
        f"weights['a'] must be a list of numbers, one for each order, got {shown(value)}{hint}"
    )
    assert message == expected


TABLES = [name for name, (_, hint) in NO_LISTS.items() if "column" in hint]


@pytest.mark.parametrize("name", TABLES)
def test_a_table_is_no_list_of_stop_words(rouge_full, name):
    value, hint = NO_LISTS[name]
    _, message = error_of(rouge_full.compute, predictions=["a"], references=["a"], stopwords=value)
    assert message == f"stopwords must be a list or set of words, got {shown(value)}{hint}"


# --- missing values -------------------------------------------------------------------------------

WITH_NONE = ["a", None]
MISSING = {
    "list": WITH_NONE,
    "series": pd.Series(WITH_NONE),
    "series of objects": pd.Series(WITH_NONE, dtype=object),
    "series of strings": pd.Series(WITH_NONE, dtype="string"),
    "series of polars": pl.Series(WITH_NONE),
    "arrow array": pa.array(WITH_NONE),
    "chunked arrow array": pa.chunked_array([["a"], pa.nulls(1, pa.string())]),
    "column of a dataset": columns(texts=WITH_NONE)[0],
    "NaN of numpy": ["a", np.float32("nan")],
    "NaT": ["a", pd.NaT],
}


@pytest.mark.parametrize("texts", MISSING.values(), ids=MISSING)
def test_missing_values(metric, texts):
    whole = ["a", "b"]
    for predictions, references, place in (
        (texts, whole, "predictions[1] must be a string like predictions[0]"),
        (whole, texts, "references[1] must be a string like references[0]"),
        (whole, [["a"], texts], "references[1][1] must be a string"),
    ):
        kind, message = error_of(metric.compute, predictions=predictions, references=references)
        assert kind is TypeError
        assert message.startswith(f"{place}, got ")
        assert message.endswith(MISSING_TEXT)


def test_scalars_of_arrow(metric):
    texts = list(pa.array(["a", "b"]))
    kind, message = error_of(metric.compute, predictions=texts, references=["a", "b"])
    assert kind is TypeError
    assert message.endswith(": turn the Arrow array into a list with to_pylist()")
    tokens = list(pa.array([["a"], ["b"]]))
    kind, message = error_of(metric.compute, predictions=tokens, references=["a", "b"])
    assert kind is TypeError
    assert message.endswith(": turn the Arrow array into a list with to_pylist()")
