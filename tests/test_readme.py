"""Every command and every output in README.md is what one gets: all of it runs, in a copy of the repository with the metrics installed.

A ```python block is a doctest where it has >>>, else code to run; all blocks share their names. In a ```console block each line that starts
with "$ " is a command, and what follows is its output; "..." stands for any text. Commands that need a network, or that run all tests or
benchmarks, are only looked at.
"""

import dataclasses
import doctest
import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
PAGES = ("README.md", "examples/README.md", "benchmarks/README.md")

# A file of the reader's own, as README.md shows it.
MINE = """\
output,human_1,human_2
The cat sat on a mat.,The cat sat on the mat.,A cat is on the mat.
Nothing new.,There is nothing new.,
"""

COMMANDS_TO_RUN = re.compile(r"(python (examples/\w+|stage)\.py|make (demo|stage|install)|cat)( .*)?")

# What else README.md may say, with what has to be there for it to work.
COMMANDS_TO_LOOK_AT = {
    r"make (test|check|bench|bench-quick)(?: ARGS=\S+)?": lambda folder, target: re.search(
        rf"^{target}:", (folder / "Makefile").read_text(encoding="utf-8"), re.MULTILINE
    ),
    r"python -m pip install -r (\S+)": lambda folder, file: (folder / file).is_file(),
    r"hf upload your-name/(\w+) build/\1 --repo-type space": lambda folder, name: (folder / "build" / name / "app.py").is_file(),
    r"(hf auth login)": lambda folder, command: True,
}


@dataclass(frozen=True)
class Block:
    language: str
    text: str
    line: int  # of README.md, where the text starts


@dataclass(frozen=True)
class Command:
    text: str
    output: str
    line: int
    page: str


def blocks_of_page(page):
    return [
        Block(match[1], match[2], page[: match.start(2)].count("\n") + 1) for match in re.finditer(r"^```(.*)\n((?s:.*?))^```$", page, re.MULTILINE)
    ]


def commands_of_block(block, page):
    commands = []
    for number, line in enumerate(block.text.splitlines(), start=block.line):
        if line.startswith("$ "):
            commands.append(Command(line[2:], "", number, page))
        elif commands[-1].text.endswith("\\"):
            commands[-1] = dataclasses.replace(commands[-1], text=commands[-1].text[:-1] + line.strip())
        else:
            commands[-1] = dataclasses.replace(commands[-1], output=commands[-1].output + line + "\n")
    return commands


BLOCKS = {page: blocks_of_page((ROOT / page).read_text(encoding="utf-8")) for page in PAGES}
COMMANDS = [command for page in PAGES for block in BLOCKS[page] if block.language == "console" for command in commands_of_block(block, page)]
PYTHON_BLOCKS = [block for block in BLOCKS["README.md"] if block.language == "python"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A copy of the repository as it is after `make demo` and `make stage`."""
    copy = tmp_path_factory.mktemp("readme") / "copy"
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".*", "build", "__pycache__"))
    (copy / "mine.csv").write_text(MINE, encoding="utf-8")
    python = copy / ".venv" / "bin" / "python"  # what `make` would set up
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n', encoding="utf-8")
    python.chmod(0o755)
    for stamp in ("demo.stamp", "test.stamp"):
        (copy / ".venv" / stamp).touch()
    for command in ("python stage.py install", "python stage.py build"):
        done = run(command, copy)
        assert done.returncode == 0, done.stdout
    # As if it had been uploaded and loaded once: what the Hub has is kept in the same place.
    metrics = copy / ".hf" / "modules" / "evaluate_modules" / "metrics"
    shutil.copytree(metrics / "evaluate-metric--rouge_full", metrics / "your-name--rouge_full")
    return copy


def run(command, folder, **options):
    """Run a command in the environment of the Makefile's demo."""
    # Without what a `make test` around this test says to the makes below it.
    given = {name: value for name, value in os.environ.items() if not name.startswith(("HF_", "MAKE", "MFLAGS"))}
    environment = {
        **given,
        "PATH": f"{folder / '.venv' / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "PYTHON": str(folder / ".venv" / "bin" / "python"),
        "HF_HOME": str(folder / ".hf"),
        "HF_EVALUATE_OFFLINE": "1",
        "EVALUATE_VERBOSITY": "error",
        "PYTHONIOENCODING": "utf-8",
    }
    return subprocess.run(
        command, shell=True, cwd=folder, env=environment, encoding="utf-8", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300, **options
    )


class OutputChecker(doctest.OutputChecker):
    """Takes numbers for equal that differ from the tenth decimal on, since processors round logarithms differently."""

    def check_output(self, want, got, optionflags):
        want, got = (re.sub(r"\d+\.\d{10,}", lambda number: f"{float(number[0]):.9f}", text) for text in (want, got))
        return super().check_output(want, got, optionflags)


def assert_output(expected, got):
    matches = OutputChecker().check_output(expected.strip() + "\n", got.strip() + "\n", doctest.ELLIPSIS)
    assert matches, f"The page shows\n{expected}\nbut one gets\n{got}"


# --- commands --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", COMMANDS, ids=[f"{command.page}:{command.line}: {command.text[:60]}" for command in COMMANDS])
def test_command(command, folder):
    if COMMANDS_TO_RUN.fullmatch(command.text):
        if command.text.startswith("make") and shutil.which("make") is None:
            pytest.skip("make is not installed")
        done = run(command.text, folder)
        assert_output(command.output, done.stdout)
        assert done.returncode == (2 if command.output.startswith("error:") else 0)
        return
    for pattern, can_work in COMMANDS_TO_LOOK_AT.items():
        if match := re.fullmatch(pattern, command.text):
            assert can_work(folder, match[1])
            return
    pytest.fail(f"{command.page} has a command that this test does not know: {command.text}")


def test_both_first_commands_are_there():
    assert [command.text for command in COMMANDS[:2]] == ["make demo", "make test"]


def test_blocks_are_commands_or_python():
    languages = {page: {block.language for block in BLOCKS[page]} for page in PAGES}
    assert languages == {"README.md": {"python", "console"}, "examples/README.md": set(), "benchmarks/README.md": {"console"}}


# --- Python ----------------------------------------------------------------------------------------------------------

# A tokenizer as far as `compute_metrics` needs one. Like the real ones it cannot decode what is no token.
STUB_TOKENIZER = """
class tokenizer:
    pad_token_id = 0
    words = ["", "A", "cat", "dog", "sat.", "It", "slept."]

    @classmethod
    def batch_decode(cls, rows, skip_special_tokens):
        if any(token < 0 for row in rows for token in row):
            raise OverflowError("number too small to fit in target type")
        return [" ".join(cls.words[token] for token in row if token) for row in rows]
"""

# What the Trainer does: arrays that are filled up with -100, some models return them in a tuple; results are logged as JSON.
CHECK_OF_COMPUTE_METRICS = """
>>> import json
>>> class EvalPrediction:
...     predictions = np.array([[1, 2, 4, 5, 6], [0, 0, 0, -100, -100]])
...     label_ids = np.array([[5, 6, 1, 2, 4], [1, 3, -100, -100, -100]])
>>> result = compute_metrics(EvalPrediction)
>>> json.dumps(result)
'{"rouge1": 0.5, "rouge2": 0.375, "rougeLsum": 0.5}'
>>> EvalPrediction.predictions = (EvalPrediction.predictions, None)
>>> compute_metrics(EvalPrediction) == result
True
"""


def run_blocks(blocks):
    """Run blocks of Python that share their names, and return the number of examples that failed."""
    names = {}
    runner = doctest.DocTestRunner(checker=OutputChecker())
    for language, text, line in blocks:
        assert language == "python"
        if ">>> " in text:
            test = doctest.DocTestParser().get_doctest(text, names, f"README.md, block at line {line}", "README.md", line - 1)
            test.globs = names
            runner.run(test, clear_globs=False)
        else:
            exec(compile("\n" * (line - 1) + text, "README.md", "exec"), names)
    return runner.summarize().failed


def test_python_blocks(folder):
    blocks = [
        Block("python", STUB_TOKENIZER, 1),
        *PYTHON_BLOCKS,
        Block("python", CHECK_OF_COMPUTE_METRICS, 1),
    ]
    assert any("compute_metrics" in block.text for block in blocks[1:-1])
    done = run("python tests/test_readme.py", folder, input=json.dumps([dataclasses.astuple(block) for block in blocks]))
    assert done.returncode == 0, done.stdout


# --- tables and links ------------------------------------------------------------------------------------------------


def rows_below(heading):
    """Return the first two cells, without backticks, of the rows of the first table below a heading."""
    page = README.read_text(encoding="utf-8")
    section = page[page.index(f"\n## {heading}\n") :]
    table = re.search(r"^\|.*\n\| ---.*\n((?:^\|.*\n)+)", section, re.MULTILINE)[1]
    return [[cell.strip().strip("`") for cell in line.split("|")[1:3]] for line in table.splitlines()]


@pytest.mark.parametrize("name", ["rouge_full", "bleu_full"])
def test_tables_list_all_options_with_their_defaults(name, request):
    metric = request.getfixturevalue(name)
    defaults = {field.name: repr(field.default) for field in dataclasses.fields(metric.options_class)}
    assert dict(rows_below(f"Options of {name}")) == defaults


def test_table_lists_all_tokenizers(rouge_full):
    tokenization = sys.modules[type(rouge_full).__module__.rpartition(".")[0] + ".tokenization"]
    names = [name for cell, _ in rows_below("Tokenizers") for name in cell.split("`, `")]
    assert sorted(names) == sorted(tokenization.TOKENIZER_NAMES)


@pytest.mark.parametrize("page", PAGES)
def test_links_within_the_repository_lead_somewhere(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    for target in re.findall(r"\]\((?!https?://)([^)]+)\)", text):
        file, _, anchor = target.partition("#")
        assert not file or (ROOT / page).parent.joinpath(file).exists(), target
        headings = [re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-") for heading in re.findall(r"^#+ (.*)$", text, re.MULTILINE)]
        assert not anchor or anchor in headings, target


if __name__ == "__main__":
    sys.exit(run_blocks(json.load(sys.stdin)))
