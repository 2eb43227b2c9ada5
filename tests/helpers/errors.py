"""The error of a call, and its warnings."""

import warnings

import pytest


def error_of(function, *args, **kwargs):
    """Return the type and the whole message of the error that a call raises."""
    with pytest.raises(Exception) as raised:  # noqa: PT011
        function(*args, **kwargs)
    return type(raised.value), str(raised.value)


def warnings_of(function, *args, **kwargs):
    """Return all warnings of a call."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        function(*args, **kwargs)
    return caught
