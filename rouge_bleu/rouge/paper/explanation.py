"""What the ROUGE scores of one item are made of: counts, choice, and the tokens that match.

    item -> the counts and scores of `rouge/scorer.py` -> numbers
         -> the token ids of these -> positions of matches -> spans of characters

Every number is that of the scorer; `spans/ngrams.py` says which tokens are shown,
and `spans/tokens.py` where they stand. Here are the matches that the paper counts; the
other ways of counting have an explanation of their own: `rouge/distinct/explanation.py`,
`rouge/perl/unrounded_explanation.py` and, with numbers of its own, `rouge/perl/explanation.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from ...data.corpus import Corpus
from ...data.lost_text import warn_of_cut_words, warn_of_lost_text
from ...ground.tokens import SharedTokens
from ...kernels.wlcs.way_back import weighted_lcs_partners
from ...options.of_item import options_of_item
from ...spans.ngrams import (
    IdsOfText,
    PairPositions,
    ngram_positions,
    skip_bigram_positions,
)
from ...spans.subsequences import (
    best_sentence_positions,
    subsequence_positions,
    union_positions,
)
from ...spans.tokens import (
    SourcedText,
    Span,
    given_token_spans,
    sentence_token_spans,
    sourced_lines,
    token_spans,
)
from ...text.sentence_lines import with_sentence_lines
from ..measures.scores import OUTPUTS, PairStatistics
from ..measures.types import Measure
from ..options.checked import RougeOptions
from ..pairs.counted import CountedPairs
from ..scorer import (
    PaperPairs,
    counts_in_sentences,
    measured_item,
    texts_of_item,
)

Spans = list[Span | None]
# Of the tokens of each pair that take part in a match, for a measure: those of the
# prediction, and those of the reference.
SpansOfMeasure = Callable[[Measure], Sequence[tuple[Spans, Spans]]]
# Ids and spans of the tokens of a text.
ShownText = tuple[IdsOfText, Sequence[Span | None]]


def rouge_explanation(corpus: Corpus, options: RougeOptions) -> dict[str, Any]:
    """Return the explanation of a corpus of one item.

    Parameters
    ----------
    corpus : Corpus
    options : RougeOptions
        Those of a call. What concerns a corpus only has no effect.

    Returns
    -------
    dict
        For each rouge type "precision", "recall", "fmeasure" of the item, "chosen" and
        "references", as `SafeMetric.explain` says.
    """
    options = options_of_item(options)
    warn_of_cut_words(corpus, options.tokenizer)
    texts, reference_offsets = texts_of_item(corpus, options)
    pairs = PaperPairs(texts, reference_offsets, corpus.is_tokenized, options)
    measures = options.measures.values()
    texts_of_level = {
        in_sentences: texts_of_pairs(
            pairs.sentence_tokens if in_sentences else pairs.tokens,
            spans_of_texts(corpus, texts, options, in_sentences=in_sentences),
        )
        for in_sentences in {counts_in_sentences(options, item) for item in measures}
    }

    def spans_of_measure(measure: Measure) -> list[tuple[Spans, Spans]]:
        shown = texts_of_level[counts_in_sentences(options, measure)]
        positions = partial(_paper_positions, measure=measure, options=options)
        return [spans_of_pair(*of_pair, positions) for of_pair in shown]

    return explanation_of_pairs(corpus, pairs, options, spans_of_measure)


def explanation_of_pairs(
    corpus: Corpus,
    pairs: CountedPairs,
    options: RougeOptions,
    spans_of_measure: SpansOfMeasure,
) -> dict[str, Any]:
    """Return the explanation of an item, and warn where its text is lost."""
    warn_of_lost_text(
        corpus,
        options.tokenizer_name,
        has_tokens=pairs.has_tokens,
        stopwords=options.stopwords or (),
        zero_division=options.zero_division,
    )
    explanation = {}
    for name, measure in options.measures.items():
        statistics, scores = measured_item(pairs, measure, options)
        explanation[name] = explained_type(
            scores,
            _chosen_reference(statistics, options),
            _counts_of_pairs(statistics, measure, options),
            spans_of_measure(measure),
        )
    return explanation


# --- tokens and spans -----------------------------------------------------------------


def spans_of_texts(
    corpus: Corpus, texts: Sequence[Any], options: RougeOptions, *, in_sentences: bool
) -> list[Spans]:
    """Return the span of each token of the prediction and of each reference.

    `texts` are the beginnings of those of the corpus that count.
    """
    tokenizer_options = options.tokenizer_options(corpus.is_tokenized)
    if corpus.is_tokenized:
        return given_token_spans(texts, tokenizer_options)
    if not in_sentences:
        return token_spans(list(map(SourcedText.of_source, texts)), tokenizer_options)
    lines = with_sentence_lines(texts, options.sentence_splitter)
    return sentence_token_spans(
        list(map(sourced_lines, lines, texts)), tokenizer_options
    )


def texts_of_pairs(
    tokens: SharedTokens, spans: Sequence[Sequence[Span | None]]
) -> list[tuple[ShownText, ShownText]]:
    """Return the prediction and the reference of each pair of an item.

    `spans` has those of the prediction, then those of each reference.
    """
    of_prediction, *of_references = spans
    return [
        (
            (IdsOfText.of_row(tokens.prediction, pair), of_prediction),
            (IdsOfText.of_row(tokens.reference, pair), of_reference),
        )
        for pair, of_reference in enumerate(of_references)
    ]


def spans_of_pair(
    prediction: ShownText,
    reference: ShownText,
    positions: Callable[[IdsOfText, IdsOfText], PairPositions],
) -> tuple[Spans, Spans]:
    """Return the spans of the tokens at some positions; each a list of its own."""
    (ids, spans), (reference_ids, reference_spans) = prediction, reference
    in_prediction, in_reference = positions(ids, reference_ids)
    return _spans_at(spans, in_prediction), _spans_at(reference_spans, in_reference)


def _spans_at(spans: Sequence[Span | None], positions: Sequence[int]) -> Spans:
    found = (spans[position] for position in positions)
    return [span if span is None else [*span] for span in found]


# --- numbers --------------------------------------------------------------------------


def explained_type(
    scores: np.ndarray,
    chosen: int | None,
    counts_of_pairs: Sequence[dict[str, Any]],
    spans_of_pairs: Sequence[tuple[Spans, Spans]],
) -> dict[str, Any]:
    """Return what an explanation says of one rouge type.

    `scores` are precision, recall and F1 of the item; `chosen` is the reference that
    counts, None if several do.
    """
    return {
        **dict(zip(OUTPUTS, scores.tolist(), strict=True)),
        "chosen": chosen,
        "references": [
            {
                **counts,
                "prediction_spans": in_prediction,
                "reference_spans": in_reference,
            }
            for counts, (in_prediction, in_reference) in zip(
                counts_of_pairs, spans_of_pairs, strict=True
            )
        ],
    }


def _counts_of_pairs(
    statistics: PairStatistics, measure: Measure, options: RougeOptions
) -> list[dict[str, Any]]:
    """Return the counts and scores of each pair, by name."""
    scores = statistics.scores(options.beta)
    if not statistics.reference_total.any():
        scores[:] = options.zero_division
    counts = {
        "matches": statistics.matches,
        "prediction_matches": statistics.prediction_matches,
        "prediction_total": statistics.prediction_total,
        "reference_total": statistics.reference_total,
    }
    return rows_of_pairs(
        {name: column for name, column in counts.items() if column is not None},
        scores,
        measure,
    )


def rows_of_pairs(
    counts: dict[str, np.ndarray], scores: np.ndarray, measure: Measure
) -> list[dict[str, Any]]:
    """Return the counts and scores of each pair, by name; those of runs are no integers."""
    if measure.family != "W":
        counts = {name: column.astype(np.int64) for name, column in counts.items()}
    columns = counts | dict(zip(OUTPUTS, scores, strict=True))
    listed = [column.tolist() for column in columns.values()]
    return [dict(zip(columns, row, strict=True)) for row in zip(*listed, strict=True)]


def _chosen_reference(statistics: PairStatistics, options: RougeOptions) -> int | None:
    """Return the reference whose scores are those of the item; None: several count."""
    by = statistics.scores(options.beta)[OUTPUTS.index(statistics.rules.best_output)]
    if len(by) > 1 and options.multi_reference != "best":
        return None
    return int(by.argmax())


# --- positions ------------------------------------------------------------------------
# Each takes the ids of the two texts of a pair, a measure and the options, and returns
# the positions of the tokens that take part in a match.


def _paper_positions(
    prediction: IdsOfText, reference: IdsOfText, measure: Measure, options: RougeOptions
) -> PairPositions:
    if options.cross_sentences and measure.family != "Lsum":
        prediction, reference = (
            prediction.as_one_sentence(),
            reference.as_one_sentence(),
        )
    positions = _POSITIONS_OF_FAMILY[measure.family]
    return positions(prediction, reference, measure, options)


def _ngram_tokens(
    prediction: IdsOfText, reference: IdsOfText, measure: Measure, options: RougeOptions
) -> PairPositions:
    in_prediction, (in_reference,) = ngram_positions(
        prediction, [reference], measure.order
    )
    return in_prediction, in_reference


def _lcs_tokens(
    prediction: IdsOfText, reference: IdsOfText, measure: Measure, options: RougeOptions
) -> PairPositions:
    return subsequence_positions(prediction, reference)


def _summary_lcs_tokens(
    prediction: IdsOfText, reference: IdsOfText, measure: Measure, options: RougeOptions
) -> PairPositions:
    if options.summary_lcs == "best":
        return best_sentence_positions(prediction, reference)
    n_in_prediction = Counter(prediction.ids.tolist())
    n_allowed = [n_in_prediction[token_id] for token_id in reference.ids.tolist()]
    return union_positions(prediction, reference, n_allowed)


def _wlcs_tokens(
    prediction: IdsOfText, reference: IdsOfText, measure: Measure, options: RougeOptions
) -> PairPositions:
    longest = max(len(prediction.ids), len(reference.ids))
    f = np.arange(longest + 1, dtype=np.float64) ** measure.weight
    partners_of = partial(weighted_lcs_partners, f=f)
    return subsequence_positions(prediction, reference, partners_of)


def _skip_bigram_tokens(
    prediction: IdsOfText, reference: IdsOfText, measure: Measure, options: RougeOptions
) -> PairPositions:
    return skip_bigram_positions(prediction, reference, measure.max_skip)


def _skip_bigram_and_unigram_tokens(
    prediction: IdsOfText, reference: IdsOfText, measure: Measure, options: RougeOptions
) -> PairPositions:
    in_prediction, (in_reference,) = ngram_positions(prediction, [reference], 1)
    return joined_positions(
        skip_bigram_positions(prediction, reference, measure.max_skip),
        (in_prediction, in_reference),
    )


def joined_positions(first: PairPositions, second: PairPositions) -> PairPositions:
    """Return the positions that are in either, of each text."""
    in_prediction, in_reference = (
        sorted({*left, *right}) for left, right in zip(first, second, strict=True)
    )
    return in_prediction, in_reference


_POSITIONS_OF_FAMILY: dict[
    str, Callable[[IdsOfText, IdsOfText, Measure, RougeOptions], PairPositions]
] = {
    "N": _ngram_tokens,
    "L": _lcs_tokens,
    "Lsum": _summary_lcs_tokens,
    "W": _wlcs_tokens,
    "S": _skip_bigram_tokens,
    "SU": _skip_bigram_and_unigram_tokens,
}
