"""Pairs of texts that are alike, one an edit of the other: made up and seeded.

Paraphrases, edited texts and good translations leave some lines as they are and change
the others. Lengths are log-normal, and words, signs and letters are those of
`paragraphs.py`. Most texts have a short line and a longer one.

Of the lines of a reference some stand in the prediction as they are, long ones more
often than short ones. Any other one becomes shorter or longer and keeps some of its
words: runs of four, or its head and its tail; the rest is new. Few pairs are equal.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import numpy as np
from paragraphs import beyond_ascii, n_references_of_items, vocabulary_of_paragraphs, written
from words_made_up import draw, with_copied_runs

Lines = list[np.ndarray]  # the words of a text, line by line

_MEDIAN_LENGTH = 46.0
_SPREAD_OF_LOG = 0.58
_MOST_SPREAD_OF_CHANGED = 0.5  # of the logarithm of how much longer a changed line is
_SHARE_OF_ONE_LINE = 0.13  # of texts
_MORE_LINES = 0.45  # than two, on average
_SHARE_EQUAL = 0.01  # of pairs
_SHARE_OF_MIDDLES = 0.6  # of changed lines: those changed in the middle only

# By the share of words that stand in the other text: the share of lines that stay, but
# for the one of each text that never does, and of the words of the others that are
# copied. Common words are shared by chance.
_KEPT_AND_COPIED = {0.25: (0.05, 0.07), 0.5: (0.25, 0.31), 0.75: (0.77, 0.4), 0.95: (0.96, 0.9)}
SHARES = tuple(_KEPT_AND_COPIED)


def edited_texts(n_items: int, share: float = 0.75, seed: int = 0) -> tuple[list[str], list[str]]:
    """Return `n_items` predictions and references with this share of words in common.

    The same arguments give the same texts.
    """
    rng = np.random.default_rng(seed)
    texts = _drawn_texts(n_items, rng)
    predictions = _texts(_edited(texts, share, rng), rng)
    return predictions, _texts(texts, rng)


def edited_texts_with_references(
    n_items: int, share: float = 0.75, seed: int = 0
) -> tuple[list[str], list[list[str]]]:
    """Return `n_items` predictions and 1 to 5 edits of each as references."""
    rng = np.random.default_rng(seed)
    texts = _drawn_texts(n_items, rng)
    n_references = n_references_of_items(n_items, rng)
    ranks = [_texts(_edited(texts, share, rng), rng) for _ in range(n_references.max())]
    references = [
        list(all_of_item[:n])
        for all_of_item, n in zip(zip(*ranks, strict=True), n_references, strict=True)
    ]
    return _texts(texts, rng), references


def _drawn_texts(n_items: int, rng: np.random.Generator) -> list[Lines]:
    length = np.exp(rng.normal(np.log(_MEDIAN_LENGTH), _SPREAD_OF_LOG, n_items))
    length = np.maximum(np.rint(length), 1).astype(np.int64)
    words = draw(vocabulary_of_paragraphs(), int(length.sum()), rng)
    return [_lines(text, rng) for text in np.split(words, length.cumsum()[:-1])]


def _edited(texts: list[Lines], share: float, rng: np.random.Generator) -> list[Lines]:
    """Return texts with some of their lines changed."""
    kept, copied = _KEPT_AND_COPIED[share]
    line = [line for lines in texts for line in lines]
    is_kept = np.concatenate([_are_kept(lines, kept, rng) for lines in texts])
    for place, own in _own_words(line, ~is_kept, share, rng):
        told = _with_new_middle if rng.random() < _SHARE_OF_MIDDLES else _in_runs
        line[place] = told(own, line[place], copied, rng)
    edited = iter(line)
    return [list(islice(edited, len(lines))) for lines in texts]


def _lines(text: np.ndarray, rng: np.random.Generator) -> Lines:
    """Return the words of a text line by line, mostly a short one first."""
    n_lines = 1 if rng.random() < _SHARE_OF_ONE_LINE else 2 + rng.poisson(_MORE_LINES)
    cut = np.rint(len(text) * rng.random(n_lines - 1) ** 2)
    cut = np.unique(np.clip(cut, 1, len(text)).astype(np.int64))
    return np.split(text, cut[cut < len(text)])


def _are_kept(lines: Lines, kept: float, rng: np.random.Generator) -> np.ndarray:
    """Return which lines stay as they are: never all of them, but in equal pairs."""
    if rng.random() < _SHARE_EQUAL:
        return np.ones(len(lines), dtype=bool)
    is_kept = rng.random(len(lines)) < kept
    shortness = 1.0 / np.array(list(map(len, lines))) ** 3
    is_kept[rng.choice(len(lines), p=shortness / shortness.sum())] = False
    return is_kept


def _own_words(
    line: list[np.ndarray], is_changed: np.ndarray, share: float, rng: np.random.Generator
) -> Iterator[tuple[int, np.ndarray]]:
    """Return the place of each line that changes, and so many words as it becomes."""
    place = np.flatnonzero(is_changed)
    spread = min(_MOST_SPREAD_OF_CHANGED, 2 * (1 - share))
    longer = np.exp(rng.normal(-(spread**2) / 2, spread, len(place)))
    length = np.array([len(line[number]) for number in place.tolist()]) * longer
    length = np.maximum(np.rint(length), 1).astype(np.int64)
    words = draw(vocabulary_of_paragraphs(), int(length.sum()), rng)
    return zip(place.tolist(), np.split(words, length.cumsum()[:-1]), strict=True)


def _in_runs(
    own: np.ndarray, line: np.ndarray, copied: float, rng: np.random.Generator
) -> np.ndarray:
    """Return a line with copied runs, and at least one word of its own."""
    told = with_copied_runs(own, line, copied, rng)
    place = rng.integers(len(own))
    told[place] = own[place]
    return told


def _with_new_middle(
    own: np.ndarray, line: np.ndarray, copied: float, rng: np.random.Generator
) -> np.ndarray:
    """Return a line that begins and ends with copied words."""
    n_copied = min(int(copied * len(own)), len(line), len(own) - 1)
    n_head = int(rng.integers(n_copied + 1))
    n_tail = n_copied - n_head
    middle = own[n_head : len(own) - n_tail]
    return np.concatenate([line[:n_head], middle, line[len(line) - n_tail :]])


def _texts(texts: list[Lines], rng: np.random.Generator) -> list[str]:
    """Return texts, given the words of their lines."""
    lines = [line for text in texts for line in text]
    line_length = np.array(list(map(len, lines)))
    n_lines = np.array(list(map(len, texts)))
    length = np.add.reduceat(line_length, n_lines.cumsum() - n_lines)
    line_end = line_length.cumsum() - 1
    return beyond_ascii(written(np.concatenate(lines), length, line_end, rng), rng)
