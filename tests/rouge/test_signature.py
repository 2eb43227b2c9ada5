"""The parts of the signature of `rouge_full`, each line written by hand."""

import dataclasses
import math

import nltk
import numpy as np
import pytest
import sacrebleu

from helpers.option_sets import CORPORA, halves
from rouge_bleu._rouge.options.presets import RougeRules

SEVEN = "types:rouge1,rouge2,rougeL,rougeLsum,rougeW,rougeS4,rougeSU4"
FOUR = "types:rouge1,rouge2,rougeL,rougeLsum"
PLAIN = "tok:rouge_score|case:lower|stem:no"
OF_PERL = "tok:rouge-1.5.5|case:lower|stem:no"
ONE = {"rouge_types": ["rouge1"]}
TWO = {"rouge_types": ["rouge2"]}
SUM = {"rouge_types": ["rougeLsum"]}
PERL = {"preset": "rouge-1.5.5"}

ALONE, SEVERAL = "one reference", "several references"
# What most lines end with, and begin with for texts with one reference.
END = "out:fmeasure|beta:1|zero:0|avg:mean"
OF_ALONE = f"{PLAIN}|refs:1"
LINES = [  # the corpus, options, the parts behind the version
    # The splitter makes the lines that ROUGE-1.5.5 and rouge-metric read, whatever they count.
    (
        ALONE,
        {**ONE, "preset": "pyrouge-metric", "sentence_splitter": "sentences"},
        "preset:pyrouge-metric|types:rouge1|tok:whitespace|case:mixed|stem:no|refs:1|"
        "split:sentences|out:all|beta:1|zero:0|avg:f_of_means",
    ),
    (
        ALONE,
        {**TWO, **PERL},
        f"preset:rouge-1.5.5|types:rouge2|{OF_PERL}|refs:1|split:newline|out:all|beta:1|"
        "avg:documents|docs:input|bs:1000",
    ),
    (
        ALONE,
        {**SUM, **PERL},
        f"preset:rouge-1.5.5|types:rougeLsum|{OF_PERL}|refs:1|split:newline|out:all|beta:1|"
        "avg:documents|docs:input|bs:1000",
    ),
    (ALONE, {}, f"{SEVEN}|{OF_ALONE}|split:newline|cross:yes|lsum:union|{END}"),
    (SEVERAL, {}, f"{SEVEN}|{PLAIN}|refs:2-3|multi:best|split:newline|cross:yes|lsum:union|{END}"),
    # Tokens have no lines.
    (
        "tokens",
        {"cross_sentences": False, "sentence_splitter": "sentences", "tokenizer": "13a"},
        f"{SEVEN}|tok:given|case:mixed|stem:no|refs:1-2|multi:best|{END}",
    ),
    (
        ALONE,
        {**TWO, "use_aggregator": False, "output": "all", "beta": 0.1, "zero_division": math.nan},
        f"types:rouge2|{OF_ALONE}|cross:yes|out:all|beta:0.1|zero:nan|avg:none",
    ),
    # F chooses the best reference, also where recall is returned.
    (
        SEVERAL,
        {**ONE, "output": "recall", "beta": 2},
        f"types:rouge1|{PLAIN}|refs:2-3|multi:best|out:recall|beta:2|zero:0|avg:mean",
    ),
    (
        SEVERAL,
        {**ONE, "output": "recall", "beta": 2, "multi_reference": "pooled"},
        f"types:rouge1|{PLAIN}|refs:2-3|multi:pooled|out:recall|zero:0|avg:mean",
    ),
    (
        ALONE,
        {**TWO, "cross_sentences": False, "max_words": 9, "max_bytes": np.int64(70)},
        f"types:rouge2|{PLAIN}|words:9|bytes:70|refs:1|split:newline|cross:no|{END}",
    ),
    (
        ALONE,
        {**ONE, "use_stemmer": True, "tokenizer": "intl"},
        f"types:rouge1|tok:intl|case:lower|stem:porter|refs:1|{END}"
        f"|nltk:{nltk.__version__}|sacrebleu:{sacrebleu.__version__}",
    ),
    (  # a stemmer of the package, in which no other one has a part
        ALONE,
        {**ONE, "stemmer": "rouge-1.5.5"},
        f"types:rouge1|tok:rouge_score|case:lower|stem:rouge-1.5.5|refs:1|{END}",
    ),
    (
        ALONE,
        {"preset": "evaluate", "seed": 5},
        f"preset:evaluate|{FOUR}|{OF_ALONE}|split:newline|cross:yes|lsum:union|out:fmeasure|"
        "beta:1|zero:0|avg:resampled_median|seed:5",
    ),
    (
        SEVERAL,
        {
            **{**PERL, "rouge_types": ["rougeW-0.5", "rougeL"], "corpus_average": "tokens"},
            **{"document_order": "string", "confidence_level": 0.95, "n_resamples": 100},
            **{"output": "recall", "beta": 3},
        },
        f"preset:rouge-1.5.5|types:rougeL,rougeW-0.5|{OF_PERL}|refs:2-3|multi:pooled|split:newline|"
        "out:recall|avg:tokens|docs:string|ci:0.95|bs:100",
    ),
    (
        ALONE,
        {**PERL, **ONE, "corpus_average": "counts", "beta": 2, "document_order": "string"},
        f"preset:rouge-1.5.5|types:rouge1|{OF_PERL}|refs:1|split:newline|out:counts|avg:counts",
    ),
    # Words of these packages are lowercased only where asked for.
    *(
        (
            corpus,
            {**ONE, "preset": preset, "lowercase": lowercase},
            f"preset:{preset}|types:rouge1|tok:{tok}|case:{case}|stem:no|refs:{refs}|out:all|"
            "beta:1|zero:0|avg:mean",
        )
        for preset in ("pltrdy", "rouge-chinese")
        for lowercase, case in ((None, "mixed"), (True, "lower"))
        for corpus, tok, refs in ((ALONE, "whitespace", "1"), ("tokens", "given", "1-2|multi:best"))
    ),
]


@pytest.mark.parametrize(("corpus", "options", "parts"), LINES)
def test_lines(rouge_full, corpus, options, parts):
    result = rouge_full.compute(**CORPORA[corpus], **options, signature=True)
    assert result["signature"] == f"rouge_full|0.3.0|{parts}"
    if "function(" not in parts:  # which has to be supplied
        again = rouge_full.options_of_signature(result["signature"])
        same = rouge_full.compute(**CORPORA[corpus], **again, signature=True)
        assert repr(sorted(same.items())) == repr(sorted(result.items()))


ITEMS = {"use_aggregator": False}
PRECISION = {**ONE, "output": "precision"}
PERL_BEST = {**ONE, **PERL, "output": "recall", "multi_reference": "best"}
PERL_ITEMS = {**ONE, **PERL, **ITEMS}
OF_MATLAB = {"tokenizer": "13a", "lowercase": False, "output": "recall"}
OF_MATLAB |= {"beta": math.inf, "zero_division": math.nan}
# A corpus, two sets of options, and whether they are the same in other words.
SAME = [
    (ALONE, {"rouge_types": ["rouge1", "rougeW"]}, {"rouge_types": ["rougeW-1.2", "rouge1"]}, True),
    (ALONE, {"rouge_types": ["rougeS*"]}, {"rouge_types": ["rougeS"]}, True),
    (ALONE, {}, {"tokenizer": "rouge_score", "lowercase": True, "n_jobs": 2}, True),
    (ALONE, {}, {"stopwords": [], "beta": 1.0, "zero_division": -0.0}, True),
    (ALONE, {"beta": 1e200}, {"beta": math.inf}, True),
    (ALONE, {"beta": 1e-200}, {"beta": 0}, True),
    (ALONE, {"beta": 0.3}, {"beta": 0.1 + 0.2}, False),
    (ALONE, {"stopwords": ["a", "b", "a"]}, {"stopwords": {"b", "a"}}, True),
    (ALONE, {"stopwords": ["a", "b"]}, {"stopwords": ["a, b"]}, False),
    (ALONE, TWO, {**TWO, "summary_lcs": "best", "sentence_splitter": "sentences"}, True),
    (ALONE, SUM, {**SUM, "cross_sentences": False}, True),
    (ALONE, ONE, {**ONE, "cross_sentences": False}, True),
    (ALONE, ONE, {**ONE, "multi_reference": "jackknife"}, True),
    (SEVERAL, ONE, {**ONE, "multi_reference": "jackknife"}, False),
    (ALONE, PRECISION, {**PRECISION, "beta": 3}, True),
    (SEVERAL, PERL_BEST, {**PERL_BEST, "beta": 3}, True),  # it is chosen by its recall
    (
        ALONE,
        {**PERL_ITEMS, "corpus_average": "tokens"},
        {**PERL_ITEMS, "corpus_average": "counts"},
        True,
    ),
    (ALONE, {"preset": "rouge_score"}, {"rouge_types": FOUR[6:].split(",")}, True),
    (ALONE, {"preset": "evaluate"}, {"preset": "rouge_score"}, False),
    (ALONE, {"preset": "evaluate", **ITEMS}, {"preset": "rouge_score", **ITEMS}, True),
    (
        ALONE,
        {"preset": "evaluate", "rouge_types": ["rouge1", "rouge2"]},
        {"preset": "evaluate", "rouge_types": ["rouge2", "rouge1"]},
        False,  # samples are drawn for one after the other
    ),
    (ALONE, {"preset": "evaluate"}, {"preset": "evaluate", "seed": 0}, True),
    (
        ALONE,
        {"preset": "rouge_score", "tokenizer": halves, "use_stemmer": True},
        {"preset": "rouge_score", "tokenizer": halves},
        True,  # stemming is left to the function
    ),
    (
        ALONE,
        {**PERL, **ONE, "stemmer": "rouge-1.5.5"},
        {"preset": "ROUGE-1.5.5.pl -n 1 -x -m", "confidence_level": None},
        True,
    ),
    (SEVERAL, {"preset": "matlab"}, {**ONE, **OF_MATLAB}, True),
    ("tokens", {}, {"tokenizer": halves, "lowercase": False, "summary_lcs": "best"}, True),
]


@pytest.mark.parametrize(("corpus", "options", "others", "is_same"), SAME)
def test_options_in_other_words(rouge_full, corpus, options, others, is_same):
    lines = [
        rouge_full.compute(**CORPORA[corpus], **each, signature=True)["signature"]
        for each in (options, others)
    ]
    assert (lines[0] == lines[1]) == is_same


@pytest.mark.parametrize("corpus", ["several references", "tokens"])
def test_types_of_the_defaults_come_back_under_their_names(rouge_full, corpus):
    data = CORPORA[corpus]
    for preset in (None, *rouge_full.options_class.presets):
        if (corpus, preset) == ("tokens", "py-rouge"):
            continue  # its limit is one of bytes
        if (corpus, preset) == ("tokens", "rouge-1.5.5"):
            data = {"predictions": [["a"]], "references": [["a"]]}  # rougeW needs tokens
        result = rouge_full.compute(**data, preset=preset, signature=True)
        options = rouge_full.options_of_signature(result["signature"])
        assert repr(rouge_full.compute(**data, **options, signature=True)) == repr(result)


# What acts beside them stands in the parts of the options: the stemmer is that in use.
RULES_IN_THE_LINE = {
    *("counting", "average", "takes_weights_below_1"),
    *("pairs", "sentence_rule", "lcs_of_distinct_words", "porter_mode"),
}
RULES_ON_WHAT_IS_ALLOWED = {
    *("tokenizer_replaces_stemmer", "multi_references", "takes_one_limit"),
    *("own_options", "fixed_options", "resamples_items", "needs_stopwords"),
    "families",
}


def test_each_rule_is_in_the_line_or_changes_no_score():
    names = {field.name for field in dataclasses.fields(RougeRules)}
    assert names == RULES_IN_THE_LINE | RULES_ON_WHAT_IS_ALLOWED
