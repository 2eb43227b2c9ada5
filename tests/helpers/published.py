"""What implementations of other fields printed for one corpus, of 15 items.

`golden/published.json` has the texts and the figures, each entry with its name, the command
that gave it and the version of the package:

    {"corpus": {"items": [{"id", "prediction", "references"}], "summaries": the same,
                "multilingual": [{"language", "prediction", "reference"}]},
     "golden": [{"group", "name", "command", "version", "values"}]}

Some groups have texts of their own among their values.
"""

import json

from helpers.repository import ROOT

PUBLISHED = json.loads((ROOT / "tests" / "golden" / "published.json").read_text(encoding="utf-8"))
_VALUES = {entry["name"]: entry["values"] for entry in PUBLISHED["golden"]}
ITEMS = PUBLISHED["corpus"]["items"]
SUMMARIES = PUBLISHED["corpus"]["summaries"]


def values(name):
    """Return the figures of an entry."""
    return _VALUES[name]


def values_of_group(group):
    """Return the figures of each entry of a group, by name."""
    return {
        entry["name"]: entry["values"] for entry in PUBLISHED["golden"] if entry["group"] == group
    }


def texts(items=ITEMS, *, first=False, change=None):
    """Return the arguments of `compute` for some items.

    `first`: the first reference of each alone; `change`: a function of each text.
    """
    change = change or (lambda text: text)
    references = [item["references"][:1] if first else item["references"] for item in items]
    return {
        "predictions": [change(item["prediction"]) for item in items],
        "references": [list(map(change, of_item)) for of_item in references],
    }
