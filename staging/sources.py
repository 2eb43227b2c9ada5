"""Python modules as text and as syntax trees, read and never run."""

from __future__ import annotations

import ast
import io
import tokenize
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

BYTE_ORDER_MARK = "\ufeff"


class StageError(Exception):
    """Something keeps a metric from being staged; the message is for the user."""


@dataclass(frozen=True)
class Module:
    """A module: its name without `.py`, and its source."""

    name: str
    source: str

    @classmethod
    def read(cls, path: Path) -> Module:
        """Return the module in a file."""
        return cls(path.stem, path.read_text(encoding="utf-8"))

    @property
    def file(self) -> str:
        return f"{self.name}.py"

    @property
    def lines(self) -> list[str]:
        """The lines of the source; `lines[0]` is line 1."""
        return self.source.split("\n")

    @property
    def tree(self) -> ast.Module:
        return _parsed(self)[0]

    @property
    def nodes(self) -> list[ast.AST]:
        """All nodes of the syntax tree, also those inside functions."""
        return _parsed(self)[1]

    @property
    def tokens(self) -> list[tokenize.TokenInfo]:
        return _parsed(self)[2]

    @property
    def docstring(self) -> ast.Expr | None:
        """The statement that is the docstring of the module."""
        first = self.tree.body[0] if self.tree.body else None
        has_docstring = ast.get_docstring(self.tree, clean=False) is not None
        return first if has_docstring and isinstance(first, ast.Expr) else None

    @property
    def imports(self) -> list[ast.Import | ast.ImportFrom]:
        """The imports that are statements of the module itself."""
        kinds = (ast.Import, ast.ImportFrom)
        return [node for node in self.tree.body if isinstance(node, kinds)]

    @property
    def relative_imports(self) -> list[ast.ImportFrom]:
        """All relative imports, also those inside functions."""
        imports = (node for node in self.nodes if isinstance(node, ast.ImportFrom))
        return [node for node in imports if node.level]


@lru_cache(maxsize=256)  # both metrics share most of their modules
def _parsed(
    module: Module,
) -> tuple[ast.Module, list[ast.AST], list[tokenize.TokenInfo]]:
    """Return the syntax tree of a module, all nodes in it, and its tokens."""
    source = module.source.removeprefix(BYTE_ORDER_MARK)
    try:
        tree = ast.parse(source, filename=module.file)
    except SyntaxError as error:
        raise StageError(f"{module.file}:{error.lineno}: {error.msg}") from error
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return tree, list(ast.walk(tree)), list(tokens)
