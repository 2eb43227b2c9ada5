"""The settings that packages and papers use, as data, for `rouge-bleu find-settings`.

A table has a base, which is always given, and rows of variations: each way to take one
variation of every row is a setting. Options are those of `compute`; {} is the default. If
several settings give the same numbers, those of earlier tables and variations are shown first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

Options = Mapping[str, Any]
Row = tuple[Options, ...]


@dataclass(frozen=True)
class Table:
    """A base and its variations."""

    base: Options
    rows: tuple[Row, ...] = ()
    outputs: Row = ()  # for a ROUGE whose name does not say it; each has "output"
    l_types: tuple[str, ...] = ("rougeL", "rougeLsum")  # candidates for the paper's rougeL
    line_types: tuple[str, ...] = ("rougeLsum",)  # prefixes of types that depend on sentences
    all_types: tuple[str, ...] = ()  # always computed, since their order decides random draws

    def variations(self, *outputs: Row) -> Iterator[dict[str, Any]]:
        """Yield the options of each way to take one variation of every row."""
        for chosen in product(*self.rows, *outputs):
            options = dict(self.base)
            for one in chosen:
                options |= one
            yield options


def words_and_signs(text: str) -> list[str]:
    """Return words and single punctuation characters, as many scripts tokenize."""
    return re.findall(r"\w+|[^\w\s]", text)


def words_without_periods(text: str) -> list[str]:
    """Return words between spaces and periods, as PyPI's rouge with exclusive=False."""
    return text.replace(".", " ").split()


CODE_OF_TOKENIZER: Mapping[Any, str] = {  # how a call writes the functions above
    words_and_signs: r'lambda text: re.findall(r"\w+|[^\w\s]", text)',
    words_without_periods: 'lambda text: text.replace(".", " ").split()',
}


def _values(name: str, *values: Any) -> Row:
    return tuple({name: value} for value in values)


# --- ROUGE ----------------------------------------------------------------------------

_F: Row = _values("output", "fmeasure")
_FRP: Row = _values("output", "fmeasure", "recall", "precision")
_BETAS: Row = tuple({"output": "fmeasure", "beta": beta} for beta in (1.2, 2.0, 0.5))

_STEMS: Row = ({}, {"use_stemmer": True})
_SPLITTERS: Row = ({}, {"sentence_splitter": "sentences"})
_CASES: Row = ({}, {"lowercase": True})
_CHOICES: Row = ({}, *_values("multi_reference", "average", "pooled", "jackknife"))
_AVERAGE: Row = ({}, {"multi_reference": "average"})
_BEST: Row = ({}, {"multi_reference": "best"})
_RECALL: Row = ({}, {"multi_reference": "recall"})
_LIMITS: Row = (
    {"max_words": 100},  # -l 100: DUC 2001 and 2002, TAC
    {"max_bytes": 665},  # -b 665: DUC 2003 and 2004, task 2
    {"max_bytes": 75},  # -b 75: DUC 2003 and 2004, task 1
    {"max_words": 250},  # -l 250: DUC 2005 to 2007
)
_OTHER_LIMITS = (10, 20, 25, 30, 40, 50, 75, 128, 150, 200, 300, 400, 500, 512)
_SCRIPT_AVERAGES: Row = (
    {},
    {"document_order": "string"},  # documents that a wrapper has numbered
    {"corpus_average": "tokens"},
)
_SCRIPTS: Row = (
    {"preset": "rouge-1.5.5"},
    # -m without the script's list of irregular words
    {"preset": "ROUGE-1.5.5.pl -n 2 -m -a", "confidence_level": None},
)
_TOKENIZERS: Row = (
    {"tokenizer": "whitespace", "lowercase": False},
    {"tokenizer": "whitespace"},
    {"tokenizer": "whitespace", "use_stemmer": True},
    {"tokenizer": "13a", "lowercase": False},
    {"tokenizer": "13a"},
    {"tokenizer": "13a", "use_stemmer": True},
    {"tokenizer": "unicode"},
    {"tokenizer": "unicode", "use_stemmer": True},
)
_L: dict[str, Any] = {"outputs": _FRP, "l_types": ("rougeL",)}
_LSUM: dict[str, Any] = {"outputs": _FRP, "l_types": ("rougeLsum",)}
_OF_SCRIPT: dict[str, Any] = {**_L, "line_types": ("rougeL", "rougeW")}


def rouge_tables(
    script_stemmer: Any = None, *, has_several_references: bool, n_words: int
) -> list[Table]:
    """Return the tables of ROUGE, and those of -m if its stemmer with exceptions is available."""
    scripts = list(_SCRIPTS)
    if script_stemmer is not None:
        scripts.append({"preset": "rouge-1.5.5", "stemmer": script_stemmer})
    limits = _values("max_words", *(n for n in _OTHER_LIMITS if n < n_words))
    tables = [
        Table({"preset": "rouge_score"}, (_STEMS, _SPLITTERS, _CHOICES), outputs=_FRP),
        Table(
            {"preset": "evaluate"},
            (_STEMS, _SPLITTERS, _values("seed", 0, 42)),
            outputs=_F,
            all_types=("rouge1", "rouge2", "rougeL", "rougeLsum"),
        ),
        *(Table(script, (_SPLITTERS, _BEST, _SCRIPT_AVERAGES), **_OF_SCRIPT) for script in scripts),
        *(
            Table(script, (_LIMITS, _SPLITTERS, _BEST, _SCRIPT_AVERAGES[:2]), **_OF_SCRIPT)
            for script in scripts
        ),
        Table({"preset": "torchmetrics"}, (_STEMS, _AVERAGE), outputs=_FRP),
        Table({"preset": "pltrdy"}, (_CASES,), **_L),
        Table({"preset": "pyrouge-metric"}, (_CASES, _SPLITTERS, _BEST), **_OF_SCRIPT),
        Table({"preset": "rouge-chinese"}, (_CASES,), **_L),
        Table({"preset": "matlab"}, outputs=_values("output", "recall")),
        Table({"preset": "coco-caption"}, (_CASES,), outputs=_F, l_types=("rougeL",)),
        Table({"preset": "nmt"}, (_CASES,), **_L),
        Table({"preset": "py-rouge"}, (({}, {"max_bytes": None}), _RECALL), **_LSUM),
        Table({"preset": "sumeval"}, **_L),
        Table({"preset": "sacrerouge"}, (_STEMS,), **_LSUM),
        Table({"preset": "rouge-2.0"}, **_L),
        Table({"preset": "ignite"}, (_RECALL,), **_L),
        Table({"preset": "xlsum"}, (_STEMS,), outputs=_FRP),
        Table({"preset": "rouge_score"}, (_STEMS, _LIMITS, _SPLITTERS), outputs=_FRP),
        Table({"preset": "rouge_score"}, (_STEMS, _SPLITTERS), outputs=_BETAS),
        Table({}, (_TOKENIZERS, _SPLITTERS, _CHOICES), outputs=_FRP),
        *(Table({"tokenizer": name}, outputs=_FRP) for name in ("char", "parlai", "squad")),
        Table({"preset": "rouge_score"}, (_STEMS, limits, _SPLITTERS), outputs=_FRP),
        Table({"tokenizer": words_and_signs}, (_CASES, _SPLITTERS), outputs=_FRP),
        Table({"tokenizer": words_without_periods}, (_CASES,), outputs=_FRP),
    ]
    if not has_several_references:  # otherwise each of these is a separate run
        tables.append(Table({}, (_TOKENIZERS, _SPLITTERS), outputs=_BETAS))
    return tables


# --- BLEU -----------------------------------------------------------------------------

_WORDS: Row = ({}, {"tokenizer": "whitespace"})
_OR_13A: Row = ({}, {"tokenizer": "13a"})
_KEPT_CASE: Row = ({}, {"lowercase": False})
_SENTENCES: Row = ({}, {"level": "sentence"})
_LEVELS: Row = (*_SENTENCES, {"level": "sentence", "effective_order": True})
_MEAN: Row = _SENTENCES[1:]
_OR_NONE: Row = ({}, {"smoothing": "none"})
_NLTK: Row = (
    {},
    *_values("smoothing", "exp", "floor", "add-k", *(f"chen-cherry-{n}" for n in (4, 5, 6, 7))),
)
_SMOOTHINGS: Row = (*_NLTK[:4], {"smooth": True}, *_NLTK[4:])
_SACREBLEU: Row = ({}, *_values("smoothing", "none", "floor", "add-k"))
_OLD_NLTK: dict[str, Row] = {  # what releases do differently from later ones
    "3.5": (_NLTK[3], _NLTK[4], _NLTK[7]),
    "3.4.5": (_NLTK[4], _NLTK[7]),
    "3.2.5": ({},),
}


def bleu_tables(*, has_sacrebleu: bool) -> list[Table]:
    """Return the tables of BLEU; some tokenizers need sacreBLEU."""
    lengths = _values("reference_length", "shortest", "average")
    tables = [
        Table({"preset": "sacrebleu"}, (_WORDS, _CASES, _SACREBLEU, _SENTENCES)),
        Table({"preset": "evaluate"}, (_WORDS, _CASES, ({}, {"smooth": True}))),
        Table({"preset": "nltk"}, (_OR_13A, _CASES, _NLTK, _SENTENCES)),
        Table({"preset": "torchmetrics"}, (_OR_13A, _CASES, ({}, {"smoothing": "add-k"}))),
        Table({"preset": "matlab"}, (_CASES,)),
        Table({}, (_WORDS, _CASES, _SMOOTHINGS, _LEVELS)),
        Table({}, (_WORDS, _CASES, _SMOOTHINGS[:2], lengths, _SENTENCES)),
        Table({"preset": "nltk", "multi_reference": "best"}, (_MEAN, _NLTK)),
        Table({"preset": "sacrebleu", "multi_reference": "best"}, (_MEAN,)),
        Table({"preset": "sacrebleu"}, (_values("tokenizer", "unicode", "char"), _CASES, _OR_NONE)),
        Table({"tokenizer": words_and_signs}, (_CASES, _SMOOTHINGS, _SENTENCES)),
        Table({"preset": "nltk", "tokenizer": words_and_signs}, (_CASES, _NLTK, _SENTENCES)),
        Table({"preset": "coco-caption"}, (_CASES, _SENTENCES)),
        Table({"preset": "codexglue"}, (_OR_13A,)),
        *(
            Table({"preset": f"nltk-{release}"}, (smoothings, _SENTENCES))
            for release, smoothings in _OLD_NLTK.items()
        ),
        Table({"preset": "evaluate", "tokenizer": "conala"}),
        Table(
            {"preset": "nltk", "tokenizer": "parlai"},
            (({"smoothing": "floor", "smoothing_value": 1e-12},), _MEAN),
        ),
        Table({"preset": "multi-bleu.perl"}, (_CASES,)),
        Table({"preset": "mteval-v13a.pl"}, (_KEPT_CASE, ({}, {"tokenizer": "intl-entities"}))),
        Table({"preset": "t2t"}, (_CASES,)),
        Table({"preset": "pymteval"}, (_KEPT_CASE,)),
        Table({"preset": "fairseq"}, (_CASES, ({}, {"smoothing": "add-k", "level": "sentence"}))),
    ]
    if has_sacrebleu:
        slow = _values("tokenizer", "intl", "zh")
        tables.append(Table({"preset": "sacrebleu"}, (slow, _CASES, _OR_NONE)))
    return tables


# Options of BLEU that matter to several references only.
SEVERAL_REFERENCES = ("reference_length", "multi_reference")
# Presets that have weights, so that a lower order is weights too.
WEIGHTED_PRESETS = ("coco-caption",)


def outputs_of(table: Table, named: Sequence[str | None]) -> Row:
    """Return the outputs to try, given those that the reported names say."""
    if not all(named):
        return table.outputs
    # The names say it: of the others one is enough, and F may have another beta.
    betas = tuple(one for one in table.outputs if "beta" in one and "fmeasure" in named)
    return (*[one for one in table.outputs if "beta" not in one][:1], *betas)
