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
    N_SEGMENTS,
    PARTS,
    SEGMENTS,
    TOKENS,
    as_columns,
    as_result,
    as_streams,
    assert_equal,
    random_segments,
    random_tokens,
    sacrebleu_score,
    sacrebleu_statistics,
    segments,
)
from helpers.repository import module_of


@pytest.fixture(autouse=True, scope="module")
def _quiet_sacrebleu():
    """It warns of every sentence that is scored without effective order."""
    logging.getLogger("sacrebleu").setLevel(logging.ERROR)
    yield
    logging.getLogger("sacrebleu").setLevel(logging.NOTSET)


def test_segments_are_of_all_kinds():
    for predictions, references in (SEGMENTS, TOKENS):
        assert len(predictions) == N_SEGMENTS
        lengths = {
            len(prediction.split() if isinstance(prediction, str) else prediction)
            for prediction in predictions
        }
        assert lengths >= set(range(10))
        assert set(map(len, references)) >= {1, 2, 3}
        assert any(not any(texts) for texts in references)
        assert any(any(texts) and not all(texts) for texts in references)


SACREBLEU_SMOOTHINGS = [
    ("none", None),
    ("floor", None),
    ("floor", 0.5),
    ("floor", 0.0),
    ("add-k", None),
    ("add-k", 0.25),
    ("add-k", 3),
    ("add-k", 0),
    ("exp", None),
]

SACREBLEU_TOKENIZERS = ["13a", "none", "char", "intl", "zh"]


@pytest.mark.parametrize("lowercase", [False, True])
@pytest.mark.parametrize("tokenizer", SACREBLEU_TOKENIZERS)
def test_sacrebleu_on_many_segments(bleu_full, tokenizer, lowercase):
    """Statistics are sacreBLEU's, and so are the scores that follow from them, of the corpus and of
    each segment, for each smoothing.
    """
    statistics = sacrebleu_statistics(tokenizer, lowercase)
    smoothings = (
        SACREBLEU_SMOOTHINGS if tokenizer == "13a" else [("none", None), ("exp", None)]
    )  # counts are all that a tokenizer decides
    counts, totals, *lengths = (np.array(column) for column in zip(*statistics, strict=True))
    summed = (
        counts.sum(0).tolist(),
        totals.sum(0).tolist(),
        *(int(length.sum()) for length in lengths),
    )
    data = {
        "predictions": SEGMENTS[0],
        "references": SEGMENTS[1],
        "preset": "sacrebleu",
        "tokenizer": tokenizer,
        "lowercase": lowercase,
    }
    for smoothing, value in smoothings:
        for effective_order in (False, True):
            options = {"smoothing": smoothing, "effective_order": effective_order} | (
                {} if value is None else {"smoothing_value": value}
            )
            peer_options = {
                "smooth_method": smoothing,
                "smooth_value": value,
                "effective_order": effective_order,
            }
            result = bleu_full.compute(**data, **options)
            assert_equal(result, as_result(sacrebleu_score(summed, **peer_options)))
            assert (result["counts"], result["totals"]) == summed[:2]
            assert 0 < result["bleu"] < 1
            result = bleu_full.compute(**data, **options, use_aggregator=False)
            assert_equal(
                result,
                as_columns([as_result(sacrebleu_score(row, **peer_options)) for row in statistics]),
            )
            assert (result["counts"], result["totals"]) == (counts.tolist(), totals.tolist())


def test_sacrebleu_defaults(bleu_full):
    """Those of its functions: exp smoothing, and effective order for sentences only."""
    predictions, references = random_segments(4, 200, 6)
    result = bleu_full.compute(predictions=predictions, references=references, preset="sacrebleu")
    assert_equal(result, as_result(sacrebleu_corpus_bleu(predictions, as_streams(references))))
    result = bleu_full.compute(
        predictions=predictions, references=references, preset="sacrebleu", use_aggregator=False
    )
    expected = [
        as_result(sacrebleu_sentence_bleu(*segment))
        for segment in zip(predictions, references, strict=True)
    ]
    assert_equal(result, as_columns(expected))
    without = bleu_full.compute(
        predictions=predictions,
        references=references,
        preset="sacrebleu",
        use_aggregator=False,
        effective_order=False,
    )
    assert without["bleu"] != result["bleu"]


@pytest.mark.parametrize("effective_order", [False, True])
@pytest.mark.parametrize(("smoothing", "value"), SACREBLEU_SMOOTHINGS)
def test_sacrebleu_on_a_corpus_of_short_segments(bleu_full, effective_order, smoothing, value):
    """No segment has 4 tokens: the score is 0, but for effective order, and but for add-k, which
    counts k of k 4-grams.
    """
    predictions, references = random_tokens(3, 300, 3)
    predictions, references = (
        [" ".join(tokens) for tokens in predictions],
        [[" ".join(tokens) for tokens in texts] for texts in references],
    )
    peer = BLEU(smooth_method=smoothing, smooth_value=value, effective_order=effective_order)
    expected = as_result(peer.corpus_score(predictions, as_streams(references)))
    options = {"smoothing": smoothing, "effective_order": effective_order} | (
        {} if value is None else {"smoothing_value": value}
    )
    result = bleu_full.compute(
        predictions=predictions, references=references, preset="sacrebleu", **options
    )
    assert_equal(result, expected)
    assert result["totals"][3] == 0
    assert (result["bleu"] > 0) == (effective_order or (smoothing == "add-k" and value != 0))


def test_sacrebleu_where_it_reports_something_odd(bleu_full):
    """Identical texts give 1, though sacreBLEU's logarithms of percentages do not add up to 100;
    add-k does not change counts, as it does there.
    """
    text = "the cat sat on the mat"
    assert BLEU().corpus_score([text], [[text]]).score == 100.00000000000004
    for smoothing, _ in SACREBLEU_SMOOTHINGS:
        assert (
            bleu_full.compute(
                predictions=[text], references=[text], preset="sacrebleu", smoothing=smoothing
            )["bleu"]
            == 1.0
        )
    predictions, references = ["a b c d"], ["a b c x"]
    peer = BLEU(smooth_method="add-k").corpus_score(predictions, [references])
    result = bleu_full.compute(
        predictions=predictions, references=references, preset="sacrebleu", smoothing="add-k"
    )
    assert (peer.counts, peer.totals) == ([3, 3, 2, 1], [4, 4, 3, 2])
    assert (result["counts"], result["totals"]) == ([3, 2, 1, 0], [4, 3, 2, 1])
    assert result["precisions"] == pytest.approx(
        [precision / 100 for precision in peer.precisions], rel=1e-15
    )


def test_sacrebleu_result(bleu_full):
    result = bleu_full.compute(predictions=["a b"], references=["a b"], preset="sacrebleu")
    assert list(result) == ["bleu", *PARTS, "counts", "totals"]
    assert {type(count) for count in result["counts"] + result["totals"]} == {int}
    lists = bleu_full.compute(
        predictions=["a b", ""],
        references=["a b", "a"],
        preset="sacrebleu",
        use_aggregator=False,
        max_order=2,
    )
    assert list(lists) == list(result)
    assert (lists["counts"], lists["totals"]) == ([[2, 1], [0, 0]], [[2, 1], [0, 0]])


JAPANESE = [
    "今日は良い天気です。私は学校に行きます。",
    "すもももももももものうち",
    "",
    "東京 タワー 333m",
]

KOREAN = ["오늘은 날씨가 좋습니다.", "나는 학교에 갑니다", "", "서울 타워 236m"]


@pytest.mark.parametrize(
    ("tokenizer", "package", "texts"),
    [("ja-mecab", "MeCab", JAPANESE), ("ko-mecab", "mecab_ko", KOREAN)],
)
def test_sacrebleu_with_tokenizers_of_other_packages(bleu_full, tokenizer, package, texts):
    pytest.importorskip(package, reason=f"tokenizer {tokenizer!r} needs it")
    references = [[text[2:] + text[:2], *texts[:i]] for i, text in enumerate(texts)]
    assert_parity(bleu_full, texts, references, tokenizer)


@pytest.mark.parametrize("tokenizer", ["spm", "flores101", "flores200", "spBLEU-1K"])
def test_sacrebleu_with_sentencepiece(bleu_full, tokenizer, tmp_path, monkeypatch):
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
    known = module_of(bleu_full, "text.of_sacrebleu").sacrebleu_tokenizer
    known.cache_clear()
    try:
        assert_parity(bleu_full, predictions, references, tokenizer)
    finally:
        known.cache_clear()


def assert_parity(bleu_full, predictions, references, tokenizer):
    for lowercase in (False, True):
        peer = BLEU(tokenize=tokenizer, lowercase=lowercase)
        options = {"preset": "sacrebleu", "tokenizer": tokenizer, "lowercase": lowercase}
        result = bleu_full.compute(predictions=predictions, references=references, **options)
        assert_equal(result, as_result(peer.corpus_score(predictions, as_streams(references))))
        assert 0 < result["bleu"] < 1


sacrebleu_options = st.fixed_dictionaries(
    {
        "tokenizer": st.sampled_from(SACREBLEU_TOKENIZERS),
        "lowercase": st.booleans(),
        "effective_order": st.booleans(),
        "max_order": st.integers(1, 6),
        "smoothing": st.sampled_from(["none", "floor", "add-k", "exp"]),
    }
)


@given(segments, sacrebleu_options, st.none() | st.just(0) | st.floats(1e-9, 10))
def test_sacrebleu_with_any_options(bleu_full, corpus, options, value):
    value = value if options["smoothing"] in ("floor", "add-k") else None
    peer = BLEU(
        tokenize=options["tokenizer"],
        lowercase=options["lowercase"],
        effective_order=options["effective_order"],
        max_ngram_order=options["max_order"],
        smooth_method=options["smoothing"],
        smooth_value=value,
    )
    options |= {} if value is None else {"smoothing_value": value}
    predictions, references = map(list, zip(*corpus, strict=True))
    result = bleu_full.compute(
        predictions=predictions, references=references, preset="sacrebleu", **options
    )
    assert_equal(result, as_result(peer.corpus_score(predictions, as_streams(references))))
    result = bleu_full.compute(
        predictions=predictions,
        references=references,
        preset="sacrebleu",
        use_aggregator=False,
        **options,
    )
    assert_equal(
        result, as_columns([as_result(peer.sentence_score(*segment)) for segment in corpus])
    )


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("smoothing", ["exp", "none", "floor", "add-k"])
def test_an_empty_prediction_among_sentences_warns_of_nothing(bleu_full, smoothing):
    """0 / 0 and log 0 are on the way, and no warning of numpy reaches the user."""
    predictions, references = ["", "a b", "", "a"], [["a"], ["a b"], [""], ["", "a b"]]
    result = bleu_full.compute(
        predictions=predictions,
        references=references,
        preset="sacrebleu",
        smoothing=smoothing,
        use_aggregator=False,
    )
    score = BLEU(smooth_method=smoothing, effective_order=True).sentence_score
    expected = [score(*item).score / 100 for item in zip(predictions, references, strict=True)]
    assert result["bleu"] == pytest.approx(expected, rel=1e-14, abs=0)
    assert result["counts"] == [[0] * 4, [2, 1, 0, 0], [0] * 4, [1, 0, 0, 0]]
