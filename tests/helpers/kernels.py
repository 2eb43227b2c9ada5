"""Columns of random token ids, as kernels take them. A text is a list of sentences, lists of ids."""

import numpy as np

from rouge_bleu import plain
from rouge_bleu.arrays import Ragged, flatten_with_offsets
from rouge_bleu.tokens import Tokens, number_tokens

EDGE_LENGTHS = (0, 1, 63, 64, 65, 129)  # around the word of 64 bits
WORD_EDGES = (0, 1, 63, 64, 65, 127, 128, 129, 512, 513)  # around one word, two and eight
VOCABULARIES = (1, 2, 5, 40, 10**6)


def weighted_lcs_positions(prediction, reference, f):
    """Return the positions of the reference on the traceback of the weighted table, a set."""
    return {j for _, j in plain.weighted_lcs_pairs(prediction, reference, f)}


def in_sentences(rng, tokens, max_sentences):
    """Return tokens in at most `max_sentences` sentences, possibly empty."""
    ends = np.sort(rng.integers(0, len(tokens) + 1, rng.integers(0, max_sentences)))
    return [sentence.tolist() for sentence in np.split(tokens, ends)]


def random_texts(rng, lengths, n_types, max_sentences=1):
    """Return a text of each length, of ids below `n_types`."""
    return [
        in_sentences(rng, rng.integers(0, n_types, length), max_sentences) for length in lengths
    ]


def random_pairs(rng, n_types, max_sentences=1, n_short=60):
    """Return predictions and references of each edge length with each, and of mixed short ones."""
    edges = np.array([(p, r) for p in EDGE_LENGTHS for r in EDGE_LENGTHS])
    lengths = rng.permutation(np.concatenate([edges, rng.integers(0, 14, (n_short, 2))]))
    return tuple(random_texts(rng, side, n_types, max_sentences) for side in lengths.T)


def word_edge_pairs(rng, n_types, max_sentences=1):
    """Return predictions and references of lengths around whole words: each with itself and with the
    next one. Half of each reference is a part of its prediction.
    """
    pairs = []
    for length, next_length in zip(WORD_EDGES, (*WORD_EDGES[1:], 0), strict=True):
        for other in (length, next_length):
            sides = prediction, reference = [rng.integers(0, n_types, n) for n in (length, other)]
            n_shared = min(length, other) // 2
            reference[other - n_shared :] = prediction[:n_shared]
            pairs.append([in_sentences(rng, side, max_sentences) for side in sides])
    return tuple(map(list, zip(*pairs, strict=True)))


def random_documents(rng, n_types, n_documents):
    """Return short documents of several sentences; each side has ids that the other lacks."""
    predictions, references = (
        random_texts(rng, rng.integers(0, 25, n_documents), n_types, max_sentences=5)
        for _ in range(2)
    )
    shift = rng.integers(0, n_types, n_documents).tolist()
    return predictions, [
        [[token + k for token in sentence] for sentence in text]
        for text, k in zip(references, shift, strict=True)
    ]


def edited_documents(rng, n_types, n_documents):
    """Return predictions and references of which some sentences are equal, in other places and
    several times, and others begin or end alike.
    """

    def edited(sentence):
        start, end = sorted(rng.integers(0, len(sentence) + 1, 2).tolist())
        new = rng.integers(0, n_types + 2, rng.integers(0, 4)).tolist()
        return [sentence, sentence[:start] + new + sentence[end:]][rng.integers(2)]

    references = random_texts(rng, rng.integers(0, 60, n_documents), n_types, max_sentences=5)
    predictions = [
        [edited(text[k]) for k in rng.integers(0, len(text), rng.integers(0, 6))]
        for text in references
    ]
    return predictions, references


def together(*corpora):
    """Return the predictions of some corpora, and their references."""
    return tuple(map(joined, zip(*corpora, strict=True)))


def joined(lists):
    """Return the tokens of a text without its sentences."""
    return [token for tokens in lists for token in tokens]


def expected_matches(units, predictions, references, cross_sentences):
    """Return the clipped matches of each prediction and its references."""

    def units_of(text):
        parts = [joined(text)] if cross_sentences else text
        return [unit for part in parts for unit in units(part)]

    return [
        plain.clipped_matches(units_of(text), *map(units_of, texts))
        for text, texts in zip(predictions, references, strict=True)
    ]


def as_tokens(texts):
    """Return texts as the kernels take them."""
    sentences, first_sentence = flatten_with_offsets(texts)
    values, ends = flatten_with_offsets(sentences)
    ids = Ragged(np.array(values, dtype=np.int64), ends[first_sentence])
    sentence_of_token = np.repeat(np.arange(len(sentences)), np.diff(ends))
    return Tokens(ids, lambda: sentence_of_token, max(values, default=-1) + 1)


def as_shared(predictions, references, example_of_reference=None):
    """Return both sides as the kernels take them."""
    return number_tokens(as_tokens(predictions), as_tokens(references), example_of_reference)


def as_pairs(predictions, references):
    """Return texts of one sentence as the kernels take them."""
    return as_shared(*([[text] for text in side] for side in (predictions, references)))


def record(monkeypatch, module, *names):
    """Return a set that gets the names of those functions of a module that are called."""
    called = set()

    def recording(name, function):
        return lambda *given, **named: called.add(name) or function(*given, **named)

    for name in names:
        monkeypatch.setattr(module, name, recording(name, getattr(module, name)))
    return called
