"""A fast `RougeScorer` in the modules of Google's `rouge_score`, equal to the last digit.

>>> from rouge_bleu.integrations.rouge_score import rouge_scorer, scoring
"""

from rouge_score import scoring, tokenize, tokenizers

from .. import mirror as _mirror
from . import rouge_scorer

__all__ = ["rouge_scorer", "scoring", "tokenize", "tokenizers"]
_mirror(__name__, "rouge_score", rouge_scorer.SWAPS, (".rouge_scorer", ""))
