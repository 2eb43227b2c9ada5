"""What no other test reads: the citation, the workflow, and the map in CONTRIBUTING.md."""

import re
import subprocess

import pytest
import yaml

import rouge_bleu
from helpers.pages import text_of
from helpers.repository import ROOT
from rouge_bleu.version import VERSION

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


def test_the_package_names_what_it_has():
    shown = set(re.findall(r"^    (\w+)\(", rouge_bleu.__doc__, re.MULTILINE))
    assert shown == set(rouge_bleu.__all__) - {"__version__"}


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
