"""Simulated corpora: do intervals hold the true score, and do paired tests find false differences?

    PYTHONPATH=.:tests python tests/programs/simulations.py [--trials 1000]

An example is drawn at random: a reference of 3 to 40 words, and a prediction in which each word is
replaced with a different probability, so that examples differ as real ones do. What a score is in
truth is that of 200,000 such examples. Two systems that differ by chance alone are two such
predictions of each example. Results are in `docs/comparing.md`.
"""

import argparse
import itertools
import time
from functools import partial

from helpers import cache  # isort: skip  # noqa: F401  (before evaluate is imported)
import numpy as np

from helpers.metrics import loaded

N_TRUE = 200_000
SIZES = (5, 10, 20, 50, 100, 200, 500)
SIZES_OF_TESTS = (10, 20, 50, 100, 200)
N_TYPES = 2000
SCORES = {
    "rouge_full": {"rouge_types": ["rouge1", "rouge2", "rougeL"]},
    "bleu_full": {"output": "score", "smoothing": "exp"},
}


def examples(rng, n_examples, n_systems=1):
    """Return the predictions of each system, and references."""
    lengths = rng.integers(3, 41, n_examples)
    ends = np.cumsum(lengths)
    words = rng.zipf(1.3, ends[-1]) % N_TYPES
    hardness = np.repeat(rng.beta(2, 3, n_examples), lengths)
    columns = [words]
    for _ in range(n_systems):
        is_replaced = rng.random(ends[-1]) < hardness
        columns.append(np.where(is_replaced, rng.zipf(1.3, ends[-1]) % N_TYPES, words))
    names = [[f"w{word}" for word in column.tolist()] for column in columns]
    bounds = list(itertools.pairwise([0, *ends.tolist()]))
    references, *systems = ([" ".join(one[start:end]) for start, end in bounds] for one in names)
    return systems, references


def coverage(metric, size, true, n_trials):
    """Return how many intervals of 95 % hold the true score, in percent, for each key."""
    rng, n_held = np.random.default_rng(size), dict.fromkeys(true, 0)
    for trial in range(n_trials):
        (predictions,), references = examples(rng, size)
        options = {**SCORES[metric.name], "confidence_level": 0.95, "seed": trial}
        found = metric.compute(predictions=predictions, references=references, **options)
        for key, score in true.items():
            n_held[key] += found[f"{key}_low"] <= score <= found[f"{key}_high"]
    return [100 * n / n_trials for n in n_held.values()]


def rejections(metric, size, true, n_trials, test):
    """Return how many systems that differ by chance alone have a p-value below 0.05, in percent."""
    rng, n_found = np.random.default_rng(size), dict.fromkeys(true, 0)
    for trial in range(n_trials):
        (predictions, baseline), references = examples(rng, size, n_systems=2)
        options = {**SCORES[metric.name], "paired_test": test, "seed": trial}
        options |= {"baseline_predictions": baseline}
        found = metric.compute(predictions=predictions, references=references, **options)
        for key in n_found:
            n_found[key] += found[f"{key}_p_value"] < 0.05
    return [100 * n / n_trials for n in n_found.values()]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trials", type=int, default=1000)
    n_trials, started = parser.parse_args().trials, time.perf_counter()
    (predictions,), references = examples(np.random.default_rng(0), N_TRUE)
    data = {"predictions": predictions, "references": references}
    metrics = {name: loaded(name) for name in SCORES}
    true = {name: metric.compute(**data, **SCORES[name]) for name, metric in metrics.items()}
    print(f"true scores: {true}")
    keys = [key for scores in true.values() for key in scores]
    tests = {test: partial(rejections, test=test) for test in ("randomization", "bootstrap")}
    for title, shares in {"intervals of 95 %": coverage, **tests}.items():
        print(f"\n{title}:\n\n| examples | {' | '.join(keys)} |\n| ---{' | ---' * len(keys)} |")
        for size in SIZES if shares is coverage else SIZES_OF_TESTS:
            cells = []
            for name, metric in metrics.items():
                cells += shares(metric, size, true[name], n_trials)
            print(f"| {size} | {' | '.join(f'{cell:.1f} %' for cell in cells)} |", flush=True)
    print(f"\n{n_trials} trials each, {time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()
