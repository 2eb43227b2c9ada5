"""The metrics that lie beside `app.py`, and what they have to choose from."""

from __future__ import annotations

import copy
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import evaluate

from rouge_bleu_tools.page.shared.limits import Refusal

FOLDER = Path(__file__).resolve().parents[3]
NAMES = ("rouge_full", "bleu_full")
ROUGE_TYPES = (
    *("rouge1", "rouge2", "rouge3", "rouge4"),
    *("rougeL", "rougeLsum", "rougeW", "rougeS4", "rougeSU4"),
)
_FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)


def metric_names(folder: Path = FOLDER) -> list[str]:
    """Return the metrics whose scripts lie in a folder.

    The one that the environment variable METRIC names is the first.
    """
    names = [name for name in NAMES if (folder / f"{name}.py").exists()]
    chosen = os.environ.get("METRIC") or next(iter(names), None)
    if chosen not in names:
        raise SystemExit(
            f"no {chosen or 'metric'} to serve: the folder of app.py has "
            f"{' and '.join(names) or 'no metric script'}"
        )
    return sorted(names, key=lambda name: name != chosen)


@dataclass(frozen=True)
class Metrics:
    """The metrics that a page serves, by name; the first is the one it opens on."""

    of_name: Mapping[str, Any]
    folder: Path

    @classmethod
    def of_folder(cls, folder: Path = FOLDER) -> Metrics:
        """Load the metrics of a folder."""
        return cls(
            {
                name: evaluate.load(str(folder / f"{name}.py"), keep_in_memory=True)
                for name in metric_names(folder)
            },
            folder,
        )

    @property
    def names(self) -> list[str]:
        """Their names, that of the first one first."""
        return list(self.of_name)

    def fresh(self, name: Any) -> Any:
        """Return a metric of its own for a request, which runs in a thread of its own."""
        if name not in self.names:
            raise Refusal(f"The metric must be {' or '.join(self.names)}, got {name!r:.60}.")
        return copy.copy(self.of_name[name])

    def presets(self, name: str) -> list[str]:
        """Return the names of the presets of a metric."""
        return list(self.of_name[name].options_class.presets)

    def tokenizers(self, name: str) -> list[str]:
        """Return the tokenizers that need nothing beside the metric."""
        options_class = self.of_name[name].options_class
        options = options_class().tokenizer_options
        if callable(options):
            options = options(is_tokenized=False)
        return [
            one
            for one in options_class.declarations()["tokenizer"][0].choices
            if replace(options, tokenizer=one).rules.check_installed is None
        ]

    def smoothings(self) -> list[str]:
        """Return the smoothings of bleu_full."""
        return list(self.of_name["bleu_full"].options_class.declarations()["smoothing"][0].choices)

    def multi_references(self) -> list[str]:
        """Return what several references can give in rouge_full."""
        return list(self.of_name["rouge_full"].options_class().rules.multi_references)

    def card(self, name: str) -> str:
        """Return the metric card: Markdown of ours, without front matter."""
        self.fresh(name)
        card = self.folder / "metric_cards" / f"{name}.md"
        if not card.is_file():
            card = self.folder / "README.md"
        return _FRONT_MATTER.sub("", card.read_text(encoding="utf-8"))
