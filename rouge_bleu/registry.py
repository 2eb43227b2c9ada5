"""Names of presets, of their tokenizers and stemmers, and the module of each in `presets/`.

A module is imported when a name of it is used. Its tables `ROUGE`, `BLEU`, `TOKENIZERS` and `STEMMERS` have
the records by name. No module outside `presets/` imports a preset.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache, lru_cache
from importlib import import_module
from types import ModuleType
from typing import Any

MAX_LINE = 100_000  # characters of a signature or a command line

_ROUGE = {
    "rouge_score": "values",
    "evaluate": "evaluate",
    "rouge-1.5.5": "rouge155",
    "matlab": "values",
    "torchmetrics": "values",
    "pltrdy": "pltrdy",
    "rouge-chinese": "pltrdy",
    "pyrouge-metric": "rouge_metric",
    "nmt": "nmt",
    "sumeval": "values",
    "sacrerouge": "sacrerouge",
    "rouge-2.0": "rouge2",
    "ignite": "values",
    "py-rouge": "py_rouge",
    "xlsum": "xlsum",
    "coco-caption": "coco_caption",
}
_BLEU = {
    "sacrebleu": "sacrebleu",
    "evaluate": "evaluate",
    "nltk": "nltk",
    "matlab": "values",
    "torchmetrics": "values",
    "mteval-v13a.pl": "mteval",
    "multi-bleu.perl": "mteval",
    "t2t": "mteval",
    "fairseq": "fairseq",
    "ignite": "values",
    "coco-caption": "coco_caption",
    "codexglue": "codexglue",
    "pymteval": "pymteval",
    "nltk-3.2.5": "nltk",
    "nltk-3.4.5": "nltk",
    "nltk-3.5": "nltk",
}
# Options that one preset has, and that preset.
PRESET_OF_OPTION = {
    "language": "xlsum",
    "corpus_average": "rouge-1.5.5",
    "document_order": "rouge-1.5.5",
}
_TOKENIZERS = {
    "pymteval": "pymteval",
    "t2t": "mteval",
    "intl-entities": "mteval",
    "intl-entities-e": "mteval",
    **dict.fromkeys("xlsum xlsum-chinese xlsum-thai xlsum-japanese xlsum-burmese".split(), "xlsum"),
    **dict.fromkeys(("jieba", "newmm", "unidic"), "xlsum"),
    "codexglue": "codexglue",
    "py-rouge": "py_rouge",
    "fairseq": "fairseq",
    **dict.fromkeys("none intl zh ja-mecab ko-mecab spm flores101 flores200".split(), "sacrebleu"),
    **dict.fromkeys(("spBLEU-1K", "intl-1.5.1"), "sacrebleu"),
    "ptb": "coco_caption",
}
UNLISTED_TOKENIZERS = ("intl-1.5.1",)  # only old signatures name it
_STEMMERS = {
    **{f"xlsum-{name}": "xlsum" for name in "arabic danish dutch english finnish french".split()},
    **{f"xlsum-{name}": "xlsum" for name in "german hungarian italian norwegian".split()},
    **{f"xlsum-{name}": "xlsum" for name in "portuguese romanian russian spanish swedish".split()},
    "py-rouge": "py_rouge",
}


@cache
def _module(name: str) -> ModuleType:
    return import_module(f".presets.{name}", __package__)  # the package may be a copy


def check_length(name: str, line: str) -> None:
    """Raise if a signature or a command line is too long to be one."""
    if len(line) > MAX_LINE:
        raise ValueError(
            f"{name} must have at most {MAX_LINE} characters, got {len(line)}: pass only the line"
        )


class Records(Mapping[str, Any]):
    """Some records, and those in tables of modules of `presets/`, by name."""

    def __init__(self, table: str, own: Mapping[str, Any], modules: Mapping[str, str]) -> None:
        self._table, self._own, self._modules = table, own, modules

    def __getitem__(self, name: str) -> Any:
        if name in self._own:
            return self._own[name]
        return getattr(_module(self._modules[name]), self._table)[name]

    def __contains__(self, name: object) -> bool:
        return name in self._own or name in self._modules

    def __iter__(self) -> Iterator[str]:
        yield from self._own
        yield from self._modules

    def __len__(self) -> int:
        return len(self._own) + len(self._modules)


class Presets(Records):
    """The rules of a metric by the name of a preset, or by a line that some modules read."""

    def __init__(self, table: str, modules: Mapping[str, str], readers: tuple[str, ...]) -> None:
        super().__init__(table, {}, modules)
        self._readers = readers
        self.find = lru_cache(maxsize=64)(self._find)

    def __getitem__(self, name: str) -> Any:
        return replace(super().__getitem__(name), name=name)

    def _find(self, text: str) -> Any:
        """Return the rules of a name, or of a command line or signature; None for other texts."""
        check_length("preset", text)
        if text in self:
            return self[text]
        lines = (_module(reader).rules_of_line(text) for reader in self._readers)
        return next(filter(None, lines), None)


ROUGE_PRESETS = Presets("ROUGE", _ROUGE, readers=("rouge155",))
BLEU_PRESETS = Presets("BLEU", _BLEU, readers=("sacrebleu", "mteval"))


def tokenizers(own: Mapping[str, Any]) -> Records:
    """Return these tokenizers and those of presets."""
    return Records("TOKENIZERS", own, _TOKENIZERS)


def stemmers(own: Mapping[str, Any]) -> Records:
    """Return these stemmers, as the functions that make them, and those of presets."""
    return Records("STEMMERS", own, _STEMMERS)


def options_of_signature(text: str) -> dict[str, Any] | None:
    """Return the options of a signature of sacreBLEU, or None for any other text."""
    options: dict[str, Any] | None = _module("sacrebleu").sacrebleu_options(text)
    return options
