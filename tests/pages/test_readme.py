"""Every command and every output on the pages for readers is what one gets.

All of it runs, in a copy of the repository with the metrics installed. A ```python
block is a doctest where it has >>>, else code to run; the blocks of a page share their
names, and a warning is an error. In a ```console block each line that starts with "$ "
is a command, and what follows is its output; "..." stands for any text. Commands that
need a network, or that run all tests or benchmarks, are only looked at.
"""

import dataclasses
import doctest
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import warnings
from dataclasses import dataclass

import pytest

from helpers.pages import BLOCK, PAGES, text_of, without_blocks
from helpers.repository import ROOT
from helpers.systems import needs_posix
from rouge_bleu_tools.hub.install import install

# A file of the reader's own, as the pages show it.
MINE = """\
output,human_1,human_2
The cat sat on a mat.,The cat sat on the mat.,A cat is on the mat.
Nothing new.,There is nothing new.,
"""

COMMANDS_TO_RUN = re.compile(
    r"(rouge-bleu|python (examples/\w+\.py|-m rouge_bleu_tools\.hub)|make (demo|spaces|install)|cat)( .*)?"
)


def has_target(folder, target):
    makefile = (folder / "Makefile").read_text(encoding="utf-8")
    return re.search(rf"^{target}:", makefile, re.MULTILINE)


def has_extra(folder, extra):
    return f"\n{extra} = [" in (folder / "pyproject.toml").read_text(encoding="utf-8")


# What else a page may say, with what has to be there for it to work.
COMMANDS_TO_LOOK_AT = {
    r"make (test(?:-\w+)?|train|check|bench(?:-\w+)?)(?: ARGS=.+)?": has_target,
    r"python -m pip install -r (\S+)": lambda folder, file: (folder / file).is_file(),
    r'python -m pip install "\.\[(\w+)\]"': has_extra,
    r"\.venv/bin/python -m pytest (\S+)(?: .*)?": lambda folder, file: (
        folder / file.partition("::")[0]
    ).is_file(),
    r"hf upload your-name/(\w+) build/\1 --repo-type space": lambda folder, name: (
        folder / "build" / name / "app.py"
    ).is_file(),
    r"(hf auth login)": lambda folder, command: True,
}


@dataclass(frozen=True)
class Block:
    language: str
    text: str
    line: int  # of the page, where the text starts


@dataclass(frozen=True)
class Command:
    text: str
    output: str
    line: int
    page: str


def blocks_of_text(text):
    matches = BLOCK.finditer(text)
    return [Block(match[1], match[2], text[: match.start(2)].count("\n") + 1) for match in matches]


def commands_of_block(block, page):
    commands = []
    for number, line in enumerate(block.text.splitlines(), start=block.line):
        if line.startswith("$ "):
            commands.append(Command(line[2:], "", number, page))
        else:
            output = commands[-1].output + line + "\n"
            commands[-1] = dataclasses.replace(commands[-1], output=output)
    return commands


BLOCKS = {page: blocks_of_text(text_of(page)) for page in PAGES}
COMMANDS = [
    command
    for page in ["README.md", *(page for page in PAGES if page != "README.md")]
    for block in BLOCKS[page]
    if block.language == "console"
    for command in commands_of_block(block, page)
]
# Of `make demo` the second half runs always, and what `rouge_bleu_tools.hub` does is done for the tests too.
TAKE_LONG = ("make demo", "python -m rouge_bleu_tools.hub", "rouge-bleu find-settings examples/")
PYTHON_PAGES = [page for page in PAGES if any(block.language == "python" for block in BLOCKS[page])]


@pytest.fixture(scope="module")
def folder(spaces, tmp_path_factory):
    """A copy of the repository as it is after `make demo` and `make spaces`."""
    copy = tmp_path_factory.mktemp("pages") / "copy"
    ignored = shutil.ignore_patterns(".*", "build", "__pycache__")
    shutil.copytree(ROOT, copy, ignore=ignored)
    (copy / "mine.csv").write_text(MINE, encoding="utf-8")
    programs = copy / ".venv" / "bin"  # what `make` would set up
    programs.mkdir(parents=True)
    for name, arguments in (("python", '"$@"'), ("rouge-bleu", '-m rouge_bleu "$@"')):
        script = f'#!/bin/sh\nexec "{sys.executable}" {arguments}\n'
        (programs / name).write_text(script, encoding="utf-8")
        (programs / name).chmod(0o755)
    for stamp in ("demo.stamp", "test.stamp"):
        (copy / ".venv" / stamp).touch()
    # As the commands do it, which the pages show too.
    install(copy / ".hf" / "modules" / "evaluate_modules", root=copy)
    shutil.copytree(spaces, copy / "build")
    # As if it had been uploaded and loaded once: the Hub's copy has the same place.
    metrics = copy / ".hf" / "modules" / "evaluate_modules" / "metrics"
    installed = metrics / "evaluate-metric--rouge_full"
    shutil.copytree(installed, metrics / "your-name--rouge_full")
    return copy


def environment_of(folder):
    """The environment of the Makefile's demo."""
    # Without what a `make test` around this test says to the makes below it.
    others = ("HF_", "MAKE", "MFLAGS")
    given = {name: value for name, value in os.environ.items() if not name.startswith(others)}
    return {
        **given,
        "PATH": f"{folder / '.venv' / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "PYTHON": str(folder / ".venv" / "bin" / "python"),
        "HF_HOME": str(folder / ".hf"),
        "HF_EVALUATE_OFFLINE": "1",
        "EVALUATE_VERBOSITY": "error",
        "PYTHONIOENCODING": "utf-8",
    }


def run(command, folder):
    """Run a command by the shell."""
    output = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "encoding": "utf-8"}
    settings = {"cwd": folder, "env": environment_of(folder), "timeout": 300}
    return subprocess.run(command, shell=True, **output, **settings)


@pytest.fixture(scope="module")
def in_fork(folder):
    """A function that runs a script without the seconds in which Python imports `evaluate`."""
    environment = environment_of(folder)
    environment["PYTHONPATH"] = os.pathsep.join([environment["PYTHONPATH"], "tests"])
    process = subprocess.Popen(
        [sys.executable, str(ROOT / "tests" / "programs" / "run_in_forks.py")],
        cwd=folder,
        env=environment,
        encoding="utf-8",
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )

    def done(*words):
        print(json.dumps(words), file=process.stdin, flush=True)
        return json.loads(process.stdout.readline())

    with process:
        yield done
        process.stdin.close()


class OutputChecker(doctest.OutputChecker):
    """Takes numbers for equal that differ from the tenth decimal on.

    Processors round logarithms differently.
    """

    def check_output(self, want, got, optionflags):
        want, got = (
            re.sub(r"\d+\.\d{10,}", lambda number: f"{float(number[0]):.9f}", text)
            for text in (want, got)
        )
        return super().check_output(want, got, optionflags)


def assert_output(expected, got):
    checker = OutputChecker()
    expected, got = expected.strip() + "\n", got.strip() + "\n"
    is_same = checker.check_output(expected, got, doctest.ELLIPSIS)
    assert is_same, f"The page shows\n{expected}\nbut one gets\n{got}"


# --- commands ---------------------------------------------------------------


@needs_posix
@pytest.mark.parametrize(
    "command",
    [
        pytest.param(
            command,
            marks=[pytest.mark.deep] * command.text.startswith(TAKE_LONG),
            id=f"{command.page}:{command.line}: {command.text[:60]}",
        )
        for command in COMMANDS
    ],
)
def test_command(command, folder, in_fork):
    """What the shell has to start, make or a pipe, is a process of its own."""
    if COMMANDS_TO_RUN.fullmatch(command.text):
        words = shlex.split(command.text)
        if words[0] == "make" and shutil.which("make") is None:
            pytest.skip("make is not installed")
        if words[0] == "python" or (words[0] == "rouge-bleu" and "|" not in words):
            status, printed, _ = in_fork(*words[words[0] == "python" :])
        else:
            done = run(command.text, folder)
            status, printed = done.returncode, done.stdout
        assert_output(command.output, printed)
        assert status == (2 if command.output.startswith("error:") else 0)
        return
    for pattern, can_work in COMMANDS_TO_LOOK_AT.items():
        if match := re.fullmatch(pattern, command.text):
            assert can_work(folder, match[1])
            return
    pytest.fail(f"{command.page}: this test does not know {command.text!r}")


@needs_posix
def test_the_demo(in_fork):
    (command,) = (command for command in COMMANDS if command.text == "make demo")
    status, printed, _ = in_fork("examples/demo.py")
    assert_output(command.output, printed)
    assert status == 0


@pytest.mark.parametrize("page", PAGES)
def test_blocks_are_of_a_kind_that_is_run(page):
    """A citation is none; an example outside of a block would not be run."""
    languages = {block.language for block in BLOCKS[page]}
    # Other tests run what needs packages of their own: test_score_on_spark.py, test_ray.py,
    # test_training_page.py and test_evaluators.py; test_repository.py applies the diff.
    elsewhere = {
        "CONTRIBUTING.md": {"diff"},
        "docs/clusters.md": {"py", "sh"},
        "docs/evaluators.md": {"py"},
        "docs/training.md": {"py", "sh"},
    }
    assert languages <= {"python", "console", "bibtex", "text"} | elsewhere.get(page, set())
    assert ">>>" not in without_blocks(text_of(page))
    for block in BLOCKS[page]:
        assert block.language == "python" or ">>>" not in block.text
        assert block.language == "console" or "\n$ " not in "\n" + block.text


# --- Python -----------------------------------------------------------------

# A tokenizer as far as `compute_metrics` needs one. Like the real ones it cannot decode
# what is no token.
STUB_TOKENIZER = """
class tokenizer:
    words = ["", "A", "cat", "dog", "sat.", "It", "slept."]

    @classmethod
    def batch_decode(cls, rows, skip_special_tokens):
        if any(token < 0 for row in rows for token in row):
            raise OverflowError("number too small to fit in target type")
        return [" ".join(cls.words[token] for token in row if token) for row in rows]
"""

# What the Trainer does: arrays that are filled up with -100, some models return them in
# a tuple; results are logged as JSON.
CHECK_OF_COMPUTE_METRICS = """
>>> import json
>>> import numpy as np
>>> class EvalPrediction:
...     predictions = np.array([[1, 2, 4, 5, 6], [0, 0, 0, -100, -100]])
...     label_ids = np.array([[5, 6, 1, 2, 4], [1, 3, -100, -100, -100]])
>>> result = compute_metrics(EvalPrediction)
>>> score = result.pop("bleu", 0.0)  # docs/training.md has both metrics
>>> json.dumps(result)
'{"rouge1": 0.5, "rouge2": 0.375, "rougeLsum": 0.5}'
>>> type(score)
<class 'float'>
>>> EvalPrediction.predictions = (EvalPrediction.predictions, None)
>>> again = compute_metrics(EvalPrediction)
>>> {name: again[name] for name in result} == result
True
>>> EvalPrediction.predictions = np.zeros((2, 5, 7))
>>> compute_metrics(EvalPrediction)
Traceback (most recent call last):
    ...
ValueError: these are no token ids: set predict_with_generate=True
"""


def python_blocks(page):
    blocks = [block for block in BLOCKS[page] if block.language == "python"]
    if not any("def compute_metrics" in block.text for block in blocks):
        return blocks
    stub, check = (Block("python", text, 1) for text in (STUB_TOKENIZER, CHECK_OF_COMPUTE_METRICS))
    return [stub, *blocks, check]


def run_blocks(page, blocks):
    """Run blocks of Python that share their names; return what they print if one fails."""
    names = {}
    printed = []
    runner = doctest.DocTestRunner(checker=OutputChecker())
    for language, text, line in blocks:
        assert language == "python"
        if ">>> " in text:
            name = f"{page}, block at line {line}"
            test = doctest.DocTestParser().get_doctest(text, names, name, page, line - 1)
            test.globs = names
            runner.run(test, clear_globs=False, out=printed.append)
        else:
            exec(compile("\n" * (line - 1) + text, page, "exec"), names)
    return "".join(printed)


@pytest.fixture(scope="module")
def failures(folder, in_fork):
    """What fails on each page: all pages in one process."""
    pages = {page: [*map(dataclasses.astuple, python_blocks(page))] for page in PAGES}
    (folder / "pages.json").write_text(json.dumps(pages), encoding="utf-8")
    status, printed, _ = in_fork("tests/pages/test_readme.py", "pages.json")
    assert status == 0, printed
    return json.loads(printed.splitlines()[-1])


@needs_posix
@pytest.mark.parametrize("page", PYTHON_PAGES)
def test_python_blocks(page, failures):
    assert failures[page] == "", failures[page]


# --- size and links ---------------------------------------------------------


def test_the_readme_is_short_and_links_to_every_page():
    readme = text_of("README.md")
    assert len(readme.splitlines()) <= 200
    assert [page for page in PAGES if f"]({page})" not in readme] == ["README.md"]


@pytest.mark.parametrize("page", PAGES)
def test_tables_have_as_many_cells_in_each_row(page):
    """A line at their end that is no row would be shown as one."""
    for table in re.findall(r"(?:^\|.*\n)(?:^.+\n)*", without_blocks(text_of(page)), re.MULTILINE):
        rows = [re.sub(r"`+.*?`+|\\\|", "", row) for row in table.splitlines()]
        assert {row.count("|") for row in rows} == {rows[0].count("|")}, table


def anchors_of(page):
    headings = re.findall(r"^#+ (.*)$", text_of(page), re.MULTILINE)
    letters = (re.sub(r"[^\w -]", "", heading) for heading in headings)
    return {heading.strip().lower().replace(" ", "-") for heading in letters}


@pytest.mark.parametrize("page", PAGES)
def test_links_within_the_repository_lead_somewhere(page):
    """Those of a card on the card itself: it is the README.md of a Space, which has no other pages."""
    for target in re.findall(r"\]\((?!https?://)([^)]+)\)", text_of(page)):
        file, _, anchor = target.partition("#")
        assert not (file and page.startswith("metric_cards/")), target
        path = (ROOT / page).parent.joinpath(file).resolve() if file else ROOT / page
        assert path.exists(), target
        assert not anchor or anchor in anchors_of(path.relative_to(ROOT)), target


if __name__ == "__main__":
    import evaluate  # noqa: F401  before warnings are errors

    warnings.simplefilter("error")
    with open(sys.argv[1], encoding="utf-8") as file:
        pages = json.load(file)
    print(json.dumps({page: run_blocks(page, blocks) for page, blocks in pages.items()}))
