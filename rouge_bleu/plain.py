"""The textbook definitions of ROUGE and BLEU on lists of tokens; `explain` uses their positions.

    rouge_n      n-grams                          Lin 2004, section 2
    rouge_l      longest common subsequence       section 3.1
    rouge_lsum   union LCS of sentences           section 3.2
    rouge_w      weighted LCS                     section 4
    rouge_s      skip-bigrams                     section 5
    rouge_su     skip-bigrams and unigrams        section 5.2
    bleu         n-grams of several references    Papineni et al. 2002, section 2

Each is defined in the module that counts with it, in `rouge_types/` and `_bleu/definition.py`. A text is a
list of hashable tokens, for rougeLsum a list of sentences. With m matches of p units in the prediction
and r in the reference, P = m / p, R = m / r (`rouge_w` inverts its weight), and F is `f_measure`.
"""

# ruff: noqa: F401

from __future__ import annotations

import math

from ._bleu.definition import bleu, bleu_matches, closest_reference_length
from .rouge_types.lcs import lcs_length, lcs_pairs, rouge_l
from .rouge_types.matches import Matches
from .rouge_types.ngrams import clipped_matches, matching_positions, ngrams, rouge_n
from .rouge_types.skip_bigrams import rouge_s, rouge_su, skip_bigrams
from .rouge_types.summary_lcs import best_sentences, rouge_lsum, union_lcs_length
from .rouge_types.weighted_lcs import rouge_w, weighted_lcs_pairs, weighted_lcs_table


def f_measure(precision: float, recall: float, beta: float = 1.0) -> float:
    """Return F = (1 + beta^2) P R / (R + beta^2 P) (Lin 2004, equation 4); 0 if P and R are 0.

    >>> f_measure(1.0, 0.5)
    0.6666666666666666
    """
    if math.isinf(beta):
        return recall
    denominator = beta**2 * precision + recall
    return (1 + beta**2) * precision * recall / denominator if denominator else 0.0
