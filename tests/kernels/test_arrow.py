"""Arrow arrays from Python and numpy are those that pyarrow makes itself."""

import numpy as np
import pyarrow as pa
import pytest

from rouge_bleu.arrays import array_of_numbers, array_of_texts, numbers_of_array


@pytest.mark.parametrize("texts", [[], [""], ["a", "", "bc"], ["é", "", "a", "中文", "🎉x"]])
def test_texts(texts):
    expected = pa.array(texts, pa.large_string())
    for given in (texts, tuple(texts), iter(texts)):
        array = array_of_texts(given)
        array.validate(full=True)
        assert array.equals(expected)


def test_a_lone_surrogate_is_refused():
    with pytest.raises(UnicodeEncodeError):
        array_of_texts(["a", "\ud800"])


@pytest.mark.parametrize("dtype", ["int32", "int64", "uint64"])
@pytest.mark.parametrize("length", [0, 1, 9])
def test_numbers(dtype, length):
    values = np.arange(2 * length, dtype=dtype)[::2]
    array = array_of_numbers(values)
    assert array.equals(pa.array(values))
    for first in (0, 3):
        assert numbers_of_array(array[first:]).tolist() == values[first:].tolist()
