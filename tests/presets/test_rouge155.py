"""Preset "rouge-1.5.5": the figures of the Perl script; how it reads texts, rounds and averages."""

import math
import shlex
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.explanations import explained, shown
from helpers.kernels import joined, weighted_lcs_positions
from helpers.measures import item_with_tokens
from helpers.rouge import rouge155_script as script
from helpers.rouge.rouge155_script import EXCEPTIONS, GOLDEN, STOPWORDS, perl_means
from rouge_bleu import explain_rouge, rouge
from rouge_bleu.presets.rouge155.averages import as_printed, perl_confidence_bounds
from rouge_bleu.text.stemming import rouge155_stemmer

PERL, PYROUGE = {"preset": "rouge-1.5.5"}, {"preset": "pyrouge-metric"}
ONE = {**PERL, "rouge_types": ["rouge1"]}
EACH = {"use_aggregator": False}


def types_of(result):
    return list(dict.fromkeys(key.split("_")[0] for key in result))


@pytest.mark.parametrize("case", GOLDEN["cases"], ids=lambda case: case["name"])
def test_the_line_of_a_run_gives_its_figures(case):
    flags, corpus = case["options"], script.corpus_of(case)
    given = {"preset": shlex.join(["ROUGE-1.5.5.pl", *flags, "-a", "settings.xml"])}
    given["document_order"] = {"padded": "input", "plain": "string"}[case["ids"]]
    given |= {"stemmer": rouge155_stemmer(EXCEPTIONS)} if "-m" in flags else {}
    given |= {"stopwords": STOPWORDS} if "-s" in flags else {}
    if "expected_error" in case:
        with pytest.raises(ValueError, match=r"references\[0\]\[0\] has no tokens"):
            rouge(*corpus, **given)
        return
    averages = rouge(*corpus, **given)
    assert averages == script.averages_of(case)
    assert types_of(averages) == [name.replace("ROUGE-", "rouge") for name in case["expected"]]
    has_counts = "-t" in flags and flags[flags.index("-t") + 1] != "0"
    documents = rouge(*corpus, **given, **EACH)
    for key, column in script.documents_of(case, has_counts).items():
        # Counts are printed with 15 digits, scores with 5 decimals, and those are equal.
        assert documents[key] == (pytest.approx(column, rel=1e-13) if has_counts else column), key


def test_a_reference_without_tokens_is_refused_in_explanations_too():
    with pytest.raises(ValueError, match=r"references\[0\]\[1\] has no tokens"):
        explain_rouge("a", ["a", "!"], **PERL)


# --- sentences and limits -------------------------------------------------------------------------

SUMMARY = "The cat sat. A dog ran home. It rained."
REORDERED = ["It rained. The cat sat. The dog ran.", "A dog ran home."]
SPACED = "the dog ran . a cat sat on a mat .", ["a cat sat . the dog ran away ."]
# A splitter, the lines that it makes of a text, prediction and references.
SPLITTERS = {
    "by rule": ("sentences", (". ", ".\n"), SUMMARY, REORDERED),
    # utils.py of files2rouge writes " .\n".join(text.split(" .")).
    "by a function": (lambda text: text.split(" ."), (" .", " .\n"), *SPACED),
}


@pytest.mark.parametrize(
    ("splitter", "change", "prediction", "references"), SPLITTERS.values(), ids=SPLITTERS
)
def test_sentence_splitter_is_newlines_between_sentences(splitter, change, prediction, references):
    options = {**PERL, "rouge_types": ["rouge1", "rougeL", "rougeW-1.2", "rougeS4", "rougeSU4"]}
    split = rouge([prediction], [references], **options, sentence_splitter=splitter)
    lines = [text.replace(*change) for text in references]
    assert split == rouge([prediction.replace(*change)], [lines], **options)
    whole = rouge([prediction], [references], **options)
    changed = {key.split("_")[0] for key in whole if whole[key] != split[key]}
    assert {"rougeL", "rougeW-1.2"} <= changed <= {"rougeL", "rougeW-1.2"}


# The script splits a line at spaces and drops empty parts at the end, so that a line of spaces
# has no word; spaces before a word make one empty word, which counts.
LIMITED = {  # prediction, max_words, matches with "a b c d" and words left of the prediction
    "an empty line between": ("a b\n\nc d", 3, 3, 3),
    "a line of spaces between": ("a b\n \t\nc d", 3, 3, 3),
    "a form feed between": ("a b\n\f\nc d", 3, 3, 3),
    "empty lines first": ("\r\n \r\na b c d", 3, 3, 3),
    "spaces before a word": ("a b\n c d", 3, 2, 2),
    "spaces between words": ("a  \t b c d", 3, 3, 3),
    # Printed by the script under Perl 5.36, -n 1 -t 2 -l 3: M_count 3, P_count 3, H_count 3.
    "a vertical tab between, whitespace since Perl 5.18": ("a\x0bb c d e", 3, 3, 3),
    "a line of vertical tabs": ("a b\n\x0b\x0b\nc d", 3, 3, 3),
    # One line of 6 words, of which a word is up to a space; letters and digits make the tokens.
    "what else Python takes for whitespace": ("a\x1cb\x1dc\x1ed\x1fe\x85f", 1, 4, 6),
    "all sentences": ("a b\r\n\r\nc d", 4, 4, 4),
    "none of a text of spaces": (" \r\n\r\n", 3, 0, 0),
}


@pytest.mark.parametrize(
    ("prediction", "max_words", "matches", "total"), LIMITED.values(), ids=LIMITED
)
def test_words_that_count(prediction, max_words, matches, total):
    options = {**ONE, "corpus_average": "counts", "max_words": max_words}
    n_reference = min(max_words, 4)
    counts = {"prediction_total": total, "reference_total": n_reference}
    counts["matches"] = min(matches, n_reference)
    expected = {f"rouge1_{key}": value for key, value in counts.items()}
    assert rouge([prediction], ["a b c d"], **options) == expected
    assert rouge(["a b c d"], [prediction], **options)["rouge1_reference_total"] == total


def test_a_limit_of_given_tokens():
    texts = [["a", "b", "c"]], [["a", "b", "d"]]  # the first two are equal
    assert rouge(*texts, **ONE, max_words=2)["rouge1_fmeasure"] == 1


def test_limits_come_after_the_splitter():
    """Each sentence is a line when words are counted, so spaces before it are gone."""
    options = {**ONE, "max_words": 4, "corpus_average": "counts", "sentence_splitter": "sentences"}
    assert rouge(["A b.  C d. E"], ["A b c d"], **options)["rouge1_matches"] == 4


@pytest.mark.parametrize(("in_order", "n_matches"), [(1, 350), (-1, 351)])
def test_the_first_of_references_whose_printed_recall_ties(in_order, n_matches):
    """For n-grams: 350 of 701 words and 351 of 703 are both printed as 0.49929; a prediction has 360."""
    references = [" ".join(["a"] * n + ["b"] * (n + 1)) for n in (350, 351)][::in_order]
    prediction = " ".join(["a"] * 351 + ["c"] * 9)
    found = rouge([prediction], [references], **ONE, multi_reference="best")
    assert (found["rouge1_recall"], found["rouge1_precision"]) == (
        0.49929,
        round(n_matches / 360, 5),
    )


def test_numbers_are_rounded_as_they_are_printed():
    """Also those of which a product with 100,000 does not have the last digit."""
    values = np.random.default_rng(1).random(3000) * 10.0 ** np.arange(-6, 24).repeat(100)
    assert as_printed(values).tolist() == [float(f"{value:.5f}") for value in values.tolist()]


# --- averages and bounds --------------------------------------------------------------------------


def perl_average(means):
    return float(f"{script.added(means) / len(means):.5f}")


@pytest.mark.parametrize("n_documents", [1, 4, 16])
def test_averages_and_bounds_are_those_added_up_in_the_order_of_the_script(n_documents):
    """With 40 resamples bounds are means, with 41 they are between two."""
    rng = np.random.default_rng(n_documents)
    for n_resamples in (40, 41) * 20:
        total = rng.integers(1, 10, n_documents)
        n_matches = rng.integers(0, total + 1)
        corpus = [
            [" ".join(["a"] * k + [other] * (n - k)) for k, n in zip(n_matches, total, strict=True)]
            for other in "bc"
        ]
        documents = rouge(*corpus, **ONE, **EACH)
        found = rouge(*corpus, **ONE, n_resamples=n_resamples, confidence_level=0.9)
        for key, scores in documents.items():
            means = perl_means(scores, n_resamples)
            bounds = perl_confidence_bounds(np.array(means), 0.9)
            expected = [perl_average(means), *(float(f"{bound:.5f}") for bound in bounds)]
            assert [found[key], found[f"{key}_low"], found[f"{key}_high"]] == expected, scores


def test_scores_above_what_can_be_counted_are_added_up():
    """Under a weight below 1 a score may be any number: k runs of one word each are k ** 20 of the
    prediction, in units beyond 2**53.
    """
    draw = np.random.default_rng(0)
    predictions = ["a b c d e f g h"] * 20
    references = ["\n".join("abcdefgh"[: draw.integers(1, 9)]) for _ in range(20)]
    options = {**PERL, "rouge_types": ["rougeW-0.05", "rougeW-0.5"]}
    documents = rouge(predictions, references, **options, **EACH)
    assert max(documents["rougeW-0.05_precision"]) > 2**53 / 1e5
    for n_resamples in range(1, 20):
        result = rouge(predictions, references, **options, n_resamples=n_resamples)
        for key, scores in documents.items():
            assert result[key] == perl_average(perl_means(scores, n_resamples)), key


def test_bounds_move_by_the_fraction_of_the_upper_one():
    # r = 10, c = 95: d = 10 * 5 / 200 = 0.25, upper index 8, lower index 0, fraction 0.75 for both.
    assert perl_confidence_bounds(np.arange(10.0), 0.95) == [0.75, 8.75]
    # c = 99.5: d = 10 * 0.5 / 200 = 0.025, upper index 8, fraction 0.975.
    assert perl_confidence_bounds(np.arange(10.0), 0.995) == pytest.approx([0.975, 8.975])
    # r = 1: d = 0.025, both indices 0, fraction -0.025; the value past the end is 0.
    assert perl_confidence_bounds(np.array([3.0]), 0.95) == pytest.approx([3.075, 3.075])


# --- positions, also those of PyRouge -------------------------------------------------------------

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
preset_weights = st.one_of(  # the script's take any above 0
    st.tuples(st.just("rouge-1.5.5"), st.integers(1, 2000)),
    st.tuples(st.just("pyrouge-metric"), st.integers(100, 2000)),
)


def places_of(spans):
    return [start // 2 for start, _ in spans]  # a letter and the next character


@given(texts_of_lines, st.lists(texts_of_lines, min_size=1, max_size=2), preset_weights)
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
