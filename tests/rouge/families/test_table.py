"""The records of families and conventions: whole, and each of them works by each convention."""

import dataclasses

import pytest

from helpers.explanations import checked
from rouge_bleu._rouge.conventions import CONVENTIONS
from rouge_bleu._rouge.families.table import DEFAULT_ROUGE_TYPES, FAMILIES, measure_of_name
from rouge_bleu._rouge.presets import ROUGE_PRESETS
from rouge_bleu._rouge.scorer import rouge, rouge_explanation
from rouge_bleu.corpus import checked_corpus

PRESETS = [None, *ROUGE_PRESETS]
TEXT = "the cat sat on a mat\nand the dog ran"


def families_of(preset):
    return [family for family in FAMILIES if family in checked(preset=preset).rules.families]


EACH = [(preset, family) for preset in PRESETS for family in families_of(preset)]


def type_of(family):
    return f"rouge{family.letters or 1}"


def test_the_table_of_families():
    assert [family.name for family in FAMILIES] == ["N", "L", "Lsum", "W", "S", "SU"]
    assert len({family.letters for family in FAMILIES}) == len(FAMILIES)
    assert {measure_of_name(name).family for name in DEFAULT_ROUGE_TYPES} == {*FAMILIES}


def test_each_way_to_count_of_a_preset_is_in_the_table_of_conventions():
    used = {preset.rules.counting for preset in ROUGE_PRESETS.values()}
    assert used == {*CONVENTIONS}


@pytest.mark.parametrize("family", FAMILIES)
def test_types_name_their_family(family):
    name = type_of(family)
    measure = measure_of_name(name)
    assert measure.family is family
    assert measure_of_name(measure.name) == measure
    assert measure.unit.startswith(("word", f"{measure.order}-gram"))
    assert family.spelled.startswith(name)
    assert dataclasses.replace(family) == family  # a copy, as of options, is the same family


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
    is_below_1 = family.name == "W" and preset in ("rouge-1.5.5", "pyrouge-metric")
    for (score,) in rouge(corpus, options).values():
        if is_below_1:
            assert 0.5 < score < 0.95
        else:
            assert score == pytest.approx(1, abs=1e-7)  # pltrdy adds 1e-8 below the line in F
    (explained,) = rouge_explanation(corpus, options).values()
    (entry,) = explained["references"]
    assert entry["prediction_spans"] == entry["reference_spans"]
    n_words = 9 if preset in ("nmt", "coco-caption") else 10  # a line feed is no blank there
    is_n_of_sets = family.name == "N" and preset in ("rouge-chinese", "nmt")
    is_l_of_sets = family.name == "L" and preset == "rouge-2.0"
    n_words -= preset == "pltrdy" or is_n_of_sets or is_l_of_sets
    assert len(entry["prediction_spans"]) == n_words
    if family.has_whole_counts:
        assert entry["matches"] == entry["prediction_total"] == entry["reference_total"]
