"""The tokenizers that have a name: one record each, from texts to words.

A tokenizer is added here and nowhere else in the package. How a whole column is cut at
once stands in `text/words.py`; one text by itself, where there are few, is cut by methods
of strings and regular expressions.
"""

from __future__ import annotations

from collections.abc import Sequence

from .fields.answers import ANSWER_TOKENIZERS
from .fields.code import CODE_TOKENIZERS
from .fields.fairseq import FAIRSEQ_TOKENIZERS
from .fields.international import INTERNATIONAL_TOKENIZERS
from .fields.ptb import PTB_TOKENIZERS
from .fields.py_rouge import PY_ROUGE_TOKENIZERS
from .fields.xlsum import XLSUM_TOKENIZERS
from .mteval_13a import OF_13A, OF_13A_OR_EMPTY, OF_UNSTRIPPED_13A, OF_UNSTRIPPED_13A_OF_CASE
from .of_sacrebleu import SACREBLEU_TOKENIZERS
from .rules import Text, TokenizerRules, lowered_if_asked
from .words import (
    ALPHANUMERIC,
    Words,
    blank_separated_words,
    lowered_beyond_ascii,
    words_of_bytes,
    words_of_lists,
)
from .words_of_scripts import words_of_characters

UNSTRIPPED_13A = "13a without rstrip"
UNSTRIPPED_13A_OF_CASE = "13a without rstrip, then lowercased"

# ALPHANUMERIC with a space for each other byte.
_SPACED = {lowercase: table.replace(b"\0", b" ") for lowercase, table in ALPHANUMERIC.items()}
_SMALL_OF_CAPITAL = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


# --- runs of ASCII letters and digits -------------------------------------------------


def _rouge_score_column(texts: Sequence[str], lowercase: bool) -> Words:
    # Two characters outside ASCII have ASCII letters in their lowercase form: U+0130 and
    # U+212A.
    texts = lowered_beyond_ascii(texts, lowercase)
    return words_of_bytes(texts, ALPHANUMERIC[lowercase])


def _rouge_score_text(text: str, lowercase: bool) -> list[str]:
    return _rouge155_text(text.lower() if lowercase else text, False)


def _rouge155_column(texts: Sequence[str], lowercase: bool) -> Words:
    return words_of_bytes(texts, ALPHANUMERIC[lowercase])


def _rouge155_text(text: str, lowercase: bool) -> list[str]:
    return text.encode().translate(_SPACED[lowercase]).decode("ascii").split()


def _with_small_ascii(text: Text, lowercase: bool) -> Text:
    return text.translated(_SMALL_OF_CAPITAL) if lowercase else text


# --- runs of letters, digits and marks of any script ----------------------------------


def _unicode_column(texts: Sequence[str], lowercase: bool) -> Words:
    if all(map(str.isascii, texts)):
        return words_of_bytes(texts, ALPHANUMERIC[lowercase])
    # Lowercasing comes first: the form of a final sigma depends on what follows, which
    # is cut off later.
    return words_of_characters(list(map(str.lower, texts)) if lowercase else texts)


def _unicode_text(text: str, lowercase: bool) -> list[str] | None:
    return _rouge_score_text(text, lowercase) if text.isascii() else None


# --- what stands between blanks -------------------------------------------------------


def _whitespace_text(text: str, lowercase: bool) -> list[str]:
    return (text.lower() if lowercase else text).split()


def _char_column(texts: Sequence[str], lowercase: bool) -> Words:
    words = blank_separated_words(texts, lowercase)
    return words.split(words_of_lists(words.vocabulary.to_pylist()))


def _char_text(text: str, lowercase: bool) -> list[str]:
    return list("".join(_whitespace_text(text, lowercase)))


# --- the table ------------------------------------------------------------------------

TOKENIZERS: dict[str, TokenizerRules] = {
    # google-research rouge_score, tokenize.py
    "rouge_score": TokenizerRules(
        words_of_column=_rouge_score_column,
        words_of_text=_rouge_score_text,
        rewritten=lowered_if_asked,
        keeps_ascii_only=True,
        separates_sentences=True,
    ),
    # The Perl script ROUGE-1.5.5, which lowercases A-Z only.
    "rouge-1.5.5": TokenizerRules(
        words_of_column=_rouge155_column,
        words_of_text=_rouge155_text,
        rewritten=_with_small_ascii,
        keeps_ascii_only=True,
        separates_sentences=True,
    ),
    # In scripts written without spaces each letter with its marks.
    "unicode": TokenizerRules(
        words_of_column=_unicode_column,
        words_of_text=_unicode_text,
        rewritten=lowered_if_asked,
        separates_sentences=True,
    ),
    "13a": OF_13A,
    UNSTRIPPED_13A: OF_UNSTRIPPED_13A,
    UNSTRIPPED_13A_OF_CASE: OF_UNSTRIPPED_13A_OF_CASE,
    "pymteval": OF_13A_OR_EMPTY,
    # Each character that is not white space.
    "char": TokenizerRules(
        words_of_column=_char_column,
        words_of_text=_char_text,
        rewritten=lowered_if_asked,
        separates_sentences=True,
    ),
    # What `str.split` returns.
    "whitespace": TokenizerRules(
        words_of_column=blank_separated_words,
        words_of_text=_whitespace_text,
        rewritten=lowered_if_asked,
        warns_of_unspaced=True,
        separates_sentences=True,
    ),
    **CODE_TOKENIZERS,
    **INTERNATIONAL_TOKENIZERS,
    **PTB_TOKENIZERS,
    **XLSUM_TOKENIZERS,
    **PY_ROUGE_TOKENIZERS,
    **FAIRSEQ_TOKENIZERS,
    **ANSWER_TOKENIZERS,
    **SACREBLEU_TOKENIZERS,
}
