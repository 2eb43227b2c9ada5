"""What the scores of one item are made of by the conventions of rouge-metric's PyRouge.

The numbers are those of `rouge/perl/unrounded.py`; the tokens that match are those of
`rouge/perl/explanation.py`, as they are counted alike.
"""

from __future__ import annotations

from typing import Any

from ...data.corpus import Corpus
from ...options.of_item import options_of_item
from ..options.checked import RougeOptions
from ..paper.explanation import explanation_of_pairs, spans_of_texts
from ..scorer import texts_of_item
from .explanation import perl_spans
from .unrounded import UnroundedPairs


def unrounded_explanation(corpus: Corpus, options: RougeOptions) -> dict[str, Any]:
    """Return the explanation of a corpus of one item under the rules of PyRouge.

    It has the form of `rouge_explanation`.
    """
    options = options_of_item(options)
    texts, reference_offsets = texts_of_item(corpus, options)
    pairs = UnroundedPairs(texts, reference_offsets, corpus.is_tokenized, options)
    spans = spans_of_texts(corpus, texts, options, in_sentences=True)
    spans_of_measure = perl_spans(pairs.documents, spans, spans)
    return explanation_of_pairs(corpus, pairs, options, spans_of_measure)
