"""The rouge types, and that each of them is scored and explained under each preset."""

import pytest

from helpers.explanations import checked
from rouge_bleu._rouge.counting import DEFAULT_ROUGE_TYPES, FAMILIES, measure_of_name
from rouge_bleu._rouge.explain import rouge_explanation
from rouge_bleu._rouge.presets import ROUGE_PRESETS
from rouge_bleu._rouge.scorer import rouge
from rouge_bleu.corpus import checked_corpus

PRESETS = [None, *ROUGE_PRESETS]
TEXT = "the cat sat on a mat\nand the dog ran"


def families_of(preset):
    return [family for family in FAMILIES if family in checked(preset=preset).rules.families]


EACH = [(preset, family) for preset in PRESETS for family in families_of(preset)]


def type_of(family):
    return "rouge1" if family == "N" else f"rouge{family}"


def test_the_default_types_have_every_family():
    assert {measure_of_name(name).family for name in DEFAULT_ROUGE_TYPES} == {*FAMILIES}


@pytest.mark.parametrize("family", FAMILIES)
def test_types_name_their_family(family):
    name = type_of(family)
    measure = measure_of_name(name)
    assert measure.family == family
    assert measure_of_name(measure.name) == measure


@pytest.mark.parametrize(("preset", "family"), EACH)
def test_each_family_scores_and_explains_identical_texts(preset, family):
    """All units match: scores of 1, as many matches as units, and all words are shown.

    One word stands twice, and once where distinct words are counted. W of ROUGE-1.5.5 alone is
    below 1: it adds up sentences, and weights the length of the reference twice.
    """
    options = checked(
        preset=preset, rouge_types=[type_of(family)], output="all", use_aggregator=False
    )
    corpus = checked_corpus([TEXT], [[TEXT]])
    is_below_1 = family == "W" and preset in ("rouge-1.5.5", "pyrouge-metric")
    for (score,) in rouge(corpus, options).values():
        if is_below_1:
            assert 0.5 < score < 0.95
        else:
            assert score == pytest.approx(1, abs=1e-7)  # pltrdy adds 1e-8 below the line in F
    (explained,) = rouge_explanation(corpus, options).values()
    (entry,) = explained["references"]
    assert entry["prediction_spans"] == entry["reference_spans"]
    n_words = 9 if preset in ("nmt", "coco-caption") else 10  # a line feed is no space there
    is_n_of_sets = family == "N" and preset in ("rouge-chinese", "nmt")
    is_l_of_sets = family == "L" and preset == "rouge-2.0"
    n_words -= preset == "pltrdy" or is_n_of_sets or is_l_of_sets
    assert len(entry["prediction_spans"]) == n_words
    if family != "W":
        assert entry["matches"] == entry["prediction_total"] == entry["reference_total"]
