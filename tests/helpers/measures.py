"""One table of all measures, and the nasty text that they are tried on.

Text is drawn from few words, so that much matches, with anything that Unicode has between them.
Runs are the same each time (`derandomize`).
"""

from dataclasses import dataclass, field

from hypothesis import strategies as st

from rouge_bleu import bleu, rouge
from rouge_bleu._rouge.scores import OUTPUTS


@dataclass(frozen=True)
class Measure:
    """One row of the table.

    `enough` tokens in identical texts give the score 1. A measure is symmetric where swapping the
    sides of a pair swaps precision and recall and nothing else. `options` are those of BLEU.
    """

    name: str
    family: str
    enough: int
    is_symmetric: bool
    options: dict = field(default_factory=dict)


# N, L, S and SU count units that both texts have, each clipped or aligned on both sides alike:
# symmetric. W too: its table for the swapped sides is the transposed one, cell by cell, since a
# match goes diagonally and all else takes the larger of two. Lsum is not: it takes the union over
# sentences of the prediction, for each sentence of the reference. BLEU is not: it punishes short
# predictions and not short references.
MEASURES = (
    Measure("rouge1", "N", 1, True),
    Measure("rouge2", "N", 2, True),
    Measure("rouge5", "N", 5, True),
    Measure("rougeL", "L", 1, True),
    Measure("rougeLsum", "Lsum", 1, False),
    Measure("rougeW", "W", 1, True),
    Measure("rougeW-1", "W", 1, True),
    Measure("rougeW-2.5", "W", 1, True),
    Measure("rougeS", "S", 2, True),
    Measure("rougeS*", "S", 2, True),
    Measure("rougeS0", "S", 2, True),
    Measure("rougeS4", "S", 2, True),
    Measure("rougeSU", "SU", 1, True),
    Measure("rougeSU4", "SU", 1, True),
    Measure("BLEU", "bleu", 4, False),
    Measure("BLEU of 10 orders", "bleu", 10, False, {"max_order": 10}),
    Measure("BLEU of 16 weights", "bleu", 16, False, {"weights": [*range(1, 17)]}),
    Measure("BLEU with weights", "bleu", 3, False, {"weights": [0.5, 0, 2]}),
    Measure("BLEU with the average length", "bleu", 4, False, {"reference_length": "average"}),
    Measure("BLEU smoothed", "bleu", 0, False, {"smooth": True}),
    Measure("BLEU of effective order", "bleu", 1, False, {"effective_order": True}),
)

ROUGE_TYPES = [measure.name for measure in MEASURES if measure.family != "bleu"]
OF_NAME = {measure.name: measure for measure in MEASURES}


def scores(items, tokenizer="rouge_score", **rouge_options):
    """Return for each measure a list with the scores of each item: precision, recall and F, or BLEU
    alone.

    An item is a prediction and a list of references.
    """
    corpus = [prediction for prediction, _ in items], [references for _, references in items]
    options = {"tokenizer": tokenizer, "use_aggregator": False}
    result = rouge(*corpus, rouge_types=ROUGE_TYPES, output="all", **options, **rouge_options)
    table = {
        name: list(zip(*(result[f"{name}_{output}"] for output in OUTPUTS), strict=True))
        for name in ROUGE_TYPES
    }
    for measure in MEASURES:
        if measure.family == "bleu":
            scores = bleu(*corpus, **options, **measure.options)["bleu"]
            table[measure.name] = [(score,) for score in scores]
    return table


# --- text -----------------------------------------------------------------------------------------

WORDS = ("a", "b", "c", "d", "A", "ab", "1")
NASTY = (
    *("", " ", "\t", "\r\n", "\x00", "\x1c", "\x1f", "\x85", "\xa0", "\u2028", "\u3000"),
    *("\u200b", "\ufeff", "\x7f", "\x1b[0m", "é", "e\u0301", "\u0301", "\u0130", "\u212a"),
    *("\u03a3", "ß", "漢字", "กำ", "한", "שלום", "مرحبا", "\u202eabc", "\U0001d7d8", "😀"),
    *("👩\u200d👧", "🇩🇪", "\U0010ffff", "&lt;", "&amp;", "<skipped>", "<SKIPPED>", "-\n", "1.5"),
    *(".", ",", "-", "'", "%s", "{}", "\\n"),
    *("x" * 900, "é" * 300, "." * 300, "a " * 70, "b\n" * 70),
)
word = st.sampled_from(WORDS)
separator = st.sampled_from((" ", " ", " ", "\n", "\n\n", "", ". "))
piece = st.one_of(word, word, word, st.sampled_from(NASTY))
anything = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
text = st.one_of(
    st.lists(st.tuples(piece, separator), max_size=30).map(
        lambda parts: "".join(map("".join, parts))
    ),
    anything,
)
plain_text = st.lists(st.tuples(word, st.sampled_from((" ", " ", " ", "\n"))), max_size=80).map(
    lambda parts: "".join(map("".join, parts))
)
TOKENIZERS = ("rouge_score", "rouge-1.5.5", "unicode", "13a", "char", "whitespace", str.split)
tokenizer = st.sampled_from(TOKENIZERS)
near_copy = st.builds(  # long n-grams match only where much does
    lambda text, start, length: (text, [text[:start] + text[start + length :]]),
    plain_text,
    st.integers(0, 60),
    st.integers(0, 9),
)
item = st.one_of(st.tuples(text, st.lists(text, min_size=1, max_size=3)), near_copy)
rouge_options = st.sampled_from(
    [
        *({"multi_reference": choice} for choice in ("best", "average", "pooled", "jackknife")),
        {"multi_reference": "best", "cross_sentences": False},
        {"multi_reference": "best", "summary_lcs": "best"},
        {"multi_reference": "best", "beta": 2.5},
    ]
)
some_items = st.lists(item, min_size=1, max_size=5)
some_pairs = st.lists(
    st.tuples(text, text.map(lambda reference: [reference])), min_size=1, max_size=5
)


# Sentences as packages find them that count distinct words.
stops = st.sampled_from((" ", " ", " ", "\n", ". ", ".", " . ", "。", "？”", "\u3000"))
text_with_stops = st.lists(st.tuples(piece, stops), max_size=20).map(
    lambda parts: "".join(map("".join, parts))[:300]
)
item_with_stops = st.tuples(text_with_stops, st.lists(text_with_stops, min_size=1, max_size=3))

# With a token in each, as rougeW of ROUGE-1.5.5 needs it.
text_with_token = st.lists(st.tuples(piece, separator), max_size=20).map(
    lambda parts: "".join(map("".join, parts))[:300] + " a"
)
item_with_tokens = st.tuples(text_with_token, st.lists(text_with_token, min_size=1, max_size=3))
