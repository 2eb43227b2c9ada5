"""The process for long work: it gives what `compute` gives, and ends when it is left."""

import json

import pytest

from rouge_bleu_tools.page.file import scoring as file_scoring
from rouge_bleu_tools.page.file.scoring import score_file
from rouge_bleu_tools.page.shared import worker_client
from rouge_bleu_tools.page.shared.limits import Refusal
from rouge_bleu_tools.page.shared.metrics import FOLDER
from rouge_bleu_tools.page.shared.worker_client import Progress, answers_of_worker


def arguments_for(folder, n_rows, **changed):
    path = folder / "mine.csv"
    path.write_text("p,r\n" + "a b c d,a b d e\nx,y\n" * (n_rows // 2), encoding="utf-8")
    return {
        "folder": str(FOLDER),
        "metric": "rouge_full",
        "path": str(path),
        "prediction_column": "p",
        "reference_columns": ["r"],
        "other_column": None,
        "options": {"rouge_types": ["rouge1"]},
        "has_intervals": False,
        "allow_empty": False,
        "items_path": str(folder / "items.csv"),
        **changed,
    }


def test_scores_of_a_file_and_its_best_and_worst_rows(tmp_path):
    said = []
    found = score_file(**arguments_for(tmp_path, 12), progress=lambda *one: said.append(one))
    assert [share for _, share in said] == sorted(share for _, share in said)
    assert found["result"]["rouge1_fmeasure"] == 0.375  # 3 words of 4 in every other row
    measure = found["measures"]["rouge1"]
    assert measure["counts"][0] == 6
    assert measure["counts"][15] == 6  # 0.75 is in the bin that begins there
    assert measure["worst"] == [[index, 0.0] for index in (1, 3, 5, 7, 9)]
    assert [score for _, score in measure["best"]] == [0.75] * 5
    assert found["items"]["1"] == {"row": "row 2", "prediction": "x", "references": ["y"]}
    lines = (tmp_path / "items.csv").read_text(encoding="utf-8").splitlines()
    assert lines[:2] == [
        "row,rouge1_precision,rouge1_recall,rouge1_fmeasure",
        "row 1,0.75,0.75,0.75",
    ]


def test_a_row_is_counted_where_its_printed_score_is(tmp_path):
    """F of 12 matching words of 20 on both sides is 0.6; 12 bins of 0.05 are a bit more."""
    words = [f"w{number}" for number in range(20)]
    other = [*words[:12], *(word.upper() + "x" for word in words[12:])]
    arguments = arguments_for(tmp_path, 0)
    (tmp_path / "mine.csv").write_text(f"p,r\n{' '.join(words)},{' '.join(other)}\n")
    found = score_file(**arguments, progress=lambda *_: None)
    assert found["result"]["rouge1_fmeasure"] == 0.6
    measure = found["measures"]["rouge1"]
    bin_of_row = measure["counts"].index(1)
    assert measure["edges"][bin_of_row] == 0.6


def test_the_rows_are_compared_with_those_of_another_system(tmp_path):
    arguments = arguments_for(tmp_path, 0, other_column="q")
    (tmp_path / "mine.csv").write_text("p,q,r\na b,a c,a b\na b,a b,a b\nc d,a b,a b\na,b,x\n")
    said = []
    found = score_file(**arguments, progress=lambda *one: said.append(one))
    # F of the rows is 1, 1, 0, 0, of the other system 0.5, 1, 1, 0.
    assert found["measures"]["rouge1"]["differences"] == {
        **{"better": 1, "equal": 2, "worse": 1},
        "sorted": [-1.0, 0.0, 0.0, 0.5],
    }
    assert found["columns"] == ["p", "q"]
    assert [share for _, share in said] == sorted(share for _, share in said)
    assert ("Scored 4 of 4 rows", pytest.approx(0.7)) in said


def test_chunks_change_nothing(tmp_path, monkeypatch):
    arguments = arguments_for(tmp_path, 12) | {"options": {}, "metric": "bleu_full"}
    whole = score_file(**arguments, progress=lambda *_: None)
    monkeypatch.setattr(file_scoring, "_CHUNK", 5)
    assert score_file(**arguments, progress=lambda *_: None) == whole


def test_intervals_and_counts_of_a_command_line(tmp_path, rouge_full):
    """Its own intervals give way to those that are asked for."""
    line = "ROUGE-1.5.5.pl -n 1 -x -c 90 -r 100 -a"
    options = {"preset": line, "confidence_level": None}
    arguments = arguments_for(tmp_path, 12, options=options, has_intervals=True)
    found = score_file(**arguments, progress=lambda *_: None)["result"]
    expected = rouge_full.compute(
        predictions=["a b c d", "x"] * 6,
        references=["a b d e", "y"] * 6,
        preset=line,
        confidence_level=0.95,
    )
    assert found == expected


def test_the_process_gives_the_result_and_ends(tmp_path):
    *progress, found = answers_of_worker("score_file", arguments_for(tmp_path, 12))
    assert all(isinstance(one, Progress) for one in progress)
    assert found["result"]["rouge1_fmeasure"] == 0.375
    arguments = arguments_for(tmp_path, 4, reference_columns=["q"])
    with pytest.raises(Refusal) as error:
        list(answers_of_worker("score_file", arguments))
    assert str(error.value) == "mine.csv: there is no column 'q'; the columns are 'p', 'r'"


def test_the_process_ends_where_the_answers_are_left(tmp_path, monkeypatch):
    taken = []
    take = worker_client.SPARE.take
    monkeypatch.setattr(worker_client.SPARE, "take", lambda: taken.append(take()) or taken[-1])
    answers = answers_of_worker("score_file", arguments_for(tmp_path, 90_000))
    assert isinstance(next(answers), Progress)
    assert taken[0].poll() is None
    answers.close()
    assert taken[0].poll() is not None


@pytest.mark.deep
def test_the_process_ends_with_its_input(tmp_path):
    """As it does where the page itself is ended."""
    process = worker_client.SPARE.take()
    request = {"task": "score_file", "arguments": arguments_for(tmp_path, 90_000)}
    process.stdin.write(json.dumps(request).encode() + b"\n")
    process.stdin.close()
    assert process.wait(timeout=100) == 1
    process.stdout.close()


def test_work_that_takes_too_long_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(worker_client, "MAX_SECONDS", 0.5)
    with pytest.raises(Refusal, match=r"takes more than 0\.5 seconds"):
        list(answers_of_worker("score_file", arguments_for(tmp_path, 90_000)))
