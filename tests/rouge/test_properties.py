"""What holds for every measure, on nasty text: one table of all measures, and Hypothesis."""

import math
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.measures import (
    MEASURES,
    OF_NAME,
    ROUGE_TYPES,
    TOKENIZERS,
    WORDS,
    item,
    plain_text,
    rouge_options,
    scores,
    some_items,
    some_pairs,
    text,
    tokenizer,
)
from rouge_bleu.bleu.options import BleuOptions
from rouge_bleu.bleu.scorer import bleu
from rouge_bleu.data import corpus as corpus_module
from rouge_bleu.data.corpus import checked_corpus
from rouge_bleu.rouge.families.table import FAMILIES, measure_of_name
from rouge_bleu.rouge.options.checked import RougeOptions
from rouge_bleu.rouge.scorer import rouge

# --- the table ------------------------------------------------------------------------------------


def test_no_measure_is_missing():
    families = {family.name for family in FAMILIES}
    assert {measure.family for measure in MEASURES} == families | {"bleu"}
    assert set(RougeOptions().measures) <= {*ROUGE_TYPES}
    for name in ROUGE_TYPES:
        assert measure_of_name(name).family.name == OF_NAME[name].family


@given(some_items, tokenizer, rouge_options)
def test_scores_are_in_0_to_1(items, tokenizer, options):
    for name, rows in scores(items, tokenizer, **options).items():
        assert len(rows) == len(items)
        assert all(
            isinstance(score, float) and 0.0 <= score <= 1.0 for row in rows for score in row
        ), (name, rows)


@given(st.lists(text, min_size=1, max_size=5))
def test_identical_texts_score_1_where_they_are_long_enough(texts):
    """And 0 where they are not. Another reference, as long as this one, takes nothing away."""
    lengths = [len(prediction.split()) for prediction in texts]
    for references_of in (lambda own: [own], lambda own: [own[::-1], own]):
        pairs = [(prediction, references_of(prediction)) for prediction in texts]
        for name, rows in scores(pairs, "whitespace").items():
            for row, length in zip(rows, lengths, strict=True):
                expected = 1.0 if length >= max(OF_NAME[name].enough, 1) else 0.0
                assert set(row) == {expected}, (name, length)


@given(some_items)
def test_texts_without_a_common_token_score_0(items):
    """Only smoothed BLEU, where nothing is 0, does not."""
    disjoint = [("q7 " * len(prediction.split()), references) for prediction, references in items]
    for name, rows in scores(disjoint, "whitespace").items():
        if name != "BLEU smoothed":
            assert {score for row in rows for score in row} == {0.0}, name


# --- what changes no bit --------------------------------------------------------------------------


@given(some_items, tokenizer, rouge_options, st.randoms(use_true_random=False))
def test_order_of_items_changes_nothing(items, tokenizer, options, random):
    order = random.sample(range(len(items)), len(items))
    before, after = (
        scores(items, tokenizer, **options),
        scores([items[k] for k in order], tokenizer, **options),
    )
    assert {name: [rows[k] for k in order] for name, rows in before.items()} == after


@given(st.lists(item, min_size=2, max_size=5), tokenizer, rouge_options, st.data())
def test_batches_change_nothing(items, tokenizer, options, data):
    end = data.draw(st.integers(1, len(items) - 1))
    together, first, second = (
        scores(part, tokenizer, **options) for part in (items, items[:end], items[end:])
    )
    assert together == {name: first[name] + second[name] for name in together}


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
@given(some_items, rouge_options, st.sampled_from([1, 7, 100]))
def test_size_of_chunks_changes_nothing(tokenizer, items, options, n_characters):
    whole = scores(items, tokenizer, **options)
    with mock.patch.object(corpus_module, "_CHUNK_CHARACTERS", n_characters):
        assert scores(items, tokenizer, **options) == whole


def many_items():
    """Return more items than fit into one vector register; references are copies with errors, so
    that long n-grams match.
    """
    rng = np.random.default_rng(1)
    predictions = [rng.integers(0, 4, length) for length in rng.integers(0, 140, 100)]
    copies = [
        [
            np.where(rng.random(len(p)) < 0.05, rng.integers(0, 4, len(p)), p)
            for _ in range(k % 3 + 1)
        ]
        for k, p in enumerate(predictions)
    ]
    return [
        (" ".join(map(str, p)), [" ".join(map(str, r)) for r in references])
        for p, references in zip(predictions, copies, strict=True)
    ]


def test_many_items_score_like_each_alone():
    """numpy adds few numbers in another order than many, and takes other instructions for the rest
    of a vector.
    """
    table = scores(many_items())
    assert all(len(set(rows)) > 50 for rows in table.values()), "most scores differ"
    one_by_one = [scores([item]) for item in many_items()]
    for name, rows in table.items():
        assert rows == [of_item[name][0] for of_item in one_by_one], name


@pytest.mark.parametrize("n_characters", [1, 300, 5_000])
def test_size_of_chunks_changes_nothing_for_many_items(n_characters):
    whole = scores(many_items())
    with mock.patch.object(corpus_module, "_CHUNK_CHARACTERS", n_characters):
        assert scores(many_items()) == whole


@given(some_items, tokenizer, st.sampled_from([1, 100]))
def test_size_of_chunks_changes_no_aggregate(items, tokenizer, n_characters):
    """BLEU of a corpus is a function of integers, so no bit of it changes; a mean is one of all
    items in their order.
    """
    corpus = checked_corpus(
        [prediction for prediction, _ in items], [references for _, references in items]
    )
    options = RougeOptions(ROUGE_TYPES, tokenizer=tokenizer), BleuOptions(tokenizer)
    whole = rouge(corpus, options[0]), bleu(corpus, options[1])
    with mock.patch.object(corpus_module, "_CHUNK_CHARACTERS", n_characters):
        assert (rouge(corpus, options[0]), bleu(corpus, options[1])) == whole
    per_item = scores(items, tokenizer)
    for name in ROUGE_TYPES:
        assert whole[0][name] == pytest.approx(
            math.fsum(f for *_, f in per_item[name]) / len(items), abs=1e-12
        )


@given(
    st.lists(
        st.tuples(plain_text, st.lists(plain_text, min_size=1, max_size=3)), min_size=1, max_size=4
    ),
    st.permutations(range(len(WORDS))),
)
def test_names_of_tokens_change_nothing(items, order):
    names = ["zebra9", "0", "b", "a", "é", "longer" * 20, "\x01"]
    name_of = {word: names[k] for word, k in zip(WORDS, order, strict=True)}

    def renamed(text):
        return "\n".join(
            " ".join(name_of[word] for word in line.split()) for line in text.split("\n")
        )

    with_case = [
        (p.replace("A", "e"), [r.replace("A", "e") for r in references]) for p, references in items
    ]  # "whitespace" lowercases
    name_of["e"] = name_of["A"]
    assert scores(with_case, "whitespace") == scores(
        [(renamed(p), list(map(renamed, references))) for p, references in with_case], "whitespace"
    )


@given(
    st.lists(
        st.tuples(plain_text, st.lists(plain_text, min_size=1, max_size=3)), min_size=1, max_size=4
    )
)
def test_lists_of_tokens_score_like_their_text(items):
    """A list is one sentence, so texts have one line here."""
    items = [
        (p.replace("\n", " "), [r.replace("\n", " ") for r in references])
        for p, references in items
    ]
    assert scores(items, str.split) == scores(
        [(p.split(), [r.split() for r in references]) for p, references in items], str.split
    )


# --- swapped sides --------------------------------------------------------------------------------


@given(some_pairs, tokenizer)
def test_swapped_sides_swap_precision_and_recall(pairs, tokenizer):
    before, after = (
        scores(pairs, tokenizer),
        scores([(reference, [prediction]) for prediction, (reference,) in pairs], tokenizer),
    )
    for name, rows in before.items():
        if OF_NAME[name].is_symmetric:
            assert [(recall, precision, f) for precision, recall, f in rows] == after[name], name


SHORT_PREDICTION = ("a b c d e", "a b c d e f g h")


SHORT_LONG_PREDICTION = tuple(
    f"{text} {' '.join(map(str, range(20)))}" for text in SHORT_PREDICTION
)


ASYMMETRIC_PAIRS = {
    # Both lines of the reference take their a from "a a". The other way round both lines of the
    # prediction take the last a of the reference.
    "rougeLsum": ("a a", "a\na"),
    # All five words match, times exp(1 - 8 / 5); the other way round there is no penalty, but not
    # all words match.
    "BLEU": SHORT_PREDICTION,
    "BLEU of 10 orders": SHORT_LONG_PREDICTION,
    "BLEU of 16 weights": SHORT_LONG_PREDICTION,
    "BLEU with weights": SHORT_PREDICTION,
    "BLEU with the average length": SHORT_PREDICTION,
    "BLEU smoothed": SHORT_PREDICTION,
    "BLEU of effective order": SHORT_PREDICTION,
}


def test_measures_that_are_not_symmetric():
    assert set(ASYMMETRIC_PAIRS) == {
        measure.name for measure in MEASURES if not measure.is_symmetric
    }
    for name, (prediction, reference) in ASYMMETRIC_PAIRS.items():
        before, after = (
            scores([pair])[name] for pair in ((prediction, [reference]), (reference, [prediction]))
        )
        assert (
            before != [(recall, precision, f) for precision, recall, f in after]
            if name == "rougeLsum"
            else before != after
        )


def test_rouge_lsum_of_swapped_sides():
    """By hand, see ASYMMETRIC_PAIRS; rouge_score gives the same."""
    assert scores([("a a", ["a\na"])])["rougeLsum"] == [(1.0, 1.0, 1.0)]
    assert scores([("a\na", ["a a"])])["rougeLsum"] == [(0.5, 0.5, 0.5)]


# --- measures against each other ------------------------------------------------------------------


@given(some_items, tokenizer)
def test_measures_that_are_equal(items, tokenizer):
    """Skip-bigrams without a word between are bigrams. WLCS with f(k) = k is the LCS, always: a
    match is worth 1 anywhere, so each can be taken.
    """
    table = scores(items, tokenizer)
    assert table["rougeS0"] == table["rouge2"]
    assert table["rougeW-1"] == table["rougeL"]
    assert table["rougeS*"] == table["rougeS"]


@given(some_pairs, st.sampled_from(("rouge_score", "char", "whitespace")))
def test_measures_that_are_not_greater(pairs, tokenizer):
    """What is in a common subsequence is in both texts. Of sums of runs to the power of w, one run
    of all its tokens is the greatest.
    """
    table = scores(pairs, tokenizer)
    for lesser, greater in (
        ("rougeL", "rouge1"),
        ("rougeLsum", "rouge1"),
        ("rougeW", "rougeL"),
        ("rougeW-2.5", "rougeL"),
    ):
        for lesser_row, greater_row in zip(table[lesser], table[greater], strict=True):
            assert all(a <= b + 1e-12 for a, b in zip(lesser_row, greater_row, strict=True)), (
                lesser,
                greater,
            )


@given(some_pairs, st.sampled_from(("rouge_score", "char", "whitespace")))
def test_rouge_lsum_of_one_line_is_rouge_l(pairs, tokenizer):
    one_line = [(p.replace("\n", " "), [r.replace("\n", " ")]) for p, (r,) in pairs]
    table = scores(one_line, tokenizer)
    assert table["rougeLsum"] == table["rougeL"]


# --- references -----------------------------------------------------------------------------------


@given(text, st.lists(text, min_size=1, max_size=4), tokenizer)
def test_best_reference_is_the_first_of_the_highest_f(prediction, references, tokenizer):
    """So adding a reference never lowers F. (It may lower BLEU: the added one may be the closest in
    length, and longer.)
    """
    together = scores([(prediction, references)], tokenizer)
    one_by_one = scores([(prediction, [reference]) for reference in references], tokenizer)
    for name in ROUGE_TYPES:
        assert together[name] == [max(one_by_one[name], key=lambda row: row[2])], name


def test_first_of_equal_references():
    """By hand: F of "a b" is 2 * 1 / (2 + 2) with the one and 2 * 2 / (2 + 6) with the other."""
    references = ["a x", "a b u v w y"]
    assert scores([("a b", references)])["rouge1"] == [(0.5, 0.5, 0.5)]
    assert scores([("a b", references[::-1])])["rouge1"] == [(1.0, 1 / 3, 0.5)]


@given(text, st.lists(text, min_size=2, max_size=4))
def test_added_references_lower_no_precision_of_bleu(prediction, references):
    precisions = []
    for end in range(1, len(references) + 1):
        corpus = checked_corpus([prediction], [references[:end]])
        precisions.append(bleu(corpus, BleuOptions(max_order=3))["precisions"])
    assert all(column == sorted(column) for column in map(list, zip(*precisions, strict=True)))


def test_added_reference_may_lower_bleu():
    """By hand: 4 of 6 words match. The closest length is first 4, which is no penalty, then 7."""
    corpora = [
        checked_corpus(["a b c d e f"], [references])
        for references in (["a b c d"], ["a b c d", "a b c d x y z"])
    ]
    first, second = (bleu(corpus, BleuOptions(max_order=1)) for corpus in corpora)
    assert first["bleu"] == pytest.approx(4 / 6)
    assert second["bleu"] == pytest.approx(4 / 6 * math.exp(1 - 7 / 6))
