"""Mounts the root as the package `full_metrics` and gives every run a cache of its own.

The modules import each other relatively, as `evaluate` needs it, and the root is not a package: so
it is mounted as one, without an install.
"""

import os
import sys
import tempfile
import types
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Read by evaluate when it is imported, so set before.
os.environ["HF_HOME"] = tempfile.mkdtemp(prefix="full_metrics_")
os.environ["HF_UPDATE_DOWNLOAD_COUNTS"] = "0"
for name in ("HF_MODULES_CACHE", "HF_EVALUATE_CACHE", "HF_METRICS_CACHE", "HF_ENDPOINT"):
    os.environ.pop(name, None)

_package = types.ModuleType("full_metrics")
_package.__path__ = [str(ROOT)]
sys.modules["full_metrics"] = _package

import evaluate  # noqa: E402
import pytest  # noqa: E402

# Their asserts say what differs, as those of test files do.
pytest.register_assert_rewrite(
    "bleu_corpora", "bleu_peers", "hostile_text", "measures", "oracles", "rouge_expected"
)


@pytest.fixture(scope="session")
def rouge_full():
    """The metric, loaded by the path of its script."""
    return evaluate.load(str(ROOT / "rouge_full.py"))


@pytest.fixture(scope="session")
def bleu_full():
    return evaluate.load(str(ROOT / "bleu_full.py"))


@pytest.fixture(params=["rouge_full", "bleu_full"])
def metric(request):
    """Either metric."""
    return request.getfixturevalue(request.param)
