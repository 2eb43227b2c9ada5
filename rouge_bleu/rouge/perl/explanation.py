"""What the scores of one item are made of by the conventions of ROUGE-1.5.5.

It is `rouge/paper/explanation.py` with the counts of `rouge/perl/counts.py`: L and W take their
tokens from a union over sentences that is clipped by unigram counts, from lines that
are cut in a way of their own, and SU has no last token as a unigram.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from ...data.corpus import Corpus
from ...data.lost_text import warn_of_lost_text
from ...ground.ragged import first_of_highest
from ...kernels.wlcs.way_back import weighted_lcs_partners
from ...options.of_item import options_of_item
from ...spans.ngrams import (
    IdsOfText,
    PairPositions,
    ngram_positions,
    skip_bigram_positions,
)
from ...spans.subsequences import union_positions
from ...spans.tokens import given_token_spans, sourced_lines, token_spans
from ...text.sentence_lines import with_sentence_lines
from ..measures.types import Measure
from ..options.checked import RougeOptions
from ..paper.explanation import (
    Spans,
    SpansOfMeasure,
    explained_type,
    joined_positions,
    rows_of_pairs,
    spans_of_pair,
    texts_of_pairs,
)
from .averages import document_scores
from .counts import DocumentCounts, document_counts
from .pairs import DocumentPairs, limited_texts
from .scorer import (
    counts_of_documents,
    pairs_of_document,
    warn_of_missing_exceptions,
)


def rouge155_explanation(corpus: Corpus, options: RougeOptions) -> dict[str, Any]:
    """Return the explanation of a corpus of one item under the rules of ROUGE-1.5.5.

    It has the form of `rouge_explanation`.
    """
    options = options_of_item(options)
    pairs, reference_offsets = pairs_of_document(corpus, options)
    warn_of_lost_text(
        corpus,
        options.tokenizer_name,
        has_tokens=pairs.has_tokens,
        stopwords=options.stopwords or (),
    )
    warn_of_missing_exceptions(options)
    spans = _spans_as_read(corpus, options, advances=True)
    line_spans = spans
    if options.max_bytes:
        line_spans = _spans_as_read(corpus, options, advances=False)
    spans_of_measure = perl_spans(pairs, spans, line_spans)

    explanation = {}
    for name, measure in options.measures.items():
        counts = document_counts(pairs, measure)
        of_item = counts_of_documents(counts, reference_offsets, options)
        chosen = None
        if pairs.n_pairs == 1 or options.multi_reference == "best":
            chosen = int(first_of_highest(counts.selection, reference_offsets)[0])
        explanation[name] = explained_type(
            document_scores(of_item, options.beta)[:, 0],
            chosen,
            _perl_counts_of_pairs(counts, measure, options),
            spans_of_measure(measure),
        )
    return explanation


def perl_spans(
    pairs: DocumentPairs, spans: Sequence[Spans], line_spans: Sequence[Spans]
) -> SpansOfMeasure:
    """Return what gives the spans of matches of one item that are counted as by the script.

    `spans` has those of the tokens of each text, and `line_spans` the same as L and W
    read it.
    """
    texts = texts_of_pairs(pairs.tokens, spans)
    lines = texts_of_pairs(pairs.lines, line_spans)

    def spans_of_measure(measure: Measure) -> list[tuple[Spans, Spans]]:
        takes_lines = measure.family in ("L", "Lsum", "W")
        found = []
        for number, of_pair in enumerate(lines if takes_lines else texts):
            positions = partial(
                _perl_positions, measure=measure, allowed=_allowed_hits(pairs, number)
            )
            found.append(spans_of_pair(*of_pair, positions))
        return found

    return spans_of_measure


def _perl_counts_of_pairs(
    counts: DocumentCounts, measure: Measure, options: RougeOptions
) -> list[dict[str, Any]]:
    """Return the counts and scores of each pair, by name, as if it were a document."""
    columns = {
        "matches": counts.matches,
        "prediction_total": counts.prediction_total,
        "reference_total": counts.reference_total,
    }
    return rows_of_pairs(columns, document_scores(counts, options.beta), measure)


def _spans_as_read(
    corpus: Corpus, options: RougeOptions, *, advances: bool
) -> list[Spans]:
    """Return the span of each token of the prediction and of each reference."""
    originals, _ = corpus.texts_of_items(0, 1)
    texts: Sequence[Any] = originals
    if not corpus.is_tokenized:
        texts = with_sentence_lines(originals, options.sentence_splitter)
    limited = limited_texts(
        list(texts), options, corpus.is_tokenized, advances=advances
    )
    tokenizer_options = options.tokenizer_options(corpus.is_tokenized)
    if corpus.is_tokenized:
        return given_token_spans(limited, tokenizer_options)
    return token_spans(list(map(sourced_lines, limited, originals)), tokenizer_options)


# --- positions ------------------------------------------------------------------------
# Each takes the ids of the two texts of a pair, a measure and, for each token of the
# reference, how many equal to it may be hits.


def _perl_positions(
    prediction: IdsOfText, reference: IdsOfText, measure: Measure, allowed: list[int]
) -> PairPositions:
    positions = _PERL_POSITIONS_OF_FAMILY[measure.family]
    return positions(prediction, reference, measure, allowed)


def _allowed_hits(pairs: DocumentPairs, pair: int) -> list[int]:
    offsets = pairs.lines.reference.ids.offsets
    ids = pairs.id_of_reference_token[offsets[pair] : offsets[pair + 1]]
    return np.append(pairs.n_allowed, 0)[ids].tolist()  # ABSENT is the last index


def _perl_ngram_tokens(
    prediction: IdsOfText, reference: IdsOfText, measure: Measure, allowed: list[int]
) -> PairPositions:
    in_prediction, (in_reference,) = ngram_positions(
        prediction.as_one_sentence(), [reference.as_one_sentence()], measure.order
    )
    return in_prediction, in_reference


def _perl_lcs_tokens(
    prediction: IdsOfText, reference: IdsOfText, measure: Measure, allowed: list[int]
) -> PairPositions:
    return union_positions(prediction, reference, allowed)


def _perl_wlcs_tokens(
    prediction: IdsOfText, reference: IdsOfText, measure: Measure, allowed: list[int]
) -> PairPositions:
    longest = max(len(prediction.ids), len(reference.ids))
    f = np.array([float(k) ** measure.weight for k in range(longest + 1)])
    partners_of = partial(weighted_lcs_partners, f=f)
    return union_positions(prediction, reference, allowed, partners_of)


def _perl_skip_bigram_tokens(
    prediction: IdsOfText, reference: IdsOfText, measure: Measure, allowed: list[int]
) -> PairPositions:
    return skip_bigram_positions(
        prediction.as_one_sentence(), reference.as_one_sentence(), measure.max_skip
    )


def _perl_skip_bigram_and_unigram_tokens(
    prediction: IdsOfText, reference: IdsOfText, measure: Measure, allowed: list[int]
) -> PairPositions:
    """The last token of a text is no unigram."""
    texts = prediction, reference
    without_last = [IdsOfText(text.ids[:-1], text.sentence[:-1]) for text in texts]
    in_prediction, (in_reference,) = ngram_positions(
        without_last[0], without_last[1:], 1
    )
    return joined_positions(
        _perl_skip_bigram_tokens(prediction, reference, measure, allowed),
        (in_prediction, in_reference),
    )


_PERL_POSITIONS_OF_FAMILY: dict[
    str, Callable[[IdsOfText, IdsOfText, Measure, list[int]], PairPositions]
] = {
    "N": _perl_ngram_tokens,
    "L": _perl_lcs_tokens,
    "Lsum": _perl_lcs_tokens,
    "W": _perl_wlcs_tokens,
    "S": _perl_skip_bigram_tokens,
    "SU": _perl_skip_bigram_and_unigram_tokens,
}
