"""The rules of `evaluate`'s loader, and what in a metric script or its package breaks them.

`evaluate` reads a metric script line by line and not by Python's grammar. For a relative
import at the start of a line it takes `<first part>.py` beside the script. Where that is
a link to a folder, the folder is copied as a package, and hashed with the script: so
`rouge_bleu.py` is a link to the package `rouge_bleu`. What `evaluate` misses fails only
where the script is loaded. So `loader_problems` holds a script and its packages to the
rules, and nothing that breaks one is staged.
"""

from __future__ import annotations

import ast
import re
import sys
import textwrap
import tokenize
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
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
    *("filelock", "numpy", "packaging", "pandas", "pyarrow", "requests", "tqdm", "xxhash"),
}

_RELATIVE_IMPORT = re.compile(r"from\s+\.(\w+)\S*\s+import\s")
_IMPORT = re.compile(r"(import|from)\s")
_WORD_STARTS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_TRIPLE_QUOTE = '"' * 3
_INIT = "__init__"
# What they give to users of the package no script needs, and no module may import.
_INITS_WITH_CODE = (_INIT, f"shipped.{_INIT}")


# --- a script and its packages ------------------------------------------------------


def packages(script: Module) -> list[str]:
    """Return the names of the packages that `evaluate` copies with a script."""
    lines = (line for _, line in _lines_that_evaluate_reads(script.source))
    matches = (_RELATIVE_IMPORT.match(line) for line in lines)
    return list(dict.fromkeys(match[1] for match in matches if match))


def shipped_modules(script: Path) -> list[Module]:
    """Return a metric script and the modules that it reaches by relative imports.

    Raises
    ------
    StageError
        `evaluate` would stumble over something; the message lists all of that.
    """
    raise_problems(title_of_problems(script.name), loader_problems(script))
    main = Module.read(script, script.parent)
    beside = (_modules_in(script.parent, package) for package in packages(main))
    module_of_name = {module.name: module for modules in beside for module in modules}
    reached = {main.name: main}
    to_read = [main]
    for module in to_read:  # grows
        for name in map(module.target, module.relative_imports):
            if name in module_of_name and name not in reached:
                reached[name] = module_of_name[name]
                to_read.append(reached[name])
    return to_read


def loader_problems(script: Path) -> list[str]:
    """Return what would keep `evaluate` from loading a script as it is meant.

    Each problem is a line with its file and line number. The list is empty if there is
    none.
    """
    if not script.is_file():
        return [f"{script} does not exist"]
    main = Module.read(script, script.parent)
    problems = script_problems(main)
    modules = [main]
    for package in packages(main):
        problems += _link_problems(script.parent, package)
        modules += _modules_in(script.parent, package)
    names = {module.name for module in modules}
    for module in modules[1:]:
        is_init = module.name.endswith(f".{_INIT}")
        rules = (_only_a_docstring,) if is_init else _RULES_OF_MODULE
        if module.section not in _INITS_WITH_CODE:
            problems += _broken(module, rules)
        problems += _broken(module, _RULES)
    for module in modules:
        problems += _located(module, _lost_imports(module, names))
    return problems


def _modules_in(root: Path, package: str) -> list[Module]:
    files = sorted((root / package).rglob("*.py"))
    return [Module.read(file, root) for file in files]


def _link_problems(root: Path, package: str) -> list[str]:
    """Return why `evaluate` would not copy a package.

    A clone without symbolic links has text files in their place, which hold where the
    links lead. There scripts cannot be loaded by their path, but they can be staged. Some
    archives have what the links lead to; that serves as long as it is the same.
    """
    folder, link = root / package, root / f"{package}.py"
    if not (folder / f"{_INIT}.py").is_file():
        return [f"{package} is no package beside the script"]
    if link.is_file() and link.read_bytes().strip() == package.encode():
        return []
    if link.is_dir() and (link.samefile(folder) or _sources(link) == _sources(folder)):
        return []
    return [f"{link.name} must be a symbolic link to {package}, which is copied by it"]


def _sources(folder: Path) -> dict[Path, bytes]:
    files = folder.rglob("*.py")
    return {file.relative_to(folder): file.read_bytes() for file in files}


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


def _relative_imports(script: Module) -> _Problems:
    """Relative imports must be of a package that a line names for `evaluate`."""
    copied = packages(script)
    for node in script.relative_imports:
        line = script.lines[node.lineno - 1]
        match = _RELATIVE_IMPORT.match(line)
        package = str(node.module).partition(".")[0]
        if node.level > 1 or package not in copied:
            yield (
                node.lineno,
                "evaluate copies what a line that starts with `from .name import ...` "
                f"or `from .name.inside import ...` names, not {line.strip()!r}",
            )
        elif match and "#" in line:
            yield (node.lineno, "evaluate reads a comment behind a relative import as an address")
        elif package == script.name:
            yield node.lineno, "a package must not be named like the script"


def _lost_imports(module: Module, names: Container[str]) -> _Problems:
    """Yield relative imports of what is not copied, or would be lost in one file.

    `names` has the modules that `evaluate` copies.
    """
    for node in module.relative_imports:
        target = module.target(node)
        is_package = f"{target}.{_INIT}" in names
        is_name_of_package = [alias.name for alias in node.names] == ["__name__"]
        if is_package and not is_name_of_package:
            yield (
                node.lineno,
                f"{target} is a package, which holds its docstring only: import from its modules",
            )
        elif not is_package and target not in names:
            yield node.lineno, f"imports {target or '.'}, which is not copied with it"


def _only_a_docstring(init: Module) -> _Problems:
    for node in init.tree.body:
        if node is not init.docstring:
            yield node.lineno, "an __init__ holds its docstring only"


def _imports_on_a_line(module: Module) -> _Problems:
    for number, line in _lines_that_evaluate_reads(module.source):
        if _IMPORT.match(line) and ";" in line.partition("#")[0]:
            yield number, "evaluate reads one statement on a line with an import"
    for node in module.imports:
        if isinstance(node, ast.Import) and len(node.names) > 1:
            yield (
                node.lineno,
                "evaluate reads one name on a line with an import: give each a line of its own",
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
                "evaluate would take an imported class for the metric: write `import evaluate`",
            )


def _libraries(module: Module) -> _Problems:
    own = {module.name.partition(".")[0], *packages(module)}
    for node in module.all_imports:
        for name in (name.partition(".")[0] for name in _libraries_of(node)):
            if name in own:
                yield (
                    node.lineno,
                    f"{name} is imported absolutely, but copied to another place: begin with dots",
                )
            elif node in module.imports and not _comes_with_evaluate(name):
                yield (
                    node.lineno,
                    f"{name} is not installed with evaluate: "
                    "import it where it is needed, inside a function",
                )


def _libraries_of(node: ast.Import | ast.ImportFrom) -> list[str]:
    """Return the modules that a statement imports absolutely."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [] if node.level else [str(node.module)]


def _comes_with_evaluate(name: str) -> bool:
    return name in sys.stdlib_module_names or name in INSTALLED_WITH_EVALUATE


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


_RULES_OF_SCRIPT = (*(_string_state, _relative_imports, _imports_on_a_line, _one_metric_class),)
_RULES_OF_MODULE = (_no_metric_class,)
_RULES = (_encoding, _imported_classes, _libraries, _marks_outside_comments)
