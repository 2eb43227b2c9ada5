"""Preset "coco-caption", and its tokenizer "ptb" with a Java that lowercases."""

import math
import shutil
from subprocess import CompletedProcess
from types import SimpleNamespace

import numpy as np
import pytest

from helpers.published import ITEMS, PEERS, values
from rouge_bleu import bleu, explain_bleu, presets, rouge
from rouge_bleu.corpus import checked_corpus
from rouge_bleu.presets import coco_caption
from rouge_bleu.presets.coco_caption import ptb_tokenized_lines

COCO = {"preset": "coco-caption"}


def test_an_explanation_of_coco_gives_the_factors():
    item = ITEMS[0]
    explanation = explain_bleu(item["prediction"], item["references"], **COCO)
    expected = values("pycocoevalcap scorers, one segment (a1)")["Bleu_1..4"]
    found = [explanation[name] for name in ("bleu_1", "bleu_2", "bleu_3", "bleu")]
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    precisions = [entry["precision"] for entry in explanation["orders"]]
    product = np.prod(precisions) ** 0.25 * explanation["brevity_penalty"]
    assert explanation["bleu"] == pytest.approx(product, rel=1e-12)


@pytest.mark.parametrize(
    ("option", "value"), [("smoothing", "exp"), ("zero_division", math.nan), ("smooth", True)]
)
def test_what_the_formula_of_coco_says_is_no_option(option, value):
    with pytest.raises(ValueError, match=f"{option} must be .* with preset='coco-caption'"):
        bleu(["a"], ["a"], **COCO, **{option: value})


def test_the_word_of_an_empty_list_is_the_empty_one():
    assert rouge([[]], [[[]]], **COCO, rouge_types=["rougeL"]) == {"rougeL": 1.0}


# --- ptb ------------------------------------------------------------------------------------------


@pytest.fixture
def starts(monkeypatch, tmp_path):
    """The commands that start Java, which lowercases here, with the archive of a package."""
    commands = []

    def run(command, **options):
        commands.append(command)
        return CompletedProcess(command, 0, options["input"].lower(), b"")

    jar = tmp_path / "tokenizer" / "stanford-corenlp-3.4.1.jar"
    jar.parent.mkdir()
    jar.touch()
    spec = SimpleNamespace(submodule_search_locations=(str(tmp_path),))
    monkeypatch.setattr(presets, "find_spec", lambda name: spec)
    monkeypatch.setattr(coco_caption.shutil, "which", lambda name: "/usr/bin/java")
    monkeypatch.setattr(coco_caption.subprocess, "run", run)
    return commands


@pytest.mark.parametrize(
    ("missing", "named"),
    [("presets.find_spec", "pycocoevalcap"), ("presets.coco_caption.shutil.which", "needs Java")],
)
def test_ptb_needs_a_package_and_java(starts, monkeypatch, missing, named):
    monkeypatch.setattr(f"rouge_bleu.{missing}", lambda name: None)
    with pytest.raises(ImportError, match=named):
        bleu(["a"], ["a"], tokenizer="ptb")


@pytest.mark.parametrize("function", [bleu, rouge])
def test_one_process_of_ptb_tokenizes_a_corpus(starts, tmp_path, function):
    """A corpus of several chunks, of which each would start it anew. Given tokens start none."""
    data = {"predictions": ["A B , c " * 200] * 1000, "references": ["a B c d " * 200] * 1000}
    data["predictions"][0] = "d c"
    assert len(checked_corpus(**data).chunk_ranges()) > 2
    options = {"preset": "coco-caption", "use_aggregator": False}
    found = function(**data, **options, tokenizer="ptb")
    (command,) = starts
    assert command[0] == "java"
    assert command[3] == str(next(tmp_path.rglob("*.jar")))
    for texts in data.values():
        texts[:] = [text.lower().replace(" ,", "").strip() for text in texts]
    assert found == function(**data, **options)
    function([["a", "b"]], [["a", "c"]], **options, tokenizer="ptb")
    assert len(starts) == 1


@pytest.mark.parametrize(
    ("status", "said", "named"), [(1, b"no memory\n", "no memory"), (0, b"", "too few lines")]
)
def test_a_failure_of_ptb_is_an_error(starts, monkeypatch, status, said, named):
    ended = CompletedProcess([], status, b"a\n", said)
    monkeypatch.setattr(coco_caption.subprocess, "run", lambda *_, **__: ended)
    with pytest.raises(RuntimeError, match=rf"'ptb'.* {named}$"):
        bleu(["a", "b"], ["a", "b"], tokenizer="ptb")


@pytest.mark.skipif(shutil.which("java") is None, reason="there is no Java")
def test_tokens_of_pycocoevalcap():
    """Of lines in one: the package loses its place at line ends of Java, which are spaces here."""
    ptbtokenizer = pytest.importorskip("pycocoevalcap.tokenizer.ptbtokenizer")
    ends = dict.fromkeys(map(ord, "\n\r\x0b\x0c\x85\u2028\u2029"), " ")
    texts = [text.translate(ends) for text in PEERS["corpora"]["hostile"]["predictions"]]
    captions = {n: [{"caption": text}] for n, text in enumerate(texts)}
    tokens = ptbtokenizer.PTBTokenizer().tokenize(captions)
    assert ptb_tokenized_lines(texts) == [own[0] for own in tokens.values()]
    probes = values("PTB tokenizer of pycocoevalcap")
    assert ptb_tokenized_lines(probes["texts"]) == probes["kept"]
    assert ptb_tokenized_lines(["a\u2028b\rc\n\nd", "", "e\x0c"]) == ["a b c d", "", "e"]
