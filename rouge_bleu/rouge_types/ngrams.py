"""ROUGE-N: n-grams of both texts, each counted at most as often as the other text has it.

    matches = sum over n-grams g of min(count of g in the prediction, count in the reference)

(Lin 2004, section 2). BLEU counts them too, with several references of an example (Papineni et al. 2002,
https://aclanthology.org/P02-1040).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import accumulate, chain
from typing import Any

import numpy as np

from ..arrays import sums_of_groups
from ..kernels.ngrams import ngram_matches, ngram_totals
from ..tokens import Sentences
from .family import ColumnPairs, Columns, Count, Family, PairLists, Positions, RougeType, as_counts
from .matches import Matches, Pair, TokenList

# --- definition -----------------------------------------------------------------------------------


def ngrams(tokens: TokenList, order: int) -> list[Any]:
    """Return the n-grams in order; those of order 1 are the tokens themselves.

    >>> ngrams("abc", 2)
    [('a', 'b'), ('b', 'c')]
    """
    if order == 1:  # which are hashed faster than tuples of one
        return list(tokens)
    return list(zip(*[tokens[start:] for start in range(order)], strict=False))


def clipped_matches(prediction: Sequence[Any], *references: Iterable[Any]) -> int:
    """Return the sum over units of min(count in the prediction, highest count in a reference).

    Count_match of Lin 2004, section 2, and Count_clip of Papineni et al. 2002, section 2.1.

    >>> clipped_matches("aab", "ab", "aac")
    3
    """
    distinct = set(prediction)
    if len(distinct) == len(prediction):
        return len(distinct.intersection(chain(*references)))
    matches, left = 0, _highest_counts(references)
    for unit in prediction:
        if unit in left and (n_left := left[unit]):
            left[unit] = n_left - 1
            matches += 1
    return matches


def _highest_counts(texts: Iterable[Iterable[Any]]) -> dict[Any, int]:
    """Return the highest count of each unit in any one text."""
    first, *others = map(Counter, texts)
    highest = dict(first)  # which is faster than a Counter
    for count in others:
        for unit, n in count.items():
            if n > highest.get(unit, 0):
                highest[unit] = n
    return highest


def matching_positions(
    units: Callable[[TokenList], list[Any]], *texts: Sequence[TokenList], most: int | None = None
) -> tuple[int, list[list[int]]]:
    """Return the clipped matches of the units of sentences, and the positions in them of each text.

    The first of the `texts`, which are lists of sentences, is the prediction. If a text has a unit
    more often than it counts, its first occurrences are taken. `most` is the highest count.
    """
    found = [list(chain.from_iterable(map(units, text))) for text in texts]
    highest = _highest_counts(found[1:])
    n_matches = {unit: min(n, highest.get(unit, 0)) for unit, n in Counter(found[0]).items()}
    if most is not None:
        n_matches = {unit: min(n, most) for unit, n in n_matches.items()}
    marked = []
    for text, units_of_text in zip(texts, found, strict=True):
        ends = accumulate(map(len, text))
        ranges = [range(end - len(part), end) for part, end in zip(text, ends, strict=True)]
        places = chain.from_iterable(map(units, ranges))  # the units of positions
        left = dict(n_matches)
        positions: set[int] = set()
        for unit, place in zip(units_of_text, places, strict=True):
            if left.get(unit):
                left[unit] -= 1
                positions.update(place if isinstance(place, tuple) else (place,))
        marked.append(sorted(positions))
    return sum(n_matches.values()), marked


def rouge_n(prediction: TokenList, reference: TokenList, order: int) -> Matches:
    """Return the clipped matches of n-grams.

    >>> rouge_n("the cat the cat".split(), "on the cat sat".split(), 2)
    Matches(matches=1, prediction=[0, 1], reference=[1, 2])
    """
    matches, positions = matching_positions(partial(ngrams, order=order), [prediction], [reference])
    return Matches(matches, *positions)


# --- few pairs, columns, positions ----------------------------------------------------------------


def clipped_matches_of_masks(masks: list[int], order: int, n: int) -> int:
    """Return the clipped matches of n-grams, from `match_masks` and the reference's length.

    >>> clipped_matches_of_masks([0b101, 0b010, 0b010], 1, 3)
    2
    """
    ends = masks  # in the reference, of the n-gram at each token of the prediction
    for distance in range(1, order):
        ends = [end << 1 & mask for end, mask in zip(ends, masks[distance:], strict=False)]
        if not any(ends):
            return 0
    left = (1 << n) - 1
    for end in filter(None, ends):
        free = end & left
        left ^= free & -free  # an n-gram takes the first of its positions that is not yet taken
    return n - left.bit_count()


def _count_few(rouge_type: RougeType, pairs: PairLists) -> list[Count]:
    if not pairs.crosses_sentences:
        return counts_of_pairs(partial(ngrams, order=rouge_type.order), pairs.sentences_for_ngrams)
    order, before = rouge_type.order, rouge_type.order - 1
    return [
        (
            clipped_matches_of_masks(masks, order, len(r)),
            max(len(p) - before, 0),
            max(len(r) - before, 0),
        )
        for masks, (p, r) in zip(pairs.match_masks, pairs.texts, strict=True)
    ]


def counts_of_pairs(units: Callable[[TokenList], list[Any]], pairs: Iterable[Pair]) -> list[Count]:
    """Return the clipped matches and the totals of units inside sentences, for each pair."""
    found: list[Count] = []
    for pair in pairs:
        p, r = (
            units(text[0]) if len(text) == 1 else list(chain.from_iterable(map(units, text)))
            for text in pair
        )
        found.append((clipped_matches(p, r), len(p), len(r)))
    return found


def clipped_matches_by_order(pairs: ColumnPairs) -> np.ndarray:
    """Return the clipped matches of the needed orders, int64, shape (max_order, n_pairs)."""
    orders = [max(rouge_type.order, 1) for rouge_type in pairs.rouge_types]
    tokens, crosses = pairs.tokens_for_ngrams, pairs.crosses_sentences
    return ngram_matches(tokens, max(orders), min_order=min(orders), cross_sentences=crosses)


def unit_totals(pairs: ColumnPairs, total: Callable[[np.ndarray], np.ndarray]) -> list[np.ndarray]:
    """Return the numbers of units of both sides, from those of texts of some lengths."""
    tokens = pairs.tokens_for_ngrams
    if pairs.crosses_sentences:
        return [total(lengths) for lengths in tokens.lengths]
    return [
        sums_of_groups(total(side.token_index.lengths), side.text_of_sentence, tokens.n_examples)
        for side in map(Sentences.from_side, tokens.sides)
    ]


def count_ngram_columns(
    rouge_type: RougeType, pairs: ColumnPairs, totals: Callable[..., np.ndarray] = ngram_totals
) -> Columns:
    """Return the counts of n-grams; `totals` has the numbers of n-grams of texts of some lengths."""
    matches = pairs.count_once(clipped_matches_by_order)[rouge_type.order - 1]
    return as_counts(matches, unit_totals(pairs, partial(totals, order=rouge_type.order)))


def positions_of_ngrams(order: int, pair: Pair, most: int | None = None) -> Positions:
    """Return the positions of matching n-grams of sentences, each at most `most` times."""
    ours, theirs = matching_positions(partial(ngrams, order=order), *pair, most=most)[1]
    return ours, theirs


NGRAMS = Family(
    name="N",
    pattern="rouge([1-9][0-9]{0,8})",
    parse=lambda order: RougeType("N", order=int(order)),
    example="rouge1, rouge2, ...",
    by_sentence=None,
    count_few=_count_few,
    n_steps=lambda rouge_type, pairs: (rouge_type.order - 1) * sum(len(p) for p, _ in pairs.texts),
    count_columns=count_ngram_columns,
    positions=lambda rouge_type, pairs, pair: positions_of_ngrams(
        rouge_type.order, pairs.listed_ids.sentences_for_ngrams[pair]
    ),
)
