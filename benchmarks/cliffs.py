"""Inputs that might take very long: time per word beside ordinary text, and memory.

Each case runs in a process of its own, and so does ordinary text with the same options.
The time of no case should be more than ten times that of ordinary text, unless the work
itself grows: with the pairs of sentences of two texts, or, for ROUGE-W, with the product
of their lengths.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from corpora import Corpus
from paragraphs import paragraphs, texts_of_lines
from words_made_up import draw, words

_MOST = 10  # times ordinary text
_SECONDS = 600  # after which a case is given up
_N_ORDINARY = 1_000
_SECONDS_OF_SHORT = 2
_VOCABULARY_SIZE = 20_000
_MOVED = 8


@dataclass(frozen=True)
class Case:
    """Texts that might be slow, and the options under which they are."""

    what: str
    texts: Callable[[], Corpus]
    options: dict[str, Any] = field(default_factory=dict)
    metric: str = "rouge_full"


def _lines(length: int, n_lines: int, n_pairs: int = 1) -> Callable[[], Corpus]:
    """Return texts of lines of one length, whose words are all in both texts.

    A prediction has the words of its reference, each up to `_MOVED` places elsewhere.
    """

    def texts() -> Corpus:
        rng = np.random.default_rng(0)
        n_words = length * n_lines
        vocabulary = words(_VOCABULARY_SIZE)
        pairs = []
        for _ in range(n_pairs):
            reference = draw(vocabulary, n_words, rng)
            place = np.arange(n_words) + rng.uniform(0, _MOVED, n_words)
            prediction = reference[np.argsort(place)]
            pairs.append((_in_lines(prediction, length), _in_lines(reference, length)))
        predictions, references = zip(*pairs, strict=True)
        return Corpus(list(predictions), list(references))

    return texts


def _in_lines(text: np.ndarray, length: int) -> str:
    """Return the words of a text as lines of one length."""
    starts = range(0, len(text), length)
    return "\n".join(" ".join(text[start : start + length]) for start in starts)


def _large_texts() -> Corpus:
    """Return two texts of 50 MB in lines of 20 words, one of 0.7 MB again and again."""
    n_times = 69
    corpus = _lines(20, 8_000)()
    predictions, references = (
        ["\n".join(texts * n_times)] for texts in (corpus.predictions, corpus.references)
    )
    return Corpus(predictions, references)


def _distinct_words(n_words: int) -> Corpus:
    text = " ".join(map(str, range(n_words)))
    return Corpus([text], [text])


def _equal_words(n_words: int) -> Corpus:
    return Corpus(["a " * n_words], ["a " * n_words])


def _many_references() -> Corpus:
    prediction, _ = texts_of_lines([[20_000]], [[1]])
    _, references = texts_of_lines([[1]] * 1_000, [[10]] * 1_000)
    return Corpus(prediction, [references])


def _identical(n_words: int, n_pairs: int) -> Corpus:
    texts, _ = texts_of_lines([[n_words]] * n_pairs, [[1]] * n_pairs)
    return Corpus(texts, texts)


def _different_words(n_pairs: int) -> Corpus:
    """Return texts of 50 words of which none comes twice."""
    letters = str.maketrans("0123456789", "abdefgilno")
    words = [f"{number:07}ations".translate(letters) for number in range(n_pairs * 50)]
    texts = [" ".join(words[start : start + 50]) for start in range(0, len(words), 50)]
    return Corpus(texts, texts)


def _natural(n_words: int) -> Corpus:
    """Return two texts of one line that share half of their words, in runs."""
    return Corpus(*texts_of_lines([[n_words]], [[n_words]]))


def _few_types(n_words: int, n_types: int) -> Corpus:
    """Return two texts of words drawn alike from a few types."""
    rng = np.random.default_rng(0)
    types = np.array(words(n_types))
    texts = [" ".join(rng.choice(types, n_words)) for _ in range(2)]
    return Corpus(texts[:1], texts[1:])


def _phrase_again(n_words: int, length: int) -> Corpus:
    """Return twice a text of one phrase again and again."""
    text = " ".join((list(words(length)) * (n_words // length + 1))[:n_words])
    return Corpus([text], [text])


def _punctuation(n_characters: int) -> Corpus:
    text = "!?,.;:()" * (n_characters // 8)
    return Corpus([text], [text])


def _types(*rouge_types: str, **options: Any) -> dict[str, Any]:
    return {"rouge_types": list(rouge_types), **options}


_LSUM = _types("rougeLsum")
_PERL_W = _types("rougeW", preset="rouge-1.5.5")

CASES = [
    Case("Lsum: 2 lines of 60 words", _lines(60, 2, 500), _LSUM),
    Case("Lsum: 2 lines of 65 words", _lines(65, 2, 500), _LSUM),
    Case("Lsum: 5 lines of 150", _lines(150, 5, 100), _LSUM),
    Case("Lsum: 20 lines of 80", _lines(80, 20, 50), _LSUM),
    Case("Lsum: 20,000 words in lines of 80", _lines(80, 250), _LSUM),
    Case("Lsum: 100,000 words in lines of 150", _lines(150, 667), _LSUM),
    Case("Lsum: 100,000 words in lines of 20", _lines(20, 5_000), _LSUM),
    Case("Lsum: 1,000 lines of one word", _lines(1, 1_000), _LSUM),
    Case(
        "Lsum, best: 2,000 lines of 10", _lines(10, 2_000), _types("rougeLsum", summary_lcs="best")
    ),
    Case("L: 20,000 words, 1,000 references of 10", _many_references, _types("rougeL")),
    Case(
        "rouge-1.5.5, S4: 20,000 words, 1,000 references of 10",
        _many_references,
        _types("rougeS4", preset="rouge-1.5.5"),
    ),
    Case("L: 200,000 distinct words in common", lambda: _distinct_words(200_000), _types("rougeL")),
    Case("L: 400,000 distinct words in common", lambda: _distinct_words(400_000), _types("rougeL")),
    Case("L: 200,000 words, half of them shared", lambda: _natural(200_000), _types("rougeL")),
    Case("rouge-1.5.5, W: 50,000 words in a line", _lines(50_000, 1), _PERL_W),
    Case("rouge-1.5.5, W: 2,000 lines of 10", _lines(10, 2_000), _PERL_W),
    Case("W: 10,000 equal words", lambda: _equal_words(10_000), _types("rougeW")),
    Case("W: 10,000 words of 3 types", lambda: _few_types(10_000, 3), _types("rougeW")),
    Case("W: 100,000 words", _lines(100_000, 1), _types("rougeW")),
    Case("S70: 60,000 words", _lines(60_000, 1), _types("rougeS70")),
    Case("S: 20,000 words", _lines(20_000, 1), _types("rougeS")),
    Case(
        "rouge1000: identical texts of 2,000 words",
        lambda: _identical(2_000, 20),
        _types("rouge1000"),
    ),
    Case(
        "rouge1000: a phrase of 30 words again and again, 20,000 words",
        lambda: _phrase_again(20_000, 30),
        _types("rouge1000"),
    ),
    Case(
        "BLEU, order 1,000: identical texts of 2,000 words",
        lambda: _identical(2_000, 20),
        {"max_order": 1_000},
        "bleu_full",
    ),
    Case(
        "stemmer: all words distinct",
        lambda: _different_words(2_000),
        _types("rouge1", use_stemmer=True),
    ),
    Case("1, 2: two texts of 50 MB", _large_texts, _types("rouge1", "rouge2")),
    Case("BLEU: two texts of 50 MB", _large_texts, {}, "bleu_full"),
    Case(
        "13a: 1 MB of punctuation without blanks", lambda: _punctuation(1_000_000), {}, "bleu_full"
    ),
]


def print_cliffs() -> None:
    """Print a table of all cases."""
    print("\n| case | µs a word | ordinary text | times | MB above the input | wanted |")
    print("| --- | ---: | ---: | ---: | ---: | --- |", flush=True)
    ordinary: dict[str, float | None] = {}
    for number, case in enumerate(CASES):
        key = json.dumps([case.metric, case.options])
        if key not in ordinary:
            ordinary[key] = _measured_in_process(number, "ordinary")[0]
        print(_table_row(case, *_measured_in_process(number, "case"), ordinary[key]))
        sys.stdout.flush()


def _table_row(
    case: Case, seconds: float | None, memory: float | None, ordinary: float | None
) -> str:
    if seconds is None or ordinary is None:
        return f"| {case.what} | failed, or took more than {_SECONDS} s | | | | |"
    times = seconds / ordinary
    verdict = f"{_MOST}" + ("" if times <= _MOST else f" (missed: {times / _MOST:.1f}x)")
    return (
        f"| {case.what} | {1e6 * seconds:.2f} | {1e6 * ordinary:.2f} | {times:.1f} "
        f"| {memory:.0f} | {verdict} |"
    )


def _measured_in_process(number: int, texts: str) -> tuple[float | None, float | None]:
    """Return seconds a word and MB above the input; None where it failed."""
    script = [sys.executable, __file__, str(number), texts]
    try:
        output = subprocess.run(
            script, check=True, capture_output=True, text=True, timeout=_SECONDS
        ).stdout
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        return None, None
    seconds, memory = json.loads(output)
    return seconds, memory


def _measured(case: Case, corpus: Corpus) -> tuple[float, float]:
    """Return seconds a word, of both sides, and MB above the input's own.

    Imports are paid with a small corpus before. Processor time counts, and of a short
    call the least of three.
    """
    from comparison import metric

    compute = metric(case.metric).compute

    def seconds() -> float:
        start = time.process_time()
        compute(predictions=corpus.predictions, references=corpus.references, **case.options)
        return time.process_time() - start

    compute(predictions=["a b c"] * 20, references=["a c"] * 20, **case.options)
    before = _peak_memory()
    taken = seconds()
    memory = _peak_memory() - before
    if taken < _SECONDS_OF_SHORT:
        taken = min(taken, seconds(), seconds())
    return taken / _n_words(corpus), memory


def _n_words(corpus: Corpus) -> int:
    """Return the words of both sides; a text without blanks counts by 8 characters."""
    lists = [[item] if isinstance(item, str) else item for item in corpus.references]
    texts = [*corpus.predictions, *(text for item in lists for text in item)]
    return sum(max(text.count(" ") + text.count("\n"), len(text) // 8) for text in texts)


def _peak_memory() -> float:
    """Return the most memory that this process has taken, in MB."""
    kilobyte = 1024 if sys.platform == "linux" else 1024**2
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / kilobyte


def main() -> None:
    case = CASES[int(sys.argv[1])]
    is_ordinary = sys.argv[2] == "ordinary"
    corpus = Corpus(*paragraphs(_N_ORDINARY)) if is_ordinary else case.texts()
    print(json.dumps(_measured(case, corpus)))


if __name__ == "__main__":
    os.environ["OMP_NUM_THREADS"] = "1"
    main()
