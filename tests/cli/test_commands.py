"""The command as a whole, and `score`, `explain` and `sample`: the numbers are those of the functions."""

import json
import math
import os
import subprocess
import sys
import warnings
from unittest.mock import Mock

import pytest

import rouge_bleu
from helpers.repository import ROOT
from rouge_bleu_tools.cli import inputs, score

from .conftest import FIRST, PREDICTIONS, REFERENCES

TEXT = ["hyp.txt", "-r", "ref.txt"]
BOTH = ["hyp.txt", "-r", "ref.txt", "ref2.txt"]
ROUGE1 = ["--rouge-types", "rouge1"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}


def test_score_does_not_import_evaluate(folder):
    """evaluate takes seconds to import."""
    code = (
        "import sys; from rouge_bleu_tools.cli.main import main; "
        "main(['score', 'hyp.txt', '-r', 'ref.txt', '-m', 'rouge', 'bleu', '-b']); "
        "assert not {'evaluate', 'datasets'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env=ENVIRONMENT, capture_output=True)


@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
def test_a_closed_pipe_is_status_141(folder):
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "rouge_bleu", "score", *TEXT]
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, env=ENVIRONMENT)
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.parametrize(("raised", "status"), [(KeyboardInterrupt(), 130), (MemoryError("8"), 2)])
def test_interrupts_and_memory(capsys, raised, status):
    assert inputs.exit_status(Mock(side_effect=raised)) == status
    assert str(raised) in capsys.readouterr().err


@pytest.mark.parametrize(
    ("flags", "options"),
    [
        ("", {}),
        ("--rouge-types all", {"rouge_types": "all"}),
        ("-m ROUGE --rouge-types rouge1,rougeSU4", {"rouge_types": ["rouge1", "rougeSU4"]}),
        ("--rouge-types rouge1 --rouge-types rougeL", {"rouge_types": ["rouge1", "rougeL"]}),
        ("--use-stemmer --beta 2", {"use_stemmer": True, "beta": 2.0}),
        ("--stopwords words.txt", {"stopwords": ["the", "a", "of"]}),
        ("--no-use-aggregator", {"use_aggregator": False}),
        ("--preset rouge-1.5.5 --n-jobs 2", {"preset": "rouge-1.5.5"}),
        # What does not fold is computed as a whole.
        ("--preset evaluate --seed 4", {"preset": "evaluate", "seed": 4}),
        ("-m bleu --smoothing exp", {"smoothing": "exp"}),
        ("-m bleu --weights 1 1", {"weights": [1, 1]}),
        ("-m bleu --weights b1=1 b2=1,1", {"weights": {"b1": [1], "b2": [1, 1]}}),
        ("-m bleu --level sentence --no-lowercase", {"level": "sentence", "lowercase": False}),
    ],
)
@pytest.mark.parametrize("n_rows", [1, 2, 20_000])
def test_json_is_what_the_function_returns(output, monkeypatch, flags, options, n_rows):
    """However many rows are scored together."""
    monkeypatch.setattr(score, "_N_ROWS", n_rows)
    of_bleu = "bleu" in flags
    function = rouge_bleu.bleu if of_bleu else rouge_bleu.rouge
    more = {} if of_bleu else {"output": "all"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = function(PREDICTIONS, REFERENCES, **more, **options, signature=True)
    found = json.loads(output("score", *BOTH, *flags.split(), "--json"))
    assert found.keys() == expected.keys()
    for key, value in expected.items():
        assert found[key] == (pytest.approx(value, rel=1e-12) if key != "signature" else value)


@pytest.mark.parametrize(
    ("flags", "printed"), [([], "44.44"), (["-w", "5"], "44.44444"), (["--scale", "1"], "0.4444")]
)
def test_people_read_0_to_100(output, run, flags, printed):
    """rouge1 of rouge_score 0.1.2 for the pairs: 5/6; 2 of 4 words of both; "it rains", "rain"."""
    assert f"{100 * (5 / 6 + 2 / 4 + 0) / 3:.5f}" == "44.44444"
    assert output("score", *TEXT, *ROUGE1, "-b", *flags) == f"{printed}\n"
    with_level = ["--confidence-level", "0.9", "--n-resamples", "9"]
    shown = run("score", *TEXT, *ROUGE1, "-b", *flags, *with_level)
    assert shown == (0, f"{printed}\n", "note: -b prints no intervals. Use --json\n")
    row = output("score", *TEXT, *ROUGE1, *flags).splitlines()[3]
    assert row.split() == ["rouge1", *[printed] * 3]
    bleu = rouge_bleu.bleu(PREDICTIONS, FIRST, max_order=1)["bleu"]
    both = ["score", *TEXT, "-m", "rouge,bleu", *ROUGE1, "--max-order", "1"]
    assert output(*both, "-b") == f"44.44\n{100 * bleu:.2f}\n"
    assert list(json.loads(output(*both, "--json"))) == ["rouge_full", "bleu_full"]


@pytest.mark.parametrize("empty", ["", " ", "\u3000", "\u00a0", "\u200b", "...", []])
@pytest.mark.parametrize("command", ["score", "compare"])
def test_references_without_a_token_are_left_out(folder, output, command, empty):
    """The other reference has 9 words and the prediction 4: BLEU is exp(1 - 9 / 4)."""
    row = {"prediction": "aa bb cc dd", "references": ["aa bb cc dd ee ff gg hh ii", empty]}
    row["references"] = row["references"][: 1 if empty == [] else 2]
    (folder / "empty.jsonl").write_text(json.dumps(row), encoding="utf-8")
    columns = ["--systems", "prediction"] if command == "compare" else []
    tokenizer = ["--tokenizer", "unicode"]
    found = json.loads(output(command, "empty.jsonl", *columns, "-m", "bleu", *tokenizer, "--json"))
    score = found["scores"][0]["score"] if columns else found["bleu"]
    assert score == pytest.approx(math.exp(1 - 9 / 4))


def test_an_empty_reference_is_scored_with_allow_empty(folder, output, error):
    (folder / "empty.jsonl").write_text('{"prediction": "", "references": ""}')
    assert "--allow-empty" in error("score", "empty.jsonl", "-m", "bleu")
    call = ["score", "empty.jsonl", "--allow-empty", "-m", "bleu", "-b"]
    assert output(*call) == f"{100 * rouge_bleu.bleu([''], [''])['bleu']:.2f}\n"


def test_rouge155_has_the_decimals_of_the_script(output, run):
    """The script prints 0 to 1 with five decimals, and the table says so."""
    call = ["score", *TEXT, "--preset", "rouge-1.5.5", *ROUGE1]
    lines = output(*call).splitlines()
    assert "0 to 1" in lines[0]
    scores = rouge_bleu.rouge(PREDICTIONS, FIRST, preset="rouge-1.5.5", rouge_types=["rouge1"])
    assert lines[3].split() == ["rouge1", *(f"{x:.5f}" for x in scores.values())]
    f = scores["rouge1_fmeasure"]
    status, out, err = run(*call, "-b")  # a bare number: standard error says the scale
    assert (status, out, "0 to 1" in err) == (0, f"{f:.5f}\n", True)
    assert run(*call, "-b", "--scale", "100") == (0, f"{100 * f:.2f}\n", "")


@pytest.mark.parametrize("flags", [[], ["-w", "4"], ["-lc"]])
def test_b_prints_what_sacrebleu_prints(folder, output, flags):
    def printed(*flags):
        call = [sys.executable, "-m", "sacrebleu", "ref.txt", "-i", "hyp.txt", "-m", "bleu", "-b"]
        return subprocess.run([*call, *flags], capture_output=True, text=True, check=True).stdout

    call = ["score", *TEXT, "-m", "bleu", "--preset", "sacrebleu"]
    own = ["--lowercase" if flag == "-lc" else flag for flag in flags]
    assert output(*call, "-b", *own) == printed(*flags)
    if not flags:  # the table has two decimals of the same number
        assert output(*call).splitlines()[2].split() == ["bleu", printed("-w", "2").strip()]


def test_rows_of_a_file_that_follows_flags_of_several_values(output):
    call = ["score", *ROUGE1, "mine.csv", "--prediction", "output", "-r", "human_1"]
    call.append("--no-use-aggregator")
    lines = output(*call, "--output", "recall").splitlines()
    assert lines[2:6] == ["row\trouge1", "1\t83.33", "2\t50.00", "3\t0.00"]
    assert output(*call, "-b") == "83.33\n50.00\n0.00\n"


def test_a_signature_restores_the_settings(output, run):
    flags = ["--rouge-types", "rouge2", "--use-stemmer", "--multi-reference", "average"]
    first = output("score", *BOTH, *flags)
    line = first.splitlines()[-1]
    assert line.startswith("rouge_full|")
    assert output("score", *BOTH, "--signature", line) == first
    status, _, err = run("score", *TEXT, "--signature", line)  # a different number of references
    assert (status, err[:9]) == (0, "warning: ")
    assert "refs:1" in err


def test_a_warning_is_shown_once_and_where_most_rows_gave_it(folder, run, monkeypatch):
    for texts, size, n_warnings in ((["\u4f60"] * 6, 2, 1), (["a b"] * 5 + ["\u4f60"], 5, 0)):
        monkeypatch.setattr(score, "_N_ROWS", size)
        (folder / "texts.txt").write_text("\n".join(texts), encoding="utf-8")
        error = run("score", "texts.txt", "-r", "texts.txt", *ROUGE1)[2]
        assert error.count("warning") == n_warnings


ERRORS = [  # flags, and a name that the error must contain
    ("-m rougeL", "--rouge-types rougeL"),
    ("--rouge-types rougeX", "--rouge-types must"),
    ("--tokenizer unicod", "'unicode'"),
    ("--nonsense", "--nonsense"),
    ("--max-words 0", "--max-words"),
    ("--smoothing exp", "-m bleu"),
    ("-m bleu --weights 1 b=1", "--weights"),
    ("--stopwords none.txt", "none.txt"),
    ("--exceptions none", "none"),
    ("--json -b", "--json"),
    ("-w 30", "--width"),
    ("--refs ref2.txt", "Did you mean --reference?"),
    ("--metrics rouge", "Did you mean --metric?"),
    ("--ci 0.9", "Did you mean --confidence-level?"),
    ("-tok none", "Did you mean --tokenizer?"),
    ("--hyp hyp.txt", "FILE has no flag"),
    ("--preset pyrouge", "Did you mean 'rouge-1.5.5'?"),
    ("--lowercaes", "Did you mean --lowercase?"),
    ("--force", "Leave it out"),
    ("--n-jobs all", "-1 for all cores"),
    ("--preset sacrebleu", "Use -m bleu"),
    ("--keep id", "--scores"),
    ("--worst 2 -b", "--worst"),
    ("--worst -1", "--worst"),
    ("--keep id --scores out.csv", "--keep names columns"),
    ("--signature BLEU|x", "--preset"),
    ("--signature rouge_full|x", "rouge_full"),
    ("--signature rouge_full|x --beta 2", "--beta"),
]


@pytest.mark.parametrize(("flags", "message"), ERRORS)
def test_errors(error, flags, message):
    assert message in error("score", *TEXT, *flags.split())


def test_an_unknown_command_and_control_characters(error, run):
    assert "'score'" in error("scor", "hyp.txt")
    assert "\\x1b[2J" in error("score", "\x1b[2J.txt", "-r", "ref.txt")
    assert run() == run("--help")
    assert run("--version") == (0, f"rouge-bleu {rouge_bleu.__version__}\n", "")


PAIR = ["the cat sat on a mat", "the cat sat on the mat"]


def test_explain_marks_matches(output, run, monkeypatch):
    shown = output("explain", *PAIR, "--rouge-types", "rouge1", "rouge2")
    # 5 of 6 words and 3 of 5 bigrams match.
    for text in ("F 83.33", "[on] a [mat]", "F 60.00", "[on] the mat"):
        assert text in shown
    assert "precision 0.8333" in output("explain", *PAIR, "--scale", "1")
    lines = output("explain", *PAIR, "the cat sat", *ROUGE1).splitlines()
    assert ("* precision 83.33" in lines[2], "* precision" in lines[4]) == (True, False)
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert "\x1b[1;32mcat\x1b[0m" in run("explain", *PAIR)[1]
    assert "hyp.txt" in run("explain", "hyp.txt", "ref.txt")[2]  # a warning: these may be files
    with monkeypatch.context() as closed:  # rouge-bleu explain a a >&-
        closed.setattr(sys, "stdout", None)
        assert run("explain", *PAIR)[0] == 0


@pytest.mark.parametrize("name", ["rouge", "bleu"])
def test_explain_json(output, name):
    explain = getattr(rouge_bleu, f"explain_{name}")
    options = {"rouge_types": ["rouge1", "rouge2", "rougeL"]} if name == "rouge" else {}
    expected = explain(PAIR[0], [PAIR[1]], **options)
    assert json.loads(output("explain", *PAIR, "-m", name, "--json")) == expected
    if name == "bleu":
        shown = output("explain", *PAIR, "-m", "bleu")
        assert f"{100 * expected['bleu']:.2f}" in shown
        assert "5 of 6" in shown


def test_sample(output, error):
    output("sample", "new")
    files = ["new/systems/better.txt", "-r", "new/systems/references.txt"]
    assert output("score", *files, "-m", "bleu", "-b") == "75.66\n"  # sacrebleu 2.6.0
    assert "not empty" in error("sample", "new")
