"""A fast `RougeScorer` with the interface of Google's `rouge_score`, equal to the last digit.

>>> from rouge_bleu.integrations.rouge_score import rouge_scorer, scoring
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import nltk
from rouge_score import scoring

from .._rouge.api import ROUGE
from ..checks import warn_of_pairs
from ..rouge_types.lcs import lcs_length
from ..rouge_types.ngrams import clipped_matches, ngrams
from ..rouge_types.summary_lcs import union_lcs_length
from ..text.stemming import NLTK_EXTENSIONS, porter_stemmer
from ..text.tokenizers import TOKENIZERS

rouge_scorer = sys.modules[__name__]
# The order of n-grams, and the function that counts matches of n-grams, tokens or sentences.
_TYPES: dict[str, tuple[int, Any]] = {f"rouge{n}": (n, clipped_matches) for n in range(1, 10)}
_TYPES |= {"rougeL": (1, lcs_length), "rougeLsum": (0, union_lcs_length)}
_words_of_text: Any = TOKENIZERS["rouge_score"].words_of_text


class RougeScorer(scoring.BaseScorer):
    """Scores one prediction in each call. The arguments are those of rouge_score.

    >>> scorer = RougeScorer(["rouge1", "rougeL"], use_stemmer=True)
    >>> scorer.score("the cat sat on the mat", "cats sat")["rouge1"]
    Score(precision=1.0, recall=0.3333333333333333, fmeasure=0.5)

    An unknown type raises a ValueError here, not in `score`.
    """

    def __init__(
        self,
        rouge_types: Sequence[str],
        use_stemmer: bool = False,
        split_summaries: bool = False,
        tokenizer: Any = None,
    ) -> None:
        if unknown := [name for name in rouge_types if name not in _TYPES]:
            raise ValueError(f"rouge_types must be of {', '.join(_TYPES)}, got {unknown[0]!r}")
        self.rouge_types = list(rouge_types)
        self._split_summaries = split_summaries
        self._use_stemmer = use_stemmer
        self._tokens = tokenizer.tokenize if tokenizer else self._words
        self._given_tokenizer = {"tokenizer": self._tokens} if tokenizer else {}

    def score(self, target: str, prediction: str) -> dict[str, scoring.Score]:
        """Return the `Score` of each type; `target` is the reference."""
        warn_of_pairs([prediction], [[target]], self._options)
        references, scores = self._units(target), {}
        for name, ours in self._units(prediction).items():
            theirs = references[name]
            matches, n, m = _TYPES[name][1](ours, theirs), len(ours), len(theirs)
            if name == "rougeLsum":
                n, m = sum(map(len, ours)), sum(map(len, theirs))
            precision, recall = matches / (n or 1), matches / (m or 1)
            scores[name] = scoring.Score(precision, recall, scoring.fmeasure(precision, recall))
        return scores

    def score_multi(self, targets: Sequence[str], prediction: str) -> dict[str, scoring.Score]:
        """Return for each type the first `Score` with the highest F1 among several references."""
        scores = [self.score(target, prediction) for target in targets]
        return {
            name: max((of_target[name] for of_target in scores), key=lambda score: score.fmeasure)
            for name in self.rouge_types
        }

    def _options(self) -> Any:
        splitter = "sentences" if self._split_summaries else "newline"
        given = {"rouge_types": self.rouge_types, "sentence_splitter": splitter}
        return ROUGE.options({"preset": "rouge_score", **given, **self._given_tokenizer})

    def _words(self, text: str) -> list[str]:
        words = _words_of_text(text, True)
        return list(map(porter_stemmer(NLTK_EXTENSIONS), words)) if self._use_stemmer else words

    def _units(self, text: str) -> dict[str, list[Any]]:
        """Return the units of each type: n-grams, tokens, or sentences."""
        tokens = self._tokens(text) if self.rouge_types != ["rougeLsum"] else []
        units = {name: ngrams(tokens, _TYPES[name][0]) for name in self.rouge_types}
        if "rougeLsum" in units:
            sentences = nltk.sent_tokenize(text) if self._split_summaries else text.split("\n")
            units["rougeLsum"] = [self._tokens(sentence) for sentence in sentences if sentence]
        return units
