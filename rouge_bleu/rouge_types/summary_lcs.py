"""ROUGE-Lsum: the union LCS of texts with sentences (Lin 2004, section 3.2), as in rouge_score.

A sentence of the reference has the tokens of its LCS with any sentence of the prediction. A token
counts at most as often as the prediction has it. If both sides have one sentence, this is the LCS, which
`lcs.py` counts: clipping removes nothing from a single subsequence.

`rouge_lsum` is the definition, with positions. `union_lcs_length` counts one pair without them, and
`union_lcs_lengths` counts columns of pairs. All three have to count the same.

`summary_lcs="best"` is another record: each sentence counts its LCS with the best sentence of the other side.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from ..arrays import sums_of_groups
from ..kernels.union_lcs import best_sentence_lcs_lengths, union_lcs_mask
from ..tokens import SharedTokens
from .family import ColumnPairs, Columns, Count, Family, PairLists, Positions, RougeType, as_counts
from .lcs import LCS, lcs_length, lcs_length_of_masks, lcs_lengths, lcs_lengths_of_texts, lcs_pairs
from .matches import Matches, PositionPairs, TokenList, masks_by_token

# --- definition -----------------------------------------------------------------------------------


def rouge_lsum(
    prediction: Sequence[TokenList],
    reference: Sequence[TokenList],
    most: Callable[[Any], int] | None = None,
    align: Callable[[TokenList, TokenList], PositionPairs] = lcs_pairs,
) -> Matches:
    """Return the union LCS of texts that are lists of sentences.

    `align` finds the LCS of two sentences. A token counts at most as often as `most` says, by default as
    often as the prediction has it.

    >>> prediction = ["w1 w2 w6 w7 w8".split(), "w1 w3 w8 w9 w5".split()]
    >>> rouge_lsum(prediction, ["w1 w2 w3 w4 w5".split()])
    Matches(matches=4, prediction=[0, 1, 6, 9], reference=[0, 1, 2, 4])
    """
    tokens = list(chain.from_iterable(prediction))
    partner: dict[int, tuple[Any, int]] = {}  # by position in the reference
    first_in_reference = 0
    words_of_sentence = list(map(set, prediction))
    for sentence in reference:
        first, without_partner = 0, set(sentence)
        for other, words in zip(prediction, words_of_sentence, strict=True):
            if not without_partner:
                break
            if not without_partner.isdisjoint(words):
                for i, j in align(other, sentence):
                    partner.setdefault(first_in_reference + j, (sentence[j], first + i))
                without_partner = {
                    token
                    for position, token in enumerate(sentence, first_in_reference)
                    if position not in partner
                }
            first += len(other)
        first_in_reference += len(sentence)
    n_allowed = most or Counter(tokens).__getitem__
    n_counted: Counter[Any] = Counter()
    counted, partners = [], set()
    for position, (token, match) in sorted(partner.items()):
        if n_counted[token] < n_allowed(token):
            n_counted[token] += 1
            counted.append(position)
            partners.add(match)
    # If one token is the partner of several, the others take the first equal tokens.
    n_missing = n_counted - Counter(tokens[match] for match in partners)
    for position, token in enumerate(tokens):
        if n_missing[token] > 0 and position not in partners:
            partners.add(position)
            n_missing[token] -= 1
    return Matches(len(counted), sorted(partners), counted)


def union_lcs_length(prediction: Sequence[TokenList], reference: Sequence[TokenList]) -> int:
    """Return the number of matches of `rouge_lsum`, without their positions."""
    if len(prediction) == len(reference) == 1:
        return lcs_length(prediction[0], reference[0])
    taken: list[Any] = []
    for sentence in reference:
        masks = masks_by_token(sentence)
        union = {j for other in prediction for _, j in lcs_pairs(other, sentence, masks)}
        taken += [sentence[j] for j in union]
    n_taken = Counter(taken)
    count = Counter(chain.from_iterable(prediction))
    return sum(map(min, n_taken.values(), map(count.__getitem__, n_taken)))


# --- few pairs, columns ---------------------------------------------------------------------------

_STEPS_OF_TABLE = 40  # Python steps of a table, which compares two sentences


def _count_few(rouge_type: RougeType, pairs: PairLists) -> list[Count]:
    found: list[Count] = []
    for pair, (p, r) in enumerate(pairs.sentences):
        totals = sum(map(len, p)), sum(map(len, r))
        if (p, r) == ([pairs.texts[pair][0]], [pairs.texts[pair][1]]):  # as one sentence
            found.append((lcs_length_of_masks(pairs.match_masks[pair], totals[1]), *totals))
        else:
            found.append((union_lcs_length(p, r), *totals))
    return found


def n_table_steps(rouge_type: RougeType, pairs: PairLists) -> int:
    return _STEPS_OF_TABLE * sum(len(p) * len(r) for p, r in pairs.sentences)


def _count_columns(rouge_type: RougeType, pairs: ColumnPairs) -> Columns:
    tokens = pairs.shared_sentence_tokens
    has_lcs = tokens is pairs.shared_tokens and LCS in pairs.families
    known_lengths = pairs.count_once(lcs_lengths_of_texts) if has_lcs else None
    return as_counts(union_lcs_lengths(tokens, known_lengths), tokens.lengths)


def union_lcs_lengths(tokens: SharedTokens, known_lengths: np.ndarray | None = None) -> np.ndarray:
    """Return the clipped union LCS of each pair, ndarray of int64, shape (n_pairs,).

    It is the LCS if both sides have one sentence. `known_lengths` are the LCS of all pairs, if known.
    """
    prediction, reference = tokens.sentences_of_shared
    has_several = np.maximum(prediction.by_text.lengths, reference.by_text.lengths) > 1
    lengths = np.zeros(tokens.n_examples, dtype=np.int64)
    if has_several.any():
        mask = union_lcs_mask(tokens, has_several)
        n_taken = np.bincount(tokens.reference.ids.values[mask], minlength=tokens.n_ids)
        n_allowed = np.bincount(prediction.ids.values, minlength=tokens.n_ids)
        n_clipped = np.minimum(n_taken, n_allowed)
        lengths = sums_of_groups(n_clipped, tokens.example_of_id, tokens.n_examples)
    single = (~has_several).nonzero()[0]
    known = lcs_lengths(tokens, single) if known_lengths is None else known_lengths[single]
    lengths[single] = known
    return lengths


# --- summary_lcs="best" ---------------------------------------------------------------------------


def best_sentences(prediction: Sequence[TokenList], reference: Sequence[TokenList]) -> Positions:
    """Return the positions of the LCS of each sentence with the best sentence of the other side.

    Of several best sentences the first one is taken.

    >>> best_sentences(["ab", "ad"], ["abcd"])
    ([0, 1, 2, 3], [0, 1])
    """
    best: list[list[PositionPairs]] = [[[]] * len(prediction), [[]] * len(reference)]
    words_of_sentence = list(map(set, prediction))
    for k, theirs in enumerate(reference):
        masks = masks_by_token(theirs)
        for i, ours in enumerate(prediction):
            if masks.keys().isdisjoint(words_of_sentence[i]):
                continue
            found = lcs_pairs(ours, theirs, masks)
            for of_side, number in zip(best, (i, k), strict=True):
                of_side[number] = max(of_side[number], found, key=len)  # of equal ones the first
    marked: Positions = ([], [])
    for side, sentences in enumerate((prediction, reference)):
        first = 0
        for sentence, found in zip(sentences, best[side], strict=True):
            marked[side].extend(first + pair[side] for pair in found)
            first += len(sentence)
    return marked


_UNION = Family(
    name="Lsum",
    pattern="rougeLsum()",
    parse=lambda nothing: RougeType("Lsum"),
    example="rougeLsum",
    by_sentence=True,
    expects_lines=True,
    count_few=_count_few,
    n_steps=n_table_steps,
    count_columns=_count_columns,
    positions=lambda rouge_type, pairs, pair: rouge_lsum(*pairs.listed_ids.sentences[pair])[1:],
)
BEST_SENTENCES = replace(
    _UNION,
    count_few=None,
    count_columns=lambda rouge_type, pairs: (
        *best_sentence_lcs_lengths(pairs.shared_sentence_tokens),
        *pairs.shared_sentence_tokens.lengths,
    ),
    positions=lambda rouge_type, pairs, pair: best_sentences(*pairs.listed_ids.sentences[pair]),
    matches_sides=True,
)
SUMMARY_LCS = replace(_UNION, by_summary_lcs={"best": BEST_SENTENCES})
