"""The files of the page: app.py, the folder page, and what they import of examples.

In a Space app.py lies beside the metric in one script, so it finds there what it finds
in the repository only if that is staged with it. Imports are followed by syntax, also
those inside functions, from app.py and the modules of the folder page. What they find
in the folder examples is staged. A module of the metrics is an error, since a Space has
none.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from rouge_bleu_tools.staging.loader_rules import raise_problems
from rouge_bleu_tools.staging.sources import Module, StageError

ENTRY = "app.py"
FOLDER = "page"
SHARED = "examples"


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
    files = [root / ENTRY, *_files_of_folder(root / FOLDER)]
    to_read = [file for file in files if file.suffix == ".py"]
    problems = []
    for module in to_read:  # grows below
        for line, name in _imported_modules(Module.read(module)):
            shared = root / SHARED / f"{name.partition('.')[0]}.py"
            if shared.is_file():
                if shared not in to_read:
                    to_read.append(shared)
                    files.append(shared)
            elif not _is_in_space(name, root):
                place = f"{module.relative_to(root).as_posix()}:{line}"
                problems.append(f"{place}: imports {name}, which is not in a Space")
    raise_problems("the page imports what it will not find", problems)
    return {file.relative_to(root).as_posix(): file.read_bytes() for file in files}


def _files_of_folder(folder: Path) -> list[Path]:
    """Return all files in a folder but hidden ones and those that Python left."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return sorted(file for file in files if not _is_left_out(file.relative_to(folder)))


def _is_left_out(path: Path) -> bool:
    return any(part.startswith((".", "__pycache__")) for part in path.parts)


def _imported_modules(module: Module) -> Iterator[tuple[int, str]]:
    """Yield the line and the name of each module that a module imports."""
    for node in module.statements:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.lineno, str(node.module)
        elif isinstance(node, ast.ImportFrom):
            raise StageError(
                f"{module.file}:{node.lineno}: the page imports its modules as "
                f"`from {FOLDER}.name import ...`, not relatively"
            )


def _is_in_space(name: str, root: Path) -> bool:
    """Return whether a module is of the page or of no file of the repository."""
    package, _, rest = name.partition(".")
    if package == FOLDER:
        path = root.joinpath(FOLDER, *rest.split("."))
        return path.is_dir() or path.with_suffix(".py").is_file()
    return not (root / f"{package}.py").is_file() and not any(
        (root / package).glob("*.py")
    )
