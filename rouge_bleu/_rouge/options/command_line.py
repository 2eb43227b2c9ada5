"""Command lines of ROUGE-1.5.5.pl, as papers and wrappers print them -> options.

    ROUGE-1.5.5.pl -n 2 -2 4 -u -m -c 95 -r 1000 -f A -p 0.5 -t 0 -a

Words are read as a shell and the script read them: values may be joined (`-n2`), options
without a value share a dash (`-am`), the last of several counts, and behind the first
word that belongs to no option stand file names only. What the script refuses is refused
here, and so is what is no number: the script takes that for 0. Only -t is read as the
script does whatever it is.
"""

from __future__ import annotations

import math
import re
import shlex
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from ...kernels.ngrams import MAX_ORDER
from ...resampling.uncertainty import MAX_RESAMPLES, WHY_MAX_RESAMPLES
from ...text.stemming import plain_rouge155_stemmer
from ..types import MAX_WLCS_WEIGHT

_PERL_PROGRAM = re.compile(r"(?:.*[/\\])?perl(?:\.exe)?", re.IGNORECASE)
_SCRIPT_NAME = re.compile(r".*?ROUGE-1\.5\.5(?P<pl>\.pl)?", re.IGNORECASE)
_EXAMPLE_LINE = "'ROUGE-1.5.5.pl -n 2 -m'"
_MAX_FILE_NAMES = 2  # the configuration, and the system that is evaluated

# What a page prints for the dash of an option.
_PRINTED_DASHES = re.compile("(?<!\\S)[\u2010\u2011\u2012\u2013\u2014\u2212]")
_MAX_VALUE_DIGITS = 15
_INTEGER_VALUE = re.compile(rf"[-+]?[0-9]{{1,{_MAX_VALUE_DIGITS}}}")
_NUMBER_VALUE = re.compile(
    rf"[-+]?(?:[0-9]{{1,{_MAX_VALUE_DIGITS}}}(?:\.[0-9]{{0,{_MAX_VALUE_DIGITS}}})?|\.[0-9]{{1,{_MAX_VALUE_DIGITS}}})"
)
# What Perl takes for a number where it needs one, after blanks; what follows is left out.
_NUMBER_IN_PERL = re.compile(
    r"[ \t\n\r\f\v]*([-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)"
)
_MAX_VALUE = 2**31 - 1


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
    {'rouge_types': ['rouge1', 'rouge2', 'rougeL'], 'confidence_level': 0.95, 'multi_reference': 'best'}
    """
    words = _words_of_line(text)
    has_options = any(map(_is_option_word, words))
    if words and _PERL_PROGRAM.fullmatch(words[0]):
        words = words[1:]
    script = _SCRIPT_NAME.fullmatch(words[0]) if words else None
    if not has_options and not (script and (script["pl"] or len(words) > 1)):
        return None
    if script is None:
        raise _line_error(
            f"a command line must start with ROUGE-1.5.5.pl, as in {_EXAMPLE_LINE}, got {text!r}"
        )
    given = _options_given(words[1:])
    return Rouge155Command(_options_of_line(given), drops_stopwords="s" in given)


# --- words ----------------------------------------------------------------------------


def _line_error(message: str) -> ValueError:
    return ValueError(f"preset: {message}")


def _words_of_line(text: str) -> list[str]:
    """Return the words of a line, or of a line in quotation marks."""
    line = _PRINTED_DASHES.sub("-", text.replace("\\\n", " "))
    try:
        words = shlex.split(line)
        return shlex.split(words[0]) if len(words) == 1 else words
    except ValueError:
        if not _SCRIPT_NAME.match(line):
            return [text]
        raise _line_error(f"a quotation mark is missing in {text!r}") from None


def _is_option_word(word: str) -> bool:
    return word.startswith("-") and len(word) > 1


def _options_given(words: list[str]) -> dict[str, Any]:
    """Return the value of each option that is given, True where it has none."""
    given: dict[str, Any] = {}
    files = deque(words)
    while files and _is_option_word(files[0]):
        word = files.popleft()
        rest = word[1:].lstrip(_LETTERS_WITHOUT_VALUE)
        given.update(dict.fromkeys(word[1 : len(word) - len(rest)], True))
        if rest == "-":  # the word is --, or ends like it: -a-
            break
        if rest:
            letter, value = rest[0], rest[1:]
            read = _reader_of_value(letter)
            if not value and not files:
                raise _line_error(f"-{letter} of the command line needs a value behind it")
            given[letter] = read(f"-{letter}", value or files.popleft())
    _check_file_names(list(files))
    return given


def _reader_of_value(letter: str) -> Callable[[str, str], Any]:
    """Return what reads the value of an option that has one; else it is an error."""
    option = _SCRIPT_OPTIONS.get(letter)
    if option is None:
        known = " ".join(f"-{known}" for known in _SCRIPT_OPTIONS)
        raise _line_error(
            f"-{letter} of the command line is no option of ROUGE-1.5.5.pl, which has {known}"
        )
    if option.read is None:
        raise _line_error(f"-{letter} of the command line {option.refusal}")
    return option.read


def _check_file_names(files: list[str]) -> None:
    """Raise where what is no option cannot be the names of files."""
    for word in files[1:]:
        if _is_option_word(word):
            raise _line_error(
                f"{word!r} of the command line stands behind the file name {files[0]!r}, "
                "where ROUGE-1.5.5.pl reads no options: put it before"
            )
    if len(files) > _MAX_FILE_NAMES:
        raise _line_error(
            "the command line must have at most two words that belong to no option, a "
            f"configuration file and a system, got {', '.join(map(repr, files))}"
        )


# --- values ---------------------------------------------------------------------------


def _integer_value(
    name: str, text: str, minimum: int | None = None, maximum: int = _MAX_VALUE, reason: str = ""
) -> int:
    is_integer = _INTEGER_VALUE.fullmatch(text) is not None
    if not is_integer or (minimum is not None and int(text) < minimum):
        least = "" if minimum is None else f" >= {minimum}"
        raise _line_error(f"{name} of the command line must be an integer{least}, got {text!r}")
    if int(text) > maximum:
        why = f": {reason}" if reason else ""
        raise _line_error(
            f"{name} of the command line must be at most {maximum}, got {text!r}{why}"
        )
    return int(text)


def _number_value(name: str, text: str, expected: str, is_valid: Callable[[float], bool]) -> str:
    """Return the digits of a number, as `float` reads them exactly."""
    if not _NUMBER_VALUE.fullmatch(text) or not is_valid(float(text)):
        raise _line_error(f"{name} of the command line must be {expected}, got {text!r}")
    return text


def _weighted_type(name: str, text: str) -> str:
    """Return the name of the rouge type, which has the weight as it is typed."""
    expected = f"a number above 0, at most {MAX_WLCS_WEIGHT}"
    _number_value(name, text, expected, lambda number: 0 < number <= MAX_WLCS_WEIGHT)
    whole, point, fraction = text.lstrip("+").partition(".")
    return f"rougeW-{whole or 0}" + (f"{point}{fraction}" if fraction else "")


def _level_of_percent(name: str, text: str) -> float:
    expected = "a number above 0 and below 100"
    percent = _number_value(name, text, expected, lambda number: 0 < number < 100)
    return float(f"{percent}e-2")


def _beta_of_alpha(name: str, text: str) -> float:
    """Return the beta of the script's alpha."""
    alpha = float(_number_value(name, text, "a number from 0 to 1", lambda p: 0 <= p <= 1))
    return math.inf if alpha == 0 else math.sqrt(1 / alpha - 1)


def _length_limit(name: str, text: str) -> int | None:
    """Return a length limit; 0 is none."""
    return _integer_value(name, text, 0) or None


def _scoring_formula(name: str, text: str) -> str:
    """Return the choice among references; whatever is not B is A to the script."""
    return "best" if text == "B" else "pooled"


def _counting_unit(name: str, text: str) -> str:
    """Return the average; whatever is neither 1 nor 2 is 0 to the script.

    The number is the beginning of the text, as Perl reads it: 1x and 1e0 are 1.
    """
    number = _NUMBER_IN_PERL.match(text)
    unit = float(number[1]) if number else 0.0
    return {1.0: "tokens", 2.0: "counts"}.get(unit, "documents")


def _any_text(name: str, text: str) -> str:
    return text


def _input_format(name: str, text: str) -> str:
    if text not in ("SPL", "SEE"):
        raise _line_error(
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


_PRINTS_USAGE = "prints usage and no scores"
_SCRIPT_OPTIONS = {
    "n": _ScriptOption(read=partial(_integer_value, maximum=MAX_ORDER)),
    "x": _ScriptOption(),
    "w": _ScriptOption(read=_weighted_type),
    "2": _ScriptOption(read=_integer_value),
    "u": _ScriptOption(),
    "U": _ScriptOption(),
    "f": _ScriptOption(read=_scoring_formula, option="multi_reference"),
    "p": _ScriptOption(read=_beta_of_alpha, option="beta"),
    "t": _ScriptOption(read=_counting_unit, option="corpus_average"),
    "l": _ScriptOption(read=_length_limit, option="max_words"),
    "b": _ScriptOption(read=_length_limit, option="max_bytes"),
    "m": _ScriptOption(),
    "s": _ScriptOption(),
    "c": _ScriptOption(read=_level_of_percent, option="confidence_level"),
    "r": _ScriptOption(
        read=partial(_integer_value, minimum=1, maximum=MAX_RESAMPLES, reason=WHY_MAX_RESAMPLES),
        option="n_resamples",
    ),
    "a": _ScriptOption(),
    "d": _ScriptOption(),
    "e": _ScriptOption(read=_any_text),
    "v": _ScriptOption(),
    "z": _ScriptOption(read=_input_format),
    "3": _ScriptOption(refusal="asks for Basic Elements, which are not here"),
    "M": _ScriptOption(refusal="stems references alone, which is not here: -m stems both"),
    "h": _ScriptOption(refusal=_PRINTS_USAGE),
    "H": _ScriptOption(refusal=_PRINTS_USAGE),
}
_LETTERS_WITHOUT_VALUE = "".join(  # they may share a dash
    letter
    for letter, option in _SCRIPT_OPTIONS.items()
    if option.read is None and not option.refusal
)
_DEFAULT_LEVEL = 0.95


def _options_of_line(given: dict[str, Any]) -> dict[str, Any]:
    """Return the options here of those that are given to the script."""
    if "l" in given and "b" in given:
        raise _line_error("-l and -b of the command line cannot both be given")
    options: dict[str, Any] = {
        "rouge_types": _printed_types(given),
        "confidence_level": _DEFAULT_LEVEL,
    }
    for letter, value in given.items():
        name = _SCRIPT_OPTIONS[letter].option
        if name is not None:
            options[name] = value
    if "m" in given:
        options["stemmer"] = plain_rouge155_stemmer()
    return options


def _printed_types(given: dict[str, Any]) -> list[str]:
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
        raise _line_error(
            "the command line asks for no score: -x takes ROUGE-L out, and -n, -w and -2 "
            "are not given"
        )
    return types
