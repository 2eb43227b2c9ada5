"""bleu_full: weighted BLEU for `evaluate`, exact and fast."""

import os

import evaluate

try:
    from .rouge_bleu._bleu.api import BLEU, bleu, explain_bleu
    from .rouge_bleu.evaluate_metric import SafeMetric, text_and_token_features
    from .rouge_bleu.metric import docstring_without_examples
except NameError as error:
    raise ImportError(
        "this copy of the repository has no symbolic links: rouge_bleu.py is a text file. Run"
        " `python -m rouge_bleu_tools.hub install` in the copy; then evaluate.load('bleu_full')"
        " works in any folder"
    ) from error
except (ImportError, SyntaxError) as error:
    raise ImportError(
        f"the copy of rouge_bleu in {os.path.dirname(__file__)} is incomplete, perhaps because"
        " a load was interrupted: delete that folder and load again"
    ) from error

# evaluate copies the packages that it sees named at the start of a line.
from .rouge_bleu import __name__ as _PACKAGE

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
BLEU compares a translation or another generated text with one or more reference texts. It
is the weighted geometric mean of the n-gram precisions, times a penalty for texts that are
too short. Tokens, counts and the closest reference length are those of sacreBLEU. Any
weights are allowed, and several sets of weights are computed at once.
"""

_USE = """
evaluate.load takes the same options as defaults, and a preset as its second argument.
Options of compute override them.

Examples:

    >>> bleu = evaluate.load("bleu_full")
    >>> predictions = ["The fast brown fox jumped over the lazy dog."]
    >>> references = [["The quick brown fox jumped over the lazy dog."]]
    >>> result = bleu.compute(predictions=predictions, references=references)
    >>> round(result["bleu"], 4)
    0.7825
"""

# The function of the package documents options and result.
_KWARGS_DESCRIPTION = f"\n{docstring_without_examples(bleu)}\n{_USE}"


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class BleuFull(SafeMetric, evaluate.Metric):
    """BLEU with any weights, several ways of smoothing, and presets."""

    scorer = BLEU
    function, explain_function = staticmethod(bleu), staticmethod(explain_bleu)

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_KWARGS_DESCRIPTION,
            features=text_and_token_features(),
            reference_urls=[
                "https://aclanthology.org/P02-1040",
                "https://github.com/mjpost/sacrebleu",
            ],
        )
