"""Tracebacks name the section: `in ngrams.ngram_matches` instead of `in ngram_matches`.

This is done once, when the file is loaded. It changes names in tracebacks only.
"""

from __future__ import annotations

from bisect import bisect
from functools import _lru_cache_wrapper, cached_property, partial
from types import CodeType, FunctionType
from typing import Any


def name_sections(namespace: dict[str, Any], section_of_line: dict[int, str]) -> None:
    """Put the name of its section before the name of each function of this file.

    `section_of_line` has the first line of each section. Functions are found in the
    namespace of the module, in its classes and tables, and behind what wraps them.
    """
    file, lines = name_sections.__code__.co_filename, sorted(section_of_line)
    wrappers: tuple[type, ...] = (cached_property, partial, _lru_cache_wrapper)
    wrappers += (FunctionType, property, staticmethod, classmethod)
    wrapped = ("fget", "fset", "fdel", "func", "__func__", "__wrapped__")

    def renamed(code: Any) -> Any:
        if not isinstance(code, CodeType):
            return code
        section = section_of_line[lines[bisect(lines, code.co_firstlineno) - 1]]
        inner = tuple(map(renamed, code.co_consts))
        return code.replace(co_name=f"{section}.{code.co_name}", co_consts=inner)

    found, seen = list(namespace.values()), set()
    while found:
        value = found.pop()
        owner = value if isinstance(value, type) else type(value)
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, FunctionType) and value.__code__.co_filename == file:
            value.__code__ = renamed(value.__code__)
        if isinstance(value, wrappers):
            found += [getattr(value, name, None) for name in wrapped]
        elif isinstance(value, dict):
            found += value.values()
        elif isinstance(value, (tuple, list, set, frozenset)):
            found += value
        elif owner.__module__ == namespace["__name__"]:
            found += getattr(value, "__dict__", {}).values()
