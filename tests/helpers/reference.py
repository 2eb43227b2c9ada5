"""The metric cards and the reference pages, and the tables and lists in them."""

import re

from helpers.repository import ROOT


def _pages(folder):
    return {path.stem: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.md"))}


CARDS, REFERENCE = _pages(ROOT / "metric_cards"), _pages(ROOT / "docs" / "reference")


def _below(heading, page):
    return re.split(rf"^#+ {re.escape(heading)}$", page, maxsplit=1, flags=re.MULTILINE)[1]


def rows_below(heading, page):
    """Return the cells of the rows of the first table below a heading."""
    table = re.search(r"^\|.*\n\| ---.*\n((?:^\|.*\n)+)", _below(heading, page), re.MULTILINE)[1]
    return [[cell.strip() for cell in line[1:-1].split(" | ")] for line in table.splitlines()]


def code_of(cell):
    """Return the code in backticks in a cell."""
    return re.findall("`([^`]*)`", cell)


def options_of(cell, **names):
    """Return the options that the first code of a cell gives."""
    return eval(f"dict({code_of(cell)[0]})", names)
