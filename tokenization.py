"""Texts -> ragged token ids.

A tokenizer is one of

    "rouge_score"  runs of ASCII letters and digits of the lowercased text (google-research rouge_score, tokenize.py)
    "13a"          the tokenization of mteval-v13a, as sacreBLEU does it (https://www.nist.gov/itl/iad/mig/open-machine-translation-evaluation)
    "char"         every character that is not white space
    "whitespace"   what `str.split` returns
    a callable     `str -> list[str]`, called once per text

The idea of the vectorisation: Arrow holds a column of texts as one buffer of bytes. A table with 256 entries says for each byte
whether it is part of a word and how it is written (lowercase); a word starts where such a byte follows one that is not. All words of the
column then go through one hash table (`dictionary_encode`). Whatever else happens to words (13a, stemming) happens once per *distinct* word.
Python loops run over distinct words, and over texts only for callables and for the rare texts that a table of bytes cannot treat.

Token ids mean something only within one call: two tokens of that call have the same id if and only if they are the same string.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from .ragged import Ragged, Tokens, flattened

Tokenizer = Callable[[str], Sequence[str]]
Stemmer = Callable[[str], str]

# What separates words, as Python's `str.split` sees it: ten ASCII characters, two of Latin-1 and these.
_ASCII_BLANKS = b"\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f "
_OTHER_BLANK = re.compile("[\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")
_BLANK = ord(" ")
_NEWLINE = ord("\n")


@dataclass(frozen=True)
class TokenizerOptions:
    """How texts become tokens.

    Parameters
    ----------
    tokenizer : str or callable
        A name from `TOKENIZER_NAMES`, or `str -> list of str`.
    lowercase : bool
        Whether texts, or given tokens, are lowercased first.
    stem : callable or None
        `str -> str`, applied to every token.
    """

    tokenizer: str | Tokenizer = "rouge_score"
    lowercase: bool = True
    stem: Stemmer | None = None

    @property
    def separates_sentences(self) -> bool:
        """Whether the tokens of a text are those of its lines, put together."""
        return self.tokenizer in ("rouge_score", "char", "whitespace")


def tokenized(texts: Sequence[str] | Sequence[Sequence[str]], options: TokenizerOptions, *, is_tokenized: bool = False) -> Tokens:
    """Tokenize a column of texts; a line is a sentence where the tokenizer separates lines, else each text is one.

    Parameters
    ----------
    texts : sequence of str, or of sequences of str
        With `is_tokenized` the texts are lists of tokens and go to the stemmer as they are.
    """
    if is_tokenized:
        words = _words_of_lists(texts)
        if options.lowercase:
            words = words.renamed(str.lower)
    elif callable(options.tokenizer):
        texts = map(str.lower, texts) if options.lowercase else texts
        words = _words_of_lists([_checked_tokens(options.tokenizer(text)) for text in texts])
    else:
        words = _TOKENIZERS[options.tokenizer](texts, options)
    if options.stem is not None:
        words = words.renamed(options.stem)
    return Tokens(words.ids, words.sentence, len(words.vocabulary))


def tokenized_sentences(texts: Sequence[str] | Sequence[Sequence[str]], options: TokenizerOptions, *, is_tokenized: bool = False) -> Tokens:
    """Tokenize each line of each text by itself; a list of tokens is one sentence."""
    if is_tokenized or options.separates_sentences:
        return tokenized(texts, options, is_tokenized=is_tokenized)
    lines, line_offsets = flattened([[line for line in text.split("\n") if line] for text in texts])
    tokens = tokenized(lines, options)
    ids = Ragged(tokens.ids.values, tokens.ids.offsets[line_offsets])
    return Tokens(ids, tokens.ids.row_of_value, tokens.n_types)


def porter_stemmer() -> Stemmer:
    """Return NLTK's Porter stemmer as rouge_score uses it: on tokens longer than three characters."""
    try:
        from nltk.stem.porter import PorterStemmer
    except ImportError as error:
        raise ImportError("use_stemmer=True needs NLTK's Porter stemmer: pip install nltk") from error
    stemmer = PorterStemmer()
    return lambda token: stemmer.stem(token, to_lowercase=False) if len(token) > 3 else token


# --- words of a column: distinct strings, and which of them stands where ---------------------------------------------


@dataclass(frozen=True)
class _Words:
    """`vocabulary[ids]` are the words of each text; `sentence` as in `Tokens`."""

    vocabulary: pa.Array
    ids: Ragged
    sentence: np.ndarray

    def renamed(self, rename: Callable[[str], str]) -> _Words:
        """Return the words with each of the vocabulary renamed; equal names become one word."""
        encoded = pa.array(map(rename, self.vocabulary.to_pylist()), pa.large_string()).dictionary_encode()
        new_id = encoded.indices.to_numpy().astype(np.int64)
        return _Words(encoded.dictionary, self.ids.with_values(new_id[self.ids.values]), self.sentence)

    def split(self, split_word: Tokenizer) -> _Words:
        """Return the words with each of the vocabulary split into none, one or several."""
        flat, part_offsets = flattened(list(map(split_word, self.vocabulary.to_pylist())))
        encoded = pa.array(flat, pa.large_string()).dictionary_encode()
        part_of_word = Ragged(encoded.indices.to_numpy().astype(np.int64), part_offsets)
        index, offsets_of_word = part_of_word.index_of_rows(self.ids.values)
        ids = Ragged(part_of_word.values[index], offsets_of_word[self.ids.offsets])
        sentence = np.repeat(self.sentence, part_of_word.lengths[self.ids.values])
        return _Words(encoded.dictionary, ids, sentence)


def _words_of_lists(lists: Sequence[Sequence[str]]) -> _Words:
    flat, offsets = flattened(lists)
    encoded = pa.array(flat, pa.large_string()).dictionary_encode()
    ids = Ragged(encoded.indices.to_numpy().astype(np.int64), offsets)
    return _Words(encoded.dictionary, ids, ids.row_of_value)


def _words_of_bytes(texts: Sequence[str], byte_table: np.ndarray) -> _Words:
    """Return the words of each text: runs of bytes that `byte_table` does not map to a blank; lines are sentences.

    Words are cut from one start to the next, blanks behind a word included, since that needs no copy of the words alone. The
    few blanks that are in the vocabulary then are taken off there.
    """
    column = pa.array(texts, pa.large_string())
    text_offsets = np.frombuffer(column.buffers()[1], dtype=np.int64)[: len(texts) + 1]
    raw = np.frombuffer(column.buffers()[2] or b"", dtype=np.uint8)[: text_offsets[-1]]
    mapped = byte_table.take(raw)

    in_word = mapped != _BLANK
    is_start = in_word.copy()
    np.greater(in_word[1:], in_word[:-1], out=is_start[1:])
    first_byte = text_offsets[:-1][np.diff(text_offsets) > 0]
    is_start[first_byte] = in_word[first_byte]  # a text's last word does not go on in the next text
    start = np.flatnonzero(is_start)
    offsets = np.searchsorted(start, text_offsets)

    word_offsets = np.append(start, len(mapped))
    words = pa.LargeStringArray.from_buffers(len(start), pa.py_buffer(word_offsets), pa.py_buffer(mapped))
    encoded = words.dictionary_encode()
    trimmed = pc.ascii_rtrim(encoded.dictionary, characters=" ").dictionary_encode()
    new_id = trimmed.indices.to_numpy().astype(np.int64)
    ids = Ragged(new_id[encoded.indices.to_numpy()], offsets)

    line_end = np.flatnonzero(raw == _NEWLINE)
    sentence_end = np.searchsorted(start, np.sort(np.concatenate([line_end, text_offsets[1:]])))
    sentence = np.repeat(np.arange(len(sentence_end)), np.diff(sentence_end, prepend=0))
    return _Words(trimmed.dictionary, ids, sentence)


def _byte_table(kept: bytes, *, lowercase: bool) -> np.ndarray:
    """Return what each byte is written as: itself where `kept` has it, else a blank; with `lowercase` A-Z become a-z."""
    table = np.full(256, _BLANK, dtype=np.uint8)
    table[list(kept)] = list(kept.lower() if lowercase else kept)
    return table


_DIGITS_AND_LETTERS = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_ALL_BUT_BLANKS = bytes(set(range(256)) - set(_ASCII_BLANKS))
_ALPHANUMERIC = {lowercase: _byte_table(_DIGITS_AND_LETTERS, lowercase=lowercase) for lowercase in (True, False)}
_NOT_BLANK = _byte_table(_ALL_BUT_BLANKS, lowercase=False)


# --- the tokenizers --------------------------------------------------------------------------------------------------


def _rouge_score_words(texts: Sequence[str], options: TokenizerOptions) -> _Words:
    if options.lowercase:  # two characters outside ASCII have ASCII letters in their lowercase form: U+0130 and U+212A
        texts = _replaced_where(_is_not_ascii, str.lower, texts)
    return _words_of_bytes(texts, _ALPHANUMERIC[options.lowercase])


def _whitespace_words(texts: Sequence[str], options: TokenizerOptions) -> _Words:
    texts = _replaced_where(_is_not_ascii, partial(_OTHER_BLANK.sub, " "), texts)
    words = _words_of_bytes(texts, _NOT_BLANK)
    # What `str.lower` does to a letter may depend on its neighbours, but on nothing beyond a blank.
    return words.renamed(str.lower) if options.lowercase else words


def _char_words(texts: Sequence[str], options: TokenizerOptions) -> _Words:
    return _whitespace_words(texts, options).split(list)


def _13a_words(texts: Sequence[str], options: TokenizerOptions) -> _Words:
    if options.lowercase:  # before lines are joined: the form of a final sigma depends on the end of its word
        texts = _replaced_where(_needs_13a_joining, str.lower, texts)
    words = _whitespace_words(_replaced_where(_needs_13a_joining, _13a_joined_lines, texts), options)
    return words.split(_13a_tokens)


_13A_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))
_13A_SPLITS = (
    (re.compile(r"([!-&(-+:-@\[-`{-~/])"), r" \1 "),  # ASCII punctuation and symbols, but not ' , - and .
    (re.compile(r"([^0-9])([.,])"), r"\1 \2 "),  # , and . not behind a digit
    (re.compile(r"([.,])([^0-9])"), r" \1 \2"),  # , and . not before a digit
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),  # - behind a digit
)


def _needs_13a_joining(text: str) -> bool:
    return "\n" in text or "<skipped>" in text


def _13a_joined_lines(text: str) -> str:
    """Return the text in one line; what is done here needs to see more than one word."""
    return text.rstrip().replace("<skipped>", "").replace("-\n", "").replace("\n", " ")


@lru_cache(maxsize=1 << 17)
def _13a_tokens(word: str) -> list[str]:
    """Return the 13a tokens of a word.

    A text can be treated word by word, because a pass takes a blank into a match from one side only: the second from the left, the
    third from the right. So no two words compete for the blank between them.
    """
    if "&" in word:
        for entity, character in _13A_ENTITIES:
            word = word.replace(entity, character)
    word = f" {word} "
    for pattern, replacement in _13A_SPLITS:
        word = pattern.sub(replacement, word)
    return word.split()


_TOKENIZERS: dict[str, Callable[[Sequence[str], TokenizerOptions], _Words]] = {
    "rouge_score": _rouge_score_words,
    "13a": _13a_words,
    "char": _char_words,
    "whitespace": _whitespace_words,
}
TOKENIZER_NAMES = tuple(_TOKENIZERS)


def _replaced_where(is_concerned: Callable[[str], bool], replace: Callable[[str], str], texts: Sequence[str]) -> Sequence[str]:
    """Return the texts with `replace` applied to those that are concerned, few as a rule."""
    return [replace(text) if is_concerned(text) else text for text in texts]


def _is_not_ascii(text: str) -> bool:
    return not text.isascii()


def _checked_tokens(tokens: Sequence[str]) -> Sequence[str]:
    if not isinstance(tokens, (list, tuple)) or not all(isinstance(token, str) for token in tokens):
        raise TypeError(f"tokenizer must return a list of strings for each text, got {tokens!r:.80}")
    return tokens
