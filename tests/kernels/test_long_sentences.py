"""Lines of more than one machine word: the union LCS and the best LCS on every way through the
tables, and what of them is known without a table.
"""

import tracemalloc

import numpy as np
import pytest

from helpers.kernels import as_shared, lcs_positions
from rouge_bleu.kernels import bit_rows, union_lcs
from rouge_bleu.kernels.lcs import lcs_lengths
from rouge_bleu.kernels.union_lcs import union_lcs_lengths, union_lcs_mask

# Around EXACT_BITS, 53, around one and two words, and eight words.
LINE_LENGTHS = (1, 2, 20, 52, 53, 54, 63, 64, 65, 127, 128, 129, 512, 513)


def taken_tokens(predictions, references):
    """Return the positions in each reference that the union LCS takes, a list of sets."""
    shared = as_shared(predictions, references)
    mask = union_lcs_mask(shared)
    ends = shared.reference.ids.offsets[1:-1]
    return [set(np.flatnonzero(part).tolist()) for part in np.split(mask, ends)]


@pytest.fixture(params=["words and one integer", "one integer", "one by one"])
def way(request, monkeypatch):
    min_tables = 1 if request.param == "words and one integer" else 10**9
    monkeypatch.setattr(bit_rows, "_MIN_TABLES_IN_WORDS", min_tables)
    if request.param == "one by one":
        for module in (bit_rows, union_lcs):
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


# --- known without a table ------------------------------------------------------------------------


UP = list(range(5_000))
# By hand: the lines of predictions and references, and the positions that are taken in each.
KNOWN = {
    "every second token": ([[UP[::2]]], [[UP]], [{*UP[::2]}]),
    # The traceback starts at the last cell and goes up to the last token of the prediction.
    "a line backwards": ([[UP[599::-1]]], [[UP[:600]]], [{0}]),
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
}


@pytest.mark.parametrize(("predictions", "references", "taken"), KNOWN.values(), ids=KNOWN)
def test_positions_that_are_known(way, predictions, references, taken):
    assert taken_tokens(predictions, references) == taken


def test_sums_do_not_run_over_into_the_next_field():
    """All tokens equal: every sum carries to the top of its field. Each reference is followed by
    one in which only the last of 64 tokens matches.
    """
    lengths = [63, 64, 65, 127, 128, 191, 192, 513]
    references = [line for k in lengths for line in ([[0] * k], [[1] * 63 + [0]])]
    predictions = [text for k in lengths for text in ([[0] * (k + 5)], [[0] * 3])]
    expected = [length for k in lengths for length in (k, 1)]
    assert lcs_lengths(as_shared(predictions, references)).tolist() == expected
    taken = [positions for k in lengths for positions in (set(range(k)), {63})]
    assert taken_tokens(predictions, references) == taken


# --- what must not grow ---------------------------------------------------------------------------


@pytest.fixture
def n_tables(monkeypatch):
    """The number of tables that were walked through, batch by batch."""
    sizes, batches = [], union_lcs.batches_of_tables
    monkeypatch.setattr(
        union_lcs,
        "batches_of_tables",
        lambda n_rows, *rest: sizes.append(len(n_rows)) or batches(n_rows, *rest),
    )
    return sizes


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


def test_masks_of_a_long_line_do_not_grow_with_its_square():
    """20,000 different words: masks of 2.5 KB each, 50 MB in all; kept are 2.5 MB."""
    line = np.arange(20_000)
    tracemalloc.start()
    try:
        assert bit_rows.LongTable(line, line[::-1].copy()).lcs_lengths() == 1
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 10e6
