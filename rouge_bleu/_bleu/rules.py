"""The record of a preset of BLEU: values of options, and rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..corpus import Corpus
from ..text.tokenizer_rules import TokenizerRules
from .definition import ReferenceLength
from .smoothing import Smoothing


@dataclass(frozen=True, kw_only=True)
class BleuRules:
    """A preset of BLEU: values of options, and rules that have no option."""

    # Values of options. Those in `fixed_options` keep that value, or their default.
    options: Mapping[str, Any] = field(default_factory=dict)
    fixed_options: frozenset[str] = frozenset()
    name: str | None = None  # of the preset, also of its signatures; None without a preset
    # What it reproduces, for which texts people use that, and to which digits: docs/reference/presets.md.
    about: tuple[str, str, str] = ("", "", "")

    # Weights are scaled to a sum of one. NLTK and torchmetrics do not scale them.
    scales_weights: bool = True
    # The least denominator of each example and order: 1 in NLTK. Below 0 in
    # pymteval, which subtracts n-grams for short texts.
    least_total: int = 0
    # The next order for the last precision in chen-cherry-5 and -7. NLTK takes 5, and smooths the
    # orders of all weightings together; None: the next one.
    next_order: int | None = None
    # The tokenizers that differ from ours of the same name, by that name.
    own_tokenizers: Mapping[str, TokenizerRules] = field(default_factory=dict)
    # `effective_order` is True for sentences, as in sacreBLEU.
    sentences_use_effective_order: bool = False
    # The result has "counts" and "totals", as in sacreBLEU.
    returns_counts: bool = False
    # lowercase=True affects only A to Z, except with these tokenizers; None: all scripts.
    lowercases_ascii_except: frozenset[str] | None = None
    warn: Callable[[Any, Corpus], None] = lambda options, corpus: None  # of what may mislead
    # What replaces smoothings, and the functions of reference lengths, by name.
    formulas: Mapping[str, Smoothing] = field(default_factory=dict)
    reference_lengths: Mapping[str, ReferenceLength] = field(default_factory=dict)


NO_PRESET = BleuRules()
# The options that have no effect with the formula of a preset.
FIXED_BY_FORMULA = frozenset(
    {"smooth", "smoothing", "smoothing_value", "effective_order", "zero_division"}
)
