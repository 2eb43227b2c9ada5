"""The rules of `evaluate`'s loader, and what in a metric script breaks them.

`evaluate` copies a metric script and the flat siblings that the script itself names,
which it finds line by line and not by Python's grammar. What it misses fails only where
the script is loaded. So `loader_problems` holds a script and its siblings to the rules,
and nothing that breaks one is staged.
"""

from __future__ import annotations

import ast
import re
import sys
import textwrap
import tokenize
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from rouge_bleu_tools.staging.sources import (
    BYTE_ORDER_MARK,
    F_STRING_ENDS,
    F_STRING_STARTS,
    Module,
    StageError,
)

# What `pip install evaluate` brings along. All else would have to be installed by hand.
INSTALLED_WITH_EVALUATE = {
    *("datasets", "dill", "evaluate", "fsspec", "huggingface_hub", "multiprocess"),
    *(
        "filelock",
        "numpy",
        "packaging",
        "pandas",
        "pyarrow",
        "requests",
        "tqdm",
        "xxhash",
    ),
}

_SIBLING_IMPORT = re.compile(r"from\s+\.(\w+)\s+import\s")
_IMPORT = re.compile(r"(import|from)\s")
_WORD_STARTS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_TRIPLE_QUOTE = '"' * 3


# --- a script and its siblings ------------------------------------------------------


def siblings(script: Module) -> list[str]:
    """Return the names of the modules that `evaluate` copies with a script."""
    lines = (line for _, line in _lines_that_evaluate_reads(script.source))
    matches = (_SIBLING_IMPORT.match(line) for line in lines)
    return list(dict.fromkeys(match[1] for match in matches if match))


def shipped_modules(script: Path) -> list[Module]:
    """Return a metric script and its siblings.

    Raises
    ------
    StageError
        `evaluate` would stumble over something; the message lists all of that.
    """
    raise_problems(title_of_problems(script.name), loader_problems(script))
    main = Module.read(script)
    files = (script.with_name(f"{name}.py") for name in siblings(main))
    return [main, *map(Module.read, files)]


def loader_problems(script: Path) -> list[str]:
    """Return what would keep `evaluate` from loading a script as it is meant.

    Each problem is a line with its file and line number. The list is empty if there is
    none.
    """
    if not script.is_file():
        return [f"{script} does not exist"]
    main = Module.read(script)
    named = siblings(main)
    files = [script.with_name(f"{name}.py") for name in named if name != main.name]
    problems = [
        f"{main.file}: imports .{file.stem}, but there is no {file.name} beside it"
        for file in files
        if not file.is_file()
    ]
    problems += script_problems(main)
    beside = [Module.read(file) for file in files if file.is_file()]
    for module in beside:
        problems += _broken(module, (*_RULES_OF_SIBLING, *_RULES))
    for module in beside:
        problems += _located(module, _unnamed_siblings(module, named, main))
    return problems


def script_problems(script: Module) -> list[str]:
    """Return what in a script itself breaks the rules, as `loader_problems` does."""
    return _broken(script, (*_RULES_OF_SCRIPT, *_RULES))


def title_of_problems(file: str) -> str:
    """Return what stands above the problems of a script."""
    return f"{file} breaks the rules of evaluate's loader"


def raise_problems(title: str, problems: Sequence[str]) -> None:
    """Raise a `StageError` that lists problems below a title, if there are any."""
    if problems:
        raise StageError(f"{title}:\n" + textwrap.indent("\n".join(problems), "  "))


# --- rules: each yields lines and what is wrong with them ---------------------------

_Problems = Iterator[tuple[int, str]]
_Rule = Callable[[Module], _Problems]


def _broken(module: Module, rules: Sequence[_Rule]) -> list[str]:
    return [problem for rule in rules for problem in _located(module, rule(module))]


def _located(module: Module, problems: Iterable[tuple[int, str]]) -> list[str]:
    return [f"{module.file}:{line}: {text}" for line, text in problems]


def _lines_that_evaluate_reads(source: str) -> Iterator[tuple[int, str]]:
    """Yield the number and text of the lines that `evaluate` takes for code.

    For `evaluate` a docstring starts and ends with a line that has one triple quote.
    """
    is_inside = False
    for number, line in enumerate(source.split("\n"), start=1):
        is_inside ^= line.count(_TRIPLE_QUOTE) == 1
        if not is_inside:
            yield number, line


def _string_state(module: Module) -> _Problems:
    """`evaluate` must agree with Python on where strings begin and end.

    Imports count for `evaluate` outside of what it takes for docstrings.
    """
    code = {number for number, _ in _lines_that_evaluate_reads(module.source)}
    string = _lines_ending_in_string(module)
    for number in range(1, len(module.lines) + 1):
        if (number in code) is (number in string):
            yield (
                number,
                "evaluate takes code for a docstring from here, or the reverse: "
                f"keep triple quotes {_TRIPLE_QUOTE} to docstrings",
            )
            return


def _lines_ending_in_string(module: Module) -> set[int]:
    starts: list[int] = []
    lines: set[int] = set()
    for token in module.strings_and_comments:
        if token.type in F_STRING_STARTS:
            starts.append(token.start[0])
        elif token.type in F_STRING_ENDS:
            lines.update(range(starts.pop(), token.end[0]))
        elif token.type == tokenize.STRING:
            lines.update(range(token.start[0], token.end[0]))
    return lines


def _relative_imports(module: Module) -> _Problems:
    for node in module.relative_imports:
        line = module.lines[node.lineno - 1]
        match = _SIBLING_IMPORT.match(line)
        is_seen = match is not None and not node.col_offset and node.level == 1
        if not is_seen or match is None or match[1] != node.module:
            yield (
                node.lineno,
                "evaluate sees only `from .name import ...` at the start of a line, "
                f"not {line.strip()!r}",
            )
        elif "#" in line:
            yield (
                node.lineno,
                "evaluate reads a comment behind a relative import as an address",
            )
        elif node.module == module.name:
            yield node.lineno, "a sibling must not be named like the script"


def _imports_on_a_line(module: Module) -> _Problems:
    for number, line in _lines_that_evaluate_reads(module.source):
        if _IMPORT.match(line) and ";" in line.partition("#")[0]:
            yield number, "evaluate reads one statement on a line with an import"
    for node in module.imports:
        if isinstance(node, ast.Import) and len(node.names) > 1:
            yield (
                node.lineno,
                "evaluate reads one name on a line with an import: "
                "give each a line of its own",
            )


def _metric_classes(module: Module) -> list[str]:
    classes = (node for node in module.statements if isinstance(node, ast.ClassDef))
    return [node.name for node in classes if _has_base_of_evaluate(node)]


def _has_base_of_evaluate(node: ast.ClassDef) -> bool:
    return any(ast.unparse(base).startswith("evaluate.") for base in node.bases)


def _one_metric_class(module: Module) -> _Problems:
    classes = _metric_classes(module)
    if [_WORD_STARTS.sub("_", name).lower() for name in classes] != [module.name]:
        yield (
            1,
            "the script needs one class that is an evaluate.Metric, "
            f"with its name in CamelCase, got {classes}",
        )


def _no_metric_class(module: Module) -> _Problems:
    for name in _metric_classes(module):
        yield (
            1,
            "evaluate takes the first of its classes that a script has or imports, "
            f"so {name} belongs into the script",
        )


def _imported_classes(module: Module) -> _Problems:
    for node in module.statements:
        if not isinstance(node, ast.ImportFrom) or node.level:
            continue
        if str(node.module).split(".")[0] == "evaluate":
            yield (
                node.lineno,
                "evaluate would take an imported class for the metric: "
                "write `import evaluate`",
            )


def _libraries(module: Module) -> _Problems:
    for node in module.imports:
        for name in (name.split(".")[0] for name in _imported_modules(node)):
            if name in sys.stdlib_module_names or name in INSTALLED_WITH_EVALUATE:
                continue
            yield (
                node.lineno,
                f"{name} is not installed with evaluate: "
                "import it where it is needed, inside a function",
            )


def _imported_modules(node: ast.Import | ast.ImportFrom) -> list[str]:
    """Return the modules that an absolute import names."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [] if node.level else [str(node.module)]


def _marks_outside_comments(module: Module) -> _Problems:
    if "#" not in module.source:
        return
    tokens = module.strings_and_comments
    comments = (token for token in tokens if token.type == tokenize.COMMENT)
    column_of_line = {token.start[0]: token.start[1] for token in comments}
    for number, line in enumerate(module.lines, start=1):
        if "#" in line[: column_of_line.get(number)]:
            yield (
                number,
                "evaluate leaves out what follows a # when it looks for changes, "
                r"in strings too: write \x23",
            )


def _encoding(module: Module) -> _Problems:
    if module.source.startswith(BYTE_ORDER_MARK):
        yield 1, "evaluate does not see an import behind a byte order mark"


def _unnamed_siblings(
    module: Module, named: Sequence[str], script: Module
) -> _Problems:
    for node in module.relative_imports:
        modules = [node.module] if node.module else [item.name for item in node.names]
        for name in modules:
            if node.level > 1 or name not in named:
                yield (
                    node.lineno,
                    f"imports .{name}, which {script.file} does not name: "
                    "evaluate copies no siblings of siblings",
                )


_RULES_OF_SCRIPT = (
    *(_string_state, _relative_imports, _imports_on_a_line, _one_metric_class),
)
_RULES_OF_SIBLING = (_no_metric_class,)
_RULES = (_encoding, _imported_classes, _libraries, _marks_outside_comments)
