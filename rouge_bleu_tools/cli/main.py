"""`rouge-bleu`: run a subcommand by its name, and import its module only."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Sequence
from importlib import import_module

from .inputs import CommandError, exit_status

_COMMANDS = {  # name: (module, its purpose)
    "score": ("cli.score", "score texts with ROUGE, BLEU or both"),
    "compare": ("cli.compare", "compare systems: scores, intervals, p-values"),
    "check": ("cli.check", "find mistakes in texts, such as special tokens"),
    "find-settings": ("cli.find_settings", "find the settings behind reported scores"),
    "explain": ("cli.explain", "show which words of two texts match"),
    "sample": ("cli.sample", "write sample files into a folder"),
    "install": ("hub.install", "register both metrics with evaluate.load"),
    "options": ("cli.options", "explain all options and their values"),
    "page": ("cli.page", "start the page in a browser"),
}

_HELP = f"""\
usage: rouge-bleu COMMAND ...

ROUGE and BLEU of generated texts.

{chr(10).join(f"  {name:14} {does}" for name, (_, does) in _COMMANDS.items())}

examples:
  rouge-bleu score hyp.txt -r ref.txt -m bleu -b
  rouge-bleu score out.jsonl --prediction output --reference human_1 human_2 -m rouge bleu
  rouge-bleu compare baseline.txt new.txt -r ref.txt
  rouge-bleu explain "the cat sat" "a cat sat"

rouge-bleu COMMAND --help shows the arguments; rouge-bleu --version shows the version.
Long runs show their progress on standard error; 2>/dev/null hides it."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a subcommand and return its exit status."""
    name, *others = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    if name == "help":
        name, *others = [*others[:1], "--help"]
    if name not in _COMMANDS:
        return exit_status(lambda: _answer(name))
    module = import_module(f"rouge_bleu_tools.{_COMMANDS[name][0]}")
    if name == "install":  # also `python -m rouge_bleu_tools.hub install`
        status: int = module.main(others)
        return status
    keep = "\n\t\x1b" if name == "explain" else "\n\t"  # its texts have no escapes left
    names_check = name in ("score", "compare")
    return exit_status(lambda: module.run(others), keep, names_check)


def _answer(name: str) -> str:
    if name in ("--help", "-h"):
        return _HELP
    if name in ("--version", "-V", "version"):
        from rouge_bleu import __version__

        return f"rouge-bleu {__version__}"
    close = difflib.get_close_matches(name, _COMMANDS, 1)
    hint = f". Did you mean {close[0]!r}?" if close else ""
    raise CommandError(f"the command must be one of {', '.join(_COMMANDS)}, got {name!r}{hint}")
