"""bleu_full against numbers that others printed, each beside where it stands.

Of mteval-v13a.pl there is what its own comments say, and what a run of it printed for two items of
ours. Scores that others printed with it are public only for
data sets that are not part of this project: NLTK's test suite has them for 100 sentences of WMT15
(https://github.com/nltk/nltk/issues/1330), sacreBLEU's `test.sh` for the systems of WMT17.
"""

import math
from fractions import Fraction

import pytest

from helpers.repository import ROOT

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

# prediction, references, order, modified precision; capitals are ignored, as the paper does
PAPINENI = {
    "section 2.1, example 2": ("the the the the the the the", CATS, 1, Fraction(2, 7)),
    "section 2.1, example 2, pairs": ("the the the the the the the", CATS, 2, Fraction(0, 6)),
    "section 2.1, example 1, candidate 1": (GUIDE, PARTY, 1, Fraction(17, 18)),
    "section 2.1, example 1, candidate 2": (TROOPS, PARTY, 1, Fraction(8, 14)),
    "section 2.1, example 1, candidate 1, pairs": (GUIDE, PARTY, 2, Fraction(10, 17)),
    "section 2.1, example 1, candidate 2, pairs": (TROOPS, PARTY, 2, Fraction(1, 13)),
    "section 2.2, example 3": ("of the", PARTY, 1, Fraction(2, 2)),
    "section 2.2, example 3, pairs": ("of the", PARTY, 2, Fraction(1, 1)),
}


@pytest.mark.parametrize(
    ("prediction", "references", "order", "precision"), PAPINENI.values(), ids=PAPINENI
)
def test_modified_precision(bleu_full, prediction, references, order, precision):
    result = bleu_full.compute(
        predictions=[prediction],
        references=[references],
        lowercase=True,
        max_order=order,
        preset="sacrebleu",
        smoothing="none",
    )
    assert result["precisions"][-1] == float(precision)
    assert Fraction(result["counts"][-1], result["totals"][-1]) == precision
    assert result["totals"][-1] == len(prediction.split()) + 1 - order


def test_a_translation_of_two_words_is_punished(bleu_full):
    """Section 2.2, example 3: "of the" has only right words and pairs, so all depends on the
    brevity penalty: the shortest reference has 16 words.
    """
    result = bleu_full.compute(predictions=["of the"], references=[PARTY], max_order=2)
    assert result["precisions"] == [1.0, 1.0]
    assert result["bleu"] == result["brevity_penalty"] == pytest.approx(math.exp(1 - 16 / 2))


def test_more_words_of_several_references_are_no_better(bleu_full):
    """Section 2.2.1, example 4: the first candidate recalls more words from the references, but is
    a poorer translation.
    """
    first, second = bleu_full.compute(
        predictions=["I always invariably perpetually do", "I always do"],
        references=[DO, DO],
        max_order=2,
        use_aggregator=False,
    )["bleu"]
    assert first < second == 1


@pytest.mark.parametrize(
    ("n_words", "reference_lengths", "best_match", "penalty"),
    [(12, [12, 15, 17], 12, 1.0), (15, [12, 15, 17], 15, 1.0)],
)
def test_best_match_length(bleu_full, n_words, reference_lengths, best_match, penalty):
    """Section 2.2.2: references of 12, 15 and 17 words; a terse candidate of 12 words has a penalty
    of 1.
    """
    references = [" ".join("x" * length) for length in reference_lengths]
    result = bleu_full.compute(predictions=[" ".join("x" * n_words)], references=[references])
    assert (result["reference_length"], result["brevity_penalty"]) == (best_match, penalty)


def test_brevity_penalty_is_one_of_the_corpus(bleu_full):
    """Section 2.2.2: a penalty computed sentence by sentence would punish deviations on short
    sentences harshly, so lengths are added up first.
    """
    corpus = {"predictions": ["x x", "x x x x x x"], "references": ["x x x x", "x x x x"]}
    assert bleu_full.compute(**corpus)["brevity_penalty"] == 1.0
    penalties = bleu_full.compute(**corpus, use_aggregator=False)["brevity_penalty"]
    assert penalties == pytest.approx([math.exp(1 - 4 / 2), 1.0], rel=1e-15)


# --- mteval-v13a.pl, https://github.com/moses-smt/mosesdecoder/blob/master/scripts/generic/mteval-v13a.pl


@pytest.mark.parametrize(
    ("reference_lengths", "closest"),
    [([11], 11), ([11, 8], 8), ([11, 8, 6], 6), ([11, 8, 6, 7], 7)],
)
def test_mteval_closest_reference_length(bleu_full, reference_lengths, closest):
    """The example in the comment above its function `brevity_penalty_closest`: 7 tokens, references
    of 11, 8, 6 and 7 tokens.
    """
    references = [" ".join("x" * length) for length in reference_lengths]
    result = bleu_full.compute(predictions=[" ".join("x" * 7)], references=[references])
    assert result["reference_length"] == closest


def test_mteval_smoothing(bleu_full):
    """The example in the comment above its function `bleu_score`: two words and one pair match, so
    the counts are 2, 1, 1/2 and 1/4.
    """
    result = bleu_full.compute(predictions=["a b x y z"], references=["a b q"], smoothing="exp")
    assert result["precisions"] == [2 / 5, 1 / 4, 1 / 2 / 3, 1 / 4 / 2]


# Scores of segments that `perl mteval-v13a.pl -r ref.sgm -s src.sgm -t tst.sgm -d 2` printed for these
# texts, without and with `-c` (moses-smt/mosesdecoder 34452895f, perl 5.36; formats widened to 12
# decimals). Both have n-grams of each order, where it scores segments as it does a corpus.
MTEVAL_ITEMS = [
    {
        "predictions": ["It isn't the price of 3.14 euros - it's 1,000 (one thousand) dollars."],
        "references": [
            [
                "It isn't 3.14 euros; it's 1,000 dollars.",
                "The price is not 3.14 euros, but 1,000 dollars (one thousand).",
            ]
        ],
        "mteval-v13a.pl": 0.267603227566,
        "mteval-v13a.pl -c": 0.254066374077,
    },
    {
        "predictions": ["the the the the cat sat"],
        "references": [
            [
                "The cat sat on the mat.",
                "the cat sat",
                "There was a cat on the mat.",
                "On the mat sat THE cat.",
            ]
        ],
        "mteval-v13a.pl": 0.274825457108,
        "mteval-v13a.pl -c": 0.255753905790,
    },
]


@pytest.mark.parametrize("line", ["mteval-v13a.pl", "mteval-v13a.pl -c"])
def test_lines_of_mteval(bleu_full, line):
    page = (ROOT / "docs" / "which-number.md").read_text(encoding="utf-8")
    assert f"| `{line}`" in page
    for item in MTEVAL_ITEMS:
        data = {name: item[name] for name in ("predictions", "references")}
        found = bleu_full.compute(**data, preset=line)
        assert found["bleu"] == pytest.approx(item[line], abs=1e-12)


# --- printed by other packages --------------------------------------------------------------------

SUGAR = (
    "Producția de zahăr primă va fi exprimată în ceea ce privește zahărul alb;",
    "producţia de zahăr brut se exprimă în zahăr alb;",
)

DOGS = ["The dog bit the man.", "It wasn't surprising.", "The man had just bitten him."]

DOG_REFERENCES = [
    ["The dog bit the man.", "The dog had bit the man."],
    ["It was not unexpected.", "No one was surprised."],
    ["The man bit him first.", "The man had bitten the dog."],
]

SEQUENCES = ("am I am a character sequence", "I am a symbol string sequence a a")

HISTORY = (
    "he read the book because he was interested in world history",
    "he was interested in world history because he read the book",
)

SQUIRREL = (
    "the squirrel is eating the nut",
    ["a squirrel is eating a nut", "the squirrel is eating a tasty nut"],
)

ON_THE_MAT = ("the cat is on the mat", ["there is a cat on the mat", "a cat is on the mat"])

RAW = {
    "tokenizer": "none",
    "smoothing": "floor",
    "effective_order": True,
    "preset": "sacrebleu",
}  # sacreBLEU's raw_corpus_bleu

NLTK = {"preset": "nltk"}

STOKEHOLD = [
    (
        "Teo S yb , oe uNb , R , T t , , t",
        "Their tasks include changing a pump on the faulty stokehold .",
    ),
    (
        "Tue Ar saln S , , 5istsi l , 5oe R ulO sae oR R",
        "Likewise , two species that are very similar in morphology were distinguished using genetics .",
    ),
]


def sentence(pair, printed, **options):
    return [pair[0]], [pair[1]], options, printed


# predictions, references, options, and BLEU as it is printed, in [0, 1] or times 100 where it is 1
# or more
PRINTED = {
    # https://github.com/mjpost/sacrebleu/blob/master/test/test_sentence_bleu.py, from its issue 98;
    # with effective order
    "sacrebleu 98, exp": sentence(SUGAR, "8.493", preset="sacrebleu"),
    "sacrebleu 98, none": sentence(SUGAR, "0.0", preset="sacrebleu", smoothing="none"),
    "sacrebleu 98, floor": sentence(SUGAR, "4.51688", preset="sacrebleu", smoothing="floor"),
    "sacrebleu 98, floor 0.1": sentence(
        SUGAR, "4.51688", preset="sacrebleu", smoothing="floor", smoothing_value=0.1
    ),
    "sacrebleu 98, floor 0.5": sentence(
        SUGAR, "10.10", preset="sacrebleu", smoothing="floor", smoothing_value=0.5
    ),
    "sacrebleu 98, add-k": sentence(SUGAR, "14.882", preset="sacrebleu", smoothing="add-k"),
    "sacrebleu 98, add-k 1": sentence(
        SUGAR, "14.882", preset="sacrebleu", smoothing="add-k", smoothing_value=1
    ),
    "sacrebleu 98, add-k 2": sentence(
        SUGAR, "21.389", preset="sacrebleu", smoothing="add-k", smoothing_value=2
    ),
    "sacrebleu 98, tokenizer none": sentence(SUGAR, "7.347", preset="sacrebleu", tokenizer="none"),
    "sacrebleu 98, tokenizer intl": sentence(SUGAR, "8.493", preset="sacrebleu", tokenizer="intl"),
    "sacrebleu 98, tokenizer char": sentence(
        SUGAR, "40.8759", preset="sacrebleu", tokenizer="char"
    ),
    "sacrebleu 98, tokenizer char, lowercase": sentence(
        SUGAR, "42.0267", preset="sacrebleu", tokenizer="char", lowercase=True
    ),
    # the same file, from its issue 141: no match at all
    **{
        f"sacrebleu 141, {smoothing}": sentence(
            ("this is a cat", "okay thanks"), "0.0", preset="sacrebleu", smoothing=smoothing
        )
        for smoothing in ("exp", "none", "floor", "add-k")
    },
    # https://github.com/mjpost/sacrebleu/blob/master/test/test_bleu.py
    "sacrebleu readme": (DOGS, DOG_REFERENCES, {"preset": "sacrebleu"}, "48.530827"),
    "sacrebleu readme, no tokenizer": (
        DOGS,
        DOG_REFERENCES,
        {"preset": "sacrebleu", "tokenizer": "none"},
        "49.1919566",
    ),
    "sacrebleu readme, intl": (
        DOGS,
        DOG_REFERENCES,
        {"preset": "sacrebleu", "tokenizer": "intl"},
        "43.91623493",
    ),
    "sacrebleu readme, no smoothing": (
        DOGS,
        DOG_REFERENCES,
        {"preset": "sacrebleu", "smoothing": "none"},
        "48.530827",
    ),
    "sacrebleu readme, no predictions": (
        ["", "", ""],
        DOG_REFERENCES,
        {"preset": "sacrebleu"},
        "0.0",
    ),
    "sacrebleu, raw": sentence(
        ("this is a fest", "this is a test"), "0.223606798", **RAW, smoothing_value=0.01
    ),
    "sacrebleu, floor": sentence(SEQUENCES, "0.1555722182", **RAW),
    "sacrebleu, floor 0": sentence(SEQUENCES, "0.0", **RAW, smoothing_value=0.0),
    "sacrebleu, effective order 1": sentence(
        ("test", "a test"), "0.36787944117144", **RAW, smoothing_value=0.01
    ),
    "sacrebleu, effective order 2": sentence(
        ("a test", "a test"), "1.0", **RAW, smoothing_value=0.01
    ),
    "sacrebleu, effective order 3": sentence(
        ("a little test", "a test"), "0.03218297948685", **RAW, smoothing_value=0.01
    ),
    # https://huggingface.co/spaces/evaluate-metric/sacrebleu, "Output Values" and "Examples"
    "evaluate, sacrebleu card": (
        ["hello there general kenobi", "on our way to ankh morpork"],
        [["hello there general kenobi", "hello there !"], ["goodbye ankh morpork", "ankh morpork"]],
        {"preset": "sacrebleu"},
        "39.76353643835252",
    ),
    # https://www.nltk.org/api/nltk.translate.bleu_score.html; the last digit there is followed by
    # more, which are cut off
    "nltk, sentence": sentence((GUIDE, PARTY), "0.5045...", **NLTK),
    "nltk, no match": sentence((TROOPS, PARTY), "0.0", **NLTK),
    "nltk, method 1, no match": sentence((TROOPS, PARTY), "0.0370...", **NLTK, smoothing="floor"),
    "nltk, five orders": sentence((GUIDE, PARTY), "0.3920...", **NLTK, max_order=5),
    "nltk, two orders": sentence((GUIDE, PARTY), "0.7453...", **NLTK, weights=[1 / 2, 1 / 2]),
    "nltk, three orders": sentence(
        (GUIDE, PARTY), "0.6240...", **NLTK, weights=[1 / 3, 1 / 3, 1 / 3]
    ),
    "nltk, corpus": ([GUIDE, HISTORY[0]], [PARTY, [HISTORY[1]]], NLTK, "0.5920..."),
    "nltk, corpus, weights": (
        [GUIDE, HISTORY[0]],
        [PARTY, [HISTORY[1]]],
        NLTK | {"weights": [0.1, 0.3, 0.5, 0.1]},
        "0.5818...",
    ),
    "nltk, corpus, two orders": (
        [GUIDE, HISTORY[0]],
        [PARTY, [HISTORY[1]]],
        NLTK | {"weights": [0.5, 0.5]},
        "0.8242...",
    ),
    "nltk, corpus, three orders": (
        [GUIDE, HISTORY[0]],
        [PARTY, [HISTORY[1]]],
        NLTK | {"weights": [0.333, 0.333, 0.334]},
        "0.7067...",
    ),
    "nltk, corpus, five orders": (
        [GUIDE, HISTORY[0]],
        [PARTY, [HISTORY[1]]],
        NLTK | {"weights": [0.2] * 5},
        "0.4719...",
    ),
    "nltk, method 0": sentence((GUIDE, PARTY[0]), "0.4118...", **NLTK),
    "nltk, method 1": sentence((GUIDE, PARTY[0]), "0.4118...", **NLTK, smoothing="floor"),
    "nltk, method 2": sentence((GUIDE, PARTY[0]), "0.4452...", **NLTK, smoothing="add-k"),
    "nltk, method 3": sentence((GUIDE, PARTY[0]), "0.4118...", **NLTK, smoothing="exp"),
    "nltk, method 4": sentence((GUIDE, PARTY[0]), "0.4118...", **NLTK, smoothing="chen-cherry-4"),
    "nltk, method 5": sentence((GUIDE, PARTY[0]), "0.4905...", **NLTK, smoothing="chen-cherry-5"),
    "nltk, method 6": sentence((GUIDE, PARTY[0]), "0.4135...", **NLTK, smoothing="chen-cherry-6"),
    "nltk, method 7": sentence((GUIDE, PARTY[0]), "0.4905...", **NLTK, smoothing="chen-cherry-7"),
    # https://www.nltk.org/howto/bleu.html
    "nltk howto": sentence(
        ("John loves Mary", "The candidate has no alignment to any of the references"),
        "0",
        **NLTK,
        max_order=1,
    ),
    "nltk howto, method 4": sentence(
        ("It is .", "It is a place of quiet contemplation ."),
        "4.4267...",
        **NLTK,
        smoothing="chen-cherry-4",
    ),
    # https://github.com/nltk/nltk/issues/1838
    "nltk 1838": sentence(
        (["5", "6", "8", "1"], ["1", "2", "3", "4"]),
        "0.08034284189446518",
        **NLTK,
        smoothing="floor",
    ),
    "nltk 1838, two": sentence(
        (["5", "6", "8", "1"], ["1", "2", "3", "4"]),
        "0.09128709291752769",
        **NLTK,
        smoothing="floor",
        max_order=2,
    ),
    # https://pytorch.org/torcheval/stable/generated/torcheval.metrics.functional.bleu_score.html
    "torcheval": (*([item] for item in SQUIRREL), {"tokenizer": "whitespace"}, "0.537285"),
    "torcheval, two": (
        *map(list, zip(SQUIRREL, ON_THE_MAT, strict=True)),
        {"tokenizer": "whitespace"},
        "0.653419",
    ),
    # printed by multi-bleu.perl of Moses: https://github.com/nltk/nltk/issues/1634
    "multi-bleu.perl": (
        *map(list, zip(*STOKEHOLD, strict=True)),
        {"tokenizer": "whitespace"},
        "0.00",
    ),
}


@pytest.mark.parametrize(
    ("predictions", "references", "options", "printed"), PRINTED.values(), ids=PRINTED
)
def test_printed_scores(bleu_full, predictions, references, options, printed):
    use_aggregator = len(predictions) > 1 or options.get("preset") != "sacrebleu"
    score = bleu_full.compute(
        predictions=predictions, references=references, **options, use_aggregator=use_aggregator
    )["bleu"]
    score = score if use_aggregator else score[0]
    percent = score * 100 if float(printed.rstrip(".")) > 1 else score
    if printed.endswith("..."):
        assert f"{percent:.12f}".startswith(printed.rstrip("."))
    else:
        n_digits = min(len(printed.partition(".")[2]), 13)  # sacreBLEU's sixteenth digit is its own
        assert (
            abs(percent - float(printed)) < 10**-n_digits
        )  # some of them are rounded, some cut off


def test_printed_parts(bleu_full):
    """The counts that come with some of these scores."""
    result = bleu_full.compute(predictions=[SEQUENCES[0]], references=[SEQUENCES[1]], **RAW)
    assert (result["counts"], result["totals"]) == (
        [4, 2, 1, 0],
        [6, 5, 4, 3],
    )  # sacreBLEU's test_bleu.py
    predictions, references, options, _ = PRINTED["evaluate, sacrebleu card"]
    result = bleu_full.compute(predictions=predictions, references=references, **options)
    assert (result["counts"], result["totals"]) == ([6, 4, 2, 1], [10, 8, 6, 4])
    assert (
        result["brevity_penalty"],
        result["translation_length"],
        result["reference_length"],
    ) == (1.0, 10, 7)
    predictions, references, options, _ = PRINTED["multi-bleu.perl"]
    result = bleu_full.compute(predictions=predictions, references=references, **options)
    precisions = "/".join(f"{100 * precision:.1f}" for precision in result["precisions"])
    lengths = (
        f"ratio={result['length_ratio']:.3f}, hyp_len={result['translation_length']}, "
        f""
        f"ref_len={result['reference_length']}"
    )
    assert (
        f"BLEU = {100 * result['bleu']:.2f}, {precisions} (BP={result['brevity_penalty']:.3f}, {lengths})"
        == ("BLEU = 0.00, 3.4/0.0/0.0/0.0 (BP=1.000, ratio=1.115, hyp_len=29, ref_len=26)")
    )
    # NLTK's documentation of `brevity_penalty`: 12 words against 28 and 28; 12 against 13 and 2; 7
    # against 11 and 8
    for n_words, lengths, printed in (
        (12, (28, 28), "0.2635971381157"),
        (12, (13, 2), "0.9200"),
        (7, (11, 8), "0.8668"),
    ):
        references = [" ".join("x" * length) for length in lengths]
        penalty = bleu_full.compute(predictions=[" ".join("x" * n_words)], references=[references])[
            "brevity_penalty"
        ]
        assert f"{penalty:.15f}".startswith(printed)
