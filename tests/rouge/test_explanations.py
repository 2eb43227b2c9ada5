"""Explanations: scores that follow from the counts, for each preset, and the words that are shown."""

import json
import math
from collections import Counter
from functools import partial

import numpy as np
import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from helpers.explanations import checked, explained, shown
from helpers.measures import (
    ROUGE_TYPES,
    item,
    item_with_stops,
    item_with_tokens,
    rouge_options,
    tokenizer,
)
from helpers.rouge import expected
from helpers.rouge.expected import CHOICES, OUTPUTS
from rouge_bleu._rouge.results import RougePlan
from rouge_bleu.corpus import checked_corpus
from rouge_bleu.rouge_types import type_of_name

# --- scores from the explanation alone ------------------------------------------------------------

LETTER = {"stemmer": lambda token: token[:1]}
AT_B = {"sentence_splitter": lambda text: text.split("b")}
BEST = {"multi_reference": "best"}
MANY_OPTIONS = st.one_of(
    rouge_options,
    st.sampled_from(
        [
            *({"max_words": 5, "stopwords": ["a"]}, {"max_bytes": 9, "zero_division": math.nan}),
            {"sentence_splitter": "sentences", "cross_sentences": False},
            *({**AT_B, "summary_lcs": "best"}, {**LETTER, "beta": 0}),
            {"beta": math.inf, "multi_reference": "jackknife"},
        ]
    ),
)
OPTIONS_OF_DISTINCT = [
    *({"multi_reference": choice} for choice in CHOICES),
    *({"beta": 2.5}, {"lowercase": True, "stopwords": ["a", ""]}, LETTER),
    *({"max_words": 5, "zero_division": math.nan}, {"max_bytes": 9}),
]
OPTIONS_OF_BOTH = [
    *({}, {"max_words": 4}, {"max_bytes": 7}),
    *({"sentence_splitter": "sentences", "tokenizer": "13a"}, {"stopwords": ["b"], **LETTER}),
]
OPTIONS_OF_PYROUGE = [
    *OPTIONS_OF_BOTH,
    *(BEST, {**BEST, "beta": 2}, {**BEST, **AT_B}),
    *({"max_bytes": 7, "zero_division": math.nan}, {"tokenizer": str.split, "lowercase": True}),
]
# Of rougeW it chooses by other numbers than it prints.
PERL_BEST = {**BEST, "rouge_types": ["rouge1", "rougeL", "rougeS1"]}
OPTIONS_OF_PERL = [
    *OPTIONS_OF_BOTH,
    *(PERL_BEST, {**PERL_BEST, "beta": 2, "max_bytes": 20}),
    *({**AT_B, "max_bytes": 9}, {"tokenizer": str.split, "max_words": 9}),
]
FOUR = "rouge1 rouge2 rougeL rougeLsum"
OF_PYROUGE = "rouge1 rouge3 rougeL rougeLsum rougeW-1.5 rougeS rougeS1 rougeSU2"
OF_PERL = "rouge1 rouge3 rougeL rougeLsum rougeW-1.2 rougeS1 rougeSU2"
# rouge 1.0.1 and rouge-chinese 1.0.3, rouge_score.py: below the line in F.
DISTINCT = ("rouge1 rouge2 rouge4 rougeL", item_with_stops, OPTIONS_OF_DISTINCT, {"epsilon": 1e-8})
# Of pyrouge-metric multi_ref_mode="best".
BY_RECALL = {"multi_reference": "pooled", "best": expected.best_by_recall}
# Preset, its types, the examples and options that are drawn, and what its formula does otherwise.
CONVENTIONS = {
    None: (" ".join(ROUGE_TYPES), item, MANY_OPTIONS, {}),
    # Scores of 32 bits; they decide which reference is chosen.
    "torchmetrics": (FOUR, item, MANY_OPTIONS, {"number": np.float32}),
    **{"pltrdy": DISTINCT, "rouge-chinese": DISTINCT},
    "pyrouge-metric": (OF_PYROUGE, item, OPTIONS_OF_PYROUGE, BY_RECALL),
    # It rounds to five decimals, and computes F from rounded values.
    "rouge-1.5.5": (OF_PERL, item_with_tokens, OPTIONS_OF_PERL, {**BY_RECALL, "tolerance": 2e-5}),
}


def scores_of_counts(name, counts, beta=1.0, epsilon=0.0, number=float, **_):
    """Precision, recall and F from the counts of a reference, or of all: Lin 2004."""
    matches, exponent = counts["matches"], 1.0
    if name.startswith("rougeW"):
        exponent = 1 / type_of_name(name).weight
    quotients = [
        (counts.get("prediction_matches", matches), counts["prediction_total"]),
        (matches, counts["reference_total"]),
    ]
    scores = [(matches / total) ** exponent if total else 0.0 for matches, total in quotients]
    f = expected.f_measure(*scores, beta, epsilon)
    return tuple(float(number(score)) for score in (*scores, f))


def scores_of_references(name, entries, **formula):
    """Precision, recall and F of an example from the counts of its references."""
    choice = formula.get("multi_reference", "best")
    if not any(entry["reference_total"] for entry in entries):
        return (formula.get("zero_division", 0.0),) * 3
    if choice == "pooled":
        sums = Counter()
        for entry in entries:
            sums.update({key: entry[key] for key in entry if not key.endswith("spans")})
        return scores_of_counts(name, sums, **formula)
    choose = formula.get("best", expected.best) if choice == "best" else expected.CHOICES[choice]
    of_f = ("beta", "epsilon") if choice in ("separate", "f_of_means") else ()
    of_f = {key: formula[key] for key in of_f if key in formula}
    return choose([scores_of_counts(name, entry, **formula) for entry in entries], **of_f)


def example_scores(prediction, references, **options):
    """Precision, recall and F of each type, as `compute` returns them for one example."""
    options = checked(**options, use_aggregator=False, output="all")
    result = RougePlan(options).result(checked_corpus([prediction], [references]))
    return {
        name: {output: result[f"{name}_{output}"][0] for output in OUTPUTS}
        for name in options.types_by_name
    }


@pytest.mark.parametrize("preset", CONVENTIONS)
@given(data=st.data())
def test_scores_from_the_explanation_alone(preset, data):
    """The scores are those of compute, bit for bit, and follow from the counts."""
    types, examples, options, formula = CONVENTIONS[preset]
    prediction, references = data.draw(examples)
    options = data.draw(st.sampled_from(options) if isinstance(options, list) else options)
    if preset is None:
        options = {"tokenizer": data.draw(tokenizer), **options}
    formula = {**formula, **options}
    options = {"preset": preset, "rouge_types": types.split(), **options}
    try:
        of_types = example_scores(prediction, references, **options)
    except ValueError:  # ROUGE-1.5.5 divides by zero if a limit left nothing
        reject()
    explanation = explained(prediction, references, **options)
    assert repr(json.loads(json.dumps(explanation))) == repr(explanation)
    assert list(explanation) == list(of_types)
    approx = partial(pytest.approx, rel=1e-12, abs=formula.get("tolerance", 0), nan_ok=True)
    for name, of_type in explanation.items():
        scores, entries = {output: of_type[output] for output in OUTPUTS}, of_type["references"]
        assert repr(scores) == repr(of_types[name])  # NaN for NaN
        assert list(scores.values()) == approx(scores_of_references(name, entries, **formula))
        has_units = any(entry["reference_total"] for entry in entries)
        has_own = name == "rougeLsum" and options.get("summary_lcs") == "best"
        for entry in entries:
            assert ("prediction_matches" in entry) == has_own
            if has_units:
                of_entry = [entry[output] for output in OUTPUTS]
                assert of_entry == approx(scores_of_counts(name, entry, **formula))
            else:
                assert entry["fmeasure"] == approx(formula.get("zero_division", 0.0))
        is_chosen = formula.get("multi_reference", "best") in ("best", "recall")
        assert (of_type["chosen"] is not None) == (len(entries) == 1 or is_chosen)
        if of_type["chosen"] is not None:
            chosen = entries[of_type["chosen"]]
            assert repr([chosen[output] for output in OUTPUTS]) == repr(list(scores.values()))


@pytest.mark.parametrize("preset", CONVENTIONS)
def test_counts_tokens_and_warnings(preset):
    """Counts are integers, except of runs; given tokens are shown by their index; a text without tokens
    is warned of.
    """
    types = {"preset": preset, "rouge_types": CONVENTIONS[preset][0].split()}
    for name, of_type in explained("a b", "a b", **types).items():
        (entry,) = of_type["references"]
        kinds = {type(entry[key]) for key in ("matches", "prediction_total", "reference_total")}
        assert kinds == {float if name.startswith("rougeW") else int}
    of_type = explained(["New York", "is", "big"], [["big", "New York"]], **types)["rouge1"]
    (entry,) = of_type["references"]
    assert entry["prediction_spans"] == [[0, 1], [2, 3]]
    assert entry["reference_spans"] == [[0, 1], [1, 2]]
    with pytest.warns(UserWarning, match="No text has a token"):
        explained("a", "a", preset=preset, rouge_types=["rouge1"], stopwords=["a"])


# By hand: recalls of 4/8 and 1/1, F of 2/3 and 2/5. Then both references have F = 2/3, of 3/4 and 3/5 and
# of 1/2 and 1. In 64 bits the last bit differs and the second wins; in 32 bits they tie, so the first.
RECALLS, TIE = ("a b c d", ["a b c d e f g h", "a"]), ("a b c d", ["a b c x y", "a b"])
CHOSEN = [
    (RECALLS, {"multi_reference": "recall"}, 1),
    (RECALLS, {"multi_reference": "best"}, 0),
    (TIE, {"preset": "torchmetrics"}, 0),
    (TIE, {}, 1),
]


@pytest.mark.parametrize(("example", "options", "chosen"), CHOSEN)
def test_the_reference_that_counts(example, options, chosen):
    assert explained(*example, rouge_types=["rouge1"], **options)["rouge1"]["chosen"] == chosen


# --- words that are shown -------------------------------------------------------------------------

GUNMAN, W5 = "police killed the gunman", "w1 w2 w3 w4 w5"
# Section of Lin 2004, prediction, reference, type, matches, and the words marked on both sides.
OF_LIN_2004 = [
    ("5, S1", "police kill the gunman", GUNMAN, "rougeS", 3, "police the gunman"),
    ("5, S2", "the gunman kill police", GUNMAN, "rougeS", 1, "the gunman"),
    ("5, S4", "the gunman police killed", GUNMAN, "rougeS", 2, "the gunman police killed"),
    ("3.2", "w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5", W5, "rougeLsum", 4, "w1 w2 w3 w5"),
    # Y1 has the run ABCD of X, Y2 the same letters apart; f(k) = k^2.
    ("4, Y1", "a b c d h i k", "a b c d e f g", "rougeW-2", 16.0, "a b c d"),
    ("4, Y2", "a h b k c i d", "a b c d e f g", "rougeW-2", 4.0, "a b c d"),
    # "a b" is a run of two, 2 ** 2 = 4. The last "b" of the prediction makes none.
    ("4", "a b b", "a b a a", "rougeW-2", 4.0, "a b"),
]


@pytest.mark.parametrize(
    ("section", "prediction", "reference", "name", "matches", "words"), OF_LIN_2004
)
def test_examples_of_lin_2004(section, prediction, reference, name, matches, words):
    (entry,) = explained(prediction, reference, rouge_types=[name])[name]["references"]
    assert entry["matches"] == matches
    assert shown(prediction, entry["prediction_spans"]) == words.split()
    assert Counter(shown(reference, entry["reference_spans"])) == Counter(words.split())
    assert entry["reference_spans"] == sorted(entry["reference_spans"])


def with_color(text):
    return [word.replace("colour", "color") for word in text.split()]


STEM = {"use_stemmer": True, "stopwords": ["the"]}
LINES = ("well-\nknown", "well-\nknown fox")
PERL, PYROUGE = {"preset": "rouge-1.5.5"}, {"preset": "pyrouge-metric"}
PLTRDY, CHINESE, ROUGE2 = ({"preset": name} for name in ("pltrdy", "rouge-chinese", "rouge-2.0"))
COCO, NMT, XLSUM = ({"preset": name} for name in ("coco-caption", "nmt", "xlsum"))
PY_ROUGE, SACREROUGE = {"preset": "py-rouge"}, {"preset": "sacrerouge", "max_bytes": 99}
SPACED = (" A cat sat. \n It ran.", "It ran, a cat")
IN_LINES = (4, "1:2 3:6 14:16 17:20", "0:2 3:6 8:9 10:13")
# Options, prediction, reference, type, matches, and the spans on both sides; "-" is a word that is
# empty. That the counts are those of the packages is in the tests of the packages.
PLACES = [
    # The default.
    (STEM, "The Runners!", "the runner", "rouge1", 1, "4:11", "4:10"),
    ({"max_words": 2}, " a  b c", "c b a", "rouge1", 1, "4:5", "2:3"),
    ({"max_bytes": 4}, "é abc", "a é", "rouge1", 1, "2:3", "0:1"),
    # A token that a function makes up has no place.
    ({"tokenizer": with_color}, "a colour", "color a", "rouge1", 2, "0:1 -", "0:5 6:7"),
    # Sentences are tokenized each by itself; 13a joins lines.
    ({"tokenizer": "13a"}, *LINES, "rouge1", 1, "0:11", "0:11"),
    ({"tokenizer": "13a"}, *LINES, "rougeLsum", 2, "0:5 6:11", "0:5 6:11"),
    # The unigram "a" is the first one of the reference, the pair "a c" has the second.
    ({}, "a c", "a a c", "rouge1", 2, "0:1 2:3", "0:1 4:5"),
    ({}, "a c", "a a c", "rougeS0", 1, "0:1 2:3", "2:3 4:5"),
    ({}, "a c", "a a c", "rougeSU0", 3, "0:1 2:3", "0:1 2:3 4:5"),
    # Presets.
    (PERL, "a b b", "a b a a", "rougeW-2", 4, "0:1 2:3", "0:1 2:3"),
    # The last token is no unigram: "a" counts, and not "b" after it, which is in no pair either.
    (PERL, "a b", "c a b", "rougeSU0", 2, "0:1 2:3", "2:3 4:5"),
    (PERL, "b", "a b", "rougeSU0", 0, "", ""),
    (PERL, "x a y", "a z", "rougeSU0", 1, "2:3", "0:1"),
    (PERL, "a c", "a a c", "rougeSU0", 2, "0:1 2:3", "0:1 2:3 4:5"),
    # Both lines of the reference have the only "a" of the prediction: one hit, the first.
    (PERL, "a b", "a c\na d", "rougeL", 1, "0:1", "0:1"),
    # The space before the first word counts as a word, so that the limit ends behind "y".
    ({**PERL, "max_words": 3}, " x\t\ty \n\n z", "x y z", "rouge1", 2, "1:2 4:5", "0:1 2:3"),
    ({**PERL, "max_words": 2}, ["x", "a"], ["a"], "rouge1", 1, "1:2", "0:1"),
    ({**PYROUGE, "max_words": 1}, ["x", "a"], ["a", "x"], "rouge1", 0, "", ""),
    # Sentences are tokenized each by itself, as 13a joins lines and no sentence does.
    ({**PYROUGE, "tokenizer": "13a"}, "a-\nb", "a-\nb c", "rouge1", 2, "0:2 3:4", "0:2 3:4"),
    (PYROUGE, "a b", "a c\na d", "rougeW-1.5", 1, "0:1", "0:1"),
    # What occurs often is shown once.
    (PLTRDY, "a b a b", "x a b a", "rouge1", 2, "0:1 2:3", "2:3 4:5"),
    (PLTRDY, "a b a b", "x a b a", "rouge2", 2, "0:1 2:3 4:5", "2:3 4:5 6:7"),
    # N-grams cross sentences, and no full stop is shown.
    (PLTRDY, "It is.So", "is So. It", "rouge2", 1, "3:5 6:8", "0:2 3:5"),
    # In sentences "a b" and "c" go with "c." and "a b"; in whole texts "a b" alone does.
    (PLTRDY, "a b. c", "c. a b", "rougeL", 3, "0:1 2:3 5:6", "0:1 3:4 5:6"),
    (CHINESE, "a b c", "c a b", "rougeL", 2, "0:1 2:3", "2:3 4:5"),
    # Spaces after the last full stop are a sentence of one word, which is empty.
    (PLTRDY, "a. ", "b.  ", "rouge1", 1, "-", "-"),
    # So is the word of an empty text, and a word between two spaces.
    (COCO, "", "", "rougeL", 1, "-", "-"),
    (COCO, "a b x y", "a b c d", "rougeL", 2, "0:1 2:3", "0:1 2:3"),
    (NMT, " a  b", "a b", "rougeL", 2, "1:2 4:5", "0:1 2:3"),
    # In ROUGE-2.0 an empty word is not shown if it does not count. All numbers are alike.
    (ROUGE2, '"a', '"a', "rougeL", 1, "1:2", "1:2"),
    (ROUGE2, '"a', "\nb", "rougeL", 0, "", ""),
    (ROUGE2, "", "", "rougeL", 0, "", ""),
    (ROUGE2, "a\n\nb", "b\n\na", "rougeL", 2, "0:1 3:4", "0:1 3:4"),
    (ROUGE2, "a b\nc 12 d", "c 3 d\na", "rougeL", 4, "0:1 4:5 - 9:10", "0:1 - 4:5 6:7"),
    # Spaces at the ends of lines are taken off before characters are counted.
    *((options, *SPACED, "rouge1", *IN_LINES) for options in (PY_ROUGE, SACREROUGE)),
    *((options, *SPACED, "rougeLsum", *IN_LINES) for options in (PY_ROUGE, SACREROUGE)),
    # Lines are not segmented: "b cd" has two words under any tokenizer.
    ({**XLSUM, "tokenizer": "char"}, "b cd. e", "b c", "rouge1", 2, "0:1 2:3", "0:1 2:3"),
    ({**XLSUM, "tokenizer": "char"}, "b cd. e", "b c cd", "rougeLsum", 2, "0:1 2:4", "0:1 4:6"),
    (XLSUM, "Größe\nsah er", "größe sah", "rouge1", 2, "0:5 6:9", "0:5 6:9"),
    (XLSUM, "Größe\nsah er", "größe sah", "rougeLsum", 2, "0:5 6:9", "0:5 6:9"),
]


def compact(spans):
    return " ".join("-" if span is None else ":".join(map(str, span)) for span in spans)


@pytest.mark.parametrize(
    ("options", "prediction", "reference", "name", "matches", "ours", "theirs"), PLACES
)
def test_places(options, prediction, reference, name, matches, ours, theirs):
    (entry,) = explained(prediction, reference, rouge_types=[name], **options)[name]["references"]
    spans = compact(entry["prediction_spans"]), compact(entry["reference_spans"])
    assert (entry["matches"], *spans) == (matches, ours, theirs)
