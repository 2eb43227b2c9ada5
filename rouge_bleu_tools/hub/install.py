"""The files by which `evaluate` loads a metric, and their copy in its module cache.

`evaluate` copies one file for the line `from .rouge_bleu import ...` of a script from the Hub. That
file holds the text of each module and an import hook that compiles a module when it is imported.

`evaluate` asks the Hub for a name without a slash, then takes the copy with the newest script:

    <modules>/metrics/evaluate-metric--rouge_full/<64 hexadecimal digits>/rouge_full.py
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from ..cli.inputs import CommandError, Parser, exit_status

METRICS = ("rouge_full", "bleu_full")
ROOT = Path(__file__).resolve().parents[2]  # a clone, or the folder in which pip installs
BUNDLE = "rouge_bleu.py"
SCRIPTS = "scripts"  # the folder of the installed package in which a wheel has the scripts

HEAD = '''\
"""The package rouge_bleu in one file, written by `python -m rouge_bleu_tools.hub`.

Change its modules in their repository, not here. Each module is below as it is there, and is
compiled at its own lines when it is first imported, so tracebacks show lines of this file.
"""

import sys
from importlib.abc import Loader, MetaPathFinder
from importlib.util import spec_from_loader

_SOURCES = {}  # name below the package: (line of the text, text, whether it is a package)


class _Bundle(MetaPathFinder, Loader):
    def find_spec(self, fullname, path=None, target=None):
        package, _, name = fullname.partition(__name__ + ".")
        if package or name not in _SOURCES:
            return None
        return spec_from_loader(fullname, self, origin=__file__, is_package=_SOURCES[name][2])

    def exec_module(self, module):
        module.__file__ = __file__
        self.run(module.__name__.removeprefix(__name__ + "."), vars(module))

    def run(self, name, namespace):
        line, text, _ = _SOURCES[name]
        code = compile("\\n" * (line - 1) + text, __file__, "exec")
        exec(code, namespace)


__path__ = []
sys.meta_path.append(_Bundle())
'''
_TAIL = '\n\n_Bundle().run("", globals())\n'


def bundle(package: Path) -> str:
    """Return the source of one module that is a package with all its modules."""
    text, digest = HEAD, hashlib.sha256()
    for file in sorted(package.rglob("*.py")):
        path = file.relative_to(package)
        if path.parts[0] == SCRIPTS:
            continue
        source = file.read_text(encoding="utf-8")
        if "'''" in source or not f"\n{source}".endswith("\n"):
            raise ValueError(f"{file} must end with a newline and must not contain '''")
        digest.update(f"{path.as_posix()}\n{source}\n".encode())
        is_package = path.name == "__init__.py"
        name = ".".join(path.parent.parts if is_package else path.with_suffix("").parts)
        text += f"\n# {'-' * 10} {package.name}/{path.as_posix()} {'-' * 10}\n"
        line = text.count("\n") + 1
        text += f"_SOURCES[{name!r}] = {line}, r'''\n{source}''', {is_package}\n"
    # The hash that evaluate makes of this file leaves out what follows a "#", also in strings.
    return f'{text}\n_DIGEST = "{digest.hexdigest()}"{_TAIL}'


def metric_files(name: str, root: Path = ROOT) -> dict[str, bytes]:
    """Return the files by which `evaluate` loads a metric."""
    package = root / "rouge_bleu"
    scripts = package / SCRIPTS if (package / SCRIPTS).is_dir() else root
    script = scripts / f"{name}.py"
    return {script.name: script.read_bytes(), BUNDLE: bundle(package).encode()}


def write_files(folder: Path, files: dict[str, bytes]) -> None:
    """Write the content of each file at its path below a folder."""
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


def install(evaluate_modules: Path, root: Path = ROOT) -> list[Path]:
    """Copy each metric into the folder that `evaluate.loading.init_dynamic_modules()` returns."""
    copies = []
    for name in METRICS:
        files = {"__init__.py": b"", **metric_files(name, root)}
        folder = evaluate_modules / "metrics" / f"evaluate-metric--{name}"
        folder.mkdir(parents=True, exist_ok=True)
        for package in (evaluate_modules, folder.parent, folder):
            (package / "__init__.py").touch()
        copy = folder / hashlib.sha256(b"".join(files.values())).hexdigest()
        _write_copy(copy, files)
        os.utime(copy / f"{name}.py")
        copies.append(copy)
    return copies


def _write_copy(copy: Path, files: dict[str, bytes]) -> None:
    """Write a copy under another name first, so that no process loads half of it."""
    unfinished = copy.with_name(f"unfinished-{os.getpid()}")
    try:
        write_files(unfinished, files)
        try:
            unfinished.rename(copy)
        except OSError:  # there is a copy, which somebody may have edited
            for name in files:
                (unfinished / name).replace(copy / name)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


_DESCRIPTION = """\
Copy both metrics into the module cache of evaluate, so that evaluate.load("rouge_full") and
evaluate.load("bleu_full") work in any folder. HF_HOME and HF_MODULES_CACHE choose the cache, as
for evaluate itself."""
_END = """
evaluate.load("rouge_full") and evaluate.load("bleu_full") now work in any folder. Run this command
again after every upgrade.

evaluate asks the Hub first, then takes the copy and prints "Using the latest cached version of the
module". HF_EVALUATE_OFFLINE=1 skips the Hub, and EVALUATE_VERBOSITY=error hides the message. If a
firewall drops packets, the request to the Hub takes 5 minutes; set HF_EVALUATE_OFFLINE=1."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `rouge-bleu install` and return its exit status."""
    return exit_status(lambda: _run(arguments))


def _run(arguments: Sequence[str] | None) -> str:
    Parser("install", _DESCRIPTION).parse_args(arguments)
    # Importing evaluate takes seconds.
    print("Copying rouge_full and bleu_full into the module cache of evaluate ...", flush=True)
    try:
        from evaluate.loading import init_dynamic_modules

        copies = install(Path(init_dynamic_modules()))
    except ImportError as error:
        raise CommandError(
            f"{sys.executable} cannot import evaluate ({error}): pip install evaluate"
        ) from error
    except (OSError, ValueError) as error:
        raise CommandError(str(error)) from error
    return "\n".join([*map(str, copies), _END])
