"""The page of a Space, in this process and through gradio's client: both metrics, a mistake of the
user, no look-up of any other machine.
"""

import doctest
import importlib
import importlib.util
import os
import socket
import sys

os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"  # read by gradio, so set before its import

import pytest
import stage

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:gradio")  # of pandas

PREDICTION = "The fast brown fox jumped over the lazy dog."
REFERENCES = (
    "The quick brown animal jumped over the lazy dog.\n\nThe quick brown fox jumped over "
    ""
    "the lazy dog."
)


@pytest.fixture(scope="module")
def app():
    """The module of the page. Importing gradio takes seconds, so it is done for these tests only."""
    pytest.importorskip("gradio", reason="it needs a newer huggingface_hub than is installed")
    return importlib.import_module("full_metrics.app")


@pytest.fixture(scope="module")
def looked_up():
    """Names of other machines that were looked up; no look-up succeeds."""
    names = []
    getaddrinfo = socket.getaddrinfo

    def loopback_only(host, *arguments, **options):
        if host not in ("127.0.0.1", "localhost", None):
            names.append(host)
            raise socket.gaierror(f"no network in tests: {host}")
        return getaddrinfo(host, *arguments, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket, "getaddrinfo", loopback_only)
        patch.setattr(
            "huggingface_hub.constants.HF_HUB_OFFLINE", True
        )  # what the variable of that name sets, before the import
        yield names


def launched(demo):
    from gradio_client import Client

    _, url, _ = demo.launch(prevent_thread_lock=True, quiet=True, server_name="127.0.0.1")
    return Client(url, verbose=False)


@pytest.fixture(scope="module")
def rouge_page(app, looked_up):
    """The page as it is in the repository."""
    yield launched(app.demo)
    app.demo.close()


@pytest.fixture(scope="module")
def bleu_page(looked_up, tmp_path_factory):
    """The page as it is in the Space of bleu_full, where there is no other metric."""
    _, folder = stage.build(tmp_path_factory.mktemp("build"))
    spec = importlib.util.spec_from_file_location("bleu_full_space_app", folder / "app.py")
    space = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, spec.name, space)  # dataclasses look their module up
        spec.loader.exec_module(space)
        yield launched(space.demo)
        space.demo.close()


def predicted(page, prediction=PREDICTION, references=REFERENCES):
    """The table and the signature."""
    return page.predict(prediction, references, api_name="/compute")


def table(page, *texts):
    return predicted(page, *texts)[0]


@pytest.mark.parametrize("name", ["rouge_full", "bleu_full"])
def test_the_signature_gives_the_scores_again(request, name):
    page = request.getfixturevalue(f"{name.removesuffix('_full')}_page")
    _, signature = predicted(page, "a b c d e", "a b c d f")
    metric = request.getfixturevalue(name)
    options = metric.options_of_signature(signature)
    assert signature.startswith(f"{name}|")
    data = {"predictions": ["a b c d e"], "references": [["a b c d f"]]}
    again = metric.compute(**data, **options, signature=True)
    assert again["signature"] == signature


def test_rouge_scores(rouge_page):
    result = table(rouge_page)
    assert result["headers"] == ["ROUGE", "Precision", "Recall", "F1"]
    rows = {name: scores for name, *scores in result["data"]}
    assert rows["rouge1"] == [0.8889, 0.8889, 0.8889]
    assert list(rows) == [
        "rouge1",
        "rouge2",
        "rougeL",
        "rougeLsum",
        "rougeW",
        "rougeS4",
        "rougeSU4",
    ]


def test_bleu_scores_in_its_own_space(bleu_page):
    result = table(bleu_page)
    assert result["headers"] == ["Measure", "Value"]
    assert dict(result["data"])["BLEU"] == 0.7825
    assert dict(result["data"])["2-gram precision"] == 0.7778


def test_one_reference_of_several_lines_is_one_reference(rouge_page):
    rows = {name: scores for name, *scores in table(rouge_page, "a b c", "a b\nc")["data"]}
    assert rows["rouge1"] == [1.0, 1.0, 1.0]


@pytest.mark.parametrize("texts", [("", "a b"), ("a b", " \n\n ")])
def test_a_missing_text_is_named(rouge_page, texts):
    from gradio_client.exceptions import AppError

    with pytest.raises(AppError, match=r"Enter a prediction and at least one reference\."):
        table(rouge_page, *texts)


def test_an_error_of_the_metric_is_shown(app, rouge_page, monkeypatch):
    from gradio_client.exceptions import AppError

    monkeypatch.setitem(app.PAGES["rouge_full"].options, "output", "f1")
    with pytest.raises(AppError, match="output must be"):
        table(rouge_page)


def test_nothing_was_looked_up(rouge_page, bleu_page, looked_up):
    table(rouge_page)
    table(bleu_page)
    assert looked_up == []


def test_the_metric_is_chosen_by_folder_and_environment(app, tmp_path, monkeypatch):
    monkeypatch.delenv("METRIC", raising=False)
    assert app.metric_name() == "rouge_full"
    (tmp_path / "bleu_full.py").touch()
    assert app.metric_name(tmp_path) == "bleu_full"
    monkeypatch.setenv("METRIC", "bleu_full")
    assert app.metric_name() == "bleu_full"
    monkeypatch.setenv("METRIC", "rouge")
    with pytest.raises(SystemExit, match="no rouge to serve"):
        app.metric_name()


def test_the_examples_in_its_docstrings(app):
    assert doctest.testmod(app) == (0, 1)


@pytest.mark.parametrize(
    ("text", "references"),
    [
        ("a b \n\n c d", ["a b ", " c d"]),
        ("a b\n \t \nc d \n\n\n", ["a b", "c d"]),
        ("  a b\t", ["a b"]),
        ("a b  \nc  \n\nd  ", ["a b  \nc  ", "d"]),
        ("\n\n\n", []),
    ],
)
def test_blanks_around_references(app, text, references):
    """Blanks at the end of the page's text are no reference, and blanks in a line stay."""
    assert app.references_of_text(text) == references
