"""Options of a call as they hold for one item."""

import dataclasses

import pytest

from rouge_bleu._bleu.options import BleuOptions
from rouge_bleu._rouge.options.checked import RougeOptions
from rouge_bleu.options.checked import checked_options
from rouge_bleu.options.of_item import options_of_item

# What concerns a corpus only, and so has its default; of use_aggregator the other value.
OF_BOTH = {"n_jobs": 2, "seed": 3, "confidence_level": 0.9, "n_resamples": 10, "signature": True}
OF_BOTH |= {"paired_test": "bootstrap"}
OF_PERL = {"corpus_average": "tokens", "document_order": "string"}
OF_CORPUS = {
    RougeOptions: {**OF_BOTH, **OF_PERL, "output": "recall"},
    BleuOptions: {**OF_BOTH, "output": "flat", "level": "sentence"},
}
OF_ITEM = {
    RougeOptions: {
        **{"rouge_types": ["rouge1"], "multi_reference": "pooled", "beta": 2.0, "zero_division": 0},
        **{"tokenizer": "13a", "lowercase": True, "use_stemmer": True, "stemmer": str.upper},
        **{"stopwords": frozenset("a"), "max_words": 3, "max_bytes": 4, "language": None},
        **{"sentence_splitter": "sentences", "cross_sentences": False, "summary_lcs": "best"},
    },
    BleuOptions: {
        **{"tokenizer": "char", "lowercase": True, "max_order": 3, "weights": [1, 2]},
        **{"smooth": True, "smoothing": "floor", "smoothing_value": 0.5, "effective_order": True},
        **{"reference_length": "shortest", "multi_reference": "best", "zero_division": 0},
    },
}
BESIDE = {"smoothing_value": {"smoothing": "floor"}}


@pytest.mark.parametrize("kind", OF_CORPUS)
def test_options_of_a_corpus_have_their_default(kind):
    for name, value in OF_CORPUS[kind].items():
        preset = "rouge-1.5.5" if name in OF_PERL else None
        given = checked_options(kind, {"preset": preset, name: value})
        assert getattr(given, name) == value
        of_item = options_of_item(given)
        assert getattr(of_item, name) == getattr(kind, name)
        assert of_item.preset == preset
        assert not of_item.use_aggregator


@pytest.mark.parametrize("kind", OF_ITEM)
def test_options_of_an_item_stay(kind):
    for name, value in OF_ITEM[kind].items():
        given = checked_options(kind, {**BESIDE.get(name, {}), name: value})
        assert getattr(options_of_item(given), name) == getattr(given, name)


@pytest.mark.parametrize("kind", OF_ITEM)
def test_every_option_is_one_or_the_other(kind):
    """A new option says which: here, and in `_OPTIONS_OF_CORPUS` if it concerns a corpus."""
    names = {field.name for field in dataclasses.fields(kind)}
    assert names == {*OF_CORPUS[kind], *OF_ITEM[kind], "use_aggregator", "preset"}


@pytest.mark.parametrize("name", ["tokenizer", "sentence_splitter"])
def test_a_function_of_texts_is_called_once_for_each(name):
    calls = []

    def function(text):
        calls.append(text)
        return [text]

    remembered = getattr(options_of_item(RougeOptions(**{name: function})), name)
    assert [remembered(text) for text in "aba"] == [["a"], ["b"], ["a"]]
    assert calls == ["a", "b"]
