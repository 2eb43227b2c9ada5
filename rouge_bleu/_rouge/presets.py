"""The presets of `rouge_full`: values of options, and the rules of an implementation."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from ..options import Preset
from ..text.stemming import NLTK_EXTENSIONS, ORIGINAL_ALGORITHM
from .command_line import rouge155_command
from .measures.scores import MULTI_REFERENCES, PairRules

_PLAIN_PAIRS = PairRules()
ALL_FAMILIES = frozenset({"N", "L", "Lsum", "W", "S", "SU"})


@dataclass(frozen=True, kw_only=True)
class RougeRules:
    """What an implementation does that no option says. The defaults are ours."""

    # How matches and totals are counted, a key of `CONVENTIONS`: as in the "paper", in the Perl
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

_ROUGE_SCORE_TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum")

# What PyPI's rouge and rouge-chinese, which was made from it, have in common.
_DISTINCT_OPTIONS: dict[str, Any] = {
    "rouge_types": ("rouge1", "rouge2", "rougeL"),
    "tokenizer": "whitespace",
    "lowercase": False,
    "output": "all",
}
_DISTINCT_RULES: dict[str, Any] = {
    "counting": "distinct",
    "pairs": PairRules(f_epsilon=1e-8),
    "families": frozenset({"N", "L"}),
    "fixed_options": frozenset(
        {"tokenizer", "sentence_splitter", "cross_sentences", "summary_lcs"}
    ),
}

ROUGE_PRESETS: dict[str, Preset[RougeRules]] = {
    "rouge_score": Preset(
        options={"rouge_types": _ROUGE_SCORE_TYPES},
        rules=RougeRules(tokenizer_replaces_stemmer=True),
    ),
    "evaluate": Preset(
        options={"rouge_types": _ROUGE_SCORE_TYPES},
        rules=RougeRules(
            average="resampled_median",
            tokenizer_replaces_stemmer=True,
            resamples_items=False,
            fixed_options=frozenset({"confidence_level", "n_resamples", "paired_test"}),
        ),
    ),
    "rouge-1.5.5": Preset(
        options={
            "rouge_types": (
                *("rouge1", "rouge2", "rouge3", "rouge4"),
                *("rougeL", "rougeW-1.2", "rougeS4", "rougeSU4"),
            ),
            "tokenizer": "rouge-1.5.5",
            "multi_reference": "pooled",
            "output": "all",
        },
        rules=RougeRules(
            counting="rouge-1.5.5",
            takes_weights_below_1=True,
            multi_references=("pooled", "best"),
            takes_one_limit=True,
            resamples_items=False,
            own_options=frozenset({"corpus_average", "document_order"}),
            fixed_options=frozenset(
                {"cross_sentences", "summary_lcs", "zero_division"} | {"seed", "paired_test"}
            ),
        ),
    ),
    "matlab": Preset(
        options={
            "rouge_types": ("rouge1",),
            "tokenizer": "13a",
            "lowercase": False,
            "output": "recall",
            "beta": math.inf,
            "zero_division": math.nan,
        },
        rules=RougeRules(),
    ),
    "torchmetrics": Preset(
        options={
            "rouge_types": _ROUGE_SCORE_TYPES,
            "sentence_splitter": "sentences",
            "output": "all",
        },
        rules=RougeRules(pairs=PairRules(has_32_bits=True)),
    ),
    "pltrdy": Preset(
        options=_DISTINCT_OPTIONS, rules=RougeRules(lcs_of_distinct_words=True, **_DISTINCT_RULES)
    ),
    "rouge-chinese": Preset(
        options=_DISTINCT_OPTIONS, rules=RougeRules(sentence_rule="wide stops", **_DISTINCT_RULES)
    ),
    "pyrouge-metric": Preset(
        options={
            "rouge_types": ("rouge1", "rouge2", "rougeL"),
            "tokenizer": "whitespace",
            "lowercase": False,
            "multi_reference": "pooled",
            "output": "all",
        },
        rules=RougeRules(
            counting="unrounded",
            average="f_of_means",
            pairs=PairRules(best_output="recall"),
            multi_references=("pooled", "best"),
            fixed_options=frozenset({"cross_sentences", "summary_lcs"}),
        ),
    ),
    "nmt": Preset(
        options=_DISTINCT_OPTIONS,
        rules=RougeRules(
            **{
                **_DISTINCT_RULES,
                "counting": "nmt",
                "fixed_options": _DISTINCT_RULES["fixed_options"] | {"beta", "zero_division"},
            }
        ),
    ),
    "sumeval": Preset(
        options={
            "rouge_types": ("rouge1", "rouge2", "rougeL"),
            "tokenizer": "rouge-1.5.5",
            "multi_reference": "pooled",
        },
        rules=RougeRules(),
    ),
    "sacrerouge": Preset(
        options={
            "rouge_types": ("rouge1", "rouge2", "rougeLsum"),
            "tokenizer": "rouge-1.5.5",
            "multi_reference": "pooled",
            "output": "all",
        },
        rules=RougeRules(counting="sacrerouge", porter_mode=ORIGINAL_ALGORITHM),
    ),
    "rouge-2.0": Preset(
        options={
            "rouge_types": ("rouge1", "rouge2", "rougeL"),
            "tokenizer": "whitespace",
            "lowercase": True,
            "multi_reference": "f_of_means",
            "cross_sentences": False,
            "output": "all",
        },
        rules=RougeRules(
            counting="rouge-2.0",
            lcs_of_distinct_words=True,
            families=frozenset({"N", "L", "S", "SU"}),
            fixed_options=frozenset({"tokenizer", "lowercase", "cross_sentences", "summary_lcs"}),
        ),
    ),
    "ignite": Preset(
        options={
            "rouge_types": ("rouge1", "rouge2", "rougeL"),
            "tokenizer": "whitespace",
            "lowercase": False,
            "multi_reference": "pooled",
            "beta": math.inf,
            "output": "all",
        },
        rules=RougeRules(),
    ),
    "py-rouge": Preset(
        options={
            "rouge_types": ("rouge1", "rouge2", "rougeLsum"),
            "tokenizer": "py-rouge",
            "multi_reference": "pooled",
            "max_bytes": 665,
            "output": "all",
        },
        rules=RougeRules(
            counting="py-rouge",
            families=frozenset({"N", "Lsum"}),
            multi_references=("pooled", "recall"),
            fixed_options=frozenset({"cross_sentences", "summary_lcs", "zero_division"}),
        ),
    ),
    "xlsum": Preset(
        options={"rouge_types": _ROUGE_SCORE_TYPES, "tokenizer": "xlsum"},
        rules=RougeRules(
            counting="xlsum",
            own_options=frozenset({"language"}),
            fixed_options=frozenset({"cross_sentences"}),
        ),
    ),
    "coco-caption": Preset(
        options={
            "rouge_types": ("rougeL",),
            "tokenizer": "whitespace",
            "lowercase": False,
            "beta": 1.2,
            "multi_reference": "separate",
        },
        rules=RougeRules(
            counting="single blanks",
            families=frozenset({"N", "L"}),
            fixed_options=frozenset(
                {"sentence_splitter", "cross_sentences", "summary_lcs", "zero_division"}
            ),
        ),
    ),
}
ROUGE_PRESETS = {
    name: dataclasses.replace(preset, name=name) for name, preset in ROUGE_PRESETS.items()
}
PRESET_OF_OPTION = {
    option: name
    for name, preset in ROUGE_PRESETS.items()
    for option in sorted(preset.rules.own_options)
}


@lru_cache(maxsize=64)
def rouge_preset(name: str) -> Preset[RougeRules] | None:
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
