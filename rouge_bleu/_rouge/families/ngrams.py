"""ROUGE-N: the n-grams of one length that both texts have (Lin 2004, section 2)."""

from __future__ import annotations

from ...kernels.ngrams import ngram_totals_of_order
from ...spans.ngrams import PairPositions, ngram_positions_of_pair
from ..measures.family import Counting, Family, Measure, PerlCounting
from ..measures.scores import PairStatistics
from ..measures.views import DistinctView, ExplainedPair, UnitView
from .arguments import ORDER


def _ngram_statistics(pairs: UnitView, measure: Measure) -> PairStatistics:
    order = measure.order
    totals = pairs.totals(lambda lengths: ngram_totals_of_order(lengths, order))
    return PairStatistics(pairs.matches_of_order[order - 1], *totals)


def _ngram_positions(pair: ExplainedPair, measure: Measure) -> PairPositions:
    return ngram_positions_of_pair(pair.prediction, pair.reference, measure.order)


def _distinct_ngram_statistics(pairs: DistinctView, measure: Measure) -> PairStatistics:
    return PairStatistics(*pairs.ngram_counts[measure.order])


def _distinct_ngram_positions(pair: ExplainedPair, measure: Measure) -> PairPositions:
    """The first occurrence of each n-gram is taken."""
    pair = pair.as_one_sentence()
    return ngram_positions_of_pair(pair.prediction, pair.reference, measure.order, most=1)


def _ngram_unit(measure: Measure) -> str:
    return "words" if measure.order == 1 else f"{measure.order}-grams"


NGRAMS = Family(
    name="N",
    letters="",
    argument=ORDER,
    unit=_ngram_unit,
    orders=lambda measure: (measure.order,),
    skips=lambda measure: (),
    words_of_unit=lambda measure: measure.order,
    has_sentences=False,
    has_whole_counts=True,
    has_plain_counts=True,
    paper=Counting(_ngram_statistics, _ngram_positions),
    perl=PerlCounting(
        _ngram_statistics, _ngram_positions, reads_lines=False, divides_by_reference=False
    ),
    distinct=Counting(_distinct_ngram_statistics, _distinct_ngram_positions),
)
