"""A comparison in words and numbers, as the page, the tables and the plot write them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass

from rouge_bleu_tools.commands.compare.systems import Comparison, Difference

TEST_NAMES = {"randomization": "approximate randomization", "bootstrap": "bootstrap resampling"}


@dataclass(frozen=True)
class Unit:
    """How scores are written: between 0 and 1, or in percent."""

    factor: float = 1.0
    n_decimals: int = 4

    def number(self, value: float, sign: str = "") -> str:
        """Return a score; with sign "+" a difference."""
        if math.isnan(value):
            return "nan"
        return format(self.factor * value, f"{sign}.{self.n_decimals}f")

    def interval(self, low: float, high: float, sign: str = "") -> str:
        return f"[{self.number(low, sign)}, {self.number(high, sign)}]"


UNITS = {"score": Unit(), "percent": Unit(100.0, 2)}


_OUTPUTS = {"precision": "precision", "recall": "recall", "fmeasure": "F"}
_ROUGE_KEY = re.compile(r"rouge([0-9LWS].*?)(?:_(precision|recall|fmeasure))?")


def printed_name(key: str) -> str:
    """Return the key of a score as papers write it.

    >>> [printed_name(key) for key in ("rouge1", "rougeLsum_recall", "bleu", "mine")]
    ['ROUGE-1', 'ROUGE-Lsum recall', 'BLEU', 'mine']
    """
    if match := _ROUGE_KEY.fullmatch(key):
        return f"ROUGE-{match[1]}" + (f" {_OUTPUTS[match[2]]}" if match[2] else "")
    return re.sub("^bleu(?=$|[0-9])", "BLEU", key)


def p_text(p_value: float) -> str:
    """Return a p-value with four decimals."""
    return "<0.0001" if p_value < 0.00005 else f"{p_value:.4f}"


def data_of(comparison: Comparison) -> str:
    """Return how many items and references there are."""
    least, most = comparison.numbers_of_references
    n_references = f"{least}" if least == most else f"{least} to {most}"
    items = "item" if comparison.n_items == 1 else "items"
    references = "reference" if most == 1 else "references"
    return f"{comparison.n_items:,} {items} with {n_references} {references} each"


def intervals_of(comparison: Comparison) -> str:
    """Return what the intervals are."""
    design = comparison.design
    return (
        f"{100 * design.confidence_level:g} % bootstrap intervals "
        f"({design.n_resamples:,} resamples)"
    )


def test_of(comparison: Comparison) -> str:
    """Return how differences were tested."""
    design = comparison.design
    return (
        f"two-sided paired {TEST_NAMES[design.paired_test]} ({design.n_resamples:,} "
        f"trials, seed {design.seed})"
    )


def correction_of(comparison: Comparison) -> str:
    """Return what was done about the number of comparisons; nothing for a single one."""
    if comparison.n_tests < 2:
        return ""
    is_corrected = comparison.design.correction == "holm"
    how = "with Holm's correction" if is_corrected else "without a correction"
    return f"{how} for {comparison.n_tests} comparisons"


def words_for_paper(comparison: Comparison, unit: Unit) -> str:
    """Return sentences that say how the systems compare and how that was found."""
    metrics = " and ".join(dict.fromkeys(metric for metric, _ in comparison.keys))
    n = len(comparison.signatures)
    below = f" ({'signatures' if n > 1 else 'signature'} below)" if n else ""
    method = (
        f"Scores are those of {metrics}{below} on {data_of(comparison)}, with "
        f"{intervals_of(comparison)}."
    )
    if not comparison.others:
        return f"{_own_scores(comparison, unit)} {method}"
    findings = (_finding(comparison, system, unit) for system in comparison.others)
    tested = f"Differences were tested by {test_of(comparison)}"
    if correction := correction_of(comparison):
        tested += f", {correction}"
    return " ".join([*findings, method, f"{tested}."])


def _own_scores(comparison: Comparison, unit: Unit) -> str:
    scores = (
        f"{one.key} {unit.number(one.score)} {unit.interval(one.low, one.high)}"
        for one in comparison.scores
    )
    return f"{comparison.baseline} has {listed(scores)}."


def _finding(comparison: Comparison, system: str, unit: Unit) -> str:
    """Return one sentence about a system: what is higher, what is lower, what is open."""
    tests = comparison.differences(system)
    clauses = []
    for word, sign in (("higher", 1), ("lower", -1)):
        marked = [
            f"{key} ({unit.number(test.delta, '+')}, {_p_equation(test)})"
            for key, test in tests
            if test.is_significant and sign * test.delta > 0
        ]
        if marked:
            clauses.append(
                f"scores significantly {word} than {comparison.baseline} in {listed(marked)}"
            )
    is_defined = [(key, test) for key, test in tests if not math.isnan(test.p_value)]
    is_open = {key: test for key, test in is_defined if not test.is_significant}
    if is_open:
        than = "" if clauses else f" from {comparison.baseline}"
        smallest = "smallest " if len(is_open) > 1 else ""
        p_value = _p_equation(min(is_open.values(), key=lambda test: test.corrected_p_value))
        clauses.append(
            f"does not differ significantly{than} in {listed(is_open)} ({smallest}{p_value})"
        )
    if len(is_defined) < len(tests):
        keys = listed(key for key, test in tests if math.isnan(test.p_value))
        clauses.append(f"is not compared in {keys}, which is not defined")
    return f"{system} {', and '.join(clauses)}."


def listed(words: Iterable[str]) -> str:
    """Return words as a list in a sentence."""
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


def _p_equation(test: Difference) -> str:
    shown = p_text(test.corrected_p_value)
    return f"p {shown.replace('<', '< ') if '<' in shown else '= ' + shown}"


def caption(comparison: Comparison) -> str:
    """Return what stands below a table or a plot."""
    text = f"Scores on {data_of(comparison)}, with {intervals_of(comparison)}."
    if not comparison.others:
        return text
    correction = correction_of(comparison)
    return (
        f"{text} *: different from {comparison.baseline}, "
        f"p < {comparison.design.significance_level:g} by {test_of(comparison)}"
        f"{', ' if correction else ''}{correction}."
    )
