"""Signatures of `rouge_full`, each line written by hand."""

import math
from importlib.metadata import version

import numpy as np
import pytest

from helpers.option_sets import CORPORA
from rouge_bleu.version import VERSION

SEVEN = "types:rouge1,rouge2,rougeL,rougeLsum,rougeW,rougeS4,rougeSU4"
FOUR = "types:rouge1,rouge2,rougeL,rougeLsum"
PLAIN = "tok:rouge_score|case:lower|stem:no|avg:mean"
OF_PERL = "tok:rouge-1.5.5|case:lower|stem:no|avg:mean"
ONE = {"rouge_types": ["rouge1"]}
PERL = {"preset": "rouge-1.5.5"}
ALONE, SEVERAL, TOKENS = CORPORA
END = "n:6|refs:1"
LINES = [  # the corpus, options, the parts after the version
    (ALONE, {}, f"preset:none|{SEVEN}|{PLAIN}|multi:best|{END}"),
    (SEVERAL, ONE, f"preset:none|types:rouge1|{PLAIN}|multi:best|n:3|refs:2-3"),
    (
        TOKENS,
        {**ONE, "tokenizer": "13a"},
        "preset:none|types:rouge1|tok:given|case:mixed|stem:no|avg:mean|multi:best|n:3|refs:1-2",
    ),
    (
        ALONE,
        {**ONE, "use_aggregator": False, "output": "all", "beta": 0.1, "zero_division": math.nan},
        "preset:none|types:rouge1|tok:rouge_score|case:lower|stem:no|avg:none|out:all|beta:0.1|"
        f"multi:best|zero:nan|{END}",
    ),
    (
        ALONE,
        {**ONE, "cross_sentences": False, "max_words": 9, "max_bytes": np.int64(70)},
        f"preset:none|types:rouge1|{PLAIN}|multi:best|words:9|bytes:70|cross:no|{END}",
    ),
    # NLTK's stemmer lowercases.
    (
        ALONE,
        {**ONE, "use_stemmer": True, "tokenizer": "intl", "lowercase": False},
        "preset:none|types:rouge1|tok:intl|case:stemmed|stem:porter|avg:mean|multi:best|"
        f"by:sacrebleu({version('sacrebleu')}),nltk({version('nltk')})|{END}",
    ),
    (
        ALONE,
        {**ONE, "stemmer": "rouge-1.5.5"},
        "preset:none|types:rouge1|tok:rouge_score|case:lower|stem:rouge-1.5.5|avg:mean|multi:best|"
        f"{END}",
    ),
    (
        ALONE,
        {"preset": "evaluate", "seed": 5},
        f"preset:evaluate|{FOUR}|{PLAIN.replace('mean', 'resampled_median')}|multi:best|seed:5|{END}",
    ),
    # What a preset says is not said again; a command line is the preset and its options.
    (ALONE, {**PERL, **ONE}, f"preset:rouge-1.5.5|types:rouge1|{OF_PERL}|multi:pooled|{END}"),
    (
        SEVERAL,
        {"preset": "ROUGE-1.5.5.pl -n 1 -x -m -c 90 -r 7 -t 1", "document_order": "string"},
        f"preset:rouge-1.5.5|types:rouge1|{OF_PERL.replace('stem:no', 'stem:rouge-1.5.5')}|"
        "multi:pooled|unit:tokens|docs:string|ci:0.9|bs:7|n:3|refs:2-3",
    ),
    (
        ALONE,
        {"preset": "xlsum", "language": "burmese", **ONE},
        "preset:xlsum|types:rouge1|tok:xlsum-burmese|case:lower|stem:no|avg:mean|multi:best|"
        f"language:burmese|{END}",
    ),
]


@pytest.mark.parametrize(("corpus", "options", "parts"), LINES)
@pytest.mark.filterwarnings("ignore:Most of this text")
def test_lines(rouge_full, corpus, options, parts):
    result = rouge_full.compute(**CORPORA[corpus], **options, signature=True)
    assert result["signature"] == f"rouge_full|{VERSION}|{parts}"
    again = rouge_full.options_of_signature(result["signature"])
    assert repr(rouge_full.compute(**CORPORA[corpus], **again, signature=True)) == repr(result)


def test_a_function_as_stemmer(rouge_full):
    options = {"stemmer": str.lower, "rouge_types": ["rouge1"], "signature": True}
    line = rouge_full.compute(**CORPORA[ALONE], **options)["signature"]
    assert "|stem:function(str.lower)|" in line
    restored = rouge_full.options_of_signature(line, stemmer=str.lower)
    assert rouge_full.compute(**CORPORA[ALONE], **restored, signature=True)["signature"] == line


@pytest.mark.parametrize("corpus", [SEVERAL, TOKENS])
def test_all_presets_are_restored(rouge_full, corpus):
    data = CORPORA[corpus]
    for preset in (None, *rouge_full.options_class.presets):
        if (corpus, preset) == (TOKENS, "py-rouge"):
            continue  # its limit is one of bytes
        if (corpus, preset) == (TOKENS, "rouge-1.5.5"):
            data = {"predictions": [["a"]], "references": [["a"]]}  # rougeW needs tokens
        result = rouge_full.compute(**data, preset=preset, signature=True)
        options = rouge_full.options_of_signature(result["signature"])
        assert repr(rouge_full.compute(**data, **options, signature=True)) == repr(result)
