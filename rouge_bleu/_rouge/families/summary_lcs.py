"""ROUGE-L of summaries: the union of the LCS of their sentences (Lin 2004, section 3.2).

rougeLsum follows rouge_score. With summary_lcs="best" each sentence counts its longest
common subsequence with any one of the other side. L of ROUGE-1.5.5 clips the union by
unigram counts.
"""

from __future__ import annotations

from ...kernels.union_lcs import best_sentence_lcs_lengths
from ...spans.ngrams import PairPositions
from ...spans.subsequences import best_sentence_positions, union_positions
from ..measures.family import Counting, Family, Measure, PerlCounting
from ..measures.scores import PairStatistics
from ..measures.views import ExplainedPair, PaperView, PerlView
from .arguments import NO_ARGUMENT


def _summary_lcs_statistics(pairs: PaperView, measure: Measure) -> PairStatistics:
    if pairs.options.summary_lcs == "union":
        return PairStatistics(pairs.union_lcs_lengths, *pairs.sentence_lengths)
    prediction_matches, matches = best_sentence_lcs_lengths(pairs.sentence_tokens)
    return PairStatistics(matches, *pairs.sentence_lengths, prediction_matches=prediction_matches)


def _summary_lcs_positions(pair: ExplainedPair, measure: Measure) -> PairPositions:
    if pair.options.summary_lcs == "best":
        return best_sentence_positions(pair.prediction, pair.reference)
    return _union_lcs_positions(pair, measure)


def _union_lcs_positions(pair: ExplainedPair, measure: Measure) -> PairPositions:
    return union_positions(pair.prediction, pair.reference, pair.n_allowed)


def _perl_summary_lcs_statistics(pairs: PerlView, measure: Measure) -> PairStatistics:
    """The length of the prediction is that of the other reader."""
    lengths = (pairs.tokens.prediction.ids.lengths, pairs.line_tokens.reference.ids.lengths)
    return PairStatistics(pairs.lcs_matches, *lengths)


# Of rougeL, too.
PERL_SUMMARY_LCS = PerlCounting(
    _perl_summary_lcs_statistics, _union_lcs_positions, reads_lines=True, divides_by_reference=False
)

SUMMARY_LCS = Family(
    name="Lsum",
    letters="Lsum",
    argument=NO_ARGUMENT,
    unit=lambda measure: "words",
    orders=lambda measure: (),
    skips=lambda measure: (),
    words_of_unit=lambda measure: 0,
    has_sentences=True,
    has_whole_counts=True,
    has_plain_counts=True,
    paper=Counting(_summary_lcs_statistics, _summary_lcs_positions),
    perl=PERL_SUMMARY_LCS,
    distinct=None,
)
