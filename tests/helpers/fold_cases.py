"""Sets of options under which batches fold, a corpus, and ways to cut it into batches."""

import math
from itertools import pairwise

import numpy as np
import pyarrow as pa

from helpers.rouge.corpora import random_corpus

TYPES = ["rouge1", "rouge3", "rougeL", "rougeLsum", "rougeW", "rougeS4", "rougeSU"]
ROUGE_CASES = [
    {},
    {"rouge_types": TYPES, "output": "all", "summary_lcs": "best", "multi_reference": "average"},
    {"rouge_types": ["rouge3", "rougeS"], "zero_division": math.nan, "use_stemmer": True},
    {"preset": "rouge_score", "tokenizer": str.split},
    *({"preset": "matlab", "rouge_types": ["rouge1", "rouge4"]}, {"preset": "pltrdy"}),
    *({"preset": "pyrouge-metric", "output": "fmeasure"}, {"preset": "torchmetrics"}),
    {"rouge_types": TYPES, "output": "all", "multi_reference": "separate"},
    {"rouge_types": ["rouge1", "rougeLsum"], "multi_reference": "recall"},
    # Those that count in a way of their own.
    *({"preset": preset} for preset in ("coco-caption", "py-rouge", "xlsum", "nmt", "rouge-2.0")),
]
BLEU_CASES = [
    {"level": "sentence", "smoothing": "exp", "weights": {"a": [1], "b": [1, 1]}},
    {"level": "sentence", "multi_reference": "best", "output": "flat", "preset": "sacrebleu"},
    *({"level": "sentence", "reference_length": "average", "zero_division": math.nan}, {}),
    {"tokenizer": "whitespace", "smooth": True, "output": "flat"},
    {"smoothing": "chen-cherry-5", "lowercase": True},
    {"preset": "nltk", "smoothing": "chen-cherry-7", "max_order": 5},
    *({"preset": "matlab", "weights": [1, 2, 3]}, {"preset": "sacrebleu"}),
    {"preset": "evaluate", "reference_length": "average"},
    {"preset": "torchmetrics", "smooth": True},
    {"weights": {"bleu1": [1], "bleu4": [1] * 4}, "smoothing": "exp"},
    {"effective_order": True, "max_order": 9, "output": "score"},
    # Those that have a formula of their own, or counts.
    *({"preset": preset} for preset in ("coco-caption", "codexglue", "mteval-v13a.pl", "fairseq")),
    {"preset": "nltk-3.2.5"},
]
CASES = [
    *(("rouge_full", options) for options in ROUGE_CASES),
    *(("bleu_full", options) for options in BLEU_CASES),
]

N_ITEMS = 60


def corpus(n_items=N_ITEMS, seed=7):
    predictions, references = random_corpus(np.random.default_rng(seed), n_items, 14, 3)
    return {"predictions": predictions, "references": references}


def table(data, ids=None):
    """The data as a table with ids, which are strings unless others are given."""
    n_items = len(data["predictions"])
    ids = [f"document {number}" for number in range(n_items)] if ids is None else ids
    return pa.table({**data, "id": ids})


def partitions(rows, rng, n_parts=6):
    """Cut a table at random into batches, some of them empty or of one row, in any order."""
    cuts = np.sort(rng.integers(0, rows.num_rows + 1, n_parts))
    bounds = [0, 0, 1, *np.maximum(cuts, 1).tolist(), rows.num_rows]
    parts = [rows.slice(first, end - first) for first, end in pairwise(bounds)]
    return [parts[number] for number in rng.permutation(len(parts))]
