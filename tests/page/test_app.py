"""The page through gradio's client: every function for programs, mistakes of visitors, and no
look-up of any other machine. What the handlers return is tested in test_page_*.py.
"""

import importlib
import json
import os
import socket
from functools import partial

os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"  # read by gradio, so set before its import

import pytest

import rouge_bleu
from helpers.programs import refusal, run_here
from rouge_bleu_tools.commands.page import main as page_command

gradio_client = pytest.importorskip("gradio_client", reason="the page is not installed here")

# Gradio leaves sockets and event loops to be collected.
pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

PREDICTION = "The fast brown fox jumped over the lazy dog."
SCORES = {"rouge_full": rouge_bleu.rouge, "bleu_full": rouge_bleu.bleu}
REFERENCES = [
    "The quick brown animal jumped over the lazy dog.",
    "The quick brown fox jumped over the lazy dog.",
]


@pytest.fixture(scope="module")
def app():
    """The module of the page. Importing gradio takes seconds, so it is done for these tests only."""
    pytest.importorskip("gradio", reason="it needs a newer huggingface_hub than is installed")
    return importlib.import_module("app")


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
        # what the variable of that name sets, before the import
        patch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
        yield names


@pytest.fixture(scope="module")
def page(app, looked_up):
    """The page as it is in the repository."""
    _, url, _ = app.launch(prevent_thread_lock=True, quiet=True, server_name="127.0.0.1")
    yield gradio_client.Client(url, verbose=False)
    app.demo.close()


def test_all_functions_have_names(page):
    functions = page.view_api(return_format="dict", print_info=False)["named_endpoints"]
    assert set(functions) == {
        *("/score", "/explain", "/code", "/card", "/score_file", "/find_settings")
    }


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("rouge_full", {"preset": "ROUGE-1.5.5.pl -n 2 -2 4 -u -w 1.2 -a -r 100"}),
        ("bleu_full", {"weights": [1, 1], "lowercase": True}),
    ],
)
def test_scores_are_those_of_compute(page, name, options):
    found = page.predict(name, PREDICTION, REFERENCES, options, api_name="/score")
    if name == "rouge_full":
        options = options | {"confidence_level": None, "output": "all"}
    score = SCORES[name]
    expected = score([PREDICTION], [REFERENCES], **options, signature=True)
    assert found["signature"] == expected.pop("signature")
    assert found["result"] == expected


def test_explanations_are_those_of_explain(page):
    found = page.predict("rouge_full", PREDICTION, REFERENCES, {}, "rouge2", api_name="/explain")
    assert found == rouge_bleu.explain_rouge(PREDICTION, REFERENCES, rouge_types=["rouge2"])


def test_a_file_with_another_system(page, tmp_path):
    table = tmp_path / "mine.csv"
    rows = "a cat sat,a dog ran,the cat sat\nit rains,it rains,it rains\n,x,y\n"
    table.write_text(f"output,other,human\n{rows}", encoding="utf-8")
    request = {
        "metric": "rouge_full",
        "prediction_column": "output",
        "reference_columns": ["human"],
        "other_column": "other",
        "options": {"rouge_types": ["rouge1"]},
    }
    file = gradio_client.handle_file(table)
    found, items = page.predict(file, request | {"allow_empty": True}, api_name="/score_file")
    expected = rouge_bleu.rouge(
        ["a cat sat", "it rains", ""],
        ["the cat sat", "it rains", "y"],
        baseline_predictions=["a dog ran", "it rains", "x"],
        rouge_types=["rouge1"],
        output="all",
        confidence_level=0.95,
        signature=True,
    )
    assert found["signature"] == expected.pop("signature")
    assert (found["result"], found["n_rows"]) == (expected, 3)
    with open(items, encoding="utf-8") as lines:
        header, _, row, _ = lines.read().splitlines()
    assert header == "row,rouge1_precision,rouge1_recall,rouge1_fmeasure"
    assert row == "row 2,1.0,1.0,1.0"


def test_settings_are_found(page):
    # ROUGE-1 F of 2 words of 3 and 2 words of 4 is 4 / 7, ROUGE-2 F of 1 pair of 2 and of 3 is 2 / 5.
    texts = ("the cat sat", ["the cat lay down"])
    found = page.predict("rouge1=57.14 rouge2=40", *texts, api_name="/find_settings")
    assert found["matches"][0]["words"] == 'preset="rouge_score"'
    assert found["note"] is None


def test_code_and_card(page):
    code = page.predict("bleu_full", {"smoothing": "exp"}, api_name="/code")
    assert '    smoothing="exp",' in code["script"].splitlines()
    assert "def compute_metrics" in code["training"]
    card = page.predict("bleu_full", api_name="/card")
    assert card.startswith("# Metric Card for bleu_full")


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("score", ("rouge_full", None, ["a"], {}), "The prediction must be a text, got nothing."),
        ("score", ("rouge_full", "a", None, {}), "The references must be a list of texts, got no"),
        ("score", ("rouge_full", "a", ["a", None], {}), "Reference 2 must be a text, got nothing"),
        ("score", ("rouge_full", "a", ["", " "], {}), "Enter a reference."),
        ("score", ("rouge_full", "a", ["b"] * 21, {}), "up to 20 references, got 21"),
        ("score", ("rouge_full", "a" * 40_000, ["b"], {}), "40,001 characters, and the page takes"),
        ("score", ("rouge_full", "a\n" * 1_000, ["b"], {}), "1,002 lines, and the page takes"),
        ("score", (None, "a", ["a"], {}), "The metric must be rouge_full or bleu_full, got None."),
        ("score", ("rouge_full", "a", ["a"], {"n_jobs": 9}), "The page has no option 'n_jobs'"),
        ("score", ("rouge_full", "a", ["a"], {"beta": -1}), "beta must be a number >= 0"),
        ("score", ("rouge_full", "a", ["a"], {"tokenizer": "spm"}), "The tokenizer must be one of"),
        ("score", ("rouge_full", "a", ["a"], {"rouge_types": ["rouge9"]}), "The types must be so"),
        ("score", ("rouge_full", "a", ["a"], {"preset": "x.pl -n"}), "a command line must start"),
        ("score", ("rouge_full", "a", ["a"], {"preset": "ROUGE-1.5.5.pl -r 20000"}), "-r of the"),
        ("explain", ("rouge_full", "a" * 10_000, ["a"], {}, None), "texts of up to 10,000"),
        ("find_settings", (None, "a", ["a"]), "The reported numbers must be a text"),
        ("find_settings", ("rouge1=x", "a", ["a"]), "Reported numbers: rouge1 must be a number"),
        ("find_settings", ("rouge1=5", None, ["a"]), "enter a prediction and its reference"),
        ("code", ("bleu_full", {"weights": "a"}), "weights must be a list of numbers"),
        ("card", ("../README",), "The metric must be rouge_full or bleu_full"),
    ],
)
def test_a_mistake_is_said_in_plain_words(app, name, arguments, message):
    """By the functions that the server calls."""
    import gradio

    (function,) = (one.fn for one in app.demo.fns.values() if one.api_name == name)
    with pytest.raises(gradio.Error) as error:
        function(*arguments)
    assert message in error.value.message


@pytest.mark.parametrize(
    ("name", "content", "request_of_file", "message"),
    [
        ("a.csv", b"x,y\n1,2\n", {}, "Choose the column of the predictions."),
        ("a.parquet", b"rubbish", {"prediction_column": "x"}, "this is not a Parquet file"),
        ("a.exe", b"x", {}, "got '.exe'"),
    ],
)
def test_a_file_that_is_wrong(page, tmp_path, name, content, request_of_file, message):
    path = tmp_path / name
    path.write_bytes(content)
    request = {"metric": "bleu_full", "reference_columns": ["y"], **request_of_file}
    with pytest.raises(gradio_client.exceptions.AppError) as error:
        page.predict(gradio_client.handle_file(path), request, api_name="/score_file")
    assert message in str(error.value)
    assert str(tmp_path) not in str(error.value)
    assert "gradio" not in str(error.value)


def error_of(page, function, data):
    """What a program is told that calls without Gradio's client, by a body of JSON."""
    import httpx

    address = f"{page.src}gradio_api/call/{function}"
    headers = {"Content-Type": "application/json"}
    asked = httpx.post(address, content=f'{{"data": {data}}}', headers=headers, timeout=20)
    if asked.status_code == 400:
        return asked.json()["detail"]
    answer = httpx.get(f"{address}/{asked.json()['event_id']}", timeout=20)
    kind, value = answer.text.strip().split("\n")
    assert kind == "event: error"
    return json.loads(value.removeprefix("data: "))["error"]


def nested(depth):
    return "[" * depth + "]" * depth


@pytest.mark.parametrize(
    ("function", "data", "message"),
    [
        ("score", nested(900), "/score takes metric, prediction, references, options, and cannot"),
        ("explain", "[]", "/explain takes metric, prediction, references, options, rouge_type, a"),
        ("score_file", '["x", {}]', "/score_file takes file, request, and cannot read this."),
        ("score_file", f'[null, "{nested(100_000)}"]', "What was sent is nested too deeply for t"),
        ("score_file", '[null, "{"]', "The request must be a mapping in JSON."),
    ],
    ids=range(5),
)
def test_a_body_of_json_gets_an_error_with_a_text(page, function, data, message):
    assert error_of(page, function, data).startswith(message)


def test_no_session_of_a_program_is_kept(app, page):
    """A visitor has one; Gradio would keep those of 10,000 calls."""
    sessions = app.demo.state_holder
    before = set(sessions.session_data), set(sessions.time_last_used)
    error_of(page, "score", "[]")
    for _ in range(2):
        page.predict("rouge_full", "a", ["a"], {}, api_name="/score")
    assert (set(sessions.session_data), set(sessions.time_last_used)) == before
    assert sessions.capacity == 50


def test_gradio_checks_no_value_of_a_visitor(app):
    """It would show what it refuses as HTML; the page checks all values itself."""
    events = [one for one in app.demo.fns.values() if one.api_visibility != "public"]
    assert len(events) > 20
    assert not [one.name for one in events if one.preprocess and one.inputs]


def test_an_upload_that_is_too_large_is_refused(app, page, monkeypatch):
    import httpx

    monkeypatch.setattr(app.demo, "max_file_size", 1_000)
    files = {"files": ("a.csv", b"x" * 2_000)}
    answer = httpx.post(f"{page.src}gradio_api/upload", files=files, timeout=20)
    assert answer.status_code == 413
    assert app.MAX_FILE_BYTES == 50 * 2**20
    assert app.demo.delete_cache == (600, 3600)  # it looks every ten minutes, an hour is old


def test_a_port_that_cannot_be_had(app, looked_up, capsys, monkeypatch):
    """Gradio names its variable and the arguments of `launch`, and fails at a large number."""
    import gradio

    with gradio.Blocks() as empty:  # another page than that of these tests, which runs
        launch = partial(empty.launch, prevent_thread_lock=True, quiet=True)
    monkeypatch.setattr(page_command.runpy, "run_path", lambda path: {"launch": launch})
    monkeypatch.setenv("METRIC", "rouge_full")  # as it was, behind this test
    with socket.create_server(("127.0.0.1", 0)) as server:
        for port in (server.getsockname()[1], 65_536):
            said = refusal(run_here(page_command.main, capsys)("--port", port))
            message = f"port {port} is in use, or cannot be used: choose another by --port"
            assert said == message


def test_nothing_was_looked_up(page, looked_up):
    page.predict("rouge_full", "a", ["a"], {}, api_name="/score")
    assert looked_up == []
