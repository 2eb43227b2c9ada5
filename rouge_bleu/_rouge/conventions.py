"""The table of conventions: for each way to count, all that it does otherwise."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from .distinct.pairs import DistinctPairs
from .elsewhere.coco_caption import SingleBlankPairs
from .elsewhere.nmt import NmtPairs
from .elsewhere.py_rouge import PyRougePairs, lines_of_py_rouge
from .elsewhere.rouge_2_0 import LinePairs
from .elsewhere.sacrerouge import lines_of_sacrerouge
from .elsewhere.xlsum import XlsumPairs
from .options import RougeOptions
from .pairs.convention import Convention
from .pairs.counted import limited_texts, texts_with_cut_lines
from .pairs.explained import explanation_of_item, figures_of_scores
from .pairs.results import result_of_scores
from .paper.few_pairs import paper_pairs
from .perl.documents import explanation_of_document, figures_of_document, result_of_documents
from .perl.pairs import DocumentPairs, UnroundedPairs, sentence_lines

_PAPER = Convention(
    read=limited_texts,
    pairs=paper_pairs,
    result=result_of_scores,
    explanation=explanation_of_item,
    figures=figures_of_scores,
    has_sentences=False,
    averages_samples=False,
    chooses_by_f=True,
    names_weights=False,
    unsigned_options=frozenset(),
)
_SCRIPT = Convention(
    read=sentence_lines,
    pairs=DocumentPairs,
    result=result_of_documents,
    explanation=explanation_of_document,
    figures=figures_of_document,
    has_sentences=True,
    averages_samples=True,
    chooses_by_f=False,
    names_weights=True,
    unsigned_options=frozenset({"cross_sentences", "summary_lcs", "zero_division", "seed"}),
)

# By the names of `RougeRules.counting`.
CONVENTIONS: dict[str, Convention] = {
    "paper": _PAPER,
    "rouge-1.5.5": _SCRIPT,
    "unrounded": replace(_PAPER, pairs=UnroundedPairs, has_sentences=True),
    "distinct": replace(_PAPER, pairs=DistinctPairs),
    "py-rouge": replace(
        _PAPER,
        read=partial(texts_with_cut_lines, lines_of_py_rouge),
        pairs=PyRougePairs,
        unsigned_options=frozenset({"zero_division"}),
    ),
    "rouge-2.0": replace(_PAPER, pairs=LinePairs, has_sentences=True),
    "sacrerouge": replace(_PAPER, read=partial(texts_with_cut_lines, lines_of_sacrerouge)),
    "nmt": replace(_PAPER, pairs=NmtPairs, unsigned_options=frozenset({"zero_division"})),
    "xlsum": replace(_PAPER, pairs=XlsumPairs),
    "single blanks": replace(
        _PAPER, pairs=SingleBlankPairs, unsigned_options=frozenset({"zero_division"})
    ),
}


def convention_of(options: RougeOptions) -> Convention:
    """Return the convention of the preset."""
    return CONVENTIONS[options.rules.counting]
