"""Command lines of ROUGE-1.5.5.pl, and the output of the Perl script."""

import shlex

import pytest

from helpers.rouge.rouge155_script import (
    EXCEPTIONS,
    GOLDEN,
    assert_averages,
    assert_documents,
    corpus_of,
    expected_averages,
    has_counts,
)
from rouge_bleu._rouge.options import RougeOptions
from rouge_bleu._rouge.scorer import rouge
from rouge_bleu.options import checked_options
from rouge_bleu.text.stemming import rouge155_stemmer

# The words of the golden texts, and the stubs that -b leaves of them, that are in the stop list of
# the SMART system, by the figures that the script printed with -s.
STOPWORDS = set(
    """a again an and at b best better but by c co d e f for from g go goes going gone had has i in
    is it known not of off on one s t take than that the they this to took u useful was well went
    were with x y k l o r th us v we""".split()
)


def options_of(case, **options):
    line = shlex.join(["ROUGE-1.5.5.pl", *case["options"], "-a", "settings.xml"])
    return checked_options(RougeOptions, {"preset": line, **options})


def beside(case):
    """What goes with the line of a run: lists that are not shipped, names of documents."""
    options = {"document_order": {"padded": "input", "plain": "string"}[case["ids"]]}
    if "-m" in case["options"]:
        options["stemmer"] = rouge155_stemmer(EXCEPTIONS)
    if "-s" in case["options"]:
        options["stopwords"] = STOPWORDS
    return options


@pytest.mark.parametrize("case", GOLDEN["cases"], ids=lambda case: case["name"])
def test_the_line_of_a_run_gives_its_figures(case):
    corpus = corpus_of(case)
    if "expected_error" in case:
        with pytest.raises(
            ValueError,
            match=r"references\[0\]\[0\] has no tokens.* ROUGE-(N|L|Lsum|W|S|SU) .* divides by zero: leave",
        ):
            rouge(corpus, options_of(case))
        return
    given = beside(case)
    averages = rouge(corpus, options_of(case, **given))
    assert_averages(averages, case)
    assert len(averages) == len(list(expected_averages(case)))
    types = list(dict.fromkeys(key.split("_")[0] for key in averages))
    assert types == [f"rouge{name.removeprefix('ROUGE-')}" for name in case["expected"]]
    if has_counts(case):
        assert not any(key.endswith("_low") for key in averages) or "1" in case["options"]
    assert_documents(rouge(corpus, options_of(case, **given, use_aggregator=False)), case)


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
