"""rouge_full against rouge_score, and against the definition where rouge_score has no such type."""

import math
from itertools import product

import numpy as np
import pytest
from rouge_score.rouge_scorer import RougeScorer

from helpers import oracles
from helpers.rouge.corpora import ALL_TYPES, OUTPUTS, ROUGE_SCORE_TYPES, random_corpus

pytestmark = pytest.mark.filterwarnings("ignore:No text holds a single token")


def rouge_score_result(predictions, references, **options):
    """Return what rouge_score gives, as rouge_full names it with output="all" and
    use_aggregator=False.
    """
    scorer = RougeScorer(ROUGE_SCORE_TYPES, **options)
    scores = [
        scorer.score_multi(targets, prediction)
        for prediction, targets in zip(predictions, references, strict=True)
    ]
    return {
        f"{name}_{output}": [float(getattr(score[name], output)) for score in scores]
        for name in ROUGE_SCORE_TYPES
        for output in OUTPUTS
    }


@pytest.mark.parametrize("use_stemmer", [False, True])
@pytest.mark.parametrize(
    ("n_items", "max_words", "max_references"),
    [(300, 6, 1), (200, 60, 1), (20, 200, 1), (150, 8, 4), (60, 50, 5)],
)
def test_parity_with_rouge_score(rouge_full, n_items, max_words, max_references, use_stemmer):
    predictions, references = random_corpus(
        np.random.default_rng(max_words), n_items, max_words, max_references
    )
    options = {"rouge_types": ROUGE_SCORE_TYPES, "use_stemmer": use_stemmer, "output": "all"}
    per_item = rouge_full.compute(
        predictions=predictions, references=references, use_aggregator=False, **options
    )
    expected = rouge_score_result(predictions, references, use_stemmer=use_stemmer)
    assert per_item == expected  # to the last digit: the order of the operations is the same
    assert any(0 < value < 1 for value in expected["rouge9_fmeasure"]) == (max_words > 8)

    aggregated = rouge_full.compute(predictions=predictions, references=references, **options)
    assert aggregated == pytest.approx(
        {key: math.fsum(values) / n_items for key, values in expected.items()}, abs=1e-12
    )


def test_parity_with_rouge_score_on_plain_strings_and_one_reference(rouge_full):
    predictions, references = random_corpus(np.random.default_rng(1), 100, 20)
    options = {"rouge_types": ROUGE_SCORE_TYPES, "output": "all", "use_aggregator": False}
    result = rouge_full.compute(
        predictions=predictions, references=[texts[0] for texts in references], **options
    )
    assert result == rouge_score_result(predictions, references)


@pytest.mark.parametrize("n_words", [63, 64, 65, 129])
def test_parity_with_rouge_score_on_long_sentences(rouge_full, n_words):
    rng = np.random.default_rng(n_words)
    texts = [" ".join(rng.choice(["a", "b", "c", "d", "e"], n_words)) for _ in range(8)]
    predictions = ["\n".join(texts[:2]), texts[2], texts[3]]
    references = [["\n".join(texts[3:5])], [texts[5]], ["\n".join(texts[6:])]]
    result = rouge_full.compute(
        predictions=predictions,
        references=references,
        rouge_types=ROUGE_SCORE_TYPES,
        output="all",
        use_aggregator=False,
    )
    assert result == rouge_score_result(predictions, references)


class Peer:
    """A tokenizer as rouge_score takes it."""

    def __init__(self, tokenize):
        self.tokenize = tokenize


# The tokenizer of rouge_full, and the same as a function for rouge_score.
TOKENIZERS = {
    # Characters with the newline among them: it is a token of a text, and none of its sentences,
    # each tokenized by itself.
    "characters": (list, list),
    "words": (str.split, str.split),
    "13a": ("13a", lambda text: oracles.tokens_13a(text.lower())),
    "char": ("char", lambda text: list("".join(text.lower().split()))),
    "whitespace": ("whitespace", lambda text: text.lower().split()),
    "rouge_score": ("rouge_score", oracles.rouge_score_tokens),
}


# Only "\n" ends a sentence in rouge_score, not what else str.splitlines knows.
LINES = [
    "a b\r\nc a",
    "a b\rc\x0bd",
    "\n\n",
    "\n a\n\nb \n",
    "c a\x85b\u2028a",
    "b a\x1cc a",
    "",
    " ",
    "a\tb\nb\ta",
]


@pytest.mark.parametrize(("tokenizer", "tokenize"), TOKENIZERS.values(), ids=TOKENIZERS)
def test_parity_with_rouge_score_with_any_tokenizer(rouge_full, tokenizer, tokenize):
    predictions, references = random_corpus(np.random.default_rng(20), 60, 15, 3)
    pairs = list(product(LINES, LINES))
    predictions += [prediction for prediction, _ in pairs]
    references += [[reference] for _, reference in pairs]
    options = {
        "rouge_types": ROUGE_SCORE_TYPES,
        "output": "all",
        "use_aggregator": False,
        "tokenizer": tokenizer,
    }
    result = rouge_full.compute(predictions=predictions, references=references, **options)
    assert result == rouge_score_result(predictions, references, tokenizer=Peer(tokenize))


def expected_scores(name, prediction, reference):
    """Return precision, recall and F of two lists of tokens from the definition."""
    if name.startswith("rougeW"):
        weight = float(name.partition("-")[2] or 1.2)
        return oracles.scores(
            oracles.wlcs_score(prediction, reference, weight),
            len(prediction) ** weight,
            len(reference) ** weight,
            inverse=1 / weight,
        )
    limit = name.lstrip("rougeSU")
    counts = [
        oracles.skip_bigrams(side, int(limit) if limit.isdigit() else None)
        for side in (prediction, reference)
    ]
    if "U" in name:
        counts = [
            count + oracles.ngrams(side, 1)
            for count, side in zip(counts, (prediction, reference), strict=True)
        ]
    return oracles.scores(
        oracles.clipped_matches(*counts), *(sum(count.values()) for count in counts)
    )


@pytest.mark.parametrize("name", [name for name in ALL_TYPES if name[5] in "SW"])
def test_definition_of_skip_bigrams_and_runs(rouge_full, name):
    predictions, references = random_corpus(np.random.default_rng(5), 80, 25)
    references = [texts[0] for texts in references]
    result = rouge_full.compute(
        predictions=predictions,
        references=references,
        rouge_types=[name],
        output="all",
        use_aggregator=False,
    )
    tokens = [
        [oracles.rouge_score_tokens(text) for text in texts] for texts in (predictions, references)
    ]
    expected = np.array([expected_scores(name, *pair) for pair in zip(*tokens, strict=True)])
    for column, output in zip(expected.T, OUTPUTS, strict=True):
        np.testing.assert_allclose(
            result[f"{name}_{output}"], column, rtol=1e-12, atol=0, err_msg=output
        )


def test_identical_text_scores_one_where_it_has_units(rouge_full):
    for text in ("the fast brown fox jumped over the lazy dog", "a\nb c\n\nd", "one two three"):
        result = rouge_full.compute(
            predictions=[text], references=[text], rouge_types=ALL_TYPES, output="all"
        )
        assert set(result.values()) == {1.0}, text


def test_one_word_has_unigrams_only(rouge_full):
    result = rouge_full.compute(predictions=["word"], references=["word"], rouge_types=ALL_TYPES)
    assert {name for name, value in result.items() if value == 1} == {
        name for name in ALL_TYPES if name[5:] == "1" or name[5] in "LW" or "SU" in name
    }
    assert {value for value in result.values() if value != 1} == {0.0}


def test_sides_swapped(rouge_full):
    predictions, references = random_corpus(np.random.default_rng(6), 60, 15)
    references = [texts[0] for texts in references]
    names = [
        name for name in ALL_TYPES if name != "rougeLsum"
    ]  # its union is over the sentences of the prediction only
    there, back = (
        rouge_full.compute(
            predictions=p, references=r, rouge_types=names, output="all", use_aggregator=False
        )
        for p, r in ((predictions, references), (references, predictions))
    )
    for name in names:
        assert there[f"{name}_precision"] == back[f"{name}_recall"], name
        assert there[f"{name}_recall"] == back[f"{name}_precision"], name
        assert there[f"{name}_fmeasure"] == pytest.approx(
            back[f"{name}_fmeasure"], rel=1e-15, abs=0
        ), name
    assert there["rouge1_precision"] != back["rouge1_precision"]
