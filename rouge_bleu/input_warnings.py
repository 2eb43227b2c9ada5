"""Warnings about texts whose scores are probably not what the user wants.

No warning changes a score. Each has a constant text, so Python shows it once. Large corpora are judged
by a sample. Texts of ASCII characters cost one look at each.
"""

from __future__ import annotations

import re
import string
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import accumulate, chain, filterfalse, islice, pairwise
from typing import Any

from .corpus import Corpus
from .messages import warn_caller, was_shown_to_caller
from .text.sentences import has_several_sentences
from .text.tokenizers import cut_words, tokenizer_rules
from .text.words import LETTER_OF_UNSPACED

# Of each side. This is enough to recognize the script; all letters of a large corpus take long.
_N_TEXTS_SAMPLED = 200
_N_CHARACTERS_SAMPLED = 500
_N_TEXTS_SEARCHED_FOR_SENTENCES = 3

_ASCII = re.compile("[\0-\x7f]+")
_NO_LETTERS = bytes(set(range(128)) - set(string.ascii_letters.encode()))
_WORDS_OF_CUT_WORD = 100  # one in fewer is worth a warning
_UNSPACED_LETTER = re.compile(LETTER_OF_UNSPACED)
_SPACES_BETWEEN_UNSPACED = re.compile(  # in a line
    rf"(?<={LETTER_OF_UNSPACED})[^\S\n]+(?={LETTER_OF_UNSPACED})"
)
_MOST_LETTERS_OF_WORD = 8  # on average; fewer where words are separated by spaces
_PUNCTUATED = "aa, bb."

_NO_TOKENS = "No text has a token, so all scores are 0 or zero_division."
_LOST_LETTERS = (
    "The tokenizer drops most letters of these texts: it knows only ASCII letters and digits. "
    "For scripts other than Latin, pass tokenizer='unicode'."
)
_CUT_WORDS = (
    "More than 1 % of the words in these texts lose letters: the default tokenizer, "
    "'rouge_score', knows only ASCII letters and digits and splits 'schön' into 'sch' and 'n'. "
    "Pass tokenizer='unicode' to keep words whole, or tokenizer='rouge_score' to hide this "
    "warning."
)
_UNSPACED = "Most of this text has no spaces between words, and "
_UNSPACED_UNDER_13A = (
    "tokenizer '13a' splits only at spaces and punctuation: BLEU compares whole phrases, and is 0 "
    "if none match. Pass tokenizer='unicode', which makes each character a token, or 'zh' for "
    "Chinese. Pass tokenizer='13a' to hide this warning."
)
_UNSPACED_UNDER_XLSUM = (
    "preset 'xlsum' needs its language: pass language='chinese', 'thai', 'japanese' or "
    "'burmese', as XL-Sum does. It has no segmenter for other languages."
)
_UNSPACED_UNDER_PRESET = (
    "the preset splits only at spaces or punctuation: scores are 0 if no phrase or sentence "
    "matches. Put spaces between words or characters, or pass lists of tokens."
)
_NO_LINES = (
    "rougeLsum treats each line as a sentence. Some texts have several sentences, but each "
    "text is one line, so rougeLsum equals rougeL. Put a newline between sentences, or pass "
    "sentence_splitter='sentences'."
)
_TOKENIZED = (
    "Most predictions look tokenized: they end in ' .' or contain ' , '. The tokenizer splits "
    "punctuation itself, and BLEU of tokenized text differs from published scores. Detokenize "
    "predictions and references, or pass tokenizer='whitespace'."
)


# --- text that a tokenizer drops ------------------------------------------------------


def warn_of_lost_text(corpus: Corpus, options: Any, *, has_tokens: bool) -> None:
    """Warn if no text has a token, unless `has_tokens`, or if most letters are in no token."""
    tokenizer = options.tokenizer_name
    if has_tokens:
        keeps_ascii_only = tokenizer_rules(tokenizer).keeps_ascii_only
        if keeps_ascii_only and not corpus.is_tokenized and _loses_most_letters(_sample(corpus)):
            warn_caller(_LOST_LETTERS)
        return
    texts = chain(corpus.predictions, corpus.references)
    if any(text.strip() for text in texts if isinstance(text, str)):
        remedy = ""
        if options.stopwords:
            remedy = " Check stopwords, which removes tokens."
        elif not callable(tokenizer) and tokenizer != "unicode":
            remedy = " For scripts other than Latin, pass tokenizer='unicode'."
        warn_caller(_NO_TOKENS + remedy)


def _loses_most_letters(texts: Sequence[str]) -> bool:
    """Whether more letters are beyond ASCII than in it."""
    n_lost = sum(map(str.isalpha, _beyond_ascii(texts)))
    encoded = (text.encode("ascii", errors="ignore") for text in texts)
    return not _is_reached(n_lost, (len(text.translate(None, _NO_LETTERS)) for text in encoded))


def warn_of_unfit_tokenizer(corpus: Corpus, options: Any) -> None:
    """Warn if the tokenizer of the default or preset, not chosen by the user, splits words wrongly."""
    is_chosen = options.tokenizer != options.rules.options.get("tokenizer")
    if is_chosen or corpus.is_tokenized:
        return
    if options.tokenizer_name == "rouge_score":
        if _cuts_words(_sample(corpus)):
            warn_caller(_CUT_WORDS)
        return
    rules = tokenizer_rules(options.tokenizer_name)
    if rules.warns_of_unspaced and _is_unspaced(_sample(corpus)):
        effect = _UNSPACED_UNDER_PRESET
        if options.tokenizer is None:
            effect = _UNSPACED_UNDER_13A
        elif options.tokenizer_name == "xlsum":
            effect = _UNSPACED_UNDER_XLSUM
        warn_caller(_UNSPACED + effect)


def _cuts_words(texts: Sequence[str]) -> bool:
    """Whether more than one word in a hundred loses letters, but not most letters are lost."""
    words = chain.from_iterable(map(str.split, filterfalse(str.isascii, texts)))
    count_of_word = Counter(filterfalse(str.isascii, words))
    n_cut = sum(count for word, count in count_of_word.items() if _loses_letters(word))
    if _is_reached(n_cut * _WORDS_OF_CUT_WORD, (len(text.split()) for text in texts)):
        return False
    return not _loses_most_letters(texts)


def _loses_letters(word: str) -> bool:
    """Whether a word has a letter that is not ASCII, or a combining mark after an ASCII letter."""
    word = word.lower()
    if any(letter.isalpha() and not letter.isascii() for letter in word):
        return True
    return any(
        first.isascii() and first.isalnum() and unicodedata.category(second)[0] == "M"
        for first, second in pairwise(word)
    )


def _is_unspaced(texts: Sequence[str]) -> bool:
    """Whether most letters are of scripts without spaces, such as Chinese, and have none."""
    n_letters = len(_UNSPACED_LETTER.findall(_beyond_ascii(texts)))
    if not n_letters:
        return False
    text = "\n".join(texts)
    if n_letters <= sum(map(str.isalpha, _UNSPACED_LETTER.sub("", text))):
        return False
    return len(_SPACES_BETWEEN_UNSPACED.findall(text)) * _MOST_LETTERS_OF_WORD < n_letters


# --- lines and tokenized text ---------------------------------------------------------


def warn_of_missing_lines(corpus: Corpus) -> None:
    """Warn if texts have no newline and one of the first has several sentences."""
    if was_shown_to_caller(_NO_LINES):
        return
    first = islice(chain(corpus.predictions, corpus.references), _N_TEXTS_SEARCHED_FOR_SENTENCES)
    if any(map(has_several_sentences, first)):
        warn_caller(_NO_LINES)


def warn_of_tokenized_predictions(corpus: Corpus, options: Any) -> None:
    """Warn if most predictions look tokenized, and the tokenizer splits punctuation too."""
    tokenizer = options.tokenizer_name
    if corpus.is_tokenized or callable(tokenizer):
        return
    texts = corpus.predictions[:: -(-len(corpus) // _N_TEXTS_SAMPLED)]
    n_tokenized = sum(" , " in text or text.rstrip().endswith(" .") for text in texts)
    if 2 * n_tokenized <= len(texts) or tokenizer_rules(tokenizer).is_program:
        return
    words = cut_words([_PUNCTUATED], tokenizer_rules(tokenizer, lowercase=False))
    if len(words.ids.values) == 4:
        warn_caller(_TOKENIZED)


# --- samples --------------------------------------------------------------------------


def _sample(corpus: Corpus) -> list[str]:
    """Return the starts of some texts of both sides, none if all texts are ASCII."""
    columns = (corpus.predictions, corpus.references)
    if all(map(str.isascii, chain(*columns))):
        return []
    return [
        text[:_N_CHARACTERS_SAMPLED]
        for column in columns
        for text in column[:: -(-len(column) // _N_TEXTS_SAMPLED)]
    ]


def _beyond_ascii(texts: Sequence[str]) -> str:
    """Return the characters that are not ASCII."""
    return _ASCII.sub("", "".join(filterfalse(str.isascii, texts)))


def _is_reached(wanted: int, numbers: Iterable[int]) -> bool:
    """Whether numbers add up to the wanted sum; stops as soon as they do."""
    return not wanted or any(wanted <= total for total in accumulate(numbers))
