"""Choices, scores, links, code and tables of the page, without a server."""

import gc
import html
import importlib
import importlib.util
import re
import shlex
import threading
import time
import warnings
from pathlib import Path
from urllib.parse import parse_qsl

import numpy as np
import pytest

from rouge_bleu_tools.commands.inputs.tables import N_ROWS, FileError
from rouge_bleu_tools.commands.score import main as score_command
from rouge_bleu_tools.page.file import requests
from rouge_bleu_tools.page.settings import finding as settings_finding
from rouge_bleu_tools.page.shared import choices, meanings, scoring, tables
from rouge_bleu_tools.page.shared.choices import FORMS, ROUGE_FORM, options_of_form
from rouge_bleu_tools.page.shared.limits import Refusal
from rouge_bleu_tools.page.shared.looks.code import python_in_colours
from rouge_bleu_tools.page.shared.metrics import FOLDER, Metrics, metric_names
from rouge_bleu_tools.page.shared.session_files import SessionFiles
from rouge_bleu_tools.page.shared.worker_client import Progress
from rouge_bleu_tools.page.try_it import links
from rouge_bleu_tools.page.use import code as pasted_code

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("gradio") is None, reason="the page is not installed here"
)

PAGE = "rouge_bleu_tools.page"


def tab_of(name):
    """A fixture: a tab is imported late, since gradio takes seconds, which each process would spend
    that collects tests.
    """
    return pytest.fixture(scope="module")(lambda: importlib.import_module(f"{PAGE}.{name}.tab"))


try_tab, file_tab, use_tab = map(tab_of, ("try_it", "file", "use"))


# --- which metrics --------------------------------------------------------------------


def test_the_metric_is_chosen_by_folder_and_environment(tmp_path, monkeypatch):
    monkeypatch.delenv("METRIC", raising=False)
    assert metric_names() == ["rouge_full", "bleu_full"]
    (tmp_path / "bleu_full.py").touch()
    assert metric_names(tmp_path) == ["bleu_full"]
    monkeypatch.setenv("METRIC", "bleu_full")
    assert metric_names() == ["bleu_full", "rouge_full"]
    monkeypatch.setenv("METRIC", "rouge")
    with pytest.raises(SystemExit, match="no rouge to serve"):
        metric_names()


def test_no_tokenizer_needs_a_package_or_a_download(metrics, name):
    names = {"rouge_score", "rouge-1.5.5", "unicode", "13a", "char", "whitespace", "t2t"}
    assert names <= set(metrics.tokenizers(name))
    needy = {"none", "intl", "zh", "ja-mecab", "spm", "flores200", "ptb", "jieba", "xlsum-thai"}
    assert needy <= set(metrics.of_name[name].options_class.declarations()["tokenizer"][0].choices)
    assert needy.isdisjoint(metrics.tokenizers(name))


def test_the_card_of_a_space_has_no_front_matter(tmp_path, metrics):
    (tmp_path / "README.md").write_text("---\ntitle: x\n---\n# Card\n---\n", encoding="utf-8")
    of_space = Metrics(metrics.of_name, tmp_path)
    assert of_space.card("bleu_full") == "# Card\n---\n"


# --- choices --------------------------------------------------------------------------


TYPES_ALONE = {"rouge_types": []}
LINE = {"preset": "ROUGE-1.5.5.pl -n 2", "confidence_level": None}


@pytest.mark.parametrize(
    ("name", "changed", "options"),
    [
        ("rouge_full", {"rouge_types": ["rougeW"], "weight": 1.5}, {"rouge_types": ["rougeW-1.5"]}),
        ("rouge_full", TYPES_ALONE | {"sentences": True}, {"sentence_splitter": "sentences"}),
        ("rouge_full", TYPES_ALONE | {"beta": 0}, {"beta": 0.0}),
        ("rouge_full", TYPES_ALONE | {"command": " ROUGE-1.5.5.pl -n 2 "}, LINE),
        ("bleu_full", {"max_order": 2, "smoothing": "exp"}, {"max_order": 2, "smoothing": "exp"}),
    ],
)
def test_options_of_choices(name, changed, options):
    assert options_of_form(name, FORMS[name] | changed) == options


@pytest.mark.parametrize(
    ("name", "changed", "message"),
    [
        ("rouge_full", {"preset": "matlab", "command": "ROUGE-1.5.5.pl -n 2"}, "not both"),
        ("rouge_full", {"command": "rouge"}, "must be one of ROUGE-1.5.5.pl with its options"),
        ("rouge_full", {"rouge_types": ["rougeW"], "weight": 30}, "from 1 to 20, got 30"),
        ("bleu_full", {"weights": "1 x"}, "Each of the weights must be a number, got 'x'"),
        ("bleu_full", {"max_order": 2.5}, "must be a whole number, got 2.5"),
        ("bleu_full", {"max_order": float("nan")}, "must be a finite number"),
    ],
)
def test_choices_that_are_refused(name, changed, message):
    with pytest.raises(Refusal, match=message):
        options_of_form(name, FORMS[name] | changed)


def test_each_choice_has_one_line_of_meaning(metrics, name):
    for field, labelled in choices.labelled_choices(metrics, name).items():
        for label, choice in labelled:
            if choice != choices.DEFAULT:
                shown = meanings.paper_name(choice) if field == "rouge_types" else choice
                assert label.startswith(f"{shown}: "), "rouge_bleu_tools/page/shared/meanings.py"
                assert len(label) < 75


def test_the_default_is_named_with_each_preset(metrics):
    def defaults(name, preset=choices.DEFAULT):
        labelled = choices.labelled_choices(metrics, name, preset)
        return {
            field: dict(map(reversed, labels)).get("default") for field, labels in labelled.items()
        }

    of_bleu = {"tokenizer": "13a (default)", "smoothing": "none (default)", "preset": "none"}
    assert defaults("bleu_full") == of_bleu
    assert defaults("bleu_full", "nltk")["tokenizer"] == "whitespace (default of nltk)"
    assert defaults("rouge_full", "pyrouge-metric")["multi_reference"].startswith("pooled (default")
    assert choices.default_of(metrics, "rouge_full", "beta", "matlab") == float("inf")
    assert choices.default_of(metrics, "bleu_full", "max_order") == 4


# --- scores ---------------------------------------------------------------------------


def test_a_warning_is_that_of_its_own_thread(metrics):
    """While one thread asks for warnings, another one warns all the time."""
    stop = threading.Event()

    def warn():
        while not stop.is_set():
            warnings.warn("of somebody else", stacklevel=1)

    other = threading.Thread(target=warn)
    with warnings.catch_warnings(record=True):  # so that none is shown
        warnings.simplefilter("ignore")
        other.start()
        try:
            for _ in range(10):
                (said,) = scoring.scored(metrics, "rouge_full", "мир", ["мир"], {}).warnings
                assert "No text holds a single token" in said
        finally:
            stop.set()
            other.join()


def test_the_tab_shows_the_steps_of_the_scores_in_its_table(metrics, try_tab, file_tab):
    """Under sacreBLEU, whose sentences have another BLEU than a corpus; a row of a file has theirs."""
    texts = ("the cat", "the cat lay")
    shown = try_tab._shown(metrics, texts, "bleu_full", {"preset": "sacrebleu"}, None, "")
    assert "no 3-gram matches" in shown[4]
    item = {"row": "row 1", "prediction": texts[0], "references": [texts[1]]}
    of_file = {"metric": "bleu_full", "options": {"preset": "sacrebleu"}, "items": {"0": item}}
    assert "to the power of 1/2 = 0.6065" in file_tab._item_view(metrics, "best 0", "BLEU", of_file)


# --- links ----------------------------------------------------------------------------


def test_a_link_fills_in_what_it_was_made_of(metrics):
    form = ROUGE_FORM | {"rouge_types": ["rouge1"], "tokenizer": "unicode", "beta": 2}
    references = ["a & b", "ü\nc=d"]
    query = links.link_query("rouge_full", "Größe?", references, form)
    link = links.filled_in(parse_qsl(query), metrics)
    assert link == links.FilledIn("rouge_full", "Größe?", references, form, left_out=[])
    assert links.link_query("rouge_full", "a" * 9_000, references, form) == "", "too long for one"


# Values that one can type or choose; fields with a list have all that is in it.
TYPED = {
    "rouge_full": {
        "rouge_types": [[], ["rougeW", "rouge1"], ["rougeSU4"]],
        "weight": [1, 1.75, None],
        "use_stemmer": [True],
        "sentences": [True],
        "beta": [0, 0.5, 1e9],
        "command": ["ROUGE-1.5.5.pl -n 2 -m -a & <b>"],
    },
    "bleu_full": {"max_order": [1, 1000], "weights": ["0.4 0.3, 0.2;0.1"], "lowercase": [True]},
}


def test_a_link_of_the_page_restores_each_value(metrics, name):
    lists = {**choices.field_choices(metrics, name), **TYPED[name]}
    assert lists.keys() == FORMS[name].keys(), "no field is missing here"
    for field, values in lists.items():
        for value in values:
            form = FORMS[name] | {field: value}
            query = links.link_query(name, "a", ["b"], form)
            link = links.filled_in(parse_qsl(query, keep_blank_values=True), metrics)
            assert link == links.FilledIn(name, "a", ["b"], form, left_out=[]), query


TYPES = "rouge1, rouge2, rouge3, rouge4, rougeL, rougeLsum, rougeW, rougeS4, rougeSU4"
SOME_TYPES = f"rouge_types must be a list of some of {TYPES}"
NUMBER, WHOLE = "must be a number up to 1e+15", "must be a whole number up to 1e+15"
LEFT_OUT = {
    "metric=x": "metric must be rouge_full or bleu_full, got 'x'",
    "rouge_types=[[1],{}]": f"{SOME_TYPES}, got '[[1],{{}}]'",
    "tokenizer=spm": "tokenizer must be one of default, {tokenizers}, got 'spm'",
    "use_stemmer=True": "use_stemmer must be true or false, got 'True'",
    "sentences=[[[": "sentences must be true or false, got '[[['",
    "beta=true": f"beta {NUMBER}, got 'true'",
    "metric=bleu_full&max_order=1e400": f"max_order {WHOLE}, got '1e400'",
    "metric=bleu_full&max_order=2.5": f"max_order {WHOLE}, got '2.5'",
    f"beta={'1' * 5000}": f"beta {NUMBER}, got '{'1' * 59}",
    "max_words=100": "max_words, which the page has no field for with rouge_full",
}


@pytest.mark.parametrize(("query", "words"), LEFT_OUT.items(), ids=[q[:40] for q in LEFT_OUT])
def test_what_the_page_does_not_have_is_left_out_of_a_link(metrics, query, words):
    link = links.filled_in(parse_qsl(query, keep_blank_values=True), metrics)
    assert link.form == FORMS[link.metric]
    words = words.replace("{tokenizers}", ", ".join(metrics.tokenizers("rouge_full")))
    assert link.left_out == [f"Left out of the link: {words}."]


def test_the_rest_of_such_a_link_is_filled_in(metrics):
    query = "tokenizer=x&use_stemmer=true&reference=a&__theme=dark&view=api"
    link = links.filled_in(parse_qsl(query), metrics)
    assert link.form == ROUGE_FORM | {"use_stemmer": True}
    assert (link.prediction, link.references) == ("", ["a"])
    assert len(link.left_out) == 1


def test_references_of_a_link_beyond_those_of_the_page(metrics):
    pairs = [("reference", str(number)) for number in range(21)]
    link = links.filled_in(pairs, metrics)
    assert link.references == [str(number) for number in range(20)]
    assert link.left_out == ["Left out of the link: the references after the first 20."]


# --- code -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("rouge_full", {"rouge_types": ["rouge2", "rougeW-1.5"], "use_stemmer": True}),
        ("rouge_full", {"preset": "ROUGE-1.5.5.pl -n 2 -m", "confidence_level": None}),
        ("bleu_full", {"weights": [0.5, 0.5], "tokenizer": "char"}),
    ],
)
@pytest.mark.filterwarnings("ignore:-m is stemming")
def test_the_code_gives_what_the_page_shows(
    metrics, use_tab, request, monkeypatch, capsys, name, options
):
    texts = ('a "quoted"\n\\ cat ’ \N{CAT FACE}', ["a cat\n{x}", "the \\n cat"])
    metric = request.getfixturevalue(name)
    found = use_tab.code_of_options(metrics, name, options, *texts)
    monkeypatch.setattr("evaluate.load", {name: metric}.__getitem__)
    with warnings.catch_warnings():  # of -m, which knows no irregular words here
        warnings.simplefilter("ignore")
        exec(compile(found["script"], "script", "exec"), {})
    printed = dict(line.split(" ", 1) for line in capsys.readouterr().out.splitlines())
    shown = scoring.scored(metrics, name, *texts, options)
    assert printed.pop("signature") == shown.signature == found["signature"]
    assert printed == {key: str(value) for key, value in shown.result.items()}


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("rouge_full", {"rouge_types": ["rouge2", "rougeL"], "use_stemmer": True, "beta": 2.0}),
        ("rouge_full", {"preset": "ROUGE-1.5.5.pl -n 2 -m", "confidence_level": None}),
        ("bleu_full", {"weights": [0.5, 0.5], "lowercase": True, "smoothing": "exp"}),
    ],
)
def test_the_command_line_has_the_options(name, options):
    program, command, *arguments = shlex.split(pasted_code.command_line(name, options))
    assert (program, command) == ("rouge-bleu", "score")
    namespace, given = score_command.parsed([one for one in arguments if one != "\n"])
    assert [f"{one}_full" for one in namespace.metric] == [name]
    assert str(namespace.file) == "texts.csv"
    assert {option: value for option, value in options.items() if value is not None} == {
        option: value for option, value in given.items() if option != "n_jobs"
    }


@pytest.mark.parametrize("code", ['x = "a\\"<b>\u2028"  # <i>', 'print("ä", 5)\n', "", "a\r\nb"])
def test_code_in_colours_is_the_same_code(code):
    shown = python_in_colours(code)
    assert html.unescape(re.sub("<[^>]*>", "", shown)) == code
    assert "<b>" not in shown


def test_the_code_for_training_returns_floats(metric, monkeypatch):
    class OfModel:
        pad_token_id = 0

        @staticmethod
        def batch_decode(ids, skip_special_tokens):
            return [" ".join(str(one) for one in row if one) for row in ids]

    class OfEpoch:
        predictions = np.array([[1, 2, 3, 0]])
        label_ids = np.array([[1, 2, 4, -100]])

    code = pasted_code.training_code(metric.name, {})
    monkeypatch.setattr("evaluate.load", {metric.name: metric}.__getitem__)
    names = {"tokenizer": OfModel}
    exec(compile(code, "training", "exec"), names)
    result = names["compute_metrics"](OfEpoch)
    assert all(isinstance(value, (int, float)) for value in result.values())
    if metric.name == "rouge_full":
        assert result["rouge1"] == pytest.approx(2 / 3)  # 2 words of 3 on both sides


def test_a_space_is_loaded_by_its_own_name(monkeypatch):
    monkeypatch.setenv("SPACE_ID", "someone/bleu_full")
    assert pasted_code.loaded_name("bleu_full") == "someone/bleu_full"
    assert pasted_code.loaded_name("rouge_full") == "rouge_full"
    hint = "# Run `rouge-bleu install` once"
    for code_of in (pasted_code.script_code, pasted_code.training_code):
        assert hint not in code_of("bleu_full", {})
        assert hint in code_of("rouge_full", {})


# --- tables ---------------------------------------------------------------------------


def test_the_sample_is_of_the_examples(metrics):
    path = FOLDER / "rouge_bleu_tools" / "page" / "shared" / "sample.csv"
    columns = ["prediction", "baseline"]
    texts, references, _ = tables.texts_of_file(path, columns, ["reference"], allow_empty=False)
    found = *texts, [reference for (reference,) in references]
    for name, column in zip(("better", "baseline", "references"), found, strict=True):
        file = FOLDER / "examples" / "systems" / f"{name}.txt"
        assert column == file.read_text(encoding="utf-8").splitlines()
    numbers = settings_finding.sample_numbers(metrics, path)
    assert re.fullmatch(r"rouge1=[\d.]+ rouge2=[\d.]+ rougeL=[\d.]+", numbers)
    assert settings_finding.checked_numbers(numbers, metrics.names)[0] == "rouge_full"


def test_rows_and_characters_are_bounded(tmp_path, monkeypatch):
    path = tmp_path / "a.csv"
    path.write_text("p,r\n" + "a,b\n" * 11, encoding="utf-8")
    read = {"prediction_columns": ["p"], "reference_columns": ["r"], "allow_empty": False}
    (predictions,), references, rows = tables.texts_of_file(path, **read)
    assert (predictions, references) == (["a"] * 11, [["b"]] * 11)
    assert rows[-1] == "row 11"
    with pytest.raises(Refusal, match="more than 10 rows"):
        tables.texts_of_file(path, **read, max_rows=10)
    monkeypatch.setattr(tables, "MAX_TABLE_CHARACTERS", 22)
    tables.texts_of_file(path, **read)  # 11 predictions and 11 references of one character
    monkeypatch.setattr(tables, "MAX_TABLE_CHARACTERS", 21)
    with pytest.raises(Refusal, match="more than 21 characters"):
        tables.texts_of_file(path, **read)


def test_a_null_in_a_batch_of_its_own_is_no_row_to_leave_out(tmp_path):
    """Here the last batch has one row."""
    path = tmp_path / "a.jsonl"
    row = '{"p": "a", "r": "b"}\n'
    path.write_text(row * N_ROWS + '{"p": null, "r": "b"}\n', encoding="utf-8")
    read = {"prediction_columns": ["p"], "reference_columns": ["r"]}
    with pytest.raises(FileError, match=f"line {N_ROWS + 1}: 'p' is missing"):
        tables.texts_of_file(path, **read, allow_empty=False)
    (predictions,), _, _ = tables.texts_of_file(path, **read, allow_empty=True)
    assert (len(predictions), predictions[-1]) == (N_ROWS + 1, "")


def test_a_file_is_deleted_with_the_last_session_that_has_it(tmp_path):
    own, shared = tmp_path / "1" / "own.csv", tmp_path / "2" / "shared.csv"
    files = SessionFiles()
    for session, path in (("a", own), ("a", shared), ("b", shared)):
        path.parent.mkdir(exist_ok=True)
        path.touch()
        files.add(session, str(path))
    other = tmp_path / "2" / "other"  # of somebody else
    other.touch()
    files.add(None, None)
    files.forget("a")
    assert (own.parent.exists(), shared.exists()) == (False, True)
    files.forget("b")
    files.forget("b")
    assert list(tmp_path.rglob("*")) == [other.parent, other]


def test_a_file_of_work_that_began_before_the_visitor_left_goes_at_once(tmp_path):
    files, path = SessionFiles(), tmp_path / "1" / "late.csv"
    began = time.monotonic()
    files.forget("a")
    for given, is_kept in ((began, False), (time.monotonic() + 1, True)):
        path.parent.mkdir()
        path.touch()
        files.add("a", path, given)
        assert path.exists() == is_kept
    files.add("a", tmp_path / "2" / "late.csv", began)  # that of today stays
    assert path.exists()


def test_the_worker_ends_before_its_folder_goes(metrics, tmp_path, monkeypatch):
    """Else it may write into a folder that is being deleted, which then stays."""
    folders = []

    def answers(task, arguments):
        folders.append(Path(arguments["items_path"]).parent)
        try:
            yield Progress("Scoring", 0.5)
        finally:
            folders.append(folders[0].exists())

    monkeypatch.setattr(requests, "answers_of_worker", answers)
    (tmp_path / "texts.csv").write_text("p,r\na,a\n")
    asked = requests.FileRequest("rouge_full", {}, str(tmp_path / "texts.csv"), "p", ["r"])
    cycle = [requests.scored_file(metrics, asked)]  # who waited is found gone by the collector
    cycle.append(cycle)
    assert next(cycle[0]) == Progress("Scoring", 0.5)
    del cycle
    gc.collect()
    assert (folders[1], folders[0].exists()) == (True, False)


def test_files_that_went_with_their_age_are_not_remembered(tmp_path):
    files = SessionFiles()
    for number in range(3):
        path = tmp_path / str(number)
        path.touch()
        files.add(str(number), path)
        path.unlink()
    assert len(files._sessions_of_path) == 1


def test_scores_that_are_no_longer_kept_are_said_to_be(metrics, file_tab):
    """After an hour, or when 50 others have used the page since."""
    said = file_tab._item_view(metrics, "worst 0", "rouge1", None)
    assert "The scores are no longer kept here: score the file again." in said
