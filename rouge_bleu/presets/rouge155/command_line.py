"""Command lines of ROUGE-1.5.5.pl, as papers and wrappers print them -> options.

    ROUGE-1.5.5.pl -n 2 -2 4 -u -m -c 95 -r 1000 -f A -p 0.5 -t 0 -a

Words are parsed as the script parses them, but a value that is not a number raises an error.
"""

from __future__ import annotations

import math
import re
import shlex
from collections import deque
from collections.abc import Callable
from typing import Any

from ...kernels.ngrams import MAX_ORDER
from ...resampling import MAX_RESAMPLES, WHY_MAX_RESAMPLES
from ...rouge_types.weighted_lcs import MAX_WEIGHT
from ...text.stemming import plain_rouge155_stemmer

_PERL_PROGRAM = re.compile(r"(?:.*[/\\])?perl(?:\.exe)?", re.IGNORECASE)
_SCRIPT_NAME = re.compile(r".*?ROUGE-1\.5\.5(?P<pl>\.pl)?", re.IGNORECASE)
_PRINTED_DASHES = re.compile("(?<!\\S)[\u2010\u2011\u2012\u2013\u2014\u2212]")  # of a PDF
_MAX_VALUE = 2**31 - 1
_INTEGER = re.compile(r"[-+]?[0-9]{1,15}")
_NUMBER = re.compile(r"[-+]?([0-9]{1,15}(\.[0-9]{0,15})?|\.[0-9]{1,15})")
# The beginning of a text that Perl takes for its number.
_NUMBER_IN_PERL = re.compile(
    r"[ \t\n\r\f\v]*([-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)"
)

# The options of the script: flags, options with a value, and options that are not supported.
_FLAGS = "xuUmsadv"
_VALUED = "nw2fptlbcrez"
_REFUSED = {
    "3": "needs Basic Elements, which are not available",
    "M": "stems only references, which is not available: -m stems both",
    **dict.fromkeys("hH", "prints its usage and no scores"),
}
# The least and the largest value of integers, and why the largest one.
_INTEGERS = {
    "n": (-math.inf, MAX_ORDER, ""),
    "2": (-math.inf, _MAX_VALUE, ""),
    "l": (0, _MAX_VALUE, ""),  # 0 is no limit
    "b": (0, _MAX_VALUE, ""),
    "r": (1, MAX_RESAMPLES, f": {WHY_MAX_RESAMPLES}"),
}
# The ranges of the other numbers.
_NUMBERS: dict[str, tuple[str, Callable[[float], bool]]] = {
    "w": (f"a number above 0, at most {MAX_WEIGHT}", lambda number: 0 < number <= MAX_WEIGHT),
    "p": ("a number from 0 to 1", lambda number: 0 <= number <= 1),
    "c": ("a number above 0 and below 100", lambda number: 0 < number < 100),
}
# The name of each option in this package.
_NAMES = {
    **{"f": "multi_reference", "p": "beta", "t": "corpus_average", "l": "max_words"},
    **{"b": "max_bytes", "c": "confidence_level", "r": "n_resamples"},
}


def rouge155_command(text: str) -> tuple[dict[str, Any], bool] | None:
    """Return the options of a command line and whether it has -s; None for any other text.

    They are added to those of preset "rouge-1.5.5". A command line has an option or the name
    of the script. An invalid command line raises a ValueError.

    >>> rouge155_command("ROUGE-1.5.5.pl -n 2 -f B -a")[0]
    {'rouge_types': ('rouge1', 'rouge2', 'rougeL'), 'confidence_level': 0.95, 'multi_reference': 'best'}
    """
    words = _words_of_line(text)
    has_options = any(map(_is_option_word, words))
    if words and _PERL_PROGRAM.fullmatch(words[0]):
        words = words[1:]
    script = _SCRIPT_NAME.fullmatch(words[0]) if words else None
    if not has_options and not (script and (script["pl"] or len(words) > 1)):
        return None
    if script is None:
        raise ValueError(
            "preset: a command line must start with ROUGE-1.5.5.pl, as in 'ROUGE-1.5.5.pl -n 2 -m', "
            f"got {text!r}"
        )
    given = _given_options(words[1:])
    if "l" in given and "b" in given:
        raise ValueError("preset: -l and -b of the command line cannot both be given")
    options = {"rouge_types": _printed_types(given), "confidence_level": 0.95}
    options |= {_NAMES[letter]: value for letter, value in given.items() if letter in _NAMES}
    if "m" in given:
        options["stemmer"] = plain_rouge155_stemmer()
    return options, "s" in given


def _words_of_line(text: str) -> list[str]:
    """Return the words of a line, which may be in quotation marks."""
    line = _PRINTED_DASHES.sub("-", text.replace("\\\n", " "))
    try:
        words = shlex.split(line)
        return shlex.split(words[0]) if len(words) == 1 else words
    except ValueError:
        if not _SCRIPT_NAME.match(line):
            return [text]
        raise ValueError(f"preset: a quotation mark is missing in {text!r}") from None


def _is_option_word(word: str) -> bool:
    return word.startswith("-") and len(word) > 1


def _given_options(words: list[str]) -> dict[str, Any]:
    """Return the value of each option that is given, True for a flag."""
    given: dict[str, Any] = {}
    files = deque(words)
    while files and _is_option_word(files[0]):
        word = files.popleft()
        rest = word[1:].lstrip(_FLAGS)
        given.update(dict.fromkeys(word[1 : len(word) - len(rest)], True))
        if rest == "-":  # the word is --, or ends like it: -a-
            break
        if rest:
            letter, value = rest[0], rest[1:]
            option = f"preset: -{letter} of the command line"
            if letter in _REFUSED:
                raise ValueError(f"{option} {_REFUSED[letter]}")
            if letter not in _VALUED:
                known = " ".join(f"-{one}" for one in (*_VALUED, *_FLAGS, *_REFUSED))
                raise ValueError(f"{option} is not an option of ROUGE-1.5.5.pl: it has {known}")
            if not value and not files:
                raise ValueError(f"{option} needs a value after it")
            given[letter] = _value(letter, value or files.popleft(), option)
    for word in list(files)[1:]:
        if _is_option_word(word):
            raise ValueError(
                f"preset: {word!r} of the command line is after the file name {files[0]!r}, where "
                "ROUGE-1.5.5.pl reads no options: put it first"
            )
    if len(files) > 2:
        raise ValueError(
            "preset: the command line must have at most two words that are not options, a "
            f"configuration file and a system, got {', '.join(map(repr, files))}"
        )
    return given


def _value(letter: str, text: str, option: str) -> Any:
    """Return the value of an option from its text; `option` names it in errors."""
    if letter in _INTEGERS:
        least, most, reason = _INTEGERS[letter]
        if not _INTEGER.fullmatch(text) or int(text) < least:
            above = f" >= {least}" if least >= 0 else ""
            raise ValueError(f"{option} must be an integer{above}, got {text!r}")
        if int(text) > most:
            raise ValueError(f"{option} must be at most {most}, got {text!r}{reason}")
        return (int(text) or None) if letter in "lb" else int(text)
    if letter in _NUMBERS:
        expected, is_valid = _NUMBERS[letter]
        if not _NUMBER.fullmatch(text) or not is_valid(float(text)):
            raise ValueError(f"{option} must be {expected}, got {text!r}")
        if letter == "c":
            return float(f"{text}e-2")
        if letter == "p":
            return math.inf if float(text) == 0 else math.sqrt(1 / float(text) - 1)
        whole, point, fraction = text.lstrip("+").partition(".")  # the weight as typed
        return f"rougeW-{whole or 0}" + (f"{point}{fraction}" if fraction else "")
    if letter == "f":
        return "best" if text == "B" else "pooled"  # the script treats any other value as A
    if letter == "t":
        number = _NUMBER_IN_PERL.match(text)  # 1x and 1e0 are 1
        unit = float(number[1]) if number else 0.0
        return {1.0: "tokens", 2.0: "counts"}.get(unit, "documents")
    if letter == "z" and text not in ("SPL", "SEE"):
        raise ValueError(f"{option} must be SPL or SEE, because you pass texts, got {text!r}")
    return text


def _printed_types(given: dict[str, Any]) -> tuple[str, ...]:
    """Return the rouge types that the script prints, in its order."""
    types = [f"rouge{order}" for order in range(1, given.get("n", 0) + 1)]
    if "x" not in given:
        types.append("rougeL")
    if "w" in given:
        types.append(given["w"])
    if "2" in given:
        max_skip = given["2"] if given["2"] >= 0 else "*"
        if "u" not in given:
            types.append(f"rougeS{max_skip}")
        if "u" in given or "U" in given:
            types.append(f"rougeSU{max_skip}")
    if not types:
        raise ValueError(
            "preset: the command line computes no score: -x turns ROUGE-L off, and -n, -w and -2 "
            "are missing"
        )
    return tuple(types)
