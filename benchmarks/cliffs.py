"""Texts that might take very long: how time and memory grow when a text becomes twice as long.

    python benchmarks/cliffs.py [tokenizer rougeW]     functions with one of these in their name, or all

Each function gets 10,000 and 20,000 characters of each kind of text, and 80,000 and 160,000 where that
is quick. If processor time or memory grows by more than 2.6, the exit status is 1; by more than 5.2
where the definition is a table of pairs of tokens or sentences. Each call has a process of its own,
without caches; growth that fails is measured five times, and the best counts.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import resource
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

os.environ["OMP_NUM_THREADS"] = "1"
sys.path.insert(1, str(Path(__file__).resolve().parent.parent))

import rouge_bleu
from rouge_bleu._bleu.options import BleuOptions
from rouge_bleu._rouge.options import RougeOptions
from rouge_bleu.registry import BLEU_PRESETS, ROUGE_PRESETS
from rouge_bleu.rouge_types import DEFAULT_ROUGE_TYPES
from rouge_bleu.signature import parse_signature
from rouge_bleu.text import tokenizers
from rouge_bleu.text.character_offsets import SourcedText, token_spans
from rouge_bleu.text.sentences import split_sentences
from rouge_bleu.text.stemming import SNOWBALL_LANGUAGES, named_stemmer
from rouge_bleu_tools.app.settings import FIELDS, checked, read_query
from rouge_bleu_tools.cli.find_settings import parse_reported
from rouge_bleu_tools.cli.inputs import CommandError, options_of_signatures, with_flags

_GROWTH = 2.6
# The definition of functions whose name ends like this is a table of pairs.
_TABLES = ("rougeL", "rougeLsum", "rougeW", "rougeS", "rougeSU", "coco-caption")
_UNJUDGED = np.array([0.01, 8.0])  # seconds and MB, added to those of the shorter text
_QUICK, _MOST_SECONDS = 0.05, 60  # a slower call is not tried with longer texts; is given up
_UNITS = (
    *(" ", "\t", "\n", "\u3000", "a", "1", "!", ".", "-", "'", '"', "(", "&", "<"),
    *(".,", ". ", "\"'", "1.5,", "-\n", ". . ", "a b ", "&amp;", "Go on, Dr. No. "),
    *("\u0301", "e\u0301", "\u0130", "မြန်မာ", "\u1039", "က\u103a", "你。", "《"),
    *("weights(", "a(1),", "1,", "a|", "%2", "-n 2 ", "R-1 / "),
)
_TEXTS = {ascii(unit): ("", unit, "") for unit in _UNITS} | {  # a unit is repeated
    "spaces in front": ("", " ", "b"),
    "spaces between": ("a", " ", "b"),
    "newlines between": ("a", "\n", "b"),
    "spaces behind": ("b", " ", ""),
    "distinct words": ("", " ".join(map(str, range(40_000))), ""),
}
_STARTS_OF_PRESETS = ("", "nrefs:1|case:", "BLEU+case.", "mteval-v13a.pl ", "ROUGE-1.5.5.pl -w ")
_STARTS_OF_TYPES = ("", "rouge", "rougeS", "rougeW-")


def functions() -> Iterator[tuple[str, Callable[[str], Any]]]:
    """Yield the name of each function, and the function of a text."""
    for name in tokenizers.TOKENIZER_NAMES:
        yield f"tokenizer {name}", partial(_tokenize, name)
    yield "sentences", split_sentences
    stemmers = ("rouge-1.5.5", *SNOWBALL_LANGUAGES)
    yield "stemmers", lambda text: [named_stemmer(name)(text) for name in stemmers]
    for name in (*DEFAULT_ROUGE_TYPES, "rougeS", "rougeSU"):
        yield f"score, {name}", partial(_compare, _rouge, rouge_types=[name])
        explain = partial(_compare, rouge_bleu.explain_rouge, rouge_types=[name])
        yield f"explanation, {name}", explain
    for name in ROUGE_PRESETS:
        types = ["rougeL" if name == "coco-caption" else "rouge1"]
        yield f"ROUGE of {name}", partial(explain, rouge_types=types, preset=name)
    for name in ("pltrdy", "rouge-1.5.5"):
        yield f"{name}, rougeL", partial(explain, rouge_types=["rougeL"], preset=name)
    for name in BLEU_PRESETS:
        explain = partial(_compare, rouge_bleu.explain_bleu, preset=name)
        yield f"BLEU of {name}", explain
    rouge_line = _rouge("a", "a", signature=True, stopwords=["b"])["signature"]
    yield "signature of rouge_full", partial(_read, "rouge_full", RougeOptions, rouge_line)
    bleu_line = rouge_bleu.bleu(["a"], ["a"], signature=True, weights={"a": [1]})["signature"]
    yield "signature of bleu_full", partial(_read, "bleu_full", BleuOptions, bleu_line)
    yield "signature of a command", lambda text: list(options_of_signatures([text], None, {}))
    for presets in (ROUGE_PRESETS, BLEU_PRESETS):
        yield "preset", partial(_call_each, presets.find, _STARTS_OF_PRESETS)
    of_type = lambda name: _rouge("a", "a", rouge_types=[name])
    yield "rouge types", partial(_call_each, of_type, _STARTS_OF_TYPES)
    yield "scores of papers", lambda text: parse_reported([text])
    yield "fields of the page", lambda text: [checked({name: text}) for name in FIELDS]
    yield "links", lambda text: read_query(f"prediction={text}&weights={text}&{text}")
    yield "flags in messages", with_flags
    yield "check", lambda text: rouge_bleu.check([text], [text])


def _tokenize(name: str, text: str) -> None:
    rules = tokenizers.tokenizer_rules(name)
    rules.check_installed()
    tokenizers.token_lists([text], rules, is_tokenized=False)
    tokenizers.tokenize([text], rules)
    token_spans([SourcedText.of_source(text)], rules)


def _rouge(prediction: str, reference: str, **options: Any) -> dict[str, Any]:
    return rouge_bleu.rouge([prediction], [reference], **options)


def _compare(function: Callable[..., Any], text: str, **options: Any) -> None:
    middle = len(text) // 2
    function(text, text[middle:] + text[:middle], **options)


def _read(name: str, options: Any, line: str, text: str) -> None:
    """Read a line with the text in place of each part, or of its value."""
    parts = line.split("|")
    values = [text, text, *(part.partition(":")[0] + ":" + text for part in parts[2:])]
    lines = ["|".join([*parts[:k], value, *parts[k + 1 :]]) for k, value in enumerate(values)]
    _call_each(lambda one: parse_signature(name, options, one, {}), lines)


def _call_each(function: Callable[[str], Any], starts: Iterable[str], end: str = "") -> None:
    for start in starts:
        with suppress(ValueError):
            function(start + end)


def _growth(function: Callable[[str], Any], text: str, allowed: float) -> tuple[Any, ...]:
    """Return growth as a share of what is allowed, the text, and what to print; the worst of them."""
    found = []
    for length in (10_000, 80_000):
        best = np.full((2, 2), np.inf)
        for _ in range(5):
            costs = [_cost(function, text, n) for n in (length, 2 * length)]
            best = np.minimum(best, costs)
            growth = np.nan_to_num(best[1] / (best[0] + _UNJUDGED), nan=np.inf)
            if growth.max() <= allowed:
                break
        (seconds, megabytes), times = best[1], growth.max() / allowed
        cells = (
            f"{2 * length:,} | {growth[0]:.1f} | {growth[1]:.1f} | {seconds:.2f} | {megabytes:.0f}"
        )
        found.append((times, text, cells))
        if seconds > _QUICK:
            break
    return max(found)


def _cost(function: Callable[[str], Any], text: str, length: int) -> tuple[float, float]:
    """Return processor seconds and MB of a call in a forked process; infinite if it failed."""
    before, unit, after = _TEXTS[text]
    written = before + (unit * (length // len(unit) + 1))[:length] + after
    receiver, sender = multiprocessing.Pipe(duplex=False)
    gc.freeze()  # else the process walks through all objects of this one
    fork = multiprocessing.get_context("fork").Process
    child = fork(target=_send_cost, args=(sender, function, written))
    child.start()
    sender.close()
    with suppress(EOFError):
        seconds, megabytes = receiver.recv()
        return seconds, megabytes
    return np.inf, np.inf


def _send_cost(sender: Any, function: Callable[[str], Any], text: str) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (_MOST_SECONDS, _MOST_SECONDS))
    warnings.simplefilter("ignore")
    start = time.process_time()
    kilobytes = [resource.getrusage(resource.RUSAGE_SELF).ru_maxrss]
    with suppress(ValueError, CommandError):
        function(text)
    kilobytes.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    sender.send((time.process_time() - start, (kilobytes[1] - kilobytes[0]) / 1024))


def print_cliffs(names: list[str]) -> bool:
    """Print the worst text of each function; return whether all functions pass."""
    passed = True
    print("| function | worst text | characters | times as long | times the memory | s | MB |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
    for name, function in functions():
        if not any(one in name for one in names or [""]):
            continue
        try:
            with suppress(ValueError, CommandError):
                function("a b")  # imports
        except ImportError:
            print(f"| {name} | not installed |")
            continue
        allowed = 2 * _GROWTH if name.endswith(_TABLES) else _GROWTH
        share, text, cells = max(_growth(function, one, allowed) for one in _TEXTS)
        passed &= share <= 1
        print(f"| {name} | {text} | {cells} |{' **fails** |' * int(share > 1)}", flush=True)
    return bool(passed)


if __name__ == "__main__":
    sys.exit(not print_cliffs(sys.argv[1:]))
