"""The command as a whole, `explain`, and `sample`."""

import json
import os
import subprocess
import sys

import pytest

import rouge_bleu
from helpers.repository import ROOT
from rouge_bleu_tools.cli import inputs
from rouge_bleu_tools.cli.inputs import exit_status, files_first, progress

PAIR = ["the cat sat on a mat", "the cat sat on the mat"]


def test_help_and_version(run):
    status, out, _ = run("--help")
    assert status == 0
    for name in ("score", "compare", "find-settings", "explain", "sample", "install", "page"):
        assert name in out
    assert run("--version")[1] == f"rouge-bleu {rouge_bleu.__version__}\n"
    assert run()[1] == out


@pytest.mark.parametrize("name", ["score", "compare", "find-settings", "explain"])
def test_help_of_a_command_starts_with_an_example(run, name, capsys):
    with pytest.raises(SystemExit, match="0"):
        run(name, "--help")
    text = capsys.readouterr().out
    assert text.index("example:") < text.index("options:")


def test_unknown_command(error):
    assert "'score'" in error("scor", "hyp.txt")


def test_score_does_not_import_evaluate(folder):
    """evaluate takes seconds to import."""
    code = (
        "import sys; from rouge_bleu_tools.cli.main import main; "
        "main(['score', 'hyp.txt', '-r', 'ref.txt', '-m', 'rouge', 'bleu', '-b']); "
        "assert not {'evaluate', 'datasets'} & set(sys.modules)"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment, capture_output=True)


@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
def test_a_closed_pipe_is_status_141(folder):
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "rouge_bleu", "score", "hyp.txt", "-r", "ref.txt"]
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, env=environment)
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")


def test_interrupts_and_memory(capsys):
    def interrupted():
        raise KeyboardInterrupt

    def no_memory():
        raise MemoryError("8 GiB")

    assert exit_status(interrupted) == 130
    assert exit_status(no_memory) == 2
    assert "8 GiB" in capsys.readouterr().err


def test_control_characters_do_not_reach_a_terminal(error):
    assert "\\x1b[2J" in error("score", "\x1b[2J.txt", "-r", "ref.txt")


def test_files_first():
    given = ["-m", "rouge", "bleu", "hyp.txt", "-r", "ref.txt", "-b"]
    assert files_first(given, ["-m"]) == ["hyp.txt", "-m", "rouge", "bleu", "-r", "ref.txt", "-b"]


def test_progress_without_a_terminal_is_a_line_a_minute(capsys, monkeypatch):
    times = iter([0.0, 30.0, 61.0, 90.0])
    monkeypatch.setattr(inputs.time, "monotonic", lambda: next(times))
    with progress("rows") as show:
        for share in (0.1, 0.2, 0.3):
            show(100, share)
    assert capsys.readouterr().err == "200 rows (20%) in 1 min\n"


# --- explain ----------------------------------------------------------------------------------


def test_explain_marks_matches(output):
    lines = output("explain", *PAIR, "--rouge-types", "rouge1", "rouge2").splitlines()
    # 5 of 6 words and 3 of 5 bigrams match.
    assert lines[0] == "rouge1  precision 83.33  recall 83.33  F 83.33"
    assert lines[1].endswith(" [the] [cat] [sat] [on] a [mat]")
    assert lines[4] == "rouge2  precision 60.00  recall 60.00  F 60.00"
    assert lines[6].endswith(" [the] [cat] [sat] [on] the mat")
    assert output("explain", *PAIR, "--scale", "1").startswith("rouge1  precision 0.8333")


def test_explain_of_several_references(output):
    lines = output("explain", *PAIR, "the cat sat", "--rouge-types", "rouge1").splitlines()
    assert "* precision 83.33" in lines[2]
    assert "* precision" not in lines[4]


def test_explain_bleu(output):
    lines = output("explain", *PAIR, "-m", "bleu", "--max-order", "2").splitlines()
    bleu = rouge_bleu.bleu(PAIR[:1], PAIR[1:], max_order=2)["bleu"]
    assert lines[0].startswith(f"bleu {100 * bleu:.2f}  brevity penalty 1.0000")
    assert lines[2].startswith("1-grams  5 of 6 match")


@pytest.mark.parametrize("name", ["rouge", "bleu"])
def test_explain_json(output, name):
    explain = getattr(rouge_bleu, f"explain_{name}")
    options = {"rouge_types": ["rouge1", "rouge2", "rougeL"]} if name == "rouge" else {}
    found = json.loads(output("explain", *PAIR, "-m", name, "--json"))
    assert found == explain(PAIR[0], [PAIR[1]], **options)


def test_explain_in_colour(run, monkeypatch):
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert "\x1b[1;32mcat\x1b[0m" in run("explain", *PAIR)[1]


def test_explain_warns_of_file_names(run):
    assert "hyp.txt" in run("explain", "hyp.txt", "ref.txt")[2]


# --- sample -----------------------------------------------------------------------------------


def test_sample(folder, output, error):
    output("sample", "new")
    bleu = output(
        "score", "new/systems/better.txt", "-r", "new/systems/references.txt", "-m", "bleu", "-b"
    )
    assert bleu == "75.66\n"  # 0.7566 in README.md
    assert "not empty" in error("sample", "new")
