"""Texts for any metric: random ones, and those of the examples."""

import json

from helpers.repository import ROOT


def random_text(rng, words, fewest, end):
    """Return `fewest` to `end` - 1 of the words, one in ten with a line feed after it."""
    chosen = rng.choice(words, rng.integers(fewest, end))
    return "".join(str(word) + ("\n" if rng.random() < 0.1 else " ") for word in chosen)


def example_corpus(name):
    """Return the predictions and references of a file in `examples/`."""
    lines = (ROOT / "examples" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    items = [json.loads(line) for line in lines]
    return [item["prediction"] for item in items], [item["references"] for item in items]


def example_systems():
    """Return the texts of `examples/systems/` as arguments of `analyze`."""
    names = {
        "predictions": "better",
        "baseline_predictions": "baseline",
        "references": "references",
    }
    paths = {side: ROOT / "examples" / "systems" / f"{name}.txt" for side, name in names.items()}
    return {side: path.read_text(encoding="utf-8").splitlines() for side, path in paths.items()}


def with_first_references(corpus):
    """Return a corpus with only the first reference of each item."""
    predictions, references = corpus
    return predictions, [texts[:1] for texts in references]
