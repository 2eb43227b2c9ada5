"""Every worked number of the paper that defines ROUGE, and numbers on which packages disagree.

    Chin-Yew Lin. 2004. ROUGE: A Package for Automatic Evaluation of Summaries.
    https://aclanthology.org/W04-1013

The paper's sentences keep their names. What it says in words is checked too, but not its tables of
correlations with human judgments, which need the summaries of DUC. Other numbers were printed by
the package that a row names: rouge_score 0.1.2, torchmetrics 1.9.0, rouge-metric 1.0.1 (`PyRouge`),
rouge 1.0.1 of pltrdy, py-rouge 1.1, sumeval 0.2.2, ROUGE-1.5.5.pl of 2005 under Perl 5.36, or by
the page of MATLAB https://www.mathworks.com/help/textanalytics/ref/rougeevaluationscore.html
"""

import math
from fractions import Fraction
from itertools import combinations

import pytest

from helpers.rouge.expected import random_corpus
from rouge_bleu import plain, rouge
from rouge_bleu.text.stemming import rouge155_stemmer

S1 = "police killed the gunman"  # section 3.1; S1 is the reference
S2 = "police kill the gunman"
S3 = "the gunman kill police"
S4 = "the gunman police killed"
S5 = "gunman the killed police"  # section 5.2
R = "w1 w2 w3 w4 w5"  # section 3.2: a sentence of the reference, and two of the prediction
C1, C2 = "w1 w2 w6 w7 w8", "w1 w3 w8 w9 w5"
X, Y1, Y2 = "A B C D E F G", "A B C D H I K", "A H B K C I D"  # section 4; X is the reference

REPEATED = ["1 2 1 2"], ["1 2 3 4 5 1 2 6"]
REPEATED_SCORES = "1.00000 0.50000 0.66667 0.66667 0.28571 0.40000"
TWICE = "the cat was on the mat"
LONG, SHORT = "the cat sat on the mat today in the sun", "on the mat there was a cat"
NINE = "a b c d e f g h i"
LINES = ["\n".join(" ".join(f"w{k}x{word}" for word in range(15)) for k in range(4))]
CASED = ["A b a b"], ["a b", "a B c c"]
CATS = ["the cat is on the mat"], ["the dog is on the mat"]
WORDS = [f"w{word:03}" for word in range(200)]  # of four bytes each
HALF_OF_THEM = [" ".join(WORDS)], [" ".join(WORDS[:100])]
CHILDREN = ["the children went home"], ["the child goes home"]
IRREGULAR = rouge155_stemmer({"children": "child", "went": "go", "goes": "go"})
FOX = "the fast brown fox jumped over the lazy dog"
FOXES = ["the quick brown animal jumped over the lazy dog"]
FOXES += ["the quick brown fox jumped over the lazy dog"]
SUMMARY = "a simple summary document containing some words"
SUMMARIES = ["a simple document", "another document with some words"]
STORM = "The storm closed the bridge for two days.\nA new library opened in the valley."
TURNED = "A new library opened in the valley.\nThe storm closed the bridge for two days."
IN_ONE_LINE = [STORM.replace("\n", " ")], [TURNED.replace("\n", " ")]

ALL, RECALL, PRECISION = ({"output": output} for output in ("all", "recall", "precision"))
PERL = {"preset": "rouge-1.5.5", "output": "fmeasure"}
MATLAB = {"preset": "matlab"}
PERL_BEST = {**PERL, "multi_reference": "best"}
AVERAGE, POOLED = {"multi_reference": "average"}, {"multi_reference": "pooled"}
SPACES = {"tokenizer": "whitespace"}

# Section or package, predictions, the references of each, types, options, and the scores of each
# prediction: fractions that are calculated, or as they are printed.
ROWS = [
    # ROUGE-N is a recall: the matches divided by the n-grams of the reference.
    ("2", [S2, S3, S4], [S1], "rouge1", RECALL, "3/4 3/4 1"),
    # S2 and S3 have the same ROUGE-2, with one bigram, "the gunman"; ROUGE-2 prefers S4 to S3.
    ("3.1", [S2, S3, S4], [S1], "rouge2", RECALL, "1/3 1/3 2/3"),
    # An n-gram matches as often as it occurs in both texts.
    ("2", ["the the the cat"], ["the cat the"], "rouge1", RECALL, "1"),
    ("2", ["the the the cat"], ["the cat the"], "rouge1", PRECISION, "3/4"),
    # With beta = 1, S2 has 3/4 = 0.75 and S3 2/4 = 0.5; S4 has the same as S3, since only one of its
    # two common sequences counts.
    ("3.1", [S2, S3, S4], [S1], "rougeL", {"beta": 1.0}, "3/4 2/4 2/4"),
    # The LCS with C1 is "w1 w2" and with C2 "w1 w3 w5": their union is w1 w2 w3 w5.
    ("3.2", [C1, C2], [R], "rougeL", RECALL, "2/5 3/5"),
    ("3.2", [f"{C1}\n{C2}"], [R], "rougeLsum", RECALL, "4/5"),
    # With f(k) = k^2, Y1 has 0.571 and Y2 0.286: the roots of 16/49 and of 4/49.
    ("4", [Y1, Y2], [X], "rougeW-2", {}, "4/7 2/7"),
    # Although their ROUGE-L is the same, to which a weight of 1 comes down.
    ("4", [Y1, Y2], [X], "rougeL rougeW-1", {}, "4/7 4/7 4/7 4/7"),
    # S2, S3 and S4 have three, one and two of six skip-bigrams in common with S1: 0.5, 0.167, 0.333.
    ("5", [S2, S3, S4], [S1], "rougeS", {"beta": 1.0}, "3/6 1/6 2/6"),
    # S5 is S1 backwards and has no skip-bigram in common with it: the ROUGE-S of a sentence without
    # a common word. ROUGE-SU tells them apart: four words, of six pairs and four words.
    ("5.2", [S5, "no word of it"], [S1], "rougeS", {}, "0 0"),
    ("5.2", [S5, "no word of it"], [S1], "rougeSU", {}, "4/10 0"),
    ("5.2", [S2, S3, S4], [S1], "rougeSU", {}, "6/10 4/10 6/10"),
    # --- a word that is repeated: sets of n-grams in pltrdy's package (exclusive=True)
    ("rouge_score", *REPEATED, "rouge1 rouge2", ALL, REPEATED_SCORES),
    ("ROUGE-1.5.5.pl", *REPEATED, "rouge1 rouge2", {**PERL, **ALL}, REPEATED_SCORES),
    ("rouge", *REPEATED, "rouge1", {"preset": "pltrdy"}, "1.00000 0.33333 0.50000"),
    ("rouge", *REPEATED, "rouge2", {"preset": "pltrdy"}, "0.50000 0.16667 0.25000"),
    # --- several references: best, avg, average
    ("rouge_score, torchmetrics", [TWICE], [LONG, SHORT], "rouge1 rouge2", {}, "0.76923 0.42857"),
    ("torchmetrics (avg)", [TWICE], [LONG, SHORT], "rouge1 rouge2", AVERAGE, "0.69712 0.39610"),
    ("sumeval, PyRouge", [TWICE], [LONG, SHORT], "rouge1 rouge2", POOLED, "0.68966 0.40000"),
    ("ROUGE-1.5.5.pl -f A", [TWICE], [LONG, SHORT], "rouge1 rouge2", PERL, "0.68966 0.40000"),
    # -f B goes by recall, and both references have 1/3 in bigrams: then the first one counts
    ("ROUGE-1.5.5.pl -f B", [TWICE], [SHORT, LONG], "rouge1 rouge2", PERL_BEST, "0.76923 0.36363"),
    ("ROUGE-1.5.5.pl -f B", [TWICE], [LONG, SHORT], "rouge2", PERL_BEST, "0.42857"),
    # A calculation: the prediction has 4 words for each reference, of which 2 and 2 match, of 2 and 4.
    ("-f A", *CASED, "rouge1", {**PERL, **ALL}, "0.50000 0.66667 0.57143"),
    ("-f B", *CASED, "rouge1", {**PERL_BEST, **ALL}, "0.50000 1.00000 0.66667"),
    ("-p 0", *CASED, "rouge1", {**PERL, "beta": math.inf}, "0.66667"),
    # "B" is not "b".
    ("its definition", *CASED, "rouge1", {**PERL, **RECALL, "lowercase": False}, "0.50000"),
    # --- irregular forms
    ("rouge_score", *CHILDREN, "rouge1", {"use_stemmer": True}, "0.5"),
    ("ROUGE-1.5.5.pl -m, py-rouge", *CHILDREN, "rouge1", {**PERL, "stemmer": IRREGULAR}, "1.0"),
    ("rouge-metric", *CHILDREN, "rouge1", {**PERL, "stemmer": "rouge-1.5.5"}, "0.5"),
    # --- ROUGE-W of identical texts, and of the paper's own example, where the script finds no
    # difference
    ("PyRouge", [NINE], [NINE], "rougeW-1.2", {**PERL, **ALL}, "1.00000 0.64439 0.78374"),
    ("4", [NINE], [NINE], "rougeW-1.2", ALL, "1 1 1"),
    ("ROUGE-1.5.5.pl", LINES, LINES, "rougeW-1.2", {**PERL, **ALL}, "0.79370 0.46178 0.58386"),
    ("ROUGE-1.5.5.pl", [Y1, Y2], [X], "rougeW-2", {**PERL, **RECALL}, "0.08163 0.08163"),
    ("ROUGE-1.5.5.pl", [Y1, Y2], [X], "rougeW-2", {**PERL, **PRECISION}, "0.57143 0.57143"),
    # --- two sentences the other way round, in lines and in one line
    ("rouge_score", [STORM], [TURNED], "rougeL rougeLsum", {}, "0.53333 1.00000"),
    ("ROUGE-1.5.5.pl", [STORM], [TURNED], "rougeL", PERL, "1.00000"),
    ("rouge_score", *IN_ONE_LINE, "rougeL rougeLsum", {}, "0.53333 0.53333"),
    ("ROUGE-1.5.5.pl", *IN_ONE_LINE, "rougeL", PERL, "0.53333"),
    ("sentences", *IN_ONE_LINE, "rougeLsum", {"sentence_splitter": "sentences"}, "1"),
    # --- one word; no letters, and letters of other scripts
    ("ROUGE-1.5.5.pl, PyRouge", ["word"], ["word"], "rougeSU4", PERL, "0.0"),
    ("5.2", ["word"], ["word"], "rougeSU4", {}, "1"),
    ("rouge_score, torchmetrics, sumeval", ["..."], ["..."], "rouge1", {}, "0.0"),
    ("PyRouge", ["..."], ["..."], "rouge1", SPACES, "1.0"),
    *(
        (who, [text], [text], "rouge1", {"tokenizer": tokenizer}, score)
        for text in ("สวัสดีชาวโลก", "नमस्ते दुनिया", "你好世界")
        for who, tokenizer, score in (
            ("rouge_score, torchmetrics, sumeval", None, "0.0"),
            ("rouge, PyRouge", "whitespace", "1.0"),
            ("its definition", "unicode", "1"),
        )
    ),
    # --- defaults that change the texts: stop words, 665 bytes
    ("rouge_score", *CATS, "rouge1", {}, "0.8333"),
    ("sumeval", *CATS, "rouge1", {"stopwords": ["the", "is", "on"]}, "0.5"),
    ("rouge_score", *HALF_OF_THEM, "rouge1", {}, "0.6667"),
    ("py-rouge", *HALF_OF_THEM, "rouge1", {"max_bytes": 665}, "0.8584"),
    # --- MATLAB: "Evaluate Similarity", also of a tokenizedDocument, and "Specify N-Gram Lengths"
    ("MATLAB", [FOX], FOXES, "rouge1", MATLAB, "0.8889"),
    ("MATLAB", [FOX.split()], list(map(str.split, FOXES)), "rouge1", MATLAB, "0.8889"),
    ("MATLAB", [SUMMARY], SUMMARIES, "rouge1 rouge2", MATLAB, "1 0.5000"),
    ("it keeps case", ["The cat , ."], ["the cat , ."], "rouge1", {**MATLAB, **PRECISION}, "3/4"),
]


@pytest.mark.parametrize(
    ("origin", "predictions", "references", "types", "options", "figures"),
    ROWS,
    ids=[f"{number} {row[0]}" for number, row in enumerate(ROWS)],
)
def test_numbers(origin, predictions, references, types, options, figures):
    found = []
    for prediction in predictions:
        result = rouge([prediction], [references], rouge_types=types.split(), **options)
        found.extend(result.values())
    for value, figure in zip(found, figures.split(), strict=True):
        if "." in figure:
            assert f"{value:.{len(figure.partition('.')[2])}f}" == figure
        else:
            assert value == pytest.approx(float(Fraction(figure)), rel=1e-15, abs=0)


# --- what the paper says of any text --------------------------------------------------------------


def test_section_2_1_jackknifing():
    """With M references, the average of the M maxima over M - 1 of them; as recall of S1 against
    three of the sentences.
    """
    recall = {"rouge1": "3/4 3/4 1", "rouge2": "1/3 1/3 0"}
    recall |= {"rougeL": "3/4 2/4 1/4", "rougeS": "3/6 1/6 0"}
    options = {"multi_reference": "jackknife", "rouge_types": [*recall], "output": "recall"}
    found = rouge([S1], [[S2, S3, S5]], **options, beta=math.inf)
    for name, each in recall.items():
        maxima = [max(chosen) for chosen in combinations(map(Fraction, each.split()), 2)]
        assert found[name] == pytest.approx(float(sum(maxima) / 3), rel=1e-15), name


def test_section_3_3_the_normalized_pairwise_lcs():
    """The measure that section 3.3 compares ROUGE-L with: the sums of the best LCS from both sides,
    by the words of both; `summary_lcs="best"` has the two halves of it as precision and recall.
    """
    prediction, reference = [C1, C2], [R, "w9 w7 w0 w3"]
    lcs = [[plain.lcs_length(c.split(), r.split()) for c in prediction] for r in reference]
    halves = [sum(map(max, zip(*lcs, strict=True))) / 10, sum(map(max, lcs)) / 9]
    options = {"rouge_types": ["rougeLsum"], "summary_lcs": "best", "output": "all"}
    result = rouge(["\n".join(prediction)], ["\n".join(reference)], **options)
    assert list(result.values())[:2] == pytest.approx(halves, rel=1e-15)


@pytest.mark.parametrize("name", ["rougeW", "rougeW-1.1", "rougeW-3"])
def test_section_4_consecutive_matches_count_more(name):
    """f(x + y) > f(x) + f(y) for every weight above 1."""
    y1, y2 = rouge([Y1, Y2], [X, X], rouge_types=[name], use_aggregator=False)[name]
    assert y1 > y2


@pytest.mark.parametrize("max_skip", [1, 4, 9])
def test_section_5_1_only_pairs_at_most_that_many_words_apart(max_skip):
    """ROUGE-S4: at most four words between the two. And the denominators count such pairs only: of
    n words n - 1 at distance 1, n - 2 at distance 2, and so on.
    """
    name = f"rougeS{max_skip}"
    predictions = [" ".join(["a", *"x" * between, "b"]) for between in range(12)]
    options = {"rouge_types": [name, "rougeS"], "use_aggregator": False}
    recall = rouge(predictions, ["a b"] * 12, **options, output="recall")
    assert recall[name] == [1.0] * (max_skip + 1) + [0.0] * (12 - max_skip - 1)
    assert recall["rougeS"] == [1.0] * 12
    long = " ".join(f"w{k}" for k in range(30))
    n_pairs = sum(30 - distance for distance in range(1, max_skip + 2))
    precision = rouge([long], ["w0 w1"], rouge_types=[name], output="precision")
    assert precision[name] == pytest.approx(1 / n_pairs, rel=1e-15)


def test_section_5_2_a_marker_at_the_beginning():
    """ROUGE-SU is ROUGE-S of sentences with a marker for their beginning: each word makes a pair
    with it.
    """
    predictions, references = random_corpus(1, 50, max_lines=1)
    marked = [f"begin {text}" for text in predictions]
    of_marked = [[f"begin {text}" for text in texts] for texts in references]
    options = {"use_aggregator": False, "output": "all"}
    su = rouge(predictions, references, rouge_types=["rougeSU"], **options)
    s = rouge(marked, of_marked, rouge_types=["rougeS"], **options)
    assert list(su.values()) == list(s.values())


DOCUMENTS = ["how are you\ni am fine", "it is fine today\nwe won the football game"]
OF_DOCUMENTS = [
    ["how do you do\nfine thanks", "how old are you\ni am three"],
    ["it is sunny today\nlet us go for a walk", "it is a terrible day\nwe lost the game"],
]


@pytest.mark.parametrize(
    ("preset", "printed"),
    [("rouge-1.5.5", "0.39308 0.27200"), ("pyrouge-metric", "0.39312 0.27207")],
)
def test_the_f_of_an_average_is_not_the_average_of_f(preset, printed):
    """PyRouge makes its F of the mean precision and recall; the same documents, W and S4."""
    options = {"preset": preset, "rouge_types": ["rougeW-1.2", "rougeS4"], "output": "fmeasure"}
    result = rouge(DOCUMENTS, OF_DOCUMENTS, **options)
    assert [f"{score:.5f}" for score in result.values()] == printed.split()
