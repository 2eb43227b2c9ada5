"""fairseq-score of fairseq 3d262bb2, found by running it.

Words are split at spaces, with </s> at the end; <unk> never matches. tests/golden/published.json has its
scores.
"""

from __future__ import annotations

from itertools import count

from .._bleu.rules import BleuRules
from ..text.tokenizer_rules import rules_by_text

_END, _PADDING, _UNKNOWN = "</s>", "<pad>", "<unk>"
_unknown_numbers = count()


def _split_words(text: str) -> list[str]:
    words = [*text.split(), _END]
    while words[0] == _PADDING:
        del words[0]
    while len(words) > 1 and words[-1] in (_END, _PADDING):
        words.pop()
    # All of these words are distinct.
    return [f"{_UNKNOWN} {next(_unknown_numbers)}" if word == _UNKNOWN else word for word in words]


TOKENIZERS = {"fairseq": rules_by_text(_split_words, warns_of_unspaced=True)}
BLEU = {
    "fairseq": BleuRules(
        about=(
            'fairseq-score, fairseq 3d262bb2; `--sentence-bleu` with `smoothing="add-k"`',
            "translation",
            "1e-12",
        ),
        options={"tokenizer": "fairseq"},
    )
}
