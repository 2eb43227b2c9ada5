"""`rougeEvaluationScore` and `bleuEvaluationScore` of MATLAB's Text Analytics Toolbox."""

from __future__ import annotations

import math

from .._bleu.rules import BleuRules
from .._rouge.rules import RougeRules, of_types
from ..rouge_types import LIN_2004

ROUGE = {
    "matlab": RougeRules(
        families=LIN_2004,
        options=of_types(
            "rouge1",
            tokenizer="13a",
            lowercase=False,
            output="recall",
            beta=math.inf,
            zero_division=math.nan,
        ),
    )
}
BLEU = {
    "matlab": BleuRules(
        options={"zero_division": math.nan}, needs_every_order=True, scores_against_nothing=True
    )
}
