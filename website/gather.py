"""Gathers the pages of the repository for the site, each at the place that it has here.

So a link from page to page is the same on GitHub and on the site, and git keeps no copy. What
pages link to, such as pictures and scripts, comes along; so do the folders of data. The gallery is
a notebook here and a page there; the page of the functions is made of their docstrings.
"""

import json
import re
import shutil
import sys
from base64 import b64decode
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SITE = ROOT / "build" / "website"
PAGES = SITE / "pages"
FOLDERS = ("", "metric_cards", "docs", "examples", "benchmarks")
FUNCTIONS = (
    "rouge.functions.rouge",
    "rouge.functions.explain_rouge",
    "bleu.functions.bleu",
    "bleu.functions.explain_bleu",
    "shipped.loading.load",
)
LINK = re.compile(r"\]\((?!https?://|#)([^)#]+)")


def page_paths():
    """Return the paths of all pages for readers, relative to the repository."""
    paths = [
        path for folder in FOLDERS for path in sorted((ROOT / folder).glob("*.md"))
    ]
    return [path.relative_to(ROOT) for path in paths]


def for_site(text):
    """Return the text of a page as the site has it: examples with prompts are consoles, and the
    notebook is a page.
    """
    text = re.sub(r"^```python\n(?=>>> )", "```pycon\n", text, flags=re.MULTILINE)
    return text.replace(".ipynb)", ".md)")


def copy_page(path):
    """Copy a page, and what it links to."""
    text = (ROOT / path).read_text(encoding="utf-8")
    write(path, for_site(text).encode())
    for target in LINK.findall(text):
        linked = (ROOT / path).parent.joinpath(target).resolve()
        if linked.is_file() and linked.suffix not in (".md", ".ipynb"):
            write(linked.relative_to(ROOT), linked.read_bytes())


def page_of_functions():
    """Write the page that mkdocstrings fills with the docstrings of the functions."""
    parts = ["# Functions", "What `import rouge_bleu` gives."]
    parts += [f"::: rouge_bleu.{place}" for place in FUNCTIONS]
    write(Path("functions.md"), "\n\n".join(parts).encode())


def write(path, content):
    (PAGES / path).parent.mkdir(parents=True, exist_ok=True)
    (PAGES / path).write_bytes(content)


def page_of_notebook(path):
    """Write a notebook as a page: its texts, its code, and what the code has printed and drawn."""
    parts = []
    for cell in json.loads((ROOT / path).read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        parts.append(f"```python\n{source}\n```")
        for output in cell["outputs"]:
            data = output.get("data", {})
            if "image/png" in data:
                picture = f"{path.stem}-{len(parts)}.png"
                write(path.with_name(picture), b64decode(data["image/png"]))
                parts.append(f"![The plot that the code above draws]({picture})")
            else:
                text = "".join(output.get("text", data.get("text/plain", "")))
                parts.append(f"```text\n{text.rstrip()}\n```")
    write(path.with_suffix(".md"), "\n\n".join(parts).encode())


def main():
    shutil.rmtree(PAGES, ignore_errors=True)
    for path in page_paths():
        copy_page(path)
    page_of_notebook(Path("examples", "gallery.ipynb"))
    page_of_functions()
    write(Path("look.css"), (ROOT / "website" / "look.css").read_bytes())
    shutil.copyfile(ROOT / "website" / "zensical.toml", SITE / "zensical.toml")
    return 0


if __name__ == "__main__":
    sys.exit(main())
