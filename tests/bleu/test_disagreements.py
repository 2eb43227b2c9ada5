"""Where packages disagree about BLEU: each number of the table on the card, by an option or a
preset, or named as what only that package does.

sacreBLEU and NLTK are asked here, and evaluate's `bleu` through its rules. Numbers of other
packages were read from a run: torchmetrics 1.9.0, bleuscore 0.2.0.
"""

import dataclasses
import logging
import math
import re

import pytest
from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu, sentence_bleu
from sacrebleu.metrics import BLEU

from helpers.bleu.peers import as_streams, evaluate_bleu
from helpers.cards import CARDS, code_of, rows_below
from helpers.repository import ROOT
from rouge_bleu.bleu.options import BleuOptions
from rouge_bleu.bleu.smoothing import SMOOTHINGS
from rouge_bleu.text.tokenizers import TOKENIZER_NAMES

pytestmark = pytest.mark.filterwarnings(r"ignore:\s*The hypothesis contains 0 counts")  # of NLTK
CARD = CARDS["bleu_full"]

KENOBI = (
    ["hello there general kenobi", "foo bar foobar"],
    [["hello there general kenobi", "hello there !"], ["foo bar foobar"]],
)
RUG = (["the cat sat on a rug"], [["the cat lay on the mat"]])
FOO_BAR = (["foo bar"], [["foo bar"]])
TIE = (["a b c d e f"], [["a b c d e f g h", "a b c d"]])
DOG = (
    ["the cat is on the mat", "a dog barks loudly at night"],
    [["the cat is on the mat"], ["a cat sleeps quietly at night"]],
)


def of_sacrebleu(corpus, **options):
    predictions, references = corpus
    return BLEU(**options).corpus_score(predictions, as_streams(references)).score


def of_nltk(corpus, method=0, **options):
    predictions, references = corpus
    tokens = (
        [[text.split() for text in texts] for texts in references],
        [text.split() for text in predictions],
    )
    return corpus_bleu(
        *tokens, smoothing_function=getattr(SmoothingFunction(), f"method{method}"), **options
    )


def of_evaluate(corpus, **options):
    return evaluate_bleu(*corpus, **options)["bleu"]


# corpus; the package and its options; what it gives, as the card prints it; the options that give
# the same here
REPRODUCED = [
    (KENOBI, of_evaluate, {}, "1.0", {"preset": "evaluate"}),
    (KENOBI, of_sacrebleu, {}, "100.00000000000004", {"preset": "sacrebleu"}),
    (KENOBI, of_nltk, {}, "0.8409", {"preset": "nltk"}),
    (TIE, of_sacrebleu, {}, "100.00000000000004", {"preset": "sacrebleu"}),
    (TIE, of_nltk, {}, "1.0", {"preset": "nltk"}),
    (RUG, of_evaluate, {}, "0", {"preset": "evaluate"}),
    (RUG, of_evaluate, {"smooth": True}, "0.3124", {"preset": "evaluate", "smooth": True}),
    (RUG, of_sacrebleu, {}, "17.97", {"preset": "sacrebleu"}),
    (
        RUG,
        of_sacrebleu,
        {"smooth_method": "none"},
        "0",
        {"preset": "sacrebleu", "smoothing": "none"},
    ),
    (
        RUG,
        of_sacrebleu,
        {"smooth_method": "floor"},
        "9.55",
        {"preset": "sacrebleu", "smoothing": "floor"},
    ),
    (
        RUG,
        of_sacrebleu,
        {"smooth_method": "add-k"},
        "30.21",
        {"preset": "sacrebleu", "smoothing": "add-k"},
    ),
    (RUG, of_nltk, {"method": 1}, "0.0955", {"preset": "nltk", "smoothing": "floor"}),
    (RUG, of_nltk, {"method": 2}, "0.3021", {"preset": "nltk", "smoothing": "add-k"}),
    (RUG, of_nltk, {"method": 3}, "0.1797", {"preset": "nltk", "smoothing": "exp"}),
    (RUG, of_nltk, {"method": 4}, "0.1075", {"preset": "nltk", "smoothing": "chen-cherry-4"}),
    (RUG, of_nltk, {"method": 5}, "0.1691", {"preset": "nltk", "smoothing": "chen-cherry-5"}),
    (RUG, of_nltk, {"method": 7}, "0.2042", {"preset": "nltk", "smoothing": "chen-cherry-7"}),
    (FOO_BAR, of_evaluate, {}, "0", {"preset": "evaluate"}),
    (FOO_BAR, of_evaluate, {"smooth": True}, "1.0", {"preset": "evaluate", "smooth": True}),
    (FOO_BAR, of_sacrebleu, {}, "0", {"preset": "sacrebleu"}),
    (
        FOO_BAR,
        of_sacrebleu,
        {"effective_order": True},
        "100.00000000000004",
        {"preset": "sacrebleu", "effective_order": True},
    ),
    (FOO_BAR, of_nltk, {"auto_reweigh": True}, "1.0", {"effective_order": True}),
    (DOG, of_sacrebleu, {}, "57.91", {}),
    (DOG, of_nltk, {}, "0.5791", {"preset": "nltk"}),
]


@pytest.mark.parametrize(("corpus", "package", "package_options", "printed", "options"), REPRODUCED)
def test_reproduced(bleu_full, corpus, package, package_options, printed, options):
    of_package = package(corpus, **package_options)
    assert f"{of_package:.{len(printed.partition('.')[2])}f}" == printed
    assert printed in CARD or f"{float(printed) / 100}" in CARD
    predictions, references = corpus
    scale = 100 if package is of_sacrebleu else 1
    assert bleu_full.compute(predictions=predictions, references=references, **options)[
        "bleu"
    ] == pytest.approx(of_package / scale, rel=1e-12, abs=0)


def test_lengths_behind_the_first_row(bleu_full):
    """The shortest references have 6 words together, those that are closest to the predictions 7."""
    for options, length in (
        ({}, 7),
        ({"preset": "sacrebleu"}, 7),
        ({"preset": "nltk"}, 7),
        ({"preset": "evaluate"}, 6),
    ):
        assert (
            bleu_full.compute(predictions=KENOBI[0], references=KENOBI[1], **options)[
                "reference_length"
            ]
            == length
        )


def test_zero_of_nltk(bleu_full):
    """NLTK takes 2.2e-308 for a precision of 0, so that its BLEU is tiny, or not even tiny where
    the order has a small weight.
    """
    for corpus, printed in ((RUG, "8.4e-155"), (FOO_BAR, "1.5e-154")):
        assert printed in CARD
        assert f"{of_nltk(corpus):.1e}" == printed
        assert (
            bleu_full.compute(predictions=corpus[0], references=corpus[1], preset="nltk")["bleu"]
            == 0.0
        )
    weights = [1, 0, 0.001]
    assert "0.2462" in CARD
    assert f"{of_nltk(RUG, weights=weights):.4f}" == "0.2462"
    assert (
        bleu_full.compute(predictions=RUG[0], references=RUG[1], preset="nltk", weights=weights)[
            "bleu"
        ]
        == 0.0
    )


def test_method_6_of_nltk(bleu_full):
    """It refuses segments without 3-gram matches, here they have a score."""
    with pytest.raises(AssertionError, match="non-zero precision for bigrams"):
        of_nltk(RUG, 6)
    score = bleu_full.compute(
        predictions=RUG[0], references=RUG[1], preset="nltk", smoothing="chen-cherry-6"
    )["bleu"]
    assert f"{score:.4f}" == "0.0724"
    assert "0.0724" in CARD


def test_torchmetrics(bleu_full):
    """The first of two equally close references counts: exp(1 - 8/6) or 1. Where an order has no
    match, the score is 0 before any smoothing.
    """
    assert "0.7165" in CARD

    def score(texts, references=None, **options):
        references = texts[1] if references is None else references
        return bleu_full.compute(predictions=texts[0], references=references, **options)["bleu"]

    other_way_round = [TIE[1][0][::-1]]
    preset = {"preset": "torchmetrics"}
    assert score(TIE, **preset) == pytest.approx(0.7165312767028809, rel=1e-6)
    assert score(TIE, other_way_round, **preset) == score(TIE) == score(TIE, other_way_round) == 1.0
    assert score(TIE, **preset, reference_length="shortest") == 1.0
    assert score(RUG, **preset) == score(RUG, **preset, smoothing="add-k") == score(RUG) == 0.0
    assert score(RUG, smoothing="add-k") > 0.3


@pytest.mark.parametrize(("prediction", "reference"), [("", "a b"), ("a b", ""), ("", "")])
def test_empty_texts(bleu_full, prediction, reference):
    with pytest.raises(ZeroDivisionError):
        of_evaluate(([prediction], [[reference]]))
    assert of_sacrebleu(([prediction], [[reference]])) == 0
    assert sentence_bleu([reference.split()], prediction.split()) == 0
    for preset in (None, "sacrebleu", "evaluate", "nltk"):
        assert (
            bleu_full.compute(predictions=[prediction], references=[reference], preset=preset)[
                "bleu"
            ]
            == 0
        )
    is_undefined = not prediction and not reference
    score = bleu_full.compute(predictions=[prediction], references=[reference], preset="matlab")[
        "bleu"
    ]
    assert math.isnan(score) if is_undefined else score == 0


def test_segments_in_another_order(bleu_full):
    """NLTK's methods 5, 6 and 7 take some counts from the last segment; here they are those of the
    corpus.
    """
    swapped = tuple(texts[::-1] for texts in DOG)
    printed = {5: ("0.6219", "0.7334", "0.6844"), 7: ("0.6219", "0.7334", "0.6844")}
    for method, (of_dog, of_swapped, expected) in printed.items():
        assert (f"{of_nltk(DOG, method):.4f}", f"{of_nltk(swapped, method):.4f}") == (
            of_dog,
            of_swapped,
        )
        for predictions, references in (DOG, swapped):
            score = bleu_full.compute(
                predictions=predictions,
                references=references,
                preset="nltk",
                smoothing=f"chen-cherry-{method}",
            )["bleu"]
            assert f"{score:.4f}" == expected
        assert {of_dog, of_swapped, expected} <= set(re.findall(r"[\d.]+\d", CARD))
    assert f"{of_nltk(DOG, 6):.4f}" == "0.7329"
    ours = bleu_full.compute(
        predictions=DOG[0], references=DOG[1], preset="nltk", smoothing="chen-cherry-6"
    )
    assert f"{ours['bleu']:.4f}" == "0.5639"
    for method in range(5):
        assert of_nltk(DOG, method) == of_nltk(swapped, method)


def test_file_separator(bleu_full):
    """Python's `str.split` splits at U+001C, bleuscore's Rust does not: one token there."""
    corpus = {"predictions": ["a\x1cb"], "references": ["a b"], "max_order": 1}
    for preset in (None, "sacrebleu", "evaluate", "nltk"):
        assert bleu_full.compute(**corpus, preset=preset)["translation_length"] == 2
    assert BLEU().corpus_score(["a\x1cb"], [["a b"]]).sys_len == 2
    assert (
        bleu_full.compute(**corpus, tokenizer=lambda text: text.split(" "))["translation_length"]
        == 1
    )


def test_blanks_or_13a(bleu_full):
    corpus = {"predictions": ["Hello, world!"], "references": ["Hello , world !"], "max_order": 2}
    assert bleu_full.compute(**corpus)["bleu"] == pytest.approx(1.0)
    assert bleu_full.compute(**corpus, tokenizer="whitespace")["bleu"] == 0.0
    assert BLEU(max_ngram_order=2).corpus_score(
        ["Hello, world!"], [["Hello , world !"]]
    ).score == pytest.approx(100)
    assert (
        BLEU(max_ngram_order=2, tokenize="none")
        .corpus_score(["Hello, world!"], [["Hello , world !"]])
        .score
        == 0
    )


def test_references_in_rows_or_columns(bleu_full):
    """sacreBLEU takes one list for each rank of reference. Given one for each prediction it gives
    100 where only the first prediction is right.
    """
    predictions, references = ["a b c d e", "v w x y z"], [["a b c d e"], ["k l m n o"]]
    score = BLEU().corpus_score(predictions, references)
    assert (round(score.score, 10), score.sys_len) == (100, 5)
    assert bleu_full.compute(predictions=predictions, references=references)["precisions"] == [
        5 / 10,
        4 / 8,
        3 / 6,
        2 / 4,
    ]
    with pytest.raises(
        ValueError, match="predictions and references must have the same length, got 2 and 1"
    ):
        bleu_full.compute(predictions=predictions, references=[["a b c d e", "k l m n o"]])


def test_counts_with_add_k(bleu_full):
    peer = BLEU(smooth_method="add-k").corpus_score(RUG[0], RUG[1])
    result = bleu_full.compute(
        predictions=RUG[0], references=RUG[1], preset="sacrebleu", smoothing="add-k"
    )
    assert (peer.counts, result["counts"]) == ([3, 2, 1, 1], [3, 1, 0, 0])
    assert (peer.totals, result["totals"]) == ([6, 6, 5, 4], [6, 5, 4, 3])
    assert "[3, 2, 1, 1]" in CARD
    assert "[3, 1, 0, 0]" in CARD


def test_mean_of_sentences_or_corpus(bleu_full):
    corpus = {"predictions": DOG[0], "references": DOG[1]}
    assert bleu_full.compute(**corpus, use_aggregator=False)["bleu"] == [1.0, 0.0]
    logging.getLogger("sacrebleu").setLevel(logging.ERROR)
    peer = BLEU(smooth_method="none")
    assert [round(peer.sentence_score(*item).score) for item in zip(*DOG, strict=True)] == [100, 0]
    logging.getLogger("sacrebleu").setLevel(logging.NOTSET)
    assert (
        f"{bleu_full.compute(**corpus)['bleu']:.4f}" == f"{of_sacrebleu(DOG) / 100:.4f}" == "0.5791"
    )


def test_zh_is_that_of_sacrebleu(bleu_full):
    """Its table ends at U+2A6D where it means U+2A6DF, and starts at U+2000 where it means U+20000."""
    corpus = {"predictions": ["𠀋𠀋 中文 a→b"], "references": ["𠀋𠀋 中 文 a → b"], "max_order": 1}
    assert bleu_full.compute(**corpus, tokenizer="zh")["translation_length"] == 6
    assert BLEU(tokenize="zh").tokenizer(corpus["predictions"][0]).split() == [
        "𠀋𠀋",
        "中",
        "文",
        "a",
        "→",
        "b",
    ]


def test_smooth_where_nothing_matches(bleu_full):
    score = bleu_full.compute(predictions=["the cat"], references=["a dog"], smooth=True)["bleu"]
    assert f"{score:.2f}" == f"{of_evaluate((['the cat'], [['a dog']]), smooth=True):.2f}" == "0.64"
    assert "0.64" in CARD


def test_table_of_options():
    options = [
        (name.strip("*"), code_of(default)[0]) for name, default, _ in rows_below("Inputs", CARD)
    ]
    assert options == [
        (field.name, repr(field.default)) for field in dataclasses.fields(BleuOptions)
    ]


def test_table_of_smoothing(bleu_full):
    assert [code_of(row[0])[0] for row in rows_below("Smoothing", CARD)] == list(SMOOTHINGS)
    sacrebleu = [
        name
        for row in rows_below("Smoothing", CARD)
        for name in re.findall("sacreBLEU's `([^`]*)`", row[-1])
    ]
    assert sacrebleu == [
        name for name in SMOOTHINGS if name in BLEU.SMOOTH_DEFAULTS and name != "none"
    ]
    nltk = [
        name
        for row in rows_below("Smoothing", CARD)
        for name in re.findall("NLTK's `([^`]*)`", row[-1])
    ]
    assert nltk == [f"method{number}" for number in range(1, 8)]


def test_table_of_tokenizers():
    assert sorted(
        name for row in rows_below("Tokenizers", CARD) for name in code_of(row[0])
    ) == sorted(TOKENIZER_NAMES)
    assert len(TOKENIZER_NAMES) > 20
    assert "| more than twenty tokenizers, functions, given tokens |" in CARD


def test_table_of_presets():
    assert [code_of(row[0])[0] for row in rows_below("Presets", CARD)] == list(BleuOptions.presets)


def test_citation(bleu_full):
    assert (
        re.search(r"^```bibtex\n(.*?)^```$", CARD, re.MULTILINE | re.DOTALL)[1]
        == bleu_full.citation
    )


def test_files_that_the_card_names():
    for name in re.findall(r"`(tests/[^`]*)`", CARD):
        assert (ROOT / name).is_file()
