"""rouge_full: all five variants of ROUGE for `evaluate`, exact and fast."""

import evaluate

try:
    from .rouge_bleu.data.corpus import Corpus
    from .rouge_bleu.metric.safe import SafeMetric, text_and_token_features
    from .rouge_bleu.rouge.folding import rouge_fold_plan
    from .rouge_bleu.rouge.options.checked import RougeOptions
    from .rouge_bleu.rouge.scorer import rouge, rouge_explanation
    from .rouge_bleu.rouge.signature import ROUGE_SIGNATURE
    from .rouge_bleu.text.stemming import rouge155_stemmer
except (ImportError, NameError, SyntaxError) as error:
    from pathlib import Path

    _folder = Path(__file__).parent
    if (_folder / "rouge_bleu.py").is_file():
        raise ImportError(
            "this copy of the repository has no symbolic links, rouge_bleu.py is a text"
            " file: run `python stage.py install` in it, then"
            " evaluate.load('rouge_full') works in any folder"
        ) from error
    raise ImportError(
        f"the copy of rouge_bleu in {_folder} is not whole, as after a load that was ended"
        " while it copied files: delete that folder and load again"
    ) from error

# evaluate copies the packages that it sees named at the start of a line.
from .rouge_bleu import __name__ as _PACKAGE

_CITATION = """\
@inproceedings{lin-2004-rouge,
    title = "{ROUGE}: A Package for Automatic Evaluation of Summaries",
    author = "Lin, Chin-Yew",
    booktitle = "Text Summarization Branches Out",
    year = "2004",
    address = "Barcelona, Spain",
    publisher = "Association for Computational Linguistics",
    url = "https://aclanthology.org/W04-1013",
    pages = "74--81",
}
"""

_DESCRIPTION = """\
ROUGE compares a summary or another generated text with one or more reference texts, by
what they have in common: n-grams (ROUGE-N), the longest common subsequence (ROUGE-L,
ROUGE-Lsum), the same with more weight on consecutive words (ROUGE-W), pairs of words in
their order (ROUGE-S), and those together with single words (ROUGE-SU). On the four types
that the `rouge` metric of `evaluate` has, the scores of an item are those of Google's
rouge_score, to the last digit; presets give the numbers of other implementations.
"""

_KWARGS_DESCRIPTION = """
Scores predictions against references.

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
        stemmer on words longer than three letters, as rouge_score does; needs nltk
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
        the first one with the highest recall
    lowercase (bool, default None): whether upper and lower case are the same; None:
        they are for tokenizers with a name, and are not for functions and given tokens.
        A function gets the text as it is, and in small letters with True
    stemmer (function, default None): a function from a token to its stem, called once
        for each distinct token
    stopwords (list or set of str, default None): words that are dropped, before
        stemming and before anything is counted; they are compared with tokens as they
        are, so in small letters where text is lowercased
    max_words (int, default None): use only so many words (between blanks) of every
        text, or so many given tokens
    max_bytes (int, default None): use only so many bytes (UTF-8) of every text; a
        character that is cut is dropped. Not for given tokens
    sentence_splitter (str or function, default 'newline'): what a sentence is.
        "newline": a line; "sentences": what rules for . ! ? … and their counterparts in
        other scripts find; or a function from a text to its list of sentences. A list
        of tokens is one sentence
    cross_sentences (bool, default True): False keeps n-grams and skip-bigrams within
        sentences
    summary_lcs (str, default 'union'): rougeLsum by the "union" over the sentences of
        the prediction, or, with "best", by the longest common subsequence with any one
        of them (precision: the same from the other side)
    zero_division (float, default 0.0): the score where no reference has a unit to
        match; math.nan leaves such items out of the mean. A prediction without units, or
        beside others a reference without any, scores 0
    n_jobs (int, default 1): how many processes score parts of a corpus that is large
        enough to gain by it; -1: one for each core that this process may use, -2: all
        but one. They are forks of this process on Linux, and threads elsewhere, which
        gain little. The scores do not depend on it. With a function of yours, or a
        tokenizer that needs sacreBLEU, it is always one
    preset (str, default None): the options, and the counting rules, of an
        implementation, or a command line such as "ROUGE-1.5.5.pl -n 2 -a"; options given
        beside it win
    signature (bool, default False): adds "signature": one line with every option that
        can change this score, for papers and logs; options_of_signature of the metric
        gives the options back. A function of yours, and stop words, it can only name
    confidence_level (float, default None): adds the bounds of a bootstrap interval of
        that level, such as 0.95, under keys with _low and _high. For
        preset="rouge-1.5.5" those of its option -c
    n_resamples (int, default 1000): how many resamples make an interval or a p-value,
        at most 1,000,000. For preset="rouge-1.5.5" its option -r
    paired_test (str, default 'randomization'): how a difference to baseline_predictions
        is tested: by "randomization", or by the "bootstrap", which finds more
        differences than there are; both with sacreBLEU's draws, but resamples that tie
        with the difference count
    seed (int, default None): the seed of the resamples, those of preset="evaluate" too;
        None: that of evaluate.load(..., seed=...), else 0
    corpus_average (str, default 'documents'): for preset="rouge-1.5.5": "documents",
        "tokens" or "counts", its options -t 0, -t 1 and -t 2
    document_order (str, default 'input'): for preset="rouge-1.5.5": "input", or
        "string" for documents that were numbered from 1 and sorted as strings; it
        decides which documents the samples hold

Any option can also be given to evaluate.load, as the default of that object, and a
preset as its second argument. What compute is given wins.

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
        --international-tokenization: intl, but entities such as &quot; are written out
    intl-entities-e: the same with -e: each character beyond ASCII by itself
    ptb: those of pycocoevalcap for captions: Penn Treebank words in small letters
        without commas, full stops and quotes; needs that package and Java
    none, intl, zh, ja-mecab, ko-mecab, spm, flores101, flores200, spBLEU-1K: those of
        an installed sacreBLEU; those with mecab, and spm, flores101, flores200 and
        spBLEU-1K need more packages, and the last four download a model

Presets:
    rouge_score: Google's rouge_score, item by item, score_multi included
    evaluate: the rouge metric of evaluate to the last bit, given the same seed
    rouge-1.5.5: the Perl script ROUGE-1.5.5, to its five decimals
    matlab: rougeEvaluationScore of MATLAB, with rouge_types naming the method
    torchmetrics: rouge_score of torchmetrics, item by item to the last of its 32 bits;
        for rougeLsum, NLTK's sentences have to be given
    pltrdy: the package rouge of PyPI, by pltrdy
    rouge-chinese: the package rouge-chinese of PyPI
    pyrouge-metric: PyRouge of the package rouge-metric
    coco-caption: ROUGE_L of coco-caption, pycocoevalcap and nlg-eval

Returns:
    dict: for each key a float in [0, 1], or with use_aggregator=False a list of floats in
    the order of the input. With zero_division=math.nan a value may be NaN. With
    corpus_average="counts", and with "tokens" and use_aggregator=False, values are
    numbers of units.

Raises:
    TypeError, ValueError: for what is not described above. The message names the argument
        and the place. It comes before any work, but for what shows only then: what a
        function of yours returns, and, under preset "rouge-1.5.5", a reference without
        tokens for rougeW.
    ImportError: where an option needs a package that is not installed.

Examples:

    >>> rouge = evaluate.load("rouge_full")
    >>> predictions, references = ["the cat sat on a mat"], ["the cat sat on the mat"]
    >>> types = ["rouge1", "rouge2", "rougeL"]
    >>> rouge.compute(predictions=predictions, references=references, rouge_types=types)
    {'rouge1': 0.8333333333333334, 'rouge2': 0.6, 'rougeL': 0.8333333333333334}
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class RougeFull(SafeMetric, evaluate.Metric):
    """ROUGE with all its types, options and presets."""

    options_class = RougeOptions
    signature_parts = ROUGE_SIGNATURE

    # For `stemmer=`: metric.rouge155_stemmer(folder) is the stemmer of the Perl script.
    rouge155_stemmer = staticmethod(rouge155_stemmer)

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_KWARGS_DESCRIPTION,
            features=text_and_token_features(),
            reference_urls=[
                "https://aclanthology.org/W04-1013",
                "https://github.com/google-research/google-research/tree/master/rouge",
            ],
        )

    def score(self, corpus: Corpus, options: RougeOptions, baseline=None):
        """Return the result of a corpus, counted by the rules of the preset."""
        return rouge(corpus, options, self.load_seed, baseline)

    def explanation(self, corpus: Corpus, options: RougeOptions):
        """Return what the scores of a corpus of one item are made of."""
        return rouge_explanation(corpus, options)

    def fold_plan(self, options: RougeOptions):
        """Return what items and sums are made of where batches are folded."""
        return rouge_fold_plan(options)
