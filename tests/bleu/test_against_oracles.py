"""bleu_full against numbers that others printed, each beside where it stands.

Of mteval-v13a.pl there is what its own comments say, and what a run of it printed for two items of
ours. Scores that others printed with it are public only for data sets that are not part of this
project: NLTK's test suite has them for 100 sentences of WMT15
(https://github.com/nltk/nltk/issues/1330), sacreBLEU's `test.sh` for the systems of WMT17.
"""

import math
from fractions import Fraction

import pytest

from helpers.repository import ROOT
from rouge_bleu import bleu

# --- Papineni et al. 2002, https://aclanthology.org/P02-1040 --------------------------------------

CATS = ["The cat is on the mat", "There is a cat on the mat"]
GUIDE = (
    "It is a guide to action which ensures that the military always obeys the commands of the party"
)
TROOPS = "It is to insure the troops forever hearing the activity guidebook that party direct"
PARTY = [
    "It is a guide to action that ensures that the military will forever heed Party commands",
    "It is the guiding principle which guarantees the military forces always being under the "
    "command of the Party",
    "It is the practical guide for the army always to heed the directions of the party",
]
DO = ["I always do", "I invariably do", "I perpetually do"]


@pytest.mark.parametrize(
    ("prediction", "references", "order", "precision"),
    [  # sections 2.1 and 2.2, examples 2, 1 and 3; capitals are ignored, as the paper does
        ("the the the the the the the", CATS, 1, Fraction(2, 7)),
        ("the the the the the the the", CATS, 2, Fraction(0, 6)),
        (GUIDE, PARTY, 1, Fraction(17, 18)),
        (TROOPS, PARTY, 1, Fraction(8, 14)),
        (GUIDE, PARTY, 2, Fraction(10, 17)),
        (TROOPS, PARTY, 2, Fraction(1, 13)),
        ("of the", PARTY, 2, Fraction(1, 1)),
    ],
)
def test_modified_precision(prediction, references, order, precision):
    options = {"preset": "sacrebleu", "smoothing": "none", "lowercase": True, "max_order": order}
    result = bleu([prediction], [references], **options)
    assert result["precisions"][-1] == float(precision)
    assert Fraction(result["counts"][-1], result["totals"][-1]) == precision
    assert result["totals"][-1] == len(prediction.split()) + 1 - order


def test_a_translation_of_two_words_is_punished():
    """Section 2.2, example 3: "of the" has only right words and pairs, so all depends on the
    brevity penalty: the shortest reference has 16 words.
    """
    result = bleu(["of the"], [PARTY], max_order=2)
    assert result["precisions"] == [1.0, 1.0]
    assert result["bleu"] == result["brevity_penalty"] == pytest.approx(math.exp(1 - 16 / 2))


def test_more_words_of_several_references_are_no_better():
    """Section 2.2.1, example 4: the first candidate recalls more words from the references, but is
    a poorer translation.
    """
    predictions = ["I always invariably perpetually do", "I always do"]
    first, second = bleu(predictions, [DO, DO], max_order=2, use_aggregator=False)["bleu"]
    assert first < second == 1


def test_brevity_penalty_is_one_of_the_corpus():
    """Section 2.2.2: a penalty computed sentence by sentence would punish deviations on short
    sentences harshly, so lengths are added up first.
    """
    corpus = ["x x", "x x x x x x"], ["x x x x", "x x x x"]
    assert bleu(*corpus)["brevity_penalty"] == 1.0
    penalties = bleu(*corpus, use_aggregator=False)["brevity_penalty"]
    assert penalties == pytest.approx([math.exp(1 - 4 / 2), 1.0], rel=1e-15)


# --- mteval-v13a.pl, https://github.com/moses-smt/mosesdecoder/blob/master/scripts/generic/mteval-v13a.pl


def test_mteval_smoothing():
    """The example in the comment above its function `bleu_score`: two words and one pair match, so
    the counts are 2, 1, 1/2 and 1/4.
    """
    result = bleu(["a b x y z"], ["a b q"], smoothing="exp")
    assert result["precisions"] == [2 / 5, 1 / 4, 1 / 2 / 3, 1 / 4 / 2]


# Scores of segments that `perl mteval-v13a.pl -r ref.sgm -s src.sgm -t tst.sgm -d 2` printed for these
# texts, without and with `-c` (moses-smt/mosesdecoder 34452895f, perl 5.36; formats widened to 12
# decimals). Both have n-grams of each order, where it scores segments as it does a corpus.
EUROS = (
    "It isn't the price of 3.14 euros - it's 1,000 (one thousand) dollars.",
    [
        "It isn't 3.14 euros; it's 1,000 dollars.",
        "The price is not 3.14 euros, but 1,000 dollars (one thousand).",
    ],
)
CAT = (
    "the the the the cat sat",
    [
        "The cat sat on the mat.",
        "the cat sat",
        "There was a cat on the mat.",
        "On the mat sat THE cat.",
    ],
)


@pytest.mark.parametrize(
    ("item", "line", "printed"),
    [
        (EUROS, "mteval-v13a.pl", 0.267603227566),
        (EUROS, "mteval-v13a.pl -c", 0.254066374077),
        (CAT, "mteval-v13a.pl", 0.274825457108),
        (CAT, "mteval-v13a.pl -c", 0.255753905790),
    ],
)
def test_lines_of_mteval(item, line, printed):
    assert f"| `{line}`" in (ROOT / "docs" / "which-number.md").read_text(encoding="utf-8")
    found = bleu([item[0]], [item[1]], preset=line)
    assert found["bleu"] == pytest.approx(printed, abs=1e-12)


# --- printed by other packages --------------------------------------------------------------------

SUGAR = (
    ["Producția de zahăr primă va fi exprimată în ceea ce privește zahărul alb;"],
    ["producţia de zahăr brut se exprimă în zahăr alb;"],
)
DOGS = (
    ["The dog bit the man.", "It wasn't surprising.", "The man had just bitten him."],
    [
        ["The dog bit the man.", "The dog had bit the man."],
        ["It was not unexpected.", "No one was surprised."],
        ["The man bit him first.", "The man had bitten the dog."],
    ],
)
SEQUENCES = (["am I am a character sequence"], ["I am a symbol string sequence a a"])
KENOBI = (
    ["hello there general kenobi", "on our way to ankh morpork"],
    [["hello there general kenobi", "hello there !"], ["goodbye ankh morpork", "ankh morpork"]],
)
HISTORY = (
    [GUIDE, "he read the book because he was interested in world history"],
    [PARTY, ["he was interested in world history because he read the book"]],
)
SQUIRREL = (
    ["the squirrel is eating the nut", "the cat is on the mat"],
    [
        ["a squirrel is eating a nut", "the squirrel is eating a tasty nut"],
        ["there is a cat on the mat", "a cat is on the mat"],
    ],
)
STOKEHOLD = (
    ["Teo S yb , oe uNb , R , T t , , t", "Tue Ar saln S , , 5istsi l , 5oe R ulO sae oR R"],
    [
        "Their tasks include changing a pump on the faulty stokehold .",
        "Likewise , two species that are very similar in morphology were distinguished using genetics .",
    ],
)
SACREBLEU = {"preset": "sacrebleu"}
RAW = {**SACREBLEU, "tokenizer": "none", "smoothing": "floor", "effective_order": True}
NLTK = {"preset": "nltk"}
ONE_REFERENCE = ([GUIDE], [PARTY[0]])

# The corpus, options, and BLEU as it is printed, in [0, 1] or times 100 where it is 1 or more.
PRINTED = [
    # https://github.com/mjpost/sacrebleu/blob/master/test/test_sentence_bleu.py, its issue 98
    (SUGAR, {**SACREBLEU, "effective_order": True}, "8.493"),
    (SUGAR, {**SACREBLEU, "smoothing": "floor", "smoothing_value": 0.5}, "10.10"),
    (SUGAR, {**SACREBLEU, "smoothing": "add-k", "smoothing_value": 2}, "21.389"),
    (SUGAR, {**SACREBLEU, "tokenizer": "char", "lowercase": True}, "42.0267"),
    ((["this is a cat"], ["okay thanks"]), {**SACREBLEU, "smoothing": "add-k"}, "0.0"),
    # https://github.com/mjpost/sacrebleu/blob/master/test/test_bleu.py; the last is its raw_corpus_bleu
    (DOGS, SACREBLEU, "48.530827"),
    (DOGS, {**SACREBLEU, "tokenizer": "intl"}, "43.91623493"),
    ((["", "", ""], DOGS[1]), SACREBLEU, "0.0"),
    (SEQUENCES, RAW, "0.1555722182"),
    ((["a little test"], ["a test"]), {**RAW, "smoothing_value": 0.01}, "0.03218297948685"),
    # https://huggingface.co/spaces/evaluate-metric/sacrebleu, "Output Values" and "Examples"
    (KENOBI, SACREBLEU, "39.76353643835252"),
    # https://www.nltk.org/api/nltk.translate.bleu_score.html; the last digit there is followed by
    # more, which are cut off
    (([TROOPS], [PARTY]), NLTK, "0.0"),
    (([TROOPS], [PARTY]), {**NLTK, "smoothing": "floor"}, "0.0370..."),
    (([GUIDE], [PARTY]), {**NLTK, "max_order": 5}, "0.3920..."),
    (HISTORY, NLTK, "0.5920..."),
    (HISTORY, {**NLTK, "weights": [0.1, 0.3, 0.5, 0.1]}, "0.5818..."),
    (ONE_REFERENCE, {**NLTK, "smoothing": "add-k"}, "0.4452..."),
    (ONE_REFERENCE, {**NLTK, "smoothing": "exp"}, "0.4118..."),
    (ONE_REFERENCE, {**NLTK, "smoothing": "chen-cherry-4"}, "0.4118..."),
    (ONE_REFERENCE, {**NLTK, "smoothing": "chen-cherry-5"}, "0.4905..."),
    (ONE_REFERENCE, {**NLTK, "smoothing": "chen-cherry-6"}, "0.4135..."),
    (ONE_REFERENCE, {**NLTK, "smoothing": "chen-cherry-7"}, "0.4905..."),
    # https://pytorch.org/torcheval/stable/generated/torcheval.metrics.functional.bleu_score.html
    (SQUIRREL, {"tokenizer": "whitespace"}, "0.653419"),
]


@pytest.mark.parametrize(("corpus", "options", "printed"), PRINTED)
def test_printed_scores(corpus, options, printed):
    score = bleu(*corpus, **options)["bleu"]
    percent = score * 100 if float(printed.rstrip(".")) > 1 else score
    if printed.endswith("..."):
        assert f"{percent:.12f}".startswith(printed.rstrip("."))
    else:
        n_digits = min(len(printed.partition(".")[2]), 13)  # sacreBLEU's sixteenth digit is its own
        # some of them are rounded, some cut off
        assert abs(percent - float(printed)) < 10**-n_digits


def test_printed_parts():
    """The counts that come with some of these scores."""
    result = bleu(*SEQUENCES, **RAW)  # sacreBLEU's test_bleu.py
    assert (result["counts"], result["totals"]) == ([4, 2, 1, 0], [6, 5, 4, 3])
    result = bleu(*KENOBI, **SACREBLEU)
    assert (result["counts"], result["totals"]) == ([6, 4, 2, 1], [10, 8, 6, 4])
    assert (result["brevity_penalty"], result["translation_length"]) == (1.0, 10)
    # printed by multi-bleu.perl of Moses: https://github.com/nltk/nltk/issues/1634
    # BLEU = 0.00, 3.4/0.0/0.0/0.0 (BP=1.000, ratio=1.115, hyp_len=29, ref_len=26)
    result = bleu(*STOKEHOLD, tokenizer="whitespace")
    assert [f"{100 * p:.1f}" for p in result["precisions"]] == ["3.4", "0.0", "0.0", "0.0"]
    assert f"{result['length_ratio']:.3f}" == "1.115"
    assert (result["translation_length"], result["reference_length"]) == (29, 26)
    # NLTK's documentation of `brevity_penalty`: words, words of the references
    for n_words, lengths, printed in (
        (12, (28, 28), "0.2635971381157"),
        (12, (13, 2), "0.9200"),
        (7, (11, 8), "0.8668"),
    ):
        references = [" ".join("x" * length) for length in lengths]
        penalty = bleu([" ".join("x" * n_words)], [references])["brevity_penalty"]
        assert f"{penalty:.15f}".startswith(printed)
