"""The presets of `rouge_full`: option values, and the rules of an implementation."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

from ...options.checked import Preset
from ...text.stemming import NLTK_EXTENSIONS, ORIGINAL_ALGORITHM
from ..scores import MULTI_REFERENCES, PairRules
from ..types import (
    FAMILIES,
    LCS,
    NGRAMS,
    SKIP_BIGRAMS,
    SKIP_BIGRAMS_AND_UNIGRAMS,
    SUMMARY_LCS,
    Family,
)
from .command_line import rouge155_command

_PLAIN_PAIRS = PairRules()


@dataclass(frozen=True, kw_only=True)
class RougeRules:
    """What an implementation does that no option says. The defaults are ours.

    Parameters
    ----------
    counting : str
        How matches and totals are counted, a key of `PACKAGES`: as in the "paper", by
        the conventions of "rouge-1.5.5", "unrounded" by those as in rouge-metric, or
        "distinct", each n-gram of a text once, as in PyPI's rouge and rouge-chinese; by
        "single blanks" as in coco-caption, and as in "xlsum", "py-rouge", "nmt",
        "sacrerouge" and "rouge-2.0".
    average : str
        How the scores of items become that of the corpus: by the "mean", "resampled_median"
        as in evaluate's `rouge`, or "f_of_means" as in rouge-metric.
    pairs : PairRules
        What becomes of the counts of a pair.
    sentence_rule : str
        Where sentences end by the rule of "distinct" counting: at "full stops", as in
        PyPI's rouge, or at "wide stops", as in rouge-chinese.
    lcs_of_distinct_words : bool
        rougeL of "distinct" counting takes the distinct words of all longest common
        subsequences of sentences, as in PyPI's rouge, instead of the longest one of the
        texts. So does ROUGE-2.0.
    families : frozenset of Family
        Those that there are.
    porter_mode : str
        The mode of NLTK's Porter stemmer, which `use_stemmer` is.
    tokenizer_replaces_stemmer : bool
        Stemming is left to a function that is given as tokenizer, as in rouge_score.
    takes_weights_below_1 : bool
        rougeW takes any weight above 0, as ROUGE-1.5.5 does.
    multi_references : tuple of str
        The choices among several references that there are.
    takes_one_limit : bool
        max_words and max_bytes cannot both be given, as in ROUGE-1.5.5.
    resamples_items : bool
        Scores of the corpus are means, so that two systems can be compared by
        resampling items. Other averages have samples of their own.
    own_options : frozenset of str
        Options that no other preset has.
    fixed_options : frozenset of str
        Options that must keep the value of the preset, or their default.
    needs_stopwords : bool
        Stop words must be given: -s of ROUGE-1.5.5 drops those of a list of its own.
    """

    counting: str = "paper"
    average: str = "mean"
    pairs: PairRules = _PLAIN_PAIRS
    sentence_rule: str = "full stops"
    lcs_of_distinct_words: bool = False
    families: frozenset[Family] = frozenset(FAMILIES)
    porter_mode: str = NLTK_EXTENSIONS
    tokenizer_replaces_stemmer: bool = False
    takes_weights_below_1: bool = False
    multi_references: tuple[str, ...] = tuple(MULTI_REFERENCES)
    takes_one_limit: bool = False
    resamples_items: bool = True
    own_options: frozenset[str] = frozenset()
    fixed_options: frozenset[str] = frozenset()
    needs_stopwords: bool = False


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
    "families": frozenset({NGRAMS, LCS}),
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
            families=frozenset({NGRAMS, LCS, SKIP_BIGRAMS, SKIP_BIGRAMS_AND_UNIGRAMS}),
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
            families=frozenset({NGRAMS, SUMMARY_LCS}),
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
            families=frozenset({NGRAMS, LCS}),
            fixed_options=frozenset(
                {"sentence_splitter", "cross_sentences", "summary_lcs", "zero_division"}
            ),
        ),
    ),
}
PRESET_OF_OPTION = {
    option: name
    for name, preset in ROUGE_PRESETS.items()
    for option in sorted(preset.rules.own_options)
}


def rouge_preset(name: str) -> Preset[RougeRules] | None:
    """Return the preset of a name or of a command line of ROUGE-1.5.5.pl, or None.

    A command line that the script refuses is a ValueError.
    """
    if name in ROUGE_PRESETS:
        return ROUGE_PRESETS[name]
    command = rouge155_command(name)
    if command is None:
        return None
    script = ROUGE_PRESETS["rouge-1.5.5"]
    return Preset(
        options={**script.options, **command.options},
        rules=replace(script.rules, needs_stopwords=command.drops_stopwords),
    )
