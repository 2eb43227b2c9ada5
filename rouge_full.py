"""rouge_full: all five variants of ROUGE for `evaluate`, exact and fast."""

import evaluate

# evaluate copies the siblings named here and no others, so those that only other
# siblings use are named too.
from .chunks import results_of_chunks
from .corpus import Corpus, check_tokens
from .lcs import lcs_lengths
from .list_likes import as_list
from .lost_text import warn_of_no_tokens
from .messages import shown
from .ngrams import ngram_matches
from .option_checks import checked_options
from .pair_scores import item_scores
from .ragged import Ragged
from .resampling import median_of_resampled_means
from .rouge155_averages import rouge155_result
from .rouge155_counts import document_counts
from .rouge155_scorer import rouge155
from .rouge_options import RougeOptions
from .rouge_scorer import rouge
from .safe_metric import SafeMetric, text_and_token_features
from .sentence_lines import with_sentence_lines
from .sentence_splitting import split_sentences
from .skip_bigrams import skip_bigram_matches
from .stemming import rouge155_stemmer
from .tokenization import TOKENIZER_NAMES
from .tokens import Tokens
from .union_lcs import union_lcs_lengths
from .weighted_lcs import wlcs_scores
from .words import Words

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
ROUGE compares a summary or another generated text with one or more reference texts, by what they have in common: n-grams (ROUGE-N), the longest
common subsequence (ROUGE-L, ROUGE-Lsum), the same with more weight on consecutive words (ROUGE-W), pairs of words in their order (ROUGE-S), and
those together with single words (ROUGE-SU). On the four types that the `rouge` metric of `evaluate` has, the scores of an item are those of
Google's rouge_score, to the last digit; presets give the numbers of other implementations.
"""

_KWARGS_DESCRIPTION = """
Scores predictions against references.

Args:
    predictions (list of str, or list of lists of str): one text for each item, or its tokens. Sentences are separated by a newline.
    references (list): for each prediction one reference or a list of references, in the form of the prediction. Their number may vary.
    rouge_types (list of str): what to compute, and the keys of the result.
        Default: rouge1, rouge2, rougeL, rougeLsum, rougeW, rougeS4, rougeSU4.
        "rouge1", "rouge2", ...: n-grams of that length, any from 1.
        "rougeL": the longest common subsequence of the whole texts.
        "rougeLsum": the union of the longest common subsequences of their sentences.
        "rougeW", "rougeW-1.5": like rougeL with runs of k words in a row counting k ** weight; the weight is at least 1, by default 1.2.
        "rougeS", "rougeS4": two words in their order with any number of words between them (also written "rougeS*"), or at most 4.
        "rougeSU", "rougeSU4": the same, and single words.
    use_aggregator (bool): True (default) gives the mean over items, False a list with the score of each item.
    use_stemmer (bool): compare words by their stem (NLTK's Porter stemmer, words longer than three letters). Default False. Needs nltk.
    tokenizer (str or function): how a text becomes tokens. Default: "rouge_score".
        "rouge_score": runs of a-z and 0-9 of the lowercased text. "rouge-1.5.5": the same, but only A-Z are lowercased.
        "unicode": runs of letters, digits and marks of any script; in scripts without spaces (Chinese, Japanese, Thai, Lao, Khmer, Burmese) each
        letter. "13a", "char", "whitespace". Any other name of sacreBLEU's tokenizers ("intl", "zh", ...), where sacrebleu is installed.
        A function from a text to its list of tokens.
    output (str): "fmeasure" (default), "precision", "recall", or "all": the keys are then rouge1_precision, rouge1_recall, rouge1_fmeasure, ...
    beta (float): weight of recall in F_beta. 1.0 (default) is the harmonic mean, 0 is precision, math.inf is recall.
    multi_reference (str): what several references of an item give.
        "best" (default): the scores of the first reference with the highest F.
        "average": the mean over references. "pooled": matches and totals summed over references.
        "jackknife": the mean over all sets that lack one reference of the best in the set.
    lowercase (bool): False keeps upper and lower case apart. Default: True for tokenizers with a name, else False.
    stemmer (function): from a token to its stem; called once for each distinct token.
    stopwords (list or set of str): tokens that are dropped, before stemming.
    max_words, max_bytes (int): use only that much of each text.
    sentence_splitter (str or function): what rougeLsum takes for sentences: "newline" (default), "sentences" (rules for . ! ? and their
        counterparts in other scripts), or a function from a text to its list of sentences.
    cross_sentences (bool): False keeps n-grams and skip-bigrams within sentences. Default True.
    summary_lcs (str): "union" (default), or "best": rougeLsum adds up, over sentences, the longest common subsequence with the best sentence.
    zero_division (float): the score where a reference has nothing to match: 0.0 (default), or math.nan, which is left out of the mean.
    preset (str): the options, and the counting rules, of an implementation; options given beside it win.
        "rouge_score", "evaluate", "rouge-1.5.5" (the Perl script), "matlab" (rougeEvaluationScore).
    seed (int): of preset "evaluate", whose average draws random samples. Default: that of `evaluate.load`, else 0.
    corpus_average (str): of preset "rouge-1.5.5": "documents" (default; -t 0), "tokens" (-t 1) or "counts" (-t 2).
    document_order (str): of preset "rouge-1.5.5": "input" (default), or "string": documents numbered from 1 and sorted as strings.
    confidence_level (float), n_resamples (int): of preset "rouge-1.5.5": adds the keys ..._low and ..._high of that level (-c), and the number of
        samples drawn (-r, default 1000).

Returns:
    dict: for each key a float in [0, 1], or with use_aggregator=False a list of floats in the order of the input.

Raises:
    TypeError, ValueError: before any work, naming the argument and the place, for what is not described above.
    ImportError: where an option needs a package that is not installed.

Examples:

    >>> rouge = evaluate.load("rouge_full")
    >>> rouge.compute(predictions=["the cat sat on a mat"], references=["the cat sat on the mat"], rouge_types=["rouge1", "rouge2", "rougeL"])
    {'rouge1': 0.8333333333333334, 'rouge2': 0.6, 'rougeL': 0.8333333333333334}
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class RougeFull(SafeMetric, evaluate.Metric):
    options_class = RougeOptions

    # For `stemmer=`: metric.rouge155_stemmer(exceptions) is the stemmer of the Perl script.
    rouge155_stemmer = staticmethod(rouge155_stemmer)

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_KWARGS_DESCRIPTION,
            features=text_and_token_features(),
            reference_urls=["https://aclanthology.org/W04-1013", "https://github.com/google-research/google-research/tree/master/rouge"],
        )

    def score(self, corpus: Corpus, options: RougeOptions):
        check_tokens(corpus)
        scorer = {"paper": rouge, "rouge-1.5.5": rouge155}[options.rules.counting]
        return scorer(corpus, options, seed=self.load_seed)
