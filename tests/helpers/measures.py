"""One table of all measures, and the nasty text that they are tried on.

Text is drawn from few words, so that much matches, with anything that Unicode has between them.
"""

from hypothesis import strategies as st

from rouge_bleu import bleu, rouge
from rouge_bleu._rouge.rules import OUTPUTS

# How many tokens identical texts need for a score of 1, and the options of BLEU.
ROUGE_TYPES = {
    **{"rouge1": 1, "rouge2": 2, "rouge5": 5, "rougeL": 1, "rougeLsum": 1},
    **{"rougeW": 1, "rougeW-1": 1, "rougeW-2.5": 1},
    **{"rougeS": 2, "rougeS*": 2, "rougeS0": 2, "rougeS4": 2, "rougeSU": 1, "rougeSU4": 1},
}
BLEU = {
    "BLEU": (4, {}),
    "BLEU of 10 orders": (10, {"max_order": 10}),
    "BLEU of 16 weights": (16, {"weights": [*range(1, 17)]}),
    "BLEU with weights": (3, {"weights": [0.5, 0, 2]}),
    "BLEU with the average length": (4, {"reference_length": "average"}),
    "BLEU smoothed": (1, {"smooth": True}),
    "BLEU of effective order": (1, {"effective_order": True}),
}


def scores(items, tokenizer="rouge_score", **rouge_options):
    """Return for each measure a list with the scores of each item: precision, recall and F, or BLEU
    alone. An item is a prediction and a list of references.
    """
    corpus = [prediction for prediction, _ in items], [references for _, references in items]
    options = {"tokenizer": tokenizer, "use_aggregator": False}
    types = list(ROUGE_TYPES)
    result = rouge(*corpus, rouge_types=types, output="all", **options, **rouge_options)
    table = {
        name: list(zip(*(result[f"{name}_{output}"] for output in OUTPUTS), strict=True))
        for name in types
    }
    for name, (_, of_bleu) in BLEU.items():
        table[name] = [(score,) for score in bleu(*corpus, **options, **of_bleu)["bleu"]]
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


def pieces(piece, separator, max_size):
    """Return texts of at most so many pieces, each followed by a separator."""
    parts = st.lists(st.tuples(piece, separator), max_size=max_size)
    return parts.map(lambda parts: "".join(map("".join, parts)))


text = st.one_of(pieces(piece, separator, 30), anything)
plain_text = pieces(word, st.sampled_from((" ", " ", " ", "\n")), 80)


def with_references(text):
    return st.tuples(text, st.lists(text, min_size=1, max_size=3))


tokenizer = st.sampled_from(
    ("rouge_score", "rouge-1.5.5", "unicode", "13a", "char", "whitespace", str.split)
)
near_copy = st.builds(  # long n-grams match only where much does
    lambda text, start, length: (text, [text[:start] + text[start + length :]]),
    plain_text,
    st.integers(0, 60),
    st.integers(0, 9),
)
item = st.one_of(with_references(text), near_copy)
rouge_options = st.sampled_from(
    [
        *({"multi_reference": choice} for choice in ("best", "average", "pooled", "jackknife")),
        {"multi_reference": "best", "cross_sentences": False},
        {"multi_reference": "best", "summary_lcs": "best"},
        {"multi_reference": "best", "beta": 2.5},
    ]
)
some_items = st.lists(item, min_size=1, max_size=5)

# Sentences as packages find them that count distinct words.
stops = st.sampled_from((" ", " ", " ", "\n", ". ", ".", " . ", "。", "？”", "\u3000"))
item_with_stops = with_references(pieces(piece, stops, 20).map(lambda text: text[:300]))
# With a token in each, as rougeW of ROUGE-1.5.5 needs it.
item_with_tokens = with_references(pieces(piece, separator, 20).map(lambda text: text[:300] + " a"))
