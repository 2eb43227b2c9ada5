"""Draws the page as docs/page-desktop.png and docs/page-phone.png.

The two sentences are those that the page opens with. Look at the pictures before they
are committed: no test does.
"""

import io
import sys
import tempfile
from pathlib import Path

from PIL import Image  # which Gradio brings
from playwright.sync_api import sync_playwright

from helpers.browser.sites import DESKTOP, PHONE, ROOT, executable, served

PICTURES = {"desktop": {**DESKTOP, "height": 1300}, "phone": {**PHONE, "height": 1680}}


def main(folder=ROOT / "docs"):
    if executable() is None:
        sys.exit("no browser: install chromium, or name one by CHROMIUM=...")
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as driver:
        arguments = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
        chromium = driver.chromium.launch(executable_path=executable(), args=arguments)
        with served(ROOT, Path(scratch)) as (url, _):
            for name, size in PICTURES.items():
                page = chromium.new_page(viewport=size)
                page.goto(url)
                page.locator("#try-explanation mark").first.wait_for()
                page.wait_for_timeout(1_000)  # until nothing fades any more
                _save(page.screenshot(), folder / f"page-{name}.png")
        chromium.close()


def _save(picture, path):
    """Save a picture with 128 colours, which makes it a third as large."""
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    image.quantize(128).save(path, optimize=True)


if __name__ == "__main__":
    main()
