"""rouge_full beside packages that the tests install: rouge_score, the average of evaluate's `rouge`,
PyPI's rouge 1.0.1 (preset "pltrdy"), and PyRouge of rouge-metric 1.0.1 ("pyrouge-metric").
"""

import math
from itertools import product

import numpy as np
import pytest
from rouge_metric import PyRouge
from rouge_score.scoring import Score

from helpers import tokenizers
from helpers.packages import GOLDEN
from helpers.rouge.corpora import OUTPUTS, ROUGE_SCORE_TYPES, random_corpus
from helpers.rouge.peers import FOUR_TYPES, evaluate_averages, rouge_score_items, with_names
from rouge import Rouge
from rouge_bleu import rouge as rouge_of
from rouge_bleu.presets import evaluate as averages

EACH = {"use_aggregator": False}
ALL = {"output": "all"}


def row_of(result, place):
    return {key: values[place] for key, values in result.items()}


# --- rouge_score ----------------------------------------------------------------------------------


@pytest.mark.parametrize("use_stemmer", [False, True])
@pytest.mark.parametrize(
    ("n_items", "max_words", "max_references"), [(300, 6, 1), (10, 200, 1), (60, 50, 5)]
)
def test_rouge_score(n_items, max_words, max_references, use_stemmer):
    corpus = random_corpus(max_words, n_items, max_words, max_references)
    options = {"rouge_types": ROUGE_SCORE_TYPES, "use_stemmer": use_stemmer}
    expected = with_names(rouge_score_items(*corpus, **options))
    # To the last digit: the order of the operations is the same.
    assert rouge_of(*corpus, **options, **ALL, **EACH) == expected
    assert any(0 < value < 1 for value in expected["rouge9_fmeasure"]) == (max_words > 8)
    means = {key: math.fsum(values) / n_items for key, values in expected.items()}
    assert rouge_of(*corpus, **options, **ALL) == pytest.approx(means, abs=1e-12)


# The tokenizer of rouge_full, and the same as a function for rouge_score.
TOKENIZERS = {
    # Characters with the newline among them: it is a token of a text, and none of its sentences,
    # each tokenized by itself.
    "characters": (list, list),
    "words": (str.split, str.split),
    # Marks show which lines a function is given: lines of spaces, and no empty ones.
    "marks": (lambda text: ["<s>", *text.split(), "</s>"],) * 2,
    "13a": ("13a", lambda text: tokenizers.tokens_13a(text.lower())),
    "char": ("char", lambda text: list("".join(text.lower().split()))),
    "whitespace": ("whitespace", lambda text: text.lower().split()),
    "rouge_score": ("rouge_score", tokenizers.rouge_score_tokens),
}
# Only "\n" ends a sentence in rouge_score, not what else str.splitlines knows.
LINES = ["a b\r\nc a", "a b\rc\x0bd", "\n\n", "\n a\n\nb \n", "c a\x85b\u2028a", "b a\x1cc a"]
LINES += ["", " ", "a\tb\nb\ta"]


@pytest.mark.parametrize(("tokenizer", "tokenize"), TOKENIZERS.values(), ids=TOKENIZERS)
def test_rouge_score_with_any_tokenizer(tokenizer, tokenize):
    predictions, references = random_corpus(20, 60, 15, 3)
    predictions += [prediction for prediction, _ in product(LINES, LINES)]
    references += [[reference] for _, reference in product(LINES, LINES)]
    options = {"rouge_types": ROUGE_SCORE_TYPES, **ALL, **EACH}
    items = rouge_score_items(predictions, references, ROUGE_SCORE_TYPES, tokenizer=tokenize)
    assert rouge_of(predictions, references, **options, tokenizer=tokenizer) == with_names(items)


# --- the average of evaluate's `rouge`, bit for bit -----------------------------------------------

EVALUATE = {"preset": "evaluate"}
EVALUATE_CASES = {  # most references of an item, options
    "one reference": (1, {}),
    "stemmed, several references": (3, {"use_stemmer": True}),
    # A tokenizer that keeps case, and repeats words.
    "tokenizer, several references": (3, {"tokenizer": lambda text: text.split() * 2}),
    # A tokenizer leaves the stemmer without effect.
    "tokenizer and stemmer": (1, {"tokenizer": str.split, "use_stemmer": True}),
    "other types in another order": (2, {"rouge_types": ["rougeLsum", "rouge3", "rouge1"]}),
}


@pytest.mark.parametrize(("max_references", "options"), EVALUATE_CASES.values(), ids=EVALUATE_CASES)
def test_evaluate_to_the_last_bit(max_references, options):
    """Without a seed it is 0, where evaluate's own differs from process to process."""
    predictions, references = random_corpus(1, 80, max_references=max_references)
    if max_references == 1:
        references = [texts[0] for texts in references]
    items = rouge_score_items(predictions, references, **options)
    options = {**EVALUATE, **options}
    assert rouge_of(predictions, references, **options, **ALL, **EACH) == with_names(items)
    for seed in (None, 2**32 - 1):
        expected = evaluate_averages(items, seed or 0)
        assert rouge_of(predictions, references, **options, seed=seed, **ALL) == expected
        found = rouge_of(predictions, references, **options, seed=seed)
        assert (
            found.items()
            <= {key.removesuffix("_fmeasure"): x for key, x in expected.items()}.items()
        )


@pytest.mark.parametrize("n_items", [1, 2, 9, 1049])
def test_evaluate_for_any_number_of_items(n_items):
    """Resamples are drawn in shares of 1,048,576 scores; from 1,049 items on 1,000 of them are more
    than one share. The generator of numpy is left alone.
    """
    corpus = random_corpus(3, min(n_items, 100))
    sides = (*corpus, rouge_score_items(*corpus))
    predictions, references, items = ((side * 11)[:n_items] for side in sides)
    expected, before = evaluate_averages(items, 5), np.random.get_state()  # noqa: NPY002
    assert rouge_of(predictions, references, **EVALUATE, **ALL, seed=5) == expected
    np.testing.assert_equal(np.random.get_state(), before)  # noqa: NPY002


@pytest.mark.parametrize("share", [0.5, 1, 7, 999])
def test_the_size_of_shares_changes_nothing(monkeypatch, share):
    """At share 1 one resample is drawn at a time. Below 1 even one exceeds the limit, and is drawn
    whole.
    """
    scores = np.random.default_rng(4).random((4, 3, 61))
    monkeypatch.setattr(averages, "_MAX_DRAWN", int(61 * share))
    medians = averages.median_of_resampled_means(scores, 6)
    items = [
        {name: Score(*scores[k, :, item]) for k, name in enumerate(FOUR_TYPES)}
        for item in range(61)
    ]
    assert medians.ravel().tolist() == list(evaluate_averages(items, 6).values())


def test_undefined_items_are_left_out_of_the_average_of_evaluate():
    options = {"zero_division": math.nan, "rouge_types": ["rouge1", "rouge2"]}
    result = rouge_of(["a", "b"], ["a", ""], **EVALUATE, **options)
    assert result == pytest.approx({"rouge1": 1.0, "rouge2": math.nan}, nan_ok=True)


# --- PyPI's rouge ---------------------------------------------------------------------------------

LETTERS = {"precision": "p", "recall": "r", "fmeasure": "f"}
PLTRDY, PLTRDY_TYPES = {"preset": "pltrdy"}, ["rouge1", "rouge2", "rouge3", "rouge5", "rougeL"]
WORDS = "a b c the The dog dog's 3.5 U.S. (x) naïve 好 我们 , -".split()
SPACES = [" "] * 6 + [". ", ".", "\n", ". . ", "..", "\u3000", "\t", ".\n"]


def stop_corpus(seed, n_items, max_words):
    """Return texts with sentences that are empty, a space or a word."""
    rng = np.random.default_rng(seed)

    def text():
        n_words = rng.integers(1, max_words + 1)
        parts = zip(rng.choice(WORDS, n_words), rng.choice(SPACES, n_words), strict=True)
        return "".join(word + space for word, space in parts)

    return tuple([text() for _ in range(n_items)] for _ in range(2))


def named(scores, types):
    """Return the scores of rouge or PyRouge under our names; types are in the same order."""
    return {
        f"{name}_{output}": of_type[LETTERS[output]]
        for name, of_type in zip(types, scores.values(), strict=True)
        for output in OUTPUTS
    }


SUMMARIES = GOLDEN["corpora"]["summaries"]
PLTRDY_CORPORA = {
    "short sentences": stop_corpus(1, 300, 12),
    "long texts": stop_corpus(2, 10, 90),
    "summaries": (SUMMARIES["predictions"], [texts[0] for texts in SUMMARIES["references"]]),
}


@pytest.mark.parametrize("corpus", PLTRDY_CORPORA.values(), ids=PLTRDY_CORPORA)
def test_all_numbers_of_rouge(corpus):
    """Bit for bit."""
    peer = Rouge(metrics=["rouge-1", "rouge-2", "rouge-3", "rouge-5", "rouge-l"])
    options = {**PLTRDY, "rouge_types": PLTRDY_TYPES}
    result = rouge_of(*corpus, **options, **EACH)
    for place, item in enumerate(peer.get_scores(*corpus)):
        assert row_of(result, place) == named(item, PLTRDY_TYPES)
    means = peer.get_scores(*corpus, avg=True)
    expected = pytest.approx(named(means, PLTRDY_TYPES), abs=1e-12)
    assert rouge_of(*corpus, **options) == expected
    assert 0.1 < means["rouge-l"]["f"] <= means["rouge-1"]["f"] < 0.9


# --- PyRouge --------------------------------------------------------------------------------------

PYROUGE = {"preset": "pyrouge-metric"}
PRECISION = 1e-14  # of the powers of W and of F, which it makes of alpha, the last bit differs
# How references are taken, words skipped, alpha and beta.
MODES = [("average", None, 0.5, 1.0), ("average", 0, 0.2, 2.0), ("best", 4, 0.8, 0.5)]
FEW = ["", "a", "a b"]
PYROUGE_CORPORA = {
    "few words": ([text for text in FEW for _ in FEW], [[text] for text in FEW] * 3),
    "random": random_corpus(31, 60, max_words=25, max_references=3),
    "summaries": tuple(SUMMARIES.values()),
}


@pytest.mark.parametrize("corpus", PYROUGE_CORPORA)
@pytest.mark.parametrize(("mode", "skip_gap", "alpha", "beta"), MODES)
def test_all_numbers_of_pyrouge(corpus, mode, skip_gap, alpha, beta):
    texts, gap = PYROUGE_CORPORA[corpus], "*" if skip_gap is None else skip_gap
    types = ["rouge1", "rouge2", "rouge4", "rougeL", "rougeW-1.5", f"rougeS{gap}", f"rougeSU{gap}"]
    call = {"rouge_n": (1, 2, 4), "rouge_w": True, "rouge_w_weight": 1.5, "rouge_s": True}
    call |= {"rouge_su": True, "skip_gap": skip_gap, "multi_ref_mode": mode, "alpha": alpha}
    options = {**PYROUGE, "rouge_types": types, "beta": beta}
    options["multi_reference"] = {"average": "pooled", "best": "best"}[mode]
    result = rouge_of(*texts, **options, **EACH)
    for place, item in enumerate(PyRouge(**call, mode="individual").evaluate(*texts)):
        assert row_of(result, place) == pytest.approx(named(item, types), rel=PRECISION, abs=0)
    averages = named(PyRouge(**call).evaluate(*texts), types)
    assert rouge_of(*texts, **options) == pytest.approx(averages, rel=1e-12)
    if corpus != "few words":  # F of means is not the mean of F
        means = [np.mean(result[f"{name}_fmeasure"]) for name in types]
        of_means = [averages[f"{name}_fmeasure"] for name in types]
        assert not np.isclose(means, of_means, rtol=1e-4, atol=0).any()


def test_sentences_and_words_of_functions():
    """PyRouge calls the tokenizer for each sentence."""
    texts = ["b a.c d"], [["c d.a,b", "a b c"]]
    functions = {
        "sentencizer": lambda text: text.split("."),
        "tokenizer": lambda text: text.replace(",", " ").split(),
    }
    expected = named(PyRouge().evaluate(*texts, **functions), ["rouge1", "rouge2", "rougeL"])
    functions["sentence_splitter"] = functions.pop("sentencizer")
    result = rouge_of(*texts, **PYROUGE, **functions)
    assert result == pytest.approx(expected, rel=PRECISION)
    assert result["rougeL_recall"] != result["rouge1_recall"]


@pytest.mark.parametrize(
    ("n_long", "n_short", "in_order"), [((28, 24), (7, 3), 1), ((40, 32), (10, 4), -1)]
)
def test_rougeW_chooses_before_the_inverse_of_weights(n_long, n_short, in_order):
    """24 ** 1.5 / 28 ** 2.25 is 3 ** 1.5 / 7 ** 2.25; which quotient is rounded up decides."""
    words = [f"w{k}" for k in range(n_long[1])]
    references = [" ".join(words[:k] + ["x"] * (n - k)) for n, k in (n_long, n_short)][::in_order]
    texts = [" ".join(words)], [references]
    call = {"rouge_n": (), "rouge_l": False, "rouge_w": True, "rouge_w_weight": 1.5}
    expected = named(PyRouge(**call, multi_ref_mode="best").evaluate(*texts), ["rougeW-1.5"])
    result = rouge_of(*texts, **PYROUGE, rouge_types=["rougeW-1.5"], multi_reference="best")
    assert result == pytest.approx(expected, rel=PRECISION)
