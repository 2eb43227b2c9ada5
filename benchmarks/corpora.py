"""Texts to measure with: made up, seeded, shaped like short summaries.

Words are syllables put together; the k-th most frequent one has a probability
proportional to 1 / (k + 2.7) (Zipf's law as Mandelbrot corrected it). A prediction
copies runs of words of its reference, in their order, and fills the rest with words of
its own. What matters to the speed of ROUGE and BLEU is right that way: lengths, how
often words repeat, how much of a text is found in the other one, sentences, capitals,
commas and full stops.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from edited import SHARES, edited_texts, edited_texts_with_references
from paragraphs import long_lines, paragraphs, paragraphs_with_references, texts_of_lines
from words_made_up import draw, with_copied_runs, words

_COMMA_EVERY = 9  # words, on average
_LENGTH_SPREAD = 0.25  # standard deviation of lengths over their mean


@dataclass(frozen=True)
class Corpus:
    """Predictions and, for each, one reference or a list of them."""

    predictions: list[Any]
    references: list[Any]

    def __len__(self) -> int:
        return len(self.predictions)

    def first(self, n_pairs: int) -> Corpus:
        return Corpus(self.predictions[:n_pairs], self.references[:n_pairs])

    def times(self, n: int) -> Corpus:
        return Corpus(self.predictions * n, self.references * n)

    @property
    def has_one_reference_each(self) -> bool:
        return isinstance(self.references[0], str)

    @property
    def transposed_references(self) -> list[list[str | None]]:
        """The references as sacreBLEU takes them: one list for each rank, None where an
        item has fewer.
        """
        if self.has_one_reference_each:
            return [self.references]
        n_ranks = max(map(len, self.references))
        return [
            [references[rank] if rank < len(references) else None for references in self.references]
            for rank in range(n_ranks)
        ]

    def in_other_letters(self, change: Callable[[str], str]) -> Corpus:
        return Corpus(
            [change(text) for text in self.predictions], [change(text) for text in self.references]
        )


@dataclass(frozen=True)
class Corpora:
    """The texts of all rows; each is made when a row first asks for it."""

    n_pairs: int

    @cached_property
    def short(self) -> Corpus:
        """45 and 60 words in 3 sentences: the size of news summaries."""
        return Corpus(*corpus(self.n_pairs))

    @cached_property
    def segments(self) -> Corpus:
        """The same in one line each."""
        return self.short.in_other_letters(lambda text: text.replace("\n", " "))

    @cached_property
    def mixed(self) -> Corpus:
        """Half of the texts under 40 words, one in a hundred of 2,000."""
        sizes = ((0.5, 25, 30, 2), (0.49, 60, 80, 4), (0.01, 2000, 2000, 60))
        parts = [
            corpus(int(self.n_pairs / 5 * share), *size, seed=seed)
            for seed, (share, *size) in enumerate(sizes)
        ]
        pairs = [pair for part in parts for pair in zip(*part, strict=True)]
        random.Random(0).shuffle(pairs)
        predictions, references = zip(*pairs, strict=True)
        return Corpus(list(predictions), list(references))

    @cached_property
    def long(self) -> Corpus:
        return Corpus(*corpus(200, 1000, 1000, 40))

    @cached_property
    def very_long(self) -> Corpus:
        return Corpus(*corpus(20, 20_000, 20_000, 1))

    @cached_property
    def paragraphs(self) -> Corpus:
        """Lengths, lines and letters of real texts: see `paragraphs.py`."""
        return Corpus(*paragraphs(self.n_pairs))

    @cached_property
    def alike(self) -> dict[float, Corpus]:
        """Edits of a text beside it, by the share of words in common: see `edited.py`."""
        return {share: Corpus(*edited_texts(self.n_pairs, share)) for share in SHARES}

    @cached_property
    def alike_with_references(self) -> Corpus:
        """1 to 5 edits of each prediction, which share three quarters of its words."""
        return Corpus(*edited_texts_with_references(self.n_pairs))

    @cached_property
    def paragraphs_with_references(self) -> Corpus:
        """The same with 1 to 5 references for each prediction."""
        return Corpus(*paragraphs_with_references(self.n_pairs))

    @cached_property
    def many_paragraphs(self) -> Corpus:
        """The paragraphs ten times over."""
        return self.paragraphs.times(10)

    @cached_property
    def many_paragraphs_with_references(self) -> Corpus:
        return self.paragraphs_with_references.times(10)

    @cached_property
    def long_lines(self) -> Corpus:
        """1,000 pairs in lines of 65 to 512 words."""
        return Corpus(*long_lines(1_000))

    @cached_property
    def batch(self) -> Corpus:
        """16 pairs, as many as a reward function gets at a time."""
        return Corpus(*paragraphs(16))

    @cached_property
    def one(self) -> Corpus:
        """One pair of 50 words."""
        return Corpus(*texts_of_lines([[50]], [[50]]))

    @cached_property
    def russian(self) -> Corpus:
        return self.short.in_other_letters(_shifted_letters(0x430))

    @cached_property
    def hindi(self) -> Corpus:
        """Each vowel is a vowel sign, a mark behind its consonant."""
        consonants = dict(zip("bdfgklmnprstvz", "बदफगकलमनपरसतवज", strict=True))
        return self.short.in_other_letters(
            _changed_letters({**consonants, **dict(zip("aeiou", "ािीुे", strict=True)), ".": "।"})
        )

    @cached_property
    def chinese(self) -> Corpus:
        """Each word is one character, and there are no blanks."""
        characters: dict[str, str] = {}

        def change(text: str) -> str:
            lines = [
                line.lower().replace(",", " ").replace(".", " ").split()
                for line in text.split("\n")
            ]
            return "\n".join(
                "".join(characters.setdefault(word, chr(0x4E00 + len(characters))) for word in line)
                + "。"
                for line in lines
            )

        return self.short.in_other_letters(change)


def _shifted_letters(first: int) -> Callable[[str], str]:
    return _changed_letters({chr(ord("a") + k): chr(first + k) for k in range(26)})


def _changed_letters(letters: dict[str, str]) -> Callable[[str], str]:
    table = str.maketrans(letters)
    return lambda text: text.lower().translate(table)


def corpus(
    n_pairs: int,
    prediction_tokens: int = 45,
    reference_tokens: int = 60,
    n_sentences: int = 3,
    seed: int = 0,
    *,
    overlap: float = 0.5,
    vocabulary_size: int = 20_000,
) -> tuple[list[str], list[str]]:
    """Return `n_pairs` predictions and references, one sentence per line.

    Parameters
    ----------
    prediction_tokens, reference_tokens : int
        Mean number of words of a text.
    n_sentences : int
        Sentences of a text, fewer in a text that has not as many words.
    seed : int
        The same arguments give the same texts.
    overlap : float
        Share of the words of a prediction that are copied from the reference.
    vocabulary_size : int
        Number of distinct words to draw from.

    >>> predictions, references = corpus(2, prediction_tokens=8, reference_tokens=8, n_sentences=2)
    >>> again, _ = corpus(2, prediction_tokens=8, reference_tokens=8, n_sentences=2)
    >>> len(predictions), len(references), predictions == again
    (2, 2, True)
    """
    rng = np.random.default_rng(seed)
    vocabulary = words(vocabulary_size)
    n_reference, n_prediction = (
        _lengths(mean, n_pairs, rng) for mean in (reference_tokens, prediction_tokens)
    )
    reference = np.split(draw(vocabulary, int(n_reference.sum()), rng), n_reference.cumsum()[:-1])
    own = np.split(draw(vocabulary, int(n_prediction.sum()), rng), n_prediction.cumsum()[:-1])
    prediction = [
        with_copied_runs(*pair, overlap, rng) for pair in zip(own, reference, strict=True)
    ]
    predictions, references = (
        [_text(text, n_sentences, rng) for text in side] for side in (prediction, reference)
    )
    return predictions, references


def _lengths(mean: int, n_texts: int, rng: np.random.Generator) -> np.ndarray:
    return np.maximum(np.rint(rng.normal(mean, _LENGTH_SPREAD * mean, n_texts)), 1).astype(np.int64)


def _text(words: np.ndarray, n_sentences: int, rng: np.random.Generator) -> str:
    lines = []
    for sentence in np.array_split(words, min(n_sentences, len(words))):
        comma = np.where(rng.random(len(sentence) - 1) < 1 / _COMMA_EVERY, ", ", " ").tolist()
        lines.append(
            "".join(
                word + blank for word, blank in zip(sentence, [*comma, "."], strict=True)
            ).capitalize()
        )
    return "\n".join(lines)
