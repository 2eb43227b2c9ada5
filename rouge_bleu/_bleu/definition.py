"""BLEU on lists of tokens (Papineni et al. 2002, https://aclanthology.org/P02-1040)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial

from ..rouge_types.matches import TokenList
from ..rouge_types.ngrams import clipped_matches, matching_positions, ngrams


def bleu_matches(
    prediction: TokenList, references: Sequence[TokenList], order: int
) -> tuple[int, list[int], list[list[int]]]:
    """Return the clipped n-gram matches, and positions in the prediction and in each reference.

    A count is clipped at the highest one in any reference (Papineni et al. 2002, section 2.1).

    >>> bleu_matches("the the the cat".split(), ["the cat".split(), "the the mat".split()], 1)
    (3, [0, 1, 3], [[0, 1], [0, 1]])
    """
    texts = ([text] for text in (prediction, *references))
    matches, positions = matching_positions(partial(ngrams, order=order), *texts)
    return matches, positions[0], positions[1:]


def closest_reference_length(prediction_length: int, reference_lengths: Sequence[int]) -> int:
    """Return the best match length (Papineni et al. 2002, section 2.2.2); on a tie the shorter.

    >>> closest_reference_length(12, [15, 10, 14])
    10
    """
    distances = [(abs(length - prediction_length), length) for length in reference_lengths]
    return min(distances)[1]


# From the length of a prediction and those of its references to r.
ReferenceLength = Callable[[int, Sequence[int]], float]
REFERENCE_LENGTHS: dict[str, ReferenceLength] = {
    "closest": closest_reference_length,
    "shortest": lambda prediction, references: min(references),
    "average": lambda prediction, references: sum(references) / len(references),
}


def bleu(
    predictions: Sequence[TokenList],
    references: Sequence[Sequence[TokenList]],
    weights: Sequence[float] = (0.25, 0.25, 0.25, 0.25),
) -> float:
    """Return BLEU of a corpus (Papineni et al. 2002, section 2.3).

        BLEU = BP exp(sum over n of w_n log p_n),   p_n = matches of order n / n-grams of predictions
        BP   = 1 if c >= r else exp(1 - r / c)

    c and r are the summed lengths of predictions and of their closest references.

    >>> bleu(["the cat is on mat".split()], [["the cat is on the mat".split()]], [0.5, 0.5])
    0.7090416310250969
    """
    c = sum(map(len, predictions))
    r = 0
    for prediction, texts in zip(predictions, references, strict=True):
        r += closest_reference_length(len(prediction), list(map(len, texts)))
    log_mean = 0.0
    for order, weight in enumerate(weights, 1):
        if weight:
            matches = sum(
                clipped_matches(ngrams(prediction, order), *(ngrams(text, order) for text in texts))
                for prediction, texts in zip(predictions, references, strict=True)
            )
            if not matches:
                return 0.0
            total = sum(len(ngrams(prediction, order)) for prediction in predictions)
            log_mean += weight * math.log(matches / total)
    return (1.0 if c >= r else math.exp(1 - r / c)) * math.exp(log_mean)
