"""What other programs printed, and whether a metric gives the same.

`golden/published.json` has texts, and an entry for each run of a program, with the command and the
version: `values` has the printed scores, `ours` the metric, texts and options that give them here.
`golden/peers.json` was printed by `programs/print_peers.py`, and `golden/packages.json`, with the figures
of torchmetrics, which have 32 bits, and of rouge-chinese, by `programs/print_packages.py`.
"""

import json

import numpy as np

from helpers.repository import ROOT

GOLDEN = ROOT / "tests" / "golden"
PUBLISHED = json.loads((GOLDEN / "published.json").read_text(encoding="utf-8"))
PACKAGES = json.loads((GOLDEN / "packages.json").read_text(encoding="utf-8"))
PEERS = json.loads((GOLDEN / "peers.json").read_text(encoding="utf-8"))
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


def figures_by_key(values, words, key="", is_column=False):
    """Yield our key, whether it is a key of examples, and a number, for all below `values`.

    Each of `words` is a level: `item`, or a word of `names`, which has the names of several keys;
    others are parts of the name. A program that has an error has its name there, or NaN.
    """
    if not words:
        is_score = not isinstance(values, str)
        yield key, is_column, values if is_score else 0.0 if values == "NaN" else None
        return
    word, *rest = words
    if word == "item":
        for value in values.values() if isinstance(values, dict) else values:
            yield from figures_by_key(value, rest, key, True)
        return
    names = PUBLISHED["names"].get(word)
    if names is None:
        yield from figures_by_key(values, rest, key + word, is_column)
        return
    for raw, name in names.items() if isinstance(names, dict) else enumerate(names):
        yield from figures_by_key(values[raw], rest, key + name, is_column)


def assert_figures(metric, data, options, items=None, average=None, rtol=1e-12, atol=0.0):
    """Assert that a metric gives the figures by key, of items and of the corpus.

    None is a figure that a package does not have; of "100*bleu" it has 100 times as much.
    """
    flat = {"output": "flat"} if metric.name == "bleu_full" else {}
    for expected, of_items in ((items, {"use_aggregator": False}), (average, {})):
        found = metric.compute(**data, **flat, **options, **of_items) if expected else {}
        for key, scores in (expected or {}).items():
            scores = np.array(scores, dtype=float)
            is_score = ~np.isnan(scores)
            assert is_score.mean() > 0.5
            ours = np.array(found[key.removeprefix("100*")])[is_score]
            ours = 100 * ours if key.startswith("100*") else ours
            np.testing.assert_allclose(ours, scores[is_score], rtol, atol, err_msg=key)
