"""The command line of `stage.py`."""

from __future__ import annotations

import argparse
import sys
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path

from rouge_bleu_tools.installed import root_of_scripts
from rouge_bleu_tools.staging import module_cache, spaces
from rouge_bleu_tools.staging.sources import StageError

ROOT = Path(__file__).resolve().parents[2]


def build(output: Path, root: Path = ROOT) -> list[Path]:
    """Write a Space folder for each metric of the repository; see `spaces.build`."""
    return spaces.build(output, root)


def install(evaluate_modules: Path, root: Path = ROOT) -> list[Path]:
    """Install each metric of a clone or of a wheel; see `module_cache.install`."""
    with root_of_scripts(root) as folder:
        return module_cache.install(evaluate_modules, folder)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status; what goes wrong is said on stderr."""
    chosen = _parser().parse_args(arguments)
    try:
        chosen.run(chosen)
    except StageError as error:
        return _failed(str(error))
    except OSError as error:
        place = "" if error.filename is None else f": {error.filename}"
        return _failed(f"{error.strerror or error}{place}")
    return 0


def _failed(message: str) -> int:
    print(f"stage.py: {message}", file=sys.stderr)
    return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="stage.py",
        description="Stage the metrics for the Hub, or install them on this machine.",
    )
    commands = parser.add_subparsers(required=True, metavar="command")
    command = commands.add_parser(
        "build", help="write a Space folder for each metric, complete and ready for `hf upload`"
    )
    command.add_argument(
        "--output",
        type=Path,
        default=Path("build"),
        metavar="FOLDER",
        help="where to write rouge_full/ and bleu_full/ (default: build)",
    )
    command.set_defaults(run=_run_build)
    command = commands.add_parser(
        "install",
        help="make evaluate.load('rouge_full') and evaluate.load('bleu_full') work in any folder",
        description="Copy the metrics into evaluate's module cache. HF_HOME and "
        "HF_MODULES_CACHE say where that is, as for evaluate itself.",
    )
    command.set_defaults(run=_run_install)
    return parser


def _run_build(arguments: argparse.Namespace) -> None:
    for folder in build(arguments.output):
        print(f"{folder}: {', '.join(sorted(path.name for path in folder.iterdir()))}")
    folder = arguments.output / "rouge_full"
    print(f"To publish one: hf upload <user>/rouge_full {folder} --repo-type space")


def _run_install(arguments: argparse.Namespace) -> None:
    for line in installed_lines():
        print(line)


def installed_lines() -> Iterator[str]:
    """Install both metrics into the module cache; yield what is said of it."""
    try:
        from evaluate.loading import init_dynamic_modules
    except ImportError as error:
        raise StageError(
            f"{sys.executable} cannot import evaluate ({error}): "
            f"install it with `{sys.executable} -m pip install evaluate`, or use the "
            "Python that has it, as in `make install PYTHON=<python>`"
        ) from error
    yield from map(str, install(Path(init_dynamic_modules())))
    yield textwrap.dedent(_INSTALLED)


_INSTALLED = """
    evaluate.load("rouge_full") and evaluate.load("bleu_full") now work in any folder,
    for each Python that uses this cache. Do this again after every upgrade: evaluate keeps
    a copy of its own.
    evaluate asks the Hub for these names first, then it takes this copy and says "Using
    the latest cached version of the module". HF_EVALUATE_OFFLINE=1 skips the Hub lookup,
    EVALUATE_VERBOSITY=error hides the message. Behind a firewall that drops packets, set
    HF_EVALUATE_OFFLINE=1: a load took 303 seconds without it, and 3 with it.
    HF_HUB_OFFLINE=1 changes nothing, since evaluate does not heed it."""
