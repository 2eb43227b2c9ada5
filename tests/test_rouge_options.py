"""The options of rouge_full against textbook forms of what they mean, on random texts.

A text here is a list of sentences, each a list of tokens. `expected_items` makes of such texts,
pair by pair, what `compute` returns for each item; an option that changes counts or scores is an
argument of it.
"""

import math
import re
import sys
import warnings
from itertools import chain, combinations

import numpy as np
import pytest
from full_metrics import corpus as corpus_module
from full_metrics.sentence_splitting import split_sentences
from hypothesis import given, settings
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer
from sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International

import oracles
from oracles import rouge_score_tokens

OUTPUTS = ("precision", "recall", "fmeasure")
TYPES = [
    "rouge1",
    "rouge2",
    "rouge3",
    "rougeL",
    "rougeLsum",
    "rougeW",
    "rougeW-2",
    "rougeS",
    "rougeS0",
    "rougeS4",
    "rougeSU",
    "rougeSU4",
]
UNITS_WITHIN_SENTENCES = [name for name in TYPES if name[5] not in "LW"]

WORDS = "the The cat cats sat on a mat. Dog's dogs ran; running runs 3.14 well-known x_y".split()


# --- textbook forms -------------------------------------------------------------------------------


def units(name, sentences, cross_sentences=True):
    """Return the count of each unit of a rouge type of the families N, S and SU: Lin 2004, sections
    2, 5 and 5.2.
    """
    parts = [oracles.joined(sentences)] if cross_sentences else sentences
    order_or_skip = name.lstrip("rougeSU")
    if name[5] != "S":
        return oracles.summed(oracles.ngrams(part, int(order_or_skip)) for part in parts)
    max_skip = int(order_or_skip) if order_or_skip else None
    pairs = oracles.summed(oracles.skip_bigrams(part, max_skip) for part in parts)
    return (
        pairs + oracles.summed(oracles.ngrams(part, 1) for part in parts)
        if name[6:7] == "U"
        else pairs
    )


def pair_counts(name, prediction, reference, cross_sentences=True, summary_lcs="union"):
    """Return what precision is made of, matches and total, and the same for recall, and the
    exponent of both quotients.
    """
    tokens = [oracles.joined(side) for side in (prediction, reference)]
    if name == "rougeL":
        matches = oracles.lcs_length(*tokens)
        return matches, len(tokens[0]), matches, len(tokens[1]), 1.0
    if name == "rougeLsum":
        both = (
            oracles.best_sentence_lcs_lengths(prediction, reference)
            if summary_lcs == "best"
            else [union_lcs(prediction, reference)] * 2
        )
        return both[0], len(tokens[0]), both[1], len(tokens[1]), 1.0
    if name[5] == "W":
        weight = float(name.partition("-")[2] or 1.2)
        matches = oracles.wlcs_score(*tokens, weight)
        return matches, len(tokens[0]) ** weight, matches, len(tokens[1]) ** weight, 1 / weight
    count = [units(name, side, cross_sentences) for side in (prediction, reference)]
    matches = oracles.clipped_matches(*count)
    return matches, sum(count[0].values()), matches, sum(count[1].values()), 1.0


def union_lcs(prediction, reference):
    return oracles.union_lcs_length(list(filter(None, prediction)), list(filter(None, reference)))


def scores_of_counts(counts, beta=1.0):
    prediction_matches, prediction_total, matches, reference_total, inverse = counts
    if not reference_total:
        return (0.0,) * 3
    precision = (prediction_matches / prediction_total) ** inverse if prediction_total else 0.0
    recall = (matches / reference_total) ** inverse
    return precision, recall, oracles.f_measure(precision, recall, beta)


def best(scores):
    """Return the first of the scores with the highest F."""
    return max(scores, key=lambda score: score[2])


def mean(scores):
    """Return the means of precision, recall and F each."""
    return tuple(math.fsum(column) / len(scores) for column in zip(*scores, strict=True))


def jackknifed(scores):
    """Return the mean, over the sets that lack one reference, of the best in the set: Lin 2004,
    section 2.1.
    """
    return (
        mean([best(chosen) for chosen in combinations(scores, len(scores) - 1)])
        if len(scores) > 1
        else scores[0]
    )


def item_scores(
    name, prediction, references, choice="best", beta=1.0, zero_division=0.0, **counting
):
    """`zero_division` is the score where no reference has anything to match."""
    counts = [pair_counts(name, prediction, reference, **counting) for reference in references]
    if not any(reference_total for *_, reference_total, _ in counts):
        return (zero_division,) * 3
    if choice == "pooled":
        *sums, _ = map(sum, zip(*counts, strict=True))
        return scores_of_counts((*sums, counts[0][-1]), beta)
    return {"best": best, "average": mean, "jackknife": jackknifed}[choice](
        [scores_of_counts(pair, beta) for pair in counts]
    )


def expected_items(names, predictions, references, **options):
    """Return what compute(output="all", use_aggregator=False) returns for texts that are lists of
    sentences of tokens.
    """
    result = {}
    for name in names:
        columns = zip(
            *(
                item_scores(name, p, r, **options)
                for p, r in zip(predictions, references, strict=True)
            ),
            strict=True,
        )
        result.update(
            {
                f"{name}_{output}": list(column)
                for output, column in zip(OUTPUTS, columns, strict=True)
            }
        )
    return result


def assert_items(result, expected):
    assert list(result) == list(expected)
    for key, column in expected.items():
        assert result[key] == pytest.approx(column, rel=1e-13, abs=0, nan_ok=True), key


# --- texts ----------------------------------------------------------------------------------------


def random_text(rng, max_words=14, max_lines=4):
    """Return words in some lines, of which some are empty."""
    words = rng.choice(WORDS, rng.integers(0, max_words + 1)).tolist()
    cuts = np.sort(rng.integers(0, len(words) + 1, rng.integers(0, max_lines)))
    return "\n".join(
        " ".join(words[start:end])
        for start, end in zip([0, *cuts], [*cuts, len(words)], strict=True)
    )


def random_corpus(seed, n_items=120, max_references=4, **size):
    rng = np.random.default_rng(seed)
    predictions = [random_text(rng, **size) for _ in range(n_items)]
    references = [
        [random_text(rng, **size) for _ in range(rng.integers(1, max_references + 1))]
        for _ in range(n_items)
    ]
    return predictions, references


def lines_of(text, tokenize=rouge_score_tokens):
    return [tokenize(line) for line in text.split("\n")]


def split_corpus(predictions, references, split=lines_of):
    return [split(text) for text in predictions], [
        [split(text) for text in texts] for texts in references
    ]


# --- multi_reference ------------------------------------------------------------------------------

MAT = "the cat was on the mat"
MAT_REFERENCES = ["the cat sat on the mat today in the sun", "on the mat there was a cat"]
THIRD_REFERENCE = "a cat on a mat"

# Sources: best, RougeScorer.score_multi of rouge_score 0.1.2; average,
# rouge_score(accumulate="avg") of torchmetrics 1.9.0; pooled, the default of ROUGE-1.5.5.pl (-f A)
# and of sumeval 0.2.2 and rouge-metric 1.0.1. With the third reference by hand: the F of ROUGE-1
# are 10/16, 10/13 and 6/11, so the best of the sets that lack one of them are 10/13, 10/16 and
# 10/13.
PRINTED = [
    (MAT_REFERENCES, "best", {"rouge1": 0.76923, "rouge2": 0.42857}),
    (MAT_REFERENCES, "average", {"rouge1": 0.69712, "rouge2": 0.3961}),
    (MAT_REFERENCES, "pooled", {"rouge1": 0.68966, "rouge2": 0.4}),
    ([*MAT_REFERENCES, THIRD_REFERENCE], "best", {"rouge1": 0.7692}),
    ([*MAT_REFERENCES, THIRD_REFERENCE], "average", {"rouge1": 0.6466}),
    ([*MAT_REFERENCES, THIRD_REFERENCE], "jackknife", {"rouge1": 0.7212}),
]


@pytest.mark.parametrize(("references", "choice", "expected"), PRINTED)
def test_printed_scores_of_several_references(rouge_full, references, choice, expected):
    result = rouge_full.compute(
        predictions=[MAT],
        references=[references],
        rouge_types=list(expected),
        multi_reference=choice,
    )
    assert {
        name: round(value, 5 if len(references) == 2 else 4) for name, value in result.items()
    } == expected


CHOICES = ["best", "average", "pooled", "jackknife"]


@pytest.mark.parametrize("zero_division", [0.0, math.nan])
@pytest.mark.parametrize("choice", CHOICES)
def test_choices_among_references(rouge_full, choice, zero_division):
    """The texts are short: many are empty or have no unit of a type, and references tie."""
    predictions, references = random_corpus(1, max_words=8)
    options = {"multi_reference": choice, "zero_division": zero_division}
    result = rouge_full.compute(
        predictions=predictions,
        references=references,
        rouge_types=TYPES,
        output="all",
        use_aggregator=False,
        **options,
    )
    expected = expected_items(
        TYPES, *split_corpus(predictions, references), choice=choice, zero_division=zero_division
    )
    assert_items(result, expected)
    n_nan = sum(map(math.isnan, expected["rougeS4_fmeasure"]))
    assert n_nan > 5 if math.isnan(zero_division) else n_nan == 0
    mean_of_numbers = [score for score in expected["rougeS4_fmeasure"] if not math.isnan(score)]
    aggregated = rouge_full.compute(
        predictions=predictions, references=references, rouge_types=["rougeS4"], **options
    )
    assert aggregated["rougeS4"] == pytest.approx(
        math.fsum(mean_of_numbers) / len(mean_of_numbers), abs=1e-12
    )


@pytest.mark.parametrize("beta", [0, 0.5, 2, math.inf])
@pytest.mark.parametrize("choice", CHOICES)
def test_choices_go_by_the_f_of_beta(rouge_full, choice, beta):
    predictions, references = random_corpus(2, 60)
    result = rouge_full.compute(
        predictions=predictions,
        references=references,
        rouge_types=TYPES,
        multi_reference=choice,
        beta=beta,
        output="all",
        use_aggregator=False,
    )
    expected = expected_items(
        TYPES, *split_corpus(predictions, references), choice=choice, beta=float(beta)
    )
    if beta == 0 and choice in (
        "best",
        "jackknife",
    ):  # F is precision, up to its last digit, which decides a tie
        result, expected = (
            {key: column for key, column in items.items() if not key.endswith("recall")}
            for items in (result, expected)
        )
    assert_items(result, expected)


tokens_of_text = st.lists(st.sampled_from("abcd"), max_size=5)


@settings(derandomize=True, deadline=None, max_examples=150, database=None)
@given(
    tokens_of_text,
    st.lists(tokens_of_text, min_size=1, max_size=5),
    st.sampled_from(CHOICES),
    st.sampled_from([0.0, math.nan]),
)
def test_choices_among_references_of_any_number(
    rouge_full, prediction, references, choice, zero_division
):
    names = ["rouge1", "rouge2", "rougeL", "rougeW", "rougeSU"]
    result = rouge_full.compute(
        predictions=[prediction],
        references=[references],
        rouge_types=names,
        multi_reference=choice,
        zero_division=zero_division,
        output="all",
        use_aggregator=False,
    )
    assert_items(
        result,
        expected_items(
            names,
            [[prediction]],
            [[[text] for text in references]],
            choice=choice,
            zero_division=zero_division,
        ),
    )


@pytest.mark.parametrize("form", ["strings", "lists"])
def test_one_reference_is_the_same_by_every_choice(rouge_full, form):
    predictions, references = random_corpus(3, 60, max_references=1)
    references = [texts[0] for texts in references] if form == "strings" else references
    options = {
        "predictions": predictions,
        "references": references,
        "rouge_types": TYPES,
        "output": "all",
        "use_aggregator": False,
    }
    for zero_division in (0.0, math.nan):
        results = [
            rouge_full.compute(**options, multi_reference=choice, zero_division=zero_division)
            for choice in CHOICES
        ]
        assert len(set(map(repr, results))) == 1


def test_one_reference_among_items_with_several(rouge_full):
    """The items are treated one by one, although they are scored together."""
    predictions, references = ["a b", "a b", "a b c"], [["a"], ["b c", "a b", "a"], ["x"]]
    for choice in CHOICES:
        options = {"rouge_types": ["rouge1"], "multi_reference": choice, "use_aggregator": False}
        together = rouge_full.compute(predictions=predictions, references=references, **options)[
            "rouge1"
        ]
        alone = [
            rouge_full.compute(predictions=[p], references=[r], **options)["rouge1"][0]
            for p, r in zip(predictions, references, strict=True)
        ]
        assert together == alone


def test_pooled_counts_the_prediction_once_for_each_reference(rouge_full):
    # 2 words, against 1 of which "a" matches and 3 of which both do: P = (1 + 2) / (2 + 2), R = (1
    # + 2) / (1 + 3).
    result = rouge_full.compute(
        predictions=["a b"],
        references=[["a", "a b c"]],
        rouge_types=["rouge1"],
        multi_reference="pooled",
        output="all",
    )
    assert result == {"rouge1_precision": 0.75, "rouge1_recall": 0.75, "rouge1_fmeasure": 0.75}


def test_f_of_an_average_is_the_average_of_f(rouge_full):
    # "a" against "a x" and "x": P 1 and 0, R 1/2 and 0, F 2/3 and 0. The F of the means would be
    # 1/3 too; against "a x" and "a b c d" it is not.
    result = rouge_full.compute(
        predictions=["a"],
        references=[["a x", "a b c d"]],
        rouge_types=["rouge1"],
        multi_reference="average",
        output="all",
    )
    assert result == pytest.approx(
        {"rouge1_precision": 1.0, "rouge1_recall": 3 / 8, "rouge1_fmeasure": (2 / 3 + 2 / 5) / 2}
    )
    assert result["rouge1_fmeasure"] != pytest.approx(2 * (3 / 8) / (1 + 3 / 8))


# --- stemmer --------------------------------------------------------------------------------------


def first_letter(token):
    return token[:1]


@pytest.mark.parametrize(
    "tokenizer", [None, "rouge-1.5.5", "unicode", "13a", "char", "whitespace", "intl", str.split]
)
def test_the_stemmer_sees_each_distinct_token_once(rouge_full, tokenizer):
    """For all rouge types together, also where sentences are tokenized by themselves, and over
    chunks.
    """
    predictions, references = random_corpus(4, 60)
    seen = []
    options = {
        "rouge_types": TYPES,
        "tokenizer": tokenizer,
        "output": "all",
        "use_aggregator": False,
    }
    result = rouge_full.compute(
        predictions=predictions,
        references=references,
        stemmer=lambda token: seen.append(token) or first_letter(token),
        **options,
    )
    assert len(seen) == len(set(seen)) > 5
    if tokenizer is None:
        split = split_corpus(
            predictions,
            references,
            lambda text: lines_of(
                text, lambda line: list(map(first_letter, rouge_score_tokens(line)))
            ),
        )
        assert set(seen) == {
            token for text in chain(predictions, *references) for token in rouge_score_tokens(text)
        }
        assert_items(result, expected_items(TYPES, *split))


def test_the_stemmer_sees_each_distinct_token_once_over_chunks(rouge_full, monkeypatch):
    predictions, references = random_corpus(5, 40)
    module = sys.modules[type(rouge_full).__module__.rpartition(".")[0] + ".corpus"]
    assert module is not corpus_module
    monkeypatch.setattr(module, "_CHUNK_CHARACTERS", 100)
    seen = []
    rouge_full.compute(
        predictions=predictions,
        references=references,
        stemmer=lambda token: seen.append(token) or token,
    )
    assert len(seen) == len(set(seen)) > 5


def test_the_stemmer_sees_examplestokens(rouge_full):
    seen = []
    result = rouge_full.compute(
        predictions=[["Runs", "a b"]],
        references=[["runs", "A"]],
        rouge_types=["rouge1"],
        stemmer=lambda token: seen.append(token) or token[0].lower(),
    )
    assert result == {"rouge1": 1.0}
    assert sorted(seen) == ["A", "Runs", "a b", "runs"]


def test_a_stem_may_be_empty(rouge_full):
    """It is a token like any other."""
    result = rouge_full.compute(
        predictions=["a b"],
        references=["c"],
        rouge_types=["rouge1"],
        stemmer=lambda token: "",
        output="recall",
    )
    assert result == {"rouge1": 1.0}


def test_use_stemmer_is_that_of_nltk_on_longer_tokens(rouge_full):
    # rouge_score 0.1.2, use_stemmer=True
    predictions, references = random_corpus(6, 60, max_references=1)
    references = [texts[0] for texts in references]
    scorer = RougeScorer(["rouge1"], use_stemmer=True)
    expected = [
        scorer.score(reference, prediction)["rouge1"].fmeasure
        for prediction, reference in zip(predictions, references, strict=True)
    ]
    options = {"rouge_types": ["rouge1"], "use_aggregator": False}
    assert (
        rouge_full.compute(
            predictions=predictions, references=references, use_stemmer=True, **options
        )["rouge1"]
        == expected
    )
    assert (
        rouge_full.compute(predictions=predictions, references=references, **options)["rouge1"]
        != expected
    )


def test_the_error_of_a_stemmer_is_passed_on(rouge_full):
    with pytest.raises(ZeroDivisionError):
        rouge_full.compute(predictions=["a"], references=["a"], stemmer=lambda token: 1 / 0)


@pytest.mark.parametrize(
    ("options", "kind", "message"),
    [
        (
            {"stemmer": "porter"},
            TypeError,
            r"^stemmer must be a function from a token to its stem, got str 'porter'$",
        ),
        (
            {"stemmer": str.lower, "use_stemmer": True},
            ValueError,
            r"^stemmer and use_stemmer=True cannot both be given: use_stemmer stands for NLTK's Porter stemmer$",
        ),
    ],
)
def test_bad_stemmers(rouge_full, options, kind, message):
    with pytest.raises(kind, match=message):
        rouge_full.compute(predictions=["a"], references=["a"], **options)


@pytest.mark.parametrize("stem", [None, 1, b"a", ["a"]])
def test_a_stemmer_that_does_not_return_a_string(rouge_full, stem):
    with pytest.raises(TypeError, match=r"^stemmer must return a string for each token, got "):
        rouge_full.compute(predictions=["a"], references=["a"], stemmer=lambda token: stem)


# --- stopwords ------------------------------------------------------------------------------------


ITERABLES = [list, tuple, set, frozenset, dict.fromkeys, np.array, iter]


@pytest.mark.parametrize("make", [*ITERABLES, lambda words: (word for word in words)])
def test_stop_words(rouge_full, make):
    """They are taken out before anything is counted, so that n-grams and skips go over the words
    that are left.
    """
    stopwords = ["the", "a", "on", "dog"]

    def without(line):
        return [token for token in rouge_score_tokens(line) if token not in stopwords]

    predictions, references = random_corpus(7, 60)
    result = rouge_full.compute(
        predictions=predictions,
        references=references,
        rouge_types=TYPES,
        stopwords=make(stopwords),
        output="all",
        use_aggregator=False,
    )
    assert_items(
        result,
        expected_items(
            TYPES, *split_corpus(predictions, references, lambda text: lines_of(text, without))
        ),
    )


def test_a_stop_word_leaves_no_hole(rouge_full):
    options = {
        "predictions": ["red the the the the the fox"],
        "references": ["red fox"],
        "rouge_types": ["rouge2", "rougeS4"],
        "output": "recall",
    }
    assert rouge_full.compute(**options) == {"rouge2": 0.0, "rougeS4": 0.0}
    assert rouge_full.compute(**options, stopwords={"the"}) == {"rouge2": 1.0, "rougeS4": 1.0}


def test_stop_words_are_taken_out_before_stemming(rouge_full):
    options = {
        "predictions": ["running runs"],
        "references": ["run"],
        "rouge_types": ["rouge1"],
        "output": "precision",
        "use_stemmer": True,
    }
    assert rouge_full.compute(**options) == {"rouge1": 0.5}
    assert rouge_full.compute(**options, stopwords=["running"]) == {
        "rouge1": 1.0
    }  # "runs" is another word and is stemmed to "run"
    assert rouge_full.compute(**options, stopwords=["runs"]) == {"rouge1": 1.0}
    assert rouge_full.compute(**(options | {"references": ["runs"]}), stopwords=["run"]) == {
        "rouge1": 0.5
    }  # no word is "run" before stemming


def test_stop_words_are_compared_with_tokens_as_they_are(rouge_full):
    options = {
        "predictions": ["The cat"],
        "references": ["cat"],
        "rouge_types": ["rouge1"],
        "output": "precision",
    }
    assert rouge_full.compute(**options, stopwords=["the"]) == {"rouge1": 1.0}
    assert rouge_full.compute(**options, stopwords=["The"]) == {
        "rouge1": 0.5
    }  # there is only "the"
    assert rouge_full.compute(**options, stopwords=["The"], lowercase=False) == {"rouge1": 1.0}
    assert rouge_full.compute(**options, stopwords=["the"], tokenizer=str.split) == {"rouge1": 0.5}
    tokens = {
        "predictions": [["The", "cat"]],
        "references": [["cat"]],
        "rouge_types": ["rouge1"],
        "output": "precision",
    }
    assert rouge_full.compute(**tokens, stopwords=["The"]) == {"rouge1": 1.0}
    assert rouge_full.compute(**tokens, stopwords=["the"]) == {"rouge1": 0.5}
    assert rouge_full.compute(**tokens, stopwords=["the"], lowercase=True) == {"rouge1": 1.0}


def test_no_stop_words(rouge_full):
    predictions, references = random_corpus(8, 20)
    assert rouge_full.compute(
        predictions=predictions, references=references, stopwords=[]
    ) == rouge_full.compute(predictions=predictions, references=references)


@pytest.mark.parametrize(
    ("stopwords", "message"),
    [
        ("the", "stopwords must be a list or set of words, got str 'the': put it into a list"),
        (3, "stopwords must be a list or set of words, got int 3"),
        (["the", 3], "stopwords must be strings, got int 3"),
        ([b"the"], "stopwords must be strings, got bytes b'the'"),
        ([None], "stopwords must be strings, got None"),
    ],
)
def test_bad_stop_words(rouge_full, stopwords, message):
    with pytest.raises(TypeError, match=f"^{message}$"):
        rouge_full.compute(predictions=["a"], references=["a"], stopwords=stopwords)


# --- max_words and max_bytes ----------------------------------------------------------------------


def first_words(text, n_words):
    """Return a text up to the end of its n-th word, lines kept."""
    ends = [match.end() for match in re.finditer(r"\S+", text)]
    return text[: ends[n_words - 1]] if len(ends) > n_words else text


def first_bytes(text, n_bytes):
    """Return the characters of a text whose bytes in UTF-8 all are among the first so many."""
    kept, n_used = [], 0
    for character in text:
        n_used += len(character.encode())
        if n_used > n_bytes:
            break
        kept.append(character)
    return "".join(kept)


@pytest.mark.parametrize("limit", [1, 2, 5, 13, 1000])
@pytest.mark.parametrize(
    ("option", "cut"), [("max_words", first_words), ("max_bytes", first_bytes)]
)
def test_limits_apply_to_every_text(rouge_full, option, cut, limit):
    predictions, references = random_corpus(9, 80)
    options = {"rouge_types": TYPES, "output": "all", "use_aggregator": False, option: limit}
    result = rouge_full.compute(predictions=predictions, references=references, **options)
    assert_items(
        result,
        expected_items(
            TYPES, *split_corpus(predictions, references, lambda text: lines_of(cut(text, limit)))
        ),
    )


def limited(rouge_full, text, **options):
    """Return what the tokenizer gets to see of a text."""
    seen = []
    rouge_full.compute(
        predictions=[text],
        references=["x"],
        rouge_types=["rouge1"],
        tokenizer=lambda text: seen.append(text) or ["x"],
        **options,
    )
    return seen[0]


def test_words_are_what_stands_between_blanks(rouge_full):
    text = "  well-known , \n U.S.\tfact\u3000漢字  "
    expected = [
        "well-known",
        "well-known ,",
        "well-known , \n U.S.",
        "well-known , \n U.S.\tfact",
        text.strip(),
        text.strip(),
    ]
    assert [limited(rouge_full, text, max_words=n).strip() for n in range(1, 7)] == expected
    assert limited(rouge_full, text, max_words=5) == text


def test_bytes_are_those_of_utf_8(rouge_full):
    # é has 2 bytes, 漢 3, 🙂 4, the combining accent 2; a character that is cut is dropped.
    text = "é漢🙂e\u0301é"
    expected = [
        "",
        "é",
        "é",
        "é",
        "é漢",
        "é漢",
        "é漢",
        "é漢",
        "é漢🙂",
        "é漢🙂e",
        "é漢🙂e",
        "é漢🙂e\u0301",
        "é漢🙂e\u0301",
        text,
        text,
    ]
    assert [limited(rouge_full, text, max_bytes=n) for n in range(1, 16)] == expected
    assert limited(rouge_full, "ab\ncd", max_bytes=4) == "ab\nc"  # a newline has one too


def test_words_are_cut_before_bytes(rouge_full):
    assert limited(rouge_full, "one two three", max_words=2, max_bytes=5).rstrip() == "one t"
    assert limited(rouge_full, "one two three", max_words=1, max_bytes=5).rstrip() == "one"


def test_limits_of_tokens(rouge_full):
    options = {"rouge_types": ["rouge1"], "output": "all"}
    result = rouge_full.compute(
        predictions=[["a", "b c", "d", "e"]], references=[["b c", "x", "d"]], max_words=2, **options
    )
    assert result == {"rouge1_precision": 0.5, "rouge1_recall": 0.5, "rouge1_fmeasure": 0.5}
    several = rouge_full.compute(
        predictions=[["a", "b"]], references=[[["x", "a"], ["b"]]], max_words=1, **options
    )
    assert several["rouge1_recall"] == 0.0  # "a" against "x" and "b"
    with pytest.raises(ValueError, match=r"^max_bytes needs texts, got lists of tokens$"):
        rouge_full.compute(predictions=[["a"]], references=[["a"]], max_bytes=2, **options)


@pytest.mark.parametrize("option", ["max_words", "max_bytes"])
@pytest.mark.parametrize("value", [0, -1, 1.5, 2.0, "3", True, math.inf])
def test_bad_limits(rouge_full, option, value):
    with pytest.raises(ValueError, match=f"^{option} must be an integer >= 1, got {value!r}$"):
        rouge_full.compute(predictions=["a"], references=["a"], **{option: value})


# --- lowercase ------------------------------------------------------------------------------------

CASED = ("The Cat", "the cat")
NAMED = [
    None,
    "rouge_score",
    "rouge-1.5.5",
    "unicode",
    "13a",
    "char",
    "whitespace",
    "intl",
    "zh",
    "none",
]


@pytest.mark.parametrize("tokenizer", NAMED)
def test_named_tokenizers_lowercase_unless_told_not_to(rouge_full, tokenizer):
    options = {
        "predictions": [CASED[0]],
        "references": [CASED[1]],
        "rouge_types": ["rouge1"],
        "tokenizer": tokenizer,
    }
    assert rouge_full.compute(**options) == {"rouge1": 1.0}
    assert rouge_full.compute(**options, lowercase=None) == {"rouge1": 1.0}
    assert rouge_full.compute(**options, lowercase=True) == {"rouge1": 1.0}
    # Letter by letter only T and C differ.
    assert rouge_full.compute(**options, lowercase=False)["rouge1"] == (
        pytest.approx(4 / 6) if tokenizer == "char" else 0.0
    )


def test_what_is_not_named_keeps_its_case_unless_told_not_to(rouge_full):
    options = {"rouge_types": ["rouge1"]}
    texts = {"predictions": [CASED[0]], "references": [CASED[1]], "tokenizer": str.split}
    tokens = {"predictions": [CASED[0].split()], "references": [CASED[1].split()]}
    for examples in (texts, tokens):
        assert rouge_full.compute(**examples, **options) == {"rouge1": 0.0}
        assert rouge_full.compute(**examples, **options, lowercase=None) == {"rouge1": 0.0}
        assert rouge_full.compute(**examples, **options, lowercase=False) == {"rouge1": 0.0}
        assert rouge_full.compute(**examples, **options, lowercase=True) == {"rouge1": 1.0}
        assert rouge_full.compute(**examples, **options, lowercase=np.True_) == {"rouge1": 1.0}


def test_a_function_gets_lowercase_text_where_asked(rouge_full):
    assert limited(rouge_full, "The CAT ÄÖ", lowercase=True) == "the cat äö"
    assert limited(rouge_full, "The CAT ÄÖ") == "The CAT ÄÖ"


def test_capitals_are_letters_of_rouge_score_too(rouge_full):
    # With case kept its tokens are runs of A-Z, a-z and 0-9; "É" is none of them in either case.
    result = rouge_full.compute(
        predictions=["McDonald CAFÉ9"],
        references=["McDonald CAF 9"],
        rouge_types=["rouge1"],
        lowercase=False,
    )
    assert result == {"rouge1": 1.0}


@pytest.mark.parametrize("value", ["yes", 1, 0, "False"])
def test_bad_lowercase(rouge_full, value):
    with pytest.raises(
        TypeError, match=f"^lowercase must be True or False, got {type(value).__name__} {value!r}$"
    ):
        rouge_full.compute(predictions=["a"], references=["a"], lowercase=value)


# --- sentence_splitter ----------------------------------------------------------------------------

SWAPPED = ("The cat sat on the mat. A dog ran home.", "A dog ran home. The cat sat on the mat.")


@pytest.mark.filterwarnings("ignore:rougeLsum takes each line")
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


@pytest.mark.parametrize("value", ["punkt", "sentence", None, 3])
def test_bad_splitters(rouge_full, value):
    with pytest.raises(
        ValueError, match=f"^sentence_splitter must be 'newline' or 'sentences', got {value!r}"
    ):
        rouge_full.compute(predictions=["a"], references=["a"], sentence_splitter=value)


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


def test_units_within_sentences_by_hand(rouge_full):
    # Sentences "a b" and "c" against "a b c": of its pairs a-b, b-c and a-c only a-b is within a
    # sentence of the prediction, which has no other.
    options = {
        "predictions": ["a b\nc"],
        "references": ["a b c"],
        "rouge_types": ["rouge1", "rouge2", "rouge3", "rougeS", "rougeSU"],
        "output": "all",
    }
    result = rouge_full.compute(**options, cross_sentences=False)
    precision_and_recall = {
        "rouge1": (1, 1),
        "rouge2": (1, 1 / 2),
        "rouge3": (0, 0),
        "rougeS": (1, 1 / 3),
        "rougeSU": (1, 4 / 6),
    }
    for name, (precision, recall) in precision_and_recall.items():
        assert (result[f"{name}_precision"], result[f"{name}_recall"]) == (precision, recall), name
    assert rouge_full.compute(**options)["rougeSU_fmeasure"] == 1.0


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


def test_best_sentences_by_hand(rouge_full):
    # The example of Lin 2004, section 3.2: the sentences of the prediction have LCS of 2 and 3
    # words with that of the reference, and 4 together.
    options = {
        "predictions": ["w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5"],
        "references": ["w1 w2 w3 w4 w5"],
        "rouge_types": ["rougeLsum"],
        "output": "all",
    }
    assert rouge_full.compute(**options) == pytest.approx(
        {"rougeLsum_precision": 0.4, "rougeLsum_recall": 0.8, "rougeLsum_fmeasure": 8 / 15}
    )
    # Recall takes the better one, 3 of 5 words; precision adds up 2 and 3, of 10 words.
    best_sentences = rouge_full.compute(**options, summary_lcs="best")
    assert best_sentences == pytest.approx(
        {"rougeLsum_precision": 0.5, "rougeLsum_recall": 0.6, "rougeLsum_fmeasure": 6 / 11}
    )


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


# --- warnings -------------------------------------------------------------------------------------

NO_TOKENS = "No text holds a single token, so all scores are 0: tokenizer {} found none."
REMEDY = " For texts in other scripts than Latin pass tokenizer='unicode'."
NO_LINES = (
    "rougeLsum takes each line for a sentence. No text here has more than one line, though some have several sentences, so rougeLsum is "
    "the same as rougeL. Put a newline between sentences, or pass sentence_splitter='sentences'."
)


def warnings_of(function, **arguments):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        function(**arguments)
    return [(str(warning.message), warning.category, warning.filename) for warning in caught]


WARNED_OF = [
    ({"predictions": ["你好"], "references": ["你好"]}, NO_TOKENS.format("'rouge_score'") + REMEDY),
    (
        {"predictions": ["สวัสดี", ""], "references": [["नमस्ते", ""], ["你好"]]},
        NO_TOKENS.format("'rouge_score'") + REMEDY,
    ),
    (
        {"predictions": ["..."], "references": ["!"], "tokenizer": "rouge-1.5.5"},
        NO_TOKENS.format("'rouge-1.5.5'") + REMEDY,
    ),
    (
        {"predictions": ["..."], "references": ["!"], "tokenizer": "unicode"},
        NO_TOKENS.format("'unicode'"),
    ),
    (
        {"predictions": ["你好"] * 50, "references": ["你好"] * 50, "rouge_types": ["rougeLsum"]},
        NO_TOKENS.format("'rouge_score'") + REMEDY,
    ),
    ({"predictions": ["A cat. A dog."], "references": ["A dog."]}, NO_LINES),
    (
        {
            "predictions": ["A dog."],
            "references": [["x", "A cat. A dog."]],
            "rouge_types": ["rougeLsum"],
        },
        NO_LINES,
    ),
    (
        {
            "predictions": ["他来了。她走了。"] * 3,
            "references": ["他来了。"] * 3,
            "tokenizer": "unicode",
        },
        NO_LINES,
    ),
    (
        {
            "predictions": ["A cat. A dog."] * 300,
            "references": ["A dog."] * 300,
            "use_aggregator": False,
        },
        NO_LINES,
    ),
]


@pytest.mark.parametrize(("arguments", "message"), WARNED_OF)
def test_one_warning_to_the_caller(rouge_full, arguments, message):
    assert warnings_of(rouge_full.compute, **arguments) == [(message, UserWarning, __file__)]


def test_one_warning_for_several_chunks(rouge_full):
    texts = ["漢" * 3000] * 800  # 4.8 million characters
    assert (
        len(
            warnings_of(
                rouge_full.compute, predictions=texts, references=texts, rouge_types=["rouge1"]
            )
        )
        == 1
    )


def test_one_warning_for_what_was_added(rouge_full):
    for _ in range(3):
        rouge_full.add_batch(predictions=["你好"], references=["你好"])
    assert [message for message, *_ in warnings_of(rouge_full.compute)] == [
        NO_TOKENS.format("'rouge_score'") + REMEDY
    ]


def test_the_function_that_found_no_token_is_named(rouge_full):
    def no_tokens(text):
        return []

    ((message, *_),) = warnings_of(
        rouge_full.compute, predictions=["a"], references=["a"], tokenizer=no_tokens
    )
    assert message == NO_TOKENS.format(repr(no_tokens))


def test_stop_words_are_named_where_they_left_no_token(rouge_full):
    ((message, *_),) = warnings_of(
        rouge_full.compute, predictions=["the"], references=["the"], stopwords=["the"]
    )
    assert "stopwords" in message
    assert "unicode" not in message


NOT_WARNED_OF = {
    "ordinary text": {"predictions": ["A cat sat.\nA dog ran."], "references": ["A cat sat."]},
    "one sentence each": {
        "predictions": ["A cat sat on 3.5 mats", "Dr. No"],
        "references": [["The cat", "a cat!"], ["x"]],
    },
    "empty texts": {"predictions": ["", ""], "references": ["", ""]},
    "blank texts": {"predictions": [" ", "\n"], "references": [["\t", ""], ["\u3000"]]},
    "empty lists": {"predictions": [[]], "references": [[]]},
    "tokens in another script": {"predictions": [["你", "好"]], "references": [["你"]]},
    "a word of a reference": {"predictions": ["你好"], "references": [["你好", "hello"]]},
    "a word of one item": {"predictions": ["你好", "hello"], "references": ["你好", "..."]},
    "another script with its tokenizer": {
        "predictions": ["你好"],
        "references": ["你好"],
        "tokenizer": "unicode",
    },
    "a line in one text": {
        "predictions": ["A cat. A dog.", "a"],
        "references": ["A cat. A dog.", "a\nb"],
    },
    "sentences are split": {
        "predictions": ["A cat. A dog."],
        "references": ["A dog."],
        "sentence_splitter": "sentences",
    },
    "sentences are split by a function": {
        "predictions": ["A cat. A dog."],
        "references": ["A dog."],
        "sentence_splitter": str.splitlines,
    },
    "no rougeLsum": {
        "predictions": ["A cat. A dog."],
        "references": ["A dog."],
        "rouge_types": ["rouge1", "rougeL", "rougeSU4"],
    },
    "tokens with stops": {
        "predictions": [["A", "cat.", "A", "dog."]],
        "references": [["A", "dog."]],
    },
    "matlab": {"predictions": ["A cat. A dog."], "references": ["A dog."], "preset": "matlab"},
    "the Perl script": {
        "predictions": ["A cat sat. A dog."],
        "references": ["A dog."],
        "preset": "rouge-1.5.5",
    },
}


@pytest.mark.parametrize("arguments", NOT_WARNED_OF.values(), ids=NOT_WARNED_OF)
def test_no_warning(rouge_full, arguments):
    assert warnings_of(rouge_full.compute, **arguments) == []


def test_no_warning_on_random_text(rouge_full):
    predictions, references = random_corpus(17)
    assert warnings_of(rouge_full.compute, predictions=predictions, references=references) == []
