"""One line that tells how a score was computed, and the options that it restores.

    rouge_full|0.5.0|preset:none|types:rouge1,rougeL|tok:rouge_score|case:lower|stem:no|multi:best|avg:mean|n:9|refs:1-3

like the signatures of sacreBLEU (Post 2018, https://aclanthology.org/W18-6319). A value with an
argument is a(b); other characters of a user's names are written as %20. Functions and stop words
are only named. `n` and `refs` end every line, so that a truncated line is noticed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from typing import Any

import numpy as np

from .messages import shown, warn_caller
from .options import CheckedOptions, Option, check_choice, checked_options, merged_values, must_be
from .registry import cleaned_line, preset_module
from .text.stemming import ROUGE_155_STEMMER, plain_rouge155_stemmer
from .text.tokenizers import tokenizer_rules
from .version import VERSION

# Parts that are not options. Parts about resampling occur only if it is used.
INFORMATION_PARTS = ("draws", "by", "n", "refs")
_OF_FUNCTIONS = ("tok", "stem", "split")  # parts that may name a function, which the user supplies

# --- options -> line --------------------------------------------------------------------


def signature_line(
    name: str,
    options: Any,
    *,
    n_examples: int,
    n_references: tuple[int, int],
    is_tokenized: bool,
    seed: int,
    has_baseline: bool = False,
    draws: str | None = None,
) -> Any:
    """Return the line of a metric, or its record, for checked options and a scored corpus.

    `n_references` are the fewest and the most; `draws` names a resampling method other than `compute`'s.
    """
    from importlib.metadata import version  # modules that few calls need are imported there

    options_class = type(options)
    parts = {"preset": escaped(options.rules.name or "none")}
    parts |= options.signature_parts(is_tokenized)
    is_tested = has_baseline and options.use_aggregator
    is_resampled = is_tested or options.confidence_level is not None
    drawn = {"bs": value_text(options.n_resamples)} if is_resampled else {}
    has_samples = is_resampled or parts.get("avg") == "resampled_median"
    if has_samples and "seed" not in options.rules.fixed_options:
        drawn["seed"] = value_text(options.seed_or(seed))
    drawn |= {"test": options.paired_test} if is_tested else {}
    usual = merged_values(options_class, _read_parts(options_class, parts)[0], {})
    for option_name, option in options_class.declarations().items():
        if option.sign in (None, "stop", *parts):
            continue
        text = value_text(getattr(options, option_name))
        is_usual = text == value_text(usual.get(option_name, option.default))
        if option.sign in drawn or option.is_always_signed or not is_usual:
            parts[option.sign] = drawn.get(option.sign, text)
    if draws is not None and is_resampled:
        parts["draws"] = draws
    package = None if is_tokenized else tokenizer_rules(options.tokenizer_name).package
    packages = [*([package] if package else []), *options.packages]
    if packages:
        parts["by"] = ",".join(f"{one}({escaped(version(one))})" for one in packages)
    refs = "-".join(map(str, dict.fromkeys(n_references)))
    parts |= {"n": str(n_examples), "refs": refs}
    line = "|".join([name, VERSION, *(f"{part}:{text}" for part, text in parts.items())])
    if options.signature != "json":
        return line
    signed = [option for option, one in options_class.declarations().items() if one.sign]
    theirs = None
    if name == "bleu_full" and not is_tokenized:
        theirs = preset_module("sacrebleu").sacrebleu_signature(options, refs)
    return {
        "metric": name,
        "version": VERSION,
        "options": {option: json_value(getattr(options, option)) for option in signed}
        | {"seed": options.seed_or(seed)},
        "packages": {one: version(one) for one in packages},
        "n_examples": n_examples,
        "n_references": [*n_references],
        "line": line,
        **({"sacrebleu": theirs} if theirs else {}),
    }


# --- line -> options --------------------------------------------------------------------


def parse_signature(
    name: str, options_class: type[CheckedOptions], line: str, supplied: Mapping[str, Any]
) -> dict[str, Any]:
    """Return all options of a line that can change the score; `supplied` are values it only names."""
    if not isinstance(line, str):
        raise TypeError(f"signature must be a string, got {shown(line)}")
    line = cleaned_line("signature", line)
    needed: dict[str, str] = {}
    given = options_class.options_of_other_line(line)
    if given is None:
        try:
            given, needed = _read_parts(options_class, _parts_of_line(name, options_class, line))
            checked_options(options_class, given)
        except ValueError as error:
            raise ValueError(f"signature is damaged: {error}") from error
    options = checked_options(options_class, {**given, **_checked_supplied(needed, supplied)})
    declarations = options_class.declarations()
    return {name: getattr(options, name) for name, one in declarations.items() if one.sign}


def _parts_of_line(name: str, options_class: Any, line: str) -> dict[str, str]:
    start = re.match(rf"{name.replace('_', '[_ ]')}\|([0-9]+(?:\.[0-9]+)+\w*)\|", line)
    if start is None:
        raise ValueError(
            f"it must begin with '{name}|' and a version such as {VERSION}, got {shown(line)}"
        )
    declared = (option.sign for option in options_class.declarations().values() if option.sign)
    known = [*dict.fromkeys(declared), *INFORMATION_PARTS]
    found: dict[str, str] = {}
    for text in line[start.end() :].split("|"):
        part, colon, value = text.partition(":")
        check_choice("part of it", part, known)
        if not colon or part in found:
            fault = "appears twice" if colon else "has no value, maybe truncated"
            raise ValueError(f"part {part!r} {fault}")
        found[part] = value
    required = ["preset", "tok", *options_class.part_readers, "n", "refs"]
    if missing := [part for part in required if part not in (*found, "weights")]:
        raise ValueError(f"it has no part {missing[0]}, maybe truncated")
    if start[1] != VERSION:
        warn_caller(
            f"the signature is from version {start[1]}, and this is version {VERSION}: "
            "scores may differ (see the changelog)"
        )
    return found


def _read_parts(
    options_class: Any, parts: Mapping[str, str]
) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the options of the parts of a line, and the options to supply."""
    declarations = options_class.declarations()
    declared = {option.sign: (name, option) for name, option in declarations.items()}
    given: dict[str, Any] = {}
    needed: dict[str, str] = {}
    for part, text in parts.items():
        if part in INFORMATION_PARTS or (part, text) == ("tok", "given"):
            continue
        name, option = declared[part]
        if part == "stop" or (part in _OF_FUNCTIONS and text.startswith("function(")):
            needed[name] = text
        elif part in options_class.part_readers:
            given |= options_class.part_readers[part](text)
        else:
            given[name] = _read_value(option, text)
    return given, needed


def _checked_supplied(needed: Mapping[str, str], supplied: Mapping[str, Any]) -> Any:
    """Return the supplied functions and stop words of a line."""
    given = dict(supplied)
    for name in given.keys() - needed.keys():
        needs = ", ".join(needed) or "nothing"
        raise TypeError(f"options_of_signature() got {name!r}, but the signature needs {needs}")
    for name, text in needed.items():
        if (value := given.get(name)) is None:
            raise ValueError(
                f"{name} must be supplied: the signature has only {text}. Pass "
                f"options_of_signature(signature, {name}=...)"
            )
        if name == "stopwords":
            given[name] = list(value)  # an iterator can be read only once
            if (digest := digest_of(given[name])) != text:
                raise ValueError(
                    f"stopwords must have the number and digest of the signature, {text}, got {digest}"
                )
        else:
            must_be("a function, as in the signature", callable, TypeError)(name, value)
    return given


# --- values -----------------------------------------------------------------------------


def value_text(value: Any) -> str:
    """Return the text of a value: none, yes, 0.1, inf, function(str.split)."""
    if callable(value):
        return function_text(value)
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if value is None:
        return "none"
    return escaped(value) if isinstance(value, str) else number_text(value)


def options_text(options: CheckedOptions) -> str:
    """Return the version and the values of all options that may change a result."""
    import json

    names = [name for name in options.declarations() if name not in ("n_jobs", "signature")]
    return json.dumps([VERSION, {name: json_value(getattr(options, name)) for name in names}])


def json_value(value: Any) -> Any:
    """Return a value of an option as `json.dumps` takes it; a function by its name."""
    if value is plain_rouge155_stemmer():  # of -m in a command line
        return ROUGE_155_STEMMER
    if callable(value):
        return function_text(value)
    if isinstance(value, Mapping):
        return {name: json_value(one) for name, one in value.items()}
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    if isinstance(value, (list, tuple, np.ndarray)):
        return [json_value(one) for one in value]
    return value.item() if isinstance(value, np.generic) else value


def _read_value(option: Option, text: str) -> Any:
    # A line names every tokenizer, and one of sacreBLEU's is called "none".
    if text == "none" and option.default is None and option.sign != "tok":
        return None
    if option.kind is bool:
        return check_choice(str(option.sign), text, ("yes", "no")) == "yes"
    return option.kind(unescaped(text))


def number_text(value: float) -> str:
    """Return the shortest text from which the same float is read.

    >>> number_text(0.1), number_text(2.0), number_text(-0.0)
    ('0.1', '2', '0')
    """
    return repr(float(value) + 0.0).removesuffix(".0")


def escaped(text: str) -> str:
    """Return a name that a user gave without characters that separate."""
    from urllib.parse import quote

    return quote(text, safe="*+-./<>=@[]_~", errors="surrogatepass")


def unescaped(text: str) -> str:
    from urllib.parse import unquote

    return unquote(text, errors="surrogatepass")


def function_text(function: Callable[..., Any]) -> str:
    """Return the name of a user-defined function, marked as a function."""
    named = function if hasattr(function, "__qualname__") else type(function)
    module = str(getattr(named, "__module__", None) or "")
    # The folders into which evaluate copies a metric differ from one copy to the next.
    is_own = module.startswith(("evaluate_modules.", "rouge_bleu."))
    names = [module] if module and not is_own else []
    return f"function({escaped('.'.join([*names, named.__qualname__]))})"


def digest_of(words: Collection[str]) -> str:
    """Return how many words there are, and the beginning of the SHA-256 of their list."""
    import hashlib
    import json

    listed = sorted(set(words))
    digest = hashlib.sha256(json.dumps(listed).encode()).hexdigest()
    return f"{len(listed)},{digest[:16]}"


def read_case(text: str) -> dict[str, Any]:
    """Return the options of the part "case" of a line."""
    return {"lowercase": check_choice("case", text, ("lower", "mixed", "stemmed")) == "lower"}
