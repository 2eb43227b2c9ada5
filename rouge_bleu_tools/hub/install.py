"""Copy both metrics into the module cache of `evaluate`, which finds them there by name.

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
from .bundle import METRICS, ROOT, metric_files, write_files


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
_BEGINNING = "Copying rouge_full and bleu_full into the module cache of evaluate ..."
_END = """
evaluate.load("rouge_full") and evaluate.load("bleu_full") now work in any folder. Run this command
again after every upgrade.

evaluate asks the Hub first, then takes the copy and prints "Using the latest cached version of the
module". HF_EVALUATE_OFFLINE=1 skips the Hub, and EVALUATE_VERBOSITY=error hides the message. Set
HF_EVALUATE_OFFLINE=1 behind a firewall that drops packets: the Hub takes 5 minutes to fail there."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `rouge-bleu install` and return its exit status."""
    return exit_status(lambda: _run(arguments))


def _run(arguments: Sequence[str] | None) -> str:
    Parser("install", _DESCRIPTION).parse_args(arguments)
    print(_BEGINNING, flush=True)  # evaluate takes seconds to import
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
