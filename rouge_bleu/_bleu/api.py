"""BLEU as functions: `bleu` scores predictions, `explain_bleu` explains an item.

Their texts and signatures are those of `compute` and `explain` of `bleu_full`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..scorer import References, Scorer, Texts, function_of
from ..text.tokenizers import Tokenizer
from .explain import bleu_explanation
from .options import BleuOptions
from .scorer import bleu as bleu_result
from .scorer import bleu_statistics
from .weights import Weights

BLEU = Scorer("bleu_full", BleuOptions, bleu_result, bleu_statistics, bleu_explanation)


@function_of(BLEU.called)
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
    signature: bool = False,
    confidence_level: float | None = None,
    n_resamples: int = 1000,
    paired_test: str = "randomization",
    seed: int | None = None,
) -> dict[str, Any]:
    """Scores predictions against references.

    Args:
        predictions (list of str, or list of lists of str): one text for each item, or its
            tokens.
        references (list): for each prediction one reference, or a list of references, in
            the form of the prediction. Their number may vary.
        baseline_predictions (list): those of another system, one for each prediction, to
            compare with: adds keys with _baseline, _delta (the score less that of the
            baseline) and _p_value (two-sided)
        tokenizer (str or function, default None): one of the tokenizers by name, or a
            function from a text to its list of tokens; None is "13a". It has no effect on
            given tokens
        max_order (int, default None): the longest n-grams that count, at most 1,000; None:
            the number of weights, 4 without any
        smooth (bool, default False): add one to matches and n-grams of every order, also
            where nothing matches
        weights (list of float, or dict of lists, default None): a number of at least 0 for
            each order, scaled to a sum of one; None: all the same. An order of weight 0 is
            not part of the mean, but a smoothing that looks at several orders sees it:
            "exp" and "chen-cherry-4" to "chen-cherry-7". A dict of such lists gives one
            BLEU under each of its names, from one count of n-grams
        smoothing (str, default 'none'): what replaces the precision of an order without
            matches: the name of a smoothing
        smoothing_value (float, default None): the value of "floor" (None: 0.1) and of
            "add-k" (None: 1)
        effective_order (bool, default None): True leaves out orders for which the
            predictions are too short. With "add-k" it leaves out none, as in sacreBLEU,
            since k is added to the number of n-grams too. None: True for sentences under
            preset "sacrebleu", else False
        reference_length (str, default 'closest'): which of several references gives the
            length for the brevity penalty: the "closest" (of two that are equally close,
            the shorter), the "shortest", or the "average" of all
        multi_reference (str, default 'clip'): what several references give. "clip": an
            n-gram counts as often as in the reference that has it most often; "best": the
            highest score of any reference taken alone, for sentences and their means
        lowercase (bool, default False): lowercase texts, or given tokens, first. A function
            as tokenizer gets the text in lower case then, and as it is otherwise
        zero_division (float, default 0.0): the score where the references have no tokens;
            or math.nan
        use_aggregator (bool, default True): True: BLEU of the corpus; False: of each
            sentence, a list under each key
        level (str, default 'corpus'): "corpus": BLEU of the corpus; "sentence": the mean of
            the sentence BLEUs, and of the values beside them; lengths and counts are summed
        output (str, default 'all'): "all"; "score": only the BLEU of each name in weights;
            or "flat": precision_1, precision_2, ... as floats in place of the list, for
            loggers that take no lists
        n_jobs (int, default 1): how many processes share the work on a corpus that is large
            enough to gain from it, at most one for each core that this process may use; -1:
            one for each core, -2: all but one. The scores do not depend on it. It is always
            one on other systems than Linux, with your own function, and with a tokenizer
            that needs sacreBLEU
        preset (str, default None): the options and counting rules of an implementation;
            options that are given too win
        signature (bool, default False): adds "signature": one line that says how the
            score was made, for papers and logs; options_of_signature of the metric
            restores the options. Your own functions are only named in it
        confidence_level (float, default None): adds the bounds of a bootstrap interval of
            that level, such as 0.95, under keys with _low and _high
        n_resamples (int, default 1000): how many resamples make an interval or a p-value,
            at most 1,000,000
        paired_test (str, default 'randomization'): the test of the difference to
            baseline_predictions: "randomization", or "bootstrap", which finds too many
            differences. Both use sacreBLEU's draws; unlike there, resamples that tie with
            the difference count
        seed (int, default None): the seed of the resamples; None: that of
            evaluate.load(..., seed=...), else 0

    Smoothings, for an order n with m matches among t n-grams, of predictions with c tokens; j
    counts the orders without matches from 1. Where not even a word matches, all give 0:
        none: m / t
        floor: value / t where m = 0
        add-k: (m + value) / (t + value) for n > 1
        exp: 1 / (2^j t) where m = 0
        chen-cherry-4: ln c / (5 · 2^j t) where m = 0; an order without n-grams has t = 1
        chen-cherry-5: (p'_(n-1) + p_n + p_(n+1)) / 3, with p'_0 = p_1 + 1
        chen-cherry-6: (m + 5 q) / (t + 5) for n > 2, with q = p_(n-1)² / p_(n-2)
        chen-cherry-7: 4, then 5

    Tokenizers:
        13a: words and punctuation as in mteval-v13a and sacreBLEU. Text without blanks,
            such as Chinese, is one word
        rouge_score: runs of ASCII letters and digits; with lowercase=True of the lowercased
            text
        rouge-1.5.5: the same, but lowercase=True is about A-Z only
        unicode: runs of letters, digits and marks of any script; in Chinese, Japanese,
            Thai, Lao, Khmer and Burmese, which have no spaces between words, each letter
            with its marks; Javanese, Balinese and Tai Tham, which have none either, are cut
            at punctuation only
        char: each character that is not a blank
        whitespace: what stands between blanks
        codexglue: runs of letters and digits of any script, and every other character that
            is no blank by itself, as for code summaries in CodeXGLUE
        conala: runs of A-Z, a-z, 0-9 and underscores, cut where a capital follows a small
            letter, and every other character by itself, quotes as backticks, as in CoNaLa
        t2t: words and marks of all scripts, as in t2t-bleu of tensor2tensor
        intl-entities: words and marks of all scripts, as in mteval with
            --international-tokenization: intl, but without <skipped>, and entities such
            as &quot; are written out, before letters become small one by one
        intl-entities-e: the same with -e: each character beyond ASCII by itself
        ptb: those of pycocoevalcap for captions: Penn Treebank words in small letters
            without commas, full stops and quotes; needs that package and Java
        xlsum: runs of letters with their marks, runs of numbers, symbols, and each CJK
            ideograph by itself, as in XL-Sum
        xlsum-chinese, xlsum-thai, xlsum-japanese: the same, cut by jieba, newmm or MeCab,
            for which jieba, pythainlp, or fugashi and unidic are needed; blanks count where
            these return them
        xlsum-burmese: syllables of Burmese, as in XL-Sum
        py-rouge: as rouge_score, but gimme, gonna, gotta, lemme and wanna are two words
            each
        fairseq: what stands between blanks, but for </s> and <pad> at the ends; an empty
            text is one token, and <unk> matches nothing
        pymteval: as 13a, but an empty text is one token; with lowercase=True its words are
            lowercased
        parlai: words of the lowercased text without signs of ASCII, a, an and the, as in
            ParlAI
        squad: the same, but a sign is no blank, so that well-known is one word, as in SQuAD
        jieba, newmm, unidic: words of Chinese, Thai and Japanese by jieba, pythainlp, or
            fugashi with unidic, which have to be installed
        none, intl, zh, ja-mecab, ko-mecab, spm, flores101, flores200, spBLEU-1K: those of
            an installed sacreBLEU; those with mecab, and spm, flores101, flores200 and
            spBLEU-1K need more packages, and the last four download a model

    Presets:
        sacrebleu: corpus_bleu of sacreBLEU 2, divided by 100; of sentence_bleu with
            use_aggregator=False
        evaluate: the bleu metric of evaluate
        nltk: corpus_bleu of NLTK; of sentence_bleu with use_aggregator=False
        matlab: bleuEvaluationScore of MATLAB
        torchmetrics: bleu_score of torchmetrics, in 64 bits instead of 32; of
            sacre_bleu_score with tokenizer="13a"
        mteval-v13a.pl: mteval-v13a.pl and mteval-v14.pl without flags; with flags as a line
        multi-bleu.perl: multi-bleu.perl; with flags as a line
        t2t: t2t-bleu of tensor2tensor, in 64 bits instead of 32
        fairseq: fairseq-score and generate.py, divided by 100; with smoothing="add-k" of
            --sentence-bleu
        ignite: Bleu of pytorch-ignite, the mean over items
        coco-caption: Bleu_1 to Bleu_4 of coco-caption, pycocoevalcap and nlg-eval, the last
            as bleu
        codexglue: smooth BLEU-4 of CodeXGLUE's code-to-text task and of CodeNN, BLEU-CN
        pymteval: pymteval of e2e-metrics, its -p, and GEM-metrics
        nltk-3.2.5: NLTK 3.2.2 to 3.2.5 of 2017
        nltk-3.4.5: NLTK 3.3 to 3.4.5 of 2018 and 2019
        nltk-3.5: NLTK 3.5 of 2020

    Returns:
        dict: "bleu", or one key for each name in weights (float in [0, 1]; a smoothing may
        give more: "chen-cherry-4" to "chen-cherry-7", and "floor" with a value above 1),
        "precisions" (list of floats, one for each order; "chen-cherry-7" smooths all of
        them, up to the highest), "brevity_penalty", "length_ratio" (floats),
        "translation_length" and "reference_length" (ints; the latter a float with
        "average"). Preset "sacrebleu" adds "counts" and "totals" (lists of ints). With
        use_aggregator=False each is a list with one value for each item. With
        output="score" only the first of these.

    Raises:
        TypeError, ValueError: for invalid input. The message names the argument and the
            place. It comes before any work, except for what your own function returns.
        ImportError: if a tokenizer needs a package that is not installed.

    Examples:

        >>> import rouge_bleu
        >>> predictions = ["The fast brown fox jumped over the lazy dog."]
        >>> references = [["The quick brown fox jumped over the lazy dog."]]
        >>> round(rouge_bleu.bleu(predictions, references)["bleu"], 4)
        0.7825
    """
    raise NotImplementedError  # a declaration: `function_of` has the code


@function_of(BLEU.explanation_called, options_like=bleu)
def explain_bleu(
    prediction: str | Sequence[str],
    reference: str | Sequence[str] | Sequence[Sequence[str]],
    **options: Any,
) -> dict[str, Any]:
    """Explains the score of one item: what it is made of, and which words match.

    Args:
        prediction (str, or list of str): a text, or its tokens
        reference (str, or list): one reference, or a list of references, in the form of
            the prediction

    The options are those of scoring. Those that concern a corpus only, such as
    use_aggregator and output, have no effect.

    Returns:
        dict: lists, dicts and numbers only. The result of the item; "chosen", the index
        of the reference whose length counts, or None; and "orders", a list with "order",
        "matches", "total" and "precision" of each. Smoothings that look at one order
        more have it under "next_order".

        Each order has "prediction_spans", and "reference_spans", a list for each
        reference: for each token that takes part in a match [start, end) in characters
        of the text as it was given, or None where a function changed the token or it is
        empty. Of given tokens it is [i, i + 1).

    Raises:
        TypeError, ValueError, ImportError: as for scoring.

    Examples:

        >>> import rouge_bleu
        >>> parts = rouge_bleu.explain_bleu("the cat", "a cat", max_order=1)
        >>> parts["orders"][0]["prediction_spans"]
        [[4, 7]]
    """
    raise NotImplementedError  # a declaration: `function_of` has the code
