"""What numpy is told to do about overflow, underflow and division changes nothing.

`np.seterr(all="raise")` is common where models are debugged. Scores go down to 1e-300 and NaN, so
that a step which is not guarded would raise.
"""

import math
from itertools import product

import numpy as np
import pytest

from rouge_bleu.bleu.brevity import REFERENCE_LENGTHS
from rouge_bleu.bleu.options import BLEU_PRESETS
from rouge_bleu.bleu.smoothing import SMOOTHINGS
from rouge_bleu.rouge.measures.scores import MULTI_REFERENCES
from rouge_bleu.rouge.options.presets import ROUGE_PRESETS

LONG = " ".join(map(str, range(2000)))
CORPORA = {
    "all kinds": (
        ["the cat sat on a mat", "", "a", "x y z", "a b c d e f", "a b"],
        [["the cat sat on the mat"], ["a", ""], [""], ["a b", "x"], ["a b c d e f"], ["a b", ""]],
    ),
    "nothing at all": ([""], [["", ""]]),
    "nothing in the prediction": (["", ""], ["a b c", "a"]),
    "nothing in the reference": (["a b c", "a"], ["", ""]),
    "a penalty of exp(-1999)": (["0"], [LONG]),
    "nothing in common": (["a b c d e"], ["f g h i j"]),
}
TINY = {"smoothing": "floor", "smoothing_value": 5e-324}

BLEU_CASES = [
    *({"preset": preset} for preset in (None, *BLEU_PRESETS)),
    *({"smoothing": smoothing} for smoothing in SMOOTHINGS),
    *({"smoothing": smoothing, "preset": "nltk"} for smoothing in SMOOTHINGS),
    *({"reference_length": name} for name in REFERENCE_LENGTHS),
    {"smooth": True},
    {"smooth": True, "effective_order": True},
    {"zero_division": math.nan},
    {"weights": [1, 1e-300, 5e-324]},
    {"weights": [1e308, 1e308]},
    {"weights": [300.0, 300.0], "preset": "nltk"},
    {"weights": {"a": [1], "b": [0, 0, 1]}, "effective_order": True},
    {"max_order": 1000},
    TINY,
    {**TINY, "max_order": 40},
    {"smoothing": "exp", "max_order": 1000},  # 0.5 ** 1000 over the n-grams
    {"smoothing": "add-k", "smoothing_value": 1e308},
    {"smoothing": "add-k", "smoothing_value": 5e-324},
    {"smoothing": "add-k", "smoothing_value": 0},
]
ROUGE_CASES = [
    *({"preset": preset} for preset in (None, *ROUGE_PRESETS)),
    *(
        {"multi_reference": choice, "zero_division": zero}
        for choice, zero in product(MULTI_REFERENCES, (0.0, math.nan))
    ),
    *({"beta": beta} for beta in (0, 5e-324, 1e-200, 1e-160, 1e140, 1e160, 1e308, math.inf)),
    {"rouge_types": ["rougeW-20", "rougeW-1", "rouge1000", "rougeS", "rougeSU*"]},
    {"preset": "rouge-1.5.5", "rouge_types": ["rougeW-0.001", "rougeW-20", "rougeS", "rougeSU"]},
    {"preset": "rouge-1.5.5", "confidence_level": 0.95, "n_resamples": 3},
    {"preset": "rouge-1.5.5", "corpus_average": "tokens", "n_resamples": 3},
    {"preset": "rouge-1.5.5", "corpus_average": "counts"},
    {"summary_lcs": "best", "cross_sentences": False},
]


def outcome(metric, corpus, options):
    """Return the result, or the error."""
    predictions, references = corpus
    try:
        return repr(metric.compute(predictions=predictions, references=references, **options))
    except ValueError as error:  # an empty reference, where the Perl script divides by zero
        return str(error)


@pytest.mark.parametrize("corpus", CORPORA.values(), ids=CORPORA)
@pytest.mark.parametrize(
    ("name", "options"),
    [
        *(("bleu_full", case) for case in BLEU_CASES),
        *(("rouge_full", case) for case in ROUGE_CASES),
    ],
    ids=lambda value: repr(value) if isinstance(value, dict) else value,
)
def test_numpy_may_be_set_to_raise(request, name, options, corpus):
    metric = request.getfixturevalue(name)
    for use_aggregator in (True, False):
        with np.errstate(all="ignore"):
            expected = outcome(metric, corpus, {**options, "use_aggregator": use_aggregator})
        with np.errstate(all="raise"):
            result = outcome(metric, corpus, {**options, "use_aggregator": use_aggregator})
        assert result == expected
