"""The oldest versions of the packages that the metrics need, and an error for older ones.

They are the oldest that all tests pass with (`make test-oldest`).
"""

from __future__ import annotations

from collections.abc import Mapping

import datasets
import evaluate
import numpy as np
import pyarrow as pa
from packaging.version import Version

OLDEST_VERSIONS = {
    "evaluate": "0.4.3",
    "datasets": "2.21.0",
    "numpy": "1.26.0",
    "pyarrow": "17.0.0",
}

_VERSIONS = {
    "evaluate": evaluate.__version__,
    "datasets": datasets.__version__,
    "numpy": np.__version__,
    "pyarrow": pa.__version__,
}


def check_versions(versions: Mapping[str, str] = _VERSIONS) -> None:
    """Check that no package is older than the metrics need.

    Parameters
    ----------
    versions : mapping from str to str
        The version of each package of `OLDEST_VERSIONS`: those of this process.

    Raises
    ------
    ImportError
        A package is too old; the message names it and says how to update it.
    """
    for package, oldest in OLDEST_VERSIONS.items():
        if Version(versions[package]) < Version(oldest):
            raise ImportError(
                f"{package} must be {oldest} or later, got {versions[package]}:"
                f" python -m pip install --upgrade {package}"
            )
