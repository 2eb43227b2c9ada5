"""Preset "sumeval" beside the package, also with its own list of stop words."""

import pytest

from helpers.published import PUBLISHED, texts, values

rouge = pytest.importorskip("sumeval.metrics.rouge")
NAMES = ("rouge1", "rouge2", "rougeL")


def stopwords_of_package():
    lang = rouge.RougeCalculator(lang="en")._lang
    lang.load_stopwords()
    return sorted(lang._stopwords)


@pytest.mark.parametrize("has_stopwords", [False, True])
def test_hostile_texts(rouge_full, hostile, has_stopwords):
    scorer = rouge.RougeCalculator(stopwords=has_stopwords, lang="en")
    options = {"preset": "sumeval", "stopwords": stopwords_of_package() if has_stopwords else None}
    found = rouge_full.compute(**hostile, **options, use_aggregator=False)
    rows = zip(hostile["predictions"], hostile["references"], strict=True)
    for row, (prediction, references) in enumerate(rows):
        expected = [scorer.rouge_n(prediction, references, n) for n in (1, 2)]
        expected.append(scorer.rouge_l(prediction, references))
        ours = [found[name][row] for name in NAMES]
        assert ours == pytest.approx(expected, rel=1e-12), row


@pytest.mark.parametrize("which", ["items", "summaries"])
def test_figures_with_its_stop_words(rouge_full, which):
    expected = values(f"sumeval RougeCalculator({{}}); {which}")["per_item_1_2_L"]
    options = {"preset": "sumeval", "stopwords": stopwords_of_package(), "use_aggregator": False}
    found = rouge_full.compute(**texts(PUBLISHED["corpus"][which]), **options)
    rows = list(zip(*(found[name] for name in NAMES), strict=True))
    assert rows == [pytest.approx(tuple(scores), rel=1e-12) for scores in expected]
