"""Draws the page and a report for the documentation, and the preview of the Space; no test looks at them.

PYTHONPATH=.:tests python tests/programs/screenshots.py
"""

import io
import sys
import tempfile
from pathlib import Path

from PIL import Image  # which Gradio brings
from playwright.sync_api import sync_playwright

from helpers.page_server import browser_path, served
from helpers.repository import ROOT
from rouge_bleu_tools.cli.main import main as command

PICTURES = {  # file: width, height
    "docs/page-desktop.png": (1280, 1100),
    "docs/page-phone.png": (390, 1300),
    "rouge_bleu_tools/app/preview.png": (1280, 672),
}


def save(page, name):
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    picture.quantize(128).save(ROOT / name, optimize=True)  # a third as large


def main():
    if browser_path() is None:
        sys.exit("no browser: install chromium, or name one by CHROMIUM=...")
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as driver:
        arguments = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
        chromium = driver.chromium.launch(executable_path=browser_path(), args=arguments)
        with served(ROOT, Path(scratch)) as (url, _):
            for name, (width, height) in PICTURES.items():
                page = chromium.new_page(viewport={"width": width, "height": height})
                page.goto(url)
                page.locator("#packages .own").first.wait_for(state="attached")
                page.wait_for_timeout(2_000)  # until nothing fades any more
                save(page, name)
        report, systems = Path(scratch) / "report.html", ROOT / "examples" / "systems"
        files = [str(systems / f"{name}.txt") for name in ("baseline", "better", "references")]
        types = ["--rouge-types", "rouge1", "rouge2", "rougeL"]
        command(["compare", *files[:2], "-r", files[2], *types, "--report", str(report)])
        page = chromium.new_page(viewport={"width": 1280, "height": 1000})
        page.goto(report.as_uri())
        save(page, "docs/report.png")
        chromium.close()


if __name__ == "__main__":
    main()
