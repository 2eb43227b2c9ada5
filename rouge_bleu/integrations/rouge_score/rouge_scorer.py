"""`RougeScorer`, and the functions of its module that public code calls.

Other names of rouge_score's module are added by `mirror`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import nltk
from rouge_score import rouge_scorer, scoring, tokenizers

from ..._rouge.api import ROUGE
from ...checks import warn_of_pairs
from ...rouge_types.lcs import lcs_length, lcs_length_of_masks
from ...rouge_types.matches import match_masks
from ...rouge_types.ngrams import clipped_matches, clipped_matches_of_masks, ngrams
from ...rouge_types.summary_lcs import union_lcs_length
from ...text.stemming import NLTK_EXTENSIONS, porter_stemmer
from ...text.tokenizers import TOKENIZERS

_ORDERS = {f"rouge{n}": n for n in range(1, 10)}
_TYPES = (*_ORDERS, "rougeL", "rougeLsum")
_MOST_PLACES = 4000  # whose bits take less time and memory than n-grams
_words_of_text: Any = TOKENIZERS["rouge_score"].words_of_text


class _DefaultTokenizer(tokenizers.DefaultTokenizer):
    def tokenize(self, text: str) -> list[str]:
        words = _words_of_text(text, True)
        return list(map(porter_stemmer(NLTK_EXTENSIONS), words)) if self._stemmer else words


class RougeScorer(scoring.BaseScorer):
    """Scores one prediction in each call. The arguments are those of rouge_score.

    >>> scorer = RougeScorer(["rouge1", "rougeL"], use_stemmer=True)
    >>> scorer.score("the cat sat on the mat", "cats sat")["rouge1"]
    Score(precision=1.0, recall=0.3333333333333333, fmeasure=0.5)

    An unknown type raises a ValueError here, not in `score`.
    """

    def __init__(
        self,
        rouge_types: Collection[str],
        use_stemmer: bool = False,
        split_summaries: bool = False,
        tokenizer: Any = None,
    ) -> None:
        if not isinstance(rouge_types, Collection):
            raise TypeError(
                f"rouge_types must be a list of names, got {type(rouge_types).__name__}"
            )
        if unknown := [name for name in rouge_types if name not in _TYPES]:
            raise ValueError(f"rouge_types must be of {', '.join(_TYPES)}, got {unknown[0]!r}")
        self.rouge_types = rouge_types
        self._split_summaries = split_summaries
        self._tokenizer = tokenizer or _DefaultTokenizer(use_stemmer)

    def score(self, target: str, prediction: str) -> dict[str, scoring.Score]:
        """Return the `Score` of each type; `target` is the reference."""
        warn_of_pairs([prediction], [[target]], self._options)
        scores = {}
        if set(self.rouge_types) != {"rougeLsum"}:
            theirs, ours = map(self._tokenizer.tokenize, (target, prediction))
            n, m = len(ours), len(theirs)
            places = match_masks(ours, theirs) if m < _MOST_PLACES else []
        for name in self.rouge_types:
            if name == "rougeLsum":
                scores[name] = summary_level_lcs(*map(self._sentences, (target, prediction)))
            elif name == "rougeL":
                length = lcs_length_of_masks(places, m) if places else lcs_length(ours, theirs)
                scores[name] = _score(length, n, m)
            else:
                order = _ORDERS[name]
                if places:
                    matches = clipped_matches_of_masks(places, order, m)
                else:
                    matches = clipped_matches(ngrams(ours, order), ngrams(theirs, order))
                scores[name] = _score(matches, max(n - order + 1, 0), max(m - order + 1, 0))
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
        given = {"rouge_types": list(self.rouge_types), "sentence_splitter": splitter}
        if not isinstance(self._tokenizer, _DefaultTokenizer):
            given["tokenizer"] = self._tokenizer.tokenize
        return ROUGE.options({"preset": "rouge_score", **given})

    def _sentences(self, text: str) -> list[list[str]]:
        sentences = nltk.sent_tokenize(text) if self._split_summaries else text.split("\n")
        return [self._tokenizer.tokenize(one) for one in sentences if one]


def score_lcs(target_tokens: Sequence[Any], prediction_tokens: Sequence[Any]) -> scoring.Score:
    """Return ROUGE-L of tokens."""
    matches = lcs_length(prediction_tokens, target_tokens)
    return _score(matches, len(prediction_tokens), len(target_tokens))


def summary_level_lcs(
    ref_sent: Sequence[Sequence[Any]], can_sent: Sequence[Sequence[Any]]
) -> scoring.Score:
    """Return ROUGE-Lsum of sentences, which are lists of tokens."""
    matches = union_lcs_length(can_sent, ref_sent)
    return _score(matches, sum(map(len, can_sent)), sum(map(len, ref_sent)))


def _score(matches: float, n: int, m: int) -> scoring.Score:
    precision, recall = matches / (n or 1), matches / (m or 1)
    return scoring.Score(precision, recall, scoring.fmeasure(precision, recall))


SWAPS = [
    (rouge_scorer.RougeScorer, RougeScorer),
    (rouge_scorer._score_lcs, score_lcs),
    (rouge_scorer._summary_level_lcs, summary_level_lcs),
]
