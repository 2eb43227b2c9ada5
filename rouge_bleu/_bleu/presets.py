"""Presets, one for each implementation of BLEU: values of options, and rules."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from ..kernels.ngrams import MAX_ORDER
from ..options import preset_error
from ..text.mteval import UNSTRIPPED_13A, UNSTRIPPED_13A_OF_CASE, WHITESPACE_OF_BYTES
from .other_lines import perl_options, sacrebleu_options
from .smoothing import (
    COCO_CAPTION,
    CODEXGLUE,
    MTEVAL,
    NLTK_3_2_5,
    NLTK_3_4_5,
    NLTK_3_5,
    PYMTEVAL,
    Smoothing,
)


@dataclass(frozen=True, kw_only=True)
class BleuRules:
    """A preset: values of options, and rules that have no option."""

    # Values of options. Those in `fixed_options` keep that value, or their default.
    options: Mapping[str, Any] = field(default_factory=dict)
    fixed_options: frozenset[str] = frozenset()
    name: str | None = None  # in the table of presets; None for a command line or signature

    # Weights are scaled to a sum of one. NLTK and torchmetrics do not scale them.
    scales_weights: bool = True
    # The least denominator of each example and order: 1 in NLTK. Below 0 in
    # pymteval, which subtracts n-grams for short texts.
    least_total: int = 0
    # The next order for the last precision in chen-cherry-5 and -7. NLTK takes 5, and smooths the
    # orders of all weightings together; None: the next one.
    next_order: int | None = None
    # Smoothings under which an order with a precision of 0 is left out. In NLTK chen-cherry-4 gives
    # 0 for a single token, whose ln(c) is 0.
    skips_zero_with: frozenset[str] = frozenset()
    # The tokenizers that differ from ours of the same name, by that name.
    own_tokenizers: Mapping[str, str] = field(default_factory=dict)
    # `effective_order` is True for sentences, as in sacreBLEU.
    sentences_use_effective_order: bool = False
    # The result has "counts" and "totals", as in sacreBLEU.
    returns_counts: bool = False
    # BLEU is 0 if the predictions have fewer tokens than there are weights, as in MATLAB.
    needs_every_order: bool = False
    # A prediction with tokens scores 0 if the references have none, instead of
    # `zero_division`, as in MATLAB.
    scores_against_nothing: bool = False
    # If two references are equally close in length, the first counts instead of the shorter,
    # as in torchmetrics.
    takes_first_of_closest: bool = False
    # BLEU is 0 if an order has no match, with any smoothing, as in torchmetrics.
    needs_every_match: bool = False
    # lowercase=True affects only A to Z, except with tokenizers for all scripts, as in mteval and
    # multi-bleu.perl.
    lowercases_ascii: bool = False
    # The formulas that replace smoothings, by name.
    formulas: Mapping[str, Smoothing] = field(default_factory=dict)


NO_PRESET = BleuRules()
_NLTK = BleuRules(
    scales_weights=False, least_total=1, next_order=5, skips_zero_with=frozenset({"chen-cherry-4"})
)
_MTEVAL = BleuRules(
    formulas={"exp": MTEVAL},
    lowercases_ascii=True,
    fixed_options=frozenset({"smooth", "smoothing_value", "effective_order", "zero_division"}),
)
_SAID_BY_FORMULA = _MTEVAL.fixed_options | {"smoothing"}

_PRESETS = {
    "sacrebleu": BleuRules(
        options={"smoothing": "exp"}, sentences_use_effective_order=True, returns_counts=True
    ),
    "evaluate": BleuRules(
        options={"reference_length": "shortest"}, own_tokenizers={"13a": UNSTRIPPED_13A}
    ),
    "nltk": replace(_NLTK, options={"tokenizer": "whitespace"}),
    "matlab": BleuRules(
        options={"zero_division": math.nan}, needs_every_order=True, scores_against_nothing=True
    ),
    "torchmetrics": BleuRules(
        options={"tokenizer": "whitespace"},
        scales_weights=False,
        own_tokenizers={"13a": UNSTRIPPED_13A_OF_CASE},
        takes_first_of_closest=True,
        needs_every_match=True,
    ),
    "mteval-v13a.pl": replace(_MTEVAL, options={"smoothing": "exp", "lowercase": True}),
    "multi-bleu.perl": BleuRules(
        options={"tokenizer": "whitespace"},
        lowercases_ascii=True,
        own_tokenizers={"whitespace": WHITESPACE_OF_BYTES},
    ),
    "t2t": replace(
        _MTEVAL, options={"smoothing": "exp", "tokenizer": "t2t"}, lowercases_ascii=False
    ),
    "fairseq": BleuRules(options={"tokenizer": "fairseq"}),
    "ignite": replace(_NLTK, options={"tokenizer": "whitespace", "level": "sentence"}),
    "coco-caption": BleuRules(
        options={
            "tokenizer": "whitespace",
            "weights": {"bleu": [1, 1, 1, 1], "bleu_1": [1], "bleu_2": [1, 1], "bleu_3": [1, 1, 1]},
        },
        formulas={"none": COCO_CAPTION},
        fixed_options=_SAID_BY_FORMULA,
    ),
    "codexglue": BleuRules(
        options={
            "tokenizer": "codexglue",
            "lowercase": True,
            "reference_length": "shortest",
            "level": "sentence",
        },
        formulas={"none": CODEXGLUE},
        fixed_options=_SAID_BY_FORMULA,
    ),
    "pymteval": BleuRules(
        options={"tokenizer": "pymteval", "lowercase": True},
        least_total=-MAX_ORDER,
        formulas={"none": PYMTEVAL},
        fixed_options=_SAID_BY_FORMULA,
    ),
    **{
        f"nltk-{release}": replace(_NLTK, options={"tokenizer": "whitespace"}, formulas=formulas)
        for release, formulas in (("3.2.5", NLTK_3_2_5), ("3.4.5", NLTK_3_4_5), ("3.5", NLTK_3_5))
    },
}
BLEU_PRESETS = {name: replace(preset, name=name) for name, preset in _PRESETS.items()}


def bleu_preset(name: Any) -> BleuRules:
    """Return the preset of a name, command line or signature, or raise a ValueError."""
    found = (BLEU_PRESETS.get(name) or _preset_of_line(name)) if isinstance(name, str) else None
    if found is None:
        raise preset_error("bleu", name, tuple(BLEU_PRESETS))
    return found


@lru_cache(maxsize=64)
def _preset_of_line(line: str) -> BleuRules | None:
    """Return the preset of a line, or None; an unknown part raises a ValueError."""
    options = sacrebleu_options(line) or perl_options(line)
    if options is None:
        return None
    of_preset = NO_PRESET if options["preset"] is None else BLEU_PRESETS[options["preset"]]
    beside = {option: value for option, value in options.items() if option != "preset"}
    return replace(of_preset, options={**of_preset.options, **beside})
