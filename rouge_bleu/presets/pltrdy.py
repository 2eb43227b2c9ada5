"""PyPI's rouge 1.0.1, by pltrdy, and its fork rouge-chinese 1.0.3.

A sentence of spaces has one word, which is empty. N-grams are sets: each counts once.
rougeL of rouge is about the distinct words of the LCS of any two sentences; that of
rouge-chinese is the LCS of the texts. F has 1e-8 in its denominator.

tests/presets/test_pltrdy.py runs rouge; tests/golden/packages.json has scores of rouge-chinese.
"""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from .._rouge.options import RougeOptions
from .._rouge.pairs import Pairs
from .._rouge.rules import RougeRules, defaults
from ..arrays import dense_ids
from ..kernels.union_lcs import union_lcs_mask
from ..rouge_types import LCS, NGRAMS, by_name
from ..rouge_types.family import Columns, Count, PairLists, Positions, RougeType, as_counts
from ..rouge_types.ngrams import ngrams, positions_of_ngrams
from ..rouge_types.summary_lcs import n_table_steps, rouge_lsum
from ..tokens import UNSHARED, number_tokens, pair_sides

# --- n-grams as sets ------------------------------------------------------------------------------


def _count_few_distinct_ngrams(rouge_type: RougeType, pairs: PairLists) -> list[Count]:
    sets = ([set(ngrams(text, rouge_type.order)) for text in pair] for pair in pairs.texts)
    return [(len(p & r), len(p), len(r)) for p, r in sets]


def distinct_ngram_counts(pairs: Pairs) -> dict[int, Columns]:
    """Return counts of distinct n-grams by order; one is an (n-1)-gram of its pair and one more token."""
    sides = [side.ids for side in pair_sides(pairs.text_tokens, pairs.reference_offsets)]
    n_ids, n_pairs = max(pairs.text_tokens.n_ids, 1), sides[0].n_rows
    ngrams, pair_of_ngram = [side.row_of_value for side in sides], np.arange(n_pairs)
    orders = {rouge_type.order for rouge_type in pairs.rouge_types} - {0} | {1}
    counts = {}
    for order in range(1, max(orders) + 1):
        if order > 1:  # the last start has no more token
            ngrams = [ngram[:-1] for ngram in ngrams]
        keys = [
            ngram * n_ids + side.values[order - 1 :]
            for ngram, side in zip(ngrams, sides, strict=True)
        ]
        ngrams, key_of_ngram = dense_ids(keys)
        pair_of_ngram = pair_of_ngram[key_of_ngram // n_ids]
        if order in orders:
            has = np.zeros((2, len(key_of_ngram)), dtype=bool)
            for has_ngram, ngram, side in zip(has, ngrams, sides, strict=True):
                first, last = side.row_of_value[: len(ngram)], side.row_of_value[order - 1 :]
                has_ngram[ngram[first == last]] = True  # others go on in the next text
            matches, *totals = (
                np.bincount(pair_of_ngram[one], minlength=n_pairs)
                for one in (has.all(axis=0), *has)
            )
            counts[order] = as_counts(matches, totals)
    return counts


DISTINCT_NGRAMS = replace(
    NGRAMS,
    by_sentence=False,
    count_few=_count_few_distinct_ngrams,
    count_columns=lambda rouge_type, pairs: pairs.count_once(distinct_ngram_counts)[
        rouge_type.order
    ],
    most=1,
    positions=lambda rouge_type, pairs, pair: positions_of_ngrams(
        rouge_type.order, pairs.listed_ids.sentences_for_ngrams[pair], most=1
    ),
)

# --- distinct words of longest common subsequences -------------------------------------------------


def count_distinct_words(rouge_type: RougeType, pairs: Pairs, ignored: int = UNSHARED) -> Columns:
    """Return the counts of distinct words, and those in the LCS of all sentences except one word."""
    prediction, reference = pair_sides(pairs.text_tokens, pairs.reference_offsets)
    # Sides are exchanged, so that `union_lcs_mask` marks words of the prediction.
    tokens = number_tokens(reference, prediction)
    is_counted = union_lcs_mask(tokens) & (prediction.ids.values != ignored)
    words = np.unique(tokens.reference.ids.values[is_counted])
    matches = np.bincount(tokens.example_of_id[words], minlength=tokens.n_examples)
    return as_counts(matches, pairs.count_once(distinct_ngram_counts)[1][2:])


def positions_of_distinct_words(
    rouge_type: RougeType, pairs: Pairs, pair: int, ignored: int = UNSHARED
) -> Positions:
    """Return a position of each distinct word of the union LCS, on exchanged sides as above."""
    prediction, reference = pairs.listed_ids.sentences[pair]
    found = rouge_lsum(reference, prediction, lambda word: int(word != ignored))
    return found.reference, found.prediction


def _count_few_distinct_lcs_words(rouge_type: RougeType, pairs: PairLists) -> list[Count]:
    matches = (rouge_lsum(r, p, lambda word: 1).matches for p, r in pairs.sentences)
    totals = ((len(set(p)), len(set(r))) for p, r in pairs.texts)
    return [(found, *of_pair) for found, of_pair in zip(matches, totals, strict=True)]


DISTINCT_WORD_LCS = replace(
    LCS,
    by_sentence=True,
    count_few=_count_few_distinct_lcs_words,
    n_steps=n_table_steps,
    count_columns=count_distinct_words,
    positions=positions_of_distinct_words,
)

# --- words of texts -------------------------------------------------------------------------------


def _tokenized_sentences(texts: list[str], options: RougeOptions) -> list[list[list[str]]]:
    """Sentences end at full stops, also at decimal points."""
    return [[one.split() or [""] for one in text.split(".") if one] for text in texts]


# The end of a sentence in rouge-chinese, and the characters that continue it. Splits are made in
# order; the character after a split starts no other split.
_CHINESE_SENTENCE_ENDS = [
    *(re.compile(f"({end})([^”’])") for end in ("[。！？?]", r"\.{6}", "…{2}")),
    re.compile("([。！？?][”’])([^，。！？?])"),
]


def tokenized_chinese_sentences(texts: list[str], options: RougeOptions) -> list[list[list[str]]]:
    """Sentences are lines, split at the ends of Chinese sentences."""
    rows = []
    for text in texts:
        for cut in _CHINESE_SENTENCE_ENDS:
            text = cut.sub(r"\1\n\2", text)
        rows.append([line.split() or [""] for line in text.rstrip().split("\n") if line])
    return rows


PLTRDY_RULES = RougeRules(
    options=defaults("rouge1 rouge2 rougeL", tokenizer="whitespace", lowercase=False, output="all"),
    sentences=_tokenized_sentences,
    keeps_case=True,
    families=by_name(DISTINCT_NGRAMS, LCS),
    f_epsilon=1e-8,
    fixed_options=frozenset({"tokenizer", "sentence_splitter", "cross_sentences", "summary_lcs"}),
)
ROUGE = {
    "pltrdy": replace(
        PLTRDY_RULES,
        about=("PyPI's rouge 1.0.1", "summaries", "1e-12"),
        families=by_name(DISTINCT_NGRAMS, DISTINCT_WORD_LCS),
    ),
    "rouge-chinese": replace(
        PLTRDY_RULES,
        about=("rouge-chinese 1.0.3", "Chinese summaries", "1e-12"),
        sentences=tokenized_chinese_sentences,
    ),
}
