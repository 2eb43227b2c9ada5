"""Inputs that might take very long: time per word beside ordinary text, and memory.

Each case runs in a separate process, and so does ordinary text with the same options. No case
should take more than ten times as long per word as ordinary text, unless the work itself grows: with
the pairs of sentences of two texts or, for ROUGE-W, with the product of their lengths.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from corpora import Corpus, draw, paragraphs, texts_of_lines, words

_SECONDS = 600  # after which a case is given up


def _lines(length: int, n_lines: int, n_pairs: int = 1, n_times: int = 1) -> Corpus:
    """Return texts of lines of one length; a prediction has all words of its reference, moved a little."""
    rng = np.random.default_rng(0)
    vocabulary = words(20_000)
    sides: tuple[list[str], list[str]] = ([], [])
    for _ in range(n_pairs):
        reference = draw(vocabulary, length * n_lines, rng)
        place = np.arange(len(reference)) + rng.uniform(0, 8, len(reference))
        for side, text in zip(sides, (reference[np.argsort(place)], reference), strict=True):
            lines = [" ".join(line) for line in np.split(text, n_lines)]
            side.append("\n".join(lines * n_times))
    return Corpus(*sides)


def _equal(*texts: str) -> Corpus:
    return Corpus(list(texts), list(texts))


def _few_types(n_words: int) -> Corpus:
    rng = np.random.default_rng(0)
    texts = [" ".join(rng.choice(words(3), n_words)) for _ in range(2)]
    return Corpus(texts[:1], texts[1:])


def _many_references() -> Corpus:
    references = texts_of_lines([[1]] * 1_000, [[10]] * 1_000).references
    return Corpus(texts_of_lines([[20_000]], [[1]]).predictions, [references])


def _explain(predictions: list[str], references: Any, **options: Any) -> None:
    from rouge_bleu import explain_rouge

    list(map(partial(explain_rouge, **options), predictions, references))


def _read(lines: list[str], _: Any) -> None:
    from rouge_bleu._bleu.options import BleuOptions
    from rouge_bleu.signature import options_of_line

    for line in lines:
        with suppress(ValueError):
            options_of_line("bleu_full", BleuOptions, line, {})


def _types(*types: str, **options: Any) -> dict[str, Any]:
    return {"rouge_types": list(types), **options}


_BEST = _types("rougeLsum", summary_lcs="best")
_LINE = "bleu_full|0.5.0|preset:none|order:1|smooth:none|tok:13a|case:mixed|level:corpus|n:1|refs:1|weights:("
_PERL_W = _types("rougeW", preset="rouge-1.5.5")
# Name, how the texts are made, and options, also the function; without types it is BLEU.
_CASES: list[tuple[str, Callable[[], Corpus], dict[str, Any]]] = [
    ("Lsum: 100,000 words in lines of 150", partial(_lines, 150, 667), _types("rougeLsum")),
    ("Lsum, best: 2,000 lines of 10", partial(_lines, 10, 2_000), _BEST),
    ("L: 20,000 words, 1,000 references of 10", _many_references, _types("rougeL")),
    ("L: 200,000 words", partial(texts_of_lines, [[200_000]], [[200_000]]), _types("rougeL")),
    ("rouge-1.5.5, W: 50,000 words in a line", partial(_lines, 50_000, 1), _PERL_W),
    ("W: 10,000 words of 3 types", partial(_few_types, 10_000), _types("rougeW")),
    ("W: 100,000 words", partial(_lines, 100_000, 1), _types("rougeW")),
    ("S: 20,000 words", partial(_lines, 20_000, 1), _types("rougeS")),
    ("1, 2: two texts of 50 MB", partial(_lines, 20, 8_000, 1, 69), _types("rouge1", "rouge2")),
    ("13a: 1 MB of punctuation", partial(_equal, "!?,.;:()" * 125_000), {}),
    ("weights of a line", partial(_equal, _LINE + "a" * 99_000), {"f": _read}),
    ("line of sacreBLEU", partial(_equal, "nrefs:1|" + " " * 99_000 + "case:lc"), {"f": _read}),
    *(
        (f"explanation, {one}", partial(_lines, 99, 100), _types(f"rouge{one}", f=_explain))
        for one in ("1", "2", "L", "Lsum", "W", "S4", "SU4")
    ),
]


def print_cliffs() -> None:
    """Print a table of all cases."""
    print("\n| case | µs a word | ordinary text | times | MB above the input |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for number, (what, _, _) in enumerate(_CASES):
        results = [_in_process(number, texts) for texts in ("case", "ordinary")]
        if None in results:
            print(f"| {what} | failed, or took more than {_SECONDS} s | | | |", flush=True)
            continue
        (case, memory), (ordinary, _) = results
        cells = f"{1e6 * case:.2f} | {1e6 * ordinary:.2f} | {case / ordinary:.1f} | {memory:.0f}"
        print(f"| {what} | {cells} |", flush=True)


def _in_process(number: int, texts: str) -> Any:
    """Return seconds a word and MB above the input; None if it failed."""
    command = [sys.executable, __file__, str(number), texts]
    try:
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, timeout=_SECONDS)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        return None
    return json.loads(done.stdout)


def _measured(corpus: Corpus, options: dict[str, Any]) -> tuple[float, float]:
    """Return processor seconds a word, the best of three calls if they are short, and MB above the input."""
    import rouge_bleu

    usual = rouge_bleu.rouge if "rouge_types" in options else rouge_bleu.bleu
    compute = options.pop("f", usual)
    compute(["a b c"] * 20, ["a c"] * 20, **options)  # imports
    kilobytes = [resource.getrusage(resource.RUSAGE_SELF).ru_maxrss]
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        compute(*corpus, **options)
        best = min(best, time.process_time() - start)
        kilobytes.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
        if best > 2:
            break
    texts = [*corpus.predictions, *(text for item in corpus.reference_lists for text in item)]
    n_words = sum(max(text.count(" ") + text.count("\n"), len(text) // 8) for text in texts)
    return best / n_words, (kilobytes[1] - kilobytes[0]) / 1024


if __name__ == "__main__":
    os.environ["OMP_NUM_THREADS"] = "1"
    sys.path.insert(1, str(Path(__file__).resolve().parent.parent))
    _, make, given = _CASES[int(sys.argv[1])]
    print(json.dumps(_measured(make() if sys.argv[2] == "case" else paragraphs(1_000), given)))
