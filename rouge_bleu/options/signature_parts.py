"""Parts of a signature: how the value of an option is written in the line and read again.

Here are the parts that both metrics have, and what each metric makes its own parts of.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from typing import Any
from urllib.parse import quote, unquote

import numpy as np

from ..corpus import Corpus
from ..text.tokenizers import Tokenizer, package_of_tokenizer

_UNESCAPED = "*+-./<>=@[]_~"
FUNCTION = re.compile(r"function\(([^()]*)\)")
_N_DIGITS_OF_DIGEST = 16
_PAIRED_TEST = "test"


@dataclass(frozen=True, kw_only=True)
class ScoredRun:
    """A run of a metric, as far as it decides which options can change the score.

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
    def of_corpus(cls, corpus: Corpus, load_seed: int, *, has_baseline: bool = False) -> ScoredRun:
        """Return the run in which a corpus is scored."""
        n_references = np.diff(corpus.reference_offsets)
        return cls(
            is_tokenized=corpus.is_tokenized,
            fewest_references=int(n_references.min()),
            most_references=int(n_references.max()),
            load_seed=load_seed,
            has_baseline=has_baseline,
        )

    @classmethod
    def of_values(cls, values: Mapping[str, str]) -> ScoredRun:
        """Return the run of a line, from the values of its parts."""
        if "refs" not in values:
            raise ValueError(
                "signature is damaged: it has no part refs, so the line may be cut off"
            )
        match = re.fullmatch("([0-9]+)(?:-([0-9]+))?", values["refs"])
        if match is None:
            raise ValueError(
                "signature is damaged: refs must be a number or a range such as 1-3, got "
                f"{values['refs']!r}"
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
        The options that it stands for in the line.
    written : callable
        From options and a run to its value, or None where it cannot change the score.
    read : callable or None
        From the value to values of options; None: the part is information.
    """

    name: str
    options: tuple[str, ...]
    written: Callable[[Any, ScoredRun], str | None]
    read: Callable[[str], Mapping[str, Any]] | None


@dataclass(frozen=True)
class Supplied:
    """Stands for a value that a line only names.

    Parameters
    ----------
    what : str
        What the line says of it.
    is_function : bool
        Whether it is a function; else these are words.
    """

    what: str
    is_function: bool


# --- values ---------------------------------------------------------------------------


def escaped(text: str) -> str:
    """Return a name that a user gave without signs that separate.

    >>> escaped("a|b: 50 %"), unescaped("a%7Cb%3A%2050%20%25")
    ('a%7Cb%3A%2050%20%25', 'a|b: 50 %')
    """
    return quote(text, safe=_UNESCAPED, errors="surrogatepass")


def unescaped(text: str) -> str:
    """Return the name that was escaped so."""
    return unquote(text, errors="surrogatepass")


def number_text(value: float) -> str:
    """Return the shortest text from which the same float can be read.

    >>> [number_text(value) for value in (1, 0.1, -0.0, float("inf"))]
    ['1', '0.1', '0', 'inf']
    """
    return repr(float(value) + 0.0).removesuffix(".0")


def function_text(function: Callable[..., Any]) -> str:
    """Return the name of a function of the user's, marked as one.

    >>> function_text(number_text), function_text(str.split)
    ('function(number_text)', 'function(str.split)')
    """
    named = function if hasattr(function, "__qualname__") else type(function)
    module = getattr(named, "__module__", None) or ""
    # The folders into which evaluate copies a metric differ from one copy to the next.
    is_own = str(module).startswith(("evaluate_modules.", "rouge_bleu."))
    names = [str(module)] if module and not is_own else []
    return f"function({escaped('.'.join([*names, named.__qualname__]))})"


def read_function(option: str, text: str) -> dict[str, Any] | None:
    """Return the option as one to be supplied; None where the text names no function."""
    match = FUNCTION.fullmatch(text)
    if match is None:
        return None
    return {option: Supplied(f"the function {unescaped(match[1])}", is_function=True)}


def choice_read(option: str, values: Mapping[str, Any]) -> Callable[[str], Any]:
    """Return a reader of an option that has one of some values, given by their texts."""

    def read(text: str) -> dict[str, Any]:
        if text not in values:
            raise ValueError(f"{option} must be {' or '.join(values)}, got {text!r}")
        return {option: values[text]}

    return read


def read_as(option: str, convert: Callable[[str], Any]) -> Callable[[str], Any]:
    """Return a reader that converts the text to the value of an option."""
    return lambda text: {option: convert(text)}


YES_OR_NO = {"yes": True, "no": False}


def yes_or_no(value: bool) -> str:
    """Return a flag as a line has it."""
    return "yes" if value else "no"


# --- presets --------------------------------------------------------------------------


def preset_by_rules(
    options: Any, run: ScoredRun, acting: Callable[[Any, Any, ScoredRun], Hashable]
) -> str | None:
    """Return the name by which the rules of these options stand in the line.

    It is that of the first preset in the table that fixes the same options and whose
    rules give the same scores with these. None: the scores are those without rules of a
    preset. The values of a preset's options stand in the line by themselves.

    Parameters
    ----------
    options : RougeOptions or BleuOptions
    run : ScoredRun
    acting : callable
        From rules, options and a run to what of the rules can change the score.
        Rules for which it is equal give the same scores.
    """
    acts = acting(options.rules, options, run)
    if acts == acting(type(options.rules)(), options, run):
        return None
    for name, preset in options.presets.items():
        fixes_same = preset.rules.fixed_options == options.rules.fixed_options
        if fixes_same and acting(preset.rules, options, run) == acts:
            return escaped(name)
    return escaped(options.preset)


# --- parts that both metrics have -----------------------------------------------------


def _references(options: Any, run: ScoredRun) -> str:
    fewest, most = run.fewest_references, run.most_references
    return str(fewest) if fewest == most else f"{fewest}-{most}"


def tokenizer_text(tokenizer: str | Tokenizer, run: ScoredRun) -> str:
    """Return what makes the tokens: a name or a function; "given" where nothing does."""
    if run.is_tokenized:
        return "given"
    if isinstance(tokenizer, str):
        return escaped(tokenizer)
    return function_text(tokenizer)


def read_tokenizer(text: str) -> dict[str, Any]:
    """Return the option for what `tokenizer_text` wrote."""
    if text == "given":
        return {}
    return read_function("tokenizer", text) or {"tokenizer": unescaped(text)}


def version_of(package: str) -> str:
    """Return the version of an installed package."""
    return escaped(str(import_module(package).__version__))


def _package(options: Any, run: ScoredRun) -> str | None:
    """Return the package that makes the tokens."""
    return None if run.is_tokenized else package_of_tokenizer(options.tokenizer_name)


def _sacrebleu_version(options: Any, run: ScoredRun) -> str | None:
    is_used = _package(options, run) == "sacrebleu"
    return version_of("sacrebleu") if is_used else None


def _other_package(options: Any, run: ScoredRun) -> str | None:
    """Return the name and the version of another package than sacreBLEU."""
    package = _package(options, run)
    if package in (None, "sacrebleu"):
        return None
    return f"{escaped(package)}({escaped(version(package))})"


def _stopwords(options: Any, run: ScoredRun) -> str | None:
    """Return how many words there are, and the first digits of their list's SHA-256."""
    words = sorted(options.stopwords or ())
    if not words:
        return None
    digest = hashlib.sha256(json.dumps(words).encode()).hexdigest()
    return f"{len(words)},{digest[:_N_DIGITS_OF_DIGEST]}"


def _read_stopwords(text: str) -> dict[str, Any]:
    what = f"words whose number and digest are {text}"
    return {"stopwords": Supplied(what, is_function=False)}


def is_resampled(options: Any, run: ScoredRun) -> bool:
    """Whether there are intervals or p-values, which depend on random draws."""
    return options.confidence_level is not None or _is_tested(options, run)


def _is_tested(options: Any, run: ScoredRun) -> bool:
    return run.has_baseline and options.use_aggregator


def _confidence_level(options: Any, run: ScoredRun) -> str | None:
    level = options.confidence_level
    return None if level is None else number_text(level)


def n_resamples_text(options: Any, run: ScoredRun) -> str | None:
    """Return the number of resamples where there are any."""
    return str(int(options.n_resamples)) if is_resampled(options, run) else None


def seed_text(options: Any, run: ScoredRun) -> str | None:
    """Return the seed where resamples are drawn by it."""
    if not is_resampled(options, run):
        return None
    return str(int(options.seed_or(run.load_seed)))


def _draws(options: Any, run: ScoredRun) -> str | None:
    is_usual = run.draws == "multinomial"
    return None if is_usual or not is_resampled(options, run) else run.draws


def _paired_test(options: Any, run: ScoredRun) -> str | None:
    return options.paired_test if _is_tested(options, run) else None


CONFIDENCE_LEVEL = Part(
    "ci", ("confidence_level",), _confidence_level, read_as("confidence_level", float)
)
DRAWS = Part("draws", (), _draws, None)
PAIRED_TEST = Part(_PAIRED_TEST, ("paired_test",), _paired_test, read_as("paired_test", unescaped))
REFERENCES = Part("refs", (), _references, None)
PACKAGE = Part("by", (), _other_package, None)
SACREBLEU = Part("sacrebleu", (), _sacrebleu_version, None)
STOPWORDS = Part("stop", ("stopwords",), _stopwords, _read_stopwords)
