"""`ROUGEScore` and `BLEUScore` of torchmetrics."""

from __future__ import annotations

from .._bleu.rules import BleuRules
from .._rouge.rules import ROUGE_SCORE, RougeRules
from ..rouge_types import LIN_2004
from ..text.mteval import UNSTRIPPED_13A_OF_CASE

ROUGE = {
    "torchmetrics": RougeRules(
        families=LIN_2004,
        options={**ROUGE_SCORE, "sentence_splitter": "sentences", "output": "all"},
        has_32_bits=True,
    )
}
BLEU = {
    "torchmetrics": BleuRules(
        options={"tokenizer": "whitespace"},
        scales_weights=False,
        own_tokenizers={"13a": UNSTRIPPED_13A_OF_CASE},
        takes_first_of_closest=True,
        needs_every_match=True,
    )
}
