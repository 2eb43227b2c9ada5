"""What does not fit into a row: time and memory of a million pairs, and the time to
load the metric. Each in a process of its own.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

_GROWTH = """
import os, resource, sys, tempfile, time
os.environ["HF_HOME"] = tempfile.mkdtemp(prefix="bench_")
sys.path.insert(0, {benchmarks!r})
import evaluate
from corpora import corpus
evaluate.disable_progress_bar()
metric = evaluate.load({script!r})
predictions, references = corpus(10_000)

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

metric.compute(predictions=predictions, references=references)
times = []
for _ in range(3):
    start = time.perf_counter()
    metric.compute(predictions=predictions, references=references)
    times.append(time.perf_counter() - start)
predictions, references = (
    [text + " " for _ in range(100) for text in side] for side in (predictions, references)
)
before, start = peak(), time.perf_counter()
metric.compute(predictions=predictions, references=references)
print(sorted(times)[1] / 10_000, (time.perf_counter() - start) / 1_000_000, peak() - before)
"""

_LOADING = """
import os, sys, tempfile, time
os.environ["HF_HOME"] = tempfile.mkdtemp(prefix="bench_")
import evaluate
start = time.perf_counter()
evaluate.load({script!r})
print(time.perf_counter() - start)
"""


def print_growth() -> None:
    script = _GROWTH.format(
        benchmarks=str(Path(__file__).parent), script=str(ROOT / "rouge_full.py")
    )
    small, large, memory = map(float, _output(script).split())
    print(
        f"\nall seven default types: {1e6 * small:.1f} µs a pair of 10,000, "
        f"{1e6 * large:.1f} of 1,000,000 (wanted: within 15 %)"
    )
    print(f"memory above the input's own, 1,000,000 pairs: {memory:.0f} MB (wanted: at most 300)")


def print_loading() -> None:
    seconds = sorted(
        float(_output(_LOADING.format(script=str(ROOT / "rouge_full.py")))) for _ in range(5)
    )
    print(
        f"evaluate.load('rouge_full.py') after import evaluate: {1e3 * seconds[2]:.0f} ms "
        "(wanted: at most 50)"
    )


def _output(script: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, text=True
    ).stdout
