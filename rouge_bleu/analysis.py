"""Where two systems differ: buckets of examples, n-grams, words by frequency, examples.

texts -> statistics of examples -> scores of all and of buckets of examples
texts -> tables of the n-grams of examples (`ngram_tables.py`) -> sums over n-grams, over classes
         of words; effects on the score
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ._bleu.api import BLEU
from ._bleu.explain import bleu_explanation
from ._rouge.api import ROUGE
from ._rouge.explain import rouge_explanation
from ._rouge.options import RougeOptions
from .arrays import offsets_of_lengths
from .corpus import Corpus, checked_corpus
from .metric import References, ScoringPlan, Texts, baseline_of, result_of_statistics
from .ngram_tables import (
    NgramTable,
    NgramTables,
    bleu_tables,
    rouge_tables,
)
from .options import check_choice, must_be_integer
from .resampling import with_uncertainty

_METRICS = {"rouge": ROUGE, "bleu": BLEU}
_BOUNDS: Mapping[str, tuple[float, ...]] = {  # of buckets
    "reference_length": (0, 10, 20, 30, 40, 50, 60, 100, 200, 400, 800),
    "length_ratio": (0, 0.5, 0.8, 0.95, 1.05, 1.2, 1.5, 2),
    "baseline_score": (0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9),
    "n_references": (1, 2, 3, 4, 5, 6, 8, 11),
}
_FREQUENCIES = (0, 1, 2, 3, 4, 5, 10, 100, 1000)
_TIE = 1e-12  # scores that differ by less are equal


def analyze(
    predictions: Texts,
    references: References,
    *,
    baseline_predictions: Texts | None = None,
    metric: str = "rouge",
    max_ngrams: int | None = 20,
    max_examples: int | None = 50,
    frequencies: Mapping[str, float] | None = None,
    **options: Any,
) -> dict[str, Any]:
    """Show where a system is better than a baseline, in lists of dicts.

    Examples:

        >>> import rouge_bleu
        >>> predictions, baseline = ["the cat sat on a mat"], ["the cat is on a mat"]
        >>> found = rouge_bleu.analyze(
        ...     predictions, ["the cat sat on the mat"], baseline_predictions=baseline, max_ngrams=1
        ... )
        >>> [(row["ngram"], row["matches"], row["baseline_matches"]) for row in found["ngrams"][:2]]
        [(['sat'], 1, 0), (['is'], 0, 0)]

    Args:
        predictions, references, baseline_predictions: as for `rouge` and `bleu`. Without a baseline,
            there are no differences.
        metric: "rouge" or "bleu".
        max_ngrams: how many n-grams of each order and direction are listed. None: all.
        max_examples: how many gains, losses and lowest scores are listed. None: all examples.
        frequencies: how often words are in other texts, such as training data. None: how often
            they are in the references.

    The options are those of `rouge` and `bleu`. confidence_level is 0.95 unless given. The first
    score is the one by which examples are chosen.

    Returns:
        dict: "scores", a result of `rouge` or `bleu` with intervals, tests and signature. The
        others are lists of dicts. Numbers of examples start at 0.
            - "differences": for each score how many examples are better, equal and worse, and a
                histogram. BLEU of an example is that of use_aggregator=False.
            - "buckets": examples by "reference_length" (tokens, mean of the references),
                "length_ratio" (tokens of the prediction / reference_length), "baseline_score" and
                "n_references", from `low` up to below `high`, with their scores.
            - "ngrams": n-grams of order 1 to 4. `matches` are those that count; `missed` are in the
                reference only, `unmatched` in the prediction only. `effect` is the part of the
                difference in ROUGE-N of that order. For BLEU it is the change of BLEU if the
                n-gram matched as often as in the baseline; None with level="sentence".
            - "frequencies": precision, recall and F of words, by their frequency.
            - "examples": scores, texts, and the spans of matching tokens under the first score (for
                BLEU words), as in `explain_rouge` and `explain_bleu`.

    Raises:
        TypeError, ValueError, ImportError: as `rouge` and `bleu`, and for a preset that does not
            average scores of examples, such as "evaluate".
    """
    scorer = _METRICS[check_choice("metric", metric, tuple(_METRICS))]
    for name, value in {"max_ngrams": max_ngrams, "max_examples": max_examples}.items():
        if value is not None:
            must_be_integer(0)(name, value)
    defaults = {"output": "score"} if scorer is BLEU else {}
    given = {**defaults, **options, "signature": True}
    checked = scorer.options(given, caller="analyze")
    plan = scorer.plan(checked)
    if plan is None or not checked.use_aggregator:
        wrong = "use_aggregator" if plan else f"preset={checked.preset!r}"
        raise ValueError(f"analyze() needs means of scores or sums of counts: leave out {wrong}")
    checked = scorer.options({"confidence_level": 0.95, **given}, caller="analyze")
    corpus = checked_corpus(predictions, references)
    scores = scorer.checked_result(corpus, checked, baseline_predictions)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # all were shown with the scores
        baseline = baseline_of(baseline_predictions, corpus)
        systems = [corpus] if baseline is None else [corpus, baseline]
        both = _joined(systems)
        statistics = np.split(plan.count_examples(both, True), len(systems), axis=1)
        of_examples = [plan.score_examples(one)[: len(plan.keys)] for one in statistics]
        tables = rouge_tables(both, checked) if scorer is ROUGE else bleu_tables(both, checked)
        ngrams = _ngram_rows(tables, plan, statistics, max_ngrams, max_examples)
        # F comes before precision and recall.
        main = next((key for key in plan.keys if key.endswith("_fmeasure")), plan.keys[0])
        columns = with_uncertainty(plan.keys, of_examples)
        chosen = _chosen_examples(columns, main, ngrams, max_examples)
        return {
            "scores": scores,
            "differences": _difference_rows(plan.keys, columns),
            "buckets": _bucket_rows(
                tables, both, plan, statistics, columns.get(f"{main}_baseline"), checked
            ),
            "ngrams": ngrams,
            "frequencies": _frequency_rows(tables, len(corpus), len(systems), frequencies),
            "examples": _example_rows(systems, chosen, columns, checked, main),
        }


def _joined(systems: Sequence[Corpus]) -> Corpus:
    """Return the examples of all systems as one corpus."""
    first, n = systems[0], len(systems)
    offsets = offsets_of_lengths(np.tile(np.diff(first.reference_offsets), n))
    predictions = [text for system in systems for text in system.predictions]
    return Corpus(predictions, first.references * n, offsets, first.is_tokenized)


# --- examples: how many are better, buckets -------------------------------------------


def _difference_rows(keys: Sequence[str], columns: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return how many examples are better, equal and worse, and a histogram of differences or scores."""
    rows = []
    for key in keys:
        is_paired = f"{key}_delta" in columns
        values = np.array(columns[f"{key}_delta" if is_paired else key])
        values = values[~np.isnan(values)]
        row: dict[str, Any] = {"score": key, "n_examples": len(values)}
        if is_paired:
            row["n_better"] = int(np.count_nonzero(values > _TIE))
            row["n_worse"] = int(np.count_nonzero(values < -_TIE))
            row["n_equal"] = len(values) - row["n_better"] - row["n_worse"]
        bounds = (np.arange(42) - 20.5) / 20 if is_paired else np.arange(21) / 20
        counts, _ = np.histogram(np.clip(values, bounds[0], bounds[-1]), bounds)
        rows.append(row | {"bounds": bounds.tolist(), "counts": counts.tolist()})
    return rows


def _bucket_rows(
    tables: NgramTables,
    both: Corpus,
    plan: ScoringPlan,
    statistics: Sequence[np.ndarray],
    baseline_scores: Sequence[float] | None,
    options: Any,
) -> list[dict[str, Any]]:
    n_examples = statistics[0].shape[1]
    offsets, lengths = both.reference_offsets, tables.tokens.ids.lengths
    n_references = np.diff(offsets)[:n_examples]
    totals = np.add.reduceat(lengths[len(both) :], offsets[:-1])[:n_examples]
    reference_length = totals / n_references
    ratio = np.full(n_examples, np.nan)  # unknown if the references are empty
    np.divide(lengths[:n_examples], reference_length, out=ratio, where=totals > 0)
    values = {"reference_length": reference_length, "length_ratio": ratio}
    if baseline_scores is not None:
        values["baseline_score"] = np.array(baseline_scores)
    rows = []
    for by, value in {**values, "n_references": n_references}.items():
        bounds = [*_BOUNDS[by], None]
        bucket = np.searchsorted(_BOUNDS[by], value, side="right") - 1
        bucket = np.where(np.isnan(value), len(_BOUNDS[by]), np.maximum(bucket, 0))
        for number in np.unique(bucket).tolist():
            is_in = bucket == number
            low, high = [*bounds, None][number : number + 2]
            row = {"by": by, "low": low, "high": high, "n_examples": int(is_in.sum())}
            of_bucket = [one[:, is_in] for one in statistics]
            rows.append(row | result_of_statistics(plan, of_bucket, options, 0))
    return rows


# --- n-grams and words ----------------------------------------------------------------


def _ngram_rows(
    tables: NgramTables,
    plan: ScoringPlan,
    statistics: Sequence[np.ndarray],
    max_ngrams: int | None,
    max_examples: int | None,
) -> list[dict[str, Any]]:
    n_systems, n_examples = len(statistics), statistics[0].shape[1]
    names = ("matches", "missed", "unmatched")
    rows: list[dict[str, Any]] = []
    for order, table in tables.tables.items():
        kinds = [table.matches, table.referenced - table.matches, table.predicted - table.matches]
        sums = np.array([table.sums(one, n_examples, n_systems) for one in kinds])
        # What one system matches and the other misses; what one has without a match.
        shown = [0, 2] if n_systems == 2 else [1, 2]
        sign = np.array([[1], [-1]])[:n_systems]
        first, second = (sums[shown] * sign).sum(axis=1)
        directions = [first, -first, second, -second][:: 1 if n_systems == 2 else 2]
        is_listed = np.full(len(table.start), max_ngrams is None)
        for values in directions:
            highest = np.argsort(-values, kind="stable")[:max_ngrams]
            is_listed[highest[values[highest] > 0]] = True
        listed = is_listed.nonzero()[0]
        listed = listed[np.argsort(-directions[0][listed], kind="stable")]
        effects = _effects(tables, order, plan, statistics, sums[0], listed)
        examples = _examples_of_ngrams(table, [kinds[one] for one in shown], n_examples, listed)
        counts = sums[:, :, listed].astype(np.int64).transpose(2, 0, 1).tolist()
        for place, number in enumerate(listed.tolist()):
            row: dict[str, Any] = {
                "order": order,
                "ngram": tables.spelled(int(table.start[number]), order),
            }
            for name, of_systems in zip(names, counts[place], strict=True):
                row |= zip((name, f"baseline_{name}"), of_systems, strict=False)
            if n_systems == 2:
                row["effect"] = effects[place]
            of_ngram = examples[place]
            rows.append(row | {"n_examples": len(of_ngram), "examples": of_ngram[:max_examples]})
    return rows


def _effects(
    tables: NgramTables,
    order: int,
    plan: ScoringPlan,
    statistics: Sequence[np.ndarray],
    matches: np.ndarray,
    listed: np.ndarray,
) -> list[float | None]:
    """Return by how much n-grams move the score of the first of two systems."""
    name, table = f"matches_{order}", tables.tables[order]
    if len(statistics) == 1 or not (order in tables.scores or name in plan.kinds):
        return [None] * len(listed)
    if order in tables.scores:
        # Each match of an example has the same share of its score.
        scores = tables.scores[order].reshape(2, -1)
        n_matches = np.bincount(table.example, table.matches, scores.size)
        n_defined = np.count_nonzero(~np.isnan(scores), axis=1, keepdims=True)
        share = np.zeros(scores.size)
        np.divide(scores.ravel(), n_matches, out=share, where=n_matches > 0)
        parts = table.sums(table.matches * share[table.example], scores.shape[1], 2)
        shares = parts / np.maximum(n_defined, 1)
        return list((shares[0] - shares[1])[listed].tolist())
    total = plan.add_up(statistics[0])
    changed = np.repeat(total, len(listed), axis=1)
    changed[list(plan.kinds).index(name)] -= (matches[0] - matches[1])[listed].astype(np.int64)
    return list((plan.score(total)[0] - plan.score(changed)[0]).tolist())


def _examples_of_ngrams(
    table: NgramTable, values: Sequence[np.ndarray], n_examples: int, listed: np.ndarray
) -> list[list[int]]:
    """Return the examples in which the systems differ in `values`, those that differ most first."""
    rows = np.argsort(table.ngram, kind="stable")
    bounds = table.ngram[rows].searchsorted(np.stack([listed, listed + 1]))
    found = []
    for first, end in bounds.T.tolist():
        of_ngram = rows[first:end]
        system, example = np.divmod(table.example[of_ngram], n_examples)
        examples, place = np.unique(example, return_inverse=True)
        sign = np.where(system, -1, 1)
        change = np.abs([np.bincount(place, sign * value[of_ngram]) for value in values])
        most_first = np.lexsort((-change[1], -change[0]))
        found.append(examples[most_first][: np.count_nonzero(change.any(axis=0))].tolist())
    return found


def _frequency_rows(
    tables: NgramTables, n_examples: int, n_systems: int, frequencies: Mapping[str, float] | None
) -> list[dict[str, Any]]:
    """Return precision, recall and F of the words in each class of frequency."""
    if 1 not in tables.tables:
        return []
    table, ids = tables.tables[1], tables.tokens.ids
    if frequencies is None:
        first_reference = ids.offsets[n_examples * n_systems]
        n_of_word = (
            np.bincount(ids.values[first_reference:], minlength=len(table.start)) // n_systems
        )
    else:
        words = (tables.spelled(start, 1)[0] for start in table.start.tolist())
        n_of_word = np.array([frequencies.get(word, 0) for word in words])
    class_of_word = np.searchsorted(_FREQUENCIES, n_of_word, side="right") - 1
    values = (table.matches, table.predicted, table.referenced)
    sums = np.array([table.sums(value, n_examples, n_systems) for value in values])
    rows = []
    for number, low in enumerate(_FREQUENCIES):
        is_in = class_of_word == number
        if not is_in.any():
            continue
        high = [*_FREQUENCIES, None][number + 1]
        row: dict[str, Any] = {"low": low, "high": high, "n_words": int(is_in.sum())}
        of_systems = sums[:, :, is_in].sum(axis=2).astype(np.int64).T.tolist()
        for end, counts in zip(("", "_baseline"), of_systems, strict=False):
            matches, predicted, referenced = counts
            total = predicted + referenced
            row |= {
                f"n_predicted{end}": predicted,
                f"n_referenced{end}": referenced,
                f"matches{end}": matches,
                f"precision{end}": matches / predicted if predicted else 0.0,
                f"recall{end}": matches / referenced if referenced else 0.0,
                f"fmeasure{end}": 2 * matches / total if total else 0.0,
            }
        rows.append(row)
    return rows


# --- examples -------------------------------------------------------------------------


def _chosen_examples(
    columns: Mapping[str, Any],
    main: str,
    ngrams: Sequence[Mapping[str, Any]],
    max_examples: int | None,
) -> list[int]:
    """Return examples, from the largest gain, or without a baseline from the lowest score."""
    scores = np.nan_to_num(columns[main])
    gains = np.nan_to_num(columns.get(f"{main}_delta", -scores))
    order = np.argsort(-gains, kind="stable").tolist()
    if max_examples is None:
        return order
    lowest = np.argsort(scores, kind="stable")[:max_examples].tolist()
    last = order[-max_examples:] if max_examples and f"{main}_delta" in columns else []
    chosen = {*order[:max_examples], *last, *lowest}
    for row in ngrams:  # each has one of its examples
        if chosen.isdisjoint(row["examples"]):
            chosen.update(row["examples"][:1])
    return [number for number in order if number in chosen]


def _example_rows(
    systems: Sequence[Corpus],
    chosen: Sequence[int],
    columns: Mapping[str, Sequence[float]],
    options: Any,
    main: str,
) -> list[dict[str, Any]]:
    is_rouge = isinstance(options, RougeOptions)
    if is_rouge:
        name = next(name for name in options.measures if main in (name, f"{name}_fmeasure"))
        options = replace(options, rouge_types=[name])
    rows: list[dict[str, Any]] = [
        {"example": number} | {key: values[number] for key, values in columns.items()}
        for number in chosen
    ]
    for prefix, system in zip(("", "baseline_"), systems, strict=False):
        examples = system.examples
        for row in rows:
            prediction, references = example = examples[row["example"]]
            corpus = Corpus.of_examples([example])
            if is_rouge:
                one = rouge_explanation(corpus, options)[name]
                pairs, best = one["references"], one["chosen"] or 0
                ours = pairs[best]["prediction_spans"]
                theirs = [pair["reference_spans"] for pair in pairs]
            else:
                one = bleu_explanation(corpus, options, n_orders=1)
                ours, theirs = map(one["orders"][0].get, ("prediction_spans", "reference_spans"))
            is_one = options.multi_reference in ("best", "recall")
            row |= {
                f"{prefix}prediction": prediction,
                "references": references,
                f"{prefix}chosen": one["chosen"] if is_one else None,
                f"{prefix}prediction_spans": ours,
                f"{prefix}reference_spans": theirs,
            }
    return rows
