"""Many computes in one process: do memory, open files or files of the cache grow?

    PYTHONPATH=.:tests python tests/programs/endurance.py 20000

Each step uses one metric in one way, in turn: `compute`, `add` and `add_batch`,
an error while scoring, `explain`, batches that fold, intervals, threads, copies. What
the process holds is measured after a tenth of the steps and at the end.
"""

import copy
import gc
import json
import os
import pickle
import sys
import tempfile
import threading
from contextlib import suppress
from pathlib import Path

from helpers.repository import ROOT

WORDS = "the cat sat on a mat and it rained all day long in the old town".split()
SCRIPTS = [str(ROOT / f"{name}.py") for name in ("rouge_full", "bleu_full")]


def corpus_of_step(step):
    """Return three to six examples; their texts differ from step to step."""
    texts = [
        " ".join(f"{word}{(step * 7 + item * place) % 977}" for place, word in enumerate(WORDS))
        for item in range(3 + step % 4)
    ]
    return {"predictions": texts, "references": [[text, text[:40]] for text in texts]}


def boom(text):
    raise ArithmeticError(text)


def one_step(step, metric, cache_dir):
    """Compute once at least, in the way whose turn it is."""
    import evaluate
    import pyarrow as pa

    data = corpus_of_step(step)
    one = {"prediction": data["predictions"][0], "reference": data["references"][0]}
    way = step // 2 % 8
    if way == 0:
        metric.compute(**data, signature=True)
    elif way == 1:
        metric.add_batch(**data)
        metric.add(**one)
        metric.compute()
    elif way == 2:
        metric.add_batch(**data)
        with suppress(ArithmeticError):
            metric.compute(tokenizer=boom)
        with suppress(TypeError):
            metric.add_batch(predictions=[None], references=["a"])
        metric.compute(**data)
    elif way == 3:
        metric.explain(**one)
        metric.compute(**data, use_aggregator=False)
    elif way == 4:
        options = {"rouge_types": ["rouge1"]} if metric.name == "rouge_full" else {}
        metric.fold([metric.batch_statistics(pa.table(data), **options)], **options)
        metric.compute(**data, **options)
    elif way == 5:
        baseline = {"baseline_predictions": data["predictions"], "n_resamples": 10}
        metric.compute(**data, **baseline, confidence_level=0.9)
    elif way == 6:
        thread = threading.Thread(target=metric.compute, kwargs=data)
        thread.start()
        thread.join()
        pickle.loads(pickle.dumps(copy.deepcopy(metric))).compute(**data)
    elif step % 512 < 2:  # a new object; evaluate itself needs most of the time
        evaluate.load(SCRIPTS[step % 2], cache_dir=cache_dir).compute(**data)
    else:
        metric.compute(**data, tokenizer="unicode")


def held(folder):
    """Return the resources of the process, such as its bytes of memory and files of its caches."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[1])
    return {
        "resident": pages * os.sysconf("SC_PAGE_SIZE"),
        "objects": len(gc.get_objects()),
        "handles": len(os.listdir("/proc/self/fd")),
        "threads": threading.active_count(),
        "files": sum(len(files) for _, _, files in os.walk(folder)),
    }


def growth(n_steps):
    """Return what grew from a tenth of the steps to the end."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"HF_HOME": folder, "HF_EVALUATE_OFFLINE": "1"}
        import evaluate

        evaluate.utils.disable_progress_bar()
        cache_dir = os.path.join(folder, "cache")
        metrics = [evaluate.load(script, cache_dir=cache_dir) for script in SCRIPTS]
        for step in range(n_steps):
            if step == n_steps // 10:
                before = held(folder)
            one_step(step, metrics[step % 2], cache_dir)
        after = held(folder)
        return {"steps": n_steps, **{name: after[name] - before[name] for name in after}}


if __name__ == "__main__":
    print(json.dumps(growth(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)))
