"""`rouge_bleu.analyze`: its numbers add up to the scores, and are those of the definitions."""

import json
import math
from collections import Counter

import numpy as np
import pandas as pd
import pytest

import rouge_bleu
from helpers.texts import example_systems, random_text
from rouge_bleu import plain

WORDS = "the a cat sat on mat dog ran to see . ,".split()
N_EXAMPLES = 40
KINDS = ("matches", "missed", "unmatched")


def corpus(seed, n_references=3):
    rng = np.random.default_rng(seed)
    new, base = ([random_text(rng, WORDS, 0, 12) for _ in range(N_EXAMPLES)] for _ in range(2))
    numbers = rng.integers(1, n_references + 1, N_EXAMPLES)
    references = [[random_text(rng, WORDS, 1, 12) for _ in range(n)] for n in numbers]
    return {"predictions": new, "references": references, "baseline_predictions": base}


def analysis(data, metric="rouge", **options):
    options = {"tokenizer": "whitespace", "n_resamples": 20, **options}
    return rouge_bleu.analyze(**data, metric=metric, **options)


# --- n-grams: the textbook twin -------------------------------------------------------


def counted_references(prediction, references, order, choice):
    """The references whose matches count for ROUGE-N, as tokens."""
    if choice == "pooled":
        return references

    def score(reference):
        ngrams = [plain.ngrams(text, order) for text in (prediction, reference)]
        p, r = map(len, ngrams)
        matches = plain.clipped_matches([*ngrams[0]], ngrams[1])
        recall = matches / r if r else 0.0
        f = plain.f_measure(matches / p if p else 0.0, recall)
        return recall if choice == "recall" else f

    return [max(references, key=score)]


def expected_ngrams(predictions, references, metric, options):
    """The matched, missed and unmatched n-grams of a system, by their tokens."""
    found = {name: Counter() for name in KINDS}
    for prediction, texts in zip(predictions, references, strict=True):
        prediction, texts = prediction.split(), [text.split() for text in texts]
        for order in range(1, 5):
            several = texts
            if metric == "rouge":
                several = counted_references(
                    prediction, texts, order, options.get("multi_reference")
                )
            ours, *theirs = (
                Counter(zip(*(text[start:] for start in range(order)), strict=False))
                for text in (prediction, *several)
            )
            if metric == "bleu":  # the highest count in any reference
                theirs = [Counter({one: max(t[one] for t in theirs) for t in theirs for one in t})]
            for reference in theirs:
                found["matches"] += ours & reference
                found["missed"] += reference - ours
                found["unmatched"] += ours - reference
    return found


CASES = [
    ("rouge", {}),
    ("rouge", {"multi_reference": "recall", "output": "recall"}),
    ("rouge", {"multi_reference": "pooled"}),
    ("bleu", {}),
]


@pytest.mark.parametrize(("metric", "options"), CASES)
@pytest.mark.parametrize("seed", range(3))
def test_ngrams_are_those_of_the_definitions(metric, options, seed):
    data = corpus(seed)
    rows = analysis(data, metric, max_ngrams=None, max_examples=0, **options)["ngrams"]
    for prefix, system in (("", "predictions"), ("baseline_", "baseline_predictions")):
        expected = expected_ngrams(data[system], data["references"], metric, options)
        for kind in KINDS:
            found = {tuple(row["ngram"]): row[f"{prefix}{kind}"] for row in rows}
            assert len(found) == len(rows)
            assert {one: n for one, n in found.items() if n} == dict(expected[kind])


ADDED = [
    *({}, {"beta": 2.0}, {"output": "precision"}, {"multi_reference": "average"}),
    *({"multi_reference": "jackknife"}, {"cross_sentences": False}),
    *({"use_stemmer": True, "stopwords": ["the"]}, {"zero_division": math.nan}),
    *({"preset": "pltrdy", "output": "fmeasure"}, {"preset": "py-rouge", "output": "fmeasure"}),
    {"preset": "matlab"},
]


@pytest.mark.parametrize("options", ADDED)
def test_effects_add_up_to_the_difference_of_rouge_n(options):
    """And the matches to those of the score, if a single reference counts."""
    types = {"rouge_types": [f"rouge{order}" for order in range(1, 5)]}
    data = corpus(5, n_references=1 if "preset" in options else 3)
    found = analysis(data, max_ngrams=None, **types, **options)
    rows = found["ngrams"]
    for order in range(1, 5):
        effects = [row["effect"] for row in rows if row["order"] == order]
        delta = found["scores"][f"rouge{order}_delta"]
        assert math.fsum(effects) == pytest.approx(delta, abs=1e-12)
    if "preset" in options:
        matches = Counter()
        how = {"tokenizer": "whitespace", **types, **options}
        for one, (text,) in zip(data["predictions"], data["references"], strict=True):
            parts = rouge_bleu.explain_rouge(one, text, **how)
            matches += {k: parts[f"rouge{k}"]["references"][0]["matches"] for k in range(1, 5)}
        sums = Counter()
        for row in rows:
            sums[row["order"]] += row["matches"]
        assert sums == matches


def test_a_signature_of_another_number_of_references():
    line = "nrefs:3|case:mixed|eff:no|tok:13a|smooth:exp|version:2.0.0"
    with pytest.warns(UserWarning, match="nrefs:3"):
        rouge_bleu.analyze(["a b"], ["a b"], metric="bleu", preset=line)


@pytest.mark.parametrize("options", [{}, {"max_order": 2}, {"smoothing": "exp"}])
def test_effects_on_bleu(options):
    """BLEU of the sums of the system, in which one n-gram matches as often as in the baseline."""
    data = corpus(6)
    found = analysis(data, "bleu", **options)
    how = {"preset": "sacrebleu", "tokenizer": "whitespace", **options}
    result = rouge_bleu.bleu(data["predictions"], data["references"], **how)
    counts, totals, penalty = (result[key] for key in ("counts", "totals", "brevity_penalty"))

    def bleu(counts):
        precisions, k = [], 1
        for count, total in zip(counts, totals, strict=True):
            k *= 1 if count else 2  # smoothing="exp"
            smoothed = 1 / (k * total) if "smoothing" in options else 0.0
            precisions.append(count / total if count else smoothed)
        return penalty * math.prod(precisions) ** (1 / len(precisions))

    assert {row["order"] for row in found["ngrams"]} == set(range(1, len(counts) + 1))
    for row in found["ngrams"]:
        changed = list(counts)
        changed[row["order"] - 1] -= row["matches"] - row["baseline_matches"]
        assert row["effect"] == pytest.approx(bleu(counts) - bleu(changed), abs=1e-12)


def test_the_reference_that_counts_for_bleu():
    data = {"predictions": ["a b", "a"], "references": [["a c", "b a b"], ["a"]]}
    options = {"level": "sentence", "multi_reference": "best", "max_order": 1, "max_ngrams": None}
    rows = analysis(data, "bleu", **options)["ngrams"]
    # The second reference has both words, but b once more.
    found = {row["ngram"][0]: [row[kind] for kind in KINDS] for row in rows}
    assert found == {"a": [2, 0, 0], "b": [1, 1, 0], "c": [0, 0, 0]}


def test_listed_ngrams_and_their_examples():
    data = {
        "predictions": ["a b", "a a", "x"],
        "references": ["a b", "a b", "b"],
        "baseline_predictions": ["c c", "a c", "b"],
    }
    rows = analysis(data, rouge_types=["rouge1"], max_ngrams=1)["ngrams"]
    # a: one match more, and a second one without a match; b: as many matches; c: only in the baseline
    names = ("ngram", "matches", "baseline_matches", "unmatched", "baseline_unmatched", "examples")
    found = [tuple(row[name] for name in names) for row in rows if row["order"] == 1]
    assert found == [(["a"], 2, 1, 1, 0, [0, 1]), (["c"], 0, 0, 0, 3, [0, 1])]
    # equal ones as they first appear, also where a limit leaves some out
    data = {"predictions": ["a b c a d"], "references": ["a b c a d"], "baseline_predictions": [""]}
    rows = analysis(data, max_ngrams=3)["ngrams"]
    assert [" ".join(row["ngram"]) for row in rows if row["order"] == 2] == ["a b", "b c", "c a"]


@pytest.mark.parametrize("metric", ["rouge_full", "bleu"])
def test_equal_systems_differ_in_no_ngram(metric):
    texts = corpus(1)["predictions"]
    data = {"predictions": texts, "references": texts[::-1], "baseline_predictions": texts}
    assert analysis(data, metric)["ngrams"] == []


# --- buckets, words, examples ---------------------------------------------------------


@pytest.mark.parametrize("metric", ["rouge", "bleu"])
def test_buckets_are_the_scores_of_their_examples(metric):
    data = corpus(7)
    options = {"rouge_types": ["rouge1"]} if metric == "rouge" else {"smoothing": "exp"}
    found = analysis(data, metric, **options)
    score = getattr(rouge_bleu, metric)
    how = {"tokenizer": "whitespace", "n_resamples": 20, **options}
    if metric == "bleu":
        how["output"] = "score"
    lengths = [np.mean([len(t.split()) for t in texts]) for texts in data["references"]]
    both = data["predictions"], data["baseline_predictions"]
    of_examples = analysis(data, metric, max_examples=None, **options)["examples"]
    key = "rouge1" if metric == "rouge" else "bleu"
    values = {
        "reference_length": lengths,
        "length_ratio": [
            (len(one.split()) + len(other.split())) / 2 / n
            for one, other, n in zip(*both, lengths, strict=True)
        ],
        "mean_score": [
            (row[key] + row[f"{key}_baseline"]) / 2
            for row in sorted(of_examples, key=lambda row: row["example"])
        ],
        "n_references": list(map(len, data["references"])),
    }
    assert {row["by"] for row in found["buckets"]} == set(values)
    sizes = {row["n_examples"] for row in found["buckets"]}
    assert min(sizes) < 20 <= max(sizes)
    n_examples = Counter()
    for row in found["buckets"]:
        row = dict(row)
        by, low, high = row.pop("by"), row.pop("low"), row.pop("high")
        high = math.inf if high is None else high
        is_in = [low <= value < high for value in values[by]]
        n = row.pop("n_examples")
        assert sum(is_in) == n > 0
        n_examples[by] += n
        some = {
            name: [text for text, one in zip(texts, is_in, strict=True) if one]
            for name, texts in data.items()
        }
        # Intervals of few examples contain the true score too rarely.
        assert row == score(**some, **how, confidence_level=0.95 if n >= 20 else None)
    assert set(n_examples.values()) == {N_EXAMPLES}


# compare-mt at b6d8f79d02043243c3d8aa58373a0f4c55e17a69 (NLTK 3.10.4), `compare_word_accuracies
# bucket_type=freq` of examples/systems: matches, words of the references and of the system.
COMPARE_MT_WORDS = {
    "baseline": "0 0 89, 403 418 432, 100 110 103, 58 81 79, 37 48 38, 53 78 66, 141 216 163",
    "better": "0 0 52, 408 418 424, 102 110 104, 66 81 81, 42 48 44, 62 78 72, 178 216 190",
}
# The same, `compare_ngrams compare_type=match,alpha=1.0`: matches of better and of baseline.
COMPARE_MT_NGRAMS = {
    "fell": (0, 2),
    "with": (2, 6),
    "time to find another": (0, 1),
    "an": (3, 0),
    "an hour": (2, 0),
    "more than": (2, 0),
    "half an hour": (2, 0),
}


def test_words_and_ngrams_are_those_of_compare_mt():
    found = analysis(example_systems(), "bleu", max_ngrams=None)
    for end, name in (("_baseline", "baseline"), ("", "better")):
        kinds = [f"{kind}{end}" for kind in ("matches", "n_referenced", "n_predicted")]
        counts = [" ".join(str(row[kind]) for kind in kinds) for row in found["frequencies"]]
        assert ", ".join(counts) == COMPARE_MT_WORDS[name]
    # compare-mt prints F of the words that occur 3 times: 0.7250 and 0.8148
    of_three = found["frequencies"][3]
    assert (of_three["low"], of_three["high"]) == (3, 4)
    assert [round(of_three[f"fmeasure{end}"], 4) for end in ("_baseline", "")] == [0.725, 0.8148]
    rows = {" ".join(row["ngram"]): row for row in found["ngrams"]}
    for ngram, matches in COMPARE_MT_NGRAMS.items():
        assert (rows[ngram]["matches"], rows[ngram]["baseline_matches"]) == matches


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"frequencies": {"a": 7, "b": 2}}, [(0, 2, 0.0), (2, 1, 1.0), (5, 1, 1.0)]),
        ({"stopwords": ["a"]}, [(0, 1, 0.0), (1, 2, 0.5)]),  # c; b and d
    ],
)
def test_classes_of_words(options, expected):
    """A stop word has no class."""
    rows = analysis({"predictions": ["a b c"], "references": ["a b d"]}, **options)["frequencies"]
    assert [(row["low"], row["n_words"], row["recall"]) for row in rows] == expected


@pytest.mark.parametrize(
    ("metric", "key", "options"),
    [
        ("rouge", "rougeL", {"rouge_types": ["rougeL", "rouge2"], "use_stemmer": True}),
        ("rouge", "rouge2_fmeasure", {"rouge_types": ["rouge2"], "output": "all"}),
        ("bleu", "bleu", {"max_order": 2}),
    ],
)
@pytest.mark.parametrize("is_tokenized", [False, True])
def test_examples_are_those_of_explanations(metric, key, options, is_tokenized):
    data = corpus(8)
    if is_tokenized:
        data = {
            name: [
                [t.split() for t in one] if name == "references" else one.split() for one in texts
            ]
            for name, texts in data.items()
        }
    found = analysis(data, metric, max_examples=None, **options)
    rows, explain = found["examples"], getattr(rouge_bleu, f"explain_{metric}")
    assert sorted(row["example"] for row in rows) == list(range(N_EXAMPLES))
    deltas = [row[f"{key}_delta"] for row in rows]
    assert deltas == sorted(deltas, reverse=True)
    for row in rows:
        assert row["references"] == data["references"][row["example"]]
        for prefix, system in (("", "predictions"), ("baseline_", "baseline_predictions")):
            prediction = data[system][row["example"]]
            assert row[f"{prefix}prediction"] == prediction
            parts = explain(prediction, row["references"], tokenizer="whitespace", **options)
            if metric == "bleu":
                expected, spans = parts["bleu"], parts["orders"][0]
                assert row[f"{prefix}reference_spans"] == spans["reference_spans"]
            else:
                one = parts[key.removesuffix("_fmeasure")]
                expected, spans = one["fmeasure"], one["references"][one["chosen"]]
                assert row[f"{prefix}chosen"] == one["chosen"]
                sides = [pair["reference_spans"] for pair in one["references"]]
                assert row[f"{prefix}reference_spans"] == sides
            assert row[f"{prefix}prediction_spans"] == spans["prediction_spans"]
            assert row[f"{key}_baseline" if prefix else key] == pytest.approx(expected, abs=1e-15)
    (differences,) = [row for row in found["differences"] if row["score"] == key]
    n = [sum(delta > 0 for delta in deltas), sum(delta < 0 for delta in deltas)]
    assert [differences["n_better"], differences["n_worse"]] == n
    assert sum(differences["counts"]) == N_EXAMPLES


def test_one_system_and_limits():
    data = {name: texts for name, texts in corpus(9).items() if name != "baseline_predictions"}
    found = analysis(data, max_ngrams=2, max_examples=3)
    assert not any("baseline" in key or "delta" in key for row in found["ngrams"] for key in row)
    assert len(found["ngrams"]) <= 2 * 2 * 4
    lowest = [row["rouge1"] for row in found["examples"]]
    assert lowest == sorted(lowest)
    assert {row["by"] for row in found["buckets"]} == {
        "reference_length", "length_ratio", "n_references"
    }  # fmt: skip
    assert analysis(data, max_examples=0)["examples"] == []


def test_tables_of_pandas_and_json():
    found = analysis(corpus(10))
    for name in ("buckets", "ngrams", "frequencies", "examples", "differences"):
        assert len(pd.DataFrame(found[name])) == len(found[name])
    assert json.loads(json.dumps(found)) == found
    data = corpus(10) | {"confidence_level": 0.95, "baseline_predictions": None}
    alone = rouge_bleu.rouge(**data, tokenizer="whitespace", n_resamples=20)
    assert {key: found["scores"][key] for key in alone} == alone


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"metric": "chrf"}, "metric must be"),
        ({"max_ngrams": -1}, "max_ngrams must be"),
        ({"use_aggregator": False, "confidence_level": None}, "use_aggregator"),
        ({"preset": "evaluate"}, "leave out preset='evaluate'"),
        ({"tokeniser": "13a"}, "Did you mean 'tokenizer'"),
    ],
)
def test_errors(options, message):
    with pytest.raises((TypeError, ValueError), match=message):
        rouge_bleu.analyze(["a"], ["a"], **options)
