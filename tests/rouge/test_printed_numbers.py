"""Every worked number of the paper that defines ROUGE, and numbers on which packages disagree.

    Chin-Yew Lin. 2004. ROUGE: A Package for Automatic Evaluation of Summaries.
    https://aclanthology.org/W04-1013

The paper's sentences keep their names. Its tables of correlations with human judgments need the
summaries of DUC. test_scores.py compares its claims about any text. Other numbers were printed by
the package that a row names: rouge_score 0.1.2, torchmetrics 1.9.0, rouge-metric 1.0.1 (`PyRouge`),
rouge 1.0.1 of pltrdy, py-rouge 1.1, sumeval 0.2.2, ROUGE-1.5.5.pl of 2005 under Perl 5.36, or by
the page of MATLAB https://www.mathworks.com/help/textanalytics/ref/rougeevaluationscore.html
"""

import math
from fractions import Fraction

import pytest

from rouge_bleu import rouge
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
