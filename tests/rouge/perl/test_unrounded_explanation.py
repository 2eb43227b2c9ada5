"""Every score of preset "pyrouge-metric" from its explanation alone, and the words that it shows."""

from collections import Counter
from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from helpers import explanations
from helpers.explanations import shown
from helpers.measures import item

TYPES = ["rouge1", "rouge3", "rougeL", "rougeLsum", "rougeW-1.5", "rougeS", "rougeS1", "rougeSU2"]
explained = partial(explanations.explained, preset="pyrouge-metric", rouge_types=TYPES)


@given(item, st.sampled_from([{}, {"max_words": 6}, {"tokenizer": "rouge_score"}]))
def test_what_is_marked_is_a_token_and_in_the_other_text(item, options):
    prediction, references = item
    explanation = explained(prediction, references, **options)
    tokens = [tokens_of(text, options) for text in (prediction, *references)]
    for name, of_type in explanation.items():
        for number, entry in enumerate(of_type["references"], start=1):
            spans = entry["prediction_spans"], entry["reference_spans"]
            assert all(span in tokens[0] for span in spans[0])
            assert all(span in tokens[number] for span in spans[1])
            of_prediction, of_reference = (
                [word.lower() if options.get("tokenizer") else word for word in shown(*side)]
                for side in zip((prediction, references[number - 1]), spans, strict=True)
            )
            assert set(of_prediction) == set(of_reference)
            assert bool(of_reference) >= (entry["matches"] > 0)
            if name in ("rougeL", "rougeLsum", "rouge1"):
                assert len(of_reference) == entry["matches"]
            if name in ("rougeL", "rougeLsum", "rouge1", "rougeW-1.5"):
                assert Counter(of_prediction) == Counter(of_reference)


def tokens_of(written, options):
    """The spans of the tokens of a text."""
    (of_type,) = explained(written, written, rouge_types=["rouge1"], **options).values()
    (entry,) = of_type["references"]
    assert entry["prediction_spans"] == entry["reference_spans"]
    assert len(entry["reference_spans"]) == entry["matches"] == entry["reference_total"]
    return entry["reference_spans"]


def test_sentences_are_tokenized_each_by_itself():
    """As 13a joins lines and no sentence does."""
    options = {"rouge_types": ["rouge1"], "tokenizer": "13a"}
    (entry,) = explained("well-\nknown", "well-\nknown fox", **options)["rouge1"]["references"]
    assert entry["prediction_spans"] == entry["reference_spans"] == [[0, 5], [6, 11]]


def test_the_reference_of_the_highest_recall_is_chosen(rouge_full):
    """Recalls are 1/2 and 1, F 2/3 and 1/2."""
    pair = {"prediction": "a b x", "reference": ["a b c d", "a"]}
    options = {"preset": "pyrouge-metric", "rouge_types": ["rouge1"]}
    pooled = rouge_full.explain(**pair, **options)["rouge1"]
    assert (pooled["chosen"], pooled["recall"]) == (None, 3 / 5)
    best = rouge_full.explain(**pair, **options, multi_reference="best")["rouge1"]
    assert (best["chosen"], best["recall"], best["fmeasure"]) == (1, 1, 0.5)
    assert best["references"][0]["fmeasure"] > best["fmeasure"]
