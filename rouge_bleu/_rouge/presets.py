"""The presets of `rouge_full`: values of options, and the rules of an implementation."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import numpy as np

from ..kernels.ngrams import ngram_totals
from ..options import preset_error
from ..text.rules import TokenizerRules
from ..text.stemming import NLTK_EXTENSIONS, ORIGINAL_ALGORITHM
from . import other_packages
from .command_line import rouge155_command
from .counting import FAMILIES, Counting, SentenceList
from .other_packages import SetCounting
from .rouge155 import Rouge155Counting
from .scores import MULTI_REFERENCES


def first_bytes(text: str, limit: int) -> str:
    """Return the characters that lie whole in the first `limit` bytes."""
    return text.encode()[:limit].decode(errors="ignore")


@dataclass(frozen=True, kw_only=True)
class RougeRules:
    """A preset: values of options, and rules that have no option. Defaults are those of rouge_score."""

    # Values of options. Those in `fixed_options` keep that value, or their default.
    options: Mapping[str, Any] = field(default_factory=dict)
    fixed_options: frozenset[str] = frozenset()
    name: str | None = None  # in the table of presets; None for a command line

    # --- how pairs are counted ---
    counting: type[Counting] = Counting
    # From texts and options to the words of each sentence, if the package has its own rules.
    sentences: Callable[[list[str], Any], list[SentenceList]] | None = None
    keeps_case: bool = False  # under lowercase=None; else named tokenizers lowercase
    no_words: tuple[str, ...] = ()  # the words of an empty list of given tokens
    first_bytes: Callable[[str, int], str] = first_bytes  # truncates a text to max_bytes
    # From the tokenizer of texts to the tokenizer of sentences, if they differ.
    tokenizer_of_sentences: Callable[[TokenizerRules], TokenizerRules] | None = None
    ngram_totals: Callable[..., np.ndarray] = ngram_totals  # of texts of some lengths
    counts_ngrams_once: bool = False  # however often a text has them
    # rougeL takes the distinct words of all longest common subsequences of sentences, as in PyPI's
    # rouge and ROUGE-2.0, instead of the longest one of the texts.
    lcs_of_distinct_words: bool = False

    # --- from counts to scores ---
    f_epsilon: float = 0.0  # added to the denominator of F: 1e-8 in PyPI's rouge and rouge-chinese
    lcs_formula: Callable[[np.ndarray, np.ndarray], np.ndarray] | None = None  # F of rougeL
    has_32_bits: bool = False  # scores of pairs have 32 bits, as in torchmetrics; that decides ties
    averages_documents: bool = False  # averages are those of `rouge155_averages.py`
    # How scores of examples are averaged: by the "mean", "resampled_median" as in evaluate's
    # `rouge`, or "f_of_means" as in rouge-metric.
    average: str = "mean"

    # --- which options it takes ---
    families: frozenset[str] = frozenset(FAMILIES)  # of rouge types
    multi_references: tuple[str, ...] = MULTI_REFERENCES
    porter_mode: str = NLTK_EXTENSIONS  # the mode of NLTK's Porter stemmer for `use_stemmer`
    tokenizer_replaces_stemmer: bool = False  # a function as tokenizer does, as in rouge_score
    takes_weights_below_1: bool = False  # rougeW takes any weight above 0, as in ROUGE-1.5.5
    takes_one_limit: bool = False  # max_words or max_bytes, as in ROUGE-1.5.5
    own_options: frozenset[str] = frozenset()  # options that no other preset has
    needs_stopwords: bool = False  # -s of ROUGE-1.5.5 drops its built-in stop words

    @property
    def follows_from_means(self) -> bool:
        """Whether scores of the corpus follow from means over examples, without own resamples."""
        return not self.averages_documents and self.average != "resampled_median"


NO_PRESET = RougeRules()


def _of_types(types: str, **options: Any) -> dict[str, Any]:
    """Return the options of a preset, with its rouge types."""
    return {"rouge_types": tuple(types.split()), **options}


_ROUGE_SCORE = _of_types("rouge1 rouge2 rougeL rougeLsum")
_POOLED: dict[str, Any] = {"multi_reference": "pooled", "output": "all"}
# PyPI's rouge, and its fork rouge-chinese.
_PLTRDY = RougeRules(
    options=_of_types(
        "rouge1 rouge2 rougeL", tokenizer="whitespace", lowercase=False, output="all"
    ),
    counting=SetCounting,
    sentences=other_packages.words_of_pltrdy,
    keeps_case=True,
    counts_ngrams_once=True,
    f_epsilon=1e-8,
    families=frozenset({"N", "L"}),
    fixed_options=frozenset({"tokenizer", "sentence_splitter", "cross_sentences", "summary_lcs"}),
)

_PRESETS = {
    "rouge_score": RougeRules(options=_ROUGE_SCORE, tokenizer_replaces_stemmer=True),
    "evaluate": RougeRules(
        options=_ROUGE_SCORE,
        average="resampled_median",
        tokenizer_replaces_stemmer=True,
        fixed_options=frozenset({"confidence_level", "n_resamples", "paired_test"}),
    ),
    "rouge-1.5.5": RougeRules(
        options=_of_types(
            "rouge1 rouge2 rouge3 rouge4 rougeL rougeW-1.2 rougeS4 rougeSU4",
            tokenizer="rouge-1.5.5",
            **_POOLED,
        ),
        counting=Rouge155Counting,
        averages_documents=True,
        takes_weights_below_1=True,
        multi_references=("pooled", "best"),
        takes_one_limit=True,
        own_options=frozenset({"corpus_average", "document_order"}),
        fixed_options=frozenset(
            {"cross_sentences", "summary_lcs", "zero_division", "seed", "paired_test"}
        ),
    ),
    "matlab": RougeRules(
        options=_of_types(
            "rouge1",
            tokenizer="13a",
            lowercase=False,
            output="recall",
            beta=math.inf,
            zero_division=math.nan,
        )
    ),
    "torchmetrics": RougeRules(
        options={**_ROUGE_SCORE, "sentence_splitter": "sentences", "output": "all"},
        has_32_bits=True,
    ),
    "pltrdy": replace(_PLTRDY, lcs_of_distinct_words=True),
    "rouge-chinese": replace(_PLTRDY, sentences=other_packages.words_of_rouge_chinese),
    "pyrouge-metric": RougeRules(
        options=_of_types(
            "rouge1 rouge2 rougeL", tokenizer="whitespace", lowercase=False, **_POOLED
        ),
        counting=Rouge155Counting,
        average="f_of_means",
        multi_references=("pooled", "best"),
        fixed_options=frozenset({"cross_sentences", "summary_lcs"}),
    ),
    "nmt": replace(
        _PLTRDY,
        sentences=other_packages.words_of_nmt,
        no_words=("",),
        lcs_formula=other_packages.lcs_formula_of_nmt,
        fixed_options=_PLTRDY.fixed_options | {"beta", "zero_division"},
    ),
    "sumeval": RougeRules(
        options=_of_types("rouge1 rouge2 rougeL", tokenizer="rouge-1.5.5", multi_reference="pooled")
    ),
    "sacrerouge": RougeRules(
        options=_of_types("rouge1 rouge2 rougeLsum", tokenizer="rouge-1.5.5", **_POOLED),
        first_bytes=other_packages.first_characters_of_sacrerouge,
        porter_mode=ORIGINAL_ALGORITHM,
    ),
    "rouge-2.0": RougeRules(
        options=_of_types(
            "rouge1 rouge2 rougeL",
            tokenizer="whitespace",
            lowercase=True,
            multi_reference="f_of_means",
            cross_sentences=False,
            output="all",
        ),
        counting=SetCounting,
        sentences=other_packages.words_of_rouge_2_0,
        lcs_of_distinct_words=True,
        families=frozenset({"N", "L", "S", "SU"}),
        fixed_options=frozenset({"tokenizer", "lowercase", "cross_sentences", "summary_lcs"}),
    ),
    "ignite": RougeRules(
        options=_of_types(
            "rouge1 rouge2 rougeL",
            tokenizer="whitespace",
            lowercase=False,
            beta=math.inf,
            **_POOLED,
        )
    ),
    "py-rouge": RougeRules(
        options=_of_types(
            "rouge1 rouge2 rougeLsum", tokenizer="py-rouge", max_bytes=665, **_POOLED
        ),
        first_bytes=other_packages.first_characters_of_py_rouge,
        ngram_totals=other_packages.signed_ngram_totals,
        families=frozenset({"N", "Lsum"}),
        multi_references=("pooled", "recall"),
        fixed_options=frozenset({"cross_sentences", "summary_lcs", "zero_division"}),
    ),
    "xlsum": RougeRules(
        options={**_ROUGE_SCORE, "tokenizer": "xlsum"},
        tokenizer_of_sentences=other_packages.xlsum_lines,
        own_options=frozenset({"language"}),
        fixed_options=frozenset({"cross_sentences"}),
    ),
    "coco-caption": RougeRules(
        options=_of_types(
            "rougeL",
            tokenizer="whitespace",
            lowercase=False,
            beta=1.2,
            multi_reference="separate",
        ),
        sentences=other_packages.words_of_coco_caption,
        no_words=("",),
        families=frozenset({"N", "L"}),
        fixed_options=frozenset(
            {"sentence_splitter", "cross_sentences", "summary_lcs", "zero_division"}
        ),
    ),
}
ROUGE_PRESETS = {name: replace(preset, name=name) for name, preset in _PRESETS.items()}
PRESET_OF_OPTION = {
    option: name for name, preset in ROUGE_PRESETS.items() for option in sorted(preset.own_options)
}


def rouge_preset(name: Any) -> RougeRules:
    """Return the preset of a name or of a command line of ROUGE-1.5.5.pl, or raise a ValueError."""
    found = (ROUGE_PRESETS.get(name) or _preset_of_line(name)) if isinstance(name, str) else None
    if found is None:
        raise preset_error("rouge", name, tuple(ROUGE_PRESETS))
    return found


@lru_cache(maxsize=64)
def _preset_of_line(line: str) -> RougeRules | None:
    command = rouge155_command(line)
    if command is None:
        return None
    options, needs_stopwords = command
    script = ROUGE_PRESETS["rouge-1.5.5"]
    return replace(script, options={**script.options, **options}, needs_stopwords=needs_stopwords)
