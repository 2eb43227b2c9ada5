"""Where the global names of a module stand in its syntax tree, by Python's scopes.

A name means the global one unless a function, comprehension or class around it binds the
same name. That is read from the tree alone, so it is the same in each version of Python.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache

from rouge_bleu_tools.staging.sources import Module

# The field of a node that holds the names that it reads or binds; a list in a `global`.
_FIELD_OF_NODE: dict[type[ast.AST], str] = {
    ast.Name: "id",
    ast.FunctionDef: "name",
    ast.AsyncFunctionDef: "name",
    ast.ClassDef: "name",
    ast.ExceptHandler: "name",
    ast.MatchAs: "name",
    ast.MatchStar: "name",
    ast.MatchMapping: "rest",
    ast.Global: "names",
}


def names_in(node: ast.AST) -> list[str]:
    """Return the names that a node itself reads or binds."""
    names = getattr(node, _FIELD_OF_NODE.get(type(node), ""), None)
    return [names] if isinstance(names, str) else list(names or ())


def set_names(node: ast.AST, names: list[str]) -> None:
    """Put other names into a node, as many as `names_in` returns."""
    field_of_names = _FIELD_OF_NODE[type(node)]
    is_list = isinstance(node, ast.Global)
    setattr(node, field_of_names, names if is_list else names[0])


@dataclass
class _Scope:
    """What has names of its own: a module, class, function or comprehension."""

    node: ast.AST
    outer: _Scope | None = None
    line_of_bound: dict[str, int] = field(default_factory=dict)
    declared_global: set[str] = field(default_factory=set)
    found: list[tuple[str, ast.AST]] = field(default_factory=list)
    read: set[str] = field(default_factory=set)

    @property
    def is_class(self) -> bool:
        return isinstance(self.node, ast.ClassDef)

    def is_global(self, name: str) -> bool:
        """Return whether a name that stands here means the global one."""
        scope = self
        while scope.outer is not None:
            if name in scope.declared_global:
                return True
            if name in scope.line_of_bound and (scope is self or not scope.is_class):
                return False
            scope = scope.outer
        return True


@dataclass(frozen=True)
class Scopes:
    """The names of a module, from its syntax tree."""

    # The names that its statements define, with the first line; not those of imports.
    line_of_defined: dict[str, int]
    # The nodes in which a name means the global one.
    nodes_of_global: dict[str, list[ast.AST]]
    # All names that are not attributes: global, local, of arguments.
    words: frozenset[str]
    # Names that a class binds and reads: they mean a global until they are bound.
    line_of_unclear: dict[str, int]
    # Names that an import inside a function binds globally.
    imported_inside: frozenset[str]
    # The imports in blocks of the module itself, as in `if TYPE_CHECKING:`.
    imports_in_blocks: tuple[ast.Import | ast.ImportFrom, ...]

    @classmethod
    @lru_cache(maxsize=256)
    def of_module(cls, module: Module) -> Scopes:
        """Return the names of a module, but for its imports and their guards."""
        visitor = _Visitor(module)
        defined, *inner = (scope.line_of_bound for scope in visitor.scopes)
        nodes: dict[str, list[ast.AST]] = {}
        for scope in visitor.scopes:
            for name, node in scope.found:
                if scope.is_global(name):
                    nodes.setdefault(name, []).append(node)
        unclear = {
            name: line
            for scope in visitor.scopes
            for name, line in scope.line_of_bound.items()
            if scope.is_class and name in scope.read
        }
        words = frozenset(nodes).union(defined, *inner)
        return cls(
            defined,
            nodes,
            words,
            unclear,
            frozenset(visitor.imported_inside),
            tuple(visitor.imports_in_blocks),
        )


class _Visitor(ast.NodeVisitor):
    """Collects the scopes of a module, from itself inwards."""

    def __init__(self, module: Module) -> None:
        self.scopes = [_Scope(module.tree)]
        self.scope = self.scopes[0]
        self.imported_inside: set[str] = set()
        self.imports_in_blocks: list[ast.Import | ast.ImportFrom] = []
        self._visit_all(module.code)

    @contextmanager
    def _inside(self, node: ast.AST) -> Iterator[None]:
        outer = self.scope
        self.scope = _Scope(node, outer)
        self.scopes.append(self.scope)
        yield
        self.scope = outer

    def _visit_all(self, nodes: Iterable[ast.AST | None]) -> None:
        for node in nodes:
            if node is not None:
                self.visit(node)

    def _bind(self, name: str, line: int) -> None:
        self.scope.line_of_bound.setdefault(name, line)
        if name in self.scope.declared_global:
            self.scopes[0].line_of_bound.setdefault(name, line)

    def _bind_names_in(self, node: ast.AST) -> None:
        for name in names_in(node):
            self.scope.found.append((name, node))
            self._bind(name, node.lineno)  # type: ignore[attr-defined]

    # --- what reads and binds names -------------------------------------------------

    def visit_Name(self, node: ast.Name) -> None:
        if not isinstance(node.ctx, ast.Load):
            self._bind_names_in(node)
            return
        self.scope.found.append((node.id, node))
        self.scope.read.add(node.id)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.scope.read.update(names_in(node.target))
        self.generic_visit(node)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self.visit(node.value)
        inner = self.scope
        while isinstance(self.scope.node, _COMPREHENSIONS) and self.scope.outer:
            self.scope = self.scope.outer
        self.visit(node.target)
        self.scope = inner

    def visit_Global(self, node: ast.Global) -> None:
        for name in node.names:
            self.scope.declared_global.add(name)
            self.scope.found.append((name, node))

    def visit_Import(self, node: ast.Import | ast.ImportFrom) -> None:
        if self.scope.outer is None:
            self.imports_in_blocks.append(node)
        for alias in node.names:
            name = alias.asname or alias.name.partition(".")[0]
            self._bind(name, node.lineno)
            if name in self.scope.declared_global:
                self.imported_inside.add(name)

    visit_ImportFrom = visit_Import

    def _visit_capture(self, node: ast.AST) -> None:
        self._bind_names_in(node)
        self.generic_visit(node)

    visit_ExceptHandler = visit_MatchAs = _visit_capture
    visit_MatchStar = visit_MatchMapping = _visit_capture

    # --- what has names of its own --------------------------------------------------

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._bind_names_in(node)
        self._visit_all([*node.decorator_list, node.returns])
        self._visit_function(node, node.body)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._visit_function(node, [node.body])

    def _visit_function(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, body: Iterable[ast.AST]
    ) -> None:
        given = node.args
        named = [*given.posonlyargs, *given.args, *given.kwonlyargs]
        arguments = [*named, *filter(None, [given.vararg, given.kwarg])]
        self._visit_all([*given.defaults, *given.kw_defaults])
        self._visit_all(argument.annotation for argument in arguments)
        with self._inside(node):
            for argument in arguments:
                self._bind(argument.arg, argument.lineno)
            self._visit_all(body)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._bind_names_in(node)
        self._visit_all([*node.decorator_list, *node.bases, *node.keywords])
        with self._inside(node):
            self._visit_all(node.body)

    def _visit_comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
    ) -> None:
        first, *others = node.generators
        self.visit(first.iter)
        with self._inside(node):
            self._visit_all([first.target, *first.ifs, *others])
            parts = ("key", "value", "elt")
            self._visit_all(getattr(node, part, None) for part in parts)

    visit_ListComp = visit_SetComp = _visit_comprehension
    visit_DictComp = visit_GeneratorExp = _visit_comprehension


_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
