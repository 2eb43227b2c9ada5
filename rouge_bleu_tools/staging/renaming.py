"""Other names for global names of a module, in its text.

A name is changed where it means the global one, and nowhere else: not in strings, not as
an attribute or a keyword, not where something inside binds the same name. The text is
kept but for that. Before Python 3.12 positions of names inside f-strings are wrong, so
places in the text are found by a copy of it: there each word that may be meant has a
number, and the syntax tree of the copy says where each word went.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from symtable import SymbolTable, symtable

from rouge_bleu_tools.staging.scopes import Scopes, names_in, set_names
from rouge_bleu_tools.staging.sources import Module, StageError


def renamed(module: Module, new_names: Mapping[str, str]) -> Module:
    """Return a module in which global names are others.

    Its imports stay as they are, since they name what other modules have.

    Parameters
    ----------
    module : Module
    new_names : mapping from str to str
        By what the global names are called now. The new names mean nothing in the
        module yet.

    Raises
    ------
    StageError
        A name cannot be changed by itself.
    """
    if not new_names:
        return module
    _check_clear(module, new_names)
    pattern = rf"\b(?:{'|'.join(map(re.escape, new_names))})\b"
    words = list(re.finditer(pattern, module.source))
    numbered = [f"{word[0]}_{number}" for number, word in enumerate(words)]
    copy = Module(module.name, _with_words(module.source, words, numbered))
    texts = [word[0] for word in words]
    for old, marked in _global_names(module, copy.tree, new_names):
        texts[int(marked.removeprefix(f"{old}_"))] = new_names[old]
    result = Module(module.name, _with_words(module.source, words, texts))
    _check_result(module, result, new_names)
    return result


def _with_words(source: str, words: Sequence[re.Match[str]], texts: list[str]) -> str:
    """Return a source with other texts in the place of words."""
    starts = [0, *(word.end() for word in words)]
    ends = [*(word.start() for word in words), len(source)]
    kept = [source[start:end] for start, end in zip(starts, ends, strict=True)]
    return "".join(part for pair in zip(kept, [*texts, ""], strict=True) for part in pair)


def _global_names(
    module: Module, copy: ast.Module, names: Iterable[str]
) -> Iterator[tuple[str, str]]:
    """Yield each place of global names: the name, and what stands there in a copy."""
    for node, twin in _meant(module, copy, names):
        for name, other in zip(names_in(node), names_in(twin), strict=True):
            if name in names:
                yield name, other


def _meant(
    module: Module, copy: ast.Module, names: Iterable[str]
) -> Iterator[tuple[ast.AST, ast.AST]]:
    """Yield the nodes that mean one of the global names, and those of a copy."""
    nodes = Scopes.of_module(module).nodes_of_global
    meant = {id(node) for name in names for node in nodes.get(name, ())}
    for node, twin in zip(ast.walk(module.tree), ast.walk(copy), strict=True):
        if id(node) in meant:
            yield node, twin


# --- checks -------------------------------------------------------------------------


def _check_clear(module: Module, names: Iterable[str]) -> None:
    scopes = Scopes.of_module(module)
    for name in names:
        line = scopes.line_of_unclear.get(name)
        if line is not None:
            raise StageError(
                f"{module.file}:{line}: a class binds and reads {name}, which is also a "
                "name of the module and of another one: give one of them another name"
            )
        if name in scopes.imported_inside:
            raise StageError(
                f"{module.file}: a function imports {name} as a global name, which is "
                "one of another module, too: give it another name"
            )


def _check_result(old: Module, new: Module, new_names: Mapping[str, str]) -> None:
    """Raise where anything but the global names differs."""
    expected = ast.parse(old.source)
    for _, node in _meant(old, expected, new_names):
        set_names(node, [new_names.get(name, name) for name in names_in(node)])
    before, after = (symtable(one.source, one.file, "exec") for one in (old, new))
    has_one_tree = ast.dump(expected) == ast.dump(new.tree)
    if not (has_one_tree and _are_alike(before, after, new_names)):
        names = ", ".join(new_names)
        raise StageError(
            f"{old.file}: cannot rename {names}, of which other modules have one, too: a "
            "text depends on it, as in f'{name=}', or a variable hides the new name"
        )


def _are_alike(old: SymbolTable, new: SymbolTable, new_names: Mapping[str, str]) -> bool:
    """Return whether Python finds the same local and global names inside of modules.

    Since Python 3.12 a function may have the names of its comprehensions, too.
    """
    for inner, other in zip(old.get_children(), new.get_children(), strict=True):
        inside = (_names_of(child, {}) for child in other.get_children())
        local = {(name, False) for names in inside for name, _ in names}
        differing = _names_of(inner, new_names) ^ _names_of(other, {})
        if not (differing <= local and _are_alike(inner, other, new_names)):
            return False
    return True


def _names_of(table: SymbolTable, new_names: Mapping[str, str]) -> set[tuple[str, bool]]:
    """Return the names of a scope with new ones for the global ones; are they global?"""
    names = {symbol.get_name(): symbol.is_global() for symbol in table.get_symbols()}
    return {
        (new_names.get(name, name) if is_global else name, is_global)
        for name, is_global in names.items()
    }
