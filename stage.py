"""Stages the metrics: `build` writes a folder for a Space of each, ready for the Hub; `install` makes each loadable by its name on this machine.

    python stage.py build --output build
    python stage.py install

`evaluate` copies a metric script and the flat siblings that the script itself names, which it finds line by line and not by Python's grammar. What it
misses fails only where the script is loaded, so `loader_problems` holds the scripts to the loader's rules, and nothing that breaks one is staged.

Only `install` needs `evaluate`; all else is the standard library.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import io
import os
import re
import shutil
import sys
import textwrap
import time
import tokenize
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Space:
    """What the front matter of a Space says beside the metric's description."""

    emoji: str
    color_from: str
    color_to: str
    short_description: str  # the Hub takes 60 characters


SPACES = {
    "rouge_full": Space("📏", "blue", "indigo", "All five ROUGE variants, exact and fast"),
    "bleu_full": Space("🌍", "green", "blue", "BLEU with any weights, exact and fast"),
}


class StageError(Exception):
    """Something keeps a metric from being staged; the message is for the user."""


# --- what belongs to a metric ----------------------------------------------------------------------------------------


def siblings(script: Path) -> list[str]:
    """Return the names of the modules beside a metric script that `evaluate` copies with it, in the order of the script."""
    matches = (_SIBLING_IMPORT.match(line) for _, line in _lines_that_evaluate_reads(script.read_text(encoding="utf-8")))
    return list(dict.fromkeys(match[1] for match in matches if match))


def shipped_files(script: Path) -> list[Path]:
    """Return a metric script and its siblings, or raise a `StageError` that lists all that `evaluate` would stumble over."""
    problems = loader_problems(script)
    if problems:
        raise StageError(f"{script.name} breaks the rules of evaluate's loader:\n" + textwrap.indent("\n".join(problems), "  "))
    return [script, *(script.with_name(f"{name}.py") for name in siblings(script))]


# --- build: a Space folder -------------------------------------------------------------------------------------------

_SPACE_FILES = ("app.py", "requirements.txt")
_LEFT_BY_RUNNING = {"__pycache__", ".gradio"}


def build(output: Path, root: Path = ROOT) -> list[Path]:
    """Write a complete Space folder for each metric and return the folders."""
    return [_build_space(name, output / name, root) for name in SPACES]


def _build_space(name: str, folder: Path, root: Path) -> Path:
    script = root / f"{name}.py"
    card = root / "metric_cards" / f"{name}.md"
    files = [*shipped_files(script), *(root / file for file in _SPACE_FILES)]
    missing = [file for file in (*files, card) if not file.is_file()]
    if missing:
        raise StageError(f"{missing[0]} is missing: the Space of {name} needs it")
    _empty(folder)
    for file in files:
        shutil.copyfile(file, folder / file.name)
    readme = front_matter(name, script) + "\n" + card.read_text(encoding="utf-8")
    (folder / "README.md").write_text(readme, encoding="utf-8", newline="\n")
    return folder


def front_matter(name: str, script: Path) -> str:
    """Return the YAML head of a Space's README.md, which the Hub reads."""
    space = SPACES[name]
    description = textwrap.fill(" ".join(_description(script).split()), width=100, initial_indent="  ", subsequent_indent="  ")
    return f"""\
---
title: {name}
emoji: {space.emoji}
colorFrom: {space.color_from}
colorTo: {space.color_to}
sdk: gradio
sdk_version: 6.31.0
app_file: app.py
pinned: false
license: apache-2.0
short_description: {space.short_description}
tags:
- evaluate
- metric
description: >-
{description}
---
"""


def _description(script: Path) -> str:
    """Return the text of `_DESCRIPTION` without running the script."""
    for node in ast.parse(script.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "_DESCRIPTION":
            return str(ast.literal_eval(node.value))
    raise StageError(f"{script.name} has no _DESCRIPTION, which is the description of its Space")


def _empty(folder: Path) -> None:
    """Make a new folder; one from an earlier build is replaced, anything else is left alone."""
    if folder.exists():
        others = [path.name for path in folder.iterdir() if path.suffix != ".py" and path.name not in {"README.md", *_SPACE_FILES, *_LEFT_BY_RUNNING}]
        if others:
            raise StageError(f"{folder} holds {others[0]}, which no build wrote: remove the folder, or choose another --output")
        shutil.rmtree(folder)
    folder.mkdir(parents=True)


# --- install: the copy that evaluate finds by bare name --------------------------------------------------------------

_MARK = "installed_by_stage.txt"
_MARK_TEXT = "Written by stage.py of rouge_full and bleu_full. Load the metric by its name, and this copy is used as long as it is the newest.\n"
_DAYS_KEPT = 30


def install(evaluate_modules: Path, root: Path = ROOT) -> list[Path]:
    """Copy each metric into the module cache of `evaluate`, where `evaluate.load(name)` finds it, and return the copies.

    A name without a slash is looked up on the Hub first, then among the cached copies of what the Hub had; the one with the newest script is taken.
    `evaluate_modules` is the folder that `evaluate.loading.init_dynamic_modules()` returns.
    """
    return [_install_metric(name, evaluate_modules / "metrics" / f"evaluate-metric--{name}", root) for name in SPACES]


def _install_metric(name: str, folder: Path, root: Path) -> Path:
    files = shipped_files(root / f"{name}.py")
    folder.mkdir(parents=True, exist_ok=True)
    for package in (folder.parents[1], folder.parent, folder):
        (package / "__init__.py").touch()
    copy = folder / _digest(files)
    if not all(_same(file, copy / file.name) for file in files):
        _write_copy(files, copy)
    _make_newest(copy, f"{name}.py")
    _remove_outdated(copy, f"{name}.py")
    return copy


def _digest(files: Iterable[Path]) -> str:
    """Return 64 hexadecimal digits for the names and contents of files; `evaluate` ignores folders with names of another length."""
    digest = hashlib.sha256()
    for file in files:
        content = file.read_bytes()
        digest.update(f"{file.name} {len(content)}\n".encode() + content)
    return digest.hexdigest()


def _same(file: Path, copy: Path) -> bool:
    return copy.is_file() and copy.read_bytes() == file.read_bytes()


def _write_copy(files: Iterable[Path], copy: Path) -> None:
    """Write a copy under another name and then rename it, so that a process that loads the metric meanwhile never sees half of it."""
    unfinished = copy.with_name(f"unfinished-{os.getpid()}")
    unfinished.mkdir(exist_ok=True)
    for file in files:
        shutil.copyfile(file, unfinished / file.name)
    (unfinished / "__init__.py").touch()
    (unfinished / _MARK).write_text(_MARK_TEXT, encoding="utf-8")
    shutil.rmtree(copy, ignore_errors=True)  # a copy that somebody has edited
    unfinished.rename(copy)


def _copies(folder: Path, script: str) -> dict[Path, float]:
    """Return all copies of a metric, ours or not, with the time by which `evaluate` chooses among them."""
    return {path.parent: path.stat().st_mtime for path in folder.glob(f"*/{script}") if len(path.parent.name) == 64}


def _make_newest(copy: Path, script: str) -> None:
    others = [changed for path, changed in _copies(copy.parent, script).items() if path != copy]
    newest = max([time.time(), *(changed + 1 for changed in others)])
    os.utime(copy / script, (newest, newest))


def _remove_outdated(copy: Path, script: str) -> None:
    """Remove copies that an earlier install wrote, once no running process can be expected to read them any more."""
    for path, changed in _copies(copy.parent, script).items():
        if path != copy and (path / _MARK).exists() and changed < time.time() - _DAYS_KEPT * 24 * 3600:
            shutil.rmtree(path, ignore_errors=True)


# --- the rules of evaluate's loader ----------------------------------------------------------------------------------

# What `pip install evaluate` brings along; anything else at the top of a module would have to be installed by hand.
INSTALLED_WITH_EVALUATE = {
    *("datasets", "dill", "evaluate", "fsspec", "huggingface_hub", "multiprocess", "numpy"),
    *("packaging", "pandas", "pyarrow", "requests", "tqdm", "xxhash"),
}

_SIBLING_IMPORT = re.compile(r"from\s+\.(\w+)\s+import\s")
_IMPORT = re.compile(r"(import|from)\s")
_TRIPLE_QUOTE = '"' * 3
_F_STRING_STARTS = {getattr(tokenize, name, -1) for name in ("FSTRING_START", "TSTRING_START")}
_F_STRING_ENDS = {getattr(tokenize, name, -1) for name in ("FSTRING_END", "TSTRING_END")}


@dataclass(frozen=True)
class _Module:
    """A source file as Python reads it; `lines[0]` is line 1."""

    path: Path

    @cached_property
    def source(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def lines(self) -> list[str]:
        return self.source.split("\n")

    @property
    def tree(self) -> ast.Module:
        return _parsed(self.source.removeprefix("\ufeff"))[0]

    @property
    def nodes(self) -> list[ast.AST]:
        return _parsed(self.source.removeprefix("\ufeff"))[1]

    @property
    def tokens(self) -> list[tokenize.TokenInfo]:
        return _parsed(self.source.removeprefix("\ufeff"))[2]

    @property
    def relative_imports(self) -> list[ast.ImportFrom]:
        return [node for node in self.nodes if isinstance(node, ast.ImportFrom) and node.level]

    @property
    def metric_classes(self) -> list[str]:
        classes = (node for node in self.nodes if isinstance(node, ast.ClassDef))
        return [node.name for node in classes if any(ast.unparse(base).startswith("evaluate.") for base in node.bases)]


@lru_cache(maxsize=64)  # both metrics share most of their siblings
def _parsed(source: str) -> tuple[ast.Module, list[ast.AST], list[tokenize.TokenInfo]]:
    """Return the syntax tree of a module, all nodes in it, and its tokens."""
    tree = ast.parse(source)
    return tree, list(ast.walk(tree)), list(tokenize.generate_tokens(io.StringIO(source).readline))


def loader_problems(script: Path) -> list[str]:
    """Return what would keep `evaluate` from loading a metric script as it is meant, each with its file and line; empty if nothing would."""
    if not script.is_file():
        return [f"{script} does not exist"]
    main = _Module(script)
    named = siblings(script)
    files = {name: script.with_name(f"{name}.py") for name in named if name != script.stem}
    problems = [f"{script.name}: imports .{name}, but there is no {name}.py beside it" for name, file in files.items() if not file.is_file()]
    beside = [_Module(file) for file in files.values() if file.is_file()]
    for module, rules in [(main, (*_RULES_OF_SCRIPT, *_RULES)), *((module, (*_RULES_OF_SIBLING, *_RULES)) for module in beside)]:
        problems += [f"{module.path.name}:{line}: {text}" for rule in rules for line, text in rule(module)]
    for module in beside:
        problems += [f"{module.path.name}:{line}: {text}" for line, text in _unnamed_siblings(module, named, script)]
    return problems


_Problems = Iterator[tuple[int, str]]


def _lines_that_evaluate_reads(source: str) -> Iterator[tuple[int, str]]:
    """Yield the number and text of lines outside of docstrings, as `evaluate` sees them: they start and end with a line that has one triple quote."""
    is_inside = False
    for number, line in enumerate(source.split("\n"), start=1):
        is_inside ^= line.count(_TRIPLE_QUOTE) == 1
        if not is_inside:
            yield number, line


def _string_state(module: _Module) -> _Problems:
    """Imports count for `evaluate` outside of docstrings, so it has to agree with Python on where strings begin and end."""
    code_for_evaluate = {number for number, _ in _lines_that_evaluate_reads(module.source)}
    string_for_python = _lines_ending_in_string(module)
    for number in range(1, len(module.lines) + 1):
        if (number in code_for_evaluate) is (number in string_for_python):
            yield number, f"evaluate takes code for a docstring from here, or the reverse: keep triple quotes {_TRIPLE_QUOTE} to docstrings"
            return


def _lines_ending_in_string(module: _Module) -> set[int]:
    starts: list[int] = []
    lines: set[int] = set()
    for token in module.tokens:
        if token.type in _F_STRING_STARTS:
            starts.append(token.start[0])
        elif token.type in _F_STRING_ENDS:
            lines.update(range(starts.pop(), token.end[0]))
        elif token.type == tokenize.STRING:
            lines.update(range(token.start[0], token.end[0]))
    return lines


def _relative_imports(module: _Module) -> _Problems:
    for node in module.relative_imports:
        line = module.lines[node.lineno - 1]
        match = _SIBLING_IMPORT.match(line)
        if match is None or node.col_offset or node.level != 1 or match[1] != node.module:
            yield node.lineno, f"evaluate sees only `from .name import ...` at the start of a line, not {line.strip()!r}"
        elif "#" in line:
            yield node.lineno, "evaluate reads a comment behind a relative import as an address"
        elif node.module == module.path.stem:
            yield node.lineno, "a sibling must not be named like the script"


def _imports_on_a_line(module: _Module) -> _Problems:
    for number, line in _lines_that_evaluate_reads(module.source):
        if _IMPORT.match(line) and ";" in line.partition("#")[0]:
            yield number, "evaluate reads one statement on a line with an import"
    for node in module.tree.body:
        if isinstance(node, ast.Import) and len(node.names) > 1:
            yield node.lineno, "evaluate reads one name on a line with an import: give each a line of its own"


def _one_metric_class(module: _Module) -> _Problems:
    names = [re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower() for name in module.metric_classes]
    if names != [module.path.stem]:
        yield 1, f"the script needs one class that is an evaluate.Metric, with its name in CamelCase, got {module.metric_classes}"


def _no_metric_class(module: _Module) -> _Problems:
    for name in module.metric_classes:
        yield 1, f"evaluate takes the first of its classes that a script has or imports, so {name} belongs into the script"


def _imported_classes(module: _Module) -> _Problems:
    for node in module.nodes:
        if isinstance(node, ast.ImportFrom) and not node.level and str(node.module).split(".")[0] == "evaluate":
            yield node.lineno, "evaluate would take an imported class for the metric: write `import evaluate`"


def _libraries(module: _Module) -> _Problems:
    for node in module.tree.body:
        modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and not node.level:
            modules = [str(node.module)]
        for name in (name.split(".")[0] for name in modules):
            if name not in sys.stdlib_module_names and name not in INSTALLED_WITH_EVALUATE:
                yield node.lineno, f"{name} is not installed with evaluate: import it where it is needed, inside a function"


def _marks_outside_comments(module: _Module) -> _Problems:
    comment = {token.start[0]: token.start[1] for token in module.tokens if token.type == tokenize.COMMENT}
    for number, line in enumerate(module.lines, start=1):
        if "#" in line[: comment.get(number)]:
            yield number, r"evaluate leaves out what follows a # when it looks for changes, in strings too: write \x23"


def _encoding(module: _Module) -> _Problems:
    if module.source.startswith("\ufeff"):
        yield 1, "evaluate does not see an import behind a byte order mark"


def _unnamed_siblings(module: _Module, named: Sequence[str], script: Path) -> _Problems:
    for node in module.relative_imports:
        for name in [node.module] if node.module else [alias.name for alias in node.names]:
            if node.level > 1 or name not in named:
                yield node.lineno, f"imports .{name}, which {script.name} does not name: evaluate copies no siblings of siblings"


_RULES_OF_SCRIPT = (_string_state, _relative_imports, _imports_on_a_line, _one_metric_class)
_RULES_OF_SIBLING = (_no_metric_class,)
_RULES = (_encoding, _imported_classes, _libraries, _marks_outside_comments)


# --- command line ----------------------------------------------------------------------------------------------------


def _build_command(arguments: argparse.Namespace) -> None:
    for folder in build(arguments.output):
        print(f"{folder}: {', '.join(sorted(path.name for path in folder.iterdir()))}")
    print(f"To publish one: hf upload <user>/rouge_full {arguments.output / 'rouge_full'} --repo-type space")


def _install_command(arguments: argparse.Namespace) -> None:
    try:
        from evaluate.loading import init_dynamic_modules
    except ImportError as error:
        raise StageError(
            f"{sys.executable} cannot import evaluate ({error}).\n"
            f"Install it with `{sys.executable} -m pip install evaluate`, or use the Python that has it: make install PYTHON=<python>"
        ) from error
    for copy in install(Path(init_dynamic_modules())):
        print(copy)
    print(textwrap.dedent(_INSTALLED))


_INSTALLED = """
    evaluate.load("rouge_full") and evaluate.load("bleu_full") now work in any folder, for each Python that uses this cache.
    evaluate asks the Hub first and then says "Using the latest cached version of the module": that is this copy.
    HF_EVALUATE_OFFLINE=1 spares the question, EVALUATE_VERBOSITY=error the remark."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="stage.py", description="Stage the metrics for the Hub, or install them on this machine.")
    commands = parser.add_subparsers(required=True, metavar="command")
    command = commands.add_parser("build", help="write a Space folder for each metric, complete and ready for `hf upload`")
    command.add_argument(
        "--output", type=Path, default=Path("build"), metavar="FOLDER", help="where to write rouge_full/ and bleu_full/ (default: build)"
    )
    command.set_defaults(run=_build_command)
    command = commands.add_parser(
        "install",
        help="make evaluate.load('rouge_full') and evaluate.load('bleu_full') work in any folder",
        description="Copy the metrics into evaluate's module cache. HF_HOME and HF_MODULES_CACHE say where that is, as for evaluate itself.",
    )
    command.set_defaults(run=_install_command)
    chosen = parser.parse_args(arguments)
    try:
        chosen.run(chosen)
    except StageError as error:
        print(f"stage.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
