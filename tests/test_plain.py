"""The textbook functions against forms that are plainer still, on random texts.

Examples of the papers: rouge/test_printed_numbers.py and bleu/test_papineni2002.py.
"""

import tracemalloc
from collections import Counter
from functools import reduce
from itertools import accumulate, chain, pairwise
from operator import or_
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rouge_bleu import plain
from rouge_bleu.rouge_types import skip_bigrams, weighted_lcs
from rouge_bleu.rouge_types.skip_bigrams import matching_skip_bigrams

tokens = st.lists(st.sampled_from("abcd"), max_size=14)
sentences = st.lists(tokens, max_size=4)
limits = st.sampled_from([None, 0, 1, 2, 4, 100])


def matches_of(places, prediction, *references):
    """Return how many units match, and the positions of the first ones of each text, as many as
    count. `places` lists the positions of each unit of a text of some length, by its end.
    """
    listed = [
        [(tuple(text[k] for k in place), place) for place in places(len(text))]
        for text in (prediction, *references)
    ]
    count, *counts = (Counter(unit for unit, _ in units) for units in listed)
    matches, marked = count & reduce(or_, counts), []
    for units in listed:
        left, positions = matches.copy(), set()
        for unit, place in units:
            if left[unit] > 0:
                left[unit] -= 1
                positions |= {*place}
        marked.append(sorted(positions))
    return matches.total(), *marked


@given(tokens, st.lists(tokens, min_size=1, max_size=3), st.integers(1, 4))
def test_ngrams(prediction, references, order):
    def places(length):
        return [range(end - order, end) for end in range(order, length + 1)]

    for some in (references, references[:1]):
        matches, *positions = matches_of(places, prediction, *some)
        assert plain.bleu_matches(prediction, some, order) == (matches, positions[0], positions[1:])
        units = (plain.ngrams(text, order) for text in (prediction, *some))
        assert plain.clipped_matches(*units) == matches
    assert plain.rouge_n(prediction, references[0], order) == (matches, *positions)


@given(tokens, tokens, limits)
def test_skip_bigrams(prediction, reference, max_skip):
    def places(length):
        most = length if max_skip is None else max_skip
        return [(i, j) for j in range(length) for i in range(j) if j - i - 1 <= most]

    expected = matches_of(places, prediction, reference)
    assert plain.rouge_s(prediction, reference, max_skip) == expected
    unigrams = plain.rouge_n(prediction, reference, 1)
    assert plain.rouge_su(prediction, reference, max_skip) == (
        expected[0] + unigrams.matches,
        *(sorted({*a, *b}) for a, b in zip(expected[1:], unigrams[1:], strict=True)),
    )


def lcs_taken(prediction, reference):
    """Positions of the reference in the LCS, by the table of Lin 2004, section 3.1, and rouge_score's
    way back: a match, else left where that cell is strictly larger than the one above, else up.
    """
    table = [[0] * (len(prediction) + 1)]
    for r in reference:
        row = [0]
        for j, p in enumerate(prediction):
            row.append(table[-1][j] + 1 if p == r else max(row[-1], table[-1][j + 1]))
        table.append(row)
    i, j, taken = len(reference), len(prediction), []
    while i and j:
        if reference[i - 1] == prediction[j - 1]:
            i, j = i - 1, j - 1
            taken.append(i)
        elif table[i][j - 1] > table[i - 1][j]:
            j -= 1
        else:
            i -= 1
    return table[-1][-1], taken[::-1]


@given(tokens, tokens)
def test_longest_common_subsequence(prediction, reference):
    length, taken = lcs_taken(prediction, reference)
    found = plain.rouge_l(prediction, reference)
    assert (plain.lcs_length(prediction, reference), found.matches) == (length, length)
    assert found.reference == taken
    assert found.prediction == sorted({*found.prediction})
    assert [prediction[i] for i in found.prediction] == [reference[j] for j in taken]


@given(sentences, sentences)
def test_union_of_sentences(prediction, reference):
    left = Counter(token for sentence in prediction for token in sentence)
    expected, first = [], 0
    for sentence in reference:
        for j in sorted({j for other in prediction for j in lcs_taken(other, sentence)[1]}):
            if left[sentence[j]]:
                left[sentence[j]] -= 1
                expected.append(first + j)
        first += len(sentence)
    found = plain.rouge_lsum(prediction, reference)
    assert found.reference == expected
    assert found.matches == plain.union_lcs_length(prediction, reference) == len(expected)
    ours, theirs = (list(chain(*text)) for text in (prediction, reference))
    assert Counter(ours[i] for i in found.prediction) == Counter(theirs[j] for j in expected)


@given(sentences, sentences)
def test_best_sentences(prediction, reference):
    found = plain.best_sentences(prediction, reference)
    for side, (texts, others) in enumerate([(prediction, reference), (reference, prediction)]):
        ends = [0, *accumulate(map(len, texts))]
        for text, start, end in zip(texts, ends, ends[1:], strict=False):
            words = [text[k - start] for k in found[side] if start <= k < end]
            best = max((lcs_taken(text, other)[0] for other in others), default=0)
            assert len(words) == best
            assert not words or any(lcs_taken(words, other)[0] == best for other in others)


@given(tokens, tokens, st.sampled_from([1.0, 1.2, 2.0]))
def test_weighted_subsequence(prediction, reference, weight):
    """The program of Lin 2004, section 4, with the same c and w; and runs on the way back add up."""
    n, m = len(prediction), len(reference)
    c = [[0.0] * (m + 1) for _ in range(n + 1)]
    w = [[0] * (m + 1) for _ in range(n + 1)]
    for i in range(n):
        for j in range(m):
            if prediction[i] == reference[j]:
                k = w[i][j]
                c[i + 1][j + 1] = c[i][j] + (k + 1) ** weight - k**weight
                w[i + 1][j + 1] = k + 1
            else:
                c[i + 1][j + 1] = max(c[i][j + 1], c[i + 1][j])
    found = plain.rouge_w(prediction, reference, weight)
    assert found.matches == pytest.approx(c[n][m], rel=1e-12)
    pairs = list(zip(found.prediction, found.reference, strict=True))
    assert all(prediction[i] == reference[j] for i, j in pairs)
    # A run goes on where both positions grow by one.
    starts = [k for k, (i, j) in enumerate(pairs) if k == 0 or pairs[k - 1] != (i - 1, j - 1)]
    runs = [end - start for start, end in pairwise([*starts, len(pairs)])]
    assert sum(k**weight for k in runs) == pytest.approx(c[n][m], rel=1e-12)


def test_positions_of_repeated_skip_bigrams():
    """By hand: of "aa" once and "ab" twice, the first "aa" and both "ab" are taken: not the third a.

    Of "ab" once, the first: not the second b.
    """
    found = plain.rouge_s("a a a b".split(), "a a b".split())
    assert found == plain.Matches(3, [0, 1, 3], [0, 1, 2])
    assert plain.rouge_s("abb", "ab") == plain.Matches(1, [0, 1], [0, 1])


@given(sentences, sentences, limits)
def test_many_skip_bigrams(prediction, reference, max_skip):
    """A few for each token are listed, more are counted without a list."""
    listed = matching_skip_bigrams(prediction, reference, max_skip)
    with mock.patch.object(skip_bigrams, "_MAX_LISTED_OF_TOKEN", -1):
        assert matching_skip_bigrams(prediction, reference, max_skip) == listed


@given(tokens, tokens, st.sampled_from([0.5, 1.2, 30.0]))
def test_large_weighted_tables(prediction, reference, weight):
    """Large tables have one bit for each cell, small ones are lists."""
    f = [float(k) ** weight for k in range(16)]
    pairs = plain.weighted_lcs_pairs(prediction, reference, f)
    with mock.patch.object(weighted_lcs, "_MAX_CELLS", -1):
        assert plain.weighted_lcs_pairs(prediction, reference, f) == pairs


# --- what must not grow ---------------------------------------------------------------------------

UP = list(range(1_500))
# The memory that a call may take. A list would have an object for each cell or skip-bigram.
MEMORY = {
    # 1,500 * 1,500 cells are 281 KB of bits.
    "weighted LCS": (plain.weighted_lcs_pairs, UP, UP[::-1], [k**1.2 for k in range(1_501)], 1e6),
    "skip-bigrams": (plain.rouge_s, UP, UP[::-1], 1_000, 1e6),
    "best sentences": (plain.best_sentences, [[k, -1] for k in UP[:100]], [[-1]] * 100, None, 2e5),
}


@pytest.mark.parametrize(
    ("function", "prediction", "reference", "more", "limit"), MEMORY.values(), ids=MEMORY
)
def test_memory_is_not_that_of_a_table_of_objects(function, prediction, reference, more, limit):
    tracemalloc.start()
    try:
        function(prediction, reference, *([] if more is None else [more]))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < limit


class Token:
    """A token that counts how often tokens are looked up."""

    n_lookups = 0

    def __init__(self, name):
        self.name = name

    def __hash__(self):
        Token.n_lookups += 1
        return hash(self.name)

    def __eq__(self, other):
        return self.name == other.name


def bigrams_of_references(n):
    """n references of different tokens."""
    return plain.bleu_matches, ([Token(0)], [[Token(k), Token(-k)] for k in range(n)], 2)


def sentences_with_a_common_token(n):
    """n sentences, each with a token that is in one of the other side, and a full stop."""
    return plain.rouge_lsum, (
        [[Token(k), Token(".")] for k in range(n)],
        [[Token(k), Token(".")] for k in reversed(range(n))],
    )


@pytest.mark.parametrize(
    ("call", "growth"), [(bigrams_of_references, 2.2), (sentences_with_a_common_token, 2.2)]
)
def test_work_grows_with_length(call, growth):
    n_lookups = []
    for n in (200, 400):
        function, texts = call(n)
        Token.n_lookups = 0
        function(*texts)
        n_lookups.append(Token.n_lookups)
    assert n_lookups[1] < growth * n_lookups[0]
