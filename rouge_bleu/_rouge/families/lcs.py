"""ROUGE-L of whole texts: their longest common subsequence (Lin 2004, section 3.1).

ROUGE-1.5.5 has no such type: its L is that of summaries. PyPI's rouge counts the
distinct words that the longest common subsequences of all pairs of sentences have.
"""

from __future__ import annotations

import numpy as np

from ...kernels.lcs import lcs_lengths
from ...kernels.union_lcs import union_lcs_mask
from ...spans.ngrams import PairPositions
from ...spans.subsequences import subsequence_positions, union_positions
from ...tokens import UNSHARED, shared_tokens
from ..measures.family import Counting, Family, Measure
from ..measures.scores import PairStatistics
from ..measures.views import DistinctView, ExplainedPair, PaperView
from .arguments import NO_ARGUMENT
from .summary_lcs import PERL_SUMMARY_LCS


def _lcs_statistics(pairs: PaperView, measure: Measure) -> PairStatistics:
    return PairStatistics(pairs.lcs_lengths, *pairs.lengths)


def _lcs_positions(pair: ExplainedPair, measure: Measure) -> PairPositions:
    return subsequence_positions(pair.prediction, pair.reference)


# --- PyPI's rouge and rouge-chinese ---------------------------------------------------


def _distinct_lcs_statistics(pairs: DistinctView, measure: Measure) -> PairStatistics:
    if pairs.options.rules.lcs_of_distinct_words:
        _, in_prediction, in_reference = pairs.ngram_counts[1]
        return PairStatistics(distinct_words_in_lcs(pairs), in_prediction, in_reference)
    prediction, reference = pairs.sides
    lengths = prediction.ids.lengths, reference.ids.lengths
    return PairStatistics(lcs_lengths(shared_tokens(*pairs.sides)), *lengths)


def distinct_words_in_lcs(pairs: DistinctView, left_out: int = UNSHARED) -> np.ndarray:
    """Return how many distinct words the LCS of sentences have, of each pair.

    Of several LCS of two sentences it is the one that the union LCS takes with the sides
    changed. The word with the id `left_out` may be in them, and does not count.
    """
    prediction, reference = pairs.sides
    tokens = shared_tokens(reference, prediction)
    in_lcs = union_lcs_mask(tokens) & (prediction.ids.values != left_out)
    word = np.unique(tokens.reference.ids.values[in_lcs])
    return np.bincount(tokens.item_of_id[word], minlength=tokens.n_items)


def _distinct_lcs_positions(pair: ExplainedPair, measure: Measure) -> PairPositions:
    if not pair.options.rules.lcs_of_distinct_words:
        return _lcs_positions(pair, measure)
    n_allowed = [1] * len(pair.prediction.ids)
    in_reference, in_prediction = union_positions(pair.reference, pair.prediction, n_allowed)
    return in_prediction, in_reference


LCS = Family(
    name="L",
    letters="L",
    argument=NO_ARGUMENT,
    unit=lambda measure: "words",
    orders=lambda measure: (),
    skips=lambda measure: (),
    words_of_unit=lambda measure: 0,
    has_sentences=False,
    has_whole_counts=True,
    has_plain_counts=True,
    paper=Counting(_lcs_statistics, _lcs_positions),
    perl=PERL_SUMMARY_LCS,
    distinct=Counting(_distinct_lcs_statistics, _distinct_lcs_positions),
)
