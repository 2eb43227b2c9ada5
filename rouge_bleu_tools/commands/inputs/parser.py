"""Arguments of a command, and what may be meant by those that are wrong."""

from __future__ import annotations

import argparse
import re
import sys
from difflib import get_close_matches
from typing import Any, NoReturn

from rouge_bleu_tools.commands.inputs.errors import FileError, flag_of

# Of a command line that stands behind --preset.
_SCRIPT = re.compile(r"(\.pl|\.perl|1\.5\.5)$")
_FLAG = re.compile(r"-[^-\s]\S*")

# What stands here for a flag of sacreBLEU, of ROUGE-1.5.5.pl or that is made up.
_MEANT = {
    **dict.fromkeys(("-i", "--input", "--hyp"), "FILE alone, before all options"),
    **{"--bleu": "-m bleu", "--rouge": "-m rouge"},
    **{"-c": "--confidence-level", "-s": "--smoothing", "-p": "--prediction"},
}


class OneLineParser(argparse.ArgumentParser):
    """An argument parser whose errors are those of the commands."""

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse, and say what may be meant by what is not known."""
        args = sys.argv[1:] if args is None else list(args)
        self._check_quotes(args)
        known, others = self.parse_known_args(args, namespace)
        if others:
            self.error(f"unrecognized arguments: {' '.join(others)}{self._hint(args, others)}")
        return known

    def _check_quotes(self, words: list[str]) -> None:
        """Raise where flags that are none here follow --preset, or a script behind it."""
        for place, word in enumerate(words, 1):
            if word != "--preset":
                continue
            line = words[place : place + 2]
            script = "ROUGE-1.5.5.pl"
            if line and _SCRIPT.search(line[0]):
                script, *line = line
            flag = line[0] if line else ""
            if _FLAG.fullmatch(flag) and flag[:2] not in self._option_string_actions:
                self.error(
                    f'--preset takes a command line in quotes, as in --preset "{script} {flag} ..."'
                )

    def _hint(self, words: list[str], others: list[str]) -> str:
        """Return what may be meant by the first of the arguments that are not known."""
        first, *_ = others
        options = self._option_string_actions
        if first.startswith("-"):
            return self._hint_of_flag(first.partition("=")[0])
        before = dict(zip(words[1:], words, strict=False)).get(first, "")
        is_flag = before in options and options[before].nargs == 0
        hint = f"; {before} takes no value" if is_flag else ""
        if before == "--smooth":
            return f"{hint}. Did you mean --smoothing?"
        if "--reference" in options and not (is_flag and "-r" in words):
            hint += "; references stand behind -r: FILE -r REF"
        return hint

    def _hint_of_flag(self, first: str) -> str:
        flag = flag_of(first.lstrip("-"))
        options = self._option_string_actions
        near = (_MEANT.get(first, flag), *get_close_matches(flag, options, 1))
        known_words = {"FILE" if "--reference" in options else "", *options}
        known = [one for one in near if one.split()[0] in known_words]
        return f". Did you mean {known[0]}?" if known else ""

    def error(self, message: str) -> NoReturn:
        raise FileError(f"{message} (--help shows all arguments)")
