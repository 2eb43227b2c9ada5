"""What is no option or no value of one, and the message for it."""

import dataclasses
import re

import numpy as np
import pytest

from helpers.bad_options import BAD_OPTIONS
from helpers.errors import error_of
from rouge_bleu._bleu.options import BLEU_PRESETS, BleuOptions
from rouge_bleu._bleu.smoothing import SMOOTHINGS
from rouge_bleu._rouge.options.checked import RougeOptions
from rouge_bleu._rouge.options.languages import _OTHER_NAMES, LANGUAGES
from rouge_bleu._rouge.options.presets import ROUGE_PRESETS
from rouge_bleu._rouge.scores import OUTPUTS
from rouge_bleu.options.names_elsewhere import (
    NAMES_ELSEWHERE,
    PRESETS_OF_ONE,
    REMARKS,
    VALUES_ELSEWHERE,
)
from rouge_bleu.text.fields.snowball import SNOWBALL_LANGUAGES
from rouge_bleu.text.tokenizers import TOKENIZER_NAMES

UNKNOWN = "compute() got an unexpected keyword argument "


# An id must be the same in every process.
@pytest.mark.parametrize(
    ("name", "options", "kind", "message"),
    BAD_OPTIONS,
    ids=[f"{name}-{'-'.join(options)}" for name, options, *_ in BAD_OPTIONS],
)
def test_bad_options(request, name, options, kind, message):
    metric = request.getfixturevalue(name)
    texts = {"predictions": ["a b c"], "references": ["a b c"]}
    assert error_of(metric.compute, **texts, **options) == (kind, message)


# A metric, a name of another package or metric, and what is said of it.
WITHOUT_COUNTERPART = """
bleu_full force: leave it out, texts are tokenized whatever they look like
rouge_full sources: leave it out, predictions are compared with references only
rouge_full normalizer: do that to the texts first, or in a function that is the tokenizer
bleu_full keep_in_memory: it is an argument of evaluate.load
bleu_full use_stemmer, which is an option of rouge_full; here do that to the texts first, or in a function
bleu_full rouge_types, which is an option of rouge_full; here choose orders by max_order or weights
bleu_full language, which is an option of rouge_full; here choose a tokenizer for the language
bleu_full beta, which is an option of rouge_full. In evaluate.combine give each metric
rouge_full max_order, which is an option of bleu_full; here name each order in rouge_types, as in ['rouge1',
rouge_full weights, which is an option of bleu_full; here the weight of rougeW is part of its name, as in
rouge_full smoothing, which is an option of bleu_full. In evaluate.combine give each metric
"""


@pytest.mark.parametrize("line", WITHOUT_COUNTERPART.strip().splitlines())
def test_names_without_counterpart(request, line):
    name, option, remark = re.fullmatch(r"(\w+) (\w+)(.*)", line).groups()
    metric = request.getfixturevalue(name)
    kind, message = error_of(metric.compute, predictions=["a"], references=["a"], **{option: None})
    assert kind is TypeError
    assert message.startswith(f"{UNKNOWN}{option!r}{remark}")
    if owner := re.search(r"an option of (\w+)", remark):
        assert message.endswith(f" as in evaluate.load({owner[1]!r}, {option}=...)")


OF_OTHER_PACKAGES = """  # arguments that stand for something that the metric has too
bleu_full sacreBLEU: hypotheses tokenize lowercase smooth_method smooth_value max_ngram_order
bleu_full evaluate's sacrebleu: use_effective_order smooth_method tokenize
bleu_full NLTK: list_of_references smoothing_function auto_reweigh
bleu_full torchmetrics: preds target n_gram smooth weights
rouge_full torchmetrics: preds target rouge_keys accumulate tokenizer
rouge_full rouge_score: rouge_types use_stemmer split_summaries
rouge_full pltrdy: hyps refs avg metrics
rouge_full py-rouge: apply_avg apply_best length_limit stemming
"""


def test_names_in_other_packages(rouge_full, bleu_full):
    """Each is an option here too, or the message names the one that is."""
    metrics = {"rouge_full": rouge_full, "bleu_full": bleu_full}
    for line in OF_OTHER_PACKAGES.splitlines()[1:]:
        package, _, options = line.partition(": ")
        metric = metrics[package.split()[0]]
        own = {field.name for field in dataclasses.fields(metric.options_class)}
        own |= {"predictions", "references"}
        for option in {*options.split()} - own:
            _, message = error_of(metric.compute, **{option: None})
            start = f"{UNKNOWN}{option!r}. Did you mean '"
            assert message.startswith(start)
            assert message.removeprefix(start).removesuffix("'?") in own


def test_tables_of_names_agree():
    """A name that is meant is an option of a metric, an argument of both, or has a remark."""
    options = {
        field.name for kind in (RougeOptions, BleuOptions) for field in dataclasses.fields(kind)
    }
    assert {*NAMES_ELSEWHERE} <= {*options, "predictions", "references", *REMARKS}
    others = " ".join(NAMES_ELSEWHERE.values()).split()
    assert len(others) == len(set(others))
    assert not {*others} & options


def test_tables_of_values_agree():
    """A preset of one metric only is one of its own; a value that is meant is a choice."""
    assert {name: {*presets} for name, presets in PRESETS_OF_ONE.items()} == {
        "rouge_full": {*ROUGE_PRESETS} - {*BLEU_PRESETS},
        "bleu_full": {*BLEU_PRESETS} - {*ROUGE_PRESETS},
    }
    meant = {name: {*values.values()} for name, values in VALUES_ELSEWHERE.items()}
    assert meant.pop("preset") <= {*ROUGE_PRESETS, *BLEU_PRESETS}
    assert meant == {
        "output": {"fmeasure"},
        "stemmer": {*SNOWBALL_LANGUAGES},
        "language": {*LANGUAGES} - {*_OTHER_NAMES},
        "tokenizer": {"zh", "ja-mecab", "ko-mecab", "newmm"},
        "smoothing": {*SMOOTHINGS} - {"none"},
    }
    assert meant["output"] <= {*OUTPUTS}
    assert meant["tokenizer"] <= {*TOKENIZER_NAMES}
    assert meant["language"] <= {*LANGUAGES}


def test_the_smoothing_of_a_preset_is_turned_off(bleu_full):
    """As the error about smooth=True and preset "sacrebleu" says."""
    corpus = {"predictions": ["the cat sat on a rug"], "references": ["the cat lay on the mat"]}
    corpus |= {"output": "score", "smooth": True}
    found = bleu_full.compute(**corpus, preset="sacrebleu", smoothing="none")
    assert found == bleu_full.compute(**corpus)


def test_options_may_be_numpy_scalars(rouge_full, bleu_full):
    corpus = {"predictions": ["a b c"], "references": [["a b", "c b a"]]}
    plain = {"use_aggregator": False, "use_stemmer": True, "beta": 2.0, "zero_division": 0.0}
    options = {name: np.asarray(value)[()] for name, value in plain.items()}
    assert rouge_full.compute(**corpus, **options) == rouge_full.compute(**corpus, **plain)
    options = {"smooth": np.True_, "max_order": np.int64(2), "zero_division": np.int64(0)}
    assert bleu_full.compute(**corpus, **options) == bleu_full.compute(
        **corpus, smooth=True, max_order=2, zero_division=0
    )


def test_options_are_checked_before_any_work(metric):
    def tokenizer(text):
        raise AssertionError("called")

    kind, _ = error_of(
        metric.compute, predictions=["a"], references=["a"], tokenizer=tokenizer, zero_division=2
    )
    assert kind is ValueError
