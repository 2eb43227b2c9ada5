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
    return array_of_bytes(*joined_bytes(list(texts)))


def joined_bytes(texts: Sequence[str], between: str = "") -> tuple[bytes, np.ndarray]:
    """Return texts in UTF-8 with `between`, ASCII, between them, and where each starts.

    Second comes an ndarray of int64, shape (n_texts + 1,), whose last value is where one
    more text would start.

    >>> written, offsets = joined_bytes(["é", "", "ab"], between="-")
    >>> written.decode(), offsets.tolist()
    ('é--ab', [0, 3, 4, 7])
    """
    if all(map(str.isascii, texts)):
        written, lengths = between.join(texts).encode(), map(len, texts)
    else:  # joined as strings all of them would be as wide as the widest one
        encoded = [text.encode() for text in texts]
        written, lengths = between.encode().join(encoded), map(len, encoded)
    n_bytes = np.fromiter(lengths, dtype=np.int64, count=len(texts))
    return written, offsets_of_lengths(n_bytes + len(between))


def array_of_bytes(written: bytes | np.ndarray, offsets: np.ndarray) -> pa.Array:
    """Return parts of a buffer of bytes as an array of large_string; the last offset is the end."""
    return pa.LargeStringArray.from_buffers(
        len(offsets) - 1, pa.py_buffer(offsets), pa.py_buffer(written)
    )


def array_of_numbers(values: np.ndarray) -> pa.Array:
    """Return a vector of numbers as a pyarrow array of the same type, without a copy."""
    data = pa.py_buffer(np.ascontiguousarray(values))
    kind = pa.from_numpy_dtype(values.dtype)
    return pa.Array.from_buffers(kind, len(values), [None, data])


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
