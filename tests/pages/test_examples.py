"""The examples in documents, docstrings and the notebook print the output that they show.

A page is run in a copy of the repository with the metrics installed. Its ```python blocks share their
names, and a warning is an error. In a ```console block a line that starts with "$ " is a command, and
the lines below are its output, "..." any text. ```py and ```sh blocks need packages of their own, and
have tests of their own. Links, the citation and the version are tested here too.
"""

import doctest
import importlib
import inspect
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest
import yaml

import rouge_bleu
from helpers.metrics import loaded
from helpers.pages import BLOCK, PAGES, block, text_of
from helpers.repository import ROOT
from helpers.systems import needs_posix
from rouge_bleu_tools.hub.install import install

# A file of the reader, as the pages show it.
DECODED = """\
{"prediction": "The cat sat.</s><pad><pad>", "references": ["A dog ran.</s><pad>"]}
"""
MINE = """\
output,human_1,human_2
The cat sat on a mat.,The cat sat on the mat.,A cat is on the mat.
Nothing new.,There is nothing new.,
"""


@pytest.fixture(scope="module")
def folder(spaces, tmp_path_factory):
    """A copy of the repository with the metrics installed, built Spaces, and a command `rouge-bleu`."""
    copy = tmp_path_factory.mktemp("pages") / "copy"
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".*", "build", "__pycache__"))
    (copy / "mine.csv").write_text(MINE, encoding="utf-8")
    (copy / "decoded.jsonl").write_text(DECODED, encoding="utf-8")
    (copy / "bin").mkdir()
    for name, arguments in (("python", '"$@"'), ("rouge-bleu", '-m rouge_bleu "$@"')):
        (copy / "bin" / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {arguments}\n')
        (copy / "bin" / name).chmod(0o755)
    modules = copy / ".hf" / "modules" / "evaluate_modules"
    install(modules, root=copy)
    # As if they had been uploaded and loaded once: the Hub's copy has the same place.
    metrics = modules / "metrics"
    shutil.copytree(metrics / "evaluate-metric--rouge_full", metrics / "your-name--rouge_full")
    shutil.copytree(spaces, copy / "build")
    return copy


@pytest.fixture(scope="module")
def environment(folder):
    kept = {name: value for name, value in os.environ.items() if not name.startswith("HF_")}
    settings = {"HF_HOME": str(folder / ".hf"), "HF_EVALUATE_OFFLINE": "1"}
    settings |= {"EVALUATE_VERBOSITY": "error", "PYTHONIOENCODING": "utf-8"}
    return kept | settings | {"PATH": f"{folder / 'bin'}{os.pathsep}{kept['PATH']}"}


class Checker(doctest.OutputChecker):
    """Compares numbers to nine decimals: processors round logarithms differently."""

    def check_output(self, *texts_and_flags):
        *texts, flags = texts_and_flags
        texts = [re.sub(r"\d+\.\d{10,}", lambda n: f"{float(n[0]):.9f}", text) for text in texts]
        return doctest.OutputChecker.check_output(self, *texts, flags)


RUN_PAGE = (
    f"import doctest, pathlib, re, sys, warnings\n{inspect.getsource(Checker)}"
    r"""
warnings.simplefilter("error")
page, names, runner = sys.argv[1], {"__name__": "__main__"}, doctest.DocTestRunner(Checker())
text = pathlib.Path(page).read_text(encoding="utf-8")
for match in re.finditer(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
    if ">>> " in match[1]:
        line = text.count("\n", 0, match.start(1))
        test = doctest.DocTestParser().get_doctest(match[1], names, page, page, line)
        runner.run(test, clear_globs=False)
        names = test.globs
    else:
        exec(match[1], names)
sys.exit(min(runner.failures, 1))
"""
)


@needs_posix
@pytest.mark.parametrize("page", [page for page in PAGES if "```python\n" in text_of(page)])
def test_python_blocks(page, folder, environment, run_code):
    done = run_code(RUN_PAGE, page, cwd=folder, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("page", "heading"),
    [("README.md", "Training"), ("docs/training.md", "With both metrics, and batch by batch")],
)
def test_compute_metrics(page, heading, by_bare_name):
    """With arrays as a Trainer passes them: padded with -100, outputs in a tuple, batches in a list."""
    words = ["", "A", "cat", "dog", "sat.", "It", "slept."]

    def batch_decode(rows, skip_special_tokens):
        assert all(token >= 0 for row in rows for token in row)
        return [" ".join(words[token] for token in row if token) for row in rows]

    names = {"tokenizer": SimpleNamespace(batch_decode=batch_decode)}
    exec(block("README.md", "Training", "python"), names)  # the other page shows a part of it
    exec(block(page, heading, "python"), names)
    predictions = np.array([[1, 2, 4, 5, 6], [0, 0, 0, -100, -100]])
    labels = np.array([[5, 6, 1, 2, 4], [1, 3, -100, -100, -100]])
    first, second = predictions[:1], predictions[1:, :2]
    batches = [labels[:1], labels[1:, :3]]
    for given, label_ids in (
        (predictions, labels),
        ((predictions, None), labels),
        ([first, second], batches),
        ([(first, None), (second, None)], batches),
    ):
        batch = SimpleNamespace(predictions=given, label_ids=label_ids)
        result = json.loads(json.dumps(names["compute_metrics"](batch)))
        # By hand: the first pair has all words, 3 of 4 bigrams and both sentences; the second is empty.
        expected = {"rouge1": 0.5, "rouge2": 0.375, "rougeLsum": 0.5}
        assert {name: result[name] for name in expected} == expected
    with pytest.raises(ValueError, match="predict_with_generate"):
        names["compute_metrics"](SimpleNamespace(predictions=np.zeros((2, 5, 7)), label_ids=labels))


@pytest.mark.parametrize(
    "path", ["examples/train_summarizer.py", "rouge_bleu_tools/app/trainer.txt"]
)
def test_the_functions_for_a_trainer_have_one_text(path):
    functions = block("README.md", "Training", "python").partition("def ")[2]
    assert functions.partition("def compute_metrics")[0] in text_of(path)


MODULES = [
    path.relative_to(ROOT)
    for folder in ("rouge_bleu", "rouge_bleu_tools")
    for path in sorted((ROOT / folder).rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.as_posix())
def test_docstrings(path):
    if path.parts[1] == "app":
        pytest.importorskip("gradio")
    if path.parts[1] == "integrations" and path.stem != "lm_eval":
        package = path.parts[2].removesuffix(".py")
        pytest.importorskip(package, reason="make test-integrations installs it")
    name = ".".join(path.with_suffix("").parts).removesuffix(".__init__")
    runner = doctest.DocTestRunner(Checker())
    list(map(runner.run, doctest.DocTestFinder().find(importlib.import_module(name))))
    assert runner.tries > runner.failures == 0


def test_examples_of_the_metrics(metric):
    """Those of `metric.inputs_description`, which load the metric by its name."""
    names = {"evaluate": SimpleNamespace(load=loaded)}
    parser = doctest.DocTestParser()
    test = parser.get_doctest(metric.inputs_description, names, metric.name, None, None)
    assert test.examples
    assert doctest.DocTestRunner(Checker()).run(test).failed == 0


def test_the_notebook(monkeypatch, capsys, by_bare_name):
    """Its code runs, and prints the output in the notebook (`jupyter nbconvert --execute --inplace`)."""
    plt = pytest.importorskip("matplotlib.pyplot")
    monkeypatch.chdir(ROOT / "examples")
    monkeypatch.setattr(plt, "show", lambda: plt.close("all"))
    plt.switch_backend("agg")
    names = {}
    for cell in json.loads(text_of("examples/gallery.ipynb"))["cells"]:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), names)
            texts = ["".join(one["text"]) for one in cell["outputs"] if "text" in one]
            assert capsys.readouterr().out == "".join(texts)


COMMAND = "import runpy; runpy.run_module('rouge_bleu', run_name='__main__', alter_sys=True)"
# Commands that need a network, serve a page, or run all tests or benchmarks.
NOT_RUN = r"make (?!demo).*|hf .*|rouge-bleu page|python -m (pip|mutmut) .*|\.venv/bin/python -m pytest .*"
TAKES_LONG = r"make demo|python -m rouge_bleu_tools\.hub .*|rouge-bleu find-settings examples/.*"


def console_blocks():
    """Yield the commands of each block, with their outputs, as parameters of a test."""
    for page in PAGES:
        for match in BLOCK.finditer(text_of(page)):
            if match[1] == "console":
                pieces = re.split(r"^\$ (.*)\n", match[2], flags=re.MULTILINE)
                commands = [*zip(pieces[1::2], pieces[2::2], strict=True)]
                is_long = any(re.fullmatch(TAKES_LONG, command) for command, _ in commands)
                line = text_of(page)[: match.start()].count("\n") + 1
                marks = [pytest.mark.deep] * is_long
                yield pytest.param(commands, id=f"{page}:{line}", marks=marks)


@needs_posix
@pytest.mark.parametrize("commands", list(console_blocks()))
def test_console_block(commands, folder, environment, run_code):
    for command, expected in commands:
        if re.fullmatch(NOT_RUN, command):
            continue
        words, place = shlex.split(command), {"cwd": folder, "env": environment}
        if words[0] == "rouge-bleu" and "|" not in words:
            done = run_code(COMMAND, *words[1:], **place)
        else:
            place |= {"capture_output": True, "encoding": "utf-8"}
            done = subprocess.run(command, shell=True, **place)
        printed = done.stdout + done.stderr
        statuses = {"error:": 2, "check ": 1}  # how the output begins
        status = next((n for start, n in statuses.items() if expected.startswith(start)), 0)
        assert done.returncode == status, printed
        texts = (expected.strip() + "\n", printed.strip() + "\n")
        is_same = Checker().check_output(*texts, doctest.ELLIPSIS)
        assert is_same, f"{command}\nshows\n{expected}\nbut one gets\n{printed}"


@pytest.mark.parametrize("page", PAGES)
def test_links_within_the_repository_lead_somewhere(page):
    """A card links to itself alone: it is the README.md of a Space, which has no other pages."""
    for target in re.findall(r"\]\((?!https?://)([^)]+)\)", text_of(page)):
        file, _, anchor = target.partition("#")
        assert not (file and page.startswith("metric_cards/")), target
        path = (ROOT / page).parent / file if file else ROOT / page
        assert path.exists(), target
        headings = re.findall(r"^#+ (.*)$", path.read_text("utf-8"), re.MULTILINE) if anchor else []
        anchors = [re.sub(r"[^\w -]", "", one).strip().lower() for one in headings]
        assert not anchor or anchor in [one.replace(" ", "-") for one in anchors], target


def test_the_citation_and_the_version():
    """pyproject.toml reads the version from the package, since a script of evaluate has no metadata."""
    citation = yaml.safe_load(text_of("CITATION.cff"))
    # https://github.com/citation-file-format/citation-file-format 1.2.0 requires these.
    assert {"cff-version", "message", "title", "authors"} <= set(citation)
    source = r'^path = "(.*)"\npattern = \'(.*)\'$'
    place = re.search(source, text_of("pyproject.toml"), re.MULTILINE)
    sections = re.findall(r"^## \[(.*?)\]", text_of("CHANGELOG.md"), re.MULTILINE)
    versions = [citation["version"], sections[1], re.search(place[2], text_of(place[1]))[1]]
    assert versions == [rouge_bleu.__version__] * 3
