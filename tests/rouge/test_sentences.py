"""`sentence_splitter`, `cross_sentences` and `summary_lcs` against their textbook form."""

import re
from types import SimpleNamespace

import numpy as np
import pytest
from rouge_score.rouge_scorer import RougeScorer
from sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International

from helpers import oracles
from helpers.oracles import rouge_score_tokens
from helpers.rouge.expected import (
    CHOICES,
    OUTPUTS,
    TYPES,
    UNITS_WITHIN_SENTENCES,
    assert_items,
    expected_items,
    lines_of,
    random_corpus,
    split_corpus,
)
from rouge_bleu.text.sentence_splitting import split_sentences

# --- sentence_splitter ----------------------------------------------------------------------------

SWAPPED = ("The cat sat on the mat. A dog ran home.", "A dog ran home. The cat sat on the mat.")


def test_sentences_of_rouge_lsum(rouge_full):
    options = {
        "predictions": [SWAPPED[0]],
        "references": [SWAPPED[1]],
        "rouge_types": ["rougeL", "rougeLsum"],
    }
    assert rouge_full.compute(**options) == {
        "rougeL": 0.6,
        "rougeLsum": 0.6,
    }  # "the cat sat on the mat", of 10 words
    assert rouge_full.compute(**options, sentence_splitter="newline") == {
        "rougeL": 0.6,
        "rougeLsum": 0.6,
    }
    assert rouge_full.compute(**options, sentence_splitter="sentences") == {
        "rougeL": 0.6,
        "rougeLsum": 1.0,
    }
    assert rouge_full.compute(**options, sentence_splitter=lambda text: text.split(". ")) == {
        "rougeL": 0.6,
        "rougeLsum": 1.0,
    }
    assert rouge_full.compute(**options, sentence_splitter=lambda text: tuple(text.split())) == {
        "rougeL": 0.6,
        "rougeLsum": 1.0,
    }
    assert rouge_full.compute(**options, sentence_splitter=lambda text: [text]) == {
        "rougeL": 0.6,
        "rougeLsum": 0.6,
    }
    assert rouge_full.compute(**options, sentence_splitter=lambda text: []) == {
        "rougeL": 0.6,
        "rougeLsum": 0.0,
    }


def sentence_corpus(seed, n_items=60):
    """Return texts with several sentences in a line, and several lines."""
    rng = np.random.default_rng(seed)
    words = "The Cat cats sat on a mat dog runs 3.14 Dr. Mr. e.g.".split()

    def text():
        sentences = (
            " ".join(rng.choice(words, rng.integers(1, 8)))
            + rng.choice([".", "!", "?", "...", "。", ""])
            for _ in range(rng.integers(0, 5))
        )
        return "".join(sentence + rng.choice([" ", " ", "\n"]) for sentence in sentences)

    return [text() for _ in range(n_items)], [[text()] for _ in range(n_items)]


@pytest.mark.parametrize("tokenizer", [None, "13a", str.split])
def test_splitting_is_the_same_as_newlines_between_the_sentences(rouge_full, tokenizer):
    predictions, references = sentence_corpus(10)
    options = {
        "rouge_types": ["rougeLsum"],
        "output": "all",
        "use_aggregator": False,
        "tokenizer": tokenizer,
    }
    split, split_references = (
        ["\n".join(split_sentences(text)) for text in side]
        for side in (predictions, [texts[0] for texts in references])
    )
    expected = rouge_full.compute(predictions=split, references=split_references, **options)
    assert (
        rouge_full.compute(
            predictions=predictions, references=references, sentence_splitter="sentences", **options
        )
        == expected
    )
    assert (
        rouge_full.compute(
            predictions=predictions,
            references=references,
            sentence_splitter=split_sentences,
            **options,
        )
        == expected
    )
    assert rouge_full.compute(predictions=predictions, references=references, **options) != expected
    if tokenizer is None:
        scorer = RougeScorer(["rougeLsum"])
        scores = [
            scorer.score(reference, prediction)["rougeLsum"]
            for prediction, reference in zip(split, split_references, strict=True)
        ]
        assert expected["rougeLsum_fmeasure"] == [score.fmeasure for score in scores]


def test_a_sentence_of_a_function_may_have_lines(rouge_full):
    """It stays one sentence."""
    options = {
        "predictions": ["a b c\nd e f"],
        "references": ["d e f a b c"],
        "rouge_types": ["rougeLsum"],
        "output": "recall",
    }
    assert rouge_full.compute(**options) == {"rougeLsum": 1.0}
    assert rouge_full.compute(**options, sentence_splitter=lambda text: [text]) == {
        "rougeLsum": 0.5
    }


def test_a_list_of_tokens_is_one_sentence(rouge_full):
    predictions, references = random_corpus(11, 30)
    predictions, references = (
        [text.split() for text in predictions],
        [[text.split() for text in texts] for texts in references],
    )

    def refuse(text):
        raise AssertionError(text)

    for splitter in ("newline", "sentences", refuse):
        result = rouge_full.compute(
            predictions=predictions,
            references=references,
            rouge_types=["rougeL", "rougeLsum"],
            sentence_splitter=splitter,
            use_aggregator=False,
        )
        assert result["rougeL"] == result["rougeLsum"]


def test_the_splitter_is_called_where_it_is_needed(rouge_full):
    calls = []
    options = {
        "predictions": ["a. b", "c"],
        "references": [["a. c"], ["c", "d"]],
        "sentence_splitter": lambda text: calls.append(text) or [text],
    }
    rouge_full.compute(**options, rouge_types=["rouge1", "rougeL", "rougeW", "rougeS4", "rougeSU"])
    assert calls == []
    rouge_full.compute(**options)
    assert sorted(calls) == ["a. b", "a. c", "c", "c", "d"]  # each text once, for all types


@pytest.mark.parametrize("returned", ["a", None, [1], ["a", None], iter(["a"]), [["a"]], b"a"])
def test_a_splitter_that_does_not_return_a_list_of_strings(rouge_full, returned):
    with pytest.raises(
        TypeError, match=r"^sentence_splitter must return a list of strings for each text, got "
    ):
        rouge_full.compute(
            predictions=["a"], references=["a"], sentence_splitter=lambda text: returned
        )


# --- cross_sentences ------------------------------------------------------------------------------


@pytest.mark.parametrize("choice", CHOICES)
def test_units_within_sentences(rouge_full, choice):
    """Matches and totals; the types of the families L and W are what they are without the option."""
    predictions, references = random_corpus(12, max_words=20, max_lines=6)
    options = {
        "rouge_types": TYPES,
        "multi_reference": choice,
        "output": "all",
        "use_aggregator": False,
    }
    result = rouge_full.compute(
        predictions=predictions, references=references, cross_sentences=False, **options
    )
    assert_items(
        result,
        expected_items(
            TYPES, *split_corpus(predictions, references), choice=choice, cross_sentences=False
        ),
    )
    across = rouge_full.compute(predictions=predictions, references=references, **options)
    for name in TYPES:
        same = result[f"{name}_fmeasure"] == across[f"{name}_fmeasure"]
        assert same == (name not in UNITS_WITHIN_SENTENCES or name == "rouge1"), name


sacrebleu_intl = TokenizerV14International()


def intl_tokens(text):
    return sacrebleu_intl(text).split()


@pytest.mark.parametrize("tokenizer", ["13a", "unicode", "intl", str.split])
def test_units_within_sentences_of_any_tokenizer(rouge_full, tokenizer):
    predictions, references = random_corpus(13, 60)
    split = {
        "13a": oracles.tokens_13a,
        "unicode": re.compile("[A-Za-z0-9]+").findall,
        "intl": intl_tokens,
        str.split: str.split,
    }[tokenizer]
    options = {
        "rouge_types": UNITS_WITHIN_SENTENCES,
        "output": "all",
        "use_aggregator": False,
        "tokenizer": tokenizer,
    }
    result = rouge_full.compute(
        predictions=predictions,
        references=references,
        cross_sentences=False,
        lowercase=False,
        **options,
    )
    texts = split_corpus(predictions, references, lambda text: lines_of(text, split))
    assert_items(result, expected_items(UNITS_WITHIN_SENTENCES, *texts, cross_sentences=False))


@pytest.mark.parametrize("splitter", ["sentences", lambda text: re.split("[.!?]", text)])
def test_units_within_sentences_of_a_splitter(rouge_full, splitter):
    predictions, references = sentence_corpus(14)
    split = split_sentences if splitter == "sentences" else splitter
    texts = split_corpus(
        predictions,
        references,
        lambda text: [rouge_score_tokens(sentence) for sentence in split(text)],
    )
    options = {
        "rouge_types": UNITS_WITHIN_SENTENCES,
        "output": "all",
        "use_aggregator": False,
        "sentence_splitter": splitter,
    }
    result = rouge_full.compute(
        predictions=predictions, references=references, cross_sentences=False, **options
    )
    assert_items(result, expected_items(UNITS_WITHIN_SENTENCES, *texts, cross_sentences=False))


def test_tokens_have_no_borders_to_cross(rouge_full):
    options = {"predictions": [["a", "b", "c"]], "references": [["a", "b", "c"]], "output": "all"}
    assert rouge_full.compute(**options, cross_sentences=False) == rouge_full.compute(**options)


# --- summary_lcs ----------------------------------------------------------------------------------


@pytest.mark.parametrize("choice", CHOICES)
@pytest.mark.parametrize("beta", [1.0, 2.0])
def test_best_sentences(rouge_full, choice, beta):
    """The sum over the reference's sentences of the longest LCS with a sentence of the prediction,
    by its length; and the other way round.
    """
    predictions, references = random_corpus(15, max_words=24, max_lines=6)
    options = {
        "rouge_types": ["rougeLsum"],
        "multi_reference": choice,
        "beta": beta,
        "output": "all",
        "use_aggregator": False,
    }
    result = rouge_full.compute(
        predictions=predictions, references=references, summary_lcs="best", **options
    )
    texts = split_corpus(predictions, references)
    assert_items(
        result, expected_items(["rougeLsum"], *texts, choice=choice, beta=beta, summary_lcs="best")
    )
    union = rouge_full.compute(predictions=predictions, references=references, **options)
    assert_items(union, expected_items(["rougeLsum"], *texts, choice=choice, beta=beta))
    assert union != result


def test_the_best_sentence_changes_only_rouge_lsum(rouge_full):
    predictions, references = random_corpus(16, 40)
    names = [name for name in TYPES if name != "rougeLsum"]
    union, longest = (
        rouge_full.compute(
            predictions=predictions, references=references, rouge_types=names, summary_lcs=choice
        )
        for choice in ("union", "best")
    )
    assert union == longest


@pytest.mark.parametrize("tokenizer", [str.split, lambda text: ["<s>", *text.split(), "</s>"]])
def test_a_function_gets_no_blank_lines(rouge_full, tokenizer):
    """rouge_score leaves out empty lines before it tokenizes (`[x for x in sents if len(x)]`), and
    keeps lines of blanks. A tokenizer that adds marks shows which lines it was given.
    """
    pairs = [
        ("a b\n\n\nc d\n", "\nc d\n\na b"),
        ("a b\n \nc", "a b\nc"),
        ("\n\n", "a"),
        ("", "a\n\n"),
        ("a\n\nb", "a\n\n\nb\n\nc"),
    ]
    scorer = RougeScorer(["rougeLsum", "rouge2"], tokenizer=SimpleNamespace(tokenize=tokenizer))
    result = rouge_full.compute(
        predictions=[prediction for prediction, _ in pairs],
        references=[reference for _, reference in pairs],
        tokenizer=tokenizer,
        rouge_types=["rougeLsum", "rouge2"],
        output="all",
        use_aggregator=False,
    )
    for name in ("rougeLsum", "rouge2"):
        for output in OUTPUTS:
            assert result[f"{name}_{output}"] == pytest.approx(
                [getattr(scorer.score(r, p)[name], output) for p, r in pairs], rel=1e-15, abs=0
            ), (name, output)
