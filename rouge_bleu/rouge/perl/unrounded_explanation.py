"""What the scores of one item are made of by the conventions of rouge-metric's PyRouge.

The numbers are those of `unrounded_counts.py`; the tokens that match are those of
`rouge155_explanation.py`, as they are counted alike.
"""

from __future__ import annotations

from typing import Any

from .corpus import Corpus
from .item_options import options_of_item
from .rouge155_explanation import perl_spans
from .rouge_explanation import explanation_of_pairs, spans_of_texts
from .rouge_options import RougeOptions
from .rouge_scorer import texts_of_item
from .unrounded_counts import UnroundedPairs


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
