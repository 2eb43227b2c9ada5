"""Ten items, and helpers of the tests that add and compute them."""

import copy
import pickle
from pathlib import Path

import dill

NAMES = ["rouge_full", "bleu_full"]

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
OPTIONS = {
    "rouge_full": {"rouge_types": ["rouge1", "rougeLsum", "rougeSU4"], "output": "all"},
    "bleu_full": {"max_order": 3},
}

# Each way to copy an object.
COPIES = {
    "pickle": lambda metric: pickle.loads(pickle.dumps(metric)),
    "dill": lambda metric: dill.loads(dill.dumps(metric)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}


def files_of(metric):
    return sorted(path.name for path in Path(metric.data_dir).rglob("*.arrow"))


def expected(metric, predictions=PREDICTIONS, references=REFERENCES):
    """Return the result of one call with everything, from a separate object."""
    fresh = copy.copy(metric)
    fresh.__init__(cache_dir=metric._data_dir_root)
    return fresh.compute(predictions=list(predictions), references=list(references))


def boom(text):
    raise ArithmeticError(text)
