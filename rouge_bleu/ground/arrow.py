"""Arrow arrays from Python and numpy, and back, by their buffers.

`pyarrow.array` and `to_numpy` look for objects of pandas and import pandas for that,
which takes as long as all else that a first score needs. These functions do not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pyarrow as pa

from .ragged import offsets_of_lengths


def array_of_texts(texts: Iterable[str]) -> pa.Array:
    """Return strings as a pyarrow array of large_string.

    >>> array_of_texts(["é", "", "ab"]).to_pylist()
    ['é', '', 'ab']
    """
    texts = list(texts)
    joined = "".join(texts)
    n_bytes = bytes_of_texts(texts, is_ascii=joined.isascii())
    return array_of_bytes(joined.encode(), offsets_of_lengths(n_bytes))


def bytes_of_texts(texts: Sequence[str], *, is_ascii: bool) -> np.ndarray:
    """Return the number of bytes of each text in UTF-8, ndarray of int64."""
    lengths = map(len, texts if is_ascii else map(str.encode, texts))
    return np.fromiter(lengths, dtype=np.int64, count=len(texts))


def array_of_bytes(written: bytes, offsets: np.ndarray) -> pa.Array:
    """Return parts of bytes as an array of large_string; the last offset is the end."""
    return pa.LargeStringArray.from_buffers(
        len(offsets) - 1, pa.py_buffer(offsets), pa.py_buffer(written)
    )


def array_of_numbers(values: np.ndarray) -> pa.Array:
    """Return a vector of numbers as a pyarrow array of the same type, without a copy."""
    data = pa.py_buffer(np.ascontiguousarray(values))
    kind = pa.from_numpy_dtype(values.dtype)
    return pa.Array.from_buffers(kind, len(values), [None, data])


def array_of_flags(is_set: np.ndarray) -> pa.Array:
    """Return a vector of bool as a pyarrow array, which has a bit for each.

    >>> array_of_flags(np.array([True, False, True])).to_pylist()
    [True, False, True]
    """
    bits = pa.py_buffer(np.packbits(is_set, bitorder="little"))
    return pa.Array.from_buffers(pa.bool_(), len(is_set), [None, bits])


def numbers_of_array(array: pa.Array) -> np.ndarray:
    """Return an array of numbers, none of them null, as a vector, without a copy.

    >>> numbers_of_array(array_of_numbers(np.array([3, 4, 5]))[1:])
    array([4, 5])
    """
    dtype = np.dtype(array.type.to_pandas_dtype())
    data = array.buffers()[1]
    if not len(array) or data is None:
        return np.zeros(0, dtype=dtype)
    return np.frombuffer(data, dtype=dtype)[array.offset : array.offset + len(array)]
