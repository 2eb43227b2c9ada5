"""The presets of bleu_full against their namesakes: sacreBLEU and NLTK as installed, evaluate's
`bleu` and MATLAB as written down.
"""

import logging
import math
import random
import re
import string
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu, sentence_bleu
from sacrebleu.compat import corpus_bleu as sacrebleu_corpus_bleu
from sacrebleu.compat import sentence_bleu as sacrebleu_sentence_bleu
from sacrebleu.metrics import BLEU

import oracles

N_SEGMENTS = 3000  # of every setting that is compared
PARTS = ["precisions", "brevity_penalty", "length_ratio", "translation_length", "reference_length"]

pytestmark = pytest.mark.filterwarnings(r"ignore:\s*The hypothesis contains 0 counts")  # of NLTK
moderate = settings(max_examples=150, derandomize=True, deadline=None, database=None)


@pytest.fixture(autouse=True, scope="module")
def _quiet_sacrebleu():
    """It warns of every sentence that is scored without effective order."""
    logging.getLogger("sacrebleu").setLevel(logging.ERROR)
    yield
    logging.getLogger("sacrebleu").setLevel(logging.NOTSET)


# --- random segments ------------------------------------------------------------------------------

WORDS = """a b c d e the The , . - "the" it's U.S. 3.14 1,000 10-20 5- end- well-known &amp; &quot;a&quot; &lt;b&gt; <skipped> a/b foo_bar $5 20%
    @x #y ~ (a) über Über naïve «mot» — … İ ſ ΟΔΟΣ Σ ß 中文 你好。 汉字，a 日本語 カタカナ हिन्दी สวัสดี 𠀋 😀 á ½ ²""".split()
BLANKS = [" "] * 12 + ["  ", "\t", "\n", "-\n", "\r\n", "\u3000", "\x1c", "\xa0", ""]


def random_text(chooser, max_words, words):
    return "".join(
        chooser.choice(words) + chooser.choice(BLANKS) for _ in range(chooser.randint(0, max_words))
    )


def random_segments(seed, n_segments, max_words, max_references=4):
    """Return predictions and lists of 1 to `max_references` references, some of them empty; half of
    these share a part with the prediction.
    """
    chooser = random.Random(seed)
    predictions, references = [], []
    for _ in range(n_segments):
        words = WORDS[: chooser.randint(2, len(WORDS))]
        prediction = random_text(chooser, max_words, words)
        start, end = sorted(chooser.randint(0, len(prediction)) for _ in range(2))
        texts = [
            random_text(chooser, max_words, words)
            for _ in range(chooser.randint(1, max_references))
        ]
        references.append(
            [
                prediction[start:end] + text[: len(text) // 2] if chooser.random() < 0.5 else text
                for text in texts
            ]
        )
        predictions.append(prediction)
    return predictions, references


def random_tokens(seed, n_segments, max_words=9, max_references=3, min_words=0):
    """Return predictions and lists of references, all of them lists of tokens, with n-grams of all
    orders in common.
    """
    chooser = random.Random(seed)
    predictions, references = [], []
    for _ in range(n_segments):
        letters = "abcdefgh"[: chooser.randint(1, 8)]
        texts = [
            chooser.choices(letters, k=chooser.randint(min_words, max_words))
            for _ in range(chooser.randint(2, max_references + 1))
        ]
        predictions.append(texts[0])
        references.append(texts[1:])
    return predictions, references


SEGMENTS = random_segments(1, N_SEGMENTS, 9)
TOKENS = random_tokens(2, N_SEGMENTS)


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


def module_of(metric, name):
    """Return a module of the metric, of the copy that evaluate made of it."""
    return sys.modules[f"{type(metric).__module__.rpartition('.')[0]}.{name}"]


def as_streams(references):
    """Return references as sacreBLEU takes them: one list for each rank, with None where an item
    has fewer.
    """
    return [
        [texts[rank] if rank < len(texts) else None for texts in references]
        for rank in range(max(map(len, references)))
    ]


def assert_equal(result, expected, rtol=1e-12):
    """Assert that the values of all keys are the same but for the last bits; of a corpus, or one
    for each item.
    """
    for key, values in expected.items():
        np.testing.assert_allclose(result[key], values, rtol=rtol, atol=0, err_msg=key)


# --- preset "sacrebleu" ---------------------------------------------------------------------------

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


def sacrebleu_statistics(tokenizer, lowercase):
    """Return matches, totals and the two lengths of each of the segments, as sacreBLEU counts them."""
    peer = BLEU(tokenize=tokenizer, lowercase=lowercase, smooth_method="none", effective_order=True)
    scores = [peer.sentence_score(*segment) for segment in zip(*SEGMENTS, strict=True)]
    return [(score.counts, score.totals, score.sys_len, score.ref_len) for score in scores]


def sacrebleu_score(statistics, **options):
    """Return the BLEUScore of sacreBLEU; its add-k changes the counts that it is given."""
    counts, totals, *lengths = statistics
    return BLEU.compute_bleu(list(counts), list(totals), *lengths, **options)


def as_result(score):
    """Return a BLEUScore under the names of bleu_full; counts are left out since sacreBLEU's add-k
    changes them.
    """
    return {
        "bleu": score.score / 100,
        "precisions": [precision / 100 for precision in score.precisions],
        "brevity_penalty": score.bp,
        "length_ratio": score.ratio,
        "translation_length": score.sys_len,
        "reference_length": score.ref_len,
    }


def as_columns(results):
    return {key: [result[key] for result in results] for key in results[0]}


@pytest.mark.parametrize("lowercase", [False, True])
@pytest.mark.parametrize("tokenizer", SACREBLEU_TOKENIZERS)
def test_sacrebleu_on_3000_segments(bleu_full, tokenizer, lowercase):
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


@pytest.mark.parametrize("lowercase", [False, True])
@pytest.mark.parametrize("effective_order", [False, True])
@pytest.mark.parametrize(("smoothing", "value"), SACREBLEU_SMOOTHINGS)
def test_sacrebleu_as_it_is_called(bleu_full, smoothing, value, effective_order, lowercase):
    """The same through `corpus_score` and `sentence_score`."""
    predictions, references = random_segments(3, 100, 7)
    peer = BLEU(
        smooth_method=smoothing,
        smooth_value=value,
        effective_order=effective_order,
        lowercase=lowercase,
    )
    options = {
        "smoothing": smoothing,
        "effective_order": effective_order,
        "lowercase": lowercase,
        "preset": "sacrebleu",
    }
    options |= {} if value is None else {"smoothing_value": value}
    result = bleu_full.compute(predictions=predictions, references=references, **options)
    assert_equal(result, as_result(peer.corpus_score(predictions, as_streams(references))))
    result = bleu_full.compute(
        predictions=predictions, references=references, use_aggregator=False, **options
    )
    assert_equal(
        result,
        as_columns(
            [
                as_result(peer.sentence_score(*segment))
                for segment in zip(predictions, references, strict=True)
            ]
        ),
    )


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


@pytest.mark.parametrize("max_words", [1, 2, 3])
@pytest.mark.parametrize("effective_order", [False, True])
@pytest.mark.parametrize(("smoothing", "value"), SACREBLEU_SMOOTHINGS)
def test_sacrebleu_on_a_corpus_of_short_segments(
    bleu_full, max_words, effective_order, smoothing, value
):
    """No segment has 4 tokens: the score is 0, but for effective order, and but for add-k, which
    counts k of k 4-grams.
    """
    predictions, references = random_tokens(max_words, 300, max_words)
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
    known = module_of(bleu_full, "tokenization").sacrebleu_tokenizer
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


short_text = st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(BLANKS)), max_size=7).map(
    lambda pieces: "".join(map("".join, pieces))
)
segments = st.lists(
    st.tuples(short_text, st.lists(short_text, min_size=1, max_size=3)), min_size=1, max_size=4
)
sacrebleu_options = st.fixed_dictionaries(
    {
        "tokenizer": st.sampled_from(SACREBLEU_TOKENIZERS),
        "lowercase": st.booleans(),
        "effective_order": st.booleans(),
        "max_order": st.integers(1, 6),
        "smoothing": st.sampled_from(["none", "floor", "add-k", "exp"]),
    }
)


@moderate
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


# --- preset "evaluate" ----------------------------------------------------------------------------

_SYMBOLS = "".join(sorted(set(string.punctuation) - set("',-.")))


def evaluate_13a(text):
    """Return the tokens of evaluate's `bleu` 0.4: those of mteval-v13a, without sacreBLEU's
    `rstrip` before.

    >>> evaluate_13a("word-\\n"), evaluate_13a("3.5-4, a.b")
    (['word'], ['3.5', '-', '4', ',', 'a', '.', 'b'])
    """
    for old, new in (
        ("<skipped>", ""),
        ("-\n", ""),
        ("\n", " "),
        ("&quot;", '"'),
        ("&amp;", "&"),
        ("&lt;", "<"),
        ("&gt;", ">"),
    ):
        text = text.replace(old, new)
    text = "".join(
        f" {character} " if character in _SYMBOLS else character for character in f" {text} "
    )
    text = re.sub("([^0-9])([.,])", lambda match: f"{match[1]} {match[2]} ", text)
    text = re.sub("([.,])([^0-9])", lambda match: f" {match[1]} {match[2]}", text)
    return re.sub("([0-9])-", lambda match: f"{match[1]} - ", text).split()


def evaluate_bleu(predictions, references, max_order=4, smooth=False, tokenizer=evaluate_13a):
    """Return what evaluate's `bleu` 0.4 does; it divides by the number of tokens of both sides,
    also where that is 0.

    The length of each segment is that of its shortest reference; `smooth` adds one to both sides of
    the fraction of every order.
    """
    predictions, references = (
        [tokenizer(text) for text in predictions],
        [[tokenizer(text) for text in texts] for texts in references],
    )
    translation_length, reference_length = (
        sum(map(len, predictions)),
        sum(min(map(len, texts)) for texts in references),
    )
    precisions = []
    for order in range(1, max_order + 1):
        matches = sum(
            oracles.ngram_matches(prediction, texts, order)
            for prediction, texts in zip(predictions, references, strict=True)
        )
        total = sum(max(0, len(prediction) + 1 - order) for prediction in predictions)
        precisions.append((matches + smooth) / (total + smooth) if total + smooth else 0.0)
    ratio = translation_length / reference_length
    brevity_penalty = 1.0 if ratio > 1 else math.exp(1 - 1 / ratio)
    mean = math.exp(sum(map(math.log, precisions)) / max_order) if min(precisions) > 0 else 0.0
    values = (
        mean * brevity_penalty,
        precisions,
        brevity_penalty,
        ratio,
        translation_length,
        reference_length,
    )
    return dict(zip(["bleu", *PARTS], values, strict=True))


EVALUATE_SETTINGS = [(4, False), (4, True), (1, False), (2, True), (6, False), (6, True)]


@pytest.mark.parametrize(("max_order", "smooth"), EVALUATE_SETTINGS)
def test_evaluate_on_3000_segments(bleu_full, max_order, smooth):
    predictions, references = SEGMENTS
    options = {"max_order": max_order, "smooth": smooth, "preset": "evaluate"}
    result = bleu_full.compute(predictions=predictions, references=references, **options)
    expected = evaluate_bleu(predictions, references, max_order, smooth)
    assert list(result) == list(expected)
    assert_equal(result, expected)
    assert 0 < result["bleu"] < 1


@pytest.mark.parametrize(("max_order", "smooth"), EVALUATE_SETTINGS)
def test_evaluate_on_each_segment(bleu_full, max_order, smooth):
    """Where it raises ZeroDivisionError, which it does where the prediction or the shortest
    reference has no tokens, there is a score.
    """
    options = {
        "max_order": max_order,
        "smooth": smooth,
        "preset": "evaluate",
        "use_aggregator": False,
    }
    result = bleu_full.compute(predictions=SEGMENTS[0], references=SEGMENTS[1], **options)
    n_raised = 0
    for i, (prediction, texts) in enumerate(zip(*SEGMENTS, strict=True)):
        values = {key: column[i] for key, column in result.items()}
        try:
            assert_equal(values, evaluate_bleu([prediction], [texts], max_order, smooth))
        except ZeroDivisionError:
            n_raised += 1
            assert all(
                map(
                    math.isfinite,
                    (
                        values["bleu"],
                        values["brevity_penalty"],
                        values["length_ratio"],
                        *values["precisions"],
                    ),
                )
            )
            if not any(map(evaluate_13a, texts)):
                assert values["bleu"] == 0
    assert 100 < n_raised < 2000


@pytest.mark.parametrize("smooth", [False, True])
@pytest.mark.parametrize(
    ("prediction", "references", "bleu", "brevity_penalty", "length_ratio"),
    [
        ("", ["a b"], 0.0, 0.0, 0.0),
        ("a b", [""], 0.0, 1.0, 0.0),
        ("", [""], 0.0, 1.0, 0.0),
        ("\n", ["\f"], 0.0, 1.0, 0.0),
        (
            "a b c d",
            ["", "a b c d"],
            1.0,
            1.0,
            0.0,
        ),  # the shortest reference has no tokens: there is no penalty
    ],
)
def test_evaluate_where_it_divides_by_zero(
    bleu_full, prediction, references, bleu, brevity_penalty, length_ratio, smooth
):
    with pytest.raises(ZeroDivisionError):
        evaluate_bleu([prediction], [references], smooth=smooth)
    result = bleu_full.compute(
        predictions=[prediction], references=[references], preset="evaluate", smooth=smooth
    )
    assert (result["bleu"], result["brevity_penalty"], result["length_ratio"]) == (
        bleu,
        brevity_penalty,
        length_ratio,
    )
    if not any(references):
        result = bleu_full.compute(
            predictions=[prediction],
            references=[references],
            preset="evaluate",
            smooth=smooth,
            zero_division=math.nan,
        )
        assert math.isnan(result["bleu"])


@pytest.mark.parametrize(
    ("preset", "smooth"),
    [(preset, False) for preset in (None, "evaluate", "nltk", "matlab")]
    + [("matlab", True)]
    + [(preset, True) for preset in (None, "evaluate", "nltk")],
)
def test_a_prediction_without_tokens_scores_zero(bleu_full, preset, smooth):
    """Also where one of its references has none."""
    assert (
        bleu_full.compute(predictions=[""], references=[["", "a b"]], smooth=smooth, preset=preset)[
            "bleu"
        ]
        == 0
    )


def test_evaluate_takes_off_a_hyphen_at_the_end_of_a_text(bleu_full):
    """Its 13a is that of sacreBLEU without `rstrip`: "word-\\n" is `word` there and `word-` in
    sacreBLEU.
    """
    for text, of_evaluate, of_sacrebleu in (
        ("word-\n", "word", "word-"),
        ("a-\n\n", "a", "a-"),
        ("5-\n", "5", "5 -"),
        ("word-\nb", "wordb", "wordb"),
    ):
        assert evaluate_13a(text) == of_evaluate.split()
        assert BLEU().tokenizer(text.rstrip()).split() == of_sacrebleu.split()
        for preset, tokens in (
            ("evaluate", of_evaluate),
            ("sacrebleu", of_sacrebleu),
            (None, of_sacrebleu),
        ):
            result = bleu_full.compute(
                predictions=[text], references=[tokens], max_order=1, preset=preset
            )
            assert (result["bleu"], result["translation_length"]) == (1.0, len(tokens.split()))


def test_evaluate_with_another_tokenizer(bleu_full):
    predictions, references = SEGMENTS[0][:300], SEGMENTS[1][:300]
    for tokenizer in (str.split, list, lambda text: text.lower().split("-")):
        result = bleu_full.compute(
            predictions=predictions,
            references=references,
            tokenizer=tokenizer,
            preset="evaluate",
            smooth=True,
        )
        assert_equal(result, evaluate_bleu(predictions, references, 4, True, tokenizer))


@moderate
@given(segments, st.integers(1, 6), st.booleans())
def test_evaluate_with_any_options(bleu_full, corpus, max_order, smooth):
    predictions, references = map(list, zip(*corpus, strict=True))
    result = bleu_full.compute(
        predictions=predictions,
        references=references,
        max_order=max_order,
        smooth=smooth,
        preset="evaluate",
    )
    try:
        expected = evaluate_bleu(predictions, references, max_order, smooth)
    except ZeroDivisionError:
        assert math.isfinite(result["bleu"])
    else:
        assert_equal(result, expected)


# --- preset "nltk" --------------------------------------------------------------------------------

NLTK_METHODS = [
    "none",
    "floor",
    "add-k",
    "exp",
    "chen-cherry-4",
    "chen-cherry-5",
    "chen-cherry-6",
    "chen-cherry-7",
]
# Of one to eight orders; they need not sum to one.
NLTK_WEIGHTS = [
    (1.0,),
    (0.5, 0.5),
    (0.0, 0.0, 2.0),
    (0.25, 0.25, 0.25, 0.25),
    (0.4, 0.0, 0.3, 0.2, 0.1),
    (0.0, 0.7, 0.0, 0.1, 0.0, 0.0),
    (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7),
    (0.125,) * 8,
]
NAMED_WEIGHTS = {f"bleu{len(weights)}": weights for weights in NLTK_WEIGHTS}


def nltk_method(number):
    return getattr(SmoothingFunction(), f"method{number}")


def is_zero(predictions, references, weights):
    """Return whether an order of positive weight has no matches. BLEU without smoothing is 0 then;
    NLTK takes 2.2e-308 for the precision.
    """
    orders = [order for order, weight in enumerate(weights, 1) if weight]
    return any(
        not sum(
            oracles.ngram_matches(p, r, order) for p, r in zip(predictions, references, strict=True)
        )
        for order in orders
    )


@pytest.mark.parametrize("method", range(5))
def test_nltk_on_3000_segments(bleu_full, method):
    predictions, references = TOKENS
    expected = corpus_bleu(references, predictions, NLTK_WEIGHTS, nltk_method(method))
    result = bleu_full.compute(
        predictions=predictions,
        references=references,
        preset="nltk",
        weights=NAMED_WEIGHTS,
        smoothing=NLTK_METHODS[method],
    )
    np.testing.assert_allclose(
        [result[name] for name in NAMED_WEIGHTS], expected, rtol=1e-12, atol=0
    )
    predictions, references = predictions[:200], references[:200]
    for weights in NLTK_WEIGHTS:
        alone = bleu_full.compute(
            predictions=predictions,
            references=references,
            preset="nltk",
            weights=weights,
            smoothing=NLTK_METHODS[method],
        )
        assert alone["bleu"] == pytest.approx(
            corpus_bleu(references, predictions, weights, nltk_method(method)), rel=1e-12
        )


@pytest.mark.parametrize("method", range(8))
def test_nltk_on_each_segment(bleu_full, method):
    result = bleu_full.compute(
        predictions=TOKENS[0],
        references=TOKENS[1],
        preset="nltk",
        weights=NAMED_WEIGHTS,
        smoothing=NLTK_METHODS[method],
        use_aggregator=False,
    )
    n_compared = 0
    for i, (prediction, references) in enumerate(zip(*TOKENS, strict=True)):
        scores = [result[name][i] for name in NAMED_WEIGHTS]
        try:
            expected = sentence_bleu(references, prediction, NLTK_WEIGHTS, nltk_method(method))
        except AssertionError:
            assert method == 6  # where no 3-gram matches; here such a segment has a score
            assert all(map(math.isfinite, scores))
            continue
        if method == 0:
            expected = [
                0.0 if is_zero([prediction], [references], weights) else score
                for weights, score in zip(NLTK_WEIGHTS, expected, strict=True)
            ]
        np.testing.assert_allclose(
            scores, expected, rtol=1e-12, atol=0, err_msg=f"{prediction} {references}"
        )
        n_compared += 1
    assert n_compared == N_SEGMENTS if method != 6 else n_compared > 500


@pytest.mark.parametrize("weights", NLTK_WEIGHTS)
@pytest.mark.parametrize("method", [5, 6, 7])
def test_nltk_weights_alone(bleu_full, method, weights):
    """Methods 5 and 7 average each order with the next one; behind the last one NLTK takes order 5,
    however many weights there are.
    """
    result = bleu_full.compute(
        predictions=TOKENS[0][:500],
        references=TOKENS[1][:500],
        preset="nltk",
        weights=weights,
        smoothing=NLTK_METHODS[method],
        use_aggregator=False,
    )
    n_compared = 0
    for prediction, references, score in zip(TOKENS[0], TOKENS[1], result["bleu"], strict=False):
        try:
            expected = sentence_bleu(references, prediction, weights, nltk_method(method))
        except (AssertionError, IndexError):
            assert method == 6
            continue
        assert score == pytest.approx(expected, rel=1e-12, abs=0)
        n_compared += 1
    assert n_compared == 500 if method != 6 else (n_compared > 100) == (len(weights) > 2)


def test_nltk_counts_an_ngram_where_a_segment_has_none(bleu_full):
    """The example on the card of evaluate's `bleu`: 4 and 3 words, all of them right. NLTK divides
    one 4-gram by two.
    """
    predictions, references = (
        ["hello there general kenobi", "foo bar foobar"],
        [["hello there general kenobi", "hello there !"], ["foo bar foobar"]],
    )
    expected = corpus_bleu(
        [[text.split() for text in texts] for texts in references],
        [text.split() for text in predictions],
    )
    assert round(expected, 4) == 0.8409
    result = bleu_full.compute(predictions=predictions, references=references, preset="nltk")
    assert result["bleu"] == pytest.approx(expected, rel=1e-15)
    assert result["precisions"] == [1.0, 1.0, 1.0, 0.5]
    assert bleu_full.compute(predictions=predictions, references=references)["bleu"] == 1.0


def test_nltk_zero_is_zero(bleu_full):
    prediction, reference = "the cat sat on a rug", "the cat lay on the mat"
    assert 0 < sentence_bleu([reference.split()], prediction.split()) < 1e-100
    assert (
        bleu_full.compute(predictions=[prediction], references=[reference], preset="nltk")["bleu"]
        == 0.0
    )
    # With a small weight NLTK's 2.2e-308 is not small: half of the score of the words alone.
    weights = [1, 0, 0.001]
    assert sentence_bleu([reference.split()], prediction.split(), weights) == pytest.approx(
        0.5 * 2.2250738585072014e-308**0.001
    )
    assert (
        bleu_full.compute(
            predictions=[prediction], references=[reference], preset="nltk", weights=weights
        )["bleu"]
        == 0.0
    )


def test_nltk_weights_are_not_scaled(bleu_full):
    corpus = {"predictions": TOKENS[0], "references": TOKENS[1], "preset": "nltk"}
    score = bleu_full.compute(**corpus, weights=[0.5, 0.5])["bleu"]
    assert bleu_full.compute(**corpus, weights=[1, 1])["bleu"] == pytest.approx(
        corpus_bleu(TOKENS[1], TOKENS[0], (1, 1)), rel=1e-12
    )
    assert bleu_full.compute(**corpus, weights=[1, 1])["bleu"] < score
    assert (
        bleu_full.compute(predictions=TOKENS[0], references=TOKENS[1], weights=[1, 1])["precisions"]
        != []
    )


def test_nltk_takes_texts_as_tokens_between_blanks(bleu_full):
    texts = {
        "predictions": ["Hello, world! x"],
        "references": ["Hello, world! y"],
        "preset": "nltk",
        "max_order": 2,
    }
    tokens = {
        "predictions": [["Hello,", "world!", "x"]],
        "references": [["Hello,", "world!", "y"]],
        "preset": "nltk",
        "max_order": 2,
    }
    assert bleu_full.compute(**texts) == bleu_full.compute(**tokens)
    assert bleu_full.compute(**texts)["precisions"] == [2 / 3, 1 / 2]
    assert bleu_full.compute(**texts, tokenizer="13a")["precisions"] == [4 / 5, 3 / 4]


token_list = st.lists(st.sampled_from("abc"), max_size=8)
token_segments = st.lists(
    st.tuples(token_list, st.lists(token_list, min_size=1, max_size=3)), min_size=1, max_size=4
)
weight_lists = st.lists(st.sampled_from([0, 0.1, 0.25, 0.5, 1, 3]), min_size=1, max_size=8).filter(
    any
)


@moderate
@given(token_segments, weight_lists, st.integers(0, 7))
def test_nltk_with_any_options(bleu_full, corpus, weights, method):
    corpus = corpus[:1] if method > 4 else corpus
    predictions, references = map(list, zip(*corpus, strict=True))
    result = bleu_full.compute(
        predictions=predictions,
        references=references,
        preset="nltk",
        weights=weights,
        smoothing=NLTK_METHODS[method],
    )
    try:
        expected = corpus_bleu(references, predictions, weights, nltk_method(method))
    except (AssertionError, IndexError):
        assert method == 6
        return
    if method == 0 and is_zero(predictions, references, weights):
        expected = 0.0
    assert result["bleu"] == pytest.approx(expected, rel=1e-12, abs=0)


# --- preset "matlab" and weights ------------------------------------------------------------------

FOX = "The fast brown fox jumped over the lazy dog."
FOX_REFERENCES = [
    "The quick brown animal jumped over the lazy dog.",
    "The quick brown fox jumped over the lazy dog.",
]


@pytest.mark.parametrize(("weights", "printed"), [(None, 0.7825), ([0.5, 0.5], 0.8367)])
def test_matlab_printed_examples(bleu_full, weights, printed):
    # https://www.mathworks.com/help/textanalytics/ref/bleuevaluationscore.html, "Evaluate Summary"
    # and "Specify N-Gram Weights"
    assert (
        round(
            bleu_full.compute(
                predictions=[FOX], references=[FOX_REFERENCES], weights=weights, preset="matlab"
            )["bleu"],
            4,
        )
        == printed
    )


@pytest.mark.parametrize(
    ("prediction", "references", "weights", "expected"),
    [
        # The same page: NaN where candidate and references are all empty
        ([], [[]], [1], math.nan),
        ([], [[], []], [1, 1, 1, 1], math.nan),
        # and 0 where the candidate has fewer words than there are weights, even if it equals a
        # reference
        (["a", "b", "c"], [["a", "b", "c"]], [1, 1, 1, 1], 0.0),
        (["a", "b", "c"], [["a", "b", "c"]], [1, 1, 1], 1.0),
        (["a", "b", "c"], [["a", "b", "c"]], [1, 0, 0, 0], 0.0),
        (["a", "b", "c", "d"], [["a", "b", "c", "d"]], [1, 0, 0, 0], 1.0),
        # only one side is empty
        ([], [["a"]], [1], 0.0),
        ([], [[], ["a"]], [1], 0.0),
        (["a"], [[]], [1], 0.0),
        (["a"], [[], []], [1], 0.0),
        (["a"], [[], ["a"]], [1], 1.0),
    ],
)
def test_matlab_empty_and_short_documents(bleu_full, prediction, references, weights, expected):
    score = bleu_full.compute(
        predictions=[prediction], references=[references], weights=weights, preset="matlab"
    )["bleu"]
    assert score == pytest.approx(expected, nan_ok=True, abs=0)
    both = {"predictions": [prediction, ["x"] * 9], "references": [references, [["x"] * 9]]}
    assert bleu_full.compute(**both, weights=weights, preset="matlab", use_aggregator=False)[
        "bleu"
    ] == pytest.approx([expected, 1.0], nan_ok=True, abs=0)


def test_matlab_zero_division_can_be_chosen(bleu_full):
    assert (
        bleu_full.compute(predictions=[""], references=[""], preset="matlab", zero_division=0.0)[
            "bleu"
        ]
        == 0.0
    )
    assert bleu_full.compute(predictions=[""], references=[""])["bleu"] == 0.0


ANY_WEIGHTS = [
    [3],
    [0.2],
    [1, 1],
    [10, 20, 70],
    [0.1, 0.1, 0.1, 0.1],
    [0, 1],
    [1, 0],
    [0, 0, 1, 0],
    [1, 0, 0, 2],
    [0, 1, 0, 1, 0],
    [1, 2, 3, 4, 5, 6, 7, 8],
    [1] * 8,
    [0, 0, 0, 0, 0, 0, 0, 1],
    [1e-300, 1e-300],
    [1e300, 1e300],
]


@pytest.mark.parametrize("weights", ANY_WEIGHTS)
def test_matlab_with_any_weights(bleu_full, weights):
    predictions, references = random_tokens(6, 400, max_words=14)
    scaled = [weight / math.fsum(weights) for weight in weights]
    result = bleu_full.compute(
        predictions=predictions,
        references=references,
        weights=weights,
        preset="matlab",
        use_aggregator=False,
    )
    for prediction, texts, score in zip(predictions, references, result["bleu"], strict=True):
        if not prediction and not any(texts):
            assert math.isnan(score)
        elif len(prediction) < len(weights):
            assert score == 0
        else:
            assert score == pytest.approx(
                oracles.bleu([prediction], [texts], scaled), rel=1e-12, abs=0
            )
    corpus = bleu_full.compute(predictions=predictions, references=references, weights=weights)
    assert corpus["bleu"] == pytest.approx(oracles.bleu(predictions, references, scaled), rel=1e-12)
    assert (
        bleu_full.compute(
            predictions=predictions, references=references, weights=weights, preset="matlab"
        )
        == corpus
    )


def test_several_weights_count_ngrams_once(bleu_full, monkeypatch):
    scorer = module_of(bleu_full, "bleu_scorer")
    calls = []
    count = scorer.ngram_matches
    monkeypatch.setattr(
        scorer, "ngram_matches", lambda *arguments: calls.append(arguments[1]) or count(*arguments)
    )
    weights = {"bleu1": [1], "bleu2": [1, 1], "bleu4": [1, 1, 1, 1]}
    corpus = {"predictions": [FOX, "a b"], "references": [FOX_REFERENCES, ["a b"]]}
    result = bleu_full.compute(**corpus, weights=weights)
    assert calls == [4]  # once, for all orders up to 4
    alone = {
        name: bleu_full.compute(**corpus, weights=values)["bleu"]
        for name, values in weights.items()
    }
    assert calls == [4, 1, 2, 4]
    assert {name: result[name] for name in weights} == alone


# --- options --------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"preset": "nltk"}, {"weights": [1, 2]}, {"max_order": 6}])
@pytest.mark.parametrize("smoothing", NLTK_METHODS)
def test_the_order_of_segments_cannot_matter(bleu_full, smoothing, options):
    predictions, references = random_tokens(7, 200)
    expected = bleu_full.compute(
        predictions=predictions, references=references, smoothing=smoothing, **options
    )
    for seed in range(3):
        order = random.Random(seed).sample(range(200), 200)
        shuffled = {
            "predictions": [predictions[i] for i in order],
            "references": [references[i] for i in order],
        }
        assert bleu_full.compute(**shuffled, smoothing=smoothing, **options) == expected


@pytest.mark.parametrize("preset", ["sacrebleu", "evaluate", "nltk", "matlab"])
def test_options_beside_a_preset_win(bleu_full, preset):
    predictions, references = random_tokens(
        8, 200, min_words=4
    )  # what NLTK does about shorter ones is not an option
    corpus = {
        "predictions": ["-".join(tokens) for tokens in predictions],
        "references": [["-".join(tokens) for tokens in texts] for texts in references],
    }
    options = {
        "tokenizer": lambda text: text.split("-"),
        "smoothing": "floor",
        "smoothing_value": 0.3,
        "reference_length": "average",
    }
    options |= {"zero_division": 0.0, "weights": [0.1, 0.2, 0.3, 0.4]}
    result = bleu_full.compute(**corpus, **options, preset=preset)
    without = bleu_full.compute(**corpus, **options)
    assert {key: result[key] for key in without} == without


@pytest.mark.parametrize("preset", [None, "sacrebleu", "evaluate", "nltk", "matlab"])
@pytest.mark.parametrize(
    ("name", "length_of"),
    [
        ("closest", None),
        ("shortest", min),
        ("average", lambda lengths: sum(lengths) / len(lengths)),
    ],
)
def test_reference_length(bleu_full, name, length_of, preset):
    predictions, references = TOKENS
    options = {"reference_length": name, "preset": preset, "max_order": 2, "use_aggregator": False}
    result = bleu_full.compute(predictions=predictions, references=references, **options)
    for prediction, texts, length, penalty in zip(
        predictions, references, result["reference_length"], result["brevity_penalty"], strict=True
    ):
        lengths = list(map(len, texts))
        expected = (
            oracles.closest_reference_length(len(prediction), lengths)
            if length_of is None
            else length_of(lengths)
        )
        assert length == pytest.approx(expected, rel=1e-15)
        assert penalty == pytest.approx(
            (
                math.exp(min(0, 1 - expected / len(prediction)))
                if prediction
                else float(expected == 0)
            ),
            rel=1e-12,
        )
    corpus = bleu_full.compute(
        predictions=predictions, references=references, **options | {"use_aggregator": True}
    )
    assert corpus["reference_length"] == pytest.approx(sum(result["reference_length"]), rel=1e-12)
    defaults = {
        None: "closest",
        "sacrebleu": "closest",
        "evaluate": "shortest",
        "nltk": "closest",
        "matlab": "closest",
    }
    if name == defaults[preset]:
        del options["reference_length"]
        assert (
            bleu_full.compute(predictions=predictions, references=references, **options)[
                "reference_length"
            ]
            == result["reference_length"]
        )


SMOOTHINGS = "'none', 'floor', 'add-k', 'exp', 'chen-cherry-4', 'chen-cherry-5', 'chen-cherry-6' or 'chen-cherry-7'"
ERRORS = [
    (
        {"smoothing": "add_k"},
        ValueError,
        f"smoothing must be {SMOOTHINGS}, got 'add_k'. Did you mean 'add-k'?",
    ),
    (
        {"smoothing": "chen-cherry-3"},
        ValueError,
        f"smoothing must be {SMOOTHINGS}, got 'chen-cherry-3'. Did you mean 'chen-cherry-7'?",
    ),
    ({"smoothing": "method4"}, ValueError, f"smoothing must be {SMOOTHINGS}, got 'method4'"),
    ({"smoothing": None}, ValueError, f"smoothing must be {SMOOTHINGS}, got None"),
    ({"smoothing": True}, ValueError, f"smoothing must be {SMOOTHINGS}, got True"),
    (
        {"smoothing_value": 1},
        ValueError,
        "smoothing_value needs smoothing='floor' or 'add-k', got smoothing='none'",
    ),
    (
        {"smoothing_value": 1, "preset": "sacrebleu"},
        ValueError,
        "smoothing_value needs smoothing='floor' or 'add-k', got smoothing='exp'",
    ),
    (
        {"smoothing": "chen-cherry-4", "smoothing_value": 5},
        ValueError,
        "smoothing_value needs smoothing='floor' or 'add-k', got smoothing='chen-cherry-4'",
    ),
    (
        {"smoothing": "floor", "smoothing_value": -0.1},
        ValueError,
        "smoothing_value must be a number >= 0, got -0.1",
    ),
    (
        {"smoothing": "floor", "smoothing_value": math.inf},
        ValueError,
        "smoothing_value must be a number >= 0, got inf",
    ),
    (
        {"smoothing": "add-k", "smoothing_value": math.nan},
        ValueError,
        "smoothing_value must be a number >= 0, got nan",
    ),
    (
        {"smoothing": "add-k", "smoothing_value": "1"},
        ValueError,
        "smoothing_value must be a number >= 0, got '1'",
    ),
    (
        {"smoothing": "add-k", "smoothing_value": True},
        ValueError,
        "smoothing_value must be a number >= 0, got True",
    ),
    ({"smooth": 1}, TypeError, "smooth must be True or False, got int 1"),
    ({"smooth": "exp"}, TypeError, "smooth must be True or False, got str 'exp'"),
    (
        {"smooth": True, "smoothing": "floor"},
        ValueError,
        "smooth=True, which adds one to matches and totals, and smoothing='floor' cannot both be given",
    ),
    (
        {"smooth": True, "preset": "sacrebleu"},
        ValueError,
        "smooth=True, which adds one to matches and totals, and smoothing='exp' cannot both be given",
    ),
    (
        {"reference_length": "longest"},
        ValueError,
        "reference_length must be 'closest', 'shortest' or 'average', got 'longest'. Did you mean 'closest'?",
    ),
    (
        {"reference_length": "shortes"},
        ValueError,
        "reference_length must be 'closest', 'shortest' or 'average', got 'shortes'. Did you mean 'shortest'?",
    ),
    ({"effective_order": 1}, TypeError, "effective_order must be True or False, got int 1"),
    (
        {"preset": "sacreBLEU"},
        ValueError,
        "preset must be 'sacrebleu', 'evaluate', 'nltk' or 'matlab', got 'sacreBLEU'",
    ),
    (
        {"preset": "multi-bleu"},
        ValueError,
        "preset must be 'sacrebleu', 'evaluate', 'nltk' or 'matlab', got 'multi-bleu'",
    ),
    ({"weights": {"counts": [1]}}, ValueError, None),
    ({"weights": {"totals": [1]}, "preset": "sacrebleu"}, ValueError, None),
]


@pytest.mark.parametrize(("options", "kind", "message"), ERRORS)
def test_errors(bleu_full, options, kind, message):
    with pytest.raises(kind) as error:
        bleu_full.compute(predictions=["a"], references=["a"], **options)
    if message is None:
        name = next(iter(options["weights"]))
        names = "'precisions', 'brevity_penalty', 'length_ratio', 'translation_length', 'reference_length', 'counts', 'totals'"
        message = f"weights must have strings other than {names} as names, got {name!r}"
    assert str(error.value) == message


def test_smooth_false_goes_with_any_smoothing(bleu_full):
    for smoothing in NLTK_METHODS:
        result = bleu_full.compute(
            predictions=[FOX], references=[FOX_REFERENCES], smooth=False, smoothing=smoothing
        )
        assert result == bleu_full.compute(
            predictions=[FOX], references=[FOX_REFERENCES], smoothing=smoothing
        )


def test_smoothing_value_of_one_half_and_its_defaults(bleu_full):
    corpus = {
        "predictions": ["a b x d e"],
        "references": ["a b c d e"],
    }  # 4 of 5, 2 of 4, 0 of 3 and 0 of 2 match
    precisions = {
        ("floor", None): [4 / 5, 2 / 4, 0.1 / 3, 0.1 / 2],
        ("floor", 0.5): [4 / 5, 2 / 4, 0.5 / 3, 0.5 / 2],
        ("floor", 0): [4 / 5, 2 / 4, 0, 0],
        ("add-k", None): [4 / 5, 3 / 5, 1 / 4, 1 / 3],
        ("add-k", np.float32(0.5)): [4 / 5, 2.5 / 4.5, 0.5 / 3.5, 0.5 / 2.5],
        ("add-k", np.int64(2)): [4 / 5, 4 / 6, 2 / 5, 2 / 4],
        ("exp", None): [4 / 5, 2 / 4, 1 / 2 / 3, 1 / 4 / 2],
        ("none", None): [4 / 5, 2 / 4, 0, 0],
    }
    for (smoothing, value), expected in precisions.items():
        result = bleu_full.compute(**corpus, smoothing=smoothing, smoothing_value=value)
        assert result["precisions"] == pytest.approx(expected, rel=1e-15)
        assert result["bleu"] == pytest.approx(math.prod(expected) ** 0.25, rel=1e-14)
    assert bleu_full.compute(**corpus, smooth=True)["precisions"] == [5 / 6, 3 / 5, 1 / 4, 1 / 3]
