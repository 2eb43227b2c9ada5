"""rouge_full as users call it: printed examples, parity with rouge_score, options and results."""

import json
import math
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from full_metrics import corpus as corpus_module
from full_metrics.rouge_options import RougeOptions
from full_metrics.rouge_scorer import rouge
from rouge_score.rouge_scorer import RougeScorer

import oracles

pytestmark = pytest.mark.filterwarnings("ignore:No text holds a single token")

OUTPUTS = ("precision", "recall", "fmeasure")
DEFAULT_TYPES = ["rouge1", "rouge2", "rougeL", "rougeLsum", "rougeW", "rougeS4", "rougeSU4"]
ROUGE_SCORE_TYPES = [*(f"rouge{order}" for order in range(1, 10)), "rougeL", "rougeLsum"]
# One type of each family and the ways in which a type can be spelled.
ALL_TYPES = [
    "rouge1",
    "rouge2",
    "rouge3",
    "rougeL",
    "rougeLsum",
    "rougeW",
    "rougeW-1.5",
    "rougeW-2",
    "rougeS",
    "rougeS*",
    "rougeS0",
    "rougeS4",
]
ALL_TYPES += ["rougeSU", "rougeSU*", "rougeSU0", "rougeSU4"]


# --- printed examples -----------------------------------------------------------------------------

FOX = "the fast brown fox jumped over the lazy dog"
FOX_REFERENCES = [
    "the quick brown animal jumped over the lazy dog",
    "the quick brown fox jumped over the lazy dog",
]
SUMMARY = "a simple summary document containing some words"
SUMMARY_REFERENCES = ["a simple document", "another document with some words"]
COFFEE = "A bold, full-flavored coffee with a slightly bitter aftertaste."
COFFEE_REFERENCES = [
    "A bold, flavorful coffee with a slightly bitter aftertaste.",
    "A rich, full-bodied coffee with a smooth finish.",
]
HUNGER_GAMES = ("I really loved reading the Hunger Games.", "I loved reading the Hunger Games.")
MAT = ("the cat sat on a mat", "the cat sat on the mat")
ON_THE_MAT = "the cat was on the mat"
ON_THE_MAT_REFERENCES = ["the cat sat on the mat today in the sun", "on the mat there was a cat"]
DUPLICATES = ("1 2 1 2", "1 2 3 4 5 1 2 6")

# predictions, references, options, and for each key the values: strings have as many digits as
# their source prints, Fractions are counted by hand.
EXAMPLES = {
    # https://www.mathworks.com/help/textanalytics/ref/rougeevaluationscore.html, "Evaluate
    # Similarity": recall, the highest over the references
    "matlab rouge-1": (
        [FOX],
        [FOX_REFERENCES],
        {"output": "recall", "beta": math.inf},
        {"rouge1": ["0.8889"]},
    ),
    # the same page, "Specify N-Gram Lengths": score = 1 with unigrams, 0.5000 with bigrams
    "matlab n-gram length": (
        [SUMMARY],
        [SUMMARY_REFERENCES],
        {"output": "recall", "beta": math.inf},
        {"rouge1": ["1"], "rouge2": ["0.5000"]},
    ),
    # printed by the rouge metric of evaluate; rouge_score 0.1.2, RougeScorer.score_multi, has the
    # same digits
    "evaluate, two references": (
        [COFFEE],
        [COFFEE_REFERENCES],
        {},
        {
            "rouge1": ["0.8421052631578948"],
            "rouge2": ["0.7058823529411765"],
            "rougeL": ["0.8421052631578948"],
            "rougeLsum": ["0.8421052631578948"],
        },
    ),
    # https://huggingface.co/spaces/evaluate-metric/rouge, "How to Use"
    "evaluate card, identical": (
        ["hello there", "general kenobi"],
        [["hello there"], ["general kenobi"]],
        {},
        {name: ["1.0", "1.0"] for name in ("rouge1", "rouge2", "rougeL", "rougeLsum")},
    ),
    # the same page, "Examples": prints [0.5, 0.0]. It is the precision of what rouge_score computes
    # today; F is 2/3
    "evaluate card, precision": (
        ["hello goodbye", "ankh morpork"],
        [["goodbye"], ["general kenobi"]],
        {"output": "precision"},
        {"rouge1": ["0.5", "0.0"]},
    ),
    # all 6 words of the reference in their order, among 7
    "one word too many, recall": (
        [HUNGER_GAMES[0]],
        [[HUNGER_GAMES[1]]],
        {"output": "recall"},
        {"rouge1": ["1.0"], "rougeL": ["1.0"]},
    ),
    "one word too many, precision": (
        [HUNGER_GAMES[0]],
        [[HUNGER_GAMES[1]]],
        {"output": "precision"},
        {"rouge1": [Fraction(6, 7)], "rougeL": [Fraction(6, 7)]},
    ),
    "one word too many, F": (
        [HUNGER_GAMES[0]],
        [[HUNGER_GAMES[1]]],
        {},
        {"rouge1": [Fraction(12, 13)], "rougeL": [Fraction(12, 13)]},
    ),
    # "the cat sat on" and "mat" of 6 words; "the cat", "cat sat" and "sat on" of 5 pairs
    "one word wrong": (
        [MAT[0]],
        [[MAT[1]]],
        {"output": "recall"},
        {"rouge1": [Fraction(5, 6)], "rouge2": [Fraction(3, 5)]},
    ),
    # ROUGE-1.5.5, rouge_score and PyRouge agree: 4 of 4 and of 8 words, 2 of 3 and of 7 pairs
    "clipped, precision": (
        [DUPLICATES[0]],
        [[DUPLICATES[1]]],
        {"output": "precision"},
        {"rouge1": ["1"], "rouge2": ["0.66667"]},
    ),
    "clipped, recall": (
        [DUPLICATES[0]],
        [[DUPLICATES[1]]],
        {"output": "recall"},
        {"rouge1": ["0.5"], "rouge2": ["0.28571"]},
    ),
    "clipped, F": (
        [DUPLICATES[0]],
        [[DUPLICATES[1]]],
        {},
        {"rouge1": ["0.66667"], "rouge2": ["0.4"]},
    ),
    # rouge_score 0.1.2, RougeScorer.score_multi
    "best of two references": (
        [ON_THE_MAT],
        [ON_THE_MAT_REFERENCES],
        {},
        {"rouge1": ["0.76923"], "rouge2": ["0.42857"]},
    ),
    "best of three references": (
        [ON_THE_MAT],
        [[*ON_THE_MAT_REFERENCES, "a cat on a mat"]],
        {},
        {"rouge1": ["0.7692"]},
    ),
    # rouge_score 0.1.2, use_stemmer=False and True: "speaks" and "spoke" stay apart, "words" and
    # "word" do not
    "not stemmed": (["he spoke better words"], [["he speaks good word"]], {}, {"rouge1": ["0.25"]}),
    "stemmed": (
        ["he spoke better words"],
        [["he speaks good word"]],
        {"use_stemmer": True},
        {"rouge1": ["0.5"]},
    ),
    "stemmed, irregular plural": (
        ["the children went home"],
        [["the child goes home"]],
        {"use_stemmer": True},
        {"rouge1": ["0.5"]},
    ),
    # rouge_score 0.1.2: its tokenizer knows ASCII letters and digits only
    "punctuation only": (["..."], [["..."]], {}, {name: ["0"] for name in ALL_TYPES}),
    "no ascii letters": (
        ["สวัสดี", "नमस्ते", "你好"],
        [["สวัสดี"], ["नमस्ते"], ["你好"]],
        {},
        {name: ["0"] * 3 for name in ALL_TYPES},
    ),
}


@pytest.mark.parametrize(
    ("predictions", "references", "options", "expected"), EXAMPLES.values(), ids=EXAMPLES
)
def test_printed_examples(rouge_full, predictions, references, options, expected):
    result = rouge_full.compute(
        predictions=predictions,
        references=references,
        rouge_types=list(expected),
        use_aggregator=False,
        **options,
    )
    assert list(result) == list(expected)
    for name, printed in expected.items():
        assert [
            as_printed(value, digits) for value, digits in zip(result[name], printed, strict=True)
        ] == printed, name


def as_printed(value, printed):
    """Return the value with the digits that `printed` has, or `printed` itself where it is a
    Fraction and equal up to the last bits.
    """
    if isinstance(printed, Fraction):
        return printed if value == pytest.approx(float(printed), rel=4e-16, abs=0) else value
    return f"{value:.{len(printed.partition('.')[2])}f}"


def test_card_example_aggregated(rouge_full):
    # https://huggingface.co/spaces/evaluate-metric/rouge, "Examples", with aggregation: prints
    # 0.25, here too as precision
    examples = {
        "predictions": ["hello goodbye", "ankh morpork"],
        "references": ["goodbye", "general kenobi"],
    }
    assert rouge_full.compute(**examples, rouge_types=["rouge1"], output="precision") == {
        "rouge1": 0.25
    }
    assert rouge_full.compute(**examples, rouge_types=["rouge1"]) == {"rouge1": (2 / 3) / 2}


def test_default_options_on_the_printed_example(rouge_full):
    result = rouge_full.compute(predictions=[COFFEE], references=[COFFEE_REFERENCES])
    assert list(result) == DEFAULT_TYPES
    assert result["rouge1"] == 0.8421052631578948  # as above


# --- parity with rouge_score ----------------------------------------------------------------------

# Words that a stemmer joins, words that are split, and letters outside ASCII: lowercasing makes "i"
# and a combining dot of U+0130 and an ASCII "k" of the Kelvin sign U+212A, and leaves the ligature.
SAMPLE = """the The a cat cats dog's ran run running quickly sky skies dying policies police's police U.S. 3.14 1,000 well-known foo_bar (x) "quoted"
    naïve Ärger İstanbul \u212aelvin ﬁne 中文 हिन्दी — e-mail don't $5 % ... generalization generalized conditional innings x1y2 ."""
WORDS = SAMPLE.split()


def random_text(rng, max_words, max_lines=4):
    """Return words of a small vocabulary in a few lines, some of them empty."""
    words = rng.choice(
        WORDS[: rng.integers(4, len(WORDS) + 1)], rng.integers(0, max_words + 1)
    ).tolist()
    cuts = np.sort(rng.integers(0, len(words) + 1, rng.integers(0, max_lines)))
    return "\n".join(
        " ".join(words[start:end])
        for start, end in zip([0, *cuts], [*cuts, len(words)], strict=True)
    )


def random_corpus(rng, n_items, max_words, max_references=1):
    """Return predictions and lists of references, of which about a third starts as the prediction
    does.
    """
    predictions = [random_text(rng, max_words) for _ in range(n_items)]
    references = []
    for prediction in predictions:
        texts = [random_text(rng, max_words) for _ in range(rng.integers(1, max_references + 1))]
        references.append(
            [
                prediction[: len(prediction) // 2] + text if rng.random() < 0.3 else text
                for text in texts
            ]
        )
    return predictions, references


def rouge_score_result(predictions, references, **options):
    """Return what rouge_score gives, as rouge_full names it with output="all" and
    use_aggregator=False.
    """
    scorer = RougeScorer(ROUGE_SCORE_TYPES, **options)
    scores = [
        scorer.score_multi(targets, prediction)
        for prediction, targets in zip(predictions, references, strict=True)
    ]
    return {
        f"{name}_{output}": [float(getattr(score[name], output)) for score in scores]
        for name in ROUGE_SCORE_TYPES
        for output in OUTPUTS
    }


@pytest.mark.parametrize("use_stemmer", [False, True])
@pytest.mark.parametrize(
    ("n_items", "max_words", "max_references"),
    [(300, 6, 1), (200, 60, 1), (20, 200, 1), (150, 8, 4), (60, 50, 5)],
)
def test_parity_with_rouge_score(rouge_full, n_items, max_words, max_references, use_stemmer):
    predictions, references = random_corpus(
        np.random.default_rng(max_words), n_items, max_words, max_references
    )
    options = {"rouge_types": ROUGE_SCORE_TYPES, "use_stemmer": use_stemmer, "output": "all"}
    per_item = rouge_full.compute(
        predictions=predictions, references=references, use_aggregator=False, **options
    )
    expected = rouge_score_result(predictions, references, use_stemmer=use_stemmer)
    assert per_item == expected  # to the last digit: the order of the operations is the same
    assert any(0 < value < 1 for value in expected["rouge9_fmeasure"]) == (max_words > 8)

    aggregated = rouge_full.compute(predictions=predictions, references=references, **options)
    assert aggregated == pytest.approx(
        {key: math.fsum(values) / n_items for key, values in expected.items()}, abs=1e-12
    )


def test_parity_with_rouge_score_on_plain_strings_and_one_reference(rouge_full):
    predictions, references = random_corpus(np.random.default_rng(1), 100, 20)
    options = {"rouge_types": ROUGE_SCORE_TYPES, "output": "all", "use_aggregator": False}
    result = rouge_full.compute(
        predictions=predictions, references=[texts[0] for texts in references], **options
    )
    assert result == rouge_score_result(predictions, references)


@pytest.mark.parametrize("n_words", [63, 64, 65, 129])
def test_parity_with_rouge_score_on_long_sentences(rouge_full, n_words):
    rng = np.random.default_rng(n_words)
    texts = [" ".join(rng.choice(["a", "b", "c", "d", "e"], n_words)) for _ in range(8)]
    predictions = ["\n".join(texts[:2]), texts[2], texts[3]]
    references = [["\n".join(texts[3:5])], [texts[5]], ["\n".join(texts[6:])]]
    result = rouge_full.compute(
        predictions=predictions,
        references=references,
        rouge_types=ROUGE_SCORE_TYPES,
        output="all",
        use_aggregator=False,
    )
    assert result == rouge_score_result(predictions, references)


class Peer:
    """A tokenizer as rouge_score takes it."""

    def __init__(self, tokenize):
        self.tokenize = tokenize


# The tokenizer of rouge_full, and the same as a function for rouge_score.
TOKENIZERS = {
    # Characters with the newline among them: it is a token of a text, and none of its sentences,
    # each tokenized by itself.
    "characters": (list, list),
    "words": (str.split, str.split),
    "13a": ("13a", lambda text: oracles.tokens_13a(text.lower())),
    "char": ("char", lambda text: list("".join(text.lower().split()))),
    "whitespace": ("whitespace", lambda text: text.lower().split()),
    "rouge_score": ("rouge_score", oracles.rouge_score_tokens),
}
# Only "\n" ends a sentence in rouge_score, not what else str.splitlines knows.
LINES = [
    "a b\r\nc a",
    "a b\rc\x0bd",
    "\n\n",
    "\n a\n\nb \n",
    "c a\x85b\u2028a",
    "b a\x1cc a",
    "",
    " ",
    "a\tb\nb\ta",
]


@pytest.mark.parametrize(("tokenizer", "tokenize"), TOKENIZERS.values(), ids=TOKENIZERS)
def test_parity_with_rouge_score_with_any_tokenizer(rouge_full, tokenizer, tokenize):
    predictions, references = random_corpus(np.random.default_rng(20), 60, 15, 3)
    pairs = list(product(LINES, LINES))
    predictions += [prediction for prediction, _ in pairs]
    references += [[reference] for _, reference in pairs]
    options = {
        "rouge_types": ROUGE_SCORE_TYPES,
        "output": "all",
        "use_aggregator": False,
        "tokenizer": tokenizer,
    }
    result = rouge_full.compute(predictions=predictions, references=references, **options)
    assert result == rouge_score_result(predictions, references, tokenizer=Peer(tokenize))


# --- skip-bigrams and runs, which rouge_score does not have ---------------------------------------


def expected_scores(name, prediction, reference):
    """Return precision, recall and F of two lists of tokens from the definition."""
    if name.startswith("rougeW"):
        weight = float(name.partition("-")[2] or 1.2)
        return oracles.scores(
            oracles.wlcs_score(prediction, reference, weight),
            len(prediction) ** weight,
            len(reference) ** weight,
            inverse=1 / weight,
        )
    limit = name.lstrip("rougeSU")
    counts = [
        oracles.skip_bigrams(side, int(limit) if limit.isdigit() else None)
        for side in (prediction, reference)
    ]
    if "U" in name:
        counts = [
            count + oracles.ngrams(side, 1)
            for count, side in zip(counts, (prediction, reference), strict=True)
        ]
    return oracles.scores(
        oracles.clipped_matches(*counts), *(sum(count.values()) for count in counts)
    )


@pytest.mark.parametrize("name", [name for name in ALL_TYPES if name[5] in "SW"])
def test_definition_of_skip_bigrams_and_runs(rouge_full, name):
    predictions, references = random_corpus(np.random.default_rng(5), 80, 25)
    references = [texts[0] for texts in references]
    result = rouge_full.compute(
        predictions=predictions,
        references=references,
        rouge_types=[name],
        output="all",
        use_aggregator=False,
    )
    tokens = [
        [oracles.rouge_score_tokens(text) for text in texts] for texts in (predictions, references)
    ]
    expected = np.array([expected_scores(name, *pair) for pair in zip(*tokens, strict=True)])
    for column, output in zip(expected.T, OUTPUTS, strict=True):
        np.testing.assert_allclose(
            result[f"{name}_{output}"], column, rtol=1e-12, atol=0, err_msg=output
        )


def test_identical_text_scores_one_where_it_has_units(rouge_full):
    for text in (FOX, "a\nb c\n\nd", "one two three"):
        result = rouge_full.compute(
            predictions=[text], references=[text], rouge_types=ALL_TYPES, output="all"
        )
        assert set(result.values()) == {1.0}, text


def test_one_word_has_unigrams_only(rouge_full):
    result = rouge_full.compute(predictions=["word"], references=["word"], rouge_types=ALL_TYPES)
    assert {name for name, value in result.items() if value == 1} == {
        name for name in ALL_TYPES if name[5:] == "1" or name[5] in "LW" or "SU" in name
    }
    assert {value for value in result.values() if value != 1} == {0.0}


def test_sides_swapped(rouge_full):
    predictions, references = random_corpus(np.random.default_rng(6), 60, 15)
    references = [texts[0] for texts in references]
    names = [
        name for name in ALL_TYPES if name != "rougeLsum"
    ]  # its union is over the sentences of the prediction only
    there, back = (
        rouge_full.compute(
            predictions=p, references=r, rouge_types=names, output="all", use_aggregator=False
        )
        for p, r in ((predictions, references), (references, predictions))
    )
    for name in names:
        assert there[f"{name}_precision"] == back[f"{name}_recall"], name
        assert there[f"{name}_recall"] == back[f"{name}_precision"], name
        assert there[f"{name}_fmeasure"] == pytest.approx(
            back[f"{name}_fmeasure"], rel=1e-15, abs=0
        ), name
    assert there["rouge1_precision"] != back["rouge1_precision"]


# --- the result -----------------------------------------------------------------------------------


def assert_plain(value):
    """Check that a result holds nothing but Python's own types."""
    if type(value) is dict:
        assert all(type(key) is str for key in value)
        value = list(value.values())
    if type(value) is list:
        for element in value:
            assert_plain(element)
    else:
        assert type(value) in (float, int)


@pytest.mark.parametrize("output", [*OUTPUTS, "all"])
@pytest.mark.parametrize("use_aggregator", [True, False])
def test_result_is_plain(rouge_full, output, use_aggregator):
    options = {"rouge_types": ALL_TYPES, "output": output, "use_aggregator": use_aggregator}
    result = rouge_full.compute(
        predictions=["a b c", ""], references=[["a c", "b"], ["x"]], **options
    )
    assert_plain(result)
    assert json.loads(json.dumps(result)) == result
    kind = float if use_aggregator else list
    assert all(type(value) is kind for value in result.values())
    assert_plain(
        rouge_full.compute(
            predictions=[""], references=[""], zero_division=np.float64("nan"), **options
        )
    )


def test_keys(rouge_full):
    examples = {"predictions": ["a b"], "references": ["a b"]}
    assert list(rouge_full.compute(**examples)) == DEFAULT_TYPES
    for output in OUTPUTS:  # as spelled, in the order given
        assert (
            list(rouge_full.compute(**examples, rouge_types=ALL_TYPES[::-1], output=output))
            == ALL_TYPES[::-1]
        )
    assert list(
        rouge_full.compute(**examples, rouge_types=("rougeS*", "rouge1"), output="all")
    ) == [
        "rougeS*_precision",
        "rougeS*_recall",
        "rougeS*_fmeasure",
        "rouge1_precision",
        "rouge1_recall",
        "rouge1_fmeasure",
    ]
    assert list(rouge_full.compute(**examples, rouge_types=[np.str_("rouge1"), "rouge1"])) == [
        "rouge1"
    ]


def test_other_spellings_have_the_same_scores(rouge_full):
    predictions, references = random_corpus(np.random.default_rng(7), 30, 20, 3)
    spellings = {
        "rougeS": "rougeS*",
        "rougeSU": "rougeSU*",
        "rougeW": "rougeW-1.2",
        "rougeL": "rougeW-1",
        "rouge2": "rougeS0",
    }
    names = [*spellings, *spellings.values()]
    result = rouge_full.compute(
        predictions=predictions,
        references=references,
        rouge_types=names,
        output="all",
        use_aggregator=False,
    )
    for (name, other), output in product(spellings.items(), OUTPUTS):
        assert result[f"{name}_{output}"] == pytest.approx(
            result[f"{other}_{output}"], rel=1e-15, abs=0
        ), (name, output)


def test_output_names_one_of_the_three(rouge_full):
    predictions, references = random_corpus(np.random.default_rng(8), 30, 20, 3)
    examples = {"predictions": predictions, "references": references, "rouge_types": ALL_TYPES}
    every = rouge_full.compute(**examples, output="all")
    for output in OUTPUTS:
        assert rouge_full.compute(**examples, output=output) == {
            name: every[f"{name}_{output}"] for name in ALL_TYPES
        }
    assert rouge_full.compute(**examples) == rouge_full.compute(**examples, output="fmeasure")


def test_items_keep_their_order_and_do_not_depend_on_each_other(rouge_full):
    predictions, references = random_corpus(np.random.default_rng(9), 60, 20, 3)
    options = {"rouge_types": ALL_TYPES, "output": "all", "use_aggregator": False}
    together = rouge_full.compute(predictions=predictions, references=references, **options)
    for i in range(0, 60, 7):
        alone = rouge_full.compute(
            predictions=predictions[i : i + 1], references=references[i : i + 1], **options
        )
        assert alone == {key: [values[i]] for key, values in together.items()}
    backwards = rouge_full.compute(
        predictions=predictions[::-1], references=references[::-1], **options
    )
    assert backwards == {key: values[::-1] for key, values in together.items()}


@pytest.mark.parametrize("chunk_characters", [1, 100, 1000])
@pytest.mark.parametrize("is_tokenized", [False, True])
def test_chunks_change_nothing(monkeypatch, chunk_characters, is_tokenized):
    predictions, references = random_corpus(np.random.default_rng(10), 80, 20, 3)
    if is_tokenized:
        predictions, references = (
            [text.split() for text in predictions],
            [[text.split() for text in texts] for texts in references],
        )
    corpus = corpus_module.checked_corpus(predictions, references)
    options = RougeOptions(rouge_types=ALL_TYPES, output="all", use_aggregator=False)
    expected = rouge(corpus, options)
    assert len(list(corpus.chunks())) == 1
    monkeypatch.setattr(corpus_module, "_CHUNK_CHARACTERS", chunk_characters)
    assert len(list(corpus.chunks())) > 1
    assert rouge(corpus, options) == expected


def test_a_corpus_of_several_chunks(rouge_full):
    rng = np.random.default_rng(11)
    predictions, references = random_corpus(rng, 100, 40)
    options = {"rouge_types": ["rouge1", "rouge2", "rougeLsum"], "use_aggregator": False}
    once = rouge_full.compute(predictions=predictions, references=references, **options)
    often = rouge_full.compute(
        predictions=predictions * 40, references=references * 40, **options
    )  # 1.3 million characters
    assert often == {key: values * 40 for key, values in once.items()}


# --- beta -----------------------------------------------------------------------------------------


def test_beta(rouge_full):
    predictions, references = random_corpus(np.random.default_rng(12), 60, 20)
    options = {
        "predictions": predictions,
        "references": references,
        "rouge_types": ALL_TYPES,
        "use_aggregator": False,
    }
    every = rouge_full.compute(**options, output="all")
    for name in ALL_TYPES:
        precision, recall = every[f"{name}_precision"], every[f"{name}_recall"]
        assert rouge_full.compute(**options, beta=0)[name] == pytest.approx(
            precision, rel=1e-15, abs=0
        )
        assert rouge_full.compute(**options, beta=math.inf)[name] == recall
        assert rouge_full.compute(**options, beta=1e200)[name] == recall
        for beta in (2, 0.5, np.float64(3)):
            expected = [
                oracles.f_measure(p, r, float(beta)) for p, r in zip(precision, recall, strict=True)
            ]
            assert rouge_full.compute(**options, beta=beta)[name] == pytest.approx(
                expected, rel=1e-14, abs=0
            )


def test_beta_changes_neither_precision_nor_recall_of_one_reference(rouge_full):
    predictions, references = random_corpus(np.random.default_rng(13), 30, 20)
    options = {
        "predictions": predictions,
        "references": references,
        "rouge_types": ALL_TYPES,
        "output": "all",
    }
    results = [rouge_full.compute(**options, beta=beta) for beta in (1, 0, 2, math.inf)]
    for key in results[0]:
        if not key.endswith("fmeasure"):
            assert len({result[key] for result in results}) == 1


# --- references -----------------------------------------------------------------------------------

EQUAL_F = (
    "a b",
    ["a x", "a b c d e f"],
)  # ROUGE-1: P = R = 1/2; P = 1 and R = 1/3; F is 1/2 both times


def test_best_reference_is_the_first_on_a_tie(rouge_full):
    prediction, references = EQUAL_F
    options = {"rouge_types": ["rouge1"], "output": "all"}
    first = rouge_full.compute(predictions=[prediction], references=[references], **options)
    assert first == {"rouge1_precision": 0.5, "rouge1_recall": 0.5, "rouge1_fmeasure": 0.5}
    second = rouge_full.compute(predictions=[prediction], references=[references[::-1]], **options)
    assert second == {"rouge1_precision": 1.0, "rouge1_recall": 1 / 3, "rouge1_fmeasure": 0.5}


def test_best_reference_has_the_highest_f_of_this_beta(rouge_full):
    prediction, references = EQUAL_F
    options = {"predictions": [prediction], "rouge_types": ["rouge1"], "output": "all"}
    for texts in (references, references[::-1]):
        recall = rouge_full.compute(**options, references=[texts], beta=2)
        assert (recall["rouge1_precision"], recall["rouge1_recall"]) == (0.5, 0.5)
        precision = rouge_full.compute(**options, references=[texts], beta=0.5)
        assert (precision["rouge1_precision"], precision["rouge1_recall"]) == (1.0, 1 / 3)


def test_precision_and_recall_are_of_the_best_reference(rouge_full):
    predictions, references = random_corpus(np.random.default_rng(14), 50, 12, 5)
    options = {"rouge_types": ALL_TYPES, "output": "all", "use_aggregator": False}
    result = rouge_full.compute(predictions=predictions, references=references, **options)
    assert {len(texts) for texts in references} == {1, 2, 3, 4, 5}
    for i, (prediction, texts) in enumerate(zip(predictions, references, strict=True)):
        each = rouge_full.compute(
            predictions=[prediction] * len(texts), references=texts, **options
        )
        for name in ALL_TYPES:
            best = max(
                range(len(texts)), key=each[f"{name}_fmeasure"].__getitem__
            )  # the first of the highest
            assert [result[f"{name}_{output}"][i] for output in OUTPUTS] == [
                each[f"{name}_{output}"][best] for output in OUTPUTS
            ], name


def test_each_type_chooses_its_own_reference(rouge_full):
    result = rouge_full.compute(
        predictions=["a b c d"],
        references=[["d c b a", "a b x y"]],
        rouge_types=["rouge1", "rouge2"],
    )
    assert result == {
        "rouge1": 1.0,
        "rouge2": 1 / 3,
    }  # the first has all four words and no pair, the second one pair of three


def test_forms_of_one_reference(rouge_full):
    predictions, references = random_corpus(np.random.default_rng(15), 20, 12)
    strings = rouge_full.compute(
        predictions=predictions, references=[texts[0] for texts in references]
    )
    assert rouge_full.compute(predictions=predictions, references=references) == strings
    assert (
        rouge_full.compute(predictions=predictions, references=[texts * 3 for texts in references])
        == strings
    )
    assert (
        rouge_full.compute(predictions=predictions, references=references, multi_reference="best")
        == strings
    )


# --- nothing to match -----------------------------------------------------------------------------

FAMILIES = [
    "rouge1",
    "rouge2",
    "rougeL",
    "rougeLsum",
    "rougeW",
    "rougeS",
    "rougeS4",
    "rougeSU",
    "rougeSU4",
]
PAIRS_OF_WORDS = {"rouge2", "rougeS", "rougeS4"}  # a text of one word has no unit of these

# prediction, references, and which types are undefined: those of which no reference has a unit
UNDEFINED = {
    "both empty": ("", [""], set(FAMILIES)),
    "no word on either side": ("...", ["?!", "\n"], set(FAMILIES)),
    "empty reference": ("a b c", [""], set(FAMILIES)),
    "empty prediction": ("", ["a b c"], set()),
    "reference of one word": ("a b c", ["a"], PAIRS_OF_WORDS),
    "prediction of one word": ("a", ["a b c"], set()),
    "both of one word": ("a", ["a"], PAIRS_OF_WORDS),
    "one reference is long enough": ("a b", ["", "a", "b a"], set()),
    "the longest reference is too short": ("a b", ["", "a"], PAIRS_OF_WORDS),
}


@pytest.mark.parametrize(
    ("prediction", "references", "undefined"), UNDEFINED.values(), ids=UNDEFINED
)
def test_zero_division(rouge_full, prediction, references, undefined):
    options = {
        "predictions": [prediction],
        "references": [references],
        "rouge_types": FAMILIES,
        "output": "all",
    }
    for aggregated in (True, False):
        results = [
            rouge_full.compute(**options, zero_division=value, use_aggregator=aggregated)
            for value in (0.0, math.nan)
        ]
        zero, nan = (
            results
            if aggregated
            else ({key: values[0] for key, values in result.items()} for result in results)
        )
        for name, output in product(FAMILIES, OUTPUTS):
            key = f"{name}_{output}"
            assert math.isnan(nan[key]) == (name in undefined), key
            assert zero[key] == (0.0 if name in undefined else nan[key]), key
        assert (
            rouge_full.compute(**options, use_aggregator=aggregated) == results[0]
        )  # 0.0 is the default


def test_too_short_a_prediction_is_zero(rouge_full):
    result = rouge_full.compute(
        predictions=["", "a"],
        references=["a b c", "a b c"],
        rouge_types=["rouge2"],
        zero_division=math.nan,
        use_aggregator=False,
    )
    assert result == {"rouge2": [0.0, 0.0]}


def test_undefined_references_never_win(rouge_full):
    for references in (["", "a x"], ["a x", ""], ["", "x y", "a x"]):
        result = rouge_full.compute(
            predictions=["a b"],
            references=[references],
            rouge_types=["rouge1"],
            zero_division=math.nan,
        )
        assert result == {"rouge1": 0.5}
    # A reference that matches nothing is better than one without words.
    for references in (["", "x"], ["x", ""]):
        assert rouge_full.compute(
            predictions=["a"],
            references=[references],
            rouge_types=["rouge1"],
            zero_division=math.nan,
        ) == {"rouge1": 0.0}


def test_undefined_items_are_left_out_of_the_mean(rouge_full):
    predictions, references = (
        ["a b", "a b", "x", ""],
        ["a b", "", "a", "a b"],
    )  # rouge1: 1, undefined, 0, 0; rouge2: 1, undefined, undefined, 0
    options = {
        "predictions": predictions,
        "references": references,
        "rouge_types": ["rouge1", "rouge2"],
    }
    assert rouge_full.compute(**options, zero_division=math.nan) == {
        "rouge1": 1 / 3,
        "rouge2": 1 / 2,
    }
    assert rouge_full.compute(**options) == {"rouge1": 1 / 4, "rouge2": 1 / 4}


# --- tokens ---------------------------------------------------------------------------------------


def test_tokens_are_scored_as_they_are(rouge_full):
    options = {"rouge_types": ["rouge1", "rougeL"]}
    assert rouge_full.compute(
        predictions=[["The", "cat!"]], references=[["the", "cat!"]], **options
    ) == {"rouge1": 0.5, "rougeL": 0.5}
    assert rouge_full.compute(
        predictions=[["new york", "", "你好"]], references=[["new york", "", "你好"]], **options
    ) == {
        "rouge1": 1.0,
        "rougeL": 1.0,
    }
    result = rouge_full.compute(
        predictions=[["running"]], references=[["run"]], rouge_types=["rouge1"], use_stemmer=True
    )
    assert result == {"rouge1": 1.0}


@pytest.mark.parametrize("form", ["flat", "nested", "ragged"])
def test_tokens_and_texts_have_the_same_scores(rouge_full, form):
    rng = np.random.default_rng(16)
    predictions, references = random_corpus(rng, 60, 20, 1 if form == "flat" else 4)
    predictions = [text.lower().replace("\n", " ") for text in predictions]
    references = [[text.lower().replace("\n", " ") for text in texts] for texts in references]
    if form == "nested":
        references = [(texts * 2)[:2] for texts in references]
    tokens = [[text.split() for text in texts] for texts in references]
    if form == "flat":
        references, tokens = [texts[0] for texts in references], [texts[0] for texts in tokens]
    options = {"rouge_types": ALL_TYPES, "output": "all", "use_aggregator": False}
    expected = rouge_full.compute(
        predictions=predictions, references=references, tokenizer="whitespace", **options
    )
    assert (
        rouge_full.compute(
            predictions=[text.split() for text in predictions], references=tokens, **options
        )
        == expected
    )


def test_tokens_may_be_missing(rouge_full):
    options = {"rouge_types": ["rouge1"], "use_aggregator": False}
    assert rouge_full.compute(
        predictions=[[], ["a"], []], references=[["a"], [], []], **options
    ) == {"rouge1": [0.0, 0.0, 0.0]}
    assert rouge_full.compute(
        predictions=[[], ["a"]], references=[[[]], [[], ["a"]]], **options
    ) == {"rouge1": [0.0, 1.0]}


def test_the_tokenizer_does_not_see_tokens(rouge_full):
    def refuse(text):
        raise AssertionError(text)

    for tokenizer in ("char", refuse):
        assert rouge_full.compute(
            predictions=[["ab"]],
            references=[["ab", "b"]],
            rouge_types=["rouge1"],
            tokenizer=tokenizer,
        ) == {"rouge1": 2 / 3}


TOKENIZED = {  # tokenizer, prediction, reference, words of each and in common
    "rouge_score": ("rouge_score", "Don't stop", "don t go", 3, 3, 2),
    "default": (None, "Don't stop", "don t go", 3, 3, 2),
    "13a": ("13a", "Stop, now!", "stop here !", 4, 3, 2),
    "char": ("char", "Ab c", "bA", 3, 2, 2),
    "whitespace": ("whitespace", "Stop, now!", "now! stop", 2, 2, 1),
    "callable, no lowercasing": (str.split, "Stop now", "stop now", 2, 2, 1),
    "callable, tuples": (lambda text: tuple(text.split("-")), "a-b c", "a-c-b c", 2, 3, 2),
}


@pytest.mark.parametrize(
    ("tokenizer", "prediction", "reference", "n_prediction", "n_reference", "n_common"),
    TOKENIZED.values(),
    ids=TOKENIZED,
)
def test_tokenizers(
    rouge_full, tokenizer, prediction, reference, n_prediction, n_reference, n_common
):
    result = rouge_full.compute(
        predictions=[prediction],
        references=[reference],
        rouge_types=["rouge1"],
        output="all",
        tokenizer=tokenizer,
    )
    assert result["rouge1_precision"] == n_common / n_prediction
    assert result["rouge1_recall"] == n_common / n_reference


def test_stemming_also_with_other_tokenizers(rouge_full):
    options = {"rouge_types": ["rouge1"], "use_stemmer": True}
    for tokenizer in ("rouge_score", "13a", "whitespace", str.split):
        assert rouge_full.compute(
            predictions=["running cats"], references=["runs cat"], tokenizer=tokenizer, **options
        ) == {"rouge1": 1.0}, tokenizer


# --- long texts -----------------------------------------------------------------------------------


@pytest.mark.parametrize("n_tokens", [65, 20_000])
def test_long_texts(rouge_full, n_tokens):
    """The reference lacks every fifth word of the prediction, and all words differ, so that
    everything can be counted by hand.
    """
    kept = [i for i in range(n_tokens) if i % 5 != 4]
    prediction, reference = (" ".join(f"w{i}" for i in side) for side in (range(n_tokens), kept))
    n, m = n_tokens, len(kept)
    # Pairs at most 4 words apart in the prediction are no farther apart in the reference, which has
    # more: those whose distance there is up to 5.
    matches_s4 = sum(1 for i in kept for j in range(i + 1, min(i + 6, n)) if j % 5 != 4)
    totals_s4 = [sum(min(5, length - 1 - i) for i in range(length)) for length in (n, m)]
    n_runs, last_run = divmod(m, 4)
    expected = {  # matches, units of the prediction, of the reference, exponent of f
        "rouge1": (m, n, m, 1),
        "rouge2": (3 * n_runs + max(last_run - 1, 0), n - 1, m - 1, 1),
        "rougeL": (m, n, m, 1),
        "rougeLsum": (m, n, m, 1),
        "rougeS4": (matches_s4, *totals_s4, 1),
        "rougeSU4": (matches_s4 + m, totals_s4[0] + n, totals_s4[1] + m, 1),
        "rougeW-2": (16 * n_runs + last_run**2, n**2, m**2, 2),  # runs of four words
    }
    if n_tokens < 1000:
        expected["rougeS"] = (math.comb(m, 2), math.comb(n, 2), math.comb(m, 2), 1)
    else:
        del expected["rougeW-2"]  # every pair of words is compared
    result = rouge_full.compute(
        predictions=[prediction], references=[reference], rouge_types=list(expected), output="all"
    )
    for name, (matches, prediction_total, reference_total, exponent) in expected.items():
        precision, recall, f_measure = oracles.scores(
            matches, prediction_total, reference_total, inverse=1 / exponent
        )
        assert result[f"{name}_precision"] == pytest.approx(precision, rel=1e-12), name
        assert result[f"{name}_recall"] == pytest.approx(recall, rel=1e-12), name
        assert result[f"{name}_fmeasure"] == pytest.approx(f_measure, rel=1e-12), name


def test_a_long_text_among_short_ones(rouge_full):
    rng = np.random.default_rng(17)
    long = [" ".join(rng.choice([f"w{i}" for i in range(50)], 3000)) for _ in range(2)]
    options = {"rouge_types": [*DEFAULT_TYPES, "rougeSU"], "output": "all", "use_aggregator": False}
    together = rouge_full.compute(
        predictions=["w1 w2", long[0], ""], references=["w2 w1", long[1], "w3"], **options
    )
    alone = [
        rouge_full.compute(predictions=[p], references=[r], **options)
        for p, r in (("w1 w2", "w2 w1"), long, ("", "w3"))
    ]
    assert together == {key: [result[key][0] for result in alone] for key in together}


def test_reference_order_changes_no_f(rouge_full):
    predictions, references = random_corpus(np.random.default_rng(18), 40, 12, 4)
    options = {"rouge_types": ALL_TYPES, "use_aggregator": False}
    forwards = rouge_full.compute(predictions=predictions, references=references, **options)
    assert (
        rouge_full.compute(
            predictions=predictions, references=[texts[::-1] for texts in references], **options
        )
        == forwards
    )


def test_types_together_equal_each_type_alone(rouge_full):
    predictions, references = random_corpus(np.random.default_rng(19), 40, 12, 3)
    options = {"predictions": predictions, "references": references, "use_aggregator": False}
    together = rouge_full.compute(**options, rouge_types=ALL_TYPES)
    for name in ALL_TYPES:
        assert rouge_full.compute(**options, rouge_types=[name]) == {name: together[name]}
    for names in combinations(["rougeS4", "rougeSU", "rouge4", "rougeLsum"], 2):
        result = rouge_full.compute(**options, rouge_types=list(names))
        assert all(result[name] == together[name] for name in names if name in together)
