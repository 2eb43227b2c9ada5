"""Command lines of ROUGE-1.5.5.pl, as papers and wrappers print them -> options.

    ROUGE-1.5.5.pl -n 2 -2 4 -u -m -c 95 -r 1000 -f A -p 0.5 -t 0 -a

Words are read as a shell and the script read them: values may be joined (`-n2`), options
without a value share a dash (`-am`), the last of several counts, and behind the first
word that belongs to no option stand file names only. What the script refuses is refused
here, and so is what is no number: the script takes that for 0.
"""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from .ngrams import MAX_ORDER
from .rouge_types import MAX_WLCS_WEIGHT
from .stemming import plain_rouge155_stemmer

_PERL = re.compile(r"(?:.*[/\\])?perl(?:\.exe)?", re.IGNORECASE)
_SCRIPT = re.compile(r".*?ROUGE-1\.5\.5(?P<pl>\.pl)?", re.IGNORECASE)
_EXAMPLE = "'ROUGE-1.5.5.pl -n 2 -m'"
_MAX_FILES = 2  # the configuration, and the system that is evaluated

# What a page prints for the dash of an option.
_PRINTED_DASHES = re.compile("(?<!\\S)[\u2010\u2011\u2012\u2013\u2014\u2212]")
_MAX_DIGITS = 15
_INTEGER = re.compile(rf"[-+]?[0-9]{{1,{_MAX_DIGITS}}}")
_NUMBER = re.compile(
    rf"[-+]?(?:[0-9]{{1,{_MAX_DIGITS}}}(?:\.[0-9]{{0,{_MAX_DIGITS}}})?|\.[0-9]{{1,{_MAX_DIGITS}}})"
)
_MAX_INTEGER = 2**31 - 1


@dataclass(frozen=True)
class Rouge155Command:
    """What a command line stands for.

    Parameters
    ----------
    options : dict
        Options of `rouge_full`, to be given beside those of preset "rouge-1.5.5".
    drops_stopwords : bool
        Whether -s is given: the words of a list that the user has to give.
    """

    options: dict[str, Any]
    drops_stopwords: bool


def rouge155_command(text: str) -> Rouge155Command | None:
    """Return what a command line stands for, or None where the text is none.

    It is one if it has an option or is the name of the script.

    Raises
    ------
    ValueError
        The line is not one of ROUGE-1.5.5.pl, or the script or `rouge_full` has no such
        option or value.

    Examples
    --------
    >>> rouge155_command("ROUGE-1.5.5.pl -n 2 -f B -a").options
    {'rouge_types': ['rouge1', 'rouge2', 'rougeL'], 'multi_reference': 'best', 'confidence_level': 0.95}
    """
    words = _words(text)
    has_options = any(map(_is_option, words))
    if words and _PERL.fullmatch(words[0]):
        words = words[1:]
    script = _SCRIPT.fullmatch(words[0]) if words else None
    if not has_options and not (script and (script["pl"] or len(words) > 1)):
        return None
    if script is None:
        raise _error(
            f"a command line must start with ROUGE-1.5.5.pl, as in {_EXAMPLE}, got "
            f"{text!r}"
        )
    given = _given_options(words[1:])
    return Rouge155Command(_options(given), drops_stopwords="s" in given)


# --- words ----------------------------------------------------------------------------


def _error(message: str) -> ValueError:
    return ValueError(f"preset: {message}")


def _words(text: str) -> list[str]:
    """Return the words of a line, or of a line in quotation marks."""
    line = _PRINTED_DASHES.sub("-", text.replace("\\\n", " "))
    try:
        words = shlex.split(line)
        return shlex.split(words[0]) if len(words) == 1 else words
    except ValueError:
        if not _SCRIPT.match(line):
            return [text]
        raise _error(f"a quotation mark is missing in {text!r}") from None


def _is_option(word: str) -> bool:
    return word.startswith("-") and len(word) > 1


def _given_options(words: list[str]) -> dict[str, Any]:
    """Return the value of each option that is given, True where it has none."""
    given: dict[str, Any] = {}
    files = list(words)
    while files and _is_option(files[0]):
        word = files.pop(0)
        if word == "--":
            break
        letter, rest = word[1], word[2:]
        option = _option_of_letter(letter)
        if option.read is None:
            given[letter] = True
            if rest:
                files.insert(0, f"-{rest}")
            continue
        if not rest and not files:
            raise _error(f"-{letter} of the command line needs a value behind it")
        given[letter] = option.read(f"-{letter}", rest or files.pop(0))
    _check_files(files)
    return given


def _option_of_letter(letter: str) -> _ScriptOption:
    option = _SCRIPT_OPTIONS.get(letter)
    if option is None:
        known = " ".join(f"-{known}" for known in _SCRIPT_OPTIONS)
        raise _error(
            f"-{letter} of the command line is no option of ROUGE-1.5.5.pl, which has {known}"
        )
    if option.refusal:
        raise _error(f"-{letter} of the command line {option.refusal}")
    return option


def _check_files(files: list[str]) -> None:
    """Raise where what is no option cannot be the names of files."""
    for word in files[1:]:
        if _is_option(word):
            raise _error(
                f"{word!r} of the command line stands behind the file name {files[0]!r}, "
                "where ROUGE-1.5.5.pl reads no options: put it before"
            )
    if len(files) > _MAX_FILES:
        raise _error(
            "the command line must have at most two words that belong to no option, a "
            f"configuration file and a system, got {', '.join(map(repr, files))}"
        )


# --- values ---------------------------------------------------------------------------


def _integer(
    name: str, text: str, minimum: int | None = None, maximum: int = _MAX_INTEGER
) -> int:
    is_integer = _INTEGER.fullmatch(text) is not None
    if not is_integer or (minimum is not None and int(text) < minimum):
        least = "" if minimum is None else f" >= {minimum}"
        raise _error(
            f"{name} of the command line must be an integer{least}, got {text!r}"
        )
    if int(text) > maximum:
        raise _error(
            f"{name} of the command line must be at most {maximum}, got {text!r}"
        )
    return int(text)


def _number(
    name: str, text: str, expected: str, is_valid: Callable[[float], bool]
) -> str:
    """Return the digits of a number, as `float` reads them exactly."""
    if not _NUMBER.fullmatch(text) or not is_valid(float(text)):
        raise _error(f"{name} of the command line must be {expected}, got {text!r}")
    return text


def _weight(name: str, text: str) -> str:
    """Return the name of the rouge type, which has the weight as it is typed."""
    expected = f"a number above 0, at most {MAX_WLCS_WEIGHT}"
    _number(name, text, expected, lambda number: 0 < number <= MAX_WLCS_WEIGHT)
    whole, point, fraction = text.lstrip("+").partition(".")
    return f"rougeW-{whole or 0}" + (f"{point}{fraction}" if fraction else "")


def _level(name: str, text: str) -> float:
    expected = "a number above 0 and below 100"
    percent = _number(name, text, expected, lambda number: 0 < number < 100)
    return float(f"{percent}e-2")


def _beta(name: str, text: str) -> float:
    """Return the beta of the script's alpha."""
    alpha = float(_number(name, text, "a number from 0 to 1", lambda p: 0 <= p <= 1))
    return math.inf if alpha == 0 else math.sqrt(1 / alpha - 1)


def _limit(name: str, text: str) -> int | None:
    """Return a length limit; 0 is none."""
    return _integer(name, text, 0) or None


def _scoring_formula(name: str, text: str) -> str:
    """Return the choice among references; whatever is not B is A to the script."""
    return "best" if text == "B" else "pooled"


def _counting_unit(name: str, text: str) -> str:
    """Return the average; whatever is neither 1 nor 2 is 0 to the script."""
    unit = float(text) if _NUMBER.fullmatch(text) else 0.0
    return {1.0: "tokens", 2.0: "counts"}.get(unit, "documents")


def _text(name: str, text: str) -> str:
    return text


def _format(name: str, text: str) -> str:
    if text not in ("SPL", "SEE"):
        raise _error(
            f"{name} of the command line must be SPL or SEE, as the texts are given here, "
            f"got {text!r}"
        )
    return text


# --- the options of the script --------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class _ScriptOption:
    """An option of the script.

    Parameters
    ----------
    read : callable, optional
        From its name and the text of its value to what that is here; None for an option
        without a value.
    option : str, optional
        The option here; None for one that acts on rouge types, or on no score.
    refusal : str
        Why it is an error.
    """

    read: Callable[[str, str], Any] | None = None
    option: str | None = None
    refusal: str = ""


_NO_SCORES = "prints usage and no scores"
_SCRIPT_OPTIONS = {
    "n": _ScriptOption(read=partial(_integer, maximum=MAX_ORDER)),
    "x": _ScriptOption(),
    "w": _ScriptOption(read=_weight),
    "2": _ScriptOption(read=_integer),
    "u": _ScriptOption(),
    "U": _ScriptOption(),
    "f": _ScriptOption(read=_scoring_formula, option="multi_reference"),
    "p": _ScriptOption(read=_beta, option="beta"),
    "t": _ScriptOption(read=_counting_unit, option="corpus_average"),
    "l": _ScriptOption(read=_limit, option="max_words"),
    "b": _ScriptOption(read=_limit, option="max_bytes"),
    "m": _ScriptOption(),
    "s": _ScriptOption(),
    "c": _ScriptOption(read=_level, option="confidence_level"),
    "r": _ScriptOption(read=partial(_integer, minimum=1), option="n_resamples"),
    "a": _ScriptOption(),
    "d": _ScriptOption(),
    "e": _ScriptOption(read=_text),
    "v": _ScriptOption(),
    "z": _ScriptOption(read=_format),
    "3": _ScriptOption(refusal="asks for Basic Elements, which are not here"),
    "M": _ScriptOption(
        refusal="stems references alone, which is not here: -m stems both"
    ),
    "h": _ScriptOption(refusal=_NO_SCORES),
    "H": _ScriptOption(refusal=_NO_SCORES),
}
_DEFAULT_LEVEL = 0.95


def _options(given: dict[str, Any]) -> dict[str, Any]:
    """Return the options here of those that are given to the script."""
    if "l" in given and "b" in given:
        raise _error("-l and -b of the command line cannot both be given")
    options: dict[str, Any] = {
        "rouge_types": _rouge_types(given),
        "confidence_level": _DEFAULT_LEVEL,
    }
    for letter, value in given.items():
        name = _SCRIPT_OPTIONS[letter].option
        if name is not None:
            options[name] = value
    if "m" in given:
        options["stemmer"] = plain_rouge155_stemmer()
    return options


def _rouge_types(given: dict[str, Any]) -> list[str]:
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
    return types
