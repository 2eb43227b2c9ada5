"""Preset "coco-caption" and tokenizer "ptb" beside pycocoevalcap, which needs Java."""

import shutil

import numpy as np
import pytest

from helpers.published import texts, values
from rouge_bleu.text.other_packages import ptb_lines

pytest.importorskip("pycocoevalcap")
NAMES = ["bleu_1", "bleu_2", "bleu_3", "bleu"]
PRESET = {"preset": "coco-caption"}
needs_java = pytest.mark.skipif(shutil.which("java") is None, reason="there is no Java")


@pytest.fixture(scope="module")
def in_ascii_lines(hostile):
    """The hostile texts, lines in one: the package loses its place at line ends of Java."""
    ends = dict.fromkeys(map(ord, "\n\r\x0b\x0c\x85\u2028\u2029"), " ")

    def change(text):
        return text.translate(ends)

    return {
        "predictions": list(map(change, hostile["predictions"])),
        "references": [list(map(change, own)) for own in hostile["references"]],
    }


def by_number(data, make=lambda text: text):
    """The form of the package: from the number of an image to its captions."""
    predictions = {n: [make(text)] for n, text in enumerate(data["predictions"])}
    references = {n: list(map(make, own)) for n, own in enumerate(data["references"])}
    return references, predictions


def test_scorers(rouge_full, bleu_full, hostile):
    from pycocoevalcap.bleu.bleu import Bleu
    from pycocoevalcap.rouge.rouge import Rouge

    pairs = by_number(hostile)
    corpus, items = Bleu(4).compute_score(*pairs, verbose=0)
    found = bleu_full.compute(**hostile, **PRESET)
    np.testing.assert_allclose([found[name] for name in NAMES], corpus, rtol=1e-12)
    found = bleu_full.compute(**hostile, **PRESET, use_aggregator=False)
    np.testing.assert_allclose([found[name] for name in NAMES], items, rtol=1e-12)
    mean, items = Rouge().compute_score(*pairs)
    found = rouge_full.compute(**hostile, **PRESET, use_aggregator=False)["rougeL"]
    np.testing.assert_allclose(found, items, rtol=1e-12)
    assert np.mean(found) == pytest.approx(mean, rel=1e-12)


@needs_java
def test_tokens(in_ascii_lines):
    from pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer

    _, predictions = by_number(in_ascii_lines, lambda text: {"caption": text})
    expected = [own[0] for own in PTBTokenizer().tokenize(predictions).values()]
    assert ptb_lines(in_ascii_lines["predictions"]) == expected
    probes = values("PTB tokenizer of pycocoevalcap")
    assert ptb_lines(probes["texts"]) == probes["kept"]


@needs_java
def test_the_whole_evaluation(rouge_full, bleu_full):
    expected = values("pycocoevalcap, full pipeline (PTB tokenizer)")
    options = {**PRESET, "tokenizer": "ptb"}
    found = bleu_full.compute(**texts(), **options, signature=True)
    np.testing.assert_allclose([found[n] for n in NAMES], expected["Bleu_1..4"], rtol=1e-12)
    assert found["signature"].endswith("|by:pycocoevalcap(1.2)")
    found = rouge_full.compute(**texts(), **options)["rougeL"]
    assert found == pytest.approx(expected["ROUGE_L"], rel=1e-12)


@needs_java
def test_line_ends_of_java_are_blanks():
    assert ptb_lines(["a\u2028b\rc\n\nd", "", "e\x0c"]) == ["a b c d", "", "e"]
