"""Originals of other fields beside ours on hostile texts; the nightly workflow installs them.

Each file is skipped where its package is missing, as in `make test`.
"""

import pytest

from helpers.hostile_text import hostile_corpus


@pytest.fixture(scope="session")
def hostile():
    return hostile_corpus()
