"""Files for services that no other test reads: the citation and the workflow."""

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


def floors_of_the_map():
    """The modules of each floor of the map in CONTRIBUTING.md, from the top down."""
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = page.split("| floor | modules |\n")[1].split("\n\n")[0]
    return [re.findall(r"`(\w+)\.py`", row) for row in table.splitlines()[1:]]


def test_modules_import_from_their_own_floor_and_from_below():
    floor_of_module = {
        module: floor for floor, modules in enumerate(floors_of_the_map()) for module in modules
    }
    upwards = []
    for module, floor in floor_of_module.items():
        source = (ROOT / f"{module}.py").read_text(encoding="utf-8")
        for imported in re.findall(r"^from \.(\w+) import", source, re.MULTILINE):
            if floor_of_module[imported] < floor:
                upwards.append((module, imported))
    assert upwards == []


def test_the_map_has_every_module():
    """Once each, on the floors of CONTRIBUTING.md."""
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = page.split("| floor | modules |\n")[1].split("\n\n")[0]
    modules = re.findall(r"`(\w+\.py)`", table)
    assert sorted(modules) == sorted(path.name for path in ROOT.glob("*.py"))
    for folder in re.findall(r"`(\w+)/`", table):
        assert (ROOT / folder).is_dir()
