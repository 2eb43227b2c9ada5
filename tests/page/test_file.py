"""Files -> scores of rows and of the whole; no server."""

import pandas as pd
import pytest

import rouge_bleu

pytest.importorskip("gradio", reason="the page is not installed here")

from rouge_bleu_tools.app import file
from rouge_bleu_tools.app.settings import TILES, Refusal, default_settings

TABLE = {
    "hyp": ["the cat sat", "a dog", "no"],
    "ref1": ["a cat sat", "a dog", "yes"],
    "ref2": ["", "dogs", "no"],
}


def written(folder, kind):
    path = folder / f"texts{kind}"
    frame = pd.DataFrame(TABLE)
    if kind == ".parquet":
        frame.to_parquet(path)
    elif kind.startswith(".json"):
        frame.to_json(path, orient="records", lines=kind == ".jsonl")
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
    assert rows == file.Rows(["a b", "c"], [["a b"], ["c"]], ["a b", "c"])
    (tmp_path / "hyp.txt").write_text("a b\n", encoding="utf-8")
    with pytest.raises(Refusal, match="hyp"):
        file.read_rows(paths, "hyp", ["ref.1"])


def test_columns_are_guessed_from_usual_names():
    for names, guess in {
        "id prediction reference baseline": ("prediction", ["reference"], "baseline"),
        "article highlights generated_summary": ("generated_summary", ["highlights"], ""),
        "target output": ("output", ["target"], ""),
        "id ref1 ref2 hyp": ("hyp", ["ref1", "ref2"], ""),
        "a b": ("a", ["b"], ""),
        "a": ("a", [], ""),
        "": (None, [], ""),
    }.items():
        assert file.guess_columns(names.split()) == guess


def test_files_that_cannot_be_scored_are_refused_without_the_folder(tmp_path):
    for name, content in (
        ("x.csv", b"hyp,ref\na\n"),
        ("x.csv", b"\xff\xfe"),
        ("x.jsonl", b""),
        ("x.json", b"{"),
        ("x.parquet", b"not parquet"),
        ("x.txt", b"a\n"),  # its references are missing
        ("x.exe", b"a"),
        ("x.csv", b"hyp,ref\n" + b"a,b\n" * 20_001),
    ):
        path = tmp_path / name
        path.write_bytes(content)
        with pytest.raises(Refusal) as refusal:
            file.read_rows([str(path)], "hyp", ["ref"])
        assert str(tmp_path) not in str(refusal.value)
    for prediction, references in ((None, ["ref1"]), ("hyp", []), ("no", ["ref1"])):
        with pytest.raises(Refusal):
            file.read_rows(written(tmp_path, ".csv"), prediction, references)


def test_scores_of_rows_and_of_the_file_are_those_of_the_functions(monkeypatch):
    monkeypatch.setattr(file, "_CHUNK", 30)  # characters: several chunks
    rows = file.read_rows([str(file.SAMPLE)], "prediction", "reference", "baseline")
    settings, scores = default_settings(), {}
    assert list(file.score_rows(rows, settings, scores))[-1] == len(rows.predictions)
    given = {"predictions": rows.predictions, "references": rows.references}
    for name in ("rouge1", "rougeLsum"):
        expected = rouge_bleu.rouge(**given, rouge_types=[name], use_aggregator=False)
        assert scores[name] == expected[name]
    total = file.total_scores(rows, list(TILES), settings)
    given |= {"baseline_predictions": rows.seconds, "confidence_level": 0.95}
    rouge = rouge_bleu.rouge(**given, rouge_types=list(TILES))
    bleu = rouge_bleu.bleu(**given, output="score")
    assert {name: total[name] for name in (*rouge, *bleu)} == {**rouge, **bleu}
    table = file.table_of_rows(rows, scores, "rouge2")
    assert table["ROUGE-2"].is_monotonic_increasing
    assert file.histogram(table["ROUGE-2"])["rows"].sum() == len(rows.predictions)
    shown = file.totals_html(total, list(scores), len(rows.predictions))
    assert shown.count('class="tile"') == 5
    assert f"{100 * bleu['bleu_delta']:+.1f}" in shown
