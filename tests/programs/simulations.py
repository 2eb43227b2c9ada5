"""Simulated corpora: do intervals hold the true score, and do paired tests find what is not there?

    python tests/simulations.py [--trials 1000]

An item is drawn at random: a reference of 3 to 40 words, and a prediction in which each word is
replaced with a probability of its own, so that items differ as real ones do. What a score is in
truth is that of 200,000 such items. Results stand in `docs/significance.md`.
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


def texts(words, ends):
    names = [f"w{word}" for word in words.tolist()]
    bounds = [0, *ends.tolist()]
    return [" ".join(names[start:end]) for start, end in itertools.pairwise(bounds)]


def coverage(metric, n_items, true, n_trials, rng):
    """Return how many intervals of 95 % hold the true score, for each key."""
    n_held = dict.fromkeys(true, 0)
    for trial in range(n_trials):
        (predictions,), references = items(rng, n_items)
        found = metric.compute(
            predictions=predictions,
            references=references,
            **SCORES[metric.name],
            confidence_level=0.95,
            seed=trial,
        )
        for key, score in true.items():
            n_held[key] += found[f"{key}_low"] <= score <= found[f"{key}_high"]
    return {key: 100 * n / n_trials for key, n in n_held.items()}


def rejections(metric, n_items, test, keys, n_trials, rng):
    """Return how many systems that differ by chance alone have a p-value below 0.05."""
    n_found = dict.fromkeys(keys, 0)
    for trial in range(n_trials):
        (predictions, baseline), references = items(rng, n_items, n_systems=2)
        found = metric.compute(
            predictions=predictions,
            references=references,
            baseline_predictions=baseline,
            **SCORES[metric.name],
            paired_test=test,
            seed=trial,
        )
        for key in keys:
            n_found[key] += found[f"{key}_p_value"] < 0.05
    return {key: 100 * n / n_trials for key, n in n_found.items()}


def print_row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trials", type=int, default=1000)
    n_trials = parser.parse_args().trials
    started = time.perf_counter()
    metrics = [evaluate.load(str(ROOT / f"{name}.py")) for name in SCORES]
    (predictions,), references = items(np.random.default_rng(0), N_TRUE_ITEMS)
    true = [
        metric.compute(predictions=predictions, references=references, **SCORES[metric.name])
        for metric in metrics
    ]
    keys = [key for scores in true for key in scores]
    print(f"true scores: {true}\n")
    print_row("items", *keys)
    print_row(*["---"] * (len(keys) + 1))
    for n_items in SIZES:
        rng = np.random.default_rng(n_items)
        held = [
            coverage(metric, n_items, scores, n_trials, rng)
            for metric, scores in zip(metrics, true, strict=True)
        ]
        print_row(n_items, *(f"{share:.1f} %" for one in held for share in one.values()))
    for test in ("randomization", "bootstrap"):
        print(f"\n{test}:\n")
        print_row("items", *keys)
        print_row(*["---"] * (len(keys) + 1))
        for n_items in SIZES_OF_TESTS:
            rng = np.random.default_rng(n_items)
            found = [
                rejections(metric, n_items, test, scores, n_trials, rng)
                for metric, scores in zip(metrics, true, strict=True)
            ]
            print_row(n_items, *(f"{share:.1f} %" for one in found for share in one.values()))
    print(f"\n{n_trials} trials each, {time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()
