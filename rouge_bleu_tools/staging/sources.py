"""Python modules as text and as syntax trees, read and never run."""

from __future__ import annotations

import ast
import io
import tokenize
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TypeGuard

BYTE_ORDER_MARK = "\ufeff"

# Python 3.12 cuts f-strings into tokens of their own, 3.14 t-strings too.
F_STRING_STARTS = {getattr(tokenize, name, -1) for name in ("FSTRING_START", "TSTRING_START")}
F_STRING_ENDS = {getattr(tokenize, name, -1) for name in ("FSTRING_END", "TSTRING_END")}
_STRINGS_AND_COMMENTS = {*(tokenize.STRING, tokenize.COMMENT, *F_STRING_STARTS, *F_STRING_ENDS)}


class StageError(Exception):
    """Something keeps a metric from being staged; the message is for the user."""


@dataclass(frozen=True, eq=False)
class Module:
    """A module: its dotted name below the root of the repository, and its source.

    It has one syntax tree, so that nodes are told from each other by identity.
    """

    name: str
    source: str

    @classmethod
    def read(cls, path: Path, root: Path) -> Module:
        """Return the module in a file below a root."""
        place = path.relative_to(root).with_suffix("")
        return _module(".".join(place.parts), path.read_text(encoding="utf-8"))

    @property
    def file(self) -> str:
        return f"{self.name.replace('.', '/')}.py"

    @property
    def section(self) -> str:
        """The name without that of the package, as in `kernels.ngrams`."""
        return self.name.partition(".")[2] or self.name

    def target(self, node: ast.ImportFrom) -> str:
        """Return the dotted name of the module that a relative import names.

        It begins with a dot where that is outside of the root.
        """
        folders = ["", *self.name.split(".")][: -node.level] or ["", ""]
        return ".".join([*folders, *filter(None, [node.module])])[1:]

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the source; `lines[0]` is line 1."""
        return self.source.split("\n")

    @cached_property
    def tree(self) -> ast.Module:
        source = self.source.removeprefix(BYTE_ORDER_MARK)
        try:
            return ast.parse(source, filename=self.file)
        except SyntaxError as error:
            raise StageError(f"{self.file}:{error.lineno}: {error.msg}") from error

    @cached_property
    def statements(self) -> list[ast.AST]:
        """All statements, also those inside functions and blocks, breadth first."""
        found: list[ast.AST] = [self.tree]
        for node in found:  # which grows; no statement stands inside of an expression
            for block in ("body", "handlers", "orelse", "finalbody", "cases"):
                found += getattr(node, block, ())
        return found[1:]

    @cached_property
    def strings_and_comments(self) -> list[tokenize.TokenInfo]:
        """The tokens that are strings or comments, and the ends of f-strings."""
        _ = self.tree  # an error of the syntax is said by its reader
        source = self.source.removeprefix(BYTE_ORDER_MARK)
        tokens = tokenize.generate_tokens(io.StringIO(source).readline)
        return [token for token in tokens if token.type in _STRINGS_AND_COMMENTS]

    @cached_property
    def docstring(self) -> ast.Expr | None:
        """The statement that is the docstring of the module."""
        first = self.tree.body[0] if self.tree.body else None
        has_docstring = ast.get_docstring(self.tree, clean=False) is not None
        return first if has_docstring and isinstance(first, ast.Expr) else None

    @cached_property
    def guards(self) -> list[ast.Try]:
        """The top-level `try:` statements that only explain failed relative imports.

        Their bodies are relative imports, and each `except` ends with a `raise`.
        """
        return [node for node in self.tree.body if _is_guard(node)]

    @cached_property
    def code(self) -> list[ast.stmt]:
        """The statements but for the docstring, imports and guards."""
        others = (self.docstring, *self.guards)
        body = (node for node in self.tree.body if not isinstance(node, _IMPORTS))
        return [node for node in body if node not in others]

    @cached_property
    def imports(self) -> list[ast.Import | ast.ImportFrom]:
        """The imports that are statements of the module itself, or of its guards."""
        bodies = [self.tree.body, *(guard.body for guard in self.guards)]
        statements = (node for body in bodies for node in body)
        return [node for node in statements if isinstance(node, _IMPORTS)]

    @cached_property
    def all_imports(self) -> list[ast.Import | ast.ImportFrom]:
        """The imports that are statements anywhere, also inside functions."""
        return [node for node in self.statements if isinstance(node, _IMPORTS)]

    @cached_property
    def relative_imports(self) -> list[ast.ImportFrom]:
        """All relative imports, also those inside functions."""
        imports = (node for node in self.all_imports if isinstance(node, ast.ImportFrom))
        return [node for node in imports if node.level]


_IMPORTS = (ast.Import, ast.ImportFrom)


def _is_guard(node: ast.stmt) -> TypeGuard[ast.Try]:
    return (
        isinstance(node, ast.Try)
        and all(isinstance(one, ast.ImportFrom) and one.level for one in node.body)
        and all(isinstance(one.body[-1], ast.Raise) for one in node.handlers)
        and not (node.orelse or node.finalbody)
    )


# Both metrics share most of their modules, which are read and parsed once.
@lru_cache(maxsize=256)
def _module(name: str, source: str) -> Module:
    return Module(name, source)
