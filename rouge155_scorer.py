"""ROUGE as the Perl script ROUGE-1.5.5 counts it, from a checked corpus to the result.

    texts -> counts of pairs -> counts of documents -> averages and bounds -> result

The conventions stand in `rouge155_counts.py` and `rouge155_averages.py`; `rouge_scorer.py`
is the same by those of the paper.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from .chunks import results_of_chunks
from .corpus import Corpus
from .lost_text import warn_of_lost_text
from .rouge155_averages import rouge155_result
from .rouge155_counts import DocumentCounts, DocumentPairs, document_counts
from .rouge_options import RougeOptions
from .sentence_lines import with_sentence_lines


def rouge155(corpus: Corpus, options: RougeOptions, seed: int = 0) -> dict[str, Any]:
    """Return the result of `rouge_full` under the rules of ROUGE-1.5.5.

    Its random numbers have seeds of their own; `seed` is not used.
    """
    score = partial(_counts_of_chunk, corpus, options)
    chunks = results_of_chunks(corpus, score, options.n_threads)
    counts = {
        name: DocumentCounts.concatenated([counts[name] for counts, _ in chunks])
        for name in options.measures
    }
    warn_of_lost_text(
        corpus,
        options.tokenizer_name,
        has_tokens=any(has_tokens for _, has_tokens in chunks),
        stopwords=options.stopwords or (),
    )
    return rouge155_result(counts, options)


def _counts_of_chunk(
    corpus: Corpus, options: RougeOptions, first: int, end: int
) -> tuple[dict[str, DocumentCounts], bool]:
    """Return the counts of documents for each rouge type, and whether there are tokens."""
    pairs, reference_offsets = document_pairs(corpus, options, first, end)
    counts = {
        name: counts_of_documents(
            document_counts(pairs, measure), reference_offsets, options
        )
        for name, measure in options.measures.items()
    }
    return counts, pairs.has_tokens


def document_pairs(
    corpus: Corpus, options: RougeOptions, first: int, end: int
) -> tuple[DocumentPairs, np.ndarray]:
    """Return the pairs of a range of items, and the offsets of the items' references."""
    texts, reference_offsets = corpus.texts_of_items(first, end)
    if not corpus.is_tokenized:
        texts = list(with_sentence_lines(texts, options.sentence_splitter))
    pairs = DocumentPairs.of_texts(
        texts, reference_offsets, options, is_tokenized=corpus.is_tokenized
    )
    if any(measure.family == "W" for measure in options.measures.values()):
        _check_no_empty_reference(pairs, reference_offsets, first)
    return pairs, reference_offsets


def counts_of_documents(
    counts: DocumentCounts, reference_offsets: np.ndarray, options: RougeOptions
) -> DocumentCounts:
    """Return the counts of documents, given those of their pairs."""
    is_pooled = options.multi_reference == "pooled"
    combine = DocumentCounts.pooled if is_pooled else DocumentCounts.best
    return combine(counts, reference_offsets)


def _check_no_empty_reference(
    pairs: DocumentPairs, reference_offsets: np.ndarray, first: int
) -> None:
    is_empty = pairs.lines.reference.ids.lengths == 0
    if is_empty.any():
        reference = int(is_empty.argmax())
        item = int(np.searchsorted(reference_offsets, reference, side="right")) - 1
        number = reference - int(reference_offsets[item])
        raise ValueError(
            f"references[{first + item}][{number}] has no tokens, on which ROUGE-1.5.5 "
            "divides by zero in ROUGE-W: leave out that reference or rougeW"
        )
