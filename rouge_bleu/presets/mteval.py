"""mteval-v13a.pl and multi-bleu.perl (Moses 34452895f), t2t-bleu (tensor2tensor bafdc1b6), command lines.

    mteval-v13a.pl -c --international-tokenization -e --brevity-penalty NAME --no-smoothing
    multi-bleu.perl -lc, multi-bleu-detok.perl -lc

    p_n = m_n / t_n,  1 / (2^k t_n) for the k-th order without match,  1 where t_n = 0

and 0 for an empty prediction. Corpora of usual size have the BLEU of sacreBLEU. Without smoothing mteval does
not differ. Tokenizers:

    intl-entities    mteval's --international-tokenization: punctuation is split off unless it is
                     between two numbers, each symbol is a token; sacreBLEU's "intl" leaves entities
    intl-entities-e  the same with -e of mteval: each character beyond ASCII is a token
    t2t              decimal digits only, the backslash is not punctuation

Punctuation, symbols and numbers are Unicode categories, as in the running Python.
tests/presets/test_mteval.py and tests/golden/published.json have scores of the scripts.
"""

from __future__ import annotations

import getopt
import re
import sys
import unicodedata
from dataclasses import replace
from functools import cache, partial
from itertools import groupby
from pathlib import PurePath
from typing import Any

import numpy as np

from .._bleu.rules import FIXED_BY_FORMULA, NO_PRESET, BleuRules
from .._bleu.smoothing import SMOOTHINGS, Formula, brevity_penalty
from ..text.tokenizer_rules import Text, lowered, rules_by_text
from . import with_options, words_of_command

# --- tokens ---------------------------------------------------------------------------------------

# Tags of omitted parts are deleted before entities are replaced.
_ENTITIES = {"<skipped>": "", "&quot;": '"', "&amp;": "&", "&lt;": "<", "&gt;": ">", "&apos;": "'"}
_BEYOND_ASCII = re.compile("[^\0-\x7f]+")


@cache
def _substitutions(of_t2t: bool, n_codes: int) -> list[tuple[re.Pattern[str], str]]:
    """Return the replacements in order, for characters below `n_codes`."""

    def kind(code: int) -> str:
        return "" if of_t2t and code == ord("\\") else unicodedata.category(chr(code))[0]

    ranges = {"P": "", "S": "", "N": ""}  # in the brackets of a pattern
    for of_kind, run in groupby(range(n_codes), kind):
        codes = list(run)
        if of_kind in ranges:
            ranges[of_kind] += f"\\U{codes[0]:08x}-\\U{codes[-1]:08x}"
    punctuation, symbols, numbers = ranges.values()
    if of_t2t:
        numbers = r"\d"
    return [
        (re.compile(f"([^{numbers}])([{punctuation}])"), r"\1 \2 "),
        (re.compile(f"([{punctuation}])([^{numbers}])"), r" \1 \2"),
        (re.compile(f"([{symbols}])"), r" \1 "),
    ]


def split_international(text: str, of_t2t: bool = False) -> list[str]:
    """Return the tokens; punctuation is split off unless it is between two numbers."""
    # Patterns of characters up to U+FFFF are much faster.
    n_codes = 1 << 16 if max(text, default="") <= "\uffff" else sys.maxunicode + 1
    for pattern, replacement in _substitutions(of_t2t, n_codes):
        text = pattern.sub(replacement, text)
    return text.split()


def _without_entities(text: Text, lowercase: bool) -> Text:
    """Return the text before mteval splits it; replaced entities are lowercased too."""
    for entity, character in _ENTITIES.items():
        text = text.replace(entity, character)
    if lowercase:  # Perl's `lc` does not use the final form of sigma at the end of a word
        text = text.replace("\u03a3", "\u03c3")
    return lowered(text, lowercase)


TOKENIZERS = {
    "t2t": rules_by_text(partial(split_international, of_t2t=True), warns_of_unspaced=True),
    "intl-entities": rules_by_text(split_international, _without_entities),
    "intl-entities-e": rules_by_text(
        lambda text: split_international(
            _BEYOND_ASCII.sub(lambda run: f" {' '.join(run[0])} ", text)
        ),
        _without_entities,
    ),
}
_SPLIT_AT_ASCII_SPACES = rules_by_text(re.compile("[^ \t\n\r\f\v]+").findall)

# --- BLEU -----------------------------------------------------------------------------------------

_FORMULA = Formula(
    lambda statistics, n_orders, value: np.where(
        statistics.totals[:n_orders] > 0,
        SMOOTHINGS["exp"].precisions(statistics, n_orders, value),
        1.0,
    ),
    penalty=lambda c, r: np.where(c > 0, brevity_penalty(c, r), 0.0),
)
# Tokenizers with which lowercase=True affects all scripts.
_ALL_SCRIPTS = frozenset({"intl-entities", "intl-entities-e"})
_MTEVAL = BleuRules(
    formulas={"exp": _FORMULA},
    lowercases_ascii_except=_ALL_SCRIPTS,
    fixed_options=FIXED_BY_FORMULA - {"smoothing"},
)
BLEU = {
    "mteval-v13a.pl": replace(
        _MTEVAL,
        about=("mteval-v13a.pl and mteval-v14.pl, Moses 34452895f", "translation", "12 decimals"),
        options={"smoothing": "exp", "lowercase": True},
    ),
    "multi-bleu.perl": BleuRules(
        about=("multi-bleu.perl, Moses 34452895f", "tokenized translation", "12 digits"),
        options={"tokenizer": "whitespace"},
        lowercases_ascii_except=_ALL_SCRIPTS,
        own_tokenizers={"whitespace": _SPLIT_AT_ASCII_SPACES},
    ),
    "t2t": replace(
        _MTEVAL,
        about=("t2t-bleu, tensor2tensor bafdc1b6", "translation", "6 digits (32 bits)"),
        options={"smoothing": "exp", "tokenizer": "t2t"},
        lowercases_ascii_except=None,
    ),
}

# --- command lines --------------------------------------------------------------------------------


def options_of_perl_command(text: str) -> dict[str, Any] | None:
    """Return the options of a command line, or None if it calls neither script.

    >>> options_of_perl_command("multi-bleu.perl -lc ref < hyp")
    {'preset': 'multi-bleu.perl', 'lowercase': True}
    """
    try:
        words = words_of_command(text)
    except ValueError:
        return None
    script = PurePath(words[0]).name if words else ""
    if script in ("mteval-v13a.pl", "mteval-v14.pl"):
        return _mteval_options(script, words[1:])
    if script in ("multi-bleu.perl", "multi-bleu-detok.perl"):
        flags = [word for word in words[1:] if word.startswith("-")]
        if unknown := [flag for flag in flags if flag != "-lc"]:
            raise ValueError(f"unknown flag {unknown[0]!r} of {script}")
        preset = script if script == "multi-bleu.perl" else None
        return {"preset": preset, **({"lowercase": True} if flags else {})}
    return None


def _mteval_options(script: str, words: list[str]) -> dict[str, Any]:
    names = ["international-tokenization", "brevity-penalty=", "no-smoothing"]
    try:
        pairs, others = getopt.gnu_getopt(words, "bced:r:s:t:", names)
        if others:
            raise getopt.GetoptError(f"word {others[0]!r} not recognized")
    except getopt.GetoptError as error:
        raise ValueError(f"{script}: {error}") from None
    given = dict(pairs)
    length = given.get("--brevity-penalty", "closest")
    if length not in ("closest", "shortest"):
        raise ValueError(
            f"--brevity-penalty of {script} must be closest or shortest, got {length!r}"
        )
    options = {
        "preset": "mteval-v13a.pl",
        "reference_length": length,
        "lowercase": "-c" not in given,
    }
    if "--no-smoothing" in given:
        options["smoothing"] = "none"
    if "--international-tokenization" in given:
        options["tokenizer"] = "intl-entities-e" if "-e" in given else "intl-entities"
    elif "-e" in given:
        raise ValueError(f"-e of {script} needs --international-tokenization")
    return options


def rules_of_line(text: str) -> BleuRules | None:
    """Return the rules of a command line, or None for any other text."""
    options = options_of_perl_command(text)
    if options is None:
        return None
    name = options.pop("preset")
    return with_options(BLEU.get(name, NO_PRESET), options, name=name)
