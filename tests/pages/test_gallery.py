"""The notebook in examples/ shows what its code prints and draws: `make gallery` writes it."""

import base64
import io
import json

import matplotlib
import numpy as np
import pytest
from PIL import Image  # which matplotlib brings

from helpers.notebooks import cells_of_code, outputs_of_notebook
from helpers.repository import ROOT

GALLERY = ROOT / "examples" / "gallery.ipynb"


@pytest.fixture(scope="module")
def notebook():
    return json.loads(GALLERY.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def outputs(notebook):
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(GALLERY.parent)
        return outputs_of_notebook(notebook)


def pixels(output):
    content = base64.b64decode(output["data"]["image/png"])
    return np.asarray(Image.open(io.BytesIO(content)).convert("L"), float)


def is_picture(output):
    return "image/png" in output.get("data", {})


def test_texts_are_what_the_code_prints(notebook, outputs):
    shown = [cell["outputs"] for cell in cells_of_code(notebook)]
    texts = [[one for one in cell if not is_picture(one)] for cell in shown]
    assert texts == [[one for one in cell if not is_picture(one)] for cell in outputs]


@pytest.mark.skipif(
    matplotlib.__version_info__ < (3, 11), reason="matplotlib 3.10 has other letters"
)
def test_plots_are_what_the_code_draws(notebook, outputs):
    """Other versions of matplotlib draw some pixels in another way."""
    shown = [one for cell in cells_of_code(notebook) for one in cell["outputs"]]
    drawn = [one for cell in outputs for one in cell if is_picture(one)]
    shown = [one for one in shown if is_picture(one)]
    assert len(shown) == len(drawn) == 3
    for one, other in zip(map(pixels, shown), map(pixels, drawn), strict=True):
        assert one.shape == other.shape
        assert np.abs(one - other).mean() < 1  # of 255
