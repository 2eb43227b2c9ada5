"""Values of columns that are no predictions or references."""

import pytest

from rouge_bleu_tools.commands.inputs.errors import FileError
from rouge_bleu_tools.commands.inputs.tables import read_table
from rouge_bleu_tools.commands.inputs.texts import (
    checked_predictions,
    predictions_of,
    references_of,
)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            '{"a": "x \\ud800", "b": "y"}',
            "'a' must be valid Unicode text, got a lone surrogate '\\ud800' at character 3",
        ),
        (
            '{"a": "x", "b": ["y", "\\udfff"]}',
            "'b'[1] must be valid Unicode text, got a lone surrogate '\\udfff' at character 1",
        ),
    ],
)
def test_half_of_a_character(line, message, tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(line)
    table = read_table(path, ["a", "b"])
    with pytest.raises(FileError) as error:  # noqa: PT012
        predictions_of(table, "a", path, allow_empty=False)
        references_of(table, ["b"], path)
    assert str(error.value) == f"{path}, line 1: {message}"


def test_a_prediction_of_none():
    assert checked_predictions(["a", None, ""], "xyz", allow_empty=True) == ["a", "", ""]
    with pytest.raises(FileError, match=r"^y is missing; --allow-empty"):
        checked_predictions(["a", None, ""], "xyz", allow_empty=False)
