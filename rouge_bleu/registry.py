"""Names of presets, and where each is. A preset is imported when it is used.

A module of `presets/` has tables: `ROUGE` and `BLEU` have its rules by name, `TOKENIZERS` its tokenizers.
Nothing else knows a preset, so a new one is its module and a line here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache, lru_cache
from importlib import import_module
from types import ModuleType
from typing import Any


@cache
def preset_module(module: str) -> ModuleType:
    """Return a module of `presets/`. The package may be a copy under another name."""
    return import_module(f".presets.{module}", __package__)


class Presets(Mapping[str, Any]):
    """The rules of a metric by the name of a preset, a name at a time."""

    def __init__(self, metric: str, modules: Mapping[str, str], *readers: str) -> None:
        self._metric = metric
        self._modules = modules
        self._readers = readers  # modules with `ROUGE_LINE` or `BLEU_LINE`
        self.find = lru_cache(maxsize=64)(self._find)

    def __getitem__(self, name: str) -> Any:
        rules = getattr(preset_module(self._modules[name]), self._metric)[name]
        return replace(rules, name=name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __len__(self) -> int:
        return len(self._modules)

    def _find(self, text: str) -> Any:
        """Return the rules of a name, or of a command line or signature; None for other texts."""
        if text in self._modules:
            return self[text]
        for reader in self._readers:
            rules = getattr(preset_module(reader), f"{self._metric}_LINE")(text)
            if rules is not None:
                return rules
        return None


ROUGE_PRESETS = Presets(
    "ROUGE",
    {
        "rouge_score": "values",
        "evaluate": "evaluate",
        "rouge-1.5.5": "rouge155",
        "matlab": "matlab",
        "torchmetrics": "torchmetrics",
        "pltrdy": "pltrdy",
        "rouge-chinese": "pltrdy",
        "pyrouge-metric": "rouge_metric",
        "nmt": "nmt",
        "sumeval": "values",
        "sacrerouge": "sacrerouge",
        "rouge-2.0": "rouge2",
        "ignite": "ignite",
        "py-rouge": "py_rouge",
        "xlsum": "xlsum",
        "coco-caption": "coco_caption",
    },
    "rouge155",
)
BLEU_PRESETS = Presets(
    "BLEU",
    {
        "sacrebleu": "sacrebleu",
        "evaluate": "evaluate",
        "nltk": "nltk",
        "matlab": "matlab",
        "torchmetrics": "torchmetrics",
        "mteval-v13a.pl": "mteval",
        "multi-bleu.perl": "mteval",
        "t2t": "mteval",
        "fairseq": "values",
        "ignite": "ignite",
        "coco-caption": "coco_caption",
        "codexglue": "codexglue",
        "pymteval": "pymteval",
        "nltk-3.2.5": "nltk",
        "nltk-3.4.5": "nltk",
        "nltk-3.5": "nltk",
    },
    "sacrebleu",
    "mteval",
)
TOKENIZERS_OF_PRESETS = {"ptb": "coco_caption"}


class WithPresets(Mapping[str, Any]):
    """Records that are here, and others by the module of `presets/` that has them in a table."""

    def __init__(self, table: str, records: Mapping[str, Any], modules: Mapping[str, str]) -> None:
        self._table, self._records, self._modules = table, records, modules

    def __getitem__(self, name: str) -> Any:
        if name in self._records:
            return self._records[name]
        return getattr(preset_module(self._modules[name]), self._table)[name]

    def __iter__(self) -> Iterator[str]:
        yield from self._records
        yield from self._modules

    def __len__(self) -> int:
        return len(self._records) + len(self._modules)
