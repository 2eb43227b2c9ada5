"""Signatures of `bleu_full`, each line written by hand."""

from importlib.metadata import version

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.option_sets import CORPORA
from rouge_bleu.text.tokenizers import TOKENIZER_NAMES, TOKENIZERS
from rouge_bleu.version import VERSION

ONE, SEVERAL, TOKENS = CORPORA
CORPUS = "tok:13a|case:mixed|level:corpus|reflen:closest|multi:clip"
END = "n:6|refs:1"
INTL = f"sacrebleu({version('sacrebleu')})"
LINES = [  # the corpus, options, the parts after the version
    (ONE, {}, f"preset:none|order:4|smooth:none|{CORPUS}|{END}"),
    (
        SEVERAL,
        {"max_order": np.int64(2), "smooth": True},
        f"preset:none|order:2|smooth:plus-one|{CORPUS}|n:3|refs:2-3",
    ),
    (
        SEVERAL,
        {"level": "sentence", "multi_reference": "best"},
        "preset:none|order:4|smooth:none|tok:13a|case:mixed|level:sentence|reflen:closest|"
        "multi:best|n:3|refs:2-3",
    ),
    (
        ONE,
        {"weights": {"BLEU 2": [1, 1], "a|b:(c), %": (3,), "": [1, 3]}},
        "preset:none|order:2|weights:BLEU%202(1,1),a%7Cb%3A%28c%29%2C%20%25(3),(1,3)|smooth:none|"
        f"{CORPUS}|{END}",
    ),
    (
        ONE,
        {"smoothing": "add-k", "smoothing_value": 3, "effective_order": True},
        "preset:none|order:4|smooth:add-k(3)|tok:13a|case:mixed|level:corpus|eff:yes|reflen:closest|"
        f"multi:clip|{END}",
    ),
    (ONE, {"smoothing": "floor"}, f"preset:none|order:4|smooth:floor(0.1)|{CORPUS}|{END}"),
    (
        ONE,
        {"tokenizer": "intl"},
        f"preset:none|order:4|smooth:none|{CORPUS.replace('13a', 'intl')}|by:{INTL}|{END}",
    ),
    (
        ONE,
        {"preset": "sacrebleu", "use_aggregator": False},
        f"preset:sacrebleu|order:4|smooth:exp|{CORPUS.replace('l:corpus', 'l:item')}|{END}",
    ),
    # A line of another package is a preset and options.
    (
        ONE,
        {"preset": "nrefs:1|bs:50|seed:3|case:lc|eff:no|tok:13a|smooth:exp|version:2.3.1"},
        "preset:sacrebleu|order:4|smooth:exp|tok:13a|case:lower|level:corpus|eff:no|reflen:closest|"
        f"multi:clip|ci:0.95|bs:50|seed:3|{END}",
    ),
    (
        SEVERAL,
        {"preset": "evaluate", "output": "score"},
        f"preset:evaluate|order:4|smooth:none|{CORPUS.replace('closest', 'shortest')}|n:3|refs:2-3",
    ),
    (
        ONE,
        {"preset": "mteval-v13a.pl", "smoothing": "floor"},  # whose value it fixes
        f"preset:mteval-v13a.pl|order:4|smooth:floor|{CORPUS.replace('mixed', 'lower')}|{END}",
    ),
]


def line_of(metric, corpus, options):
    return metric.compute(**CORPORA[corpus], **options, signature=True)["signature"]


@pytest.mark.parametrize(("corpus", "options", "parts"), LINES)
def test_lines(bleu_full, corpus, options, parts):
    result = bleu_full.compute(**CORPORA[corpus], **options, signature=True)
    assert result["signature"] == f"bleu_full|{VERSION}|{parts}"
    again = bleu_full.options_of_signature(result["signature"])
    output = {"output": options.get("output", "all")}
    assert bleu_full.compute(**CORPORA[corpus], **again, **output, signature=True) == result


@pytest.mark.parametrize("corpus", CORPORA)
def test_all_presets_are_restored(bleu_full, corpus):
    for preset in (None, *bleu_full.options_class.presets):
        result = bleu_full.compute(**CORPORA[corpus], preset=preset, signature=True)
        options = bleu_full.options_of_signature(result["signature"])
        assert repr(bleu_full.compute(**CORPORA[corpus], **options, signature=True)) == repr(result)


@pytest.mark.parametrize("output", ["score", "flat"])
def test_the_form_of_the_result_is_in_no_line(bleu_full, output):
    """`output` chooses among the numbers and changes none; it is not restored either."""
    line = line_of(bleu_full, SEVERAL, {"output": output})
    assert line == line_of(bleu_full, SEVERAL, {})
    assert "output" not in bleu_full.options_of_signature(line)


weight = st.one_of(st.floats(0, 1e300), st.integers(0, 9), st.sampled_from([0.1, 1e-320, 1e300]))
weight_lists = st.lists(weight, min_size=1, max_size=12).filter(any)


@pytest.mark.filterwarnings("ignore:The weights of")
@given(weight_lists, st.sampled_from([None, "nltk"]))
def test_weights_are_restored_bit_for_bit(bleu_full, weights, preset):
    options_class = bleu_full.options_class
    line = line_of(bleu_full, ONE, {"weights": weights, "preset": preset})
    back = options_class(**bleu_full.options_of_signature(line))
    used = options_class(weights=weights, preset=preset).weights_of_name["bleu"]
    assert back.weights_of_name["bleu"].tobytes() == (used + 0.0).tobytes()
    assert line_of(bleu_full, ONE, bleu_full.options_of_signature(line)) == line


@pytest.mark.parametrize("name", [name for name in TOKENIZER_NAMES if not TOKENIZERS[name].package])
def test_a_tokenizer_of_our_own_names_no_package(bleu_full, name):
    data = {"predictions": ["a b"], "references": ["a c"]}
    signed = bleu_full.compute(**data, tokenizer=name, signature=True)["signature"]
    assert f"|tok:{name}|" in signed
    assert "|by:" not in signed
