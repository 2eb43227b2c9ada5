"""The parts of the signature of `bleu_full`, each line written by hand."""

import dataclasses

import numpy as np
import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st

from helpers.errors import error_of
from helpers.option_sets import CORPORA, halves
from rouge_bleu._bleu.presets import BleuRules
from rouge_bleu.text.tokenizers import TOKENIZER_NAMES, TOKENIZERS

ONE, SEVERAL, TOKENS = CORPORA
PLAIN = "tok:13a|case:mixed|refs:1|zero:0|level:corpus"
ORDER_4 = "order:4|smooth:none|eff:no"
LINES = [  # the corpus, options, the parts behind the version
    (ONE, {}, f"{ORDER_4}|{PLAIN}"),
    (
        SEVERAL,
        {"max_order": np.int64(2), "smooth": True},
        "order:2|smooth:plus-one|eff:no|tok:13a|case:mixed|refs:2-3|reflen:closest|zero:0|"
        "level:corpus",
    ),
    (
        SEVERAL,
        {"level": "sentence", "multi_reference": "best"},
        f"{ORDER_4}|tok:13a|case:mixed|refs:2-3|multi:best|zero:0|level:sentence",
    ),
    (
        ONE,
        {"weights": {"BLEU 2": [1, 1], "a|b:(c), %": (3,), "": [1, 3]}},
        f"weights:(0.25,0.75),BLEU%202(0.5,0.5),a%7Cb%3A%28c%29%2C%20%25(1)|smooth:none|eff:no|"
        f"{PLAIN}",
    ),
    (
        ONE,
        {"smoothing": "add-k", "smoothing_value": 3, "effective_order": True},
        f"order:4|smooth:add-k(3)|eff:yes|{PLAIN}",
    ),
    (
        ONE,
        {"tokenizer": "intl"},
        f"{ORDER_4}|{PLAIN.replace('13a', 'intl')}|sacrebleu:{sacrebleu.__version__}",
    ),
    # corpus_bleu and sentence_bleu of sacreBLEU differ in options only.
    (
        ONE,
        {"preset": "sacrebleu", "use_aggregator": False},
        f"order:4|smooth:exp|eff:yes|{PLAIN.replace('corpus', 'item')}",
    ),
    (
        SEVERAL,
        {"preset": "evaluate", "output": "score"},
        f"preset:evaluate|{ORDER_4}|tok:13a|case:mixed|refs:2-3|reflen:shortest|zero:0|level:corpus",
    ),
    (
        ONE,
        {"preset": "nltk", "weights": [1, 1]},
        f"preset:nltk|weights:1,1|smooth:none|eff:no|{PLAIN.replace('13a', 'whitespace')}",
    ),
]


def line_of(metric, corpus, options):
    return metric.compute(**CORPORA[corpus], **options, signature=True)["signature"]


@pytest.mark.parametrize(("corpus", "options", "parts"), LINES)
@pytest.mark.filterwarnings("ignore:The weights of")
def test_lines(bleu_full, corpus, options, parts):
    assert line_of(bleu_full, corpus, options) == f"bleu_full|0.3.0|{parts}"


ITEMS = {"use_aggregator": False}
NLTK = {"preset": "nltk"}
EFFECTIVE = {"effective_order": True}
NLTK_WORDS = {"tokenizer": "whitespace"}
CHEN_CHERRY = {"smoothing": "chen-cherry-5"}

# In each row the same in other words, or not.
SAME = [
    (ONE, {"weights": [1, 1]}, {"weights": [0.5, 0.5]}, True),
    (ONE, {"weights": [7] * 4}, {"weights": {"bleu": np.ones(4)}}, True),
    (ONE, {"weights": [1, 1]}, {"weights": {"bleu2": [1, 1]}}, False),
    (ONE, {"weights": {"a": [1, 1], "b": [1]}}, {"weights": {"b": [2], "a": [3, 3]}}, True),
    (ONE, {"smoothing": "floor"}, {"smoothing": "floor", "smoothing_value": 0.1}, True),
    (ONE, {}, {"smoothing": "floor", "smoothing_value": 0}, True),
    (ONE, {}, {"smoothing": "add-k", "smoothing_value": 0}, True),
    (ONE, {}, {"smooth": True}, False),
    (ONE, {}, {"effective_order": False, "n_jobs": 3, "output": "flat"}, True),
    (ONE, {}, {"reference_length": "average"}, True),
    (TOKENS, {}, {"tokenizer": halves}, True),
    (TOKENS, {"preset": "evaluate"}, {"reference_length": "shortest"}, True),
    (ONE, {"preset": "evaluate", "tokenizer": "char"}, {"tokenizer": "char"}, True),
    # Rules of NLTK that change nothing here.
    (ONE, {**NLTK, **ITEMS}, {**NLTK_WORDS, **ITEMS}, True),
    (ONE, {**NLTK, **ITEMS, "smooth": True}, {**NLTK_WORDS, **ITEMS, "smooth": True}, False),
    (ONE, {**NLTK, **ITEMS, "weights": [1]}, {**NLTK_WORDS, **ITEMS, "weights": [2]}, True),
    (ONE, NLTK, NLTK_WORDS, False),
    (ONE, {**NLTK, **ITEMS, **EFFECTIVE}, {**NLTK_WORDS, **ITEMS, **EFFECTIVE}, True),
    # Rules of MATLAB, of which the one on short predictions needs a smoothing.
    (ONE, {"preset": "matlab", "zero_division": 0}, {}, True),
    (ONE, {"preset": "matlab", "zero_division": 0, **CHEN_CHERRY}, CHEN_CHERRY, False),
    (ONE, {"preset": "matlab", "zero_division": 0, "weights": [1, 0]}, {"weights": [1, 0]}, False),
    (
        ONE,
        {"preset": "matlab", "zero_division": 0, "weights": [1], "smoothing": "exp"},
        {"weights": [1], "smoothing": "exp"},
        True,
    ),
]


@pytest.mark.parametrize(("corpus", "options", "others", "is_same"), SAME)
def test_options_in_other_words(bleu_full, corpus, options, others, is_same):
    lines = [line_of(bleu_full, corpus, each) for each in (options, others)]
    assert (lines[0] == lines[1]) == is_same


@pytest.mark.parametrize("output", ["score", "flat"])
def test_the_form_of_the_result_is_in_no_line(bleu_full, output):
    """`output` chooses among the numbers and changes none; it does not come back either."""
    line = line_of(bleu_full, SEVERAL, {"output": output})
    assert line == line_of(bleu_full, SEVERAL, {})
    assert "output" not in bleu_full.options_of_signature(line)


# The effective order of sentences stands in its own part; counts are no scores, and fixed options
# can have one value only.
RULES_IN_THE_LINE = {
    *("scales_weights", "least_total", "next_order", "skips_zero_with"),
    *("keeps_trailing_blanks", "needs_every_order", "scores_against_nothing"),
    *("takes_first_of_closest", "needs_every_match", "lowercases_words"),
    *("lowercases_ascii", "takes_ascii_blanks", "formulas"),
}


@pytest.mark.parametrize("is_corpus", [True, False])
def test_counts_come_back_with_the_preset(bleu_full, is_corpus):
    """As the card says: that preset "sacrebleu" adds them is in no line."""
    given = {"preset": "sacrebleu", "use_aggregator": is_corpus, "signature": True}
    result = bleu_full.compute(**CORPORA[SEVERAL], **given)
    options = bleu_full.options_of_signature(result["signature"]) | {"signature": True}
    restored = bleu_full.compute(**CORPORA[SEVERAL], **options)
    assert {*result} - {*restored} == {"counts", "totals"}
    assert bleu_full.compute(**CORPORA[SEVERAL], **{**options, "preset": "sacrebleu"}) == result


def test_each_rule_is_in_the_line_or_changes_no_score():
    names = {field.name for field in dataclasses.fields(BleuRules)}
    others = {"sentences_use_effective_order", "returns_counts", "fixed_options"}
    assert names == RULES_IN_THE_LINE | others


weight = st.one_of(st.floats(0, 1e300), st.integers(0, 9), st.sampled_from([0.1, 1e-320, 1e300]))
weight_lists = st.lists(weight, min_size=1, max_size=12).filter(any)


@pytest.mark.filterwarnings("ignore:The weights of")
@given(weight_lists, st.sampled_from([None, "nltk"]))
def test_weights_come_back_bit_for_bit(bleu_full, weights, preset):
    """Those that are used: the ones scaled to a sum of one, unless the rules leave them."""
    options_class = bleu_full.options_class
    line = line_of(bleu_full, ONE, {"weights": weights, "preset": preset})
    back = options_class(**bleu_full.options_of_signature(line))
    used = options_class(weights=weights, preset=preset).weights_of_name["bleu"]
    assert back.weights_of_name["bleu"].tobytes() == (used + 0.0).tobytes()
    assert line_of(bleu_full, ONE, bleu_full.options_of_signature(line)) == line


def test_signature_is_no_name_of_weights_beside_it(bleu_full):
    weights = {"signature": [1]}
    assert set(bleu_full.compute(**CORPORA[ONE], weights=weights)) >= {"signature"}
    assert error_of(line_of, bleu_full, ONE, {"weights": weights}) == (
        ValueError,
        "weights must have names other than 'signature' with signature=True, which has it as a key",
    )


@pytest.mark.parametrize("name", [name for name in TOKENIZER_NAMES if not TOKENIZERS[name].package])
def test_a_tokenizer_of_our_own_names_no_package(bleu_full, name):
    data = {"predictions": ["a b"], "references": ["a c"]}
    signed = bleu_full.compute(**data, tokenizer=name, signature=True)["signature"]
    assert f"|tok:{name}|" in signed
    assert "|by:" not in signed


def test_a_smoothing_whose_value_is_fixed(bleu_full):
    data = {"predictions": ["a b c d e"], "references": ["a b c x e"]}
    for smoothing in ("floor", "add-k", "none"):
        signed = bleu_full.compute(
            **data, preset="mteval-v13a.pl", smoothing=smoothing, signature=True
        )
        back = bleu_full.options_of_signature(signed["signature"])
        assert bleu_full.compute(**data, **back, signature=True) == signed


@pytest.mark.parametrize("tokenizer", ["13a", "intl"])
def test_a_line_names_no_preset_that_refuses_it(bleu_full, tokenizer):
    """mteval lowercases A to Z too, and fixes the effective order."""
    options = {"preset": "multi-bleu.perl -lc", "tokenizer": tokenizer}
    result = bleu_full.compute(predictions=["A b"], references=["a b"], **options, signature=True)
    assert "|preset:multi-bleu.perl|" in result["signature"]
    options = bleu_full.options_of_signature(result["signature"])
    again = bleu_full.compute(predictions=["A b"], references=["a b"], **options, signature=True)
    assert again == result
