"""Command lines and signatures of other packages -> options, including the preset.

    mteval-v13a.pl -c --international-tokenization -e --brevity-penalty NAME --no-smoothing
    multi-bleu.perl -lc, multi-bleu-detok.perl -lc
    nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.0.0       sacreBLEU since 2.0, or in short
    BLEU+case.mixed+lang.en-de+numrefs.1+smooth.exp+tok.13a+version.1.4.2      before 2.0

Scores are those of sacreBLEU since 2.2; of older releases only the tokenizer "intl" is followed.
"""

from __future__ import annotations

import re
import shlex
from pathlib import PurePath
from typing import Any

from ..messages import warn_caller
from ..options import close_name
from ..text.mteval import INTL_BEFORE_2

# --- command lines of Perl scripts ------------------------------------------------------

_MTEVAL_FLAGS = ("-b", "-c", "-e", "--international-tokenization", "--no-smoothing")


def perl_options(text: str) -> dict[str, Any] | None:
    """Return the options of a command line, or None if it calls neither script.

    >>> perl_options("multi-bleu.perl -lc ref < hyp")
    {'preset': 'multi-bleu.perl', 'lowercase': True}
    """
    try:
        words = shlex.split(text)
    except ValueError:
        return None
    words = words[1:] if words[:1] == ["perl"] else words
    script = PurePath(words[0]).name if words else ""
    if script in ("mteval-v13a.pl", "mteval-v14.pl"):
        return _mteval_options(script, words[1:])
    if script in ("multi-bleu.perl", "multi-bleu-detok.perl"):
        flags = [word for word in words[1:] if word.startswith("-")]
        _check_flags(script, flags, ("-lc",))
        preset = script if script == "multi-bleu.perl" else None
        return {"preset": preset, **({"lowercase": True} if flags else {})}
    return None


def _mteval_options(script: str, words: list[str]) -> dict[str, Any]:
    options: dict[str, Any] = {"preset": "mteval-v13a.pl", "lowercase": True}
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
    _check_flags(script, flags, _MTEVAL_FLAGS)
    if "--no-smoothing" in flags:
        options["smoothing"] = "none"
    if "-c" in flags:
        options["lowercase"] = False
    if "--international-tokenization" in flags:
        options["tokenizer"] = "intl-entities-e" if "-e" in flags else "intl-entities"
    elif "-e" in flags:
        raise ValueError(f"-e of {script} needs --international-tokenization")
    return options


def _check_flags(script: str, flags: list[str], known: tuple[str, ...]) -> None:
    if unknown := [flag for flag in flags if flag not in known]:
        raise ValueError(f"unknown flag {unknown[0]!r} of {script}")


# --- signatures of sacreBLEU ------------------------------------------------------------

_NAMES = {
    **{"\x23": "nrefs", "c": "case", "e": "eff", "s": "smooth", "v": "version"},
    **{"t": "test", "l": "lang", "S": "subset", "o": "origlang", "rs": "seed"},
    "numrefs": "nrefs",
}
_LONGEST_LINE = 1_000  # sacreBLEU's have some 200 characters
_WITHOUT_EFFECT = ("nrefs", "version", "test", "lang", "subset", "origlang")
_REQUIRED = ("case", "eff", "tok", "smooth")  # of each line since 2.0
_OPTIONS: dict[tuple[str, str], dict[str, Any]] = {
    ("case", "mixed"): {"lowercase": False},
    ("case", "lc"): {"lowercase": True},
    ("eff", "yes"): {"effective_order": True},
    ("eff", "no"): {"effective_order": False},
    ("smooth", "exp"): {"smoothing": "exp"},
    ("smooth", "none"): {"smoothing": "none"},
    ("seed", "none"): {},
}
_SMOOTHING_WITH_VALUE = re.compile(r"(floor|add-k|add-n)(?:\[([0-9.]+)\])?")


def _parts_of_sacrebleu(text: str) -> tuple[dict[str, str], bool] | None:
    """Return the parts of a signature and whether it is older than 2.0, or None."""
    if len(text) > _LONGEST_LINE:
        return None
    line = re.sub(r"\s*\|\s*", "|", text.strip().partition(" = ")[0])  # as copied from a PDF
    is_before_2 = bool(re.fullmatch(r"BLEU\+\S+\+v(ersion)?\.\S+", line))
    if is_before_2:
        parts = [part.partition(".")[::2] for part in line.split("+")[1:]]
    elif re.fullmatch(r"(BLEU\|)?(nrefs|\x23):[^|]+\|.*", line):
        parts = [part.partition(":")[::2] for part in line.removeprefix("BLEU|").split("|")]
    else:
        return None
    return {_NAMES.get(name, name): value for name, value in parts}, is_before_2


def sacrebleu_options(text: str) -> dict[str, Any] | None:
    """Return the options of a signature, or None for any other text.

    An unknown or missing part raises a ValueError: a truncated line would give a different score.
    """
    found = _parts_of_sacrebleu(text)
    if found is None:
        return None
    parts, is_before_2 = found
    options: dict[str, Any] = {"preset": "sacrebleu"}
    for name, value in parts.items():
        if name not in _WITHOUT_EFFECT:
            options |= _options_of_part(name, value)
    missing = [name for name in _REQUIRED if name not in parts]
    if missing and not is_before_2:
        raise ValueError(
            f"this signature of sacreBLEU has no {' and no '.join(missing)}: pass the "
            "whole line, or preset='sacrebleu' and options"
        )
    if is_before_2 and options.get("tokenizer") == "intl":
        options["tokenizer"] = INTL_BEFORE_2
    return options


def _options_of_part(name: str, value: str) -> dict[str, Any]:
    if (name, value) in _OPTIONS:
        return _OPTIONS[name, value]
    if name == "tok" and value:
        # The names of Japanese and Korean tokenizers are followed by versions.
        return {"tokenizer": re.sub(r"^(ja-mecab|ko-mecab)-.*", r"\1", value)}
    if name == "smooth" and (match := _SMOOTHING_WITH_VALUE.fullmatch(value)):
        smoothing = match[1].replace("add-n", "add-k")
        if match[2] is None:
            raise ValueError(
                f"this signature of sacreBLEU does not have the value of smooth.{smoothing}: pass "
                f"preset='sacrebleu', smoothing={smoothing!r}, smoothing_value=..."
            )
        return {"smoothing": smoothing, "smoothing_value": float(match[2])}
    if name in ("bs", "ar", "seed") and value.isdecimal():
        options = {"seed" if name == "seed" else "n_resamples": int(value)}
        return {"confidence_level": 0.95, **options} if name == "bs" else options
    known = (*_REQUIRED, "bs", "ar", "seed", *_WITHOUT_EFFECT)
    close = None if name in known else close_name(name, known)
    raise ValueError(
        f"unknown part {name!r} with value {value!r} in a signature of sacreBLEU"
        + (f". Did you mean {close!r}?" if close else "")
    )


def warn_of_references(preset: str, most_references: int) -> None:
    """Warn if a signature as preset has a different number of references from the data."""
    found = _parts_of_sacrebleu(preset)
    said = found[0].get("nrefs", "") if found else ""
    if said.isdecimal() and int(said) != most_references:  # "var" is any number
        warn_caller(
            f"The signature has nrefs:{said}, but the examples have a different number of "
            "references."
        )
