"""The tokenizers of an installed sacreBLEU, under their names there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial

from .rules import TokenizerRules, lowered_if_asked
from .words import Words, words_of_lists


@lru_cache(maxsize=8)
def sacrebleu_tokenizer(name: str) -> Callable[[str], list[str]]:
    """Return one of sacreBLEU's tokenizers as a function from a text to its tokens.

    An ImportError says what is missing.
    """
    try:
        from sacrebleu.metrics import BLEU
    except ImportError as error:
        raise ImportError(
            f"tokenizer {name!r} is one of sacreBLEU's: pip install sacrebleu"
        ) from error
    try:
        tokenizer = BLEU(tokenize=name).tokenizer
    except (ImportError, RuntimeError, OSError, AttributeError, AssertionError) as error:
        # A package or a model that only this tokenizer needs is missing; the last two are
        # those of another MeCab or dictionary.
        why = " ".join(str(error).split())
        extra, is_mecab, _ = name.partition("-mecab")
        if is_mecab and "pip install" not in why:
            why += f": pip install 'sacrebleu[{extra}]'"
        raise ImportError(f"tokenizer {name!r} of sacreBLEU cannot be used: {why}") from error
    return lambda text: tokenizer(text.rstrip()).split()


def _words_of_column(name: str, texts: Sequence[str], lowercase: bool) -> Words:
    tokenize = sacrebleu_tokenizer(name)
    return words_of_lists([tokenize(text.lower() if lowercase else text) for text in texts])


SACREBLEU_TOKENIZERS = {
    name: TokenizerRules(
        words_of_column=partial(_words_of_column, name),
        words_of_text=None,
        rewritten=lowered_if_asked,
        is_thread_safe=False,  # for what some of them keep
        check_installed=partial(sacrebleu_tokenizer, name),
        package="sacrebleu",
    )
    for name in (
        *("none", "intl", "zh", "ja-mecab", "ko-mecab"),
        *("spm", "flores101", "flores200", "spBLEU-1K"),
    )
}
