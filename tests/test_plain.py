"""The textbook functions: examples of the papers, and forms that are plainer still on random texts."""

from collections import Counter
from itertools import accumulate, chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rouge_bleu import plain

tokens = st.lists(st.sampled_from("abcd"), max_size=14)
sentences = st.lists(tokens, max_size=4)
limits = st.sampled_from([None, 0, 1, 2, 4, 100])


# --- examples -------------------------------------------------------------------------------------

GUNMAN = "police killed the gunman"
# Lin 2004, section 5: S2, S3 and S4 have 3, 1 and 2 of the 6 skip-bigrams of S1, printed as 0.500, 0.167
# and 0.333; section 5.2: S5 has none, and 4 of the 10 units with unigrams.
LIN = [
    ("police kill the gunman", 3, 6),
    ("the gunman kill police", 1, 4),
    ("the gunman police killed", 2, 6),
    ("gunman the killed police", 0, 4),
]


@pytest.mark.parametrize(("candidate", "skip_bigrams", "with_unigrams"), LIN)
def test_skip_bigrams_of_lin_2004(candidate, skip_bigrams, with_unigrams):
    texts = candidate.split(), GUNMAN.split()
    assert plain.rouge_s(*texts).matches == skip_bigrams
    assert plain.rouge_su(*texts).matches == with_unigrams


def test_clipping_of_papineni_2002():
    """Section 2.1: of seven "the" two count."""
    references = ["the cat is on the mat".split(), "there is a cat on the mat".split()]
    assert plain.bleu_matches(["the"] * 7, references, 1)[0] == 2


# --- all occurrences ------------------------------------------------------------------------------


def first_positions(matches, *located):
    """Mark the first occurrences of each unit, as many as count."""
    marked = []
    for units in located:
        left, positions = Counter(matches), set()
        for unit, place in units:
            if left[unit] > 0:
                left[unit] -= 1
                positions |= {*place}
        marked.append(sorted(positions))
    return marked


def listed_ngrams(text, order):
    return [(tuple(text[k : k + order]), range(k, k + order)) for k in range(len(text) - order + 1)]


@given(tokens, st.lists(tokens, min_size=1, max_size=3), st.integers(1, 4))
def test_ngrams(prediction, references, order):
    listed = [listed_ngrams(text, order) for text in (prediction, *references)]
    counts = [Counter(unit for unit, _ in units) for units in listed]
    highest = Counter()
    for count in counts[1:]:
        highest |= count
    matches = counts[0] & highest
    expected = first_positions(matches, *listed)
    found = plain.bleu_matches(prediction, references, order)
    assert found == (matches.total(), expected[0], expected[1:])
    if len(references) == 1:
        assert plain.rouge_n(prediction, references[0], order) == (matches.total(), *expected)


@given(tokens, tokens, limits)
def test_skip_bigrams(prediction, reference, max_skip):
    listed = [
        [
            ((text[i], text[j]), (i, j))
            for j in range(len(text))
            for i in range(j)
            if max_skip is None or j - i - 1 <= max_skip
        ]
        for text in (prediction, reference)
    ]
    count, other = (Counter(unit for unit, _ in units) for units in listed)
    expected = ((count & other).total(), *first_positions(count & other, *listed))
    assert plain.rouge_s(prediction, reference, max_skip) == expected
    both = plain.rouge_su(prediction, reference, max_skip)
    unigrams = plain.rouge_n(prediction, reference, 1)
    assert both.matches == expected[0] + unigrams.matches
    assert both.reference == sorted({*expected[2], *unigrams.reference})


# --- tables ---------------------------------------------------------------------------------------


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


def runs(pairs):
    """Lengths of runs of pairs that grow by one on both sides."""
    lengths = []
    for k, (i, j) in enumerate(pairs):
        if k and pairs[k - 1] == (i - 1, j - 1):
            lengths[-1] += 1
        else:
            lengths.append(1)
    return lengths


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
    assert sum(k**weight for k in runs(pairs)) == pytest.approx(c[n][m], rel=1e-12)
