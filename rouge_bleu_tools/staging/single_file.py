"""A metric script and the modules that it reaches, as one file.

    modules -> order: dependencies first -> one name for each thing
            -> imports, named once -> one source

Each module becomes a section: a heading, the module's docstring, and its code as it
stands, without imports. Imports move to the top, and those of modules vanish, since all
names are in one file. So does the `try:` around those of the script. A name that means
two things is changed for one of them (`one_namespace`, `renaming`). At the end the syntax
tree of the file is compared with those of the modules, statement by statement, and each
name that it reads is one that it has.
"""

from __future__ import annotations

import ast
import builtins
import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, zip_longest
from pathlib import Path

from rouge_bleu_tools.staging.loader_rules import raise_problems, script_problems, title_of_problems
from rouge_bleu_tools.staging.one_namespace import OneNamespace
from rouge_bleu_tools.staging.renaming import renamed
from rouge_bleu_tools.staging.scopes import Scopes
from rouge_bleu_tools.staging.sources import Module, StageError

WIDTH = 88

# A line of each built file, by which later builds know that they may replace it. They
# look for exactly this text.
MARK = "# Built by stage.py from the modules of its repository: change those, not this."

_NAMING = Path(__file__).with_name("section_names.py")
_NAMING_FUNCTION = "name_sections"

# By the name of a module what its global names are called in the one file, if otherwise.
_NewNames = Mapping[str, Mapping[str, str]]


def single_file(modules: Sequence[Module]) -> str:
    """Return a metric script and its modules as the source of one module.

    Parameters
    ----------
    modules : sequence of Module
        The script, then the modules that it reaches, in any order.

    Raises
    ------
    StageError
        The modules cannot stand in one file; the message lists why, with file and line.
    """
    return _single_file(tuple(modules))


@lru_cache(maxsize=8)  # a process may build and install the same modules
def _single_file(modules: tuple[Module, ...]) -> str:
    script = modules[0]
    naming = Module.read(_NAMING, _NAMING.parent)
    title = f"{script.file} and its modules cannot stand in one file"
    raise_problems(title, _problems(script, modules))
    sections = [*in_order(modules), naming]
    names = OneNamespace(sections, own=[script.name, naming.name])
    raise_problems(title, names.problems)
    new_names = {module.name: names.new_names(module) for module in sections}
    sections = [renamed(module, new_names[module.name]) for module in sections]
    built = Module(script.name, _joined(script, sections, new_names))
    _check_statements(built, sections)
    _check_names(built)
    raise_problems(f"the built {title_of_problems(script.file)}", script_problems(built))
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
            raise StageError(f"modules import each other: {circle}")
        if name not in floor_of_name:
            module = module_of_name[name]
            needed = map(module.target, module.relative_imports)
            modules_needed = (other for other in needed if other in module_of_name)
            floors = (floor(other, (*above, name)) for other in modules_needed)
            floor_of_name[name] = 1 + max(floors, default=-1)
        return floor_of_name[name]

    return sorted(modules, key=lambda module: (floor(module.name), module.name))


# --- checks -------------------------------------------------------------------------


def _problems(script: Module, modules: Sequence[Module]) -> list[str]:
    """Return what cannot stand in one file, with file and line."""
    problems = []
    for module in modules:
        found = [*_misplaced_imports(module)]
        found += () if module is script else _of_the_script(module)
        problems += [f"{module.file}:{line}: {text}" for line, text in sorted(found)]
    return problems


def _misplaced_imports(module: Module) -> Iterator[tuple[int, str]]:
    """Yield imports that cannot move to the top, or do not say what they name."""
    for node in module.imports:
        if "*" in [alias.name for alias in node.names]:
            yield node.lineno, "an import must name what it imports, got *"
    for node in module.relative_imports:
        if node not in module.imports:
            yield node.lineno, "a relative import must not stand in a function or block"
    for node in Scopes.of_module(module).imports_in_blocks:
        if node not in module.relative_imports:
            yield (
                node.lineno,
                "an import must not stand in a block (if, try, with): "
                "move it to the top of the module, or into a function",
            )


def _of_the_script(module: Module) -> Iterator[tuple[int, str]]:
    """Yield what only a script may have."""
    for guard in module.guards:
        yield guard.lineno, "only the script may explain imports that fail"
    for name, line in Scopes.of_module(module).line_of_defined.items():
        if name.startswith("__"):
            yield line, f"{name} begins with two underscores, as names of Python do"


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
    return [(_text(module, node), node) for node in module.code]


def _text(module: Module, node: ast.stmt | None) -> str:
    """Return the lines of a statement, decorators too, and its place on them."""
    if node is None:
        return ""
    decorators = getattr(node, "decorator_list", ())
    first = min([node.lineno, *(decorator.lineno for decorator in decorators)])
    lines = module.lines[first - 1 : node.end_lineno]
    return "\n".join([f"{node.col_offset}-{node.end_col_offset}", *lines])


def _check_names(built: Module) -> None:
    """Raise where the built file reads a name that it does not have."""
    scopes = Scopes.of_module(built)
    imported = (alias for node in built.imports for alias in node.names)
    names = {alias.asname or alias.name.partition(".")[0] for alias in imported}
    names.update(scopes.line_of_defined, dir(builtins))
    for name in scopes.nodes_of_global:
        if name not in names and not name.startswith("__"):
            raise StageError(f"{built.file}: nothing defines {name} in the one file")


# --- text ---------------------------------------------------------------------------


def _joined(script: Module, sections: Sequence[Module], new_names: _NewNames) -> str:
    """Return the source of sections in their order under one head."""
    names = ", ".join(module.section for module in sections)
    contents = textwrap.fill(f"# Its sections: {names}.", WIDTH, subsequent_indent="# ")
    lines = [*_lines_of(script, script.docstring), "", MARK, *contents.split("\n"), ""]
    lines += _import_lines(sections, new_names)
    section_of_line: dict[int, str] = {}
    for module in sections:
        lines += ["", ""] if section_of_line else [""]
        section_of_line[len(lines) + 1] = module.section
        lines += [f"# === {module.section} ".ljust(WIDTH, "=")]
        if module.name != script.name and module.docstring:
            lines += ["", *_lines_of(module, module.docstring)]
        lines += ["", "", *_body(module)]
    table = [f'        {line}: "{name}",' for line, name in section_of_line.items()]
    function = new_names[_NAMING.stem].get(_NAMING_FUNCTION, _NAMING_FUNCTION)
    call = [f"{function}(", "    globals(),", "    {", *table, "    },", ")"]
    return "\n".join([*lines, "", "", *call, ""])


def _lines_of(module: Module, node: ast.stmt | None) -> list[str]:
    return [] if node is None else module.lines[node.lineno - 1 : node.end_lineno]


def _body(module: Module) -> list[str]:
    """Return the lines of a module but its docstring, its imports and their comments.

    A comment belongs to an import if it stands on the lines right above it.
    """
    left_out: set[int] = set()
    for node in module.tree.body:
        if node in module.code:
            continue
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


def _import_lines(sections: Sequence[Module], new_names: _NewNames) -> list[str]:
    """Return the imports of all sections, sorted as isort does, in three blocks."""
    plain: set[str] = set()
    names_of_module: dict[str, set[str]] = {}
    for module in sections:
        for node in module.imports:
            names = {_text_of_alias(one, new_names[module.name]) for one in node.names}
            if isinstance(node, ast.Import):
                plain.update(f"import {name}" for name in names)
            elif not node.level:
                names_of_module.setdefault(str(node.module), set()).update(names)
    blocks: list[list[str]] = [[], [], []]
    for text in sorted(plain, key=str.lower):
        blocks[_block(text.split()[1])].append(text)
    for name in sorted(names_of_module, key=str.lower):
        blocks[_block(name)] += _import_from(name, names_of_module[name])
    return "\n\n".join("\n".join(block) for block in blocks if block).split("\n")


def _text_of_alias(alias: ast.alias, new_names: Mapping[str, str]) -> str:
    bound = alias.asname or alias.name
    new_name = new_names.get(bound, alias.asname)
    return f"{alias.name} as {new_name}" if new_name else alias.name


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
