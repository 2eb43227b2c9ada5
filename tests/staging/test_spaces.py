"""What stage.py writes: complete Space folders, and copies in the module cache of which the last
one counts.
"""

import os
import re
import sys
import time

import pytest
import stage
from evaluate.loading import CachedEvaluationModuleFactory
from huggingface_hub import SpaceCard

from helpers.cards import CARDS
from helpers.clones import clone
from helpers.repository import ROOT
from rouge_bleu_tools.staging import module_cache
from rouge_bleu_tools.staging.loader_rules import shipped_modules
from rouge_bleu_tools.staging.page_files import page_files
from rouge_bleu_tools.staging.single_file import MARK
from rouge_bleu_tools.staging.sources import StageError
from rouge_bleu_tools.staging.spaces import SPACES

NAMES = list(SPACES)
# One that both scripts reach.
OF_ROUGE, OF_BLEU = ([one.file for one in shipped_modules(ROOT / f"{name}.py")] for name in NAMES)
MODULE = next(file for file in OF_ROUGE if file in OF_BLEU)
PROJECT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
COLORS = {"red", "yellow", "green", "blue", "indigo", "purple", "pink", "gray"}


@pytest.fixture
def copy(tmp_path):
    """The part of the repository that is staged, to be changed."""
    return clone(tmp_path / "repository")


def files_in(folder):
    """The content of each file in a folder and in those below, by its path."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}


# --- build ----------------------------------------------------------------------------------------


def test_a_space_folder_is_complete_and_holds_nothing_else(name, spaces):
    files = files_in(spaces / name)
    of_the_page = page_files(ROOT)
    assert set(files) == {f"{name}.py", "requirements.txt", "README.md", *of_the_page}
    assert {path: files[path] for path in of_the_page} == of_the_page


def test_the_requirements_of_a_space_are_those_of_the_page(spaces):
    """One list, since a Space has no other file of requirements to refer to."""
    of_the_metrics = (ROOT / "requirements.txt").read_text(encoding="utf-8").split()
    gradio = re.search(r"^page = .*(gradio==[\d.]+)", PROJECT, re.MULTILINE)[1]
    for name in NAMES:
        written = (spaces / name / "requirements.txt").read_text(encoding="utf-8")
        assert written.split("\n") == [*of_the_metrics, gradio, ""]


def test_the_front_matter_is_what_the_hub_reads(metric, spaces):
    name = metric.name
    card = SpaceCard((spaces / name / "README.md").read_text(encoding="utf-8"))
    data = card.data.to_dict()
    fixed = {
        "title": name,
        "sdk": "gradio",
        "app_file": "app.py",
        "pinned": False,
        "license": "apache-2.0",
        "tags": ["evaluate", "metric"],
    }
    assert {key: data[key] for key in fixed} == fixed
    version_of_sdk = data["sdk_version"]
    assert f'page = ["gradio=={version_of_sdk}"' in PROJECT
    assert {data["colorFrom"], data["colorTo"]} <= COLORS
    assert 0 < len(data["short_description"]) <= 60
    assert data["description"].split() == metric.description.split()
    assert card.text.lstrip() == CARDS[name]


def test_building_again_replaces_what_was_built(tmp_path):
    (tmp_path / "bleu_full").mkdir()  # an empty folder is taken
    folder, other = stage.build(tmp_path)
    assert (other / "bleu_full.py").is_file()
    caches = [folder / "__pycache__", folder / "rouge_bleu_tools" / "page" / "__pycache__"]
    left = [*caches, folder / ".gradio"]
    for path in left:
        path.mkdir(exist_ok=True, parents=True)
        (path / "file").touch()
    (folder / "README.md").write_text("edited", encoding="utf-8")
    stage.build(tmp_path)
    assert [path for path in left if path.exists()] == []
    assert (folder / "README.md").read_text(encoding="utf-8").startswith("---\ntitle: ")


# What stands in <output>/bleu_full, and what the build says of it. Of builds without a
# mark the last one, which wrote each module as a file, is an example.
NO_MARK = "has no mark of a build, so it may be somebody's work (or that of an older stage.py): "
FOREIGN = {
    "a clone": ({".git": "x"}, NO_MARK),
    "an older build": (
        {"bleu_full.py": "from .words import Words", "words.py": "", "README.md": ""},
        NO_MARK,
    ),
    "a file of a folder": (
        {"bleu_full.py": f'"""B."""\n\n{MARK}\n', "page/notes/mine.py": "x"},
        "holds page/notes/mine.py, which this build does not write: ",
    ),
}


@pytest.mark.parametrize(("files", "message"), FOREIGN.values(), ids=FOREIGN)
def test_a_folder_that_no_build_wrote_is_left_alone(tmp_path, capsys, files, message):
    folder = tmp_path / "bleu_full"
    folder.mkdir()
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    assert stage.main(["build", "--output", str(tmp_path)]) == 1
    assert capsys.readouterr().err == (
        f"stage.py: {folder} {message}remove the folder, or choose another --output\n"
    )
    assert {path: content.decode() for path, content in files_in(folder).items()} == files
    assert not (tmp_path / "rouge_full").exists(), "all is checked before any is written"


def test_the_command_says_what_it_wrote(tmp_path, capsys):
    assert stage.main(["build", "--output", str(tmp_path)]) == 0
    first, *_, last = capsys.readouterr().out.splitlines()
    folder = tmp_path / "rouge_full"
    assert first.startswith(f"{folder}: README.md, app.py, ")
    assert last == f"To publish one: hf upload <user>/rouge_full {folder} --repo-type space"


@pytest.mark.parametrize(
    ("file", "message"),
    [
        (MODULE, f"imports {MODULE[:-3].replace('/', '.')}, which is not copied with it"),
        ("rouge_full.py", "rouge_full.py does not exist"),
        ("app.py", "app.py is missing: the Spaces need it"),
        ("requirements.txt", "requirements.txt is missing: the Spaces need it"),
        (
            "metric_cards/rouge_full.md",
            "rouge_full.md is missing: the Space of rouge_full needs it",
        ),
    ],
)
def test_a_missing_file_is_named(copy, tmp_path, file, message):
    (copy / file).unlink()
    with pytest.raises(StageError, match=re.escape(message)):
        stage.build(tmp_path / "build", root=copy)
    assert not (tmp_path / "build").exists()


def test_what_must_stand_in_a_file_is_named(copy, tmp_path):
    project = PROJECT.replace('"gradio==', '"gradio>=')
    (copy / "pyproject.toml").write_text(project, encoding="utf-8")
    with pytest.raises(StageError, match=r"^pyproject\.toml must pin gradio"):
        stage.build(tmp_path / "build", root=copy)


# --- install --------------------------------------------------------------------------------------


def chosen_by_evaluate(evaluate_modules, name="rouge_full"):
    """The folder of the copy that `evaluate` takes for a bare name."""
    factory = CachedEvaluationModuleFactory(
        f"evaluate-metric--{name}", dynamic_modules_path=str(evaluate_modules)
    )
    return evaluate_modules / "metrics" / f"evaluate-metric--{name}" / factory.get_module().hash


def edit(root):
    with (root / MODULE).open("a", encoding="utf-8") as file:
        file.write("EDITED = True\n")


def test_an_installed_copy_is_a_package_with_one_script(tmp_path):
    copies = stage.install(tmp_path)
    for name, copy in zip(NAMES, copies, strict=True):
        assert chosen_by_evaluate(tmp_path, name) == copy
        assert {file.name for file in copy.glob("*.py")} == {"__init__.py", f"{name}.py"}
        assert all((package / "__init__.py").exists() for package in (tmp_path, *copy.parents[:2]))
        assert [path.name for path in copy.parent.iterdir() if path.is_dir()] == [copy.name], (
            "nothing unfinished is left"
        )


@pytest.fixture
def joined_files(monkeypatch):
    """Modules stand in one file as they are, which is made at once."""
    monkeypatch.setattr(
        module_cache, "single_file", lambda modules: "".join(one.source for one in modules)
    )


def test_the_copy_installed_last_wins(copy, tmp_path, joined_files):
    modules = tmp_path / "modules"
    first, _ = stage.install(modules, root=copy)
    original = (copy / MODULE).read_bytes()
    edit(copy)
    second, _ = stage.install(modules, root=copy)
    assert chosen_by_evaluate(modules) == second != first
    assert "\nEDITED = True\n" in (second / "rouge_full.py").read_text(encoding="utf-8")
    assert first.exists(), "a process that runs may still need it"
    (copy / MODULE).write_bytes(original)
    assert stage.install(modules, root=copy)[0] == first == chosen_by_evaluate(modules)


def test_a_copy_with_a_later_date_does_not_win(tmp_path):
    other = tmp_path / "metrics" / "evaluate-metric--rouge_full" / ("0" * 64)
    other.mkdir(parents=True)
    (other / "rouge_full.py").touch()
    tomorrow = time.time() + 24 * 3600
    os.utime(other / "rouge_full.py", (tomorrow, tomorrow))
    copy, _ = stage.install(tmp_path)
    assert chosen_by_evaluate(tmp_path) == copy


def test_a_copy_that_was_edited_is_written_again(tmp_path):
    copy, _ = stage.install(tmp_path)
    script = (copy / "rouge_full.py").read_bytes()
    (copy / "rouge_full.py").write_text("broken", encoding="utf-8")
    (copy / "__init__.py").unlink()
    assert stage.install(tmp_path)[0] == copy
    assert (copy / "rouge_full.py").read_bytes() == script
    assert (copy / "__init__.py").exists()


def test_only_old_copies_of_an_install_are_removed(copy, tmp_path, joined_files):
    modules = tmp_path / "modules"
    ours, _ = stage.install(modules, root=copy)
    of_the_hub = ours.with_name("0" * 64)
    of_the_hub.mkdir()
    (of_the_hub / "rouge_full.py").touch()
    for path in (ours, of_the_hub):
        os.utime(path / "rouge_full.py", (0, 0))
    edit(copy)
    stage.install(modules, root=copy)
    assert not ours.exists()
    assert of_the_hub.exists()


def test_install_without_evaluate_says_what_to_do(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "evaluate.loading", None)
    assert stage.main(["install"]) == 1
    message = capsys.readouterr().err
    assert f"{sys.executable} cannot import evaluate" in message
    assert "make install PYTHON=" in message
