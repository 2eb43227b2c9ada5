"""Tokens of pairs as the Perl script ROUGE-1.5.5 reads them.

Lines are sentences, and two readers tokenize them, with different limits on bytes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from ..._rouge.pairs import Pairs
from ...arrays import dense_ids, lazy_property
from ...rouge_types.family import Family, Measure, Positions
from ...text.character_offsets import Span, given_token_spans, sourced_lines, token_spans
from ...text.sentences import with_sentence_lines
from ...text.tokenizers import tokenized
from ...tokens import UNSHARED, Tokens, paired


class Rouge155Pairs(Pairs):
    """Pairs of the script; `rouge_metric.py` has those of PyRouge."""

    is_script = True

    def limited_texts(self) -> list[Any]:
        """Return the texts with a sentence in each line; each reader limits them in its own way."""
        if self.is_tokenized:
            return self.given_texts
        return list(with_sentence_lines(self.given_texts, self.options.sentence_splitter))

    def check(self, first_example: int, n_references_before: int) -> None:
        """Raise if the script would divide by zero: W of a reference without tokens."""
        if not any(measure.family == "W" for measure in self.measures):
            return
        lengths = self.shared_sentences.reference.ids.lengths
        if lengths.all():
            return
        reference, offsets = int((lengths == 0).argmax()), self.reference_offsets
        example = int(np.searchsorted(offsets, reference, side="right")) - 1
        number = n_references_before + reference - int(offsets[example])
        raise ValueError(
            f"references[{first_example + example}][{number}] has no tokens, so "
            "ROUGE-W of ROUGE-1.5.5 divides by zero: leave out that reference or rougeW"
        )

    @lazy_property
    def texts_of_readers(self) -> list[list[Any]]:
        """The truncated texts of each reader; one column if both readers truncate alike."""
        texts, words, most_bytes = self.texts, self.options.max_words, self.options.max_bytes
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

    @lazy_property
    def allowed_hits(self) -> tuple[np.ndarray, np.ndarray]:
        """The number of the (pair, token) of each reference token, as the last reader has them, and how
        many positions of each number may be hits: as many as both texts have for the first reader.
        """
        if len(self.readers) == 1:
            prediction_id, line_id = (side.ids.values for side in self.shared.sides)
            return line_id, clipped_counts(prediction_id, line_id, self.shared.n_ids)
        prediction, reference = paired(self.readers[0], self.reference_offsets)
        _, lines = paired(self.readers[-1], self.reference_offsets)
        keys = [
            side.ids.row_of_value * side.n_types + side.ids.values
            for side in (prediction, reference, lines)
        ]
        (prediction_id, reference_id, line_id), key_of_id = dense_ids(keys)
        return line_id, clipped_counts(prediction_id, reference_id, len(key_of_id))

    # --- explanations ---

    def spans(self, in_sentences: bool) -> list[list[Span | None]]:
        texts = self.texts_of_readers[-1 if in_sentences else 0]
        if self.is_tokenized:
            return given_token_spans(texts, self.tokenizer)
        return token_spans(list(map(sourced_lines, texts, self.given_texts)), self.tokenizer)

    def positions(self, measure: Measure, family: Family) -> list[Positions]:
        if not family.of_sentences:
            return super().positions(measure, family)
        prediction, *references = self.token_ids(in_sentences=True)
        first, *others = (Counter(text[0]) for text in self.token_ids(in_sentences=False))
        return [
            family.positions(measure, (prediction, reference), (first & other).__getitem__)
            for reference, other in zip(references, others, strict=True)
        ]


def clipped_counts(prediction_id: np.ndarray, reference_id: np.ndarray, n_ids: int) -> np.ndarray:
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
