"""Signatures of `bleu_full`, each line written by hand."""

from importlib.metadata import version

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.option_sets import CORPORA
from rouge_bleu.version import VERSION

ONE, SEVERAL, TOKENS = CORPORA
CORPUS = "tok:13a|case:mixed|level:corpus|reflen:closest|multi:clip"
EXP = "smooth:exp|tok:13a|case:lower|level:corpus|eff:no|reflen:closest|multi:clip"
ADD_3 = "smooth:add-k(3)|tok:13a|case:mixed|level:corpus|eff:yes|reflen:closest|multi:clip"
BEST = "tok:13a|case:mixed|level:sentence|reflen:closest|multi:best"
END = "n:6|refs:1"
BY_INTL = f"by:sacrebleu({version('sacrebleu')})|{END}"
WEIGHTS = {"BLEU 2": [1, 1], "a|b:(c), %": (3,), "": [1, 3]}
OF_WEIGHTS = "weights:BLEU%202(1,1),a%7Cb%3A%28c%29%2C%20%25(3),(1,3)"
SENTENCES = {"level": "sentence", "multi_reference": "best"}
# A line of another package is a preset and options. mteval-v13a.pl fixes the value of its smoothing.
OTHER = {"preset": "nrefs:1|bs:50|seed:3|case:lc|eff:no|tok:13a|smooth:exp|version:2.3.1"}
MTEVAL = {"preset": "mteval-v13a.pl", "smoothing": "floor"}
ADD_K = {"smoothing": "add-k", "smoothing_value": 3, "effective_order": True}
ITEMS = {"preset": "sacrebleu", "use_aggregator": False}
SCORE = {"preset": "evaluate", "output": "score"}
PLUS_ONE = {"max_order": np.int64(2), "smooth": True}


def replaced(old, new):
    return CORPUS.replace(old, new)


NO_WEIGHTS = {"preset": "coco-caption", "weights": None}  # the preset has four
WORDS = "tok:whitespace|case:mixed|level:corpus|reflen:closest|multi:clip"
INTL, SHORTEST = {"tokenizer": "intl"}, replaced("closest", "shortest")
LINES = [  # the corpus, options, the preset and its order, and the other parts
    (ONE, {}, "none|order:4", f"smooth:none|{CORPUS}|{END}"),
    (SEVERAL, PLUS_ONE, "none|order:2", f"smooth:plus-one|{CORPUS}|n:3|refs:2-3"),
    (SEVERAL, SENTENCES, "none|order:4", f"smooth:none|{BEST}|n:3|refs:2-3"),
    (ONE, {"weights": WEIGHTS}, f"none|order:2|{OF_WEIGHTS}", f"smooth:none|{CORPUS}|{END}"),
    (ONE, ADD_K, "none|order:4", f"{ADD_3}|{END}"),
    (ONE, {"smoothing": "floor"}, "none|order:4", f"smooth:floor(0.1)|{CORPUS}|{END}"),
    (ONE, INTL, "none|order:4", f"smooth:none|{replaced('13a', 'intl')}|{BY_INTL}"),
    (ONE, ITEMS, "sacrebleu|order:4", f"smooth:exp|{replaced('l:corpus', 'l:item')}|{END}"),
    (ONE, OTHER, "sacrebleu|order:4", f"{EXP}|ci:0.95|bs:50|seed:3|{END}"),
    (SEVERAL, SCORE, "evaluate|order:4", f"smooth:none|{SHORTEST}|n:3|refs:2-3"),
    (ONE, NO_WEIGHTS, "coco-caption|order:4", f"weights:none|smooth:none|{WORDS}|{END}"),
    (ONE, MTEVAL, "mteval-v13a.pl|order:4", f"smooth:floor|{replaced('mixed', 'lower')}|{END}"),
]


def line_of(metric, corpus, options):
    return metric.compute(**CORPORA[corpus], **options, signature=True)["signature"]


@pytest.mark.parametrize(("corpus", "options", "preset", "parts"), LINES)
def test_lines(bleu_full, corpus, options, preset, parts):
    result = bleu_full.compute(**CORPORA[corpus], **options, signature=True)
    assert result["signature"] == f"bleu_full|{VERSION}|preset:{preset}|{parts}"
    again = bleu_full.options_of_signature(result["signature"])
    assert "output" not in again  # it changes no number
    output = {"output": options.get("output", "all")}
    assert bleu_full.compute(**CORPORA[corpus], **again, **output, signature=True) == result


weight = st.one_of(st.floats(0, 1e300), st.integers(0, 9), st.sampled_from([0.1, 1e-320, 1e300]))
weight_lists = st.lists(weight, min_size=1, max_size=12).filter(any)


@pytest.mark.filterwarnings("ignore:The weights of")
@given(weight_lists, st.sampled_from([None, "nltk"]))
def test_weights_are_restored_bit_for_bit(bleu_full, weights, preset):
    options_class = bleu_full.options_class
    line = line_of(bleu_full, ONE, {"weights": weights, "preset": preset})
    back = options_class(**bleu_full.options_of_signature(line))
    used = options_class(weights=weights, preset=preset).named_weights["bleu"]
    assert back.named_weights["bleu"].tobytes() == (used + 0.0).tobytes()
    assert line_of(bleu_full, ONE, bleu_full.options_of_signature(line)) == line
