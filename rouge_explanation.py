"""What the ROUGE scores of one item are made of: counts, choice, and the tokens that match.

    item -> the statistics and scores of `rouge_scorer.py` -> numbers
         -> the token ids of these -> positions of matches -> spans of characters

Every number is that of the scorer; `match_positions.py` says which tokens are shown,
and `token_spans.py` where they stand. `rouge155_explanation.py` is the same by the
conventions of the Perl script.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from .corpus import Corpus
from .item_options import options_of_item
from .lcs_positions import (
    best_sentence_positions,
    subsequence_positions,
    union_positions,
)
from .lost_text import warn_of_lost_text
from .match_positions import (
    IdsOfText,
    PairPositions,
    ngram_positions,
    skip_bigram_positions,
)
from .pair_scores import OUTPUTS, PairStatistics
from .rouge_options import RougeOptions
from .rouge_scorer import MeasuredItem, counts_in_sentences, measured_item
from .rouge_types import Measure
from .sentence_lines import with_sentence_lines
from .token_spans import (
    SourcedText,
    Span,
    given_token_spans,
    sentence_token_spans,
    sourced_lines,
    token_spans,
)
from .tokens import SharedTokens
from .wlcs_way_back import weighted_lcs_mask


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
    item = measured_item(corpus, options)
    _warn_where_text_is_lost(corpus, options, item)
    spans = {
        in_sentences: _spans_of_texts(corpus, item.texts, options, in_sentences)
        for in_sentences, tokens in _tokens_by_level(item).items()
        if tokens is not None
    }
    explanation = {}
    for name, measure in options.measures.items():
        in_sentences = counts_in_sentences(options, measure)
        tokens = _tokens_by_level(item)[in_sentences]
        explanation[name] = {
            **named_scores(item.scores[name]),
            "chosen": _chosen_reference(item.statistics[name], options),
            "references": [
                _of_reference(counts, texts, measure, options)
                for counts, texts in zip(
                    _counts_of_pairs(item.statistics[name], options),
                    texts_of_pairs(tokens, spans[in_sentences]),
                    strict=True,
                )
            ],
        }
    return explanation


# Ids and spans of the tokens of a text.
ShownText = tuple[IdsOfText, Sequence[Span | None]]


def texts_of_pairs(
    tokens: SharedTokens | None, spans: Sequence[Sequence[Span | None]]
) -> list[tuple[ShownText, ShownText]]:
    """Return the prediction and the reference of each pair of an item.

    `spans` has those of the prediction, then those of each reference.
    """
    if tokens is None:
        return []
    of_prediction, *of_references = spans
    return [
        (
            (IdsOfText.of_row(tokens.prediction, pair), of_prediction),
            (IdsOfText.of_row(tokens.reference, pair), of_reference),
        )
        for pair, of_reference in enumerate(of_references)
    ]


def named_scores(scores: np.ndarray) -> dict[str, float]:
    """Return precision, recall and F under their names."""
    return dict(zip(OUTPUTS, scores.tolist(), strict=True))


def spans_at(
    spans: Sequence[Span | None], positions: Sequence[int]
) -> list[Span | None]:
    """Return the spans of some tokens; each a list of its own."""
    found = (spans[position] for position in positions)
    return [span if span is None else [*span] for span in found]


def _of_reference(
    counts: dict[str, Any],
    texts: tuple[ShownText, ShownText],
    measure: Measure,
    options: RougeOptions,
) -> dict[str, Any]:
    (prediction, prediction_spans), (reference, reference_spans) = texts
    if options.cross_sentences and measure.family != "Lsum":
        prediction, reference = (
            prediction.as_one_sentence(),
            reference.as_one_sentence(),
        )
    positions_of_pair = _POSITIONS_OF_FAMILY[measure.family]
    in_prediction, in_reference = positions_of_pair(
        prediction, reference, measure, options
    )
    return {
        **counts,
        "prediction_spans": spans_at(prediction_spans, in_prediction),
        "reference_spans": spans_at(reference_spans, in_reference),
    }


# --- numbers --------------------------------------------------------------------------


def _counts_of_pairs(
    statistics: PairStatistics, options: RougeOptions
) -> list[dict[str, Any]]:
    """Return the counts and scores of each pair, by name."""
    scores = statistics.scores(options.beta)
    if not statistics.reference_total.any():
        scores[:] = options.zero_division
    columns = {
        "matches": statistics.matches,
        "prediction_matches": statistics.prediction_matches,
        "prediction_total": statistics.prediction_total,
        "reference_total": statistics.reference_total,
        **dict(zip(OUTPUTS, scores, strict=True)),
    }
    listed = {
        name: column.tolist() for name, column in columns.items() if column is not None
    }
    return [
        dict(zip(listed, row, strict=True))
        for row in zip(*listed.values(), strict=True)
    ]


def _chosen_reference(statistics: PairStatistics, options: RougeOptions) -> int | None:
    """Return the reference whose scores are those of the item; None: several count."""
    by = statistics.scores(options.beta)[OUTPUTS.index(statistics.rules.best_output)]
    if len(by) > 1 and options.multi_reference != "best":
        return None
    return int(by.argmax())


# --- positions ------------------------------------------------------------------------
# Each takes the ids of the two texts of a pair, a measure and the options, and returns
# the positions of the tokens that take part in a match.


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
    return subsequence_positions(prediction, reference, partial(weighted_lcs_mask, f=f))


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


# --- tokens and spans -----------------------------------------------------------------


def _tokens_by_level(item: MeasuredItem) -> dict[bool, SharedTokens | None]:
    """Return the tokens of the whole texts, and under True those of sentences."""
    return {False: item.tokens, True: item.sentence_tokens}


def _spans_of_texts(
    corpus: Corpus, texts: Sequence[Any], options: RougeOptions, in_sentences: bool
) -> list[list[Span | None]]:
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


def _warn_where_text_is_lost(
    corpus: Corpus, options: RougeOptions, item: MeasuredItem
) -> None:
    levels = (
        tokens for tokens in _tokens_by_level(item).values() if tokens is not None
    )
    sides = [side for tokens in levels for side in tokens.sides]
    warn_of_lost_text(
        corpus,
        options.tokenizer_name,
        has_tokens=any(len(side.ids.values) for side in sides),
        stopwords=options.stopwords or (),
        zero_division=options.zero_division,
    )
