"""`rouge-bleu`: a subcommand by its name.

Nothing is imported but the module of the subcommand that is run, so that `--help`
answers at once.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module

from rouge_bleu_tools.commands.inputs.errors import FileError, exit_status


@dataclass(frozen=True)
class _Command:
    """The module whose `main` runs a subcommand, and what it does in a line."""

    module: str
    does: str


_COMMANDS = {
    "score": _Command("commands.score.main", "score texts with ROUGE, BLEU or both"),
    "compare": _Command(
        "commands.compare.main", "compare systems: intervals, differences, p-values"
    ),
    "find-settings": _Command(
        "commands.find_settings.main", "find the settings that give reported numbers"
    ),
    "explain": _Command("commands.explain.main", "show which words of two texts match"),
    "install": _Command("hub.install", "make evaluate.load find the metrics in any folder"),
    "page": _Command("commands.page.main", "start the page for a browser, print its address"),
}

_HELP = """\
usage: rouge-bleu COMMAND ...

ROUGE and BLEU of generated texts.

{commands}

  rouge-bleu score hyp.txt -r ref.txt -m bleu -b
  rouge-bleu score out.jsonl --prediction output --reference human_1 human_2 -m rouge bleu
  rouge-bleu compare ref.txt baseline.txt new.txt
  rouge-bleu explain "the cat sat" "a cat sat"

rouge-bleu COMMAND --help says more; rouge-bleu --version names the version."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a subcommand and return its exit status.

    Parameters
    ----------
    arguments : sequence of str, optional
        Those of the command line, by default those of this process.
    """
    name, *others = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    if name in _COMMANDS:
        module = import_module(f"rouge_bleu_tools.{_COMMANDS[name].module}")
        status: int = module.main(others)
        return status
    return exit_status(lambda: _said_without_command(name))


def _said_without_command(name: str) -> str:
    if name in ("--help", "-h"):
        lines = (f"  {name:14} {one.does}" for name, one in _COMMANDS.items())
        return _HELP.format(commands="\n".join(lines))
    if name in ("--version", "-V"):
        return version_line()
    raise FileError(
        f"the command must be one of {', '.join(_COMMANDS)}, got {name!r} (--help shows all)"
    )


def version_line() -> str:
    from rouge_bleu.version import VERSION

    return f"rouge-bleu {VERSION}"
