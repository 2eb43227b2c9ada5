"""The settings that packages and papers use, as tables.

A table has a base, which is what is given in any case, and rows of what is varied:
every way to take one of each row is a setting. Options are those of `compute`; {} is
the usual way. What stands first in a row, and the tables that stand first, are shown
first where several settings give the same numbers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from rouge_bleu_tools.commands.find_settings.reported import Reported

_WORD_OR_SIGN = re.compile(r"\w+|[^\w\s]")


def words_and_signs(text: str) -> list[str]:
    """Return words and each other sign, as many scripts cut texts by themselves."""
    return _WORD_OR_SIGN.findall(text)


def words_without_periods(text: str) -> list[str]:
    """Return words between blanks and periods, as pltrdy's rouge with exclusive=False."""
    return text.replace(".", " ").split()


# How the functions above are written in a call.
CODE_OF_TOKENIZER: Mapping[Callable[[str], list[str]], str] = {
    words_and_signs: r'lambda text: re.findall(r"\w+|[^\w\s]", text)',
    words_without_periods: 'lambda text: text.replace(".", " ").split()',
}

Options = Mapping[str, Any]
Row = tuple[Options, ...]


@dataclass(frozen=True)
class Table:
    """A base and what is varied on it.

    Parameters
    ----------
    base : Options
    rows : tuple of Row
    outputs : Row
        What may be meant by a ROUGE whose name does not say it; each has "output".
    names_of_l : tuple of str
        What may be meant by rougeL.
    has_lines : tuple of str
        The beginnings of the rouge types that depend on where sentences end.
    lacks : tuple of str
        The beginnings of the rouge types that the package does not have.
    all_types : tuple of str
        The rouge types that are always computed, since those before it decide which
        random samples a type has; there are no others then.
    """

    base: Options
    rows: tuple[Row, ...]
    outputs: Row = ()
    names_of_l: tuple[str, ...] = ("rougeL", "rougeLsum")
    has_lines: tuple[str, ...] = ("rougeLsum",)
    lacks: tuple[str, ...] = ()
    all_types: tuple[str, ...] = ()


@dataclass(frozen=True)
class Setting:
    """One way to get all reported numbers.

    Parameters
    ----------
    options : Options
        What `compute` is given, but for the rouge types, the weights and the output.
    output : str or None
        What a ROUGE is whose name does not say it.
    type_of_name : Mapping
        The rouge type that is meant by each reported name.
    has_lines, all_types : tuple of str
        As in `Table`.
    code : Mapping
        How the values of options are written that are no literals.
    """

    options: Options
    output: str | None = None
    type_of_name: Mapping[str, str] = field(default_factory=dict)
    has_lines: tuple[str, ...] = ()
    all_types: tuple[str, ...] = ()
    code: Mapping[str, str] = field(default_factory=dict)

    @property
    def n_oddities(self) -> int:
        """How many things one would have to say about it, beside the package."""
        n_options = len([name for name in self.options if name != "preset"])
        n_renamed = sum(
            not name.startswith(meant + "_") and name != meant
            for name, meant in self.type_of_name.items()
        )
        is_odd = self.output in ("precision", "recall")
        return n_options + n_renamed + is_odd


# --- ROUGE ----------------------------------------------------------------------------

_F: Options = {"output": "fmeasure"}
_RECALL: Options = {"output": "recall"}
_PRECISION: Options = {"output": "precision"}
_PRF: Row = (_F, _RECALL, _PRECISION)
_BETAS: Row = tuple({"output": "fmeasure", "beta": beta} for beta in (1.2, 2.0, 0.5))

_STEMS: Row = ({}, {"use_stemmer": True})
_SPLITTERS: Row = ({}, {"sentence_splitter": "sentences"})
_CHOICES: Row = ({}, *({"multi_reference": n} for n in ("average", "pooled", "jackknife")))
_POOLED_OR_BEST: Row = ({}, {"multi_reference": "best"})
CASES: Row = ({}, {"lowercase": True})
_LIMITS: Row = (
    {"max_words": 100},  # -l 100: DUC 2001 and 2002, TAC
    {"max_bytes": 665},  # -b 665: DUC 2003 and 2004, task 2
    {"max_bytes": 75},  # -b 75: DUC 2003 and 2004, task 1
    {"max_words": 250},  # -l 250: DUC 2005 to 2007
)
_OTHER_WORD_LIMITS = (50, 75, 128, 150, 200, 300, 400, 500, 512)
_AVERAGES_OF_SCRIPT: Row = (
    {},
    {"document_order": "string"},  # documents numbered by a wrapper
    {"corpus_average": "tokens"},
)
_DOCUMENTS = _AVERAGES_OF_SCRIPT[:2]
_SCRIPTS: Row = (
    {"preset": "rouge-1.5.5"},
    # With -m, and without the script's list of irregular words.
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
_ONLY_N_AND_L = ("rougeLsum", "rougeW", "rougeS")
_OF_SCRIPT: dict[str, Any] = {
    "outputs": _PRF,
    "names_of_l": ("rougeL",),
    "has_lines": ("rougeL", "rougeW"),
}


def _rouge_tables(scripts: Sequence[Options], has_several: bool, n_words: int) -> tuple[Table, ...]:
    limits: Row = tuple({"max_words": n} for n in _OTHER_WORD_LIMITS if n < n_words)
    betas_of_tokenizers = Table({}, (_TOKENIZERS, _SPLITTERS), outputs=_BETAS)
    return (
        Table({"preset": "rouge_score"}, (_STEMS, _SPLITTERS, _CHOICES), outputs=_PRF),
        Table(
            {"preset": "evaluate"},
            (_STEMS, _SPLITTERS, ({"seed": 0}, {"seed": 42})),
            outputs=(_F,),
            all_types=("rouge1", "rouge2", "rougeL", "rougeLsum"),
        ),
        *(
            Table(script, (_SPLITTERS, _POOLED_OR_BEST, _AVERAGES_OF_SCRIPT), **_OF_SCRIPT)
            for script in scripts
        ),
        *(
            Table(script, (_LIMITS, _SPLITTERS, _POOLED_OR_BEST, _DOCUMENTS), **_OF_SCRIPT)
            for script in scripts
        ),
        Table(
            {"preset": "torchmetrics"}, (_STEMS, ({}, {"multi_reference": "average"})), outputs=_PRF
        ),
        Table(
            {"preset": "pltrdy"},
            (CASES,),
            outputs=_PRF,
            names_of_l=("rougeL",),
            lacks=_ONLY_N_AND_L,
        ),
        Table({"preset": "pyrouge-metric"}, (CASES, _SPLITTERS, _POOLED_OR_BEST), **_OF_SCRIPT),
        Table(
            {"preset": "rouge-chinese"},
            (CASES,),
            outputs=_PRF,
            names_of_l=("rougeL",),
            lacks=_ONLY_N_AND_L,
        ),
        Table({"preset": "matlab"}, (), outputs=(_RECALL,)),
        Table(
            {"preset": "coco-caption"},
            (CASES,),
            outputs=(_F,),
            names_of_l=("rougeL",),
            lacks=_ONLY_N_AND_L,
        ),
        Table(
            {"preset": "nmt"}, (CASES,), outputs=_PRF, names_of_l=("rougeL",), lacks=_ONLY_N_AND_L
        ),
        Table(
            {"preset": "py-rouge"},
            (({}, {"max_bytes": None}), ({}, {"multi_reference": "recall"})),
            outputs=_PRF,
            names_of_l=("rougeLsum",),
            lacks=("rougeW", "rougeS"),
        ),
        Table({"preset": "sumeval"}, (), outputs=_PRF, names_of_l=("rougeL",)),
        Table({"preset": "sacrerouge"}, (_STEMS,), outputs=_PRF, names_of_l=("rougeLsum",)),
        Table(
            {"preset": "rouge-2.0"},
            (),
            outputs=_PRF,
            names_of_l=("rougeL",),
            lacks=("rougeLsum", "rougeW"),
        ),
        Table(
            {"preset": "ignite"},
            (({}, {"multi_reference": "recall"}),),
            outputs=_PRF,
            names_of_l=("rougeL",),
        ),
        Table({"preset": "xlsum"}, (_STEMS,), outputs=_PRF),
        Table({"preset": "rouge_score"}, (_STEMS, _LIMITS, _SPLITTERS), outputs=_PRF),
        Table({"preset": "rouge_score"}, (_STEMS, _SPLITTERS), outputs=_BETAS),
        Table({}, (_TOKENIZERS, _SPLITTERS, _CHOICES), outputs=_PRF),
        *(Table({"tokenizer": name}, (), outputs=_PRF) for name in ("char", "parlai", "squad")),
        Table({"preset": "rouge_score"}, (_STEMS, limits, _SPLITTERS), outputs=_PRF),
        Table({"tokenizer": words_and_signs}, (CASES, _SPLITTERS), outputs=_PRF),
        Table(
            {"tokenizer": words_without_periods},
            (CASES,),
            outputs=_PRF,
            lacks=("rougeL", *_ONLY_N_AND_L),
        ),
        # With several references each of them is a run of its own.
        *([] if has_several else [betas_of_tokenizers]),
    )


def rouge_settings(
    reported: Sequence[Reported],
    *,
    has_several: bool,
    n_words: int = 0,
    stemmer_of_script: Any = None,
    code_of_stemmer: str = "",
) -> Iterator[Setting]:
    """Yield the settings that may give reported ROUGE scores.

    Parameters
    ----------
    reported : sequence of Reported
    has_several : bool
        Whether an item has several references.
    n_words : int
        Of the longest text.
    stemmer_of_script : function or None
        The stemmer of -m with the script's irregular words, if they are at hand.
    code_of_stemmer : str
        How it is made.
    """
    scripts, code = list(_SCRIPTS), {}
    if stemmer_of_script is not None:
        scripts.append({"preset": "rouge-1.5.5", "stemmer": stemmer_of_script})
        code = {"stemmer": code_of_stemmer}
    for table in _rouge_tables(scripts, has_several, n_words):
        for types in _meanings(reported, table):
            if not all(_has_type(table, name) for name in types.values()):
                continue
            for options, output in _options_of_table(table, reported):
                has_effect = _has_effect(options, table, types, has_several)
                if has_effect:
                    yield Setting(
                        options,
                        output,
                        types,
                        table.has_lines,
                        table.all_types,
                        {**code, **code_of_tokenizer(options)},
                    )


def code_of_tokenizer(options: Options) -> dict[str, str]:
    """Return how the tokenizer is written, where it is a function."""
    written = CODE_OF_TOKENIZER.get(options.get("tokenizer"))  # type: ignore[arg-type]
    return {} if written is None else {"tokenizer": written}


def _has_type(table: Table, rouge_type: str) -> bool:
    if table.all_types:
        return rouge_type in table.all_types
    return not rouge_type.startswith(table.lacks)


def _meanings(reported: Sequence[Reported], table: Table) -> Iterator[dict[str, str]]:
    """Yield the rouge type of each name, for each of what rougeL may be."""
    for name_of_l in table.names_of_l:
        types = {one.name: one.rouge_type for one in reported}
        is_l = [name for name, meant in types.items() if meant == "rougeL"]
        yield types | dict.fromkeys(is_l, name_of_l)
        if not is_l:
            return


def _options_of_table(
    table: Table, reported: Sequence[Reported]
) -> Iterator[tuple[dict[str, Any], str | None]]:
    outputs = table.outputs
    if all(one.output for one in reported):
        has_f = any(one.output == "fmeasure" for one in reported)
        betas = tuple(one for one in outputs if "beta" in one and has_f)
        others = tuple(one for one in outputs if "beta" not in one)
        outputs = (*others[:1], *betas)  # which of the others does not matter
    for chosen in product(*table.rows, outputs):
        options = dict(table.base)
        for one in chosen:
            options |= one
        yield options, options.pop("output")


def _has_effect(
    options: Options, table: Table, types: Mapping[str, str], has_several: bool
) -> bool:
    """Whether all of these options matter to some of the types."""
    has_lines = any(name.startswith(table.has_lines) for name in types.values())
    return (has_lines or "sentence_splitter" not in options) and (
        has_several or "multi_reference" not in options
    )
