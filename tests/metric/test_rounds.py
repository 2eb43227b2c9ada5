"""Rounds of threads that stand for processes; `test_shared_cache.py` has real ones."""

import os
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from rouge_bleu.metric.rounds import (
    ProcessGroup,
    _is_alive,
    begun_round,
    hand_over,
    handed_over,
    left,
)


@pytest.fixture
def groups(tmp_path):
    """Make a group of so many processes, as each of them sees it."""

    def groups(n_processes, timeout=20.0):
        return [
            ProcessGroup(str(tmp_path), "name", n_processes, process, timeout)
            for process in range(n_processes)
        ]

    return groups


def bring(group, text):
    """Take part in a round; process 0 returns what the others bring."""
    this_round = begun_round(group)
    try:
        if group.process:
            return hand_over(this_round, lambda path: Path(path).write_text(text, encoding="utf-8"))
        with handed_over(this_round) as paths:
            return [Path(path).read_text(encoding="utf-8") for path in paths]
    finally:
        left(this_round)


def all_bring(groups, n_rounds=1):
    def work(group):
        return [bring(group, f"{group.process} in {number}") for number in range(n_rounds)]

    with ThreadPoolExecutor(len(groups)) as pool:
        return list(pool.map(work, groups))


def test_each_round_has_its_own_data(groups, tmp_path):
    first, *others = all_bring(groups(3), n_rounds=10)
    assert first == [[f"1 in {number}", f"2 in {number}"] for number in range(10)]
    assert others == [[None] * 10] * 2
    left_over = sorted(path.suffix for path in tmp_path.iterdir())
    assert left_over == [".lock"] * 3 + [".read"]


@pytest.mark.parametrize(
    "names",
    [
        ["{}.open"],
        ["{}.open", "{}.1.joined", "{}.ready", "{}.1.items", "{}.2.items"],
        ["{}.open", "{}.0.failed"],
        ["{}.open", "{}.ready.part", "{}.1.failed"],
    ],
    ids=len,
)
def test_what_a_killed_run_has_left_is_not_read(groups, tmp_path, names):
    for name in names:
        (tmp_path / name.format("0123456789abcdef" * 2)).write_text("old")
    first, *_ = all_bring(groups(3))
    assert first == [["1 in 0", "2 in 0"]]


def test_who_lives(groups):
    (group,) = groups(1)
    this_round = begun_round(group)
    assert _is_alive(group, 0)
    left(this_round)
    assert not _is_alive(group, 0)
    os.remove(Path(group.folder) / "0.lock")
    with pytest.raises(FileNotFoundError):
        _is_alive(group, 0)


def test_all_who_do_not_come_are_named(groups, tmp_path):
    with pytest.raises(TimeoutError) as raised:
        begun_round(groups(3, timeout=0.05)[0])
    assert str(raised.value) == (
        "process_id 1, 2 of num_process=3 have not begun within 0.05 seconds with experiment_id"
        f" 'name' in {tmp_path}: each process must call add, add_batch or compute, also one that has"
        " nothing to add, and its input must not be refused. Look for an error in its log and run"
        " all processes again, or give load() a longer timeout if it needs more time"
    )


def test_who_does_not_compute_is_named_to_all(groups):
    with ThreadPoolExecutor(3) as pool:
        first, second, third = pool.map(begun_round, groups(3))
        hurried = replace(first, group=replace(first.group, timeout=0.1))
        told = pool.submit(hand_over, second, lambda path: Path(path).touch())
        message = (
            "process_id 2 of num_process=3 has not computed within 0.1 seconds: look for an error"
            " in its log and run all processes again, or give load() a longer timeout if it needs"
            " more time"
        )
        with pytest.raises(TimeoutError) as raised, handed_over(hurried):
            pass
        assert str(raised.value) == message
        assert str(told.exception()) == f"process_id 0 gave up: {message}"
    for one in (first, second, third):
        left(one)


def test_others_wait_for_process_0_twice_as_long(groups):
    """It may come at the end of its time, and wait as long again: 2 * 0.05 and 2 * 0.1 seconds."""
    start = time.monotonic()
    with pytest.raises(TimeoutError, match=r"0 of num_process=2 has not begun within 0\.1 seconds"):
        begun_round(groups(2, timeout=0.05)[1])
    both = groups(2)
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(begun_round, both)
    hurried = replace(second, group=replace(both[1], timeout=0.1))
    with pytest.raises(TimeoutError, match=r"0 of num_process=2 has not computed within 0\.2 sec"):
        hand_over(hurried, lambda path: Path(path).write_text("", encoding="utf-8"))
    left(first)
    left(second)
    assert time.monotonic() - start > 0.3
