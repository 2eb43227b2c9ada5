"""The presets of `rouge_full`: values of options, and the rules of an implementation."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from ..options import Preset
from ..text.stemming import NLTK_EXTENSIONS, ORIGINAL_ALGORITHM
from .command_line import rouge155_command
from .scores import MULTI_REFERENCES, PairRules

_PLAIN_PAIRS = PairRules()
ALL_FAMILIES = frozenset({"N", "L", "Lsum", "W", "S", "SU"})


@dataclass(frozen=True, kw_only=True)
class RougeRules:
    """What an implementation does that no option says. The defaults are ours."""

    # How matches and totals are counted, a key of `PACKAGES`: as in the "paper", in the Perl
    # script "rouge-1.5.5", by its rules "unrounded" as in rouge-metric, "distinct" n-grams as in
    # PyPI's rouge and rouge-chinese, by "single blanks" as in coco-caption, or as in the package.
    counting: str = "paper"
    # How scores of examples are averaged: by the "mean", "resampled_median" as in evaluate's
    # `rouge`, or "f_of_means" as in rouge-metric.
    average: str = "mean"
    # What is computed from the counts of a pair.
    pairs: PairRules = _PLAIN_PAIRS
    # Where sentences end in "distinct" counting: at "full stops" as in PyPI's rouge, or at
    # "wide stops" as in rouge-chinese.
    sentence_rule: str = "full stops"
    # rougeL of "distinct" counting takes the distinct words of all longest common subsequences of
    # sentences, as in PyPI's rouge and ROUGE-2.0, instead of the longest one of the texts.
    lcs_of_distinct_words: bool = False
    # The names of the families of rouge types that there are.
    families: frozenset[str] = ALL_FAMILIES
    # The mode of NLTK's Porter stemmer, which `use_stemmer` is.
    porter_mode: str = NLTK_EXTENSIONS
    # A function as tokenizer replaces stemming, as in rouge_score.
    tokenizer_replaces_stemmer: bool = False
    # rougeW takes any weight above 0, as in ROUGE-1.5.5.
    takes_weights_below_1: bool = False
    # The choices among several references that there are.
    multi_references: tuple[str, ...] = tuple(MULTI_REFERENCES)
    # max_words and max_bytes cannot both be given, as in ROUGE-1.5.5.
    takes_one_limit: bool = False
    # Scores of the corpus are means, so that resampled examples compare two systems.
    resamples_items: bool = True
    # Options that no other preset has.
    own_options: frozenset[str] = frozenset()
    # Options that must keep the value of the preset, or their default.
    fixed_options: frozenset[str] = frozenset()
    # Stop words must be given: -s of ROUGE-1.5.5 drops those of a list of its own.
    needs_stopwords: bool = False


NO_PRESET = Preset(options={}, rules=RougeRules())


def _preset(rules: RougeRules | None = None, *, types: str, **options: Any) -> Preset:
    options = {"rouge_types": tuple(types.split()), **options}
    return Preset(options, rules or RougeRules())


_OF_ROUGE_SCORE = "rouge1 rouge2 rougeL rougeLsum"
# What PyPI's rouge and rouge-chinese, which was made from it, have in common.
_DISTINCT: dict[str, Any] = {"tokenizer": "whitespace", "lowercase": False, "output": "all"}
_DISTINCT["types"] = "rouge1 rouge2 rougeL"
_FIXED_IN_DISTINCT = {"tokenizer", "sentence_splitter", "cross_sentences", "summary_lcs"}
_DISTINCT_RULES = RougeRules(
    counting="distinct",
    pairs=PairRules(f_epsilon=1e-8),
    families=frozenset({"N", "L"}),
    fixed_options=frozenset(_FIXED_IN_DISTINCT),
)
_POOLED: dict[str, Any] = {"multi_reference": "pooled", "output": "all"}

_PRESETS = {
    "rouge_score": _preset(RougeRules(tokenizer_replaces_stemmer=True), types=_OF_ROUGE_SCORE),
    "evaluate": _preset(
        RougeRules(
            average="resampled_median",
            tokenizer_replaces_stemmer=True,
            resamples_items=False,
            fixed_options=frozenset({"confidence_level", "n_resamples", "paired_test"}),
        ),
        types=_OF_ROUGE_SCORE,
    ),
    "rouge-1.5.5": _preset(
        RougeRules(
            counting="rouge-1.5.5",
            takes_weights_below_1=True,
            multi_references=("pooled", "best"),
            takes_one_limit=True,
            resamples_items=False,
            own_options=frozenset({"corpus_average", "document_order"}),
            fixed_options=frozenset(
                {"cross_sentences", "summary_lcs", "zero_division", "seed", "paired_test"}
            ),
        ),
        types="rouge1 rouge2 rouge3 rouge4 rougeL rougeW-1.2 rougeS4 rougeSU4",
        tokenizer="rouge-1.5.5",
        **_POOLED,
    ),
    "matlab": _preset(
        types="rouge1",
        tokenizer="13a",
        lowercase=False,
        output="recall",
        beta=math.inf,
        zero_division=math.nan,
    ),
    "torchmetrics": _preset(
        RougeRules(pairs=PairRules(has_32_bits=True)),
        types=_OF_ROUGE_SCORE,
        sentence_splitter="sentences",
        output="all",
    ),
    "pltrdy": _preset(replace(_DISTINCT_RULES, lcs_of_distinct_words=True), **_DISTINCT),
    "rouge-chinese": _preset(replace(_DISTINCT_RULES, sentence_rule="wide stops"), **_DISTINCT),
    "pyrouge-metric": _preset(
        RougeRules(
            counting="unrounded",
            average="f_of_means",
            multi_references=("pooled", "best"),
            fixed_options=frozenset({"cross_sentences", "summary_lcs"}),
        ),
        types="rouge1 rouge2 rougeL",
        tokenizer="whitespace",
        lowercase=False,
        **_POOLED,
    ),
    "nmt": _preset(
        replace(
            _DISTINCT_RULES,
            counting="nmt",
            fixed_options=frozenset(_FIXED_IN_DISTINCT | {"beta", "zero_division"}),
        ),
        **_DISTINCT,
    ),
    "sumeval": _preset(
        types="rouge1 rouge2 rougeL", tokenizer="rouge-1.5.5", multi_reference="pooled"
    ),
    "sacrerouge": _preset(
        RougeRules(counting="sacrerouge", porter_mode=ORIGINAL_ALGORITHM),
        types="rouge1 rouge2 rougeLsum",
        tokenizer="rouge-1.5.5",
        **_POOLED,
    ),
    "rouge-2.0": _preset(
        RougeRules(
            counting="rouge-2.0",
            lcs_of_distinct_words=True,
            families=frozenset({"N", "L", "S", "SU"}),
            fixed_options=frozenset({"tokenizer", "lowercase", "cross_sentences", "summary_lcs"}),
        ),
        types="rouge1 rouge2 rougeL",
        tokenizer="whitespace",
        lowercase=True,
        multi_reference="f_of_means",
        cross_sentences=False,
        output="all",
    ),
    "ignite": _preset(
        types="rouge1 rouge2 rougeL",
        tokenizer="whitespace",
        lowercase=False,
        beta=math.inf,
        **_POOLED,
    ),
    "py-rouge": _preset(
        RougeRules(
            counting="py-rouge",
            families=frozenset({"N", "Lsum"}),
            multi_references=("pooled", "recall"),
            fixed_options=frozenset({"cross_sentences", "summary_lcs", "zero_division"}),
        ),
        types="rouge1 rouge2 rougeLsum",
        tokenizer="py-rouge",
        max_bytes=665,
        **_POOLED,
    ),
    "xlsum": _preset(
        RougeRules(
            counting="xlsum",
            own_options=frozenset({"language"}),
            fixed_options=frozenset({"cross_sentences"}),
        ),
        types=_OF_ROUGE_SCORE,
        tokenizer="xlsum",
    ),
    "coco-caption": _preset(
        RougeRules(
            counting="single blanks",
            families=frozenset({"N", "L"}),
            fixed_options=frozenset(
                {"sentence_splitter", "cross_sentences", "summary_lcs", "zero_division"}
            ),
        ),
        types="rougeL",
        tokenizer="whitespace",
        lowercase=False,
        beta=1.2,
        multi_reference="separate",
    ),
}
ROUGE_PRESETS = {name: replace(preset, name=name) for name, preset in _PRESETS.items()}
PRESET_OF_OPTION = {
    option: name
    for name, preset in ROUGE_PRESETS.items()
    for option in sorted(preset.rules.own_options)
}


@lru_cache(maxsize=64)
def rouge_preset(name: str) -> Preset | None:
    """Return the preset of a name or of a command line of ROUGE-1.5.5.pl, or None.

    A command line that the script refuses is a ValueError.
    """
    if name in ROUGE_PRESETS:
        return ROUGE_PRESETS[name]
    command = rouge155_command(name)
    if command is None:
        return None
    options, needs_stopwords = command
    script = ROUGE_PRESETS["rouge-1.5.5"]
    rules = replace(script.rules, needs_stopwords=needs_stopwords)
    return Preset({**script.options, **options}, rules, script.name)
