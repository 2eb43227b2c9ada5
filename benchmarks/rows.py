"""The rows of the tables: what is compared, on which texts, and what is wanted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bleu_rows import bleu_by_function, bleuscore_row, nltk_row, one_segment_row, sacrebleu_row
from bleu_rows import two_jobs_row as two_jobs_bleu_row
from comparison import Row, Skipped
from corpora import Corpora, Corpus
from rouge_rows import (
    all_types_row,
    compiled_row,
    perl_row,
    pyrouge_row,
    rouge_by_function,
    rouge_score_row,
    script_row,
    skip_bigrams_row,
    two_jobs_compiled_row,
    two_jobs_row,
    weighted_row,
)

MakeRow = Callable[[Corpora], Row | Skipped]

# 45 and 60 words in 3 sentences, where the row does not say otherwise.
HEADLINE_ROWS: list[MakeRow] = [
    lambda c: rouge_score_row("ROUGE-1, 2, L, Lsum", c.short, 500, like_evaluate=True, wanted=50),
    lambda c: compiled_row("ROUGE-1, 2, L, Lsum", c.short, wanted=1 / 1.5),
    lambda c: rouge_score_row(
        "the same, stemmed", c.short, 300, like_evaluate=True, wanted=100, use_stemmer=True
    ),
    lambda c: sacrebleu_row("BLEU, 13a", c.segments),
]
SHORT_ROWS: list[MakeRow] = [
    *HEADLINE_ROWS[:2],
    lambda c: compiled_row("the same, lengths as people write them", c.mixed, wanted=1 / 1.5),
    HEADLINE_ROWS[2],
    lambda c: pyrouge_row(
        "ROUGE-W, S4, SU4",
        c.short,
        ["rougeW-1.2", "rougeS4", "rougeSU4"],
        ["rouge-w-1.2", "rouge-s4", "rouge-su4"],
        300,
        wanted=40,
        rouge_w=True,
        rouge_s=True,
        rouge_su=True,
        skip_gap=4,
    ),
    lambda c: skip_bigrams_row("ROUGE-S, SU without a limit", c.short, 200, wanted=40),
    lambda c: rouge_score_row("ROUGE-1, 2, L, Lsum, 1,000 words", c.long, 10, wanted=60),
    lambda c: compiled_row("the same", c.long, wanted=1 / 1.5),
    lambda c: compiled_row(
        "ROUGE-L, 20,000 words", c.very_long, wanted=1 / 3, rouge_types=["rougeL"]
    ),
    lambda c: script_row("ROUGE-1, 2, L, Lsum in Hindi letters", c.hindi, c.short),
    lambda c: script_row("the same in Russian letters", c.russian, c.short),
    lambda c: script_row("the same in Chinese characters", c.chinese, c.short),
    HEADLINE_ROWS[3],
    lambda c: bleuscore_row("the same", c.segments),
    lambda c: nltk_row("BLEU on tokens", c.segments),
    lambda c: rouge_score_row(
        "ROUGE-1, 2, L, Lsum of one pair", c.short.first(1), 1, like_evaluate=True, wanted=1
    ),
    lambda c: one_segment_row("BLEU of one pair", c.segments.first(1)),
    lambda c: sacrebleu_row("the same", c.segments.first(1), wanted=None),
    lambda c: perl_row(
        "preset rouge-1.5.5: 1, 2, L, W, S4, SU4 with intervals, 1,000 documents",
        c.short.first(1_000),
        wanted=150,
    ),
]


def _small_rows(
    texts: str, corpus: Callable[[Corpora], Corpus], wanted: tuple[float, float]
) -> list[MakeRow]:
    """Rows of few pairs, by `compute` and by the functions, which need no evaluate.

    `wanted` is that of ROUGE and of BLEU.
    """
    rouge_wanted, bleu_wanted = wanted

    def rouge_row(what: str, **ours: Any) -> MakeRow:
        return lambda c: rouge_score_row(
            f"{texts}: {what}", corpus(c), 16, wanted=rouge_wanted, **ours
        )

    def bleu_row(what: str, **ours: Any) -> MakeRow:
        return lambda c: sacrebleu_row(f"{texts}: {what}", corpus(c), wanted=bleu_wanted, **ours)

    return [
        rouge_row("ROUGE-1, 2, L, Lsum"),
        rouge_row("the same by function", ours=rouge_by_function),
        bleu_row("BLEU, 13a"),
        bleu_row("the same by function", ours=bleu_by_function),
    ]


HEADLINE_PARAGRAPH_ROWS: list[MakeRow] = [
    lambda c: compiled_row("paragraphs: ROUGE-1, 2, L, Lsum", c.paragraphs, wanted=1),
    lambda c: sacrebleu_row(
        "paragraphs: BLEU, 13a, 1 to 5 references", c.paragraphs_with_references, wanted=12
    ),
]
PARAGRAPH_ROWS: list[MakeRow] = [
    HEADLINE_PARAGRAPH_ROWS[0],
    lambda c: rouge_score_row("the same", c.paragraphs, 300, wanted=60),
    lambda c: compiled_row(
        "paragraphs: ROUGE-Lsum", c.paragraphs, wanted=1, rouge_types=["rougeLsum"]
    ),
    lambda c: compiled_row(
        "ROUGE-Lsum, lines of 65 to 512 words", c.long_lines, wanted=1, rouge_types=["rougeLsum"]
    ),
    lambda c: weighted_row("paragraphs: ROUGE-W", c.paragraphs, wanted=1),
    lambda c: all_types_row("paragraphs: all seven default types", c.paragraphs, wanted=1 / 2),
    lambda c: skip_bigrams_row(
        "paragraphs: ROUGE-S, SU without a limit", c.paragraphs, 200, wanted=60
    ),
    HEADLINE_PARAGRAPH_ROWS[1],
    lambda c: bleuscore_row("the same", c.paragraphs_with_references, wanted=1 / 0.8),
    *_small_rows("16 pairs", lambda c: c.batch, wanted=(20, 5)),
    *_small_rows("one pair of 50 words", lambda c: c.one, wanted=(4, 1 / 1.2)),
]


def _alike_row(what: str, share: float) -> MakeRow:
    return lambda c: compiled_row(what, c.alike[share], wanted=1, has_two_levels=True)


ALIKE_ROWS: list[MakeRow] = [
    _alike_row("three quarters shared: ROUGE-1, 2, L, Lsum", 0.75),
    lambda c: rouge_score_row("the same", c.alike[0.75], 300, wanted=70),
    _alike_row("a quarter shared", 0.25),
    _alike_row("half shared", 0.5),
    _alike_row("95 % shared", 0.95),
    lambda c: sacrebleu_row(
        "three quarters shared: BLEU, 13a, 1 to 5 references", c.alike_with_references, wanted=20
    ),
    lambda c: bleuscore_row("the same", c.alike_with_references, wanted=1 / 0.6),
]

ROWS = [*SHORT_ROWS, *PARAGRAPH_ROWS, *ALIKE_ROWS]
QUICK_ROWS = [*HEADLINE_ROWS, *HEADLINE_PARAGRAPH_ROWS]

# Measured in a process of their own, in which every library may take two threads.
TWO_THREADS_ROWS: list[MakeRow] = [
    lambda c: two_jobs_row("n_jobs=2: ROUGE-1, 2, L, Lsum", c.paragraphs),
    lambda c: two_jobs_compiled_row("the same", c.paragraphs),
    lambda c: two_jobs_row("the same, stemmed", c.paragraphs, use_stemmer=True),
    lambda c: two_jobs_compiled_row("the same", c.paragraphs, use_stemmer=True),
    lambda c: two_jobs_row("n_jobs=2: 100,000 pairs", c.many_paragraphs),
    lambda c: two_jobs_compiled_row("the same", c.many_paragraphs),
    lambda c: two_jobs_row("the same, stemmed", c.many_paragraphs, use_stemmer=True),
    lambda c: two_jobs_compiled_row("the same", c.many_paragraphs, use_stemmer=True),
    lambda c: two_jobs_bleu_row("n_jobs=2: BLEU, 13a", c.paragraphs_with_references),
    lambda c: two_jobs_bleu_row("n_jobs=2: BLEU, 100,000 items", c.many_paragraphs_with_references),
]


def rows_of_file(corpus: Corpus) -> list[Row]:
    """Return the rows for texts of the user's own, with one reference each or several."""
    rows = [
        rouge_score_row("ROUGE-1, 2, L, Lsum", corpus, 500, wanted=60),
        compiled_row("the same", corpus, wanted=1),
        compiled_row("ROUGE-Lsum", corpus, wanted=1, rouge_types=["rougeLsum"]),
        all_types_row("all seven default types", corpus, wanted=1 / 2),
        sacrebleu_row("BLEU, 13a", corpus, wanted=12),
        bleuscore_row("the same", corpus, wanted=1 / 0.8),
    ]
    return rows
