"""A metric script and the modules that it needs, as one file.

    modules -> checks -> order: dependencies first -> imports, named once -> one source

Each module becomes a section: a heading, the module's docstring, and its code as it
stands, without imports. Imports move to the top, and those of modules vanish, since all
names are in one file. That changes nothing only if no two modules mean different things
by a name, so `single_file_problems` lists each place where two do. At the end the
syntax tree of the file is compared with those of the modules, statement by statement.
"""

from __future__ import annotations

import ast
import builtins
import sys
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, zip_longest
from pathlib import Path

from rouge_bleu_tools.staging.loader_rules import (
    raise_problems,
    script_problems,
    title_of_problems,
)
from rouge_bleu_tools.staging.sources import Module, StageError

WIDTH = 88

# A line of each built file, by which later builds know that they may replace it. They
# look for exactly this text.
MARK = "# Built by stage.py from the modules of its repository: change those, not this."

_NAMING = Path(__file__).with_name("section_names.py")


def single_file(modules: Sequence[Module]) -> str:
    """Return a metric script and its modules as the source of one module.

    Parameters
    ----------
    modules : sequence of Module
        The script, then the modules that it imports, in any order.

    Raises
    ------
    StageError
        The modules cannot stand in one file; the message lists why, with file and line.
    """
    return _single_file(tuple(modules))


@lru_cache(maxsize=8)  # a process may build and install the same modules
def _single_file(modules: tuple[Module, ...]) -> str:
    script = modules[0]
    naming = Module.read(_NAMING)
    title = f"{script.file} and its modules cannot stand in one file"
    raise_problems(title, single_file_problems([*modules, naming]))
    sections = [*in_order(modules), naming]
    built = Module(script.name, _joined(script, sections))
    _check_statements(built, sections)
    raise_problems(
        f"the built {title_of_problems(script.file)}", script_problems(built)
    )
    return built.source


def in_order(modules: Sequence[Module]) -> list[Module]:
    """Return modules with their dependencies first.

    A module stands one floor above the highest module that it imports. Floors follow
    each other from the ground, and the modules of a floor stand in the order of names.
    """
    module_of_name = {module.name: module for module in modules}
    floor_of_name: dict[str, int] = {}

    def floor(name: str, above: tuple[str, ...] = ()) -> int:
        if name in above:
            circle = " -> ".join([*above[above.index(name) :], name])
            raise StageError(f"{name}.py: modules import each other: {circle}")
        if name not in floor_of_name:
            needed = _siblings_of(module_of_name[name])
            floors = (floor(other, (*above, name)) for other in needed)
            floor_of_name[name] = 1 + max(floors, default=-1)
        return floor_of_name[name]

    return sorted(modules, key=lambda module: (floor(module.name), module.name))


def _siblings_of(module: Module) -> list[str]:
    return [str(node.module) for node in module.relative_imports]


# --- checks -------------------------------------------------------------------------


def single_file_problems(modules: Sequence[Module]) -> list[str]:
    """Return why modules cannot stand in one file: reasons with file and line."""
    problems = [
        f"{module.file}:{line}: {text}"
        for module in modules
        for line, text in chain(*(rule(module) for rule in _RULES))
    ]
    return problems or [*_missing_names(modules), *_clashes(modules)]


def _relative_imports(module: Module) -> Iterator[tuple[int, str]]:
    """Yield relative imports that do not merely name what another module defines."""
    for node in module.relative_imports:
        renamed = [
            alias for alias in node.names if alias.asname not in (None, alias.name)
        ]
        if node not in module.imports:
            yield node.lineno, "a relative import must not stand in a function or block"
        elif node.level > 1 or "." in (node.module or "."):
            yield node.lineno, "a relative import must read `from .name import ...`"
        for alias in renamed:
            yield (
                node.lineno,
                f"{alias.name} must keep its name, not become {alias.asname}",
            )


def _other_imports(module: Module) -> Iterator[tuple[int, str]]:
    """Yield imports that cannot move to the top."""
    for node in module.imports:
        if "*" in [alias.name for alias in node.names]:
            yield node.lineno, "an import must name what it imports, got *"
    for statement in module.tree.body:
        for inner in _of_module(statement):
            is_import = isinstance(inner, (ast.Import, ast.ImportFrom))
            if is_import and inner is not statement:
                yield (
                    statement.lineno,
                    "an import must not stand in a block (if, try, with): "
                    "move it to the top of the module, or into a function",
                )


def _builtin_names(module: Module) -> Iterator[tuple[int, str]]:
    for name, line in _defined(module).items():
        if hasattr(builtins, name) and not name.startswith("__"):
            yield (
                line,
                f"{name} is a builtin, which other modules may mean by that name",
            )


_RULES = (_relative_imports, _other_imports, _builtin_names)


def _missing_names(modules: Sequence[Module]) -> Iterator[str]:
    names_of_module = {
        module.name: {*_defined(module), *(found.bound for found in _imported(module))}
        for module in modules
    }
    for module in modules:
        for node in module.relative_imports:
            names = names_of_module.get(str(node.module), set())
            for alias in node.names:
                if alias.name not in names:
                    yield (
                        f"{module.file}:{node.lineno}: {node.module}.py has no "
                        f"{alias.name} at its top level"
                    )


def _clashes(modules: Sequence[Module]) -> Iterator[str]:
    """Yield where a name means two things, or an imported thing has two names."""
    place_of_name: dict[str, tuple[str, str]] = {}  # its meaning and where it stands
    name_of_thing: dict[str, tuple[str, str]] = {}
    for module in modules:
        for name, line in _defined(module).items():
            place = f"{module.file}:{line}"
            _, other = place_of_name.setdefault(name, (f".{module.name}", place))
            if other != place:
                yield f"{place}: {name} is also defined in {other}"
    for module in modules:
        for found in _imported(module):
            place = f"{module.file}:{found.line}"
            said = f"{place}: {found.bound} is an import of {found.thing}"
            meaning, other = place_of_name.setdefault(found.bound, (found.thing, place))
            if meaning != found.thing:
                yield f"{said}, but something else in {other}"
            name, other = name_of_thing.setdefault(found.thing, (found.bound, place))
            if name != found.bound:
                yield f"{said}, which is {name} in {other}"


_Statement = tuple[str, ast.stmt]


def _check_statements(built: Module, sections: Sequence[Module]) -> None:
    """Raise where the built file has other statements than its sections."""
    expected = list(chain.from_iterable(map(_code, sections)))
    docstrings = {_text(module, module.docstring) for module in sections}
    found = [item for item in _code(built) if item[0] not in docstrings]
    found.pop()  # it names the sections
    nothing: _Statement = ("", ast.Pass())
    for ours, theirs in zip_longest(found, expected, fillvalue=nothing):
        if not _are_alike(ours, theirs):
            _, statement = theirs if theirs[0] else ours
            text = ast.unparse(statement).partition("\n")[0]
            raise StageError(f"{built.file}: a statement got lost or changed: {text}")


def _are_alike(ours: _Statement, theirs: _Statement) -> bool:
    """Return whether statements have one syntax tree, as those of one text have."""
    if ours[0] == theirs[0]:
        return True
    return bool(ours[0] and theirs[0]) and ast.dump(ours[1]) == ast.dump(theirs[1])


def _code(module: Module) -> list[_Statement]:
    """Return the statements of a module but its docstring and imports, with texts."""
    others, docstring = (ast.Import, ast.ImportFrom), module.docstring
    body = (node for node in module.tree.body if not isinstance(node, others))
    return [(_text(module, node), node) for node in body if node is not docstring]


def _text(module: Module, node: ast.stmt | None) -> str:
    """Return the lines of a statement, decorators too, and its place on them."""
    if node is None:
        return ""
    decorators = getattr(node, "decorator_list", ())
    first = min([node.lineno, *(decorator.lineno for decorator in decorators)])
    lines = module.lines[first - 1 : node.end_lineno]
    return "\n".join([f"{node.col_offset}-{node.end_col_offset}", *lines])


# --- names --------------------------------------------------------------------------


@dataclass(frozen=True)
class _Imported:
    """A name that an import binds: `import numpy as np` binds np to numpy."""

    bound: str
    thing: str
    line: int


def _imported(module: Module) -> Iterator[_Imported]:
    for node in module.imports:
        for alias in node.names:
            if isinstance(node, ast.Import):
                # `import a.b` binds a.
                thing = alias.name if alias.asname else alias.name.partition(".")[0]
                yield _Imported(alias.asname or thing, thing, node.lineno)
            elif not node.level and node.module != "__future__":
                thing = f"{node.module}.{alias.name}"
                yield _Imported(alias.asname or alias.name, thing, node.lineno)


def _defined(module: Module) -> dict[str, int]:
    """Return the names that a module defines at its top level, with the first line."""
    line_of_name: dict[str, int] = {}
    for node in _of_module(module.tree):
        for name in _names_bound_by(node):
            line_of_name.setdefault(name, node.lineno)  # type: ignore[attr-defined]
    return dict(sorted(line_of_name.items(), key=lambda item: item[1]))


def _of_module(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and what it contains, but for what has names of its own."""
    yield node
    scopes = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
    comprehensions = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
    if not isinstance(node, (*scopes, *comprehensions)):
        for child in ast.iter_child_nodes(node):
            yield from _of_module(child)


def _names_bound_by(node: ast.AST) -> list[str]:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return [node.name]
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        return [node.id]
    if isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)):
        return [node.name] if node.name else []
    return [node.rest] if isinstance(node, ast.MatchMapping) and node.rest else []


# --- text ---------------------------------------------------------------------------


def _joined(script: Module, sections: Sequence[Module]) -> str:
    """Return the source of sections in their order under one head."""
    docstring = _lines_of(script, script.docstring)
    names = ", ".join(module.name for module in sections)
    contents = textwrap.fill(f"# Its sections: {names}.", WIDTH, subsequent_indent="# ")
    lines = [*docstring, "", MARK, *contents.split("\n"), "", *_import_lines(sections)]
    section_of_line: dict[int, str] = {}
    for module in sections:
        lines += ["", ""] if section_of_line else [""]
        section_of_line[len(lines) + 1] = module.name
        lines += [f"# === {module.name} ".ljust(WIDTH, "=")]
        if module is not script and module.docstring:
            lines += ["", *_lines_of(module, module.docstring)]
        lines += ["", "", *_body(module)]
    table = [f'        {line}: "{name}",' for line, name in section_of_line.items()]
    call = ["name_sections(", "    globals(),", "    {", *table, "    },", ")"]
    return "\n".join([*lines, "", "", *call, ""])


def _lines_of(module: Module, node: ast.stmt | None) -> list[str]:
    return [] if node is None else module.lines[node.lineno - 1 : node.end_lineno]


def _body(module: Module) -> list[str]:
    """Return the lines of a module but its docstring, its imports and their comments.

    A comment belongs to an import if it stands on the lines right above it.
    """
    left_out: set[int] = set()
    for node in [*module.imports, *filter(None, [module.docstring])]:
        first = node.lineno
        if node is not module.docstring:
            while first > 1 and module.lines[first - 2].startswith("#"):
                first -= 1
        left_out.update(range(first, (node.end_lineno or first) + 1))
    lines: list[str] = []
    n_blank = 0  # blank lines at the end of what stands before something left out
    for number, line in enumerate(module.lines, start=1):
        if number in left_out:
            n_after = (n for n, text in enumerate(reversed(lines)) if text)
            n_blank = next(n_after, len(module.lines))
        elif line or not n_blank:
            lines.append(line)
            n_blank = 0
        else:
            n_blank -= 1
    while lines and not lines[-1]:
        lines.pop()
    return lines


def _import_lines(sections: Sequence[Module]) -> list[str]:
    """Return the imports of all sections, sorted as isort does, in three blocks."""
    plain: set[str] = set()
    names_of_module: dict[str, set[str]] = {}
    for node in chain.from_iterable(module.imports for module in sections):
        if isinstance(node, ast.Import):
            plain.update(ast.unparse(ast.Import([alias])) for alias in node.names)
        elif not node.level:
            names = names_of_module.setdefault(str(node.module), set())
            names.update(ast.unparse(alias) for alias in node.names)
    blocks: list[list[str]] = [[], [], []]
    for text in sorted(plain, key=str.lower):
        blocks[_block(text.split()[1])].append(text)
    for name in sorted(names_of_module, key=str.lower):
        blocks[_block(name)] += _import_from(name, names_of_module[name])
    return "\n\n".join("\n".join(block) for block in blocks if block).split("\n")


def _block(module: str) -> int:
    """Return 0 for `__future__`, 1 for the standard library, 2 for all else."""
    if module == "__future__":
        return 0
    return 1 if module.partition(".")[0] in sys.stdlib_module_names else 2


def _import_from(module: str, names: set[str]) -> list[str]:
    renamed = sorted(name for name in names if " as " in name)
    kept = sorted(names.difference(renamed), key=_order_of_name)
    lines = [f"from {module} import {name}" for name in renamed]
    if kept:
        line = f"from {module} import {', '.join(kept)}"
        start = f"from {module} import ("
        long = [start, *(f"    {name}," for name in kept), ")"]
        lines = [*([line] if len(line) <= WIDTH else long), *lines]
    return lines


def _order_of_name(name: str) -> tuple[int, str, str]:
    """Constants stand first, then classes, then the other names."""
    kind = 0 if len(name) > 1 and name.isupper() else 1 if name[0].isupper() else 2
    return kind, name.lower(), name
