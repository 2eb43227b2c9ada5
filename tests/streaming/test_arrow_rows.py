"""Batches of Arrow as corpora: which columns are taken, which rows are left out, and errors."""

from types import SimpleNamespace

import pyarrow as pa
import pytest

from helpers.errors import error_of
from rouge_bleu.streaming import checked_rows

ARGUMENTS = {"predictions": "predictions", "references": "references"}
ARGUMENTS |= {"item": None, "first_item": None, "missing": "error"}
TEXTS = ["a b", "c", "d e f"]
LISTS = [["a"], ["b", "c"], ["d", "e", "f"]]


def batch(predictions, references, types=(None, None), **others):
    columns = {
        "predictions": pa.array(predictions, type=types[0]),
        "references": pa.array(references, type=types[1]),
    }
    return pa.RecordBatch.from_pydict(columns | {name: pa.array(v) for name, v in others.items()})


def rows_of(batch, **arguments):
    corpus, is_scored, ids = checked_rows(batch, **(ARGUMENTS | arguments))
    return SimpleNamespace(corpus=corpus, is_scored=is_scored, item=ids)


def dictionary(texts):
    return pa.array(texts).dictionary_encode()


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view()])
@pytest.mark.parametrize("list_of", [pa.list_, pa.large_list])
def test_forms_of_text(kind, list_of):
    """One reference or a ragged list of them, in all types that Arrow has for them."""
    rows = rows_of(batch(TEXTS, TEXTS, (kind, kind)))
    assert (rows.corpus.predictions, rows.corpus.references) == (TEXTS, TEXTS)
    rows = rows_of(batch(TEXTS, LISTS, (kind, list_of(kind))))
    assert rows.corpus.references_of_items == LISTS
    assert rows.is_scored.tolist() == [True] * 3
    assert rows.item is None


def test_tokens():
    """A reference is a list of tokens, or a list of such lists."""
    rows = rows_of(batch(LISTS, LISTS))
    assert rows.corpus.is_tokenized
    assert rows.corpus.references == LISTS
    nested = [[tokens, tokens[:1]] for tokens in LISTS]
    assert rows_of(batch(LISTS, nested)).corpus.references_of_items == nested


def test_a_list_without_tokens_is_a_reference_and_a_list_without_references_is_none():
    assert rows_of(batch([["a"], []], [[], ["a"]])).corpus.references == [[], ["a"]]
    with pytest.raises(ValueError, match=r"^references\[1\] is empty.* missing='skip'"):
        rows_of(batch(["a", "b"], [["a"], []]))


def test_dictionaries_tables_and_other_names():
    table = pa.table({"ours": dictionary(TEXTS), "gold": dictionary(TEXTS), "x": [1, 2, 3]})
    table = pa.concat_tables([table, table])
    rows = rows_of(table, predictions="ours", references="gold")
    assert rows.corpus.predictions == TEXTS * 2
    assert rows_of(table[:0], predictions="ours", references="gold").corpus.predictions == []


NULLS = batch(
    ["a", None, "c", "d", "e"],
    [["a"], ["b"], None, ["d", None], []],
    item=["first", "second", "third", "fourth", "fifth"],
)


def test_rows_with_a_null_or_without_a_reference_are_skipped():
    rows = rows_of(NULLS, missing="skip", item="item")
    assert rows.is_scored.tolist() == [True, False, False, False, False]
    assert rows.corpus.predictions == ["a"]
    assert rows.corpus.references_of_items == [["a"]]
    assert rows.item.to_pylist() == ["first", "second", "third", "fourth", "fifth"]


FAULTS = [
    (1, "predictions[0] (item 'second') is null"),
    (2, "references[0] (item 'third') is null"),
    (3, "references[0] (item 'fourth') has a null"),
    (4, "references[0] (item 'fifth') is empty"),
]


@pytest.mark.parametrize(("row", "fault"), FAULTS)
def test_without_skipping_the_row_and_its_id_are_named(row, fault):
    kind, message = error_of(rows_of, NULLS.slice(row, 1), item="item")
    assert kind is ValueError
    assert message.startswith(fault)
    with pytest.raises(ValueError, match=r"^predictions\[1\] is null"):
        rows_of(NULLS)


def test_a_null_among_tokens():
    rows = rows_of(
        batch([["a"], ["b", None], ["c"]], [[["a"]], [["b"]], [["c", None]]]), missing="skip"
    )
    assert rows.is_scored.tolist() == [True, False, False]


def test_ids():
    ids = batch(TEXTS, TEXTS, id=pa.array([5, -1, 2**62], type=pa.int64()))
    assert rows_of(ids, item="id").item.to_pylist() == [5, -1, 2**62]
    assert rows_of(ids, first_item=7).item.to_pylist() == [7, 8, 9]
    narrow = batch(TEXTS, TEXTS, id=pa.array([5, 6, 7], type=pa.uint16()))
    assert rows_of(narrow, item="id").item.type == pa.int64()
    names = batch(TEXTS, TEXTS, id=dictionary(["x", "y", "z"]))
    assert rows_of(names, item="id").item.to_pylist() == ["x", "y", "z"]
    assert rows_of(names.slice(1), item="id").item.to_pylist() == ["y", "z"]


COLUMNS = batch(
    TEXTS,
    TEXTS,
    number=[1, 2, 3],
    real=[0.5, 1.5, 2.5],
    gap=[1, None, 2],
    same=[1, 1, 2],
    great=pa.array([1, 2, 2**63], type=pa.uint64()),
)


# Arguments, the type of the error, and what its message names.
ERRORS = [
    ({"references": 3}, ValueError, ["references", "3"]),
    ({"references": "number"}, TypeError, ["references", "'number'", "int64"]),
    ({"item": "real"}, TypeError, ["item", "'real'", "double"]),
    ({"item": "gap"}, ValueError, ["item", "row 1", "'gap'"]),
    ({"item": "same"}, ValueError, ["item", "2 in the 3 rows", "'same'"]),
    ({"item": "great"}, ValueError, ["item", "'great'", "uint64"]),
    ({"item": "number", "first_item": 0}, ValueError, ["item", "first_item"]),
    ({"first_item": -1}, ValueError, ["first_item", "-1"]),
    ({"missing": "drop"}, ValueError, ["missing", "'error'", "'skip'", "'drop'"]),
]


@pytest.mark.parametrize(("arguments", "kind", "named"), ERRORS)
def test_errors(arguments, kind, named):
    found, message = error_of(rows_of, COLUMNS, **arguments)
    assert found is kind
    assert [name for name in named if name not in message] == []


def test_what_is_no_batch():
    with pytest.raises(TypeError, match=r"^batch must be a pyarrow.RecordBatch or a pyarrow.Table"):
        rows_of({"predictions": TEXTS, "references": TEXTS})


def test_a_column_that_occurs_twice():
    twice = pa.RecordBatch.from_arrays(
        [pa.array(TEXTS)] * 3, names=["predictions", "references", "references"]
    )
    with pytest.raises(ValueError, match=r"^references must name a column"):
        rows_of(twice)
