"""The process for long work: it gives what `compute` gives, and ends when it is left."""

import json

import pytest

from rouge_bleu import rouge
from rouge_bleu_tools.page.file import scoring as file_scoring
from rouge_bleu_tools.page.file.scoring import score_file
from rouge_bleu_tools.page.shared import worker_client
from rouge_bleu_tools.page.shared.limits import Refusal, refusals
from rouge_bleu_tools.page.shared.metrics import FOLDER
from rouge_bleu_tools.page.shared.worker_client import Progress, answers_of_worker


def arguments_for(folder, rows="a b c d,a b d e\nx,y\n" * 6, header="p,r\n", **changed):
    path = folder / "mine.csv"
    path.write_text(header + rows, encoding="utf-8")
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


def scored(folder, *rows, **changed):
    """What is found for a file, and what is said of the progress."""
    said = []
    arguments = arguments_for(folder, *rows, **changed)
    found = score_file(**arguments, progress=lambda *one: said.append(one))
    assert [share for _, share in said] == sorted(share for _, share in said)
    return found, said


def items_of(folder):
    """The lines of the scores of rows."""
    return (folder / "items.csv").read_text(encoding="utf-8").splitlines()


def test_scores_of_a_file_and_its_best_and_worst_rows(tmp_path):
    found, _ = scored(tmp_path)
    assert found["result"]["rouge1_fmeasure"] == 0.375  # 3 words of 4 in every other row
    measure = found["measures"]["rouge1"]
    assert measure["counts"][0] == 6
    assert measure["counts"][15] == 6  # 0.75 is in the bin that begins there
    assert measure["worst"] == [[index, 0.0] for index in (1, 3, 5, 7, 9)]
    assert [score for _, score in measure["best"]] == [0.75] * 5
    assert found["items"]["1"] == {"row": "row 2", "prediction": "x", "references": ["y"]}
    header, first, *_ = items_of(tmp_path)
    assert header == "row,rouge1_precision,rouge1_recall,rouge1_fmeasure"
    assert first == "row 1,0.75,0.75,0.75"


def test_a_row_is_counted_where_its_printed_score_is(tmp_path):
    """F of 12 matching words of 20 on both sides is 0.6; 12 bins of 0.05 are a bit more."""
    words = [f"w{number}" for number in range(20)]
    other = [*words[:12], *(word.upper() + "x" for word in words[12:])]
    found, _ = scored(tmp_path, f"{' '.join(words)},{' '.join(other)}\n")
    assert found["result"]["rouge1_fmeasure"] == 0.6
    measure = found["measures"]["rouge1"]
    assert measure["edges"][measure["counts"].index(1)] == 0.6


def test_the_rows_are_compared_with_those_of_another_system(tmp_path):
    rows = "a b,a c,a b\na b,a b,a b\nc d,a b,a b\na,b,x\n"
    found, said = scored(tmp_path, rows, header="p,q,r\n", other_column="q")
    # F of the rows is 1, 1, 0, 0, of the other system 0.5, 1, 1, 0.
    assert found["measures"]["rouge1"]["differences"] == {
        **{"better": 1, "equal": 2, "worse": 1},
        "sorted": [-1.0, 0.0, 0.0, 0.5],
    }
    assert found["columns"] == ["p", "q"]
    assert ("Scored 4 of 4 rows", pytest.approx(0.7)) in said


def test_chunks_change_nothing(tmp_path, monkeypatch):
    options = {"options": {}, "metric": "bleu_full"}
    whole, _ = scored(tmp_path, **options)
    monkeypatch.setattr(file_scoring, "_CHUNK", 5)
    assert scored(tmp_path, **options)[0] == whole


def test_empty_cells_are_refused_or_empty_texts(tmp_path):
    said = r"mine\.csv, row 1: 'p' is empty; tick “Allow empty predictions"
    with pytest.raises(Refusal, match=said), refusals():
        scored(tmp_path, ",c\n")
    assert scored(tmp_path, ",c\n", allow_empty=True)[0]["n_rows"] == 1


# --- command lines, sets of weights ---------------------------------------------------------------


def line(flags):
    return {"preset": f"ROUGE-1.5.5.pl {flags}", "confidence_level": None}


def test_intervals_and_counts_of_a_command_line(tmp_path):
    """Its own intervals give way to those that are asked for."""
    options = line("-n 1 -x -c 90 -r 100 -a")
    found, _ = scored(tmp_path, options=options, has_intervals=True)
    texts = ["a b c d", "x"] * 6, ["a b d e", "y"] * 6
    assert found["result"] == rouge(*texts, preset=options["preset"], confidence_level=0.95)


def test_a_command_line_that_gives_counts_is_refused_in_words(tmp_path):
    with pytest.raises(Refusal, match="-t 2 of the command line gives counts and no scores"):
        scored(tmp_path, options=line("-n 2 -t 2"))


def test_a_command_line_with_one_average_for_all_tokens_has_no_scores_of_rows(tmp_path):
    found, _ = scored(tmp_path, "a b,a b\n", options=line("-n 1 -t 1"))
    assert found["result"]["rouge1_recall"] == 1
    assert found["measures"] == {}
    assert ["none has a score of its own" in text for text in found["warnings"]] == [True]
    assert "rouge1_matches" in items_of(tmp_path)[0]


def test_sets_of_weights_are_no_command_line(tmp_path):
    options = {"weights": {"a": [1.0], "b": [0.5, 0.5]}}
    found, _ = scored(tmp_path, metric="bleu_full", options=options)
    assert found["warnings"] == []
    assert items_of(tmp_path)[0].startswith("row,a,b,")


# --- the process ----------------------------------------------------------------------------------

LARGE = "a b c d,a b d e\nx,y\n" * 45_000


def test_the_process_gives_the_result_and_ends(tmp_path):
    *progress, found = answers_of_worker("score_file", arguments_for(tmp_path))
    assert all(isinstance(one, Progress) for one in progress)
    assert found["result"]["rouge1_fmeasure"] == 0.375
    arguments = arguments_for(tmp_path, reference_columns=["q"])
    message = r"^mine\.csv: there is no column 'q'; the columns are 'p', 'r'$"
    with pytest.raises(Refusal, match=message):
        list(answers_of_worker("score_file", arguments))


def test_the_process_ends_where_the_answers_are_left(tmp_path, monkeypatch):
    taken = []
    take = worker_client.SPARE.take
    monkeypatch.setattr(worker_client.SPARE, "take", lambda: taken.append(take()) or taken[-1])
    answers = answers_of_worker("score_file", arguments_for(tmp_path, LARGE))
    assert isinstance(next(answers), Progress)
    assert taken[0].poll() is None
    answers.close()
    assert taken[0].poll() is not None


@pytest.mark.deep
def test_the_process_ends_with_its_input(tmp_path):
    """As it does where the page itself is ended."""
    process = worker_client.SPARE.take()
    request = {"task": "score_file", "arguments": arguments_for(tmp_path, LARGE)}
    process.stdin.write(json.dumps(request).encode() + b"\n")
    process.stdin.close()
    assert process.wait(timeout=100) == 1
    process.stdout.close()


def test_work_that_takes_too_long_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(worker_client, "MAX_SECONDS", 0.5)
    with pytest.raises(Refusal, match=r"takes more than 0\.5 seconds"):
        list(answers_of_worker("score_file", arguments_for(tmp_path, LARGE)))
