"""rouge-bleu score: the numbers are those of the functions, on one scale."""

import json
import subprocess
import sys
import warnings
from unittest.mock import ANY

import pytest

import rouge_bleu
from helpers.fold_cases import corpus
from rouge_bleu_tools.cli import score
from rouge_bleu_tools.cli.files import Texts
from rouge_bleu_tools.cli.inputs import load_metric

from .conftest import FIRST, PREDICTIONS, REFERENCES

TEXT = ["hyp.txt", "-r", "ref.txt"]
BOTH = ["hyp.txt", "-r", "ref.txt", "ref2.txt"]


@pytest.mark.parametrize(
    ("flags", "metric", "options"),
    [
        ([], "rouge", {}),
        (["--rouge-types", "rouge1", "rougeSU4"], "rouge", {"rouge_types": ["rouge1", "rougeSU4"]}),
        (
            ["--rouge-types", "rouge1", "--rouge-types", "rougeL"],
            "rouge",
            {"rouge_types": ["rouge1", "rougeL"]},
        ),
        (["--use-stemmer", "--beta", "2"], "rouge", {"use_stemmer": True, "beta": 2.0}),
        (["--stopwords", "words.txt"], "rouge", {"stopwords": ["the", "a", "of"]}),
        (["--no-use-aggregator"], "rouge", {"use_aggregator": False}),
        (["--preset", "ROUGE-1.5.5.pl -n 2 -a"], "rouge", {"preset": "ROUGE-1.5.5.pl -n 2 -a"}),
        (["--n-jobs", "2"], "rouge", {}),
        (["--smoothing", "exp"], "bleu", {"smoothing": "exp"}),
        (["--weights", "1", "1"], "bleu", {"weights": [1, 1]}),
        (["--weights", "b1=1", "b2=1,1"], "bleu", {"weights": {"b1": [1], "b2": [1, 1]}}),
        (
            ["--level", "sentence", "--no-lowercase"],
            "bleu",
            {"level": "sentence", "lowercase": False},
        ),
    ],
)
def test_json_is_what_the_function_returns(output, flags, metric, options):
    function = getattr(rouge_bleu, metric)
    more = {"output": "all"} if metric == "rouge" else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = function(PREDICTIONS, REFERENCES, **more, **options, signature=True)
    found = json.loads(output("score", *BOTH, "-m", metric, *flags, "--json"))
    assert found.keys() == expected.keys()
    for key in expected:
        same = key == "signature" or not isinstance(expected[key], float)
        assert found[key] == (expected[key] if same else pytest.approx(expected[key], rel=1e-12))


def test_two_metrics(output):
    found = json.loads(output("score", *BOTH, "-m", "rouge", "bleu", "--max-order", "2", "--json"))
    assert list(found) == ["rouge_full", "bleu_full"]
    bleu = rouge_bleu.bleu(PREDICTIONS, REFERENCES, max_order=2)["bleu"]
    assert found["bleu_full"]["bleu"] == pytest.approx(bleu, rel=1e-12)


# --- one scale --------------------------------------------------------------------------------

# rouge1 of rouge_score 0.1.2 for the three pairs: 5/6; 2 of 4 words of both; "it rains", "rain".
ROUGE1 = (5 / 6 + 2 / 4 + 0) / 3


def test_people_read_0_to_100(output):
    one = ["--rouge-types", "rouge1"]
    assert output("score", *TEXT, *one, "-b") == f"{100 * ROUGE1:.2f}\n" == "44.44\n"
    assert output("score", *TEXT, *one, "-b", "-w", "5") == "44.44444\n"
    assert output("score", *TEXT, *one, "-b", "--scale", "1") == "0.4444\n"
    row = output("score", *TEXT, *one).splitlines()[3]
    assert row.split() == ["rouge1", "44.44", "44.44", "44.44"]
    row = output("score", *TEXT, *one, "--scale", "1").splitlines()[3]
    assert row.split() == ["rouge1", "0.4444", "0.4444", "0.4444"]
    assert json.loads(output("score", *TEXT, *one, "--json"))["rouge1_fmeasure"] == pytest.approx(
        ROUGE1
    )


def test_both_metrics_have_one_scale(output):
    out = output(
        "score", *TEXT, "-m", "rouge", "bleu", "--rouge-types", "rouge1", "--max-order", "1", "-b"
    )
    bleu = rouge_bleu.bleu(PREDICTIONS, FIRST, max_order=1)["bleu"]
    assert out == f"44.44\n{100 * bleu:.2f}\n"


def test_rouge155_has_the_decimals_of_the_script(output, run):
    """The script prints 0 to 1 with five decimals, and the table says so."""
    out = output("score", *TEXT, "--preset", "rouge-1.5.5", "--rouge-types", "rouge1")
    assert "scores from 0 to 1" in out.splitlines()[0]
    options = {"preset": "rouge-1.5.5", "rouge_types": ["rouge1"]}
    scores = rouge_bleu.rouge(PREDICTIONS, FIRST, **options)  # of three outputs by this preset
    assert out.splitlines()[3].split() == ["rouge1", *(f"{x:.5f}" for x in scores.values())]
    call = ["score", *TEXT, "--preset", "rouge-1.5.5", "--rouge-types", "rouge1", "-b"]
    f = f"{scores['rouge1_fmeasure']:.5f}\n"
    assert run(*call) == (0, f, ANY)  # a bare number: standard error says the scale
    assert "0 to 1" in run(*call)[2]
    assert run(*call, "--scale", "100") == (0, f"{100 * scores['rouge1_fmeasure']:.2f}\n", "")


@pytest.mark.parametrize("flags", [[], ["-w", "4"], ["-lc"]])
def test_b_prints_what_sacrebleu_prints(folder, output, flags):
    """With the same texts, of which one line of references is missing in the second file."""
    call = [sys.executable, "-m", "sacrebleu", "ref.txt", "-i", "hyp.txt", "-m", "bleu", "-b"]
    expected = subprocess.run([*call, *flags], capture_output=True, text=True, check=True).stdout
    own = ["--lowercase" if flag == "-lc" else flag for flag in flags]
    assert output("score", *TEXT, "-m", "bleu", "--preset", "sacrebleu", "-b", *own) == expected
    if not flags:  # the table has two decimals of the same number
        table = output("score", *TEXT, "-m", "bleu", "--preset", "sacrebleu")
        two = subprocess.run([*call, "-w", "2"], capture_output=True, text=True, check=True).stdout
        assert table.splitlines()[2].split() == ["bleu", two.strip()]


def test_rows(output):
    out = output(
        "score", *TEXT, "--rouge-types", "rouge1", "--no-use-aggregator", "--output", "recall"
    )
    assert out.splitlines()[2:6] == ["row\trouge1", "1\t83.33", "2\t50.00", "3\t0.00"]
    flags = ["--rouge-types", "rouge1", "--no-use-aggregator", "-b"]
    assert output("score", *TEXT, *flags) == "83.33\n50.00\n0.00\n"


# --- signatures -------------------------------------------------------------------------------


def test_a_signature_restores_the_settings(output):
    flags = ["--rouge-types", "rouge2", "--use-stemmer", "--multi-reference", "average"]
    first = output("score", *BOTH, *flags)
    line = first.splitlines()[-1]
    assert line.startswith("rouge_full|")
    assert output("score", *BOTH, "--signature", line) == first


def test_another_number_of_references_is_a_warning(run):
    line = run("score", *BOTH, "--rouge-types", "rouge2")[1].splitlines()[-1]
    status, _, err = run("score", *TEXT, "--signature", line)
    assert status == 0
    assert err.startswith("warning: ")
    assert "refs:1" in err


# --- rows in batches --------------------------------------------------------------------------

DATA = corpus(40)
TYPES = {"rouge_types": ["rouge1", "rougeL"]}
OPTIONS = {
    "rouge_full": {**TYPES, "output": "all", "signature": True},
    "bleu_full": {"max_order": 2, "signature": True},
}


def scored(name, options, size, data=DATA, write=None, **how):
    scoring = score._Scoring(score.Run(load_metric(name), options, **how), write)
    for first in range(0, len(data["predictions"]), size):
        rows = slice(first, first + size)
        scoring.add(Texts(data["predictions"][rows], data["references"][rows]))
    return scoring.result()


@pytest.mark.parametrize("name", OPTIONS)
@pytest.mark.parametrize("size", [1, 7, 40])
def test_batches_give_what_compute_gives(name, size):
    options, written = OPTIONS[name], []
    result = scored(name, options, size, write=written.append)
    expected = load_metric(name).compute(**DATA, **options)
    assert list(result) == list(expected)
    for key, value in expected.items():
        assert result[key] == (value if key == "signature" else pytest.approx(value, rel=1e-12))
    items = load_metric(name).compute(**DATA, **{**options, "use_aggregator": False})
    rows = [row for batch in written for row in batch.to_pylist()]
    assert [row["row"] for row in rows] == list(range(1, 41))
    for key in set(rows[0]) - {"row"}:
        assert [row[key] for row in rows] == items[key]


@pytest.mark.parametrize(
    "options",
    [
        {"preset": "evaluate", "seed": 4} | TYPES,
        {"preset": "rouge-1.5.5", "confidence_level": 0.9, "n_resamples": 20} | TYPES,
    ],
)
def test_what_does_not_fold_is_computed_as_a_whole(options):
    assert scored("rouge_full", options, 7) == load_metric("rouge_full").compute(**DATA, **options)


@pytest.mark.parametrize(
    ("texts", "size", "n_warnings"),
    [(["你好"] * 6, 2, 1), (["a b"] * 5 + ["你好"], 5, 0), (["a b"] * 2 + ["你好"] * 4, 2, 1)],
)
def test_a_warning_is_shown_once_and_where_most_rows_gave_it(texts, size, n_warnings):
    data = {"predictions": texts, "references": [[text] for text in texts]}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        scored("rouge_full", {"rouge_types": ["rouge1"]}, size, data)
    assert len(caught) == n_warnings


# --- errors -----------------------------------------------------------------------------------

ERRORS = [
    (["-m", "rougeL"], "-m rouge --rouge-types rougeL"),
    (["-m", "chrf"], "'chrf'"),
    (["-m", "rouge", "rouge_full"], "twice"),
    (["--rouge-types", "rougeX"], "rouge_types[0]"),
    (["--tokenizer", "unicod"], "'unicode'"),
    (["--nonsense"], "--nonsense"),
    (["--tokeniser", "char"], "--tokenizer"),
    (["--max-words", "0"], "max_words"),
    (["--beta", "x"], "--beta"),
    (["--smoothing", "exp"], "-m bleu"),
    (["--preset", "sacrebleu"], "sacrebleu"),
    (["-m", "bleu", "--weights", "1", "b=1"], "--weights"),
    (["--stopwords", "none.txt"], "none.txt"),
    (["--exceptions", "none"], "none"),
    (["--json", "-b"], "--json"),
    (["-w", "30"], "--width"),
    (["--scale", "10"], "--scale"),
    (["-m", "rouge", "bleu", "--scores", "out.csv"], "--scores"),
    (["--signature", "BLEU|x"], "--preset"),
    (["--signature", "rouge_full|x"], "rouge_full"),
    (["--signature", "rouge_full|x", "--beta", "2"], "--beta"),
]


@pytest.mark.parametrize(("flags", "message"), ERRORS, ids=[" ".join(flags) for flags, _ in ERRORS])
def test_errors(error, flags, message):
    assert message in error("score", *TEXT, *flags)


def test_files_may_follow_flags_of_several_values(output):
    last = ["--rouge-types", "rouge1", "mine.csv", "--prediction", "output", "-r", "human_1", "-b"]
    assert output("score", *last) == "44.44\n"
