"""Lines of other programs that say how they score -> a preset and options beside it.

    mteval-v13a.pl, mteval-v14.pl
        -c                           keeps case; without it A to Z are lowercased
        --international-tokenization tokenizer "intl-entities"; without -c all letters are lowercased
        -e                           with it: each character beyond ASCII is a token
        --brevity-penalty NAME       closest or shortest
        --no-smoothing               no smoothing
        -b, -d N, -r, -s, -t FILE    without influence on scores
    multi-bleu.perl, multi-bleu-detok.perl
        -lc                          lowercases
    signatures of sacreBLEU
        nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.0.0       since 2.0; "BLEU|" may precede
        the same in short, with c, e, s, v, and a number sign instead of nrefs
        BLEU+case.mixed+lang.en-de+numrefs.1+smooth.exp+tok.13a+version.1.4.2      before 2.0

Scores are those of sacreBLEU since 2.2. Of older releases only the tokenizer "intl" is followed, for
which only decimal digits were numbers before 2.0.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from ..options import close_name


@dataclass(frozen=True)
class OtherLine:
    """A preset, and options beside those of it."""

    preset: str | None
    options: Mapping[str, Any]
    n_references: int | None = None  # that the line has, which is no option


# --- command lines of Perl scripts ------------------------------------------------------


def perl_line(text: str) -> OtherLine | None:
    """Return what a command line stands for, or None where it is of another program.

    >>> perl_line("multi-bleu.perl -lc ref < hyp").options
    {'lowercase': True}
    """
    try:
        words = shlex.split(text)
    except ValueError:
        return None
    words = words[1:] if words[:1] == ["perl"] else words
    script = PurePath(words[0]).name if words else ""
    if script in ("mteval-v13a.pl", "mteval-v14.pl"):
        return OtherLine("mteval-v13a.pl", _mteval_options(script, words[1:]))
    if script in ("multi-bleu.perl", "multi-bleu-detok.perl"):
        flags = [word for word in words[1:] if word.startswith("-")]
        _check_flags(script, flags, {"-lc"})
        preset = script if script == "multi-bleu.perl" else None
        return OtherLine(preset, {"lowercase": True} if flags else {})
    return None


def _mteval_options(script: str, words: list[str]) -> dict[str, Any]:
    options: dict[str, Any] = {"lowercase": True}
    flags, rest = [], iter(words)
    for word in rest:
        if word == "--brevity-penalty":
            value = next(rest, "")
            if value not in ("closest", "shortest"):
                raise ValueError(f"{word} of {script} must be closest or shortest, got {value!r}")
            options["reference_length"] = value
        elif word in ("-d", "-r", "-s", "-t"):
            next(rest, None)
        else:
            flags.append(word)
    _check_flags(
        script, flags, {"-b", "-c", "-e", "--international-tokenization", "--no-smoothing"}
    )
    if "--no-smoothing" in flags:
        options["smoothing"] = "none"
    if "-c" in flags:
        options["lowercase"] = False
    if "--international-tokenization" in flags:
        options["tokenizer"] = "intl-entities-e" if "-e" in flags else "intl-entities"
    elif "-e" in flags:
        raise ValueError(f"-e of {script} needs --international-tokenization")
    return options


def _check_flags(script: str, flags: list[str], known: set[str]) -> None:
    for flag in flags:
        if flag not in known:
            raise ValueError(f"{script} has no flag {flag!r} that is known here")


# --- signatures of sacreBLEU ------------------------------------------------------------

_INTL_BEFORE_2 = "intl-1.5.1"  # the name in `text/fields/international.py`
_NAMES = {
    **{"\x23": "nrefs", "c": "case", "e": "eff", "s": "smooth", "v": "version"},
    **{"t": "test", "l": "lang", "S": "subset", "o": "origlang", "rs": "seed"},
    "numrefs": "nrefs",
}
_WITHOUT_EFFECT = ("nrefs", "version", "test", "lang", "subset", "origlang")
_REQUIRED = ("case", "eff", "tok", "smooth")  # of each line since 2.0
_WITH_EFFECT = (*_REQUIRED, "bs", "ar", "seed")
_SMOOTHING = re.compile(r"(exp|none|floor|add-k|add-n)(?:\[([0-9.]+)\])?")
_OLD_SIGNATURE = re.compile(r"BLEU\+\S+\+v(ersion)?\.\S+")
_NEW_SIGNATURE = re.compile(r"(BLEU\|)?(nrefs|\x23):[^|]+\|.*")


def sacrebleu_line(text: str) -> OtherLine | None:
    """Return what a signature stands for, or None where it is none.

    A part that is unknown or missing is a ValueError: a line that was cut off would stand for
    another score.

    >>> sacrebleu_line("nrefs:1|case:lc|eff:no|tok:intl|smooth:exp|version:2.3.1").options
    {'lowercase': True, 'effective_order': False, 'tokenizer': 'intl', 'smoothing': 'exp'}
    """
    line = re.sub(r"\s*\|\s*", "|", text.strip().partition(" = ")[0])  # as PDFs copy it
    is_before_2 = bool(_OLD_SIGNATURE.fullmatch(line))
    if is_before_2:
        parts = [part.partition(".")[::2] for part in line.split("+")[1:]]
    elif _NEW_SIGNATURE.fullmatch(line):
        parts = [part.partition(":")[::2] for part in line.removeprefix("BLEU|").split("|")]
    else:
        return None
    value_of = {_NAMES.get(name, name): value for name, value in parts}
    options: dict[str, Any] = {}
    for name, value in value_of.items():
        if name not in _WITHOUT_EFFECT:
            options |= _sacrebleu_option(name, value)
    if not is_before_2:
        if missing := [name for name in _REQUIRED if name not in value_of]:
            raise ValueError(
                f"this signature of sacreBLEU has no {' and no '.join(missing)}: give the "
                "whole line, or preset='sacrebleu' and options"
            )
    elif options.get("tokenizer") == "intl":
        options["tokenizer"] = _INTL_BEFORE_2
    n_references = value_of.get("nrefs", "")  # or "var"
    return OtherLine("sacrebleu", options, int(n_references) if n_references.isdecimal() else None)


def warning_of_references(preset: str, most_references: int) -> str | None:
    """Return that a signature as preset has another number of references than the data, or None.

    sacreBLEU counts the empty ones of an example too, so the most of an example counts here.
    """
    line = sacrebleu_line(preset)
    if line is None or line.n_references in (None, most_references):
        return None
    return (
        f"the signature says nrefs:{line.n_references}, and the examples here have another number "
        "of references"
    )


def _sacrebleu_option(name: str, value: str) -> dict[str, Any]:
    if name == "case" and value in ("mixed", "lc"):
        return {"lowercase": value == "lc"}
    if name == "eff" and value in ("yes", "no"):
        return {"effective_order": value == "yes"}
    if name == "tok" and value:
        # The names of Japanese and Korean tokenizers are followed by versions.
        return {"tokenizer": re.sub(r"^(ja-mecab|ko-mecab)-.*", r"\1", value)}
    if name == "smooth" and (match := _SMOOTHING.fullmatch(value)):
        smoothing = match[1].replace("add-n", "add-k")
        if smoothing in ("exp", "none"):
            return {"smoothing": smoothing}
        if match[2] is None:
            raise ValueError(
                f"this signature of sacreBLEU does not have the value of smooth.{smoothing}: give "
                f"preset='sacrebleu', smoothing={smoothing!r}, smoothing_value=..."
            )
        return {"smoothing": smoothing, "smoothing_value": float(match[2])}
    if name in ("bs", "ar") and value.isdecimal():
        resamples = {"n_resamples": int(value)}
        return {"confidence_level": 0.95, **resamples} if name == "bs" else resamples
    if name == "seed" and (value.isdecimal() or value == "none"):
        return {"seed": int(value)} if value.isdecimal() else {}
    known = (*_WITH_EFFECT, *_WITHOUT_EFFECT)
    close = None if name in known else close_name(name, known)
    raise ValueError(
        f"a signature of sacreBLEU must not have the part {name!r} with {value!r}, which is not "
        "known here" + (f". Did you mean {close!r}?" if close else "")
    )
