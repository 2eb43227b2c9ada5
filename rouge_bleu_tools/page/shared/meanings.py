"""What the choices of the page are called, and what each means in one line.

What presets stand for, and tokenizers that are not named here, is read from the cards,
which have a row for each.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

# Each stands by itself, behind the name of the choice.
_TOKENIZERS = {
    "rouge_score": "letters a-z and digits, as Google's rouge_score",
    "rouge-1.5.5": "letters a-z and digits, as the Perl script",
    "unicode": "words of any language",
    "13a": "words and punctuation, as sacreBLEU",
    "char": "each character",
    "whitespace": "what stands between blanks",
    "codexglue": "words and signs of any language, for code summaries",
    "conala": "words and signs of code, as CoNaLa",
    "t2t": "words and signs of any language, as tensor2tensor",
    "intl-entities": "words and signs of any language, as mteval",
    "xlsum": "words and signs of any language, as XL-Sum",
    "xlsum-burmese": "syllables of Burmese, as XL-Sum",
    "intl-entities-e": "the same, each letter beyond ASCII by itself",
}
_SMOOTHINGS = {
    "none": "a length without matches makes BLEU 0",
    "floor": "0.1 in place of no match",
    "add-k": "one added to matches and n-grams of two words or more",
    "exp": "1/2, 1/4, ... in place of no match, as sacreBLEU",
    "chen-cherry-4": "as exp, smaller in short texts",
    "chen-cherry-5": "averaged with the lengths beside it",
    "chen-cherry-6": "estimated from the two shorter lengths",
    "chen-cherry-7": "chen-cherry-4, then chen-cherry-5",
}
_MULTI_REFERENCES = {
    "best": "the one with the highest F counts",
    "average": "the mean over all of them",
    "pooled": "their matches and totals are summed",
    "jackknife": "the mean of the best, with each left out once",
    "separate": "the highest precision and the highest recall",
    "recall": "the one with the highest recall counts",
}
MEANINGS: Mapping[str, Mapping[str, str]] = {
    "tokenizer": _TOKENIZERS,
    "smoothing": _SMOOTHINGS,
    "multi_reference": _MULTI_REFERENCES,
}
MEANING_OF_BLEU = "all precisions and the brevity penalty in one"
_NUMBER_WORDS = {"1": "single words", "2": "pairs of words in a row"}
_ROW_OF_CARD = re.compile(r"^\| `([^`]+)` \| ([^|]+) \|", re.MULTILINE)
_END_OF_CLAUSE = re.compile(r"[,;:]|\. ")
_MAX_MEANING = 60  # characters


def paper_name(rouge_type: str) -> str:
    """Return a rouge type as papers print it.

    >>> paper_name("rouge1"), paper_name("rougeW-1.5")
    ('ROUGE-1', 'ROUGE-W-1.5')
    """
    return f"ROUGE-{rouge_type.removeprefix('rouge')}"


def meaning_of_type(rouge_type: str) -> str:
    """Return what a rouge type compares.

    >>> meaning_of_type("rouge3"), meaning_of_type("rougeS4")
    ('3 words in a row', '2 words in order, at most 4 between')
    """
    kind = rouge_type.removeprefix("rouge")
    if kind.isdigit():
        return meaning_of_order(kind)
    if kind == "L":
        return "words in the same order"
    if kind == "Lsum":
        return "words in the same order, by sentence"
    if kind.startswith("W"):
        return "words in the same order, runs count more"
    skip = kind.lstrip("SU").strip("*")
    between = f"at most {skip} between" if skip else "any number between"
    pairs = f"2 words in order, {between}"
    return f"{pairs}, and single words" if kind.startswith("SU") else pairs


def meaning_of_order(order: int | str) -> str:
    """Return what n-grams of a length are."""
    return _NUMBER_WORDS.get(str(order), f"{order} words in a row")


def meanings_of_card(card: str, section: str) -> dict[str, str]:
    """Return what each row of a section of a metric card means, in its first words.

    >>> meanings_of_card("#### Presets\\n\\n| `a` | the `b` of c, and d | e |", "Presets")
    {'a': 'the b of c'}
    """
    _, _, rows = card.partition(f"#### {section}\n")
    rows = rows.partition("\n#")[0]
    return {
        name: _cut(_END_OF_CLAUSE.split(text.replace("`", ""))[0].strip())
        for name, text in _ROW_OF_CARD.findall(rows)
    }


def _cut(text: str) -> str:
    if len(text) <= _MAX_MEANING:
        return text
    return text[:_MAX_MEANING].rpartition(" ")[0] + " …"


def with_meaning(name: str, meaning: str | None) -> str:
    """Return a choice as a list shows it.

    >>> with_meaning("char", "each character"), with_meaning("new", None)
    ('char: each character', 'new')
    """
    return f"{name}: {meaning}" if meaning else name
