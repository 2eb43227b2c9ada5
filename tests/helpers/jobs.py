"""What the tests of `n_jobs` need."""

import copy
import sys
from functools import lru_cache

import numpy as np

from helpers.texts import random_text
from rouge_bleu import parallel  # noqa: F401  so that `all_copies` has it

WORDS = "the a cat sat on mat dog ran İ Straße well-known 3.14 end. , Why?".split()

# A small corpus has many chunks, and is worth several workers, for which there are cores.
SMALL_PARTS = {
    "_CHUNK_CHARACTERS": 2000,
    "_LEAST_CHUNK_CHARACTERS": 500,
    "_LEAST_WORKER_CHARACTERS": 10,
    "_n_cores": lambda: 64,
}


def all_copies(name):
    """The module as the tests import it, and the copies that `evaluate` made of it."""
    ends = (f"rouge_bleu.{name}",)
    return [
        module
        for path, module in list(sys.modules.items())
        if path in ends or (path.startswith("evaluate_modules") and path.endswith(f".{name}"))
    ]


def modules_with(name):
    """All modules of which this is a constant or a function."""
    return [
        module
        for part in ("parallel", "corpus")
        for module in all_copies(part)
        if hasattr(module, name)
    ]


def random_corpus(n_items, seed=0):
    """Return a corpus that may be changed."""
    return copy.deepcopy(_random_corpus(n_items, seed))


@lru_cache
def _random_corpus(n_items, seed):
    rng = np.random.default_rng(seed)

    def text():
        return random_text(rng, WORDS, 0, 40)

    predictions = [text() for _ in range(n_items)]
    references = [[text() + "a" for _ in range(rng.integers(1, 4))] for _ in range(n_items)]
    return {"predictions": predictions, "references": references}
