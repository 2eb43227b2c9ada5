"""Command lines of ROUGE-1.5.5.pl, as papers and wrappers print them -> options.

    ROUGE-1.5.5.pl -n 2 -2 4 -u -m -c 95 -r 1000 -f A -p 0.5 -t 0 -a

Words are parsed as the script parses them, but an invalid value raises an error.
"""

from __future__ import annotations

import getopt
import math
import re
from collections.abc import Callable
from typing import Any

from ...kernels.ngrams import MAX_ORDER
from ...resampling import MAX_RESAMPLES
from ...rouge_types.weighted_lcs import MAX_WEIGHT
from ...text.stemming import plain_rouge155_stemmer
from .. import words_of_command

_SCRIPT_NAME = re.compile(r".*?ROUGE-1\.5\.5(?P<pl>\.pl)?", re.IGNORECASE)
_INTEGER = re.compile(r"[-+]?[0-9]{1,15}")
_NUMBER = re.compile(r"[-+]?([0-9]{1,15}(\.[0-9]{0,15})?|\.[0-9]{1,15})")
_MAX_VALUE = 2**31 - 1

_FLAGS, _VALUED = "xuUmsadv", "nw2fptlbcrez"
_REFUSED = {
    "3": "needs Basic Elements, which are not available",
    "M": "stems only references, which is not available: -m stems both",
    **dict.fromkeys("hH", "prints its usage and no scores"),
}
# The form of a value, its range in words, and whether a number is in that range.
_LIMIT = (_INTEGER, f"an integer from 0, at most {_MAX_VALUE}", lambda x: 0 <= x <= _MAX_VALUE)
_RANGES: dict[str, tuple[re.Pattern[str], str, Callable[[float], bool]]] = {
    "n": (_INTEGER, f"an integer, at most {MAX_ORDER}", lambda x: x <= MAX_ORDER),
    "2": (_INTEGER, f"an integer, at most {_MAX_VALUE}", lambda x: x <= _MAX_VALUE),
    **{"l": _LIMIT, "b": _LIMIT},
    "r": (
        _INTEGER,
        f"an integer from 1, at most {MAX_RESAMPLES}",
        lambda x: 0 < x <= MAX_RESAMPLES,
    ),
    "w": (_NUMBER, f"a number above 0, at most {MAX_WEIGHT}", lambda x: 0 < x <= MAX_WEIGHT),
    "p": (_NUMBER, "a number from 0 to 1", lambda x: 0 <= x <= 1),
    "c": (_NUMBER, "a number above 0 and below 100", lambda x: 0 < x < 100),
    "t": (_INTEGER, "0, 1 or 2", lambda x: x in (0, 1, 2)),
}
# The option of this package, and its value for a text.
_OPTIONS: dict[str, tuple[str, Callable[[str], Any]]] = {
    "f": ("multi_reference", lambda text: "best" if text == "B" else "pooled"),  # as the script
    "p": ("beta", lambda text: math.sqrt(1 / float(text) - 1) if float(text) else math.inf),
    "t": ("corpus_average", lambda text: ("documents", "tokens", "counts")[int(text)]),
    "l": ("max_words", lambda text: int(text) or None),  # 0 is no limit
    "b": ("max_bytes", lambda text: int(text) or None),
    "c": ("confidence_level", lambda text: float(f"{text}e-2")),
    "r": ("n_resamples", int),
    "m": ("stemmer", lambda text: plain_rouge155_stemmer()),
}


def options_of_rouge155_command(text: str) -> tuple[dict[str, Any], bool] | None:
    """Return the options of a command line and whether it has -s; None for any other text.

    They are added to those of preset "rouge-1.5.5". A command line has an option or the name
    of the script. An invalid command line raises a ValueError.

    >>> options_of_rouge155_command("ROUGE-1.5.5.pl -n 2 -f B -a")[0]
    {'rouge_types': ('rouge1', 'rouge2', 'rougeL'), 'confidence_level': 0.95, 'multi_reference': 'best'}
    """
    try:
        words = words_of_command(text)
    except ValueError:
        if not _SCRIPT_NAME.match(text):
            return None
        raise ValueError(f"preset: a quotation mark is missing in {text!r}") from None
    script = _SCRIPT_NAME.fullmatch(words[0]) if words else None
    if not any(map(_is_option, words)) and not (script and (script["pl"] or len(words) > 1)):
        return None
    if script is None:
        raise ValueError(
            "preset: a command line must start with ROUGE-1.5.5.pl, as in 'ROUGE-1.5.5.pl -n 2 -m', "
            f"got {text!r}"
        )
    given = _given_options(words[1:])
    if "l" in given and "b" in given:
        raise ValueError("preset: -l and -b of the command line cannot both be given")
    options = {"rouge_types": _rouge_types_of_options(given), "confidence_level": 0.95}
    for letter, value in given.items():
        if letter in _OPTIONS:
            name, converted = _OPTIONS[letter]
            options[name] = converted(value)
    return options, "s" in given


def _is_option(word: str) -> bool:
    return word.startswith("-") and len(word) > 1


def _given_options(words: list[str]) -> dict[str, str]:
    """Return the text of each option that is given, "" for a flag."""
    try:
        pairs, files = getopt.getopt(words, f"{_FLAGS}{':'.join(_VALUED)}:3:MhH")
    except getopt.GetoptError as error:
        known = " ".join(f"-{letter}" for letter in (*_VALUED, *_FLAGS, *_REFUSED))
        raise ValueError(
            f"preset: {error} in a command line of ROUGE-1.5.5.pl, whose options are {known}"
        ) from None
    given = {dashed[1:]: text for dashed, text in pairs}
    for letter, text in given.items():
        option = f"preset: -{letter} of the command line"
        if letter in _REFUSED:
            raise ValueError(f"{option} {_REFUSED[letter]}")
        if letter == "z" and text not in ("SPL", "SEE"):
            raise ValueError(f"{option} must be SPL or SEE, because you pass texts, got {text!r}")
        if letter in _RANGES:
            form, expected, is_valid = _RANGES[letter]
            if not form.fullmatch(text) or not is_valid(float(text)):
                raise ValueError(f"{option} must be {expected}, got {text!r}")
    if len(files) > 2 or any(map(_is_option, files[1:])):
        raise ValueError(
            "preset: after its options the command line must have at most two words, a configuration "
            f"file and a system, got {', '.join(map(repr, files))}"
        )
    return given


def _rouge_types_of_options(given: dict[str, str]) -> tuple[str, ...]:
    """Return the rouge types that the script prints, in its order."""
    types = [f"rouge{order}" for order in range(1, int(given.get("n", "0")) + 1)]
    if "x" not in given:
        types.append("rougeL")
    if "w" in given:
        whole, point, fraction = given["w"].lstrip("+").partition(".")  # the weight as typed
        types.append(f"rougeW-{whole or 0}" + (f"{point}{fraction}" if fraction else ""))
    if "2" in given:
        max_skip = int(given["2"])
        gap = "*" if max_skip < 0 else max_skip
        if "u" not in given:
            types.append(f"rougeS{gap}")
        if "u" in given or "U" in given:
            types.append(f"rougeSU{gap}")
    if not types:
        raise ValueError(
            "preset: the command line computes no score: -x turns ROUGE-L off, and -n, -w and -2 "
            "are missing"
        )
    return tuple(types)
