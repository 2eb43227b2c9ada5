"""`pip install` of a clone says what to do instead; nothing is fetched for that."""

import os
import shutil
import subprocess
import sys

import pytest

from helpers.repository import ROOT

MESSAGE = """\
The metrics are scripts for Hugging Face evaluate, and pip cannot install them.
To load them by name in any folder, run this in a clone of the repository:

    pip install -r requirements.txt
    python stage.py install

Then evaluate.load("rouge_full") and evaluate.load("bleu_full") work. Or give
evaluate.load the path of rouge_full.py or bleu_full.py, and install nothing."""


@pytest.fixture
def clone(tmp_path):
    """What pip looks at; it may write beside it."""
    folder = tmp_path / "clone"
    shutil.copytree(ROOT / "staging", folder / "staging")
    shutil.copyfile(ROOT / "pyproject.toml", folder / "pyproject.toml")
    return folder


@pytest.mark.parametrize(
    "options",
    ["install", "install -e", "install --no-build-isolation", "wheel", "download"],
)
def test_pip_shows_the_message(clone, tmp_path, options):
    target = ["--target", str(tmp_path)] if options.startswith("install") else []
    command = [sys.executable, "-m", "pip", *options.split(), str(clone), *target]
    env = os.environ | {"PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    done = subprocess.run(
        command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 1
    shown = [line.strip() for line in done.stderr.splitlines()]
    start = shown.index(MESSAGE.split("\n")[0])
    assert "\n".join(shown[start:]).startswith(
        "\n".join(line.strip() for line in MESSAGE.split("\n"))
    )
    assert "Traceback" not in done.stderr
    assert not list(clone.glob("*.egg-info"))


def test_each_hook_of_a_build_backend_is_there():
    """pip looks hooks up by name and makes do without those that are missing."""
    from rouge_bleu_tools.staging import no_package

    kinds = ("wheel", "editable", "sdist")
    hooks = [f"{hook}_{kind}" for kind in kinds for hook in ("build", "get_requires_for_build")]
    hooks += [f"prepare_metadata_for_build_{kind}" for kind in kinds[:2]]
    for hook in hooks:
        with pytest.raises(SystemExit, match=r"stage\.py install"):
            getattr(no_package, hook)("wheels", config_settings=None)
