"""Forms that are plainer than the textbook functions, and random texts to compare both on."""

from collections import Counter
from functools import reduce
from operator import or_

from hypothesis import strategies as st

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
