"""The BLEU of rouge_bleu.integrations beside that of sacreBLEU."""

import logging

import pytest
import sacrebleu as original
from hypothesis import example, given
from hypothesis import strategies as st

from helpers.hostile_text import PIECES
from rouge_bleu.integrations import sacrebleu

WORDS = st.sampled_from(
    ["a", "b", "The", "cat", "1.5", "..5", "x-1", "&quot;", ".", "中文", "", " ", "-\n"]
)
TEXTS = st.one_of(
    st.lists(WORDS, max_size=12).map(" ".join),
    st.lists(st.sampled_from(PIECES), max_size=12).map("".join),
)
ROWS = st.lists(
    st.tuples(TEXTS, TEXTS, st.none() | TEXTS, st.none() | TEXTS), min_size=1, max_size=5
)
OPTIONS = [
    {},
    {"lowercase": True, "effective_order": True},
    {"tokenize": "none", "smooth_method": "none"},
    {"tokenize": "char", "smooth_method": "add-k"},
    {"tokenize": "intl", "smooth_method": "floor", "smooth_value": 0.01},
    {"trg_lang": "zh", "max_ngram_order": 2, "smooth_method": "add-k", "smooth_value": 0.5},
]
NUMBERS = ("score", "counts", "totals", "precisions", "bp", "sys_len", "ref_len")


def assert_equal(ours, theirs):
    assert str(ours) == str(theirs)
    assert ours.format(width=4, score_only=True) == theirs.format(width=4, score_only=True)
    for name in NUMBERS:
        assert getattr(ours, name) == pytest.approx(getattr(theirs, name), rel=1e-12, abs=0)


@pytest.fixture(autouse=True)
def silent():
    logging.getLogger("sacrebleu").setLevel(logging.ERROR)


@pytest.mark.parametrize("most_characters", [0, 4000], ids=["in columns", "one by one"])
@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.filterwarnings("ignore")
def test_results_and_signatures_are_those_of_sacrebleu(options, most_characters, monkeypatch):
    module = __import__("rouge_bleu.integrations.sacrebleu", fromlist=["x"])
    monkeypatch.setattr(module, "_MOST_CHARACTERS", most_characters)

    @given(rows=ROWS)
    @example(rows=[("the cat sat on", "the cat sat on", None, "the cat sat")] * 3)
    @example(rows=[("", "", None, None)])
    def compare(rows):
        hypotheses, *references = map(list, zip(*rows, strict=True))
        scores = {}
        for package in (sacrebleu, original):
            bleu = package.BLEU(**options)
            corpus = bleu.corpus_score(hypotheses, references)
            signatures = [bleu.get_signature().format(short) for short in (False, True)]
            bleu.sentence_score(hypotheses[0], list(rows[0][1:]))
            cached = package.BLEU(**options, references=references)
            scores[package] = (
                [corpus, bleu.sentence_score(hypotheses[0], rows[0][1:])],
                [cached.corpus_score(hypotheses, None), cached.corpus_score(hypotheses, None, 20)],
                [*signatures, str(cached.get_signature())],
            )
        (alone, with_cache, signatures), expected = scores[sacrebleu], scores[original]
        for ours, theirs in zip(alone + with_cache, expected[0] + expected[1], strict=True):
            assert_equal(ours, theirs)
        assert signatures == expected[2]

    compare()


@pytest.mark.parametrize(
    "options", [{}, {"lowercase": True, "smooth_method": "none", "tokenize": "char"}]
)
def test_functions(options):
    texts = ["The cat sat on a mat.", "A dog."], [["the cat sat on the mat.", "A dog barks."]]
    assert_equal(sacrebleu.corpus_bleu(*texts, **options), original.corpus_bleu(*texts, **options))
    pair = texts[0][0], [texts[1][0][0], None]
    assert_equal(
        sacrebleu.sentence_bleu(*pair, **options), original.sentence_bleu(*pair, **options)
    )


def test_lists_that_differ_in_length_are_an_error():
    """sacreBLEU ignores what is left over, and the score is of other texts."""
    assert original.corpus_bleu(["a b c d", "x"], [["a b c d"]]).score == pytest.approx(100)
    for hypotheses, references in [
        (["a", "b"], [["a"]]),
        (["a"], [["a", "b"]]),
        (["a"], [["a"], []]),
    ]:
        with pytest.raises(ValueError, match=r"references|shorter|longer"):
            sacrebleu.corpus_bleu(hypotheses, references)


def test_all_else_is_that_of_sacrebleu():
    assert sacrebleu.corpus_chrf is original.corpus_chrf
    assert isinstance(sacrebleu.BLEU(), original.BLEU)
    with pytest.raises(AttributeError, match="corpus_meteor"):
        sacrebleu.corpus_meteor  # noqa: B018
