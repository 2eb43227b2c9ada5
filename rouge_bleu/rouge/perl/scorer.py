"""ROUGE as the Perl script ROUGE-1.5.5 counts it, from a checked corpus to the result.

    texts -> pairs -> counts of pairs -> counts of documents -> averages and bounds -> result

The conventions stand in `rouge/perl/pairs.py`, `rouge/perl/counts.py` and
`rouge/perl/averages.py`; `rouge/scorer.py` is the same by those of the paper.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ...data.chunks import results_of_chunks
from ...data.corpus import Corpus
from ...data.lost_text import warn_of_lost_text
from ...ground.messages import warn_caller
from ...text.sentence_lines import with_sentence_lines
from ..options.checked import RougeOptions
from ..scorer import parts_of_item
from .averages import rouge155_result
from .counts import DocumentCounts, document_counts
from .pairs import DocumentPairs


def rouge155(corpus: Corpus, options: RougeOptions) -> dict[str, Any]:
    """Return the result of `rouge_full` under the rules of ROUGE-1.5.5."""
    score = partial(_counts_of_chunk, corpus, options)
    chunks = results_of_chunks(corpus, score, options.n_workers)
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
    warn_of_missing_exceptions(options)
    return rouge155_result(counts, options)


_MISSING_EXCEPTIONS = (
    "-m is stemming without WordNet's exception lists here: irregular words such as 'went' "
    "are stemmed otherwise than by ROUGE-1.5.5.pl. Its figures need "
    "stemmer=metric.rouge155_stemmer(folder) beside the command line, where folder has the "
    "lists; stemmer=metric.rouge155_stemmer() leaves them out without this warning."
)


def warn_of_missing_exceptions(options: RougeOptions) -> None:
    """Warn where the stemmer is that of a command line, which knows no exceptions."""
    if options.stems_without_exceptions:
        warn_caller(_MISSING_EXCEPTIONS)


def _counts_of_chunk(
    corpus: Corpus, options: RougeOptions, first: int, end: int
) -> tuple[dict[str, DocumentCounts], bool]:
    """Return the counts of documents for each rouge type, and whether there are tokens."""
    counts: dict[str, list[DocumentCounts]] = {name: [] for name in options.measures}
    has_tokens = False
    texts, reference_offsets = _lines_of_items(corpus, options, first, end)
    n_references_before = 0
    for some_texts, offsets in parts_of_item(texts, reference_offsets):
        pairs = DocumentPairs.of_texts(
            some_texts, offsets, options, is_tokenized=corpus.is_tokenized
        )
        if any(measure.family == "W" for measure in options.measures.values()):
            _check_no_empty_reference(pairs, offsets, first, n_references_before)
        has_tokens |= pairs.has_tokens
        for name, measure in options.measures.items():
            counts[name].append(document_counts(pairs, measure))
        n_references_before += int(offsets[-1])
    of_documents = {
        name: counts_of_documents(
            DocumentCounts.concatenated(parts), reference_offsets, options
        )
        for name, parts in counts.items()
    }
    return of_documents, has_tokens


def pairs_of_document(
    corpus: Corpus, options: RougeOptions
) -> tuple[DocumentPairs, np.ndarray]:
    """Return the pairs of a corpus of one item, and the offsets of its references."""
    texts, reference_offsets = _lines_of_items(corpus, options, 0, 1)
    pairs = DocumentPairs.of_texts(
        texts, reference_offsets, options, is_tokenized=corpus.is_tokenized
    )
    if any(measure.family == "W" for measure in options.measures.values()):
        _check_no_empty_reference(pairs, reference_offsets, 0, 0)
    return pairs, reference_offsets


def _lines_of_items(
    corpus: Corpus, options: RougeOptions, first: int, end: int
) -> tuple[list[Any], np.ndarray]:
    """Return the texts of items, a sentence in each line, and the offsets of references."""
    texts, reference_offsets = corpus.texts_of_items(first, end)
    if not corpus.is_tokenized:
        texts = list(with_sentence_lines(texts, options.sentence_splitter))
    return texts, reference_offsets


def counts_of_documents(
    counts: DocumentCounts, reference_offsets: np.ndarray, options: RougeOptions
) -> DocumentCounts:
    """Return the counts of documents, given those of their pairs."""
    is_pooled = options.multi_reference == "pooled"
    combine = DocumentCounts.pooled if is_pooled else DocumentCounts.best
    return combine(counts, reference_offsets)


def _check_no_empty_reference(
    pairs: DocumentPairs,
    reference_offsets: np.ndarray,
    first: int,
    n_references_before: int,
) -> None:
    """Raise an error where a reference has no tokens.

    The items start with number `first`, and the only one of a part of its references has
    `n_references_before` more before them.
    """
    is_empty = pairs.lines.reference.ids.lengths == 0
    if is_empty.any():
        reference = int(is_empty.argmax())
        item = int(np.searchsorted(reference_offsets, reference, side="right")) - 1
        number = n_references_before + reference - int(reference_offsets[item])
        raise ValueError(
            f"references[{first + item}][{number}] has no tokens, on which ROUGE-1.5.5 "
            "divides by zero in ROUGE-W: leave out that reference or rougeW"
        )
