"""How ROUGE-1.5.5 reads a text: sentences, and limits on words worked out by hand.

The output of the script, under limits too, is in `test_script.py`.
"""

import numpy as np
import pytest

from rouge_bleu._rouge.rouge155_averages import rounded


def perl(rouge_full, prediction, reference, **options):
    return rouge_full.compute(
        predictions=[prediction], references=[reference], preset="rouge-1.5.5", **options
    )


# The script splits a line at spaces and drops empty parts at the end, so that a line of spaces
# has no word; spaces before a word make one empty word, which counts.
LIMITED = {  # prediction, max_words, matches with "a b c d" and words left of the prediction
    "an empty line between": ("a b\n\nc d", 3, 3, 3),
    "a line of blanks between": ("a b\n \t\nc d", 3, 3, 3),
    "a form feed between": ("a b\n\f\nc d", 3, 3, 3),
    "empty lines first": ("\r\n \r\na b c d", 3, 3, 3),
    "blanks before a word": ("a b\n c d", 3, 2, 2),
    "blanks between words": ("a  \t b c d", 3, 3, 3),
    # Printed by the script under Perl 5.36, -n 1 -t 2 -l 3: M_count 3, P_count 3, H_count 3.
    "a vertical tab between, whitespace since Perl 5.18": ("a\x0bb c d e", 3, 3, 3),
    "a line of vertical tabs": ("a b\n\x0b\x0b\nc d", 3, 3, 3),
    "what else Python takes for blanks": ("a\x1cb\x1dc\x1ed\x1fe\x85f", 1, 4, 6),
    "as many as there are": ("a b\r\n\r\nc d", 4, 4, 4),
    "none of a text of blanks": (" \r\n\r\n", 3, 0, 0),
}


@pytest.mark.parametrize(
    ("prediction", "max_words", "matches", "total"), LIMITED.values(), ids=LIMITED
)
def test_words_that_count(rouge_full, prediction, max_words, matches, total):
    options = {"rouge_types": ["rouge1"], "corpus_average": "counts"}
    result = perl(rouge_full, prediction, "a b c d", max_words=max_words, **options)
    n_reference = min(max_words, 4)
    assert result == {
        "rouge1_reference_total": n_reference,
        "rouge1_prediction_total": total,
        "rouge1_matches": min(matches, n_reference),
    }
    swapped = perl(rouge_full, "a b c d", prediction, max_words=max_words, **options)
    assert swapped["rouge1_reference_total"] == total


def test_limits_come_after_the_splitter(rouge_full):
    """Each sentence is a line when words are counted, so spaces before it are gone."""
    options = {"rouge_types": ["rouge1"], "max_words": 4, "corpus_average": "counts"}
    split = perl(rouge_full, "A b.  C d. E", "A b c d", sentence_splitter="sentences", **options)
    assert split["rouge1_matches"] == 4


SPLITTERS = ["sentences", lambda text: [part + "." for part in text.split(".") if part.strip()]]
SUMMARY = "The cat sat. A dog ran home. It rained."
REORDERED = ["It rained. The cat sat. The dog ran.", "A dog ran home."]
TYPES = ["rouge1", "rougeL", "rougeW-1.2", "rougeS4", "rougeSU4"]


@pytest.mark.parametrize("splitter", SPLITTERS, ids=["by rule", "by a function"])
def test_sentence_splitter_is_newlines_between_sentences(rouge_full, splitter):
    def lines(text):
        return text.replace(". ", ".\n")

    options = {"rouge_types": TYPES, "preset": "rouge-1.5.5"}
    split = rouge_full.compute(
        predictions=[SUMMARY], references=[REORDERED], sentence_splitter=splitter, **options
    )
    in_lines = rouge_full.compute(
        predictions=[lines(SUMMARY)], references=[list(map(lines, REORDERED))], **options
    )
    assert split == in_lines
    whole = rouge_full.compute(predictions=[SUMMARY], references=[REORDERED], **options)
    changed = {key.split("_")[0] for key in whole if whole[key] != split[key]}
    assert {"rougeL", "rougeW-1.2"} <= changed <= {"rougeL", "rougeW-1.2"}


@pytest.mark.parametrize(("in_order", "precision"), [(1, 0.97222), (-1, 0.975)])
def test_of_references_with_equal_recall_as_printed_the_first(rouge_full, in_order, precision):
    """For n-grams: 350 of 701 words and 351 of 703 are both printed as 0.49929."""
    references = [" ".join(["a"] * n + ["b"] * (n + 1)) for n in (350, 351)]
    prediction = " ".join(["a"] * 351 + ["c"] * 9)
    options = {"rouge_types": ["rouge1"], "multi_reference": "best"}
    found = perl(rouge_full, prediction, references[::in_order], **options)
    assert (found["rouge1_recall"], found["rouge1_precision"]) == (0.49929, precision)


def test_numbers_are_rounded_as_they_are_printed():
    """Also those of which a product with 100,000 does not have the last digit."""
    values = np.random.default_rng(1).random(3000) * 10.0 ** np.arange(-6, 24).repeat(100)
    assert rounded(values).tolist() == [float(f"{value:.5f}") for value in values.tolist()]
