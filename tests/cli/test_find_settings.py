"""rouge-bleu find-settings: papers whose settings it must find, its tables, and its output."""

import importlib.util
import json
import re
import shlex
import statistics
import warnings
from functools import cache

import pytest

from helpers.repository import ROOT
from helpers.texts import example_corpus, with_first_references
from rouge_bleu._bleu.options import BleuOptions
from rouge_bleu._rouge.options import RougeOptions
from rouge_bleu_tools.cli.find_settings import Reported, Search, find_settings, parse_reported
from rouge_bleu_tools.cli.inputs import load_metric
from rouge_bleu_tools.cli.settings import WEIGHTED_PRESETS, words_and_signs, words_without_periods

SUMMARIES, TRANSLATIONS = example_corpus("summaries"), example_corpus("translations")
CORPORA = {
    "summaries": SUMMARIES,
    "one": with_first_references(SUMMARIES),
    "translations": TRANSLATIONS,
    "one translation": with_first_references(TRANSLATIONS),
}
TYPES = ["rouge1", "rouge2", "rougeL"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("R-1: 41.2, R-2: 18.9; R-L: 38.2", "rouge1=41.2 rouge2=18.9 rougeL=38.2"),
        ("R1 41.2 / ROUGE-L recall 38.2", "rouge1=41.2 rougeL_recall=38.2"),
        ("rouge2_precision=.3 ROUGE-1 F1: 41.16%", "rouge2_precision=.3 rouge1_fmeasure=41.16"),
        ("rouge-lsum 31.0 ROUGE-SU4 15.3", "rougeLsum=31.0 rougeSU4=15.3"),
        ("ROUGE-W-1.2 14.5 rougeS* 14.5", "rougeW-1.2=14.5 rougeS*=14.5"),
        ("BLEU-4: 0.273, bleu1=70", "bleu4=0.273 bleu1=70"),
        ("sacreBLEU 27.3", "sacrebleu=27.3"),
        ("R-1/R-2/RL = 44.16/21.2/40.90", "rouge1=44.16 rouge2=21.2 rougeL=40.90"),
        ("41.2 ROUGE-1, 18.3 ROUGE-2.", "rouge1=41.2 rouge2=18.3"),
        ("ROUGE-Lsum (P) 38 ± 0.3 %", "rougeLsum_precision=38"),
        ("BLEU of 27.3.", "bleu=27.3"),
        ("57.3 / 29.4 / 50.2", "rouge1=57.3 rouge2=29.4 rougeL=50.2"),
        ("41.2/19.1/38.3", "rouge1=41.2 rouge2=19.1 rougeL=38.3"),
    ],
)
def test_numbers_as_papers_print_them(text, expected):
    for given in ([text], text.split()):  # in one argument or several
        assert [f"{one.name}={one.text}" for one in parse_reported(given)] == expected.split()


BAD = "|rouge1|rouge1=41,2|rouge1=nan|rouge1=-1|bleu=101|bleu=1e1|rougeX=41|rouge0=4|bleu10=41"
BAD += "|rouge1=1 ROUGE-1=2|rouge1=1 bleu=2|chrF 50"


def test_errors(error):
    call = ["find-settings", "hyp.txt", "-r", "ref.txt", "--reported"]
    for text in BAD.split("|"):
        assert error(*call, text).startswith("--reported"), text
    assert "--show" in error(*call, "rouge1=1", "--show", "-1")
    assert "none" in error(*call, "rouge1=1", "--exceptions", "none")
    assert "--reported BLEU=75.66" in error(*call, "75.66")
    assert "decimal points: 41.2 instead" in error(*call, "41,2 / 19,1 / 38,3")
    assert "METEOR is no score" in error(*call, "METEOR 30.1 BLEU 27")


OF_ORDERS = {f"bleu{n}": [1 / n] * n for n in (1, 2, 3, 4)}
# What packages print for the texts of `examples/`, and the options of these numbers.
PAPERS = [
    # rouge_score 0.1.2: means of F of `score_multi`, use_stemmer=True; rougeLsum is reported as ROUGE-L
    (
        *("summaries", "rouge1=57.26 rouge2=29.40 rougeL=50.22"),
        {"preset": "rouge_score", "use_stemmer": True, "rouge_types": [*TYPES[:2], "rougeLsum"]},
    ),
    # evaluate 0.4.6, metrics/rouge, use_stemmer=True, after numpy.random.seed(42)
    (
        *("summaries", "rouge1=0.5741 rouge2=0.2933 rougeL=0.4234"),
        {"preset": "evaluate", "use_stemmer": True, "seed": 42},
    ),
    # rouge_score 0.1.2: means of F of the first 20 words of each text
    (
        *("one", "rouge1=50.35 rouge2=23.86 rougeL=37.61"),
        {"preset": "rouge_score", "max_words": 20, "rouge_types": TYPES},
    ),
    # rouge 1.0.1: `Rouge(metrics=["rouge-1", "rouge-2"], exclusive=False)`, F
    (
        *("one", "rouge1=47.9599 rouge2=23.0543"),
        {"tokenizer": words_without_periods, "rouge_types": TYPES[:2]},
    ),
    # sacrebleu 2.6.0: `corpus_bleu` with lowercase=True
    ("translations", "sacrebleu=62.85", {"preset": "sacrebleu", "lowercase": True}),
    # nltk 3.10.4: `corpus_bleu` of `str.split` with weights of 1 to 4 orders and method2; the mean of
    # `sentence_bleu` of lowercased words with method1; `corpus_bleu` of the words r"\w+|[^\w\s]"
    pytest.param(
        *("translations", "bleu1=83.433 bleu2=73.164 bleu3=64.365 bleu4=57.245"),
        {"preset": "nltk", "smoothing": "add-k", "weights": OF_ORDERS},
        marks=pytest.mark.deep,
    ),
    (
        *("translations", "bleu=53.728"),
        {"preset": "nltk", "smoothing": "floor", "lowercase": True, "level": "sentence"},
    ),
    ("translations", "bleu=62.275", {"preset": "nltk", "tokenizer": words_and_signs}),
]


results_of_search = vars(Search)["results"].func  # tests replace the property


@cache
def known_results(corpus, names):
    return results_of_search(Search(*CORPORA[corpus], [Reported(name, "1") for name in names]))


@pytest.fixture
def search(monkeypatch):
    """`find_settings`, which computes the scores of a corpus once for all numbers."""

    def search(corpus, text):
        names = tuple(one.name for one in parse_reported([text]))
        monkeypatch.setattr(Search, "results", known_results(corpus, names))
        return find_settings(*CORPORA[corpus], [text])

    return search


def with_last_digits(numbers):
    """Yield numbers of which one has a last digit that is one more or less."""
    for match in re.finditer(r"=\d+\.(\d+)", numbers):
        for step in (1, -1):
            other = f"={float(match[0][1:]) + step * 10 ** -len(match[1]):.{len(match[1])}f}"
            yield numbers[: match.start()] + other + numbers[match.end() :]


@pytest.mark.parametrize(("corpus", "numbers", "options"), PAPERS)
def test_settings_of_a_paper_are_found(search, corpus, numbers, options):
    """And not those of a paper with a different last digit."""
    metric = load_metric("rouge_full" if "rouge" in numbers else "bleu_full")
    texts = dict(zip(("predictions", "references"), CORPORA[corpus], strict=True))
    expected = metric.compute(**texts, **options, signature=True)["signature"]

    def signatures(found):
        return [setting.signature for one in found for setting in one.settings]

    findings = search(corpus, numbers)
    assert findings.nearest == []
    assert expected in signatures(findings.matches)
    assert len(findings.matches) < 5  # of some hundred
    for other in with_last_digits(numbers):
        assert expected not in signatures(search(corpus, other).matches)


def test_every_preset_is_tried():
    """Except "ignite" for BLEU, whose scores are those of "nltk" with level="sentence"."""
    presets, tried = BleuOptions.presets, []
    for reported, corpus in ((["rouge1=4", "rougeL=4"], "summaries"), (["bleu=4"], "translations")):
        settings = Search(*CORPORA[corpus], parse_reported(reported)).settings
        keys = {repr((sorted(one.options.items()), one.output, one.types)) for one in settings}
        assert len(keys) == len(settings) > 100  # no setting is tried twice
        tried.append({one.options.get("preset") for one in settings})
    assert set(RougeOptions.presets) - tried[0] == set()
    assert set(presets) - tried[1] == {"ignite"}
    assert set(WEIGHTED_PRESETS) == {name for name in presets if "weights" in presets[name].options}


ROUGE_NAMES = ["rouge1", "rouge2_recall", "rougeL", "rougeLsum", "rougeW", "rougeSU4_precision"]


@pytest.mark.parametrize(
    ("corpus", "rows", "names", "share"),
    [
        ("summaries", range(0, 34, 6), ROUGE_NAMES, 60),
        ("one", range(1, 34, 5), ["rouge1_precision", "rougeL"], 60),
        ("one translation", range(0, 36, 5), ["bleu2"], 20),
        ("translations", range(0, 36, 5), ["bleu"], 20),
        ("translations", range(0, 36, 5), ["bleu1", "bleu4"], 20),
    ],
)
def test_scores_are_those_of_the_code_to_paste(corpus, rows, names, share):
    """Sharing runs changes no score. The code of some settings is run."""
    texts = tuple([column[row] for row in rows] for column in CORPORA[corpus])
    search = Search(*texts, [Reported(name, "1") for name in names])
    for setting in search.settings[len(names) :: share]:
        code = search.described(setting).code
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


def test_a_score_from_0_to_1(search):
    """sacrebleu 2.6.0 prints 62.476 for the translations."""
    matches = search("translations", "bleu=0.6248").matches
    assert {one.scale for one in matches} == {1}
    assert matches[0].settings[0].options == {"preset": "sacrebleu"}


def test_nearest_settings(search):
    findings = search("summaries", "rouge1=54.90 rouge2=28.46 rougeL=40.80")
    nearest = findings.nearest
    assert findings.matches == []
    assert nearest[0].settings[0].options == {"preset": "rouge_score"}
    assert nearest[0].distance == pytest.approx(40.80 - 40.7693, abs=5e-5)
    assert nearest == sorted(nearest, key=lambda one: one.distance)


def test_evaluate_with_an_unknown_seed(search):
    """evaluate 0.4.6, as in PAPERS, after numpy.random.seed(5)."""
    other_seeds = search("summaries", "rouge1=0.5728 rouge2=0.2949 rougeL=0.4221").other_seeds
    options = [one.settings[0].options for one in other_seeds]
    assert {"preset": "evaluate", "use_stemmer": True, "seed": 0} in options
    assert search("summaries", "rouge1=0.5928 rouge2=0.2949 rougeL=0.4221").other_seeds == []


REPORTED = ["--reported", "rouge1=54.89", "ROUGE-2", "28.46", "R-L:", "40.77"]


@pytest.fixture
def quick(output, monkeypatch):
    def quick(corpus, *arguments):
        names = tuple(TYPES if corpus == "summaries" else ["bleu"])
        monkeypatch.setattr(Search, "results", known_results(corpus, names))
        return output("find-settings", ROOT / "examples" / f"{corpus}.jsonl", *arguments)

    return quick


def test_settings_that_need_a_missing_package_are_named(quick, monkeypatch):
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: (name != "sacrebleu" and find(name)) or None
    )
    shown = quick("translations", "--reported", "bleu=99.9")
    assert "pip install sacrebleu" in shown
    assert " all " not in shown.partition("tried,")[2].partition("1.")[0]


def test_output(quick, run):
    lines = quick("summaries", *REPORTED).split("\n\n")[3].splitlines()
    assert 'preset="rouge_score"' in lines[0]
    assert "rouge1 54.8938, rouge2 28.4609, rougeL 40.7693" in lines[1]
    assert lines[2].startswith("   rouge.compute(")
    assert lines[3].startswith("   rouge-bleu score ")
    command = shlex.split(lines[3])
    scores = run(*command[1:], "--scale", "100", "-b")[1].split()
    assert scores == ["54.89", "28.46", "40.77"]
    # Without a match: the nearest three. A number up to 1 beside others is named.
    far = quick("translations", "--reported", "bleu=99.9")
    assert (far.count("bleu.compute("), far.endswith("not those that were scored.\n")) == (3, True)
    assert "not those" not in quick("translations", "--reported", "bleu=62.5555")
    both = quick("summaries", "--reported", "rouge1=0.5489", *REPORTED[2:])
    assert "rouge1=0.5489: read from 0 to 100" in both
    shown = [
        quick("translations", "--reported", "bleu=62", "--show", n).count("bleu.compute(")
        for n in "20"
    ]
    assert shown[0] == 2 < 5 < shown[1]
    (match,) = json.loads(quick("summaries", *REPORTED, "--json"))["matches"]
    for setting in match["settings"]:
        scores = run_code(setting["code"], SUMMARIES)
        values = [scores.get(name, scores.get(f"{name}_fmeasure")) for name in TYPES]
        assert values == pytest.approx(list(match["scores"].values()), abs=1e-6)
