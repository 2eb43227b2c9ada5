"""Where two systems differ: buckets of examples, n-grams, words by frequency, examples.

texts -> statistics of examples -> scores of all and of buckets of examples
texts -> tables of the n-grams of examples (`ngram_tables.py`) -> sums over n-grams, over classes
         of words; effects on the score
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ._bleu.api import BLEU
from ._bleu.explain import bleu_explanations
from ._bleu.options import BleuOptions
from ._rouge.api import ROUGE
from ._rouge.explain import rouge_explanations
from ._rouge.scores import quotient
from .arrays import dense_ids
from .corpus import Corpus, checked_corpus
from .metric import References, ScoringPlan, Texts, result_of_statistics
from .ngram_tables import NgramTable, ngram_tables
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
_KINDS = ("matches", "missed", "unmatched")
_TIE = 1e-12  # scores that differ by less are equal

Rows = list[dict[str, Any]]


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
    """Analyze how a system differs from a baseline, as lists of dicts.

    Examples:

        >>> import rouge_bleu
        >>> predictions, baseline = ["the cat sat on a mat"], ["the cat is on a mat"]
        >>> found = rouge_bleu.analyze(
        ...     predictions, ["the cat sat on the mat"], baseline_predictions=baseline, max_ngrams=1
        ... )
        >>> [(row["ngram"], row["matches"], row["baseline_matches"]) for row in found["ngrams"][:2]]
        [(['sat'], 1, 0), (['is'], 0, 0)]

    Args:
        predictions: a list of texts, or a list of lists of tokens.
        references: for each prediction a reference, or a list of references, in the same form.
        baseline_predictions: predictions of another system. None: there are no differences.
        metric: "rouge" or "bleu".
        max_ngrams: the number of n-grams to list for each order and direction. None: all.
        max_examples: the number of gains, of losses and of lowest scores to list. None: all.
        frequencies: the number of occurrences of each word in other texts, such as training data.
            None: in the references.
        **options: options of `rouge` or `bleu`. confidence_level is 0.95 by default. Examples are
            chosen by the first score.

    Returns:
        dict: "scores", a result of `rouge` or `bleu` with intervals, tests and signature, and lists
        of dicts: "differences" per example, "buckets" of examples, "ngrams" of order 1 to 4,
        "frequencies" of words, and "examples". docs/comparing.md has their keys.

    Raises:
        TypeError, ValueError, ImportError: as `rouge` and `bleu` do, and for a preset that does not
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
    if plan.needs_all_examples or not checked.use_aggregator:
        wrong = f"preset={checked.preset!r}" if plan.needs_all_examples else "use_aggregator"
        raise ValueError(f"analyze() needs means of scores or sums of counts: leave out {wrong}")
    checked = scorer.options({"confidence_level": 0.95, **given}, caller="analyze")
    plan = scorer.plan(checked)
    kept = replace(scorer, plan=lambda options: plan)
    corpus = checked_corpus(predictions, references)
    scores = kept.checked_result(corpus, checked, baseline_predictions)
    systems, statistics = plan.corpora, plan.statistics
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # all were shown with the scores
        of_examples = [plan.score_examples(one)[: len(plan.keys)] for one in statistics]
        columns = with_uncertainty(plan.keys, of_examples)
        # F comes before precision and recall.
        main = next((key for key in plan.keys if key.endswith("_fmeasure")), plan.keys[0])
        tokens, tables = ngram_tables(systems, checked)
        assert tokens.spell is not None
        words = np.array(tokens.spell().to_pylist(), dtype=object)[tokens.ids.values]
        ngrams: Rows = []
        for table in tables:
            ngrams += _ngram_rows(table, words, plan, statistics, max_ngrams, max_examples)
        if frequencies is None:
            frequencies = Counter(words[tokens.ids.offsets[-1 - len(corpus.references)] :])
        values = _values_of_buckets(corpus, tokens.ids.lengths, columns.get(f"{main}_baseline"))
        buckets: Rows = []
        for by, value in values.items():
            buckets += _bucket_rows(by, value, plan, statistics, checked)
        return {
            "scores": scores,
            "differences": _difference_rows(plan.keys, columns),
            "buckets": buckets,
            "ngrams": ngrams,
            "frequencies": _frequency_rows(tables[0], words, frequencies) if tables else [],
            "examples": _example_rows(systems, columns, main, ngrams, max_examples, checked),
        }


def _rows(columns: Mapping[str, Sequence[Any]]) -> Rows:
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _classes(
    values: np.ndarray, bounds: Sequence[float]
) -> tuple[np.ndarray, dict[str, list[float | None]]]:
    """Return which values are in each class that has any, (n_classes, n_values), and its bounds."""
    place = np.maximum(np.searchsorted(bounds, values, side="right") - 1, 0)
    place[np.isnan(values)] = len(bounds)
    numbers, limits = np.unique(place), [*bounds, None, None]
    ends = {"low": numbers, "high": numbers + 1}
    found = {name: [limits[number] for number in of_name] for name, of_name in ends.items()}
    return place == numbers[:, np.newaxis], found


# --- examples: how many are better, buckets -------------------------------------------


def _difference_rows(keys: Sequence[str], columns: Mapping[str, Any]) -> Rows:
    """Return how many examples are better, equal and worse, and a histogram of differences or scores."""
    rows: Rows = []
    for key in keys:
        is_paired = f"{key}_delta" in columns
        values = np.array(columns[f"{key}_delta" if is_paired else key])
        values = values[~np.isnan(values)]
        rows.append({"score": key, "n_examples": len(values)})
        if is_paired:
            n_better, n_worse = int((values > _TIE).sum()), int((values < -_TIE).sum())
            n_equal = len(values) - n_better - n_worse
            rows[-1] |= {"n_better": n_better, "n_worse": n_worse, "n_equal": n_equal}
        bounds = (np.arange(42) - 20.5) / 20 if is_paired else np.arange(21) / 20
        counts, _ = np.histogram(np.clip(values, bounds[0], bounds[-1]), bounds)
        rows[-1] |= {"bounds": bounds.tolist(), "counts": counts.tolist()}
    return rows


def _values_of_buckets(
    corpus: Corpus, lengths: np.ndarray, baseline_scores: Sequence[float] | None
) -> dict[str, Any]:
    """Return what puts examples in buckets; `lengths` are those of predictions, then of references."""
    offsets, n = corpus.reference_offsets, len(corpus)
    of_references = np.add.reduceat(lengths[-offsets[-1] :], offsets[:-1]) / np.diff(offsets)
    ratio = np.full(n, np.nan)  # unknown if the references are empty
    np.divide(lengths[:n], of_references, out=ratio, where=of_references > 0)
    values: dict[str, Any] = {"reference_length": of_references, "length_ratio": ratio}
    values |= {} if baseline_scores is None else {"baseline_score": baseline_scores}
    return values | {"n_references": np.diff(offsets)}


def _bucket_rows(
    by: str, value: np.ndarray, plan: ScoringPlan, statistics: Sequence[np.ndarray], options: Any
) -> Rows:
    """Return the scores of examples with similar values."""
    is_in, ends = _classes(value, _BOUNDS[by])
    rows = _rows({"by": [by] * len(is_in), **ends, "n_examples": is_in.sum(axis=1).tolist()})
    for row, of_bucket in zip(rows, is_in, strict=True):
        some = [of_system[:, of_bucket] for of_system in statistics]
        row |= result_of_statistics(plan, some, options, 0)
    return rows


# --- n-grams and words ----------------------------------------------------------------


def _ngram_rows(
    table: NgramTable,
    words: np.ndarray,
    plan: ScoringPlan,
    statistics: Sequence[np.ndarray],
    max_ngrams: int | None,
    max_examples: int | None,
) -> Rows:
    """Return the n-grams of an order; `words` are all tokens as text."""
    is_paired, sums = len(statistics) == 2, table.sums()
    # What one system matches and the other misses; what one has without a match.
    shown = [0, 2] if is_paired else [1, 2]
    change = sums[shown, 0] - sums[shown, 1] if is_paired else sums[shown, 0]
    is_listed = np.full(len(table.start), max_ngrams is None)
    for values in (*change, *-change):
        highest = np.argsort(-values, kind="stable")[:max_ngrams]
        is_listed[highest[values[highest] > 0]] = True
    listed = is_listed.nonzero()[0]
    listed = listed[np.argsort(-change[0][listed], kind="stable")]
    # The examples of each, those in which the systems differ most first.
    n_examples = statistics[0].shape[1]
    rows = is_listed[table.ngram].nonzero()[0]
    (place,), keys = dense_ids([(table.ngram * n_examples + table.example)[rows]])
    signed = np.where(table.system, -1, 1) * table.counts[shown]
    size = np.abs([np.bincount(place, of_kind[rows]) for of_kind in signed])
    order = np.lexsort((-size[1], -size[0], keys // n_examples))
    ngram, example = np.divmod(keys[order[size[:, order].any(axis=0)]], n_examples)
    bounds = ngram.searchsorted([listed, listed + 1])
    starts = table.start[listed].tolist()
    columns: dict[str, list[Any]] = {
        "order": [table.order] * len(listed),
        "ngram": [words[start : start + table.order].tolist() for start in starts],
    }
    prefixes = ("", "baseline_")[: len(statistics)]
    names = [f"{prefix}{kind}" for kind in _KINDS for prefix in prefixes]
    columns |= zip(names, np.concatenate(sums[:, :, listed]).tolist(), strict=True)
    if is_paired:
        columns["effect"] = _effects(table, plan, statistics, change[0], listed).tolist()
    columns["n_examples"] = (bounds[1] - bounds[0]).tolist()
    columns["examples"] = [
        example[first:end][:max_examples].tolist() for first, end in bounds.T.tolist()
    ]
    return _rows(columns)


def _effects(
    table: NgramTable,
    plan: ScoringPlan,
    statistics: Sequence[np.ndarray],
    change: np.ndarray,
    listed: np.ndarray,
) -> np.ndarray:
    """Return by how much the listed n-grams move the score of the first of two systems."""
    row, scores = f"matches_{table.order}", table.scores
    if scores is not None:
        # Each match of an example has the same share of its score.
        n_matches = np.zeros(scores.shape)
        np.add.at(n_matches, (table.system, table.example), table.counts[0])
        n_defined = np.count_nonzero(~np.isnan(scores), axis=1, keepdims=True)
        share = quotient(scores, n_matches) / np.maximum(n_defined, 1) * [[1], [-1]]
        part = table.counts[0] * share[table.system, table.example]
        return np.bincount(table.ngram, part, len(change))[listed]
    if row not in plan.kinds:
        return np.full(len(listed), None)
    total = plan.add_up(statistics[0])
    changed = np.repeat(total, len(listed), axis=1)
    changed[list(plan.kinds).index(row)] -= change[listed]
    return plan.score(total)[0] - plan.score(changed)[0]


def _frequency_rows(table: NgramTable, words: np.ndarray, frequencies: Mapping[str, float]) -> Rows:
    """Return precision, recall and F of the words in each class of frequency."""
    n_of_word = np.array([frequencies.get(word, 0) for word in words[table.start]])
    is_in, ends = _classes(n_of_word, _FREQUENCIES)
    matches, missed, unmatched = table.sums() @ is_in.T
    n_predicted, n_referenced = matches + unmatched, matches + missed
    columns = {**ends, "n_words": is_in.sum(axis=1).tolist()}
    for name, of_systems in {
        "n_predicted": n_predicted,
        "n_referenced": n_referenced,
        "matches": matches,
        "precision": quotient(matches, n_predicted),
        "recall": quotient(matches, n_referenced),
        "fmeasure": quotient(2 * matches, n_predicted + n_referenced),
    }.items():
        columns |= zip((name, f"{name}_baseline"), of_systems.tolist(), strict=False)
    return _rows(columns)


# --- examples -------------------------------------------------------------------------


def _example_rows(
    systems: Sequence[Corpus],
    columns: Mapping[str, Any],
    main: str,
    ngrams: Rows,
    max_examples: int | None,
    options: Any,
) -> Rows:
    """Return examples, from the largest gain, or without a baseline from the lowest score."""
    scores = np.nan_to_num(columns[main])
    gains = np.nan_to_num(columns.get(f"{main}_delta", -scores))
    order, lowest = (np.argsort(one, kind="stable").tolist() for one in (-gains, scores))
    losses = order[::-1] if len(systems) == 2 else []
    chosen = {n for numbers in (order, losses, lowest) for n in numbers[:max_examples]}
    for row in ngrams:  # each has one of its examples
        if chosen.isdisjoint(row["examples"]):
            chosen.update(row["examples"][:1])
    is_one = options.multi_reference in ("best", "recall")
    numbers = [number for number in order if number in chosen]
    rows = [
        {"example": number} | {key: values[number] for key, values in columns.items()}
        for number in numbers
    ]
    for prefix, system in zip(("", "baseline_"), systems if rows else (), strict=False):
        examples = system.examples
        some = Corpus.of_examples([examples[number] for number in numbers])
        for row, (prediction, references), (best, ours, theirs) in zip(
            rows, some.examples, _matching_spans(some, options, main), strict=True
        ):
            row |= {
                f"{prefix}prediction": prediction,
                "references": references,
                f"{prefix}chosen": best if is_one else None,
                f"{prefix}prediction_spans": ours,
                f"{prefix}reference_spans": theirs,
            }
    return rows


def _matching_spans(
    corpus: Corpus, options: Any, key: str
) -> Iterator[tuple[int | None, Any, Any]]:
    """Yield the reference that counts, and the spans that match in the prediction and the references."""
    if isinstance(options, BleuOptions):
        for found in bleu_explanations(corpus, options, n_orders=1):
            words = found["orders"][0]
            yield found["chosen"], words["prediction_spans"], words["reference_spans"]
        return
    name = next(name for name in options.measures if key in (name, f"{name}_fmeasure"))
    for of_types in rouge_explanations(corpus, replace(options, rouge_types=[name])):
        best, pairs = of_types[name]["chosen"], of_types[name]["references"]
        theirs = [pair["reference_spans"] for pair in pairs]
        yield best, pairs[best or 0]["prediction_spans"], theirs
