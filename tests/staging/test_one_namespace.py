"""Modules that call different things by one name stand in one file, and nothing changes.

The oracle is Python: each time the modules are imported as a package and as the one file, and both
have to compute the same.
"""

import ast
import importlib
import re
import textwrap
from uuid import uuid4

import pytest

from helpers.errors import error_of
from helpers.repository import module_at
from rouge_bleu_tools.staging.loader_rules import shipped_modules
from rouge_bleu_tools.staging.scopes import Scopes
from rouge_bleu_tools.staging.single_file import single_file
from rouge_bleu_tools.staging.sources import Module, StageError

SCRIPT = """\
\"\"\"small: a metric.\"\"\"

import evaluate

try:
    from .house.rooms.first import result as result_of_first
    from .house.rooms.second import result as result_of_second
except ImportError as error:
    raise ImportError("not whole") from error

from .house import __name__ as _PACKAGE

RESULT = [result_of_first(), result_of_second()]


class Small(evaluate.Metric):
    pass
"""
# The first of two modules, which has what the second one means otherwise.
FIRST = """\
class taken:
    text = "of the first"


def result():
    return taken.text
"""


def package_and_file(folder, sources):
    """The script as it is imported from a package, as one file, and the text of that."""
    name = f"package_{uuid4().hex}"
    root = folder / name
    sources = {"small": SCRIPT, "house.rooms.first": FIRST} | sources
    for init in (root, root / "house", root / "house" / "rooms"):
        init.mkdir(parents=True, exist_ok=True)
        (init / "__init__.py").write_text('"""A room."""\n', encoding="utf-8")
    for module, source in sources.items():
        file = root.joinpath(*module.split(".")).with_suffix(".py")
        file.write_text(source, encoding="utf-8")
    (root / "house.py").symlink_to("house")
    text = single_file(shipped_modules(root / "small.py"))
    (folder / "small.py").write_text(text, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        return importlib.import_module(f"{name}.small"), module_at(folder / "small.py"), text


# Text of the second module, which has a `taken` of its own.
SECOND = {
    "what classes are made with": """
        def taken(made):
            made.seen = True
            return made

        class _taken(type):
            def __new__(kind, name, bases, names, given=None):
                return super().__new__(kind, name, bases, names)

        @taken
        class Child(dict, metaclass=_taken, given=taken):
            pass

        def result():
            return Child.seen, type(Child) is _taken, Child(a=1)
        """,
    "variables, parameters and lambdas": """
        taken = 1

        def local():
            taken = 5
            return taken

        def positional(taken, /, *, other=taken):
            return taken, other

        def collected(*taken, **others):
            return taken, others

        def result():
            numbers = (lambda taken: taken)(2), (lambda x=taken: (x, taken))()
            return taken, local(), numbers, positional(3), collected(4, taken=5)
        """,
    "comprehensions": """
        taken = [1, 2]

        def result():
            return (
                [taken for taken in range(3)],
                [x for x in taken if x in taken],
                {taken: x for taken in taken for x in [taken]},
                [[[taken for taken in [y]] for y in [x]] for x in taken],
                [(lambda: {taken for taken in [x]})() for x in taken],
                sum(taken for taken in taken),
            )
        """,
    "a function in a function": """
        taken = 1

        def outer():
            taken = 2

            def counting():
                nonlocal taken
                taken += 1
                return (lambda: taken)()

            return counting(), taken

        def outer_of_global():
            def inner():
                return taken

            return inner()

        def result():
            return outer(), outer_of_global(), taken
        """,
    "global statements": """
        def make():
            global taken
            taken = 1

        make()
        other = 2

        def change():
            global other, taken
            taken += 1
            other = taken

        def result():
            return change(), taken, other
        """,
    "a name in an expression": """
        if (taken := 4) > 3:
            pass

        def local():
            return [taken := x for x in range(3)], taken

        def result():
            return taken, local()
        """,
    "an exception": """
        try:
            raise ValueError("caught")
        except ValueError as taken:
            text = str(taken)

        def local():
            try:
                raise ValueError("inside")
            except ValueError as taken:
                return str(taken)

        def result():
            return text, local()
        """,
    "patterns": """
        match [1, 2, 3]:
            case [taken, *others]:
                pass

        def local():
            match {"a": 1, "b": 2}:
                case {"a": found, **taken}:
                    return found, taken

        def result():
            return taken, others, local()
        """,
    "names of a class": """
        taken = 1

        class Holder:
            taken = 5
            other: int = 6

            def both(self):
                return taken, self.taken, Holder.taken

        class Reader:
            copied = taken
            copies = [taken for _ in range(2)]

        def result():
            return Holder().both(), Reader.copied, Reader.copies, {"taken": 1}
        """,
    "a dataclass": """
        from __future__ import annotations

        from dataclasses import dataclass

        @dataclass
        class Pair:
            left: taken

        @dataclass
        class Other:
            taken: int = 3

        def taken(left: Pair) -> Pair:
            return left

        def result():
            return taken(Pair(1)), Other(taken=2)
        """,
    "strings": """
        "taken"
        taken = 1

        def result():
            '''taken'''
            return "taken", 'a taken b', b"taken", result.__doc__, "taken" "taken", str(taken)
        """,
    "f-strings": r'''
        taken = 3

        class Holder:
            taken = "of the class"

        def local(taken):
            return f"{taken} taken"

        def result():
            return (
                f"{taken}",
                f"taken {taken!r:>{taken}} {{taken}} {Holder.taken} {'taken'} taken",
                f"{f'{taken}'}" "taken" f"{taken:_>9}",
                f"""taken
                {
                    taken
                }""" rf"\d{taken}",
                f"{dict(taken=taken)} {[taken for taken in 'ab']} {(lambda taken: taken)(1)}",
                local(8),
            )
        ''',
}


@pytest.mark.parametrize("what", SECOND)
def test_a_name_of_two_modules(tmp_path, what):
    """The second module stands there as it was written, but for the name and its imports."""
    second = textwrap.dedent(SECOND[what]).strip("\n") + "\n"
    package, file, text = package_and_file(tmp_path, {"house.rooms.second": second})
    assert repr(file.RESULT) == repr(package.RESULT)
    assert file.taken.text == "of the first"
    names = Scopes.of_module(Module("small", text)).line_of_defined
    assert any(name.startswith("taken_of_rooms_second") for name in names)
    if what == "strings":
        return  # its docstring stands apart
    section = re.search(r"# === rooms.second =+\n(.*?)\n\n\n# ===", text, re.DOTALL)[1]
    put_back = re.sub(r"\b(taken|result)_of_rooms_second\b", r"\1", section)
    code = re.sub(r"^(from|import) .*\n", "", second, flags=re.MULTILINE)
    assert put_back != section
    assert put_back.strip() == code.strip()


# Modules beside the first one. All have a `result`.
SOURCES = {
    "of both by other names": {
        "house.rooms.second": "taken = 2\nfrom .third import result\n",
        "house.rooms.third": "from .first import taken as one\n"
        "from .fourth import taken as two\n"
        "def result(): return one.text, two\n",
        "house.rooms.fourth": "taken = 4\n",
    },
    "names that are exchanged": {
        "house.rooms.third": "left, right = 'left', 'right'\n",
        "house.rooms.second": "from .third import left as right, right as left\n"
        "def result(): return left, right\n",
    },
    "another name, and a variable of the first one": {
        "house.rooms.third": "total = 1\ndef grown(x): return x + total\n",
        "house.rooms.second": "from .third import total as start\n"
        "def result():\n    total = 5\n    return start, total\n",
    },
    "what another imports": {
        "house.rooms.third": "from math import floor\nfrom .first import taken as given\n",
        "house.rooms.second": "from .third import floor, given\ntaken = 3\n"
        "def result(): return floor(2.5), given.text, taken\n",
    },
    "one name from two libraries": {
        "house.rooms.third": "from math import floor\ndef result(): return floor(2.5)\n",
        "house.rooms.second": "from numpy import floor\nfrom .third import result as other\n"
        "def result(): return floor(2.5), other()\n",
    },
    "a function with the name of a library": {
        "house.rooms.third": "import math\ndef result(): return math.pi\n",
        "house.rooms.second": "from .third import result as other\n"
        "def math(): return 3\ndef result(): return math(), other()\n",
    },
    "a function with the name of a library in parts": {
        "house.rooms.third": "import os.path\ndef result(): return os.path.sep\n",
        "house.rooms.second": "from .third import result as other\n"
        "def os(): return 3\ndef result(): return os(), other()\n",
    },
    "functions with names of Python": {
        "house.rooms.third": "def result(): return sum([1, 2]), max(1, 2)\n",
        "house.rooms.second": "from .third import result as other\nfrom numpy import max\n"
        "def sum(x): return 'ours'\ndef result(): return sum(1), int(max([3])), other()\n",
    },
    "names that would be the same again": {
        "house.rooms_second": "def taken(): return 1\n",
        "house.rooms.second": "from ..rooms_second import taken as other\n"
        "def taken(): return 2\ndef result(): return taken(), other()\n",
    },
    "names of the script and of the footer": {
        "house.rooms.second": "RESULT = Small = name_sections = 3\n"
        "def result(): return RESULT, Small, name_sections\n"
    },
}


@pytest.mark.parametrize("sources", SOURCES.values(), ids=SOURCES)
def test_names_of_several_modules(tmp_path, sources):
    package, file, _ = package_and_file(tmp_path, sources)
    assert repr(file.RESULT) == repr(package.RESULT)


# --- which names are changed --------------------------------------------------------


def names_defined(source):
    """The names of functions, classes and assignments at the top, in their order."""
    for node in ast.parse(source).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.Assign):
            yield ast.unparse(node.targets[0])


@pytest.mark.parametrize(
    ("a", "b", "names"),
    [
        ("def f(): ...", "def g(): ...", ["f", "g"]),
        ("def f(): ...", "def f(): ...", ["f", "f_of_rooms_b"]),
        # A class is seen by users and by pickle, so it keeps its name before others do.
        ("def F(): ...", "class F: ...", ["F_of_rooms_a", "F"]),
        ("import math", "class math: ...", ["math_of_rooms_b"]),
        ("def name_sections(): ...", "", ["name_sections_of_rooms_a"]),
        ("def sum(): ...", "", ["sum_of_rooms_a"]),
        ("f = 1", "f = 2\nf_of_rooms_b = 3", ["f", "f_of_rooms_b_", "f_of_rooms_b"]),
    ],
)
def test_which_name_is_changed(tmp_path, a, b, names):
    sources = {"small": SCRIPT.replace("first", "a").replace("second", "b")}
    for name, source in {"a": a, "b": b}.items():
        sources[f"house.rooms.{name}"] = source + "\ndef result(): ...\n"
    _, _, text = package_and_file(tmp_path, sources)
    others = {"result", "result_of_rooms_b", "RESULT", "Small", "name_sections"}
    assert [name for name in names_defined(text) if name not in others] == names


# --- what cannot be changed ---------------------------------------------------------

OF_A_CLASS = (
    "house/rooms/second.py:3: a class binds and reads taken, which is also a name of the module and "
    "of another one: give one of them another name"
)
REFUSED = [
    ("taken = 1\nclass Holder:\n    taken = taken\n", OF_A_CLASS),
    ("taken = 1\nclass Holder:\n    taken += 1\n", OF_A_CLASS),
    (
        "taken = 1\ndef f():\n    global taken\n    import math as taken\n",
        "house/rooms/second.py: a function imports taken as a global name, which is one of "
        "another module, too: give it another name",
    ),
    (
        "taken = 1\ntext = f'{taken=}'\n",
        "house/rooms/second.py: cannot rename taken, result, of which other modules have one, "
        "too: a text depends on it, as in f'{name=}', or a variable hides the new name",
    ),
]


@pytest.mark.parametrize(("second", "message"), REFUSED)
def test_what_cannot_be_changed_by_itself_is_refused(tmp_path, second, message):
    sources = {"house.rooms.second": f"{second}\ndef result(): return 1\n"}
    assert error_of(package_and_file, tmp_path, sources) == (StageError, message)


def test_a_library_in_parts_cannot_be_changed(tmp_path):
    """`import os.path as os` would be another thing."""
    sources = {
        "house.rooms.third": "import os.path\n",
        "house.rooms.second": "from .third import os as system\n"
        "def result(os=1):\n    return system.sep, os\n",
    }
    with pytest.raises(StageError, match=r"second\.py: cannot rename system"):
        package_and_file(tmp_path, sources)


def test_a_fault_of_the_scopes_is_noticed(tmp_path, monkeypatch):
    """Python's own tables of names are asked, too."""
    second = "taken = 1\ndef f(taken): return taken\ndef result(): return f(2)\n"
    monkeypatch.setattr(
        "rouge_bleu_tools.staging.scopes._Scope.is_global", lambda scope, name: True
    )
    with pytest.raises(StageError, match=r"second\.py: cannot rename taken, result"):
        package_and_file(tmp_path, {"house.rooms.second": second})
