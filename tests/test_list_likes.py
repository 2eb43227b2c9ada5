"""What is taken for a list, of texts and of option values, and what is not."""

from collections import deque

import datasets
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from errors import COLUMNS, KEYS, LIST_OF, MISSING_TEXT, NO_ORDER, error_of
from full_metrics.corpus import checked_corpus
from full_metrics.list_likes import is_listlike
from full_metrics.messages import shown

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
