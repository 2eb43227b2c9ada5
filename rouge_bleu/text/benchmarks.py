"""Tokenizers of other packages and benchmarks, written from their output, without their code.

codexglue   runs of letters and digits of any script; every other character is a token, as in
            CodeXGLUE's code-to-text task and CodeNN
conala      runs of A-Z, a-z, 0-9 and _, split between a lowercase and an uppercase
            letter; quotes become backticks (Ling et al. 2016, https://aclanthology.org/P16-1057)
py-rouge    runs of a-z and 0-9; NLTK's tokenizer splits five of them, such as gimme
fairseq     split at spaces, with </s> at the end; <unk> never matches
parlai      lowercased, ASCII punctuation replaced by spaces, the words a, an and the removed
squad       like parlai, but punctuation is deleted, so "well-known" becomes one word
others      tokenizers of an installed sacreBLEU, under the same names
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from importlib.util import find_spec
from itertools import count
from pathlib import Path

from .rules import TokenizerRules, lowered, lowered_source, rules_of_parts, rules_of_texts
from .words import ALPHANUMERIC, Words, lowered_beyond_ascii, words_of_bytes

# --- codexglue, conala ----------------------------------------------------------------

_CODEXGLUE = re.compile(r"[^\W_]+|\S")
_CONALA = re.compile(r"[A-Za-z0-9_](?:[a-z0-9_]|(?<![a-z])[A-Z])*|\S")


# --- files -----------------------------------------------------------------------------


def files_of_package(package: str, *names: str) -> list[Path]:
    """Return files of an installed package, or none if one of them is missing."""
    spec = find_spec(package)
    folders = [] if spec is None else list(spec.submodule_search_locations or ())
    paths = [Path(folder) / name for folder in folders for name in names]
    return paths if all(map(Path.is_file, paths)) else []


# --- py-rouge -------------------------------------------------------------------------

_ALPHANUMERIC_RUN = re.compile("[0-9A-Za-z]+")
_SPLIT_WORDS = frozenset(("gimme", "gonna", "gotta", "lemme", "wanna"))  # each after three letters


def _py_rouge_parts(word: str) -> list[str]:
    return [word[:3], word[3:]] if word.lower() in _SPLIT_WORDS else [word]


def _py_rouge_column(texts: Sequence[str], lowercase: bool) -> Words:
    texts = lowered_beyond_ascii(texts, lowercase)
    return words_of_bytes(texts, ALPHANUMERIC[lowercase]).split(_py_rouge_parts)


# --- fairseq --------------------------------------------------------------------------

_END, _PADDING, _UNKNOWN = "</s>", "<pad>", "<unk>"
_NUMBERS = count()


def _fairseq_words(text: str) -> list[str]:
    words = [*text.split(), _END]
    while words[0] == _PADDING:
        del words[0]
    while len(words) > 1 and words[-1] in (_END, _PADDING):
        words.pop()
    # All of these words are distinct.
    return [f"{_UNKNOWN} {next(_NUMBERS)}" if word == _UNKNOWN else word for word in words]


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


# --- sacreBLEU ------------------------------------------------------------------------

SACREBLEU_NAMES = (
    *("none", "intl", "zh", "ja-mecab", "ko-mecab"),
    *("spm", "flores101", "flores200", "spBLEU-1K"),
)


@lru_cache(maxsize=8)
def sacrebleu_tokenizer(name: str) -> Callable[[str], list[str]]:
    """Return one of sacreBLEU's tokenizers; an ImportError names a missing package."""
    try:
        from sacrebleu.metrics import BLEU
    except ImportError as error:
        raise ImportError(f"tokenizer {name!r} needs sacreBLEU: pip install sacrebleu") from error
    try:
        tokenizer = BLEU(tokenize=name).tokenizer
    except (ImportError, RuntimeError, OSError, AttributeError, AssertionError) as error:
        # A package or a model that only this tokenizer needs is missing; the last two errors
        # come from another version of MeCab or its dictionary.
        why = " ".join(str(error).split())
        extra, is_mecab, _ = name.partition("-mecab")
        if is_mecab and "pip install" not in why:
            why += f": pip install 'sacrebleu[{extra}]'"
        raise ImportError(f"tokenizer {name!r} of sacreBLEU cannot be used: {why}") from error
    return lambda text: tokenizer(text.rstrip()).split()


def _sacrebleu_words(name: str, text: str) -> list[str]:
    return sacrebleu_tokenizer(name)(text)


# --- the records ----------------------------------------------------------------------

OTHER_TOKENIZERS = {
    "codexglue": rules_of_parts(_CODEXGLUE.findall),
    "conala": rules_of_parts(
        lambda text: _CONALA.findall(text.replace('"', "`").replace("'", "`")),
        rewritten=lambda text, lowercase: lowered_source(text, lowercase).replaced("[\"']", "`"),
        lowercases_words=True,
    ),
    "py-rouge": TokenizerRules(
        words_of_column=_py_rouge_column,
        words_of_text=lambda text, lowercase: [
            part
            for word in _ALPHANUMERIC_RUN.findall(lowered(text, lowercase))
            for part in _py_rouge_parts(word)
        ],
        keeps_ascii_only=True,
        separates_sentences=True,
    ),
    "fairseq": rules_of_texts(_fairseq_words, warns_of_unspaced=True),
    "parlai": _rules_of_answers(" "),
    "squad": _rules_of_answers(""),
    **{
        name: rules_of_texts(
            partial(_sacrebleu_words, name),
            is_thread_safe=False,  # some of them keep state
            check_installed=partial(sacrebleu_tokenizer, name),
            package="sacrebleu",
        )
        for name in SACREBLEU_NAMES
    },
}
