"""Presets that consist of options and records alone, without code of their own.

rouge_score   Google's rouge_score 0.1.2: the defaults
sumeval       sumeval 0.2.2, English: the tokens of ROUGE-1.5.5, all references pooled
ignite        `Rouge` and `Bleu` of pytorch-ignite 0.5.5: F of ROUGE is recall; BLEU is that of NLTK
matlab        `rougeEvaluationScore` and `bleuEvaluationScore` of MATLAB's Text Analytics Toolbox:
              recall; NaN where a score is not defined; BLEU is 0 if a prediction has fewer tokens
              than there are weights, or if the references have no tokens
torchmetrics  `ROUGEScore` and `BLEUScore` of torchmetrics 1.9.0: 32 bits; BLEU is 0 if an order has
              no match, with any smoothing, and of two equally close references the first counts

tests/presets/test_values.py, tests/bleu/test_presets.py and tests/test_recorded.py run the packages;
tests/golden has recorded scores. The figures of MATLAB are those of its manual.
"""

from __future__ import annotations

import math
from dataclasses import replace

from .._bleu.rules import BleuRules
from .._bleu.smoothing import smoothings_with
from .._rouge.rules import POOLED, ROUGE_SCORE, RougeRules, defaults
from ..rouge_types import LIN_2004
from ..text.tokenizer_13a import UNSTRIPPED_13A
from .nltk import NLTK

ROUGE = {
    "rouge_score": RougeRules(
        about=("Google's rouge_score 0.1.2, `score` and `score_multi`", "summaries", "1e-12"),
        families=LIN_2004,
        options=ROUGE_SCORE,
        tokenizer_replaces_stemmer=True,
    ),
    "sumeval": RougeRules(
        about=("sumeval 0.2.2, English, `stopwords=False`", "dialogue", "1e-12, examples"),
        families=LIN_2004,
        options=defaults("rouge1 rouge2 rougeL", tokenizer="rouge-1.5.5", multi_reference="pooled"),
    ),
    "ignite": RougeRules(
        about=("pytorch-ignite 0.5.5, `Rouge`", "training scripts", "1e-12"),
        families=LIN_2004,
        options=defaults(
            "rouge1 rouge2 rougeL", tokenizer="whitespace", lowercase=False, beta=math.inf, **POOLED
        ),
    ),
    "matlab": RougeRules(
        about=("MATLAB's `rougeEvaluationScore`", "any", "printed examples, 4 decimals"),
        families=LIN_2004,
        options=defaults(
            "rouge1",
            tokenizer="13a",
            lowercase=False,
            output="recall",
            beta=math.inf,
            zero_division=math.nan,
        ),
    ),
    "torchmetrics": RougeRules(
        about=("torchmetrics 1.9.0, `rouge_score`", "summaries", "the last of 32 bits"),
        families=LIN_2004,
        options={**ROUGE_SCORE, "sentence_splitter": "sentences", "output": "all"},
        has_32_bits=True,
    ),
}
BLEU = {
    "ignite": replace(
        NLTK,
        about=("pytorch-ignite 0.5.5, `Bleu`", "training scripts", "1e-12; 6 digits unsmoothed"),
        options={"tokenizer": "whitespace", "level": "sentence"},
    ),
    "matlab": BleuRules(
        about=("MATLAB's `bleuEvaluationScore`", "any", "printed examples, 4 decimals"),
        options={"zero_division": math.nan},
        formulas=smoothings_with(needs_every_order=True, scores_against_nothing=True),
    ),
    "torchmetrics": BleuRules(
        about=(
            'torchmetrics 1.9.0, `bleu_score`; `sacre_bleu_score` with `tokenizer="13a"`',
            "any",
            "6 digits (32 bits)",
        ),
        options={"tokenizer": "whitespace"},
        scales_weights=False,
        # It lowercases words, not texts: <SKIPPED> and &AMP; stay, and words decide the form of a
        # final sigma.
        own_tokenizers={"13a": replace(UNSTRIPPED_13A, lowercases_words=True)},
        formulas=smoothings_with(needs_every_match=True),
        reference_lengths={
            "closest": lambda c, references: min(references, key=lambda length: abs(length - c))
        },
    ),
}
