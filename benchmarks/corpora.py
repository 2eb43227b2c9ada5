"""Made-up texts with the lengths, lines, punctuation and shared words of real ones; seeded.

Lengths are log-normal, with a few very long texts. Six texts in ten are written in paragraphs of 65 to
200 words, the others one sentence to a line. A second text, the prediction or one more reference, is
the first one retold: half of its words are copied in short runs, and some sentences have moved. Words
are syllables put together; the k-th most frequent one has a probability proportional to 1 / (k + 2.7)
(Zipf's law as corrected by Mandelbrot). Some are numbers, names, or have an apostrophe or a hyphen.

The words of all texts are one flat array, with the length of each text beside it.
"""

from __future__ import annotations

from itertools import islice, product
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np

_MEDIAN_LENGTH, _SPREAD_OF_LOG = 43.5, 0.66  # of references
_PREDICTION_LENGTH = 0.99  # of that of a reference
_CORRELATION_OF_LENGTHS = 0.85  # of texts of one item
_LONGEST, _FALL_OF_LONGEST = 7_200, 1.5  # of 10,000, the k-th longest has 7,200 / k^1.5 words
_SENTENCE_LENGTH, _SENTENCE_SHAPE = 14, 4.0  # mean; shape of the gamma distribution
_SHARE_IN_PARAGRAPHS, _PARAGRAPH_LENGTHS = 0.6, (65, 200)
_SHARE_COPIED, _MEAN_RUN = 0.52, 4
_SHARE_OF_MOVED_SENTENCES = 0.2
_SHARE_BEYOND_ASCII, _SHARE_IN_OTHER_SCRIPTS = 0.014, 0.1  # of texts; of these
_SHARE_OF_N_REFERENCES = (0.4, 0.25, 0.17, 0.11, 0.07)  # of 1, 2, ... 5 references

_SIGNS = (" ", ", ", "; ", " - ", ": ", ' "', '" ', " (", ") ", "/")
_SHARE_OF_SIGN = (0.888, 0.07, 0.003, 0.006, 0.004, 0.008, 0.008, 0.006, 0.006, 0.001)
_ENDS, _SHARE_OF_END = (".", "!", "?", '."'), (0.93, 0.02, 0.03, 0.02)
_ACCENTS = {"a": "á", "e": "é", "i": "ï", "o": "ö", "u": "ü"}
_SIGNS_BEYOND_ASCII = (" – ", " “", "” ", "… ", " €", "’ ")
_WORDS_OF_OTHER_SCRIPTS = ("мир", "слово", "東京", "新聞", "नमस्ते", "سلام", "λόγος")


class Corpus(NamedTuple):
    """Predictions and, for each, one reference or a list of them."""

    predictions: list[Any]
    references: list[Any]

    @property
    def size(self) -> int:
        return len(self.predictions)

    def first(self, n: int) -> Corpus:
        return Corpus(self.predictions[:n], self.references[:n])

    @property
    def reference_lists(self) -> list[list[str]]:
        return [[item] if isinstance(item, str) else item for item in self.references]

    def times(self, n: int) -> Corpus:
        return Corpus(self.predictions * n, self.references * n)


def paragraphs(n_items: int, copied: float = _SHARE_COPIED) -> Corpus:
    """Return predictions and one reference each."""
    return Corpus(*_texts(n_items, 2, copied, np.random.default_rng(0)))


def paragraphs_with_references(n_items: int) -> Corpus:
    """Return predictions and 1 to 5 references each."""
    rng = np.random.default_rng(0)
    most = len(_SHARE_OF_N_REFERENCES)
    predictions, *ranks = _texts(n_items, 1 + most, _SHARE_COPIED, rng)
    n_references = 1 + rng.choice(most, size=n_items, p=_SHARE_OF_N_REFERENCES)
    columns = zip(zip(*ranks, strict=True), n_references, strict=True)
    return Corpus(predictions, [list(texts[:n]) for texts, n in columns])


def words(size: int) -> np.ndarray:
    """Return distinct words, the shorter ones first, ndarray of object."""
    syllables = [consonant + vowel for consonant, vowel in product("bdfgklmnprstvz", "aeiou")]
    all_words = (word for n in (1, 2, 3) for word in map("".join, product(syllables, repeat=n)))
    return np.array(list(islice(all_words, size)), dtype=object)


def draw(vocabulary: np.ndarray, size: int, rng: np.random.Generator) -> np.ndarray:
    """Return words drawn from a vocabulary, its first ones most often."""
    probability = 1 / (np.arange(len(vocabulary)) + 2.7)
    return vocabulary[rng.choice(len(vocabulary), size=size, p=probability / probability.sum())]


def _texts(
    n_items: int, n_texts: int, copied: float, rng: np.random.Generator
) -> tuple[list[str], ...]:
    """Return predictions, references, and more references."""
    common = rng.standard_normal(n_items)
    lengths = [_lengths(common, 1.0, _LONGEST, rng), _lengths(common, _PREDICTION_LENGTH, 0, rng)]
    lengths += [_lengths(common, 1.0, 0, rng) for _ in range(n_texts - 2)]
    columns = zip(_retold(lengths, copied, rng), lengths, strict=True)
    sides = [_beyond_ascii(_written(told, length, rng), rng) for told, length in columns]
    return sides[1], sides[0], *sides[2:]


def _lengths(
    common: np.ndarray, scale: float, longest: int, rng: np.random.Generator
) -> np.ndarray:
    """Return the number of words of each text, ndarray of int64: quantiles of the distribution.

    The order of the texts is similar for texts of the same item.
    """
    n_items = len(common)
    own = np.sqrt(1 - _CORRELATION_OF_LENGTHS**2) * rng.standard_normal(n_items)
    rank = np.argsort(np.argsort(_CORRELATION_OF_LENGTHS * common + own))
    share_below = (rank + 0.5) / n_items
    score = np.array([NormalDist().inv_cdf(share) for share in share_below])
    length = scale * _MEDIAN_LENGTH * np.exp(_SPREAD_OF_LOG * score)
    number_from_top = np.maximum((1 - share_below) * 10_000 + 0.5, 1.0)
    length = np.maximum(length, longest / number_from_top**_FALL_OF_LONGEST)
    return np.maximum(np.rint(length), 1).astype(np.int64)


def _retold(lengths: list[np.ndarray], copied: float, rng: np.random.Generator) -> list[np.ndarray]:
    """Return the words of the first text of each item, then those of it retold, flat."""
    vocabulary = _vocabulary()
    first, *others = (draw(vocabulary, int(length.sum()), rng) for length in lengths)
    texts = np.split(first, lengths[0].cumsum()[:-1])
    sides = [first]
    for own, length in zip(others, lengths[1:], strict=True):
        pairs = zip(np.split(own, length.cumsum()[:-1]), texts, strict=True)
        retold = [_with_runs(mine, _moved(text, rng), copied, rng) for mine, text in pairs]
        sides.append(np.concatenate(retold))
    return sides


def _vocabulary() -> np.ndarray:
    """Return words of which some are numbers, names, or have an apostrophe or a hyphen."""
    vocabulary = words(40_000)
    for rank in range(20, len(vocabulary), 10):
        word = vocabulary[rank]
        if rank % 100 == 20:
            forms = (f"{rank}", f"{rank % 9 + 1},{rank:03}", f"{rank / 100}", f"${rank / 10:.2f}")
            vocabulary[rank] = forms[rank // 100 % len(forms)]
        elif rank % 100 in (30, 40):
            vocabulary[rank] = f"{word}'s"
        elif rank % 100 == 50:
            vocabulary[rank] = f"{word}-{word[::-1]}"
        else:
            vocabulary[rank] = word.capitalize()
    return vocabulary


def _moved(text: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return a text with some of its sentences moved."""
    sentences = np.split(text, _sentence_ends(len(text), rng)[:-1] + 1)
    place = np.arange(len(sentences), dtype=np.float64)
    is_moved = rng.random(len(sentences)) < _SHARE_OF_MOVED_SENTENCES
    place[is_moved] = rng.uniform(0, len(sentences), is_moved.sum())
    return np.concatenate([sentences[k] for k in np.argsort(place, kind="stable")])


def _with_runs(
    own: np.ndarray, text: np.ndarray, copied: float, rng: np.random.Generator
) -> np.ndarray:
    """Return words of which some runs are copied from the same part of a text."""
    is_copied = np.repeat(rng.random(-(-len(own) // _MEAN_RUN)) < copied, _MEAN_RUN)[: len(own)]
    run_start = np.arange(len(own)) // _MEAN_RUN * _MEAN_RUN
    place = run_start * len(text) // len(own) + np.arange(len(own)) % _MEAN_RUN
    return np.where(is_copied, text[np.minimum(place, len(text) - 1)], own)


def _sentence_ends(n_words: int, rng: np.random.Generator) -> np.ndarray:
    """Return the position of the last word of each sentence of a text."""
    n_sentences = max(round(n_words / _SENTENCE_LENGTH), 1)
    share = rng.gamma(_SENTENCE_SHAPE, size=n_sentences).cumsum()
    ends = np.rint(share / share[-1] * n_words).astype(np.int64) - 1
    return np.unique(np.maximum(ends, 0))


def _line_ends(sentence_ends: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return the position of the last word of each line: sentences, or paragraphs of them."""
    if rng.random() >= _SHARE_IN_PARAGRAPHS:
        return sentence_ends
    ends = [-1]
    length = rng.integers(*_PARAGRAPH_LENGTHS, endpoint=True)
    for end in sentence_ends.tolist():
        if end - ends[-1] >= length:
            ends.append(end)
            length = rng.integers(*_PARAGRAPH_LENGTHS, endpoint=True)
    return np.unique([*ends[1:], sentence_ends[-1]])


def _written(text: np.ndarray, lengths: np.ndarray, rng: np.random.Generator) -> list[str]:
    """Return texts with uppercase, symbols and line breaks."""
    sentence_ends, line_ends = [], []
    text_ends = lengths.cumsum()
    for start, length in zip((text_ends - lengths).tolist(), lengths.tolist(), strict=True):
        ends = _sentence_ends(length, rng)
        sentence_ends.append(start + ends)
        line_ends.append(start + _line_ends(ends, rng))
    line_end = np.concatenate(line_ends)
    sentence_end = np.union1d(np.concatenate(sentence_ends), line_end)
    sign = rng.choice(_SIGNS, size=len(text), p=_SHARE_OF_SIGN).astype(object)
    sign[sentence_end] = rng.choice(_ENDS, len(sentence_end), p=_SHARE_OF_END)
    sign[np.setdiff1d(sentence_end, line_end)] += " "
    sign[np.setdiff1d(line_end, text_ends - 1)] += "\n"
    word = text.copy()
    starts = np.append(0, sentence_end[:-1] + 1)
    word[starts] = [first.capitalize() for first in word[starts]]
    return ["".join(pieces) for pieces in np.split(word + sign, text_ends[:-1])]


def _beyond_ascii(texts: list[str], rng: np.random.Generator) -> list[str]:
    """Return the texts, some of them with a letter, a sign or words beyond ASCII."""
    n_changed = round(_SHARE_BEYOND_ASCII * len(texts))
    for number in rng.choice(len(texts), n_changed, replace=False).tolist():
        pieces = texts[number].split(" ")
        place = int(rng.integers(len(pieces)))
        if rng.random() < _SHARE_IN_OTHER_SCRIPTS:
            pieces[place : place + 3] = rng.choice(_WORDS_OF_OTHER_SCRIPTS, 3).tolist()
        elif rng.random() < 0.5:
            letter = str(rng.choice(list(_ACCENTS)))
            changed = pieces[place].replace(letter, _ACCENTS[letter], 2)
            pieces[place] = changed if changed != pieces[place] else pieces[place] + "é"
        else:
            sign = str(rng.choice(_SIGNS_BEYOND_ASCII))
            pieces = [" ".join(pieces[:place]) + sign + " ".join(pieces[place:])]
        texts[number] = " ".join(pieces)
    return texts
