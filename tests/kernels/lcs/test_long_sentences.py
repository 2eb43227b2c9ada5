"""Lines of more than one machine word: the union LCS and the best LCS on every way through the
tables, and what of them is known without a table.
"""

import tracemalloc

import numpy as np
import pytest

from helpers.oracles import (
    as_shared,
    lcs_length,
    lcs_positions,
    random_texts,
    union_lcs_length,
)
from rouge_bleu.kernels.lcs import integers as lcs_integers
from rouge_bleu.kernels.lcs import lanes as sentence_lanes
from rouge_bleu.kernels.lcs import union as union_lcs
from rouge_bleu.kernels.lcs.lengths import lcs_lengths
from rouge_bleu.kernels.lcs.union import (
    best_sentence_lcs_lengths,
    union_lcs_lengths,
    union_lcs_mask,
)

# Around EXACT_BITS, 53, around one and two words, and eight words.
LINE_LENGTHS = (1, 52, 53, 54, 63, 64, 65, 127, 128, 129, 512, 513)


def taken_tokens(predictions, references):
    """Return the positions in each reference that the union LCS takes, a list of sets."""
    shared = as_shared(predictions, references)
    mask = union_lcs_mask(shared)
    ends = shared.reference.ids.offsets[1:-1]
    return [set(np.flatnonzero(part).tolist()) for part in np.split(mask, ends)]


@pytest.fixture(params=["words and one integer", "one integer", "one by one"])
def way(request, monkeypatch):
    min_lanes = 1 if request.param == "words and one integer" else 10**9
    monkeypatch.setattr(union_lcs, "MIN_LANES_IN_WORDS", min_lanes)
    if request.param == "one by one":
        for module in (sentence_lanes, union_lcs):
            monkeypatch.setattr(module, "MAX_PACKED_BITS", 0)
    return request.param


# --- against the tables of the oracle -------------------------------------------------------------


@pytest.mark.parametrize("n_types", [2, 30, 500])
def test_positions_of_lines_of_each_length(way, n_types):
    """Each length with three others: the tie rule, before any clipping. All tables go side by
    side, so each field of an integer has neighbours of other lengths.
    """
    rng = np.random.default_rng(n_types)
    lengths = [(r, p) for r in LINE_LENGTHS for p in rng.choice(LINE_LENGTHS, 3)]
    references = [rng.integers(0, n_types, r).tolist() for r, _ in lengths]
    predictions = [rng.integers(0, n_types + 3, p).tolist() for _, p in lengths]
    expected = [lcs_positions(p, r) for p, r in zip(predictions, references, strict=True)]
    assert taken_tokens([[p] for p in predictions], [[r] for r in references]) == expected


@pytest.mark.parametrize("n_types", [3, 100])
def test_texts_of_long_and_short_lines(way, n_types):
    """Tokens of a line that only another line of the reference has must not match."""
    rng = np.random.default_rng(n_types)
    texts = [
        [rng.integers(0, n_types, rng.choice(LINE_LENGTHS[:-2])).tolist() for _ in range(k % 4)]
        for k in range(40)
    ]
    predictions, references = texts[:20], texts[:19:-1]
    shared = as_shared(predictions, references)
    pairs = list(zip(predictions, references, strict=True))
    assert union_lcs_lengths(shared).tolist() == [union_lcs_length(p, r) for p, r in pairs]
    of_prediction, of_reference = best_sentence_lcs_lengths(shared)
    lengths = [[[lcs_length(a, b) for b in r] for a in p] for p, r in pairs]
    assert of_prediction.tolist() == [
        sum(max(row, default=0) for row in table) for table in lengths
    ]
    assert of_reference.tolist() == [
        sum(map(max, zip(*table, strict=True))) if table else 0 for table in lengths
    ]


@pytest.mark.parametrize("max_entries", [1, 7, 100])
@pytest.mark.parametrize("n_types", [2, 20])
def test_a_long_line_against_many_short_ones(monkeypatch, n_types, max_entries):
    """The matches of one line of the prediction are more than are found at once."""
    monkeypatch.setattr(sentence_lanes, "_MAX_ENTRIES", max_entries)
    rng = np.random.default_rng(n_types)
    prediction = [rng.integers(0, n_types, 150).tolist()]
    reference = random_texts(rng, [120], n_types, max_sentences=40)[0]
    for sides in ((prediction, reference), (reference, prediction)):
        assert union_lcs_lengths(as_shared([sides[0]], [sides[1]])).tolist() == [
            union_lcs_length(*sides)
        ]


# --- known without a table ------------------------------------------------------------------------


@pytest.mark.parametrize("length", [*LINE_LENGTHS, 5_000])
def test_every_second_token_of_a_line(way, length):
    """All tokens differ, so the LCS takes what the prediction has: positions 0, 2, 4, ..."""
    line = list(range(length))
    assert taken_tokens([[line[::2]]], [[line]]) == [set(line[::2])]


@pytest.mark.parametrize("length", [*LINE_LENGTHS, 600])
def test_a_line_backwards(way, length):
    """An LCS has one token. The way back starts at the last cell and goes up through the reference
    until it meets the prediction's last token, the reference's first.
    """
    line = list(range(length))
    assert taken_tokens([[line[::-1]]], [[line]]) == [{0}]


@pytest.mark.parametrize("length", LINE_LENGTHS)
def test_equal_tokens_take_the_last_positions(way, length):
    """Each of the k tokens of the prediction is matched at once, from the end of the reference."""
    k = (length + 1) // 2
    assert taken_tokens([[[7] * k]], [[[7] * length]]) == [set(range(length - k, length))]


def test_sums_do_not_run_over_into_the_next_field():
    """All tokens equal: every sum carries to the top of its field. Each reference is followed by
    one in which nothing but the last of 64 tokens matches.
    """
    lengths = [63, 64, 65, 127, 128, 191, 192, 513]
    references = [line for k in lengths for line in ([[0] * k], [[1] * 63 + [0]])]
    predictions = [text for k in lengths for text in ([[0] * (k + 5)], [[0] * 3])]
    expected = [length for k in lengths for length in (k, 1)]
    assert lcs_lengths(as_shared(predictions, references)).tolist() == expected
    taken = [positions for k in lengths for positions in (set(range(k)), {63})]
    assert taken_tokens(predictions, references) == taken


def test_a_lane_at_its_end_takes_nothing_from_its_neighbour(way):
    """By hand: `0 1` is in `0 1 0 0 0 0` once. On the way back the second lane takes its token and
    is at its end, while the first one still waits for the 1.
    """
    predictions, references = [[[0, 1, 0, 0, 0, 0]], [[2] * 5]], [[[0, 1]], [[2]]]
    assert taken_tokens(predictions, references) == [{0, 1}, {0}]


def test_a_token_that_only_another_line_has_leads_the_way_back(way):
    """By hand: from the last cell of `0 1` against `0 0`, where nothing matches, the way goes up to
    where the LCS grew, the first 0. The 1 is in the second line of the reference, position 2.
    """
    assert taken_tokens([[[0, 1]]], [[[0, 0], [1]]]) == [{0, 2}]


def test_the_union_of_the_halves_of_a_line():
    """Two lines of the prediction take the two halves of one of the reference, by hand: 0-299 and
    300-599; a third line has nothing new.
    """
    line = list(range(600))
    prediction = [line[300:], line[:300], line[100:200]]
    assert taken_tokens([prediction], [[line]]) == [set(line)]
    assert union_lcs_lengths(as_shared([prediction], [[line]])).tolist() == [600]


# --- what must not grow ---------------------------------------------------------------------------


@pytest.fixture
def n_tables(monkeypatch):
    """The number of tables that were walked through, batch by batch."""
    n_lanes = []
    by_way = union_lcs._by_way
    monkeypatch.setattr(
        union_lcs,
        "_by_way",
        lambda lanes: n_lanes.append(len(lanes.reference_sentence)) or by_way(lanes),
    )
    return n_lanes


def test_only_lines_with_a_token_in_common_have_tables(n_tables):
    """1,000 lines of two words, on the other side the wrong way round: 1,000 tables, not a million."""
    lines = [[2 * k, 2 * k + 1] for k in range(1_000)]
    turned = [line[::-1] for line in lines]
    assert union_lcs_lengths(as_shared([turned[::-1]], [lines])).tolist() == [1_000]
    assert sum(n_tables) == 1_000


def test_lines_that_stand_in_the_prediction_have_no_tables(n_tables):
    """In the first pair all 40 do; in the second one 39, and the first word of the last line is its
    last one.
    """
    lines = [[k, 200, 100 + k, 300] for k in range(40)]
    predictions = [lines[::-1], [*lines[:-1], [200, 139, 300, 39]]]
    masks = np.split(union_lcs_mask(as_shared(predictions, [lines, lines])), 2)
    assert masks[0].all()
    assert np.flatnonzero(~masks[1]).tolist() == [4 * 39]
    assert sum(n_tables) == 40  # of the last line of the second pair with each one


def test_lines_that_can_add_nothing_have_no_tables(n_tables):
    """400 equal lines of 4 words, and as many of 5 that have them all: a line of 5 has 2,000 matching
    tokens with all of the other side. The first ones, so many as are found at once, take all.
    """
    references, predictions = [[1, 2, 3, 4]] * 400, [[1, 2, 3, 4, 1]] * 400
    mask = union_lcs_mask(as_shared([predictions], [references]))
    assert mask.all()
    n_found = sentence_lanes._MAX_ENTRIES // (5 * 400)
    assert sum(n_tables) == n_found * 400


def test_masks_of_a_long_line_do_not_grow_with_its_square(monkeypatch):
    """20,000 different words: masks of 2.5 KB each, 50 MB in all; kept are 1 MB."""
    monkeypatch.setattr(lcs_integers, "_MAX_MASK_BYTES", 1 << 20)
    line = np.arange(20_000)
    tracemalloc.start()
    try:
        assert lcs_integers.LongLane(line, line[::-1].copy()).lcs_length() == 1
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 10e6
