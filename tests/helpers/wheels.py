"""The wheel of this repository, and folders into which it is installed."""

from helpers.programs import run
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
    return run("-c", _BUILD, kind, root, folder).stdout.strip()


def installed(wheel, folder):
    """Install a wheel into a folder, without its requirements, and return the folder."""
    flags = ("--quiet", "--no-deps", "--no-index", "--disable-pip-version-check")
    run("-m", "pip", "install", *flags, "--target", folder, wheel)
    return folder
