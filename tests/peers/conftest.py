"""Originals of other fields beside ours on hostile texts; `make test-peers` installs them.

Each file is skipped where its package is missing, as in `make test`.
"""

import numpy as np
import pytest

from helpers.hostile_text import random_strings


@pytest.fixture(scope="session")
def hostile():
    """Predictions, and one to three references of each; some are equal, some are empty."""
    rng = np.random.default_rng(31)
    predictions = [text.replace("\0", "") for text in random_strings(31, 150)]
    others = [text.replace("\0", "") for text in random_strings(32, 450)]
    references = []
    for number, prediction in enumerate(predictions):
        own = others[3 * number : 3 * number + int(rng.integers(1, 4))]
        if number % 3 == 0:  # something in common
            words = prediction.split(" ")
            own[0] = " ".join(rng.permutation(words).tolist())
        references.append(own)
    return {"predictions": [*predictions, ""], "references": [*references, ["", "a b"]]}
