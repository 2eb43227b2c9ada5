"""A script and its modules become one file: its text, and what keeps them from it."""

import ast
import subprocess
import sys

import pytest

from helpers.repository import ROOT
from rouge_bleu_tools.staging import single_file as staging_single_file
from rouge_bleu_tools.staging.loader_rules import script_problems, shipped_modules
from rouge_bleu_tools.staging.single_file import MARK, in_order, single_file, single_file_problems
from rouge_bleu_tools.staging.sources import Module, StageError
from rouge_bleu_tools.staging.spaces import SPACES

SCRIPT = """\
\"\"\"small: a metric.\"\"\"

import evaluate

# Those that only other siblings use are named too.
from .ground import half
from .upper import quarter

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

from .ground import half

MORE = (
    math.pi,

    math.e,
)

import numpy as np


def quarter(x):
    return half(half(x))
"""


def modules(**sources):
    """The script and modules, of which some are others than in the example."""
    sources = {"small": SCRIPT, "ground": GROUND, "upper": UPPER} | sources
    return [Module(name, source) for name, source in sources.items()]


def heading(name):
    return f"# === {name} ".ljust(88, "=") + "\n"


# --- the text -----------------------------------------------------------------------


def test_the_text():
    """Read aloud: head, imports, sections with their docstrings, the script last."""
    expected = f"""\
\"\"\"small: a metric.\"\"\"

{MARK}
# Its sections: ground, upper, small, section_names.

from __future__ import annotations

import math
from bisect import bisect
from collections.abc import Callable, Iterable, Sequence
from functools import _lru_cache_wrapper, cached_property, partial
from types import CodeType, FunctionType
from typing import Any

import evaluate
import numpy as np

{heading("ground")}
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
        ("TWO = 2  # a comment", "", "TWO = 2"),
        ("@cached\ndef half", "def half", "@cached"),
        ("x: float) -> float:", "x: float) -> int:", "@cached"),
        ("TWO = 2", "TWO = 2\nTHREE = 3", "@cached"),
    ],
)
def test_a_statement_that_gets_lost_or_changed_is_named(monkeypatch, before, after, named):
    """The text is broken where it is put together, as a fault there would."""
    joined = staging_single_file._joined
    monkeypatch.setattr(
        staging_single_file, "_joined", lambda *parts: joined(*parts).replace(before, after)
    )
    ground = GROUND.replace("def half", "@cached\ndef half")
    with pytest.raises(StageError) as raised:
        single_file(modules(ground=ground + f"# {after}\n"))
    assert str(raised.value) == f"small.py: a statement got lost or changed: {named}"


def test_what_only_looks_different_is_the_same_statement(monkeypatch):
    joined = staging_single_file._joined
    monkeypatch.setattr(
        staging_single_file, "_joined", lambda *parts: joined(*parts).replace("TWO = 2", "TWO  = 2")
    )
    assert "TWO  = 2" in single_file(modules(ground=GROUND + "# to be joined anew\n"))


def test_the_last_lines_say_where_sections_start():
    text = single_file(modules())
    call = ast.parse(text).body[-1].value
    assert ast.unparse(call.func) == "name_sections"
    lines = text.split("\n")
    section_of_line = ast.literal_eval(call.args[1])
    assert list(section_of_line.values()) == [
        "ground",
        "upper",
        "small",
        "section_names",
    ]
    for line, name in section_of_line.items():
        assert lines[line - 1] + "\n" == heading(name)


def test_the_order_of_the_modules_given_changes_nothing():
    script, *others = modules()
    assert single_file([script, *reversed(others)]) == single_file([script, *others])


def test_dependencies_stand_first_and_then_names_in_order():
    needs = {"e": "bd", "d": "c", "b": "a", "c": "", "a": ""}
    found = [
        Module(name, "".join(f"from .{other} import x\n" for other in others))
        for name, others in needs.items()
    ]
    assert [module.name for module in in_order(found)] == ["a", "c", "b", "d", "e"]


def test_long_imports_are_wrapped_and_names_sorted_as_isort_does():
    names = "zeta, alpha, Beta, GAMMA, Delta, epsilon_of_a_long_name, eta_of_a_long_name"
    source = f"from os import {names}\nfrom os import sep as slash\nimport os.path\n"
    text = single_file(modules(ground=source + "import tqdm as bar\n" + GROUND))
    expected = """\
import math
import os.path
from bisect import bisect
from collections.abc import Callable, Iterable, Sequence
from functools import _lru_cache_wrapper, cached_property, partial
from os import (
    GAMMA,
    Beta,
    Delta,
    alpha,
    epsilon_of_a_long_name,
    eta_of_a_long_name,
    zeta,
)
from os import sep as slash
from types import CodeType, FunctionType
from typing import Any

import evaluate
import numpy as np
import tqdm as bar
"""
    assert expected in text


# --- what keeps modules from standing in one file -----------------------------------


# The modules that differ from the example, and the whole message.
PROBLEMS = {
    "a name of two modules": (
        {"ground": "def half(): ...\n_n = 1\n", "upper": "quarter = 1\n_n = 2\n"},
        ["upper.py:2: _n is also defined in ground.py:2"],
    ),
    "a class and a constant": (
        {"ground": "half = 1\nclass N: ...\n", "upper": "quarter = N = 1\n"},
        ["upper.py:1: N is also defined in ground.py:2"],
    ),
    "names bound in passing": (
        {
            "ground": "half = 1\nfor i, j in (): ...\nwith f() as k: ...\nl: int = 1\n",
            "upper": "quarter = 1\nj = k = l = (m := 2)\n",
            "small": SCRIPT + "\ntry:\n    m += 1\nexcept E as i:\n    pass\n",
        },
        [
            "ground.py:2: i is also defined in small.py:17",
            "upper.py:2: j is also defined in ground.py:2",
            "upper.py:2: k is also defined in ground.py:3",
            "upper.py:2: l is also defined in ground.py:4",
            "upper.py:2: m is also defined in small.py:16",
        ],
    ),
    "a name of the script": (
        {"ground": "half = 1\n_DESCRIPTION = 'other'\n"},
        ["ground.py:2: _DESCRIPTION is also defined in small.py:9"],
    ),
    "a name of the footer": (
        {"upper": "quarter = 1\ndef name_sections(): ...\n"},
        ["section_names.py:14: name_sections is also defined in upper.py:2"],
    ),
    "a name that another module imports": (
        {"ground": "import math\nhalf = 1\n", "upper": "quarter = 1\nmath = 2\n"},
        ["ground.py:1: math is an import of math, but something else in upper.py:2"],
    ),
    "one alias for two libraries": (
        {
            "ground": "import numpy as np\nhalf = 1\n",
            "upper": "import os as np\nquarter = 1\n",
        },
        ["upper.py:1: np is an import of os, but something else in ground.py:1"],
    ),
    "one name from two libraries": (
        {
            "ground": "from math import floor\nhalf = 1\n",
            "upper": "from numpy import floor\nquarter = 1\n",
        },
        ["upper.py:1: floor is an import of numpy.floor, but something else in ground.py:1"],
    ),
    "a module and a class of one name": (
        {
            "ground": "import datetime\nhalf = 1\n",
            "upper": "from datetime import datetime\nquarter = 1\n",
        },
        [
            "upper.py:1: datetime is an import of datetime.datetime, "
            "but something else in ground.py:1"
        ],
    ),
    "two names for one library": (
        {
            "ground": "import numpy as np\nhalf = 1\n",
            "upper": "import numpy\nquarter = 1\n",
        },
        ["upper.py:1: numpy is an import of numpy, which is np in ground.py:1"],
    ),
    "a builtin": (
        {"ground": "half = 1\ndef sum(x): ...\n"},
        ["ground.py:2: sum is a builtin, which other modules may mean by that name"],
    ),
    "another name for ours": (
        {"upper": "from .ground import half as quarter\n"},
        ["upper.py:1: half must keep its name, not become quarter"],
    ),
    "a name that is not there": (
        {"upper": "from .ground import third\nquarter = 1\n"},
        ["upper.py:1: ground.py has no third at its top level"],
    ),
    "a whole module": (
        {"upper": "from . import ground\nquarter = 1\n"},
        ["upper.py:1: a relative import must read `from .name import ...`"],
    ),
    "a module of the parent": (
        {"upper": "from ..ground import half\nquarter = 1\n"},
        ["upper.py:1: a relative import must read `from .name import ...`"],
    ),
    "a relative import in a function": (
        {"upper": "def quarter():\n    from .ground import half\n"},
        ["upper.py:2: a relative import must not stand in a function or block"],
    ),
    "an import for type checkers": (
        {
            "upper": "from typing import TYPE_CHECKING\nquarter = 1\n"
            "if TYPE_CHECKING:\n    import re\n"
        },
        [
            "upper.py:3: an import must not stand in a block (if, try, with): "
            "move it to the top of the module, or into a function"
        ],
    ),
    "all names": (
        {"ground": "from math import *\nhalf = 1\n"},
        ["ground.py:1: an import must name what it imports, got *"],
    ),
}


@pytest.mark.parametrize(("changed", "problems"), PROBLEMS.values(), ids=PROBLEMS)
def test_problems_are_named_with_file_and_line(changed, problems):
    message = "small.py and its modules cannot stand in one file:\n  "
    with pytest.raises(StageError) as error:
        single_file(modules(**changed))
    assert str(error.value) == message + "\n  ".join(problems)


# What looks like a problem and is none.
FINE = {
    "a name twice in a module": {"ground": "half = 1\nhalf = 2\n"},
    "names inside functions": {"ground": "half = 1\ndef f():\n    quarter = 1\n"},
    "names of comprehensions": {"ground": "half = [quarter for quarter in ()]\n"},
    "a name of a class": {"ground": "half = 1\nclass C:\n    quarter = sum = 1\n"},
    "an import in a function": {"ground": "def half():\n    import numpy as math\n"},
    "the same import": {"ground": "import math\nfrom math import pi\n" + GROUND},
    "an import of the other": {"upper": "from .ground import half, np\nquarter = 1\n"},
    "parts of a library": {"ground": "import os\nimport os.path\nhalf = 1\n"},
}


@pytest.mark.parametrize("changed", FINE.values(), ids=FINE)
def test_what_is_fine_is_built(changed):
    ast.parse(single_file(modules(**changed)))


def test_modules_that_import_each_other():
    circle = modules(ground="from .upper import quarter\nhalf = 1\n")
    with pytest.raises(StageError, match=r"each other: ground -> upper -> ground$"):
        single_file(circle)


def test_the_loader_rules_hold_for_the_result():
    """A library that a sibling needs is one that the script needs now."""
    with pytest.raises(StageError) as error:
        single_file(modules(ground="import nltk\nhalf = 1\n"))
    assert str(error.value).startswith("the built small.py breaks the rules of ")
    assert "nltk is not installed with evaluate" in str(error.value)


def test_a_statement_that_shares_its_line_with_an_import_is_not_lost():
    with pytest.raises(StageError, match=r"^small.py: a statement got lost .*: A = 1$"):
        single_file(modules(ground="import math; A = 1\nhalf = 1\n"))


def test_a_mistake_in_python_is_named():
    with pytest.raises(StageError, match=r"^ground.py:2: .*"):
        single_file(modules(ground="half = 1\nif:\n"))


# --- the metrics --------------------------------------------------------------------


@pytest.fixture(scope="module", params=SPACES)
def metric(request):
    """The modules of a metric."""
    return shipped_modules(ROOT / f"{request.param}.py")


@pytest.fixture(scope="module")
def built(metric):
    return Module(metric[0].name, single_file(metric))


def constants(module):
    assigned = (node for node in module.tree.body if isinstance(node, ast.Assign))
    return {ast.unparse(node.targets[0]): node.value for node in assigned}


def test_the_metric_has_no_problem(metric):
    assert single_file_problems(metric) == []


def test_the_built_script_follows_the_rules_and_needs_no_sibling(built):
    assert script_problems(built) == []
    assert built.relative_imports == []


def test_the_texts_of_the_metric_are_unchanged(metric, built):
    before, after = constants(metric[0]), constants(built)
    for name in ("_DESCRIPTION", "_KWARGS_DESCRIPTION", "_CITATION"):
        assert ast.literal_eval(after[name]) == ast.literal_eval(before[name])


def test_each_module_is_there_with_its_docstring_and_comments(metric, built):
    for module in metric:
        assert heading(module.name) in built.source
        assert ast.get_docstring(module.tree, clean=False) in built.source
        end = module.source[-400:]  # far from imports
        assert end in built.source


@pytest.mark.parametrize("command", ["format --check", "check --output-format=concise"])
def test_ruff_has_nothing_to_say(built, tmp_path, command):
    """All rules of the repository hold in the one file, with its configuration."""
    file = tmp_path / built.file
    file.write_text(built.source, encoding="utf-8")
    ruff = [sys.executable, "-m", "ruff", *command.split(), "--no-cache"]
    configured = [*ruff, "--config", str(ROOT / "pyproject.toml"), str(file)]
    done = subprocess.run(configured, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
