"""The preset "sacrebleu" against sacreBLEU as installed."""

import logging

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.compat import corpus_bleu as sacrebleu_corpus_bleu
from sacrebleu.compat import sentence_bleu as sacrebleu_sentence_bleu
from sacrebleu.metrics import BLEU

from helpers.bleu.peers import (
    SEGMENTS,
    as_columns,
    as_result,
    as_streams,
    assert_equal,
    random_segments,
    sacrebleu_score,
    sacrebleu_statistics,
    segments,
)
from rouge_bleu import bleu
from rouge_bleu.text.other_packages import sacrebleu_tokenizer

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


@pytest.mark.parametrize(
    ("tokenizer", "lowercase"),
    [(name, name in ("13a", "char")) for name in TOKENIZERS] + [("13a", False), ("intl", True)],
)
def test_many_segments(tokenizer, lowercase):
    """Statistics are sacreBLEU's, and so are the scores that follow from them, of the corpus and of
    each segment, for each smoothing.
    """
    statistics = sacrebleu_statistics(tokenizer, lowercase)
    # counts are all that a tokenizer decides
    smoothings = SMOOTHINGS if (tokenizer, lowercase) == ("13a", True) else [("exp", None)]
    counts, totals, *lengths = (np.array(column) for column in zip(*statistics, strict=True))
    summed = (counts.sum(0).tolist(), totals.sum(0).tolist(), *(int(n.sum()) for n in lengths))
    data = {**SACREBLEU, "tokenizer": tokenizer, "lowercase": lowercase}
    for smoothing, value in smoothings:
        for effective_order in (False, True):
            options, peer_options = options_of(smoothing, value, effective_order)
            result = bleu(*SEGMENTS, **data, **options)
            assert_equal(result, as_result(sacrebleu_score(summed, **peer_options)))
            assert (result["counts"], result["totals"]) == summed[:2]
            result = bleu(*SEGMENTS, **data, **options, use_aggregator=False)
            rows = [as_result(sacrebleu_score(row, **peer_options)) for row in statistics]
            assert_equal(result, as_columns(rows))
            assert (result["counts"], result["totals"]) == (counts.tolist(), totals.tolist())


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
    """No segment has 4 tokens: the score is 0, except with effective order or add-k, which
    counts k of k 4-grams.
    """
    corpus = ["a b c", "", "b a", "c"], [["a b", "c a b c a"], ["a"], ["a b b"], ["c c", ""]]
    options, peer_options = options_of(smoothing, value, effective_order)
    result = bleu(*corpus, **SACREBLEU, **options)
    peer = BLEU(**peer_options).corpus_score(corpus[0], as_streams(corpus[1]))
    assert_equal(result, as_result(peer))
    assert result["totals"][3] == 0


def test_where_it_reports_something_odd():
    """Identical texts give 1, though sacreBLEU's logarithms of percentages do not add up to 100;
    add-k does not change counts, as it does there.
    """
    text = "the cat sat on the mat"
    assert BLEU().corpus_score([text], [[text]]).score == 100.00000000000004
    assert bleu([text], [text], **SACREBLEU)["bleu"] == 1.0
    peer = BLEU(smooth_method="add-k").corpus_score(["a b c d"], [["a b c x"]])
    assert (peer.counts, peer.totals) == ([3, 3, 2, 1], [4, 4, 3, 2])
    result = bleu(["a b c d"], ["a b c x"], **SACREBLEU, smoothing="add-k")
    assert (result["counts"], result["totals"]) == ([3, 2, 1, 0], [4, 3, 2, 1])


@pytest.mark.parametrize(
    ("tokenizer", "package", "texts"),
    [
        (
            "ja-mecab",
            "MeCab",
            [
                "今日は良い天気です。私は学校に行きます。",
                "すもももももももものうち",
                "",
                "東京 タワー 333m",
            ],
        ),
        (
            "ko-mecab",
            "mecab_ko",
            ["오늘은 날씨가 좋습니다.", "나는 학교에 갑니다", "", "서울 타워 236m"],
        ),
    ],
)
def test_tokenizers_of_other_packages(tokenizer, package, texts):
    pytest.importorskip(package, reason=f"tokenizer {tokenizer!r} needs it")
    references = [[text[2:] + text[:2], *texts[:i]] for i, text in enumerate(texts)]
    assert_parity(texts, references, tokenizer)


@pytest.mark.parametrize("tokenizer", ["spm", "flores101", "flores200", "spBLEU-1K"])
def test_sentencepiece(tokenizer, tmp_path, monkeypatch):
    """With a small model of our own in the place of the one that sacreBLEU would download."""
    sentencepiece = pytest.importorskip("sentencepiece", reason=f"tokenizer {tokenizer!r} needs it")
    from sacrebleu.tokenizers import tokenizer_spm

    model = tmp_path / "models" / tokenizer_spm.SPM_MODELS[tokenizer]["url"].rpartition("/")[2]
    model.parent.mkdir()
    predictions, references = random_segments(5, 100, 9)
    with model.open("wb") as file:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(predictions),
            model_writer=file,
            vocab_size=120,
            hard_vocab_limit=False,
            minloglevel=2,
        )
    monkeypatch.setattr(tokenizer_spm, "SACREBLEU_DIR", str(tmp_path))
    sacrebleu_tokenizer.cache_clear()
    try:
        assert_parity(predictions, references, tokenizer)
    finally:
        sacrebleu_tokenizer.cache_clear()


def assert_parity(predictions, references, tokenizer):
    for lowercase in (False, True):
        peer = BLEU(tokenize=tokenizer, lowercase=lowercase)
        options = {**SACREBLEU, "tokenizer": tokenizer, "lowercase": lowercase}
        result = bleu(predictions, references, **options)
        assert_equal(result, as_result(peer.corpus_score(predictions, as_streams(references))))
        assert 0 < result["bleu"] < 1


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
