"""The error of a call."""

import pytest


def error_of(function, *args, **kwargs):
    """Return the type and the whole message of the error that a call raises."""
    with pytest.raises(Exception) as raised:  # noqa: PT011
        function(*args, **kwargs)
    return type(raised.value), str(raised.value)
