"""The preset "pltrdy" against PyPI's rouge 1.0.1, bit for bit; "rouge-chinese" has its figures in
`test_golden_packages.py`.
"""

import numpy as np
import pytest

from helpers.packages import GOLDEN
from helpers.rouge.corpora import random_corpus
from helpers.rouge.peers import OUTPUTS
from rouge import Rouge

TYPES = {
    "rouge1": "rouge-1",
    "rouge2": "rouge-2",
    "rouge3": "rouge-3",
    "rouge5": "rouge-5",
    "rougeL": "rouge-l",
}
LETTERS = {"precision": "p", "recall": "r", "fmeasure": "f"}

WORDS = "a b c the The dog dog's 3.5 U.S. (x) naïve 好 我们 , -".split()
BLANKS = [" "] * 6 + [". ", ".", "\n", ". . ", "..", "\u3000", "\t", ".\n"]


def stop_texts(rng, n_texts, max_words):
    """Return texts with sentences that are empty, a space or a word."""

    def text():
        n_words = rng.integers(1, max_words + 1)
        words = zip(rng.choice(WORDS, n_words), rng.choice(BLANKS, n_words), strict=True)
        return "".join(word + blank for word, blank in words)

    return [text() for _ in range(n_texts)]


def stop_corpus(seed, n_items, max_words):
    rng = np.random.default_rng(seed)
    return stop_texts(rng, n_items, max_words), stop_texts(rng, n_items, max_words)


def lines_of_corpus(seed, n_items, max_words):
    """Texts of the other peers; rouge refuses those without sentences."""
    predictions, references = random_corpus(seed, n_items, max_words)
    pairs = zip(predictions, (texts[0] for texts in references), strict=True)
    kept = [pair for pair in pairs if all(text.replace(".", "") for text in pair)]
    return [prediction for prediction, _ in kept], [reference for _, reference in kept]


SUMMARIES = GOLDEN["corpora"]["summaries"]
CORPORA = {
    "short sentences": stop_corpus(1, 300, 12),
    "long texts": stop_corpus(2, 10, 90),
    "lines": lines_of_corpus(3, 100, 20),
    "summaries": (SUMMARIES["predictions"], [texts[0] for texts in SUMMARIES["references"]]),
}


@pytest.mark.parametrize("corpus", CORPORA)
def test_all_numbers_of_rouge(rouge_full, corpus):
    predictions, references = CORPORA[corpus]
    peer = Rouge(metrics=list(TYPES.values()))
    items = peer.get_scores(predictions, references)
    options = {"preset": "pltrdy", "rouge_types": list(TYPES)}
    pairs = {"predictions": predictions, "references": references}
    result = rouge_full.compute(**pairs, **options, use_aggregator=False)
    assert result == {
        f"{name}_{output}": [item[key][LETTERS[output]] for item in items]
        for name, key in TYPES.items()
        for output in OUTPUTS
    }
    means = peer.get_scores(predictions, references, avg=True)
    assert rouge_full.compute(**pairs, **options) == pytest.approx(
        {
            f"{name}_{output}": means[key][LETTERS[output]]
            for name, key in TYPES.items()
            for output in OUTPUTS
        },
        abs=1e-12,
    )
    assert 0.1 < means["rouge-l"]["f"] <= means["rouge-1"]["f"] < 0.9


def test_texts_that_rouge_refuses_score_0(rouge_full):
    for prediction, reference in (("", "a"), ("a", "..."), ("", "")):
        with pytest.raises(ValueError, match="empty"):
            Rouge().get_scores(prediction, reference)
        pair = {"predictions": [prediction], "references": [reference]}
        assert set(rouge_full.compute(**pair, preset="pltrdy").values()) == {0.0}


def test_sentences_that_rouge_cannot_take_have_scores(rouge_full):
    """It calls itself for every word of a sentence."""
    prediction, reference = " ".join(f"w{number}" for number in range(1500)), "w0 x"
    with pytest.raises(RecursionError):
        Rouge().get_scores(prediction, reference)
    result = rouge_full.compute(predictions=[prediction], references=[reference], preset="pltrdy")
    assert (result["rougeL_precision"], result["rougeL_recall"]) == (1 / 1500, 1 / 2)


def test_tokens_are_words_of_one_sentence(rouge_full):
    predictions, references = CORPORA["lines"]
    predictions = [text.replace(".", "") + "x" for text in predictions]
    references = [text.replace(".", "") + "x" for text in references]
    options = {"preset": "pltrdy", "use_aggregator": False}
    as_texts = rouge_full.compute(predictions=predictions, references=references, **options)
    as_tokens = rouge_full.compute(
        predictions=[text.split() for text in predictions],
        references=[text.split() for text in references],
        **options,
    )
    assert as_tokens == as_texts
