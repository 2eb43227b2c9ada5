"""Where two systems differ: buckets of examples, n-grams, words by frequency, examples.

texts -> statistics of examples -> scores of all, and of buckets of examples
texts -> tables of the n-grams of examples -> sums over n-grams, over classes of words

N-grams are counted as the score counts them: in the reference that counts, or clipped by several. Systems
are joined to one corpus, so that their tokens and n-grams have the same numbers.
"""

from __future__ import annotations

import sys
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from ._bleu.api import BLEU
from ._bleu.counts import statistics_of_corpus
from ._bleu.explain import bleu_explanations
from ._bleu.options import BleuOptions
from ._bleu.results import sentence_scores
from ._rouge.api import ROUGE
from ._rouge.explain import rouge_explanations
from ._rouge.pairs import counts_by_columns, pairs_of_texts
from ._rouge.rules import OUTPUTS
from ._rouge.scores import chosen_pairs, example_scores, pair_scores, quotient
from .arrays import Ragged, dense_ids, is_run_start, sums_of_groups
from .corpus import Corpus, checked_corpus
from .metric import References, ScoringPlan, Texts, result_of_statistics
from .options import check_choice, must_be_integer
from .resampling import scores_by_key
from .text.tokenizers import tokenize
from .tokens import Tokens, example_of_reference

_METRICS = {"rouge": ROUGE, "bleu": BLEU, ROUGE.name: ROUGE, BLEU.name: BLEU}
_BUCKET_BOUNDS: Mapping[str, tuple[float, ...]] = {
    "reference_length": (0, 10, 20, 30, 40, 50, 60, 100, 200, 400, 800),
    "length_ratio": (0, 0.5, 0.8, 0.95, 1.05, 1.2, 1.5, 2),
    "mean_score": (0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9),
    "n_references": (1, 2, 3, 4, 5, 6, 8, 11),
}
MIN_EXAMPLES_OF_INTERVAL = 20  # examples: intervals of fewer contain the true score too rarely
_FREQUENCIES = (0, 1, 2, 3, 4, 5, 10, 100, 1000)
_KINDS = ("matches", "missed", "unmatched")  # n-grams of both sides, of a reference, a prediction
_MAX_ORDER = 4
_TIE = 1e-12  # scores that differ by less are equal
Rows = list[dict[str, Any]]
Limit = int | None  # None: all


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
        metric: "rouge" or "bleu", also with "_full".
        max_ngrams: the number of n-grams to list for each order and direction. None: all.
        max_examples: the number of gains, of losses and of lowest scores to list. None: all.
        frequencies: the number of occurrences of each word in other texts, such as training data.
            None: in the references.
        **options: options of `rouge` or `bleu`. confidence_level is 0.95 by default. Examples are
            chosen by the first score.

    Returns:
        dict: "scores", a result of `rouge` or `bleu` with intervals, tests and signature, and lists
        of dicts: "differences" per example, "buckets" of examples, with intervals from 20 examples
        on, "ngrams" of order 1 to 4, "frequencies" of words, and "examples". docs/comparing.md has
        their keys.

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
    if scorer.plan(checked).needs_all_examples or not checked.use_aggregator:
        wrong = f"preset={checked.preset!r}" if checked.use_aggregator else "use_aggregator"
        raise ValueError(f"analyze() needs means of scores or sums of counts: leave out {wrong}")
    checked = scorer.options({"confidence_level": 0.95, **given}, caller="analyze")
    plan = scorer.plan(checked)  # keeps the counts
    scored = replace(scorer, plan=lambda options: plan)
    corpus = checked_corpus(predictions, references)
    scores = scored.check_and_score(corpus, checked, baseline_predictions)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # all were shown with the scores
        of_examples = [plan.score_examples(one)[: len(plan.keys)] for one in plan.statistics]
        columns = scores_by_key(plan.keys, of_examples)
        # F comes before precision and recall.
        main = next((key for key in plan.keys if key.endswith("_fmeasure")), plan.keys[0])
        lengths, rows = _ngram_and_word_rows(plan, frequencies, max_ngrams, max_examples)
        of_systems = columns[main], columns.get(f"{main}_baseline", [])
        return {
            "scores": scores,
            "differences": _difference_rows(plan.keys, columns),
            "buckets": _bucket_rows(plan, lengths, *of_systems),
            **rows,
            "examples": _example_rows(plan, columns, main, rows["ngrams"], max_examples),
        }


def _buckets(values: Any, bounds: Sequence[float]) -> Iterator[tuple[Any, np.ndarray]]:
    """Yield the bounds of each class that has values, and which values it has; NaN is the last class."""
    place = np.maximum(np.searchsorted(bounds, values, side="right") - 1, 0)
    place[np.isnan(values)] = len(bounds)
    limits = [*bounds, None, None]
    for number in np.unique(place).tolist():
        yield {"low": limits[number], "high": limits[number + 1]}, place == number


# --- examples: how many are better, buckets, texts ------------------------------------


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


def _bucket_rows(plan: ScoringPlan, lengths: np.ndarray, *main: Sequence[float]) -> Rows:
    """Return the scores of similar examples; `lengths` are those of predictions and of references."""
    offsets = plan.corpora[0].reference_offsets
    n_references = np.diff(offsets)
    of_references = np.add.reduceat(lengths[-offsets[-1] :], offsets[:-1]) / n_references
    # By values of one system, equal systems would seem to differ.
    of_predictions = lengths[: -offsets[-1]].reshape(len(plan.corpora), -1).mean(axis=0)
    values = {
        "reference_length": of_references,
        "length_ratio": np.where(of_references, quotient(of_predictions, of_references), np.nan),
        "mean_score": [sum(pair) / 2 for pair in zip(*main, strict=False)],
        "n_references": n_references,
    }
    rows, without_intervals = [], replace(plan.options, confidence_level=None)
    for by, bounds in _BUCKET_BOUNDS.items():
        for ends, is_in in _buckets(values[by], bounds):
            n_examples = int(is_in.sum())
            options = plan.options if n_examples >= MIN_EXAMPLES_OF_INTERVAL else without_intervals
            statistics = [of_system[:, is_in] for of_system in plan.statistics]
            scores = result_of_statistics(plan, statistics, options, 0)
            rows.append({"by": by, **ends, "n_examples": n_examples, **scores})
    return rows


def _example_rows(
    plan: ScoringPlan, columns: Mapping[str, Any], main: str, ngrams: Rows, max_examples: Limit
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
    numbers = [n for n in order if n in chosen]
    rows = [{"example": n} | {key: column[n] for key, column in columns.items()} for n in numbers]
    names = ("chosen", "prediction_spans", "reference_spans")
    for prefix, system in zip(("", "baseline_"), plan.corpora if rows else (), strict=False):
        some = Corpus.of_examples([*map(system.examples.__getitem__, numbers)])
        found = zip(rows, some.examples, _matching_spans(some, plan.options, main), strict=True)
        for row, (prediction, references), values in found:
            row |= {f"{prefix}prediction": prediction, "references": references}
            row |= {f"{prefix}{name}": value for name, value in zip(names, values, strict=True)}
    return rows


def _matching_spans(corpus: Corpus, options: Any, key: str) -> Iterator[tuple[Any, Any, Any]]:
    """Yield the reference that counts, and the spans that match in the prediction and the references."""
    is_one = options.multi_reference in ("best", "recall")
    if isinstance(options, BleuOptions):
        for found in bleu_explanations(corpus, options, n_orders=1):
            words = found["orders"][0]
            best = found["chosen"] if is_one else None
            yield best, words["prediction_spans"], words["reference_spans"]
        return
    name = next(name for name in options.types_by_name if key in (name, f"{name}_fmeasure"))
    for of_types in rouge_explanations(corpus, replace(options, rouge_types=[name])):
        best, pairs = of_types[name]["chosen"], of_types[name]["references"]
        theirs = [pair["reference_spans"] for pair in pairs]
        yield best if is_one else None, pairs[best or 0]["prediction_spans"], theirs


# --- n-grams and words ----------------------------------------------------------------


class _NgramSource(NamedTuple):
    """The texts of all systems, predictions before references, as n-grams of them are counted."""

    tokens: Tokens
    unit: np.ndarray  # the text or sentence of each token, which no n-gram leaves, int64
    max_count: int  # of an n-gram in a text
    # By order: the pairs that count, and ROUGE-N of examples; None: the score is BLEU.
    orders: Sequence[tuple[np.ndarray, np.ndarray | None]]


@dataclass(frozen=True)
class _NgramTable:
    """The n-grams of an order: a row for each n-gram of each example, or of each pair that counts."""

    order: int
    start: np.ndarray  # the first token at which each n-gram starts, int64, shape (n_ngrams,)
    sums: np.ndarray  # of each of `_KINDS`, int64, shape (3, n_systems, n_ngrams)
    effects: np.ndarray  # by how much each n-gram moves the score; None: unknown
    ngram: np.ndarray  # its number, int64, shape (n_rows,)
    example: np.ndarray  # int64, shape (n_rows,)
    signed: np.ndarray  # counts of each of `_KINDS`, below 0 for the baseline, int64, (3, n_rows)


def _ngram_and_word_rows(
    plan: ScoringPlan, frequencies: Mapping[str, float] | None, *limits: Limit
) -> tuple[np.ndarray, dict[str, Rows]]:
    """Return the lengths of predictions and references, and the rows of n-grams and words by key."""
    systems, n_examples = plan.corpora, len(plan.corpora[0])
    both = Corpus.of_examples([example for system in systems for example in system.examples])
    counted = _ngram_source(both, plan.options)
    tokens = counted.tokens
    # References are counted for each system, but are the same texts.
    ends = tokens.ids.offsets[: len(both) + len(systems[0].references) + 1]
    words = np.array(tokens.vocabulary.to_pylist(), dtype=object)[tokens.ids.values[: ends[-1]]]
    if frequencies is None:
        frequencies = Counter(words[ends[len(both)] :])
    rows: dict[str, Rows] = {"ngrams": [], "frequencies": []}
    for table in _ngram_tables(plan, both, counted, ends):
        rows["ngrams"] += _ngram_rows(table, words, n_examples, *limits)
        if table.order == 1:
            rows["frequencies"] = _frequency_rows(table, words, frequencies)
    return np.diff(ends), rows


def _ngram_tables(
    plan: ScoringPlan, both: Corpus, counted: _NgramSource, ends: np.ndarray
) -> Iterator[_NgramTable]:
    """Yield the table of each order: number its n-grams, count them, and find what they change."""
    n_examples, n_systems = len(plan.corpora[0]), len(plan.corpora)
    ids, n_ids = counted.tokens.ids.values[: ends[-1]], counted.tokens.n_ids
    unit = np.append(counted.unit[: ends[-1]], [-1] * _MAX_ORDER)
    clips = plan.options.multi_reference == "clip"
    number, start = np.zeros(len(ids), dtype=np.int64), np.arange(len(ids))
    for order, (pairs, scores) in enumerate(counted.orders, start=1):
        # An n-gram is the (n-1)-gram at the same start and one more token.
        fits = unit[start] == unit[start + order - 1]
        number, start = number[fits], start[fits]
        (number,), keys = dense_ids([number * n_ids + ids[start + order - 1]])
        starts = np.zeros(len(keys), dtype=np.int64)
        starts[number[::-1]] = start[::-1]  # the first one
        ngrams = Ragged(number, start.searchsorted(ends))
        row, ngram, counts = _ngram_counts(
            ngrams, both.reference_offsets, pairs, clips, counted.max_count
        )
        system, example = np.divmod(row, n_examples)
        cell, n_cells = system * len(keys) + ngram, n_systems * len(keys)
        sums = np.array([sums_of_groups(one, cell, n_cells) for one in counts])
        sums, signed = sums.reshape(3, n_systems, -1), counts * (1 - 2 * system)
        effects, matches = np.full(len(keys), None), f"matches_{order}"
        if scores is not None:
            # Each match of an example has the same share of its score.
            share = quotient(scores, sums_of_groups(counts[0], row, len(both)))
            n_defined = np.count_nonzero(~np.isnan(scores).reshape(-1, n_examples), axis=1)
            share = share[row] / np.maximum(n_defined, 1)[system]
            effects = np.bincount(ngram, signed[0] * share, len(keys))
        elif matches in plan.kinds:
            effects = _effects_on_bleu(plan, matches, sums[0, 0] - sums[0, -1])
        yield _NgramTable(order, starts, sums, effects, ngram, example, signed)


def _effects_on_bleu(plan: ScoringPlan, matches: str, gained: np.ndarray) -> np.ndarray:
    """Return how much lower BLEU is without the matches that each n-gram gained."""
    # It is computed once for each number of matches, from the fewest to the most.
    numbers = np.arange(gained.min(initial=0), gained.max(initial=0) + 1)
    sums = np.repeat(plan.add_up(plan.statistics[0]), len(numbers), axis=1)
    sums[list(plan.kinds).index(matches)] -= numbers
    scores = plan.score(sums)[0]
    return scores[-numbers[0]] - scores[gained - numbers[0]]


def _ngram_source(both: Corpus, options: Any) -> _NgramSource:
    texts, offsets = both.texts_and_offsets(0, len(both))
    choice, chosen = options.multi_reference, [np.arange(offsets[-1])] * _MAX_ORDER
    if isinstance(options, BleuOptions):
        tokens = tokenize(texts, options.token_rules(), is_tokenized=both.is_tokenized)
        if choice != "clip":
            statistics = statistics_of_corpus(options, both)
            chosen = [np.asarray(sentence_scores(options, statistics, offsets)[1])] * _MAX_ORDER
        orders = [(pairs, None) for pairs in chosen[: options.highest_order]]
        return _NgramSource(tokens, tokens.ids.row_of_value, sys.maxsize, orders)
    family = options.families.get("N")
    types = [f"rouge{order}" for order in range(1, _MAX_ORDER + 1)]
    options = replace(options, rouge_types=types) if family else options
    pairs = pairs_of_texts(texts, offsets, both.is_tokenized, options)
    tokens = pairs.text_tokens if pairs.crosses_sentences else pairs.sentence_tokens
    unit = tokens.ids.row_of_value if pairs.crosses_sentences else tokens.sentence_of_token
    if family is None:
        return _NgramSource(tokens, unit, sys.maxsize, [])
    counts, _ = counts_by_columns(pairs)
    output = OUTPUTS.index("fmeasure" if options.output == "all" else options.output)
    scores = example_scores(counts, offsets, options)[output]
    if choice in ("best", "recall"):
        chosen = [*chosen_pairs(counts, pair_scores(counts, options), offsets, choice)]
    orders = list(zip(chosen, scores, strict=True))
    return _NgramSource(tokens, unit, family.most or sys.maxsize, orders)


def _ngram_counts(
    ngrams: Ragged, offsets: np.ndarray, pairs: np.ndarray, clips: bool, max_count: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the example, the n-gram and the counts of each row of a table.

    `ngrams` has a row for each prediction, then for each reference. One prediction has n-gram 7 twice
    and 8, its references have 7 and 9, and 7 twice: 7 has two matches, 9 is missed, 8 is unmatched.

    >>> ngrams = Ragged(np.array([7, 7, 8, 7, 9, 7, 7]), np.array([0, 3, 5, 7]))
    >>> example, ngram, counts = _ngram_counts(ngrams, np.array([0, 2]), np.array([0, 1]), True, 99)
    >>> example.tolist(), ngram.tolist(), counts.tolist()
    ([0, 0, 0], [7, 8, 9], [[2, 0, 0], [0, 0, 1], [0, 1, 0]])
    """
    n_examples, example = len(offsets) - 1, example_of_reference(offsets)[pairs]
    # A group is an example whose references clip together, or a pair.
    group, example_of_group = np.arange(len(pairs)), example
    if clips:
        group, example_of_group = example, np.arange(n_examples)
    ours = ngrams.take(example_of_group)
    theirs = ngrams.take(n_examples + pairs % (ngrams.n_rows - n_examples))  # which are there once
    # A key has the bits of the group, of the n-gram and of the text, which is 0 for a prediction.
    text = 1 + pairs - offsets[example]
    text_bits = int(text.max()).bit_length()
    ngram_bits = int(ngrams.values.max(initial=0)).bit_length()
    of_texts = (group << ngram_bits + text_bits | text)[theirs.row_of_value]
    key = np.concatenate([ours.row_of_value << ngram_bits + text_bits, of_texts])
    key |= np.concatenate([ours.values, theirs.values]) << text_bits
    key.sort(kind="stable")  # each half is in order of groups
    # In the example: 7 7 8 of text 0, 7 9 of text 1 and 7 7 of text 2, as 70 70 71 72 72 80 91.
    start = is_run_start(key).nonzero()[0]
    count, key = np.minimum(np.diff(start, append=len(key)), max_count), key[start]
    is_theirs, key = key & ((1 << text_bits) - 1) > 0, key >> text_bits
    first = is_run_start(key).nonzero()[0]
    n_ours = np.add.reduceat(np.where(is_theirs, 0, count), first)
    n_theirs = np.maximum.reduceat(np.where(is_theirs, count, 0), first)  # in one reference
    matches, key = np.minimum(n_ours, n_theirs), key[first]
    number, ngram = key >> ngram_bits, key & ((1 << ngram_bits) - 1)
    counts = np.array([matches, n_theirs - matches, n_ours - matches])
    return example_of_group[number], ngram, counts


def _ngram_rows(
    table: _NgramTable, words: np.ndarray, n_examples: int, max_ngrams: Limit, max_examples: Limit
) -> Rows:
    """Return the n-grams that differ most, equal ones as they appear; `words` are all tokens as text."""
    sums, n_systems = table.sums, table.sums.shape[1]
    # What one system matches and the other misses; what one has without a match.
    shown = [0, 2] if n_systems == 2 else [1, 2]
    change = sums[shown, 0] - (sums[shown, 1] if n_systems == 2 else 0)
    is_listed = np.full(len(table.start), max_ngrams is None)
    for values in (*change, *-change):
        above = (values > 0).nonzero()[0]
        is_listed[above[np.lexsort((table.start[above], -values[above]))[:max_ngrams]]] = True
    listed = is_listed.nonzero()[0]
    listed = listed[np.lexsort((table.start[listed], -change[0][listed]))]
    # The examples of each, those in which the systems differ most first.
    rows = is_listed[table.ngram].nonzero()[0]
    (place,), keys = dense_ids([(table.ngram * n_examples + table.example)[rows]])
    size = np.abs([np.bincount(place, table.signed[kind, rows]) for kind in shown])
    order = np.lexsort((-size[1], -size[0], keys // n_examples))
    ngram, example = np.divmod(keys[order[size[:, order].any(axis=0)]], n_examples)
    bounds = ngram.searchsorted([listed, listed + 1])
    names = [f"{prefix}{kind}" for kind in _KINDS for prefix in ("", "baseline_")[:n_systems]]
    found: Rows = []
    columns = listed.tolist(), table.effects[listed].tolist(), bounds.T.tolist()
    for one, effect, (first, end) in zip(*columns, strict=True):
        start, examples = table.start[one], example[first:end]
        found.append({"order": table.order, "ngram": words[start : start + table.order].tolist()})
        found[-1] |= zip(names, sums[:, :, one].ravel().tolist(), strict=True)
        if n_systems == 2:
            found[-1]["effect"] = effect
        found[-1] |= {"n_examples": end - first, "examples": examples[:max_examples].tolist()}
    return found


def _frequency_rows(
    table: _NgramTable, words: np.ndarray, frequencies: Mapping[str, float]
) -> Rows:
    """Return precision, recall and F of the words in each class of frequency."""
    rows: Rows = []
    n_of_word = np.array([frequencies.get(word, 0) for word in words[table.start]])
    for ends, is_in in _buckets(n_of_word, _FREQUENCIES):
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
