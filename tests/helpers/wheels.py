"""The wheel of this repository, and folders into which it is installed."""

import os
import subprocess
import sys

from helpers.repository import ROOT

_BUILD = """
import sys
from hatchling.builders.wheel import WheelBuilder
from hatchling.builders.sdist import SdistBuilder
builder = {"wheel": WheelBuilder, "sdist": SdistBuilder}[sys.argv[1]]
print(*builder(sys.argv[2]).build(directory=sys.argv[3], versions=["standard"]))
"""


def built(kind, folder, root=ROOT):
    """Build a "wheel" or an "sdist" into a folder and return its path."""
    command = [sys.executable, "-c", _BUILD, kind, str(root), str(folder)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def installed(wheel, folder):
    """Install a wheel into a folder, without its requirements, and return the folder."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"]
    environment = {**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    subprocess.run([*command, "--target", str(folder), str(wheel)], check=True, env=environment)
    return folder
