"""Texts with the lengths, lines and letters of real ones: made up and seeded.

Most texts are short, some are long and one is very long. A text is either one sentence
to a line or written in paragraphs, whose lines are long. A second text about the same
thing, a prediction or one more reference, is the first one retold: about half of its
words are copied in short runs, mostly in their order, and some sentences have moved.
`shape.py` measures all this, of these texts and of any others.

Words are those of `corpora.py`, and so are their frequencies. Some are numbers, names,
or have an apostrophe or a hyphen; commas, brackets and quotation marks stand between
them. A few texts have a letter, a sign or some words beyond ASCII.

Arrays are flat: the words of all texts stand in a row, with the length of each text
beside them.
"""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
from words_made_up import draw, with_copied_runs, words

# Lengths are log-normal, as those of most collections of texts are.
_MEDIAN_LENGTH = 43.5
_SPREAD_OF_LOG = 0.66
_PREDICTION_LENGTH = 0.99  # of that of a reference
_LIKENESS_OF_LENGTHS = 0.85  # correlation of the lengths of the texts of an item
# Beyond them, the k-th longest reference in 10,000 has 7,200 / k^1.5 words.
_LONGEST = 7_200
_FALL_OF_LONGEST = 1.5
_TEXTS_OF_ONE_LONGEST = 10_000

_SENTENCE_LENGTH = 14
_SENTENCE_SHAPE = 4.0  # of the gamma distribution of their lengths
_SHARE_IN_PARAGRAPHS = 0.6  # of the texts
_PARAGRAPH_LENGTHS = (65, 200)

_SHARE_COPIED = 0.52  # of words; common words are shared by chance
_SHARE_OF_MOVED_SENTENCES = 0.2
_SHARE_BEYOND_ASCII = 0.014  # of texts
_SHARE_IN_OTHER_SCRIPTS = 0.1  # of these

_VOCABULARY_SIZE = 40_000
_SHARE_OF_N_REFERENCES = (0.4, 0.25, 0.17, 0.11, 0.07)  # of 1, 2, ... 5 references

_SIGNS_BETWEEN_WORDS = (" ", ", ", "; ", " - ", ": ", ' "', '" ', " (", ") ", "/")
_SHARE_OF_SIGN = (0.888, 0.07, 0.003, 0.006, 0.004, 0.008, 0.008, 0.006, 0.006, 0.001)
_SENTENCE_ENDS = (".", "!", "?", '."')
_SHARE_OF_END = (0.93, 0.02, 0.03, 0.02)
_LETTERS_BEYOND_ASCII = {"a": "á", "e": "é", "i": "ï", "o": "ö", "u": "ü"}
_SIGNS_BEYOND_ASCII = (" – ", " “", "” ", "… ", " €", "’ ")
_WORDS_OF_OTHER_SCRIPTS = ("мир", "слово", "東京", "新聞", "नमस्ते", "سلام", "λόγος")


def paragraphs(n_items: int, seed: int = 0) -> tuple[list[str], list[str]]:
    """Return `n_items` predictions and references.

    The same arguments give the same texts.
    """
    predictions, references = _texts_of_items(n_items, 2, np.random.default_rng(seed))
    return predictions, references


def paragraphs_with_references(n_items: int, seed: int = 0) -> tuple[list[str], list[list[str]]]:
    """Return `n_items` predictions and for each of them 1 to 5 references."""
    rng = np.random.default_rng(seed)
    most = len(_SHARE_OF_N_REFERENCES)
    predictions, *ranks = _texts_of_items(n_items, 1 + most, rng)
    n_references = n_references_of_items(n_items, rng)
    references = [
        list(all_of_item[:n])
        for all_of_item, n in zip(zip(*ranks, strict=True), n_references, strict=True)
    ]
    return predictions, references


def n_references_of_items(n_items: int, rng: np.random.Generator) -> np.ndarray:
    """Return a number of references for each item, 1 to 5, ndarray of int64."""
    most = len(_SHARE_OF_N_REFERENCES)
    return 1 + rng.choice(most, size=n_items, p=_SHARE_OF_N_REFERENCES)


def long_lines(
    n_items: int, seed: int = 0, *, shortest: int = 65, longest: int = 512
) -> tuple[list[str], list[str]]:
    """Return predictions and references of 1 to 4 lines of `shortest` to `longest` words.

    There are as many lines of 65 to 130 words as of 130 to 260.
    """
    rng = np.random.default_rng(seed)
    bounds = np.log((shortest, longest))
    prediction_lines, reference_lines = (
        [
            np.rint(np.exp(rng.uniform(*bounds, n_lines))).astype(int).tolist()
            for n_lines in rng.integers(1, 5, n_items)
        ]
        for _ in range(2)
    )
    return texts_of_lines(prediction_lines, reference_lines, seed)


def texts_of_lines(
    prediction_lines: list[list[int]], reference_lines: list[list[int]], seed: int = 0
) -> tuple[list[str], list[str]]:
    """Return predictions and references whose lines have these numbers of words.

    >>> predictions, _ = texts_of_lines([[3, 2]], [[4]])
    >>> [len(line.split()) for line in predictions[0].split("\\n")]
    [3, 2]
    """
    rng = np.random.default_rng(seed)
    sides = reference_lines, prediction_lines
    lengths = [np.array([sum(lines) for lines in side]) for side in sides]
    line_ends = [np.concatenate(side).cumsum() - 1 for side in sides]
    reference, prediction = (
        written(told, length, ends, rng)
        for told, length, ends in zip(_told_items(lengths, rng), lengths, line_ends, strict=True)
    )
    return prediction, reference


def _texts_of_items(n_items: int, n_texts: int, rng: np.random.Generator) -> list[list[str]]:
    """Return predictions, references, and more references: `n_texts` for each item."""
    likeness = rng.standard_normal(n_items)
    lengths = [_lengths(likeness, rng, longest=_LONGEST)]
    for number in range(1, n_texts):
        scale = _PREDICTION_LENGTH if number == 1 else 1.0
        lengths.append(_lengths(likeness, rng, scale=scale))
    reference, prediction, *others = (
        beyond_ascii(written(told, length, None, rng), rng)
        for told, length in zip(_told_items(lengths, rng), lengths, strict=True)
    )
    return [prediction, reference, *others]


# --- lengths --------------------------------------------------------------------------


def _lengths(
    likeness: np.ndarray, rng: np.random.Generator, *, scale: float = 1.0, longest: int = 0
) -> np.ndarray:
    """Return the number of words of each text, ndarray of int64, shape (n_items,).

    Texts are put in an order that is similar for texts of the same item, and take the
    quantiles of the distribution in that order: it is met exactly.
    """
    n_items = len(likeness)
    own = np.sqrt(1 - _LIKENESS_OF_LENGTHS**2) * rng.standard_normal(n_items)
    rank = np.argsort(np.argsort(_LIKENESS_OF_LENGTHS * likeness + own))
    share_below = (rank + 0.5) / n_items
    score = np.array([NormalDist().inv_cdf(share) for share in share_below])
    length = scale * _MEDIAN_LENGTH * np.exp(_SPREAD_OF_LOG * score)
    number_from_top = (1 - share_below) * _TEXTS_OF_ONE_LONGEST + 0.5
    of_longest = longest / np.maximum(number_from_top, 1.0) ** _FALL_OF_LONGEST
    return np.maximum(np.rint(np.maximum(length, of_longest)), 1).astype(np.int64)


def _sentence_ends(n_words: int, rng: np.random.Generator) -> np.ndarray:
    """Return the place of the last word of each sentence of a text."""
    n_sentences = max(round(n_words / _SENTENCE_LENGTH), 1)
    share = rng.gamma(_SENTENCE_SHAPE, size=n_sentences).cumsum()
    ends = np.rint(share / share[-1] * n_words).astype(np.int64) - 1
    return np.unique(np.maximum(ends, 0))


def _line_ends(sentence_ends: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return the place of the last word of each line: all sentences, or of paragraphs."""
    if rng.random() >= _SHARE_IN_PARAGRAPHS:
        return sentence_ends
    lines = [-1]
    length = rng.integers(*_PARAGRAPH_LENGTHS, endpoint=True)
    for end in sentence_ends.tolist():
        if end - lines[-1] >= length:
            lines.append(end)
            length = rng.integers(*_PARAGRAPH_LENGTHS, endpoint=True)
    return np.unique([*lines[1:], sentence_ends[-1]])


# --- words ----------------------------------------------------------------------------


def _told_items(lengths: list[np.ndarray], rng: np.random.Generator) -> list[np.ndarray]:
    """Return the words of the first text of each item, then those of it retold.

    One flat ndarray of object for each of `lengths`.
    """
    vocabulary = vocabulary_of_paragraphs()
    first, *others = (draw(vocabulary, int(length.sum()), rng) for length in lengths)
    first_of_item = np.split(first, lengths[0].cumsum()[:-1])
    told = [first]
    for own, length in zip(others, lengths[1:], strict=True):
        retold = [
            with_copied_runs(mine, _moved(text, rng), _SHARE_COPIED, rng)
            for mine, text in zip(np.split(own, length.cumsum()[:-1]), first_of_item, strict=True)
        ]
        told.append(np.concatenate(retold))
    return told


def _moved(text: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return the words of a text with some of its sentences elsewhere."""
    sentences = np.split(text, _sentence_ends(len(text), rng)[:-1] + 1)
    place = np.arange(len(sentences), dtype=np.float64)
    is_moved = rng.random(len(sentences)) < _SHARE_OF_MOVED_SENTENCES
    place[is_moved] = rng.uniform(0, len(sentences), is_moved.sum())
    return np.concatenate([sentences[k] for k in np.argsort(place, kind="stable")])


def vocabulary_of_paragraphs() -> np.ndarray:
    """Return the words, the most frequent first, ndarray of object."""
    vocabulary = words(_VOCABULARY_SIZE)
    for rank in range(20, len(vocabulary), 10):
        word = vocabulary[rank]
        if rank % 100 == 20:
            vocabulary[rank] = _number(rank)
        elif rank % 100 in (30, 40):
            vocabulary[rank] = f"{word}'s"
        elif rank % 100 == 50:
            vocabulary[rank] = f"{word}-{word[::-1]}"
        else:
            vocabulary[rank] = word.capitalize()
    return vocabulary


def _number(rank: int) -> str:
    """Return a number as people write them: 12, 1,220, 3.2, $4.20."""
    forms = (f"{rank}", f"{rank % 9 + 1},{rank:03}", f"{rank / 100}", f"${rank / 10:.2f}")
    return forms[rank // 100 % len(forms)]


# --- texts ----------------------------------------------------------------------------


def written(
    words_of_texts: np.ndarray,
    lengths: np.ndarray,
    line_ends: np.ndarray | None,
    rng: np.random.Generator,
) -> list[str]:
    """Return texts: words with capitals, signs and blanks between them, and lines.

    `line_ends` has the places of the last words of lines, None where they are chosen.
    """
    ends, lines = [], []
    offset = 0
    for length in lengths.tolist():
        of_text = offset + _sentence_ends(length, rng)
        ends.append(of_text)
        if line_ends is None:
            lines.append(_line_ends(of_text - offset, rng) + offset)
        offset += length
    line_end = np.concatenate(lines) if line_ends is None else line_ends
    sentence_end = np.union1d(np.concatenate(ends), line_end)

    sign = rng.choice(_SIGNS_BETWEEN_WORDS, size=offset, p=_SHARE_OF_SIGN).astype(object)
    sign[sentence_end] = rng.choice(_SENTENCE_ENDS, len(sentence_end), p=_SHARE_OF_END)
    sign[np.setdiff1d(sentence_end, line_end)] += " "
    sign[line_end] += "\n"
    text_ends = lengths.cumsum()
    sign[text_ends - 1] = [end.rstrip() for end in sign[text_ends - 1]]
    word = words_of_texts.copy()
    starts = np.append(0, sentence_end[:-1] + 1)
    word[starts] = [first.capitalize() for first in word[starts]]
    pieces = (word + sign).tolist()
    return [
        "".join(pieces[end - length : end])
        for end, length in zip(text_ends.tolist(), lengths.tolist(), strict=True)
    ]


def beyond_ascii(texts: list[str], rng: np.random.Generator) -> list[str]:
    """Return the texts, some of them with a letter, a sign or words beyond ASCII."""
    texts = list(texts)
    n_changed = round(_SHARE_BEYOND_ASCII * len(texts))
    for number in rng.choice(len(texts), n_changed, replace=False).tolist():
        pieces = texts[number].split(" ")
        place = int(rng.integers(len(pieces)))
        if rng.random() < _SHARE_IN_OTHER_SCRIPTS:
            pieces[place : place + 3] = rng.choice(_WORDS_OF_OTHER_SCRIPTS, 3).tolist()
            texts[number] = " ".join(pieces)
        elif rng.random() < 0.5:
            letter = str(rng.choice(list(_LETTERS_BEYOND_ASCII)))
            changed = pieces[place].replace(letter, _LETTERS_BEYOND_ASCII[letter], 2)
            pieces[place] = changed if changed != pieces[place] else pieces[place] + "é"
            texts[number] = " ".join(pieces)
        else:
            sign = str(rng.choice(_SIGNS_BEYOND_ASCII))
            before, after = " ".join(pieces[:place]), " ".join(pieces[place:])
            texts[number] = before + sign + after
    return texts
