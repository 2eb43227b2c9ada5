"""Options of a call that was made before are not checked again, and are what they would be."""

import math

import numpy as np
import pytest

from rouge_bleu._bleu.options import BleuOptions
from rouge_bleu._rouge.options.checked import RougeOptions
from rouge_bleu.options import checked as option_checks
from rouge_bleu.options.checked import checked_options, remembered_options

GIVEN = [
    (RougeOptions, {}, {}),
    (RougeOptions, {"rouge_types": ["rouge1", "rougeL"]}, {}),
    (RougeOptions, {"rouge_types": ("rouge1",), "beta": math.inf}, {"use_stemmer": True}),
    (RougeOptions, {"preset": "rouge-1.5.5"}, {"preset": "matlab", "beta": 2.0}),
    (RougeOptions, {"preset": None}, {"preset": "matlab"}),
    (BleuOptions, {"weights": [0.5, 0.5], "smoothing": "add-k", "smoothing_value": 1}, {}),
    (BleuOptions, {"weights": {"a": [1.0], "b": (0, 1)}}, {}),
    (BleuOptions, {"weights": np.array([0.5, 0.5])}, {}),
]


@pytest.fixture
def n_checked(monkeypatch):
    """How often options were checked, as the length of a list."""
    option_checks._options_of_forms.cache_clear()
    calls = []

    def checked(*args, **options):
        calls.append(args)
        return checked_options(*args, **options)

    monkeypatch.setattr(option_checks, "checked_options", checked)
    yield calls
    option_checks._options_of_forms.cache_clear()


def fields_of(options):
    return repr(options)  # arrays have no one answer to ==


@pytest.mark.parametrize(("options_class", "given", "at_load"), GIVEN)
def test_they_are_those_that_checks_return(options_class, given, at_load, n_checked):
    expected = checked_options(options_class, given, load_options=at_load)
    for _ in range(2):
        found = remembered_options(options_class, given, at_load)
        assert fields_of(found) == fields_of(expected)


@pytest.mark.parametrize(("options_class", "given", "at_load"), GIVEN[:6])
def test_plain_values_are_checked_once(options_class, given, at_load, n_checked):
    first = remembered_options(options_class, given, at_load)
    assert remembered_options(options_class, dict(given), dict(at_load)) is first
    assert len(n_checked) == 1


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"beta": 1}, {"beta": 2}),
        ({"beta": 1}, {"beta": 1.0}),
        ({"zero_division": -0.0}, {"zero_division": 0.0}),
        ({"rouge_types": ["rouge1"]}, {"rouge_types": ["rouge2"]}),
        ({"rouge_types": ["rouge1"]}, {"rouge_types": ("rouge1",)}),
        ({"max_words": 1}, {"max_bytes": 1}),
    ],
)
def test_other_values_are_other_options(first, second, n_checked):
    one, other = (remembered_options(RougeOptions, given, {}) for given in (first, second))
    assert fields_of(other) == fields_of(checked_options(RougeOptions, second))
    assert one is not other
    at_load = remembered_options(RougeOptions, {}, second)
    assert at_load is not other
    assert fields_of(at_load) == fields_of(other)


@pytest.mark.parametrize(
    ("accepted", "refused"),
    [
        ({"n_jobs": 1}, {"n_jobs": True}),
        ({"n_jobs": 1}, {"n_jobs": 1.0}),
        ({"max_words": 1}, {"max_words": True}),
        ({"signature": True}, {"signature": 1}),
        ({"rouge_types": ["rouge1"]}, {"rouge_types": "rouge1"}),
        ({"rouge_types": ["rouge1"]}, {"rouge_types": [1]}),
        ({"weights": [1, 1]}, {"weights": [1, True]}),
    ],
)
def test_what_is_refused_is_refused_behind_what_is_equal(accepted, refused, n_checked):
    """True == 1 == 1.0, and all three have the same hash."""
    options_class = BleuOptions if "weights" in accepted else RougeOptions
    remembered_options(options_class, accepted, {})
    for _ in range(2):
        with pytest.raises((TypeError, ValueError)):
            remembered_options(options_class, refused, {})


def test_a_list_may_change_between_calls(n_checked):
    types = ["rouge1"]
    first = remembered_options(RougeOptions, {"rouge_types": types}, {})
    types.append("rouge2")
    assert list(first.measures) == ["rouge1"]
    assert list(remembered_options(RougeOptions, {"rouge_types": types}, {}).measures) == types
    assert remembered_options(RougeOptions, {"rouge_types": ["rouge1"]}, {}) is first


def test_functions_are_not_kept(n_checked):
    for _ in range(2):
        remembered_options(RougeOptions, {"stemmer": str.lower}, {})
        remembered_options(RougeOptions, {}, {"stemmer": str.lower})
    assert len(n_checked) == 4
    assert option_checks._options_of_forms.cache_info().currsize == 0
