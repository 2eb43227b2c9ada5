"""Simulated corpora: do intervals hold the true score, do paired tests find false differences, and do they
find the smallest difference of `rouge-bleu compare` four times in five?

    PYTHONPATH=.:tests python tests/programs/simulations.py [--trials 1000]

An example is drawn at random: a reference of 3 to 40 words, and a prediction in which each word is
replaced with a different probability, so that examples differ as real ones do. What a score is in
truth is that of 200,000 such examples. Two systems that differ by chance alone are two such
predictions of each example; a system with a gain has fewer words replaced. Results are in
`docs/comparing.md`.
"""

import argparse
import itertools

from helpers import cache  # isort: skip  # noqa: F401  (before evaluate is imported)
import numpy as np

from helpers.metrics import loaded
from rouge_bleu_tools.cli.compare import smallest_difference

N_TRUE = 200_000
SIZES = (5, 10, 20, 50, 100, 200, 500)
SIZES_OF_TESTS = (10, 20, 50, 100, 200)
SIZES_OF_POWER = (50, 100, 200, 500)
N_TYPES = 2000
SCORES = {
    "rouge_full": {"rouge_types": ["rouge1", "rouge2", "rougeL"]},
    "bleu_full": {"output": "score", "smoothing": "exp"},
}


def examples(rng, n_examples, n_systems=1, gain=0.0):
    """Return the predictions of each system, and references; the first system may have a gain."""
    lengths = rng.integers(3, 41, n_examples)
    ends = np.cumsum(lengths)
    words = rng.zipf(1.3, ends[-1]) % N_TYPES
    hardness = np.repeat(rng.beta(2, 3, n_examples), lengths)
    columns = [words]
    for system in range(n_systems):
        is_replaced = rng.random(ends[-1]) < hardness * (1 - gain * (system == 0))
        columns.append(np.where(is_replaced, rng.zipf(1.3, ends[-1]) % N_TYPES, words))
    names = [[f"w{word}" for word in column.tolist()] for column in columns]
    bounds = list(itertools.pairwise([0, *ends.tolist()]))
    references, *systems = ([" ".join(one[start:end]) for start, end in bounds] for one in names)
    return systems, references


def share(metric, size, true, n_trials, test=None):
    """Return how many intervals of 95 % hold the true score, in percent, for each key; with a paired
    test, how many systems that differ by chance alone have a p-value below 0.05.
    """
    rng, n_found = np.random.default_rng(size), dict.fromkeys(true, 0)
    for trial in range(n_trials):
        (predictions, *baseline), references = examples(rng, size, n_systems=2 if test else 1)
        options = {**SCORES[metric.name], "seed": trial, "confidence_level": None if test else 0.95}
        if test:
            options |= {"baseline_predictions": baseline[0], "paired_test": test}
        found = metric.compute(predictions=predictions, references=references, **options)
        for key, score in true.items():
            is_in = not test and found[f"{key}_low"] <= score <= found[f"{key}_high"]
            n_found[key] += found[f"{key}_p_value"] < 0.05 if test else is_in
    return [100 * n / n_trials for n in n_found.values()]


def compared(metric, rng, size, gain, **options):
    """Return the result of two systems."""
    (predictions, baseline), references = examples(rng, size, n_systems=2, gain=gain)
    data = {"predictions": predictions, "references": references}
    return metric.compute(**data, baseline_predictions=baseline, **SCORES[metric.name], **options)


def power(metric, size, key, n_trials):
    """Return how often the smallest difference that `compare` prints is found, in percent.

    Twice, the gain is set so that the mean difference of test sets of this size is the smallest one.
    """
    gain = 0.2
    for start in range(3):
        rng = np.random.default_rng([size, start])
        how = {"confidence_level": 0.95}
        found = [compared(metric, rng, size, gain, seed=n, **how) for n in range(n_trials)]
        width = np.mean([one[f"{key}_delta_high"] - one[f"{key}_delta_low"] for one in found])
        ratio = smallest_difference(width, 0.95, 0.05, size)
        ratio /= np.mean([one[f"{key}_delta"] for one in found])
        gain *= ratio
    return 100 * sum(one[f"{key}_p_value"] < 0.05 for one in found) / n_trials


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trials", type=int, default=1000)
    n_trials = parser.parse_args().trials
    (predictions,), references = examples(np.random.default_rng(0), N_TRUE)
    data = {"predictions": predictions, "references": references}
    metrics = {name: loaded(name) for name in SCORES}
    true = {name: metric.compute(**data, **SCORES[name]) for name, metric in metrics.items()}
    print(f"true scores: {true}")
    keys = [key for scores in true.values() for key in scores]
    for test in (None, "randomization", "bootstrap"):
        print(f"\n{test or 'intervals of 95 %'}:\n\n| examples | {' | '.join(keys)} |")
        print(f"| ---{' | ---' * len(keys)} |")
        for size in SIZES_OF_TESTS if test else SIZES:
            cells = []
            for name, metric in metrics.items():
                cells += share(metric, size, true[name], n_trials, test)
            print(f"| {size} | {' | '.join(f'{cell:.1f} %' for cell in cells)} |", flush=True)
    print(f"\npower:\n\n| examples | {' | '.join(keys)} |\n| ---{' | ---' * len(keys)} |")
    for size in SIZES_OF_POWER:
        cells = [
            power(metric, size, key, n_trials)
            for name, metric in metrics.items()
            for key in true[name]
        ]
        print(f"| {size} | {' | '.join(f'{cell:.1f} %' for cell in cells)} |", flush=True)


if __name__ == "__main__":
    main()
