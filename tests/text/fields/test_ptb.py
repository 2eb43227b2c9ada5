"""Tokenizer "ptb": what it says where pycocoevalcap or Java is missing."""

import pytest

from rouge_bleu.text.fields import ptb


def test_the_error_says_what_to_install(bleu_full, monkeypatch):
    monkeypatch.setattr(ptb, "find_spec", lambda name: None)
    with pytest.raises(ImportError, match="pip install pycocoevalcap"):
        bleu_full.compute(predictions=["a"], references=["a"], tokenizer="ptb")


def test_java_is_needed_too(monkeypatch, tmp_path):
    class Spec:
        submodule_search_locations = (str(tmp_path),)

    jar = tmp_path / "tokenizer" / "stanford-corenlp-3.4.1.jar"
    jar.parent.mkdir()
    jar.touch()
    monkeypatch.setattr(ptb, "find_spec", lambda name: Spec)
    monkeypatch.setattr(ptb.shutil, "which", lambda name: None)
    with pytest.raises(ImportError, match="install a Java runtime"):
        ptb.check_ptb()
    monkeypatch.setattr(ptb.shutil, "which", lambda name: "/usr/bin/java")
    assert ptb.check_ptb() == jar
