"""Packages of other fields themselves, which the nightly workflow installs.

What they gave once is compared by `test_recorded.py`, also where they are missing.
"""

import shutil

import pytest

from helpers.published import PEERS, assert_figures, values
from programs.print_peers import printed_cases
from rouge_bleu.presets.coco_caption import ptb_lines


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("package", printed_cases())
def test_hostile_texts(request, package):
    try:
        cases = list(printed_cases()[package]())
    except (ImportError, FileNotFoundError):
        pytest.skip(f"{package} is missing")
    assert cases
    for case in cases:
        metric = request.getfixturevalue(case.pop("metric"))
        assert_figures(metric, PEERS["corpora"][case.pop("corpus")], **case, atol=1e-70)


@pytest.mark.skipif(shutil.which("java") is None, reason="there is no Java")
def test_tokens_of_pycocoevalcap():
    """Of lines in one: the package loses its place at line ends of Java, which are blanks here."""
    ptbtokenizer = pytest.importorskip("pycocoevalcap.tokenizer.ptbtokenizer")
    ends = dict.fromkeys(map(ord, "\n\r\x0b\x0c\x85\u2028\u2029"), " ")
    texts = [text.translate(ends) for text in PEERS["corpora"]["hostile"]["predictions"]]
    captions = {n: [{"caption": text}] for n, text in enumerate(texts)}
    tokens = ptbtokenizer.PTBTokenizer().tokenize(captions)
    assert ptb_lines(texts) == [own[0] for own in tokens.values()]
    probes = values("PTB tokenizer of pycocoevalcap")
    assert ptb_lines(probes["texts"]) == probes["kept"]
    assert ptb_lines(["a\u2028b\rc\n\nd", "", "e\x0c"]) == ["a b c d", "", "e"]
