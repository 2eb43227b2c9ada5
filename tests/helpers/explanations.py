"""The scores of an item of rouge_full from an explanation alone: counts, formula, choice.

`rouge_explanation` rounds, so that its tests have a formula of their own.
"""

from collections import Counter
from dataclasses import dataclass
from functools import partial

import pytest

from helpers.rouge import expected as rouge_expected
from helpers.rouge.expected import OUTPUTS
from rouge_bleu._rouge.counting import measure_of_name
from rouge_bleu._rouge.explain import rouge_explanation
from rouge_bleu._rouge.options import RougeOptions
from rouge_bleu._rouge.scorer import rouge
from rouge_bleu.corpus import checked_corpus, checked_item
from rouge_bleu.options import checked_options


def checked(**options):
    return checked_options(RougeOptions, options)


def explained(prediction, reference, **options):
    return rouge_explanation(checked_item(prediction, reference), checked(**options))


def item_scores(prediction, references, **options):
    """Precision, recall and F of each type, as `compute` returns them for one item."""
    options = checked(**{**options, "use_aggregator": False, "output": "all"})
    result = rouge(checked_corpus([prediction], [references]), options)
    return {
        name: {output: result[f"{name}_{output}"][0] for output in OUTPUTS}
        for name in options.measures
    }


@dataclass(frozen=True)
class Formula:
    """From counts to scores; what packages do otherwise has the name of the package in the tests.

    `best` takes the scores of one reference from those of all, `number` rounds, and what rounds on
    the way there is within the `tolerance`.
    """

    beta: float = 1.0
    choice: str = "best"
    zero_division: float = 0.0
    epsilon: float = 0.0
    best: object = rouge_expected.best
    number: object = float
    tolerance: float = 0.0

    @classmethod
    def of_options(cls, options, **rules):
        given = {"beta": "beta", "multi_reference": "choice", "zero_division": "zero_division"}
        values = {given[name]: value for name, value in options.items() if name in given}
        return cls(**{**rules, **values})

    def of_counts(self, name, counts):
        """Precision, recall and F from the counts of a reference, or of all: Lin 2004."""
        exponent = 1 / measure_of_name(name).weight if name.startswith("rougeW") else 1
        scores = [
            (matches / total) ** exponent if total else 0.0
            for matches, total in (
                (counts.get("prediction_matches", counts["matches"]), counts["prediction_total"]),
                (counts["matches"], counts["reference_total"]),
            )
        ]
        f = rouge_expected.f_measure(*scores, self.beta, self.epsilon)
        return tuple(float(self.number(score)) for score in (*scores, f))

    def of_item(self, name, entries):
        """Precision, recall and F of an item from the counts of its references."""
        if not any(entry["reference_total"] for entry in entries):
            return (self.zero_division,) * 3
        if self.choice == "pooled":
            sums = Counter()
            for entry in entries:
                sums.update({key: entry[key] for key in entry if not key.endswith("spans")})
            return self.of_counts(name, sums)
        of_f = {"beta": self.beta, "epsilon": self.epsilon}
        choose = {
            "best": self.best,
            "average": rouge_expected.mean,
            "jackknife": rouge_expected.jackknifed,
            "recall": rouge_expected.best_by_recall,
            "f_of_means": partial(rouge_expected.f_of_means, **of_f),
            "separate": partial(rouge_expected.separate, **of_f),
        }[self.choice]
        return choose([self.of_counts(name, entry) for entry in entries])


def assert_scores_follow(explanation, expected, formula):
    """The scores are the expected ones, bit for bit, and follow from the counts."""
    approx = partial(pytest.approx, rel=1e-12, abs=formula.tolerance, nan_ok=True)
    assert list(explanation) == list(expected)
    for name, of_type in explanation.items():
        scores = {output: of_type[output] for output in OUTPUTS}
        assert repr(scores) == repr(expected[name])  # and NaN for NaN
        entries = of_type["references"]
        found = formula.of_item(name, entries)
        assert list(scores.values()) == approx(found), name
        for entry in entries:
            alone = formula.of_counts(name, entry)
            if any(other["reference_total"] for other in entries):
                assert [entry[output] for output in OUTPUTS] == approx(alone)
            else:
                assert repr(entry["fmeasure"]) == repr(float(formula.zero_division))
        assert (of_type["chosen"] is None) == (
            len(entries) > 1 and formula.choice not in ("best", "recall")
        )
        if of_type["chosen"] is not None:
            chosen = entries[of_type["chosen"]]
            assert repr([chosen[output] for output in OUTPUTS]) == repr(list(scores.values()))


def shown(written, spans):
    """The words at some spans of a text."""
    return [written[slice(*span)] for span in spans]
