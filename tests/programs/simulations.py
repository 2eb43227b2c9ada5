"""Simulated corpora: do intervals hold the true score, and do paired tests find false differences?

    PYTHONPATH=.:tests python tests/programs/simulations.py [--trials 1000]

An item is drawn at random: a reference of 3 to 40 words, and a prediction in which each word is
replaced with a different probability, so that items differ as real ones do. What a score is in
truth is that of 200,000 such items. Two systems that differ by chance alone are two such
predictions of each item, or of some items only, while all others are the same. Results are in
`docs/comparing.md`.
"""

import argparse
import time

from helpers import cache  # isort: skip  # noqa: F401  (before evaluate is imported)
import itertools

import evaluate
import numpy as np

from helpers.repository import ROOT

N_TRUE_ITEMS = 200_000
SIZES = (5, 10, 20, 50, 100, 200, 500)
SIZES_OF_TESTS = (10, 20, 50, 100, 200)
NUMBERS_DIFFERING = (1, 2, 4, 6, 8, 10, 15, 20)
N_ITEMS_OF_FEW = 100
N_TYPES = 2000
SCORES = {
    "rouge_full": {"rouge_types": ["rouge1", "rouge2", "rougeL"]},
    "bleu_full": {"output": "score", "smoothing": "exp"},
}


def items(rng, n_items, n_systems=1):
    """Predictions of each system, and references."""
    lengths = rng.integers(3, 41, n_items)
    ends = np.cumsum(lengths)
    words = rng.zipf(1.3, ends[-1]) % N_TYPES
    item = np.repeat(np.arange(n_items), lengths)
    hardness = rng.beta(2, 3, n_items)[item]
    columns = [words]
    for _ in range(n_systems):
        is_replaced = rng.random(ends[-1]) < hardness
        columns.append(np.where(is_replaced, rng.zipf(1.3, ends[-1]) % N_TYPES, words))
    references, *systems = (texts(column, ends) for column in columns)
    return systems, references


def few_differences(rng, n_differing):
    """The same where two systems agree on all but some of the items."""
    (own, other), references = items(rng, N_ITEMS_OF_FEW, n_systems=2)
    differing = [row for row, pair in enumerate(zip(own, other, strict=True)) if len({*pair}) == 2]
    kept = {*rng.permutation(differing)[:n_differing].tolist()}
    other = [text if row in kept else own[row] for row, text in enumerate(other)]
    return (own, other), references


def texts(words, ends):
    names = [f"w{word}" for word in words.tolist()]
    bounds = [0, *ends.tolist()]
    return [" ".join(names[start:end]) for start, end in itertools.pairwise(bounds)]


def coverage(metric, n_items, true, n_trials, rng):
    """Return how many intervals of 95 % hold the true score, for each key."""
    n_held = dict.fromkeys(true, 0)
    for trial in range(n_trials):
        (predictions,), references = items(rng, n_items)
        data = {"predictions": predictions, "references": references, "confidence_level": 0.95}
        found = metric.compute(**data, **SCORES[metric.name], seed=trial)
        for key, score in true.items():
            n_held[key] += found[f"{key}_low"] <= score <= found[f"{key}_high"]
    return {key: 100 * n / n_trials for key, n in n_held.items()}


def rejections(metric, draw, test, keys, n_trials):
    """Return how many systems that differ by chance alone have a p-value below 0.05."""
    n_found = dict.fromkeys(keys, 0)
    for trial in range(n_trials):
        (predictions, baseline), references = draw()
        data = {"predictions": predictions, "references": references}
        data |= {"baseline_predictions": baseline, "paired_test": test}
        found = metric.compute(**data, **SCORES[metric.name], seed=trial)
        for key in keys:
            n_found[key] += found[f"{key}_p_value"] < 0.05
    return {key: 100 * n / n_trials for key, n in n_found.items()}


def print_row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def print_shares(title, keys, rows):
    """Print a table of percentages as they come: rows of a size and a dict for each metric."""
    if title:
        print(f"\n{title}:\n")
    print_row("items", *keys)
    print_row(*["---"] * (len(keys) + 1))
    for size, of_metrics in rows:
        print_row(size, *(f"{share:.1f} %" for one in of_metrics for share in one.values()))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trials", type=int, default=1000)
    parser.add_argument("--only-few", action="store_true", help="systems that differ in few items")
    namespace = parser.parse_args()
    n_trials, started = namespace.trials, time.perf_counter()
    metrics = [evaluate.load(str(ROOT / f"{name}.py")) for name in SCORES]
    (predictions,), references = items(np.random.default_rng(0), N_TRUE_ITEMS)
    true = [
        metric.compute(predictions=predictions, references=references, **SCORES[metric.name])
        for metric in metrics
    ]
    keys = [key for scores in true for key in scores]
    print(f"true scores: {true}\n")

    def held(n_items):
        rng = np.random.default_rng(n_items)
        return [
            coverage(metric, n_items, scores, n_trials, rng)
            for metric, scores in zip(metrics, true, strict=True)
        ]

    def found(draw, size, test):
        rng = np.random.default_rng(size)
        return [
            rejections(metric, lambda: draw(rng, size), test, scores, n_trials)
            for metric, scores in zip(metrics, true, strict=True)
        ]

    def pairs(rng, n_items):
        return items(rng, n_items, n_systems=2)

    if not namespace.only_few:
        print_shares("", keys, ((size, held(size)) for size in SIZES))
    for test in ("randomization", "bootstrap"):
        if not namespace.only_few:
            rows = ((size, found(pairs, size, test)) for size in SIZES_OF_TESTS)
            print_shares(test, keys, rows)
        rows = ((size, found(few_differences, size, test)) for size in NUMBERS_DIFFERING)
        print_shares(f"{test}, so many of {N_ITEMS_OF_FEW} items differ", keys, rows)
    print(f"\n{n_trials} trials each, {time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()
