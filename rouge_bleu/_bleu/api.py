"""BLEU as functions, with the texts and signatures of `compute` and `explain` of `bleu_full`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..metric import Metric, References, Texts, implemented_by
from ..text.tokenizers import Tokenizer
from .explain import bleu_explanations
from .options import BleuOptions, Weights
from .results import bleu_plan

BLEU = Metric("bleu_full", BleuOptions, bleu_plan, bleu_explanations)


@implemented_by(BLEU.compute)
def bleu(
    predictions: Texts,
    references: References,
    *,
    baseline_predictions: Texts | None = None,
    tokenizer: str | Tokenizer | None = None,
    max_order: int | None = None,
    smooth: bool = False,
    weights: Weights | Mapping[str, Weights] | None = None,
    smoothing: str = "none",
    smoothing_value: float | None = None,
    effective_order: bool | None = None,
    reference_length: str = "closest",
    multi_reference: str = "clip",
    lowercase: bool = False,
    zero_division: float = 0.0,
    use_aggregator: bool = True,
    level: str = "corpus",
    output: str = "all",
    n_jobs: int = 1,
    preset: str | None = None,
    signature: bool | str = False,
    confidence_level: float | None = None,
    n_resamples: int = 1000,
    paired_test: str = "randomization",
    seed: int | None = None,
) -> dict[str, Any]:
    """Score predictions against references.

    Examples:

        >>> import rouge_bleu
        >>> predictions = ["The fast brown fox jumped over the lazy dog."]
        >>> references = [["The quick brown fox jumped over the lazy dog."]]
        >>> round(rouge_bleu.bleu(predictions, references)["bleu"], 4)
        0.7825
        >>> rouge_bleu.bleu(["the cat"], [["a cat", "the dog"]], max_order=1, output="score")
        {'bleu': 1.0}

    Common options:
        - predictions: a list of texts, or a list of lists of tokens.
        - references: for each prediction a reference, or a list of references, in the same form.
        - max_order: the longest n-grams, at most 1,000. None: the number of weights, or 4.
        - weights: a number of at least 0 for each order, scaled to a sum of one. None: equal
            weights. A dict of such lists computes one BLEU for each of its names.
        - use_aggregator: True: BLEU of the corpus; False: a list with the BLEU of each sentence.
        - level: "corpus", or "sentence": the mean of the sentence BLEUs, precisions and other
            values; lengths and counts are summed.
        - output: "all"; "score": only the BLEU of each name in weights; or "flat": precision_1,
            precision_2, ... in place of a list, for loggers that do not accept lists.
        - preset: the options and the counting of an implementation: sacrebleu, evaluate, nltk,
            matlab, torchmetrics, mteval-v13a.pl, multi-bleu.perl, t2t, fairseq, ignite,
            coco-caption, codexglue, pymteval, nltk-3.2.5, nltk-3.4.5 or nltk-3.5; or a signature
            of sacreBLEU, or a command line of the Perl scripts. Options that you pass override it.
        - zero_division: the score if the references have no tokens, 0.0 or math.nan.
        - signature: True adds the key "signature", a line that says how the score was computed.
            "json" adds it as a dict for json.dumps, with all options, versions, seed and sizes.
        - n_jobs: the number of processes on Linux; -1: one for each core. Scores do not change.

    References:
        - reference_length: the length for the brevity penalty: the "closest" (the shorter of two
            equally close lengths), the "shortest", or the "average".
        - multi_reference: "clip": an n-gram matches at most as often as it occurs in the
            reference that has it most often. "best": the highest score with a single reference,
            for sentences only.

    Text:
        - tokenizer: a name such as "13a" (the default), "unicode", "whitespace" or "intl", or a
            function from a text to its tokens. It has no effect on given tokens.
        - lowercase: lowercase texts before they are tokenized, or the given tokens.

    Smoothing:
        Order n has m matches among t n-grams, predictions have c tokens, and j numbers the orders
        without matches: 1, 2, ... The score is 0 if no word matches.

        - smooth: True: (m + 1) / (t + 1) for all n, also if no word matches.
        - smoothing: the precision of an order without matches.
            - "none": m / t.
            - "floor": value / t if m = 0.
            - "add-k": (m + value) / (t + value) for n > 1.
            - "exp": 1 / (2^j t) if m = 0.
            - "chen-cherry-4": ln c / (5 · 2^j t) if m = 0; an order without n-grams has t = 1.
            - "chen-cherry-5": (p'_(n-1) + p_n + p_(n+1)) / 3, with p'_0 = p_1 + 1.
            - "chen-cherry-6": (m + 5 q) / (t + 5) for n > 2, with q = p_(n-1)² / p_(n-2).
            - "chen-cherry-7": "chen-cherry-4", then "chen-cherry-5".
        - smoothing_value: the value of "floor" (None: 0.1) and of "add-k" (None: 1).
        - effective_order: leave out orders that are longer than the predictions. It has no effect
            with "add-k". None: True only for sentences under preset "sacrebleu".

    Intervals and comparisons:
        - confidence_level: add a bootstrap interval of that level, such as 0.95: _low and _high.
        - baseline_predictions: predictions of another system. The result has the keys _baseline,
            _delta and _p_value (two-sided) too.
        - paired_test: "randomization", or "bootstrap", which finds too many differences.
        - n_resamples, seed: the number of resamples, up to 1,000,000, and their seed. None: the
            seed of evaluate.load, else 0.

    Returns:
        dict: "bleu", or a key for each name in weights (a float from 0 to 1; above 1 with some
        smoothings), "precisions" (a float for each order), "brevity_penalty",
        "length_ratio", "translation_length" and "reference_length". Preset "sacrebleu" adds
        "counts" and "totals". With use_aggregator=False, each key has a list with a value for
        each sentence.

    Raises:
        TypeError, ValueError: for invalid options and texts, before any score is computed.
        ImportError: if a tokenizer needs a package that is not installed.

    The pages of docs/reference explain tokenizers, presets and signatures.
    """
    raise NotImplementedError  # a declaration: `implemented_by` has the code


@implemented_by(BLEU.explain, options_like=bleu)
def explain_bleu(
    prediction: str | Sequence[str],
    reference: str | Sequence[str] | Sequence[Sequence[str]],
    **options: Any,
) -> dict[str, Any]:
    """Explain the score of one example: its counts, and the tokens that match.

    Args:
        prediction: a text, or a list of tokens.
        reference: a reference, or a list of references, in the same form.

    The options are those of `bleu`. Options that only affect a corpus, such as output, have no
    effect.

    Returns:
        dict: of lists, dicts and numbers. It has the result of the example; "chosen", the index
        of the reference whose length counts, or None if all count; and "orders", a list with
        "order", "matches", "total" and "precision" of each order. "chen-cherry-5" and
        "chen-cherry-7" add "next_order".

        Each order has "prediction_spans", and "reference_spans" with a list for each reference:
        a span [start, end) of characters for each token of a matching n-gram. A span is None if
        a function changed the token, or if the token is empty. In a list of tokens, the span of
        token i is [i, i + 1).

    Raises:
        TypeError, ValueError, ImportError: as `bleu` does.

    Examples:

        >>> import rouge_bleu
        >>> parts = rouge_bleu.explain_bleu("the cat", "a cat", max_order=1)
        >>> parts["orders"][0]["prediction_spans"]
        [[4, 7]]
    """
    raise NotImplementedError  # a declaration: `implemented_by` has the code
