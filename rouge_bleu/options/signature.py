"""One line that says how a score was made, and the way back to its options.

    rouge_full|0.2.0|types:rouge1,rougeL|tok:rouge_score|case:lower|stem:no|refs:1-3|...

after the signatures of sacreBLEU (Post 2018, "A call for clarity in reporting BLEU
scores", https://aclanthology.org/W18-6319). A part stands in the line if and only if it
can change the score of this corpus, in one normal form: options that give the same
scores in other words give the same line. The tables of parts are in
`rouge/options/signature.py` and `bleu/signature.py`.

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
import hashlib
import json
import re
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any
from urllib.parse import quote, unquote

import numpy as np

from ..data.corpus import Corpus
from ..ground.messages import shown, warn_caller
from ..text.tokenizers import Tokenizer, is_of_sacrebleu
from .checked import CheckedOptions, Options, checked_options

VERSION = "0.2.0"  # of both metrics

_UNESCAPED = "*+-./<>=@[]_~"
_FUNCTION = re.compile(r"function\(([^()]*)\)")
_N_DIGITS_OF_DIGEST = 16
_PAIRED_TEST = "test"


@dataclass(frozen=True, kw_only=True)
class Circumstances:
    """What decides, beside the options, which of them can change a score.

    Parameters
    ----------
    is_tokenized : bool
        Whether lists of tokens are scored, which no tokenizer sees.
    fewest_references, most_references : int
        Of an item.
    load_seed : int
        The seed of `load`.
    has_baseline : bool
        Whether another system is compared.
    draws : str
        How items are drawn for intervals: "multinomial", or "poisson" where batches are
        folded.
    """

    is_tokenized: bool = False
    fewest_references: int = 1
    most_references: int = 1
    load_seed: int = 0
    has_baseline: bool = False
    draws: str = "multinomial"

    @classmethod
    def of_corpus(
        cls, corpus: Corpus, load_seed: int, *, has_baseline: bool = False
    ) -> Circumstances:
        """Return those of a corpus."""
        n_references = np.diff(corpus.reference_offsets)
        return cls(
            is_tokenized=corpus.is_tokenized,
            fewest_references=int(n_references.min()),
            most_references=int(n_references.max()),
            load_seed=load_seed,
            has_baseline=has_baseline,
        )

    @classmethod
    def of_values(cls, values: Mapping[str, str]) -> Circumstances:
        """Return those of which the parts of a line tell."""
        match = re.fullmatch("([0-9]+)(?:-([0-9]+))?", values.get("refs", ""))
        if match is None:
            raise ValueError(
                "signature is damaged: refs must be a number or a range such as 1-3, got "
                f"{values.get('refs')!r}"
            )
        return cls(
            is_tokenized=values.get("tok") == "given",
            fewest_references=int(match[1]),
            most_references=int(match[2] or match[1]),
            has_baseline=_PAIRED_TEST in values,
        )


@dataclass(frozen=True)
class Part:
    """One part of the line.

    Parameters
    ----------
    name : str
    options : tuple of str
        The options that it stands for.
    written : callable
        From options and `Circumstances` to its value, or None where it cannot change
        the score.
    read : callable or None
        From the value to values of options; None: the part is information.
    """

    name: str
    options: tuple[str, ...]
    written: Callable[[Any, Circumstances], str | None]
    read: Callable[[str], Mapping[str, Any]] | None


@dataclass(frozen=True)
class Supplied:
    """Stands for a value that a line only names.

    Parameters
    ----------
    what : str
        What the line says of it.
    is_function : bool
    """

    what: str
    is_function: bool


# --- options -> line ------------------------------------------------------------------


def signature_line(
    name: str, parts: Sequence[Part], options: CheckedOptions, where: Circumstances
) -> str:
    """Return the line of a metric for checked options.

    Parameters
    ----------
    name : str
        The metric.
    parts : sequence of Part
    options : CheckedOptions
    where : Circumstances
    """
    values = _written_values(parts, options, where)
    return "|".join(
        [name, VERSION, *(f"{part}:{value}" for part, value in values.items())]
    )


def _written_values(
    parts: Sequence[Part], options: CheckedOptions, where: Circumstances
) -> dict[str, str]:
    written = {part.name: part.written(options, where) for part in parts}
    return {name: value for name, value in written.items() if value is not None}


# --- line -> options ------------------------------------------------------------------


def options_of_line(
    name: str,
    parts: Sequence[Part],
    options_class: type[Options],
    line: str,
    supplied: Mapping[str, Any],
) -> dict[str, Any]:
    """Return the options that reproduce the score under a line.

    All options that can change a score are among them, so that those of `load` do not
    matter. A line of another version gives a warning.

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
    values, version = _values_of_line(name, [part.name for part in parts], line)
    where = Circumstances.of_values(values)
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
    _check_same_parts(parts, values, _written_values(parts, options, where), version)
    return {option: getattr(options, option) for option in given}


@contextmanager
def _as_damage() -> Iterator[None]:
    """Say of a value that is refused that it stood in a line."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"signature is damaged: {error}") from error


def _values_of_line(
    name: str, known: Collection[str], line: str
) -> tuple[dict[str, str], str]:
    """Return the value of each part of a line, and the version of the metric."""
    if not isinstance(line, str):
        raise TypeError(f"signature must be a string, got {shown(line)}")
    metric, _, rest = line.strip().partition("|")
    if metric != name:
        raise ValueError(
            f"signature must be a line of {name}, which begins with '{name}|', got "
            f"{shown(line)}"
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
            fault = "stands twice" if colon else "has no value"
            raise ValueError(f"signature is damaged: part {part!r} {fault}")
        if part not in known:
            raise ValueError(
                f"signature has a part {part!r}, which {name} {VERSION} does not know: it "
                f"must be one of {', '.join(known)}"
            )
        values[part] = value
    return values, version


def _with_supplied(
    given: Mapping[str, Any], supplied: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the options with what the caller supplied in the places for it."""
    needed = {
        name: value for name, value in given.items() if isinstance(value, Supplied)
    }
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
                f"{name} must be a function, as under the signature, got "
                f"{shown(supplied[name])}"
            )
    return {**given, **supplied}


def _check_same_parts(
    parts: Sequence[Part],
    values: Mapping[str, str],
    written: Mapping[str, str],
    version: str,
) -> None:
    """Raise where the options that were read do not give the same line again.

    A function may have another name by now, and what is information may differ.
    """
    if version != VERSION:
        warn_caller(
            f"the signature is of version {version}, and this is {VERSION}: scores may "
            "differ, as the changelog says"
        )
    for part in parts:
        if part.read is None:
            continue
        before, now = (
            _FUNCTION.sub("function", side[part.name]) if part.name in side else None
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


# --- values ---------------------------------------------------------------------------


def escaped(text: str) -> str:
    """Return a name that a user gave without signs that separate.

    >>> escaped("a|b: 50 %"), unescaped("a%7Cb%3A%2050%20%25")
    ('a%7Cb%3A%2050%20%25', 'a|b: 50 %')
    """
    return quote(text, safe=_UNESCAPED, errors="surrogatepass")


def unescaped(text: str) -> str:
    """Return the name of which this is the escaped form."""
    return unquote(text, errors="surrogatepass")


def number_text(value: float) -> str:
    """Return the shortest text from which the same float can be read.

    >>> [number_text(value) for value in (1, 0.1, -0.0, float("inf"))]
    ['1', '0.1', '0', 'inf']
    """
    return repr(float(value) + 0.0).removesuffix(".0")


def function_text(function: Callable[..., Any]) -> str:
    """Return the name of a function of the user's, marked as one.

    >>> function_text(number_text).rpartition(".")[2], function_text(str.split)
    ('number_text)', 'function(str.split)')
    """
    named = function if hasattr(function, "__qualname__") else type(function)
    module = getattr(named, "__module__", None) or ""
    # The folders into which evaluate copies a metric differ from one copy to the next.
    is_own = str(module).startswith("evaluate_modules.")
    names = [str(module)] if module and not is_own else []
    return f"function({escaped('.'.join([*names, named.__qualname__]))})"


def read_function(option: str, text: str) -> dict[str, Any] | None:
    """Return what stands for a function that a value names, or None if it names none."""
    match = _FUNCTION.fullmatch(text)
    if match is None:
        return None
    return {option: Supplied(f"the function {unescaped(match[1])}", is_function=True)}


def choice_read(option: str, values: Mapping[str, Any]) -> Callable[[str], Any]:
    """Return the function that reads one of some values."""

    def read(text: str) -> dict[str, Any]:
        if text not in values:
            raise ValueError(f"{option} must be {' or '.join(values)}, got {text!r}")
        return {option: values[text]}

    return read


def read_as(option: str, convert: Callable[[str], Any]) -> Callable[[str], Any]:
    """Return the function that reads the value of an option by a conversion."""
    return lambda text: {option: convert(text)}


YES_OR_NO = {"yes": True, "no": False}


def yes_or_no(value: bool) -> str:
    """Return a flag as a line has it."""
    return "yes" if value else "no"


# --- presets --------------------------------------------------------------------------


def preset_by_rules(
    options: Any,
    where: Circumstances,
    acting: Callable[[Any, Any, Circumstances], Hashable],
) -> str | None:
    """Return the preset whose rules act on these options as theirs do.

    A preset is option values, which stand in the line by themselves, and rules. None:
    the rules act as those without a preset. Of several presets it is the first in the
    table.

    Parameters
    ----------
    options : RougeOptions or BleuOptions
    where : Circumstances
    acting : callable
        From rules, options and circumstances to what of the rules can change a score.
    """
    here = acting(options.rules, options, where)
    if here == acting(type(options.rules)(), options, where):
        return None
    for name, preset in options.presets.items():
        if acting(preset.rules, options, where) == here:
            return escaped(name)
    return escaped(options.preset)


# --- parts that both metrics have -----------------------------------------------------


def _references(options: Any, where: Circumstances) -> str:
    fewest, most = where.fewest_references, where.most_references
    return str(fewest) if fewest == most else f"{fewest}-{most}"


def tokenizer_text(tokenizer: str | Tokenizer, where: Circumstances) -> str:
    """Return what makes the tokens: a name, a function, or nobody if they are given."""
    if where.is_tokenized:
        return "given"
    return (
        escaped(tokenizer) if isinstance(tokenizer, str) else function_text(tokenizer)
    )


def read_tokenizer(text: str) -> dict[str, Any]:
    """Read the tokenizer."""
    if text == "given":
        return {}
    return read_function("tokenizer", text) or {"tokenizer": unescaped(text)}


def version_of(package: str) -> str:
    """Return the version of an installed package."""
    return escaped(str(import_module(package).__version__))


def _sacrebleu_version(options: Any, where: Circumstances) -> str | None:
    is_used = is_of_sacrebleu(options.tokenizer) and not where.is_tokenized
    return version_of("sacrebleu") if is_used else None


def _stopwords(options: Any, where: Circumstances) -> str | None:
    """The number of the words, and the beginning of the SHA-256 of their sorted list."""
    words = sorted(options.stopwords or ())
    if not words:
        return None
    digest = hashlib.sha256(json.dumps(words).encode()).hexdigest()
    return f"{len(words)},{digest[:_N_DIGITS_OF_DIGEST]}"


def _read_stopwords(text: str) -> dict[str, Any]:
    what = f"words whose number and digest are {text}"
    return {"stopwords": Supplied(what, is_function=False)}


def is_resampled(options: Any, where: Circumstances) -> bool:
    """Whether there are intervals or p-values, which depend on random draws."""
    is_compared = where.has_baseline and options.use_aggregator
    return options.confidence_level is not None or is_compared


def _confidence_level(options: Any, where: Circumstances) -> str | None:
    level = options.confidence_level
    return None if level is None else number_text(level)


def n_resamples_text(options: Any, where: Circumstances) -> str | None:
    """Return the number of resamples where there are any."""
    return str(int(options.n_resamples)) if is_resampled(options, where) else None


def seed_text(options: Any, where: Circumstances) -> str | None:
    """Return the seed where resamples are drawn by it."""
    if not is_resampled(options, where):
        return None
    return str(int(options.seed_or(where.load_seed)))


def _draws(options: Any, where: Circumstances) -> str | None:
    is_usual = where.draws == "multinomial"
    return None if is_usual or not is_resampled(options, where) else where.draws


def _paired_test(options: Any, where: Circumstances) -> str | None:
    is_tested = where.has_baseline and options.use_aggregator
    return options.paired_test if is_tested else None


CONFIDENCE_LEVEL = Part(
    "ci", ("confidence_level",), _confidence_level, read_as("confidence_level", float)
)
DRAWS = Part("draws", (), _draws, None)
PAIRED_TEST = Part(
    _PAIRED_TEST, ("paired_test",), _paired_test, read_as("paired_test", unescaped)
)
REFERENCES = Part("refs", (), _references, None)
SACREBLEU = Part("sacrebleu", (), _sacrebleu_version, None)
STOPWORDS = Part("stop", ("stopwords",), _stopwords, _read_stopwords)
