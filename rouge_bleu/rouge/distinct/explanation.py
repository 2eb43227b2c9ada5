"""What the scores of one item are made of by PyPI's rouge and rouge-chinese.

The numbers are those of `rouge/distinct/counts.py`. As each text has an n-gram once, its first
occurrence is shown; of the distinct words that rougeL of rouge counts the first one that
a common subsequence takes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import chain
from typing import Any

from ...data.corpus import Corpus
from ...ground.tokens import shared_tokens
from ...options.of_item import options_of_item
from ...spans.ngrams import IdsOfText, PairPositions, ngram_positions
from ...spans.subsequences import subsequence_positions, union_positions
from ...spans.tokens import cut_token_spans, given_token_spans
from ..measures.types import Measure
from ..options.checked import RougeOptions
from ..paper.explanation import (
    Spans,
    explanation_of_pairs,
    spans_of_pair,
    texts_of_pairs,
)
from ..scorer import texts_of_item
from .counts import DistinctPairs
from .sentences import sentences_of_words


def distinct_explanation(corpus: Corpus, options: RougeOptions) -> dict[str, Any]:
    """Return the explanation of a corpus of one item under the rules of these packages.

    It has the form of `rouge_explanation`. An empty word, which blanks behind the last
    full stop make, has no span.
    """
    options = options_of_item(options)
    texts, reference_offsets = texts_of_item(corpus, options)
    pairs = DistinctPairs(texts, reference_offsets, corpus.is_tokenized, options)
    shown = texts_of_pairs(
        shared_tokens(*pairs.sides), _spans_of_cut_words(corpus, texts, options)
    )

    def spans_of_measure(measure: Measure) -> list[tuple[Spans, Spans]]:
        positions = partial(_distinct_positions, measure=measure, options=options)
        return [spans_of_pair(*of_pair, positions) for of_pair in shown]

    return explanation_of_pairs(corpus, pairs, options, spans_of_measure)


def _spans_of_cut_words(
    corpus: Corpus, texts: Sequence[Any], options: RougeOptions
) -> list[Spans]:
    """Return the span of each word of the prediction and of each reference."""
    tokenizer_options = options.tokenizer_options(is_tokenized=True)
    if corpus.is_tokenized:
        return given_token_spans(texts, tokenizer_options)
    rule = options.rules.sentence_rule
    words_of_texts = [list(chain(*sentences_of_words(text, rule))) for text in texts]
    return cut_token_spans(texts, words_of_texts, tokenizer_options)


def _distinct_positions(
    prediction: IdsOfText, reference: IdsOfText, measure: Measure, options: RougeOptions
) -> PairPositions:
    """Return the positions of the words that take part in a match."""
    if measure.family == "N":
        in_prediction, (in_reference,) = ngram_positions(
            prediction.as_one_sentence(),
            [reference.as_one_sentence()],
            measure.order,
            most=1,
        )
        return in_prediction, in_reference
    if not options.rules.lcs_of_distinct_words:
        return subsequence_positions(prediction, reference)
    n_allowed = [1] * len(prediction.ids)
    in_reference, in_prediction = union_positions(reference, prediction, n_allowed)
    return in_prediction, in_reference
