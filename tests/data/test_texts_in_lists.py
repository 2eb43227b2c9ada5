"""Lists of tokens that are texts in lists, which only a look at the whole corpus tells."""

import warnings
from itertools import permutations

import pytest

from helpers.errors import error_of
from helpers.items import boom

WRAPPED = (
    "predictions[{}] is a list with one text, which would count as one token, got list {!r}: "
    "give the text itself"
)
TEXTS_FOR_TOKENS = (
    "references[{}] holds a text, which would count as one token, while predictions are lists of "
    "words, got str {!r}: split it into tokens as the predictions are, or give texts on both sides"
)

# Predictions, references, and the number of the item that is named: its prediction is a text in a
# list, or a reference of it is "the cat".
IN_LISTS = {
    "texts in lists": ([["a cat sat"], ["a dog"]], [["a cat"], ["a dog"]], 0),
    "the first has one word": ([["Yes"], ["the cat"]], [["Yes"], ["a cat"]], 1),
    "an empty text, and an empty list": ([[""], [], ["a dog"]], [["a"], ["b"], ["c"]], 2),
    "several references": ([["a dog"]], [["a dog", "the dog"]], 0),
    "references are tokens": ([["a dog"]], [["a", "dog"]], 0),
    "lines of one word": ([["a\nb"]], [["a"]], 0),
    "no blanks": ([["谢谢"], ["今天天气很好我们去公园"]], [["谢谢"], ["今天天气不错"]], 1),
    "no blanks in Thai": ([["ฉันกินข้าวที่บ้าน"]], [["ฉันกินข้าว"]], 0),
}
FOR_TOKENS = {
    "one text for tokens": ([["the", "cat"]], [["the cat"]], 0),
    "one text, the first has one word": ([["yes"], ["the", "cat"]], [["yes"], ["the cat"]], 1),
    "several texts": (
        [["a"], ["the", "cat"]],
        [["a"], ["the cat", "cats", "a cat", "two cats"]],
        1,
    ),
    "nested": ([["a"], ["the", "cat"]], [[["a"], ["b"]], [["cat"], ["the cat"]]], 1),
    "one word for one text": ([["cat"]], [["the cat", "a cat"]], 0),
    "no tokens": ([[]], [["the cat"]], 0),
}
TEXTS = {
    **{name: (*row, WRAPPED.format(row[2], row[0][row[2]])) for name, row in IN_LISTS.items()},
    **{
        name: (*row, TEXTS_FOR_TOKENS.format(row[2], "the cat")) for name, row in FOR_TOKENS.items()
    },
}
TOKENS = {  # predictions, references
    "words": ([["the", "cat"]], [["the", "cat"]]),
    "one token": ([["the", "cat"]], [["cat"]]),
    "one token each": ([["yes"], ["no"]], [["yes"], ["yes"]]),
    "names": ([["I", "love", "New York"]], [["New York"]]),
    "names on one side": ([["I", "love", "it"]], [["I", "love", "New York"]]),
    "half of the strings are names": ([["a", "b"]], [["New York", "is"]]),
    "a name alone beside words": ([["New York"], ["a", "b"]], [["New York"], ["a", "b"]]),
    "blanks around tokens": ([["the", " cat"]], [["the", " cat "]]),
    "blanks around tokens, and one name": ([[" the", " cat"]], [[" the ", " cat ", " New York"]]),
    "blanks as tokens": ([["a", " ", "b"]], [["a", "  ", "b"]]),
    "a name without blanks": ([["中华人民共和国"]], [["中华人民共和国"]]),  # 7 letters
    "many letters of other scripts": ([["Donaudampfschiff"]], [["достопримечательность"]]),
    "one blank as token": ([["a", "b"]], [["  "]]),
    "no tokens": ([[]], [[]]),
    "Chinese": ([["我爱北京"]], [["我爱北京的天安门"]]),
    "several references": ([["the", "cat"]], [[["the", "cat"], ["New York"], ["a"]]]),
}


def swapped(column, order):
    return [column[index] for index in order]


@pytest.mark.parametrize(("predictions", "references", "_", "message"), TEXTS.values(), ids=TEXTS)
def test_texts_are_refused(metric, predictions, references, _, message):
    """Before any work, in any order, and what is added is judged together."""
    error = ValueError, message
    texts = {"predictions": predictions, "references": references}
    assert error_of(metric.compute, **texts, tokenizer=boom) == error
    for order in permutations(range(len(predictions))):
        other = {name: swapped(column, order) for name, column in texts.items()}
        kind, found = error_of(metric.compute, **other)
        assert (kind, found.partition("[")[0]) == (ValueError, message.partition("[")[0])
    metric.add_batch(**texts)
    assert error_of(metric.compute) == error
    if isinstance(references[0][0] if references[0] else "", str):
        for prediction, reference in zip(predictions, references, strict=True):
            metric.add(prediction=prediction, reference=reference)
        assert error_of(metric.compute) == error
    assert len(metric) == 0


@pytest.mark.parametrize(("predictions", "references"), TOKENS.values(), ids=TOKENS)
def test_batches_do_not_matter_to_tokens(metric, predictions, references):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "No text holds a single token")
        expected = metric.compute(predictions=predictions, references=references)
        metric.add_batch(predictions=predictions, references=references)
        assert metric.compute() == expected
        for prediction, reference in zip(predictions, references, strict=True):
            metric.add(prediction=prediction, reference=reference)
        assert metric.compute() == expected


def test_texts_are_not_looked_at(metric):
    """A reference of several texts is a list of strings too."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        metric.compute(predictions=["a b", "c"], references=[["a b"], ["c d", "e f"]])


def test_phrases_as_tokens_are_scored_with_a_warning(metric):
    """Key phrases may be tokens; a corpus with a list around it looks the same."""
    predictions = [["machine learning", "neural networks", "text"]]
    references = [["machine learning", "deep learning"]]
    with pytest.warns(UserWarning, match="^Most tokens") as warned:
        result = metric.compute(predictions=predictions, references=references)
    assert [str(warning.message) for warning in warned] == [
        "Most tokens hold several words, such as str 'machine learning' in predictions[0]. If "
        "these are texts, give a list of texts, and not a list of such lists."
    ]
    assert warned[0].filename == __file__
    # one of 3 and of 2 tokens matches
    assert result.get("rouge1", 0.4) == pytest.approx(0.4)
    assert result.get("precisions", [1 / 3])[0] == pytest.approx(1 / 3)


TOKENS_OF_REFERENCES = [["the", "cat", "sat"], "a dog ran away from me .".split()]


def test_tokens_beside_texts_are_scored_as_references_with_a_warning(metric):
    """Two predictions with 3 and 7 references of one word: 5 each. A baseline adds no warning."""
    data = {"predictions": ["the cat sat", "dogs run"], "references": TOKENS_OF_REFERENCES}
    with pytest.warns(UserWarning, match="single words") as warned:
        metric.compute(**data, baseline_predictions=["a cat", "a dog"])
    assert [(str(warning.message), warning.filename) for warning in warned] == [
        (
            "references[1] is a list of 7 single words, each of which is taken for a reference. If "
            "they are the tokens of one, join them, or give predictions as lists of tokens too.",
            __file__,
        )
    ]


def test_tokens_of_short_references_give_a_warning(metric):
    """13 words in 3 references, as captions and short answers have: 4.3 each."""
    references = ["the cat sat on the mat", "it rains today", "the dog ran off"]
    with pytest.warns(UserWarning, match="is a list of 6 single words"):
        metric.compute(
            predictions=["the cat sat on the mat", "it rains today", "a dog ran off"],
            references=[text.split() for text in references],
        )


def test_letters_beside_texts_without_blanks_give_a_warning(metric):
    with pytest.warns(UserWarning, match="is a list of 5 single words"):
        metric.compute(predictions=["我喜欢书"], references=[list("我喜欢读书")], tokenizer="char")


@pytest.mark.parametrize(
    ("predictions", "references"),
    [
        (["the cat", "a dog ran"], [["the", "cat"], "a dog ran away .".split()]),  # 3.5 of each
        (["the cat", "a dog"], [*TOKENS_OF_REFERENCES[:1], [*TOKENS_OF_REFERENCES[1], "a b"]]),
        (["the cat", "dogs"], TOKENS_OF_REFERENCES),  # one prediction in two has one word
        (["Paris"], [["Paris", "paris", "PARIS", "Parigi", "Paname"]]),  # names of one answer
    ],
)
def test_few_references_or_several_words_give_no_warning(metric, predictions, references):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        metric.compute(predictions=predictions, references=references)
