"""ROUGE from a checked corpus to the result of `rouge_full`.

texts -> tokens -> matches and totals of pairs -> scores of examples -> averages -> result
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ..arrays import batches
from ..corpus import Corpus
from ..input_warnings import warn_of_lost_text, warn_of_missing_lines, warn_of_unfit_tokenizer
from ..messages import warn_caller
from ..parallel import results_of_chunks
from ..resampling import with_uncertainty
from ..scorer import ScoringPlan, score_corpora
from .counting import SUMMARY_LCS, counts_of_few
from .options import RougeOptions
from .rouge155_averages import counts_of_documents, printed_result
from .scores import OUTPUTS, example_scores, f_measure, median_of_resampled_means

_MAX_PAIRED_SIZE = 1 << 20  # characters, or tokens, of pairs of one example

# From the counts of pairs, the offsets of references and options to columns of examples.
OfExamples = Callable[[np.ndarray, np.ndarray, RougeOptions], np.ndarray]


def rouge_result(
    corpus: Corpus, options: RougeOptions, seed: int = 0, baseline: Corpus | None = None
) -> dict[str, Any]:
    """Return the result of `rouge_full`; `seed` is that of `load`."""
    if options.rules.averages_documents:
        counts = columns_of_examples(corpus, options, counts_of_documents)
        warn_of_script(options)
        return printed_result(counts, options)
    plan = _plan(options)
    if options.use_aggregator and options.rules.average == "resampled_median":
        plan.warn(corpus)
        scores = columns_of_examples(corpus, options, _wanted_scores).transpose(1, 0, 2)
        medians = median_of_resampled_means(scores, options.seed_or(seed))
        return with_uncertainty(plan.keys, [medians.ravel()])
    corpora = [corpus] if baseline is None else [corpus, baseline]
    return score_corpora(plan, corpora, options, seed)


def rouge_plan(options: RougeOptions) -> ScoringPlan | None:
    """Return the statistics kept of examples; None if averages resample all examples."""
    return _plan(options) if options.rules.follows_from_means else None


def _plan(options: RougeOptions) -> ScoringPlan:
    """Return the statistics kept of examples: their scores, which are averaged."""
    scored = options.scored_outputs
    names = [
        f"{name}_{output}" if len(scored) > 1 else name
        for name in options.measures
        for output in scored
    ]

    def scores_of_examples(corpus: Corpus, keeps_items: bool) -> np.ndarray:
        scores = columns_of_examples(corpus, options, _wanted_scores)
        return scores.transpose(1, 0, 2).reshape(len(names), -1)

    def asked_for(rows: np.ndarray, of_means: bool) -> np.ndarray:
        """Return the rows of the requested outputs; F may be computed from means."""
        if not options.averages_f_of_means:
            return rows
        of_types = rows.reshape(-1, len(OUTPUTS), rows.shape[1]).copy()
        if of_means:
            of_types[:, 2] = f_measure(of_types[:, 0], of_types[:, 1], options.beta)
        wanted = [OUTPUTS.index(output) for output in options.outputs]
        return of_types[:, wanted].reshape(-1, rows.shape[1])

    def warn(corpus: Corpus) -> None:
        takes_lines = options.sentence_splitter == "newline" and SUMMARY_LCS in options.families
        if takes_lines and corpus.is_one_line_each:
            warn_of_missing_lines(corpus)
        if not corpus.is_ascii:
            warn_of_unfit_tokenizer(corpus, options)

    return ScoringPlan(
        kinds=dict.fromkeys(names, "score"),
        count=scores_of_examples,
        keys=options.keys_of_types,
        scores=partial(asked_for, of_means=True),
        item_scores=partial(asked_for, of_means=False),
        warn=warn,
    )


def _wanted_scores(
    counts: np.ndarray, reference_offsets: np.ndarray, options: RougeOptions
) -> np.ndarray:
    """Return the needed outputs of examples."""
    scores = example_scores(counts, reference_offsets, options)
    return scores[[OUTPUTS.index(output) for output in options.scored_outputs]]


# --- chunks ---------------------------------------------------------------------------------------


def columns_of_examples(corpus: Corpus, options: RougeOptions, make: OfExamples) -> np.ndarray:
    """Return `make` applied to the counts of pairs, shape (n_rows, n_rouge_types, n_examples)."""
    if corpus.is_small:
        columns, has_tokens = _columns_of_chunk(options, make, corpus, 0, len(corpus))
    else:
        tokenizer = options.tokenizer_rules(corpus.is_tokenized)
        chunks = results_of_chunks(
            corpus,
            partial(_columns_of_chunk, options, make),
            options.n_workers,
            is_program=tokenizer.is_program and not corpus.is_tokenized,
        )
        columns = np.concatenate([of_chunk for of_chunk, _ in chunks], axis=2)
        has_tokens = any(chunk[1] for chunk in chunks)
    if not (has_tokens and corpus.is_ascii):
        warn_of_lost_text(corpus, options, has_tokens=has_tokens)
    stopwords = options.stopwords or ()
    is_idle = any(word.lower() not in stopwords for word in stopwords)
    if is_idle and options.tokenizer_rules(corpus.is_tokenized).lowercase:
        warn_caller(_IDLE_STOPWORDS)
    if options.use_stemmer and options.language is None and "language" in options.rules.own_options:
        warn_caller(_ENGLISH_STEMS)
    return columns


def _columns_of_chunk(
    options: RougeOptions, make: OfExamples, corpus: Corpus, first: int, end: int
) -> tuple[np.ndarray, bool]:
    """Return the columns of the examples of a chunk, and whether a text has tokens."""
    texts, reference_offsets = corpus.texts_of_items(first, end)
    counts, have_tokens, n_references_before = [], [], 0
    parts = [(texts, reference_offsets)]  # several examples in a chunk are short
    if end - first == 1 and sum(map(len, texts)) * len(texts) > _MAX_PAIRED_SIZE:
        parts = _parts_of_example(texts)
    for some_texts, offsets in parts:
        arguments = some_texts, offsets, corpus.is_tokenized, options
        counted = counts_of_few(*arguments)
        if counted is None:
            counting = options.rules.counting(*arguments)
            counting.check(first, n_references_before)
            counted = counting.counts()
        counts.append(counted[0])
        have_tokens.append(counted[1])
        n_references_before += int(offsets[-1])
    all_counts = counts[0] if len(counts) == 1 else np.concatenate(counts, axis=2)
    return make(all_counts, reference_offsets, options), any(have_tokens)


def _parts_of_example(texts: list[Any]) -> list[tuple[list[Any], np.ndarray]]:
    """Return parts of an example, with a few references each, which need less memory."""
    prediction, *references = texts
    size = np.array([len(prediction) + len(reference) for reference in references])
    return [
        ([prediction, *references[first:end]], np.array([0, end - first]))
        for first, end in batches(size, _MAX_PAIRED_SIZE)
    ]


# --- warnings -------------------------------------------------------------------------------------

_IDLE_STOPWORDS = (
    "stopwords has words in uppercase, which remove nothing, because texts are lowercased first. "
    "Pass them in lowercase, or pass lowercase=False."
)
_ENGLISH_STEMS = (
    "use_stemmer=True without language stems all texts as English, as XL-Sum's scorer does. Pass "
    "the language of the texts, such as language='swahili'."
)
_MISSING_EXCEPTIONS = (
    "-m is stemming without WordNet's exception lists: ROUGE-1.5.5.pl stems irregular words such "
    "as 'went' differently. For its scores, pass stemmer=metric.rouge155_stemmer(folder) with "
    "the folder of the lists, or pass stemmer='rouge-1.5.5' to hide this warning."
)
_OTHER_STEMMER = (
    "use_stemmer=True is NLTK's Porter stemmer, which differs from -m of "
    "ROUGE-1.5.5.pl. Pass stemmer='rouge-1.5.5', or for irregular words "
    "stemmer=metric.rouge155_stemmer(folder) with WordNet's lists."
)
_PERCENT = (
    "the confidence level is {:g} %: -c of a command line of ROUGE-1.5.5.pl is in percent, as "
    "in -c 95."
)


def warn_of_script(options: RougeOptions) -> None:
    """Warn if the script would use a different stemmer or confidence level."""
    if options.stems_without_exceptions:
        warn_caller(_MISSING_EXCEPTIONS)
    if options.use_stemmer:
        warn_caller(_OTHER_STEMMER)
    level = options.confidence_level
    is_command = options.preset not in options.presets
    if is_command and level is not None and level < 0.01:  # as in -c 0.95
        warn_caller(_PERCENT.format(100 * level))
