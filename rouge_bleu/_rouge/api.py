"""ROUGE as functions: `rouge` scores predictions, `explain_rouge` explains an item.

Their texts and signatures are those of `compute` and `explain` of `rouge_full`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from ..scorer import References, Scorer, Texts, function_of
from ..text.sentences import SentenceSplitter
from ..text.stemming import Stemmer
from ..text.tokenizers import Tokenizer
from .explain import rouge_explanation
from .options import RougeOptions
from .scorer import rouge as rouge_result
from .scorer import rouge_statistics

ROUGE = Scorer("rouge_full", RougeOptions, rouge_result, rouge_statistics, rouge_explanation)


@function_of(ROUGE.called)
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
    signature: bool = False,
    confidence_level: float | None = None,
    n_resamples: int = 1000,
    paired_test: str = "randomization",
    seed: int | None = None,
    language: str | None = None,
    corpus_average: str = "documents",
    document_order: str = "input",
) -> dict[str, Any]:
    """Scores predictions against references.

    Args:
        predictions (list of str, or list of lists of str): one text for each item, or its
            tokens. A line is a sentence; that matters to rougeLsum.
        references (list): for each prediction one reference, or a list of references, in
            the form of the prediction. Their number may vary.
        baseline_predictions (list): those of another system, one for each prediction, to
            compare with: adds keys with _baseline, _delta (the score less that of the
            baseline) and _p_value (two-sided)
        rouge_types (list of str, default None): a list of types, which are the keys of the
            result; None: rouge1, rouge2, rougeL, rougeLsum, rougeW, rougeS4, rougeSU4
        use_aggregator (bool, default True): True: the mean over items; False: a list with
            the score of each item
        use_stemmer (bool, default False): compare words by their stem: NLTK's Porter
            stemmer on words longer than three letters, as in rouge_score. Like all stemmers of
            NLTK it lowercases words, also with lowercase=False and for given tokens
        tokenizer (str or function, default None): one of the tokenizers by name, or a
            function from a text to its list of tokens; None is "rouge_score". It has no
            effect on given tokens
        output (str, default 'fmeasure'): "fmeasure", "precision", "recall", or "all" three
            under keys such as rouge1_fmeasure
        beta (float, default 1.0): weight of recall in F: 1 is the harmonic mean, 0 is
            precision, math.inf is recall
        multi_reference (str, default 'best'): what several references give. "best": the
            scores of the first one with the highest F; "average": the means of precision,
            recall and F; "pooled": matches and units summed over references, those of the
            prediction once for each; "jackknife": the mean, over all sets that lack one
            reference, of the best in the set; "separate": the highest precision and the
            highest recall, each of any reference, and F of the two; "recall": the scores of
            the first one with the highest recall; "f_of_means": the mean precision and the mean
            recall, and F of the two
        lowercase (bool, default None): whether to ignore case; None: yes for tokenizers
            with a name, no for functions and given tokens. With True a function gets the
            text in lower case
        stemmer (str or function, default None): a function from a token to its stem, called
            once for each distinct token; or the name of a stemmer
        stopwords (list or set of str, default None): words to drop, before stemming and
            counting. They are compared with tokens as they are: give them in lower case
            where texts are lowercased
        max_words (int, default None): cut every text after so many words (between blanks),
            or so many given tokens
        max_bytes (int, default None): cut every text after so many bytes (UTF-8); a
            character that would be cut is dropped. Not for given tokens
        sentence_splitter (str or function, default 'newline'): what a sentence is.
            "newline": a line; "sentences": what rules for . ! ? … and their counterparts in
            other scripts find; or a function from a text to its list of sentences. A list
            of tokens is one sentence
        cross_sentences (bool, default True): False keeps n-grams and skip-bigrams within
            sentences
        summary_lcs (str, default 'union'): how rougeLsum matches a sentence of the
            reference: by the "union" of its longest common subsequences with all sentences
            of the prediction, or, with "best", by the longest of these; its precision
            matches each sentence of the prediction in the same way
        zero_division (float, default 0.0): the score of an item whose references have no
            unit to match; math.nan leaves such items out of the mean. An empty prediction
            scores 0; so does an empty reference if the item has a non-empty one
        n_jobs (int, default 1): how many processes share the work on a corpus that is large
            enough to gain from it, at most one for each core that this process may use; -1:
            one for each core, -2: all but one. The scores do not depend on it. It is always
            one on other systems than Linux, with your own function, and with a tokenizer
            that needs sacreBLEU
        preset (str, default None): the options and counting rules of an implementation, or
            a command line such as "ROUGE-1.5.5.pl -n 2 -a"; options that are given too win
        signature (bool, default False): adds "signature": one line that says how the
            score was made, for papers and logs; options_of_signature of the metric
            restores the options. Your own functions and stop words are only named in it
        confidence_level (float, default None): adds the bounds of a bootstrap interval of
            that level, such as 0.95, under keys with _low and _high. For
            preset="rouge-1.5.5" those of its option -c
        n_resamples (int, default 1000): how many resamples make an interval or a p-value,
            at most 1,000,000. For preset="rouge-1.5.5" its option -r
        paired_test (str, default 'randomization'): the test of the difference to
            baseline_predictions: "randomization", or "bootstrap", which finds too many
            differences. Both use sacreBLEU's draws; unlike there, resamples that tie with
            the difference count
        seed (int, default None): the seed of the resamples, those of preset="evaluate" too;
            None: that of evaluate.load(..., seed=...), else 0
        language (str, default None): for preset="xlsum": the language, whose segmenter and
            stemmer are used
        corpus_average (str, default 'documents'): for preset="rouge-1.5.5": "documents",
            "tokens" or "counts", its options -t 0, -t 1 and -t 2
        document_order (str, default 'input'): for preset="rouge-1.5.5": "input", or
            "string" for documents that were numbered from 1 and sorted as strings; it
            decides which documents the samples hold

    Types:
        rouge1, rouge2, ...: n-grams of that length, 1 to 1,000 (ROUGE-N)
        rougeL: the longest common subsequence of the whole texts (ROUGE-L of a sentence)
        rougeLsum: the union of the longest common subsequences of their sentences (ROUGE-L
            of a summary)
        rougeW, rougeW-1.5: like rougeL, with runs of k words in a row counting k to the
            power of a weight from 1 to 20; 1.2 by default
        rougeS, rougeS4: skip-bigrams: two words in their order, with any number of words
            between them (also written rougeS*) or at most 4
        rougeSU, rougeSU4: skip-bigrams and single words

    Tokenizers:
        rouge_score: runs of a-z and 0-9 of the lowercased text. Other scripts have no
            tokens
        rouge-1.5.5: the same, but only A-Z are lowercased: İ and the Kelvin sign do not
            become ASCII letters
        unicode: runs of letters, digits and marks of any script; in Chinese, Japanese,
            Thai, Lao, Khmer and Burmese, which have no spaces between words, each letter
            with its marks; Javanese, Balinese and Tai Tham, which have none either, are cut
            at punctuation only. On ASCII text the same as rouge_score
        13a: words and punctuation as in mteval-v13a and sacreBLEU
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
        rouge_score: Google's rouge_score, item by item, score_multi included
        evaluate: the rouge metric of evaluate to the last bit, given the same seed
        rouge-1.5.5: the Perl script ROUGE-1.5.5, to its five decimals
        matlab: rougeEvaluationScore of MATLAB, with rouge_types naming the method
        torchmetrics: rouge_score of torchmetrics, item by item to the last of its 32 bits;
            for rougeLsum, pass sentences that NLTK has split
        pltrdy: the package rouge of PyPI, by pltrdy
        rouge-chinese: the package rouge-chinese of PyPI
        pyrouge-metric: PyRouge of the package rouge-metric
        nmt: rouge.py of tensorflow/nmt, also in google/seq2seq
        sumeval: the package sumeval of PyPI, English, without stems and with
            stopwords=False
        sacrerouge: python-rouge of sacrerouge, divided by 100, without its WordNet list
        rouge-2.0: ROUGE-2.0, a program in Java, without its stop words and stems
        ignite: Rouge of pytorch-ignite
        py-rouge: the package py-rouge of PyPI, which ParlAI takes
        xlsum: XL-Sum's multilingual rouge_score, with language
        coco-caption: ROUGE_L of coco-caption, pycocoevalcap and nlg-eval

    Returns:
        dict: for each key a float in [0, 1], or with use_aggregator=False a list of floats in
        the order of the input. With zero_division=math.nan a value may be NaN. With
        corpus_average="counts", and with "tokens" and use_aggregator=False, values are
        numbers of units.

    Raises:
        TypeError, ValueError: for invalid input. The message names the argument and the
            place. It comes before any work, except for what your own function returns and,
            under preset "rouge-1.5.5", for a reference without tokens for rougeW.
        ImportError: if an option needs a package that is not installed.

    Examples:

        >>> import rouge_bleu
        >>> predictions, references = ["the cat sat on a mat"], ["the cat sat on the mat"]
        >>> rouge_bleu.rouge(predictions, references, rouge_types=["rouge1", "rouge2"])
        {'rouge1': 0.8333333333333334, 'rouge2': 0.6}
    """
    raise NotImplementedError  # a declaration: `function_of` has the code


@function_of(ROUGE.explanation_called, options_like=rouge)
def explain_rouge(
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
        dict: lists, dicts and numbers only. For each type "precision", "recall" and
        "fmeasure" of the item; "chosen", the index of the reference whose scores these
        are, or None where several count; and "references", a list with "matches",
        "prediction_total", "reference_total", "precision", "recall" and "fmeasure" of
        each reference. With summary_lcs="best" rougeLsum has "prediction_matches" too.

        Each reference has "prediction_spans" and "reference_spans": for each token that
        takes part in a match [start, end) in characters of the text as it was given, or
        None where a function changed the token or it is empty, as with preset="pltrdy".
        Of given tokens it is [i, i + 1).

    Raises:
        TypeError, ValueError, ImportError: as for scoring.

    Examples:

        >>> import rouge_bleu
        >>> parts = rouge_bleu.explain_rouge("the cat", "a cat", rouge_types=["rouge1"])
        >>> parts["rouge1"]["references"][0]["prediction_spans"]
        [[4, 7]]
    """
    raise NotImplementedError  # a declaration: `function_of` has the code
