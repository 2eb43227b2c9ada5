"""Random sets of options of both metrics, corpora on which they differ, and their scores."""

import math
import re

import numpy as np
from hypothesis import strategies as st

from rouge_bleu._rouge.rules import MULTI_REFERENCES
from rouge_bleu.rouge_types import type_of_name

STOPWORDS = ["the", "of"]
# ROUGE-1.5.5 takes no empty reference with rougeW.
CORPORA = {
    "one reference": {
        "predictions": [
            "The cat of Anna sat here. It purred!\nThe dog's end-\n of the day",
            *("no word of this is there", "a", "", "b b-\n"),
            "It is 3.5 o'clock. Running runners ran\n\nthe cat sat the cat",
        ],
        "references": [
            "the cat of anna sat there. it slept!\nThe dogs of the day",
            *("nothing", "a b", "", ""),
            "It is 3.5 o'clock: runner ran\nthe cats sat. The cat",
        ],
    },
    "several references": {
        "predictions": ["The cat sat on a mat. It purred", "a b c d e f", "x"],
        "references": [
            ["the cat sat on the mat\nIt purred and purred", "A cat. The mat", "the"],
            ["a c b e d f", "d e f\na b c"],
            ["x y", "z.", "z"],
        ],
    },
    "tokens": {
        "predictions": ["The cat sat the cat".split(), ["a\nb", "c"], []],
        "references": [["the cat sits the cat".split(), ["cat", "The"]], [["a\nb", "d"]], [["e"]]],
    },
}


def halves(text):
    """As tokenizer and as sentence splitter."""
    return re.findall(r"\S+ ?\S*", text)


def first_letters(token):
    return token[:2]


def swaps(table):
    """Return dicts with some of the options of a table and one of their values each."""
    return st.fixed_dictionaries(
        {}, optional={option: st.sampled_from(values) for option, values in table.items()}
    )


# What differs in words only stands side by side.
ROUGE_VALUES = {
    "rouge_types": (
        *(None, ["rouge1"], ["rouge2", "rouge1"], ["rouge1", "rouge2", "rouge2"]),
        *(["rougeL"], ["rougeLsum", "rougeL"], ["rougeW"], ["rougeW-1.2"], ["rougeW-1.20"]),
        *(["rougeS*"], ["rougeS"], ["rougeS", "rougeS*", "rouge1"], ["rougeSU4", "rougeS0"]),
    ),
    "use_aggregator": (True, False),
    "use_stemmer": (True, False),
    "tokenizer": (None, "rouge_score", "rouge-1.5.5", "13a", "unicode", "intl", halves),
    "output": ("fmeasure", "precision", "recall", "all"),
    "beta": (1, 1.0, 0, -0.0, 1e-200, 2, 0.1, math.inf, 1e200),
    "multi_reference": tuple(MULTI_REFERENCES),
    "lowercase": (None, True, False),
    "stemmer": (None, first_letters, "german"),
    "language": (None, "burmese"),
    "stopwords": (None, [], STOPWORDS, STOPWORDS[::-1], {"cat"}),
    "max_words": (None, 2, 3),
    "max_bytes": (None, 9, 1000),
    "sentence_splitter": ("newline", "sentences", halves),
    "cross_sentences": (True, False),
    "summary_lcs": ("union", "best"),
    "zero_division": (0, np.float64(0.0), math.nan),
    "n_jobs": (1, 2),
    "preset": (
        *(None, "rouge_score", "evaluate", "rouge-1.5.5", "matlab", "torchmetrics"),
        *("pltrdy", "rouge-chinese", "pyrouge-metric", "coco-caption", "xlsum", "py-rouge", "nmt"),
        *("ignite", "sumeval"),
        *("ROUGE-1.5.5.pl -n 2 -m -c 90 -r 7", "rouge-1.5.5 -n 1 -x -l 3 -t 1"),
    ),
    "seed": (None, 0, 5),
    "corpus_average": ("documents", "tokens", "counts"),
    "document_order": ("input", "string"),
    "confidence_level": (None, 0.9),
    "n_resamples": (1000, 7),
    "paired_test": ("randomization", "bootstrap"),
}
THREE = 0.1 + 0.2
BLEU_VALUES = {
    "tokenizer": ("13a", "rouge_score", "unicode", "intl", halves),
    "max_order": (None, 1, np.int64(2), 3),
    "smooth": (True, False),
    "weights": (
        *(None, [1, 1], [0.5, 0.5], {"bleu": [3, 3]}, [1, 0], [2, 1, 0, 0]),
        *([0.4, 0.3, 0.3], [4, 3, 3], [THREE, 0.1, 7], [1, 1, 1], [1e-300, 1e300], [-0.0, 1]),
        *({"a": [1], "b": [1, 1]}, {"b": [2, 2], "a": [1]}, {"a, b|c": [1, 2], "": [1]}),
    ),
    "smoothing": (
        *("none", "floor", "add-k", "exp"),
        *("chen-cherry-4", "chen-cherry-5", "chen-cherry-6", "chen-cherry-7"),
    ),
    "smoothing_value": (None, 0, 0.1, 1, 0.3),
    "effective_order": (None, True, False),
    "reference_length": ("closest", "shortest", "average"),
    "multi_reference": ("clip", "best"),
    "lowercase": (True, False),
    "zero_division": (0, np.float64(0.0), math.nan),
    "use_aggregator": (True, False),
    "level": ("corpus", "sentence"),
    "output": ("all", "score"),
    "n_jobs": (1, 2),
    "preset": (
        *(None, "sacrebleu", "evaluate", "nltk", "matlab", "torchmetrics", "coco-caption"),
        *("codexglue", "nltk-3.2.5", "nltk-3.5", "fairseq", "ignite", "multi-bleu.perl -lc"),
        "mteval-v13a.pl -c",
        "nrefs:var|case:lc|eff:yes|tok:13a|smooth:floor[0.10]|version:2.3.1",
    ),
    "seed": (None, 0, 5),
    "confidence_level": (None, 0.9),
    "n_resamples": (1000, 7),
    "paired_test": ("randomization", "bootstrap"),
}
VALUES = {"rouge_full": ROUGE_VALUES, "bleu_full": BLEU_VALUES}
OPTION_SETS = {name: swaps(table) for name, table in VALUES.items()}


def scores_of(result):
    """Return the scores of a result, under one name for each measure; BLEU's parts are no scores."""
    parts = ("precisions", "brevity_penalty", "length_ratio", "counts", "totals", "signature")
    parts += ("translation_length", "reference_length")
    scores = []
    for key, value in result.items():
        if key in parts:
            continue
        name, underscore, rest = key.partition("_")
        measure = type_of_name(name)
        known = f"{measure}{underscore}{rest}" if measure else key
        scores.append((known, repr(value)))
    return sorted(scores)
