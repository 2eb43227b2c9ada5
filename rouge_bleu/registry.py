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


def _modules(names: str) -> dict[str, str]:
    """Return the module of each name, from "name:module", or from a name that both have."""
    parts = (one.partition(":") for one in names.split())
    return {name: module or name for name, _, module in parts}


_ROUGE = _modules("""
    rouge_score:values evaluate rouge-1.5.5:rouge155 matlab:values torchmetrics:values pltrdy
    rouge-chinese:pltrdy pyrouge-metric:rouge_metric nmt sumeval:values sacrerouge rouge-2.0:rouge2
    ignite:values py-rouge:py_rouge xlsum coco-caption:coco_caption
""")
_BLEU = _modules("""
    sacrebleu evaluate nltk matlab:values torchmetrics:values mteval-v13a.pl:mteval
    multi-bleu.perl:mteval t2t:mteval fairseq ignite:values coco-caption:coco_caption codexglue
    pymteval nltk-3.2.5:nltk nltk-3.4.5:nltk nltk-3.5:nltk
""")
PRESET_TOKENIZERS = _modules("""
    pymteval t2t:mteval intl-entities:mteval intl-entities-e:mteval xlsum xlsum-chinese:xlsum
    xlsum-thai:xlsum xlsum-japanese:xlsum xlsum-burmese:xlsum jieba:xlsum newmm:xlsum unidic:xlsum
    codexglue py-rouge:py_rouge fairseq none:sacrebleu intl:sacrebleu zh:sacrebleu
    ja-mecab:sacrebleu ko-mecab:sacrebleu spm:sacrebleu flores101:sacrebleu flores200:sacrebleu
    spBLEU-1K:sacrebleu intl-1.5.1:sacrebleu ptb:coco_caption
""")
UNLISTED_TOKENIZERS = ("intl-1.5.1",)  # only old signatures name it
PRESET_STEMMERS = _modules("""
    xlsum-arabic:xlsum xlsum-danish:xlsum xlsum-dutch:xlsum xlsum-english:xlsum xlsum-finnish:xlsum
    xlsum-french:xlsum xlsum-german:xlsum xlsum-hungarian:xlsum xlsum-italian:xlsum
    xlsum-norwegian:xlsum xlsum-portuguese:xlsum xlsum-romanian:xlsum xlsum-russian:xlsum
    xlsum-spanish:xlsum xlsum-swedish:xlsum py-rouge:py_rouge
""")
# Options that one preset has, and that preset.
PRESET_OF_OPTION = {
    "language": "xlsum",
    "corpus_average": "rouge-1.5.5",
    "document_order": "rouge-1.5.5",
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


def options_of_signature(text: str) -> dict[str, Any] | None:
    """Return the options of a signature of sacreBLEU, or None for any other text."""
    options: dict[str, Any] | None = _module("sacrebleu").sacrebleu_options(text)
    return options


def signature_of_sacrebleu(options: Any, refs: str) -> str | None:
    """Return the signature that sacreBLEU prints with a score of BLEU, or None for other settings."""
    line: str | None = _module("sacrebleu").signature_of_sacrebleu(options, refs)
    return line
