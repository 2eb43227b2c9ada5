"""Small texts of token ids, as functions of positions take them."""

import numpy as np
from hypothesis import strategies as st

from helpers import oracles
from rouge_bleu.spans.ngrams import IdsOfText
from rouge_bleu.tokens import UNSHARED

sentences = st.lists(st.lists(st.integers(0, 3), max_size=8), max_size=3)


def ids_of_text(text):
    """A text of sentences of ids as the functions take it; None is a token that is in no other."""
    ids = [UNSHARED if token is None else token for token in oracles.joined(text)]
    sentence = [number for number, tokens in enumerate(text) for _ in tokens]
    return IdsOfText(np.array(ids, dtype=np.int64), np.array(sentence, dtype=np.int64))
