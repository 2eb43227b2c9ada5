"""Texts -> lines of one sentence each -> the tokens of each line by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..arrays import Ragged, flattened
from ..messages import check_encodable
from ..tokens import Tokens
from .sentence_splitting import split_sentences
from .tokenizers import TokenizerOptions, checked_strings, tokenized

SentenceSplitter = Callable[[str], Sequence[str]]


def with_sentence_lines(texts: Sequence[str], splitter: str | SentenceSplitter) -> Sequence[str]:
    """Return the texts with one sentence in each line.

    Parameters
    ----------
    texts : sequence of str
    splitter : str or callable
        "newline" leaves the texts as they are, "sentences" goes by the rules of
        `split_sentences`; or a function from a text to its list of sentences.

    Raises
    ------
    TypeError
        Where a function of the user returns something else than strings.
    ValueError
        Where it returns a string with a lone surrogate.
    """
    if splitter == "newline":
        return texts
    split = split_sentences if isinstance(splitter, str) else splitter
    return [_in_lines(split(text)) for text in texts]


def _in_lines(sentences: Sequence[str]) -> str:
    checked = checked_strings("sentence_splitter", sentences)
    lines = "\n".join(sentence.replace("\n", " ") for sentence in checked)
    check_encodable("sentence_splitter", lines)
    return lines


def tokenized_sentences(texts: Sequence[str], options: TokenizerOptions) -> Tokens:
    """Tokenize each line of each text by itself."""
    if options.separates_sentences:
        return tokenized(texts, options)
    lines_of_text = [[line for line in text.split("\n") if line] for text in texts]
    lines, line_offsets = flattened(lines_of_text)
    tokens = tokenized(lines, options)
    ids = Ragged(tokens.ids.values, tokens.ids.offsets[line_offsets])
    return Tokens(ids, tokens.ids.row_of_value, tokens.n_types)
