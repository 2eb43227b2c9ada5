"""The settings that packages and papers use for BLEU, as tables.

What a table is, and the tables of ROUGE, stand in `candidates.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from rouge_bleu_tools.commands.find_settings.candidates import (
    CASES,
    Row,
    Setting,
    Table,
    code_of_tokenizer,
    words_and_signs,
)
from rouge_bleu_tools.commands.find_settings.reported import Reported

# Presets that have weights, so that another order is weights too.
PRESETS_WITH_WEIGHTS = ("coco-caption",)

_LEVELS: Row = ({}, {"level": "sentence"}, {"level": "sentence", "effective_order": True})
_MEAN: Row = ({"level": "sentence"},)
_SMOOTHINGS: Row = (
    {},
    *({"smoothing": name} for name in ("exp", "floor", "add-k")),
    {"smooth": True},
    *({"smoothing": f"chen-cherry-{number}"} for number in (4, 5, 6, 7)),
)
_SMOOTHINGS_OF_SACREBLEU: Row = ({}, *({"smoothing": name} for name in ("none", "floor", "add-k")))
_SMOOTHINGS_OF_NLTK = tuple(one for one in _SMOOTHINGS if "smooth" not in one)
_NONE_OR_EXP: Row = ({}, {"smoothing": "none"})
_MULTI_BLEU = {"reference_length", "multi_reference"}
_SMOOTHINGS_OF_PARLAI: Row = ({"smoothing": "floor", "smoothing_value": 1e-12},)
_LENGTHS: Row = ({"reference_length": "shortest"}, {"reference_length": "average"})
_WORDS: Row = ({}, {"tokenizer": "whitespace"})
_SLOW_TOKENIZERS: Row = tuple({"tokenizer": name} for name in ("intl", "zh"))

_KEPT_CASES: Row = ({}, {"lowercase": False})
_TOKENIZERS_OF_MTEVAL: Row = ({}, {"tokenizer": "intl-entities"})
_SENTENCES_OF_FAIRSEQ: Row = ({}, {"smoothing": "add-k", "level": "sentence"})
_MEAN_OF_SENTENCES: Row = ({}, {"level": "sentence"})
# What the releases do otherwise than later ones.
_METHODS_4_AND_7 = _SMOOTHINGS_OF_NLTK[4:5] + _SMOOTHINGS_OF_NLTK[7:]
_SMOOTHINGS_OF_OLD_NLTK: dict[str, Row] = {
    "3.5": ({"smoothing": "add-k"}, *_METHODS_4_AND_7),
    "3.4.5": _METHODS_4_AND_7,
    "3.2.5": ({},),
}

_BLEU_TABLES = (
    Table({"preset": "sacrebleu"}, (_WORDS, CASES, _SMOOTHINGS_OF_SACREBLEU, _LEVELS[:2])),
    Table({"preset": "evaluate"}, (_WORDS, CASES, ({}, {"smooth": True}))),
    Table(
        {"preset": "nltk"}, (({}, {"tokenizer": "13a"}), CASES, _SMOOTHINGS_OF_NLTK, _LEVELS[:2])
    ),
    Table(
        {"preset": "torchmetrics"},
        (({}, {"tokenizer": "13a"}), CASES, ({}, {"smoothing": "add-k"})),
    ),
    Table({"preset": "matlab"}, (CASES,)),
    # Without smoothing, between blanks: multi-bleu.perl.
    Table({}, (_WORDS, CASES, _SMOOTHINGS, _LEVELS)),
    Table({}, (_WORDS, CASES, _SMOOTHINGS[:2], _LENGTHS, _LEVELS[:2])),
    # Each reference alone, and the best of them.
    Table({"preset": "nltk", "multi_reference": "best"}, (_MEAN, _SMOOTHINGS_OF_NLTK)),
    Table({"preset": "sacrebleu", "multi_reference": "best"}, (_MEAN,)),
    Table(
        {"preset": "sacrebleu"},
        (({"tokenizer": "unicode"}, {"tokenizer": "char"}), CASES, _NONE_OR_EXP),
    ),
    Table({"tokenizer": words_and_signs}, (CASES, _SMOOTHINGS, _LEVELS[:2])),
    Table(
        {"preset": "nltk", "tokenizer": words_and_signs}, (CASES, _SMOOTHINGS_OF_NLTK, _LEVELS[:2])
    ),
    Table({"preset": "coco-caption"}, (CASES, _MEAN_OF_SENTENCES)),
    Table({"preset": "codexglue"}, (({}, {"tokenizer": "13a"}),)),
    *(
        Table({"preset": f"nltk-{release}"}, (smoothings, _MEAN_OF_SENTENCES))
        for release, smoothings in _SMOOTHINGS_OF_OLD_NLTK.items()
    ),
    Table({"preset": "evaluate", "tokenizer": "conala"}, ()),
    Table({"preset": "nltk", "tokenizer": "parlai"}, (_SMOOTHINGS_OF_PARLAI, _MEAN)),
    Table({"preset": "multi-bleu.perl"}, (CASES,)),
    Table({"preset": "mteval-v13a.pl"}, (_KEPT_CASES, _TOKENIZERS_OF_MTEVAL)),
    Table({"preset": "t2t"}, (CASES,)),
    Table({"preset": "pymteval"}, (_KEPT_CASES,)),
    Table({"preset": "fairseq"}, (CASES, _SENTENCES_OF_FAIRSEQ)),
)
_TABLE_OF_SACREBLEU_TOKENIZERS = Table(
    {"preset": "sacrebleu"}, (_SLOW_TOKENIZERS, CASES, _NONE_OR_EXP)
)


def bleu_settings(
    reported: Sequence[Reported], *, has_several: bool, has_sacrebleu: bool
) -> Iterator[Setting]:
    """Yield the settings that may give reported BLEU scores.

    Parameters
    ----------
    reported : sequence of Reported
    has_several : bool
        Whether an item has several references.
    has_sacrebleu : bool
        Whether the package is there, which some tokenizers need.
    """
    more = [_TABLE_OF_SACREBLEU_TOKENIZERS] if has_sacrebleu else []
    presets = {one.preset for one in reported if one.preset is not None}
    for table in [*_BLEU_TABLES, *more]:
        if presets and table.base.get("preset") not in presets:
            continue
        for chosen in product(*table.rows):
            options = dict(table.base)
            for one in chosen:
                options |= one
            if has_several or _MULTI_BLEU.isdisjoint(options):
                yield Setting(options, code=code_of_tokenizer(options))


def bleu_measure(setting: Setting, reported: Sequence[Reported]) -> dict[str, Any]:
    """Return the options that say which BLEUs are asked for.

    One of them is under the key "bleu", several are under their names.
    """
    if len(reported) == 1:
        order = reported[0].order
        if order == 4:
            return {}
        has_weights = setting.options.get("preset") in PRESETS_WITH_WEIGHTS
        return {"weights": [1] * order} if has_weights else {"max_order": order}
    return {"weights": {one.name: [1 / one.order] * one.order for one in reported}}
