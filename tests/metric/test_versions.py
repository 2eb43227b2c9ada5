"""Packages that are too old are refused, and the oldest that are not stand in one place only."""

import re
import warnings

import pytest

from helpers.errors import error_of
from helpers.repository import ROOT, module_of
from rouge_bleu.metric import versions
from rouge_bleu.metric.versions import OLDEST_VERSIONS, check_versions
from rouge_bleu.version import VERSION


def short(version):
    """The version as people write it: 2.21.0 is 2.21."""
    return version.removesuffix(".0").removesuffix(".0")


def test_those_of_this_process_and_the_oldest_are_taken():
    check_versions()
    check_versions(OLDEST_VERSIONS)
    check_versions(dict.fromkeys(OLDEST_VERSIONS, "100.0.dev1+local"))


@pytest.mark.parametrize(
    ("package", "version", "oldest"),
    [
        ("evaluate", "0.4.2", "0.4.3"),
        ("datasets", "2.9.0", "2.21.0"),
        ("numpy", "1.26.0rc1", "1.26.0"),
        ("pyarrow", "16.1.0", "17.0.0"),
    ],
)
def test_an_older_one_is_named(package, version, oldest):
    versions, upgrade = {**OLDEST_VERSIONS, package: version}, "python -m pip install --upgrade"
    message = f"{package} must be {oldest} or later, got {version}: {upgrade} {package}"
    assert error_of(check_versions, versions) == (ImportError, message)


def test_loading_says_so(metric, monkeypatch):
    """The class is made by evaluate, which lets the error through."""
    module = module_of(metric, "metric.versions")
    monkeypatch.setitem(module._VERSIONS, "datasets", "2.20.0")
    with pytest.raises(ImportError, match=r"^datasets must be 2\.21\.0 or later, got 2\.20\.0: "):
        type(metric)()


OF_INSTALL = "evaluate_modules.metrics.evaluate-metric--rouge_full.0123.rouge_full"
OF_SPACE = "evaluate_modules.metrics.your-name--rouge_full.0123.rouge_full"


@pytest.mark.parametrize(
    ("module", "installed", "is_said"),
    [
        (OF_INSTALL, "99.0", True),
        (OF_SPACE, "99.0", False),
        ("rouge_bleu.metric.versions", "99.0", False),
        *((OF_INSTALL, version, False) for version in (VERSION, "0.0.1", "no version", None)),
    ],
)
def test_a_copy_that_is_older_than_the_package(monkeypatch, module, installed, is_said):
    """A package without a version, or none, is no error."""
    monkeypatch.setattr(versions.metadata, "version", {"rouge-bleu-full": installed}.get)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        versions.warn_of_old_copy(module)
    assert [installed in str(one.message) for one in caught] == [True] * is_said


def test_the_oldest_are_those_of_the_requirements():
    needed = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    pinned = (ROOT / "requirements" / "oldest.txt").read_text(encoding="utf-8").splitlines()
    for package, oldest in OLDEST_VERSIONS.items():
        assert f"{package}>={short(oldest)}" in needed
        assert f'"{package}>={short(oldest)}"' in project
        assert f"{package}=={oldest}" in pinned


def test_the_oldest_stand_in_the_readme():
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    named = ", ".join(f"`{name}` {short(oldest)}" for name, oldest in OLDEST_VERSIONS.items())
    start, _, last = named.rpartition(", ")
    assert re.search(f"They need Python 3.10 or later, {start} and {last} or later", readme)
