"""The process for long work: it gives what `compute` gives, and ends when it is left."""

import subprocess
import sys
import time

import pytest

from page import worker_client
from page.limits import Refusal
from page.metrics import FOLDER
from page.worker_client import Progress, answers_of_worker


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
    *progress, found = answers_of_worker("score_file", arguments_for(tmp_path, 12))
    assert all(isinstance(one, Progress) for one in progress)
    assert found["result"]["rouge1_fmeasure"] == 0.375  # 3 words of 4 in every other row
    measure = found["measures"]["rouge1"]
    assert measure["counts"][0] == 6
    assert measure["counts"][15] == 6  # 0.75 is in the bin that begins there
    assert measure["worst"] == [[index, 0.0] for index in (1, 3, 5, 7, 9)]
    assert [score for _, score in measure["best"]] == [0.75] * 5
    assert found["items"]["1"] == {"row": "row 2", "prediction": "x", "references": ["y"]}


def test_the_process_ends_where_the_answers_are_left(tmp_path, monkeypatch):
    taken = []
    take = worker_client.SPARE.take
    monkeypatch.setattr(worker_client.SPARE, "take", lambda: taken.append(take()) or taken[-1])
    answers = answers_of_worker("score_file", arguments_for(tmp_path, 90_000))
    assert isinstance(next(answers), Progress)
    assert taken[0].poll() is None
    answers.close()
    assert taken[0].poll() is not None


def test_the_process_ends_with_its_input():
    process = subprocess.Popen(
        [sys.executable, "-c", "import page.worker as w; w._end_with_input()"],
        stdin=subprocess.PIPE,
        cwd=FOLDER,
        env={"PYTHONPATH": f"{FOLDER}:{FOLDER / 'examples'}"},
    )
    process.stdin.close()
    assert process.wait(timeout=100) == 1


def test_work_that_takes_too_long_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(worker_client, "MAX_SECONDS", 0.5)
    start = time.monotonic()
    with pytest.raises(Refusal, match=r"takes more than 0\.5 seconds"):
        list(answers_of_worker("score_file", arguments_for(tmp_path, 90_000)))
    assert time.monotonic() - start < 60  # of 300


def test_what_the_file_lacks_is_refused(tmp_path):
    arguments = arguments_for(tmp_path, 4, reference_columns=["q"])
    with pytest.raises(Refusal) as error:
        list(answers_of_worker("score_file", arguments))
    assert str(error.value) == "mine.csv: there is no column 'q'; the columns are 'p', 'r'"
