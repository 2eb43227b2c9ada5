"""What the Perl script ROUGE-1.5.5.pl printed, and the calls that give the same.

`golden/rouge155.json` holds what ROUGE-1.5.5.pl printed for texts written for this project, run by
run:

    {"corpora": {name: {"predictions": [[sentence, ...], ...], "references": [[[sentence, ...],
    ...], ...]}},
     "cases": [{"name", "corpus", "ids", "options", "expected"}]}

`ids` is "padded" where the documents had names that sort in input order, else "plain" (1, 10, 11,
2, ...). Under -t 1 and -t 2 the figures of a document are counts, M for the reference, P for the
prediction and H for hits.
"""

import json

import pytest

from helpers.repository import ROOT
from rouge_bleu.data.corpus import checked_corpus

GOLDEN = json.loads((ROOT / "tests" / "golden" / "rouge155.json").read_text(encoding="utf-8"))

SCORES = {"R": "recall", "P": "precision", "F": "fmeasure"}
COUNTS = {"M": "reference_total", "P": "prediction_total", "H": "matches"}
# The words of the golden texts that WordNet's exception lists hold (irregular forms and doubled
# consonants), with their base forms; facts of English. `best` and `better` are looked up as adverbs
# there. Words of three letters are not looked up.
EXCEPTIONS = {
    "analyses": "analysis", "best": "well", "better": "well", "built": "build",
    "carried": "carry", "children": "child", "feet": "foot", "geese": "goose", "goes": "go",
    "gone": "go", "known": "know", "leaves": "leaf", "mice": "mouse", "running": "run",
    "stopped": "stop", "stopping": "stop", "studied": "study", "swam": "swim",
    "swimming": "swim", "took": "take", "went": "go", "were": "be", "wolves": "wolf",
    "worse": "bad", "wrote": "write", "younger": "young",
}  # fmt: skip


def corpus_of(case):
    corpus = GOLDEN["corpora"][case["corpus"]]
    predictions = ["\n".join(sentences) for sentences in corpus["predictions"]]
    references = [
        ["\n".join(sentences) for sentences in documents] for documents in corpus["references"]
    ]
    return checked_corpus(predictions, references)


def has_counts(case):
    return "-t" in case["options"] and case["options"][case["options"].index("-t") + 1] != "0"


def expected_documents(case):
    """Yield the key of the result and the printed column of documents."""
    for metric, printed in case["expected"].items():
        for letter, name in (COUNTS if has_counts(case) else SCORES).items():
            yield (
                f"rouge{metric.removeprefix('ROUGE-')}_{name}",
                [document[letter] for document in printed["per_document"]],
            )


def expected_averages(case):
    for metric, printed in case["expected"].items():
        key = f"rouge{metric.removeprefix('ROUGE-')}"
        if "M" in printed["average"]:
            yield from (
                (f"{key}_{name}", printed["average"][letter]) for letter, name in COUNTS.items()
            )
            continue
        for letter, name in SCORES.items():
            average = printed["average"][letter]
            yield f"{key}_{name}", average["value"]
            yield f"{key}_{name}_low", average["low"]
            yield f"{key}_{name}_high", average["high"]


def assert_documents(result, case):
    for key, column in expected_documents(case):
        # Counts are printed with 15 digits, scores with 5 decimals, and those are equal.
        assert result[key] == (pytest.approx(column, rel=1e-13) if has_counts(case) else column), (
            key
        )


def assert_averages(result, case):
    assert {key: result[key] for key, _ in expected_averages(case)} == dict(expected_averages(case))
