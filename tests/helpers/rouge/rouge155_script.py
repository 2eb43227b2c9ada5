"""What the Perl script ROUGE-1.5.5.pl printed, and the calls that give the same.

`golden/rouge155.json` holds what ROUGE-1.5.5.pl printed for texts written for this project, run by
run:

    {"corpora": {name: {"predictions": [[sentence, ...], ...], "references": [[[sentence, ...],
    ...], ...]}},
     "cases": [{"name", "corpus", "ids", "options", "expected"}]}

`ids` is "padded" if the documents had names that sort in input order, else "plain" (1, 10, 11,
2, ...). Under -t 1 and -t 2 the figures of a document are counts, M for the reference, P for the
prediction and H for hits.
"""

import json
import math

import pytest

from helpers.repository import ROOT
from rouge_bleu._rouge.options import RougeOptions
from rouge_bleu.corpus import checked_corpus
from rouge_bleu.options import checked_options

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


def rouge_options(case, **options):
    """Return the options of `rouge_full` for the flags of the Perl script: the table in the metric
    card as code.
    """
    flags, value = case["options"], lambda flag: case["options"][case["options"].index(flag) + 1]
    highest = int(value("-n")) if "-n" in flags else 0
    rouge_types = [f"rouge{order}" for order in range(1, highest + 1)]
    rouge_types += [] if "-x" in flags else ["rougeL"]
    rouge_types += [f"rougeW-{value('-w')}"] if "-w" in flags else []
    if "-2" in flags:
        max_skip = "*" if int(value("-2")) < 0 else value("-2")
        rouge_types += [] if "-u" in flags else [f"rougeS{max_skip}"]
        rouge_types += [f"rougeSU{max_skip}"] if "-u" in flags or "-U" in flags else []
    given = {
        "-f": ("multi_reference", lambda text: {"A": "pooled", "B": "best"}[text]),
        "-p": ("beta", lambda text: math.sqrt(1 / float(text) - 1) if float(text) else math.inf),
        "-l": ("max_words", int),
        "-b": ("max_bytes", int),
        "-t": ("corpus_average", lambda text: ("documents", "tokens", "counts")[int(text)]),
        "-r": ("n_resamples", int),
    }
    options |= {
        name: convert(value(flag)) for flag, (name, convert) in given.items() if flag in flags
    }
    if options.get("use_aggregator", True) and options.get("corpus_average") != "counts":
        options["confidence_level"] = float(value("-c")) / 100 if "-c" in flags else 0.95
    else:
        options.pop("n_resamples", None)
    options["document_order"] = {"padded": "input", "plain": "string"}[case["ids"]]
    options |= {"preset": "rouge-1.5.5", "rouge_types": rouge_types}
    return checked_options(RougeOptions, options)


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


# --- samples of the script ------------------------------------------------------------------------


def perl_samples(n_documents, n_resamples):
    """Yield the documents of each resample of ROUGE-1.5.5: int(rand(n)) of Perl after srand(s).

    >>> list(perl_samples(5, 2))  # perl 5.36: srand(0), srand(1)
    [[0, 3, 0, 4, 2], [0, 2, 4, 1, 2]]
    """
    for seed in range(n_resamples):
        state = (seed << 16) + 0x330E
        drawn = []
        for _ in range(n_documents):
            state = (0x5DEECE66D * state + 11) % 2**48
            drawn.append(int(n_documents * (state / 2**48)))
        yield drawn


def perl_average(scores, n_resamples):
    """Return the average that ROUGE-1.5.5 prints of the scores of documents: the mean of bootstrap
    means, each number added to the sum of those before it.
    """
    means = []
    for drawn in perl_samples(len(scores), n_resamples):
        total = 0.0
        for document in drawn:
            total += scores[document]
        means.append(total / len(scores))
    total = 0.0
    for mean in sorted(means):
        total += mean
    return float(f"{total / n_resamples:.5f}")
