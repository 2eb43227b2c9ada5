"""The table of families, and the measure that a rouge type names."""

from __future__ import annotations

import re
from functools import lru_cache

from ..measures.family import Family, Measure
from .lcs import LCS
from .ngrams import NGRAMS
from .skip_bigrams import SKIP_BIGRAMS, SKIP_BIGRAMS_AND_UNIGRAMS
from .summary_lcs import SUMMARY_LCS
from .wlcs import WLCS

# In the order in which a signature has their types.
FAMILIES: tuple[Family, ...] = (
    NGRAMS,
    LCS,
    SUMMARY_LCS,
    WLCS,
    SKIP_BIGRAMS,
    SKIP_BIGRAMS_AND_UNIGRAMS,
)

DEFAULT_ROUGE_TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum", "rougeW", "rougeS4", "rougeSU4")


@lru_cache(maxsize=256)
def measure_of_name(name: str) -> Measure | None:
    """Return the measure that a rouge type names, or None.

    >>> measure_of_name("rougeSU4")
    Measure(family=<family SU>, order=0, weight=1.2, max_skip=4)
    >>> types = "rouge2", "rougeW", "rougeS*", "rougeSU04"
    >>> [measure_of_name(name).name for name in types]
    ['rouge2', 'rougeW-1.2', 'rougeS', 'rougeSU4']
    """
    for family in FAMILIES:
        pattern = f"rouge{family.letters}(?P<argument>{family.argument.pattern})"
        match = re.fullmatch(pattern, name)
        if match is not None:
            return Measure(family, **family.argument.read(match["argument"]))
    return None
