"""Command lines of ROUGE-1.5.5.pl, as papers and wrappers print them -> options.

    ROUGE-1.5.5.pl -n 2 -2 4 -u -m -c 95 -r 1000 -f A -p 0.5 -t 0 -a

Words are read as a shell and the script read them: values may be joined (`-n2`), flags may share a
dash (`-am`), the last of several counts, and only file names follow the first word that belongs to
no option. What the script refuses is refused here, and so is a value that is no number, which the
script takes for 0. Only -t has the script's meaning for any text.
"""

from __future__ import annotations

import math
import re
import shlex
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any

from ..kernels.ngrams import MAX_ORDER
from ..resampling import MAX_RESAMPLES, WHY_MAX_RESAMPLES
from ..text.stemming import plain_rouge155_stemmer
from .families.arguments import MAX_WLCS_WEIGHT

_PERL_PROGRAM = re.compile(r"(?:.*[/\\])?perl(?:\.exe)?", re.IGNORECASE)
_SCRIPT_NAME = re.compile(r".*?ROUGE-1\.5\.5(?P<pl>\.pl)?", re.IGNORECASE)
_PRINTED_DASHES = re.compile("(?<!\\S)[\u2010\u2011\u2012\u2013\u2014\u2212]")  # of a PDF
_MAX_FILE_NAMES = 2  # the configuration, and the system that is evaluated
_MAX_VALUE = 2**31 - 1
_INTEGER = re.compile(r"[-+]?[0-9]{1,15}")
_NUMBER = re.compile(r"[-+]?([0-9]{1,15}(\.[0-9]{0,15})?|\.[0-9]{1,15})")
# The beginning of a text that Perl takes for its number.
_NUMBER_IN_PERL = re.compile(
    r"[ \t\n\r\f\v]*([-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)"
)


def rouge155_command(text: str) -> tuple[dict[str, Any], bool] | None:
    """Return the options of a command line and whether it has -s, or None where it is none.

    They are given beside those of preset "rouge-1.5.5". A command line has an option or the name
    of the script. What is wrong with one is a ValueError.

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
        raise _error(
            "a command line must start with ROUGE-1.5.5.pl, as in 'ROUGE-1.5.5.pl -n 2 -m', got "
            f"{text!r}"
        )
    given = _given_options(words[1:])
    if "l" in given and "b" in given:
        raise _error("-l and -b of the command line cannot both be given")
    options = {"rouge_types": _printed_types(given), "confidence_level": 0.95}
    options |= {_OPTIONS[letter]: value for letter, value in given.items() if letter in _OPTIONS}
    if "m" in given:
        options["stemmer"] = plain_rouge155_stemmer()
    return options, "s" in given


def _error(message: str) -> ValueError:
    return ValueError(f"preset: {message}")


# --- words ------------------------------------------------------------------------------


def _words_of_line(text: str) -> list[str]:
    """Return the words of a line, or of a line in quotation marks."""
    line = _PRINTED_DASHES.sub("-", text.replace("\\\n", " "))
    try:
        words = shlex.split(line)
        return shlex.split(words[0]) if len(words) == 1 else words
    except ValueError:
        if not _SCRIPT_NAME.match(line):
            return [text]
        raise _error(f"a quotation mark is missing in {text!r}") from None


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
            if letter in _REFUSED:
                raise _error(f"-{letter} of the command line {_REFUSED[letter]}")
            if letter not in _READERS:
                known = " ".join(f"-{one}" for one in (*_READERS, *_FLAGS, *_REFUSED))
                raise _error(
                    f"-{letter} of the command line is no option of ROUGE-1.5.5.pl, which has "
                    f"{known}"
                )
            if not value and not files:
                raise _error(f"-{letter} of the command line needs a value behind it")
            given[letter] = _READERS[letter](f"-{letter}", value or files.popleft())
    _check_file_names(list(files))
    return given


def _check_file_names(files: list[str]) -> None:
    for word in files[1:]:
        if _is_option_word(word):
            raise _error(
                f"{word!r} of the command line follows the file name {files[0]!r}, where "
                "ROUGE-1.5.5.pl reads no options: put it before"
            )
    if len(files) > _MAX_FILE_NAMES:
        raise _error(
            "the command line must have at most two words that belong to no option, a "
            f"configuration file and a system, got {', '.join(map(repr, files))}"
        )


# --- values -----------------------------------------------------------------------------


def _integer(
    name: str, text: str, minimum: int | None = None, maximum: int = _MAX_VALUE, reason: str = ""
) -> int:
    if not _INTEGER.fullmatch(text) or (minimum is not None and int(text) < minimum):
        least = "" if minimum is None else f" >= {minimum}"
        raise _error(f"{name} of the command line must be an integer{least}, got {text!r}")
    if int(text) > maximum:
        raise _error(f"{name} of the command line must be at most {maximum}, got {text!r}{reason}")
    return int(text)


def _number(name: str, text: str, expected: str, is_valid: Callable[[float], bool]) -> str:
    """Return the digits of a number, which `float` reads exactly."""
    if not _NUMBER.fullmatch(text) or not is_valid(float(text)):
        raise _error(f"{name} of the command line must be {expected}, got {text!r}")
    return text


def _weighted_type(name: str, text: str) -> str:
    """Return the name of the rouge type, with the weight as it is typed."""
    expected = f"a number above 0, at most {MAX_WLCS_WEIGHT}"
    _number(name, text, expected, lambda number: 0 < number <= MAX_WLCS_WEIGHT)
    whole, point, fraction = text.lstrip("+").partition(".")
    return f"rougeW-{whole or 0}" + (f"{point}{fraction}" if fraction else "")


def _level_of_percent(name: str, text: str) -> float:
    percent = _number(name, text, "a number above 0 and below 100", lambda number: 0 < number < 100)
    return float(f"{percent}e-2")


def _beta_of_alpha(name: str, text: str) -> float:
    alpha = float(_number(name, text, "a number from 0 to 1", lambda number: 0 <= number <= 1))
    return math.inf if alpha == 0 else math.sqrt(1 / alpha - 1)


def _limit(name: str, text: str) -> int | None:
    return _integer(name, text, 0) or None  # 0 is no limit


def _multi_reference(name: str, text: str) -> str:
    return "best" if text == "B" else "pooled"  # whatever is not B is A to the script


def _corpus_average(name: str, text: str) -> str:
    """Return the average of a number as Perl reads it: 1x and 1e0 are 1."""
    number = _NUMBER_IN_PERL.match(text)
    unit = float(number[1]) if number else 0.0
    return {1.0: "tokens", 2.0: "counts"}.get(unit, "documents")


def _input_format(name: str, text: str) -> str:
    if text not in ("SPL", "SEE"):
        raise _error(
            f"{name} of the command line must be SPL or SEE, as the texts are given here, "
            f"got {text!r}"
        )
    return text


# --- the options of the script ----------------------------------------------------------

_READERS: dict[str, Callable[[str, str], Any]] = {
    "n": partial(_integer, maximum=MAX_ORDER),
    "w": _weighted_type,
    "2": _integer,
    "f": _multi_reference,
    "p": _beta_of_alpha,
    "t": _corpus_average,
    "l": _limit,
    "b": _limit,
    "c": _level_of_percent,
    "r": partial(_integer, minimum=1, maximum=MAX_RESAMPLES, reason=f": {WHY_MAX_RESAMPLES}"),
    "e": lambda name, text: text,
    "z": _input_format,
}
_FLAGS = "xuUmsadv"
_REFUSED = {
    "3": "asks for Basic Elements, which are not here",
    "M": "stems references alone, which is not here: -m stems both",
    **dict.fromkeys("hH", "prints usage and no scores"),
}
# What an option is called here.
_OPTIONS = {
    **{"f": "multi_reference", "p": "beta", "t": "corpus_average", "l": "max_words"},
    **{"b": "max_bytes", "c": "confidence_level", "r": "n_resamples"},
}


def _printed_types(given: dict[str, Any]) -> tuple[str, ...]:
    """Return what the script prints, in its order."""
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
        raise _error(
            "the command line asks for no score: -x takes ROUGE-L out, and -n, -w and -2 "
            "are not given"
        )
    return tuple(types)
