"""`python -m rouge_bleu_tools.hub build`: complete Space folders, and nothing removed that is not its own."""

import json
import shutil
import urllib.request

import pytest
from huggingface_hub import SpaceCard

from helpers.clones import clone
from helpers.page_server import served
from helpers.reference import CARDS
from helpers.repository import ROOT
from rouge_bleu_tools.hub.install import METRICS
from rouge_bleu_tools.hub.spaces import PAGE, build, main, page_files

PROJECT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
COLORS = {"red", "yellow", "green", "blue", "indigo", "purple", "pink", "gray"}


def contents(root):
    """The files of the page."""
    return {path.relative_to(root): path.read_bytes() for path in page_files(root)}


def test_a_space_folder_is_complete(name, spaces):
    top = {f"{name}.py", "rouge_bleu.py", "README.md", "requirements.txt", *PAGE}
    assert {path.name for path in (spaces / name).iterdir()} == top
    assert contents(spaces / name) == contents(ROOT)


def test_the_requirements_are_those_of_the_metrics_and_the_page(name, spaces):
    lines = (spaces / name / "requirements.txt").read_text(encoding="utf-8").splitlines()
    assert set((ROOT / "requirements.txt").read_text(encoding="utf-8").split()) < set(lines)
    assert len(lines) == len(set(lines))
    (gradio,) = (line for line in lines if line.startswith("gradio=="))
    assert gradio in PROJECT


def test_the_front_matter_is_what_the_hub_reads(metric, spaces):
    folder = spaces / metric.name
    card = SpaceCard((folder / "README.md").read_text(encoding="utf-8"))
    data = card.data.to_dict()
    fixed = {"title": metric.name, "sdk": "gradio", "app_file": "app.py", "license": "apache-2.0"}
    assert {key: data[key] for key in fixed} == fixed
    assert data["tags"] == ["evaluate", "metric"]
    assert f"gradio=={data['sdk_version']}" in (folder / "requirements.txt").read_text()
    assert {data["colorFrom"], data["colorTo"]} <= COLORS
    assert 0 < len(data["short_description"]) <= 60
    assert data["description"].split() == metric.description.split()
    assert card.text.lstrip() == CARDS[metric.name]


def test_building_again_replaces_what_was_built(tmp_path):
    (tmp_path / "bleu_full").mkdir()  # an empty folder is taken
    folder, _ = build(tmp_path)
    (folder / "__pycache__").mkdir()
    (folder / "rouge_bleu_tools" / "module_of_an_earlier_version.py").touch()
    (folder / "README.md").write_text("edited", encoding="utf-8")
    before = contents(build(tmp_path)[1])
    assert not (folder / "__pycache__").exists()
    assert not (folder / "rouge_bleu_tools" / "module_of_an_earlier_version.py").exists()
    assert (folder / "README.md").read_text(encoding="utf-8").startswith("---\ntitle: ")
    assert contents(build(tmp_path)[1]) == before


@pytest.mark.parametrize(
    "files",
    [["notes.txt"], ["README.md", "bleu_full.py"], ["rouge_bleu.py", "bleu_full.py", ".git/HEAD"]],
    ids=["notes", "a metric of somebody else", "a clone of a Space"],
)
def test_a_folder_that_no_build_wrote_is_left_alone(tmp_path, capsys, files):
    folder = tmp_path / "bleu_full"
    for file in files:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text("mine", encoding="utf-8")
    assert main(["--output", str(tmp_path)]) == 2
    error = capsys.readouterr().err
    assert (str(folder) in error, error.count("\n")) == (True, 1)
    assert all((folder / file).read_text(encoding="utf-8") == "mine" for file in files)
    assert not (tmp_path / "rouge_full").exists(), "all is checked before any is written"


def test_the_command_names_what_it_wrote(tmp_path, capsys):
    assert main(["--output", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert all(str(tmp_path / name) in out for name in METRICS)


@pytest.mark.parametrize("file", ["rouge_full.py", "app.py", "requirements.txt", "pyproject.toml"])
def test_a_missing_file_is_named(tmp_path, file):
    root = clone(tmp_path / "clone")
    (root / file).unlink()
    with pytest.raises(FileNotFoundError, match=file):
        build(tmp_path / "build", root=root)
    assert not (tmp_path / "build").exists()


def test_a_page_without_a_version_of_gradio(tmp_path):
    root = clone(tmp_path / "clone")
    project = PROJECT.replace('"gradio==', '"gradio>=')
    (root / "pyproject.toml").write_text(project, encoding="utf-8")
    with pytest.raises(ValueError, match="must pin gradio"):
        build(tmp_path / "build", root=root)


def test_the_page_of_a_space_starts(name, spaces, tmp_path):
    """`python app.py` in the folder, without the repository on its path."""
    pytest.importorskip("gradio", reason="the page is not installed here")
    shutil.copytree(spaces / name, tmp_path / "space")
    (tmp_path / "scratch").mkdir()
    with (
        served(tmp_path / "space", tmp_path / "scratch", PYTHONSAFEPATH="") as (url, _),
        urllib.request.urlopen(f"{url}/config", timeout=60) as reply,
    ):
        assert name in json.dumps(json.load(reply))
