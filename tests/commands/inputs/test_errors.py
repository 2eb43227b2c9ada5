"""examples/one_line_errors.py: what a script says, and its exit status, whatever happens."""

import os
import shlex
import signal
import subprocess
import sys
import time
import warnings

import pytest

from helpers.errors import error_of
from helpers.repository import ROOT
from helpers.systems import needs_posix
from rouge_bleu_tools.commands.inputs.errors import FileError, exit_status, printable, reason
from rouge_bleu_tools.commands.inputs.parser import OneLineParser

SCRIPT = """
import sys, time, warnings
sys.path.insert(0, {examples!r})
from rouge_bleu_tools.commands.inputs.errors import FileError, exit_status
from rouge_bleu_tools.commands.inputs.parser import OneLineParser

def run():
    {body}

sys.exit(exit_status(run))
"""


def command_of(body):
    script = SCRIPT.format(examples=str(ROOT / "examples"), body=body)
    return [sys.executable, "-c", script]


def done(body, **streams):
    """Run a script: its exit status and what it says, as bytes."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONUNBUFFERED"}
    settings = {"env": environment, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    done = subprocess.run(command_of(body), timeout=60, **settings | streams)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.filterwarnings("always")
def test_output_warning_and_error(capsys):
    def run():
        warnings.warn("with\nlines", stacklevel=1)
        return "one\n\ttwo \x1b[31m"

    assert exit_status(run) == 0
    assert capsys.readouterr() == ("one\n\ttwo \\x1b[31m\n", "warning: with\\nlines\n")

    def fail():
        raise FileError("a\x1b]0;b\nc\u202ed\x9b.csv: wrong")

    assert exit_status(fail) == 2
    assert capsys.readouterr() == ("", "error: a\\x1b]0;b\\nc\\u202ed\\x9b.csv: wrong\n")


def test_not_enough_memory(capsys):
    def run():
        raise MemoryError("Unable to allocate 72.8 TiB")

    assert exit_status(run) == 2
    message = "error: there is not enough memory: Unable to allocate 72.8 TiB\n"
    assert capsys.readouterr() == ("", message)


def test_a_fault_of_the_script_itself_is_not_hidden():
    with pytest.raises(ZeroDivisionError):
        exit_status(lambda: 1 // 0)


def test_words_of_messages():
    text = "Ünïcödé 你好 العربية 🙂 \u200d\u0301"
    assert printable(text) == text
    assert printable("a\tb\nc\r", keeps="\n") == "a\\tb\nc\\r"
    assert reason(ValueError("first\nsecond")) == "first"
    assert reason(ValueError()) == "ValueError"
    assert reason(FileNotFoundError(2, "No such file", "name")) == "No such file"


# The lines of tests/rouge/test_command_line.py and tests/bleu/test_perl_lines.py, as a shell
# hands them over without quotes.
UNQUOTED = {
    "--preset -n 2 -m": "ROUGE-1.5.5.pl -n",
    "--preset -2 4 -u": "ROUGE-1.5.5.pl -2",
    "--preset ROUGE-1.5.5.pl -n2 -m": "ROUGE-1.5.5.pl -n2",
    "--preset ./ROUGE-1.5.5.pl -a -n 2": "./ROUGE-1.5.5.pl -a",
    "-m bleu --preset multi-bleu.perl -lc": "multi-bleu.perl -lc",
}
QUOTED = ("rouge-1.5.5 -m x", "mteval-v13a.pl -mx", "ROUGE-1.5.5.pl --metric x", "nltk", "-n' '2")


def test_a_command_line_without_quotes():
    parser = OneLineParser()
    parser.add_argument("--preset")
    parser.add_argument("-m", "--metric")
    for line, shown in UNQUOTED.items():
        message = f'--preset takes a command line in quotes, as in --preset "{shown} ..."'
        error = FileError, f"{message} (--help shows all arguments)"
        assert error_of(parser.parse_args, line.split()) == error
    for line in QUOTED:
        preset, *others = shlex.split(line)
        assert parser.parse_args(["--preset", preset, *others]).preset == preset
    assert "expected one argument" in error_of(parser.parse_args, ["--preset", "-m", "x"])[1]


def test_output_that_cannot_be_encoded():
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    found = done("return 'caf\\xe9 \\udc80'", env=environment)
    assert found == (0, b"caf\\xe9 \\udc80" + os.linesep.encode(), b"")
    code, out, err = done("raise FileError('\\u4f60.csv')", env=environment)
    assert (code, out, err.strip()) == (2, b"", b"error: \\u4f60.csv")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
def test_a_full_device():
    """Where errors cannot be written either nobody can be told."""
    message = b"error: cannot write the output: No space left on device\n"
    with open("/dev/full", "wb") as full:
        assert done("return 'text'", stdout=full)[::2] == (2, message)
        body = "OneLineParser().parse_args(['--help'])"
        assert done(body, stdout=full)[::2] == (2, message)
        assert done("raise FileError('wrong')", stderr=full)[:2] == (2, b"")


@needs_posix
@pytest.mark.parametrize("body", ["return 'text'", "OneLineParser().parse_args(['--help'])"])
def test_a_pipe_that_is_closed(body):
    read, write = os.pipe()
    os.close(read)
    assert done(body, stdout=write)[::2] == (141, b"")
    os.close(write)


@needs_posix
@pytest.mark.parametrize(
    ("closed", "body", "code"), [("1", "return 'text'", 0), ("2", "raise FileError('wrong')", 2)]
)
def test_a_stream_that_is_not_there(closed, body, code):
    shell = ["sh", "-c", f'exec "$@" {closed}>&-', "sh", *command_of(body)]
    found = subprocess.run(shell, capture_output=True, timeout=60)
    assert (found.returncode, found.stdout, found.stderr) == (code, b"", b"")


@needs_posix
def test_an_interrupt():
    body = "print('started', flush=True); time.sleep(60)"
    process = subprocess.Popen(command_of(body), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout.readline() == b"started\n"
    time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=60)[1] == b"interrupted\n"
    assert process.returncode == 130
