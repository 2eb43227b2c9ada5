"""The Penn Treebank tokenizer that pycocoevalcap runs before it scores captions.

It is that of Stanford CoreNLP 3.4.1, a program in Java, whose archive the package ships:
its words are in small letters, and marks such as commas, full stops and quotes are
dropped; brackets arrive as -lrb- and -rrb- and stay. One process cuts all texts of a
corpus. Where a program for lines would see another one, as at a form feed, stands a blank.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from ..rules import TokenizerRules, lowered_if_asked
from ..words import Words, words_of_lists

_JAR = Path("tokenizer") / "stanford-corenlp-3.4.1.jar"
_CLASS = "edu.stanford.nlp.process.PTBTokenizer"
_DROPPED = frozenset("'' ' `` ` -LRB- -RRB- -LCB- -RCB- . ? ! , : - -- ... ;".split())
_LINE_ENDS = dict.fromkeys(map(ord, "\n\r\x0b\x0c\x85\u2028\u2029"), " ")


def check_ptb() -> Path:
    """Return the archive; an ImportError says what is missing."""
    spec = find_spec("pycocoevalcap")
    folders = [] if spec is None else list(spec.submodule_search_locations or ())
    jars = [Path(folder) / _JAR for folder in folders]
    if not any(jar.is_file() for jar in jars):
        raise ImportError("tokenizer 'ptb' is that of pycocoevalcap: pip install pycocoevalcap")
    if shutil.which("java") is None:
        raise ImportError(
            "tokenizer 'ptb' is a program in Java: install a Java runtime, such as "
            "openjdk-17-jre-headless, so that `java` is found"
        )
    return next(jar for jar in jars if jar.is_file())


def ptb_lines(texts: Sequence[str]) -> list[str]:
    """Return the tokens of each text, with a blank between them."""
    lines = [text.translate(_LINE_ENDS) for text in texts]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "texts"
        path.write_bytes("\n".join([*lines, ""]).encode())
        command = ["java", "-Dfile.encoding=UTF-8", "-cp", str(check_ptb()), _CLASS]
        run = subprocess.run(
            [*command, "-preserveLines", "-lowerCase", "-encoding", "UTF-8", str(path)],
            capture_output=True,
            check=False,
        )
    cut = run.stdout.decode(errors="replace").split("\n")[: len(lines)]
    if run.returncode or len(cut) < len(lines):
        reason = run.stderr.decode(errors="replace").strip()[-300:]
        raise RuntimeError(f"tokenizer 'ptb' failed: {reason or 'too few lines'}")
    return [" ".join(_kept(line)) for line in cut]


def _kept(line: str) -> list[str]:
    return [word for word in line.rstrip().split(" ") if word not in _DROPPED]


def _words_of_column(texts: Sequence[str], lowercase: bool) -> Words:
    return words_of_lists([line.split() for line in ptb_lines(texts)])


PTB_TOKENIZERS = {
    "ptb": TokenizerRules(
        words_of_column=_words_of_column,
        words_of_text=None,
        rewritten=lowered_if_asked,
        lowercases_words=True,
        is_thread_safe=False,
        is_program=True,
        check_installed=check_ptb,
        package="pycocoevalcap",
    )
}
