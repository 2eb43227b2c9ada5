"""The preset "sacrebleu" against sacreBLEU as installed."""

import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.compat import corpus_bleu as sacrebleu_corpus_bleu
from sacrebleu.compat import sentence_bleu as sacrebleu_sentence_bleu
from sacrebleu.metrics import BLEU

from helpers.bleu.peers import (
    as_columns,
    as_result,
    as_streams,
    assert_equal,
    random_segments,
    segments,
)
from rouge_bleu import bleu

SACREBLEU = {"preset": "sacrebleu"}
SMOOTHINGS = [
    *(("none", None), ("floor", None), ("floor", 0.5), ("floor", 0.0), ("exp", None)),
    *(("add-k", None), ("add-k", 0.25), ("add-k", 3), ("add-k", 0)),
]
TOKENIZERS = ["13a", "none", "char", "intl", "zh"]


@pytest.fixture(autouse=True, scope="module")
def _quiet_sacrebleu():
    """It warns of every sentence that is scored without effective order."""
    logging.getLogger("sacrebleu").setLevel(logging.ERROR)
    yield
    logging.getLogger("sacrebleu").setLevel(logging.NOTSET)


def options_of(smoothing, value, effective_order):
    """The same options for both: of bleu_full, of sacreBLEU."""
    options = {"smoothing": smoothing, "effective_order": effective_order}
    if value is not None:
        options["smoothing_value"] = value
    return options, {
        "smooth_method": smoothing,
        "smooth_value": value,
        "effective_order": effective_order,
    }


def test_defaults():
    """Those of its functions: exp smoothing, and effective order for sentences only."""
    corpus = random_segments(4, 200, 6)
    expected = sacrebleu_corpus_bleu(corpus[0], as_streams(corpus[1]))
    assert_equal(bleu(*corpus, **SACREBLEU), as_result(expected))
    items = {**SACREBLEU, "use_aggregator": False}
    expected = [as_result(sacrebleu_sentence_bleu(*one)) for one in zip(*corpus, strict=True)]
    assert_equal(bleu(*corpus, **items), as_columns(expected))
    without = bleu(*corpus, **items, effective_order=False)
    assert without["bleu"] != bleu(*corpus, **items)["bleu"]


@pytest.mark.parametrize("effective_order", [False, True])
@pytest.mark.parametrize(("smoothing", "value"), SMOOTHINGS)
def test_a_corpus_of_short_segments(effective_order, smoothing, value):
    """No segment has 4 tokens: the score is 0, but for effective order, and but for add-k, which
    counts k of k 4-grams.
    """
    corpus = ["a b c", "", "b a", "c"], [["a b", "c a b c a"], ["a"], ["a b b"], ["c c", ""]]
    options, peer_options = options_of(smoothing, value, effective_order)
    result = bleu(*corpus, **SACREBLEU, **options)
    peer = BLEU(**peer_options).corpus_score(corpus[0], as_streams(corpus[1]))
    assert_equal(result, as_result(peer))
    assert result["totals"][3] == 0


def test_identical_texts():
    """They give 1, though sacreBLEU's logarithms of percentages do not add up to 100."""
    text = "the cat sat on the mat"
    assert BLEU().corpus_score([text], [[text]]).score == 100.00000000000004
    assert bleu([text], [text], **SACREBLEU)["bleu"] == 1.0


@given(
    segments,
    st.sampled_from(TOKENIZERS),
    st.booleans(),
    st.booleans(),
    st.integers(1, 6),
    st.sampled_from(["none", "floor", "add-k", "exp"]),
    st.none() | st.just(0) | st.floats(1e-9, 10),
)
def test_any_options(corpus, tokenizer, lowercase, effective_order, max_order, smoothing, value):
    value = value if smoothing in ("floor", "add-k") else None
    options, peer_options = options_of(smoothing, value, effective_order)
    options |= {**SACREBLEU, "tokenizer": tokenizer, "lowercase": lowercase, "max_order": max_order}
    peer_options |= {"tokenize": tokenizer, "lowercase": lowercase, "max_ngram_order": max_order}
    peer = BLEU(**peer_options)
    predictions, references = map(list, zip(*corpus, strict=True))
    result = bleu(predictions, references, **options)
    assert_equal(result, as_result(peer.corpus_score(predictions, as_streams(references))))
    result = bleu(predictions, references, use_aggregator=False, **options)
    assert_equal(result, as_columns([as_result(peer.sentence_score(*one)) for one in corpus]))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("smoothing", ["exp", "none", "floor", "add-k"])
def test_an_empty_prediction_among_sentences_warns_of_nothing(smoothing):
    """0 / 0 and log 0 are on the way, and no warning of numpy reaches the user."""
    corpus = ["", "a b", "", "a"], [["a"], ["a b"], [""], ["", "a b"]]
    result = bleu(*corpus, **SACREBLEU, smoothing=smoothing, use_aggregator=False)
    score = BLEU(smooth_method=smoothing, effective_order=True).sentence_score
    expected = [score(*item).score / 100 for item in zip(*corpus, strict=True)]
    assert result["bleu"] == pytest.approx(expected, rel=1e-14, abs=0)
    assert result["counts"] == [[0] * 4, [2, 1, 0, 0], [0] * 4, [1, 0, 0, 0]]


def test_forms_of_data(bleu_full):
    """Texts, texts that a function cuts, and tokens."""
    predictions, references = random_segments(4, 200, 20, 3)
    peer = BLEU(smooth_method="none", tokenize="none")
    expected = as_result(peer.corpus_score(predictions, as_streams(references)))
    assert expected["bleu"] > 0
    texts = {"predictions": predictions, "references": references}
    tokens = {
        "predictions": [text.split() for text in predictions],
        "references": [[text.split() for text in texts] for texts in references],
    }
    for data, options in (
        (texts, {"tokenizer": "whitespace"}),
        (texts, {"tokenizer": str.split}),
        (tokens, {}),
    ):
        result = bleu_full.compute(**data, **options)
        assert list(result) == list(expected)
        assert_equal(result, expected)
