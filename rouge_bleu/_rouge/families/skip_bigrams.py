"""ROUGE-S and ROUGE-SU: two tokens in their order, and those together with unigrams.

After Lin 2004, section 5. SU of ROUGE-1.5.5 does not count the last token of a text as
a unigram, a fact found by running it.
"""

from __future__ import annotations

import numpy as np

from ...kernels.skip_bigrams import skip_bigram_totals
from ...spans.ngrams import (
    IdsOfText,
    PairPositions,
    joined_positions,
    ngram_positions_of_pair,
    skip_bigram_positions,
)
from ..measures.family import Counting, Family, Measure, PerlCounting
from ..measures.scores import PairStatistics
from ..measures.views import ExplainedPair, PerlView, UnitView
from .arguments import MAX_SKIP


def _skip_bigram_statistics(pairs: UnitView, measure: Measure) -> PairStatistics:
    max_skip = measure.max_skip
    totals = pairs.totals(lambda lengths: skip_bigram_totals(lengths, max_skip))
    return PairStatistics(pairs.matches_of_skip[max_skip], *totals)


def _skip_bigram_positions(pair: ExplainedPair, measure: Measure) -> PairPositions:
    return skip_bigram_positions(pair.prediction, pair.reference, measure.max_skip)


# --- with unigrams --------------------------------------------------------------------


def _with_unigram_statistics(pairs: UnitView, measure: Measure) -> PairStatistics:
    max_skip = measure.max_skip
    matches = pairs.matches_of_skip[max_skip] + pairs.matches_of_order[0]
    totals = pairs.totals(lambda lengths: skip_bigram_totals(lengths, max_skip) + lengths)
    return PairStatistics(matches, *totals)


def _with_unigram_positions(pair: ExplainedPair, measure: Measure) -> PairPositions:
    unigrams = ngram_positions_of_pair(pair.prediction, pair.reference, 1)
    return joined_positions(_skip_bigram_positions(pair, measure), unigrams)


def _perl_with_unigram_statistics(pairs: PerlView, measure: Measure) -> PairStatistics:
    max_skip = measure.max_skip
    matches = pairs.matches_of_skip[max_skip] + pairs.unigram_matches_before_last
    totals = pairs.totals(
        lambda lengths: skip_bigram_totals(lengths, max_skip) + np.maximum(lengths - 1, 0)
    )
    return PairStatistics(matches, *totals)


def _perl_with_unigram_positions(pair: ExplainedPair, measure: Measure) -> PairPositions:
    prediction, reference = (
        IdsOfText(text.ids[:-1], text.sentence[:-1]) for text in (pair.prediction, pair.reference)
    )
    unigrams = ngram_positions_of_pair(prediction, reference, 1)
    return joined_positions(_skip_bigram_positions(pair, measure), unigrams)


SKIP_BIGRAMS = Family(
    name="S",
    letters="S",
    argument=MAX_SKIP,
    unit=lambda measure: "word pairs",
    orders=lambda measure: (),
    skips=lambda measure: (measure.max_skip,),
    words_of_unit=lambda measure: 2,
    has_sentences=False,
    has_whole_counts=True,
    has_plain_counts=False,
    paper=Counting(_skip_bigram_statistics, _skip_bigram_positions),
    perl=PerlCounting(
        _skip_bigram_statistics,
        _skip_bigram_positions,
        reads_lines=False,
        divides_by_reference=False,
    ),
    distinct=None,
)

SKIP_BIGRAMS_AND_UNIGRAMS = Family(
    name="SU",
    letters="SU",
    argument=MAX_SKIP,
    unit=lambda measure: "word pairs and words",
    orders=lambda measure: (1,),
    skips=lambda measure: (measure.max_skip,),
    words_of_unit=lambda measure: 2,
    has_sentences=False,
    has_whole_counts=True,
    has_plain_counts=False,
    paper=Counting(_with_unigram_statistics, _with_unigram_positions),
    perl=PerlCounting(
        _perl_with_unigram_statistics,
        _perl_with_unigram_positions,
        reads_lines=False,
        divides_by_reference=False,
    ),
    distinct=None,
)
