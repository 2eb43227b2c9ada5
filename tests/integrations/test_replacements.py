"""The RougeScorer and the BLEU of rouge_bleu.integrations beside those of rouge_score and sacreBLEU."""

import logging
import pickle

import nltk
import pytest
import sacrebleu as theirs
from hypothesis import example, given
from hypothesis import strategies as st
from rouge_score import rouge_scorer as original
from rouge_score import scoring as original_scoring

from helpers.hostile_text import PIECES
from rouge_bleu.integrations import sacrebleu as ours
from rouge_bleu.integrations.rouge_score import rouge_scorer, scoring

TYPES = ["rouge1", "rouge2", "rouge3", "rouge9", "rougeL", "rougeLsum"]
# Few words, so that they repeat and match; characters that lowercase, separate or end no line.
WORDS = st.sampled_from(
    "a b c running runs The 2 \u0130x \u212a \xe9 \u4e2d x-y \n \r \x85 _ ' \ud800".split(" ")
)
TEXTS = st.one_of(st.lists(WORDS, max_size=30).map(" ".join), st.text(max_size=20))


class Characters:
    """A tokenizer of the user."""

    def tokenize(self, text):
        return list(text)


OPTIONS = [{}, {"use_stemmer": True}, {"tokenizer": Characters()}, {"split_summaries": True}]


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: " ".join(options) or "default")
def test_scores_are_those_of_rouge_score(options, monkeypatch):
    # Its model of sentences is downloaded; any function shows that it is asked.
    monkeypatch.setattr(nltk, "sent_tokenize", lambda text: text.split("2"))
    own, other = (one.RougeScorer(TYPES, **options) for one in (rouge_scorer, original))

    @given(prediction=TEXTS, targets=st.lists(TEXTS, min_size=1, max_size=3))
    @example(prediction="", targets=[""])
    @example(prediction="\n\n", targets=["a", "\n"])
    def compare(prediction, targets):
        assert own.score(targets[0], prediction) == other.score(targets[0], prediction)
        assert own.score_multi(targets, prediction) == other.score_multi(targets, prediction)

    compare()


@pytest.mark.parametrize("name", ["rougeL", "rougeLsum", "rouge1"])
def test_one_type_alone_and_in_another_process(name):
    texts = ("the cat\nsat on\nthe mat", "on the mat\nthe cats sat")
    scorer, expected = rouge_scorer.RougeScorer([name]), original.RougeScorer([name]).score(*texts)
    assert scorer.score(*texts) == expected
    assert pickle.loads(pickle.dumps(scorer)).score(*texts) == expected
    assert 0 < expected[name].recall < 1
    assert scoring is original_scoring  # the classes of its results


@pytest.mark.parametrize("name", ["rouge0", "rouge10", "rougeW", "L"])
def test_an_unknown_type_is_an_error_at_once(name):
    with pytest.raises(ValueError, match=name):
        rouge_scorer.RougeScorer([name])


PARTS = st.sampled_from("a b The cat 1.5 ..5 x-1 &quot; . \u4e2d\u6587  -\n".split(" "))
SEGMENTS = st.one_of(
    st.lists(PARTS, max_size=12).map(" ".join),
    st.lists(st.sampled_from(PIECES), max_size=12).map("".join),
)
MAYBE = st.none() | SEGMENTS
ROWS = st.lists(st.tuples(SEGMENTS, SEGMENTS, MAYBE, MAYBE), min_size=1, max_size=5)
NUMBERS = ("score", "counts", "totals", "precisions", "bp", "sys_len", "ref_len")


def assert_equal(own, other):
    assert str(own) == str(other)
    assert own.format(width=4, score_only=True) == other.format(width=4, score_only=True)
    for name in NUMBERS:
        assert getattr(own, name) == pytest.approx(getattr(other, name), rel=1e-12, abs=0)


logging.getLogger("sacrebleu").setLevel(logging.ERROR)


@pytest.mark.parametrize("most_characters", [0, 4000], ids=["in columns", "one by one"])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"lowercase": True, "effective_order": True},
        {"tokenize": "none", "smooth_method": "none"},
        {"tokenize": "char", "smooth_method": "add-k"},
        {"tokenize": "intl", "smooth_method": "floor", "smooth_value": 0.01},
        {"trg_lang": "zh", "max_ngram_order": 2, "smooth_method": "add-k", "smooth_value": 0.5},
    ],
    ids=str,
)
@pytest.mark.filterwarnings("ignore")
def test_results_and_signatures_are_those_of_sacrebleu(options, most_characters, monkeypatch):
    monkeypatch.setattr(ours.metrics, "_MOST_CHARACTERS", most_characters)

    def found(package, rows):
        hypotheses, *references = map(list, zip(*rows, strict=True))
        bleu = package.BLEU(**options)
        scores = [bleu.corpus_score(hypotheses, references)]
        signatures = [bleu.get_signature().format(short) for short in (False, True)]
        scores.append(bleu.sentence_score(hypotheses[0], list(rows[0][1:])))
        cached = package.BLEU(**options, references=references)
        scores += [cached.corpus_score(hypotheses, None), cached.corpus_score(hypotheses, None, 20)]
        return scores, [*signatures, str(cached.get_signature())]

    @given(rows=ROWS)
    @example(rows=[("the cat sat on", "the cat sat on", None, "the cat sat")] * 3)
    @example(rows=[("", "", None, None)])
    def compare(rows):
        (scores, signatures), (their_scores, their_signatures) = (
            found(package, rows) for package in (ours, theirs)
        )
        for own, other in zip(scores, their_scores, strict=True):
            assert_equal(own, other)
        assert signatures == their_signatures

    compare()


@pytest.mark.parametrize(
    ("hypotheses", "references"),
    [
        (["a", "b"], [["a"]]),
        (["a"], [["a", "b"]]),
        (["a"], [["a"], []]),
        (["a", "b"], [["a", None], ["a", None]]),
    ],
)
def test_lists_that_differ_in_length_are_an_error(hypotheses, references):
    """sacreBLEU ignores the additional texts, and the score is of other texts."""
    with pytest.raises(ValueError, match="reference"):
        ours.corpus_bleu(hypotheses, references)


@pytest.mark.parametrize(
    "call",
    [
        lambda: ours.corpus_bleu("abc", ["abc"]),
        lambda: ours.corpus_bleu(["abc"], ["abc"]),
        lambda: ours.corpus_bleu(["abc"], "abc"),
        lambda: ours.BLEU(references=["abc"]),
        lambda: ours.sentence_bleu("abc", "abc"),
    ],
)
def test_a_text_in_place_of_a_list_is_an_error(call):
    """sacreBLEU takes letters for texts."""
    with pytest.raises(TypeError, match=r"list|sequence"):
        call()


def test_all_else_is_that_of_sacrebleu():
    assert ours.corpus_chrf is theirs.corpus_chrf
    assert isinstance(ours.BLEU(), theirs.BLEU)
    assert pickle.loads(pickle.dumps(ours.sentence_bleu)) is ours.sentence_bleu
    with pytest.raises(AttributeError, match="corpus_meteor"):
        ours.corpus_meteor  # noqa: B018
