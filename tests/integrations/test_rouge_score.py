"""The RougeScorer of rouge_bleu.integrations beside that of rouge_score, to the last digit."""

import pickle

import nltk
import numpy as np
import pytest
import rouge_score
from hypothesis import example, given
from hypothesis import strategies as st
from rouge_score import rouge_scorer as original
from rouge_score import scoring as original_scoring

from rouge_bleu.integrations.rouge_score import rouge_scorer, scoring

TYPES = ["rouge1", "rouge2", "rouge3", "rouge9", "rougeL", "rougeLsum"]
# Few words, so that they repeat and match; characters that lowercase, separate or end no line.
WORDS = st.sampled_from(
    "a b c running runs The 2 \u0130x \u212a é 中 x-y \n \r \x85 _ ' \ud800".split(" ")
)
TEXTS = st.one_of(st.lists(WORDS, max_size=30).map(" ".join), st.text(max_size=20))


class Characters:
    """A tokenizer of the user."""

    def tokenize(self, text):
        return list(text)


OPTIONS = [{}, {"use_stemmer": True}, {"tokenizer": Characters()}, {"split_summaries": True}]


@pytest.fixture(autouse=True)
def sentences_of_nltk(monkeypatch):
    """Its model of sentences is downloaded; any function shows that it is asked."""
    monkeypatch.setattr(nltk, "sent_tokenize", lambda text: text.split("2"))


@pytest.mark.parametrize("options", OPTIONS)
def test_scores_are_those_of_rouge_score(options):
    ours, theirs = (
        rouge_scorer.RougeScorer(TYPES, **options),
        original.RougeScorer(TYPES, **options),
    )

    @given(prediction=TEXTS, targets=st.lists(TEXTS, min_size=1, max_size=3))
    @example(prediction="", targets=[""])
    @example(prediction="\n\n", targets=["a", "\n"])
    def compare(prediction, targets):
        assert ours.score(targets[0], prediction) == theirs.score(targets[0], prediction)
        assert ours.score_multi(targets, prediction) == theirs.score_multi(targets, prediction)

    compare()


@pytest.mark.parametrize("name", ["rougeL", "rougeLsum", "rouge1"])
def test_one_type_alone(name):
    texts = ("the cat\nsat on\nthe mat", "on the mat\nthe cats sat")
    ours, theirs = rouge_scorer.RougeScorer([name]), original.RougeScorer([name])
    assert ours.score(*texts) == theirs.score(*texts)
    assert 0 < ours.score(*texts)[name].recall < 1


def test_a_scorer_goes_into_another_process():
    scorer = rouge_scorer.RougeScorer(TYPES, use_stemmer=True)
    copied = pickle.loads(pickle.dumps(scorer))
    assert copied.score("cats", "cat") == scorer.score("cats", "cat")


@pytest.mark.parametrize("name", ["rouge0", "rouge10", "rougeW", "L"])
def test_an_unknown_type_is_an_error_at_once(name):
    with pytest.raises(ValueError, match=name):
        original.RougeScorer([name]).score("a", "a")
    with pytest.raises(ValueError, match=name):
        rouge_scorer.RougeScorer([name])


def test_the_code_of_rouge_score_readme():
    """`scoring` is theirs, so its classes are too."""
    assert scoring is original_scoring is rouge_score.scoring
    intervals = []
    for module in (rouge_scorer, original):
        scorer, aggregator = module.RougeScorer(TYPES), scoring.BootstrapAggregator(n_samples=50)
        for target, prediction in [("a b c", "a c"), ("a b", "b"), ("a", "c")]:
            score = scorer.score(target, prediction)
            assert isinstance(score["rouge1"], scoring.Score)
            aggregator.add_scores(score)
        np.random.seed(3)  # noqa: NPY002
        intervals.append(aggregator.aggregate())
    assert intervals[0] == intervals[1]
    assert intervals[0]["rouge1"].low.recall < intervals[0]["rouge1"].high.recall
    assert isinstance(intervals[0]["rouge1"], scoring.AggregateScore)
