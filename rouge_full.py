"""rouge_full: all five variants of ROUGE for `evaluate`, exact and fast."""

import os

import evaluate

try:
    from .rouge_bleu._rouge.api import ROUGE, explain_rouge, rouge
    from .rouge_bleu.evaluate_metric import SafeMetric, text_and_token_features
    from .rouge_bleu.metric import docstring_without_examples
    from .rouge_bleu.text.stemming import rouge155_stemmer
except NameError as error:
    raise ImportError(
        "this copy of the repository has no symbolic links: rouge_bleu.py is a text file. Run"
        " `python -m rouge_bleu_tools.hub install` in the copy; then evaluate.load('rouge_full')"
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
ROUGE compares a summary or another generated text with one or more reference texts. It
counts matching n-grams (ROUGE-N), the longest common subsequence (ROUGE-L, ROUGE-Lsum),
the same with more weight on consecutive words (ROUGE-W), pairs of words in their order
(ROUGE-S), or these pairs and single words (ROUGE-SU). For the four types of the `rouge`
metric of `evaluate`, scores of examples equal those of Google's rouge_score to the last
digit. Presets reproduce other implementations.
"""

_USE = """
evaluate.load takes the same options as defaults, and a preset as its second argument.
Options of compute override them.

Examples:

    >>> rouge = evaluate.load("rouge_full")
    >>> predictions, references = ["the cat sat on a mat"], ["the cat sat on the mat"]
    >>> types = ["rouge1", "rouge2", "rougeL"]
    >>> rouge.compute(predictions=predictions, references=references, rouge_types=types)
    {'rouge1': 0.8333333333333334, 'rouge2': 0.6, 'rougeL': 0.8333333333333334}
"""

# The function of the package documents options and result.
_KWARGS_DESCRIPTION = f"\n{docstring_without_examples(rouge)}\n{_USE}"


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class RougeFull(SafeMetric, evaluate.Metric):
    """ROUGE with all its types, options and presets."""

    scorer = ROUGE
    function, explain_function = staticmethod(rouge), staticmethod(explain_rouge)

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
