"""Signatures of sacreBLEU, as papers print them.

    since 2.0     nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.0.0
    in short      the same with c, e, s, v, and a number sign in place of nrefs
    before        BLEU+case.mixed+lang.en-de+numrefs.1+smooth.exp+tok.13a+version.1.4.2

"BLEU|" may stand before it, and " = 27.3 ..." behind it. What data it was, and how many
references, changes no option. With bs, the number of resamples, there are intervals of
95 %; ar is the number of those of paired tests.

Scores are those of sacreBLEU since 2.2. Of older releases only the tokenizer "intl" of
those before 2.0 is followed, which took decimal digits alone for numbers. The card says
what else they do otherwise.
"""

from __future__ import annotations

import re
from typing import Any

from ...options.names_elsewhere import hint_of_choice
from .line import Line

# The name in `text/mteval.py`, which --help has no time to import.
_INTL_BEFORE_2 = "intl-1.5.1"
_NAMES = {
    **{"\x23": "nrefs", "c": "case", "e": "eff", "s": "smooth", "v": "version"},
    **{"t": "test", "l": "lang", "S": "subset", "o": "origlang", "rs": "seed"},
    "numrefs": "nrefs",
}
_WITHOUT_EFFECT = ("nrefs", "version", "test", "lang", "subset", "origlang")
_WITH_EFFECT = ("case", "eff", "tok", "smooth", "bs", "ar", "seed")
_PARTS = (*_WITH_EFFECT, *_WITHOUT_EFFECT)
_OF_ALL_SINCE_2 = ("case", "eff", "tok", "smooth")  # parts of each line, in this order
_SMOOTHING = re.compile(r"(exp|none|floor|add-k|add-n)(?:\[([0-9.]+)\])?")
_OLD_SIGNATURE = re.compile(r"BLEU\+\S+\+v(ersion)?\.\S+")
_NEW_SIGNATURE = re.compile(r"(BLEU\|)?(nrefs|\x23):[^|]+\|.*")


def sacrebleu_line(text: str) -> Line | None:
    """Return what a signature stands for; None: it is none.

    A part that is not known is a ValueError, and one that is missing too: a line that
    was cut off would stand for another score.

    >>> sacrebleu_line("nrefs:1|case:lc|eff:no|tok:intl|smooth:exp|version:2.3.1").options
    {'lowercase': True, 'effective_order': False, 'tokenizer': 'intl', 'smoothing': 'exp'}
    """
    line = re.sub(r"\s*\|\s*", "|", text.strip().partition(" = ")[0])  # as PDFs copy it
    is_before_2 = bool(_OLD_SIGNATURE.fullmatch(line))
    if is_before_2:
        parts = [part.partition(".") for part in line.split("+")[1:]]
    elif _NEW_SIGNATURE.fullmatch(line):
        texts = line.removeprefix("BLEU|").split("|")
        parts = [part.partition(":") for part in texts]
    else:
        return None
    options: dict[str, Any] = {}
    n_references = None
    for short_name, _, value in parts:
        name = _NAMES.get(short_name, short_name)
        if name not in _WITHOUT_EFFECT:
            options |= _option(name, value)
        if name == "nrefs" and value.isdecimal():  # else it is var
            n_references = int(value)
    if not is_before_2:
        _check_is_whole({_NAMES.get(name, name) for name, *_ in parts})
    elif options.get("tokenizer") == "intl":
        options["tokenizer"] = _INTL_BEFORE_2
    return Line("sacrebleu", options, n_references)


def of_other_references(preset: str, most_references: int) -> str | None:
    """Return that a signature as preset is of another number of references, if it is.

    sacreBLEU counts the empty ones of an item too, so the most of an item counts here.
    """
    line = sacrebleu_line(preset)
    if line is None or line.n_references in (None, most_references):
        return None
    return (
        f"the signature says nrefs:{line.n_references}, and items here have up to {most_references}"
    )


def _check_is_whole(names: set[str]) -> None:
    if missing := [name for name in _OF_ALL_SINCE_2 if name not in names]:
        raise ValueError(
            f"this signature of sacreBLEU has no {' and no '.join(missing)}: give the "
            "whole line, or preset='sacrebleu' and options"
        )


def _option(name: str, value: str) -> dict[str, Any]:
    if name == "case" and value in ("mixed", "lc"):
        return {"lowercase": value == "lc"}
    if name == "eff" and value in ("yes", "no"):
        return {"effective_order": value == "yes"}
    if name == "tok" and value:
        return {"tokenizer": _tokenizer(value)}
    if name == "smooth" and (match := _SMOOTHING.fullmatch(value)):
        return _smoothing(match[1], match[2])
    if name in ("bs", "ar") and value.isdecimal():
        resamples = {"n_resamples": int(value)}
        return {"confidence_level": 0.95, **resamples} if name == "bs" else resamples
    if name == "seed" and (value.isdecimal() or value == "none"):
        return {"seed": int(value)} if value.isdecimal() else {}
    with_value = f" with {value!r}" if name in _WITH_EFFECT else ""
    hint = "" if with_value else hint_of_choice("part", name, _PARTS)
    raise ValueError(
        f"a signature of sacreBLEU must not have the part {name!r}{with_value}, which is "
        f"not known here{hint}"
    )


def _tokenizer(value: str) -> str:
    """Return the name; those of Japanese and Korean have versions behind it."""
    for name in ("ja-mecab", "ko-mecab"):
        if value.startswith(f"{name}-"):
            return name
    return value


def _smoothing(name: str, value: str | None) -> dict[str, Any]:
    name = "add-k" if name == "add-n" else name
    if name in ("exp", "none"):
        return {"smoothing": name}
    if value is None:
        raise ValueError(
            f"this signature of sacreBLEU does not say the value of smooth.{name}: give "
            f"preset='sacrebleu', smoothing={name!r}, smoothing_value=..."
        )
    return {"smoothing": name, "smoothing_value": float(value)}
