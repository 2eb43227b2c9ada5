"""What macOS and Windows lack, imitated: fork, an encoding that is UTF-8, line ends of one character.

A clone without symbolic links is in tests/metric/test_loading.py.
"""

import os

import pytest

from helpers.programs import run

CORPUS = """
import random
draw = random.Random(0)
words = "the a cat sat on mat dog ran Straße well-known 3.14 end. , Why?".split()
texts = [[" ".join(draw.choices(words, k=30)) for _ in range(4_000)] for _ in range(2)]
"""
WITHOUT_FORK = """
import os
del os.fork
import rouge_bleu
for score in (rouge_bleu.rouge, rouge_bleu.bleu):
    assert score(*texts, n_jobs=2) == score(*texts)
"""
SPAWNED = """
import multiprocessing
import rouge_bleu
with multiprocessing.get_context("spawn").Pool(1) as pool:
    for score in (rouge_bleu.rouge, rouge_bleu.bleu):
        assert pool.apply(score, texts) == score(*texts)
"""


@pytest.mark.parametrize("code", [WITHOUT_FORK, SPAWNED])
def test_processes(code):
    run("-c", CORPUS + code)


def test_files_are_utf_8_with_any_line_ends(tmp_path):
    """Under a locale whose encoding is ASCII, with the line ends of Windows and a byte order mark."""
    environment = os.environ | {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    texts = "Straße 東京\nein Wort\n"
    (tmp_path / "here.txt").write_bytes(texts.encode())
    (tmp_path / "there.txt").write_bytes(b"\xef\xbb\xbf" + texts.replace("\n", "\r\n").encode())
    command = "-m rouge_bleu score here.txt -r there.txt -m bleu --weights 1 --json".split()
    assert '"bleu": 1.0' in run(*command, cwd=tmp_path, env=environment).stdout


def test_output_that_the_terminal_cannot_show(tmp_path):
    environment = os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    command = ("-m", "rouge_bleu", "explain", "東京 a cat", "東京 a dog", "--rouge-types", "rouge1")
    assert "rouge1" in run(*command, cwd=tmp_path, env=environment).stdout
