"""ROUGE as functions: `rouge` scores predictions, `explain_rouge` explains an example.

Their texts and signatures are those of `compute` and `explain` of `rouge_full`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from ..metric import Metric, References, Texts, implemented_by
from ..text.sentences import SentenceSplitter
from ..text.stemming import Stemmer
from ..text.tokenizers import Tokenizer
from .explain import rouge_explanations
from .options import RougeOptions
from .results import RougePlan

ROUGE = Metric("rouge_full", RougeOptions, RougePlan, rouge_explanations)


@implemented_by(ROUGE.compute)
def rouge(
    predictions: Texts,
    references: References,
    *,
    baseline_predictions: Texts | None = None,
    rouge_types: Sequence[str] | None = None,
    use_aggregator: bool = True,
    use_stemmer: bool = False,
    tokenizer: str | Tokenizer | None = None,
    output: str = "fmeasure",
    beta: float = 1.0,
    multi_reference: str = "best",
    lowercase: bool | None = None,
    stemmer: Stemmer | str | None = None,
    stopwords: Collection[str] | None = None,
    max_words: int | None = None,
    max_bytes: int | None = None,
    sentence_splitter: str | SentenceSplitter = "newline",
    cross_sentences: bool = True,
    summary_lcs: str = "union",
    zero_division: float = 0.0,
    n_jobs: int = 1,
    preset: str | None = None,
    signature: bool | str = False,
    confidence_level: float | None = None,
    n_resamples: int = 1000,
    paired_test: str = "randomization",
    seed: int | None = None,
    language: str | None = None,
    corpus_average: str = "documents",
    document_order: str = "input",
) -> dict[str, Any]:
    """Score predictions against references.

    Examples:

        >>> import rouge_bleu
        >>> predictions, references = ["the cat sat on a mat"], ["the cat sat on the mat"]
        >>> rouge_bleu.rouge(predictions, references, rouge_types=["rouge1", "rouge2"])
        {'rouge1': 0.8333333333333334, 'rouge2': 0.6}
        >>> rouge_bleu.rouge(["the cat"], [["a cat", "the cats"]], preset="rouge_score")
        {'rouge1': 0.5, 'rouge2': 0.0, 'rougeL': 0.5, 'rougeLsum': 0.5}

    Common options:
        - predictions: a list of texts, or a list of lists of tokens. A line is a sentence.
        - references: for each prediction a reference, or a list of references, in the same form.
        - rouge_types: the keys of the result. rouge1, rouge2, ...: n-grams. rougeL: longest common
            subsequence. rougeLsum: the same by sentences. rougeW, rougeW-1.5: weighted LCS.
            rougeS, rougeS4: skip-bigrams. rougeSU, rougeSU4: skip-bigrams and unigrams.
            None or "all": rouge1, rouge2, rougeL, rougeLsum, rougeW, rougeS4, rougeSU4.
        - use_aggregator: True: the mean over all examples; False: a list of their scores.
        - output: "fmeasure", "precision", "recall", or "all", with keys such as rouge1_fmeasure.
        - preset: the options and the counting of an implementation: rouge_score, evaluate,
            rouge-1.5.5, matlab, torchmetrics, pltrdy, rouge-chinese, pyrouge-metric, nmt,
            sumeval, sacrerouge, rouge-2.0, ignite, py-rouge, xlsum or coco-caption; or a
            command line such as "ROUGE-1.5.5.pl -n 2 -a". Options that you pass override it.
        - beta: the weight of recall in F. 0 is precision, math.inf is recall.
        - zero_division: the score if no reference has anything to match, 0.0 or math.nan.
            The mean ignores NaN.
        - signature: True adds the key "signature", a line that says how the score was computed.
            "json" adds it as a dict for json.dumps, with all options, versions, seed and sizes.
        - n_jobs: the number of processes on Linux; -1: one for each core. Scores do not change.

    References:
        - multi_reference: the score with several references.
            - "best": the reference with the highest F, separately for each type.
            - "recall": the reference with the highest recall.
            - "average": the means of precision, recall and F.
            - "f_of_means": the mean precision, the mean recall, and their F.
            - "separate": the highest precision, the highest recall, and their F.
            - "pooled": matches and totals are summed over the references.
            - "jackknife": the mean, over references, of the best score without that reference.

    Text:
        - tokenizer: a name such as "rouge_score" (the default), "unicode", "13a" or "whitespace",
            or a function from a text to its tokens. It has no effect on given tokens.
        - lowercase: ignore case. None: True for tokenizers with a name, else False.
        - use_stemmer: compare stems of NLTK's Porter stemmer, as rouge_score does. The stemmer
            lowercases.
        - stemmer: the name of a stemmer, or a function from a token to its stem.
        - stopwords: tokens to drop before stemming, lowercase if texts are lowercased.
        - max_words, max_bytes: truncate to this many words (tokens in lists) or UTF-8 bytes.
        - sentence_splitter: "newline", "sentences" (splits at . ! ? and similar punctuation), or
            a function from a text to its sentences. A list of tokens is one sentence.
        - cross_sentences: False keeps n-grams and skip-bigrams within sentences.
        - summary_lcs: rougeLsum matches each sentence of the reference by the "union" of its LCSs
            with all sentences of the prediction, or each sentence of both by its "best" LCS.
        - language: the language of preset "xlsum", which selects segmenter and stemmer.

    Intervals and comparisons:
        - confidence_level: add a bootstrap interval of that level, such as 0.95: _low and _high.
        - baseline_predictions: predictions of another system. The result has the keys _baseline,
            _delta and _p_value (two-sided) too.
        - paired_test: "randomization", or "bootstrap", which finds too many differences.
        - n_resamples, seed: the number of resamples, up to 1,000,000, and their seed. None: the
            seed of evaluate.load, else 0.

    ROUGE-1.5.5 only (confidence_level and n_resamples are its options -c and -r):
        - corpus_average: "documents", "tokens" or "counts", its options -t 0, -t 1 and -t 2.
        - document_order: "input", or "string": documents are sorted as "1", "10", "2".

    Returns:
        dict: a float for each key, or a list of floats with use_aggregator=False. With
        corpus_average="counts", values are numbers of n-grams, words or skip-bigrams.

    Raises:
        TypeError, ValueError: for invalid options and texts, before any score is computed. With
            preset="rouge-1.5.5", rougeW raises for a reference without tokens while it counts.
        ImportError: if an option needs a package that is not installed.

    The pages of docs/reference explain types, tokenizers, presets and signatures.
    """
    raise NotImplementedError  # a declaration: `implemented_by` has the code


@implemented_by(ROUGE.explain, options_like=rouge)
def explain_rouge(
    prediction: str | Sequence[str],
    reference: str | Sequence[str] | Sequence[Sequence[str]],
    **options: Any,
) -> dict[str, Any]:
    """Explain the score of one example: its counts, and the tokens that match.

    Examples:

        >>> import rouge_bleu
        >>> parts = rouge_bleu.explain_rouge("the cat", "a cat", rouge_types=["rouge1"])
        >>> parts["rouge1"]["references"][0]["prediction_spans"]
        [[4, 7]]

    Args:
        prediction: a text, or a list of tokens.
        reference: a reference, or a list of references, in the same form.

    The options are those of `rouge`. Options that only affect a corpus have no effect.

    Returns:
        dict: of lists, dicts and numbers. Each type has "precision", "recall" and "fmeasure" of
        the example; "chosen", the index of the reference with these scores, or None if
        several references count; and "references", a list with "matches", "prediction_total",
        "reference_total", "precision", "recall" and "fmeasure" of each reference. With
        summary_lcs="best", rougeLsum has "prediction_matches" too.

        Each reference also has "prediction_spans" and "reference_spans", with a span
        [start, end) of characters for each token that matches. A span is None if a function
        changed the token, or if the token is empty, as with preset="pltrdy". In a list of
        tokens, the span of token i is [i, i + 1).

    Raises:
        TypeError, ValueError, ImportError: as `rouge` does.
    """
    raise NotImplementedError  # a declaration: `implemented_by` has the code
