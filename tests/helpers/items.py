"""Ten examples, and helpers for tests that add and compute them."""

import copy

# Ten different items, one reference each, and several.
PREDICTIONS = [
    f"the cat {word} sat on the mat" + " again" * (i % 3)
    for i, word in enumerate("a b c d e f g h i j".split())
]
PREDICTIONS[4] = ""
REFERENCES = [f"the {word} cat sat on a mat again" for word in "a x c x e x g x i x".split()]
RAGGED = [
    [reference, *PREDICTIONS[i + 1 : i + 1 + i % 3]] for i, reference in enumerate(REFERENCES)
]


def expected(metric, predictions=PREDICTIONS, references=REFERENCES):
    """Return the result of one call with everything, from a separate object."""
    fresh = copy.copy(metric)
    fresh.__init__(cache_dir=metric._data_dir_root)
    return fresh.compute(predictions=list(predictions), references=list(references))


def boom(text):
    raise ArithmeticError(text)
