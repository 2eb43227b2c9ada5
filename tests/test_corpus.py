"""Predictions and references: accepted forms, forms that are refused before any work, chunks."""

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
from rouge_bleu import bleu, rouge
from rouge_bleu import corpus as corpus_module
from rouge_bleu._rouge.options import MULTI_REFERENCES
from rouge_bleu.corpus import checked_corpus

TEXTS = ["the cat sat on the mat", "a dog ran", "the mat"]
OTHERS = ["the cat sat on a mat", "the dog ran far", "a mat ran"]
PAIRS = [list(pair) for pair in zip(OTHERS, reversed(TEXTS), strict=True)]
RAGGED = [OTHERS[:1], OTHERS, TEXTS[:2]]
INDEX = [7, 7, -1]

# --- refused --------------------------------------------------------------------------------------

DATASET = datasets.Dataset.from_dict({"text": TEXTS, "label": [0, 1, 2]})
STREAMED = DATASET.to_iterable_dataset()
HAS_COLUMNS = hasattr(datasets.IterableDataset, "__getitem__")  # datasets 4
FRAME = {"text": TEXTS, "label": [0, 1, 2]}
GENERATED = {"generated_text": "a"}  # by a pipeline of transformers
TEXTS_IN_LISTS = [[text] for text in TEXTS]
NO_LISTS = [
    *("hello", b"hello", 42, list, iter(TEXTS), map(str, TEXTS), (text for text in TEXTS)),
    *(FRAME, {}, FRAME.values(), FRAME.keys(), set(TEXTS), frozenset(TEXTS)),
    *(pd.DataFrame(FRAME), pd.DataFrame(), pl.DataFrame(FRAME), pl.LazyFrame(FRAME)),
    *(pa.table(FRAME), pa.record_batch(FRAME), pa.scalar("a"), np.array(1), np.array("a")),
    *(DATASET, datasets.DatasetDict(test=DATASET), STREAMED),
    *([STREAMED["text"]] if HAS_COLUMNS else []),
]
TOO_DEEP = reduce(lambda inner, _: [inner], range(100_000), "a")  # a nested list
LOGITS, IDS = np.zeros((2, 3, 4), dtype=np.float32), np.array([[1, 2], [3, 4]])
MISSING = [
    *(["a", None], pd.Series(["a", None]), pd.Series(["a", None], dtype="string")),
    *(pl.Series(["a", None]), pa.array(["a", None]), ["a", np.float32("nan")], ["a", pd.NaT]),
    *(pa.chunked_array([["a"], pa.nulls(1, pa.string())]), ["a", math.nan]),
]
LONE = "b\ud800"  # half of a character
TYPE_ERRORS = [  # predictions, references, the place that the error names
    *((value, TEXTS, "predictions") for value in (*NO_LISTS, IDS, LOGITS)),
    *((TEXTS, value, "references") for value in (*NO_LISTS, IDS)),
    *((texts, ["a", "b"], "predictions[1]") for texts in MISSING),
    *((["a", "b"], texts, "references[1]") for texts in MISSING),
    *((["a", "b"], [["a"], texts], "references[1][1]") for texts in MISSING),
    # predictions
    *(([value], ["a"], "predictions[0]") for value in (None, 1, 1.5, True, b"a", {"a"})),
    (list(pa.array(["a"])), ["a"], "predictions[0]"),
    (["a", ["b"]], ["a", "b"], "predictions[1]"),
    (["a", {"text": 1}], ["a", "b"], "predictions[1]"),  # of a pipeline
    # references of texts
    *((["a"], [value], "references[0]") for value in (None, b"a")),
    (["a", "b"], [["c"], None], "references[1]"),
    (["a", "b"], ["c", [1]], "references[1][0]"),
    *((["a"], [[value]], "references[0][0]") for value in (b"b", ["b"], TOO_DEEP)),
    (["a", "b"], [["c"], ["d", 5]], "references[1][1]"),
    # tokens
    *(([[value]], ["a"], "predictions[0][0]") for value in (1, TOO_DEEP)),
    ([["a", ["b"]]], [["a"]], "predictions[0][1]"),
    *(([["a"], value], [["a"], ["b"]], "predictions[1]") for value in (None, "b")),
    ([["a"]], [["b", None]], "references[0][1]"),
    ([["a"]], [None], "references[0]"),
    ([["a"]], ["a b"], "predictions[0]"),
    ([["a"], ["b"]], [["a"], "b"], "references[1]"),
    *(([["a"]], [[["a"], value]], "references[0][1]") for value in (None, "b")),
    ([["a"]], [[["a"], ["b", 1]]], "references[0][1][1]"),
    ([["a"], ["b"]], [["a"], [["b"]]], "references[1][0]"),
    ([["a"]], [[[["a"]]]], "references[0][0][0]"),
]
VALUE_ERRORS = [
    (None, ["a"], "predictions is"),
    (["a"], None, "references is"),
    (["a", "b"], ["a"], "predictions has 2 entries"),
    ([], ["a"], "predictions has 0 entries"),
    (["a"], [[]], "references[0]"),
    (["a", "b"], ["a", []], "references[1]"),
    ([["a"], ["b"]], [[["a"]], []], "references[1]"),
    (["a", LONE], ["a", "b"], "predictions[1]"),
    (["a"], [LONE], "references[0]"),
    (["a", "b"], [["b"], LONE], "references[1]"),
    (["a"], [["b", LONE]], "references[0][1]"),
    ([["a", LONE]], [["a"]], "predictions[0][1]"),
    ([["a"]], [["a", LONE]], "references[0][1]"),
    ([["a"]], [[["a"], [LONE]]], "references[0][1][0]"),
]
BAD_CORPORA = [(TypeError, *row) for row in TYPE_ERRORS]
BAD_CORPORA += [(ValueError, *row) for row in VALUE_ERRORS]
BAD_ITEMS = [
    (kind, predictions[0], references[0], place)
    for kind, predictions, references, place in BAD_CORPORA
    if type(predictions) is type(references) is list and len(predictions) == len(references) == 1
]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("kind", "predictions", "references", "place"), BAD_CORPORA, ids=range(len(BAD_CORPORA))
)
def test_bad_corpora(load, kind, predictions, references, place):
    """The input is checked before any work."""
    corpus = {"predictions": predictions, "references": references}
    metrics = load("rouge_full"), load("bleu_full")
    found, message = error_of(metrics[0].compute, **corpus, tokenizer=boom)
    assert found is kind
    assert message.startswith(f"{place} ")
    for metric in metrics:
        assert error_of(metric.add_batch, **corpus) == (kind, message)
        assert len(metric) == 0


@pytest.mark.parametrize(
    ("kind", "prediction", "reference", "place"), BAD_ITEMS, ids=range(len(BAD_ITEMS))
)
def test_bad_items(load, kind, prediction, reference, place):
    """`add` refuses the item that the others refuse as item 0."""
    if prediction is None or reference is None:
        kind = ValueError
    rouge_full, bleu_full = load("rouge_full"), load("bleu_full")
    place = place.replace("predictions[0]", "prediction").replace("references[0]", "reference")
    found, message = error_of(rouge_full.add, prediction=prediction, reference=reference)
    assert found is kind
    assert message.startswith(f"{place} ")
    same = error_of(bleu_full.add, predictions=prediction, references=reference)
    assert same == (kind, message)
    assert len(rouge_full) == len(bleu_full) == 0


class DaskSeries:
    """As in dask 2026.8, it has `columns` too."""

    columns, npartitions = ["text"], 1

    def compute(self):
        return pd.Series(TEXTS)


REMEDIES = ("swapped", "for each prediction, not", 'Use ""', "Decode token ids", "the text itself")
REMEDIES += ("list(...) of it.", "list(...) of its values", "no order", "of its columns")
REMEDIES += ("Pass its 'generated_text'", "Pass its 'text'", "Pass its .compute()")
REMEDIES += ("Put it into a list", "Leave that reference out")


@pytest.mark.parametrize(
    ("predictions", "references", "remedy"),
    [
        ([["a b", "c"]], ["a b"], REMEDIES[0]),
        ([["a b", "c"], ["d", "e"]], ["a b", "c"], REMEDIES[0]),
        ([["a", "b"]], ["a b"], None),
        *((TEXTS_IN_LISTS, texts, REMEDIES[4]) for texts in (TEXTS, RAGGED[1])),
        *((texts, TEXTS, REMEDIES[5]) for texts in (iter(TEXTS), map(str, TEXTS), FRAME.values())),
        *([(STREAMED["text"], TEXTS, REMEDIES[5])] if HAS_COLUMNS else []),
        ({"id": "a"}, TEXTS, REMEDIES[6]),
        *((texts, TEXTS, REMEDIES[7]) for texts in (set(TEXTS), frozenset(TEXTS))),
        *((TEXTS, tables, REMEDIES[8]) for tables in (pd.DataFrame(FRAME), pa.table(FRAME))),
        *((tables, TEXTS, REMEDIES[8]) for tables in (pl.DataFrame(FRAME), DATASET, STREAMED)),
        *((texts, ["a"], REMEDIES[9]) for texts in ([GENERATED], [[GENERATED]])),
        *((*texts, REMEDIES[10]) for texts in ((FRAME, TEXTS), (["a"], [{"text": "a"}]))),
        (DaskSeries(), TEXTS, REMEDIES[11]),
        *((value, ["a"], None) for value in (b"a", np.array("a"), 1.5)),
        *((*texts, REMEDIES[12]) for texts in (("a", ["a"]), (["a"], "a"))),
        (["a", "b", "c"], [["a", "b", "c"]], REMEDIES[1]),  # sacreBLEU's order
        (["a", "b", "c"], [["a", "b"]], None),
        *((texts, ["a", "b"], REMEDIES[2]) for texts in MISSING),
        *((["a"], [texts], REMEDIES[-1]) for texts in MISSING),
        ([["a"]], [[["a"], None]], REMEDIES[-1]),
        *(([value], ["a"], REMEDIES[3]) for value in (1, IDS[0])),
    ],
)
def test_remedies(predictions, references, remedy):
    _, message = error_of(rouge, predictions, references)
    for known in REMEDIES:
        assert (known in message) == (known == remedy)


SHUFFLED = pd.Series(TEXTS, index=[2, 0, 1])


@pytest.mark.parametrize("index", [[0, 1, 2], [0, 2, 1]])
@pytest.mark.parametrize("other", ["predictions", "references", "baseline_predictions"])
def test_labels_in_another_order_are_refused(metric, index, other):
    """Series are paired by position."""
    sides = dict.fromkeys(("predictions", "references", "baseline_predictions"), SHUFFLED)
    assert metric.compute(**sides)
    sides[other] = pd.Series(OTHERS, index=index)
    for function in (metric.compute, {"rouge_full": rouge, "bleu_full": bleu}[metric.name]):
        kind, message = error_of(function, **sides)
        assert (kind, "labels" in message) == (ValueError, True)
    sides[other] = pd.Series(OTHERS, index=[5, 6, 7])
    assert metric.compute(**sides)
    sides[other] = OTHERS
    assert metric.compute(**sides)


@pytest.mark.parametrize("side", ["predictions", "references"])
def test_iterators_are_refused_unread(metric, side):
    texts = iter(["a", "b"])
    corpus = {"predictions": ["a", "b"], "references": ["a", "b"], side: texts}
    assert error_of(metric.compute, **corpus)[0] is TypeError
    assert list(texts) == ["a", "b"]


def test_nothing_to_score(metric):
    for given in ({}, {"predictions": None, "references": None}):
        with pytest.raises(ValueError, match="nothing to score"):
            metric.compute(**given)
    with pytest.raises(ValueError, match="predictions is missing"):
        metric.add_batch()
    for empty in ([], (), np.array([]), pd.Series([], dtype=object)):
        with pytest.raises(ValueError, match="predictions is empty"):
            metric.compute(predictions=empty, references=empty)


def test_arguments_of_methods(metric):
    texts = {"predictions": ["a"], "references": ["a"]}
    for method in (metric.compute, metric.add_batch, metric.add):
        with pytest.raises(TypeError, match=f"^{method.__name__}.* positional .*predictions?=..."):
            method(["a"], ["a"])
        with pytest.raises(TypeError, match="'sources'"):
            method(**texts, sources=["a"])
    for method in (metric.add_batch, metric.add):
        with pytest.raises(TypeError, match="lowercase"):
            method(**texts, lowercase=True)
    with pytest.raises(TypeError, match=r"^explain.* positional .*prediction=\.\.\."):
        metric.explain("a", "a")
    for references in (PAIRS, OTHERS):
        with pytest.raises(TypeError, match="lists of examples use add_batch"):
            metric.add(predictions=TEXTS, references=references)
    assert len(metric) == 0


# --- accepted -------------------------------------------------------------------------------------


def object_array(values):
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


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
    "column of a dataset": lambda values: datasets.Dataset.from_dict({"values": values})["values"],
}
SQUARE = [["the", "cat"], ["a", "mat"], ["dog", "ran"]]
MIXED = pd.Series([RAGGED[0][0], np.array(RAGGED[1]), tuple(RAGGED[2])], index=INDEX)
ACCEPTED = {  # predictions, references, both as plain lists
    "numpy strings": (list(map(np.str_, TEXTS)), list(map(np.str_, OTHERS)), TEXTS, OTHERS),
    "arrays": (np.array(TEXTS), np.array(OTHERS), TEXTS, OTHERS),
    "matrix of references": (np.array(TEXTS), np.array(PAIRS), TEXTS, PAIRS),
    "tokens in a matrix": (np.array(SQUARE), np.array([SQUARE] * 3), SQUARE, [SQUARE] * 3),
    "large strings": (pa.array(TEXTS, pa.large_string()), pa.array(RAGGED), TEXTS, RAGGED),
    "categories": (pd.Series(TEXTS, dtype="category"), OTHERS, TEXTS, OTHERS),
    "a text, or a list of texts": (TEXTS, MIXED, TEXTS, RAGGED),
}
if hasattr(np.dtypes, "StringDType"):  # since numpy 2
    variable = (np.array(side, dtype=np.dtypes.StringDType()) for side in (TEXTS, PAIRS))
    ACCEPTED["arrays of variable strings"] = (*variable, TEXTS, PAIRS)
for name, kind in LIST_KINDS.items():
    for number, form in enumerate(FORMS):
        ACCEPTED[f"{name}, form {number}"] = (*map(kind, form), *form)
for kind in (tuple, np.array):
    ACCEPTED[f"texts in {kind.__name__}"] = (TEXTS, list(map(kind, RAGGED)), TEXTS, RAGGED)
    tokens = (list(map(kind, side)) for side in FORMS[2])
    ACCEPTED[f"tokens in {kind.__name__}"] = (*tokens, *FORMS[2])


@pytest.mark.parametrize(
    ("predictions", "references", "plain", "plain_references"), ACCEPTED.values(), ids=ACCEPTED
)
def test_accepted_forms(metric, predictions, references, plain, plain_references):
    """They stay as they are."""
    before = (list(predictions), list(references))
    expected = metric.compute(predictions=plain, references=plain_references, use_aggregator=False)
    given = {"predictions": predictions, "references": references}
    assert metric.compute(**given, use_aggregator=False) == expected
    metric.add_batch(**given)
    assert metric.compute(use_aggregator=False) == expected
    assert repr((list(predictions), list(references))) == repr(before)


def test_accepted_items(metric):
    for prediction, reference, *plain in [
        (np.str_("a b"), np.str_("a c"), "a b", "a c"),
        ("a b", pd.Series(["a c", "b"], index=[5, 6]), "a b", ["a c", "b"]),
        (np.array(["a", "b"]), (["a"], ("b",)), ["a", "b"], [["a"], ["b"]]),
    ]:
        metric.add(prediction=prediction, reference=reference)
        metric.add(predictions=prediction, references=reference)
        texts = {"predictions": [plain[0]] * 2, "references": [plain[1]] * 2}
        assert metric.compute() == metric.compute(**texts)


@pytest.mark.parametrize("kind", [*LIST_KINDS.values(), np.array], ids=[*LIST_KINDS, "array"])
@pytest.mark.parametrize(
    ("function", "name", "values"),
    [
        (rouge, "rouge_types", ["rouge1", "rougeL"]),
        (rouge, "stopwords", ["the", "a"]),
        (bleu, "weights", [0.25, 0.75]),
    ],
)
def test_options_that_are_lists(kind, function, name, values):
    """They stay as they are."""
    expected, given = function(TEXTS, OTHERS, **{name: values}), kind(values)
    assert function(TEXTS, OTHERS, **{name: given}) == expected
    if name == "weights":
        assert bleu(TEXTS, OTHERS, weights={"one": given})["one"] == expected["bleu"]
    assert list(given) == list(kind(values))


# --- texts in lists -------------------------------------------------------------------------------

# Predictions and references that may be the tokens of the other side or texts in lists, and the
# item that the error names.
IN_LISTS = [
    ([["Yes"], ["the cat"]], [["Yes"], ["a cat"]], "predictions[1]"),
    ([[""], [], ["a dog"]], [["a"], ["b"], ["c"]], "predictions[2]"),
    ([["a dog"]], [["a dog", "the dog"]], "predictions[0]"),
    ([["a dog"]], [["a", "dog"]], "predictions[0]"),
    ([["a\nb"]], [["a"]], "predictions[0]"),
    ([["谢谢"], ["今天天气很好我们去公园"]], [["谢谢"], ["今天天气不错"]], "predictions[1]"),
    ([["ฉันกินข้าวที่บ้าน"]], [["ฉันกินข้าว"]], "predictions[0]"),
    ([["the", "cat"]], [["the cat"]], "references[0]"),
    ([["a"], ["the", "cat"]], [["a"], ["the cat", "cats", "a cat", "two cats"]], "references[1]"),
    ([["a"], ["the", "cat"]], [[["a"], ["b"]], [["cat"], ["the cat"]]], "references[1]"),
    ([["cat"]], [["the cat", "a cat"]], "references[0]"),
    ([[]], [["the cat"]], "references[0]"),
]
TOKENS = [  # predictions and references that are accepted as tokens
    ([["the", "cat"]], [["the", "cat"]]),
    ([["the", "cat"]], [["cat"]]),
    ([["yes"], ["no"]], [["yes"], ["yes"]]),
    # names as tokens: on both sides, on one, half of the strings, alone beside words
    ([["I", "love", "New York"]], [["New York"]]),
    ([["I", "love", "it"]], [["I", "love", "New York"]]),
    ([["a", "b"]], [["New York", "is"]]),
    ([["New York"], ["a", "b"]], [["New York"], ["a", "b"]]),
    # spaces around tokens, and as tokens
    ([["the", " cat"]], [["the", " cat "]]),
    ([[" the", " cat"]], [[" the ", " cat ", " New York"]]),
    ([["a", " ", "b"]], [["a", "  ", "b"]]),
    ([["a", "b"]], [["  "]]),
    ([["中华人民共和国"]], [["中华人民共和国"]]),  # 7 characters
    ([["我爱北京"]], [["我爱北京的天安门"]]),
    ([["Donaudampfschiff"]], [["достопримечательность"]]),
    ([[]], [[]]),
    ([["the", "cat"]], [[["the", "cat"], ["New York"], ["a"]]]),
]


@pytest.mark.parametrize(("predictions", "references", "place"), IN_LISTS, ids=range(len(IN_LISTS)))
def test_texts_in_lists_are_refused(metric, predictions, references, place):
    """Before any work, whatever their order; added texts are checked together."""
    texts = {"predictions": predictions, "references": references}
    kind, message = error_of(metric.compute, **texts, tokenizer=boom)
    assert kind is ValueError
    assert message.startswith(f"{place} must")
    for order in permutations(range(len(predictions))):
        other = {side: [column[index] for index in order] for side, column in texts.items()}
        kind, found = error_of(metric.compute, **other)
        assert (kind, found.partition("[")[0]) == (ValueError, place.partition("[")[0])
    metric.add_batch(**texts)
    assert error_of(metric.compute) == (ValueError, message)
    assert len(metric) == 0


@pytest.mark.parametrize(("predictions", "references"), TOKENS, ids=range(len(TOKENS)))
def test_batches_do_not_matter_to_tokens(metric, predictions, references):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "No text has a token")
        warnings.filterwarnings("ignore", "BLEU is 0 ")
        expected = metric.compute(predictions=predictions, references=references)
        for prediction, reference in zip(predictions, references, strict=True):
            metric.add(prediction=prediction, reference=reference)
        assert metric.compute() == expected


# --- chunks ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("least", "limit", "n_workers", "fewest", "most"),
    [
        (1, 10**9, 1, 1, 1),
        (10**9, 10**9, 8, 1, 1),
        # At least three for each worker, of the same size, so that all are at work to the end.
        (300, 10**9, 2, 6, 6),
        (300, 5_000, 4, 16, 20),  # 64,000 / 5,000 for 4 workers, or one more of each
        (1, 61, 1, 1000, 2000),  # the longest example: 64,000 / 61 or more, and one of each at most
    ],
)
def test_number_of_chunks(monkeypatch, least, limit, n_workers, fewest, most):
    """Of 2000 pairs of 2 to 60 characters, and 1 for each example, 64,000 in all."""
    monkeypatch.setattr(corpus_module, "_MIN_CHUNK_CHARACTERS", least)
    monkeypatch.setattr(corpus_module, "_CHUNK_CHARACTERS", limit)
    corpus = checked_corpus(["a" * (1 + n * 7 % 59) for n in range(2000)], ["b"] * 2000)
    chunks = corpus.chunk_ranges(n_workers)
    assert fewest <= len(chunks) <= most
    assert [start for start, _ in chunks] == [0, *(end for _, end in chunks[:-1])]
    assert chunks[-1][1] == 2000
    characters = [sum(map(len, corpus.texts_and_offsets(*chunk)[0])) for chunk in chunks]
    assert max(characters) <= limit
    if len(chunks) > n_workers > 1:
        assert len(chunks) % n_workers == 0
        assert max(characters) <= 1.02 * corpus.n_pair_characters / len(chunks)


@pytest.mark.parametrize("n_characters", [1, 40, 300])
@pytest.mark.parametrize("is_tokenized", [False, True])
@pytest.mark.parametrize("choice", MULTI_REFERENCES)
def test_items_with_1_5_9_references_in_chunks(monkeypatch, choice, is_tokenized, n_characters):
    """An item is not split, however many references it has, and takes those of no other item."""
    rng = np.random.default_rng(3)

    def text():
        words = rng.choice(list("abcd"), rng.integers(0, 9)).tolist()
        return words if is_tokenized else " ".join(words)

    n_references = [1, 5, 9, 1, 13, 1, 1, 5, 17, 1]
    items = [(text(), [text() for _ in range(n)]) for n in n_references]
    columns = list(map(list, zip(*items, strict=True)))
    of_rouge = {"multi_reference": choice, "use_aggregator": False, "output": "all"}
    of_bleu = {"use_aggregator": False, "smoothing": "exp"}
    whole = rouge(*columns, **of_rouge), bleu(*columns, **of_bleu)
    monkeypatch.setattr(corpus_module, "_CHUNK_CHARACTERS", n_characters)
    assert n_characters > 1 or len(checked_corpus(*columns).chunk_ranges()) == len(items)
    assert (rouge(*columns, **of_rouge), bleu(*columns, **of_bleu)) == whole
    alone = [rouge([prediction], [texts], **of_rouge) for prediction, texts in items]
    assert whole[0] == {key: [one[key][0] for one in alone] for key in whole[0]}
