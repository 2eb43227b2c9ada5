"""The metrics as the page has them."""

import pytest

from rouge_bleu_tools.page.shared.metrics import Metrics


@pytest.fixture(scope="module")
def metrics():
    return Metrics.of_folder()
