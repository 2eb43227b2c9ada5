"""Options of a call as they hold for one example."""

import pytest

from rouge_bleu._bleu.options import BleuOptions
from rouge_bleu._rouge.options import RougeOptions

OF_BOTH = {
    "n_jobs",
    "seed",
    "confidence_level",
    "n_resamples",
    "signature",
    "paired_test",
    "output",
}


@pytest.mark.parametrize(
    ("kind", "own"),
    [(RougeOptions, {"corpus_average", "document_order"}), (BleuOptions, {"level"})],
)
def test_options_of_a_corpus_have_their_default(kind, own):
    declarations = kind.declarations()
    assert {name for name, (one, _) in declarations.items() if one.is_of_corpus} == OF_BOTH | own
    given = kind(n_jobs=2, seed=3, confidence_level=0.9, n_resamples=10, lowercase=True)
    assert given.for_one_example() == kind(lowercase=True, use_aggregator=False)


@pytest.mark.parametrize("name", ["tokenizer", "sentence_splitter"])
def test_a_function_of_texts_is_called_once_for_each(name):
    calls = []

    def function(text):
        calls.append(text)
        return [text]

    remembered = getattr(RougeOptions(**{name: function}).for_one_example(), name)
    assert [remembered(text) for text in "aba"] == [["a"], ["b"], ["a"]]
    assert calls == ["a", "b"]
