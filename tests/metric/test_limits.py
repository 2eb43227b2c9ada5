"""What numpy is told to do about overflow, underflow and division changes nothing.

`np.seterr(all="raise")` is common where models are debugged. Scores go down to 1e-300 and NaN, so
that a step which is not guarded would raise.
"""

import math

import numpy as np
import pytest

from helpers.option_sets import VALUES
from rouge_bleu._bleu.options import BLEU_PRESETS
from rouge_bleu._bleu.smoothing import SMOOTHINGS
from rouge_bleu._rouge.presets import ROUGE_PRESETS
from rouge_bleu._rouge.scores import MULTI_REFERENCES

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
# Options that scores are computed with, each of whose values is tried, and extreme values.
COMPUTED_WITH = ("beta", "reference_length", "smooth", "summary_lcs", "weights", "zero_division")
TINY = {"smoothing": "floor", "smoothing_value": 5e-324}
CASES = {
    "bleu_full": [
        *({"preset": preset} for preset in BLEU_PRESETS),
        *({"smoothing": name} for name in SMOOTHINGS),
        *({"smoothing": name, "preset": "nltk"} for name in SMOOTHINGS),
        {"smooth": True, "effective_order": True},
        {"weights": [1, 1e-300, 5e-324]},
        {"weights": [1e308, 1e308]},
        {"weights": [300.0, 300.0], "preset": "nltk"},
        {"weights": {"a": [1], "b": [0, 0, 1]}, "effective_order": True},
        {"max_order": 1000},
        {**TINY, "max_order": 40},
        {"smoothing": "exp", "max_order": 1000},  # 0.5 ** 1000 over the n-grams
        *({"smoothing": "add-k", "smoothing_value": value} for value in (1e308, 5e-324, 0)),
    ],
    "rouge_full": [
        *({"preset": preset} for preset in ROUGE_PRESETS),
        *({"multi_reference": one, "zero_division": math.nan} for one in MULTI_REFERENCES),
        *({"beta": beta} for beta in (5e-324, 1e-160, 1e140, 1e160, 1e308)),
        {"rouge_types": ["rougeW-20", "rougeW-1", "rouge1000", "rougeS", "rougeSU*"]},
        {"preset": "rouge-1.5.5", "rouge_types": ["rougeW-0.001", "rougeW-20", "rougeS"]},
        {"preset": "rouge-1.5.5", "confidence_level": 0.95, "n_resamples": 3},
        {"preset": "rouge-1.5.5", "corpus_average": "tokens", "n_resamples": 3},
        {"preset": "rouge-1.5.5", "corpus_average": "counts"},
    ],
}
for name, table in VALUES.items():
    CASES[name] += [{option: v} for option in COMPUTED_WITH for v in table.get(option, ())]


def outcome(metric, corpus, options):
    """Return the result, or the error."""
    predictions, references = corpus
    try:
        return repr(metric.compute(predictions=predictions, references=references, **options))
    except ValueError as error:  # for an empty reference the Perl script divides by zero
        return str(error)


@pytest.mark.filterwarnings("ignore:The weights of")
@pytest.mark.parametrize("corpus", CORPORA.values(), ids=CORPORA)
@pytest.mark.parametrize(
    ("name", "options"),
    [(name, case) for name, cases in CASES.items() for case in cases],
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
