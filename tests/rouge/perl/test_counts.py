"""Sentences by the conventions of ROUGE-1.5.5; what the script printed stands in `test_script.py`."""

import pytest

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
