"""Files for services that no other test reads: the citation and the workflow."""

import ast
import re

import pytest
import yaml

from helpers.repository import ROOT
from rouge_bleu.options.signature import VERSION


def read_yaml(path):
    return yaml.safe_load((ROOT / path).read_text(encoding="utf-8"))


def project(key):
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    return re.search(rf'^{key} = "(.*)"$', text, re.MULTILINE)[1]


def test_citation_is_of_this_version():
    citation = read_yaml("CITATION.cff")
    assert citation["version"] == project("version")
    assert citation["license"] == project("license")
    # https://github.com/citation-file-format/citation-file-format: what 1.2.0 requires
    assert {"cff-version", "message", "title", "authors"} <= set(citation)


def test_signatures_have_this_version():
    """The modules have it once, since a script that evaluate loads has no metadata."""
    assert project("version") == VERSION
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    sections = re.findall(r"^## \[(.*?)\]", changelog, re.MULTILINE)
    assert sections[:2] == ["Unreleased", VERSION]


@pytest.mark.parametrize(("number", "name"), [(0, "rouge_full"), (1, "bleu_full")])
def test_citation_names_the_papers_of_the_metrics(request, number, name):
    paper = read_yaml("CITATION.cff")["references"][number]
    entry = request.getfixturevalue(name).citation
    assert paper["url"] in entry
    assert f"{paper['start']}--{paper['end']}" in entry
    assert f'"{paper["year"]}"' in entry
    assert all(author["family-names"] in entry for author in paper["authors"])


def test_workflow_runs_ci_on_all_versions():
    job = read_yaml(".github/workflows/ci.yml")["jobs"]["ci"]
    versions = job["strategy"]["matrix"]["python"]
    assert versions == ["3.10", "3.11", "3.12", "3.13"]
    assert f">={versions[0]}" == project("requires-python")
    assert {"run": "bash .ci/run"} in job["steps"]
    assert (ROOT / ".ci" / "run").is_file()


def test_contributing_names_files_that_are_there():
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    paths = re.findall(r"`((?:[\w.]+/)+(?:\w+\.\w+)?)`", page)
    assert len(paths) > 10
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_each_room_says_what_it_is_for():
    """In its `__init__`, and the rooms of the package in the list of the package's own."""
    for file in ROOT.glob("rouge_bleu*/**/__init__.py"):
        assert ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))), file
    rooms = {path.parent.name for path in ROOT.glob("rouge_bleu/*/__init__.py")}
    text = (ROOT / "rouge_bleu" / "__init__.py").read_text(encoding="utf-8")
    listed = re.findall(r"^    (\w+(?:, \w+)*)  ", text, re.MULTILINE)
    assert rooms == {room for line in listed for room in line.split(", ")}
