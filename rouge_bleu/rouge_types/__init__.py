"""Rouge types: a module for each family, and the table of all of them."""

from __future__ import annotations

import re
from functools import lru_cache

from .family import Family, RougeType
from .lcs import LCS
from .ngrams import NGRAMS
from .skip_bigrams import SKIP_BIGRAMS, SKIP_BIGRAMS_AND_UNIGRAMS
from .summary_lcs import SUMMARY_LCS
from .weighted_lcs import WEIGHTED_LCS

DEFAULT_ROUGE_TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum", "rougeW", "rougeS4", "rougeSU4")


def by_name(*families: Family) -> dict[str, Family]:
    """Return the families of a preset by name; it refuses all others."""
    return {family.name: family for family in families}


# The families of Lin 2004. Error messages list them in this order.
LIN_2004 = by_name(NGRAMS, LCS, SUMMARY_LCS, WEIGHTED_LCS, SKIP_BIGRAMS, SKIP_BIGRAMS_AND_UNIGRAMS)
# All families. A new one is added here, and to the presets that have it.
FAMILIES = {**LIN_2004}


@lru_cache(maxsize=256)
def type_of_name(name: str) -> RougeType | None:
    """Return the rouge type of a name, or None."""
    for family in FAMILIES.values():
        if match := re.fullmatch(family.pattern, name):
            return family.parse(match[1])
    return None
