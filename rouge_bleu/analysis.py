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
LEAST_OF_INTERVAL = 20  # examples: intervals of fewer contain the true score too rarely
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
    given = {**({"output": "score"} if scorer is BLEU else {}), **options, "signature": True}
    checked = scorer.options(given, caller="analyze")
    needs_all = scorer.plan(checked).needs_all_examples
    if needs_all or not checked.use_aggregator:
        wrong = f"preset={checked.preset!r}" if needs_all else "use_aggregator"
        raise ValueError(f"analyze() needs means of scores or sums of counts: leave out {wrong}")
    checked = scorer.options({"confidence_level": 0.95, **given}, caller="analyze")
    plan = scorer.plan(checked)  # keeps the counts
    scored = replace(scorer, plan=lambda options: plan)
    corpus = checked_corpus(predictions, references)
    scores = scored.checked_result(corpus, checked, baseline_predictions)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # all were shown with the scores
        of_examples = [plan.score_examples(one)[: len(plan.keys)] for one in plan.statistics]
        columns = with_uncertainty(plan.keys, of_examples)
        # F comes before precision and recall.
        main = next((key for key in plan.keys if key.endswith("_fmeasure")), plan.keys[0])
        words, tables = ngram_tables(plan.corpora, checked)
        if frequencies is None:
            frequencies = Counter(words.values[words.offsets[-1 - len(corpus.references)] :])
        ngrams: Rows = []
        for table in tables:
            ngrams += _ngram_rows(table, words.values, plan, max_ngrams, max_examples)
        return {
            "scores": scores,
            "differences": _difference_rows(plan.keys, columns),
            "buckets": _bucket_rows(plan, words.lengths, columns.get(f"{main}_baseline", [])),
            "ngrams": ngrams,
            "frequencies": _frequency_rows(tables[:1], words.values, frequencies),
            "examples": _example_rows(plan, columns, main, ngrams, max_examples),
        }


def _classes(
    values: Any, bounds: Sequence[float]
) -> Iterator[tuple[dict[str, float | None], np.ndarray]]:
    """Yield the bounds of each class that has values, and which values it has; NaN is the last class."""
    place = np.maximum(np.searchsorted(bounds, values, side="right") - 1, 0)
    place[np.isnan(values)] = len(bounds)
    limits = [*bounds, None, None]
    for number in np.unique(place).tolist():
        yield {"low": limits[number], "high": limits[number + 1]}, place == number


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
            kinds = {"better": values > _TIE, "worse": values < -_TIE, "equal": abs(values) <= _TIE}
            rows[-1] |= {f"n_{kind}": int(is_one.sum()) for kind, is_one in kinds.items()}
        bounds = (np.arange(42) - 20.5) / 20 if is_paired else np.arange(21) / 20
        counts, _ = np.histogram(np.clip(values, bounds[0], bounds[-1]), bounds)
        rows[-1] |= {"bounds": bounds.tolist(), "counts": counts.tolist()}
    return rows


def _bucket_rows(plan: ScoringPlan, lengths: np.ndarray, baseline_scores: Sequence[float]) -> Rows:
    """Return the scores of similar examples; `lengths` are those of predictions and of references."""
    offsets, n = plan.corpora[0].reference_offsets, len(plan.corpora[0])
    n_references = np.diff(offsets)
    of_references = np.add.reduceat(lengths[-offsets[-1] :], offsets[:-1]) / n_references
    values = {
        "reference_length": of_references,
        "length_ratio": np.where(of_references, quotient(lengths[:n], of_references), np.nan),
        "baseline_score": baseline_scores,
        "n_references": n_references,
    }
    rows, without_intervals = [], replace(plan.options, confidence_level=None)
    for by, bounds in _BOUNDS.items():
        for ends, is_in in _classes(values[by], bounds):
            n_examples = int(is_in.sum())
            options = plan.options if n_examples >= LEAST_OF_INTERVAL else without_intervals
            some = [of_system[:, is_in] for of_system in plan.statistics]
            scores = result_of_statistics(plan, some, options, 0)
            rows.append({"by": by, **ends, "n_examples": n_examples, **scores})
    return rows


# --- n-grams and words ----------------------------------------------------------------


def _ngram_rows(table: NgramTable, words: np.ndarray, plan: ScoringPlan, *most: int | None) -> Rows:
    """Return n-grams of an order: `most` of them and of their examples; `words` are all tokens."""
    (max_ngrams, max_examples), sums = most, table.sums
    is_paired, n_examples = len(plan.corpora) == 2, len(plan.corpora[0])
    # What one system matches and the other misses; what one has without a match.
    shown = [0, 2] if is_paired else [1, 2]
    change = sums[shown, 0] - (sums[shown, 1] if is_paired else 0)
    is_listed = np.full(len(table.start), max_ngrams is None)
    for values in (*change, *-change):
        above = (values > 0).nonzero()[0]
        is_listed[above[np.argsort(-values[above], kind="stable")[:max_ngrams]]] = True
    listed = is_listed.nonzero()[0]
    listed = listed[np.argsort(-change[0][listed], kind="stable")]
    # The examples of each, those in which the systems differ most first.
    rows = is_listed[table.ngram].nonzero()[0]
    (place,), keys = dense_ids([(table.ngram * n_examples + table.example)[rows]])
    signed = (table.sign * table.counts[shown])[:, rows]
    size = np.abs([np.bincount(place, of_kind) for of_kind in signed])
    order = np.lexsort((-size[1], -size[0], keys // n_examples))
    ngram, example = np.divmod(keys[order[size[:, order].any(axis=0)]], n_examples)
    bounds = ngram.searchsorted([listed, listed + 1])
    prefixes = ("", "baseline_")[: len(plan.corpora)]
    names = [f"{prefix}{kind}" for kind in _KINDS for prefix in prefixes]
    columns: dict[str, list[Any]] = {
        "order": [table.order] * len(listed),
        "ngram": [words[k : k + table.order].tolist() for k in table.start[listed].tolist()],
        **dict(zip(names, np.concatenate(sums[:, :, listed]).tolist(), strict=True)),
    }
    if is_paired:
        columns["effect"] = _effects(table, plan, change[0], listed).tolist()
    columns["n_examples"] = (bounds[1] - bounds[0]).tolist()
    spans = bounds.T.tolist()
    columns["examples"] = [example[first:end][:max_examples].tolist() for first, end in spans]
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _effects(
    table: NgramTable, plan: ScoringPlan, change: np.ndarray, listed: np.ndarray
) -> np.ndarray:
    """Return by how much the listed n-grams move the score of the first of two systems."""
    if table.effects is not None:
        return table.effects[listed]
    row = f"matches_{table.order}"
    if row not in plan.kinds:
        return np.full(len(listed), None)
    # The first column is unchanged.
    sums = np.repeat(plan.add_up(plan.statistics[0]), 1 + len(listed), axis=1)
    sums[list(plan.kinds).index(row), 1:] -= change[listed]
    scores = plan.score(sums)[0]
    return scores[0] - scores[1:]


def _frequency_rows(
    tables: Sequence[NgramTable], words: np.ndarray, frequencies: Mapping[str, float]
) -> Rows:
    """Return precision, recall and F of the words in each class of frequency."""
    rows: Rows = []
    for table in tables:
        n_of_word = np.array([frequencies.get(word, 0) for word in words[table.start]])
        for ends, is_in in _classes(n_of_word, _FREQUENCIES):
            matches, missed, unmatched = table.sums @ is_in
            n_predicted, n_referenced = matches + unmatched, matches + missed
            rows.append({**ends, "n_words": int(is_in.sum())})
            for name, of_systems in {
                "n_predicted": n_predicted,
                "n_referenced": n_referenced,
                "matches": matches,
                "precision": quotient(matches, n_predicted),
                "recall": quotient(matches, n_referenced),
                "fmeasure": quotient(2 * matches, n_predicted + n_referenced),
            }.items():
                rows[-1] |= zip((name, f"{name}_baseline"), of_systems.tolist(), strict=False)
    return rows


# --- examples -------------------------------------------------------------------------


def _example_rows(
    plan: ScoringPlan, columns: Mapping[str, Any], main: str, ngrams: Rows, max_examples: int | None
) -> Rows:
    """Return examples, from the largest gain, or without a baseline from the lowest score."""
    scores = np.nan_to_num(columns[main])
    gains = np.nan_to_num(columns.get(f"{main}_delta", -scores))
    order, lowest = (np.argsort(one, kind="stable").tolist() for one in (-gains, scores))
    losses = order[::-1] if len(plan.corpora) == 2 else []
    chosen = {n for numbers in (order, losses, lowest) for n in numbers[:max_examples]}
    for row in ngrams:  # each has one of its examples
        if chosen.isdisjoint(row["examples"]):
            chosen.update(row["examples"][:1])
    numbers = [number for number in order if number in chosen]
    rows = [
        {"example": number} | {key: values[number] for key, values in columns.items()}
        for number in numbers
    ]
    for prefix, system in zip(("", "baseline_"), plan.corpora if rows else (), strict=False):
        examples = system.examples
        some = Corpus.of_examples([examples[number] for number in numbers])
        found = zip(rows, some.examples, _matching_spans(some, plan.options, main), strict=True)
        for row, (prediction, references), (best, ours, theirs) in found:
            row |= {
                f"{prefix}prediction": prediction,
                "references": references,
                f"{prefix}chosen": best,
                f"{prefix}prediction_spans": ours,
                f"{prefix}reference_spans": theirs,
            }
    return rows


def _matching_spans(
    corpus: Corpus, options: Any, key: str
) -> Iterator[tuple[int | None, Any, Any]]:
    """Yield the reference that counts, and the spans that match in the prediction and the references."""
    is_one = options.multi_reference in ("best", "recall")
    if isinstance(options, BleuOptions):
        for found in bleu_explanations(corpus, options, n_orders=1):
            words = found["orders"][0]
            best = found["chosen"] if is_one else None
            yield best, words["prediction_spans"], words["reference_spans"]
        return
    name = next(name for name in options.measures if key in (name, f"{name}_fmeasure"))
    for of_types in rouge_explanations(corpus, replace(options, rouge_types=[name])):
        best, pairs = of_types[name]["chosen"], of_types[name]["references"]
        theirs = [pair["reference_spans"] for pair in pairs]
        yield best if is_one else None, pairs[best or 0]["prediction_spans"], theirs
