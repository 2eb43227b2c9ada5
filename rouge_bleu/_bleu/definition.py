"""The definitions of ROUGE and BLEU on lists of tokens; explanations take the positions too.

    rouge_n      n-grams                          Lin 2004, section 2
    rouge_l      longest common subsequence       section 3.1
    rouge_lsum   union LCS of sentences           section 3.2
    rouge_w      weighted LCS                     section 4
    rouge_s      skip-bigrams                     section 5
    rouge_su     skip-bigrams and unigrams        section 5.2
    bleu         n-grams of several references    Papineni et al. 2002, section 2

Lin 2004 is "ROUGE: A Package for Automatic Evaluation of Summaries"
(https://aclanthology.org/W04-1013), Papineni et al. "BLEU: a method for automatic evaluation of
machine translation" (https://aclanthology.org/P02-1040).

A text is a list of hashable tokens. With m matches of p units in the prediction and r units in the
reference, precision = m / p, recall = m / r (`rouge_w` inverts its weight), and F is `f_measure`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial, reduce
from itertools import accumulate, chain
from operator import or_
from typing import Any, NamedTuple

import numpy as np

Text = Sequence[Any]  # tokens
Pairs = list[tuple[int, int]]  # positions in the prediction and in the reference


class Matches(NamedTuple):
    """Matches of two texts: their number, and the positions of tokens in both, ascending."""

    matches: float
    prediction: list[int]
    reference: list[int]


def f_measure(precision: float, recall: float, beta: float = 1.0) -> float:
    """Return F = (1 + beta^2) P R / (R + beta^2 P) (Lin 2004, equation 4); 0 if P and R are 0.

    >>> f_measure(1.0, 0.5)
    0.6666666666666666
    """
    if math.isinf(beta):
        return recall
    denominator = beta**2 * precision + recall
    return (1 + beta**2) * precision * recall / denominator if denominator else 0.0


# --- units that are counted: n-grams and skip-bigrams ---------------------------------------------


def ngrams(tokens: Text, order: int) -> list[Any]:
    """Return the n-grams in order; those of order 1 are the tokens themselves.

    >>> ngrams("abc", 2)
    [('a', 'b'), ('b', 'c')]
    """
    if order == 1:
        return list(tokens)
    return list(zip(*[tokens[start:] for start in range(order)], strict=False))


def skip_bigrams(tokens: Text, max_skip: int | None = None) -> list[tuple[Any, Any]]:
    """Return the pairs of tokens with at most `max_skip` tokens between them, by the second token.

    >>> skip_bigrams("abc", 0), len(skip_bigrams("abcd"))
    ([('a', 'b'), ('b', 'c')], 6)
    """
    n_before = len(tokens) if max_skip is None else max_skip + 1
    return [
        (other, token)
        for j, token in enumerate(tokens)
        for other in tokens[max(j - n_before, 0) : j]
    ]


def clipped_matches(prediction: Sequence[Any], *references: Iterable[Any]) -> int:
    """Return the sum over units of min(count in the prediction, highest count in a reference).

    Count_match of Lin 2004, section 2, and Count_clip of Papineni et al. 2002, section 2.1.

    >>> clipped_matches("aab", "ab", "aac")
    3
    """
    distinct = set(prediction)
    if len(distinct) == len(prediction):
        return len(distinct.intersection(chain(*references)))
    matches, left = 0, dict(reduce(or_, map(Counter, references)))  # a dict is faster
    for unit in prediction:
        if unit in left and (n_left := left[unit]):
            left[unit] = n_left - 1
            matches += 1
    return matches


def matching_positions(
    units: Callable[[Text], list[Any]], *texts: Sequence[Text], most: int | None = None
) -> tuple[int, list[list[int]]]:
    """Return the clipped matches of the units of sentences, and the positions in them of each text.

    The first of the `texts`, which are lists of sentences, is the prediction. If a text has a unit
    more often than it counts, its first occurrences are taken. `most` is the highest count.
    """
    found = [list(chain.from_iterable(map(units, text))) for text in texts]
    in_prediction, *in_references = map(Counter, found)
    n_matches = in_prediction & reduce(or_, in_references)
    if most is not None:
        n_matches = Counter({unit: min(n, most) for unit, n in n_matches.items()})
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
    return n_matches.total(), marked


def rouge_n(prediction: Text, reference: Text, order: int) -> Matches:
    """Return the clipped matches of n-grams (Lin 2004, section 2).

        matches = sum over n-grams g of min(count of g in the prediction, count in the reference)

    >>> rouge_n("the cat the cat".split(), "on the cat sat".split(), 2)
    Matches(matches=1, prediction=[0, 1], reference=[1, 2])
    """
    matches, positions = matching_positions(partial(ngrams, order=order), [prediction], [reference])
    return Matches(matches, *positions)


def rouge_s(prediction: Text, reference: Text, max_skip: int | None = None) -> Matches:
    """Return the clipped matches of skip-bigrams (Lin 2004, section 5).

    >>> rouge_s("the gunman kill police".split(), "police killed the gunman".split())
    Matches(matches=1, prediction=[0, 1], reference=[2, 3])
    """
    if max_skip is not None:
        units = partial(skip_bigrams, max_skip=max_skip)
        matches, positions = matching_positions(units, [prediction], [reference])
        return Matches(matches, *positions)
    types = list({*prediction} & {*reference})
    number = {token: k for k, token in enumerate(types)}
    texts = [[number.get(token, -1) for token in text] for text in (prediction, reference)]
    n_matches = np.minimum(*(_count_pairs(text, len(types)) for text in texts))
    marked = [_first_pairs(text, n_matches.copy()) for text in texts]
    return Matches(int(n_matches.sum()), *marked)


def _count_pairs(numbers: list[int], n_types: int) -> np.ndarray:
    """Return how often a text has each skip-bigram of any length, by its second and first token."""
    count = np.zeros((n_types, n_types), dtype=np.int32)
    n_before = np.zeros(n_types, dtype=np.int32)
    for k in numbers:
        if k >= 0:
            count[k] += n_before
            n_before[k] += 1
    return count


def _first_pairs(numbers: list[int], left: np.ndarray) -> list[int]:
    """Return the positions in the first skip-bigrams of any length, as many of each as are `left`."""
    n_before = np.zeros(len(left), dtype=np.int32)
    n_first = n_before.copy()  # of each type: so many of its places are the first of a pair
    marked: set[int] = set()
    for j, k in enumerate(numbers):
        if k >= 0:
            taken = np.minimum(left[k], n_before)
            left[k] -= taken
            np.maximum(n_first, taken, out=n_first)
            if taken.any():
                marked.add(j)
            n_before[k] += 1
    n_left = n_first.tolist()
    for j, k in enumerate(numbers):
        if k >= 0 and n_left[k]:
            n_left[k] -= 1
            marked.add(j)
    return sorted(marked)


def rouge_su(prediction: Text, reference: Text, max_skip: int | None = None) -> Matches:
    """Return the clipped matches of skip-bigrams and unigrams (Lin 2004, section 5.2).

    >>> rouge_su("gunman the killed police".split(), "police killed the gunman".split())
    Matches(matches=4, prediction=[0, 1, 2, 3], reference=[0, 1, 2, 3])
    """
    return both(rouge_s(prediction, reference, max_skip), rouge_n(prediction, reference, 1))


def both(first: Matches, second: Matches) -> Matches:
    """Return the matches of two kinds of units together."""
    return Matches(
        first.matches + second.matches,
        sorted({*first.prediction, *second.prediction}),
        sorted({*first.reference, *second.reference}),
    )


# --- longest common subsequences ------------------------------------------------------------------


def lcs_length(prediction: Text, reference: Text) -> int:
    """Return the length of the longest common subsequence.

    Bit i of a row is 0 if the LCS with the first i + 1 tokens of the reference is longer than
    with i (Hyyro 2004, "Bit-parallel LCS-length computation revisited",
    http://www.cs.uta.fi/~helmu/pubs/awoca04.pdf).

    >>> lcs_length("police kill the gunman".split(), "the gunman kill police".split())
    2
    """
    row = all_ones = (1 << len(reference)) - 1
    for mask in map(_position_masks(reference).get, prediction):
        if mask:
            match = row & mask
            row = (row + match | row - match) & all_ones
    return len(reference) - row.bit_count()


def _position_masks(tokens: Text) -> dict[Any, int]:
    """Return for each token an integer whose bits are its positions."""
    masks: dict[Any, int] = {}
    get, bit = masks.get, 1
    for token in tokens:
        masks[token] = get(token, 0) | bit
        bit <<= 1
    return masks


def lcs_pairs(prediction: Text, reference: Text, masks: dict[Any, int] | None = None) -> Pairs:
    """Return the positions that one longest common subsequence matches, ascending.

    From the end of both texts, equal tokens are matched; else a token of the prediction is left out
    if the table of Lin 2004, section 3.1, is larger without it than without one of the reference,
    else one of the reference, as in rouge_score. `masks` are those of the reference.

    >>> lcs_pairs("abcb", "acbb")
    [(0, 0), (2, 1), (3, 3)]
    """
    masks = _position_masks(reference) if masks is None else masks
    row = all_ones = (1 << len(reference)) - 1
    rows: list[tuple[int, int, int]] = []
    last_mask: int | None = None
    for i, mask in enumerate(map(masks.get, prediction)):
        if mask:
            match = row & mask
            row = (row + match | row - match) & all_ones
            rows.append((row, mask, i))
        elif last_mask:  # a second row without a match does not change the traceback
            rows.append((row, 0, i))
        last_mask = mask
    pairs, left = [], all_ones  # the positions of the reference that are not yet left out
    for row, mask, i in reversed(rows):
        stop = left & (~row | mask)
        if not stop:
            break
        j = stop.bit_length() - 1
        if mask >> j & 1:
            pairs.append((i, j))
            left = (1 << j) - 1
        else:
            left = (2 << j) - 1
    return pairs[::-1]


def rouge_l(prediction: Text, reference: Text) -> Matches:
    """Return the longest common subsequence (Lin 2004, section 3.1).

    >>> rouge_l("police kill the gunman".split(), "police killed the gunman".split())
    Matches(matches=3, prediction=[0, 2, 3], reference=[0, 2, 3])
    """
    pairs = lcs_pairs(prediction, reference)
    return Matches(len(pairs), [i for i, _ in pairs], [j for _, j in pairs])


# --- sentences ------------------------------------------------------------------------------------


def union_lcs_length(prediction: Sequence[Text], reference: Sequence[Text]) -> int:
    """Return the number of matches of `rouge_lsum`."""
    if len(prediction) == len(reference) == 1:  # clipping takes nothing off one subsequence
        return lcs_length(prediction[0], reference[0])
    taken: list[Any] = []
    for sentence in reference:
        if sentence in prediction:  # all of it is taken
            taken += sentence
            continue
        masks = _position_masks(sentence)
        union = {j for other in prediction for _, j in lcs_pairs(other, sentence, masks)}
        taken += [sentence[j] for j in union]
    n_taken = Counter(taken)
    count = Counter(chain.from_iterable(prediction))
    return sum(map(min, n_taken.values(), map(count.__getitem__, n_taken)))


def rouge_lsum(
    prediction: Sequence[Text],
    reference: Sequence[Text],
    most: Callable[[Any], int] | None = None,
    pairs: Callable[[Text, Text], Pairs] = lcs_pairs,
) -> Matches:
    """Return the union LCS of texts that are lists of sentences (Lin 2004, section 3.2).

    A sentence of the reference has the tokens of its LCS (`pairs`) with any sentence of the prediction.
    A token counts at most as often as the prediction has it, as in rouge_score, or as `most` says.

    >>> prediction = ["w1 w2 w6 w7 w8".split(), "w1 w3 w8 w9 w5".split()]
    >>> rouge_lsum(prediction, ["w1 w2 w3 w4 w5".split()])
    Matches(matches=4, prediction=[0, 1, 6, 9], reference=[0, 1, 2, 4])
    """
    tokens = list(chain.from_iterable(prediction))
    partner: dict[int, tuple[Any, int]] = {}  # by position in the reference
    first_in_reference = 0
    for sentence in reference:
        first = 0
        for other in prediction:
            for i, j in pairs(other, sentence):
                partner.setdefault(first_in_reference + j, (sentence[j], first + i))
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


def best_sentences(
    prediction: Sequence[Text], reference: Sequence[Text]
) -> tuple[list[int], list[int]]:
    """Return the positions that each sentence has in common with its best one on the other side.

    Matches of rougeLsum with summary_lcs="best". Of several best sentences the first one is taken.

    >>> best_sentences(["ab", "ad"], ["abcd"])
    ([0, 1, 2, 3], [0, 1])
    """
    table = [[lcs_pairs(ours, theirs) for ours in prediction] for theirs in reference]
    marked: list[list[int]] = [[], []]
    for side, sentences in enumerate((prediction, reference)):
        first = 0
        for k, sentence in enumerate(sentences):
            found = table[k] if side else [row[k] for row in table]
            marked[side] += [first + pair[side] for pair in max(found, key=len, default=[])]
            first += len(sentence)
    return marked[0], marked[1]


# --- weighted longest common subsequences ---------------------------------------------------------


def weighted_lcs_table(
    prediction: Text, reference: Text, f: Sequence[float], *, adds_steps: bool = False
) -> list[list[float]]:
    """Return the table of the weighted LCS, a row for each token of the reference and one before.

    `f[k]` is the weight of k matches in a row. With `adds_steps` values are added up token by token, as in
    Lin 2004, section 4, and in ROUGE-1.5.5, otherwise run by run; the two differ only by rounding.
    """
    table = [[0.0] * (len(prediction) + 1)]
    runs: dict[int, int] = {}  # by position in the prediction, how long the run is that ends there
    for token in reference:
        above, last_runs, runs = table[-1], runs, {}
        value, row = 0.0, [0.0]
        for j, (other, value_above) in enumerate(zip(prediction, above[1:], strict=True)):
            if other == token:
                k = last_runs.get(j - 1, 0)
                by_run = table[-k - 1][j - k] + f[k + 1]
                value = (above[j] + f[k + 1]) - f[k] if adds_steps else by_run
                runs[j] = k + 1
            elif value_above > value:
                value = value_above
            row.append(value)
        table.append(row)
    return table


def weighted_lcs_pairs(prediction: Text, reference: Text, f: Sequence[float]) -> Pairs:
    """Return the positions on the traceback through the weighted table, as in ROUGE-1.5.5.

    If the table is equal without a token of the reference and without one of the prediction,
    the token of the reference is left out.

    >>> weighted_lcs_pairs("ABXC", "ABCD", [0, 1, 4, 9, 16]), weighted_lcs_pairs("BA", "AB", [0, 1, 4])
    ([(0, 0), (1, 1), (3, 2)], [(1, 0)])
    """
    table = weighted_lcs_table(prediction, reference, f, adds_steps=True)
    i, j, pairs = len(prediction), len(reference), []
    while i and j:
        if prediction[i - 1] == reference[j - 1]:
            i, j = i - 1, j - 1
            pairs.append((i, j))
        elif table[j - 1][i] >= table[j][i - 1]:
            j -= 1
        else:
            i -= 1
    return pairs[::-1]


def rouge_w(prediction: Text, reference: Text, weight: float = 1.2) -> Matches:
    """Return the weighted LCS with f(k) = k ** weight (Lin 2004, section 4).

    The inverse of f turns quotients back: precision = (matches / f(p)) ** (1 / weight). The paper's
    example, where Y1 has the tokens of X in one run of 4 and Y2 has four runs of 1:

    >>> x, y1, y2 = "ABCDEFG", "ABCDHIK", "AHBKCID"
    >>> rouge_w(y1, x, 2).matches, rouge_w(y2, x, 2)
    (16.0, Matches(matches=4.0, prediction=[0, 2, 4, 6], reference=[0, 1, 2, 3]))
    """
    f = [float(k) ** weight for k in range(min(len(prediction), len(reference)) + 1)]
    value = weighted_lcs_table(prediction, reference, f)[-1][-1]
    pairs = weighted_lcs_pairs(prediction, reference, f)
    return Matches(value, [i for i, _ in pairs], [j for _, j in pairs])


# --- BLEU -----------------------------------------------------------------------------------------


def bleu_matches(
    prediction: Text, references: Sequence[Text], order: int
) -> tuple[int, list[int], list[list[int]]]:
    """Return the clipped n-gram matches, and positions in the prediction and in each reference.

    A count is clipped at the highest one in any reference (Papineni et al. 2002, section 2.1).

    >>> bleu_matches("the the the cat".split(), ["the cat".split(), "the the mat".split()], 1)
    (3, [0, 1, 3], [[0, 1], [0, 1]])
    """
    texts = ([text] for text in (prediction, *references))
    matches, positions = matching_positions(partial(ngrams, order=order), *texts)
    return matches, positions[0], positions[1:]


def closest_reference_length(prediction_length: int, reference_lengths: Sequence[int]) -> int:
    """Return the best match length (Papineni et al. 2002, section 2.2.2); on a tie the shorter.

    >>> closest_reference_length(12, [15, 10, 14])
    10
    """
    return min(reference_lengths, key=lambda length: (abs(length - prediction_length), length))


def bleu(
    predictions: Sequence[Text],
    references: Sequence[Sequence[Text]],
    weights: Sequence[float] = (0.25, 0.25, 0.25, 0.25),
) -> float:
    """Return BLEU of a corpus (Papineni et al. 2002, section 2.3).

        BLEU = BP exp(sum over n of w_n log p_n),   p_n = matches of order n / n-grams of predictions
        BP   = 1 if c >= r else exp(1 - r / c)

    c and r are the summed lengths of predictions and of their closest references.

    >>> bleu(["the cat is on mat".split()], [["the cat is on the mat".split()]], [0.5, 0.5])
    0.7090416310250969
    """
    c = sum(map(len, predictions))
    r = 0
    for prediction, texts in zip(predictions, references, strict=True):
        r += closest_reference_length(len(prediction), list(map(len, texts)))
    log_mean = 0.0
    for order, weight in enumerate(weights, 1):
        if weight:
            matches = sum(
                clipped_matches(ngrams(prediction, order), *(ngrams(text, order) for text in texts))
                for prediction, texts in zip(predictions, references, strict=True)
            )
            if not matches:
                return 0.0
            total = sum(len(ngrams(prediction, order)) for prediction in predictions)
            log_mean += weight * math.log(matches / total)
    return (1.0 if c >= r else math.exp(1 - r / c)) * math.exp(log_mean)
