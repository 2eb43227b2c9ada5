"""A property that is computed once and kept, also in frozen objects, and by threads side by side."""

import copy
import pickle
import threading
from dataclasses import dataclass

import pytest

from rouge_bleu.arrays import lazy_property

calls = []


@dataclass(frozen=True)
class Square:
    side: int

    @lazy_property
    def area(self):
        calls.append(self.side)
        return self.side**2


def test_value_is_computed_once_and_kept():
    calls.clear()
    square = Square(3)
    assert [square.area, square.area, Square(4).area, square.area] == [9, 9, 16, 9]
    assert calls == [3, 4]


@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))]
)
def test_copies_keep_the_value(copied):
    square = Square(5)
    assert square.area == 25
    calls.clear()
    assert copied(square).area == 25
    assert copied(square) == Square(5)
    assert calls == []


def test_objects_do_not_wait_for_each_other():
    """Each computation waits until the other one has begun."""
    barrier = threading.Barrier(2, timeout=30)

    class Meeting:
        @lazy_property
        def place(self):
            barrier.wait()
            return threading.get_ident()

    places = []
    threads = [threading.Thread(target=lambda: places.append(Meeting().place)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(set(places)) == 2
