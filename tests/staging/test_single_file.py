"""A script and its modules become one file: its text, and what keeps them from it.

What names mean there is tested in `test_one_namespace.py`.
"""

import ast
import re

import pytest

from helpers.errors import error_of
from helpers.programs import python
from helpers.repository import ROOT
from rouge_bleu_tools.staging import single_file as staging_single_file
from rouge_bleu_tools.staging.loader_rules import shipped_modules
from rouge_bleu_tools.staging.one_namespace import OneNamespace
from rouge_bleu_tools.staging.single_file import MARK, in_order, single_file
from rouge_bleu_tools.staging.sources import Module, StageError
from rouge_bleu_tools.staging.spaces import SPACES

SCRIPT = """\
\"\"\"small: a metric.\"\"\"

import evaluate

# What it is made of.
try:
    from .house.rooms.ground import half
    from .house.upper import quarter
except (ImportError, NameError) as error:
    from pathlib import Path

    _folder = Path(__file__).parent
    raise ImportError(f"{_folder} is not whole") from error

# evaluate copies the packages that it sees named at the start of a line.
from .house import __name__ as _PACKAGE

_DESCRIPTION = "a  b"


class Small(evaluate.Metric):
    pass
"""
GROUND = """\
\"\"\"Halves.

    half = x / 2
\"\"\"

from __future__ import annotations

import math
from collections.abc import (
    Iterable,  # for all
    Callable,
)

import numpy as np

TWO = 2  # a comment


# Why two: nobody knows.
def half(x: float) -> float:
    from fractions import Fraction

    return math.floor(x * Fraction(1, TWO))
"""
UPPER = """\
from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from .rooms.ground import half

MORE = (
    math.pi,

    math.e,
)

import numpy as np


def quarter(x):
    return half(half(x))
"""
NAMES = {"small": "small", "ground": "house.rooms.ground", "upper": "house.upper"}


def modules(**sources):
    """The script and modules, of which some are others than in the example."""
    sources = {"small": SCRIPT, "ground": GROUND, "upper": UPPER} | sources
    return [Module(NAMES[name], source) for name, source in sources.items()]


def heading(name):
    return f"# === {name} ".ljust(88, "=") + "\n"


# --- the text -----------------------------------------------------------------------


def test_the_text():
    """Read aloud: head, imports, sections with their docstrings, the script last."""
    expected = f"""\
\"\"\"small: a metric.\"\"\"

{MARK}
# Its sections: rooms.ground, upper, small, section_names.

from __future__ import annotations

import math
from bisect import bisect
from collections.abc import Callable, Iterable, Sequence
from functools import _lru_cache_wrapper, cached_property, partial
from types import CodeType, FunctionType
from typing import Any

import evaluate
import numpy as np

{heading("rooms.ground")}
\"\"\"Halves.

    half = x / 2
\"\"\"


TWO = 2  # a comment


# Why two: nobody knows.
def half(x: float) -> float:
    from fractions import Fraction

    return math.floor(x * Fraction(1, TWO))


{heading("upper")}

MORE = (
    math.pi,

    math.e,
)


def quarter(x):
    return half(half(x))


{heading("small")}

_DESCRIPTION = "a  b"


class Small(evaluate.Metric):
    pass


{heading("section_names")}
\"\"\""""
    assert single_file(modules())[: len(expected)] == expected


@pytest.mark.parametrize(
    ("before", "after", "named"),
    [
        ("TWO = 2", "TWO = 3", "TWO = 2"),
        ("@cached\ndef half", "def half", "@cached"),
        ("x: float) -> float:", "x: float) -> int:", "@cached"),
        ("TWO = 2", "TWO = 2\nTHREE = 3", "@cached"),
        ("TWO = 2", "TWO  = 2", None),  # is the same statement
    ],
)
def test_a_statement_that_gets_lost_or_changed_is_named(monkeypatch, before, after, named):
    """The text is broken where it is put together, as a fault there would."""
    joined = staging_single_file._joined
    monkeypatch.setattr(
        staging_single_file, "_joined", lambda *parts: joined(*parts).replace(before, after)
    )
    ground = GROUND.replace("def half", "@cached\ndef half") if named else GROUND
    given = modules(ground=ground + f"# {after}\n")
    if named is None:
        assert after in single_file(given)
        return
    message = f"small.py: a statement got lost or changed: {named}"
    assert error_of(single_file, given) == (StageError, message)


def test_dependencies_stand_first_and_then_names_in_order():
    needs = {"e": "bd", "d": "c", "b": "a", "c": "", "a": ""}
    found = [
        Module(f"house.{name}", "".join(f"from .{other} import x\n" for other in others))
        for name, others in needs.items()
    ]
    assert [module.section for module in in_order(found)] == ["a", "c", "b", "d", "e"]


# --- what keeps modules from standing in one file -----------------------------------


GUARD = """\
try:
    from .house.rooms.ground import half
    from .house.upper import quarter
except ImportError as error:
    raise ImportError("not whole") from error
"""
IN_A_BLOCK = (
    "an import must not stand in a block (if, try, with): "
    "move it to the top of the module, or into a function"
)
RELATIVE_INSIDE = "a relative import must not stand in a function or block"


def script_with(block):
    return f"import evaluate\n{block}\nclass Small(evaluate.Metric): ...\n"


INSIDE = {3: RELATIVE_INSIDE, 4: RELATIVE_INSIDE}
NOT_THERE = "no module {} has {} at its top level"
FOR_TYPES = "from typing import TYPE_CHECKING\nquarter = 1\nif TYPE_CHECKING:\n    import re\n"
DUNDER = "{} begins with two underscores, as names of Python do"
# Of a module that differs from the example its text, and what is said of which lines.
PROBLEMS = [
    *(
        ("upper", f"from {where} import {what}\nquarter = 1\n", {1: NOT_THERE.format(module, what)})
        for where, what, module in [
            (".rooms.ground", "third", "house.rooms.ground"),
            ("..rooms.ground", "half", "rooms.ground"),
            ("...ground", "half", ".ground"),
        ]
    ),
    ("small", SCRIPT + "print(_PACKAGE)\n", {16: NOT_THERE.format("house", "__name__")}),
    ("upper", "def quarter():\n    from .rooms.ground import half\n", {2: RELATIVE_INSIDE}),
    ("upper", FOR_TYPES, {4: IN_A_BLOCK}),
    ("ground", "from math import *\nhalf = 1\n", {1: "an import must name what it imports, got *"}),
    (
        *("upper", GUARD.replace(".house.upper", ".other").replace(".house", "")),
        {1: "only the script may explain imports that fail"},
    ),
    # Only imports may fail in a `try:` that is dropped, and only by an error.
    ("small", script_with(GUARD.replace("except", "    N = 1\nexcept")), INSIDE),
    ("small", script_with(GUARD.split("    raise")[0] + "    half = 0"), INSIDE),
    ("small", script_with(GUARD + "else:\n    N = 1\n"), INSIDE),
    ("small", script_with(GUARD + "finally:\n    N = 1\n"), INSIDE),
    # two things by one name
    (
        "upper",
        "from .rooms.ground import half\nimport math\n\ndef half(): ...\nquarter = math = 1\n",
        {
            4: "half is house.upper.half here, and house.rooms.ground.half in line 1",
            5: "math is house.upper.math here, and math in line 2",
        },
    ),
    (
        *("ground", "half = 1\n__all__ = []\n__x = 1\n"),
        {2: DUNDER.format("__all__"), 3: DUNDER.format("__x")},
    ),
]


@pytest.mark.parametrize(("name", "source", "problems"), PROBLEMS)
def test_problems_are_named_with_file_and_line(name, source, problems):
    file = NAMES[name].replace(".", "/") + ".py"
    lines = [f"{file}:{line}: {text}" for line, text in problems.items()]
    message = "\n  ".join(["small.py and its modules cannot stand in one file:", *lines])
    assert error_of(single_file, modules(**{name: source})) == (StageError, message)


def test_modules_that_import_each_other():
    circle = modules(ground="from ..upper import quarter\nhalf = 1\n")
    names = "house.rooms.ground -> house.upper -> house.rooms.ground"
    with pytest.raises(StageError, match=rf"^modules import each other: {names}$"):
        single_file(circle)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        # what only a dropped block defines
        (
            {"small": SCRIPT + "\nprint(_folder)\n"},
            r"^small.py: nothing defines _folder in the one file$",
        ),
        # a library that a module needs is one that the script needs now
        (
            {"ground": "import nltk\nhalf = 1\n"},
            r"(?s)^the built small.py breaks the rules of .*nltk is not installed with evaluate",
        ),
        (
            {"ground": "import math; A = 1\nhalf = 1\n"},
            r"^small.py: a statement got lost .*: A = 1$",
        ),
        ({"ground": "half = 1\nif:\n"}, r"^house/rooms/ground.py:2: .*"),
    ],
)
def test_what_goes_wrong_while_it_is_joined(changed, message):
    with pytest.raises(StageError, match=message):
        single_file(modules(**changed))


# --- the metrics --------------------------------------------------------------------


def constants(module):
    assigned = (node for node in module.tree.body if isinstance(node, ast.Assign))
    return {ast.unparse(node.targets[0]): node.value for node in assigned}


@pytest.mark.parametrize("name", SPACES)
def test_what_is_built_has_all_texts_and_needs_no_module(name, tmp_path):
    """The texts of the metric, and of each module its docstring and comments, if not by other names.
    The rules of the repository hold in it, but that lines may be longer.
    """
    metric = shipped_modules(ROOT / f"{name}.py")
    built = Module(name, single_file(metric))
    assert built.relative_imports == []
    before, after = constants(metric[0]), constants(built)
    for name in ("_DESCRIPTION", "_USE", "_CITATION"):
        assert ast.literal_eval(after[name]) == ast.literal_eval(before[name])
    names = OneNamespace(in_order(metric), own=[built.name])
    as_written = built.source
    for module in metric:
        for old, new in names.new_names(module).items():
            as_written = re.sub(rf"\b{new}\b", old, as_written)
    for module in metric:
        assert heading(module.section) in as_written
        assert ast.get_docstring(module.tree, clean=False) in as_written
        assert module.source[-100:] in as_written  # far from imports
    file = tmp_path / built.file
    file.write_text(built.source, encoding="utf-8")
    ruff = ["-m", "ruff", "check", "--ignore=E501", "--no-cache"]
    done = python(*ruff, "--config", ROOT / "pyproject.toml", file)
    assert done.returncode == 0, done.stdout
