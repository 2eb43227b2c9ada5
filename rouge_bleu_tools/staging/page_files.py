"""The files of the page: app.py, the room `page`, and what they import of the commands.

In a Space app.py lies beside the metric in one script, so it finds there what it finds
in the repository only if that is staged with it. Imports are followed by syntax, also
those inside functions, from app.py and the modules of the page. The modules of the
commands that they find are staged, with the `__init__` of each folder. Any other module
of the repository is an error, since a Space has none.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from rouge_bleu_tools.staging.loader_rules import raise_problems
from rouge_bleu_tools.staging.sources import Module, StageError

ENTRY = "app.py"
TOOLS = "rouge_bleu_tools"
PAGE = f"{TOOLS}.app"
COMMANDS = f"{TOOLS}.commands"


def page_files(root: Path) -> dict[str, bytes]:
    """Return the content of each file by its path below the root.

    Raises
    ------
    StageError
        There is no app.py, or a module imports what a Space does not have; the message
        lists all such imports.
    """
    if not (root / ENTRY).is_file():
        raise StageError(f"{root / ENTRY} is missing: the Spaces need it")
    files = [root / ENTRY, *_files_of_folder(_path(root, PAGE))]
    problems = []
    for file in files:  # grows
        if file.suffix != ".py":
            continue
        module = Module.read(file, root)
        for line, name in _modules_of_repository(module, root):
            staged = _staged_files(name, root)
            files += [one for one in staged if one not in files]
            if not staged:
                problems.append(f"{module.file}:{line}: imports {name}, which is not in a Space")
    raise_problems("the page imports what it will not find", problems)
    return {file.relative_to(root).as_posix(): file.read_bytes() for file in files}


def _files_of_folder(folder: Path) -> list[Path]:
    """Return all files in a folder but hidden ones and those that Python left."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return sorted(file for file in files if not _is_left_out(file.relative_to(folder)))


def _is_left_out(path: Path) -> bool:
    return any(part.startswith((".", "__pycache__")) for part in path.parts)


def _modules_of_repository(module: Module, root: Path) -> Iterator[tuple[int, str]]:
    """Yield the line and the name of each module of the repository that one imports."""
    for node in module.all_imports:
        if isinstance(node, ast.ImportFrom) and node.level:
            raise StageError(
                f"{module.file}:{node.lineno}: the page imports its modules as "
                f"`from {PAGE}.name import ...`, not relatively"
            )
        names = [alias.name for alias in node.names]
        if isinstance(node, ast.ImportFrom):
            inside = [f"{node.module}.{name}" for name in names]
            modules = [name for name in inside if _file_of_module(name, root)]
            names = [str(node.module), *modules]
        for name in names:
            if name.partition(".")[0] == "rouge_bleu":
                continue
            package = _path(root, name.partition(".")[0])
            if package.with_suffix(".py").is_file() or any(package.glob("*.py")):
                yield node.lineno, name


def _staged_files(name: str, root: Path) -> list[Path]:
    """Return the file of a module and those of the packages around it.

    There is none if the module is not there, or is not for Spaces.
    """
    if not f"{name}.".startswith((f"{PAGE}.", f"{COMMANDS}.")):
        return []
    parts = name.split(".")
    around = [".".join(parts[:n]) for n in range(1, len(parts))]
    file = _file_of_module(name, root)
    packages = (_path(root, package) / "__init__.py" for package in around)
    return [*packages, file] if file else []


def _file_of_module(name: str, root: Path) -> Path | None:
    path = _path(root, name)
    files = (path.with_suffix(".py"), path / "__init__.py")
    return next((file for file in files if file.is_file()), None)


def _path(root: Path, name: str) -> Path:
    return root.joinpath(*name.split("."))
