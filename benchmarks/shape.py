"""What texts look like, in figures: lengths, lines, letters, and words in common."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

_LONG_LINE = (65, 200)


def shape(predictions: Sequence[str], references: Sequence[Any]) -> dict[str, float]:
    """Return the figures of a corpus; words are what stands between blanks.

    "words shared" are clipped unigram matches with the first reference, of lowercased
    runs of letters and digits, over the mean length of the two.

    >>> figures = shape(["The cat sat.\\nIt ran"], ["the cat"])
    >>> figures["words of a prediction"], figures["lines of a text"]
    (5.0, 1.5)
    >>> round(figures["words shared"], 3)
    0.571
    """
    lists = [[item] if isinstance(item, str) else item for item in references]
    all_references = [reference for item in lists for reference in item]
    texts = [*predictions, *all_references]
    length = np.array([len(text.split()) for text in texts])
    line_length = np.array([len(line.split()) for text in texts for line in text.split("\n")])
    is_long_line = (line_length >= _LONG_LINE[0]) & (line_length <= _LONG_LINE[1])
    first_references = [item[0] for item in lists]
    return {
        "words of a prediction": float(length[: len(predictions)].mean()),
        "words of a reference": float(length[len(predictions) :].mean()),
        "words of an item": float(length.sum() / len(predictions)),
        "lines of a text": len(line_length) / len(texts),
        "median of words": float(np.median(length)),
        "texts above 100 words": float(np.mean(length > 100)),
        "texts above 200 words": float(np.mean(length > 200)),
        "longest text": float(length.max()),
        "lines of 65 to 200 words": float(is_long_line.mean()),
        "words in these lines": float(line_length[is_long_line].sum() / length.sum()),
        "texts not ASCII": float(np.mean([not text.isascii() for text in texts])),
        "words shared": _share_of_words(predictions, first_references),
    }


def _share_of_words(predictions: Sequence[str], references: Sequence[str]) -> float:
    matches = total = 0
    for prediction, reference in zip(predictions, references, strict=True):
        ours, theirs = _counts(prediction), _counts(reference)
        matches += (ours & theirs).total()
        total += ours.total() + theirs.total()
    return 2 * matches / max(total, 1)


def _counts(text: str) -> Counter[str]:
    return Counter(re.findall("[a-z0-9]+", text.lower()))
