"""The release workflow, the page that explains it, and what `make release-check` looks at first."""

import re

import pytest
import yaml

from helpers.repository import ROOT
from programs import release_check
from rouge_bleu.version import VERSION
from rouge_bleu_tools.hub.bundle import METRICS

WORKFLOW = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text("utf-8"))
PAGE = (ROOT / "docs" / "releasing.md").read_text("utf-8")
JOBS = WORKFLOW["jobs"]


def test_only_what_was_checked_is_uploaded():
    commands = [step["run"] for step in JOBS["check"]["steps"] if "run" in step]
    assert commands == ["bash .ci/run", 'make release-check ARGS="--tag $GITHUB_REF_NAME"']
    assert WORKFLOW[True] == {"push": {"tags": ["v*"]}}  # YAML takes "on" for true
    assert all(job["needs"] == "check" for name, job in JOBS.items() if name != "check")
    (upload,) = [step for step in JOBS["check"]["steps"] if "upload" in step.get("uses", "")]
    assert upload["with"]["path"].split() == ["build/release/dist", "build/release/spaces"]
    assert JOBS["spaces"]["strategy"]["matrix"]["metric"] == list(METRICS)


def test_the_page_names_all_that_has_to_be_set():
    text = (ROOT / ".github" / "workflows" / "release.yml").read_text("utf-8")
    named = set(re.findall(r"(?:secrets|vars)\.(\w+)", text))
    named |= {"pypi", "hub", "github-pages", "release.yml", "rouge-bleu-full"}
    assert [name for name in sorted(named) if f"`{name}`" not in PAGE] == []


def test_the_version_of_the_tag_and_of_the_changelog(monkeypatch, tmp_path):
    assert release_check.checked_version(f"v{VERSION}") == VERSION
    assert release_check.checked_version(None) == VERSION
    with pytest.raises(SystemExit, match=rf"^the tag is v9, and the version is {VERSION}$"):
        release_check.checked_version("v9")
    (tmp_path / "rouge_bleu").mkdir()
    (tmp_path / "rouge_bleu" / "version.py").write_text('VERSION = "1.2.3"\n')
    (tmp_path / "CHANGELOG.md").write_text("## [Unreleased]\n\n## [1.2.3]\n")
    monkeypatch.setattr(release_check, "ROOT", tmp_path)
    with pytest.raises(
        SystemExit, match=r"^CHANGELOG\.md has no heading for 1\.2\.3 with its date$"
    ):
        release_check.checked_version(None)
