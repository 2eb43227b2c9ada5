"""The Perl script ROUGE-1.5.5.pl, found by running it: none of its code is here.

`readers.py` has what it reads, `families.py` what it counts, `averages.py` what it prints, and
`command_line.py` reads its command lines. Differences from Lin 2004
(https://aclanthology.org/W04-1013) are named there. tests/golden/rouge155.json has figures that it printed.
"""

from __future__ import annotations

from typing import Any

from ..._rouge.rules import POOLED, RougeRules, defaults
from ...corpus import Corpus
from ...messages import warn_caller
from ...text.stemming import plain_rouge155_stemmer
from .. import with_options
from .averages import AS_PRINTED, as_printed
from .command_line import options_of_rouge155_command
from .families import WEIGHTED, families
from .readers import Rouge155Pairs


def _warn_of_differences(options: Any, corpus: Corpus) -> None:
    """Warn if the script would use a different stemmer or confidence level."""
    if options.stemmer is plain_rouge155_stemmer():
        warn_caller(
            "-m is stemming without WordNet's exception lists: ROUGE-1.5.5.pl stems irregular words "
            "such as 'went' differently. For its scores, pass stemmer=metric.rouge155_stemmer(folder) "
            "with the folder of the lists, or pass stemmer='rouge-1.5.5' to hide this warning."
        )
    if options.use_stemmer:
        warn_caller(
            "use_stemmer=True is NLTK's Porter stemmer, which differs from -m of ROUGE-1.5.5.pl. Pass "
            "stemmer='rouge-1.5.5', or for irregular words stemmer=metric.rouge155_stemmer(folder) "
            "with WordNet's lists."
        )
    level = options.confidence_level
    is_command = options.preset not in options.presets
    if is_command and level is not None and level < 0.01:  # as in -c 0.95
        warn_caller(
            f"the confidence level is {100 * level:g} %: -c of a command line of ROUGE-1.5.5.pl is in "
            "percent, as in -c 95."
        )


_RULES = RougeRules(
    about=("[ROUGE-1.5.5.pl](rouge-1.5.5.md)", "summaries, DUC, TAC", "five decimals"),
    options=defaults(
        "rouge1 rouge2 rouge3 rouge4 rougeL rougeW-1.2 rougeS4 rougeSU4",
        tokenizer="rouge-1.5.5",
        **POOLED,
    ),
    pairs=Rouge155Pairs,
    families=families(as_printed, WEIGHTED),
    averaging=AS_PRINTED,
    warn=_warn_of_differences,
    decimals=5,
    multi_references=("pooled", "best"),
    takes_one_limit=True,
    fixed_options=frozenset("cross_sentences summary_lcs zero_division seed paired_test".split()),
)
ROUGE = {"rouge-1.5.5": _RULES}


def rules_of_line(text: str) -> RougeRules | None:
    """Return the rules of a command line, or None for any other text."""
    command = options_of_rouge155_command(text)
    if command is None:
        return None
    options, needs_stopwords = command
    return with_options(_RULES, options, name="rouge-1.5.5", needs_stopwords=needs_stopwords)
