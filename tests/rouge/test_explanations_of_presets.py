"""The words that explanations of presets show; their scores are in test_explanations.py."""

import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.explanations import explained, shown
from helpers.kernels import joined, weighted_lcs_positions
from helpers.measures import item_with_tokens
from rouge_bleu import explain_rouge

# --- by hand --------------------------------------------------------------------------------------

PERL, PYROUGE = {"preset": "rouge-1.5.5"}, {"preset": "pyrouge-metric"}
PLTRDY, CHINESE, ROUGE2 = ({"preset": name} for name in ("pltrdy", "rouge-chinese", "rouge-2.0"))
COCO, NMT, XLSUM = ({"preset": name} for name in ("coco-caption", "nmt", "xlsum"))
PY_ROUGE, SACREROUGE = {"preset": "py-rouge"}, {"preset": "sacrerouge", "max_bytes": 99}
LINES = (" A cat sat. \n It ran.", "It ran, a cat")
IN_LINES = (4, "1:2 3:6 14:16 17:20", "0:2 3:6 8:9 10:13")
# Options, prediction, reference, type, matches, and the spans on both sides; "-" is a word that is
# empty. That the counts are those of the packages is in the tests of the packages.
PLACES = [
    # "a b" is a run of two, 2 ** 2 = 4. The last "b" of the prediction makes none.
    (PERL, "a b b", "a b a a", "rougeW-2", 4, "0:1 2:3", "0:1 2:3"),
    # The last token is no unigram: "a" counts, and not "b" after it, which is in no pair either.
    (PERL, "a b", "c a b", "rougeSU0", 2, "0:1 2:3", "2:3 4:5"),
    (PERL, "b", "a b", "rougeSU0", 0, "", ""),
    (PERL, "x a y", "a z", "rougeSU0", 1, "2:3", "0:1"),
    # The unigram "a" is the first one of the reference, the pair "a c" has the second.
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
    # In ROUGE-2.0 an empty word is not shown where it does not count. All numbers are alike.
    (ROUGE2, '"a', '"a', "rougeL", 1, "1:2", "1:2"),
    (ROUGE2, '"a', "\nb", "rougeL", 0, "", ""),
    (ROUGE2, "", "", "rougeL", 0, "", ""),
    (ROUGE2, "a\n\nb", "b\n\na", "rougeL", 2, "0:1 3:4", "0:1 3:4"),
    (ROUGE2, "a b\nc 12 d", "c 3 d\na", "rougeL", 4, "0:1 4:5 - 9:10", "0:1 - 4:5 6:7"),
    # Spaces at the ends of lines are taken off before characters are counted.
    *((options, *LINES, "rouge1", *IN_LINES) for options in (PY_ROUGE, SACREROUGE)),
    *((options, *LINES, "rougeLsum", *IN_LINES) for options in (PY_ROUGE, SACREROUGE)),
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


def test_a_command_line():
    """-t is about a corpus; the stem of "Cats" is "cat", which -l 2 leaves in the last reference."""
    texts = "The Cats sat.", ["a dog", "a cat sat", "the cat"]
    line = "ROUGE-1.5.5.pl -n 2 -m -l 2 -f B -p 0.2 -t 1 -c 90 -r 7 -a"
    options = {**PERL, "rouge_types": ["rouge1", "rouge2", "rougeL"], "max_words": 2, "beta": 2}
    options |= {"multi_reference": "best", "stemmer": "rouge-1.5.5"}
    found = explain_rouge(*texts, preset=line, stemmer="rouge-1.5.5")
    assert found == explain_rouge(*texts, **options)
    assert [of_type["chosen"] for of_type in found.values()] == [2, 2, 2]


# --- random texts: ROUGE-1.5.5 and PyRouge --------------------------------------------------------

TYPES = ["rouge1", "rouge3", "rougeL", "rougeLsum", "rougeW-1.2", "rougeS", "rougeS1", "rougeSU2"]
LIMITS = ({}, {"max_words": 6})
OPTIONS_OF_EACH = [
    *({**preset, **options} for preset in (PERL, PYROUGE) for options in LIMITS),
    {**PERL, "sentence_splitter": lambda text: text.split("b")},  # it drops letters
    {**PYROUGE, "tokenizer": "rouge_score"},
]


@given(item_with_tokens, st.sampled_from(OPTIONS_OF_EACH))
def test_what_is_marked_is_in_the_other_text(item, options):
    prediction, references = item
    explanation = explained(prediction, references, rouge_types=TYPES, **options)
    for name, of_type in explanation.items():
        for entry, reference in zip(of_type["references"], references, strict=True):
            ours, theirs = (
                [word.lower() for word in shown(written, entry[f"{side}_spans"])]
                for side, written in (("prediction", prediction), ("reference", reference))
            )
            for word in ours + theirs:
                is_token = word.isascii() and word.isalnum()
                assert is_token or (options["preset"] != "rouge-1.5.5" and word.split() == [word])
            assert set(ours) == set(theirs)
            if name in ("rougeL", "rougeLsum", "rouge1"):
                assert len(theirs) == entry["matches"]
            if name in ("rougeL", "rougeLsum", "rouge1", "rougeW-1.2"):
                assert Counter(ours) == Counter(theirs)


letters = st.lists(st.sampled_from("abcx"), min_size=1, max_size=12)
texts_of_lines = st.lists(letters, min_size=1, max_size=3)
weights = st.one_of(  # the script's take any above 0
    st.tuples(st.just("rouge-1.5.5"), st.integers(1, 2000)),
    st.tuples(st.just("pyrouge-metric"), st.integers(100, 2000)),
)


def places_of(spans):
    return [start // 2 for start, _ in spans]  # a letter and what is after it


@given(texts_of_lines, st.lists(texts_of_lines, min_size=1, max_size=2), weights)
def test_words_of_rougeW_in_several_lines(prediction, references, preset_and_weight):
    """The words are the hits of the script's rule, written out, and make `matches`."""
    preset, weight = preset_and_weight[0], preset_and_weight[1] / 100
    texts = ["\n".join(map(" ".join, lines)) for lines in (prediction, *references)]
    options = {"preset": preset, "rouge_types": [f"rougeW-{weight}"]}
    (of_type,) = explained(texts[0], texts[1:], **options).values()
    f = [float(k) ** weight for k in range(60)]
    for reference, entry in zip(references, of_type["references"], strict=True):
        hits, run_lengths = hits_and_runs(prediction, reference, f)
        assert places_of(entry["reference_spans"]) == hits
        value = math.fsum(f[k] for k in run_lengths)
        assert value == pytest.approx(entry["matches"], rel=1e-12)
        places = places_of(entry["prediction_spans"])
        of_prediction = Counter(joined(prediction)[place] for place in places)
        assert of_prediction == Counter(joined(reference)[place] for place in hits)


def hits_and_runs(prediction, reference, f):
    """The places in the reference that are hits, and the lengths of their runs.

    A marked word is a hit while the prediction has it left. A run ends with a hit that no marked
    word follows; a marked word that is no hit does nothing, and the rest at the end of a line
    is lost.
    """
    left, hits, run_lengths, first = Counter(joined(prediction)), [], [], 0
    for line in reference:
        marked = set().union(*(weighted_lcs_positions(p, line, f) for p in prediction))
        run = 0
        for place in sorted(marked):
            if not left[line[place]]:
                continue
            left[line[place]] -= 1
            hits.append(first + place)
            run += 1
            if place + 1 not in marked:
                run_lengths.append(run)
                run = 0
        first += len(line)
    return hits, run_lengths
