"""sacreBLEU 2.6.0, its tokenizers, and its signatures.

    nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.0.0       since 2.0, or in short
    BLEU+case.mixed+lang.en-de+numrefs.1+smooth.exp+tok.13a+version.1.4.2      before 2.0

Scores are those of sacreBLEU since 2.2; of older releases only the tokenizer "intl" is followed.
Smoothing is "exp", and sentences use the effective order. tests/presets/test_sacrebleu.py runs it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

import numpy as np

from .._bleu.rules import BleuRules
from ..corpus import Corpus
from ..messages import warn_caller
from ..options import close_name, merged_values
from ..text.stemming import import_optional
from ..text.tokenizer_rules import TokenizerRules, lowered, rules_by_text
from . import with_options
from .mteval import split_international

BLEU = {
    "sacrebleu": BleuRules(
        about=(
            "sacreBLEU 2.6.0; `sentence_bleu` with `use_aggregator=False`",
            "translation",
            "all digits",
        ),
        options={"smoothing": "exp"},
        sentences_use_effective_order=True,
        returns_counts=True,
    )
}

# --- tokens ---------------------------------------------------------------------------------------

_NAMES_OF_SACREBLEU = "intl zh ja-mecab ko-mecab spm flores101 flores200 spBLEU-1K".split()


@lru_cache(maxsize=8)
def sacrebleu_tokenizer(name: str) -> Callable[[str], list[str]]:
    """Return one of sacreBLEU's tokenizers; an ImportError names a missing package."""
    metrics = import_optional(f"tokenizer {name!r}", "sacrebleu.metrics")
    try:
        tokenizer = metrics.BLEU(tokenize=name).tokenizer
    except (ImportError, RuntimeError, OSError, AttributeError, AssertionError) as error:
        # A package or a model that only this tokenizer needs is missing; the last two errors
        # come from another version of MeCab or its dictionary.
        why = " ".join(str(error).split())
        extra, is_mecab, _ = name.partition("-mecab")
        if is_mecab and "pip install" not in why:
            why += f": pip install 'sacrebleu[{extra}]'"
        raise ImportError(f"tokenizer {name!r} of sacreBLEU cannot be used: {why}") from error
    return lambda text: tokenizer(text.rstrip()).split()


def _tokenizer_rules_of_sacrebleu(name: str) -> TokenizerRules:
    return rules_by_text(
        lambda text: sacrebleu_tokenizer(name)(text),
        is_thread_safe=False,  # some of them keep state
        check_installed=partial(sacrebleu_tokenizer, name),
        package="sacrebleu",
    )


TOKENIZERS = {
    "none": rules_by_text(str.split),
    **{name: _tokenizer_rules_of_sacrebleu(name) for name in _NAMES_OF_SACREBLEU},
    "intl-1.5.1": rules_by_text(  # the last release that has it
        partial(split_international, of_t2t=True),
        lambda text, lowercase: lowered(text.rstrip(), lowercase),
    ),
}

# --- signatures -----------------------------------------------------------------------------------

_LONG_PART_NAMES = {
    **{"\x23": "nrefs", "c": "case", "e": "eff", "s": "smooth", "v": "version"},
    **{"t": "test", "l": "lang", "S": "subset", "o": "origlang", "rs": "seed"},
    "numrefs": "nrefs",
}
_PARTS_WITHOUT_EFFECT = ("nrefs", "version", "test", "lang", "subset", "origlang")
_REQUIRED_PARTS = ("case", "eff", "tok", "smooth")  # of each line since 2.0
_OPTIONS_OF_PART: dict[tuple[str, str], dict[str, Any]] = {
    **{("case", case): {"lowercase": case == "lc"} for case in ("mixed", "lc")},
    **{("eff", answer): {"effective_order": answer == "yes"} for answer in ("no", "yes")},
    **{("smooth", name): {"smoothing": name} for name in ("exp", "none")},
    ("seed", "none"): {},
}
_SMOOTHING_WITH_VALUE = re.compile(r"(floor|add-k|add-n)(?:\[([0-9.]+)\])?")


def _signature_parts(text: str) -> tuple[dict[str, str], bool]:
    """Return the parts of a signature, none of other texts, and whether it is older than 2.0."""
    columns = text.strip().partition(" = ")[0].split("|")
    line = "|".join(map(str.strip, columns))  # spaces are as copied from a PDF
    is_before_2 = bool(re.match(r"BLEU\+.*?\+v(ersion)?\.\S", line))
    if is_before_2:
        parts = [part.partition(".")[::2] for part in line.split("+")[1:]]
    elif re.fullmatch(r"(BLEU\|)?(nrefs|\x23):[^|]+\|.*", line):
        parts = [part.partition(":")[::2] for part in line.removeprefix("BLEU|").split("|")]
    else:
        parts = []
    return {_LONG_PART_NAMES.get(name, name): value for name, value in parts}, is_before_2


def options_of_sacrebleu_signature(text: str) -> dict[str, Any] | None:
    """Return the options of a signature, or None for any other text.

    An unknown or missing part raises a ValueError: a truncated line would give a different score.
    """
    parts, is_before_2 = _signature_parts(text)
    if not parts:
        return None
    options: dict[str, Any] = {"preset": "sacrebleu"}
    for name, value in parts.items():
        if name not in _PARTS_WITHOUT_EFFECT:
            options |= _options_of_part(name, value)
    missing = [name for name in _REQUIRED_PARTS if name not in parts]
    if missing and not is_before_2:
        raise ValueError(
            f"this signature of sacreBLEU has no {' and no '.join(missing)}: pass the "
            "whole line, or preset='sacrebleu' and options"
        )
    if is_before_2 and options.get("tokenizer") == "intl":
        options["tokenizer"] = "intl-1.5.1"
    return options


def sacrebleu_signature(options: Any, refs: str) -> str | None:
    """Return the signature that sacreBLEU prints with this score, or None for other settings.

    `options` are those of BLEU, `refs` the number of references of each example: "1", or "1-4".
    """
    smoothing = {"none": "none", "exp": "exp", "floor": "floor[{:.2f}]", "add-k": "add-k[{:.2f}]"}
    tokenizer, method = options.tokenizer_name, smoothing.get(options.smoothing)
    theirs = {"none", "13a", "char", *_NAMES_OF_SACREBLEU} - {"ja-mecab", "ko-mecab"}
    if not (tokenizer in theirs and method and options.rules.name in (None, "sacrebleu")):
        return None
    parts = {
        "nrefs": refs if refs.isdecimal() else "var",
        "case": "lc" if options.lowercase else "mixed",
        "eff": "yes" if options.effective_order else "no",
        "tok": tokenizer,
        "smooth": method.format(options.smoothing_constant),
        "version": "2.6.0",
    }
    line = "|".join(map(":".join, parts.items()))
    read = type(options)(**merged_values(type(options), {"preset": line}, {}))
    names = "use_aggregator level weights max_order reference_length smooth smoothing_constant"
    names += " zero_division"
    is_same = all(getattr(read, name) == getattr(options, name) for name in names.split())
    return line if is_same else None


def _options_of_part(name: str, value: str) -> dict[str, Any]:
    if (name, value) in _OPTIONS_OF_PART:
        return _OPTIONS_OF_PART[name, value]
    if name == "tok" and value:  # versions follow the names of Japanese and Korean tokenizers
        return {"tokenizer": re.sub(r"^(ja-mecab|ko-mecab)-.*", r"\1", value)}
    if name == "smooth" and (match := _SMOOTHING_WITH_VALUE.fullmatch(value)):
        smoothing = match[1].replace("add-n", "add-k")
        if match[2] is None:
            raise ValueError(
                f"this signature of sacreBLEU does not have the value of smooth.{smoothing}: pass "
                f"preset='sacrebleu', smoothing={smoothing!r}, smoothing_value=..."
            )
        return {"smoothing": smoothing, "smoothing_value": float(match[2])}
    if name in ("bs", "ar", "seed") and value.isdecimal():
        options = {"seed" if name == "seed" else "n_resamples": int(value)}
        return {"confidence_level": 0.95, **options} if name == "bs" else options
    known = (*_REQUIRED_PARTS, "bs", "ar", "seed", *_PARTS_WITHOUT_EFFECT)
    close = None if name in known else close_name(name, known)
    raise ValueError(
        f"unknown part {name!r} with value {value!r} in a signature of sacreBLEU"
        + (f". Did you mean {close!r}?" if close else "")
    )


def _warn_of_other_nrefs(said: str, options: Any, corpus: Corpus) -> None:
    n_references = np.diff(corpus.reference_offsets)
    # "var" is any number; a batch may be empty.
    if said.isdecimal() and len(corpus) and int(said) != n_references.max():
        warn_caller(f"The signature has nrefs:{said}, but the number of references is different.")


def rules_of_line(text: str) -> BleuRules | None:
    """Return the rules of a signature, or None for any other text."""
    options, (parts, _) = options_of_sacrebleu_signature(text), _signature_parts(text)
    if options is None:
        return None
    name = options.pop("preset")
    warn = partial(_warn_of_other_nrefs, parts.get("nrefs", ""))
    return with_options(BLEU[name], options, name=name, warn=warn)
