"""Functions of the user: their errors pass through, and wrong return values are named."""

from functools import reduce

import pytest


def raises_encode_error(text):
    """As a tokenizer of a user may, that writes to a file or calls a C library."""
    return "\ud800".encode()


LONE_SURROGATE = "must return valid Unicode text, got a"
FUNCTIONS = [
    ("bleu_full", "tokenizer", {}),
    *(
        ("rouge_full", option, options)
        for option in ("tokenizer", "stemmer", "sentence_splitter")
        for options in ({}, {"preset": "rouge-1.5.5"})
    ),
]


@pytest.mark.parametrize(("name", "option", "options"), FUNCTIONS)
def test_its_own_encode_error_passes_through_as_it_is(request, name, option, options):
    metric = request.getfixturevalue(name)
    plain = {"predictions": ["a b c d"], "references": ["a b c d"]}
    expected = metric.compute(**plain)
    with pytest.raises(UnicodeEncodeError) as error:
        metric.compute(**plain, **{option: raises_encode_error}, **options)
    assert metric.compute(**plain) == expected
    assert error.traceback[-1].name == "raises_encode_error"
    assert error.value.__cause__ is None
    assert error.value.object == "\ud800"


@pytest.mark.parametrize("text", ["\ud800", "a\udfff b"])
@pytest.mark.parametrize(("name", "option", "options"), FUNCTIONS)
def test_a_lone_surrogate_that_it_returns_is_named(request, name, option, options, text):
    """Half of a character, which no column of text can hold."""
    metric = request.getfixturevalue(name)
    returned = text if option == "stemmer" else ["a", text]
    for predictions, references in ((["a"], ["b"]), (["a b", "a"], [["b", "a"], ["a"]])):
        with pytest.raises(ValueError, match=f"^{option} {LONE_SURROGATE}") as error:
            metric.compute(
                predictions=predictions,
                references=references,
                **{option: lambda _: returned},
                **options,
            )
        assert not isinstance(error.value, UnicodeEncodeError)
        assert ascii(text)[1:-1] in str(error.value)


@pytest.mark.parametrize("option", ["tokenizer", "stemmer", "sentence_splitter", "rouge_types"])
def test_lists_that_are_nested_too_deeply_to_show(rouge_full, option):
    returned = reduce(lambda inner, _: [inner], range(100_000), "a")
    value = returned if option == "rouge_types" else lambda _: returned
    with pytest.raises((TypeError, ValueError), match="got <nested too deeply to show>"):
        rouge_full.compute(predictions=["a"], references=["a"], **{option: value})


def test_a_splitter_is_named_though_a_tokenizer_gets_its_lines(rouge_full):
    with pytest.raises(ValueError, match=f"^sentence_splitter {LONE_SURROGATE}"):
        rouge_full.compute(
            predictions=["a"],
            references=["a"],
            sentence_splitter=lambda text: ["\ud800"],
            tokenizer=str.split,
        )
