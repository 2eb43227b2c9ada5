"""Faults that can be made in a module, one at a time: for `mutants.py`.

A fault is one changed operator, comparison, constant or condition.
"""

from __future__ import annotations

import ast
import copy
import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

OPERATORS = dict(
    pair.split()
    for pair in (
        "And Or,Or And,Lt LtE,LtE Lt,Gt GtE,GtE Gt,Eq NotEq,NotEq Eq,Is IsNot,IsNot Is,In NotIn,"
        "NotIn In,Add Sub,Sub Add,Mult Add,Div Mult,FloorDiv Mult,Mod FloorDiv,Pow Mult,"
        "BitAnd BitOr,BitOr BitAnd,BitXor BitAnd,LShift RShift,RShift LShift"
    ).split(",")
)
NAMES = {"any": "all", "minimum": "maximum", "min": "max", "left": "right", "zeros": "ones"}
NAMES |= {after: before for before, after in NAMES.items()}


def faults_of(node: ast.AST) -> Iterator[tuple[str, object]]:
    """Yield a field of the node and another value for it; what is below has faults of its own."""
    match node:
        case ast.BinOp(op=op) | ast.BoolOp(op=op) | ast.AugAssign(op=op):
            yield from (("op", other) for other in _other_operators(op))
        case ast.Compare(ops=[op, *others]):
            yield from (("ops", [other, *others]) for other in _other_operators(op))
        case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
            yield "test", ast.UnaryOp(ast.Not(), test)
        case ast.UnaryOp(op=ast.Not() | ast.USub() | ast.Invert() as op, operand=operand):
            yield "operand", ast.UnaryOp(op, operand)
        case ast.Attribute(attr=name) if name in NAMES:
            yield "attr", NAMES[name]
        case ast.Name(id=name) if name in NAMES:
            yield "id", NAMES[name]
        case ast.Constant(value=bool(value)):
            yield "value", not value
        case ast.Constant(value=int(value) | float(value)):
            yield "value", value + 1
        case ast.Constant(value=str(value)) if value:
            yield "value", f"XX{value}"
        case ast.Constant(value=None):
            yield "value", 0


def _other_operators(operator: ast.AST) -> list[ast.AST]:
    name = OPERATORS.get(type(operator).__name__)
    return [getattr(ast, name)()] if name else []


class Place(NamedTuple):
    """A node, its statement, and its function: name and first line, "" and 0 outside of all."""

    node: ast.AST
    statement: ast.AST
    function: str = ""
    line: int = 0


def places_below(place: Place) -> Iterator[Place]:
    """Yield all places but docstrings, annotations, decorators and imports."""
    yield place
    hidden = {"annotation", "returns", "decorator_list", "type_params", "ctx"}
    for name, value in ast.iter_fields(place.node):
        for child in () if name in hidden else value if isinstance(value, list) else [value]:
            match child:
                case ast.Expr(value=ast.Constant()) | ast.Import() | ast.ImportFrom():
                    pass
                case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                    function = f"{place.function}.{child.name}".removeprefix(".")
                    line = min(node.lineno for node in [child, *child.decorator_list])
                    line = place.line if isinstance(child, ast.ClassDef) else line
                    yield from places_below(Place(child, child, function, line))
                case ast.stmt():
                    yield from places_below(place._replace(node=child, statement=child))
                case ast.AST():
                    yield from places_below(place._replace(node=child))


class Mutant(NamedTuple):
    """A fault as results know it: by what does not change when lines move."""

    module: str
    function: str
    before: str
    after: str


@dataclass(frozen=True)
class Fault:
    """What a mutant changes in the tree of a source. `function` is `module:line`."""

    path: Path
    tree: ast.Module
    function: str
    node: ast.AST
    field: str
    value: object

    @contextmanager
    def made(self) -> Iterator[ast.Module]:
        """Have the fault in the tree for a while."""
        before = getattr(self.node, self.field)
        setattr(self.node, self.field, self.value)
        yield self.tree
        setattr(self.node, self.field, before)


def mutants_of(root: Path, path: Path) -> dict[Mutant, Fault]:
    """Return the mutants of a module, of equal ones the first."""
    module = path.relative_to(root).with_suffix("").as_posix()
    tree = ast.parse(path.read_bytes())
    mutants: dict[Mutant, Fault] = {}
    for node, statement, function, line in places_below(Place(tree, tree)):
        for field, value in faults_of(node):
            fault = Fault(path, tree, f"{module}:{line}", node, field, value)
            before = _head(statement)
            with fault.made():
                texts = _around_difference(before, _head(statement))
            if texts[0] != texts[1]:  # 1e20 + 1 is the same number
                mutants.setdefault(Mutant(module, function, *texts), fault)
    return mutants


def _head(statement: ast.AST) -> str:
    """Return the text of a statement without the statements in it."""
    head = copy.copy(statement)
    for block in {"body", "orelse", "finalbody", "handlers", "decorator_list"} & set(head._fields):
        setattr(head, block, [])
    return ast.unparse(head)


def _around_difference(before: str, after: str, n_shown: int = 60) -> list[str]:
    """Return what differs in two texts, with some characters on both sides."""
    start = _n_same(before, after)
    n_same_at_end = _n_same(before[start:][::-1], after[start:][::-1])
    first = max(start - n_shown, 0)
    return [text[first : len(text) - n_same_at_end + n_shown] for text in (before, after)]


def _n_same(*texts: str) -> int:
    pairs = zip(*texts, strict=False)
    return sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))
