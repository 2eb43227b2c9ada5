"""Columns of random token ids, as kernels take them, and results of the textbook functions.

A text is a list of sentences, each a list of ids.
"""

import numpy as np

from rouge_bleu import plain
from rouge_bleu.arrays import Ragged, flattened
from rouge_bleu.tokens import Tokens, shared_tokens

# --- expected numbers -----------------------------------------------------------------------------


def expected_pair_matches(units, predictions, references, *, cross_sentences=True):
    """Return the clipped matches of each pair; `units` lists the units of a list of tokens."""

    def units_of(text):
        parts = [joined(text)] if cross_sentences else text
        return [unit for part in parts for unit in units(part)]

    pairs = zip(predictions, references, strict=True)
    return [plain.clipped_matches(*map(units_of, pair)) for pair in pairs]


def lcs_positions(prediction, reference):
    """Return the positions of the reference that one LCS takes, a set."""
    return {j for _, j in plain.lcs_pairs(prediction, reference)}


def best_sentence_lcs_lengths(prediction, reference):
    """Return the numbers of tokens of the best sentences, of the prediction and of the reference."""
    return tuple(map(len, plain.best_sentences(prediction, reference)))


def weighted_lcs_positions(prediction, reference, f):
    """Return the positions of the reference on the traceback of the weighted table, a set."""
    return {j for _, j in plain.weighted_lcs_pairs(prediction, reference, f)}


def wlcs_score(prediction, reference, weight):
    return plain.rouge_w(prediction, reference, weight).matches


# --- columns of token ids -------------------------------------------------------------------------

EDGE_LENGTHS = (0, 1, 63, 64, 65, 129)  # around the word of 64 bits
WORD_EDGES = (0, 1, 63, 64, 65, 127, 128, 129, 512, 513)  # around one word, two and eight
VOCABULARIES = (1, 2, 5, 40, 10**6)


def random_texts(rng, lengths, n_types, max_sentences=1):
    """Return a text for each length: a list of at most `max_sentences` sentences, possibly empty,
    of ids below `n_types`.
    """
    texts = []
    for length in lengths:
        ends = np.sort(rng.integers(0, length + 1, rng.integers(0, max_sentences)))
        texts.append(
            [sentence.tolist() for sentence in np.split(rng.integers(0, n_types, length), ends)]
        )
    return texts


def random_pairs(rng, n_types, max_sentences=1, n_short=60):
    """Return predictions and references: each edge length with each, and short texts of mixed
    lengths.
    """
    edges = np.array([(p, r) for p in EDGE_LENGTHS for r in EDGE_LENGTHS])
    lengths = np.concatenate([edges, rng.integers(0, 14, (n_short, 2))])
    return tuple(
        random_texts(rng, side, n_types, max_sentences) for side in rng.permutation(lengths).T
    )


def random_documents(rng, n_types, n_documents):
    """Return short documents of several sentences; the vocabularies of both sides overlap, so that
    tokens which the other side lacks lie between.
    """
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


def word_edge_pairs(seed, n_types, max_sentences=1):
    """Return predictions and references of lengths around whole words: each length with itself and
    with the one that follows it. Half of each reference is a part of its prediction.
    """
    rng = np.random.default_rng(seed)
    predictions, references = [], []
    for index, length in enumerate(WORD_EDGES):
        for shift in range(2):
            other = WORD_EDGES[(index + shift) % len(WORD_EDGES)]
            prediction, reference = (rng.integers(0, n_types, n) for n in (length, other))
            shared = min(length, other) // 2
            reference[other - shared :] = prediction[:shared]
            for texts, tokens in ((predictions, prediction), (references, reference)):
                ends = np.sort(rng.integers(0, len(tokens) + 1, rng.integers(0, max_sentences)))
                texts.append([part.tolist() for part in np.split(tokens, ends)])
    return predictions, references


def joined(sentences):
    """Return the tokens of a text without its sentences."""
    return [token for sentence in sentences for token in sentence]


def as_tokens(texts):
    """Return texts, each a list of sentences of ids, as the kernels take them."""
    sentences, first_sentence = flattened(texts)
    values, sentence_offsets = flattened(sentences)
    sentence = np.repeat(np.arange(len(sentences)), np.diff(sentence_offsets))
    n_types = max(values, default=-1) + 1
    return Tokens(
        Ragged(np.array(values, dtype=np.int64), sentence_offsets[first_sentence]),
        sentence,
        n_types,
    )


def as_shared(predictions, references, item_of_reference=None):
    """Return both sides as the kernels take them."""
    return shared_tokens(as_tokens(predictions), as_tokens(references), item_of_reference)


def recording(kernel, name, taken):
    """Return the kernel as a function that notes its name when it is called."""

    def recorded(*arguments):
        taken.add(name)
        return kernel(*arguments)

    return recorded
