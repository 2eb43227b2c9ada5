"""`Rouge` and `FilesRouge` on preset pltrdy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import rouge

from ..._rouge.api import rouge as rouge_of_texts

_STATS = {"r": "recall", "p": "precision", "f": "fmeasure"}


class Rouge(rouge.Rouge):
    """Scores lists of texts. The arguments are those of rouge.

    >>> Rouge(metrics=["rouge-1"]).get_scores("the cat sat", "the cat sat down", avg=True)
    {'rouge-1': {'r': 0.75, 'p': 1.0, 'f': 0.8571428522448981}}

    With raw_results=True or exclusive=False, rouge itself counts.
    """

    def _get_scores(self, hyps: Sequence[str], refs: Sequence[str]) -> list[dict[str, Any]]:
        if self.raw_results or not self.exclusive:
            return super()._get_scores(hyps, refs)
        for name, texts in (("Hypothesis", hyps), ("Reference", refs)):
            if not all(text.strip(".") for text in texts):
                raise ValueError(f"{name} is empty.")
        types = {metric: f"rouge{metric.removeprefix('rouge-').upper()}" for metric in self.metrics}
        how = {"preset": "pltrdy", "output": "all", "use_aggregator": False}
        found = rouge_of_texts(hyps, refs, rouge_types=list(dict.fromkeys(types.values())), **how)
        rows: list[dict[str, Any]] = [
            {
                metric: {stat: found[f"{name}_{_STATS[stat]}"][row] for stat in self.stats}
                for metric, name in types.items()
            }
            for row in range(len(hyps))
        ]
        if self.return_lengths:
            for row, *texts in zip(rows, hyps, refs, strict=True):
                lengths = [len(text.replace(".", " ").split()) for text in texts]
                row["lengths"] = dict(zip(("hyp", "ref"), lengths, strict=True))
        return rows

    def _get_avg_scores(self, hyps: Sequence[str], refs: Sequence[str]) -> dict[str, Any]:
        if self.raw_results or not self.exclusive:
            return super()._get_avg_scores(hyps, refs)
        rows = self._get_scores(hyps, refs)
        return {
            metric: {stat: sum(row[metric][stat] for row in rows) / len(rows) for stat in stats}
            for metric, stats in rows[0].items()
        }


class FilesRouge(rouge.FilesRouge):
    """Scores the lines of two files with `Rouge`."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        self.rouge = Rouge(*arguments, **named)


SWAPS = [(rouge.Rouge, Rouge), (rouge.FilesRouge, FilesRouge)]
