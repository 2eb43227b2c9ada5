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
from rouge_bleu import corpus as corpus_module
from rouge_bleu._bleu.options import BleuOptions
from rouge_bleu._bleu.scorer import bleu
from rouge_bleu._rouge.counting import FAMILIES, measure_of_name
from rouge_bleu._rouge.options import RougeOptions
from rouge_bleu._rouge.scorer import rouge
from rouge_bleu.corpus import checked_corpus

# --- the table ------------------------------------------------------------------------------------


def test_no_measure_is_missing():
    families = {*FAMILIES}
    assert {measure.family for measure in MEASURES} == families | {"bleu"}
    assert set(RougeOptions().measures) <= {*ROUGE_TYPES}
    for name in ROUGE_TYPES:
        assert measure_of_name(name).family == OF_NAME[name].family


@given(some_items, tokenizer, rouge_options)
def test_scores_are_in_0_to_1(items, tokenizer, options):
    for name, rows in scores(items, tokenizer, **options).items():
        assert len(rows) == len(items)
        assert all(
            isinstance(score, float) and 0.0 <= score <= 1.0 for row in rows for score in row
        ), (name, rows)


@given(st.lists(text, min_size=1, max_size=5))
def test_identical_texts_score_1_where_they_are_long_enough(texts):
    """And 0 if they are not. Another reference, as long as this one, takes nothing away."""
    lengths = [len(prediction.split()) for prediction in texts]
    for references_of in (lambda own: [own], lambda own: [own[::-1], own]):
        pairs = [(prediction, references_of(prediction)) for prediction in texts]
        for name, rows in scores(pairs, "whitespace").items():
            for row, length in zip(rows, lengths, strict=True):
                expected = 1.0 if length >= max(OF_NAME[name].enough, 1) else 0.0
                assert set(row) == {expected}, (name, length)


# --- what changes no bit --------------------------------------------------------------------------


@given(st.lists(item, min_size=2, max_size=5), tokenizer, rouge_options, st.data())
def test_order_and_batches_change_nothing(items, tokenizer, options, data):
    end = data.draw(st.integers(1, len(items) - 1))
    turned, first, second = (
        scores(part, tokenizer, **options)
        for part in (items[end:] + items[:end], items[:end], items[end:])
    )
    assert turned == {name: second[name] + first[name] for name in turned}


def many_items():
    """Return more items than fit into one vector register; references are copies with errors, so
    that long n-grams match.
    """
    rng = np.random.default_rng(1)
    predictions = [rng.integers(0, 4, length) for length in rng.integers(0, 140, 30)]
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


def test_many_items_score_like_each_alone_and_in_chunks():
    """numpy adds few numbers in a different order from many, and takes other instructions for the rest
    of a vector.
    """
    table = scores(many_items())
    assert all(len(set(rows)) > 15 for rows in table.values()), "most scores differ"
    one_by_one = [scores([item]) for item in many_items()]
    for name, rows in table.items():
        assert rows == [of_item[name][0] for of_item in one_by_one], name
    with mock.patch.object(corpus_module, "_CHUNK_CHARACTERS", 300):
        assert scores(many_items()) == table


@given(some_items, tokenizer, st.sampled_from([1, 100]))
def test_size_of_chunks_changes_no_aggregate(items, tokenizer, n_characters):
    """BLEU of a corpus is a function of integers, so no bit of it changes; a mean is one of all
    items in their order.
    """
    corpus = checked_corpus(
        [prediction for prediction, _ in items], [references for _, references in items]
    )
    options = (
        RougeOptions(rouge_types=ROUGE_TYPES, tokenizer=tokenizer),
        BleuOptions(tokenizer=tokenizer),
    )
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


# All words match; the prediction is short; the other way round there is no penalty, but not all
# words match.
SHORT_PREDICTION = tuple(
    f"{text} {' '.join(map(str, range(20)))}" for text in ("a b c d e", "a b c d e f g h")
)


def test_measures_that_are_not_symmetric():
    for measure in MEASURES:
        if measure.family == "bleu":
            prediction, reference = SHORT_PREDICTION
            before = scores([(prediction, [reference])])[measure.name]
            assert before != scores([(reference, [prediction])])[measure.name]
        else:
            assert measure.is_symmetric == (measure.name != "rougeLsum")
    # By hand, and rouge_score gives the same: both lines of the reference take their a from "a a".
    # The other way round both lines of the prediction take the last a of the reference.
    assert scores([("a a", ["a\na"])])["rougeLsum"] == [(1.0, 1.0, 1.0)]
    assert scores([("a\na", ["a a"])])["rougeLsum"] == [(0.5, 0.5, 0.5)]
