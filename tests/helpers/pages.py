"""The pages for readers, and the blocks of code on them."""

import re

from helpers.repository import ROOT

PAGES = sorted(
    path.relative_to(ROOT).as_posix()
    for pattern in ("*.md", "*/*.md", "docs/*/*.md")
    for path in ROOT.glob(pattern)
    if not path.parent.name.startswith((".", "build"))
)
BLOCK = re.compile(r"^```(.*)\n((?s:.*?))^```$", re.MULTILINE)


def text_of(page):
    return (ROOT / page).read_text(encoding="utf-8")


def block(page, heading, language):
    """Return the first block of a language below a heading."""
    below = text_of(page).split(f"\n## {heading}\n", 1)[1]
    return next(text for kind, text in BLOCK.findall(below) if kind == language)
