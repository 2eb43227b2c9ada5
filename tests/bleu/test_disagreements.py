"""Where packages disagree about BLEU: each number by an option or a preset, or as what only that
package does.

sacreBLEU and NLTK are asked here, and evaluate's `bleu` through its rules. Numbers of other
packages were read from a run: torchmetrics 1.9.0, bleuscore 0.2.0.
"""

import logging
import math

import pytest
from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu, sentence_bleu
from sacrebleu.metrics import BLEU

from helpers.bleu.peers import as_streams, evaluate_bleu
from rouge_bleu import bleu

pytestmark = pytest.mark.filterwarnings(r"ignore:\s*The hypothesis contains 0 counts")  # of NLTK

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


def of_sacrebleu(corpus, smoothing="exp", **options):
    peer = BLEU(smooth_method=smoothing, **options)
    return peer.corpus_score(corpus[0], as_streams(corpus[1])).score


def of_nltk(corpus, method=0, **options):
    references = [[text.split() for text in texts] for texts in corpus[1]]
    predictions = [text.split() for text in corpus[0]]
    smooth = getattr(SmoothingFunction(), f"method{method}")
    return corpus_bleu(references, predictions, smoothing_function=smooth, **options)


def of_evaluate(corpus, **options):
    return evaluate_bleu(*corpus, **options)["bleu"]


SACREBLEU = {"preset": "sacrebleu"}
EVALUATE = {"preset": "evaluate"}
NLTK = {"preset": "nltk"}
SMOOTH = {"smooth": True}
EFFECTIVE = {"effective_order": True}

# corpus; the package and its options; its result, the options that give
# the same here
REPRODUCED = [
    (KENOBI, of_evaluate, {}, "1.0", EVALUATE),
    (KENOBI, of_sacrebleu, {}, "100.00000000000004", SACREBLEU),
    (KENOBI, of_nltk, {}, "0.8409", NLTK),
    (TIE, of_sacrebleu, {}, "100.00000000000004", SACREBLEU),
    (TIE, of_nltk, {}, "1.0", NLTK),
    (RUG, of_evaluate, {}, "0", EVALUATE),
    (RUG, of_evaluate, SMOOTH, "0.3124", EVALUATE | SMOOTH),
    (RUG, of_sacrebleu, {}, "17.97", SACREBLEU),
    (RUG, of_sacrebleu, {"smoothing": "none"}, "0", SACREBLEU | {"smoothing": "none"}),
    (RUG, of_sacrebleu, {"smoothing": "floor"}, "9.55", SACREBLEU | {"smoothing": "floor"}),
    (RUG, of_sacrebleu, {"smoothing": "add-k"}, "30.21", SACREBLEU | {"smoothing": "add-k"}),
    (RUG, of_nltk, {"method": 1}, "0.0955", NLTK | {"smoothing": "floor"}),
    (RUG, of_nltk, {"method": 2}, "0.3021", NLTK | {"smoothing": "add-k"}),
    (RUG, of_nltk, {"method": 3}, "0.1797", NLTK | {"smoothing": "exp"}),
    (RUG, of_nltk, {"method": 4}, "0.1075", NLTK | {"smoothing": "chen-cherry-4"}),
    (RUG, of_nltk, {"method": 5}, "0.1691", NLTK | {"smoothing": "chen-cherry-5"}),
    (RUG, of_nltk, {"method": 7}, "0.2042", NLTK | {"smoothing": "chen-cherry-7"}),
    (FOO_BAR, of_evaluate, {}, "0", EVALUATE),
    (FOO_BAR, of_evaluate, SMOOTH, "1.0", EVALUATE | SMOOTH),
    (FOO_BAR, of_sacrebleu, {}, "0", SACREBLEU),
    (FOO_BAR, of_sacrebleu, EFFECTIVE, "100.00000000000004", SACREBLEU | EFFECTIVE),
    (FOO_BAR, of_nltk, {"auto_reweigh": True}, "1.0", EFFECTIVE),
    (DOG, of_sacrebleu, {}, "57.91", {}),
    (DOG, of_nltk, {}, "0.5791", NLTK),
]


@pytest.mark.parametrize(("corpus", "package", "package_options", "printed", "options"), REPRODUCED)
def test_reproduced(corpus, package, package_options, printed, options):
    of_package = package(corpus, **package_options)
    assert f"{of_package:.{len(printed.partition('.')[2])}f}" == printed
    scale = 100 if package is of_sacrebleu else 1
    assert bleu(*corpus, **options)["bleu"] == pytest.approx(of_package / scale, rel=1e-12, abs=0)


@pytest.mark.parametrize(
    ("preset", "length"), [(None, 7), ("sacrebleu", 7), ("nltk", 7), ("evaluate", 6)]
)
def test_lengths_behind_the_first_row(preset, length):
    """The shortest references have 6 words together, those that are closest to the predictions 7."""
    assert bleu(*KENOBI, preset=preset)["reference_length"] == length


def test_zero_of_nltk():
    """NLTK takes 2.2e-308 for a precision of 0, so that its BLEU is tiny, or not even tiny where
    the order has a small weight.
    """
    for corpus, options, form, printed in (
        (RUG, {}, ".1e", "8.4e-155"),
        (FOO_BAR, {}, ".1e", "1.5e-154"),
        (RUG, {"weights": [1, 0, 0.001]}, ".4f", "0.2462"),
    ):
        assert format(of_nltk(corpus, **options), form) == printed
        assert bleu(*corpus, **NLTK, **options)["bleu"] == 0.0


def test_method_6_of_nltk():
    """It refuses segments without 3-gram matches, here they have a score."""
    with pytest.raises(AssertionError, match="non-zero precision for bigrams"):
        of_nltk(RUG, 6)
    assert f"{bleu(*RUG, **NLTK, smoothing='chen-cherry-6')['bleu']:.4f}" == "0.0724"


def test_torchmetrics():
    """The first of two equally close references counts: exp(1 - 8/6) or 1. Where an order has no
    match, the score is 0 before any smoothing.
    """
    preset = {"preset": "torchmetrics"}
    turned = TIE[0], [TIE[1][0][::-1]]
    assert bleu(*TIE, **preset)["bleu"] == pytest.approx(0.7165312767028809, rel=1e-6)
    assert bleu(*turned, **preset)["bleu"] == 1.0
    assert bleu(*TIE)["bleu"] == bleu(*turned)["bleu"] == 1.0
    assert bleu(*TIE, **preset, reference_length="shortest")["bleu"] == 1.0
    assert bleu(*RUG, **preset, smoothing="add-k")["bleu"] == 0.0
    assert bleu(*RUG, smoothing="add-k")["bleu"] > 0.3


@pytest.mark.parametrize(("prediction", "reference"), [("", "a b"), ("a b", ""), ("", "")])
def test_empty_texts(prediction, reference):
    corpus = [prediction], [[reference]]
    with pytest.raises(ZeroDivisionError):
        of_evaluate(corpus)
    assert of_sacrebleu(corpus) == 0
    assert sentence_bleu([reference.split()], prediction.split()) == 0
    for preset in (None, "sacrebleu", "evaluate", "nltk"):
        assert bleu(*corpus, preset=preset)["bleu"] == 0
    expected = 0.0 if prediction or reference else math.nan
    assert repr(bleu(*corpus, preset="matlab")["bleu"]) == repr(expected)


@pytest.mark.parametrize(
    ("method", "of_dog", "of_swapped", "ours"),
    [
        (5, "0.6219", "0.7334", "0.6844"),
        (6, "0.7329", "0.7329", "0.5639"),
        (7, "0.6219", "0.7334", "0.6844"),
    ],
)
def test_segments_in_another_order(method, of_dog, of_swapped, ours):
    """NLTK's methods 5, 6 and 7 take some counts from the last segment; here they are those of the
    corpus.
    """
    swapped = tuple(texts[::-1] for texts in DOG)
    assert f"{of_nltk(DOG, method):.4f}" == of_dog
    assert f"{of_nltk(swapped, method):.4f}" == of_swapped
    for corpus in (DOG, swapped):
        found = bleu(*corpus, **NLTK, smoothing=f"chen-cherry-{method}")["bleu"]
        assert f"{found:.4f}" == ours


def test_file_separator():
    """Python's `str.split` splits at U+001C, bleuscore's Rust does not: one token there."""
    corpus = ["a\x1cb"], ["a b"]
    for preset in (None, "sacrebleu", "evaluate", "nltk"):
        assert bleu(*corpus, max_order=1, preset=preset)["translation_length"] == 2
    assert BLEU().corpus_score(["a\x1cb"], [["a b"]]).sys_len == 2


def test_blanks_or_13a():
    corpus = ["Hello, world!"], [["Hello , world !"]]
    for tokenizer, of_peer, score in (("13a", "13a", 1.0), ("whitespace", "none", 0.0)):
        assert bleu(*corpus, max_order=2, tokenizer=tokenizer)["bleu"] == pytest.approx(score)
        peer = of_sacrebleu(corpus, tokenize=of_peer, max_ngram_order=2)
        assert peer == pytest.approx(100 * score)


def test_references_in_rows_or_columns():
    """sacreBLEU takes one list for each rank of reference. Given one for each prediction it gives
    100 where only the first prediction is right.
    """
    predictions, references = ["a b c d e", "v w x y z"], [["a b c d e"], ["k l m n o"]]
    peer = BLEU().corpus_score(predictions, references)
    assert (round(peer.score, 10), peer.sys_len) == (100, 5)
    assert bleu(predictions, references)["precisions"] == [5 / 10, 4 / 8, 3 / 6, 2 / 4]
    with pytest.raises(ValueError, match="one list of references for each prediction"):
        bleu(predictions, [["a b c d e", "k l m n o"]])


def test_counts_with_add_k():
    peer = BLEU(smooth_method="add-k").corpus_score(*RUG)
    result = bleu(*RUG, **SACREBLEU, smoothing="add-k")
    assert (peer.counts, result["counts"]) == ([3, 2, 1, 1], [3, 1, 0, 0])
    assert (peer.totals, result["totals"]) == ([6, 6, 5, 4], [6, 5, 4, 3])


def test_mean_of_sentences_or_corpus():
    assert bleu(*DOG, use_aggregator=False)["bleu"] == [1.0, 0.0]
    logging.getLogger("sacrebleu").setLevel(logging.ERROR)
    peer = BLEU(smooth_method="none")
    assert [round(peer.sentence_score(*item).score) for item in zip(*DOG, strict=True)] == [100, 0]
    logging.getLogger("sacrebleu").setLevel(logging.NOTSET)


def test_zh_is_that_of_sacrebleu():
    """Its table ends at U+2A6D instead of U+2A6DF, and starts at U+2000 instead of U+20000."""
    corpus = ["𠀋𠀋 中文 a→b"], ["𠀋𠀋 中 文 a → b"]
    assert bleu(*corpus, max_order=1, tokenizer="zh")["bleu"] == 1
    assert BLEU(tokenize="zh").tokenizer(corpus[0][0]) == corpus[1][0]


def test_smooth_where_nothing_matches():
    corpus = ["the cat"], [["a dog"]]
    assert f"{of_evaluate(corpus, **SMOOTH):.2f}" == "0.64"
    assert f"{bleu(*corpus, **SMOOTH)['bleu']:.2f}" == "0.64"
