"""What the options of rouge_full mean, in textbook form, on random texts.

A text here is a list of sentences, each a list of tokens. An option that changes counts or scores
is an argument of `expected_items`.
"""

import math
from itertools import combinations

import pytest

from helpers.kernels import joined
from helpers.rouge.corpora import OUTPUTS
from helpers.tokenizers import rouge_score_tokens
from rouge_bleu import plain

TYPES = """rouge1 rouge2 rouge3 rougeL rougeLsum rougeW rougeW-2 rougeS rougeS0 rougeS4 rougeSU
    rougeSU4""".split()
UNITS_WITHIN_SENTENCES = [name for name in TYPES if name[5] not in "LW"]

# --- textbook forms -------------------------------------------------------------------------------


def units(name, sentences, cross_sentences=True):
    """Return the units of a rouge type of the families N, S and SU."""
    parts = [joined(sentences)] if cross_sentences else sentences
    order_or_skip = name.lstrip("rougeSU")
    if name[5] != "S":
        return [unit for part in parts for unit in plain.ngrams(part, int(order_or_skip))]
    max_skip = int(order_or_skip) if order_or_skip else None
    pairs = [pair for part in parts for pair in plain.skip_bigrams(part, max_skip)]
    return pairs + joined(parts) if name[6:7] == "U" else pairs


def pair_counts(name, prediction, reference, cross_sentences=True, summary_lcs="union"):
    """Return matches and total of precision, those of recall, and the exponent of both."""
    tokens = [joined(side) for side in (prediction, reference)]
    if name == "rougeL":
        matches = plain.rouge_l(*tokens).matches
        return matches, len(tokens[0]), matches, len(tokens[1]), 1.0
    if name == "rougeLsum":
        both = [plain.rouge_lsum(prediction, reference).matches] * 2
        if summary_lcs == "best":
            both = list(map(len, plain.best_sentences(prediction, reference)))
        return both[0], len(tokens[0]), both[1], len(tokens[1]), 1.0
    if name[5] == "W":
        weight = float(name.partition("-")[2] or 1.2)
        matches = plain.rouge_w(*tokens, weight).matches
        return matches, len(tokens[0]) ** weight, matches, len(tokens[1]) ** weight, 1 / weight
    ours, theirs = (units(name, side, cross_sentences) for side in (prediction, reference))
    matches = plain.clipped_matches(ours, theirs)
    return matches, len(ours), matches, len(theirs), 1.0


def f_measure(precision, recall, beta=1.0, epsilon=0.0):
    """Return F of plain.py; some packages add `epsilon` below the line."""
    if not epsilon or math.isinf(beta):
        return plain.f_measure(precision, recall, beta)
    return (1 + beta**2) * precision * recall / (beta**2 * precision + recall + epsilon)


def scores_of_counts(counts, beta=1.0):
    prediction_matches, prediction_total, matches, reference_total, inverse = counts
    if not reference_total:
        return (0.0,) * 3
    precision = (prediction_matches / prediction_total) ** inverse if prediction_total else 0.0
    recall = (matches / reference_total) ** inverse
    return precision, recall, f_measure(precision, recall, beta)


def best(scores):
    """Return the first of the scores with the highest F."""
    return max(scores, key=lambda score: score[2])


def best_by_recall(scores):
    """Return the first of the scores with the highest recall."""
    return max(scores, key=lambda score: score[1])


def separate(scores, beta=1.0, epsilon=0.0):
    """Return the highest precision and recall, and their F: ROUGE_L of coco-caption."""
    precision, recall = (max(score[place] for score in scores) for place in (0, 1))
    return precision, recall, f_measure(precision, recall, beta, epsilon)


def mean(scores):
    """Return the means of precision, recall and F each."""
    return tuple(math.fsum(column) / len(scores) for column in zip(*scores, strict=True))


def f_of_means(scores, beta=1.0, epsilon=0.0):
    """Return the mean precision and recall, and their F: ROUGE-2.0."""
    precision, recall, _ = mean(scores)
    return precision, recall, f_measure(precision, recall, beta, epsilon)


def jackknifed(scores):
    """Return the mean over the sets that lack one reference of the best in the set: Lin 2004, 2.1."""
    if len(scores) == 1:
        return scores[0]
    return mean([best(chosen) for chosen in combinations(scores, len(scores) - 1)])


CHOICES = {"best": best, "average": mean, "pooled": None, "jackknife": jackknifed}
CHOICES |= {"separate": separate, "recall": best_by_recall, "f_of_means": f_of_means}


def item_scores(
    name, prediction, references, choice="best", beta=1.0, zero_division=0.0, **counting
):
    """`zero_division` is the score if no reference has anything to match."""
    counts = [pair_counts(name, prediction, reference, **counting) for reference in references]
    if not any(reference_total for *_, reference_total, _ in counts):
        return (zero_division,) * 3
    if choice == "pooled":
        *sums, _ = map(sum, zip(*counts, strict=True))
        return scores_of_counts((*sums, counts[0][-1]), beta)
    scores = [scores_of_counts(pair, beta) for pair in counts]
    of_beta = (beta,) if choice in ("separate", "f_of_means") else ()
    return CHOICES[choice](scores, *of_beta)


def expected_items(names, predictions, references, **options):
    """Return what compute(output="all", use_aggregator=False) returns."""
    items = list(zip(predictions, references, strict=True))
    result = {}
    for name in names:
        columns = zip(*(item_scores(name, *item, **options) for item in items), strict=True)
        for output, column in zip(OUTPUTS, columns, strict=True):
            result[f"{name}_{output}"] = list(column)
    return result


def lines_of(text, tokenize=rouge_score_tokens):
    return [tokenize(line) for line in text.split("\n")]


# --- a corpus and options -------------------------------------------------------------------------


def items_of(rouge_full, corpus, names=TYPES, **options):
    """Return all scores of the items of a corpus, predictions and references."""
    options |= {"rouge_types": list(names), "output": "all", "use_aggregator": False}
    return rouge_full.compute(predictions=corpus[0], references=corpus[1], **options)


def assert_textbook(rouge_full, corpus, split=lines_of, names=TYPES, **options):
    """Check them against the textbook; `split` makes sentences of tokens of a text, as options say."""
    result = items_of(rouge_full, corpus, names, **options)
    in_textbook = {"multi_reference", "beta", "zero_division", "cross_sentences", "summary_lcs"}
    counting = {key: options[key] for key in options if key in in_textbook}
    counting |= {"choice": counting.pop("multi_reference")} if "multi_reference" in counting else {}
    texts = [split(text) for text in corpus[0]], [list(map(split, own)) for own in corpus[1]]
    expected = expected_items(names, *texts, **counting)
    assert list(result) == list(expected)
    for key, column in expected.items():
        assert result[key] == pytest.approx(column, rel=1e-13, abs=0, nan_ok=True), key
    return result
