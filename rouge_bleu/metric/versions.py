"""The oldest versions of the packages that the metrics need, and an error for older ones;
a warning where `evaluate` takes an old copy of the metrics.

The oldest are those that all tests pass with (`make test-oldest`).
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from importlib import metadata

import datasets
import evaluate
import numpy as np
import pyarrow as pa
from packaging.version import Version

from ..messages import warn_caller
from ..version import VERSION

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


_DISTRIBUTION = "rouge-bleu-full"
_FOLDER_OF_INSTALL = ".evaluate-metric--"  # of a name without that of an account


def warn_of_old_copy(module: str = __name__) -> None:
    """Warn where this is a copy of `rouge-bleu install`, and a later version is installed.

    `module` is that of the copy. Where the package is not installed, nothing is said.
    """
    if _FOLDER_OF_INSTALL not in module:
        return
    is_old = False
    with suppress(Exception):  # whatever is wrong with what pip wrote
        installed = metadata.version(_DISTRIBUTION)
        is_old = Version(VERSION) < Version(installed)
    if is_old:
        warn_caller(
            f"evaluate.load takes a copy of version {VERSION}, and {_DISTRIBUTION} "
            f"{installed} is installed: run `rouge-bleu install` again"
        )
