"""Tracebacks of a built script name the section of each function."""

import ast
import pickle
import sys
import traceback

import pytest

from helpers.repository import module_at
from rouge_bleu_tools.staging.section_names import name_sections
from rouge_bleu_tools.staging.single_file import single_file
from rouge_bleu_tools.staging.sources import Module

SCRIPT = """\
\"\"\"small: a metric.\"\"\"

import evaluate

from .house.rooms.kinds import TABLE
from .house.upper import call


class Small(evaluate.Metric):
    @staticmethod
    def fail():
        call(TABLE["plain"])
"""
UPPER = """\
def call(function, *arguments):
    return function(*arguments)
"""
# Each entry of the table fails in another kind of function.
KINDS = """\
from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial


def plain():
    raise ValueError("plain")


class Thing:
    def method(self):
        raise ValueError("method")

    @property
    def prop(self):
        raise ValueError("prop")

    @cached_property
    def cached(self):
        raise ValueError("cached")

    @staticmethod
    def static_method():
        raise ValueError("static_method")


@lru_cache(maxsize=None)
def remembered():
    raise ValueError("remembered")


def outer():
    def inside():
        raise ValueError("inside")

    return inside


def with_argument(text):
    raise ValueError(text)


@dataclass(frozen=True)
class Rules:
    rule: Callable


RULES = Rules(lambda: with_argument("rule"))
TABLE = {
    "plain": plain,
    "method": lambda: Thing().method(),
    "prop": lambda: Thing().prop,
    "cached": lambda: Thing().cached,
    "static_method": Thing.static_method,
    "remembered": remembered,
    "inside": lambda: outer()(),
    "with_argument": partial(lambda text: with_argument(text), "x"),
    "<lambda>": lambda: RULES.rule(),
    "<genexpr>": lambda: deque(plain() for _ in "a"),
}
"""


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    parts = {"small": SCRIPT, "house.rooms.kinds": KINDS, "house.upper": UPPER}
    path = tmp_path_factory.mktemp("built") / "small.py"
    text = single_file([Module(name, source) for name, source in parts.items()])
    path.write_text(text, encoding="utf-8")
    return module_at(path)


def frames_of(function):
    """The frames of a failing function below this one, as tracebacks show them."""
    with pytest.raises(ValueError, match=r"\w") as error:
        function()
    return traceback.extract_tb(error.value.__traceback__)[1:]


def kinds():
    """The keys of the table."""
    (table,) = (
        node.value
        for node in ast.parse(KINDS).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "TABLE"
    )
    return [ast.literal_eval(key) for key in table.keys]


@pytest.mark.parametrize("kind", kinds())
def test_each_kind_of_function_is_named(small, kind):
    frames = [frame for frame in frames_of(small.TABLE[kind]) if frame.filename == small.__file__]
    assert frames
    assert [frame.name for frame in frames if not frame.name.startswith("rooms.kinds.")] == []
    assert f"rooms.kinds.{kind.split()[0]}" in [frame.name for frame in frames]
    assert all(frame.line.strip() in KINDS for frame in frames), "the source is that line"


def test_a_traceback_goes_through_sections(small):
    names = [frame.name for frame in frames_of(small.Small.fail)]
    assert names == ["small.fail", "upper.call", "rooms.kinds.plain"]


def test_nothing_but_tracebacks_changes(small):
    """The names that pickle and documentation use are those of the source."""
    assert small.plain.__name__ == small.plain.__qualname__ == "plain"
    assert small.Thing.method.__qualname__ == "Thing.method"
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "small", small)
        assert pickle.loads(pickle.dumps(small.plain)) is small.plain
    assert small.call(lambda a, b: a + b, 1, 2) == 3


def test_functions_of_other_files_keep_their_names(small):
    functions = {"dataclass": small.dataclass, "theirs": traceback.format_exc}
    before = [function.__code__.co_name for function in functions.values()]
    name_sections({"__name__": "here", **functions}, {1: "all"})
    assert [function.__code__.co_name for function in functions.values()] == before
