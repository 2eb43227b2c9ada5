"""rouge-bleu find-settings: papers whose settings it must find, its tables, and its output.

The papers are made by the packages themselves on the texts of `examples/`.
"""

import json
import re
import statistics
import warnings
from functools import cache, partial

import numpy as np
import pytest
import sacrebleu
from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu, sentence_bleu

from helpers.bleu.peers import as_streams
from helpers.repository import ROOT
from helpers.rouge.peers import evaluate_averages, rouge_score_items
from helpers.texts import example_corpus, with_first_references
from rouge import Rouge
from rouge_bleu._bleu.options import BleuOptions
from rouge_bleu._rouge.options import RougeOptions
from rouge_bleu_tools.cli import find_settings as module
from rouge_bleu_tools.cli.find_settings import (
    Reported,
    Search,
    bleu_settings,
    code_of,
    find_settings,
    parse_reported,
    rouge_settings,
)
from rouge_bleu_tools.cli.inputs import load_metric
from rouge_bleu_tools.cli.settings import (
    WEIGHTED_PRESETS,
    words_and_signs,
    words_without_periods,
)

SUMMARIES, TRANSLATIONS = example_corpus("summaries"), example_corpus("translations")
ONE_SUMMARY = with_first_references(SUMMARIES)
TYPES = ["rouge1", "rouge2", "rougeL"]

# --- names and numbers ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("rouge1=41.16 rougeL=37.98", {"rouge1": "41.16", "rougeL": "37.98"}),
        ("ROUGE-1 41.16", {"rouge1": "41.16"}),
        ("R-1: 41.2, R-2: 18.9; R-L: 38.2", {"rouge1": "41.2", "rouge2": "18.9", "rougeL": "38.2"}),
        ("R1 41.2 / RL 38.2", {"rouge1": "41.2", "rougeL": "38.2"}),
        ("ROUGE-L recall 38.2", {"rougeL_recall": "38.2"}),
        ("rouge2_precision=.3", {"rouge2_precision": ".3"}),
        ("ROUGE-1 F1: 41.16%", {"rouge1_fmeasure": "41.16"}),
        ("rouge-lsum 31.0", {"rougeLsum": "31.0"}),
        ("ROUGE-SU4 15.3", {"rougeSU4": "15.3"}),
        ("ROUGE-W-1.2 14.5", {"rougeW-1.2": "14.5"}),
        ("rougeS* 14.5", {"rougeS*": "14.5"}),
        ("BLEU = 27.3", {"bleu": "27.3"}),
        ("BLEU-4: 0.273", {"bleu4": "0.273"}),
        ("bleu1=70 bleu2=50", {"bleu1": "70", "bleu2": "50"}),
        ("sacreBLEU 27.3", {"sacrebleu": "27.3"}),
        ("R-1/R-2/RL = 44.16/21.2/40.90", {"rouge1": "44.16", "rouge2": "21.2", "rougeL": "40.90"}),
        ("41.2 ROUGE-1, 18.3 ROUGE-2.", {"rouge1": "41.2", "rouge2": "18.3"}),
        ("ROUGE-Lsum (P) 38 %", {"rougeLsum_precision": "38"}),
        ("BLEU of 27.3.", {"bleu": "27.3"}),
    ],
)
def test_numbers_as_papers_print_them(text, expected):
    for given in ([text], text.split()):
        assert {one.name: one.text for one in parse_reported(given)} == expected


@pytest.mark.parametrize(
    "text",
    [
        *("", "rouge1", "rouge1=41,2", "rouge1=nan", "rouge1=-1", "bleu=101", "bleu=1e1"),
        *("rougeX=41", "rouge0=4", "bleu10=41", "rouge1=1 ROUGE-1=2", "rouge1=1 bleu=2", "chrF 50"),
    ],
)
def test_numbers_that_cannot_be_read(error, text):
    message = error("find-settings", "hyp.txt", "-r", "ref.txt", "--reported", text)
    assert message.startswith("--reported")


@pytest.mark.parametrize(("flag", "value"), [("--show", "-1"), ("--exceptions", "none")])
def test_other_errors(error, flag, value):
    given = ["find-settings", "hyp.txt", "-r", "ref.txt", "--reported", "rouge1=1"]
    assert flag in error(*given, flag, value)


# --- papers -----------------------------------------------------------------------------------
# Each is a corpus, the numbers that a package printed for it, and the options of these numbers.


def percent(scores, decimals=2):
    return {name: f"{100 * score:.{decimals}f}" for name, score in scores.items()}


def rouge_score_paper():
    """Means of F of rouge_score; its rougeLsum is reported as ROUGE-L."""
    items = rouge_score_items(*SUMMARIES, use_stemmer=True)
    meant = {"rouge1": "rouge1", "rouge2": "rouge2", "rougeL": "rougeLsum"}
    means = {name: np.mean([item[one].fmeasure for item in items]) for name, one in meant.items()}
    options = {"preset": "rouge_score", "use_stemmer": True, "rouge_types": [*meant.values()]}
    return SUMMARIES, percent(means), options


def evaluate_paper(seed=42):
    averages = evaluate_averages(rouge_score_items(*SUMMARIES, use_stemmer=True), seed)
    numbers = {name: f"{averages[f'{name}_fmeasure']:.4f}" for name in TYPES}
    return SUMMARIES, numbers, {"preset": "evaluate", "use_stemmer": True, "seed": seed}


def of_letter(scores, letter):
    return {f"rouge{key[-1].upper()}": one[letter] for key, one in scores.items()}


def pltrdy_paper():
    first = [text for (text,) in ONE_SUMMARY[1]]
    scores = Rouge().get_scores(ONE_SUMMARY[0], first, avg=True)
    options = {"preset": "pltrdy", "output": "recall", "rouge_types": TYPES}
    return ONE_SUMMARY, percent(of_letter(scores, "r"), 1), options


def all_ngrams_paper():
    first = [text for (text,) in ONE_SUMMARY[1]]
    scorer = Rouge(metrics=["rouge-1", "rouge-2"], exclusive=False)
    numbers = of_letter(scorer.get_scores([*ONE_SUMMARY[0]], first, avg=True), "f")
    options = {"tokenizer": words_without_periods, "rouge_types": [*numbers]}
    return ONE_SUMMARY, percent(numbers, 4), options


def sacrebleu_paper(name, options, **call):
    predictions, references = TRANSLATIONS
    score = sacrebleu.corpus_bleu(predictions, as_streams(references), **call).score
    return TRANSLATIONS, {name: f"{score:.2f}"}, {"preset": "sacrebleu", **options}


def nltk_paper(options, words, score, weights=None, method=None):
    tokens = [words(text) for text in TRANSLATIONS[0]]
    references = [list(map(words, texts)) for texts in TRANSLATIONS[1]]
    numbers = {
        name: score(references, tokens, weights=one, smoothing_function=method)
        for name, one in (weights or {"bleu": [1 / 4] * 4}).items()
    }
    options = {"preset": "nltk", **options, **({"weights": weights} if weights else {})}
    return TRANSLATIONS, percent(numbers, 3), options


def mean_of_sentences(references, tokens, **options):
    return np.mean([*map(partial(sentence_bleu, **options), references, tokens)])


SMOOTHING = SmoothingFunction()
PAPERS = {
    "rouge_score": rouge_score_paper,
    "evaluate": evaluate_paper,
    "rouge": pltrdy_paper,
    "rouge, all n-grams": all_ngrams_paper,
    "sacreBLEU, by name": lambda: sacrebleu_paper("sacrebleu", {"lowercase": True}, lowercase=True),
    "sacreBLEU": lambda: sacrebleu_paper("bleu", {"tokenizer": "intl"}, tokenize="intl"),
    "NLTK": lambda: nltk_paper(
        {"smoothing": "add-k"},
        str.split,
        corpus_bleu,
        {f"bleu{n}": [1 / n] * n for n in (1, 2, 3, 4)},
        SMOOTHING.method2,
    ),
    "NLTK, sentences": lambda: nltk_paper(
        {"smoothing": "floor", "lowercase": True, "level": "sentence"},
        lambda text: text.lower().split(),
        mean_of_sentences,
        method=SMOOTHING.method1,
    ),
    "NLTK, words and signs": lambda: nltk_paper(
        {"tokenizer": words_and_signs}, re.compile(r"\w+|[^\w\s]").findall, corpus_bleu
    ),
}
TAKE_LONG = ("rouge", "sacreBLEU", "NLTK")


@cache
def known_results(corpus, names):
    texts = {"summaries": SUMMARIES, "one": ONE_SUMMARY, "translations": TRANSLATIONS}[corpus]
    return Search(*texts, [Reported(name, "1") for name in names]).results


@pytest.fixture
def search(monkeypatch):
    """`find_settings`, which computes the scores of a corpus once for all numbers."""
    corpora = {id(SUMMARIES): "summaries", id(ONE_SUMMARY): "one", id(TRANSLATIONS): "translations"}

    def search(corpus, numbers):
        results = known_results(corpora[id(corpus)], tuple(numbers))
        monkeypatch.setattr(Search, "results", results)
        return find_settings(*corpus, [f"{name}={text}" for name, text in numbers.items()])

    return search


def changed_in_last_digit(text, step):
    decimals = len(text.partition(".")[2])
    return f"{float(text) + step * 10**-decimals:.{decimals}f}"


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.deep] * (name in TAKE_LONG)) for name in PAPERS]
)
def test_settings_of_a_paper_are_found(search, name):
    """And not those of a paper with another last digit."""
    corpus, numbers, options = PAPERS[name]()
    metric = load_metric("bleu_full" if "bleu" in next(iter(numbers)) else "rouge_full")
    texts = dict(zip(("predictions", "references"), corpus, strict=True))
    expected = metric.compute(**texts, **options, signature=True)["signature"]

    def signatures(found):
        return [line for one in found for line in one.signatures]

    findings = search(corpus, numbers)
    assert findings.nearest == []
    assert expected in signatures(findings.matches)
    assert {one.agreement for one in findings.matches} == {"rounded"}
    assert len(findings.matches) < 5  # of some hundred
    for score, text in numbers.items():
        for step in (1, -1):
            other = search(corpus, {**numbers, score: changed_in_last_digit(text, step)}).matches
            # One less may be left when digits are truncated.
            wrong = [one for one in other if one.agreement == "rounded" or step == 1]
            assert expected not in signatures(wrong)


# --- tables -----------------------------------------------------------------------------------


def all_settings(reported, *, several=True):
    numbers = parse_reported(reported)
    if numbers[0].name.startswith("rouge"):
        return rouge_settings(numbers, has_several_references=several, n_words=100)
    return bleu_settings(numbers, has_several_references=several, has_sacrebleu=True)


def test_presets_with_weights():
    presets = BleuOptions.presets
    assert list(WEIGHTED_PRESETS) == [
        name for name in presets if "weights" in presets[name].options
    ]


def test_every_preset_is_tried():
    """Except "ignite" for BLEU, whose scores are those of "nltk" with level="sentence"."""
    rouge = {one.options.get("preset") for one in all_settings(["rouge1=40.5", "rougeL=40.5"])}
    bleu = {one.options.get("preset") for one in all_settings(["bleu=40.5"])}
    assert set(RougeOptions.presets) - rouge == set()
    assert set(BleuOptions.presets) - bleu == {"ignite"}


@pytest.mark.parametrize("several", [True, False])
@pytest.mark.parametrize("reported", [["rouge1=1", "rougeL=1"], ["bleu=1"]])
def test_no_setting_is_tried_twice(reported, several):
    settings = all_settings(reported, several=several)
    keys = [repr((sorted(one.options.items()), one.output, one.types)) for one in settings]
    assert len(set(keys)) == len(keys) > 100


ROUGE_NAMES = ["rouge1", "rouge2_recall", "rougeL", "rougeLsum", "rougeW", "rougeSU4_precision"]


@pytest.mark.parametrize(
    ("corpus", "rows", "names", "share"),
    [
        (SUMMARIES, range(0, 34, 6), ROUGE_NAMES, 60),
        (ONE_SUMMARY, range(1, 34, 5), ["rouge2", "rougeL"], 60),
        (ONE_SUMMARY, range(1, 34, 5), ["rouge1_precision"], 60),
        (with_first_references(TRANSLATIONS), range(0, 36, 5), ["bleu2"], 20),
        (TRANSLATIONS, range(0, 36, 5), ["bleu"], 20),
        (TRANSLATIONS, range(0, 36, 5), ["bleu1", "bleu4"], 20),
    ],
)
def test_scores_are_those_of_the_code_to_paste(corpus, rows, names, share):
    """Of all settings: sharing runs changes none of them. The code of some settings is run."""
    texts = tuple([column[row] for row in rows] for column in corpus)
    search = Search(*texts, [Reported(name, "1") for name in names])
    for setting in search.settings[len(names) :: share]:
        code = code_of(search.metric.name, setting, search.reported)
        found = run_code(code, texts)
        expected = {}
        for one in search.reported:
            key = setting.types.get(one.name, one.name)
            output = one.output or setting.output
            expected[one.name] = found.get(key, found.get(f"{key}_{output}", found.get("bleu")))
        assert search.scores(setting) == pytest.approx(expected, rel=1e-12, abs=1e-12), code


def run_code(code, texts):
    metrics = {name: load_metric(f"{name}_full") for name in ("rouge", "bleu")}
    values = dict(zip(("predictions", "references"), texts, strict=True))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return eval(code, {"statistics": statistics, "re": re, **metrics, **values})


def test_runs_are_shared():
    """No text is as long as most limits, and the types of all settings are computed at once."""
    search = Search(*ONE_SUMMARY, parse_reported(["rouge1=1", "rougeL=1"]))
    runs = list(search.results)
    assert len(runs) < len(search.settings) / 5
    limits = {value for run in runs for name, value in run if name in ("max_words", "max_bytes")}
    assert limits == {50, 75, None}  # the longest text has 63 words and 394 bytes


# --- what agrees ------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "scale"), [("0.6248", 1), ("62.48", 100)])
def test_both_scales(search, text, scale):
    matches = search(TRANSLATIONS, {"bleu": text}).matches
    assert [one.scale for one in matches] == [scale]
    assert matches[0].scores["bleu"] == pytest.approx(0.624764, abs=5e-7)


def test_truncated_numbers(search):
    """Of 54.8938, 28.4609 and 40.7693 no setting rounds to these."""
    matches = search(SUMMARIES, {"rouge1": "54.8", "rouge2": "28.4", "rougeL": "40.7"}).matches
    assert {one.agreement for one in matches} == {"truncated"}
    assert matches[0].settings[0].options == {"preset": "rouge_score"}


def test_nearest_settings(search):
    findings = search(SUMMARIES, {"rouge1": "54.90", "rouge2": "28.46", "rougeL": "40.80"})
    nearest = findings.nearest
    assert findings.matches == []
    assert len(nearest) == 3
    assert nearest[0].settings[0].options == {"preset": "rouge_score"}
    assert nearest[0].distance == pytest.approx(40.80 - 40.7693, abs=5e-5)
    assert nearest == sorted(nearest, key=lambda one: one.distance)


def test_evaluate_with_an_unknown_seed(search):
    numbers = evaluate_paper(5)[1]
    options = [one.settings[0].options for one in search(SUMMARIES, numbers).other_seeds]
    assert {"preset": "evaluate", "use_stemmer": True, "seed": 0} in options
    far = {**numbers, "rouge1": f"{float(numbers['rouge1']) + 0.02:.4f}"}
    assert search(SUMMARIES, far).other_seeds == []


def test_equal_results_are_one_group():
    """Each text is one line and has one reference, so that many settings are equal."""
    texts = ["A cat sat on the mat", "No dog ran"], [["the cat sat"], ["A dog ran home"]]
    findings = find_settings(*texts, ["rouge1=0.619047"])
    (match,) = findings.matches
    assert match.settings[0].options == {"preset": "rouge_score"}
    presets = {setting.options.get("preset") for setting in match.settings}
    assert presets >= {"rouge_score", "evaluate", "torchmetrics", None}
    assert findings.n_settings > 100 > findings.n_distinct > 10


# --- the command ------------------------------------------------------------------------------

PATHS = {name: str(ROOT / "examples" / f"{name}.jsonl") for name in ("summaries", "translations")}
REPORTED = ["--reported", "rouge1=54.89", "ROUGE-2", "28.46", "R-L:", "40.77"]


@pytest.fixture
def quick(output, monkeypatch):
    def quick(path, names, *arguments):
        monkeypatch.setattr(Search, "results", known_results(path, names))
        return output("find-settings", PATHS[path], *arguments)

    return quick


def test_page_of_matches(quick):
    out = quick("summaries", tuple(TYPES), *REPORTED)
    blocks = out.split("\n\n")
    assert blocks[0].startswith("rouge_full, 34 rows of ")
    lines = blocks[3].splitlines()
    assert lines[:2] == [
        '1. preset="rouge_score"',
        "   fmeasure: rouge1 54.8938, rouge2 28.4609, rougeL 40.7693",
    ]
    assert lines[2].startswith("   rouge.compute(")
    assert lines[3].startswith("   rouge_full|")


def test_page_without_a_match(quick):
    out = quick("translations", ("bleu",), "--reported", "bleu=99.9")
    assert out.count("bleu.compute(") == 3


def test_number_of_groups(quick):
    given = ["--reported", "bleu=62", "--show"]
    two, all_groups = (quick("translations", ("bleu",), *given, n) for n in ("2", "0"))
    assert ("\n2. " in two, "\n3. " in two, "--show 0" in two) == (True, False, True)
    assert "\n6. " in all_groups
    assert "--show 0" not in all_groups


def test_numbers_on_two_scales_are_named(quick):
    out = quick("summaries", tuple(TYPES), "--reported", "rouge1=0.5489", *REPORTED[2:])
    assert "rouge1=0.5489" in out.partition("above 1")[2]


def test_json(quick):
    content = json.loads(quick("summaries", tuple(TYPES), *REPORTED, "--json"))
    (match,) = content["matches"]
    assert (match["scale"], match["agreement"], content["nearest"]) == (100, "rounded", [])
    for setting in match["settings"]:
        scores = run_code(setting["code"], SUMMARIES)
        values = [scores.get(name, scores.get(f"{name}_fmeasure")) for name in TYPES]
        assert values == pytest.approx(list(match["scores"].values()), abs=1e-6)
        assert load_metric("rouge_full").options_of_signature(setting["signature"])


def test_module_has_no_unused_tolerance():
    """A score at half a unit is rounded either way."""
    one = Reported("rouge1", "41.16")
    assert one.is_rounded_from(0.41165, 100)
    assert one.is_rounded_from(0.41155, 100)
    assert module._scales([one]) == (100,)
