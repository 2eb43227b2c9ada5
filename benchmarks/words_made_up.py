"""Made-up words with the frequencies of a natural language.

Words are syllables put together; the k-th most frequent one has a probability
proportional to 1 / (k + 2.7) (Zipf's law as Mandelbrot corrected it).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product

import numpy as np

_ZIPF_SHIFT = 2.7
_MEAN_RUN = 4  # words copied in a row


def words(size: int) -> np.ndarray:
    """Return so many distinct words, the most frequent first, ndarray of object."""
    return np.array(list(islice(_words(), size)), dtype=object)


def _words() -> Iterator[str]:
    """Yield distinct words, the shorter ones first."""
    syllables = [consonant + vowel for consonant, vowel in product("bdfgklmnprstvz", "aeiou")]
    for n_syllables in (1, 2, 3):
        yield from map("".join, product(syllables, repeat=n_syllables))


def draw(vocabulary: np.ndarray, size: int, rng: np.random.Generator) -> np.ndarray:
    """Return so many words of a vocabulary, its first ones most often."""
    probability = 1 / (np.arange(len(vocabulary)) + _ZIPF_SHIFT)
    return vocabulary[rng.choice(len(vocabulary), size=size, p=probability / probability.sum())]


def with_copied_runs(
    own: np.ndarray, reference: np.ndarray, overlap: float, rng: np.random.Generator
) -> np.ndarray:
    """Return the words of a prediction with runs of them replaced by those that stand
    in the same part of the reference.
    """
    n_runs = -(-len(own) // _MEAN_RUN)
    is_copied = np.repeat(rng.random(n_runs) < overlap, _MEAN_RUN)[: len(own)]
    run_start = np.arange(len(own)) // _MEAN_RUN * _MEAN_RUN
    place = run_start * len(reference) // len(own) + np.arange(len(own)) % _MEAN_RUN
    return np.where(is_copied, reference[np.minimum(place, len(reference) - 1)], own)
