"""What a corpus is, in which forms it may come, and the refused inputs before any work."""

import math
import warnings
from collections import deque
from functools import reduce
from itertools import permutations

import datasets
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from helpers.errors import error_of
from helpers.items import boom
from rouge_bleu.corpus import checked_corpus, is_listlike

TOO_DEEP = reduce(lambda inner, _: [inner], range(100_000), "a")  # a nested list
LOGITS = np.zeros((2, 3, 4), dtype=np.float32)
IDS = np.array([[1, 2], [3, 4]])
A, B = "predictions", "references"

# Predictions, references, and the start of the TypeError.
TYPE_ERRORS = [
    # a text, or something else, in the place of the corpus
    ("hello", ["hello"], f"{A} must"),
    (b"hello", ["hello"], f"{A} must"),
    (42, ["a"], f"{A} must"),
    (np.array("a"), ["a"], f"{A} must"),
    ({"a": 1}, ["a"], f"{A} must"),
    (IDS, ["a", "b"], f"{A} must"),
    (LOGITS, ["a", "b"], f"{A} must"),
    (["hello"], "hello", f"{B} must"),
    (["a", "b"], IDS, f"{B} must"),
    # predictions
    ([None], ["a"], f"{A}[0] must"),
    ([1], ["a"], f"{A}[0] must"),
    ([1.5], ["a"], f"{A}[0] must"),
    ([True], ["a"], f"{A}[0] must"),
    ([b"a"], ["a"], f"{A}[0] must"),
    ([{"a"}], ["a"], f"{A}[0] must"),
    (["a", None], ["a", "b"], f"{A}[1] must"),
    (["a", math.nan], ["a", "b"], f"{A}[1] must"),
    (["a", ["b"]], ["a", "b"], f"{A}[1] must"),
    (["a", {"text": 1}], ["a", "b"], f"{A}[1] must"),  # of a pipeline
    # references of texts
    (["a"], [None], f"{B}[0] must"),
    (["a"], [b"a"], f"{B}[0] must"),
    (["a", "b"], [["c"], None], f"{B}[1] must"),
    (["a", "b"], ["a", None], f"{B}[1] must"),
    (["a", "b"], ["c", [1]], f"{B}[1][0] must"),
    (["a"], [[b"b"]], f"{B}[0][0] must"),
    (["a"], [[["b"]]], f"{B}[0][0] must"),
    (["a"], [TOO_DEEP], f"{B}[0][0] must"),
    (["a"], [["b", None]], f"{B}[0][1] must"),
    (["a", "b"], [["c"], ["d", 5]], f"{B}[1][1] must"),
    # tokens
    ([[1, 2]], [[1, 2]], f"{A}[0][0] must"),
    ([TOO_DEEP], ["a"], f"{A}[0][0] must"),
    ([["a", ["b"]]], [["a"]], f"{A}[0][1] must"),
    ([["a"], ["b", None]], [["a"], ["b"]], f"{A}[1][1] must"),
    ([["a"], None], [["a"], ["b"]], f"{A}[1] must"),
    ([["a"], "b"], [["a"], ["b"]], f"{A}[1] must"),
    ([["a"]], [["b", None]], f"{B}[0][1] must"),
    ([["a"]], [None], f"{B}[0] must"),
    ([["a"]], ["a b"], f"{B}[0] must"),
    ([["a"], ["b"]], [["a"], "b"], f"{B}[1] must"),
    ([["a"]], [[["a"], None]], f"{B}[0][1] must"),
    ([["a"]], [[["a"], "b"]], f"{B}[0][1] must"),
    ([["a"]], [[["a"], ["b", 1]]], f"{B}[0][1][1] must"),
    ([["a"], ["b"]], [["a"], [["b"]]], f"{B}[1][0] must"),
    ([["a"]], [[[["a"]]]], f"{B}[0][0][0] must"),
]
# Predictions, references, and the start of the ValueError.
VALUE_ERRORS = [
    (None, ["a"], f"{A} is missing"),
    (["a"], None, f"{B} is missing"),
    (["a", "b"], ["a"], f"{A} has 2 entries and {B} has 1."),
    (["a"], ["a", "b"], f"{A} has 1 entry and {B} has 2."),
    (["a"], [], f"{A} has 1 entry and {B} has 0."),
    ([], ["a"], f"{A} has 0 entries and {B} has 1."),
    (["a"], [[]], f"{B}[0] is empty"),
    (["a", "b", "c"], [["a"], ["b", "c"], []], f"{B}[2] is empty"),
    (["a", "b"], ["a", []], f"{B}[1] is empty"),
    ([["a"], ["b"]], [[["a"]], []], f"{B}[1] is empty"),
    # half of a character, in texts and in tokens
    (["a", "b\ud800"], ["a", "b"], f"{A}[1] must"),
    (["a"], ["\udfff"], f"{B}[0] must"),
    (["a"], [["b", "xy\udfff"]], f"{B}[0][1] must"),
    (["a", "b"], [["b"], "xy\udfff"], f"{B}[1] must"),
    ([["a", "b\udc80"]], [["a"]], f"{A}[0][1] must"),
    ([["a"]], [["a", "b\udc80"]], f"{B}[0][1] must"),
    ([["a"]], [[["a"], ["\udc80"]]], f"{B}[0][1][0] must"),
]
BAD_CORPORA = [
    *((*row, TypeError, start) for *row, start in TYPE_ERRORS),
    *((*row, ValueError, start) for *row, start in VALUE_ERRORS),
]
BAD_ITEMS = [
    (predictions[0], references[0], kind, start)
    for predictions, references, kind, start in BAD_CORPORA
    if type(predictions) is type(references) is list and len(predictions) == len(references) == 1
]


@pytest.mark.parametrize(("predictions", "references", "kind", "start"), BAD_CORPORA)
def test_bad_corpora(rouge_full, bleu_full, predictions, references, kind, start):
    """The input is checked before any work."""
    corpus = {"predictions": predictions, "references": references}
    found, message = error_of(rouge_full.compute, **corpus, tokenizer=boom)
    assert (found, message[: len(start)]) == (kind, start)
    for metric in (rouge_full, bleu_full):
        assert error_of(metric.add_batch, **corpus) == (kind, message)
        assert len(metric) == 0


@pytest.mark.parametrize(("prediction", "reference", "kind", "start"), BAD_ITEMS)
def test_bad_items(rouge_full, bleu_full, prediction, reference, kind, start):
    """`add` refuses the item that the others refuse as item 0."""
    if prediction is None or reference is None:
        kind, start = ValueError, f"{'prediction' if prediction is None else 'reference'} is"
    start = start.replace("predictions[0]", "prediction").replace("references[0]", "reference")
    found, message = error_of(rouge_full.add, prediction=prediction, reference=reference)
    assert (found, message[: len(start)]) == (kind, start)
    same = error_of(bleu_full.add, predictions=prediction, references=reference)
    assert same == (kind, message)
    assert len(rouge_full) == len(bleu_full) == 0


@pytest.mark.parametrize(
    ("predictions", "references", "guess"),
    [
        ([["a b", "c"]], ["a b"], "swapped"),
        (["a", "b", "c"], [["a", "b", "c"]], "for each prediction, not"),  # sacreBLEU's order
        ([["a"]], ["a b"], None),
        (["a", "b", "c"], [["a", "b"]], None),
    ],
)
def test_guesses(metric, predictions, references, guess):
    _, message = error_of(metric.compute, predictions=predictions, references=references)
    for known in ("swapped", "for each prediction, not"):
        assert (known in message) == (known == guess)


@pytest.mark.parametrize("name", ["prediction", "reference"])
def test_an_argument_of_add_under_both_names(metric, name):
    given = {"prediction": "a", "reference": "b", f"{name}s": "c"}
    with pytest.raises(TypeError, match="both"):
        metric.add(**given)
    assert len(metric) == 0


def test_nothing_to_score(metric):
    nothing = {"predictions": None, "references": None}
    for given in ({}, nothing):
        with pytest.raises(ValueError, match="nothing to score"):
            metric.compute(**given)
    with pytest.raises(ValueError, match="predictions is missing"):
        metric.add_batch()
    for empty in ([], (), np.array([]), pd.Series([], dtype=object)):
        with pytest.raises(ValueError, match="predictions is empty"):
            metric.compute(predictions=empty, references=empty)


def test_iterators_are_refused_unread(metric):
    for side in ("predictions", "references"):
        texts = iter(["a", "b"])
        corpus = {"predictions": ["a", "b"], "references": ["a", "b"], side: texts}
        assert error_of(metric.compute, **corpus)[0] is TypeError
        assert list(texts) == ["a", "b"]


def test_arguments_have_names(metric):
    for method in (metric.compute, metric.add_batch, metric.add):
        with pytest.raises(TypeError, match="positional argument"):
            method(["a"], ["a"])
    for method in (metric.add_batch, metric.add):
        with pytest.raises(TypeError, match="unexpected keyword argument 'sources'"):
            method(predictions=["a"], references=["a"], sources=["a"])


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


def test_texts_and_lists_of_texts_may_be_mixed(metric):
    """`references` of tables where some rows have one text."""
    predictions = ["a cat", "a dog ran"]
    mixed, lists = ["a cat", ["a dog", "dogs ran"]], [["a cat"], ["a dog", "dogs ran"]]
    expected = metric.compute(predictions=predictions, references=lists)
    assert metric.compute(predictions=predictions, references=mixed) == expected
    swapped = {"predictions": predictions[::-1], "references": mixed[::-1]}
    assert metric.compute(**swapped) == metric.compute(
        predictions=predictions[::-1], references=lists[::-1]
    )


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


# --- inputs that are not lists ------------------------------------------------------------------------------

DATASET = datasets.Dataset.from_dict({"text": TEXTS, "label": [0, 1, 2]})
STREAMED = DATASET.to_iterable_dataset()
FRAME = {"text": TEXTS, "label": [0, 1, 2]}
NO_LISTS = {
    "generator": (text for text in TEXTS),
    "map": map(str, TEXTS),
    "zip": zip(TEXTS, strict=True),
    "iterator": iter(TEXTS),
    "values of a dict": FRAME.values(),
    "keys of a dict": FRAME.keys(),
    "set": set(TEXTS),
    "frozenset": frozenset(TEXTS),
    "dict": FRAME,
    "empty dict": {},
    "frame of pandas": pd.DataFrame(FRAME),
    "frame without columns": pd.DataFrame(),
    "frame of polars": pl.DataFrame(FRAME),
    "lazy frame": pl.LazyFrame(FRAME),
    "arrow table": pa.table(FRAME),
    "arrow batch": pa.record_batch(FRAME),
    "dataset": DATASET,
    "dict of datasets": datasets.DatasetDict(test=DATASET),
    "streamed dataset": STREAMED,
    "array without dimensions": np.array(1),
    "scalar of arrow": pa.scalar("a"),
    "class": list,
}
if hasattr(datasets.IterableDataset, "__getitem__"):  # since datasets 4
    NO_LISTS["column of a streamed dataset"] = STREAMED["text"]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("value", NO_LISTS.values(), ids=NO_LISTS)
def test_what_is_no_list(rouge_full, bleu_full, value):
    assert not is_listlike(value)
    texts = {"predictions": TEXTS, "references": TEXTS}
    for side in texts:
        for metric in (rouge_full, bleu_full):
            for method in (metric.compute, metric.add_batch):
                kind, message = error_of(method, **(texts | {side: value}))
                assert kind is TypeError
                assert message.startswith(f"{side} must be a list ")
    assert error_of(bleu_full.compute, **texts, weights={"a": value})[0] is TypeError


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
    """The error says what to do."""
    whole = ["a", "b"]
    for predictions, references, place in (
        (texts, whole, "predictions[1]"),
        (whole, texts, "references[1]"),
        (whole, [["a"], texts], "references[1][1]"),
    ):
        kind, message = error_of(metric.compute, predictions=predictions, references=references)
        assert kind is TypeError
        assert message.startswith(f"{place} must")
        assert 'Use ""' in message


def test_scalars_of_arrow(metric):
    for values in (["a", "b"], [["a"], ["b"]]):
        scalars = list(pa.array(values))
        with pytest.raises(TypeError, match="Scalar"):
            metric.compute(predictions=scalars, references=["a", "b"])


# --- texts in lists -------------------------------------------------------------------------------

# Predictions, references, and the number of the item that is named: its prediction is a text in a
# list, or a reference of it is "the cat".
IN_LISTS = {
    "texts in lists": ([["a cat sat"], ["a dog"]], [["a cat"], ["a dog"]], 0),
    "the first has one word": ([["Yes"], ["the cat"]], [["Yes"], ["a cat"]], 1),
    "an empty text, and an empty list": ([[""], [], ["a dog"]], [["a"], ["b"], ["c"]], 2),
    "several references": ([["a dog"]], [["a dog", "the dog"]], 0),
    "references are tokens": ([["a dog"]], [["a", "dog"]], 0),
    "lines of one word": ([["a\nb"]], [["a"]], 0),
    "no blanks": ([["谢谢"], ["今天天气很好我们去公园"]], [["谢谢"], ["今天天气不错"]], 1),
    "no blanks in Thai": ([["ฉันกินข้าวที่บ้าน"]], [["ฉันกินข้าว"]], 0),
}
FOR_TOKENS = {
    "one text for tokens": ([["the", "cat"]], [["the cat"]], 0),
    "one text, the first has one word": ([["yes"], ["the", "cat"]], [["yes"], ["the cat"]], 1),
    "several texts": (
        [["a"], ["the", "cat"]],
        [["a"], ["the cat", "cats", "a cat", "two cats"]],
        1,
    ),
    "nested": ([["a"], ["the", "cat"]], [[["a"], ["b"]], [["cat"], ["the cat"]]], 1),
    "one word for one text": ([["cat"]], [["the cat", "a cat"]], 0),
    "no tokens": ([[]], [["the cat"]], 0),
}
TOKENS = {
    "one text for tokens": ([["the", "cat"]], [["the cat"]], 0),
    "one text, the first has one word": ([["yes"], ["the", "cat"]], [["yes"], ["the cat"]], 1),
    "several texts": (
        [["a"], ["the", "cat"]],
        [["a"], ["the cat", "cats", "a cat", "two cats"]],
        1,
    ),
    "nested": ([["a"], ["the", "cat"]], [[["a"], ["b"]], [["cat"], ["the cat"]]], 1),
    "one word for one text": ([["cat"]], [["the cat", "a cat"]], 0),
    "no tokens": ([[]], [["the cat"]], 0),
}
TOKENS = {  # predictions, references
    "words": ([["the", "cat"]], [["the", "cat"]]),
    "one token": ([["the", "cat"]], [["cat"]]),
    "one token each": ([["yes"], ["no"]], [["yes"], ["yes"]]),
    "names": ([["I", "love", "New York"]], [["New York"]]),
    "names on one side": ([["I", "love", "it"]], [["I", "love", "New York"]]),
    "half of the strings are names": ([["a", "b"]], [["New York", "is"]]),
    "a name alone beside words": ([["New York"], ["a", "b"]], [["New York"], ["a", "b"]]),
    "blanks around tokens": ([["the", " cat"]], [["the", " cat "]]),
    "blanks around tokens, and one name": ([[" the", " cat"]], [[" the ", " cat ", " New York"]]),
    "blanks as tokens": ([["a", " ", "b"]], [["a", "  ", "b"]]),
    "a name without blanks": ([["中华人民共和国"]], [["中华人民共和国"]]),  # 7 letters
    "many letters of other scripts": ([["Donaudampfschiff"]], [["достопримечательность"]]),
    "one space as token": ([["a", "b"]], [["  "]]),
    "no tokens": ([[]], [[]]),
    "Chinese": ([["我爱北京"]], [["我爱北京的天安门"]]),
    "several references": ([["the", "cat"]], [[["the", "cat"], ["New York"], ["a"]]]),
}


def swapped(column, order):
    return [column[index] for index in order]


@pytest.mark.parametrize(
    ("side", "predictions", "references", "item"),
    [
        *(("predictions", *row) for row in IN_LISTS.values()),
        *(("references", *row) for row in FOR_TOKENS.values()),
    ],
)
def test_texts_in_lists_are_refused(metric, side, predictions, references, item):
    """Before any work, in any order, and added texts are judged together."""
    texts = {"predictions": predictions, "references": references}
    kind, message = error_of(metric.compute, **texts, tokenizer=boom)
    assert kind is ValueError
    assert message.startswith(f"{side}[{item}] must")
    for order in permutations(range(len(predictions))):
        other = {name: swapped(column, order) for name, column in texts.items()}
        kind, found = error_of(metric.compute, **other)
        assert (kind, found.partition("[")[0]) == (ValueError, side)
    metric.add_batch(**texts)
    assert error_of(metric.compute) == (ValueError, message)
    if isinstance(references[0][0] if references[0] else "", str):
        for prediction, reference in zip(predictions, references, strict=True):
            metric.add(prediction=prediction, reference=reference)
        assert error_of(metric.compute) == (ValueError, message)
    assert len(metric) == 0


@pytest.mark.parametrize(("predictions", "references"), TOKENS.values(), ids=TOKENS)
def test_batches_do_not_matter_to_tokens(metric, predictions, references):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "No text has a token")
        warnings.filterwarnings("ignore", "BLEU is 0 because all predictions")
        expected = metric.compute(predictions=predictions, references=references)
        metric.add_batch(predictions=predictions, references=references)
        assert metric.compute() == expected
        for prediction, reference in zip(predictions, references, strict=True):
            metric.add(prediction=prediction, reference=reference)
        assert metric.compute() == expected
