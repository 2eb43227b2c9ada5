"""rouge-bleu find-settings: papers whose settings it must find, its tables, what it prints and what
it refuses.

The papers are made by the packages themselves on texts of `examples/`.
"""

import dataclasses
import json
import re
import statistics
import warnings
from functools import partial

import numpy as np
import pytest
import sacrebleu
from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu, sentence_bleu

from helpers.bleu.peers import as_streams
from helpers.programs import printed, refusal, run_here
from helpers.repository import ROOT
from helpers.rouge.peers import evaluate_averages, rouge_score_items
from helpers.texts import example_corpus, with_first_references
from rouge import Rouge
from rouge_bleu._bleu.options import BleuOptions
from rouge_bleu._rouge.options import RougeOptions
from rouge_bleu_tools.commands.find_settings import main as find_settings
from rouge_bleu_tools.commands.find_settings import search as settings_search
from rouge_bleu_tools.commands.find_settings.bleu_candidates import (
    PRESETS_WITH_WEIGHTS,
    bleu_settings,
)
from rouge_bleu_tools.commands.find_settings.candidates import (
    rouge_settings,
    words_and_signs,
    words_without_periods,
)
from rouge_bleu_tools.commands.find_settings.printed import code_of
from rouge_bleu_tools.commands.find_settings.reported import (
    Reported,
    note_on_scales,
    parsed_numbers,
    scales,
)
from rouge_bleu_tools.commands.find_settings.scores import Texts, scores_of_settings

SUMMARIES, TRANSLATIONS = example_corpus("summaries"), example_corpus("translations")
ONE_SUMMARY = with_first_references(SUMMARIES)
FIRST = [text for (text,) in ONE_SUMMARY[1]]
TYPES = ["rouge1", "rouge2", "rougeL"]


def as_percent(scores, n_decimals=2):
    return {name: f"{100 * score:.{n_decimals}f}" for name, score in scores.items()}


# --- papers ---------------------------------------------------------------------------------------
# Each is a corpus, the numbers that a package printed for it, and the options of these numbers.


def rouge_score_paper():
    """Means of F of `rouge_score`; what it calls rougeLsum is reported as ROUGE-L."""
    items = rouge_score_items(*SUMMARIES, use_stemmer=True)
    meant = {"rouge1": "rouge1", "rouge2": "rouge2", "rougeL": "rougeLsum"}
    means = {name: np.mean([item[t].fmeasure for item in items]) for name, t in meant.items()}
    return SUMMARIES, as_percent(means), {"use_stemmer": True, "rouge_types": [*meant.values()]}


def evaluate_paper():
    averages = evaluate_averages(rouge_score_items(*SUMMARIES, use_stemmer=True), 42)
    numbers = {name: f"{averages[f'{name}_fmeasure']:.4f}" for name in TYPES}
    return SUMMARIES, numbers, {"preset": "evaluate", "use_stemmer": True, "seed": 42}


def of_letters(scores, letter):
    return {f"rouge{key[-1].upper()}": of_key[letter] for key, of_key in scores.items()}


def pltrdy_paper():
    scores = Rouge().get_scores(ONE_SUMMARY[0], FIRST, avg=True)
    options = {"preset": "pltrdy", "output": "recall", "rouge_types": TYPES}
    return ONE_SUMMARY, as_percent(of_letters(scores, "r"), 1), options


def all_ngrams_paper():
    """rouge 1.0.1: each n-gram counts as often as it stands there."""
    scorer = Rouge(metrics=["rouge-1", "rouge-2"], exclusive=False)
    numbers = of_letters(scorer.get_scores([*ONE_SUMMARY[0]], FIRST, avg=True), "f")
    options = {"tokenizer": words_without_periods, "rouge_types": [*numbers]}
    return ONE_SUMMARY, as_percent(numbers, 4), options


def sacrebleu_paper(name, options, **call):
    predictions, references = TRANSLATIONS
    score = sacrebleu.corpus_bleu(predictions, as_streams(references), **call).score
    return TRANSLATIONS, {name: f"{score:.2f}"}, {"preset": "sacrebleu", **options}


def nltk_paper(options, words, score, weights=None, method=None):
    """BLEU of NLTK on words that a function cuts."""
    tokens = [words(text) for text in TRANSLATIONS[0]]
    references = [list(map(words, texts)) for texts in TRANSLATIONS[1]]
    numbers = {
        name: score(references, tokens, weights=one, smoothing_function=method)
        for name, one in (weights or {"bleu": [1 / 4] * 4}).items()
    }
    options = {"preset": "nltk", **options, **({"weights": weights} if weights else {})}
    return TRANSLATIONS, as_percent(numbers, 3), options


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


@pytest.fixture
def metric_of(rouge_full, bleu_full):
    return lambda numbers: bleu_full if "bleu" in next(iter(numbers)) else rouge_full


def signature_of(metric, corpus, options):
    predictions, references = corpus
    data = {"predictions": predictions, "references": references}
    return metric.compute(**data, **options, signature=True)["signature"]


def changed_in_last_digit(text, step):
    n_decimals = len(text.partition(".")[2])
    return f"{float(text) + step * 10**-n_decimals:.{n_decimals}f}"


KNOWN_SCORES = {}


@pytest.fixture
def quick_search(monkeypatch):
    """`find_settings`, which computes the scores of a corpus once for all numbers."""

    def known(metric, settings, numbers, texts, **options):
        names = [one.name for one in numbers]
        has_stemmer = any("stemmer" in one.options for one in settings)
        key = json.dumps([metric.name, names, has_stemmer, texts.predictions, texts.references])
        if key not in KNOWN_SCORES:
            KNOWN_SCORES[key] = scores_of_settings(metric, settings, numbers, texts, **options)
        return dataclasses.replace(KNOWN_SCORES[key], numbers=numbers)

    monkeypatch.setattr(settings_search, "scores_of_settings", known)
    return settings_search.find_settings


def signatures_of(found):
    return [line for one in found for line in one.signatures]


def assert_found(search, metric, paper, **options):
    """The settings of a paper are found, and those of one with another last digit are not."""
    corpus, numbers, of_paper = paper
    expected = signature_of(metric, corpus, of_paper)
    findings = search(metric, *corpus, numbers, **options)
    assert findings.nearest == []
    assert expected in signatures_of(findings.matches)
    assert {one.agreement for one in findings.matches} == {"rounded"}
    assert len(findings.matches) < 5  # of some hundred
    for name, text in numbers.items():
        for step in (1, -1):
            other = {**numbers, name: changed_in_last_digit(text, step)}
            found = search(metric, *corpus, other, **options).matches
            # One less may be what is left when digits are cut off.
            wrong = [one for one in found if one.agreement == "rounded" or step == 1]
            assert expected not in signatures_of(wrong)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.deep] * (name in TAKE_LONG)) for name in PAPERS]
)
def test_settings_of_a_paper_are_found(metric_of, quick_search, name):
    paper = PAPERS[name]()
    assert_found(quick_search, metric_of(paper[1]), paper)


def test_presets_with_weights():
    """An order of these is weights, since they have some."""
    presets = BleuOptions.presets
    has_weights = [name for name in presets if "weights" in presets[name].options]
    assert list(PRESETS_WITH_WEIGHTS) == has_weights


def test_every_preset_is_tried():
    """But for that of ignite for BLEU, whose scores are those of "nltk" with level="sentence"."""
    reported = {"rouge1": "40.5", "rougeL": "40.5"}
    rouge = rouge_settings(parsed_numbers(reported), has_several=True)
    bleu = bleu_settings(parsed_numbers({"bleu": "40.5"}), has_several=True, has_sacrebleu=True)
    tried, tried_of_bleu = ({one.options.get("preset") for one in found} for found in (rouge, bleu))
    assert set(RougeOptions.presets) - tried == set()
    assert set(BleuOptions.presets) - tried_of_bleu == {"ignite"}


# --- all settings ---------------------------------------------------------------------------------


def run_code(code, corpus, **metrics):
    names = {"statistics": statistics, "re": re}
    names |= dict(zip(("predictions", "references"), corpus, strict=True))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return eval(code, names | metrics)


def some_items(corpus, rows):
    return tuple([column[row] for row in rows] for column in corpus)


ROUGE_NAMES = ["rouge1", "rouge2_recall", "rougeL", "rougeLsum", "rougeW", "rougeSU4_precision"]
FEW_NAMES = ["rouge2", "rougeL"]  # which all packages have
ROWS = {"several": (SUMMARIES, range(0, 34, 6)), "one": (ONE_SUMMARY, range(1, 34, 5))}


# Each of how many settings is tried.
SHARES = pytest.mark.parametrize("share", [60, pytest.param(3, marks=pytest.mark.deep)])


@SHARES
@pytest.mark.parametrize(
    ("corpus", "names"),
    [("several", ROUGE_NAMES), ("one", FEW_NAMES), ("one", ["rouge1_precision"])],
)
def test_scores_of_rouge_are_those_of_the_code_to_paste(rouge_full, corpus, names, share):
    """Of all settings: what runs share changes none of them. The code of some is run, which takes
    long, with other names that of others.
    """
    texts = some_items(*ROWS[corpus])
    numbers = [Reported(name, "1") for name in names]
    settings = list(rouge_settings(numbers, has_several=corpus == "several", n_words=100))
    if corpus == "one" and names == FEW_NAMES:
        assert len(settings) > 400
    tried = slice(len(names), None, share)
    assert_scores_of_code(settings, numbers, texts, tried, rouge=rouge_full)


@SHARES
@pytest.mark.parametrize(
    ("names", "n_references"), [(["bleu2"], 1), (["bleu"], 4), (["bleu1", "bleu4"], 4)]
)
def test_scores_of_bleu_are_those_of_the_code_to_paste(bleu_full, names, n_references, share):
    predictions, references = some_items(TRANSLATIONS, range(0, 36, 5))
    texts = predictions, [of_item[:n_references] for of_item in references]
    numbers = [Reported(name, "1") for name in names]
    settings = list(bleu_settings(numbers, has_several=n_references > 1, has_sacrebleu=True))
    assert_scores_of_code(settings, numbers, texts, slice(None, None, share // 3), bleu=bleu_full)


def assert_scores_of_code(settings, numbers, texts, tried, **metrics):
    (metric,) = metrics.values()
    scores = scores_of_settings(metric, settings, numbers, Texts.of(*texts))
    for setting in settings[tried]:
        code = code_of(metric.name, setting, numbers)
        found = run_code(code, texts, **metrics)
        assert scores.of(setting) == pytest.approx(
            {one.name: score_under(found, one, setting) for one in numbers}, rel=1e-12, abs=1e-12
        ), code


def score_under(found, one, setting):
    """The score of a reported number in a result, whose keys are of the metric."""
    if not setting.type_of_name:
        return found.get(one.name, found.get("bleu"))
    name = setting.type_of_name[one.name]
    return found.get(name, found.get(f"{name}_{one.output or setting.output}"))


@pytest.mark.parametrize("has_several", [True, False])
def test_no_setting_is_tried_twice(has_several):
    numbers = parsed_numbers(["rouge1=1", "rougeL=1"])
    of_rouge = rouge_settings(numbers, has_several=has_several, n_words=100)
    of_bleu = bleu_settings(numbers, has_several=has_several, has_sacrebleu=True)
    for settings in (of_rouge, of_bleu):
        fields = ((sorted(one.options.items()), one.output, one.type_of_name) for one in settings)
        keys = list(map(repr, fields))
        assert [key for key in keys if keys.count(key) > 1] == []


# --- what agrees ----------------------------------------------------------------------------------


def test_numbers_as_fractions_and_times_100(bleu_full, quick_search):
    """0.62 may be 62 or 0.62 of 100; 62.5 is not a fraction."""
    found = [scales(parsed_numbers({"bleu": text})) for text in ("0.62", "62.5", "1.0")]
    assert found == [(1, 100), (100,), (1, 100)]
    for text, scale in (("0.6248", 1), ("62.48", 100)):
        matches = quick_search(bleu_full, *TRANSLATIONS, {"bleu": text}).matches
        assert [one.scale for one in matches] == [scale]
        assert matches[0].score_of_name["bleu"] == pytest.approx(0.624764, abs=5e-7)


def test_numbers_that_are_cut_off(rouge_full, quick_search):
    """Of 54.8938, 28.4609 and 40.7693 no setting rounds to these."""
    numbers = {"rouge1": "54.8", "rouge2": "28.4", "rougeL": "40.7"}
    findings = quick_search(rouge_full, *SUMMARIES, numbers)
    assert {one.agreement for one in findings.matches} == {"cut off"}
    assert findings.matches[0].settings[0].options == {"preset": "rouge_score"}


def test_nearest_settings(rouge_full, quick_search):
    numbers = {"rouge1": "54.90", "rouge2": "28.46", "rougeL": "40.80"}
    findings = quick_search(rouge_full, *SUMMARIES, numbers)
    assert findings.matches == []
    assert len(findings.nearest) == 3
    nearest, second, third = findings.nearest
    assert nearest.settings[0].options == {"preset": "rouge_score"}
    assert nearest.distance == pytest.approx(40.80 - 40.7693, abs=5e-5)
    assert nearest.distance <= second.distance <= third.distance


def test_evaluate_with_a_seed_that_is_not_known(rouge_full, quick_search):
    averages = evaluate_averages(rouge_score_items(*SUMMARIES), 5)
    numbers = {name: f"{averages[f'{name}_fmeasure']:.4f}" for name in TYPES}
    found = quick_search(rouge_full, *SUMMARIES, numbers).of_other_seeds
    assert {"preset": "evaluate", "seed": 0} in [one.settings[0].options for one in found]
    far = {**numbers, "rouge1": f"{float(numbers['rouge1']) + 0.02:.4f}"}
    assert quick_search(rouge_full, *SUMMARIES, far).of_other_seeds == []


@pytest.mark.deep
def test_texts_without_words(rouge_full, bleu_full):
    texts = (["", ""], [[""], ["a b"]])
    assert search_of(rouge_full, texts, {"rouge1": "0.00"}).matches
    assert search_of(bleu_full, texts, {"bleu": "0.00"}).matches


def test_settings_with_the_same_numbers_stand_together(rouge_full):
    """Each text is one line and has one reference, so that many settings are the same."""
    corpus = ["A cat sat on the mat", "No dog ran"], [["the cat sat"], ["A dog ran home"]]
    findings = search_of(rouge_full, corpus, {"rouge1": "0.619047"})
    (match,) = findings.matches
    assert match.settings[0].options == {"preset": "rouge_score"}
    presets = {setting.options.get("preset") for setting in match.settings}
    assert presets >= {"rouge_score", "evaluate", "torchmetrics", None}
    assert findings.n_settings > 100 > findings.n_distinct > 10
    oddities = [setting.n_oddities for setting in match.settings]
    assert oddities == sorted(oddities)


def search_of(metric, corpus, numbers, **options):
    return settings_search.find_settings(metric, *corpus, numbers, **options)


def test_runs_are_shared(rouge_full):
    """No text is as long as a limit, and types of all settings are computed at once."""
    runs = []

    def progress(one_each):
        runs.extend(one_each)
        return one_each

    findings = search_of(rouge_full, ONE_SUMMARY, ["rouge1=1", "rougeL=1"], progress=progress)
    assert len(runs) == findings.n_runs < findings.n_settings / 5
    limits = {value for run in runs for name, value in run if name in ("max_words", "max_bytes")}
    # The longest text has 63 words and 394 bytes; longer limits stand for one.
    assert limits == {50, 75, None}


# --- the command ----------------------------------------------------------------------------------

PATHS = {name: str(ROOT / "examples" / f"{name}.jsonl") for name in ("summaries", "translations")}
REPORTED = ["--reported", "rouge1=54.89", "ROUGE-2=28.46", "rouge_l=40.77"]


@pytest.fixture
def run(capsys, quick_search):
    """Run the command in this process: exit code, output, errors."""
    return run_here(find_settings.main, capsys)


def test_the_page(run):
    """The file stands behind the numbers, of which there are several."""
    out = printed(run(*REPORTED, PATHS["summaries"]))
    title, tried, given, match, seeds, evidence = out.split("\n\n")
    assert title.startswith("rouge_full, 34 rows of summaries.jsonl; reported: rouge1=54.89, rou")
    assert tried.endswith(" different results on this file.")
    assert given.startswith("5 of them give all reported numbers, the same ones on this file:")
    lines = match.splitlines()
    assert lines[:2] == [
        '1. preset="rouge_score"',
        "   fmeasure times 100: rouge1 54.8938, rouge2 28.4609, rougeL 40.7693",
    ]
    assert lines[2].strip().startswith("rouge.compute(")
    assert lines[3].strip().startswith("rouge_full|")
    assert "preset=" in lines[4]
    assert "evaluate" in seeds
    assert evidence.startswith("Agreement is evidence and no proof")


def test_one_result(run, tmp_path):
    """Texts that are equal score 1 by any settings."""
    path = tmp_path / "one.jsonl"
    path.write_text('{"prediction": "a b", "references": "a b"}\n', encoding="utf-8")
    assert " 1 different result on this file." in printed(run(path, "--reported", "rouge1=100"))


def test_the_page_without_a_match(run):
    out = printed(run(PATHS["translations"], "--reported", "bleu=99.9"))
    assert "None of them gives all reported numbers. The nearest ones:\n\n1. " in out
    assert "   at most " in out
    assert out.count("bleu.compute(") == 3


def test_groups_that_are_not_shown(run):
    given = (PATHS["translations"], "--reported", "bleu=62", "--show")
    two, everything = (run(*given, n)[1] for n in ("2", "0"))
    assert "more groups give them too: --show 0 shows all." in two
    assert ("\n2. " in two, "\n3. " in two) == (True, False)
    assert "\n6. " in everything
    assert "more groups" not in everything


@pytest.mark.parametrize(
    ("texts", "note"),
    [
        (["41.16", "38.2"], None),
        (["0.4116", "1"], None),
        (["41.16", "0"], None),
        (["41.16", "0.382", "1.0"], "rouge2=0.382, rougeL=1.0 are read as 100 times a score too"),
    ],
)
def test_which_numbers_may_be_on_two_scales(texts, note):
    found = note_on_scales(parsed_numbers(dict(zip(TYPES, texts, strict=False))))
    assert found is None if note is None else note in found


def test_numbers_on_two_scales_are_named(run):
    out = run(PATHS["summaries"], *REPORTED[:1], "rouge1=0.5489", *REPORTED[2:])[1]
    assert "rouge1=0.5489 is read as 100 times a score too" in " ".join(out.split())


def test_json_has_every_setting(run, rouge_full):
    content = json.loads(printed(run(PATHS["summaries"], *REPORTED, "--json")))
    assert content["reported"] == {"rouge1": "54.89", "rouge2": "28.46", "rougeL": "40.77"}
    (match,) = content["matches"]
    assert (match["scale"], match["agreement"], content["nearest"]) == (100, "rounded", [])
    assert len(match["settings"]) == 5
    for setting in match["settings"]:
        scores = run_code(setting["code"], SUMMARIES, rouge=rouge_full)
        values = [scores.get(name, scores.get(f"{name}_fmeasure")) for name in TYPES]
        assert values == pytest.approx(list(match["scores"].values()), abs=1e-6)
        assert signature_options(rouge_full, setting["signature"])


def signature_options(metric, line):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return metric.options_of_signature(line)


UNKNOWN_NAME = (
    "--reported must name bleu, bleu1, bleu2, ..., sacrebleu, or a rouge type such as rouge1, rougeL or "
    "rougeSU4, with _precision, _recall or _fmeasure behind it where the paper says so, got "
)
SUCH_AS = "such as rouge1=41.16, rougeL_recall=0.38 or bleu=27.3"
OTHER_COLUMN = f"{PATHS['summaries']}: there is no column 'x'; the columns are 'id', 'predict"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("", "argument --reported: expected at least one argument"),
        ("rouge1", f"--reported must be name=number, {SUCH_AS}, got 'rouge1'"),
        ("rouge1=41,2", f"--reported rouge1 must be a number, {SUCH_AS}, got '41,2'"),
        ("rouge1=nan", "--reported rouge1 must be from 0 to 100, got 'nan'"),
        ("rouge1=-1", "--reported rouge1 must be from 0 to 100, got '-1'"),
        ("bleu=101", "--reported bleu must be from 0 to 100, got '101'"),
        ("bleu=1e1", "--reported bleu must be written with all its digits, got '1e1'"),
        ("rougeX=41", UNKNOWN_NAME + "'rougeX'"),
        ("rouge1_f1=41", UNKNOWN_NAME + "'rouge1_f1'"),
        ("bleu10=41", UNKNOWN_NAME + "'bleu10'"),
        ("rouge1=1 ROUGE-1=2", "--reported has 'rouge1' 2 times"),
        ("rouge1=1 bleu=2", "--reported must be scores of one metric, got ROUGE and BLEU: search "),
        ("rouge1=1 --show -1", "--show must be at least 0, got -1"),
        ("rouge1=1 --prediction x", OTHER_COLUMN),
        ("rouge1=1 --exceptions none", "--exceptions: exceptions must be a folder with WordNet's "),
    ],
)
def test_errors_in_one_line(run, arguments, message):
    said = refusal(run(PATHS["summaries"], "--reported", *arguments.split()))
    assert said.startswith(message)


def test_names_as_papers_write_them():
    written = "ROUGE-L rouge-lsum Rouge_su4_recall rougeW-1.2 rougeS* BLEU-4 sacreBLEU".split()
    names = "rougeL rougeLsum rougeSU4_recall rougeW-1.2 rougeS* bleu4 sacrebleu".split()
    found = [parsed_numbers([f"{name} = 1.0"]) for name in written]
    assert found == [[Reported(name, "1.0")] for name in names]
