"""Tokenizer "ptb": its errors if pycocoevalcap or Java is missing, and how often it starts."""

from pathlib import Path
from subprocess import CompletedProcess

import pytest

from rouge_bleu import bleu, rouge
from rouge_bleu.corpus import checked_corpus
from rouge_bleu.text import other_packages


def test_the_error_says_what_to_install(bleu_full, monkeypatch):
    monkeypatch.setattr(other_packages, "find_spec", lambda name: None)
    with pytest.raises(ImportError, match="pip install pycocoevalcap"):
        bleu_full.compute(predictions=["a"], references=["a"], tokenizer="ptb")


@pytest.fixture
def jar(monkeypatch, tmp_path):
    """The archive of a package that is there."""

    class Spec:
        submodule_search_locations = (str(tmp_path),)

    jar = tmp_path / "tokenizer" / "stanford-corenlp-3.4.1.jar"
    jar.parent.mkdir()
    jar.touch()
    monkeypatch.setattr(other_packages, "find_spec", lambda name: Spec)
    return jar


def test_java_is_needed_too(monkeypatch, jar):
    monkeypatch.setattr(other_packages.shutil, "which", lambda name: None)
    with pytest.raises(ImportError, match="needs Java"):
        other_packages.check_ptb()
    monkeypatch.setattr(other_packages.shutil, "which", lambda name: "/usr/bin/java")
    assert other_packages.check_ptb() == jar


@pytest.fixture
def starts(monkeypatch, jar):
    """The commands that start Java, whose program is one that lowercases here."""
    commands = []

    def run(command, **options):
        commands.append(command)
        return CompletedProcess(command, 0, Path(command[-1]).read_bytes().lower(), b"")

    monkeypatch.setattr(other_packages.shutil, "which", lambda name: "/usr/bin/java")
    monkeypatch.setattr(other_packages.subprocess, "run", run)
    return commands


@pytest.mark.parametrize("function", [bleu, rouge])
def test_one_process_cuts_a_corpus(starts, jar, function):
    """A corpus of several chunks, of which each would start it anew."""
    data = {"predictions": ["A b , c " * 200] * 1000, "references": ["a B c d " * 200] * 1000}
    data["predictions"][0] = "d c"
    assert len(checked_corpus(**data).chunks()) > 2
    found = function(**data, preset="coco-caption", tokenizer="ptb", use_aggregator=False)
    assert [command[:4] for command in starts] == [
        ["java", "-Dfile.encoding=UTF-8", "-cp", str(jar)]
    ]
    lowered = {
        side: [text.lower().replace(" ,", "").strip() for text in column]
        for side, column in data.items()
    }
    assert found == function(**lowered, preset="coco-caption", use_aggregator=False)


def test_given_tokens_start_nothing(starts):
    tokens = {"predictions": [["a", "b"]], "references": [["a", "c"]]}
    for function in (bleu, rouge):
        function(**tokens, preset="coco-caption", tokenizer="ptb")
    assert starts == []


@pytest.mark.parametrize(
    ("status", "said", "message"),
    [(1, b"no memory\n", "failed: no memory"), (0, b"", "failed: too few lines")],
)
def test_a_program_that_fails_is_an_error(starts, monkeypatch, status, said, message):
    ended = CompletedProcess([], status, b"a\n", said)
    monkeypatch.setattr(other_packages.subprocess, "run", lambda *_, **__: ended)
    with pytest.raises(RuntimeError, match=rf"^tokenizer 'ptb' {message}$"):
        bleu(["a", "b"], ["a", "b"], tokenizer="ptb")
