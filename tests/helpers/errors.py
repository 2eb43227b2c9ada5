"""What the tests of errors share: the error of a call, and hints that messages end with."""

import pytest

INTO_A_LIST = ": put a single text into a list"
DECODE_IDS = ": decode token ids to text first"
DECODE = ": decode it first"
LIST_OF = ": make a list of it with list(...)"
NO_ORDER = ": a set has no order, give a list"
KEYS = ": take what is under one of its keys: "
COLUMNS = ": take one of its columns: "


def missing(instead):
    return f": if a value is missing, {instead}"


MISSING_TEXT = missing("put an empty string there")
MISSING_ITEM = missing("leave the item out of both sides")
MISSING_IN_LIST = missing("leave it out of the list")


def error_of(function, *args, **kwargs):
    """Return the type and the whole message of the error that a call raises."""
    with pytest.raises(Exception) as raised:  # noqa: PT011
        function(*args, **kwargs)
    return type(raised.value), str(raised.value)
