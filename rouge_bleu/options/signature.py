"""One line that says how a score was made, and the way back to its options.

    rouge_full|0.3.0|types:rouge1,rougeL|tok:rouge_score|case:lower|stem:no|refs:1-3|...

after the signatures of sacreBLEU (Post 2018, "A call for clarity in reporting BLEU
scores", https://aclanthology.org/W18-6319). A part stands in the line if and only if it
can change the score of this corpus, in one normal form: options that give the same
scores in other words give the same line. The tables of parts are in
`rouge/signature.py` and `bleu/signature.py`.

    |              between parts
    name:value     a part
    a,b            a list
    a(b)           a value with an argument: floor(0.1), a function of the user's by name
    %20            any other sign in a name that a user gave, as in addresses

A function and stop words are named only, and have to be supplied on the way back. Some
parts are information that no option holds: the number of references, and the versions of
packages that the score depends on.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from ..messages import shown, warn_caller
from .checked import CheckedOptions, Options, checked_options
from .names_elsewhere import hint_of_choice
from .signature_parts import FUNCTION, STOPWORDS, Part, ScoredRun, Supplied

VERSION = "0.3.0"  # of the package and both metrics


# --- options -> line ------------------------------------------------------------------


def signature_line(
    name: str, parts: Sequence[Part], options: CheckedOptions, run: ScoredRun
) -> str:
    """Return the line of a metric for checked options.

    Parameters
    ----------
    name : str
        The metric.
    parts : sequence of Part
    options : CheckedOptions
    run : ScoredRun
    """
    values = _written_values(parts, options, run)
    return "|".join([name, VERSION, *(f"{part}:{value}" for part, value in values.items())])


def _written_values(
    parts: Sequence[Part], options: CheckedOptions, run: ScoredRun
) -> dict[str, str]:
    written = {part.name: part.written(options, run) for part in parts}
    return {name: value for name, value in written.items() if value is not None}


# --- line -> options ------------------------------------------------------------------


def options_of_line(
    name: str,
    parts: Sequence[Part],
    options_class: type[Options],
    line: str,
    supplied: Mapping[str, Any],
) -> dict[str, Any]:
    """Return the options that give the score of a line again.

    They are all that can change a score, so that those of `load` do not matter. A line of
    another version gives a warning.

    Parameters
    ----------
    name : str
        The metric.
    parts : sequence of Part
    options_class : type
    line : str
    supplied : mapping
        The functions and stop words that the line only names.

    Raises
    ------
    TypeError
        The line is no string, a function is none, or something was supplied that the
        line does not ask for.
    ValueError
        The line is of another metric or damaged, something has to be supplied, or the
        stop words are others.
    """
    of_other = options_class.options_of_line(line) if isinstance(line, str) else None
    if of_other is not None:
        other = checked_options(options_class, of_other)
        names = ["preset", *(option for part in parts for option in part.options)]
        return {option: getattr(other, option) for option in dict.fromkeys(names)}
    values, version = _values_of_line(name, [part.name for part in parts], line)
    run = ScoredRun.of_values(values)
    defaults = {
        field.name: field.default
        for field in dataclasses.fields(options_class)  # type: ignore[arg-type]
    }
    read: dict[str, Any] = {}
    with _as_damage():
        for part in parts:
            if part.read is not None and part.name in values:
                read |= part.read(values[part.name])
        fixed = options_class.fixed_values(read.get("preset"))
    given = {option: defaults[option] for part in parts for option in part.options}
    given = _with_supplied({**given, **fixed, **read}, supplied)
    with _as_damage():
        options = checked_options(options_class, given)
    if version != VERSION:
        warn_caller(
            f"the signature is of version {version}, and this is {VERSION}: scores may "
            "differ, as the changelog says"
        )
    _check_same_parts(parts, values, _written_values(parts, options, run), version)
    return {option: getattr(options, option) for option in given}


@contextmanager
def _as_damage() -> Iterator[None]:
    """Turn an error about a value into one about the line in which it stood."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"signature is damaged: {error}") from error


def _values_of_line(name: str, known: Collection[str], line: str) -> tuple[dict[str, str], str]:
    """Return the value of each part of a line, and the version of the metric."""
    if not isinstance(line, str):
        raise TypeError(f"signature must be a string, got {shown(line)}")
    metric, _, rest = line.strip().partition("|")
    if metric != name:
        raise ValueError(
            f"signature must be a line of {name}, which begins with '{name}|', got {shown(line)}"
        )
    version, *texts = rest.split("|")
    if not re.fullmatch(r"[0-9]+(\.[0-9]+)+\w*", version):
        raise ValueError(
            f"signature is damaged: behind {name} there must be a version such as "
            f"{VERSION}, got {version!r}"
        )
    values: dict[str, str] = {}
    for text in texts:
        part, colon, value = text.partition(":")
        if not colon or part in values:
            fault = "stands twice" if colon else "has no value: the line may be cut off"
            raise ValueError(f"signature is damaged: part {part!r} {fault}")
        if part not in known:
            hint = hint_of_choice("part", part, list(known))
            raise ValueError(
                f"signature has a part {part!r}, which {name} {VERSION} does not know"
                + (hint or f": it must be one of {', '.join(known)}")
            )
        values[part] = value
    return values, version


def _with_supplied(given: Mapping[str, Any], supplied: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options, with what the caller supplied in place of each `Supplied`."""
    needed = {name: value for name, value in given.items() if isinstance(value, Supplied)}
    for name in supplied:
        if name not in needed:
            raise TypeError(
                f"options_of_signature() got {name!r}, which this signature does not ask "
                f"for: it asks for {', '.join(needed) or 'nothing'}"
            )
    for name, value in needed.items():
        if supplied.get(name) is None:
            raise ValueError(
                f"{name} must be supplied: it was {value.what}, which cannot be had back "
                f"from a signature. Give it as options_of_signature(signature, {name}=...)"
            )
        if value.is_function and not callable(supplied[name]):
            raise TypeError(
                f"{name} must be a function, as under the signature, got {shown(supplied[name])}"
            )
    return {**given, **supplied}


def _check_same_parts(
    parts: Sequence[Part], values: Mapping[str, str], written: Mapping[str, str], version: str
) -> None:
    """Raise where the options that were read are not written as in the line.

    Names of functions may differ, and so may parts that no option stands for.

    Parameters
    ----------
    parts : sequence of Part
    values, written : mapping of str to str
        Values of parts: those of the line, and those of the options read from it.
    version : str
        That of the line.
    """
    for part in parts:
        if part.read is None:
            continue
        before, now = (
            FUNCTION.sub("function", side[part.name]) if part.name in side else None
            for side in (values, written)
        )
        if before == now:
            continue
        if part.name == STOPWORDS.name:
            raise ValueError(
                f"stopwords must be words whose number and digest are {before}, got "
                f"{now or 'no words'}"
            )
        if version == VERSION:
            raise ValueError(
                f"signature is damaged: {part.name} must be {now or 'left out'}, got "
                f"{before or 'nothing'}"
            )
