"""rouge-bleu: subcommands by name, what they import, and how processes end."""

import sys

import pytest

from helpers.programs import printed, python, refusal, run, run_here
from helpers.repository import ROOT
from rouge_bleu_tools.commands.main import _COMMANDS, main

RUN = ["-m", "rouge_bleu"]


@pytest.fixture
def command(capsys):
    return run_here(main, capsys)


def test_help_and_version(command):
    out = printed(command("--help"))
    assert all(f"\n  {name} " in out for name in _COMMANDS)
    assert command()[1] == out
    assert printed(command("--version")).split()[0] == "rouge-bleu"


@pytest.mark.parametrize("name", _COMMANDS)
def test_each_subcommand_has_its_name_in_its_help(name, capsys):
    with pytest.raises(SystemExit) as ended:
        main([name, "--help"])
    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith(f"usage: rouge-bleu {name} ")


def test_an_unknown_subcommand(command):
    message = f"the command must be one of {', '.join(_COMMANDS)}, got 'scores' (--help shows all)"
    assert refusal(command("scores")) == message


PROGRAM = """
import contextlib, io, sys
from rouge_bleu_tools.commands.main import main
def imported(*names): return [name for name in names if name in sys.modules]
for name in ("score", "find-settings", "explain", "install", "page"):
    with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()):
        main([name, "--help"])
print(imported("evaluate", "datasets", "tqdm", "gradio", "nltk"))
main(["score", sys.argv[1], "-m", "rouge", "bleu", "-b"])
print(imported("evaluate", "datasets", "tqdm"))
"""


def test_help_imports_nothing_that_takes_long_and_a_score_not_evaluate(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"prediction": "a b", "references": "a c"}\n')
    lines = run("-c", PROGRAM, path, cwd=ROOT).stdout.splitlines()
    assert (lines[0], lines[-1]) == ("[]", "[]")


def test_an_error_is_one_line_of_a_process():
    done = python(*RUN, "score", "none.csv", cwd=ROOT)
    message = "error: none.csv: there is no such file\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", message)


def test_a_page_without_gradio(command, monkeypatch):
    monkeypatch.setitem(sys.modules, "gradio", None)
    said = refusal(command("page"))
    assert said == "the page needs gradio: pip install 'rouge-bleu-full[page]'"
