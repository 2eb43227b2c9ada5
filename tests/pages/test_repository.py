"""What no other test reads: the citation, the workflow, and the map in CONTRIBUTING.md."""

import ast
import re
import shutil
import subprocess

import pytest
import yaml

import rouge_bleu
from helpers.pages import text_of
from helpers.programs import run
from helpers.repository import ROOT
from rouge_bleu.options.signature import VERSION

PROJECT = text_of("pyproject.toml")


def project(key):
    return re.search(rf'^{key} = "(.*)"$', PROJECT, re.MULTILINE)[1]


def test_citation_is_of_this_version_and_names_the_papers(rouge_full, bleu_full):
    citation = yaml.safe_load(text_of("CITATION.cff"))
    assert citation["version"] == VERSION
    assert citation["license"] == project("license")
    # https://github.com/citation-file-format/citation-file-format: what 1.2.0 requires
    assert {"cff-version", "message", "title", "authors"} <= set(citation)
    for paper, metric in zip(citation["references"], (rouge_full, bleu_full), strict=False):
        told = [paper["url"], f"{paper['start']}--{paper['end']}", f'"{paper["year"]}"']
        told += [author["family-names"] for author in paper["authors"]]
        assert [one for one in told if one not in metric.citation] == []


def test_signatures_have_this_version():
    """The modules have it, since a script that evaluate loads has no metadata; the package takes it from
    there.
    """
    assert 'dynamic = ["version"]' in PROJECT
    place = re.search(r'^path = "(.*)"\npattern = \'(.*)\'$', PROJECT, re.MULTILINE)
    assert re.findall(place[2], text_of(place[1])) == [VERSION]
    sections = re.findall(r"^## \[(.*?)\]", text_of("CHANGELOG.md"), re.MULTILINE)
    assert sections[:2] == ["Unreleased", VERSION]


def test_workflow_runs_ci_on_all_versions():
    job = yaml.safe_load(text_of(".github/workflows/ci.yml"))["jobs"]["ci"]
    versions = job["strategy"]["matrix"]["python"]
    assert versions == ["3.10", "3.11", "3.12", "3.13"]
    assert f">={versions[0]}" == project("requires-python")
    assert {"run": "bash .ci/run"} in job["steps"]
    assert (ROOT / ".ci" / "run").is_file()


def test_each_room_says_what_it_is_for():
    """In its `__init__`."""
    for file in ROOT.glob("rouge_bleu*/**/__init__.py"):
        assert ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))), file


def test_the_package_names_what_it_has():
    shown = set(re.findall(r"^    (\w+)\(", rouge_bleu.__doc__, re.MULTILINE))
    assert shown == set(rouge_bleu.__all__) - {"__version__"}


# --- CONTRIBUTING.md ------------------------------------------------------------------------------

PAGE = text_of("CONTRIBUTING.md")


def paths_of_map():
    """Return each path of the map, folders with a slash."""
    (tree,) = re.findall(r"^## The map\n\n```text\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    folders, lines = [], []
    for line in tree.splitlines():
        indent, name = re.match(r"( *)([\w.]+/?) +\S", line).groups()
        del folders[len(indent) // 2 :]
        lines.append("".join([*folders, name]))
        folders.append(name)
    return lines


def files_in_git():
    if not (ROOT / ".git").exists():
        pytest.skip("no clone")
    return subprocess.check_output(["git", "ls-files"], cwd=ROOT, encoding="utf-8").splitlines()


def test_names_of_files_are_those_of_all_systems():
    """Neither differ two by their case alone, nor has one what Windows takes for something else."""
    files = files_in_git()
    assert len({file.casefold() for file in files}) == len(files)
    parts = {part for file in files for part in file.split("/")}
    assert [part for part in parts if not re.fullmatch(r"[\w.-]*[\w-]", part, re.ASCII)] == []
    devices = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)
    assert list(filter(devices.fullmatch, parts)) == []


def test_the_map_has_each_room_once_and_nothing_that_is_not_there():
    paths = paths_of_map()
    assert len(paths) == len(set(paths))
    assert [path for path in paths if not (ROOT / path).exists()] == []
    files = [*ROOT.glob("rouge_bleu/**/__init__.py"), *ROOT.glob("rouge_bleu_tools/**/__init__.py")]
    rooms = {file.parent.relative_to(ROOT).as_posix() + "/" for file in files}
    assert {path for path in paths if re.match(r"rouge_bleu\w*/", path)} == rooms
    scripts = {file.name for file in ROOT.glob("*.py")}
    assert {path for path in paths if "/" not in path} == scripts


def test_folders_are_those_of_the_map():
    """At the root, and tests mirror the rooms; other folders of tests stand in the map themselves."""
    parts = [file.split("/") for file in files_in_git() if file[0] != "."]
    paths = set(paths_of_map())
    at_root = {path for path in paths if path.find("/") == len(path) - 1}
    assert at_root == {f"{part[0]}/" for part in parts if len(part) > 1}
    rooms = {path.partition("/")[2] for path in paths if path.startswith(("rouge_bleu", "tests/"))}
    of_tests = {f"{part[1]}/" for part in parts if part[0] == "tests" and len(part) > 2}
    assert of_tests <= rooms | {"examples/"}


def hunks_of_page():
    """Return the file, the old lines and the new lines of each hunk in the diffs of the page."""
    hunks = []
    for diff in re.findall(r"^```diff\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL):
        for part in re.split(r"^\+\+\+ ", diff, flags=re.MULTILINE)[1:]:
            file, _, text = part.partition("\n")
            for hunk in text.split("@@\n"):
                lines = hunk.splitlines(keepends=True)
                old = "".join(line[1:] for line in lines if line[0] != "+")
                hunks.append((file, old, "".join(line[1:] for line in lines)))
    return hunks


# Two of six words stand at the same place, and two at another.
ADDED = """
from rouge_bleu.corpus import checked_corpus
from rouge_bleu._rouge.options.checked import RougeOptions
from rouge_bleu._rouge.scorer import rouge, rouge_explanation

reference = "cat a lay on the mat"
corpus = checked_corpus(["a cat sat on a mat"], [[reference]])
options = RougeOptions(rouge_types=["rougeP", "rouge1"], output="recall")
print(*rouge(corpus, options).values())
entry = rouge_explanation(corpus, options)["rougeP"]["references"][0]
print(*(reference[start:end] for start, end in entry["reference_spans"]))
"""


def test_what_the_page_adds_works(tmp_path):
    package = tmp_path / "rouge_bleu"
    shutil.copytree(ROOT / "rouge_bleu", package, ignore=shutil.ignore_patterns("__pycache__"))
    for name, old, new in hunks_of_page():
        file = tmp_path / name
        text = file.read_text(encoding="utf-8") if old else ""
        assert text.count(old) == 1 if old else not file.exists(), name
        file.write_text(text.replace(old, new) if old else new, encoding="utf-8")
    assert run("-c", ADDED, cwd=tmp_path).stdout == f"{2 / 6} {4 / 6}\non mat\n"
