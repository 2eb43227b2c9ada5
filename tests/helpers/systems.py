"""What some systems lack: pytest marks for the tests that need it."""

import os
from pathlib import Path

import pytest

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
needs_posix = pytest.mark.skipif(os.name != "posix", reason="shells and signals of POSIX")
needs_proc = pytest.mark.skipif(
    not Path("/proc/self/fd").is_dir(), reason="this system has no /proc"
)
