"""ROUGE-W: common subsequences in which runs of k tokens count k ** weight.

After Lin 2004, section 4. Facts about ROUGE-1.5.5, found by running it: it counts runs
of marked positions of the reference, not the value of the table, and weights the length
of the reference twice.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from ...kernels.weighted_lcs import weighted_lcs_mask, weighted_lcs_partners, wlcs_scores
from ...spans.ngrams import PairPositions
from ...spans.subsequences import subsequence_positions, union_positions
from ...tokens import Sentences
from ..measures.family import Counting, Family, Measure, PerlCounting
from ..measures.scores import PairStatistics, quotient
from ..measures.views import ExplainedPair, PaperView, PerlView
from .arguments import WEIGHT


def _wlcs_statistics(pairs: PaperView, measure: Measure) -> PairStatistics:
    weight = measure.weight
    prediction_total, reference_total = (
        lengths.astype(np.float64) ** weight for lengths in pairs.lengths
    )
    return PairStatistics(
        wlcs_scores(pairs.tokens, weight), prediction_total, reference_total, exponent=1.0 / weight
    )


def _wlcs_positions(pair: ExplainedPair, measure: Measure) -> PairPositions:
    f = np.arange(_longest(pair) + 1, dtype=np.float64) ** measure.weight
    partners_of = partial(weighted_lcs_partners, f=f)
    return subsequence_positions(pair.prediction, pair.reference, partners_of)


def _longest(pair: ExplainedPair) -> int:
    return max(len(pair.prediction.ids), len(pair.reference.ids))


# --- ROUGE-1.5.5 ----------------------------------------------------------------------


def _perl_wlcs_statistics(pairs: PerlView, measure: Measure) -> PairStatistics:
    weight, reference = measure.weight, pairs.line_tokens.reference
    n_pairs = pairs.tokens.n_items
    all_sides = (*pairs.tokens.sides, *pairs.line_tokens.sides)
    longest = int(max(side.ids.lengths.max(initial=0) for side in all_sides))
    f = _perl_weights(longest, weight)
    sentences = Sentences.of_tokens(reference)
    base = _sums_of_runs(sentences.text, sentences.place.lengths, f, n_pairs)
    hit_runs = _hit_runs(pairs, weighted_lcs_mask(pairs.line_tokens, f))
    matches = _sums_of_runs(*hit_runs, f, n_pairs)
    with np.errstate(over="ignore"):  # as in Perl, what is too large is infinite
        reference_total = base**weight
    return PairStatistics(
        matches=matches,
        prediction_total=f[pairs.tokens.prediction.ids.lengths],
        reference_total=reference_total,
        selection=quotient(matches, base) ** (1.0 / weight),
        exponent=1.0 / weight,
    )


def _perl_wlcs_positions(pair: ExplainedPair, measure: Measure) -> PairPositions:
    f = _perl_weights(_longest(pair), measure.weight)
    partners_of = partial(weighted_lcs_partners, f=f)
    return union_positions(pair.prediction, pair.reference, pair.n_allowed, partners_of)


def _perl_weights(longest: int, weight: float) -> np.ndarray:
    """Return what runs of 0 to `longest` tokens count.

    Python's power, the C library's, decides near-ties as Perl's does.
    """
    return np.array([float(k) ** weight for k in range(longest + 1)])


def _sums_of_runs(pair: np.ndarray, length: np.ndarray, f: np.ndarray, n_pairs: int) -> np.ndarray:
    """Return the sum of f over the runs of each pair, added up in their order.

    Result: ndarray of float64, shape (n_pairs,).
    """
    return np.bincount(pair, weights=f[length], minlength=n_pairs)


def _hit_runs(pairs: PerlView, is_marked: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return pair and length of the runs of hits, in order.

    A marked position is a hit while its token may still be one. A run grows with every
    hit and ends with one that no marked position follows directly; a marked position
    that is no hit neither adds to a run nor ends it, and what is left of a run at the
    end of its sentence is lost.
    """
    reference = pairs.line_tokens.reference
    hit = _hits(pairs, is_marked)
    sentence = reference.sentence
    is_followed = np.zeros(len(is_marked), dtype=bool)
    is_followed[:-1] = is_marked[1:] & (sentence[1:] == sentence[:-1])
    end = np.flatnonzero(~is_followed[hit])
    # A run holds the hits of its sentence since the last end, or since its beginning.
    first_of_sentence = np.searchsorted(sentence[hit], sentence[hit[end]])
    after_last_end = np.concatenate([[0], end[:-1] + 1])[: len(end)]
    start = np.maximum(after_last_end, first_of_sentence)
    return reference.ids.row_of_value[hit[end]], end + 1 - start


def _hits(pairs: PerlView, is_marked: np.ndarray) -> np.ndarray:
    """Return the marked positions that are hits, ascending: the first of each token."""
    marked = np.flatnonzero(is_marked)
    token_id = pairs.id_of_reference_token[marked]
    n_marked = np.bincount(token_id, minlength=len(pairs.n_allowed))
    # Only of ids with too many marked positions, the last ones are no hits.
    crowded = np.flatnonzero((n_marked > pairs.n_allowed)[token_id])
    crowded_id = token_id[crowded]
    order = np.argsort(crowded_id, kind="stable")
    first_of_token = np.searchsorted(crowded_id[order], crowded_id[order])
    occurrence = np.zeros(len(marked), dtype=np.int64)
    occurrence[crowded[order]] = np.arange(len(crowded)) - first_of_token
    return marked[occurrence < pairs.n_allowed[token_id]]


WLCS = Family(
    name="W",
    letters="W",
    argument=WEIGHT,
    unit=lambda measure: "words, with runs counting more",
    orders=lambda measure: (),
    skips=lambda measure: (),
    words_of_unit=lambda measure: 0,
    has_sentences=False,
    has_whole_counts=False,
    has_plain_counts=False,
    paper=Counting(_wlcs_statistics, _wlcs_positions),
    perl=PerlCounting(
        _perl_wlcs_statistics, _perl_wlcs_positions, reads_lines=True, divides_by_reference=True
    ),
    distinct=None,
)
