"""bleu_full: weighted BLEU for `evaluate`, exact and fast."""

import evaluate

# evaluate copies the siblings named here and no others, so those that only other
# siblings use are named too.
from .bleu_options import BleuOptions
from .bleu_scorer import bleu
from .brevity import brevity_penalty
from .chunks import results_of_chunks
from .corpus import Corpus, check_tokens
from .list_likes import as_list
from .lost_text import warn_of_lost_letters
from .messages import shown
from .ngrams import ngram_matches
from .option_checks import checked_options
from .ragged import Ragged
from .safe_metric import SafeMetric, text_and_token_features
from .smoothing import SMOOTHINGS
from .stemming import checked_stem
from .tokenization import TOKENIZER_NAMES
from .tokens import Tokens
from .words import Words

_CITATION = """\
@inproceedings{papineni-etal-2002-bleu,
    title = "{B}leu: a Method for Automatic Evaluation of Machine Translation",
    author = "Papineni, Kishore and Roukos, Salim and Ward, Todd and Zhu, Wei-Jing",
    booktitle = "Proceedings of the 40th Annual Meeting of the Association for Computational Linguistics",
    year = "2002",
    address = "Philadelphia, Pennsylvania, USA",
    publisher = "Association for Computational Linguistics",
    url = "https://aclanthology.org/P02-1040",
    pages = "311--318",
}
"""

_DESCRIPTION = """\
BLEU compares a translation or another generated text with one or more reference texts: the precision of its n-grams, as a weighted geometric mean
over their lengths, times a penalty for texts that are too short. Tokens, counts and the choice of the closest reference length are those of
sacreBLEU; any weights are allowed, and several sets of weights are computed at once.
"""

_KWARGS_DESCRIPTION = """
Scores predictions against references.

Args:
    predictions (list of str, or list of lists of str): one text for each item, or its tokens.
    references (list): for each prediction one reference or a list of references, in the form of the prediction. Their number may vary.
    tokenizer (str or function): "13a" (default: mteval-v13a, as in sacreBLEU), "rouge_score", "unicode", "char", "whitespace", any other name of
        sacreBLEU's tokenizers ("intl", "zh", ...) where sacrebleu is installed, or a function from a text to its list of tokens.
    max_order (int): longest n-grams that are counted. Default: the number of weights, 4 without any.
    smooth (bool): add one to matches and totals of every order, as the `bleu` metric of `evaluate` does. Default False.
    weights (list of numbers, or dict of lists): weight of each order, scaled to a sum of one; their number is the maximum order.
        Default: uniform. A dict such as {"bleu2": [1, 1], "bleu4": [1, 1, 1, 1]} gives several BLEUs under these names.
    smoothing (str): what an order without matches gives. "none" (default); "floor", "add-k" and "exp" as in sacreBLEU (methods 1, 2 and 3 of Chen and
        Cherry 2014); "chen-cherry-4" ... "chen-cherry-7": methods 4 to 7, with NLTK's constants.
    smoothing_value (float): of "floor" (default 0.1) and "add-k" (default 1).
    effective_order (bool): use only the orders for which the predictions have n-grams, as sacreBLEU does for sentences. Default:
        only for sentences with preset "sacrebleu".
    reference_length (str): the length that a prediction is held against where it has several references: "closest" (default; on a tie the
        shorter), "shortest" or "average".
    lowercase (bool): lowercase texts first. Default False.
    zero_division (float): the score where the references have no tokens: 0.0 (default) or math.nan.
    use_aggregator (bool): True (default) gives BLEU of the corpus, False a list with the value of each item under each key (sentence BLEU).
    preset (str): the options, and the counting rules, of an implementation; options given beside it win.
        "sacrebleu" (smoothing "exp"; for sentences effective_order=True; adds the keys "counts" and "totals"), "evaluate" (its `bleu`), "nltk"
        (corpus_bleu: weights as they are, and each item divides by at least one n-gram), "matlab" (bleuEvaluationScore).

Returns:
    dict: "bleu" (float in [0, 1], more only with chen-cherry-5 and -7; or one key for each name in `weights`), "precisions" (list of floats, one for
    each order), "brevity_penalty", "length_ratio" (floats), "translation_length" and "reference_length" (ints; the latter a float with "average").

Raises:
    TypeError, ValueError: before any work, naming the argument and the place, for what is not described above.

Examples:

    >>> bleu = evaluate.load("bleu_full")
    >>> reference = "The quick brown fox jumped over the lazy dog."
    >>> result = bleu.compute(predictions=["The fast brown fox jumped over the lazy dog."], references=[[reference]])
    >>> round(result["bleu"], 4)
    0.7825
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class BleuFull(SafeMetric, evaluate.Metric):
    options_class = BleuOptions

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_KWARGS_DESCRIPTION,
            features=text_and_token_features(),
            reference_urls=["https://aclanthology.org/P02-1040", "https://github.com/mjpost/sacrebleu"],
        )

    def score(self, corpus: Corpus, options: BleuOptions):
        check_tokens(corpus)
        return bleu(corpus, options)
