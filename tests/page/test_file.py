"""Files -> scores of rows and of the whole; no server."""

import json

import pandas as pd
import pytest

import rouge_bleu

pytest.importorskip("gradio", reason="the page is not installed here")

from rouge_bleu_tools.app import file
from rouge_bleu_tools.app.settings import Refusal, checked, default_settings

TABLE = {
    "hyp": ["the cat sat", "a dog", "no"],
    "ref1": ["a cat sat", "a dog", "yes"],
    "ref2": ["", "dogs", "no"],
}


def written(folder, kind, table=TABLE):
    path = folder / f"texts{kind}"
    frame = pd.DataFrame(table)
    if kind == ".parquet":
        frame.to_parquet(path)
    elif kind == ".jsonl":
        frame.to_json(path, orient="records", lines=True)
    elif kind == ".json":
        path.write_text(json.dumps(frame.to_dict("records")), encoding="utf-8")
    else:
        frame.to_csv(path, index=False, sep="\t" if kind == ".tsv" else ",")
    return [str(path)]


@pytest.mark.parametrize("kind", [".jsonl", ".json", ".csv", ".tsv", ".parquet"])
def test_every_format_has_the_same_rows(tmp_path, kind):
    paths = written(tmp_path, kind)
    prediction, references, second = file.guess_columns(file.column_names(paths))
    assert (prediction, references, second) == ("hyp", ["ref1", "ref2"], "")
    rows = file.read_rows(paths, prediction, references)
    assert rows.predictions == TABLE["hyp"]
    assert rows.references == [["a cat sat"], ["a dog", "dogs"], ["yes", "no"]]


def test_text_files_are_columns(tmp_path):
    paths = []
    for name in ("hyp", "ref.1", "baseline"):
        paths.append(str(tmp_path / f"{name}.txt"))
        (tmp_path / f"{name}.txt").write_text("a b\nc\n", encoding="utf-8")
    assert file.guess_columns(file.column_names(paths)) == ("hyp", ["ref.1"], "baseline")
    rows = file.read_rows(paths, "hyp", ["ref.1"], "baseline")
    assert (rows.predictions, rows.references, rows.seconds) == (
        ["a b", "c"],
        [["a b"], ["c"]],
        ["a b", "c"],
    )
    (tmp_path / "hyp.txt").write_text("a b\n", encoding="utf-8")
    with pytest.raises(Refusal, match="hyp 1"):
        file.column_names(paths)


@pytest.mark.parametrize(
    ("names", "guess"),
    [
        (["id", "prediction", "reference", "baseline"], ("prediction", ["reference"], "baseline")),
        (["article", "highlights", "generated_summary"], ("generated_summary", ["highlights"], "")),
        (["target", "output"], ("output", ["target"], "")),
        (["a"], ("a", [], "")),
        ([], (None, [], "")),
    ],
)
def test_columns_are_guessed_from_usual_names(names, guess):
    assert file.guess_columns(names) == guess


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (b"hyp,ref\na\n", "x.csv"),
        (b"\xff\xfe", "x.csv"),
        (b"", "x.jsonl"),
        (b"{", "x.json"),
        (b"not parquet", "x.parquet"),
        (b"a\n", "x.txt"),  # its references are missing
        (b"a", "x.exe"),
        (b"hyp,ref\n" + b"a,b\n" * 20_001, "x.csv"),
    ],
)
def test_files_that_cannot_be_scored_are_refused_without_the_folder(tmp_path, content, name):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(Refusal) as refusal:
        file.read_rows([str(path)], "hyp", ["ref"])
    assert str(tmp_path) not in str(refusal.value)


@pytest.mark.parametrize(
    ("paths", "prediction", "references"),
    [
        (None, "hyp", ["ref1"]),
        ("file", None, ["ref1"]),
        ("file", "hyp", []),
        ("file", "no", ["ref1"]),
    ],
)
def test_what_is_not_chosen_is_refused(tmp_path, paths, prediction, references):
    with pytest.raises(Refusal):
        file.read_rows(paths and written(tmp_path, ".csv"), prediction, references)


def test_scores_of_rows_and_of_the_file_are_those_of_the_functions(monkeypatch):
    monkeypatch.setattr(file, "_CHUNK", 30)  # characters: several chunks
    rows = file.read_rows([str(file.SAMPLE)], "prediction", "reference", "baseline")
    settings, scores = default_settings(), {}
    assert list(file.score_rows(rows, settings, scores))[-1] == len(rows.predictions)
    given = {"predictions": rows.predictions, "references": rows.references}
    for name in ("rouge1", "rougeLsum"):
        assert (
            scores[name]
            == rouge_bleu.rouge(**given, rouge_types=[name], use_aggregator=False)[name]
        )
    total = file.total_scores(rows, list(file.TILES), settings)
    given |= {"baseline_predictions": rows.seconds, "confidence_level": 0.95}
    rouge = rouge_bleu.rouge(**given, rouge_types=list(file.TILES))
    bleu = rouge_bleu.bleu(**given, output="score")
    assert {name: total[name] for name in (*rouge, *bleu)} == {**rouge, **bleu}
    table = file.table_of_rows(rows, scores, "rouge2")
    assert table["ROUGE-2"].is_monotonic_increasing
    assert file.histogram(table, "rouge2")["rows"].sum() == len(rows.predictions)
    shown = file.totals_html(total, list(scores), len(rows.predictions))
    assert shown.count('class="tile"') == 5
    assert f"{100 * bleu['bleu_delta']:+.1f}" in shown


def test_a_preset_that_lacks_a_type():
    rows = file.Rows(["a b", "c"], [["a b"], ["d"]])
    scores = {}
    settings, _ = checked({"preset": "pltrdy"})
    list(file.score_rows(rows, settings, scores))
    assert list(scores) == ["rouge1", "rouge2", "rougeL", "bleu"]
    assert len(file.table_of_rows(rows, scores, "rougeLsum")) == 2
