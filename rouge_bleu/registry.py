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

MAX_LINE_CHARACTERS = 100_000  # of a signature or a command line


def _module_of_each_name(names: str) -> dict[str, str]:
    """Return the module of each name, from "name:module", or from a name that both have."""
    parts = (one.partition(":") for one in names.split())
    return {name: module or name for name, _, module in parts}


_ROUGE = _module_of_each_name("""
    rouge_score:values evaluate rouge-1.5.5:rouge155 matlab:values torchmetrics:values pltrdy
    rouge-chinese:pltrdy pyrouge-metric:rouge_metric nmt sumeval:values sacrerouge
    rouge-2.0:rouge2 ignite:values py-rouge:py_rouge xlsum coco-caption:coco_caption
""")
_BLEU = _module_of_each_name("""
    sacrebleu evaluate nltk matlab:values torchmetrics:values mteval-v13a.pl:mteval
    multi-bleu.perl:mteval t2t:mteval fairseq ignite:values coco-caption:coco_caption codexglue
    pymteval nltk-3.2.5:nltk nltk-3.4.5:nltk nltk-3.5:nltk
""")
PRESET_TOKENIZERS = _module_of_each_name("""
    pymteval t2t:mteval intl-entities:mteval intl-entities-e:mteval xlsum xlsum-chinese:xlsum
    xlsum-thai:xlsum xlsum-japanese:xlsum xlsum-burmese:xlsum jieba:xlsum newmm:xlsum unidic:xlsum
    codexglue py-rouge:py_rouge fairseq none:sacrebleu intl:sacrebleu zh:sacrebleu
    ja-mecab:sacrebleu ko-mecab:sacrebleu spm:sacrebleu flores101:sacrebleu flores200:sacrebleu
    spBLEU-1K:sacrebleu intl-1.5.1:sacrebleu ptb:coco_caption
""")
UNLISTED_TOKENIZERS = ("intl-1.5.1",)  # only old signatures name it
SNOWBALL_LANGUAGES = (  # of NLTK's stemmers
    "arabic danish dutch english finnish french german hungarian italian norwegian portuguese "
    "romanian russian spanish swedish"
).split()
PRESET_STEMMERS = {
    **{f"xlsum-{language}": "xlsum" for language in SNOWBALL_LANGUAGES},
    "py-rouge": "py_rouge",
}
# Options that one preset has, and that preset.
PRESET_OF_OPTION = {
    "language": "xlsum",
    "corpus_average": "rouge-1.5.5",
    "document_order": "rouge-1.5.5",
}


@cache
def preset_module(name: str) -> ModuleType:
    """Return a module of `presets/`, imported at its first use."""
    return import_module(f".presets.{name}", __package__)  # the package may be a copy


def cleaned_line(name: str, line: str) -> str:
    """Return a signature without marks of the text around it, or a command line; raise if too long."""
    if len(line) > MAX_LINE_CHARACTERS:
        raise ValueError(
            f"{name} must have at most {MAX_LINE_CHARACTERS} characters, got {len(line)}: pass only the line"
        )
    line = line.replace("\u2223", "|").replace("\u00ad", "")  # of a PDF
    return line.strip(" \n.'\"‘’“”") if "|" in line else line


class LazyRecords(Mapping[str, Any]):
    """Records by name: those given, and those in a table of the modules that names have."""

    def __init__(
        self, table: str, modules: Mapping[str, str], given: Mapping[str, Any] = {}
    ) -> None:
        self._table = table
        self._entries = {**given, **modules}  # a record, or the name of its module

    def __getitem__(self, name: str) -> Any:
        entry = self._entries[name]
        return getattr(preset_module(entry), self._table)[name] if isinstance(entry, str) else entry

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)


class Presets(LazyRecords):
    """The rules of a metric by the name of a preset, or by a line that some modules read."""

    def __init__(self, table: str, modules: Mapping[str, str], readers: tuple[str, ...]) -> None:
        super().__init__(table, modules)
        self._readers = readers
        self.find = lru_cache(maxsize=64)(self._find)

    def _find(self, text: str) -> Any:
        """Return the rules of a name, or of a command line or signature; None for other texts."""
        text = cleaned_line("preset", text)
        if text in self:
            return replace(self[text], name=text)
        lines = (preset_module(reader).rules_of_line(text) for reader in self._readers)
        return next(filter(None, lines), None)


ROUGE_PRESETS = Presets("ROUGE", _ROUGE, readers=("rouge155",))
BLEU_PRESETS = Presets("BLEU", _BLEU, readers=("sacrebleu", "mteval"))
