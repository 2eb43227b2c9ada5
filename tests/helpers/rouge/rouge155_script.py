"""What the Perl script ROUGE-1.5.5.pl printed for texts written for this project, run by run.

    {"corpora": {name: {"predictions": [[sentence, ...], ...],
                        "references": [[[sentence, ...], ...], ...]}},
     "cases": [{"name", "corpus", "ids", "options", "expected"}]}

`ids` is "padded" if the documents had names that sort in input order, else "plain" (1, 10, 11,
2, ...). Under -t 1 and -t 2 the figures of a document are counts, M for the reference, P for the
prediction and H for hits.
"""

import json

from helpers.repository import ROOT

GOLDEN = json.loads((ROOT / "tests" / "golden" / "rouge155.json").read_text(encoding="utf-8"))

SCORES = {"R": "recall", "P": "precision", "F": "fmeasure"}
COUNTS = {"M": "reference_total", "P": "prediction_total", "H": "matches"}

# The words of the golden texts that WordNet's exception lists hold (irregular forms and doubled
# consonants), with their base forms; facts of English. `best` and `better` are looked up as adverbs
# there. Words of three letters are not looked up.
EXCEPTIONS = dict(
    pair.split(":")
    for pair in """analyses:analysis best:well better:well built:build carried:carry children:child
    feet:foot geese:goose goes:go gone:go known:know leaves:leaf mice:mouse running:run stopped:stop
    stopping:stop studied:study swam:swim swimming:swim took:take went:go were:be wolves:wolf
    worse:bad wrote:write younger:young""".split()
)
# The words of the golden texts, and the stubs that -b leaves of them, that are in the stop list of
# the SMART system, by the figures that the script printed with -s.
STOPWORDS = """a again an and at b best better but by c co d e f for from g go goes going gone had has
    i in is it known not of off on one s t take than that the they this to took u useful was well
    went were with x y k l o r th us v we""".split()


def corpus_of(case):
    """Return predictions and references of a run."""
    corpus = GOLDEN["corpora"][case["corpus"]]
    references = [list(map("\n".join, documents)) for documents in corpus["references"]]
    return list(map("\n".join, corpus["predictions"])), references


def averages_of(case):
    """Return the averages of a run, and their bounds, by the keys of the result."""
    figures = {}
    for metric, printed in case["expected"].items():
        name, average = metric.replace("ROUGE-", "rouge"), printed["average"]
        if "M" in average:
            figures |= {f"{name}_{COUNTS[letter]}": count for letter, count in average.items()}
            continue
        for letter, output in SCORES.items():
            for ending, figure in (("", "value"), ("_low", "low"), ("_high", "high")):
                figures[f"{name}_{output}{ending}"] = average[letter][figure]
    return figures


def documents_of(case, has_counts):
    """Return the columns of the documents of a run by the keys of the result."""
    return {
        f"{metric.replace('ROUGE-', 'rouge')}_{name}": [
            row[letter] for row in printed["per_document"]
        ]
        for metric, printed in case["expected"].items()
        for letter, name in (COUNTS if has_counts else SCORES).items()
    }


# --- samples of the script ------------------------------------------------------------------------


def perl_samples(n_documents, n_resamples):
    """Yield the documents of each resample: int(rand(n)) of Perl after srand(s)."""
    for seed in range(n_resamples):
        state, drawn = (seed << 16) + 0x330E, []
        for _ in range(n_documents):
            state = (0x5DEECE66D * state + 11) % 2**48
            drawn.append(int(n_documents * (state / 2**48)))
        yield drawn


def added(numbers):
    """Return the sum of numbers added one by one, as Perl does it."""
    total = 0.0
    for number in numbers:
        total += number
    return total


def perl_means(scores, n_resamples):
    """Return the ascending means of the resampled scores of documents."""
    samples = perl_samples(len(scores), n_resamples)
    return sorted(added(scores[k] for k in drawn) / len(scores) for drawn in samples)
