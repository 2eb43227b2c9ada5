"""LCS of summaries, as a union and of the best sentences: the definitions against plainer forms,
columns on every path against the definitions.
"""

import tracemalloc
from collections import Counter
from functools import lru_cache
from itertools import accumulate, chain

import numpy as np
import pytest
from hypothesis import given

from helpers.kernels import (
    as_shared,
    edited_documents,
    joined,
    random_documents,
    random_pairs,
    together,
    word_edge_pairs,
)
from helpers.plainer import lcs_taken, sentences
from rouge_bleu import plain
from rouge_bleu.kernels import lcs, union_lcs
from rouge_bleu.kernels.union_lcs import best_sentence_lcs_lengths, union_lcs_mask
from rouge_bleu.rouge_types.lcs import lcs_lengths
from rouge_bleu.rouge_types.summary_lcs import union_lcs_lengths


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


# Around _MAX_EXACT_BITS, 53, around one and two words, and eight words.
LINE_LENGTHS = (1, 2, 20, 52, 53, 54, 63, 64, 65, 127, 128, 129, 512, 513)
THRESHOLDS = "_MAX_EXACT_BITS _MAX_PACKED_WORDS _MAX_MATCHES MAX_PACKED_BITS".split()
PATHS = {  # values of the thresholds
    "default thresholds": (53, 1 << 17, 1 << 16, 1 << 12),
    "one integer": (0, 1 << 17, 1 << 16, 1 << 12),
    "one integer for some tables": (53, 300, 1 << 16, 1 << 12),
    "very few matches at a time": (0, 1 << 17, 50, 1 << 12),
    "long tables one by one": (53, 20, 1 << 16, 1 << 12),
    "long sentences one by one": (53, 1 << 17, 500, 53),
    "all one by one": (53, 0, 1 << 16, 0),
}


@pytest.fixture(params=PATHS.values(), ids=PATHS)
def path(request, monkeypatch):
    for name, value in zip(THRESHOLDS, request.param, strict=True):
        for module in (lcs, union_lcs):
            if hasattr(module, name):
                monkeypatch.setattr(module, name, value)


def lines_of_each_length(rng, n_types):
    """Each length with three others, in one corpus: fields of an integer have different neighbours."""
    lengths = [(p, r) for r in LINE_LENGTHS for p in rng.choice(LINE_LENGTHS, 3)]
    pairs = [[[rng.integers(0, n_types, n).tolist()] for n in pair] for pair in lengths]
    return tuple(map(list, zip(*pairs, strict=True)))


@lru_cache
def corpus_and_expected(n_types):
    """Texts; the union LCS of each pair, the sums of the best sentences, and the positions of each
    reference that the union LCS takes before clipping, which shows the rule for ties.
    """
    rng = np.random.default_rng(n_types)
    sides = together(
        random_documents(rng, n_types, 80),
        random_pairs(rng, n_types, max_sentences=3, n_short=0),
        word_edge_pairs(rng, n_types, max_sentences=6),
        edited_documents(rng, n_types, 200),
        lines_of_each_length(rng, n_types),
    )
    pairs = list(zip(*sides, strict=True))
    union = [plain.union_lcs_length(*pair) for pair in pairs]
    best = [tuple(map(len, plain.best_sentences(*pair))) for pair in pairs]
    return sides, union, best, [union_positions(*pair) for pair in pairs]


def union_positions(prediction, reference):
    """Return the positions of a reference that are in the LCS with any sentence of the prediction."""
    taken, first = set(), 0
    for sentence in reference:
        taken |= {first + j for other in prediction for _, j in plain.lcs_pairs(other, sentence)}
        first += len(sentence)
    return taken


def taken_positions(shared):
    mask, ends = union_lcs_mask(shared), shared.reference.ids.offsets[1:-1]
    return [set(np.flatnonzero(part).tolist()) for part in np.split(mask, ends)]


@pytest.mark.parametrize("n_types", [1, 3, 40, 500])
def test_union_and_best_sentences(path, n_types):
    sides, union, best, taken = corpus_and_expected(n_types)
    lengths = union_lcs_lengths(as_shared(*sides))
    assert lengths.dtype == np.int64
    assert lengths.tolist() == union
    sums = best_sentence_lcs_lengths(as_shared(*sides))
    assert list(zip(*(column.tolist() for column in sums), strict=True)) == best
    assert taken_positions(as_shared(*sides)) == taken


UP = list(range(5_000))
SUMS = [63, 64, 65, 127, 128, 191, 192, 513]
# By hand: the lines of predictions and references, and the positions that are taken in each.
KNOWN = {
    "every second token": ([[UP[::2]]], [[UP]], [{*UP[::2]}]),
    # The traceback starts at the last cell and goes up to the last token of the prediction.
    "a line backwards": ([[UP[599::-1]]], [[UP[:600]]], [{0}]),
    "five tokens to the end": ([[UP[5:] + UP[:5]]], [[UP]], [{*UP[5:]}]),
    # Each of the 33 tokens is matched at once, from the end of the reference.
    "equal tokens": ([[[7] * 33]], [[[7] * 65]], [set(range(32, 65))]),
    # `0 1` is in `0 1 0 0 0 0` once. On the traceback the second table takes its token and is at its
    # end, while the first one still waits for the 1.
    "a table at its end": ([[[0, 1, 0, 0, 0, 0]], [[2] * 5]], [[[0, 1]], [[2]]], [{0, 1}, {0}]),
    # From the last cell of `0 1` against `0 0`, where nothing matches, the way goes up to where the
    # LCS grew, the first 0. The 1 is in the second line of the reference.
    "a token of another line": ([[[0, 1]]], [[[0, 0], [1]]], [{0, 2}]),
    # The two halves; a third line has nothing new.
    "halves": ([[UP[300:600], UP[:300], UP[100:200]]], [[UP[:600]]], [{*UP[:600]}]),
    # Every sum carries to the top of its field; in the next field only the last of 64 tokens matches.
    "sums that would run over": (
        [text for k in SUMS for text in ([[0] * (k + 5)], [[0] * 3])],
        [text for k in SUMS for text in ([[0] * k], [[1] * 63 + [0]])],
        [positions for k in SUMS for positions in (set(range(k)), {63})],
    ),
}


@pytest.mark.parametrize(("predictions", "references", "taken"), KNOWN.values(), ids=KNOWN)
def test_positions_that_are_known(path, predictions, references, taken):
    shared = as_shared(predictions, references)
    assert taken_positions(shared) == taken
    if all(len(text) == 1 for text in predictions + references):
        assert lcs_lengths(shared).tolist() == list(map(len, taken))


def test_union_lcs_of_a_long_pair_in_sentences():
    """20,000 distinct tokens in sentences of 10 against the same in sentences of 25: all are found.
    Backwards in one sentence: one of each.
    """
    up = np.arange(20_000)
    of_10, of_25 = (up.reshape(-1, length).tolist() for length in (10, 25))
    assert union_lcs_lengths(as_shared([of_10], [of_25])).tolist() == [20_000]
    assert union_lcs_lengths(as_shared([[joined(of_10)[2000::-1]]], [of_25[:80]])).tolist() == [80]


# --- what must not grow ---------------------------------------------------------------------------


@pytest.fixture
def n_tables(monkeypatch):
    """The number of tables that were walked through, batch by batch."""
    sizes, batches = [], union_lcs.batches_of_tables
    monkeypatch.setattr(
        union_lcs,
        "batches_of_tables",
        lambda n_rows, *rest, **options: (
            sizes.append(len(n_rows)) or batches(n_rows, *rest, **options)
        ),
    )
    return sizes


def test_only_lines_with_a_token_in_common_have_tables(n_tables):
    """1,000 lines of two words, on the other side the wrong way round: 1,000 tables, not a million."""
    lines = [[2 * k, 2 * k + 1] for k in range(1_000)]
    turned = [line[::-1] for line in lines]
    assert union_lcs_lengths(as_shared([turned[::-1]], [lines])).tolist() == [1_000]
    assert sum(n_tables) == 1_000


def test_masks_of_a_long_line_do_not_grow_with_its_square():
    """20,000 different words: masks of 2.5 KB each, 50 MB in all; kept are 2.5 MB."""
    line = np.arange(20_000)
    tracemalloc.start()
    try:
        table = lcs.LongTable(line, line[::-1], np.zeros(20_000, dtype=bool))
        assert table.lcs_lengths() == 1
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 10e6
