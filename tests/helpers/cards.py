"""The metric cards, and the tables in them."""

import re

from helpers.repository import ROOT

CARDS = {
    path.stem: path.read_text(encoding="utf-8")
    for path in sorted((ROOT / "metric_cards").glob("*.md"))
}
ROUGE_CARD = CARDS["rouge_full"]


def rows_below(heading, card=ROUGE_CARD):
    """Return the cells of the rows of the first table below a heading."""
    pattern = rf"^#+ {re.escape(heading)}$"
    section = re.split(pattern, card, maxsplit=1, flags=re.MULTILINE)[1]
    table = re.search(r"^\|.*\n\| ---.*\n((?:^\|.*\n)+)", section, re.MULTILINE)[1]
    return [cells_of(line) for line in table.splitlines()]


def cells_of(line):
    return [cell.strip() for cell in line.strip()[1:-1].split(" | ")]


def code_of(cell):
    """Return what stands in backticks in a cell."""
    return re.findall("`([^`]*)`", cell)


def options_of(cell, **names):
    """Return the options that a cell gives, `weights=weights` among them.

    They are its first code; the backtick before it may be cut off.
    """
    code = cell.removeprefix("`").split("`")[0]
    return eval(f"dict({code})", names) if "=" in code else {}
