"""Command lines of the Perl scripts of machine translation.

mteval-v13a.pl, mteval-v14.pl
    -c                           keeps case; without it A to Z are lowercased
    --international-tokenization tokenizer "intl-entities"; without -c all letters are
                                 lowercased
    -e                           with it: each character beyond ASCII is a token
    --brevity-penalty NAME       closest or shortest
    --no-smoothing               no smoothing
    -b, -d N, -r, -s, -t FILE    what is printed, and files: no score depends on them
multi-bleu.perl                  the words between blanks
    -lc                          lowercases A to Z
multi-bleu-detok.perl            13a
    -lc                          lowercases; there references only after they are cut
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from pathlib import PurePath
from typing import Any

from .line import Line

_WITH_VALUE = {"-d", "-r", "-s", "-t"}


def perl_line(text: str) -> Line | None:
    """Return what a command line stands for; None: it is none of these scripts.

    A flag that is not known is a ValueError.

    >>> perl_line("multi-bleu.perl -lc ref < hyp").options
    {'lowercase': True}
    """
    try:
        words = shlex.split(text)
    except ValueError:
        return None
    if not words:
        return None
    if words[0] == "perl":
        words = words[1:]
    script = PurePath(words[0]).name if words else ""
    read = _SCRIPTS.get(script)
    return None if read is None else read(script, words[1:])


def _mteval(script: str, words: list[str]) -> Line:
    options: dict[str, Any] = {"lowercase": True}
    flags = set()
    rest = iter(words)
    for word in rest:
        if word == "--brevity-penalty":
            options["reference_length"] = _length(script, rest)
        elif word in _WITH_VALUE:
            next(rest, None)
        elif word in ("-c", "-e", "-b", "--international-tokenization", "--no-smoothing"):
            flags.add(word)
        else:
            raise _unknown(script, word)
    if "--no-smoothing" in flags:
        options["smoothing"] = "none"
    if "-c" in flags:
        options["lowercase"] = False
    if "--international-tokenization" in flags:
        options["tokenizer"] = "intl-entities"
        if "-e" in flags:
            options["tokenizer"] = "intl-entities-e"
    elif "-e" in flags:
        raise ValueError(f"-e of {script} needs --international-tokenization")
    return Line("mteval-v13a.pl", options)


def _length(script: str, rest: Iterator[str]) -> str:
    value = next(rest, "")
    if value not in ("closest", "shortest"):
        raise ValueError(
            f"--brevity-penalty of {script} must be closest or shortest, got {value!r}"
        )
    return value


def _multi_bleu(script: str, words: list[str]) -> Line:
    files = []
    options: dict[str, Any] = {}
    for word in words:
        if word == "-lc":
            options["lowercase"] = True
        elif word.startswith("-"):
            raise _unknown(script, word)
        else:
            files.append(word)
    return Line("multi-bleu.perl" if script == "multi-bleu.perl" else None, options)


def _unknown(script: str, flag: str) -> ValueError:
    return ValueError(f"{script} has no flag {flag!r} that is known here")


_SCRIPTS: dict[str, Callable[[str, list[str]], Line]] = {
    "mteval-v13a.pl": _mteval,
    "mteval-v14.pl": _mteval,
    "multi-bleu.perl": _multi_bleu,
    "multi-bleu-detok.perl": _multi_bleu,
}
