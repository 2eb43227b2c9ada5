"""The words that explanations of presets "rouge-1.5.5" and "pyrouge-metric" show."""

import math
from collections import Counter
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers import explanations
from helpers.explanations import shown
from helpers.kernels import joined, weighted_lcs_positions
from helpers.measures import item_with_tokens

TYPES = ["rouge1", "rouge3", "rougeL", "rougeLsum", "rougeW-1.2", "rougeS", "rougeS1", "rougeSU2"]
PERL = {"preset": "rouge-1.5.5", "rouge_types": TYPES}
PYROUGE = {"preset": "pyrouge-metric"}
explained = partial(explanations.explained, **PERL)


def split_at_b(text):
    """Sentences that lack letters of the text."""
    return text.split("b")


OPTIONS_OF_EACH = [
    *({}, {"max_words": 6}, {"sentence_splitter": split_at_b}),
    *({**PYROUGE, **options} for options in ({}, {"max_words": 6}, {"tokenizer": "rouge_score"})),
]


@given(item_with_tokens, st.sampled_from(OPTIONS_OF_EACH))
def test_what_is_marked_is_in_the_other_text(item, options):
    prediction, references = item
    explanation = explained(prediction, references, **options)
    for name, of_type in explanation.items():
        for entry, reference in zip(of_type["references"], references, strict=True):
            of_prediction, of_reference = (
                [word.lower() for word in shown(written, entry[f"{side}_spans"])]
                for side, written in (("prediction", prediction), ("reference", reference))
            )
            for word in of_prediction + of_reference:
                is_token = word.isascii() and word.isalnum()
                assert is_token or (options.keys() >= PYROUGE.keys() and word.split() == [word])
            assert set(of_prediction) == set(of_reference)
            if name in ("rougeL", "rougeLsum", "rouge1"):
                assert len(of_reference) == entry["matches"]
            if name in ("rougeL", "rougeLsum", "rouge1", "rougeW-1.2"):
                assert Counter(of_prediction) == Counter(of_reference)


letters = st.lists(st.sampled_from("abcx"), min_size=1, max_size=12)
weights = st.one_of(  # the script's take any above 0
    st.tuples(st.just("rouge-1.5.5"), st.integers(1, 2000)),
    st.tuples(st.just("pyrouge-metric"), st.integers(100, 2000)),
).map(lambda drawn: (drawn[0], drawn[1] / 100))


def explained_runs(prediction, references, preset, weight):
    """The explanation of rougeW of one prediction and the references, given as lines of letters."""
    prediction, *references = (
        "\n".join(map(" ".join, lines)) for lines in (prediction, *references)
    )
    options = {"preset": preset, "rouge_types": [f"rougeW-{weight}"]}
    (of_type,) = explanations.explained(prediction, references, **options).values()
    return of_type["references"]


def places_of(spans):
    return [start // 2 for start, _ in spans]  # a letter and what is after it


texts_of_lines = st.lists(letters, min_size=1, max_size=3)


@given(texts_of_lines, st.lists(texts_of_lines, min_size=1, max_size=2), weights)
def test_words_of_rougeW_in_several_lines(prediction, references, preset_and_weight):
    """The words are the hits of the script's rule, written out, and make `matches`."""
    preset, weight = preset_and_weight
    entries = explained_runs(prediction, references, preset, weight)
    f = [float(k) ** weight for k in range(60)]
    for reference, entry in zip(references, entries, strict=True):
        hits, run_lengths = hits_and_runs(prediction, reference, f)
        assert places_of(entry["reference_spans"]) == hits
        value = math.fsum(f[k] for k in run_lengths)
        assert value == pytest.approx(entry["matches"], rel=1e-12)
        of_prediction, of_reference = (
            [joined(lines)[place] for place in places_of(entry[side])]
            for lines, side in ((prediction, "prediction_spans"), (reference, "reference_spans"))
        )
        assert Counter(of_prediction) == Counter(of_reference)


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


# Prediction, reference, type, options, matches, and the spans on both sides, by hand.
PLACES = [
    # "a b" is a run of two, 2 ** 2 = 4. The last "b" of the prediction makes none.
    ("a b b", "a b a a", "rougeW-2", {}, 4, [[0, 1], [2, 3]], [[0, 1], [2, 3]]),
    # The last token is no unigram: "a" counts, and not "b" after it, which is in no pair either.
    ("a b", "c a b", "rougeSU0", {}, 2, [[0, 1], [2, 3]], [[2, 3], [4, 5]]),
    ("b", "a b", "rougeSU0", {}, 0, [], []),
    ("x a y", "a z", "rougeSU0", {}, 1, [[2, 3]], [[0, 1]]),
    # The unigram "a" is the first one of the reference, the pair "a c" has the second.
    ("a c", "a a c", "rougeSU0", {}, 2, [[0, 1], [2, 3]], [[0, 1], [2, 3], [4, 5]]),
    # Both lines of the reference have the only "a" of the prediction: one hit, the first.
    ("a b", "a c\na d", "rougeL", {}, 1, [[0, 1]], [[0, 1]]),
    # The space before the first word counts as a word, so that the limit ends behind "y".
    (" x\t\ty \n\n z", "x y z", "rouge1", {"max_words": 3}, 2, [[1, 2], [4, 5]], [[0, 1], [2, 3]]),
    (["x", "a"], ["a"], "rouge1", {"max_words": 2}, 1, [[1, 2]], [[0, 1]]),
    (["x", "a"], ["a", "x"], "rouge1", {**PYROUGE, "max_words": 1}, 0, [], []),
    # Sentences are tokenized each by itself, as 13a joins lines and no sentence does.
    ("a-\nb", "a-\nb c", "rouge1", {**PYROUGE, "tokenizer": "13a"}, 2, *([[0, 2], [3, 4]],) * 2),
    ("a b", "a c\na d", "rougeW-1.5", PYROUGE, 1, [[0, 1]], [[0, 1]]),
]


@pytest.mark.parametrize(
    ("prediction", "reference", "name", "options", "matches", "ours", "theirs"), PLACES
)
def test_places(prediction, reference, name, options, matches, ours, theirs):
    of_type = explained(prediction, reference, rouge_types=[name], **options)[name]
    (entry,) = of_type["references"]
    assert entry["matches"] == matches
    assert (entry["prediction_spans"], entry["reference_spans"]) == (ours, theirs)


def test_a_reference_without_tokens_is_refused_as_in_compute(rouge_full):
    with pytest.raises(ValueError, match=r"references\[0\]\[1\] has no tokens"):
        rouge_full.explain(prediction="a", reference=["a", "!"], preset="rouge-1.5.5")


# --- command lines --------------------------------------------------------------------------------


def test_a_command_line(rouge_full):
    """-t is about a corpus; the stem of "Cats" is "cat", which -l 2 leaves in the last reference."""
    pair = {"prediction": "The Cats sat.", "reference": ["a dog", "a cat sat", "the cat"]}
    stemmer = {"stemmer": rouge_full.rouge155_stemmer()}
    line = "ROUGE-1.5.5.pl -n 2 -2 4 -u -m -l 2 -f B -p 0.2 -t 1 -c 90 -r 7 -a"
    explanation = rouge_full.explain(**pair, **stemmer, preset=line)
    written_out = {"preset": "rouge-1.5.5", "max_words": 2, "multi_reference": "best", "beta": 2}
    types = ["rouge1", "rouge2", "rougeL", "rougeSU4"]
    assert explanation == rouge_full.explain(**pair, **stemmer, **written_out, rouge_types=types)
    assert [of_type["chosen"] for of_type in explanation.values()] == [2, 2, 2, 2]
    entry = explanation["rouge2"]["references"][2]
    assert (entry["matches"], entry["prediction_spans"]) == (1, [[0, 3], [4, 8]])
