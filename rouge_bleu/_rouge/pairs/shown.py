"""What an explanation shows of an item: its numbers, and where tokens of pairs stand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...corpus import Corpus
from ...spans.ngrams import IdsOfText, PairPositions
from ...spans.tokens import (
    Span,
    given_token_spans,
    sentence_token_spans,
    sourced_lines,
    token_spans,
)
from ...text.sentences import with_sentence_lines
from ...tokens import Tokens
from ..measures.family import Measure
from ..measures.views import ExplainedPair
from ..options import RougeOptions

Spans = list[Span | None]


@dataclass(frozen=True)
class Figures:
    """The numbers of an item for one measure.

    Parameters
    ----------
    of_item : ndarray of float64, shape (3,)
        Precision, recall and F.
    of_pairs : ndarray of float64, shape (3, n_pairs)
    chosen : int or None
        The reference whose scores are those of the item; None: several count.
    """

    of_item: np.ndarray
    of_pairs: np.ndarray
    chosen: int | None


@dataclass(frozen=True)
class ShownPair:
    """The tokens of a pair, and the span of each.

    Parameters
    ----------
    ids : ExplainedPair
    prediction_spans, reference_spans : list
    """

    ids: ExplainedPair
    prediction_spans: Spans
    reference_spans: Spans

    def as_one_sentence(self) -> ShownPair:
        """Return the pair with each text as one sentence."""
        return replace(self, ids=self.ids.as_one_sentence())

    def spans_at(self, positions: PairPositions) -> dict[str, Spans]:
        """Return the spans of some tokens, by the names of an explanation."""
        in_prediction, in_reference = positions
        return {
            "prediction_spans": _spans_at(self.prediction_spans, in_prediction),
            "reference_spans": _spans_at(self.reference_spans, in_reference),
        }


# The pairs of an item as a measure sees them.
ShownPairs = Callable[[Measure], Sequence[ShownPair]]


def _spans_at(spans: Spans, positions: Sequence[int]) -> Spans:
    found = (spans[position] for position in positions)
    return [span if span is None else [*span] for span in found]


def shown_pairs(
    sides: tuple[Tokens, Tokens],
    spans: Sequence[Spans],
    options: RougeOptions,
    allowed: Callable[[int], Sequence[int]] | None = None,
) -> list[ShownPair]:
    """Return the pairs of an item.

    Parameters
    ----------
    sides : tuple of Tokens
        Predictions and references, one row per pair; equal ids are equal tokens.
    spans : sequence
        Those of the prediction, then those of each reference.
    options : RougeOptions
    allowed : function, optional
        From the number of a pair to `ExplainedPair.n_allowed`. By default that is how
        often the prediction has each token.
    """
    of_prediction, *of_references = spans
    pairs = []
    for number, of_reference in enumerate(of_references):
        prediction, reference = (IdsOfText.of_row(side, number) for side in sides)
        n_allowed = _counts_in(prediction, reference) if allowed is None else allowed(number)
        ids = ExplainedPair(prediction, reference, n_allowed, options)
        pairs.append(ShownPair(ids, of_prediction, of_reference))
    return pairs


def _counts_in(prediction: IdsOfText, reference: IdsOfText) -> list[int]:
    n_in_prediction = Counter(prediction.ids.tolist())
    return [n_in_prediction[token_id] for token_id in reference.ids.tolist()]


def spans_of_texts(
    corpus: Corpus, texts: Sequence[Any], options: RougeOptions, *, in_sentences: bool
) -> list[Spans]:
    """Return the span of each token of the prediction and of each reference.

    `texts` is what counts of those of the corpus: their beginnings, or parts of their lines.
    """
    tokenizer_options = options.tokenizer_options(corpus.is_tokenized)
    if corpus.is_tokenized:
        return given_token_spans(texts, tokenizer_options)
    given, _ = corpus.texts_of_items(0, 1)
    sources = [
        text if whole.startswith(text) else whole for text, whole in zip(texts, given, strict=True)
    ]
    if not in_sentences:
        return token_spans(list(map(sourced_lines, texts, sources)), tokenizer_options)
    lines = with_sentence_lines(texts, options.sentence_splitter)
    return sentence_token_spans(list(map(sourced_lines, lines, sources)), tokenizer_options)
