"""Counts by the conventions of ROUGE-1.5.5: sentences, and what it cannot count.

What the script itself printed stands in `test_script.py`; here are cases that follow from how it
reads a text, worked out by hand.
"""

import pytest

from rouge_bleu.data import corpus as corpus_module
from rouge_bleu.options.checked import checked_options
from rouge_bleu.rouge.options.checked import RougeOptions
from rouge_bleu.rouge.scorer import rouge

# --- sentences ------------------------------------------------------------------------------------

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


# --- errors ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("n_characters", [1, 10**6])
def test_an_empty_reference_is_named_wherever_it_stands(monkeypatch, n_characters):
    """By item and reference of the whole corpus, whatever the chunks."""
    monkeypatch.setattr(corpus_module, "_CHUNK_CHARACTERS", n_characters)
    corpus = corpus_module.checked_corpus(
        ["a", "b", "c", "d"], [["a"], ["b", "b c"], ["c", "d", "..."], ["d"]]
    )
    options = checked_options(
        RougeOptions, {"preset": "rouge-1.5.5", "rouge_types": ["rougeW-1.2"]}
    )
    with pytest.raises(ValueError, match=r"^references\[2\]\[2\] has no tokens, on which"):
        rouge(corpus, options)
