"""Options that are refused: the call, the type of the error, and what its message names."""

import math

import numpy as np
import pytest

from rouge_bleu import bleu, rouge

ROUGE, BLEU = "rouge", "bleu"
PERL = {"preset": "rouge-1.5.5"}
# The functions, options, the type of the error, and words of its message.
BAD_OPTIONS = [
    # --- of both
    (f"{ROUGE} {BLEU}", {"tokeniser": "13a"}, TypeError, "'tokenizer'"),
    (f"{ROUGE} {BLEU}", {"use_agregator": True}, TypeError, "'use_aggregator'"),
    (f"{ROUGE} {BLEU}", {"Zero_division": 0}, TypeError, "'zero_division'"),
    (f"{ROUGE} {BLEU}", {"frobnicate": 1}, TypeError, "confidence_level"),  # all are listed
    *[
        (f"{ROUGE} {BLEU}", {"use_aggregator": x}, TypeError, "use_aggregator")
        for x in (None, "no")
    ],
    *[(f"{ROUGE} {BLEU}", {"lowercase": x}, TypeError, "lowercase") for x in ("yes", 1, 0)],
    *[(f"{ROUGE} {BLEU}", {"tokenizer": x}, TypeError, "tokenizer") for x in (13, ["13a"])],
    *[
        (f"{ROUGE} {BLEU}", {"tokenizer": x}, TypeError, "tokenizer must return a list of strings")
        for x in (str.encode, str.lower, lambda text: None, lambda text: ["a", 1])
    ],
    (f"{ROUGE} {BLEU}", {"tokenizer": "no such one"}, ValueError, "'unicode'"),
    (f"{ROUGE} {BLEU}", {"tokenizer": "white-space"}, ValueError, "Did you mean 'whitespace'"),
    *[
        (f"{ROUGE} {BLEU}", {"zero_division": x}, ValueError, "zero_division")
        for x in (1, "nan", None, False)
    ],
    *[(f"{ROUGE} {BLEU}", {"n_jobs": x}, ValueError, "n_jobs") for x in (0, 1.0, "2", None, True)],
    *[
        (f"{ROUGE} {BLEU}", {"seed": x}, ValueError, "seed must be")
        for x in (-1, 1.0, "1", True, 2**32)
    ],
    *[
        (f"{ROUGE} {BLEU}", {"n_resamples": x}, ValueError, "n_resamples")
        for x in (0, 1.5, None, 10**6 + 1)
    ],
    *[
        (f"{ROUGE} {BLEU}", {"confidence_level": x}, ValueError, "confidence_level")
        for x in (95, 1.0, 0.0, "0.95", math.nan)
    ],
    (f"{ROUGE} {BLEU}", {"paired_test": "t"}, ValueError, "paired_test"),
    (
        f"{ROUGE} {BLEU}",
        {"use_aggregator": False, "confidence_level": 0.9},
        ValueError,
        "confidence_level needs",
    ),
    (f"{ROUGE} {BLEU}", {"preset": "rouge_full|0.3.0|refs:1"}, ValueError, "preset"),
    (f"{ROUGE} {BLEU}", {"preset": ""}, ValueError, "preset"),
    (f"{ROUGE} {BLEU}", {"preset": ["matlab"]}, ValueError, "preset"),
    (f"{ROUGE} {BLEU}", {"preset": "Evaluate!"}, ValueError, "Did you mean 'evaluate'"),
    # --- of rouge
    *[(ROUGE, {"rouge_types": x}, TypeError, "rouge_types") for x in (1, b"rouge1", {"rouge1"})],
    (ROUGE, {"rouge_types": "rouge1,rouge2"}, TypeError, "['rouge1', 'rouge2']"),
    (ROUGE, {"rouge_types": []}, ValueError, "rouge_types"),
    *[
        (ROUGE, {"rouge_types": ["rouge1", name]}, ValueError, f"Did you mean {meant!r}")
        for name, meant in {
            **{
                "ROUGE-1": "rouge1",
                "rouge_2": "rouge2",
                "rougel": "rougeL",
                "ROUGE-SU4": "rougeSU4",
            },
            **{"rougeLSum": "rougeLsum", "ROUGE-S4": "rougeS4", "rougeW1.2": "rougeW-1.2"},
        }.items()
    ],
    *[
        (ROUGE, {"rouge_types": ["rouge1", name]}, ValueError, "rouge_types[1] must be")
        for name in (
            *("", "rouge", "rouge0", "rouge01", "rouge1.5", "rouge²", "rouge1\n", "rougeW-1e1"),
            *("rougeS-1", "rougeS**", None, 1, b"rouge1", ["rouge1"]),
        )
    ],
    *[
        (ROUGE, {"rouge_types": [name]}, ValueError, "rouge_types[0] must have a weight")
        for name in ("rougeW-0.5", "rougeW-0", "rougeW-20.5", "rougeW-" + "9" * 400)
    ],
    (ROUGE, {"rouge_types": ["rouge1001"]}, ValueError, "an order of at most 1000"),
    *[(ROUGE, {"use_stemmer": x}, TypeError, "use_stemmer") for x in (1, "porter")],
    *[
        (ROUGE, {"stemmer": x}, ValueError, "Did you mean use_stemmer=True")
        for x in ("porter", True)
    ],
    *[(ROUGE, {"stemmer": x}, ValueError, "'german'") for x in ("klingon", "hindi", "")],
    (ROUGE, {"stemmer": 1}, TypeError, "stemmer"),
    *[
        (ROUGE, {"stemmer": lambda token, x=x: x}, TypeError, "stemmer")
        for x in (None, b"a", ["a"])
    ],
    (ROUGE, {"stemmer": str.lower, "use_stemmer": True}, ValueError, "stemmer and use_stemmer"),
    *[
        (ROUGE, {"stopwords": x}, TypeError, "stopwords")
        for x in ("english", 3, ["the", 3], [None])
    ],
    *[(ROUGE, {"output": x}, ValueError, "output") for x in ("f", None, ["precision"])],
    *[(ROUGE, {"beta": x}, ValueError, "beta") for x in (-1, -math.inf, math.nan, "2", None, True)],
    *[
        (ROUGE, {name: x}, ValueError, name)
        for name in ("max_words", "max_bytes")
        for x in (0, -1, 1.5, "3", True, math.inf, 2**31)
    ],
    *[
        (ROUGE, {"sentence_splitter": x}, ValueError, "sentence_splitter")
        for x in (None, 3, "line")
    ],
    *[
        (ROUGE, {"multi_reference": x}, ValueError, "multi_reference")
        for x in ("mean", None, ["best"])
    ],
    (ROUGE, {"summary_lcs": "worst"}, ValueError, "summary_lcs"),
    *[
        (ROUGE, {"preset": "xlsum", "language": x}, ValueError, "language")
        for x in ("klingon", "ha")
    ],
    (ROUGE, {"language": "german"}, ValueError, "preset='xlsum'"),
    *[
        (ROUGE, {"preset": "xlsum", "language": x, "use_stemmer": True}, ValueError, x)
        for x in ("hindi", "bangla")
    ],
    *[
        (ROUGE, {"preset": preset, "rouge_types": ["rouge1", name]}, ValueError, "rouge_types[1]")
        for preset in ("pltrdy", "rouge-chinese")
        for name in ("rougeLsum", "rougeW", "rougeS4", "rougeSU")
    ],
    *[
        (ROUGE, {"preset": preset, name: value}, ValueError, f"{name} must be")
        for preset, name, value in (
            ("pltrdy", "tokenizer", "unicode"),
            ("rouge-chinese", "sentence_splitter", "sentences"),
            ("pyrouge-metric", "cross_sentences", False),
            ("rouge-1.5.5", "cross_sentences", False),
            ("rouge-1.5.5", "summary_lcs", "best"),
            ("rouge-1.5.5", "zero_division", math.nan),
        )
    ],
    *[
        (ROUGE, {"preset": preset, "multi_reference": "average"}, ValueError, "multi_reference")
        for preset in ("rouge-1.5.5", "pyrouge-metric")
    ],
    *[
        (ROUGE, {"preset": preset, name: value}, ValueError, f"{name} needs preset='rouge-1.5.5'")
        for name, value in (("corpus_average", "tokens"), ("document_order", "string"))
        for preset in (None, "evaluate")
    ],
    (ROUGE, {**PERL, "max_words": 3, "max_bytes": 3}, ValueError, "max_words and max_bytes"),
    (ROUGE, {**PERL, "corpus_average": "token"}, ValueError, "Did you mean 'tokens'"),
    (ROUGE, {**PERL, "document_order": "sorted"}, ValueError, "document_order"),
    (ROUGE, {**PERL, "rouge_types": ["rougeW-0"]}, ValueError, "a weight"),
    (ROUGE, {**PERL, "corpus_average": "counts", "output": "recall"}, ValueError, "output"),
    (ROUGE, {"percent": True}, TypeError, "it takes predictions"),  # far from "preset"
    # --- of bleu
    *[(BLEU, {"max_order": x}, ValueError, "max_order") for x in (0, -1, 1.5, "4", True, 1001)],
    *[(BLEU, {"smooth": x}, TypeError, "smooth") for x in (1, "add-k")],
    (BLEU, {"effective_order": 0}, TypeError, "effective_order"),
    *[
        (BLEU, {"weights": x}, TypeError, "weights")
        for x in ("uniform", [1, "2"], [1, None], [True], [[1, 1]], 0.5, {1})
    ],
    (BLEU, {"weights": 4}, TypeError, "max_order=4"),
    (BLEU, {"weights": {"a": [1], "b": 2}}, TypeError, "weights['b']"),
    *[
        (BLEU, {"weights": x}, ValueError, "weights")
        for x in ([], [0, 0.0], [1, -1], [1, math.nan], [1, math.inf], {}, [1] * 1001)
    ],
    *[(BLEU, {"weights": {"b": x}}, ValueError, "weights['b']") for x in ([], [0])],
    *[(BLEU, {"weights": {x: [1]}}, ValueError, "as names") for x in (1, "precisions", "counts")],
    (BLEU, {"weights": {"precision_1": [1]}, "output": "flat"}, ValueError, "precision_1"),
    (BLEU, {"weights": {"signature": [1]}, "signature": True}, ValueError, "signature"),
    (BLEU, {"weights": [1, 1], "max_order": 3}, ValueError, "max_order must be 2"),
    (BLEU, {"weights": {"a": [1], "b": [1, 1]}, "max_order": 1}, ValueError, "max_order must be 2"),
    (BLEU, {"smoothing": None}, ValueError, "Did you mean 'none'"),
    (BLEU, {"smoothing": "add_k"}, ValueError, "Did you mean 'add-k'"),
    *[(BLEU, {"smoothing": x}, ValueError, "'chen-cherry-4'") for x in ("method8", True)],
    *[
        (BLEU, {"smoothing_value": 1, **options}, ValueError, "smoothing_value needs")
        for options in ({}, {"preset": "sacrebleu"}, {"smoothing": "chen-cherry-4"})
    ],
    *[
        (BLEU, {"smoothing": "floor", "smoothing_value": x}, ValueError, "smoothing_value")
        for x in (-0.1, math.inf, math.nan, "1", True)
    ],
    (BLEU, {"smooth": True, "smoothing": "floor"}, ValueError, "smoothing='floor'"),
    (BLEU, {"smooth": True, "preset": "sacrebleu"}, ValueError, "smoothing='none' turns it off"),
    *[(BLEU, {"reference_length": x}, ValueError, "reference_length") for x in ("median", None)],
    (BLEU, {"reference_length": "closst"}, ValueError, "Did you mean 'closest'"),
    *[(BLEU, {"level": x}, ValueError, "level") for x in ("item", None)],
    *[(BLEU, {"multi_reference": x}, ValueError, "multi_reference") for x in ("average", None)],
    (BLEU, {"multi_reference": "best"}, ValueError, "level='sentence'"),
    (BLEU, {"preset": "SacreBLEU"}, ValueError, "Did you mean 'sacrebleu'"),
    (BLEU, {"preset": "mteval-v13a"}, ValueError, "Did you mean 'mteval-v13a.pl'"),
]


@pytest.mark.parametrize(
    ("functions", "options", "kind", "named"),
    BAD_OPTIONS,
    ids=[f"{row[0]}-{'-'.join(row[1])}-{number}" for number, row in enumerate(BAD_OPTIONS)],
)
def test_bad_options(functions, options, kind, named):
    for function in functions.split():
        with pytest.raises(kind) as raised:
            {"rouge": rouge, "bleu": bleu}[function](["a b c"], ["a b c"], **options)
        assert named in str(raised.value)


def test_a_close_name_of_many_is_said_alone():
    """The list of 34 tokenizers would hide it."""
    with pytest.raises(ValueError, match="'unicode'") as raised:
        rouge(["a"], ["a"], tokenizer="unicod")
    assert "13a" not in str(raised.value)


def test_options_may_be_numpy_scalars():
    texts = ["a b c"], [["a b", "c b a"]]
    plain = {"use_aggregator": False, "use_stemmer": True, "beta": 2.0, "zero_division": 0.0}
    options = {name: np.asarray(value)[()] for name, value in plain.items()}
    assert rouge(*texts, **options) == rouge(*texts, **plain)
    options = {"smooth": np.True_, "max_order": np.int64(2), "zero_division": np.int64(0)}
    assert bleu(*texts, **options) == bleu(*texts, smooth=True, max_order=2, zero_division=0)


@pytest.mark.parametrize("function", [rouge, bleu])
def test_options_are_checked_before_any_work(function):
    def tokenizer(text):
        raise AssertionError("called")

    with pytest.raises(ValueError, match="zero_division"):
        function(["a"], ["a"], tokenizer=tokenizer, zero_division=2)


@pytest.mark.parametrize("function", [rouge, bleu])
def test_a_list_may_change_between_calls(function):
    name, values = ("rouge_types", ["rouge1"]) if function is rouge else ("weights", [1.0])
    first = function(["a b"], ["a c"], **{name: values})
    values.append("rouge2" if function is rouge else 1.0)
    assert function(["a b"], ["a c"], **{name: values}) != first
