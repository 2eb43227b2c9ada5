"""The preset "rouge-1.5.5" against figures printed by the Perl script."""

import re

import pytest

from helpers.rouge.perl import (
    EXCEPTIONS,
    GOLDEN,
    assert_averages,
    assert_documents,
    corpus_of,
    expected_documents,
    rouge_options,
)
from rouge_bleu.options.checked import checked_options
from rouge_bleu.rouge.options.checked import RougeOptions
from rouge_bleu.rouge.scorer import rouge
from rouge_bleu.text.stemming import rouge155_stemmer

CASES = [
    case for case in GOLDEN["cases"] if "-s" not in case["options"]
]  # the built-in stop list cannot be shipped
UNSTEMMED = [case for case in CASES if "-m" not in case["options"]]
STEMMED = [case for case in CASES if "-m" in case["options"]]


@pytest.mark.parametrize(
    "case", [case for case in UNSTEMMED if "expected" in case], ids=lambda case: case["name"]
)
def test_figures_equal_the_printed_ones(case):
    assert_documents(rouge(corpus_of(case), rouge_options(case, use_aggregator=False)), case)
    assert_averages(rouge(corpus_of(case), rouge_options(case)), case)


@pytest.mark.parametrize("case", STEMMED, ids=lambda case: case["name"])
def test_stemmed_figures_equal_the_printed_ones_with_the_exceptions_of_the_texts(case):
    options = {"stemmer": rouge155_stemmer(EXCEPTIONS)}
    assert_documents(
        rouge(corpus_of(case), rouge_options(case, use_aggregator=False, **options)), case
    )
    assert_averages(rouge(corpus_of(case), rouge_options(case, **options)), case)


@pytest.mark.parametrize("case", STEMMED, ids=lambda case: case["name"])
def test_stemmed_documents_without_exceptions_need_no_table(case):
    corpus = corpus_of(case)
    result = rouge(corpus, rouge_options(case, use_aggregator=False, stemmer=rouge155_stemmer()))
    texts = [
        " ".join([prediction, *references])
        for prediction, references in zip(
            corpus.predictions, corpus.references_of_items, strict=True
        )
    ]
    plain = [
        item
        for item, text in enumerate(texts)
        if EXCEPTIONS.keys().isdisjoint(re.findall("[a-z0-9]+", text.lower()))
    ]
    assert (
        len(plain) == 6
    )  # of the 40 documents of the corpus "main", to which all stemmed cases belong
    for key, column in expected_documents(case):
        assert [result[key][item] for item in plain] == pytest.approx(
            [column[item] for item in plain], rel=1e-13
        )


def test_an_empty_reference_is_an_error_in_w_where_the_script_divides_by_zero():
    (case,) = [case for case in CASES if "expected_error" in case]
    with pytest.raises(ValueError, match=r"references\[0\]\[0\] has no tokens"):
        rouge(corpus_of(case), rouge_options(case))


def test_every_case_is_in_one_of_the_tests():
    with_stop_list = [case for case in GOLDEN["cases"] if "-s" in case["options"]]
    assert len(GOLDEN["cases"]) == 52
    assert len(UNSTEMMED) + len(STEMMED) + len(with_stop_list) == 52


@pytest.mark.parametrize(
    "options",
    [
        {"use_aggregator": False, "confidence_level": 0.95},
        {"use_aggregator": False, "n_resamples": 10},
        {"corpus_average": "counts", "confidence_level": 0.95},
        {"corpus_average": "counts", "output": "recall"},
        {"corpus_average": "tokens", "use_aggregator": False, "output": "fmeasure"},
    ],
)
def test_options_without_effect_are_refused(options):
    with pytest.raises(ValueError, match=r"^(confidence_level|n_resamples|output) "):
        checked_options(RougeOptions, {"preset": "rouge-1.5.5", **options})
