"""Tokenizers of benchmarks, written from their output, without their code.

conala      runs of A-Z, a-z, 0-9 and _, split between a lowercase and an uppercase
            letter; quotes become backticks (Ling et al. 2016, https://aclanthology.org/P16-1057)
parlai      lowercased, ASCII punctuation replaced by spaces, the words a, an and the removed
squad       like parlai, but punctuation is deleted, so "well-known" becomes one word
"""

from __future__ import annotations

import re
import string

from .tokenizer_rules import TokenizerRules, lowered_source, rules_of_parts, rules_of_texts

_CONALA = re.compile(r"[A-Za-z0-9_](?:[a-z0-9_]|(?<![a-z])[A-Z])*|\S")


# --- parlai, squad --------------------------------------------------------------------

_ARTICLE = r"\b(?:a|an|the)\b"
_PUNCTUATION = f"[{re.escape(string.punctuation)}]"


def _rules_of_answers(instead: str) -> TokenizerRules:
    """Return the rules of a tokenizer that replaces punctuation."""
    table = dict.fromkeys(map(ord, string.punctuation), instead)
    return rules_of_texts(
        lambda text: re.sub(_ARTICLE, " ", text.lower().translate(table)).split(),
        rewritten=lambda text, lowercase: (
            text.lowered().replaced(_PUNCTUATION, instead).replaced(_ARTICLE, " ")
        ),
    )


# --- the records ----------------------------------------------------------------------------------

BENCHMARK_TOKENIZERS = {
    "conala": rules_of_parts(
        lambda text: _CONALA.findall(text.replace('"', "`").replace("'", "`")),
        rewritten=lambda text, lowercase: lowered_source(text, lowercase).replaced("[\"']", "`"),
        lowercases_words=True,
    ),
    "parlai": _rules_of_answers(" "),
    "squad": _rules_of_answers(""),
}
