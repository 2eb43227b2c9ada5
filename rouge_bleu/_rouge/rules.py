"""The record of a preset of ROUGE: values of options, families of rouge types, and rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from ..corpus import Corpus
from ..rouge_types import FAMILIES
from ..rouge_types.family import Family
from ..text.stemming import NLTK_EXTENSIONS
from ..text.tokenizer_rules import TokenizerRules

OUTPUTS = ("precision", "recall", "fmeasure")

# The values of the option multi_reference.
MULTI_REFERENCES = (
    "best",  # the scores of the first reference with the highest F
    "average",  # the means of precision, recall and F
    "pooled",  # the scores of the summed matches and totals
    "jackknife",  # leave out each reference in turn, take the best of the rest, average
    "separate",  # the highest precision and recall, of any references, and F of the two
    "recall",  # the scores of the first reference with the highest recall
    "f_of_means",  # the mean precision, the mean recall, and F of the two
)


def truncate_to_bytes(text: str, limit: int) -> str:
    """Return the characters that lie whole in the first `limit` bytes."""
    return text.encode()[:limit].decode(errors="ignore")


@dataclass(frozen=True, kw_only=True)
class Averaging:
    """How a preset averages that does not take means of the scores of examples."""

    # Counts of pairs, offsets of references, options -> columns of examples.
    columns: Callable[[np.ndarray, np.ndarray, Any], np.ndarray]
    # Columns of all examples, options, the seed of `load` -> the result.
    result: Callable[[np.ndarray, Any, int], dict[str, Any]]
    # Columns, options -> scores of examples and pairs; None: those of Lin, also without aggregator.
    scores: Callable[[np.ndarray, Any], np.ndarray] | None = None


class Language(NamedTuple):
    """What a value of the option `language` chooses, by name."""

    tokenizer: str
    stemmer: str | None = None
    has_other_stemmer: bool = False  # the stemmer of the package is not ours


@dataclass(frozen=True, kw_only=True)
class RougeRules:
    """A preset. Defaults are those of rouge_score."""

    # Values of options. Those in `fixed_options` keep that value, or their default.
    options: Mapping[str, Any] = field(default_factory=dict)
    fixed_options: frozenset[str] = frozenset()
    name: str | None = None  # of the preset, also of its command lines; None without a preset
    # What it reproduces, for which texts people use that, and to which digits: docs/reference/presets.md.
    about: tuple[str, str, str] = ("", "", "")

    # --- texts -> tokens ---
    # From texts and options to the words of each sentence, if the package has its own rules.
    sentences: Callable[[list[str], Any], list[list[list[Any]]]] | None = None
    no_words: tuple[str, ...] = ()  # the words of an empty list of given tokens
    keeps_case: bool = False  # under lowercase=None; else named tokenizers lowercase
    truncate_to_bytes: Callable[[str, int], str] = truncate_to_bytes  # for max_bytes
    # From the tokenizer of texts to the tokenizer of sentences, if they differ.
    tokenizer_of_sentences: Callable[[TokenizerRules], TokenizerRules] | None = None
    pairs: type[Any] | None = None  # a subclass of `Pairs`, for what these hooks do not say
    languages: Mapping[str, Language] = field(default_factory=dict)
    warn: Callable[[Any, Corpus], None] = lambda options, corpus: None  # of what may mislead

    # --- tokens -> counts: its families by name; types of others are refused ---
    families: Mapping[str, Family]

    # --- counts -> scores ---
    f_epsilon: float = 0.0  # added to the denominator of F
    has_32_bits: bool = False  # scores of pairs have 32 bits; that decides ties
    average: str = "mean"  # its name in a signature; "f_of_means": F of mean precision and recall
    averaging: Averaging | None = None
    decimals: int | None = None  # that it prints; None: no number in particular

    # --- which options it takes ---
    multi_references: tuple[str, ...] = MULTI_REFERENCES
    porter_mode: str = NLTK_EXTENSIONS  # the mode of NLTK's Porter stemmer for `use_stemmer`
    tokenizer_replaces_stemmer: bool = False  # a function as tokenizer does
    takes_one_limit: bool = False  # max_words or max_bytes
    needs_stopwords: bool = False  # the built-in stop words of the package are not ours


NO_PRESET = RougeRules(families=FAMILIES)


def defaults(types: str, **options: Any) -> dict[str, Any]:
    """Return the options of a preset, with its rouge types."""
    return {"rouge_types": tuple(types.split()), **options}


ROUGE_SCORE = defaults("rouge1 rouge2 rougeL rougeLsum")
POOLED: dict[str, Any] = {"multi_reference": "pooled", "output": "all"}
