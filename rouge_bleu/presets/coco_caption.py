"""ROUGE_L, BLEU and the tokens of coco-caption, in pycocoevalcap 1.2, found by running it.

ROUGE_L: two spaces make an empty word, an empty text is one. With several references the highest
precision and recall count, of any reference.

BLEU: p_n = (m_n + e) / (t_n + s), e = 1e-15, s = 1e-9,
and BP = min(1, exp(1 - 1 / q)), q = (c + e) / (r + s).

Tokens: the tokenizer "ptb" is the Penn Treebank tokenizer of Stanford CoreNLP 3.4.1.

tests/presets/test_coco_caption.py and tests/test_recorded.py run the package;
tests/golden/peers.json has its scores.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from .._bleu.rules import FIXED_BY_FORMULA, BleuRules
from .._bleu.smoothing import Formula
from .._rouge.options import RougeOptions
from .._rouge.rules import RougeRules, defaults
from ..rouge_types import LCS, NGRAMS, by_name
from ..text.tokenizer_rules import TokenizerRules
from ..text.tokenizers import unfiltered_tokens
from ..tokens import tokens_of_lists
from . import files_of_package

# --- tokens ---------------------------------------------------------------------------------------

_JAR = "tokenizer/stanford-corenlp-3.4.1.jar"
_JAVA_CLASS = "edu.stanford.nlp.process.PTBTokenizer"
_DROPPED = frozenset("'' ' `` ` -LRB- -RRB- -LCB- -RCB- . ? ! , : - -- ... ;".split())
# A space replaces characters that end a line in some programs, such as a form feed.
_SPACE_OF_LINE_END = dict.fromkeys(map(ord, "\n\r\x0b\x0c\x85\u2028\u2029"), " ")


def checked_ptb_jar() -> Path:
    """Return the Java archive; an ImportError names a missing package."""
    (jar,) = files_of_package("tokenizer 'ptb'", "pycocoevalcap", "pycocoevalcap", _JAR)
    if shutil.which("java") is None:
        raise ImportError("tokenizer 'ptb' needs Java on the PATH, as of openjdk-17-jre-headless")
    return jar


def ptb_tokenized_lines(texts: Sequence[str]) -> list[str]:
    """Return the tokens of each text, with a space between them; one process tokenizes all."""
    lines = [text.translate(_SPACE_OF_LINE_END) for text in texts]
    command = ["java", "-Dfile.encoding=UTF-8", "-cp", str(checked_ptb_jar()), _JAVA_CLASS]
    run = subprocess.run(
        [*command, "-preserveLines", "-lowerCase", "-encoding", "UTF-8"],
        input="\n".join([*lines, ""]).encode(),
        capture_output=True,
        check=False,
    )
    tokenized = run.stdout.decode(errors="replace").split("\n")[: len(lines)]
    if run.returncode or len(tokenized) < len(lines):
        reason = run.stderr.decode(errors="replace").strip()[-300:]
        raise RuntimeError(f"tokenizer 'ptb' failed: {reason or 'too few lines'}")
    rows = [line.rstrip().split(" ") for line in tokenized]
    return [" ".join(word for word in row if word not in _DROPPED) for row in rows]


TOKENIZERS = {
    "ptb": TokenizerRules(
        words_of_column=lambda texts, lowercase: tokens_of_lists(
            [line.split() for line in ptb_tokenized_lines(texts)]
        ),
        lowercases_words=True,
        is_thread_safe=False,
        is_program=True,
        check_installed=checked_ptb_jar,
        package="pycocoevalcap",
    )
}


def _tokenized_sentences(texts: list[str], options: RougeOptions) -> list[list[list[str]]]:
    """Tokens of tokenizers other than "whitespace" are left unchanged."""
    if options.tokenizer_name == "whitespace":
        return [[text.split(" ")] for text in texts]
    if options.tokenizer_name == "ptb":
        return [[line.split(" ")] for line in ptb_tokenized_lines(texts)]
    tokenizer = options.token_rules(is_tokenized=False)
    return [[row or [""]] for row in unfiltered_tokens(texts, tokenizer).to_lists()]


ROUGE = {
    "coco-caption": RougeRules(
        about=("ROUGE_L of pycocoevalcap 1.2 and nlg-eval", "captions, data to text", "1e-12"),
        options=defaults(
            "rougeL", tokenizer="whitespace", lowercase=False, beta=1.2, multi_reference="separate"
        ),
        sentences=_tokenized_sentences,
        no_words=("",),
        families=by_name(NGRAMS, LCS),
        fixed_options=frozenset(
            "sentence_splitter cross_sentences summary_lcs zero_division".split()
        ),
    )
}

_E, _S = 1e-15, 1e-9
_FORMULA = Formula(
    lambda statistics, n_orders, value: (
        (statistics.matches[:n_orders] + _E) / (statistics.totals[:n_orders] + _S)
    ),
    penalty=lambda c, r: np.exp(np.minimum(1.0 - 1.0 / ((c + _E) / (r + _S)), 0.0)),
)
BLEU = {
    "coco-caption": BleuRules(
        about=(
            "Bleu_1 to Bleu_4 of pycocoevalcap 1.2 and nlg-eval",
            "captions, data to text",
            "1e-12",
        ),
        options={
            "tokenizer": "whitespace",
            "weights": {"bleu": [1, 1, 1, 1], "bleu_1": [1], "bleu_2": [1, 1], "bleu_3": [1, 1, 1]},
        },
        formulas={"none": _FORMULA},
        fixed_options=FIXED_BY_FORMULA,
    )
}
