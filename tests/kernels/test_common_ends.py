"""What two texts begin or end with, against a loop."""

import numpy as np
import pytest

from rouge_bleu.ground.ragged import flattened
from rouge_bleu.kernels import common_ends
from rouge_bleu.kernels.common_ends import n_equal_in_row


def n_equal(left, right):
    n = 0
    while n < min(len(left), len(right)) and left[n] == right[n]:
        n += 1
    return n


@pytest.mark.parametrize("step", [1, -1])
@pytest.mark.parametrize("least", [1, 2, 8])
def test_common_ends(monkeypatch, step, least):
    """Those of fewer tokens than are looked for may be missed, no other."""
    monkeypatch.setattr(common_ends, "_LEAST_COMMON_END", least)
    rng = np.random.default_rng(least)
    texts = [rng.integers(0, 2, length).tolist() for length in rng.integers(0, 30, 400)]
    texts[200:300] = texts[:100]
    values, offsets = flattened(texts)
    start = offsets[:-1] if step == 1 else offsets[1:] - 1
    found = n_equal_in_row(np.array(values), start, np.diff(offsets), step).tolist()
    expected = [
        n_equal(left[::step], right[::step])
        for left, right in zip(texts[:200], texts[200:], strict=True)
    ]
    assert [n for n in found if n >= least] == [n for n in expected if n >= least]
    assert all(n <= m for n, m in zip(found, expected, strict=True))
    assert max(found) >= 20


def test_common_ends_of_no_pairs():
    nothing = np.zeros(0, dtype=np.int64)
    assert n_equal_in_row(nothing, nothing, nothing, 1).tolist() == []
