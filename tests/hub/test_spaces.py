"""Spaces: the package in one file behaves as that of the repository, and folders are complete."""

import json
import runpy
import shutil
import traceback
import urllib.request
import warnings

import evaluate
import pytest
from huggingface_hub import SpaceCard

from helpers.clones import clone
from helpers.metrics import loaded
from helpers.page_server import served
from helpers.reference import CARDS
from helpers.repository import ROOT
from rouge_bleu_tools.hub.install import bundle
from rouge_bleu_tools.hub.spaces import PAGE, build, main, page_files

PROJECT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def test_each_module_is_identical_to_that_of_the_repository(spaces, name):
    sources = runpy.run_path(str(spaces / name / "rouge_bleu.py"), run_name="bundled")["_SOURCES"]
    modules = [path.read_text(encoding="utf-8") for path in (ROOT / "rouge_bleu").rglob("*.py")]
    assert sorted(text[1:] for _, text, _ in sources.values()) == sorted(modules)


REFERENCES = [["The quick fox jumped.", "A fox."], ["the cat\non the mat"], ["a"], ["strasse"]]
TEXTS = {
    "predictions": ["The fast brown fox jumped.", "the cat sat\non a mat", "", "Straße 3.14"],
    "references": REFERENCES,
}
CALLS = [
    *({}, {"use_aggregator": False}, {"n_resamples": 20, "seed": 3, "signature": True}),
    *({"tokenizer": "unicode", "n_jobs": 2}, {"preset": "sacrebleu"}, {"preset": "rouge-1.5.5"}),
    {"predictions": ["кошка сидит"] * 4},  # rouge_full warns that it finds no token
    *({"predictions": "a"}, {"predictions": [None] * 4}, {"no_option": 1}),
]


def outcome(function, **given):
    """The result or the error, and the warnings with the place that they name."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = repr(function(**given))
        except Exception as error:
            result = f"{type(error).__name__}: {error}"
    return result, [(str(one.message), one.filename, one.lineno) for one in caught]


def test_results_errors_and_warnings_are_those_of_the_repository(spaces, name):
    built, original = evaluate.load(str(spaces / name)), loaded(name)
    outcomes = [outcome(original.compute, **{**TEXTS, **given}) for given in CALLS]
    assert [outcome(built.compute, **{**TEXTS, **given}) for given in CALLS] == outcomes
    assert {result[0] == "{" for result, _ in outcomes} == {True, False}
    if name == "rouge_full":
        assert {file for _, shown in outcomes for _, file, _ in shown} == {__file__}
    pair = {"prediction": "the cat sat", "reference": "a cat sat"}
    assert built.explain(**pair) == original.explain(**pair)
    assert built.compute.__doc__ == original.compute.__doc__
    with pytest.raises(TypeError) as raised:
        built.compute(predictions=[3], references=["a"])
    frame = traceback.extract_tb(raised.tb)[-1]
    assert frame.filename.endswith("rouge_bleu.py")
    assert frame.line.startswith("raise ")


def test_evaluate_notices_a_change_behind_a_number_sign(tmp_path):
    """The hash that `evaluate` makes leaves out what follows "#", also in a string."""
    hashes = set()
    for sign in ("#4", "#5"):
        (tmp_path / "__init__.py").write_text(f'SIGN = "{sign}"\n', encoding="utf-8")
        lines = bundle(tmp_path).splitlines(keepends=True)
        hashes.add(evaluate.loading._hash_python_lines(lines))
    assert len(hashes) == 2


@pytest.mark.parametrize("source", ["text = '''a'''\n", "text = 1"])
def test_a_module_that_cannot_be_embedded_is_named(tmp_path, source):
    (tmp_path / "words.py").write_text(source, encoding="utf-8")
    with pytest.raises(ValueError, match=r"words\.py"):
        bundle(tmp_path)


def contents(root):
    """The files of the page."""
    return {path.relative_to(root): path.read_bytes() for path in page_files(root)}


def test_a_space_folder_is_complete(metric, spaces):
    """Script, package, page, requirements, and a card with the front matter that the Hub reads."""
    name, folder = metric.name, spaces / metric.name
    top = {f"{name}.py", "rouge_bleu.py", "README.md", "requirements.txt", *PAGE}
    assert {path.name for path in folder.iterdir()} == top
    assert (folder / f"{name}.py").read_bytes() == (ROOT / f"{name}.py").read_bytes()
    assert contents(folder) == contents(ROOT)
    lines = (folder / "requirements.txt").read_text(encoding="utf-8").splitlines()
    assert set((ROOT / "requirements.txt").read_text(encoding="utf-8").split()) < set(lines)
    card = SpaceCard((folder / "README.md").read_text(encoding="utf-8"))
    data = card.data.to_dict()
    fixed = {"title": name, "sdk": "gradio", "app_file": "app.py", "license": "apache-2.0"}
    assert fixed.items() <= data.items()
    assert data["tags"] == ["evaluate", "metric"]
    assert f"gradio=={data['sdk_version']}" in lines
    assert f"gradio=={data['sdk_version']}" in PROJECT
    assert f'"{data["python_version"]}"' in (ROOT / ".github/workflows/ci.yml").read_text("utf-8")
    repository, picture = data["thumbnail"].split("/raw/main/")
    assert repository in PROJECT + CARDS[name]
    assert (ROOT / picture).is_file()
    assert 0 < len(data["short_description"]) <= 60  # the Hub's limit
    assert data["description"].split() == metric.description.split()
    assert card.text.lstrip() == CARDS[name]


def test_building_again_replaces_what_was_built(tmp_path, capsys):
    (tmp_path / "bleu_full").mkdir()  # an empty folder is taken
    folder, other = build(tmp_path)
    old = [folder / "__pycache__", folder / "rouge_bleu_tools" / "of_an_earlier_version.py"]
    old[0].mkdir()
    old[1].touch()
    (folder / "README.md").write_text("edited", encoding="utf-8")
    before = contents(other)
    assert main(["--output", str(tmp_path)]) == 0
    assert [path.exists() for path in old] == [False, False]
    assert (folder / "README.md").read_text(encoding="utf-8").startswith("---\ntitle: ")
    assert contents(other) == before
    out = capsys.readouterr().out
    assert all(str(path) in out for path in (folder, other))


@pytest.mark.parametrize(
    "files", ["notes.txt", "README.md bleu_full.py", "rouge_bleu.py .git/HEAD"]
)
def test_a_folder_that_no_build_wrote_is_left_alone(tmp_path, capsys, files):
    """Such as notes, a metric of somebody else, a clone of a Space."""
    paths = [tmp_path / "bleu_full" / file for file in files.split()]
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("mine", encoding="utf-8")
    assert main(["--output", str(tmp_path)]) == 2
    error = capsys.readouterr().err
    assert (str(tmp_path / "bleu_full") in error, error.count("\n")) == (True, 1)
    assert all(path.read_text(encoding="utf-8") == "mine" for path in paths)
    assert not (tmp_path / "rouge_full").exists(), "all is checked before any is written"


def test_a_file_that_is_missing_or_wrong_is_named(tmp_path):
    root, output = clone(tmp_path / "clone"), tmp_path / "build"
    for file in ("pyproject.toml", "requirements.txt", "app.py", "rouge_full.py"):
        (root / file).rename(root / "elsewhere")
        with pytest.raises(FileNotFoundError, match=file):
            build(output, root=root)
        (root / "elsewhere").rename(root / file)
    (root / "pyproject.toml").write_text(PROJECT.replace('"gradio==', '"gradio>='), "utf-8")
    with pytest.raises(ValueError, match="gradio"):
        build(output, root=root)
    assert not output.exists()


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
