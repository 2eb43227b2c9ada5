"""Presets of rouge_full: their types, options beside them, what holds for all, and signatures.

Scores of other packages are in tests/presets/ and tests/test_recorded.py.
"""

import math
from dataclasses import replace
from importlib.metadata import version

import numpy as np
import pytest

from helpers.option_sets import CORPORA
from helpers.rouge.corpora import OUTPUTS, random_corpus
from rouge_bleu import explain_rouge, rouge
from rouge_bleu._rouge.rules import MULTI_REFERENCES
from rouge_bleu.registry import ROUGE_PRESETS
from rouge_bleu.rouge_types import FAMILIES, LIN_2004
from rouge_bleu.rouge_types.family import RougeType
from rouge_bleu.version import VERSION

PRESETS = [None, *ROUGE_PRESETS]
ONE = {"rouge_types": ["rouge1"]}
PERL = {"preset": "rouge-1.5.5"}

TYPES = {
    **dict.fromkeys(("rouge_score", "evaluate", "xlsum"), "rouge1 rouge2 rougeL rougeLsum"),
    **dict.fromkeys(("pltrdy", "rouge-chinese", "pyrouge-metric"), "rouge1 rouge2 rougeL"),
    **dict.fromkeys(("nmt", "sumeval", "rouge-2.0", "ignite"), "rouge1 rouge2 rougeL"),
    **dict.fromkeys(("sacrerouge", "py-rouge"), "rouge1 rouge2 rougeLsum"),
    **{"torchmetrics": "rouge1 rouge2 rougeL rougeLsum", "matlab": "rouge1"},
    "rouge-1.5.5": "rouge1 rouge2 rouge3 rouge4 rougeL rougeW-1.2 rougeS4 rougeSU4",
    "coco-caption": "rougeL",
}
WITH_ONE_OUTPUT = ("rouge_score", "evaluate", "xlsum", "matlab", "sumeval", "coco-caption")


def test_types_of_the_presets():
    for preset in ROUGE_PRESETS:
        keys = list(rouge(["a b"], ["a b"], preset=preset))
        types = TYPES[preset].split()
        with_all = [f"{name}_{output}" for name in types for output in OUTPUTS]
        assert keys == (types if preset in WITH_ONE_OUTPUT else with_all), preset


# --- options beside presets -----------------------------------------------------------------------

BESIDE = [
    ("rouge_score", {"rouge_types": ["rougeS4"], "output": "recall", "tokenizer": "char"}),
    ("rouge_score", {"multi_reference": "average"}),
    ("matlab", {"output": "all", "beta": 1.0, "use_aggregator": False}),
    ("matlab", {"zero_division": 0.0, "rouge_types": ["rougeSU"]}),
    ("matlab", {"tokenizer": "whitespace", "lowercase": True}),
]


# Those two have no rules of their own: the same options without the preset give the same, and what
# is given beside the preset wins.
@pytest.mark.parametrize(("preset", "options"), [("rouge_score", {}), ("matlab", {}), *BESIDE])
def test_a_preset_is_its_options(preset, options):
    corpus = random_corpus(12, 40, max_references=3)
    by_name = repr(rouge(*corpus, preset=preset, **options))  # NaN is NaN there
    assert by_name == repr(rouge(*corpus, **{**ROUGE_PRESETS[preset].options, **options}))
    assert not options or by_name != repr(rouge(*corpus, preset=preset))


# --- what holds for all ---------------------------------------------------------------------------

TEXT = "the cat sat on a mat\nand the dog ran"
FAMILIES_OF = {  # the packages have these alone; other presets take all
    **dict.fromkeys(("pltrdy", "rouge-chinese", "nmt", "coco-caption"), ("N", "L")),
    **{"rouge-2.0": ("N", "L", "S", "SU"), "py-rouge": ("N", "Lsum")},
}


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("preset", PRESETS)
def test_each_family_scores_and_explains_identical_texts_or_is_refused(preset, family):
    """All units match: scores of 1, as many matches as units, and all words are shown.

    One word is there twice, and once where distinct words are counted. W of ROUGE-1.5.5 alone is
    below 1: it adds up sentences, of 6 and 4 words, and weights those of the reference twice.
    """
    options = {"preset": preset, "rouge_types": ["rouge1" if family == "N" else f"rouge{family}"]}
    if family not in FAMILIES_OF.get(preset, LIN_2004):
        with pytest.raises(ValueError, match=r"^rouge_types\[0\] with preset="):
            rouge([TEXT], [TEXT], **options)
        return
    (explained,) = explain_rouge(TEXT, TEXT, **options).values()
    scores = rouge([TEXT], [[TEXT]], **options, output="all").values()
    if family == "W" and preset in ("rouge-1.5.5", "pyrouge-metric"):
        value = 6**1.2 + 4**1.2
        precision, recall = (value / 10**1.2) ** (1 / 1.2), (value / value**1.2) ** (1 / 1.2)
        f = 2 * precision * recall / (precision + recall)
        assert list(scores) == pytest.approx([precision, recall, f], abs=1e-5)
    else:
        assert list(scores) == pytest.approx([1, 1, 1], abs=1e-7)  # 1e-8 is added in F of pltrdy
    (entry,) = explained["references"]
    assert entry["prediction_spans"] == entry["reference_spans"]
    n_words = 9 if preset in ("nmt", "coco-caption") else 10  # a line feed is no space there
    is_n_of_sets = family == "N" and preset in ("rouge-chinese", "nmt")
    is_l_of_sets = family == "L" and preset == "rouge-2.0"
    n_words -= preset == "pltrdy" or is_n_of_sets or is_l_of_sets
    assert len(entry["prediction_spans"]) == n_words
    if family != "W":
        assert entry["matches"] == entry["prediction_total"] == entry["reference_total"]


@pytest.mark.parametrize("preset", ["pltrdy", "rouge-2.0", "coco-caption", "nmt"])
def test_given_tokens_are_one_line(preset):
    found = rouge([["a", "B", "c"]], [[["a", "b"], ["c"]]], preset=preset)
    assert found == rouge(["a B c"], [["a b", "c"]], preset=preset)


@pytest.mark.parametrize("multi_reference", MULTI_REFERENCES)
@pytest.mark.parametrize("preset", ROUGE_PRESETS)
def test_an_item_scores_what_it_scores_alone_and_explained(preset, multi_reference):
    """One of a single reference, also beside one that has two."""
    options = {"preset": preset, "multi_reference": multi_reference, "output": "all"}
    options["rouge_types"] = ["rouge1", "rougeLsum" if preset == "py-rouge" else "rougeL"]
    try:
        alone = rouge(["a b c d"], [["a b"]], **options, use_aggregator=False)
    except ValueError as error:  # the preset does not take the choice
        if str(error).startswith("multi_reference with preset="):
            return
        raise
    texts = ["a b c d", "a b x y"], [["a b"], ["a b c d e f g", "y"]]
    beside = rouge(*texts, **options, use_aggregator=False)
    assert [column[:1] for column in beside.values()] == list(alone.values())
    for k in (0, 1):
        shown = explain_rouge(texts[0][k], texts[1][k], **options).values()
        scores = [of_type[output] for of_type in shown for output in OUTPUTS]
        assert scores == [column[k] for column in beside.values()]


# --- signatures -----------------------------------------------------------------------------------

SEVEN = "types:rouge1,rouge2,rougeL,rougeLsum,rougeW,rougeS4,rougeSU4"
PLAIN = "tok:rouge_score|case:lower|stem:no"
EVALUATE = f"preset:evaluate|types:rouge1,rouge2,rougeL,rougeLsum|{PLAIN}|avg:resampled_median"
OF_PERL = "preset:rouge-1.5.5|types:rouge1|tok:rouge-1.5.5|case:lower"
NONE = "preset:none|types:rouge1"
ALONE, SEVERAL, TOKENS = CORPORA
STEMS = {"use_stemmer": True, "tokenizer": "intl", "lowercase": False}
STEMMED = "tok:intl|case:stemmed|stem:porter"
OWN_STEMS = {"stemmer": "rouge-1.5.5", "lowercase": False}
OWN_STEMMED = "tok:rouge_score|case:mixed|stem:rouge-1.5.5"
LIMITS = {**ONE, "cross_sentences": False, "max_words": 9, "max_bytes": np.int64(70)}
SCORES = {"output": "all", "beta": 0.1, "zero_division": math.nan, "use_aggregator": False}
OF_SCORES = "out:all|beta:0.1|multi:best|words:9|bytes:70|cross:no"
LINE = {"preset": "ROUGE-1.5.5.pl -n 1 -x -m -c 90 -r 7 -t 1", "document_order": "string"}
OF_LINE = "avg:mean|multi:pooled|unit:tokens|docs:string|ci:0.9|bs:7"
BURMESE = {"preset": "xlsum", "language": "burmese", **ONE}
OF_BURMESE = "preset:xlsum|types:rouge1|tok:xlsum-burmese|case:lower|stem:no"
END = "n:6|refs:1"
SACREBLEU, NLTK = (f"{name}({version(name)})" for name in ("sacrebleu", "nltk"))
SIGNATURES = [  # the corpus, options, the parts after the version
    (ALONE, {}, f"preset:none|{SEVEN}|{PLAIN}|avg:mean|multi:best|{END}"),
    (SEVERAL, ONE, f"{NONE}|{PLAIN}|avg:mean|multi:best|n:3|refs:2-3"),
    (TOKENS, ONE, f"{NONE}|tok:given|case:mixed|stem:no|avg:mean|multi:best|n:3|refs:1-2"),
    (ALONE, {**LIMITS, **SCORES}, f"{NONE}|{PLAIN}|avg:none|{OF_SCORES}|zero:nan|{END}"),
    # NLTK's stemmer lowercases.
    (ALONE, {**ONE, **STEMS}, f"{NONE}|{STEMMED}|avg:mean|multi:best|by:{SACREBLEU},{NLTK}|{END}"),
    (ALONE, {"preset": "evaluate", "seed": 5}, f"{EVALUATE}|multi:best|seed:5|{END}"),
    # What a preset says is not said again; a command line is the preset and its options.
    (ALONE, {**PERL, **ONE}, f"{OF_PERL}|stem:no|avg:mean|multi:pooled|{END}"),
    (SEVERAL, LINE, f"{OF_PERL}|stem:rouge-1.5.5|{OF_LINE}|by:{NLTK}|n:3|refs:2-3"),
    # Its stemmer is made from NLTK's, and leaves capital letters.
    (ALONE, {**ONE, **OWN_STEMS}, f"{NONE}|{OWN_STEMMED}|avg:mean|multi:best|by:{NLTK}|{END}"),
    (ALONE, BURMESE, f"{OF_BURMESE}|avg:mean|multi:best|language:burmese|{END}"),
]


@pytest.mark.parametrize(("corpus", "options", "parts"), SIGNATURES)
@pytest.mark.filterwarnings("ignore:Most of this text")
def test_signatures(rouge_full, corpus, options, parts):
    result = rouge_full.compute(**CORPORA[corpus], **options, signature=True)
    assert result["signature"] == f"rouge_full|{VERSION}|{parts}"
    again = rouge_full.options_of_signature(result["signature"])
    assert repr(rouge_full.compute(**CORPORA[corpus], **again, signature=True)) == repr(result)


def test_a_family_that_a_preset_does_not_list_is_refused(monkeypatch):
    """A family is added while this runs. Without a preset it counts."""
    new = replace(FAMILIES["N"], name="X", pattern="rougeX(1)", example="rougeX1")
    monkeypatch.setitem(FAMILIES, "X", replace(new, parse=lambda _: RougeType("X", order=1)))
    assert rouge(["a b"], ["a c"], rouge_types=["rougeX1"]) == {"rougeX1": 0.5}
    for preset in ROUGE_PRESETS:
        with pytest.raises(ValueError, match=rf"{preset}.* must be rouge1, .*, got 'rougeX1'"):
            rouge(["a b"], ["a c"], rouge_types=["rougeX1"], preset=preset)
