"""Names for all that modules define and import, so that all can stand in one file.

    modules -> things: what each name at the top of a module stands for
            -> one name for each thing -> new names in each module

A name is free for one thing. What imports bind keeps its name first, then what the script
defines, then classes, whose names users and pickles see; among equals the first one. The
others get the name of their module: `_checked` of `rouge.perl.counts` becomes
`_checked_of_rouge_perl_counts`.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from rouge_bleu_tools.staging.scopes import Scopes
from rouge_bleu_tools.staging.sources import Module


@dataclass(frozen=True)
class Thing:
    """What a name at the top of a module stands for."""

    home: str  # the module that defines it, or the library
    name: str  # what it is called there; nothing for a library itself
    bound: str  # what to call it, if nothing else is called so
    rank: int = field(compare=False)  # the lowest ones keep their names

    def __str__(self) -> str:
        return ".".join(filter(None, [self.home, self.name]))


_LIBRARY, _IMPORTED, _OF_SCRIPT, _CLASS, _OTHER = range(5)


class OneNamespace:
    """One name for each thing of modules.

    Parameters
    ----------
    modules : sequence of Module
        Dependencies first.
    own : collection of str
        The names of the modules whose definitions keep their names before others do.
    """

    def __init__(self, modules: Sequence[Module], own: Iterable[str]) -> None:
        self.problems: list[str] = []
        self._own = set(own)
        self._section_of_home = {module.name: module.section for module in modules}
        self._things: dict[str, dict[str, Thing]] = {}
        for module in modules:
            self._things[module.name] = self._things_of(module)
        self._words = {one.name: Scopes.of_module(one).words for one in modules}
        self._name_of_thing = self._chosen_names()

    def new_names(self, module: Module) -> dict[str, str]:
        """Return the names of a module that are others in the one file."""
        return {
            name: self._name_of_thing[thing]
            for name, thing in self._things[module.name].items()
            if name != self._name_of_thing[thing]
        }

    # --- what names stand for -------------------------------------------------------

    def _things_of(self, module: Module) -> dict[str, Thing]:
        things: dict[str, Thing] = {}
        line_of_name: dict[str, int] = {}
        for name, thing, line in self._named(module):
            if things.setdefault(name, thing) != thing:
                self.problems.append(
                    f"{module.file}:{line}: {name} is {thing} here, and "
                    f"{things[name]} in line {line_of_name[name]}"
                )
            line_of_name.setdefault(name, line)
        return things

    def _named(self, module: Module) -> Iterator[tuple[str, Thing, int]]:
        """Yield what a module names: a name, what it stands for, and the line."""
        for node in module.imports:
            for alias in node.names:
                bound = alias.asname or alias.name.partition(".")[0]
                if isinstance(node, ast.Import) or not node.level:
                    thing = _library(node, alias)
                else:
                    thing = self._thing_of_module(module, node, alias.name, bound)
                if thing is not None:
                    yield bound, thing, node.lineno
        for name, line in Scopes.of_module(module).line_of_defined.items():
            yield name, Thing(module.name, name, name, self._rank(module, name)), line

    def _thing_of_module(
        self, module: Module, node: ast.ImportFrom, name: str, bound: str
    ) -> Thing | None:
        """Return what another module has under a name, or None.

        Only the name of a package may be imported and nowhere used: so `evaluate` is
        told of the package.
        """
        target = module.target(node)
        things = self._things.get(target, {})
        is_told = target not in self._things and name == "__name__"
        is_used = bound in Scopes.of_module(module).words
        if name not in things and (is_used or not is_told):
            self.problems.append(
                f"{module.file}:{node.lineno}: no module {target or '.'} has {name} at its "
                "top level"
            )
        return things.get(name)

    def _rank(self, module: Module, name: str) -> int:
        if module.name in self._own:
            return _OF_SCRIPT
        classes = (node for node in module.tree.body if isinstance(node, ast.ClassDef))
        return _CLASS if name in [node.name for node in classes] else _OTHER

    # --- what they are called -------------------------------------------------------

    def _chosen_names(self) -> dict[Thing, str]:
        found = [thing for things in self._things.values() for thing in things.values()]
        chosen: dict[Thing, str] = {}
        taken = {name for name in dir(builtins) if not name.startswith("__")}
        words = frozenset[str]().union(*self._words.values())
        hidden = self._hidden_things()
        for thing in sorted(found, key=lambda thing: thing.rank):  # which is stable
            if thing in chosen:
                continue
            name = thing.bound
            is_free = name not in taken and thing not in hidden
            if thing.rank != _LIBRARY and not is_free:
                home = self._section_of_home.get(thing.home, thing.home)
                name = f"{name}_of_{home.replace('.', '_')}"
                while name in taken or name in words:
                    name += "_"
            chosen[thing] = name
            taken.add(name)
        return chosen

    def _hidden_things(self) -> set[Thing]:
        """Return what a module calls otherwise that says something else by its name."""
        return {
            thing
            for module, things in self._things.items()
            for name, thing in things.items()
            if name != thing.bound and thing.bound in self._words[module]
        }


def _library(node: ast.Import | ast.ImportFrom, alias: ast.alias) -> Thing | None:
    """Return what an absolute import names, or None for what changes Python's rules."""
    if isinstance(node, ast.Import):
        if alias.asname:
            return Thing(alias.name, "", alias.asname, _IMPORTED)
        library = alias.name.partition(".")[0]
        return Thing(library, "", library, _LIBRARY)
    if node.module == "__future__":
        return None
    bound = alias.asname or alias.name
    return Thing(str(node.module), alias.name, bound, _IMPORTED)
