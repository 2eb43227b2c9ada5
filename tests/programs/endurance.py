"""Many computes in one process: do memory, open files or files of the cache grow?

    PYTHONPATH=.:tests python tests/programs/endurance.py 20000

Each step uses both metrics in one of all ways in turn: `compute`, `add` and `add_batch`,
an error while scoring, `explain`, batches that fold, intervals, threads, copies. What
the process holds is measured after a tenth of the steps and at the end.
"""

from __future__ import annotations

import copy
import gc
import json
import os
import pickle
import sys
import tempfile
import threading
import time
from contextlib import suppress
from typing import Any

from helpers.repository import ROOT

WORDS = "the cat sat on a mat and it rained all day long in the old town".split()


def corpus_of_step(step: int) -> dict[str, list]:
    """Return three to six items; their texts differ from step to step."""
    texts = [
        " ".join(
            f"{word}{(step * 7 + item * position) % 977}" for position, word in enumerate(WORDS)
        )
        for item in range(3 + step % 4)
    ]
    return {"predictions": texts, "references": [[text, text[:40]] for text in texts]}


def boom(text: str) -> list[str]:
    raise ArithmeticError(text)


def one_step(step: int, metric: Any, cache_dir: str) -> None:
    """Compute once at least, in the way whose turn it is."""
    import evaluate
    import pyarrow as pa

    data = corpus_of_step(step)
    way = step // 2 % 8
    if way == 0:
        metric.compute(**data, signature=True)
    elif way == 1:
        metric.add_batch(**data)
        metric.add(prediction=data["predictions"][0], reference=data["references"][0])
        metric.compute()
    elif way == 2:
        metric.add_batch(**data)
        with suppress(ArithmeticError):
            metric.compute(tokenizer=boom)
        with suppress(TypeError):
            metric.add_batch(predictions=[None], references=["a"])
        metric.compute(**data)
    elif way == 3:
        metric.explain(prediction=data["predictions"][0], reference=data["references"][0])
        metric.compute(**data, use_aggregator=False)
    elif way == 4:
        table = pa.table(data)
        options = {"rouge_types": ["rouge1"]} if metric.name == "rouge_full" else {}
        metric.fold([metric.batch_statistics(table, **options)], **options)
        metric.compute(**data, **options)
    elif way == 5:
        metric.compute(
            **data, baseline_predictions=data["predictions"], confidence_level=0.9, n_resamples=10
        )
    elif way == 6:
        thread = threading.Thread(target=metric.compute, kwargs=data)
        thread.start()
        thread.join()
        pickle.loads(pickle.dumps(copy.deepcopy(metric))).compute(**data)
    elif step % 512 < 2:  # a new object; evaluate itself needs most of the time
        path = str(ROOT / f"{metric.name}.py")
        evaluate.load(path, cache_dir=cache_dir).compute(**data)
    else:
        metric.compute(**data, tokenizer="unicode")


def held(folder: str) -> dict[str, int]:
    """Return the resources of the process: bytes of memory, blocks of it that Python's objects take,
    objects that refer to others, handles, threads, files of its caches.
    """
    gc.collect()
    with open("/proc/self/statm", encoding="utf-8") as file:
        pages = int(file.read().split()[1])
    return {
        "resident": pages * os.sysconf("SC_PAGE_SIZE"),
        "blocks": sys.getallocatedblocks(),
        "objects": len(gc.get_objects()),
        "handles": len(os.listdir("/proc/self/fd")),
        "threads": threading.active_count(),
        "files": sum(len(files) for _, _, files in os.walk(folder)),
    }


def growth(n_steps: int) -> dict[str, Any]:
    """Return what grew from a tenth of the steps to the end."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HF_HOME"] = folder
        os.environ["HF_EVALUATE_OFFLINE"] = "1"
        import evaluate

        evaluate.utils.disable_progress_bar()
        cache_dir = os.path.join(folder, "cache")
        names = ("rouge_full", "bleu_full")
        metrics = [evaluate.load(str(ROOT / f"{name}.py"), cache_dir=cache_dir) for name in names]
        before: dict[str, int] = {}
        began = time.perf_counter()
        for step in range(n_steps):
            if step == n_steps // 10:
                before = held(folder)
            one_step(step, metrics[step % 2], cache_dir)
        after = held(folder)
        grown: dict[str, Any] = {name: after[name] - before[name] for name in after}
        return {"steps": n_steps, "seconds": round(time.perf_counter() - began, 1), **grown}


if __name__ == "__main__":
    n_steps = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    print(json.dumps(growth(n_steps)))
